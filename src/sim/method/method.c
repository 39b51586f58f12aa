/* SPDX-License-Identifier: MIT */
/* The list of methods. */
#include "sim/method/method.h"

#include <string.h>

#define METHOD(name) extern const method SIM_NAME(name##_method);
#include "sim/method/methods.def"
#undef METHOD

const method *const method_list[] = {
#define METHOD(name) &SIM_NAME(name##_method),
#include "sim/method/methods.def"
#undef METHOD
};

int method_count(void) {
    return (int)(sizeof method_list / sizeof *method_list);
}

const method *method_find(const char *name) {
    for (int k = 0; k < method_count(); k++)
        if (strcmp(method_list[k]->info.name, name) == 0) return method_list[k];
    return NULL;
}

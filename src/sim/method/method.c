/* SPDX-License-Identifier: MIT */
/* The list of methods. */
#include "sim/method/method.h"

#include <string.h>

#define METHOD(name) extern const method SIM_NAME(rill_##name##_method);
#include "sim/method/methods.def"
#undef METHOD

const method *const rill_sim_method_list[] = {
#define METHOD(name) &SIM_NAME(rill_##name##_method),
#include "sim/method/methods.def"
#undef METHOD
};

int rill_sim_method_count(void) {
    return (int)(sizeof rill_sim_method_list / sizeof *rill_sim_method_list);
}

const method *rill_sim_method_find(const char *name) {
    for (int k = 0; k < rill_sim_method_count(); k++)
        if (strcmp(rill_sim_method_list[k]->info.name, name) == 0) return rill_sim_method_list[k];
    return NULL;
}

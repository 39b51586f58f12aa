/* SPDX-License-Identifier: MIT */
/* The list of methods, which needs no world. */
#include "api/dispatch.h"

#include <string.h>

const rill_method_info *rill_method(int index) {
    return rill_simd_operations(2, RILL_SIMD_AUTO)->method_info(index);
}

int rill_method_count(void) {
    int n = 0;
    while (rill_method(n)) n++;
    return n;
}

const rill_method_info *rill_method_find(const char *name) {
    const rill_method_info *info;
    for (int k = 0; name && (info = rill_method(k)); k++)
        if (strcmp(info->name, name) == 0) return info;
    return NULL;
}

const char *rill_method_nearest(const char *name) {
    char choices[1024] = "", nearest[RILL_NAME_SIZE];
    size_t used = 0;
    for (int k = 0; k < rill_method_count(); k++) {
        const char *next = rill_method(k)->name;
        const size_t length = strlen(next);
        if (used + length + 2 > sizeof choices) break;
        if (used) choices[used++] = '|';
        memcpy(choices + used, next, length + 1);
        used += length;
    }
    if (!name || !rill_choices_nearest(choices, name, nearest, sizeof nearest)) return NULL;
    return rill_method_find(nearest)->name;
}

/* SPDX-License-Identifier: MIT */
/* The table of gauge kinds. */
#include "model/gauge_kind.h"

#include <stdio.h>

static const gauge_kind kinds[] = {
#define GAUGE_KIND(constant, name_, unit_, values_, subject_, averages_, doc_) \
    [RILL_GAUGE_##constant] = {.name = (name_),                                \
                               .unit = (unit_),                                \
                               .values = GAUGE_##values_,                      \
                               .subject = GAUGE_##subject_,                    \
                               .averages = (averages_),                        \
                               .required = GAUGE_##subject_##_REQUIRED,        \
                               .doc = (doc_)},
#include "model/gauge_kinds.def"
#undef GAUGE_KIND
};

const gauge_kind *rill_gauge_kind_at(int kind) {
    return kind >= 0 && kind < (int)(sizeof kinds / sizeof *kinds) ? &kinds[kind] : NULL;
}

int rill_gauge_value_count(int kind, int dim) {
    const gauge_kind *k = rill_gauge_kind_at(kind);
    if (!k || k->values == GAUGE_ONE) return 1;
    return k->values == GAUGE_ROTATION && dim == 2 ? 1 : dim;
}

const char *rill_gauge_label(const rill_gauge_def *gauge, int dim, int k, char *buffer, size_t size) {
    if (rill_gauge_value_count(gauge->kind, dim) > 1)
        snprintf(buffer, size, "%s_%c", gauge->name, "xyz"[k]);
    else
        snprintf(buffer, size, "%s", gauge->name);
    return buffer;
}

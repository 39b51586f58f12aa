/* SPDX-License-Identifier: MIT */
/* A nonlinear conjugate gradient on top of sweeps: how far the last direction is followed. */
#include "core/nncg.h"

void rill_nncg_solve(const nncg *n) {
    double last = 0;
    for (;;) {
        n->mark(n->context);
        if (n->sweep(n->context)) return;
        const double length = n->length(n->context);
        /* Sweeps that no longer get smaller: the direction has lost its meaning. */
        n->advance(n->context, last > 0 && length < last ? length / last : 0);
        last = length;
    }
}

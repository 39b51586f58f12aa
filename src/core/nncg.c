/* SPDX-License-Identifier: MIT */
/* A nonlinear conjugate gradient on top of sweeps: the choice of beta. */
#include "core/nncg.h"

void rill_nncg_solve(const nncg *n) {
    double last = 0;
    for (;;) {
        n->mark(n->context);
        if (n->sweep(n->context)) return;
        const double length = n->length(n->context);
        /* Restart if the changes no longer decrease: the direction is then useless. */
        n->advance(n->context, last > 0 && length < last ? length / last : 0);
        last = length;
    }
}

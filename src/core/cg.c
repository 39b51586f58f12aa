/* SPDX-License-Identifier: MIT */
/* Conjugate gradients: the order of operations in an iteration and its scalars. */
#include "core/cg.h"

int rill_cg_solve(const cg *c, double rz, double enough, int most) {
    double beta = 0;
    int done = 0;
    while (done < most && rz > enough) {
        if (done > 0) c->turn(c->context, beta);
        const double curvature = c->image(c->context);
        if (!(curvature > 0)) break; /* p is in the null space of A, or zero: no progress along it */
        const double next = c->advance(c->context, rz / curvature);
        beta = next / rz, rz = next;
        done++;
        if (c->enough && c->enough(c->context)) break;
    }
    return done;
}

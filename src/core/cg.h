/* SPDX-License-Identifier: MIT */
/* Conjugate gradients for A x = b, A symmetric and positive: the order of operations in an iteration and its scalars.
   The caller owns the vectors, chooses their type and the order of sums, and starts with the residual r = b - A x, the
   preconditioned residual z, and the direction p = z. */
#ifndef RILL_CORE_CG_H
#define RILL_CORE_CG_H

#include "rill/base.h"

typedef struct cg {
    void *context;
    double (*image)(void *context);                 /* q = A p; returns p . q */
    double (*advance)(void *context, double alpha); /* x += alpha p, r -= alpha q, new z; returns r . z */
    void (*turn)(void *context, double beta);       /* p = z + beta p */
    bool (*enough)(void *context);                  /* called after each iteration; true ends them. May be NULL */
} cg;

/* Iterates at most `most` times while r . z, at first `rz`, exceeds `enough`. Returns the number of iterations. */
int rill_cg_solve(const cg *c, double rz, double enough, int most);

#endif

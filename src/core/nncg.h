/* SPDX-License-Identifier: MIT */
/* A nonlinear conjugate gradient on top of projected Gauss-Seidel sweeps (Silcowitz-Hansen, Niebe and Erleben, "A
   nonsmooth nonlinear conjugate gradient method for interactive contact force problems", 2010): the change by a pair of
   sweeps, forwards and backwards, is taken as a gradient, and the next pair starts farther along the last direction. A
   chain of n links takes about n sweeps instead of n^2. */
#ifndef RILL_CORE_NNCG_H
#define RILL_CORE_NNCG_H

#include "rill/base.h"

/* The caller owns the unknowns x and the direction p, which starts as zero. */
typedef struct nncg {
    void *context;
    void (*mark)(void *context);                 /* keeps x before the sweeps */
    bool (*sweep)(void *context);                /* a pair of sweeps; true: x is good enough */
    double (*length)(void *context);             /* squared length of the change of x by the sweeps */
    void (*advance)(void *context, double beta); /* x += beta p, then p = beta p + that change */
} nncg;

void rill_nncg_solve(const nncg *n);

#endif

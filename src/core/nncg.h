/* SPDX-License-Identifier: MIT */
/* A nonlinear conjugate gradient on top of projected Gauss-Seidel sweeps (Silcowitz-Hansen, Niebe and Erleben, "A
   nonsmooth nonlinear conjugate gradient method for interactive contact force problems", 2010): what a sweep there and
   back changed is a gradient, and the next one starts farther along the last direction. A chain of n links takes about
   n sweeps instead of n^2. */
#ifndef RILL_CORE_NNCG_H
#define RILL_CORE_NNCG_H

#include "rill/base.h"

/* The unknowns x and the direction p, at first zero, belong to the caller. */
typedef struct nncg {
    void *context;
    void (*mark)(void *context);                 /* notes x before the sweeps */
    bool (*sweep)(void *context);                /* there and back; true: that was enough */
    double (*length)(void *context);             /* squared length of what the sweeps changed in x */
    void (*advance)(void *context, double beta); /* x += beta p, then p = beta p + what the sweeps changed */
} nncg;

void rill_nncg_solve(const nncg *n);

#endif

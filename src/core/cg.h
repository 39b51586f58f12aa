/* SPDX-License-Identifier: MIT */
/* Conjugate gradients for A x = b, A symmetric and positive: the order of an iteration and its scalars. Vectors, their
   type and how they are added up belong to the caller, who starts with the residual r = b - A x, preconditioned z, and
   the direction p = z. */
#ifndef RILL_CORE_CG_H
#define RILL_CORE_CG_H

#include "rill/base.h"

typedef struct cg {
    void *context;
    double (*image)(void *context);                 /* q = A p; returns p q */
    double (*advance)(void *context, double alpha); /* x += alpha p, r -= alpha q; returns r z */
    void (*turn)(void *context, double beta);       /* p = z + beta p */
    bool (*enough)(void *context);                  /* asked after each iteration: true ends it; may be NULL */
} cg;

/* At most `most` iterations, while r z, at first `rz`, is more than `enough`. Returns how many. */
int rill_cg_solve(const cg *c, double rz, double enough, int most);

#endif

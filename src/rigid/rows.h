/* SPDX-License-Identifier: MIT */
/* Rows: each is one scalar condition on the velocities of two bodies. They are solved together by projected
   Gauss-Seidel (Bodin, Lacoursiere and Servin, "Constraint Fluids", section IV and Alg. VII.1). The solver stands on
   its own: a method with further rows on the same velocities (the constraint fluid) calls rill_rows_solve after each of
   its own sweeps.

   A row demands G v+ + e lambda = target with low <= lambda <= high. For a position condition g = 0 with regularisation
   eps and relaxation time tau, SPOOK sets, with D = tau/dt and xi = 1/(1 + 4 D): e = 4 eps xi/dt^2, target = -4 g/(dt
   (1 + 4 D)) + xi G v. */
#ifndef RILL_RIGID_ROWS_H
#define RILL_RIGID_ROWS_H

#include "core/dvec.h"
#include "model/world_state.h"

/* The part of a row at one body: linear and angular part of the Jacobian, and both times the inverse mass. */
typedef struct row_side {
    int body; /* slot, or -1: the world, which does not move */
    dvec linear, angular;
    dvec mass_linear, mass_angular;
} row_side;

typedef struct row {
    row_side a, b;
    double e, target, low, high;
    double inverse; /* 1/(G M^-1 G^T + e) */
    double lambda;
    double before, direction; /* of the conjugate gradient: lambda before the sweep, and the last direction */
    int normal;               /* friction: index of its normal row, or -1; |lambda| <= friction lambda_normal */
    double friction;
    bool paired;    /* friction in 3D: a disc bounds this row and the next together */
    double *memory; /* where lambda is kept for the next step, or NULL */
} row;

typedef struct rows {
    rill_world *world;
    row *items;
    int count, capacity;
    int joint_count; /* the first rows are those of joints, the others those of contacts */
    double dt;
    int iterations;  /* of the last rill_rows_solve */
    double residual; /* largest change of a row's velocity in its last sweep [m/s] */
} rows;

/* Adds a row between two bodies (slots, or -1). A positive impulse pushes `a` along the Jacobian and `b` against it.
   NULL if there is no memory. */
row *rill_rows_add(rows *r, int a, dvec linear_a, dvec angular_a, int b, dvec linear_b, dvec angular_b);
/* Sets e and target for a position condition g = 0 with compliance eps [m/N] and relaxation time tau [s]. */
void rill_row_hold(const rows *r, row *row, double g, double eps, double tau);
/* As rill_row_hold, with e as a share of the row's own weight G M^-1 G^T, so that a pebble is held as stiffly as a
   house. The share also makes sweeps converge: it bounds how strongly rows can be coupled. */
void rill_row_hold_stiff(const rows *r, row *row, double g, double share, double tau);
/* Sets e alone, as a share of the row's weight. */
void rill_row_stiffen(row *row, double share);
/* Sets e and target for a damper: force = -damping G v. */
void rill_row_damp(const rows *r, row *row, double damping);
/* Sets e and target for a velocity condition G v = speed; e is a share of the row's weight. */
void rill_row_drive(row *row, double speed, double share);
/* G v at the present velocities. */
double rill_row_velocity(const rows *r, const row *row);

/* The residual of rows first to end - 1 at the present velocities, as an energy [J]: the sum of change^2 (G M^-1 G^T +
   e), where `change` is how much the impulse of a row would change if it were solved alone. `from_nothing`: as if all
   impulses were zero. */
double rill_rows_residual(const rows *r, int first, int end, bool from_nothing);
/* Applies the impulses with which rows start. */
void rill_rows_warm_start(rows *r);
/* One sweep over all rows. Returns the largest change of a row's velocity [m/s]. */
double rill_rows_sweep(rows *r, bool forward);
/* Sweeps forwards and backwards until the largest change is below `tolerance` [m/s] or `most` sweeps are done,
   accelerated by a nonlinear conjugate gradient (core/nncg.h). */
void rill_rows_solve(rows *r, int most, double tolerance);
/* Keeps the impulses in the rows' `memory` for the next step. */
void rill_rows_remember(rows *r);

#endif

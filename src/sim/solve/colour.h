/* SPDX-License-Identifier: MIT */
/* Colours for Gauss-Seidel sweeps whose rows change the velocities of all their neighbours: two rows may be solved at
   the same time only if they share no particle. Cells of edge h form blocks of two along each axis, which are coloured
   like a chequerboard, with 4 colours in 2D and 8 in 3D: rows of a block reach one cell beyond it, and two blocks of a
   colour are two cells apart. Rows that reach n cells need blocks of 2n. Within a block the order is fixed, so that the
   result does not depend on the threads. */
#ifndef RILL_SIM_SOLVE_COLOUR_H
#define RILL_SIM_SOLVE_COLOUR_H

#include "core/arena.h"
#include "sim/sim.h"

#define COLOURS (DIM == 2 ? 4 : 8)

/* Consecutive particles of one block of cells. */
typedef struct colour_run {
    int32_t block[DIM];
    int32_t begin, end;
} colour_run;

typedef struct colouring {
    int reach;                /* cells that a row reaches beyond its own */
    colour_run *runs, *spare; /* by colour, then by block; spare: for sorting */
    int run_count;
    int32_t *blocks;        /* first run of each block, and one more */
    int first[COLOURS + 1]; /* first block of each colour, and one more */
    double *parts;          /* the sum of each block in the last sweep */
    int32_t *starts;        /* first run of each REDUCE_BLOCK particles */
} colouring;

/* Processes the particles of a run; `next` is the run after it, or NULL. Returns its part of a sum. */
typedef double colour_fn(const colour_run *run, const colour_run *next, bool forward, void *context);

/* Asks for the arrays. */
void rill_colour_ask(colouring *c, arena *a, int particles);
/* Colours the world's particles, which lie in the order of their cells, for rows that reach `reach` cells. */
void rill_colour_build(colouring *c, const rill_world *world, int reach);
/* Visits all runs, one colour after the other, forwards or backwards. */
void rill_colour_sweep(colouring *c, parallel *workers, bool forward, colour_fn *fn, void *context);
/* Returns `sum` plus the parts of the last sweep. */
static inline double colour_total(const colouring *c, double sum) {
    for (int b = 0; b < c->first[COLOURS]; b++) sum += c->parts[b];
    return sum;
}

#endif

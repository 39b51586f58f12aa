/* SPDX-License-Identifier: MIT */
/* The benchmark behind `rill bench`. */
#ifndef RILL_BENCH_BENCH_H
#define RILL_BENCH_BENCH_H

#include "rill/rill.h"

int bench_main(int argc, char **argv);

/* What one core of this machine can do, in nanoseconds for each particle: bare loops on a jittered lattice of
   edge^3 particles with h = 2 dx, without features or checks. */
typedef struct reference_times {
    int particles;
    double neighbours;
    double sort; /* counting sort of the positions into cells */
    double list; /* neighbour lists from the sorted cells */
} reference_times;
/* False if this processor lacks AVX2 and FMA, which the loops are written for, or memory. */
bool reference_run(int edge, int rounds, reference_times *times);
/* The same lattice, for the world that is compared. */
rill_vec reference_point(int edge, int index, float dx);

/* Times of a world's step, the best of several, in nanoseconds for each particle. */
typedef struct bench_times {
    int particles, steps;
    double neighbours;
    double phase[RILL_PHASE_COUNT];
    double total;
    double bytes; /* for each particle */
    uint64_t hash;
} bench_times;
/* Steps a world of edge^dim particles at rest in a box; `method` with its defaults. */
rill_status bench_step(int dim, int edge, const char *method, int workers, rill_simd simd, int steps,
                       bench_times *times, rill_error *error);

#endif

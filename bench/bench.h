/* SPDX-License-Identifier: MIT */
/* The benchmark behind `rill bench`. */
#ifndef RILL_BENCH_BENCH_H
#define RILL_BENCH_BENCH_H

#include "rill/rill.h"

int bench_main(int argc, char **argv);

/* Speed of one core of this machine, in nanoseconds per particle: bare loops on a jittered lattice of edge^3 particles
   with h = 2 dx, without features or checks. */
typedef struct reference_times {
    int particles;
    double neighbours;
    double sort;                     /* counting sort of the positions into cells */
    double list;                     /* neighbour lists from the sorted cells */
    double multiplier, displacement; /* one iteration of position-based density constraints */
} reference_times;
/* False if there is no memory, or if the processor lacks AVX2 and FMA, for which the loops are written. */
bool reference_run(int edge, int rounds, reference_times *times);
/* Sort, lists and three iterations: the time of the loops for a step. */
double reference_step(const reference_times *t);
/* A point of the same lattice, for the world to compare with. */
rill_vec reference_point(int edge, int index, float dx);

/* Times of a world's step, the best of several, in nanoseconds per particle. */
typedef struct bench_times {
    int particles, steps;
    double neighbours;
    double phase[RILL_PHASE_COUNT];
    double total;
    double bytes; /* per particle */
    uint64_t hash;
} bench_times;
/* Settings with a fixed number of iterations: dfsph 15 for the density and 6 for the divergence, pcisph 3. */
extern const char *const bench_dfsph[];
extern const char *const bench_pcisph[];

/* A world of edge^dim particles at rest in a box, and how to step it. */
typedef struct bench_case {
    int dim, edge;
    float support; /* of the kernel, in spacings; 0: the default */
    const char *method;
    const char *const *settings; /* pairs of key and value, NULL at the end; or NULL */
    double dt;                   /* 0: adaptive */
    int workers;
    rill_simd simd;
    int steps;
    float surface_tension;
} bench_case;
/* Makes the world; NULL with an error on failure. */
rill_world *bench_world(const bench_case *c, rill_error *error);
rill_status bench_step(const bench_case *c, bench_times *times, rill_error *error);
/* The best of three runs, because another process may use the core. False if a run fails; prints the error. */
bool bench_best(const bench_case *c, bench_times *best);

/* Position Based Fluids: a whole step of three iterations against the reference loops. */
bool bench_position_based(int edge, int steps, bool json);
/* Projective Fluids: a whole step of thirty rounds against the reference loops. */
bool bench_projective(int edge, int steps, bool json);
/* DFSPH and PCISPH: whole steps against the reference loops. */
bool bench_pressure_solvers(int edge, int steps, bool json);
/* Constraint fluids: whole steps against the reference loops. */
bool bench_constraint_fluid(bool quick, bool json);
/* Clavet's viscoelastic fluid: whole steps against the reference loops, and against its paper. */
bool bench_viscoelastic(bool quick, bool json);
/* Surface meshes of edge^3 particles. */
bool bench_meshing(int edge, bool json);

/* Frames a second on two threads, of a game's level in 2D and of 50,000 particles in 3D. */
bool bench_frames(bool quick, bool json);

/* Frames of a game with bodies, splashes and spawns: mean, 99th percentile, worst, and how well the height is kept. */
bool bench_game(bool quick, bool json);

/* Two threads against one, from few particles to 12,000, with all methods. */
bool bench_threads(bool quick, bool json);

/* Crates in water: the search for solids, and the phases of a step. */
bool bench_solids(bool quick, bool json);
/* Adding bodies, removing particles, emitters. */
bool bench_changes(bool quick, bool json);

/* The density error of a dam break against the iterations of a step, as a CSV table on standard output. */
bool bench_convergence(bool quick);

#endif

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
    double sort;                     /* counting sort of the positions into cells */
    double list;                     /* neighbour lists from the sorted cells */
    double multiplier, displacement; /* one iteration of position-based density constraints */
} reference_times;
/* False if this processor lacks AVX2 and FMA, which the loops are written for, or memory. */
bool reference_run(int edge, int rounds, reference_times *times);
/* Sort, lists and three iterations: what the loops take for a step. */
double reference_step(const reference_times *t);
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
/* Settings of these methods with a fixed number of iterations: 15 for the density and 6 for the divergence, and 3. */
extern const char *const bench_dfsph[];
extern const char *const bench_pcisph[];

/* A world of edge^dim particles at rest in a box, and how it is stepped. */
typedef struct bench_case {
    int dim, edge;
    float support; /* of the kernel, in spacings; 0: as usual */
    const char *method;
    const char *const *settings; /* pairs of key and value, NULL at the end; or NULL */
    double dt;                   /* 0: adaptive */
    int workers;
    rill_simd simd;
    int steps;
    float surface_tension;
} bench_case;
/* The world itself, or NULL with an error. */
rill_world *bench_world(const bench_case *c, rill_error *error);
rill_status bench_step(const bench_case *c, bench_times *times, rill_error *error);
/* The best of three runs, with a message on stderr if there is none: another process may have had the core. */
bool bench_best(const bench_case *c, bench_times *best);

/* Position Based Fluids: a whole step of three iterations against the reference loops. */
bool bench_position_based(int edge, int steps, bool json);
/* Projective Fluids: a whole step of thirty rounds likewise. */
bool bench_projective(int edge, int steps, bool json);
/* DFSPH and PCISPH likewise. */
bool bench_pressure_solvers(int edge, int steps, bool json);
/* Constraint fluids likewise. */
bool bench_constraint_fluid(bool quick, bool json);
/* Clavet's viscoelastic fluid likewise, and against its paper. */
bool bench_viscoelastic(bool quick, bool json);
/* Surface meshes of edge^3 particles. */
bool bench_meshing(int edge, bool json);

/* Frames a second on two threads, of a game's level in 2D and of 50,000 particles in 3D. */
bool bench_frames(bool quick, bool json);

/* Frames of a game with bodies, splashes and spawns: mean, 99 of 100, the worst, and the height that is kept. */
bool bench_game(bool quick, bool json);

/* Two threads against one, from a few particles to 12,000, all methods. */
bool bench_threads(bool quick, bool json);

/* Crates in water: the search for solids, and the phases of a step. */
bool bench_solids(bool quick, bool json);
/* Adding bodies, removing particles, emitters. */
bool bench_changes(bool quick, bool json);

/* The density error of a dam break against the iterations of a step, as a CSV table on standard output. */
bool bench_convergence(bool quick);

#endif

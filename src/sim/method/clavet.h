/* SPDX-License-Identifier: MIT */
/* Clavet's viscoelastic fluid: declarations shared by the files of the method. Equations: docs/methods/clavet.md. */
#ifndef RILL_SIM_METHOD_CLAVET_H
#define RILL_SIM_METHOD_CLAVET_H

#include "core/arena.h"
#include "sim/method/method.h"
#include "sim/solve/colour.h"

/* Value of near_ratio for the automatic one, found from the wanted compression. */
#define CLAVET_AUTO_RATIO (-1.0f)
/* The paper's unit of time [s]; its unit of length is h. */
#define CLAVET_TICK (1.0 / 30.0)

typedef enum clavet_numbers { CLAVET_AUTOMATIC, CLAVET_PAPER, CLAVET_THESIS } clavet_numbers;
typedef enum clavet_kernels { CLAVET_NORMAL, CLAVET_HYBRID, CLAVET_SQUARED } clavet_kernels;
typedef enum clavet_sweep { CLAVET_COLOURED, CLAVET_SEQUENTIAL } clavet_sweep;
typedef enum clavet_bodies { CLAVET_CONSERVING, CLAVET_PRINTED } clavet_bodies;
typedef enum clavet_making { CLAVET_NONE, CLAVET_FLOWING, CLAVET_FIXED } clavet_making;

typedef struct clavet_params {
    int32_t numbers, kernels, sweep, bodies; /* values of the enums above */
    float compression, expected_depth;
    int32_t substeps; /* 0: automatic */
    float motion;     /* spacings a particle may move in an automatic substep */
    bool wall_density;
    float stick_distance; /* in h */
} clavet_params;

typedef struct clavet_fluid {
    int32_t look;
    float rest_density, stiffness, near_ratio;
    int32_t springs;                     /* clavet_making */
    float spring_reach;                  /* of fixed springs, in h */
    float shear_modulus;                 /* [Pa] */
    float spring_stiffness;              /* the paper's k_spring */
    float spring_damping;                /* [s] */
    float stretch_rate, compress_rate;   /* alpha [1/s] */
    float stretch_yield, compress_yield; /* gamma */
    float linear_viscosity;              /* sigma [1/s] */
    float quadratic_viscosity;           /* beta h */
} clavet_fluid;

typedef struct clavet_solid {
    float stickiness;   /* largest pull [m/s^2] */
    float wet_friction; /* share of the sliding that 1/30 s removes */
    float wetting;      /* pull on fluid, over the pull of fluid in the solid's place */
} clavet_solid;

/* world->derived of this method. */
enum { CLAVET_HEAD, CLAVET_SPEED, CLAVET_SUBSTEP, CLAVET_WALLS };

/* Constants of a fluid, with lengths in h and times in ticks. */
typedef struct clavet_matter {
    float rest, stiffness, near; /* rho0, k, k_near */
    clavet_making making;
    float reach;   /* R, of its springs: 1 unless they are fixed */
    float spring;  /* k_spring of springs within h */
    float brace;   /* stiffness of braces, which reach farther, over `spring` */
    float damping; /* time of the dashpots beside springs: viscosity over stiffness, in ticks */
    float stretch_rate, compress_rate, stretch_yield, compress_yield;
    float sigma, beta;
} clavet_matter;

/* Sums over the neighbours of a particle in a lattice at rest. u is the core of the kernels, q the distance in h. */
typedef struct clavet_sums {
    float density, near;       /* of u^2 and u^3 */
    float virial, near_virial; /* of q u and q u^2: from both pressures of a particle to that of the fluid */
    float spread;              /* of u */
    float stiff;               /* of (1-q) q^2: from impulses to a viscosity, and from springs to a modulus */
} clavet_sums;

/* Factors from a map of walls to sums over fluid in their place: for the share, and for the gradient. */
typedef struct clavet_wall {
    float density, push;
} clavet_wall;

/* Quantities from which the stored energy of a particle follows, at the positions of the last relaxation. `density`
   includes the particle itself; it is 0 before the first relaxation and negative during it. `stretch` is summed over
   the springs that the particle owns: half the reduced mass times (L - r)^2 times the factor that fades with L
   (clavet_springs.c, stiffnesses), weighted with their stiffness over that of its fluid [kg m^2]. */
typedef struct clavet_store {
    float density, near, stretch;
} clavet_store;

/* Numbers derived from parameters and scene by `prepare`. */
typedef struct clavet_derived {
    clavet_kernels kernels;
    clavet_matter matter[WORLD_FLUIDS_MAX];
    float rho0[WORLD_FLUIDS_MAX]; /* [kg/m^3] */
    clavet_sums rest;             /* at the spacing of the world */
    wall_integrals walls, near_walls;
    clavet_wall wall, near_wall;
    bool alone;   /* there is one fluid */
    bool uniform; /* all particles have one mass */
    bool viscous, springy, damped, sticky;
    float reach;  /* of the farthest springs, in h */
    bool watched; /* the energy watch observes the fluid */
    float bound;  /* longest substep that stiffness and springs allow [s] */
} clavet_derived;

/* The law of springs between two fluids, for the length of this step. */
typedef struct clavet_law {
    clavet_making making;
    float reach;             /* R: rest length, in h, at which a spring has no force left and is removed */
    float part;              /* dt^2 k_spring: times (1 - L/h), share of its stretch by which a spring is shortened */
    float brace;             /* factor of braces, relative to `part`; they have (1 - L/(R h)) for (1 - L/h) */
    float damping;           /* time of the dashpot over dt */
    float longest, shortest; /* lengths beyond which a spring flows, over its rest length */
    float stretch, compress; /* share of the excess beyond these lengths by which the rest length follows */
} clavet_law;

/* A particle with its random number, for the shuffled order. */
typedef struct clavet_ticket {
    uint64_t number;
    int32_t index;
} clavet_ticket;

/* Everything a solve needs. Arrays are in sim->scratch. */
typedef struct clavet_job {
    rill_world *world;
    const clavet_params *params;
    const clavet_derived *derived;
    /* Displacement of each particle since its prediction; during the viscosity part, its velocity. A displacement keeps
       low bits that would be lost in a position. */
    place *shifts;                  /* masses are 0 */
    place *starts;                  /* positions at the start of the step, for viscosity */
    bool *serial;                   /* whether a particle has neighbours behind a periodic face: swept by one thread */
    uint64_t *far;                  /* bits of the springs of each particle that the coloured sweep has left out */
    float *pulls;                   /* work of sticky walls on each particle [J], if there are any */
    clavet_ticket *order;           /* of the sequential sweep */
    colouring colours, far_colours; /* for pairs within h, and for springs if some reach beyond h */
    clavet_law law;                 /* of the springs of the first fluid */
    float dt;                       /* [s] */
    float ticks;                    /* dt in ticks */
    bool forward;                   /* direction of the density relaxation in this step */
} clavet_job;

/* Processes all pairs whose first particle is in [begin, end). `images`: neighbours may be periodic images; otherwise
   particles with images as neighbours are left out. */
typedef void clavet_rows_fn(const clavet_job *job, int begin, int end, bool images);

/* Pairs of a few particles, taken in turn: one pair of each particle, then the next of each. Each pair sees the changes
   by those before it. Pairs that follow each other rarely share a particle, so the processor need not finish one before
   it starts the next. */
#define CLAVET_TURNS 32
typedef struct clavet_turns {
    int count;
    int32_t particle[CLAVET_TURNS], at[CLAVET_TURNS], end[CLAVET_TURNS]; /* its pairs [at, end) */
} clavet_turns;

static inline void clavet_turns_add(clavet_turns *t, int i, int begin, int end) {
    if (begin >= end) return;
    t->particle[t->count] = i, t->at[t->count] = begin, t->end[t->count] = end;
    t->count++;
}

/* Removes the particles that have no pair left. */
static inline void clavet_turns_close(clavet_turns *t) {
    int left = 0;
    for (int k = 0; k < t->count; k++) {
        if (t->at[k] == t->end[k]) continue;
        t->particle[left] = t->particle[k], t->at[left] = t->at[k], t->end[left] = t->end[k];
        left++;
    }
    t->count = left;
}

static inline const clavet_params *clavet_params_of(const rill_world *w) {
    return method_params(w);
}
static inline clavet_derived *clavet_derived_of(const rill_world *w) {
    return sim_of(w)->method_data.data;
}
/* Reach of springs in cells of edge h, rounded up. */
static inline int clavet_reach_cells(const clavet_derived *d) {
    return (int)ceilf(d->reach);
}
static inline const clavet_matter *clavet_matter_of(const clavet_job *job, int i) {
    return &job->derived->matter[fluids_of(job->world)[i]];
}

/* Share of a pair's displacement or impulse that the first particle takes: the mass of the other over that of both. */
static inline float clavet_share(const clavet_job *job, int i, int j) {
    if (job->derived->uniform) return 0.5f;
    const float first = places_of(job->world)[i].m, second = places_of(job->world)[j].m;
    return second / (first + second);
}

/* The vector from one place to another, as a quad whose other lanes are zero. */
static inline quad clavet_way(const place *from, const place *to) {
    const quad axes = {1.0f, 1.0f, DIM == 3 ? 1.0f : 0.0f, 0.0f};
    return axes * (quad_load(&to->x.x) - quad_load(&from->x.x));
}

static inline float clavet_dot(quad a, quad b) {
    const quad p = a * b;
    return DIM == 3 ? p[0] + p[1] + p[2] : p[0] + p[1];
}

/* Index of the first entry of a neighbour list that comes after particle i. Lists are in memory order. */
static inline int clavet_first_after(const int32_t *list, int count, int32_t i) {
    int begin = 0, end = count;
    while (begin < end) {
        const int middle = begin + (end - begin) / 2;
        if (list[middle] < i)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* Symbols that leave their file, once for each dimension and width (sim/dim_names.h knows no method by name). */
#define rill_clavet_look        SIM_NAME(rill_clavet_look)
#define rill_clavet_prepare     SIM_NAME(rill_clavet_prepare)
#define rill_clavet_table       SIM_NAME(rill_clavet_table)
#define rill_clavet_fluid_table SIM_NAME(rill_clavet_fluid_table)
#define rill_clavet_solid_table SIM_NAME(rill_clavet_solid_table)
#define rill_clavet_solve       SIM_NAME(rill_clavet_solve)
#define rill_clavet_job_make    SIM_NAME(rill_clavet_job_make)
#define rill_clavet_sweep       SIM_NAME(rill_clavet_sweep)
#define rill_clavet_relax_rows  SIM_NAME(rill_clavet_relax_rows)
#define rill_clavet_springs     SIM_NAME(rill_clavet_springs)
#define rill_clavet_viscosity   SIM_NAME(rill_clavet_viscosity)
#define rill_clavet_finish      SIM_NAME(rill_clavet_finish)
#define rill_clavet_links       SIM_NAME(rill_clavet_links)
#define rill_clavet_energy      SIM_NAME(rill_clavet_energy)
#define rill_clavet_welcome     SIM_NAME(rill_clavet_welcome)

/* Parameters (clavet_params.c) and the constants derived from them (clavet_setup.c). */
extern const rill_table rill_clavet_table, rill_clavet_fluid_table, rill_clavet_solid_table;
/* The values in use: `row` itself, or those of its look. */
const clavet_fluid *rill_clavet_look(const clavet_fluid *row);
rill_status rill_clavet_prepare(rill_world *world);

/* Fills in a job and asks for its arrays. rill_clavet_finish makes the job again, and finds the arrays of
   rill_clavet_solve in the same places. */
void rill_clavet_job_make(rill_world *world, double dt, clavet_job *job, arena *arena);
/* Calls `rows` for all particles, by these colours or one after the other. */
void rill_clavet_sweep(clavet_job *job, colouring *colours, clavet_rows_fn *rows);
/* The parts of a step: Algorithms 5 (clavet_viscosity.c), 3 and 4 (clavet_springs.c), 2 (clavet_relax.c). */
void rill_clavet_viscosity(clavet_job *job);
rill_status rill_clavet_springs(clavet_job *job);
void rill_clavet_relax_rows(const clavet_job *job, int begin, int end, bool images);
rill_status rill_clavet_solve(rill_world *world, double dt);
/* New velocities and positions; stickiness and wet friction (clavet_finish.c). */
void rill_clavet_finish(rill_world *world, double dt);
/* Energy of pressures and springs [J] (clavet_energy.c). rill_clavet_welcome counts that of new particles as energy
   given to the fluid. */
double rill_clavet_energy(rill_world *world);
void rill_clavet_welcome(rill_world *world);

/* The springs, and their only value. */
extern const link_set_def rill_clavet_links[];
enum { CLAVET_SPRINGS };     /* sets */
enum { CLAVET_SPRING_REST }; /* values */
enum { CLAVET_FIELD_BOUND = FIELD_METHOD, CLAVET_FIELD_STORE };
static inline clavet_store *clavet_stores_of(const rill_world *w) {
    return FIELD_AS(w, CLAVET_FIELD_STORE, clavet_store);
}

#endif

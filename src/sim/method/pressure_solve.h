/* SPDX-License-Identifier: MIT */
/* Incompressible flow: the common part of the methods that solve for the pressure in each step (dfsph, pcisph).
   Equation numbers: docs/methods/dfsph.md. */
#ifndef RILL_SIM_METHOD_PRESSURE_SOLVE_H
#define RILL_SIM_METHOD_PRESSURE_SOLVE_H

#include "core/arena.h"
#include "model/table.h"
#include "sim/boundary/give_way.h"
#include "sim/force/forces.h"
#include "sim/method/method.h"

/* The parameters of a method that concern the solve. */
typedef struct pressure_setting {
    kernel_kind kernel;
    float particle_volume; /* volume of a particle as a share of m/rho0 */
    float noise_damping;   /* alpha of the viscosity that is proportional to sqrt(p/rho) (Eq. 11) */
    float reach;           /* longest path of a particle in an adaptive step, in dx */
    float pressure_reach;  /* largest dt sqrt(p/rho), in dx */
    float head_rise;       /* time in which steps follow a rising pressure [s] */
    float head_fall;       /* time in which steps follow a falling pressure [s] */
} pressure_setting;

typedef struct pressure_derived {
    pressure_setting setting;
    kernel kernel;
    forces forces;
    float full_count;                        /* number of points in a full neighbourhood */
    float pinched_share;                     /* of the kernel in solids, in the middle of a gap one spacing wide */
    float lattice_diagonal;                  /* A_ii rho of a lattice at rest [1/m^2] */
    float specific_volume[WORLD_FLUIDS_MAX]; /* volume of a particle over its mass [m^3/kg] */
    bool friction;                           /* there is viscosity or noise damping */
    bool mirrors;                            /* solids hold the mirror image of the flow (Eq. 2), not fluid at rest */
    double travel_dt; /* step in which particles move by `reach`, the first bound of Eq. 12; of the last
                         rill_pressure_max_dt */
} pressure_derived;

/* The part of one wall contact in the pressure solve of its particle. */
typedef struct pressure_wall {
    float share; /* its part of the gradient of the density ratio, along the normal [1/m] */
    vec push;    /* force on the particle by the present pressures [N] */
} pressure_wall;

/* Error of the density over a block of particles, or over all: its mean (for a block, its sum) and the largest
   compression. */
typedef struct pressure_error {
    double mean;
    float most;
    int steep; /* particles that see a surface */
} pressure_error;

/* Scratch of one step. Arrays are by particle and include periodic images and the null particle. */
typedef struct pressure_solve {
    rill_world *world;
    const pressure_derived *d;
    float dt;
    float correction_share;   /* share of a density error that a step of this length may correct */
    float correction_most;    /* largest compression that it may correct */
    float corrected;          /* share that pcisph may correct in a step much shorter than the last ones */
    bool free;                /* walls do not stop particles, so that pressure acts as a linear operator */
    bool full;                /* the fluid fills its container and has no surface */
    float rest;               /* attainable density ratio: 1, or more in a container too small for its fluid */
    place *points;            /* position; `m` is the pressure that is being solved for [Pa] */
    place *motion;            /* velocity; `m` is the viscosity [Pa s] where that is needed */
    vec *start;               /* velocity without the pressure that is being solved for */
    vec *slope;               /* sum V_j grad W over the neighbours [1/m] */
    float *ratio;             /* density over rest density */
    float *inverse_diagonal;  /* 1/A_ii: over dt^2, the pressure that lowers a particle's own density ratio by 1 [Pa
                                 s^2]; 0 where there is none */
    float *source_term;       /* dfsph: c_i of Eq. 5; pcisph: density error that the step leaves as it is */
    float *previous_pressure; /* pressure one iteration ago */
    float *pair;              /* V_j W'/r, in the order of the neighbour lists */
    pressure_wall *walls;     /* by wall contact */
    giving_way bodies;
} pressure_solve;

rill_status rill_pressure_prepare(rill_world *world, pressure_derived *derived, const pressure_setting *setting);
/* Longest step (Eq. 12): bounded by a path of `reach` spacings, by `pressure_reach`, and by explicit viscosity and
   surface tension. `pressure`: of the last step, by particle. */
double rill_pressure_max_dt(rill_world *world, pressure_derived *derived, const float *pressure);
/* world->derived of these methods: the greatest speed expected in the scene; p/rho at the bottom, which bounds the
   step; the number of particles when that was last foreseen; the largest eigenvalue found by rill_pressure_relaxation;
   and the reference of method_correctable_share (pcisph). */
enum { FLOW_CHOSEN_SPEED, FLOW_HEAD, FLOW_HEAD_COUNT, FLOW_EIGENVALUE, FLOW_REFERENCE };
rill_status rill_pressure_choose(rill_world *world, double dt);
/* Speed that only a blow-up reaches [m/s]. */
double rill_pressure_speed_limit(const rill_world *world);
/* Largest p/rho from which a step may start [m^2/s^2]. */
float rill_pressure_head_limit(const rill_world *world);

/* Reserves the arrays of the step. */
rill_status rill_pressure_begin(pressure_solve *f, rill_world *world, const pressure_derived *derived, double dt);
/* Computes densities, diagonals and all other factors that depend on positions alone. */
void rill_pressure_measure(pressure_solve *f);
/* The walls' share of the kernel as it counts for a particle with these contacts. In a gap of less than a spacing
   between a body and another solid no pressure makes a particle fit, so the solids count as if they were a spacing
   apart. Particles in the gap still keep apart from each other. */
float rill_pressure_counted_share(const pressure_solve *f, const wall_contact *c, int count, float share);
/* Adds gravity, viscosity and surface tension to the velocities of the world. `pressure`: of the last step, for noise
   damping. */
rill_status rill_pressure_push(pressure_solve *f, const float *pressure);
/* Velocities with the pressures in `points`: motion = start - dt grad p / rho (Eq. 4), stopped at walls (Eq. 8). */
void rill_pressure_accelerate(pressure_solve *f);
/* Share of a Jacobi step with which the iteration converges, at most `wanted`. `inverse_diagonal`: factor from a
   density error to a correction of pressure, by particle. Overwrites the arrays of the solve. */
float rill_pressure_relaxation(pressure_solve *f, const float *inverse_diagonal, float wanted);
/* Adds the walls' pushes of the last rill_pressure_accelerate to the forces of the contacts. */
void rill_pressure_keep_pushes(pressure_solve *f);
/* To be called after each rill_pressure_accelerate: bodies yield to its pushes, which changes the velocities of their
   surfaces in the contacts. */
void rill_pressure_give_way(pressure_solve *f);
/* Packs the result of a neighbour loop over one block of particles. rill_pressure_reduce runs such a loop over all. */
static inline totals pressure_part(pressure_error e) {
    return (totals){.sum = {e.mean, e.steep}, .most = {(double)e.most}};
}
pressure_error rill_pressure_reduce(const pressure_solve *f, totals_fn *fn, void *context);
/* Moves particles by v dt. */
void rill_pressure_move(rill_world *world, double dt);

/* Factors of the pairs in the list of particle i. */
static inline float *pressure_pairs(const pressure_solve *f, int i) {
    return f->pair + (size_t)((const uint32_t *)sim_of(f->world)->lists.first.data)[i] * WIDE;
}

/* Rate of the density ratio of particle i (Eq. 2): sum V_j grad W . (v_i - v_j) [1/s], before lanes are added up. */
WIDE_FN wide pressure_density_rate(const pressure_solve *f, int i) {
    const sim *sim = sim_of(f->world);
    const place *places = places_of(f->world);
    const int32_t *list = list_of(&sim->lists, i);
    const int count = list_count(&sim->lists, i);
    const float *pair = pressure_pairs(f, i);
    const wide_vec xi = wide_vec_set(places[i].x), vi = wide_vec_set(f->motion[i].x);
    wide sum = wide_zero();
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x, v;
        wide unused;
        wide_prefetch(list, n), wide_prefetch(pair, n);
        wide_gather_places(places, list + n, &x, &unused);
        wide_gather_places(f->motion, list + n, &v, &unused);
        sum = sum + wide_load(pair + n) * wide_vec_dot(wide_vec_sub(xi, x), wide_vec_sub(vi, v));
    }
    return sum;
}

/* The walls of particle i, whose contacts begin with c. */
static inline pressure_wall *pressure_walls(const pressure_solve *f, const wall_contact *c) {
    return c ? f->walls + (c - (const wall_contact *)sim_of(f->world)->contacts.items.data) : NULL;
}

/* Copies `m` in `points`, or `motion`, from particles to their periodic images, after a loop has written them. */
void rill_pressure_update_points(const pressure_solve *f);
void rill_pressure_update_motion(const pressure_solve *f);

#endif

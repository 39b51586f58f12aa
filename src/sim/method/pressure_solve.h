/* SPDX-License-Identifier: MIT */
/* Incompressible flow: what the methods that solve for the pressure of each step (dfsph, pcisph) share. Equation
   numbers: docs/methods/dfsph.md. */
#ifndef RILL_SIM_METHOD_FLOW_H
#define RILL_SIM_METHOD_FLOW_H

#include "core/arena.h"
#include "model/table.h"
#include "sim/boundary/give_way.h"
#include "sim/force/forces.h"
#include "sim/method/method.h"

/* The parameters of a method that concern the solve. */
typedef struct pressure_setting {
    kernel_kind kernel;
    float particle_volume; /* volume of a particle as a share of m/rho0 */
    float noise_damping;   /* alpha of the viscosity that pressure brings along */
    float reach;           /* longest way of a particle in an adaptive step, in dx */
    float pressure_reach;  /* largest dt sqrt(p/rho), in dx */
    float head_rise;       /* time in which steps follow a pressure that rises [s] */
    float head_fall;       /* and one that falls */
} pressure_setting;

typedef struct pressure_derived {
    pressure_setting setting;
    kernel kernel;
    forces forces;
    float full_count;                        /* points in a full neighbourhood */
    float pinched_share;                     /* of the kernel that lies in solids a spacing apart, at most */
    float lattice_diagonal;                  /* A_ii rho of a lattice at rest [1/m^2] */
    float specific_volume[WORLD_FLUIDS_MAX]; /* volume of a particle over its mass [m^3/kg] */
    bool friction;                           /* viscosity, or that of pressure noise */
    bool mirrors;                            /* walls mirror the flow (Eq. 2), instead of standing still in it */
    double travel_dt; /* step in which particles go as far as they may, whatever else limits it; of the last
                       rill_pressure_max_dt */
} pressure_derived;

/* The wall's part in the pressure of a particle, by contact. */
typedef struct pressure_wall {
    float share; /* its part of the gradient of the density ratio, along the normal [1/m] */
    vec push;    /* of the pressure that is being solved for, on the particle [N] */
} pressure_wall;

/* Compression over a block of particles, later over all: the mean of what is above rest (a sum, for a block), and the
   most. */
typedef struct pressure_error {
    double mean;
    float most;
    int steep; /* particles that see a surface */
} pressure_error;

/* Scratch of one step: arrays by particle, periodic images and the null particle included. */
typedef struct pressure_solve {
    rill_world *world;
    const pressure_derived *d;
    float dt;
    float correction_share;   /* share of a wrong density that a step of this length may correct */
    float correction_most;    /* compression that it may correct at most */
    float corrected;          /* share that pcisph may correct in a step much shorter than the last ones */
    bool free;                /* walls do not stop particles: pressure acts as a linear operator */
    bool full;                /* the fluid fills its container: there is no surface */
    float rest;               /* the ratio that its density can have: 1, or more if there is more of it than room */
    place *points;            /* position; `m` is the pressure that is being solved for [Pa] */
    place *motion;            /* velocity; `m` is the viscosity [Pa s] where that is needed */
    vec *start;               /* velocity without that pressure */
    vec *slope;               /* sum V_j grad W over the neighbours [1/m] */
    float *ratio;             /* density over rest density */
    float *inverse_diagonal;  /* 1/A_ii: the pressure that raises a particle's own density by one over dt^2 [Pa s^2]; 0:
                                 none */
    float *source_term;       /* compression, where the solver starts from, without that of the velocities */
    float *previous_pressure; /* pressure one iteration ago */
    float *pair;              /* V_j W'/r, as the lists lie */
    pressure_wall *walls;     /* by contact */
    giving_way bodies;
} pressure_solve;

rill_status rill_pressure_prepare(rill_world *world, pressure_derived *derived, const pressure_setting *setting);
/* Longest step: a way of `reach` spacings, explicit viscosity and surface tension, and pressures that turn by less than
   they should. `pressure`: of the last step, by particle. */
double rill_pressure_max_dt(rill_world *world, pressure_derived *derived, const float *pressure);
/* world->derived of these methods: the speed that the scene is made for, p/rho at the bottom that steps are chosen for,
   how many particles it was foreseen for, and the largest eigenvalue that rill_pressure_relaxation found. */
enum { FLOW_CHOSEN_SPEED, FLOW_HEAD, FLOW_HEAD_COUNT, FLOW_EIGENVALUE, FLOW_REFERENCE };
rill_status rill_pressure_choose(rill_world *world, double dt);
/* A speed that nothing should reach. */
double rill_pressure_speed_limit(const rill_world *world);
/* p/rho that a step may start from at most [m^2/s^2]. */
float rill_pressure_head_limit(const rill_world *world);

/* Lays out the step's arrays. */
rill_status rill_pressure_begin(pressure_solve *f, rill_world *world, const pressure_derived *derived, double dt);
/* Densities and all factors that follow from the positions alone. */
void rill_pressure_measure(pressure_solve *f);
/* What of the walls' share of the kernel counts at a particle with these contacts. Between a body and another solid
   that leave less room than it takes, no pressure makes it fit: they count as if they were a spacing apart. Particles
   that are caught there keep apart from each other all the same. */
float rill_pressure_counted_share(const pressure_solve *f, const wall_contact *c, int count, float share);
/* Adds to the world's velocities what is not pressure: gravity, viscosity, surface tension. `pressure`: of the last
   step, for the damping of its noise. */
rill_status rill_pressure_push(pressure_solve *f, const float *pressure);
/* Velocities with the pressures in `points`: motion = start - dt grad p / rho, kept off the walls. */
void rill_pressure_accelerate(pressure_solve *f);
/* Share of a Jacobi step that an iteration may take, `wanted` or less: no pressure may be corrected by twice what it is
   wrong by. `inverse_diagonal`: what an error of the density is multiplied by, by particle. Uses the arrays of the
   solve. */
float rill_pressure_relaxation(pressure_solve *f, const float *inverse_diagonal, float wanted);
/* Writes the walls' pushes of the last rill_pressure_accelerate into the contacts. */
void rill_pressure_keep_pushes(pressure_solve *f);
/* After each rill_pressure_accelerate: bodies answer its pushes with the velocities of their surfaces. */
void rill_pressure_give_way(pressure_solve *f);
/* The result of a neighbour loop for its block of particles, and such a loop over all of them. */
static inline totals pressure_part(pressure_error e) {
    return (totals){.sum = {e.mean, e.steep}, .most = {(double)e.most}};
}
pressure_error rill_pressure_reduce(const pressure_solve *f, totals_fn *fn, void *context);
/* Positions with the world's velocities. */
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

/* After a loop has written the particles' `m` in `points`, or `motion`: the same for their images. */
void rill_pressure_update_points(const pressure_solve *f);
void rill_pressure_update_motion(const pressure_solve *f);

#endif

/* SPDX-License-Identifier: MIT */
/* A method is one constant table, exported by one file and listed in methods.def. docs/adding_a_method.md explains it
   step by step; take_step in sim/step.c has the order of the calls. */
#ifndef RILL_SIM_METHOD_METHOD_H
#define RILL_SIM_METHOD_METHOD_H

#include "core/usual_step.h"
#include "sim/boundary/boundary.h"
#include "sim/kernel.h"
#include "sim/links.h"
#include "sim/neighbours/neighbours.h"
#include "sim/sim.h"

struct method {
    rill_method_info info;
    const field_def *fields; /* particle arrays of its own, from FIELD_METHOD on */
    int field_count;
    const link_set_def *links; /* sets of links between particles (sim/links.h) */
    int link_set_count;
    bool has_cloth;      /* its solve contains the rows of cloth (sim/cloth/cloth.h); such a method has no own links */
    size_t derived_size; /* bytes in sim->method_data for the constants of `prepare` */
    /* `solve` changes the velocities of bodies too: it calls rill_rigid_start and sweeps the bodies' rows together with
       its own. The step then only moves the bodies with their velocities. */
    bool solves_bodies;
    /* The solve itself drives out particles that a body has caught on the floor. In other methods such particles would
       carry the body like pebbles, so their force is replaced by the pressure in the seam (sim/boundary/seam.c). */
    bool clears_seams;
    /* Two layers of caught particles carry a body like pebbles, as one does: their force is replaced as well. */
    bool deep_seams;
    /* Walls made of particles are tight. In other methods the solve moves their particles, and fluid seeps through. */
    bool holds_walls;
    /* Least distance of a particle from a wall in accurate quality, in dx; 0: half a spacing, as in fast quality.
       Pressure that is mirrored at walls holds the first layer half a spacing off by itself, and stopping particles
       there too would take energy out of the flow. */
    float accurate_wall_distance;

    /* The kernel of the density sum. Masses are calibrated with it, or the sum if `calibrates_sum`. */
    kernel_kind (*density_kernel)(const rill_world *world);
    bool calibrates_sum; /* masses stay rho0 dx^DIM */
    /* Writes automatic values, which are part of the state, to world->derived when scene or parameters have changed. */
    rill_status (*choose)(rill_world *world, double dt);
    /* Derives constants into sim->method_data from parameters and world->derived; nothing from particles. */
    rill_status (*prepare)(rill_world *world);
    /* Moves particles ahead before neighbours are searched (position-based methods). NULL: forces are those of the
       present positions. `max_dt` is called before `predict`; in a method without it after `solve`, or before `solve`
       if `step_first`. */
    void (*predict)(rill_world *world, double dt);
    bool step_first; /* `solve` needs the length of the step */
    /* Density, pressure and the forces that follow. Walls act through the contacts, which receive their forces. */
    rill_status (*solve)(rill_world *world, double dt);
    /* Implicit friction, in methods that `solve` before the length of the step is known; or NULL. */
    void (*friction)(rill_world *world, double dt);
    /* Whether velocities belong to the middle of the last step in a method that does not know its step before `solve`;
       NULL: no. In methods that know it they always do (sim/force/field.h). */
    bool (*midway)(const rill_world *world);
    /* Substeps into which a step of dt is cut, or NULL: one. Each is a whole step, bodies included. */
    int (*substeps)(rill_world *world, double dt);
    /* Longest stable step [s]. */
    double (*max_dt)(rill_world *world);
    /* New velocities and positions. */
    void (*move)(rill_world *world, double dt);
    /* Whether `solve` has given bodies the impulses of collisions already. The bodies then receive no reaction when the
       step moves particles out of them. NULL: never. */
    bool (*bodies_were_paid)(const rill_world *world);
    /* Speed above which the run has certainly blown up [m/s], and advice for the user. */
    double (*speed_limit)(const rill_world *world);
    const char *blow_up_advice;
    /* Elastic energy of the compressed fluid at the densities of the last `solve` [J]; NULL: none. */
    double (*stored_energy)(rill_world *world);
    /* Whether the method, with its present parameters, adds energy to the fluid on purpose, or stores and returns more
       than `stored_energy` reports; NULL: never. If so, the energy of the fluid is not watched. */
    bool (*adds_energy)(const rill_world *world);
    /* Why the fluid property `key` (viscosity or surface tension) has no effect with the present parameters; NULL: it
       has. The step then fails if the user has set that property. Methods with all forces leave this NULL. */
    const char *(*ignores)(const rill_world *world, const char *key);
    /* The value in use of an automatic parameter; false if `key` has no such value. */
    bool (*effective)(const rill_world *world, const char *key, double *value);
};

/* All methods, in the order of methods.def. */
extern const method *const rill_sim_method_list[];
int rill_sim_method_count(void);
const method *rill_sim_method_find(const char *name);

/* Height along `up` of the highest place where fluid starts and of the lowest to which it may fall, and the greatest
   speed with which fluid starts or a solid moves; `speed` is a lower bound on entry. */
void rill_method_extent(const rill_world *world, vec up, float *low, float *high, float *speed);

/* The bounding box of all particles; without particles a point. */
void rill_method_box(rill_world *world, vec *low, vec *high);

/* Whether the method has yet to take its first step in this world. */
static inline bool method_begins(const rill_world *w) {
    return w->stats.step == w->method_since;
}

/* Share of the compression left by earlier steps that a step of dt may correct. Methods that build their pressure up
   from zero in every step leave the fluid compressed in proportion to dt^2. A step much shorter than the last ones
   would turn all of this compression into velocity, so it corrects only a share. `reference`: the usual length of a
   step (core/usual_step.h). */
static inline float method_correctable_share(float *reference, double dt) {
    const float most = usual_step_weight(reference, dt);
    return most * most;
}

static inline const void *method_params(const rill_world *w) {
    return w->params.data;
}

/* The kernel that a parameter names; with `auto` the quintic spline in accurate quality, else the method's `fast`. */
static inline kernel_kind method_kernel(const rill_world *w, int32_t choice, kernel_kind fast) {
    if (choice != KERNEL_AUTO) return (kernel_kind)choice;
    return w->def.quality == RILL_QUALITY_ACCURATE ? KERNEL_QUINTIC : fast;
}

/* The kernel of the gradient that a parameter names; with `auto` that of the density, but spiky with poly6, because
   poly6's gradient vanishes at r = 0 and lets particles pair up (Mueller 2003). */
static inline kernel_kind method_gradient_kernel(int32_t choice, kernel_kind density) {
    if (choice != KERNEL_AUTO) return (kernel_kind)choice;
    return density == KERNEL_POLY6 ? KERNEL_SPIKY : density;
}

/* The method's own values of the fluid or solid in a slot, laid out as its fluid_table or solid_table says. */
static inline const void *method_fluid(const rill_world *w, uint32_t slot_index) {
    return pool_method_row(&w->fluids, slot_index);
}
static inline const void *method_solid(const rill_world *w, int32_t slot_index) {
    return pool_method_row(&w->solids, (uint32_t)slot_index);
}

#endif

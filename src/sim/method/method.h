/* SPDX-License-Identifier: MIT */
/* A method is one constant table, exported by one file and listed in methods.def. docs/adding_a_method.md walks
   through it, and sim/step.c has the order of the calls. */
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
    bool has_cloth;      /* its solve has rows of cloth in it (sim/cloth/cloth.h); it has no links of its own then */
    size_t derived_size; /* bytes in sim->method_data for what `prepare` derives */
    /* `solve` moves the velocities of bodies too: it calls rill_rigid_start, sweeps the bodies' rows with its own, and
       the step only lets the bodies follow their velocities. */
    bool solves_bodies;
    /* The solve itself drives particles out that a body catches on the floor. In other methods they would carry it
       like pebbles: they are left to the pressure in the seam. */
    bool clears_seams;
    /* Two layers of caught particles carry a body like pebbles, not one alone: they are left to the seam as well. */
    bool deep_seams;
    /* Walls made of particles hold. In other methods the wall gives way within the solve, and fluid seeps through. */
    bool holds_walls;
    /* Closest that particles come to a wall with accurate quality, in dx; 0: half a spacing, as with fast. Pressure
       that is mirrored at walls holds the first layer half a spacing off by itself: stopping it there takes energy out.
     */
    float accurate_wall_distance;

    /* The kernel that sums up density: masses are calibrated with it, or the sum itself. */
    kernel_kind (*density_kernel)(const rill_world *world);
    bool calibrates_sum; /* masses stay rho0 dx^DIM */
    /* Chooses automatic values into world->derived when the scene or a parameter changed. They are part of the state.
     */
    rill_status (*choose)(rill_world *world, double dt);
    /* Derives constants into sim->method_data from parameters and world->derived; nothing from particles. */
    rill_status (*prepare)(rill_world *world);
    /* Moves particles ahead before neighbours are searched (position-based methods), or NULL: forces at where they are.
       A method with `predict` is asked for its step before it, one without after `solve`, unless `step_first`. */
    void (*predict)(rill_world *world, double dt);
    bool step_first; /* `solve` has to know its step */
    /* Density, pressure and what follows from them. Walls act through the contacts; their forces are written there. */
    rill_status (*solve)(rill_world *world, double dt);
    /* Friction, once the step is known, for methods that `solve` before it is; or NULL. */
    void (*friction)(rill_world *world, double dt);
    /* Whether velocities are those of the middle of the last step though it is not known before `solve`; NULL: no.
       Those of methods that know it are (sim/force/field.h). */
    bool (*midway)(const rill_world *world);
    /* Substeps into which a step of dt is cut, or NULL: one. Each is a whole step, bodies included. */
    int (*substeps)(rill_world *world, double dt);
    /* Longest stable step [s]. */
    double (*max_dt)(rill_world *world);
    /* New velocities and positions. */
    void (*move)(rill_world *world, double dt);
    /* Bodies have had what collisions give them already: what particles get there is not given back. NULL: never. */
    bool (*bodies_were_paid)(const rill_world *world);
    /* Speed above which the run has surely blown up [m/s], and what the user might do about it. */
    double (*speed_limit)(const rill_world *world);
    const char *blow_up_advice;
    /* Energy that compression stores, at the densities of the last `solve`, and that the fluid gives back [J]; NULL:
       none. */
    double (*stored_energy)(rill_world *world);
    /* Whether the method, as it is set, puts energy into the fluid on purpose, or stores more than `stored_energy`
       tells and gives it back; NULL: never. Then the fluid is not watched. */
    bool (*adds_energy)(const rill_world *world);
    /* Why a fluid's viscosity or surface tension, named by `key`, does not act as the method is set; NULL: it does. The
       step refuses what a user asked for. Methods with all forces leave it NULL. */
    const char *(*ignores)(const rill_world *world, const char *key);
    /* The value in use of an automatic parameter; false if `key` has no such value. */
    bool (*effective)(const rill_world *world, const char *key, double *value);
};

/* All methods, in the order of methods.def. */
extern const method *const rill_sim_method_list[];
int rill_sim_method_count(void);
const method *rill_sim_method_find(const char *name);

/* Height along `up` of the highest and lowest place that fluid starts from or may fall to, and the fastest that
   anything starts or moves with. */
void rill_method_extent(const rill_world *world, vec up, float *low, float *high, float *speed);

/* The box around all particles; without particles a point. */
void rill_method_box(rill_world *world, vec *low, vec *high);

/* The method has not taken a step in this world yet. */
static inline bool method_begins(const rill_world *w) {
    return w->stats.step == w->method_since;
}

/* Share of the compression that fluid has from earlier steps which a step of dt may correct. Methods that build their
   pressure up afresh in every step leave fluid compressed in proportion to dt^2. A step much shorter than the last ones
   would turn all of that into velocity, so it corrects what keeps the compression as it is. `reference`: of
   core/usual_step.h. */
static inline float method_correctable_share(float *reference, double dt) {
    const float most = usual_step_weight(reference, dt);
    return most * most;
}

static inline const void *method_params(const rill_world *w) {
    return w->params.data;
}

/* The kernel of a parameter: what it says, or what the world's quality asks for, `fast` being the method's own. */
static inline kernel_kind method_kernel(const rill_world *w, int32_t choice, kernel_kind fast) {
    if (choice != KERNEL_AUTO) return (kernel_kind)choice;
    return w->def.quality == RILL_QUALITY_ACCURATE ? KERNEL_QUINTIC : fast;
}

/* The kernel of the gradient that goes with one of the density: the same, but spiky with poly6, whose own gradient lets
   particles pair up (Mueller 2003). */
static inline kernel_kind method_gradient_kernel(int32_t choice, kernel_kind density) {
    if (choice != KERNEL_AUTO) return (kernel_kind)choice;
    return density == KERNEL_POLY6 ? KERNEL_SPIKY : density;
}

/* The method's own values of the fluid, or of the solid, in a slot: laid out by its fluid_table and solid_table. */
static inline const void *method_fluid(const rill_world *w, uint32_t slot_index) {
    return pool_method_row(&w->fluids, slot_index);
}
static inline const void *method_solid(const rill_world *w, int32_t slot_index) {
    return pool_method_row(&w->solids, (uint32_t)slot_index);
}

#endif

/* SPDX-License-Identifier: MIT */
/* Fields: acceleration of every particle, whatever its neighbours do. */
#ifndef RILL_SIM_FORCE_FIELD_H
#define RILL_SIM_FORCE_FIELD_H

#include "sim/method/method.h"

/* Methods that know their step before they solve move particles by v_new dt, which is second order if velocities belong
   to the middle of a step: gravity then acts from the middle of the last step to the middle of this one. The first step
   starts from velocities of its beginning, and takes half of gravity. (Störmer 1907, Verlet 1967.) */
static inline bool field_is_staggered(const method *m) {
    return m->predict || m->step_first || m->substeps;
}

/* Sets the share of dt over which gravity acts. Called once dt is known; at the substep's end it becomes
   world->last_dt. */
static inline void field_begin(rill_world *world, const method *m, double dt) {
    world->fall = field_is_staggered(m) ? (float)(0.5 * (world->last_dt + dt) / dt) : 1.0f;
}

/* The acceleration by gravity, scaled for that share. */
static inline vec field_acceleration(const rill_world *world) {
    return vec_scale(vec_of(world->def.gravity), world->fall);
}

#endif

/* SPDX-License-Identifier: MIT */
/* Bodies that rest fall asleep: they take no part in a step until something changes. An island is a set
   of bodies that contacts and joints connect; it sleeps and wakes as one. */
#ifndef RILL_RIGID_SLEEP_H
#define RILL_RIGID_SLEEP_H

#include "core/dvec.h"
#include "model/world_state.h"

/* Nothing moves it in this step: asleep, or not dynamic and without velocity. */
bool rill_body_still(const body *b);
bool rill_solid_moves(const solid *s);
/* A contact between body slot `a` and solid slot `other` that sleeps: it is not looked at, but it is there. */
bool rill_contact_sleeps(const rill_world *world, int a, int other);

/* Wakes the body and its whole island. */
void rill_sleep_wake(rill_world *world, body *b);
void rill_sleep_wake_all(rill_world *world);
/* Wakes whoever touches the solid in this slot. */
void rill_sleep_wake_touching(rill_world *world, int solid_slot);
/* The bodies that a joint holds. */
void rill_sleep_wake_joint(rill_world *world, const joint *j);

/* Before the fluid's impulses of a step: what it did while the body came to rest is expected of it. */
void rill_sleep_expect(const rill_world *world, body *b, double dt);
/* An impulse of the fluid on a body. True if it sleeps on: the impulse is then the support's to take. */
bool rill_sleep_takes_impulse(const rill_world *world, body *b, dvec push, dvec twist);
/* Before a step: the host's forces wake. */
void rill_sleep_begin(rill_world *world);
/* Wakes bodies that a joint ties to something that moves; true if there were any. */
bool rill_sleep_wake_joined(rill_world *world);
/* Lets a hosted body rest by itself because its engine does; the fluid's force on it now is expected from then on. */
void rill_sleep_let_rest(const rill_world *world, body *b);
/* Memory for rill_sleep_end; false if there is none. */
bool rill_sleep_reserve(rill_world *world);
/* After a step: counts how long bodies have rested, and puts islands to sleep. */
void rill_sleep_end(rill_world *world, double dt);

#endif

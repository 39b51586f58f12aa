/* SPDX-License-Identifier: MIT */
/* Bodies at rest fall asleep: they take no part in steps until something changes. An island is a set of bodies
   connected by contacts and joints; it falls asleep and wakes as a whole. */
#ifndef RILL_RIGID_SLEEP_H
#define RILL_RIGID_SLEEP_H

#include "core/dvec.h"
#include "model/world_state.h"

/* Whether a body does not move in this step: it is asleep, or not dynamic and without velocity. */
bool rill_body_still(const body *b);
bool rill_solid_moves(const solid *s);
/* Whether the contact between body slot `a` and solid slot `other` is asleep: it has no rows, but still exists. */
bool rill_contact_sleeps(const rill_world *world, int a, int other);

/* Wakes a body and its whole island. */
void rill_sleep_wake(rill_world *world, body *b);
void rill_sleep_wake_all(rill_world *world);
/* Wakes all bodies that touch the solid in this slot. */
void rill_sleep_wake_touching(rill_world *world, int solid_slot);
/* Wakes the bodies that a joint holds. */
void rill_sleep_wake_joint(rill_world *world, const joint *j);

/* Call before the fluid's impulses of a step: subtracts the mean force that the fluid had while the body came to rest,
   so that only changes of it can wake the body. */
void rill_sleep_expect(const rill_world *world, body *b, double dt);
/* Notes an impulse of the fluid on a body. True if the body sleeps on; its support then takes the impulse. */
bool rill_sleep_takes_impulse(const rill_world *world, body *b, dvec push, dvec twist);
/* Call before a step: forces of the host wake bodies. */
void rill_sleep_begin(rill_world *world);
/* Wakes bodies that a joint connects to a moving body; true if there were any. */
bool rill_sleep_wake_joined(rill_world *world);
/* Puts a hosted body to sleep because its engine has. Later forces of the fluid are compared with the present one. */
void rill_sleep_let_rest(const rill_world *world, body *b);
/* Reserves memory for rill_sleep_end; false if there is none. */
bool rill_sleep_reserve(rill_world *world);
/* After a step: counts how long bodies have rested, and puts islands to sleep. */
void rill_sleep_end(rill_world *world, double dt);

#endif

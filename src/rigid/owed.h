/* SPDX-License-Identifier: MIT */
/* Bodies that are much lighter than the water they move. */
#ifndef RILL_RIGID_OWED_H
#define RILL_RIGID_OWED_H

#include "rigid/body.h"

/* The share of an impulse, or of a moment, of the fluid that a body gets at once: M (M + A)^-1 of it, A the added mass
   of the water that must move along. All of it unless that water is many times heavier (sim/boundary/added_mass.c). */
dvec rill_owed_share_linear(const rill_world *world, const body *b, dvec impulse);
dvec rill_owed_share_angular(const rill_world *world, const body *b, dvec moment);

/* Once in a step of dt: of what the fluid gave in it, and what it owed before, leaves what the body gets now. */
void rill_owed_pay(const rill_world *world, body *b, double dt, dvec *push, dvec *twist);
/* What comes after that waits for the next step, if the body is one of these. */
void rill_owed_put_off(body *b, dvec *push, dvec *twist);

#endif

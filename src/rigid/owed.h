/* SPDX-License-Identifier: MIT */
/* Bodies that are much lighter than the water they move. */
#ifndef RILL_RIGID_OWED_H
#define RILL_RIGID_OWED_H

#include "rigid/body.h"

/* The share of an impulse or a moment of the fluid that a body receives at once: M (M + A)^-1 of it, where A is the
   added mass, of water that must move with the body. It is all of it unless that water is many times heavier
   (sim/boundary/added_mass.c). */
dvec rill_owed_share_linear(const rill_world *world, const body *b, dvec impulse);
dvec rill_owed_share_angular(const rill_world *world, const body *b, dvec moment);

/* Once in a step of dt: replaces the impulse and moment that the fluid gave by those that the body receives now,
   repayments included. The rest stays owed. */
void rill_owed_pay(const rill_world *world, body *b, double dt, dvec *push, dvec *twist);
/* Impulses that come later in the step wait for the next one if the body is that light; `push` and `twist` are then
   zero. */
void rill_owed_put_off(body *b, dvec *push, dvec *twist);

#endif

/* SPDX-License-Identifier: MIT */
/* The step. */
#ifndef RILL_SIM_STEP_H
#define RILL_SIM_STEP_H

#include "sim/method/method.h"

/* Fails if the support is one that a lattice sum, a list or a periodic box cannot have: scp and the mass of the first
   fluid, or a snapshot, may ask for any. */
rill_status rill_step_check_support(const rill_world *world, rill_error *error);
/* Constants of the method and its forces, from parameters alone. */
rill_status rill_step_prepare(rill_world *world);
/* Lets the method choose and derive its values if the scene or a parameter changed. */
rill_status rill_step_refresh(rill_world *world, double dt);
/* One step of dt; dt <= 0: an adaptive one of at most `limit`. */
rill_status rill_step_world(rill_world *world, double dt, double limit);

#endif

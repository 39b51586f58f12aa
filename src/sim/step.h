/* SPDX-License-Identifier: MIT */
/* A step of the world, and the preparation of its method. */
#ifndef RILL_SIM_STEP_H
#define RILL_SIM_STEP_H

#include "sim/method/method.h"

/* Fails if the support is too small or too large for lattice sums and neighbour lists, or for the periodic box: scp,
   the mass of the first fluid or a snapshot may ask for any support. */
rill_status rill_step_check_support(const rill_world *world, rill_error *error);
/* Derives the constants of the method and its forces from parameters alone. */
rill_status rill_step_prepare(rill_world *world);
/* Lets the method choose and derive its values if the scene or a parameter has changed. */
rill_status rill_step_refresh(rill_world *world, double dt);
/* Takes a step of dt; with dt <= 0 an adaptive one, of at most `limit`. */
rill_status rill_step_world(rill_world *world, double dt, double limit);

#endif

/* SPDX-License-Identifier: MIT */
/* Surface tension in N/m, as the divergence of a stress that lies in the surface: Pi = k sigma |g| (I - b n n), with g
   the gradient of the fluid's share c = sum V W, n = g/|g| (Lafaurie et al. 1994; Hu and Adams 2006), and
   F_i = V_i sum V_j (Pi_i + Pi_j) grad W: pairs pull equally and oppositely, so momentum is kept. Differences:
   - There is no second fluid: only the inner half of the surface has particles. Their sum reaches c times as far as it
     would inside, and int c dc from 1/2 to 1 is 3/8: k = 8/(3 b), with a lattice's own sum in place of the integral.
   - b < 1 leaves a share of cohesion across the surface, without which nothing keeps stray particles at it.
   - The stress is divided by f = 1 + x, x = delta kappa, for the layer that pulls lies below the surface.
   - The kernel reaches over SURFACE_REACH spacings, whatever the method's does: what is narrower tears surfaces.
   - A wall with contact angle theta up to 90 degrees continues the fluid, beyond it is empty; either attracts, with an
     energy that makes up Young's sigma cos(theta) for a unit of area.
   docs/forces.md has the derivation and what it was found to give. */
#ifndef RILL_SIM_FORCE_SURFACE_TENSION_H
#define RILL_SIM_FORCE_SURFACE_TENSION_H

#include "sim/force/forces.h"

/* Accelerations of all particles by surface tension, where particles are now; NULL if no fluid has any. Walls get the
   reaction. The array is the world's, and holds until the next call. */
rill_status rill_surface_tension(rill_world *world, const forces *f, const vec **accelerations);
/* The accelerations of the last call of this step. */
const vec *rill_surface_last(rill_world *world, const forces *f);

#endif

/* SPDX-License-Identifier: MIT */
/* Surface tension in N/m, as the divergence of a stress in the surface: Pi = k sigma |g| (I - b n n), with g the
   gradient of the fluid's share c = sum V W, n = g/|g| (Lafaurie et al. 1994; Hu and Adams 2006), and F_i = V_i sum V_j
   (Pi_i + Pi_j) grad W: forces of pairs are equal and opposite, so momentum is conserved. Differences:
   - There is no second fluid: only the inner half of the surface has particles. The moments of their sum are c times
     those inside, and int c dc from 1/2 to 1 is 3/8: k = 8/(3 b), with the sum over a lattice in place of the integral.
   - b < 1 leaves a share of cohesion normal to the surface, without which nothing holds stray particles there.
   - The stress is divided by f = 1 + x, x = delta kappa, for the pulling layer lies below the surface.
   - The kernel reaches SURFACE_REACH spacings, whatever the method's reach: narrower kernels tear surfaces.
   - A wall with a contact angle theta of up to 90 degrees continues the fluid, beyond that it counts as empty. Both
     attract the fluid, so that the energy of a unit of area is Young's sigma cos(theta).
   docs/forces.md has the derivation, and results. */
#ifndef RILL_SIM_FORCE_SURFACE_TENSION_H
#define RILL_SIM_FORCE_SURFACE_TENSION_H

#include "sim/force/forces.h"

/* Finds the accelerations of all particles by surface tension, in their present places; NULL if no fluid has any. Walls
   get the reaction. The array is the world's, and valid until the next call. */
rill_status rill_surface_tension(rill_world *world, const forces *f, const vec **accelerations);
/* The accelerations of the last call of this step. */
const vec *rill_surface_last(rill_world *world, const forces *f);

#endif

/* SPDX-License-Identifier: MIT */
/* The pressure of water in the seam between a body and the solid that it lies on. */
#ifndef RILL_SIM_BOUNDARY_SEAM_H
#define RILL_SIM_BOUNDARY_SEAM_H

#include "sim/sim.h"

/* Gap from which on there is no seam, in spacings; and the largest cosine between the outward normals of surfaces that
   face each other. */
#define SEAM_GAP_NONE 2.0f
#define SEAM_FACING   (-0.7f)

/* One name for each compilation, as in sim/dim_names.h. */
#define rill_seam_reach    SIM_NAME(rill_seam_reach)
#define rill_seams_correct SIM_NAME(rill_seams_correct)
#define rill_seams_reserve SIM_NAME(rill_seams_reserve)

/* Gap at which deep seams end, in spacings (method.h). In two layers of particles each lies along a wall and cannot
   flow; a third layer could, and would make the gap 2.7 wide. */
#define DEEP_SEAM_REACH 2.5f

/* Whether a body may have deep seams. A hosted body responds a step late, and would hop on two layers of particles. */
static inline bool seams_may_be_deep(const body *b) {
    return !b->host.moves;
}

/* Gap at which the seams of a body end, in spacings. Parts of machines rest on the particles that they catch: their
   seams are never deep. */
float rill_seam_reach(const rill_world *world, const body *b);
/* Reserves memory for rill_seams_find before anything moves, so that a step without memory can be undone. */
rill_status rill_seams_reserve(rill_world *world);
/* Finds the force that seams exert on each body in its next step, from the pressures and contacts of the last solve.
   Particles must not have been sorted since. */
rill_status rill_seams_find(rill_world *world, double dt);
/* Compares the pressures found with the load on the body's other faces. Called after collisions, which are part of that
   load, and before bodies receive them. */
rill_status rill_seams_correct(rill_world *world, double dt);

#endif

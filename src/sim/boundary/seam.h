/* SPDX-License-Identifier: MIT */
/* The pressure of water in the seam between a body and what it lies on. */
#ifndef RILL_SIM_BOUNDARY_SEAM_H
#define RILL_SIM_BOUNDARY_SEAM_H

#include "sim/sim.h"

/* Gap at which a seam is none any more, in spacings, and the largest cosine between outward normals that face each
   other. */
#define SEAM_GAP_NONE 2.0f
#define SEAM_FACING   (-0.7f)

/* One name for each compilation, as in sim/dim_names.h. */
#define rill_seam_reach    SIM_NAME(rill_seam_reach)
#define rill_seams_correct SIM_NAME(rill_seams_correct)
#define rill_seams_reserve SIM_NAME(rill_seams_reserve)

/* Gap at which deep seams end, in spacings (method.h). In two layers every particle lies along a wall, and none flows;
   a third would be free, and makes the gap 2.7 wide. */
#define DEEP_SEAM_REACH 2.5f

/* A body of an engine answers to two layers a step too late, and would hop on them. */
static inline bool seams_may_be_deep(const body *b) {
    return !b->host.moves;
}

/* Gap at which the seams of a body end, in spacings. Parts of machines stay on what they catch: their seams reach no
   farther than they must. */
float rill_seam_reach(const rill_world *world, const body *b);
/* Memory for the next rill_seams_find, before anything moves: a step that finds none has not happened. */
rill_status rill_seams_reserve(rill_world *world);
/* Finds the force that seams exert on each body, for its next step, from the pressures of the step that was solved last
   and its contacts, of which nothing may have been sorted since. */
rill_status rill_seams_find(rill_world *world, double dt);
/* Compares what was found with what the body feels on its other side, once collisions are among it; before bodies
   receive these. */
rill_status rill_seams_correct(rill_world *world, double dt);

#endif

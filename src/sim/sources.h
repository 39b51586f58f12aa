/* SPDX-License-Identifier: MIT */
/* Emitters and sinks: particles that are added and removed during a run. */
#ifndef RILL_SIM_SOURCES_H
#define RILL_SIM_SOURCES_H

#include "sim/sim.h"

/* Lets every emitter add the particles that are due. */
rill_status rill_sources_emit(rill_world *world);
/* Inside a nozzle, one support long, particles move with the jet, whatever pushes them: `hold` records them before a
   move, `guide` places them after it. Otherwise the pressure of the jet would drive its last sheet back into the next
   one. `ahead`: the time by which particles have been predicted already [s]; they are held where they came from. */
rill_status rill_sources_hold(rill_world *world, double ahead);
/* Refuses groups of kind wall if the method cannot hold them. */
rill_status rill_sources_check_walls(rill_world *world);
void rill_sources_guide(rill_world *world, double dt);
/* Removes the particles inside the sinks. */
rill_status rill_sources_drain(rill_world *world);
/* Removes the particles inside a shape; `removed` (may be NULL) gets their number. */
rill_status rill_sources_remove_inside(rill_world *world, const rill_shape *shape, const shape_models *models,
                                       int64_t *removed);
/* Changes the velocity of each particle inside a shape by `share` of its difference to `velocity`. Returns the number
   of particles. */
int rill_sources_push_inside(rill_world *world, const rill_shape *shape, const shape_models *models, vec velocity,
                             float share);
/* Number of particles in one sheet of an emitter's jet, of which up to `capacity` are written to `points`; and the time
   between two sheets [s]. */
int rill_emitter_sheet(const rill_world *world, const rill_emitter_def *def, vec *points, int capacity);
double rill_emitter_period(const rill_world *world, const rill_emitter_def *def);

#endif

/* SPDX-License-Identifier: MIT */
/* Where particles come from and go to in the course of a run. */
#ifndef RILL_SIM_SOURCES_H
#define RILL_SIM_SOURCES_H

#include "sim/sim.h"

/* Lets every emitter put out what is due at the present time. */
rill_status rill_sources_emit(rill_world *world);
/* Inside a nozzle, one support long, particles move with the jet whatever pushes them: `hold` notes them before a move,
   `guide` puts them right after it. Without it, the pressure of the jet drives the last sheet back into the next. Where
   particles have been moved `ahead` seconds already, they are held where they came from. */
rill_status rill_sources_hold(rill_world *world, double ahead);
void rill_sources_guide(rill_world *world, double dt);
/* Removes the particles inside the sinks. */
rill_status rill_sources_drain(rill_world *world);
/* Removes the particles inside a shape; `removed` (may be NULL) gets their number. */
rill_status rill_sources_remove_inside(rill_world *world, const rill_shape *shape, const shape_models *models,
                                       int64_t *removed);
/* Changes the velocities of the particles inside a shape by this share of what they differ from `velocity` by. Returns
   their number. */
int rill_sources_push_inside(rill_world *world, const rill_shape *shape, const shape_models *models, vec velocity,
                             float share);
/* Particles in one sheet of an emitter's jet, and the time between sheets [s]. */
int rill_emitter_sheet(const rill_world *world, const rill_emitter_def *def, vec *points, int capacity);
double rill_emitter_period(const rill_world *world, const rill_emitter_def *def);

#endif

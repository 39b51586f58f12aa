/* SPDX-License-Identifier: MIT */
/* Gauges: quantities measured in the present state. */
#ifndef RILL_SIM_GAUGE_H
#define RILL_SIM_GAUGE_H

#include "sim/sim.h"

rill_status rill_gauge_read(rill_world *world, const gauge *g, rill_reading *reading);
/* Computes the energies in the statistics of a world that has not taken a step. */
void rill_gauge_count_energies(rill_world *world);

/* Updates all gauges after a substep: some need values of earlier steps. */
void rill_gauges_follow(rill_world *world, double dt);
/* Mean over the window, or over the time since the gauge began if that is shorter; NAN before its first step. */
void rill_gauge_read_window(const gauge *g, double value[3]);
/* That mean as the reading of a force or torque. */
void rill_gauge_read_means(const gauge *g, rill_reading *reading);
/* Angle that a body has turned about the gauge's axis, whole turns included [rad], and the number of whole turns. */
double rill_gauge_turned(const gauge *g, const body *b, double *turns);

#endif

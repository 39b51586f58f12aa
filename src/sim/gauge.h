/* SPDX-License-Identifier: MIT */
/* Measuring: what a gauge reads in the present state. */
#ifndef RILL_SIM_GAUGE_H
#define RILL_SIM_GAUGE_H

#include "sim/sim.h"

rill_status rill_gauge_read(rill_world *world, const gauge *g, rill_reading *reading);
/* Energies for the statistics of a world that has not taken a step. */
void rill_gauge_count_energies(rill_world *world);

/* Some gauges need values of earlier steps, so all of them see every substep. */
void rill_gauges_follow(rill_world *world, double dt);
/* Mean over the window, or over the time that the gauge has measured if that is shorter; NAN before its first step. */
void rill_gauge_read_window(const gauge *g, double value[3]);
/* The same as the reading of a force or torque. */
void rill_gauge_read_means(const gauge *g, rill_reading *reading);
/* Turn of a body about the gauge's axis, whole turns included, and those turns. */
double rill_gauge_turned(const gauge *g, const body *b, double *turns);

#endif

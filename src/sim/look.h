/* SPDX-License-Identifier: MIT */
/* The world at a moment between the beginning and the end of its last step. */
#ifndef RILL_SIM_LOOK_H
#define RILL_SIM_LOOK_H

#include "sim/sim.h"

/* Until rill_look_end the world is as it was at `time`: positions, velocities, bodies, solids and the clock. Times
   before the last step give its beginning, times after it its end. Solids stay in their places of that time, so that
   distances to them can be measured; the next step, and every call that needs solids, places them again. */
rill_status rill_look_begin(rill_world *world, double time);
void rill_look_end(rill_world *world);
/* Readings of all gauges at that moment, in the order of their slots. */
rill_status rill_look_read_gauges(rill_world *world, double time, rill_reading *readings);

#endif

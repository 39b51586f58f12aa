/* SPDX-License-Identifier: MIT */
/* Measuring: what a gauge reads in the present state. */
#ifndef RILL_SIM_GAUGE_H
#define RILL_SIM_GAUGE_H

#include "sim/sim.h"

rill_status rill_gauge_read(rill_world *world, const gauge *g, rill_reading *reading);

#endif

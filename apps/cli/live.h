/* SPDX-License-Identifier: MIT */
/* A scene run for what it looks like at a certain time, without a folder of frames. */
#ifndef RILL_CLI_LIVE_H
#define RILL_CLI_LIVE_H

#include "progress.h"
#include "run_plan.h"

/* Steps the world to `time`, as the scene's run would. Ctrl-C ends it with RILL_LIMIT. */
rill_status live_advance(rill_world *world, const run_plan *plan, double time, progress *shown, rill_error *error);

#endif

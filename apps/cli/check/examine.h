/* SPDX-License-Identifier: MIT */
/* All that `rill check` does with a scene before it prints what it found. */
#ifndef RILL_CLI_CHECK_EXAMINE_H
#define RILL_CLI_CHECK_EXAMINE_H

#include "apps/cli/check/estimate.h"

/* `check` has its scene and plan; its world is built, held to all rules and tried for `limit` seconds. */
check_estimate check_examine(check_world *check, double limit, findings *f);
void check_world_free(check_world *check); /* the world and what was noted of it */

#endif

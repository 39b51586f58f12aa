/* SPDX-License-Identifier: MIT */
/* Everything that `rill check` does with a scene before it prints the findings. */
#ifndef RILL_CLI_CHECK_EXAMINE_H
#define RILL_CLI_CHECK_EXAMINE_H

#include "apps/cli/check/estimate.h"

/* `check` has its scene and plan. Builds its world, checks it against all rules and tries it for `limit` seconds. */
check_estimate check_examine(check_world *check, double limit, findings *f);
void check_world_free(check_world *check); /* frees the world and the notes about it */

#endif

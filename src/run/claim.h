/* SPDX-License-Identifier: MIT */
/* Claims a folder for one process. The lock is on the folder itself: it leaves no file behind and ends with the
   process, however the process ends. */
#ifndef RILL_RUN_CLAIM_H
#define RILL_RUN_CLAIM_H

#include "rill/base.h"

#include <stdbool.h>

/* Zero-initialised: nothing is claimed. */
typedef struct run_claim {
    bool held;
    int descriptor;
} run_claim;

/* Creates the folder if necessary. Fails at once if another process has claimed it. */
rill_status rill_run_claim_take(run_claim *claim, const char *folder, rill_error *error);
void rill_run_claim_release(run_claim *claim);

#endif

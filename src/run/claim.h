/* SPDX-License-Identifier: MIT */
/* A folder that one process writes to and no other: the lock is on the folder itself, leaves nothing behind and ends
   with its process, however that ends. */
#ifndef RILL_RUN_CLAIM_H
#define RILL_RUN_CLAIM_H

#include "rill/base.h"

#include <stdbool.h>

/* Zero-initialised: nothing is claimed. */
typedef struct run_claim {
    bool held;
    int descriptor;
} run_claim;

/* Makes the folder if need be. Fails at once if another process writes there. */
rill_status rill_run_claim_take(run_claim *claim, const char *folder, rill_error *error);
void rill_run_claim_release(run_claim *claim);

#endif

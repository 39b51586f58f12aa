/* SPDX-License-Identifier: MIT */
/* A clock that never goes back. */
#include "core/timer.h"

#include <time.h>

double rill_timer_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

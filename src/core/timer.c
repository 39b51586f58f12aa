/* SPDX-License-Identifier: MIT */
/* Clocks that never run backwards. */
#include "core/timer.h"

#include <time.h>

static double read_clock(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double rill_timer_now(void) {
    return read_clock(CLOCK_MONOTONIC);
}

double rill_timer_thread(void) {
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double rill_timer_processor(void) {
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

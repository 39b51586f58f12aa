/* SPDX-License-Identifier: MIT */
/* Decides by trial whether the loops of a small world are shared with other threads. Data written by another core take
   0.1 to 0.5 microseconds for each cache line to arrive, so that small worlds may lose by sharing. How many particles
   are enough depends on the machine, on the method and on other programs. A span is a substep. Now and then a few spans
   are run the other way, and their times are compared with those before. No result depends on it. */
#ifndef RILL_CORE_GOVERNOR_H
#define RILL_CORE_GOVERNOR_H

#include <stdbool.h>

typedef struct governor {
    bool alone;     /* spans are run on one thread now */
    int items;      /* number of particles at the last decision; 0: there was none */
    int pause;      /* spans between two trials */
    int wait;       /* spans before the next trial; negative during a trial */
    double last[2]; /* seconds of the last spans before the trial */
    double trial;   /* the shortest span of the present trial [s] */
} governor;

/* Call after each span, with its duration and the number of particles. Decides how the next one is run. */
void rill_governor_note(governor *g, int items, double seconds);

#endif

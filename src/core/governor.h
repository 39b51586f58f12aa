/* SPDX-License-Identifier: MIT */
/* Whether the loops of a small world are shared with other threads, found by trying. What another core wrote takes 0.1
   to 0.5 microseconds to arrive for each line of the cache, so that small worlds may lose by sharing; how many
   particles are enough depends on the machine, on the method and on what else runs. A span is a substep. Now and then
   a few of them are done the other way, and their times are held against those before. No result depends on it. */
#ifndef RILL_CORE_GOVERNOR_H
#define RILL_CORE_GOVERNOR_H

#include <stdbool.h>

typedef struct governor {
    bool alone;     /* how spans are done now */
    int items;      /* of the world, when it was last found out; 0: never */
    int pause;      /* spans between two trials */
    int wait;       /* spans before the next trial, which lasts as long as this is below 0 */
    double last[2]; /* seconds of the last spans before the trial */
    double trial;   /* the shortest span of the trial under way [s] */
} governor;

/* To be called after each span, with its seconds and the number of particles: decides how the next one is done. */
void rill_governor_note(governor *g, int items, double seconds);

#endif

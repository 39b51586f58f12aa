/* SPDX-License-Identifier: MIT */
#include "core/governor.h"

#include <stddef.h>

/* Larger worlds gain by sharing on every machine tried (constraint in 2D does from 3000 particles on). */
#define ITEMS_GOVERNED 8192
/* Spans between trials, at first and at most. They double after each trial that brings nothing. */
#define PAUSE_FIRST 64
#define PAUSE_MOST  1024
/* Spans of a trial. The first one moves the data from cache to cache and does not count. */
#define TRIAL_SPANS 3
/* A trial is kept if it takes less than this share of the time before. Sharing must pay, because it occupies other
   cores; working alone need not. */
#define SHARED_WORTH 0.95
#define ALONE_WORTH  1.02

static void start(governor *g, int items) {
    *g = (governor){.items = items, .pause = PAUSE_FIRST, .wait = PAUSE_FIRST};
}

static void end_trial(governor *g, int items) {
    const double before = g->last[0] < g->last[1] ? g->last[0] : g->last[1];
    const bool better = g->trial < before * (g->alone ? ALONE_WORTH : SHARED_WORTH);
    if (!better) g->alone = !g->alone;
    g->pause = better ? PAUSE_FIRST : g->pause < PAUSE_MOST / 2 ? g->pause * 2 : PAUSE_MOST;
    g->wait = g->pause;
    g->items = items;
}

void rill_governor_note(governor *g, int items, double seconds) {
    const bool changed = items < g->items - g->items / 4 || items > g->items + g->items / 4;
    if (items >= ITEMS_GOVERNED || g->items == 0) {
        start(g, items);
    } else if (g->wait < 0) {
        if (g->wait > -TRIAL_SPANS && (g->trial <= 0 || seconds < g->trial)) g->trial = seconds;
        if (++g->wait == 0) end_trial(g, items);
    } else {
        if (changed && g->wait > PAUSE_FIRST) g->wait = PAUSE_FIRST;
        g->last[g->wait & 1] = seconds;
        if (--g->wait >= 0) return;
        g->alone = !g->alone;
        g->trial = 0;
        g->wait = -TRIAL_SPANS;
    }
}

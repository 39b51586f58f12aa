/* SPDX-License-Identifier: MIT */
/* When steps are due: never ahead of real time, and without catching up on steps that were missed. */
#include "play/session.h"

/* A session this far behind drops the steps it has missed [s]. */
#define LATE 0.05
/* The period over which the time factor is measured [s]. */
#define WINDOW 1.0

static void measure(play_session *s, double now) {
    play_clock *c = &s->clock;
    const double real = now - c->mark;
    if (c->mark > 0 && real < WINDOW) return;
    if (c->mark > 0) {
        c->factor = (s->time - c->mark_time) / real;
        c->steps_a_second = (double)(s->step - c->mark_step) / real;
    }
    c->mark = now, c->mark_time = s->time, c->mark_step = s->step;
}

bool rill_play_due(play_session *s, double now, double *wait) {
    play_clock *c = &s->clock;
    const double period = 1.0 / PLAY_RATE;
    if (!s->world || !s->playing || s->failed) {
        *c = (play_clock){.dropped = c->dropped};
        *wait = 1;
        return false;
    }
    measure(s, now);
    *wait = 0;
    if (s->replay.active && s->replay.fast) return true;
    if (c->next <= 0) c->next = now;
    if (now < c->next) {
        *wait = c->next - now;
        return false;
    }
    c->next += period;
    if (now - c->next > LATE) {
        c->dropped += (int64_t)((now - c->next) / period);
        c->next = now;
    }
    return true;
}

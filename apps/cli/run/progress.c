/* SPDX-License-Identifier: MIT */
/* The progress line. */
#include "apps/cli/run/progress.h"

#include "apps/cli/run/emission.h"
#include "core/timer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* Seconds between updates: redraws on a terminal; plain lines at frames; plain lines between frames that take long. */
#define REDRAW_EVERY     0.2
#define LINE_AT_FRAMES   1.0
#define LINE_WITHIN_TIME 5.0

progress progress_start(bool quiet) {
    double now = rill_timer_now();
    return (progress){.quiet = quiet, .start_wall = now, .last_wall = now, .terminal = isatty(STDERR_FILENO) != 0};
}

progress progress_of_run(bool quiet, const scene *s, double time, double end_time) {
    progress p = progress_start(quiet);
    p.scene = s, p.time = time, p.end_time = end_time;
    return p;
}

static void format_left(double seconds, char *text, size_t size) {
    int64_t whole = (int64_t)(seconds + 0.5);
    if (whole >= 3600) {
        snprintf(text, size, "%" PRId64 " h %02d min", whole / 3600, (int)(whole % 3600 / 60));
    } else if (whole >= 60) {
        snprintf(text, size, "%d min %02d s", (int)(whole / 60), (int)(whole % 60));
    } else {
        snprintf(text, size, "%d s", (int)whole);
    }
}

static void draw(progress *p, const rill_stats *stats, double now) {
    char left[48] = "?";
    const double ahead = emission_work(p->scene, stats->particles, stats->time, p->end_time);
    if (p->worked > 0) format_left((now - p->start_wall) * ahead / p->worked, left, sizeof left);
    fprintf(stderr,
            "%st = %.4g of %.4g s, %d particles, step %" PRId64 ", dt %.3g ms, density error %.2f %% (max %.1f %%), "
            "%s left%s",
            p->terminal ? "\r" : "", stats->time, p->end_time, stats->particles, stats->step, 1e3 * stats->dt,
            100 * stats->density_error_mean, 100 * stats->density_error_max, left, p->terminal ? "\x1b[K" : "\n");
    fflush(stderr);
    p->drawn = true;
    p->last_wall = now;
}

static rill_status show_step(void *self, const run *r, rill_error *error) {
    (void)error;
    progress *p = self;
    if (p->quiet) return RILL_OK;
    const rill_stats *stats = rill_world_stats(r->world);
    p->worked += (stats->particles + 1.0) * (stats->time - p->time);
    p->time = stats->time;
    double now = rill_timer_now(), waited = now - p->last_wall;
    bool due = p->terminal ? waited >= REDRAW_EVERY
                           : (r->frame_done && waited >= LINE_AT_FRAMES) || waited >= LINE_WITHIN_TIME;
    if (due) draw(p, stats, now);
    return RILL_OK;
}

static rill_status stop_showing(void *self, const run *r, run_outcome outcome, rill_error *error) {
    (void)r, (void)outcome, (void)error;
    progress_stop(self);
    return RILL_OK;
}

run_observer progress_observer(progress *p) {
    return (run_observer){.self = p, .step = show_step, .end = stop_showing};
}

void progress_stop(progress *p) {
    if (p->drawn && p->terminal) fputc('\n', stderr);
    p->drawn = false;
}

/* ---- work that is counted ---- */

void progress_work_left(progress *p, const char *what, int done, int total, const char *detail, double seconds) {
    if (p->quiet) return;
    double now = rill_timer_now(), waited = now - p->last_wall;
    if (waited < (p->terminal ? REDRAW_EVERY : LINE_AT_FRAMES)) return;
    char left[48] = "?";
    if (isfinite(seconds)) format_left(seconds, left, sizeof left);
    fprintf(stderr, "%s%s %d of %d, %s, %s left%s", p->terminal ? "\r" : "", what, done, total, detail, left,
            p->terminal ? "\x1b[K" : "\n");
    fflush(stderr);
    p->drawn = true;
    p->last_wall = now;
}

void progress_work(progress *p, const char *what, int done, int total, const char *detail) {
    const double elapsed = rill_timer_now() - p->start_wall;
    progress_work_left(p, what, done, total, detail, done > 0 ? elapsed * (total - done) / done : (double)NAN);
}

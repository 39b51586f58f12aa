/* SPDX-License-Identifier: MIT */
/* A coarse run, step by step. */
#include "apps/cli/check/preview.h"

#include "core/timer.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

double preview_bodies_share(const rill_stats *stats) {
    double all = 0;
    for (int k = 0; k < RILL_PHASE_COUNT; k++) all += stats->seconds[k];
    return all > 0 ? stats->seconds[RILL_PHASE_BODIES] / all : 0;
}

/* Bounds of steps are proportional to the spacing: speeds are the same. A step that a frame or dt_max cut short was
   not limited by its bound, and the finer one may be. */
static bool note(preview *p, const run *r, double coarser, double cfl, double seconds) {
    const rill_stats *stats = rill_world_stats(r->world);
    if (p->count == p->capacity) {
        const int capacity = p->capacity ? 2 * p->capacity : 256;
        preview_step *steps = realloc(p->steps, (size_t)capacity * sizeof *steps);
        if (!steps) return false;
        p->steps = steps, p->capacity = capacity;
    }
    const double bound = stats->dt_bound * (stats->substeps > 1 ? stats->substeps : 1);
    const double bounded = bound > 0 ? coarser / (cfl * bound) : 0;
    const double bodies = preview_bodies_share(stats) * seconds;
    p->steps[p->count++] = (preview_step){stats->time, stats->dt, fmax(1 / stats->dt, bounded),
                                          (seconds - bodies) / fmax((double)stats->particles, 1), bodies};
    return true;
}

/* Since the run began. */
static double own_time(double clock, double processor) {
    return check_own_time(rill_timer_now() - clock, rill_timer_processor() - processor);
}

void preview_run(preview *p, const scene *s, const run_plan *plan, double coarser, double limit) {
    scene coarse = *s;
    coarse.world.spacing *= (float)coarser;
    coarse.run.settle = 0;
    run r = {.world = rill_scene_build(&coarse, -1, -1, NULL), .plan = *plan};
    if (!r.world) return;
    const double clock = rill_timer_now(), processor = rill_timer_processor();
    bool more = rill_run_begin(&r) == RILL_OK;
    while (more && !rill_run_plan_finished(plan, rill_world_stats(r.world)->time) &&
           own_time(clock, processor) < limit) {
        const double before = rill_timer_processor();
        more =
            rill_run_step(&r) == RILL_OK && note(p, &r, coarser, (double)s->world.cfl, rill_timer_processor() - before);
    }
    rill_run_end(&r, RILL_RUN_DONE);
    rill_world_destroy(r.world);
}

static bool is_between(const preview_step *step, double from, double to) {
    return step->time > from && step->time - step->dt < to;
}

double preview_rate(const preview *p, double from, double to) {
    double steps = 0, time = 0;
    for (int k = 0; k < p->count; k++) {
        const preview_step *step = &p->steps[k];
        if (is_between(step, from, to)) steps += step->dt * step->rate, time += step->dt;
    }
    return time > 0 ? steps / time : 0;
}

/* The mean of a member of the steps. The first step pays for what is made once. */
static double mean_of(const preview *p, size_t member, double from, double to) {
    double sum = 0, steps = 0;
    for (int k = 1; k < p->count; k++)
        if (is_between(&p->steps[k], from, to)) sum += *(const double *)((const char *)&p->steps[k] + member), steps++;
    return steps > 0 ? sum / steps : 0;
}

double preview_cost(const preview *p, double from, double to) {
    return mean_of(p, offsetof(preview_step, cost), from, to);
}

double preview_bodies(const preview *p, double from, double to) {
    return mean_of(p, offsetof(preview_step, bodies), from, to);
}

void preview_free(preview *p) {
    free(p->steps);
    *p = (preview){0};
}

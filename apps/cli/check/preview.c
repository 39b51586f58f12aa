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

/* Notes a step. Bounds of steps are proportional to the spacing, because speeds are the same; they give the rate at the
   scene's spacing. A step that a frame or dt_max cut short is shorter than its bound, so both count. */
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
    p->steps[p->count++] = (preview_step){
        stats->time, stats->dt, fmax(1 / stats->dt, bounded), (double)stats->particles, seconds - bodies, bodies};
    return true;
}

/* Own time since the run began. */
static double own_time(double clock, double processor) {
    return check_own_time(rill_timer_now() - clock, rill_timer_processor() - processor);
}

void preview_run(preview *p, const scene *s, const run_plan *plan, double coarser, double limit) {
    scene coarse = *s;
    coarse.world.spacing *= (float)coarser;
    coarse.run.settle = 0;
    run r = {.world = rill_scene_build(&coarse, -1, -1, NULL), .plan = *plan};
    p->coarser = coarser;
    if (!r.world) return;
    const double clock = rill_timer_now(), processor = rill_timer_processor();
    bool more = rill_run_begin(&r) == RILL_OK;
    while (more && !rill_run_plan_finished(plan, rill_world_stats(r.world)->time) &&
           own_time(clock, processor) < limit) {
        const double before = rill_timer_processor();
        more =
            rill_run_step(&r) == RILL_OK && note(p, &r, coarser, (double)s->world.cfl, rill_timer_processor() - before);
    }
    p->spent = own_time(clock, processor);
    p->is_complete = more && rill_run_plan_finished(plan, rill_world_stats(r.world)->time);
    rill_run_end(&r, RILL_RUN_DONE);
    rill_world_destroy(r.world);
}

static bool is_between(const preview_step *step, double from, double to) {
    return step->time > from && step->time - step->dt < to;
}

/* The mean of a member over the steps between two times: of the rate weighted by time, of the others by the steps that
   the scene's own spacing would take. The first step is left out: it includes what is made only once. */
static double reached_mean(const preview *p, size_t member, double from, double to) {
    double sum = 0, weights = 0;
    for (int k = 1; k < p->count; k++) {
        const preview_step *step = &p->steps[k];
        const double weight = member == offsetof(preview_step, rate) ? step->dt : step->dt * step->rate;
        if (!is_between(step, from, to)) continue;
        sum += weight * *(const double *)((const char *)step + member), weights += weight;
    }
    return weights > 0 ? sum / weights : 0;
}

/* For times after the preview's end the mean over its last quarter counts. */
static double mean_of(const preview *p, size_t member, double from, double to) {
    const double end = preview_end(p);
    const double reached = reached_mean(p, member, from, to);
    if (p->is_complete || end >= to || end <= from) return reached;
    const double last = reached_mean(p, member, end - (end - from) / 4, end);
    return ((end - from) * reached + (to - end) * last) / (to - from);
}

double preview_rate(const preview *p, double from, double to) {
    return mean_of(p, offsetof(preview_step, rate), from, to);
}

double preview_particles(const preview *p, double from, double to) {
    return mean_of(p, offsetof(preview_step, particles), from, to);
}

double preview_fluid(const preview *p, double from, double to) {
    return mean_of(p, offsetof(preview_step, fluid), from, to);
}

double preview_bodies(const preview *p, double from, double to) {
    return mean_of(p, offsetof(preview_step, bodies), from, to);
}

double preview_end(const preview *p) {
    return p->count > 0 ? p->steps[p->count - 1].time : 0;
}

void preview_free(preview *p) {
    free(p->steps);
    *p = (preview){0};
}

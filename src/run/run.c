/* SPDX-License-Identifier: MIT */
/* Steps a world through its plan. */
#include "run/run.h"

#include "core/error.h"
#include "core/timer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- calling the observers ---- */

static bool wants_frames(const run *r) {
    for (int k = 0; k < r->observer_count; k++)
        if (r->observers[k].begin || r->observers[k].frame) return true;
    return false;
}

/* Takes the frame at `time` for the observers. */
static rill_status take_frame(run *r, double time) {
    if (!wants_frames(r)) return RILL_OK;
    TRY(rill_frame_of_world_at(&r->moment, r->world, time, &r->error));
    r->moment.time = time;
    return rill_frame_order_by_id(&r->moment, &r->error);
}

static rill_status call_begin(run *r) {
    TRY(take_frame(r, rill_world_stats(r->world)->time));
    for (int k = 0; k < r->observer_count; k++) {
        const run_observer *o = &r->observers[k];
        if (o->begin) TRY(o->begin(o->self, r, &r->moment, &r->error));
    }
    return RILL_OK;
}

static rill_status call_frame(run *r) {
    TRY(take_frame(r, r->shown.time));
    for (int k = 0; k < r->observer_count; k++) {
        const run_observer *o = &r->observers[k];
        if (o->frame) TRY(o->frame(o->self, r, &r->moment, &r->error));
    }
    return RILL_OK;
}

static rill_status call_step(run *r) {
    for (int k = 0; k < r->observer_count; k++) {
        const run_observer *o = &r->observers[k];
        if (o->step) TRY(o->step(o->self, r, &r->error));
    }
    return RILL_OK;
}

/* Statistics at a time within the last step; energies are interpolated. */
static rill_stats stats_at(const run *r, double time) {
    rill_stats stats = *rill_world_stats(r->world);
    const double length = stats.time - r->before.time;
    const double share = length > 0 ? fmin(fmax((time - r->before.time) / length, 0), 1) : 1;
    stats.kinetic_energy = r->before.kinetic_energy + share * (stats.kinetic_energy - r->before.kinetic_energy);
    stats.potential_energy = r->before.potential_energy + share * (stats.potential_energy - r->before.potential_energy);
    stats.time = time;
    return stats;
}

static rill_status give_frame(run *r, int64_t frame) {
    r->frame_number = frame;
    r->shown = stats_at(r, rill_run_plan_frame_time(&r->plan, frame));
    const rill_status status = call_frame(r);
    r->next_frame = frame + 1;
    r->frame_ended = true;
    return status;
}

/* ---- stepping ---- */

static rill_status step_world(run *r) {
    r->before = *rill_world_stats(r->world);
    const rill_status status =
        r->plan.dt > 0 ? rill_world_step(r->world, r->plan.dt) : rill_world_step_adaptive(r->world, HUGE_VAL);
    if (status != RILL_OK) return rill_fail(&r->error, status, "%s", rill_world_message(r->world));
    const rill_stats *stats = rill_world_stats(r->world);
    if (!(stats->time > r->before.time)) {
        return rill_fail(&r->error, RILL_BLOW_UP,
                         "step %" PRId64
                         ": the stable step has shrunk to %g s and time stands still; the fluid moves too "
                         "fast or is too stiff for its spacing: soften it or give it a fixed --dt",
                         stats->step, stats->dt);
    }
    if (r->scene) TRY(rill_scene_apply_events(r->scene, r->world, r->before.time, stats->time, &r->error));
    if (r->frame_ended) r->frame = (statistic_window){0};
    r->frame_ended = false;
    rill_statistic_add(&r->all, stats);
    rill_statistic_add(&r->frame, stats);
    return RILL_OK;
}

rill_status rill_run_begin(run *r) {
    r->start_wall = rill_timer_now();
    r->start_processor = rill_timer_processor();
    r->error = (rill_error){0};
    if (r->scene && !r->resumed) TRY(rill_scene_apply_events(r->scene, r->world, -1, 0, &r->error));
    r->next_frame = r->resumed ? rill_run_plan_next_frame(&r->plan, rill_world_stats(r->world)->time) : 0;
    r->frame_number = r->next_frame - 1;
    TRY(call_begin(r));
    r->before = *rill_world_stats(r->world);
    if (r->next_frame == 0) TRY(give_frame(r, 0));
    return call_step(r);
}

rill_status rill_run_step(run *r) {
    TRY(step_world(r));
    /* the last step may pass times beyond the end, which belong to a longer run */
    const double time = fmin(rill_world_stats(r->world)->time, r->plan.end);
    const int64_t next_frame = rill_run_plan_next_frame(&r->plan, time);
    r->frame_done = next_frame > r->next_frame;
    while (r->next_frame < next_frame) TRY(give_frame(r, r->next_frame));
    return call_step(r);
}

run_outcome rill_run_until(run *r, int64_t frame) {
    const rill_stats *stats = rill_world_stats(r->world);
    while (r->next_frame <= frame && !rill_run_plan_finished(&r->plan, stats->time)) {
        if (r->asked_to_stop && r->asked_to_stop(r->stop_context)) {
            rill_fail(&r->error, RILL_LIMIT, "interrupted at t = %g s after step %" PRId64, stats->time, stats->step);
            return RILL_RUN_INTERRUPTED;
        }
        const rill_status status = rill_run_step(r);
        if (status != RILL_OK) return status == RILL_BLOW_UP ? RILL_RUN_BLEW_UP : RILL_RUN_FAILED;
        stats = rill_world_stats(r->world);
    }
    return RILL_RUN_DONE;
}

/* If there are several failures, the first one is reported. */
run_outcome rill_run_end(run *r, run_outcome outcome) {
    const double time = r->world ? rill_world_stats(r->world)->time : 0;
    if (r->world) r->shown = stats_at(r, rill_run_plan_finished(&r->plan, time) ? r->plan.end : time);
    for (int k = 0; k < r->observer_count; k++) {
        const run_observer *o = &r->observers[k];
        const bool told = outcome == RILL_RUN_FAILED || outcome == RILL_RUN_BLEW_UP;
        if (!o->end || o->end(o->self, r, outcome, told ? NULL : &r->error) == RILL_OK || told) continue;
        outcome = RILL_RUN_FAILED;
    }
    rill_frame_free(&r->moment);
    r->wall = rill_timer_now() - r->start_wall;
    r->processor = rill_timer_processor() - r->start_processor;
    return outcome;
}

run_outcome rill_run_all(run *r) {
    return rill_run_end(r, rill_run_begin(r) == RILL_OK ? rill_run_until(r, INT64_MAX) : RILL_RUN_FAILED);
}

/* ---- reports ---- */

bool rill_run_warning(const run *r, char text[RUN_WARNING_SIZE]) {
    const rill_stats *stats = rill_world_stats(r->world);
    const rill_vec at = stats->energy_place, from = rill_world_get_def(r->world)->origin;
    int length = 0;
    text[0] = '\0';
    if (stats->energy_time > 0)
        length = snprintf(text, RUN_WARNING_SIZE,
                          "the fluid gained energy without a source from t = %g s on, near (%g, %g, %g): at most %.2g "
                          "of the energy in play",
                          stats->energy_time, (double)(from.x + at.x), (double)(from.y + at.y), (double)(from.z + at.z),
                          r->all.folded[STATISTIC_ENERGY_GAIN]);
    if (stats->strayed > 0)
        snprintf(text + length, (size_t)(RUN_WARNING_SIZE - length),
                 "%s%" PRId64 " particles left the world's bounds and were removed", length ? "; " : "",
                 stats->strayed);
    return text[0] != '\0';
}

rill_world *rill_run_world(const run *r) {
    return r->world;
}

const char *rill_run_message(const run *r) {
    return r->error.text;
}

rill_run_state rill_run_progress(const run *r) {
    const double time = rill_world_stats(r->world)->time;
    return (rill_run_state){.time = fmin(time, r->plan.end),
                            .end = r->plan.end,
                            .frame = r->frame_number,
                            .frame_count = rill_run_plan_frame_count(&r->plan),
                            .steps = r->all.steps,
                            .finished = rill_run_plan_finished(&r->plan, time)};
}

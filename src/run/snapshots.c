/* SPDX-License-Identifier: MIT */
/* Snapshots of a run, and resuming from one. */
#include "core/error.h"
#include "core/timer.h"
#include "run/folder.h"
#include "run/resume.h"

#include <math.h>
#include <stdlib.h>

/* Unless the plan sets an interval, a snapshot follows a frame if the last snapshot is this many seconds old: rarely
   enough to cost nothing, often enough to lose little. */
#define SNAPSHOT_AGE 5.0

static rill_status save(run_snapshots *s, const run *r, rill_error *error) {
    const double time = rill_world_stats(r->world)->time;
    if (r->plan.snapshot_every > 0) s->next = (int64_t)floor(time / r->plan.snapshot_every + 1e-6) + 1;
    s->wall = rill_timer_now();
    snprintf(s->path, sizeof s->path, "%s/snapshot.rill", s->folder->path);
    TRY(rill_io_save_snapshot(r->world, s->path, error));
    s->saved = true;
    return RILL_OK;
}

/* Whether a world at `time` has passed frames beyond the run's end, which the run does not write. A longer run resumed
   from here could not write them either, since a frame can only be taken in the step that passes it. */
static bool misses_frames(const run *r, double time) {
    return rill_run_plan_finished(&r->plan, time) && rill_run_plan_next_frame(&r->plan, time) > r->next_frame;
}

/* Whether the next step may pass such frames, if it is at most twice as long as the last. */
static bool may_miss_frames(const run *r) {
    const double time = rill_world_stats(r->world)->time;
    return !rill_run_plan_finished(&r->plan, time) && misses_frames(r, time + 2 * (time - r->before.time));
}

static bool is_due(const run_snapshots *s, const run *r) {
    const double every = r->plan.snapshot_every;
    if (!s->saved) return true;
    if (misses_frames(r, rill_world_stats(r->world)->time)) return false;
    if (may_miss_frames(r)) return true;
    if (every > 0) return rill_world_stats(r->world)->time >= every * ((double)s->next - 1e-6);
    return r->frame_done && rill_timer_now() - s->wall >= SNAPSHOT_AGE;
}

static rill_status save_if_due(void *self, const run *r, rill_error *error) {
    return is_due(self, r) ? save(self, r, error) : RILL_OK;
}

/* Keeps the last good snapshot if the world blew up, a frame could not be written, or the world misses frames. */
static rill_status save_at_end(void *self, const run *r, run_outcome outcome, rill_error *error) {
    const bool good = outcome == RILL_RUN_DONE || outcome == RILL_RUN_INTERRUPTED;
    return good && !misses_frames(r, rill_world_stats(r->world)->time) ? save(self, r, error) : RILL_OK;
}

run_observer rill_run_snapshots_observer(run_snapshots *snapshots) {
    return (run_observer){.self = snapshots, .step = save_if_due, .end = save_at_end};
}

/* ---- resuming ---- */

/* Builds the world that the scene would begin with and compares it, so that defaults and derived values are compared
   too. */
static rill_status check_same(const char *path, rill_world *world, const rill_world *begun, rill_error *error) {
    rill_difference d;
    if (rill_world_differs(world, begun, &d))
        return rill_fail(error, RILL_INVALID,
                         "%s: the snapshot has %s = %s, the scene says %s; a resumed run must use the same scene: undo "
                         "the change, or start again without --resume",
                         path, d.key, d.first, d.second);
    if (rill_world_take_gauges(world, begun) == RILL_OK) return RILL_OK;
    return rill_fail(error, RILL_INVALID, "%s: %s", path, rill_world_message(world));
}

/* Removes all fluid particles. An event may remove a fluid that sinks have drained; in the world that the scene begins
   with its particles would be in the way. */
static rill_status empty(rill_world *begun, rill_error *error) {
    rill_view fluid;
    const int count = rill_world_particle_count(begun);
    rill_particle_id *ids = malloc(((size_t)count + 1) * sizeof *ids);
    if (!ids) return rill_fail(error, RILL_MEMORY, "no memory for %d particles", count);
    int n = 0;
    rill_status status = rill_world_view(begun, "fluid", &fluid);
    for (int k = 0; status == RILL_OK && k < count; k++)
        if (((const uint32_t *)fluid.data)[(size_t)k * (size_t)fluid.stride] < RILL_PHASE_CLOTH)
            ids[n++] = rill_world_particle_at(begun, k);
    if (status == RILL_OK) status = rill_world_remove_particles(begun, ids, n, NULL);
    free(ids);
    return status == RILL_OK ? RILL_OK : rill_fail(error, status, "%s", rill_world_message(begun));
}

rill_world *rill_run_resume(const char *path, const scene *s, rill_error *error) {
    rill_world *world = rill_io_load_snapshot(path, &s->world, error);
    scene fresh = *s;
    fresh.run.settle = 0; /* the snapshot has the places of particles */
    rill_world *begun = world ? rill_scene_build(&fresh, -1, -1, error) : NULL;
    const bool same = begun && empty(begun, error) == RILL_OK &&
                      rill_scene_apply_events(s, begun, -1, rill_world_stats(world)->time, error) == RILL_OK &&
                      check_same(path, world, begun, error) == RILL_OK;
    rill_world_destroy(begun);
    if (same) return world;
    rill_world_destroy(world);
    return NULL;
}

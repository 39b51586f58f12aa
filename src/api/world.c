/* SPDX-License-Identifier: MIT */
/* The world: creation and stepping. Every call checks its arguments before it changes anything. */
#include "api/world.h"

#include "api/dispatch.h"
#include "model/notes.h"
#include "rigid/events.h"
#include "rigid/host.h"
#include "rigid/rigid.h"
#include "rigid/sleep.h"
#include "solid/solid_tree.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define COOKIE 0x52494C4Cu
/* Least support, in spacings: with less, particles have no neighbours. */
#define SUPPORT_MIN 1.05f

/* ---- creation ---- */

static rill_status check_method(const char *name, const char *what, rill_error *error) {
    if (rill_method_find(name)) return RILL_OK;
    const char *nearest = rill_method_nearest(name);
    return rill_fail(error, RILL_NOT_FOUND, "%s: there is no method '%s'%s%s%s", what, name,
                     nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

rill_status rill_check_world_def(const rill_world_def *def, rill_error *error) {
    if (!def) return rill_fail(error, RILL_INVALID, "world: the definition is NULL; start from rill_world_def_default");
    if (def->cookie != COOKIE)
        return rill_fail(error, RILL_INVALID, "world: the definition was not made by rill_world_def_default");
    if (def->dim != 2 && def->dim != 3)
        return rill_fail(error, RILL_INVALID, "world: dim must be 2 or 3, got %d", (int)def->dim);
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_WORLD), def, error));
    TRY(check_method(def->method, "world", error));
    if (def->support_ratio > 0.0f && def->support_ratio < SUPPORT_MIN)
        return rill_fail(error, RILL_INVALID, "world: support_ratio must be 0 or at least %g, got %g",
                         (double)SUPPORT_MIN, (double)def->support_ratio);
    const float h = world_support_ratio(def) * def->spacing;
    const float *period = &def->periodic.x;
    for (int axis = 0; axis < def->dim; axis++)
        if (period[axis] > 0.0f && period[axis] < 2.0f * h)
            return rill_fail(error, RILL_INVALID,
                             "world: periodic along %c must be 0 or at least two supports (%g m), got %g m",
                             "xyz"[axis], (double)(2.0f * h), (double)period[axis]);
    return RILL_OK;
}

rill_world *rill_world_make(const rill_world_def *def, rill_error *error) {
    if (rill_check_world_def(def, error) != RILL_OK) return NULL;
    const sim_operations_table *operations = rill_simd_operations(def->dim, (rill_simd)def->simd);
    if (!operations) {
        rill_fail(error, RILL_INVALID, "world: this processor or build does not support this simd width; use 'auto'");
        return NULL;
    }
    memory m;
    rill_memory_init(&m, &def->allocator);
    rill_world *w = rill_memory_get(&m, sizeof *w);
    if (!w) {
        rill_fail(error, RILL_MEMORY, "no memory for a world");
        return NULL;
    }
    *w = (rill_world){.def = *def, .memory = m, .operations = operations};
    if (def->dim == 2) w->def.gravity.z = w->def.periodic.z = w->def.periodic_origin.z = w->def.origin.z = 0.0f;
    w->fluids.method_table = rill_world_method(w)->fluid_table;
    w->solids.method_table = rill_world_method(w)->solid_table;
    w->workers = rill_parallel_create(&w->memory, def->workers, &def->tasks);
    rill_status status = w->workers
                             ? operations->create(w)
                             : rill_fail(&w->error, RILL_MEMORY, "no memory or threads for %d workers", def->workers);
    if (status == RILL_OK) return w;
    if (error) *error = w->error;
    rill_world_destroy(w);
    return NULL;
}

rill_world *rill_world_create(const rill_world_def *def, rill_error *error) {
    return rill_world_make(def, error);
}

void rill_world_destroy(rill_world *w) {
    if (!w) return;
    FOR_ALIVE(w, solid, s) rill_shape_let_go(w, &s->def.shape, &s->models), rill_motion_release(w, &s->def.motion);
    FOR_ALIVE(w, sink, k) rill_shape_let_go(w, &k->def.shape, &k->models);
    FOR_ALIVE(w, pin, p) rill_motion_release(w, &p->def.motion);
    FOR_ALIVE(w, area, a) rill_shape_let_go(w, &a->def.shape, &a->models);
    rill_shape_library_free(&w->shapes, &w->memory);
    pool *pools[] = {&w->fluids, &w->solids, &w->bodies, &w->joints, &w->emitters, &w->sinks,
                     &w->cloths, &w->pins,   &w->gauges, &w->groups, &w->areas};
    for (size_t k = 0; k < sizeof pools / sizeof *pools; k++) rill_pool_free(&w->memory, pools[k]);
    buffer *rigid[] = {&w->contact_memories, &w->contacts,     &w->rigid_plane, &w->rigid_rows,   &w->rigid_contacts,
                       &w->rigid_memory,     &w->rigid_boxes,  &w->rigid_pairs, &w->rigid_joined, &w->rigid_islands,
                       &w->rigid_marks,      &w->rigid_events, &w->removals,    &w->passages,     &w->changes};
    for (size_t k = 0; k < sizeof rigid / sizeof *rigid; k++) rill_buffer_free(&w->memory, rigid[k]);
    rill_buffer_free(&w->memory, &w->placed_shapes);
    rill_solid_tree_free(&w->solid_tree, &w->memory);
    w->operations->destroy(w);
    rill_parallel_destroy(&w->memory, w->workers);
    memory m = w->memory;
    rill_memory_release(&m, w, sizeof *w);
}

const char *rill_world_message(const rill_world *w) {
    return w ? w->error.text : "the world is NULL";
}

const rill_world_def *rill_world_get_def(const rill_world *w) {
    return w ? &w->def : NULL;
}

const rill_method_info *rill_world_method(const rill_world *w) {
    return w ? rill_method_find(w->def.method) : NULL;
}

rill_status rill_world_set_method(rill_world *w, const char *name) {
    if (!w) return RILL_INVALID;
    if (!name) return rill_fail(&w->error, RILL_INVALID, "set_method: the name is NULL");
    TRY(check_method(name, "set_method", &w->error));
    TRY(w->operations->set_method(w, name));
    rill_sleep_wake_all(w); /* another method may push sleeping bodies differently */
    return RILL_OK;
}

const char *rill_world_simd(const rill_world *w) {
    return w ? w->operations->width : "";
}

int rill_world_workers(const rill_world *w) {
    return w ? rill_parallel_workers(w->workers) : 0;
}

float rill_world_support(const rill_world *w) {
    return w ? w->support : 0.0f;
}

/* ---- stepping ---- */

static rill_status check_duration(rill_world *w, double seconds, const char *what) {
    if (!w) return RILL_INVALID;
    if (w->interleaved)
        return rill_fail(&w->error, RILL_INVALID, "%s: call rill_world_end before other calls that step", what);
    if (w->failed)
        return rill_fail(&w->error, RILL_BLOW_UP, "%s: the world blew up before; load a snapshot or build it again",
                         what);
    if (!(seconds >= 0) || !isfinite(seconds))
        return rill_fail(&w->error, RILL_INVALID, "%s: expected a finite time of 0 s or more, got %g s", what, seconds);
    return RILL_OK;
}

/* Refuses steps so short that adding them to the time would not change it. */
static rill_status check_step(rill_world *w, double seconds, const char *what) {
    TRY(check_duration(w, seconds, what));
    if (seconds > 0 && (!((float)seconds >= FLT_MIN) || w->stats.time + seconds == w->stats.time))
        return rill_fail(&w->error, RILL_INVALID, "%s: a step of %g s does not change the time %g s; use longer steps",
                         what, seconds, w->stats.time);
    return RILL_OK;
}

/* Ends a call that stepped. A call that took no step does not count: the host's forces wait for the next one. */
static rill_status end_call(rill_world *w, rill_status status) {
    if (!w->in_call) return status;
    rill_rigid_call_end(w);
    w->idle = 0;
    const rill_status noted = rill_notes_end(w);
    return status == RILL_OK ? noted : status;
}

/* One step that the host asked for. It applies all impulses held for bodies (push_time 0). */
static rill_status step_once(rill_world *w, double dt, double limit, double span) {
    w->call_span = span;
    w->push_time = 0;
    return end_call(w, w->operations->step(w, dt, limit));
}

/* A call without a step. A host that applies reactions and answers events after each call must not get the last ones
   twice. */
static rill_status no_step(rill_world *w) {
    rill_rigid_no_step(w);
    rill_notes_begin(w);
    return RILL_OK;
}

rill_status rill_world_step(rill_world *w, double dt) {
    TRY(check_step(w, dt, "step"));
    return dt > 0 ? step_once(w, dt, dt, dt) : no_step(w);
}

rill_status rill_world_step_adaptive(rill_world *w, double limit) {
    const bool own = limit == HUGE_VAL;
    TRY(check_step(w, own ? 1 : limit, "step_adaptive"));
    return limit > 0 ? step_once(w, 0, limit, own ? (double)w->def.dt_max : limit) : no_step(w);
}

/* Takes whole steps, at most `most`, until the world has caught up with the host's clock. If their number is limited,
   `hurry` is the length at which they reach it. A remainder within rounding is not a step. */
static rill_status catch_up(rill_world *w, double clock, double duration, int most) {
    rill_status status = RILL_OK;
    for (int k = 0; k < most && status == RILL_OK && clock - w->stats.time > 1e-9 * duration; k++) {
        const double before = w->stats.time;
        w->push_time = clock - before;
        w->hurry = most < INT_MAX ? duration / most : 0;
        status = w->operations->step(w, 0, HUGE_VAL);
        w->hurry = 0;
        if (status == RILL_OK && w->stats.time <= before)
            return rill_fail(&w->error, RILL_BLOW_UP, "advance: the stable step of %g s does not change the time %g s",
                             w->stats.dt_bound, before);
    }
    return status;
}

static rill_status advance(rill_world *w, double duration, int most) {
    TRY(check_duration(w, duration, "advance"));
    const double clock = w->stats.time - w->stats.lead + duration;
    w->call_span = w->idle + duration;
    w->hold = duration;
    rill_status status = catch_up(w, clock, duration, most);
    w->hold = 0;
    if (!w->in_call) { /* no step was taken */
        if (status != RILL_OK) return status;
        w->idle += duration;
        rill_rigid_hold_forces(w, duration);
        status = no_step(w);
    }
    w->stats.lead = fmax(w->stats.time - clock, 0);
    return end_call(w, status);
}

rill_status rill_world_advance(rill_world *w, double duration) {
    return advance(w, duration, INT_MAX);
}

rill_status rill_world_advance_at_most(rill_world *w, double duration, int most, double *advanced) {
    if (!w) return RILL_INVALID;
    if (most < 1) return rill_fail(&w->error, RILL_INVALID, "advance_at_most: needs at least one step, got %d", most);
    const double clock = w->stats.time - w->stats.lead;
    const rill_status status = advance(w, duration, most);
    if (advanced) *advanced = w->stats.time - w->stats.lead - clock;
    return status;
}

/* ---- interleaved steps ---- */

static rill_status begin(rill_world *w, double duration, int most) {
    TRY(check_step(w, duration, "begin"));
    w->interleaved = true;
    w->span_left = duration;
    w->steps_left = most;
    w->span_hurry = most < INT_MAX ? duration / most : 0;
    return RILL_OK;
}

rill_status rill_world_begin(rill_world *w, double duration) {
    return begin(w, duration, INT_MAX);
}

rill_status rill_world_begin_at_most(rill_world *w, double duration, int most) {
    if (!w) return RILL_INVALID;
    if (most < 1) return rill_fail(&w->error, RILL_INVALID, "begin_at_most: needs at least one step, got %d", most);
    return begin(w, duration, most);
}

rill_status rill_world_substep(rill_world *w, double *taken) {
    if (!w) return RILL_INVALID;
    if (!w->interleaved || !taken)
        return rill_fail(&w->error, RILL_INVALID,
                         "substep: needs rill_world_begin before it, and a place for its length");
    *taken = 0;
    if (!(w->span_left > 0) || w->steps_left == 0) return RILL_OK;
    const double before = w->stats.time;
    w->call_span = w->span_left;
    w->push_time = 0;
    if (w->in_call) rill_host_begin_step(w);
    w->hurry = w->span_hurry;
    const rill_status status = w->operations->step(w, 0, w->span_left);
    w->hurry = 0;
    TRY(status);
    w->steps_left--;
    *taken = w->stats.dt;
    /* A remainder within rounding is not a step. */
    const double left = w->span_left - *taken;
    w->span_left = left > 1e-9 * w->span_left && w->stats.time > before ? left : 0;
    return RILL_OK;
}

rill_status rill_world_end(rill_world *w) {
    if (!w) return RILL_INVALID;
    if (!w->interleaved) return rill_fail(&w->error, RILL_INVALID, "end: needs rill_world_begin before it");
    w->interleaved = false;
    return end_call(w, RILL_OK);
}

const rill_stats *rill_world_stats(const rill_world *w) {
    return w ? &w->stats : NULL;
}

uint64_t rill_world_hash(const rill_world *w) {
    return w ? w->operations->hash(w) : 0;
}

/* SPDX-License-Identifier: MIT */
/* Events change a running world: values at a moment or over a time, and removal of objects. They depend on simulated
   time alone: after a step that ends at t the world has all changes up to t, however it got there, so that a resumed
   run needs to know only its time. */
#include "core/error.h"
#include "scene/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An event counts as reached this long before its time [s]. */
#define EVENT_TOLERANCE 1e-9

/* ---- the target of an event ---- */

#define FINDER(type)                                                                 \
    static rill_ref find_##type(const rill_world *world, const char *name) {         \
        return rill_ref_##type(rill_world_find_##type(world, name));                 \
    }                                                                                \
    static rill_status remove_##type(rill_world *world, const char *name) {          \
        return rill_world_remove_##type(world, rill_world_find_##type(world, name)); \
    }
FINDER(fluid)
FINDER(solid)
FINDER(body)
FINDER(joint)
FINDER(emitter)
FINDER(sink)
FINDER(cloth)
FINDER(pin)
FINDER(gauge)
FINDER(group)
FINDER(area)

static const struct {
    const char *list;
    rill_ref (*find)(const rill_world *world, const char *name);
    rill_status (*remove)(rill_world *world, const char *name);
} kinds[] = {
    {"fluids", find_fluid, remove_fluid},       {"solids", find_solid, remove_solid},
    {"bodies", find_body, remove_body},         {"joints", find_joint, remove_joint},
    {"emitters", find_emitter, remove_emitter}, {"sinks", find_sink, remove_sink},
    {"cloths", find_cloth, remove_cloth},       {"pins", find_pin, remove_pin},
    {"gauges", find_gauge, remove_gauge},       {"groups", find_group, remove_group},
    {"areas", find_area, remove_area},
};
#define KINDS (int)(sizeof kinds / sizeof *kinds)

/* Splits "solids.mould" into a kind and a name. -1 for "world" and "method", which are not kinds, and for anything
   else. */
static int kind_of(const char *of, const char **name) {
    const size_t length = strcspn(of, ".");
    for (int k = 0; k < KINDS; k++)
        if (of[length] == '.' && strlen(kinds[k].list) == length && !strncmp(kinds[k].list, of, length)) {
            *name = of + length + 1;
            return k;
        }
    return -1;
}

static bool find(const rill_world *world, const char *of, rill_ref *ref) {
    const char *name;
    const int kind = kind_of(of, &name);
    if (kind >= 0)
        *ref = kinds[kind].find(world, name);
    else if (!strcmp(of, "world"))
        *ref = rill_ref_world();
    else if (!strcmp(of, "method"))
        *ref = rill_ref_method();
    else
        return false;
    return true;
}

/* ---- changes ---- */

/* Sets a value that changes over time. Both ends are converted to SI numbers by the table, then interpolated. */
static rill_status set_between(rill_world *world, rill_ref ref, const scene_event *e, double part) {
    double from, to;
    TRY(rill_world_set_text(world, ref, e->key, e->from));
    TRY(rill_world_get_number(world, ref, e->key, &from));
    TRY(rill_world_set_text(world, ref, e->key, e->value));
    TRY(rill_world_get_number(world, ref, e->key, &to));
    return rill_world_set_number(world, ref, e->key, from + part * (to - from));
}

/* Whether this key of a list's items is a place. */
static bool is_place(const char *list_key, const char *key) {
    for (int k = 0; k < LAYOUT_LIST_COUNT; k++) {
        const layout_list list = rill_layout_list_at(k);
        int part;
        if (strcmp(list.key, list_key)) continue;
        const rill_param *param = rill_layout_find(list.parts, list.part_count, key, &part);
        return param && param->place;
    }
    return false;
}

/* Sets a value. Places are given in the scene's coordinates, as in the rest of the scene. */
static rill_status set_value(rill_world *world, rill_ref ref, int kind, const scene_event *e) {
    TRY(rill_world_set_text(world, ref, e->key, e->value));
    if (kind < 0 || !is_place(kinds[kind].list, e->key)) return RILL_OK;
    const rill_vec origin = rill_world_get_def(world)->origin;
    rill_vec place;
    TRY(rill_world_get_vec(world, ref, e->key, &place));
    return rill_world_set_vec(world, ref, e->key,
                              (rill_vec){place.x - origin.x, place.y - origin.y, place.z - origin.z});
}

static rill_status act(rill_world *world, const scene_event *e, double part, rill_error *error) {
    const char *name;
    const int kind = kind_of(e->of, &name);
    rill_ref ref = {0};
    rill_status status;
    if (!find(world, e->of, &ref)) return rill_fail(error, RILL_INVALID, "events cannot act on '%s'", e->of);
    if (e->action == EVENT_REMOVE)
        status = kind >= 0 ? kinds[kind].remove(world, name)
                           : rill_fail(error, RILL_INVALID, "'%s' cannot be removed", e->of);
    else
        status = part < 1 ? set_between(world, ref, e, part) : set_value(world, ref, kind, e);
    if (status != RILL_OK && !(error && error->text[0])) rill_fail(error, status, "%s", rill_world_message(world));
    return status;
}

/* The progress of an event at `time`, from 0 to 1; -1 if it has not begun. */
static double part_of(const scene_event *e, double time) {
    const double start = (double)e->time, end = (double)e->until, now = time + EVENT_TOLERANCE;
    if (!(end > start)) return now >= start ? 1 : -1;
    return now < start ? -1 : now >= end ? 1 : (now - start) / (end - start);
}

static bool happens(const scene_event *e, double after, double until) {
    return part_of(e, until) >= 0 && (after < 0 || part_of(e, after) < 1);
}

bool rill_scene_has_events(const scene *s, double after, double until) {
    for (int k = 0; k < s->event_count; k++)
        if (happens(&s->events[k], after, until)) return true;
    return false;
}

rill_status rill_scene_apply_events(const scene *s, rill_world *world, double after, double until, rill_error *error) {
    for (int k = 0; k < s->event_count; k++) {
        const scene_event *e = &s->events[k];
        if (!happens(e, after, until)) continue;
        rill_error reason = {0};
        const rill_status status = act(world, e, part_of(e, until), &reason);
        if (status != RILL_OK)
            return rill_fail(error, status, "events[%d], at %g s: %s", k, (double)e->time, reason.text);
    }
    return RILL_OK;
}

/* ---- checking ---- */

rill_status rill_scene_check_event(const scene *s, int k, char *key, size_t size, rill_error *error) {
    const scene_event *e = &s->events[k];
    const char *name;
    const int kind = kind_of(e->of, &name);
    snprintf(key, size, "of");
    if (kind < 0 && strcmp(e->of, "world") != 0 && strcmp(e->of, "method") != 0)
        return rill_fail(error, RILL_INVALID, "events cannot act on '%s'; expected LIST.NAME, world or method", e->of);
    for (int list = 0; kind >= 0 && list < LAYOUT_LIST_COUNT; list++) {
        const layout_list l = rill_layout_list_at(list);
        if (strcmp(l.key, kinds[kind].list) != 0) continue;
        char *names = rill_layout_names(s, &l);
        const bool known = names && rill_layout_listed(names, name);
        free(names);
        if (!known) return rill_fail(error, RILL_INVALID, "there is no %s '%s'", l.noun, name);
    }
    snprintf(key, size, "action");
    if (e->action == EVENT_REMOVE && (kind < 0 || e->key[0] || e->value[0]))
        return rill_fail(error, RILL_INVALID, "remove needs an object of a list, and takes neither key nor value");
    snprintf(key, size, "key");
    if (e->action == EVENT_SET && (!e->key[0] || !e->value[0]))
        return rill_fail(error, RILL_INVALID, "an event that sets a value needs a key and a value");
    snprintf(key, size, "until");
    if (e->until > 0.0f && (!(e->until > e->time) || e->action != EVENT_SET || !e->from[0]))
        return rill_fail(error, RILL_INVALID,
                         "a change until %g s needs the action 'set', an earlier `time` and a value `from`",
                         (double)e->until);
    snprintf(key, size, "time");
    if (k > 0 && e->time < s->events[k - 1].time)
        return rill_fail(error, RILL_INVALID, "events must be in order of time; the previous one is at %g s",
                         (double)s->events[k - 1].time);
    return RILL_OK;
}

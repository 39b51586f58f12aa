/* SPDX-License-Identifier: MIT */
/* Events change a running world: values at a moment or over a time, and removal of objects. They depend on simulated
   time alone: after a step that ends at t the world has all changes up to t, however it got there, so that a resumed
   run needs to know only its time. */
#include "core/error.h"
#include "core/public_vec.h"
#include "model/units.h"
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

/* ---- the row that an event changes ---- */

static layout_list list_of(int kind) {
    int k = 0;
    while (strcmp(rill_layout_list_at(k).key, kinds[kind].list) != 0) k++;
    return rill_layout_list_at(k);
}

/* The row of an event's key, such as "viscosity" or "clavet.springs"; NULL: there is none with this method. */
static const rill_param *row_of(const scene_event *e, const char *method) {
    const rill_method_info *info = rill_method_find(method);
    const size_t length = strlen(method);
    const char *name;
    const int kind = kind_of(e->of, &name);
    if (kind < 0 && strcmp(e->of, "world") == 0) return rill_table_find(rill_object_table(RILL_OBJECT_WORLD), e->key);
    if (kind < 0) return info ? rill_table_find(info->table, e->key) : NULL;
    const layout_list list = list_of(kind);
    if (info && strncmp(e->key, method, length) == 0 && e->key[length] == '.')
        return rill_table_find(rill_layout_method_table(&list, info), e->key + length + 1);
    return rill_table_find(list.parts[0].table, e->key);
}

/* Whether the values between two others are values too. */
static rill_status check_between(const scene_event *e, const rill_param *row, rill_error *error) {
    if (!row || row->type == RILL_TYPE_NUMBER || row->type == RILL_TYPE_VEC) return RILL_OK;
    return rill_fail(error, RILL_INVALID,
                     "'%s' cannot change over time: only numbers and vectors can, whole numbers, choices, texts and "
                     "true or false cannot",
                     e->key);
}

/* ---- changes ---- */

/* Sets a value. Places are given in the scene's coordinates, as in the rest of the scene; they are measured from the
   origin before they are rounded to float. A value at an end of its range means infinity and stays as it is. */
static rill_status set_value(rill_world *world, rill_ref ref, const scene_event *e, const char *text) {
    const rill_world_def *def = rill_world_get_def(world);
    const rill_param *row = row_of(e, def->method);
    TRY(rill_world_set_text(world, ref, e->key, text));
    if (!row || !row->place) return RILL_OK;
    rill_error unread;
    rill_vec place;
    double given[3];
    TRY(rill_world_get_vec(world, ref, e->key, &place));
    TRY(rill_param_parse_vec(row, text, given, &unread));
    for (int k = 0; k < 3; k++)
        if (given[k] > row->min && given[k] < row->max) (&place.x)[k] = (float)(given[k] - (double)(&def->origin.x)[k]);
    return rill_world_set_vec(world, ref, e->key, place);
}

static rill_status set_number_between(rill_world *world, rill_ref ref, const scene_event *e, double part) {
    double from, to;
    TRY(set_value(world, ref, e, e->from));
    TRY(rill_world_get_number(world, ref, e->key, &from));
    TRY(set_value(world, ref, e, e->value));
    TRY(rill_world_get_number(world, ref, e->key, &to));
    return rill_world_set_number(world, ref, e->key, from + part * (to - from));
}

static rill_status set_vec_between(rill_world *world, rill_ref ref, const scene_event *e, double part) {
    rill_vec from, to;
    TRY(set_value(world, ref, e, e->from));
    TRY(rill_world_get_vec(world, ref, e->key, &from));
    TRY(set_value(world, ref, e, e->value));
    TRY(rill_world_get_vec(world, ref, e->key, &to));
    return rill_world_set_vec(world, ref, e->key, vec_along(from, (float)part, vec_sub(to, from)));
}

/* Sets a value that changes over time. Both ends are converted to SI numbers by the table, then interpolated. */
static rill_status set_between(rill_world *world, rill_ref ref, const scene_event *e, double part, rill_error *error) {
    const rill_param *row = row_of(e, rill_world_get_def(world)->method);
    TRY(check_between(e, row, error));
    return row && row->type == RILL_TYPE_VEC ? set_vec_between(world, ref, e, part)
                                             : set_number_between(world, ref, e, part);
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
        status = part < 1 ? set_between(world, ref, e, part, error) : set_value(world, ref, e, e->value);
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
    if (kind >= 0) {
        const layout_list list = list_of(kind);
        char *names = rill_layout_names(s, &list);
        const bool known = names && rill_layout_listed(names, name);
        free(names);
        if (!known) return rill_fail(error, RILL_INVALID, "there is no %s '%s'", list.noun, name);
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
    if (e->until > 0.0f) TRY(check_between(e, row_of(e, s->world.method), error));
    snprintf(key, size, "time");
    if (k > 0 && e->time < s->events[k - 1].time)
        return rill_fail(error, RILL_INVALID, "events must be in order of time; the previous one is at %g s",
                         (double)s->events[k - 1].time);
    return RILL_OK;
}

/* SPDX-License-Identifier: MIT */
/* The effect of inputs on the world. */
#include "play/session.h"

#include "core/error.h"

#include <stdio.h>
#include <string.h>

/* ---- parameters by path ---- */

#define FIND(type)                                                           \
    static rill_ref find_##type(const rill_world *world, const char *name) { \
        return rill_ref_##type(rill_world_find_##type(world, name));         \
    }
FIND(fluid)
FIND(solid)
FIND(body)
FIND(joint)
FIND(emitter)
FIND(sink)
FIND(cloth)
FIND(pin)
FIND(gauge)
FIND(group)
FIND(area)
#undef FIND

static const struct {
    const char *list;
    rill_ref (*find)(const rill_world *world, const char *name);
} lists[] = {{"fluids", find_fluid},     {"solids", find_solid}, {"bodies", find_body},  {"joints", find_joint},
             {"emitters", find_emitter}, {"sinks", find_sink},   {"gauges", find_gauge}, {"cloths", find_cloth},
             {"pins", find_pin},         {"groups", find_group}, {"areas", find_area}};

/* "LIST.NAME.KEY". A name may contain dots itself; the longest existing name counts. */
static bool find_in_list(const rill_world *world, const char *path, int list, rill_ref *ref, const char **key) {
    const char *name = path + strlen(lists[list].list) + 1;
    for (const char *end = path + strlen(path); end > name; end--) {
        char text[PLAY_PATH_SIZE];
        if (*end != '.') continue;
        snprintf(text, sizeof text, "%.*s", (int)(end - name), name);
        *ref = lists[list].find(world, text);
        *key = end + 1;
        if (ref->index1) return true;
    }
    return false;
}

static bool begins(const char *path, const char *word) {
    return !strncmp(path, word, strlen(word)) && path[strlen(word)] == '.';
}

/* The same paths as for --set: KEY of the method, world.KEY, METHOD.KEY, LIST.NAME.KEY. */
static rill_status find_path(const play_session *s, const char *path, rill_ref *ref, const char **key,
                             rill_error *error) {
    const char *method = rill_world_method(s->world)->name;
    *ref = rill_ref_method(), *key = path;
    if (!strchr(path, '.')) return RILL_OK;
    if (begins(path, method)) {
        *key = path + strlen(method) + 1;
        return RILL_OK;
    }
    if (begins(path, "world")) {
        *ref = rill_ref_world(), *key = path + strlen("world.");
        return RILL_OK;
    }
    for (int k = 0; k < (int)(sizeof lists / sizeof *lists); k++)
        if (begins(path, lists[k].list) && find_in_list(s->world, path, k, ref, key)) return RILL_OK;
    return rill_fail(error, RILL_NOT_FOUND, "set: there is no '%.100s'", path);
}

static rill_status set(play_session *s, const play_input *input, rill_error *error) {
    rill_ref ref;
    const char *key;
    TRY(find_path(s, input->path, &ref, &key, error));
    return rill_play_said(s, rill_world_set_text(s->world, ref, key, input->value), error);
}

/* ---- objects ---- */

static rill_status add_wall(play_session *s, const play_input *input, rill_error *error) {
    rill_solid_def def = rill_solid_def_default();
    const rill_world_def *world = rill_world_get_def(s->world);
    const float thickness = rill_play_given(input, "thickness") ? (float)input->thickness : 2 * world->spacing;
    if (world->dim != 2) return rill_fail(error, RILL_INVALID, "wall: walls are drawn in 2D");
    if (input->point_count == 1) {
        def.shape.kind = RILL_SPHERE;
        def.shape.position = input->points[0];
    } else {
        def.shape.kind = RILL_SEGMENTS;
        def.shape.points = (rill_points){input->points, input->point_count};
    }
    def.shape.radius = thickness / 2;
    TRY(rill_play_said(s, rill_world_add_solid(s->world, &def, NULL), error));
    rill_play_shapes_changed(s);
    return RILL_OK;
}

static rill_status add_box(play_session *s, const play_input *input, rill_error *error) {
    rill_body_def def = rill_body_def_default();
    const rill_vec half = {input->size.x / 2, input->size.y / 2, input->size.z / 2};
    def.shape.kind = RILL_BOX;
    def.shape.min = (rill_vec){input->at.x - half.x, input->at.y - half.y, input->at.z - half.z};
    def.shape.max = (rill_vec){input->at.x + half.x, input->at.y + half.y, input->at.z + half.z};
    def.density = rill_play_given(input, "density") ? (float)input->density : 500;
    TRY(rill_play_said(s, rill_world_add_body(s->world, &def, NULL), error));
    rill_play_shapes_changed(s);
    return RILL_OK;
}

/* Removes the object with this number, if there is one. */
#define REMOVE(type)                                                                                                  \
    static rill_status remove_##type(play_session *s, double number, rill_error *error) {                             \
        for (int k = 0; k < rill_world_##type##_count(s->world); k++) {                                               \
            const rill_##type##_id id = rill_world_##type##_at(s->world, k);                                          \
            if ((double)id.index1 == number) return rill_play_said(s, rill_world_remove_##type(s->world, id), error); \
        }                                                                                                             \
        return rill_fail(error, RILL_NOT_FOUND, "remove: there is no " #type " %g", number);                          \
    }
REMOVE(body)
REMOVE(solid)
REMOVE(gauge)
#undef REMOVE

static rill_status remove_object(play_session *s, const play_input *input, rill_error *error) {
    if (rill_play_given(input, "body")) {
        TRY(remove_body(s, input->body, error));
    } else if (rill_play_given(input, "solid")) {
        TRY(remove_solid(s, input->solid, error));
    } else if (rill_play_given(input, "gauge")) {
        TRY(remove_gauge(s, input->gauge, error));
        rill_play_tell_info(s, PLAY_EVERYBODY);
        return RILL_OK;
    } else {
        return rill_fail(error, RILL_FORMAT, "remove: expected the number of a body, solid or gauge");
    }
    rill_play_shapes_changed(s);
    return RILL_OK;
}

#define GAUGES_MAX 32

static rill_status add_gauge(play_session *s, const play_input *input, rill_error *error) {
    rill_gauge_def def = rill_gauge_def_default();
    const rill_param *kind = rill_table_find(rill_object_table(RILL_OBJECT_GAUGE), "kind");
    if (rill_world_gauge_count(s->world) >= GAUGES_MAX)
        return rill_fail(error, RILL_LIMIT, "gauge: there are %d already", GAUGES_MAX);
    TRY(rill_param_set_text(kind, &def, input->kind, error));
    def.position = input->at;
    def.min = def.max = input->at;
    return rill_play_said(s, rill_world_add_gauge(s->world, &def, NULL), error);
}

/* ---- all inputs ---- */

static rill_status act(play_session *s, int client, const play_input *input, rill_error *error) {
    switch (input->word) {
    case PLAY_RATE_OF_TIME:
        s->rate = (float)input->rate;
        return RILL_OK;
    case PLAY_METHOD:
        return rill_play_said(s, rill_world_set_method(s->world, input->name), error);
    case PLAY_GRAVITY:
        return rill_play_said(s, rill_world_set_vec(s->world, rill_ref_world(), "gravity", input->vector), error);
    case PLAY_SET:
        return set(s, input, error);
    case PLAY_GRAB:
        return rill_play_grab(s, client, input, error);
    case PLAY_DRAG:
        rill_play_drag(s, input->to);
        return RILL_OK;
    case PLAY_DROP:
        rill_play_drop(s);
        return RILL_OK;
    case PLAY_PUSH:
        return rill_play_push(s, input, error);
    case PLAY_POUR:
        return rill_play_pour(s, input, error);
    case PLAY_ERASE:
        return rill_play_erase(s, input, error);
    case PLAY_WALL:
        return add_wall(s, input, error);
    case PLAY_BOX:
        return add_box(s, input, error);
    case PLAY_REMOVE:
        return remove_object(s, input, error);
    case PLAY_GAUGE:
        return add_gauge(s, input, error);
    case PLAY_CUT:
        s->cut = (int)input->after;
        return RILL_OK;
    default:
        return rill_fail(error, RILL_INVALID, "%s: not an input", rill_play_word_name(input->word));
    }
}

static bool changes_info(play_word word) {
    return word == PLAY_METHOD || word == PLAY_GRAVITY || word == PLAY_SET || word == PLAY_GAUGE ||
           word == PLAY_RATE_OF_TIME;
}

rill_status rill_play_act(play_session *s, int client, const play_input *input, rill_error *error) {
    /* `cut` is recorded by the session itself, in addition to the inputs of a page: a replay needs room for it. */
    if (s->inputs_this_step >= INPUTS_PER_STEP + (input->word == PLAY_CUT))
        return rill_fail(error, RILL_LIMIT, "%s: more than %d inputs before a step", rill_play_word_name(input->word),
                         INPUTS_PER_STEP);
    s->inputs_this_step++;
    /* Refused inputs are recorded too, because `pour` may have added a fluid before it was refused: a replay then does
       the same. */
    rill_play_record(s, input);
    rill_play_place_solids(s->world);
    const rill_status status = act(s, client, input, error);
    s->version++;
    if (!status && changes_info(input->word)) rill_play_tell_info(s, PLAY_EVERYBODY);
    return status;
}

/* SPDX-License-Identifier: MIT */
/* Descriptions of a world for a page: its objects (info), and its state at regular intervals (numbers). */
#include "play/session.h"

#include "model/gauge_kind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- rows of parameters ---- */

typedef struct row_group {
    play_session *session;
    json *json;
    rill_ref ref;
    const char *path, *title; /* "fluids.water", "water" */
    const char *section;      /* "pbf." for rows that the method adds to an object */
    bool all;                 /* rows that are not live too: for rows of the method */
} row_group;

static bool is_shown(const rill_param *p) {
    return p->type == RILL_TYPE_BOOL || p->type == RILL_TYPE_INT || p->type == RILL_TYPE_NUMBER ||
           p->type == RILL_TYPE_CHOICE || p->type == RILL_TYPE_VEC;
}

static const char *type_name(rill_type type) {
    static const char *const names[] = {"bool", "int", "number", "vec", "choice", "name", "file", "points", "numbers"};
    return names[type];
}

static void write_default(json *j, const rill_param *p, int dim) {
    char text[RILL_NAME_SIZE];
    switch (p->type) {
    case RILL_TYPE_VEC:
        rill_play_json_vec(j, "default", p->initial_vec, dim);
        return;
    case RILL_TYPE_BOOL:
        rill_json_bool(j, "default", p->initial != 0);
        return;
    case RILL_TYPE_CHOICE:
        rill_json_text(j, "default", rill_choice_name(p->choices, (int)p->initial, text, sizeof text));
        return;
    default:
        rill_json_number(j, "default", p->initial);
    }
}

/* Writes a value as JSON: only the names of choices get quotes. */
static void write_value(json *j, const rill_param *p, const char *text) {
    if (p->type == RILL_TYPE_CHOICE && text[0] != '"')
        rill_json_text(j, "value", text);
    else
        rill_json_raw(j, "value", text);
}

static void write_row(const row_group *g, const rill_param *p) {
    char key[3 * RILL_NAME_SIZE], path[6 * RILL_NAME_SIZE], text[PLAY_VALUE_SIZE];
    json *j = g->json;
    snprintf(key, sizeof key, "%s%s", g->section, p->key);
    snprintf(path, sizeof path, "%s.%s", g->path, key);
    if (rill_world_get_text(g->session->world, g->ref, key, text, sizeof text) || strlen(path) >= PLAY_PATH_SIZE)
        return;
    rill_json_object(j, NULL);
    rill_json_text(j, "path", path);
    rill_json_text(j, "group", g->title);
    rill_json_text(j, "key", p->key);
    rill_json_text(j, "type", type_name(p->type));
    write_value(j, p, text);
    write_default(j, p, rill_world_get_def(g->session->world)->dim);
    rill_json_number(j, "min", p->min);
    rill_json_number(j, "max", p->max);
    rill_json_text(j, "unit", rill_quantity_symbol(p->quantity));
    if (p->type == RILL_TYPE_CHOICE) rill_json_text(j, "choices", p->choices);
    rill_json_text(j, "doc", p->doc);
    rill_json_end_object(j);
}

static void write_rows(const row_group *g, const rill_table *table) {
    for (int k = 0; table && k < table->count; k++)
        if ((g->all || table->params[k].live) && is_shown(&table->params[k])) write_row(g, &table->params[k]);
}

/* An object's own live rows, and the rows that the method adds to it. */
static void write_object_rows(play_session *s, json *j, rill_ref ref, const char *list, const char *name,
                              const rill_table *added) {
    char path[3 * RILL_NAME_SIZE], section[RILL_NAME_SIZE + 1];
    snprintf(path, sizeof path, "%s.%s", list, name);
    snprintf(section, sizeof section, "%s.", rill_world_method(s->world)->name);
    write_rows(&(row_group){s, j, ref, path, name, "", false}, rill_object_table((rill_object)ref.object));
    write_rows(&(row_group){s, j, ref, path, name, section, true}, added);
}

/* At most this many objects of a kind get sliders: those of a pile of bodies would fill the page. */
#define OBJECTS_WITH_ROWS 6

#define WRITE_ALL(type, list, added)                                                                            \
    for (int k = 0; k < rill_world_##type##_count(s->world) && k < OBJECTS_WITH_ROWS; k++) {                    \
        const rill_##type##_id id = rill_world_##type##_at(s->world, k);                                        \
        write_object_rows(s, j, rill_ref_##type(id), list, rill_world_##type##_def(s->world, id)->name, added); \
    }

static void write_all_rows(play_session *s, json *j) {
    const rill_method_info *method = rill_world_method(s->world);
    rill_json_array(j, "rows");
    write_rows(&(row_group){s, j, rill_ref_world(), "world", "world", "", false}, rill_object_table(RILL_OBJECT_WORLD));
    write_rows(&(row_group){s, j, rill_ref_method(), method->name, method->name, "", true}, method->table);
    WRITE_ALL(fluid, "fluids", method->fluid_table)
    WRITE_ALL(emitter, "emitters", NULL)
    WRITE_ALL(joint, "joints", NULL)
    rill_json_end_array(j);
}

/* ---- objects ---- */

static void write_methods(json *j) {
    rill_json_array(j, "methods");
    for (int k = 0; k < rill_method_count(); k++) {
        rill_json_object(j, NULL);
        rill_json_text(j, "name", rill_method(k)->name);
        rill_json_text(j, "title", rill_method(k)->title);
        rill_json_end_object(j);
    }
    rill_json_end_array(j);
}

static void write_fluids(play_session *s, json *j) {
    rill_json_array(j, "fluids");
    for (int k = 0; k < rill_world_fluid_count(s->world); k++) {
        const rill_fluid_def *def = rill_world_fluid_def(s->world, rill_world_fluid_at(s->world, k));
        rill_json_object(j, NULL);
        rill_json_text(j, "name", def->name);
        rill_json_number(j, "density", (double)def->density);
        rill_json_number(j, "viscosity", (double)def->viscosity);
        for (int p = 0; p < s->scene->paint_count; p++)
            if (!strcmp(s->scene->paints[p].of, def->name) && s->scene->paints[p].color[0])
                rill_json_text(j, "color", s->scene->paints[p].color);
        rill_json_end_object(j);
    }
    rill_json_end_array(j);
    rill_json_array(j, "materials");
    for (int k = 0; rill_material_name(k); k++) rill_json_text(j, NULL, rill_material_name(k));
    rill_json_end_array(j);
}

/* The looks that can be poured, with the methods that support them. */
static void write_looks(json *j) {
    char look[RILL_NAME_SIZE];
    rill_json_array(j, "looks");
    for (int m = 0; m < rill_method_count(); m++)
        for (int k = 0; rill_play_look(rill_method(m), k, look); k++) {
            rill_json_object(j, NULL);
            rill_json_text(j, "name", look);
            rill_json_text(j, "method", rill_method(m)->name);
            rill_json_end_object(j);
        }
    rill_json_end_array(j);
}

static void write_gauges(play_session *s, json *j) {
    const int dim = rill_world_get_def(s->world)->dim;
    rill_json_array(j, "gauges");
    for (int k = 0; k < rill_world_gauge_count(s->world); k++) {
        const rill_gauge_id id = rill_world_gauge_at(s->world, k);
        const rill_gauge_def *def = rill_world_gauge_def(s->world, id);
        rill_json_object(j, NULL);
        rill_json_integer(j, "id", id.index1);
        rill_json_text(j, "name", def->name);
        rill_json_text(j, "kind", rill_gauge_kind_at(def->kind)->name);
        rill_json_text(j, "unit", rill_gauge_kind_at(def->kind)->unit);
        rill_json_integer(j, "values", rill_gauge_value_count(def->kind, dim));
        rill_play_json_vec(j, "position", def->position, dim);
        rill_json_end_object(j);
    }
    rill_json_end_array(j);
    rill_json_array(j, "gauge_kinds");
    for (int k = 0; rill_gauge_kind_at(k); k++)
        if (rill_gauge_kind_at(k)->subject == GAUGE_POINT || rill_gauge_kind_at(k)->subject == GAUGE_LINE ||
            rill_gauge_kind_at(k)->subject == GAUGE_FLUID)
            rill_json_text(j, NULL, rill_gauge_kind_at(k)->name);
    rill_json_end_array(j);
}

static void write_emitters(play_session *s, json *j, int dim) {
    rill_json_array(j, "emitters");
    for (int k = 0; k < rill_world_emitter_count(s->world); k++) {
        const rill_emitter_id id = rill_world_emitter_at(s->world, k);
        const rill_emitter_def *def = rill_world_emitter_def(s->world, id);
        rill_json_object(j, NULL);
        rill_json_integer(j, "id", id.index1);
        rill_json_text(j, "name", def->name);
        rill_play_json_vec(j, "position", def->position, dim);
        rill_play_json_vec(j, "direction", def->direction, dim);
        rill_json_number(j, "radius", (double)def->radius);
        rill_json_end_object(j);
    }
    rill_json_end_array(j);
}

/* ---- the view ---- */

typedef struct box {
    rill_vec min, max;
    bool filled;
} box;

static void grow(box *b, rill_vec p) {
    if (!b->filled) *b = (box){p, p, true};
    b->min = (rill_vec){fminf(b->min.x, p.x), fminf(b->min.y, p.y), fminf(b->min.z, p.z)};
    b->max = (rill_vec){fmaxf(b->max.x, p.x), fmaxf(b->max.y, p.y), fmaxf(b->max.z, p.z)};
}

/* The box of all particles and of all solids that have an end. */
static box find_view(play_session *s) {
    box b = {0};
    if (rill_frame_of_world(&s->frame, s->world, NULL)) return b;
    const rill_frame *f = &s->frame;
    const rill_view *position = rill_frame_field(f, "position");
    for (int k = 0; k < f->count; k++) grow(&b, rill_frame_vec(f, position, k));
    for (int k = 0; k < f->solid_count; k++) {
        rill_shape_surface surface = {0};
        if (!rill_shape_surface_make(rill_frame_shape(f, k), f->dim, 0, &surface, NULL))
            for (int p = 0; p < surface.point_count; p++)
                grow(&b, rill_transform_point(&f->solid[k].transform, surface.point[p]));
        rill_shape_surface_free(&surface);
    }
    return b;
}

static bool is_equal(rill_vec a, rill_vec b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void write_view(play_session *s, json *j, int dim) {
    const scene_picture *picture = &s->scene->picture;
    box b = find_view(s);
    if (dim == 2 && !is_equal(picture->min, picture->max)) b = (box){picture->min, picture->max, true};
    rill_json_object(j, "view");
    rill_play_json_vec(j, "min", b.min, dim);
    rill_play_json_vec(j, "max", b.max, dim);
    rill_json_end_object(j);
    if (dim == 2 || is_equal(picture->eye, picture->target)) return;
    rill_json_object(j, "camera");
    rill_play_json_vec(j, "eye", picture->eye, 3);
    rill_play_json_vec(j, "target", picture->target, 3);
    rill_play_json_vec(j, "up", picture->up, 3);
    rill_json_number(j, "fov", (double)picture->field_of_view);
    rill_json_end_object(j);
}

void rill_play_tell_info(play_session *s, int client) {
    play_text t;
    if (!s->world || !rill_play_text_begin(&t, "info")) return;
    const rill_world_def *def = rill_world_get_def(s->world);
    json *j = &t.json;
    rill_json_text(j, "engine", s->def.engine);
    rill_json_text(j, "version", rill_version());
    rill_json_text(j, "name", s->scene->name);
    rill_json_text(j, "about", rill_scene_about(s->scene));
    rill_json_integer(j, "dim", def->dim);
    rill_json_number(j, "spacing", (double)def->spacing);
    rill_json_number(j, "support", (double)rill_world_support(s->world));
    rill_json_integer(j, "particles", rill_world_particle_count(s->world));
    rill_json_integer(j, "limit", s->def.particle_limit);
    rill_json_text(j, "method", def->method);
    write_methods(j);
    write_fluids(s, j);
    write_looks(j);
    write_view(s, j, def->dim);
    rill_play_json_vec(j, "gravity", def->gravity, def->dim);
    rill_json_integer(j, "threads", rill_world_workers(s->world));
    rill_json_text(j, "simd", rill_world_simd(s->world));
    write_all_rows(s, j);
    write_gauges(s, j);
    write_emitters(s, j, def->dim);
    rill_json_bool(j, "playing", s->playing);
    rill_json_bool(j, "failed", s->failed);
    rill_json_bool(j, "replaying", s->replay.active);
    rill_json_number(j, "rate", (double)s->rate);
    rill_json_integer(j, "step", s->step);
    rill_play_text_send(s, client, &t);
}

/* ---- numbers ---- */

static void write_phases(play_session *s, json *j) {
    /* Means are per step of the world; a page shows them per step of the session, a sixtieth of a second. */
    const double shown = s->told_steps < s->step ? (double)(s->step - s->told_steps) : 1;
    const double steps = (double)s->window.steps / shown;
    double total = 0;
    rill_json_object(j, "ms");
    for (int k = 0; k < RILL_PHASE_COUNT; k++) {
        const double mean = steps > 0 ? rill_statistic_value(&s->window, NULL, STATISTIC_PHASES + k) : 0;
        total += mean * steps;
        rill_json_number(j, rill_phase_name((rill_phase)k), mean * steps);
    }
    rill_json_number(j, "total", total);
    rill_json_end_object(j);
}

static void write_readings(play_session *s, json *j) {
    rill_json_array(j, "gauges");
    for (int k = 0; k < rill_world_gauge_count(s->world); k++) {
        rill_reading reading = {0};
        rill_json_array(j, NULL);
        if (!rill_world_read_gauge(s->world, rill_world_gauge_at(s->world, k), &reading))
            for (int v = 0; v < reading.count; v++) rill_json_number(j, NULL, reading.value[v]);
        rill_json_end_array(j);
    }
    rill_json_end_array(j);
}

void rill_play_tell_numbers(play_session *s, int viewers) {
    play_text t;
    if (!s->world || !rill_play_text_begin(&t, "numbers")) return;
    const rill_stats *stats = rill_world_stats(s->world);
    json *j = &t.json;
    rill_json_integer(j, "step", s->step);
    rill_json_number(j, "time", s->time);
    rill_json_integer(j, "particles", rill_world_particle_count(s->world));
    rill_json_number(j, "substeps",
                     s->told_steps < s->step ? (double)s->substeps / (double)(s->step - s->told_steps) : 0);
    rill_json_integer(j, "iterations", stats->iterations);
    rill_json_number(j, "density_error_mean", stats->density_error_mean);
    rill_json_number(j, "density_error_max", stats->density_error_max);
    rill_json_number(j, "kinetic", stats->kinetic_energy);
    rill_json_number(j, "potential", stats->potential_energy);
    rill_json_number(j, "max_speed", stats->max_speed);
    write_phases(s, j);
    rill_json_number(j, "factor", s->clock.factor);
    rill_json_number(j, "rate", (double)s->rate);
    rill_json_number(j, "steps_per_second", s->clock.steps_a_second);
    rill_json_integer(j, "dropped", s->clock.dropped);
    rill_json_bool(j, "capped", s->capped);
    rill_json_integer(j, "bytes", (int64_t)(stats->bytes + s->moment_bytes + s->recording.text.capacity));
    rill_json_integer(j, "viewers", viewers);
    rill_json_number(j, "rewind", rill_play_rewind_seconds(s));
    write_readings(s, j);
    rill_play_text_send(s, PLAY_EVERYBODY, &t);
    s->window = (statistic_window){0};
    s->substeps = 0, s->told_steps = s->step;
    s->capped = false;
}

/* SPDX-License-Identifier: MIT */
/* The shapes of a world as lines or triangles, sent once and whenever solids are added or removed. */
#include "play/session.h"

#include <string.h>

/* Meshes with more points than this are not sent. */
#define POINTS_MAX 200000

static const char *kind_name(const rill_shape *shape, char *buffer, size_t size) {
    const rill_param *kind = rill_table_find(rill_object_table(RILL_OBJECT_SHAPE), "shape");
    return kind && kind->choices ? rill_choice_name(kind->choices, shape->kind, buffer, size) : "";
}

static void write_surface(json *j, const rill_shape_surface *surface, int dim) {
    rill_json_array(j, "points");
    for (int k = 0; k < surface->point_count; k++) {
        const float value[3] = {surface->point[k].x, surface->point[k].y, surface->point[k].z};
        char text[32];
        for (int axis = 0; axis < dim && axis < 3; axis++) {
            snprintf(text, sizeof text, "%.6g", (double)value[axis]);
            rill_json_raw(j, NULL, text);
        }
    }
    rill_json_end_array(j);
    rill_json_array(j, "cells");
    for (int k = 0; k < surface->cell_count * surface->corners; k++) rill_json_integer(j, NULL, surface->cell[k]);
    rill_json_end_array(j);
}

static void write_shape(json *j, const rill_shape *shape, int number, int dim) {
    char name[RILL_NAME_SIZE];
    rill_shape_surface surface = {0};
    rill_json_object(j, NULL);
    rill_json_integer(j, "id", number);
    rill_json_text(j, "kind", kind_name(shape, name, sizeof name));
    rill_json_bool(j, "inside", shape->inside);
    if (shape->kind == RILL_HALF_SPACE) {
        rill_json_object(j, "plane");
        rill_play_json_vec(j, "position", shape->position, dim);
        rill_play_json_vec(j, "normal", shape->normal, dim);
        rill_json_end_object(j);
    }
    if (rill_shape_surface_make(shape, dim, 0, &surface, NULL) || surface.point_count > POINTS_MAX)
        rill_shape_surface_free(&surface);
    write_surface(j, &surface, dim);
    rill_shape_surface_free(&surface);
    rill_json_end_object(j);
}

void rill_play_tell_shapes(play_session *s, int client) {
    play_text t;
    if (!s->world || rill_frame_of_world(&s->frame, s->world, NULL)) return;
    if (!rill_play_text_begin(&t, "shapes")) return;
    rill_json_integer(&t.json, "version", s->shapes_version);
    rill_json_array(&t.json, "shapes");
    for (int k = 0; k < s->frame.shape_count; k++)
        if (s->frame.shape[k]) write_shape(&t.json, s->frame.shape[k], k, s->frame.dim);
    rill_json_end_array(&t.json);
    rill_play_text_send(s, client, &t);
}

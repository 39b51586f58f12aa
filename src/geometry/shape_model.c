/* SPDX-License-Identifier: MIT */
/* Models of shapes: keys, distance fields, edges. */
#include "geometry/shape_model.h"

#include "core/error.h"
#include "core/hash.h"

#include <float.h>
#include <string.h>

/* ---- keys ---- */

/* Sizes that differ only by rounding, depending on where a shape lies, must give the same key: they are rounded to a
   ten-thousandth of the spacing. */
static uint64_t hash_size(uint64_t h, rill_vec a, rill_vec b, float spacing) {
    const double unit = 1e-4 * (double)spacing;
    const double numbers[3] = {round(((double)b.x - (double)a.x) / unit), round(((double)b.y - (double)a.y) / unit),
                               round(((double)b.z - (double)a.z) / unit)};
    return rill_hash_bytes(h, numbers, sizeof numbers);
}

uint64_t rill_shape_model_key(const rill_shape *s, const shape_context *c) {
    const int32_t whole[4] = {s->kind, s->inside, s->columns, c->dim};
    uint64_t h = rill_hash_bytes(HASH_START, whole, sizeof whole);
    const float numbers[7] = {s->radius, s->tube, s->scale, s->depth, s->thickness, s->cell, c->spacing};
    h = rill_hash_bytes(h, numbers, sizeof numbers);
    if (s->kind == RILL_BOX) h = hash_size(h, s->min, s->max, c->spacing);
    if (s->kind == RILL_CAPSULE || s->kind == RILL_CYLINDER) h = hash_size(h, s->position, s->end, c->spacing);
    if (s->kind == RILL_TORUS) h = hash_size(h, (rill_vec){0}, s->normal, 1.0f);
    h = rill_hash_bytes(h, s->points.data, sizeof(rill_vec) * (size_t)s->points.count);
    return rill_hash_mix(h);
}

/* ---- making ---- */

int rill_shape_box_count(const shape_model *model) {
    return (model->edges.count + EDGE_BOX - 1) / EDGE_BOX;
}

static rill_status make_boxes(shape_model *model, memory *m, rill_error *error) {
    const int count = rill_shape_box_count(model);
    model->boxes = rill_memory_get(m, sizeof *model->boxes * (size_t)count);
    if (!model->boxes) return rill_fail(error, RILL_MEMORY, "no memory for %d edges", model->edges.count);
    for (int b = 0; b < count; b++) {
        float *box = model->boxes[b];
        box[0] = box[1] = FLT_MAX, box[2] = box[3] = -FLT_MAX;
        for (int k = EDGE_BOX * b; k < EDGE_BOX * (b + 1) && k < model->edges.count; k++)
            for (int end = 0; end < 4; end += 2)
                for (int axis = 0; axis < 2; axis++) {
                    box[axis] = fminf(box[axis], model->edges.edges[k][end + axis]);
                    box[2 + axis] = fmaxf(box[2 + axis], model->edges.edges[k][end + axis]);
                }
    }
    return RILL_OK;
}

/* The host may cache fields: a large one takes seconds to build. */
static distance_field *cached_field(const shape_context *c, field_key key) {
    size_t size = 0;
    if (!c->cache || !c->cache->load) return NULL;
    const void *bytes = c->cache->load(rill_field_key_name(&key), &size, c->cache->context);
    if (!bytes) return NULL;
    distance_field *field = rill_field_from_bytes(c->memory, bytes, size, NULL);
    if (c->cache->release) c->cache->release(bytes, size, c->cache->context);
    if (!field || memcmp(&field->key, &key, sizeof key) == 0) return field;
    rill_field_free(c->memory, field);
    return NULL;
}

static void keep_field(const shape_context *c, const distance_field *field) {
    if (!c->cache || !c->cache->save) return;
    const size_t size = rill_field_byte_count(field);
    void *bytes = rill_memory_get(c->memory, size);
    if (!bytes) return;
    rill_field_to_bytes(field, bytes);
    c->cache->save(rill_field_key_name(&field->key), bytes, size, c->cache->context);
    rill_memory_release(c->memory, bytes, size);
}

static rill_status make_field(shape_model *model, const shape_context *c, const rill_shape *s, rill_error *error) {
    owned_mesh surface;
    rill_status status = rill_shape_mesh(c->memory, s, (double)c->spacing, &surface, error);
    if (status != RILL_OK) return status;
    const mesh view = rill_mesh_view(&surface);
    const float cell = s->cell > 0.0f ? s->cell : 0.5f * c->spacing;
    const field_options options = {cell, fmaxf(c->support, 2.0f * c->spacing), s->thickness};
    rill_error reason = {RILL_OK, ""};
    status = rill_mesh_check(&view, &reason); /* the hash reads as many vertices and triangles as the counts say */
    if (status == RILL_OK) {
        model->field = cached_field(c, rill_field_key_of(&view, &options));
        if (!model->field) {
            model->field = rill_field_build(c->memory, c->workers, &view, &options, &reason);
            status = model->field ? RILL_OK : reason.status;
            if (model->field) keep_field(c, model->field);
        }
    }
    rill_owned_mesh_free(c->memory, &surface);
    return status == RILL_OK ? RILL_OK : rill_fail(error, status, "%s: %s", *s->file ? s->file : "shape", reason.text);
}

static rill_status fill(shape_model *model, const shape_context *c, const rill_shape *s, rill_error *error) {
    const bool has_edges = s->kind == RILL_POLYGON || s->kind == RILL_SEGMENTS;
    const bool has_points = s->kind == RILL_HULL || s->kind == RILL_MESH || s->kind == RILL_HEIGHTFIELD;
    if (c->dim == 3) return has_points ? make_field(model, c, s, error) : RILL_OK;
    if (!has_edges && !has_points) return RILL_OK;
    const rill_status status = rill_shape_edges(c->memory, s, &model->edges, error);
    if (status == RILL_OK && model->edges.count == 0)
        return rill_fail(error, RILL_INVALID,
                         "points: all points of the shape are the same; expected different points");
    return status == RILL_OK ? make_boxes(model, c->memory, error) : status;
}

rill_status rill_shape_model_make(shape_model *model, const shape_context *c, const rill_shape *s, rill_error *error) {
    *model = (shape_model){.dim = c->dim};
    const rill_status status = fill(model, c, s, error);
    if (status != RILL_OK) rill_shape_model_free(c->memory, model);
    return status;
}

void rill_shape_model_free(memory *m, shape_model *model) {
    if (model->field) rill_field_free(m, model->field);
    if (model->boxes) rill_memory_release(m, model->boxes, sizeof *model->boxes * (size_t)rill_shape_box_count(model));
    rill_outline_free(m, &model->edges);
    *model = (shape_model){0};
}

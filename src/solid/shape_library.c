/* SPDX-License-Identifier: MIT */
/* Shapes of a world: made once, shared, with a count of uses. */
#include "solid/shape_library.h"

#include "core/error.h"

static shared_shape **slots_of(const shape_library *library) {
    return library->shapes.data;
}

/* ---- memory ---- */

static size_t curvature_blocks(const curvature_map *c) {
    return (size_t)c->blocks[0] * (size_t)c->blocks[1] * (size_t)c->blocks[2];
}

static size_t curvature_bytes(const curvature_map *c, int dim) {
    const size_t side = CURVATURE_BLOCK + 1;
    return sizeof(float) * (size_t)c->count * (dim == 2 ? side * side : side * side * side);
}

static size_t sample_cells(const sample_set *s) {
    return (size_t)s->cells[0] * (size_t)s->cells[1] * (size_t)s->cells[2];
}

void rill_shape_forget_walls(memory *m, shared_shape *shape) {
    curvature_map *c = &shape->curvature;
    if (c->index) rill_memory_release(m, c->index, sizeof(int32_t) * curvature_blocks(c));
    if (c->nodes) rill_memory_release(m, c->nodes, curvature_bytes(c, shape->model.dim));
    *c = (curvature_map){0};
    sample_set *s = &shape->samples;
    if (s->points) rill_memory_release(m, s->points, sizeof *s->points * (size_t)s->count);
    if (s->first) rill_memory_release(m, s->first, sizeof *s->first * (sample_cells(s) + 1));
    *s = (sample_set){0};
    face_set *faces = &shape->faces;
    if (faces->cells) rill_memory_release(m, faces->cells, sizeof *faces->cells * (size_t)faces->count);
    *faces = (face_set){0};
    shape->support = shape->spacing = 0.0f;
}

size_t rill_shape_held_bytes(const shared_shape *shape) {
    const curvature_map *c = &shape->curvature;
    size_t bytes = shape->model.field ? shape->model.field->bytes : 0;
    if (c->nodes) bytes += curvature_bytes(c, shape->model.dim);
    if (c->index) bytes += sizeof(int32_t) * curvature_blocks(c);
    const sample_set *s = &shape->samples;
    if (s->points) bytes += sizeof *s->points * (size_t)s->count;
    if (s->first) bytes += sizeof *s->first * (sample_cells(s) + 1);
    if (shape->faces.cells) bytes += sizeof *shape->faces.cells * (size_t)shape->faces.count;
    if (shape->points) bytes += sizeof *shape->points * SURFACE_POINTS_MAX;
    return bytes + sizeof *shape->model.edges.edges * (size_t)shape->model.edges.room;
}

static void destroy(memory *m, shared_shape *shape) {
    rill_shape_forget_walls(m, shape);
    rill_shape_model_free(m, &shape->model);
    if (shape->points) rill_memory_release(m, shape->points, sizeof *shape->points * SURFACE_POINTS_MAX);
    rill_memory_release(m, shape, sizeof *shape);
}

/* ---- shapes ---- */

static shared_shape **free_slot(shape_library *library, memory *m) {
    for (int k = 0; k < library->count; k++)
        if (!slots_of(library)[k]) return &slots_of(library)[k];
    const size_t used = sizeof(shared_shape *) * (size_t)library->count;
    if (used + sizeof(shared_shape *) > library->shapes.size &&
        !rill_buffer_reserve(m, &library->shapes, 2 * used + 16 * sizeof(shared_shape *), used))
        return NULL;
    return &slots_of(library)[library->count++];
}

shared_shape *rill_shape_take(shape_library *library, const shape_context *c, const rill_shape *s, rill_error *error) {
    const uint64_t key = rill_shape_model_key(s, c);
    for (int k = 0; k < library->count; k++)
        if (slots_of(library)[k] && slots_of(library)[k]->key == key) {
            slots_of(library)[k]->uses++;
            return slots_of(library)[k];
        }
    shared_shape *shape = rill_memory_get(c->memory, sizeof *shape);
    if (!shape) {
        rill_fail(error, RILL_MEMORY, "no memory for a shape");
        return NULL;
    }
    *shape = (shared_shape){.key = key, .uses = 1};
    shared_shape **slot = NULL;
    const bool made = rill_shape_model_make(&shape->model, c, s, error) == RILL_OK;
    if (made && !(slot = free_slot(library, c->memory))) rill_fail(error, RILL_MEMORY, "no memory for a shape");
    if (!slot) {
        destroy(c->memory, shape);
        return NULL;
    }
    return *slot = shape;
}

static void shape_drop(shape_library *library, memory *m, shared_shape *shape) {
    if (!shape || --shape->uses > 0) return;
    for (int k = 0; k < library->count; k++)
        if (slots_of(library)[k] == shape) slots_of(library)[k] = NULL;
    destroy(m, shape);
}

void rill_shape_library_free(shape_library *library, memory *m) {
    for (int k = 0; k < library->count; k++)
        if (slots_of(library)[k]) destroy(m, slots_of(library)[k]);
    rill_buffer_free(m, &library->shapes);
    library->count = 0;
}

/* ---- compounds ---- */

rill_status rill_shape_models_take(shape_library *library, const shape_context *c, const rill_shape *s,
                                   shape_models *out, rill_error *error) {
    const int count = s->kind == RILL_COMPOUND ? s->parts.count : 1;
    *out = (shape_models){.items = rill_memory_get(c->memory, sizeof(shared_shape *) * (size_t)count)};
    if (!out->items) return rill_fail(error, RILL_MEMORY, "no memory for a shape of %d parts", count);
    for (int k = 0; k < count; k++) {
        const rill_shape part = s->kind == RILL_COMPOUND ? rill_shape_scaled(&s->parts.data[k], s->scale) : *s;
        out->items[k] = rill_shape_take(library, c, &part, error);
        out->count = k + 1;
        if (out->items[k]) continue;
        /* The list keeps its allocated length; entries that were not taken are NULL. */
        for (int rest = k + 1; rest < count; rest++) out->items[rest] = NULL;
        out->count = count;
        rill_shape_models_drop(library, c->memory, out);
        return error ? error->status : RILL_MEMORY;
    }
    return RILL_OK;
}

void rill_shape_models_drop(shape_library *library, memory *m, shape_models *models) {
    for (int k = 0; k < models->count; k++) shape_drop(library, m, models->items[k]);
    if (models->items) rill_memory_release(m, models->items, sizeof(shared_shape *) * (size_t)models->count);
    *models = (shape_models){0};
}

/* SPDX-License-Identifier: MIT */
/* Models of shapes: made once, shared, counted. */
#include "geometry/shape_model.h"

#include "core/error.h"
#include "core/hash.h"

#include <float.h>
#include <string.h>

#define BLOCK_CELLS 8

size_t block_grid_nodes(int dim) {
    const size_t side = BLOCK_CELLS + 1;
    return dim == 2 ? side * side : side * side * side;
}

/* ---- keys ---- */

/* Sizes that differ by the rounding of where a shape lies are the same: a ten-thousandth of a spacing does not count.
 */
static uint64_t hash_size(uint64_t h, rill_vec a, rill_vec b, float spacing) {
    const double unit = 1e-4 * (double)spacing;
    const double numbers[3] = {round(((double)b.x - (double)a.x) / unit), round(((double)b.y - (double)a.y) / unit),
                               round(((double)b.z - (double)a.z) / unit)};
    return hash_bytes(h, numbers, sizeof numbers);
}

/* Everything that the shape in its own frame depends on: where it lies and how it is turned does not count. */
static uint64_t key_of(const rill_shape *s, const shape_context *c) {
    const int32_t whole[4] = {s->kind, s->inside, s->columns, c->dim};
    uint64_t h = hash_bytes(HASH_START, whole, sizeof whole);
    const float numbers[7] = {s->radius, s->tube, s->scale, s->depth, s->thickness, s->cell, c->spacing};
    h = hash_bytes(h, numbers, sizeof numbers);
    if (s->kind == RILL_BOX) h = hash_size(h, s->min, s->max, c->spacing);
    if (s->kind == RILL_CAPSULE || s->kind == RILL_CYLINDER) h = hash_size(h, s->position, s->end, c->spacing);
    if (s->kind == RILL_TORUS) h = hash_size(h, (rill_vec){0}, s->normal, 1.0f);
    h = hash_bytes(h, s->points.data, sizeof(rill_vec) * (size_t)s->points.count);
    return hash_mix(h);
}

/* ---- making ---- */

int shape_box_count(const shape_model *model) {
    return (model->edges.count + EDGE_BOX - 1) / EDGE_BOX;
}

static rill_status make_boxes(shape_model *model, memory *m, rill_error *error) {
    const int count = shape_box_count(model);
    model->boxes = memory_get(m, sizeof *model->boxes * (size_t)count);
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

/* The host may keep fields: a large one takes seconds to make. */
static distance_field *cached_field(const shape_context *c, field_key key) {
    size_t size = 0;
    if (!c->cache || !c->cache->load) return NULL;
    const void *bytes = c->cache->load(field_key_name(&key), &size, c->cache->context);
    if (!bytes) return NULL;
    distance_field *field = field_from_bytes(c->memory, bytes, size, NULL);
    if (c->cache->release) c->cache->release(bytes, size, c->cache->context);
    if (!field || memcmp(&field->key, &key, sizeof key) == 0) return field;
    field_free(c->memory, field);
    return NULL;
}

static void keep_field(const shape_context *c, const distance_field *field) {
    if (!c->cache || !c->cache->save) return;
    const size_t size = field_byte_count(field);
    void *bytes = memory_get(c->memory, size);
    if (!bytes) return;
    field_to_bytes(field, bytes);
    c->cache->save(field_key_name(&field->key), bytes, size, c->cache->context);
    memory_release(c->memory, bytes, size);
}

static rill_status make_field(shape_model *model, const shape_context *c, const rill_shape *s, rill_error *error) {
    owned_mesh surface;
    rill_status status = shape_mesh(c->memory, s, (double)c->spacing, &surface, error);
    if (status != RILL_OK) return status;
    const mesh view = mesh_view(&surface);
    const float cell = s->cell > 0.0f ? s->cell : 0.5f * c->spacing;
    const field_options options = {cell, fmaxf(c->support, 2.0f * c->spacing), s->thickness};
    rill_error reason = {RILL_OK, ""};
    status = mesh_check(&view, &reason); /* the hash reads all that the counts promise */
    if (status == RILL_OK) {
        model->field = cached_field(c, field_key_of(&view, &options));
        if (!model->field) {
            model->field = field_build(c->memory, c->workers, &view, &options, &reason);
            status = model->field ? RILL_OK : reason.status;
            if (model->field) keep_field(c, model->field);
        }
    }
    owned_mesh_free(c->memory, &surface);
    return status == RILL_OK ? RILL_OK : rill_fail(error, status, "%s: %s", *s->file ? s->file : "shape", reason.text);
}

static rill_status fill(shape_model *model, const shape_context *c, const rill_shape *s, rill_error *error) {
    const bool has_edges = s->kind == RILL_POLYGON || s->kind == RILL_SEGMENTS;
    const bool has_points = s->kind == RILL_HULL || s->kind == RILL_MESH || s->kind == RILL_HEIGHTFIELD;
    if (c->dim == 3) return has_points ? make_field(model, c, s, error) : RILL_OK;
    if (!has_edges && !has_points) return RILL_OK;
    const rill_status status = shape_edges(c->memory, s, &model->edges, error);
    if (status == RILL_OK && model->edges.count == 0)
        return rill_fail(error, RILL_INVALID, "points: all points of the shape are the same; expected a body");
    return status == RILL_OK ? make_boxes(model, c->memory, error) : status;
}

/* ---- points for contacts ---- */

/* Corners, and the middles of edges: what sticks out comes first, and flat faces are held by their rims. */
static int touch_candidates(const shape_context *c, const rill_shape *s, const shape_model *model, float (**out)[3],
                            rill_error *error) {
    owned_mesh surface = {0};
    if (c->dim == 3 && shape_mesh(c->memory, s, (double)c->spacing, &surface, error) != RILL_OK) return -1;
    const outline *o = &model->edges;
    const int edges = c->dim == 3 ? 3 * surface.triangle_count : o->count, count = 2 * edges;
    float(*points)[3] = memory_get(c->memory, sizeof *points * (size_t)count);
    for (int k = 0; points && k < edges; k++) {
        float a[3] = {0}, b[3] = {0};
        if (c->dim == 3) {
            memcpy(a, surface.vertices[surface.triangles[k / 3][k % 3]], sizeof a);
            memcpy(b, surface.vertices[surface.triangles[k / 3][(k + 1) % 3]], sizeof b);
        } else {
            memcpy(a, o->edges[k], sizeof(float[2]));
            memcpy(b, o->edges[k] + 2, sizeof(float[2]));
        }
        for (int axis = 0; axis < 3; axis++) {
            points[2 * k][axis] = a[axis];
            points[2 * k + 1][axis] = 0.5f * (a[axis] + b[axis]);
        }
    }
    owned_mesh_free(c->memory, &surface);
    *out = points;
    if (!points) rill_fail(error, RILL_MEMORY, "no memory for the contacts of a shape");
    return points ? count : -1;
}

static float squared_distance(const float *a, const float *b) {
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

/* One after the other the point farthest from all that were chosen, from the one farthest from the origin on. */
static int choose_far_apart(float (*points)[3], float *nearest, int count, float (*chosen)[3]) {
    const float origin[3] = {0};
    for (int k = 0; k < count; k++) nearest[k] = squared_distance(points[k], origin);
    int n = 0;
    float first = 0.0f;
    while (n < TOUCH_POINTS_MAX && n < count) {
        int best = 0;
        for (int k = 1; k < count; k++)
            if (nearest[k] > nearest[best]) best = k;
        if (n == 1) first = nearest[best];
        if (n > 1 && !(nearest[best] > 1e-6f * first)) break;
        memcpy(chosen[n], points[best], sizeof *chosen);
        for (int k = 0; k < count; k++) {
            const float d = squared_distance(points[k], chosen[n]);
            nearest[k] = n == 0 ? d : fminf(nearest[k], d);
        }
        n++;
    }
    return n;
}

rill_status shape_model_touch(shape_model *model, const shape_context *c, const rill_shape *s, rill_error *error) {
    float(*points)[3] = NULL;
    if (model->touch) return RILL_OK;
    const int count = touch_candidates(c, s, model, &points, error);
    if (count < 0) return error ? error->status : RILL_MEMORY;
    const size_t size = sizeof(float) * (size_t)count;
    float *nearest = memory_get(c->memory, size);
    model->touch = memory_get(c->memory, sizeof *model->touch * TOUCH_POINTS_MAX);
    const bool ok = nearest && model->touch;
    if (ok) model->touch_count = choose_far_apart(points, nearest, count, model->touch);
    if (nearest) memory_release(c->memory, nearest, size);
    memory_release(c->memory, points, sizeof *points * (size_t)count);
    return ok ? RILL_OK : rill_fail(error, RILL_MEMORY, "no memory for the contacts of a shape");
}

/* ---- the library ---- */

static shape_model **slots_of(const shape_library *library) {
    return library->models.data;
}

void shape_model_forget(memory *m, shape_model *model) {
    block_grid *g = &model->scale;
    const size_t blocks = (size_t)g->blocks[0] * (size_t)g->blocks[1] * (size_t)g->blocks[2];
    if (g->index) memory_release(m, g->index, sizeof(int32_t) * blocks);
    if (g->nodes) memory_release(m, g->nodes, sizeof(float) * (size_t)g->count * block_grid_nodes(model->dim));
    *g = (block_grid){0};
    sample_set *s = &model->samples;
    const size_t cells = (size_t)s->cells[0] * (size_t)s->cells[1] * (size_t)s->cells[2];
    if (s->points) memory_release(m, s->points, sizeof *s->points * (size_t)s->count);
    if (s->first) memory_release(m, s->first, sizeof(int32_t) * (cells + 1));
    *s = (sample_set){0};
    model->support = model->spacing = 0.0f;
}

static void destroy(memory *m, shape_model *model) {
    shape_model_forget(m, model);
    if (model->field) field_free(m, model->field);
    if (model->boxes) memory_release(m, model->boxes, sizeof *model->boxes * (size_t)shape_box_count(model));
    if (model->touch) memory_release(m, model->touch, sizeof *model->touch * TOUCH_POINTS_MAX);
    outline_free(m, &model->edges);
    memory_release(m, model, sizeof *model);
}

static shape_model **free_slot(shape_library *library, memory *m) {
    for (int k = 0; k < library->count; k++)
        if (!slots_of(library)[k]) return &slots_of(library)[k];
    const size_t used = sizeof(shape_model *) * (size_t)library->count;
    if (used + sizeof(shape_model *) > library->models.size &&
        !buffer_reserve(m, &library->models, 2 * used + 16 * sizeof(shape_model *), used))
        return NULL;
    return &slots_of(library)[library->count++];
}

shape_model *shape_model_take(shape_library *library, const shape_context *c, const rill_shape *s, rill_error *error) {
    const uint64_t key = key_of(s, c);
    for (int k = 0; k < library->count; k++)
        if (slots_of(library)[k] && slots_of(library)[k]->key == key) {
            slots_of(library)[k]->uses++;
            return slots_of(library)[k];
        }
    shape_model *model = memory_get(c->memory, sizeof *model);
    if (!model) {
        rill_fail(error, RILL_MEMORY, "no memory for a shape");
        return NULL;
    }
    *model = (shape_model){.key = key, .uses = 1, .dim = c->dim};
    shape_model **slot = NULL;
    const bool made = fill(model, c, s, error) == RILL_OK;
    if (made && !(slot = free_slot(library, c->memory))) rill_fail(error, RILL_MEMORY, "no memory for a shape");
    if (!slot) {
        destroy(c->memory, model);
        return NULL;
    }
    return *slot = model;
}

void shape_model_drop(shape_library *library, memory *m, shape_model *model) {
    if (!model || --model->uses > 0) return;
    for (int k = 0; k < library->count; k++)
        if (slots_of(library)[k] == model) slots_of(library)[k] = NULL;
    destroy(m, model);
}

void shape_library_free(shape_library *library, memory *m) {
    for (int k = 0; k < library->count; k++)
        if (slots_of(library)[k]) destroy(m, slots_of(library)[k]);
    buffer_free(m, &library->models);
    library->count = 0;
}

/* ---- compounds ---- */

rill_status shape_models_take(shape_library *library, const shape_context *c, const rill_shape *s, shape_models *out,
                              rill_error *error) {
    const int count = s->kind == RILL_COMPOUND ? s->parts.count : 1;
    *out = (shape_models){.items = memory_get(c->memory, sizeof(shape_model *) * (size_t)count)};
    if (!out->items) return rill_fail(error, RILL_MEMORY, "no memory for a shape of %d parts", count);
    for (int k = 0; k < count; k++) {
        const rill_shape part = s->kind == RILL_COMPOUND ? shape_scaled(&s->parts.data[k], s->scale) : *s;
        out->items[k] = shape_model_take(library, c, &part, error);
        out->count = k + 1;
        if (out->items[k]) continue;
        /* The list is as long as it was asked for; what was not taken is NULL. */
        for (int rest = k + 1; rest < count; rest++) out->items[rest] = NULL;
        out->count = count;
        shape_models_drop(library, c->memory, out);
        return error ? error->status : RILL_MEMORY;
    }
    return RILL_OK;
}

void shape_models_drop(shape_library *library, memory *m, shape_models *models) {
    for (int k = 0; k < models->count; k++) shape_model_drop(library, m, models->items[k]);
    if (models->items) memory_release(m, models->items, sizeof(shape_model *) * (size_t)models->count);
    *models = (shape_models){0};
}

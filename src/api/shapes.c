/* SPDX-License-Identifier: MIT */
/* The shapes that a world keeps: checking them, copying their points and parts, and making their models. */
#include "api/shapes.h"

#include "api/pool.h"
#include "core/error.h"
#include "solid/solids.h"

#include <math.h>
#include <string.h>

static rill_status check_numbers(rill_world *w, const rill_shape *shape) {
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_SHAPE), shape, &w->error));
    for (int k = 0; k < shape->points.count; k++) {
        const rill_vec *p = shape->points.data ? &shape->points.data[k] : NULL;
        if (!p || !isfinite(p->x) || !isfinite(p->y) || (w->def.dim == 3 && !isfinite(p->z)))
            return rill_fail(&w->error, RILL_INVALID, "points: point %d is missing or not finite", k);
    }
    return RILL_OK;
}

rill_status rill_check_shape(rill_world *w, const rill_shape *shape) {
    rill_status status = check_numbers(w, shape);
    const bool compound = shape->kind == RILL_COMPOUND && shape->parts.data;
    for (int k = 0; status == RILL_OK && compound && k < shape->parts.count; k++)
        status = check_numbers(w, &shape->parts.data[k]);
    return status == RILL_OK ? solid_operations_of(w)->check_shape(shape, &w->error) : status;
}

/* ---- copies ---- */

/* The world allocated this copy, so casting const away is safe. */
static void release_data(rill_world *w, const void *data, size_t size) {
    void *copy;
    memcpy(&copy, &data, sizeof copy);
    if (copy) rill_memory_release(&w->memory, copy, size);
}

static rill_status own_points(rill_world *w, rill_points *points) {
    const size_t size = sizeof(rill_vec) * (size_t)(points->count > 0 ? points->count : 0);
    if (size == 0) {
        *points = (rill_points){0};
        return RILL_OK;
    }
    rill_vec *copy = rill_memory_get(&w->memory, size);
    if (!copy) return rill_fail(&w->error, RILL_MEMORY, "no memory for %d points", points->count);
    memcpy(copy, points->data, size);
    points->data = copy;
    return RILL_OK;
}

static rill_status own_parts(rill_world *w, rill_shape *shape) {
    const rill_parts given = shape->parts;
    shape->parts = (rill_parts){0};
    if (shape->kind != RILL_COMPOUND) return RILL_OK;
    const size_t size = sizeof(rill_shape) * (size_t)given.count;
    rill_shape *copy = rill_memory_get(&w->memory, size);
    if (!copy) return rill_fail(&w->error, RILL_MEMORY, "no memory for %d parts", given.count);
    memcpy(copy, given.data, size);
    for (int k = 0; k < given.count; k++) {
        copy[k].parts = (rill_parts){0};
        if (own_points(w, &copy[k].points) == RILL_OK) continue;
        for (int rest = k; rest < given.count; rest++) copy[rest].points = (rill_points){0};
        shape->parts = (rill_parts){copy, given.count};
        return RILL_MEMORY;
    }
    shape->parts = (rill_parts){copy, given.count};
    return RILL_OK;
}

/* Replaces the points and parts of a shape by copies that it owns. */
static rill_status shape_own(rill_world *w, rill_shape *shape) {
    const rill_status status = own_points(w, &shape->points);
    if (status != RILL_OK) {
        shape->points = (rill_points){0};
        shape->parts = (rill_parts){0};
        return status;
    }
    if (own_parts(w, shape) == RILL_OK) return RILL_OK;
    rill_shape_release(w, shape);
    return RILL_MEMORY;
}

static void release_points(rill_world *w, rill_points *points) {
    release_data(w, points->data, sizeof(rill_vec) * (size_t)points->count);
    *points = (rill_points){0};
}

void rill_shape_release(rill_world *w, rill_shape *shape) {
    release_points(w, &shape->points);
    for (int k = 0; k < shape->parts.count; k++) {
        rill_points points = shape->parts.data[k].points;
        release_points(w, &points);
    }
    release_data(w, shape->parts.data, sizeof(rill_shape) * (size_t)shape->parts.count);
    shape->parts = (rill_parts){0};
}

/* ---- reading ---- */

rill_status rill_world_solid_info(const rill_world *w, rill_solid_id id, rill_solid_info *info) {
    const solid *s = w ? POOL_GET(w, solid, id) : NULL;
    if (!s || !info) return RILL_NOT_FOUND;
    *info = (rill_solid_info){.closed = true};
    for (int k = 0; k < s->models.count; k++) {
        const shape_model *m = &s->models.items[k]->model;
        info->bytes += rill_shape_held_bytes(s->models.items[k]);
        info->samples += s->models.items[k]->samples.count;
        if (!m->field) continue;
        const mesh_report *r = &m->field->report;
        info->volume += m->field->solid.volume, info->area += m->field->area;
        info->cell = fmaxf(info->cell, m->field->options.cell);
        info->welded += r->welded, info->degenerate += r->degenerate, info->flipped += r->flipped;
        info->open_edges += r->open_edges, info->patched += r->patched, info->buried += r->inner;
        info->closed = info->closed && r->closed;
    }
    return RILL_OK;
}

/* ---- models ---- */

shape_context rill_shape_context_of(rill_world *w) {
    return (shape_context){&w->memory, w->workers, w->def.dim, w->def.spacing, w->support, &w->def.cache};
}

rill_status rill_shape_keep(rill_world *w, rill_shape *shape, shape_models *models) {
    const shape_context context = rill_shape_context_of(w);
    rill_status status = rill_check_shape(w, shape);
    if (status == RILL_OK) status = shape_own(w, shape);
    if (status != RILL_OK) return status;
    status = rill_shape_models_take(&w->shapes, &context, shape, models, &w->error);
    if (status != RILL_OK) rill_shape_release(w, shape);
    return status;
}

void rill_shape_let_go(rill_world *w, rill_shape *shape, shape_models *models) {
    rill_shape_models_drop(&w->shapes, &w->memory, models);
    rill_shape_release(w, shape);
}

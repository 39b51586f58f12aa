/* SPDX-License-Identifier: MIT */
/* Places solids, and the table of functions through which bodies and public functions call this dimension. */
#include "solid/placed_solids.h"

#include "solid/curvature_map.h"
#include "solid/faces.h"
#include "solid/motion.h"
#include "solid/samples.h"
#include "solid/solids.h"

/* ---- placing ---- */

/* Reserves shapes for all solid slots, followed by the parts of compounds. */
static rill_status reserve(rill_world *w) {
    size_t count = (size_t)w->solids.count;
    FOR_ALIVE(w, solid, s) count += (size_t)s->def.shape.parts.count;
    if (rill_buffer_reserve(&w->memory, &w->placed_shapes, sizeof(placed_shape) * count, 0) &&
        rill_solid_tree_reserve(&w->solid_tree, &w->memory, w->solids.count))
        return RILL_OK;
    return rill_fail(&w->error, RILL_MEMORY, "no memory for %d solids", w->solids.count);
}

/* Whether the solid is bounded. */
static bool has_box(const placed_shape *f) {
    return !f->inside && f->kind != RILL_HALF_SPACE;
}

static void build_tree(rill_world *w) {
    const placed_shape *shapes = placed_shapes_of(w);
    solid_box *boxes = w->solid_tree.boxes.data;
    int32_t *open = w->solid_tree.open.data;
    int box_count = 0, open_count = 0;
    FOR_ALIVE(w, solid, s) {
        const int32_t slot_index = (int32_t)(s - POOL_ITEMS(w, solid));
        const placed_shape *f = &shapes[slot_index];
        if (!has_box(f)) {
            open[open_count++] = slot_index;
            continue;
        }
        solid_box *box = &boxes[box_count++];
        *box = (solid_box){.solid = slot_index};
        for (int axis = 0; axis < DIM; axis++)
            box->low[axis] = vec_get(f->low, axis), box->high[axis] = vec_get(f->high, axis);
    }
    rill_solid_tree_build(&w->solid_tree, box_count, open_count);
}

rill_status rill_solids_place(rill_world *w, double time) {
    TRY(reserve(w));
    placed_shape *shapes = w->placed_shapes.data, *parts = shapes ? shapes + w->solids.count : NULL;
    if (shapes) FOR_ALIVE(w, solid, s) {
            if (s->body == 0) rill_motion_at(&s->def.motion, DIM, time, &s->pose);
            shapes[s - POOL_ITEMS(w, solid)] = rill_placed_make(&s->def.shape, &s->models, &s->pose, parts);
            parts += s->def.shape.parts.count;
        }
    build_tree(w);
    w->placed = true;
    w->placed_time = time;
    w->looked_back = false;
    return RILL_OK;
}

/* ---- walls ---- */

/* Makes the data that the world's kind of walls needs for one shape. */
static rill_status prepare_shape(rill_world *w, shared_shape *shared, const placed_shape *f, const rill_shape *shape) {
    if (shared->support == w->support && shared->spacing == w->def.spacing) return RILL_OK;
    rill_shape_forget_walls(&w->memory, shared);
    rill_status status = RILL_OK;
    if (w->def.walls == RILL_WALLS_MAP) status = rill_curvature_map_make(w, shared, f);
    if (w->def.walls == RILL_WALLS_SAMPLES) status = rill_samples_make(w, shared, shape);
    if (status == RILL_OK) shared->support = w->support, shared->spacing = w->def.spacing;
    return status;
}

rill_status rill_solids_prepare(rill_world *w) {
    const placed_shape *shapes = placed_shapes_of(w);
    FOR_ALIVE(w, solid, s) {
        const placed_shape *f = &shapes[s - POOL_ITEMS(w, solid)];
        const rill_shape *shape = &s->def.shape;
        for (int k = 0; k < s->models.count; k++) {
            const bool whole = shape->kind != RILL_COMPOUND;
            const rill_shape part = whole ? *shape : rill_shape_scaled(&shape->parts.data[k], shape->scale);
            const rill_status status = prepare_shape(w, s->models.items[k], whole ? f : &f->parts[k], &part);
            if (status != RILL_OK) return status;
        }
    }
    return RILL_OK;
}

rill_status rill_solids_make_faces(rill_world *w) {
    FOR_ALIVE(w, solid, s) {
        const rill_shape *shape = &s->def.shape;
        for (int k = 0; s->body > 0 && k < s->models.count; k++) {
            const bool whole = shape->kind != RILL_COMPOUND;
            const rill_shape part = whole ? *shape : rill_shape_scaled(&shape->parts.data[k], shape->scale);
            if (!s->models.items[k]->faces.looked_at) TRY(rill_faces_make(w, s->models.items[k], &part));
        }
    }
    return RILL_OK;
}

vec rill_solid_velocity(const solid *s, vec point, vec n) {
    const vec arm = vec_sub(point, vec_add(vec_of(s->pose.pivot), vec_of(s->pose.offset)));
    vec v = vec_of(s->pose.velocity);
    const rill_vec w = s->pose.angular;
    v.x -= w.z * arm.y;
    v.y += w.z * arm.x;
#if DIM == 3
    v.x += w.y * arm.z;
    v.y -= w.x * arm.z;
    v.z += w.x * arm.y - w.y * arm.x;
#endif
    vec slide = vec_of(s->def.surface_velocity);
    slide = vec_along(slide, -vec_dot(slide, n), n);
    return vec_add(v, slide);
}

/* ---- the table ---- */

static float distance_by_pose(const solid *s, rill_vec point, rill_vec *normal) {
    placed_shape parts[PLACED_PARTS_MAX];
    const placed_shape f = rill_placed_make(&s->def.shape, &s->models, &s->pose, parts);
    vec n;
    const float d = rill_placed_distance(&f, vec_of(point), &n);
    *normal = vec_out(n);
    return d;
}

static const placed_shape *shape_of(const rill_world *w, const solid *s) {
    return &placed_shapes_of(w)[s - POOL_ITEMS(w, solid)];
}

static float distance(const rill_world *w, const solid *s, rill_vec point, rill_vec *normal) {
    vec n;
    const float d = rill_placed_distance(shape_of(w, s), vec_of(point), &n);
    *normal = vec_out(n);
    return d;
}

static int walls(const rill_world *w, const solid *s, rill_vec point, float reach,
                 placed_wall found[PLACED_WALLS_MAX]) {
    wall pieces[PLACED_WALLS_MAX];
    const int count = rill_placed_walls(shape_of(w, s), vec_of(point), reach, pieces);
    for (int k = 0; k < count; k++) found[k] = (placed_wall){pieces[k].distance, vec_out(pieces[k].normal)};
    return count;
}

static bool box(const rill_world *w, const solid *s, rill_vec *low, rill_vec *high) {
    const placed_shape *f = shape_of(w, s);
    *low = vec_out(f->low), *high = vec_out(f->high);
    return has_box(f);
}

const rill_solid_operations solid_operations_here = {
    .check_shape = rill_shape_check,
    .place = rill_solids_place,
    .distance_by_pose = distance_by_pose,
    .distance = distance,
    .walls = walls,
    .box = box,
};

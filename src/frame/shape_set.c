/* SPDX-License-Identifier: MIT */
/* The shapes of a run, where they were added. A world without fluid, which never steps, holds them as solids: it owns
   the copies and measures distances. For a solid that has moved, the point is moved back instead. */
#include "core/error.h"
#include "rill/frame.h"

#include <stdlib.h>

struct rill_shape_set {
    rill_world *world;
    bool *free; /* of each solid: it only keeps the index of a shape that is not given */
};

static rill_status add_shapes(rill_shape_set *set, const rill_shape *const *shapes, int count, rill_error *error) {
    set->free = calloc((size_t)count + 1, sizeof *set->free);
    if (!set->free) return rill_fail(error, RILL_MEMORY, "no memory for a set of %d shapes", count);
    for (int k = 0; k < count; k++) {
        rill_solid_def def = rill_solid_def_default();
        set->free[k] = !shapes[k];
        if (shapes[k]) def.shape = *shapes[k];
        const rill_status status = rill_world_add_solid(set->world, &def, NULL);
        if (status != RILL_OK) return rill_fail(error, status, "shape %d: %s", k, rill_world_message(set->world));
    }
    return RILL_OK;
}

rill_shape_set *rill_shape_set_create(int dim, float spacing, const rill_shape *const *shapes, int count,
                                      const rill_cache *cache, rill_error *error) {
    rill_shape_set *set = calloc(1, sizeof *set);
    if (!set) {
        rill_fail(error, RILL_MEMORY, "no memory for a set of shapes");
        return NULL;
    }
    rill_world_def def = rill_world_def_default(dim);
    def.spacing = spacing;
    /* There is no fluid, so only distances are needed. */
    def.walls = RILL_WALLS_IMPULSE;
    if (cache) def.cache = *cache;
    set->world = rill_world_create(&def, error);
    if (set->world && add_shapes(set, shapes, count, error) == RILL_OK) return set;
    rill_shape_set_destroy(set);
    return NULL;
}

void rill_shape_set_destroy(rill_shape_set *set) {
    if (!set) return;
    rill_world_destroy(set->world);
    free(set->free);
    free(set);
}

int rill_shape_set_count(const rill_shape_set *set) {
    return set ? rill_world_solid_count(set->world) : 0;
}

const rill_shape *rill_shape_set_at(const rill_shape_set *set, int index) {
    const rill_solid_def *def = set ? rill_world_solid_def(set->world, rill_world_solid_at(set->world, index)) : NULL;
    return def && !set->free[index] ? &def->shape : NULL;
}

rill_status rill_shape_set_distance(const rill_shape_set *set, int index, const rill_transform *transform,
                                    rill_vec point, float *distance, rill_vec *normal) {
    rill_vec local;
    if (!set || !transform || !distance) return RILL_INVALID;
    const rill_vec back = rill_transform_point_back(transform, point);
    const rill_solid_id id = rill_world_solid_at(set->world, index);
    if (!rill_shape_set_at(set, index)) return RILL_NOT_FOUND;
    const rill_status status = rill_world_solid_distance(set->world, id, back, distance, &local);
    if (status == RILL_OK && normal) *normal = rill_transform_direction(transform, local);
    return status;
}

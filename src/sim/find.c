/* SPDX-License-Identifier: MIT */
/* Searches for particles by place. Hosts call them rarely, so a loop over all particles is fast enough. */
#include "sim/find.h"

#include "rigid/rigid.h"
#include "sim/boundary/boundary.h"

/* Surfaces face each other if the cosine between their normals is below this. */
#define FACING (-0.5f)
/* Walls examined for each particle. */
#define WALLS_SEEN 16

static void put(const rill_world *w, int i, rill_particle_id *ids, int capacity, int *count) {
    if (ids && *count < capacity) ids[*count] = ids_of(w)[i];
    ++*count;
}

void rill_find_inside(const rill_world *w, const rill_shape *shape, const shape_models *models, rill_particle_id *ids,
                      int capacity, int *count) {
    placed_shape parts[PLACED_PARTS_MAX];
    const placed_shape placed = rill_placed_make(shape, models, NULL, parts);
    *count = 0;
    for (int i = 0; i < w->particles.count; i++)
        if (rill_placed_distance(&placed, places_of(w)[i].x, NULL) < 0.0f) put(w, i, ids, capacity, count);
}

static bool is_squeezed(const wall *walls, int count) {
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++)
            if (vec_dot(walls[a].normal, walls[b].normal) < FACING) return true;
    return false;
}

/* Whether particle i is stuck: deeper inside a solid than half the distance that it keeps from walls, or nearer than
   that to two surfaces that face each other. Only solids that it collides with count. */
static bool is_stuck(const rill_world *w, int i) {
    const vec x = places_of(w)[i].x;
    const float near_by = 0.5f * w->wall_distance;
    near_solids near;
    solids_near_box(w, x, x, near_by, &near);
    wall found[WALLS_SEEN + PLACED_WALLS_MAX];
    int count = 0;
    for (int n = 0; n < near.count && count <= WALLS_SEEN; n++) {
        if (!collides(w, i, near.slots[n])) continue;
        const int more = rill_placed_walls(&placed_shapes_of(w)[near.slots[n]], x, near_by, found + count);
        for (int k = 0; k < more; k++)
            if (found[count + k].distance < -near_by) return true;
        count += more;
    }
    return is_squeezed(found, count);
}

rill_status rill_find_stuck(rill_world *w, rill_particle_id *ids, int capacity, int *count) {
    TRY(rill_rigid_place(w, w->stats.time));
    find_filters(w);
    *count = 0;
    for (int i = 0; i < w->particles.count; i++)
        if (is_stuck(w, i)) put(w, i, ids, capacity, count);
    return RILL_OK;
}

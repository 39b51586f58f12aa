/* SPDX-License-Identifier: MIT */
/* The walls near each particle: counted, summed up, then written, so that their order is that of the particles. */
#include "sim/boundary/boundary.h"

#define SOLIDS_WALLS_MAX 12

typedef struct found_wall {
    wall wall;
    int solid;
} found_wall;

/* All walls within the support of a point. More than the maximum at one point are left out, the farthest solids first.
 */
static int find_walls(const rill_world *w, vec x, found_wall found[SOLIDS_WALLS_MAX]) {
    const solid *solids = w->solids.items.data;
    const form *forms = sim_of(w)->forms.data;
    int count = 0;
    for (int k = 0; k < w->solids.count; k++) {
        if (!solids[k].slot.alive) continue;
        wall walls[FORM_WALLS_MAX];
        const int n = form_walls(&forms[k], x, w->support, walls);
        for (int j = 0; j < n && count < SOLIDS_WALLS_MAX; j++) found[count++] = (found_wall){walls[j], k};
    }
    return count;
}

static void count_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const rill_world *w = context;
    const contacts *c = &sim_of(w)->contacts;
    const place *places = places_of(w);
    int32_t *first = c->first.data, *block_sum = c->block_sum.data;
    int sum = 0;
    for (int i = begin; i < end; i++) {
        found_wall found[SOLIDS_WALLS_MAX];
        first[i] = sum; /* within the block, for now */
        sum += find_walls(w, places[i].x, found);
    }
    block_sum[begin / REDUCE_BLOCK] = sum;
}

static void write_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const rill_world *w = context;
    const contacts *c = &sim_of(w)->contacts;
    const place *places = places_of(w);
    const solid *solids = w->solids.items.data;
    const float scale = w->def.walls == RILL_WALLS_FIELD ? dim_power(w->def.spacing) : 1.0f;
    int32_t *first = c->first.data;
    const int32_t offset = ((const int32_t *)c->block_sum.data)[begin / REDUCE_BLOCK];
    const int32_t block_end = ((const int32_t *)c->block_sum.data)[begin / REDUCE_BLOCK + 1];
    for (int i = begin; i < end; i++) {
        const int32_t next = i + 1 < end ? first[i + 1] + offset : block_end;
        first[i] += offset;
        if (next == first[i]) continue;
        found_wall found[SOLIDS_WALLS_MAX];
        const int count = find_walls(w, places[i].x, found);
        for (int k = 0; k < count; k++) {
            const solid *s = &solids[found[k].solid];
            const vec touch = vec_along(places[i].x, -found[k].wall.distance, found[k].wall.normal);
            ((contact *)c->items.data)[first[i] + k] =
                (contact){.solid = found[k].solid,
                          .distance = found[k].wall.distance,
                          .scale = scale,
                          .normal = found[k].wall.normal,
                          .velocity = solid_velocity(s, touch, found[k].wall.normal),
                          .no_slip = s->def.no_slip};
        }
    }
}

rill_status contacts_build(rill_world *w) {
    contacts *c = &sim_of(w)->contacts;
    const int n = w->particles.count, blocks = reduce_block_count(n);
    c->count = 0;
    if (!buffer_reserve(&w->memory, &c->first, sizeof(int32_t) * ((size_t)n + 1), 0) ||
        !buffer_reserve(&w->memory, &c->block_sum, sizeof(int32_t) * ((size_t)blocks + 1), 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the wall contacts of %d particles", n);
    int32_t *first = c->first.data, *block_sum = c->block_sum.data;
    if (w->def.walls == RILL_WALLS_IMPULSE || w->solids.count == 0) {
        memset(first, 0, sizeof(int32_t) * ((size_t)n + 1));
        return RILL_OK;
    }
    parallel_for(w->workers, n, REDUCE_BLOCK, count_block, w);
    for (int b = 0; b < blocks; b++) {
        const int32_t here = block_sum[b];
        block_sum[b] = c->count;
        c->count += here;
    }
    block_sum[blocks] = first[n] = c->count;
    const size_t size = sizeof(contact) * (size_t)c->count;
    if (size > c->items.size && !buffer_reserve(&w->memory, &c->items, size + size / 4, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for %d wall contacts", c->count);
    parallel_for(w->workers, n, REDUCE_BLOCK, write_block, w);
    return RILL_OK;
}

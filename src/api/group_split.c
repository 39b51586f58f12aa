/* SPDX-License-Identifier: MIT */
/* Splitting a group into its connected parts. Members are sorted along x, and each one is compared with the following
   ones within `reach`. Parts that meet are united in a union-find forest. The lowest member is always the top, so that
   the result does not depend on the order of the search. */
#include "api/world.h"
#include "core/sort.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Default of `reach`, in spacings. */
#define REACH 1.5f

typedef struct member {
    float x[3];
    int32_t index; /* of the particle */
    int32_t top;   /* a member of the same part with a lower index, or the member itself: the top */
    int32_t count; /* of a top: members of its part */
} member_of_part;

typedef struct parts {
    member_of_part *items;
    int count;
    int largest; /* top of the largest part */
    int others;  /* number of other parts */
} parts;

static int compare_x(const void *a, const void *b) {
    const member_of_part *p = a, *q = b;
    if (p->x[0] != q->x[0]) return p->x[0] < q->x[0] ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

static int32_t top_of(member_of_part *items, int32_t k) {
    while (items[k].top != k) {
        items[k].top = items[items[k].top].top;
        k = items[k].top;
    }
    return k;
}

static void collect(const rill_world *w, uint32_t slot, parts *p) {
    const uint32_t *groups = particles_extra(&w->particles, EXTRA_GROUP);
    const float *places = w->particles.fields[FIELD_PLACE].data;
    p->count = 0;
    for (int i = 0; p->items && i < w->particles.count; i++) {
        if (groups[i] != slot) continue;
        member_of_part *m = &p->items[p->count++];
        *m = (member_of_part){.index = i};
        memcpy(m->x, places + 4 * (size_t)i, sizeof(float) * (size_t)w->def.dim);
    }
    rill_sort_items(p->items, p->count, sizeof *p->items, compare_x);
    for (int k = 0; k < p->count; k++) p->items[k].top = k;
}

static void join_near(parts *p, float reach) {
    for (int a = 0; a < p->count; a++)
        for (int b = a + 1; b < p->count && p->items[b].x[0] - p->items[a].x[0] < reach; b++) {
            const float *x = p->items[a].x, *y = p->items[b].x;
            const float dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2];
            if (!(dx * dx + dy * dy + dz * dz < reach * reach)) continue;
            const int32_t i = top_of(p->items, a), j = top_of(p->items, b);
            p->items[i > j ? i : j].top = i > j ? j : i;
        }
}

static void count_parts(parts *p) {
    int tops = 0;
    for (int k = 0; k < p->count; k++) p->items[top_of(p->items, k)].count++;
    p->largest = 0;
    for (int k = 0; k < p->count; k++) {
        tops += p->items[k].top == k;
        if (p->items[k].count > p->items[p->largest].count) p->largest = k;
    }
    p->others = tops > 0 ? tops - 1 : 0;
}

/* Adds a group for each part but the largest; none on error. */
static rill_status add_parts(rill_world *w, const parts *p, const rill_group_def *like, rill_group_id *ids) {
    for (int k = 0; k < p->others; k++) {
        rill_group_def def = *like;
        def.name[0] = 0;
        const rill_status status = rill_world_add_group(w, &def, &ids[k]);
        if (status == RILL_OK) continue;
        while (k-- > 0) rill_pool_drop(&w->groups, sizeof(group), POOL_GET(w, group, ids[k]));
        return status;
    }
    return RILL_OK;
}

static void give_out(rill_world *w, parts *p, const rill_group_id *ids) {
    uint32_t *groups = particles_extra(&w->particles, EXTRA_GROUP);
    int next = 0;
    for (int k = 0; k < p->count; k++) /* `count` of a top becomes the number of its new group */
        if (p->items[k].top == k) p->items[k].count = k == p->largest ? -1 : next++;
    for (int k = 0; k < p->count; k++) {
        const int part = p->items[top_of(p->items, k)].count;
        if (part >= 0) groups[p->items[k].index] = ids[part].index1;
    }
}

static rill_status split(rill_world *w, parts *p, const rill_group_def *like, rill_group_id *out, int capacity) {
    if (p->others == 0) return RILL_OK;
    const size_t size = sizeof(rill_group_id) * (size_t)p->others;
    rill_group_id *ids = rill_memory_get(&w->memory, size);
    if (!ids) return rill_fail(&w->error, RILL_MEMORY, "split_group: no memory for %d parts", p->others);
    const rill_status status = add_parts(w, p, like, ids);
    if (status == RILL_OK) give_out(w, p, ids);
    for (int k = 0; status == RILL_OK && out && k < p->others && k < capacity; k++) out[k] = ids[k];
    rill_memory_release(&w->memory, ids, size);
    return status;
}

rill_status rill_world_split_group(rill_world *w, rill_group_id id, float reach, rill_group_id *ids, int capacity,
                                   int *count) {
    if (!w) return RILL_INVALID;
    const group *g = POOL_GET(w, group, id);
    if (!g) return rill_fail(&w->error, RILL_NOT_FOUND, "split_group: no such group");
    if (!(reach >= 0.0f) || !isfinite(reach))
        return rill_fail(&w->error, RILL_INVALID, "split_group: the reach must be finite and not negative, got %g",
                         (double)reach);
    const rill_group_def like = g->def;
    const size_t size = sizeof(member_of_part) * (size_t)w->particles.count;
    parts p = {.items = rill_memory_get(&w->memory, size)};
    if (!p.items && size > 0)
        return rill_fail(&w->error, RILL_MEMORY, "split_group: no memory for %d particles", w->particles.count);
    collect(w, id.index1, &p);
    join_near(&p, reach > 0.0f ? reach : REACH * w->def.spacing);
    count_parts(&p);
    const rill_status status = split(w, &p, &like, ids, capacity);
    if (count) *count = status == RILL_OK ? p.others : 0;
    rill_memory_release(&w->memory, p.items, size);
    return status;
}

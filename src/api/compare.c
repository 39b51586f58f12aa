/* SPDX-License-Identifier: MIT */
/* Compares worlds row by row of all tables, so that a new parameter is compared without a change here. */
#include "api/compare.h"

#include "api/pool.h"
#include "api/world_layout.h"
#include "core/error.h"
#include "core/hash.h"

#include <stdio.h>
#include <string.h>

/* Whether a row changes how a world is computed, but not the result. */
static bool may_differ(const row_part *part, const char *key) {
    return part->object == RILL_OBJECT_WORLD && !part->table &&
           (strcmp(key, "workers") == 0 || strcmp(key, "simd") == 0);
}

static void show(const row_value *v, const void *row, int dim, char *text, size_t size) {
    rill_param param = *v->param;
    param.offset = v->offset;
    if (rill_param_get_text(&param, row, dim, text, size) >= (int)size) snprintf(text, size, "a long list");
}

static bool compare_part(const row_part *part, const void *a, const void *b, int dim, const char *path,
                         rill_difference *d) {
    for (int k = 0; rill_part_table(part) && k < rill_part_count(part); k++) {
        const row_value v = rill_part_value(part, k);
        if (may_differ(part, v.name) || rill_row_equal(&v, a, b)) continue;
        snprintf(d->key, sizeof d->key, "%s.%s", path, v.name);
        show(&v, a, dim, d->first, sizeof d->first);
        show(&v, b, dim, d->second, sizeof d->second);
        if (strcmp(d->first, d->second) == 0) snprintf(d->second, sizeof d->second, "another one");
        return true;
    }
    return false;
}

static bool compare_counts(const char *key, int a, int b, rill_difference *d) {
    if (a == b) return false;
    snprintf(d->key, sizeof d->key, "%s", key);
    snprintf(d->first, sizeof d->first, "%d objects", a);
    snprintf(d->second, sizeof d->second, "%d", b);
    return true;
}

static bool compare_shape_parts(const rill_shape *a, const rill_shape *b, int dim, const char *path,
                                rill_difference *d) {
    char key[3 * RILL_NAME_SIZE];
    snprintf(key, sizeof key, "%s.parts", path);
    if (compare_counts(key, a->parts.count, b->parts.count, d)) return true;
    for (int k = 0; k < a->parts.count; k++) {
        const row_part shape = {.prefix = "", .object = RILL_OBJECT_SHAPE};
        snprintf(key, sizeof key, "%s.parts.%d", path, k);
        if (compare_part(&shape, &a->parts.data[k], &b->parts.data[k], dim, key, d)) return true;
    }
    return false;
}

/* The list in scenes that has an object: the surface of a body is part of the body there. */
static const char *list_name(const pool_layout *layout, const void *object) {
    const bool surface = layout == &rill_pool_layouts[POOL_SOLIDS] && ((const solid *)object)->body > 0;
    return rill_pool_layouts[surface ? POOL_BODIES : (int)(layout - rill_pool_layouts)].name;
}

/* Two objects in the pools of worlds with the same method. */
typedef struct object_pair {
    row_set rows[2];
    int index[2];
    row_part parts[POOL_PARTS_MAX];
    int part_count;
} object_pair;

static bool compare_objects(const pool_layout *layout, const object_pair *pair, int dim, rill_difference *d) {
    const void *a = rill_row_at(&pair->rows[0], pair->index[0]), *b = rill_row_at(&pair->rows[1], pair->index[1]);
    char path[2 * RILL_NAME_SIZE];
    snprintf(path, sizeof path, "%s.%s", list_name(layout, a), (const char *)a + layout->name_at);
    for (int k = 0; k < pair->part_count; k++) {
        const row_part *part = &pair->parts[k];
        if (compare_part(part, rill_row_or_beside(&pair->rows[0], part->beside, pair->index[0]),
                         rill_row_or_beside(&pair->rows[1], part->beside, pair->index[1]), dim, path, d))
            return true;
    }
    if (!layout->shape_at) return false;
    return compare_shape_parts((const void *)((const char *)a + layout->shape_at),
                               (const void *)((const char *)b + layout->shape_at), dim, path, d);
}

/* The first living row from k on, or the number of rows. */
static int next_alive(const row_set *rows, int k) {
    while (k < rows->count && !rill_row_is_alive(rows, k)) k++;
    return k;
}

static bool compare_pools(pool_kind kind, const rill_world *a, const rill_world *b, rill_difference *d) {
    const pool_layout *layout = &rill_pool_layouts[kind];
    const row_set x = rill_pool_rows(layout, a), y = rill_pool_rows(layout, b);
    object_pair pair = {.rows = {x, y}};
    pair.part_count = rill_pool_parts(layout, a, pair.parts);
    int i = next_alive(&x, 0), j = next_alive(&y, 0), living[2] = {0, 0};
    for (; i < x.count && j < y.count; i = next_alive(&x, i + 1), j = next_alive(&y, j + 1), living[0]++, living[1]++) {
        pair.index[0] = i, pair.index[1] = j;
        if (compare_objects(layout, &pair, a->def.dim, d)) return true;
    }
    for (; i < x.count; i = next_alive(&x, i + 1)) living[0]++;
    for (; j < y.count; j = next_alive(&y, j + 1)) living[1]++;
    return compare_counts(layout->name, living[0], living[1], d);
}

/* A world's definition with the values in use: automatic ones are resolved, so that a world saved before a value became
   automatic can still be resumed. In 2D the third coordinate of bounds does not count. */
static rill_world_def definition_in_use(const rill_world *w) {
    rill_world_def def = w->def;
    def.support_ratio = world_support_ratio(&w->def);
    def.wall_distance = w->wall_distance;
    if (def.dim == 2) def.bounds_min.z = def.bounds_max.z = 0;
    return def;
}

bool rill_world_differs(const rill_world *a, const rill_world *b, rill_difference *d) {
    rill_difference unread;
    if (!a || !b) return a != b;
    if (!d) d = &unread;
    /* Bodies before solids, so that values that a surface has from its body are reported as the body's. */
    static const pool_kind order[] = {POOL_FLUIDS, POOL_BODIES, POOL_SOLIDS, POOL_JOINTS, POOL_EMITTERS,
                                      POOL_SINKS,  POOL_CLOTHS, POOL_PINS,   POOL_GROUPS, POOL_AREAS};
    const row_part def = rill_world_def_part(), method = rill_method_part(a);
    const rill_world_def first = definition_in_use(a), second = definition_in_use(b);
    if (compare_part(&def, &first, &second, a->def.dim, "world", d)) return true;
    if (compare_part(&method, a->params.data, b->params.data, a->def.dim, a->def.method, d)) return true;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if (compare_pools(order[k], a, b, d)) return true;
    if (a->blocks_digest == b->blocks_digest) return false;
    *d = (rill_difference){"blocks", "some", "others"};
    return true;
}

/* A gauge's definition for another world: handles are not valid there, names are used instead. */
static rill_gauge_def named_gauge(const gauge *g) {
    rill_gauge_def def = g->def;
    def.fluid = (rill_fluid_id){0}, def.solid = (rill_solid_id){0};
    def.body = (rill_body_id){0}, def.joint = (rill_joint_id){0};
    def.cloth = (rill_cloth_id){0}, def.pin = (rill_pin_id){0};
    return def;
}

/* Adds each gauge under another name and removes it again, so that one that does not fit is refused before those of the
   world are gone. */
static rill_status try_gauges(rill_world *w, const rill_world *from) {
    FOR_ALIVE(from, gauge, g) {
        rill_gauge_def def = named_gauge(g);
        rill_gauge_id id;
        def.name[0] = '\0';
        TRY(rill_world_add_gauge(w, &def, &id));
        TRY(rill_world_remove_gauge(w, id));
    }
    return RILL_OK;
}

rill_status rill_world_take_gauges(rill_world *w, const rill_world *from) {
    if (!w || !from) return RILL_INVALID;
    rill_difference unread;
    if (!compare_pools(POOL_GAUGES, w, from, &unread)) return RILL_OK;
    TRY(try_gauges(w, from));
    FOR_ALIVE(w, gauge, g)
    TRY(rill_world_remove_gauge(w, (rill_gauge_id){(uint32_t)(g - POOL_ITEMS(w, gauge)) + 1, g->slot.age}));
    FOR_ALIVE(from, gauge, g) {
        const rill_gauge_def def = named_gauge(g);
        TRY(rill_world_add_gauge(w, &def, NULL));
    }
    return RILL_OK;
}

/* ---- blocks ---- */

static uint64_t add_part(uint64_t h, const row_part *part, const void *row) {
    for (int k = 0; k < rill_part_count(part); k++) {
        const row_value v = rill_part_value(part, k);
        const void *data = (const char *)row + v.offset;
        size_t size = v.size;
        char word[RILL_NAME_SIZE];
        if (rill_row_is_default(&v, row)) continue;
        if (v.flags & COLUMN_LIST) {
            uint32_t count;
            data = rill_row_list(&v, row, word, &count);
            size = (size_t)count * v.width * column_scalar_size(v.type);
        }
        h = rill_hash_bytes(h, v.name, strlen(v.name));
        h = rill_hash_bytes(h, data, size);
    }
    return rill_hash_mix(h);
}

uint64_t rill_compare_digest(uint64_t digest, const rill_block_def *block) {
    const row_part shape = {.prefix = "", .object = RILL_OBJECT_SHAPE};
    for (int k = 0; k < PARTS_OF_BLOCK; k++) digest = add_part(digest, &rill_block_parts[k], block);
    const int parts = block->shape.kind == RILL_COMPOUND ? block->shape.parts.count : 0;
    for (int k = 0; k < parts; k++) digest = add_part(digest, &shape, &block->shape.parts.data[k]);
    if (block->fill != RILL_FILL_STORED) return digest;
    digest = rill_hash_bytes(digest, block->places.data, sizeof(rill_vec) * (size_t)block->places.count);
    digest = rill_hash_bytes(digest, block->velocities.data, sizeof(rill_vec) * (size_t)block->velocities.count);
    return digest;
}

/* SPDX-License-Identifier: MIT */
/* Blocks of particles: those too near to each other, and those that lost or gained volume. */
#include "apps/cli/check/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Distances of two blocks [spacings]. Particles closer than OVERLAP overlap; blocks closer than TIGHT start out
   compressed. Blocks that touch are one spacing apart. */
#define OVERLAP 0.5f
#define TIGHT   0.9f

typedef struct points {
    const float *data;
    const rill_particle_id *id;
    int stride, id_stride, dim, count;
} points;

static bool get_points(const rill_world *world, points *p) {
    rill_view position, id;
    if (rill_world_view(world, "position", &position) != RILL_OK) return false;
    if (rill_world_view(world, "id", &id) != RILL_OK) return false;
    *p = (points){position.data, id.data, position.stride, id.stride, position.components, position.count};
    return true;
}

static rill_vec point(const points *p, int i) {
    const float *x = p->data + (size_t)i * (size_t)p->stride;
    return (rill_vec){x[0], x[1], p->dim == 3 ? x[2] : 0.0f};
}

int check_block_of(const check_world *check, rill_particle_id id) {
    int block = 0;
    while (block + 1 < check->scene->block_count && id >= (rill_particle_id)check->block_end[block]) block++;
    return block;
}

/* Particles hashed by cells of one spacing; each bucket is a linked list through `next`. */
typedef struct buckets {
    int *head, *next;
    uint32_t mask;
    float cell;
} buckets;

static uint32_t bucket_of(const buckets *b, int64_t x, int64_t y, int64_t z) {
    uint64_t key =
        (uint64_t)x * 0x9E3779B97F4A7C15u ^ (uint64_t)y * 0xC2B2AE3D27D4EB4Fu ^ (uint64_t)z * 0x165667B19E3779F9u;
    return (uint32_t)(key >> 32) & b->mask;
}

static int64_t cell_of(const buckets *b, float x) {
    return (int64_t)floor((double)x / (double)b->cell);
}

static bool buckets_fill(buckets *b, const points *p, float cell) {
    uint32_t size = 1024;
    while (size < (uint32_t)p->count && size < 1u << 30) size *= 2;
    *b = (buckets){malloc(size * sizeof *b->head), malloc(((size_t)p->count + 1) * sizeof *b->next), size - 1, cell};
    if (!b->head || !b->next) return false;
    for (uint32_t k = 0; k < size; k++) b->head[k] = -1;
    for (int i = 0; i < p->count; i++) {
        rill_vec x = point(p, i);
        uint32_t k = bucket_of(b, cell_of(b, x.x), cell_of(b, x.y), cell_of(b, x.z));
        b->next[i] = b->head[k];
        b->head[k] = i;
    }
    return true;
}

static float distance_between(rill_vec a, rill_vec b) {
    float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrtf(x * x + y * y + z * z);
}

/* Overlap and distance of two blocks a < b. */
typedef struct block_pair {
    float nearest;   /* distance of their nearest particles [m] */
    int overlapping; /* pairs of particles closer than OVERLAP spacings */
} block_pair;

static void compare_bucket(const check_world *check, const points *p, const buckets *b, int i, uint32_t bucket,
                           block_pair *pairs) {
    int mine = check_block_of(check, p->id[(size_t)i * (size_t)p->id_stride]);
    for (int j = b->head[bucket]; j >= 0; j = b->next[j]) {
        int other = check_block_of(check, p->id[(size_t)j * (size_t)p->id_stride]);
        if (other <= mine) continue;
        block_pair *pair = &pairs[mine * check->scene->block_count + other];
        float distance = distance_between(point(p, i), point(p, j));
        pair->nearest = fminf(pair->nearest, distance);
        if (distance < OVERLAP * b->cell) pair->overlapping++;
    }
}

static void compare_neighbours(const check_world *check, const points *p, const buckets *b, block_pair *pairs) {
    int64_t deep = p->dim == 3 ? 1 : 0;
    for (int i = 0; i < p->count; i++) {
        rill_vec x = point(p, i);
        int64_t cx = cell_of(b, x.x), cy = cell_of(b, x.y), cz = cell_of(b, x.z);
        for (int64_t dz = -deep; dz <= deep; dz++) {
            for (int64_t dy = -1; dy <= 1; dy++) {
                for (int64_t dx = -1; dx <= 1; dx++) {
                    compare_bucket(check, p, b, i, bucket_of(b, cx + dx, cy + dy, cz + dz), pairs);
                }
            }
        }
    }
}

static void report_pairs(const check_world *check, const block_pair *pairs, findings *f) {
    int count = check->scene->block_count;
    float spacing = check->scene->world.spacing;
    for (int a = 0; a < count; a++) {
        for (int b = a + 1; b < count; b++) {
            const block_pair *pair = &pairs[a * count + b];
            double gap = (double)(pair->nearest / spacing);
            if (pair->overlapping) {
                findings_warn(
                    f,
                    "blocks.%d and blocks.%d overlap: %d pairs of particles lie within half a spacing of each "
                    "other and will burst apart",
                    a, b, pair->overlapping);
            } else if (pair->nearest < TIGHT * spacing) {
                findings_warn(f,
                              "blocks.%d and blocks.%d are %.2f spacings apart: they start out compressed; leave one "
                              "spacing (%g m) between their particles",
                              a, b, gap, (double)spacing);
            }
        }
    }
}

void check_overlaps(const check_world *check, findings *f) {
    points p;
    size_t count = (size_t)check->scene->block_count;
    if (count < 2 || !get_points(check->world, &p)) return;
    buckets b = {0};
    block_pair *pairs = calloc(count * count, sizeof *pairs);
    for (size_t k = 0; pairs && k < count * count; k++) pairs[k].nearest = HUGE_VALF;
    if (pairs && buckets_fill(&b, &p, check->scene->world.spacing)) {
        compare_neighbours(check, &p, &b, pairs);
        report_pairs(check, pairs, f);
    }
    free(pairs);
    free(b.head);
    free(b.next);
}

/* ---- volume ---- */

/* Share of a block's volume that may be missing because particles are whole, and of a spacing by which a side may
   differ from a whole number of spacings. */
#define LOSS   0.05
#define UNEVEN 1e-3

/* The sides of a box in spacings; false: one of them is shorter than a spacing. */
static bool get_sides(const scene *s, const rill_shape *box, double sides[3]) {
    const double dx = (double)s->world.spacing;
    sides[0] = (double)(box->max.x - box->min.x) / dx, sides[1] = (double)(box->max.y - box->min.y) / dx;
    sides[2] = s->world.dim == 3 ? (double)(box->max.z - box->min.z) / dx : 1;
    return sides[0] > 1 - UNEVEN && sides[1] > 1 - UNEVEN && sides[2] > 1 - UNEVEN;
}

void check_volume(const check_world *check, int block, int64_t particles, findings *f) {
    const scene *s = check->scene;
    const rill_block_def *def = &s->blocks[block];
    double sides[3];
    char size[100];
    if (def->shape.kind != RILL_BOX || def->fill == RILL_FILL_STORED || !get_sides(s, &def->shape, sides)) return;
    bool uneven = false;
    for (int k = 0; k < 3; k++) uneven |= fabs(sides[k] - round(sides[k])) > UNEVEN;
    const double share = (double)particles / (sides[0] * sides[1] * sides[2]);
    snprintf(size, sizeof size, s->world.dim == 3 ? "%.4g x %.4g x %.4g" : "%.4g x %.4g", sides[0], sides[1], sides[2]);
    if (fabs(share - 1) > LOSS)
        findings_warn(f, "blocks.%d has %.1f %% of its volume: %lld particles in %s spacings", block, 100 * share,
                      (long long)particles, size);
    else if (uneven && def->fill != RILL_FILL_HEXAGONAL)
        findings_note(
            f,
            "blocks.%d is %s spacings large: its rows were fitted, and %lld particles stand for %.2f %% of its "
            "volume",
            block, size, (long long)particles, 100 * share);
}

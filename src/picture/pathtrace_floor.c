/* SPDX-License-Identifier: MIT */
/* Sunlight on the floor, with shadows and caustics. Beams are aimed at an even lattice on the floor; liquids refract
   and tint them, and each deposits the rest of its light where it arrives. Only the place on the sun's disc is random,
   so one beam for each cell gives little noise. */
#include "core/error.h"
#include "core/hash.h"
#include "picture/pathtrace.h"

#include <stdlib.h>

#define DISC 0.012f /* radius of the sun [rad]: smaller than for its shadows on solids, to keep caustics sharp */

typedef struct beam {
    float x, y; /* in cells */
    rgb share;  /* black: the beam did not arrive */
} beam;

typedef struct beam_job {
    const ray_scene *scene;
    beam *beams;
} beam_job;

static void follow_beams(int begin, int end, void *context) {
    const beam_job *job = context;
    const ray_scene *s = job->scene;
    const ray_floor *f = &s->floor_light;
    const rill_vec side = vec_unit(vec_cross(s->sun, (rill_vec){0, 1, 0}), (rill_vec){1, 0, 0});
    const rill_vec other = vec_cross(s->sun, side);
    for (int k = begin; k < end; k++) {
        const uint64_t bits = rill_hash_mix((uint64_t)k + 1);
        const float r = DISC * sqrtf((float)(uint32_t)bits * 0x1p-32f);
        const float angle = 6.2831853f * (float)(uint32_t)(bits >> 32) * 0x1p-32f;
        const rill_vec off = vec_add(vec_scale(side, r * cosf(angle)), vec_scale(other, r * sinf(angle)));
        const rill_vec sun = vec_unit(vec_add(s->sun, off), s->sun);
        const int column = k % f->columns, row = k / f->columns;
        const rill_vec aim = {f->corner.x + ((float)column + 0.5f) * f->cell,
                              f->corner.y + ((float)row + 0.5f) * f->cell, s->floor_z};
        rill_vec at;
        beam *b = &job->beams[k];
        *b = (beam){0, 0, {0, 0, 0}};
        if (!rill_ray_sunbeam(s, vec_add(aim, vec_scale(sun, 4.0f * s->size)), vec_scale(sun, -1.0f), &at, &b->share))
            continue;
        b->x = (at.x - f->corner.x) / f->cell - 0.5f, b->y = (at.y - f->corner.y) / f->cell - 0.5f;
    }
}

static void add_to(const ray_floor *f, int x, int y, rgb share) {
    if (x < 0 || y < 0 || x >= f->columns || y >= f->rows) return;
    rgb *to = &f->map[(size_t)y * (size_t)f->columns + (size_t)x];
    *to = rgb_add(*to, share);
}

/* Distributes a beam over the four nearest cells: an undisturbed lattice gives 1 everywhere. */
static void spread(const ray_floor *f, const beam *b) {
    if (!(fabsf(b->x) < 1e6f && fabsf(b->y) < 1e6f)) return;
    const float left = floorf(b->x), low = floorf(b->y), u = b->x - left, v = b->y - low;
    for (int k = 0; k < 4; k++)
        add_to(f, (int)left + (k & 1), (int)low + (k >> 1),
               rgb_scale(b->share, (k & 1 ? u : 1.0f - u) * (k >> 1 ? v : 1.0f - v)));
}

/* The filter (1 2 1) / 4 along one axis; beyond the ends the values of the ends are repeated. */
static void blur(rgb *line, int count, int stride) {
    rgb before = line[0];
    for (int k = 0; k < count; k++) {
        rgb *at = line + (size_t)k * (size_t)stride, here = *at;
        const rgb after = k + 1 < count ? at[stride] : here;
        *at = rgb_add(rgb_scale(here, 0.5f), rgb_scale(rgb_add(before, after), 0.25f));
        before = here;
    }
}

static void blur_map(const ray_floor *f) {
    for (int round = 0; round < 2; round++) {
        for (int y = 0; y < f->rows; y++) blur(f->map + (size_t)y * (size_t)f->columns, f->columns, 1);
        for (int x = 0; x < f->columns; x++) blur(f->map + x, f->rows, f->columns);
    }
}

/* Places the map, with room for light that is refracted sideways. */
static void place_map(ray_scene *s, int columns) {
    ray_floor *f = &s->floor_light;
    const picture_box *b = &s->d->bounds;
    const float height = fmaxf(b->max.z - s->floor_z, 0.0f), room = 0.15f * s->size;
    const float dx = -height * s->sun.x / s->sun.z, dy = -height * s->sun.y / s->sun.z;
    const float left = b->min.x + fminf(dx, 0.0f) - room, right = b->max.x + fmaxf(dx, 0.0f) + room;
    const float low = b->min.y + fminf(dy, 0.0f) - room, high = b->max.y + fmaxf(dy, 0.0f) + room;
    f->corner = (rill_vec){left, low, s->floor_z};
    f->cell = fmaxf(right - left, high - low) / (float)columns;
    f->columns = (int)ceilf((right - left) / f->cell), f->rows = (int)ceilf((high - low) / f->cell);
}

rill_status rill_ray_floor_make(ray_scene *s, int columns, parallel *workers, rill_error *error) {
    ray_floor *f = &s->floor_light;
    place_map(s, columns);
    const int count = f->columns * f->rows;
    beam_job job = {s, malloc((size_t)count * sizeof *job.beams)};
    f->map = calloc((size_t)count, sizeof *f->map);
    if (job.beams && f->map) {
        rill_parallel_for(workers, count, 256, follow_beams, &job);
        for (int k = 0; k < count; k++) spread(f, &job.beams[k]);
        blur_map(f);
    }
    const bool fine = job.beams && f->map;
    free(job.beams);
    return fine ? RILL_OK : rill_fail(error, RILL_MEMORY, "not enough memory for the light on the floor");
}

rgb rill_ray_floor_at(const ray_scene *s, rill_vec point) {
    const ray_floor *f = &s->floor_light;
    const rgb open = {1, 1, 1};
    if (!f->map) return open;
    const float x = (point.x - f->corner.x) / f->cell - 0.5f, y = (point.y - f->corner.y) / f->cell - 0.5f;
    /* The outermost cells are too dark, because no beams were aimed beyond them. */
    if (!(x >= 4.0f && y >= 4.0f && x < (float)(f->columns - 5) && y < (float)(f->rows - 5))) return open;
    const int i = (int)x, j = (int)y;
    const float u = x - (float)i, v = y - (float)j;
    const rgb *row = f->map + (size_t)j * (size_t)f->columns + (size_t)i, *next = row + f->columns;
    return rgb_mix(rgb_mix(row[0], row[1], u), rgb_mix(next[0], next[1], u), v);
}

/* SPDX-License-Identifier: MIT */
/* Periodic images are copies of particles, stored behind the particles: neighbour loops need no wrap-around arithmetic.
   Copies from other processes could be added in the same place. */
#include "sim/neighbours/neighbours.h"

#define IMAGES (DIM == 2 ? 9 : 27)
#define CENTRE (IMAGES / 2)

static vec period_of(const rill_world *w) {
    return vec_of(w->def.periodic);
}

/* Shift of image k: each axis by -1, 0 or +1 periods. */
static vec image_shift(const rill_world *w, int image) {
    vec shift = period_of(w);
    float *s = &shift.x;
    for (int axis = 0; axis < DIM; axis++, image /= 3) s[axis] *= (float)(image % 3 - 1);
    return shift;
}

static void wrap_block(int begin, int end, void *context) {
    const rill_world *w = context;
    place *places = places_of(w);
    const vec period = period_of(w), origin = vec_of(w->def.periodic_origin);
    for (int i = begin; i < end; i++) {
        float *x = &places[i].x.x;
        for (int axis = 0; axis < DIM; axis++) {
            const float length = vec_get(period, axis), low = vec_get(origin, axis);
            if (length <= 0.0f || (x[axis] >= low && x[axis] < low + length)) continue;
            x[axis] -= length * floorf((x[axis] - low) / length);
            if (!(x[axis] < low + length)) x[axis] = low; /* rounding gave the far face */
        }
    }
}

void rill_halo_wrap(rill_world *w) {
    if (halo_needed(w)) rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, wrap_block, w);
}

/* Whether an image lies within reach of the box. */
static bool image_is_near(const rill_world *w, vec x, int image, float reach) {
    const vec period = period_of(w), origin = vec_of(w->def.periodic_origin);
    for (int axis = 0; axis < DIM; axis++, image /= 3) {
        const int step = image % 3 - 1;
        if (step == 0) continue;
        const float length = vec_get(period, axis), offset = vec_get(x, axis) - vec_get(origin, axis);
        if (length <= 0.0f) return false;
        if (step > 0 ? offset > reach : offset < length - reach) return false;
    }
    return true;
}

/* ---- making images ---- */

typedef struct image_job {
    rill_world *world;
    float reach;
    const int32_t *first; /* first image of each block of particles */
} image_job;

static double count_block(int begin, int end, void *context) {
    const image_job *job = context;
    int count = 0;
    for (int i = begin; i < end; i++)
        for (int image = 0; image < IMAGES; image++)
            count += image != CENTRE && image_is_near(job->world, places_of(job->world)[i].x, image, job->reach);
    return count;
}

static void write_block(int begin, int end, void *context) {
    const image_job *job = context;
    const rill_world *w = job->world;
    place *places = places_of(w), *images = places + w->particles.count;
    uint32_t *fluids = fluids_of(w), *image_fluids = fluids + w->particles.count;
    int32_t *source = sim_of(w)->halo.source.data;
    int next = job->first[begin / REDUCE_BLOCK];
    for (int i = begin; i < end; i++) {
        for (int image = 0; image < IMAGES; image++) {
            if (image == CENTRE || !image_is_near(w, places[i].x, image, job->reach)) continue;
            images[next] = places[i];
            images[next].x = vec_add(places[i].x, image_shift(w, image));
            image_fluids[next] = fluids[i];
            source[next++] = i;
        }
    }
}

/* Buffers grow with room to spare: the number of images changes with every particle that crosses a face. */
static bool reserve_images(rill_world *w, int64_t wanted) {
    const int n = w->particles.count;
    return n + wanted <= INT32_MAX - 64 && rill_particles_grow(&w->memory, &w->particles, (int)(n + wanted)) &&
           rill_buffer_grow(&w->memory, &sim_of(w)->halo.source, sizeof(int32_t) * (size_t)wanted, 0);
}

rill_status rill_halo_build(rill_world *w, float reach) {
    sim *s = sim_of(w);
    const int n = w->particles.count;
    s->halo.count = 0;
    if (!halo_needed(w)) return RILL_OK;
    for (int axis = 0; axis < DIM; axis++) {
        const float length = vec_get(period_of(w), axis);
        if (length > 0.0f && length < reach) /* one image on each side would not be enough */
            return rill_fail(&w->error, RILL_INVALID, "periodic: %g m along %c is shorter than the support of %g m",
                             (double)length, "xyz"[axis], (double)reach);
    }
    image_job job = {.world = w, .reach = reach};
    int64_t wanted = -1;
    if (rill_buffer_grow(&w->memory, &s->starts, sizeof(int32_t) * ((size_t)reduce_block_count(n) + 1), 0)) {
        wanted = rill_reduce_starts(w->workers, n, REDUCE_BLOCK, count_block, &job, s->starts.data);
        job.first = s->starts.data;
    }
    if (wanted < 0 || !reserve_images(w, wanted))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the periodic images of %d particles", n);
    s->halo.count = (int)wanted;
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, write_block, &job);
    return RILL_OK;
}

/* ---- values of images ---- */

/* Images that a worker takes at a time. Large, because copying a few images is faster than handing them to a worker. */
#define EXCHANGE_GRAIN 2048

typedef struct exchange_job {
    const rill_world *world;
    const halo_array *arrays;
    int count;
} exchange_job;

/* Callers pass a constant `size`, so that memcpy is inlined. */
static inline void copy_values(const rill_world *w, const halo_array *a, size_t size, int begin, int end) {
    const int32_t *source = sim_of(w)->halo.source.data;
    char *data = a->data, *images = data + (size_t)w->particles.count * a->stride;
    for (int k = begin; k < end; k++)
        memcpy(images + (size_t)k * a->stride, data + (size_t)source[k] * a->stride, size);
}

static void copy_places(const rill_world *w, place *places, int begin, int end) {
    const int n = w->particles.count;
    const int32_t *source = sim_of(w)->halo.source.data;
    const place *found = places_of(w);
    for (int k = begin; k < end; k++) {
        places[n + k] = places[source[k]];
        places[n + k].x = vec_add(places[n + k].x, vec_sub(found[n + k].x, found[source[k]].x));
    }
}

static void exchange_block(int begin, int end, void *context) {
    const exchange_job *job = context;
    for (const halo_array *a = job->arrays; a < job->arrays + job->count; a++) {
        if (a->moved)
            copy_places(job->world, a->data, begin, end);
        else if (a->size == 4)
            copy_values(job->world, a, 4, begin, end);
        else if (a->size == 16)
            copy_values(job->world, a, 16, begin, end);
        else
            copy_values(job->world, a, a->size, begin, end);
    }
}

void rill_halo_exchange(const rill_world *w, const halo_array *arrays, int count) {
    exchange_job job = {w, arrays, count};
    rill_parallel_for(w->workers, sim_of(w)->halo.count, EXCHANGE_GRAIN, exchange_block, &job);
}

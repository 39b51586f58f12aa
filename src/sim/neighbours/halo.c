/* SPDX-License-Identifier: MIT */
/* Periodic images as a halo of copies behind the particles: neighbour loops stay free of wrap-around arithmetic, and
   the same seam will carry copies from other processes. */
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

void halo_wrap(rill_world *w) {
    if (!halo_needed(w)) return;
    place *places = places_of(w);
    const vec period = period_of(w), origin = vec_of(w->def.periodic_origin);
    for (int i = 0; i < w->particles.count; i++) {
        float *x = &places[i].x.x;
        for (int axis = 0; axis < DIM; axis++) {
            const float length = vec_get(period, axis), low = vec_get(origin, axis);
            if (length <= 0.0f || (x[axis] >= low && x[axis] < low + length)) continue;
            x[axis] -= length * floorf((x[axis] - low) / length);
            if (!(x[axis] < low + length)) x[axis] = low; /* rounded up to the far face */
        }
    }
}

/* An image counts if it lies within reach of the box. */
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

static int count_images(const rill_world *w, vec x, float reach) {
    int n = 0;
    for (int image = 0; image < IMAGES; image++) n += image != CENTRE && image_is_near(w, x, image, reach);
    return n;
}

rill_status halo_build(rill_world *w, float reach) {
    halo *h = &sim_of(w)->halo;
    const int n = w->particles.count;
    h->count = 0;
    if (!halo_needed(w)) return RILL_OK;
    for (int axis = 0; axis < DIM; axis++) {
        const float length = vec_get(period_of(w), axis);
        if (length > 0.0f && length < reach) /* one image on either side would not be enough */
            return rill_fail(&w->error, RILL_INVALID, "periodic: %g m along %c is shorter than the support of %g m",
                             (double)length, "xyz"[axis], (double)reach);
    }
    int64_t wanted = 0;
    for (int i = 0; i < n; i++) wanted += count_images(w, places_of(w)[i].x, reach);
    /* The number changes with every particle that crosses a face. */
    if (n + wanted > INT32_MAX - 64 || !particles_grow(&w->memory, &w->particles, (int)(n + wanted)) ||
        !buffer_grow(&w->memory, &h->source, sizeof(int32_t) * (size_t)wanted, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the periodic images of %d particles", n);
    place *places = places_of(w);
    uint32_t *fluids = fluids_of(w);
    int32_t *source = h->source.data;
    for (int i = 0; i < n; i++) {
        for (int image = 0; image < IMAGES; image++) {
            if (image == CENTRE || !image_is_near(w, places[i].x, image, reach)) continue;
            places[n + h->count] = places[i];
            places[n + h->count].x = vec_add(places[i].x, image_shift(w, image));
            fluids[n + h->count] = fluids[i];
            source[h->count++] = i;
        }
    }
    return RILL_OK;
}

void halo_update(const rill_world *w, void *data, size_t size) {
    const halo *h = &sim_of(w)->halo;
    const int32_t *source = h->source.data;
    char *bytes = data;
    for (int k = 0; k < h->count; k++)
        memcpy(bytes + (size_t)(w->particles.count + k) * size, bytes + (size_t)source[k] * size, size);
}

/* SPDX-License-Identifier: MIT */
/* Walls of particles at the surface (Akinci et al. 2012): Poisson-disk samples with the volumes they stand for. */
#ifndef RILL_SOLID_SAMPLES_H
#define RILL_SOLID_SAMPLES_H

#include "solid/placed_shape.h"

/* Makes the samples of a shape, not of a compound, in the shape's own frame. A half-space has none: its samples are a
   lattice on its plane, made where they are needed. */
rill_status rill_samples_make(rill_world *world, shared_shape *shared, const rill_shape *shape);

/* A sample near a point: its distance, its volume, and the direction from it to the point. */
typedef struct near_sample {
    float distance, volume;
    vec normal;
} near_sample;
/* Finds samples of a placed shape (a compound's parts included) nearer than `reach` to a point, at most `room`; `found`
   may be NULL to count. `quality` is the world's. Returns their number. */
int rill_samples_near(const placed_shape *f, float spacing, int32_t quality, vec point, float reach, near_sample *found,
                      int room);

#endif

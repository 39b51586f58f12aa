/* SPDX-License-Identifier: MIT */
/* Water, solids and a floor as Embree sees them, and light on its way through them. */
#ifndef RILL_PICTURE_RAYS_H
#define RILL_PICTURE_RAYS_H

#include "picture/drawing.h"
#include "picture/trace.h"
#include "rill/surface.h"

#include <embree3/rtcore.h>

#define RAY_TINTS 4

typedef enum ray_kind { RAY_WATER, RAY_SOLID, RAY_ROD } ray_kind;

/* One geometry; Embree reads the arrays as long as the scene lives. */
typedef struct ray_object {
    ray_kind kind;
    int solid;          /* its number in the frame */
    rgb color;          /* what a solid reflects, or how a liquid absorbs [1/m] */
    rill_vec *position; /* and for water the normals */
    rill_vec *normal;
    uint32_t *index;
    int vertex_count, triangle_count;
} ray_object;

typedef struct ray_scene {
    drawing *d;
    RTCDevice device;
    RTCScene scene;
    ray_object *objects;
    int count, room;
    float floor_z, tile; /* [m] */
    float size;          /* of what there is to see [m] */
    rill_vec middle;
    rill_vec sun; /* direction to it */
} ray_scene;

rill_status rill_ray_scene_make(ray_scene *s, drawing *d, rill_error *error);
void rill_ray_scene_free(ray_scene *s);

/* A stream of numbers of its own for each pixel and sample: pictures do not depend on threads. */
typedef struct ray_random {
    uint64_t state;
} ray_random;

static inline float ray_random_next(ray_random *r) {
    r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (float)(uint32_t)(r->state >> 40) * (1.0f / 16777216.0f);
}

/* What arrives along a ray, linear and without upper bound. */
rgb rill_ray_light(const ray_scene *s, rill_vec from, rill_vec direction, ray_random *random);

#endif

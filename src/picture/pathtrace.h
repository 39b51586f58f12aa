/* SPDX-License-Identifier: MIT */
/* Liquids, solids and a floor as Embree sees them, and light on its way through them. */
#ifndef RILL_PICTURE_RAYS_H
#define RILL_PICTURE_RAYS_H

#include "core/parallel.h"
#include "picture/drawing.h"
#include "picture/solid_raymarch.h"
#include "rill/surface.h"

#include <embree3/rtcore.h>

#define RAY_LIQUIDS_MAX 15
#define RAY_TANKS_MAX   8

/* Optical properties of a liquid. */
typedef struct ray_liquid {
    rgb absorption; /* [1/m] */
    float refraction;
} ray_liquid;

typedef enum ray_kind { RAY_LIQUID, RAY_DROPS, RAY_SOLID } ray_kind;

/* One geometry; Embree reads the arrays as long as the scene lives. */
typedef struct ray_object {
    ray_kind kind;
    int solid;  /* its number in the frame if it is round and has normals of its own; -1: none */
    int liquid; /* its number in the scene, of liquids and drops */
    rgb color;  /* what a solid reflects */
    bool *dark; /* of cloth: triangles that reflect `other` instead; NULL: none */
    rgb other;
    /* Of liquids and solids: where vertices are when the shutter opens and when it closes (NULL: the same). */
    rill_vec *position, *later;
    rill_vec *normal; /* of liquids, and of meshes */
    uint32_t *index;
    float *ball, *ball_later; /* of drops: centre and radius, four numbers each */
    int vertex_count, triangle_count;
} ray_object;

/* A box that liquids are in: they end at its flat sides, whatever their mesh does there. */
typedef struct ray_tank {
    rill_vec min, max; /* as the shape was added */
    rill_transform transform;
} ray_tank;

/* The sky and the sun. */
typedef struct ray_lights {
    rgb horizon, zenith, glow; /* of the sky; the glow is about the sun */
    rgb sun;                   /* irradiance of what faces it */
    rgb disc;                  /* radiance that mirrors show */
    rgb ambient;               /* of paths that are not followed to their end */
} ray_lights;

/* The sun's light on the floor, bent and tinted by the liquids: 1 where nothing is in its way. */
typedef struct ray_floor {
    rgb *map;
    int columns, rows;
    rill_vec corner;
    float cell; /* [m] */
} ray_floor;

typedef struct ray_scene {
    drawing *d;
    RTCDevice device;
    RTCScene scene;
    ray_object *objects;
    int count, room;
    ray_liquid liquids[RAY_LIQUIDS_MAX];
    int liquid_count;
    ray_tank tanks[RAY_TANKS_MAX];
    int tank_count;
    ray_lights lights;
    ray_floor floor_light;
    rgb floor_color, joint_color; /* of tiles and of the lines between them */
    float floor_z, tile;          /* [m] */
    float size;                   /* of what there is to see [m] */
    rill_vec middle;
    rill_vec sun; /* direction to it */
} ray_scene;

rill_status rill_ray_scene_make(ray_scene *s, drawing *d, rill_error *error);
void rill_ray_scene_free(ray_scene *s);
/* pathtrace_floor.c: fills the scene's floor_light, `columns` cells along its longer side. */
rill_status rill_ray_floor_make(ray_scene *s, int columns, parallel *workers, rill_error *error);
rgb rill_ray_floor_at(const ray_scene *s, rill_vec point);

/* Numbers in [0, 1) for one sample of a pixel: those that matter most come from sequences that spread them evenly over
   the samples (Richtmyer's: multiples of roots of primes), shifted for each pixel. Pictures do not depend on threads.
 */
typedef struct ray_random {
    uint64_t state;
    uint32_t pixel, sample, dimension;
} ray_random;
ray_random rill_ray_random(uint32_t pixel, uint32_t sample);
float rill_ray_random_next(ray_random *r);

/* The light that arrives along a ray, linear and without upper bound. */
rgb rill_ray_light(const ray_scene *s, rill_vec from, rill_vec direction, ray_random *random);
/* Follows a ray of sunlight to the floor: false if it does not arrive, else where it does and what is left of it. */
bool rill_ray_sunbeam(const ray_scene *s, rill_vec from, rill_vec direction, rill_vec *point, rgb *share);

static inline rgb rgb_times(rgb a, rgb b) {
    return (rgb){a.r * b.r, a.g * b.g, a.b * b.b};
}

static inline rgb rgb_scale(rgb a, float s) {
    return (rgb){a.r * s, a.g * s, a.b * s};
}

static inline rgb rgb_add(rgb a, rgb b) {
    return (rgb){a.r + b.r, a.g + b.g, a.b + b.b};
}

#endif

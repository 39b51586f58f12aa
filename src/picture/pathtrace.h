/* SPDX-License-Identifier: MIT */
/* The scene of a ray traced picture as Embree holds it, and the light along its rays. */
#ifndef RILL_PICTURE_PATHTRACE_H
#define RILL_PICTURE_PATHTRACE_H

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

/* One geometry. Embree reads its arrays as long as the scene lives. */
typedef struct ray_object {
    ray_kind kind;
    int solid;  /* number of a round solid, whose shape gives normals; -1: the mesh does */
    int liquid; /* of liquids and drops: index into the scene's liquids */
    rgb color;  /* reflectance of a solid */
    bool *dark; /* of cloth: triangles that reflect `other` instead; NULL: none */
    rgb other;
    /* Of liquids and solids: vertices when the shutter opens and when it closes (`later` NULL: no motion). */
    rill_vec *position, *later;
    rill_vec *normal; /* of liquids, and of meshes */
    uint32_t *index;
    float *ball, *ball_later; /* of drops: centre and radius, four numbers each */
    int vertex_count, triangle_count;
} ray_object;

/* A container of liquids. Liquids end at its flat sides, wherever their mesh ends. */
typedef struct ray_tank {
    rill_vec min, max; /* in the frame of the shape as it was added */
    rill_transform transform;
} ray_tank;

/* The sky and the sun. */
typedef struct ray_lights {
    rgb horizon, zenith, glow; /* of the sky; the glow is around the sun */
    rgb sun;                   /* irradiance on a surface that faces it */
    rgb disc;                  /* radiance that mirrors show */
    rgb ambient;               /* light of paths that are cut off */
} ray_lights;

/* Sunlight on the floor, refracted and tinted by the liquids, as a share of unobstructed light. */
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
    rgb floor_color, joint_color; /* of tiles and of the joints between them */
    float floor_z, tile;          /* [m] */
    float size;                   /* diagonal of the bounds [m] */
    rill_vec middle;
    rill_vec sun; /* direction towards it */
} ray_scene;

rill_status rill_ray_scene_make(ray_scene *s, drawing *d, rill_error *error);
void rill_ray_scene_free(ray_scene *s);
/* pathtrace_floor.c: fills the scene's floor_light, with `columns` cells along its longer side. */
rill_status rill_ray_floor_make(ray_scene *s, int columns, parallel *workers, rill_error *error);
rgb rill_ray_floor_at(const ray_scene *s, rill_vec point);

/* Random numbers in [0, 1) for one sample of a pixel. The first twelve, which matter most, come from Richtmyer's
   sequences (multiples of square roots of primes), which spread evenly over the samples, shifted for each pixel.
   Pictures do not depend on the number of threads. */
typedef struct ray_random {
    uint64_t state;
    uint32_t pixel, sample, dimension;
} ray_random;
ray_random rill_ray_random(uint32_t pixel, uint32_t sample);
float rill_ray_random_next(ray_random *r);

/* The radiance that arrives along a ray, linear and without upper bound. */
rgb rill_ray_light(const ray_scene *s, rill_vec from, rill_vec direction, ray_random *random);
/* Follows a ray of sunlight to the floor. False if it does not arrive; else the place and the share left. */
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

/* SPDX-License-Identifier: MIT */
/* A 3D picture before lighting: the surface that every sample sees. */
#ifndef RILL_PICTURE_STAGE_H
#define RILL_PICTURE_STAGE_H

#include "picture/drawing.h"
#include "picture/solid_raymarch.h"

typedef enum sample_kind { SAMPLE_NOTHING, SAMPLE_SOLID, SAMPLE_FLUID, SAMPLE_CLOTH } sample_kind;

/* The nearest surface that a sample sees. */
typedef struct sample {
    float depth; /* along the camera's forward [m] */
    float share; /* position in the colour bar, 0 to 1 */
    int8_t normal[3];
    uint8_t kind;
} sample;

typedef struct stage {
    drawing *d;
    trace_scene scene;
    int per_pixel;        /* samples along a pixel's side */
    float radius;         /* of the drawn spheres [m] */
    float size;           /* of the bounds, corner to corner [m] */
    float margin;         /* around the bounds, where solids fade out [m] */
    float nearest, reach; /* least depth of the bounds, and the range of depths from there [m] */
    bool smooth;          /* normals are the surface's own, not those of spheres */
    sample *samples;      /* scene.width * scene.height */
    trace_hit *hits;      /* scene.width * scene.height */
    float *shade;         /* for each pixel: how much deeper it lies than its surroundings [m] */
    float *body;          /* for each pixel: depth of the fluid's surface, smoothed over the spheres [m]; 0: none */
} stage;

/* draw3d.c: makes a stage with the solids in it. Close it whatever the result. */
rill_status rill_stage_open(stage *s, drawing *d, rill_error *error);
void rill_stage_close(stage *s);

/* raster_shade.c: turns samples into pixels. */
rill_status rill_stage_light(stage *s, rill_error *error);

#endif

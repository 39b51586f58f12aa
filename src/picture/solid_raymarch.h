/* SPDX-License-Identifier: MIT */
/* Solids in 3D seen from a camera. Rays march by the signed distances, which works for every shape. */
#ifndef RILL_PICTURE_SOLID_RAYMARCH_H
#define RILL_PICTURE_SOLID_RAYMARCH_H

#include "picture/drawing.h"

typedef struct camera {
    rill_vec eye, right, up, forward; /* unit, orthogonal */
    float focal;                      /* [samples] */
    float x0, y0;                     /* the sample in the direction `forward` */
} camera;

/* The solids that a sample sees. The near wall of a container that the eye looks into hides nothing; it is kept as
   `front`, for its outline. Normals are in units of 1/127. */
typedef struct trace_hit {
    float depth, front_depth;   /* along camera.forward [m]; HUGE_VALF: none */
    int32_t solid, front_solid; /* -1: none */
    int8_t normal[3], front_normal[3];
} trace_hit;

typedef struct trace_scene {
    const rill_frame *frame;
    const picture_def *def; /* its paints hide solids */
    int count;              /* of solids; in a frame without any, a floor counts as one */
    float floor_z;          /* [m] */
    picture_box region;     /* nothing outside is traced */
    camera camera;
    int width, height; /* in samples */
} trace_scene;

/* camera.c: the camera of a picture with this many samples; and a corner of a box, chosen by three bits. */
camera rill_picture_camera(const drawing *d, int width, int height);
rill_vec rill_picture_corner(picture_box b, int k);

/* The unit direction of sample (x, y). */
static inline rill_vec camera_ray(const camera *c, float x, float y) {
    rill_vec side = vec_scale(c->right, (x - c->x0) / c->focal), rise = vec_scale(c->up, (c->y0 - y) / c->focal);
    rill_vec ray = vec_add(c->forward, vec_add(side, rise));
    return vec_scale(ray, 1.0f / vec_length(ray));
}

static inline rill_vec unpack_normal(const int8_t n[3]) {
    return (rill_vec){(float)n[0] / 127.0f, (float)n[1] / 127.0f, (float)n[2] / 127.0f};
}

static inline void pack_normal(int8_t packed[3], rill_vec n) {
    packed[0] = (int8_t)lrintf(n.x * 127.0f);
    packed[1] = (int8_t)lrintf(n.y * 127.0f);
    packed[2] = (int8_t)lrintf(n.z * 127.0f);
}

/* Fills `hits`, an array of width * height. */
rill_status rill_trace_solids(const trace_scene *scene, trace_hit *hits, rill_error *error);

#endif

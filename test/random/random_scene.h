/* SPDX-License-Identifier: MIT */
/* Random scenes: a seed gives a small scene that may use anything the definitions offer. */
#ifndef RILL_TEST_RANDOM_SCENE_H
#define RILL_TEST_RANDOM_SCENE_H

#include "scene/scene.h"

/* Most objects of a kind, and room for the points, parts and numbers of all shapes and motions. */
enum {
    RANDOM_OBJECTS = 8,
    RANDOM_POINTS = 4000,
    RANDOM_PARTS = 100,
    RANDOM_NUMBERS = 200,
    RANDOM_PARAMS = 64,
    RANDOM_PARAMS_BYTES = 1024,
};

typedef struct random_scene {
    scene scene; /* its lists are the arrays below; `run.dt` 0: adaptive steps within frames of 1 / `run.fps` */
    int steps;
    char other_method[RILL_NAME_SIZE]; /* that takes over after a third of the steps; empty: none */
    rill_fluid_def fluids[RANDOM_OBJECTS];
    rill_block_def blocks[RANDOM_OBJECTS];
    rill_solid_def solids[RANDOM_OBJECTS];
    rill_body_def bodies[RANDOM_OBJECTS];
    rill_joint_def joints[RANDOM_OBJECTS];
    rill_emitter_def emitters[RANDOM_OBJECTS];
    rill_sink_def sinks[RANDOM_OBJECTS];
    rill_gauge_def gauges[RANDOM_OBJECTS];
    rill_cloth_def cloths[RANDOM_OBJECTS];
    rill_pin_def pins[RANDOM_OBJECTS];
    scene_method method;
    _Alignas(16) unsigned char params[RANDOM_PARAMS_BYTES];
    bool given[RANDOM_PARAMS];
    rill_vec points[RANDOM_POINTS];
    rill_shape parts[RANDOM_PARTS];
    float numbers[RANDOM_NUMBERS];
    int point_count, part_count, number_count;
    rill_vec query_point, query_along; /* where to ask for solids */
} random_scene;

/* The scene of a seed: equal seeds give equal scenes. Almost all of them are valid; the library decides. */
void random_scene_draw(random_scene *r, uint64_t seed);

/* Builds its world. NULL if the library refuses a definition; `added` gets the particles of all blocks and cloths. */
rill_world *random_scene_build(const random_scene *r, int workers, rill_simd simd, int *added, rill_error *error);

#endif

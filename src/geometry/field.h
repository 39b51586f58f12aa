/* SPDX-License-Identifier: MIT */
/* Signed distance to a mesh on a grid: negative inside. Blocks of 8x8x8 cells near the surface store a value at each
   node; all others store their eight corners only. Values are interpolated linearly, and blocks agree on the faces they
   share, so the distance is continuous and a surface without holes does not leak. */
#ifndef RILL_GEOMETRY_FIELD_H
#define RILL_GEOMETRY_FIELD_H

#include "core/parallel.h"
#include "core/sha256.h"
#include "geometry/mesh.h"

#define FIELD_BLOCK 8                 /* cells along the edge of a block */
#define FIELD_SIDE  (FIELD_BLOCK + 1) /* nodes along the same edge */
#define FIELD_NODES (FIELD_SIDE * FIELD_SIDE * FIELD_SIDE)
/* Most blocks, fine and coarse: enough for a cube of 2048 cells along each edge. */
#define FIELD_MAX_BLOCKS (1 << 24)

typedef struct field_options {
    float cell;      /* metres between nodes */
    float margin;    /* up to this distance, inside and outside, the resolution is full */
    float thickness; /* 0: the mesh bounds a solid; otherwise it is a sheet with two sides and this thickness, at least
                        two cells */
} field_options;

/* SHA-256 of a mesh and its options: identifies the input that a stored field was built from. */
typedef struct field_key {
    unsigned char bytes[SHA256_SIZE];
} field_key;

typedef struct distance_field {
    field_options options;
    field_key key;         /* of the mesh and the options */
    float low[3], high[3]; /* bounds of the mesh */
    float origin[3];       /* lower corner of the grid */
    int32_t blocks[3];
    int32_t fine_count;
    int32_t *index; /* number of the fine block of each block, or -1; x fastest */
    float *coarse;  /* values at the corners of the blocks */
    float *fine;    /* FIELD_NODES for each fine block, x fastest */
    mesh_report report;
    double area;      /* area of the mesh */
    mesh_solid solid; /* from the mesh if it is closed and does not overlap itself, otherwise from the grid */
    float thin;       /* share of the surface behind which the solid is too thin for the cells */
    size_t bytes;     /* memory in use */
} distance_field;

/* NULL if the mesh or the options are invalid, or if memory runs out. The same bits for any number of workers. */
distance_field *rill_field_build(memory *m, parallel *workers, const mesh *input, const field_options *options,
                                 rill_error *error);
void rill_field_free(memory *m, distance_field *field);
/* Distance at p, and the direction in which it grows (length 1; may be NULL), smoothed over one cell. Outside the grid
   the distance at its border is extended by a lower bound of its growth. */
void rill_field_sample(const distance_field *field, const float p[3], float *distance, float gradient[3]);
/* The key of the field that rill_field_build makes from these arguments. */
field_key rill_field_key_of(const mesh *input, const field_options *options);
/* The first 64 bits of a key, to name a cache entry. Compare the whole key before trusting an entry. */
uint64_t rill_field_key_name(const field_key *key);

/* ---- as bytes ---- */
size_t rill_field_byte_count(const distance_field *field);
void rill_field_to_bytes(const distance_field *field, void *bytes);
/* NULL if the bytes are not a valid field. */
distance_field *rill_field_from_bytes(memory *m, const void *bytes, size_t size, rill_error *error);

/* ---- for the files of this folder ---- */
static inline size_t field_block_count(const distance_field *f) {
    return (size_t)f->blocks[0] * (size_t)f->blocks[1] * (size_t)f->blocks[2];
}
static inline size_t field_corner_count(const distance_field *f) {
    return ((size_t)f->blocks[0] + 1) * ((size_t)f->blocks[1] + 1) * ((size_t)f->blocks[2] + 1);
}
static inline size_t field_block_at(const distance_field *f, int x, int y, int z) {
    return ((size_t)z * (size_t)f->blocks[1] + (size_t)y) * (size_t)f->blocks[0] + (size_t)x;
}
static inline size_t field_corner_at(const distance_field *f, int x, int y, int z) {
    return ((size_t)z * ((size_t)f->blocks[1] + 1) + (size_t)y) * ((size_t)f->blocks[0] + 1) + (size_t)x;
}
static inline size_t field_node_at(int x, int y, int z) {
    return ((size_t)z * FIELD_SIDE + (size_t)y) * FIELD_SIDE + (size_t)x;
}
static inline float *field_block_nodes(const distance_field *f, int32_t fine) {
    return f->fine + (size_t)fine * FIELD_NODES;
}
/* A field with memory for its blocks and corners, and no fine blocks yet. */
distance_field *rill_field_create(memory *m, const int32_t blocks[3]);
/* Replaces the memory for fine blocks by that for `count` of them. */
bool rill_field_set_fine(memory *m, distance_field *field, int32_t count);
/* Interpolates between the corners of a block; x, y, z in [0, 1]. */
float rill_field_coarse_value(const distance_field *f, int bx, int by, int bz, float x, float y, float z);
/* Volume, centre and inertia of the region of negative distance, summed over the cells. */
mesh_solid rill_field_measure(const distance_field *field);

#endif

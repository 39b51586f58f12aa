/* SPDX-License-Identifier: MIT */
/* One frame of a world as the writers see it: fields by table, particles in id order, scalars as 32 little-endian bits.
 */
#ifndef RILL_IO_FRAME_H
#define RILL_IO_FRAME_H

#include "rill/rill.h"

/* Particles gathered at a time, to keep the writers' buffers small. */
#define IO_CHUNK 4096

typedef struct io_frame {
    const rill_world *world;
    int dim, count;
    double time;
    float spacing;
    uint32_t *order; /* order[k]: index of the particle with the k-th smallest id */
} io_frame;

rill_status io_frame_open(io_frame *frame, const rill_world *world, rill_error *error);
void io_frame_close(io_frame *frame);

/* The bits of one scalar; 0 past the last component, which pads 2D vectors to three. */
static inline uint32_t io_view_bits(const rill_view *view, uint32_t particle, int component) {
    if (component >= view->components) return 0;
    return ((const uint32_t *)view->data)[(size_t)particle * (size_t)view->stride + (size_t)component];
}

/* Vectors are written with three components. */
static inline int io_view_width(const rill_view *view) {
    return view->components > 1 ? 3 : 1;
}

static inline void io_put32(unsigned char *bytes, uint32_t value) {
    for (int k = 0; k < 4; k++) bytes[k] = (unsigned char)(value >> 8 * k);
}

static inline void io_put64(unsigned char *bytes, uint64_t value) {
    for (int k = 0; k < 8; k++) bytes[k] = (unsigned char)(value >> 8 * k);
}

static inline uint32_t io_get32(const unsigned char *bytes) {
    uint32_t value = 0;
    for (int k = 0; k < 4; k++) value |= (uint32_t)bytes[k] << 8 * k;
    return value;
}

static inline uint64_t io_get64(const unsigned char *bytes) {
    return io_get32(bytes) | (uint64_t)io_get32(bytes + 4) << 32;
}

#endif

/* SPDX-License-Identifier: MIT */
/* Numbers in files: 32 or 64 bits, little-endian. */
#ifndef RILL_IO_BYTES_H
#define RILL_IO_BYTES_H

#include "rill/rill.h"

/* Size of a write in bytes, a multiple of eight. */
#define IO_CHUNK 16384

/* The bits of one scalar of particle k in the file's order. 0 past the last component, which pads 2D vectors to
   three. */
static inline uint64_t io_field_bits(const rill_frame *frame, const rill_view *field, int k, int component) {
    if (component >= field->components) return 0;
    const size_t place = (size_t)(frame->order ? frame->order[k] : k) * (size_t)field->stride + (size_t)component;
    return field->scalar == RILL_SCALAR_UINT64 ? ((const uint64_t *)field->data)[place]
                                               : ((const uint32_t *)field->data)[place];
}

/* The number of components that are written: 2D vectors get a third. */
static inline int io_field_width(const rill_view *field) {
    return field->components == 2 ? 3 : field->components;
}

static inline void io_put32(unsigned char *bytes, uint32_t value) {
    for (int k = 0; k < 4; k++) bytes[k] = (unsigned char)(value >> 8 * k);
}

static inline void io_put64(unsigned char *bytes, uint64_t value) {
    for (int k = 0; k < 8; k++) bytes[k] = (unsigned char)(value >> 8 * k);
}

/* Stores the lowest `size` bytes, 4 or 8. */
static inline void io_put(unsigned char *bytes, uint64_t value, size_t size) {
    for (size_t k = 0; k < size; k++) bytes[k] = (unsigned char)(value >> 8 * k);
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

/* SPDX-License-Identifier: MIT */
/* Binary numbers in PLY files. */
#ifndef RILL_GEOMETRY_PLY_SCALAR_H
#define RILL_GEOMETRY_PLY_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ply_type {
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT,
    PLY_DOUBLE,
    PLY_TYPES
} ply_type;

/* The type with this name ("uchar" or "uint8"), in upper or lower case; PLY_TYPES for any other word. */
ply_type rill_ply_type_of(const char *begin, const char *end);
size_t rill_ply_size(ply_type type);
/* The value of a number. All types but the last two are integers. */
double rill_ply_value(ply_type type, const unsigned char *bytes, bool big_endian);

#endif

/* SPDX-License-Identifier: MIT */
/* Binary numbers in PLY files. */
#include "geometry/read/ply_scalar.h"

#include "geometry/read/reader.h"

#include <string.h>

static const struct {
    const char *name, *other_name;
    size_t size;
} types[PLY_TYPES] = {[PLY_INT8] = {"char", "int8", 1},      [PLY_UINT8] = {"uchar", "uint8", 1},
                      [PLY_INT16] = {"short", "int16", 2},   [PLY_UINT16] = {"ushort", "uint16", 2},
                      [PLY_INT32] = {"int", "int32", 4},     [PLY_UINT32] = {"uint", "uint32", 4},
                      [PLY_FLOAT] = {"float", "float32", 4}, [PLY_DOUBLE] = {"double", "float64", 8}};

ply_type rill_ply_type_of(const char *begin, const char *end) {
    const mesh_word word = {begin, end};
    int type = 0;
    while (type < PLY_TYPES && !rill_mesh_word_is(word, types[type].name) &&
           !rill_mesh_word_is(word, types[type].other_name))
        type++;
    return (ply_type)type;
}

size_t rill_ply_size(ply_type type) {
    return types[type].size;
}

static uint64_t bits_of(const unsigned char *bytes, size_t size, bool big_endian) {
    uint64_t bits = 0;
    for (size_t k = 0; k < size; k++) bits |= (uint64_t)bytes[k] << 8 * (big_endian ? size - 1 - k : k);
    return bits;
}

double rill_ply_value(ply_type type, const unsigned char *bytes, bool big_endian) {
    const uint64_t bits = bits_of(bytes, types[type].size, big_endian);
    const uint32_t word = (uint32_t)bits;
    float single;
    double number;
    switch (type) {
    case PLY_INT8:
        return (double)bits - (bits < 0x80 ? 0.0 : 256.0);
    case PLY_INT16:
        return (double)bits - (bits < 0x8000 ? 0.0 : 65536.0);
    case PLY_INT32:
        return (double)bits - (bits < 0x80000000 ? 0.0 : 4294967296.0);
    case PLY_FLOAT:
        memcpy(&single, &word, sizeof single);
        return (double)single;
    case PLY_DOUBLE:
        memcpy(&number, &bits, sizeof number);
        return number;
    default:
        return (double)bits;
    }
}

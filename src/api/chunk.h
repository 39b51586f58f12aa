/* SPDX-License-Identifier: MIT */
/* The container of snapshots: chunks of rows, each chunk a list of named columns. A column says what its values are
   (kind and size of a scalar, scalars in a row), so that any build can tell what it knows, what it lacks and what it
   must refuse. Heads and values follow each other without padding:

   chunk   name, flags, rows, columns, bytes of its columns
   column  name, type, width, flags, bytes of its values

   A list column has the number of elements of each row, and then the elements of all rows. */
#ifndef RILL_API_CHUNK_H
#define RILL_API_CHUNK_H

#include "api/archive.h"

#define CHUNK_NAME_SIZE 64

/* Kind and size of a scalar, so that a build knows the size of a kind that it does not know. */
#define COLUMN_TYPE(kind, size) (((uint32_t)(kind) << 8) | (uint32_t)(size))
enum {
    COLUMN_BOOL = COLUMN_TYPE('b', 1),
    COLUMN_CHAR = COLUMN_TYPE('c', 1),
    COLUMN_I32 = COLUMN_TYPE('i', 4),
    COLUMN_U32 = COLUMN_TYPE('u', 4),
    COLUMN_I64 = COLUMN_TYPE('i', 8),
    COLUMN_U64 = COLUMN_TYPE('u', 8),
    COLUMN_F32 = COLUMN_TYPE('f', 4),
    COLUMN_F64 = COLUMN_TYPE('f', 8),
};

enum {
    CHUNK_REQUIRED = 1, /* a build that does not know the chunk must refuse the snapshot */
    COLUMN_LIST = 1,
    COLUMN_OPTIONAL = 2, /* may be ignored: default values, or values that each step rebuilds */
};

typedef struct column {
    char name[CHUNK_NAME_SIZE];
    uint32_t type, width, flags;
    uint64_t bytes;
    const unsigned char *data; /* when read */
} column;

typedef struct chunk {
    char name[CHUNK_NAME_SIZE];
    uint32_t flags;
    uint64_t rows;
    uint32_t columns;
    uint64_t bytes;
    const unsigned char *data; /* when read */
} chunk;

static inline size_t column_scalar_size(uint32_t type) {
    return type & 255;
}

/* Measures, writes or reads a head. Reading also finds the values and checks that their number is that of the head. */
void rill_archive_chunk(archive *a, chunk *c);
void rill_archive_column(archive *a, column *c, uint64_t rows);

/* Whether all chunks and columns are complete and nothing is left over. */
bool rill_chunks_are_sound(const void *data, size_t size);
/* Finds a chunk or column by name, in chunks that are sound. */
bool rill_chunk_find(const void *data, size_t size, const char *name, chunk *found);
bool rill_column_find(const chunk *c, const char *name, column *found);

#endif

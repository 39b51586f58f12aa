/* SPDX-License-Identifier: MIT */
/* A stream of bytes that is written, measured or read by the same code, so that what is saved is what is loaded.
   Reading is bounded and sticky: after the first thing that does not fit, nothing more is read and `ok` stays false. */
#ifndef RILL_API_ARCHIVE_H
#define RILL_API_ARCHIVE_H

#include "rill/world.h"

typedef enum archive_mode { ARCHIVE_MEASURE, ARCHIVE_WRITE, ARCHIVE_READ } archive_mode;

typedef struct archive {
    archive_mode mode;
    bool ok;
    bool no_memory;  /* why it is not ok */
    uint64_t size;   /* bytes so far */
    uint64_t sum[2]; /* of the bytes so far: Fletcher's two sums, which do not care how the bytes are cut */
    rill_write_fn *write;
    void *context;
    const unsigned char *data; /* reading: what is left */
    size_t left;
} archive;

void archive_bytes(archive *a, void *data, size_t size);
void archive_u32(archive *a, uint32_t *value);
void archive_i64(archive *a, int64_t *value);
void archive_u64(archive *a, uint64_t *value);
void archive_double(archive *a, double *value);
void archive_bool(archive *a, bool *value);
/* A count that must lie in [0, max] when read. */
void archive_count(archive *a, int *count, int64_t max);
/* Checksum of what was written so far, and of bytes that were read. */
uint64_t archive_sum(const archive *a);
uint64_t archive_checksum(const void *data, size_t size);
/* Fails the archive for want of memory. */
void archive_need(archive *a, bool got_memory);
/* Fails the archive if a read value makes no sense. */
void archive_expect(archive *a, bool condition);

#endif

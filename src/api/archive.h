/* SPDX-License-Identifier: MIT */
/* A stream of bytes that is written, measured or read. What describes the bytes (heads of chunks and columns) is passed
   by the same code in all three directions, so that what is saved is what is loaded. Reading is bounded and sticky:
   after the first thing that does not fit, nothing more is read and `ok` stays false. */
#ifndef RILL_API_ARCHIVE_H
#define RILL_API_ARCHIVE_H

#include "rill/world.h"

typedef enum archive_mode { ARCHIVE_MEASURE, ARCHIVE_WRITE, ARCHIVE_READ } archive_mode;

typedef struct archive {
    archive_mode mode;
    bool ok;
    uint64_t size;   /* bytes so far */
    uint64_t sum[2]; /* of the bytes so far: Fletcher's two sums, which do not care how the bytes are cut */
    rill_write_fn *write;
    void *context;
    const unsigned char *data; /* reading: what is left */
    size_t left;
} archive;

archive rill_archive_of(const void *data, size_t size); /* to read from */
/* Measures or writes bytes that an archive only reads from. */
void rill_archive_put(archive *a, const void *data, size_t size);
/* In either direction. */
void rill_archive_bytes(archive *a, void *data, size_t size);
void rill_archive_u32(archive *a, uint32_t *value);
void rill_archive_u64(archive *a, uint64_t *value);
/* Printable characters without blanks, at least one; `size` bytes hold them and a final zero. */
void rill_archive_name(archive *a, char *name, size_t size);
/* Passes over bytes when reading, and tells where they begin; NULL if there are fewer. */
const unsigned char *rill_archive_skip(archive *a, uint64_t size);
/* Checksum of what was written so far, and of bytes that were read. */
uint64_t rill_archive_sum(const archive *a);
uint64_t rill_archive_checksum(const void *data, size_t size);
/* Fails the archive if a read value makes no sense. */
void rill_archive_expect(archive *a, bool condition);

#endif

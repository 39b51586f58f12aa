/* SPDX-License-Identifier: MIT */
/* A stream of bytes that is measured, written or read. The same code passes the descriptions of the bytes (heads of
   chunks and columns) in all three modes, so that what is saved is what is loaded. Reading is bounded: after the first
   value that does not fit, nothing more is read and `ok` stays false. */
#ifndef RILL_API_ARCHIVE_H
#define RILL_API_ARCHIVE_H

#include "rill/world.h"

typedef enum archive_mode { ARCHIVE_MEASURE, ARCHIVE_WRITE, ARCHIVE_READ } archive_mode;

typedef struct archive {
    archive_mode mode;
    bool ok;
    uint64_t size; /* bytes so far */
    uint64_t
        sum[2]; /* Fletcher's two sums of the bytes so far; they do not depend on how the bytes are cut into calls */
    rill_write_fn *write;
    void *context;
    const unsigned char *data; /* reading: the rest */
    size_t left;
} archive;

archive rill_archive_of(const void *data, size_t size); /* to read from */
/* Measures or writes bytes. Not for reading. */
void rill_archive_put(archive *a, const void *data, size_t size);
/* Measure, write or read values. */
void rill_archive_bytes(archive *a, void *data, size_t size);
void rill_archive_u32(archive *a, uint32_t *value);
void rill_archive_u64(archive *a, uint64_t *value);
/* A name of printable characters without blanks, at least one; `size` is the room for it, with a final zero. */
void rill_archive_name(archive *a, char *name, size_t size);
/* Reading: skips bytes and returns where they start; NULL if there are fewer. */
const unsigned char *rill_archive_skip(archive *a, uint64_t size);
/* The checksum of the bytes written so far, and of bytes in memory. */
uint64_t rill_archive_sum(const archive *a);
uint64_t rill_archive_checksum(const void *data, size_t size);
/* Reading: fails the archive unless the condition holds. */
void rill_archive_expect(archive *a, bool condition);

#endif

/* SPDX-License-Identifier: MIT */
/* A stream of bytes that is written, measured or read by the same code. Little-endian machines only: checked where the
   snapshot's head is read. */
#include "api/archive.h"

#include "core/hash.h"

#include <math.h>
#include <string.h>

/* Position-dependent and independent of how the bytes are cut into calls. 64-bit sums wrap, which is fine. */
static void add_up(uint64_t sum[2], const void *data, size_t size) {
    const unsigned char *bytes = data;
    uint64_t a = sum[0], b = sum[1];
    for (size_t k = 0; k < size; k++) {
        a += bytes[k] + 1u;
        b += a;
    }
    sum[0] = a, sum[1] = b;
}

static uint64_t fold(const uint64_t sum[2]) {
    return hash_mix(sum[0]) ^ hash_mix(sum[1] + 1);
}

uint64_t archive_sum(const archive *a) {
    return fold(a->sum);
}

uint64_t archive_checksum(const void *data, size_t size) {
    uint64_t sum[2] = {0, 0};
    add_up(sum, data, size);
    return fold(sum);
}

void archive_bytes(archive *a, void *data, size_t size) {
    if (!a->ok) return;
    if (a->mode == ARCHIVE_READ) {
        if (size > a->left) {
            a->ok = false;
            return;
        }
        if (size) memcpy(data, a->data, size);
        a->data += size;
        a->left -= size;
    } else if (a->mode == ARCHIVE_WRITE) {
        add_up(a->sum, data, size);
        a->ok = size == 0 || a->write(data, size, a->context);
    }
    a->size += size;
}

void archive_u32(archive *a, uint32_t *value) {
    archive_bytes(a, value, sizeof *value);
}

void archive_i64(archive *a, int64_t *value) {
    archive_bytes(a, value, sizeof *value);
}

void archive_u64(archive *a, uint64_t *value) {
    archive_bytes(a, value, sizeof *value);
}

void archive_double(archive *a, double *value) {
    archive_bytes(a, value, sizeof *value);
    archive_expect(a, isfinite(*value));
}

void archive_bool(archive *a, bool *value) {
    unsigned char byte = *value;
    archive_bytes(a, &byte, 1);
    archive_expect(a, byte <= 1);
    if (a->ok) *value = byte == 1;
}

void archive_count(archive *a, int *count, int64_t max) {
    int64_t value = *count;
    archive_i64(a, &value);
    archive_expect(a, value >= 0 && value <= max);
    if (a->ok) *count = (int)value;
}

void archive_expect(archive *a, bool condition) {
    if (a->mode == ARCHIVE_READ && !condition) a->ok = false;
}

void archive_need(archive *a, bool got_memory) {
    if (got_memory) return;
    a->ok = false;
    a->no_memory = true;
}

/* SPDX-License-Identifier: MIT */
/* A stream of bytes that is measured, written or read. Numbers are in the byte order of the machine; a snapshot with
   another order is refused (snapshot_load.c). */
#include "api/archive.h"

#include "core/hash.h"

#include <string.h>

/* Fletcher's sums, which depend on the order of the bytes but not on how they are cut into calls. They may wrap
   around. */
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
    return rill_hash_mix(sum[0]) ^ rill_hash_mix(sum[1] + 1);
}

uint64_t rill_archive_sum(const archive *a) {
    return fold(a->sum);
}

uint64_t rill_archive_checksum(const void *data, size_t size) {
    uint64_t sum[2] = {0, 0};
    add_up(sum, data, size);
    return fold(sum);
}

archive rill_archive_of(const void *data, size_t size) {
    return (archive){.mode = ARCHIVE_READ, .ok = true, .data = data, .left = size};
}

void rill_archive_put(archive *a, const void *data, size_t size) {
    if (!a->ok) return;
    if (a->mode == ARCHIVE_WRITE) {
        add_up(a->sum, data, size);
        a->ok = size == 0 || a->write(data, size, a->context);
    }
    a->size += size;
}

void rill_archive_bytes(archive *a, void *data, size_t size) {
    if (a->mode != ARCHIVE_READ) {
        rill_archive_put(a, data, size);
        return;
    }
    const unsigned char *from = rill_archive_skip(a, size);
    if (from && size) memcpy(data, from, size);
}

const unsigned char *rill_archive_skip(archive *a, uint64_t size) {
    rill_archive_expect(a, size <= a->left);
    if (!a->ok) return NULL;
    const unsigned char *from = a->data;
    a->data += size;
    a->left -= (size_t)size;
    a->size += size;
    return from;
}

void rill_archive_u32(archive *a, uint32_t *value) {
    rill_archive_bytes(a, value, sizeof *value);
}

void rill_archive_u64(archive *a, uint64_t *value) {
    rill_archive_bytes(a, value, sizeof *value);
}

void rill_archive_name(archive *a, char *name, size_t size) {
    uint32_t length = a->mode == ARCHIVE_READ ? 0 : (uint32_t)strlen(name);
    rill_archive_u32(a, &length);
    rill_archive_expect(a, length > 0 && length < size);
    if (!a->ok) return;
    rill_archive_bytes(a, name, length);
    if (!a->ok) return;
    name[length] = 0;
    for (uint32_t k = 0; k < length; k++) rill_archive_expect(a, name[k] > ' ' && name[k] < 127);
}

void rill_archive_expect(archive *a, bool condition) {
    if (a->mode == ARCHIVE_READ && !condition) a->ok = false;
}

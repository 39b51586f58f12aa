/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4): a digest that identifies data, because no two different data with the same digest are known. */
#ifndef RILL_CORE_SHA256_H
#define RILL_CORE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_SIZE  32
#define SHA256_BLOCK 64

typedef struct sha256 {
    uint32_t state[8];
    uint64_t length; /* number of bytes so far */
    unsigned char block[SHA256_BLOCK];
} sha256;

void rill_sha256_start(sha256 *hash);
void rill_sha256_add(sha256 *hash, const void *data, size_t size);
void rill_sha256_end(sha256 *hash, unsigned char digest[SHA256_SIZE]);

#endif

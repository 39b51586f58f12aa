/* SPDX-License-Identifier: MIT */
/* Hashes, and random numbers without state. */
#include "core/hash.h"

#include <string.h>

uint64_t rill_hash_bytes(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    const uint64_t prime = UINT64_C(0x100000001b3);
    while (size >= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        /* FNV over words leaves the high bits of a word in the high bits of the hash, so they are folded down. */
        hash = (hash ^ word) * prime;
        hash ^= hash >> 32;
        bytes += 8, size -= 8;
    }
    while (size--) hash = (hash ^ *bytes++) * prime;
    return hash;
}

uint64_t rill_hash_mix(uint64_t word) {
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

float rill_random_unit(uint32_t seed, uint32_t item, uint32_t purpose) {
    uint64_t word = rill_hash_mix(((uint64_t)seed << 32 | item) + UINT64_C(0x9e3779b97f4a7c15) * (purpose + 1u));
    return (float)(word >> 40) * 0x1p-24f;
}

/* SPDX-License-Identifier: MIT */
/* Hashes, and random numbers without state. */
#ifndef RILL_CORE_HASH_H
#define RILL_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Adds bytes to a 64-bit FNV-1a hash, eight at a time. Start with HASH_START. */
uint64_t rill_hash_bytes(uint64_t hash, const void *data, size_t size);
/* Mixes the bits of a word: a bijection (the finaliser of SplitMix64). */
uint64_t rill_hash_mix(uint64_t word);
/* A random number in [0, 1) that depends only on a seed, the index of an item and a number for its purpose. */
float rill_random_unit(uint32_t seed, uint32_t item, uint32_t purpose);

#endif

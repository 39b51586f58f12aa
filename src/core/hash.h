/* SPDX-License-Identifier: MIT */
/* Hashes and random numbers that depend on their input alone. */
#ifndef RILL_CORE_HASH_H
#define RILL_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Runs `size` bytes into a 64-bit FNV-1a hash, eight bytes at a time. */
uint64_t rill_hash_bytes(uint64_t hash, const void *data, size_t size);
/* Mixes the bits of one word: a bijection without visible pattern (the finaliser of SplitMix64). */
uint64_t rill_hash_mix(uint64_t word);
/* A number in [0, 1) made from a seed, an item's number and what it is for: no state, any order. */
float rill_random_unit(uint32_t seed, uint32_t item, uint32_t purpose);

#endif

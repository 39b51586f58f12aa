/* SPDX-License-Identifier: MIT */
/* SHA-256 as FIPS 180-4 has it; letters and constants are the standard's. */
#include "core/sha256.h"

#include <string.h>

/* Fractions of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turn(uint32_t x, int bits) {
    return x >> bits | x << (32 - bits);
}

static void expand(const unsigned char block[SHA256_BLOCK], uint32_t w[64]) {
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        const uint32_t near = turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ w[t - 2] >> 10;
        const uint32_t far = turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ w[t - 15] >> 3;
        w[t] = near + w[t - 7] + far + w[t - 16];
    }
}

static void mix(uint32_t state[8], const unsigned char block[SHA256_BLOCK]) {
    uint32_t w[64], s[8];
    expand(block, w);
    memcpy(s, state, sizeof s);
    for (int t = 0; t < 64; t++) {
        const uint32_t a = s[0], b = s[1], c = s[2], e = s[4];
        const uint32_t choice = (e & s[5]) ^ (~e & s[6]), majority = (a & b) ^ (a & c) ^ (b & c);
        const uint32_t t1 = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + constants[t] + w[t];
        const uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int k = 0; k < 8; k++) state[k] += s[k];
}

void rill_sha256_start(sha256 *hash) {
    /* Fractions of the square roots of the first 8 primes. */
    *hash = (sha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void rill_sha256_add(sha256 *hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    size_t used = (size_t)(hash->length % SHA256_BLOCK);
    hash->length += size;
    while (size > 0) {
        const size_t part = size < SHA256_BLOCK - used ? size : SHA256_BLOCK - used;
        memcpy(hash->block + used, bytes, part);
        bytes += part, size -= part, used += part;
        if (used < SHA256_BLOCK) break;
        mix(hash->state, hash->block);
        used = 0;
    }
}

void rill_sha256_end(sha256 *hash, unsigned char digest[SHA256_SIZE]) {
    static const unsigned char padding[SHA256_BLOCK] = {0x80};
    unsigned char length[8];
    for (int k = 0; k < 8; k++) length[k] = (unsigned char)(hash->length * 8 >> (56 - 8 * k));
    const size_t used = (size_t)(hash->length % SHA256_BLOCK);
    rill_sha256_add(hash, padding, (used < 56 ? 56 : 120) - used);
    rill_sha256_add(hash, length, sizeof length);
    for (int k = 0; k < SHA256_SIZE; k++) digest[k] = (unsigned char)(hash->state[k / 4] >> (24 - 8 * (k % 4)));
}

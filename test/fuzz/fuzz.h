/* SPDX-License-Identifier: MIT */
/* The one function of a fuzz target, called by libFuzzer or by fuzz_replay.c. */
#ifndef RILL_TEST_FUZZ_H
#define RILL_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Always 0: libFuzzer reserves other values. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts with a message if `truth` is false: a fuzzer looks for aborts. */
#define FUZZ_CHECK(truth, ...)            \
    do {                                  \
        if (!(truth)) {                   \
            fprintf(stderr, __VA_ARGS__); \
            fputc('\n', stderr);          \
            abort();                      \
        }                                 \
    } while (0)

#endif

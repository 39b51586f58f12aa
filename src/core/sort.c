/* SPDX-License-Identifier: MIT */
/* Merge sort of short runs that were sorted by insertion. A run that fits into a small buffer is merged through it. Of
   two longer runs, the middle item of the longer one is located in the other; the items between are rotated, and both
   halves are merged in the same way. */
#include "core/sort.h"

#include <stdint.h>
#include <string.h>

#define RUN_LENGTH   8
#define BUFFER_BYTES 8192

typedef struct sorting {
    char *items;
    size_t size;
    int (*compare)(const void *, const void *);
    char buffer[BUFFER_BYTES];
} sorting;

static char *item(const sorting *s, int k) {
    return s->items + (size_t)k * s->size;
}

/* In the sorted items [begin, end), the first that is not before `key`; with `after`, the first that is after it. */
static int find_place(const sorting *s, int begin, int end, const void *key, int after) {
    while (begin < end) {
        const int middle = begin + (end - begin) / 2;
        if (s->compare(item(s, middle), key) < after)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static void reverse(sorting *s, int begin, int end) {
    for (end--; begin < end; begin++, end--) {
        memcpy(s->buffer, item(s, begin), s->size);
        memcpy(item(s, begin), item(s, end), s->size);
        memcpy(item(s, end), s->buffer, s->size);
    }
}

/* Swaps the ranges [begin, middle) and [middle, end). */
static void rotate(sorting *s, int begin, int middle, int end) {
    const size_t first = (size_t)(middle - begin) * s->size, second = (size_t)(end - middle) * s->size;
    char *at = item(s, begin);
    if (first <= BUFFER_BYTES) {
        memcpy(s->buffer, at, first);
        memmove(at, at + first, second);
        memcpy(at + second, s->buffer, first);
    } else if (second <= BUFFER_BYTES) {
        memcpy(s->buffer, at + first, second);
        memmove(at + second, at, first);
        memcpy(at, s->buffer, second);
    } else {
        reverse(s, begin, middle);
        reverse(s, middle, end);
        reverse(s, begin, end);
    }
}

static void insert_run(sorting *s, int begin, int end) {
    for (int k = begin + 1; k < end; k++)
        if (s->compare(item(s, k), item(s, k - 1)) < 0) rotate(s, find_place(s, begin, k, item(s, k), 1), k, k + 1);
}

/* Merges two runs; the first is copied to the buffer. */
static void merge_through_buffer(sorting *s, int begin, int middle, int end) {
    const size_t size = s->size, first = (size_t)(middle - begin) * size;
    const char *a = s->buffer, *a_end = s->buffer + first, *b = item(s, middle), *b_end = item(s, end);
    memcpy(s->buffer, item(s, begin), first);
    for (char *out = item(s, begin); a < a_end; out += size) {
        const char **from = b < b_end && s->compare(b, a) < 0 ? &b : &a;
        memcpy(out, *from, size);
        *from += size;
    }
}

static void merge(sorting *s, int begin, int middle, int end) {
    if (begin == middle || middle == end || s->compare(item(s, middle), item(s, middle - 1)) >= 0) return;
    if ((size_t)(middle - begin) * s->size <= BUFFER_BYTES) {
        merge_through_buffer(s, begin, middle, end);
        return;
    }
    int first, second;
    if (middle - begin > end - middle) {
        first = begin + (middle - begin) / 2;
        second = find_place(s, middle, end, item(s, first), 0);
    } else {
        second = middle + (end - middle) / 2;
        first = find_place(s, begin, middle, item(s, second), 1);
    }
    rotate(s, first, middle, second);
    merge(s, begin, first, first + (second - middle));
    merge(s, first + (second - middle), second, end);
}

void rill_sort_items(void *items, int count, size_t size, int (*compare)(const void *, const void *)) {
    sorting s;
    s.items = items, s.size = size, s.compare = compare;
    for (int k = 0; k < count; k += RUN_LENGTH) insert_run(&s, k, count - k < RUN_LENGTH ? count : k + RUN_LENGTH);
    for (int length = RUN_LENGTH; length<count; length = length> INT32_MAX / 2 ? count : 2 * length)
        for (int k = 0; k < count - length; k += 2 * length)
            merge(&s, k, k + length, count - k - length < length ? count : k + 2 * length);
}

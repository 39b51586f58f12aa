/* SPDX-License-Identifier: MIT */
/* rill_sort_items orders items and keeps equal ones in sequence, for lengths around every limit of its buffer. */
#include "core/sort.h"

#include "core/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct entry {
    int key, place;
    char more[24];
} entry;

static int compare_keys(const void *a, const void *b) {
    const entry *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* `kinds` keys in all, so that many are equal; `way` 0: at random, 1: nearly in order, 2: backwards. */
static void check_sorted(int count, int kinds, int way) {
    entry *items = calloc((size_t)count + 1, sizeof *items);
    for (int k = 0; k < count; k++) {
        const int chance = (int)(rill_hash_mix((uint64_t)k) % (uint64_t)kinds);
        items[k] = (entry){.key = way == 0 ? chance : way == 1 ? k / 3 + chance % 4 : (count - k) / 2, .place = k};
        items[k].more[23] = (char)k;
    }
    rill_sort_items(items, count, sizeof *items, compare_keys);
    for (int k = 0; k < count; k++) {
        assert_int_equal(items[k].more[23], (char)items[k].place);
        if (k > 0 && items[k - 1].key == items[k].key) assert_true(items[k - 1].place < items[k].place);
        if (k > 0) assert_true(items[k - 1].key <= items[k].key);
    }
    free(items);
}

static void ordered_and_stable(void **state) {
    (void)state;
    const int counts[] = {0, 1, 2, 3, 7, 8, 9, 16, 17, 255, 256, 257, 511, 513, 1000, 5000, 20000};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int way = 0; way < 3; way++) {
            check_sorted(counts[c], 1, way);
            check_sorted(counts[c], 10, way);
            check_sorted(counts[c], 1000000, way);
        }
    rill_sort_items(NULL, 0, sizeof(entry), compare_keys);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ordered_and_stable)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

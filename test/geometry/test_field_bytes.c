/* SPDX-License-Identifier: MIT */
/* Fields as bytes: the same for any number of workers, unchanged by a round trip, refused when damaged. Building a
   field without enough memory. */
#include "geometry/shapes.h"

#define OPTIONS ((field_options){0.1f, 0.2f, 0.0f})

typedef struct blob {
    unsigned char *data;
    size_t size;
} blob;

static blob bytes_of(const distance_field *f) {
    blob b = {.size = rill_field_byte_count(f)};
    b.data = malloc(b.size);
    assert_non_null(b.data);
    rill_field_to_bytes(f, b.data);
    return b;
}

static blob build_bytes(int workers, const mesh *m) {
    bench b;
    bench_start(&b, workers);
    distance_field *f = build_field(&b, m, OPTIONS.cell, OPTIONS.margin, OPTIONS.thickness);
    const blob bytes = bytes_of(f);
    rill_field_free(&b.memory, f);
    bench_end(&b);
    return bytes;
}

static sketch open_torus(void) {
    sketch s = make_torus(1, 0.4, 40, 24);
    s.triangle_count -= 20;
    return s;
}

static void same_bits_for_any_workers(void **state) {
    (void)state;
    sketch s = open_torus();
    const mesh m = sketch_mesh(&s);
    const blob one = build_bytes(1, &m);
    for (int workers = 2; workers <= 4; workers += 2) {
        const blob many = build_bytes(workers, &m);
        assert_int_equal(one.size, many.size);
        assert_memory_equal(one.data, many.data, one.size);
        free(many.data);
    }
    free(one.data);
    sketch_free(&s);
}

static bool same_key(field_key a, field_key b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static void round_trip(void **state) {
    (void)state;
    sketch s = open_torus();
    const mesh m = sketch_mesh(&s);
    bench b;
    bench_start(&b, 1);
    distance_field *f = build_field(&b, &m, OPTIONS.cell, OPTIONS.margin, OPTIONS.thickness);
    assert_true(same_key(f->key, rill_field_key_of(&m, &(field_options){0.1f, 0.2f, 0.0f})));
    const blob bytes = bytes_of(f);
    rill_error error = {RILL_OK, ""};
    distance_field *copy = rill_field_from_bytes(&b.memory, bytes.data, bytes.size, &error);
    if (!copy) fail_msg("%s", error.text);
    assert_int_equal(copy->bytes, f->bytes);
    assert_true(same_key(copy->key, f->key));
    assert_int_equal(copy->report.patched, f->report.patched);
    assert_int_equal(copy->report.closed, f->report.closed);
    assert_memory_equal(&copy->solid, &f->solid, sizeof f->solid);
    uint32_t seed = 1;
    for (int k = 0; k < 2000; k++) {
        const dvec p = random_point(&seed, 2);
        assert_near(sample(copy, p), sample(f, p), 0);
    }
    const blob again = bytes_of(copy);
    assert_int_equal(again.size, bytes.size);
    assert_memory_equal(again.data, bytes.data, bytes.size);
    free(again.data);
    free(bytes.data);
    rill_field_free(&b.memory, copy);
    rill_field_free(&b.memory, f);
    bench_end(&b);
    sketch_free(&s);
}

static void refused(memory *m, const void *data, size_t size) {
    rill_error error = {RILL_OK, ""};
    const size_t before = m->bytes;
    assert_null(rill_field_from_bytes(m, data, size, &error));
    assert_int_equal(error.status, RILL_FORMAT);
    assert_non_null(strstr(error.text, "build it again"));
    assert_int_equal(m->bytes, before);
}

static void damage(void **state) {
    (void)state;
    sketch s = make_box(0, 0, 0, 1, 1, 1);
    const mesh m = sketch_mesh(&s);
    const blob bytes = build_bytes(1, &m);
    memory memory;
    rill_memory_init(&memory, NULL);
    uint32_t seed = 2;
    /* every byte of the header, some of the rest */
    for (size_t k = 0; k < bytes.size; k += k < 400 ? 1 : 1 + random_bits(&seed) % 5000) {
        const unsigned char kept = bytes.data[k];
        bytes.data[k] ^= (unsigned char)(1u << (random_bits(&seed) % 8));
        refused(&memory, bytes.data, bytes.size);
        bytes.data[k] = (unsigned char)~kept;
        refused(&memory, bytes.data, bytes.size);
        bytes.data[k] = kept;
    }
    for (size_t size = 0; size < bytes.size; size += 1 + size / 3) refused(&memory, bytes.data, size);
    refused(&memory, bytes.data, bytes.size - 1);
    unsigned char *longer = calloc(1, bytes.size + 1);
    memcpy(longer, bytes.data, bytes.size);
    refused(&memory, longer, bytes.size + 1);
    free(longer);
    free(bytes.data);
    sketch_free(&s);
}

static void key_knows_everything(void **state) {
    (void)state;
    sketch s = make_box(0, 0, 0, 1, 1, 1);
    mesh m = sketch_mesh(&s);
    field_options options = OPTIONS;
    const field_key first = rill_field_key_of(&m, &options);
    assert_true(same_key(first, rill_field_key_of(&m, &options)));
    options.cell = 0.2f;
    assert_false(same_key(first, rill_field_key_of(&m, &options)));
    options = OPTIONS, options.margin = 0.3f;
    assert_false(same_key(first, rill_field_key_of(&m, &options)));
    options = OPTIONS, options.thickness = 0.3f;
    assert_false(same_key(first, rill_field_key_of(&m, &options)));
    options = OPTIONS;
    s.vertices[3][1] += 1e-6f;
    assert_false(same_key(first, rill_field_key_of(&m, &options)));
    s.vertices[3][1] -= 1e-6f;
    sketch_flip(&s, 4);
    assert_false(same_key(first, rill_field_key_of(&m, &options)));
    sketch_flip(&s, 4);
    m.triangle_count--;
    assert_false(same_key(first, rill_field_key_of(&m, &options)));
    sketch_free(&s);
}

/* ---- memory ---- */

typedef struct miser {
    int calls, fail_at;
} miser;

static void *miser_allocate(size_t size, size_t alignment, void *context) {
    miser *m = context;
    return ++m->calls >= m->fail_at ? NULL : aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void miser_release(void *data, size_t size, void *context) {
    (void)size;
    (void)context;
    free(data);
}

/* Building fails at each of its allocations in turn, reports it, and leaves nothing behind. */
static void memory_runs_out(void **state) {
    (void)state;
    sketch box = make_box(0.3, 0, 0, 0.5, 0.5, 0.5), torus = open_torus(), s = sketch_join(&torus, &box);
    const mesh m = sketch_mesh(&s);
    const field_options options = {0.2f, 0.1f, 0.0f};
    int fail_at = 2; /* the first allocation is for the workers */
    for (;; fail_at++) {
        miser hooks = {.fail_at = fail_at};
        const rill_allocator allocator = {miser_allocate, miser_release, &hooks};
        bench b;
        rill_memory_init(&b.memory, &allocator);
        b.workers = rill_parallel_create(&b.memory, 1, NULL);
        rill_error error = {RILL_OK, ""};
        distance_field *f = rill_field_build(&b.memory, b.workers, &m, &options, &error);
        const bool done = f != NULL;
        if (!done) {
            assert_int_equal(error.status, RILL_MEMORY);
            assert_non_null(strstr(error.text, "not enough memory"));
        }
        rill_field_free(&b.memory, f);
        bench_end(&b);
        if (done) break;
    }
    assert_true(fail_at > 20);
    sketch_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_for_any_workers), cmocka_unit_test(round_trip),      cmocka_unit_test(damage),
        cmocka_unit_test(key_knows_everything),      cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

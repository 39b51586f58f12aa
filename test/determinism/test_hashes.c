/* SPDX-License-Identifier: MIT */
/* State hashes of whole runs: equal for any number of workers and any SIMD width, and equal to the ones pinned here.

   The pinned hashes hold for any compiler and any level of optimisation that keeps IEEE arithmetic. A change that is
   meant to alter results renews them: run this test with RILL_PRINT_HASHES=1 in the environment, look at why they
   changed, and paste what it prints. */
#include "oracle/widths.h"
#include "unit/worlds.h"

#define STEPS 24

static const uint64_t pinned[SCENE_COUNT][2][2] = {
    /* muller in 2D and 3D, wcsph in 2D and 3D */
    {{0xdcc8df77514bb1fa, 0x70755cd610af3654}, {0xa2e86338797da3d1, 0xa3d1ba0a0c7d76e1}}, /* dam */
    {{0x3c2656b6d9f73a3f, 0x3746a74e5342f7f7}, {0x54ddebe7fff37402, 0x7868d7f6c42b5725}}, /* jet */
    {{0x2a5073ab03db5c00, 0xd86b73b143a0846e}, {0x1eb374547fb97be5, 0x397b8e3d3adf82b7}}, /* periodic */
    {{0x74da8732debb5230, 0xdaca71fc39920e78}, {0x5dc432eb76dea377, 0x6a98e96114df863d}}, /* stirred */
};

static const char *const methods[2] = {"muller", "wcsph"};

static uint64_t run(scene s, int dim, int method, int workers, rill_simd simd) {
    rill_world *w = make_scene(s, dim, methods[method], workers, simd);
    take_steps(w, STEPS);
    const uint64_t hash = rill_world_hash(w);
    rill_world_destroy(w);
    return hash;
}

static const struct {
    const char *name;
    rill_simd simd;
    int workers;
} variants[] = {
    {"auto", RILL_SIMD_AUTO, 3},
#if !defined(__SANITIZE_THREAD__) /* races show with any number of workers, and slowly */
    {"auto", RILL_SIMD_AUTO, 2}, {"auto", RILL_SIMD_AUTO, 4},
    {"auto", RILL_SIMD_AUTO, 8}, {"scalar", RILL_SIMD_SCALAR, 1},
#if defined(__x86_64__)
    {"sse", RILL_SIMD_SSE, 2},   {"avx2", RILL_SIMD_AVX2, 1},
#elif defined(__aarch64__)
    {"neon", RILL_SIMD_NEON, 1},
#endif
#endif
};

static void check_variants(scene s, int dim, int method, uint64_t one) {
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        if (!width_runs(variants[k].name)) continue;
        if (run(s, dim, method, variants[k].workers, variants[k].simd) != one)
            fail_msg("%s, %s, %dD: %d workers with %s differ from one worker", scene_name(s), methods[method], dim,
                     variants[k].workers, variants[k].name);
    }
}

static void check_scene(scene s) {
    uint64_t hash[2][2];
    for (int method = 0; method < 2; method++)
        for (int dim = 2; dim <= 3; dim++) {
            hash[method][dim - 2] = run(s, dim, method, 1, RILL_SIMD_AUTO);
            check_variants(s, dim, method, hash[method][dim - 2]);
        }
    if (getenv("RILL_PRINT_HASHES")) {
#define HEX(value) (unsigned long long)(value)
        print_message("    {{0x%016llx, 0x%016llx}, {0x%016llx, 0x%016llx}}, /* %s */\n", HEX(hash[0][0]),
                      HEX(hash[0][1]), HEX(hash[1][0]), HEX(hash[1][1]), scene_name(s));
#undef HEX
        return;
    }
    for (int method = 0; method < 2; method++)
        for (int dim = 2; dim <= 3; dim++)
            if (hash[method][dim - 2] != pinned[s][method][dim - 2])
                fail_msg("%s, %s, %dD: hash 0x%016llx is not the pinned one; see the head of this file", scene_name(s),
                         methods[method], dim, (unsigned long long)hash[method][dim - 2]);
}

static void dam(void **state) {
    (void)state;
    check_scene(SCENE_DAM);
}

static void jet(void **state) {
    (void)state;
    check_scene(SCENE_JET);
}

static void periodic(void **state) {
    (void)state;
    check_scene(SCENE_PERIODIC);
}

static void stirred(void **state) {
    (void)state;
    check_scene(SCENE_STIRRED);
}

/* A hash that did not see a difference would make all of this worthless. */
static void hashes_tell_states_apart(void **state) {
    (void)state;
    rill_world *a = make_scene(SCENE_JET, 2, "wcsph", 1, RILL_SIMD_AUTO);
    rill_world *b = make_scene(SCENE_JET, 2, "wcsph", 1, RILL_SIMD_AUTO);
    assert_true(rill_world_hash(a) == rill_world_hash(b));
    const rill_fluid_id water = rill_world_find_fluid(b, rill_world_fluid(b, 0)->name);
    rill_particle_id id;
    ok(b, rill_world_add_particle(b, water, (rill_vec){9, 9, 0}, (rill_vec){0}, &id));
    assert_true(rill_world_hash(a) != rill_world_hash(b));
    ok(b, rill_world_remove_particle(b, id));
    assert_true(rill_world_hash(a) == rill_world_hash(b));
    take_steps(a, 1);
    assert_true(rill_world_hash(a) != rill_world_hash(b));
    rill_world_destroy(a);
    rill_world_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dam),
        cmocka_unit_test(jet),
        cmocka_unit_test(periodic),
        cmocka_unit_test(stirred),
        cmocka_unit_test(hashes_tell_states_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

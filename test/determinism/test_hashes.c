/* SPDX-License-Identifier: MIT */
/* State hashes of whole runs: equal for any number of workers and any SIMD width, and equal to the ones pinned here.

   The pinned hashes hold for any compiler and any level of optimisation that keeps IEEE arithmetic. A change that is
   meant to alter results renews them: run this test with RILL_PRINT_HASHES=1 in the environment, look at why they
   changed, and paste what it prints. */
#include "oracle/widths.h"
#include "unit/worlds.h"

/* The thread sanitizer is slow, and races show in a few steps with any number of workers: it watches three at once, and
   every method and every scene in both dimensions, but not each of them with each, unless RILL_LONG is in the
   environment. The other builds hold all numbers of workers and all widths against one, and that against what is
   pinned. */
#if defined(__SANITIZE_THREAD__)
#define STEPS   3
#define WORKERS 3
#define PINNED  false
#else
#define STEPS   24
#define WORKERS 1
#define PINNED  true
#endif
/* After so many the other widths and numbers of workers are compared; with RILL_LONG in the environment at the end. */
#define COMPARED 12

/* One row for each method, each scene in 2D and 3D. */
static const struct {
    const char *method;
    uint64_t hash[SCENE_COUNT][2];
} pinned[] = {
    {"muller",
     {{0x3cc591be45ca1992, 0x390c6f3d8531cdf3},   /* dam */
      {0x98904d1c14859900, 0xd59afc1d51dbeccc},   /* jet */
      {0x77d6b11603013f99, 0xcfacbba1b05e0679},   /* periodic */
      {0xdea5b92021c5c60c, 0x50e462c37cbbbd7d},   /* stirred */
      {0xf8431ea642c9a4f3, 0xa6efeaa3b4d41dc0},   /* bodies */
      {0x3fd2afb9f294d4bc, 0x98da8c7e8c284ac5}}}, /* boxes */
    {"pbf",
     {{0xc9c79484f9ade8cc, 0xf34c2a29da1b6863},   /* dam */
      {0x85b7a1c57992c4d1, 0x9f9d7622376b6354},   /* jet */
      {0x42d225e96f53d876, 0x6545c3ac22c96355},   /* periodic */
      {0xd90c9b6cb8428325, 0x0928c7ea3aaa93d8},   /* stirred */
      {0x8af3632837ab2332, 0x61c156c4ca9ecf82},   /* bodies */
      {0x33605e4e99f4cc94, 0xe9eaa8d8a1605bc7}}}, /* boxes */
    {"wcsph",
     {{0xa2e86338797da3d1, 0xca16a48026b6b710},   /* dam */
      {0x54ddebe7fff37402, 0x7868d7f6c42b5725},   /* jet */
      {0x1eb374547fb97be5, 0x397b8e3d3adf82b7},   /* periodic */
      {0x73a02f41bdf343fe, 0xc0b7e703eb9c7ae1},   /* stirred */
      {0x8e1760cda3d504ad, 0x0ed8491d78eaa909},   /* bodies */
      {0x482875102e34b769, 0x6d2240cad785ab6a}}}, /* boxes */
    {"dfsph",
     {{0x4d201e0962dcbf37, 0x0e07fdc12835c246},   /* dam */
      {0xe7eb338e0dd0e1a4, 0x5e199e654f633ca0},   /* jet */
      {0x7f27c22e288850b1, 0x707a48c9a6e34fbe},   /* periodic */
      {0x1f2a1975d815333f, 0xf0ef139f544da591},   /* stirred */
      {0xba61a6fcc3bdf014, 0x4026b6aab2ae215e},   /* bodies */
      {0x855894a7792ad092, 0xaa8799d3906acb19}}}, /* boxes */
    {"pcisph",
     {{0xa1ff1d75274a8c1d, 0xb30283b3c2348809},   /* dam */
      {0x4271b0ea4944e355, 0xa9d17e1e97ef14a2},   /* jet */
      {0x54d9265fc0aa71bf, 0xb25a0219cbc57892},   /* periodic */
      {0x50de77e1ff8509f0, 0x3203e89ba61837f0},   /* stirred */
      {0xf2c455223f95163b, 0x307fcc2d2dd6a14b},   /* bodies */
      {0x93295cbd191a1f42, 0xf7f3696261cf1fc9}}}, /* boxes */
    {"constraint",
     {{0x70ccc4b7a0f10457, 0xf1c34e46a53097b7},   /* dam */
      {0x720014e94e5fbadf, 0xb97758d40477df26},   /* jet */
      {0x6517697c3a323d29, 0x4a82f9bb4361cf35},   /* periodic */
      {0xebaf6f906bb42b7f, 0xe9c3705eb1133af4},   /* stirred */
      {0xed26f142f02e4cfa, 0x6d0e6d506a5f9306},   /* bodies */
      {0x15599cbf1dbe20e3, 0xd37696ff39023acd}}}, /* boxes */
    {"clavet",
     {{0x936157f8601bb192, 0x21dff27c1ef15763},   /* dam */
      {0xb66fc260d6fc3232, 0x0c84041c2c60d600},   /* jet */
      {0x3cbf7082e4294bda, 0xd1bc98e3a0efdb90},   /* periodic */
      {0x1dac34798cac2c42, 0x474663919449cdca},   /* stirred */
      {0x62b3981269b23936, 0x7223a44943025690},   /* bodies */
      {0xf25228c7750a9edb, 0x9b5b75354a4036da}}}, /* boxes */
    {"projective",
     {{0x2f8ffcbc156b602a, 0xf2085e3df4e96caf},   /* dam */
      {0x1393a49cf6cfc5e0, 0xb4ce6fee0fb1199b},   /* jet */
      {0x7f7e0b020e804b1c, 0x1dcc9c7bb298a25d},   /* periodic */
      {0x0babe68c5301f6ae, 0x68e4891281642ae8},   /* stirred */
      {0x7c3de12726b5ef24, 0xe5432e74353924d5},   /* bodies */
      {0xc6ba01437254f713, 0x032dbff2772a3ba1}}}, /* boxes */
};
#define METHODS (int)(sizeof pinned / sizeof *pinned)

static uint64_t run(scene s, int dim, const char *method, int workers, rill_simd simd, int steps) {
    rill_world *w = make_scene(s, dim, method, workers, simd);
    take_steps(w, steps);
    const uint64_t hash = rill_world_hash(w);
    rill_world_destroy(w);
    return hash;
}

static const struct {
    const char *name;
    rill_simd simd;
    int workers;
} variants[] = {
    {"auto", RILL_SIMD_AUTO, 8},
    {"scalar", RILL_SIMD_SCALAR, 2},
#if defined(__x86_64__)
    {"sse", RILL_SIMD_SSE, 4},
    {"avx2", RILL_SIMD_AVX2, 3},
#elif defined(__aarch64__)
    {"neon", RILL_SIMD_NEON, 3},
#endif
};

#define VARIANTS (int)(sizeof variants / sizeof *variants)

static void check_variants(scene s, int dim, const char *method, uint64_t one, int steps) {
    for (int k = 0; k < VARIANTS; k++) {
        if (!width_runs(variants[k].name)) continue;
        if (run(s, dim, method, variants[k].workers, variants[k].simd, steps) != one)
            fail_msg("%s, %s, %dD: %d workers with %s differ from %d", scene_name(s), method, dim, variants[k].workers,
                     variants[k].name, WORKERS);
    }
}

static void check_scene(scene s) {
    const bool print = getenv("RILL_PRINT_HASHES") != NULL;
    const int compared = PINNED && !getenv("RILL_LONG") ? COMPARED : STEPS;
    for (int m = 0; m < METHODS; m++)
        for (int dim = 2; dim <= 3; dim++) {
            if (!PINNED && !getenv("RILL_LONG") && dim != 2 + (m + (int)s) % 2) continue;
            const char *method = pinned[m].method;
            rill_world *w = make_scene(s, dim, method, WORKERS, RILL_SIMD_AUTO);
            take_steps(w, compared);
            if (PINNED) check_variants(s, dim, method, rill_world_hash(w), compared);
            take_steps(w, STEPS - compared);
            const uint64_t hash = rill_world_hash(w);
            rill_world_destroy(w);
            if (print)
                print_message("%s, %dD, %s: 0x%016llx\n", method, dim, scene_name(s), (unsigned long long)hash);
            else if (PINNED && hash != pinned[m].hash[s][dim - 2])
                fail_msg("%s, %s, %dD: hash 0x%016llx is not the pinned one; see the head of this file", scene_name(s),
                         method, dim, (unsigned long long)hash);
        }
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

static void bodies(void **state) {
    (void)state;
    check_scene(SCENE_BODIES);
}

static void boxes(void **state) {
    (void)state;
    check_scene(SCENE_BOXES);
}

/* A hash that did not see a difference would make all of this worthless. */
static void tell_states_apart(void **state) {
    (void)state;
    rill_world *a = make_scene(SCENE_JET, 2, "wcsph", 1, RILL_SIMD_AUTO);
    rill_world *b = make_scene(SCENE_JET, 2, "wcsph", 1, RILL_SIMD_AUTO);
    assert_true(rill_world_hash(a) == rill_world_hash(b));
    const rill_fluid_id water = rill_world_find_fluid(b, rill_world_fluid_def(b, rill_world_fluid_at(b, 0))->name);
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

/* All of them, or the one that the argument names. */
int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dam),
        cmocka_unit_test(jet),
        cmocka_unit_test(periodic),
        cmocka_unit_test(stirred),
        cmocka_unit_test(bodies),
        cmocka_unit_test(boxes),
        cmocka_unit_test(tell_states_apart),
    };
    if (count < 2) return cmocka_run_group_tests(tests, NULL, NULL);
    cmocka_set_test_filter(arguments[1]);
    for (size_t k = 0; k < sizeof tests / sizeof *tests; k++)
        if (strcmp(tests[k].name, arguments[1]) == 0) return cmocka_run_group_tests(tests, NULL, NULL);
    fprintf(stderr, "no test '%s'\n", arguments[1]);
    return 1;
}

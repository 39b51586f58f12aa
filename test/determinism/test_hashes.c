/* SPDX-License-Identifier: MIT */
/* State hashes of whole runs: equal for any number of workers and any SIMD width, and equal to the ones pinned here.
   The pinned hashes hold for any compiler and any level of optimisation that keeps IEEE arithmetic. After a change that
   is meant to alter results, renew them: run this test with RILL_PRINT_HASHES=1 in the environment, find out why they
   changed, and paste what it prints. */
#include "oracle/widths.h"
#include "unit/worlds.h"

/* The thread sanitizer is slow, and races show within a few steps at any number of workers. Its build takes 3 steps
   with 3 workers and, without RILL_LONG in the environment, runs each method on each scene in 2D or in 3D alone. The
   other builds compare all numbers of workers and all widths with one worker, and that with the pinned hash. */
#if defined(__SANITIZE_THREAD__)
#define STEPS   3
#define WORKERS 3
#define PINNED  false
#else
#define STEPS   24
#define WORKERS 1
#define PINNED  true
#endif
/* Steps after which the other widths and numbers of workers are compared; with RILL_LONG in the environment, after all
   steps. */
#define COMPARED 12

/* For each method one row per scene: 2D and 3D. */
static const struct {
    const char *method;
    uint64_t hash[SCENE_COUNT][2];
} pinned[] = {
    {"muller",
     {{0x3ccadfa1e140291c, 0xe67f2e408c68ffa3},   /* dam */
      {0x35d0cd2977941742, 0x8f737e2ef773638a},   /* jet */
      {0xe64821af16158ce0, 0x76ddaa8513105d6e},   /* periodic */
      {0x08df665836d99bd2, 0xc3377f95e925d27a},   /* stirred */
      {0xf7f0d5c5dd39400e, 0xcc3749f84b943b01},   /* bodies */
      {0x637c95d05237b350, 0x38fceb3cf6babcbf}}}, /* boxes */
    {"pbf",
     {{0xc9c79484f9ade8cc, 0xf34c2a29da1b6863},   /* dam */
      {0x85b7a1c57992c4d1, 0x9f9d7622376b6354},   /* jet */
      {0x42d225e96f53d876, 0x6545c3ac22c96355},   /* periodic */
      {0xd90c9b6cb8428325, 0x0928c7ea3aaa93d8},   /* stirred */
      {0x8ef40de44019c47b, 0x9745ab12a5217c85},   /* bodies */
      {0xa843a064720b3b75, 0xbc14731eeaad37bd}}}, /* boxes */
    {"wcsph",
     {{0x23f7e5d565f95156, 0xca092a44f46698a3},   /* dam */
      {0x5d802763b1e65bec, 0xad15db5337090700},   /* jet */
      {0x02e0ae603664d384, 0x4067d37e46a19df3},   /* periodic */
      {0x5027708c5f87bddd, 0x02f6b9163f7f1f6f},   /* stirred */
      {0x2870f399281b707a, 0xf4e29829f91d8d68},   /* bodies */
      {0x83b46ac1fe7cc9af, 0xb5c284825b4a5509}}}, /* boxes */
    {"dfsph",
     {{0xc9c86a681b6ab0d3, 0xbb89384b4cff220c},   /* dam */
      {0x5e56cfe54a7a9789, 0x0aa83fc1f19adb88},   /* jet */
      {0xf5842084f11dba72, 0xdcf4b748beb85135},   /* periodic */
      {0x4fc3ba4ae46a52e8, 0x80218b4fe5105b88},   /* stirred */
      {0xa3e435d9c6b60d28, 0xf2926bba22978aa9},   /* bodies */
      {0xbcbf2a2b95ee4a5d, 0x02c1b419156fd9b5}}}, /* boxes */
    {"pcisph",
     {{0x7cccd39c4b99826d, 0x4ba647f73cb1dba8},   /* dam */
      {0x40a432d24ff172b9, 0x965fed008272020e},   /* jet */
      {0xe11d277da104e40e, 0xa87ab3d556173069},   /* periodic */
      {0x6dccac39bcb3a9cb, 0xeb66f165e5091a09},   /* stirred */
      {0xf452b611806f7340, 0x8787a57660b486d0},   /* bodies */
      {0x98e3eabd763c20a7, 0x1d1315883a797f94}}}, /* boxes */
    {"constraint",
     {{0xf5f9fa4f26136a50, 0xcc800ddce28f8b84},   /* dam */
      {0xda4582bd65d8f5d0, 0x68db754b0dcc87eb},   /* jet */
      {0x9876413949341d50, 0xf2a76369538e5a35},   /* periodic */
      {0xe4c87653a67dc75c, 0x2a095b680790b1c6},   /* stirred */
      {0x59adc5868b7693ec, 0xf19706835dd2b08a},   /* bodies */
      {0xdad2fe36c726902c, 0x6e759607e87be4c0}}}, /* boxes */
    {"clavet",
     {{0x936157f8601bb192, 0x21dff27c1ef15763},   /* dam */
      {0xb66fc260d6fc3232, 0x0c84041c2c60d600},   /* jet */
      {0x3cbf7082e4294bda, 0xd1bc98e3a0efdb90},   /* periodic */
      {0x1dac34798cac2c42, 0x474663919449cdca},   /* stirred */
      {0x304c29a8f56ed9a9, 0x1fb6017ce590df1c},   /* bodies */
      {0x46c7657d459c775f, 0x41efe8759d9c7475}}}, /* boxes */
    {"projective",
     {{0x2f8ffcbc156b602a, 0xf2085e3df4e96caf},   /* dam */
      {0x1393a49cf6cfc5e0, 0xb4ce6fee0fb1199b},   /* jet */
      {0x7f7e0b020e804b1c, 0x1dcc9c7bb298a25d},   /* periodic */
      {0x398bd46151cb04e4, 0x3555a5c175a60bb1},   /* stirred */
      {0x0afb067f6e0d5d13, 0x6cb25de302730f1d},   /* bodies */
      {0xe74538cfafc06d66, 0x5389639ef335d928}}}, /* boxes */
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

/* The hash sees an added particle and a step; otherwise the comparisons above would prove nothing. */
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

/* Runs all tests, or the one that the argument names. */
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

/* SPDX-License-Identifier: MIT */
/* State hashes of whole runs: equal for any number of workers and any SIMD width, and equal to the ones pinned here.

   The pinned hashes hold for any compiler and any level of optimisation that keeps IEEE arithmetic. A change that is
   meant to alter results renews them: run this test with RILL_PRINT_HASHES=1 in the environment, look at why they
   changed, and paste what it prints. */
#include "oracle/widths.h"
#include "unit/worlds.h"

/* The thread sanitizer is slow, and races show in a few steps with any number of workers: there three at once are held
   against one, and the other builds against what is pinned. */
#if defined(__SANITIZE_THREAD__)
#define STEPS   5
#define WORKERS 3
#define PINNED  false
#else
#define STEPS   24
#define WORKERS 1
#define PINNED  true
#endif

/* One row for each method, each scene in 2D and 3D. */
static const struct {
    const char *method;
    uint64_t hash[SCENE_COUNT][2];
} pinned[] = {
    {"muller",
     {{0xdcc8df77514bb1fa, 0xd93ddc8daa7c14a3},   /* dam */
      {0x3c2656b6d9f73a3f, 0x3746a74e5342f7f7},   /* jet */
      {0x2a5073ab03db5c00, 0xd86b73b143a0846e},   /* periodic */
      {0x74da8732debb5230, 0x0bc7438622672b1f},   /* stirred */
      {0x3796baf9afe80c0f, 0xa0192de84385bc16},   /* bodies */
      {0x84494c39a0184043, 0x9f1fbcfad931f3a3}}}, /* boxes */
    {"pbf",
     {{0x6aeffb365047676b, 0xfa381db54b3b2ca6},   /* dam */
      {0x8e5ca6a5f6aeb5c7, 0x833b539e660f4514},   /* jet */
      {0x50507547d99f618a, 0x751e7258c46c3d82},   /* periodic */
      {0x5c73d3a677b93125, 0xbe3043579afc549a},   /* stirred */
      {0xd9b2da390fe0466f, 0xdbde8242b2192ce7},   /* bodies */
      {0x1836f17578bf3ef9, 0x58ebcbee2cbc7769}}}, /* boxes */
    {"wcsph",
     {{0xa2e86338797da3d1, 0xca16a48026b6b710},   /* dam */
      {0x54ddebe7fff37402, 0x7868d7f6c42b5725},   /* jet */
      {0x1eb374547fb97be5, 0x397b8e3d3adf82b7},   /* periodic */
      {0x5dc432eb76dea377, 0x6c43eb414b33181f},   /* stirred */
      {0xb9ab3d2d6bfd34f7, 0xb380326f9bcac55c},   /* bodies */
      {0x851cd02f582bfcf7, 0xf9896c174240d44e}}}, /* boxes */
    {"dfsph",
     {{0xb5fef9b9b84a6046, 0x59631f7c9b009738},   /* dam */
      {0x7845db40a0ebb53c, 0x3bc0fb2e1f339f5c},   /* jet */
      {0x2bdf50c5b16cb8bb, 0xbeb07ed0a3dcf189},   /* periodic */
      {0x4a254d476dcb269f, 0xf781d9910060f6d0},   /* stirred */
      {0x9e251f168f21a45b, 0x323b8556c5778e76},   /* bodies */
      {0x307335201ef77ef6, 0x0cda5b2d7c86dd8c}}}, /* boxes */
    {"pcisph",
     {{0x3007b0c96f6c6a5f, 0x4681ebfac3d9b838},   /* dam */
      {0xa313d8e50ecdbe32, 0xb2cab1f312811092},   /* jet */
      {0xbbfef74b790a67d5, 0xdb9c0cee9951b86d},   /* periodic */
      {0x06b9b285d8660226, 0x4b664a4ef175df48},   /* stirred */
      {0x005a8c9bef4030ec, 0xa8423c580c3f4cde},   /* bodies */
      {0x8f3eb66ab2475f89, 0x2f5109b46bfa5441}}}, /* boxes */
    {"constraint",
     {{0xceb4b6f07dafc860, 0xa9aa3ea2247152bf},   /* dam */
      {0xb2d4b71f998eae83, 0x1153210c48708843},   /* jet */
      {0x7438bd23f17c4124, 0x518430b39978699b},   /* periodic */
      {0x4dc8e345a37519d4, 0x6c249f916e4562f5},   /* stirred */
      {0x66403bbc748caaa9, 0x805094f1e27bc8a4},   /* bodies */
      {0xcb1cbfd0362faf4e, 0xd297ac77642f62d6}}}, /* boxes */
    {"clavet",
     {{0xbf8926fd2d3b8fda, 0x605b282d56369593},   /* dam */
      {0x3723b285a5e27282, 0xf8f7de22ace87173},   /* jet */
      {0xbd68667b79701238, 0xacf3cad2e257a0d5},   /* periodic */
      {0x1ae262ccc81468d9, 0x1101216e400ccb06},   /* stirred */
      {0xb24ed95c40eb649b, 0xec2ac92292b7322d},   /* bodies */
      {0xbf3ee1047bdc7a80, 0x9c2b42b1790cd66a}}}, /* boxes */
};
#define METHODS (int)(sizeof pinned / sizeof *pinned)

static uint64_t run(scene s, int dim, const char *method, int workers, rill_simd simd) {
    rill_world *w = make_scene(s, dim, method, workers, simd);
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
#if defined(__SANITIZE_THREAD__)
    {"auto", RILL_SIMD_AUTO, 1},
#else
    {"auto", RILL_SIMD_AUTO, 2}, {"auto", RILL_SIMD_AUTO, 8}, {"scalar", RILL_SIMD_SCALAR, 1},
#if defined(__x86_64__)
    {"sse", RILL_SIMD_SSE, 4},   {"avx2", RILL_SIMD_AVX2, 3},
#elif defined(__aarch64__)
    {"neon", RILL_SIMD_NEON, 3},
#endif
#endif
};

#define VARIANTS (int)(sizeof variants / sizeof *variants)

static void check_variants(scene s, int dim, const char *method, uint64_t one) {
    for (int k = 0; k < VARIANTS; k++) {
        if (!width_runs(variants[k].name)) continue;
        if (run(s, dim, method, variants[k].workers, variants[k].simd) != one)
            fail_msg("%s, %s, %dD: %d workers with %s differ from %d", scene_name(s), method, dim, variants[k].workers,
                     variants[k].name, WORKERS);
    }
}

static void check_scene(scene s) {
    const bool print = getenv("RILL_PRINT_HASHES") != NULL;
    for (int m = 0; m < METHODS; m++)
        for (int dim = 2; dim <= 3; dim++) {
            const char *method = pinned[m].method;
            const uint64_t hash = run(s, dim, method, WORKERS, RILL_SIMD_AUTO);
            check_variants(s, dim, method, hash);
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
static void hashes_tell_states_apart(void **state) {
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dam),
        cmocka_unit_test(jet),
        cmocka_unit_test(periodic),
        cmocka_unit_test(stirred),
        cmocka_unit_test(bodies),
        cmocka_unit_test(boxes),
        cmocka_unit_test(hashes_tell_states_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

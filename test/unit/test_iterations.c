/* SPDX-License-Identifier: MIT */
/* How Position Based Fluids cuts a step and ends its iterations: `substeps`, `compression`, `density_error`,
   `coarse`. */
#include "unit/worlds.h"

#define FRAME (1.0 / 60)

/* Water a metre deep. */
static rill_world *make_tank(int dim) {
    const rill_world_def def = small_def(dim, "pbf");
    rill_world *w = create(&def);
    add_water(w);
    add_container(w, up2(w, 0, 0, 0), up2(w, 0.4f, 2, 0.4f));
    add_box(w, up2(w, 0, 0, 0), up2(w, 0.4f, 1, 0.4f));
    return w;
}

static void substeps_are_steps(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int count = 1; count <= 7; count += 3) {
            rill_world *cut = make_tank(dim), *whole = make_tank(dim);
            ok(cut, rill_world_set_number(cut, rill_ref_method(), "substeps", count));
            ok(whole, rill_world_set_number(whole, rill_ref_method(), "substeps", 1));
            for (int k = 0; k < 3; k++) {
                ok(cut, rill_world_step(cut, FRAME));
                assert_int_equal(rill_world_stats(cut)->substeps, count);
                for (int s = 0; s < count; s++) ok(whole, rill_world_step(whole, FRAME / count));
            }
            assert_int_equal(rill_world_stats(cut)->step, 3);
            assert_near(rill_world_stats(cut)->time, 3 * FRAME, 1e-15);
            assert_true(rill_world_hash(cut) == rill_world_hash(whole));
            rill_world_destroy(cut);
            rill_world_destroy(whole);
        }
}

static int chosen_substeps(const char *key, double value) {
    rill_world *w = make_tank(2);
    ok(w, rill_world_set_number(w, rill_ref_method(), key, value));
    ok(w, rill_world_step(w, FRAME));
    const int substeps = rill_world_stats(w)->substeps;
    rill_world_destroy(w);
    return substeps;
}

/* Compression is proportional to the square of a substep. */
static void substeps_follow_from_the_wanted_compression(void **state) {
    (void)state;
    const int usual = chosen_substeps("compression", 0.01);
    assert_in_range(chosen_substeps("compression", 0.0025), 2 * usual - 2, 2 * usual + 1);
    assert_in_range(chosen_substeps("compression", 0.04), usual / 2, usual / 2 + 1);
    assert_in_range(chosen_substeps("expected_depth", 4), 2 * usual - 2, 2 * usual + 1);
    assert_true(chosen_substeps("iterations", 16) < usual);
}

static void iterations_end_at_the_density_error(void **state) {
    (void)state;
    static const double wanted[] = {1e-3, 1e-4, 0};
    for (int dim = 2; dim <= 3; dim++) {
        int last = 1;
        for (int k = 0; k < 3; k++) {
            rill_world *w = make_tank(dim);
            ok(w, rill_world_set_number(w, rill_ref_method(), "substeps", 4));
            ok(w, rill_world_set_number(w, rill_ref_method(), "iterations", 100));
            ok(w, rill_world_set_number(w, rill_ref_method(), "density_error", wanted[k]));
            for (int s = 0; s < (wanted[k] > 0 ? 12 : 1); s++) ok(w, rill_world_step(w, FRAME));
            const rill_stats *s = rill_world_stats(w);
            assert_true(s->iterations > last);
            if (wanted[k] > 0) {
                assert_true(s->iterations < 100);
                assert_at_most(s->residual, wanted[k]);
                assert_true((double)s->residuals[s->iterations - 1] > wanted[k]);
                assert_near(s->density_error_mean, s->residual, 1e-6);
            } else {
                assert_int_equal(s->iterations, 100);
            }
            last = s->iterations;
            rill_world_destroy(w);
        }
    }
}

/* A density error that cannot be reached takes all iterations, and no more. */
static void iterations_are_bounded(void **state) {
    (void)state;
    rill_world *w = make_tank(2);
    ok(w, rill_world_set_number(w, rill_ref_method(), "substeps", 1));
    ok(w, rill_world_set_number(w, rill_ref_method(), "density_error", 1e-6));
    for (int k = 0; k < 5; k++) ok(w, rill_world_step(w, FRAME));
    const rill_stats *s = rill_world_stats(w);
    assert_int_equal(s->iterations, 4);
    assert_true(s->residual > 1e-6);
    for (int k = 1; k < 4; k++) assert_true(s->residuals[k] < s->residuals[k - 1]);
    rill_world_destroy(w);
}

static double compression_of(int dim, int iterations, double coarse) {
    rill_world *w = make_tank(dim);
    ok(w, rill_world_set_number(w, rill_ref_method(), "substeps", 4));
    ok(w, rill_world_set_number(w, rill_ref_method(), "iterations", iterations));
    ok(w, rill_world_set_number(w, rill_ref_method(), "coarse", coarse));
    double sum = 0;
    for (int k = 0; k < 30; k++) {
        ok(w, rill_world_step(w, FRAME));
        if (k >= 20) sum += rill_world_stats(w)->density_error_mean / 10;
    }
    rill_world_destroy(w);
    return sum;
}

/* The coarse level costs one iteration, and does more than that iteration would. */
static void coarse_level_carries_the_weight(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        const double with = compression_of(dim, 3, 0.1), without = compression_of(dim, 4, 0);
        print_message("%dD: compression %.3f %% with the coarse level, %.3f %% without\n", dim, 100 * with,
                      100 * without);
        assert_true(with < 0.5 * without);
    }
}

static void coarse_level_gives_the_same_bits(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int s = SCENE_DAM; s <= SCENE_STIRRED; s++) {
            uint64_t hash[2];
            for (int k = 0; k < 2; k++) {
                rill_world *w =
                    make_scene((scene)s, dim, "pbf", k == 0 ? 1 : 3, k == 0 ? RILL_SIMD_SCALAR : RILL_SIMD_AUTO);
                ok(w, rill_world_set_number(w, rill_ref_method(), "coarse", 0.1));
                take_steps(w, 12);
                hash[k] = rill_world_hash(w);
                rill_world_destroy(w);
            }
            assert_true(hash[0] == hash[1]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(substeps_are_steps),
        cmocka_unit_test(substeps_follow_from_the_wanted_compression),
        cmocka_unit_test(iterations_end_at_the_density_error),
        cmocka_unit_test(iterations_are_bounded),
        cmocka_unit_test(coarse_level_carries_the_weight),
        cmocka_unit_test(coarse_level_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

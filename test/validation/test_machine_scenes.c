/* SPDX-License-Identifier: MIT */
/* Two machines of the paper "Constraint Fluids", coarser than in their scenes: joints hold in water that hits them, the
   residual of the solver is small, and light and heavy bodies separate. */
#include "oracle/check.h"
#include "validation/validation.h"

#define FRAME   (1.0 / 60)
#define SAMPLES 40

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Runs SAMPLES frames. Returns the median of the residuals; the widest gap of a joint in each frame goes to `gaps` [m],
   in ascending order. */
static double run(rill_world *w, double gaps[SAMPLES]) {
    double residuals[SAMPLES];
    for (int k = 0; k < SAMPLES; k++) {
        assert_int_equal(rill_world_step(w, FRAME), RILL_OK);
        residuals[k] = rill_world_stats(w)->residual;
        gaps[k] = rill_world_stats(w)->joint_gap;
    }
    qsort(residuals, SAMPLES, sizeof *residuals, by_value);
    qsort(gaps, SAMPLES, sizeof *gaps, by_value);
    return residuals[SAMPLES / 2];
}

/* 35 bodies on a wave: joints are usually open by less than 0.01 % of the length of a part of the hull, 0.36 m. When
   water hits the wheel they open for a step, by an amount that depends on the last bit of the flow: in one to three of
   these frames by 0.15 to 0.41 mm with noise dampings of 0 to 0.08. */
static void the_steamer_holds(void **state) {
    (void)state;
    static const char *const coarse[] = {"world.spacing=0.04", "constraint.substeps=8", NULL};
    rill_world *w = validation_build("paddle_steamer_2d", coarse);
    assert_int_equal(rill_world_body_count(w), 35);
    double gaps[SAMPLES];
    const double residual = run(w, gaps), usual = gaps[SAMPLES / 2], most = gaps[SAMPLES - 4], hit = gaps[SAMPLES - 1];
    print_message(
        "steamer: residual %.3f, joints usually open by %.2g m, but for three frames by %.2g m, then %.2g m\n",
        residual, usual, most, hit);
    assert_at_most(residual, 0.1);
    assert_true(gaps[0] > 0 && usual < 0.0001 * 0.36 && most < 0.0005 * 0.36 && hit < 0.002 * 0.36);
    rill_world_destroy(w);
}

/* Half of 36 bodies are denser than water, and end below the others in the mean. */
static void the_pile_parts(void **state) {
    (void)state;
    rill_world *w = validation_build("body_pile_3d", (const char *const[]){"world.spacing=0.05", NULL});
    double gaps[SAMPLES], stones = 0, corks = 0;
    for (int k = 0; k < 2; k++) run(w, gaps);
    const double residual = run(w, gaps);
    for (int k = 0; k < 36; k++) {
        char name[16];
        snprintf(name, sizeof name, k % 2 ? "cork%d" : "stone%d", k);
        *(k % 2 ? &corks : &stones) += (double)validation_body(w, name).position.z / 18;
    }
    print_message("pile: residual %.3f, stones at %.2f m, corks at %.2f m\n", residual, stones, corks);
    assert_at_most(residual, 0.1);
    assert_true(stones < corks - 0.2);
    rill_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_steamer_holds), cmocka_unit_test(the_pile_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

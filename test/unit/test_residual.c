/* SPDX-License-Identifier: MIT */
/* The residual of a constraint fluid with bodies counts all rows, and measures how far the velocities are from
   solved. */
#include "unit/worlds.h"

#define FRAME 0.005

/* Two boxes on a hinge in a tank of water, and a heavy one on its floor. */
static bytes make_machine(void) {
    rill_world_def def = small_def(2, "constraint");
    rill_world *w = create(&def);
    add_water(w);
    fill_boxes(w);
    add_body(w, "anvil", box_shape((rill_vec){0.1f, 0, 0}, (rill_vec){0.4f, 0.2f, 0}), 4000);
    ok(w, rill_world_set_number(w, rill_ref_method(), "substeps", 1));
    for (int n = 0; n < 60; n++) ok(w, rill_world_step(w, FRAME));
    bytes saved = {0};
    ok(w, rill_world_save(w, append_bytes, &saved));
    rill_world_destroy(w);
    return saved;
}

static rill_world *step_from(const bytes *saved, const char *solver, int iterations, double tolerance) {
    rill_world *w = rill_world_load(saved->data, saved->size, NULL, NULL);
    assert_non_null(w);
    ok(w, rill_world_set_text(w, rill_ref_method(), "solver", solver));
    ok(w, rill_world_set_number(w, rill_ref_method(), "iterations", iterations));
    ok(w, rill_world_set_number(w, rill_ref_method(), "tolerance", tolerance));
    ok(w, rill_world_step(w, FRAME));
    return w;
}

/* Root mean square of the difference of velocities. Particles are in the same order: they are sorted before the
   solve. */
static double distance(const rill_world *a, const rill_world *b) {
    rill_view va, vb;
    ok(a, rill_world_view(a, "velocity", &va));
    ok(b, rill_world_view(b, "velocity", &vb));
    const int count = rill_world_particle_count(a) * va.components;
    double sum = 0;
    for (int k = 0; k < count; k++) {
        const double d = (double)((const float *)va.data)[k] - (double)((const float *)vb.data)[k];
        sum += d * d;
    }
    return sqrt(sum / count);
}

static void check_parts(const rill_stats *s) {
    const double parts[] = {s->residual_density, s->residual_walls, s->residual_contacts, s->residual_joints};
    double sum = 0;
    for (int k = 0; k < 4; k++) sum += parts[k] * parts[k];
    assert_near(sqrt(sum), s->residual, 1e-9);
    for (int k = 0; k < 4; k++) assert_true(parts[k] > 0); /* rows of each kind exist, and are never quite solved */
}

static void residual_tells_the_distance_from_solved(void **state) {
    (void)state;
    bytes saved = make_machine();
    rill_world *solved = step_from(&saved, "nncg", 2000, 1e-5);
    assert_at_most(rill_world_stats(solved)->residual, 1e-5);
    double last_residual = 1, last_distance = HUGE_VAL;
    for (int iterations = 1; iterations <= 64; iterations *= 4) {
        rill_world *w = step_from(&saved, "nncg", iterations, 0);
        const rill_stats *s = rill_world_stats(w);
        const double away = distance(w, solved);
        print_message("%d sweeps: residual %.4f (density %.4f, walls %.4f, contacts %.2g, joints %.2g), %.2g m/s off\n",
                      iterations, s->residual, s->residual_density, s->residual_walls, s->residual_contacts,
                      s->residual_joints, away);
        check_parts(s);
        assert_int_equal(s->iterations, iterations);
        assert_true(s->residual < last_residual && away < last_distance);
        last_residual = s->residual, last_distance = away;
        rill_world_destroy(w);
    }
    rill_world_destroy(solved);
    free(saved.data);
}

/* The reported residual is below the tolerance with every solver, in fewer than 2000 sweeps. */
static void tolerance_means_the_residual(void **state) {
    (void)state;
    static const char *const solvers[] = {"gauss_seidel", "nncg", "gradients"};
    bytes saved = make_machine();
    for (int k = 0; k < 3; k++)
        for (double tolerance = 0.1; tolerance > 0.0005; tolerance *= 0.1) {
            rill_world *w = step_from(&saved, solvers[k], 2000, tolerance);
            const rill_stats *s = rill_world_stats(w);
            assert_true(s->residual < tolerance && s->iterations < 2000);
            rill_world_destroy(w);
        }
    free(saved.data);
}

/* Water at rest: the impulses of the last step are nearly those of the next. */
static void still_water_is_solved(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "constraint");
    rill_world *w = create(&def);
    add_water(w);
    add_container(w, (rill_vec){0, 0, 0}, (rill_vec){1, 2, 0});
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){1, 1, 0});
    double worst = 0;
    for (int n = 0; n < 120; n++) {
        ok(w, rill_world_step(w, 1.0 / 60));
        if (n >= 20) worst = fmax(worst, rill_world_stats(w)->residual);
    }
    print_message("greatest residual %.4f, %d sweeps\n", worst, rill_world_stats(w)->iterations);
    assert_at_most(worst, 0.02);
    rill_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residual_tells_the_distance_from_solved),
        cmocka_unit_test(tolerance_means_the_residual),
        cmocka_unit_test(still_water_is_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

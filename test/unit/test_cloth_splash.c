/* SPDX-License-Identifier: MIT */
/* Cloth and water that meet keep their momentum, give the same bits on any number of threads, continue from a snapshot,
   and leave nothing behind when the cloth is removed. */
#include "unit/cloths.h"

/* Steps until the water has spread over the sheet; in slow builds, until it has met it. */
#ifdef RILL_SANITIZED
#define STEPS 12
#else
#define STEPS 40
#endif

/* A lump of water above a sheet, both free. */
static rill_world *make_splash(int dim, int workers) {
    rill_world *w = make_world(dim, 0.05f, workers);
    const rill_fluid_id water = add_water(w);
    ok(w, rill_world_set_number(w, rill_ref_fluid(water), "surface_tension", 0));
    rill_block_def block = rill_block_def_default();
    block.shape.min = up2(w, 0.2f, 0.05f, 0.2f), block.shape.max = up2(w, 0.5f, 0.3f, 0.5f);
    block.velocity = up2(w, 0, -1.0f, 0);
    ok(w, rill_world_add_block(w, &block, NULL));
    const rill_cloth_def def = sheet_def((rill_vec){0}, (rill_vec){0.7f, 0, 0}, (rill_vec){0, 0.7f, 0});
    add_cloth(w, &def);
    return w;
}

static void momentum_of(rill_world *w, double sum[3]) {
    rill_gauge_def def = rill_gauge_def_default();
    def.kind = RILL_GAUGE_MOMENTUM;
    rill_gauge_id id;
    ok(w, rill_world_add_gauge(w, &def, &id));
    rill_reading fluid;
    ok(w, rill_world_read_gauge(w, id, &fluid));
    ok(w, rill_world_remove_gauge(w, id));
    const rill_reading cloth = read_cloth(w, RILL_GAUGE_CLOTH_MOMENTUM, rill_world_cloth_at(w, 0), (rill_pin_id){0});
    for (int k = 0; k < 3; k++) sum[k] = fluid.value[k] + cloth.value[k];
}

static void momentum_is_kept(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = make_splash(dim, 1);
        ok(w, rill_world_set_vec(w, rill_ref_world(), "gravity", (rill_vec){0}));
        double before[3], after[3];
        momentum_of(w, before);
        run(w, 0.004, STEPS);
        momentum_of(w, after);
        const double scale = fabs(before[dim - 1]);
        double most = 0;
        for (int k = 0; k < dim; k++) most = fmax(most, fabs(after[k] - before[k]));
        print_message("%dD: %.2g of the momentum is lost in 40 steps\n", dim, most / scale);
        assert_true(scale > 1);
        for (int k = 0; k < dim; k++) assert_near(after[k], before[k], 1e-4 * scale);
        rill_world_destroy(w);
    }
}

static void threads_make_no_difference(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *one = make_splash(dim, 1), *three = make_splash(dim, 3);
        run(one, 0.004, STEPS);
        run(three, 0.004, STEPS);
        assert_true(rill_world_hash(one) == rill_world_hash(three));
        rill_world_destroy(one);
        rill_world_destroy(three);
    }
}

static void snapshots_go_on(void **state) {
    (void)state;
    rill_world *w = make_splash(3, 1);
    add_pin(w, (rill_vec){0, 0, 0}, (rill_vec){0.7f, 0, 0});
    run(w, 0.004, 10);
    bytes saved = {0};
    ok(w, rill_world_save(w, append_bytes, &saved));
    rill_error error = {0};
    rill_world *loaded = rill_world_load(saved.data, saved.size, NULL, &error);
    if (!loaded) fail_msg("%s", error.text);
    run(w, 0.004, 10);
    run(loaded, 0.004, 10);
    assert_true(rill_world_hash(w) == rill_world_hash(loaded));
    assert_false(rill_world_differs(w, loaded, NULL));
    free(saved.data);
    rill_world_destroy(w);
    rill_world_destroy(loaded);
}

static void removing_leaves_no_trace(void **state) {
    (void)state;
    rill_world *w = make_splash(3, 1);
    const int all = rill_world_particle_count(w);
    const rill_cloth_id cloth = rill_world_find_cloth(w, "cloth1");
    const rill_pin_id pin = add_pin(w, (rill_vec){0}, (rill_vec){0.7f, 0, 0});
    run(w, 0.004, 3);
    ok(w, rill_world_remove_cloth(w, cloth));
    assert_false(rill_world_cloth_is_valid(w, cloth));
    assert_false(rill_world_pin_is_valid(w, pin));
    assert_int_equal(rill_world_particle_count(w), all - 15 * 15);
    run(w, 0.004, 3);
    ok(w, rill_world_set_method(w, "dfsph"));
    rill_world_destroy(w);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(snapshots_go_on),
        cmocka_unit_test(removing_leaves_no_trace),
    };
    choose_cloth_method(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

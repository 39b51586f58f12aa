/* SPDX-License-Identifier: MIT */
/* What the world watches: energy out of nothing, particles that leave its bounds, and speeds above the clamp. */
#include "unit/worlds.h"

static const char *const methods[] = {"muller", "wcsph", "dfsph", "pcisph", "pbf", "constraint", "clavet"};
enum { METHODS = sizeof methods / sizeof *methods };

/* Healthy fluid gains no energy: the work of gravity, stirrers, jets and bodies is not counted as a gain. */
static void healthy_fluid_gains_nothing(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++)
        for (int s = 0; s < SCENE_COUNT; s++) {
            rill_world *w = make_scene((scene)s, 2, methods[m], 1, RILL_SIMD_AUTO);
            double most = 0;
            for (int k = 0; k < 40; k++) {
                ok(w, rill_world_advance(w, 0.01));
                most = fmax(most, rill_world_stats(w)->energy_gain);
            }
            print_message("%s, %s: gained %.4f of the energy in play\n", methods[m], scene_name((scene)s), most);
            /* Particles of a jittered fill begin too close together, and fly apart. */
            assert_true(most < (s == SCENE_PERIODIC ? 0.5 : 0.1));
            assert_true(rill_world_stats(w)->energy_time == 0);
            rill_world_destroy(w);
        }
}

/* A soft column sinks under its own weight and springs back: compression stores energy and returns it, which is not a
   gain. */
static void a_spring_is_no_source(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "wcsph");
    def.spacing = 0.05f;
    rill_world *w = create(&def);
    ok(w, rill_world_set_text(w, rill_ref_method(), "stiffness_rule", "fixed"));
    ok(w, rill_world_set_number(w, rill_ref_method(), "sound_speed", 5));
    add_water(w);
    rill_solid_def tank = rill_solid_def_default();
    tank.shape.max = (rill_vec){0.5f, 6, 0}, tank.shape.inside = true;
    ok(w, rill_world_add_solid(w, &tank, NULL));
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){0.5f, 2, 0});
    double most = 0, least = HUGE_VAL, highest = 0;
    const double before = rill_world_stats(w)->potential_energy;
    for (int k = 0; k < 150; k++) {
        ok(w, rill_world_advance(w, 0.01));
        const double height = rill_world_stats(w)->potential_energy / before;
        most = fmax(most, rill_world_stats(w)->energy_gain);
        if (height < least) least = highest = height;
        highest = fmax(highest, height);
    }
    print_message("centre down to %.3f and up to %.3f of its height; gained %.4f of the energy in play\n", least,
                  highest, most);
    assert_true(least < 0.8 && highest > 1.1 * least); /* it did spring back */
    assert_true(most < 0.05);
    rill_world_destroy(w);
}

/* Explicit steps three times as long as stable ones: the gain of energy is noticed, with its time and place. */
static void energy_out_of_nothing_is_noticed(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "wcsph");
    def.spacing = 0.05f;
    rill_world *w = create(&def);
    add_water(w);
    rill_solid_def tank = rill_solid_def_default();
    tank.shape.max = (rill_vec){2, 6, 0}, tank.shape.inside = true;
    ok(w, rill_world_add_solid(w, &tank, NULL));
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){2, 0.5f, 0});
    ok(w, rill_world_advance(w, 0.5));
    assert_true(rill_world_stats(w)->energy_gain < 0.1 && rill_world_stats(w)->energy_time == 0);
    const double dt = 3 * rill_world_stats(w)->dt_bound;
    rill_status status = RILL_OK;
    for (int k = 0; k < 1000 && status == RILL_OK; k++) status = rill_world_step(w, dt);
    assert_int_equal(status, RILL_BLOW_UP);
    assert_non_null(strstr(rill_world_message(w), "gained"));
    const rill_stats *s = rill_world_stats(w);
    assert_true(s->energy_gain > 1 && s->energy_time >= 0.5 && s->energy_time <= s->time);
    assert_true(s->energy_place.x > 0.0f && s->energy_place.x < 2.0f && s->energy_place.y > 0.0f);
    rill_world_destroy(w);
}

/* A pool between two walls on a plate, and a droplet of one particle beside the plate, with nothing below it. */
static rill_world *level(const char *method, int bounds) {
    rill_world_def def = small_def(2, method);
    def.spacing = 0.1f, def.bounds = bounds;
    def.bounds_min = (rill_vec){-5, -5, 0}, def.bounds_max = (rill_vec){5, 5, 0};
    rill_world *w = create(&def);
    add_water(w);
    static const float boxes[3][4] = {{-1, -0.5f, 2.5f, 0}, {-0.5f, 0, 0, 2}, {1, 0, 1.5f, 2}};
    for (int k = 0; k < 3; k++) {
        rill_solid_def s = rill_solid_def_default();
        s.shape.min = (rill_vec){boxes[k][0], boxes[k][1], 0}, s.shape.max = (rill_vec){boxes[k][2], boxes[k][3], 0};
        ok(w, rill_world_add_solid(w, &s, NULL));
    }
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){1, 0.4f, 0});
    ok(w, rill_world_add_particle(w, rill_world_fluid_at(w, 0), (rill_vec){3, 1, 0}, (rill_vec){0}, NULL));
    return w;
}

/* A droplet that falls for ever is removed, and neither ends the run nor slows it down. */
static void a_droplet_that_falls_off_is_let_go(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        rill_world *w = level(methods[m], RILL_BOUNDS_AUTO);
        ok(w, rill_world_advance(w, 0.1));
        const int64_t early = rill_world_stats(w)->step;
        ok(w, rill_world_advance(w, 2.4));
        assert_int_equal(rill_world_stats(w)->strayed, 1);
        assert_int_equal(rill_world_particle_count(w), 40);
        const int64_t before = rill_world_stats(w)->step;
        ok(w, rill_world_advance(w, 0.1));
        const int64_t late = rill_world_stats(w)->step - before;
        print_message("%s: %d steps in the first tenth of a second, %d after the droplet\n", methods[m], (int)early,
                      (int)late);
        assert_true(late <= 2 * early + 2);
        rill_world_destroy(w);
    }
}

/* A crate that falls off the level does not take the bounds along, and a body that flies away does not leave fluid at
   rest outside them. */
static void bodies_do_not_move_the_bounds(void **state) {
    (void)state;
    rill_world *w = level("pbf", RILL_BOUNDS_AUTO);
    add_body(w, "crate", box_shape((rill_vec){3.5f, 0, 0}, (rill_vec){3.8f, 0.3f, 0}), 500);
    ok(w, rill_world_advance(w, 2.5));
    assert_int_equal(rill_world_stats(w)->strayed, 1);
    rill_world_destroy(w);

    for (int dim = 2; dim <= 3; dim++)
        for (int kind = 0; kind < 3; kind++) { /* a dynamic body, a kinematic one, and a solid with a motion */
            rill_world_def def = small_def(dim, "pbf");
            def.gravity = (rill_vec){0};
            w = create(&def);
            add_water(w);
            const rill_shape ball = ball_shape((rill_vec){1, 0, 0}, 0.1f);
            rill_body_def body = rill_body_def_default();
            rill_solid_def solid = rill_solid_def_default();
            body.shape = solid.shape = ball;
            body.kind = kind == 0 ? RILL_BODY_DYNAMIC : RILL_BODY_KINEMATIC;
            body.velocity.x = solid.motion.velocity.x = 20;
            if (kind == 1) body.motion.velocity.x = 20;
            if (kind < 2)
                ok(w, rill_world_add_body(w, &body, NULL));
            else
                ok(w, rill_world_add_solid(w, &solid, NULL));
            add_box(w, (rill_vec){0, 0, 0}, up2(w, 0.3f, 0.3f, 0.3f));
            const int count = rill_world_particle_count(w);
            ok(w, rill_world_advance(w, 1));
            assert_int_equal(rill_world_particle_count(w), count);
            rill_world_destroy(w);
        }
}

static void bounds_are_what_was_asked_for(void **state) {
    (void)state;
    rill_world *w = level("wcsph", RILL_BOUNDS_OPEN);
    ok(w, rill_world_advance(w, 2));
    assert_int_equal(rill_world_stats(w)->strayed, 0);
    assert_int_equal(rill_world_particle_count(w), 41);
    rill_world_destroy(w);
    w = level("wcsph", RILL_BOUNDS_REMOVE);
    ok(w, rill_world_advance(w, 1));
    assert_int_equal(rill_world_stats(w)->strayed, 0); /* it is at y = -3.9 m */
    ok(w, rill_world_advance(w, 0.2));
    assert_int_equal(rill_world_stats(w)->strayed, 1);
    rill_world_destroy(w);
    w = level("wcsph", RILL_BOUNDS_STOP);
    ok(w, rill_world_advance(w, 1));
    assert_int_equal(rill_world_advance(w, 0.2), RILL_BLOW_UP);
    assert_non_null(strstr(rill_world_message(w), "bounds"));
    rill_world_destroy(w);
}

static void nobody_is_faster_than_the_clamp(void **state) {
    (void)state;
    rill_world *w = level("pbf", RILL_BOUNDS_OPEN);
    ok(w, rill_world_set_number(w, rill_ref_world(), "speed_clamp", 3));
    ok(w, rill_world_advance(w, 1));
    assert_near(rill_world_stats(w)->max_speed, 3, 1e-4);
    rill_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(healthy_fluid_gains_nothing),      cmocka_unit_test(a_spring_is_no_source),
        cmocka_unit_test(energy_out_of_nothing_is_noticed), cmocka_unit_test(a_droplet_that_falls_off_is_let_go),
        cmocka_unit_test(bodies_do_not_move_the_bounds),    cmocka_unit_test(bounds_are_what_was_asked_for),
        cmocka_unit_test(nobody_is_faster_than_the_clamp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

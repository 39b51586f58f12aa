/* SPDX-License-Identifier: MIT */
/* Time: steps of exact length, adaptive ones that keep their bounds, runs that blow up. */
#include "unit/worlds.h"

static const char *const all_methods[] = {"muller", "wcsph", "dfsph", "pcisph", "pbf", "constraint", "clavet"};
enum { METHODS = sizeof all_methods / sizeof *all_methods };

/* Hash of a stirred world after 0.1 s of a host's clock that advances in pieces. */
static uint64_t follow_the_clock(const char *method, double piece) {
    rill_world *w = make_scene(SCENE_STIRRED, 2, method, 1, RILL_SIMD_AUTO);
    double clock = 0;
    while (clock < 0.1 - 1e-12) {
        const double next = fmin(piece, 0.1 - clock);
        const int64_t before = rill_world_stats(w)->step;
        ok(w, rill_world_advance(w, next));
        clock += next;
        const rill_stats *s = rill_world_stats(w);
        assert_near(s->time - s->lead, clock, 1e-12);
        assert_true(s->lead >= 0 && (s->lead < s->dt || s->step == before));
    }
    const uint64_t hash = rill_world_hash(w);
    rill_world_destroy(w);
    return hash;
}

/* Frame rates, slow motion and fast forward: the world takes its own steps. */
static void any_clock_gives_the_same_world(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        const uint64_t whole = follow_the_clock(all_methods[m], 0.1);
        assert_true(follow_the_clock(all_methods[m], 1.0 / 60) == whole);
        assert_true(follow_the_clock(all_methods[m], 0.0007) == whole);
    }
}

static void no_time_is_no_step(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_STIRRED, 2, "pbf", 1, RILL_SIMD_AUTO);
    ok(w, rill_world_advance(w, 0.013));
    const uint64_t before = rill_world_hash(w);
    const rill_stats s = *rill_world_stats(w);
    ok(w, rill_world_step(w, 0));
    ok(w, rill_world_step_adaptive(w, 0));
    ok(w, rill_world_advance(w, 0));
    ok(w, rill_world_advance(w, 1e-20));
    assert_true(rill_world_hash(w) == before && rill_world_stats(w)->step == s.step);
    assert_true(rill_world_stats(w)->time == s.time && rill_world_stats(w)->lead == s.lead);
    rill_world_destroy(w);
}

/* Frames between steps: interpolated positions and velocities, and the world does not change. */
static void moments_lie_between_the_steps(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        rill_world *w = make_scene(SCENE_STIRRED, 2, all_methods[m], 1, RILL_SIMD_AUTO);
        rill_frame before = {0}, after = {0}, moment = {0};
        for (int k = 0; k < 5; k++) ok(w, rill_world_step(w, 5e-4));
        assert_int_equal(rill_frame_of_world(&before, w, NULL), RILL_OK);
        rill_frame start = {0};
        assert_int_equal(rill_frame_order_by_id(&before, NULL), RILL_OK);
        assert_int_equal(rill_frame_copy(&start, &before, NULL, NULL), RILL_OK);
        const double begin = rill_world_stats(w)->time;
        ok(w, rill_world_step(w, 5e-4));
        const uint64_t hash = rill_world_hash(w);
        const double end = rill_world_stats(w)->time;
        assert_int_equal(rill_frame_of_world_at(&moment, w, begin + 0.25 * (end - begin), NULL), RILL_OK);
        assert_int_equal(rill_frame_order_by_id(&moment, NULL), RILL_OK);
        assert_int_equal(rill_frame_of_world(&after, w, NULL), RILL_OK);
        assert_int_equal(rill_frame_order_by_id(&after, NULL), RILL_OK);
        static const char *const fields[] = {"position", "velocity"};
        for (int f = 0; f < 2; f++)
            for (int k = 0; k < start.count; k++) {
                const double a = (double)rill_frame_vec(&start, rill_frame_field(&start, fields[f]), k).y;
                const double b = (double)rill_frame_vec(&after, rill_frame_field(&after, fields[f]), k).y;
                const double now = (double)rill_frame_vec(&moment, rill_frame_field(&moment, fields[f]), k).y;
                const double share =
                    f == 0 || m == 1 ? 0.25 : 0.75; /* most velocities are those of the middle of their step */
                assert_near(now, a + share * (b - a), 1e-6 + 1e-5 * fabs(b - a));
            }
        assert_true(rill_world_hash(w) == hash && rill_world_stats(w)->time == end);
        rill_frame_free(&before), rill_frame_free(&after), rill_frame_free(&moment), rill_frame_free(&start);
        rill_world_destroy(w);
    }
}

/* Water that has come to rest with long steps is slightly compressed. Steps that are suddenly much shorter must not
   throw it. */
static void sudden_short_steps_throw_nothing(void **state) {
    (void)state;
    static const char *const methods[] = {"pbf", "pcisph", "dfsph", "constraint"};
    static const double shares[] = {0.1, 1e-2, 1e-3};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        rill_world_def def = small_def(2, methods[m]);
        rill_world *w = create(&def);
        add_water(w);
        add_container(w, (rill_vec){0, 0, 0}, (rill_vec){1, 2, 0});
        add_box(w, (rill_vec){0, 0, 0}, (rill_vec){1, 0.5f, 0});
        for (int n = 0; n < 60; n++) ok(w, rill_world_advance(w, 1 / 60.0));
        for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
            for (int n = 0; n < 20; n++) ok(w, rill_world_step(w, shares[k] / 60));
            const double per_mass = rill_world_stats(w)->kinetic_energy / (1000 * 0.5);
            if (per_mass > 0.005 * 9.81 * 0.5)
                fail_msg("%s: %g J/kg after steps of %g s", methods[m], per_mass, shares[k] / 60);
        }
        rill_world_destroy(w);
    }
}

static void a_step_is_exactly_dt(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_JET, 2, "wcsph", 1, RILL_SIMD_AUTO);
    ok(w, rill_world_step(w, 0.00037));
    assert_true(rill_world_stats(w)->dt == 0.00037 && rill_world_stats(w)->time == 0.00037);
    assert_int_equal(rill_world_stats(w)->step, 1);
    rill_world_destroy(w);
}

/* A step that rounding swallows would be repeated for ever. */
static void steps_must_advance_the_time(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_JET, 2, "wcsph", 1, RILL_SIMD_AUTO);
    assert_int_equal(rill_world_step(w, 1e-60), RILL_INVALID);
    ok(w, rill_world_step(w, 1e-3));
    const uint64_t before = rill_world_hash(w);
    assert_int_equal(rill_world_step(w, 1e-20), RILL_INVALID);
    assert_non_null(strstr(rill_world_message(w), "does not change the time"));
    assert_int_equal(rill_world_step_adaptive(w, 1e-20), RILL_INVALID);
    assert_true(rill_world_hash(w) == before && rill_world_stats(w)->step == 1);
    ok(w, rill_world_step(w, 1e-15));
    assert_true(rill_world_stats(w)->time > 1e-3);
    rill_world_destroy(w);
}

static void adaptive_steps_keep_their_bounds(void **state) {
    (void)state;
    static const char *const methods[] = {"muller", "wcsph", "dfsph", "pcisph"};
    const float cfl[] = {1.0f, 0.4f};
    for (int m = 0; m < 4; m++)
        for (int c = 0; c < 2; c++) {
            rill_world_def def = small_def(2, methods[m]);
            def.cfl = cfl[c], def.dt_max = 0.0007f;
            rill_world *w = make_scene_with(SCENE_STIRRED, def);
            for (int k = 0; k < 40; k++) {
                ok(w, rill_world_step_adaptive(w, k % 5 == 0 ? 1e-4 : 1.0));
                const rill_stats *s = rill_world_stats(w);
                assert_true(s->dt > 0);
                assert_at_most(s->dt, (double)cfl[c] * s->dt_bound * (1 + 1e-6));
                assert_at_most(s->dt, (double)0.0007f * (1 + 1e-6));
                if (k % 5 == 0) assert_at_most(s->dt, 1e-4);
            }
            rill_world_destroy(w);
        }
}

/* The bound is the method's own; the longest step that a scene allows does not enter it. */
static void bounds_do_not_depend_on_the_longest_step(void **state) {
    (void)state;
    for (int m = 0; m < rill_method_count(); m++) {
        double bound[2];
        for (int k = 0; k < 2; k++) {
            rill_world_def def = small_def(2, rill_method(m)->name);
            def.dt_max = k ? 1.0f : 0.0002f;
            rill_world *w = make_scene_with(SCENE_STIRRED, def);
            ok(w, rill_world_step(w, 1e-4));
            bound[k] = rill_world_stats(w)->dt_bound;
            rill_world_destroy(w);
        }
        if (bound[0] != bound[1]) fail_msg("%s: %g and %g s", rill_method(m)->name, bound[0], bound[1]);
    }
}

/* dt <= 0.4 h / (cs + v) and dt <= 0.125 h^2 rho / mu. */
static void bounds_of_the_method(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "wcsph");
    def.gravity = (rill_vec){0};
    const double h = 0.1;
    for (int thick = 0; thick < 2; thick++) {
        rill_world *w = create(&def);
        rill_fluid_def fluid = rill_fluid_def_default();
        fluid.viscosity = thick ? 5000.0f : 0.0f;
        rill_fluid_id id;
        ok(w, rill_world_add_fluid(w, &fluid, &id));
        ok(w, rill_world_set_text(w, rill_ref_method(), "stiffness_rule", "fixed"));
        ok(w, rill_world_set_number(w, rill_ref_method(), "sound_speed", 30));
        ok(w, rill_world_add_particle(w, id, (rill_vec){0}, (rill_vec){3, 4, 0}, NULL));
        ok(w, rill_world_step(w, 1e-6));
        assert_at_most(rill_world_stats(w)->dt_bound, thick ? 0.125 * h * h * 1000 / 5000 : 0.4 * h / 35 + 1e-7);
        assert_true(rill_world_stats(w)->dt_bound > (thick ? 0.02 * h * h * 1000 / 5000 : 0.399 * h / 35));
        double cs;
        ok(w, rill_world_effective(w, "sound_speed", &cs));
        assert_near(cs, 30, 1e-5);
        rill_world_destroy(w);
    }
}

static void statistics(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_DAM, 2, "wcsph", 2, RILL_SIMD_AUTO);
    take_steps(w, 10);
    const rill_stats *s = rill_world_stats(w);
    assert_int_equal(s->step, 10);
    assert_int_equal(s->particles, rill_world_particle_count(w));
    assert_true(s->iterations >= 1);
    assert_true(s->neighbours_mean > 8 &&
                s->neighbours_mean < 13); /* 12 inside a lattice with h = 2 dx, fewer outside */
    assert_true(s->neighbours_max >= 12 && s->neighbours_max < 30);
    assert_true(s->density_error_mean >= 0 && s->density_error_mean <= s->density_error_max);
    assert_true(s->max_speed > 0 && s->kinetic_energy > 0 && s->potential_energy > 0 && s->bytes > 0);
    double last = 0, total = 0;
    for (int k = 0; k < RILL_PHASE_COUNT; k++) {
        assert_true(s->seconds[k] >= 0 && s->seconds_total[k] >= s->seconds[k]);
        assert_true(rill_phase_name((rill_phase)k)[0] != 0);
        last += s->seconds[k], total += s->seconds_total[k];
    }
    assert_true(last > 0 && total > last);
    rill_world_destroy(w);
}

/* Calls that add and remove particles count them at once. */
static void particles_are_counted_at_once(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_DAM, 2, "pbf", 1, RILL_SIMD_AUTO);
    const int all = rill_world_particle_count(w);
    rill_solid_def post = rill_solid_def_default();
    post.shape = box_shape((rill_vec){1, 0, 0}, (rill_vec){2, 1, 0}), post.displacement = RILL_DISPLACE_REMOVE;
    ok(w, rill_world_add_solid(w, &post, NULL));
    assert_true(rill_world_particle_count(w) < all);
    assert_int_equal(rill_world_stats(w)->particles, rill_world_particle_count(w));
    const int rest = rill_world_particle_count(w);
    rill_cloth_def cloth = rill_cloth_def_default();
    cloth.edge_a = (rill_vec){0.5f, 0, 0}, cloth.position = (rill_vec){5, 3, 0};
    rill_cloth_id id;
    ok(w, rill_world_add_cloth(w, &cloth, &id));
    assert_true(rill_world_particle_count(w) > rest);
    assert_int_equal(rill_world_stats(w)->particles, rill_world_particle_count(w));
    ok(w, rill_world_remove_cloth(w, id));
    assert_int_equal(rill_world_stats(w)->particles, rest);
    rill_world_destroy(w);
}

/* ---- blow-ups ---- */

static void check_blown_up(rill_world *w, const char *cause) {
    const char *message = rill_world_message(w);
    if (!strstr(message, "step ") || !strstr(message, "particle ") || !strstr(message, cause))
        fail_msg("no step, particle or '%s' in: %s", cause, message);
    /* the particle it names is there */
    unsigned long long id = RILL_NO_PARTICLE;
    assert_int_equal(sscanf(strstr(message, "particle "), "particle %llu", &id), 1);
    assert_true(rill_world_particle_index(w, id) >= 0);
    const int64_t step = rill_world_stats(w)->step;
    assert_int_equal(rill_world_step(w, 1e-6), RILL_BLOW_UP);
    assert_int_equal(rill_world_advance(w, 1e-6), RILL_BLOW_UP);
    assert_int_equal(rill_world_step_adaptive(w, 1e-6), RILL_BLOW_UP);
    assert_int_equal(rill_world_stats(w)->step, step);
    assert_non_null(strstr(rill_world_message(w), "blew up"));
}

static void absurd_steps_blow_up(void **state) {
    (void)state;
    static const char *const methods[] = {"muller", "wcsph"};
    const double dt[] = {0.5, 30, 1e10, 1e300};
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < 2; m++)
            for (int k = 0; k < 4; k++) {
                const rill_world_def def = small_def(dim, methods[m]);
                rill_world *w = create(&def);
                add_water(w);
                rill_block_def block = rill_block_def_default();
                block.shape.max = (rill_vec){0.5f, 0.5f, 0.5f}, block.fill = RILL_FILL_JITTERED;
                ok(w, rill_world_add_block(w, &block, NULL));
                rill_status status = RILL_OK;
                int steps = 0;
                while (status == RILL_OK && steps++ < 50) status = rill_world_step(w, dt[k]);
                if (status != RILL_BLOW_UP)
                    fail_msg("dt %g: %s after %d steps", dt[k], rill_status_name(status), steps);
                check_blown_up(w, "longer than the stable one");
                rill_world_destroy(w);
            }
}

/* Walls that absorb the speed do not hide it. */
static void absurd_steps_blow_up_between_walls(void **state) {
    (void)state;
    static const char *const methods[] = {"muller", "wcsph"};
    const double dt[] = {0.5, 5, 30, 1e3, 1e10};
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < 2; m++)
            for (int k = 0; k < 5; k++) {
                rill_world *w = make_scene(SCENE_STIRRED, dim, methods[m], 1, RILL_SIMD_AUTO);
                rill_status status = RILL_OK;
                for (int step = 0; step < 50 && status == RILL_OK; step++) status = rill_world_step(w, dt[k]);
                assert_int_equal(status, RILL_BLOW_UP);
                check_blown_up(w, "longer than the stable one");
                rill_world_destroy(w);
            }
}

/* A self-contribution near zero asks for a support as large as the whole world. */
static void absurd_supports_are_refused(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world_def def = small_def(dim, "wcsph");
        def.scp = 1e-12f;
        rill_world *w = create(&def);
        add_water(w);
        assert_int_not_equal(rill_world_step(w, 1e-3), RILL_OK);
        assert_non_null(strstr(rill_world_message(w), "support"));
        rill_world_destroy(w);
    }
}

static void piled_particles_blow_up(void **state) {
    (void)state;
    const rill_world_def def = small_def(2, "wcsph");
    rill_world *w = create(&def);
    const rill_fluid_id water = add_water(w);
    for (int k = 0; k < 300; k++)
        ok(w, rill_world_add_particle(w, water, (rill_vec){1e-4f * (float)(k % 17), 1e-4f * (float)(k % 19), 0},
                                      (rill_vec){0}, NULL));
    rill_status status = RILL_OK;
    for (int k = 0; k < 50 && status == RILL_OK; k++) status = rill_world_step_adaptive(w, 0.01);
    assert_int_equal(status, RILL_BLOW_UP);
    check_blown_up(w, "too close together");
    rill_world_destroy(w);
}

static void the_speed_limit_is_the_users(void **state) {
    (void)state;
    rill_world_def def = small_def(3, "muller");
    def.max_speed = 2.0f, def.gravity = (rill_vec){0};
    rill_world *w = create(&def);
    const rill_fluid_id water = add_water(w);
    ok(w, rill_world_add_particle(w, water, (rill_vec){0}, (rill_vec){1.9f, 0, 0}, NULL));
    ok(w, rill_world_step(w, 1e-4));
    ok(w, rill_world_add_particle(w, water, (rill_vec){1, 0, 0}, (rill_vec){0, 2.1f, 0}, NULL));
    assert_int_equal(rill_world_step(w, 1e-4), RILL_BLOW_UP);
    assert_non_null(strstr(rill_world_message(w), "particle 1 "));
    rill_world_destroy(w);
}

/* Statistics are of the last step, also when nothing is left to solve. */
static void an_empty_world_takes_no_iterations(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_DAM, 2, "dfsph", 1, RILL_SIMD_AUTO);
    take_steps(w, 2);
    assert_true(rill_world_stats(w)->iterations > 0);
    rill_shape all = rill_shape_default();
    all.min = (rill_vec){-100, -100, 0}, all.max = (rill_vec){100, 100, 0};
    ok(w, rill_world_remove_inside(w, &all, NULL));
    assert_int_equal(rill_world_particle_count(w), 0);
    take_steps(w, 1);
    assert_int_equal(rill_world_stats(w)->iterations, 0);
    rill_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_clock_gives_the_same_world),
        cmocka_unit_test(no_time_is_no_step),
        cmocka_unit_test(moments_lie_between_the_steps),
        cmocka_unit_test(a_step_is_exactly_dt),
        cmocka_unit_test(steps_must_advance_the_time),
        cmocka_unit_test(adaptive_steps_keep_their_bounds),
        cmocka_unit_test(sudden_short_steps_throw_nothing),
        cmocka_unit_test(bounds_do_not_depend_on_the_longest_step),
        cmocka_unit_test(bounds_of_the_method),
        cmocka_unit_test(statistics),
        cmocka_unit_test(particles_are_counted_at_once),
        cmocka_unit_test(absurd_steps_blow_up),
        cmocka_unit_test(absurd_steps_blow_up_between_walls),
        cmocka_unit_test(absurd_supports_are_refused),
        cmocka_unit_test(piled_particles_blow_up),
        cmocka_unit_test(the_speed_limit_is_the_users),
        cmocka_unit_test(an_empty_world_takes_no_iterations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Features for games: groups, values that particles carry, areas, pushes, queries, events, limits, failures. */
#include "oracle/check.h"
#include "unit/worlds.h"

static const char *const methods[] = {"pbf", "wcsph", "constraint", "clavet"};
#define METHODS ((int)(sizeof methods / sizeof *methods))

/* Water 1 m wide and 0.5 m deep in a tank 2 m wide. */
static rill_world *make_tank_with(rill_world_def def) {
    rill_world *w = create(&def);
    add_water(w);
    add_container(w, up2(w, 0, 0, 0), up2(w, 2, 2, 0.4f));
    add_box(w, up2(w, 0, 0, 0), up2(w, 1, 0.5f, 0.4f));
    return w;
}

static rill_world *make_tank(int dim, const char *method) {
    return make_tank_with(small_def(dim, method));
}

static rill_group_id add_group(rill_world *w, const char *name) {
    rill_group_def def = rill_group_def_default();
    rill_group_id id;
    snprintf(def.name, sizeof def.name, "%s", name);
    ok(w, rill_world_add_group(w, &def, &id));
    return id;
}

static int group_size(rill_world *w, rill_group_id id) {
    rill_group_state state;
    ok(w, rill_world_group_state(w, id, &state));
    return state.particles;
}

static const void *field_data(rill_world *w, const char *name) {
    rill_view view;
    return rill_world_view(w, name, &view) == RILL_OK ? view.data : NULL;
}

/* ---- groups ---- */

static void groups_join_split_and_empty(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = make_tank(dim, "pbf");
        const int all = rill_world_particle_count(w);
        assert_null(field_data(w, "group")); /* the field is made on first use */
        const rill_group_id left = add_group(w, "left"), right = add_group(w, "right");
        const rill_shape half = box_shape(up2(w, -1, -1, -1), up2(w, 0.5f, 2, 2));
        int grouped;
        ok(w, rill_world_group_inside(w, left, &half, &grouped));
        assert_int_equal(grouped, all / 2);
        const rill_shape rest = box_shape(up2(w, 0.5f, -1, -1), up2(w, 2, 2, 2));
        ok(w, rill_world_group_inside(w, right, &rest, NULL));
        assert_int_equal(group_size(w, right), all / 2);
        take_steps(w, 5); /* sorted, and still the same particles */
        assert_int_equal(group_size(w, left) + group_size(w, right), all);
        ok(w, rill_world_join_groups(w, left, right));
        assert_false(rill_world_group_is_valid(w, right));
        assert_int_equal(group_size(w, left), all);
        /* A gap of four columns separates them again: the larger part stays in the group. */
        const rill_shape gap = box_shape(up2(w, 0.3f, -1, -1), up2(w, 0.5f, 2, 2));
        int removed, parts;
        rill_group_id found[4];
        ok(w, rill_world_remove_inside(w, &gap, &removed));
        assert_true(removed > 0);
        ok(w, rill_world_split_group(w, left, 0, found, 4, &parts));
        assert_int_equal(parts, 1);
        rill_group_state big, small;
        ok(w, rill_world_group_state(w, left, &big));
        ok(w, rill_world_group_state(w, found[0], &small));
        assert_int_equal(big.particles + small.particles, all - removed);
        assert_true(big.particles > small.particles && small.max.x < 0.31f && big.min.x > 0.49f);
        ok(w, rill_world_split_group(w, left, 0, NULL, 0, &parts));
        assert_int_equal(parts, 0);
        ok(w, rill_world_push_group(w, found[0], up2(w, 1, 0, 0)));
        rill_group_state pushed;
        ok(w, rill_world_group_state(w, found[0], &pushed));
        assert_float_equal(pushed.velocity.x - small.velocity.x, 1, 1e-4);
        ok(w, rill_world_empty_group(w, found[0], &removed));
        assert_int_equal(removed, small.particles);
        ok(w, rill_world_remove_group(w, left)); /* its particles stay */
        assert_int_equal(rill_world_particle_count(w), big.particles);
        take_steps(w, 2);
        rill_world_destroy(w);
    }
}

/* A turning ring, whose state is known. */
static void group_states_are_right(void **state) {
    (void)state;
    const rill_world_def def = small_def(2, "pbf");
    rill_world *w = create(&def);
    const rill_fluid_id water = add_water(w);
    rill_vec x[8], v[8];
    rill_particle_id first, ids[8];
    for (int k = 0; k < 8; k++) {
        const double angle = 0.25 * k * 3.14159265358979;
        x[k] = (rill_vec){3 + (float)cos(angle), 2 + (float)sin(angle), 0};
        v[k] = (rill_vec){0.5f - 2 * (float)sin(angle), 2 * (float)cos(angle), 0};
    }
    ok(w, rill_world_add_particles(w, water, x, v, 8, &first));
    for (int k = 0; k < 8; k++) ids[k] = first + (rill_particle_id)k;
    const rill_group_id ring = add_group(w, "ring");
    ok(w, rill_world_group_particles(w, ring, ids, 8));
    rill_group_state s;
    ok(w, rill_world_group_state(w, ring, &s));
    assert_float_equal(s.centre.x, 3, 1e-6);
    assert_float_equal(s.centre.y, 2, 1e-6);
    assert_float_equal(s.velocity.x, 0.5, 1e-6);
    assert_float_equal(s.angular_velocity, 2, 1e-5);
    assert_float_equal(s.max.x - s.min.x, 2, 1e-6);
    rill_world_destroy(w);
}

/* ---- values that particles carry ---- */

static void carried_values_stay_with_their_particles(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        rill_world *w = make_tank(2, methods[m]);
        const int n = rill_world_particle_count(w);
        for (int i = 0; i < n; i++) {
            const rill_particle_id id = rill_world_particle_at(w, i);
            const uint64_t value = 1000 + 7 * id;
            const float colour[1][4] = {{(float)(id % 5) / 5, 0.5f, 0, 1}};
            ok(w, rill_world_set_user_data(w, &id, &value, 1));
            ok(w, rill_world_set_colours(w, &id, colour, 1));
        }
        take_steps(w, 10);
        ok(w, rill_world_set_method(w, methods[(m + 1) % METHODS]));
        take_steps(w, 5);
        rill_world *copy = reload(w);
        assert_true(rill_world_hash(copy) == rill_world_hash(w));
        const uint64_t *values = field_data(copy, "user_data");
        const float(*colours)[4] = field_data(copy, "colour");
        assert_non_null(values);
        assert_non_null(colours);
        for (int i = 0; i < n; i++) {
            const rill_particle_id id = rill_world_particle_at(copy, i);
            assert_int_equal(values[i], 1000 + 7 * id);
            assert_float_equal(colours[i][0], (float)(id % 5) / 5, 0);
        }
        rill_world_destroy(copy);
        rill_world_destroy(w);
    }
}

/* Variance of the red along x: that of a patch grows by 2 D t. */
static double red_variance(rill_world *w, double *sum) {
    const float(*colours)[4] = field_data(w, "colour");
    const float(*places)[4] = field_data(w, "position");
    double m0 = 0, m1 = 0, m2 = 0;
    for (int i = 0; i < rill_world_particle_count(w); i++) {
        const double c = (double)colours[i][0], x = (double)places[i][0];
        m0 += c, m1 += c * x, m2 += c * x * x;
    }
    *sum = m0;
    return m2 / m0 - m1 * m1 / m0 / m0;
}

static void dye_spreads_as_the_equation_says(void **state) {
    (void)state;
    for (int n = 1; n <= 2; n++) { /* two resolutions */
        rill_world_def def = small_def(2, "pbf");
        def.gravity = (rill_vec){0}, def.spacing = 0.04f / (float)n, def.periodic = (rill_vec){0, 0.4f, 0};
        def.colour_diffusivity = 0.002f;
        rill_world *w = create(&def);
        add_water(w);
        rill_group_def dye = rill_group_def_default();
        dye.opacity = 1, dye.red = 1, dye.green = dye.blue = 0;
        rill_group_id id;
        ok(w, rill_world_add_group(w, &dye, &id));
        rill_block_def block = rill_block_def_default();
        block.shape.max = (rill_vec){0.8f, 0.4f, 0};
        ok(w, rill_world_add_block(w, &block, NULL));
        block.shape.min = (rill_vec){0.8f, 0, 0}, block.shape.max = (rill_vec){1.2f, 0.4f, 0}, block.group = id;
        ok(w, rill_world_add_block(w, &block, NULL));
        block.shape.min = (rill_vec){1.2f, 0, 0}, block.shape.max = (rill_vec){2, 0.4f, 0};
        block.group = (rill_group_id){0};
        ok(w, rill_world_add_block(w, &block, NULL));
        double before, after;
        const double first = red_variance(w, &before), steps = 400, dt = 0.005;
        for (int k = 0; k < (int)steps; k++) ok(w, rill_world_step(w, dt));
        const double grown = red_variance(w, &after) - first;
        assert_near(after / before, 1, 1e-4);
        assert_near(grown / (2 * 0.002 * steps * dt), 1, 0.03);
        rill_world_destroy(w);
    }
}

static void lives_end_and_are_told(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "pbf");
    def.events = true;
    rill_world *w = make_tank_with(def);
    const rill_particle_id ids[3] = {5, 6, 7};
    const float seconds[3] = {0.055f, 0.5f, 0};
    ok(w, rill_world_set_lifetimes(w, ids, seconds, 3));
    const int all = rill_world_particle_count(w);
    int at = -1;
    for (int k = 0; k < 60; k++) {
        ok(w, rill_world_step(w, 0.01));
        for (int n = 0; n < rill_world_removal_count(w); n++) {
            const rill_removal gone = rill_world_removals(w)[n];
            assert_int_equal(gone.reason, RILL_REMOVED_BY_AGE);
            if (gone.particle == 5) at = k;
            assert_true(gone.particle == 5 || gone.particle == 6);
        }
    }
    assert_int_equal(at, 6); /* over at the end of the sixth step, removed in the seventh */
    assert_int_equal(rill_world_particle_count(w), all - 2);
    assert_int_equal(rill_world_stats(w)->expired, 2);
    assert_true(rill_world_particle_index(w, 7) >= 0);
    rill_world_destroy(w);
}

static rill_group_id add_wall_group(rill_world *w) {
    rill_group_def wall = rill_group_def_default();
    wall.kind = RILL_GROUP_WALL;
    rill_group_id id;
    ok(w, rill_world_add_group(w, &wall, &id));
    return id;
}

static void the_oldest_make_room(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "pbf");
    def.particle_limit = 150, def.events = true;
    rill_world *w = create(&def);
    add_water(w);
    const rill_group_id id = add_wall_group(w);
    rill_block_def floor_def = rill_block_def_default();
    floor_def.shape.min = (rill_vec){0, -2, 0}, floor_def.shape.max = (rill_vec){1, -1.9f, 0}, floor_def.group = id;
    int walls;
    ok(w, rill_world_add_block(w, &floor_def, &walls));
    rill_emitter_def jet = rill_emitter_def_default();
    jet.position = (rill_vec){0, 1, 0}, jet.direction = (rill_vec){1, 0, 0}, jet.radius = 0.1f, jet.speed = 2;
    ok(w, rill_world_add_emitter(w, &jet, NULL));
    rill_particle_id last = 0;
    for (int k = 0; k < 120; k++) {
        ok(w, rill_world_step(w, 0.01));
        assert_true(rill_world_particle_count(w) <= 150);
        for (int n = 0; n < rill_world_removal_count(w); n++)
            assert_int_equal(rill_world_removals(w)[n].reason, RILL_REMOVED_BY_LIMIT);
        if (rill_world_removal_count(w) > 0) last = rill_world_removals(w)[0].particle;
    }
    assert_int_equal(rill_world_particle_count(w), 150);
    assert_int_equal(group_size(w, id), walls); /* they are the oldest of all, but stay */
    assert_true(last >= (rill_particle_id)walls);
    rill_particle_id oldest = RILL_NO_PARTICLE; /* of those that move: none older is left */
    for (int i = 0; i < 150; i++) {
        const rill_particle_id one = rill_world_particle_at(w, i);
        if (one >= (rill_particle_id)walls && one < oldest) oldest = one;
    }
    assert_int_equal(oldest - (rill_particle_id)walls, rill_world_stats(w)->expired);
    rill_world_destroy(w);
}

/* ---- filters and walls ---- */

static double lowest(rill_world *w, rill_group_id id) {
    rill_group_state s;
    ok(w, rill_world_group_state(w, id, &s));
    return (double)(rill_world_get_def(w)->dim == 2 ? s.min.y : s.min.z);
}

static void filters_let_fluid_through(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        rill_world_def def = small_def(2, methods[m]);
        rill_world *w = create(&def);
        add_water(w);
        rill_solid_def sieve = rill_solid_def_default();
        sieve.layer = 2;
        sieve.shape.min = (rill_vec){-1, -0.1f, 0}, sieve.shape.max = (rill_vec){2, 0, 0};
        ok(w, rill_world_add_solid(w, &sieve, NULL));
        const rill_group_id through = add_group(w, "through"), held = add_group(w, "held");
        ok(w, rill_world_set_number(w, rill_ref_group(through), "mask", 1));
        rill_block_def block = rill_block_def_default();
        block.shape.min = (rill_vec){-0.5f, 0.02f, 0}, block.shape.max = (rill_vec){-0.2f, 0.22f, 0},
        block.group = through;
        ok(w, rill_world_add_block(w, &block, NULL));
        block.shape.min = (rill_vec){0.5f, 0.02f, 0}, block.shape.max = (rill_vec){0.8f, 0.22f, 0}, block.group = held;
        ok(w, rill_world_add_block(w, &block, NULL));
        for (int k = 0; k < 60; k++) ok(w, rill_world_advance(w, 0.01));
        assert_near((double)lowest(w, through), 0.045 - 0.5 * 9.81 * 0.36, 0.15);
        assert_true(lowest(w, held) > -0.03); /* on the sieve, and not yet off its edge */
        rill_world_destroy(w);
    }
}

static void walls_of_particles_stand(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        rill_world_def def = small_def(2, methods[m]);
        rill_world *w = create(&def);
        add_water(w);
        const rill_group_id id = add_wall_group(w);
        rill_block_def cup = rill_block_def_default();
        cup.group = id; /* three layers */
        cup.shape.min = (rill_vec){-0.15f, -0.15f, 0}, cup.shape.max = (rill_vec){0.65f, 0, 0};
        ok(w, rill_world_add_block(w, &cup, NULL));
        cup.shape.min = (rill_vec){-0.15f, 0, 0}, cup.shape.max = (rill_vec){0, 0.6f, 0};
        ok(w, rill_world_add_block(w, &cup, NULL));
        cup.shape.min = (rill_vec){0.5f, 0, 0}, cup.shape.max = (rill_vec){0.65f, 0.6f, 0};
        ok(w, rill_world_add_block(w, &cup, NULL));
        rill_group_state before, after;
        ok(w, rill_world_group_state(w, id, &before));
        int before_inside; /* particles of the wall itself */
        const rill_shape reached = box_shape((rill_vec){-0.05f, 0, 0}, (rill_vec){0.55f, 0.6f, 0});
        ok(w, rill_world_particles_inside(w, &reached, NULL, 0, &before_inside));
        const rill_group_id water = add_group(w, "water");
        rill_block_def block = rill_block_def_default();
        block.group = water;
        block.shape.max = (rill_vec){0.5f, 0.4f, 0};
        ok(w, rill_world_add_block(w, &block, NULL));
        if (strcmp(methods[m], "constraint") == 0) {
            assert_int_equal(rill_world_advance(w, 0.01), RILL_INVALID);
            assert_non_null(strstr(rill_world_message(w), "seeps through"));
            rill_world_destroy(w);
            continue;
        }
        for (int k = 0; k < 100; k++) ok(w, rill_world_advance(w, 0.01));
        ok(w, rill_world_group_state(w, id, &after));
        assert_float_equal(after.min.x, before.min.x, 1e-5);
        assert_float_equal(after.max.y, before.max.y, 1e-5);
        /* All of the water, no deeper in the wall than its first layer: clavet's fluid clings to fluid, and creeps up
           there. */
        int inside;
        rill_group_state all;
        ok(w, rill_world_group_state(w, water, &all));
        assert_int_equal(all.particles, 80);
        ok(w, rill_world_particles_inside(w, &reached, NULL, 0, &inside));
        inside -= before_inside;
        if (inside < 80 || lowest(w, water) < -0.05)
            fail_msg("%s: %d of 80 are in the cup, the lowest at %g", methods[m], inside, lowest(w, water));
        rill_world_destroy(w);
    }
}

/* ---- areas and pushes ---- */

static void areas_act_and_watch(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world_def def = small_def(dim, "pbf");
        def.gravity = (rill_vec){0};
        rill_world *w = create(&def);
        const rill_fluid_id water = add_water(w);
        const rill_vec x = up2(w, 0, 0, 0), v = up2(w, 1, 0, 0);
        rill_particle_id id;
        ok(w, rill_world_add_particle(w, water, x, v, &id));
        rill_area_def fan = rill_area_def_default();
        fan.shape = box_shape(up2(w, 0.5f, -1, -1), up2(w, 1, 1, 1));
        fan.acceleration = up2(w, 0, 4, 0), fan.watch = true;
        rill_area_id area;
        ok(w, rill_world_add_area(w, &fan, &area));
        int entered = 0, left = 0;
        for (int k = 0; k < 150; k++) {
            ok(w, rill_world_step(w, 0.01));
            for (int n = 0; n < rill_world_passage_count(w); n++) {
                const rill_passage p = rill_world_passages(w)[n];
                assert_int_equal(p.particle, id);
                assert_int_equal(p.area.index1, area.index1);
                *(p.entered ? &entered : &left) += 1;
            }
        }
        assert_int_equal(entered, 1);
        assert_int_equal(left, 1);
        rill_view view;
        ok(w, rill_world_view(w, "velocity", &view));
        assert_near((double)((const float *)view.data)[dim - 1], 4 * 0.5, 0.05); /* half a second in it */
        ok(w, rill_world_remove_area(w, area));
        assert_int_equal(rill_world_area_count(w), 0);
        rill_world_destroy(w);
    }
}

static void pulls_and_swirls_go_around(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "pbf");
    def.gravity = (rill_vec){0};
    rill_world *w = create(&def);
    const rill_fluid_id water = add_water(w);
    ok(w, rill_world_add_particle(w, water, (rill_vec){2, 1, 0}, (rill_vec){0}, NULL));
    rill_area_def area = rill_area_def_default();
    area.shape = ball_shape((rill_vec){1, 1, 0}, 3), area.centre = (rill_vec){1, 1, 0};
    area.pull = 3, area.swirl = 2;
    ok(w, rill_world_add_area(w, &area, NULL));
    ok(w, rill_world_step(w, 0.001));
    const float *v = field_data(w, "velocity");
    assert_float_equal(v[0], -0.003, 1e-6);
    assert_float_equal(v[1], 0.002, 1e-6);
    ok(w, rill_world_set_number(w, rill_ref_area(rill_world_area_at(w, 0)), "pull", 0));
    ok(w, rill_world_set_number(w, rill_ref_area(rill_world_area_at(w, 0)), "swirl", 0));
    ok(w, rill_world_set_number(w, rill_ref_area(rill_world_area_at(w, 0)), "drag", 1000));
    ok(w, rill_world_step(w, 0.1));
    v = field_data(w, "velocity");
    assert_true(fabsf(v[0]) < 1e-4f && fabsf(v[1]) < 1e-4f);
    rill_world_destroy(w);
}

static void blasts_and_written_velocities(void **state) {
    (void)state;
    rill_world *w = make_tank(2, "pbf");
    int pushed, count;
    ok(w, rill_world_blast(w, (rill_vec){0.5f, 0.25f, 0}, 0.2f, 3, &pushed));
    assert_in_range(pushed, 40, 60); /* pi 0.2^2 / 0.05^2 = 50 */
    const float *places = field_data(w, "position"), *v = field_data(w, "velocity");
    for (int i = 0; i < rill_world_particle_count(w); i++) {
        const float dx = places[4 * i] - 0.5f, dy = places[4 * i + 1] - 0.25f, r = sqrtf(dx * dx + dy * dy);
        const float out = v[2 * i] * dx + v[2 * i + 1] * dy, speed = r < 0.2f ? 3 * (1 - r / 0.2f) : 0;
        assert_float_equal(out, speed * r, 1e-4);
    }
    float *written = rill_world_write_velocities(w, &count);
    assert_int_equal(count, rill_world_particle_count(w));
    for (int k = 0; k < 2 * count; k++) written[k] = 0.25f;
    ok(w, rill_world_step(w, 0.001));
    written = rill_world_write_velocities(w, &count);
    written[7] = NAN;
    assert_int_equal(rill_world_step(w, 0.001), RILL_INVALID);
    assert_non_null(strstr(rill_world_message(w), "not finite"));
    bytes none = {0};
    assert_int_equal(rill_world_save(w, append_bytes, &none), RILL_INVALID); /* it would not load again */
    assert_non_null(strstr(rill_world_message(w), "position or velocity of particle "));
    assert_int_equal(none.size, 0);
    rill_world_write_velocities(w, NULL)[7] = 2e19f;
    assert_int_equal(rill_world_step(w, 0.001), RILL_INVALID);
    assert_non_null(strstr(rill_world_message(w), "too large: its square must be below 3.4e+38"));
    rill_world_write_velocities(w, NULL)[7] = 0;
    ok(w, rill_world_step(w, 0.001)); /* the refused steps have not happened */
    rill_world_destroy(w);
}

/* ---- queries ---- */

static void particles_are_found(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = make_tank(dim, "pbf");
        const int all = rill_world_particle_count(w);
        int count;
        rill_particle_id id, *ids = malloc(sizeof *ids * (size_t)all);
        ok(w, rill_world_particles_in_box(w, up2(w, 0, 0, 0), up2(w, 0.5f, 0.5f, 0.4f), ids, all, &count));
        assert_int_equal(count, all / 2);
        const rill_shape half = box_shape(up2(w, 0, 0, 0), up2(w, 0.5f, 0.5f, 0.4f));
        ok(w, rill_world_particles_inside(w, &half, ids, 3, &count));
        assert_int_equal(count, all / 2); /* all are counted, three are written */
        free(ids);
        float distance;
        ok(w, rill_world_nearest_particle(w, up2(w, 0.026f, 0.027f, 0.024f), 0.1f, &id, &distance));
        assert_true(distance < 0.003f);
        assert_int_equal(id, 0);
        ok(w, rill_world_nearest_particle(w, up2(w, 1.5f, 1.5f, 0.2f), 0.2f, &id, &distance));
        assert_true(id == RILL_NO_PARTICLE);
        ok(w, rill_world_particle_on_ray(w, up2(w, 0.525f, 1, 0.225f), up2(w, 0, -2, 0), 2, &id, &distance));
        assert_true(id != RILL_NO_PARTICLE);
        assert_float_equal(distance, 0.5, 1e-5); /* the ball of the topmost particle reaches to the surface */
        ok(w, rill_world_particle_on_ray(w, up2(w, 1.5f, 1, 0.2f), up2(w, 0, -1, 0), 2, &id, NULL));
        assert_true(id == RILL_NO_PARTICLE);
        ok(w, rill_world_stuck_particles(w, NULL, 0, &count));
        assert_int_equal(count, 0);
        rill_world_destroy(w);
    }
}

static void fluid_is_sampled_without_a_gauge(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world_def def = small_def(dim, "pbf");
        rill_world *w = create(&def);
        add_water(w);
        add_container(w, up2(w, 0, 0, 0), up2(w, 1, 1, 0.4f));
        add_box(w, up2(w, 0, 0, 0), up2(w, 1, 0.5f, 0.4f));
        for (int k = 0; k < 40; k++) ok(w, rill_world_advance(w, 0.01));
        rill_fluid_sample s;
        ok(w, rill_world_sample_fluid(w, up2(w, 0.5f, 0.2f, 0.2f), 1, &s));
        assert_true(s.inside);
        assert_float_equal(s.depth, 0.3, 0.03);
        assert_float_equal(s.density, 1000, 30);
        assert_true(fabsf(s.velocity.x) < 0.2f);
        ok(w, rill_world_sample_fluid(w, up2(w, 0.5f, 0.8f, 0.2f), 1, &s));
        assert_false(s.inside);
        assert_true(s.depth == 0);
        rill_world_destroy(w);
    }
}

/* A particle inside a solid and one in a narrow gap are stuck; one in the open is not. */
static void stuck_particles_are_found(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "pbf");
    rill_world *w = create(&def);
    const rill_fluid_id water = add_water(w);
    rill_solid_def post = rill_solid_def_default();
    post.shape = box_shape((rill_vec){0, 0, 0}, (rill_vec){1, 1, 0});
    ok(w, rill_world_add_solid(w, &post, NULL));
    post.name[0] = 0;
    post.shape = box_shape((rill_vec){1.02f, 0, 0}, (rill_vec){2, 1, 0}); /* with a gap of 2 cm */
    ok(w, rill_world_add_solid(w, &post, NULL));
    const rill_vec deep = {0.5f, 0.5f, 0}, squeezed = {1.01f, 0.5f, 0}, open = {0.5f, 1.1f, 0};
    rill_particle_id ids[3], found[3];
    ok(w, rill_world_add_particle(w, water, deep, (rill_vec){0}, &ids[0]));
    ok(w, rill_world_add_particle(w, water, squeezed, (rill_vec){0}, &ids[1]));
    ok(w, rill_world_add_particle(w, water, open, (rill_vec){0}, &ids[2]));
    int count;
    ok(w, rill_world_stuck_particles(w, found, 3, &count));
    assert_int_equal(count, 2);
    assert_int_equal(found[0], ids[0]);
    assert_int_equal(found[1], ids[1]);
    ok(w, rill_world_set_number(w, rill_ref_fluid(water), "mask", 0)); /* it passes through them, from now on */
    ok(w, rill_world_stuck_particles(w, found, 3, &count));
    assert_int_equal(count, 0);
    rill_world_destroy(w);
}

/* ---- events ---- */

static int count_changes(rill_world *w, rill_change_kind kind) {
    int count = 0;
    for (int k = 0; k < rill_world_change_count(w); k++) count += rill_world_changes(w)[k].kind == (int32_t)kind;
    return count;
}

static void changes_are_told_once(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "pbf");
    def.events = true, def.sleep_time = 0.2f;
    rill_world *w = make_tank_with(def);
    add_body(w, "crate", box_shape((rill_vec){0.4f, 0.7f, 0}, (rill_vec){0.6f, 0.9f, 0}), 500);
    add_body(w, "brick", box_shape((rill_vec){1.6f, 0.001f, 0}, (rill_vec){1.8f, 0.2f, 0}), 2500);
    rill_joint_def joint = rill_joint_def_default();
    joint.kind = RILL_JOINT_BALL, joint.anchor = (rill_vec){0.5f, 0.8f, 0}, joint.break_force = 100;
    snprintf(joint.a_name, sizeof joint.a_name, "crate"); /* 20 kg: 196 N */
    ok(w, rill_world_add_joint(w, &joint, NULL));
    const rill_group_id some = add_group(w, "some");
    const rill_particle_id id = 3;
    const float life = 0.1f;
    ok(w, rill_world_group_particles(w, some, &id, 1));
    ok(w, rill_world_set_lifetimes(w, &id, &life, 1));
    int broke = 0, wet = 0, slept = 0, emptied = 0;
    for (int k = 0; k < 100; k++) {
        ok(w, rill_world_advance(w, 0.01));
        broke += count_changes(w, RILL_CHANGE_JOINT_BROKE);
        wet += count_changes(w, RILL_CHANGE_BODY_WET) - count_changes(w, RILL_CHANGE_BODY_DRY);
        slept += count_changes(w, RILL_CHANGE_BODY_SLEPT) - count_changes(w, RILL_CHANGE_BODY_WOKE);
        emptied += count_changes(w, RILL_CHANGE_GROUP_EMPTIED);
    }
    assert_int_equal(broke, 1);
    assert_int_equal(emptied, 1);
    int wet_now = 0;
    for (int k = 0; k < 2; k++) {
        rill_wetting wetting;
        ok(w, rill_world_body_wetting(w, rill_world_body_at(w, k), &wetting));
        wet_now += wetting.wet;
    }
    assert_int_equal(wet, wet_now);
    assert_true(wet_now >= 1);
    assert_int_equal(slept, rill_world_stats(w)->bodies_asleep);
    ok(w, rill_world_advance(w, 0));
    assert_int_equal(rill_world_change_count(w) + rill_world_removal_count(w), 0);
    rill_world_destroy(w);
}

/* Whichever call takes no step, it has no events. */
static void no_step_has_no_events(void **state) {
    (void)state;
    for (int way = 0; way < 5; way++) {
        rill_world_def def = small_def(2, "pbf");
        def.events = true;
        rill_world *w = make_tank_with(def);
        add_body(w, "crate", box_shape((rill_vec){0.4f, 0.55f, 0}, (rill_vec){0.6f, 0.75f, 0}), 500);
        rill_area_def area = rill_area_def_default();
        area.watch = true;
        ok(w, rill_world_add_area(w, &area, NULL));
        const rill_body_id crate = rill_world_find_body(w, "crate");
        rill_wetting wetting = {0};
        for (int k = 0; k < 100 && !wetting.entered; k++) {
            ok(w, rill_world_step(w, 0.005));
            ok(w, rill_world_body_wetting(w, crate, &wetting));
        }
        const rill_particle_id id = rill_world_particle_at(w, 0);
        ok(w, rill_world_set_lifetimes(w, &id, &(float){1e-6f}, 1));
        ok(w, rill_world_set_particles(w, &id, &(rill_vec){0.5f, 1.5f, 0}, NULL, 1));
        assert_true(wetting.entered && wetting.particles > 0);
        assert_int_equal(count_changes(w, RILL_CHANGE_BODY_WET), 1);
        if (way == 0) ok(w, rill_world_step(w, 0));
        if (way == 1) ok(w, rill_world_step_adaptive(w, 0));
        if (way == 2) ok(w, rill_world_advance(w, 0));
        if (way == 3) ok(w, rill_world_advance_at_most(w, 0, 2, NULL));
        if (way == 4) ok(w, rill_world_advance(w, 1e-20)); /* less than rounding */
        assert_int_equal(rill_world_change_count(w), 0);
        assert_int_equal(rill_world_removal_count(w) + rill_world_passage_count(w), 0);
        const int touching = wetting.particles;
        ok(w, rill_world_body_wetting(w, crate, &wetting));
        assert_true(wetting.wet && !wetting.entered && wetting.splash_speed == 0.0f);
        assert_int_equal(wetting.particles, touching); /* now */
        rill_world_destroy(w);
    }
}

/* ---- loops with a budget, and failures ---- */

static void a_capped_loop_gives_time_up(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "wcsph"); /* short steps */
    rill_world *w = make_tank_with(def);
    double advanced, clock = 0;
    ok(w, rill_world_advance_at_most(w, 0.1, 3, &advanced));
    assert_int_equal(rill_world_stats(w)->step, 3);
    assert_true(advanced > 0 && advanced < 0.05);
    assert_float_equal(advanced, rill_world_stats(w)->time, 1e-12);
    clock += advanced;
    ok(w, rill_world_advance_at_most(w, 1e-5, 3, &advanced)); /* one step, which runs ahead of the clock */
    assert_float_equal(advanced, 1e-5, 1e-12);
    clock += advanced;
    assert_near(rill_world_stats(w)->time - rill_world_stats(w)->lead, clock, 1e-9);
    ok(w, rill_world_advance_at_most(w, 0, 1, &advanced));
    assert_true(advanced == 0);
    assert_int_equal(rill_world_advance_at_most(w, 0.1, 0, &advanced), RILL_INVALID);
    rill_world_destroy(w);
}

/* A tank whose own steps are shorter than half a frame takes two longer ones for each frame. */
static void a_capped_loop_takes_longer_steps(void **state) {
    (void)state;
    rill_world_def def = rill_world_def_game(2);
    def.spacing = 0.025f, def.workers = 1;
    rill_world *w = create(&def);
    add_water(w);
    add_container(w, (rill_vec){0, 0, 0}, (rill_vec){1, 2, 0});
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){1, 0.6f, 0});
    double advanced;
    for (int k = 0; k < 60; k++) {
        const int64_t before = rill_world_stats(w)->step;
        ok(w, rill_world_advance_at_most(w, 1.0 / 60, 2, &advanced));
        assert_near(advanced, 1.0 / 60, 1e-9);
        assert_true(rill_world_stats(w)->step - before <= 2);
    }
    assert_true(rill_world_stats(w)->density_error_mean < 0.1); /* the compression that a longer step may leave */
    const int64_t before = rill_world_stats(w)->step;
    ok(w, rill_world_advance(w, 1.0 / 60));
    assert_true(rill_world_stats(w)->step - before > 2); /* steps of its own length */
    rill_world_destroy(w);
}

static void failures_are_contained(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++)
        for (int policy = RILL_FAILURE_STOP; policy <= RILL_FAILURE_REMOVE; policy++) {
            rill_world_def def = small_def(2, methods[m]);
            def.failure = policy, def.max_speed = 20, def.events = true;
            rill_world *w = make_tank_with(def);
            const int all = rill_world_particle_count(w);
            const rill_particle_id bullet = 150;
            const rill_vec fast = {300, 40, 0};
            ok(w, rill_world_set_particles(w, &bullet, NULL, &fast, 1));
            rill_status status = RILL_OK;
            int removed = 0;
            for (int k = 0; k < 20 && status == RILL_OK; k++) {
                status = rill_world_step(w, 0.002);
                removed += rill_world_removal_count(w);
            }
            if (policy == RILL_FAILURE_STOP) {
                assert_int_equal(status, RILL_BLOW_UP);
            } else {
                ok(w, status);
                assert_true(rill_world_stats(w)->runaways > 0);
                assert_true(rill_world_stats(w)->max_speed < 20);
                assert_int_equal(rill_world_particle_count(w), all - removed);
                assert_int_equal(removed > 0, policy == RILL_FAILURE_REMOVE);
            }
            rill_world_destroy(w);
        }
}

/* A particle that is thrown so fast, or put so far away, that its energy has no number is gone afterwards. Then
   everything is as usual: the energy watch sees gains, and what is saved can be loaded. */
static void absurd_particles_leave_no_trace(void **state) {
    (void)state;
    static const struct { float speed, place; } cases[] = {{1e15f, 0}, {1e18f, 0}, {1e25f, 0}, {3e38f, 0}, {0, 1e36f}};
    for (int m = 0; m < METHODS; m++)
        for (int policy = RILL_FAILURE_CLAMP; policy <= RILL_FAILURE_REMOVE; policy++)
            for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
                rill_world_def def = small_def(2, methods[m]);
                def.failure = policy, def.max_speed = 20;
                rill_world *w = make_tank_with(def);
                for (int k = 0; k < 12; k++) ok(w, rill_world_step(w, 0.001)); /* a fresh fill is not watched */
                const rill_vec fast = {cases[c].speed, 0, 0}, far = {cases[c].place, 0.1f, 0};
                const rill_particle_id bullet = 150;
                ok(w, rill_world_set_particles(w, &bullet, cases[c].place > 0 ? &far : NULL,
                                               cases[c].speed > 0 ? &fast : NULL, 1));
                bool gains = false;
                for (int k = 0; k < 40; k++) {
                    ok(w, rill_world_step(w, 0.001));
                    assert_true(isfinite(rill_world_stats(w)->energy_gain));
                    gains |= rill_world_stats(w)->energy_gain > 0;
                }
                assert_true(rill_world_stats(w)->runaways > 0);
                assert_true(gains || m != 1 || policy == RILL_FAILURE_CLAMP); /* of wcsph, by its elasticity */
                rill_world *copy = reload(w);
                ok(w, rill_world_step(w, 0.001)), ok(copy, rill_world_step(copy, 0.001));
                assert_true(rill_world_hash(w) == rill_world_hash(copy));
                rill_world_destroy(copy);
                rill_world_destroy(w);
            }
}

static void the_game_preset_is_sound(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world_def def = rill_world_def_game(dim);
        def.workers = 1;
        rill_world *w = make_tank_with(def);
        for (int k = 0; k < 30; k++) ok(w, rill_world_advance_at_most(w, 1.0 / 60, 4, NULL));
        assert_int_equal(rill_world_stats(w)->runaways, 0);
        rill_world_destroy(w);
    }
}

/* ---- snapshots, threads, memory ---- */

/* A world with all of it at once. */
static rill_world *make_all(int dim, int workers) {
    rill_world_def def = small_def(dim, "pbf");
    def.events = true, def.particle_limit = dim == 2 ? 400 : 2600, def.colour_diffusivity = 0.01f,
    def.workers = workers;
    def.failure = RILL_FAILURE_REMOVE;
    rill_world *w = make_tank_with(def);
    rill_group_def red = rill_group_def_default();
    red.opacity = 1, red.green = red.blue = 0, red.lifetime = 0.2f;
    snprintf(red.name, sizeof red.name, "red");
    ok(w, rill_world_add_group(w, &red, NULL));
    rill_group_def wall = rill_group_def_default();
    wall.kind = RILL_GROUP_WALL;
    snprintf(wall.name, sizeof wall.name, "wall");
    ok(w, rill_world_add_group(w, &wall, NULL));
    const rill_shape corner = box_shape(up2(w, 0.8f, 0, 0), up2(w, 1, 0.1f, 0.4f));
    ok(w, rill_world_group_inside(w, rill_world_find_group(w, "wall"), &corner, NULL));
    rill_emitter_def jet = rill_emitter_def_default();
    snprintf(jet.group_name, sizeof jet.group_name, "red");
    jet.position = up2(w, 0.2f, 1.2f, 0.2f), jet.direction = up2(w, 1, 0, 0), jet.radius = 0.08f, jet.speed = 2;
    ok(w, rill_world_add_emitter(w, &jet, NULL));
    rill_area_def fan = rill_area_def_default();
    fan.shape = box_shape(up2(w, 0.5f, 0, 0), up2(w, 1.5f, 0.3f, 0.4f));
    fan.acceleration = up2(w, 0, 15, 0), fan.watch = true, fan.swirl = 3, fan.drag = 0.5f;
    ok(w, rill_world_add_area(w, &fan, NULL));
    add_body(w, "crate", box_shape(up2(w, 0.2f, 0.6f, 0.1f), up2(w, 0.4f, 0.8f, 0.3f)), 500);
    return w;
}

static void expect_same(rill_world *a, rill_world *b) {
    assert_true(rill_world_hash(a) == rill_world_hash(b));
    assert_int_equal(rill_world_view_count(a), rill_world_view_count(b));
    for (int k = 0; k < rill_world_view_count(a); k++) {
        const rill_view x = rill_world_view_at(a, k);
        rill_view y;
        ok(b, rill_world_view(b, x.name, &y));
        if (strcmp(x.name, "density") == 0 || strcmp(x.name, "pressure") == 0) continue;
        for (int i = 0; i < x.count; i++) {
            const size_t at = (size_t)i * (size_t)x.stride * rill_scalar_size(x.scalar);
            assert_memory_equal((const char *)x.data + at, (const char *)y.data + at,
                                (size_t)x.components * rill_scalar_size(x.scalar));
        }
    }
}

static void threads_and_snapshots_change_nothing(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *one = make_all(dim, 1), *three = make_all(dim, 3), *resumed = make_all(dim, 1);
        for (int k = 0; k < 24; k++) {
            ok(one, rill_world_step(one, 0.01));
            ok(three, rill_world_step(three, 0.01));
            ok(resumed, rill_world_step(resumed, 0.01));
            assert_int_equal(rill_world_passage_count(one), rill_world_passage_count(three));
            assert_int_equal(rill_world_removal_count(one), rill_world_removal_count(resumed));
            for (int n = 0; n < rill_world_removal_count(one); n++)
                assert_int_equal(rill_world_removals(one)[n].particle, rill_world_removals(three)[n].particle);
            if (k != 11) continue;
            rill_world *copy = reload(resumed);
            rill_difference difference;
            if (rill_world_differs(copy, resumed, &difference)) fail_msg("%s differs", difference.key);
            rill_world_destroy(resumed);
            resumed = copy;
        }
        assert_true(rill_world_stats(one)->expired > 0);
        expect_same(one, three);
        expect_same(one, resumed);
        rill_world_destroy(one);
        rill_world_destroy(three);
        rill_world_destroy(resumed);
    }
}

static void *counting_allocate(size_t size, size_t alignment, void *context) {
    ++*(int64_t *)context;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void counting_release(void *memory, size_t size, void *context) {
    (void)size, (void)context;
    free(memory);
}

static void a_steady_world_allocates_nothing(void **state) {
    (void)state;
    int64_t calls = 0;
    rill_world_def def = small_def(2, "pbf");
    def.allocator = (rill_allocator){counting_allocate, counting_release, &calls};
    def.events = true, def.particle_limit = 300;
    rill_world *w = make_tank_with(def);
    ok(w, rill_world_reserve(w, 600));
    rill_emitter_def jet = rill_emitter_def_default();
    jet.position = up2(w, 0.2f, 1.2f, 0.2f), jet.direction = up2(w, 1, 0, 0), jet.radius = 0.08f, jet.speed = 2;
    ok(w, rill_world_add_emitter(w, &jet, NULL));
    rill_area_def area = rill_area_def_default();
    area.watch = true, area.drag = 0.1f;
    ok(w, rill_world_add_area(w, &area, NULL));
    for (int k = 0; k < 200; k++) ok(w, rill_world_step(w, 0.01));
    const int64_t before = calls;
    for (int k = 0; k < 200; k++) ok(w, rill_world_step(w, 0.01));
    assert_int_equal(calls, before);
    assert_true(rill_world_stats(w)->expired > 100);
    rill_world_destroy(w);
}

/* ---- misuse ---- */

static void nonsense_is_refused(void **state) {
    (void)state;
    rill_world *w = make_tank(2, "pbf");
    const rill_group_id nobody = {7, 1}, group = add_group(w, "a");
    const rill_particle_id missing = 999999, there = 1;
    const uint64_t hash = rill_world_hash(w);
    const float too_much[1][4] = {{2, 0, 0, 0}}, negative = -1;
    int count;
    assert_int_equal(rill_world_add_group(w, NULL, NULL), RILL_INVALID);
    assert_int_equal(rill_world_add_group(NULL, NULL, NULL), RILL_INVALID);
    assert_int_equal(rill_world_remove_group(w, nobody), RILL_NOT_FOUND);
    assert_int_equal(rill_world_join_groups(w, group, group), RILL_INVALID);
    assert_int_equal(rill_world_join_groups(w, group, nobody), RILL_NOT_FOUND);
    assert_int_equal(rill_world_split_group(w, group, NAN, NULL, 0, NULL), RILL_INVALID);
    assert_int_equal(rill_world_empty_group(w, nobody, NULL), RILL_NOT_FOUND);
    assert_int_equal(rill_world_group_particles(w, group, &missing, 1), RILL_NOT_FOUND);
    assert_int_equal(rill_world_group_particles(w, group, NULL, 1), RILL_INVALID);
    assert_int_equal(rill_world_group_inside(w, group, NULL, NULL), RILL_INVALID);
    assert_int_equal(rill_world_push_group(w, group, (rill_vec){INFINITY, 0, 0}), RILL_INVALID);
    assert_int_equal(rill_world_set_colours(w, &there, too_much, 1), RILL_INVALID);
    assert_int_equal(rill_world_set_colours(w, &there, NULL, 1), RILL_INVALID);
    assert_int_equal(rill_world_set_lifetimes(w, &there, &negative, 1), RILL_INVALID);
    assert_int_equal(rill_world_set_user_data(w, &missing, (const uint64_t[]){1}, 1), RILL_NOT_FOUND);
    assert_int_equal(rill_world_set_user_data(w, &there, (const uint64_t[]){1}, -1), RILL_INVALID);
    assert_null(rill_world_write_velocities(NULL, &count));
    assert_int_equal(rill_world_blast(w, (rill_vec){0}, 0, 1, NULL), RILL_INVALID);
    assert_int_equal(rill_world_blast(w, (rill_vec){0}, 1, NAN, NULL), RILL_INVALID);
    assert_int_equal(rill_world_add_area(w, NULL, NULL), RILL_INVALID);
    assert_int_equal(rill_world_remove_area(w, (rill_area_id){1, 1}), RILL_NOT_FOUND);
    assert_int_equal(rill_world_particles_in_box(w, (rill_vec){0}, (rill_vec){1, 1, 0}, NULL, 0, NULL), RILL_INVALID);
    assert_int_equal(rill_world_particles_inside(w, NULL, NULL, 0, &count), RILL_INVALID);
    assert_int_equal(rill_world_particles_of_group(w, nobody, NULL, 0, &count), RILL_NOT_FOUND);
    assert_int_equal(rill_world_nearest_particle(w, (rill_vec){NAN, 0, 0}, 1, &(rill_particle_id){0}, NULL),
                     RILL_INVALID);
    assert_int_equal(rill_world_particle_on_ray(w, (rill_vec){0}, (rill_vec){0}, 1, &(rill_particle_id){0}, NULL),
                     RILL_INVALID);
    assert_int_equal(rill_world_sample_fluid(w, (rill_vec){0}, 0, &(rill_fluid_sample){0}), RILL_INVALID);
    rill_area_def area = rill_area_def_default();
    snprintf(area.group_name, sizeof area.group_name, "nobody");
    assert_int_equal(rill_world_add_area(w, &area, NULL), RILL_NOT_FOUND);
    area.group_name[0] = 0, area.watch = true;
    for (int k = 0; k < RILL_AREAS_WATCHED; k++) ok(w, rill_world_add_area(w, &area, NULL));
    assert_int_equal(rill_world_add_area(w, &area, NULL), RILL_LIMIT);
    assert_int_equal(rill_world_area_count(w), RILL_AREAS_WATCHED);
    rill_emitter_def jet = rill_emitter_def_default();
    jet.group = group;
    ok(w, rill_world_add_emitter(w, &jet, NULL));
    assert_int_equal(rill_world_remove_group(w, group), RILL_INVALID);
    assert_non_null(strstr(rill_world_message(w), "an emitter"));
    assert_int_equal(rill_world_removal_count(NULL) + rill_world_passage_count(NULL) + rill_world_change_count(NULL),
                     0);
    assert_true(rill_world_hash(w) == hash);
    rill_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_join_split_and_empty),
        cmocka_unit_test(group_states_are_right),
        cmocka_unit_test(carried_values_stay_with_their_particles),
        cmocka_unit_test(dye_spreads_as_the_equation_says),
        cmocka_unit_test(lives_end_and_are_told),
        cmocka_unit_test(the_oldest_make_room),
        cmocka_unit_test(filters_let_fluid_through),
        cmocka_unit_test(walls_of_particles_stand),
        cmocka_unit_test(areas_act_and_watch),
        cmocka_unit_test(pulls_and_swirls_go_around),
        cmocka_unit_test(blasts_and_written_velocities),
        cmocka_unit_test(particles_are_found),
        cmocka_unit_test(fluid_is_sampled_without_a_gauge),
        cmocka_unit_test(stuck_particles_are_found),
        cmocka_unit_test(changes_are_told_once),
        cmocka_unit_test(no_step_has_no_events),
        cmocka_unit_test(a_capped_loop_takes_longer_steps),
        cmocka_unit_test(a_capped_loop_gives_time_up),
        cmocka_unit_test(failures_are_contained),
        cmocka_unit_test(absurd_particles_leave_no_trace),
        cmocka_unit_test(the_game_preset_is_sound),
        cmocka_unit_test(threads_and_snapshots_change_nothing),
        cmocka_unit_test(a_steady_world_allocates_nothing),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

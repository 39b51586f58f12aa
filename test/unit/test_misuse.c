/* SPDX-License-Identifier: MIT */
/* Every public function with invalid arguments: a status and a message come back, nothing else changes. */
#include "unit/worlds.h"

#include <limits.h>

typedef struct fixture {
    rill_world *world;
    rill_fluid_id water;
    uint64_t hash;
    int fluids, solids, gauges, particles;
} fixture;

static fixture f;

static int set_up(void **state) {
    (void)state;
    const rill_world_def def = small_def(2, "wcsph");
    f.world = create(&def);
    f.water = add_water(f.world);
    add_container(f.world, (rill_vec){0, 0, 0}, (rill_vec){1, 1, 0});
    add_box(f.world, (rill_vec){0, 0, 0}, (rill_vec){0.5f, 0.5f, 0});
    take_steps(f.world, 3);
    f.hash = rill_world_hash(f.world);
    f.fluids = rill_world_fluid_count(f.world), f.solids = rill_world_solid_count(f.world);
    f.gauges = rill_world_gauge_count(f.world), f.particles = rill_world_particle_count(f.world);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    rill_world_destroy(f.world);
    return 0;
}

static void check_refused(rill_status status, rill_status wanted, const char *word, int line) {
    if (status != wanted) {
        print_error("got '%s', expected '%s'; message: %s\n", rill_status_name(status), rill_status_name(wanted),
                    rill_world_message(f.world));
        _fail(__FILE__, line);
    }
    if (word && !strstr(rill_world_message(f.world), word)) {
        print_error("no '%s' in: %s\n", word, rill_world_message(f.world));
        _fail(__FILE__, line);
    }
    const bool same = rill_world_hash(f.world) == f.hash && rill_world_fluid_count(f.world) == f.fluids &&
                      rill_world_solid_count(f.world) == f.solids && rill_world_gauge_count(f.world) == f.gauges &&
                      rill_world_particle_count(f.world) == f.particles &&
                      rill_world_stats(f.world)->particles == f.particles;
    if (!same) {
        print_error("the world changed\n");
        _fail(__FILE__, line);
    }
}
/* The call returns `wanted`, its message has `word` in it, the world is unchanged. */
#define REFUSED(call, wanted, word) check_refused(call, wanted, word, __LINE__)

static void null_worlds(void **state) {
    (void)state;
    rill_fluid_def fluid = rill_fluid_def_default();
    rill_solid_def solid = rill_solid_def_default();
    rill_emitter_def emitter = rill_emitter_def_default();
    rill_sink_def sink = rill_sink_def_default();
    rill_gauge_def gauge = rill_gauge_def_default();
    rill_block_def block = rill_block_def_default();
    rill_shape shape = rill_shape_default();
    rill_reading reading;
    rill_view view;
    rill_vec v = {0};
    float distance;
    double value;
    int n = 7;
    char text[20];
    assert_int_equal(rill_world_add_fluid(NULL, &fluid, NULL), RILL_INVALID);
    assert_int_equal(rill_world_add_solid(NULL, &solid, NULL), RILL_INVALID);
    assert_int_equal(rill_world_add_emitter(NULL, &emitter, NULL), RILL_INVALID);
    assert_int_equal(rill_world_add_sink(NULL, &sink, NULL), RILL_INVALID);
    assert_int_equal(rill_world_add_gauge(NULL, &gauge, NULL), RILL_INVALID);
    assert_int_equal(rill_world_remove_solid(NULL, (rill_solid_id){1, 1}), RILL_INVALID);
    assert_int_equal(rill_world_remove_emitter(NULL, (rill_emitter_id){1, 1}), RILL_INVALID);
    assert_int_equal(rill_world_remove_sink(NULL, (rill_sink_id){1, 1}), RILL_INVALID);
    assert_int_equal(rill_world_remove_gauge(NULL, (rill_gauge_id){1, 1}), RILL_INVALID);
    assert_int_equal(rill_world_add_block(NULL, &block, &n), RILL_INVALID);
    assert_int_equal(rill_world_count_block(NULL, &block, &n), RILL_INVALID);
    assert_int_equal(rill_world_add_particle(NULL, f.water, v, v, NULL), RILL_INVALID);
    assert_int_equal(rill_world_remove_particle(NULL, 0), RILL_INVALID);
    assert_int_equal(rill_world_remove_inside(NULL, &shape, &n), RILL_INVALID);
    assert_int_equal(rill_world_step(NULL, 0.01), RILL_INVALID);
    assert_int_equal(rill_world_advance(NULL, 0.01), RILL_INVALID);
    assert_int_equal(rill_world_step_adaptive(NULL, 0.01), RILL_INVALID);
    assert_int_equal(rill_world_set_number(NULL, rill_ref_method(), "gamma", 1), RILL_INVALID);
    assert_int_equal(rill_world_set_text(NULL, rill_ref_method(), "gamma", "1"), RILL_INVALID);
    assert_int_equal(rill_world_get_text(NULL, rill_ref_method(), "gamma", text, sizeof text), RILL_INVALID);
    assert_int_equal(rill_world_set_vec(NULL, rill_ref_world(), "gravity", v), RILL_INVALID);
    assert_int_equal(rill_world_get_vec(NULL, rill_ref_world(), "gravity", &v), RILL_INVALID);
    assert_int_equal(rill_world_get_number(NULL, rill_ref_world(), "cfl", &value), RILL_INVALID);
    assert_int_equal(rill_world_effective(NULL, "sound_speed", &value), RILL_INVALID);
    assert_int_equal(rill_world_read_gauge(NULL, (rill_gauge_id){1, 1}, &reading), RILL_INVALID);
    assert_int_equal(rill_world_save(NULL, append_bytes, NULL), RILL_INVALID);
    assert_int_not_equal(rill_world_solid_pose(NULL, (rill_solid_id){1, 1}, &v, &distance), RILL_OK);
    assert_int_not_equal(rill_world_solid_distance(NULL, (rill_solid_id){1, 1}, v, &distance, &v), RILL_OK);
    assert_int_not_equal(rill_world_view(NULL, "position", &view), RILL_OK);
    assert_int_equal(rill_world_particle_count(NULL) + rill_world_view_count(NULL) + rill_world_workers(NULL), 0);
    assert_int_equal(rill_world_particle_index(NULL, 0), -1);
#define NO_FAMILY(type)                                                                       \
    assert_int_equal(rill_world_remove_##type(NULL, (rill_##type##_id){1, 1}), RILL_INVALID); \
    assert_false(rill_world_##type##_is_valid(NULL, (rill_##type##_id){1, 1}));               \
    assert_int_equal(rill_world_find_##type(NULL, "x").index1, 0);                            \
    assert_int_equal(rill_world_##type##_count(NULL), 0);                                     \
    assert_int_equal(rill_world_##type##_at(NULL, 0).index1, 0);                              \
    assert_null(rill_world_##type##_def(NULL, (rill_##type##_id){1, 1}))
    NO_FAMILY(fluid);
    NO_FAMILY(solid);
    NO_FAMILY(emitter);
    NO_FAMILY(sink);
    NO_FAMILY(gauge);
    NO_FAMILY(body);
    NO_FAMILY(joint);
    const rill_body_id body = {1, 1};
    const rill_pose pose = {0};
    assert_int_equal(rill_world_body_apply_force(NULL, body, v, NULL), RILL_INVALID);
    assert_int_equal(rill_world_body_apply_torque(NULL, body, v), RILL_INVALID);
    assert_int_equal(rill_world_body_apply_impulse(NULL, body, v, NULL), RILL_INVALID);
    assert_int_equal(rill_world_body_apply_angular_impulse(NULL, body, v), RILL_INVALID);
    assert_int_equal(rill_world_body_set_velocity(NULL, body, v, v), RILL_INVALID);
    assert_int_equal(rill_world_body_set_pose(NULL, body, &pose), RILL_INVALID);
    assert_int_equal(rill_world_body_move_to(NULL, body, &pose), RILL_INVALID);
    assert_int_equal(rill_world_body_set_user_data(NULL, body, &n), RILL_INVALID);
    assert_int_equal(rill_world_solid_set_user_data(NULL, (rill_solid_id){1, 1}, &n), RILL_INVALID);
    assert_null(rill_world_body_user_data(NULL, body));
    assert_null(rill_world_solid_user_data(NULL, (rill_solid_id){1, 1}));
    assert_int_equal(rill_world_body_solid(NULL, body).index1, 0);
    assert_int_equal(rill_world_solid_body(NULL, (rill_solid_id){1, 1}).index1, 0);
    assert_null(rill_world_params(NULL));
    assert_null(rill_world_stats(NULL));
    assert_null(rill_world_get_def(NULL));
    assert_null(rill_world_method(NULL));
    assert_null(rill_world_view_at(NULL, 0).data);
    assert_true(rill_world_hash(NULL) == 0 && rill_world_support(NULL) == 0.0f);
    assert_non_null(rill_world_message(NULL));
    assert_non_null(rill_world_simd(NULL));
    rill_world_destroy(NULL);
}

static void bad_world_defs(void **state) {
    (void)state;
    enum { CASES = 14 };
    struct {
        const char *word;
        rill_world_def def;
    } bad[CASES];
    for (int k = 0; k < CASES; k++) bad[k].def = small_def(2, "wcsph");
    int n = 0;
#define BAD(word_, member, value) bad[n].word = word_, bad[n++].def.member = value
    BAD("rill_world_def_default", cookie, 0);
    BAD("dim", dim, 4);
    BAD("dim", dim, -1);
    BAD("spacing", spacing, 0.0f);
    BAD("spacing", spacing, NAN);
    BAD("spacing", spacing, -1.0f);
    BAD("support_ratio", support_ratio, 0.5f);
    BAD("gravity", gravity.y, INFINITY);
    BAD("periodic", periodic.x, 0.01f);
    BAD("walls", walls, 9);
    BAD("cfl", cfl, 0.0f);
    BAD("workers", workers, -3);
    BAD("workers", workers, 1000);
    BAD("simd", simd, 77);
#undef BAD
    assert_int_equal(n, CASES);
    for (size_t k = 0; k < CASES; k++) {
        rill_error error = {0};
        assert_null(rill_world_create(&bad[k].def, &error));
        assert_int_equal(error.status, RILL_INVALID);
        if (!strstr(error.text, bad[k].word)) fail_msg("no '%s' in: %s", bad[k].word, error.text);
        assert_null(rill_world_create(&bad[k].def, NULL));
    }
    rill_error error = {0};
    assert_null(rill_world_create(NULL, &error));
    assert_int_equal(error.status, RILL_INVALID);
    rill_world_def def = small_def(2, "wscph");
    assert_null(rill_world_create(&def, &error));
    assert_int_equal(error.status, RILL_NOT_FOUND);
    assert_non_null(strstr(error.text, "wcsph"));
    memset(def.method, 'x', sizeof def.method); /* not terminated */
    assert_null(rill_world_create(&def, &error));
    def = (rill_world_def){0};
    assert_null(rill_world_create(&def, &error));
}

static void null_and_bad_definitions(void **state) {
    (void)state;
    rill_world *w = f.world;
    REFUSED(rill_world_add_fluid(w, NULL, NULL), RILL_INVALID, "fluid");
    REFUSED(rill_world_add_solid(w, NULL, NULL), RILL_INVALID, "solid");
    REFUSED(rill_world_add_emitter(w, NULL, NULL), RILL_INVALID, "emitter");
    REFUSED(rill_world_add_sink(w, NULL, NULL), RILL_INVALID, "sink");
    REFUSED(rill_world_add_gauge(w, NULL, NULL), RILL_INVALID, "gauge");
    REFUSED(rill_world_add_block(w, NULL, NULL), RILL_INVALID, "block");
    REFUSED(rill_world_remove_inside(w, NULL, NULL), RILL_INVALID, "shape");
    REFUSED(rill_world_save(w, NULL, NULL), RILL_INVALID, "write");

    rill_fluid_def fluid = rill_fluid_def_default();
    fluid.density = 0.0f;
    REFUSED(rill_world_add_fluid(w, &fluid, NULL), RILL_INVALID, "density");
    fluid = rill_fluid_def_default(), fluid.viscosity = NAN;
    REFUSED(rill_world_add_fluid(w, &fluid, NULL), RILL_INVALID, "viscosity");

    rill_solid_def solid = rill_solid_def_default();
    solid.friction = 1.5f;
    REFUSED(rill_world_add_solid(w, &solid, NULL), RILL_INVALID, "friction");
    solid = rill_solid_def_default(), solid.motion.velocity.x = NAN;
    REFUSED(rill_world_add_solid(w, &solid, NULL), RILL_INVALID, "velocity");
    solid = rill_solid_def_default(), solid.shape.kind = 50;
    REFUSED(rill_world_add_solid(w, &solid, NULL), RILL_INVALID, "shape");
    solid = rill_solid_def_default(), solid.shape.max.x = solid.shape.min.x;
    REFUSED(rill_world_add_solid(w, &solid, NULL), RILL_INVALID, "max");
    solid = rill_solid_def_default(), solid.shape.kind = RILL_POLYGON;
    REFUSED(rill_world_add_solid(w, &solid, NULL), RILL_INVALID, "points");
    const rill_vec corners[3] = {{0, 0, 0}, {1, NAN, 0}, {0, 1, 0}};
    solid.shape.points = (rill_points){corners, 3};
    REFUSED(rill_world_add_solid(w, &solid, NULL), RILL_INVALID, "points");
    solid.shape.points = (rill_points){NULL, 3};
    REFUSED(rill_world_add_solid(w, &solid, NULL), RILL_INVALID, "points");
    solid.shape.points = (rill_points){corners, -3};
    REFUSED(rill_world_add_solid(w, &solid, NULL), RILL_INVALID, "points");

    rill_sink_def sink = rill_sink_def_default();
    sink.shape.kind = RILL_SPHERE, sink.shape.radius = 0.0f;
    REFUSED(rill_world_add_sink(w, &sink, NULL), RILL_INVALID, "radius");

    rill_emitter_def emitter = rill_emitter_def_default();
    emitter.speed = 0.0f;
    REFUSED(rill_world_add_emitter(w, &emitter, NULL), RILL_INVALID, "speed");
    emitter = rill_emitter_def_default(), emitter.direction = (rill_vec){0};
    REFUSED(rill_world_add_emitter(w, &emitter, NULL), RILL_INVALID, "direction");
    emitter = rill_emitter_def_default(), emitter.rate = 1000.0f;
    REFUSED(rill_world_add_emitter(w, &emitter, NULL), RILL_INVALID, "rate");
    emitter = rill_emitter_def_default(), snprintf(emitter.fluid_name, sizeof emitter.fluid_name, "mercury");
    REFUSED(rill_world_add_emitter(w, &emitter, NULL), RILL_NOT_FOUND, "mercury");

    rill_gauge_def gauge = rill_gauge_def_default();
    gauge.kind = -1;
    REFUSED(rill_world_add_gauge(w, &gauge, NULL), RILL_INVALID, "kind");
    gauge = rill_gauge_def_default(), gauge.kind = RILL_GAUGE_FORCE;
    snprintf(gauge.solid_name, sizeof gauge.solid_name, "nobody");
    REFUSED(rill_world_add_gauge(w, &gauge, NULL), RILL_NOT_FOUND, "nobody");

    rill_block_def block = rill_block_def_default();
    block.shape.inside = true;
    REFUSED(rill_world_add_block(w, &block, NULL), RILL_INVALID, "finite");
    block = rill_block_def_default(), block.shape.kind = RILL_HALF_SPACE;
    REFUSED(rill_world_add_block(w, &block, NULL), RILL_INVALID, "finite");
    block = rill_block_def_default(), block.shape.max = (rill_vec){5e3f, 5e3f, 0};
    REFUSED(rill_world_add_block(w, &block, NULL), RILL_LIMIT, "particles");
    block.shape.min = (rill_vec){1e6f, 0, 0}, block.shape.max = (rill_vec){1e6f + 1, 1, 0};
    REFUSED(rill_world_add_block(w, &block, NULL), RILL_INVALID, "origin");
    block = rill_block_def_default(), snprintf(block.fluid_name, sizeof block.fluid_name, "mercury");
    REFUSED(rill_world_add_block(w, &block, NULL), RILL_NOT_FOUND, "mercury");
}

static void names(void **state) {
    (void)state;
    rill_world *w = f.world;
    rill_fluid_def fluid = rill_fluid_def_default();
    memset(fluid.name, 'a', sizeof fluid.name); /* not terminated */
    REFUSED(rill_world_add_fluid(w, &fluid, NULL), RILL_INVALID, "name");
    const char *taken = rill_world_fluid_def(w, rill_world_fluid_at(w, 0))->name;
    assert_true(taken[0] != 0); /* an empty name is replaced by a generated one */
    fluid = rill_fluid_def_default(), snprintf(fluid.name, sizeof fluid.name, "%s", taken);
    REFUSED(rill_world_add_fluid(w, &fluid, NULL), RILL_INVALID, taken);
    rill_solid_def solid = rill_solid_def_default();
    snprintf(solid.name, sizeof solid.name, "%s", rill_world_solid_def(w, rill_world_solid_at(w, 0))->name);
    REFUSED(rill_world_add_solid(w, &solid, NULL), RILL_INVALID, "already");
    rill_block_def block = rill_block_def_default();
    memset(block.fluid_name, 'b', sizeof block.fluid_name);
    REFUSED(rill_world_add_block(w, &block, NULL), RILL_INVALID, "fluid");
    /* the same name may serve different kinds of things */
    snprintf(solid.name, sizeof solid.name, "%s", taken);
    ok(w, rill_world_add_solid(w, &solid, NULL));
    assert_int_equal(rill_world_find_fluid(w, "no such").index1, 0);
    assert_int_equal(rill_world_find_fluid(w, NULL).index1, 0);
    assert_int_equal(rill_world_find_solid(w, NULL).index1, 0);
}

static void stale_and_invented_handles(void **state) {
    (void)state;
    rill_world *w = f.world;
    rill_solid_def solid = rill_solid_def_default();
    solid.shape.min = (rill_vec){5, 5, 5},
    solid.shape.max = (rill_vec){6, 6, 6}; /* outside of the fluid, which it would remove */
    rill_emitter_def emitter = rill_emitter_def_default();
    rill_sink_def sink = rill_sink_def_default();
    rill_gauge_def gauge = rill_gauge_def_default();
    rill_solid_id a;
    rill_emitter_id b;
    rill_sink_id c;
    rill_gauge_id d, newer;
    rill_reading reading;
    ok(w, rill_world_add_solid(w, &solid, &a));
    ok(w, rill_world_add_emitter(w, &emitter, &b));
    ok(w, rill_world_add_sink(w, &sink, &c));
    ok(w, rill_world_add_gauge(w, &gauge, &d));
    ok(w, rill_world_read_gauge(w, d, &reading));
    ok(w, rill_world_remove_solid(w, a));
    ok(w, rill_world_remove_emitter(w, b));
    ok(w, rill_world_remove_sink(w, c));
    ok(w, rill_world_remove_gauge(w, d));
    REFUSED(rill_world_remove_solid(w, a), RILL_NOT_FOUND, "solid");
    REFUSED(rill_world_remove_emitter(w, b), RILL_NOT_FOUND, "emitter");
    REFUSED(rill_world_remove_sink(w, c), RILL_NOT_FOUND, "sink");
    REFUSED(rill_world_remove_gauge(w, d), RILL_NOT_FOUND, "gauge");
    REFUSED(rill_world_read_gauge(w, d, &reading), RILL_NOT_FOUND, "gauge");
    ok(w, rill_world_add_gauge(w, &gauge, &newer)); /* takes the slot, with another age */
    assert_int_equal(newer.index1, d.index1);
    assert_int_equal(rill_world_read_gauge(w, d, &reading), RILL_NOT_FOUND);
    ok(w, rill_world_remove_gauge(w, newer));
    REFUSED(rill_world_remove_solid(w, (rill_solid_id){0, 0}), RILL_NOT_FOUND, NULL);
    REFUSED(rill_world_remove_solid(w, (rill_solid_id){UINT32_MAX, 1}), RILL_NOT_FOUND, NULL);
    REFUSED(rill_world_remove_solid(w, (rill_solid_id){1, 99}), RILL_NOT_FOUND, NULL);
    REFUSED(rill_world_add_particle(w, (rill_fluid_id){7, 1}, (rill_vec){0}, (rill_vec){0}, NULL), RILL_NOT_FOUND,
            "fluid");
    REFUSED(rill_world_read_gauge(w, (rill_gauge_id){0}, &reading), RILL_NOT_FOUND, "gauge");
    const rill_body_id none = {3, 1};
    const rill_pose pose = {0};
    rill_vec v = {0};
    REFUSED(rill_world_body_apply_force(w, none, v, NULL), RILL_NOT_FOUND, "body");
    REFUSED(rill_world_body_apply_torque(w, none, v), RILL_NOT_FOUND, "body");
    REFUSED(rill_world_body_apply_impulse(w, none, v, NULL), RILL_NOT_FOUND, "body");
    REFUSED(rill_world_body_apply_angular_impulse(w, none, v), RILL_NOT_FOUND, "body");
    REFUSED(rill_world_body_set_velocity(w, none, v, v), RILL_NOT_FOUND, "body");
    REFUSED(rill_world_body_set_pose(w, none, &pose), RILL_NOT_FOUND, "body");
    REFUSED(rill_world_body_move_to(w, none, &pose), RILL_NOT_FOUND, "body");
    REFUSED(rill_world_body_set_user_data(w, none, &v), RILL_NOT_FOUND, "body");
    REFUSED(rill_world_solid_set_user_data(w, a, &v), RILL_NOT_FOUND, "solid");
    REFUSED(rill_world_remove_fluid(w, (rill_fluid_id){9, 1}), RILL_NOT_FOUND, "fluid");
    REFUSED(rill_world_remove_fluid(w, f.water), RILL_INVALID, "particle");
    emitter.fluid = (rill_fluid_id){9, 1};
    REFUSED(rill_world_add_emitter(w, &emitter, NULL), RILL_NOT_FOUND, "fluid");
    gauge.fluid = (rill_fluid_id){9, 1};
    REFUSED(rill_world_add_gauge(w, &gauge, NULL), RILL_NOT_FOUND, "fluid");
}

static void a_force_gauge_outlives_its_solid(void **state) {
    (void)state;
    rill_world *w = f.world;
    rill_solid_def solid = rill_solid_def_default();
    snprintf(solid.name, sizeof solid.name, "plate");
    rill_solid_id plate;
    ok(w, rill_world_add_solid(w, &solid, &plate));
    rill_gauge_def gauge = rill_gauge_def_default();
    gauge.kind = RILL_GAUGE_FORCE;
    snprintf(gauge.solid_name, sizeof gauge.solid_name, "plate");
    rill_gauge_id id;
    rill_reading reading;
    ok(w, rill_world_add_gauge(w, &gauge, &id));
    ok(w, rill_world_read_gauge(w, id, &reading));
    ok(w, rill_world_remove_solid(w, plate));
    ok(w, rill_world_read_gauge(w, id, &reading));
    assert_true(reading.count == 2 && isnan(reading.value[0]) && isnan(reading.value[1]));
}

static void particles(void **state) {
    (void)state;
    rill_world *w = f.world;
    const rill_vec fine = {0.5f, 0.5f, 0};
    REFUSED(rill_world_add_particle(w, f.water, (rill_vec){NAN, 0, 0}, fine, NULL), RILL_INVALID, "finite");
    REFUSED(rill_world_add_particle(w, f.water, fine, (rill_vec){0, INFINITY, 0}, NULL), RILL_INVALID, "finite");
    REFUSED(rill_world_remove_particle(w, RILL_NO_PARTICLE), RILL_NOT_FOUND, "particle");
    REFUSED(rill_world_remove_particle(w, 123456), RILL_NOT_FOUND, "123456");
    rill_shape bad = rill_shape_default();
    bad.kind = RILL_SPHERE, bad.radius = -1.0f;
    REFUSED(rill_world_remove_inside(w, &bad, NULL), RILL_INVALID, "radius");
    assert_int_equal(rill_world_particle_index(w, 123456), -1);
    rill_particle_id id;
    ok(w, rill_world_add_particle(w, f.water, (rill_vec){0.9f, 0.9f, 0}, (rill_vec){0}, &id));
    ok(w, rill_world_remove_particle(w, id));
    REFUSED(rill_world_remove_particle(w, id), RILL_NOT_FOUND, "particle");
}

/* Indices that no list has: below zero and beyond the end. */
static void invented_indices(void **state) {
    (void)state;
    const rill_world *w = f.world;
    static const int indices[] = {-1, INT_MIN, INT_MAX};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(rill_world_fluid_at(w, indices[k]).index1, 0);
        assert_int_equal(rill_world_solid_at(w, indices[k]).index1, 0);
        assert_int_equal(rill_world_emitter_at(w, indices[k]).index1, 0);
        assert_int_equal(rill_world_sink_at(w, indices[k]).index1, 0);
        assert_int_equal(rill_world_gauge_at(w, indices[k]).index1, 0);
        assert_int_equal(rill_world_body_at(w, indices[k]).index1, 0);
        assert_int_equal(rill_world_joint_at(w, indices[k]).index1, 0);
        assert_null(rill_world_view_at(w, indices[k]).name);
    }
}

/* Steps beyond the range of floats: a particle at its edge, and a step that is infinite as a float, with which
   predicted positions become NaN before they are sorted into cells. */
static void no_longer_a_number(void **state) {
    (void)state;
    static const char *const methods[] = {"wcsph", "pbf", "constraint"};
    for (int m = 0; m < 3; m++)
        for (int endless = 0; endless < 2; endless++) {
            const rill_world_def def = small_def(2, methods[m]);
            rill_world *w = create(&def);
            const rill_fluid_id water = add_water(w);
            add_box(w, (rill_vec){0, 0, 0}, (rill_vec){0.5f, 0.5f, 0});
            const rill_vec far = {3e38f, 0.2f, 0};
            if (!endless) ok(w, rill_world_add_particle(w, water, far, far, NULL));
            rill_status status = RILL_OK;
            for (int k = 0; k < 3 && status == RILL_OK; k++) status = rill_world_step(w, endless ? 1e300 : 1.0);
            assert_int_equal(status, RILL_BLOW_UP);
            rill_world_destroy(w);
        }
}

static void parameters(void **state) {
    (void)state;
    rill_world *w = f.world;
    char text[64];
    double value;
    REFUSED(rill_world_set_number(w, rill_ref_method(), "gama", 3), RILL_NOT_FOUND, "gamma");
    REFUSED(rill_world_set_number(w, rill_ref_method(), NULL, 3), RILL_INVALID, "NULL");
    REFUSED(rill_world_set_number(w, rill_ref_method(), "gamma", 1000), RILL_INVALID, "gamma");
    REFUSED(rill_world_set_number(w, rill_ref_method(), "gamma", (double)NAN), RILL_INVALID, "gamma");
    REFUSED(rill_world_set_text(w, rill_ref_method(), "gamma", NULL), RILL_INVALID, "gamma");
    REFUSED(rill_world_set_text(w, rill_ref_method(), "pressure", "tate"), RILL_INVALID, "tait");
    REFUSED(rill_world_set_text(w, rill_ref_method(), "sound_speed", "fast"), RILL_INVALID, "sound_speed");
    REFUSED(rill_world_get_text(w, rill_ref_method(), "gamma", NULL, 10), RILL_INVALID, NULL);
    REFUSED(rill_world_get_text(w, rill_ref_method(), "nothing", text, sizeof text), RILL_NOT_FOUND, NULL);
    REFUSED(rill_world_get_text(w, rill_ref_method(), "gamma", text, 1), RILL_LIMIT, NULL);
    const rill_ref water = rill_ref_fluid(f.water), solid = rill_ref_solid(rill_world_solid_at(w, 0));
    REFUSED(rill_world_set_number(w, water, "wcsph.spring", 3), RILL_NOT_FOUND, "wcsph adds no parameters to a fluid");
    REFUSED(rill_world_set_number(w, water, NULL, 3), RILL_INVALID, "NULL");
    REFUSED(rill_world_set_text(w, rill_ref_fluid((rill_fluid_id){7, 1}), "viscosity", "3"), RILL_NOT_FOUND,
            "no such fluid");
    REFUSED(rill_world_get_text(w, water, "wcsph.spring", text, sizeof text), RILL_NOT_FOUND, NULL);
    REFUSED(rill_world_set_number(w, solid, "wcsph.spring", 3), RILL_NOT_FOUND, "to a solid");
    REFUSED(rill_world_set_number(w, rill_ref_body((rill_body_id){1, 1}), "friction", 3), RILL_NOT_FOUND,
            "no such body");
    REFUSED(rill_world_set_number(w, (rill_ref){99, 1, 1}, "friction", 3), RILL_INVALID, "reference");
    REFUSED(rill_world_set_number(w, (rill_ref){RILL_OBJECT_SHAPE, 1, 1}, "radius", 3), RILL_INVALID, "reference");
    REFUSED(rill_world_set_number(w, (rill_ref){INT32_MIN, 1, 1}, "radius", 3), RILL_INVALID, "reference");
    REFUSED(rill_world_set_number(w, solid, "friction", 7), RILL_INVALID, "friction");
    REFUSED(rill_world_set_number(w, solid, "fricton", 0.5), RILL_NOT_FOUND, "friction");
    REFUSED(rill_world_set_number(w, solid, "radius", 1), RILL_INVALID, "fixed when the solid is added");
    REFUSED(rill_world_set_number(w, solid, "motion.spin", 1), RILL_INVALID, "fixed when the solid is added");
    REFUSED(rill_world_set_vec(w, solid, "friction", (rill_vec){0}), RILL_INVALID, "friction");
    REFUSED(rill_world_set_text(w, solid, "no_slip", "perhaps"), RILL_INVALID, "no_slip");
    REFUSED(rill_world_set_number(w, rill_ref_world(), "spacing", 1), RILL_INVALID,
            "spacing is fixed when the world is created");
    REFUSED(rill_world_set_vec(w, rill_ref_world(), "gravity", (rill_vec){0, NAN, 0}), RILL_INVALID, "gravity");
    REFUSED(rill_world_get_number(w, rill_ref_world(), "gravity", &value), RILL_INVALID, NULL);
    REFUSED(rill_world_get_number(w, rill_ref_world(), "cfl", NULL), RILL_INVALID, NULL);
    REFUSED(rill_world_get_vec(w, rill_ref_world(), "cfl", &(rill_vec){0}), RILL_INVALID, NULL);
    REFUSED(rill_world_get_vec(w, rill_ref_world(), "gravity", NULL), RILL_INVALID, NULL);
    REFUSED(rill_world_effective(w, "gamma", &value), RILL_NOT_FOUND, "gamma");
    REFUSED(rill_world_effective(w, NULL, &value), RILL_INVALID, NULL);
    REFUSED(rill_world_effective(w, "sound_speed", NULL), RILL_INVALID, NULL);
    ok(w, rill_world_effective(w, "sound_speed", &value));
    assert_true(value > 0);
    ok(w, rill_world_get_text(w, rill_ref_method(), "gamma", text, sizeof text));
    assert_string_equal(text, "7");
}

static void steps(void **state) {
    (void)state;
    rill_world *w = f.world;
    const double bad[] = {-1, (double)NAN, (double)-INFINITY};
    for (int k = 0; k < 3; k++) {
        REFUSED(rill_world_step(w, bad[k]), RILL_INVALID, "expected a finite time of 0 s or more");
        REFUSED(rill_world_advance(w, bad[k]), RILL_INVALID, "expected a finite time of 0 s or more");
        REFUSED(rill_world_step_adaptive(w, bad[k]), RILL_INVALID, "expected a finite time of 0 s or more");
    }
    REFUSED(rill_world_step(w, (double)INFINITY), RILL_INVALID, "expected a finite time of 0 s or more");
    REFUSED(rill_world_advance(w, (double)INFINITY), RILL_INVALID, "expected a finite time of 0 s or more");
    REFUSED(rill_world_read_gauges_at(w, 0, NULL), RILL_INVALID, "NULL");
}

static void views(void **state) {
    (void)state;
    rill_world *w = f.world;
    rill_view view;
    REFUSED(rill_world_view(w, "colour", &view), RILL_NOT_FOUND, NULL);
    assert_null(view.data);
    REFUSED(rill_world_view(w, NULL, &view), RILL_INVALID, NULL);
    REFUSED(rill_world_view(w, "position", NULL), RILL_INVALID, NULL);
    assert_null(rill_world_view_at(w, -1).data);
    assert_null(rill_world_view_at(w, 1000).data);
    rill_vec v;
    float distance;
    REFUSED(rill_world_solid_distance(w, (rill_solid_id){99, 1}, v = (rill_vec){0}, &distance, NULL), RILL_NOT_FOUND,
            NULL);
    REFUSED(rill_world_solid_distance(w, rill_world_solid_at(w, 0), (rill_vec){0}, NULL, NULL), RILL_NOT_FOUND, NULL);
    REFUSED(rill_world_solid_pose(w, (rill_solid_id){99, 1}, &v, &distance), RILL_NOT_FOUND, NULL);
    ok(w, rill_world_solid_distance(w, rill_world_solid_at(w, 0), (rill_vec){0.5f, 0.1f, 0}, &distance, NULL));
    assert_near(distance, 0.1, 1e-6);
}

static void too_many_fluids(void **state) {
    (void)state;
    const rill_world_def def = small_def(3, "muller");
    rill_world *w = create(&def);
    const rill_fluid_def fluid = rill_fluid_def_default();
    int n = 0;
    while (rill_world_add_fluid(w, &fluid, NULL) == RILL_OK && n < 1000) n++;
    assert_int_equal(n, rill_world_fluid_count(w));
    assert_int_equal(rill_world_add_fluid(w, &fluid, NULL), RILL_LIMIT);
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){0.3f, 0.3f, 0.3f});
    take_steps(w, 2);
    rill_world_destroy(w);
}

/* An empty world, and one with a fluid that is never used, take steps all the same. */
static void empty_worlds_step(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int fluid = 0; fluid < 2; fluid++) {
            const rill_world_def def = small_def(dim, "wcsph");
            rill_world *w = create(&def);
            if (fluid) add_water(w);
            take_steps(w, 3);
            ok(w, rill_world_step(w, 0.001));
            ok(w, rill_world_advance(w, 0.1));
            assert_int_equal(rill_world_particle_index(w, 0), -1);
            assert_int_equal(rill_world_remove_particle(w, 0), RILL_NOT_FOUND);
            const rill_block_def block = rill_block_def_default();
            if (!fluid) assert_int_equal(rill_world_add_block(w, &block, NULL), RILL_NOT_FOUND);
            rill_world_destroy(w);
        }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(null_worlds),
        TEST(bad_world_defs),
        TEST(null_and_bad_definitions),
        TEST(names),
        TEST(stale_and_invented_handles),
        TEST(a_force_gauge_outlives_its_solid),
        TEST(particles),
        TEST(invented_indices),
        TEST(no_longer_a_number),
        TEST(parameters),
        TEST(steps),
        TEST(views),
        TEST(too_many_fluids),
        TEST(empty_worlds_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Bodies and joints through the public API: misuse, handles, forces, snapshots, the same bits on any workers. */
#include "rill/rill.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void ok(rill_world *w, rill_status status) {
    if (status != RILL_OK) fail_msg("%s", rill_world_message(w));
}

static rill_world *make(int dim, int workers, rill_simd simd) {
    rill_world_def def = rill_world_def_default(dim);
    def.spacing = 0.05f;
    def.workers = workers;
    def.simd = simd;
    rill_error error;
    rill_world *w = rill_world_create(&def, &error);
    if (!w) fail_msg("%s", error.text);
    return w;
}

static rill_body_def ball(const char *name, rill_vec at, float radius, float density) {
    rill_body_def def = rill_body_def_default();
    snprintf(def.name, sizeof def.name, "%s", name);
    def.shape.kind = RILL_SPHERE;
    def.shape.position = at;
    def.shape.radius = radius;
    def.density = density;
    return def;
}

static rill_joint_def link_of(const char *a, const char *b, rill_vec anchor) {
    rill_joint_def def = rill_joint_def_default();
    def.kind = RILL_JOINT_BALL;
    snprintf(def.a_name, sizeof def.a_name, "%s", a);
    snprintf(def.b_name, sizeof def.b_name, "%s", b);
    def.anchor = anchor;
    return def;
}

/* Two jointed balls fall into a tank of water beside a wheel with a motor. */
static rill_world *splash(int dim, int workers, rill_simd simd) {
    rill_world *w = make(dim, workers, simd);
    const float up = 0.5f;
    rill_fluid_def water = rill_fluid_def_default();
    ok(w, rill_world_add_fluid(w, &water, NULL));
    rill_solid_def tank = rill_solid_def_default();
    tank.shape.inside = true;
    tank.shape.max = dim == 2 ? (rill_vec){1, 2, 0} : (rill_vec){1, 0.5f, 2};
    ok(w, rill_world_add_solid(w, &tank, NULL));
    rill_block_def block = rill_block_def_default();
    block.shape.max = dim == 2 ? (rill_vec){1, 0.4f, 0} : (rill_vec){1, 0.5f, 0.4f};
    ok(w, rill_world_add_block(w, &block, NULL));
#define AT(x, height) (dim == 2 ? (rill_vec){(x), (height), 0} : (rill_vec){(x), 0.25f, (height)})
    rill_body_def a = ball("a", AT(0.2f, up), 0.08f, 400), b = ball("b", AT(0.4f, up + 0.05f), 0.06f, 2000);
    ok(w, rill_world_add_body(w, &a, NULL));
    ok(w, rill_world_add_body(w, &b, NULL));
    rill_joint_def joint = link_of("a", "b", AT(0.3f, up));
    ok(w, rill_world_add_joint(w, &joint, NULL));
    rill_body_def wheel = ball("wheel", AT(0.75f, up), 0.1f, 1000);
    ok(w, rill_world_add_body(w, &wheel, NULL));
    joint = link_of("wheel", "", AT(0.75f, up));
    joint.kind = RILL_JOINT_HINGE;
    joint.axis = (rill_vec){0, 1, 0};
    joint.motor = true;
    joint.motor_speed = 5;
    joint.motor_force = 10;
    ok(w, rill_world_add_joint(w, &joint, NULL));
    return w;
}

static void take_steps(rill_world *w, int count) {
    for (int k = 0; k < count; k++) ok(w, rill_world_step_adaptive(w, 1));
}

static void same_bits_everywhere(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        uint64_t first = 0;
        static const int workers[] = {1, 2, 3, 4, 8, 1};
        for (int k = 0; k < 6; k++) {
            rill_world *w = splash(dim, workers[k], k == 5 ? RILL_SIMD_SCALAR : RILL_SIMD_AUTO);
            take_steps(w, 40);
            const uint64_t hash = rill_world_hash(w);
            if (k == 0) first = hash;
            assert_true(hash == first);
            rill_world_destroy(w);
        }
    }
}

typedef struct bytes {
    char *data;
    size_t size;
} bytes;

static bool collect(const void *data, size_t size, void *context) {
    bytes *b = context;
    b->data = realloc(b->data, b->size + size);
    memcpy(b->data + b->size, data, size);
    b->size += size;
    return true;
}

static void a_loaded_world_goes_on_bit_for_bit(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = splash(dim, 2, RILL_SIMD_AUTO);
        take_steps(w, 60);
        bytes b = {0};
        ok(w, rill_world_save(w, collect, &b));
        take_steps(w, 60);
        rill_error error;
        rill_world *again = rill_world_load(b.data, b.size, NULL, &error);
        if (!again) fail_msg("%s", error.text);
        assert_int_equal(rill_world_body_count(again), 3);
        assert_int_equal(rill_world_joint_count(again), 2);
        take_steps(again, 60);
        assert_true(rill_world_hash(again) == rill_world_hash(w));
        rill_world_destroy(again);
        /* Cut short anywhere, it is refused. */
        for (size_t size = 0; size < b.size; size += b.size / 37 + 1)
            assert_null(rill_world_load(b.data, size, NULL, &error));
        free(b.data);
        rill_world_destroy(w);
    }
}

static void misuse_is_refused(void **state) {
    (void)state;
    rill_world *w = make(2, 1, RILL_SIMD_AUTO);
    rill_body_def def = ball("a", (rill_vec){0}, 0.1f, 1000);
    rill_body_id id;
    ok(w, rill_world_add_body(w, &def, &id));
    const uint64_t hash = rill_world_hash(w);
    assert_int_equal(rill_world_add_body(NULL, &def, NULL), RILL_INVALID);
    assert_int_equal(rill_world_add_body(w, NULL, NULL), RILL_INVALID);
    assert_int_equal(rill_world_add_body(w, &def, NULL), RILL_INVALID); /* the name is taken */
    def.name[0] = 'b';
    def.shape.inside = true;
    assert_int_equal(rill_world_add_body(w, &def, NULL), RILL_INVALID);
    def.shape.inside = false;
    def.density = (float)NAN;
    assert_int_equal(rill_world_add_body(w, &def, NULL), RILL_INVALID);
    rill_joint_def joint = link_of("a", "nobody", (rill_vec){0});
    assert_int_equal(rill_world_add_joint(w, &joint, NULL), RILL_NOT_FOUND);
    joint = link_of("a", "a", (rill_vec){0});
    assert_int_equal(rill_world_add_joint(w, &joint, NULL), RILL_INVALID);
    joint = link_of("a", "", (rill_vec){0});
    joint.kind = RILL_JOINT_HINGE;
    joint.limited = true;
    joint.lower = 1;
    assert_int_equal(rill_world_add_joint(w, &joint, NULL), RILL_INVALID);
    assert_int_equal(rill_world_remove_solid(w, rill_world_find_solid(w, "a")), RILL_INVALID);
    assert_int_equal(rill_world_body_apply_force(w, id, (rill_vec){NAN, 0, 0}, NULL), RILL_INVALID);
    assert_int_equal(rill_world_body_apply_force(w, (rill_body_id){0}, (rill_vec){0}, NULL), RILL_NOT_FOUND);
    assert_int_equal(rill_world_body_state(w, id, NULL), RILL_NOT_FOUND);
    assert_int_equal(rill_world_body_count(w), 1);
    assert_int_equal(rill_world_joint_count(w), 0);
    assert_int_equal(rill_world_solid_count(w), 1);
    assert_true(rill_world_hash(w) == hash);
    rill_world_destroy(w);
}

static void removing_takes_joints_along(void **state) {
    (void)state;
    rill_world *w = make(2, 1, RILL_SIMD_AUTO);
    rill_body_def a = ball("a", (rill_vec){0}, 0.1f, 1000), b = ball("b", (rill_vec){0.3f, 0, 0}, 0.1f, 1000);
    rill_body_id ia, ib;
    rill_joint_id ij;
    ok(w, rill_world_add_body(w, &a, &ia));
    ok(w, rill_world_add_body(w, &b, &ib));
    rill_joint_def joint = link_of("a", "b", (rill_vec){0.15f, 0, 0});
    ok(w, rill_world_add_joint(w, &joint, &ij));
    ok(w, rill_world_step(w, 0.01));
    ok(w, rill_world_remove_body(w, ia));
    assert_int_equal(rill_world_joint_count(w), 0);
    assert_int_equal(rill_world_solid_count(w), 1);
    rill_joint_state js;
    assert_int_equal(rill_world_joint_state(w, ij, &js), RILL_NOT_FOUND);
    assert_int_equal(rill_world_remove_body(w, ia), RILL_NOT_FOUND);
    ok(w, rill_world_step(w, 0.01));
    rill_world_destroy(w);
}

static void forces_act_as_newton_says(void **state) {
    (void)state;
    rill_world_def def = rill_world_def_default(2);
    def.gravity = (rill_vec){0};
    rill_error error;
    rill_world *w = rill_world_create(&def, &error);
    assert_non_null(w);
    rill_body_def b = ball("b", (rill_vec){0}, 0.1f, 1000);
    rill_body_id id;
    rill_body_state s;
    ok(w, rill_world_add_body(w, &b, &id));
    ok(w, rill_world_body_state(w, id, &s));
    ok(w, rill_world_body_apply_force(w, id, (rill_vec){10 * s.mass, 0, 0}, &(rill_vec){0, -0.05f, 0}));
    ok(w, rill_world_step(w, 0.01));
    ok(w, rill_world_step(w, 0.01)); /* the force was for one step */
    const float mass = s.mass, inertia = s.inertia.z;
    ok(w, rill_world_body_state(w, id, &s));
    assert_true(fabsf(s.velocity.x - 0.1f) < 1e-6f);
    assert_true(fabsf(s.angular_velocity.z - 0.01f * 10 * mass * 0.05f / inertia) < 1e-4f);
    ok(w, rill_world_body_apply_impulse(w, id, (rill_vec){-0.1f * mass, 0, 0}, &s.position));
    ok(w, rill_world_body_state(w, id, &s));
    assert_true(fabsf(s.velocity.x) < 1e-6f);
    rill_world_destroy(w);
}

static void joints_break_at_their_load(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        rill_world *w = make(2, 1, RILL_SIMD_AUTO);
        rill_body_def b = ball("b", (rill_vec){0}, 0.1f, 1000);
        rill_body_id id;
        ok(w, rill_world_add_body(w, &b, &id));
        rill_joint_def joint = link_of("b", "", (rill_vec){0});
        const float weight = 31.4159f * 9.81f;
        joint.break_force = weight * (k == 0 ? 1.05f : 0.95f);
        rill_joint_id ij;
        ok(w, rill_world_add_joint(w, &joint, &ij));
        for (int n = 0; n < 100; n++) ok(w, rill_world_step(w, 0.01));
        rill_joint_state js;
        ok(w, rill_world_joint_state(w, ij, &js));
        assert_true(js.broken == (k == 1));
        if (k == 0) assert_true(fabsf(js.force - weight) < 0.01f * weight);
        rill_world_destroy(w);
    }
}

/* ---- adding while there is fluid ---- */

static void add_water(rill_world *w, rill_vec min, rill_vec max) {
    rill_block_def block = rill_block_def_default();
    block.shape.min = min, block.shape.max = max;
    int added;
    ok(w, rill_world_add_block(w, &block, &added));
    assert_true(added > 0);
}

static rill_world *still_world(int dim) {
    rill_world_def def = rill_world_def_default(dim);
    def.spacing = 0.05f, def.workers = 1, def.gravity = (rill_vec){0};
    rill_world *w = rill_world_create(&def, NULL);
    assert_non_null(w);
    const rill_fluid_def water = rill_fluid_def_default();
    ok(w, rill_world_add_fluid(w, &water, NULL));
    return w;
}

/* Fluid in the place that a body has left stays there when another body is added. */
static void adding_a_body_leaves_fluid_elsewhere(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int first_kind = 0; first_kind < 2; first_kind++) {
            rill_world *w = still_world(dim);
            rill_body_def first = ball("first", (rill_vec){0}, 0.3f, 500);
            first.kind = first_kind == 0 ? RILL_BODY_DYNAMIC : RILL_BODY_KINEMATIC;
            first.velocity = first.motion.velocity = (rill_vec){4, 0, 0};
            rill_body_id id;
            ok(w, rill_world_add_body(w, &first, &id));
            for (int k = 0; k < 50; k++) ok(w, rill_world_step(w, 0.01));
            add_water(w, (rill_vec){-0.4f, -0.4f, dim == 2 ? 0 : -0.2f}, (rill_vec){0.4f, 0.4f, dim == 2 ? 0 : 0.2f});
            const int count = rill_world_particle_count(w);
            const rill_body_def second = ball("second", (rill_vec){20, 20, 0}, 0.3f, 500);
            ok(w, rill_world_add_body(w, &second, NULL));
            assert_int_equal(rill_world_particle_count(w), count);
            assert_int_equal(rill_world_stats(w)->left_out, 0);
            rill_body_state s;
            ok(w, rill_world_body_state(w, id, &s));
            assert_true(fabsf(s.position.x - 2) < 1e-3f);
            rill_world_destroy(w);
        }
}

/* A body removes the fluid that it covers and no other, not even where other solids have fluid in them. */
static void adding_a_body_takes_out_what_it_covers(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = still_world(dim);
        const rill_body_def old = ball("old", (rill_vec){-3, 0, 0}, 0.3f, 500);
        ok(w, rill_world_add_body(w, &old, NULL));
        add_water(w, (rill_vec){-0.6f, -0.6f, dim == 2 ? 0 : -0.4f}, (rill_vec){0.6f, 0.6f, dim == 2 ? 0 : 0.4f});
        rill_particle_id in_old;
        ok(w, rill_world_add_particle(w, rill_world_find_fluid(w, "fluid1"), (rill_vec){-3, 0, 0}, (rill_vec){0},
                                      &in_old));
        const float radius = 0.27f, least = 0.5f * 0.5f * 0.05f;
        rill_view x;
        ok(w, rill_world_view(w, "position", &x));
        int covered = 0;
        for (int i = 0; i < x.count; i++) {
            const float *p = (const float *)x.data + (size_t)i * (size_t)x.stride;
            covered += sqrtf(p[0] * p[0] + p[1] * p[1] + (dim == 3 ? p[2] * p[2] : 0)) - radius < least;
        }
        const int count = rill_world_particle_count(w);
        const rill_body_def young = ball("young", (rill_vec){0}, radius, 500);
        ok(w, rill_world_add_body(w, &young, NULL));
        assert_true(covered > 50);
        assert_int_equal(rill_world_particle_count(w), count - covered);
        assert_int_equal(rill_world_stats(w)->left_out, covered);
        assert_true(rill_world_particle_index(w, in_old) >= 0);
        rill_world_destroy(w);
    }
}

/* ---- many ---- */

static void name_of_number(char name[RILL_NAME_SIZE], int k) {
    snprintf(name, RILL_NAME_SIZE, "number %d", k);
}

/* Names, indices and slots while bodies are added and removed. */
static void many_bodies_are_found(void **state) {
    (void)state;
    enum { COUNT = 300 };
    rill_world *w = make(2, 1, RILL_SIMD_AUTO);
    rill_body_id ids[COUNT];
    char name[RILL_NAME_SIZE];
    for (int k = 0; k < COUNT; k++) {
        name_of_number(name, k);
        const rill_body_def def = ball(name, (rill_vec){(float)k, 0, 0}, 0.3f, 500);
        ok(w, rill_world_add_body(w, &def, &ids[k]));
        assert_int_equal(rill_world_add_body(w, &def, NULL), RILL_INVALID);
    }
    for (int k = 0; k < COUNT; k += 3) ok(w, rill_world_remove_body(w, ids[k]));
    assert_int_equal(rill_world_body_count(w), COUNT - COUNT / 3);
    for (int k = 0, n = 0; k < COUNT; k++) {
        name_of_number(name, k);
        const rill_body_id found = rill_world_find_body(w, name);
        assert_int_equal(found.index1, k % 3 == 0 ? 0 : ids[k].index1);
        if (k % 3 == 0) continue;
        assert_string_equal(rill_world_body_def(w, rill_world_body_at(w, n))->name, name);
        assert_int_equal(rill_world_body_at(w, n++).index1, ids[k].index1);
    }
    assert_null(rill_world_body_def(w, rill_world_body_at(w, COUNT - COUNT / 3)));
    assert_null(rill_world_body_def(w, rill_world_body_at(w, -1)));
    /* The lowest free slots are used again, and their old names are forgotten. */
    for (int k = 0; k < COUNT; k += 3) {
        rill_body_def def = ball("", (rill_vec){(float)k, 0, 0}, 0.3f, 500);
        rill_body_id id;
        ok(w, rill_world_add_body(w, &def, &id));
        assert_int_equal(id.index1, ids[k].index1);
        assert_int_equal(id.age, ids[k].age + 1);
        name_of_number(name, k);
        assert_int_equal(rill_world_find_body(w, name).index1, 0);
        assert_int_equal(rill_world_find_body(w, rill_world_body_def(w, rill_world_body_at(w, k))->name).index1,
                         id.index1);
    }
    assert_int_equal(rill_world_body_count(w), COUNT);
    rill_world_destroy(w);
}

/* Such a step must end. */
static void a_body_of_a_thousand_kilometres_steps(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = make(dim, 1, RILL_SIMD_AUTO);
        const rill_fluid_def water = rill_fluid_def_default();
        ok(w, rill_world_add_fluid(w, &water, NULL));
        rill_solid_def ground = rill_solid_def_default();
        ground.shape.kind = RILL_HALF_SPACE, ground.shape.normal = dim == 2 ? (rill_vec){0, 1, 0} : (rill_vec){0, 0, 1};
        ok(w, rill_world_add_solid(w, &ground, NULL));
        rill_block_def block = rill_block_def_default();
        block.shape.kind = RILL_BOX, block.shape.max = (rill_vec){0.5f, 0.3f, 0.3f};
        ok(w, rill_world_add_block(w, &block, NULL));
        rill_body_def tower = rill_body_def_default();
        tower.shape.kind = RILL_BOX, tower.shape.min = (rill_vec){0.6f, 0.01f, 0.01f};
        tower.shape.max = dim == 2 ? (rill_vec){1.1f, 1e6f, 0} : (rill_vec){1.1f, 0.5f, 1e6f};
        ok(w, rill_world_add_body(w, &tower, NULL));
        for (int step = 0; step < 5; step++) ok(w, rill_world_step(w, 0.002));
        rill_world_destroy(w);
    }
}

/* A body that turns by many radians in a step: its joint cannot follow, and must not make it worse. Without a bound on
   the pull along the arc, spin and pull would drive each other to infinity. */
static void joints_survive_any_spin(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (double spin = 100; spin < 1e6; spin *= 10) {
            rill_world *w = make(dim, 1, RILL_SIMD_AUTO);
            rill_body_def def = ball("ball", (rill_vec){0.3f, 0, 0}, 0.1f, 1000);
            def.angular_velocity = dim == 2 ? (rill_vec){0, 0, (float)spin} : (rill_vec){(float)spin, (float)spin, 0};
            rill_body_id id;
            ok(w, rill_world_add_body(w, &def, &id));
            const rill_joint_def joint = link_of("ball", "", (rill_vec){0});
            ok(w, rill_world_add_joint(w, &joint, NULL));
            for (int step = 0; step < 120; step++) {
                ok(w, rill_world_step(w, 1.0 / 60));
                rill_body_state now;
                ok(w, rill_world_body_state(w, id, &now));
                const double most = spin <= 1000 ? 0.4 : 100;
                assert_true(fabs((double)now.position.x) < most && fabs((double)now.position.y) < most);
            }
            rill_world_destroy(w);
        }
}

static void a_body_beyond_all_numbers_is_a_blow_up(void **state) {
    (void)state;
    rill_world *w = splash(2, 1, RILL_SIMD_AUTO);
    rill_body_id id;
    const rill_body_def def = ball("pebble", (rill_vec){0.5f, 1.5f, 0}, 0.001f, 1);
    ok(w, rill_world_add_body(w, &def, &id));
    ok(w, rill_world_step(w, 0.002));
    ok(w, rill_world_body_apply_force(w, id, (rill_vec){3e38f, 0, 0}, NULL));
    assert_int_equal(rill_world_step(w, 0.002), RILL_BLOW_UP);
    assert_non_null(strstr(rill_world_message(w), "the body 'pebble' is not finite"));
    rill_world_destroy(w);
}

/* A body of a million km has more cells of half a spacing than an int counts: it gets none, and the step ends. */
static void bodies_beyond_any_size(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = still_world(dim);
        ok(w, rill_world_set_vec(w, rill_ref_world(), "gravity", (rill_vec){0, -9.81f, 0})); /* seams need gravity */
        add_water(w, (rill_vec){0, 0, 0}, (rill_vec){0.2f, 0.2f, 0.2f});
        rill_body_def def = rill_body_def_default();
        def.kind = RILL_BODY_KINEMATIC;
        def.shape.kind = dim == 2 ? RILL_CAPSULE : RILL_CYLINDER;
        def.shape.position = (rill_vec){0, -5, -5}, def.shape.end = (rill_vec){1e9f, -5, -5}, def.shape.radius = 0.3f;
        ok(w, rill_world_add_body(w, &def, NULL));
        ok(w, rill_world_step(w, 0.001));
        rill_world_destroy(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_everywhere),
        cmocka_unit_test(a_loaded_world_goes_on_bit_for_bit),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(bodies_beyond_any_size),
        cmocka_unit_test(removing_takes_joints_along),
        cmocka_unit_test(forces_act_as_newton_says),
        cmocka_unit_test(joints_break_at_their_load),
        cmocka_unit_test(adding_a_body_leaves_fluid_elsewhere),
        cmocka_unit_test(adding_a_body_takes_out_what_it_covers),
        cmocka_unit_test(many_bodies_are_found),
        cmocka_unit_test(a_body_of_a_thousand_kilometres_steps),
        cmocka_unit_test(joints_survive_any_spin),
        cmocka_unit_test(a_body_beyond_all_numbers_is_a_blow_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

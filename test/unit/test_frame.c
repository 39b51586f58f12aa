/* SPDX-License-Identifier: MIT */
/* Frames of worlds hold the whole moment, borrowed or copied. */
#include "unit/worlds.h"

static int allocations;

static void *counting_allocate(size_t size, size_t alignment, void *context) {
    const int *left = context;
    if (*left >= 0 && allocations >= *left) return NULL;
    allocations++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void counting_release(void *memory, size_t size, void *context) {
    (void)size, (void)context;
    allocations--;
    free(memory);
}

static rill_frame frame_of(const rill_world *w) {
    rill_frame frame = {0};
    rill_error error = {0};
    if (rill_frame_of_world(&frame, w, &error) != RILL_OK) fail_msg("%s", error.text);
    return frame;
}

/* Every number of a frame agrees with the world's own functions. */
static void frames_say_what_worlds_say(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int s = 0; s < SCENE_COUNT; s++) {
            rill_world *w = make_scene_with((scene)s, small_def(dim, "wcsph"));
            take_steps(w, 3);
            rill_frame f = frame_of(w);
            assert_ptr_equal(f.world, w);
            assert_int_equal(f.dim, dim);
            assert_int_equal(f.step, rill_world_stats(w)->step);
            assert_int_equal(f.count, rill_world_particle_count(w));
            assert_int_equal(f.field_count, rill_world_view_count(w));
            assert_int_equal(f.fluid_count, rill_world_fluid_count(w));
            assert_int_equal(f.gauge_count, rill_world_gauge_count(w));
            assert_int_equal(f.solid_count, rill_world_solid_count(w));
            assert_int_equal(f.body_count, rill_world_body_count(w));
            assert_int_equal(f.joint_count, rill_world_joint_count(w));
            assert_int_equal(f.emitter_count, s == SCENE_JET);
            for (int k = 0; k < f.field_count; k++) assert_ptr_equal(f.field[k].data, rill_world_view_at(w, k).data);
            for (int k = 0; k < f.solid_count; k++) {
                rill_transform t;
                ok(w, rill_world_solid_transform(w, rill_world_solid_at(w, k), &t));
                assert_memory_equal(&f.solid[k].transform, &t, sizeof t);
                assert_string_equal(f.solid[k].name, rill_world_solid_def(w, rill_world_solid_at(w, k))->name);
                assert_ptr_equal(rill_frame_shape(&f, k), &rill_world_solid_def(w, rill_world_solid_at(w, k))->shape);
            }
            for (int k = 0; k < f.body_count; k++) {
                rill_body_state b;
                ok(w, rill_world_body_state(w, rill_world_body_at(w, k), &b));
                assert_memory_equal(&f.body[k].state.position, &b.position, sizeof b.position);
                assert_string_equal(f.body[k].name, rill_world_body_def(w, rill_world_body_at(w, k))->name);
                assert_int_equal(f.solid[f.body[k].solid].body, k);
                assert_string_equal(f.solid[f.body[k].solid].name, f.body[k].name);
            }
            rill_frame_free(&f);
            rill_world_destroy(w);
        }
}

/* Indices count live objects, whatever was removed before them. */
static void numbers_count_the_living(void **state) {
    (void)state;
    const rill_world_def def = small_def(2, "wcsph");
    rill_world *w = create(&def);
    add_container(w, (rill_vec){0, 0, 0}, (rill_vec){4, 4, 0});
    const char *const names[] = {"first", "second", "third"};
    for (int k = 0; k < 3; k++) add_body(w, names[k], ball_shape((rill_vec){1.0f + (float)k, 2, 0}, 0.2f), 1000);
    ok(w, rill_world_remove_body(w, rill_world_find_body(w, "first")));
    rill_joint_def joint = rill_joint_def_default();
    snprintf(joint.a_name, sizeof joint.a_name, "third");
    snprintf(joint.b_name, sizeof joint.b_name, "second");
    joint.anchor = (rill_vec){2.5f, 2, 0};
    ok(w, rill_world_add_joint(w, &joint, NULL));
    rill_frame f = frame_of(w);
    assert_int_equal(f.body_count, 2);
    assert_string_equal(f.body[f.joint[0].a].name, "third");
    assert_string_equal(f.body[f.joint[0].b].name, "second");
    assert_near(f.joint[0].anchor_a.x, 2.5, 1e-6);
    assert_near(f.joint[0].anchor_b.x, 2.5, 1e-6);
    for (int k = 0; k < 2; k++) assert_string_equal(f.solid[f.body[k].solid].name, f.body[k].name);
    rill_frame_free(&f);
    rill_world_destroy(w);
}

/* A copy stays valid while the world goes on: particles in the order of ids, solids where they were. */
static void copies_stay(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = make_scene_with(SCENE_BODIES, small_def(dim, "wcsph"));
        take_steps(w, 5);
        rill_error error = {0};
        rill_frame live = frame_of(w), copy = {0};
        ok(w, rill_frame_order_by_id(&live, &error));
        rill_shape_set *shapes = rill_shape_set_create(dim, live.spacing, live.shape, live.shape_count, NULL, &error);
        if (!shapes) fail_msg("%s", error.text);
        assert_int_equal(rill_frame_copy(&copy, &live, shapes, &error), RILL_OK);
        const rill_view *ids = rill_frame_field(&copy, "id"), *x = rill_frame_field(&live, "position");
        const rill_view *copied = rill_frame_field(&copy, "position");
        const rill_vec point = up2(w, 0.4f, 0.5f, 0.2f);
        for (int k = 0; k < copy.count; k++) {
            if (k > 0) assert_true(rill_frame_uint(&copy, ids, k - 1) < rill_frame_uint(&copy, ids, k));
            const rill_vec a = rill_frame_vec(&live, x, k), b = rill_frame_vec(&copy, copied, k);
            assert_memory_equal(&a, &b, sizeof a);
        }
        float before[64];
        assert_in_range(copy.solid_count, 3, 64);
        for (int k = 0; k < copy.solid_count; k++) {
            rill_vec a, b;
            before[k] = rill_frame_distance(&copy, k, point, &a);
            assert_near(before[k], rill_frame_distance(&copy, k, point, NULL), 0);
            assert_near(before[k], rill_frame_distance(&live, k, point, &b), 1e-5);
            assert_near(a.x, b.x, 1e-3);
            assert_near(a.y, b.y, 1e-3);
        }
        take_steps(w, 20);
        rill_world_destroy(w);
        for (int k = 0; k < copy.solid_count; k++) {
            rill_vec a;
            assert_near(rill_frame_distance(&copy, k, point, &a), before[k], 0);
            assert_non_null(rill_frame_shape(&copy, k));
        }
        rill_frame_free(&live);
        rill_frame_free(&copy);
        rill_shape_set_destroy(shapes);
    }
}

/* The frame's own memory comes from its hooks, is used again, and may be refused. */
static void memory_is_used_again(void **state) {
    (void)state;
    int most = -1;
    rill_world *w = make_scene_with(SCENE_BODIES, small_def(2, "wcsph"));
    rill_frame f = {.allocator = {counting_allocate, counting_release, &most}};
    allocations = 0;
    for (int k = 0; k < 10; k++) {
        take_steps(w, 1);
        const void *room = f.room;
        ok(w, rill_frame_of_world(&f, w, NULL));
        if (k > 0) assert_ptr_equal(f.room, room);
    }
    assert_int_equal(allocations, 1);
    rill_frame refused = {.allocator = {counting_allocate, counting_release, &most}};
    most = 1;
    rill_error error = {0};
    assert_int_equal(rill_frame_copy(&refused, &f, NULL, &error), RILL_MEMORY);
    assert_int_equal(refused.count + refused.field_count + refused.solid_count, 0);
    f.allocator = (rill_allocator){counting_allocate, counting_release, &most};
    rill_frame_free(&f);
    rill_frame_free(&refused);
    assert_int_equal(allocations, 0);
    rill_world_destroy(w);
}

static void misuse_is_refused(void **state) {
    (void)state;
    rill_error error = {0};
    rill_frame f = {0}, g = {0};
    const rill_shape shape = rill_shape_default(), *const list[] = {&shape};
    assert_int_equal(rill_frame_of_world(&f, NULL, &error), RILL_INVALID);
    assert_int_equal(rill_frame_of_world(NULL, NULL, NULL), RILL_INVALID);
    assert_int_equal(rill_frame_copy(&f, &f, NULL, &error), RILL_INVALID);
    assert_int_equal(rill_frame_order_by_id(&f, &error), RILL_NOT_FOUND);
    rill_frame_free(NULL);
    assert_null(rill_shape_set_create(4, 0.1f, list, 1, NULL, &error));
    rill_shape bad = shape;
    bad.kind = 99;
    const rill_shape *const broken[] = {&shape, &bad};
    assert_null(rill_shape_set_create(2, 0.1f, broken, 2, NULL, &error));
    assert_non_null(strstr(error.text, "shape 1"));
    rill_shape_set *set = rill_shape_set_create(2, 0.1f, list, 1, NULL, &error);
    assert_non_null(set);
    assert_null(rill_shape_set_at(set, 1));
    const rill_shape *const two[] = {&shape, &shape};
    g.shape = two, g.shape_count = 2, g.dim = 2;
    assert_int_equal(rill_frame_copy(&f, &g, set, &error), RILL_INVALID);
    rill_shape_set_destroy(set);
    rill_shape_set_destroy(NULL);
}

/* A NULL among the shapes keeps its index and has no shape. */
static void sets_have_gaps(void **state) {
    (void)state;
    rill_error error = {0};
    const rill_shape shape = rill_shape_default(), *const list[] = {&shape, NULL, &shape};
    rill_shape_set *set = rill_shape_set_create(2, 0.1f, list, 3, NULL, &error);
    assert_non_null(set);
    assert_int_equal(rill_shape_set_count(set), 3);
    const rill_transform still = {.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    float distance = 0;
    for (int k = 0; k < 3; k++) {
        assert_int_equal(rill_shape_set_at(set, k) != NULL, k != 1);
        assert_int_equal(rill_shape_set_distance(set, k, &still, (rill_vec){3, 0.5f, 0}, &distance, NULL),
                         k == 1 ? RILL_NOT_FOUND : RILL_OK);
    }
    assert_true(fabsf(distance - 2) < 1e-6f);
    rill_shape_set_destroy(set);
}

/* ---- looking at another time ---- */

/* A look that ran out of memory leaves everything where it is. */
static void a_look_may_want_memory(void **state) {
    (void)state;
    for (int gauges = 0; gauges < 2; gauges++) {
        int most = -1;
        rill_world_def def = small_def(2, "wcsph");
        def.allocator = (rill_allocator){counting_allocate, counting_release, &most};
        allocations = 0;
        rill_world *w = make_scene_with(SCENE_BODIES, def);
        rill_gauge_def gauge = rill_gauge_def_default();
        gauge.kind = RILL_GAUGE_KINETIC_ENERGY;
        ok(w, rill_world_add_gauge(w, &gauge, NULL));
        take_steps(w, 5);
        const uint64_t before = rill_world_hash(w);
        const rill_stats *stats = rill_world_stats(w);
        const double now = stats->time, then = now - 0.5 * stats->dt;
        rill_frame frame = {0};
        rill_status status = RILL_MEMORY;
        int failures = 0;
        for (; status != RILL_OK; failures++) {
            rill_reading reading;
            most = allocations + failures;
            status =
                gauges ? rill_world_read_gauges_at(w, then, &reading) : rill_frame_of_world_at(&frame, w, then, NULL);
            assert_true(status == RILL_OK || status == RILL_MEMORY);
            assert_true(rill_world_hash(w) == before && stats->time == now);
        }
        assert_true(failures > 2);
        most = -1;
        rill_frame_free(&frame);
        rill_world_destroy(w);
    }
}

static rill_vec place_at(rill_world *w, double time, int body) {
    rill_frame frame = {0};
    rill_error error = {0};
    if (rill_frame_of_world_at(&frame, w, time, &error) != RILL_OK) fail_msg("%s", error.text);
    const rill_vec place = frame.body[body].state.position;
    const rill_vec shown =
        rill_transform_point(&frame.solid[frame.body[body].solid].transform, frame.body[body].state.centre);
    assert_near(shown.x, place.x, 1e-5);
    rill_frame_free(&frame);
    return place;
}

/* A body that the host puts somewhere else was at no place between, until it moves on from there. */
static void a_set_pose_is_shown_as_set(void **state) {
    (void)state;
    for (int kind = RILL_BODY_DYNAMIC; kind <= RILL_BODY_KINEMATIC; kind++) {
        rill_world_def def = small_def(2, "wcsph");
        rill_world *w = create(&def);
        rill_body_def body = rill_body_def_default();
        body.kind = kind, body.velocity = (rill_vec){1, 0, 0};
        rill_body_id id;
        ok(w, rill_world_add_body(w, &body, &id));
        ok(w, rill_world_step(w, 0.01));
        const rill_pose pose = {.position = {100, 100, 0}};
        ok(w, rill_world_body_set_pose(w, id, &pose));
        assert_near(place_at(w, 0.005, 0).x, 100, 0);
        ok(w, rill_world_body_set_velocity(w, id, (rill_vec){2, 0, 0}, (rill_vec){0}));
        ok(w, rill_world_step(w, 0.01));
        assert_near(place_at(w, 0.015, 0).x, 100.01, 1e-4);
        rill_world_destroy(w);
    }
}

/* After a look at another time, a frame of now has solids where they are now, prescribed motions and bodies alike. */
static void a_look_does_not_stay(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int s = 0; s < SCENE_COUNT; s++) {
            rill_world *w = make_scene_with((scene)s, small_def(dim, "wcsph"));
            take_steps(w, 3);
            rill_frame now = frame_of(w), then = {0};
            rill_frame_solid *before = calloc((size_t)now.solid_count, sizeof *before);
            float *distance = calloc((size_t)now.solid_count, sizeof *distance);
            assert_true(before && distance);
            const rill_vec point = {0.3f, 0.7f, 0.2f};
            for (int k = 0; k < now.solid_count; k++)
                before[k] = now.solid[k], distance[k] = rill_frame_distance(&now, k, point, NULL);
            const rill_stats *stats = rill_world_stats(w);
            ok(w, rill_frame_of_world_at(&then, w, stats->time - 0.5 * stats->dt, NULL));
            bool moved = false;
            for (int k = 0; k < then.solid_count; k++)
                moved |= memcmp(&then.solid[k].transform, &before[k].transform, sizeof before[k].transform) != 0;
            assert_int_equal(moved, s == SCENE_STIRRED || s == SCENE_BODIES || s == SCENE_BOXES);
            ok(w, rill_frame_of_world(&now, w, NULL));
            for (int k = 0; k < now.solid_count; k++) {
                assert_memory_equal(&now.solid[k].transform, &before[k].transform, sizeof before[k].transform);
                assert_near(rill_frame_distance(&now, k, point, NULL), distance[k], 0);
            }
            free(before), free(distance);
            rill_frame_free(&now), rill_frame_free(&then);
            rill_world_destroy(w);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_say_what_worlds_say),
        cmocka_unit_test(numbers_count_the_living),
        cmocka_unit_test(copies_stay),
        cmocka_unit_test(memory_is_used_again),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(sets_have_gaps),
        cmocka_unit_test(a_look_may_want_memory),
        cmocka_unit_test(a_set_pose_is_shown_as_set),
        cmocka_unit_test(a_look_does_not_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

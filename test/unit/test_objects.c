/* SPDX-License-Identifier: MIT */
/* Objects by handle, name and index: every kind has the same family of calls; definitions refer to each other by handle
   or by name. */
#include "unit/worlds.h"

static rill_world *make_world(void) {
    const rill_world_def def = small_def(2, "wcsph");
    rill_world *w = create(&def);
    add_water(w);
    return w;
}

static rill_body_id put_body(rill_world *w, const char *name, float x) {
    rill_body_def def = rill_body_def_default();
    snprintf(def.name, sizeof def.name, "%s", name);
    def.shape = box_shape((rill_vec){x, 2, 0}, (rill_vec){x + 0.2f, 2.2f, 0});
    rill_body_id id;
    ok(w, rill_world_add_body(w, &def, &id));
    return id;
}

/* Three objects of a kind are found in every way, and the handle of the second is stale once it is removed. */
#define CHECK_FAMILY(type, w, def)                                                        \
    do {                                                                                  \
        const int before = rill_world_##type##_count(w);                                  \
        rill_##type##_id id[3], again;                                                    \
        for (int k = 0; k < 3; k++) {                                                     \
            snprintf((def).name, sizeof(def).name, #type " %d", k);                       \
            ok(w, rill_world_add_##type(w, &(def), &id[k]));                              \
        }                                                                                 \
        assert_int_equal(rill_world_##type##_count(w), before + 3);                       \
        for (int k = 0; k < 3; k++) {                                                     \
            char name[RILL_NAME_SIZE];                                                    \
            snprintf(name, sizeof name, #type " %d", k);                                  \
            const rill_##type##_id found = rill_world_find_##type(w, name);               \
            const rill_##type##_id at = rill_world_##type##_at(w, before + k);            \
            assert_true(rill_world_##type##_is_valid(w, id[k]));                          \
            assert_memory_equal(&found, &id[k], sizeof found);                            \
            assert_memory_equal(&at, &id[k], sizeof at);                                  \
            assert_string_equal(rill_world_##type##_def(w, id[k])->name, name);           \
        }                                                                                 \
        ok(w, rill_world_remove_##type(w, id[1]));                                        \
        assert_false(rill_world_##type##_is_valid(w, id[1]));                             \
        assert_null(rill_world_##type##_def(w, id[1]));                                   \
        assert_int_equal(rill_world_find_##type(w, #type " 1").index1, 0);                \
        assert_int_equal(rill_world_remove_##type(w, id[1]), RILL_NOT_FOUND);             \
        assert_int_equal(rill_world_##type##_at(w, before + 1).index1, id[2].index1);     \
        assert_int_equal(rill_world_##type##_at(w, before + 2).index1, 0);                \
        snprintf((def).name, sizeof(def).name, #type " 1");                               \
        ok(w, rill_world_add_##type(w, &(def), &again));                                  \
        assert_int_equal(again.index1, id[1].index1); /* the slot is used again */        \
        assert_false(rill_world_##type##_is_valid(w, id[1]));                             \
        assert_true(rill_world_##type##_is_valid(w, again));                              \
        assert_false(rill_world_##type##_is_valid(w, (rill_##type##_id){0}));             \
        assert_false(rill_world_##type##_is_valid(w, (rill_##type##_id){UINT32_MAX, 1})); \
    } while (0)

static void every_kind_has_the_family(void **state) {
    (void)state;
    rill_world *w = make_world();
    rill_fluid_def fluid = rill_fluid_def_default();
    rill_solid_def solid = rill_solid_def_default();
    solid.shape.min = (rill_vec){5, 5, 0}, solid.shape.max = (rill_vec){6, 6, 0};
    rill_emitter_def emitter = rill_emitter_def_default();
    rill_sink_def sink = rill_sink_def_default();
    rill_gauge_def gauge = rill_gauge_def_default();
    rill_body_def body = rill_body_def_default();
    body.shape.min = (rill_vec){8, 8, 0}, body.shape.max = (rill_vec){9, 9, 0};
    rill_joint_def joint = rill_joint_def_default();
    joint.a = put_body(w, "jointed", 3);
    CHECK_FAMILY(fluid, w, fluid);
    CHECK_FAMILY(solid, w, solid);
    CHECK_FAMILY(emitter, w, emitter);
    CHECK_FAMILY(sink, w, sink);
    CHECK_FAMILY(gauge, w, gauge);
    CHECK_FAMILY(body, w, body);
    CHECK_FAMILY(joint, w, joint);
    rill_world_destroy(w);
}

/* A reference by handle, by name, by both or by neither; both must mean the same object. The world keeps both. */
static void references_by_handle_and_name(void **state) {
    (void)state;
    rill_world *w = make_world();
    rill_fluid_def oil = rill_fluid_def_default();
    snprintf(oil.name, sizeof oil.name, "oil");
    rill_fluid_id id;
    ok(w, rill_world_add_fluid(w, &oil, &id));
    const char *first = rill_world_fluid_def(w, rill_world_fluid_at(w, 0))->name;
    for (int way = 0; way < 4; way++) {
        rill_emitter_def def = rill_emitter_def_default();
        if (way & 1) def.fluid = id;
        if (way & 2) snprintf(def.fluid_name, sizeof def.fluid_name, "oil");
        rill_emitter_id emitter;
        ok(w, rill_world_add_emitter(w, &def, &emitter));
        const rill_emitter_def *kept = rill_world_emitter_def(w, emitter);
        assert_string_equal(kept->fluid_name, way ? "oil" : first);
        assert_int_equal(kept->fluid.index1, way ? id.index1 : 1);
        ok(w, rill_world_remove_emitter(w, emitter));
    }
    rill_emitter_def emitter = rill_emitter_def_default();
    emitter.fluid = id;
    snprintf(emitter.fluid_name, sizeof emitter.fluid_name, "%s", first);
    assert_int_equal(rill_world_add_emitter(w, &emitter, NULL), RILL_INVALID);
    assert_non_null(strstr(rill_world_message(w), "oil"));
    rill_block_def block = rill_block_def_default();
    block.shape.max = (rill_vec){0.2f, 0.2f, 0};
    block.fluid = id;
    int added;
    ok(w, rill_world_add_block(w, &block, &added));
    rill_view fluids;
    ok(w, rill_world_view(w, "fluid", &fluids));
    for (int k = 0; k < added; k++) assert_int_equal(((const uint32_t *)fluids.data)[k], id.index1 - 1);
    snprintf(block.fluid_name, sizeof block.fluid_name, "%s", first);
    assert_int_equal(rill_world_add_block(w, &block, NULL), RILL_INVALID);

    rill_joint_def joint = rill_joint_def_default();
    assert_int_equal(rill_world_add_joint(w, &joint, NULL), RILL_NOT_FOUND); /* nothing to join */
    joint.a = put_body(w, "left", 3), joint.b = put_body(w, "right", 4);
    rill_joint_id pin;
    ok(w, rill_world_add_joint(w, &joint, &pin));
    assert_string_equal(rill_world_joint_def(w, pin)->a_name, "left");
    assert_string_equal(rill_world_joint_def(w, pin)->b_name, "right");
    joint.b = joint.a;
    assert_int_equal(rill_world_add_joint(w, &joint, NULL), RILL_INVALID);
    rill_world_destroy(w);
}

/* A force gauge takes a solid, a body, or the name of either. */
static void gauges_of_bodies(void **state) {
    (void)state;
    rill_world *w = make_world();
    const rill_body_id box = put_body(w, "box", 3);
    const rill_solid_id surface = rill_world_body_solid(w, box);
    assert_int_equal(rill_world_solid_body(w, surface).index1, box.index1);
    for (int way = 0; way < 4; way++) {
        rill_gauge_def def = rill_gauge_def_default();
        def.kind = RILL_GAUGE_FORCE;
        if (way == 0) def.solid = surface;
        if (way == 1) def.body = box;
        if (way == 2) snprintf(def.solid_name, sizeof def.solid_name, "box");
        if (way == 3) snprintf(def.body_name, sizeof def.body_name, "box");
        rill_gauge_id id;
        rill_reading reading;
        ok(w, rill_world_add_gauge(w, &def, &id));
        ok(w, rill_world_read_gauge(w, id, &reading));
        assert_int_equal(rill_world_gauge_def(w, id)->solid.index1, surface.index1);
        assert_string_equal(rill_world_gauge_def(w, id)->solid_name, "box");
    }
    rill_world_destroy(w);
}

static void a_fluid_goes_when_nobody_has_it(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        static const char *const methods[] = {"wcsph", "pbf", "constraint"};
        for (int m = 0; m < 3; m++) {
            const rill_world_def def = small_def(dim, methods[m]);
            rill_world *w = create(&def);
            const rill_fluid_id first = add_water(w), second = add_water(w);
            rill_emitter_def emitter = rill_emitter_def_default();
            emitter.fluid = first;
            rill_emitter_id nozzle;
            ok(w, rill_world_add_emitter(w, &emitter, &nozzle));
            assert_int_equal(rill_world_remove_fluid(w, first), RILL_INVALID);
            assert_non_null(strstr(rill_world_message(w), "emitter"));
            ok(w, rill_world_remove_emitter(w, nozzle));
            rill_gauge_def gauge = rill_gauge_def_default();
            gauge.fluid = first;
            rill_gauge_id reader;
            ok(w, rill_world_add_gauge(w, &gauge, &reader));
            assert_int_equal(rill_world_remove_fluid(w, first), RILL_INVALID);
            assert_non_null(strstr(rill_world_message(w), "gauge"));
            ok(w, rill_world_remove_gauge(w, reader));
            rill_particle_id particle;
            ok(w, rill_world_add_particle(w, first, (rill_vec){0}, (rill_vec){0}, &particle));
            assert_int_equal(rill_world_remove_fluid(w, first), RILL_INVALID);
            assert_non_null(strstr(rill_world_message(w), "particle"));
            ok(w, rill_world_remove_particle(w, particle));
            ok(w, rill_world_remove_fluid(w, first));
            assert_int_equal(rill_world_fluid_count(w), 1);
            assert_int_equal(rill_world_fluid_at(w, 0).index1, second.index1);
            /* Definitions that name no fluid use the one that is left; frames and snapshots still work. */
            add_box(w, (rill_vec){0}, (rill_vec){0.3f, 0.3f, 0.3f});
            take_steps(w, 3);
            rill_frame frame = {0};
            assert_int_equal(rill_frame_of_world(&frame, w, NULL), RILL_OK);
            rill_view fluids;
            ok(w, rill_world_view(w, "fluid", &fluids));
            assert_string_equal(frame.fluid[*(const uint32_t *)fluids.data].name,
                                rill_world_fluid_def(w, second)->name);
            rill_frame_free(&frame);
            rill_world *loaded = reload(w);
            assert_false(rill_world_fluid_is_valid(loaded, first));
            assert_true(rill_world_fluid_is_valid(loaded, second));
            take_steps(w, 3), take_steps(loaded, 3);
            assert_true(rill_world_hash(w) == rill_world_hash(loaded));
            rill_world_destroy(loaded);
            rill_world_destroy(w);
        }
    }
}

/* Handles and references of definitions are valid in a loaded world; the host's pointers are not. */
static void handles_survive_a_snapshot(void **state) {
    (void)state;
    rill_world *w = make_world();
    put_body(w, "gone", 2);
    const rill_body_id left = put_body(w, "left", 3), right = put_body(w, "right", 4);
    ok(w, rill_world_remove_body(w, rill_world_find_body(w, "gone")));
    rill_joint_def joint = rill_joint_def_default();
    joint.a = right, joint.b = left;
    rill_joint_id pin;
    ok(w, rill_world_add_joint(w, &joint, &pin));
    rill_gauge_def gauge = rill_gauge_def_default();
    gauge.kind = RILL_GAUGE_JOINT_LOAD, gauge.joint = pin;
    rill_gauge_id load, force;
    ok(w, rill_world_add_gauge(w, &gauge, &load));
    gauge = rill_gauge_def_default();
    gauge.kind = RILL_GAUGE_TORQUE, gauge.body = left;
    ok(w, rill_world_add_gauge(w, &gauge, &force));
    int mine = 5;
    ok(w, rill_world_body_set_user_data(w, left, &mine));
    ok(w, rill_world_solid_set_user_data(w, rill_world_body_solid(w, left), &gauge));
    assert_ptr_equal(rill_world_body_user_data(w, left), &mine);
    assert_ptr_equal(rill_world_body_def(w, left)->user_data, &mine);
    assert_ptr_equal(rill_world_solid_user_data(w, rill_world_body_solid(w, left)), &gauge);
    rill_world *loaded = reload(w);
    assert_null(rill_world_body_user_data(loaded, left));
    assert_null(rill_world_solid_user_data(loaded, rill_world_body_solid(loaded, left)));
    assert_string_equal(rill_world_body_def(loaded, right)->name, "right");
    assert_int_equal(rill_world_joint_def(loaded, pin)->a.index1, right.index1);
    assert_int_equal(rill_world_joint_def(loaded, pin)->b.age, left.age);
    rill_reading reading;
    ok(loaded, rill_world_read_gauge(loaded, load, &reading));
    ok(loaded, rill_world_read_gauge(loaded, force, &reading));
    ok(loaded, rill_world_remove_joint(loaded, pin));
    ok(loaded, rill_world_read_gauge(loaded, load, &reading));
    assert_true(reading.count == 1 && isnan(reading.value[0]));
    rill_world *again = reload(loaded); /* a gauge whose joint is removed does not make a snapshot invalid */
    ok(again, rill_world_read_gauge(again, load, &reading));
    assert_true(isnan(reading.value[0]));
    rill_world_destroy(again);
    rill_world_destroy(loaded);
    rill_world_destroy(w);
}

/* Names that the world gives are free for a body and for the solid that is its surface. */
static void given_names_are_free(void **state) {
    (void)state;
    const rill_world_def wd = small_def(2, "wcsph");
    rill_world *w = create(&wd);
    rill_solid_def solid = rill_solid_def_default();
    snprintf(solid.name, sizeof solid.name, "body1");
    ok(w, rill_world_add_solid(w, &solid, NULL));
    rill_body_def def = rill_body_def_default();
    rill_body_id id;
    ok(w, rill_world_add_body(w, &def, &id));
    assert_string_equal(rill_world_body_def(w, id)->name, "body2");
    snprintf(def.name, sizeof def.name, "body1");
    assert_int_equal(rill_world_add_body(w, &def, &id), RILL_INVALID);
    rill_world_destroy(w);
}

/* A world holds as many objects of a kind as a snapshot may have. */
static void a_full_world_can_be_loaded(void **state) {
    (void)state;
    const rill_world_def wd = small_def(2, "wcsph");
    rill_world *w = create(&wd);
    const rill_group_def def = rill_group_def_default();
    rill_status status = RILL_OK;
    int count = 0;
    while (status == RILL_OK && count <= 65536)
        status = rill_world_add_group(w, &def, NULL), count += status == RILL_OK;
    assert_int_equal(status, RILL_LIMIT);
    assert_int_equal(count, 65536);
    rill_world *loaded = reload(w);
    assert_int_equal(rill_world_group_count(loaded), count);
    rill_world_destroy(loaded);
    rill_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_the_family),  cmocka_unit_test(references_by_handle_and_name),
        cmocka_unit_test(gauges_of_bodies),           cmocka_unit_test(a_fluid_goes_when_nobody_has_it),
        cmocka_unit_test(handles_survive_a_snapshot), cmocka_unit_test(given_names_are_free),
        cmocka_unit_test(a_full_world_can_be_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Rows that may change while a world runs: every live row can be set and read back and then acts as if the world had
   been made with it; every other row is refused. The tests go through the tables and know no row by name. */
#include "unit/worlds.h"

/* A row of an object that gets another value: in the definition, or in the world made from it. */
typedef struct wish {
    rill_object object;
    const rill_param *row; /* NULL: all defaults */
    bool early;
    char text[200];
} wish;

/* A value different from the object's, as text. */
static void other_value(const rill_param *row, const void *object, int dim, char *text, size_t size) {
    const char *at = (const char *)object + row->offset;
    float number;
    int32_t integer;
    bool truth;
    rill_vec v;
    switch (row->type) {
    case RILL_TYPE_BOOL:
        memcpy(&truth, at, sizeof truth);
        snprintf(text, size, "%s", truth ? "false" : "true");
        return;
    case RILL_TYPE_INT:
        memcpy(&integer, at, sizeof integer);
        snprintf(text, size, "%d", integer > 1 ? integer - 1 : integer + 2);
        return;
    case RILL_TYPE_NUMBER:
        memcpy(&number, at, sizeof number);
        snprintf(text, size, "%.9g", number != 0.0f ? 0.75 * (double)number : 0.001);
        return;
    case RILL_TYPE_VEC:
        memcpy(&v, at, sizeof v);
        if (dim == 2)
            snprintf(text, size, "[%.9g, %.9g]", (double)v.x + 0.01, (double)v.y + 0.02);
        else
            snprintf(text, size, "[%.9g, %.9g, %.9g]", (double)v.x + 0.01, (double)v.y + 0.02, (double)v.z + 0.03);
        return;
    default:
        snprintf(text, size, "1");
    }
}

/* Gives the definition the wished value, or only notes which value it will be. */
static void tune(wish *wish, rill_object object, void *def, int dim) {
    if (wish->object != object || !wish->row) return;
    other_value(wish->row, def, dim, wish->text, sizeof wish->text);
    if (wish->early) assert_int_equal(rill_param_set_text(wish->row, def, wish->text, NULL), RILL_OK);
}

#define ADD(type, TYPE)                               \
    do {                                              \
        tune(wish, RILL_OBJECT_##TYPE, &type, dim);   \
        ok(w, rill_world_add_##type(w, &type, NULL)); \
    } while (0)

/* One object of each kind, all of them at work: a moving box, and a ball on a slider with limits and a motor. */
static rill_world *make_world(int dim, const char *method, wish *wish) {
    rill_world_def def = small_def(dim, method);
    def.max_speed = 100;
    tune(wish, RILL_OBJECT_WORLD, &def, dim);
    rill_world *w = create(&def);
    rill_fluid_def fluid = rill_fluid_def_default();
    if (strcmp(method, "constraint") != 0) fluid.surface_tension = 0.05f;
    fluid.viscosity = 0.5f;
    ADD(fluid, FLUID);
    rill_solid_def solid = rill_solid_def_default();
    solid.shape = box_shape(up2(w, 0, 0, 0), up2(w, 1, 1, 0.4f));
    solid.shape.inside = true, solid.friction = 0.2f, solid.restitution = 0.1f;
    solid.surface_velocity = (rill_vec){0.1f, 0, 0};
    ADD(solid, SOLID);
    rill_body_def body = rill_body_def_default();
    body.shape = box_shape(up2(w, 0.5f, 0.02f, 0.1f), up2(w, 0.7f, 0.2f, 0.3f));
    body.linear_damping = 0.3f, body.angular_damping = 0.2f;
    body.velocity = (rill_vec){0.5f, 0, 0};
    ADD(body, BODY);
    rill_body_def ball = rill_body_def_default();
    snprintf(ball.name, sizeof ball.name, "ball");
    ball.shape = ball_shape(up2(w, 0.6f, 0.55f, 0.2f), 0.08f);
    ok(w, rill_world_add_body(w, &ball, NULL));
    rill_joint_def joint = rill_joint_def_default();
    joint.a = rill_world_find_body(w, "ball");
    joint.kind = RILL_JOINT_SLIDER, joint.axis = up2(w, 0, 1, 0), joint.anchor = up2(w, 0.6f, 0.55f, 0.2f);
    joint.limited = joint.motor = true, joint.lower = -0.2f, joint.upper = 0.1f;
    joint.motor_speed = 0.3f, joint.motor_force = 300.0f, joint.break_force = 1e5f;
    ADD(joint, JOINT);
    rill_emitter_def emitter = rill_emitter_def_default();
    emitter.position = up2(w, 0.1f, 0.4f, 0.2f), emitter.radius = 0.1f, emitter.speed = 2.0f, emitter.rate = 0.01f;
    emitter.end_time = 0.05f, emitter.start_time = 0.004f, emitter.limit = 40;
    ADD(emitter, EMITTER);
    rill_sink_def sink = rill_sink_def_default();
    sink.shape = box_shape(up2(w, 0.3f, 0, 0), up2(w, 0.4f, 0.2f, 0.4f));
    sink.start_time = 0.02f, sink.end_time = 0.04f;
    ADD(sink, SINK);
    rill_gauge_def gauge = rill_gauge_def_default();
    gauge.kind = RILL_GAUGE_COUNT;
    gauge.in_region = true, gauge.max = up2(w, 0.1f, 0.1f, 0.2f);
    ADD(gauge, GAUGE);
    add_box(w, up2(w, 0, 0, 0), up2(w, 0.3f, 0.25f, 0.4f));
    return w;
}

static rill_ref ref_of(const rill_world *w, rill_object object) {
    switch (object) {
    case RILL_OBJECT_FLUID:
        return rill_ref_fluid(rill_world_fluid_at(w, 0));
    case RILL_OBJECT_SOLID:
        return rill_ref_solid(rill_world_solid_at(w, 0));
    case RILL_OBJECT_BODY:
        return rill_ref_body(rill_world_body_at(w, 0));
    case RILL_OBJECT_JOINT:
        return rill_ref_joint(rill_world_joint_at(w, 0));
    case RILL_OBJECT_EMITTER:
        return rill_ref_emitter(rill_world_emitter_at(w, 0));
    case RILL_OBJECT_SINK:
        return rill_ref_sink(rill_world_sink_at(w, 0));
    case RILL_OBJECT_GAUGE:
        return rill_ref_gauge(rill_world_gauge_at(w, 0));
    default:
        return rill_ref_world();
    }
}

static const rill_object kinds[] = {RILL_OBJECT_WORLD,   RILL_OBJECT_FLUID, RILL_OBJECT_SOLID, RILL_OBJECT_BODY,
                                    RILL_OBJECT_EMITTER, RILL_OBJECT_SINK,  RILL_OBJECT_GAUGE, RILL_OBJECT_JOINT};
#define FOR_ROWS(row)                                                                   \
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)                  \
        for (const rill_param *row = rill_object_table(kinds[kind])->params,            \
                              *row##_end = row + rill_object_table(kinds[kind])->count; \
             row < row##_end; row++)

static void live_rows_are_set_and_others_refused(void **state) {
    (void)state;
    int live = 0, fixed = 0;
    for (int dim = 2; dim <= 3; dim++) {
        wish none = {.row = NULL};
        rill_world *w = make_world(dim, "wcsph", &none);
        take_steps(w, 3);
        FOR_ROWS(row) {
            const rill_ref ref = ref_of(w, kinds[kind]);
            const uint64_t hash = rill_world_hash(w);
            char before[300], after[300], text[200];
            ok(w, rill_world_get_text(w, ref, row->key, before, sizeof before));
            if (row->live) {
                wish late = {.object = kinds[kind], .row = row};
                rill_world_destroy(make_world(dim, "wcsph", &late)); /* to learn which value it will be */
                snprintf(text, sizeof text, "%s", late.text);
                ok(w, rill_world_set_text(w, ref, row->key, text));
                ok(w, rill_world_get_text(w, ref, row->key, after, sizeof after));
                if (strcmp(before, after) == 0) fail_msg("%s stays %s", row->key, after);
                if (row->type == RILL_TYPE_NUMBER || row->type == RILL_TYPE_INT) {
                    double value, again;
                    ok(w, rill_world_get_number(w, ref, row->key, &value));
                    assert_near(value, atof(text), 1e-6 * fabs(value));
                    ok(w, rill_world_set_number(w, ref, row->key, value));
                    ok(w, rill_world_get_number(w, ref, row->key, &again));
                    assert_true(value == again);
                }
                if (row->type == RILL_TYPE_VEC) {
                    rill_vec value, again;
                    ok(w, rill_world_get_vec(w, ref, row->key, &value));
                    ok(w, rill_world_set_vec(w, ref, row->key, value));
                    ok(w, rill_world_get_vec(w, ref, row->key, &again));
                    assert_memory_equal(&value, &again, sizeof value);
                }
                ok(w, rill_world_set_text(w, ref, row->key, before));
                live++;
            } else {
                const rill_status status = rill_world_set_text(w, ref, row->key, "1");
                if (status != RILL_INVALID || !strstr(rill_world_message(w), "fixed when the"))
                    fail_msg("%s: %s", row->key, rill_world_message(w));
                if (!strstr(rill_world_message(w), row->key)) fail_msg("%s", rill_world_message(w));
                fixed++;
            }
            assert_true(rill_world_hash(w) == hash);
        }
        take_steps(w, 3);
        rill_world_destroy(w);
    }
    assert_true(live > 2 * 40 && fixed > 2 * 25);
}

static double read_count(rill_world *w) {
    rill_reading reading;
    ok(w, rill_world_read_gauge(w, rill_world_gauge_at(w, 0), &reading));
    return reading.value[0];
}

/* Set before the first step, a row acts as it would from the definition. */
static void a_row_acts_as_if_it_had_been_made_so(void **state) {
    (void)state;
    static const char *const methods[] = {"wcsph", "pbf"};
    for (int m = 0; m < 2; m++) FOR_ROWS(row) {
            if (!row->live) continue;
            wish early = {.object = kinds[kind], .row = row, .early = true}, late = early;
            late.early = false;
            rill_world *a = make_world(2 + m, methods[m], &early), *b = make_world(2 + m, methods[m], &late);
            ok(b, rill_world_set_text(b, ref_of(b, kinds[kind]), row->key, late.text));
            rill_difference d = {0};
            if (rill_world_differs(a, b, &d)) fail_msg("%s: %s is %s and %s", row->key, d.key, d.first, d.second);
            const int steps = m == 0 ? 8 : 4;
            take_steps(a, steps), take_steps(b, steps);
            if (rill_world_hash(a) != rill_world_hash(b)) fail_msg("%s: %s of %d", methods[m], row->key, (int)kind);
            assert_true(read_count(a) == read_count(b));
            rill_world_destroy(a);
            rill_world_destroy(b);
        }
}

/* Set between steps, a row goes into the snapshot, and the loaded world continues with it. */
static void a_row_is_saved(void **state) {
    (void)state;
    FOR_ROWS(row) {
        if (!row->live) continue;
        wish late = {.object = kinds[kind], .row = row};
        rill_world *w = make_world(2, "wcsph", &late);
        take_steps(w, 5);
        ok(w, rill_world_set_text(w, ref_of(w, kinds[kind]), row->key, late.text));
        rill_world *copy = reload(w);
        rill_difference d = {0};
        if (rill_world_differs(w, copy, &d)) fail_msg("%s: %s is %s and %s", row->key, d.key, d.first, d.second);
        take_steps(w, 5), take_steps(copy, 5);
        if (rill_world_hash(w) != rill_world_hash(copy)) fail_msg("%s", row->key);
        rill_world_destroy(copy);
        rill_world_destroy(w);
    }
}

/* A definition is checked as a whole. */
static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    wish none = {.row = NULL};
    rill_world *w = make_world(2, "wcsph", &none);
    const rill_ref joint = ref_of(w, RILL_OBJECT_JOINT), emitter = ref_of(w, RILL_OBJECT_EMITTER);
    assert_int_equal(rill_world_set_number(w, joint, "lower", 0.5), RILL_INVALID);
    assert_non_null(strstr(rill_world_message(w), "upper"));
    assert_int_equal(rill_world_set_number(w, emitter, "speed", 0), RILL_INVALID);
    assert_int_equal(rill_world_set_number(w, emitter, "rate", 100), RILL_INVALID);
    assert_int_equal(rill_world_set_number(w, emitter, "radius", 1e6), RILL_LIMIT);
    assert_int_equal(rill_world_set_vec(w, emitter, "direction", (rill_vec){0}), RILL_INVALID);
    /* The surface of a body belongs to the body. */
    const rill_ref surface = rill_ref_solid(rill_world_body_solid(w, rill_world_body_at(w, 0)));
    assert_int_equal(rill_world_set_number(w, surface, "friction", 0.5), RILL_INVALID);
    assert_non_null(strstr(rill_world_message(w), "body"));
    rill_world_destroy(w);
    rill_world_def def = small_def(2, "wcsph");
    def.walls = RILL_WALLS_IMPULSE;
    w = create(&def);
    add_container(w, (rill_vec){0}, (rill_vec){1, 1, 0});
    add_body(w, "box", box_shape((rill_vec){0.2f, 0.2f, 0}, (rill_vec){0.4f, 0.4f, 0}), 500);
    assert_int_equal(rill_world_set_text(w, ref_of(w, RILL_OBJECT_SOLID), "no_slip", "true"), RILL_INVALID);
    assert_int_equal(rill_world_set_text(w, ref_of(w, RILL_OBJECT_BODY), "no_slip", "true"), RILL_INVALID);
    rill_world_destroy(w);
}

/* The units of a joint's limits and motor are those of its kind. */
static void units_of_joints(void **state) {
    (void)state;
    const rill_world_def def = small_def(2, "wcsph");
    rill_world *w = create(&def);
    add_body(w, "box", box_shape((rill_vec){0.2f, 0.2f, 0}, (rill_vec){0.4f, 0.4f, 0}), 500);
    rill_joint_def joint = rill_joint_def_default();
    joint.a = rill_world_find_body(w, "box");
    joint.upper = 100;
    rill_joint_id hinge, slider;
    joint.kind = RILL_JOINT_HINGE;
    ok(w, rill_world_add_joint(w, &joint, &hinge));
    joint.kind = RILL_JOINT_SLIDER;
    ok(w, rill_world_add_joint(w, &joint, &slider));
    static const struct {
        const char *key, *turning, *sliding;
        double turned, slid;
    } cases[] = {
        {"lower", "30 deg", "5 cm", 0.52359878, 0.05},
        {"upper", "0.5 turn", "2 ft", 3.14159265, 0.6096},
        {"motor_speed", "10 rpm", "36 km/h", 1.04719755, 10},
        {"motor_force", "2 N m", "3 kN", 2, 3000},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double value;
        ok(w, rill_world_set_text(w, rill_ref_joint(hinge), cases[k].key, cases[k].turning));
        ok(w, rill_world_get_number(w, rill_ref_joint(hinge), cases[k].key, &value));
        assert_near(value, cases[k].turned, 1e-6 * cases[k].turned);
        ok(w, rill_world_set_text(w, rill_ref_joint(slider), cases[k].key, cases[k].sliding));
        ok(w, rill_world_get_number(w, rill_ref_joint(slider), cases[k].key, &value));
        assert_near(value, cases[k].slid, 1e-6 * cases[k].slid);
        assert_int_equal(rill_world_set_text(w, rill_ref_joint(hinge), cases[k].key, cases[k].sliding), RILL_INVALID);
        assert_int_equal(rill_world_set_text(w, rill_ref_joint(slider), cases[k].key, cases[k].turning), RILL_INVALID);
    }
    ok(w, rill_world_set_text(w, rill_ref_joint(slider), "damping", "2 kN s/m"));
    ok(w, rill_world_set_text(w, rill_ref_joint(slider), "stiffness", "3 N/mm"));
    rill_world_destroy(w);
}

/* A jet that is changed while it runs neither pauses nor makes up for what it did not emit. */
static void a_jet_goes_on(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "wcsph");
    def.gravity = (rill_vec){0};
    rill_world *w = create(&def);
    add_water(w);
    rill_emitter_def jet = rill_emitter_def_default();
    jet.radius = 0.1f, jet.speed = 2; /* four particles every 25 ms */
    rill_emitter_id id;
    ok(w, rill_world_add_emitter(w, &jet, &id));
    ok(w, rill_world_advance(w, 1.01));
    assert_in_range(rill_world_stats(w)->emitted, 160, 168);
    ok(w, rill_world_set_number(w, rill_ref_emitter(id), "speed", 4));
    ok(w, rill_world_advance(w, 1));
    assert_in_range(rill_world_stats(w)->emitted, 160 + 320 - 8, 168 + 320 + 8);
    ok(w, rill_world_set_number(w, rill_ref_emitter(id), "rate", 0.2)); /* half of the nozzle's flow */
    ok(w, rill_world_advance(w, 0.5));
    const int64_t before = rill_world_stats(w)->emitted;
    assert_in_range(before, 160 + 320 + 40 - 12, 168 + 320 + 40 + 12);
    ok(w, rill_world_set_number(w, rill_ref_emitter(id), "end_time", 2.51)); /* closed */
    ok(w, rill_world_advance(w, 1));
    const int64_t closed = rill_world_stats(w)->emitted;
    assert_true(closed - before <= 8);
    ok(w, rill_world_set_number(w, rill_ref_emitter(id), "end_time", 100));
    ok(w, rill_world_step_adaptive(w, 0.001));
    assert_true(rill_world_stats(w)->emitted - closed <= 4);
    ok(w, rill_world_advance(w, 0.5));
    assert_in_range(rill_world_stats(w)->emitted - closed, 32, 48);
    rill_world_destroy(w);
}

/* A sleeping body wakes when something that holds it changes. */
static void changes_wake(void **state) {
    (void)state;
    for (int way = 0; way < 4; way++) {
        rill_world_def def = small_def(2, "wcsph");
        rill_world *w = create(&def);
        rill_solid_def floor = rill_solid_def_default();
        floor.shape.kind = RILL_HALF_SPACE;
        rill_solid_id ground;
        ok(w, rill_world_add_solid(w, &floor, &ground));
        add_body(w, "box", box_shape((rill_vec){0}, (rill_vec){0.2f, 0.2f, 0}), 500);
        const rill_body_id box = rill_world_find_body(w, "box");
        rill_body_state s;
        ok(w, rill_world_advance(w, 2));
        ok(w, rill_world_body_state(w, box, &s));
        assert_true(s.asleep);
        if (way == 0) ok(w, rill_world_set_vec(w, rill_ref_world(), "gravity", (rill_vec){0, 5, 0}));
        if (way == 1) ok(w, rill_world_set_vec(w, rill_ref_solid(ground), "surface_velocity", (rill_vec){1, 0, 0}));
        if (way == 2) ok(w, rill_world_set_number(w, rill_ref_body(box), "friction", 0));
        if (way == 3) ok(w, rill_world_set_text(w, rill_ref_body(box), "sleeps", "false"));
        ok(w, rill_world_body_state(w, box, &s));
        assert_false(s.asleep);
        ok(w, rill_world_advance(w, 2));
        ok(w, rill_world_body_state(w, box, &s));
        if (way == 0) assert_true(s.position.y > 1);
        if (way == 3) assert_false(s.asleep);
        rill_world_destroy(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live_rows_are_set_and_others_refused),
        cmocka_unit_test(a_row_acts_as_if_it_had_been_made_so),
        cmocka_unit_test(a_row_is_saved),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(units_of_joints),
        cmocka_unit_test(a_jet_goes_on),
        cmocka_unit_test(changes_wake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

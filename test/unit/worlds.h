/* SPDX-License-Identifier: MIT */
/* Small worlds for tests, made through the public API. */
#ifndef RILL_TEST_WORLDS_H
#define RILL_TEST_WORLDS_H

#include "oracle/check.h"
#include "rill/rill.h"
#include "unit/bytes.h"

#define TEST_FN static inline __attribute__((unused))

TEST_FN rill_world_def small_def(int dim, const char *method) {
    rill_world_def def = rill_world_def_default(dim);
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = 0.05f;
    def.workers = 1;
    return def;
}

TEST_FN void ok(const rill_world *w, rill_status status) {
    if (status != RILL_OK) fail_msg("%s: %s", rill_status_name(status), rill_world_message(w));
}

TEST_FN rill_world *create(const rill_world_def *def) {
    rill_error error = {0};
    rill_world *w = rill_world_create(def, &error);
    if (!w) fail_msg("%s", error.text);
    return w;
}

TEST_FN rill_fluid_id add_water(rill_world *w) {
    const rill_fluid_def water = rill_fluid_def_default();
    rill_fluid_id id;
    ok(w, rill_world_add_fluid(w, &water, &id));
    return id;
}

/* `up` is along y in 2D worlds and along z in 3D worlds, where `deep` is along y; 2D worlds ignore `deep`. */
TEST_FN rill_vec up2(const rill_world *w, float x, float up, float deep) {
    return rill_world_get_def(w)->dim == 2 ? (rill_vec){x, up, 0} : (rill_vec){x, deep, up};
}

TEST_FN int add_box(rill_world *w, rill_vec min, rill_vec max) {
    rill_block_def block = rill_block_def_default();
    block.shape.min = min, block.shape.max = max;
    int added = 0;
    ok(w, rill_world_add_block(w, &block, &added));
    return added;
}

TEST_FN rill_solid_id add_container(rill_world *w, rill_vec min, rill_vec max) {
    rill_solid_def solid = rill_solid_def_default();
    solid.shape.min = min, solid.shape.max = max, solid.shape.inside = true;
    rill_solid_id id;
    ok(w, rill_world_add_solid(w, &solid, &id));
    return id;
}

/* ---- scenes that between them use most features ---- */

typedef enum scene {
    SCENE_DAM,      /* a block collapses in a container; enough particles for workers to share the sort */
    SCENE_JET,      /* an emitter, a sink, a ball in the way */
    SCENE_PERIODIC, /* a periodic channel with a sliding plate */
    SCENE_STIRRED,  /* a moving paddle, two fluids, surface tension */
    SCENE_BODIES,   /* bodies that float, sink, touch, are jointed and are driven */
    SCENE_BOXES,    /* two boxes joined by a hinge fall into a tank of water */
    SCENE_COUNT
} scene;

TEST_FN const char *scene_name(scene s) {
    static const char *const names[] = {"dam", "jet", "periodic", "stirred", "bodies", "boxes"};
    return names[s];
}

TEST_FN void fill_dam(rill_world *w) {
    const bool flat = rill_world_get_def(w)->dim == 2;
    add_container(w, up2(w, 0, 0, 0), up2(w, flat ? 8.0f : 1.6f, flat ? 4.0f : 1.6f, 0.8f));
    add_box(w, up2(w, 0, 0, 0), up2(w, flat ? 4.0f : 0.8f, flat ? 2.8f : 0.8f, 0.8f));
}

TEST_FN void fill_jet(rill_world *w) {
    rill_emitter_def jet = rill_emitter_def_default();
    jet.position = up2(w, -0.5f, 0.5f, 0.0f), jet.direction = up2(w, 1.0f, 0.3f, 0.0f);
    jet.radius = 0.12f, jet.speed = 3.0f;
    ok(w, rill_world_add_emitter(w, &jet, NULL));
    rill_sink_def sink = rill_sink_def_default();
    sink.shape.kind = RILL_HALF_SPACE, sink.shape.position = up2(w, 0.2f, 0, 0);
    sink.shape.normal = (rill_vec){-1, 0, 0};
    ok(w, rill_world_add_sink(w, &sink, NULL));
    rill_solid_def ball = rill_solid_def_default();
    ball.shape.kind = RILL_SPHERE, ball.shape.radius = 0.1f, ball.shape.position = up2(w, -0.2f, 0.6f, 0);
    ok(w, rill_world_add_solid(w, &ball, NULL));
    add_box(w, up2(w, -0.3f, 0.0f, -0.2f), up2(w, 0.1f, 0.3f, 0.2f));
}

TEST_FN void fill_periodic(rill_world *w) {
    rill_solid_def plate = rill_solid_def_default();
    plate.shape.kind = RILL_HALF_SPACE, plate.shape.normal = up2(w, 0, 1, 0), plate.no_slip = true;
    ok(w, rill_world_add_solid(w, &plate, NULL));
    plate.shape.position = up2(w, 0, 0.6f, 0), plate.shape.normal = up2(w, 0, -1, 0);
    plate.surface_velocity = (rill_vec){1, 0, 0};
    ok(w, rill_world_add_solid(w, &plate, NULL));
    rill_block_def block = rill_block_def_default();
    block.shape.min = up2(w, 0, 0, 0), block.shape.max = up2(w, 1, 0.6f, 0.5f);
    block.fill = RILL_FILL_JITTERED, block.velocity = (rill_vec){0.7f, 0, 0};
    ok(w, rill_world_add_block(w, &block, NULL));
}

TEST_FN void fill_stirred(rill_world *w) {
    rill_fluid_def oil;
    ok(w, rill_material_find("oil", &oil, NULL));
    /* clavet makes its own tension by near pressure, and refuses one in N/m */
    oil.surface_tension = strcmp(rill_world_get_def(w)->method, "clavet") == 0 ? 0 : 0.03f;
    snprintf(oil.name, sizeof oil.name, "oil");
    ok(w, rill_world_add_fluid(w, &oil, NULL));
    add_container(w, up2(w, 0, 0, 0), up2(w, 1.2f, 1.2f, 0.5f));
    add_box(w, up2(w, 0, 0, 0), up2(w, 1.2f, 0.35f, 0.5f));
    rill_block_def top = rill_block_def_default();
    snprintf(top.fluid_name, sizeof top.fluid_name, "oil");
    top.shape.min = up2(w, 0, 0.35f, 0), top.shape.max = up2(w, 1.2f, 0.6f, 0.5f);
    ok(w, rill_world_add_block(w, &top, NULL));
    rill_solid_def paddle = rill_solid_def_default();
    paddle.shape.kind = RILL_CAPSULE, paddle.shape.radius = 0.05f, paddle.friction = 0.5f;
    paddle.shape.position = up2(w, 0.4f, 0.9f, 0.25f), paddle.shape.end = up2(w, 0.8f, 0.9f, 0.25f);
    paddle.motion.pivot = up2(w, 0.6f, 0.9f, 0.25f), paddle.motion.spin = 5.0f, paddle.motion.axis = up2(w, 0, 0, 1);
    if (rill_world_get_def(w)->dim == 2) paddle.motion.axis = (rill_vec){0, 0, 1};
    paddle.motion.amplitude = up2(w, 0.05f, 0.3f, 0), paddle.motion.frequency = 2.0f;
    ok(w, rill_world_add_solid(w, &paddle, NULL));
}

TEST_FN void add_body(rill_world *w, const char *name, rill_shape shape, float density) {
    rill_body_def def = rill_body_def_default();
    snprintf(def.name, sizeof def.name, "%s", name);
    def.shape = shape, def.density = density;
    ok(w, rill_world_add_body(w, &def, NULL));
}

TEST_FN rill_shape box_shape(rill_vec min, rill_vec max) {
    rill_shape shape = rill_shape_default();
    shape.kind = RILL_BOX, shape.min = min, shape.max = max;
    return shape;
}

TEST_FN rill_shape ball_shape(rill_vec at, float radius) {
    rill_shape shape = rill_shape_default();
    shape.kind = RILL_SPHERE, shape.position = at, shape.radius = radius;
    return shape;
}

TEST_FN void fill_bodies(rill_world *w) {
    add_container(w, up2(w, 0, 0, 0), up2(w, 1.6f, 1.6f, 0.6f));
    add_box(w, up2(w, 0, 0, 0), up2(w, 0.6f, 0.4f, 0.6f));
    add_body(w, "low", box_shape(up2(w, 1.0f, 0.001f, 0.1f), up2(w, 1.3f, 0.2f, 0.5f)), 2000);
    add_body(w, "high", box_shape(up2(w, 1.05f, 0.201f, 0.1f), up2(w, 1.25f, 0.4f, 0.5f)), 500);
    add_body(w, "ball", ball_shape(up2(w, 0.3f, 0.55f, 0.3f), 0.1f), 400);
    rill_shape rod = rill_shape_default();
    rod.kind = RILL_CAPSULE, rod.radius = 0.05f;
    rod.position = up2(w, 0.45f, 0.6f, 0.3f), rod.end = up2(w, 0.8f, 0.75f, 0.3f);
    add_body(w, "rod", rod, 1500);
    rill_joint_def joint = rill_joint_def_default();
    joint.kind = RILL_JOINT_BALL, joint.anchor = up2(w, 0.42f, 0.58f, 0.3f);
    snprintf(joint.a_name, sizeof joint.a_name, "ball");
    snprintf(joint.b_name, sizeof joint.b_name, "rod");
    ok(w, rill_world_add_joint(w, &joint, NULL));
    add_body(w, "wheel", box_shape(up2(w, 0.6f, 1.1f, 0.1f), up2(w, 1.0f, 1.2f, 0.5f)), 1000);
    joint = rill_joint_def_default();
    joint.anchor = up2(w, 0.8f, 1.15f, 0.3f), joint.axis = (rill_vec){0, 1, 0};
    joint.motor = true, joint.motor_speed = 8, joint.motor_force = 50;
    snprintf(joint.a_name, sizeof joint.a_name, "wheel");
    ok(w, rill_world_add_joint(w, &joint, NULL));
    rill_body_def door = rill_body_def_default();
    snprintf(door.name, sizeof door.name, "door");
    door.kind = RILL_BODY_KINEMATIC;
    door.shape = box_shape(up2(w, 1.35f, 0.05f, 0.1f), up2(w, 1.45f, 0.6f, 0.5f));
    door.motion.velocity = up2(w, -0.5f, 0, 0);
    door.motion.swing = 0.3f, door.motion.frequency = 1, door.motion.pivot = up2(w, 1.4f, 0.05f, 0.3f);
    if (rill_world_get_def(w)->dim == 3) door.motion.axis = (rill_vec){0, 1, 0};
    ok(w, rill_world_add_body(w, &door, NULL));
}

TEST_FN void fill_boxes(rill_world *w) {
    add_container(w, up2(w, 0, 0, 0), up2(w, 2, 2, 0.6f));
    add_box(w, up2(w, 0, 0, 0), up2(w, 2, 0.6f, 0.6f));
    for (int k = 0; k < 2; k++) {
        rill_body_def box = rill_body_def_default();
        snprintf(box.name, sizeof box.name, "box%d", k);
        box.shape.min = up2(w, 0.6f + 0.4f * (float)k, 0.62f, 0.2f);
        box.shape.max = up2(w, 0.9f + 0.4f * (float)k, 0.82f, 0.4f);
        box.density = 600, box.velocity = up2(w, 0, -1, 0);
        ok(w, rill_world_add_body(w, &box, NULL));
    }
    rill_joint_def hinge = rill_joint_def_default();
    hinge.kind = RILL_JOINT_HINGE;
    snprintf(hinge.a_name, sizeof hinge.a_name, "box0"), snprintf(hinge.b_name, sizeof hinge.b_name, "box1");
    hinge.anchor = up2(w, 0.95f, 0.72f, 0.3f);
    if (rill_world_get_def(w)->dim == 3) hinge.axis = (rill_vec){0, 1, 0};
    ok(w, rill_world_add_joint(w, &hinge, NULL));
}

/* With clavet the water of two scenes has springs, made as it flows in the jet and once in the periodic channel. */
TEST_FN void add_springs(rill_world *w, scene s) {
    if (strcmp(rill_world_get_def(w)->method, "clavet") != 0 || (s != SCENE_JET && s != SCENE_PERIODIC)) return;
    const rill_ref ref = rill_ref_fluid(rill_world_fluid_at(w, 0));
    ok(w, rill_world_set_text(w, ref, "clavet.springs", s == SCENE_JET ? "flowing" : "fixed"));
    ok(w, rill_world_set_number(w, ref, "clavet.shear_modulus", 200));
    ok(w, rill_world_set_number(w, ref, "clavet.stretch_rate", 20));
    ok(w, rill_world_set_number(w, ref, "clavet.compress_rate", 10));
}

TEST_FN rill_world *make_scene_with(scene s, rill_world_def def) {
    if (s == SCENE_PERIODIC) {
        def.periodic = def.dim == 2 ? (rill_vec){1, 0, 0} : (rill_vec){1, 0.5f, 0};
        def.gravity = (rill_vec){0.5f, 0, 0};
    }
    rill_world *w = create(&def);
    add_water(w);
    add_springs(w, s);
    switch (s) {
    case SCENE_DAM:
        fill_dam(w);
        break;
    case SCENE_JET:
        fill_jet(w);
        break;
    case SCENE_PERIODIC:
        fill_periodic(w);
        break;
    case SCENE_STIRRED:
        fill_stirred(w);
        break;
    case SCENE_BODIES:
        fill_bodies(w);
        break;
    case SCENE_BOXES:
        fill_boxes(w);
        break;
    case SCENE_COUNT:
        break;
    }
    return w;
}

TEST_FN rill_world *make_scene(scene s, int dim, const char *method, int workers, rill_simd simd) {
    rill_world_def def = small_def(dim, method);
    def.workers = workers, def.simd = (int32_t)simd;
    return make_scene_with(s, def);
}

/* Adaptive steps, so that the choice of the step is part of the result. */
TEST_FN void take_steps(rill_world *w, int steps) {
    for (int k = 0; k < steps; k++) ok(w, rill_world_step_adaptive(w, 0.01));
}

/* ---- snapshots in memory ---- */

TEST_FN bytes save(rill_world *w) {
    bytes b = {0};
    ok(w, rill_world_save(w, append_bytes, &b));
    return b;
}

/* A copy of the world, loaded from its snapshot. */
TEST_FN rill_world *reload(rill_world *w) {
    rill_world_def hooks = rill_world_def_default(2);
    hooks.workers = 1;
    bytes b = save(w);
    rill_error error = {0};
    rill_world *copy = rill_world_load(b.data, b.size, &hooks, &error);
    free(b.data);
    if (!copy) fail_msg("%s", error.text);
    return copy;
}

/* Number of fluid particles in a box. */
TEST_FN int count_inside(rill_world *w, rill_vec min, rill_vec max) {
    rill_gauge_def def = rill_gauge_def_default();
    def.kind = RILL_GAUGE_COUNT, def.in_region = true, def.min = min, def.max = max;
    rill_gauge_id id;
    rill_reading reading;
    ok(w, rill_world_add_gauge(w, &def, &id));
    ok(w, rill_world_read_gauge(w, id, &reading));
    ok(w, rill_world_remove_gauge(w, id));
    return (int)reading.value[0];
}

#endif

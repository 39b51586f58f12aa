/* SPDX-License-Identifier: MIT */
/* Gauges against states whose values are known. */
#include "unit/worlds.h"

static rill_reading read(rill_world *w, const rill_gauge_def *def) {
    rill_gauge_id id;
    rill_reading reading;
    ok(w, rill_world_add_gauge(w, def, &id));
    ok(w, rill_world_read_gauge(w, id, &reading));
    ok(w, rill_world_remove_gauge(w, id));
    return reading;
}

static rill_reading read_kind(rill_world *w, rill_gauge_kind kind) {
    rill_gauge_def def = rill_gauge_def_default();
    def.kind = (int32_t)kind;
    return read(w, &def);
}

static rill_world *block_in_a_tank(int dim, float width, float height, float depth) {
    const rill_world_def def = small_def(dim, "wcsph");
    rill_world *w = create(&def);
    add_water(w);
    add_container(w, up2(w, 0, 0, 0), up2(w, 1.0f, 1.5f, depth));
    add_box(w, up2(w, 0, 0, 0), up2(w, width, height, depth));
    return w;
}

/* On the floor, in the middle and along a wall: the surface of a block is where it was cut. */
static void height(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        const float heights[] = {0.3f, 0.55f};
        for (int k = 0; k < 2; k++) {
            rill_world *w = block_in_a_tank(dim, 1.0f, heights[k], 0.4f);
            rill_gauge_def def = rill_gauge_def_default();
            def.kind = RILL_GAUGE_HEIGHT, def.direction = up2(w, 0, 2, 0), def.length = 1.4f;
            const float places[] = {0.5f, 0.31f, 0.03f, 0.98f};
            for (int p = 0; p < 4; p++) {
                def.position = up2(w, places[p], 0, 0.2f);
                assert_near(read(w, &def).value[0], heights[k], 0.05 / 4);
            }
            def.position = up2(w, 0.5f, 0.9f, 0.2f); /* above the water there is none */
            assert_true(isnan(read(w, &def).value[0]));
            def.position = up2(w, 0.5f, 0, 0.2f), def.length = 0.2f; /* the line ends under water */
            assert_near(read(w, &def).value[0], 0.2, 1e-6);
            rill_world_destroy(w);
        }
    }
}

/* A drop above the water is the highest fluid, but not connected to the front. */
static void front_and_drops(void **state) {
    (void)state;
    rill_world *w = block_in_a_tank(2, 0.5f, 0.3f, 0);
    add_box(w, up2(w, 0.7f, 0.0f, 0), up2(w, 0.9f, 0.2f, 0));
    rill_gauge_def def = rill_gauge_def_default();
    def.kind = RILL_GAUGE_FRONT, def.position = up2(w, 0, 0.1f, 0), def.direction = (rill_vec){1, 0, 0},
    def.length = 1.0f;
    assert_near(read(w, &def).value[0], 0.5, 0.05 / 2);
    def.kind = RILL_GAUGE_HEIGHT; /* the farthest fluid on the line, connected or not */
    assert_near(read(w, &def).value[0], 0.9, 0.05 / 2);
    rill_world_destroy(w);
}

/* A block of whole particles may leave a gap at the wall where the line begins; a dry line has no front. */
static void front_from_a_wall(void **state) {
    (void)state;
    for (float spacing = 0.03f; spacing < 0.1f; spacing += 0.0025f) {
        rill_world_def wd = small_def(2, "wcsph");
        wd.spacing = spacing;
        rill_world *w = create(&wd);
        add_water(w);
        add_container(w, up2(w, 0, 0, 0), up2(w, 4, 3, 0));
        add_box(w, up2(w, 0, 0, 0), up2(w, 1, 2, 0));
        rill_gauge_def def = rill_gauge_def_default();
        def.kind = RILL_GAUGE_FRONT, def.position = up2(w, 0, 0.0125f, 0), def.direction = (rill_vec){1, 0, 0},
        def.length = 4.0f;
        assert_near(read(w, &def).value[0], 1, spacing);
        def.position = up2(w, 1.5f, 0.0125f, 0), def.length = 1.0f;
        assert_true(isnan(read(w, &def).value[0]));
        rill_world_destroy(w);
    }
}

/* A particle far out on the line must not disturb the reading. */
static void a_lost_particle_on_the_line(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        rill_world *w = block_in_a_tank(2, 1.0f, 0.3f, 0);
        rill_gauge_def def = rill_gauge_def_default();
        def.kind = RILL_GAUGE_HEIGHT, def.position = up2(w, 0.5f, 0, 0), def.length = 1.0f;
        const float far[] = {1e6f, 1e9f, -1e9f, 1e15f};
        ok(w, rill_world_add_particle(w, (rill_fluid_id){1, 1}, (rill_vec){0.5f, far[k], 0}, (rill_vec){0}, NULL));
        assert_near(read(w, &def).value[0], 0.3, 0.05 / 4);
        rill_world_destroy(w);
    }
}

static void points(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world_def wd = small_def(dim, "wcsph");
        wd.gravity = (rill_vec){0};
        rill_world *w = create(&wd);
        add_water(w);
        rill_block_def block = rill_block_def_default();
        block.shape.max = (rill_vec){0.6f, 0.6f, 0.6f}, block.velocity = (rill_vec){1, -2, 0.5f};
        ok(w, rill_world_add_block(w, &block, NULL));
        ok(w, rill_world_step(w, 1e-8));
        rill_gauge_def def = rill_gauge_def_default();
        def.position = (rill_vec){0.31f, 0.27f, 0.3f};
        def.kind = RILL_GAUGE_DENSITY;
        assert_near(read(w, &def).value[0], 1000, 1);
        def.kind = RILL_GAUGE_VELOCITY;
        const rill_reading v = read(w, &def);
        assert_int_equal(v.count, dim);
        assert_near(v.value[0], 1, 1e-3);
        assert_near(v.value[1], -2, 1e-3);
        if (dim == 3) assert_near(v.value[2], 0.5, 1e-3);
        def.position = (rill_vec){5, 5, 5}; /* without fluid, density and pressure are 0 and the velocity is unknown */
        for (int kind = RILL_GAUGE_DENSITY; kind <= RILL_GAUGE_PRESSURE; kind++) {
            def.kind = kind;
            assert_near(read(w, &def).value[0], 0, 0);
        }
        def.kind = RILL_GAUGE_VELOCITY;
        for (int axis = 0; axis < dim; axis++) assert_true(isnan(read(w, &def).value[axis]));
        rill_world_destroy(w);
    }
}

static void sums(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world_def wd = small_def(dim, "wcsph");
        wd.gravity = (rill_vec){0, -10, 0};
        wd.calibrate_mass = false;
        rill_world *w = create(&wd);
        add_water(w);
        rill_block_def block = rill_block_def_default();
        block.shape.min = (rill_vec){1, 2, 0}, block.shape.max = (rill_vec){1.5f, 2.5f, 0.5f};
        block.velocity = (rill_vec){1, 2, 0};
        ok(w, rill_world_add_block(w, &block, NULL));
        const double mass = 1000 * (dim == 2 ? 0.25 : 0.125);
        assert_near(rill_world_stats(w)->potential_energy, mass * 10 * 2.25, 1e-4 * mass); /* before any step */
        assert_near(rill_world_stats(w)->kinetic_energy, 0.5 * mass * 5, 1e-4 * mass);
        assert_near(read_kind(w, RILL_GAUGE_KINETIC_ENERGY).value[0], 0.5 * mass * 5, 1e-4 * mass);
        assert_near(read_kind(w, RILL_GAUGE_POTENTIAL_ENERGY).value[0], mass * 10 * 2.25, 1e-4 * mass);
        const rill_reading p = read_kind(w, RILL_GAUGE_MOMENTUM), c = read_kind(w, RILL_GAUGE_CENTRE);
        assert_int_equal(p.count, dim);
        assert_near(p.value[0], mass, 1e-5 * mass);
        assert_near(p.value[1], 2 * mass, 1e-5 * mass);
        assert_near(c.value[0], 1.25, 1e-5);
        assert_near(c.value[1], 2.25, 1e-5);
        const int all = rill_world_particle_count(w);
        assert_near(read_kind(w, RILL_GAUGE_COUNT).value[0], all, 0);
        rill_gauge_def count = rill_gauge_def_default();
        count.kind = RILL_GAUGE_COUNT, count.in_region = true;
        count.min = (rill_vec){0, 0, -1}, count.max = (rill_vec){1.25f, 3, 1};
        assert_near(read(w, &count).value[0], all / 2, 0);
        /* statistics of a step agree with the gauges */
        ok(w, rill_world_step(w, 1e-6));
        assert_near(read_kind(w, RILL_GAUGE_KINETIC_ENERGY).value[0], rill_world_stats(w)->kinetic_energy, 1e-6 * mass);
        assert_near(read_kind(w, RILL_GAUGE_POTENTIAL_ENERGY).value[0], rill_world_stats(w)->potential_energy,
                    1e-6 * mass);
        rill_world_destroy(w);
    }
}

static void only_the_named_fluid(void **state) {
    (void)state;
    rill_world *w = make_scene(SCENE_STIRRED, 2, "wcsph", 1, RILL_SIMD_AUTO);
    rill_gauge_def count = rill_gauge_def_default();
    count.kind = RILL_GAUGE_COUNT;
    const double all = read(w, &count).value[0];
    snprintf(count.fluid_name, sizeof count.fluid_name, "oil");
    const double oil = read(w, &count).value[0];
    snprintf(count.fluid_name, sizeof count.fluid_name, "%s", rill_world_fluid_def(w, rill_world_fluid_at(w, 0))->name);
    assert_true(oil > 0 && oil < all);
    assert_near(read(w, &count).value[0] + oil, all, 0);
    rill_world_destroy(w);
}

static rill_gauge_id add_force_gauge(rill_world *w, const char *solid, double window) {
    rill_gauge_def def = rill_gauge_def_default();
    def.kind = RILL_GAUGE_FORCE, def.window = (float)window;
    snprintf(def.solid_name, sizeof def.solid_name, "%s", solid);
    rill_gauge_id id;
    ok(w, rill_world_add_gauge(w, &def, &id));
    return id;
}

static void add_plane(rill_world *w, const char *name, rill_vec position, rill_vec normal) {
    rill_solid_def plane = rill_solid_def_default();
    snprintf(plane.name, sizeof plane.name, "%s", name);
    plane.shape.kind = RILL_HALF_SPACE, plane.shape.position = position, plane.shape.normal = normal;
    ok(w, rill_world_add_solid(w, &plane, NULL));
}

/* Settles viscous water 0.4 m deep on 0.8 m (by 0.8 m) of floor. Returns the force on the solids over the weight of the
   water, as a mean over 0.4 s, in which the pulses of contacts even out. */
static double carried_weight(int dim, int walls, bool tank, int solids, double *sideways) {
    rill_world_def wd = small_def(dim, "wcsph");
    wd.walls = walls, wd.spacing = dim == 2 ? 0.05f : 0.1f;
    if (!tank) wd.periodic = dim == 2 ? (rill_vec){0.8f, 0, 0} : (rill_vec){0.8f, 0.8f, 0};
    rill_world *w = create(&wd);
    rill_fluid_def thick = rill_fluid_def_default();
    thick.viscosity = 5.0f;
    ok(w, rill_world_add_fluid(w, &thick, NULL));
    add_plane(w, "s0", (rill_vec){0}, up2(w, 0, 1, 0));
    add_plane(w, "s1", (rill_vec){0}, up2(w, 1, 0, 0)), add_plane(w, "s2", up2(w, 0.8f, 0, 0), up2(w, -1, 0, 0));
    add_plane(w, "s3", (rill_vec){0}, up2(w, 0, dim == 2, 1)),
        add_plane(w, "s4", up2(w, 0, 0, 0.8f), up2(w, 0, dim == 2, -1));
    for (int k = 1; k <= 4; k++) { /* only a tank has sides, and only as many as it has axes */
        char name[8];
        snprintf(name, sizeof name, "s%d", k);
        if (!tank || (dim == 2 && k > 2)) ok(w, rill_world_remove_solid(w, rill_world_find_solid(w, name)));
    }
    add_box(w, up2(w, 0, 0, 0), up2(w, 0.8f, 0.4f, 0.8f));
    rill_gauge_id gauges[5];
    rill_reading reading;
    for (int k = 0; k < solids; k++) {
        char name[8];
        snprintf(name, sizeof name, "s%d", k);
        gauges[k] = add_force_gauge(w, name, 0.4);
    }
    ok(w, rill_world_advance(w, 1.2));
    double up = 0, side = 0;
    for (int k = 0; k < solids; k++) {
        ok(w, rill_world_read_gauge(w, gauges[k], &reading));
        assert_int_equal(reading.count, dim);
        up += reading.value[dim - 1], side += reading.value[0];
    }
    const double weight = rill_world_stats(w)->potential_energy / read_kind(w, RILL_GAUGE_CENTRE).value[dim - 1];
    *sideways = side / weight;
    rill_world_destroy(w);
    return -up / weight;
}

/* A plate under water without sides carries all of its weight; so do all solids of a tank together. */
static void weight_on_a_plate(void **state) {
    (void)state;
    for (int walls = 0; walls < 2; walls++)
        for (int dim = 2; dim <= 3; dim++) {
            double sideways;
            assert_near(carried_weight(dim, walls, false, 1, &sideways), 1, 0.03);
            assert_near(sideways, 0, 0.01);
            assert_near(carried_weight(dim, walls, true, dim == 2 ? 3 : 5, &sideways), 1, 0.03);
            assert_near(sideways, 0, 0.02);
        }
}

/* Neither the state nor a later reading of a gauge depends on earlier readings. */
static void reading_changes_nothing(void **state) {
    (void)state;
    rill_world *read_often = make_scene(SCENE_STIRRED, 2, "wcsph", 1, RILL_SIMD_AUTO);
    rill_world *never = make_scene(SCENE_STIRRED, 2, "wcsph", 1, RILL_SIMD_AUTO);
    const char *name = rill_world_solid_def(never, rill_world_solid_at(never, 0))->name;
    const rill_gauge_id often = add_force_gauge(read_often, name, 0.02), once = add_force_gauge(never, name, 0.02);
    rill_reading x = {0}, y;
    for (int step = 0; step < 10; step++) {
        for (int kind = RILL_GAUGE_HEIGHT; kind < RILL_GAUGE_FORCE; kind++)
            read_kind(read_often, (rill_gauge_kind)kind);
        ok(read_often, rill_world_read_gauge(read_often, often, &x));
        take_steps(read_often, 1), take_steps(never, 1);
        assert_true(rill_world_hash(read_often) == rill_world_hash(never));
    }
    for (int k = 0; k < 2; k++) ok(read_often, rill_world_read_gauge(read_often, often, &x));
    ok(never, rill_world_read_gauge(never, once, &y));
    assert_true(fabs(x.value[1]) > 0);
    assert_memory_equal(x.value, y.value, sizeof x.value[0] * 2);
    rill_world_destroy(read_often);
    rill_world_destroy(never);
}

/* The force is the impulse of the last steps over their time, also before the window is full. The parts of a window are
   not steps, so that the oldest one counts in part: the sum may be off by the variation within that part. */
static void force_is_a_mean_over_its_window(void **state) {
    (void)state;
    enum { STEPS = 60 };
    const double dt = 1e-3, windows[] = {0, (double)4e-4f, (double)4e-3f, (double)10.5e-3f, 1};
    for (int n = 0; n < 5; n++) {
        rill_world *w = make_scene(SCENE_STIRRED, 2, "wcsph", 1, RILL_SIMD_AUTO);
        const char *name = rill_world_solid_def(w, rill_world_solid_at(w, 0))->name;
        const rill_gauge_id last = add_force_gauge(w, name, 0), mean = add_force_gauge(w, name, windows[n]);
        rill_reading step, window;
        ok(w, rill_world_read_gauge(w, mean, &window));
        assert_true(isnan(window.value[0]) && isnan(window.value[1])); /* nothing was measured yet */
        double force[STEPS];
        for (int k = 0; k < STEPS; k++) {
            ok(w, rill_world_step(w, dt));
            ok(w, rill_world_read_gauge(w, last, &step));
            ok(w, rill_world_read_gauge(w, mean, &window));
            force[k] = step.value[1];
            double sum = 0, time = 0, varies = 0;
            for (int back = k; back >= 0 && time < windows[n]; back--) {
                const double share = fmin(dt, windows[n] - time);
                sum += share * force[back], time += share;
                if (share < dt) varies = windows[n] / 16 * fabs(force[back] - (back > 0 ? force[back - 1] : 0));
            }
            if (windows[n] <= dt) sum = force[k], time = 1;
            assert_near(window.value[1], sum / time, 1e-9 * fabs(force[k]) + varies / time);
        }
        rill_world_destroy(w);
    }
}

/* A plate hit off its middle by a slug of water: the torque is the lever times the force, about the right point. */
static void torque_is_lever_times_force(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int of_body = 0; of_body < 2; of_body++) {
            rill_world_def def = small_def(dim, "wcsph");
            def.gravity = (rill_vec){0};
            rill_world *w = create(&def);
            add_water(w);
            const rill_shape plate = box_shape(up2(w, 0, -1, -0.5f), up2(w, 0.1f, 1, 0.5f));
            if (of_body) {
                rill_body_def body = rill_body_def_default();
                body.kind = RILL_BODY_FIXED, body.shape = plate;
                snprintf(body.name, sizeof body.name, "plate");
                ok(w, rill_world_add_body(w, &body, NULL));
            } else {
                rill_solid_def solid = rill_solid_def_default();
                solid.shape = plate, solid.motion.pivot = up2(w, 0.05f, 0, 0);
                snprintf(solid.name, sizeof solid.name, "plate");
                ok(w, rill_world_add_solid(w, &solid, NULL));
            }
            rill_block_def slug = rill_block_def_default();
            slug.shape = box_shape(up2(w, -0.3f, 0.5f, -0.1f), up2(w, -0.05f, 0.7f, 0.1f));
            slug.velocity = (rill_vec){2, 0, 0};
            ok(w, rill_world_add_block(w, &slug, NULL));
            rill_gauge_def gauge = rill_gauge_def_default();
            snprintf(gauge.solid_name, sizeof gauge.solid_name, "plate");
            gauge.window = 0.1f;
            gauge.kind = RILL_GAUGE_FORCE;
            ok(w, rill_world_add_gauge(w, &gauge, NULL));
            gauge.kind = RILL_GAUGE_TORQUE;
            ok(w, rill_world_add_gauge(w, &gauge, NULL));
            ok(w, rill_world_advance(w, 0.1));
            rill_reading force, torque;
            ok(w, rill_world_read_gauge(w, rill_world_gauge_at(w, 0), &force));
            ok(w, rill_world_read_gauge(w, rill_world_gauge_at(w, 1), &torque));
            assert_true(force.value[0] > 1);
            assert_int_equal(torque.count, dim == 2 ? 1 : 3);
            /* About z in the plane, about y in space, where up is z. */
            const double about = dim == 2 ? torque.value[0] : torque.value[1];
            assert_near(about / force.value[0], dim == 2 ? -0.6 : 0.6, 0.06);
            rill_world_destroy(w);
        }
}

static void bodies_and_joints_have_gauges_for_turning(void **state) {
    (void)state;
    rill_world_def def = small_def(3, "wcsph");
    rill_world *w = create(&def);
    add_body(w, "arm", box_shape((rill_vec){0, -0.1f, -0.1f}, (rill_vec){1, 0.1f, 0.1f}), 1000);
    rill_joint_def joint = rill_joint_def_default();
    joint.kind = RILL_JOINT_FIXED;
    snprintf(joint.a_name, sizeof joint.a_name, "arm");
    snprintf(joint.name, sizeof joint.name, "root");
    ok(w, rill_world_add_joint(w, &joint, NULL));
    add_body(w, "top", ball_shape((rill_vec){0, 0, 5}, 0.1f), 1000);
    ok(w, rill_world_body_set_velocity(w, rill_world_find_body(w, "top"), (rill_vec){0}, (rill_vec){1, 2, 3}));
    rill_gauge_def gauge = rill_gauge_def_default();
    gauge.kind = RILL_GAUGE_JOINT_TORQUE;
    assert_int_equal(rill_world_add_gauge(w, &gauge, NULL), RILL_NOT_FOUND);
    snprintf(gauge.joint_name, sizeof gauge.joint_name, "root");
    ok(w, rill_world_add_gauge(w, &gauge, NULL));
    gauge.kind = RILL_GAUGE_BODY_SPIN;
    assert_int_equal(rill_world_add_gauge(w, &gauge, NULL), RILL_NOT_FOUND);
    snprintf(gauge.body_name, sizeof gauge.body_name, "top");
    ok(w, rill_world_add_gauge(w, &gauge, NULL));
    for (int k = 0; k < 60; k++) ok(w, rill_world_step(w, 1.0 / 120));
    rill_reading torque, spin;
    ok(w, rill_world_read_gauge(w, rill_world_gauge_at(w, 0), &torque));
    ok(w, rill_world_read_gauge(w, rill_world_gauge_at(w, 1), &spin));
    assert_near(torque.value[0], 40 * 9.81 * 0.5, 2); /* a beam of 40 kg, held at its end */
    assert_int_equal(spin.count, 3);
    assert_near(spin.value[2], 3, 1e-5);
    rill_world_destroy(w);
}

/* A body that turns about an axis has an angle about that axis, whole turns included, and none about the axes across
   it. */
static void angle_of_a_body_in_space(void **state) {
    (void)state;
    const rill_vec axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {3, 0, 4}};
    rill_world_def def = small_def(3, "wcsph");
    def.gravity = (rill_vec){0};
    for (int k = 0; k < 4; k++) {
        rill_world *w = create(&def);
        add_body(w, "ball", ball_shape((rill_vec){0}, 0.1f), 1000);
        const float length = k < 3 ? 1.0f : 5.0f, spin = -9.0f / length;
        const rill_vec turn = {spin * axes[k].x, spin * axes[k].y, spin * axes[k].z};
        ok(w, rill_world_body_set_velocity(w, rill_world_find_body(w, "ball"), (rill_vec){0}, turn));
        rill_gauge_def gauge = rill_gauge_def_default();
        gauge.kind = RILL_GAUGE_BODY_ANGLE;
        snprintf(gauge.body_name, sizeof gauge.body_name, "ball");
        for (int n = 0; n < 4; n++) {
            gauge.axis = axes[n];
            ok(w, rill_world_add_gauge(w, &gauge, NULL));
        }
        for (int step = 1; step <= 240; step++) {
            rill_reading along;
            ok(w, rill_world_step(w, 1.0 / 120));
            ok(w, rill_world_read_gauge(w, rill_world_gauge_at(w, k), &along));
            assert_near(along.value[0], -9.0 * step / 120, 1e-4);
        }
        for (int n = 0; n < 3; n++) {
            rill_reading across;
            ok(w, rill_world_read_gauge(w, rill_world_gauge_at(w, n), &across));
            if (k < 3 && n != k) assert_near(across.value[0], 0, 1e-6);
        }
        rill_world_destroy(w);
    }
}

/* Points and lines see the fluid beyond a periodic face as they see it in the middle, and lines go on through it. */
static void periodic_faces_are_not_seen(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world_def def = small_def(dim, "wcsph");
        def.periodic = (rill_vec){1, 0, 0};
        rill_world *w = create(&def);
        add_water(w);
        add_box(w, up2(w, 0, 0, 0), up2(w, 1, 0.5f, 0.4f));
        rill_gauge_def level = rill_gauge_def_default(), through = level, density = level;
        level.kind = RILL_GAUGE_HEIGHT, level.direction = up2(w, 0, 1, 0);
        density.kind = RILL_GAUGE_DENSITY;
        through.kind = RILL_GAUGE_FRONT, through.direction = (rill_vec){1, 0, 0}, through.length = 2.5f;
        ok(w, rill_world_step(w, 1e-6)); /* computes densities */
        const float places[] = {0.525f, 0.025f, 0.975f, 1.025f, -0.475f, 1.525f, 0, 1};
        double heights[8], densities[8];
        for (int k = 0; k < 8; k++) {
            level.position = up2(w, places[k], 0, 0.2f), density.position = up2(w, places[k], 0.475f, 0.2f);
            heights[k] = read(w, &level).value[0], densities[k] = read(w, &density).value[0];
            assert_near(heights[k], heights[k < 6 ? 0 : 6], 1e-5);
            assert_near(densities[k], densities[k < 6 ? 0 : 6], 0.01);
            assert_near(heights[k], 0.5, 0.05 / 4);
        }
        through.position = up2(w, 0.3f, 0.25f, 0.2f);
        assert_near(read(w, &through).value[0], 2.5, 1e-6);
        through.direction.x = -1;
        assert_near(read(w, &through).value[0], 2.5, 1e-6);
        rill_fluid_sample at_face;
        ok(w, rill_world_sample_fluid(w, up2(w, 0, 0.25f, 0.2f), 1, &at_face));
        assert_true(at_face.inside);
        assert_near((double)at_face.depth, heights[6] - 0.25, 1e-5);
        rill_world_destroy(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(height),
        cmocka_unit_test(front_and_drops),
        cmocka_unit_test(front_from_a_wall),
        cmocka_unit_test(a_lost_particle_on_the_line),
        cmocka_unit_test(points),
        cmocka_unit_test(periodic_faces_are_not_seen),
        cmocka_unit_test(sums),
        cmocka_unit_test(angle_of_a_body_in_space),
        cmocka_unit_test(only_the_named_fluid),
        cmocka_unit_test(weight_on_a_plate),
        cmocka_unit_test(reading_changes_nothing),
        cmocka_unit_test(force_is_a_mean_over_its_window),
        cmocka_unit_test(torque_is_lever_times_force),
        cmocka_unit_test(bodies_and_joints_have_gauges_for_turning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

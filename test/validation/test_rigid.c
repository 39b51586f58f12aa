/* SPDX-License-Identifier: MIT */
/* Rigid bodies by themselves, against mechanics: pendulums, stacks, slopes, chains, motors, momentum. */
#include "rill/rill.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define G  9.81
#define PI 3.14159265358979323846

/* How long a stack has to stand and a chain to swing [s]. */
#ifdef RILL_SANITIZED
#define STACK_SECONDS 2
#define CHAIN_SECONDS 1
#else
#define STACK_SECONDS 20
#define CHAIN_SECONDS 5
#endif

static void ok(rill_world *w, rill_status status) {
    if (status != RILL_OK) fail_msg("%s", rill_world_message(w));
}

static rill_world *empty_world(int dim, double gravity) {
    rill_world_def def = rill_world_def_default(dim);
    def.workers = 1;
    def.sleep_time = 0; /* bodies must come to rest by themselves, not by falling asleep */
    def.gravity = (rill_vec){0};
    *(dim == 2 ? &def.gravity.y : &def.gravity.z) = (float)-gravity;
    rill_error error;
    rill_world *w = rill_world_create(&def, &error);
    if (!w) fail_msg("%s", error.text);
    return w;
}

static rill_body_id add_box(rill_world *w, const char *name, rill_vec min, rill_vec max, double friction) {
    rill_body_def def = rill_body_def_default();
    snprintf(def.name, sizeof def.name, "%s", name);
    def.shape.kind = RILL_BOX;
    def.shape.min = min;
    def.shape.max = max;
    def.friction = (float)friction;
    rill_body_id id;
    ok(w, rill_world_add_body(w, &def, &id));
    return id;
}

static rill_body_id add_ball(rill_world *w, const char *name, rill_vec at, double radius) {
    rill_body_def def = rill_body_def_default();
    snprintf(def.name, sizeof def.name, "%s", name);
    def.shape.kind = RILL_SPHERE;
    def.shape.position = at;
    def.shape.radius = (float)radius;
    rill_body_id id;
    ok(w, rill_world_add_body(w, &def, &id));
    return id;
}

static rill_joint_id add_joint(rill_world *w, rill_joint_kind kind, const char *a, const char *b, rill_vec anchor,
                               rill_vec axis) {
    rill_joint_def def = rill_joint_def_default();
    def.kind = kind;
    snprintf(def.a_name, sizeof def.a_name, "%s", a);
    snprintf(def.b_name, sizeof def.b_name, "%s", b);
    def.anchor = anchor;
    def.axis = axis;
    rill_joint_id id;
    ok(w, rill_world_add_joint(w, &def, &id));
    return id;
}

static void set_motor(rill_world *w, rill_joint_id id, double speed, double most) {
    const rill_ref joint = rill_ref_joint(id);
    ok(w, rill_world_set_text(w, joint, "motor", "true"));
    ok(w, rill_world_set_number(w, joint, "motor_speed", speed));
    ok(w, rill_world_set_number(w, joint, "motor_force", most));
}

static void add_floor(rill_world *w, rill_vec normal) {
    rill_solid_def def = rill_solid_def_default();
    def.shape.kind = RILL_HALF_SPACE;
    def.shape.normal = normal;
    ok(w, rill_world_add_solid(w, &def, NULL));
}

static rill_body_state state_of(rill_world *w, rill_body_id id) {
    rill_body_state s;
    ok(w, rill_world_body_state(w, id, &s));
    return s;
}

static void run(rill_world *w, double dt, double time) {
    while (rill_world_stats(w)->time < time - 0.5 * dt) ok(w, rill_world_step(w, dt));
}

/* Period [s] of a small swing about x = `pivot_x`, from its zero crossings. */
static double period_of(rill_world *w, rill_body_id id, double dt, double pivot_x) {
    double first = -1, last = -1, before = 0;
    int crossings = 0;
    for (int k = 0; k < 4000; k++) {
        ok(w, rill_world_step(w, dt));
        const double x = (double)state_of(w, id).position.x - pivot_x, t = rill_world_stats(w)->time;
        if (k > 0 && (before < 0) != (x < 0)) {
            const double at = t - dt * x / (x - before);
            if (first < 0) first = at;
            last = at;
            if (++crossings == 9) break;
        }
        before = x;
    }
    assert_int_equal(crossings, 9);
    return (last - first) / 4;
}

static void pendulum(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        /* A rod of 1 m hung at its end: T = 2 pi sqrt(2 L/(3 g)) if it were thin; here with its true inertia and
           corrected for the amplitude. */
        rill_world *w = empty_world(dim, G);
        const double tilt = 0.1, length = 1, half = 0.5 * length;
        const rill_vec hinge = {0, 0, 0};
        rill_body_def def = rill_body_def_default();
        snprintf(def.name, sizeof def.name, "rod");
        def.shape.kind = RILL_CAPSULE;
        def.shape.radius = 0.02f;
        def.shape.position = (rill_vec){0};
        def.shape.end = (rill_vec){(float)(length * sin(tilt)), 0, 0};
        *(dim == 2 ? &def.shape.end.y : &def.shape.end.z) = (float)(-length * cos(tilt));
        rill_body_id rod;
        ok(w, rill_world_add_body(w, &def, &rod));
        add_joint(w, RILL_JOINT_HINGE, "rod", "", hinge, (rill_vec){0, 1, 0});
        const rill_body_state s = state_of(w, rod);
        const double about = (dim == 2 ? (double)s.inertia.z : (double)s.inertia.y) + (double)s.mass * half * half;
        const double exact = 2 * PI * sqrt(about / ((double)s.mass * G * half)) * (1 + tilt * tilt / 16);
        const double measured = period_of(w, rod, 1.0 / 240, 0);
        print_message("%dD pendulum: %.4f s, exact %.4f s\n", dim, measured, exact);
        assert_true(fabs(measured / exact - 1) < 0.01);
        rill_world_destroy(w);
    }
}

/* Two equal point-like masses on rods of equal length, in the slow mode: omega^2 = (2 - sqrt 2) g/L. */
static void double_pendulum(void **state) {
    (void)state;
    rill_world *w = empty_world(2, G);
    const double length = 1, tilt = 0.03, lower = tilt * sqrt(2.0);
    const rill_vec a = {(float)(length * sin(tilt)), (float)(-length * cos(tilt)), 0};
    const rill_vec b = {a.x + (float)(length * sin(lower)), a.y - (float)(length * cos(lower)), 0};
    const rill_body_id first = add_ball(w, "a", a, 0.01);
    add_ball(w, "b", b, 0.01);
    rill_joint_def rod = rill_joint_def_default();
    rod.kind = RILL_JOINT_DISTANCE;
    snprintf(rod.a_name, sizeof rod.a_name, "a");
    rod.anchor = a;
    ok(w, rill_world_add_joint(w, &rod, NULL));
    snprintf(rod.b_name, sizeof rod.b_name, "b");
    rod.anchor_b = b;
    ok(w, rill_world_add_joint(w, &rod, NULL));
    const double exact = 2 * PI / sqrt((2 - sqrt(2.0)) * G / length), measured = period_of(w, first, 1.0 / 240, 0);
    print_message("double pendulum, slow mode: %.4f s, exact %.4f s\n", measured, exact);
    assert_true(fabs(measured / exact - 1) < 0.01);
    rill_world_destroy(w);
}

/* Two arms of a metre that fall from the horizontal, hinged to the world and to each other: the widest gap [m] of a
   hinge in two seconds. */
static double widest_gap(int dim, double dt) {
    rill_world *w = empty_world(dim, G);
    const char *const names[] = {"upper", "lower"};
    double widest = 0;
    for (int k = 0; k < 2; k++) {
        const float x = (float)k, thick = 0.05f;
        add_box(w, names[k], (rill_vec){x, -thick, -thick}, (rill_vec){x + 1, thick, thick}, 0);
        add_joint(w, RILL_JOINT_HINGE, names[k], k > 0 ? names[k - 1] : "", (rill_vec){x, 0, 0},
                  dim == 2 ? (rill_vec){0, 0, 1} : (rill_vec){0, 1, 0});
    }
    for (int step = 0; step < (int)(2 / dt); step++) {
        ok(w, rill_world_step(w, dt));
        widest = fmax(widest, rill_world_stats(w)->joint_gap);
    }
    rill_world_destroy(w);
    return widest;
}

/* Anchors move along chords: half the step leaves an eighth of the gap, where moving along tangents would leave a
   quarter. */
static void joints_open_with_the_third_power_of_the_step(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        const double coarse = widest_gap(dim, 1.0 / 120), fine = widest_gap(dim, 1.0 / 240);
        print_message("%dD hinges open by %.2g m in steps of 1/120 s, by %.2g m in 1/240 s\n", dim, coarse, fine);
        assert_true(coarse < 0.001 && fine > 0 && fine < coarse / 6);
    }
}

static void stack_of_ten(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = empty_world(dim, G);
        add_floor(w, dim == 2 ? (rill_vec){0, 1, 0} : (rill_vec){0, 0, 1});
        rill_body_id boxes[10];
        for (int k = 0; k < 10; k++) {
            char name[8];
            snprintf(name, sizeof name, "b%d", k);
            const float low = 0.2f * (float)k, high = low + 0.2f;
            boxes[k] = dim == 2 ? add_box(w, name, (rill_vec){0, low, 0}, (rill_vec){0.2f, high, 0}, 0.5)
                                : add_box(w, name, (rill_vec){0, 0, low}, (rill_vec){0.2f, 0.2f, high}, 0.5);
        }
        run(w, 1.0 / 120, STACK_SECONDS);
        for (int k = 0; k < 10; k++) {
            const rill_body_state s = state_of(w, boxes[k]);
            const double up = dim == 2 ? (double)s.position.y : (double)s.position.z;
            if (k == 9)
                print_message("%dD stack: top box at %.4f m (1.9), x %.4f m (0.1), %d sweeps\n", dim, up,
                              (double)s.position.x, rill_world_stats(w)->body_iterations);
            assert_true(fabs(up - (0.2 * k + 0.1)) < 0.01);
            assert_true(fabs((double)s.position.x - 0.1) < 0.01);
        }
        rill_world_destroy(w);
    }
}

/* Speed [m/s] of a box after a second on a slope, with a friction of 0.5. */
static double slide(int dim, double angle) {
    rill_world_def def = rill_world_def_default(dim);
    def.workers = 1;
    def.sleep_time = 0;
    /* The slope is level and gravity is tilted, in 3D along a diagonal, where friction per axis would be wrong. */
    const float along = (float)(G * sin(angle)), down = (float)(-G * cos(angle));
    def.gravity = dim == 2 ? (rill_vec){along, down, 0} : (rill_vec){along * 0.70710678f, along * 0.70710678f, down};
    rill_error error;
    rill_world *w = rill_world_create(&def, &error);
    if (!w) fail_msg("%s", error.text);
    add_floor(w, dim == 2 ? (rill_vec){0, 1, 0} : (rill_vec){0, 0, 1});
    const rill_body_id box = dim == 2 ? add_box(w, "box", (rill_vec){0, 0, 0}, (rill_vec){0.4f, 0.1f, 0}, 0.5)
                                      : add_box(w, "box", (rill_vec){0, 0, 0}, (rill_vec){0.4f, 0.4f, 0.1f}, 0.5);
    run(w, 1.0 / 120, 1);
    const rill_vec v = state_of(w, box).velocity;
    rill_world_destroy(w);
    return sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z));
}

static void friction_cone(void **state) {
    (void)state;
    const double limit = atan(0.5);
    for (int dim = 2; dim <= 3; dim++) {
        const double below = slide(dim, limit * 0.98), above = slide(dim, limit * 1.02);
        print_message("%dD slope: %.5f m/s at 0.98 and %.5f m/s at 1.02 of the angle of friction\n", dim, below, above);
        assert_true(below < 1e-3);
        assert_true(above > 0.02);
    }
}

typedef struct dvec {
    double x, y, z;
} dvec;

static double distance(dvec a, dvec b) {
    const double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    return sqrt(x * x + y * y + z * z);
}

/* The point `along` metres from the centre of a body, in the direction that was x when the body was added. */
static dvec point_along(const rill_body_state *s, int dim, double along) {
    const double a = (double)s->angle, x = (double)s->quaternion[0], y = (double)s->quaternion[1],
                 z = (double)s->quaternion[2], w = (double)s->quaternion[3];
    const dvec axis = dim == 2 ? (dvec){cos(a), sin(a), 0}
                               : (dvec){1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    return (dvec){(double)s->position.x + along * axis.x, (double)s->position.y + along * axis.y,
                  (double)s->position.z + along * axis.z};
}

/* All gaps between the ends of neighbouring links together are less than 1 % of the chain's length. */
static void chain_of_thirty(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = empty_world(dim, G);
        const int links = 30;
        const float length = 0.1f;
        char name[8], last[8] = "";
        rill_body_id end = {0};
        for (int k = 0; k < links; k++) {
            snprintf(name, sizeof name, "l%d", k);
            rill_body_def def = rill_body_def_default();
            snprintf(def.name, sizeof def.name, "%s", name);
            def.shape.kind = RILL_CAPSULE;
            def.shape.position = (rill_vec){length * (float)k, 0, 0};
            def.shape.end = (rill_vec){length * (float)(k + 1), 0, 0};
            def.shape.radius = 0.01f;
            ok(w, rill_world_add_body(w, &def, &end));
            add_joint(w, RILL_JOINT_BALL, name, last, (rill_vec){length * (float)k, 0, 0}, (rill_vec){0, 1, 0});
            memcpy(last, name, sizeof last);
        }
        double most = 0;
        for (int k = 0; k < 120 * CHAIN_SECONDS; k++) {
            ok(w, rill_world_step(w, 1.0 / 120));
            double gaps = 0;
            dvec end_before = {0};
            for (int n = 0; n < links; n++) {
                const rill_body_state s = state_of(w, rill_world_body_at(w, n));
                gaps += distance(end_before, point_along(&s, dim, -0.5 * (double)length));
                end_before = point_along(&s, dim, 0.5 * (double)length);
            }
            most = fmax(most, gaps / (links * (double)length));
        }
        print_message("%dD chain of 30: joints open by %.3f %% of its length at most\n", dim, 100 * most);
        assert_true(most < 0.01);
        rill_world_destroy(w);
    }
}

static void motor_reaches_its_speed_under_load(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = empty_world(dim, G);
        /* A bar driven about its end lifts its own weight: m g L/2, in 2D 490 N m and in 3D 98 N m, at worst. */
        const rill_body_id bar = dim == 2
                                     ? add_box(w, "bar", (rill_vec){0, -0.05f, 0}, (rill_vec){1, 0.05f, 0}, 0.5)
                                     : add_box(w, "bar", (rill_vec){0, -0.05f, -0.1f}, (rill_vec){1, 0.05f, 0.1f}, 0.5);
        const double weight = (double)state_of(w, bar).mass * G * 0.5;
        const rill_joint_id hinge = add_joint(w, RILL_JOINT_HINGE, "bar", "", (rill_vec){0}, (rill_vec){0, -1, 0});
        set_motor(w, hinge, 2, 4 * weight);
        run(w, 1.0 / 120, 3);
        rill_joint_state s;
        ok(w, rill_world_joint_state(w, hinge, &s));
        print_message("%dD motor: %.4f rad/s of 2, turned by %.3f rad\n", dim, (double)s.speed, (double)s.position);
        assert_true(fabs((double)s.speed - 2) < 0.02);
        set_motor(w, hinge, 2, 0.5 * weight);
        run(w, 1.0 / 120, 6);
        ok(w, rill_world_joint_state(w, hinge, &s));
        assert_true(fabs((double)s.speed - 2) > 0.2); /* too weak to hold that speed */
        rill_world_destroy(w);
    }
}

static void piston_does_not_jam(void **state) {
    (void)state;
    rill_world *w = empty_world(2, G);
    add_box(w, "piston", (rill_vec){-0.1f, 0, 0}, (rill_vec){0.1f, 0.2f, 0}, 0);
    rill_joint_def def = rill_joint_def_default();
    def.kind = RILL_JOINT_SLIDER;
    snprintf(def.a_name, sizeof def.a_name, "piston");
    def.axis = (rill_vec){0, 1, 0};
    def.limited = true;
    def.lower = -0.5f;
    def.upper = 0.5f;
    rill_joint_id slider;
    ok(w, rill_world_add_joint(w, &def, &slider));
    rill_joint_state s;
    run(w, 1.0 / 120, 2);
    ok(w, rill_world_joint_state(w, slider, &s));
    print_message("piston: rests at %.4f m of -0.5\n", (double)s.position);
    assert_true(fabs((double)s.position + 0.5) < 0.002);
    const double weight = 0.04 * 1000 * G;
    set_motor(w, slider, 0.5, 3 * weight);
    run(w, 1.0 / 120, 6);
    ok(w, rill_world_joint_state(w, slider, &s));
    print_message("piston: driven to %.4f m of 0.5\n", (double)s.position);
    assert_true(fabs((double)s.position - 0.5) < 0.002);
    rill_world_destroy(w);
}

/* Momentum and angular momentum about the origin of all bodies. */
static void momenta(rill_world *w, double p[3], double l[3]) {
    memset(p, 0, 3 * sizeof *p);
    memset(l, 0, 3 * sizeof *l);
    for (int k = 0; k < rill_world_body_count(w); k++) {
        const rill_body_state s = state_of(w, rill_world_body_at(w, k));
        const double m = (double)s.mass, x[3] = {(double)s.position.x, (double)s.position.y, (double)s.position.z};
        const double v[3] = {(double)s.velocity.x, (double)s.velocity.y, (double)s.velocity.z};
        const double spin[3] = {(double)(s.inertia.x * s.angular_velocity.x),
                                (double)(s.inertia.y * s.angular_velocity.y),
                                (double)(s.inertia.z * s.angular_velocity.z)};
        for (int n = 0; n < 3; n++) {
            p[n] += m * v[n];
            l[n] += m * (x[(n + 1) % 3] * v[(n + 2) % 3] - x[(n + 2) % 3] * v[(n + 1) % 3]) + spin[n];
        }
    }
}

static void momentum_is_kept(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = empty_world(dim, 0);
        /* Balls, and in 2D a bar, so that the inertia is diagonal however they turn. */
        const rill_body_id a = add_ball(w, "a", (rill_vec){0, 0, 0}, 0.1),
                           b = add_ball(w, "b", (rill_vec){0.5f, 0.05f, 0}, 0.15);
        if (dim == 2) add_box(w, "bar", (rill_vec){0.8f, -0.5f, 0}, (rill_vec){0.9f, 0.5f, 0}, 0.5);
        ok(w, rill_world_body_set_velocity(w, a, (rill_vec){2, 0.1f, 0}, (rill_vec){0, 0, 3}));
        ok(w, rill_world_body_set_velocity(w, b, (rill_vec){-1, 0, 0}, (rill_vec){0, 0, -5}));
        double p0[3], l0[3], p[3], l[3];
        momenta(w, p0, l0);
        run(w, 1.0 / 240, 2);
        momenta(w, p, l);
        print_message("%dD momentum: (%.6f, %.6f) kept as (%.6f, %.6f), angular %.6f as %.6f\n", dim, p0[0], p0[1],
                      p[0], p[1], l0[2], l[2]);
        for (int n = 0; n < 3; n++) {
            assert_true(fabs(p[n] - p0[n]) < 1e-4);
            assert_true(fabs(l[n] - l0[n]) < 1e-4);
        }
        const rill_vec v = state_of(w, a).velocity;
        assert_true((double)v.x < 1.5); /* they did collide */
        rill_world_destroy(w);
    }
}

static void spring_swings(void **state) {
    (void)state;
    rill_world *w = empty_world(2, 0);
    const rill_body_id ball = add_ball(w, "ball", (rill_vec){0.2f, 0, 0}, 0.05);
    rill_joint_def def = rill_joint_def_default();
    def.kind = RILL_JOINT_SPRING;
    snprintf(def.a_name, sizeof def.a_name, "ball");
    def.anchor = (rill_vec){0.2f, 0, 0};
    def.anchor_b = (rill_vec){-1, 0, 0};
    def.length = 1;
    def.stiffness = 500;
    ok(w, rill_world_add_joint(w, &def, NULL));
    const double exact = 2 * PI / sqrt(500 / (double)state_of(w, ball).mass),
                 measured = period_of(w, ball, 1.0 / 960, 0);
    print_message("spring: %.4f s, exact %.4f s\n", measured, exact);
    assert_true(fabs(measured / exact - 1) < 0.01);
    rill_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum),
        cmocka_unit_test(double_pendulum),
        cmocka_unit_test(joints_open_with_the_third_power_of_the_step),
        cmocka_unit_test(stack_of_ten),
        cmocka_unit_test(friction_cone),
        cmocka_unit_test(chain_of_thirty),
        cmocka_unit_test(motor_reaches_its_speed_under_load),
        cmocka_unit_test(piston_does_not_jam),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(spring_swings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

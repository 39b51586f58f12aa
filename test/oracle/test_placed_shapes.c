/* SPDX-License-Identifier: MIT */
/* Signed distances of every shape against points sampled on its surface, and against formulas where there is one. */
#include "oracle/check.h"
#include "oracle/placed_of.h"
#include "oracle/sim_main.h"
#include "solid/motion.h"
#include "solid/placed_solids.h"

static const double pi = 3.14159265358979323846;

static vec random_vec(uint32_t *random, float half) {
    return vec_of(
        (rill_vec){random_in(random, -half, half), random_in(random, -half, half), random_in(random, -half, half)});
}

static double distance_between(vec a, vec b) {
    double sum = 0;
    for (int axis = 0; axis < DIM; axis++) {
        const double d = (double)vec_get(a, axis) - (double)vec_get(b, axis);
        sum += d * d;
    }
    return sqrt(sum);
}

/* The normal is the direction in which the distance grows, by one metre per metre. Not checked across a ridge, where
   two faces are equally near. */
static void check_normal(const placed_shape *f, vec x) {
    vec n, before;
    const float d = rill_placed_distance(f, x, &n), e = 1e-3f;
    rill_placed_distance(f, vec_along(x, -e, n), &before);
    if (vec_dot(n, before) < 0.9f) return;
    assert_near(vec_length(n), 1, 1e-5);
    assert_near(rill_placed_distance(f, vec_along(x, e, n), NULL), d + e, 2e-4 * (double)e + 2e-6);
    assert_near(rill_placed_distance(f, vec_along(x, -e, n), NULL), d - e, 2e-4 * (double)e + 2e-6);
}

/* ---- shapes by samples of their surface ---- */

#define SAMPLES_MAX 200000
typedef struct surface {
    vec *points;
    int count;
    double gap; /* largest distance of a point of the surface from its nearest sample */
} surface;

static void sample(surface *s, vec x) {
    assert_true(s->count < SAMPLES_MAX);
    s->points[s->count++] = x;
}

static double sampled_distance(const surface *s, vec x) {
    double best = 1e30;
    for (int k = 0; k < s->count; k++) {
        const double d = distance_between(s->points[k], x);
        best = d < best ? d : best;
    }
    return best;
}

static void sample_box(surface *s, const placed_shape *f) {
    const int n = DIM == 2 ? 2000 : 60;
    s->gap = DIM == 2 ? 2.0 / n : 2.0 * 1.5 / n;
    for (int axis = 0; axis < DIM; axis++)
        for (int side = -1; side <= 1; side += 2)
            for (int a = 0; a <= n; a++)
                for (int b = 0; b <= (DIM == 3 ? n : 0); b++) {
                    vec p = {0};
                    const int u = (axis + 1) % DIM, v = (axis + 2) % DIM;
                    (&p.x)[axis] = (float)side * vec_get(f->half, axis);
                    if (DIM == 3) (&p.x)[v] = vec_get(f->half, v) * (float)(2 * b - n) / (float)n;
                    (&p.x)[u] = vec_get(f->half, u) * (float)(2 * a - n) / (float)n;
                    sample(s, rill_placed_to_world(f, p));
                }
}

static bool inside_box(const placed_shape *f, vec x) { /* by the rows of the frame, independently of the library */
    for (int axis = 0; axis < DIM; axis++) {
        double along = 0;
        for (int c = 0; c < DIM; c++)
            along += (double)f->turn[c][axis] * ((double)vec_get(x, c) - (double)vec_get(f->origin, c));
        if (fabs(along) > (double)vec_get(f->half, axis)) return false;
    }
    return true;
}

static rill_shape a_box(void) {
    rill_shape s = rill_shape_default();
    s.kind = RILL_BOX;
    s.min = (rill_vec){-0.2f, 0.1f, 0.3f}, s.max = (rill_vec){0.9f, 0.6f, 1.4f};
    return s;
}

static void box_against_samples(void **state) {
    (void)state;
    surface s = {.points = malloc(sizeof(vec) * SAMPLES_MAX)};
    for (int turned = 0; turned < 2; turned++) {
        rill_shape shape = a_box();
        if (turned) shape.angle = 0.7f, shape.axis = (rill_vec){1, 2, DIM == 3 ? -1 : 1};
        const placed_shape f = placed_of(&shape, NULL);
        shape.inside = true;
        const placed_shape container = placed_of(&shape, NULL);
        s.count = 0;
        sample_box(&s, &f);
        uint32_t random = 21;
        for (int k = 0; k < 300; k++) {
            const vec x = vec_add(f.origin, random_vec(&random, 1.2f));
            const double wanted = sampled_distance(&s, x) * (inside_box(&f, x) ? -1 : 1);
            assert_near(rill_placed_distance(&f, x, NULL), wanted, s.gap);
            assert_true(rill_placed_distance(&container, x, NULL) == -rill_placed_distance(&f, x, NULL));
            check_normal(&f, x);
            vec out, in;
            rill_placed_distance(&f, x, &out), rill_placed_distance(&container, x, &in);
            assert_near(vec_length(vec_add(out, in)), 0, 1e-6);
        }
    }
    free(s.points);
}

/* A turned box is the box with its corners turned about its centre. */
static void box_turns_the_right_way(void **state) {
    (void)state;
    rill_shape shape = rill_shape_default();
    shape.min = (rill_vec){-2, -0.5f, -0.5f}, shape.max = (rill_vec){2, 0.5f, 0.5f};
    shape.angle = (float)(pi / 6), shape.axis = (rill_vec){0, 0, 3};
    const placed_shape f = placed_of(&shape, NULL);
    /* counter-clockwise about z: the end (2, 0) moves to 2 (cos 30, sin 30) */
    const vec end = vec_of((rill_vec){2 * cosf((float)(pi / 6)), 2 * sinf((float)(pi / 6)), 0});
    vec n;
    assert_near(rill_placed_distance(&f, end, &n), 0, 1e-6);
    const vec beyond = vec_scale(end, 1.25f);
    assert_near(rill_placed_distance(&f, beyond, &n), 0.5, 1e-5);
    assert_near(n.x, cos(pi / 6), 1e-5);
    assert_near(n.y, sin(pi / 6), 1e-5);
}

/* ---- shapes by formula ---- */

static void half_space(void **state) {
    (void)state;
    rill_shape shape = rill_shape_default();
    shape.kind = RILL_HALF_SPACE;
    shape.position = (rill_vec){0.5f, -1.0f, 2.0f}, shape.normal = (rill_vec){3, 4, 0};
    const placed_shape f = placed_of(&shape, NULL);
    shape.inside = true;
    const placed_shape other = placed_of(&shape, NULL);
    uint32_t random = 22;
    for (int k = 0; k < 100; k++) {
        const vec x = random_vec(&random, 3.0f);
        const double wanted = ((double)x.x - 0.5) * 0.6 + ((double)x.y + 1) * 0.8;
        assert_near(rill_placed_distance(&f, x, NULL), wanted, 1e-5);
        assert_near(rill_placed_distance(&other, x, NULL), -wanted, 1e-5);
        check_normal(&f, x), check_normal(&other, x);
    }
}

static void sphere_and_capsule(void **state) {
    (void)state;
    rill_shape ball = rill_shape_default(), capsule = rill_shape_default();
    ball.kind = RILL_SPHERE, ball.position = (rill_vec){0.3f, -0.2f, 0.1f}, ball.radius = 0.7f;
    capsule.kind = RILL_CAPSULE, capsule.radius = 0.25f;
    capsule.position = (rill_vec){-1, 0.5f, 0}, capsule.end = (rill_vec){1, 1, DIM == 3 ? 0.5f : 0};
    const placed_shape b = placed_of(&ball, NULL), c = placed_of(&capsule, NULL);
    uint32_t random = 23;
    for (int k = 0; k < 300; k++) {
        const vec x = random_vec(&random, 2.0f);
        assert_near(rill_placed_distance(&b, x, NULL), distance_between(x, vec_of(ball.position)) - 0.7, 1e-5);
        double best = 1e30; /* closest of many points on the axis */
        for (int n = 0; n <= 2000; n++) {
            const float share = (float)n / 2000.0f;
            const vec along =
                vec_along(vec_of(capsule.position), share, vec_sub(vec_of(capsule.end), vec_of(capsule.position)));
            const double d = distance_between(x, along);
            best = d < best ? d : best;
        }
        assert_near(rill_placed_distance(&c, x, NULL), best - 0.25, 1e-3);
        if (fabsf(rill_placed_distance(&b, x, NULL) + 0.7f) > 0.05f) check_normal(&b, x);
        if (best > 0.05) check_normal(&c, x);
    }
    /* at the centre any direction will do, but there must be one */
    vec n;
    assert_near(rill_placed_distance(&b, vec_of(ball.position), &n), -0.7, 1e-6);
    assert_near(vec_length(n), 1, 1e-6);
}

/* ---- motion ---- */

/* p -> pivot + R (p - pivot) + offset: the distance to a moved solid is that of the point moved back. */
static void moved_solids(void **state) {
    (void)state;
    solid s = {.def = rill_solid_def_default()};
    s.def.shape = a_box();
    s.def.shape.angle = 0.4f;
    s.def.motion.velocity = (rill_vec){0.3f, -0.2f, DIM == 3 ? 0.1f : 0};
    s.def.motion.amplitude = (rill_vec){0.1f, 0.2f, 0}, s.def.motion.frequency = 0.5f, s.def.motion.phase = 0.3f;
    s.def.motion.spin = 1.1f, s.def.motion.swing = 0.2f, s.def.motion.pivot = (rill_vec){1, 0.5f, 0.2f};
    s.def.motion.start_time = 1.0f, s.def.motion.end_time = 5.0f;
    const placed_shape home = placed_of(&s.def.shape, NULL);
    uint32_t random = 24;
    const double times[] = {0.5, 1.0, 1.7, 3.0, 4.99, 8.0};
    for (int k = 0; k < 6; k++) {
        const double t = fmin(fmax(times[k] - 1, 0), 4), wave = sin(pi * t + (double)0.3f) - sin((double)0.3f);
        const double angle = (double)1.1f * t + (double)0.2f * wave;
        rill_motion_at(&s.def.motion, DIM, times[k], &s.pose);
        const placed_shape f = placed_of(&s.def.shape, &s.pose);
        for (int n = 0; n < 50; n++) {
            const vec p = random_vec(&random, 2.0f);
            const double px = (double)p.x - 1, py = (double)p.y - 0.5;
            vec q = p; /* where p is moved to */
            q.x = (float)(1 + cos(angle) * px - sin(angle) * py + 0.3 * t + 0.1 * wave);
            q.y = (float)(0.5 + sin(angle) * px + cos(angle) * py - 0.2 * t + 0.2 * wave);
#if DIM == 3
            q.z = (float)((double)p.z + 0.1 * t);
#endif
            assert_near(rill_placed_distance(&f, q, NULL), rill_placed_distance(&home, p, NULL), 2e-5);
        }
    }
}

/* The velocity of a solid's surface is the rate at which its points move. */
static void surface_velocity(void **state) {
    (void)state;
    solid s = {.def = rill_solid_def_default()};
    s.def.motion.velocity = (rill_vec){0.3f, -0.2f, 0}, s.def.motion.spin = 2.0f;
    s.def.motion.pivot = (rill_vec){1, 0, 0}, s.def.motion.amplitude = (rill_vec){0, 0.5f, 0};
    s.def.motion.frequency = 1.0f, s.def.motion.swing = 0.3f;
    const double t = 0.7, e = 1e-3;
    const vec point = vec_of((rill_vec){1.5f, 0.8f, 0.1f});
    vec n = {0};
    n.x = 1.0f;
    vec moved[2];
    for (int k = 0; k < 2; k++) { /* the material point that is at `point` at time t, a little before and after */
        rill_motion_at(&s.def.motion, DIM, t, &s.pose);
        const vec pivot = vec_add(vec_of(s.pose.pivot), vec_of(s.pose.offset));
        const float angle = s.pose.angle;
        const vec arm = vec_sub(point, pivot);
        rill_motion_at(&s.def.motion, DIM, t + (k ? e : -e), &s.pose);
        const float turn = s.pose.angle - angle;
        vec r = arm;
        r.x = cosf(turn) * arm.x - sinf(turn) * arm.y, r.y = sinf(turn) * arm.x + cosf(turn) * arm.y;
        moved[k] = vec_add(vec_add(vec_of(s.pose.pivot), vec_of(s.pose.offset)), r);
    }
    rill_motion_at(&s.def.motion, DIM, t, &s.pose);
    const vec v = rill_solid_velocity(&s, point, n);
    for (int axis = 0; axis < DIM; axis++)
        assert_near(vec_get(v, axis), ((double)vec_get(moved[1], axis) - (double)vec_get(moved[0], axis)) / (2 * e),
                    2e-3);
    /* a conveyor moves along its surface only */
    s.def.motion = rill_solid_def_default().motion;
    s.def.surface_velocity = (rill_vec){5, 7, 0};
    rill_motion_at(&s.def.motion, DIM, 0, &s.pose);
    const vec slide = rill_solid_velocity(&s, point, n);
    assert_near(slide.x, 0, 1e-6);
    assert_near(slide.y, 7, 1e-6);
}

/* An end before the start: the solid never moves. */
static void motion_that_ends_before_it_begins(void **state) {
    (void)state;
    solid s = {.def = rill_solid_def_default()};
    s.def.motion.velocity = (rill_vec){1, 0, 0};
    s.def.motion.start_time = 2.0f, s.def.motion.end_time = 1.0f;
    const double times[] = {0, 1.5, 2, 3};
    for (int k = 0; k < 4; k++) {
        rill_motion_at(&s.def.motion, DIM, times[k], &s.pose);
        assert_near(s.pose.offset.x, 0, 0);
        assert_near(s.pose.velocity.x, 0, 0);
    }
}

/* ---- walls ---- */

static void walls_of_a_container(void **state) {
    (void)state;
    rill_shape shape = a_box();
    shape.inside = true;
    const placed_shape f = placed_of(&shape, NULL);
    wall walls[PLACED_WALLS_MAX];
    const vec low = vec_of(shape.min), middle = vec_scale(vec_add(low, vec_of(shape.max)), 0.5f);
    assert_int_equal(rill_placed_walls(&f, middle, 0.1f, walls), 0);
    vec corner = low;
    for (int axis = 0; axis < DIM; axis++) (&corner.x)[axis] += 0.03f;
    assert_int_equal(rill_placed_walls(&f, corner, 0.1f, walls), DIM);
    for (int k = 0; k < DIM; k++) {
        assert_near(walls[k].distance, 0.03, 1e-6);
        for (int axis = 0; axis < DIM; axis++) assert_near(vec_get(walls[k].normal, axis), axis == k ? 1 : 0, 0);
    }
    /* a point outside is behind a wall, whose normal points back in */
    vec outside = middle;
    outside.x = shape.max.x + 5.0f;
    const int count = rill_placed_walls(&f, outside, 0.1f, walls);
    assert_int_equal(count, 1);
    assert_near(walls[0].distance, -5, 1e-5);
    assert_near(walls[0].normal.x, -1, 0);
}

static void walls_of_an_obstacle(void **state) {
    (void)state;
    rill_shape shape = a_box();
    shape.angle = 0.3f;
    const placed_shape f = placed_of(&shape, NULL);
    uint32_t random = 25;
    wall walls[PLACED_WALLS_MAX];
    for (int k = 0; k < 500; k++) {
        const vec x = vec_add(f.origin, random_vec(&random, 1.0f));
        vec n;
        const float d = rill_placed_distance(&f, x, &n);
        const int count = rill_placed_walls(&f, x, 0.2f, walls);
        assert_int_equal(count, d < 0.2f ? 1 : 0);
        if (count == 0) continue;
        assert_near(walls[0].distance, d, 1e-6);
        assert_near(vec_length(vec_sub(walls[0].normal, n)), 0, 1e-5);
    }
}

static void bad_shapes_are_refused(void **state) {
    (void)state;
    rill_error error = {0};
    rill_shape s = a_box();
    assert_int_equal(rill_shape_check(&s, &error), RILL_OK);
    s.max.y = s.min.y;
    assert_int_equal(rill_shape_check(&s, &error), RILL_INVALID);
    s = rill_shape_default(), s.kind = RILL_SPHERE, s.radius = 0.0f;
    assert_int_equal(rill_shape_check(&s, &error), RILL_INVALID);
    s = rill_shape_default(), s.kind = RILL_HALF_SPACE, s.normal = (rill_vec){0};
    assert_int_equal(rill_shape_check(&s, &error), RILL_INVALID);
    s = rill_shape_default(), s.kind = RILL_POLYGON;
    assert_int_equal(rill_shape_check(&s, &error), RILL_INVALID);
    s = rill_shape_default(), s.kind = 99;
    assert_int_equal(rill_shape_check(&s, &error), RILL_INVALID);
    assert_non_null(strstr(error.text, "99"));
}

int main(void) {
    SKIP_IF_NOT_RUNNABLE();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_against_samples),
        cmocka_unit_test(box_turns_the_right_way),
        cmocka_unit_test(half_space),
        cmocka_unit_test(sphere_and_capsule),
        cmocka_unit_test(moved_solids),
        cmocka_unit_test(surface_velocity),
        cmocka_unit_test(motion_that_ends_before_it_begins),
        cmocka_unit_test(walls_of_a_container),
        cmocka_unit_test(walls_of_an_obstacle),
        cmocka_unit_test(bad_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

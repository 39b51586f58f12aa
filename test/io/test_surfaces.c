/* SPDX-License-Identifier: MIT */
/* Surfaces of shapes as meshes: closed, on the true surface, with normals out; and names in tables. */
#include "io/bodies.h"
#include "unit/worlds.h"

#include <unistd.h>

#define PI 3.14159265358979323846

static rill_shape shape_of(rill_shape_kind kind, bool inside) {
    static const rill_vec corners[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0.5f, 0.25f, 0}, {0, 1, 0}};
    rill_shape s = rill_shape_default();
    s.kind = (int32_t)kind, s.inside = inside;
    s.min = (rill_vec){0.1f, 0.2f, 0.3f}, s.max = (rill_vec){0.9f, 0.5f, 1.3f};
    s.angle = 0.7f, s.axis = (rill_vec){1, 2, 3};
    s.position = (rill_vec){0.2f, 0.1f, -0.3f}, s.tube = 0.05f, s.end = (rill_vec){0.7f, 0.8f, 0.4f}, s.radius = 0.2f;
    s.points = (rill_points){corners, 5};
    return s;
}

/* Area in 2D, volume in 3D, by Gauss' theorem; cells go round it counter-clockwise. */
static double measure(const rill_shape_surface *s) {
    double sum = 0;
    for (int k = 0; k < s->cell_count; k++) {
        double p[3][3];
        for (int n = 0; n < s->corners; n++) {
            const rill_vec v = s->point[s->cell[k * s->corners + n]];
            p[n][0] = (double)v.x, p[n][1] = (double)v.y, p[n][2] = (double)v.z;
        }
        if (s->corners == 2)
            sum += (p[0][0] * p[1][1] - p[1][0] * p[0][1]) / 2;
        else
            sum +=
                (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                 p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
                6;
    }
    return sum;
}

/* Every edge of a triangle (end of a line) has a partner that runs the other way, at the same place. */
static bool same_place(const rill_shape_surface *s, int a, int b) {
    return fabsf(s->point[a].x - s->point[b].x) + fabsf(s->point[a].y - s->point[b].y) +
               fabsf(s->point[a].z - s->point[b].z) <
           1e-6f;
}

static void check_closed(const rill_shape_surface *s) {
    const int n = s->cell_count, c = s->corners;
    for (int k = 0; k < n; k++)
        for (int e = 0; e < (c == 3 ? 3 : 1); e++) {
            const int a = s->cell[k * c + e], b = s->cell[k * c + (e + 1) % c];
            int partners = 0;
            for (int j = 0; j < n; j++)
                for (int f = 0; f < (c == 3 ? 3 : 1); f++) {
                    const int p = s->cell[j * c + f], q = s->cell[j * c + (f + 1) % c];
                    partners += same_place(s, p, b) && (c == 2 || same_place(s, q, a));
                }
            assert_int_equal(partners, 1);
        }
}

static void check_shape_of(rill_shape_kind kind, int dim, double expected, double tolerance) {
    for (int inside = 0; inside < 2; inside++) {
        const rill_shape shape = shape_of(kind, inside == 1);
        rill_shape_surface s;
        rill_error error;
        assert_int_equal(rill_shape_surface_make(&shape, dim, 0, &s, &error), RILL_OK);
        assert_true(s.cell_count > 0);
        check_closed(&s);
        assert_near(measure(&s) / (inside ? -expected : expected), 1, tolerance);
        rill_world_def def = small_def(dim, "wcsph");
        rill_world *w = create(&def);
        rill_solid_def solid = rill_solid_def_default();
        solid.shape = shape;
        ok(w, rill_world_add_solid(w, &solid, NULL));
        for (int k = 0; k < s.point_count; k++) {
            float distance;
            ok(w, rill_world_solid_distance(w, rill_world_solid_at(w, 0), s.point[k], &distance, NULL));
            assert_near(distance, 0, 1e-6);
        }
        rill_world_destroy(w);
        rill_shape_surface_free(&s);
    }
}

static void surfaces_are_closed_and_true(void **state) {
    (void)state;
    const double r = 0.2, flat = sqrt(0.5 * 0.5 + 0.7 * 0.7), length = sqrt(0.25 + 0.49 + 0.49);
    check_shape_of(RILL_BOX, 2, 0.8 * 0.3, 1e-5);
    check_shape_of(RILL_SPHERE, 2, PI * r * r, 0.005);
    check_shape_of(RILL_CAPSULE, 2, PI * r * r + 2 * r * flat, 0.005);
    check_shape_of(RILL_POLYGON, 2, 0.625, 1e-5);
    check_shape_of(RILL_BOX, 3, 0.8 * 0.3 * 1.0, 1e-5);
    check_shape_of(RILL_SPHERE, 3, 4.0 / 3 * PI * r * r * r, 0.01);
    check_shape_of(RILL_CYLINDER, 3, PI * r * r * length, 0.01);
    check_shape_of(RILL_TORUS, 3, 2 * PI * PI * r * 0.05 * 0.05, 0.04);
    check_shape_of(RILL_CAPSULE, 3, 4.0 / 3 * PI * r * r * r + PI * r * r * length, 0.01);
}

static void what_has_no_end_has_no_cells(void **state) {
    (void)state;
    const rill_shape shape = shape_of(RILL_HALF_SPACE, false);
    rill_shape_surface s;
    assert_int_equal(rill_shape_surface_make(&shape, 3, 0, &s, NULL), RILL_OK);
    assert_int_equal(s.cell_count, 0);
    rill_shape_surface_free(&s);
}

/* A body's mesh, placed by the body's state or by its transform, lies on the body's surface. */
static void transforms_bring_a_mesh_to_its_body(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world_def def = small_def(dim, "wcsph");
        rill_world *w = create(&def);
        rill_shape shape = shape_of(RILL_BOX, false);
        add_body(w, "box", shape, 1000);
        rill_body_def paddle = rill_body_def_default();
        paddle.kind = RILL_BODY_KINEMATIC, paddle.shape = shape_of(RILL_CAPSULE, false);
        paddle.motion.spin = 2, paddle.motion.pivot = (rill_vec){0.3f, 2, 0.1f}, paddle.motion.velocity.x = 0.5f;
        paddle.motion.axis = (rill_vec){1, 1, 0};
        ok(w, rill_world_add_body(w, &paddle, NULL));
        ok(w, rill_world_body_set_velocity(w, rill_world_find_body(w, "box"), (rill_vec){1, 0, 0},
                                           dim == 2 ? (rill_vec){0, 0, 3} : (rill_vec){3, -2, 1}));
        for (int k = 0; k < 50; k++) ok(w, rill_world_step(w, 0.005));
        for (int body = 0; body < 2; body++) {
            rill_shape_surface s;
            assert_int_equal(rill_shape_surface_make(&rill_world_solid_def(w, rill_world_solid_at(w, body))->shape, dim,
                                                     0, &s, NULL),
                             RILL_OK);
            rill_transform t;
            ok(w, rill_world_solid_transform(w, rill_world_solid_at(w, body), &t));
            rill_body_state b;
            ok(w, rill_world_body_state(w, rill_world_body_at(w, body), &b));
            for (int k = 0; k < s.point_count; k++) {
                const float p[3] = {s.point[k].x, s.point[k].y, s.point[k].z};
                float x[3] = {t.shift.x, t.shift.y, t.shift.z}, distance;
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++) x[i] += t.turn[i][j] * p[j];
                ok(w, rill_world_solid_distance(w, rill_world_solid_at(w, body), (rill_vec){x[0], x[1], x[2]},
                                                &distance, NULL));
                assert_near(distance, 0, 2e-6);
                /* The same place by quaternion, from the centre: p + 2 w (u x p) + 2 u x (u x p). */
                const double u[3] = {(double)b.quaternion[0], (double)b.quaternion[1], (double)b.quaternion[2]};
                const double a[3] = {(double)(p[0] - b.centre.x), (double)(p[1] - b.centre.y),
                                     (double)(p[2] - b.centre.z)};
                double c[3], cc[3];
                for (int i = 0; i < 3; i++) c[i] = u[(i + 1) % 3] * a[(i + 2) % 3] - u[(i + 2) % 3] * a[(i + 1) % 3];
                for (int i = 0; i < 3; i++) cc[i] = u[(i + 1) % 3] * c[(i + 2) % 3] - u[(i + 2) % 3] * c[(i + 1) % 3];
                for (int i = 0; i < 3; i++)
                    assert_near((double)(&b.position.x)[i] + a[i] + 2 * (double)b.quaternion[3] * c[i] + 2 * cc[i],
                                x[i], 2e-6);
            }
            rill_shape_surface_free(&s);
        }
        rill_world_destroy(w);
    }
}

static void tables_hold_names(void **state) {
    (void)state;
    char path[] = "/tmp/rill-motion-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    rill_world_def def = small_def(2, "wcsph");
    rill_world *w = create(&def);
    add_body(w, "a \"b\", c", ball_shape((rill_vec){0.5f, 0.25f, 0}, 0.1f), 1000);
    rill_error error = {0};
    io_csv *csv = rill_io_motion_open(path, 2, -1, &error);
    assert_non_null(csv);
    rill_frame frame = {0};
    assert_int_equal(rill_frame_of_world(&frame, w, &error), RILL_OK);
    assert_int_equal(rill_io_motion_rows(csv, &frame, &error), RILL_OK);
    rill_frame_free(&frame);
    assert_int_equal(rill_io_csv_close(csv, &error), RILL_OK);
    /* A resumed run appends to the rows that it keeps. */
    csv = rill_io_motion_open(path, 2, 0.5, &error);
    assert_non_null(csv);
    double values[11] = {1};
    assert_int_equal(rill_io_csv_row_named(csv, values, "d", &error), RILL_OK);
    char longest[RILL_NAME_SIZE + 1];
    memset(longest, 'x', sizeof longest - 1), longest[RILL_NAME_SIZE] = 0;
    assert_int_equal(rill_io_csv_row_named(csv, values, longest, &error), RILL_INVALID);
    assert_int_equal(rill_io_csv_close(csv, &error), RILL_OK);
    void *data;
    size_t size;
    assert_int_equal(rill_io_read_whole(path, &data, &size, &error), RILL_OK);
    const char expected[] = "time,x,y,angle,vx,vy,spin,fx,fy,torque,asleep,body\n"
                            "0,0.5,0.25,0,0,0,0,0,0,0,0,\"a \"\"b\"\", c\"\n"
                            "1,0,0,0,0,0,0,0,0,0,0,d\n";
    assert_int_equal(size, sizeof expected - 1);
    assert_memory_equal(data, expected, size);
    free(data);
    unlink(path);
    rill_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_are_closed_and_true),
        cmocka_unit_test(what_has_no_end_has_no_cells),
        cmocka_unit_test(transforms_bring_a_mesh_to_its_body),
        cmocka_unit_test(tables_hold_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

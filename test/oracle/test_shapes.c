/* SPDX-License-Identifier: MIT */
/* Every kind of shape: its distance against the nearest point of its finely drawn surface, its sign and volume against
   formulas, and the opposite distance and normal as a container. */
#include "geometry/shape_measure.h"
#include "geometry/triangle.h"
#include "oracle/check.h"
#include "oracle/placed_of.h"
#include "oracle/sim_main.h"

static const double pi = 3.14159265358979323846;

/* The surface of a shape in fine pieces, in the world: triangles, or in 2D edges whose second end counts twice. */
typedef struct drawing {
    dvec (*pieces)[3];
    int count;
} drawing;

static drawing draw(const rill_shape *shape) {
    static memory m;
    rill_memory_init(&m, NULL);
    const shape_frame frame = rill_shape_frame_of(shape, DIM);
    rill_error error;
#if DIM == 2
    outline o;
    if (rill_shape_outline(&m, shape, 0.002, &o, &error) != RILL_OK) fail_msg("%s", error.text);
    drawing d = {calloc((size_t)o.count, sizeof *d.pieces), o.count};
    for (int k = 0; k < o.count; k++)
        for (int end = 0; end < 3; end++) {
            const float *at = o.edges[k] + (end ? 2 : 0);
            d.pieces[k][end] = rill_shape_to_world(&frame, (dvec){(double)at[0], (double)at[1], 0});
        }
    rill_outline_free(&m, &o);
#else
    owned_mesh s;
    if (rill_shape_mesh(&m, shape, 0.01, &s, &error) != RILL_OK) fail_msg("%s", error.text);
    drawing d = {calloc((size_t)s.triangle_count, sizeof *d.pieces), s.triangle_count};
    for (int t = 0; t < s.triangle_count; t++)
        for (int k = 0; k < 3; k++)
            d.pieces[t][k] = rill_shape_to_world(&frame, dvec_of_floats(s.vertices[s.triangles[t][k]]));
    rill_owned_mesh_free(&m, &s);
#endif
    return d;
}

/* Distance from the drawn surface, without sign. */
static double drawn_distance(const drawing *d, vec p) {
    const rill_vec out = vec_out(p);
    const dvec at = {(double)out.x, (double)out.y, (double)out.z};
    double best = HUGE_VAL;
    for (int k = 0; k < d->count; k++) {
        const dvec *c = d->pieces[k];
        best = fmin(best, dvec_length(dvec_sub(at, rill_triangle_closest(at, c[0], c[1], c[2], NULL))));
    }
    return best;
}

static double volume_of(const rill_shape *shape, mesh_solid *solid) {
    static memory m;
    static parallel *workers;
    if (!workers) rill_memory_init(&m, NULL), workers = rill_parallel_create(&m, 1, NULL);
    const shape_context context = {&m, workers, DIM, 0.1f, 0.2f, NULL};
    shape_library library = {0};
    shape_models models;
    rill_error error;
    if (rill_shape_models_take(&library, &context, shape, &models, &error) != RILL_OK) fail_msg("%s", error.text);
    const shape_model *parts[PLACED_PARTS_MAX] = {NULL};
    for (int k = 0; k < models.count; k++) parts[k] = &models.items[k]->model;
    if (rill_shape_measure(shape, parts, DIM, solid, &error) != RILL_OK) fail_msg("%s", error.text);
    rill_shape_models_drop(&library, &m, &models);
    rill_shape_library_free(&library, &m);
    return solid->volume;
}

typedef bool inside_fn(double x, double y, double z);

/* `tolerance` of the distance; `in` gives the sign in the world; a `volume` of 0 is not checked. */
static void check_shape_kind(const rill_shape *shape, inside_fn *in, double tolerance, double volume) {
    const placed_shape f = placed_of(shape, NULL);
    const drawing surface = draw(shape);
    uint32_t random = 5;
    int inside = 0;
    for (int k = 0; k < (DIM == 2 ? 400 : 200); k++) {
        vec p = {0};
        for (int axis = 0; axis < DIM; axis++) (&p.x)[axis] = random_in(&random, -1.3f, 1.3f);
        vec n;
        const double d = (double)rill_placed_distance(&f, p, &n), drawn = drawn_distance(&surface, p);
        const rill_vec o = vec_out(p);
        const bool is_in = in((double)o.x, (double)o.y, (double)o.z);
        inside += is_in;
        if (drawn > 2 * tolerance && (d < 0) != is_in)
            fail_msg("kind %d: sign at %g %g %g: %g", shape->kind, (double)o.x, (double)o.y, (double)o.z, d);
        if (fabs(d) > 0.2) continue; /* beyond the support a field need not be exact */
        if (fabs(fabs(d) - drawn) > tolerance)
            fail_msg("kind %d at %g %g %g: %g, drawn %g", shape->kind, (double)o.x, (double)o.y, (double)o.z, d, drawn);
        assert_near(vec_length(n), 1, 1e-3);
    }
    free(surface.pieces);
    assert_true(inside > 5);
    mesh_solid solid;
    if (volume > 0) assert_near(volume_of(shape, &solid), volume, 0.01 * volume);
    /* A container has the opposite distance and normal. */
    rill_shape container = *shape;
    container.inside = true;
    const placed_shape c = placed_of(&container, NULL);
    vec n, m;
    const vec p = vec_of((rill_vec){0.3f, 0.2f, 0.0f});
    assert_near(rill_placed_distance(&c, p, &n), -(double)rill_placed_distance(&f, p, &m), 0);
    assert_near(vec_dot(n, m), -1, 1e-5);
}

#if DIM == 2

static bool in_ring(double x, double y, double z) {
    (void)z;
    const double r = fmax(fabs(x), fabs(y));
    return r < 1 && !(x > -0.5 && x < 0.4 && y > -0.4 && y < 0.5);
}

/* A square with a square hole; the hole's winding does not matter. */
static void polygon_with_hole(void **state) {
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        rill_vec points[10] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}};
        const rill_vec hole[4] = {{-0.5f, -0.4f, 0}, {0.4f, -0.4f, 0}, {0.4f, 0.5f, 0}, {-0.5f, 0.5f, 0}};
        for (int k = 0; k < 4; k++) points[5 + k] = hole[turn ? 3 - k : k];
        points[9] = points[5];
        rill_shape s = rill_shape_default();
        s.kind = RILL_POLYGON, s.points = (rill_points){points, 10};
        check_shape_kind(&s, in_ring, 1e-5, 4 - 0.9 * 0.9);
    }
}

static bool in_hills(double x, double y, double z) {
    (void)z;
    return fabs(x) < 1 && y < 0.3 - 0.5 * fabs(x) && y > -0.2 - 0.6;
}

static void heightfield(void **state) {
    (void)state;
    const rill_vec points[3] = {{-1, -0.2f, 0}, {0, 0.3f, 0}, {1, -0.2f, 0}};
    rill_shape s = rill_shape_default();
    s.kind = RILL_HEIGHTFIELD, s.points = (rill_points){points, 3}, s.depth = 0.6f;
    check_shape_kind(&s, in_hills, 1e-5, 2 * 0.6 + 0.5);
}

static bool in_turned_square(double x, double y, double z) {
    (void)z;
    return fabs(x - 0.2) + fabs(y + 0.1) < 0.5 * sqrt(2);
}

/* Scaled, turned by 45 degrees and moved; points inside, on an edge or repeated do not matter. */
static void hull(void **state) {
    (void)state;
    const rill_vec points[8] = {{1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0},
                                {0, 0, 0}, {1, 1, 0},  {0, 1, 0},   {0.5f, 0, 0}};
    rill_shape s = rill_shape_default();
    s.kind = RILL_HULL, s.points = (rill_points){points, 8}, s.scale = 0.5f;
    s.angle = (float)(pi / 4), s.position = (rill_vec){0.2f, -0.1f, 0};
    check_shape_kind(&s, in_turned_square, 1e-5, 1);
}

static bool in_dumbbell(double x, double y, double z) {
    (void)z;
    const double left = hypot(x + 0.6, y), right = hypot(x - 0.6, y);
    return left < 0.4 || right < 0.4 || (fabs(x) < 0.6 && fabs(y) < 0.1);
}
#else

static bool in_cylinder(double x, double y, double z) {
    return x > -0.5 && x < 0.7 && hypot(y - 0.1, z) < 0.4;
}

static void cylinder(void **state) {
    (void)state;
    rill_shape s = rill_shape_default();
    s.kind = RILL_CYLINDER, s.radius = 0.4f;
    s.position = (rill_vec){-0.5f, 0.1f, 0}, s.end = (rill_vec){0.7f, 0.1f, 0};
    check_shape_kind(&s, in_cylinder, 2e-3, pi * 0.16 * 1.2);
    mesh_solid solid;
    volume_of(&s, &solid);
    assert_near(solid.centre[0], 0.1, 1e-6);
    assert_near(solid.inertia[0][0], 0.5 * solid.volume * 0.16, 1e-6);
}

static bool in_torus(double x, double y, double z) {
    const double r = hypot(x, z) - 0.7;
    return r * r + y * y < 0.25 * 0.25;
}

static void torus(void **state) {
    (void)state;
    rill_shape s = rill_shape_default();
    s.kind = RILL_TORUS, s.radius = 0.7f, s.tube = 0.25f;
    check_shape_kind(&s, in_torus, 2e-3, 2 * pi * pi * 0.7 * 0.0625);
}

static bool in_box(double x, double y, double z) {
    return fabs(x - 0.1) < 0.6 && fabs(y) < 0.5 && fabs(z + 0.1) < 0.4;
}

/* A box by its corners, with points inside and on its faces. */
static void hull(void **state) {
    (void)state;
    rill_vec points[20];
    int n = 0;
    for (int k = 0; k < 8; k++)
        points[n++] = (rill_vec){k & 1 ? 1.2f : -1.2f, k & 2 ? 1.0f : -1.0f, k & 4 ? 0.8f : -0.8f};
    for (int k = 0; k < 12; k++) points[n++] = (rill_vec){0.1f * (float)k - 0.5f, 1.0f, 0.3f - 0.05f * (float)k};
    rill_shape s = rill_shape_default();
    s.kind = RILL_HULL, s.points = (rill_points){points, n}, s.scale = 0.5f, s.cell = 0.02f;
    s.position = (rill_vec){0.1f, 0, -0.1f};
    check_shape_kind(&s, in_box, 0.012, 1.2 * 1.0 * 0.8);
    mesh_solid solid;
    volume_of(&s, &solid);
    assert_near(solid.inertia[2][2], solid.volume / 12 * (1.44 + 1.0), 0.01);
}

static bool in_ground(double x, double y, double z) {
    return fabs(x) < 1 && fabs(y) < 1 && z < 0.2 * x && z > -0.2 - 0.5;
}

static void heightfield(void **state) {
    (void)state;
    for (int turn = 0; turn < 2; turn++) { /* rows in either order */
        rill_vec points[20];
        for (int row = 0; row < 4; row++)
            for (int k = 0; k < 5; k++) {
                const float x = 0.5f * (float)k - 1.0f, y = (float)(turn ? 3 - row : row) * 2.0f / 3.0f - 1.0f;
                points[5 * row + k] = (rill_vec){x, y, 0.2f * x};
            }
        rill_shape s = rill_shape_default();
        s.kind = RILL_HEIGHTFIELD, s.points = (rill_points){points, 20}, s.columns = 5, s.depth = 0.5f, s.cell = 0.02f;
        check_shape_kind(&s, in_ground, 0.012, 4 * 0.7);
    }
}

static bool in_dumbbell(double x, double y, double z) {
    const double left = sqrt((x + 0.6) * (x + 0.6) + y * y + z * z),
                 right = sqrt((x - 0.6) * (x - 0.6) + y * y + z * z);
    return left < 0.4 || right < 0.4 || (fabs(x) < 0.6 && fabs(y) < 0.1 && fabs(z) < 0.1);
}
#endif

/* Two balls and a bar, scaled by two and turned by half a turn. Surfaces of parts inside others do not count, so that
   distances are compared outside only. */
static void compound(void **state) {
    (void)state;
    rill_shape parts[3];
    for (int k = 0; k < 3; k++) parts[k] = rill_shape_default();
    parts[0].kind = parts[1].kind = RILL_SPHERE;
    parts[0].radius = parts[1].radius = 0.2f;
    parts[0].position = (rill_vec){-0.3f, 0, 0}, parts[1].position = (rill_vec){0.3f, 0, 0};
    parts[2].min = (rill_vec){-0.3f, -0.05f, -0.05f}, parts[2].max = (rill_vec){0.3f, 0.05f, 0.05f};
    rill_shape s = rill_shape_default();
    s.kind = RILL_COMPOUND, s.parts = (rill_parts){parts, 3}, s.scale = 2.0f, s.angle = (float)pi;
    rill_error error;
    assert_int_equal(rill_shape_check(&s, &error), RILL_OK);
    const placed_shape f = placed_of(&s, NULL);
    const drawing surface = draw(&s);
    uint32_t random = 9;
    for (int k = 0; k < 200; k++) {
        vec p = {0};
        for (int axis = 0; axis < DIM; axis++) (&p.x)[axis] = random_in(&random, -1.3f, 1.3f);
        const rill_vec o = vec_out(p);
        const double d = (double)rill_placed_distance(&f, p, NULL), drawn = drawn_distance(&surface, p);
        const bool in = in_dumbbell((double)o.x, (double)o.y, (double)o.z);
        if (drawn > 5e-3) assert_true((d < 0) == in);
        if (!in) assert_near(d, drawn, 4e-3);
    }
    free(surface.pieces);
    /* Symmetric: the centre is the origin, and the inertia is that of the parallel-axis theorem. */
    mesh_solid all;
    const double ball = DIM == 2 ? pi * 0.16 : 4.0 / 3 * pi * 0.064, bar = DIM == 2 ? 1.2 * 0.2 : 1.2 * 0.04;
    assert_near(volume_of(&s, &all), 2 * ball + bar, 1e-5);
    assert_near(all.centre[0], 0, 1e-6);
    const double turn = 2 * ball * ((DIM == 2 ? 0.5 : 0.4) * 0.16 + 0.36) + bar / 12 * (1.44 + 0.04);
    assert_near(all.inertia[2][2], turn, 1e-5);
    parts[2].kind = RILL_COMPOUND;
    assert_int_equal(rill_shape_check(&s, &error), RILL_INVALID);
    s.parts.count = 0;
    assert_int_equal(rill_shape_check(&s, &error), RILL_INVALID);
}

/* Kinds of the other dimension, and points that enclose nothing. */
static void refusals(void **state) {
    (void)state;
    rill_error error;
    rill_shape s = rill_shape_default();
    const rill_shape_kind other[2][3] = {{RILL_CYLINDER, RILL_TORUS, RILL_MESH},
                                         {RILL_POLYGON, RILL_SEGMENTS, RILL_SEGMENTS}};
    for (int k = 0; k < 3; k++) {
        s.kind = (int32_t)other[DIM - 2][k];
        assert_int_equal(rill_shape_check(&s, &error), RILL_INVALID);
    }
    const rill_vec line[5] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {0.5f, 0.5f, 0.5f}};
    static memory m;
    rill_memory_init(&m, NULL);
    parallel *workers = rill_parallel_create(&m, 1, NULL);
    const shape_context context = {&m, workers, DIM, 0.1f, 0.2f, NULL};
    shape_library library = {0};
    s = rill_shape_default();
    s.kind = RILL_HULL, s.points = (rill_points){line, 5};
    assert_int_equal(rill_shape_check(&s, &error), RILL_OK);
    assert_null(rill_shape_take(&library, &context, &s, &error));
    assert_non_null(strstr(error.text, "points:"));
    s.points.count = DIM;
    assert_int_equal(rill_shape_check(&s, &error), RILL_INVALID);
    s.kind = RILL_HEIGHTFIELD, s.points.count = 5, s.columns = 3;
    assert_int_equal(rill_shape_check(&s, &error), RILL_INVALID);
    rill_shape_library_free(&library, &m);
    rill_parallel_destroy(&m, workers);
    assert_true(m.bytes == 0);
}

int main(void) {
    SKIP_IF_NOT_RUNNABLE();
    const struct CMUnitTest tests[] = {
#if DIM == 2
        cmocka_unit_test(polygon_with_hole),
#else
        cmocka_unit_test(cylinder),
        cmocka_unit_test(torus),
#endif
        cmocka_unit_test(heightfield),
        cmocka_unit_test(hull),
        cmocka_unit_test(compound),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

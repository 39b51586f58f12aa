/* SPDX-License-Identifier: MIT */
/* Fields of shapes whose distance is known: values, signs, directions, continuity, the solid inside. */
#include "geometry/shapes.h"

/* ---- exact distances ---- */

static double sphere_distance(dvec p) {
    return dvec_length(p) - 1.0;
}

static double box_distance_of(dvec p, dvec half) {
    const dvec q = {fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z};
    const dvec out = {fmax(q.x, 0), fmax(q.y, 0), fmax(q.z, 0)};
    return dvec_length(out) + fmin(fmax(q.x, fmax(q.y, q.z)), 0.0);
}

static double box_distance(dvec p) {
    return box_distance_of(p, (dvec){1.0, 0.7, 0.5});
}

static double torus_distance(dvec p) {
    const double ring = sqrt(p.x * p.x + p.y * p.y) - 1.0;
    return sqrt(ring * ring + p.z * p.z) - 0.4;
}

/* A square sheet in the plane z = 0, 0.25 thick, with round borders. */
static double sheet_distance(dvec p) {
    const dvec out = {fmax(fabs(p.x) - 1.0, 0), fmax(fabs(p.y) - 1.0, 0), p.z};
    return dvec_length(out) - 0.125;
}

static sketch make_square(void) {
    sketch s = sketch_start(4, 2);
    for (int k = 0; k < 4; k++) sketch_vertex(&s, k & 1 ? 1 : -1, k >> 1 ? 1 : -1, 0);
    sketch_triangle(&s, 0, 1, 3);
    sketch_triangle(&s, 0, 3, 2);
    return s;
}

typedef struct known_shape {
    const char *name;
    sketch sketch;
    double (*distance)(dvec p);
    double error; /* in cells: largest error of interpolation, mostly at edges */
    float thickness;
} known_shape;

#define SHAPES 4
static void make_shapes(known_shape shapes[SHAPES]) {
    shapes[0] = (known_shape){"sphere", make_sphere(0, 0, 0, 1, 100), sphere_distance, 0.03, 0};
    shapes[1] = (known_shape){"box", make_box(0, 0, 0, 1, 0.7, 0.5), box_distance, 0.4, 0};
    shapes[2] = (known_shape){"torus", make_torus(1, 0.4, 160, 80), torus_distance, 0.05, 0};
    shapes[3] = (known_shape){"sheet", make_square(), sheet_distance, 0.4, 0.25f};
}

#define CELL   0.05f
#define MARGIN 0.2f

/* ---- values ---- */

static void check_values(const known_shape *shape, const distance_field *f) {
    const double cell = (double)CELL, margin = (double)MARGIN;
    uint32_t seed = 11;
    double worst = 0.0;
    int near = 0;
    for (int k = 0; k < 50000; k++) {
        const dvec p = random_point(&seed, 1.6);
        const double wanted = shape->distance(p), got = (double)sample(f, p);
        if (fabs(wanted) > shape->error * cell) assert_true((wanted < 0.0) == (got < 0.0));
        if (fabs(wanted) > margin) {
            /* beyond the margin values are coarse, but not small */
            assert_true(fabs(got) > margin - cell);
            continue;
        }
        near++;
        worst = fmax(worst, fabs(got - wanted));
    }
    assert_true(near > 5000);
    print_message("%s: worst error %.3f cells\n", shape->name, worst / cell);
    assert_at_most(worst / cell, shape->error);
}

static void check_directions(const known_shape *shape, const distance_field *f) {
    const float half = 0.5f * CELL;
    uint32_t seed = 12;
    double worst = 0.0;
    for (int k = 0; k < 20000; k++) {
        const dvec p = random_point(&seed, 2.5);
        float x[3], distance, gradient[3], slope[3];
        dvec_to_floats(p, x);
        rill_field_sample(f, x, &distance, gradient);
        assert_near(distance, sample(f, p), 0);
        assert_near(dvec_length(dvec_of_floats(gradient)), 1, 1e-5);
        if (fabs(shape->distance(p)) > (double)MARGIN) continue;
        /* slopes by differences of the field itself */
        for (int axis = 0; axis < 3; axis++) {
            float a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]}, da, db;
            a[axis] -= half, b[axis] += half;
            rill_field_sample(f, a, &da, NULL);
            rill_field_sample(f, b, &db, NULL);
            slope[axis] = (db - da) / CELL;
        }
        const double length = dvec_length(dvec_of_floats(slope));
        if (length < 0.5) continue; /* on a ridge */
        assert_near(dvec_dot(dvec_of_floats(slope), dvec_of_floats(gradient)) / length, 1, 1e-4);
        if (shape->error > 0.1) continue; /* has edges, where directions jump */
        dvec exact;
        const double e = 1e-5;
        exact.x = shape->distance(dvec_add(p, (dvec){e, 0, 0})) - shape->distance(dvec_add(p, (dvec){-e, 0, 0}));
        exact.y = shape->distance(dvec_add(p, (dvec){0, e, 0})) - shape->distance(dvec_add(p, (dvec){0, -e, 0}));
        exact.z = shape->distance(dvec_add(p, (dvec){0, 0, e})) - shape->distance(dvec_add(p, (dvec){0, 0, -e}));
        worst = fmax(worst, 1.0 - dvec_dot(exact, dvec_of_floats(gradient)) / dvec_length(exact));
    }
    /* cosine of 2.6 degrees */
    assert_at_most(worst, 1e-3);
}

/* No jump along short steps inside the grid and out of it, also where fine and coarse blocks meet. */
static void check_continuity(const distance_field *f, double half, uint32_t seed) {
    const double step = 1e-3 * (double)f->options.cell;
    for (int k = 0; k < 60000; k++) {
        dvec p = random_point(&seed, half);
        /* onto a border between blocks, most of the time */
        const int axis = k % 3;
        const double edge = FIELD_BLOCK * (double)f->options.cell, origin = (double)f->origin[axis];
        double *x = axis == 0 ? &p.x : axis == 1 ? &p.y : &p.z;
        if (k % 4) *x = origin + edge * floor((*x - origin) / edge);
        dvec a = p, b = p;
        double *ax = axis == 0 ? &a.x : axis == 1 ? &a.y : &a.z, *bx = axis == 0 ? &b.x : axis == 1 ? &b.y : &b.z;
        *ax -= step, *bx += step;
        assert_at_most(fabs((double)sample(f, a) - (double)sample(f, b)), 20 * step);
    }
}

/* Outside of the grid the distance grows with the true one: from 0.4 to 1.1 times that, and two cells. */
static void check_outside(const known_shape *shape, const distance_field *f) {
    uint32_t seed = 14;
    for (int k = 0; k < 20000; k++) {
        const dvec p = random_point(&seed, k % 2 ? 3 : 50);
        const double wanted = shape->distance(p), got = (double)sample(f, p);
        if (wanted < 0.5) continue;
        assert_true(got > 0.4 * wanted && got < 1.1 * wanted + 2.0 * (double)CELL);
    }
    /* points far away or not finite give a unit gradient too */
    static const float far[][3] = {{1e30f, 0, 0}, {-3e38f, 3e38f, 3e38f}, {NAN, 0, 0}, {INFINITY, -INFINITY, 0}};
    for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
        float distance, gradient[3];
        rill_field_sample(f, far[k], &distance, gradient);
        if (k < 2) assert_true(distance > 1e29f);
        assert_near(dvec_length(dvec_of_floats(gradient)), 1, 1e-5);
    }
}

static void known_shapes(void **state) {
    (void)state;
    known_shape shapes[SHAPES];
    make_shapes(shapes);
    bench b;
    bench_start(&b, 2);
    for (int k = 0; k < SHAPES; k++) {
        const mesh m = sketch_mesh(&shapes[k].sketch);
        const size_t before = b.memory.bytes;
        distance_field *f = build_field(&b, &m, CELL, MARGIN, shapes[k].thickness);
        assert_int_equal(f->bytes, b.memory.bytes - before);
        check_values(&shapes[k], f);
        check_directions(&shapes[k], f);
        check_continuity(f, 2.0, 13);
        check_outside(&shapes[k], f);
        rill_field_free(&b.memory, f);
        sketch_free(&shapes[k].sketch);
    }
    bench_end(&b);
}

/* ---- sparse ---- */

static void large_and_fine(void **state) {
    (void)state;
    sketch s = make_box(0, 0, 0, 1, 1, 1);
    const mesh m = sketch_mesh(&s);
    bench b;
    bench_start(&b, 2);
    distance_field *f = build_field(&b, &m, 0.02f, 0.04f, 0);
    const size_t blocks = field_block_count(f);
    /* fine blocks form a shell: the middle and the corners of the grid stay coarse */
    assert_true((size_t)f->fine_count < blocks * 3 / 4 && f->fine_count > 0);
    assert_true(f->index[field_block_at(f, f->blocks[0] / 2, f->blocks[1] / 2, f->blocks[2] / 2)] < 0);
    assert_near(sample(f, (dvec){0, 0, 0}), -1, 0.1);
    rill_field_free(&b.memory, f);
    bench_end(&b);
    sketch_free(&s);
}

/* ---- the solid ---- */

static void solid_from_mesh_and_grid(void **state) {
    (void)state;
    sketch s = make_torus(1, 0.4, 160, 80);
    const mesh m = sketch_mesh(&s);
    bench b;
    bench_start(&b, 1);
    distance_field *f = build_field(&b, &m, CELL, MARGIN, 0);
    const mesh_solid exact = rill_mesh_solid_of(&m), grid = rill_field_measure(f);
    assert_near(f->solid.volume, exact.volume, 0);
    assert_near(grid.volume, exact.volume, 0.005 * exact.volume);
    for (int axis = 0; axis < 3; axis++) {
        assert_near(grid.centre[axis], exact.centre[axis], 1e-3);
        for (int k = 0; k < 3; k++)
            assert_near(grid.inertia[axis][k], exact.inertia[axis][k], 0.01 * exact.inertia[2][2]);
    }
    rill_field_free(&b.memory, f);
    bench_end(&b);
    sketch_free(&s);
}

/* The field of two overlapping spheres is that of their union, inside as well. */
static void overlapping_parts(void **state) {
    (void)state;
    sketch one = make_sphere(-0.4, 0, 0, 1, 40), two = make_sphere(0.4, 0, 0, 1, 40), both = sketch_join(&one, &two);
    const mesh m = sketch_mesh(&both);
    bench b;
    bench_start(&b, 2);
    distance_field *f = build_field(&b, &m, CELL, MARGIN, 0);
    assert_int_equal(f->report.patches, 2);
    assert_true(f->report.closed && f->report.inner > 100);
    uint32_t seed = 15;
    for (int k = 0; k < 20000; k++) {
        const dvec p = random_point(&seed, 1.5);
        const double left = dvec_length(dvec_sub(p, (dvec){-0.4, 0, 0})) - 1.0;
        const double right = dvec_length(dvec_sub(p, (dvec){0.4, 0, 0})) - 1.0, wanted = fmin(left, right);
        const double got = (double)sample(f, p);
        if (fabs(wanted) > 0.3 * (double)CELL) assert_true((wanted < 0.0) == (got < 0.0));
        if (wanted > 0.0 && wanted < (double)MARGIN) assert_near(got, wanted, 0.3 * (double)CELL);
        /* nothing of the buried surfaces is left */
        if (fmax(left, right) < -0.3) assert_true(got < -0.2);
    }
    /* two spheres less the lens they share, of height 2 h = 2 (1 - 0.4) */
    const double h = 0.6, lens = 2.0 * PI * h * h * (3.0 - h) / 3.0, volume = 8.0 / 3.0 * PI - lens;
    assert_near(f->solid.volume, volume, 0.01 * volume);
    rill_field_free(&b.memory, f);
    bench_end(&b);
    sketch_free(&both);
}

/* ---- poor meshes ---- */

/* Distances must not depend on the orientation of the input's triangles. */
static void flipped_faces(void **state) {
    (void)state;
    bench b;
    bench_start(&b, 1);
    for (int every = 1; every <= 4; every++) {
        sketch s = make_torus(1, 0.4, 30, 20);
        if (every > 1)
            for (int t = 0; t < s.triangle_count; t += every) sketch_flip(&s, t);
        else
            for (int t = 0; t < s.triangle_count; t++) sketch_flip(&s, t);
        const mesh m = sketch_mesh(&s);
        distance_field *f = build_field(&b, &m, CELL, MARGIN, 0);
        assert_true(f->report.flipped > 0 && f->report.closed);
        uint32_t seed = 16;
        for (int k = 0; k < 5000; k++) {
            const dvec p = random_point(&seed, 1.5);
            const double wanted = torus_distance(p);
            /* the flat faces of this coarse torus are up to 0.02 away from the true one */
            if (fabs(wanted) > 0.04) assert_true((wanted < 0.0) == (sample(f, p) < 0.0f));
        }
        rill_field_free(&b.memory, f);
        sketch_free(&s);
    }
    bench_end(&b);
}

/* A sphere whose cap is cut off, at z = `height`. */
static sketch cut_sphere(double height) {
    sketch s = make_sphere(0, 0, 0, 1, 60);
    int kept = 0;
    for (int t = 0; t < s.triangle_count; t++) {
        bool below = true;
        for (int c = 0; c < 3; c++) below = below && (double)s.vertices[s.triangles[t][c]][2] <= height;
        if (below) memcpy(s.triangles[kept++], s.triangles[t], sizeof *s.triangles);
    }
    s.triangle_count = kept;
    return s;
}

static void holes_are_closed(void **state) {
    (void)state;
    bench b;
    bench_start(&b, 2);
    for (int large = 0; large < 2; large++) {
        const double height = large ? 0.3 : 0.8;
        sketch s = cut_sphere(height);
        const mesh m = sketch_mesh(&s);
        distance_field *f = build_field(&b, &m, CELL, MARGIN, 0);
        assert_true(f->report.open_edges > 20 && f->report.patched > 20 && !f->report.closed);
        check_continuity(f, 1.5, 17);
        uint32_t seed = 18;
        for (int k = 0; k < 20000; k++) {
            const dvec p = random_point(&seed, 1.3);
            const double r = dvec_length(p) - 1.0;
            if (p.z > height - 0.4) continue; /* near the hole the place of the boundary is not defined */
            if (fabs(r) > 0.03) assert_true((r < 0.0) == (sample(f, p) < 0.0f));
        }
        /* between the cut and the cap */
        assert_true(sample(f, (dvec){0, 0, height - 0.3}) < 0.0f);
        assert_true(sample(f, (dvec){0, 0, 1.02}) > 0.0f);
        rill_field_free(&b.memory, f);
        sketch_free(&s);
    }
    bench_end(&b);
}

static void refused(bench *b, const mesh *m, field_options options, rill_status status, const char *words) {
    rill_error error = {RILL_OK, ""};
    const size_t before = b->memory.bytes;
    assert_null(rill_field_build(&b->memory, b->workers, m, &options, &error));
    assert_int_equal(b->memory.bytes, before);
    assert_int_equal(error.status, status);
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static void refusals(void **state) {
    (void)state;
    bench b;
    bench_start(&b, 1);
    sketch box = make_box(0, 0, 0, 1, 1, 1), square = make_square(), plate = make_box(0, 0, 0, 1, 1, 0.02),
           far = make_box(1e6, 0, 0, 1, 1, 1);
    const mesh m = sketch_mesh(&box), sheet = sketch_mesh(&square), thin = sketch_mesh(&plate),
               away = sketch_mesh(&far);
    const mesh empty = {0};
    refused(&b, &m, (field_options){0, 0.1f, 0}, RILL_INVALID, "cell");
    refused(&b, &m, (field_options){NAN, 0.1f, 0}, RILL_INVALID, "cell");
    refused(&b, &m, (field_options){INFINITY, 0.1f, 0}, RILL_INVALID, "cell");
    refused(&b, &m, (field_options){0.1f, -1, 0}, RILL_INVALID, "margin");
    refused(&b, &m, (field_options){0.1f, NAN, 0}, RILL_INVALID, "margin");
    refused(&b, &m, (field_options){0.1f, 0.1f, 0.1f}, RILL_INVALID, "at least 0.2 m thick");
    refused(&b, &m, (field_options){5e-5f, 0.1f, 0}, RILL_LIMIT, "use cells of");
    refused(&b, &m, (field_options){0.1f, 1e30f, 0}, RILL_LIMIT, "too large");
    refused(&b, &empty, (field_options){0.1f, 0.1f, 0}, RILL_INVALID, "empty");
    refused(&b, &sheet, (field_options){0.1f, 0.1f, 0}, RILL_INVALID, "mostly open: 100 %");
    refused(&b, &thin, (field_options){0.1f, 0.1f, 0}, RILL_INVALID, "too thin");
    refused(&b, &away, (field_options){0.1f, 0.1f, 0}, RILL_INVALID, "move it to the origin");
    sketch_free(&box);
    sketch_free(&square);
    sketch_free(&plate);
    sketch_free(&far);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_shapes),
        cmocka_unit_test(large_and_fine),
        cmocka_unit_test(solid_from_mesh_and_grid),
        cmocka_unit_test(overlapping_parts),
        cmocka_unit_test(flipped_faces),
        cmocka_unit_test(holes_are_closed),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

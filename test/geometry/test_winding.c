/* SPDX-License-Identifier: MIT */
/* Winding numbers: the tree against the plain sum, and both against points known to be inside or outside. */
#include "geometry/shapes.h"

typedef struct tree_pair {
    memory memory;
    bvh tree;
    winding_tree winding;
} tree_pair;

static void start(tree_pair *t, const mesh *m) {
    rill_memory_init(&t->memory, NULL);
    assert_true(rill_bvh_build(&t->memory, m, NULL, &t->tree));
    assert_true(rill_winding_build(&t->memory, &t->tree, &t->winding));
}

static void end(tree_pair *t) {
    rill_winding_free(&t->memory, &t->winding);
    rill_bvh_free(&t->memory, &t->tree);
    assert_int_equal(t->memory.bytes, 0);
}

/* Largest error of the tree, at points near and far. */
static double worst_error(const mesh *m, uint32_t seed, int points) {
    tree_pair t;
    start(&t, m);
    double worst = 0.0;
    for (int k = 0; k < points; k++) {
        const dvec p = random_point(&seed, k % 2 ? 1.2 : 3.0);
        worst = fmax(worst, fabs(rill_winding_number(&t.winding, p) - brute_winding(m, p)));
    }
    end(&t);
    return worst;
}

static void tree_agrees_with_sum(void **state) {
    (void)state;
    sketch box = make_box(0, 0, 0, 1, 1, 1), sphere = make_sphere(0, 0, 0, 1, 40), torus = make_torus(1, 0.3, 60, 30);
    mesh m = sketch_mesh(&box);
    assert_at_most(worst_error(&m, 1, 500), 0.01);
    m = sketch_mesh(&sphere);
    assert_at_most(worst_error(&m, 2, 500), 0.08);
    m = sketch_mesh(&torus);
    assert_at_most(worst_error(&m, 3, 500), 0.08);
    sketch_free(&box);
    sketch_free(&sphere);
    sketch_free(&torus);
}

static void inside_and_outside(void **state) {
    (void)state;
    sketch s = make_sphere(0, 0, 0, 1, 40);
    const mesh m = sketch_mesh(&s);
    tree_pair t;
    start(&t, &m);
    uint32_t seed = 4;
    for (int k = 0; k < 3000; k++) {
        const dvec p = random_point(&seed, 1.3);
        const double r = dvec_length(p);
        /* the flat faces of the mesh lie up to 0.4 % below the sphere */
        if (r < 0.995) assert_near(rill_winding_number(&t.winding, p), 1, 0.1);
        if (r > 1.0) assert_near(rill_winding_number(&t.winding, p), 0, 0.1);
    }
    /* in the middle of a triangle that is left out: halfway between the two sides */
    for (int k = 0; k < m.triangle_count; k += 7) {
        const dvec sum = dvec_add(mesh_corner(&m, k, 0), dvec_add(mesh_corner(&m, k, 1), mesh_corner(&m, k, 2)));
        assert_near(rill_winding_number_except(&t.winding, dvec_scale(sum, 1.0 / 3.0), k), 0.5, 0.1);
    }
    end(&t);
    sketch_free(&s);
}

/* Through a hole the number falls off smoothly; away from the hole, 1/2 still separates inside from outside. */
static void hole(void **state) {
    (void)state;
    sketch s = make_sphere(0, 0, 0, 1, 40), cut = sketch_start(s.vertex_count, s.triangle_count);
    memcpy(cut.vertices, s.vertices, (size_t)s.vertex_count * sizeof *s.vertices);
    cut.vertex_count = s.vertex_count;
    for (int k = 0; k < s.triangle_count; k++)
        if (s.vertices[s.triangles[k][0]][2] < 0.95f)
            sketch_triangle(&cut, s.triangles[k][0], s.triangles[k][1], s.triangles[k][2]);
    const mesh m = sketch_mesh(&cut);
    tree_pair t;
    start(&t, &m);
    uint32_t seed = 5;
    for (int k = 0; k < 2000; k++) {
        const dvec p = random_point(&seed, 1.3);
        const double r = dvec_length(p), w = rill_winding_number(&t.winding, p);
        if (p.z > 0.8) continue;
        if (r < 0.99) assert_true(w > 0.5);
        if (r > 1.0) assert_true(w < 0.5);
    }
    const double in = rill_winding_number(&t.winding, (dvec){0, 0, 0.9}),
                 out = rill_winding_number(&t.winding, (dvec){0, 0, 1.1});
    assert_true(in > 0.5 && in < 0.95 && out < 0.5 && out > 0.05);
    end(&t);
    sketch_free(&cut);
    sketch_free(&s);
}

/* With ten of 1224 triangles turned over, the number is wrong only next to them. */
static void flipped_faces(void **state) {
    (void)state;
    sketch s = make_sphere(0, 0, 0, 1, 18);
    for (int k = 0; k < 10; k++) sketch_flip(&s, 17 + k * 113);
    const mesh m = sketch_mesh(&s);
    tree_pair t;
    start(&t, &m);
    uint32_t seed = 6;
    for (int k = 0; k < 2000; k++) {
        const dvec p = random_point(&seed, 1.5);
        const double r = dvec_length(p), w = rill_winding_number(&t.winding, p);
        if (r < 0.8) assert_true(w > 0.5);
        if (r > 1.2) assert_true(w < 0.5);
    }
    end(&t);
    sketch_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_agrees_with_sum),
        cmocka_unit_test(inside_and_outside),
        cmocka_unit_test(hole),
        cmocka_unit_test(flipped_faces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

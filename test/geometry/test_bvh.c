/* SPDX-License-Identifier: MIT */
/* Closest points by the tree are those of a loop over all triangles. */
#include "geometry/shapes.h"

static sketch random_soup(uint32_t *seed, int count, double size) {
    sketch s = sketch_start(3 * count, count);
    for (int t = 0; t < count; t++) {
        const dvec middle = random_point(seed, 1);
        int32_t v[3];
        for (int c = 0; c < 3; c++) {
            const dvec p = dvec_add(middle, random_point(seed, size));
            v[c] = sketch_vertex(&s, p.x, p.y, p.z);
        }
        sketch_triangle(&s, v[0], v[1], v[2]);
    }
    return s;
}

static void check_tree(const bvh *tree, int node, int *seen) {
    const bvh_node *n = &tree->nodes[node];
    if (n->count == 0) {
        for (int side = 0; side < 2; side++) {
            const bvh_node *child = &tree->nodes[n->first + side];
            for (int axis = 0; axis < 3; axis++)
                assert_true(child->low[axis] >= n->low[axis] && child->high[axis] <= n->high[axis]);
            check_tree(tree, n->first + side, seen);
        }
        return;
    }
    for (int i = n->first; i < n->first + n->count; i++) {
        seen[tree->source[i]]++;
        for (int c = 0; c < 3; c++)
            for (int axis = 0; axis < 3; axis++) {
                const float x = tree->triangles[i].corner[c][axis];
                assert_true(x >= n->low[axis] && x <= n->high[axis]);
            }
    }
}

static void compare(const mesh *m, uint32_t *seed, int points) {
    memory memory;
    rill_memory_init(&memory, NULL);
    bvh tree;
    assert_true(rill_bvh_build(&memory, m, NULL, &tree));
    int *seen = calloc((size_t)m->triangle_count, sizeof *seen);
    check_tree(&tree, 0, seen);
    for (int t = 0; t < m->triangle_count; t++) assert_int_equal(seen[t], 1);
    free(seen);
    for (int k = 0; k < points; k++) {
        const dvec p = random_point(seed, 2);
        const double wanted = brute_distance(m, p);
        const bvh_hit hit = rill_bvh_closest(&tree, p, (double)INFINITY, -1);
        assert_near(hit.distance, wanted, 0); /* the same arithmetic, so the same bits */
        assert_near(dvec_length(dvec_sub(p, hit.point)), wanted, 1e-12);
        const dvec q = rill_triangle_closest(p, mesh_corner(m, hit.triangle, 0), mesh_corner(m, hit.triangle, 1),
                                             mesh_corner(m, hit.triangle, 2), NULL);
        assert_near(dvec_length(dvec_sub(q, hit.point)), 0, 0);
        assert_int_equal(tree.source[hit.slot], hit.triangle);
        /* any hint gives the same distance; a reach below it finds nothing */
        const int32_t hint = (int32_t)(random_bits(seed) % (uint32_t)m->triangle_count);
        assert_near(rill_bvh_closest(&tree, p, (double)INFINITY, hint).distance, wanted, 0);
        assert_near(rill_bvh_closest(&tree, p, wanted * 1.0001 + 1e-12, -1).distance, wanted, 0);
        assert_int_equal(rill_bvh_closest(&tree, p, wanted * 0.9999, hint).triangle, -1);
    }
    rill_bvh_free(&memory, &tree);
    assert_int_equal(memory.bytes, 0);
}

static void soups(void **state) {
    (void)state;
    uint32_t seed = 5;
    static const struct {
        int count;
        double size;
    } cases[] = {{1, 1}, {2, 1}, {4, 0.5}, {5, 0.5}, {50, 0.3}, {1000, 0.05}, {1000, 1.0}, {3000, 0.001}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sketch s = random_soup(&seed, cases[k].count, cases[k].size);
        const mesh m = sketch_mesh(&s);
        compare(&m, &seed, 200);
        sketch_free(&s);
    }
}

/* Equal triangles, which no plane can separate. */
static void all_in_one_place(void **state) {
    (void)state;
    uint32_t seed = 6;
    sketch s = sketch_start(3, 5000);
    sketch_vertex(&s, 0, 0, 0);
    sketch_vertex(&s, 1, 0, 0);
    sketch_vertex(&s, 0, 1, 0);
    for (int t = 0; t < 5000; t++) sketch_triangle(&s, 0, 1, 2);
    const mesh m = sketch_mesh(&s);
    compare(&m, &seed, 20);
    sketch_free(&s);
}

/* Triangles whose sizes halve give the deepest tree. */
static void shrinking(void **state) {
    (void)state;
    uint32_t seed = 7;
    sketch s = sketch_start(3 * 120, 120);
    for (int t = 0; t < 120; t++) {
        const double x = ldexp(1.0, -t);
        const int32_t a = sketch_vertex(&s, x, 0, 0);
        sketch_vertex(&s, x, x, 0);
        sketch_vertex(&s, x, 0, x);
        sketch_triangle(&s, a, a + 1, a + 2);
    }
    const mesh m = sketch_mesh(&s);
    compare(&m, &seed, 200);
    sketch_free(&s);
}

static void left_out(void **state) {
    (void)state;
    uint32_t seed = 8;
    sketch s = random_soup(&seed, 200, 0.1);
    const mesh m = sketch_mesh(&s);
    uint8_t keep[200];
    for (int t = 0; t < 200; t++) keep[t] = t % 2 == 0;
    memory memory;
    rill_memory_init(&memory, NULL);
    bvh tree;
    assert_true(rill_bvh_build(&memory, &m, keep, &tree));
    assert_int_equal(tree.triangle_count, 100);
    sketch half = sketch_start(600, 100);
    for (int v = 0; v < 600; v++) memcpy(half.vertices[half.vertex_count++], s.vertices[v], sizeof(float[3]));
    for (int t = 0; t < 200; t += 2) sketch_triangle(&half, s.triangles[t][0], s.triangles[t][1], s.triangles[t][2]);
    const mesh rest = sketch_mesh(&half);
    for (int k = 0; k < 200; k++) {
        const dvec p = random_point(&seed, 2);
        const bvh_hit hit = rill_bvh_closest(&tree, p, (double)INFINITY, -1);
        assert_near(hit.distance, brute_distance(&rest, p), 0);
        assert_int_equal(hit.triangle % 2, 0);
    }
    rill_bvh_free(&memory, &tree);
    sketch_free(&half);
    sketch_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soups),
        cmocka_unit_test(all_in_one_place),
        cmocka_unit_test(shrinking),
        cmocka_unit_test(left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

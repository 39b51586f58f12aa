/* SPDX-License-Identifier: MIT */
/* Cell sort and lists against all pairs: the same sets, in the documented order, on any number of workers. */
#include "oracle/check.h"
#include "oracle/sim_main.h"
#include "sim/neighbours/neighbours.h"

#define POINTS_MAX 7000

/* Points and the results of a search. */
typedef struct search {
    memory memory;
    parallel *workers;
    grid grid;
    lists lists;
    int count;
    place *points; /* count, then the null point */
} search;

static void search_open(search *s, int workers) {
    *s = (search){0};
    rill_memory_init(&s->memory, NULL);
    s->workers = rill_parallel_create(&s->memory, workers, NULL);
    assert_non_null(s->workers);
    s->points = rill_memory_get(&s->memory, sizeof(place) * (POINTS_MAX + 9));
    assert_non_null(s->points);
}

static void search_close(search *s) {
    rill_grid_free(&s->grid, &s->memory);
    rill_lists_free(&s->lists, &s->memory);
    rill_memory_release(&s->memory, s->points, sizeof(place) * (POINTS_MAX + 9));
    rill_parallel_destroy(&s->memory, s->workers);
    assert_int_equal(s->memory.bytes, 0);
}

static void set_null(search *s) {
    place nowhere = {0};
    for (int axis = 0; axis < DIM; axis++) (&nowhere.x.x)[axis] = 1e17f;
    s->points[s->count] = nowhere;
}

/* Sorts the points, reorders them and builds their lists. */
static void search_run(search *s, const place *from, int count, float h) {
    rill_error error = {0};
    s->count = count;
    assert_int_equal(rill_grid_sort(&s->grid, &s->memory, s->workers, from, count, h, &error), RILL_OK);
    const int32_t *order = s->grid.order.data;
    bool *seen = calloc((size_t)count + 1, 1);
    for (int k = 0; k < count; k++) {
        assert_in_range(order[k], 0, count - 1);
        assert_false(seen[order[k]]);
        seen[order[k]] = true;
        s->points[k] = from[order[k]];
    }
    free(seen);
    set_null(s);
    assert_int_equal(
        rill_lists_build(&s->lists, &s->grid, &s->memory, s->workers, s->points, count, NULL, count, &error), RILL_OK);
}

static bool are_near(vec a, vec b, float h) {
    const vec d = vec_sub(a, b);
    return vec_dot(d, d) < h * h;
}

/* Sorted by cell (z, y, x), and stable. */
static void check_order(const search *s, const place *from) {
    const int32_t *order = s->grid.order.data;
    for (int k = 1; k < s->count; k++) {
        int axis = DIM - 1, difference = 0;
        for (; axis >= 0 && difference == 0; axis--) {
            const int32_t a = grid_coordinate(&s->grid, vec_get(from[order[k - 1]].x, axis));
            const int32_t b = grid_coordinate(&s->grid, vec_get(from[order[k]].x, axis));
            difference = a < b ? -1 : a > b;
        }
        if (difference > 0 || (difference == 0 && order[k - 1] > order[k])) fail_msg("point %d is out of order", k);
    }
}

/* Memory is in cell order, so the documented order is that of the indices. */
static void check_lists(const search *s, float h) {
    int64_t pairs = 0;
    int most = 0;
    for (int i = 0; i < s->count; i++) {
        const int32_t *list = list_of(&s->lists, i);
        int n = 0;
        for (int j = 0; j < s->count; j++) {
            if (j == i || !are_near(s->points[i].x, s->points[j].x, h)) continue;
            if (n >= list_count(&s->lists, i) || list[n] != j)
                fail_msg("point %d of %d: neighbour %d is missing or out of order", i, s->count, j);
            n++;
        }
        assert_int_equal(list_count(&s->lists, i), n);
        for (int k = n; k < WIDE_ROUND_UP(n); k++) assert_int_equal(list[k], s->count);
        pairs += n;
        most = n > most ? n : most;
    }
    assert_int_equal(s->lists.pairs, pairs);
    assert_int_equal(s->lists.max_count, most);
}

static void check_search(const place *points, int count, float h, int workers) {
    search s;
    search_open(&s, workers);
    search_run(&s, points, count, h);
    check_order(&s, points);
    check_lists(&s, h);
    search_close(&s);
}

static place at(float x, float y, float z) {
    return (place){.x = vec_of((rill_vec){x, y, z}), .m = 1.0f};
}

static void scatter(place *points, int count, vec centre, float half, uint32_t *random) {
    for (int i = 0; i < count; i++) {
        points[i] = (place){.x = centre, .m = 1.0f};
        for (int axis = 0; axis < DIM; axis++) (&points[i].x.x)[axis] += random_in(random, -half, half);
    }
}

static place points[POINTS_MAX];

static void random_points(void **state) {
    (void)state;
    uint32_t random = 1;
    const float h[] = {0.05f, 0.13f, 0.5f, 3.0f};
    for (int k = 0; k < 4; k++) {
        scatter(points, 1200, (vec){0}, 1.0f, &random); /* half of the coordinates are negative */
        check_search(points, 1200, h[k], 1 + k);
    }
}

static void many_points_sorted_in_chunks(void **state) {
    (void)state;
    uint32_t random = 2;
    scatter(points, POINTS_MAX, (vec){0}, 1.0f, &random);
    for (int workers = 1; workers <= 8; workers += 3) check_search(points, POINTS_MAX, 0.1f, workers);
}

static void clusters(void **state) {
    (void)state;
    uint32_t random = 3;
    for (int k = 0; k < 10; k++) {
        vec centre = {0};
        for (int axis = 0; axis < DIM; axis++) (&centre.x)[axis] = random_in(&random, -20.0f, 20.0f);
        scatter(points + 120 * k, 120, centre, 0.02f + 0.1f * (float)k, &random);
    }
    check_search(points, 1200, 0.1f, 2);
}

static void few_points(void **state) {
    (void)state;
    check_search(points, 0, 0.1f, 2);
    points[0] = at(0.3f, -0.7f, 2.0f);
    check_search(points, 1, 0.1f, 2);
    points[1] = at(0.35f, -0.7f, 2.0f);
    check_search(points, 2, 0.1f, 2); /* near */
    points[1] = at(0.45f, -0.7f, 2.0f);
    check_search(points, 2, 0.1f, 2); /* apart */
    points[1] = at(-1e6f, 1e6f, 0.0f);
    check_search(points, 2, 0.1f, 2); /* far apart */
}

static void all_at_one_point(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) points[i] = at(1.0f, 2.0f, 3.0f);
    search s;
    search_open(&s, 2);
    search_run(&s, points, 200, 0.1f);
    check_lists(&s, 0.1f);
    for (int i = 0; i < 200; i++) assert_int_equal(list_count(&s.lists, i), 199);
    search_close(&s);
}

/* Far away floats are coarse; neighbours must be found all the same. */
static void far_away(void **state) {
    (void)state;
    uint32_t random = 4;
    const float places[] = {1e3f, 1e4f, 1e5f, 1e6f, -1e6f, 3e9f, -3e9f};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        scatter(points, 400, vec_of((rill_vec){places[k], places[k], places[k]}), 1.0f, &random);
        check_search(points, 400, 0.1f, 2);
        /* with a lone point at the origin: the sparse path */
        points[400] = at(0.0f, 0.0f, 0.0f);
        check_search(points, 401, 0.1f, 2);
        /* and with coordinates of both signs */
        scatter(points + 401, 100, vec_of((rill_vec){-places[k], places[k], 0}), 0.3f, &random);
        check_search(points, 501, 0.1f, 2);
    }
}

/* Where a coordinate passes a power of two of cells, the rounding of the cell number becomes coarser. */
static void around_powers_of_two(void **state) {
    (void)state;
    uint32_t random = 14;
    const float h[] = {0.1f, 0.25f, 0.07f};
    for (int k = 0; k < 3; k++)
        for (int p = 0; p <= 24; p += 2) {
            const float middle = h[k] * (float)(1 << p);
            scatter(points, 250, vec_of((rill_vec){middle, -middle, 0}), 2.0f * h[k], &random);
            check_search(points, 250, h[k], 1);
        }
}

static void lattice_on_cell_faces(void **state) {
    (void)state;
    const float h = 0.25f; /* exact in binary: points lie on faces, edges and corners of cells */
    const int side = DIM == 2 ? 30 : 10;
    int n = 0;
    for (int c = 0; c < (DIM == 3 ? side : 1); c++)
        for (int b = 0; b < side; b++)
            for (int a = 0; a < side; a++)
                points[n++] = at(0.125f * (float)(a - 5), 0.125f * (float)(b - 9), 0.125f * (float)c);
    check_search(points, n, h, 2);
    /* at a distance of exactly h a point is no neighbour */
    points[0] = at(0, 0, 0), points[1] = at(h, 0, 0);
    search s;
    search_open(&s, 1);
    search_run(&s, points, 2, h);
    assert_int_equal(s.lists.pairs, 0);
    search_close(&s);
}

static void one_long_line(void **state) {
    (void)state;
    for (int axis = 0; axis < DIM; axis++) {
        for (int i = 0; i < 2000; i++) {
            points[i] = at(0.01f, 0.02f, 0.03f);
            (&points[i].x.x)[axis] = 0.05f * (float)((i * 7919) % 2000);
        }
        check_search(points, 2000, 0.11f, 2);
    }
}

static void huge_and_tiny_supports(void **state) {
    (void)state;
    uint32_t random = 5;
    scatter(points, 300, (vec){0}, 1.0f, &random);
    check_search(points, 300, 1e-5f, 2);
    check_search(points, 300, 1e6f, 2);
    scatter(points, 300, (vec){0}, 1e-4f, &random);
    check_search(points, 300, 1e-5f, 2);
}

static void dense_and_sparse_agree(void **state) {
    (void)state;
    uint32_t random = 6;
    scatter(points, 1000, (vec){0}, 1.0f, &random);
    points[1000] = at(1e6f, 1e6f, 1e6f); /* last in order: indices of the others do not change */
    search dense, sparse;
    search_open(&dense, 2), search_open(&sparse, 2);
    search_run(&dense, points, 1000, 0.2f), search_run(&sparse, points, 1001, 0.2f);
    assert_true(dense.grid.dense);
    assert_false(sparse.grid.dense);
    assert_int_equal(list_count(&sparse.lists, 1000), 0);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(list_count(&dense.lists, i), list_count(&sparse.lists, i));
        assert_memory_equal(list_of(&dense.lists, i), list_of(&sparse.lists, i),
                            sizeof(int32_t) * (size_t)list_count(&dense.lists, i));
    }
    search_close(&dense), search_close(&sparse);
}

static void any_number_of_workers(void **state) {
    (void)state;
    uint32_t random = 7;
    scatter(points, 6000, (vec){0}, 1.0f, &random);
    search one;
    search_open(&one, 1);
    search_run(&one, points, 6000, 0.1f);
    const int workers[] = {2, 3, 4, 8};
    for (int k = 0; k < 4; k++) {
        search many;
        search_open(&many, workers[k]);
        search_run(&many, points, 6000, 0.1f);
        assert_memory_equal(one.grid.order.data, many.grid.order.data, sizeof(int32_t) * 6000);
        for (int i = 0; i < 6000; i++) {
            const int n = list_count(&one.lists, i);
            assert_int_equal(n, list_count(&many.lists, i));
            assert_memory_equal(list_of(&one.lists, i), list_of(&many.lists, i),
                                sizeof(int32_t) * (size_t)WIDE_ROUND_UP(n));
        }
        search_close(&many);
    }
    search_close(&one);
}

/* Points that are not in cell order: lists follow the sorted order all the same. */
static void through_slots(void **state) {
    (void)state;
    uint32_t random = 8;
    enum { COUNT = 900, WITH_LIST = 700 };
    const float h = 0.15f;
    scatter(points, COUNT, (vec){0}, 1.0f, &random);
    search s;
    search_open(&s, 2);
    s.count = COUNT;
    memcpy(s.points, points, sizeof(place) * COUNT);
    set_null(&s);
    rill_error error = {0};
    assert_int_equal(rill_grid_sort(&s.grid, &s.memory, s.workers, s.points, COUNT, h, &error), RILL_OK);
    const int32_t *order = s.grid.order.data;
    assert_int_equal(
        rill_lists_build(&s.lists, &s.grid, &s.memory, s.workers, s.points, WITH_LIST, order, COUNT, &error), RILL_OK);
    for (int i = 0; i < WITH_LIST; i++) {
        int n = 0;
        for (int k = 0; k < COUNT; k++) {
            const int32_t j = order[k];
            if (j == i || !are_near(s.points[i].x, s.points[j].x, h)) continue;
            assert_in_range(n, 0, list_count(&s.lists, i) - 1);
            assert_int_equal(list_of(&s.lists, i)[n], j);
            n++;
        }
        assert_int_equal(list_count(&s.lists, i), n);
    }
    search_close(&s);
}

/* Buffers sized for many points serve few, and the other way round. */
static void growing_and_shrinking(void **state) {
    (void)state;
    uint32_t random = 9;
    search s;
    search_open(&s, 2);
    const int counts[] = {500, 20, 1500, 0, 300};
    const float h[] = {0.2f, 0.5f, 0.1f, 0.1f, 2.0f};
    for (int k = 0; k < 5; k++) {
        scatter(points, counts[k], (vec){0}, 1.0f, &random);
        search_run(&s, points, counts[k], h[k]);
        if (counts[k] > 0) check_lists(&s, h[k]);
    }
    search_close(&s);
}

int main(void) {
    SKIP_IF_NOT_RUNNABLE();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_points),
        cmocka_unit_test(many_points_sorted_in_chunks),
        cmocka_unit_test(clusters),
        cmocka_unit_test(few_points),
        cmocka_unit_test(all_at_one_point),
        cmocka_unit_test(far_away),
        cmocka_unit_test(around_powers_of_two),
        cmocka_unit_test(lattice_on_cell_faces),
        cmocka_unit_test(one_long_line),
        cmocka_unit_test(huge_and_tiny_supports),
        cmocka_unit_test(dense_and_sparse_agree),
        cmocka_unit_test(any_number_of_workers),
        cmocka_unit_test(through_slots),
        cmocka_unit_test(growing_and_shrinking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

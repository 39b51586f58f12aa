/* SPDX-License-Identifier: MIT */
/* Periodic images against all pairs by minimum image, periodic along one, two and three axes. */
#include "oracle/check.h"
#include "oracle/sim_main.h"
#include "oracle/water_world.h"
#include "sim/neighbours/neighbours.h"

enum { COUNT = 400 };

static int simd_of_width(void) {
    return rill_choice_index("auto|scalar|sse|avx2|neon|wasm", TEST_WIDTH);
}

static rill_world *make_world(rill_vec periodic, rill_vec origin, uint32_t *random) {
    rill_world_def def = rill_world_def_default(DIM);
    def.spacing = 0.1f;
    def.periodic = periodic, def.periodic_origin = origin;
    def.workers = 2;
    def.simd = simd_of_width();
    rill_fluid_id fluid;
    rill_world *w = water_world(&def, &fluid);
    for (int i = 0; i < COUNT; i++) { /* some start periods away */
        const rill_vec x = {random_in(random, -1, 2), random_in(random, -1, 1), random_in(random, 4, 6)};
        assert_int_equal(rill_world_add_particle(w, fluid, x, (rill_vec){0}, NULL), RILL_OK);
    }
    return w;
}

/* Finds neighbours as a step does. */
static void search(rill_world *w) {
    sim *s = sim_of(w);
    rill_halo_wrap(w);
    assert_int_equal(rill_halo_build(w, w->support), RILL_OK);
    const int points = COUNT + s->halo.count;
    assert_int_equal(rill_grid_sort(&s->grid, &w->memory, w->workers, places_of(w), points, w->support, &w->error),
                     RILL_OK);
    for (int axis = 0; axis < DIM; axis++) (&places_of(w)[points].x.x)[axis] = 1e17f;
    assert_int_equal(rill_lists_build(&s->lists, &s->grid, &w->memory, w->workers, places_of(w), COUNT,
                                      s->grid.order.data, points, &w->error),
                     RILL_OK);
}

static double image_by_search(const rill_world *w, int i, int j) {
    const vec a = places_of(w)[i].x, b = places_of(w)[j].x, period = vec_of(w->def.periodic);
    double sum = 0;
    for (int axis = 0; axis < DIM; axis++) {
        const double length = (double)vec_get(period, axis);
        double d = (double)vec_get(a, axis) - (double)vec_get(b, axis);
        if (length > 0) d -= length * round(d / length);
        sum += d * d;
    }
    return sqrt(sum);
}

static void check_wrapped(const rill_world *w) {
    const vec period = vec_of(w->def.periodic), origin = vec_of(w->def.periodic_origin);
    for (int i = 0; i < COUNT; i++)
        for (int axis = 0; axis < DIM; axis++) {
            const float x = vec_get(places_of(w)[i].x, axis), low = vec_get(origin, axis),
                        length = vec_get(period, axis);
            if (length > 0.0f) assert_true(x >= low && x < low + length);
        }
}

static void check_images(const rill_world *w) {
    const sim *s = sim_of(w);
    const int32_t *source = s->halo.source.data;
    const double h = (double)w->support;
    static int found[COUNT];
    int64_t pairs = 0;
    for (int i = 0; i < COUNT; i++) {
        memset(found, 0, sizeof found);
        for (int k = 0; k < list_count(&s->lists, i); k++) {
            const int j = list_of(&s->lists, i)[k], real = j < COUNT ? j : source[j - COUNT];
            const vec d = vec_sub(places_of(w)[i].x, places_of(w)[j].x);
            assert_near(vec_length(d), image_by_search(w, i, real), 1e-5);
            found[real]++;
        }
        for (int j = 0; j < COUNT; j++) {
            const double r = image_by_search(w, i, j);
            /* at the edge of the support the rounding of the shift decides */
            if (j == i || r > h * (1 + 1e-5))
                assert_int_equal(found[j], 0);
            else if (r < h * (1 - 1e-5))
                assert_int_equal(found[j], 1);
            pairs += found[j];
        }
    }
    assert_int_equal(pairs, s->lists.pairs);
    assert_true(pairs > COUNT / 2);
}

static void images(void **state) {
    (void)state;
    uint32_t random = 11;
    const float length[3] = {1.0f, 0.7f, 0.9f};
    for (int axes = 1; axes < 1 << DIM; axes++) {
        rill_vec periodic = {0};
        for (int axis = 0; axis < DIM; axis++) (&periodic.x)[axis] = axes >> axis & 1 ? length[axis] : 0.0f;
        rill_world *w = make_world(periodic, (rill_vec){-0.3f, 0.2f, 5.0f}, &random);
        search(w);
        check_wrapped(w);
        check_images(w);
        rill_world_destroy(w);
    }
}

/* The shortest period allowed, two supports: an image and its original never meet. */
static void shortest_period(void **state) {
    (void)state;
    uint32_t random = 12;
    rill_vec periodic = {0};
    for (int axis = 0; axis < DIM; axis++) (&periodic.x)[axis] = 0.4f;
    rill_world *w = make_world(periodic, (rill_vec){0}, &random);
    search(w);
    check_wrapped(w);
    const sim *s = sim_of(w);
    const int32_t *source = s->halo.source.data;
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < list_count(&s->lists, i); k++) {
            const int j = list_of(&s->lists, i)[k];
            assert_int_not_equal(j < COUNT ? j : source[j - COUNT], i);
        }
    rill_world_destroy(w);
}

static void values_reach_the_images(void **state) {
    (void)state;
    uint32_t random = 13;
    rill_world *w = make_world((rill_vec){1, 1, DIM == 3 ? 1 : 0}, (rill_vec){0}, &random);
    search(w);
    const sim *s = sim_of(w);
    assert_true(s->halo.count > 0);
    for (int i = 0; i < COUNT; i++) densities_of(w)[i] = (float)i;
    rill_halo_exchange(w, &HALO_VALUES(densities_of(w)), 1);
    const int32_t *source = s->halo.source.data;
    for (int k = 0; k < s->halo.count; k++) assert_true(densities_of(w)[COUNT + k] == (float)source[k]);
    rill_world_destroy(w);
}

/* Several arrays at once: a whole one, one member of each item, and places that moved after the images were made. */
static void arrays_are_exchanged_together(void **state) {
    (void)state;
    uint32_t random = 14;
    rill_world *w = make_world((rill_vec){1, 1, DIM == 3 ? 1 : 0}, (rill_vec){0}, &random);
    search(w);
    const sim *s = sim_of(w);
    const int points = COUNT + s->halo.count;
    place *marked = calloc((size_t)points, sizeof *marked), *moved = calloc((size_t)points, sizeof *moved);
    vec *velocities = velocities_of(w);
    for (int i = 0; i < COUNT; i++) {
        velocities[i] = (vec){.x = (float)i, .y = 2.0f};
        marked[i] = (place){.x = {.x = 1.0f, .y = 2.0f}, .m = (float)i};
        moved[i] = (place){.x = vec_add(places_of(w)[i].x, (vec){.x = 0.125f, .y = (float)i}), .m = (float)-i};
    }
    const halo_array marks = {&marked->m, sizeof(float), sizeof(place), false};
    rill_halo_exchange(w, (halo_array[]){HALO_VALUES(velocities), marks, HALO_PLACES(moved)}, 3);
    for (int k = COUNT; k < points; k++) {
        const int i = halo_owner(w, k);
        assert_int_equal(i, ((const int32_t *)s->halo.source.data)[k - COUNT]);
        assert_true(velocities[k].x == (float)i && velocities[k].y == 2.0f);
        assert_true(marked[k].x.x == 0.0f && marked[k].m == (float)i);
        const vec apart = vec_sub(places_of(w)[k].x, places_of(w)[i].x), now = vec_sub(moved[k].x, moved[i].x);
        assert_near(vec_length(vec_sub(apart, now)), 0, 1e-4);
        assert_true(moved[k].m == (float)-i);
    }
    assert_int_equal(halo_owner(w, 3), 3);
    free(marked), free(moved);
    rill_world_destroy(w);
}

/* More particles than a block, more images than one thread copies: images follow the order of the particles. */
static void many_images_on_many_threads(void **state) {
    (void)state;
    enum { MANY = 6000 };
    rill_world_def def = rill_world_def_default(DIM);
    def.spacing = 0.1f;
    def.periodic = (rill_vec){0.9f, 0.9f, DIM == 3 ? 0.9f : 0};
    def.simd = simd_of_width();
    int32_t *one = NULL;
    int count = 0;
    for (int workers = 1; workers <= 4; workers++) {
        def.workers = workers;
        uint32_t random = 15;
        rill_world *w = rill_world_create(&def, NULL);
        const rill_fluid_def water = rill_fluid_def_default();
        rill_fluid_id fluid;
        assert_int_equal(rill_world_add_fluid(w, &water, &fluid), RILL_OK);
        for (int i = 0; i < MANY; i++) {
            const rill_vec x = {random_in(&random, -1, 2), random_in(&random, -1, 2), random_in(&random, -1, 2)};
            assert_int_equal(rill_world_add_particle(w, fluid, x, (rill_vec){0}, NULL), RILL_OK);
        }
        rill_halo_wrap(w);
        assert_int_equal(rill_halo_build(w, w->support), RILL_OK);
        const halo *h = &sim_of(w)->halo;
        const int32_t *source = h->source.data;
        assert_true(h->count > 4096);
        for (int k = 1; k < h->count; k++) assert_true(source[k] >= source[k - 1]);
        for (int i = 0; i < MANY; i++) densities_of(w)[i] = (float)i;
        rill_halo_exchange(w, &HALO_VALUES(densities_of(w)), 1);
        for (int k = 0; k < h->count; k++) assert_true(densities_of(w)[MANY + k] == (float)source[k]);
        if (!one) {
            count = h->count;
            one = malloc(sizeof *one * (size_t)count);
            memcpy(one, source, sizeof *one * (size_t)count);
        }
        assert_int_equal(h->count, count);
        assert_memory_equal(one, source, sizeof *one * (size_t)count);
        rill_world_destroy(w);
    }
    free(one);
}

int main(void) {
    SKIP_IF_NOT_RUNNABLE();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images),
        cmocka_unit_test(shortest_period),
        cmocka_unit_test(values_reach_the_images),
        cmocka_unit_test(arrays_are_exchanged_together),
        cmocka_unit_test(many_images_on_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

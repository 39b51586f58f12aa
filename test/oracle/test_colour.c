/* SPDX-License-Identifier: MIT */
/* Colours of particles against a plain sort, and sweeps that visit every particle once, in one order for any
   threads. */
#include "oracle/check.h"
#include "oracle/sim_main.h"
#include "oracle/water_world.h"
#include "sim/neighbours/neighbours.h"
#include "sim/solve/colour.h"

enum { COUNT = 9000 };

static rill_world *make_world(int workers) {
    rill_world_def def = rill_world_def_default(DIM);
    def.spacing = 0.1f;
    def.workers = workers;
    def.simd = RILL_SIMD_SCALAR;
    rill_fluid_id fluid;
    rill_world *w = water_world(&def, &fluid);
    uint32_t random = 5;
    for (int i = 0; i < COUNT; i++) {
        const rill_vec x = {random_in(&random, -3, 5), random_in(&random, -4, 2), random_in(&random, 0, 3)};
        assert_int_equal(rill_world_add_particle(w, fluid, x, (rill_vec){0}, NULL), RILL_OK);
    }
    sim *s = sim_of(w);
    assert_int_equal(rill_grid_sort(&s->grid, &w->memory, w->workers, places_of(w), COUNT, w->support, &w->error),
                     RILL_OK);
    rill_particles_permute(&w->particles, w->workers, s->grid.order.data);
    return w;
}

/* What a particle is sorted by: colour, block along z, y and x, and its index. */
typedef struct key {
    int32_t value[DIM + 2];
} key;

static key key_of(const rill_world *w, int i, int reach) {
    key k = {.value = {[DIM + 1] = i}};
    for (int axis = 0; axis < DIM; axis++) {
        const int32_t cell = grid_coordinate(&sim_of(w)->grid, vec_get(places_of(w)[i].x, axis));
        const int32_t block = (int32_t)floor((double)cell / (2 * reach));
        k.value[0] |= (block & 1) << axis;
        k.value[DIM - axis] = block;
    }
    return k;
}

static int compare_keys(const void *a, const void *b) {
    const key *x = a, *y = b;
    for (int k = 0; k < DIM + 2; k++)
        if (x->value[k] != y->value[k]) return x->value[k] < y->value[k] ? -1 : 1;
    return 0;
}

static void runs_are_sorted(void **state) {
    (void)state;
    static key keys[COUNT];
    for (int workers = 1; workers <= 4; workers++) {
        const int reach = 1 + workers % 3;
        rill_world *w = make_world(workers);
        colouring c = {0};
        arena a = {0};
        rill_colour_ask(&c, &a, COUNT);
        assert_true(rill_arena_give(&a, &w->memory, &sim_of(w)->scratch));
        rill_colour_build(&c, w, reach);
        for (int i = 0; i < COUNT; i++) keys[i] = key_of(w, i, reach);
        qsort(keys, COUNT, sizeof *keys, compare_keys);
        int n = 0, blocks = 0;
        for (int r = 0; r < c.run_count; r++) {
            if (n == 0 || memcmp(keys[n].value, keys[n - 1].value, sizeof(int32_t) * (DIM + 1)) != 0)
                assert_int_equal(c.blocks[blocks++], r);
            for (int i = c.runs[r].begin; i < c.runs[r].end; i++) assert_int_equal(keys[n++].value[DIM + 1], i);
        }
        assert_int_equal(n, COUNT);
        assert_int_equal(c.first[COLOURS], blocks);
        assert_int_equal(c.blocks[blocks], c.run_count);
        for (int k = 0; k < COLOURS; k++)
            for (int b = c.first[k]; b < c.first[k + 1]; b++)
                assert_int_equal(key_of(w, c.runs[c.blocks[b]].begin, reach).value[0], k);
        rill_world_destroy(w);
    }
}

/* Counts visits. The sum depends on the order of the additions, so that equal totals mean an equal order. */
static double visit(const colour_run *run, const colour_run *next, bool forward, void *context) {
    int *seen = context;
    if (next) assert_true(forward ? next > run : next < run);
    double sum = 0;
    for (int i = run->begin; i < run->end; i++) seen[i]++, sum += 1.0 / (1 + i);
    return sum;
}

static void sweeps_meet_all(void **state) {
    (void)state;
    static int seen[COUNT];
    double totals[2][4];
    for (int workers = 1; workers <= 4; workers++) {
        rill_world *w = make_world(workers);
        colouring c = {0};
        arena a = {0};
        rill_colour_ask(&c, &a, COUNT);
        assert_true(rill_arena_give(&a, &w->memory, &sim_of(w)->scratch));
        rill_colour_build(&c, w, 1);
        memset(seen, 0, sizeof seen);
        for (int there = 0; there < 2; there++) {
            rill_colour_sweep(&c, w->workers, there == 0, visit, seen);
            totals[there][workers - 1] = colour_total(&c, 0.1);
            assert_true(totals[there][workers - 1] == totals[there][0]);
        }
        for (int i = 0; i < COUNT; i++) assert_int_equal(seen[i], 2);
        rill_world_destroy(w);
    }
}

int main(void) {
    SKIP_IF_NOT_RUNNABLE();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_sorted),
        cmocka_unit_test(sweeps_meet_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

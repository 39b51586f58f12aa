/* SPDX-License-Identifier: MIT */
/* The governor finds out whether sharing work among threads pays, from times that a model of a machine gives. */
#include "core/governor.h"
#include "unit/worlds.h"

/* Seconds of a span. The first span after a change between alone and shared is slower: data move from cache to
   cache. */
typedef struct machine {
    double alone, shared;
    bool was_alone;
    int spans_alone, spans_shared;
} machine;

static void run(governor *g, machine *m, int items, int spans) {
    m->spans_alone = m->spans_shared = 0;
    for (int k = 0; k < spans; k++) {
        const double moved = g->alone != m->was_alone ? 1.5 : 1.0;
        m->was_alone = g->alone;
        if (g->alone)
            m->spans_alone++;
        else
            m->spans_shared++;
        /* Every seventh span is disturbed. */
        rill_governor_note(g, items, (g->alone ? m->alone : m->shared) * moved * (k % 7 == 0 ? 1.8 : 1.0));
    }
}

static void ends_with_the_faster(void **state) {
    (void)state;
    for (int percent = 60; percent <= 180; percent += 10) {
        if (percent == 100) continue; /* both take the same time */
        governor g = {0};
        machine m = {.alone = 1e-3, .shared = 1e-5 * percent};
        run(&g, &m, 1000, 200);
        run(&g, &m, 1000, 10000);
        /* A trial takes three spans, after at most 1024. */
        assert_in_range(percent > 100 ? m.spans_shared : m.spans_alone, 3, 100);
    }
}

static void follows_the_machine(void **state) {
    (void)state;
    governor g = {0};
    machine m = {.alone = 1e-3, .shared = 0.6e-3};
    run(&g, &m, 1000, 5000);
    m.shared = 1.4e-3; /* another program has the other core now */
    run(&g, &m, 1000, 2000);
    assert_true(g.alone);
    m.shared = 0.6e-3;
    run(&g, &m, 1000, 2000);
    assert_false(g.alone);
}

static void looks_again_when_a_world_grows(void **state) {
    (void)state;
    governor g = {0};
    machine m = {.alone = 1e-4, .shared = 2e-4};
    run(&g, &m, 200, 5000);
    assert_true(g.alone);
    m.alone = 1e-3, m.shared = 0.6e-3;
    run(&g, &m, 2000, 80);
    assert_false(g.alone);
    /* Large worlds always share. */
    m.shared = 2e-3;
    run(&g, &m, 10000, 5000);
    assert_int_equal(m.spans_alone, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_with_the_faster),
        cmocka_unit_test(follows_the_machine),
        cmocka_unit_test(looks_again_when_a_world_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

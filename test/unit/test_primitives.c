/* SPDX-License-Identifier: MIT */
/* Building blocks of a step: scratch memory, sums over blocks, linear and nonlinear conjugate gradients. */
#include "core/arena.h"
#include "core/cg.h"
#include "core/nncg.h"
#include "core/reduce.h"
#include "unit/worlds.h"

/* ---- arena ---- */

typedef struct arrays {
    char *bytes;
    double *numbers;
    int *none;
    float *floats;
} arrays;

static void ask(arena *a, arrays *x, int count) {
    ARENA_ASK(a, x->bytes, 3);
    ARENA_ASK(a, x->numbers, count);
    ARENA_ASK(a, x->none, 0);
    ARENA_ASK(a, x->floats, 7);
}

static void arrays_lie_side_by_side(void **state) {
    (void)state;
    memory m;
    rill_memory_init(&m, NULL);
    buffer room = {0};
    arrays x;
    arena a = {0};
    ask(&a, &x, 100);
    assert_true(rill_arena_give(&a, &m, &room));
    const char *begin = room.data;
    assert_ptr_equal(x.bytes, begin);
    assert_ptr_equal(x.numbers, begin + 64);
    assert_ptr_equal(x.none, begin + 64 + 832);
    assert_ptr_equal(x.floats, begin + 64 + 832);
    assert_true(room.size >= 64 + 832 + 64);
    arrays again;
    arena same = {0};
    ask(&same, &again, 100);
    rill_arena_place(&same, &room);
    assert_ptr_equal(again.floats, x.floats);
    rill_buffer_free(&m, &room);
    assert_int_equal(m.bytes, 0);
}

/* A size that varies by a tenth is allocated once. */
static void room_is_kept(void **state) {
    (void)state;
    memory m;
    rill_memory_init(&m, NULL);
    buffer room = {0};
    for (int k = 0; k < 20; k++) {
        arrays x;
        arena a = {0};
        ask(&a, &x, 10000 + k % 2 * 1000);
        assert_true(rill_arena_give(&a, &m, &room));
    }
    assert_int_equal(m.calls, 1);
    rill_buffer_free(&m, &room);
}

/* The first size of a buffer has an eighth to spare, a later one a half. */
static void spare_room(void **state) {
    (void)state;
    memory m;
    rill_memory_init(&m, NULL);
    buffer b = {0};
    assert_true(rill_buffer_grow(&m, &b, 800, 0));
    assert_int_equal(b.size, 900);
    assert_true(rill_buffer_grow(&m, &b, 900, 0));
    assert_int_equal(b.size, 900);
    assert_true(rill_buffer_grow(&m, &b, 1000, 0));
    assert_int_equal(b.size, 1500);
    rill_buffer_free(&m, &b);
    assert_int_equal(m.bytes, 0);
}

static void too_much_fails(void **state) {
    (void)state;
    memory m;
    rill_memory_init(&m, NULL);
    buffer room = {0};
    double *huge;
    arena a = {0};
    ARENA_ASK(&a, huge, SIZE_MAX / 4);
    assert_false(rill_arena_give(&a, &m, &room));
    char *many[ARENA_ARRAYS_MAX + 1];
    arena b = {0};
    for (int k = 0; k <= ARENA_ARRAYS_MAX; k++) ARENA_ASK(&b, many[k], 1);
    assert_false(rill_arena_give(&b, &m, &room));
    assert_int_equal(m.calls, 0);
}

/* ---- reductions ---- */

/* Numbers whose sum depends on the order of the additions. */
static double number(int i) {
    return (i % 3 == 0 ? 1e9 : 1e-3) / (1 + i % 1013);
}

static double sum_block(int begin, int end, void *context) {
    (void)context;
    double sum = 0;
    for (int i = begin; i < end; i++) sum += number(i);
    return sum;
}

/* Of the maxima, -end is largest in the first block, end in the last one. */
static totals totals_block(int begin, int end, void *context) {
    return (totals){.sum = {1, sum_block(begin, end, context)}, .most = {-end, end, -5}};
}

static double thirds_block(int begin, int end, void *context) {
    (void)context;
    int count = 0;
    for (int i = begin; i < end; i++) count += i % 3 == 0;
    return count;
}

static void check_reductions(parallel *p, int count, int grain) {
    double sum = 0;
    for (int begin = 0; begin < count; begin += grain)
        sum += sum_block(begin, count - begin < grain ? count : begin + grain, NULL);
    assert_true(rill_reduce_sum(p, count, grain, sum_block, NULL) == sum);
    const totals all = rill_reduce_totals(p, count, grain, totals_block, NULL);
    const int blocks = (count + grain - 1) / grain;
    assert_true(all.sum[0] == blocks && all.sum[1] == sum);
    assert_true(all.most[0] == (count < grain ? -count : -grain) && all.most[1] == count);
    assert_true(all.most[2] == (count > 0 ? -5 : 0));
    assert_true(rill_reduce_max(p, count, grain, thirds_block, NULL) ==
                thirds_block(0, count < grain ? count : grain, NULL));
    int32_t *first = malloc(sizeof *first * ((size_t)blocks + 1));
    assert_true(rill_reduce_starts(p, count, grain, thirds_block, NULL, first) == (count + 2) / 3);
    for (int b = 0; b <= blocks; b++) assert_int_equal(first[b], ((b < blocks ? b * grain : count) + 2) / 3);
    free(first);
}

static void sums_follow_the_blocks(void **state) {
    (void)state;
    const int counts[] = {0, 1, 7, 1024, 1025, 30000}, grains[] = {3, 12, 256, 1023};
    for (int workers = 1; workers <= 4; workers++) {
        memory m;
        rill_memory_init(&m, NULL);
        parallel *p = rill_parallel_create(&m, workers, NULL);
        for (int c = 0; c < 6; c++)
            for (int g = 0; g < 4; g++) check_reductions(p, counts[c], grains[g]);
        rill_parallel_destroy(&m, p);
    }
}

/* ---- conjugate gradients ---- */

#define LINKS 40

/* A chain: 2 x_i - x_i-1 - x_i+1 = b_i, ends held. */
typedef struct chain {
    double x[LINKS], b[LINKS], r[LINKS], p[LINKS], q[LINKS], before[LINKS];
    double residual; /* largest change of the last sweep */
    int rounds;
} chain;

static double chain_row(const double *x, int i) {
    return 2 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < LINKS ? x[i + 1] : 0);
}

static double chain_error(const chain *c) {
    double most = 0;
    for (int i = 0; i < LINKS; i++) most = fmax(most, fabs(chain_row(c->x, i) - c->b[i]));
    return most;
}

static double chain_image(void *context) {
    chain *c = context;
    double sum = 0;
    for (int i = 0; i < LINKS; i++) c->q[i] = chain_row(c->p, i), sum += c->p[i] * c->q[i];
    return sum;
}

static double chain_forward(void *context, double alpha) {
    chain *c = context;
    double sum = 0;
    for (int i = 0; i < LINKS; i++) c->x[i] += alpha * c->p[i], c->r[i] -= alpha * c->q[i], sum += c->r[i] * c->r[i];
    return sum;
}

static void chain_turn(void *context, double beta) {
    chain *c = context;
    for (int i = 0; i < LINKS; i++) c->p[i] = c->r[i] + beta * c->p[i];
}

static bool chain_enough(void *context) {
    return ++((chain *)context)->rounds == 3;
}

static void gradients_solve_a_chain(void **state) {
    (void)state;
    chain c = {0};
    double rr = 0;
    for (int i = 0; i < LINKS; i++) c.b[i] = c.r[i] = c.p[i] = number(i) / 1e9 + 1, rr += c.r[i] * c.r[i];
    cg solver = {.context = &c, .image = chain_image, .advance = chain_forward, .turn = chain_turn};
    chain stopped = c;
    const int done = rill_cg_solve(&solver, rr, 1e-20 * rr, 1000);
    assert_true(done <= LINKS + 1);
    assert_true(chain_error(&c) < 1e-8);
    solver.context = &stopped, solver.enough = chain_enough;
    assert_int_equal(rill_cg_solve(&solver, rr, 0, 1000), 3);
    assert_int_equal(rill_cg_solve(&solver, 0, 0, 1000), 0);
}

static void chain_mark(void *context) {
    chain *c = context;
    memcpy(c->before, c->x, sizeof c->x);
}

/* Projected onto x >= 0. */
static void chain_link(chain *c, int i) {
    const double x = fmax(c->x[i] + 0.5 * (c->b[i] - chain_row(c->x, i)), 0);
    c->residual = fmax(c->residual, fabs(x - c->x[i]));
    c->x[i] = x;
}

static bool chain_sweep(void *context) {
    chain *c = context;
    c->residual = 0;
    for (int i = 0; i < LINKS; i++) chain_link(c, i);
    for (int i = LINKS - 1; i >= 0; i--) chain_link(c, i);
    return c->residual < 1e-9 || ++c->rounds == 10000;
}

static double chain_length(void *context) {
    const chain *c = context;
    double sum = 0;
    for (int i = 0; i < LINKS; i++) sum += (c->x[i] - c->before[i]) * (c->x[i] - c->before[i]);
    return sum;
}

static void chain_advance(void *context, double beta) {
    chain *c = context;
    for (int i = 0; i < LINKS; i++) {
        const double change = c->x[i] - c->before[i];
        c->x[i] += beta * c->p[i];
        c->p[i] = beta * c->p[i] + change;
    }
}

static void no_advance(void *context, double beta) {
    (void)context, (void)beta;
}

/* Without directions the number of sweeps grows with the square of the chain's length. */
static void directions_save_sweeps(void **state) {
    (void)state;
    chain plain = {0};
    for (int i = 0; i < LINKS; i++) plain.b[i] = i < LINKS / 4 ? -1 : 1;
    chain fast = plain;
    nncg solver = {&plain, chain_mark, chain_sweep, chain_length, no_advance};
    rill_nncg_solve(&solver);
    solver.context = &fast, solver.advance = chain_advance;
    rill_nncg_solve(&solver);
    for (int i = 0; i < LINKS; i++) assert_true(fabs(fast.x[i] - plain.x[i]) < 1e-5 && fast.x[i] >= 0);
    assert_true(plain.rounds < 10000 && 3 * fast.rounds < plain.rounds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_lie_side_by_side),
        cmocka_unit_test(room_is_kept),
        cmocka_unit_test(spare_room),
        cmocka_unit_test(too_much_fails),
        cmocka_unit_test(sums_follow_the_blocks),
        cmocka_unit_test(gradients_solve_a_chain),
        cmocka_unit_test(directions_save_sweeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

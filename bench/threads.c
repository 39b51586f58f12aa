/* SPDX-License-Identifier: MIT */
/* Two threads against one: worlds of few particles, which a second thread must not slow down, up to 12,000, which must
   gain by it. The gain depends on the distance between the cores, which varies on virtual machines: the time of a word
   to the other core and back is printed too. */
#include "bench/bench.h"

#include "core/timer.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* Number of turns of each world, and the least length of a turn [s]: long enough that a thread that fell asleep
   meanwhile is awake for nearly all of it. */
#define TURNS       9
#define QUICK_TURNS 3
#define TURN        0.04

static const char *const pbf[] = {"iterations", "3", "substeps", "1", NULL};
static const char *const constraint[] = {"iterations", "10", "tolerance", "0", "solver", "gauss_seidel", NULL};

static const struct {
    const char *name;
    const char *const *settings;
    double dt;
} methods[] = {{"muller", NULL, 0},           {"wcsph", NULL, 0},
               {"pbf", pbf, 1.0 / 240},       {"pcisph", bench_pcisph, 0.001},
               {"dfsph", bench_dfsph, 0.001}, {"constraint", constraint, 1.0 / 480}};

static const struct { int dim, edge; } sizes[] = {{2, 6}, {2, 17}, {2, 32}, {2, 55}, {2, 110}, {3, 23}};
#define SIZES ((int)(sizeof sizes / sizeof *sizes))

/* Seconds of some steps; negative on failure. */
static double take_turn(rill_world *w, double dt, int steps) {
    const double start = rill_timer_now();
    for (int k = 0; k < steps; k++)
        if ((dt > 0 ? rill_world_step(w, dt) : rill_world_step_adaptive(w, 1.0)) != RILL_OK) return -1;
    return rill_timer_now() - start;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Both worlds take the same steps in alternate turns. The gain is the median of the turns, since other processes
   disturb some of them. */
static bool compare(rill_world *one, rill_world *two, double dt, int turns, double *gain) {
    double gains[TURNS];
    if (take_turn(one, dt, 2) < 0 || take_turn(two, dt, 2) < 0)
        return false; /* in the first steps buffers grow and caches fill */
    const double step = take_turn(one, dt, 1);
    if (step < 0 || take_turn(two, dt, 1) < 0) return false;
    const int steps = step < TURN ? (int)(TURN / step) : 1;
    for (int k = 0; k < turns; k++) {
        const double alone = take_turn(one, dt, steps), shared = take_turn(two, dt, steps);
        if (alone < 0 || shared < 0) return false;
        gains[k] = alone / shared;
    }
    qsort(gains, (size_t)turns, sizeof *gains, by_value);
    *gain = gains[turns / 2];
    return true;
}

static bool measure(int method, int size, bool quick, double *gain) {
    bench_case c = {.dim = sizes[size].dim,
                    .edge = sizes[size].edge,
                    .method = methods[method].name,
                    .settings = methods[method].settings,
                    .workers = 1};
    rill_error error = {0};
    rill_world *one = bench_world(&c, &error);
    c.workers = 2;
    rill_world *two = one ? bench_world(&c, &error) : NULL;
    const bool ok = two && compare(one, two, methods[method].dt, quick ? QUICK_TURNS : TURNS, gain);
    if (!ok) fprintf(stderr, "rill bench: %s\n", two ? rill_world_message(one) : error.text);
    rill_world_destroy(one);
    rill_world_destroy(two);
    return ok;
}

#define WORDS 20000

typedef struct exchange {
    _Alignas(64) atomic_int sent;
    _Alignas(64) atomic_int answered;
} exchange;

/* Waits for a value, and yields from time to time: both threads may share one core. */
static void wait_for(atomic_int *word, int value) {
    for (int round = 1; atomic_load(word) < value; round++)
        if (round % 1000 == 0) sched_yield();
}

static void *answer(void *context) {
    exchange *e = context;
    for (int k = 1; k <= WORDS; k++) {
        wait_for(&e->sent, k);
        atomic_store(&e->answered, k);
    }
    return NULL;
}

/* Seconds of a word to another thread and back; 0 if no thread can be started. */
static double round_trip(void) {
    exchange e = {0};
    pthread_t other;
    if (pthread_create(&other, NULL, answer, &e) != 0) return 0;
    double start = 0;
    for (int k = 1; k <= WORDS; k++) {
        if (k == WORDS / 2) start = rill_timer_now(); /* by now the other thread is running */
        atomic_store(&e.sent, k);
        wait_for(&e.answered, k);
    }
    const double seconds = rill_timer_now() - start;
    pthread_join(other, NULL);
    const int timed = WORDS - WORDS / 2 + 1;
    return seconds / timed;
}

static int particles_of(int size) {
    const int edge = sizes[size].edge;
    return sizes[size].dim == 2 ? edge * edge : edge * edge * edge;
}

static void print_head(void) {
    printf("two threads, times as fast as one; particles\n  %-11s", "");
    for (int size = 0; size < SIZES; size++) printf(" %6d %dD", particles_of(size), sizes[size].dim);
    printf("\n");
}

bool bench_threads(bool quick, bool json) {
    if (!json) print_head();
    const double before = round_trip();
    for (int method = 0; method < (int)(sizeof methods / sizeof *methods); method++) {
        printf(json ? "%s{\"method\": \"%s\"" : "%s  %-11s", json && method > 0 ? ", " : "", methods[method].name);
        for (int size = 0; size < SIZES; size++) {
            double gain;
            if (!measure(method, size, quick, &gain)) return false;
            if (json)
                printf(", \"particles_%d_%dd\": %.2f", particles_of(size), sizes[size].dim, gain);
            else
                printf(" %9.2f", gain);
        }
        printf(json ? "}" : "\n");
    }
    const double after = round_trip();
    printf(json ? ", {\"word_ns_before\": %.0f, \"word_ns_after\": %.0f}"
                : "  a word to the other core and back: %.0f ns before these rows, %.0f ns after\n\n",
           1e9 * before, 1e9 * after);
    return true;
}

/* SPDX-License-Identifier: MIT */
/* rill_parallel_for: every item once, blocks where they should be, on the library's own threads or the host's. */
#include "core/parallel.h"
#include "unit/worlds.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#if defined(RILL_NO_THREADS)
#define WITH_THREADS 0
#else
#define WITH_THREADS 1
#endif

typedef struct marks {
    atomic_int *seen;
    int count, grain, workers;
    atomic_int wrong;
} marks;

static void mark(int begin, int end, int worker, void *context) {
    marks *m = context;
    const int last = m->count - begin < m->grain ? m->count : begin + m->grain;
    if (begin % m->grain != 0 || end != last || worker < 0 || worker >= m->workers) atomic_fetch_add(&m->wrong, 1);
    for (int i = begin; i < end; i++) atomic_fetch_add(&m->seen[i], 1);
}

static void check_loop(parallel *p, int count, int grain) {
    marks m = {calloc((size_t)count + 1, sizeof(atomic_int)), count, grain, rill_parallel_workers(p), 0};
    rill_parallel_for_workers(p, count, grain, mark, &m);
    assert_int_equal(atomic_load(&m.wrong), 0);
    for (int i = 0; i < count; i++) assert_int_equal(atomic_load(&m.seen[i]), 1);
    free(m.seen);
}

static void check_loops(parallel *p) {
    const int counts[] = {0, 1, 7, 255, 256, 257, 1000, 4097}, grains[] = {1, 3, 64, 256, 100000};
    for (int c = 0; c < 8; c++)
        for (int g = 0; g < 5; g++) check_loop(p, counts[c], grains[g]);
}

static void every_item_once(void **state) {
    (void)state;
    for (int workers = 1; workers <= 16; workers++) {
        memory m;
        rill_memory_init(&m, NULL);
        parallel *p = rill_parallel_create(&m, workers, NULL);
        assert_non_null(p);
        assert_int_equal(rill_parallel_workers(p), WITH_THREADS ? workers : 1);
        check_loops(p);
        rill_parallel_destroy(&m, p);
        assert_int_equal(m.bytes, 0);
    }
}

/* Threads that have gone to sleep wake up again. */
static void after_a_pause(void **state) {
    (void)state;
    memory m;
    rill_memory_init(&m, NULL);
    parallel *p = rill_parallel_create(&m, 4, NULL);
    for (int k = 0; k < 20; k++) {
        const struct timespec pause = {0, 2000000};
        nanosleep(&pause, NULL);
        check_loop(p, 500, 10);
    }
    rill_parallel_destroy(&m, p);
}

/* Each loop has its own context, which is void when the loop is over: a thread that comes late must not read the next
   loop's range with it, nor touch it at all. */
typedef struct short_loop {
    int number;
    atomic_int items;
    atomic_int *wrong;
} short_loop;

static void count_items(int begin, int end, void *context) {
    short_loop *loop = context;
    if (loop->number < 0 || begin >= 2 + loop->number % 5) atomic_fetch_add(loop->wrong, 1);
    atomic_fetch_add(&loop->items, end - begin);
}

static void late_threads_find_nothing(void **state) {
    (void)state;
    memory m;
    rill_memory_init(&m, NULL);
    parallel *p = rill_parallel_create(&m, 8, NULL);
    atomic_int wrong = 0;
    static short_loop loops[4];
    for (int k = 0; k < 20000; k++) {
        short_loop *loop = &loops[k % 4];
        loop->number = k, loop->wrong = &wrong;
        atomic_store(&loop->items, 0);
        rill_parallel_for(p, 2 + k % 5, 1, count_items, loop);
        if (atomic_load(&loop->items) != 2 + k % 5) fail_msg("loop %d did %d items", k, atomic_load(&loop->items));
        loop->number = -1;
    }
    assert_int_equal(atomic_load(&wrong), 0);
    rill_parallel_destroy(&m, p);
}

#if WITH_THREADS
static void sleep_a_while(int begin, int end, int worker, void *context) {
    (void)begin, (void)end;
    atomic_fetch_add(&((atomic_int *)context)[worker], 1);
    const struct timespec pause = {0, 2000000};
    nanosleep(&pause, NULL);
}

/* Long work wakes sleeping threads, and the calling thread waits for the blocks that they have begun. */
static void long_loops_wake_threads(void **state) {
    (void)state;
    memory m;
    rill_memory_init(&m, NULL);
    parallel *p = rill_parallel_create(&m, 3, NULL);
    for (int k = 0; k < 3; k++) {
        const struct timespec pause = {0, 20000000};
        nanosleep(&pause, NULL);
        atomic_int blocks[3] = {0};
        rill_parallel_for_workers(p, 60, 1, sleep_a_while, blocks);
        assert_int_equal(atomic_load(&blocks[0]) + atomic_load(&blocks[1]) + atomic_load(&blocks[2]), 60);
        assert_true(atomic_load(&blocks[1]) + atomic_load(&blocks[2]) > 0);
    }
    rill_parallel_destroy(&m, p);
}

static void spin_a_moment(int begin, int end, int worker, void *context) {
    (void)begin, (void)end;
    atomic_fetch_add(&((atomic_int *)context)[worker], 1);
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while (1e9 * (double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) < 2e3);
}

/* Short loops wake threads too, if many of them follow each other. */
static void many_short_loops_wake_threads(void **state) {
    (void)state;
    memory m;
    rill_memory_init(&m, NULL);
    parallel *p = rill_parallel_create(&m, 2, NULL);
    const struct timespec pause = {0, 20000000};
    nanosleep(&pause, NULL);
    atomic_int blocks[2] = {0};
    for (int k = 0; k < 20000 && atomic_load(&blocks[1]) == 0; k++)
        rill_parallel_for_workers(p, 4, 1, spin_a_moment, blocks);
    assert_true(atomic_load(&blocks[1]) > 0);
    rill_parallel_destroy(&m, p);
}
#endif

/* Creation and destruction without any loop. */
static void idle(void **state) {
    (void)state;
    memory m;
    rill_memory_init(&m, NULL);
    for (int k = 0; k < 50; k++) {
        parallel *p = rill_parallel_create(&m, 1 + k % 8, NULL);
        assert_non_null(p);
        rill_parallel_destroy(&m, p);
    }
    parallel *all = rill_parallel_create(&m, 0, NULL);
    assert_true(rill_parallel_workers(all) >= 1);
    rill_parallel_destroy(&m, all);
    rill_parallel_destroy(&m, NULL);
    parallel *many = rill_parallel_create(&m, 100000, NULL);
    assert_int_equal(rill_parallel_workers(many), WITH_THREADS ? RILL_MAX_WORKERS : 1);
    rill_parallel_destroy(&m, many);
    assert_int_equal(m.bytes, 0);
}

/* ---- the host's threads ---- */

typedef struct host_task {
    rill_task_fn *task;
    void *context;
    int worker;
} host_task;

static void *host_thread(void *argument) {
    const host_task *t = argument;
    t->task(t->worker, t->context);
    return NULL;
}

/* A thread for each task, started last to first: order must not matter. */
static void run_on_threads(rill_task_fn *task, int count, void *task_context, void *context) {
    host_task tasks[RILL_MAX_WORKERS];
    pthread_t threads[RILL_MAX_WORKERS];
    ++*(int *)context;
    for (int k = count - 1; k >= 0; k--) {
        tasks[k] = (host_task){task, task_context, k};
        assert_int_equal(pthread_create(&threads[k], NULL, host_thread, &tasks[k]), 0);
    }
    for (int k = 0; k < count; k++) pthread_join(threads[k], NULL);
}

/* One task after the other on the calling thread, which is also allowed. */
static void run_in_turn(rill_task_fn *task, int count, void *task_context, void *context) {
    ++*(int *)context;
    for (int k = 0; k < count; k++) task(k, task_context);
}

static void host_tasks(void **state) {
    (void)state;
    int calls = 0;
    const rill_tasks hosts[] = {{run_on_threads, &calls}, {run_in_turn, &calls}};
    for (int k = 0; k < 2; k++) {
        memory m;
        rill_memory_init(&m, NULL);
        calls = 0;
        parallel *p = rill_parallel_create(&m, 5, &hosts[k]);
        assert_non_null(p);
        assert_int_equal(rill_parallel_workers(p), 5);
        check_loops(p);
        assert_true(calls > 0);
        rill_parallel_destroy(&m, p);
    }
}

static uint64_t hash_of_a_run(const rill_tasks *tasks, int workers) {
    rill_world_def def = small_def(2, "wcsph");
    def.workers = workers;
    if (tasks) def.tasks = *tasks;
    rill_world *w = make_scene_with(SCENE_STIRRED, def);
    take_steps(w, 10);
    const uint64_t hash = rill_world_hash(w);
    rill_world_destroy(w);
    return hash;
}

static void a_world_on_the_hosts_threads(void **state) {
    (void)state;
    int calls = 0;
    const rill_tasks threads = {run_on_threads, &calls}, turn = {run_in_turn, &calls};
    const uint64_t own = hash_of_a_run(NULL, 1);
    assert_true(hash_of_a_run(&threads, 3) == own);
    assert_true(calls > 0);
    assert_true(hash_of_a_run(&turn, 4) == own);
}

/* ---- worlds beside and inside each other ---- */

static void *step_a_world(void *argument) {
    *(uint64_t *)argument = hash_of_a_run(NULL, 2);
    return NULL;
}

static void worlds_on_different_threads(void **state) {
    (void)state;
    uint64_t hashes[3] = {0};
    pthread_t threads[3];
    for (int k = 0; k < 3; k++) assert_int_equal(pthread_create(&threads[k], NULL, step_a_world, &hashes[k]), 0);
    for (int k = 0; k < 3; k++) pthread_join(threads[k], NULL);
    const uint64_t alone = hash_of_a_run(NULL, 1);
    for (int k = 0; k < 3; k++) assert_true(hashes[k] == alone);
}

typedef struct nested {
    rill_world *inner;
    int steps;
} nested;

/* A host whose scheduler steps another world during a step of the first one. */
static void run_with_a_world_inside(rill_task_fn *task, int count, void *task_context, void *context) {
    nested *n = context;
    if (n->steps > 0) {
        n->steps--;
        ok(n->inner, rill_world_step_adaptive(n->inner, 0.01));
    }
    for (int k = 0; k < count; k++) task(k, task_context);
}

static void a_world_inside_a_step(void **state) {
    (void)state;
    nested n = {make_scene(SCENE_JET, 2, "muller", 2, RILL_SIMD_AUTO), 10};
    const rill_tasks tasks = {run_with_a_world_inside, &n};
    assert_true(hash_of_a_run(&tasks, 2) == hash_of_a_run(NULL, 1));
    assert_int_equal(n.steps, 0);
    rill_world *alone = make_scene(SCENE_JET, 2, "muller", 1, RILL_SIMD_AUTO);
    take_steps(alone, 10);
    assert_true(rill_world_hash(alone) == rill_world_hash(n.inner));
    rill_world_destroy(alone);
    rill_world_destroy(n.inner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_once),
        cmocka_unit_test(after_a_pause),
        cmocka_unit_test(late_threads_find_nothing),
#if WITH_THREADS
        cmocka_unit_test(long_loops_wake_threads),
        cmocka_unit_test(many_short_loops_wake_threads),
#endif
        cmocka_unit_test(idle),
        cmocka_unit_test(host_tasks),
        cmocka_unit_test(a_world_on_the_hosts_threads),
        cmocka_unit_test(worlds_on_different_threads),
        cmocka_unit_test(a_world_inside_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

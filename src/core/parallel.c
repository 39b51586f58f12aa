/* SPDX-License-Identifier: MIT */
/* One rill_parallel_for, on the host's tasks or on a small pool of our own.
   Blocks are claimed by counting down `unclaimed`. A claim that succeeds belongs to the present loop, whenever the
   thread began to look for it, and only then does the thread read what the loop is; rill_parallel_for returns when all
   claimed blocks are done. So a thread that wakes late finds nothing and holds nobody up: the calling thread can do
   all blocks by itself.
   The pool's threads look for work for a short while before they sleep: a step runs dozens of loops of about a hundred
   microseconds, and a sleep between each two would cost as much as the loops. */
#include "core/parallel.h"

#include <stdatomic.h>

#if !defined(RILL_NO_THREADS)
#include "core/timer.h"
#include "core/wait_word.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#define RELAX() _mm_pause()
#else
#define RELAX() ((void)0)
#endif
#endif

struct parallel {
    int workers;
    rill_tasks tasks;
    /* The loop under way; changed only while no block is claimed. */
    worker_fn *fn;
    void *context;
    int count, grain, blocks;
    _Alignas(64) atomic_int unclaimed; /* blocks; below zero when several threads find none left */
#if !defined(RILL_NO_THREADS)
    wait_word loops;    /* number of loops begun: the pool's threads wait for it to change */
    wait_word finished; /* blocks of the present loop that the pool's threads have done */
    atomic_bool quit;
    atomic_int started;
    int thread_count;
    pthread_t thread[RILL_MAX_WORKERS];
#endif
};

/* The number of a block that nobody else works on, or -1. */
static int claim_block(parallel *p) {
    if (atomic_load_explicit(&p->unclaimed, memory_order_relaxed) <= 0) return -1;
    const int left = atomic_fetch_sub_explicit(&p->unclaimed, 1, memory_order_acquire);
    return left > 0 ? p->blocks - left : -1;
}

static void run_block(const parallel *p, int block, int worker) {
    const int begin = block * p->grain;
    p->fn(begin, p->count - begin < p->grain ? p->count : begin + p->grain, worker, p->context);
}

/* Returns how many blocks it has done. */
static int run_blocks(parallel *p, int worker) {
    int done = 0;
    for (int block = claim_block(p); block >= 0; block = claim_block(p), done++) run_block(p, block, worker);
    return done;
}

static void host_task(int worker, void *context) {
    run_blocks(context, worker);
}

#if !defined(RILL_NO_THREADS)
/* Rounds of waiting: first at full speed (about 5 microseconds), then letting others run in between (about one
   microsecond each if there are none). A thread without work sleeps after that. It has given up a loop's time at most,
   and tries for a shorter while next time: on a machine with fewer cores than threads it only takes time away. */
#define SPIN_ROUNDS       100
#define IDLE_YIELDS       64
#define IDLE_YIELDS_LEAST 2
/* The calling thread waits longer for blocks that others still work on. */
#define FINISH_YIELDS 2000
/* Work, in seconds, for which a thread is woken. Waking takes about 10 microseconds until the thread runs. */
#define WAKE_WORTH 50e-6

/* Waits for the value to change, and returns it; gives up after some rounds. */
static unsigned look_for_change(wait_word *w, unsigned seen, int yields) {
    for (int round = 0; round < SPIN_ROUNDS + yields; round++) {
        const unsigned value = wait_word_read(w);
        if (value != seen) return value;
        if (round < SPIN_ROUNDS)
            RELAX();
        else
            sched_yield();
    }
    return wait_word_read(w);
}

static unsigned wait_for_loop(parallel *p, unsigned seen, int *yields) {
    unsigned value = look_for_change(&p->loops, seen, *yields);
    if (value != seen) {
        *yields = IDLE_YIELDS;
        return value;
    }
    *yields = *yields / 2 > IDLE_YIELDS_LEAST ? *yields / 2 : IDLE_YIELDS_LEAST;
    while (value == seen) {
        rill_wait_word_sleep(&p->loops, seen);
        value = wait_word_read(&p->loops);
    }
    return value;
}

static void *pool_thread(void *argument) {
    parallel *p = argument;
    const int worker = 1 + atomic_fetch_add(&p->started, 1);
    unsigned seen = 0;
    int yields = IDLE_YIELDS;
    for (;;) {
        seen = wait_for_loop(p, seen, &yields);
        if (atomic_load(&p->quit)) return NULL;
        const int done = run_blocks(p, worker);
        if (done == 0) continue;
        rill_wait_word_add(&p->finished, (unsigned)done);
        rill_wait_word_wake(&p->finished, 1);
    }
}

/* The calling thread's share. It wakes others once it knows that what is left is worth it: a short loop is done before
   they would run. */
static int run_blocks_and_wake(parallel *p) {
    bool asleep = wait_word_sleepers(&p->loops) > 0;
    const double start = asleep ? rill_timer_now() : 0;
    int done = 0;
    for (int block = claim_block(p); block >= 0; block = claim_block(p)) {
        run_block(p, block, 0);
        done++;
        /* The clock is read after 1, 2, 4, 8... blocks: it may take as long as a small block. */
        const bool look = asleep && (done & (done - 1)) == 0;
        const int left = look ? atomic_load_explicit(&p->unclaimed, memory_order_relaxed) : 0;
        if (left > 0 && (rill_timer_now() - start) / done * left > WAKE_WORTH) {
            rill_wait_word_wake(&p->loops, left);
            asleep = false;
        }
    }
    return done;
}

static void pool_run(parallel *p) {
    rill_wait_word_add(&p->loops, 1);
    const unsigned others = (unsigned)(p->blocks - run_blocks_and_wake(p));
    if (others == 0) return;
    for (unsigned value = wait_word_read(&p->finished); value != others;) {
        const unsigned seen = value;
        value = look_for_change(&p->finished, seen, FINISH_YIELDS);
        if (value == seen) rill_wait_word_sleep(&p->finished, seen);
        value = wait_word_read(&p->finished);
    }
    /* For the next loop. No thread adds before it has claimed a block of that one. */
    rill_wait_word_add(&p->finished, 0 - others);
}

static int core_count(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > RILL_MAX_WORKERS ? RILL_MAX_WORKERS : (int)n;
}

static bool start_threads(parallel *p) {
    rill_wait_word_init(&p->loops);
    rill_wait_word_init(&p->finished);
    while (p->thread_count < p->workers - 1) {
        if (pthread_create(&p->thread[p->thread_count], NULL, pool_thread, p) != 0) return false;
        p->thread_count++;
    }
    return true;
}

static void stop_threads(parallel *p) {
    atomic_store(&p->quit, true);
    rill_wait_word_add(&p->loops, 1);
    rill_wait_word_wake(&p->loops, INT_MAX);
    for (int k = 0; k < p->thread_count; k++) pthread_join(p->thread[k], NULL);
    rill_wait_word_free(&p->finished);
    rill_wait_word_free(&p->loops);
}
#else
static void pool_run(parallel *p) {
    run_blocks(p, 0);
}

static int core_count(void) {
    return 1;
}

static bool start_threads(parallel *p) {
    p->workers = 1;
    return true;
}

static void stop_threads(parallel *p) {
    (void)p;
}
#endif

void rill_parallel_for_workers(parallel *p, int count, int grain, worker_fn *fn, void *context) {
    if (count <= 0) return;
    if (p->workers == 1 || count <= grain) {
        /* The same cut as in parallel: callers may rely on block boundaries. */
        for (int begin = 0; begin < count; begin += grain)
            fn(begin, count - begin < grain ? count : begin + grain, 0, context);
        return;
    }
    p->fn = fn, p->context = context, p->count = count, p->grain = grain;
    p->blocks = (count - 1) / grain + 1;
    atomic_store_explicit(&p->unclaimed, p->blocks, memory_order_release);
    if (p->tasks.run)
        p->tasks.run(host_task, p->workers, p, p->tasks.context);
    else
        pool_run(p);
}

typedef struct plain_loop {
    parallel_fn *fn;
    void *context;
} plain_loop;

static void run_plain(int begin, int end, int worker, void *context) {
    (void)worker;
    const plain_loop *loop = context;
    loop->fn(begin, end, loop->context);
}

void rill_parallel_for(parallel *p, int count, int grain, parallel_fn *fn, void *context) {
    plain_loop loop = {fn, context};
    rill_parallel_for_workers(p, count, grain, run_plain, &loop);
}

parallel *rill_parallel_create(memory *m, int workers, const rill_tasks *tasks) {
    parallel *p = rill_memory_get(m, sizeof *p);
    if (!p) return NULL;
    *p = (parallel){.workers = workers > 0 ? workers : core_count()};
    if (p->workers > RILL_MAX_WORKERS) p->workers = RILL_MAX_WORKERS;
    if (tasks && tasks->run) {
        p->tasks = *tasks;
        return p;
    }
    if (!start_threads(p)) {
        rill_parallel_destroy(m, p);
        return NULL;
    }
    return p;
}

void rill_parallel_destroy(memory *m, parallel *p) {
    if (!p) return;
    if (!p->tasks.run) stop_threads(p);
    rill_memory_release(m, p, sizeof *p);
}

int rill_parallel_workers(const parallel *p) {
    return p->workers;
}

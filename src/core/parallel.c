/* SPDX-License-Identifier: MIT */
/* Parallel loops, on the host's tasks or on a small pool of threads.

   Two workers share a span of blocks, one from either end, so that a worker gets about the same particles in one loop
   after the other and finds them in its cache. A worker whose span is done helps with the next span. A claim that
   succeeds belongs to the present loop, no matter when the thread started to look for it, and only after the claim does
   the thread read what the loop is. rill_parallel_for returns when all claimed blocks are done. So a thread that wakes
   late finds nothing to do and delays nobody: the calling thread can do all blocks alone.

   The pool's threads look for work for a while before they sleep: a step runs dozens of loops of about a hundred
   microseconds, and sleeping between them would cost as much as the loops. While all of them sleep, the calling thread
   starts a loop alone and wakes them only if that pays, so that a small world is not slower with threads than
   without. */
#include "core/parallel.h"

#include "core/governor.h"

#include <stdatomic.h>

#if !defined(RILL_NO_THREADS)
#include "core/timer.h"
#include "core/wait_word.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#if defined(_WIN32)
#include <windows.h>
#endif
#if defined(__x86_64__)
#include <emmintrin.h>
#define RELAX() _mm_pause()
#else
#define RELAX() ((void)0)
#endif
#endif

#define SPANS_MAX ((RILL_MAX_WORKERS + 1) / 2)

struct parallel {
    int workers;
    rill_tasks tasks;
    governor governor;

    /* The present loop; changed only while no block is claimed. */
    worker_fn *fn;
    void *context;
    int count, grain, blocks;
    struct {
        _Alignas(64) atomic_ullong unclaimed;
    } spans[SPANS_MAX];
#if !defined(RILL_NO_THREADS)
    double idle;        /* how long a thread looks for work before it sleeps [s] */
    double missed;      /* time that other threads could have worked since all of them fell asleep [s] */
    wait_word loops;    /* number of loops started: the pool's threads wait for its change */
    wait_word finished; /* blocks of the present loop that the pool's threads have done */
    atomic_bool quit;
    atomic_int started;
    int thread_count;
    pthread_t thread[RILL_MAX_WORKERS];
#endif
};

/* The unclaimed blocks of a span in one word: the first of them in the lower half, their number in the upper half,
   which becomes negative when several threads find none left. */
#define ONE_LESS (0 - (1ull << 32))

static int blocks_in(unsigned long long unclaimed) {
    return (int)(int32_t)(unclaimed >> 32);
}

static int first_in(unsigned long long unclaimed) {
    return (int)(unclaimed & 0xFFFFFFFFu);
}

/* Claims a block from the front or from the back. Returns -1 if there is none left. */
static int claim_in(atomic_ullong *unclaimed, bool back) {
    if (blocks_in(atomic_load_explicit(unclaimed, memory_order_relaxed)) <= 0) return -1;
    const unsigned long long was =
        atomic_fetch_add_explicit(unclaimed, back ? ONE_LESS : ONE_LESS + 1, memory_order_acquire);
    if (blocks_in(was) <= 0) return -1;
    return back ? first_in(was) + blocks_in(was) - 1 : first_in(was);
}

static int span_count(const parallel *p) {
    return (p->workers + 1) / 2;
}

static int claim_block(parallel *p, int worker) {
    const int spans = span_count(p), own = worker / 2;
    int block = -1;
    for (int k = 0; k < spans && block < 0; k++) block = claim_in(&p->spans[(own + k) % spans].unclaimed, worker & 1);
    return block;
}

/* Makes the blocks from `done` on available. */
static void open_blocks(parallel *p, int done) {
    const int64_t left = p->blocks - done;
    int64_t begin = 0;
    for (int k = 0; k < span_count(p); k++) {
        const int64_t shares = 2 * k + 2 < p->workers ? 2 * k + 2 : p->workers, end = left * shares / p->workers;
        const int64_t first = done + begin, count = end - begin;
        atomic_store_explicit(&p->spans[k].unclaimed, (unsigned long long)count << 32 | (unsigned long long)first,
                              memory_order_release);
        begin = end;
    }
}

static void run_block(const parallel *p, int block, int worker) {
    const int begin = block * p->grain;
    p->fn(begin, p->count - begin < p->grain ? p->count : begin + p->grain, worker, p->context);
}

/* Runs blocks until none is left to claim. Returns their number. */
static int run_blocks(parallel *p, int worker) {
    int done = 0;
    for (int block = claim_block(p, worker); block >= 0; block = claim_block(p, worker), done++)
        run_block(p, block, worker);
    return done;
}

static void host_task(int worker, void *context) {
    run_blocks(context, worker);
}

#if !defined(RILL_NO_THREADS)
/* Waiting threads first spin, then yield the processor between looks. After that a thread without work sleeps. It has
   then wasted the time of a few loops at most, and looks for a shorter time next: on a machine with fewer cores than
   threads, looking only takes time from others. */
#define SPIN_ROUNDS 100
#define IDLE        300e-6 /* [s] */
#define IDLE_LEAST  5e-6
/* How long the calling thread waits for blocks of others before it sleeps [s]. */
#define FINISH 2e-3
/* Work for which threads are woken [s]: of one loop, or summed over loops that were too short by themselves. A thread
   runs 10 to 50 microseconds after it was woken. */
#define WAKE_WORTH   50e-6
#define MISSED_WORTH 200e-6

/* Waits for the value to change, for `seconds` at most. Returns the value. */
static unsigned look_for_change(wait_word *w, unsigned seen, double seconds) {
    for (int round = 0; round < SPIN_ROUNDS; round++) {
        const unsigned value = wait_word_read(w);
        if (value != seen) return value;
        RELAX();
    }
    for (const double end = rill_timer_now() + seconds; rill_timer_now() < end;) {
        const unsigned value = wait_word_read(w);
        if (value != seen) return value;
        sched_yield();
    }
    return wait_word_read(w);
}

static unsigned wait_for_loop(parallel *p, unsigned seen, double *patience) {
    unsigned value = look_for_change(&p->loops, seen, *patience);
    if (value != seen) {
        *patience = p->idle;
        return value;
    }
    *patience = *patience / 2 > IDLE_LEAST ? *patience / 2 : IDLE_LEAST;
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
    double patience = p->idle;
    for (;;) {
        seen = wait_for_loop(p, seen, &patience);
        if (atomic_load(&p->quit)) return NULL;
        const int done = run_blocks(p, worker);
        if (done == 0) continue;
        rill_wait_word_add(&p->finished, (unsigned)done);
        rill_wait_word_wake(&p->finished, 1);
    }
}

/* Number of unclaimed blocks. */
static int unclaimed_blocks(parallel *p) {
    int left = 0;
    for (int k = 0; k < span_count(p); k++) {
        const int here = blocks_in(atomic_load_explicit(&p->spans[k].unclaimed, memory_order_relaxed));
        if (here > 0) left += here;
    }
    return left;
}

/* The calling thread starts a loop while all others sleep. It goes on alone unless the rest of the loop is worth waking
   them, or the work that they missed in the last loops is: then more such loops will follow. Returns the number of
   blocks done. */
static int run_alone(parallel *p) {
    const double start = rill_timer_now();
    for (int done = 1;; done++) {
        run_block(p, done - 1, 0);
        if (done == p->blocks) return done;
        if ((done & (done - 1)) != 0)
            continue; /* measures after 1, 2, 4, 8... blocks: a small block takes no longer than reading the clock */
        const double each = (rill_timer_now() - start) / done;
        const int beyond = p->count - p->grain, half = p->count / 2;
        if (done == 1) p->missed += each * (beyond < half ? beyond : half) / p->grain;
        if (each * (p->blocks - done) > WAKE_WORTH || p->missed > MISSED_WORTH) return done;
    }
}

/* The calling thread's share while some others may sleep. It wakes them once the rest of the loop is worth it. Returns
   the number of blocks done. */
static int run_blocks_and_wake(parallel *p) {
    bool asleep = wait_word_sleepers(&p->loops) > 0;
    const double start = asleep ? rill_timer_now() : 0;
    int done = 0;
    for (int block = claim_block(p, 0); block >= 0; block = claim_block(p, 0)) {
        run_block(p, block, 0);
        done++;
        const bool look = asleep && (done & (done - 1)) == 0;
        const int left = look ? unclaimed_blocks(p) : 0;
        if (left > 0 && (rill_timer_now() - start) / done * left > WAKE_WORTH) {
            rill_wait_word_wake(&p->loops, left);
            asleep = false;
        }
    }
    return done;
}

static void pool_run(parallel *p) {
    const bool asleep = (int)wait_word_sleepers(&p->loops) == p->thread_count;
    const int alone = asleep ? run_alone(p) : 0;
    if (alone == p->blocks) return;
    open_blocks(p, alone);
    rill_wait_word_add(&p->loops, 1);
    if (asleep) rill_wait_word_wake(&p->loops, p->blocks - alone), p->missed = 0;
    const unsigned others = (unsigned)(p->blocks - alone - run_blocks_and_wake(p));
    if (others == 0) return;
    for (unsigned value = wait_word_read(&p->finished); value != others;) {
        const unsigned seen = value;
        value = look_for_change(&p->finished, seen, FINISH);
        if (value == seen) rill_wait_word_sleep(&p->finished, seen);
        value = wait_word_read(&p->finished);
    }
    /* Back to zero for the next loop, of which no thread has claimed a block yet. */
    rill_wait_word_add(&p->finished, 0 - others);
}

static int core_count(void) {
#if defined(_WIN32)
    const long n = (long)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
#else
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return n < 1 ? 1 : n > RILL_MAX_WORKERS ? RILL_MAX_WORKERS : (int)n;
}

static bool start_threads(parallel *p) {
    rill_wait_word_init(&p->loops);
    rill_wait_word_init(&p->finished);
    /* With more threads than cores, a thread that looks for work keeps another one from working. */
    p->idle = p->workers > core_count() ? IDLE_LEAST : IDLE;
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
    open_blocks(p, 0);
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
    /* Handing less than half a block over to the pool takes longer than it saves; a host's tasks may be faster. */
    const bool too_short = p->tasks.run ? count <= grain : count - grain < (grain + 1) / 2;
    if (p->workers == 1 || p->governor.alone || too_short) {
        /* Cut as in parallel, because callers may rely on block boundaries. */
        for (int begin = 0; begin < count; begin += grain)
            fn(begin, count - begin < grain ? count : begin + grain, 0, context);
        return;
    }
    p->fn = fn, p->context = context, p->count = count, p->grain = grain;
    p->blocks = (count - 1) / grain + 1;
    if (p->tasks.run) {
        open_blocks(p, 0);
        p->tasks.run(host_task, p->workers, p, p->tasks.context);
    } else {
        pool_run(p);
    }
}

void rill_parallel_note_span(parallel *p, int items, double seconds) {
    if (p->workers > 1 && !p->tasks.run) rill_governor_note(&p->governor, items, seconds);
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

/* SPDX-License-Identifier: MIT */
/* One parallel_for, on the host's tasks or on a small pool of our own.
   The pool's threads look for work for a short while before they sleep: a step runs a dozen loops of some hundred
   microseconds, and a sleep between each two would cost as much as the loops. */
#include "core/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#define RELAX() _mm_pause()
#else
#define RELAX() ((void)0)
#endif

/* Rounds of waiting before a thread sleeps: some 20 microseconds. */
#define SPIN_ROUNDS 1000

struct parallel {
    int workers;
    rill_tasks tasks;
    bool own_pool;
    /* the loop under way */
    parallel_fn *fn;
    void *context;
    int count, grain;
    atomic_int next; /* block to be claimed */
    /* own pool: a job number that threads wait to see change */
    atomic_uint job;
    atomic_int busy; /* threads still in the present job */
    atomic_bool quit;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    int started;
    pthread_t thread[RILL_MAX_WORKERS];
};

static void run_blocks(int worker, void *context) {
    parallel *p = context;
    const int blocks = (p->count + p->grain - 1) / p->grain;
    for (;;) {
        int block = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed);
        if (block >= blocks) return;
        int begin = block * p->grain;
        int end = p->count - begin < p->grain ? p->count : begin + p->grain;
        p->fn(begin, end, worker, p->context);
    }
}

static unsigned wait_for_job(parallel *p, unsigned last) {
    for (int round = 0; round < SPIN_ROUNDS; round++) {
        unsigned job = atomic_load_explicit(&p->job, memory_order_acquire);
        if (job != last || atomic_load(&p->quit)) return job;
        RELAX();
    }
    pthread_mutex_lock(&p->mutex);
    while (atomic_load(&p->job) == last && !atomic_load(&p->quit)) pthread_cond_wait(&p->wake, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
    return atomic_load(&p->job);
}

static void *pool_thread(void *argument) {
    parallel *p = argument;
    /* Threads number themselves: a seat of its own for each would be one more thing to free. */
    pthread_mutex_lock(&p->mutex);
    int worker = ++p->started;
    pthread_mutex_unlock(&p->mutex);
    unsigned last = 0;
    for (;;) {
        last = wait_for_job(p, last);
        if (atomic_load(&p->quit)) return NULL;
        run_blocks(worker, p);
        atomic_fetch_sub_explicit(&p->busy, 1, memory_order_release);
    }
}

static void pool_run(parallel *p) {
    atomic_store(&p->busy, p->workers - 1);
    pthread_mutex_lock(&p->mutex);
    atomic_fetch_add_explicit(&p->job, 1, memory_order_release);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->mutex);
    run_blocks(0, p);
    for (int round = 0; atomic_load_explicit(&p->busy, memory_order_acquire) > 0; round++) {
        /* More threads than cores: let the one that holds us up run. */
        if (round > SPIN_ROUNDS) sched_yield();
        RELAX();
    }
}

void parallel_for(parallel *p, int count, int grain, parallel_fn *fn, void *context) {
    if (count <= 0) return;
    if (p->workers == 1 || count <= grain) {
        /* The same cut as in parallel: callers may rely on block boundaries. */
        for (int begin = 0; begin < count; begin += grain)
            fn(begin, count - begin < grain ? count : begin + grain, 0, context);
        return;
    }
    p->fn = fn, p->context = context, p->count = count, p->grain = grain;
    atomic_store(&p->next, 0);
    if (p->own_pool)
        pool_run(p);
    else
        p->tasks.run(run_blocks, p->workers, p, p->tasks.context);
}

static int core_count(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > RILL_MAX_WORKERS ? RILL_MAX_WORKERS : (int)n;
}

static bool start_threads(parallel *p) {
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->wake, NULL);
    for (int k = 1; k < p->workers; k++) {
        if (pthread_create(&p->thread[k], NULL, pool_thread, p) != 0) {
            p->workers = k;
            return false;
        }
    }
    return true;
}

static void stop_threads(parallel *p) {
    pthread_mutex_lock(&p->mutex);
    atomic_store(&p->quit, true);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->mutex);
    for (int k = 1; k < p->workers; k++) pthread_join(p->thread[k], NULL);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->mutex);
}

parallel *parallel_create(memory *m, int workers, const rill_tasks *tasks) {
    parallel *p = memory_get(m, sizeof *p);
    if (!p) return NULL;
    *p = (parallel){.workers = workers > 0 ? workers : core_count()};
    if (p->workers > RILL_MAX_WORKERS) p->workers = RILL_MAX_WORKERS;
    if (tasks && tasks->run) {
        p->tasks = *tasks;
        return p;
    }
    p->own_pool = true;
    if (!start_threads(p)) {
        parallel_destroy(m, p);
        return NULL;
    }
    return p;
}

void parallel_destroy(memory *m, parallel *p) {
    if (!p) return;
    if (p->own_pool) stop_threads(p);
    memory_release(m, p, sizeof *p);
}

int parallel_workers(const parallel *p) {
    return p->workers;
}

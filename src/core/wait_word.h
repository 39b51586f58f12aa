/* SPDX-License-Identifier: MIT */
/* A number on whose change threads can wait: a futex on Linux, a condition variable elsewhere. Waking costs a system
   call only if a thread sleeps. */
#ifndef RILL_CORE_WAIT_WORD_H
#define RILL_CORE_WAIT_WORD_H

#include <stdatomic.h>

#if defined(__linux__) && !defined(RILL_PORTABLE_WAIT)
#define WAIT_WORD_FUTEX 1
#else
#define WAIT_WORD_FUTEX 0
#include <pthread.h>
#endif

/* On a cache line of its own, because waiting threads read it in a loop. */
typedef struct wait_word {
    _Alignas(64) atomic_uint value;
    atomic_uint sleepers;
#if !WAIT_WORD_FUTEX
    pthread_mutex_t mutex;
    pthread_cond_t changed;
#endif
} wait_word;

void rill_wait_word_init(wait_word *w);
void rill_wait_word_free(wait_word *w);
/* Adds to the value. Sleeping threads go on sleeping until rill_wait_word_wake. */
void rill_wait_word_add(wait_word *w, unsigned amount);
/* Sleeps until woken, unless the value is no longer `seen`. May return early, so the caller must read the value
   again. */
void rill_wait_word_sleep(wait_word *w, unsigned seen);
/* Wakes up to `count` sleeping threads. */
void rill_wait_word_wake(wait_word *w, int count);

static inline unsigned wait_word_read(wait_word *w) {
    return atomic_load_explicit(&w->value, memory_order_acquire);
}

static inline unsigned wait_word_sleepers(wait_word *w) {
    return atomic_load(&w->sleepers);
}

#endif

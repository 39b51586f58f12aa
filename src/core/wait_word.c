/* SPDX-License-Identifier: MIT */
/* A thread counts itself as a sleeper before it reads the value for the last time, and the value is changed before the
   sleepers are counted. In the total order of these four atomic operations at least one side sees the other, so no
   change is missed. */
#include "core/wait_word.h"

#if WAIT_WORD_FUTEX
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(sizeof(atomic_uint) == 4, "a futex has 32 bits");

void rill_wait_word_init(wait_word *w) {
    atomic_init(&w->value, 0);
    atomic_init(&w->sleepers, 0);
}

void rill_wait_word_free(wait_word *w) {
    (void)w;
}

/* The kernel compares the value once more before it puts the thread to sleep. */
void rill_wait_word_sleep(wait_word *w, unsigned seen) {
    atomic_fetch_add(&w->sleepers, 1);
    if (atomic_load(&w->value) == seen) syscall(SYS_futex, &w->value, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
    atomic_fetch_sub(&w->sleepers, 1);
}

void rill_wait_word_wake(wait_word *w, int count) {
    if (wait_word_sleepers(w) > 0) syscall(SYS_futex, &w->value, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}
#else
void rill_wait_word_init(wait_word *w) {
    atomic_init(&w->value, 0);
    atomic_init(&w->sleepers, 0);
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->changed, NULL);
}

void rill_wait_word_free(wait_word *w) {
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->mutex);
}

void rill_wait_word_sleep(wait_word *w, unsigned seen) {
    pthread_mutex_lock(&w->mutex);
    atomic_fetch_add(&w->sleepers, 1);
    if (atomic_load(&w->value) == seen) pthread_cond_wait(&w->changed, &w->mutex);
    atomic_fetch_sub(&w->sleepers, 1);
    pthread_mutex_unlock(&w->mutex);
}

void rill_wait_word_wake(wait_word *w, int count) {
    if (wait_word_sleepers(w) == 0) return;
    pthread_mutex_lock(&w->mutex);
    for (int k = 0; k < count && k < (int)wait_word_sleepers(w); k++) pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->mutex);
}
#endif

void rill_wait_word_add(wait_word *w, unsigned amount) {
    atomic_fetch_add(&w->value, amount);
}

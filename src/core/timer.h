/* SPDX-License-Identifier: MIT */
/* Clocks that never run backwards. */
#ifndef RILL_CORE_TIMER_H
#define RILL_CORE_TIMER_H

double rill_timer_now(void); /* seconds since some moment in the past */
/* Seconds of processor time of this process, summed over its threads. */
double rill_timer_processor(void);
/* Seconds of processor time of the calling thread. */
double rill_timer_thread(void);

#endif

/* SPDX-License-Identifier: MIT */
/* Clocks that never go back. */
#ifndef RILL_CORE_TIMER_H
#define RILL_CORE_TIMER_H

double rill_timer_now(void); /* seconds since some moment in the past */
/* Seconds that the processors spent on this process, all threads together: other programs do not count. */
double rill_timer_processor(void);
/* The same of the calling thread alone. */
double rill_timer_thread(void);

#endif

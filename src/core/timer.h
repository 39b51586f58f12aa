/* SPDX-License-Identifier: MIT */
/* A clock that never goes back. */
#ifndef RILL_CORE_TIMER_H
#define RILL_CORE_TIMER_H

double rill_timer_now(void); /* seconds since some moment in the past */

#endif

/* SPDX-License-Identifier: MIT */
/* Ctrl-C and other signals, polled between steps. */
#ifndef RILL_CLI_RUN_INTERRUPT_H
#define RILL_CLI_RUN_INTERRUPT_H

#include <stdbool.h>

/* From now on the first SIGINT or SIGTERM only sets a flag, and the second one kills. A file that exceeds the size
   limit (SIGXFSZ) or a closed pipe (SIGPIPE) becomes an ordinary write error. */
void interrupt_watch(void);
bool interrupt_asked(void);
/* interrupt_asked as a hook of a run; the context is unused. */
bool interrupt_stops_run(void *context);

#endif

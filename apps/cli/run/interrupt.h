/* SPDX-License-Identifier: MIT */
/* Ctrl-C and friends as a question that is asked between steps. */
#ifndef RILL_CLI_RUN_INTERRUPT_H
#define RILL_CLI_RUN_INTERRUPT_H

#include <stdbool.h>

/* From now on the first SIGINT or SIGTERM only sets a flag and the second one kills; a file that grows past the allowed
   size (SIGXFSZ) or a closed pipe (SIGPIPE) becomes an ordinary write error. */
void interrupt_watch(void);
bool interrupt_asked(void);
/* The same as the hook of a run, which has no use for a context. */
bool interrupt_stops_run(void *context);

#endif

/* SPDX-License-Identifier: MIT */
/* Signals. The flag is the only mutable global variable of the tool: a signal handler has access to nothing else. */
#include "apps/cli/run/interrupt.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t asked;

static void handle(int signal_number) {
    (void)signal_number;
    asked = 1;
}

void interrupt_watch(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = handle;
    action.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = SIG_IGN;
    action.sa_flags = 0;
    sigaction(SIGXFSZ, &action, NULL);
    sigaction(SIGPIPE, &action, NULL);
}

bool interrupt_asked(void) {
    return asked != 0;
}

bool interrupt_stops_run(void *context) {
    (void)context;
    return interrupt_asked();
}

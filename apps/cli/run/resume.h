/* SPDX-License-Identifier: MIT */
/* How a run is continued from the command line. */
#ifndef RILL_CLI_RUN_RESUME_H
#define RILL_CLI_RUN_RESUME_H

#include <stdio.h>

/* A word as a shell takes it: in quotes if it needs them. */
void resume_print_word(FILE *out, const char *word);

/* The command that continues a run, quoted for a shell: the words it was started with, and --resume. */
void resume_print_command(FILE *out, int argc, char **argv, const char *snapshot);

#endif

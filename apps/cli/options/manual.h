/* SPDX-License-Identifier: MIT */
/* The command tables as a manual page and as shell completions. */
#ifndef RILL_CLI_OPTIONS_MANUAL_H
#define RILL_CLI_OPTIONS_MANUAL_H

#include "apps/cli/options/options.h"

typedef struct command_list {
    const command *const *items;
    int count;
} command_list;

/* The manual page rill.1. */
void manual_print_page(command_list commands);
/* A script that completes commands, options, scenes and methods. False if `shell` is neither bash nor zsh. */
bool manual_print_completion(command_list commands, const char *shell);

#endif

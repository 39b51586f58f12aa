/* SPDX-License-Identifier: MIT */
/* The command tables as a manual page and as completion for shells. */
#ifndef RILL_CLI_OPTIONS_MANUAL_H
#define RILL_CLI_OPTIONS_MANUAL_H

#include "apps/cli/options/options.h"

typedef struct command_list {
    const command *const *items;
    int count;
} command_list;

/* rill.1, for man. */
void manual_print_page(command_list commands);
/* A script that completes commands, options, names of scenes and of methods. False if `shell` is neither bash nor zsh.
 */
bool manual_print_completion(command_list commands, const char *shell);

#endif

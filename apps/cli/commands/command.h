/* SPDX-License-Identifier: MIT */
/* The commands of the tool; each file exports its own, main.c lists them. */
#ifndef RILL_CLI_COMMANDS_COMMAND_H
#define RILL_CLI_COMMANDS_COMMAND_H

#include "apps/cli/options/options.h"

extern const command new_command;
extern const command run_command;
extern const command check_command;
extern const command scenes_command;
extern const command methods_command;
extern const command params_command;
extern const command schema_command;
extern const command info_command;
extern const command compare_command;
extern const command picture_command;
extern const command render_command;
extern const command surface_command;
extern const command movie_command;
extern const command experiment_command;
extern const command sweep_command;
extern const command plot_command;
extern const command view_command;

#endif

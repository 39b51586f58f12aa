/* SPDX-License-Identifier: MIT */
/* rill methods --advise: which method to take for a scene. */
#ifndef RILL_CLI_COMMANDS_ADVISE_H
#define RILL_CLI_COMMANDS_ADVISE_H

/* Tries the scene with every method, each for `clock` seconds of real time, and prints the results; returns the exit
 * code. */
int advise_on_methods(const char *scene_name, double clock);

#endif

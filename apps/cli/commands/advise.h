/* SPDX-License-Identifier: MIT */
/* rill methods --advise: which method to take for a scene. */
#ifndef RILL_CLI_COMMANDS_ADVISE_H
#define RILL_CLI_COMMANDS_ADVISE_H

/* Tries the scene with every method for `clock` seconds of the clock each, and prints what it found. Returns the exit
   code. */
int advise_on_methods(const char *scene_name, double clock);

#endif

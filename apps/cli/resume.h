/* SPDX-License-Identifier: MIT */
/* Going on from a snapshot. */
#ifndef RILL_CLI_RESUME_H
#define RILL_CLI_RESUME_H

#include "io/io.h"
#include "scene/scene.h"

/* Loads the snapshot and makes sure that the scene, as changed by the command line, is the one it was made from: a
   changed value would silently have no effect. */
rill_world *resume_world(const char *path, const scene *s, rill_error *error);
/* The command that continues a run, quoted for a shell: the words it was started with, and --resume. */
void resume_print_command(FILE *out, int argc, char **argv, const char *snapshot);

#endif

/* SPDX-License-Identifier: MIT */
/* The input of `picture`, `render`, `surface` and `movie`: a run's folder, a frame, a snapshot or a scene, with the
   solids that belong to it. */
#ifndef RILL_CLI_SHOW_INPUT_H
#define RILL_CLI_SHOW_INPUT_H

#include "apps/cli/options/scene_options.h"
#include "run/stored_run.h"

typedef struct input {
    const char *command;
    scene *scene;      /* the scene of the particles, or NULL */
    rill_world *world; /* of a scene or snapshot; NULL for frames */
    double time;    /* time at which the world is shown; the world itself may be ahead of it by less than a step [s] */
    stored_run run; /* the run of the frames; its scene is the input's */
} input;

/* The action of a command on each kind of input; `self` is the command's own data. `world` gets the path that results
   are named after. */
typedef struct input_work {
    rill_status (*folder)(void *self, const char *folder);
    rill_status (*frame)(void *self, const char *path);
    rill_status (*world)(void *self, const char *path);
    void *self;
} input_work;

/* Opens `what` for the command in->command, does the work and prints errors; returns the exit code. A scene is run to
   --time if that is given. Close the input afterwards. */
int input_use(input *in, const char *what, const scene_options *options, bool quiet, const input_work *work,
              rill_error *error);

/* Opens a scene at its beginning. A mistake on the command line is printed here, and sets the exit code. */
rill_status input_scene(input *in, const char *name, const scene_options *options, int *code, rill_error *error);
/* Finds the data that a run has stored in its folder beside the frames. Particles can be shown without it: if it is
   missing or damaged, a warning says `loss`. */
void input_find(input *in, const char *folder, const char *loss);
/* Does the same for a single frame: the run's data is in the folder above its own, or in its own. */
void input_find_near(input *in, const char *frame, const char *loss);
/* The input's world as a frame at the input's time, borrowed, sorted by id. */
rill_status input_frame(const input *in, rill_frame *frame, rill_error *error);
void input_close(input *in);

#endif

/* SPDX-License-Identifier: MIT */
/* What `picture`, `render`, `surface` and `movie` are asked to show: a run's folder, a frame, a snapshot or a scene,
   with the solids that belong to it. */
#ifndef RILL_CLI_SHOW_INPUT_H
#define RILL_CLI_SHOW_INPUT_H

#include "apps/cli/options/scene_options.h"
#include "run/stored_run.h"

typedef struct input {
    const char *command;
    scene *scene;      /* that the particles come from, or NULL */
    rill_world *world; /* of a scene or snapshot; NULL for frames */
    double time;       /* that the world is shown at: a scene's run has gone on to its own next step [s] */
    stored_run run;    /* that frames belong to; its scene is the input's */
} input;

/* The action of a command on each kind of input; `self` is its own. A world comes with the path that results are named
 * after. */
typedef struct input_work {
    rill_status (*folder)(void *self, const char *folder);
    rill_status (*frame)(void *self, const char *path);
    rill_status (*world)(void *self, const char *path);
    void *self;
} input_work;

/* Opens `what` in in->command's name, works, and tells what went wrong; returns the exit code. A scene is run to --time
   if that is given. Close the input afterwards. */
int input_use(input *in, const char *what, const scene_options *options, bool quiet, const input_work *work,
              rill_error *error);

/* A scene as it begins. Says itself what is wrong with the command line and leaves the exit code then. */
rill_status input_scene(input *in, const char *name, const scene_options *options, int *code, rill_error *error);
/* The data that the run in a folder has stored beside its frames. Particles alone are of use too, so a run without
   that, or with damage to it, only costs what `loss` says. */
void input_find(input *in, const char *folder, const char *loss);
/* The same for a frame: what it belongs to is beside its folder, or in it. */
void input_find_near(input *in, const char *frame, const char *loss);
/* The input's world at the input's time, borrowed, in the order of ids. */
rill_status input_frame(const input *in, rill_frame *frame, rill_error *error);
void input_close(input *in);

#endif

/* SPDX-License-Identifier: MIT */
/* What `picture`, `render`, `surface` and `movie` are asked to show: a run's folder, a frame, a snapshot or a scene,
   with the solids that belong to it. */
#ifndef RILL_CLI_SHOW_INPUT_H
#define RILL_CLI_SHOW_INPUT_H

#include "apps/cli/options/scene_options.h"
#include "run/stored_run.h"

typedef struct source {
    const char *command;
    scene *scene;      /* that the particles come from, or NULL */
    rill_world *world; /* of a scene or snapshot; NULL for frames */
    stored_run run;    /* that frames belong to; its scene is the source's */
} source;

/* What a command does with each kind; `self` is its own. A world comes with the path that results are named after. */
typedef struct source_work {
    rill_status (*folder)(void *self, const char *folder);
    rill_status (*frame)(void *self, const char *path);
    rill_status (*world)(void *self, const char *path);
    void *self;
} source_work;

/* Opens `what` in s->command's name, works, and tells what went wrong; returns the exit code. A scene is run to --time
   if that is given. Close the source afterwards. */
int source_use(source *s, const char *what, const scene_options *options, bool quiet, const source_work *work,
               rill_error *error);

/* A scene as it begins. Says itself what is wrong with the command line and leaves the exit code then. */
rill_status source_scene(source *s, const char *name, const scene_options *options, int *code, rill_error *error);
/* What the run in a folder has stored beside its frames. Particles alone are of use too, so a run without that, or with
   damage to it, only costs what `loss` says. */
void source_find(source *s, const char *folder, const char *loss);
/* The same for a frame: what it belongs to is beside its folder, or in it. */
void source_find_near(source *s, const char *frame, const char *loss);
/* The source's world as it is, borrowed, in the order of ids. */
rill_status source_frame(const source *s, rill_frame *frame, rill_error *error);
void source_close(source *s);

#endif

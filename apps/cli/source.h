/* SPDX-License-Identifier: MIT */
/* What `picture`, `render`, `surface` and `movie` are asked to show: a run's folder, a frame, a snapshot or a scene,
   with the solids that belong to it. */
#ifndef RILL_CLI_SOURCE_H
#define RILL_CLI_SOURCE_H

#include "scene_options.h"

typedef struct source {
    const char *command;
    scene *scene;      /* that the particles come from, or NULL */
    rill_world *world; /* with the fluid of a scene or snapshot; of frames the solids alone; or NULL */
    char folder[1200]; /* of the run that frames belong to, or empty */
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
/* The solids of the run in a folder, if it has a scene; particles alone are of use too, so a broken scene only costs
   what `loss` says. */
void source_find(source *s, const char *folder, const char *loss);
/* The same for a frame: its scene is beside its folder, or in it. */
void source_find_near(source *s, const char *frame, const char *loss);
/* Solids and bodies of stored frames to where they were. */
void source_place(source *s, double time);
void source_close(source *s);

#endif

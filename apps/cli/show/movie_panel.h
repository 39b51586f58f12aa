/* SPDX-License-Identifier: MIT */
/* One of the pictures that stand side by side in a movie: a scene that runs as it is filmed, or a run's frames. */
#ifndef RILL_CLI_SHOW_MOVIE_PANEL_H
#define RILL_CLI_SHOW_MOVIE_PANEL_H

#include "apps/cli/show/frames.h"
#include "apps/cli/show/input.h"
#include "apps/cli/show/scene_picture.h"
#include "run/run.h"

typedef struct movie_panel {
    char title[160];
    input input;
    bool runs;
    run run; /* of a scene that runs; of a folder only its plan is known */
    run_observer observer;
    frame_list list;
    const char *folder; /* of the frames; lives as long as the panel */
    int frames;
    int skipped;            /* frames that could not be read: the last picture stays */
    rill_frame frame;       /* that was reached last, owned: it stays when the world goes on */
    rill_shape_set *shapes; /* of a world that runs */
    bool stopped;           /* blew up: its last frame stays */
    char gauge[RILL_NAME_SIZE];
    double *times, *values; /* of a gauge, up to now */
    int readings;
} movie_panel;

/* `method` NULL: the scene's own. */
rill_status movie_panel_run(movie_panel *panel, const char *name, const scene_options *options, const char *method,
                            int *code, rill_error *error);
rill_status movie_panel_open(movie_panel *panel, const char *folder, rill_error *error);
/* Reads this gauge at every frame. */
rill_status movie_panel_watch(movie_panel *panel, const char *gauge, rill_error *error);
/* Of what that gauge reads, or empty. */
const char *movie_panel_unit(const movie_panel *panel);
/* Brings the panel to a frame; frames are asked for in their order. */
rill_status movie_panel_frame(movie_panel *panel, int frame, rill_error *error);
void movie_panel_free(movie_panel *panel);

#endif

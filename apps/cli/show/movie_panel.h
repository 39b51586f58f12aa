/* SPDX-License-Identifier: MIT */
/* One of the pictures side by side in a movie: of a scene that runs meanwhile, or of a run's stored frames. */
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
    run run; /* of a running scene; for a folder only its plan is set */
    run_observer observer;
    frame_list list;
    const char *folder; /* of the frames; must outlive the panel */
    int frames;
    int skipped;            /* frames that could not be read; the picture before them stays */
    rill_frame frame;       /* the last frame reached; owned, since the world goes on */
    rill_shape_set *shapes; /* of a running world */
    bool stopped;           /* the run blew up; its last frame stays */
    char gauge[RILL_NAME_SIZE];
    double *times, *values; /* readings of the gauge up to now */
    int readings;
} movie_panel;

/* `method` NULL: the scene's own. */
rill_status movie_panel_run(movie_panel *panel, const char *name, const scene_options *options, const char *method,
                            int *code, rill_error *error);
rill_status movie_panel_open(movie_panel *panel, const char *folder, rill_error *error);
/* Reads this gauge at every frame. */
rill_status movie_panel_watch(movie_panel *panel, const char *gauge, rill_error *error);
/* The unit of the gauge's values, or an empty text. */
const char *movie_panel_unit(const movie_panel *panel);
/* Moves the panel to a frame; frames must be asked for in order. */
rill_status movie_panel_frame(movie_panel *panel, int frame, rill_error *error);
void movie_panel_free(movie_panel *panel);

#endif

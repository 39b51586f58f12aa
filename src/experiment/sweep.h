/* SPDX-License-Identifier: MIT */
/* A scene with several values of its parameters, as an experiment made on the spot. */
#ifndef RILL_EXPERIMENT_SWEEP_H
#define RILL_EXPERIMENT_SWEEP_H

#include "experiment/experiment.h"

typedef struct sweep_def {
    const char *scene;        /* name or path, JSON */
    const char *methods;      /* "a,b", or NULL: the scene's own */
    const char *const *vary;  /* "KEY=A,B,C": all values with all values of the others */
    const char *const *shown; /* "TAKE EXPRESSION" as in measures; without TAKE the last frame counts */
    const char *const *sets;  /* "KEY=VALUE" for all runs */
    int vary_count, shown_count, set_count;
} sweep_def;

/* Free with rill_experiment_free. */
experiment *rill_sweep_make(const sweep_def *def, rill_error *error);
/* Plots of every result against the values of the first parameter, a line for each method and value of the others:
   FOLDER/sweep_1.svg and so on. */
rill_status rill_sweep_plot(const sweep_def *def, const experiment_report *report, rill_error *error);

#endif

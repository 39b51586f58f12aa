/* SPDX-License-Identifier: MIT */
/* A scene with several values of its parameters, turned into an experiment. */
#ifndef RILL_EXPERIMENT_SWEEP_H
#define RILL_EXPERIMENT_SWEEP_H

#include "experiment/experiment.h"

typedef struct sweep_def {
    const char *scene;        /* name or path, JSON */
    const char *methods;      /* "a,b"; NULL: the scene's own */
    const char *const *vary;  /* "KEY=A,B,C": each value is combined with all values of the others */
    const char *const *shown; /* "TAKE EXPRESSION" as in measures; without TAKE, the value at the last frame */
    const char *const *sets;  /* "KEY=VALUE", for all runs */
    int vary_count, shown_count, set_count;
} sweep_def;

/* Free with rill_experiment_free. */
experiment *rill_sweep_make(const sweep_def *def, rill_error *error);
/* Plots every result against the values of the first parameter, with a line for each method and each combination of the
   other values: FOLDER/sweep_1.svg and so on. */
rill_status rill_sweep_plot(const sweep_def *def, const experiment_report *report, rill_error *error);

#endif

/* SPDX-License-Identifier: MIT */
/* The columns of stats.csv and the keys of the report at the end of a run, in one table, from which the docs are made
   too. */
#ifndef RILL_MODEL_STATISTIC_H
#define RILL_MODEL_STATISTIC_H

#include "rill/types.h"

/* How the values of several steps are combined into one. */
typedef enum statistic_fold {
    STATISTIC_LAST, /* the value after the last step */
    STATISTIC_MEAN, /* the mean over the steps */
    STATISTIC_MOST  /* the greatest value */
} statistic_fold;

typedef enum statistic_type { STATISTIC_INT, STATISTIC_INT64, STATISTIC_SIZE, STATISTIC_DOUBLE } statistic_type;

typedef struct statistic {
    const char *column; /* in stats.csv; NULL: none */
    const char *report; /* key in the report, for the whole run; NULL: none */
    bool report_last;   /* the report also has the value of the last frame, under the key REPORT_last */
    const char *unit;
    double scale; /* factor from the value in rill_stats to that unit */
    statistic_fold fold;
    statistic_type type;
    size_t offset; /* in rill_stats */
    const char *doc;
} statistic;

enum {
    STATISTIC_TIME,
    STATISTIC_STEP,
    STATISTIC_DT,
    STATISTIC_SUBSTEPS,
    STATISTIC_PARTICLES,
    STATISTIC_ITERATIONS,
    STATISTIC_RESIDUAL,
    STATISTIC_RESIDUAL_DENSITY,
    STATISTIC_RESIDUAL_WALLS,
    STATISTIC_RESIDUAL_CONTACTS,
    STATISTIC_RESIDUAL_JOINTS,
    STATISTIC_JOINT_GAP,
    STATISTIC_DENSITY_ERROR_MEAN,
    STATISTIC_DENSITY_ERROR_MAX,
    STATISTIC_NEIGHBOURS_MEAN,
    STATISTIC_NEIGHBOURS_MAX,
    STATISTIC_MAX_SPEED,
    STATISTIC_KINETIC_ENERGY,
    STATISTIC_POTENTIAL_ENERGY,
    STATISTIC_ENERGY_GAIN,
    STATISTIC_EMITTED,
    STATISTIC_REMOVED,
    STATISTIC_STRAYED,
    STATISTIC_LEFT_OUT,
    STATISTIC_BYTES,
    STATISTIC_PHASES, /* one for each rill_phase */
    STATISTIC_COUNT = STATISTIC_PHASES + RILL_PHASE_COUNT
};
extern const statistic rill_statistics[STATISTIC_COUNT];

/* The combined values of several steps. Starts as zeros. */
typedef struct statistic_window {
    int64_t steps;
    double folded[STATISTIC_COUNT]; /* sums for means, in the units of rill_stats */
} statistic_window;

void rill_statistic_add(statistic_window *window, const rill_stats *stats);
/* The combined value of row k, in its unit. `stats` are those after the last step. A mean over no step is NAN. */
double rill_statistic_value(const statistic_window *window, const rill_stats *stats, int k);

#endif

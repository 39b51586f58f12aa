/* SPDX-License-Identifier: MIT */
/* Experiments as data: a scene with variables, the variants it is run in, what is measured, what is known, and how far
   a method may be from it. One file of experiments/ is one experiment (docs/experiments.md). */
#ifndef RILL_EXPERIMENT_EXPERIMENT_H
#define RILL_EXPERIMENT_EXPERIMENT_H

#include "scene/expression.h"
#include "scene/tree.h"

#include <stdio.h>

/* How much work a variant is: --quick runs the first kind alone, --full all three. */
typedef enum experiment_effort { EFFORT_QUICK, EFFORT_NORMAL, EFFORT_FULL } experiment_effort;
#define EFFORTS "quick|normal|full"

/* Texts of all these point into the tree of the file. An expression is a text or a number as it stands there. */
typedef struct experiment_variant {
    const char *name;
    int effort;
    const tree_node *methods; /* list; NULL: those of the experiment */
    char **sets;              /* "KEY=VALUE", variables among them */
    int set_count;
    const char *largest; /* variable whose largest value is looked for, between both; NULL: none */
    const char *holds;   /* expression of measures that is positive as long as the value is not too large */
    double lowest, highest;
} experiment_variant;

/* One number out of a run. */
typedef struct experiment_measure {
    const char *name;
    const char *value;        /* expression of variables and measures before it; or: */
    const char *of;           /* expression of columns, at each frame */
    const char *x;            /* what `of` is a function of; NULL: time */
    const char *take;         /* "mean", "period", ... (MEASURE_TAKES) */
    const char *from, *to;    /* window in time; NULL: the whole run */
    const char *smooth;       /* width of x over which `of` is averaged first, as an instrument does; NULL: it is not */
    const char *at;           /* moment; with "when", the value that is waited for */
    const tree_node *profile; /* list of [place, column] pairs */
    const char *against;      /* what the profile should be, as a function of x */
    const char *table;        /* CSV file beside the experiment */
    const char *column;       /* of the table, against its first; NULL: the second */
    tree_mark mark;
} experiment_measure;
#define MEASURE_TAKES                                                                                                \
    "mean|min|max|median|p95|rms|noise|first|last|at|when|slope|rate|period|kept|amplitude|deviation|shifted|shift|" \
    "rmse|mae"

typedef struct experiment_expectation {
    const char *key; /* "default", METHOD, "METHOD VARIANT" or "default VARIANT" */
    double low, high;
    const char *fails;  /* the run, or measuring it, is expected to fail, and why; or NULL */
    const char *reason; /* why the interval is what it is, or NULL */
} experiment_expectation;

/* A number that others printed for the value of a result. */
typedef struct experiment_publication {
    const char *key; /* as of an expectation */
    double value;
    const char *why; /* why ours differs from it; NULL: what the result says */
} experiment_publication;
/* Beyond this share a difference from a printed number needs a sentence. */
#define PUBLISHED_WITHIN 0.2

/* A measure held against what is known. */
typedef struct experiment_result {
    const char *name, *unit;
    const char *note;              /* what is known of the errors; or NULL */
    const char *value, *reference; /* expressions; no reference: 0 */
    const char *reference_variant; /* or the same method's value in another variant */
    bool absolute;                 /* error = value - reference, otherwise relative to the reference */
    double goal;                   /* |error| that a method should reach; 0: none is set */
    experiment_expectation *expectations;
    int expectation_count;
    experiment_publication *publications;
    int publication_count;
    const char *why; /* why values differ from what is published, where it does not say so itself; or NULL */
    tree_mark mark;
} experiment_result;

typedef enum plot_kind { PLOT_TIME, PLOT_PROFILE, PLOT_ERROR, PLOT_COST, PLOT_VALUE, PLOT_RESIDUALS } plot_kind;
#define PLOT_KINDS "time|profile|error|cost|value|residuals"
typedef enum plot_lines { LINES_METHODS, LINES_RUNS } plot_lines; /* of one variant with each method, or of all runs */
#define PLOT_LINES "methods|runs"
typedef struct experiment_plot {
    int kind;
    const char *title, *x_title, *y_title;
    const char *x, *y;     /* time: expressions of columns; value: x is one of variables */
    const char *of;        /* profile: name of a measure; error, cost, value: name of a result */
    const char *method;    /* the only one that is drawn; NULL: all */
    const char *variant;   /* NULL: the last one that was run */
    int lines;             /* plot_lines */
    const char *reference; /* expression of x; or: */
    const char *table;     /* points */
    const char *column;    /* of the table; NULL: the second */
} experiment_plot;

typedef struct experiment {
    char name[RILL_NAME_SIZE];
    char path[512];
    tree tree;
    int scene; /* node of the scene */
    const char *title, *source;
    const char *chapter;    /* of the report: a thesis or paper that has it; NULL: physics */
    const char *resolution; /* variable that grows with refinement, or NULL */
    char *about;
    const tree_node *methods;
    experiment_variant *variants;
    int variant_count;
    experiment_measure *measures;
    int measure_count;
    experiment_result *results;
    int result_count;
    experiment_plot *plots;
    int plot_count;
} experiment;

/* By name or path, as scenes are found: ./experiments, $RILL_EXPERIMENTS, the source tree's and the installed folder.
 */
experiment *rill_experiment_load(const char *name_or_path, rill_error *error);
experiment *rill_experiment_parse(const char *label, const char *text, size_t size, rill_error *error);
void rill_experiment_free(experiment *e);
/* Names of all that there are, in order; free() them one by one, and the list. */
rill_status rill_experiment_list(char ***names, int *count, rill_error *error);

/* ---- what came of a run ---- */

/* A table of numbers: a row for each frame. */
typedef struct series {
    char (*names)[RILL_NAME_SIZE];
    int columns;
    double *values; /* rows * columns */
    int rows, capacity;
} series;
void rill_series_free(series *s);
int rill_series_column(const series *s, const char *name); /* -1: none */
rill_status rill_series_read(series *s, const char *path, rill_error *error);

/* One variant with one method. */
typedef struct experiment_run {
    const experiment_variant *variant;
    const char *method;
    char folder[RILL_NAME_SIZE * 2]; /* below the experiment's */
    bool done;                       /* ran, now or earlier */
    bool failed;                     /* blew up, or could not be run */
    bool cached;
    char message[500]; /* why it failed */
    double end_time, particles, steps, hash;
    double seconds; /* of the processor */
    series series;
    series residuals;         /* of each iteration of the last step; empty: the method solves no system */
    struct rill_scene *scene; /* as it was run: its variables */
    double *measures;         /* one for each measure; not a number: could not be taken */
} experiment_run;

typedef enum verdict_kind {
    VERDICT_EXPECTED, /* the error lies where it is said to lie */
    VERDICT_BROKEN,   /* it does not, for better or worse */
    VERDICT_KNOWN,    /* fails, as is said */
    VERDICT_NONE      /* nothing is expected */
} verdict_kind;

typedef struct verdict {
    verdict_kind kind;
    double value, reference, error;
    bool misses_goal;
    const experiment_expectation *expectation; /* or NULL */
    const experiment_publication *publication; /* or NULL */
} verdict;

typedef struct experiment_report {
    const experiment *experiment;
    char folder[512];
    experiment_run *runs;
    int run_count;
    verdict *verdicts; /* run_count * result_count */
    int broken;
    int unexplained; /* values far from what is published, without a sentence that says why */
} experiment_report;

typedef struct experiment_options {
    int effort;
    const char *methods; /* "a,b" or NULL: all */
    const char *out;     /* folder; each experiment has one in it */
    int jobs;
    bool fresh; /* runs that are there are not used */
    bool first; /* of these variants only the first one of each method, and what it is compared with */
    bool kept;  /* variants of more effort take part with the runs that are there */
    /* After each run. */
    void (*progress)(void *context, const experiment_run *run, const char *what);
    bool (*asked_to_stop)(void *context);
    void *context;
} experiment_options;

/* What becomes of a method in all variants and results of an experiment. */
typedef struct experiment_tally {
    int runs, failed, results, missed, broken;
    int judged; /* results that have a goal */
} experiment_tally;
experiment_tally rill_experiment_tally(const experiment_report *report, const char *method);

/* The runs that the options ask for, none of them made. free with rill_experiment_report_free. */
rill_status rill_experiment_plan(experiment_report *report, const experiment *e, const experiment_options *options,
                                 rill_error *error);
/* Runs what is not there yet, measures, judges, and writes results.csv, plots and README.md. */
rill_status rill_experiment_perform(experiment_report *report, const experiment_options *options, rill_error *error);
void rill_experiment_report_free(experiment_report *report);
/* The report: FOLDER/README.md has methods and experiments in one table, FOLDER/papers.md what is published beside what
   was measured. The pages of experiments are those of `perform`. */
rill_status rill_experiment_overview(const experiment_report *reports, int count, const char *folder,
                                     rill_error *error);
/* The same in another folder, with pages of experiments and their figures as SVG alone. */
rill_status rill_experiment_card(const experiment_report *reports, int count, const char *folder, rill_error *error);
/* The reason why a value differs from the published one; NULL: it does not, or no reason is given. */
const char *rill_experiment_why(const experiment_result *result, const verdict *v);
/* Share by which the value differs from what is published; not a number if nothing is. */
double rill_experiment_deviation(const verdict *v);
/* All results of all experiments on one page, with what misses its goal; figures of convergence in images/validation
   beside it. */
rill_status rill_experiment_validation(const experiment_report *reports, int count, const char *path,
                                       rill_error *error);

/* ---- the steps of `perform` ---- */
rill_status rill_experiment_run_all(experiment_report *report, const experiment_options *options, rill_error *error);
rill_status rill_experiment_measure(const experiment *e, experiment_run *run, rill_error *error);
rill_status rill_experiment_judge(experiment_report *report, rill_error *error);
/* Exponent p of |error| ~ resolution^-p over the runs of a method; not a number with fewer than two. */
double rill_experiment_order(const experiment_report *report, const char *method, int result);
/* README.md in `folder`. */
rill_status rill_experiment_write_page(const experiment_report *report, const char *folder, rill_error *error);
rill_status rill_experiment_write_csv(const experiment_report *report, rill_error *error);
/* All plots into `folder` as SVG; `pixels`: as PNG too. */
rill_status rill_experiment_plot(const experiment_report *report, const char *folder, bool pixels, rill_error *error);
/* One plot, of the experiment or of the caller's own, as the file `path`. */
rill_status rill_experiment_figure(const experiment_report *report, const experiment_plot *plot, const char *path,
                                   rill_error *error);
/* Whether others printed a result of any of the runs; and a table of it and what came out here, with the reasons why
   they differ below it. */
bool rill_experiment_has_published(const experiment_report *report, int result);
void rill_experiment_write_published(FILE *f, const experiment_report *report, int result);
/* "+1.5 %", or a number if the error is absolute. */
const char *rill_experiment_error_text(const experiment_result *result, double error, char *buffer, size_t size);
/* "plot_1" and so on. */
const char *rill_experiment_plot_name(int plot, char *buffer, size_t size);

/* Values of variables, facts of the run (particles, steps, seconds, end_time, hash) and the first `measures` measures.
 */
typedef struct run_names {
    const experiment *experiment;
    const experiment_run *run;
    int measures;
    int row;           /* of the series; -1: columns have no values */
    const char *extra; /* one more name with a value, such as "x"; or NULL */
    double extra_value;
} run_names;
expression_names rill_experiment_names(const run_names *names);
/* Rows of a measure's window as x and y; free() both. Returns their number, or -1 after an error. */
int rill_experiment_points(const experiment *e, const experiment_run *run, int measure, const char *x, const char *y,
                           double **xs, double **ys, rill_error *error);
/* Places, means and references of a profile; free() them. */
int rill_experiment_profile(const experiment *e, const experiment_run *run, int measure, double **places,
                            double **means, double **references, rill_error *error);
/* Whether a measure holds its points against a table. */
bool rill_experiment_compares(const experiment_measure *m);
/* Points of a CSV file beside the experiment: its first column, and the one that is named (NULL: the second). free()
   both. Returns their number, or -1 after an error. */
int rill_experiment_table(const experiment *e, const char *file, const char *column, double **x, double **y,
                          rill_error *error);

#endif

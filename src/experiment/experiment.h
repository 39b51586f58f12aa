/* SPDX-License-Identifier: MIT */
/* Experiments as data: a scene with variables, the variants in which it runs, the quantities measured, the reference
   values, and the allowed errors of each method. Each file in experiments/ is one experiment (docs/experiments.md). */
#ifndef RILL_EXPERIMENT_EXPERIMENT_H
#define RILL_EXPERIMENT_EXPERIMENT_H

#include "scene/expression.h"
#include "scene/tree.h"

#include <stdio.h>

/* The cost of a variant: --quick runs only the first kind, --full all three. */
typedef enum experiment_effort { EFFORT_QUICK, EFFORT_NORMAL, EFFORT_FULL } experiment_effort;
#define EFFORTS "quick|normal|full"

/* All texts below point into the tree of the file. An expression may be given as a text or as a number. */
typedef struct experiment_variant {
    const char *name;
    int effort;
    const tree_node *methods; /* list; NULL: the experiment's methods */
    char **sets;              /* "KEY=VALUE", including variables */
    int set_count;
    const char *largest; /* variable whose largest value within the bounds is searched for; NULL: no search */
    const char *holds;   /* expression of measures that is positive while the value is not too large */
    double lowest, highest;
} experiment_variant;

/* A number measured in a run. */
typedef struct experiment_measure {
    const char *name;
    const char *value;     /* expression of variables and earlier measures; or: */
    const char *of;        /* expression of columns, evaluated at each frame */
    const char *x;         /* the abscissa of `of`; NULL: time */
    const char *take;      /* "mean", "period", ... (MEASURE_TAKES) */
    const char *from, *to; /* time window; NULL: the whole run */
    const char *smooth;    /* width of x over which `of` is averaged first, as an instrument does; NULL: not averaged */
    const char *at;        /* time; for "when", the value to be reached */
    const tree_node *profile; /* list of [place, column] pairs */
    const char *against;      /* the expected profile as a function of x */
    const char *table;        /* CSV file beside the experiment */
    const char *column;       /* column of the table; NULL: the second. The abscissa is the first */
    tree_mark mark;
} experiment_measure;
#define MEASURE_TAKES                                                                                                \
    "mean|min|max|median|p95|rms|noise|first|last|at|when|slope|rate|period|kept|amplitude|deviation|shifted|shift|" \
    "rmse|mae"

typedef struct experiment_expectation {
    const char *key; /* "default", METHOD, "METHOD VARIANT" or "default VARIANT" */
    double low, high;
    const char *fails;  /* why the run, or measuring it, is expected to fail; or NULL */
    const char *reason; /* why the interval is as it is, or NULL */
} experiment_expectation;

/* A published number for the value of a result. */
typedef struct experiment_publication {
    const char *key; /* as in an expectation */
    double value;
    const char *why; /* why our value differs; NULL: see the result's `why` */
} experiment_publication;
/* A larger relative difference from a published number needs an explanation. */
#define PUBLISHED_WITHIN 0.2

/* A measured value compared with a reference. */
typedef struct experiment_result {
    const char *name, *unit;
    const char *note;              /* remarks on the errors; or NULL */
    const char *value, *reference; /* expressions; without a reference: 0 */
    const char *reference_variant; /* or the reference is the same method's value in another variant */
    bool absolute;                 /* error = value - reference, otherwise relative to the reference */
    double goal;                   /* |error| that a method should reach; 0: no goal */
    experiment_expectation *expectations;
    int expectation_count;
    experiment_publication *publications;
    int publication_count;
    const char *why; /* why values differ from published ones that give no reason of their own; or NULL */
    tree_mark mark;
} experiment_result;

typedef enum plot_kind { PLOT_TIME, PLOT_PROFILE, PLOT_ERROR, PLOT_COST, PLOT_VALUE, PLOT_RESIDUALS } plot_kind;
#define PLOT_KINDS "time|profile|error|cost|value|residuals"
/* A line for each method in one variant, or a line for each run. */
typedef enum plot_lines { LINES_METHODS, LINES_RUNS } plot_lines;
#define PLOT_LINES "methods|runs"
typedef struct experiment_plot {
    int kind;
    const char *title, *x_title, *y_title;
    const char *x, *y;     /* time: expressions of columns; value: x is an expression of variables */
    const char *of;        /* profile: name of a measure; error, cost, value: name of a result */
    const char *method;    /* the only method that is drawn; NULL: all */
    const char *variant;   /* NULL: the last variant that was run */
    int lines;             /* plot_lines */
    const char *reference; /* expression of x; or: */
    const char *table;     /* file with points */
    const char *column;    /* of the table; NULL: the second */
} experiment_plot;

typedef struct experiment {
    char name[RILL_NAME_SIZE];
    char path[512];
    tree tree;
    int scene; /* index of the scene's node */
    const char *title, *source;
    const char *chapter;    /* the report's chapter: a thesis or paper with this experiment; NULL: physics */
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

/* Loads an experiment by name or path. Searches ./experiments, $RILL_EXPERIMENTS, and the folders of the source tree
   and the installation, as for scenes. */
experiment *rill_experiment_load(const char *name_or_path, rill_error *error);
experiment *rill_experiment_parse(const char *label, const char *text, size_t size, rill_error *error);
void rill_experiment_free(experiment *e);
/* Names of all experiments, sorted; free() each of them and the list. */
rill_status rill_experiment_list(char ***names, int *count, rill_error *error);

/* ---- results of a run ---- */

/* A table of numbers with a row for each frame. */
typedef struct series {
    char (*names)[RILL_NAME_SIZE];
    int columns;
    double *values; /* rows * columns */
    int rows, capacity;
} series;
void rill_series_free(series *s);
int rill_series_column(const series *s, const char *name); /* -1: none */
rill_status rill_series_read(series *s, const char *path, rill_error *error);

/* The run of one variant with one method. */
typedef struct experiment_run {
    const experiment_variant *variant;
    const char *method;
    char folder[RILL_NAME_SIZE * 2]; /* its folder below the experiment's */
    bool done;                       /* it has run, now or earlier */
    bool failed;                     /* blew up, or could not be run */
    bool cached;
    char message[500]; /* why it failed */
    double end_time, particles, steps, hash;
    double seconds; /* of processor time */
    series series;
    series residuals;         /* of each iteration of the last step; empty if the method solves no system */
    struct rill_scene *scene; /* the scene that ran, with its variables */
    double *measures;         /* one for each measure; NAN: could not be measured */
} experiment_run;

typedef enum verdict_kind {
    VERDICT_EXPECTED, /* the error is in the expected interval */
    VERDICT_BROKEN,   /* it is not, for better or worse */
    VERDICT_KNOWN,    /* it fails as expected */
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
    int unexplained; /* values far from published ones without an explanation */
} experiment_report;

typedef struct experiment_options {
    int effort;
    const char *methods; /* "a,b"; NULL: all */
    const char *out;     /* folder that contains a folder for each experiment */
    int jobs;
    bool fresh; /* do not reuse existing runs */
    bool first; /* only the first of these variants for each method, and its reference variant */
    bool kept;  /* include existing runs of variants that need more effort */
    /* Called after each run. */
    void (*progress)(void *context, const experiment_run *run, const char *what);
    bool (*asked_to_stop)(void *context);
    void *context;
} experiment_options;

/* Totals of a method over all variants and results of an experiment. */
typedef struct experiment_tally {
    int runs, failed, results, missed, broken;
    int judged; /* results with a goal */
} experiment_tally;
experiment_tally rill_experiment_tally(const experiment_report *report, const char *method);

/* Lists the runs that the options ask for, without running them. Free it with rill_experiment_report_free. */
rill_status rill_experiment_plan(experiment_report *report, const experiment *e, const experiment_options *options,
                                 rill_error *error);
/* Makes the missing runs, measures, judges, and writes results.csv, plots and README.md. */
rill_status rill_experiment_perform(experiment_report *report, const experiment_options *options, rill_error *error);
void rill_experiment_report_free(experiment_report *report);
/* Writes the report. FOLDER/README.md is a table of methods and experiments; FOLDER/papers.md compares published
   results with measured ones. The pages of experiments are those of rill_experiment_perform. */
rill_status rill_experiment_overview(const experiment_report *reports, int count, const char *folder,
                                     rill_error *error);
/* Writes the report into another folder, with the pages of experiments and their figures (as SVG only). */
rill_status rill_experiment_card(const experiment_report *reports, int count, const char *folder, rill_error *error);
/* The reason why a value differs from the published one; NULL if it does not, or if no reason is given. */
const char *rill_experiment_why(const experiment_result *result, const verdict *v);
/* Relative difference from the published value; NAN if there is none. */
double rill_experiment_deviation(const verdict *v);
/* Writes all results of all experiments on one page, and lists those that miss their goal. Figures of convergence are
   written to images/validation beside it. */
rill_status rill_experiment_validation(const experiment_report *reports, int count, const char *path,
                                       rill_error *error);

/* ---- the steps of `perform` ---- */
rill_status rill_experiment_run_all(experiment_report *report, const experiment_options *options, rill_error *error);
rill_status rill_experiment_measure(const experiment *e, experiment_run *run, rill_error *error);
rill_status rill_experiment_judge(experiment_report *report, rill_error *error);
/* Exponent p of |error| ~ resolution^-p over the runs of a method; NAN if there are fewer than two. */
double rill_experiment_order(const experiment_report *report, const char *method, int result);
/* Writes README.md into `folder`. */
rill_status rill_experiment_write_page(const experiment_report *report, const char *folder, rill_error *error);
rill_status rill_experiment_write_csv(const experiment_report *report, rill_error *error);
/* Draws all plots into `folder` as SVG, and with `pixels` as PNG too. */
rill_status rill_experiment_plot(const experiment_report *report, const char *folder, bool pixels, rill_error *error);
/* Draws one plot, of the experiment or of the caller, into the file `path`. */
rill_status rill_experiment_figure(const experiment_report *report, const experiment_plot *plot, const char *path,
                                   rill_error *error);
/* Whether any run has a published value for a result; and a table of published and measured values, followed by the
   reasons for differences. */
bool rill_experiment_has_published(const experiment_report *report, int result);
void rill_experiment_write_published(FILE *f, const experiment_report *report, int result);
/* Writes "+1.5 %", or a plain number if the error is absolute. */
const char *rill_experiment_error_text(const experiment_result *result, double error, char *buffer, size_t size);
/* "plot_1" and so on. */
const char *rill_experiment_plot_name(int plot, char *buffer, size_t size);

/* Names for expressions: variables, facts of the run (particles, steps, seconds, end_time, hash) and the first
   `measures` measures. */
typedef struct run_names {
    const experiment *experiment;
    const experiment_run *run;
    int measures;
    int row;           /* row of the series; -1: columns are not available */
    const char *extra; /* one more name with a value, such as "x"; or NULL */
    double extra_value;
} run_names;
expression_names rill_experiment_names(const run_names *names);
/* Rows of a measure's time window as x and y; free() both. Returns their number, or -1 after an error. */
int rill_experiment_points(const experiment *e, const experiment_run *run, int measure, const char *x, const char *y,
                           double **xs, double **ys, rill_error *error);
/* Places, mean values and reference values of a profile; free() them. Returns their number, or -1 after an error. */
int rill_experiment_profile(const experiment *e, const experiment_run *run, int measure, double **places,
                            double **means, double **references, rill_error *error);
/* Whether a measure compares its points with a table. */
bool rill_experiment_compares(const experiment_measure *m);
/* Points from a CSV file beside the experiment: its first column and the named one (NULL: the second). free() both.
   Returns their number, or -1 after an error. */
int rill_experiment_table(const experiment *e, const char *file, const char *column, double **x, double **y,
                          rill_error *error);

#endif

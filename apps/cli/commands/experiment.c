/* SPDX-License-Identifier: MIT */
/* rill experiment: runs of all methods against known results, as described by the files of experiments/. */
#include "experiment/experiment.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/options/scene_options.h"
#include "apps/cli/run/interrupt.h"
#include "apps/cli/run/progress.h"
#include "core/error.h"
#include "core/timer.h"
#include "io/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct experiment_settings {
    const char *methods, *out, *page, *report, *jobs;
    bool quick, full, first, check, list, fresh, kept, quiet;
} experiment_settings;

/* ---- choice of experiments ---- */

static int list_experiments(void) {
    char **names;
    int count;
    rill_error error;
    const rill_status status = rill_experiment_list(&names, &count, &error);
    if (status) fprintf(stderr, "rill experiment: %s\n", error.text);
    for (int k = 0; k < count; k++) {
        experiment *e = status ? NULL : rill_experiment_load(names[k], &error);
        printf("%-20s %s\n", names[k], e ? e->title : error.text);
        rill_experiment_free(e);
        free(names[k]);
    }
    free(names);
    return status ? EXIT_FAILED : EXIT_FINE;
}

/* The names that were given, or those of all experiments; free() the list and the names. */
static rill_status choose(const command_call *call, char ***names, int *count, rill_error *error) {
    if (call->operand_count == 1 && !strcmp(call->operands[0], "all")) return rill_experiment_list(names, count, error);
    *count = 0;
    *names = calloc((size_t)call->operand_count + 1, sizeof **names);
    for (int k = 0; *names && k < call->operand_count; k++) {
        char *name = strdup(call->operands[k]);
        if (name) (*names)[(*count)++] = name;
    }
    return *count == call->operand_count ? RILL_OK : rill_fail(error, RILL_MEMORY, "no memory for the names");
}

/* ---- progress ---- */

/* Progress of all experiments. Runs differ by a factor of a thousand, so the time left is estimated from the mean of
   the finished runs of the same effort. */
typedef struct work {
    progress shown;
    double start;                    /* real time at the beginning */
    int planned[EFFORT_FULL + 1];    /* number of runs */
    int done[EFFORT_FULL + 1];       /* runs that are finished */
    int made[EFFORT_FULL + 1];       /* finished runs that this process has made */
    double seconds[EFFORT_FULL + 1]; /* processor time of those */
} work;

/* Mean seconds of a run of this effort; if none is finished, of the next lighter effort with a finished run. */
static double mean_seconds(const work *w, int effort) {
    while (effort > EFFORT_QUICK && !w->made[effort]) effort--;
    return w->made[effort] ? w->seconds[effort] / w->made[effort] : 1;
}

static void show_progress(void *context, const experiment_run *run, const char *what) {
    work *w = context;
    int done = 0, planned = 0;
    double spent = 0, left = 0;
    w->done[run->variant->effort]++;
    if (!run->cached) w->made[run->variant->effort]++, w->seconds[run->variant->effort] += run->seconds;
    for (int k = EFFORT_QUICK; k <= EFFORT_FULL; k++) {
        done += w->done[k], planned += w->planned[k];
        spent += w->seconds[k], left += (w->planned[k] - w->done[k]) * mean_seconds(w, k);
    }
    const double elapsed = rill_timer_now() - w->start;
    progress_work_left(&w->shown, "run", done, planned, what, spent > 0 ? left * elapsed / spent : (double)NAN);
}

static bool asked_to_stop(void *context) {
    (void)context;
    return interrupt_asked();
}

/* ---- results ---- */

static void print_broken(const experiment_report *report) {
    const experiment *e = report->experiment;
    for (int k = 0; k < report->run_count; k++)
        for (int n = 0; n < e->result_count; n++) {
            const verdict *v = &report->verdicts[k * e->result_count + n];
            const experiment_run *run = &report->runs[k];
            if (v->kind != VERDICT_BROKEN) continue;
            printf("  %s, %s, %s: ", run->method, run->variant->name, e->results[n].name);
            if (run->failed)
                printf("%s\n", run->message);
            else if (v->expectation->fails)
                printf("ran, but is expected to fail (%s)\n", v->expectation->fails);
            else
                printf("error %.4g, expected %g to %g\n", v->error, v->expectation->low, v->expectation->high);
        }
}

static void print_summary(const experiment_report *report) {
    int missed = 0, all = report->run_count * report->experiment->result_count;
    double seconds = 0;
    for (int k = 0; k < all; k++) missed += report->verdicts[k].misses_goal;
    for (int k = 0; k < report->run_count; k++) seconds += report->runs[k].cached ? 0 : report->runs[k].seconds;
    printf("%-20s %3d runs in %6.1f s, %3d results: %d beyond their goal, %d expectations broken; %s/README.md\n",
           report->experiment->name, report->run_count, seconds, all, missed, report->broken, report->folder);
    if (report->unexplained)
        printf("  %d values differ by more than %.0f %% from published ones, without an explanation\n",
               report->unexplained, 100 * PUBLISHED_WITHIN);
    print_broken(report);
    fflush(stdout);
}

/* Reads all experiments and counts their runs. `planned` counts the experiments that were read. */
static rill_status plan_all(experiment_report *reports, const experiment_options *options, char *const *names,
                            int count, int *planned, rill_error *error) {
    work *w = options->context;
    for (*planned = 0; *planned < count; (*planned)++) {
        const experiment *e = rill_experiment_load(names[*planned], error);
        if (!e) return error->status;
        TRY(rill_experiment_plan(&reports[*planned], e, options, error));
        for (int k = 0; k < reports[*planned].run_count; k++) w->planned[reports[*planned].runs[k].variant->effort]++;
    }
    return RILL_OK;
}

static rill_status perform_planned(experiment_report *reports, const experiment_options *options, int count,
                                   int *failures, rill_error *error) {
    for (int k = 0; k < count; k++) {
        TRY(rill_experiment_perform(&reports[k], options, error));
        progress_stop(&((work *)options->context)->shown);
        print_summary(&reports[k]);
        *failures += reports[k].broken + reports[k].unexplained;
    }
    return RILL_OK;
}

static rill_status write_pages(const experiment_settings *settings, const experiment_options *options,
                               const experiment_report *reports, int count, rill_error *error) {
    TRY(rill_experiment_overview(reports, count, options->out, error));
    if (settings->report) TRY(rill_experiment_card(reports, count, settings->report, error));
    return settings->page ? rill_experiment_validation(reports, count, settings->page, error) : RILL_OK;
}

static void free_reports(experiment_report *reports, int count) {
    for (int k = 0; reports && k < count; k++) {
        experiment *e;
        memcpy(&e, &reports[k].experiment, sizeof e);
        rill_experiment_report_free(&reports[k]);
        rill_experiment_free(e);
    }
    free(reports);
}

static int perform_all(const experiment_settings *settings, const experiment_options *options, char *const *names,
                       int count) {
    rill_error error = {0};
    experiment_report *reports = calloc((size_t)count + 1, sizeof *reports);
    int planned = 0, failures = 0;
    rill_status status = reports ? plan_all(reports, options, names, count, &planned, &error)
                                 : rill_fail(&error, RILL_MEMORY, "no memory for the experiments");
    if (!status) status = perform_planned(reports, options, count, &failures, &error);
    if (!status) status = write_pages(settings, options, reports, count, &error);
    if (status) fprintf(stderr, "rill experiment: %s\n", error.text);
    free_reports(reports, count);
    if (status) return interrupt_asked() ? EXIT_INTERRUPTED : EXIT_FAILED;
    return settings->check && failures ? EXIT_FAILED : EXIT_FINE;
}

static int run_experiments(const command_call *call) {
    const experiment_settings *settings = call->settings;
    if (settings->list) return list_experiments();
    double jobs = 1;
    rill_error error;
    if (settings->quick && settings->full) {
        fprintf(stderr, "rill experiment: --quick and --full exclude each other\n");
        return EXIT_USAGE;
    }
    if (settings->jobs && (rill_parse_number(settings->jobs, RILL_PURE, &jobs, NULL) || !(jobs >= 1 && jobs <= 64))) {
        fprintf(stderr, "rill experiment: --jobs %s: expected a number from 1 to 64\n", settings->jobs);
        return EXIT_USAGE;
    }
    if (call->operand_count == 0) {
        fprintf(stderr, "rill experiment: expected NAME..., or all; --list lists all\n");
        return EXIT_USAGE;
    }
    if (settings->methods && scene_options_methods(settings->methods, &error) != RILL_OK) {
        fprintf(stderr, "rill experiment: %s\n", error.text);
        return EXIT_USAGE;
    }
    interrupt_watch();
    work w = {.shown = progress_start(settings->quiet), .start = rill_timer_now()};
    const experiment_options options = {.effort = settings->quick  ? EFFORT_QUICK
                                                  : settings->full ? EFFORT_FULL
                                                                   : EFFORT_NORMAL,
                                        .methods = settings->methods,
                                        .out = settings->out ? settings->out : "out/experiments",
                                        .jobs = (int)jobs,
                                        .fresh = settings->fresh,
                                        .first = settings->first,
                                        .kept = settings->kept,
                                        .progress = show_progress,
                                        .asked_to_stop = asked_to_stop,
                                        .context = &w};
    char **names = NULL;
    int count = 0, code = EXIT_FAILED;
    if (choose(call, &names, &count, &error) || rill_io_make_directory(options.out, &error))
        fprintf(stderr, "rill experiment: %s\n", error.text);
    else
        code = perform_all(settings, &options, names, count);
    progress_stop(&w.shown);
    for (int k = 0; k < count; k++) free(names[k]);
    free(names);
    return code;
}

static const option experiment_option_rows[] = {
    {"methods", OPTION_TEXT, offsetof(experiment_settings, methods), "LIST", "only these methods: a,b,c"},
    {"quick", OPTION_FLAG, offsetof(experiment_settings, quick), NULL, "only the variants that take little time"},
    {"full", OPTION_FLAG, offsetof(experiment_settings, full), NULL, "also the variants that take long"},
    {"first", OPTION_FLAG, offsetof(experiment_settings, first), NULL,
     "of these variants, only the first one of each method and what it is compared with"},
    {"check", OPTION_FLAG, offsetof(experiment_settings, check), NULL,
     "exit 1 if an expectation is broken or a difference is not explained"},
    {"out", OPTION_TEXT, offsetof(experiment_settings, out), "DIR", "folder for the results (default out/experiments)"},
    {"page", OPTION_TEXT, offsetof(experiment_settings, page), "FILE",
     "also write a page of all results and missed goals, such as docs/validation.md"},
    {"report", OPTION_TEXT, offsetof(experiment_settings, report), "FOLDER",
     "also write overview, pages and figures, without runs, to a folder such as docs/report"},
    {"jobs", OPTION_TEXT, offsetof(experiment_settings, jobs), "N", "number of runs at a time, each on one thread"},
    {"fresh", OPTION_FLAG, offsetof(experiment_settings, fresh), NULL, "repeat runs whose results are kept"},
    {"kept", OPTION_FLAG, offsetof(experiment_settings, kept), NULL, "include longer variants whose results are kept"},
    {"list", OPTION_FLAG, offsetof(experiment_settings, list), NULL, "list the experiments"},
    {"quiet", OPTION_FLAG, offsetof(experiment_settings, quiet), NULL, "print no progress"},
};

const command experiment_command = {
    .name = "experiment",
    .operands = "NAME...",
    .summary = "compare methods with exact solutions and measurements",
    .about =
        "NAME is one of 'rill experiment --list', a file, or all. Every variant is run with every method;\n"
        "results are compared with the reference and with the method's expectation. It writes\n"
        "  DIR/README.md           methods and experiments in one table\n"
        "  DIR/papers.md           numbers printed in papers beside those measured here\n"
        "  DIR/NAME/README.md      results, errors, order of convergence, cost\n"
        "  DIR/NAME/results.csv    the same numbers\n"
        "  DIR/NAME/plot_1.svg     and .png\n"
        "  DIR/NAME/runs/          a table for each run\n"
        "A run is not repeated if its results for the same scene and version are kept. A run that blows up counts\n"
        "as a result. Exit codes: 0 done, 1 failed or, with --check, an expectation is broken or a difference of\n"
        "more than 20 % from a published value is not explained, 2 wrong command line.\n",
    .examples = "  rill experiment --list\n"
                "  rill experiment free_fall --quick\n"
                "  rill experiment standing_wave --methods {method} --jobs 2\n"
                "  rill experiment all --quick --check --out out/check\n"
                "  rill experiment all --jobs 2 --page validation.md\n",
    .options = experiment_option_rows,
    .option_count = sizeof experiment_option_rows / sizeof experiment_option_rows[0],
    .operands_min = 0,
    .operands_max = 64,
    .settings_size = sizeof(experiment_settings),
    .run = run_experiments,
};

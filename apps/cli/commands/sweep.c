/* SPDX-License-Identifier: MIT */
/* rill sweep: a scene with several values of its parameters; writes a table and plots of the results. */
#include "experiment/sweep.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/options/scene_options.h"
#include "apps/cli/run/interrupt.h"
#include "apps/cli/run/progress.h"
#include "core/error.h"
#include "io/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sweep_settings {
    option_list vary, shown, sets;
    const char *methods, *out, *jobs;
    bool fresh, quiet;
} sweep_settings;

typedef struct sweep_work {
    progress shown;
    int done, planned;
} sweep_work;

static void show_progress(void *context, const experiment_run *run, const char *what) {
    sweep_work *w = context;
    (void)run;
    progress_work(&w->shown, "run", ++w->done, w->planned, what);
}

static bool asked_to_stop(void *context) {
    (void)context;
    return interrupt_asked();
}

static void print_table(const experiment_report *report) {
    const experiment *e = report->experiment;
    printf("%-12s %-40s", "method", "variant");
    for (int n = 0; n < e->result_count; n++) printf(" %16s", e->results[n].name);
    printf(" %10s\n", "seconds");
    for (int k = 0; k < report->run_count; k++) {
        const experiment_run *run = &report->runs[k];
        printf("%-12s %-40s", run->method, run->variant->name);
        for (int n = 0; n < e->result_count; n++) printf(" %16.6g", report->verdicts[k * e->result_count + n].value);
        printf(" %10.3g%s%s\n", run->seconds, run->failed ? " " : "", run->failed ? run->message : "");
    }
    printf("Table, page and plots are in %s\n", report->folder);
}

static rill_status perform(const sweep_def *def, const experiment *e, const experiment_options *options,
                           rill_error *error) {
    experiment_report report;
    sweep_work *w = options->context;
    TRY(rill_io_make_directory(options->out, error));
    rill_status status = rill_experiment_plan(&report, e, options, error);
    w->planned = report.run_count;
    if (!status) status = rill_experiment_perform(&report, options, error);
    if (!status) status = rill_sweep_plot(def, &report, error);
    progress_stop(&w->shown);
    if (!status) print_table(&report);
    rill_experiment_report_free(&report);
    return status;
}

static int run_sweep(const command_call *call) {
    const sweep_settings *settings = call->settings;
    double jobs = 1;
    rill_error error = {0};
    if (!settings->vary.count || !settings->shown.count) {
        fprintf(stderr, "rill sweep: expected --vary KEY=VALUE,... and --show EXPRESSION\n");
        return EXIT_USAGE;
    }
    if (settings->jobs && (rill_parse_number(settings->jobs, RILL_PURE, &jobs, NULL) || !(jobs >= 1 && jobs <= 64))) {
        fprintf(stderr, "rill sweep: --jobs %s: expected a number from 1 to 64\n", settings->jobs);
        return EXIT_USAGE;
    }
    if (settings->methods && scene_options_methods(settings->methods, &error) != RILL_OK) {
        fprintf(stderr, "rill sweep: %s\n", error.text);
        return EXIT_USAGE;
    }
    interrupt_watch();
    const sweep_def def = {.scene = call->operands[0],
                           .methods = settings->methods,
                           .vary = settings->vary.items,
                           .vary_count = settings->vary.count,
                           .shown = settings->shown.items,
                           .shown_count = settings->shown.count,
                           .sets = settings->sets.items,
                           .set_count = settings->sets.count};
    sweep_work w = {.shown = progress_start(settings->quiet)};
    const experiment_options options = {.effort = EFFORT_FULL,
                                        .out = settings->out ? settings->out : "out/sweep",
                                        .jobs = (int)jobs,
                                        .fresh = settings->fresh,
                                        .progress = show_progress,
                                        .asked_to_stop = asked_to_stop,
                                        .context = &w};
    experiment *e = rill_sweep_make(&def, &error);
    const rill_status status = e ? perform(&def, e, &options, &error) : error.status;
    rill_experiment_free(e);
    if (e && !status) return EXIT_FINE;
    fprintf(stderr, "rill sweep: %s\n", error.text);
    if (!e && error.status == RILL_INVALID) return EXIT_USAGE;
    return interrupt_asked() ? EXIT_INTERRUPTED : EXIT_FAILED;
}

static const option sweep_options[] = {
    {"vary", OPTION_LIST, offsetof(sweep_settings, vary), "KEY=A,B,...",
     "values of a parameter or a variable, as for --set of 'rill run'; several --vary give all combinations"},
    {"show", OPTION_LIST, offsetof(sweep_settings, shown), "EXPRESSION",
     "what to measure: columns of gauges.csv and stats.csv, in the last frame; 'max front' and the like use all "
     "frames"},
    {"set", OPTION_LIST, offsetof(sweep_settings, sets), "KEY=VALUE", "change a value for all runs"},
    {"methods", OPTION_TEXT, offsetof(sweep_settings, methods), "LIST", "a,b,c (default: the scene's own)"},
    {"out", OPTION_TEXT, offsetof(sweep_settings, out), "DIR", "folder for the results (default out/sweep)"},
    {"jobs", OPTION_TEXT, offsetof(sweep_settings, jobs), "N", "number of runs at a time, each on one thread"},
    {"fresh", OPTION_FLAG, offsetof(sweep_settings, fresh), NULL, "repeat runs whose results are kept"},
    {"quiet", OPTION_FLAG, offsetof(sweep_settings, quiet), NULL, "print no progress"},
};

const command sweep_command = {
    .name = "sweep",
    .operands = "SCENE",
    .summary = "run a scene with several values of its parameters",
    .about =
        "Prints a table, and writes DIR/SCENE with results.csv, README.md, sweep_1.svg (the first --show against the\n"
        "first --vary) and a table for each run. EXPRESSION is written as in experiments (docs/experiments.md); a\n"
        "word before it, such as mean, max, rms or period, says what to take of all frames.\n",
    .examples = "  rill sweep dam_break_2d --vary world.spacing=8cm,6cm,4cm --show 'max front'\n"
                "  rill sweep still_tank_2d --methods {method} --vary world.cfl=0.25,0.5,1 --show 'rms max_speed'\n",
    .options = sweep_options,
    .option_count = sizeof sweep_options / sizeof sweep_options[0],
    .operands_min = 1,
    .operands_max = 1,
    .settings_size = sizeof(sweep_settings),
    .run = run_sweep,
};

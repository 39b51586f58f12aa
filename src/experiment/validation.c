/* SPDX-License-Identifier: MIT */
/* One page with all results of all experiments: docs/validation.md. Each experiment is a table with a row for each
   result and variant and a column for each method. Results that miss their goal are listed again at the end. */
#include "core/error.h"
#include "experiment/experiment.h"
#include "io/io.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define FIGURES "images/validation"

static const char *method_at(const experiment *e, int child) {
    return e->tree.nodes[child].text;
}

/* The run of a variant with a method, or -1. */
static int run_of(const experiment_report *report, const experiment_variant *variant, const char *method) {
    for (int k = 0; k < report->run_count; k++)
        if (report->runs[k].variant == variant && !strcmp(report->runs[k].method, method)) return k;
    return -1;
}

static bool was_run(const experiment_report *report, const experiment_variant *variant) {
    for (int k = 0; k < report->run_count; k++)
        if (report->runs[k].variant == variant) return true;
    return false;
}

static const verdict *verdict_of(const experiment_report *report, int run, int result) {
    return &report->verdicts[run * report->experiment->result_count + result];
}

/* The last run of a method that misses the goal of a result, or -1. */
static int missing_run(const experiment_report *report, const char *method, int result) {
    int last = -1;
    for (int k = 0; k < report->run_count; k++)
        if (!strcmp(report->runs[k].method, method) && verdict_of(report, k, result)->misses_goal) last = k;
    return last;
}

/* ---- one experiment ---- */

static void write_error(FILE *f, const experiment_report *report, int run, int result) {
    const verdict *v = verdict_of(report, run, result);
    char text[32];
    if (report->runs[run].failed || !isfinite(v->error)) {
        fputs(" **fails** |", f);
        return;
    }
    rill_experiment_error_text(&report->experiment->results[result], v->error, text, sizeof text);
    fprintf(f, v->misses_goal ? " **%s** |" : " %s |", text);
}

static void write_head(FILE *f, const experiment *e) {
    fprintf(f, "| result | variant |");
    for (int c = e->methods->first; c != TREE_NONE; c = e->tree.nodes[c].next) fprintf(f, " %s |", method_at(e, c));
    fprintf(f, " goal |\n|---|---|");
    for (int c = e->methods->first; c != TREE_NONE; c = e->tree.nodes[c].next) fprintf(f, "---|");
    fprintf(f, "---|\n");
}

static void write_goal(FILE *f, const experiment_result *result) {
    char goal[32];
    if (result->goal > 0) fprintf(f, " %s", rill_experiment_error_text(result, result->goal, goal, sizeof goal));
    fprintf(f, " |\n");
}

static void write_errors(FILE *f, const experiment_report *report, int result) {
    const experiment *e = report->experiment;
    for (int n = 0; n < e->variant_count; n++) {
        if (!was_run(report, &e->variants[n])) continue;
        fprintf(f, "| %s | %s |", e->results[result].name, e->variants[n].name);
        for (int c = e->methods->first; c != TREE_NONE; c = e->tree.nodes[c].next) {
            const int run = run_of(report, &e->variants[n], method_at(e, c));
            if (run < 0)
                fprintf(f, " |");
            else
                write_error(f, report, run, result);
        }
        write_goal(f, &e->results[result]);
    }
}

/* Writes the orders of convergence. False if no method has errors at two resolutions or more. */
static bool write_orders(FILE *f, const experiment_report *report, int result) {
    const experiment *e = report->experiment;
    bool any = false;
    for (int c = e->methods->first; c != TREE_NONE; c = e->tree.nodes[c].next)
        any |= isfinite(rill_experiment_order(report, method_at(e, c), result)) != 0;
    if (!any) return false;
    fprintf(f, "| %s | order in `%s` |", e->results[result].name, e->resolution);
    for (int c = e->methods->first; c != TREE_NONE; c = e->tree.nodes[c].next) {
        const double order = rill_experiment_order(report, method_at(e, c), result);
        if (isfinite(order))
            fprintf(f, " %.1f |", order);
        else
            fprintf(f, " |");
    }
    fprintf(f, " |\n");
    return true;
}

static void write_costs(FILE *f, const experiment_report *report) {
    const experiment *e = report->experiment;
    for (int n = 0; n < e->variant_count; n++) {
        if (!was_run(report, &e->variants[n])) continue;
        fprintf(f, "| particles, steps, seconds | %s |", e->variants[n].name);
        for (int c = e->methods->first; c != TREE_NONE; c = e->tree.nodes[c].next) {
            const int k = run_of(report, &e->variants[n], method_at(e, c));
            if (k < 0)
                fprintf(f, " |");
            else
                fprintf(f, " %.0f, %.0f, %.2g |", report->runs[k].particles, report->runs[k].steps,
                        report->runs[k].seconds);
        }
        fprintf(f, " |\n");
    }
}

/* Draws a figure beside the page, FOLDER/NAME + `what` + .svg, and writes its link. */
static rill_status write_figure(FILE *f, const experiment_report *report, const experiment_plot *plot,
                                const char *folder, const char *what, const char *caption, rill_error *error) {
    const char *name = report->experiment->name;
    char path[1024];
    snprintf(path, sizeof path, "%s%s/%s%s.svg", folder, FIGURES, name, what);
    fprintf(f, "\n![%s of %s](%s/%s%s.svg)\n", caption, name, FIGURES, name, what);
    return rill_experiment_figure(report, plot, path, error);
}

static rill_status write_figures(FILE *f, const experiment_report *report, int converging, const char *folder,
                                 rill_error *error) {
    const experiment *e = report->experiment;
    if (converging >= 0) {
        const experiment_plot plot = {.kind = PLOT_ERROR, .of = e->results[converging].name};
        TRY(write_figure(f, report, &plot, folder, "", "Errors at several resolutions", error));
    }
    for (int k = 0; k < e->plot_count; k++)
        if (e->plots[k].kind == PLOT_COST)
            TRY(write_figure(f, report, &e->plots[k], folder, "_cost", "Errors against time", error));
    return RILL_OK;
}

static rill_status write_experiment(FILE *f, const experiment_report *report, const char *folder, rill_error *error) {
    const experiment *e = report->experiment;
    int converging = -1;
    fprintf(f, "### %s\n\n%s\n\n", e->title, e->about ? e->about : "");
    if (e->source) fprintf(f, "Reference: %s.\n\n", e->source);
    write_head(f, e);
    for (int n = 0; n < e->result_count; n++) {
        write_errors(f, report, n);
        if (write_orders(f, report, n) && converging < 0) converging = n;
    }
    write_costs(f, report);
    fputc('\n', f);
    for (int n = 0; n < e->result_count; n++)
        if (e->results[n].note) fprintf(f, "- %s: %s\n", e->results[n].name, e->results[n].note);
    return write_figures(f, report, converging, folder, error);
}

/* ---- all of them ---- */

/* Writes the anchor of a heading for a link: lower case, blanks as dashes, other signs removed. */
static void write_anchor(FILE *f, const char *title) {
    fputc('#', f);
    for (const char *at = title; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if (isalnum(c) || c == '_' || c == '-')
            fputc(tolower(c), f);
        else if (c == ' ')
            fputc('-', f);
    }
}

/* Writes "3 of 4": results within their goals, out of those that have one. */
static void write_share(FILE *f, const experiment_report *report, const char *method) {
    const experiment *e = report->experiment;
    int all = 0, met = 0, runs = 0, failed = 0;
    for (int k = 0; k < report->run_count; k++) {
        if (strcmp(report->runs[k].method, method)) continue;
        runs++, failed += report->runs[k].failed;
        for (int n = 0; n < e->result_count; n++) {
            if (!(e->results[n].goal > 0)) continue;
            all++, met += !verdict_of(report, k, n)->misses_goal;
        }
    }
    if (!runs)
        fprintf(f, " |");
    else if (!all)
        fprintf(f, " %s |", failed ? "fails" : "measured");
    else
        fprintf(f, " %d of %d%s |", met, all, failed ? ", fails" : "");
}

static void write_shares(FILE *f, const experiment_report *reports, int count) {
    fprintf(f, "| experiment |");
    for (int m = 0; m < rill_method_count(); m++) fprintf(f, " %s |", rill_method(m)->name);
    fprintf(f, "\n|---|");
    for (int m = 0; m < rill_method_count(); m++) fprintf(f, "---|");
    for (int k = 0; k < count; k++) {
        fprintf(f, "\n| [%s](", reports[k].experiment->title);
        write_anchor(f, reports[k].experiment->title);
        fprintf(f, ") |");
        for (int m = 0; m < rill_method_count(); m++) write_share(f, &reports[k], rill_method(m)->name);
    }
    fprintf(f, "\n\n");
}

static void write_missed(FILE *f, const experiment_report *report, int result) {
    const experiment *e = report->experiment;
    char text[32];
    bool begun = false;
    for (int c = e->methods->first; c != TREE_NONE; c = e->tree.nodes[c].next) {
        const int run = missing_run(report, method_at(e, c), result);
        if (run < 0) continue;
        const verdict *v = verdict_of(report, run, result);
        if (!begun) {
            fprintf(f, "- %s, %s", e->title, e->results[result].name);
            if (e->results[result].goal > 0)
                fprintf(f, " (goal %s)",
                        rill_experiment_error_text(&e->results[result], e->results[result].goal, text, sizeof text));
        }
        fprintf(f, "%s %s ", begun ? ";" : ":", method_at(e, c));
        begun = true;
        if (report->runs[run].failed || !isfinite(v->error))
            fprintf(f, "fails (%s)", report->runs[run].variant->name);
        else
            fprintf(f, "%s (%s)", rill_experiment_error_text(&e->results[result], v->error, text, sizeof text),
                    report->runs[run].variant->name);
    }
    if (begun) fputc('\n', f);
}

static void write_opening(FILE *f, const experiment_report *reports, int count) {
    int runs = 0, effort = EFFORT_QUICK;
    double seconds = 0;
    for (int k = 0; k < count; k++)
        for (int n = 0; n < reports[k].run_count; n++) {
            const experiment_run *run = &reports[k].runs[n];
            runs++, seconds += run->seconds;
            if (run->variant->effort > effort) effort = run->variant->effort;
        }
    fprintf(
        f,
        "# Validation\n\n"
        "The results of every method in every [experiment](experiments.md), and the goals that it misses. This page "
        "was made by"
        " `rill experiment` with Rill %s (%d experiments, %d runs of %s variants, %.0f seconds in all); `make "
        "validation` makes it"
        " again. [What the tests measure](validation_tests.md) has measurements that are not experiments.\n\n"
        "Errors are relative where they have a %% sign. Bold ones miss their goal, which the last column states."
        " Orders are those of |error| over the variants with different resolutions. Seconds are of the processor, one"
        " thread for each run.\n\n"
        "## Methods and experiments\n\n"
        "Results within their goals, of those that have one, in all variants together.\n\n",
        rill_version(), count, runs,
        effort == EFFORT_FULL     ? "all"
        : effort == EFFORT_NORMAL ? "quick and normal"
                                  : "quick",
        seconds);
}

static rill_status write_validation(FILE *f, const experiment_report *reports, int count, const char *folder,
                                    rill_error *error) {
    write_opening(f, reports, count);
    write_shares(f, reports, count);
    fprintf(f, "## What misses its goal\n\nThe last variant in which a method misses it, with its error.\n\n");
    for (int k = 0; k < count; k++)
        for (int n = 0; n < reports[k].experiment->result_count; n++) write_missed(f, &reports[k], n);
    fprintf(f, "\n## Results\n");
    for (int k = 0; k < count; k++) {
        fputc('\n', f);
        TRY(write_experiment(f, &reports[k], folder, error));
    }
    return RILL_OK;
}

rill_status rill_experiment_validation(const experiment_report *reports, int count, const char *path,
                                       rill_error *error) {
    char folder[512], figures[1024];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 0, path);
    snprintf(figures, sizeof figures, "%s%s", folder, FIGURES);
    io_file file;
    TRY(rill_io_make_directory(figures, error));
    TRY(rill_io_open(&file, path, error));
    const rill_status status = write_validation(file.stream, reports, count, folder, error);
    if (status == RILL_OK) return rill_io_commit(&file, error);
    rill_io_abandon(&file);
    return status;
}

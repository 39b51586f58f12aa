/* SPDX-License-Identifier: MIT */
/* Results for readers: a Markdown page for each experiment, and the same numbers as CSV. */
#include "core/error.h"
#include "experiment/experiment.h"
#include "io/io.h"

#include <math.h>
#include <string.h>

static const char *verdict_words(const verdict *v) {
    switch (v->kind) {
    case VERDICT_EXPECTED:
        return v->misses_goal ? "misses the goal, as expected" : "as expected";
    case VERDICT_BROKEN:
        return "**expectation broken**";
    case VERDICT_KNOWN:
        return "fails, as expected";
    default:
        return v->misses_goal ? "misses the goal" : "";
    }
}

static const char *number(double value, char *buffer, size_t size) {
    if (isfinite(value))
        snprintf(buffer, size, "%.4g", value);
    else
        snprintf(buffer, size, "-");
    return buffer;
}

const char *rill_experiment_error_text(const experiment_result *result, double error, char *buffer, size_t size) {
    if (!isfinite(error))
        snprintf(buffer, size, "-");
    else if (result->absolute)
        snprintf(buffer, size, "%.3g", error);
    else
        snprintf(buffer, size, "%+.2f %%", 100 * error);
    return buffer;
}

/* "-1.5 % to 1.5 %" */
static const char *interval_text(const experiment_result *result, const experiment_expectation *x, char *buffer,
                                 size_t size) {
    char low[32], high[32];
    if (!x)
        snprintf(buffer, size, "-");
    else if (x->fails)
        snprintf(buffer, size, "fails: %s", x->fails);
    else
        snprintf(buffer, size, "%s to %s", rill_experiment_error_text(result, x->low, low, sizeof low),
                 rill_experiment_error_text(result, x->high, high, sizeof high));
    return buffer;
}

/* ---- one result ---- */

static void write_row(FILE *f, const experiment_report *report, int k, int n) {
    const experiment *e = report->experiment;
    const experiment_run *run = &report->runs[k];
    const verdict *v = &report->verdicts[k * e->result_count + n];
    char value[32], reference[32], error[32], interval[200];
    fprintf(f, "| %s | %s | %s | %s | %s | %s | %s%s%s |\n", run->method, run->variant->name,
            number(v->value, value, sizeof value), number(v->reference, reference, sizeof reference),
            rill_experiment_error_text(&e->results[n], v->error, error, sizeof error),
            interval_text(&e->results[n], v->expectation, interval, sizeof interval), verdict_words(v),
            v->expectation && v->expectation->reason ? ": " : "",
            v->expectation && v->expectation->reason ? v->expectation->reason : "");
}

static void write_orders(FILE *f, const experiment_report *report, int n) {
    const experiment *e = report->experiment;
    bool begun = false;
    for (int child = e->methods->first; child != TREE_NONE; child = e->tree.nodes[child].next) {
        const char *method = e->tree.nodes[child].text;
        const double order = rill_experiment_order(report, method, n);
        if (!isfinite(order)) continue;
        if (!begun) fprintf(f, "Order of convergence in `%s`:", e->resolution);
        fprintf(f, "%s %s %.2f", begun ? "," : "", method, order);
        begun = true;
    }
    if (begun) fprintf(f, ".\n\n");
}

/* ---- published beside measured results ---- */

/* The reasons in a table; each is printed once below it. */
enum { REASONS_MAX = 32 };
typedef struct reasons {
    const char *text[REASONS_MAX];
    int count;
} reasons;

/* Number of a reason in its list, from 1; it is added if it is new. 0: the list is full. */
static int number_of(reasons *all, const char *why) {
    for (int k = 0; k < all->count; k++)
        if (!strcmp(all->text[k], why)) return k + 1;
    if (all->count == REASONS_MAX) return 0;
    all->text[all->count++] = why;
    return all->count;
}

/* The cell with the reason of a difference: its number. */
static const char *why_cell(reasons *all, const char *why, double deviation, char *buffer, size_t size) {
    if (!why) return fabs(deviation) <= PUBLISHED_WITHIN ? "" : "**not explained**";
    const int k = number_of(all, why);
    snprintf(buffer, size, "%d", k);
    return k > 0 ? buffer : why;
}

static void write_published_row(FILE *f, const experiment_report *report, int k, int n, reasons *all) {
    const experiment_result *result = &report->experiment->results[n];
    const verdict *v = &report->verdicts[k * report->experiment->result_count + n];
    char value[32], published[32], share[32], cell[16];
    if (!v->publication) return;
    const double deviation = rill_experiment_deviation(v);
    snprintf(share, sizeof share, isfinite(deviation) ? "%+.0f %%" : "-", 100 * deviation);
    fprintf(f, "| %s | %s | %s | %s | %s | %s |\n", report->runs[k].method, report->runs[k].variant->name,
            number(v->publication->value, published, sizeof published), number(v->value, value, sizeof value), share,
            why_cell(all, rill_experiment_why(result, v), deviation, cell, sizeof cell));
}

bool rill_experiment_has_published(const experiment_report *report, int n) {
    for (int k = 0; k < report->run_count; k++)
        if (report->verdicts[k * report->experiment->result_count + n].publication) return true;
    return false;
}

void rill_experiment_write_published(FILE *f, const experiment_report *report, int n) {
    reasons all = {.count = 0};
    fprintf(f, "| method | variant | published | here | difference | why |\n|---|---|---|---|---|---|\n");
    for (int k = 0; k < report->run_count; k++) write_published_row(f, report, k, n, &all);
    for (int k = 0; k < all.count; k++) fprintf(f, "%s%d. %s\n", k ? "" : "\n", k + 1, all.text[k]);
}

static void write_published(FILE *f, const experiment_report *report, int n) {
    const experiment_result *result = &report->experiment->results[n];
    rill_experiment_write_published(f, report, n);
    fprintf(f, "\nPublished: %s.%s%s\n\n", report->experiment->source, result->unit ? " Unit: " : "",
            result->unit ? result->unit : "");
}

static void write_result(FILE *f, const experiment_report *report, int n) {
    const experiment *e = report->experiment;
    const experiment_result *result = &e->results[n];
    fprintf(f, "## %s%s%s%s\n\n", result->name, result->unit ? " [" : "", result->unit ? result->unit : "",
            result->unit ? "]" : "");
    fprintf(f, "Value: `%s`. ", result->value);
    if (result->reference) fprintf(f, "Reference: `%s`. ", result->reference);
    if (result->reference_variant) fprintf(f, "Reference: variant `%s`. ", result->reference_variant);
    char goal[32];
    if (result->goal > 0)
        fprintf(f, "Goal: at most %s.", rill_experiment_error_text(result, result->goal, goal, sizeof goal));
    if (result->note) fprintf(f, "\n\n%s", result->note);
    fprintf(f, "\n\n| method | variant | value | reference | error | expected error | verdict |\n");
    fprintf(f, "|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < report->run_count; k++) write_row(f, report, k, n);
    fputc('\n', f);
    write_orders(f, report, n);
    if (rill_experiment_has_published(report, n)) write_published(f, report, n);
}

/* ---- the page ---- */

/* Totals of a method over all variants and results. */
experiment_tally rill_experiment_tally(const experiment_report *report, const char *method) {
    const experiment *e = report->experiment;
    experiment_tally t = {0};
    for (int k = 0; k < report->run_count; k++) {
        if (strcmp(report->runs[k].method, method)) continue;
        t.runs++;
        t.failed += report->runs[k].failed;
        for (int n = 0; n < e->result_count; n++) {
            const verdict *v = &report->verdicts[k * e->result_count + n];
            t.results++;
            t.missed += v->misses_goal;
            t.judged += e->results[n].goal > 0;
            t.broken += v->kind == VERDICT_BROKEN;
        }
    }
    return t;
}

static void write_verdicts(FILE *f, const experiment_report *report) {
    const experiment *e = report->experiment;
    fprintf(f, "| method | runs | that failed | results | that miss their goal | broken expectations | verdict |\n"
               "|---|---|---|---|---|---|---|\n");
    for (int child = e->methods->first; child != TREE_NONE; child = e->tree.nodes[child].next) {
        const experiment_tally t = rill_experiment_tally(report, e->tree.nodes[child].text);
        if (!t.runs) continue;
        fprintf(f, "| %s | %d | %d | %d | %d | %d | %s |\n", e->tree.nodes[child].text, t.runs, t.failed, t.results,
                t.missed, t.broken,
                t.broken   ? "**not as expected**"
                : t.failed ? "fails"
                : t.missed ? "misses goals"
                : t.judged ? "good"
                           : "measured");
    }
    fputc('\n', f);
}

static void write_cost(FILE *f, const experiment_report *report) {
    fprintf(f, "## Cost\n\n| method | variant | particles | steps | simulated [s] | clock [s] | outcome |\n"
               "|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < report->run_count; k++) {
        const experiment_run *run = &report->runs[k];
        fprintf(f, "| %s | %s | %.0f | %.0f | %.4g | %.3g | %s |\n", run->method, run->variant->name, run->particles,
                run->steps, run->end_time, run->seconds, run->failed ? run->message : "done");
    }
}

static void write_plots(FILE *f, const experiment *e) {
    char name[32];
    for (int k = 0; k < e->plot_count; k++)
        fprintf(f, "![%s](%s.svg)\n\n", e->plots[k].title ? e->plots[k].title : e->title,
                rill_experiment_plot_name(k, name, sizeof name));
}

rill_status rill_experiment_write_page(const experiment_report *report, const char *folder, rill_error *error) {
    const experiment *e = report->experiment;
    char path[1024];
    io_file file;
    snprintf(path, sizeof path, "%s/README.md", folder);
    TRY(rill_io_open(&file, path, error));
    FILE *f = file.stream;
    fprintf(f, "# %s\n\n%s\n\n", e->title, e->about ? e->about : "");
    if (e->source) fprintf(f, "Source: %s\n\n", e->source);
    fprintf(f, "Made by `rill experiment %s` with Rill %s.\n\n", e->name, rill_version());
    write_verdicts(f, report);
    write_plots(f, e);
    for (int n = 0; n < e->result_count; n++) write_result(f, report, n);
    write_cost(f, report);
    return rill_io_commit(&file, error);
}

/* ---- results.csv ---- */

static void write_csv_text(FILE *f, const char *text) {
    fputc('"', f);
    for (; text && *text; text++) {
        if (*text == '"') fputc('"', f);
        fputc(*text == '\n' ? ' ' : *text, f);
    }
    fputc('"', f);
}

static void write_csv_number(FILE *f, double value) {
    if (isfinite(value))
        fprintf(f, ",%.9g", value);
    else
        fputc(',', f);
}

rill_status rill_experiment_write_csv(const experiment_report *report, rill_error *error) {
    static const char *const kinds[] = {"expected", "broken", "known failure", "none"};
    const experiment *e = report->experiment;
    char path[1024];
    io_file file;
    snprintf(path, sizeof path, "%s/results.csv", report->folder);
    TRY(rill_io_open(&file, path, error));
    FILE *f = file.stream;
    fprintf(f,
            "method,variant,result,verdict,message,value,reference,error,low,high,particles,steps,end_time,seconds\n");
    for (int k = 0; k < report->run_count; k++)
        for (int n = 0; n < e->result_count; n++) {
            const experiment_run *run = &report->runs[k];
            const verdict *v = &report->verdicts[k * e->result_count + n];
            fprintf(f, "%s,", run->method);
            write_csv_text(f, run->variant->name), fputc(',', f);
            write_csv_text(f, e->results[n].name);
            fprintf(f, ",%s,", kinds[v->kind]);
            write_csv_text(f, run->message);
            const double values[] = {v->value,
                                     v->reference,
                                     v->error,
                                     v->expectation ? v->expectation->low : (double)NAN,
                                     v->expectation ? v->expectation->high : (double)NAN,
                                     run->particles,
                                     run->steps,
                                     run->end_time,
                                     run->seconds};
            for (size_t i = 0; i < sizeof values / sizeof *values; i++) write_csv_number(f, values[i]);
            fputc('\n', f);
        }
    return rill_io_commit(&file, error);
}

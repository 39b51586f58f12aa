/* SPDX-License-Identifier: MIT */
/* The runs of an experiment: every variant up to the requested effort with every method and, on request, existing runs
   of variants that need more effort. */
#include "core/error.h"
#include "experiment/experiment.h"
#include "run/folder.h"

#include <stdlib.h>
#include <string.h>

/* Whether the list "a,b,c" contains the word; NULL contains every word. */
static bool is_chosen(const char *list, const char *word) {
    const size_t length = strlen(word);
    if (!list) return true;
    for (const char *at = list; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
        if (strcspn(at, ",") == length && !strncmp(at, word, length)) return true;
    return false;
}

/* A search counts as existing if its first trial exists. */
static bool is_there(const experiment_report *report, const experiment_run *run) {
    char path[1024], trial[40] = "";
    if (run->variant->largest) snprintf(trial, sizeof trial, "_%.6g", run->variant->highest);
    snprintf(path, sizeof path, "%s/runs/%s%s/run.txt", report->folder, run->folder, trial);
    FILE *file = fopen(path, "r");
    if (file) fclose(file);
    return file != NULL;
}

/* Whether results of other variants are compared with those of this one. */
static bool is_reference(const experiment *e, const experiment_variant *variant) {
    for (int k = 0; k < e->result_count; k++)
        if (e->results[k].reference_variant && !strcmp(e->results[k].reference_variant, variant->name)) return true;
    return false;
}

static bool has_variant_of(const experiment_report *report, const char *method) {
    for (int k = 0; k < report->run_count; k++) {
        const experiment_run *run = &report->runs[k];
        if (run->method && !strcmp(run->method, method) && !is_reference(report->experiment, run->variant)) return true;
    }
    return false;
}

static void add_run(experiment_report *report, const experiment_variant *variant, const char *method,
                    const experiment_options *options) {
    if (options->first && !is_reference(report->experiment, variant) && has_variant_of(report, method)) return;
    experiment_run *run = &report->runs[report->run_count];
    char name[RILL_NAME_SIZE];
    *run = (experiment_run){.variant = variant, .method = method};
    snprintf(run->folder, sizeof run->folder, "%s_%s", method, rill_run_file_name(variant->name, name, sizeof name));
    if (variant->effort <= options->effort || (options->kept && is_there(report, run))) report->run_count++;
}

rill_status rill_experiment_plan(experiment_report *report, const experiment *e, const experiment_options *options,
                                 rill_error *error) {
    *report = (experiment_report){.experiment = e};
    snprintf(report->folder, sizeof report->folder, "%s/%s", options->out, e->name);
    size_t most = 1;
    for (int k = 0; k < e->variant_count; k++)
        most += (size_t)(e->variants[k].methods ? e->variants[k].methods : e->methods)->count;
    report->runs = calloc(most, sizeof *report->runs);
    report->verdicts = calloc(most * (size_t)e->result_count, sizeof *report->verdicts);
    if (!report->runs || !report->verdicts) return rill_fail(error, RILL_MEMORY, "%s: no memory to run it", e->name);
    for (int k = 0; k < e->variant_count; k++) {
        const experiment_variant *variant = &e->variants[k];
        const tree_node *methods = variant->methods ? variant->methods : e->methods;
        for (int child = methods->first; child != TREE_NONE; child = e->tree.nodes[child].next)
            if (is_chosen(options->methods, e->tree.nodes[child].text))
                add_run(report, variant, e->tree.nodes[child].text, options);
    }
    return RILL_OK;
}

void rill_experiment_report_free(experiment_report *report) {
    for (int k = 0; k < report->run_count; k++) {
        rill_series_free(&report->runs[k].series);
        rill_series_free(&report->runs[k].residuals);
        rill_scene_free(report->runs[k].scene);
        free(report->runs[k].measures);
    }
    free(report->runs);
    free(report->verdicts);
    *report = (experiment_report){0};
}

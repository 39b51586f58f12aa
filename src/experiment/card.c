/* SPDX-License-Identifier: MIT */
/* The report on all methods: an overview, published beside measured results, and a page for each experiment. */
#include "core/error.h"
#include "experiment/experiment.h"
#include "io/io.h"

#include <math.h>
#include <string.h>

static const char *chapter_of(const experiment_report *report) {
    return report->experiment->chapter ? report->experiment->chapter : "Physics";
}

/* ---- methods and experiments ---- */

/* Writes a method's verdict, the error of its first result in the last variant that was run, and the cost of that
   run. */
static void write_cell(FILE *f, const experiment_report *report, const char *method) {
    const experiment *e = report->experiment;
    const experiment_tally t = rill_experiment_tally(report, method);
    int last = -1;
    for (int k = 0; k < report->run_count; k++)
        if (!strcmp(report->runs[k].method, method)) last = k;
    if (last < 0) {
        fprintf(f, " |");
        return;
    }
    char error[32], misses[48];
    const experiment_run *run = &report->runs[last];
    snprintf(misses, sizeof misses, "misses %d of %d", t.missed, t.judged);
    rill_experiment_error_text(&e->results[0], report->verdicts[last * e->result_count].error, error, sizeof error);
    fprintf(f, " %s: %s, %.2g s |",
            t.broken   ? "**broken**"
            : t.failed ? "**fails**"
            : t.missed ? misses
            : t.judged ? "good"
                       : "measured",
            run->failed ? "failed" : error, run->seconds);
}

static void write_table(FILE *f, const experiment_report *reports, int count, const char *chapter) {
    fprintf(f, "\n## %s\n\n| experiment: first result |", chapter);
    for (int m = 0; m < rill_method_count(); m++) fprintf(f, " %s |", rill_method(m)->name);
    fprintf(f, "\n|---|");
    for (int m = 0; m < rill_method_count(); m++) fprintf(f, "---|");
    for (int k = 0; k < count; k++) {
        const experiment *e = reports[k].experiment;
        if (strcmp(chapter_of(&reports[k]), chapter) || !reports[k].run_count) continue;
        fprintf(f, "\n| [%s](%s/README.md): %s |", e->title, e->name, e->results[0].name);
        for (int m = 0; m < rill_method_count(); m++) write_cell(f, &reports[k], rill_method(m)->name);
    }
    fputc('\n', f);
}

/* An experiment without runs does not start a chapter. */
static bool chapter_is_new(const experiment_report *reports, int k) {
    for (int n = 0; n < k; n++)
        if (reports[n].run_count && !strcmp(chapter_of(&reports[n]), chapter_of(&reports[k]))) return false;
    return reports[k].run_count > 0;
}

/* Writes the numbers of runs and results, and how many of them fail or miss their goals. */
static void write_opening(FILE *f, const experiment_report *reports, int count) {
    int experiments = 0, runs = 0, failed = 0, results = 0, missed = 0, broken = 0, unexplained = 0;
    double seconds = 0;
    for (int k = 0; k < count; k++) {
        experiments += reports[k].run_count > 0;
        broken += reports[k].broken, unexplained += reports[k].unexplained;
        for (int n = 0; n < reports[k].run_count; n++) {
            runs++, seconds += reports[k].runs[n].seconds, failed += reports[k].runs[n].failed;
            for (int i = 0; i < reports[k].experiment->result_count; i++)
                results++, missed += reports[k].verdicts[n * reports[k].experiment->result_count + i].misses_goal;
        }
    }
    fprintf(
        f,
        "# Report\n\n"
        "Every method in every experiment: whether it does what is asked of it, how far it is off, what it costs. Made"
        " by `rill experiment` with Rill %s: %d experiments, %d runs (%.0f seconds of the processor), %d results.\n\n"
        "- **good**: every result that has a goal meets it. **misses 1 of 3**: so many of the results that have"
        " a goal miss it, in all variants together (%d results in all)."
        " **measured**: no result has a goal.\n"
        "- **fails**: a run blew up or could not go on (%d runs). **broken**: a result is not what its file expects"
        " of the method, for better or worse (%d).\n"
        "- After it the error of the first result in the finest variant that was run, and the seconds of the"
        " processor that this run took. An empty cell: the experiment is not about that method.\n"
        "- [What the papers print](papers.md), beside what comes out here; %d differences of more than %.0f %% are"
        " not explained.\n",
        rill_version(), experiments, runs, seconds, results, missed, failed, broken, unexplained,
        100 * PUBLISHED_WITHIN);
}

/* Writes the figures of error against cost, for the experiments that have them. */
static void write_costs(FILE *f, const experiment_report *reports, int count) {
    char name[32];
    bool begun = false;
    for (int k = 0; k < count; k++)
        for (int n = 0; n < reports[k].experiment->plot_count && reports[k].run_count; n++) {
            if (reports[k].experiment->plots[n].kind != PLOT_COST) continue;
            if (!begun)
                fprintf(f, "\n## What accuracy costs\n\nLower is more accurate, farther left is cheaper. `rill methods"
                           " --advise SCENE` says which method a scene asks for.\n");
            begun = true;
            fprintf(f, "\n![%s](%s/%s.svg)\n", reports[k].experiment->title, reports[k].experiment->name,
                    rill_experiment_plot_name(n, name, sizeof name));
        }
}

static rill_status write_overview(const experiment_report *reports, int count, const char *folder, rill_error *error) {
    char path[1024];
    io_file file;
    snprintf(path, sizeof path, "%s/README.md", folder);
    TRY(rill_io_open(&file, path, error));
    write_opening(file.stream, reports, count);
    for (int k = 0; k < count; k++)
        if (chapter_is_new(reports, k)) write_table(file.stream, reports, count, chapter_of(&reports[k]));
    write_costs(file.stream, reports, count);
    return rill_io_commit(&file, error);
}

/* ---- published results ---- */

static void write_published(FILE *f, const experiment_report *report, bool *begun) {
    const experiment *e = report->experiment;
    for (int n = 0; n < e->result_count; n++) {
        if (!rill_experiment_has_published(report, n)) continue;
        if (!*begun) fprintf(f, "\n## [%s](%s/README.md)\n\n%s.\n", e->title, e->name, e->source ? e->source : "");
        *begun = true;
        fprintf(f, "\n%s%s%s%s:\n\n", e->results[n].name, e->results[n].unit ? " [" : "",
                e->results[n].unit ? e->results[n].unit : "", e->results[n].unit ? "]" : "");
        rill_experiment_write_published(f, report, n);
    }
}

static rill_status write_papers(const experiment_report *reports, int count, const char *folder, rill_error *error) {
    char path[1024];
    io_file file;
    snprintf(path, sizeof path, "%s/papers.md", folder);
    TRY(rill_io_open(&file, path, error));
    fprintf(file.stream,
            "# What the papers print\n\nNumbers of the papers and of the thesis beside what comes out here. Where"
            " the difference is more than %.0f %% of what is printed, a sentence below the table says why.\n",
            100 * PUBLISHED_WITHIN);
    for (int k = 0; k < count; k++) {
        bool begun = false;
        write_published(file.stream, &reports[k], &begun);
    }
    return rill_io_commit(&file, error);
}

rill_status rill_experiment_overview(const experiment_report *reports, int count, const char *folder,
                                     rill_error *error) {
    TRY(write_papers(reports, count, folder, error));
    return write_overview(reports, count, folder, error);
}

/* ---- the report in a folder of its own ---- */

rill_status rill_experiment_card(const experiment_report *reports, int count, const char *folder, rill_error *error) {
    TRY(rill_io_make_directory(folder, error));
    for (int k = 0; k < count; k++) {
        char page[1024];
        if (!reports[k].run_count) continue;
        snprintf(page, sizeof page, "%s/%s", folder, reports[k].experiment->name);
        TRY(rill_io_make_directory(page, error));
        TRY(rill_experiment_plot(&reports[k], page, false, error));
        TRY(rill_experiment_write_page(&reports[k], page, error));
    }
    return rill_experiment_overview(reports, count, folder, error);
}

/* SPDX-License-Identifier: MIT */
/* Makes the runs of an experiment, several in parallel. A run that blows up is a valid result. */
#include "core/error.h"
#include "core/sha256.h"
#include "core/timer.h"
#include "experiment/record.h"
#include "io/io.h"
#include "run/run.h"
#include "scene/reader.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct pool {
    experiment_report *report;
    const experiment_options *options;
    pthread_mutex_t lock; /* for the members below */
    int next;
    bool stopped;
    rill_error error;
} pool;

static scene *build_scene(const experiment *e, const experiment_run *run, scene_sets sets, rill_error *error) {
    scene *s = rill_scene_read_tree(e->path, &e->tree, e->scene, &sets, error);
    if (!s) return NULL;
    rill_status status = rill_scene_use_method(s, run->method, error);
    for (int k = 0; k < sets.count && !status; k++)
        if (!rill_scene_sets_variable(sets.items[k])) status = rill_scene_set(s, sets.items[k], error);
    if (!status) return s;
    rill_scene_free(s);
    return NULL;
}

/* Makes the scene of a variant with a method, all values set; `extra` is one more "KEY=VALUE", or NULL. */
static scene *make_scene(const experiment *e, const experiment_run *run, const char *extra, rill_error *error) {
    const int count = run->variant->set_count;
    const char **items = calloc((size_t)count + 1, sizeof *items);
    if (!items) {
        rill_fail(error, RILL_MEMORY, "%s: no memory for a run", e->name);
        return NULL;
    }
    for (int k = 0; k < count; k++) items[k] = run->variant->sets[k];
    items[count] = extra;
    scene *s = build_scene(e, run, (scene_sets){items, count + (extra != NULL)}, error);
    free(items);
    return s;
}

/* A hash of everything that a run depends on: the scene with all values, and the version. */
static rill_status key_of(const scene *s, char key[2 * SHA256_SIZE + 1], rill_error *error) {
    char *text = NULL;
    size_t size = 0;
    unsigned char digest[SHA256_SIZE];
    FILE *stream = open_memstream(&text, &size);
    if (!stream) return rill_fail(error, RILL_MEMORY, "no memory for a run");
    fprintf(stream, "%s\n", rill_version());
    rill_status status = rill_scene_print(s, stream, error);
    fclose(stream);
    sha256 hash;
    rill_sha256_start(&hash);
    rill_sha256_add(&hash, text, size);
    rill_sha256_end(&hash, digest);
    for (int k = 0; k < SHA256_SIZE; k++) snprintf(key + 2 * k, 3, "%02x", digest[k]);
    free(text);
    return status;
}

/* With several jobs, each runs in its own thread and its world uses no other threads. */
static double processor_time(const experiment_options *options) {
    return options->jobs > 1 ? rill_timer_thread() : rill_timer_processor();
}

static void make_run(experiment_run *made, const experiment_options *options) {
    rill_error error = {0};
    record recorder = {.series = &made->series};
    const run_observer observer = rill_record_observer(&recorder);
    run r = {.plan = rill_run_plan_make(&made->scene->run),
             .scene = made->scene,
             .observers = &observer,
             .observer_count = 1,
             .asked_to_stop = options->asked_to_stop,
             .stop_context = options->context};
    r.world = rill_scene_build(made->scene, options->jobs > 1 ? 1 : -1, -1, &error);
    made->failed = true;
    if (!r.world) {
        snprintf(made->message, sizeof made->message, "%s", error.text);
        made->done = true;
        return;
    }
    const double start = processor_time(options);
    const run_outcome outcome = rill_run_all(&r);
    made->seconds = processor_time(options) - start;
    const rill_stats *stats = rill_world_stats(r.world);
    made->end_time = r.shown.time; /* the world itself may have stepped beyond the end */
    made->particles = stats->particles;
    made->steps = (double)stats->step;
    made->hash = (double)(rill_world_hash(r.world) >> 12); /* the upper 52 bits, which a double holds exactly */
    rill_record_residuals(&made->residuals, &r.shown, &error);
    made->failed = outcome != RILL_RUN_DONE;
    made->done = outcome != RILL_RUN_INTERRUPTED;
    if (made->failed) snprintf(made->message, sizeof made->message, "%s", r.error.text);
    rill_world_destroy(r.world);
}

static rill_status do_one(const pool *p, experiment_run *run, const char *extra, const char *name, rill_error *error) {
    char folder[1024], key[2 * SHA256_SIZE + 1];
    snprintf(folder, sizeof folder, "%s/runs/%s%s", p->report->folder, run->folder, name);
    run->scene = make_scene(p->report->experiment, run, extra, error);
    if (!run->scene) return error->status ? error->status : RILL_INVALID;
    TRY(key_of(run->scene, key, error));
    if (!p->options->fresh && rill_record_read(run, folder, key)) return RILL_OK;
    rill_series_free(&run->series);
    rill_series_free(&run->residuals);
    make_run(run, p->options);
    return run->done ? rill_record_write(run, folder, key, error) : RILL_OK;
}

/* ---- search for the largest value ---- */

/* Number of trials in a search. For bounds with the ratio q the result is exact to a factor of q^(2^-6). */
enum { TRIALS = 6 };

static void forget(experiment_run *run) {
    rill_series_free(&run->series);
    rill_series_free(&run->residuals);
    rill_scene_free(run->scene);
    run->scene = NULL;
    run->done = run->failed = run->cached = false;
    run->message[0] = '\0';
}

/* Runs with one value of the variable. `holds` becomes true if the run neither fails nor exceeds the limit. */
static rill_status try_value(const pool *p, experiment_run *run, double value, bool *holds, rill_error *error) {
    const experiment *e = p->report->experiment;
    char extra[200], name[40];
    forget(run);
    snprintf(extra, sizeof extra, "variables.%s=%.6g", run->variant->largest, value);
    snprintf(name, sizeof name, "_%.6g", value);
    TRY(do_one(p, run, extra, name, error));
    TRY(rill_experiment_measure(e, run, error));
    const run_names names = {.experiment = e, .run = run, .measures = e->measure_count, .row = -1};
    double margin = 0;
    expression_problem problem;
    if (!rill_expression_any_value(run->variant->holds, rill_experiment_names(&names), &margin, &problem))
        return rill_fail(error, RILL_FORMAT, "%s: \"%.80s\", character %d: %s", e->path, run->variant->holds,
                         problem.character, problem.text);
    *holds = run->done && !run->failed && margin > 0;
    return RILL_OK;
}

/* Bisects the ratio of the bounds. At the end, `run` is the run with the largest value that holds. */
static rill_status find_largest(const pool *p, experiment_run *run, rill_error *error) {
    double low = run->variant->lowest, high = run->variant->highest;
    bool holds;
    TRY(try_value(p, run, high, &holds, error));
    if (holds || !run->done) return RILL_OK;
    for (int k = 0; k < TRIALS; k++) {
        const double middle = sqrt(low * high);
        TRY(try_value(p, run, middle, &holds, error));
        if (!run->done) return RILL_OK;
        *(holds ? &low : &high) = middle;
    }
    TRY(try_value(p, run, low, &holds, error));
    if (holds || !run->done) return RILL_OK;
    run->failed = true;
    snprintf(run->message, sizeof run->message, "the condition fails even for %s = %g", run->variant->largest, low);
    return RILL_OK;
}

static rill_status do_run(const pool *p, experiment_run *run, rill_error *error) {
    return run->variant->largest ? find_largest(p, run, error) : do_one(p, run, NULL, "", error);
}

static void tell(pool *p, const experiment_run *run) {
    char what[200];
    snprintf(what, sizeof what, "%s: %s, %s", p->report->experiment->name, run->method, run->variant->name);
    if (p->options->progress) p->options->progress(p->options->context, run, what);
}

static void *work(void *context) {
    pool *p = context;
    pthread_mutex_lock(&p->lock);
    while (p->next < p->report->run_count && !p->stopped) {
        experiment_run *run = &p->report->runs[p->next++];
        pthread_mutex_unlock(&p->lock);
        rill_error error = {0};
        const rill_status status = do_run(p, run, &error);
        pthread_mutex_lock(&p->lock);
        tell(p, run);
        if (status && !p->error.status) p->error = error;
        p->stopped |= status != RILL_OK || !run->done;
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

rill_status rill_experiment_run_all(experiment_report *report, const experiment_options *options, rill_error *error) {
    enum { JOBS_MAX = 64 };
    pthread_t threads[JOBS_MAX];
    pool p = {.report = report, .options = options};
    int started = 0;
    TRY(rill_io_make_directory(report->folder, error));
    pthread_mutex_init(&p.lock, NULL);
    while (started + 1 < options->jobs && started < JOBS_MAX && pthread_create(&threads[started], NULL, work, &p) == 0)
        started++;
    work(&p);
    for (int k = 0; k < started; k++) pthread_join(threads[k], NULL);
    pthread_mutex_destroy(&p.lock);
    if (p.error.status) return rill_fail(error, p.error.status, "%s", p.error.text);
    if (p.stopped) return rill_fail(error, RILL_LIMIT, "%s: interrupted", report->experiment->name);
    return RILL_OK;
}

rill_status rill_experiment_perform(experiment_report *report, const experiment_options *options, rill_error *error) {
    TRY(rill_experiment_run_all(report, options, error));
    for (int k = 0; k < report->run_count; k++)
        TRY(rill_experiment_measure(report->experiment, &report->runs[k], error));
    TRY(rill_experiment_judge(report, error));
    TRY(rill_experiment_write_csv(report, error));
    TRY(rill_experiment_plot(report, report->folder, true, error));
    return rill_experiment_write_page(report, report->folder, error);
}

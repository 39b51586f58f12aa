/* SPDX-License-Identifier: MIT */
/* Frames for a movie, from a running world or from a folder. */
#include "apps/cli/show/movie_panel.h"

#include "apps/cli/run/interrupt.h"
#include "core/error.h"
#include "model/gauge_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- gauges ---- */

/* Whether `word` is the gauge's name, or that of one of its columns in a run's table. */
static bool names_gauge(const rill_gauge_def *gauge, int dim, const char *word, int *component) {
    char label[RILL_NAME_SIZE + 2];
    *component = 0;
    if (strcmp(gauge->name, word) == 0) return true;
    for (; *component < rill_gauge_value_count(gauge->kind, dim); ++*component)
        if (strcmp(rill_gauge_label(gauge, dim, *component, label, sizeof label), word) == 0) return true;
    return false;
}

/* The gauge's index in the world, or -1. */
static int find_gauge(const movie_panel *panel, int *component) {
    const rill_world *world = panel->input.world;
    for (int k = 0; k < rill_world_gauge_count(world); k++) {
        const rill_gauge_def *def = rill_world_gauge_def(world, rill_world_gauge_at(world, k));
        if (names_gauge(def, rill_world_get_def(world)->dim, panel->gauge, component)) return k;
    }
    return -1;
}

static void read_gauge(movie_panel *panel, double time) {
    rill_world *world = panel->input.world;
    int component = 0;
    const int number = panel->gauge[0] ? find_gauge(panel, &component) : -1;
    if (number < 0) return;
    rill_reading *readings = calloc((size_t)rill_world_gauge_count(world), sizeof *readings);
    if (readings && rill_world_read_gauges_at(world, time, readings) == RILL_OK) {
        panel->times[panel->readings] = time;
        panel->values[panel->readings++] = readings[number].value[component];
    }
    free(readings);
}

/* ---- a scene that runs ---- */

/* The panel observes its run: it reads the gauge, and keeps the frame to be drawn. */
static rill_status keep_frame(void *self, const run *r, const rill_frame *live, rill_error *error) {
    (void)r;
    movie_panel *panel = self;
    read_gauge(panel, live->time);
    if (!panel->shapes)
        panel->shapes = rill_shape_set_create(live->dim, live->spacing, live->shape, live->shape_count,
                                              &panel->input.scene->world.cache, error);
    return panel->shapes ? rill_frame_copy(&panel->frame, live, panel->shapes, error) : RILL_INVALID;
}

rill_status movie_panel_run(movie_panel *panel, const char *name, const scene_options *options, const char *method,
                            int *code, rill_error *error) {
    scene_options own = *options;
    if (method) own.method = method;
    panel->input.command = "movie";
    TRY(input_scene(&panel->input, name, &own, code, error));
    const scene *scene = panel->input.scene;
    panel->runs = true;
    panel->observer = (run_observer){.self = panel, .frame = keep_frame};
    panel->run = (run){.world = panel->input.world,
                       .scene = scene,
                       .plan = rill_run_plan_make(&scene->run),
                       .observers = &panel->observer,
                       .observer_count = 1,
                       .asked_to_stop = interrupt_stops_run};
    panel->frames = (int)fmin((double)rill_run_plan_frame_count(&panel->run.plan), 1e6);
    snprintf(panel->title, sizeof panel->title, "%s",
             method ? rill_world_method(panel->input.world)->title : scene->name);
    return RILL_OK;
}

rill_status movie_panel_open(movie_panel *panel, const char *folder, rill_error *error) {
    panel->input.command = "movie";
    panel->folder = folder;
    snprintf(panel->title, sizeof panel->title, "%s", frames_file_name(folder));
    TRY(frames_list(folder, &panel->list, error));
    panel->frames = panel->list.count;
    input_find(&panel->input, folder, "no solids are drawn");
    if (panel->input.scene) panel->run.plan = rill_run_plan_make(&panel->input.scene->run);
    return RILL_OK;
}

/* ---- gauges of a folder ---- */

/* The number in a column of a row. Text that is not a number becomes infinite, which is not drawn. */
static double cell_number(const char *row, int column) {
    char cell[64];
    double value;
    for (; column > 0 && *row; column--) {
        row += strcspn(row, ",");
        row += *row == ',';
    }
    snprintf(cell, sizeof cell, "%.*s", (int)fmin((double)strcspn(row, ",\r"), sizeof cell - 1), row);
    return rill_parse_number(cell, RILL_PURE, &value, NULL) == RILL_OK ? value : HUGE_VAL;
}

/* Reads a gauge's whole column from the run's table; each frame shows the values up to its time. */
static rill_status read_table(movie_panel *panel, rill_error *error) {
    char path[1100], *data, *line, *rest;
    size_t size;
    int column = -1, at = 0;
    snprintf(path, sizeof path, "%s/gauges.csv", panel->folder);
    TRY(rill_io_read_at_most(path, IO_TABLE_MAX, &data, &size, error));
    line = strtok_r(data, "\n", &rest);
    char *head = line ? line : NULL, *inner = NULL;
    for (char *word = head ? strtok_r(head, ",\r", &inner) : NULL; word; word = strtok_r(NULL, ",\r", &inner), at++)
        if (strcmp(word, panel->gauge) == 0) column = at;
    for (line = strtok_r(NULL, "\n", &rest); column > 0 && line && panel->readings < panel->frames;
         line = strtok_r(NULL, "\n", &rest)) {
        panel->times[panel->readings] = cell_number(line, 0);
        panel->values[panel->readings++] = cell_number(line, column);
    }
    free(data);
    return column > 0 ? RILL_OK
                      : rill_fail(error, RILL_NOT_FOUND, "%s: there is no gauge '%s' in it", path, panel->gauge);
}

const char *movie_panel_unit(const movie_panel *panel) {
    const scene *scene = panel->input.scene;
    int component;
    for (int k = 0; scene && k < scene->gauge_count; k++)
        if (names_gauge(&scene->gauges[k], scene->world.dim, panel->gauge, &component))
            return rill_gauge_kind_at(scene->gauges[k].kind)->unit;
    return "";
}

rill_status movie_panel_watch(movie_panel *panel, const char *gauge, rill_error *error) {
    snprintf(panel->gauge, sizeof panel->gauge, "%s", gauge);
    panel->times = calloc((size_t)panel->frames + 1, sizeof *panel->times);
    panel->values = calloc((size_t)panel->frames + 1, sizeof *panel->values);
    if (!panel->times || !panel->values) return rill_fail(error, RILL_MEMORY, "out of memory for a gauge");
    if (!panel->runs) return read_table(panel, error);
    int component;
    if (find_gauge(panel, &component) >= 0) return RILL_OK;
    return rill_fail(error, RILL_NOT_FOUND, "--gauge %s: the scene %s has no such gauge", gauge,
                     panel->input.scene->name);
}

/* ---- frames ---- */

/* A damaged frame is skipped, unless it is the first one. */
static rill_status read_frame(movie_panel *panel, int number, rill_error *error) {
    rill_frame frame = {0};
    const rill_status status = frames_read(&panel->list, number, &panel->input.run.common, &frame, error);
    if (status != RILL_OK) {
        fprintf(stderr, "rill movie: %s; keeping the previous picture\n", error->text);
        panel->skipped++;
        return number > 0 ? RILL_OK : status;
    }
    rill_frame_free(&panel->frame);
    panel->frame = frame;
    return RILL_OK;
}

/* Steps a run up to a frame. After a blow-up the last frame stays. */
static rill_status advance(movie_panel *panel, int frame, rill_error *error) {
    run *r = &panel->run;
    const rill_status begun = frame == 0 ? rill_run_begin(r) : RILL_OK;
    const run_outcome outcome = begun == RILL_OK ? rill_run_until(r, frame) : RILL_RUN_FAILED;
    if (outcome == RILL_RUN_DONE) return RILL_OK;
    *error = r->error;
    if (outcome != RILL_RUN_BLEW_UP) return r->error.status;
    fprintf(stderr, "rill movie: %s: %s; keeping its last picture\n", panel->title, error->text);
    const size_t length = strlen(panel->title);
    snprintf(panel->title + length, sizeof panel->title - length, " (blew up)");
    panel->stopped = true;
    return RILL_OK;
}

rill_status movie_panel_frame(movie_panel *panel, int frame, rill_error *error) {
    if (panel->stopped || frame >= panel->frames) return RILL_OK;
    return panel->runs ? advance(panel, frame, error) : read_frame(panel, frame, error);
}

void movie_panel_free(movie_panel *panel) {
    rill_frame_free(&panel->frame);
    rill_run_end(&panel->run, panel->stopped ? RILL_RUN_BLEW_UP : RILL_RUN_DONE);
    rill_shape_set_destroy(panel->shapes);
    frames_free(&panel->list);
    input_close(&panel->input);
    free(panel->times);
    free(panel->values);
}

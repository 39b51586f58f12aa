/* SPDX-License-Identifier: MIT */
/* Frames for a movie, from a world that runs or from a folder. */
#include "movie_panel.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

rill_status movie_panel_run(movie_panel *panel, const char *name, const scene_options *options, const char *method,
                            int *code, rill_error *error) {
    scene_options own = *options;
    if (method) own.method = method;
    panel->source.command = "movie";
    const rill_status status = source_scene(&panel->source, name, &own, code, error);
    if (status != RILL_OK) return status;
    const scene *scene = panel->source.scene;
    panel->runs = true;
    panel->plan = run_plan_make(&scene->run);
    panel->frames = (int)fmin((double)run_plan_frame_count(&panel->plan), 1e6);
    snprintf(panel->title, sizeof panel->title, "%s",
             method ? rill_world_method(panel->source.world)->title : scene->name);
    return RILL_OK;
}

rill_status movie_panel_open(movie_panel *panel, const char *folder, rill_error *error) {
    panel->source.command = "movie";
    panel->folder = folder;
    snprintf(panel->title, sizeof panel->title, "%s", frames_file_name(folder));
    const rill_status status = frames_list(folder, &panel->list, error);
    if (status != RILL_OK) return status;
    panel->frames = panel->list.count;
    source_find(&panel->source, folder, "no solids are drawn");
    if (panel->source.scene) panel->plan = run_plan_make(&panel->source.scene->run);
    return RILL_OK;
}

/* ---- gauges ---- */

/* The number in a column of a row. What is not a number is not drawn. */
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

/* The column of a gauge in a run's table, read at once; the frames pick what is past. */
static rill_status read_table(movie_panel *panel, rill_error *error) {
    char path[1100], *data, *line, *rest;
    size_t size;
    int column = -1, at = 0;
    snprintf(path, sizeof path, "%s/gauges.csv", panel->folder);
    const rill_status status = io_read_at_most(path, IO_TABLE_MAX, &data, &size, error);
    if (status != RILL_OK) return status;
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

/* By its name, or as in a run's table with _x, _y or _z behind it. */
static bool names_gauge(const char *name, const char *word, int *component) {
    const size_t length = strlen(name);
    const char *axes = "xyz", *axis = NULL;
    if (strncmp(word, name, length) != 0) return false;
    if (word[length] == '_' && word[length + 1] && !word[length + 2]) axis = strchr(axes, word[length + 1]);
    *component = axis ? (int)(axis - axes) : 0;
    return axis || !word[length];
}

static int find_gauge(const movie_panel *panel, int *component) {
    for (int k = 0; k < rill_world_gauge_count(panel->source.world); k++)
        if (names_gauge(rill_world_gauge(panel->source.world, k)->name, panel->gauge, component)) return k;
    return -1;
}

const char *movie_panel_unit(const movie_panel *panel) {
    static const char *const units[] = {
        [RILL_GAUGE_HEIGHT] = "m",
        [RILL_GAUGE_FRONT] = "m",
        [RILL_GAUGE_DENSITY] = "kg/m³",
        [RILL_GAUGE_PRESSURE] = "Pa",
        [RILL_GAUGE_VELOCITY] = "m/s",
        [RILL_GAUGE_KINETIC_ENERGY] = "J",
        [RILL_GAUGE_POTENTIAL_ENERGY] = "J",
        [RILL_GAUGE_MOMENTUM] = "N s",
        [RILL_GAUGE_CENTRE] = "m",
        [RILL_GAUGE_COUNT] = "",
        [RILL_GAUGE_FORCE] = "N",
        [RILL_GAUGE_BODY_POSITION] = "m",
        [RILL_GAUGE_BODY_VELOCITY] = "m/s",
        [RILL_GAUGE_BODY_ANGLE] = "rad",
        [RILL_GAUGE_JOINT_LOAD] = "N",
        [RILL_GAUGE_TORQUE] = "N m",
        [RILL_GAUGE_BODY_SPIN] = "rad/s",
        [RILL_GAUGE_JOINT_TORQUE] = "N m",
    };
    const scene *scene = panel->source.scene;
    int component;
    for (int k = 0; scene && k < scene->gauge_count; k++) {
        const int kind = scene->gauges[k].kind;
        const bool known = kind >= 0 && kind < (int)(sizeof units / sizeof *units) && units[kind];
        if (known && names_gauge(scene->gauges[k].name, panel->gauge, &component)) return units[kind];
    }
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
                     panel->source.scene->name);
}

static void read_gauge(movie_panel *panel) {
    rill_reading reading;
    int component = 0;
    if (!panel->runs || !panel->gauge[0]) return;
    if (rill_world_read_gauge_at(panel->source.world, find_gauge(panel, &component), &reading) != RILL_OK) return;
    panel->times[panel->readings] = rill_world_stats(panel->source.world)->time;
    panel->values[panel->readings++] = reading.value[component];
}

/* ---- frames ---- */

/* A damaged frame costs itself only, unless there is nothing before it to show. */
static rill_status read_frame(movie_panel *panel, int number, rill_error *error) {
    rill_frame frame = {0};
    const rill_status status = frames_read(&panel->list, number, &panel->source.run.common, &frame, error);
    if (status != RILL_OK) {
        fprintf(stderr, "rill movie: %s; the picture before it stays\n", error->text);
        panel->skipped++;
        return number > 0 ? RILL_OK : status;
    }
    rill_frame_free(&panel->frame);
    panel->frame = frame;
    return RILL_OK;
}

static rill_status keep_frame(movie_panel *panel, rill_error *error) {
    const rill_frame *live = &panel->live;
    rill_status status = source_frame(&panel->source, &panel->live, error);
    if (status == RILL_OK && !panel->shapes) {
        panel->shapes = rill_shape_set_create(live->dim, live->spacing, live->shape, live->shape_count,
                                              &panel->source.scene->world.cache, error);
        if (!panel->shapes) status = RILL_INVALID;
    }
    return status == RILL_OK ? rill_frame_copy(&panel->frame, live, panel->shapes, error) : status;
}

rill_status movie_panel_frame(movie_panel *panel, int frame, progress *shown, rill_error *error) {
    if (panel->stopped || frame >= panel->frames) return RILL_OK;
    if (!panel->runs) return read_frame(panel, frame, error);
    const rill_status status =
        live_advance(panel->source.world, &panel->plan, run_plan_frame_time(&panel->plan, frame), shown, error);
    if (status == RILL_BLOW_UP) {
        fprintf(stderr, "rill movie: %s: %s; its last picture stays\n", panel->title, error->text);
        const size_t length = strlen(panel->title);
        snprintf(panel->title + length, sizeof panel->title - length, " (blew up)");
        panel->stopped = true;
        return RILL_OK;
    }
    if (status != RILL_OK) return status;
    read_gauge(panel);
    return keep_frame(panel, error);
}

void movie_panel_free(movie_panel *panel) {
    rill_frame_free(&panel->frame);
    rill_frame_free(&panel->live);
    rill_shape_set_destroy(panel->shapes);
    frames_free(&panel->list);
    source_close(&panel->source);
    free(panel->times);
    free(panel->values);
}

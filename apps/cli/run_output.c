/* SPDX-License-Identifier: MIT */
/* Writing a run's folder. Whatever fails is reported with the file's name; what was written before stays. */
#include "run_output.h"

#include "core/error.h"
#include "scene_picture.h"
#include "stored_run.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Leaves room in every path buffer for the longest file name below it. */
#define FOLDER_MAX 800
/* Frames must fit their five digits' worth of a folder that people can still open. */
#define FRAME_MAX 99999999

static const char *const stats_columns[] = {
    "time",
    "step",
    "dt",
    "substeps",
    "particles",
    "iterations",
    "residual",
    "density_error_mean",
    "density_error_max",
    "neighbours_mean",
    "neighbours_max",
    "max_speed",
    "kinetic_energy",
    "potential_energy",
    "emitted",
    "removed",
};
enum { STATS_FIXED = sizeof stats_columns / sizeof stats_columns[0], STATS_COUNT = STATS_FIXED + RILL_PHASE_COUNT };

static rill_status open_stats(run_output *output, double keep_until, rill_error *error) {
    const char *columns[STATS_COUNT];
    char names[RILL_PHASE_COUNT][RILL_NAME_SIZE], path[1024];
    memcpy(columns, stats_columns, sizeof stats_columns);
    for (int phase = 0; phase < RILL_PHASE_COUNT; phase++) {
        snprintf(names[phase], sizeof names[phase], "ms_%s", rill_phase_name((rill_phase)phase));
        columns[STATS_FIXED + phase] = names[phase];
    }
    snprintf(path, sizeof path, "%s/stats.csv", output->folder);
    output->stats = io_csv_open(path, columns, STATS_COUNT, keep_until, error);
    return output->stats ? RILL_OK : RILL_IO;
}

static rill_status write_stats(run_output *output, rill_world *world, const run_window *window, rill_error *error) {
    const rill_stats *s = rill_world_stats(world);
    double values[STATS_COUNT] = {s->time, (double)s->step};
    double steps = window->steps ? (double)window->steps : 1.0;
    int k = 2;
    values[k++] = window->dt / steps;
    values[k++] = window->substeps / steps;
    values[k++] = rill_world_particle_count(world);
    values[k++] = window->iterations / steps;
    values[k++] = s->residual;
    values[k++] = window->density_error / steps;
    values[k++] = window->density_error_max;
    values[k++] = window->neighbours / steps;
    values[k++] = s->neighbours_max;
    values[k++] = window->max_speed;
    values[k++] = s->kinetic_energy;
    values[k++] = s->potential_energy;
    values[k++] = (double)s->emitted;
    values[k++] = (double)s->removed;
    for (int phase = 0; phase < RILL_PHASE_COUNT; phase++) values[k++] = 1e3 * window->seconds[phase] / steps;
    return io_csv_row(output->stats, values, error);
}

static rill_status open_residuals(run_output *output, double keep_until, rill_error *error) {
    static const char *const columns[] = {"time", "iteration", "residual"};
    char path[1024];
    snprintf(path, sizeof path, "%s/residuals.csv", output->folder);
    output->residuals = io_csv_open(path, columns, 3, keep_until, error);
    return output->residuals ? RILL_OK : RILL_IO;
}

/* How the last step of a frame converged. Methods without a system to solve leave the table empty. */
static rill_status write_residuals(run_output *output, rill_world *world, rill_error *error) {
    const rill_stats *s = rill_world_stats(world);
    rill_status status = RILL_OK;
    for (int k = 0; status == RILL_OK && s->residual > 0 && k < s->iterations && k < RILL_RESIDUALS_MAX; k++) {
        const double values[] = {s->time, k + 1, (double)s->residuals[k]};
        status = io_csv_row(output->residuals, values, error);
    }
    return status;
}

/* Known without reading the gauge: reading one that averages starts its next average, which a resumed run must not. */
static int gauge_values(const rill_gauge_def *gauge, int dim) {
    switch (gauge->kind) {
    case RILL_GAUGE_VELOCITY:
    case RILL_GAUGE_MOMENTUM:
    case RILL_GAUGE_CENTRE:
    case RILL_GAUGE_FORCE:
    case RILL_GAUGE_BODY_POSITION:
    case RILL_GAUGE_BODY_VELOCITY:
        return dim;
    case RILL_GAUGE_TORQUE:
    case RILL_GAUGE_BODY_SPIN:
        return dim == 2 ? 1 : 3;
    default:
        return 1;
    }
}

/* A gauge of several values has a column for each: force_x, force_y, force_z. */
static rill_status open_gauges(run_output *output, rill_world *world, double keep_until, rill_error *error) {
    int gauges = rill_world_gauge_count(world), count = 0, dim = (int)rill_world_get_def(world)->dim;
    char(*names)[RILL_NAME_SIZE + 2] = calloc((size_t)gauges * 3 + 1, sizeof *names);
    const char **columns = calloc((size_t)gauges * 3 + 1, sizeof *columns);
    rill_status status = RILL_OK;
    if (names && columns) {
        columns[count++] = "time";
        for (int i = 0; i < gauges; i++) {
            const rill_gauge_def *gauge = rill_world_gauge(world, i);
            int values = gauge_values(gauge, dim);
            for (int k = 0; k < values; k++, count++) {
                snprintf(names[count], sizeof *names, values > 1 ? "%s_%c" : "%s", gauge->name, "xyz"[k]);
                columns[count] = names[count];
            }
        }
        char path[1024];
        snprintf(path, sizeof path, "%s/gauges.csv", output->folder);
        output->gauges = io_csv_open(path, columns, count, keep_until, error);
        status = output->gauges ? RILL_OK : RILL_IO;
    } else {
        status = rill_fail(error, RILL_MEMORY, "out of memory for the gauges");
    }
    free(names);
    free(columns);
    return status;
}

static rill_status write_gauges(run_output *output, rill_world *world, rill_error *error) {
    int gauges = rill_world_gauge_count(world), count = 0;
    double *values = calloc((size_t)gauges * 3 + 1, sizeof *values);
    if (!values) return rill_fail(error, RILL_MEMORY, "out of memory for the gauges");
    rill_status status = RILL_OK;
    values[count++] = rill_world_stats(world)->time;
    for (int i = 0; status == RILL_OK && i < gauges; i++) {
        rill_reading reading = {0};
        status = rill_world_read_gauge_at(world, i, &reading);
        if (status != RILL_OK) rill_fail(error, status, "%s", rill_world_message(world));
        int wanted = gauge_values(rill_world_gauge(world, i), (int)rill_world_get_def(world)->dim);
        for (int k = 0; k < wanted; k++) values[count++] = reading.value[k];
    }
    if (status == RILL_OK) status = io_csv_row(output->gauges, values, error);
    free(values);
    return status;
}

/* Frame number of "frame_00012.vtp", or -1 for any other file name. */
static int64_t frame_number(const char *name) {
    char *end;
    if (strncmp(name, "frame_", 6) != 0 || !isdigit((unsigned char)name[6])) return -1;
    long long number = strtoll(name + 6, &end, 10);
    static const char *const endings[] = {".vtp", ".ply", ".png", ".obj", ".glb"};
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
        if (strcmp(end, endings[k]) == 0) return (int64_t)number;
    return -1;
}

/* Frames of an earlier run would mix with this one's. */
static void remove_frames(const char *folder, const char *part, int64_t first) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, part);
    DIR *directory = opendir(path);
    if (!directory) return;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        if (frame_number(entry->d_name) < first) continue;
        char file[1400];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        unlink(file);
    }
    closedir(directory);
}

static rill_status write_scene(const run_output *output, rill_error *error) {
    char path[1024];
    io_file file;
    snprintf(path, sizeof path, "%s/scene.json", output->folder);
    rill_status status = io_open(&file, path, error);
    if (status != RILL_OK) return status;
    status = scene_write(output->scene, file.stream, error);
    if (status == RILL_OK) return io_commit(&file, error);
    io_abandon(&file);
    return rill_fail(error, status, "%s: could not be written: is the disk full?", path);
}

/* Frame numbers stand for times only as long as the frame rate stays. */
static rill_status check_same_fps(const run_output *output, rill_error *error) {
    char path[1024];
    snprintf(path, sizeof path, "%s/scene.json", output->folder);
    if (access(path, F_OK) != 0) return RILL_OK;
    scene *before = scene_load(path, error);
    if (!before) return RILL_FORMAT;
    float fps = before->run.fps;
    scene_free(before);
    if (fps == output->scene->run.fps) return RILL_OK;
    return rill_fail(error, RILL_INVALID,
                     "%s was written with %g frames per second, this run has %g: give --fps %g, or another --out",
                     output->folder, (double)fps, (double)output->scene->run.fps, (double)fps);
}

/* What a run that was killed left half-written. */
static void remove_stale(const char *folder) {
    static const char *const parts[] = {"", "/frames", "/pictures", "/bodies", "/surface"};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s%s", folder, parts[k]);
        io_remove_stale(path);
    }
}

static rill_status make_folders(const run_output *output, rill_error *error) {
    char path[1024];
    remove_stale(output->folder);
    rill_status status = io_make_directory(output->folder, error);
    snprintf(path, sizeof path, "%s/frames", output->folder);
    if (status == RILL_OK && (output->vtp || output->ply)) status = io_make_directory(path, error);
    snprintf(path, sizeof path, "%s/pictures", output->folder);
    if (status == RILL_OK && output->pictures) status = io_make_directory(path, error);
    return status;
}

static void name_files(run_output *output) {
    char name[RILL_NAME_SIZE];
    snprintf(name, sizeof name, "%s", output->scene->name);
    for (char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("_-.", *c)) *c = '_';
    }
    output->series = (run_series){.part = "frames", .plan = output->plan};
    snprintf(output->series.list.path, sizeof output->series.list.path, "%s/%s.pvd", output->folder, name);
    snprintf(output->snapshot, sizeof output->snapshot, "%s/snapshot.rill", output->folder);
}

/* The world as it is, in the order of ids. */
static rill_status take_frame(run_output *output, const rill_world *world, rill_error *error) {
    const rill_status status = rill_frame_of_world(&output->frame, world, error);
    return status == RILL_OK ? rill_frame_order_by_id(&output->frame, error) : status;
}

rill_status run_output_open(run_output *output, rill_world *world, int64_t next_frame, rill_error *error) {
    if (!output->folder) return RILL_OK;
    if (strlen(output->folder) > FOLDER_MAX) {
        return rill_fail(error, RILL_INVALID, "--out: the path is longer than %d bytes", FOLDER_MAX);
    }
    name_files(output);
    bool resumed = next_frame > 0;
    double keep_until = resumed ? rill_world_stats(world)->time + 0.5 * output->plan->tolerance : -1.0;
    rill_status status = resumed ? check_same_fps(output, error) : RILL_OK;
    if (status == RILL_OK) status = make_folders(output, error);
    if (status == RILL_OK) status = write_scene(output, error);
    if (status == RILL_OK) status = open_stats(output, keep_until, error);
    if (status == RILL_OK) status = open_residuals(output, keep_until, error);
    if (status == RILL_OK) status = open_gauges(output, world, keep_until, error);
    if (status != RILL_OK) return status;
    remove_frames(output->folder, "frames", next_frame);
    remove_frames(output->folder, "pictures", next_frame);
    remove_frames(output->folder, "bodies", next_frame);
    remove_frames(output->folder, "surface", next_frame);
    if (status == RILL_OK) status = take_frame(output, world, error);
    if (status == RILL_OK && (output->vtp || output->ply))
        status = stored_run_write(output->folder, output->scene, &output->frame, error);
    if (status == RILL_OK)
        status = run_bodies_open(&output->bodies, &output->frame, output->folder, output->plan, next_frame, keep_until,
                                 error);
    if (status == RILL_OK && output->surfaces) {
        char path[1024];
        snprintf(path, sizeof path, "%s/surface", output->folder);
        status = surface_output_open(&output->surface, path, &output->scene->surface, error);
    }
    if (status != RILL_OK || !output->vtp) return status;
    return run_series_restore(&output->series, output->folder, next_frame, error);
}

static rill_status write_picture(const run_output *output, const char *path, rill_error *error) {
    const picture_def def = scene_picture_def(&output->scene->picture, output->scene->name);
    return picture_write(&output->frame, &def, path, error);
}

static rill_status write_surface(run_output *output, int64_t frame, rill_error *error) {
    char name[64];
    rill_status status =
        rill_surface_of_frame(output->surface.surface, &output->frame, NULL, &output->surface.mesh, error);
    if (status != RILL_OK) return status;
    snprintf(name, sizeof name, "frame_%05" PRId64, frame);
    return surface_output_write(&output->surface, name, run_plan_frame_time(output->plan, frame), error);
}

rill_status run_output_frame(run_output *output, rill_world *world, int64_t frame, const run_window *window,
                             rill_error *error) {
    if (!output->folder) return RILL_OK;
    if (frame > FRAME_MAX) return rill_fail(error, RILL_LIMIT, "more than %d frames; lower --fps", FRAME_MAX);
    char path[1024];
    rill_status status = take_frame(output, world, error);
    if (status == RILL_OK && output->vtp) {
        snprintf(path, sizeof path, "%s/frames/frame_%05" PRId64 ".vtp", output->folder, frame);
        status = io_write_vtp(&output->frame, path, error);
        if (status == RILL_OK) status = run_series_add(&output->series, frame, error);
    }
    if (status == RILL_OK && output->ply) {
        snprintf(path, sizeof path, "%s/frames/frame_%05" PRId64 ".ply", output->folder, frame);
        status = io_write_ply(&output->frame, path, error);
    }
    if (status == RILL_OK && output->pictures) {
        snprintf(path, sizeof path, "%s/pictures/frame_%05" PRId64 ".png", output->folder, frame);
        status = write_picture(output, path, error);
    }
    if (status == RILL_OK) status = run_bodies_frame(&output->bodies, &output->frame, output->folder, frame, error);
    if (status == RILL_OK && output->surfaces) status = write_surface(output, frame, error);
    if (status == RILL_OK) status = write_gauges(output, world, error);
    if (status == RILL_OK) status = write_stats(output, world, window, error);
    if (status == RILL_OK) status = write_residuals(output, world, error);
    return status;
}

rill_status run_output_snapshot(run_output *output, rill_world *world, rill_error *error) {
    if (!output->folder) return RILL_OK;
    rill_status status = io_save_snapshot(world, output->snapshot, error);
    if (status == RILL_OK) output->has_snapshot = true;
    return status;
}

/* The first of several failures is the one that is told. */
static void note_first(rill_status *status, rill_status next) {
    if (*status == RILL_OK) *status = next;
}

rill_status run_output_close(run_output *output, rill_error *error) {
    rill_status status = io_csv_close(output->gauges, error);
    note_first(&status, io_csv_close(output->stats, status == RILL_OK ? error : NULL));
    note_first(&status, io_csv_close(output->residuals, status == RILL_OK ? error : NULL));
    note_first(&status, run_bodies_close(&output->bodies, status == RILL_OK ? error : NULL));
    note_first(&status, io_series_close(&output->series.list, status == RILL_OK ? error : NULL));
    note_first(&status, surface_output_close(&output->surface, status == RILL_OK ? error : NULL));
    rill_frame_free(&output->frame);
    output->gauges = output->stats = output->residuals = NULL;
    return status;
}

/* SPDX-License-Identifier: MIT */
/* rill movie: one or several runs side by side, with titles and a diagram of a gauge, as MP4, WebM, GIF or APNG. */
#include "apps/cli/commands/command.h"
#include "apps/cli/run/interrupt.h"
#include "apps/cli/run/progress.h"
#include "apps/cli/show/file_kind.h"
#include "apps/cli/show/movie_panel.h"
#include "apps/cli/show/movie_pipe.h"
#include "core/error.h"
#include "picture/plot.h"
#include "run/manifest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PANELS_MAX 16

typedef struct movie_settings {
    scene_options scene;
    picture_options words;
    const char *out, *methods, *columns, *speed, *gauge, *reference;
    bool quiet;
} movie_settings;

typedef struct movie_job {
    const movie_settings *settings;
    movie_panel panels[PANELS_MAX];
    picture_def defs[PANELS_MAX];
    int count, columns, frames;
    int width, height;                /* of a panel [pixels] */
    int plot_height;                  /* 0: none */
    uint32_t *pixels;                 /* of the whole picture */
    double *known_time, *known_value; /* reference */
    int known_count;
    double speed;
    movie_pipe pipe;
    rill_error error;
    int code;
} movie_job;

/* ---- panels ---- */

static rill_status add_methods(movie_job *job, const char *name) {
    const char *list = job->settings->methods;
    char word[RILL_NAME_SIZE];
    const bool all = strcmp(list, "all") == 0;
    for (int k = 0; all ? k < rill_method_count() : list != NULL; k++) {
        if (job->count == PANELS_MAX) return rill_fail(&job->error, RILL_LIMIT, "at most %d panels", PANELS_MAX);
        if (all) {
            snprintf(word, sizeof word, "%s", rill_method(k)->name);
        } else {
            const size_t length = strcspn(list, ",");
            snprintf(word, sizeof word, "%.*s", (int)length, list);
            list = list[length] ? list + length + 1 : NULL;
        }
        TRY(movie_panel_run(&job->panels[job->count++], name, &job->settings->scene, word, &job->code, &job->error));
    }
    return RILL_OK;
}

/* Options about the simulation apply to scenes: at least one panel must be a scene. */
static rill_status check_scene_words(movie_job *job, const command_call *call) {
    scene_options words = job->settings->scene;
    if (job->settings->methods) words.method = job->settings->methods;
    for (int k = 0; k < call->operand_count; k++)
        if (file_kind_of(call->operands[k]) != FILE_FOLDER) return RILL_OK;
    if (scene_options_unused("movie", call->operands[0], &words)) return RILL_OK;
    job->code = EXIT_USAGE;
    return RILL_INVALID;
}

static rill_status add_panels(movie_job *job, const command_call *call) {
    rill_status status = RILL_OK;
    for (int k = 0; status == RILL_OK && k < call->operand_count; k++) {
        const char *what = call->operands[k];
        if (job->count == PANELS_MAX) return rill_fail(&job->error, RILL_LIMIT, "at most %d panels", PANELS_MAX);
        if (file_kind_of(what) == FILE_FOLDER)
            status = movie_panel_open(&job->panels[job->count++], what, &job->error);
        else if (job->settings->methods)
            status = add_methods(job, what);
        else
            status =
                movie_panel_run(&job->panels[job->count++], what, &job->settings->scene, NULL, &job->code, &job->error);
    }
    for (int k = 0; status == RILL_OK && k < job->count; k++) {
        job->frames = job->panels[k].frames > job->frames ? job->panels[k].frames : job->frames;
        if (job->settings->gauge) status = movie_panel_watch(&job->panels[k], job->settings->gauge, &job->error);
    }
    return status;
}

/* Reads the next number of a row, and moves behind it and the separators. */
static bool next_number(const char **row, double *value) {
    static const char separators[] = " ,;\t\r";
    char cell[64];
    const size_t length = strcspn(*row, separators);
    snprintf(cell, sizeof cell, "%.*s", (int)fmin((double)length, sizeof cell - 1), *row);
    *row += length;
    *row += strspn(*row, separators);
    return rill_parse_number(cell, RILL_PURE, value, NULL) == RILL_OK;
}

/* Reads two columns of numbers, time and value, with or without a header. */
static rill_status read_reference(movie_job *job) {
    size_t size;
    char *data, *rest;
    char path[1024], name[300];
    if (!job->settings->reference) return RILL_OK;
    const char *file = job->settings->reference;
    snprintf(name, sizeof name, "reference/%.280s", file);
    if (!strchr(file, '/') && access(file, F_OK) != 0 && rill_scene_find_data(name, path, sizeof path)) file = path;
    rill_status status = rill_io_read_at_most(file, IO_TABLE_MAX, &data, &size, &job->error);
    if (status != RILL_OK) return status;
    const size_t most = size / 3 + 1;
    job->known_time = calloc(most, sizeof *job->known_time);
    job->known_value = calloc(most, sizeof *job->known_value);
    if (!job->known_time || !job->known_value) status = rill_fail(&job->error, RILL_MEMORY, "out of memory");
    for (char *line = strtok_r(data, "\n", &rest); status == RILL_OK && line; line = strtok_r(NULL, "\n", &rest)) {
        double time, value;
        const char *row = line;
        if (!next_number(&row, &time) || !next_number(&row, &value)) continue;
        job->known_time[job->known_count] = time, job->known_value[job->known_count++] = value;
    }
    free(data);
    if (status == RILL_OK && job->known_count == 0)
        status = rill_fail(&job->error, RILL_FORMAT, "%s: no rows of two numbers, time and value, were found",
                           job->settings->reference);
    return status;
}

/* ---- layout ---- */

static rill_status choose_size(movie_job *job) {
    const scene *first = job->panels[0].input.scene;
    scene_picture panel = {.width = 640, .height = 400};
    if (first && job->count == 1) panel = first->picture;
    if (job->settings->words.size) {
        TRY(picture_options_size(job->settings->words.size, &panel, &job->error));
    }
    if (panel.width < 64 || panel.height < 64 || panel.width > 4096 || panel.height > 4096)
        return rill_fail(&job->error, RILL_INVALID, "a panel of %d x %d pixels: each side must be 64 to 4096",
                         panel.width, panel.height);
    job->width = panel.width & ~1, job->height = panel.height & ~1;
    job->plot_height = job->settings->gauge ? 150 : 0;
    /* In rows of equal length where possible. */
    if (job->columns == 0)
        job->columns = job->count <= 3 ? job->count : job->count == 4 ? 2 : job->count > 6 && job->count <= 8 ? 4 : 3;
    return RILL_OK;
}

static const char *target_of(const movie_job *job) {
    return job->settings->out ? job->settings->out : "movie.mp4";
}

/* Checks what does not depend on the input: a mistake is one of the command line. Reads columns and speed. */
static rill_status read_words(movie_job *job) {
    const movie_settings *settings = job->settings;
    double columns = 0;
    TRY(picture_options_check(&settings->words, &job->error));
    TRY(movie_pipe_check(target_of(job), &job->error));
    if (settings->methods && strcmp(settings->methods, "all") != 0)
        TRY(scene_options_methods(settings->methods, &job->error));
    job->speed = 1.0;
    if (settings->columns && (rill_parse_number(settings->columns, RILL_PURE, &columns, NULL) != RILL_OK ||
                              columns != floor(columns) || columns < 1 || columns > PANELS_MAX))
        return rill_fail(&job->error, RILL_INVALID, "--columns %s: expected a whole number from 1 to %d",
                         settings->columns, PANELS_MAX);
    if (settings->speed && (rill_parse_number(settings->speed, RILL_PURE, &job->speed, NULL) != RILL_OK ||
                            !(job->speed > 1e-4 && job->speed < 1e4)))
        return rill_fail(&job->error, RILL_INVALID, "--speed %s: expected a number such as 0.5 for slow motion",
                         settings->speed);
    job->columns = (int)columns;
    return RILL_OK;
}

static rill_status check_words(movie_job *job) {
    const rill_status status = read_words(job);
    job->code = status == RILL_OK ? EXIT_FAILED : EXIT_USAGE;
    return status;
}

static bool go_on(int done, int total, void *context) {
    (void)done, (void)total, (void)context;
    return !interrupt_asked();
}

static rill_status make_def(movie_job *job, int k) {
    movie_panel *panel = &job->panels[k];
    picture_def *def = &job->defs[k];
    picture_options words = job->settings->words;
    if (!words.look) words.look = "water";
    if (!words.samples) words.samples = "16";
    TRY(scene_picture_make(def, panel->input.scene, &words, panel->title, &job->error));
    def->width = job->width, def->height = job->height;
    def->progress = go_on;
    return RILL_OK;
}

/* ---- the movie ---- */

static rill_status draw_plot(movie_job *job, int width, int rows, int frame) {
    plot_series series[PANELS_MAX + 1];
    int count = 0;
    const run_plan *plan = &job->panels[0].run.plan;
    const double now = rill_run_plan_frame_time(plan, frame);
    for (int k = 0; k < job->count; k++) {
        const movie_panel *panel = &job->panels[k];
        int readings = panel->readings;
        while (!panel->runs && readings > 0 && panel->times[readings - 1] > now + plan->tolerance) readings--;
        series[count++] = (plot_series){panel->title, panel->times, panel->values, readings, false};
    }
    if (job->known_count)
        series[count++] = (plot_series){"reference", job->known_time, job->known_value, job->known_count, true};
    const char *unit = movie_panel_unit(&job->panels[0]);
    char title[RILL_NAME_SIZE + 24];
    snprintf(title, sizeof title, "%.*s%s%s%s", RILL_NAME_SIZE, job->settings->gauge, unit[0] ? " [" : "", unit,
             unit[0] ? "]" : "");
    const plot_def plot = {.width = width,
                           .height = job->plot_height,
                           .title = title,
                           .time = now,
                           .end = plan->end,
                           .series = series,
                           .count = count};
    return rill_plot_paint(&plot, job->pixels + (size_t)width * (size_t)(rows * job->height), width, &job->error);
}

static rill_status draw_frame(movie_job *job, int frame) {
    const int rows = (job->count + job->columns - 1) / job->columns, width = job->columns * job->width;
    rill_status status = RILL_OK;
    for (int k = 0; status == RILL_OK && k < job->count; k++) {
        movie_panel *panel = &job->panels[k];
        picture_def *def = &job->defs[k];
        status = movie_panel_frame(panel, frame, &job->error);
        if (status == RILL_OK && frame == 0) status = rill_picture_settle(&panel->frame, def, &job->error);
        if (status != RILL_OK) break;
        rill_scene_picture_move(def, panel->input.scene, panel->frame.time);
        uint32_t *corner = job->pixels + (size_t)(k / job->columns * job->height) * (size_t)width +
                           (size_t)(k % job->columns * job->width);
        status = rill_picture_paint(&panel->frame, def, corner, width, &job->error);
    }
    if (status == RILL_OK && job->plot_height) status = draw_plot(job, width, rows, frame);
    return status;
}

static rill_status film(movie_job *job) {
    const int rows = (job->count + job->columns - 1) / job->columns, width = job->columns * job->width;
    const int height = rows * job->height + job->plot_height;
    const double fps = (job->panels[0].input.scene ? job->panels[0].run.plan.fps : 30.0) * job->speed;
    job->pixels = malloc((size_t)width * (size_t)height * sizeof *job->pixels);
    if (!job->pixels) return rill_fail(&job->error, RILL_MEMORY, "out of memory for %d x %d pixels", width, height);
    memset(job->pixels, 0xff, (size_t)width * (size_t)height * sizeof *job->pixels);
    const char *out = target_of(job);
    TRY(rill_run_check_target(out, &job->error));
    rill_status status = movie_pipe_open(&job->pipe, out, width, height, fps > 0.0 ? fps : 30.0, &job->error);
    progress frames = progress_start(job->settings->quiet);
    for (int frame = 0; status == RILL_OK && frame < job->frames; frame++) {
        if (interrupt_asked()) status = rill_fail(&job->error, RILL_LIMIT, "interrupted after %d frames", frame);
        if (status == RILL_OK) status = draw_frame(job, frame);
        if (status == RILL_OK) status = movie_pipe_write(&job->pipe, job->pixels, &job->error);
        progress_work(&frames, "frame", frame + 1, job->frames, "drawn");
    }
    progress_stop(&frames);
    if (status != RILL_OK) {
        movie_pipe_abandon(&job->pipe);
        return status;
    }
    status = movie_pipe_close(&job->pipe, &job->error);
    if (status == RILL_OK) printf("%s\n", job->pipe.file.path);
    return status;
}

static int run_movie(const command_call *call) {
    movie_job *job = calloc(1, sizeof *job);
    if (!job) return EXIT_FAILED;
    job->settings = call->settings;
    job->code = EXIT_FAILED;
    interrupt_watch();
    rill_status status = check_words(job);
    if (status == RILL_OK) status = check_scene_words(job, call);
    if (status == RILL_OK) status = add_panels(job, call);
    if (status == RILL_OK) status = read_reference(job);
    if (status == RILL_OK) status = choose_size(job);
    for (int k = 0; status == RILL_OK && k < job->count; k++) status = make_def(job, k);
    if (status == RILL_OK) status = film(job);
    if (status != RILL_OK && job->error.text[0]) fprintf(stderr, "rill movie: %s\n", job->error.text);
    int code = status == RILL_OK ? EXIT_FINE : interrupt_asked() ? EXIT_INTERRUPTED : job->code;
    for (int k = 0; k < job->count; k++) code = code == EXIT_FINE && job->panels[k].skipped ? EXIT_FAILED : code;
    for (int k = 0; k < job->count; k++) movie_panel_free(&job->panels[k]);
    free(job->known_time);
    free(job->known_value);
    free(job->pixels);
    free(job);
    return code;
}

static const option movie_options[] = {
    {"out", OPTION_TEXT, offsetof(movie_settings, out), "FILE", "movie.mp4 (default), .webm, .gif or .png (animated)"},
    {"methods", OPTION_TEXT, offsetof(movie_settings, methods), "LIST", "a,b,c or all: a panel for each method"},
    {"look", OPTION_TEXT, offsetof(movie_settings, words.look), "L", "water (default), surface or particles"},
    PICTURE_OPTION_ROWS(movie_settings),
    {"columns", OPTION_TEXT, offsetof(movie_settings, columns), "N", "number of panels in a row"},
    {"samples", OPTION_TEXT, offsetof(movie_settings, words.samples), "N",
     "rays through each pixel of water in 3D (default 16)"},
    {"speed", OPTION_TEXT, offsetof(movie_settings, speed), "S", "speed of the film: 0.5 for slow motion"},
    {"gauge", OPTION_TEXT, offsetof(movie_settings, gauge), "NAME",
     "a diagram of this gauge below the panels: front, force_x"},
    {"reference", OPTION_TEXT, offsetof(movie_settings, reference), "CSV",
     "file with rows of time and value, to show in the diagram"},
    {"quiet", OPTION_FLAG, offsetof(movie_settings, quiet), NULL, "print no progress"},
    SCENE_OPTION_ROWS(movie_settings),
};

const command movie_command = {
    .name = "movie",
    .operands = "DIR|SCENE...",
    .summary = "make a film of runs, side by side",
    .about =
        "Each DIR with frames and each SCENE gives a panel with its title and time; --methods gives one for each\n"
        "method on the same scene. Scenes are run while they are filmed, at the scene's frames per second. If a\n"
        "method blows up, its panel keeps the last picture. ffmpeg writes the file, which gets its name when it is\n"
        "complete.\n",
    .examples = "  rill movie dam_break_2d --out dam.mp4\n"
                "  rill movie dam_break_2d --methods all --gauge front --out methods.webm\n"
                "  rill movie out/dam out/dam --look particles --out both.mp4\n"
                "  rill movie dam_break_3d --time '1 s' --size 400x250 --fps 20 --out small.gif\n",
    .options = movie_options,
    .option_count = sizeof movie_options / sizeof movie_options[0],
    .operands_min = 1,
    .operands_max = PANELS_MAX,
    .settings_size = sizeof(movie_settings),
    .run = run_movie,
};

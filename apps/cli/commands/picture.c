/* SPDX-License-Identifier: MIT */
/* rill picture and rill render: PNGs of a frame, a snapshot, a scene or a whole run, as particles or as water. */
#include "apps/cli/commands/command.h"
#include "apps/cli/run/interrupt.h"
#include "apps/cli/run/progress.h"
#include "apps/cli/show/file_kind.h"
#include "apps/cli/show/frames.h"
#include "apps/cli/show/input.h"
#include "apps/cli/show/scene_picture.h"
#include "core/error.h"
#include "run/claim.h"
#include "run/manifest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NO_SOLIDS "no solids are drawn"

typedef struct picture_settings {
    scene_options scene;
    picture_options words;
    const char *out;
    bool quiet, plain;
} picture_settings;

typedef struct picture_job {
    const picture_settings *settings;
    input input;
    rill_frame frame; /* the frame to be drawn */
    picture_def def;
    progress progress;
    char detail[64]; /* what is being drawn */
    int skipped;     /* frames that could not be read */
    rill_error error;
} picture_job;

static bool show_samples(int done, int total, void *context) {
    picture_job *job = context;
    progress_work(&job->progress, "sample", done, total, job->detail);
    return !interrupt_asked();
}

static rill_status make_def(picture_job *job, const char *title) {
    const scene *scene = job->input.scene;
    picture_options words = job->settings->words;
    if (!words.look) words.look = strcmp(job->input.command, "render") == 0 ? "water" : "particles";
    TRY(scene_picture_make(&job->def, scene, &words, scene ? scene->name : title, &job->error));
    job->def.plain = job->settings->plain;
    job->def.progress = show_samples, job->def.progress_context = job;
    return RILL_OK;
}

static rill_status draw(picture_job *job, const char *path) {
    TRY(rill_run_check_target(path, &job->error));
    rill_scene_picture_move(&job->def, job->input.scene, job->frame.time);
    snprintf(job->detail, sizeof job->detail, "%.60s", frames_file_name(path));
    if (job->def.look == PICTURE_WATER) job->progress = progress_start(job->settings->quiet);
    rill_status status = rill_picture_write(&job->frame, &job->def, path, &job->error);
    progress_stop(&job->progress);
    if (status == RILL_OK) printf("%s\n", path), fflush(stdout);
    return status;
}

/* --out, or else the file's own path with the ending .png. */
static void name_picture(const picture_job *job, const char *path, char *out, size_t size) {
    const char *dot = strrchr(frames_file_name(path), '.');
    int length = dot ? (int)(dot - path) : (int)strlen(path);
    if (job->settings->out) {
        snprintf(out, size, "%s", job->settings->out);
    } else {
        snprintf(out, size, "%.*s.png", length, path);
    }
}

/* Draws a world: that of a snapshot, or of a scene at some time. */
static rill_status draw_world(void *self, const char *path) {
    picture_job *job = self;
    char out[1100];
    rill_status status = make_def(job, frames_file_name(path));
    if (status == RILL_OK) status = input_frame(&job->input, &job->frame, &job->error);
    name_picture(job, path, out, sizeof out);
    return status == RILL_OK ? draw(job, out) : status;
}

static rill_status draw_frame(void *self, const char *path) {
    picture_job *job = self;
    char out[1100];
    input_find_near(&job->input, path, NO_SOLIDS);
    rill_status status = make_def(job, frames_file_name(path));
    if (status == RILL_OK) status = rill_io_read_frame(path, &job->input.run.common, &job->frame, &job->error);
    name_picture(job, path, out, sizeof out);
    return status == RILL_OK ? draw(job, out) : status;
}

/* ---- a whole run ---- */
/* Range of colours and view of all frames of a run, so that their pictures can be compared. */
typedef struct run_range {
    float low, high;
    rill_vec min, max;
} run_range;

static void widen_range(const picture_job *job, run_range *r) {
    const rill_frame *frame = &job->frame;
    const rill_view *field = rill_picture_field(frame, job->def.color);
    rill_vec a, b;
    if (frame->count > 0 && rill_picture_bounds(frame, &job->def, &a, &b, NULL) == RILL_OK) {
        r->min = (rill_vec){fminf(r->min.x, a.x), fminf(r->min.y, a.y), fminf(r->min.z, a.z)};
        r->max = (rill_vec){fmaxf(r->max.x, b.x), fmaxf(r->max.y, b.y), fmaxf(r->max.z, b.z)};
    }
    for (int i = 0; i < frame->count; i++) {
        const float value = rill_picture_field_value(frame, field, i);
        r->low = fminf(r->low, value), r->high = fmaxf(r->high, value);
    }
}

/* A damaged frame is skipped. */
static void find_range(picture_job *job, const frame_list *list) {
    const float far = HUGE_VALF;
    run_range r = {far, -far, {far, far, far}, {-far, -far, -far}};
    for (int f = 0; f < list->count; f++) {
        if (frames_read(list, f, &job->input.run.common, &job->frame, &job->error) != RILL_OK) {
            fprintf(stderr, "rill %s: %s; skipped\n", job->input.command, job->error.text);
            job->skipped++;
            continue;
        }
        widen_range(job, &r);
    }
    const bool given = job->def.color_min < job->def.color_max;
    if (!given && r.low < r.high) job->def.color_min = r.low, job->def.color_max = r.high;
    if (r.min.x < r.max.x && r.min.y < r.max.y) job->def.view_min = r.min, job->def.view_max = r.max;
}

static rill_status draw_frames(picture_job *job, const frame_list *list, const char *out) {
    run_claim claim = {0};
    rill_status status = rill_run_claim_take(&claim, out, &job->error);
    if (status != RILL_OK) return status;
    rill_io_remove_stale(out);
    if (status == RILL_OK) find_range(job, list);
    for (int f = 0; status == RILL_OK && f < list->count; f++) {
        char path[1400];
        if (frames_read(list, f, &job->input.run.common, &job->frame, &job->error) != RILL_OK) continue;
        const char *name = list->entries[f]->d_name;
        snprintf(path, sizeof path, "%s/%.*s.png", out, (int)strlen(name) - 4, name);
        status = draw(job, path);
    }
    rill_run_claim_release(&claim);
    return status;
}

static rill_status draw_folder(void *self, const char *folder) {
    picture_job *job = self;
    frame_list list;
    char out[1100];
    input_find(&job->input, folder, NO_SOLIDS);
    rill_status status = make_def(job, frames_file_name(folder));
    if (status == RILL_OK) status = frames_list(folder, &list, &job->error);
    if (status != RILL_OK) return status;
    if (job->settings->out) {
        snprintf(out, sizeof out, "%s", job->settings->out);
    } else {
        snprintf(out, sizeof out, "%s/%s", folder, strcmp(job->input.command, "render") ? "pictures" : "render");
    }
    status = draw_frames(job, &list, out);
    frames_free(&list);
    return status;
}

/* For a folder of frames --out is a folder, otherwise a file, which must end in .png. */
static bool check_target(const picture_settings *settings, const char *operand, const char *command_name) {
    const char *out = settings->out, *dot = out ? strrchr(frames_file_name(out), '.') : NULL;
    if (out && strlen(out) > 900) {
        fprintf(stderr, "rill %s: paths may have at most 900 bytes\n", command_name);
        return false;
    }
    if (!out || file_kind_of(operand) == FILE_FOLDER || (dot && strcmp(dot, ".png") == 0)) return true;
    fprintf(stderr, "rill %s: --out %s: the ending must be .png\n", command_name, out);
    return false;
}

static int draw_all(const command_call *call, const char *command_name) {
    picture_job job = {.input = {.command = command_name}, .settings = call->settings};
    const input_work work = {draw_folder, draw_frame, draw_world, &job};
    if (!check_target(job.settings, call->operands[0], command_name)) return EXIT_USAGE;
    if (picture_options_check(&job.settings->words, &job.error) != RILL_OK) {
        fprintf(stderr, "rill %s: %s\n", command_name, job.error.text);
        return EXIT_USAGE;
    }
    const int code =
        input_use(&job.input, call->operands[0], &job.settings->scene, job.settings->quiet, &work, &job.error);
    rill_frame_free(&job.frame);
    input_close(&job.input);
    return code == EXIT_FINE && job.skipped ? EXIT_FAILED : code;
}

static int run_picture(const command_call *call) {
    return draw_all(call, "picture");
}

static int run_render(const command_call *call) {
    return draw_all(call, "render");
}

static const option picture_option_rows[] = {
    {"out", OPTION_TEXT, offsetof(picture_settings, out), "FILE|DIR", "a .png file; for a DIR of frames, a folder"},
    PICTURE_OPTION_ROWS(picture_settings),
    {"look", OPTION_TEXT, offsetof(picture_settings, words.look), "L",
     "particles (default of picture), surface or water (default of render)"},
    {"samples", OPTION_TEXT, offsetof(picture_settings, words.samples), "N", "rays through each pixel of water in 3D"},
    {"plain", OPTION_FLAG, offsetof(picture_settings, plain), NULL, "no text and no colour bar"},
    {"quiet", OPTION_FLAG, offsetof(picture_settings, quiet), NULL, "print no progress"},
    SCENE_OPTION_ROWS(picture_settings),
};

const command picture_command = {
    .name = "picture",
    .operands = "FILE|DIR|SCENE",
    .summary = "draw particles as PNG",
    .about =
        "FILE is a frame or a snapshot: its picture is written beside it. DIR is the folder of a run: each frame\n"
        "gives a picture in DIR/pictures, all with the same colours and view. SCENE is drawn as it begins, or in its\n"
        "state at --time, in SCENE.png. Solids are drawn where they were at the time of the frame, with the shapes\n"
        "kept in DIR/shapes.json. The names of the pictures are printed. Frames that cannot be read are skipped with\n"
        "a message, and the exit code is then 1. 'rill render' draws water instead.\n",
    .examples = "  rill picture dam_break_2d\n"
                "  rill picture out/dam\n"
                "  rill picture out/dam/snapshot.rill --color pressure --range 0 '5 kPa'\n"
                "  rill picture out/dam/frames/frame_00010.vtp --size 1600x900 --out front.png\n",
    .options = picture_option_rows,
    .option_count = sizeof picture_option_rows / sizeof picture_option_rows[0],
    .operands_min = 1,
    .operands_max = 1,
    .settings_size = sizeof(picture_settings),
    .run = run_picture,
};

const command render_command = {
    .name = "render",
    .operands = "FILE|DIR|SCENE",
    .summary = "draw realistic water",
    .about =
        "In 3D the scene is ray traced: water that refracts, reflects and absorbs light, solids, a floor, sky and\n"
        "sun. In 2D the picture is a section through the water with bodies, joints and gauges. Input and output are\n"
        "as for 'rill picture', but the pictures of a DIR go to DIR/render. More --samples give less grain: 4 for a\n"
        "first look, 64 by default, 500 for print. --look surface is quick: it shows the surface in the colours of a\n"
        "quantity. The scene's section 'picture' sets the camera (eye and target, orbit, path), and its section\n"
        "'surface' how the surface is made.\n",
    .examples = "  rill render dam_break_2d --time '400 ms'\n"
                "  rill render dam_break_3d --time '300 ms' --samples 16\n"
                "  rill render out/dam --size 1280x720 --samples 200\n"
                "  rill render out/dam --look surface --color pressure\n",
    .options = picture_option_rows,
    .option_count = sizeof picture_option_rows / sizeof picture_option_rows[0],
    .operands_min = 1,
    .operands_max = 1,
    .settings_size = sizeof(picture_settings),
    .run = run_render,
};

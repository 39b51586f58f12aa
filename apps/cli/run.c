/* SPDX-License-Identifier: MIT */
/* rill run: a scene stepped frame by frame into a folder. */
#include "command.h"
#include "core/error.h"
#include "core/timer.h"
#include "interrupt.h"
#include "progress.h"
#include "report.h"
#include "resume.h"
#include "run_output.h"
#include "scene_options.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Without --snapshot-every a frame is followed by a snapshot when the last one is this many seconds of the clock old:
   seldom enough to cost nothing, often enough to lose little. */
#define SNAPSHOT_AGE 5.0

typedef struct run_settings {
    scene_options scene;
    const char *out, *format, *bodies, *resume;
    const char *surface_format;
    bool picture, surface, json, quiet;
} run_settings;

typedef struct run_state {
    const run_settings *settings;
    const command_call *call;
    scene *scene;
    rill_world *world;
    run_plan plan;
    run_output output;
    run_totals totals;
    progress progress;
    int64_t next_frame, next_snapshot;
    double start_wall, snapshot_wall;
    rill_error error;
} run_state;

/* How a run came to its end. */
typedef enum run_end { RUN_DONE, RUN_INTERRUPTED, RUN_FAILED, RUN_BLEW_UP } run_end;

static rill_status step_once(run_state *r) {
    const rill_stats *stats = rill_world_stats(r->world);
    double before = stats->time;
    rill_status status = r->plan.dt > 0
                             ? rill_world_step(r->world, r->plan.dt)
                             : rill_world_step_adaptive(r->world, run_plan_limit(&r->plan, before, r->next_frame));
    if (status != RILL_OK) return rill_fail(&r->error, status, "%s", rill_world_message(r->world));
    stats = rill_world_stats(r->world);
    if (!(stats->time > before)) {
        return rill_fail(&r->error, RILL_BLOW_UP,
                         "step %" PRId64
                         ": the stable step has shrunk to %g s and time stands still; the fluid moves too "
                         "fast or is too stiff for its spacing: soften it or give it a fixed --dt",
                         stats->step, stats->dt);
    }
    run_totals_add(&r->totals, stats);
    return RILL_OK;
}

static rill_status save_snapshot(run_state *r) {
    double time = rill_world_stats(r->world)->time;
    if (r->plan.snapshot_every > 0) r->next_snapshot = (int64_t)floor(time / r->plan.snapshot_every + 1e-6) + 1;
    r->snapshot_wall = timer_now();
    return run_output_snapshot(&r->output, r->world, &r->error);
}

static bool snapshot_due(const run_state *r, bool frame_done) {
    double every = r->plan.snapshot_every;
    if (every > 0) return rill_world_stats(r->world)->time >= every * ((double)r->next_snapshot - 1e-6);
    return frame_done && timer_now() - r->snapshot_wall >= SNAPSHOT_AGE;
}

/* A step longer than a frame passes several at once; the last of them is written. */
static rill_status end_frame(run_state *r, int64_t next_frame) {
    rill_status status = run_output_frame(&r->output, r->world, next_frame - 1, &r->totals.frame, &r->error);
    r->next_frame = next_frame;
    run_totals_end_frame(&r->totals);
    return status;
}

/* The first frame of a fresh run, and a snapshot to fall back on. */
static rill_status begin(run_state *r) {
    rill_status status = run_output_open(&r->output, r->world, r->next_frame, &r->error);
    if (status == RILL_OK && r->next_frame == 0) status = end_frame(r, 1);
    if (status == RILL_OK) status = save_snapshot(r);
    return status;
}

/* Frames are written before snapshots, so that a snapshot never lies behind a frame that is missing. */
static run_end step_until_end(run_state *r) {
    if (begin(r) != RILL_OK) return RUN_FAILED;
    while (!run_plan_finished(&r->plan, rill_world_stats(r->world)->time)) {
        if (interrupt_asked()) return RUN_INTERRUPTED;
        rill_status status = step_once(r);
        if (status != RILL_OK) return status == RILL_BLOW_UP ? RUN_BLEW_UP : RUN_FAILED;
        int64_t next_frame = run_plan_next_frame(&r->plan, rill_world_stats(r->world)->time);
        bool frame_done = next_frame > r->next_frame;
        if (frame_done) status = end_frame(r, next_frame);
        if (status == RILL_OK && snapshot_due(r, frame_done)) status = save_snapshot(r);
        if (status != RILL_OK) return RUN_FAILED;
        progress_show(&r->progress, rill_world_stats(r->world), frame_done);
    }
    return RUN_DONE;
}

static run_end run_all(run_state *r) {
    r->start_wall = timer_now();
    r->progress = progress_start(r->settings->quiet, rill_world_stats(r->world)->time, r->plan.end);
    run_end end = step_until_end(r);
    progress_stop(&r->progress);
    if ((end == RUN_DONE || end == RUN_INTERRUPTED) && save_snapshot(r) != RILL_OK) end = RUN_FAILED;
    rill_status closed = run_output_close(&r->output, end == RUN_FAILED ? NULL : &r->error);
    if (closed != RILL_OK && (end == RUN_DONE || end == RUN_INTERRUPTED)) end = RUN_FAILED;
    return end;
}

static void explain_end(const run_state *r, run_end end) {
    if (end == RUN_DONE) return;
    if (end == RUN_INTERRUPTED) {
        fprintf(stderr, "rill run: interrupted at t = %g s after step %" PRId64 "\n", rill_world_stats(r->world)->time,
                rill_world_stats(r->world)->step);
    } else {
        fprintf(stderr, "rill run: %s\n", r->error.text);
    }
    if (!r->output.has_snapshot) {
        if (!r->output.folder) fprintf(stderr, "nothing was saved: there was no --out\n");
        return;
    }
    if (end == RUN_BLEW_UP) {
        fprintf(stderr, "the last good snapshot is %s: look at it with 'rill picture', or resume with a shorter --dt\n",
                r->output.snapshot);
        return;
    }
    fprintf(stderr, "continue from the last snapshot with\n");
    resume_print_command(stderr, r->call->argc, r->call->argv, r->output.snapshot);
}

static int report_end(const run_state *r, run_end end, double wall) {
    run_report report = {
        .scene = r->scene->name,
        .world = r->world,
        .totals = &r->totals,
        .wall = wall,
        .frames = r->next_frame,
        .out = r->output.folder,
        .error = end == RUN_DONE          ? NULL
                 : end == RUN_INTERRUPTED ? "interrupted"
                                          : r->error.text,
    };
    explain_end(r, end);
    if (r->settings->json) {
        report_json(&report, stdout);
    } else if (!r->settings->quiet && (end == RUN_DONE || end == RUN_INTERRUPTED)) {
        report_text(&report, stdout);
    }
    static const int codes[] = {EXIT_FINE, EXIT_INTERRUPTED, EXIT_FAILED, EXIT_BLOW_UP};
    return codes[end];
}

/* "vtp,ply" or "none". */
static bool read_formats(const char *text, run_output *output) {
    char word[16];
    if (!text) text = "vtp";
    if (strcmp(text, "none") == 0) return true;
    for (;;) {
        size_t length = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (strcmp(word, "vtp") == 0) {
            output->vtp = true;
        } else if (strcmp(word, "ply") == 0) {
            output->ply = true;
        } else {
            fprintf(stderr, "rill run: --format: '%s' is not one of vtp, ply, none\n", word);
            return false;
        }
        if (!text[length]) return true;
        text += length + 1;
    }
}

static bool check_settings(const run_settings *settings, run_output *output) {
    if (!read_formats(settings->format, output) || !run_bodies_choose(&output->bodies, settings->bodies)) return false;
    rill_error error;
    output->surfaces = settings->surface || settings->surface_format;
    if (output->surfaces &&
        surface_output_formats(&output->surface, settings->surface_format ? settings->surface_format : "ply", &error)) {
        fprintf(stderr, "rill run: --surface-format: %s\n", error.text);
        return false;
    }
    const char *needs_out = settings->picture                                           ? "picture"
                            : output->surfaces                                          ? "surface"
                            : settings->scene.snapshot_every                            ? "snapshot-every"
                            : settings->format && (output->vtp || output->ply)          ? "format"
                            : settings->bodies && strcmp(settings->bodies, "none") != 0 ? "bodies"
                                                                                        : NULL;
    if (!settings->out && needs_out) {
        fprintf(stderr, "rill run: --%s needs a folder to write to: --out DIR\n", needs_out);
        return false;
    }
    return true;
}

static bool make_world(run_state *r) {
    const char *resume = r->settings->resume;
    r->world = resume ? resume_world(resume, r->scene, &r->error) : scene_build(r->scene, -1, -1, &r->error);
    if (!r->world) {
        fprintf(stderr, "rill run: %s\n", r->error.text);
        return false;
    }
    double time = rill_world_stats(r->world)->time;
    r->next_frame = resume ? run_plan_next_frame(&r->plan, time) : 0;
    if (resume && run_plan_finished(&r->plan, time)) {
        fprintf(stderr,
                "rill run: the snapshot is at t = %g s and the run ends at %g s: nothing to do; give a longer "
                "--time to go on\n",
                time, r->plan.end);
    }
    return true;
}

static int run_scene(const command_call *call) {
    const run_settings *settings = call->settings;
    run_state r = {.settings = settings, .call = call};
    int code;
    if (!check_settings(settings, &r.output)) return EXIT_USAGE;
    r.scene = scene_options_load("run", call->operands[0], &settings->scene, &code);
    if (!r.scene) return code;
    r.plan = run_plan_make(&r.scene->run);
    r.output.folder = settings->out;
    r.output.pictures = settings->picture;
    r.output.scene = r.scene;
    r.output.plan = &r.plan;
    code = EXIT_FAILED;
    if (make_world(&r)) {
        interrupt_watch();
        run_end end = run_all(&r);
        code = report_end(&r, end, timer_now() - r.start_wall);
    }
    rill_world_destroy(r.world);
    scene_free(r.scene);
    return code;
}

static const option run_options[] = {
    SCENE_OPTION_ROWS(run_settings),
    {"out", OPTION_TEXT, offsetof(run_settings, out), "DIR", "write frames, tables and snapshots here"},
    {"format", OPTION_TEXT, offsetof(run_settings, format), "LIST", "of frames: vtp (default), ply, vtp,ply or none"},
    {"bodies", OPTION_TEXT, offsetof(run_settings, bodies), "LIST",
     "of bodies: csv, vtp, obj (default: all three) or none"},
    {"picture", OPTION_FLAG, offsetof(run_settings, picture), NULL, "draw each frame as a PNG in DIR/pictures"},
    {"surface", OPTION_FLAG, offsetof(run_settings, surface), NULL, "mesh each frame's surface in DIR/surface"},
    {"surface-format", OPTION_TEXT, offsetof(run_settings, surface_format), "LIST",
     "of the meshes: ply (default), obj, vtp, glb, or several"},
    {"snapshot-every", OPTION_TEXT, offsetof(run_settings, scene.snapshot_every), "T",
     "simulated time between snapshots"},
    {"resume", OPTION_TEXT, offsetof(run_settings, resume), "FILE", "go on from a snapshot, bit for bit"},
    {"json", OPTION_FLAG, offsetof(run_settings, json), NULL, "print one JSON object at the end"},
    {"quiet", OPTION_FLAG, offsetof(run_settings, quiet), NULL, "no progress and no summary"},
};

const command run_command = {
    .name = "run",
    .operands = "SCENE",
    .summary = "simulate a scene",
    .about = "SCENE is a name from 'rill scenes' or a scene file. Without --out nothing is written: the run is\n"
             "made and summarised. With --out DIR:\n"
             "  DIR/frames/frame_00000.vtp  one file for each frame, particles in id order\n"
             "  DIR/SCENE.pvd               the series of them, for ParaView\n"
             "  DIR/gauges.csv, stats.csv   a row for each frame\n"
             "  DIR/bodies.csv              motion of every body, a row for each body and frame\n"
             "  DIR/bodies/frame_00000.vtp  surfaces of bodies and solids, and DIR/bodies.pvd, their series\n"
             "  DIR/bodies/1_NAME.obj       each body once, in its own frame\n"
             "  DIR/scene.json              the scene with every value, as it was run\n"
             "  DIR/shapes.json             shapes and camera: what pictures and surfaces of the frames need\n"
             "  DIR/snapshot.rill           the latest good state; --resume goes on from it\n"
             "  DIR/pictures/               with --picture\n"
             "  DIR/surface/                with --surface\n"
             "An earlier run's frames in DIR are replaced. Ctrl-C finishes the step, saves and says how to go on;\n"
             "a second Ctrl-C kills. Exit codes: 0 done, 1 failed, 2 wrong command line, 3 blew up, 130 Ctrl-C.\n",
    .examples = "  rill run dam_break_2d\n"
                "  rill run dam_break_2d --out out/dam --picture --time '500 ms'\n"
                "  rill run dam_break_2d --method {method} --set fluids.water.viscosity='1 cP' --json\n"
                "  rill run my_scene.json --dt '0.2 ms' --fps 100 --out out/mine --format vtp,ply\n"
                "  rill run dam_break_2d --out out/dam --resume out/dam/snapshot.rill --time 5\n",
    .options = run_options,
    .option_count = sizeof run_options / sizeof run_options[0],
    .operands_min = 1,
    .operands_max = 1,
    .settings_size = sizeof(run_settings),
    .run = run_scene,
};

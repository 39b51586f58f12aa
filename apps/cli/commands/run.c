/* SPDX-License-Identifier: MIT */
/* rill run: runs a scene and stores its frames in a folder. */
#include "apps/cli/commands/command.h"
#include "apps/cli/options/scene_options.h"
#include "apps/cli/run/interrupt.h"
#include "apps/cli/run/progress.h"
#include "apps/cli/run/report.h"
#include "apps/cli/run/resume.h"
#include "run/formats.h"
#include "run/surface_output.h"

#include <string.h>

typedef struct run_settings {
    scene_options scene;
    const char *out, *format, *bodies, *resume;
    const char *surface_format;
    bool overwrite, picture, surface, json, quiet;
} run_settings;

typedef struct run_job {
    const run_settings *settings;
    const command_call *call;
    scene *scene;
    run *run;
    progress progress;
} run_job;

/* ---- the end of a run ---- */

static void explain_end(const run_job *job, run_outcome outcome) {
    if (outcome == RILL_RUN_DONE) return;
    fprintf(stderr, "rill run: %s\n", rill_run_message(job->run));
    const char *snapshot = rill_run_snapshot(job->run);
    if (!snapshot) {
        if (!job->settings->out) fprintf(stderr, "nothing was saved: there was no --out\n");
        return;
    }
    if (outcome == RILL_RUN_BLEW_UP) {
        fprintf(stderr, "the last good snapshot is %s: look at it with 'rill picture', or resume with a shorter --dt\n",
                snapshot);
        return;
    }
    fprintf(stderr, "continue from the last snapshot with\n");
    resume_print_command(stderr, job->call->argc, job->call->argv, snapshot);
}

static int report_end(const run_job *job, run_outcome outcome) {
    run_report report = {
        .scene = job->scene->name,
        .run = job->run,
        .out = job->settings->out,
        .error = outcome == RILL_RUN_DONE          ? NULL
                 : outcome == RILL_RUN_INTERRUPTED ? "interrupted"
                                                   : rill_run_message(job->run),
    };
    explain_end(job, outcome);
    if (job->settings->json) {
        report_json(&report, stdout);
    } else if (!job->settings->quiet && (outcome == RILL_RUN_DONE || outcome == RILL_RUN_INTERRUPTED)) {
        report_text(&report, stdout);
    }
    static const int codes[] = {EXIT_FINE, EXIT_INTERRUPTED, EXIT_FAILED, EXIT_BLOW_UP};
    return codes[outcome];
}

/* ---- options ---- */

static const char *surface_formats(const run_settings *settings) {
    if (settings->surface_format) return settings->surface_format;
    return settings->surface ? "ply" : NULL;
}

static bool is_right(const char *option_name, rill_status status, const rill_error *error) {
    if (status != RILL_OK) fprintf(stderr, "rill run: --%s: %s\n", option_name, error->text);
    return status == RILL_OK;
}

static bool check_formats(const run_settings *settings) {
    bool chosen[RUN_FORMATS_MAX];
    surface_output output = {0};
    rill_error error = {0};
    rill_status status = RILL_OK;
    if (settings->format) status = rill_run_read_formats(settings->format, RUN_FRAME_FORMATS, chosen, &error);
    if (!is_right("format", status, &error)) return false;
    if (settings->bodies) status = rill_run_read_formats(settings->bodies, RUN_BODY_FORMATS, chosen, &error);
    if (!is_right("bodies", status, &error)) return false;
    if (settings->surface_format) status = rill_surface_output_formats(&output, settings->surface_format, &error);
    return is_right("surface-format", status, &error);
}

static bool check_settings(const run_settings *settings) {
    if (!check_formats(settings)) return false;
    const char *needs_out = settings->overwrite                                         ? "overwrite"
                            : settings->picture                                         ? "picture"
                            : surface_formats(settings)                                 ? "surface"
                            : settings->scene.snapshot_every                            ? "snapshot-every"
                            : settings->format && strcmp(settings->format, "none") != 0 ? "format"
                            : settings->bodies && strcmp(settings->bodies, "none") != 0 ? "bodies"
                                                                                        : NULL;
    if (!settings->out && needs_out) {
        fprintf(stderr, "rill run: --%s needs a folder to write to: --out DIR\n", needs_out);
        return false;
    }
    return true;
}

static bool make_run(run_job *job) {
    const run_settings *settings = job->settings;
    const run_observer shown = progress_observer(&job->progress);
    const rill_run_def def = {.folder = settings->out,
                              .overwrite = settings->overwrite,
                              .resume = settings->resume,
                              .frames = settings->format,
                              .bodies = settings->bodies,
                              .surfaces = surface_formats(settings),
                              .pictures = settings->picture,
                              .observers = &shown,
                              .observer_count = 1,
                              .asked_to_stop = interrupt_stops_run};
    rill_error error = {0};
    if (job->scene->run.settle > 0 && !settings->resume && !settings->quiet)
        fprintf(stderr, "the fluid settles for %g s of simulated time first\n", (double)job->scene->run.settle);
    job->run = rill_run_create(job->scene, &def, &error);
    if (!job->run) {
        fprintf(stderr, "rill run: %s\n", error.text);
        return false;
    }
    const rill_run_state state = rill_run_progress(job->run);
    job->progress = progress_of_run(settings->quiet, job->scene, state.time, state.end);
    if (settings->resume && state.finished) {
        fprintf(stderr,
                "rill run: the snapshot is at t = %g s and the run ends at %g s: nothing to do; give a longer --time "
                "to continue\n",
                state.time, state.end);
    }
    return true;
}

static int run_scene(const command_call *call) {
    run_job job = {.settings = call->settings, .call = call};
    int code;
    if (!check_settings(job.settings)) return EXIT_USAGE;
    job.scene = scene_options_load("run", call->operands[0], &job.settings->scene, &code);
    if (!job.scene) return code;
    code = EXIT_FAILED;
    if (make_run(&job)) {
        interrupt_watch();
        code = report_end(&job, rill_run_all(job.run));
    }
    rill_run_destroy(job.run);
    rill_scene_free(job.scene);
    return code;
}

static const option run_options[] = {
    SCENE_OPTION_ROWS(run_settings),
    {"out", OPTION_TEXT, offsetof(run_settings, out), "DIR", "write frames, tables and snapshots here"},
    {"overwrite", OPTION_FLAG, offsetof(run_settings, overwrite), NULL, "replace the run that DIR holds"},
    {"format", OPTION_TEXT, offsetof(run_settings, format), "LIST",
     "format of frames: vtp (default), ply, vtp,ply or none"},
    {"bodies", OPTION_TEXT, offsetof(run_settings, bodies), "LIST",
     "files of bodies: csv, vtp, obj (default: all three) or none"},
    {"picture", OPTION_FLAG, offsetof(run_settings, picture), NULL, "draw each frame as a PNG in DIR/pictures"},
    {"surface", OPTION_FLAG, offsetof(run_settings, surface), NULL, "mesh each frame's surface in DIR/surface"},
    {"surface-format", OPTION_TEXT, offsetof(run_settings, surface_format), "LIST",
     "format of the meshes: ply (default), obj, vtp, glb, or several"},
    {"snapshot-every", OPTION_TEXT, offsetof(run_settings, scene.snapshot_every), "T",
     "simulated time between snapshots"},
    {"resume", OPTION_TEXT, offsetof(run_settings, resume), "FILE", "resume from a snapshot, bit for bit"},
    {"json", OPTION_FLAG, offsetof(run_settings, json), NULL, "print one JSON object at the end"},
    {"quiet", OPTION_FLAG, offsetof(run_settings, quiet), NULL, "print no progress and no summary"},
};

const command run_command = {
    .name = "run",
    .operands = "SCENE",
    .summary = "simulate a scene",
    .about =
        "SCENE is a name from 'rill scenes' or a scene file. Without --out the scene is only run and\n"
        "summarised. With --out DIR:\n"
        "  DIR/frames/frame_00000.vtp  one file for each frame, particles in id order\n"
        "  DIR/SCENE.pvd               the list of these files, for ParaView\n"
        "  DIR/gauges.csv, stats.csv   a row for each frame\n"
        "  DIR/residuals.csv           residual after each iteration, for methods that iterate\n"
        "  DIR/bodies.csv              motion of every body, a row for each body and frame\n"
        "  DIR/bodies/frame_00000.vtp  surfaces of bodies and solids, listed in DIR/bodies.pvd\n"
        "  DIR/bodies/1_NAME.obj       each body once, in its own frame\n"
        "  DIR/scene.json              the scene as it was run, with every value\n"
        "  DIR/run.json                contents of the folder: scene, method, state, frames, files\n"
        "  DIR/shapes.json             shapes and camera, for pictures and surfaces of the frames\n"
        "  DIR/snapshot.rill           the latest good state, from which --resume continues\n"
        "  DIR/pictures/               with --picture\n"
        "  DIR/surface/                with --surface\n"
        "A DIR that already holds a run is refused without --overwrite or --resume. A file that no run has written\n"
        "is never replaced.\n"
        "Ctrl-C finishes the step, saves a snapshot and prints how to resume; a second Ctrl-C stops at once.\n"
        "Exit codes: 0 done, 1 failed, 2 wrong command line, 3 blew up, 130 Ctrl-C.\n",
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

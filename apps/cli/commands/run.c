/* SPDX-License-Identifier: MIT */
/* rill run: a scene stepped frame by frame into a folder. */
#include "apps/cli/commands/command.h"
#include "apps/cli/options/scene_options.h"
#include "apps/cli/run/interrupt.h"
#include "apps/cli/run/progress.h"
#include "apps/cli/run/report.h"
#include "apps/cli/run/resume.h"
#include "apps/cli/run/run_pictures.h"
#include "run/folder.h"
#include "run/resume.h"

#include <string.h>

typedef struct run_settings {
    scene_options scene;
    const char *out, *format, *bodies, *resume;
    const char *surface_format;
    bool overwrite, picture, surface, json, quiet;
} run_settings;

enum { OBSERVERS_MAX = 9 };

typedef struct run_job {
    const run_settings *settings;
    const command_call *call;
    scene *scene;
    run run;
    run_folder folder;
    run_tables tables;
    run_frames frames;
    run_bodies bodies;
    run_surfaces surfaces;
    run_pictures pictures;
    run_snapshots snapshots;
    progress progress;
    run_observer observers[OBSERVERS_MAX];
} run_job;

/* ---- who looks on ---- */

static void add(run_job *job, run_observer observer) {
    job->observers[job->run.observer_count++] = observer;
}

/* In the order that run/folder.h asks for. */
static void add_output(run_job *job) {
    const run_folder *folder = &job->folder;
    job->folder = (run_folder){job->settings->out, job->scene, .overwrite = job->settings->overwrite};
    job->tables.folder = job->frames.folder = job->bodies.folder = folder;
    job->surfaces.folder = job->pictures.folder = job->snapshots.folder = folder;
    add(job, rill_run_folder_observer(&job->folder));
    add(job, rill_run_tables_observer(&job->tables));
    add(job, rill_run_frames_observer(&job->frames));
    add(job, rill_run_bodies_observer(&job->bodies));
    if (job->settings->surface || job->settings->surface_format) add(job, rill_run_surfaces_observer(&job->surfaces));
    if (job->settings->picture) add(job, run_pictures_observer(&job->pictures));
    add(job, rill_run_snapshots_observer(&job->snapshots));
    add(job, rill_run_folder_end_observer(&job->folder));
}

static void add_observers(run_job *job) {
    if (job->settings->out) add_output(job);
    job->progress =
        progress_of_run(job->settings->quiet, job->scene, rill_world_stats(job->run.world)->time, job->run.plan.end);
    add(job, progress_observer(&job->progress));
    job->run.observers = job->observers;
}

/* ---- how it ended ---- */

static void explain_end(const run_job *job, run_outcome outcome) {
    if (outcome == RUN_DONE) return;
    fprintf(stderr, "rill run: %s\n", job->run.error.text);
    if (!job->snapshots.saved) {
        if (!job->settings->out) fprintf(stderr, "nothing was saved: there was no --out\n");
        return;
    }
    if (outcome == RUN_BLEW_UP) {
        fprintf(stderr, "the last good snapshot is %s: look at it with 'rill picture', or resume with a shorter --dt\n",
                job->snapshots.path);
        return;
    }
    fprintf(stderr, "continue from the last snapshot with\n");
    resume_print_command(stderr, job->call->argc, job->call->argv, job->snapshots.path);
}

static int report_end(const run_job *job, run_outcome outcome) {
    run_report report = {
        .scene = job->scene->name,
        .run = &job->run,
        .out = job->settings->out,
        .error = outcome == RUN_DONE          ? NULL
                 : outcome == RUN_INTERRUPTED ? "interrupted"
                                              : job->run.error.text,
    };
    explain_end(job, outcome);
    if (job->settings->json) {
        report_json(&report, stdout);
    } else if (!job->settings->quiet && (outcome == RUN_DONE || outcome == RUN_INTERRUPTED)) {
        report_text(&report, stdout);
    }
    static const int codes[] = {EXIT_FINE, EXIT_INTERRUPTED, EXIT_FAILED, EXIT_BLOW_UP};
    return codes[outcome];
}

/* ---- what is asked for ---- */

/* A list of words such as "vtp,ply", each of which switches something on, or "none". */
typedef struct format_word {
    const char *word;
    bool *chosen;
} format_word;

static bool read_words(const char *option_name, const char *text, const format_word *words, int count) {
    if (strcmp(text, "none") == 0) return true;
    for (;;) {
        const size_t length = strcspn(text, ",");
        bool known = false;
        for (int k = 0; k < count; k++) {
            if (strlen(words[k].word) != length || strncmp(words[k].word, text, length) != 0) continue;
            *words[k].chosen = known = true;
        }
        if (!known) {
            fprintf(stderr, "rill run: --%s: '%.*s' is not one of ", option_name, (int)length, text);
            for (int k = 0; k < count; k++) fprintf(stderr, "%s, ", words[k].word);
            fprintf(stderr, "none\n");
            return false;
        }
        if (!text[length]) return true;
        text += length + 1;
    }
}

static bool read_formats(run_job *job) {
    const run_settings *settings = job->settings;
    const format_word frames[] = {{"vtp", &job->frames.vtp}, {"ply", &job->frames.ply}};
    const format_word bodies[] = {{"csv", &job->bodies.csv}, {"vtp", &job->bodies.vtp}, {"obj", &job->bodies.obj}};
    rill_error error;
    if (!read_words("format", settings->format ? settings->format : "vtp", frames, 2)) return false;
    if (!read_words("bodies", settings->bodies ? settings->bodies : "csv,vtp,obj", bodies, 3)) return false;
    const char *surfaces = settings->surface_format ? settings->surface_format : "ply";
    if (rill_surface_output_formats(&job->surfaces.output, surfaces, &error) == RILL_OK) return true;
    fprintf(stderr, "rill run: --surface-format: %s\n", error.text);
    return false;
}

static bool check_settings(run_job *job) {
    const run_settings *settings = job->settings;
    if (!read_formats(job)) return false;
    const char *needs_out = settings->overwrite                                         ? "overwrite"
                            : settings->picture                                         ? "picture"
                            : settings->surface || settings->surface_format             ? "surface"
                            : settings->scene.snapshot_every                            ? "snapshot-every"
                            : settings->format && (job->frames.vtp || job->frames.ply)  ? "format"
                            : settings->bodies && strcmp(settings->bodies, "none") != 0 ? "bodies"
                                                                                        : NULL;
    if (!settings->out && needs_out) {
        fprintf(stderr, "rill run: --%s needs a folder to write to: --out DIR\n", needs_out);
        return false;
    }
    return true;
}

static bool make_world(run_job *job) {
    const char *resume = job->settings->resume;
    run *r = &job->run;
    r->world =
        resume ? rill_run_resume(resume, job->scene, &r->error) : rill_scene_build(job->scene, -1, -1, &r->error);
    if (!r->world) {
        fprintf(stderr, "rill run: %s\n", r->error.text);
        return false;
    }
    const double time = rill_world_stats(r->world)->time;
    r->resumed = resume != NULL;
    if (resume && rill_run_plan_finished(&r->plan, time)) {
        fprintf(stderr,
                "rill run: the snapshot is at t = %g s and the run ends at %g s: nothing to do; give a longer "
                "--time to go on\n",
                time, r->plan.end);
    }
    return true;
}

static int run_scene(const command_call *call) {
    run_job job = {.settings = call->settings, .call = call, .run = {.asked_to_stop = interrupt_stops_run}};
    int code;
    if (!check_settings(&job)) return EXIT_USAGE;
    job.scene = scene_options_load("run", call->operands[0], &job.settings->scene, &code);
    if (!job.scene) return code;
    job.run.plan = rill_run_plan_make(&job.scene->run);
    code = EXIT_FAILED;
    if (make_world(&job)) {
        interrupt_watch();
        add_observers(&job);
        code = report_end(&job, rill_run_all(&job.run));
    }
    rill_world_destroy(job.run.world);
    rill_scene_free(job.scene);
    return code;
}

static const option run_options[] = {
    SCENE_OPTION_ROWS(run_settings),
    {"out", OPTION_TEXT, offsetof(run_settings, out), "DIR", "write frames, tables and snapshots here"},
    {"overwrite", OPTION_FLAG, offsetof(run_settings, overwrite), NULL, "replace the run that DIR holds"},
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
             "  DIR/run.json                what the folder holds: scene, method, state, frames, files\n"
             "  DIR/shapes.json             shapes and camera: what pictures and surfaces of the frames need\n"
             "  DIR/snapshot.rill           the latest good state; --resume goes on from it\n"
             "  DIR/pictures/               with --picture\n"
             "  DIR/surface/                with --surface\n"
             "A DIR that holds a run is refused without --overwrite or --resume, and so are files of others.\n"
             "Ctrl-C finishes the step, saves and says how to go on; a second Ctrl-C kills.\n"
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

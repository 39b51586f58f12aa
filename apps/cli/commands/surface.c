/* SPDX-License-Identifier: MIT */
/* rill surface: meshes of a run's frames, of one frame or snapshot, or of a scene at some time. */
#include "apps/cli/commands/command.h"
#include "apps/cli/run/interrupt.h"
#include "apps/cli/run/progress.h"
#include "apps/cli/show/frames.h"
#include "apps/cli/show/input.h"
#include "apps/cli/show/mesh_colors.h"
#include "core/error.h"
#include "run/surface_output.h"

#include <string.h>

#define NO_SOLIDS "the fluid will not end at solids"

typedef struct surface_settings {
    scene_options scene;
    const char *out, *format, *field, *cell, *smoothing, *color, *range[2];
    bool quiet;
} surface_settings;

typedef struct surface_job {
    const surface_settings *settings;
    input input;
    rill_frame frame; /* the frame to be meshed */
    rill_surface_def def;
    surface_output output;
    mesh_colors colors;
    progress progress;
    int skipped; /* frames that could not be read */
    rill_error error;
} surface_job;

static rill_status set_row(rill_surface_def *def, const char *key, const char *text, rill_error *error) {
    if (!text) return RILL_OK;
    return rill_param_set_text(rill_table_find(rill_surface_table(), key), def, text, error);
}

/* The scene's definition, or the default, changed by the options. */
static rill_status choose_def(surface_job *job) {
    const surface_settings *settings = job->settings;
    job->def = job->input.scene ? job->input.scene->surface : rill_surface_def_default();
    TRY(set_row(&job->def, "field", settings->field, &job->error));
    TRY(set_row(&job->def, "cell", settings->cell, &job->error));
    TRY(set_row(&job->def, "smoothing", settings->smoothing, &job->error));
    return set_row(&job->def, "workers", settings->scene.threads, &job->error);
}

/* Checks what does not depend on the input: a mistake is one of the command line. */
static rill_status read_words(surface_job *job) {
    const surface_settings *settings = job->settings;
    TRY(choose_def(job));
    TRY(mesh_colors_choose(&job->colors, settings->color, settings->range, &job->error));
    return rill_surface_output_formats(&job->output, settings->format ? settings->format : "ply", &job->error);
}

static rill_status open_output(surface_job *job, const char *folder) {
    TRY(choose_def(job));
    const char *out = job->settings->out ? job->settings->out : folder;
    return rill_surface_output_open(&job->output, out, &job->def, &job->error);
}

static rill_status mesh_particles(surface_job *job, rill_frame *frame, const char *name) {
    const rill_vec *colors;
    if (frame->count == 0 && !(frame->spacing > 0.0f)) frame->spacing = 1.0f;
    if (!(frame->spacing > 0.0f))
        return rill_fail(&job->error, RILL_FORMAT, "%s: the file does not contain the particles' spacing", name);
    TRY(mesh_colors_make(&job->colors, frame, &colors, &job->error));
    return rill_surface_of_frame(job->output.surface, frame, colors, &job->output.mesh, &job->error);
}

/* Writes a mesh and reports it. */
static rill_status write_mesh(surface_job *job, const char *name, double time) {
    const rill_surface_mesh *mesh = &job->output.mesh;
    if (mesh->left_out > 0)
        fprintf(stderr, "rill surface: %s: %d particles whose positions are not finite were left out\n", name,
                mesh->left_out);
    rill_status status = rill_surface_output_write(&job->output, name, time, &job->error);
    if (status != RILL_OK || job->settings->quiet) return status;
    printf("%s/%s: %d %s, %.6g m^3\n", job->output.folder, name, mesh->element_count,
           mesh->dim == 3 ? "triangles" : "segments", mesh->volume);
    return RILL_OK;
}

/* A damaged frame is skipped. */
static rill_status mesh_frame(surface_job *job, const frame_list *list, int index) {
    const char *file = list->entries[index]->d_name;
    char name[256];
    if (frames_read(list, index, &job->input.run.common, &job->frame, &job->error) != RILL_OK) {
        fprintf(stderr, "rill surface: %s; skipped\n", job->error.text);
        job->skipped++;
        return RILL_OK;
    }
    snprintf(name, sizeof name, "%.*s", (int)(strrchr(file, '.') - file), file);
    const rill_status status = mesh_particles(job, &job->frame, file);
    return status == RILL_OK ? write_mesh(job, name, job->frame.time) : status;
}

static rill_status mesh_folder(void *self, const char *folder) {
    surface_job *job = self;
    char out[1100];
    frame_list list;
    input_find(&job->input, folder, NO_SOLIDS);
    rill_status status = frames_list(folder, &list, &job->error);
    if (status != RILL_OK) return status;
    snprintf(out, sizeof out, "%s/surface", folder);
    status = open_output(job, out);
    for (int f = 0; status == RILL_OK && f < list.count; f++) {
        char detail[64];
        if (interrupt_asked()) status = rill_fail(&job->error, RILL_LIMIT, "interrupted after %d frames", f);
        if (status == RILL_OK) status = mesh_frame(job, &list, f);
        snprintf(detail, sizeof detail, "%d elements", job->output.mesh.element_count);
        progress_work(&job->progress, "surface", f + 1, list.count, detail);
    }
    frames_free(&list);
    return status;
}

/* The folder 'surface' beside a file. */
static void name_folder(const char *path, char *folder, size_t size) {
    snprintf(folder, size, "%.*ssurface", (int)(frames_file_name(path) - path), path);
}

static rill_status mesh_file(void *self, const char *path) {
    surface_job *job = self;
    char folder[1100], name[256];
    const char *file = frames_file_name(path), *dot = strrchr(file, '.');
    input_find_near(&job->input, path, NO_SOLIDS);
    rill_status status = rill_io_read_frame(path, &job->input.run.common, &job->frame, &job->error);
    if (status != RILL_OK) return status;
    snprintf(name, sizeof name, "%.*s", dot ? (int)(dot - file) : (int)strlen(file), file);
    name_folder(path, folder, sizeof folder);
    status = open_output(job, folder);
    if (status == RILL_OK) status = mesh_particles(job, &job->frame, path);
    if (status == RILL_OK) status = write_mesh(job, name, job->frame.time);
    return status;
}

/* Meshes a world with its bodies in their places. */
static rill_status mesh_world(void *self, const char *path) {
    surface_job *job = self;
    char folder[1100];
    name_folder(path, folder, sizeof folder);
    rill_status status = open_output(job, folder);
    if (status == RILL_OK) status = input_frame(&job->input, &job->frame, &job->error);
    if (status == RILL_OK) status = mesh_particles(job, &job->frame, path);
    if (status == RILL_OK)
        status = write_mesh(job, job->input.scene ? job->input.scene->name : "snapshot", job->frame.time);
    return status;
}

static int run_surface(const command_call *call) {
    surface_job job = {.input = {.command = "surface"}, .settings = call->settings};
    const input_work work = {mesh_folder, mesh_file, mesh_world, &job};
    if (read_words(&job) != RILL_OK) {
        fprintf(stderr, "rill surface: %s\n", job.error.text);
        return EXIT_USAGE;
    }
    job.progress = progress_start(job.settings->quiet);
    int code = input_use(&job.input, call->operands[0], &job.settings->scene, job.settings->quiet, &work, &job.error);
    progress_stop(&job.progress);
    if (rill_surface_output_close(&job.output, &job.error) != RILL_OK && code == EXIT_FINE) {
        fprintf(stderr, "rill surface: %s\n", job.error.text);
        code = EXIT_FAILED;
    }
    mesh_colors_free(&job.colors);
    rill_frame_free(&job.frame);
    input_close(&job.input);
    return code == EXIT_FINE && job.skipped ? EXIT_FAILED : code;
}

static const option surface_options[] = {
    {"out", OPTION_TEXT, offsetof(surface_settings, out), "DIR", "folder for the meshes"},
    {"format", OPTION_TEXT, offsetof(surface_settings, format), "LIST", "ply (default), obj, vtp, glb, or several"},
    {"field", OPTION_TEXT, offsetof(surface_settings, field), "F", "distance, density or anisotropic"},
    {"cell", OPTION_TEXT, offsetof(surface_settings, cell), "C", "edge of the grid's cells, in particle spacings"},
    {"smoothing", OPTION_TEXT, offsetof(surface_settings, smoothing), "N", "rounds of smoothing"},
    {"color", OPTION_TEXT, offsetof(surface_settings, color), "WHAT", "colour of vertices: speed, density or pressure"},
    {"range", OPTION_PAIR, offsetof(surface_settings, range), "A B", "values at the two ends of the colour scale"},
    {"quiet", OPTION_FLAG, offsetof(surface_settings, quiet), NULL, "print no progress and no list of meshes"},
    SCENE_OPTION_ROWS(surface_settings),
};

const command surface_command = {
    .name = "surface",
    .operands = "DIR|FILE|SCENE",
    .summary = "mesh the surface of the fluid",
    .about =
        "DIR is the folder of a run: each frame gives a mesh in DIR/surface. FILE is a frame or a snapshot: its mesh\n"
        "is written to the folder 'surface' beside it. SCENE gives a mesh of its beginning, or of its state at\n"
        "--time. Meshes are closed triangle meshes in 3D and closed lines in 2D, with normals, velocities and\n"
        "fluids:\n"
        "  ply  binary, vx vy vz for motion blur     vtp  for ParaView, with surface.pvd as the series\n"
        "  obj  text, for everything else            glb  binary glTF 2.0\n"
        "--color also gives vertices colours, from 0 to the largest value in the frame unless --range is given.\n"
        "Options take precedence over the scene's section 'surface' ('rill params surface'). The fluid ends at\n"
        "solids. Frames that cannot be read are skipped with a message, and the exit code is then 1.\n",
    .examples = "  rill surface out/dam\n"
                "  rill surface out/dam --format vtp,obj --field density --cell 0.4\n"
                "  rill surface out/dam --color speed --range 0 '3 m/s'\n"
                "  rill surface dam_break_3d --time '300 ms' --out out/mesh --format glb\n",
    .options = surface_options,
    .option_count = sizeof surface_options / sizeof surface_options[0],
    .operands_min = 1,
    .operands_max = 1,
    .settings_size = sizeof(surface_settings),
    .run = run_surface,
};

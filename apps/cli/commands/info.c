/* SPDX-License-Identifier: MIT */
/* rill info: the contents of a file. */
#include "apps/cli/commands/command.h"
#include "apps/cli/show/file_kind.h"
#include "apps/cli/show/mesh_facts.h"
#include "core/error.h"
#include "io/io.h"
#include "io/json.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct info_settings {
    bool json;
} info_settings;

/* Writes facts as JSON or as aligned lines. */
typedef struct info_writer {
    bool as_json;
    json json;
} info_writer;

static void put_text(info_writer *w, const char *key, const char *value) {
    if (w->as_json) {
        rill_json_text(&w->json, key, value);
    } else {
        printf("  %-14s %s\n", key, value);
    }
}

static void put_integer(info_writer *w, const char *key, int64_t value) {
    if (w->as_json) {
        rill_json_integer(&w->json, key, value);
    } else {
        printf("  %-14s %" PRId64 "\n", key, value);
    }
}

static void put_number(info_writer *w, const char *key, double value, const char *unit) {
    if (w->as_json) {
        rill_json_number(&w->json, key, value);
    } else {
        printf("  %-14s %.9g%s%s\n", key, value, unit[0] ? " " : "", unit);
    }
}

static void put_numbers(info_writer *w, const char *key, const double *values, int count, const char *unit) {
    if (w->as_json) {
        rill_json_array(&w->json, key);
        for (int i = 0; i < count; i++) rill_json_number(&w->json, NULL, values[i]);
        rill_json_end_array(&w->json);
        return;
    }
    printf("  %-14s", key);
    for (int i = 0; i < count; i++) printf(" %.6g", values[i]);
    printf(" %s\n", unit);
}

static void put_bool(info_writer *w, const char *key, bool value) {
    if (w->as_json) {
        rill_json_bool(&w->json, key, value);
    } else {
        printf("  %-14s %s\n", key, value ? "yes" : "no");
    }
}

static void put_range(info_writer *w, const rill_frame *frame, const rill_view *field) {
    double range[2] = {HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < frame->count; i++) {
        range[0] = fmin(range[0], (double)rill_frame_number(frame, field, i));
        range[1] = fmax(range[1], (double)rill_frame_number(frame, field, i));
    }
    put_numbers(w, field->name, range, 2, field->unit);
}

static void put_particles(info_writer *w, const rill_frame *p) {
    const rill_view *position = rill_frame_field(p, "position"), *velocity = rill_frame_field(p, "velocity");
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, speed = 0;
    for (int i = 0; i < p->count; i++) {
        const rill_vec x = rill_frame_vec(p, position, i), v = rill_frame_vec(p, velocity, i);
        const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
        speed = fmax(speed, sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z)));
    }
    put_integer(w, "dim", p->dim);
    put_integer(w, "particles", p->count);
    if (p->time >= 0) put_number(w, "time", p->time, "s");
    if (p->spacing > 0) put_number(w, "spacing", (double)p->spacing, "m");
    if (p->count == 0) return;
    const int dim = p->dim == 2 ? 2 : 3;
    put_numbers(w, "min", low, dim, "m");
    put_numbers(w, "max", high, dim, "m");
    put_number(w, "max_speed", speed, "m/s");
    for (int f = 0; f < p->field_count; f++)
        if (p->field[f].scalar == RILL_SCALAR_FLOAT && p->field[f].components == 1) put_range(w, p, &p->field[f]);
}

static rill_status describe_frame(info_writer *w, const char *path, const char *format, rill_error *error) {
    rill_frame frame = {0};
    TRY(rill_io_read_frame(path, NULL, &frame, error));
    put_text(w, "format", format);
    put_particles(w, &frame);
    rill_frame_free(&frame);
    return RILL_OK;
}

static void put_fields(info_writer *w, const rill_world *world) {
    char names[500] = "";
    for (int k = 0; k < rill_world_view_count(world); k++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "", rill_world_view_at(world, k).name);
    }
    put_text(w, "fields", names);
}

static rill_status describe_snapshot(info_writer *w, const char *path, rill_error *error) {
    rill_world *world = rill_io_load_snapshot(path, NULL, error);
    rill_frame frame = {0};
    if (!world) return RILL_FORMAT;
    const rill_status status = rill_frame_of_world(&frame, world, error);
    if (status == RILL_OK) {
        char hash[24];
        snprintf(hash, sizeof hash, "%016" PRIx64, rill_world_hash(world));
        put_text(w, "format", "rill snapshot");
        put_text(w, "method", rill_world_method(world)->name);
        put_integer(w, "step", rill_world_stats(world)->step);
        put_particles(w, &frame);
        put_number(w, "support", (double)rill_world_support(world), "m");
        put_integer(w, "fluids", rill_world_fluid_count(world));
        put_integer(w, "solids", rill_world_solid_count(world));
        put_integer(w, "bodies", rill_world_body_count(world));
        put_integer(w, "joints", rill_world_joint_count(world));
        put_integer(w, "gauges", rill_world_gauge_count(world));
        put_fields(w, world);
        put_text(w, "state_hash", hash);
    }
    rill_frame_free(&frame);
    rill_world_destroy(world);
    return status;
}

static rill_status describe_scene(info_writer *w, const char *name, rill_error *error) {
    scene *s = rill_scene_load(name, error);
    if (!s) return RILL_FORMAT;
    put_text(w, "format", "rill scene");
    put_text(w, "path", s->path);
    put_text(w, "name", s->name);
    if (s->about) put_text(w, "about", s->about);
    put_text(w, "method", s->world.method);
    put_integer(w, "dim", s->world.dim);
    put_number(w, "spacing", (double)s->world.spacing, "m");
    put_number(w, "time", (double)s->run.time, "s");
    put_number(w, "fps", (double)s->run.fps, "1/s");
    put_integer(w, "fluids", s->fluid_count);
    put_integer(w, "blocks", s->block_count);
    put_integer(w, "solids", s->solid_count);
    put_integer(w, "emitters", s->emitter_count);
    put_integer(w, "sinks", s->sink_count);
    put_integer(w, "gauges", s->gauge_count);
    rill_scene_free(s);
    return RILL_OK;
}

static rill_status describe_mesh(info_writer *w, const char *path, rill_error *error) {
    mesh_facts facts;
    char hint[200];
    TRY(mesh_facts_read(path, &facts, error));
    double size[3];
    for (int axis = 0; axis < 3; axis++) size[axis] = facts.high[axis] - facts.low[axis];
    mesh_facts_unit_hint(&facts, hint, sizeof hint);
    put_text(w, "format", facts.format);
    put_integer(w, "vertices", facts.vertices);
    put_integer(w, "distinct", facts.distinct);
    put_integer(w, "triangles", facts.triangles);
    put_integer(w, "degenerate", facts.report.degenerate);
    put_integer(w, "repeated", facts.report.repeated);
    put_numbers(w, "min", facts.low, 3, "m");
    put_numbers(w, "max", facts.high, 3, "m");
    put_numbers(w, "size", size, 3, "m");
    put_bool(w, "closed", facts.report.closed);
    put_integer(w, "open_edges", facts.report.open_edges);
    put_integer(w, "nonmanifold", facts.report.non_manifold_edges);
    put_integer(w, "parts", facts.report.patches);
    put_text(w, "orientation", facts.orientation);
    put_number(w, "area", facts.area, "m^2");
    if (facts.report.closed) put_number(w, "volume", facts.volume, "m^3");
    if (hint[0]) put_text(w, "unit_hint", hint);
    return RILL_OK;
}

static rill_status describe(info_writer *w, const char *path, rill_error *error) {
    if (is_mesh_file(path)) return describe_mesh(w, path, error);
    switch (file_kind_of(path)) {
    case FILE_VTP:
        return describe_frame(w, path, "VTK PolyData (vtp)", error);
    case FILE_PLY:
        return describe_frame(w, path, "PLY", error);
    case FILE_SNAPSHOT:
        return describe_snapshot(w, path, error);
    default:
        return describe_scene(w, path, error);
    }
}

static int run_info(const command_call *call) {
    const info_settings *settings = call->settings;
    const char *path = call->operands[0];
    if (file_kind_of(path) == FILE_FOLDER) {
        fprintf(stderr, "rill info: %s is a folder; give a file in it: %s/snapshot.rill, %s/scene.json or a frame\n",
                path, path, path);
        return EXIT_FAILED;
    }
    rill_error error = {RILL_OK, ""};
    info_writer writer = {.as_json = settings->json, .json = {.out = stdout}};
    if (settings->json) {
        rill_json_object(&writer.json, NULL);
    } else {
        printf("%s\n", path);
    }
    rill_status status = describe(&writer, path, &error);
    if (status != RILL_OK && settings->json) rill_json_text(&writer.json, "error", error.text);
    if (settings->json) rill_json_end_object(&writer.json);
    if (status == RILL_OK) return EXIT_FINE;
    fprintf(stderr, "rill info: %s\n", error.text);
    return EXIT_FAILED;
}

static const option info_options[] = {
    {"json", OPTION_FLAG, offsetof(info_settings, json), NULL, "print one JSON object"},
};

const command info_command = {
    .name = "info",
    .operands = "FILE",
    .summary = "describe a snapshot, a frame, a scene or a mesh",
    .about =
        "FILE is a snapshot (.rill), a frame (.vtp, .ply), a scene, or a mesh (.obj, .ply, .stl, .off). The kind of\n"
        "a file is recognised by its content. For a mesh it prints the size in metres, whether the mesh is closed\n"
        "(open_edges have one triangle, nonmanifold ones more than two), its parts, its orientation, area and "
        "volume.\n",
    .examples = "  rill info dam_break_2d\n"
                "  rill info out/dam/snapshot.rill\n"
                "  rill info out/dam/frames/frame_00010.vtp --json\n"
                "  rill info rock.obj\n",
    .options = info_options,
    .option_count = sizeof info_options / sizeof info_options[0],
    .operands_min = 1,
    .operands_max = 1,
    .settings_size = sizeof(info_settings),
    .run = run_info,
};

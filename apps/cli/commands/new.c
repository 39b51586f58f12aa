/* SPDX-License-Identifier: MIT */
/* rill new: a commented scene to start from. */
#include "apps/cli/commands/command.h"
#include "apps/cli/run/resume.h"
#include "core/error.h"
#include "io/io.h"
#include "rill/rill.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct new_settings {
    bool plane, space;
    const char *method;
} new_settings;

/* Lines of the scene that differ between 2D and 3D. */
typedef struct new_texts {
    int dim;
    const char *spacing, *corner, *block, *tank, *front, *along, *level, *up;
} new_texts;

static const new_texts in_plane = {2,        "2 cm",     "[0, 0]", "[0.4, 0.8]", "[1.6, 1.2]", "[0, \"1 cm\"]",
                                   "[1, 0]", "[0.2, 0]", "[0, 1]"};
static const new_texts in_space = {
    3,           "4 cm",          "[0, 0, 0]", "[0.4, 0.4, 0.8]", "[1.6, 0.4, 1.2]", "[0, 0.2, \"2 cm\"]",
    "[1, 0, 0]", "[0.2, 0.2, 0]", "[0, 0, 1]"};

static void write_text(FILE *out, const new_texts *t, const char *method) {
    fprintf(
        out,
        "{\n"
        "  // Lengths are metres unless a unit says otherwise: 0.02, \"2 cm\". 'rill params' lists every key.\n"
        "  \"about\": \"A column of water collapses in a tank\",\n"
        "  \"dim\": %d,\n"
        "  \"method\": \"%s\", // 'rill methods' lists the others; --method takes another one\n"
        "  \"world\": { \"spacing\": \"%s\" }, // distance of particles: half of it costs %s times as much\n"
        "  \"run\": { \"time\": \"2 s\", \"fps\": 30 },\n"
        "  \"fluids\": [ { \"name\": \"water\", \"material\": \"water\" } ],\n"
        "  // Sides that are multiples of the spacing fill up to the last particle.\n"
        "  \"blocks\": [ { \"fluid\": \"water\", \"shape\": \"box\", \"min\": %s, \"max\": %s } ],\n"
        "  // 'inside': the fluid is in the box, not around it.\n"
        "  \"solids\": [ { \"name\": \"tank\", \"shape\": \"box\", \"min\": %s, \"max\": %s, \"inside\": true } ],\n",
        t->dim, method, t->spacing, t->dim == 2 ? "8" : "16", t->corner, t->block, t->corner, t->tank);
    fprintf(out,
            "  // Measured in every frame, and written to gauges.csv.\n"
            "  \"gauges\": [\n"
            "    { \"name\": \"front\", \"kind\": \"front\", \"position\": %s, \"direction\": %s, \"length\": 1.6 },\n"
            "    { \"name\": \"level\", \"kind\": \"height\", \"position\": %s, \"direction\": %s, \"length\": 1.2 },\n"
            "    { \"name\": \"push\", \"kind\": \"force\", \"solid\": \"tank\" }\n"
            "  ]\n"
            "}\n",
            t->front, t->along, t->level, t->up);
}

static rill_status write_new(const char *path, const new_texts *texts, const char *method, rill_error *error) {
    io_file file;
    if (access(path, F_OK) == 0)
        return rill_fail(error, RILL_INVALID, "%s exists and will not be replaced; give another name", path);
    TRY(rill_io_open(&file, path, error));
    write_text(file.stream, texts, method);
    return rill_io_commit(&file, error);
}

static int run_new(const command_call *call) {
    const new_settings *settings = call->settings;
    const char *name = call->operand_count ? call->operands[0] : "scene";
    const char *method = settings->method ? settings->method : rill_method(0)->name;
    const size_t length = strlen(name);
    char path[1024];
    rill_error error;
    if (settings->plane && settings->space) {
        fprintf(stderr, "rill new: a scene is either --2d or --3d\n");
        return EXIT_USAGE;
    }
    if (!rill_method_find(method)) {
        fprintf(stderr, "rill new: --method %s: there is no such method ('rill methods' lists them)\n", method);
        return EXIT_USAGE;
    }
    if (length > 900) {
        fprintf(stderr, "rill new: the name has %zu characters; expected at most 900\n", length);
        return EXIT_USAGE;
    }
    const bool ends = length > 5 && strcmp(name + length - 5, ".json") == 0;
    snprintf(path, sizeof path, "%.900s%s", name, ends ? "" : ".json");
    if (write_new(path, settings->space ? &in_space : &in_plane, method, &error) != RILL_OK) {
        fprintf(stderr, "rill new: %s\n", error.text);
        return EXIT_FAILED;
    }
    printf("%s: try\n  rill check ", path);
    resume_print_word(stdout, path);
    printf("\n  rill run ");
    resume_print_word(stdout, path);
    printf(" --out out/first --picture\n");
    return EXIT_FINE;
}

static const option new_options[] = {
    {"2d", OPTION_FLAG, offsetof(new_settings, plane), NULL, "a scene in 2D (default)"},
    {"3d", OPTION_FLAG, offsetof(new_settings, space), NULL, "a scene in 3D"},
    {"method", OPTION_TEXT, offsetof(new_settings, method), "M", "method of the scene"},
};

const command new_command = {
    .name = "new",
    .operands = "[NAME]",
    .summary = "write a scene to start from",
    .about = "Writes NAME.json (scene.json): a column of water in a tank, with gauges and comments. An existing\n"
             "file is not replaced.\n",
    .examples = "  rill new\n"
                "  rill new my_tank --3d --method {method}\n",
    .options = new_options,
    .option_count = sizeof new_options / sizeof new_options[0],
    .operands_max = 1,
    .settings_size = sizeof(new_settings),
    .run = run_new,
};

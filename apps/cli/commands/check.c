/* SPDX-License-Identifier: MIT */
/* rill check: size and cost of a scene, and what looks wrong in it. */
#include "apps/cli/check/examine.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/options/scene_options.h"
#include "io/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Duration of the trial. */
#define TRIAL "2 s"

typedef struct check_settings {
    scene_options scene;
    const char *trial;
    bool json;
} check_settings;

/* Meshes: what was read, and what had to be repaired. */
static void print_meshes(const check_world *check) {
    for (int k = 0; check->world && k < rill_world_solid_count(check->world); k++) {
        rill_solid_info i;
        const rill_solid_id id = rill_world_solid_at(check->world, k);
        if (rill_world_solid_info(check->world, id, &i) != RILL_OK || !(i.cell > 0)) continue;
        printf("  solid      '%s': %.3g m^3, distance field of %.3g mm cells, %.1f MB\n",
               rill_world_solid_def(check->world, id)->name, i.volume, 1e3 * (double)i.cell, 1e-6 * (double)i.bytes);
        if (i.degenerate + i.flipped + i.open_edges + i.buried > 0)
            printf("             repaired: %d triangles without area left out, %d turned over, %d open edges closed "
                   "with %d "
                   "triangles, %d buried triangles not counted\n",
                   i.degenerate, i.flipped, i.open_edges, i.patched, i.buried);
    }
}

/* Rounded to the precision of an estimate. */
static void print_duration(double seconds) {
    if (seconds < 60)
        printf("%.2g s", seconds);
    else if (seconds < 3600)
        printf("%.0f min", seconds / 60);
    else
        printf("%.*f h", seconds < 36000 ? 1 : 0, seconds / 3600);
}

static void print_text(const check_world *check, const check_estimate *e, const findings *f) {
    const scene *s = check->scene;
    printf("%s, %s, %dD: spacing %g m", s->name, s->world.method, (int)s->world.dim, (double)s->world.spacing);
    if (e->support > 0) printf(", support %g m", e->support);
    printf("\n");
    if (check->world) {
        printf("  particles  %d", e->particles);
        if (e->particles_end > e->particles) printf(" at the start, at most about %.0f at the end", e->particles_end);
        const int64_t left_out = rill_world_stats(check->world)->left_out;
        if (left_out > 0) printf(", %" PRId64 " more left out where solids are", left_out);
        printf("\n  frames     %" PRId64 " in %g s\n", e->frames, check->plan->end);
    }
    if (e->bytes > 0) printf("  memory     %.1f MB\n", 1e-6 * e->bytes);
    if (e->steps > 0) {
        const bool long_bound = e->dt_bound >= 1;
        printf("  steps      about %.0f of %.3g ms (stable up to %.3g %s)\n", e->steps, 1e3 * e->dt,
               long_bound ? e->dt_bound : 1e3 * e->dt_bound, long_bound ? "s" : "ms");
        printf("  time       about ");
        print_duration(e->seconds);
        printf(" on %d thread%s, judged by the first %.3g s of it\n", e->threads, e->threads == 1 ? "" : "s", e->tried);
    }
    print_meshes(check);
    static const char *const words[] = {"note", "warning", "error"};
    for (int i = 0; i < f->count; i++) printf("%s: %s\n", words[f->items[i].kind], f->items[i].text);
    if (f->errors + f->warnings == 0) printf("nothing looks wrong\n");
}

static void print_findings(json *j, const char *key, const findings *f, finding_kind kind) {
    rill_json_array(j, key);
    for (int i = 0; i < f->count; i++) {
        if (f->items[i].kind == kind) rill_json_text(j, NULL, f->items[i].text);
    }
    rill_json_end_array(j);
}

static void print_json(const check_world *check, const check_estimate *e, const findings *f) {
    json writer = {.out = stdout}, *j = &writer;
    rill_json_object(j, NULL);
    rill_json_text(j, "scene", check->scene->name);
    rill_json_text(j, "method", check->scene->world.method);
    rill_json_integer(j, "dim", check->scene->world.dim);
    rill_json_number(j, "spacing", (double)check->scene->world.spacing);
    rill_json_number(j, "support", e->support);
    rill_json_integer(j, "particles", e->particles);
    rill_json_number(j, "particles_end", floor(e->particles_end));
    rill_json_integer(j, "left_out", check->world ? rill_world_stats(check->world)->left_out : 0);
    rill_json_number(j, "time", check->plan->end);
    rill_json_integer(j, "frames", e->frames);
    rill_json_number(j, "bytes", e->bytes);
    rill_json_number(j, "dt", e->dt);
    rill_json_number(j, "dt_bound", e->dt_bound);
    rill_json_number(j, "steps", e->steps);
    rill_json_number(j, "seconds", e->seconds);
    rill_json_number(j, "processor_seconds", e->processor);
    print_findings(j, "errors", f, FINDING_ERROR);
    print_findings(j, "warnings", f, FINDING_WARNING);
    print_findings(j, "notes", f, FINDING_NOTE);
    rill_json_end_object(j);
}

static int run_check(const command_call *call) {
    const check_settings *settings = call->settings;
    int code;
    double limit;
    rill_error error;
    if (rill_parse_number(settings->trial ? settings->trial : TRIAL, RILL_TIME, &limit, &error) != RILL_OK ||
        !(limit >= 0)) {
        fprintf(stderr, "rill check: --trial %s: expected a time, such as '2 s'\n", settings->trial);
        return EXIT_USAGE;
    }
    scene *s = scene_options_load("check", call->operands[0], &settings->scene, &code);
    if (!s) return code;
    run_plan plan = rill_run_plan_make(&s->run);
    check_world check = {.scene = s, .plan = &plan};
    findings f = {0};
    check_estimate estimate = check_examine(&check, limit, &f);
    if (settings->json) {
        print_json(&check, &estimate, &f);
    } else {
        print_text(&check, &estimate, &f);
    }
    code = f.errors ? EXIT_FAILED : EXIT_FINE;
    findings_free(&f);
    check_world_free(&check);
    rill_scene_free(s);
    return code;
}

static const option check_options[] = {
    SCENE_OPTION_ROWS(check_settings),
    {"trial", OPTION_TEXT, offsetof(check_settings, trial), "T",
     "how long to try the scene: '2 s'; up to four times that on a busy machine"},
    {"json", OPTION_FLAG, offsetof(check_settings, json), NULL, "print one JSON object"},
};

const command check_command = {
    .name = "check",
    .operands = "SCENE",
    .summary = "look for mistakes in a scene and estimate its cost",
    .about = "Reads the scene, builds its world and runs its beginning to estimate particles, memory, steps and time.\n"
             "Warns of blocks that overlap, fluid inside solids, solids thinner than the support, steps that are too\n"
             "long, runs without frames, emitters inside solids, periods that do not fit, settings that do nothing,\n"
             "and the like.\n"
             "Exit codes: 0 the scene will run (with or without warnings), 1 it will not.\n",
    .examples = "  rill check dam_break_2d\n"
                "  rill check my_scene.json --dt '0.1 ms' --set world.spacing='2 cm'\n"
                "  rill check dam_break_3d --method {method} --json\n",
    .options = check_options,
    .option_count = sizeof check_options / sizeof check_options[0],
    .operands_min = 1,
    .operands_max = 1,
    .settings_size = sizeof(check_settings),
    .run = run_check,
};

/* SPDX-License-Identifier: MIT */
/* Loads a scene and applies the changes of the command line, by the tables that also read scene files. */
#include "apps/cli/options/scene_options.h"

#include "core/error.h"
#include "io/mesh_file.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool set_from_table(const char *command_name, const char *option_name, const rill_table *table, const char *key,
                           void *object, const char *text) {
    if (!text) return true;
    rill_error error = {RILL_OK, ""};
    const rill_param *param = rill_table_find(table, key);
    if (param && rill_param_set_text(param, object, text, &error) == RILL_OK) return true;
    fprintf(stderr, "rill %s: --%s %s: %s\n", command_name, option_name, text, error.text);
    return false;
}

static bool apply(const char *command_name, scene *s, const scene_options *o) {
    rill_error error = {RILL_OK, ""};
    if (o->method && rill_scene_use_method(s, o->method, &error) != RILL_OK) {
        fprintf(stderr, "rill %s: --method %s: %s\n", command_name, o->method, error.text);
        return false;
    }
    for (int i = 0; i < o->sets.count; i++) {
        if (rill_scene_sets_variable(o->sets.items[i])) continue; /* was applied while the scene was read */
        if (rill_scene_set(s, o->sets.items[i], &error) != RILL_OK) {
            fprintf(stderr, "rill %s: %s\n", command_name, error.text); /* names the option and the key */
            return false;
        }
    }
    const rill_table *run = rill_scene_run_table(), *world = rill_object_table(RILL_OBJECT_WORLD);
    return set_from_table(command_name, "time", run, "time", &s->run, o->time) &&
           set_from_table(command_name, "fps", run, "fps", &s->run, o->fps) &&
           set_from_table(command_name, "dt", run, "dt", &s->run, o->dt) &&
           set_from_table(command_name, "snapshot-every", run, "snapshot_every", &s->run, o->snapshot_every) &&
           set_from_table(command_name, "threads", world, "workers", &s->world, o->threads) &&
           set_from_table(command_name, "simd", world, "simd", &s->world, o->simd);
}

bool scene_options_unused(const char *command_name, const char *stored, const scene_options *o) {
    const char *used = o->method       ? "method"
                       : o->sets.count ? "set"
                       : o->time       ? "time"
                       : o->fps        ? "fps"
                       : o->dt         ? "dt"
                                       : NULL;
    if (!used) return true;
    fprintf(stderr, "rill %s: --%s is for scenes; %s has already been simulated\n", command_name, used, stored);
    return false;
}

rill_status scene_options_methods(const char *list, rill_error *error) {
    for (const char *at = list; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
        char name[RILL_NAME_SIZE];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        if (!rill_method_find(name))
            return rill_fail(error, RILL_INVALID, "--methods: unknown method '%s'; 'rill methods' lists them", name);
    }
    return RILL_OK;
}

/* Each step adds half a unit in the last place to the error of the time: beyond this many steps frames would drift. */
#define STEPS_MAX 1e10

/* Refuses a step that rounds to 0 as a float: 0 means adaptive steps. */
static bool check_step(const char *command_name, const scene *s, const scene_options *o) {
    double wanted = (double)s->run.dt;
    if (o->dt) (void)rill_parse_number(o->dt, RILL_TIME, &wanted, NULL);
    const double shortest = fmax((double)s->run.time / STEPS_MAX, (double)FLT_MIN);
    if (wanted == 0.0 || wanted >= shortest) return true;
    fprintf(stderr,
            "rill %s: %s: steps of %g s are too short for a run of %g s; expected 0 for adaptive steps, or at least "
            "%.3g s\n",
            command_name, o->dt ? "--dt" : "run.dt", wanted, (double)s->run.time, shortest);
    return false;
}

scene *scene_options_load(const char *command_name, const char *scene_name, const scene_options *options, int *code) {
    rill_error error = {RILL_OK, ""};
    *code = EXIT_FAILED;
    scene *s = rill_scene_load_with(scene_name, (scene_sets){options->sets.items, options->sets.count}, &error);
    if (!s) {
        if (error.status == RILL_INVALID) *code = EXIT_USAGE;
        fprintf(stderr, "rill %s: %s\n", command_name, error.text);
        return NULL;
    }
    s->world.cache = rill_io_cache(NULL);
    if (!apply(command_name, s, options)) {
        *code = EXIT_USAGE;
        rill_scene_free(s);
        return NULL;
    }
    if (!check_step(command_name, s, options)) {
        *code = options->dt ? EXIT_USAGE : EXIT_FAILED;
        rill_scene_free(s);
        return NULL;
    }
    *code = EXIT_FINE;
    return s;
}

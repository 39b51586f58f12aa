/* SPDX-License-Identifier: MIT */
/* What the validation tests share. */
#include "validation/validation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static rill_world *build(scene *s, const char *const *settings, rill_error *error) {
    if (!s) fail_msg("%s", error->text);
    for (int k = 0; settings && settings[k]; k++)
        if (scene_set(s, settings[k], error) != RILL_OK) fail_msg("%s", error->text);
    rill_world *world = scene_build(s, -1, -1, error);
    scene_free(s);
    if (!world) fail_msg("%s", error->text);
    return world;
}

rill_world *validation_build(const char *name, const char *const *settings) {
    rill_error error;
    return build(scene_load(name, &error), settings, &error);
}

rill_world *validation_build_with(const char *name, const char *method, const char *const *settings) {
    rill_error error;
    scene *s = scene_load(name, &error);
    if (s && scene_use_method(s, method, &error) != RILL_OK) fail_msg("%s", error.text);
    return build(s, settings, &error);
}

rill_world *validation_build_text(const char *text) {
    rill_error error;
    return build(scene_parse("test", text, strlen(text), &error), NULL, &error);
}

void validation_run_to(rill_world *world, double time) {
    const double left = time - rill_world_stats(world)->time;
    if (left > 0 && rill_world_advance(world, left) != RILL_OK) fail_msg("%s", rill_world_message(world));
}

void validation_run_fixed(rill_world *world, double dt, double time) {
    while (rill_world_stats(world)->time < time - 0.5 * dt)
        if (rill_world_step(world, dt) != RILL_OK) fail_msg("%s", rill_world_message(world));
}

double validation_gauge(rill_world *world, const char *name, int component) {
    for (int k = 0; k < rill_world_gauge_count(world); k++) {
        if (strcmp(rill_world_gauge(world, k)->name, name) != 0) continue;
        rill_reading reading;
        if (rill_world_read_gauge_at(world, k, &reading) != RILL_OK) fail_msg("%s", rill_world_message(world));
        return reading.value[component];
    }
    fail_msg("no gauge '%s'", name);
    return 0;
}

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
        if (rill_scene_set(s, settings[k], error) != RILL_OK) fail_msg("%s", error->text);
    rill_world *world = rill_scene_build(s, -1, -1, error);
    rill_scene_free(s);
    if (!world) fail_msg("%s", error->text);
    return world;
}

rill_world *validation_build(const char *name, const char *const *settings) {
    rill_error error;
    return build(rill_scene_load(name, &error), settings, &error);
}

rill_world *validation_build_with(const char *name, const char *method, const char *const *settings) {
    rill_error error;
    scene *s = rill_scene_load(name, &error);
    if (s && rill_scene_use_method(s, method, &error) != RILL_OK) fail_msg("%s", error.text);
    return build(s, settings, &error);
}

rill_world *validation_build_text(const char *text) {
    rill_error error;
    return build(rill_scene_parse("test", text, strlen(text), &error), NULL, &error);
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
        if (strcmp(rill_world_gauge_def(world, rill_world_gauge_at(world, k))->name, name) != 0) continue;
        rill_reading reading;
        if (rill_world_read_gauge(world, rill_world_gauge_at(world, k), &reading) != RILL_OK)
            fail_msg("%s", rill_world_message(world));
        return reading.value[component];
    }
    fail_msg("no gauge '%s'", name);
    return 0;
}

double validation_mean(rill_world *world, const char *name, double seconds) {
    double sum = 0;
    const double start = rill_world_stats(world)->time;
    for (int k = 1; k <= 20; k++) {
        validation_run_to(world, start + seconds * k / 20);
        sum += validation_gauge(world, name, 0) / 20;
    }
    return sum;
}

rill_body_state validation_body(rill_world *world, const char *name) {
    rill_body_state s;
    if (rill_world_body_state(world, rill_world_find_body(world, name), &s) != RILL_OK)
        fail_msg("%s", rill_world_message(world));
    return s;
}

/* A block flies into a drop, without gravity or walls: momentum that one loses the other gains. */
static const char collision[] =
    "{\"dim\": 2, \"world\": {\"spacing\": 0.02, \"gravity\": [0, 0]}, \"fluids\": [{\"name\": \"water\"}],"
    "\"blocks\": [{\"shape\": \"sphere\", \"position\": [0.5, 0], \"radius\": 0.3}],"
    "\"bodies\": [{\"name\": \"block\", \"shape\": \"box\", \"min\": [-0.1, -0.1], \"max\": [0.1, 0.15], "
    "\"density\": 700, \"velocity\": [1.5, 0.2]}],"
    "\"gauges\": [{\"name\": \"fluid\", \"kind\": \"momentum\"}]}";

void validation_collide(const char *method, const char *const *settings, double dt) {
    rill_error error;
    scene *s = rill_scene_parse("collision", collision, strlen(collision), &error);
    if (s && rill_scene_use_method(s, method, &error) != RILL_OK) fail_msg("%s", error.text);
    rill_world *world = build(s, settings, &error);
    const rill_body_state before = validation_body(world, "block");
    if (dt > 0)
        validation_run_fixed(world, dt, 0.5);
    else
        validation_run_to(world, 0.5);
    const rill_body_state after = validation_body(world, "block");
    const double fluid[2] = {validation_gauge(world, "fluid", 0), validation_gauge(world, "fluid", 1)};
    const double mass = (double)before.mass, total = mass * 1.5;
    const double x = fluid[0] + mass * (double)(after.velocity.x - before.velocity.x);
    const double y = fluid[1] + mass * (double)(after.velocity.y - before.velocity.y);
    print_message("%s: the fluid got (%.4f, %.4f) N s; unaccounted for: (%.1e, %.1e) of %.1f N s\n", method, fluid[0],
                  fluid[1], x, y, total);
    assert_true(fluid[0] > 0.2 * total || fluid[0] < -0.2 * total); /* it did hit */
    assert_true(x < 1e-5 * total && x > -1e-5 * total && y < 1e-5 * total && y > -1e-5 * total);
    rill_world_destroy(world);
}

/* SPDX-License-Identifier: MIT */
/* Cloths for tests, in a world of the method that is tested. */
#ifndef RILL_TEST_CLOTHS_H
#define RILL_TEST_CLOTHS_H

#include "unit/worlds.h"

#include <math.h>

#define GRAVITY 9.81

static const char *cloth_method;

TEST_FN rill_world *make_world(int dim, float spacing, int workers) {
    rill_world_def def = small_def(dim, cloth_method);
    def.spacing = spacing, def.workers = workers;
    rill_world *w = create(&def);
    ok(w, rill_world_set_text(w, rill_ref_method(), "substeps", "1"));
    return w;
}

TEST_FN rill_cloth_def sheet_def(rill_vec position, rill_vec a, rill_vec b) {
    rill_cloth_def def = rill_cloth_def_default();
    def.position = position, def.edge_a = a, def.edge_b = b;
    return def;
}

TEST_FN rill_cloth_id add_cloth(rill_world *w, const rill_cloth_def *def) {
    rill_cloth_id id;
    ok(w, rill_world_add_cloth(w, def, &id));
    return id;
}

/* The half-space below z = 0. */
TEST_FN rill_solid_id add_floor(rill_world *w) {
    rill_solid_def floor = rill_solid_def_default();
    floor.shape.kind = RILL_HALF_SPACE, floor.shape.normal = (rill_vec){0, 0, 1};
    rill_solid_id id;
    ok(w, rill_world_add_solid(w, &floor, &id));
    return id;
}

TEST_FN rill_pin_id add_pin(rill_world *w, rill_vec min, rill_vec max) {
    rill_pin_def def = rill_pin_def_default();
    def.min = min, def.max = max;
    rill_pin_id id;
    ok(w, rill_world_add_pin(w, &def, &id));
    return id;
}

/* Length of the steps that a world takes. */
TEST_FN double step_of(const rill_world *w) {
    const double dt = rill_world_stats(w)->dt;
    return dt > 0 ? dt : 0.004;
}

TEST_FN rill_reading read_cloth(rill_world *w, rill_gauge_kind kind, rill_cloth_id cloth, rill_pin_id pin) {
    rill_gauge_def def = rill_gauge_def_default();
    def.kind = (int32_t)kind, def.cloth = cloth, def.pin = pin, def.window = 0;
    rill_gauge_id id;
    ok(w, rill_world_add_gauge(w, &def, &id));
    if (kind == RILL_GAUGE_PIN_FORCE) ok(w, rill_world_step(w, step_of(w)));
    rill_reading reading;
    ok(w, rill_world_read_gauge(w, id, &reading));
    ok(w, rill_world_remove_gauge(w, id));
    return reading;
}

TEST_FN double read_one(rill_world *w, rill_gauge_kind kind, rill_cloth_id cloth) {
    return read_cloth(w, kind, cloth, (rill_pin_id){0}).value[0];
}

TEST_FN void run(rill_world *w, double dt, int steps) {
    for (int k = 0; k < steps; k++) ok(w, rill_world_step(w, dt));
}

/* The program's argument is the method to test. */
TEST_FN void choose_cloth_method(int argc, char **argv) {
    if (argc != 2) fail_msg("usage: %s METHOD", argv[0]);
    cloth_method = argv[1];
}

#endif

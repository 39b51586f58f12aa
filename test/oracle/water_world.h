/* SPDX-License-Identifier: MIT */
/* A world with water for tests of parts of the simulation. */
#ifndef RILL_TEST_WATER_WORLD_H
#define RILL_TEST_WATER_WORLD_H

#include "oracle/check.h"
#include "rill/rill.h"

static inline rill_world *water_world(const rill_world_def *def, rill_fluid_id *fluid) {
    rill_error error = {0};
    rill_world *w = rill_world_create(def, &error);
    if (!w) fail_msg("%s", error.text);
    const rill_fluid_def water = rill_fluid_def_default();
    assert_int_equal(rill_world_add_fluid(w, &water, fluid), RILL_OK);
    return w;
}

/* A world for tests of walls, with one worker and portable C. */
static inline rill_world *wall_test_world(int dim, float spacing) {
    rill_world_def def = rill_world_def_default(dim);
    def.spacing = spacing, def.wall_distance = 0.5f, def.workers = 1, def.simd = RILL_SIMD_SCALAR;
    return water_world(&def, NULL);
}

#endif

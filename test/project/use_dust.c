/* SPDX-License-Identifier: MIT */
/* Uses the method that test_recipe.py added: a grain falls as it should in 2D and 3D, and lands on the floor. */
#include "rill/rill.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void expect(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "does not hold: %s\n", what);
    failures++;
}

/* One grain ten metres above a floor. */
static rill_world *make_world(int dim) {
    rill_world_def def = rill_world_def_default(dim);
    strcpy(def.method, "dust");
    def.spacing = 0.01f;
    def.gravity = (rill_vec){0.0f, -9.81f, 0.0f};
    rill_error error = {0};
    rill_world *world = rill_world_create(&def, &error);
    if (!world) {
        fprintf(stderr, "%s\n", error.text);
        return NULL;
    }
    rill_fluid_def sand = rill_fluid_def_default();
    rill_fluid_id id = {0};
    expect(rill_world_add_fluid(world, &sand, &id) == RILL_OK, "the fluid is added");
    rill_solid_def floor = rill_solid_def_default();
    floor.shape.kind = RILL_HALF_SPACE;
    floor.shape.normal = (rill_vec){0.0f, 1.0f, 0.0f};
    expect(rill_world_add_solid(world, &floor, NULL) == RILL_OK, "the floor is added");
    const rill_vec start = {0.0f, 10.0f, 0.0f}, rest = {0.0f, 0.0f, 0.0f};
    expect(rill_world_add_particle(world, id, start, rest, NULL) == RILL_OK, "a grain is added");
    return world;
}

static double height(const rill_world *world) {
    rill_view view;
    if (rill_world_view(world, "position", &view) != RILL_OK || view.count != 1) return NAN;
    return (double)((const float *)view.data)[1];
}

static void fall(int dim) {
    rill_world *world = make_world(dim);
    if (!world) {
        failures++;
        return;
    }
    expect(rill_world_set_number(world, "drag", 2.0) == RILL_OK, "the parameter is known");
    for (int k = 0; k < 1000; k++) expect(rill_world_step(world, 1e-3) == RILL_OK, "a step is taken");

    /* v' = g - c v from rest: fallen g/c (t - (1 - exp(-c t))/c) after t, here 1 s. */
    const double g = 9.81, c = 2.0, fallen = g / c * (1.0 - (1.0 - exp(-c)) / c);
    printf("%dD: fallen %.4f m, exactly %.4f m\n", dim, 10.0 - height(world), fallen);
    expect(fabs(10.0 - height(world) - fallen) < 0.01, "it falls as drag and gravity have it");

    expect(rill_world_advance(world, 5.0) == RILL_OK, "it goes on with adaptive steps");
    expect(height(world) > -0.001 && height(world) < 0.02, "it lies on the floor");
    if (failures) fprintf(stderr, "height %g m, message '%s'\n", height(world), rill_world_message(world));
    rill_world_destroy(world);
}

int main(void) {
    const rill_method_info *info = rill_method_find("dust");
    expect(info != NULL, "the method is registered");
    expect(info && rill_table_find(info->table, "drag") != NULL, "its parameter has a row");
    fall(2);
    fall(3);
    return failures == 0 ? 0 : 1;
}

/* SPDX-License-Identifier: MIT */
/* Uses the method that test_recipe.py added: a grain falls in 2D and 3D as drag and gravity demand, and lands on the
   floor. Parameters that the method adds to fluids, solids and bodies are set, read back, used and saved. */
#include "rill/rill.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void expect(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "does not hold: %s\n", what);
    failures++;
}

static void expect_text(const char *found, const char *wanted) {
    if (strcmp(found, wanted) == 0) return;
    fprintf(stderr, "found '%s', expected '%s'\n", found, wanted);
    failures++;
}

/* One grain ten metres above a floor. */
static rill_world *make_world(int dim) {
    rill_world_def def = rill_world_def_default(dim);
    strcpy(def.method, "dust");
    def.spacing = 0.01f;
    def.walls = RILL_WALLS_FIELD; /* which are made at once */
    def.gravity = (rill_vec){0.0f, -9.81f, 0.0f};
    rill_error error = {0};
    rill_world *world = rill_world_create(&def, &error);
    if (!world) {
        fprintf(stderr, "%s\n", error.text);
        return NULL;
    }
    rill_fluid_def sand = rill_fluid_def_default();
    strcpy(sand.name, "sand");
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
    expect(rill_world_set_number(world, rill_ref_method(), "drag", 0.5) == RILL_OK, "the parameter is known");
    expect(rill_world_set_number(world, rill_ref_fluid(rill_world_find_fluid(world, "sand")), "dust.lightness", 4.0) ==
               RILL_OK,
           "the fluid's parameter is known");
    for (int k = 0; k < 1000; k++) expect(rill_world_step(world, 1e-3) == RILL_OK, "a step is taken");

    /* v' = g - c v from rest: the distance fallen after t = 1 s is g/c (t - (1 - exp(-c t))/c). */
    const double g = 9.81, c = 2.0, fallen = g / c * (1.0 - (1.0 - exp(-c)) / c);
    printf("%dD: fallen %.4f m, exactly %.4f m\n", dim, 10.0 - height(world), fallen);
    expect(fabs(10.0 - height(world) - fallen) < 0.01, "it falls as drag and gravity have it");

    expect(rill_world_advance(world, 5.0) == RILL_OK, "it goes on with adaptive steps");
    expect(height(world) > -0.001 && height(world) < 0.02, "it lies on the floor");
    if (failures) fprintf(stderr, "height %g m, message '%s'\n", height(world), rill_world_message(world));
    rill_world_destroy(world);
}

/* A thin plate beside the path of the grain, as a wall or a body. */
static rill_shape plate(void) {
    rill_shape shape = rill_shape_default();
    shape.kind = RILL_BOX;
    shape.min = (rill_vec){-0.03f, -20.0f, -1.0f};
    shape.max = (rill_vec){-0.01f, 20.0f, 1.0f};
    return shape;
}

static rill_solid_id add_wall(rill_world *world, const char *name) {
    rill_solid_def wall = rill_solid_def_default();
    rill_solid_id id = {0};
    snprintf(wall.name, sizeof wall.name, "%s", name);
    wall.shape = plate();
    expect(rill_world_add_solid(world, &wall, &id) == RILL_OK, "a wall is added");
    return id;
}

static rill_body_id add_plate(rill_world *world) {
    rill_body_def body = rill_body_def_default();
    rill_body_id id = {0};
    snprintf(body.name, sizeof body.name, "plate");
    body.kind = RILL_BODY_FIXED;
    body.shape = plate();
    expect(rill_world_add_body(world, &body, &id) == RILL_OK, "a body is added");
    return id;
}

/* Along a surface with grip c a grain falls as with drag c. */
static void slide(int dim, bool along_body) {
    rill_world *world = make_world(dim);
    if (!world) {
        failures++;
        return;
    }
    expect(rill_world_set_number(world, rill_ref_method(), "drag", 0.0) == RILL_OK, "there is no air");
    if (along_body)
        expect(rill_world_set_text(world, rill_ref_body(add_plate(world)), "dust.grip", "120 1/min") == RILL_OK,
               "a body has grip");
    else
        expect(rill_world_set_text(world, rill_ref_solid(add_wall(world, "wall")), "dust.grip", "2 Hz") == RILL_OK,
               "a wall has grip");
    for (int k = 0; k < 1000; k++) expect(rill_world_step(world, 1e-3) == RILL_OK, "a step is taken");
    const double g = 9.81, c = 2.0, fallen = g / c * (1.0 - (1.0 - exp(-c)) / c);
    printf("%dD along a %s: fallen %.4f m, exactly %.4f m\n", dim, along_body ? "body" : "wall", 10.0 - height(world),
           fallen);
    expect(fabs(10.0 - height(world) - fallen) < 0.01, "it falls as grip and gravity have it");
    rill_world_destroy(world);
}

static const char *grip_of(const rill_world *world, rill_solid_id id) {
    static char text[32];
    return rill_world_get_text(world, rill_ref_solid(id), "dust.grip", text, sizeof text) == RILL_OK ? text : "none";
}

/* Every object keeps its own values while others are added and removed. */
static void values_stay_with_their_objects(void) {
    rill_world *world = make_world(2);
    rill_solid_id walls[40];
    for (int k = 0; k < 40; k++) {
        char name[16];
        snprintf(name, sizeof name, "wall%d", k);
        walls[k] = add_wall(world, name);
        expect_text(grip_of(world, walls[k]), "0");
        expect(rill_world_set_number(world, rill_ref_solid(walls[k]), "dust.grip", k + 1) == RILL_OK,
               "a wall has grip");
    }
    expect(rill_world_remove_solid(world, walls[7]) == RILL_OK, "a wall is removed");
    expect_text(grip_of(world, walls[7]), "none");
    expect_text(grip_of(world, walls[6]), "7");
    expect_text(grip_of(world, walls[39]), "40");
    expect_text(grip_of(world, add_wall(world, "another")), "0");

    char text[32] = "";
    rill_world_get_text(world, rill_ref_fluid(rill_world_find_fluid(world, "sand")), "dust.lightness", text,
                        sizeof text);
    expect_text(text, "1");

    /* The surface of a body is a solid, and both lead to one value. */
    const rill_body_id body = add_plate(world);
    expect(rill_world_set_number(world, rill_ref_body(body), "dust.grip", 0.25) == RILL_OK, "a body has grip");
    expect_text(grip_of(world, rill_world_find_solid(world, "plate")), "0.25");
    expect(rill_world_set_number(world, rill_ref_solid(rill_world_find_solid(world, "plate")), "dust.grip", 3) ==
               RILL_OK,
           "it has");
    expect(rill_world_get_text(world, rill_ref_body(body), "dust.grip", text, sizeof text) == RILL_OK,
           "a body's grip is read");
    expect_text(text, "3");
    rill_world_destroy(world);
}

static void refusals_say_why(void) {
    rill_world *world = make_world(2);
    const rill_fluid_id fluid = rill_world_find_fluid(world, "sand");
    const rill_solid_id wall = add_wall(world, "wall");
    expect(rill_world_set_number(world, rill_ref_fluid(fluid), "dust.lightnes", 2) == RILL_NOT_FOUND,
           "a misspelt key is refused");
    expect_text(rill_world_message(world), "dust has no parameter 'lightnes' of a fluid; did you mean 'lightness'?");
    expect(rill_world_set_text(world, rill_ref_solid(wall), "dust.grp", "2 Hz") == RILL_NOT_FOUND,
           "a misspelt key is refused");
    expect_text(rill_world_message(world), "dust has no parameter 'grp' of a solid; did you mean 'grip'?");
    expect(rill_world_set_text(world, rill_ref_solid(wall), "dust.grip", "2 kg") == RILL_INVALID,
           "a wrong unit is refused");
    expect(rill_world_set_number(world, rill_ref_solid(wall), "dust.grip", -1) == RILL_INVALID,
           "a number out of range is refused");
    expect_text(grip_of(world, wall), "0");
    expect(rill_world_set_number(world, rill_ref_body((rill_body_id){1, 1}), "dust.grip", 1) == RILL_NOT_FOUND,
           "no body, no grip");
    expect_text(rill_world_message(world), "body.dust.grip: no such body");
    rill_world_destroy(world);
}

typedef struct bytes {
    char *data;
    size_t size;
} bytes;

static bool append(const void *data, size_t size, void *context) {
    bytes *b = context;
    char *more = realloc(b->data, b->size + size + 1);
    if (!more) return false;
    if (size > 0) memcpy(more + b->size, data, size);
    b->data = more, b->size += size;
    return true;
}

/* A loaded world has the values, and continues like the first one. */
static void snapshots_have_the_values(int dim) {
    rill_world *world = make_world(dim);
    const rill_solid_id gone = add_wall(world, "gone"), wall = add_wall(world, "wall");
    rill_world_set_number(world, rill_ref_fluid(rill_world_find_fluid(world, "sand")), "dust.lightness", 3.5);
    rill_world_set_number(world, rill_ref_solid(gone), "dust.grip", 9);
    rill_world_set_number(world, rill_ref_solid(wall), "dust.grip", 0.75);
    rill_world_set_number(world, rill_ref_body(add_plate(world)), "dust.grip", 1.5);
    rill_world_remove_solid(world, gone);
    for (int k = 0; k < 10; k++) rill_world_step(world, 1e-3);
    bytes saved = {0};
    rill_error error = {0};
    expect(rill_world_save(world, append, &saved) == RILL_OK, "it is saved");
    rill_world *loaded = rill_world_load(saved.data, saved.size, NULL, &error);
    free(saved.data);
    expect_text(error.text, "");
    if (loaded) {
        char text[32] = "";
        rill_world_get_text(loaded, rill_ref_fluid(rill_world_find_fluid(loaded, "sand")), "dust.lightness", text,
                            sizeof text);
        expect_text(text, "3.5");
        expect_text(grip_of(loaded, wall), "0.75");
        expect_text(grip_of(loaded, rill_world_find_solid(loaded, "plate")), "1.5");
        expect_text(grip_of(loaded, add_wall(loaded, "in the free slot")), "0");
        add_wall(world, "in the free slot");
        for (int k = 0; k < 100; k++) rill_world_step(world, 1e-3), rill_world_step(loaded, 1e-3);
        expect(rill_world_hash(world) == rill_world_hash(loaded), "both go on alike");
    }
    rill_world_destroy(loaded);
    rill_world_destroy(world);
}

int main(void) {
    const rill_method_info *info = rill_method_find("dust");
    expect(info != NULL, "the method is registered");
    expect(info && rill_table_find(info->table, "drag") != NULL, "its parameter has a row");
    expect(info && rill_table_find(info->fluid_table, "lightness") != NULL, "a fluid's parameter has a row");
    expect(info && rill_table_find(info->solid_table, "grip") != NULL, "a solid's parameter has a row");
    for (int dim = 2; dim <= 3; dim++) {
        fall(dim);
        slide(dim, false);
        slide(dim, true);
        snapshots_have_the_values(dim);
    }
    values_stay_with_their_objects();
    refusals_say_why();
    return failures == 0 ? 0 : 1;
}

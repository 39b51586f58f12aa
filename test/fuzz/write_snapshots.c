/* SPDX-License-Identifier: MIT */
/* write_snapshots FOLDER: small snapshots with every kind of object in them, as seeds for the fuzzer. */
#include "rill/rill.h"

#include <stdio.h>
#include <stdlib.h>

static bool write_bytes(const void *data, size_t size, void *file) {
    return fwrite(data, 1, size, file) == size;
}

static void need(rill_status status, const rill_world *world) {
    if (!status) return;
    fprintf(stderr, "%s\n", rill_world_message(world));
    exit(1);
}

static void add_objects(rill_world *world, int dim) {
    rill_fluid_def water = rill_fluid_def_default();
    rill_solid_def tank = rill_solid_def_default(), plank = rill_solid_def_default();
    rill_emitter_def tap = rill_emitter_def_default();
    rill_sink_def drain = rill_sink_def_default();
    rill_gauge_def level = rill_gauge_def_default();
    rill_block_def block = rill_block_def_default();
    static const rill_vec corners[] = {{0.2f, 0, 0}, {0.4f, 0, 0}, {0.3f, 0.2f, 0}};
    tank.shape.inside = true;
    if (dim == 2) plank.shape.kind = RILL_POLYGON, plank.shape.points = (rill_points){corners, 3};
    if (dim == 3) plank.shape.kind = RILL_SPHERE;
    plank.motion.frequency = 1;
    plank.motion.amplitude.x = 0.1f;
    tap.position = (rill_vec){0.5f, 0.8f, dim == 3 ? 0.5f : 0};
    drain.shape.min = (rill_vec){0.8f, 0, 0};
    block.shape.min = (rill_vec){0.5f, 0, 0};
    block.shape.max = (rill_vec){0.9f, 0.4f, 0.4f};
    need(rill_world_add_fluid(world, &water, NULL), world);
    need(rill_world_add_solid(world, &tank, NULL), world);
    need(rill_world_add_solid(world, &plank, NULL), world);
    need(rill_world_add_emitter(world, &tap, NULL), world);
    need(rill_world_add_sink(world, &drain, NULL), world);
    need(rill_world_add_gauge(world, &level, NULL), world);
    need(rill_world_add_block(world, &block, NULL), world);
}

static void add_body(rill_world *world, const char *name, rill_shape shape) {
    rill_body_def def = rill_body_def_default();
    snprintf(def.name, sizeof def.name, "%s", name);
    def.shape = shape;
    need(rill_world_add_body(world, &def, NULL), world);
}

/* Two bodies that touch: a compound, and a box that is joined to the world. A third is removed, and its slot
   remains. */
static void add_bodies(rill_world *world, int dim) {
    rill_shape box = rill_shape_default(), pair = rill_shape_default();
    box.min = (rill_vec){0.1f, 0.5f, 0.1f}, box.max = (rill_vec){0.2f, 0.6f, 0.2f};
    rill_shape halves[2] = {box, box};
    halves[1].min.x = 0.2f, halves[1].max.x = 0.3f;
    pair.kind = RILL_COMPOUND, pair.parts = (rill_parts){halves, 2};
    add_body(world, "pair", pair);
    box.min.y = 0.38f, box.max.y = 0.501f;
    add_body(world, "box", box);
    box.min.x = 0.6f, box.max.x = 0.7f;
    add_body(world, "gone", box);
    need(rill_world_remove_body(world, rill_world_find_body(world, "gone")), world);
    rill_joint_def joint = rill_joint_def_default();
    joint.kind = RILL_JOINT_BALL, joint.anchor = (rill_vec){0.15f, 0.4f, dim == 3 ? 0.15f : 0};
    snprintf(joint.a_name, sizeof joint.a_name, "box");
    need(rill_world_add_joint(world, &joint, NULL), world);
}

static void write_one(const char *folder, int dim, int method) {
    char path[1024];
    rill_error error = {0};
    rill_world_def def = rill_world_def_default(dim);
    def.spacing = 0.1f;
    def.workers = 1;
    snprintf(def.method, sizeof def.method, "%s", rill_method(method)->name);
    snprintf(path, sizeof path, "%s/%s_%dd.rill", folder, def.method, dim);
    rill_world *world = rill_world_create(&def, &error);
    FILE *file = world ? fopen(path, "wb") : NULL;
    if (!file) {
        fprintf(stderr, "%s cannot be written: %s\n", path, error.text);
        exit(1);
    }
    add_objects(world, dim);
    add_bodies(world, dim);
    for (int step = 0; step < 3; step++) need(rill_world_step_adaptive(world, 0.01), world);
    need(rill_world_save(world, write_bytes, file), world);
    if (fclose(file)) exit(1);
    rill_world_destroy(world);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    for (int method = 0; method < rill_method_count(); method++)
        for (int dim = 2; dim <= 3; dim++) write_one(argv[1], dim, method);
    return 0;
}

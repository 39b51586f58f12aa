/* SPDX-License-Identifier: MIT */
/* A column of water collapses in a 2D tank. */
#include "rill/rill.h"

#include <stdio.h>

int main(void) {
    rill_world_def def = rill_world_def_default(2);
    def.spacing = 0.02f;
    rill_error error;
    rill_world *world = rill_world_create(&def, &error);
    if (!world) return fprintf(stderr, "%s\n", error.text), 1;

    rill_fluid_def water = rill_fluid_def_default();
    rill_world_add_fluid(world, &water, NULL);
    rill_solid_def tank = rill_solid_def_default();
    tank.shape.kind = RILL_BOX;
    tank.shape.max = (rill_vec){2.0f, 2.0f, 0.0f};
    tank.shape.inside = true;
    rill_world_add_solid(world, &tank, NULL);
    rill_block_def column = rill_block_def_default();
    column.shape.kind = RILL_BOX;
    column.shape.max = (rill_vec){0.5f, 1.0f, 0.0f};
    rill_world_add_block(world, &column, NULL);

    for (int frame = 0; frame < 10; frame++) {
        if (rill_world_advance(world, 0.1) != RILL_OK) return fprintf(stderr, "%s\n", rill_world_message(world)), 1;
        const rill_stats *stats = rill_world_stats(world);
        printf("%.1f s: %d particles, fastest %.2f m/s\n", stats->time, stats->particles, stats->max_speed);
    }
    rill_world_destroy(world);
    return 0;
}

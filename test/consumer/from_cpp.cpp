/* SPDX-License-Identifier: MIT */
/* The public headers compile as C++, and a world of the game preset steps one frame. */
#include <rill/game.h>
#include <rill/hosted.h>
#include <rill/io.h>
#include <rill/rill.h>
#include <rill/run.h>
#include <rill/scene.h>
#include <rill/surface.h>

#include <cstdio>
#include <memory>

struct destroyer {
    void operator()(rill_world *world) const { rill_world_destroy(world); }
};

int main() {
    const rill_world_def def = rill_world_def_game(2);
    std::unique_ptr<rill_world, destroyer> world(rill_world_create(&def, nullptr));
    if (!world) return 1;
    const rill_fluid_def water = rill_fluid_def_default();
    rill_block_def block = rill_block_def_default();
    block.shape.max = rill_vec{10 * def.spacing, 10 * def.spacing, 0};
    if (rill_world_add_fluid(world.get(), &water, nullptr) != RILL_OK ||
        rill_world_add_block(world.get(), &block, nullptr) != RILL_OK ||
        rill_world_advance(world.get(), 1.0 / 60) != RILL_OK) {
        std::fprintf(stderr, "%s\n", rill_world_message(world.get()));
        return 1;
    }
    std::printf("%d particles fell for a frame\n", rill_world_particle_count(world.get()));
    return rill_world_particle_count(world.get()) == 100 ? 0 : 1;
}

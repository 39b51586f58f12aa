/* SPDX-License-Identifier: MIT */
/* The loop of a game: water in a tank, a crate of Rill's own, and a crate of another engine, which is a few lines here.
 */
#include <rill/game.h>
#include <rill/hosted.h>
#include <rill/rill.h>
#include <stdio.h>

#define FRAME (1.0 / 60)

/* The body of an engine: it falls, and takes the fluid's impulses. */
typedef struct engine_body {
    float x, y, vx, vy, angle, spin, mass, inertia;
} engine_body;

static void engine_step(engine_body *b, const rill_reaction *r, float dt) {
    b->vx += (float)r->impulse[0] / b->mass, b->vy += (float)r->impulse[1] / b->mass - 9.81f * dt;
    b->spin += (float)r->moment[2] / b->inertia;
    b->x += dt * b->vx, b->y += dt * b->vy, b->angle += dt * b->spin;
}

static rill_hosted_state tell(const engine_body *b) {
    rill_hosted_state s = rill_hosted_state_default();
    s.position = (rill_vec){b->x, b->y, 0}, s.angle = b->angle;
    s.velocity = (rill_vec){b->vx, b->vy, 0}, s.angular_velocity = (rill_vec){0, 0, b->spin};
    s.inverse_mass = (rill_vec){1 / b->mass, 1 / b->mass, 1 / b->mass};
    s.inverse_inertia[2][2] = 1 / b->inertia;
    return s;
}

/* At most two steps of the fluid in a frame, and the engine's body goes along. */
static rill_status play_frame(rill_world *world, rill_body_id id, engine_body *b) {
    rill_reaction reaction;
    rill_status status = rill_world_begin_at_most(world, FRAME, 2);
    for (double dt = FRAME; status == RILL_OK;) {
        const rill_hosted_state state = tell(b);
        status = rill_world_host(world, id, &state);
        if (status == RILL_OK) status = rill_world_substep(world, &dt);
        if (status == RILL_OK) status = rill_world_reaction(world, id, &reaction);
        if (status != RILL_OK || dt == 0) break;
        engine_step(b, &reaction, (float)dt);
    }
    rill_world_end(world);
    return status;
}

int main(void) {
    rill_world_def def = rill_world_def_game(2);
    def.spacing = 0.05f; /* of particles [m]; everything is in SI units */
    rill_world *world = rill_world_create(&def, NULL);
    const rill_fluid_def water = rill_fluid_def_default();
    rill_solid_def tank = rill_solid_def_default();
    tank.shape.max = (rill_vec){3, 5, 0}, tank.shape.inside = true;
    rill_block_def block = rill_block_def_default();
    block.shape.max = (rill_vec){3, 1, 0};
    rill_body_def crate = rill_body_def_default();
    crate.shape.min = (rill_vec){0.6f, 1.2f, 0}, crate.shape.max = (rill_vec){1, 1.6f, 0}, crate.density = 500;
    rill_body_id own, hosted;
    if (rill_world_add_fluid(world, &water, NULL) != RILL_OK || rill_world_add_solid(world, &tank, NULL) != RILL_OK ||
        rill_world_add_block(world, &block, NULL) != RILL_OK || rill_world_add_body(world, &crate, &own) != RILL_OK)
        return 1;
    engine_body body = {.x = 2, .y = 1.4f, .mass = 80, .inertia = 80 * 0.4f * 0.4f / 6};
    crate.shape.min = (rill_vec){-0.2f, -0.2f, 0}, crate.shape.max = (rill_vec){0.2f, 0.2f, 0};
    const rill_hosted_state state = tell(&body);
    if (rill_world_add_hosted(world, &crate, &state, &hosted) != RILL_OK) return 1;

    for (int frame = 0; frame < 300; frame++) {
        if (play_frame(world, hosted, &body) != RILL_OK) break;
        rill_view places; /* what a game draws: an array of the world, not a copy */
        if (rill_world_view(world, "position", &places) == RILL_OK && frame % 60 == 59)
            printf("%d s: %d particles to draw\n", (frame + 1) / 60, places.count);
    }
    rill_body_state s;
    rill_world_body_state(world, own, &s);
    printf("%sRill's crate floats at %.2f m, the engine's at %.2f m\n", rill_world_message(world), (double)s.position.y,
           (double)body.y);
    rill_world_destroy(world);
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "bench/game_host.h"

static game_host_body *find(game_host *host, rill_body_id id) {
    for (int k = 0; k < host->count; k++)
        if (host->bodies[k].id.index1 == id.index1) return &host->bodies[k];
    return NULL;
}

/* Sets the masses of a box in 2D, per metre of depth. */
static void weigh(rill_hosted_state *state, const rill_body_def *def) {
    const float width = def->shape.max.x - def->shape.min.x, height = def->shape.max.y - def->shape.min.y;
    const float inverse = 1 / (def->density * width * height);
    state->inverse_mass = (rill_vec){inverse, inverse, inverse};
    state->inverse_inertia[2][2] = 12 * inverse / (width * width + height * height);
}

rill_status game_host_add(game_host *host, rill_world *w, const rill_body_def *def, rill_body_id *id) {
    if (host->count == GAME_HOST_MAX) return RILL_LIMIT;
    const rill_vec min = def->shape.min, max = def->shape.max;
    const rill_vec half = {0.5f * (max.x - min.x), 0.5f * (max.y - min.y), 0};
    game_host_body *b = &host->bodies[host->count];
    b->state = rill_hosted_state_default();
    b->state.position = (rill_vec){min.x + half.x, min.y + half.y, 0};
    if (def->kind == RILL_BODY_DYNAMIC) weigh(&b->state, def);
    rill_body_def hosted = *def;
    hosted.kind = RILL_BODY_DYNAMIC;
    hosted.shape.min = (rill_vec){-half.x, -half.y, 0}, hosted.shape.max = half;
    const rill_status status = rill_world_add_hosted(w, &hosted, &b->state, &b->id);
    if (status != RILL_OK) return status;
    host->count++;
    if (id) *id = b->id;
    return RILL_OK;
}

rill_status game_host_remove(game_host *host, rill_world *w, rill_body_id id) {
    game_host_body *b = find(host, id);
    if (b) *b = host->bodies[--host->count];
    return rill_world_remove_body(w, id);
}

void game_host_move_to(game_host *host, rill_body_id id, const rill_pose *pose, double seconds) {
    rill_hosted_state *s = &find(host, id)->state;
    const float rate = (float)(1 / seconds);
    s->velocity = (rill_vec){rate * (pose->position.x - s->position.x), rate * (pose->position.y - s->position.y), 0};
    s->angular_velocity = (rill_vec){0, 0, rate * (pose->angle - s->angle)};
}

static bool is_moved(const rill_hosted_state *s) {
    return s->inverse_mass.x > 0;
}

static rill_status move(game_host_body *b, rill_world *w, float dt) {
    rill_hosted_state *s = &b->state;
    rill_reaction reaction;
    const rill_status status = rill_world_reaction(w, b->id, &reaction);
    if (status != RILL_OK) return status;
    if (is_moved(s)) s->velocity = reaction.velocity, s->angular_velocity = reaction.angular_velocity;
    s->position.x += dt * s->velocity.x, s->position.y += dt * s->velocity.y;
    s->angle += dt * s->angular_velocity.z;
    return RILL_OK;
}

rill_status game_host_advance(game_host *host, rill_world *w, double duration, int most, double *advanced) {
    *advanced = 0;
    rill_status status = rill_world_begin_at_most(w, duration, most);
    for (double dt = duration; status == RILL_OK && dt > 0; *advanced += dt) {
        for (int k = 0; k < host->count && status == RILL_OK; k++)
            status = rill_world_host(w, host->bodies[k].id, &host->bodies[k].state);
        if (status == RILL_OK) status = rill_world_substep(w, &dt);
        for (int k = 0; k < host->count && status == RILL_OK && dt > 0; k++)
            status = move(&host->bodies[k], w, (float)dt);
    }
    rill_world_end(w);
    return status;
}

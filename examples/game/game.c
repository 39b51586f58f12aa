/* SPDX-License-Identifier: MIT */
/* The rules of the game; they use only Rill's public API. */
#include "game.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEVER_SPEED   0.8f  /* [rad/s] */
#define HAND_RATE     12.0f /* frequency of the hand's spring [1/s] */
#define HAND_LIMIT    60.0f /* its largest acceleration [m/s^2] */
#define PUMP_BY_HAND  90.0f /* particles a second */
#define PUMP_A_TURN   8.0f  /* particles for each radian of the wheel */
#define PUMP_ROWS_MAX 16

static bool fail(const game *g, rill_error *error) {
    snprintf(error->text, sizeof error->text, "%s", rill_world_message(g->world));
    return false;
}

/* The pump of the level: a gauge marks its intake, and an emitter that never opens marks its outlet. */
static bool find_pump(game *g) {
    const float dx = rill_world_get_def(g->world)->spacing;
    const rill_gauge_def *intake = rill_world_gauge_def(g->world, rill_world_find_gauge(g->world, "intake"));
    const rill_emitter_def *outlet = rill_world_emitter_def(g->world, rill_world_find_emitter(g->world, "pump"));
    if (!intake || !outlet) return false;
    g->pump = (game_pump){.low = intake->min, .high = intake->max, .outlet = outlet->position};
    g->pump.outlet.y -= outlet->radius - 0.5f * dx;
    g->pump.velocity = (rill_vec){outlet->direction.x * outlet->speed, outlet->direction.y * outlet->speed, 0.0f};
    g->pump.rows = (int)(2.0f * outlet->radius / dx);
    return g->pump.rows >= 1 && g->pump.rows <= PUMP_ROWS_MAX;
}

static bool find_things(game *g) {
    const rill_solid_def *level = rill_world_solid_def(g->world, rill_world_find_solid(g->world, "level"));
    g->wheel = rill_world_find_body(g->world, "wheel");
    g->lever = rill_world_find_joint(g->world, "lever");
    g->cistern = rill_world_find_gauge(g->world, "cistern");
    if (!level || !g->wheel.index1 || !g->lever.index1 || !g->cistern.index1) return false;
    g->size = level->shape.max;
    return find_pump(g);
}

bool game_begin(game *g, const char *level, rill_error *error) {
    *g = (game){0};
    g->scene = rill_scene_load(level, error);
    if (!g->scene) return false;
    g->world = rill_scene_build(g->scene, -1, -1, error);
    if (!g->world) return false;
    if (!find_things(g)) {
        snprintf(error->text, sizeof error->text,
                 "%s: something that the game needs is missing; see the comment at the top of mill.json", level);
        return false;
    }
    return rill_frame_of_world(&g->frame, g->world, error) == RILL_OK;
}

void game_end(game *g) {
    rill_frame_free(&g->frame);
    rill_world_destroy(g->world);
    rill_scene_free(g->scene);
    *g = (game){0};
}

/* ---- the hand ---- */

/* Takes the body under the mouse. */
static void grab(game *g, rill_vec point) {
    rill_filter bodies = rill_filter_default();
    bodies.solids = false;
    rill_hit hit;
    int count;
    rill_transform now;
    g->hand.body = (rill_body_id){0};
    if (rill_world_query_point(g->world, point, &bodies, &hit, 1, &count) != RILL_OK || count < 1) return;
    if (rill_world_solid_transform(g->world, hit.solid, &now) != RILL_OK) return;
    g->hand.body = hit.body;
    g->hand.local = rill_transform_point_back(&now, point);
}

/* Applies a force at the grabbed point that is critically damped for the body's mass. */
static void pull(game *g, rill_vec to) {
    rill_body_state state;
    rill_transform now;
    const rill_solid_id surface = rill_world_body_solid(g->world, g->hand.body);
    if (rill_world_body_state(g->world, g->hand.body, &state) != RILL_OK) return;
    if (rill_world_solid_transform(g->world, surface, &now) != RILL_OK) return;
    const rill_vec at = rill_transform_point(&now, g->hand.local);
    const float spin = state.angular_velocity.z;
    const float vx = state.velocity.x - spin * (at.y - state.position.y);
    const float vy = state.velocity.y + spin * (at.x - state.position.x);
    float ax = HAND_RATE * (HAND_RATE * (to.x - at.x) - 2.0f * vx);
    float ay = HAND_RATE * (HAND_RATE * (to.y - at.y) - 2.0f * vy) + 9.81f;
    const float size = sqrtf(ax * ax + ay * ay), share = size > HAND_LIMIT ? HAND_LIMIT / size : 1.0f;
    const rill_vec force = {0.5f * state.mass * share * ax, 0.5f * state.mass * share * ay, 0.0f};
    rill_world_body_apply_force(g->world, g->hand.body, force, &at);
}

static void use_hand(game *g, const game_input *input) {
    if (input->holding && !g->hand.was_holding) grab(g, input->point);
    if (!input->holding) g->hand.body = (rill_body_id){0};
    g->hand.was_holding = input->holding;
    if (g->hand.body.index1) pull(g, input->point);
}

/* ---- the pump ---- */

static bool is_in_intake(const game_pump *p, rill_vec x) {
    return x.x >= p->low.x && x.x <= p->high.x && x.y >= p->low.y && x.y <= p->high.y;
}

/* The ids of the first particles found in the intake. */
static int find_water(const game *g, rill_particle_id *ids, int most) {
    const rill_view *position = rill_frame_field(&g->frame, "position"), *id = rill_frame_field(&g->frame, "id");
    int count = 0;
    for (int k = 0; k < g->frame.count && count < most; k++)
        if (is_in_intake(&g->pump, rill_frame_vec(&g->frame, position, k)))
            ids[count++] = rill_frame_uint(&g->frame, id, k);
    return count;
}

/* The outlet lets out a column of particles at a time; the next one follows when the last has moved by a spacing. */
static bool run_pump(game *g, bool by_hand) {
    game_pump *p = &g->pump;
    const float dx = rill_world_get_def(g->world)->spacing, speed = hypotf(p->velocity.x, p->velocity.y);
    const float wanted = fabsf(g->turning) * PUMP_A_TURN + (by_hand ? PUMP_BY_HAND : 0.0f);
    const float most = speed / dx * (float)p->rows; /* particles a second that fit through the outlet */
    rill_particle_id ids[PUMP_ROWS_MAX];
    rill_vec places[PUMP_ROWS_MAX], velocities[PUMP_ROWS_MAX];
    p->due += (double)(fminf(wanted, most) / GAME_RATE);
    if (p->due < p->rows) return true;
    p->due -= p->rows;
    const int count = find_water(g, ids, p->rows);
    for (int k = 0; k < count; k++) {
        places[k] = (rill_vec){p->outlet.x, p->outlet.y + dx * (float)k, 0.0f};
        velocities[k] = p->velocity;
    }
    return count == 0 || rill_world_set_particles(g->world, ids, places, velocities, count) == RILL_OK;
}

/* ---- a step ---- */

static void look_around(game *g) {
    rill_body_state wheel;
    rill_reading cistern;
    if (rill_world_body_state(g->world, g->wheel, &wheel) == RILL_OK) g->turning = wheel.angular_velocity.z;
    if (rill_world_read_gauge(g->world, g->cistern, &cistern) == RILL_OK) g->saved = (int)cistern.value[0];
    g->won = g->won || g->saved >= GAME_GOAL;
    g->splash = 0.0f;
    for (int k = 0; k < rill_world_body_count(g->world); k++) {
        rill_wetting w;
        if (rill_world_body_wetting(g->world, rill_world_body_at(g->world, k), &w) == RILL_OK)
            g->splash = fmaxf(g->splash, w.splash_speed);
    }
}

bool game_step(game *g, const game_input *input, rill_error *error) {
    use_hand(g, input);
    if (rill_world_set_number(g->world, rill_ref_joint(g->lever), "motor_speed",
                              (double)(input->lever * LEVER_SPEED)) != RILL_OK)
        return fail(g, error);
    if (!run_pump(g, input->pump)) return fail(g, error);
    if (rill_world_step(g->world, 1.0 / GAME_RATE) != RILL_OK) return fail(g, error);
    look_around(g);
    return rill_frame_of_world(&g->frame, g->world, error) == RILL_OK;
}

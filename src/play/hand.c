/* SPDX-License-Identifier: MIT */
/* The hand: a damped spring from a point of a body to the cursor, or an emitter that follows the cursor. Before each
   step of the world its force is computed from the effective mass of the body at that point, so that the spring is
   critically damped for any body. */
#include "play/session.h"

#include "core/error.h"
#include "core/public_vec.h"

#include <math.h>

/* Frequency of the spring [1/s], and its largest acceleration [m/s^2]. */
#define PULL        14.0f
#define PULL_LIMIT  400.0f
#define RAY_LENGTH  1e3f
#define REACH_LEAST 0.5f /* of the spacing: a click may miss a body by this much */

/* ---- finding something to hold ---- */

static bool can_be_held(const play_session *s, rill_body_id id) {
    const rill_body_def *def = rill_world_body_def(s->world, id);
    return def && def->kind == RILL_BODY_DYNAMIC;
}

/* The body that contains the point, or the nearest one within reach. */
static rill_body_id body_at(play_session *s, rill_vec at, float reach) {
    rill_body_id found = {0};
    float nearest = reach;
    for (int k = 0; k < rill_world_body_count(s->world); k++) {
        const rill_body_id id = rill_world_body_at(s->world, k);
        float distance;
        if (!can_be_held(s, id)) continue;
        if (rill_world_solid_distance(s->world, rill_world_body_solid(s->world, id), at, &distance, NULL)) continue;
        if (distance < nearest) nearest = distance, found = id;
    }
    return found;
}

static rill_emitter_id emitter_at(const play_session *s, rill_vec at, float reach) {
    rill_emitter_id found = {0};
    for (int k = 0; k < rill_world_emitter_count(s->world); k++) {
        const rill_emitter_id id = rill_world_emitter_at(s->world, k);
        const rill_emitter_def *def = rill_world_emitter_def(s->world, id);
        const rill_vec way = vec_sub(def->position, at);
        if (vec_dot(way, way) < (reach + def->radius) * (reach + def->radius)) found = id;
    }
    return found;
}

/* The first body along a ray from the eye; walls in front of it are ignored. */
static rill_body_id body_on_ray(play_session *s, rill_vec *at, rill_vec ray) {
    rill_filter filter = rill_filter_default();
    filter.solids = false;
    rill_hit hit;
    bool found = false;
    if (rill_world_query_ray(s->world, *at, ray, RAY_LENGTH, &filter, &hit, &found) || !found) return (rill_body_id){0};
    *at = hit.point;
    return can_be_held(s, hit.body) ? hit.body : (rill_body_id){0};
}

static void tell_held(play_session *s, int client, rill_vec at) {
    play_text t;
    if (!rill_play_text_begin(&t, "held")) return;
    rill_json_integer(&t.json, "body", s->hand.body.index1);
    rill_json_integer(&t.json, "emitter", s->hand.emitter.index1);
    rill_play_json_vec(&t.json, "at", at, rill_world_get_def(s->world)->dim);
    rill_play_text_send(s, client, &t);
}

rill_status rill_play_grab(play_session *s, int client, const play_input *input, rill_error *error) {
    rill_vec at = input->at;
    const float least = REACH_LEAST * rill_world_get_def(s->world)->spacing;
    const float reach = input->radius > (double)least ? (float)input->radius : least;
    rill_play_drop(s);
    if (rill_play_given(input, "ray")) {
        if (vec_dot(input->ray, input->ray) <= 0)
            return rill_fail(error, RILL_INVALID, "grab: the ray has no direction");
        s->hand.body = body_on_ray(s, &at, input->ray);
    } else {
        s->hand.body = body_at(s, at, reach);
        if (!s->hand.body.index1) s->hand.emitter = emitter_at(s, at, reach);
    }
    s->hand.target = at;
    if (s->hand.body.index1) {
        rill_transform place;
        if (rill_world_solid_transform(s->world, rill_world_body_solid(s->world, s->hand.body), &place))
            return rill_fail(error, RILL_INVALID, "grab: %s", rill_world_message(s->world));
        s->hand.local = rill_transform_point_back(&place, at);
    }
    tell_held(s, client, at);
    return RILL_OK;
}

void rill_play_drop(play_session *s) {
    s->hand = (play_hand){0};
}

void rill_play_drag(play_session *s, rill_vec to) {
    s->hand.target = to;
    if (s->hand.emitter.index1) (void)rill_world_set_vec(s->world, rill_ref_emitter(s->hand.emitter), "position", to);
}

/* ---- pulling ---- */

bool rill_play_hand_ends(play_session *s, rill_vec *from, rill_vec *to) {
    rill_transform place;
    if (!s->hand.body.index1 || !rill_world_body_is_valid(s->world, s->hand.body)) return false;
    if (rill_world_solid_transform(s->world, rill_world_body_solid(s->world, s->hand.body), &place)) return false;
    *from = rill_transform_point(&place, s->hand.local);
    *to = s->hand.target;
    return true;
}

/* The least effective mass of a body at a point, for any direction of the pull: the body also turns. */
static float mass_at(const rill_body_state *b, rill_vec arm, int dim) {
    float inertia = b->inertia.z;
    if (dim == 3) inertia = fminf(b->inertia.x, fminf(b->inertia.y, b->inertia.z));
    if (!(b->mass > 0) || !(inertia > 0)) return 0;
    return 1 / (1 / b->mass + vec_dot(arm, arm) / inertia);
}

void rill_play_hand_pull(play_session *s) {
    rill_vec from, to;
    rill_body_state b;
    if (!rill_play_hand_ends(s, &from, &to)) return;
    if (rill_world_body_state(s->world, s->hand.body, &b)) return;
    const rill_vec arm = vec_sub(from, b.position);
    const float mass = mass_at(&b, arm, rill_world_get_def(s->world)->dim);
    const rill_vec velocity = vec_add(b.velocity, vec_cross(b.angular_velocity, arm));
    rill_vec pull = vec_scale(vec_sub(to, from), PULL * PULL);
    pull = vec_along(pull, -2 * PULL, velocity);
    const float strength = sqrtf(vec_dot(pull, pull)), share = strength > PULL_LIMIT ? PULL_LIMIT / strength : 1;
    const rill_vec force = vec_scale(pull, mass * share);
    (void)rill_world_body_apply_force(s->world, s->hand.body, force, &from);
}

/* SPDX-License-Identifier: MIT */
/* Hosted bodies: checks of an engine's reports, and the box around the fluid. */
#include "rill/hosted.h"

#include "api/world.h"
#include "rigid/body.h"
#include "rigid/contacts.h"
#include "rigid/host.h"

#include <math.h>

/* Positions [m] and velocities [m/s, rad/s] beyond this are in a wrong unit, or of a body that has run away. */
#define FARTHEST 1e9f

rill_hosted_state rill_hosted_state_default(void) {
    return (rill_hosted_state){.quaternion = {0, 0, 0, 1}, .gravity_scale = 1};
}

/* ---- checks ---- */

static bool within(rill_vec v, float most) {
    return fabsf(v.x) <= most && fabsf(v.y) <= most && fabsf(v.z) <= most;
}

static bool is_quaternion(const float q[4]) {
    double length2 = 0;
    for (int k = 0; k < 4; k++) length2 += (double)q[k] * (double)q[k];
    return isfinite(length2);
}

/* Whether a matrix is finite, symmetric and positive semidefinite. */
static bool is_inverse_inertia(const float m[3][3], int dim) {
    if (dim == 2) return m[2][2] >= 0 && isfinite(m[2][2]);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const float bound = sqrtf(m[r][r]) * sqrtf(m[c][c]);
            if (!(m[r][r] >= 0) || !isfinite(m[r][c]) || !(fabsf(m[r][c]) <= 1.001f * bound)) return false;
            if (!(fabsf(m[r][c] - m[c][r]) <= 1e-3f * bound)) return false;
        }
    /* With the minors, this makes all eigenvalues at least 0, up to rounding. */
    const double det = (double)m[0][0] * ((double)m[1][1] * (double)m[2][2] - (double)m[1][2] * (double)m[2][1]) -
                       (double)m[0][1] * ((double)m[1][0] * (double)m[2][2] - (double)m[1][2] * (double)m[2][0]) +
                       (double)m[0][2] * ((double)m[1][0] * (double)m[2][1] - (double)m[1][1] * (double)m[2][0]);
    return det >= -1e-2 * (double)m[0][0] * (double)m[1][1] * (double)m[2][2];
}

static const char *fault_of(const rill_world *w, const rill_hosted_state *s) {
    if (!within(s->position, FARTHEST) || !within(s->centre, FARTHEST) || !(fabsf(s->angle) <= 1e6f) ||
        !is_quaternion(s->quaternion))
        return "the pose must be finite, within 1e9 m of the origin and 1e6 rad of no turn";
    if (!within(s->velocity, FARTHEST) || !within(s->angular_velocity, FARTHEST))
        return "velocities must be finite and below 1e9";
    if (s->foretold && (!within(s->next_velocity, FARTHEST) || !within(s->next_angular_velocity, FARTHEST)))
        return "foretold velocities must be finite and below 1e9";
    const rill_vec m = s->inverse_mass;
    if (!rill_finite_vec(m) || m.x < 0 || m.y < 0 || m.z < 0)
        return "inverse masses must be finite, 0 or more; a free body has three times 1/mass";
    if (!is_inverse_inertia(s->inverse_inertia, w->def.dim))
        return "the inverse inertia must be finite, symmetric and not negative; in 2D it is inverse_inertia[2][2]";
    if (!rill_finite_vec(s->force) || !rill_finite_vec(s->torque) || !isfinite(s->gravity_scale))
        return "force, torque and gravity_scale must be finite";
    return NULL;
}

static rill_status check_state(rill_world *w, const rill_hosted_state *state, const char *what) {
    const char *fault = state ? fault_of(w, state) : "the state is NULL";
    return fault ? rill_fail(&w->error, RILL_INVALID, "%s: %s", what, fault) : RILL_OK;
}

static rill_status check_def(rill_world *w, const rill_body_def *def) {
    if (!def) return rill_fail(&w->error, RILL_INVALID, "add_hosted: the definition is NULL");
    if (def->kind != RILL_BODY_DYNAMIC)
        return rill_fail(
            &w->error, RILL_INVALID,
            "add_hosted: the kind of a hosted body is dynamic; one that nothing moves has inverse masses of 0");
    const body probe = {.def = *def};
    if (rill_body_has_motion(&probe))
        return rill_fail(&w->error, RILL_INVALID, "add_hosted: a hosted body has no prescribed motion");
    return RILL_OK;
}

/* ---- calls ---- */

rill_status rill_world_add_hosted(rill_world *w, const rill_body_def *def, const rill_hosted_state *state,
                                  rill_body_id *id) {
    if (!w) return RILL_INVALID;
    TRY(check_def(w, def));
    TRY(check_state(w, state, "add_hosted"));
    return rill_body_add(w, def, state, id);
}

static body *hosted(rill_world *w, rill_body_id id, const char *what) {
    body *b = POOL_GET(w, body, id);
    if (!b)
        rill_fail(&w->error, RILL_NOT_FOUND, "%s: no such body", what);
    else if (!b->host.moves)
        rill_fail(&w->error, RILL_INVALID, "%s: '%s' is Rill's own; add an engine's bodies with rill_world_add_hosted",
                  what, b->def.name);
    else
        return b;
    return NULL;
}

/* Bound on how far a point within `reach` of a body's centre has moved from another pose to the present one [m]. */
static double way_of(const body *b, double reach, dvec x, quat q) {
    const quat turn = quat_multiply(quat_load(b->q), quat_conjugate(q));
    return dvec_length(dvec_sub(dvec_load(b->x), x)) + reach * dvec_length(quat_vector(turn));
}

/* The engine has put a body somewhere else if it is farther from the predicted pose than a spacing plus the distance
   that its velocities explain. */
rill_status rill_world_host(rill_world *w, rill_body_id id, const rill_hosted_state *state) {
    if (!w) return RILL_INVALID;
    body *b = hosted(w, id, "host");
    if (!b) return w->error.status;
    TRY(check_state(w, state, "host"));
    const dvec x = dvec_load(b->x);
    const quat q = quat_load(b->q);
    const double reach = b->reach > 0 ? b->reach : rill_contact_reach(w, b);
    const double speed = dvec_length(dvec_load(b->v)) + reach * dvec_length(dvec_load(b->w));
    rill_host_take(w, b, state);
    rill_body_place(w, b, w->stats.time);
    w->placed = false;
    if (way_of(b, reach, x, q) > (double)w->def.spacing + speed * w->call_time) rill_body_makes_way(w, b);
    return RILL_OK;
}

rill_status rill_world_reaction(rill_world *w, rill_body_id id, rill_reaction *reaction) {
    if (!w) return RILL_INVALID;
    const body *b = hosted(w, id, "reaction");
    if (!b) return w->error.status;
    if (!reaction) return rill_fail(&w->error, RILL_INVALID, "reaction: the pointer for the result is NULL");
    *reaction = rill_host_reaction(b);
    return RILL_OK;
}

bool rill_world_is_hosted(const rill_world *w, rill_body_id id) {
    const body *b = w ? POOL_GET(w, body, id) : NULL;
    return b && b->host.moves;
}

rill_status rill_world_fluid_box(const rill_world *w, rill_vec *min, rill_vec *max, bool *empty) {
    if (!w || !min || !max) return RILL_INVALID;
    const float *place = w->particles.fields[FIELD_PLACE].data;
    const int dim = w->def.dim == 3 ? 3 : 2;
    float low[3] = {INFINITY, INFINITY, 0}, high[3] = {-INFINITY, -INFINITY, 0};
    if (dim == 3) low[2] = INFINITY, high[2] = -INFINITY;
    for (int i = 0; i < w->particles.count; i++)
        for (int axis = 0; axis < dim; axis++) {
            low[axis] = fminf(low[axis], place[4 * (size_t)i + (size_t)axis]);
            high[axis] = fmaxf(high[axis], place[4 * (size_t)i + (size_t)axis]);
        }
    if (empty) *empty = w->particles.count == 0;
    if (w->particles.count == 0) return RILL_OK;
    *min = (rill_vec){low[0], low[1], low[2]}, *max = (rill_vec){high[0], high[1], high[2]};
    return RILL_OK;
}

/* SPDX-License-Identifier: MIT */
/* Rigid bodies: mass from shape, motion, and the pose of the surface. The state is in doubles: a body weighs as much as
   a million particles, and the small changes of its velocity must not be lost in rounding. Rotations are quaternions,
   in 2D also an angle. The inertia of the shape is kept in the shape's own axes and rotated when it is used. */
#include "rigid/body.h"

#include "geometry/shape_measure.h"
#include "rigid/host.h"
#include "solid/motion.h"
#include "solid/shape_library.h"
#include "solid/solids.h"

#include <string.h>

/* By cofactors: if m has the rows a, b, c, the columns of its inverse are b x c, c x a and a x b, over a . (b x c). */
void rill_body_invert(double out[3][3], const double m[3][3]) {
    const dvec a = dvec_load(m[0]), b = dvec_load(m[1]), c = dvec_load(m[2]);
    const dvec bc = dvec_cross(b, c), ca = dvec_cross(c, a), ab = dvec_cross(a, b);
    const double s = 1 / dvec_dot(a, bc);
    const dvec rows[3] = {bc, ca, ab};
    for (int k = 0; k < 3; k++) {
        out[0][k] = (&rows[k].x)[0] * s;
        out[1][k] = (&rows[k].x)[1] * s;
        out[2][k] = (&rows[k].x)[2] * s;
    }
}

rill_status rill_body_start(rill_world *w, body *b) {
    mesh_solid whole;
    const solid *surface = &POOL_ITEMS(w, solid)[b->solid];
    const shape_model *models[PLACED_PARTS_MAX] = {NULL};
    for (int k = 0; k < surface->models.count; k++) models[k] = &surface->models.items[k]->model;
    TRY(rill_shape_measure(&b->def.shape, models, w->def.dim, &whole, &w->error));
    memcpy(b->start, whole.centre, sizeof b->start);
    memcpy(b->inertia, whole.inertia, sizeof b->inertia);
    for (int k = 0; k < 9; k++) (&b->inertia[0][0])[k] *= (double)b->def.density;
    b->volume = whole.volume;
    b->mass = (double)b->def.density * whole.volume;
    if (!(b->mass > 0)) return rill_fail(&w->error, RILL_INVALID, "body: its mass must be greater than 0");
    /* A given mass scales the inertia too, as a change of density would. */
    if (b->def.mass > 0.0f) {
        const double scale = (double)b->def.mass / b->mass;
        for (int k = 0; k < 9; k++) (&b->inertia[0][0])[k] *= scale;
        b->mass = (double)b->def.mass;
    }
    rill_body_invert(b->inverse_inertia, b->inertia);
    b->loose[0] = b->loose[1] = b->loose[2] = 1;
    b->inverse_mass = b->def.kind == RILL_BODY_DYNAMIC ? 1 / b->mass : 0;
    memcpy(b->x, b->start, sizeof b->x);
    quat_store(b->q, (quat){0, 0, 0, 1});
    dvec_store(b->v, dvec_of(b->def.velocity));
    dvec_store(b->w, dvec_of(b->def.angular_velocity));
    if (w->def.dim == 2) b->v[2] = b->w[0] = b->w[1] = 0;
    return RILL_OK;
}

/* M^-1 a along each axis. `loose` is 1, or less along axes that joints of a hosting engine hold. */
dvec rill_body_mass_linear(const rill_world *w, const body *b, dvec a) {
    const double m = b->inverse_mass;
    const dvec share = dvec_load(b->loose);
    return (dvec){a.x * m * share.x, a.y * m * share.y, w->def.dim == 3 ? a.z * m * share.z : 0};
}

dvec rill_body_turn(const body *b, dvec a) {
    double m[3][3];
    quat_matrix(quat_load(b->q), m);
    return mat_apply(m, a);
}

dvec rill_body_turn_back(const body *b, dvec a) {
    double m[3][3];
    quat_matrix(quat_load(b->q), m);
    return mat_apply_back(m, a);
}

/* R I^-1 R^T a: the inverse inertia is in the axes of the shape, so a is rotated into them and the result back. */
dvec rill_body_mass_angular(const rill_world *w, const body *b, dvec a) {
    if (b->inverse_mass == 0) return (dvec){0};
    if (w->def.dim == 2) return (dvec){0, 0, a.z * b->inverse_inertia[2][2]};
    return rill_body_turn(b, mat_apply(b->inverse_inertia, rill_body_turn_back(b, a)));
}

/* Angular momentum L = R I R^T w. */
dvec rill_body_spin(const body *b, dvec w) {
    return rill_body_turn(b, mat_apply(b->inertia, rill_body_turn_back(b, w)));
}

/* v + w x (point - x). */
dvec rill_body_velocity_at(const body *b, dvec point) {
    return dvec_add(dvec_load(b->v), dvec_cross(dvec_load(b->w), dvec_sub(point, dvec_load(b->x))));
}

/* A hosted body keeps its angular velocity: its engine decides how the body tumbles. */
static void move_hosted(body *b, double dt) {
    if (b->host.untold < INT32_MAX) b->host.untold++;
    const dvec turn = dvec_scale(dvec_load(b->w), dt);
    dvec_store(b->x, dvec_along(dvec_load(b->x), dt, dvec_load(b->v)));
    quat_store(b->q, quat_normal(quat_multiply(quat_turn(turn), quat_load(b->q))));
    b->angle += turn.z;
}

/* Without torque the angular momentum L is constant, and w = R I^-1 R^T L changes with the rotation R: the body
   tumbles. The last line takes this product with the new rotation, so that L is kept to rounding at any length of
   step. */
void rill_body_move(body *b, double dt) {
    if (b->host.moves) {
        move_hosted(b, dt);
        return;
    }
    const dvec w = dvec_load(b->w), momentum = rill_body_spin(b, w);
    dvec_store(b->x, dvec_along(dvec_load(b->x), dt, dvec_load(b->v)));
    /* Midpoint rule, second order for a tumbling body: rotate by half a step, take the angular velocity there, and use
       it for the whole step. */
    const quat start = quat_load(b->q);
    quat_store(b->q, quat_normal(quat_multiply(quat_turn(dvec_scale(w, 0.5 * dt)), start)));
    const dvec middle = rill_body_turn(b, mat_apply(b->inverse_inertia, rill_body_turn_back(b, momentum)));
    quat_store(b->q, quat_normal(quat_multiply(quat_turn(dvec_scale(middle, dt)), start)));
    dvec_store(b->w, rill_body_turn(b, mat_apply(b->inverse_inertia, rill_body_turn_back(b, momentum))));
    b->angle += dt * middle.z;
}

/* A kinematic body takes position and velocities from its prescribed motion, which rotates about a pivot of its own: x
   = c + R (x0 - pivot), v = c' + w x (x - c). */
static void follow(body *b, const pose *p) {
    const dvec pivot = dvec_of(p->pivot), centre = dvec_add(pivot, dvec_of(p->offset));
    double m[3][3] = {{0}};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) m[r][c] = (double)p->turn[r][c];
    const dvec arm = mat_apply(m, dvec_sub(dvec_load(b->start), pivot));
    dvec_store(b->x, dvec_add(centre, arm));
    dvec_store(b->w, dvec_of(p->angular));
    dvec_store(b->v, dvec_add(dvec_of(p->velocity), dvec_cross(dvec_of(p->angular), arm)));
    quat_store(b->q, quat_of_matrix(m));
    b->angle = (double)p->angle;
}

void rill_body_pose(const body *b, pose *p) {
    double m[3][3];
    quat_matrix(quat_load(b->q), m);
    p->pivot = dvec_out(dvec_load(b->start));
    p->offset = dvec_out(dvec_sub(dvec_load(b->x), dvec_load(b->start)));
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) p->turn[r][c] = (float)m[r][c];
    p->angle = (float)b->angle;
    p->velocity = dvec_out(dvec_load(b->v));
    p->angular = dvec_out(dvec_load(b->w));
}

/* ---- bodies that the host moves ---- */

#define FOREVER 1e30
/* A body has arrived when less than this share of its time is left: rounding. */
#define ARRIVED 1e-9

static bool has_arrived(const drive *d, double time) {
    return time >= d->until - ARRIVED * (d->until - d->since);
}

/* The velocities stay until the end of the step in which the body arrives, because collisions, at the end of a step,
   use them. */
static void follow_host(body *b, double time) {
    const drive *d = &b->drive;
    const double t = fmin(time, d->until) - d->since;
    const dvec w = dvec_load(d->w);
    const bool there = has_arrived(d, time);
    dvec_store(b->x, there ? dvec_load(d->goal_x) : dvec_along(dvec_load(d->x), t, dvec_load(d->v)));
    quat_store(b->q,
               there ? quat_load(d->goal_q) : quat_normal(quat_multiply(quat_turn(dvec_scale(w, t)), quat_load(d->q))));
    b->angle = d->angle + t * w.z;
    dvec_store(b->v, dvec_load(d->v));
    dvec_store(b->w, w);
}

static bool follows_motion(const body *b) {
    return b->def.kind == RILL_BODY_KINEMATIC && !b->drive.by_host;
}

void rill_body_show(const rill_world *w, const body *b, double time) {
    solid *s = &POOL_ITEMS(w, solid)[b->solid];
    if (follows_motion(b))
        rill_motion_at(&s->def.motion, w->def.dim, time, &s->pose);
    else
        rill_body_pose(b, &s->pose);
}

void rill_body_place(rill_world *w, body *b, double time) {
    if (b->def.kind == RILL_BODY_KINEMATIC && b->drive.by_host) follow_host(b, time);
    rill_body_show(w, b, time);
    if (follows_motion(b)) follow(b, &POOL_ITEMS(w, solid)[b->solid].pose);
}

bool rill_body_has_motion(const body *b) {
    const rill_motion *m = &b->def.motion;
    const rill_vec v = m->velocity, a = m->amplitude;
    const bool shifts = v.x != 0.0f || v.y != 0.0f || v.z != 0.0f || a.x != 0.0f || a.y != 0.0f || a.z != 0.0f;
    return shifts || m->spin != 0.0f || m->swing != 0.0f || m->times.count > 0;
}

/* Centre of a pose, in the plane in 2D. */
static dvec centre_of_pose(const rill_world *w, const rill_pose *pose) {
    const dvec x = dvec_of(pose->position);
    return (dvec){x.x, x.y, w->def.dim == 3 ? x.z : 0};
}

quat rill_body_turn_of(const rill_world *w, float angle, const float q[4]) {
    if (w->def.dim == 2) return quat_turn((dvec){0, 0, (double)angle});
    if (q[0] == 0.0f && q[1] == 0.0f && q[2] == 0.0f && q[3] == 0.0f) return (quat){0, 0, 0, 1};
    return quat_normal((quat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]});
}

/* From now on the host moves the body, starting where it is. */
static void take_over(body *b, double now, dvec v, dvec w, double until) {
    b->drive = (drive){.by_host = true, .since = now, .until = until, .angle = b->angle};
    memcpy(b->drive.x, b->x, sizeof b->x), memcpy(b->drive.q, b->q, sizeof b->q);
    memcpy(b->drive.goal_x, b->x, sizeof b->x), memcpy(b->drive.goal_q, b->q, sizeof b->q);
    dvec_store(b->drive.v, v), dvec_store(b->drive.w, w);
}

void rill_body_put(rill_world *w, body *b, const rill_pose *pose) {
    dvec_store(b->x, centre_of_pose(w, pose));
    quat_store(b->q, rill_body_turn_of(w, pose->angle, pose->quaternion));
    if (w->def.dim == 2) b->angle = (double)pose->angle;
    b->was_put = true;
    if (b->def.kind == RILL_BODY_KINEMATIC) take_over(b, w->stats.time, (dvec){0}, (dvec){0}, FOREVER);
    rill_body_place(w, b, w->stats.time);
}

void rill_body_drive(rill_world *w, body *b, dvec v, dvec spin) {
    take_over(b, w->stats.time, v, spin, FOREVER);
    rill_body_place(w, b, w->stats.time);
}

/* The body stays where it is until the next step. If it has arrived at its last goal, that drive ends here; otherwise
   the body would count as having arrived at the new goal too. */
void rill_body_send(const rill_world *w, body *b, const rill_pose *pose) {
    const double now = w->stats.time;
    if (!b->drive.by_host || has_arrived(&b->drive, now)) take_over(b, now, dvec_load(b->v), dvec_load(b->w), FOREVER);
    b->drive.due = true;
    dvec_store(b->drive.goal_x, centre_of_pose(w, pose));
    quat_store(b->drive.goal_q, rill_body_turn_of(w, pose->angle, pose->quaternion));
}

/* Constant velocities from here to the goal. The rotation between the two attitudes is q_goal q^-1, as axis times
   angle. */
static void set_off(body *b, double now, double duration) {
    const dvec goal_x = dvec_load(b->drive.goal_x);
    const quat goal_q = quat_load(b->drive.goal_q);
    const dvec way = dvec_sub(goal_x, dvec_load(b->x));
    const dvec turn = quat_vector(quat_multiply(goal_q, quat_conjugate(quat_load(b->q))));
    take_over(b, now, dvec_scale(way, 1 / duration), dvec_scale(turn, 1 / duration), now + duration);
    dvec_store(b->drive.goal_x, goal_x);
    quat_store(b->drive.goal_q, goal_q);
}

void rill_bodies_set_off(rill_world *w, double duration) {
    const double now = w->stats.time;
    FOR_ALIVE(w, body, b) {
        b->was_put = false;
        if (b->host.due) rill_host_set_off(b, duration);
        if (b->drive.due)
            set_off(b, now, duration);
        else if (b->drive.by_host && has_arrived(&b->drive, now))
            take_over(b, now, (dvec){0}, (dvec){0}, FOREVER);
    }
}

/* SPDX-License-Identifier: MIT */
/* Joints as rows: a shared point is three conditions (two in 2D), a shared direction two, a shared rotation three
   (one). Limits are one-sided rows, motors and dry friction are velocity rows with a bounded impulse, a spring is a row
   whose regularisation is its compliance, and a gear is one row on the degrees of freedom of two joints. */
#include "rigid/joints.h"

#include "rigid/body.h"
#include "rigid/sleep.h"

#include <string.h>

/* Joints relax within two steps; with this softness a chain of thirty links stretches by about 0.01 % under its
   weight. */
#define JOINT_SOFTNESS  1e-4
#define JOINT_TAU_STEPS 2

static const body *body_at(const rill_world *w, int slot_index) {
    return slot_index >= 0 ? &POOL_ITEMS(w, body)[slot_index] : NULL;
}

/* A direction, the centre and the rotation in the frame of a body; NULL: the world's frame. */
static dvec into_frame(const body *b, dvec direction) {
    return b ? rill_body_turn_back(b, direction) : direction;
}
static dvec out_of_frame(const body *b, dvec direction) {
    return b ? rill_body_turn(b, direction) : direction;
}
static dvec centre_of(const body *b) {
    return b ? dvec_load(b->x) : (dvec){0};
}
static quat turn_of(const body *b) {
    return b ? quat_load(b->q) : (quat){0, 0, 0, 1};
}

/* The given length at rest, or the distance of the anchors. */
static double rest_length(const rill_joint_def *def) {
    const bool two_points = def->kind == RILL_JOINT_DISTANCE || def->kind == RILL_JOINT_SPRING;
    if (def->length > 0.0f) return (double)def->length;
    return two_points ? dvec_length(dvec_sub(dvec_of(def->anchor), dvec_of(def->anchor_b))) : 0;
}

rill_status rill_joint_check(const rill_world *w, const rill_joint_def *def, rill_error *error) {
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_JOINT), def, error));
    if (def->limited && def->lower > def->upper)
        return rill_fail(error, RILL_INVALID, "joint: lower (%g) must not be greater than upper (%g)",
                         (double)def->lower, (double)def->upper);
    const bool slider = def->kind == RILL_JOINT_SLIDER, hinge = def->kind == RILL_JOINT_HINGE;
    const bool across = def->axis.z != 0.0f && w->def.dim == 3;
    if ((slider || (hinge && w->def.dim == 3)) && def->axis.x == 0.0f && def->axis.y == 0.0f && !across)
        return rill_fail(error, RILL_INVALID, "joint: axis must not be zero");
    if (def->kind == RILL_JOINT_DISTANCE && !(rest_length(def) > 0))
        return rill_fail(error, RILL_INVALID,
                         "joint: anchor and anchor_b are the same point; give a length or a ball joint");
    if (def->kind == RILL_JOINT_GEAR && def->ratio == 0.0f)
        return rill_fail(error, RILL_INVALID, "joint: the ratio of a gear must not be zero");
    return RILL_OK;
}

static bool has_spring(const rill_joint_def *def) {
    return def->stiffness > 0.0f || def->damping > 0.0f;
}

static void forget_impulses(joint *j) {
    memset(j->lambda, 0, sizeof j->lambda);
    memset(j->resist, 0, sizeof j->resist);
}

void rill_joint_change(joint *j, const rill_joint_def *def) {
    /* Impulses are kept by the number of the row, which changes: rows would start from each other's impulses. */
    if (j->def.motor != def->motor || j->def.limited != def->limited || has_spring(&j->def) != has_spring(def) ||
        (j->def.friction > 0.0f) != (def->friction > 0.0f))
        forget_impulses(j);
    j->def = *def;
    if (def->kind != RILL_JOINT_GEAR) j->length = rest_length(def);
}

/* position_a - ratio position_b, which a gear keeps constant. */
static double gear_offset(const rill_world *w, const joint *gear) {
    const joint *joints = POOL_ITEMS(w, joint);
    return joints[gear->gear_a].position - (double)gear->def.ratio * joints[gear->gear_b].position;
}

void rill_joint_start(rill_world *w, joint *j) {
    const rill_joint_def *def = &j->def;
    j->a = (int32_t)def->a.index1 - 1, j->b = (int32_t)def->b.index1 - 1;
    j->gear_a = (int32_t)def->joint_a.index1 - 1, j->gear_b = (int32_t)def->joint_b.index1 - 1;
    const body *a = body_at(w, j->a), *b = body_at(w, j->b);
    const bool two_points = def->kind == RILL_JOINT_DISTANCE || def->kind == RILL_JOINT_SPRING;
    const dvec anchor = dvec_of(def->anchor), anchor_b = two_points ? dvec_of(def->anchor_b) : anchor;
    const bool plane = w->def.dim == 2;
    dvec axis = plane && def->kind == RILL_JOINT_HINGE ? (dvec){0, 0, 1} : dvec_of(def->axis);
    if (plane && def->kind == RILL_JOINT_SLIDER) axis.z = 0;
    axis = dvec_direction(axis);
    dvec_store(j->arm_a, into_frame(a, dvec_sub(anchor, centre_of(a))));
    dvec_store(j->arm_b, into_frame(b, dvec_sub(anchor_b, centre_of(b))));
    dvec_store(j->axis_a, into_frame(a, axis));
    dvec_store(j->axis_b, into_frame(b, axis));
    quat_store(j->rest, quat_multiply(turn_of(a), quat_conjugate(turn_of(b))));
    j->length = def->kind == RILL_JOINT_GEAR ? gear_offset(w, j) : rest_length(def);
}

/* ---- rows ---- */

/* A joint at its present pose. */
typedef struct placed {
    rill_world *world;
    rows *rows;
    joint *joint;
    dvec arm_a, arm_b; /* anchors from the centres, in the world's frame */
    dvec gap;          /* anchor of a minus anchor of b */
    dvec axis;         /* as b has it now */
    dvec twist;        /* rotation of a relative to b since the joint was made, as axis times angle */
    int used;          /* rows so far that keep their impulse in joint.lambda */
    double *memory;    /* where the next row keeps it instead; NULL: in joint.lambda */
    bool ok;
} placed;

static double tau_of(const placed *p) {
    return JOINT_TAU_STEPS * p->rows->dt;
}

/* Adds a row that starts from the last step's impulse and keeps its own for the next. */
static row *add(placed *p, dvec linear, dvec angular_a, dvec angular_b) {
    row *r = rill_rows_add(p->rows, p->joint->a, linear, angular_a, p->joint->b, linear, angular_b);
    if (!r || (!p->memory && p->used >= JOINT_LAMBDAS)) {
        p->ok = false;
        return NULL;
    }
    r->memory = p->memory ? p->memory : &p->joint->lambda[p->used++];
    r->lambda = *r->memory;
    return r;
}

/* A row on the relative velocity of the anchors along n. */
static row *add_linear(placed *p, dvec n) {
    return add(p, n, dvec_cross(p->arm_a, n), dvec_cross(p->arm_b, n));
}

/* A row on the relative angular velocity about n. */
static row *add_angular(placed *p, dvec n) {
    return add(p, (dvec){0}, n, n);
}

static void hold(placed *p, row *r, double g) {
    if (r) rill_row_hold_stiff(p->rows, r, g, JOINT_SOFTNESS, tau_of(p));
}

/* The centripetal acceleration of a body's anchor, w x (w x arm). It is reduced for a body that rotates by radians in a
   step: its anchor then has no arc to follow, and the full correction would speed the rotation up, which would ask for
   more correction. */
static dvec turning(const body *b, dvec arm, double dt) {
    const dvec spin = b ? dvec_load(b->w) : (dvec){0};
    return dvec_scale(dvec_cross(spin, dvec_cross(spin, arm)), 1 / (1 + dt * dt * dvec_dot(spin, spin)));
}

/* g = gap = (x_a + arm_a) - (x_b + arm_b), by components. Arms rotate during the step, so that the gap at its end is
   gap + G v dt + c dt^2/2 with c = w_a x (w_a x arm_a) - w_b x (w_b x arm_b): anchors move along the chord and not
   along the tangent. The velocities at the start of the step belong to the middle of the last one, half a step of that
   rotation earlier. Without this correction joints would open with the square of the step. */
static void hold_point(placed *p) {
    static const dvec axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double xi = 1.0 / (1 + 4 * JOINT_TAU_STEPS), dt = p->rows->dt;
    const dvec c = dvec_sub(turning(body_at(p->world, p->joint->a), p->arm_a, dt),
                            turning(body_at(p->world, p->joint->b), p->arm_b, dt));
    for (int k = 0; k < p->world->def.dim; k++) {
        row *r = add_linear(p, axes[k]);
        hold(p, r, (&p->gap.x)[k]);
        if (r) r->target -= 0.5 * (1 + xi) * dt * dvec_dot(c, axes[k]);
    }
}

/* g = twist, the rotation of a relative to b since the joint was made, as axis times angle. */
static void hold_turn(placed *p) {
    static const dvec axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = p->world->def.dim == 2 ? 2 : 0; k < 3; k++) hold(p, add_angular(p, axes[k]), (&p->twist.x)[k]);
}

/* A spring of stiffness k and damping c is SPOOK's row with eps = 1/k and tau = c/k; for k = 0 it is a damper alone. */
static void hold_softly(const placed *p, row *r, double g, double k, double c) {
    if (k > 0)
        rill_row_hold(p->rows, r, g, 1 / k, c / k);
    else
        rill_row_damp(p->rows, r, c);
}

/* A limit at distance `g` from the joint's position, which is `beyond` it or not. If it is not, the joint may just
   reach it in this step; beyond it, the limit pushes back, hard or like a spring. */
static void hold_limit(const placed *p, row *r, double g, bool beyond) {
    const double k = (double)p->joint->def.limit_stiffness, c = (double)p->joint->def.limit_damping;
    if (k > 0)
        rill_row_hold(p->rows, r, g, 1 / k, beyond ? c / k : 0);
    else
        rill_row_hold_stiff(p->rows, r, g, JOINT_SOFTNESS, tau_of(p));
    if (!beyond) r->target = -g / p->rows->dt;
}

/* Spring and dry friction along the one degree of freedom of a hinge or slider. */
static void resist(placed *p, row *(*add_one)(placed *, dvec), double position) {
    const rill_joint_def *def = &p->joint->def;
    p->memory = &p->joint->resist[0];
    row *spring = has_spring(def) ? add_one(p, p->axis) : NULL;
    if (spring) hold_softly(p, spring, position - (double)def->rest, (double)def->stiffness, (double)def->damping);
    p->memory = &p->joint->resist[1];
    row *friction_row = def->friction > 0.0f ? add_one(p, p->axis) : NULL;
    if (friction_row) {
        rill_row_drive(friction_row, 0, 0);
        friction_row->high = (double)def->friction * p->rows->dt;
        friction_row->low = -friction_row->high;
    }
    p->memory = NULL;
}

/* Motor and limits of the one degree of freedom of a hinge or slider; `add_one` makes a row along it. */
static void bound_and_drive(placed *p, row *(*add_one)(placed *, dvec), double position) {
    const rill_joint_def *def = &p->joint->def;
    if (def->motor) {
        row *r = add_one(p, p->axis);
        if (r) {
            rill_row_drive(r, (double)def->motor_speed, 0);
            r->high = (double)def->motor_force * p->rows->dt;
            r->low = -r->high;
        }
    }
    if (!def->limited) return;
    /* Always two rows, so that each keeps its impulse; that of a limit which is not reached stays zero. */
    row *low = add_one(p, p->axis);
    if (low) {
        const double g = position - (double)def->lower;
        hold_limit(p, low, g, g <= 0);
        low->low = 0;
    }
    row *high = add_one(p, p->axis);
    if (high) {
        const double g = position - (double)def->upper;
        hold_limit(p, high, g, g >= 0);
        high->high = 0;
    }
}

static void add_hinge(placed *p) {
    hold_point(p);
    if (p->world->def.dim == 3) {
        dvec u, v;
        dvec_across(p->axis, &u, &v);
        /* The error of the axes is their cross product. */
        const dvec axis_a = out_of_frame(body_at(p->world, p->joint->a), dvec_load(p->joint->axis_a));
        const dvec error = dvec_cross(p->axis, axis_a);
        hold(p, add_angular(p, u), dvec_dot(error, u));
        hold(p, add_angular(p, v), dvec_dot(error, v));
    }
    resist(p, add_angular, p->joint->position);
    bound_and_drive(p, add_angular, p->joint->position);
}

static void add_slider(placed *p) {
    hold_turn(p);
    dvec u, v;
    dvec_across(p->axis, &u, &v);
    /* The anchor of a travels along b, so forces act on b where a's anchor is now. */
    p->arm_b = dvec_add(p->arm_b, p->gap);
    hold(p, add_linear(p, u), dvec_dot(p->gap, u));
    if (p->world->def.dim == 3) hold(p, add_linear(p, v), dvec_dot(p->gap, v));
    resist(p, add_linear, p->joint->position);
    bound_and_drive(p, add_linear, p->joint->position);
}

/* g = |gap| - length. A rope only pulls: lambda <= 0. While it is slack, it may just become taut in this step. */
static void add_distance(placed *p) {
    const double g = p->joint->position - p->joint->length;
    row *r = add_linear(p, dvec_direction(p->gap));
    hold(p, r, g);
    if (r && p->joint->def.rope) {
        if (g < 0) r->target = -g / p->rows->dt;
        r->high = 0;
    }
}

static void add_spring(placed *p) {
    const rill_joint_def *def = &p->joint->def;
    row *r = has_spring(def) ? add_linear(p, dvec_direction(p->gap)) : NULL;
    if (r) hold_softly(p, r, p->joint->position - p->joint->length, (double)def->stiffness, (double)def->damping);
}

static placed place(rill_world *w, rows *r, joint *j) {
    const body *a = body_at(w, j->a), *b = body_at(w, j->b);
    placed p = {.world = w, .rows = r, .joint = j, .ok = true};
    p.arm_a = out_of_frame(a, dvec_load(j->arm_a));
    p.arm_b = out_of_frame(b, dvec_load(j->arm_b));
    p.gap = dvec_sub(dvec_add(centre_of(a), p.arm_a), dvec_add(centre_of(b), p.arm_b));
    p.axis = out_of_frame(b, dvec_load(j->axis_b));
    p.twist = quat_vector(
        quat_multiply(quat_multiply(turn_of(a), quat_conjugate(turn_of(b))), quat_conjugate(quat_load(j->rest))));
    return p;
}

/* The Jacobian of a hinge's or slider's position with respect to the motion of its first body. */
static void freedom_of(rill_world *w, joint *j, dvec *linear, dvec *angular) {
    const placed p = place(w, NULL, j);
    const bool turns = j->def.kind == RILL_JOINT_HINGE;
    *linear = turns ? (dvec){0} : p.axis;
    *angular = turns ? p.axis : dvec_cross(p.arm_a, p.axis);
}

/* g = (position_a - ratio position_b) minus its first value: one row, whose Jacobian is the difference of those of the
   two joints' positions. */
static void add_gear(placed *p) {
    joint *j = p->joint, *joints = POOL_ITEMS(p->world, joint), *ja = &joints[j->gear_a], *jb = &joints[j->gear_b];
    const double ratio = (double)j->def.ratio;
    if (ja->broken || jb->broken) return;
    dvec linear_a, angular_a, linear_b, angular_b;
    freedom_of(p->world, ja, &linear_a, &angular_a);
    freedom_of(p->world, jb, &linear_b, &angular_b);
    row *r = rill_rows_add(p->rows, j->a, linear_a, angular_a, j->b, dvec_scale(linear_b, ratio),
                           dvec_scale(angular_b, ratio));
    p->ok = r;
    if (!r) return;
    r->memory = &j->lambda[0];
    r->lambda = j->lambda[0];
    hold(p, r, j->position);
}

static double position_of(const placed *p) {
    switch ((rill_joint_kind)p->joint->def.kind) {
    case RILL_JOINT_HINGE: {
        /* The angle nearest to the last one, so that whole turns of a wheel are counted. */
        const double turn = 6.283185307179586, now = dvec_dot(p->twist, p->axis);
        return now + turn * round((p->joint->position - now) / turn);
    }
    case RILL_JOINT_SLIDER:
        return dvec_dot(p->gap, p->axis);
    case RILL_JOINT_DISTANCE:
    case RILL_JOINT_SPRING:
        return dvec_length(p->gap);
    case RILL_JOINT_GEAR:
        return gear_offset(p->world, p->joint) - p->joint->length;
    default:
        return 0;
    }
}

/* Whether a joint needs no rows: it is broken, or between bodies that do not move. Its load stays as it was. */
static bool rests(const rill_world *w, const joint *j) {
    return j->broken || (rill_body_still(body_at(w, j->a)) && (j->b < 0 || rill_body_still(body_at(w, j->b))));
}

rill_status rill_joints_add_rows(rill_world *w, rows *r) {
    FOR_ALIVE(w, joint, j) {
        j->first_row = r->count;
        j->row_count = 0;
        if (rests(w, j)) continue;
        placed p = place(w, r, j);
        j->position = position_of(&p);
        switch ((rill_joint_kind)j->def.kind) {
        case RILL_JOINT_BALL:
            hold_point(&p);
            break;
        case RILL_JOINT_HINGE:
            add_hinge(&p);
            break;
        case RILL_JOINT_SLIDER:
            add_slider(&p);
            break;
        case RILL_JOINT_FIXED:
            hold_point(&p);
            hold_turn(&p);
            break;
        case RILL_JOINT_DISTANCE:
            add_distance(&p);
            break;
        case RILL_JOINT_SPRING:
            add_spring(&p);
            break;
        case RILL_JOINT_GEAR:
            add_gear(&p);
            break;
        }
        j->row_count = r->count - j->first_row;
        if (!p.ok) return rill_fail(&w->error, RILL_MEMORY, "no memory for the rows of joint '%s'", j->def.name);
    }
    return RILL_OK;
}

/* How far a joint has opened [m]: the distance of points that it should hold together. Springs and gears have none. */
static double opening_of(const placed *p) {
    const joint *j = p->joint;
    switch ((rill_joint_kind)j->def.kind) {
    case RILL_JOINT_BALL:
    case RILL_JOINT_HINGE:
    case RILL_JOINT_FIXED:
        return dvec_length(p->gap);
    case RILL_JOINT_SLIDER:
        return dvec_length(dvec_along(p->gap, -dvec_dot(p->gap, p->axis), p->axis));
    case RILL_JOINT_DISTANCE:
        return j->def.rope ? fmax(j->position - j->length, 0) : fabs(j->position - j->length);
    default:
        return 0;
    }
}

static void finish(rill_world *w, const rows *r, joint *j) {
    dvec force = {0}, torque = {0};
    for (int k = 0; k < j->row_count; k++) {
        const row *item = &r->items[j->first_row + k];
        force = dvec_along(force, item->lambda / r->dt, item->a.linear);
        if (dvec_dot(item->a.linear, item->a.linear) == 0)
            torque = dvec_along(torque, item->lambda / r->dt, item->a.angular);
    }
    j->load_force = dvec_length(force);
    j->load_torque = dvec_length(torque);
    const placed p = place(w, NULL, j);
    const double before = j->position;
    j->position = position_of(&p);
    j->speed = (j->position - before) / r->dt;
    if (j->def.break_force > 0.0f && j->load_force > (double)j->def.break_force) {
        j->broken = true;
        forget_impulses(j);
    }
}

void rill_joints_finish(rill_world *w, const rows *r) {
    w->stats.joint_gap = 0;
    FOR_ALIVE(w, joint, j) {
        if (rests(w, j))
            j->speed = 0;
        else
            finish(w, r, j);
        const placed p = place(w, NULL, j);
        if (!j->broken) w->stats.joint_gap = fmax(w->stats.joint_gap, opening_of(&p));
    }
}

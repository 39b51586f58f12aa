/* SPDX-License-Identifier: MIT */
#include "rill_chipmunk.h"

#include "../common/hosting.h"

#include <chipmunk/chipmunk_private.h>
#include <stdlib.h>

/* Polygons with more corners than this are ignored. */
#define CORNERS_MAX 64

struct rill_chipmunk {
    cpConstraint constraint; /* first member: Chipmunk's callbacks get a pointer to it */
    cpBody anchor;           /* second end of the constraint: Chipmunk's lists need two different bodies */
    hosting hosts;
    cpSpace *space;
    rill_body_def surface;
    cpFloat dt;
    bool inside;
    rill_status status;
};

static rill_vec vec_of(cpVect v) {
    return (rill_vec){(float)v.x, (float)v.y, 0};
}

/* ---- shapes ---- */

typedef struct shape_room {
    rill_shape parts[HOSTING_PARTS_MAX];
    rill_vec points[HOSTING_PARTS_MAX][HOSTING_ROUNDED(CORNERS_MAX)];
    rill_vec corners[HOSTING_PARTS_MAX][CORNERS_MAX];
    float spacing;
    int count;
    bool fixed; /* belongs to a static body */
} shape_room;

static void add_shape(cpBody *body, cpShape *shape, void *context) {
    shape_room *room = context;
    (void)body;
    if (cpShapeGetSensor(shape) || room->count == HOSTING_PARTS_MAX) return;
    rill_shape *part = &room->parts[room->count];
    *part = rill_shape_default();
    if (shape->klass->type == CP_CIRCLE_SHAPE) {
        part->kind = RILL_SPHERE;
        part->position = vec_of(cpCircleShapeGetOffset(shape));
        part->radius = (float)cpCircleShapeGetRadius(shape);
    } else if (shape->klass->type == CP_SEGMENT_SHAPE) {
        if (room->fixed || !(cpSegmentShapeGetRadius(shape) > 0)) return;
        part->kind = RILL_CAPSULE;
        part->position = vec_of(cpSegmentShapeGetA(shape)), part->end = vec_of(cpSegmentShapeGetB(shape));
        part->radius = (float)cpSegmentShapeGetRadius(shape);
    } else {
        const int count = cpPolyShapeGetCount(shape);
        if (count > CORNERS_MAX) return;
        rill_vec *corners = room->corners[room->count];
        for (int k = 0; k < count; k++) corners[k] = vec_of(cpPolyShapeGetVert(shape, k));
        hosting_rounded(part, corners, count, (float)cpPolyShapeGetRadius(shape), room->spacing,
                        room->points[room->count]);
    }
    room->count++;
}

static void stamp_shape(cpBody *body, cpShape *shape, void *context) {
    uint64_t *stamp = context;
    (void)body;
    const int head[] = {(int)shape->klass->type, cpShapeGetSensor(shape)};
    *stamp = hosting_stamp(*stamp + 1, head, sizeof head);
    if (shape->klass->type == CP_CIRCLE_SHAPE) {
        const cpVect offset = cpCircleShapeGetOffset(shape);
        const cpFloat circle[] = {offset.x, offset.y, cpCircleShapeGetRadius(shape)};
        *stamp = hosting_stamp(*stamp, circle, sizeof circle);
    } else if (shape->klass->type == CP_SEGMENT_SHAPE) {
        const cpVect a = cpSegmentShapeGetA(shape), b = cpSegmentShapeGetB(shape);
        const cpFloat segment[] = {a.x, a.y, b.x, b.y, cpSegmentShapeGetRadius(shape)};
        *stamp = hosting_stamp(*stamp, segment, sizeof segment);
    } else {
        for (int k = 0; k < cpPolyShapeGetCount(shape); k++) {
            const cpVect corner = cpPolyShapeGetVert(shape, k);
            *stamp = hosting_stamp(*stamp, &corner, sizeof corner);
        }
        const cpFloat radius = cpPolyShapeGetRadius(shape);
        *stamp = hosting_stamp(*stamp, &radius, sizeof radius);
    }
}

static uint64_t stamp_of(cpBody *body) {
    uint64_t stamp = 0;
    cpBodyEachShape(body, stamp_shape, &stamp);
    return stamp;
}

/* ---- states of bodies ---- */

static void tell_body(cpBody *body, rill_hosted_state *state) {
    state->position = vec_of(cpBodyGetPosition(body));
    state->angle = (float)cpBodyGetAngle(body);
    state->velocity = vec_of(cpBodyGetVelocity(body));
    state->angular_velocity = (rill_vec){0, 0, (float)cpBodyGetAngularVelocity(body)};
    state->centre = vec_of(cpBodyGetCenterOfGravity(body));
    state->asleep = cpBodyIsSleeping(body);
    if (cpBodyGetType(body) != CP_BODY_TYPE_DYNAMIC) return;
    const float inverse = (float)(1 / cpBodyGetMass(body)), inertia = (float)(1 / cpBodyGetMoment(body));
    state->inverse_mass = (rill_vec){inverse, inverse, inverse};
    state->inverse_inertia[2][2] = inertia;
}

/* Within a step of the space: velocities include forces, joints and contacts; pre_step has kept earlier ones. */
static void tell_inside(void *engine, const hosting_link *link, rill_hosted_state *state) {
    (void)engine;
    tell_body(link->body, state);
    state->foretold = true;
    state->next_velocity = state->velocity, state->next_angular_velocity = state->angular_velocity;
    state->velocity = (rill_vec){(float)link->before[0], (float)link->before[1], 0};
    state->angular_velocity = (rill_vec){0, 0, (float)link->before[2]};
}

/* Before a step of the space: its gravity and the host's forces are known, contacts and joints are not. */
static void tell_before(void *engine, const hosting_link *link, rill_hosted_state *state) {
    const rill_chipmunk *adapter = engine;
    cpBody *body = link->body;
    tell_body(body, state);
    if (cpBodyGetType(body) != CP_BODY_TYPE_DYNAMIC) return;
    const cpVect weight = cpvmult(cpSpaceGetGravity(adapter->space), cpBodyGetMass(body));
    state->gravity_scale = 0;
    state->force = vec_of(cpvadd(weight, cpBodyGetForce(body)));
    state->torque = (rill_vec){0, 0, (float)cpBodyGetTorque(body)};
}

/* Changes velocities directly: cpBodyApplyImpulse would keep a body in still water from falling asleep. */
static void react_inside(void *engine, const hosting_link *link, double dt) {
    cpBody *body = link->body;
    (void)engine, (void)dt;
    if (cpBodyGetType(body) != CP_BODY_TYPE_DYNAMIC) return;
    if (link->wake) cpBodyActivate(body);
    if (cpBodyIsSleeping(body)) return;
    body->v = cpvadd(body->v, cpvmult(cpv(link->impulse[0], link->impulse[1]), body->m_inv));
    body->w += link->moment[2] * body->i_inv;
}

/* Applies the fluid's impulses as forces, which the space adds together with gravity: impulses would move a body before
   gravity does. */
static void react_before(void *engine, const hosting_link *link, double dt) {
    cpBody *body = link->body;
    (void)engine;
    if (cpBodyGetType(body) != CP_BODY_TYPE_DYNAMIC) return;
    if (link->wake) cpBodyActivate(body);
    if (cpBodyIsSleeping(body)) return;
    body->f = cpvadd(body->f, cpvmult(cpv(link->impulse[0], link->impulse[1]), 1 / dt));
    body->t += link->moment[2] / dt;
}

/* Tells Rill of pivots; the space alone keeps other joints. */
static void tell_joint(cpConstraint *constraint, void *context) {
    rill_chipmunk *adapter = context;
    if (!cpConstraintIsPivotJoint(constraint)) return;
    cpBody *bodies[] = {cpConstraintGetBodyA(constraint), cpConstraintGetBodyB(constraint)};
    hosting_link *a = hosting_find(&adapter->hosts, bodies[0]), *b = hosting_find(&adapter->hosts, bodies[1]);
    if (!a && !b) return;
    if ((!a && cpBodyGetType(bodies[0]) != CP_BODY_TYPE_STATIC) ||
        (!b && cpBodyGetType(bodies[1]) != CP_BODY_TYPE_STATIC))
        return;
    rill_joint_def def = rill_joint_def_default();
    def.kind = RILL_JOINT_HINGE;
    def.a = a ? a->id : b->id;
    if (a && b) def.b = b->id;
    def.anchor = vec_of(cpBodyLocalToWorld(bodies[0], cpPivotJointGetAnchorA(constraint)));
    hosting_join(&adapter->hosts, constraint, &def);
}

/* ---- bodies near the fluid ---- */

static hosting_link *register_body(rill_chipmunk *adapter, cpBody *body) {
    const uint64_t stamp = stamp_of(body);
    hosting_link *link = hosting_find_shaped(&adapter->hosts, body, stamp);
    if (link) return link;
    shape_room room;
    room.count = 0;
    room.spacing = rill_world_get_def(adapter->hosts.world)->spacing;
    room.fixed = cpBodyGetType(body) == CP_BODY_TYPE_STATIC;
    cpBodyEachShape(body, add_shape, &room);
    rill_hosted_state state = rill_hosted_state_default();
    tell_body(body, &state);
    return hosting_add(&adapter->hosts, body, stamp, &adapter->surface, room.parts, room.count, &state);
}

static void see_body(cpBody *body, void *context) {
    rill_chipmunk *adapter = context;
    hosting_link *link = hosting_find(&adapter->hosts, body);
    if (link && link->shape_stamp != stamp_of(body)) link = register_body(adapter, body);
    if (link) link->seen = true;
}

static void found_shape(cpShape *shape, void *context) {
    hosting_link *link = register_body(context, cpShapeGetBody(shape));
    if (link) link->seen = true;
}

/* Bodies once near the fluid stay known until they leave the space: away from it they cost next to nothing. */
static void gather(rill_chipmunk *adapter, cpFloat dt) {
    hosting_begin(&adapter->hosts);
    cpSpaceEachBody(adapter->space, see_body, adapter);
    see_body(cpSpaceGetStaticBody(adapter->space), adapter);
    hosting_end(&adapter->hosts);
    rill_vec min, max;
    if (!hosting_box(&adapter->hosts, dt, &min, &max)) return;
    const cpBB box = cpBBNew((cpFloat)min.x, (cpFloat)min.y, (cpFloat)max.x, (cpFloat)max.y);
    cpSpaceBBQuery(adapter->space, box, CP_SHAPE_FILTER_ALL, found_shape, adapter);
}

static rill_status fluid_step(rill_chipmunk *adapter, const hosting_calls *calls) {
    hosting_tell(&adapter->hosts, calls);
    cpSpaceEachConstraint(adapter->space, tell_joint, adapter);
    return hosting_step(&adapter->hosts, adapter->dt, calls);
}

/* ---- the constraint ---- */

static void pre_step(cpConstraint *constraint, cpFloat dt) {
    rill_chipmunk *adapter = (rill_chipmunk *)constraint;
    if (!adapter->inside) return;
    adapter->dt = dt;
    gather(adapter, dt);
    for (int k = 0; k < adapter->hosts.capacity; k++) {
        hosting_link *link = &adapter->hosts.links[k];
        const cpBody *body = link->body;
        if (body) link->before[0] = body->v.x, link->before[1] = body->v.y, link->before[2] = body->w;
    }
}

static void apply_cached(cpConstraint *constraint, cpFloat share) {
    rill_chipmunk *adapter = (rill_chipmunk *)constraint;
    (void)share;
    if (!adapter->inside) return;
    const hosting_calls calls = {adapter, tell_inside, react_inside, NULL};
    adapter->status = fluid_step(adapter, &calls);
}

static void apply(cpConstraint *constraint, cpFloat dt) {
    (void)constraint, (void)dt;
}

static cpFloat impulse_of(cpConstraint *constraint) {
    (void)constraint;
    return 0;
}

static const cpConstraintClass fluid_class = {pre_step, apply_cached, apply, impulse_of};

/* ---- public functions ---- */

rill_chipmunk *rill_chipmunk_create(rill_world *world, cpSpace *space) {
    if (!world || !space || rill_world_get_def(world)->dim != 2) return NULL;
    rill_chipmunk *adapter = calloc(1, sizeof *adapter);
    if (!adapter) return NULL;
    adapter->hosts = hosting_of(world);
    adapter->space = space;
    adapter->surface = rill_body_def_default();
    adapter->surface.displacement = RILL_DISPLACE_PUSH;
    adapter->inside = true;
    cpBodyInit(&adapter->anchor, 0, 0);
    cpBodySetType(&adapter->anchor, CP_BODY_TYPE_STATIC);
    cpConstraintInit(&adapter->constraint, &fluid_class, cpSpaceGetStaticBody(space), &adapter->anchor);
    cpSpaceAddConstraint(space, &adapter->constraint);
    return adapter;
}

void rill_chipmunk_destroy(rill_chipmunk *adapter) {
    if (!adapter) return;
    cpSpaceRemoveConstraint(adapter->space, &adapter->constraint);
    hosting_free(&adapter->hosts);
    free(adapter);
}

rill_status rill_chipmunk_status(const rill_chipmunk *adapter) {
    return adapter ? adapter->status : RILL_INVALID;
}

void rill_chipmunk_set_inside(rill_chipmunk *adapter, bool inside) {
    if (adapter) adapter->inside = inside;
}

rill_status rill_chipmunk_fluid_step(rill_chipmunk *adapter, cpFloat dt) {
    if (!adapter || adapter->inside) return RILL_INVALID;
    if (!(dt > 0)) return hosting_no_step(dt);
    const hosting_calls calls = {adapter, tell_before, react_before, NULL};
    adapter->dt = dt;
    gather(adapter, dt);
    return adapter->status = fluid_step(adapter, &calls);
}

rill_status rill_chipmunk_step(rill_chipmunk *adapter, cpFloat dt) {
    if (!adapter || !adapter->inside) return RILL_INVALID;
    if (!(dt > 0)) return hosting_no_step(dt);
    const int count = hosting_substeps(&adapter->hosts, dt), most = adapter->hosts.most;
    adapter->status = RILL_OK;
    adapter->hosts.most = most / count; /* for each step of the engine; 0 stays 0 */
    for (int k = 0; k < count && adapter->status == RILL_OK; k++) cpSpaceStep(adapter->space, dt / count);
    adapter->hosts.most = most;
    return adapter->status;
}

rill_body_id rill_chipmunk_body(rill_chipmunk *adapter, cpBody *body) {
    const hosting_link *link = adapter && body ? register_body(adapter, body) : NULL;
    return link ? link->id : (rill_body_id){0, 0};
}

void rill_chipmunk_forget(rill_chipmunk *adapter, cpBody *body) {
    if (adapter && body) hosting_remove(&adapter->hosts, body);
}

void rill_chipmunk_set_surface(rill_chipmunk *adapter, const rill_body_def *surface) {
    if (adapter && surface) adapter->surface = *surface;
}

void rill_chipmunk_set_most_steps(rill_chipmunk *adapter, int most) {
    if (adapter) adapter->hosts.most = most;
}

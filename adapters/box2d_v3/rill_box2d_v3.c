/* SPDX-License-Identifier: MIT */
#include "rill_box2d_v3.h"

#include "../common/hosting.h"

#include <box2d/box2d.h>
#include <stdlib.h>

/* Rill learns of at most this many joints of a body. */
#define JOINTS_MAX 32

struct rill_box2d_v3 {
    hosting hosts;
    b2WorldId engine;
    rill_body_def surface;
    int substeps;
};

/* The table identifies bodies by a pointer; an id of Box2D fits into a pointer of 64 bits. */
_Static_assert(sizeof(void *) >= sizeof(uint64_t), "ids of Box2D do not fit into pointers here");

static void *key_of(b2BodyId id) {
    return (void *)(uintptr_t)b2StoreBodyId(id);
}

static b2BodyId body_of(const void *key) {
    return b2LoadBodyId((uint64_t)(uintptr_t)key);
}

static rill_vec vec_of(b2Vec2 v) {
    return (rill_vec){v.x, v.y, 0};
}

/* ---- shapes ---- */

typedef struct shape_room {
    rill_shape parts[HOSTING_PARTS_MAX];
    rill_vec points[HOSTING_PARTS_MAX][HOSTING_ROUNDED(B2_MAX_POLYGON_VERTICES)];
    rill_vec corners[HOSTING_PARTS_MAX][B2_MAX_POLYGON_VERTICES];
    float spacing;
    int count;
} shape_room;

static void add_shape(shape_room *room, b2ShapeId shape) {
    if (b2Shape_IsSensor(shape) || room->count == HOSTING_PARTS_MAX) return;
    rill_shape *part = &room->parts[room->count];
    *part = rill_shape_default();
    const b2ShapeType type = b2Shape_GetType(shape);
    if (type == b2_circleShape) {
        const b2Circle circle = b2Shape_GetCircle(shape);
        part->kind = RILL_SPHERE;
        part->position = vec_of(circle.center), part->radius = circle.radius;
    } else if (type == b2_capsuleShape) {
        const b2Capsule capsule = b2Shape_GetCapsule(shape);
        part->kind = RILL_CAPSULE;
        part->position = vec_of(capsule.center1), part->end = vec_of(capsule.center2), part->radius = capsule.radius;
    } else if (type == b2_polygonShape) {
        const b2Polygon polygon = b2Shape_GetPolygon(shape);
        rill_vec *corners = room->corners[room->count];
        for (int k = 0; k < polygon.count; k++) corners[k] = vec_of(polygon.vertices[k]);
        hosting_rounded(part, corners, polygon.count, polygon.radius, room->spacing, room->points[room->count]);
    } else {
        return;
    }
    room->count++;
}

/* The shapes of a body, at most as many as Rill accepts. */
static int shapes_of(b2BodyId body, b2ShapeId shapes[HOSTING_PARTS_MAX]) {
    return b2Body_GetShapes(body, shapes, HOSTING_PARTS_MAX);
}

static uint64_t stamp_shape(uint64_t stamp, b2ShapeId shape) {
    const int head[] = {(int)b2Shape_GetType(shape), b2Shape_IsSensor(shape)};
    stamp = hosting_stamp(stamp + 1, head, sizeof head);
    if (head[0] == b2_circleShape) {
        const b2Circle circle = b2Shape_GetCircle(shape);
        return hosting_stamp(stamp, &circle, sizeof circle);
    }
    if (head[0] == b2_capsuleShape) {
        const b2Capsule capsule = b2Shape_GetCapsule(shape);
        return hosting_stamp(stamp, &capsule, sizeof capsule);
    }
    if (head[0] != b2_polygonShape) return stamp;
    const b2Polygon polygon = b2Shape_GetPolygon(shape);
    stamp = hosting_stamp(stamp, &polygon.radius, sizeof polygon.radius);
    return hosting_stamp(stamp, polygon.vertices, sizeof(b2Vec2) * (size_t)polygon.count);
}

static uint64_t stamp_of(b2BodyId body) {
    b2ShapeId shapes[HOSTING_PARTS_MAX];
    const int count = shapes_of(body, shapes);
    uint64_t stamp = 0;
    for (int k = 0; k < count; k++) stamp = stamp_shape(stamp, shapes[k]);
    return stamp;
}

/* ---- states of bodies ---- */

static void tell_forces(const rill_box2d_v3 *adapter, b2BodyId body, rill_hosted_state *state) {
    const float mass = b2Body_GetMass(body), inertia = b2Body_GetRotationalInertia(body);
    const b2MotionLocks locks = b2Body_GetMotionLocks(body);
    const float inverse = mass > 0 ? 1 / mass : 0;
    state->inverse_mass = (rill_vec){locks.linearX ? 0 : inverse, locks.linearY ? 0 : inverse, inverse};
    state->inverse_inertia[2][2] = locks.angularZ || !(inertia > 0) ? 0 : 1 / inertia;
    const b2Vec2 gravity = b2World_GetGravity(adapter->engine), v = b2Body_GetLinearVelocity(body);
    const float damping = mass * b2Body_GetLinearDamping(body), weight = mass * b2Body_GetGravityScale(body);
    state->gravity_scale = 0; /* the engine's gravity may differ from Rill's, so it is part of `force` */
    state->force = (rill_vec){weight * gravity.x - damping * v.x, weight * gravity.y - damping * v.y, 0};
}

static void tell(void *engine, const hosting_link *link, rill_hosted_state *state) {
    const b2BodyId body = body_of(link->body);
    const b2Pos x = b2Body_GetPosition(body);
    state->position = (rill_vec){(float)x.x, (float)x.y, 0};
    state->angle = b2Rot_GetAngle(b2Body_GetRotation(body));
    state->velocity = vec_of(b2Body_GetLinearVelocity(body));
    state->angular_velocity = (rill_vec){0, 0, b2Body_GetAngularVelocity(body)};
    state->centre = vec_of(b2Body_GetLocalCenter(body));
    state->asleep = !b2Body_IsAwake(body) && b2Body_GetType(body) != b2_staticBody;
    if (b2Body_GetType(body) == b2_dynamicBody) tell_forces(engine, body, state);
}

/* Applies the fluid's impulses as forces, which act in every substep of the engine, as gravity does. Impulses would act
   before all substeps, and lift and drop a floating body in every step. The forces do not wake a body: still water lets
   it fall asleep. */
static void react(void *engine, const hosting_link *link, double dt) {
    const b2BodyId body = body_of(link->body);
    (void)engine;
    if (b2Body_GetType(body) != b2_dynamicBody) return;
    if (link->wake) b2Body_SetAwake(body, true);
    const b2Vec2 force = {(float)(link->impulse[0] / dt), (float)(link->impulse[1] / dt)};
    b2Body_ApplyForceToCenter(body, force, false);
    b2Body_ApplyTorque(body, (float)(link->moment[2] / dt), false);
}

static void step_engine(void *engine, double dt) {
    const rill_box2d_v3 *adapter = engine;
    b2World_Step(adapter->engine, (float)dt, adapter->substeps);
}

/* ---- joints ---- */

/* Tells Rill of hinges and welds. The engine alone keeps other joints, and the fluid feels them a step later. */
static void tell_joint(rill_box2d_v3 *adapter, b2JointId joint) {
    const b2BodyId body_a = b2Joint_GetBodyA(joint), body_b = b2Joint_GetBodyB(joint);
    const hosting_link *a = hosting_find(&adapter->hosts, key_of(body_a));
    const hosting_link *b = hosting_find(&adapter->hosts, key_of(body_b));
    const bool hinge = b2Joint_GetType(joint) == b2_revoluteJoint;
    if ((!a && !b) || (!hinge && b2Joint_GetType(joint) != b2_weldJoint)) return;
    if ((!a && b2Body_GetType(body_a) != b2_staticBody) || (!b && b2Body_GetType(body_b) != b2_staticBody)) return;
    rill_joint_def def = rill_joint_def_default();
    def.kind = hinge ? RILL_JOINT_HINGE : RILL_JOINT_FIXED;
    /* Rill's motors turn a relative to b, Box2D's b relative to a. */
    def.a = b ? b->id : a->id;
    if (a && b) def.b = a->id;
    const b2Pos anchor = b2Body_GetWorldPoint(body_a, b2Joint_GetLocalFrameA(joint).p);
    def.anchor = (rill_vec){(float)anchor.x, (float)anchor.y, 0};
    if (hinge) {
        def.motor = b2RevoluteJoint_IsMotorEnabled(joint);
        def.motor_speed = b2RevoluteJoint_GetMotorSpeed(joint) * (b ? 1.0f : -1.0f);
        def.motor_force = b2RevoluteJoint_GetMaxMotorTorque(joint);
    }
    hosting_join(&adapter->hosts, (void *)(uintptr_t)b2StoreJointId(joint), &def);
}

/* Box2D lists joints by body. A joint between two known bodies is told twice; hosting_join keeps it once. */
static void tell_joints(rill_box2d_v3 *adapter) {
    for (int k = 0; k < adapter->hosts.capacity; k++) {
        if (!adapter->hosts.links[k].body) continue;
        b2JointId joints[JOINTS_MAX];
        const int count = b2Body_GetJoints(body_of(adapter->hosts.links[k].body), joints, JOINTS_MAX);
        for (int j = 0; j < count; j++) tell_joint(adapter, joints[j]);
    }
}

/* ---- bodies near the fluid ---- */

static hosting_link *register_body(rill_box2d_v3 *adapter, b2BodyId body) {
    const uint64_t stamp = stamp_of(body);
    hosting_link *link = hosting_find_shaped(&adapter->hosts, key_of(body), stamp);
    if (link) return link;
    shape_room room;
    b2ShapeId shapes[HOSTING_PARTS_MAX];
    const int count = shapes_of(body, shapes);
    room.count = 0;
    room.spacing = rill_world_get_def(adapter->hosts.world)->spacing;
    for (int k = 0; k < count; k++) add_shape(&room, shapes[k]);
    rill_hosted_state state = rill_hosted_state_default();
    tell(adapter, &(hosting_link){.body = key_of(body)}, &state);
    return hosting_add(&adapter->hosts, key_of(body), stamp, &adapter->surface, room.parts, room.count, &state);
}

static bool found(b2ShapeId shape, void *context) {
    register_body(context, b2Shape_GetBody(shape));
    return true;
}

/* Bodies once near the fluid stay known until they are destroyed or changed: away from it they cost next to nothing. */
static void gather(rill_box2d_v3 *adapter, double dt) {
    hosting_begin(&adapter->hosts);
    for (int k = 0; k < adapter->hosts.capacity; k++) {
        hosting_link *link = &adapter->hosts.links[k];
        if (!link->body) continue;
        const b2BodyId body = body_of(link->body);
        link->seen = b2Body_IsValid(body) && b2Body_IsEnabled(body) && stamp_of(body) == link->shape_stamp;
    }
    hosting_end(&adapter->hosts);
    rill_vec min, max;
    if (!hosting_box(&adapter->hosts, dt, &min, &max)) return;
    const b2AABB box = {.lowerBound = {min.x, min.y}, .upperBound = {max.x, max.y}};
    b2World_OverlapAABB(adapter->engine, b2Pos_zero, box, b2DefaultQueryFilter(), found, adapter);
}

static rill_status fluid_step(rill_box2d_v3 *adapter, float dt, bool interleaved) {
    const hosting_calls calls = {adapter, tell, react, interleaved ? step_engine : NULL};
    if (!(dt > 0)) return hosting_no_step((double)dt);
    gather(adapter, (double)dt);
    hosting_tell(&adapter->hosts, &calls);
    tell_joints(adapter);
    return hosting_step(&adapter->hosts, (double)dt, &calls);
}

/* ---- public functions ---- */

rill_box2d_v3 *rill_box2d_v3_create(rill_world *world, b2WorldId engine) {
    if (!world || !b2World_IsValid(engine) || rill_world_get_def(world)->dim != 2) return NULL;
    rill_box2d_v3 *adapter = malloc(sizeof *adapter);
    if (!adapter) return NULL;
    *adapter = (rill_box2d_v3){.hosts = hosting_of(world), .engine = engine, .surface = rill_body_def_default()};
    adapter->surface.displacement = RILL_DISPLACE_PUSH;
    return adapter;
}

void rill_box2d_v3_destroy(rill_box2d_v3 *adapter) {
    if (!adapter) return;
    hosting_free(&adapter->hosts);
    free(adapter);
}

rill_status rill_box2d_v3_step(rill_box2d_v3 *adapter, float dt, int substeps) {
    if (!adapter || substeps < 1) return RILL_INVALID;
    adapter->substeps = substeps;
    return fluid_step(adapter, dt, true);
}

rill_status rill_box2d_v3_fluid_step(rill_box2d_v3 *adapter, float dt) {
    return adapter ? fluid_step(adapter, dt, false) : RILL_INVALID;
}

rill_body_id rill_box2d_v3_body(rill_box2d_v3 *adapter, b2BodyId body) {
    const hosting_link *link = adapter && b2Body_IsValid(body) ? register_body(adapter, body) : NULL;
    return link ? link->id : (rill_body_id){0};
}

void rill_box2d_v3_set_surface(rill_box2d_v3 *adapter, const rill_body_def *surface) {
    if (adapter && surface) adapter->surface = *surface;
}

void rill_box2d_v3_set_most_steps(rill_box2d_v3 *adapter, int most) {
    if (adapter) adapter->hosts.most = most;
}

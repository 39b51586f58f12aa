/* SPDX-License-Identifier: MIT */
#include "rill_box3d.h"

#include "../common/hosting.h"

#include <box3d/box3d.h>
#include <stdlib.h>

/* Rill learns of at most this many joints of a body. */
#define JOINTS_MAX 32

struct rill_box3d {
    hosting hosts;
    b3WorldId engine;
    rill_body_def surface;
    int substeps;
};

/* The table identifies bodies by a pointer; an id of Box3D fits into a pointer of 64 bits. */
_Static_assert(sizeof(void *) >= sizeof(uint64_t), "ids of Box3D do not fit into pointers here");

static void *key_of(b3BodyId id) {
    return (void *)(uintptr_t)b3StoreBodyId(id);
}

static b3BodyId body_of(const void *key) {
    return b3LoadBodyId((uint64_t)(uintptr_t)key);
}

static rill_vec vec_of(b3Vec3 v) {
    return (rill_vec){v.x, v.y, v.z};
}

/* ---- shapes ---- */

typedef struct shape_room {
    rill_shape parts[HOSTING_PARTS_MAX];
    rill_vec *points[HOSTING_PARTS_MAX]; /* of hulls */
    int count;
} shape_room;

static bool hull_of(b3ShapeId shape, rill_shape *part, rill_vec **points) {
    const b3HullData *hull = b3Shape_GetHull(shape);
    const b3Vec3 *corners = b3GetHullPoints(hull);
    *points = corners ? malloc(sizeof **points * (size_t)hull->vertexCount) : NULL;
    if (!*points) return false;
    for (int k = 0; k < hull->vertexCount; k++) (*points)[k] = vec_of(corners[k]);
    part->kind = RILL_HULL;
    part->points = (rill_points){*points, hull->vertexCount};
    return true;
}

static void add_shape(shape_room *room, b3ShapeId shape) {
    if (b3Shape_IsSensor(shape) || room->count == HOSTING_PARTS_MAX) return;
    rill_shape *part = &room->parts[room->count];
    *part = rill_shape_default();
    room->points[room->count] = NULL;
    const b3ShapeType type = b3Shape_GetType(shape);
    if (type == b3_sphereShape) {
        const b3Sphere sphere = b3Shape_GetSphere(shape);
        part->kind = RILL_SPHERE;
        part->position = vec_of(sphere.center), part->radius = sphere.radius;
    } else if (type == b3_capsuleShape) {
        const b3Capsule capsule = b3Shape_GetCapsule(shape);
        part->kind = RILL_CAPSULE;
        part->position = vec_of(capsule.center1), part->end = vec_of(capsule.center2), part->radius = capsule.radius;
    } else if (type != b3_hullShape || !hull_of(shape, part, &room->points[room->count])) {
        return;
    }
    room->count++;
}

/* The shapes of a body, at most as many as Rill accepts. */
static int shapes_of(b3BodyId body, b3ShapeId shapes[HOSTING_PARTS_MAX]) {
    return b3Body_GetShapes(body, shapes, HOSTING_PARTS_MAX);
}

static uint64_t stamp_shape(uint64_t stamp, b3ShapeId shape) {
    const int head[] = {(int)b3Shape_GetType(shape), b3Shape_IsSensor(shape)};
    stamp = hosting_stamp(stamp + 1, head, sizeof head);
    if (head[0] == b3_sphereShape) {
        const b3Sphere sphere = b3Shape_GetSphere(shape);
        return hosting_stamp(stamp, &sphere, sizeof sphere);
    }
    if (head[0] == b3_capsuleShape) {
        const b3Capsule capsule = b3Shape_GetCapsule(shape);
        return hosting_stamp(stamp, &capsule, sizeof capsule);
    }
    if (head[0] != b3_hullShape) return stamp;
    const uint64_t hash = b3Shape_GetHull(shape)->hash;
    return hosting_stamp(stamp, &hash, sizeof hash);
}

static uint64_t stamp_of(b3BodyId body) {
    b3ShapeId shapes[HOSTING_PARTS_MAX];
    const int count = shapes_of(body, shapes);
    uint64_t stamp = 0;
    for (int k = 0; k < count; k++) stamp = stamp_shape(stamp, shapes[k]);
    return stamp;
}

/* ---- states of bodies ---- */

static void tell_column(rill_hosted_state *state, int column, b3Vec3 v) {
    state->inverse_inertia[0][column] = v.x;
    state->inverse_inertia[1][column] = v.y;
    state->inverse_inertia[2][column] = v.z;
}

/* The inverse inertia stays 0 if all three rotations are locked. Locks of single rotations, which are about axes of the
   world, are kept by the engine alone. */
static void tell_mass(b3BodyId body, rill_hosted_state *state) {
    const float inverse = b3Body_GetInverseMass(body);
    const b3MotionLocks locks = b3Body_GetMotionLocks(body);
    state->inverse_mass =
        (rill_vec){locks.linearX ? 0 : inverse, locks.linearY ? 0 : inverse, locks.linearZ ? 0 : inverse};
    if (locks.angularX && locks.angularY && locks.angularZ) return;
    const b3Matrix3 inertia = b3InvertMatrix(b3Body_GetLocalRotationalInertia(body));
    tell_column(state, 0, inertia.cx), tell_column(state, 1, inertia.cy), tell_column(state, 2, inertia.cz);
}

static void tell_forces(const rill_box3d *adapter, b3BodyId body, rill_hosted_state *state) {
    const b3Vec3 gravity = b3World_GetGravity(adapter->engine), v = b3Body_GetLinearVelocity(body);
    const float mass = b3Body_GetMass(body);
    const float damping = mass * b3Body_GetLinearDamping(body), weight = mass * b3Body_GetGravityScale(body);
    state->gravity_scale = 0; /* the engine's gravity may differ from Rill's, so it is part of `force` */
    state->force = (rill_vec){weight * gravity.x - damping * v.x, weight * gravity.y - damping * v.y,
                              weight * gravity.z - damping * v.z};
}

static void tell(void *engine, const hosting_link *link, rill_hosted_state *state) {
    const b3BodyId body = body_of(link->body);
    const b3Pos x = b3Body_GetPosition(body);
    const b3Quat q = b3Body_GetRotation(body);
    state->position = (rill_vec){(float)x.x, (float)x.y, (float)x.z};
    state->quaternion[0] = q.v.x, state->quaternion[1] = q.v.y, state->quaternion[2] = q.v.z;
    state->quaternion[3] = q.s;
    state->velocity = vec_of(b3Body_GetLinearVelocity(body));
    state->angular_velocity = vec_of(b3Body_GetAngularVelocity(body));
    state->centre = vec_of(b3Body_GetLocalCenter(body));
    state->asleep = !b3Body_IsAwake(body) && b3Body_GetType(body) != b3_staticBody;
    if (b3Body_GetType(body) != b3_dynamicBody) return;
    tell_mass(body, state);
    tell_forces(engine, body, state);
}

/* Applies the fluid's impulses as forces, which act in every substep of the engine, as gravity does. Impulses would act
   before all substeps, and lift and drop a floating body in every step. The forces do not wake a body: still water lets
   it fall asleep. */
static void react(void *engine, const hosting_link *link, double dt) {
    const b3BodyId body = body_of(link->body);
    (void)engine;
    if (b3Body_GetType(body) != b3_dynamicBody) return;
    if (link->wake) b3Body_SetAwake(body, true);
    const double *p = link->impulse, *m = link->moment;
    b3Body_ApplyForceToCenter(body, (b3Vec3){(float)(p[0] / dt), (float)(p[1] / dt), (float)(p[2] / dt)}, false);
    b3Body_ApplyTorque(body, (b3Vec3){(float)(m[0] / dt), (float)(m[1] / dt), (float)(m[2] / dt)}, false);
}

static void step_engine(void *engine, double dt) {
    const rill_box3d *adapter = engine;
    b3World_Step(adapter->engine, (float)dt, adapter->substeps);
}

/* ---- joints ---- */

/* Tells Rill of hinges and welds. The engine alone keeps other joints, and the fluid feels them a step later. */
static void tell_joint(rill_box3d *adapter, b3JointId joint) {
    const b3BodyId body_a = b3Joint_GetBodyA(joint), body_b = b3Joint_GetBodyB(joint);
    const hosting_link *a = hosting_find(&adapter->hosts, key_of(body_a));
    const hosting_link *b = hosting_find(&adapter->hosts, key_of(body_b));
    const bool hinge = b3Joint_GetType(joint) == b3_revoluteJoint;
    if ((!a && !b) || (!hinge && b3Joint_GetType(joint) != b3_weldJoint)) return;
    if ((!a && b3Body_GetType(body_a) != b3_staticBody) || (!b && b3Body_GetType(body_b) != b3_staticBody)) return;
    rill_joint_def def = rill_joint_def_default();
    def.kind = hinge ? RILL_JOINT_HINGE : RILL_JOINT_FIXED;
    /* Rill's motors turn a relative to b, Box3D's b relative to a. */
    def.a = b ? b->id : a->id;
    if (a && b) def.b = a->id;
    const b3Transform frame = b3Joint_GetLocalFrameA(joint);
    const b3Pos anchor = b3Body_GetWorldPoint(body_a, frame.p);
    def.anchor = (rill_vec){(float)anchor.x, (float)anchor.y, (float)anchor.z};
    if (hinge) { /* about the z axis of its frame */
        def.axis = vec_of(b3Body_GetWorldVector(body_a, b3RotateVector(frame.q, (b3Vec3){0, 0, 1})));
        def.motor = b3RevoluteJoint_IsMotorEnabled(joint);
        def.motor_speed = b3RevoluteJoint_GetMotorSpeed(joint) * (b ? 1.0f : -1.0f);
        def.motor_force = b3RevoluteJoint_GetMaxMotorTorque(joint);
    }
    hosting_join(&adapter->hosts, (void *)(uintptr_t)b3StoreJointId(joint), &def);
}

/* Box3D lists joints by body. A joint between two known bodies is told twice; hosting_join keeps it once. */
static void tell_joints(rill_box3d *adapter) {
    for (int k = 0; k < adapter->hosts.capacity; k++) {
        if (!adapter->hosts.links[k].body) continue;
        b3JointId joints[JOINTS_MAX];
        const int count = b3Body_GetJoints(body_of(adapter->hosts.links[k].body), joints, JOINTS_MAX);
        for (int j = 0; j < count; j++) tell_joint(adapter, joints[j]);
    }
}

/* ---- bodies near the fluid ---- */

static hosting_link *register_body(rill_box3d *adapter, b3BodyId body) {
    const uint64_t stamp = stamp_of(body);
    hosting_link *link = hosting_find_shaped(&adapter->hosts, key_of(body), stamp);
    if (link) return link;
    shape_room room;
    b3ShapeId shapes[HOSTING_PARTS_MAX];
    const int count = shapes_of(body, shapes);
    room.count = 0;
    for (int k = 0; k < count; k++) add_shape(&room, shapes[k]);
    rill_hosted_state state = rill_hosted_state_default();
    tell(adapter, &(hosting_link){.body = key_of(body)}, &state);
    link = hosting_add(&adapter->hosts, key_of(body), stamp, &adapter->surface, room.parts, room.count, &state);
    for (int k = 0; k < room.count; k++) free(room.points[k]);
    return link;
}

static bool found(b3ShapeId shape, void *context) {
    register_body(context, b3Shape_GetBody(shape));
    return true;
}

/* Bodies once near the fluid stay known until they are destroyed or changed: away from it they cost next to nothing. */
static void gather(rill_box3d *adapter, double dt) {
    hosting_begin(&adapter->hosts);
    for (int k = 0; k < adapter->hosts.capacity; k++) {
        hosting_link *link = &adapter->hosts.links[k];
        if (!link->body) continue;
        const b3BodyId body = body_of(link->body);
        link->seen = b3Body_IsValid(body) && b3Body_IsEnabled(body) && stamp_of(body) == link->shape_stamp;
    }
    hosting_end(&adapter->hosts);
    rill_vec min, max;
    if (!hosting_box(&adapter->hosts, dt, &min, &max)) return;
    const b3AABB box = {.lowerBound = {min.x, min.y, min.z}, .upperBound = {max.x, max.y, max.z}};
    b3World_OverlapAABB(adapter->engine, box, b3DefaultQueryFilter(), found, adapter);
}

static rill_status fluid_step(rill_box3d *adapter, float dt, bool interleaved) {
    const hosting_calls calls = {adapter, tell, react, interleaved ? step_engine : NULL};
    if (!(dt > 0)) return hosting_no_step((double)dt);
    gather(adapter, (double)dt);
    hosting_tell(&adapter->hosts, &calls);
    tell_joints(adapter);
    return hosting_step(&adapter->hosts, (double)dt, &calls);
}

/* ---- public functions ---- */

rill_box3d *rill_box3d_create(rill_world *world, b3WorldId engine) {
    if (!world || !b3World_IsValid(engine) || rill_world_get_def(world)->dim != 3) return NULL;
    rill_box3d *adapter = malloc(sizeof *adapter);
    if (!adapter) return NULL;
    *adapter = (rill_box3d){.hosts = hosting_of(world), .engine = engine, .surface = rill_body_def_default()};
    adapter->surface.displacement = RILL_DISPLACE_PUSH;
    return adapter;
}

void rill_box3d_destroy(rill_box3d *adapter) {
    if (!adapter) return;
    hosting_free(&adapter->hosts);
    free(adapter);
}

rill_status rill_box3d_step(rill_box3d *adapter, float dt, int substeps) {
    if (!adapter || substeps < 1) return RILL_INVALID;
    adapter->substeps = substeps;
    return fluid_step(adapter, dt, true);
}

rill_status rill_box3d_fluid_step(rill_box3d *adapter, float dt) {
    return adapter ? fluid_step(adapter, dt, false) : RILL_INVALID;
}

rill_body_id rill_box3d_body(rill_box3d *adapter, b3BodyId body) {
    const hosting_link *link = adapter && b3Body_IsValid(body) ? register_body(adapter, body) : NULL;
    return link ? link->id : (rill_body_id){0};
}

void rill_box3d_set_surface(rill_box3d *adapter, const rill_body_def *surface) {
    if (adapter && surface) adapter->surface = *surface;
}

void rill_box3d_set_most_steps(rill_box3d *adapter, int most) {
    if (adapter) adapter->hosts.most = most;
}

/* SPDX-License-Identifier: MIT */
#include "rill_ode.h"

#include "../common/hosting.h"

#include <math.h>
#include <stdlib.h>

/* Meshes with more triangles than this are ignored. */
#define TRIANGLES_MAX 100000

struct rill_ode {
    hosting hosts;
    dWorldID engine;
    dSpaceID space;
    rill_body_def surface;
    rill_ode_step_fn *step;
    void *context;
};

static rill_vec vec_of(const dReal *v) {
    return (rill_vec){(float)v[0], (float)v[1], (float)v[2]};
}

/* ---- shapes ---- */

typedef struct shape_room {
    rill_shape parts[HOSTING_PARTS_MAX];
    rill_vec *points[HOSTING_PARTS_MAX]; /* of meshes */
    int count;
} shape_room;

/* Pose of a geometry in the coordinates of its body. */
typedef struct offset {
    dVector3 position;
    dMatrix3 turn;
    dQuaternion quaternion; /* w, x, y, z */
} offset;

static offset offset_of(dGeomID geom) {
    offset o = {{0}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {1, 0, 0, 0}};
    if (!dGeomIsOffset(geom)) return o;
    const dReal *position = dGeomGetOffsetPosition(geom), *turn = dGeomGetOffsetRotation(geom);
    for (int k = 0; k < 3; k++) o.position[k] = position[k];
    for (int k = 0; k < 12; k++) o.turn[k] = turn[k];
    dGeomGetOffsetQuaternion(geom, o.quaternion);
    return o;
}

static rill_shape box_of(dGeomID geom, const offset *o) {
    rill_shape shape = rill_shape_default();
    dVector3 size;
    dGeomBoxGetLengths(geom, size);
    const rill_vec c = vec_of(o->position), half = {(float)size[0] / 2, (float)size[1] / 2, (float)size[2] / 2};
    shape.min = (rill_vec){c.x - half.x, c.y - half.y, c.z - half.z};
    shape.max = (rill_vec){c.x + half.x, c.y + half.y, c.z + half.z};
    const dReal *q = o->quaternion;
    const double sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (sine > 1e-9) {
        shape.angle = (float)(2 * atan2(sine, q[0]));
        shape.axis = (rill_vec){(float)(q[1] / sine), (float)(q[2] / sine), (float)(q[3] / sine)};
    }
    return shape;
}

/* ODE's capsules and cylinders lie along the z axis of the geometry. */
static rill_shape rod_of(dGeomID geom, const offset *o, bool capsule) {
    rill_shape shape = rill_shape_default();
    dReal radius, length;
    if (capsule)
        dGeomCapsuleGetParams(geom, &radius, &length);
    else
        dGeomCylinderGetParams(geom, &radius, &length);
    shape.kind = capsule ? RILL_CAPSULE : RILL_CYLINDER;
    shape.radius = (float)radius;
    dVector3 ends[2];
    for (int k = 0; k < 3; k++) {
        const dReal half = o->turn[4 * k + 2] * length / 2;
        ends[0][k] = o->position[k] - half, ends[1][k] = o->position[k] + half;
    }
    shape.position = vec_of(ends[0]), shape.end = vec_of(ends[1]);
    return shape;
}

/* ODE returns the corners in world coordinates. */
static bool mesh_of(dGeomID geom, rill_shape *shape, rill_vec **points) {
    const int count = dGeomTriMeshGetTriangleCount(geom);
    *points = count > 0 && count <= TRIANGLES_MAX ? malloc(sizeof(rill_vec[3]) * (size_t)count) : NULL;
    if (!*points) return false;
    for (int k = 0; k < count; k++) {
        dVector3 corners[3], at;
        dGeomTriMeshGetTriangle(geom, k, &corners[0], &corners[1], &corners[2]);
        for (int c = 0; c < 3; c++) {
            dBodyGetPosRelPoint(dGeomGetBody(geom), corners[c][0], corners[c][1], corners[c][2], at);
            (*points)[3 * k + c] = vec_of(at);
        }
    }
    *shape = rill_shape_default();
    shape->kind = RILL_MESH;
    shape->points = (rill_points){*points, 3 * count};
    return true;
}

static void add_geom(shape_room *room, dGeomID geom) {
    if (room->count == HOSTING_PARTS_MAX) return;
    const offset o = offset_of(geom);
    rill_shape *part = &room->parts[room->count];
    room->points[room->count] = NULL;
    switch (dGeomGetClass(geom)) {
    case dBoxClass:
        *part = box_of(geom, &o);
        break;
    case dCapsuleClass:
        *part = rod_of(geom, &o, true);
        break;
    case dCylinderClass:
        *part = rod_of(geom, &o, false);
        break;
    case dSphereClass:
        *part = rill_shape_default();
        part->kind = RILL_SPHERE;
        part->position = vec_of(o.position);
        part->radius = (float)dGeomSphereGetRadius(geom);
        break;
    case dTriMeshClass:
        if (!mesh_of(geom, part, &room->points[room->count])) return;
        break;
    default:
        return;
    }
    room->count++;
}

static uint64_t stamp_of(dBodyID body) {
    uint64_t stamp = 0;
    for (dGeomID geom = dBodyGetFirstGeom(body); geom; geom = dBodyGetNextGeom(geom)) {
        const offset o = offset_of(geom);
        const int kind = dGeomGetClass(geom);
        dReal size[4] = {0};
        dTriMeshDataID mesh = 0;
        if (kind == dBoxClass) dGeomBoxGetLengths(geom, size);
        if (kind == dSphereClass) size[0] = dGeomSphereGetRadius(geom);
        if (kind == dCapsuleClass) dGeomCapsuleGetParams(geom, &size[0], &size[1]);
        if (kind == dCylinderClass) dGeomCylinderGetParams(geom, &size[0], &size[1]);
        if (kind == dTriMeshClass)
            size[0] = dGeomTriMeshGetTriangleCount(geom), mesh = dGeomTriMeshGetTriMeshDataID(geom);
        stamp = hosting_stamp(hosting_stamp(stamp + 1, &kind, sizeof kind), &mesh, sizeof mesh);
        stamp = hosting_stamp(hosting_stamp(stamp, size, sizeof(dReal[3])), o.position, sizeof(dReal[3]));
        for (int row = 0; row < 3; row++) stamp = hosting_stamp(stamp, &o.turn[4 * row], sizeof(dReal[3]));
    }
    return stamp;
}

/* ---- states of bodies ---- */

static void weigh(dBodyID body, rill_hosted_state *state) {
    dMass mass;
    dMatrix3 inverse;
    dBodyGetMass(body, &mass);
    const float m = (float)(1 / mass.mass);
    state->inverse_mass = (rill_vec){m, m, m};
    if (dInvertPDMatrix(mass.I, inverse, 3))
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) state->inverse_inertia[r][c] = (float)inverse[4 * r + c];
}

/* Bodies of ODE have their centre of mass at the origin of their coordinates. */
static void tell(void *engine, const hosting_link *link, rill_hosted_state *state) {
    const rill_ode *adapter = engine;
    dBodyID body = link->body;
    const dReal *q = dBodyGetQuaternion(body);
    state->position = vec_of(dBodyGetPosition(body));
    for (int k = 0; k < 4; k++) state->quaternion[k] = (float)q[(k + 1) % 4];
    state->velocity = vec_of(dBodyGetLinearVel(body));
    state->angular_velocity = vec_of(dBodyGetAngularVel(body));
    state->asleep = !dBodyIsEnabled(body);
    if (dBodyIsKinematic(body)) return;
    weigh(body, state);
    dVector3 gravity = {0};
    if (dBodyGetGravityMode(body)) dWorldGetGravity(adapter->engine, gravity);
    const dReal *force = dBodyGetForce(body);
    const float m = 1 / state->inverse_mass.x;
    state->gravity_scale = 0; /* the engine's gravity may differ from Rill's, so it is part of `force` */
    state->force = (rill_vec){m * (float)gravity[0] + (float)force[0], m * (float)gravity[1] + (float)force[1],
                              m * (float)gravity[2] + (float)force[2]};
    state->torque = vec_of(dBodyGetTorque(body));
}

static void react(void *engine, const hosting_link *link, double dt) {
    dBodyID body = link->body;
    (void)engine;
    if (dBodyIsKinematic(body)) return;
    if (link->wake) dBodyEnable(body);
    if (!dBodyIsEnabled(body)) return;
    const double rate = 1 / dt;
    dBodyAddForce(body, link->impulse[0] * rate, link->impulse[1] * rate, link->impulse[2] * rate);
    dBodyAddTorque(body, link->moment[0] * rate, link->moment[1] * rate, link->moment[2] * rate);
}

/* Tells Rill of hinges. The engine alone keeps other joints, and the fluid feels their effect a step later. */
static void tell_joint(rill_ode *adapter, dJointID joint) {
    if (dJointGetType(joint) != dJointTypeHinge || !dJointIsEnabled(joint)) return;
    dBodyID bodies[] = {dJointGetBody(joint, 0), dJointGetBody(joint, 1)};
    const hosting_link *links[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) links[k] = bodies[k] ? hosting_find(&adapter->hosts, bodies[k]) : NULL;
    if ((bodies[0] && !links[0]) || (bodies[1] && !links[1]) || (!links[0] && !links[1])) return;
    dVector3 anchor, axis;
    dJointGetHingeAnchor(joint, anchor);
    dJointGetHingeAxis(joint, axis);
    rill_joint_def def = rill_joint_def_default();
    def.kind = RILL_JOINT_HINGE;
    def.a = links[0] ? links[0]->id : links[1]->id;
    if (links[0] && links[1]) def.b = links[1]->id;
    def.anchor = vec_of(anchor), def.axis = vec_of(axis);
    hosting_join(&adapter->hosts, joint, &def);
}

/* ---- bodies near the fluid ---- */

static hosting_link *register_body(rill_ode *adapter, dBodyID body) {
    const uint64_t stamp = stamp_of(body);
    hosting_link *link = hosting_find_shaped(&adapter->hosts, body, stamp);
    if (link) return link;
    shape_room room;
    room.count = 0;
    for (dGeomID geom = dBodyGetFirstGeom(body); geom; geom = dBodyGetNextGeom(geom)) add_geom(&room, geom);
    rill_hosted_state state = rill_hosted_state_default();
    tell(adapter, &(hosting_link){.body = body}, &state);
    link = hosting_add(&adapter->hosts, body, stamp, &adapter->surface, room.parts, room.count, &state);
    for (int k = 0; k < room.count; k++) free(room.points[k]);
    return link;
}

static bool meets(dGeomID geom, rill_vec min, rill_vec max) {
    dReal box[6];
    dGeomGetAABB(geom, box);
    return box[0] <= (dReal)max.x && box[1] >= (dReal)min.x && box[2] <= (dReal)max.y && box[3] >= (dReal)min.y &&
           box[4] <= (dReal)max.z && box[5] >= (dReal)min.z;
}

/* Bodies once near the fluid stay known until they leave the space: away from it they cost next to nothing. */
static void gather(rill_ode *adapter, double dt) {
    rill_vec min, max;
    hosting_begin(&adapter->hosts);
    const bool fluid = hosting_box(&adapter->hosts, dt, &min, &max);
    for (int k = 0; k < dSpaceGetNumGeoms(adapter->space); k++) {
        dGeomID geom = dSpaceGetGeom(adapter->space, k);
        dBodyID body = dGeomIsSpace(geom) ? NULL : dGeomGetBody(geom);
        if (!body) continue;
        hosting_link *link = hosting_find(&adapter->hosts, body);
        if (link ? link->shape_stamp != stamp_of(body) : fluid && meets(geom, min, max))
            link = register_body(adapter, body);
        if (link) link->seen = true;
    }
    hosting_end(&adapter->hosts);
}

static void tell_joints(rill_ode *adapter) {
    for (int k = 0; k < adapter->hosts.capacity; k++) {
        dBodyID body = adapter->hosts.links[k].body;
        for (int j = 0; body && j < dBodyGetNumJoints(body); j++) tell_joint(adapter, dBodyGetJoint(body, j));
    }
}

/* ---- public functions ---- */

rill_ode *rill_ode_create(rill_world *world, dWorldID engine, dSpaceID space) {
    if (!world || !engine || !space || rill_world_get_def(world)->dim != 3) return NULL;
    rill_ode *adapter = calloc(1, sizeof *adapter);
    if (!adapter) return NULL;
    adapter->hosts = hosting_of(world);
    adapter->engine = engine;
    adapter->space = space;
    adapter->surface = rill_body_def_default();
    adapter->surface.displacement = RILL_DISPLACE_PUSH;
    return adapter;
}

void rill_ode_destroy(rill_ode *adapter) {
    if (!adapter) return;
    hosting_free(&adapter->hosts);
    free(adapter);
}

static void step_engine(void *engine, double dt) {
    const rill_ode *adapter = engine;
    adapter->step(adapter->context, dt);
}

static rill_status fluid_step(rill_ode *adapter, double dt, bool interleaved) {
    const hosting_calls calls = {adapter, tell, react, interleaved ? step_engine : NULL};
    if (!(dt > 0)) return hosting_no_step(dt);
    gather(adapter, dt);
    hosting_tell(&adapter->hosts, &calls);
    tell_joints(adapter);
    return hosting_step(&adapter->hosts, dt, &calls);
}

rill_status rill_ode_fluid_step(rill_ode *adapter, double dt) {
    return adapter ? fluid_step(adapter, dt, false) : RILL_INVALID;
}

rill_status rill_ode_step(rill_ode *adapter, double dt, rill_ode_step_fn *step, void *context) {
    if (!adapter || !step) return RILL_INVALID;
    adapter->step = step, adapter->context = context;
    return fluid_step(adapter, dt, true);
}

rill_body_id rill_ode_body(rill_ode *adapter, dBodyID body) {
    const hosting_link *link = adapter && body ? register_body(adapter, body) : NULL;
    return link ? link->id : (rill_body_id){0, 0};
}

void rill_ode_forget(rill_ode *adapter, dBodyID body) {
    if (adapter && body) hosting_remove(&adapter->hosts, body);
}

void rill_ode_set_surface(rill_ode *adapter, const rill_body_def *surface) {
    if (adapter && surface) adapter->surface = *surface;
}

void rill_ode_set_most_steps(rill_ode *adapter, int most) {
    if (adapter) adapter->hosts.most = most;
}

/* SPDX-License-Identifier: MIT */
#include "engine.h"

#include "../box3d/rill_box3d.h"

#include <box3d/box3d.h>
#include <math.h>
#include <stdlib.h>

#define SUBSTEPS 4

typedef struct table {
    b3WorldId engine;
    b3BodyId ground;
    b3MeshData *walls;
    rill_box3d *adapter;
} table;

/* The tests identify bodies by a pointer. */
static void *key_of(b3BodyId id) {
    return (void *)(uintptr_t)b3StoreBodyId(id);
}

static b3BodyId body_of(void *key) {
    return b3LoadBodyId((uint64_t)(uintptr_t)key);
}

static b3Pos position_of(rill_vec v) {
    b3Pos p = b3Pos_zero;
    p.x = v.x, p.y = v.y, p.z = v.z;
    return p;
}

/* The tank is a mesh, which the adapter ignores: Rill has a tank of its own. */
static void *create(rill_world *world, double g, bool tank, rill_vec size) {
    table *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    b3WorldDef def = b3DefaultWorldDef();
    def.gravity = (b3Vec3){0, (float)-g, 0};
    self->engine = b3CreateWorld(&def);
    self->adapter = rill_box3d_create(world, self->engine);
    const b3BodyDef ground = b3DefaultBodyDef();
    self->ground = b3CreateBody(self->engine, &ground);
    if (!tank) return self;
    const b3ShapeDef shape = b3DefaultShapeDef();
    const b3Vec3 half = {size.x / 2, size.y / 2, size.z / 2};
    self->walls = b3CreateHollowBoxMesh(half, half);
    b3CreateMeshShape(self->ground, &shape, self->walls, (b3Vec3){1, 1, 1});
    return self;
}

static void destroy(void *of) {
    table *self = of;
    rill_box3d_destroy(self->adapter);
    b3DestroyWorld(self->engine);
    if (self->walls) b3DestroyMesh(self->walls);
    free(self);
}

static b3BodyId body_at(const table *self, rill_vec centre, double angle) {
    b3BodyDef def = b3DefaultBodyDef();
    def.type = b3_dynamicBody;
    def.position = position_of(centre);
    def.rotation = b3MakeQuatFromAxisAngle((b3Vec3){0, 0, 1}, (float)angle);
    return b3CreateBody(self->engine, &def);
}

static void add_hull(b3BodyId body, double width, double height, double depth, double density) {
    b3ShapeDef def = b3DefaultShapeDef();
    def.density = (float)density, def.baseMaterial.friction = 0.3f;
    const b3BoxHull box = b3MakeBoxHull((float)(width / 2), (float)(height / 2), (float)(depth / 2));
    b3CreateHullShape(body, &def, &box.base);
}

static void *add_box(void *of, rill_vec centre, rill_vec size, double angle, double density) {
    const b3BodyId body = body_at(of, centre, angle);
    add_hull(body, (double)size.x, (double)size.y, (double)size.z, density);
    return key_of(body);
}

static void *add_wheel(void *of, rill_vec centre, double length, double thickness, double depth, double density) {
    const table *self = of;
    const b3BodyId body = body_at(self, centre, 0);
    add_hull(body, length, thickness, depth, density);
    add_hull(body, thickness, length, depth, density);
    b3RevoluteJointDef hinge = b3DefaultRevoluteJointDef();
    hinge.base.bodyIdA = self->ground, hinge.base.bodyIdB = body;
    hinge.base.localFrameA.p = (b3Vec3){centre.x, centre.y, centre.z}; /* the ground is at the origin */
    b3CreateRevoluteJoint(self->engine, &hinge);
    return key_of(body);
}

static void remove_body(void *of, void *body) {
    (void)of;
    b3DestroyBody(body_of(body));
}

static void put(void *of, void *key, rill_vec centre) {
    const b3BodyId body = body_of(key);
    (void)of;
    b3Body_SetTransform(body, position_of(centre), b3Quat_identity);
    b3Body_SetLinearVelocity(body, (b3Vec3){0, 0, 0});
    b3Body_SetAngularVelocity(body, (b3Vec3){0, 0, 0});
    b3Body_SetAwake(body, true);
}

static void set_velocity(void *of, void *key, rill_vec velocity, double spin) {
    (void)of;
    b3Body_SetLinearVelocity(body_of(key), (b3Vec3){velocity.x, velocity.y, velocity.z});
    b3Body_SetAngularVelocity(body_of(key), (b3Vec3){0, 0, (float)spin});
}

static void set_most_steps(void *of, int most) {
    rill_box3d_set_most_steps(((table *)of)->adapter, most);
}

static rill_status step(void *of, double dt) {
    return rill_box3d_step(((table *)of)->adapter, (float)dt, SUBSTEPS);
}

static engine_body_state state(void *of, void *key) {
    const b3BodyId body = body_of(key);
    const b3Pos x = b3Body_GetWorldCenter(body);
    const b3Vec3 v = b3Body_GetLinearVelocity(body), along = b3Body_GetWorldVector(body, (b3Vec3){1, 0, 0});
    (void)of;
    return (engine_body_state){.x = (double)x.x,
                               .y = (double)x.y,
                               .z = (double)x.z,
                               .angle = atan2((double)along.y, (double)along.x),
                               .vx = (double)v.x,
                               .vy = (double)v.y,
                               .vz = (double)v.z,
                               .spin = (double)b3Body_GetAngularVelocity(body).z};
}

static double mass(void *of, void *key) {
    (void)of;
    return (double)b3Body_GetMass(body_of(key));
}

static bool asleep(void *of, void *key) {
    (void)of;
    return !b3Body_IsAwake(body_of(key));
}

static rill_body_id rill_body(void *of, void *key) {
    return rill_box3d_body(((table *)of)->adapter, body_of(key));
}

const engine engine_box3d = {.name = "box3d",
                             .dim = 3,
                             .create = create,
                             .destroy = destroy,
                             .add_box = add_box,
                             .add_wheel = add_wheel,
                             .remove = remove_body,
                             .put = put,
                             .set_velocity = set_velocity,
                             .set_most_steps = set_most_steps,
                             .step = step,
                             .state = state,
                             .mass = mass,
                             .asleep = asleep,
                             .rill_body = rill_body};

/* SPDX-License-Identifier: MIT */
#include "engine.h"

#include "../box2d_v3/rill_box2d_v3.h"

#include <box2d/box2d.h>
#include <stdlib.h>

#define SUBSTEPS 4

typedef struct table {
    b2WorldId engine;
    b2BodyId ground;
    rill_box2d_v3 *adapter;
} table;

/* The tests identify bodies by a pointer. */
static void *key_of(b2BodyId id) {
    return (void *)(uintptr_t)b2StoreBodyId(id);
}

static b2BodyId body_of(void *key) {
    return b2LoadBodyId((uint64_t)(uintptr_t)key);
}

static b2Pos position_of(rill_vec v) {
    b2Pos p = b2Pos_zero;
    p.x = v.x, p.y = v.y;
    return p;
}

static void add_wall(b2BodyId ground, b2Vec2 from, b2Vec2 to) {
    const b2ShapeDef def = b2DefaultShapeDef();
    const b2Segment segment = {from, to};
    b2CreateSegmentShape(ground, &def, &segment);
}

static void *create(rill_world *world, double g, bool tank, rill_vec size) {
    table *self = malloc(sizeof *self);
    if (!self) return NULL;
    b2WorldDef def = b2DefaultWorldDef();
    def.gravity = (b2Vec2){0, (float)-g};
    self->engine = b2CreateWorld(&def);
    self->adapter = rill_box2d_v3_create(world, self->engine);
    const b2BodyDef ground = b2DefaultBodyDef();
    self->ground = b2CreateBody(self->engine, &ground);
    if (!tank) return self;
    add_wall(self->ground, (b2Vec2){0, 0}, (b2Vec2){size.x, 0});
    add_wall(self->ground, (b2Vec2){0, 0}, (b2Vec2){0, size.y});
    add_wall(self->ground, (b2Vec2){size.x, 0}, (b2Vec2){size.x, size.y});
    return self;
}

static void destroy(void *of) {
    table *self = of;
    rill_box2d_v3_destroy(self->adapter);
    b2DestroyWorld(self->engine);
    free(self);
}

static b2BodyId body_at(const table *self, rill_vec centre, double angle) {
    b2BodyDef def = b2DefaultBodyDef();
    def.type = b2_dynamicBody;
    def.position = position_of(centre);
    def.rotation = b2MakeRot((float)angle);
    return b2CreateBody(self->engine, &def);
}

static void add_polygon(b2BodyId body, double width, double height, double density) {
    b2ShapeDef def = b2DefaultShapeDef();
    def.density = (float)density, def.material.friction = 0.3f;
    const b2Polygon box = b2MakeBox((float)(width / 2), (float)(height / 2));
    b2CreatePolygonShape(body, &def, &box);
}

static void *add_box(void *of, rill_vec centre, rill_vec size, double angle, double density) {
    const b2BodyId body = body_at(of, centre, angle);
    add_polygon(body, (double)size.x, (double)size.y, density);
    return key_of(body);
}

static void *add_rounded(void *of, rill_vec centre, rill_vec size, double radius, double density) {
    const b2BodyId body = body_at(of, centre, 0);
    b2ShapeDef def = b2DefaultShapeDef();
    def.density = (float)density;
    const b2Polygon box = b2MakeRoundedBox(size.x / 2, size.y / 2, (float)radius);
    b2CreatePolygonShape(body, &def, &box);
    return key_of(body);
}

static void *add_wheel(void *of, rill_vec centre, double length, double thickness, double depth, double density) {
    const table *self = of;
    (void)depth;
    const b2BodyId body = body_at(self, centre, 0);
    add_polygon(body, length, thickness, density);
    add_polygon(body, thickness, length, density);
    b2RevoluteJointDef hinge = b2DefaultRevoluteJointDef();
    hinge.base.bodyIdA = self->ground, hinge.base.bodyIdB = body;
    hinge.base.localFrameA.p = (b2Vec2){centre.x, centre.y}; /* the ground is at the origin */
    b2CreateRevoluteJoint(self->engine, &hinge);
    return key_of(body);
}

static void remove_body(void *of, void *body) {
    (void)of;
    b2DestroyBody(body_of(body));
}

static void put(void *of, void *key, rill_vec centre) {
    const b2BodyId body = body_of(key);
    (void)of;
    b2Body_SetTransform(body, position_of(centre), b2MakeRot(0));
    b2Body_SetLinearVelocity(body, (b2Vec2){0, 0});
    b2Body_SetAngularVelocity(body, 0);
    b2Body_SetAwake(body, true);
}

static void set_velocity(void *of, void *key, rill_vec velocity, double spin) {
    (void)of;
    b2Body_SetLinearVelocity(body_of(key), (b2Vec2){velocity.x, velocity.y});
    b2Body_SetAngularVelocity(body_of(key), (float)spin);
}

static void set_most_steps(void *of, int most) {
    rill_box2d_v3_set_most_steps(((table *)of)->adapter, most);
}

static rill_status step(void *of, double dt) {
    return rill_box2d_v3_step(((table *)of)->adapter, (float)dt, SUBSTEPS);
}

static engine_body_state state(void *of, void *key) {
    const b2BodyId body = body_of(key);
    const b2Pos x = b2Body_GetWorldCenter(body);
    const b2Vec2 v = b2Body_GetLinearVelocity(body);
    (void)of;
    return (engine_body_state){.x = (double)x.x,
                               .y = (double)x.y,
                               .angle = (double)b2Rot_GetAngle(b2Body_GetRotation(body)),
                               .vx = (double)v.x,
                               .vy = (double)v.y,
                               .spin = (double)b2Body_GetAngularVelocity(body)};
}

static double mass(void *of, void *key) {
    (void)of;
    return (double)b2Body_GetMass(body_of(key));
}

static bool asleep(void *of, void *key) {
    (void)of;
    return !b2Body_IsAwake(body_of(key));
}

static rill_body_id rill_body(void *of, void *key) {
    return rill_box2d_v3_body(((table *)of)->adapter, body_of(key));
}

const engine engine_box2d_v3 = {"box2d v3",  2,      create,       destroy,        add_box, add_wheel,
                                remove_body, put,    set_velocity, set_most_steps, step,    state,
                                mass,        asleep, rill_body,    add_rounded};

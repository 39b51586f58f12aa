/* SPDX-License-Identifier: MIT */
#include "engine.h"

#include "../box2d/rill_box2d.h"

#include <box2d/box2d.h>

namespace {

struct table {
    b2World engine;
    rill_box2d *adapter;
    b2Body *ground;
    bool interleaved;
    explicit table(double g) : engine(b2Vec2(0, static_cast<float>(-g))), adapter(nullptr), ground(nullptr) {}
};

void add_wall(b2Body *ground, float x0, float y0, float x1, float y1) {
    b2EdgeShape edge;
    edge.SetTwoSided(b2Vec2(x0, y0), b2Vec2(x1, y1));
    ground->CreateFixture(&edge, 0);
}

void *create_as(rill_world *world, double g, bool tank, rill_vec size, bool interleaved) {
    table *self = new table(g);
    self->adapter = rill_box2d_create(world, &self->engine);
    self->interleaved = interleaved;
    b2BodyDef def;
    self->ground = self->engine.CreateBody(&def);
    if (!tank) return self;
    add_wall(self->ground, 0, 0, size.x, 0);
    add_wall(self->ground, 0, 0, 0, size.y);
    add_wall(self->ground, size.x, 0, size.x, size.y);
    return self;
}

void *create(rill_world *world, double g, bool tank, rill_vec size) {
    return create_as(world, g, tank, size, true);
}

void *create_apart(rill_world *world, double g, bool tank, rill_vec size) {
    return create_as(world, g, tank, size, false);
}

void destroy(void *of) {
    table *self = static_cast<table *>(of);
    rill_box2d_destroy(self->adapter);
    delete self;
}

b2Body *body_at(table *self, rill_vec centre, double angle) {
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position.Set(centre.x, centre.y);
    def.angle = static_cast<float>(angle);
    return self->engine.CreateBody(&def);
}

void *add_box(void *of, rill_vec centre, rill_vec size, double angle, double density) {
    b2Body *body = body_at(static_cast<table *>(of), centre, angle);
    b2PolygonShape box;
    box.SetAsBox(size.x / 2, size.y / 2);
    body->CreateFixture(&box, static_cast<float>(density))->SetFriction(0.3f);
    return body;
}

void *add_wheel(void *of, rill_vec centre, double length, double thickness, double, double density) {
    table *self = static_cast<table *>(of);
    b2Body *body = body_at(self, centre, 0);
    const float half = static_cast<float>(length / 2), thin = static_cast<float>(thickness / 2);
    b2PolygonShape paddle;
    paddle.SetAsBox(half, thin);
    body->CreateFixture(&paddle, static_cast<float>(density));
    paddle.SetAsBox(thin, half);
    body->CreateFixture(&paddle, static_cast<float>(density));
    b2RevoluteJointDef hinge;
    hinge.Initialize(self->ground, body, b2Vec2(centre.x, centre.y));
    self->engine.CreateJoint(&hinge);
    return body;
}

void remove_body(void *of, void *body) {
    static_cast<table *>(of)->engine.DestroyBody(static_cast<b2Body *>(body));
}

void put(void *, void *of, rill_vec centre) {
    b2Body *body = static_cast<b2Body *>(of);
    body->SetTransform(b2Vec2(centre.x, centre.y), 0);
    body->SetLinearVelocity(b2Vec2(0, 0));
    body->SetAngularVelocity(0);
    body->SetAwake(true);
}

void set_velocity(void *, void *of, rill_vec velocity, double spin) {
    b2Body *body = static_cast<b2Body *>(of);
    body->SetLinearVelocity(b2Vec2(velocity.x, velocity.y));
    body->SetAngularVelocity(static_cast<float>(spin));
}

void set_most_steps(void *of, int most) {
    rill_box2d_set_most_steps(static_cast<table *>(of)->adapter, most);
}

rill_status step(void *of, double dt) {
    table *self = static_cast<table *>(of);
    const float t = static_cast<float>(dt);
    if (self->interleaved) return rill_box2d_step(self->adapter, t, 8, 3);
    const rill_status status = rill_box2d_fluid_step(self->adapter, t);
    self->engine.Step(t, 8, 3);
    return status;
}

engine_body_state state(void *, void *of) {
    const b2Body *b = static_cast<const b2Body *>(of);
    const b2Vec2 x = b->GetWorldCenter(), v = b->GetLinearVelocity();
    return engine_body_state{
        static_cast<double>(x.x), static_cast<double>(x.y), 0, static_cast<double>(b->GetAngle()),
        static_cast<double>(v.x), static_cast<double>(v.y), 0, static_cast<double>(b->GetAngularVelocity())};
}

double mass(void *, void *of) {
    return static_cast<double>(static_cast<const b2Body *>(of)->GetMass());
}

bool asleep(void *, void *of) {
    return !static_cast<const b2Body *>(of)->IsAwake();
}

rill_body_id rill_body(void *of, void *body) {
    return rill_box2d_body(static_cast<table *>(of)->adapter, static_cast<b2Body *>(body));
}

} // namespace

extern "C" const engine engine_box2d = {
    "box2d",        2,    create, destroy, add_box, add_wheel, remove_body, put, set_velocity,
    set_most_steps, step, state,  mass,    asleep,  rill_body, NULL};
extern "C" const engine engine_box2d_apart = {
    "box2d apart",  2,    create_apart, destroy, add_box, add_wheel, remove_body, put, set_velocity,
    set_most_steps, step, state,        mass,    asleep,  rill_body, NULL};

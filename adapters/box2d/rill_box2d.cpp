/* SPDX-License-Identifier: MIT */
#include "rill_box2d.h"

#include "../common/hosting.h"

#include <box2d/box2d.h>
#include <new>
#include <string.h>

struct rill_box2d {
    hosting hosts;
    b2World *engine;
    rill_body_def surface;
    int velocity_iterations, position_iterations;
};

/* ---- shapes ---- */

struct shape_room {
    rill_shape parts[HOSTING_PARTS_MAX];
    rill_vec points[HOSTING_PARTS_MAX][b2_maxPolygonVertices];
    int count;
};

static rill_vec vec_of(b2Vec2 v) {
    return rill_vec{v.x, v.y, 0};
}

static void add_fixture(shape_room *room, const b2Fixture *fixture) {
    if (fixture->IsSensor() || room->count == HOSTING_PARTS_MAX) return;
    rill_shape *part = &room->parts[room->count];
    *part = rill_shape_default();
    if (fixture->GetType() == b2Shape::e_circle) {
        const b2CircleShape *circle = static_cast<const b2CircleShape *>(fixture->GetShape());
        part->kind = RILL_SPHERE;
        part->position = vec_of(circle->m_p);
        part->radius = circle->m_radius;
    } else if (fixture->GetType() == b2Shape::e_polygon) {
        const b2PolygonShape *polygon = static_cast<const b2PolygonShape *>(fixture->GetShape());
        for (int k = 0; k < polygon->m_count; k++) room->points[room->count][k] = vec_of(polygon->m_vertices[k]);
        hosting_polygon(part, room->points[room->count], polygon->m_count);
    } else {
        return;
    }
    room->count++;
}

static uint64_t stamp_of(const b2Body *body) {
    uint64_t stamp = 0;
    for (const b2Fixture *f = body->GetFixtureList(); f; f = f->GetNext()) {
        const b2Shape *shape = f->GetShape();
        const int kind = f->GetType(), sensor = f->IsSensor();
        stamp = hosting_stamp(hosting_stamp(stamp + 1, &kind, sizeof kind), &sensor, sizeof sensor);
        stamp = hosting_stamp(stamp, &shape->m_radius, sizeof shape->m_radius);
        if (kind == b2Shape::e_circle) {
            const b2CircleShape *circle = static_cast<const b2CircleShape *>(shape);
            stamp = hosting_stamp(stamp, &circle->m_p, sizeof circle->m_p);
        } else if (kind == b2Shape::e_polygon) {
            const b2PolygonShape *polygon = static_cast<const b2PolygonShape *>(shape);
            stamp = hosting_stamp(stamp, polygon->m_vertices, sizeof(b2Vec2) * static_cast<size_t>(polygon->m_count));
        }
    }
    return stamp;
}

/* ---- states of bodies ---- */

static void tell(void *engine, const hosting_link *link, rill_hosted_state *state) {
    const rill_box2d *adapter = static_cast<rill_box2d *>(engine);
    const b2Body *body = static_cast<const b2Body *>(link->body);
    state->position = vec_of(body->GetPosition());
    state->angle = body->GetAngle();
    state->velocity = vec_of(body->GetLinearVelocity());
    state->angular_velocity = rill_vec{0, 0, body->GetAngularVelocity()};
    state->centre = vec_of(body->GetLocalCenter());
    state->asleep = !body->IsAwake() && body->GetType() != b2_staticBody;
    if (body->GetType() != b2_dynamicBody) return;
    const float mass = body->GetMass(), inverse = 1 / mass;
    const float inertia = body->GetInertia() - mass * body->GetLocalCenter().LengthSquared();
    state->inverse_mass = rill_vec{inverse, inverse, inverse};
    state->inverse_inertia[2][2] = body->IsFixedRotation() || !(inertia > 0) ? 0 : 1 / inertia;
    const b2Vec2 gravity = adapter->engine->GetGravity(), v = body->GetLinearVelocity();
    const float damping = mass * body->GetLinearDamping(), weight = mass * body->GetGravityScale();
    state->gravity_scale = 0; /* the engine's gravity may differ from Rill's, so it is part of `force` */
    state->force = rill_vec{weight * gravity.x - damping * v.x, weight * gravity.y - damping * v.y, 0};
}

static void react(void *, const hosting_link *link, double) {
    b2Body *body = static_cast<b2Body *>(link->body);
    if (body->GetType() != b2_dynamicBody) return;
    if (link->wake) body->SetAwake(true);
    /* Without waking: still water lets a body fall asleep. */
    body->ApplyLinearImpulseToCenter(b2Vec2(static_cast<float>(link->impulse[0]), static_cast<float>(link->impulse[1])),
                                     false);
    body->ApplyAngularImpulse(static_cast<float>(link->moment[2]), false);
}

static void step_engine(void *engine, double dt) {
    const rill_box2d *adapter = static_cast<rill_box2d *>(engine);
    adapter->engine->Step(static_cast<float>(dt), adapter->velocity_iterations, adapter->position_iterations);
}

/* ---- joints ---- */

/* Tells Rill of hinges and welds. The engine alone keeps other joints, and the fluid feels them a step later. */
static void tell_joint(rill_box2d *adapter, b2Joint *joint) {
    hosting_link *a = hosting_find(&adapter->hosts, joint->GetBodyA());
    hosting_link *b = hosting_find(&adapter->hosts, joint->GetBodyB());
    const bool hinge = joint->GetType() == e_revoluteJoint;
    if ((!a && !b) || (!hinge && joint->GetType() != e_weldJoint)) return;
    if ((!a && joint->GetBodyA()->GetType() != b2_staticBody) || (!b && joint->GetBodyB()->GetType() != b2_staticBody))
        return;
    rill_joint_def def = rill_joint_def_default();
    def.kind = hinge ? RILL_JOINT_HINGE : RILL_JOINT_FIXED;
    /* Rill's motors turn a relative to b, Box2D's b relative to a. */
    def.a = b ? b->id : a->id;
    if (a && b) def.b = a->id;
    def.anchor = vec_of(joint->GetAnchorA());
    if (hinge) {
        const b2RevoluteJoint *revolute = static_cast<const b2RevoluteJoint *>(joint);
        def.motor = revolute->IsMotorEnabled();
        def.motor_speed = b ? revolute->GetMotorSpeed() : -revolute->GetMotorSpeed();
        def.motor_force = revolute->GetMaxMotorTorque();
    }
    hosting_join(&adapter->hosts, joint, &def);
}

/* ---- bodies near the fluid ---- */

static hosting_link *register_body(rill_box2d *adapter, b2Body *body) {
    const uint64_t stamp = stamp_of(body);
    hosting_link *link = hosting_find_shaped(&adapter->hosts, body, stamp);
    if (link) return link;
    shape_room room;
    room.count = 0;
    for (const b2Fixture *f = body->GetFixtureList(); f; f = f->GetNext()) add_fixture(&room, f);
    rill_hosted_state state = rill_hosted_state_default();
    hosting_link probe;
    memset(&probe, 0, sizeof probe);
    probe.body = body;
    tell(adapter, &probe, &state);
    return hosting_add(&adapter->hosts, body, stamp, &adapter->surface, room.parts, room.count, &state);
}

class region : public b2QueryCallback {
  public:
    explicit region(rill_box2d *adapter) : adapter(adapter) {}
    bool ReportFixture(b2Fixture *fixture) override {
        register_body(adapter, fixture->GetBody());
        return true;
    }

  private:
    rill_box2d *adapter;
};

/* Bodies that have been near the fluid stay known until they are destroyed: away from it they cost almost nothing. */
static void gather(rill_box2d *adapter, float dt) {
    hosting_begin(&adapter->hosts);
    for (b2Body *b = adapter->engine->GetBodyList(); b; b = b->GetNext()) {
        hosting_link *link = hosting_find(&adapter->hosts, b);
        if (link) link->seen = true;
        if (link && link->shape_stamp != stamp_of(b)) link->seen = register_body(adapter, b) != NULL;
    }
    hosting_end(&adapter->hosts);
    rill_vec min, max;
    if (!hosting_box(&adapter->hosts, static_cast<double>(dt), &min, &max)) return;
    b2AABB box;
    box.lowerBound.Set(min.x, min.y), box.upperBound.Set(max.x, max.y);
    region found(adapter);
    adapter->engine->QueryAABB(&found, box);
}

static rill_status fluid_step(rill_box2d *adapter, float dt, bool interleaved) {
    const hosting_calls calls = {adapter, tell, react, interleaved ? step_engine : NULL};
    if (!(dt > 0)) return hosting_no_step(static_cast<double>(dt));
    gather(adapter, dt);
    hosting_tell(&adapter->hosts, &calls);
    for (b2Joint *j = adapter->engine->GetJointList(); j; j = j->GetNext()) tell_joint(adapter, j);
    return hosting_step(&adapter->hosts, static_cast<double>(dt), &calls);
}

/* ---- public functions in C ---- */

rill_box2d *rill_box2d_create(rill_world *world, b2World *engine) {
    if (!world || !engine || rill_world_get_def(world)->dim != 2) return NULL;
    rill_box2d *adapter = new (std::nothrow) rill_box2d;
    if (!adapter) return NULL;
    adapter->hosts = hosting_of(world);
    adapter->engine = engine;
    adapter->surface = rill_body_def_default();
    adapter->surface.displacement = RILL_DISPLACE_PUSH;
    return adapter;
}

void rill_box2d_destroy(rill_box2d *adapter) {
    if (!adapter) return;
    hosting_free(&adapter->hosts);
    delete adapter;
}

rill_status rill_box2d_fluid_step(rill_box2d *adapter, float dt) {
    return adapter ? fluid_step(adapter, dt, false) : RILL_INVALID;
}

rill_status rill_box2d_step(rill_box2d *adapter, float dt, int velocity_iterations, int position_iterations) {
    if (!adapter) return RILL_INVALID;
    adapter->velocity_iterations = velocity_iterations;
    adapter->position_iterations = position_iterations;
    return fluid_step(adapter, dt, true);
}

rill_body_id rill_box2d_body(rill_box2d *adapter, b2Body *body) {
    const hosting_link *link = adapter && body ? register_body(adapter, body) : NULL;
    return link ? link->id : rill_body_id{0, 0};
}

void rill_box2d_forget(rill_box2d *adapter, b2Body *body) {
    if (adapter && body) hosting_remove(&adapter->hosts, body);
}

void rill_box2d_set_surface(rill_box2d *adapter, const rill_body_def *surface) {
    if (adapter && surface) adapter->surface = *surface;
}

void rill_box2d_set_most_steps(rill_box2d *adapter, int most) {
    if (adapter) adapter->hosts.most = most;
}

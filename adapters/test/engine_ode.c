/* SPDX-License-Identifier: MIT */
#include "engine.h"

#include "../ode/rill_ode.h"

#include <math.h>
#include <stdlib.h>

#define CONTACTS_MAX 16

typedef struct table {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    rill_ode *adapter;
} table;

static void *create(rill_world *world, double g, bool tank, rill_vec size) {
    table *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    dInitODE2(0);
    self->world = dWorldCreate();
    self->space = dSimpleSpaceCreate(NULL);
    self->contacts = dJointGroupCreate(0);
    dWorldSetGravity(self->world, 0, -g, 0);
    self->adapter = rill_ode_create(world, self->world, self->space);
    if (!tank) return self;
    dCreatePlane(self->space, 0, 1, 0, 0);
    dCreatePlane(self->space, 1, 0, 0, 0), dCreatePlane(self->space, -1, 0, 0, -(dReal)size.x);
    dCreatePlane(self->space, 0, 0, 1, 0), dCreatePlane(self->space, 0, 0, -1, -(dReal)size.z);
    return self;
}

static void destroy(void *of) {
    table *self = of;
    rill_ode_destroy(self->adapter);
    dJointGroupDestroy(self->contacts);
    dSpaceDestroy(self->space);
    dWorldDestroy(self->world);
    dCloseODE();
    free(self);
}

static dBodyID body_at(const table *self, rill_vec centre, const dMass *mass) {
    dBodyID body = dBodyCreate(self->world);
    dBodySetPosition(body, (dReal)centre.x, (dReal)centre.y, (dReal)centre.z);
    dBodySetMass(body, mass);
    return body;
}

static void *add_box(void *of, rill_vec centre, rill_vec size, double angle, double density) {
    const table *self = of;
    dMass mass;
    dMassSetBox(&mass, density, (dReal)size.x, (dReal)size.y, (dReal)size.z);
    dBodyID body = body_at(self, centre, &mass);
    dMatrix3 turn;
    dRFromAxisAndAngle(turn, 0, 0, 1, angle);
    dBodySetRotation(body, turn);
    dGeomSetBody(dCreateBox(self->space, (dReal)size.x, (dReal)size.y, (dReal)size.z), body);
    return body;
}

static void *add_wheel(void *of, rill_vec centre, double length, double thickness, double depth, double density) {
    const table *self = of;
    dMass mass, other;
    dMassSetBox(&mass, density, length, thickness, depth);
    dMassSetBox(&other, density, thickness, length, depth);
    dMassAdd(&mass, &other);
    dBodyID body = body_at(self, centre, &mass);
    dGeomSetBody(dCreateBox(self->space, length, thickness, depth), body);
    dGeomSetBody(dCreateBox(self->space, thickness, length, depth), body);
    dJointID hinge = dJointCreateHinge(self->world, 0);
    dJointAttach(hinge, body, NULL);
    dJointSetHingeAnchor(hinge, (dReal)centre.x, (dReal)centre.y, (dReal)centre.z);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    return body;
}

static void remove_body(void *of, void *body) {
    (void)of;
    for (dGeomID geom = dBodyGetFirstGeom(body); geom; geom = dBodyGetFirstGeom(body)) dGeomDestroy(geom);
    dBodyDestroy(body);
}

static void put(void *of, void *body, rill_vec centre) {
    const dQuaternion none = {1, 0, 0, 0};
    (void)of;
    dBodySetPosition(body, (dReal)centre.x, (dReal)centre.y, (dReal)centre.z);
    dBodySetQuaternion(body, none);
    dBodySetLinearVel(body, 0, 0, 0);
    dBodySetAngularVel(body, 0, 0, 0);
}

static void set_velocity(void *of, void *body, rill_vec velocity, double spin) {
    (void)of;
    dBodySetLinearVel(body, (dReal)velocity.x, (dReal)velocity.y, (dReal)velocity.z);
    dBodySetAngularVel(body, 0, 0, spin);
}

static void touch(void *of, dGeomID a, dGeomID b) {
    const table *self = of;
    dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    if (first == second || (first && second && dAreConnected(first, second))) return;
    dContact contacts[CONTACTS_MAX] = {0};
    const int count = dCollide(a, b, CONTACTS_MAX, &contacts[0].geom, sizeof *contacts);
    for (int k = 0; k < count; k++) {
        contacts[k].surface.mode = dContactApprox1;
        contacts[k].surface.mu = 0.3;
        dJointAttach(dJointCreateContact(self->world, self->contacts, &contacts[k]), first, second);
    }
}

static void step_engine(void *of, double dt) {
    table *self = of;
    dSpaceCollide(self->space, self, touch);
    dWorldStep(self->world, dt);
    dJointGroupEmpty(self->contacts);
}

static void set_most_steps(void *of, int most) {
    rill_ode_set_most_steps(((table *)of)->adapter, most);
}

static rill_status step(void *of, double dt) {
    return rill_ode_step(((table *)of)->adapter, dt, step_engine, of);
}

static engine_body_state state(void *of, void *body) {
    (void)of;
    const dReal *x = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *r = dBodyGetRotation(body);
    return (engine_body_state){x[0], x[1], x[2], atan2(r[4], r[0]), v[0], v[1], v[2], dBodyGetAngularVel(body)[2]};
}

static double mass(void *of, void *body) {
    dMass m;
    (void)of;
    dBodyGetMass(body, &m);
    return m.mass;
}

static bool asleep(void *of, void *body) {
    (void)of;
    return !dBodyIsEnabled(body);
}

static rill_body_id rill_body(void *of, void *body) {
    return rill_ode_body(((table *)of)->adapter, body);
}

const engine engine_ode = {.name = "ode",
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

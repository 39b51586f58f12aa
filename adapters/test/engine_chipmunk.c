/* SPDX-License-Identifier: MIT */
#include "engine.h"

#include "../chipmunk/rill_chipmunk.h"

#include <stdlib.h>

typedef struct table {
    cpSpace *space;
    rill_chipmunk *adapter;
    bool inside;
} table;

static void add_wall(cpSpace *space, cpVect a, cpVect b) {
    cpShape *wall = cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), a, b, 0));
    cpShapeSetFriction(wall, 0.5);
}

static void *create_as(rill_world *world, double g, bool tank, rill_vec size, bool inside) {
    table *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->space = cpSpaceNew();
    self->inside = inside;
    cpSpaceSetGravity(self->space, cpv(0, -g));
    cpSpaceSetSleepTimeThreshold(self->space, 0.5);
    self->adapter = rill_chipmunk_create(world, self->space);
    rill_chipmunk_set_inside(self->adapter, inside);
    if (!tank) return self;
    const cpFloat x = (cpFloat)size.x, y = (cpFloat)size.y;
    add_wall(self->space, cpv(0, 0), cpv(x, 0));
    add_wall(self->space, cpv(0, 0), cpv(0, y));
    add_wall(self->space, cpv(x, 0), cpv(x, y));
    return self;
}

static void *create(rill_world *world, double g, bool tank, rill_vec size) {
    return create_as(world, g, tank, size, true);
}

static void *create_before(rill_world *world, double g, bool tank, rill_vec size) {
    return create_as(world, g, tank, size, false);
}

static void free_shape(cpBody *body, cpShape *shape, void *space) {
    (void)body;
    cpSpaceRemoveShape(space, shape);
    cpShapeFree(shape);
}

static void free_constraint(cpBody *body, cpConstraint *constraint, void *space) {
    (void)body;
    cpSpaceRemoveConstraint(space, constraint);
    cpConstraintFree(constraint);
}

static void remove_body(void *of, void *body) {
    cpSpace *space = ((table *)of)->space;
    cpBodyEachConstraint(body, free_constraint, space);
    cpBodyEachShape(body, free_shape, space);
    cpSpaceRemoveBody(space, body);
    cpBodyFree(body);
}

static void list_body(cpBody *body, void *list) {
    *(*(cpBody ***)list)++ = body;
}

static void destroy(void *of) {
    table *self = of;
    cpBody *bodies[1024], **end = bodies;
    rill_chipmunk_destroy(self->adapter);
    cpSpaceEachBody(self->space, list_body, &end);
    for (cpBody **b = bodies; b < end; b++) remove_body(self, *b);
    cpBodyEachShape(cpSpaceGetStaticBody(self->space), free_shape, self->space);
    cpSpaceFree(self->space);
    free(self);
}

static cpBody *body_at(table *self, rill_vec centre, double mass, double moment, double angle) {
    cpBody *body = cpSpaceAddBody(self->space, cpBodyNew(mass, moment));
    cpBodySetPosition(body, cpv((cpFloat)centre.x, (cpFloat)centre.y));
    cpBodySetAngle(body, angle);
    return body;
}

static void *add_box(void *of, rill_vec centre, rill_vec size, double angle, double density) {
    table *self = of;
    const double x = (double)size.x, y = (double)size.y, mass = density * x * y;
    cpBody *body = body_at(self, centre, mass, cpMomentForBox(mass, x, y), angle);
    cpShapeSetFriction(cpSpaceAddShape(self->space, cpBoxShapeNew(body, x, y, 0)), 0.3);
    return body;
}

static void *add_rounded(void *of, rill_vec centre, rill_vec size, double radius, double density) {
    table *self = of;
    const double x = (double)size.x, y = (double)size.y, mass = density * (x + 2 * radius) * (y + 2 * radius);
    cpBody *body = body_at(self, centre, mass, cpMomentForBox(mass, x, y), 0);
    cpSpaceAddShape(self->space, cpBoxShapeNew(body, x, y, radius));
    return body;
}

static void *add_wheel(void *of, rill_vec centre, double length, double thickness, double depth, double density) {
    table *self = of;
    (void)depth;
    const double paddle = density * length * thickness;
    cpBody *body = body_at(self, centre, 2 * paddle, 2 * cpMomentForBox(paddle, length, thickness), 0);
    cpSpaceAddShape(self->space, cpBoxShapeNew(body, length, thickness, 0));
    cpSpaceAddShape(self->space, cpBoxShapeNew(body, thickness, length, 0));
    cpSpaceAddConstraint(self->space, cpPivotJointNew(cpSpaceGetStaticBody(self->space), body,
                                                      cpv((cpFloat)centre.x, (cpFloat)centre.y)));
    return body;
}

static void put(void *of, void *body, rill_vec centre) {
    (void)of;
    cpBodySetPosition(body, cpv((cpFloat)centre.x, (cpFloat)centre.y));
    cpBodySetAngle(body, 0);
    cpBodySetVelocity(body, cpvzero);
    cpBodySetAngularVelocity(body, 0);
}

static void set_velocity(void *of, void *body, rill_vec velocity, double spin) {
    (void)of;
    cpBodySetVelocity(body, cpv((cpFloat)velocity.x, (cpFloat)velocity.y));
    cpBodySetAngularVelocity(body, spin);
}

static void set_most_steps(void *of, int most) {
    rill_chipmunk_set_most_steps(((table *)of)->adapter, most);
}

static rill_status step(void *of, double dt) {
    table *self = of;
    if (self->inside) return rill_chipmunk_step(self->adapter, dt);
    rill_chipmunk_fluid_step(self->adapter, dt);
    cpSpaceStep(self->space, dt);
    return rill_chipmunk_status(self->adapter);
}

static engine_body_state state(void *of, void *body) {
    (void)of;
    const cpVect x = cpBodyGetPosition(body), v = cpBodyGetVelocity(body);
    return (engine_body_state){.x = x.x,
                               .y = x.y,
                               .angle = cpBodyGetAngle(body),
                               .vx = v.x,
                               .vy = v.y,
                               .spin = cpBodyGetAngularVelocity(body)};
}

static double mass(void *of, void *body) {
    (void)of;
    return cpBodyGetMass(body);
}

static bool asleep(void *of, void *body) {
    (void)of;
    return cpBodyIsSleeping(body);
}

static rill_body_id rill_body(void *of, void *body) {
    return rill_chipmunk_body(((table *)of)->adapter, body);
}

#define CHIPMUNK(name_, create_)                                                                                    \
    {                                                                                                               \
        .name = name_, .dim = 2, .create = create_, .destroy = destroy, .add_box = add_box, .add_wheel = add_wheel, \
        .remove = remove_body, .put = put, .set_velocity = set_velocity, .set_most_steps = set_most_steps,          \
        .step = step, .state = state, .mass = mass, .asleep = asleep, .rill_body = rill_body,                       \
        .add_rounded = add_rounded                                                                                  \
    }

const engine engine_chipmunk = CHIPMUNK("chipmunk", create),
             engine_chipmunk_before = CHIPMUNK("chipmunk before", create_before);

/* SPDX-License-Identifier: MIT */
/* Rill's own bodies, the reference for the adapters. */
#include "engine.h"

#include <stdlib.h>

typedef struct own {
    rill_world *world;
    int dim, most; /* most: steps in a call; 0: no limit */
} own;

/* The tests identify bodies by pointers to their handles. */
static rill_body_id id_of(const void *body) {
    return *(const rill_body_id *)body;
}

static void *create(rill_world *world, double g, bool tank, rill_vec size) {
    (void)g, (void)tank, (void)size; /* the world has gravity, and its solids are the tank */
    own *self = calloc(1, sizeof *self);
    if (self) *self = (own){.world = world, .dim = rill_world_get_def(world)->dim};
    return self;
}

static void *add(own *self, const rill_body_def *def) {
    rill_body_id *id = malloc(sizeof *id);
    if (id && rill_world_add_body(self->world, def, id) == RILL_OK) return id;
    free(id);
    return NULL;
}

static rill_shape box_at(rill_vec c, double x, double y, double z, double angle) {
    rill_shape box = rill_shape_default();
    const rill_vec half = {(float)(x / 2), (float)(y / 2), (float)(z / 2)};
    box.min = (rill_vec){c.x - half.x, c.y - half.y, c.z - half.z};
    box.max = (rill_vec){c.x + half.x, c.y + half.y, c.z + half.z};
    box.angle = (float)angle, box.axis = (rill_vec){0, 0, 1};
    return box;
}

static void *add_box(void *of, rill_vec centre, rill_vec size, double angle, double density) {
    rill_body_def def = rill_body_def_default();
    def.shape = box_at(centre, (double)size.x, (double)size.y, (double)size.z, angle);
    def.density = (float)density;
    return add(of, &def);
}

static void *add_wheel(void *of, rill_vec centre, double length, double thickness, double depth, double density) {
    own *self = of;
    rill_body_def def = rill_body_def_default();
    const rill_shape paddles[] = {box_at((rill_vec){0, 0, 0}, length, thickness, depth, 0),
                                  box_at((rill_vec){0, 0, 0}, thickness, length, depth, 0)};
    def.shape.kind = RILL_COMPOUND;
    def.shape.position = centre;
    def.shape.parts = (rill_parts){paddles, 2};
    def.density = (float)density;
    rill_body_id *id = add(self, &def);
    if (!id) return NULL;
    rill_joint_def hinge = rill_joint_def_default();
    hinge.kind = RILL_JOINT_HINGE;
    hinge.a = *id;
    hinge.anchor = centre;
    hinge.axis = (rill_vec){0, 0, 1};
    return rill_world_add_joint(self->world, &hinge, NULL) == RILL_OK ? id : NULL;
}

static void remove_body(void *of, void *body) {
    rill_world_remove_body(((own *)of)->world, id_of(body));
    free(body);
}

static void put(void *of, void *body, rill_vec centre) {
    rill_world *world = ((own *)of)->world;
    rill_world_body_set_pose(world, id_of(body), &(rill_pose){.position = centre});
    rill_world_body_set_velocity(world, id_of(body), (rill_vec){0, 0, 0}, (rill_vec){0, 0, 0});
}

static void set_velocity(void *of, void *body, rill_vec velocity, double spin) {
    rill_world_body_set_velocity(((own *)of)->world, id_of(body), velocity, (rill_vec){0, 0, (float)spin});
}

static void set_most_steps(void *of, int most) {
    ((own *)of)->most = most;
}

static rill_status step(void *of, double dt) {
    const own *self = of;
    rill_world *world = self->world;
    rill_status status = self->most > 0 ? rill_world_begin_at_most(world, dt, self->most) : rill_world_begin(world, dt);
    for (double taken = dt; status == RILL_OK && taken > 0;) status = rill_world_substep(world, &taken);
    rill_world_end(world);
    return status;
}

static rill_body_state state_of(void *of, void *body) {
    rill_body_state state = {0};
    rill_world_body_state(((own *)of)->world, id_of(body), &state);
    return state;
}

static engine_body_state state(void *of, void *body) {
    const rill_body_state s = state_of(of, body);
    return (engine_body_state){(double)s.position.x, (double)s.position.y,        (double)s.position.z,
                               (double)s.angle,      (double)s.velocity.x,        (double)s.velocity.y,
                               (double)s.velocity.z, (double)s.angular_velocity.z};
}

static double mass(void *of, void *body) {
    return (double)state_of(of, body).mass;
}

static bool asleep(void *of, void *body) {
    return state_of(of, body).asleep;
}

static rill_body_id rill_body(void *of, void *body) {
    (void)of;
    return id_of(body);
}

#define OWN(name_, dim_)                                                                                           \
    {                                                                                                              \
        .name = name_, .dim = dim_, .create = create, .destroy = free, .add_box = add_box, .add_wheel = add_wheel, \
        .remove = remove_body, .put = put, .set_velocity = set_velocity, .set_most_steps = set_most_steps,         \
        .step = step, .state = state, .mass = mass, .asleep = asleep, .rill_body = rill_body                       \
    }

const engine engine_own_2d = OWN("own", 2), engine_own_3d = OWN("own 3d", 3);

/* SPDX-License-Identifier: MIT */
/* The interface of an engine to the adapter tests: the same scenes run in each engine and in Rill's own solver. They
   have boxes and paddle wheels in a tank. In 2D, z is ignored. */
#ifndef RILL_ADAPTERS_TEST_ENGINE_H
#define RILL_ADAPTERS_TEST_ENGINE_H

#include <rill/rill.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct engine_body_state {
    double x, y, z;
    double angle; /* about z */
    double vx, vy, vz, spin;
} engine_body_state;

typedef struct engine {
    const char *name;
    int dim;
    /* An empty engine with gravity g along -y; `tank`: with walls around `size`, open at the top. */
    void *(*create)(rill_world *world, double g, bool tank, rill_vec size);
    void (*destroy)(void *self);
    void *(*add_box)(void *self, rill_vec centre, rill_vec size, double angle, double density);
    /* Two crossed paddles of this length and thickness (and depth along z), on a hinge along z at the centre. */
    void *(*add_wheel)(void *self, rill_vec centre, double length, double thickness, double depth, double density);
    void (*remove)(void *self, void *body);
    /* Moves a body to another place, where it is at rest. */
    void (*put)(void *self, void *body, rill_vec centre);
    void (*set_velocity)(void *self, void *body, rill_vec velocity, double spin);
    /* Limits the steps of the fluid in each of the next steps; 0: no limit. */
    void (*set_most_steps)(void *self, int most);
    rill_status (*step)(void *self, double dt);
    engine_body_state (*state)(void *self, void *body);
    double (*mass)(void *self, void *body);
    bool (*asleep)(void *self, void *body);
    rill_body_id (*rill_body)(void *self, void *body);
    /* A box of this size, wider by a radius on all sides; NULL: the engine has no such shape. */
    void *(*add_rounded)(void *self, rill_vec centre, rill_vec size, double radius, double density);
} engine;

extern const engine engine_own_2d, engine_own_3d, engine_box2d, engine_box2d_apart, engine_box2d_v3, engine_chipmunk,
    engine_chipmunk_before, engine_ode, engine_box3d;

#ifdef __cplusplus
}
#endif
#endif

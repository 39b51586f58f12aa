/* SPDX-License-Identifier: MIT */
/* Hosted bodies: rigid bodies of another physics engine in Rill's fluid.

   The engine owns the bodies and their contacts, joints and motion. Before a step it tells Rill where they are, how
   they move and how heavy they are. Rill solves the fluid against these masses, as it does for its own bodies, and
   reports the impulse that the fluid gave to each body: the exact opposite of the impulse that the fluid received. The
   engine adds these impulses to its velocities and takes its own step:

       for each body near the fluid: rill_world_host(world, id, &state);
       rill_world_step(world, dt);
       for each of them: rill_world_reaction(world, id, &reaction); the engine's body takes impulse and moment
       the engine steps by dt

   Light bodies are special. A body of less than about a quarter of the water's density receives its impulse spread over
   several steps: what it has received and what it is still owed together are the exact opposite. A body lighter than a
   few particles, or than 0.03 times the water's density, counts as that heavy, and its impulses are reported smaller in
   proportion, so that it moves like a body of that mass.

   To everything else, a hosted body is a body: it has a surface, gauges, wetting events, and emitters and sinks
   attached to it. During a step Rill predicts its motion from gravity, the forces that the host names, the fluid, and
   contacts with Rill's solids and bodies, as far as `mask` and `layer` of its definition allow. Joints of Rill
   (rill_world_add_joint) may hold it too: they act within the step only, and give the fluid the resistance that the
   engine's joint has. The prediction is dropped when the engine reports the actual motion. docs/games.md shows all this
   at work. */
#ifndef RILL_HOSTED_H
#define RILL_HOSTED_H

#include "rill/world.h"

/* The state of a body, as the engine reports it before a step. */
typedef struct rill_hosted_state {
    rill_vec position;         /* of the origin of the shape's coordinates [m] */
    float angle;               /* in 2D: rotation of these coordinates about z [rad] */
    float quaternion[4];       /* in 3D: their rotation (x, y, z, w), of any length; zeros: none */
    rill_vec velocity;         /* of the centre of mass [m/s] */
    rill_vec angular_velocity; /* [rad/s]; z in 2D */
    rill_vec centre;           /* centre of mass, in the shape's coordinates [m] */
    rill_vec inverse_mass; /* along each axis of the world [1/kg]: 1/mass three times for a free body; 0 along axes that
                              the engine's joints hold; all 0 for a body that nothing moves */
    float inverse_inertia[3][3]; /* about the centre of mass, in the shape's coordinates [1/(kg m^2)]; in 2D only [2][2]
                                    counts */
    float gravity_scale;         /* factor on the world's gravity */
    rill_vec force, torque;      /* of the engine, besides gravity, during the whole step [N], [N m] */
    bool foretold; /* the engine knows how the body would move without the fluid: the two velocities below are those at
                      the end of such a step and replace gravity; leave force and torque at 0 */
    rill_vec next_velocity, next_angular_velocity;
    bool asleep; /* the engine lets it rest: a wall to the fluid, until the load of the fluid changes */
} rill_hosted_state;

/* The state of a body at rest at the origin, with gravity_scale 1. Its inverse masses are 0: set them. */
RILL_API rill_hosted_state rill_hosted_state_default(void);

/* The action of the fluid on a hosted body in the last call that steps, summed over its substeps; zeros if the call
   took no step, as in a pause. */
typedef struct rill_reaction {
    double impulse[3];              /* [N s] */
    double moment[3];               /* about the centre of mass [N m s]; z in 2D */
    rill_vec velocity;              /* as Rill predicted it for the end of the step [m/s] */
    rill_vec angular_velocity;      /* as Rill predicted it [rad/s] */
    double owed[3], owed_moment[3]; /* impulse and moment that a light body receives in later steps [N s], [N m s] */
    bool wake;                      /* the body slept and the fluid's load has changed: the engine should wake it */
    bool wet;                       /* it touches the fluid */
} rill_reaction;

/* Adds a hosted body. The shape is given in the coordinates of the engine's body and prepared once. The definition's
   kind must be dynamic. Its velocities, density and mass do not count; friction, restitution, damping, layer and mask
   count only in Rill's prediction. Fluid in the place of the body is handled as `displacement` says.
   rill_world_remove_body removes the body. RILL_INVALID: definition or state are invalid. */
RILL_API rill_status rill_world_add_hosted(rill_world *world, const rill_body_def *def, const rill_hosted_state *state,
                                           rill_body_id *id);
/* Reports the state of a hosted body before a step. A body that is not reported moves on as Rill predicts. If the
   engine has put the body somewhere else, or rotated it at once, the fluid in its new place makes room as for
   rill_world_body_set_pose. RILL_NOT_FOUND: no such body; RILL_INVALID: it is not hosted, or the state is invalid. */
RILL_API rill_status rill_world_host(rill_world *world, rill_body_id id, const rill_hosted_state *state);
/* The reaction that the engine applies after a step. RILL_NOT_FOUND: no such body; RILL_INVALID: it is not hosted. */
RILL_API rill_status rill_world_reaction(rill_world *world, rill_body_id id, rill_reaction *reaction);
/* Whether the body is a hosted one. */
RILL_API bool rill_world_is_hosted(const rill_world *world, rill_body_id id);

/* The box around the centres of all particles [m], for the region query of an engine. `empty`, which may be NULL, is
   set if there are no particles; the box then stays as it was. */
RILL_API rill_status rill_world_fluid_box(const rill_world *world, rill_vec *min, rill_vec *max, bool *empty);

/* Interleaved steps, for engines that step as finely as the fluid. Between `begin` and `end` the world takes steps of
   the method's own length that end exactly `duration` seconds later. The host may report bodies before each of them,
   and a reaction is that of the last step. Contacts, wetting and the mean force in a body's state are those of the
   whole duration.

       rill_world_begin(world, duration);
       for (double dt; rill_world_substep(world, &dt) == RILL_OK && dt > 0;) { reactions; the engine steps by dt; host }
       rill_world_end(world);

   `substep` sets `taken` to the length of its step [s], or to 0 when the duration is over. A step that failed has not
   been taken and may be tried again. Until `end`, other calls that step return RILL_INVALID. `end` gives up the rest of
   the duration. */
RILL_API rill_status rill_world_begin(rill_world *world, double duration);
/* As rill_world_begin, with at most `most` steps. pbf makes them longer, as with rill_world_advance_at_most; the time
   that they do not reach is given up. A host with bodies of its own steps by `taken` each time, so that both clocks
   agree. */
RILL_API rill_status rill_world_begin_at_most(rill_world *world, double duration, int most);
RILL_API rill_status rill_world_substep(rill_world *world, double *taken);
RILL_API rill_status rill_world_end(rill_world *world);

#endif

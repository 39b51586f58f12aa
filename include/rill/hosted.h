/* SPDX-License-Identifier: MIT */
/* Hosted bodies: rigid bodies of another physics engine in Rill's fluid.

   The engine owns the bodies and their contacts, joints and motion. Before a step it tells Rill where they are, how
   they move and how heavy they are. Rill solves the fluid against these masses, as it does against those of its own
   bodies, and reports the impulse that the fluid gave to each of them, the exact opposite of the one that the fluid
   received. (A body with less than a quarter of the water's density, or so, gets it spread over some steps: what it got
   and what it is owed is the exact opposite. Lighter than a few particles, or 0.03 times the water's density, it counts
   as that heavy: its impulses are as much smaller, so that it moves as such a body does.) The engine adds these
   impulses to its velocities and takes its own step:

       for each body near the fluid: rill_world_host(world, id, &state);
       rill_world_step(world, dt);
       for each of them: rill_world_reaction(world, id, &reaction); the engine's body takes impulse and moment
       the engine steps by dt

   A hosted body is a body to everything else: it has a surface, gauges, wetting events, emitters and sinks that ride on
   it. During a step Rill predicts its motion: gravity, the forces that the host names, the fluid, and, as far as `mask`
   and `layer` of its definition allow, contacts with Rill's solids and bodies. Joints of Rill may hold it too
   (rill_world_add_joint): these hold within the step only, and give the fluid the resistance that the engine's joint
   has. The prediction is dropped as soon as the engine reports the actual motion. docs/games.md shows all this at work.
 */
#ifndef RILL_HOSTED_H
#define RILL_HOSTED_H

#include "rill/world.h"

/* The state of a body that the engine reports before a step. */
typedef struct rill_hosted_state {
    rill_vec position;           /* of the origin of the coordinates in which the shape was given [m] */
    float angle;                 /* in 2D: turn of these coordinates about z [rad] */
    float quaternion[4];         /* in 3D: their turn, of any length (x, y, z, w); zeros: none */
    rill_vec velocity;           /* of the centre of mass [m/s] */
    rill_vec angular_velocity;   /* [rad/s]; z in 2D */
    rill_vec centre;             /* of mass, in the coordinates of the shape [m] */
    rill_vec inverse_mass;       /* along each axis of the world [1/kg]: three times the same for a free body, 0 along
                                    axes that the engine's joints hold, all 0 for a body that nothing moves */
    float inverse_inertia[3][3]; /* about the centre of mass in the coordinates of the shape [1/(kg m^2)]; in 2D only
                                    [2][2] counts */
    float gravity_scale;         /* share of the world's gravity that acts on it */
    rill_vec force, torque;      /* of the engine, besides gravity, over the whole step [N], [N m] */
    bool foretold;               /* the engine knows how the body would move without the fluid: the next two are its
                                    velocities at the end of such a step, and replace gravity and force */
    rill_vec next_velocity, next_angular_velocity;
    bool asleep; /* rests in the engine: a wall to the fluid, until the fluid's load changes */
} rill_hosted_state;

/* A free body of no mass at rest at the origin: set the masses. */
RILL_API rill_hosted_state rill_hosted_state_default(void);

/* The fluid's action on a hosted body in the last call that steps, summed over its substeps: zeros if it had none to
   take, as in a pause. */
typedef struct rill_reaction {
    double impulse[3]; /* [N s] */
    double moment[3];  /* about the centre of mass; z in 2D [N m s] */
    rill_vec velocity; /* as Rill predicted them for the end of the step [m/s], [rad/s] */
    rill_vec angular_velocity;
    double owed[3], owed_moment[3]; /* of the fluid, which a body much lighter than water gets in the next steps */
    bool wake;                      /* it slept, and the fluid's load has changed: the engine should wake it */
    bool wet;                       /* in touch with the fluid */
} rill_reaction;

/* Registers a body. The shape of the definition is given in coordinates of the engine's body, as if that stood unturned
   at the origin, and is prepared once. The definition's kind must be dynamic; its velocities, density and mass
   do not count, and friction, restitution, damping, layer and mask are used in the prediction alone. Fluid in the place
   of the body makes way as `displacement` says. The body leaves with rill_world_remove_body. */
RILL_API rill_status rill_world_add_hosted(rill_world *world, const rill_body_def *def, const rill_hosted_state *state,
                                           rill_body_id *id);
/* Reports the state of a hosted body before a step. A body that is not reported moves on as Rill predicts. If a body
   was put elsewhere or turned at once, fluid in its new place makes way as for rill_world_body_set_pose. */
RILL_API rill_status rill_world_host(rill_world *world, rill_body_id id, const rill_hosted_state *state);
RILL_API rill_status rill_world_reaction(rill_world *world, rill_body_id id, rill_reaction *reaction);
/* Whether an engine moves the body. */
RILL_API bool rill_world_is_hosted(const rill_world *world, rill_body_id id);

/* The box around all particles, for the region query of an engine. `empty`: there are none, and the box is
   left as it was. */
RILL_API rill_status rill_world_fluid_box(const rill_world *world, rill_vec *min, rill_vec *max, bool *empty);

/* Interleaved steps, for engines that step as finely as the fluid. Between `begin` and `end` the world takes steps of
   the method's own length that end exactly `duration` seconds later; the host may report bodies before each of
   them, and reactions are those of the last one. Contacts, wetting and the mean force in a body's state refer to the
   whole duration.

       rill_world_begin(world, duration);
       for (double dt; rill_world_substep(world, &dt) == RILL_OK && dt > 0;) { reactions; the engine steps by dt; host }
       rill_world_end(world);

   `substep` sets `taken` to the length of its step, 0 when the duration is over. A failed step is not taken and may be
   tried again. Other calls that step are refused until `end`, which gives up what is left of the duration. */
RILL_API rill_status rill_world_begin(rill_world *world, double duration);
/* The same with at most `most` steps, which pbf makes longer as rill_world_advance_at_most does; what they did not
   reach is given up. A host with bodies of its own steps by `taken` each time, so that both clocks agree. */
RILL_API rill_status rill_world_begin_at_most(rill_world *world, double duration, int most);
RILL_API rill_status rill_world_substep(rill_world *world, double *taken);
RILL_API rill_status rill_world_end(rill_world *world);

#endif

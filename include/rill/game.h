/* SPDX-License-Identifier: MIT */
/* Calls for games: groups of particles with colours, lifetimes and data of the host, areas that act on particles and
   watch them, pushes, queries about particles, and lists of events. A world that uses none of this pays nothing for it.
   docs/liquidfun.md maps each call of LiquidFun to one of these; docs/budgets.md says what a frame costs.

   The rules of rill/world.h hold: on error the world is unchanged, and rill_world_message has the reason. Ids and lists
   are in the order of the particle arrays, which is the same on any number of threads. */
#ifndef RILL_GAME_H
#define RILL_GAME_H

#include "rill/world.h"

/* ---- stepping in a loop with a budget ---- */

/* As rill_world_advance, with at most `most` steps. pbf makes its steps longer than usual, as far as they are stable,
   to catch up with the host's clock. If the world has not caught up after that, the rest of `duration` is given up: the
   world runs slower than the clock for a while, instead of falling further and further behind. `advanced`, which may be
   NULL, is the time by which the world's clock went on [s]: `duration` or less. For slow motion pass a smaller
   duration, for a pause 0. */
RILL_API rill_status rill_world_advance_at_most(rill_world *world, double duration, int most, double *advanced);

/* ---- data of particles ----
   A world has these fields from the first call on that sets one:
     group      number of the group's slot plus 1; 0: none
     colour     red, green, blue, opacity, from 0 to 1
     user_data  64 bits of the host
     life       seconds that are left; 0: for ever; below 0: none is left, and the next step removes the particle
   They are sorted, saved and shown like all fields, and rill_world_view reads them. New particles have zeros, or the
   values of their group. Each call sets the values of `count` particles or, on error, none: RILL_NOT_FOUND if an id has
   no particle, RILL_INVALID if a value is out of range. */
RILL_API rill_status rill_world_set_colours(rill_world *world, const rill_particle_id *ids, const float (*colours)[4],
                                            int count);
RILL_API rill_status rill_world_set_user_data(rill_world *world, const rill_particle_id *ids, const uint64_t *values,
                                              int count);
/* Lifetimes in seconds from now; 0: for ever. */
RILL_API rill_status rill_world_set_lifetimes(rill_world *world, const rill_particle_id *ids, const float *seconds,
                                              int count);
/* The velocities of all particles [m/s], to be changed in place: `count` times `dim` floats, in the order of the
   arrays, valid until the next call that changes the world. The next step refuses values that are not finite, and
   speeds whose square overflows a float (from 1.8e19 m/s on). NULL if there are no particles. */
RILL_API float *rill_world_write_velocities(rill_world *world, int *count);

/* ---- groups ----
   Handles, names, listing and definitions work as for the objects of rill/world.h. */

RILL_API rill_status rill_world_add_group(rill_world *world, const rill_group_def *def, rill_group_id *id);
/* The particles of a removed group stay and belong to no group. Refused while an emitter or an area refers to it. */
RILL_API rill_status rill_world_remove_group(rill_world *world, rill_group_id id);
RILL_API bool rill_world_group_is_valid(const rill_world *world, rill_group_id id);
RILL_API rill_group_id rill_world_find_group(const rill_world *world, const char *name);
RILL_API int rill_world_group_count(const rill_world *world);
RILL_API rill_group_id rill_world_group_at(const rill_world *world, int index);
RILL_API const rill_group_def *rill_world_group_def(const rill_world *world, rill_group_id id);
/* A pointer of the host, kept in the group's definition. Rill neither reads nor saves it. */
RILL_API rill_status rill_world_group_set_user_data(rill_world *world, rill_group_id id, void *user_data);

/* Moves particles from the groups they are in to a group; the null handle: to none. Colour and lifetime stay as they
   are. */
RILL_API rill_status rill_world_group_particles(rill_world *world, rill_group_id id, const rill_particle_id *ids,
                                                int count);
/* Moves all particles inside a shape to a group, in the same way. `grouped` is their number and may be NULL. */
RILL_API rill_status rill_world_group_inside(rill_world *world, rill_group_id id, const rill_shape *shape,
                                             int *grouped);
/* Moves all particles of `from` to `into`, and removes `from`. Refused while an emitter or an area refers to `from`. */
RILL_API rill_status rill_world_join_groups(rill_world *world, rill_group_id into, rill_group_id from);
/* Splits a group into connected parts: each particle is nearer than `reach` [m] to another one of its part; 0: 1.5
   spacings. The largest part stays in the group, each other part gets a new group with the same definition. `parts`,
   which may be NULL, receives up to `capacity` handles of new groups; `count`, which may be NULL, is their number. */
RILL_API rill_status rill_world_split_group(rill_world *world, rill_group_id id, float reach, rill_group_id *parts,
                                            int capacity, int *count);
/* Removes the particles of a group from the world; the group stays. `removed` is their number and may be NULL. */
RILL_API rill_status rill_world_empty_group(rill_world *world, rill_group_id id, int *removed);

/* Sums and means over the particles of a group. */
typedef struct rill_group_state {
    int particles;
    float mass;             /* [kg] */
    rill_vec centre;        /* centre of mass [m] */
    rill_vec velocity;      /* of the centre of mass [m/s] */
    float angular_velocity; /* about the centre of mass, in 3D about the z axis through it [rad/s] */
    rill_vec min, max;      /* box around the particles' centres [m] */
} rill_group_state;
RILL_API rill_status rill_world_group_state(const rill_world *world, rill_group_id id, rill_group_state *state);
/* Adds `velocity` [m/s] to the velocity of each particle of a group. */
RILL_API rill_status rill_world_push_group(rill_world *world, rill_group_id id, rill_vec velocity);

/* ---- areas ----
   Handles, names, listing and definitions work as for the objects of rill/world.h. RILL_LIMIT: an area that watches is
   not among the first RILL_AREAS_WATCHED. */

RILL_API rill_status rill_world_add_area(rill_world *world, const rill_area_def *def, rill_area_id *id);
RILL_API rill_status rill_world_remove_area(rill_world *world, rill_area_id id);
RILL_API bool rill_world_area_is_valid(const rill_world *world, rill_area_id id);
RILL_API rill_area_id rill_world_find_area(const rill_world *world, const char *name);
RILL_API int rill_world_area_count(const rill_world *world);
RILL_API rill_area_id rill_world_area_at(const rill_world *world, int index);
RILL_API const rill_area_def *rill_world_area_def(const rill_world *world, rill_area_id id);

/* ---- pushes: see also rill_world_push_inside in rill/world.h ---- */

/* A blast: adds a velocity away from `centre` to all particles nearer than `radius` [m]. It falls linearly from `speed`
   [m/s] at the centre to 0 at the radius; a negative `speed` is an implosion. `pushed` is the number of particles and
   may be NULL. */
RILL_API rill_status rill_world_blast(rill_world *world, rill_vec centre, float radius, float speed, int *pushed);

/* ---- queries about particles ----
   `ids` receives up to `capacity` particles and may be NULL; `count` is the number found, which may be larger. */

/* Particles whose centre is in the box between `min` and `max` [m], inside a shape, or in a group. */
RILL_API rill_status rill_world_particles_in_box(rill_world *world, rill_vec min, rill_vec max, rill_particle_id *ids,
                                                 int capacity, int *count);
RILL_API rill_status rill_world_particles_inside(rill_world *world, const rill_shape *shape, rill_particle_id *ids,
                                                 int capacity, int *count);
RILL_API rill_status rill_world_particles_of_group(rill_world *world, rill_group_id id, rill_particle_id *ids,
                                                   int capacity, int *count);
/* The particle nearest to a point, if there is one within `reach` [m]; otherwise RILL_NO_PARTICLE. `distance` [m] may
   be NULL. */
RILL_API rill_status rill_world_nearest_particle(rill_world *world, rill_vec point, float reach, rill_particle_id *id,
                                                 float *distance);
/* The first particle that a ray meets within `length` [m], each particle a ball with a radius of half a spacing;
   otherwise RILL_NO_PARTICLE. `distance` along the ray [m] may be NULL. */
RILL_API rill_status rill_world_particle_on_ray(rill_world *world, rill_vec origin, rill_vec direction, float length,
                                                rill_particle_id *id, float *distance);
/* Particles that cannot escape. Let d be half the distance that particles keep to walls: such a particle is deeper than
   d inside a solid, or within d of two surfaces that face each other. */
RILL_API rill_status rill_world_stuck_particles(rill_world *world, rill_particle_id *ids, int capacity, int *count);

/* The fluid at a point, without a gauge. */
typedef struct rill_fluid_sample {
    bool inside;       /* at least half of the space around the point is filled with fluid */
    float density;     /* [kg/m^3]; 0 if no fluid is near */
    float pressure;    /* [Pa] */
    rill_vec velocity; /* [m/s] */
    float depth;       /* height of fluid above the point, against gravity [m]; 0 outside the fluid */
} rill_fluid_sample;
/* The fluid at a point. The surface is searched up to `deepest` metres above it, which limits `depth`. */
RILL_API rill_status rill_world_sample_fluid(rill_world *world, rill_vec point, float deepest,
                                             rill_fluid_sample *sample);

/* ---- events of the last call that stepped ----
   Each such call starts with empty lists, and one that takes no step leaves them empty: rill_world_advance when the
   world is ahead of the clock, or a duration of 0. A call that fails without a step leaves them as they were. Arrays
   are valid until the next call that changes the world, and are not saved. Contacts of bodies and wetting are in
   rill/world.h. */

typedef enum rill_removal_reason {
    RILL_REMOVED_BY_SINK,
    RILL_REMOVED_BY_BOUNDS,  /* it left the bounds of the world */
    RILL_REMOVED_BY_AGE,     /* its lifetime was over */
    RILL_REMOVED_BY_LIMIT,   /* it was one of the oldest, beyond particle_limit */
    RILL_REMOVED_BY_FAILURE, /* it ran away */
    RILL_REMOVAL_REASONS
} rill_removal_reason;

typedef struct rill_removal {
    rill_particle_id particle;
    int32_t reason; /* rill_removal_reason */
} rill_removal;
/* Particles that the call removed, if rill_world_def.events is set. Particles that the host removes are not listed. */
RILL_API int rill_world_removal_count(const rill_world *world);
RILL_API const rill_removal *rill_world_removals(const rill_world *world);

typedef struct rill_passage {
    rill_particle_id particle;
    rill_area_id area;
    bool entered; /* false: it left */
} rill_passage;
/* Particles that entered or left areas with `watch`, found at the end of each substep. Removing a particle inside an
   area is not listed as leaving it. */
RILL_API int rill_world_passage_count(const rill_world *world);
RILL_API const rill_passage *rill_world_passages(const rill_world *world);

typedef enum rill_change_kind {
    RILL_CHANGE_BODY_SLEPT,
    RILL_CHANGE_BODY_WOKE,
    RILL_CHANGE_BODY_WET, /* it was dry before the call */
    RILL_CHANGE_BODY_DRY,
    RILL_CHANGE_JOINT_BROKE,
    RILL_CHANGE_GROUP_EMPTIED
} rill_change_kind;

typedef struct rill_change {
    int32_t kind;        /* rill_change_kind */
    rill_body_id body;   /* for the kinds that begin with RILL_CHANGE_BODY */
    rill_joint_id joint; /* for RILL_CHANGE_JOINT_BROKE */
    rill_group_id group; /* for RILL_CHANGE_GROUP_EMPTIED: it has lost its last particle */
} rill_change;
/* Objects whose state the call changed, if rill_world_def.events is set: first bodies, then joints, then groups, each
   in the order of slots. */
RILL_API int rill_world_change_count(const rill_world *world);
RILL_API const rill_change *rill_world_changes(const rill_world *world);

#endif

/* SPDX-License-Identifier: MIT */
/* Calls for games: groups of particles with colours, lifetimes and data of their own, areas that act on particles and
   watch them, pushes, queries about particles, and lists of events. A world that uses none of this pays nothing for it.
   docs/liquidfun.md maps each call of LiquidFun to one of these, docs/budgets.md says what a frame costs.

   Calls follow the rules of rill/world.h: on error the world is unchanged and rill_world_message tells why. Ids and
   lists are in the order of the particle arrays, which is the same on any number of threads. */
#ifndef RILL_GAME_H
#define RILL_GAME_H

#include "rill/world.h"

/* ---- stepping in a loop with a budget ---- */

/* As rill_world_advance with at most `most` steps. pbf makes them longer than it would by itself, as far as they are
   stable, to catch up with the host's clock. If the world has not caught up by then, the rest of `duration` is given
   up: the world runs slower than the clock for a while instead of falling further and further behind. `advanced` (may
   be NULL) is the time by which the world's clock went on: `duration`, or less. Slow motion is a smaller duration, and
   a pause is none. */
RILL_API rill_status rill_world_advance_at_most(rill_world *world, double duration, int most, double *advanced);

/* ---- data of particles ----
   Fields that a world has after the first call that sets one: `group` (number of the group's slot plus 1; 0: none),
   `colour` (red, green, blue, opacity; 0 to 1), `user_data` (64 bits of the host's), `life` (seconds that are left; 0:
   for ever). They are sorted, saved and shown like all fields: rill_world_view reads them. New particles have zeros,
   or the values of their group. Each call sets all values or, on error, none. */
RILL_API rill_status rill_world_set_colours(rill_world *world, const rill_particle_id *ids, const float (*colours)[4],
                                            int count);
RILL_API rill_status rill_world_set_user_data(rill_world *world, const rill_particle_id *ids, const uint64_t *values,
                                              int count);
/* Seconds from now; 0: for ever. */
RILL_API rill_status rill_world_set_lifetimes(rill_world *world, const rill_particle_id *ids, const float *seconds,
                                              int count);
/* The velocities of all particles, for changes in place: `count` times `dim` floats in the order of the arrays, until
   the next call that changes the world. The next step refuses values that are not finite. NULL if there are no
   particles. */
RILL_API float *rill_world_write_velocities(rill_world *world, int *count);

/* ---- groups ---- */

RILL_API rill_status rill_world_add_group(rill_world *world, const rill_group_def *def, rill_group_id *id);
/* The particles of a removed group stay and belong to none. Refused while an emitter or an area refers to it. */
RILL_API rill_status rill_world_remove_group(rill_world *world, rill_group_id id);
RILL_API bool rill_world_group_is_valid(const rill_world *world, rill_group_id id);
RILL_API rill_group_id rill_world_find_group(const rill_world *world, const char *name);
RILL_API int rill_world_group_count(const rill_world *world);
RILL_API rill_group_id rill_world_group_at(const rill_world *world, int index);
RILL_API const rill_group_def *rill_world_group_def(const rill_world *world, rill_group_id id);
RILL_API rill_status rill_world_group_set_user_data(rill_world *world, rill_group_id id, void *user_data);

/* Puts particles into a group, out of the one that they were in; a null group: into none. Colour and lifetime stay as
   they are. */
RILL_API rill_status rill_world_group_particles(rill_world *world, rill_group_id id, const rill_particle_id *ids,
                                                int count);
/* Puts all particles inside a shape into a group. `grouped`, which may be NULL, is their number. */
RILL_API rill_status rill_world_group_inside(rill_world *world, rill_group_id id, const rill_shape *shape,
                                             int *grouped);
/* All particles of `from` go over to `into`, and `from` is removed. */
RILL_API rill_status rill_world_join_groups(rill_world *world, rill_group_id into, rill_group_id from);
/* Parts of a group that are connected (each particle nearer than `reach` to another of the part; 0: 1.5 spacings)
   become groups: the largest stays the group, each other part gets a new one like it. `parts` (may be NULL) receives
   up to `capacity` of the new groups, `count` is their number. */
RILL_API rill_status rill_world_split_group(rill_world *world, rill_group_id id, float reach, rill_group_id *parts,
                                            int capacity, int *count);
/* Takes its particles out of the world; the group stays. */
RILL_API rill_status rill_world_empty_group(rill_world *world, rill_group_id id, int *removed);

/* Sums and means over the particles of a group. */
typedef struct rill_group_state {
    int particles;
    float mass;             /* [kg] */
    rill_vec centre;        /* of mass [m] */
    rill_vec velocity;      /* of the centre [m/s] */
    float angular_velocity; /* about the centre, about z in 3D [rad/s] */
    rill_vec min, max;      /* box around the particles' centres [m] */
} rill_group_state;
RILL_API rill_status rill_world_group_state(const rill_world *world, rill_group_id id, rill_group_state *state);
/* Adds to the velocity of every particle of a group. */
RILL_API rill_status rill_world_push_group(rill_world *world, rill_group_id id, rill_vec velocity);

/* ---- areas ---- */

RILL_API rill_status rill_world_add_area(rill_world *world, const rill_area_def *def, rill_area_id *id);
RILL_API rill_status rill_world_remove_area(rill_world *world, rill_area_id id);
RILL_API bool rill_world_area_is_valid(const rill_world *world, rill_area_id id);
RILL_API rill_area_id rill_world_find_area(const rill_world *world, const char *name);
RILL_API int rill_world_area_count(const rill_world *world);
RILL_API rill_area_id rill_world_area_at(const rill_world *world, int index);
RILL_API const rill_area_def *rill_world_area_def(const rill_world *world, rill_area_id id);

/* ---- pushes: see also rill_world_push_inside ---- */

/* A blast: particles nearer than `radius` get a velocity away from `centre`, which falls from `speed` at the centre to
   0 at the radius. Negative: an implosion. `pushed` may be NULL. */
RILL_API rill_status rill_world_blast(rill_world *world, rill_vec centre, float radius, float speed, int *pushed);

/* ---- queries about particles ----
   Lists are filled up to `capacity`; `count` says how many there are. */

RILL_API rill_status rill_world_particles_in_box(rill_world *world, rill_vec min, rill_vec max, rill_particle_id *ids,
                                                 int capacity, int *count);
RILL_API rill_status rill_world_particles_inside(rill_world *world, const rill_shape *shape, rill_particle_id *ids,
                                                 int capacity, int *count);
RILL_API rill_status rill_world_particles_of_group(rill_world *world, rill_group_id id, rill_particle_id *ids,
                                                   int capacity, int *count);
/* The nearest particle to a point, if there is one within `reach`; otherwise RILL_NO_PARTICLE. */
RILL_API rill_status rill_world_nearest_particle(rill_world *world, rill_vec point, float reach, rill_particle_id *id,
                                                 float *distance);
/* The first particle that a ray meets, each a ball of half a spacing's radius; otherwise RILL_NO_PARTICLE. */
RILL_API rill_status rill_world_particle_on_ray(rill_world *world, rill_vec origin, rill_vec direction, float length,
                                                rill_particle_id *id, float *distance);
/* Particles that cannot escape: inside a solid by more than half the distance that they keep to walls, or squeezed
   between two surfaces that face each other and are nearer than that on both sides. */
RILL_API rill_status rill_world_stuck_particles(rill_world *world, rill_particle_id *ids, int capacity, int *count);

/* The fluid at a point, without a gauge. */
typedef struct rill_fluid_sample {
    bool inside;       /* at least half of the space around the point is full of fluid */
    float density;     /* [kg/m^3]; 0 if no fluid is near */
    float pressure;    /* [Pa] */
    rill_vec velocity; /* [m/s] */
    float depth;       /* height of fluid over the point against gravity [m]; 0 outside the fluid */
} rill_fluid_sample;
/* `deepest` is the greatest depth that is searched for the surface [m]. */
RILL_API rill_status rill_world_sample_fluid(rill_world *world, rill_vec point, float deepest,
                                             rill_fluid_sample *sample);

/* ---- events of the last call that stepped ----
   Lists that begin empty with each such call and are valid until the next call that changes the world. They are not
   saved. Contacts of bodies and wetting are in rill/world.h. */

typedef enum rill_removal_reason {
    RILL_REMOVED_BY_SINK,
    RILL_REMOVED_BY_BOUNDS,  /* it left the bounds of the world */
    RILL_REMOVED_BY_AGE,     /* its life was over */
    RILL_REMOVED_BY_LIMIT,   /* it was one of the oldest of too many */
    RILL_REMOVED_BY_FAILURE, /* it ran away */
    RILL_REMOVAL_REASONS
} rill_removal_reason;

typedef struct rill_removal {
    rill_particle_id particle;
    int32_t reason; /* rill_removal_reason */
} rill_removal;
/* Particles that the call removed, if world.events is on. Those that the host removes itself are not listed. */
RILL_API int rill_world_removal_count(const rill_world *world);
RILL_API const rill_removal *rill_world_removals(const rill_world *world);

typedef struct rill_passage {
    rill_particle_id particle;
    rill_area_id area;
    bool entered; /* or left */
} rill_passage;
/* Particles that entered or left areas that watch, at the ends of substeps. A particle that is removed inside an area
   does not leave it. */
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
    rill_body_id body;   /* of the first four */
    rill_joint_id joint; /* that broke */
    rill_group_id group; /* that has no particle any more */
} rill_change;
/* State that the call has changed, if world.events is on: first bodies, then joints, then groups, each in the order of
   slots. */
RILL_API int rill_world_change_count(const rill_world *world);
RILL_API const rill_change *rill_world_changes(const rill_world *world);

#endif

/* SPDX-License-Identifier: MIT */
/* Declarations shared by the files of src/api. */
#ifndef RILL_API_WORLD_H
#define RILL_API_WORLD_H

#include "api/pool.h"
#include "api/shapes.h"
#include "rill/hosted.h"

/* Creates an empty world; the body of rill_world_create. */
rill_world *rill_world_make(const rill_world_def *def, rill_error *error);

/* A kind of object: its name in messages, its size, and where an object's name is. */
typedef struct object_kind {
    const char *noun;
    size_t size, name_offset;
} object_kind;
#define OBJECT_KIND(type) ((object_kind){#type, sizeof(struct type), offsetof(struct type, def.name)})
/* The handle of a living object. */
#define OBJECT_ID(world, type, object) \
    ((rill_##type##_id){(uint32_t)((object)-POOL_ITEMS(world, type)) + 1, (object)->slot.age})

/* Takes a slot for an object of this name; an empty name becomes fluid1, solid2, ... NULL with a message if the name is
   taken or too long, or if there is no memory. */
void *rill_object_take(rill_world *world, pool *p, object_kind kind, char name[RILL_NAME_SIZE], uint32_t *index);
/* The living object of this name, or NULL. */
void *rill_object_find(const pool *p, object_kind kind, const char *name);

/* Adds a solid without displacing fluid or waking bodies. For the surface of a body, which does both later, where the
   body is. */
rill_status rill_solid_add(rill_world *world, const rill_solid_def *def, rill_solid_id *id);
/* Checks and adds a body. `state`: of a hosted body; NULL: not hosted. */
rill_status rill_body_add(rill_world *world, const rill_body_def *def, const rill_hosted_state *state,
                          rill_body_id *id);
/* Moves fluid out of the place of a body, after the body was put there. */
void rill_body_makes_way(rill_world *world, const body *b);
/* Whether no component is infinite or NaN. */
bool rill_finite_vec(rill_vec v);
/* Removes a solid and all that it owns, without waking bodies. */
void rill_solid_remove(rill_world *world, solid *s);
/* Gives an emitter another definition, which has been checked, without a gap in its jet. */
void rill_emitter_change(rill_world *world, emitter *e, const rill_emitter_def *def);

/* Finds the objects that a definition refers to, and fills in their handles and names. On error some of them may be
   filled in. */
rill_status rill_refer_block(rill_world *world, rill_block_def *def);
rill_status rill_refer_emitter(rill_world *world, rill_emitter_def *def);
rill_status rill_refer_sink(rill_world *world, rill_sink_def *def);
rill_status rill_refer_pin(rill_world *world, rill_pin_def *def);
rill_status rill_refer_area(rill_world *world, rill_area_def *def);
rill_status rill_refer_joint(rill_world *world, rill_joint_def *def);
rill_status rill_refer_gauge(rill_world *world, rill_gauge_def *def);

/* RILL_NOT_FOUND with a message if one of these ids has no particle. */
rill_status rill_check_particles(rill_world *world, const rill_particle_id *ids, int count, const char *what);
/* Checks a group, and adds the particle fields that its members need. */
rill_status rill_check_group(rill_world *world, const rill_group_def *def);
rill_status rill_check_world_def(const rill_world_def *def, rill_error *error);
/* Checks an emitter by its table and against the world, and fills in its references. */
rill_status rill_check_emitter(rill_world *world, rill_emitter_def *def);
rill_status rill_check_surface(rill_world *world, bool no_slip, float contact_angle);
/* Checks a motion by its table and by its keyframes. */
rill_status rill_check_motion(rill_world *world, const rill_motion *motion);
/* Replaces the lists of keyframes by copies that the world owns, and frees these. */
rill_status rill_motion_own(rill_world *world, rill_motion *motion);
void rill_motion_release(rill_world *world, rill_motion *motion);

/* The public state of a body, and the public transform of a pose. */
rill_body_state rill_body_state_of(const rill_world *world, const body *b);
rill_transform rill_transform_of(const pose *p);

#endif

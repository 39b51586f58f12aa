/* SPDX-License-Identifier: MIT */
/* The world: create it, fill it, step it, read it. A world is used from one thread at a time; different worlds are
   independent. Calls that return rill_status leave the world unchanged on error and put the story into
   rill_world_message. */
#ifndef RILL_WORLD_H
#define RILL_WORLD_H

#include "rill/types.h"

typedef struct rill_world rill_world;

RILL_API rill_world *rill_world_create(const rill_world_def *def, rill_error *error); /* NULL on error */
RILL_API void rill_world_destroy(rill_world *world);                                  /* NULL is fine */
RILL_API const char *rill_world_message(const rill_world *world);                     /* of the last failed call */
RILL_API const rill_world_def *rill_world_get_def(const rill_world *world);
RILL_API const rill_method_info *rill_world_method(const rill_world *world);
RILL_API const char *rill_world_simd(const rill_world *world); /* "scalar", "sse", "avx2", "neon" */
RILL_API int rill_world_workers(const rill_world *world);
RILL_API float rill_world_support(const rill_world *world); /* h [m] */

/* Parameters of the method by key. Numbers are SI, choices are names, `set_text` takes units. */
RILL_API rill_status rill_world_set_number(rill_world *world, const char *key, double value);
RILL_API rill_status rill_world_set_text(rill_world *world, const char *key, const char *text);
RILL_API rill_status rill_world_get_text(const rill_world *world, const char *key, char *buffer, size_t size);
/* The method's parameter struct behind its table, for reading all values, and what automatic ones came to
   (for example the sound speed that was chosen): NULL if `key` has no effective value of its own. */
RILL_API const void *rill_world_params(const rill_world *world);
RILL_API rill_status rill_world_effective(rill_world *world, const char *key, double *value);
/* Why a fluid's `key`, "viscosity" or "surface_tension", does not act in this world, as its method is set; NULL: it
   acts. A step refuses such a value, unless it is the default or that of a named material. */
RILL_API const char *rill_world_ignores(const rill_world *world, const char *key);
/* The same for what the method adds to a fluid, to a solid and to a body, whose surface is a solid too: keys of the
   fluid_table and solid_table of its rill_method_info. */
RILL_API rill_status rill_world_fluid_set_number(rill_world *world, rill_fluid_id id, const char *key, double value);
RILL_API rill_status rill_world_fluid_set_text(rill_world *world, rill_fluid_id id, const char *key, const char *text);
RILL_API rill_status rill_world_fluid_get_text(const rill_world *world, rill_fluid_id id, const char *key, char *buffer,
                                               size_t size);
RILL_API rill_status rill_world_solid_set_number(rill_world *world, rill_solid_id id, const char *key, double value);
RILL_API rill_status rill_world_solid_set_text(rill_world *world, rill_solid_id id, const char *key, const char *text);
RILL_API rill_status rill_world_solid_get_text(const rill_world *world, rill_solid_id id, const char *key, char *buffer,
                                               size_t size);
RILL_API rill_status rill_world_body_set_number(rill_world *world, rill_body_id id, const char *key, double value);
RILL_API rill_status rill_world_body_set_text(rill_world *world, rill_body_id id, const char *key, const char *text);
RILL_API rill_status rill_world_body_get_text(const rill_world *world, rill_body_id id, const char *key, char *buffer,
                                              size_t size);

/* Objects. Names must be unique among their kind; an empty name gets one. `id` may be NULL. */
RILL_API rill_status rill_world_add_fluid(rill_world *world, const rill_fluid_def *def, rill_fluid_id *id);
RILL_API rill_status rill_world_add_solid(rill_world *world, const rill_solid_def *def, rill_solid_id *id);
RILL_API rill_status rill_world_add_emitter(rill_world *world, const rill_emitter_def *def, rill_emitter_id *id);
RILL_API rill_status rill_world_add_sink(rill_world *world, const rill_sink_def *def, rill_sink_id *id);
RILL_API rill_status rill_world_add_gauge(rill_world *world, const rill_gauge_def *def, rill_gauge_id *id);
RILL_API rill_status rill_world_add_body(rill_world *world, const rill_body_def *def, rill_body_id *id);
RILL_API rill_status rill_world_add_joint(rill_world *world, const rill_joint_def *def, rill_joint_id *id);
/* A body with joints takes them along. */
RILL_API rill_status rill_world_remove_body(rill_world *world, rill_body_id id);
RILL_API rill_status rill_world_remove_joint(rill_world *world, rill_joint_id id);
RILL_API rill_status rill_world_remove_solid(rill_world *world, rill_solid_id id);
RILL_API rill_status rill_world_remove_emitter(rill_world *world, rill_emitter_id id);
RILL_API rill_status rill_world_remove_sink(rill_world *world, rill_sink_id id);
RILL_API rill_status rill_world_remove_gauge(rill_world *world, rill_gauge_id id);
RILL_API rill_fluid_id rill_world_find_fluid(const rill_world *world, const char *name); /* null if there is none */
RILL_API rill_solid_id rill_world_find_solid(const rill_world *world, const char *name);
RILL_API rill_body_id rill_world_find_body(const rill_world *world, const char *name);
RILL_API rill_joint_id rill_world_find_joint(const rill_world *world, const char *name);
RILL_API int rill_world_body_count(const rill_world *world);
RILL_API int rill_world_joint_count(const rill_world *world);
RILL_API const rill_body_def *rill_world_body(const rill_world *world, int index);
RILL_API const rill_joint_def *rill_world_joint(const rill_world *world, int index);
RILL_API rill_body_id rill_world_body_at(const rill_world *world, int index);
RILL_API rill_status rill_world_body_state(rill_world *world, rill_body_id id, rill_body_state *state);
RILL_API rill_status rill_world_joint_state(rill_world *world, rill_joint_id id, rill_joint_state *state);
/* Acts in the next step: a force at a point, a torque. An impulse changes the velocity at once. */
RILL_API rill_status rill_world_body_push(rill_world *world, rill_body_id id, rill_vec force, rill_vec point);
RILL_API rill_status rill_world_body_twist(rill_world *world, rill_body_id id, rill_vec torque);
RILL_API rill_status rill_world_body_hit(rill_world *world, rill_body_id id, rill_vec impulse, rill_vec point);
RILL_API rill_status rill_world_body_set_velocity(rill_world *world, rill_body_id id, rill_vec velocity,
                                                  rill_vec angular_velocity);
RILL_API rill_status rill_world_joint_set_motor(rill_world *world, rill_joint_id id, float speed, float force);
/* Wakes a body and all that rest with it. Pushes, hits and touches do so by themselves. */
RILL_API rill_status rill_world_body_wake(rill_world *world, rill_body_id id);
/* What bodies touched in the last step, one entry for each pair of surfaces, ordered by their slots: began, goes on,
   ended. Valid until the next call that changes the world. Pairs asleep go on as they fell asleep. */
RILL_API int rill_world_contact_count(const rill_world *world);
RILL_API const rill_contact *rill_world_contacts(const rill_world *world);
/* How many there are, and the definition of the k-th living one (0 <= k < count), NULL past the end. */
RILL_API int rill_world_fluid_count(const rill_world *world);
RILL_API int rill_world_solid_count(const rill_world *world);
RILL_API int rill_world_gauge_count(const rill_world *world);
RILL_API const rill_fluid_def *rill_world_fluid(const rill_world *world, int index);
RILL_API const rill_solid_def *rill_world_solid(const rill_world *world, int index);
RILL_API const rill_gauge_def *rill_world_gauge(const rill_world *world, int index);
/* Where a prescribed motion has brought the k-th solid: offset of its reference point and angle about its axis. */
RILL_API rill_status rill_world_solid_pose(const rill_world *world, int index, rill_vec *offset, float *angle);
/* All of it, for bodies' surfaces too. */
RILL_API rill_status rill_world_solid_transform(const rill_world *world, int index, rill_transform *transform);
/* What was made of the k-th solid's shape, a compound's parts taken together. */
RILL_API rill_status rill_world_solid_info(const rill_world *world, int index, rill_solid_info *info);
/* Signed distance from a point to the k-th solid where it is now (negative inside), and the outward normal. */
RILL_API rill_status rill_world_solid_distance(const rill_world *world, int index, rill_vec point, float *distance,
                                               rill_vec *normal);

/* Queries, for everything where it is now. `filter` may be NULL: everybody. Those that may find several fill `hits` up
   to `capacity`, in the order of slots, and say in `count` how many there are. Point: who contains it. Box: who has a
   point in it (slivers thinner than a hundredth of the box may be missed). Ray: the nearest surface within `length`
   along `direction`, of any length itself; a ray that begins inside hits at once. */
RILL_API rill_status rill_world_query_point(rill_world *world, rill_vec point, const rill_filter *filter,
                                            rill_hit *hits, int capacity, int *count);
RILL_API rill_status rill_world_query_box(rill_world *world, rill_vec min, rill_vec max, const rill_filter *filter,
                                          rill_hit *hits, int capacity, int *count);
RILL_API rill_status rill_world_query_ray(rill_world *world, rill_vec origin, rill_vec direction, float length,
                                          const rill_filter *filter, rill_hit *hit, bool *found);

/* Particles. */
RILL_API rill_status rill_world_add_block(rill_world *world, const rill_block_def *def, int *added);
RILL_API rill_status rill_world_add_particle(rill_world *world, rill_fluid_id fluid, rill_vec position,
                                             rill_vec velocity, rill_particle_id *id);
RILL_API rill_status rill_world_remove_particle(rill_world *world, rill_particle_id id);
RILL_API rill_status rill_world_remove_inside(rill_world *world, const rill_shape *shape, int *removed);
/* How many particles a block would add, without adding them. */
RILL_API rill_status rill_world_count_block(rill_world *world, const rill_block_def *def, int *count);
RILL_API int rill_world_particle_count(const rill_world *world);
RILL_API int rill_world_particle_index(rill_world *world, rill_particle_id id); /* in the arrays now, or -1 */
RILL_API int rill_world_view_count(const rill_world *world);
RILL_API rill_view rill_world_view_at(const rill_world *world, int index);
RILL_API rill_status rill_world_view(const rill_world *world, const char *name, rill_view *view);

/* Stepping. `step` takes exactly one step of dt seconds. `advance` takes adaptive steps that sum up to `duration`.
   A blow-up returns RILL_BLOW_UP: the message names step, particle and likely cause, and the world refuses to step on.
 */
RILL_API rill_status rill_world_step(rill_world *world, double dt);
RILL_API rill_status rill_world_advance(rill_world *world, double duration);
/* One adaptive step that goes no farther than `limit` seconds; what it took is in the statistics. `advance` is this in
   a loop; a tool uses it to show progress and to stop between steps. */
RILL_API rill_status rill_world_step_adaptive(rill_world *world, double limit);
RILL_API const rill_stats *rill_world_stats(const rill_world *world);
/* 64-bit hash of positions, velocities, ids and links, and of the motion of bodies: equal on any number of threads and
 * any SIMD width. */
RILL_API uint64_t rill_world_hash(const rill_world *world);

/* Gauges: up to three values each. A reading is a function of the state, whoever reads it and how often; a value that
   does not exist (the height of the fluid where there is none) is NAN. docs/gauges.md has each kind. */
typedef struct rill_reading {
    int count;
    double value[3];
} rill_reading;
RILL_API rill_status rill_world_read_gauge(rill_world *world, rill_gauge_id id, rill_reading *reading);
RILL_API rill_status rill_world_read_gauge_at(rill_world *world, int index, rill_reading *reading);

/* Snapshots: everything, as bytes. `save` calls `write` several times; a false return stops it with RILL_IO. `load`
   makes a world that continues bit for bit; host hooks, workers and simd come from `hooks` (may be NULL). Snapshots of
   builds with other methods, parameters or fields are read, or refused with the name of what does not fit. */
typedef bool rill_write_fn(const void *data, size_t size, void *context);
RILL_API rill_status rill_world_save(rill_world *world, rill_write_fn *write, void *context);
RILL_API rill_world *rill_world_load(const void *data, size_t size, const rill_world_def *hooks, rill_error *error);

/* Telling worlds apart by what they were made of: definitions and parameters that results depend on, not state. A run
   that goes on from a snapshot compares it with the world that its scene begins with. */
typedef struct rill_difference {
    char key[4 * RILL_NAME_SIZE]; /* "fluids.water.viscosity" */
    char first[200], second[200]; /* its values */
} rill_difference;
/* The first difference, if there is one. Gauges, which only look on, do not count. */
RILL_API bool rill_world_differs(const rill_world *first, const rill_world *second, rill_difference *difference);
/* Gives a world the gauges of another instead of its own, unless they are the same. */
RILL_API rill_status rill_world_take_gauges(rill_world *world, const rill_world *from);

#endif

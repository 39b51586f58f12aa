/* SPDX-License-Identifier: MIT */
/* The world: create it, fill it, step it, read it. A world is used from one thread at a time; different worlds are
   independent. Calls that return rill_status leave the world unchanged on error and put the reason into
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
/* Changes the method. Particles, ids, bodies, time and statistics stay; parameters of the method, its rows of fluids
   and solids, and its fields begin with their defaults, even if the method is the same as before. Refused, with the
   reason, if the world cannot take a step with the method. */
RILL_API rill_status rill_world_set_method(rill_world *world, const char *name);
RILL_API const char *rill_world_simd(const rill_world *world); /* "scalar", "sse", "avx2", "neon", "wasm" */
RILL_API int rill_world_workers(const rill_world *world);
RILL_API float rill_world_support(const rill_world *world); /* h [m] */

/* ---- parameters ----
   By the keys of the tables: of the world (rill_ref_world), of its method (rill_ref_method), of an object
   (rill_ref_body and its like). Rows that the method adds to a fluid, solid or body have the key "METHOD.KEY", as in
   scenes. All rows can be read. Rows that are `live`, and all rows of the method, can be set at any time, before the
   first step or between steps: the next step uses them, and sleeping bodies that they concern wake up. The others are
   fixed when the object is made. Numbers are SI; `set_text` takes units ("2 cm"), names of choices, "true" and "false",
   and vectors ("[0, 1]"); `get_number` gives 1 and 0 for true and false. */
RILL_API rill_status rill_world_set_number(rill_world *world, rill_ref ref, const char *key, double value);
RILL_API rill_status rill_world_set_vec(rill_world *world, rill_ref ref, const char *key, rill_vec value);
RILL_API rill_status rill_world_set_text(rill_world *world, rill_ref ref, const char *key, const char *text);
RILL_API rill_status rill_world_get_number(const rill_world *world, rill_ref ref, const char *key, double *value);
RILL_API rill_status rill_world_get_vec(const rill_world *world, rill_ref ref, const char *key, rill_vec *value);
RILL_API rill_status rill_world_get_text(const rill_world *world, rill_ref ref, const char *key, char *buffer,
                                         size_t size);
/* The method's parameter struct behind its table, for reading all values. */
RILL_API const void *rill_world_params(const rill_world *world);
/* The value of an automatic parameter of the method, for example the sound speed that was chosen; RILL_NOT_FOUND if
   `key` has none. */
RILL_API rill_status rill_world_effective(rill_world *world, const char *key, double *value);
/* Why a fluid's `key`, "viscosity" or "surface_tension", does not act in this world, as its method is set; NULL: it
   acts. A step refuses such a value, unless it is the default or that of a named material. */
RILL_API const char *rill_world_ignores(const rill_world *world, const char *key);

/* ---- objects ----
   Nine kinds, each with the same family of calls. A handle is valid until its object is removed, whatever else is
   added, removed, stepped or saved. Pointers to definitions hold until the next call that adds or removes an object of
   that kind. */

/* Adding copies the definition. Names must be unique in their kind; an object without a name gets one. `id` may be
   NULL. */
RILL_API rill_status rill_world_add_fluid(rill_world *world, const rill_fluid_def *def, rill_fluid_id *id);
RILL_API rill_status rill_world_add_solid(rill_world *world, const rill_solid_def *def, rill_solid_id *id);
RILL_API rill_status rill_world_add_emitter(rill_world *world, const rill_emitter_def *def, rill_emitter_id *id);
RILL_API rill_status rill_world_add_sink(rill_world *world, const rill_sink_def *def, rill_sink_id *id);
RILL_API rill_status rill_world_add_gauge(rill_world *world, const rill_gauge_def *def, rill_gauge_id *id);
RILL_API rill_status rill_world_add_body(rill_world *world, const rill_body_def *def, rill_body_id *id);
RILL_API rill_status rill_world_add_joint(rill_world *world, const rill_joint_def *def, rill_joint_id *id);
RILL_API rill_status rill_world_add_cloth(rill_world *world, const rill_cloth_def *def, rill_cloth_id *id);
RILL_API rill_status rill_world_add_pin(rill_world *world, const rill_pin_def *def, rill_pin_id *id);

/* Removing. With a body go its joints and its surface, with a cloth its particles and pins. A fluid that a particle, an
   emitter or a gauge refers to is not removed. A gauge whose object is gone has nothing to read. Particles that a
   removed pin held move freely. */
RILL_API rill_status rill_world_remove_fluid(rill_world *world, rill_fluid_id id);
RILL_API rill_status rill_world_remove_solid(rill_world *world, rill_solid_id id);
RILL_API rill_status rill_world_remove_emitter(rill_world *world, rill_emitter_id id);
RILL_API rill_status rill_world_remove_sink(rill_world *world, rill_sink_id id);
RILL_API rill_status rill_world_remove_gauge(rill_world *world, rill_gauge_id id);
RILL_API rill_status rill_world_remove_body(rill_world *world, rill_body_id id);
RILL_API rill_status rill_world_remove_joint(rill_world *world, rill_joint_id id);
RILL_API rill_status rill_world_remove_cloth(rill_world *world, rill_cloth_id id);
RILL_API rill_status rill_world_remove_pin(rill_world *world, rill_pin_id id);

/* Whether the object of the handle exists. */
RILL_API bool rill_world_fluid_is_valid(const rill_world *world, rill_fluid_id id);
RILL_API bool rill_world_solid_is_valid(const rill_world *world, rill_solid_id id);
RILL_API bool rill_world_emitter_is_valid(const rill_world *world, rill_emitter_id id);
RILL_API bool rill_world_sink_is_valid(const rill_world *world, rill_sink_id id);
RILL_API bool rill_world_gauge_is_valid(const rill_world *world, rill_gauge_id id);
RILL_API bool rill_world_body_is_valid(const rill_world *world, rill_body_id id);
RILL_API bool rill_world_joint_is_valid(const rill_world *world, rill_joint_id id);
RILL_API bool rill_world_cloth_is_valid(const rill_world *world, rill_cloth_id id);
RILL_API bool rill_world_pin_is_valid(const rill_world *world, rill_pin_id id);

/* By name; null if there is none. */
RILL_API rill_fluid_id rill_world_find_fluid(const rill_world *world, const char *name);
RILL_API rill_solid_id rill_world_find_solid(const rill_world *world, const char *name);
RILL_API rill_emitter_id rill_world_find_emitter(const rill_world *world, const char *name);
RILL_API rill_sink_id rill_world_find_sink(const rill_world *world, const char *name);
RILL_API rill_gauge_id rill_world_find_gauge(const rill_world *world, const char *name);
RILL_API rill_body_id rill_world_find_body(const rill_world *world, const char *name);
RILL_API rill_joint_id rill_world_find_joint(const rill_world *world, const char *name);
RILL_API rill_cloth_id rill_world_find_cloth(const rill_world *world, const char *name);
RILL_API rill_pin_id rill_world_find_pin(const rill_world *world, const char *name);

/* Listing: how many there are, and the k-th of them, 0 <= k < count; null past the end. Numbers shift when an object is
   removed or takes a free place. Solids include the surfaces of bodies. */
RILL_API int rill_world_fluid_count(const rill_world *world);
RILL_API int rill_world_solid_count(const rill_world *world);
RILL_API int rill_world_emitter_count(const rill_world *world);
RILL_API int rill_world_sink_count(const rill_world *world);
RILL_API int rill_world_gauge_count(const rill_world *world);
RILL_API int rill_world_body_count(const rill_world *world);
RILL_API int rill_world_joint_count(const rill_world *world);
RILL_API int rill_world_cloth_count(const rill_world *world);
RILL_API int rill_world_pin_count(const rill_world *world);
RILL_API rill_fluid_id rill_world_fluid_at(const rill_world *world, int index);
RILL_API rill_solid_id rill_world_solid_at(const rill_world *world, int index);
RILL_API rill_emitter_id rill_world_emitter_at(const rill_world *world, int index);
RILL_API rill_sink_id rill_world_sink_at(const rill_world *world, int index);
RILL_API rill_gauge_id rill_world_gauge_at(const rill_world *world, int index);
RILL_API rill_body_id rill_world_body_at(const rill_world *world, int index);
RILL_API rill_joint_id rill_world_joint_at(const rill_world *world, int index);
RILL_API rill_cloth_id rill_world_cloth_at(const rill_world *world, int index);
RILL_API rill_pin_id rill_world_pin_at(const rill_world *world, int index);

/* The definition as it is now; NULL for a handle that is not valid. */
RILL_API const rill_fluid_def *rill_world_fluid_def(const rill_world *world, rill_fluid_id id);
RILL_API const rill_solid_def *rill_world_solid_def(const rill_world *world, rill_solid_id id);
RILL_API const rill_emitter_def *rill_world_emitter_def(const rill_world *world, rill_emitter_id id);
RILL_API const rill_sink_def *rill_world_sink_def(const rill_world *world, rill_sink_id id);
RILL_API const rill_gauge_def *rill_world_gauge_def(const rill_world *world, rill_gauge_id id);
RILL_API const rill_body_def *rill_world_body_def(const rill_world *world, rill_body_id id);
RILL_API const rill_joint_def *rill_world_joint_def(const rill_world *world, rill_joint_id id);
RILL_API const rill_cloth_def *rill_world_cloth_def(const rill_world *world, rill_cloth_id id);
RILL_API const rill_pin_def *rill_world_pin_def(const rill_world *world, rill_pin_id id);

/* Volume that an emitter puts out in a second while it is open [m^3/s]: its rate, or as much as whole particles that
   fit into the nozzle make of it, which may be some per cent off its area times its speed. */
RILL_API rill_status rill_world_emitter_flow(const rill_world *world, rill_emitter_id id, double *flow);

/* ---- solids, and the surfaces of bodies ---- */

/* The surface of a body, and the body of a surface: null if there is none. */
RILL_API rill_solid_id rill_world_body_solid(const rill_world *world, rill_body_id id);
RILL_API rill_body_id rill_world_solid_body(const rill_world *world, rill_solid_id id);
/* The pose of a solid with a prescribed motion: offset of its reference point and angle about its axis. */
RILL_API rill_status rill_world_solid_pose(const rill_world *world, rill_solid_id id, rill_vec *offset, float *angle);
/* The whole transform, with velocities. */
RILL_API rill_status rill_world_solid_transform(const rill_world *world, rill_solid_id id, rill_transform *transform);
/* Results of preparing the shape of a solid; sums over the parts of a compound. */
RILL_API rill_status rill_world_solid_info(const rill_world *world, rill_solid_id id, rill_solid_info *info);
/* Signed distance from a point to a solid where it is now (negative inside), and the outward normal, which may be NULL.
 */
RILL_API rill_status rill_world_solid_distance(const rill_world *world, rill_solid_id id, rill_vec point,
                                               float *distance, rill_vec *normal);
RILL_API rill_status rill_world_solid_set_user_data(rill_world *world, rill_solid_id id, void *user_data);
RILL_API void *rill_world_solid_user_data(const rill_world *world, rill_solid_id id); /* NULL if it is not valid */

/* ---- bodies and joints ---- */

RILL_API rill_status rill_world_body_state(rill_world *world, rill_body_id id, rill_body_state *state);
RILL_API rill_status rill_world_joint_state(rill_world *world, rill_joint_id id, rill_joint_state *state);
RILL_API rill_status rill_world_body_set_user_data(rill_world *world, rill_body_id id, void *user_data);
RILL_API void *rill_world_body_user_data(const rill_world *world, rill_body_id id); /* NULL if it is not valid */

/* For dynamic bodies; others are not moved by forces and refuse them. `point` may be NULL: the centre of mass. Forces
   and torques add up and act over the whole of the next call that steps, whatever its substeps; in calls of `advance`
   they come to force times duration, which the steps of that call or of the next one give. Impulses change the velocity
   at once. */
RILL_API rill_status rill_world_body_apply_force(rill_world *world, rill_body_id id, rill_vec force,
                                                 const rill_vec *point);
RILL_API rill_status rill_world_body_apply_torque(rill_world *world, rill_body_id id, rill_vec torque);
RILL_API rill_status rill_world_body_apply_impulse(rill_world *world, rill_body_id id, rill_vec impulse,
                                                   const rill_vec *point);
RILL_API rill_status rill_world_body_apply_angular_impulse(rill_world *world, rill_body_id id, rill_vec impulse);

/* Moving bodies. A kinematic body is the host's if no motion is prescribed for it; a fixed body has no velocity.
   `set_velocity` lets a kinematic body move on from where it is with these velocities. `set_pose` puts any body there
   at once: a dynamic one keeps its velocity, a kinematic one rests. Fluid that it lands in makes way: it is put where
   the body was, or on top of the fluid around it, and nothing is lost. Without room for it, fluid under a body whose
   `displacement` is `remove` goes, and is counted in rill_stats.left_out; under others it stays, and the next steps
   push it out. `move_to` lets a kinematic body go there with constant velocity and turn, which fluid and bodies feel:
   it arrives at the end of the next rill_world_step, after the duration of the next rill_world_advance (`limit` seconds
   after the next rill_world_step_adaptive) and rests from then on. Of several such calls before a step the last counts.
 */
RILL_API rill_status rill_world_body_set_velocity(rill_world *world, rill_body_id id, rill_vec velocity,
                                                  rill_vec angular_velocity);
RILL_API rill_status rill_world_body_set_pose(rill_world *world, rill_body_id id, const rill_pose *pose);
RILL_API rill_status rill_world_body_move_to(rill_world *world, rill_body_id id, const rill_pose *pose);
/* Wakes a body and its island. Forces, impulses and contacts wake bodies without this call. */
RILL_API rill_status rill_world_body_wake(rill_world *world, rill_body_id id);

/* Contacts of bodies in the last call that stepped, one entry for each pair of surfaces, ordered by their slots. Valid
   until the next call that changes the world. Contacts of sleeping bodies stay listed. */
RILL_API int rill_world_contact_count(const rill_world *world);
RILL_API const rill_contact *rill_world_contacts(const rill_world *world);
/* Whether a body came into the fluid or out of it in that call, and how hard they met. */
RILL_API rill_status rill_world_body_wetting(rill_world *world, rill_body_id id, rill_wetting *wetting);

/* ---- queries ---- */

/* Solids and bodies where they are now. `filter` may be NULL: all of them. Queries that may find several fill `hits` up
   to `capacity`, in the order of slots, and set `count` to the number found. Point: solids that contain it. Box:
   those with a point in it (slivers thinner than a hundredth of the box may be missed). Ray: the nearest surface within
   `length` along `direction`, of any length itself; a ray that begins inside hits at once. */
RILL_API rill_status rill_world_query_point(rill_world *world, rill_vec point, const rill_filter *filter,
                                            rill_hit *hits, int capacity, int *count);
RILL_API rill_status rill_world_query_box(rill_world *world, rill_vec min, rill_vec max, const rill_filter *filter,
                                          rill_hit *hits, int capacity, int *count);
RILL_API rill_status rill_world_query_ray(rill_world *world, rill_vec origin, rill_vec direction, float length,
                                          const rill_filter *filter, rill_hit *hit, bool *found);

/* Particles. An id is never used twice; a particle keeps its id for life, and moves in the arrays from step to step. */
RILL_API rill_status rill_world_add_block(rill_world *world, const rill_block_def *def, int *added);
RILL_API rill_status rill_world_add_particle(rill_world *world, rill_fluid_id fluid, rill_vec position,
                                             rill_vec velocity, rill_particle_id *id);
/* Many at once: all or, on error, none. `velocities` may be NULL: at rest. Their ids are consecutive from `first`. */
RILL_API rill_status rill_world_add_particles(rill_world *world, rill_fluid_id fluid, const rill_vec *positions,
                                              const rill_vec *velocities, int count, rill_particle_id *first);
/* New places and velocities of existing particles; an array that is NULL leaves its values as they are. All are set or,
   on error, none. Densities and pressures follow with the next step. */
RILL_API rill_status rill_world_set_particles(rill_world *world, const rill_particle_id *ids, const rill_vec *positions,
                                              const rill_vec *velocities, int count);
RILL_API rill_status rill_world_remove_particle(rill_world *world, rill_particle_id id);
/* Many at once. Ids without a particle are skipped; `removed` is the number of removed particles. */
RILL_API rill_status rill_world_remove_particles(rill_world *world, const rill_particle_id *ids, int count,
                                                 int *removed);
RILL_API rill_status rill_world_remove_inside(rill_world *world, const rill_shape *shape, int *removed);
/* A push at the particles inside a shape: their velocities come nearer to `velocity` by `share` (0 to 1) of the
   difference. `pushed`, which may be NULL, is their number. */
RILL_API rill_status rill_world_push_inside(rill_world *world, const rill_shape *shape, rill_vec velocity, float share,
                                            int *pushed);
/* Reserves memory for this many particles. The next step makes the method's share of it, however many particles there
   are then. After that, adding, emitting and stepping allocate nothing that depends on the number of particles, under
   these conditions: there are no more particles, periodic images included; and in the mean each has at most a quarter
   more neighbours than in a full lattice, one wall near it, and one cell as wide as the support in the box around all.
   After rill_world_set_method the call has to be repeated. */
RILL_API rill_status rill_world_reserve(rill_world *world, int particles);
/* The number of particles that a block would add; nothing is added. */
RILL_API rill_status rill_world_count_block(rill_world *world, const rill_block_def *def, int *count);
RILL_API int rill_world_particle_count(const rill_world *world);
RILL_API int rill_world_particle_index(rill_world *world, rill_particle_id id); /* in the arrays now, or -1 */
RILL_API rill_particle_id rill_world_particle_at(const rill_world *world,
                                                 int index); /* RILL_NO_PARTICLE past the end */
RILL_API int rill_world_view_count(const rill_world *world);
RILL_API rill_view rill_world_view_at(const rill_world *world, int index);
RILL_API rill_status rill_world_view(const rill_world *world, const char *name, rill_view *view);

/* Stepping. `step` takes exactly one step of dt seconds, none if dt is 0. `advance` lets the world follow the host's
   clock, which goes on by `duration`: it takes steps of its own length, which never depend on `duration`, until it has
   caught up, and is then ahead of the clock by stats.lead, less than a step. So the result is the same at any frame
   rate, slow motion and pauses cause no short steps, and a call may take no step at all; rill_frame_of_world_at and
   rill_world_read_gauges_at show the moment of the clock.
   A blow-up returns RILL_BLOW_UP: the message names step, particle and likely cause, and the world refuses to step on.
 */
RILL_API rill_status rill_world_step(rill_world *world, double dt);
RILL_API rill_status rill_world_advance(rill_world *world, double duration);
/* One adaptive step that goes no farther than `limit` seconds; HUGE_VAL: the world's own, as `advance` takes them. The
   statistics have its length. */
RILL_API rill_status rill_world_step_adaptive(rill_world *world, double limit);
RILL_API const rill_stats *rill_world_stats(const rill_world *world);
/* 64-bit hash of positions, velocities, ids and links, and of the motion of bodies: equal on any number of threads and
 * any SIMD width. */
RILL_API uint64_t rill_world_hash(const rill_world *world);

/* Gauges: up to three values each. A reading is a function of the state alone; a value that
   does not exist (the height of the fluid where there is none) is NAN. docs/gauges.md has each kind. */
typedef struct rill_reading {
    int count;
    double value[3];
} rill_reading;
RILL_API rill_status rill_world_read_gauge(rill_world *world, rill_gauge_id id, rill_reading *reading);
/* All gauges in the order of their listing, at a time within the last step (rill_frame_of_world_at). */
RILL_API rill_status rill_world_read_gauges_at(rill_world *world, double time, rill_reading *readings);

/* Snapshots: everything, as bytes. `save` calls `write` several times; a false return stops it with RILL_IO. `load`
   makes a world that continues bit for bit; host hooks, workers and simd come from `hooks` (may be NULL). Snapshots of
   builds with other methods, parameters or fields are read, or refused with the name of the parameter or field that
   does not fit. */
typedef bool rill_write_fn(const void *data, size_t size, void *context);
RILL_API rill_status rill_world_save(rill_world *world, rill_write_fn *write, void *context);
RILL_API rill_world *rill_world_load(const void *data, size_t size, const rill_world_def *hooks, rill_error *error);

/* Comparing worlds by the definitions and parameters that results depend on, not by their state. A run
   that goes on from a snapshot compares it with the world that its scene begins with. */
typedef struct rill_difference {
    char key[4 * RILL_NAME_SIZE]; /* "fluids.water.viscosity" */
    char first[200], second[200]; /* its values */
} rill_difference;
/* The first difference, if there is one. Gauges do not count, for no result depends on them. */
RILL_API bool rill_world_differs(const rill_world *first, const rill_world *second, rill_difference *difference);
/* Gives a world the gauges of another instead of its own, unless they are the same. */
RILL_API rill_status rill_world_take_gauges(rill_world *world, const rill_world *from);

#endif

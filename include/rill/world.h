/* SPDX-License-Identifier: MIT */
/* The world: create it, fill it, step it, read it.

   Threads: one world is used from one thread at a time; different worlds are independent.

   Errors: a call that returns rill_status leaves the world unchanged unless it returns RILL_OK. Calls that may change
   the world store the reason, which rill_world_message returns; calls on a const world return the status alone. A NULL
   world is an error (RILL_INVALID or RILL_NOT_FOUND), or counts as an empty world where no status is returned.

   Ownership: the world copies the definitions that it is given, with their lists, and owns all that it returns pointers
   to. Pointers to results may be NULL where the comment says so. */
#ifndef RILL_WORLD_H
#define RILL_WORLD_H

#include "rill/types.h"

typedef struct rill_world rill_world;

/* Creates an empty world. The caller owns it. NULL on error: the definition is invalid, or there is no memory. */
RILL_API rill_world *rill_world_create(const rill_world_def *def, rill_error *error);
RILL_API void rill_world_destroy(rill_world *world); /* accepts NULL */
/* The message of the last call on this world that failed; "" if none has. Valid until the next call that fails. */
RILL_API const char *rill_world_message(const rill_world *world);
/* The world's definition as it is now. Valid as long as the world. */
RILL_API const rill_world_def *rill_world_get_def(const rill_world *world);
/* The method in use. Static data. */
RILL_API const rill_method_info *rill_world_method(const rill_world *world);
/* Changes the method. Particles, ids, bodies, time and statistics stay. The method's parameters, its rows of fluids and
   solids, and its particle fields start from their defaults, even if the method stays the same. RILL_NOT_FOUND if there
   is no such method; refused as well if the world could not take a step with it. */
RILL_API rill_status rill_world_set_method(rill_world *world, const char *name);
/* The SIMD width in use: "scalar", "sse", "avx2", "neon" or "wasm". */
RILL_API const char *rill_world_simd(const rill_world *world);
/* The number of threads that the world works with. */
RILL_API int rill_world_workers(const rill_world *world);
RILL_API float rill_world_support(const rill_world *world); /* reach h of the kernels [m] */

/* ---- parameters ----
   A parameter is one row of a table and is named by its key. `ref` says whose it is: the world's (rill_ref_world), the
   method's (rill_ref_method) or an object's (rill_ref_body, ...). The key of a row that the method adds to a fluid,
   solid or body is "METHOD.KEY", as in scenes.

   Every row can be read. Rows marked `live`, and all rows of the method, can be set at any time between steps: the next
   step uses the new value, and sleeping bodies that it concerns wake up. Other rows are fixed when the object is added.

   Numbers are in SI units. `set_text` also reads units ("2 cm"), names of choices, "true" and "false", and vectors
   ("[0, 1]"). `get_number` returns 1 for true and 0 for false. `get_text` writes JSON into `buffer`, and returns
   RILL_LIMIT if `size` bytes are too few. RILL_NOT_FOUND: no such object or key. RILL_INVALID: wrong type, out of
   range, or a fixed row. */
RILL_API rill_status rill_world_set_number(rill_world *world, rill_ref ref, const char *key, double value);
RILL_API rill_status rill_world_set_vec(rill_world *world, rill_ref ref, const char *key, rill_vec value);
RILL_API rill_status rill_world_set_text(rill_world *world, rill_ref ref, const char *key, const char *text);
RILL_API rill_status rill_world_get_number(const rill_world *world, rill_ref ref, const char *key, double *value);
RILL_API rill_status rill_world_get_vec(const rill_world *world, rill_ref ref, const char *key, rill_vec *value);
RILL_API rill_status rill_world_get_text(const rill_world *world, rill_ref ref, const char *key, char *buffer,
                                         size_t size);
/* The struct that holds the method's parameters, laid out as its table says. Read only; valid until the method changes
   or the world is destroyed. */
RILL_API const void *rill_world_params(const rill_world *world);
/* The value that the method chose for an automatic parameter of its own, such as the speed of sound. RILL_NOT_FOUND if
   `key` is not such a parameter. */
RILL_API rill_status rill_world_effective(rill_world *world, const char *key, double *value);
/* Why a fluid's "viscosity" or "surface_tension" (`key`) has no effect in this world, given the method and its
   parameters; NULL if it has. A step refuses a value without effect, unless it is the default or that of a named
   material. Static text. */
RILL_API const char *rill_world_ignores(const rill_world *world, const char *key);

/* ---- objects ----
   There are nine kinds of objects here, each with the same functions (groups and areas are in rill/game.h). A handle is
   valid until its object is removed, whatever else is added, removed, stepped or saved. A pointer to a definition is
   valid until the next call that adds or removes an object of the same kind. */

/* Adds an object; the definition is copied. Names must be unique within a kind; an object without a name gets one, such
   as "fluid1". `id` receives the handle and may be NULL. RILL_INVALID: a value of the definition. RILL_NOT_FOUND: an
   object that it refers to. RILL_LIMIT: too many of them. */
RILL_API rill_status rill_world_add_fluid(rill_world *world, const rill_fluid_def *def, rill_fluid_id *id);
RILL_API rill_status rill_world_add_solid(rill_world *world, const rill_solid_def *def, rill_solid_id *id);
RILL_API rill_status rill_world_add_emitter(rill_world *world, const rill_emitter_def *def, rill_emitter_id *id);
RILL_API rill_status rill_world_add_sink(rill_world *world, const rill_sink_def *def, rill_sink_id *id);
RILL_API rill_status rill_world_add_gauge(rill_world *world, const rill_gauge_def *def, rill_gauge_id *id);
RILL_API rill_status rill_world_add_body(rill_world *world, const rill_body_def *def, rill_body_id *id);
RILL_API rill_status rill_world_add_joint(rill_world *world, const rill_joint_def *def, rill_joint_id *id);
RILL_API rill_status rill_world_add_cloth(rill_world *world, const rill_cloth_def *def, rill_cloth_id *id);
RILL_API rill_status rill_world_add_pin(rill_world *world, const rill_pin_def *def, rill_pin_id *id);

/* Removes an object. A body takes its surface, its joints, and the emitters, sinks and pins that are attached to it
   along; a cloth takes its particles and pins; a joint takes the gears on it. A fluid cannot be removed while
   particles, an emitter or a gauge refer to it, nor can the surface of a body on its own. A gauge whose object has been
   removed has nothing to read: its values are NAN. Particles that a removed pin held move freely. RILL_NOT_FOUND: no
   such object. */
RILL_API rill_status rill_world_remove_fluid(rill_world *world, rill_fluid_id id);
RILL_API rill_status rill_world_remove_solid(rill_world *world, rill_solid_id id);
RILL_API rill_status rill_world_remove_emitter(rill_world *world, rill_emitter_id id);
RILL_API rill_status rill_world_remove_sink(rill_world *world, rill_sink_id id);
RILL_API rill_status rill_world_remove_gauge(rill_world *world, rill_gauge_id id);
RILL_API rill_status rill_world_remove_body(rill_world *world, rill_body_id id);
RILL_API rill_status rill_world_remove_joint(rill_world *world, rill_joint_id id);
RILL_API rill_status rill_world_remove_cloth(rill_world *world, rill_cloth_id id);
RILL_API rill_status rill_world_remove_pin(rill_world *world, rill_pin_id id);

/* Whether the object behind a handle still exists. */
RILL_API bool rill_world_fluid_is_valid(const rill_world *world, rill_fluid_id id);
RILL_API bool rill_world_solid_is_valid(const rill_world *world, rill_solid_id id);
RILL_API bool rill_world_emitter_is_valid(const rill_world *world, rill_emitter_id id);
RILL_API bool rill_world_sink_is_valid(const rill_world *world, rill_sink_id id);
RILL_API bool rill_world_gauge_is_valid(const rill_world *world, rill_gauge_id id);
RILL_API bool rill_world_body_is_valid(const rill_world *world, rill_body_id id);
RILL_API bool rill_world_joint_is_valid(const rill_world *world, rill_joint_id id);
RILL_API bool rill_world_cloth_is_valid(const rill_world *world, rill_cloth_id id);
RILL_API bool rill_world_pin_is_valid(const rill_world *world, rill_pin_id id);

/* The object of this name, or the null handle. */
RILL_API rill_fluid_id rill_world_find_fluid(const rill_world *world, const char *name);
RILL_API rill_solid_id rill_world_find_solid(const rill_world *world, const char *name);
RILL_API rill_emitter_id rill_world_find_emitter(const rill_world *world, const char *name);
RILL_API rill_sink_id rill_world_find_sink(const rill_world *world, const char *name);
RILL_API rill_gauge_id rill_world_find_gauge(const rill_world *world, const char *name);
RILL_API rill_body_id rill_world_find_body(const rill_world *world, const char *name);
RILL_API rill_joint_id rill_world_find_joint(const rill_world *world, const char *name);
RILL_API rill_cloth_id rill_world_find_cloth(const rill_world *world, const char *name);
RILL_API rill_pin_id rill_world_find_pin(const rill_world *world, const char *name);

/* Listing: how many objects there are, and the one at `index`, 0 <= index < count; the null handle otherwise. Indices
   shift when an object is removed or added. The surfaces of bodies are solids and are listed with them. */
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

/* The definition as it is now; NULL if the handle is not valid. */
RILL_API const rill_fluid_def *rill_world_fluid_def(const rill_world *world, rill_fluid_id id);
RILL_API const rill_solid_def *rill_world_solid_def(const rill_world *world, rill_solid_id id);
RILL_API const rill_emitter_def *rill_world_emitter_def(const rill_world *world, rill_emitter_id id);
RILL_API const rill_sink_def *rill_world_sink_def(const rill_world *world, rill_sink_id id);
RILL_API const rill_gauge_def *rill_world_gauge_def(const rill_world *world, rill_gauge_id id);
RILL_API const rill_body_def *rill_world_body_def(const rill_world *world, rill_body_id id);
RILL_API const rill_joint_def *rill_world_joint_def(const rill_world *world, rill_joint_id id);
RILL_API const rill_cloth_def *rill_world_cloth_def(const rill_world *world, rill_cloth_id id);
RILL_API const rill_pin_def *rill_world_pin_def(const rill_world *world, rill_pin_id id);

/* The volume flow of an open emitter [m^3/s]: its `rate`, or else the flow of as many whole particles as fit into the
   nozzle, which may differ by some per cent from the nozzle's area times its speed. RILL_NOT_FOUND: no such emitter. */
RILL_API rill_status rill_world_emitter_flow(const rill_world *world, rill_emitter_id id, double *flow);

/* ---- solids, and the surfaces of bodies ---- */

/* The surface of a body, and the body of a surface; the null handle if there is none. */
RILL_API rill_solid_id rill_world_body_solid(const rill_world *world, rill_body_id id);
RILL_API rill_body_id rill_world_solid_body(const rill_world *world, rill_solid_id id);
/* The pose of a solid with a prescribed motion, relative to where it was added: offset of its pivot [m], angle about
   its axis [rad]. RILL_NOT_FOUND: no such solid. */
RILL_API rill_status rill_world_solid_pose(const rill_world *world, rill_solid_id id, rill_vec *offset, float *angle);
/* The whole transform of a solid, with its velocities. RILL_NOT_FOUND: no such solid. */
RILL_API rill_status rill_world_solid_transform(const rill_world *world, rill_solid_id id, rill_transform *transform);
/* Results of preparing a solid's shape; sums over the parts of a compound. RILL_NOT_FOUND: no such solid. */
RILL_API rill_status rill_world_solid_info(const rill_world *world, rill_solid_id id, rill_solid_info *info);
/* Signed distance [m] from a point to a solid where it is now, negative inside, and the outward unit normal there
   (`normal` may be NULL). RILL_NOT_FOUND: no such solid. */
RILL_API rill_status rill_world_solid_distance(const rill_world *world, rill_solid_id id, rill_vec point,
                                               float *distance, rill_vec *normal);
/* A pointer of the host, kept with the solid. Rill neither reads nor saves it. */
RILL_API rill_status rill_world_solid_set_user_data(rill_world *world, rill_solid_id id, void *user_data);
RILL_API void *rill_world_solid_user_data(const rill_world *world, rill_solid_id id); /* NULL: none, or no such solid */

/* ---- bodies and joints ---- */

/* Where a body is and how it moves; what a joint carries. RILL_NOT_FOUND: no such body or joint. */
RILL_API rill_status rill_world_body_state(rill_world *world, rill_body_id id, rill_body_state *state);
RILL_API rill_status rill_world_joint_state(rill_world *world, rill_joint_id id, rill_joint_state *state);
/* A pointer of the host, kept with the body. Rill neither reads nor saves it. */
RILL_API rill_status rill_world_body_set_user_data(rill_world *world, rill_body_id id, void *user_data);
RILL_API void *rill_world_body_user_data(const rill_world *world, rill_body_id id); /* NULL: none, or no such body */

/* Forces [N], torques [N m], impulses [N s] and angular impulses [N m s] on a dynamic body; other kinds, and hosted
   bodies, refuse them with RILL_INVALID. `point` is where a force acts [m]; NULL: the centre of mass.

   Forces and torques add up and act during the whole of the next call that steps, however many substeps it takes. Calls
   of rill_world_advance turn them into an impulse, force times duration, which the steps of that call, or of a later
   one if it takes none, give to the body. Impulses change the velocity at once and wake the body. */
RILL_API rill_status rill_world_body_apply_force(rill_world *world, rill_body_id id, rill_vec force,
                                                 const rill_vec *point);
RILL_API rill_status rill_world_body_apply_torque(rill_world *world, rill_body_id id, rill_vec torque);
RILL_API rill_status rill_world_body_apply_impulse(rill_world *world, rill_body_id id, rill_vec impulse,
                                                   const rill_vec *point);
RILL_API rill_status rill_world_body_apply_angular_impulse(rill_world *world, rill_body_id id, rill_vec impulse);

/* Moving bodies. The host may move a kinematic body that has no prescribed motion. A fixed body has no velocity. Hosted
   bodies are moved by their engine alone.

   `set_velocity` sets the velocity of the centre of mass [m/s] and the angular velocity [rad/s] (z in 2D). A kinematic
   body keeps them until the next call that moves it.

   `set_pose` puts a body of any kind somewhere else at once. A dynamic body keeps its velocity, a kinematic one is at
   rest. The fluid that it lands in is moved to where the body was, or on top of the fluid around it, so that none is
   lost. If there is no room, the fluid is removed and counted in rill_stats.left_out if the body's `displacement` is
   `remove`; otherwise it stays, and the next steps push it out.

   `move_to` sends a kinematic body to a pose at constant velocity and angular velocity, which fluid and other bodies
   feel. It arrives at the end of the next rill_world_step, or `duration` seconds after the next rill_world_advance
      starts, or `limit` seconds after the next rill_world_step_adaptive starts, and rests from then on. Of several such
      calls before a step, the last one counts. */
RILL_API rill_status rill_world_body_set_velocity(rill_world *world, rill_body_id id, rill_vec velocity,
                                                  rill_vec angular_velocity);
RILL_API rill_status rill_world_body_set_pose(rill_world *world, rill_body_id id, const rill_pose *pose);
RILL_API rill_status rill_world_body_move_to(rill_world *world, rill_body_id id, const rill_pose *pose);
/* Wakes a body and its island. Forces, impulses and contacts wake bodies without this call. */
RILL_API rill_status rill_world_body_wake(rill_world *world, rill_body_id id);

/* Contacts of bodies in the last call that stepped: one entry for each pair of surfaces, in the order of their slots.
   Contacts of sleeping bodies stay listed. A call that takes no step lists the contacts that last, none of which began
   or ended in it. The contacts of a removed body or solid end in the call after its removal, with a handle that is not
   valid any more. The array is valid until the next call that changes the world; NULL if it is empty. */
RILL_API int rill_world_contact_count(const rill_world *world);
RILL_API const rill_contact *rill_world_contacts(const rill_world *world);
/* Whether a body came into the fluid or left it in the last call that stepped, and how hard they met. A call that takes
   no step has neither. RILL_NOT_FOUND: no such body. */
RILL_API rill_status rill_world_body_wetting(rill_world *world, rill_body_id id, rill_wetting *wetting);

/* ---- queries ---- */

/* Queries about solids and bodies where they are now. `filter` says which of them count; NULL: all.

   `point` finds the solids that contain a point. `box` finds those with a point in the box between `min` and `max`; it
   may miss slivers thinner than a hundredth of the box. Both write up to `capacity` results to `hits` (NULL: none) in
   the order of slots, and set `count` to the number found, which may be larger.

   `ray` finds the nearest surface within `length` metres along `direction`, which may have any length but 0. A ray that
   starts inside a solid hits it at distance 0. `hit` may be NULL; it is written only if `found`. */
RILL_API rill_status rill_world_query_point(rill_world *world, rill_vec point, const rill_filter *filter,
                                            rill_hit *hits, int capacity, int *count);
RILL_API rill_status rill_world_query_box(rill_world *world, rill_vec min, rill_vec max, const rill_filter *filter,
                                          rill_hit *hits, int capacity, int *count);
RILL_API rill_status rill_world_query_ray(rill_world *world, rill_vec origin, rill_vec direction, float length,
                                          const rill_filter *filter, rill_hit *hit, bool *found);

/* ---- particles ----
   The id of a particle is never used again. A particle keeps its id for life; its index in the arrays changes from step
   to step. */

/* Fills a shape with particles. `added` receives their number and may be NULL. Places inside a solid stay empty and are
   counted in rill_stats.left_out. Fluid that is already there stays: a block that is added twice puts two particles in
   each place, which fly apart. */
RILL_API rill_status rill_world_add_block(rill_world *world, const rill_block_def *def, int *added);
/* Adds one particle at `position` [m] with `velocity` [m/s]. `id` may be NULL. */
RILL_API rill_status rill_world_add_particle(rill_world *world, rill_fluid_id fluid, rill_vec position,
                                             rill_vec velocity, rill_particle_id *id);
/* Adds `count` particles, or none on error. `velocities` may be NULL: at rest. Their ids are consecutive and start at
   `first`, which may be NULL. */
RILL_API rill_status rill_world_add_particles(rill_world *world, rill_fluid_id fluid, const rill_vec *positions,
                                              const rill_vec *velocities, int count, rill_particle_id *first);
/* Sets positions [m] and velocities [m/s] of existing particles, of all or, on error, of none. NULL for either array
   leaves these values as they are. Densities and pressures follow in the next step. RILL_NOT_FOUND: an id has no
   particle. */
RILL_API rill_status rill_world_set_particles(rill_world *world, const rill_particle_id *ids, const rill_vec *positions,
                                              const rill_vec *velocities, int count);
/* Removes one particle. RILL_NOT_FOUND: the id has no particle. */
RILL_API rill_status rill_world_remove_particle(rill_world *world, rill_particle_id id);
/* Removes many particles. Ids without a particle are skipped. `removed` receives the number removed and may be NULL. */
RILL_API rill_status rill_world_remove_particles(rill_world *world, const rill_particle_id *ids, int count,
                                                 int *removed);
/* Removes all particles whose centre is inside a shape. `removed` is their number and may be NULL. */
RILL_API rill_status rill_world_remove_inside(rill_world *world, const rill_shape *shape, int *removed);
/* Pushes the particles inside a shape: each velocity v becomes v + share (velocity - v), with `velocity` in m/s and
   `share` from 0 to 1. `pushed` is their number and may be NULL. */
RILL_API rill_status rill_world_push_inside(rill_world *world, const rill_shape *shape, rill_vec velocity, float share,
                                            int *pushed);
/* Reserves memory for this many particles; the next step reserves the method's part of it, however many particles there
   are by then. After that, adding, emitting and stepping allocate nothing that grows with the number of particles, as
   long as these conditions hold: there are no more particles than reserved, periodic images included; and on average,
   each particle has at most a quarter more neighbours than in a full lattice, at most one wall near it, and at most one
   grid cell (as wide as the support) in the box around all particles. Call it again after rill_world_set_method.
   RILL_MEMORY: there is not enough. */
RILL_API rill_status rill_world_reserve(rill_world *world, int particles);
/* Sets `count` to the number of particles that a block would add; adds none. */
RILL_API rill_status rill_world_count_block(rill_world *world, const rill_block_def *def, int *count);
RILL_API int rill_world_particle_count(const rill_world *world);
/* Index of a particle in the arrays as they are now, or -1; and the id of the particle at an index, or
   RILL_NO_PARTICLE. */
RILL_API int rill_world_particle_index(rill_world *world, rill_particle_id id);
RILL_API rill_particle_id rill_world_particle_at(const rill_world *world, int index);
/* The arrays of particles, by index or by name ("position"), without copying. A view is valid until the next call that
   changes the world. `view_at` past the end gives a view with a NULL name; `view` returns RILL_NOT_FOUND for an unknown
   name. */
RILL_API int rill_world_view_count(const rill_world *world);
RILL_API rill_view rill_world_view_at(const rill_world *world, int index);
RILL_API rill_status rill_world_view(const rill_world *world, const char *name, rill_view *view);

/* ---- stepping ----
   `step` takes exactly one step of `dt` seconds; none if `dt` is 0.

   `advance` lets the world follow the host's clock, which goes on by `duration` seconds. The world takes steps of its
   own length, which never depend on `duration`, until it has caught up with the clock. It is then ahead of the clock by
   stats.lead, which is less than a step. So results are the same at any frame rate, slow motion and pauses cause no
   short steps, and a call may take no step at all. rill_frame_of_world_at and rill_world_read_gauges_at show the world
   at the time of the clock.

   RILL_BLOW_UP: the message names step, particle and likely cause, and the world refuses to step again. After any
   other error the world is as it was before the step that failed. Steps that `advance` took before that one stay taken,
   and the rest of its duration is given up; if there are none, the whole call has not happened. */
RILL_API rill_status rill_world_step(rill_world *world, double dt);
RILL_API rill_status rill_world_advance(rill_world *world, double duration);
/* Takes one adaptive step, at most `limit` seconds long. HUGE_VAL: no limit, as the steps of `advance`. stats.dt is its
   length. */
RILL_API rill_status rill_world_step_adaptive(rill_world *world, double limit);
/* Statistics of the last step. The struct is overwritten by each step, and valid as long as the world. */
RILL_API const rill_stats *rill_world_stats(const rill_world *world);
/* A 64-bit hash of positions, velocities, ids and links of particles and of the motion of bodies. It is the same for
   any number of threads and any SIMD width. */
RILL_API uint64_t rill_world_hash(const rill_world *world);

/* ---- gauges ----
   A reading has up to three values and depends on the state alone. A value that does not exist, such as the height of
   the fluid where there is none or the force on a solid that has been removed, is NAN. docs/gauges.md describes each
   kind. */
typedef struct rill_reading {
    int count;
    double value[3];
} rill_reading;
/* Reads one gauge now. RILL_NOT_FOUND: no such gauge. */
RILL_API rill_status rill_world_read_gauge(rill_world *world, rill_gauge_id id, rill_reading *reading);
/* Reads all gauges at a time within the last step [s] (see rill_frame_of_world_at). `readings` has room for
   rill_world_gauge_count of them, in the order of rill_world_gauge_at. */
RILL_API rill_status rill_world_read_gauges_at(rill_world *world, double time, rill_reading *readings);

/* ---- snapshots ----
   A snapshot is the whole state of a world as bytes. `save` calls `write` several times; if it returns false, saving
   stops with RILL_IO. A state that is not finite, such as that of a world that blew up may be, is refused with
   RILL_INVALID, because it could not be loaded. `load` returns a new world, owned by the caller, that continues bit for
   bit; NULL on error. Host hooks, workers and simd are taken from `hooks`, which may be NULL: the defaults. A snapshot
   of a build with other methods, parameters or fields is read, or refused with the name of the parameter or field that
   does not fit. */
typedef bool rill_write_fn(const void *data, size_t size, void *context);
RILL_API rill_status rill_world_save(rill_world *world, rill_write_fn *write, void *context);
RILL_API rill_world *rill_world_load(const void *data, size_t size, const rill_world_def *hooks, rill_error *error);

/* ---- comparing worlds ----
   Worlds are compared by the definitions and parameters that results depend on, not by their state. A run that is
   resumed from a snapshot compares the snapshot with the world that its scene starts with. */
typedef struct rill_difference {
    char key[4 * RILL_NAME_SIZE]; /* "fluids.water.viscosity" */
    char first[200], second[200]; /* its values */
} rill_difference;
/* Whether two worlds differ; `difference` receives the first difference and may be NULL. Gauges do not count, because
   no result depends on them. */
RILL_API bool rill_world_differs(const rill_world *first, const rill_world *second, rill_difference *difference);
/* Replaces the gauges of a world by those of another, unless they are the same already. */
RILL_API rill_status rill_world_take_gauges(rill_world *world, const rill_world *from);

#endif

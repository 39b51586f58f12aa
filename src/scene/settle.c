/* SPDX-License-Identifier: MIT */
/* Lets fluid come to rest before a run. A block is filled as a lattice, without pressure and without the layers that
   walls would impose; a run that started from it would see the fluid fall into place and its pressure ring. So a second
   world is run ahead, in which solids and bodies stay at their initial places, emitters and sinks are absent and the
   fluid starts at rest. The run's own particles, which have the same ids, then start at the places found there. No time
   before zero is needed. */
#include "scene/settle.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/* Number of times that the fluid is stopped. This kinetic damping removes slow sloshing, which viscosity leaves;
   pressure waves decay by themselves between stops. */
#define HALTS 32
/* Start of prescribed motions in the world that runs ahead [s]: never reached. */
#define START_AFTER_SETTLING 1e6f

/* ---- the world that runs ahead ---- */

typedef struct held_scene {
    scene scene; /* a shallow copy; the arrays below replace those of the scene */
    rill_solid_def *solids;
    rill_body_def *bodies;
} held_scene;

static void *copy_of(const void *items, int count, size_t size) {
    void *copy = calloc((size_t)count + 1, size);
    if (copy && count > 0) memcpy(copy, items, (size_t)count * size);
    return copy;
}

static void hold(held_scene *h) {
    for (int k = 0; k < h->scene.solid_count; k++)
        h->solids[k].motion.start_time = START_AFTER_SETTLING, h->solids[k].surface_velocity = (rill_vec){0};
    for (int k = 0; k < h->scene.body_count; k++) {
        rill_body_def *body = &h->bodies[k];
        body->motion.start_time = START_AFTER_SETTLING;
        body->velocity = body->angular_velocity = (rill_vec){0};
        body->mask = 0; /* bodies in contact at the start must not push against the joints that hold them */
    }
}

static bool held_make(held_scene *h, const scene *s) {
    h->scene = *s;
    h->scene.run.settle = 0;
    h->scene.joint_count = h->scene.emitter_count = h->scene.sink_count = h->scene.gauge_count = 0;
    h->scene.area_count = h->scene.cloth_count = h->scene.pin_count = 0;
    h->scene.solids = h->solids = copy_of(s->solids, s->solid_count, sizeof *s->solids);
    h->scene.bodies = h->bodies = copy_of(s->bodies, s->body_count, sizeof *s->bodies);
    if (!h->solids || !h->bodies) return false;
    hold(h);
    return true;
}

/* Holds the bodies by joints and otherwise leaves them as they are in the run. With fixed bodies, a method may take
   other steps or find another pressure than with movable ones, and fluid left compressed would spring back when the
   bodies are released. */
static rill_status hold_bodies(rill_world *ahead, rill_error *error) {
    for (int k = 0; k < rill_world_body_count(ahead); k++) {
        rill_joint_def joint = rill_joint_def_default();
        joint.kind = RILL_JOINT_FIXED;
        joint.a = rill_world_body_at(ahead, k);
        if (rill_world_body_def(ahead, joint.a)->kind != RILL_BODY_DYNAMIC) continue;
        const rill_status status = rill_world_add_joint(ahead, &joint, NULL);
        if (status != RILL_OK)
            return rill_fail(error, status, "while the fluid settles: %s", rill_world_message(ahead));
    }
    return RILL_OK;
}

static void held_free(held_scene *h) {
    free(h->solids);
    free(h->bodies);
}

/* ---- coming to rest ---- */

/* The particles of a world: ids, places, and velocities of zero. */
typedef struct particle_list {
    int count;
    rill_particle_id *ids;
    rill_vec *places, *rest;
} particle_list;

static void list_free(particle_list *list) {
    free(list->ids);
    free(list->places);
    free(list->rest);
}

static bool list_make(particle_list *list, int count) {
    const size_t room = (size_t)count + 1;
    *list = (particle_list){count, calloc(room, sizeof *list->ids), calloc(room, sizeof *list->places),
                            calloc(room, sizeof *list->rest)};
    return list->ids && list->places && list->rest;
}

static rill_status list_read(particle_list *list, const rill_world *world, rill_error *error) {
    rill_frame frame = {0};
    TRY(rill_frame_of_world(&frame, world, error));
    const rill_view *id = rill_frame_field(&frame, "id"), *position = rill_frame_field(&frame, "position");
    list->count = frame.count < list->count ? frame.count : list->count;
    for (int k = 0; k < list->count; k++) {
        list->ids[k] = rill_frame_uint(&frame, id, k);
        list->places[k] = rill_frame_vec(&frame, position, k);
    }
    rill_frame_free(&frame);
    return RILL_OK;
}

static rill_status come_to_rest(rill_world *ahead, double seconds, particle_list *list, rill_error *error) {
    rill_status status;
    for (int k = 0; k < HALTS; k++) {
        TRY(list_read(list, ahead, error));
        status = rill_world_set_particles(ahead, list->ids, NULL, list->rest, list->count);
        if (status == RILL_OK) status = rill_world_advance(ahead, seconds / HALTS);
        if (status != RILL_OK)
            return rill_fail(error, status, "while the fluid settles: %s", rill_world_message(ahead));
    }
    return list_read(list, ahead, error);
}

static rill_status settle(rill_world *ahead, rill_world *world, double seconds, rill_error *error) {
    particle_list list;
    rill_status status = list_make(&list, rill_world_particle_count(world)) ? RILL_OK : RILL_MEMORY;
    if (status == RILL_OK) status = hold_bodies(ahead, error);
    if (status == RILL_OK) status = come_to_rest(ahead, seconds, &list, error);
    if (status == RILL_OK) {
        status = rill_world_set_particles(world, list.ids, list.places, NULL, list.count);
        if (status != RILL_OK) rill_fail(error, status, "%s", rill_world_message(world));
    } else if (status == RILL_MEMORY) {
        rill_fail(error, status, "no memory to let %d particles settle", rill_world_particle_count(world));
    }
    list_free(&list);
    return status;
}

rill_status rill_scene_settle(const scene *s, rill_world *world, rill_error *error) {
    if (!(s->run.settle > 0) || rill_world_particle_count(world) == 0) return RILL_OK;
    held_scene held = {0};
    rill_world *ahead =
        held_make(&held, s) ? rill_scene_build(&held.scene, rill_world_workers(world), -1, error) : NULL;
    rill_status status = ahead ? settle(ahead, world, (double)s->run.settle, error)
                               : (error && error->status ? error->status : RILL_MEMORY);
    rill_world_destroy(ahead);
    held_free(&held);
    return status;
}

/* SPDX-License-Identifier: MIT */
/* A world as a frame: particle arrays and shapes are borrowed, everything else is copied. */
#include "frame/room.h"

#include "api/world.h"
#include "core/error.h"
#include "rigid/body.h"
#include "solid/motion.h"

#include <string.h>

/* For each slot, the index among the living objects, which frames use. */
typedef struct living {
    int32_t *body, *solid;
} living;

static void name_copy(char to[RILL_NAME_SIZE], const char *from) {
    memcpy(to, from, RILL_NAME_SIZE);
}

static living count_living(const rill_world *w, uint32_t *scratch) {
    const living l = {(int32_t *)scratch, (int32_t *)scratch + w->bodies.count};
    int32_t number = 0;
    FOR_ALIVE(w, body, b) l.body[b - POOL_ITEMS(w, body)] = number++;
    number = 0;
    FOR_ALIVE(w, solid, s) l.solid[s - POOL_ITEMS(w, solid)] = number++;
    return l;
}

/* A look at another time leaves the poses of solids as they were then, for distances to them. Gives them those of
   now. */
static void show_now(const rill_world *w) {
    if (!w->looked_back) return;
    FOR_ALIVE(w, solid, s) if (s->body == 0) rill_motion_at(&s->def.motion, w->def.dim, w->stats.time, &s->pose);
    FOR_ALIVE(w, body, b) rill_body_show(w, b, w->stats.time);
}

/* Every solid has a shape of its own in the frame: finding equal ones would take longer than drawing them all. Shapes
   are indexed by slot, so that the others keep their indices when a solid is removed: runs store their shapes once. */
static void put_solids(const rill_world *w, const living *l, frame_room *room) {
    rill_frame_solid *to = room->solid;
    FOR_ALIVE(w, solid, s) {
        const int32_t slot = (int32_t)(s - POOL_ITEMS(w, solid));
        room->shape[slot] = &s->def.shape;
        *to = (rill_frame_solid){
            .shape = slot, .body = s->body > 0 ? l->body[s->body - 1] : -1, .transform = rill_transform_of(&s->pose)};
        name_copy(to->name, s->def.name);
        to++;
    }
}

static void put_bodies(const rill_world *w, const living *l, frame_room *room) {
    rill_frame_body *to = room->body;
    FOR_ALIVE(w, body, b) {
        *to = (rill_frame_body){.kind = b->def.kind, .solid = l->solid[b->solid], .state = rill_body_state_of(w, b)};
        name_copy(to->name, b->def.name);
        to++;
    }
}

static rill_vec anchor_of(const rill_world *w, int32_t slot_number, const double arm[3]) {
    const body *bodies = POOL_ITEMS(w, body);
    if (slot_number < 0 || !bodies) return dvec_out(dvec_load(arm));
    const body *b = &bodies[slot_number];
    return dvec_out(dvec_add(dvec_load(b->x), rill_body_turn(b, dvec_load(arm))));
}

static void put_joints(const rill_world *w, const living *l, frame_room *room) {
    rill_frame_joint *to = room->joint;
    FOR_ALIVE(w, joint, j) {
        *to = (rill_frame_joint){.kind = j->def.kind,
                                 .a = l->body[j->a],
                                 .b = j->b >= 0 ? l->body[j->b] : -1,
                                 .anchor_a = anchor_of(w, j->a, j->arm_a),
                                 .anchor_b = anchor_of(w, j->b, j->arm_b),
                                 .broken = j->broken};
        name_copy(to->name, j->def.name);
        to++;
    }
}

static void put_definitions(const rill_world *w, frame_room *room) {
    rill_fluid_def *f = room->fluid;
    rill_emitter_def *e = room->emitter;
    rill_gauge_def *g = room->gauge;
    /* Particles refer to their fluid by slot, so free slots are filled too. */
    for (int k = 0; k < w->fluids.count; k++) {
        const fluid *item = &POOL_ITEMS(w, fluid)[k];
        *f++ = item->slot.alive ? item->def : rill_fluid_def_default();
    }
    FOR_ALIVE(w, emitter, item) *e++ = item->def;
    FOR_ALIVE(w, gauge, item) *g++ = item->def;
}

/* Adds the sizes of the link sets that are shown. Links that lost a particle may still be counted. */
static void measure_links(const rill_world *w, frame_sizes *sizes) {
    for (int n = 0; n < w->particles.link_set_count; n++) {
        const link_set *s = &w->particles.link_sets[n];
        if (!(s->def.flags & LINK_SHOW)) continue;
        sizes->link_sets++;
        sizes->link_values += s->def.value_count;
        for (int k = 0; k < s->field_count; k++)
            sizes->words +=
                frame_words(s->fields[k].def.scalar, (size_t)s->fields[k].def.components * (size_t)s->count);
    }
}

/* Copies one value of every link that has all of its particles. */
static rill_view link_view(const particles *p, const link_set *s, const field *f, void *data) {
    rill_view view = {.name = f->def.name,
                      .unit = f->def.unit,
                      .doc = f->def.doc,
                      .scalar = f->def.scalar,
                      .components = f->def.components,
                      .stride = f->def.components,
                      .data = data};
    const size_t size = rill_scalar_size(view.scalar) * (size_t)view.components;
    char *next = data;
    int32_t ends[LINK_ENDS_MAX];
    for (int link = 0; link < s->count; link++) {
        if (!rill_particles_link_ends(p, s, link, ends)) continue;
        memcpy(next, (const char *)f->data + (size_t)link * f->size, size);
        next += size, view.count++;
    }
    return view;
}

/* Links are copied, not borrowed, because their indices may not have followed the last sort of the particles yet. */
static void put_links(const rill_world *w, uint32_t *data, frame_room *room) {
    const particles *p = &w->particles;
    rill_frame_links *to = room->links;
    rill_view *value = room->link_value;
    for (int n = 0; n < p->link_set_count; n++) {
        const link_set *s = &p->link_sets[n];
        if (!(s->def.flags & LINK_SHOW)) continue;
        *to = (rill_frame_links){.name = s->def.name,
                                 .doc = s->def.doc,
                                 .ends = s->def.ends,
                                 .particle = (const int32_t *)data,
                                 .value = value,
                                 .value_count = s->def.value_count};
        for (int link = 0; link < s->count; link++) {
            int32_t ends[LINK_ENDS_MAX];
            if (!rill_particles_link_ends(p, s, link, ends)) continue;
            memcpy(data + to->count * s->def.ends, ends, sizeof *data * (size_t)s->def.ends);
            to->count++;
        }
        data += frame_words(RILL_SCALAR_INT32, (size_t)s->def.ends * (size_t)to->count);
        for (int k = 0; k < s->def.value_count; k++, value++) {
            *value = link_view(p, s, &s->fields[1 + k], data);
            data += frame_words(value->scalar, (size_t)value->components * (size_t)value->count);
        }
        to++;
    }
}

rill_status rill_frame_of_world_at(rill_frame *frame, rill_world *w, double time, rill_error *error) {
    if (!frame || !w) return rill_frame_of_world(frame, w, error);
    if (w->operations->look_begin(w, time) != RILL_OK)
        return rill_fail(error, w->error.status, "frame: %s", w->error.text);
    const rill_status status = rill_frame_of_world(frame, w, error);
    w->operations->look_end(w);
    return status;
}

rill_status rill_frame_of_world(rill_frame *frame, const rill_world *w, rill_error *error) {
    if (!frame || !w) return rill_fail(error, RILL_INVALID, "frame: the %s is NULL", frame ? "world" : "frame");
    frame_room room;
    frame_sizes sizes = {.count = w->particles.count,
                         .fields = rill_world_view_count(w),
                         .fluids = w->fluids.count,
                         .shapes = w->solids.count,
                         .solids = w->solids.living_count,
                         .bodies = w->bodies.living_count,
                         .joints = w->joints.living_count,
                         .emitters = w->emitters.living_count,
                         .gauges = w->gauges.living_count,
                         .words = frame_words(RILL_SCALAR_INT32, (size_t)w->bodies.count + (size_t)w->solids.count)};
    const size_t scratch = sizes.words;
    measure_links(w, &sizes);
    TRY(rill_frame_make_room(frame, &sizes, &room, error));
    frame->world = w;
    frame->dim = w->def.dim, frame->step = w->stats.step, frame->time = w->stats.time;
    frame->spacing = w->def.spacing, frame->support = w->support, frame->gravity = w->def.gravity;
    frame->periodic = w->def.periodic, frame->periodic_origin = w->def.periodic_origin;
    frame->origin = w->def.origin;
    for (int k = 0; k < sizes.fields; k++) room.field[k] = rill_world_view_at(w, k);
    const living l = count_living(w, room.data);
    show_now(w);
    put_solids(w, &l, &room);
    put_bodies(w, &l, &room);
    put_joints(w, &l, &room);
    put_definitions(w, &room);
    put_links(w, room.data + scratch, &room);
    return RILL_OK;
}

/* SPDX-License-Identifier: MIT */
/* A world knows its state at its own steps. Within the last step positions, velocities and bodies are interpolated
   linearly between the copy of its beginning (sim/undo.c) and its end. Looking never changes the state, so a run is the
   same however often it is looked at. */
#include "sim/look.h"

#include "core/dvec.h"
#include "model/gauge_kind.h"
#include "rigid/rigid.h"
#include "sim/force/field.h"
#include "sim/gauge.h"

/* Shares of the way from the beginning of the last step to its end, for positions (x) and velocities (v). Staggered
   velocities are those of the middle of a substep (sim/force/field.h): for the end of the step v is then above 1. */
typedef struct shares {
    double x, v;
} shares;

static shares shares_at(const rill_world *w, double time) {
    const last_step *last = &sim_of(w)->last_step;
    if (!last->known || !(last->time < w->stats.time)) return (shares){1, 1};
    time = fmin(fmax(time, last->time), w->stats.time);
    const double x = (time - last->time) / (w->stats.time - last->time);
    const method *m = sim_of(w)->method;
    if (!field_is_staggered(m) && !(m->midway && m->midway(w))) return (shares){x, x};
    const double before = last->time - 0.5 * last->dt, now = w->stats.time - 0.5 * w->last_dt;
    return (shares){x, (time - before) / (now - before)};
}

/* ---- particles ---- */

/* Moves all particles back along their velocities. The result stands for particles that the step has added. */
static void go_back_freely(const rill_world *w, double time, place *places, vec *velocities) {
    for (int i = 0; i < w->particles.count; i++) {
        places[i] = places_of(w)[i];
        velocities[i] = velocities_of(w)[i];
        places[i].x = vec_along(places[i].x, (float)(time - w->stats.time), velocities[i]);
    }
}

static bool go_back(rill_world *w, shares s, place *places, vec *velocities) {
    const float back = (float)(1 - s.x), slow = (float)(1 - s.v);
    const last_step *last = &sim_of(w)->last_step;
    for (int k = 0; k < last->count; k++) {
        const int i = rill_particles_index_of(&w->memory, &w->particles, last->ids[k]);
        if (i == -2) return false;
        if (i < 0) continue;
        const vec now = places_of(w)[i].x, v = velocities_of(w)[i];
        places[i].x = vec_along(now, back, nearest_image(w, vec_sub(last->places[k].x, now)));
        velocities[i] = vec_along(v, slow, vec_sub(last->velocities[k], v));
    }
    return true;
}

static bool show_particles(rill_world *w, double time, shares s) {
    look *l = &sim_of(w)->look;
    go_back_freely(w, s.x < 1 ? time : w->stats.time, l->places.data, l->velocities.data);
    if ((s.x < 1 || s.v != 1) && !go_back(w, s, l->places.data, l->velocities.data)) return false;
    l->own_places = w->particles.fields[FIELD_PLACE].data;
    l->own_velocities = w->particles.fields[FIELD_VELOCITY].data;
    w->particles.fields[FIELD_PLACE].data = l->places.data;
    w->particles.fields[FIELD_VELOCITY].data = l->velocities.data;
    return true;
}

/* ---- bodies ---- */

static dvec between(const double before[3], const double now[3], double share) {
    const dvec a = dvec_load(before);
    return dvec_along(a, share, dvec_sub(dvec_load(now), a));
}

static quat turn_between(const double before[4], const double now[4], double share) {
    const quat a = quat_load(before);
    quat b = quat_load(now);
    if (a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0) b = (quat){-b.x, -b.y, -b.z, -b.w};
    const double s = share, r = 1 - share;
    return quat_normal((quat){r * a.x + s * b.x, r * a.y + s * b.y, r * a.z + s * b.z, r * a.w + s * b.w});
}

static void move_body(body *b, const body *before, shares s) {
    dvec_store(b->x, between(before->x, b->x, s.x));
    dvec_store(b->v, between(before->v, b->v, s.v));
    dvec_store(b->w, between(before->w, b->w, s.v));
    quat_store(b->q, turn_between(before->q, b->q, s.x));
    b->angle = before->angle + s.x * (b->angle - before->angle);
}

/* A body that the host has put somewhere since the step is shown there: it was at no place between. */
static void show_bodies(rill_world *w, shares s) {
    const last_step *last = &sim_of(w)->last_step;
    const size_t size = sizeof(body) * (size_t)w->bodies.count;
    if (size > 0) memcpy(sim_of(w)->look.bodies.data, w->bodies.items.data, size);
    for (int k = 0; (s.x < 1 || s.v != 1) && k < w->bodies.count && k < last->body_count; k++) {
        body *b = &POOL_ITEMS(w, body)[k];
        const body *before = &last->bodies[k];
        const bool same = b->slot.alive && before->slot.alive && b->slot.age == before->slot.age;
        if (same && !b->was_put) move_body(b, before, s);
    }
}

/* ---- looking ---- */

static bool reserve(rill_world *w) {
    look *l = &sim_of(w)->look;
    const size_t room = (size_t)w->particles.capacity;
    return rill_buffer_reserve(&w->memory, &l->places, sizeof(place) * room, 0) &&
           rill_buffer_reserve(&w->memory, &l->velocities, sizeof(vec) * room, 0) &&
           rill_buffer_reserve(&w->memory, &l->bodies, sizeof(body) * (size_t)w->bodies.count, 0);
}

/* What may fail comes before anything of the world moves. */
rill_status rill_look_begin(rill_world *w, double time) {
    look *l = &sim_of(w)->look;
    const shares s = shares_at(w, time);
    l->own_time = w->stats.time;
    if (!reserve(w) || !show_particles(w, time, s))
        return rill_fail(&w->error, RILL_MEMORY, "no memory to look at %d particles between steps", w->particles.count);
    show_bodies(w, s);
    if (s.x < 1) w->stats.time = fmax(time, sim_of(w)->last_step.time);
    const rill_status placed = rill_rigid_place(w, w->stats.time);
    if (placed != RILL_OK) rill_look_end(w);
    return placed;
}

void rill_look_end(rill_world *w) {
    look *l = &sim_of(w)->look;
    const size_t size = sizeof(body) * (size_t)w->bodies.count;
    if (size > 0) memcpy(w->bodies.items.data, l->bodies.data, size);
    w->particles.fields[FIELD_PLACE].data = l->own_places;
    w->particles.fields[FIELD_VELOCITY].data = l->own_velocities;
    w->stats.time = l->own_time;
    w->looked_back = true;
}

/* A windowed mean has one value before the step and one after it: interpolates between them. */
static void read_before(const rill_world *w, const gauge *g, double share, rill_reading *reading) {
    const last_step *last = &sim_of(w)->last_step;
    const int slot_index = (int)(g - POOL_ITEMS(w, gauge));
    if (rill_gauge_kind_at(g->def.kind)->subject != GAUGE_SURFACE || g->def.window == 0.0f) return;
    if (!last->known || slot_index >= last->gauge_count) return;
    const gauge *before = &last->gauges[slot_index];
    if (!before->slot.alive || before->slot.age != g->slot.age || !(before->watched > 0)) return;
    rill_reading then;
    rill_gauge_read_means(before, &then);
    for (int k = 0; k < reading->count; k++)
        reading->value[k] = then.value[k] + share * (reading->value[k] - then.value[k]);
}

rill_status rill_look_read_gauges(rill_world *w, double time, rill_reading *readings) {
    const double share = shares_at(w, time).x;
    TRY(rill_look_begin(w, time));
    rill_status status = RILL_OK;
    FOR_ALIVE(w, gauge, g) {
        if (status != RILL_OK) break;
        status = rill_gauge_read(w, g, readings);
        read_before(w, g, share, readings++);
    }
    rill_look_end(w);
    return status;
}

/* SPDX-License-Identifier: MIT */
/* How bodies give way: the touches, the sum of pushes on each body, and its response (give_way.h has the equation). One
   thread sums up the pushes, in the order of the particles: touches are few. */
#include "sim/boundary/give_way.h"

#include "core/usual_step.h"
#include "rigid/owed.h"
#include "sim/boundary/seam.h"

#include <string.h>

void rill_give_way_ask(giving_way *g, arena *a) {
    const rill_world *w = g->world;
    if (!any_body_moves_freely(w)) return;
    ARENA_ASK(a, g->touches, contacts_room(w));
    ARENA_ASK(a, g->starts, reduce_block_count(w->particles.capacity) + 1);
    ARENA_ASK(a, g->ways, w->bodies.count);
}

/* Whether a particle with these contacts is caught between the body behind `own` and another solid. Its push is left to
   the pressure in the seam, and the body does not get it. */
static bool is_caught(const rill_world *w, const wall_contact *c, int count, const wall_contact *own, float reach) {
    for (int k = 0; k < count; k++) {
        const float gap = c[k].distance + own->distance;
        if (c[k].solid != own->solid && vec_dot(c[k].normal, own->normal) < SEAM_FACING && gap < reach * w->def.spacing)
            return true;
    }
    return false;
}

/* The slot of the body that gives way to contact k of particle i, or -1. Bodies of a pile overlap and have no seams. */
static int yielding_body(const rill_world *w, int i, int k) {
    int count;
    const wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
    const int slot_index = contact_body(w, &c[k]);
    if (slot_index < 0 || count < 2 || POOL_ITEMS(w, body)[slot_index].pile != 0) return slot_index;
    return is_caught(w, c, count, &c[k], rill_seam_reach(w, &POOL_ITEMS(w, body)[slot_index])) ? -1 : slot_index;
}

static double count_block(int begin, int end, void *context) {
    const giving_way *g = context;
    const rill_world *w = g->world;
    const int32_t *first = sim_of(w)->contacts.first.data;
    int count = 0;
    for (int i = begin; i < end; i++)
        for (int k = 0; k < first[i + 1] - first[i]; k++) count += yielding_body(w, i, k) >= 0;
    return count;
}

static void list_block(int begin, int end, void *context) {
    const giving_way *g = context;
    const rill_world *w = g->world;
    const int32_t *first = sim_of(w)->contacts.first.data;
    const wall_contact *items = sim_of(w)->contacts.items.data;
    body_touch *next = g->touches + g->starts[begin / REDUCE_BLOCK];
    for (int i = begin; i < end; i++)
        for (int k = first[i]; k < first[i + 1]; k++) {
            const int slot_index = yielding_body(w, i, k - first[i]);
            if (slot_index < 0) continue;
            const vec touch = vec_along(places_of(w)[i].x, -items[k].distance, items[k].normal);
            const dvec centre = dvec_load(POOL_ITEMS(w, body)[slot_index].x);
            *next++ = (body_touch){.contact = k,
                                   .body = slot_index,
                                   .particle = i,
                                   .velocity = items[k].velocity,
                                   .distance = items[k].distance,
                                   .arm = dvec_sub(dvec_of(vec_out(touch)), centre)};
        }
}

void rill_give_way_find(giving_way *g, give_way_stage stage) {
    const rill_world *w = g->world;
    g->count = 0;
    g->stage = stage;
    if (!g->touches) return;
    const int n = fluid_count(w);
    g->count = (int)rill_reduce_starts(w->workers, n, REDUCE_BLOCK, count_block, g, g->starts);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, list_block, g);
    memset(g->ways, 0, sizeof *g->ways * (size_t)w->bodies.count);
    for (const body_touch *t = g->touches; t < g->touches + g->count; t++)
        g->ways[t->body].touching += (double)places_of(w)[t->particle].m;
}

/* Force and torque of the pushes on each body. */
static void sum_pushes(const giving_way *g) {
    const rill_world *w = g->world;
    for (int k = 0; k < w->bodies.count; k++) memset(g->ways[k].force, 0, sizeof g->ways[k].force);
    for (const body_touch *t = g->touches; t < g->touches + g->count; t++) {
        double *sum = g->ways[t->body].force;
        const dvec force = dvec_scale(dvec_of(vec_out(g->push(g->context, t))), -1);
        dvec_store(sum, dvec_add(dvec_load(sum), force));
        dvec_store(sum + 3, dvec_add(dvec_load(sum + 3), dvec_cross(t->arm, force)));
    }
}

static void approach(double *value, double share, dvec goal) {
    const dvec now = dvec_load(value);
    dvec_store(value, dvec_along(now, share, dvec_sub(goal, now)));
}

/* Moves a body's velocity change towards its response to the present force. The response of a body lighter than the
   particles that touch it would overshoot, so `share` is 1/(1 + their mass/its mass). */
static void change_way(const giving_way *g, const body *b, body_way *way) {
    const rill_world *w = g->world;
    const double share = 1 / (1 + way->touching * b->inverse_mass), dt = (double)g->dt;
    const double *last = b->pressed[g->stage];
    double more[6];
    for (int k = 0; k < 6; k++) more[k] = dt * (way->force[k] - last[k]);
    const dvec push = rill_owed_share_linear(w, b, dvec_load(more));
    const dvec twist = rill_owed_share_angular(w, b, dvec_load(more + 3));
    approach(way->change, share, rill_body_mass_linear(w, b, push));
    approach(way->change + 3, share, rill_body_mass_angular(w, b, twist));
}

void rill_give_way(giving_way *g) {
    const rill_world *w = g->world;
    if (g->count == 0) return;
    sum_pushes(g);
    FOR_ALIVE(w, body, b) {
        body_way *way = &g->ways[b - POOL_ITEMS(w, body)];
        if (way->touching > 0) change_way(g, b, way);
    }
}

static void move_block(int begin, int end, void *context) {
    const giving_way *g = context;
    wall_contact *items = sim_of(g->world)->contacts.items.data;
    for (const body_touch *t = g->touches + begin; t < g->touches + end; t++)
        items[t->contact].distance = t->distance - g->dt * vec_dot(give_way_speed(g, t), items[t->contact].normal);
}

void rill_give_way_move_walls(giving_way *g) {
    rill_give_way(g);
    rill_parallel_for(g->world->workers, g->count, REDUCE_BLOCK, move_block, g);
}

/* A wall that has to put a particle back gives the same impulse in a short step as in a long one. As a force that would
   be many times what the next step sees, so a short step replaces only the share `lasts` of the kept force. */
static void keep_forces(double kept[6], const double force[6], double lasts) {
    for (int k = 0; k < 6; k++) kept[k] = lasts < 1 ? kept[k] + lasts * (force[k] - kept[k]) : force[k];
}

void rill_give_way_keep(giving_way *g) {
    const rill_world *w = g->world;
    if (!g->touches) return;
    sum_pushes(g);
    FOR_ALIVE(w, body, b) {
        if (b->asleep) continue;
        const double lasts = usual_step_share(&b->pressed_over[g->stage], (double)g->dt);
        keep_forces(b->pressed[g->stage], g->ways[b - POOL_ITEMS(w, body)].force, lasts);
    }
}

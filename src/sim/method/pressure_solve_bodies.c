/* SPDX-License-Identifier: MIT */
/* Bodies that give way to the pressure that is being solved for. Taken for walls of prescribed motion they would answer
   only a step later: water that they squeeze presses as hard as an immovable wall asks for, and throws them apart.

   A body is expected to move on as it does, with weight, contacts and joints in balance with the force F_last by which
   the fluid pressed it in the last step. Only what the fluid presses beyond that changes its velocity in the solve:
     v = v_body + dt M^-1 (F - F_last)
   at each contact. In a steady state that is no change; a force that grows meets a body that gives way. The body gets
   all of F afterwards, as from any method. */
#include "rigid/owed.h"
#include "sim/boundary/contact_body.h"
#include "sim/method/pressure_solve.h"

#include <string.h>

static double count_block(int begin, int end, void *context) {
    const pressure_solve *f = context;
    const rill_world *w = f->world;
    const int32_t *first = sim_of(w)->contacts.first.data;
    const wall_contact *items = sim_of(w)->contacts.items.data;
    int count = 0;
    for (int k = first[begin]; k < first[end]; k++) count += contact_body(w, &items[k]) >= 0;
    return count;
}

static void list_block(int begin, int end, void *context) {
    const pressure_solve *f = context;
    const rill_world *w = f->world;
    const int32_t *first = sim_of(w)->contacts.first.data;
    const wall_contact *items = sim_of(w)->contacts.items.data;
    body_touch *next = f->touches + f->touch_starts[begin / REDUCE_BLOCK];
    for (int i = begin; i < end; i++)
        for (int k = first[i]; k < first[i + 1]; k++) {
            const int slot_index = contact_body(w, &items[k]);
            if (slot_index < 0) continue;
            const vec touch = vec_along(places_of(w)[i].x, -items[k].distance, items[k].normal);
            const dvec centre = dvec_load(POOL_ITEMS(w, body)[slot_index].x);
            *next++ = (body_touch){.contact = k,
                                   .body = slot_index,
                                   .particle = i,
                                   .velocity = items[k].velocity,
                                   .arm = dvec_sub(dvec_of(vec_out(touch)), centre)};
        }
}

void rill_pressure_bodies_find(pressure_solve *f, pressure_stage stage) {
    const rill_world *w = f->world;
    f->touch_count = 0;
    f->stage = stage;
    if (!f->touches) return;
    const int n = w->particles.count;
    f->touch_count = (int)rill_reduce_starts(w->workers, n, REDUCE_BLOCK, count_block, f, f->touch_starts);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, list_block, f);
    memset(f->ways, 0, sizeof *f->ways * (size_t)w->bodies.count);
    for (const body_touch *t = f->touches; t < f->touches + f->touch_count; t++)
        f->ways[t->body].touching += (double)places_of(w)[t->particle].m;
}

/* Force and torque of the pushes on each body. */
static void sum_pushes(const pressure_solve *f) {
    const rill_world *w = f->world;
    for (int k = 0; k < w->bodies.count; k++) memset(f->ways[k].force, 0, sizeof f->ways[k].force);
    for (const body_touch *t = f->touches; t < f->touches + f->touch_count; t++) {
        double *sum = f->ways[t->body].force;
        const dvec force = dvec_scale(dvec_of(vec_out(f->walls[t->contact].push)), -1);
        dvec_store(sum, dvec_add(dvec_load(sum), force));
        dvec_store(sum + 3, dvec_add(dvec_load(sum + 3), dvec_cross(t->arm, force)));
    }
}

static void approach(double *value, double share, dvec goal) {
    const dvec now = dvec_load(value);
    dvec_store(value, dvec_along(now, share, dvec_sub(goal, now)));
}

/* Bodies lighter than the particles that touch them are approached in smaller steps. */
static void give_way(const pressure_solve *f, const body *b, body_way *way) {
    const rill_world *w = f->world;
    const double share = 1 / (1 + way->touching * b->inverse_mass), dt = (double)f->dt;
    const double *last = b->pressed[f->stage];
    double more[6];
    for (int k = 0; k < 6; k++) more[k] = dt * (way->force[k] - last[k]);
    const dvec push = rill_owed_share_linear(w, b, dvec_load(more));
    const dvec twist = rill_owed_share_angular(w, b, dvec_load(more + 3));
    approach(way->change, share, rill_body_mass_linear(w, b, push));
    approach(way->change + 3, share, rill_body_mass_angular(w, b, twist));
}

static vec added(vec v, dvec more) {
    v.x += (float)more.x, v.y += (float)more.y;
#if DIM == 3
    v.z += (float)more.z;
#endif
    return v;
}

void rill_pressure_bodies_yield(pressure_solve *f) {
    const rill_world *w = f->world;
    if (f->touch_count == 0) return;
    sum_pushes(f);
    FOR_ALIVE(w, body, b) {
        body_way *way = &f->ways[b - POOL_ITEMS(w, body)];
        if (way->touching > 0) give_way(f, b, way);
    }
    wall_contact *items = sim_of(w)->contacts.items.data;
    for (const body_touch *t = f->touches; t < f->touches + f->touch_count; t++) {
        const double *change = f->ways[t->body].change;
        const dvec more = dvec_add(dvec_load(change), dvec_cross(dvec_load(change + 3), t->arm));
        items[t->contact].velocity = added(t->velocity, more);
    }
}

void rill_pressure_bodies_keep(pressure_solve *f) {
    const rill_world *w = f->world;
    if (!f->touches) return;
    sum_pushes(f);
    FOR_ALIVE(w, body, b) {
        if (!b->asleep) memcpy(b->pressed[f->stage], f->ways[b - POOL_ITEMS(w, body)].force, sizeof b->pressed[0]);
    }
}

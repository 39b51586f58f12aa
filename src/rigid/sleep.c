/* SPDX-License-Identifier: MIT */
/* An island falls asleep when each of its bodies has been slower than `sleep_speed` for `sleep_time` and something
   fixed supports the island. Floating and flying bodies do not sleep, because they never come to rest for good. */
#include "rigid/sleep.h"

#include "rigid/body.h"
#include "rigid/contacts.h"

#include <string.h>

/* Change of the fluid's force that does not wake a body, as a share of its weight: the force of water at rest
   fluctuates. */
#define FLUID_HUM 0.05

static bool has_velocity(const body *b) {
    for (int k = 0; k < 3; k++)
        if (b->v[k] != 0 || b->w[k] != 0) return true;
    return false;
}

bool rill_body_still(const body *b) {
    return b->inverse_mass > 0 ? b->asleep : !has_velocity(b);
}

bool rill_solid_moves(const solid *s) {
    const rill_vec v = s->pose.velocity, w = s->pose.angular;
    return v.x != 0.0f || v.y != 0.0f || v.z != 0.0f || w.x != 0.0f || w.y != 0.0f || w.z != 0.0f;
}

static body *body_of_solid(const rill_world *w, int slot_index) {
    const solid *s = &POOL_ITEMS(w, solid)[slot_index];
    return s->slot.alive && s->body > 0 ? &POOL_ITEMS(w, body)[s->body - 1] : NULL;
}

bool rill_contact_sleeps(const rill_world *w, int a, int other) {
    if (a >= w->bodies.count || other >= w->solids.count) return false;
    const body *first = &POOL_ITEMS(w, body)[a];
    const solid *s = &POOL_ITEMS(w, solid)[other];
    if (!first->slot.alive || !s->slot.alive) return false;
    const body *second = body_of_solid(w, other);
    if (!first->asleep && !(second && second->asleep)) return false;
    return rill_body_still(first) && (second ? rill_body_still(second) : !rill_solid_moves(s));
}

/* ---- waking ---- */

static void forget_rest(body *b) {
    b->asleep = false;
    b->rest_time = 0;
    memset(b->calm, 0, sizeof b->calm);
    memset(b->drift, 0, sizeof b->drift);
}

/* The whole island wakes: bodies that lie on this one would otherwise hang in the air. */
void rill_sleep_wake(rill_world *w, body *b) {
    if (!b->asleep) {
        forget_rest(b);
        return;
    }
    const int32_t island = b->island;
    FOR_ALIVE(w, body, other) if (other->asleep && other->island == island) forget_rest(other);
}

void rill_sleep_wake_all(rill_world *w) {
    FOR_ALIVE(w, body, b) forget_rest(b);
}

void rill_sleep_wake_touching(rill_world *w, int slot_index) {
    const contact_memory *touches = w->contact_memories.data;
    const int32_t owner = POOL_ITEMS(w, solid)[slot_index].body - 1;
    for (int k = 0; k < w->contact_memory_count; k++) {
        const int a = contact_body(touches[k].key), other = contact_solid(touches[k].key);
        if (other != slot_index && a != owner) continue;
        body *first = a < w->bodies.count ? &POOL_ITEMS(w, body)[a] : NULL;
        body *second = other < w->solids.count ? body_of_solid(w, other) : NULL;
        if (first && first->slot.alive) rill_sleep_wake(w, first);
        if (second) rill_sleep_wake(w, second);
    }
}

void rill_sleep_wake_joint(rill_world *w, const joint *j) {
    rill_sleep_wake(w, &POOL_ITEMS(w, body)[j->a]);
    if (j->b >= 0) rill_sleep_wake(w, &POOL_ITEMS(w, body)[j->b]);
}

/* Speed of the fastest point of a body with these velocities. */
static double fastest(const body *b, dvec v, dvec spin) {
    return dvec_length(v) + b->reach * dvec_length(spin);
}

/* The fluid's force is never quite steady. A body wakes when the change of that force since it fell asleep would have
   given it a speed above a bound; the change decays over `sleep_time`. */
bool rill_sleep_takes_impulse(const rill_world *w, body *b, dvec push, dvec twist) {
    double *sum = b->asleep ? b->drift : b->calm;
    dvec_store(sum, dvec_add(dvec_load(sum), push));
    dvec_store(sum + 3, dvec_add(dvec_load(sum + 3), twist));
    if (!b->asleep) return false;
    const dvec v = rill_body_mass_linear(w, b, dvec_load(sum)), spin = rill_body_mass_angular(w, b, dvec_load(sum + 3));
    const double hum = FLUID_HUM * dvec_length(dvec_of(w->def.gravity)) * (double)w->def.sleep_time;
    return fastest(b, v, spin) <= (double)w->def.sleep_speed + hum;
}

/* A joint between a sleeping and a moving body always wakes the sleeping one. Returns whether one woke, because that
   may wake the next body of a chain. */
bool rill_sleep_wake_joined(rill_world *w) {
    bool woke = false;
    FOR_ALIVE(w, joint, j) {
        if (j->broken || j->b < 0) continue;
        body *a = &POOL_ITEMS(w, body)[j->a], *b = &POOL_ITEMS(w, body)[j->b];
        if (rill_body_still(a) == rill_body_still(b)) continue;
        body *sleeper = a->asleep ? a : b;
        if (!sleeper->asleep) continue;
        rill_sleep_wake(w, sleeper);
        woke = true;
    }
    return woke;
}

static bool pushed(const body *b) {
    for (int k = 0; k < 3; k++)
        if (b->force[k] != 0 || b->torque[k] != 0 || b->push[k] != 0 || b->twist[k] != 0) return true;
    return false;
}

/* `calm` is the mean force of the fluid when the body fell asleep, `drift` the impulse beyond it since then. Drift
   decays at the rate 1/sleep_time (implicit step), so that noise does not add up until it wakes the body. */
void rill_sleep_expect(const rill_world *w, body *b, double dt) {
    const double keep = w->def.sleep_time > 0.0f ? 1 / (1 + dt / (double)w->def.sleep_time) : 0;
    if (!b->asleep) return;
    for (int k = 0; k < 6; k++) b->drift[k] = keep * b->drift[k] - dt * b->calm[k];
}

void rill_sleep_begin(rill_world *w) {
    FOR_ALIVE(w, body, b) if (b->asleep && pushed(b)) rill_sleep_wake(w, b);
}

/* ---- falling asleep ---- */

typedef struct island {
    int32_t parent;
    bool carried, restless;
    double rest_time; /* shortest of its bodies [s] */
} island;

/* Union-find with path halving: islands are the connected components of the graph of contacts and joints. */
static int root_of(island *islands, int k) {
    while (islands[k].parent != k) k = islands[k].parent = islands[islands[k].parent].parent;
    return k;
}

/* The lower slot stays the root, so that the number of an island does not depend on the order of its contacts. */
static void unite(island *islands, int a, int b) {
    a = root_of(islands, a), b = root_of(islands, b);
    if (a == b) return;
    const int low = a < b ? a : b, high = a < b ? b : a;
    islands[high].parent = low;
    islands[low].carried |= islands[high].carried;
    islands[low].restless |= islands[high].restless;
    if (islands[high].rest_time < islands[low].rest_time) islands[low].rest_time = islands[high].rest_time;
}

/* Body `a` is supported by body `b`, or by something that is not dynamic, which `moves` or not. */
static void lean(island *islands, const body *bodies, int a, const body *b, bool moves) {
    island *of = &islands[root_of(islands, a)];
    if (b && b->inverse_mass > 0)
        unite(islands, a, (int)(b - bodies));
    else if (moves)
        of->restless = true;
    else
        of->carried = true;
}

/* Contacts without an impulse in the last step carry nothing, so that bodies side by side are not one island. */
static void lean_by_touches(const rill_world *w, island *islands) {
    const contact_memory *touches = w->contact_memories.data;
    const body *bodies = POOL_ITEMS(w, body);
    for (int k = 0; k < w->contact_memory_count; k++) {
        const int a = contact_body(touches[k].key), other = contact_solid(touches[k].key);
        if (!(touches[k].lambda[0] > 0)) continue;
        const solid *s = &POOL_ITEMS(w, solid)[other];
        const body *b = body_of_solid(w, other);
        if (bodies[a].inverse_mass > 0)
            lean(islands, bodies, a, b, rill_solid_moves(s));
        else if (b)
            lean(islands, bodies, (int)(b - bodies), &bodies[a], has_velocity(&bodies[a]));
    }
}

static void lean_by_joints(const rill_world *w, island *islands) {
    const body *bodies = POOL_ITEMS(w, body);
    FOR_ALIVE(w, joint, j) {
        if (j->broken) continue;
        const body *a = &bodies[j->a], *b = j->b >= 0 ? &bodies[j->b] : NULL;
        if (!(a->inverse_mass > 0)) {
            const body *swap = a;
            a = b, b = swap;
        }
        if (!a || !(a->inverse_mass > 0)) continue;
        const int slot_index = (int)(a - bodies);
        lean(islands, bodies, slot_index, b, b && has_velocity(b));
        /* Other kinds of joint have no motor, even if `motor` is set in their definition. */
        const bool has_motor = j->def.kind == RILL_JOINT_HINGE || j->def.kind == RILL_JOINT_SLIDER;
        if (has_motor && j->def.motor && j->def.motor_speed != 0.0f)
            islands[root_of(islands, slot_index)].restless = true;
    }
}

static void fall_asleep(body *b, int32_t island) {
    b->asleep = true;
    b->island = island;
    memset(b->v, 0, sizeof b->v);
    memset(b->w, 0, sizeof b->w);
    memset(b->drift, 0, sizeof b->drift);
    for (int k = 0; k < 6; k++) b->calm[k] /= b->rest_time; /* the mean force of the fluid while it came to rest */
}

void rill_sleep_let_rest(const rill_world *w, body *b) {
    const double *push = b->fluid_impulse, *twist = b->fluid_moment;
    if (!(b->rest_time > 0)) { /* put to sleep while it moved: only the force in the last call is known */
        b->rest_time = fmax(w->call_time, 1e-9);
        for (int k = 0; k < 3; k++) b->calm[k] = push[k], b->calm[3 + k] = twist[k];
    }
    fall_asleep(b, (int32_t)(b - POOL_ITEMS(w, body)));
}

bool rill_sleep_reserve(rill_world *w) {
    return rill_buffer_reserve(&w->memory, &w->rigid_islands, sizeof(island) * (size_t)w->bodies.count, 0);
}

/* Counts how long bodies have been slow. Islands are built only when a body has been slow for long enough. */
void rill_sleep_end(rill_world *w, double dt) {
    const double enough = (double)w->def.sleep_time;
    bool any = false;
    FOR_ALIVE(w, body, b) {
        if (!(b->inverse_mass > 0) || b->asleep) continue;
        const bool slow = fastest(b, dvec_load(b->v), dvec_load(b->w)) < (double)w->def.sleep_speed;
        if (!(enough > 0) || !b->def.sleeps || !slow)
            forget_rest(b);
        else
            b->rest_time += dt;
        if (b->host.moves) continue; /* its engine decides when it sleeps */
        any = any || (b->rest_time >= enough && enough > 0);
    }
    if (!any) return;
    const int count = w->bodies.count;
    island *islands = w->rigid_islands.data;
    const body *bodies = POOL_ITEMS(w, body);
    for (int k = 0; k < count; k++)
        islands[k] = (island){
            .parent = k, .restless = bodies[k].host.moves && !bodies[k].asleep, .rest_time = bodies[k].rest_time};
    lean_by_touches(w, islands);
    lean_by_joints(w, islands);
    FOR_ALIVE(w, body, b) {
        if (!(b->inverse_mass > 0) || b->asleep || b->host.moves) continue;
        const int root = root_of(islands, (int)(b - bodies));
        if (islands[root].carried && !islands[root].restless && islands[root].rest_time >= enough) fall_asleep(b, root);
    }
}

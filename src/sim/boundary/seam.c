/* SPDX-License-Identifier: MIT */
/* Water presses under a body that lies flush on the floor as it does beside it: it creeps into the seam, which is
   thinner than a particle. Particles cannot, and without a seam the body would lack the lift from below.

   Cells of a body's surface that another solid faces within a gap are its seam (seam_cells.c). It is complete below a
   gap of 1.5 spacings and fades out by 2, where two layers of particles fit; half a spacing more in methods in which
   two layers carry a body. The head p - rho g.x is read at the rim, from particles off the mouth of the gap, where
   pressure is that of open water; a rim without particles is dry and has no pressure (seam_heads.c). Across the seam
   the head is harmonic, as in slow flow in a thin gap: interpolated from the rim with weights 1/distance^(DIM-1), which
   is Poisson's formula for a disc in 3D and exact for a strip in 2D. The force that particles in the gap exert already
   is taken off.

   Pressure as read from particles differs by a few hundredths from the pressure that they exert on a wall, and lift is
   a small difference of large forces. So the head is corrected by the load on the body's other faces: the seam carries
   the load that their particles exert, in the same step, plus the weight of the water between both levels, as
   Archimedes' principle demands. */
#include "sim/boundary/seam.h"

#include "core/arena.h"
#include "rigid/body.h"
#include "rigid/rigid.h"
#include "rigid/sleep.h"
#include "sim/boundary/seam_parts.h"
#include "sim/method/method.h"

#include <string.h>

/* Closing speed of a gap at which its particles resist in full, in sqrt(g dx): that of a gap of one spacing under a box
   of six spacings and 1.25 times the density of water, which drives the water out. */
#define FILM_SPEED 0.5f

float rill_seam_reach(const rill_world *w, const body *b) {
    const bool deep =
        sim_of(w)->method->deep_seams && seams_may_be_deep(b) && !body_is_jointed(w, (int)(b - POOL_ITEMS(w, body)));
    return deep ? DEEP_SEAM_REACH : SEAM_GAP_NONE;
}

/* ---- forces ---- */

/* Adds a force at a point to a sum of force and torque on a body. */
static void add_force(const rill_world *w, int body_slot, double *sum, vec x, vec force, double sign) {
    const body *b = &POOL_ITEMS(w, body)[body_slot];
    const dvec f = dvec_scale(dvec_of(vec_out(force)), sign);
    const dvec moment = dvec_cross(dvec_sub(dvec_of(vec_out(x)), dvec_load(b->x)), f);
    dvec_store(sum, dvec_add(dvec_load(sum), f));
    dvec_store(sum + 3, dvec_add(dvec_load(sum + 3), moment));
}

/* Adds a pressure on a cell to the sums of the body and, in the opposite direction, of a body that faces it. */
static void press(const finder *f, int32_t other, vec x, float pressure, vec push) {
    const int slots[2] = {f->own->body - 1, POOL_ITEMS(f->world, solid)[other].body - 1};
    for (int k = 0; k < 2; k++) {
        if (slots[k] < 0) continue;
        seam_sums *sums = &f->sums[slots[k]];
        sums->area += (double)vec_length(push);
        add_force(f->world, slots[k], sums->unit, x, push, k == 0 ? 1 : -1);
        add_force(f->world, slots[k], sums->pressed, x, vec_scale(push, pressure), k == 0 ? 1 : -1);
    }
}

static void take(const finder *f, int32_t other, vec x, vec force) {
    const int slots[2] = {f->own->body - 1, POOL_ITEMS(f->world, solid)[other].body - 1};
    for (int k = 0; k < 2; k++)
        if (slots[k] >= 0) add_force(f->world, slots[k], f->sums[slots[k]].taken, x, force, k == 0 ? 1 : -1);
}

static void press_cells(finder *f) {
    rill_seam_correct_heads(f);
    for (int k = 0; k < f->seam_count; k++) {
        const seam_cell *c = &f->cells[f->seams[k]];
        press(f, c->other, c->x, c->pressure, vec_scale(c->normal, -c->area * c->fade));
    }
}

/* At an edge the normal of a contact is tilted, because the solid ends there: part of its force belongs to the adjacent
   face. If that face is a seam, which has its own pressure, this part is taken off. */
static void take_tilt(const finder *f, vec x, const wall_contact *c, vec touch) {
    const seam_cell *cell = rill_seam_beside(f, touch);
    if (!cell) return;
    vec straight;
    rill_placed_distance(&placed_shapes_of(f->world)[c->solid], x, &straight);
    if (vec_dot(c->normal, cell->normal) < ALIKE || vec_dot(straight, cell->normal) >= ALIKE) return;
    const vec tilted = vec_along(c->force, -vec_dot(c->force, straight), straight);
    take(f, cell->other, touch, vec_scale(cell->normal, vec_dot(tilted, cell->normal) * cell->fade));
}

/* Share of the collisions of a particle in the gap that is left to the seam. It is 0 in methods that drive such
   particles out themselves, and for parts of machines, which rest on the particles that they catch. Water under an
   excess pressure p from a body's weight leaves a gap of height h and width L at sqrt(2 p/rho), so that the gap closes
   at 2 h/L times that. In a gap that closes faster, particles cannot get out of the way: they must resist, or would be
   crushed. */
static float left_to_seam(const finder *f, const wall_contact *c, int32_t other, vec touch, float fade) {
    const rill_world *w = f->world;
    if (sim_of(w)->method->clears_seams || body_is_jointed(w, f->own->body - 1)) return 0.0f;
    const vec there = rill_solid_velocity(&POOL_ITEMS(w, solid)[other], touch, c->normal);
    const float closing = vec_dot(vec_sub(c->velocity, there), c->normal);
    const float slow = FILM_SPEED * sqrtf(vec_length(f->gravity) * f->dx);
    return fade * fminf(fmaxf(1.0f - closing / slow, 0.0f), 1.0f);
}

/* Marks the contacts of particle i with both sides of the gap, whose collisions are left to the seam. */
static void mark_contacts(const finder *f, int i, int32_t other, vec normal, float fade) {
    const int32_t own = (int32_t)(f->own - POOL_ITEMS(f->world, solid));
    int count;
    wall_contact *c = contacts_of(&sim_of(f->world)->contacts, i, &count);
    for (int k = 0; k < count; k++) {
        const bool faces = c[k].solid == own ? vec_dot(c[k].normal, normal) > -SEAM_FACING
                                             : c[k].solid == other && vec_dot(c[k].normal, normal) < SEAM_FACING;
        if (faces) c[k].in_seam = fmaxf(c[k].in_seam, fade);
    }
}

static void take_contact(const finder *f, int i, const wall_contact *c) {
    const vec x = places_of(f->world)[i].x;
    const vec touch = vec_along(x, -c->distance, c->normal);
    float fade;
    bool near;
    const int32_t other = rill_seam_facing(f, touch, c->normal, &fade, &near);
    if (other < 0) take_tilt(f, x, c, touch);
    if (other < 0 || !rill_seam_owns(f, other)) return;
    const float pressed = vec_dot(c->force, c->normal) - c->held;
    mark_contacts(f, i, other, c->normal, left_to_seam(f, c, other, touch, fade));
    take(f, other, touch, vec_scale(c->normal, pressed * fade));
}

/* Takes off the force that particles in the gap exert already. */
static void take_off(const finder *f) {
    const rill_world *w = f->world;
    const int own = (int)(f->own - POOL_ITEMS(w, solid));
    const wall_contact *items = sim_of(w)->contacts.items.data;
    for (const touch *t = f->touches + f->starts[own]; t < f->touches + f->starts[own + 1]; t++) {
        const vec x = places_of(w)[t->particle].x;
        if (in_reach(&(span_box){x, x}, &f->rim_box, RIM_REACH * f->dx))
            take_contact(f, t->particle, &items[t->contact]);
    }
}

/* ---- the correction ---- */

/* Finds the load that presses the body towards its seam, as the heads at the rims imply it. */
static void expect_load(finder *f) {
    load *l = &f->loads[f->own->body - 1];
    vec sum = {0};
    for (int k = 0; k < f->cell_count; k++)
        if (f->cells[k].other >= 0) sum = vec_along(sum, f->cells[k].fade * f->cells[k].area, f->cells[k].normal);
    const float length = vec_length(sum);
    if (!(length > 0.0f)) return;
    l->normal = vec_scale(sum, 1.0f / length);
    rill_seam_expect_pressures(f);
    for (const seam_cell *c = f->cells; c < f->cells + f->cell_count; c++) {
        const float area = -c->area * vec_dot(c->normal, l->normal);
        if (vec_dot(c->normal, l->normal) < ALIKE) l->across += (double)area;
        if (!is_beside(c, l)) continue;
        l->open += (double)area;
        l->expected += (double)(c->pressure * area);
    }
}

/* Finds the load that particles exert in that direction in this step, by pressure and friction, on every body. */
static void feel_load(const finder *f) {
    const rill_world *w = f->world;
    const contacts *c = &sim_of(w)->contacts;
    const wall_contact *items = c->items.data;
    for (int k = 0; k < c->count; k++) {
        const int32_t owner = POOL_ITEMS(w, solid)[items[k].solid].body;
        if (owner <= 0) continue;
        load *l = &f->loads[owner - 1];
        if (vec_dot(items[k].normal, l->normal) < ALIKE) l->felt -= (double)vec_dot(items[k].force, l->normal);
    }
}

static double collided(const rill_world *w, const body *b, vec normal) {
    return dvec_dot(dvec_load(POOL_ITEMS(w, solid)[b->solid].push), dvec_of(vec_out(normal)));
}

/* ---- bodies ---- */

/* The solid of a contact if it belongs to a body, otherwise -1. */
static int32_t touched(const rill_world *w, const wall_contact *c) {
    return POOL_ITEMS(w, solid)[c->solid].body > 0 ? c->solid : -1;
}

/* Sorts the contacts of fluid by the body that they touch. A body without contacts has no wet seam. */
static void list_touches(const finder *f) {
    const rill_world *w = f->world;
    const int32_t *first = sim_of(w)->contacts.first.data;
    const wall_contact *items = sim_of(w)->contacts.items.data;
    const int groups = together_count(fluid_count(w));
    int32_t *starts =
        f->starts + 1; /* starts[k]: next free place of solid k; once all are taken, the start of solid k + 1 */
    memset(f->starts, 0, sizeof *f->starts * ((size_t)w->solids.count + 2));
    for (int k = 0; k < first[fluid_count(w)]; k++)
        if (touched(w, &items[k]) >= 0) starts[items[k].solid + 1]++;
    for (int k = 0; k < w->solids.count; k++) starts[k + 1] += starts[k];
    for (int group = 0; group < groups; group++) {
        const int end = together_end(f, group);
        if (first[group * TOGETHER] == first[end]) continue; /* no contacts, as in most of a large fluid */
        for (int i = group * TOGETHER; i < end; i++)
            for (int k = first[i]; k < first[i + 1]; k++)
                if (touched(w, &items[k]) >= 0) f->touches[starts[items[k].solid]++] = (touch){i, k};
    }
}

static float density_of(const rill_world *w) {
    float density = 0.0f;
    FOR_ALIVE(w, fluid, f) density = fmaxf(density, f->def.density);
    return density;
}

/* Leaves out containers whose walls are too far from the body. */
static void leave_out_clear(finder *f, const placed_shape *shape) {
    near_solids *near = &f->near;
    int count = 0;
    if (near->slots != near->found) return;
    for (int n = 0; n < near->count; n++)
        if (!box_is_clear(&placed_shapes_of(f->world)[near->found[n]], shape->low, shape->high, solid_reach(f)))
            near->found[count++] = near->found[n];
    near->count = count;
}

static void search(finder *f) {
    const placed_shape *shape = &placed_shapes_of(f->world)[f->own - POOL_ITEMS(f->world, solid)];
    solids_near_box(f->world, shape->low, shape->high, f->gap_none * f->dx, &f->near);
    leave_out_clear(f, shape);
    if (f->near.count < 2) return; /* only the body itself */
    rill_seam_find_cells(f);
    if (f->seam_count == 0) return;
    rill_seam_find_rims(f);
    if (f->rim_count == 0) return;
    if (!rill_seam_read_rims(f)) return;
    press_cells(f);
    take_off(f);
    expect_load(f);
}

/* Share of the way to its new value that the force goes in a step, because pressures of single steps are noisy. The lag
   sqrt(dx/g) is the time in which a particle falls by half a spacing: faster changes are noise, at any resolution. */
static double follow_share(const rill_world *w, double dt) {
    const double lag = sqrt((double)w->def.spacing / dvec_length(dvec_of(w->def.gravity)));
    return dt / (lag + dt);
}

/* Sets the force for the next step. The load on the body's other faces acts through the seam at once: waves and noise,
   many times the body's weight less its lift, must not lift the body because the seam is late. Faces covered by another
   body feel little, but count with their area; otherwise a body covered nearly all over could get any force. The rest,
   which is the weight of water between both levels and what the correction may not reach, follows slowly. So does the
   force of particles in the gap in methods that solve for bodies and particles together: they feel it a step later, and
   would tremble. */
static void follow(const finder *f, body *b, double dt) {
    rill_world *w = f->world;
    const int slot_index = (int)(b - POOL_ITEMS(w, body));
    const seam_sums *sums = &f->sums[slot_index];
    const load *l = &f->loads[slot_index];
    const double through = l->across > 0 ? l->felt / l->across : 0, share = follow_share(w, dt);
    const bool late = sim_of(w)->method->solves_bodies;
    double now[6], change[6];
    for (int k = 0; k < 6; k++) {
        const double slow = sums->pressed[k] - through * sums->unit[k] + (late ? sums->taken[k] : 0);
        b->seam[k] = sums->area > 0 ? b->seam[k] + share * (slow / sums->area - b->seam[k]) : 0;
        now[k] = through * sums->unit[k] + sums->area * b->seam[k] + (late ? 0 : sums->taken[k]);
        change[k] = dt * (now[k] - b->seam_now[k]);
    }
    if (b->asleep && rill_sleep_takes_impulse(w, b, dvec_load(change), dvec_load(change + 3))) return;
    if (b->asleep) rill_sleep_wake(w, b);
    memcpy(b->seam_now, now, sizeof now);
}

/* Whether bodies have seams: not if they keep a margin from the floor, so that particles get under them. */
static bool has_seams(const rill_world *w) {
    return w->bodies.living_count > 0 && w->particles.count > 0 && w->body_margin == 0.0f &&
           vec_length(vec_of(w->def.gravity)) > 0.0f;
}

/* Reserves cells and rims for one body at a time, and sums for all. */
static rill_status make_room(rill_world *w, finder *f) {
    int most = 0;
    FOR_ALIVE(w, body, b) {
        const int count = rill_seam_count_cells(&placed_shapes_of(w)[b->solid]);
        most = count > most ? count : most;
    }
    arena a = {0};
    ARENA_ASK(&a, f->cells, most);
    ARENA_ASK(&a, f->rims, most);
    ARENA_ASK(&a, f->seams, most);
    ARENA_ASK(&a, f->seam_boxes, most / TOGETHER + 1);
    ARENA_ASK(&a, f->readings, w->particles.capacity);
    ARENA_ASK(&a, f->have_read, w->particles.capacity / TOGETHER + 1);
    ARENA_ASK(&a, f->boxes, w->particles.capacity / TOGETHER + 1);
    ARENA_ASK(&a, f->around, w->particles.capacity / TOGETHER + 1);
    ARENA_ASK(&a, f->sums, w->bodies.count);
    ARENA_ASK(&a, f->loads, w->bodies.count);
    ARENA_ASK(&a, f->touches, contacts_room(w));
    ARENA_ASK(&a, f->starts, w->solids.count + 2);
    if (rill_arena_give(&a, &w->memory, &sim_of(w)->seam)) return RILL_OK;
    return rill_fail(&w->error, RILL_MEMORY, "no memory for the seams of %d bodies", w->bodies.living_count);
}

rill_status rill_seams_reserve(rill_world *w) {
    finder all = {.world = w};
    if (!has_seams(w)) return RILL_OK;
    TRY(rill_solids_make_faces(w));
    return make_room(w, &all);
}

rill_status rill_seams_find(rill_world *w, double dt) {
    if (!has_seams(w)) return RILL_OK;
    finder all = {.world = w, .dx = w->def.spacing, .density = density_of(w), .gravity = vec_of(w->def.gravity)};
    TRY(make_room(w, &all));
    list_touches(&all);
    rill_seam_span_particles(&all);
    memset(all.have_read, 0, (size_t)together_count(fluid_count(w)));
    memset(all.sums, 0, sizeof *all.sums * (size_t)w->bodies.count);
    memset(all.loads, 0, sizeof *all.loads * (size_t)w->bodies.count);
    FOR_ALIVE(w, body, b) {
        finder f = all;
        f.own = &POOL_ITEMS(w, solid)[b->solid];
        f.gap_none = rill_seam_reach(w, b);
        if (all.starts[b->solid] < all.starts[b->solid + 1] && b->pile == 0)
            search(&f); /* bodies of a pile overlap: there is no gap */
    }
    feel_load(&all);
    FOR_ALIVE(w, body, b) follow(&all, b, dt);
    return RILL_OK;
}

rill_status rill_seams_correct(rill_world *w, double dt) {
    if (!has_seams(w)) return RILL_OK;
    finder f = {.world = w};
    TRY(make_room(w, &f)); /* the same memory, as rill_seams_find left it */
    FOR_ALIVE(w, body, b) {
        const load *l = &f.loads[b - POOL_ITEMS(w, body)];
        const double felt = l->felt + collided(w, b, l->normal) / dt;
        const double found = l->open > 0 ? (felt - l->expected) / l->open : 0;
        b->seam_offset += follow_share(w, dt) * (found - b->seam_offset);
    }
    return RILL_OK;
}

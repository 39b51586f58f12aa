/* SPDX-License-Identifier: MIT */
/* Water presses under a body that lies flush on the floor as it does beside it: it creeps into the seam, which is
   thinner than a particle. Particles cannot, so that such a body would lack the lift from below.

   Cells of a body's surface that another solid faces, nearer than a particle and a half, or than two in methods in
   which two layers of particles carry a body, are its seam (seam_cells.c). The head p - rho g.x is read at the rim,
   from particles off the mouth of the gap, where they press as in open water; a rim without particles is dry and has no
   pressure (seam_heads.c). Over the seam the head is harmonic, as that of slow flow in a thin gap: from
   the rim by weights 1/distance^(DIM-1), which is Poisson's formula for a disc in 3D and exact for a strip in 2D. What
   the particles in the gap press already is taken off, and the whole fades out where two layers of them fit.

   A pressure that is read from particles and one that they exert on a wall differ by some hundredths, and lift is a
   small difference of large forces. So the head is corrected by what the body's other faces feel: their particles tell
   by their forces what this body is pressed down with, and the seam carries that, in the same step, and the weight of
   water between them, as Archimedes has it. */
#include "sim/boundary/seam.h"

#include "core/arena.h"
#include "rigid/body.h"
#include "rigid/rigid.h"
#include "rigid/sleep.h"
#include "sim/boundary/seam_parts.h"
#include "sim/method/method.h"

#include <string.h>

/* Speed at which a gap closes so fast that its particles stand up to it, in sqrt(g dx): that of water under a box of
   1.25 times its density and six spacings, from a gap of one. */
#define FILM_SPEED 0.5f

float rill_seam_reach(const rill_world *w, const body *b) {
    const bool deep =
        sim_of(w)->method->deep_seams && seams_may_be_deep(b) && !body_is_jointed(w, (int)(b - POOL_ITEMS(w, body)));
    return deep ? DEEP_SEAM_REACH : SEAM_GAP_NONE;
}

/* ---- forces ---- */

/* Adds a force at a point, as force and torque on a body, to one of its sums. */
static void add_force(const rill_world *w, int body_slot, double *sum, vec x, vec force, double sign) {
    const body *b = &POOL_ITEMS(w, body)[body_slot];
    const dvec f = dvec_scale(dvec_of(vec_out(force)), sign);
    const dvec moment = dvec_cross(dvec_sub(dvec_of(vec_out(x)), dvec_load(b->x)), f);
    dvec_store(sum, dvec_add(dvec_load(sum), f));
    dvec_store(sum + 3, dvec_add(dvec_load(sum + 3), moment));
}

/* On the body and, the other way round, on what faces it. */
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

/* Contacts at an edge are tilted, as the solid ends there: part of their force is the adjacent face's. Where that is
   the seam, it has its pressure already. */
static void take_tilt(const finder *f, vec x, const wall_contact *c, vec touch) {
    const seam_cell *cell = rill_seam_beside(f, touch);
    if (!cell) return;
    vec straight;
    rill_placed_distance(&placed_shapes_of(f->world)[c->solid], x, &straight);
    if (vec_dot(c->normal, cell->normal) < ALIKE || vec_dot(straight, cell->normal) >= ALIKE) return;
    const vec tilted = vec_along(c->force, -vec_dot(c->force, straight), straight);
    take(f, cell->other, touch, vec_scale(cell->normal, vec_dot(tilted, cell->normal) * cell->fade));
}

/* Share of what particles between both sides do that is left to the seam: none of it in methods that drive them out
   themselves, and in parts of machines, which stay on what they catch. Water with an excess pressure of some body's
   weight leaves a gap h of a width L at sqrt(2 p/rho), so that it closes at 2 h/L times that; what closes faster finds
   particles that cannot get out of the way, and would crush them. */
static float left_to_seam(const finder *f, const wall_contact *c, int32_t other, vec touch, float fade) {
    const rill_world *w = f->world;
    if (sim_of(w)->method->clears_seams || body_is_jointed(w, f->own->body - 1)) return 0.0f;
    const vec there = rill_solid_velocity(&POOL_ITEMS(w, solid)[other], touch, c->normal);
    const float closing = vec_dot(vec_sub(c->velocity, there), c->normal);
    const float slow = FILM_SPEED * sqrtf(vec_length(f->gravity) * f->dx);
    return fade * fminf(fmaxf(1.0f - closing / slow, 0.0f), 1.0f);
}

/* What the other side of the gap does to the same particle is the seam's too. */
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

/* Takes off what particles in the gap press already. */
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

/* The load that should press the body towards its seam. */
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

/* The load that does so by pressure and friction, in this step. */
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

/* Whom a contact of fluid belongs to, if it is a body; otherwise -1. */
static int32_t touched(const rill_world *w, const wall_contact *c) {
    return POOL_ITEMS(w, solid)[c->solid].body > 0 ? c->solid : -1;
}

/* Sorts the contacts of fluid by the body that they touch. Bodies without one have no seam that is wet. */
static void list_touches(const finder *f) {
    const rill_world *w = f->world;
    const int32_t *first = sim_of(w)->contacts.first.data;
    const wall_contact *items = sim_of(w)->contacts.items.data;
    const int groups = together_count(fluid_count(w));
    int32_t *starts = f->starts + 1; /* ends of the solids before, until all are listed */
    memset(f->starts, 0, sizeof *f->starts * ((size_t)w->solids.count + 2));
    for (int k = 0; k < first[fluid_count(w)]; k++)
        if (touched(w, &items[k]) >= 0) starts[items[k].solid + 1]++;
    for (int k = 0; k < w->solids.count; k++) starts[k + 1] += starts[k];
    for (int group = 0; group < groups; group++) {
        const int end = together_end(f, group);
        if (first[group * TOGETHER] == first[end]) continue; /* as most of a large fluid */
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

/* Leaves containers out whose walls are too far away from the body. */
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
    if (f->near.count < 2) return; /* itself */
    rill_seam_find_cells(f);
    if (f->seam_count == 0) return;
    rill_seam_find_rims(f);
    if (f->rim_count == 0) return;
    if (!rill_seam_read_rims(f)) return;
    press_cells(f);
    take_off(f);
    expect_load(f);
}

/* Pressures of single steps are noisy: share of the way that the force follows them in a step. It takes the time in
   which a particle falls by half a spacing: what is faster is noise, whatever the size. */
static double follow_share(const rill_world *w, double dt) {
    const double lag = sqrt((double)w->def.spacing / dvec_length(dvec_of(w->def.gravity)));
    return dt / (lag + dt);
}

/* The force for the next step. The load on the other faces goes through the body and the thin water below it at
   once: waves and noise, which are many times what is left of the weight, must not lift the body because the seam is
   late. A face that another body covers feels little, and counts with its area all the same, or a body that is covered
   nearly all over would get any force. The rest, which is the weight of water between both and what the correction may
   not reach, follows slowly. So does what the particles in the gap press in a method that solves for bodies and
   particles together: it feels it a step later, and would tremble. */
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

/* Unless bodies keep off the floor by a margin, so that particles get under them. */
static bool has_seams(const rill_world *w) {
    return w->bodies.living_count > 0 && w->particles.count > 0 && w->body_margin == 0.0f &&
           vec_length(vec_of(w->def.gravity)) > 0.0f;
}

/* Room for the cells and rims of one body after the other, and for the sums of all. */
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
            search(&f); /* in each other: there is no gap */
    }
    feel_load(&all);
    FOR_ALIVE(w, body, b) follow(&all, b, dt);
    return RILL_OK;
}

rill_status rill_seams_correct(rill_world *w, double dt) {
    if (!has_seams(w)) return RILL_OK;
    finder f = {.world = w};
    TRY(make_room(w, &f)); /* the same room, with what rill_seams_find left in it */
    FOR_ALIVE(w, body, b) {
        const load *l = &f.loads[b - POOL_ITEMS(w, body)];
        const double felt = l->felt + collided(w, b, l->normal) / dt;
        const double found = l->open > 0 ? (felt - l->expected) / l->open : 0;
        b->seam_offset += follow_share(w, dt) * (found - b->seam_offset);
    }
    return RILL_OK;
}

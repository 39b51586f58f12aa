/* SPDX-License-Identifier: MIT */
/* Water presses under a body that lies flush on the floor as it does beside it: it creeps into the seam, which is
   thinner than a particle. Particles cannot, so that such a body would lack the lift from below.

   Cells of a body's surface that another solid faces, nearer than a particle and a half, or than two in methods in
   which two layers of particles carry a body, are its seam. The head p - rho
   g.x is read at the rim, from particles off the mouth of the gap, where they press as in open water; a rim without
   particles is dry and has no pressure. Over the seam the head is harmonic, as that of slow flow in a thin gap: from
   the rim by weights 1/distance^(DIM-1), which is Poisson's formula for a disc in 3D and exact for a strip in 2D. What
   the particles in the gap press already is taken off, and the whole fades out where two layers of them fit.

   A pressure that is read from particles and one that they exert on a wall differ by some hundredths, and lift is a
   small difference of large forces. So the head is corrected by what the body's other faces feel: their particles tell
   by their forces what this body is pressed down with, and the seam carries that, in the same step, and the weight of
   water between them, as Archimedes has it. */
#include "sim/boundary/seam.h"

#include "core/arena.h"
#include "core/wide.h"
#include "rigid/body.h"
#include "rigid/rigid.h"
#include "rigid/sleep.h"
#include "sim/boundary/boundary.h"
#include "sim/method/method.h"

#include <string.h>

/* In spacings: from how much less than SEAM_GAP_NONE on a seam fades out; how far off the surface the rim is read, at
   the mouth of the gap pressure is too low; how far from there particles count, and how near one must be for the rim to
   be wet; distance between the cells of a seam and of its rim. */
#define GAP_FADES  0.5f
#define RIM_OFF    2.0f
#define RIM_REACH  5.0f
#define RIM_WET    1.6f
#define RIM_BEYOND 1.0f
/* Cells that a worker looks at at a time, and groups of eight of them that it finds the pressure of; rims are read by
   single groups. */
#define CELL_GRAIN  32
#define GROUP_GRAIN 8
#define SPAN_GRAIN  128
/* Cosine between a normal and that of the seam from which on a face looks the same way. */
#define ALIKE 0.3f
/* The correction is at most this share of the pressure. */
#define OFFSET_MOST 0.25f
/* Speed at which a gap closes so fast that its particles stand up to it, in sqrt(g dx): that of water under a box of
   1.25 times its density and six spacings, from a gap of one. */
#define FILM_SPEED 0.5f

typedef struct seam_cell {
    vec x, normal;
    float area;
    float fade;    /* 1 for a thin seam, 0: none */
    int32_t other; /* solid that faces it; -1: open */
    bool near;     /* some solid is near enough that this may be a rim */
    bool is_rim;
    float pressure; /* in a seam, or expected on the other side of the body [Pa] */
} seam_cell;

/* What rims read of a particle. */
typedef struct reading {
    vec x;
    float head;       /* [Pa] */
    bool first_layer; /* along a wall */
} reading;

/* Particles one after the other, which lie near each other as they are sorted, or cells of a seam, which do as faces
   are cut into rows of them: looked at or skipped together. */
#define TOGETHER 16
typedef struct span_box {
    vec low, high;
} span_box;

typedef struct rim {
    vec x;
    float head; /* [Pa] */
    bool wet;
} rim;

/* The load that presses a body towards its seam, on all faces that do not look the same way: by the heads at the rims,
   where such a face is open, and by the particles. */
typedef struct load {
    vec normal;    /* of the seam; zero: there is none */
    double across; /* area of those faces, seen along the normal [m^(DIM-1)] */
    double open;   /* the open part of it */
    double expected, felt;
} load;

/* Forces and torques on a body. */
typedef struct seam_sums {
    double area;
    double unit[6];    /* of a pressure of one pascal in the whole seam */
    double pressed[6]; /* of the pressure that was found */
    double taken[6];   /* what particles in it press already, to be taken off */
} seam_sums;

/* A contact of a particle with a body. */
typedef struct touch {
    int32_t particle, contact;
} touch;

typedef struct finder {
    rill_world *world;
    const solid *own;
    near_solids near;
    float dx, density;
    float gap_none; /* at which it has no seam, in spacings */
    vec gravity;
    seam_cell *cells;
    int cell_count, seam_count;
    rim *rims;
    int rim_count;
    span_box rim_box;   /* around them */
    reading *readings;  /* of all particles, as far as some body asked for them */
    uint8_t *have_read; /* for each TOGETHER of them: whether one did */
    span_box *boxes;    /* around each TOGETHER of them */
    int32_t *around;    /* those TOGETHER that are near the rims, around_count */
    int around_count;
    int32_t *seams;       /* those cells that are seam, seam_count */
    span_box *seam_boxes; /* around each TOGETHER of them */
    span_box seam_box;    /* around all */
    touch *touches;       /* contacts of fluid with bodies, in the order of these */
    int32_t *starts;      /* the first one of each solid, and behind the last */
    seam_sums *sums;      /* of each body */
    load *loads;
} finder;

float rill_seam_reach(const rill_world *w, const body *b) {
    const bool deep =
        sim_of(w)->method->deep_seams && seams_may_be_deep(b) && !body_is_jointed(w, (int)(b - POOL_ITEMS(w, body)));
    return deep ? DEEP_SEAM_REACH : SEAM_GAP_NONE;
}

static int groups_of(int count) {
    return (count + WIDE - 1) / WIDE;
}

static int together_count(int count) {
    return (count + TOGETHER - 1) / TOGETHER;
}

/* ---- boxes ---- */

/* Makes a box around a point, or extends it. */
static void span(span_box *box, bool first, vec x) {
    if (first) *box = (span_box){x, x};
    box->low = vec_min(box->low, x), box->high = vec_max(box->high, x);
}

static bool in_reach(const span_box *a, const span_box *b, float reach) {
    bool in = true; /* without branches, which nothing could foresee */
    for (int axis = 0; axis < DIM; axis++) {
        in &= vec_get(a->high, axis) > vec_get(b->low, axis) - reach;
        in &= vec_get(a->low, axis) < vec_get(b->high, axis) + reach;
    }
    return in;
}

/* ---- cells ---- */

/* Farther than this, by more than rounding, a solid makes neither a seam nor a rim. */
static float solid_reach(const finder *f) {
    return 1.001f * (f->gap_none + RIM_BEYOND) * f->dx;
}

/* The solid that faces a point of the surface, and how much of a seam that makes. */
static int32_t facing_solid(const finder *f, vec x, vec normal, float *fade, bool *near) {
    const rill_world *w = f->world;
    const int32_t own = (int32_t)(f->own - POOL_ITEMS(w, solid));
    float least = f->gap_none * f->dx;
    int32_t best = -1;
    *near = false;
    for (int n = 0; n < f->near.count; n++) {
        const int32_t k = f->near.slots[n];
        const placed_shape *shape = &placed_shapes_of(w)[k];
        if (k == own || placed_is_clear(shape, x, solid_reach(f))) continue;
        vec out;
        const float d = rill_placed_distance(shape, x, &out);
        *near |= d < (f->gap_none + RIM_BEYOND) * f->dx;
        if (d < least && vec_dot(out, normal) < SEAM_FACING) least = d, best = k;
    }
    *fade = best < 0 ? 0.0f : fminf((f->gap_none - least / f->dx) / GAP_FADES, 1.0f);
    return best;
}

/* Of two bodies that face each other the first has the seam. */
static bool is_owner(const finder *f, int32_t other) {
    const rill_world *w = f->world;
    const int32_t a = f->own->body - 1, b = POOL_ITEMS(w, solid)[other].body - 1;
    const bool moves = POOL_ITEMS(w, body)[a].inverse_mass > 0;
    if (b < 0 || POOL_ITEMS(w, body)[b].inverse_mass == 0) return moves;
    return !moves || a < b;
}

static void add_cells(finder *f, const placed_shape *whole, const placed_shape *part) {
    const face_set *faces = &part->shared->faces;
    for (int k = 0; k < faces->count; k++) {
        seam_cell *c = &f->cells[f->cell_count];
        vec x = {0}, n = {0};
        memcpy(&x, faces->cells[k].x, sizeof x);
        memcpy(&n, faces->cells[k].normal, sizeof n);
        *c = (seam_cell){
            .x = rill_placed_to_world(part, x), .normal = rill_placed_turned(part, n), .area = faces->cells[k].area};
        /* Inside another part of the body. */
        if (whole != part && rill_placed_distance(whole, c->x, NULL) < -0.1f * f->dx) continue;
        f->cell_count++;
    }
}

static void face_cells(int begin, int end, void *context) {
    const finder *f = context;
    for (seam_cell *c = f->cells + begin; c < f->cells + end; c++) {
        c->other = facing_solid(f, c->x, c->normal, &c->fade, &c->near);
        if (c->other >= 0 && !is_owner(f, c->other)) c->fade = 0.0f;
    }
}

static int count_cells(const placed_shape *f) {
    if (f->kind != RILL_COMPOUND) return f->shared->faces.count;
    int count = 0;
    for (int k = 0; k < f->part_count; k++) count += f->parts[k].shared->faces.count;
    return count;
}

static void add_seam(finder *f, int cell) {
    const int k = f->seam_count++;
    f->seams[k] = cell;
    span(&f->seam_boxes[k / TOGETHER], k % TOGETHER == 0, f->cells[cell].x);
    span(&f->seam_box, k == 0, f->cells[cell].x);
}

static void find_cells(finder *f) {
    const placed_shape *shape = &placed_shapes_of(f->world)[f->own - POOL_ITEMS(f->world, solid)];
    if (shape->kind != RILL_COMPOUND) add_cells(f, shape, shape);
    for (int k = 0; shape->kind == RILL_COMPOUND && k < shape->part_count; k++) add_cells(f, shape, &shape->parts[k]);
    rill_parallel_for(f->world->workers, f->cell_count, CELL_GRAIN, face_cells, f);
    for (int k = 0; k < f->cell_count; k++)
        if (f->cells[k].other >= 0 && f->cells[k].fade > 0.0f) add_seam(f, k);
}

/* ---- rims ---- */

/* The first of these cells of the seam that is near; NULL: there is none. */
static const seam_cell *seam_among(const finder *f, int begin, int end, vec x) {
    const float beyond = RIM_BEYOND * f->dx;
    for (int k = begin; k < end; k++) {
        const seam_cell *c = &f->cells[f->seams[k]];
        const vec d = vec_sub(c->x, x);
        if (vec_dot(d, d) < beyond * beyond) return c;
    }
    return NULL;
}

static const seam_cell *seam_beside(const finder *f, vec x) {
    const float reach = 1.001f * RIM_BEYOND * f->dx; /* rounding leaves no cell out */
    const span_box here = {x, x};
    const seam_cell *found = NULL;
    if (!in_reach(&here, &f->seam_box, reach)) return NULL;
    for (int k = 0; k < f->seam_count && !found; k += TOGETHER)
        if (in_reach(&here, &f->seam_boxes[k / TOGETHER], reach))
            found = seam_among(f, k, f->seam_count - k < TOGETHER ? f->seam_count : k + TOGETHER, x);
    return found;
}

static void mark_rims(int begin, int end, void *context) {
    const finder *f = context;
    for (seam_cell *c = f->cells + begin; c < f->cells + end; c++)
        c->is_rim = c->other < 0 && c->near && seam_beside(f, c->x);
}

static void find_rims(finder *f) {
    rill_parallel_for(f->world->workers, f->cell_count, CELL_GRAIN, mark_rims, f);
    for (const seam_cell *c = f->cells; c < f->cells + f->cell_count; c++)
        if (c->is_rim) f->rims[f->rim_count++].x = vec_along(c->x, RIM_OFF * f->dx, c->normal);
}

/* The first layer along a wall presses unevenly, up to a tenth too hard in a corner. */
static bool in_first_layer(const finder *f, int i) {
    int count;
    const wall_contact *c = contacts_of(&sim_of(f->world)->contacts, i, &count);
    for (int k = 0; k < count; k++)
        if (c[k].distance < f->dx) return true;
    return false;
}

static void span_particles(int begin, int end, void *context) {
    const finder *f = context;
    const int count = fluid_count(f->world);
    for (int k = begin; k < end; k++)
        for (int i = k * TOGETHER; i < (k + 1) * TOGETHER && i < count; i++)
            span(&f->boxes[k], i == k * TOGETHER, places_of(f->world)[i].x);
}

/* Particles that are read together end here. */
static int together_end(const finder *f, int group) {
    const int count = fluid_count(f->world), end = (group + 1) * TOGETHER;
    return end < count ? end : count;
}

static void read_particles(const finder *f, int group) {
    for (int i = group * TOGETHER; i < together_end(f, group); i++) {
        const vec x = places_of(f->world)[i].x;
        f->readings[i] = (reading){.x = x,
                                   .head = pressures_of(f->world)[i] - f->density * vec_dot(f->gravity, x),
                                   .first_layer = in_first_layer(f, i)};
    }
    f->have_read[group] = 1;
}

/* Particles near the rims. Bodies of a heap have many of them in common, which are read once. */
static void find_around(finder *f) {
    const int groups = together_count(fluid_count(f->world));
    f->rim_box = (span_box){f->rims[0].x, f->rims[0].x};
    for (int k = 1; k < f->rim_count; k++) span(&f->rim_box, false, f->rims[k].x);
    for (int k = 0; k < groups; k++) {
        if (!in_reach(&f->boxes[k], &f->rim_box, RIM_REACH * f->dx)) continue;
        if (!f->have_read[k]) read_particles(f, k);
        f->around[f->around_count++] = k;
    }
}

/* Coordinates of eight points. */
typedef struct wide_points {
    wide x[DIM];
} wide_points;

/* Of these coordinates, axis by axis. */
WIDE_FN wide_points load_points(float lanes[DIM][WIDE]) {
    wide_points points;
    for (int axis = 0; axis < DIM; axis++) points.x[axis] = wide_load(lanes[axis]);
    return points;
}

WIDE_FN wide squares_to(const wide_points *points, vec x) {
    wide sum = wide_zero();
    for (int axis = 0; axis < DIM; axis++) {
        const wide d = points->x[axis] - vec_get(x, axis);
        sum = axis == 0 ? d * d : sum + d * d;
    }
    return sum;
}

/* Sums for particles off the walls and in their first layer, at eight rims. */
typedef struct rim_sums {
    wide weights[2], heads[2], nearest;
} rim_sums;

/* `near` is the box around these rims. */
WIDE_FN void add_readings(const finder *f, const wide_points *rims, const span_box *near, int group, rim_sums *s) {
    const float reach = RIM_REACH * f->dx, beyond = 1.001f * reach; /* rounding leaves no particle out */
    if (!in_reach(&f->boxes[group], near, beyond)) return;
    for (int i = group * TOGETHER; i < together_end(f, group); i++) {
        const reading *a = &f->readings[i];
        if (!in_reach(&(span_box){a->x, a->x}, near, beyond)) continue;
        const wide r2 = squares_to(rims, a->x), distance = wide_sqrt(r2), rest = 1.0f - distance / reach;
        const wide share = wide_select(r2 < reach * reach, rest * rest, wide_zero());
        s->nearest = wide_min(s->nearest, distance);
        s->weights[a->first_layer] += share;
        s->heads[a->first_layer] += share * a->head;
    }
}

/* Eight rims, or fewer, from particles off the walls, if there are any. */
static void read_group(const finder *f, rim *first, int count) {
    span_box all = {first->x, first->x};
    float lanes[DIM][WIDE];
    for (int k = 0; k < WIDE; k++) {
        const vec x = first[k < count ? k : 0].x;
        span(&all, false, x);
        for (int axis = 0; axis < DIM; axis++) lanes[axis][k] = vec_get(x, axis);
    }
    const wide_points points = load_points(lanes);
    rim_sums s = {.nearest = wide_set(RIM_REACH * f->dx)};
    for (int n = 0; n < f->around_count; n++) add_readings(f, &points, &all, f->around[n], &s);
    for (int k = 0; k < count; k++) {
        rim *r = &first[k];
        r->wet = s.nearest[k] < RIM_WET * f->dx;
        const int layer = !(s.weights[0][k] > 0.0f);
        r->head = r->wet ? s.heads[layer][k] / s.weights[layer][k] : -f->density * vec_dot(f->gravity, r->x);
    }
}

static void read_rims(int begin, int end, void *context) {
    const finder *f = context;
    for (int k = begin; k < end; k++) {
        const int left = f->rim_count - k * WIDE;
        read_group(f, &f->rims[k * WIDE], left < WIDE ? left : WIDE);
    }
}

/* Heads at eight points of the surface or fewer: harmonic between the rims, as they were read and, if `offset` is not
   NULL, with the wet ones corrected by it. */
typedef struct wide_heads {
    wide read, corrected;
} wide_heads;

WIDE_FN wide_heads heads_at(const finder *f, seam_cell *const *cells, int count, const float *offset) {
    float lanes[DIM][WIDE];
    for (int k = 0; k < WIDE; k++)
        for (int axis = 0; axis < DIM; axis++) lanes[axis][k] = vec_get(cells[k < count ? k : 0]->x, axis);
    const wide_points points = load_points(lanes);
    wide weights = wide_zero();
    wide_heads sums = {wide_zero(), wide_zero()};
    for (const rim *r = f->rims; r < f->rims + f->rim_count; r++) {
        const wide r2 = squares_to(&points, r->x), share = 1.0f / (DIM == 2 ? wide_sqrt(r2) : r2);
        weights += share;
        sums.read += share * r->head;
        if (offset) sums.corrected += share * (r->head + (r->wet ? *offset : 0.0f));
    }
    return (wide_heads){sums.read / weights, sums.corrected / weights};
}

static float pressure_of(const finder *f, float head, vec x) {
    return fmaxf(head + f->density * vec_dot(f->gravity, x), 0.0f);
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

static void correct_pressures(int begin, int end, void *context) {
    const finder *f = context;
    const float offset = (float)POOL_ITEMS(f->world, body)[f->own->body - 1].seam_offset;
    for (int group = begin; group < end; group++) {
        seam_cell *cells[WIDE] = {NULL};
        int count = 0;
        for (int k = group * WIDE; k < f->seam_count && count < WIDE; k++) cells[count++] = &f->cells[f->seams[k]];
        const wide_heads heads = heads_at(f, cells, count, &offset);
        for (int k = 0; k < count; k++) {
            const float read = pressure_of(f, heads.read[k], cells[k]->x);
            const float corrected = pressure_of(f, heads.corrected[k], cells[k]->x);
            cells[k]->pressure = fminf(fmaxf(corrected, (1.0f - OFFSET_MOST) * read), (1.0f + OFFSET_MOST) * read);
        }
    }
}

static void press_cells(finder *f) {
    rill_parallel_for(f->world->workers, groups_of(f->seam_count), GROUP_GRAIN, correct_pressures, f);
    for (int k = 0; k < f->seam_count; k++) {
        const seam_cell *c = &f->cells[f->seams[k]];
        press(f, c->other, c->x, c->pressure, vec_scale(c->normal, -c->area * c->fade));
    }
}

/* Contacts at an edge are tilted, as the solid ends there: part of their force is the adjacent face's. Where that is
   the seam, it has its pressure already. */
static void take_tilt(const finder *f, vec x, const wall_contact *c, vec touch) {
    const seam_cell *cell = seam_beside(f, touch);
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
    const int32_t other = facing_solid(f, touch, c->normal, &fade, &near);
    if (other < 0) take_tilt(f, x, c, touch);
    if (other < 0 || !is_owner(f, other)) return;
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

/* Whether a cell is open and does not look the way the seam does. */
static bool is_beside(const seam_cell *c, const load *l) {
    return c->other < 0 && vec_dot(c->normal, l->normal) < ALIKE;
}

static void expect_some(const finder *f, seam_cell **cells, int count) {
    const wide_heads heads = heads_at(f, cells, count, NULL);
    for (int k = 0; k < count; k++) cells[k]->pressure = pressure_of(f, heads.read[k], cells[k]->x);
}

static void expect_pressures(int begin, int end, void *context) {
    const finder *f = context;
    const load *l = &f->loads[f->own->body - 1];
    seam_cell *cells[WIDE];
    int count = 0;
    for (seam_cell *c = f->cells + begin; c < f->cells + end; c++) {
        if (is_beside(c, l)) cells[count++] = c;
        if (count == WIDE) expect_some(f, cells, count), count = 0;
    }
    if (count > 0) expect_some(f, cells, count);
}

/* The load that should press the body towards its seam. */
static void expect_load(finder *f) {
    load *l = &f->loads[f->own->body - 1];
    vec sum = {0};
    for (int k = 0; k < f->cell_count; k++)
        if (f->cells[k].other >= 0) sum = vec_along(sum, f->cells[k].fade * f->cells[k].area, f->cells[k].normal);
    const float length = vec_length(sum);
    if (!(length > 0.0f)) return;
    l->normal = vec_scale(sum, 1.0f / length);
    rill_parallel_for(f->world->workers, f->cell_count, CELL_GRAIN, expect_pressures, f);
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

static bool any_wet(const finder *f) {
    for (int k = 0; k < f->rim_count; k++)
        if (f->rims[k].wet) return true;
    return false;
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
    find_cells(f);
    if (f->seam_count == 0) return;
    find_rims(f);
    if (f->rim_count == 0) return;
    find_around(f);
    rill_parallel_for(f->world->workers, groups_of(f->rim_count), 1, read_rims, f);
    if (!any_wet(f)) return;
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
        const int count = count_cells(&placed_shapes_of(w)[b->solid]);
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
    const int groups = together_count(fluid_count(w));
    rill_parallel_for(w->workers, groups, SPAN_GRAIN, span_particles, &all);
    memset(all.have_read, 0, (size_t)groups);
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

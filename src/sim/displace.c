/* SPDX-License-Identifier: MIT */
/* Fluid in the place of a solid that is added: it is removed, or it makes way.

   Fluid that makes way goes where the level would rise to: on top of the fluid around the solid. Pushing particles out
   along the solid's normals would instead compress the surroundings, and the fluid would have to carry that shock to
   its surface.

   Places are points of a lattice of one spacing that passes through the first displaced particle. From the displaced
   particles a flood runs from lattice point to neighbouring point, through the fluid and, near them, through the solid.
   A free point that it meets is a place if it rests on fluid or on a solid. Lower places are taken first, within a
   layer the nearest first. A place that was taken counts as fluid to the flood, which so climbs on. The order of places
   is total, and one thread does all of it: the result depends on the state alone. A place on fluid is moved to one
   spacing above that fluid: any nearer would squeeze it, and stiff methods would throw it up.

   Particles that were outside the solid and only too near to it move beside it where there is room, otherwise on
   top. */
#include "sim/displace.h"

#include "core/trig.h"
#include "rigid/rigid.h"
#include "sim/boundary/boundary.h"
#include "sim/fill.h"
#include "sim/gauge.h"

#include <string.h>

/* A point is free if no particle is nearer than this many spacings. */
#define FREE_DISTANCE 0.9f
/* No place is nearer to a wall than this share of the distance that particles keep. */
#define WALL_SHARE 0.8f
/* A place beside the solid is crowded by the particles nearer than CROWD_REACH spacings: each adds its distance below
   that, in spacings. The sum is at most CROWD_MAX, below the 0.6 in 2D and 1 in 3D of a lattice at a wall, since more
   particles follow beside it. None is nearer than BESIDE_DISTANCE spacings. A place is moved away from its nearest
   particle at most BESIDE_ROUNDS times. */
#define CROWD_REACH     1.2f
#define CROWD_MAX       (DIM == 2 ? 0.35f : 0.9f)
#define BESIDE_DISTANCE 0.85f
#define BESIDE_ROUNDS   8
/* The flood first reaches as far as one layer of all displaced particles would, then twice as far each time that it
   finds too few places. */
#define WIDENINGS 6
/* Inside the solid, which may be unbounded, it reaches as far as a block of all displaced particles is wide, plus this
   many spacings. */
#define SOLID_MARGIN 4.0f

/* ---- particles in the way of the solid ---- */

typedef struct clear_job {
    const rill_world *world;
    int32_t slot; /* of the solid */
    placed_shape shape;
    uint8_t *keep;
} clear_job;

static float narrow_distance(const rill_world *w) {
    return fmaxf(fill_least_distance(w), WALL_SHARE * w->wall_distance);
}

/* Whether the world has taken a step. Before the first one fluid lies on a lattice, and displaced fluid is put on
   lattice points too. */
static bool has_begun(const rill_world *w) {
    return w->stats.step > 0;
}

/* Particles nearer to the solid than this are displaced. In a world that has begun it is the distance of places:
   particles left nearer would be squeezed, and stiff methods would turn that into motion. */
static float clear_distance(const rill_world *w) {
    return has_begun(w) ? narrow_distance(w) : fill_least_distance(w);
}

static void clear_block(int begin, int end, void *context) {
    const clear_job *job = context;
    const rill_world *w = job->world;
    const float least = clear_distance(w);
    const place *places = places_of(w);
    for (int i = begin; i < end; i++)
        job->keep[i] =
            (uint8_t)(placed_is_clear(&job->shape, places[i].x, fill_search_reach(w)) || !is_fluid(w, i) ||
                      !collides(w, i, job->slot) || !(rill_placed_distance(&job->shape, places[i].x, NULL) < least));
}

/* What happens to a particle: it stays, or it is displaced, to a place on top or to one beside the solid. Places are in
   the order of the displaced particles. */
enum { MAKES_WAY, STAYS, GOES_BESIDE };

/* ---- the flood ---- */

/* A point of the lattice, by its index along each axis. */
typedef struct cell {
    int32_t at[DIM];
} cell;

/* A free place. The first in the order of comes_first is taken. */
typedef struct candidate {
    int32_t height; /* layer of the lattice, against gravity */
    float distance; /* squared, to the middle of the displaced particles [m^2] */
    cell cell;
} candidate;

typedef struct flood {
    const rill_world *world;
    int32_t own_slot; /* of the solid that was added */
    vec origin;       /* of the lattice */
    float dx;
    int up_axis, up;           /* axis and sign of the direction against gravity; up is 0 without gravity */
    vec middle;                /* of the displaced particles */
    vec low, high;             /* bounds of the flood */
    vec solid_low, solid_high; /* bounds of the flood within the solid */
    bool cut_off;              /* the flood met low or high */
    /* Particles that stay, and places that were taken, in chains by the hash of their nearest lattice point. */
    buffer points, next, heads;
    int point_count;
    uint32_t head_mask;
    buffer seen; /* seen_entry, a hash table: lattice points that need not be visited again */
    int seen_count;
    buffer stack; /* cell: points from which the flood goes on */
    int stack_count;
    buffer heap; /* candidate */
    int heap_count;
    bool no_memory;
} flood;

typedef struct seen_entry {
    cell cell;
    bool used;
} seen_entry;

static void flood_free(flood *f, memory *m) {
    buffer *all[] = {&f->points, &f->next, &f->heads, &f->seen, &f->stack, &f->heap};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) rill_buffer_free(m, all[k]);
}

static vec point_of(const flood *f, cell c) {
    vec p = f->origin;
    for (int axis = 0; axis < DIM; axis++) (&p.x)[axis] += (float)c.at[axis] * f->dx;
    return p;
}

static cell cell_of(const flood *f, vec x) {
    cell c;
    for (int axis = 0; axis < DIM; axis++)
        c.at[axis] = (int32_t)floorf((vec_get(x, axis) - vec_get(f->origin, axis)) / f->dx + 0.5f);
    return c;
}

static cell cell_beside(cell c, int axis, int step) {
    c.at[axis] += step;
    return c;
}

static uint32_t cell_hash(cell c) {
    uint64_t key = 0;
    for (int axis = 0; axis < DIM; axis++) key = (key ^ (uint32_t)c.at[axis]) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(key >> 32);
}

static bool same_cell(cell a, cell b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

/* ---- particles near a point ---- */

static bool add_point(flood *f, memory *m, vec x) {
    const size_t n = (size_t)f->point_count;
    if (!rill_buffer_grow(m, &f->points, sizeof(vec) * (n + 1), sizeof(vec) * n) ||
        !rill_buffer_grow(m, &f->next, sizeof(int32_t) * (n + 1), sizeof(int32_t) * n))
        return false;
    int32_t *head = (int32_t *)f->heads.data + (cell_hash(cell_of(f, x)) & f->head_mask);
    ((vec *)f->points.data)[n] = x;
    ((int32_t *)f->next.data)[n] = *head;
    *head = f->point_count++;
    return true;
}

/* Adds the particle and its images in or near the box of a periodic world. */
static bool add_particle(flood *f, memory *m, vec x) {
    const rill_world *w = f->world;
    const vec period = vec_of(w->def.periodic);
    if (vec_dot(period, period) == 0.0f) return add_point(f, m, x);
    bool added = true;
    for (int image = 0; image < (DIM == 2 ? 9 : 27); image++) {
        vec at = x;
        bool there = true, near = true;
        for (int axis = 0, rest = image; axis < DIM; axis++, rest /= 3) {
            const float length = vec_get(period, axis), low = vec_get(vec_of(w->def.periodic_origin), axis);
            if (rest % 3 != 0) there = there && length > 0.0f;
            (&at.x)[axis] += (rest % 3 == 0 ? 0.0f : rest % 3 == 1 ? length : -length);
            if (rest % 3 != 0)
                near = near && vec_get(at, axis) > low - 2 * f->dx && vec_get(at, axis) < low + length + 2 * f->dx;
        }
        if (there && near) added = added && add_point(f, m, at);
    }
    return added;
}

/* The first particle in the chain of the k-th of the cells around c, or -1. */
static int32_t first_near(const flood *f, cell c, int k) {
    for (int axis = 0, rest = k; axis < DIM; axis++, rest /= 3) c.at[axis] += rest % 3 - 1;
    return ((const int32_t *)f->heads.data)[cell_hash(c) & f->head_mask];
}

/* The particle nearest to x, if one is nearer than `reach`, which is at most a spacing. */
static bool find_nearest(const flood *f, vec x, float reach, vec *nearest) {
    const vec *points = f->points.data;
    const int32_t *next = f->next.data;
    const cell c = cell_of(f, x);
    float least = reach * reach;
    bool found = false;
    for (int k = 0; k < (DIM == 2 ? 9 : 27); k++)
        for (int32_t n = first_near(f, c, k); n >= 0; n = next[n]) {
            const vec d = vec_sub(points[n], x);
            if (!(vec_dot(d, d) < least)) continue;
            least = vec_dot(d, d), *nearest = points[n];
            found = true;
        }
    return found;
}

static bool is_crowded(const flood *f, vec x, float reach) {
    vec nearest;
    return find_nearest(f, x, reach, &nearest);
}

static float crowd_at(const flood *f, vec x) {
    const vec *points = f->points.data;
    const int32_t *next = f->next.data;
    float sum = 0.0f;
    for (int k = 0; k < (DIM == 2 ? 9 : 27); k++)
        for (int32_t n = first_near(f, cell_of(f, x), k); n >= 0; n = next[n])
            sum += fmaxf(CROWD_REACH - vec_length(vec_sub(points[n], x)) / f->dx, 0.0f);
    return sum;
}

static bool cell_is_fluid(const flood *f, cell c) {
    return is_crowded(f, point_of(f, c), FREE_DISTANCE * f->dx);
}

/* ---- kinds of points ---- */

typedef enum point_kind {
    POINT_FREE,
    POINT_OWN,     /* in the added solid */
    POINT_NARROW,  /* too near to a wall for a particle */
    POINT_BLOCKED, /* in another solid, or outside a periodic box */
} point_kind;

static point_kind kind_of(const flood *f, vec x) {
    const rill_world *w = f->world;
    near_solids near;
    point_kind kind = POINT_FREE;
    const float narrow = narrow_distance(w);
    for (int axis = 0; axis < DIM; axis++) {
        const float length = vec_get(vec_of(w->def.periodic), axis);
        const float offset = vec_get(x, axis) - vec_get(vec_of(w->def.periodic_origin), axis);
        if (length > 0.0f && (offset < 0.0f || offset >= length)) return POINT_BLOCKED;
    }
    solids_near_box(w, x, x, fill_search_reach(w), &near);
    for (int n = 0; n < near.count; n++) {
        const float distance = rill_placed_distance(&placed_shapes_of(w)[near.slots[n]], x, NULL);
        const bool own = near.slots[n] == f->own_slot;
        if (distance < fill_least_distance(w) && !own) return POINT_BLOCKED;
        if (distance < fill_least_distance(w))
            kind = POINT_OWN;
        else if (distance < narrow && kind == POINT_FREE)
            kind = POINT_NARROW;
    }
    return kind;
}

/* Whether fluid or a solid lies below the point, or there is no gravity. */
static bool is_supported(const flood *f, cell c) {
    if (f->up == 0) return true;
    const cell below = cell_beside(c, f->up_axis, -f->up);
    return cell_is_fluid(f, below) || kind_of(f, point_of(f, below)) != POINT_FREE;
}

/* ---- lists ---- */

/* The entry of a cell, or the unused entry where it belongs. */
static seen_entry *seen_at(const flood *f, cell c) {
    seen_entry *entries = f->seen.data;
    const uint32_t mask = (uint32_t)(f->seen.size / sizeof *entries) - 1;
    uint32_t k = cell_hash(c) & mask;
    while (entries[k].used && !same_cell(entries[k].cell, c)) k = (k + 1) & mask;
    return &entries[k];
}

static bool make_seen(flood *f, memory *m, size_t entries) {
    buffer old = f->seen;
    f->seen = (buffer){0};
    if (!rill_buffer_reserve(m, &f->seen, sizeof(seen_entry) * entries, 0)) {
        f->seen = old;
        return false;
    }
    memset(f->seen.data, 0, f->seen.size);
    const seen_entry *items = old.data;
    for (size_t k = 0; k < old.size / sizeof *items; k++)
        if (items[k].used) *seen_at(f, items[k].cell) = items[k];
    rill_buffer_free(m, &old);
    return true;
}

/* Marks a cell as seen. False if there is no memory. */
static bool mark_seen(flood *f, memory *m, cell c) {
    const size_t entries = f->seen.size / sizeof(seen_entry);
    if (2 * (size_t)(f->seen_count + 1) > entries && !make_seen(f, m, 2 * entries)) return false;
    *seen_at(f, c) = (seen_entry){c, true};
    f->seen_count++;
    return true;
}

static bool push_cell(flood *f, memory *m, cell c) {
    const size_t n = (size_t)f->stack_count;
    if (!rill_buffer_grow(m, &f->stack, sizeof(cell) * (n + 1), sizeof(cell) * n)) return false;
    ((cell *)f->stack.data)[f->stack_count++] = c;
    return true;
}

static bool comes_first(const candidate *a, const candidate *b) {
    if (a->height != b->height) return a->height < b->height;
    if (a->distance != b->distance) return a->distance < b->distance;
    for (int axis = 0; axis < DIM; axis++)
        if (a->cell.at[axis] != b->cell.at[axis]) return a->cell.at[axis] < b->cell.at[axis];
    return false;
}

static bool push_candidate(flood *f, memory *m, cell c) {
    const size_t n = (size_t)f->heap_count;
    if (!rill_buffer_grow(m, &f->heap, sizeof(candidate) * (n + 1), sizeof(candidate) * n)) return false;
    const vec d = vec_sub(point_of(f, c), f->middle);
    const candidate item = {f->up * c.at[f->up_axis], vec_dot(d, d), c};
    candidate *heap = f->heap.data;
    int k = f->heap_count++;
    for (; k > 0 && comes_first(&item, &heap[(k - 1) / 2]); k = (k - 1) / 2) heap[k] = heap[(k - 1) / 2];
    heap[k] = item;
    return true;
}

static cell pop_candidate(flood *f) {
    candidate *heap = f->heap.data;
    const cell first = heap[0].cell;
    const candidate item = heap[--f->heap_count];
    int k = 0;
    for (int child; (child = 2 * k + 1) < f->heap_count; k = child) {
        if (child + 1 < f->heap_count && comes_first(&heap[child + 1], &heap[child])) child++;
        if (!comes_first(&heap[child], &item)) break;
        heap[k] = heap[child];
    }
    heap[k] = item;
    return first;
}

/* ---- flooding ---- */

static bool is_within(vec low, vec high, vec x) {
    for (int axis = 0; axis < DIM; axis++)
        if (vec_get(x, axis) < vec_get(low, axis) || vec_get(x, axis) > vec_get(high, axis)) return false;
    return true;
}

/* Visits a point from a neighbouring one that the flood has reached. False if there is no memory. */
static bool visit(flood *f, memory *m, cell from, cell c) {
    if (seen_at(f, c)->used) return true;
    const vec x = point_of(f, c);
    if (!is_within(f->low, f->high, x)) {
        f->cut_off = true;
        return true;
    }
    /* A wall between the two points may be thinner than the spacing. */
    if (kind_of(f, vec_scale(vec_add(x, point_of(f, from)), 0.5f)) == POINT_BLOCKED) return true;
    const point_kind kind = kind_of(f, x);
    if (kind == POINT_BLOCKED || (kind == POINT_OWN && !is_within(f->solid_low, f->solid_high, x)))
        return mark_seen(f, m, c);
    if (kind == POINT_OWN || cell_is_fluid(f, c)) return mark_seen(f, m, c) && push_cell(f, m, c);
    if (kind == POINT_NARROW) return mark_seen(f, m, c);
    if (!is_supported(f, c)) return true; /* it is visited again once something lies below */
    return mark_seen(f, m, c) && push_candidate(f, m, c);
}

/* How far below a point the fluid lies that carries it; false if there is none within two spacings. */
static bool find_floor(const flood *f, cell c, float *depth) {
    const vec x = point_of(f, c), *points = f->points.data;
    const int32_t *next = f->next.data;
    const cell below = cell_beside(c, f->up_axis, -f->up);
    bool found = false;
    *depth = 2.0f * f->dx;
    for (int k = 0; k < (DIM == 2 ? 9 : 27); k++)
        for (int32_t n = first_near(f, below, k); n >= 0; n = next[n]) {
            const vec d = vec_sub(points[n], x);
            const float down = -(float)f->up * vec_get(d, f->up_axis), aside2 = vec_dot(d, d) - down * down;
            /* Particles about a spacing aside belong to neighbouring columns. */
            if (!(down > 0.0f && down < *depth && aside2 < 0.98f * f->dx * f->dx)) continue;
            *depth = down;
            found = true;
        }
    return found;
}

/* The place for a lattice point: one spacing above the fluid that carries it, if that is free. */
static vec place_at(const flood *f, cell c) {
    const vec lattice = point_of(f, c);
    float depth;
    if (f->up == 0 || !has_begun(f->world) || !find_floor(f, c, &depth)) return lattice;
    vec x = lattice;
    (&x.x)[f->up_axis] += (float)f->up * (f->dx - depth);
    return kind_of(f, x) == POINT_FREE && !is_crowded(f, x, FREE_DISTANCE * f->dx) ? x : lattice;
}

/* The next place; false if there is none, or no memory. */
static bool next_place(flood *f, memory *m, vec *place_found) {
    while (f->stack_count > 0) {
        const cell c = ((const cell *)f->stack.data)[--f->stack_count];
        for (int side = 0; side < 2 * DIM && !f->no_memory; side++)
            f->no_memory = !visit(f, m, c, cell_beside(c, side / 2, side % 2 ? 1 : -1));
        if (f->no_memory) return false;
    }
    if (f->heap_count == 0) return false;
    const cell c = pop_candidate(f);
    *place_found = place_at(f, c);
    f->no_memory = !add_particle(f, m, *place_found) || !push_cell(f, m, c);
    return !f->no_memory;
}

/* ---- fluid that makes way ---- */

/* Takes the axis along which gravity is strongest as the vertical one. */
static void find_up(flood *f) {
    const vec g = vec_of(f->world->def.gravity);
    for (int axis = 1; axis < DIM; axis++)
        if (fabsf(vec_get(g, axis)) > fabsf(vec_get(g, f->up_axis))) f->up_axis = axis;
    const float along = vec_get(g, f->up_axis);
    f->up = along < 0.0f ? 1 : along > 0.0f ? -1 : 0;
}

/* Finds the middle of the displaced particles and the box around them; returns their number. */
static int measure(flood *f, const uint8_t *keep) {
    const rill_world *w = f->world;
    double sum[DIM] = {0};
    int count = 0;
    for (int i = 0; i < w->particles.count; i++) {
        if (keep[i] == STAYS) continue;
        const vec x = places_of(w)[i].x;
        if (count++ == 0) f->origin = f->low = f->high = x;
        for (int axis = 0; axis < DIM; axis++) {
            const float c = vec_get(x, axis);
            sum[axis] += (double)c;
            if (c < vec_get(f->low, axis)) (&f->low.x)[axis] = c;
            if (c > vec_get(f->high, axis)) (&f->high.x)[axis] = c;
        }
    }
    for (int axis = 0; axis < DIM; axis++) (&f->middle.x)[axis] = (float)(sum[axis] / count);
    return count;
}

/* Whether a particle outside the solid fits in beside it: at the distance that the wall keeps it, away from other
   particles. */
static bool fits_beside(const flood *f, vec x, vec *place_found) {
    const rill_world *w = f->world;
    vec n, nearest;
    const float distance = rill_placed_distance(&placed_shapes_of(w)[f->own_slot], x, &n);
    if (distance < 0.0f) return false;
    x = vec_along(x, w->wall_distance - distance, n);
    for (int round = 0; round < BESIDE_ROUNDS && find_nearest(f, x, f->dx, &nearest); round++) {
        const vec away = vec_sub(x, nearest);
        const float length = vec_length(away);
        const vec moved = length > 0.0f ? vec_along(nearest, f->dx / length, away) : x;
        if (kind_of(f, moved) != POINT_FREE) break;
        x = moved;
    }
    *place_found = x;
    return kind_of(f, x) == POINT_FREE && !is_crowded(f, x, BESIDE_DISTANCE * f->dx) && crowd_at(f, x) <= CROWD_MAX;
}

/* Moves particles that fit in beside the solid, before the flood begins. False if there is no memory. */
static bool keep_beside(flood *f, memory *m, uint8_t *keep, vec *places) {
    const rill_world *w = f->world;
    for (int i = 0, k = 0; i < w->particles.count && has_begun(w); i++) {
        if (keep[i] == STAYS) continue;
        if (keep[i] == MAKES_WAY && fits_beside(f, places_of(w)[i].x, &places[k])) keep[i] = GOES_BESIDE;
        if (keep[i] == GOES_BESIDE && !add_particle(f, m, places[k])) return false;
        k++;
    }
    return true;
}

/* Begins a flood that goes `reach` beyond the displaced particles. */
static bool begin(flood *f, memory *m, uint8_t *keep, float reach, vec *places) {
    const rill_world *w = f->world;
    const int n = w->particles.count;
    uint32_t heads = 1024;
    find_up(f);
    const double count = measure(f, keep), edge = DIM == 2 ? sqrt(count) : rill_cube_root(count);
    const float solid_reach = (SOLID_MARGIN + (float)edge) * f->dx;
    f->solid_low = f->low, f->solid_high = f->high;
    for (int axis = 0; axis < DIM; axis++) {
        (&f->solid_low.x)[axis] -= solid_reach, (&f->solid_high.x)[axis] += solid_reach;
        (&f->low.x)[axis] -= reach, (&f->high.x)[axis] += reach;
    }
    while (heads < (uint32_t)n && heads < 1u << 30) heads *= 2;
    f->head_mask = heads - 1;
    if (!rill_buffer_reserve(m, &f->heads, sizeof(int32_t) * heads, 0) || !make_seen(f, m, 1024)) return false;
    memset(f->heads.data, 0xFF, sizeof(int32_t) * heads);
    for (int i = 0; i < n; i++)
        if (keep[i] == STAYS && !add_particle(f, m, places_of(w)[i].x)) return false;
    if (!keep_beside(f, m, keep, places)) return false;
    for (int i = 0; i < n; i++) {
        if (keep[i] == STAYS) continue;
        const cell c = cell_of(f, places_of(w)[i].x);
        if (!seen_at(f, c)->used && !(mark_seen(f, m, c) && push_cell(f, m, c))) return false;
    }
    return true;
}

/* Finds a place for each displaced particle; fewer if there is no room. Returns their number. */
static int find_places(flood *f, memory *m, uint8_t *keep, float reach, vec *places) {
    int found = 0;
    f->no_memory = !begin(f, m, keep, reach, places);
    for (int i = 0; i < f->world->particles.count && !f->no_memory; i++) {
        if (keep[i] == STAYS) continue;
        if (keep[i] == MAKES_WAY && !next_place(f, m, &places[found])) break;
        found++;
    }
    return found;
}

static rill_status find_all_places(rill_world *w, const solid *s, uint8_t *keep, vec *places, int wanted) {
    const float dx = w->def.spacing;
    float reach = (4.0f + (DIM == 2 ? (float)wanted : sqrtf((float)wanted))) * dx;
    bool cut_off = true, no_memory = false;
    int found = 0;
    for (int k = 0; k < WIDENINGS && found < wanted && cut_off && !no_memory; k++, reach *= 2.0f) {
        flood f = {.world = w, .own_slot = (int32_t)(s - POOL_ITEMS(w, solid)), .dx = dx};
        found = find_places(&f, &w->memory, keep, reach, places);
        cut_off = f.cut_off, no_memory = f.no_memory;
        flood_free(&f, &w->memory);
    }
    if (no_memory) return rill_fail(&w->error, RILL_MEMORY, "no memory to push %d particles out of a solid", wanted);
    if (found == wanted) return RILL_OK;
    return rill_fail(&w->error, RILL_LIMIT,
                     "displacement: '%s' is in the way of %d particles, and there is room for only %d around it; make "
                     "room, or choose 'remove'",
                     s->def.name, wanted, found);
}

/* Moves a particle and resets it as if it was just added, except its id, fluid, velocity and carried fields. */
static void move_particle(rill_world *w, int i, vec x) {
    particles *p = &w->particles;
    places_of(w)[i].x = x;
    for (int k = FIELD_METHOD; k < p->field_count; k++)
        if (!(p->fields[k].def.flags & (FIELD_INTERNAL | FIELD_CARRIED)))
            memset((char *)p->fields[k].data + p->fields[k].size * (size_t)i, 0, p->fields[k].size);
    densities_of(w)[i] = POOL_ITEMS(w, fluid)[fluids_of(w)[i]].def.density;
    pressures_of(w)[i] = 0.0f;
}

/* The solid and the displaced fluid change densities at once: negative values tell methods not to take that for the
   rate of a flow. */
static void forget_rates(rill_world *w) {
    particles *p = &w->particles;
    for (int k = FIELD_METHOD; k < p->field_count; k++) {
        float *values = p->fields[k].data;
        for (int i = 0; i < p->count && (p->fields[k].def.flags & FIELD_RATE); i++) values[i] = -fabsf(values[i]);
    }
}

static rill_status push_out(rill_world *w, const solid *s, uint8_t *keep, int count) {
    const size_t size = sizeof(vec) * (size_t)count;
    TRY(rill_rigid_place(w, w->stats.time));
    vec *places = rill_memory_get(&w->memory, size);
    if (!places) return rill_fail(&w->error, RILL_MEMORY, "no memory to push %d particles out of a solid", count);
    const rill_status status = find_all_places(w, s, keep, places, count);
    for (int i = 0, k = 0; status == RILL_OK && i < w->particles.count; i++)
        if (keep[i] != STAYS) move_particle(w, i, places[k++]);
    rill_memory_release(&w->memory, places, size);
    return status;
}

rill_status rill_displace(rill_world *w, const solid *s, rill_displacement fate) {
    const int n = w->particles.count;
    if (n == 0) return RILL_OK;
    if (!rill_buffer_reserve(&w->memory, &sim_of(w)->keep, (size_t)n, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory to remove particles");
    placed_shape parts[PLACED_PARTS_MAX];
    clear_job job = {w, (int32_t)(s - POOL_ITEMS(w, solid)),
                     rill_placed_make(&s->def.shape, &s->models, &s->pose, parts), sim_of(w)->keep.data};
    find_filters(w);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, clear_block, &job);
    int count = 0;
    for (int i = 0; i < n; i++) count += !job.keep[i];
    if (count > 0 && fate == RILL_DISPLACE_PUSH)
        TRY(push_out(w, s, job.keep, count));
    else
        w->stats.left_out += rill_particles_keep(&w->particles, job.keep);
    w->stats.particles = w->particles.count;
    if (count > 0) forget_rates(w);
    if (w->stats.step == 0) rill_gauge_count_energies(w);
    return RILL_OK;
}

/* SPDX-License-Identifier: MIT */
/* Contacts of samples with distance fields: for each sample point of one body, the distance to the other solid is
   looked up. Of each pair only a few points are kept: the deepest, and those that span the widest patch.

   Any two shapes can touch in this way, since each shape has samples and a distance; no table of pairs of kinds is
   needed. A contact point is a normal row and its friction rows. Rows are made before the bodies touch, if their
   surfaces may meet within the step. Such a row lets them approach by the gap that is left, so that fast bodies do not
   pass through thin walls. Impulses are kept by contact point, so that a heap at rest starts each step from its
   solution. */
#include "rigid/contacts.h"

#include "core/sort.h"
#include "rigid/body.h"
#include "rigid/broad_phase.h"
#include "rigid/events.h"
#include "rigid/sleep.h"
#include "solid/shape_library.h"
#include "solid/solids.h"

#include <string.h>

/* Overlaps relax within four steps. With this softness the lowest of ten stacked boxes sinks in by about 0.3 mm at
   1/120 s. */
#define TOUCH_SOFTNESS  1e-2
#define TOUCH_TAU_STEPS 4
/* Softness of a contact at impact. With TOUCH_SOFTNESS a hundredth of the speed would remain, which at 200 m/s is the
   thickness of a wall in each step. */
#define IMPACT_SOFTNESS 1e-5
/* Rate at which surfaces that are nearer than the gap that bodies keep, but do not overlap, move apart [1/s]. */
#define MARGIN_RATE 2
/* Overlapping bodies separate at most at the speed of a fall from the height of the overlap with this acceleration
   [m/s^2]. */
#define PART_GRAVITY 9.81
/* An overlap is deep beyond this share of the smaller body's radius; bodies at rest overlap by a thousandth. */
#define DEEP 0.05
/* Contact points kept of a pair for each facing, and the number of facings: the six directions of the axes in which a
   wall's normal may point. */
#define PATCH              4
#define FACINGS            6
#define CONTACT_POINTS_MAX (PATCH * FACINGS)
/* Number of the contact of a body inside another one, in place of a sample's: no sample has it. */
#define WAY_OUT (FACINGS * CONTACT_SAMPLES_MAX)
/* Contact points of a pair before thinning, beyond one for each sample: in corners a sample touches several walls. */
#define CORNERS_MAX 128

typedef struct contact_point {
    uint64_t key;
    int a;       /* body that the sample belongs to */
    int b;       /* body slot of the other, or -1 */
    int other;   /* solid slot of the other */
    dvec point;  /* between the surfaces */
    dvec normal; /* from b to a */
    double gap;
    double approach; /* speed of the surfaces towards each other before the step */
} contact_point;

/* ---- samples ---- */

static int put(contact_sample *samples, int n, dvec point, double radius) {
    if (n < CONTACT_SAMPLES_MAX) samples[n++] = (contact_sample){point, radius};
    return n;
}

/* Corners, and points along the edges between them, so that crossing edges are noticed. Samples are rounded: a sharp
   corner on the edge of a box below has no unique normal, and a stack would creep apart. */
static int box_samples(const rill_shape *s, int dim, contact_sample *samples, int n) {
    const dvec centre = dvec_scale(dvec_add(dvec_of(s->min), dvec_of(s->max)), 0.5);
    const dvec half = dvec_scale(dvec_sub(dvec_of(s->max), dvec_of(s->min)), 0.5);
    double turn[3][3];
    const dvec axis = dim == 2 ? (dvec){0, 0, 1} : dvec_direction(dvec_of(s->axis));
    quat_matrix(quat_turn(dvec_scale(axis, (double)s->angle)), turn);
    const int steps = 4;
    const double least = fmin(half.x, dim == 3 ? fmin(half.y, half.z) : half.y), round = 0.05 * least;
    const dvec inner_half = {half.x - round, half.y - round, dim == 3 ? half.z - round : 0};
    for (int i = 0; i <= steps; i++)
        for (int j = 0; j <= steps; j++)
            for (int k = 0; k <= (dim == 3 ? steps : 0); k++) {
                const int inner = (i > 0 && i < steps) + (j > 0 && j < steps) + (dim == 3 && k > 0 && k < steps);
                if (inner > 1) continue;
                const dvec p = {inner_half.x * (2.0 * i / steps - 1), inner_half.y * (2.0 * j / steps - 1),
                                inner_half.z * (2.0 * k / steps - 1)};
                n = put(samples, n, dvec_add(centre, mat_apply(turn, p)), round);
            }
    return n;
}

/* The points that were chosen on the surface when the body was added. */
static int point_samples(const rill_shape *s, const shared_shape *shared, int dim, contact_sample *samples, int n) {
    const shape_frame frame = rill_shape_frame_of(s, dim);
    for (int k = 0; k < shared->point_count; k++) {
        const dvec p = rill_shape_to_world(&frame, dvec_of_floats(shared->points[k]));
        n = put(samples, n, (dvec){p.x, p.y, p.z}, 0);
    }
    return n;
}

static int shape_samples(const rill_shape *s, const shared_shape *shared, int dim, contact_sample *samples, int n) {
    const int along = 8;
    switch ((rill_shape_kind)s->kind) {
    case RILL_BOX:
        return box_samples(s, dim, samples, n);
    case RILL_SPHERE:
        return put(samples, n, dvec_of(s->position), (double)s->radius);
    case RILL_CAPSULE:
        for (int k = 0; k <= along; k++) {
            const dvec span = dvec_sub(dvec_of(s->end), dvec_of(s->position));
            n = put(samples, n, dvec_along(dvec_of(s->position), (double)k / along, span), (double)s->radius);
        }
        return n;
    default:
        return point_samples(s, shared, dim, samples, n);
    }
}

int rill_contact_samples(const rill_world *w, const body *b, contact_sample samples[CONTACT_SAMPLES_MAX]) {
    const rill_shape *s = &b->def.shape;
    const shape_models *models = &POOL_ITEMS(w, solid)[b->solid].models;
    if (s->kind != RILL_COMPOUND) return shape_samples(s, models->items[0], w->def.dim, samples, 0);
    const shape_frame frame = rill_shape_frame_of(s, w->def.dim);
    int n = 0;
    for (int part = 0; part < s->parts.count; part++) {
        const rill_shape scaled = rill_shape_scaled(&s->parts.data[part], s->scale);
        const int first = n;
        n = shape_samples(&scaled, models->items[part], w->def.dim, samples, n);
        for (int k = first; k < n; k++) {
            const dvec p = samples[k].point;
            const dvec q = rill_shape_to_world(&frame, (dvec){p.x, p.y, p.z});
            samples[k].point = (dvec){q.x, q.y, q.z};
        }
    }
    return n;
}

/* ---- finding ---- */

static dvec sample_now(const body *b, const contact_sample *s) {
    return dvec_add(dvec_load(b->x), rill_body_turn(b, dvec_sub(s->point, dvec_load(b->start))));
}

double rill_contact_reach(const rill_world *w, const body *b) {
    contact_sample samples[CONTACT_SAMPLES_MAX];
    const int count = rill_contact_samples(w, b, samples);
    double reach = 0;
    for (int k = 0; k < count; k++)
        reach = fmax(reach, dvec_length(dvec_sub(samples[k].point, dvec_load(b->start))) + samples[k].radius);
    return reach;
}

/* Moves the points to keep to the front of `found` and returns their number: the deepest, then one after the other the
   point farthest from those kept. */
static int thin_out(contact_point *found, int count) {
    for (int kept = 0; kept < PATCH && kept < count; kept++) {
        int best = kept;
        double most = -HUGE_VAL;
        for (int k = kept; k < count; k++) {
            double score = -found[k].gap;
            if (kept > 0) {
                score = HUGE_VAL;
                for (int j = 0; j < kept; j++)
                    score = fmin(score, dvec_length(dvec_sub(found[k].point, found[j].point)));
            }
            if (score > most) most = score, best = k;
        }
        const contact_point swap = found[kept];
        found[kept] = found[best];
        found[best] = swap;
    }
    return count < PATCH ? count : PATCH;
}

/* The facing of a wall: axis and sign of the largest component of its normal. A sample in a corner touches several
   walls, and each of them keeps its own impulse. */
static int facing(dvec n) {
    const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    return 2 * axis + ((&n.x)[axis] > 0);
}

/* Moves the points of one facing to the front. Returns their number. */
static int gather(contact_point *points, int count, int way) {
    int n = 0;
    for (int k = 0; k < count; k++) {
        if (facing(points[k].normal) != way) continue;
        const contact_point swap = points[n];
        points[n++] = points[k];
        points[k] = swap;
    }
    return n;
}

/* Whether a contact is between bodies that were placed inside each other. The rows of a heap of such bodies contradict
   each other and do not converge within a step; their leftover impulses would start the next step and grow from step to
   step. Parts of machines overlap on purpose, as flaps do with their seats. */
static bool is_deep(const rill_world *w, const contact_point *t) {
    const body *bodies = POOL_ITEMS(w, body);
    return t->b >= 0 && -t->gap > DEEP * fmin(bodies[t->a].reach, bodies[t->b].reach) && !body_is_jointed(w, t->a) &&
           !body_is_jointed(w, t->b);
}

/* The facing of the deepest contact point if its overlap is deep; otherwise -1. */
static int deep_way(const rill_world *w, const contact_point *points, int count) {
    int deepest = -1;
    for (int k = 0; k < count; k++)
        if (deepest < 0 || points[k].gap < points[deepest].gap) deepest = k;
    return deepest >= 0 && is_deep(w, &points[deepest]) ? facing(points[deepest].normal) : -1;
}

/* Finds the points where samples of `a` are within `margin` of the walls of solid `s`: a few for each facing. Returns
   their number. */
static int find_patch(rill_world *w, const body *a, const contact_sample *samples, int count, const solid *s,
                      double margin, contact_point found[CONTACT_POINTS_MAX]) {
    const int ia = (int)(a - POOL_ITEMS(w, body)), is = (int)(s - POOL_ITEMS(w, solid));
    contact_point all[CONTACT_SAMPLES_MAX + CORNERS_MAX];
    int n = 0, kept = 0;
    for (int k = 0; k < count; k++) {
        const dvec p = sample_now(a, &samples[k]);
        placed_wall walls[PLACED_WALLS_MAX];
        const float reach = (float)(margin + samples[k].radius);
        const int wall_count = solid_operations_of(w)->walls(w, s, dvec_out(p), reach, walls);
        for (int j = 0; j < wall_count && n < CONTACT_SAMPLES_MAX + CORNERS_MAX; j++) {
            const double gap = (double)walls[j].distance - samples[k].radius;
            const dvec n_out = dvec_direction(dvec_of(walls[j].normal));
            if (gap >= margin) continue;
            all[n++] = (contact_point){.key = contact_key(ia, is, FACINGS * k + facing(n_out)),
                                       .a = ia,
                                       .b = s->body - 1,
                                       .other = is,
                                       .point = dvec_along(p, -(samples[k].radius + 0.5 * gap), n_out),
                                       .normal = n_out,
                                       .gap = gap - (double)w->body_margin};
        }
    }
    /* Walls of another facing than the deepest one would keep the bodies inside each other. */
    const int only = deep_way(w, all, n);
    for (int way = 0, done = 0; way < FACINGS; way++) {
        if (only >= 0 && way != only) continue;
        const int here = gather(all + done, n - done, way), few = thin_out(all + done, here);
        memcpy(found + kept, all + done, sizeof(contact_point) * (size_t)few);
        kept += few;
        done += here;
    }
    return kept;
}

/* ---- rows ---- */

static const contact_memory *recall(const rill_world *w, uint64_t key) {
    const contact_memory *items = w->contact_memories.data;
    int low = 0, high = w->contact_memory_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->contact_memory_count && items[low].key == key ? &items[low] : NULL;
}

static dvec velocity_at(const rill_world *w, int index, const solid *s, dvec point) {
    if (index >= 0) return rill_body_velocity_at(&POOL_ITEMS(w, body)[index], point);
    const dvec centre = dvec_add(dvec_of(s->pose.pivot), dvec_of(s->pose.offset));
    return dvec_add(dvec_of(s->pose.velocity), dvec_cross(dvec_of(s->pose.angular), dvec_sub(point, centre)));
}

/* Velocity along n of a solid that belongs to no body. Rows know only bodies, so it is part of the target. */
static double drift(const rill_world *w, const contact_point *t, dvec n) {
    if (t->b >= 0) return 0;
    return dvec_dot(velocity_at(w, -1, &POOL_ITEMS(w, solid)[t->other], t->point), n);
}

static row *add_direction(rill_world *w, rows *r, const contact_point *t, dvec n) {
    const body *bodies = POOL_ITEMS(w, body);
    const dvec arm_a = dvec_sub(t->point, dvec_load(bodies[t->a].x));
    const dvec arm_b = t->b >= 0 ? dvec_sub(t->point, dvec_load(bodies[t->b].x)) : (dvec){0};
    return rill_rows_add(r, t->a, n, dvec_cross(arm_a, n), t->b, n, dvec_cross(arm_b, n));
}

/* Bounds an overlap so that bodies do not separate faster than PART_GRAVITY allows, at any length of step. A row
   removes 4/time of its overlap per second. */
static double bounded_overlap(double overlap, double time) {
    return overlap < 0 ? fmax(overlap, -0.25 * time * sqrt(-2 * PART_GRAVITY * overlap)) : overlap;
}

/* Whether a contact closes faster than the speed that gravity gives in two steps. */
static bool is_impact(const rill_world *w, const rows *r, double approach) {
    return approach < -2 * dvec_length(dvec_of(w->def.gravity)) * r->dt;
}

/* An impact stops at once, or bounces if it happens in this step. A soft row would let the bodies overlap by more than
   the thickness of a wall, by its softness and by the part of the velocity that SPOOK keeps. */
static void stop_impact(const rows *r, row *row, double gap, double approach, double restitution) {
    rill_row_stiffen(row, IMPACT_SOFTNESS);
    if (gap <= 0) row->target = fmax(row->target, 0);
    if (restitution > 0 && gap < -approach * r->dt) row->target = fmax(row->target, -restitution * approach);
}

static void press(const rill_world *w, const rows *r, row *row, const contact_point *t, double restitution) {
    const double tau = TOUCH_TAU_STEPS * r->dt, moving = drift(w, t, t->normal);
    const double margin = (double)w->body_margin;
    const double overlap = fmin(t->gap + margin, t->gap < 0 ? 0 : t->gap);
    rill_row_hold_stiff(r, row, bounded_overlap(overlap, r->dt + 4 * tau), TOUCH_SOFTNESS, tau);
    row->target -= moving * r->dt / (r->dt + 4 * tau); /* the xi G v of SPOOK is a relative velocity */
    const double approach = rill_row_velocity(r, row) - moving;
    if (t->gap > 0) row->target = -t->gap / r->dt; /* may close the gap, but not more */
    if (t->gap < 0 && margin > 0) row->target += fmin((overlap - t->gap) / tau, MARGIN_RATE * margin);
    if (is_impact(w, r, approach)) stop_impact(r, row, t->gap, approach, restitution);
    row->target += moving;
    row->low = 0;
}

static rill_status add_contact(rill_world *w, rows *r, const contact_point *t) {
    const solid *s = &POOL_ITEMS(w, solid)[t->other];
    const rill_body_def *a = &POOL_ITEMS(w, body)[t->a].def;
    const rill_body_def *b = t->b >= 0 ? &POOL_ITEMS(w, body)[t->b].def : NULL;
    /* The `friction` of a solid is for the fluid, so it does not count here. */
    const double friction = fmin((double)a->friction, b ? (double)b->friction : HUGE_VAL);
    const double restitution = fmax((double)a->restitution, b ? (double)b->restitution : (double)s->def.restitution);
    const contact_memory *last = is_deep(w, t) ? NULL : recall(w, t->key);
    const int first = r->count;
    row *normal = add_direction(w, r, t, t->normal);
    if (!normal) return RILL_MEMORY;
    press(w, r, normal, t, restitution);
    if (last) normal->lambda = last->lambda[0];
    if (!(friction > 0)) return RILL_OK;
    dvec u, v;
    dvec_across(t->normal, &u, &v);
    for (int k = 0; k < w->def.dim - 1; k++) {
        const dvec along = k == 0 ? u : v;
        row *friction_row = add_direction(w, r, t, along);
        if (!friction_row) return RILL_MEMORY;
        rill_row_drive(friction_row, drift(w, t, along), TOUCH_SOFTNESS);
        friction_row->normal = first;
        friction_row->friction = friction;
        friction_row->paired = w->def.dim == 3 && k == 0;
        if (last) friction_row->lambda = last->lambda[1 + k];
    }
    return RILL_OK;
}

static double approach_of(const rill_world *w, const contact_point *t) {
    const solid *s = &POOL_ITEMS(w, solid)[t->other];
    const dvec own = rill_body_velocity_at(&POOL_ITEMS(w, body)[t->a], t->point);
    const dvec relative = dvec_sub(own, velocity_at(w, t->b, s, t->point));
    return -dvec_dot(relative, t->normal);
}

static rill_status add_found(rill_world *w, rows *r, const contact_point *found, int count) {
    contact_point *kept;
    const size_t used = sizeof(contact_point) * (size_t)w->stats.body_contacts,
                 more = sizeof(contact_point) * (size_t)count;
    if (used + more > w->rigid_contacts.size &&
        !rill_buffer_reserve(&w->memory, &w->rigid_contacts, 2 * (used + more), used))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for contacts of bodies");
    kept = w->rigid_contacts.data;
    for (int k = 0; k < count; k++) {
        kept[w->stats.body_contacts] = found[k];
        kept[w->stats.body_contacts++].approach = approach_of(w, &found[k]);
        if (add_contact(w, r, &found[k]) != RILL_OK)
            return rill_fail(&w->error, RILL_MEMORY, "no memory for the rows of contacts");
    }
    return RILL_OK;
}

/* Finds the contact points of the broad phase's pairs. The samples of a body are made once for all of its pairs. */
typedef struct finder {
    rill_world *world;
    double dt;
    int body, count; /* whose samples these are */
    contact_sample samples[CONTACT_SAMPLES_MAX];
    contact_point found[CONTACT_POINTS_MAX];
} finder;

/* Whether the centre of `a` is inside another body and also inside `a` itself, which that of a ring is not. Parts of
   machines do not count. */
static bool is_swallowed(const rill_world *w, const body *a, const solid *s, double distance) {
    rill_vec normal;
    return distance < 0 && s->body > 0 && !body_is_jointed(w, (int)(a - POOL_ITEMS(w, body))) &&
           !body_is_jointed(w, s->body - 1) &&
           solid_operations_of(w)->distance(w, &POOL_ITEMS(w, solid)[a->solid], dvec_out(dvec_load(a->x)), &normal) < 0;
}

/* The contact of a body inside another one. Its samples are near walls all around and would push in all directions at
   once; its centre gives the shortest way out. */
static int find_way_out(finder *f, const near_pair *pair, double distance, dvec out) {
    const body *a = &POOL_ITEMS(f->world, body)[pair->body];
    f->found[0] = (contact_point){.key = contact_key(pair->body, pair->solid, WAY_OUT),
                                  .a = pair->body,
                                  .b = POOL_ITEMS(f->world, solid)[pair->solid].body - 1,
                                  .other = pair->solid,
                                  .point = dvec_load(a->x),
                                  .normal = out,
                                  .gap = distance - DEEP * a->reach - (double)f->world->body_margin};
    return 1;
}

static int find(finder *f, const near_pair *pair) {
    rill_world *w = f->world;
    const body *a = &POOL_ITEMS(w, body)[pair->body];
    const solid *s = &POOL_ITEMS(w, solid)[pair->solid];
    if (f->body != pair->body) {
        f->count = rill_contact_samples(w, a, f->samples);
        f->body = pair->body;
    }
    const double margin = rill_broad_margin(w, a, s, f->dt);
    rill_vec normal;
    const double distance = (double)solid_operations_of(w)->distance(w, s, dvec_out(dvec_load(a->x)), &normal);
    if (distance > a->reach + margin) return 0;
    if (is_swallowed(w, a, s, distance)) return find_way_out(f, pair, distance, dvec_direction(dvec_of(normal)));
    return find_patch(w, a, f->samples, f->count, s, margin, f->found);
}

rill_status rill_contacts_wake(rill_world *w, double dt) {
    finder f = {.world = w, .dt = dt, .body = -1};
    bool woke = false;
    FOR_ALIVE(w, body, b) woke |= b->asleep; /* without sleeping bodies no pairs need to be found */
    while (woke) {
        const near_pair *pairs;
        int count;
        woke = rill_sleep_wake_joined(w);
        TRY(rill_broad_find(w, dt, &pairs, &count));
        for (int k = 0; k < count; k++) {
            body *a = &POOL_ITEMS(w, body)[pairs[k].body];
            const int slot_b = POOL_ITEMS(w, solid)[pairs[k].solid].body - 1;
            body *b = slot_b >= 0 ? &POOL_ITEMS(w, body)[slot_b] : NULL;
            body *sleeper = a->asleep ? a : b && b->asleep ? b : NULL;
            if (!sleeper || find(&f, &pairs[k]) == 0) continue;
            rill_sleep_wake(w, sleeper);
            woke = true;
        }
    }
    return RILL_OK;
}

rill_status rill_contacts_add_rows(rill_world *w, rows *r) {
    finder f = {.world = w, .dt = r->dt, .body = -1};
    const near_pair *pairs;
    int count;
    w->stats.body_contacts = 0;
    rill_status status = rill_broad_find(w, r->dt, &pairs, &count);
    for (int k = 0; status == RILL_OK && k < count; k++) status = add_found(w, r, f.found, find(&f, &pairs[k]));
    return status;
}

bool rill_contacts_reserve(rill_world *w, double dt, int substeps) {
    const near_pair *pairs;
    int pair_count;
    if (rill_broad_find(w, dt, &pairs, &pair_count) != RILL_OK) return false;
    /* Twice what is near now, because more pairs may come near or wake during the step. */
    const size_t points = 2 * PATCH * (size_t)pair_count + CONTACT_POINTS_MAX;
    const size_t rows_most = (size_t)w->def.dim * points + JOINT_ROWS_MAX * (size_t)w->joints.count;
    const size_t memories = points + (size_t)w->contact_memory_count;
    memory *m = &w->memory;
    return rill_buffer_grow(m, &w->rigid_contacts, sizeof(contact_point) * points, 0) &&
           rill_buffer_grow(m, &w->rigid_rows, sizeof(row) * rows_most, 0) &&
           rill_buffer_grow(m, &w->rigid_memory, sizeof(contact_memory) * memories, 0) &&
           rill_buffer_grow(m, &w->contact_memories, sizeof(contact_memory) * memories,
                            sizeof(contact_memory) * (size_t)w->contact_memory_count) &&
           rill_events_reserve(w, points * (size_t)substeps, 2 * (size_t)pair_count + 2);
}

static int compare_keys(const void *a, const void *b) {
    const uint64_t x = ((const contact_memory *)a)->key, y = ((const contact_memory *)b)->key;
    return x < y ? -1 : x > y;
}

/* Reads the impulses of a contact point from its rows, which start at `at`. Returns the index after them. */
static int read_rows(const rows *r, int at, contact_memory *memory, contact_mark *mark) {
    const int normal = at;
    for (int n = 0; at < r->count && (at == normal || r->items[at].normal == normal); n++, at++) {
        memory->lambda[n] = r->items[at].lambda;
        mark->impulse = dvec_along(mark->impulse, r->items[at].lambda, r->items[at].a.linear);
    }
    mark->pressing = memory->lambda[0];
    return at;
}

/* Copies the impulses of sleeping contacts, which have no rows. Returns their number. */
static int keep_sleeping(const rill_world *w, contact_memory *items) {
    const contact_memory *last = w->contact_memories.data;
    int count = 0;
    for (int k = 0; k < w->contact_memory_count; k++)
        if (rill_contact_sleeps(w, contact_body(last[k].key), contact_solid(last[k].key))) items[count++] = last[k];
    return count;
}

rill_status rill_contacts_remember(rill_world *w, const rows *r) {
    const int fresh = w->stats.body_contacts;
    const size_t most = sizeof(contact_memory) * (size_t)(fresh + w->contact_memory_count);
    if (most > 0 && !rill_buffer_reserve(&w->memory, &w->rigid_memory, most, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for contacts of bodies");
    const contact_point *found = w->rigid_contacts.data;
    contact_memory *items = w->rigid_memory.data;
    int count = keep_sleeping(w, items);
    /* The rows of contacts follow those of joints, in the order of the contact points. */
    int at = 0;
    while (at < r->count && r->items[at].memory) at++;
    for (int k = 0; k < fresh; k++) {
        const contact_point *t = &found[k];
        contact_mark mark = {.point = t->point, .normal = t->normal, .gap = t->gap, .approach = t->approach};
        items[count] = (contact_memory){.key = t->key};
        at = read_rows(r, at, &items[count++], &mark);
        if (!(mark.pressing > 0) && t->gap > 0) continue;
        TRY(rill_events_mark(w, t->a, t->other, mark));
    }
    rill_sort_items(items, count, sizeof *items, compare_keys);
    const buffer swap = w->contact_memories;
    w->contact_memories = w->rigid_memory;
    w->rigid_memory = swap;
    w->contact_memory_count = count;
    return RILL_OK;
}

void rill_contacts_forget(rill_world *w, int solid_slot) {
    contact_memory *items = w->contact_memories.data;
    const int owner = POOL_ITEMS(w, solid)[solid_slot].body - 1;
    int kept = 0;
    for (int k = 0; k < w->contact_memory_count; k++)
        if (contact_solid(items[k].key) != solid_slot && contact_body(items[k].key) != owner) items[kept++] = items[k];
    w->contact_memory_count = kept;
}

/* SPDX-License-Identifier: MIT */
/* Contacts from samples against distance fields: every sample point of one body is looked up in the distance of the
   other solid. Of a pair, the few points that matter are kept: the deepest, and those that span the widest patch. */
#include "rigid/touches.h"

#include "geometry/shape_model.h"
#include "rigid/body.h"

#include <stdlib.h>
#include <string.h>

/* Contacts push out within four steps; the lowest of ten boxes sinks in by some 0.3 mm at 1/120 s. */
#define TOUCH_SOFTNESS  1e-2
#define TOUCH_TAU_STEPS 4
/* Points kept for a pair. */
#define PATCH 4

typedef struct touch {
    uint64_t key;
    int a;       /* body that the sample belongs to */
    int b;       /* body slot of the other, or -1 */
    int other;   /* solid slot of the other */
    dvec point;  /* between the surfaces */
    dvec normal; /* from b to a */
    double gap;
} touch;

/* ---- samples ---- */

static int put(touch_sample *samples, int n, dvec point, double radius) {
    if (n < TOUCH_SAMPLES_MAX) samples[n++] = (touch_sample){point, radius};
    return n;
}

/* Corners, and points along the edges between them, so that two edges that cross are noticed. They are rounded: a bare
   corner on the edge of a box below it has no one normal, and a stack would creep apart. */
static int box_samples(const rill_shape *s, int dim, touch_sample *samples, int n) {
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

/* Points chosen from the surface when the body was made. */
static int model_samples(const rill_shape *s, const shape_model *model, int dim, touch_sample *samples, int n) {
    const shape_frame frame = shape_frame_of(s, dim);
    for (int k = 0; k < model->touch_count; k++) {
        const vec3 p = shape_to_world(&frame, vec3_of(model->touch[k]));
        n = put(samples, n, (dvec){p.x, p.y, p.z}, 0);
    }
    return n;
}

static int shape_samples(const rill_shape *s, const shape_model *model, int dim, touch_sample *samples, int n) {
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
        return model_samples(s, model, dim, samples, n);
    }
}

int touch_samples(const rill_world *w, const body *b, touch_sample samples[TOUCH_SAMPLES_MAX]) {
    const rill_shape *s = &b->def.shape;
    const shape_models *models = &POOL_ITEMS(w, solid)[b->solid].models;
    if (s->kind != RILL_COMPOUND) return shape_samples(s, models->items[0], w->def.dim, samples, 0);
    const shape_frame frame = shape_frame_of(s, w->def.dim);
    int n = 0;
    for (int part = 0; part < s->parts.count; part++) {
        const rill_shape scaled = shape_scaled(&s->parts.data[part], s->scale);
        const int first = n;
        n = shape_samples(&scaled, models->items[part], w->def.dim, samples, n);
        for (int k = first; k < n; k++) {
            const dvec p = samples[k].point;
            const vec3 q = shape_to_world(&frame, (vec3){p.x, p.y, p.z});
            samples[k].point = (dvec){q.x, q.y, q.z};
        }
    }
    return n;
}

/* ---- finding ---- */

static dvec sample_now(const body *b, const touch_sample *s) {
    return dvec_add(dvec_load(b->x), body_turn(b, dvec_sub(s->point, dvec_load(b->start))));
}

/* Radius of a ball around the centre of mass that holds all samples. */
static double reach_of(const body *b, const touch_sample *samples, int count) {
    double reach = 0;
    for (int k = 0; k < count; k++)
        reach = fmax(reach, dvec_length(dvec_sub(samples[k].point, dvec_load(b->start))) + samples[k].radius);
    return reach;
}

static const body *body_of_solid(const rill_world *w, const solid *s) {
    return s->body > 0 ? &POOL_ITEMS(w, body)[s->body - 1] : NULL;
}

static bool may_touch(const rill_world *w, const body *a, const solid *s) {
    const body *b = body_of_solid(w, s);
    if (b == a) return false;
    if (!b) return a->inverse_mass > 0;
    if (a->inverse_mass == 0 && b->inverse_mass == 0) return false;
    if (!(a->def.layer & b->def.mask) || !(b->def.layer & a->def.mask)) return false;
    FOR_ALIVE(w, joint, j) { /* what is joined does not collide */
        const int ia = (int)(a - POOL_ITEMS(w, body)), ib = (int)(b - POOL_ITEMS(w, body));
        if (!j->broken && ((j->a == ia && j->b == ib) || (j->a == ib && j->b == ia))) return false;
    }
    return true;
}

/* Keeps the deepest of the points in `found`, then those farthest from the ones kept. */
static int thin_out(touch *found, int count) {
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
        const touch swap = found[kept];
        found[kept] = found[best];
        found[best] = swap;
    }
    return count < PATCH ? count : PATCH;
}

/* The points where samples of `a` are within `margin` of solid `s`. */
static int find_patch(rill_world *w, const body *a, const touch_sample *samples, int count, const solid *s,
                      double margin, touch found[TOUCH_SAMPLES_MAX]) {
    const int ia = (int)(a - POOL_ITEMS(w, body)), is = (int)(s - POOL_ITEMS(w, solid));
    int n = 0;
    for (int k = 0; k < count; k++) {
        const dvec p = sample_now(a, &samples[k]);
        rill_vec normal;
        const double gap = (double)w->operations->placed_distance(w, s, dvec_out(p), &normal) - samples[k].radius;
        if (gap >= margin) continue;
        const dvec n_out = dvec_direction(dvec_of(normal));
        found[n++] = (touch){.key = ((uint64_t)(uint32_t)ia << 40) | ((uint64_t)(uint32_t)is << 16) | (uint64_t)k,
                             .a = ia,
                             .b = s->body - 1,
                             .other = is,
                             .point = dvec_along(p, -(samples[k].radius + 0.5 * gap), n_out),
                             .normal = n_out,
                             .gap = gap};
    }
    return thin_out(found, n);
}

/* ---- rows ---- */

static const touch_memory *recall(const rill_world *w, uint64_t key) {
    const touch_memory *items = w->touches.data;
    int low = 0, high = w->touch_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->touch_count && items[low].key == key ? &items[low] : NULL;
}

static dvec velocity_at(const rill_world *w, int index, const solid *s, dvec point) {
    if (index >= 0) return body_velocity_at(&POOL_ITEMS(w, body)[index], point);
    const dvec centre = dvec_add(dvec_of(s->pose.pivot), dvec_of(s->pose.offset));
    return dvec_add(dvec_of(s->pose.velocity), dvec_cross(dvec_of(s->pose.angular), dvec_sub(point, centre)));
}

/* Velocity of a solid that is no dynamic body, along n: rows know only bodies, so it goes into the target. */
static double drift(const rill_world *w, const touch *t, dvec n) {
    if (t->b >= 0) return 0;
    return dvec_dot(velocity_at(w, -1, &POOL_ITEMS(w, solid)[t->other], t->point), n);
}

static row *add_direction(rill_world *w, rows *r, const touch *t, dvec n) {
    const body *bodies = POOL_ITEMS(w, body);
    const dvec arm_a = dvec_sub(t->point, dvec_load(bodies[t->a].x));
    const dvec arm_b = t->b >= 0 ? dvec_sub(t->point, dvec_load(bodies[t->b].x)) : (dvec){0};
    return rows_add(r, t->a, n, dvec_cross(arm_a, n), t->b, n, dvec_cross(arm_b, n));
}

static void press(const rill_world *w, const rows *r, row *row, const touch *t, double restitution) {
    const double tau = TOUCH_TAU_STEPS * r->dt, moving = drift(w, t, t->normal);
    row_hold_stiff(r, row, t->gap, TOUCH_SOFTNESS, tau);
    const double approach = row_velocity(r, row) - moving;
    if (t->gap > 0) row->target = -t->gap / r->dt; /* may close the gap and no more */
    /* An impact, not the weight of one step, bounces. */
    const double weight = 2 * dvec_length(dvec_of(w->def.gravity)) * r->dt;
    if (restitution > 0 && approach < -weight && t->gap < -approach * r->dt)
        row->target = fmax(row->target, -restitution * approach);
    row->target += moving;
    row->low = 0;
}

static rill_status add_touch(rill_world *w, rows *r, const touch *t) {
    const solid *s = &POOL_ITEMS(w, solid)[t->other];
    const rill_body_def *a = &POOL_ITEMS(w, body)[t->a].def;
    const rill_body_def *b = t->b >= 0 ? &POOL_ITEMS(w, body)[t->b].def : NULL;
    /* A solid's own friction is what it does to the fluid. */
    const double friction = fmin((double)a->friction, b ? (double)b->friction : HUGE_VAL);
    const double restitution = fmax((double)a->restitution, b ? (double)b->restitution : (double)s->def.restitution);
    const touch_memory *last = recall(w, t->key);
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
        row *rub = add_direction(w, r, t, along);
        if (!rub) return RILL_MEMORY;
        row_drive(rub, drift(w, t, along), TOUCH_SOFTNESS);
        rub->normal = first;
        rub->friction = friction;
        rub->paired = w->def.dim == 3 && k == 0;
        if (last) rub->lambda = last->lambda[1 + k];
    }
    return RILL_OK;
}

static rill_status add_found(rill_world *w, rows *r, const touch *found, int count) {
    touch *kept;
    const size_t used = sizeof(touch) * (size_t)w->stats.body_contacts, more = sizeof(touch) * (size_t)count;
    if (used + more > w->rigid_touches.size && !buffer_reserve(&w->memory, &w->rigid_touches, 2 * (used + more), used))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for contacts of bodies");
    kept = w->rigid_touches.data;
    for (int k = 0; k < count; k++) {
        kept[w->stats.body_contacts++] = found[k];
        if (add_touch(w, r, &found[k]) != RILL_OK)
            return rill_fail(&w->error, RILL_MEMORY, "no memory for the rows of contacts");
    }
    return RILL_OK;
}

rill_status touches_add_rows(rill_world *w, rows *r) {
    w->stats.body_contacts = 0;
    FOR_ALIVE(w, body, a) {
        touch_sample samples[TOUCH_SAMPLES_MAX];
        touch found[TOUCH_SAMPLES_MAX];
        const int count = touch_samples(w, a, samples);
        const double reach = reach_of(a, samples, count);
        FOR_ALIVE(w, solid, s) {
            if (!may_touch(w, a, s)) continue;
            rill_vec normal;
            /* What may be reached within this step. */
            const body *b = body_of_solid(w, s);
            const double speed = dvec_length(dvec_load(a->v)) + reach * dvec_length(dvec_load(a->w)) +
                                 (b ? dvec_length(dvec_load(b->v)) : dvec_length(dvec_of(s->pose.velocity)));
            const double margin = fmax(2 * speed * r->dt, 0.02 * reach);
            const double distance = (double)w->operations->placed_distance(w, s, dvec_out(dvec_load(a->x)), &normal);
            if (distance > reach + margin) continue;
            const rill_status status = add_found(w, r, found, find_patch(w, a, samples, count, s, margin, found));
            if (status != RILL_OK) return status;
        }
    }
    return RILL_OK;
}

static int compare_keys(const void *a, const void *b) {
    const uint64_t x = ((const touch_memory *)a)->key, y = ((const touch_memory *)b)->key;
    return x < y ? -1 : x > y;
}

rill_status touches_remember(rill_world *w, const rows *r) {
    const int count = w->stats.body_contacts;
    if (count > 0 && !buffer_reserve(&w->memory, &w->touches, sizeof(touch_memory) * (size_t)count, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for contacts of bodies");
    const touch *kept = w->rigid_touches.data;
    touch_memory *items = w->touches.data;
    /* Contacts' rows follow those of joints, in the order of the contacts. */
    int at = 0;
    while (at < r->count && r->items[at].memory) at++;
    for (int k = 0; k < count; k++) {
        items[k] = (touch_memory){.key = kept[k].key, .lambda = {r->items[at].lambda}};
        const int normal = at++;
        for (int n = 1; at < r->count && r->items[at].normal == normal; n++) items[k].lambda[n] = r->items[at++].lambda;
    }
    w->touch_count = count;
    if (count > 1) qsort(items, (size_t)count, sizeof *items, compare_keys);
    return RILL_OK;
}

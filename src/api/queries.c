/* SPDX-License-Identifier: MIT */
/* Solids and bodies at a point, in a box or along a ray. Queries use only signed distances and boxes of solids, so that
   they work for every kind of shape. Distances may be slightly off (distance fields of meshes), signs may not. */
#include "api/world.h"
#include "core/dvec.h"
#include "rigid/rigid.h"
#include "solid/solid_tree.h"
#include "solid/solids.h"

/* A step along a ray as a share of the distance to the solid; the shortest step as a share of the way through the
   solid's box; and bisections of a hit. */
#define RAY_CAUTION  0.9
#define RAY_STEP_MIN 5e-4
#define RAY_HALVINGS 48
/* Levels of halving a box in search of a point in the solid. */
#define BOX_HALVINGS 7

static rill_status prepare(rill_world *w, const void *out, const char *what, rill_vec a, rill_vec b) {
    if (!w) return RILL_INVALID;
    if (!out) return rill_fail(&w->error, RILL_INVALID, "%s: the pointer for the result is NULL", what);
    const float numbers[] = {a.x, a.y, a.z, b.x, b.y, b.z};
    for (int k = 0; k < 6; k++)
        if (!isfinite(numbers[k])) return rill_fail(&w->error, RILL_INVALID, "%s: vectors must be finite", what);
    if (w->placed && w->placed_time == w->stats.time) return RILL_OK;
    return rill_rigid_place(w, w->stats.time);
}

static bool asked(const rill_world *w, const rill_filter *filter, const solid *s) {
    const rill_filter f = filter ? *filter : rill_filter_default();
    if (s->body == 0) return f.solids;
    return f.bodies && (POOL_ITEMS(w, body)[s->body - 1].def.layer & f.mask) != 0;
}

/* Finds the solids near the box between two points, in the order of their slots. */
static void find_near(const rill_world *w, dvec a, dvec b, near_solids *near) {
    rill_vec low = dvec_out((dvec){fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)});
    rill_vec high = dvec_out((dvec){fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)});
    if (w->def.dim == 2) low.z = high.z = 0.0f;
    /* Boxes and distances are rounded, so solids up to a spacing away count as near. */
    rill_solids_near(w, low, high, w->def.spacing, near);
}

static double distance_at(const rill_world *w, const solid *s, dvec p, rill_vec *normal) {
    return (double)solid_operations_of(w)->distance(w, s, dvec_out(p), normal);
}

static rill_hit hit_at(const rill_world *w, const solid *s, dvec p) {
    rill_hit hit = {.solid = {(uint32_t)(s - POOL_ITEMS(w, solid)) + 1, s->slot.age}, .point = dvec_out(p)};
    if (s->body > 0) hit.body = (rill_body_id){(uint32_t)s->body, POOL_ITEMS(w, body)[s->body - 1].slot.age};
    hit.distance = (float)distance_at(w, s, p, &hit.normal);
    return hit;
}

static void put_hit(rill_hit *hits, int capacity, int *count, rill_hit hit) {
    if (hits && *count < capacity) hits[*count] = hit;
    ++*count;
}

rill_status rill_world_query_point(rill_world *w, rill_vec point, const rill_filter *filter, rill_hit *hits,
                                   int capacity, int *count) {
    TRY(prepare(w, count, "query_point", point, point));
    *count = 0;
    near_solids near;
    find_near(w, dvec_of(point), dvec_of(point), &near);
    for (int n = 0; n < near.count; n++) {
        const solid *s = &POOL_ITEMS(w, solid)[near.slots[n]];
        if (!asked(w, filter, s)) continue;
        const rill_hit hit = hit_at(w, s, dvec_of(point));
        if (hit.distance <= 0.0f) put_hit(hits, capacity, count, hit);
    }
    return RILL_OK;
}

/* ---- boxes ---- */

typedef struct cell {
    dvec low, high;
} cell;

static double clamped(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

/* Looks for a point of the solid in a cell: at its centre, at the point of the solid's surface nearest to that, then in
   its halves along all axes. A cell is empty if the surface is farther from its centre than its corners. */
static bool search_cell(const rill_world *w, const solid *s, cell c, int halvings, dvec *found) {
    const dvec centre = dvec_scale(dvec_add(c.low, c.high), 0.5);
    rill_vec normal;
    const double d = distance_at(w, s, centre, &normal);
    *found = centre;
    if (d <= 0) return true;
    if (d > 0.5 * dvec_length(dvec_sub(c.high, c.low))) return false;
    const dvec surface = dvec_along(centre, -d, dvec_of(normal));
    for (int k = 0; k < 3; k++) (&found->x)[k] = clamped((&surface.x)[k], (&c.low.x)[k], (&c.high.x)[k]);
    if (distance_at(w, s, *found, &normal) <= 0) return true;
    if (halvings == 0) return false;
    for (int part = 0; part < 1 << w->def.dim; part++) {
        cell half = c;
        for (int axis = 0; axis < w->def.dim; axis++)
            *(part >> axis & 1 ? &(&half.low.x)[axis] : &(&half.high.x)[axis]) = (&centre.x)[axis];
        if (search_cell(w, s, half, halvings - 1, found)) return true;
    }
    return false;
}

static bool cut_box(const rill_world *w, const solid *s, cell *c) {
    rill_vec low, high;
    if (!solid_operations_of(w)->box(w, s, &low, &high)) return true;
    for (int axis = 0; axis < w->def.dim; axis++) {
        (&c->low.x)[axis] = fmax((&c->low.x)[axis], (double)(&low.x)[axis]);
        (&c->high.x)[axis] = fmin((&c->high.x)[axis], (double)(&high.x)[axis]);
        if ((&c->low.x)[axis] > (&c->high.x)[axis]) return false;
    }
    return true;
}

rill_status rill_world_query_box(rill_world *w, rill_vec min, rill_vec max, const rill_filter *filter, rill_hit *hits,
                                 int capacity, int *count) {
    TRY(prepare(w, count, "query_box", min, max));
    if (w->def.dim == 2) min.z = max.z = 0.0f;
    if (min.x > max.x || min.y > max.y || min.z > max.z)
        return rill_fail(&w->error, RILL_INVALID, "query_box: min must not be greater than max");
    *count = 0;
    near_solids near;
    find_near(w, dvec_of(min), dvec_of(max), &near);
    for (int n = 0; n < near.count; n++) {
        const solid *s = &POOL_ITEMS(w, solid)[near.slots[n]];
        cell c = {dvec_of(min), dvec_of(max)};
        dvec found;
        if (!asked(w, filter, s) || !cut_box(w, s, &c)) continue;
        if (search_cell(w, s, c, BOX_HALVINGS, &found)) put_hit(hits, capacity, count, hit_at(w, s, found));
    }
    return RILL_OK;
}

/* ---- rays ---- */

typedef struct ray {
    dvec origin, along; /* `along` has unit length */
    double length;
} ray;

/* The part of a ray within the solid's box; false if the ray misses it. */
static bool cut_ray(const rill_world *w, const solid *s, const ray *r, double *from, double *to) {
    rill_vec low, high;
    *from = 0, *to = r->length;
    if (!solid_operations_of(w)->box(w, s, &low, &high)) return true;
    for (int axis = 0; axis < w->def.dim; axis++) {
        const double o = (&r->origin.x)[axis], v = (&r->along.x)[axis];
        const double a = (double)(&low.x)[axis] - o, b = (double)(&high.x)[axis] - o;
        if (v == 0) {
            if (a > 0 || b < 0) return false;
            continue;
        }
        *from = fmax(*from, fmin(a / v, b / v));
        *to = fmin(*to, fmax(a / v, b / v));
    }
    return *from <= *to;
}

/* Bisects between a distance outside the solid and one inside. Returns one just inside. */
static double bisect(const rill_world *w, const solid *s, const ray *r, double out, double in) {
    rill_vec normal;
    for (int k = 0; k < RAY_HALVINGS; k++) {
        const double middle = 0.5 * (out + in);
        *(distance_at(w, s, dvec_along(r->origin, middle, r->along), &normal) > 0 ? &out : &in) = middle;
    }
    return in;
}

/* Sphere tracing that watches the sign of the distance: a step that went too far is noticed and bisected. Only parts of
   a solid thinner along the ray than the shortest step can be missed. */
static bool trace(const rill_world *w, const solid *s, const ray *r, double *hit) {
    double from, to;
    if (!cut_ray(w, s, r, &from, &to)) return false;
    const double least = fmax(RAY_STEP_MIN * (to - from), 1e-12);
    double outside = from;
    for (double t = from;;) {
        rill_vec normal;
        const double d = distance_at(w, s, dvec_along(r->origin, t, r->along), &normal);
        if (d <= 0) {
            *hit = t > from ? bisect(w, s, r, outside, t) : t;
            return true;
        }
        if (t >= to) return false;
        outside = t;
        t = fmin(t + fmax(RAY_CAUTION * d, least), to);
    }
}

rill_status rill_world_query_ray(rill_world *w, rill_vec origin, rill_vec direction, float length,
                                 const rill_filter *filter, rill_hit *hit, bool *found) {
    TRY(prepare(w, found, "query_ray", origin, direction));
    if (w->def.dim == 2) direction.z = origin.z = 0.0f;
    ray r = {dvec_of(origin), dvec_of(direction), (double)length};
    if (!(dvec_length(r.along) > 0)) return rill_fail(&w->error, RILL_INVALID, "query_ray: the direction is zero");
    if (!(length > 0.0f) || !isfinite(length))
        return rill_fail(&w->error, RILL_INVALID, "query_ray: the length must be positive and finite, got %g",
                         (double)length);
    r.along = dvec_direction(r.along);
    *found = false;
    near_solids near;
    find_near(w, r.origin, dvec_along(r.origin, r.length, r.along), &near);
    for (int n = 0; n < near.count; n++) {
        const solid *s = &POOL_ITEMS(w, solid)[near.slots[n]];
        double at;
        if (!asked(w, filter, s) || !trace(w, s, &r, &at) || (*found && at >= r.length)) continue;
        r.length = at; /* the next hit must be nearer */
        *found = true;
        if (!hit) continue;
        *hit = hit_at(w, s, dvec_along(r.origin, at, r.along));
        hit->distance = (float)at;
    }
    return RILL_OK;
}

/* SPDX-License-Identifier: MIT */
/* Makes cloths from their definitions: particles with the mass of the area around them, segments or triangles with
   their shape at rest, and the bends between neighbouring ones. The shape at rest is that of the given points: a curved
   mesh stays curved. A cloth is planned with its own numbering of points, and put into the world when all of it is
   known to be valid, so that a cloth that fails leaves no trace. */
#include "sim/cloth/cloth.h"

#include "core/dvec.h"
#include "core/sort.h"
#include "rigid/body.h"
#include "sim/gauge.h"

#include <string.h>

/* Most points of a cloth: a typo in a size must not exhaust the machine. */
#define POINTS_MAX 20000000.0

static const field_def segment_values[] = {{"length", "m", "length at rest", RILL_SCALAR_FLOAT, 1, 1, 0},
                                           {"width", "m", "width represented", RILL_SCALAR_FLOAT, 1, 1, 0}};
static const field_def triangle_values[] = {
    {"shape", "m", "corners (0, 0), (a, 0), (b, c) at rest", RILL_SCALAR_FLOAT, 3, 3, 0}};
static const field_def hinge_values[] = {
    {"shares", "", "weights of its particles in the bend", RILL_SCALAR_FLOAT, 4, 4, 0},
    {"area", "m^2", "area represented", RILL_SCALAR_FLOAT, 1, 1, 0},
    {"rest", "m", "bend at rest", RILL_SCALAR_FLOAT, 1, 1, 0}};
static const field_def curve_values[] = {
    {"shares", "", "weights of its particles in the bend", RILL_SCALAR_FLOAT, 3, 3, 0},
    {"area", "m^2", "area represented", RILL_SCALAR_FLOAT, 1, 1, 0},
    {"rest", "m", "bend at rest", RILL_SCALAR_FLOAT, 1, 1, 0}};

const link_set_def rill_cloth_links[CLOTH_SETS] = {
    [CLOTH_SEGMENTS] = {"segments", "pieces of ropes, and of cloth in 2D", 2, segment_values, 2,
                        LINK_SHOW | LINK_SAVE | LINK_MUTUAL},
    [CLOTH_TRIANGLES] = {"triangles", "pieces of cloth", 3, triangle_values, 1, LINK_SHOW | LINK_SAVE | LINK_TOUCH},
    [CLOTH_HINGES] = {"hinges", "bends between two triangles", 4, hinge_values, 3, LINK_SAVE},
    [CLOTH_CURVES] = {"curves", "bends between two segments", 3, curve_values, 3, LINK_SAVE}};

/* ---- a cloth that is being made ---- */

typedef struct plan {
    rill_world *world;
    const cloth *cloth;
    int point_count, count[CLOTH_SETS];
    vec *point;
    int32_t (*end[CLOTH_SETS])[LINK_ENDS_MAX]; /* points of the plan */
    float *mass;
    int first; /* particle */
    struct {
        void *data;
        size_t size;
    } taken[16]; /* memory, released together */
    int taken_count;
} plan;

/* Zeroed memory that lasts as long as the plan, or NULL. */
static void *take(plan *p, int64_t count, size_t each) {
    const size_t size = (size_t)(count > 0 ? count : 1) * each;
    void *data = rill_memory_get(&p->world->memory, size);
    if (!data) return NULL;
    p->taken[p->taken_count].data = data, p->taken[p->taken_count++].size = size;
    return memset(data, 0, size);
}

static void plan_free(plan *p) {
    for (int k = 0; k < p->taken_count; k++) rill_memory_release(&p->world->memory, p->taken[k].data, p->taken[k].size);
}

static bool plan_points(plan *p, int64_t count) {
    p->point_count = (int)count;
    p->point = take(p, count, sizeof *p->point);
    p->mass = take(p, count, sizeof *p->mass);
    return p->point && p->mass;
}

static bool plan_links(plan *p, int set, int64_t count) {
    p->count[set] = (int)count;
    p->end[set] = take(p, count, sizeof *p->end[set]);
    return p->end[set] != NULL;
}

static float spacing_of(const plan *p) {
    return p->cloth->def.spacing > 0.0f ? p->cloth->def.spacing : p->world->def.spacing;
}

/* Number of pieces along an edge, as near to the spacing as possible. */
static int pieces(const plan *p, vec edge) {
    const double n = floor((double)(vec_length(edge) / spacing_of(p)) + 0.5);
    return n < 1 ? 1 : n > POINTS_MAX ? (int)POINTS_MAX : (int)n;
}

static rill_status fail_size(const plan *p) {
    return rill_fail(&p->world->error, RILL_LIMIT,
                     "cloth: more than %.0f particles at a spacing of %g m; take a larger spacing", POINTS_MAX,
                     (double)spacing_of(p));
}

static rill_status fail_memory(const plan *p) {
    return rill_fail(&p->world->error, RILL_MEMORY, "no memory for the cloth '%s'", p->cloth->def.name);
}

/* Plans a line of points, and the bends between its pieces. */
static rill_status plan_line(plan *p) {
    const vec from = vec_of(p->cloth->def.position), edge = vec_of(p->cloth->def.edge_a);
    if (!(vec_length(edge) > 0.0f)) return rill_fail(&p->world->error, RILL_INVALID, "edge_a: must not be zero");
    const int n = pieces(p, edge);
    if (n >= (int)POINTS_MAX) return fail_size(p);
    if (!plan_points(p, n + 1) || !plan_links(p, CLOTH_SEGMENTS, n) || !plan_links(p, CLOTH_CURVES, n - 1))
        return fail_memory(p);
    for (int i = 0; i <= n; i++) p->point[i] = vec_along(from, (float)i / (float)n, edge);
    for (int i = 0; i < n; i++) p->end[CLOTH_SEGMENTS][i][0] = i, p->end[CLOTH_SEGMENTS][i][1] = i + 1;
    for (int i = 0; i + 1 < n; i++)
        for (int k = 0; k < 3; k++) p->end[CLOTH_CURVES][i][k] = i + k;
    return RILL_OK;
}

#if DIM == 3

/* An edge of a triangle, to find the two that share it. */
typedef struct half_edge {
    int32_t low, high, triangle, opposite;
} half_edge;

/* Orders by the ends of the edge, then by triangle: the two at an edge become neighbours, in the same order on every
   machine. */
static int compare_edges(const void *a, const void *b) {
    const int32_t *x = (const int32_t *)a, *y = (const int32_t *)b;
    for (int k = 0; k < 3; k++)
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    return 0;
}

/* Plans a hinge for every edge that two triangles share: the ends of the edge, then the corners opposite to it. */
static rill_status plan_hinges(plan *p) {
    const int triangles = p->count[CLOTH_TRIANGLES];
    half_edge *edges = take(p, 3 * triangles, sizeof *edges);
    if (!edges || !plan_links(p, CLOTH_HINGES, 3 * triangles / 2)) return fail_memory(p);
    for (int t = 0; t < triangles; t++)
        for (int k = 0; k < 3; k++) {
            const int32_t *c = p->end[CLOTH_TRIANGLES][t], a = c[k], b = c[(k + 1) % 3];
            edges[3 * t + k] = (half_edge){a < b ? a : b, a < b ? b : a, t, c[(k + 2) % 3]};
        }
    const int count = 3 * triangles;
    rill_sort_items(edges, count, sizeof *edges, compare_edges);
    int hinges = 0;
    for (int k = 0; k + 1 < count; k++) {
        const half_edge *a = &edges[k], *b = &edges[k + 1];
        if (a->low != b->low || a->high != b->high || a->opposite == b->opposite) continue;
        const int32_t ends[LINK_ENDS_MAX] = {a->low, a->high, a->opposite, b->opposite};
        memcpy(p->end[CLOTH_HINGES][hinges++], ends, sizeof ends);
        k++; /* a third triangle at the edge gets no hinge */
    }
    p->count[CLOTH_HINGES] = hinges;
    return RILL_OK;
}

/* Plans two triangles for each cell, cut along alternating diagonals, so that no direction is preferred. */
static rill_status plan_sheet(plan *p) {
    const rill_cloth_def *def = &p->cloth->def;
    const vec from = vec_of(def->position), a = vec_of(def->edge_a), b = vec_of(def->edge_b);
    if (!(vec_length(vec_cross(a, b)) > 1e-6f * vec_length(a) * vec_length(b)))
        return rill_fail(&p->world->error, RILL_INVALID, "edge_b: must not be parallel to edge_a");
    const int64_t m = pieces(p, a), n = pieces(p, b);
    if ((double)m * (double)n > POINTS_MAX) return fail_size(p);
    if (!plan_points(p, (m + 1) * (n + 1)) || !plan_links(p, CLOTH_TRIANGLES, 2 * m * n)) return fail_memory(p);
    for (int64_t j = 0; j <= n; j++)
        for (int64_t i = 0; i <= m; i++)
            p->point[j * (m + 1) + i] = vec_along(vec_along(from, (float)i / (float)m, a), (float)j / (float)n, b);
    int32_t(*end)[LINK_ENDS_MAX] = p->end[CLOTH_TRIANGLES];
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            const int32_t at = (int32_t)(j * (m + 1) + i), up = at + (int32_t)m + 1;
            const int32_t even[2][3] = {{at, at + 1, up + 1}, {at, up + 1, up}};
            const int32_t odd[2][3] = {{at, at + 1, up}, {at + 1, up + 1, up}};
            for (int k = 0; k < 2; k++) memcpy(*end++, (i + j) % 2 ? odd[k] : even[k], sizeof even[k]);
        }
    return plan_hinges(p);
}

typedef struct corner {
    float x[3];
    int32_t at;
} corner;

/* Orders by place, then by number, so that the first of equal corners is the first to occur. */
static int compare_corners(const void *a, const void *b) {
    const corner *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->x[k] != q->x[k]) return p->x[k] < q->x[k] ? -1 : 1;
    return p->at < q->at ? -1 : p->at > q->at;
}

/* Plans a mesh: equal corners of triangles become one point, numbered as they first occur. */
static rill_status plan_mesh(plan *p) {
    const rill_points *given = &p->cloth->def.points;
    const int n = given->count;
    corner *corners = take(p, n, sizeof *corners);
    int32_t *owner = take(p, n, sizeof *owner);
    if (!corners || !owner || !plan_points(p, n) || !plan_links(p, CLOTH_TRIANGLES, n / 3)) return fail_memory(p);
    for (int k = 0; k < n; k++) corners[k] = (corner){{given->data[k].x, given->data[k].y, given->data[k].z}, k};
    rill_sort_items(corners, n, sizeof *corners, compare_corners);
    for (int k = 0, first = 0; k < n; k++) {
        if (memcmp(corners[k].x, corners[first].x, sizeof corners[k].x) != 0) first = k;
        owner[corners[k].at] = corners[first].at;
    }
    int points = 0;
    for (int k = 0; k < n; k++) {
        if (owner[k] == k) {
            p->point[points] = vec_add(vec_of(given->data[k]), vec_of(p->cloth->def.position));
            owner[k] = points++;
        } else {
            owner[k] = owner[owner[k]];
        }
        p->end[CLOTH_TRIANGLES][k / 3][k % 3] = owner[k];
    }
    p->point_count = points;
    return plan_hinges(p);
}

#endif

/* ---- shapes at rest ---- */

/* Width of a segment [m]; a world in 2D is one metre thick. */
static float segment_width(const plan *p) {
    return DIM == 2 ? 1.0f : p->cloth->def.width;
}

/* Gives half of a segment's mass to each end, a third of a triangle's to each corner. False if a triangle has no
   area. */
static bool share_mass(plan *p) {
    for (int k = 0; k < p->count[CLOTH_SEGMENTS]; k++) {
        const int32_t *e = p->end[CLOTH_SEGMENTS][k];
        const float area = vec_length(vec_sub(p->point[e[1]], p->point[e[0]])) * segment_width(p);
        for (int c = 0; c < 2; c++) p->mass[e[c]] += 0.5f * area * p->cloth->def.mass;
    }
#if DIM == 3
    for (int k = 0; k < p->count[CLOTH_TRIANGLES]; k++) {
        const int32_t *e = p->end[CLOTH_TRIANGLES][k];
        const vec a = vec_sub(p->point[e[1]], p->point[e[0]]), b = vec_sub(p->point[e[2]], p->point[e[0]]);
        const float area = 0.5f * vec_length(vec_cross(a, b));
        if (!(area > 1e-6f * (vec_dot(a, a) + vec_dot(b, b)))) return false;
        for (int c = 0; c < 3; c++) p->mass[e[c]] += area * p->cloth->def.mass / 3.0f;
    }
#endif
    return true;
}

static void set_segment(const plan *p, link_set *s, int link, const vec *x) {
    LINK_VALUES(s, SEGMENT_LENGTH, float)[link] = vec_length(vec_sub(x[1], x[0]));
    LINK_VALUES(s, SEGMENT_WIDTH, float)[link] = segment_width(p);
}

/* |D x|: the curvature of points at rest. */
static float bend_of(const float *shares, const vec *x, int count) {
    vec sum = {0};
    for (int k = 0; k < count; k++) sum = vec_along(sum, shares[k], x[k]);
    return vec_length(sum);
}

/* Curvature of a line: its change of direction over the length that the middle point stands for. */
static void set_curve(const plan *p, link_set *s, int link, const vec *x) {
    float *shares = LINK_VALUES(s, BEND_SHARES, float) + 3 * (size_t)link;
    const float a = vec_length(vec_sub(x[1], x[0])), b = vec_length(vec_sub(x[2], x[1])), half = 0.5f * (a + b);
    shares[0] = 1.0f / (a * half), shares[2] = 1.0f / (b * half), shares[1] = -shares[0] - shares[2];
    LINK_VALUES(s, BEND_AREA, float)[link] = half * segment_width(p);
    LINK_VALUES(s, BEND_REST, float)[link] = bend_of(shares, x, 3);
}

#if DIM == 3

/* Lays a triangle flat with its first corner at (0, 0) and its second at (a, 0): the third is then at (b, c), c its
   height over that edge. Three numbers describe the shape at rest, wherever the triangle lay. */
static void set_triangle(link_set *s, int link, const vec *x) {
    float *shape = LINK_VALUES(s, TRIANGLE_SHAPE, float) + 3 * (size_t)link;
    const vec a = vec_sub(x[1], x[0]), b = vec_sub(x[2], x[0]);
    shape[0] = vec_length(a);
    shape[1] = vec_dot(a, b) / shape[0];
    shape[2] = vec_length(vec_cross(a, b)) / shape[0];
}

static float cotangent(vec a, vec b) {
    return vec_dot(a, b) / vec_length(vec_cross(a, b));
}

/* Shares of a hinge from cotangents (Bergou, Wardetzky, Harmon, Zorin and Grinspun 2006). The area is chosen so that
   bend/2 curvature^2 comes out for cylinders along both edges of a sheet and in a mesh of equal triangles; along the
   diagonals of a sheet it is 8 % more. */
static void set_hinge(link_set *s, int link, const vec *x) {
    float *shares = LINK_VALUES(s, BEND_SHARES, float) + 4 * (size_t)link;
    const vec e = vec_sub(x[1], x[0]), back = vec_scale(e, -1.0f);
    const float c1 = cotangent(e, vec_sub(x[2], x[0])), c2 = cotangent(e, vec_sub(x[3], x[0]));
    const float c3 = cotangent(back, vec_sub(x[2], x[1])), c4 = cotangent(back, vec_sub(x[3], x[1]));
    const float both =
        0.5f * (vec_length(vec_cross(e, vec_sub(x[2], x[0]))) + vec_length(vec_cross(e, vec_sub(x[3], x[0]))));
    const float area = fmaxf(both, 0.8660254f * vec_dot(e, e)), scale = 1.0f / area;
    shares[0] = scale * (c3 + c4), shares[1] = scale * (c1 + c2);
    shares[2] = -scale * (c1 + c3), shares[3] = -scale * (c2 + c4);
    LINK_VALUES(s, BEND_AREA, float)[link] = area;
    LINK_VALUES(s, BEND_REST, float)[link] = bend_of(shares, x, 4);
}

#endif

/* ---- into the world ---- */

typedef struct add_job {
    const plan *plan;
    int set;
} add_job;

/* Adds the links that the particles [begin, end) own, as their first ends. Shapes are measured here, from the points at
   rest. */
static void add_range(int begin, int end, link_writer *writer, void *context) {
    const add_job *job = context;
    const plan *p = job->plan;
    link_set *s = links_in(p->world, job->set);
    for (int k = 0; k < p->count[job->set]; k++) {
        const int32_t *points = p->end[job->set][k];
        int32_t ends[LINK_ENDS_MAX] = {0};
        vec x[LINK_ENDS_MAX] = {0};
        for (int c = 0; c < s->def.ends; c++) ends[c] = p->first + points[c], x[c] = p->point[points[c]];
        if (ends[0] < begin || ends[0] >= end) continue;
        const int link = rill_link_add(writer, ends);
        if (link < 0) continue;
        if (job->set == CLOTH_SEGMENTS) set_segment(p, s, link, x);
        if (job->set == CLOTH_CURVES) set_curve(p, s, link, x);
#if DIM == 3
        if (job->set == CLOTH_TRIANGLES) set_triangle(s, link, x);
        if (job->set == CLOTH_HINGES) set_hinge(s, link, x);
#endif
    }
}

static void put_particles(const plan *p) {
    rill_world *w = p->world;
    const uint32_t phase = WORLD_FLUIDS_MAX + (uint32_t)(p->cloth - POOL_ITEMS(w, cloth));
    for (int k = 0; k < p->point_count; k++) {
        const int i = p->first + k;
        places_of(w)[i] = (place){.x = p->point[k], .m = p->mass[k]};
        velocities_of(w)[i] = vec_of(p->cloth->def.velocity);
        fluids_of(w)[i] = phase;
    }
}

/* Adds particles, then links. If links fail the particles are removed again: the world is as it was. */
static rill_status put_cloth(plan *p) {
    rill_world *w = p->world;
    const int64_t all = (int64_t)w->particles.count + p->point_count;
    if (all > INT32_MAX / 2 || !rill_particles_reserve(&w->memory, &w->particles, (int)all) ||
        !rill_particles_settle_links(&w->memory, &w->particles, w->workers))
        return fail_memory(p);
    p->first = rill_particles_append(&w->particles, p->point_count);
    put_particles(p);
    rill_status status = rill_particles_adopt_links(&w->memory, &w->particles, w->workers) ? RILL_OK : fail_memory(p);
    for (int set = 0; set < CLOTH_SETS && status == RILL_OK; set++)
        if (p->count[set] > 0) status = world_change_links(w, set, NULL, add_range, &(add_job){p, set});
    if (status == RILL_OK) return RILL_OK;
    w->particles.count = p->first;
    rill_particles_settle_links(&w->memory, &w->particles, w->workers);
    return status;
}

static rill_status make_plan(plan *p) {
#if DIM == 3
    if (p->cloth->def.kind == RILL_CLOTH_SHEET) return plan_sheet(p);
    if (p->cloth->def.kind == RILL_CLOTH_MESH) return plan_mesh(p);
#endif
    return plan_line(p);
}

rill_status rill_cloth_use(rill_world *w) {
    if (!sim_of(w)->method->has_cloth)
        return rill_fail(&w->error, RILL_INVALID,
                         "cloth: the method '%s' does not support cloth; docs/cloth.md lists those that do",
                         w->def.method);
    if (halo_needed(w))
        return rill_fail(&w->error, RILL_INVALID, "cloth: not supported in a periodic world; set periodic to 0");
    memory *m = &w->memory;
    if (rill_particles_use(m, &w->particles, EXTRA_PIN) && rill_particles_use(m, &w->particles, EXTRA_ANCHOR) &&
        rill_particles_use_links(m, &w->particles, rill_cloth_links, CLOTH_SETS))
        return RILL_OK;
    return rill_fail(&w->error, RILL_MEMORY, "no memory for cloth among %d particles", w->particles.count);
}

rill_status rill_cloth_add(rill_world *w, const cloth *c) {
    plan p = {.world = w, .cloth = c};
    rill_status status = make_plan(&p);
    if (status == RILL_OK && !share_mass(&p))
        status = rill_fail(&w->error, RILL_INVALID, "cloth: a triangle of '%s' has no area", c->def.name);
    if (status == RILL_OK) status = rill_cloth_use(w);
    if (status == RILL_OK) status = put_cloth(&p);
    plan_free(&p);
    if (status == RILL_OK && w->stats.step == 0) rill_gauge_count_energies(w);
    return status;
}

rill_status rill_cloth_remove(rill_world *w, const cloth *c) {
    const uint32_t phase = WORLD_FLUIDS_MAX + (uint32_t)(c - POOL_ITEMS(w, cloth));
    buffer *keep = &sim_of(w)->keep;
    if (!rill_buffer_reserve(&w->memory, keep, (size_t)w->particles.capacity, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory to remove the cloth '%s'", c->def.name);
    for (int i = 0; i < w->particles.count; i++) ((uint8_t *)keep->data)[i] = fluids_of(w)[i] != phase;
    rill_particles_keep(&w->particles, keep->data);
    return RILL_OK;
}

/* ---- pins ---- */

static bool is_between(const rill_pin_def *def, vec x, float tolerance) {
    for (int axis = 0; axis < DIM; axis++)
        if (vec_get(x, axis) < (&def->min.x)[axis] - tolerance || vec_get(x, axis) > (&def->max.x)[axis] + tolerance)
            return false;
    return true;
}

/* Where a point, taken back with its pin, was when the pin's motion began or its body was added. */
static vec anchor_of(const rill_world *w, const pin *p, vec x) {
    const body *b = POOL_GET(w, body, p->def.body);
    const rill_vec now = vec_out(x);
    if (b) {
        const dvec from = rill_body_turn_back(b, dvec_sub(dvec_of(now), dvec_load(b->x)));
        const dvec at = dvec_add(dvec_load(b->start), from);
        return vec_of((rill_vec){(float)at.x, (float)at.y, (float)at.z});
    }
    const pose *q = &p->pose;
    const float *pivot = &q->pivot.x, *offset = &q->offset.x;
    float at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = pivot[k];
        for (int c = 0; c < 3; c++) at[k] += q->turn[c][k] * ((&now.x)[c] - pivot[c] - offset[c]);
    }
    return vec_of((rill_vec){at[0], at[1], at[2]});
}

/* Pins particles; those that another pin holds stay with that one. */
rill_status rill_cloth_add_pin(rill_world *w, pin *p) {
    const cloth *c = POOL_GET(w, cloth, p->def.cloth);
    const uint32_t phase = WORLD_FLUIDS_MAX + p->def.cloth.index1 - 1, number = (uint32_t)(p - POOL_ITEMS(w, pin)) + 1;
    const float tolerance = 1e-3f * (c->def.spacing > 0.0f ? c->def.spacing : w->def.spacing);
    int found = 0;
    for (int i = 0; i < w->particles.count; i++) {
        const vec x = places_of(w)[i].x;
        if (fluids_of(w)[i] != phase || cloth_pins(w)[i] > 0 || !is_between(&p->def, x, tolerance)) continue;
        cloth_pins(w)[i] = number;
        cloth_anchors(w)[i] = anchor_of(w, p, x);
        found++;
    }
    if (found > 0) return RILL_OK;
    return rill_fail(&w->error, RILL_INVALID, "pin: no free particle of '%s' lies between min and max", c->def.name);
}

void rill_cloth_remove_pin(rill_world *w, const pin *p) {
    const uint32_t number = (uint32_t)(p - POOL_ITEMS(w, pin)) + 1;
    for (int i = 0; i < w->particles.count; i++)
        if (cloth_pins(w)[i] == number) cloth_pins(w)[i] = 0;
}

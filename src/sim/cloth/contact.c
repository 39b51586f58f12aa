/* SPDX-License-Identifier: MIT */
/* Points near the pieces of cloths: fluid particles that a cloth holds back, and particles of cloths, which must not
   pass through each other's pieces. Pairs are found at the beginning of a step, when every point is still on its proper
   side; so no side has to be remembered. */
#include "sim/cloth/cloth.h"

#include "core/error.h"

#include <string.h>

/* Most pairs of one point; more are left out. */
#define NEAR_MAX 64
/* Pairs of a point both act if their normals differ by more than 60 degrees (cosine), as in a fold. */
#define FOLD 0.5f
/* Points nearer than this share of the distance that is kept are put back at the end of a step. */
#define LEAST_GAP 0.5f

typedef struct pair_search {
    cloth_job *job;
    const int32_t *order; /* elements by cell */
    const place *piece;   /* middle of each element, with its radius as `m` */
    float reach;          /* search distance beyond that which is kept [m] */
    float apart;          /* largest distance that is kept [m] */
    const int32_t *first; /* first pair of each block of points */
    cloth_pair *pair;
} pair_search;

/* Where a particle was at the beginning of the step. */
static vec start_of(const cloth_job *job, int i) {
    return vec_along(places_of(job->world)[i].x, -job->dt, velocities_of(job->world)[i]);
}

/* ---- the nearest place of a piece ---- */

static float clamp01(float x) {
    return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

/* Weights of the nearest place: the foot of the perpendicular, or the nearer end if the foot lies beyond it. */
static void nearest_on_segment(const vec *x, vec p, float *share) {
    const vec along = vec_sub(x[1], x[0]);
    const float length2 = vec_dot(along, along);
    const float t = length2 > 0.0f ? clamp01(vec_dot(vec_sub(p, x[0]), along) / length2) : 0.0f;
    share[0] = 1.0f - t, share[1] = t, share[2] = 0.0f;
}

#if DIM == 3
/* Weights of the nearest place: the foot of the perpendicular if it lies in the face, otherwise on the nearest edge. */
static void nearest_on_triangle(const vec *x, vec p, float *share) {
    const vec a = vec_sub(x[1], x[0]), b = vec_sub(x[2], x[0]), d = vec_sub(p, x[0]), n = vec_cross(a, b);
    const float area2 = vec_dot(n, n);
    if (area2 > 0.0f) {
        const float v = vec_dot(vec_cross(d, b), n) / area2, u = vec_dot(vec_cross(a, d), n) / area2;
        share[0] = 1.0f - u - v, share[1] = v, share[2] = u;
        if (u >= 0.0f && v >= 0.0f && u + v <= 1.0f) return;
    }
    float least = INFINITY;
    for (int k = 0; k < 3; k++) {
        const int other = (k + 1) % 3;
        const vec edge[2] = {x[k], x[other]};
        float s[3];
        nearest_on_segment(edge, p, s);
        const vec at = vec_along(vec_scale(x[k], s[0]), s[1], x[other]), away = vec_sub(p, at);
        if (!(vec_dot(away, away) < least)) continue;
        least = vec_dot(away, away);
        share[0] = share[1] = share[2] = 0.0f;
        share[k] = s[0], share[other] = s[1];
    }
}
#endif

static void nearest_on(const vec *x, int count, vec p, float *share) {
#if DIM == 3
    if (count == 3) {
        nearest_on_triangle(x, p, share);
        return;
    }
#endif
    (void)count;
    nearest_on_segment(x, p, share);
}

static vec mix(const vec *x, const float *share, int count) {
    vec sum = {0};
    for (int k = 0; k < count; k++) sum = vec_along(sum, share[k], x[k]);
    return sum;
}

/* ---- pairs ---- */

/* The distance that a point keeps from a piece; a rope is as thick as it is wide. */
static float kept_apart(const rill_world *w, int point, const cloth *c, int count) {
    const float thickness = cloth_thickness(w, c);
    const float own = DIM == 3 && count == 2 ? fmaxf(thickness, c->def.width) : thickness;
    if (is_fluid(w, point)) return 0.5f * own + w->wall_distance;
    const float spacing = c->def.spacing > 0.0f ? c->def.spacing : w->def.spacing;
    return fminf(own, 0.5f * spacing);
}

/* Whether a point may touch a piece. Fluid touches all cloth. Cloth touches other cloths, and itself if asked to, but
   no particle its own pieces. In 3D no cloth touches a rope: a point and a line miss each other. */
static bool may_touch(const rill_world *w, int point, const int32_t *ends, int count) {
    if (is_fluid(w, point)) return true;
    bool apart = cloth_of(w, point)->def.self_collision || fluids_of(w)[point] != fluids_of(w)[ends[0]];
    for (int k = 0; k < count; k++) apart = apart && ends[k] != point;
    return apart && !(DIM == 3 && count == 2);
}

/* By how much a point and a piece may come closer in the step, with a margin for what rows do to them. */
static float closing(const cloth_job *job, int point, const int32_t *ends, int count) {
    const vec *v = velocities_of(job->world);
    float most = 0.0f;
    for (int k = 0; k < count; k++) most = fmaxf(most, vec_length(vec_sub(v[point], v[ends[k]])));
    return 1.5f * most * job->dt;
}

/* Whether a piece is farther than `distance` from x. This excludes nearly all pieces of the cells around, from their
   middle and radius alone; the margin is for rounding, so that no pair is lost. */
static bool out_of_reach(const pair_search *s, int element, vec x, float distance) {
    const place *p = &s->piece[element];
    const vec away = vec_sub(x, p->x);
    const float most = 1.001f * (p->m + distance);
    return vec_dot(away, away) > most * most;
}

/* Makes the pair of a point and a piece, if they are near. */
static bool find_pair(const pair_search *s, int point, vec x, int element, cloth_pair *out) {
    const cloth_job *job = s->job;
    const rill_world *w = job->world;
    const int32_t *ends;
    const int count = cloth_element(w, element, &ends);
    if (!may_touch(w, point, ends, count)) return false;
    const float apart = kept_apart(w, point, cloth_of(w, ends[0]), count);
    const float within = 1.5f * apart + fminf(closing(job, point, ends, count), s->reach);
    if (out_of_reach(s, element, x, within)) return false;
    vec corner[3];
    for (int k = 0; k < count; k++) corner[k] = start_of(job, ends[k]);
    *out = (cloth_pair){.point = point, .element = element, .from = x, .apart = apart};
    nearest_on(corner, count, x, out->share);
    const vec away = vec_sub(x, mix(corner, out->share, count));
    out->gap = vec_length(away);
    if (!(out->gap < within)) return false;
    if (!(out->gap > 1e-3f * apart)) return false; /* a point on the piece has no side to stay on */
    out->normal = vec_scale(away, 1.0f / out->gap);
    out->permeable = is_fluid(w, point) && cloth_of(w, ends[0])->def.permeability > 0.0f;
    /* only one layer of particles is slowed down */
    return !out->permeable || out->gap < 0.5f * w->def.spacing;
}

/* Lets only the nearest piece act on the point, and others where the cloth is folded around it. The flat pieces beside
   the nearest one would press the point sideways, as if it lay in a bowl. */
static void choose_acting(cloth_pair *pairs, int count) {
    int best = 0;
    for (int k = 1; k < count; k++)
        if (pairs[k].gap < pairs[best].gap) best = k;
    for (int k = 0; k < count; k++) pairs[k].acts = k == best || vec_dot(pairs[k].normal, pairs[best].normal) < FOLD;
}

/* Finds the pairs of a point. Cells are as wide as a point may be from the middle of its piece, so that all such pieces
   lie in the cell of the point or beside it. */
static int pairs_of(const pair_search *s, int point, cloth_pair *out) {
    const grid *g = &sim_of(s->job->world)->cloth_grid;
    const vec x = start_of(s->job, point);
    int32_t cell[DIM], at[DIM];
    for (int axis = 0; axis < DIM; axis++) cell[axis] = grid_coordinate(g, vec_get(x, axis));
    int found = 0;
    for (int k = 0; k < (DIM == 3 ? 27 : 9); k++) {
        int begin, end;
        at[0] = cell[0] + k % 3 - 1, at[1] = cell[1] + k / 3 % 3 - 1;
        if (DIM == 3) at[DIM - 1] = cell[DIM - 1] + k / 9 - 1;
        rill_grid_cell(g, at, &begin, &end);
        for (int n = begin; n < end && found < NEAR_MAX; n++)
            if (!out_of_reach(s, s->order[n], x, s->reach + 1.5f * s->apart))
                found += find_pair(s, point, x, s->order[n], &out[found]);
    }
    choose_acting(out, found);
    return found;
}

static double count_block(int begin, int end, void *context) {
    cloth_pair near[NEAR_MAX];
    int sum = 0;
    for (int i = begin; i < end; i++) sum += pairs_of(context, i, near);
    return sum;
}

static void write_block(int begin, int end, void *context) {
    const pair_search *s = context;
    if (!s->pair) return; /* no pairs, so no list to write to */
    const int block = begin / LOOP_GRAIN;
    if (s->first[block + 1] == s->first[block]) return;
    cloth_pair near[NEAR_MAX], *to = s->pair + s->first[block];
    for (int i = begin; i < end; i++) {
        const int found = pairs_of(s, i, near);
        memcpy(to, near, sizeof *to * (size_t)found);
        to += found;
    }
}

static double speed2_block(int begin, int end, void *context) {
    const vec *v = velocities_of((const rill_world *)context);
    float most = 0.0f;
    for (int i = begin; i < end; i++) most = fmaxf(most, vec_dot(v[i], v[i]));
    return (double)most;
}

/* Finds the middle and radius of each piece; returns the largest radius. */
static float place_elements(const cloth_job *job, place *middle) {
    const rill_world *w = job->world;
    float most = 0.0f;
    for (int e = 0; e < cloth_element_count(w); e++) {
        const int32_t *ends;
        const int count = cloth_element(w, e, &ends);
        vec sum = {0};
        float radius = 0.0f;
        for (int k = 0; k < count; k++) sum = vec_along(sum, 1.0f / (float)count, start_of(job, ends[k]));
        for (int k = 0; k < count; k++) radius = fmaxf(radius, vec_length(vec_sub(start_of(job, ends[k]), sum)));
        middle[e] = (place){.x = sum, .m = radius};
        most = fmaxf(most, radius);
    }
    return most;
}

static float most_apart(const rill_world *w) {
    float most = 0.0f;
    FOR_ALIVE(w, cloth, c)
    most = fmaxf(most, 0.5f * fmaxf(2.0f * cloth_thickness(w, c), c->def.width) + w->wall_distance);
    return most;
}

rill_status rill_cloth_find_pairs(cloth_job *job) {
    rill_world *w = job->world;
    sim *sim = sim_of(w);
    const int elements = cloth_element_count(w), blocks = (w->particles.count + LOOP_GRAIN - 1) / LOOP_GRAIN;
    job->pair_count = 0;
    if (elements == 0) return RILL_OK;
    if (!rill_buffer_grow(&w->memory, &sim->cloth_pieces, sizeof(place) * (size_t)elements, 0) ||
        !rill_buffer_reserve(&w->memory, &sim->starts, sizeof(int32_t) * ((size_t)blocks + 1), 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for %d pieces of cloth", elements);
    /* twice the speed: both may move towards each other */
    const double speed = sqrt(world_max(w, speed2_block, w));
    pair_search s = {.job = job,
                     .piece = sim->cloth_pieces.data,
                     .reach = fminf(2.0f * (float)speed * job->dt, w->support),
                     .apart = most_apart(w)};
    const float radius = place_elements(job, sim->cloth_pieces.data);
    TRY(rill_grid_sort(&sim->cloth_grid, &w->memory, w->workers, sim->cloth_pieces.data, elements,
                       radius + s.reach + 1.5f * s.apart, &w->error));
    s.order = sim->cloth_grid.order.data;
    const int64_t count =
        rill_reduce_starts(w->workers, w->particles.count, LOOP_GRAIN, count_block, &s, sim->starts.data);
    if (count > INT32_MAX / 8 ||
        !rill_buffer_grow(&w->memory, &sim->cloth_pairs, sizeof(cloth_pair) * (size_t)count, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for %lld contacts of cloth", (long long)count);
    s.first = sim->starts.data, s.pair = job->pair = sim->cloth_pairs.data;
    job->pair_count = (int)count;
    rill_parallel_for(w->workers, w->particles.count, LOOP_GRAIN, write_block, &s);
    return RILL_OK;
}

/* ---- points that came through ---- */

/* The normal of a piece. False if points cannot pass through it: a rope in 3D. */
static bool piece_normal(const vec *x, int count, vec *n) {
#if DIM == 2
    (void)count;
    const vec along = vec_sub(x[1], x[0]);
    *n = vec_direction((vec){-along.y, along.x});
    return true;
#else
    if (count < 3) return false;
    *n = vec_direction(vec_cross(vec_sub(x[1], x[0]), vec_sub(x[2], x[0])));
    return true;
#endif
}

/* Weights of the foot of a point in the plane of a piece. True if the foot lies in the piece: no weight is negative. */
static bool foot_in(const vec *x, int count, vec p, float *share) {
    const vec a = vec_sub(x[1], x[0]), d = vec_sub(p, x[0]);
#if DIM == 3
    if (count == 3) {
        const vec b = vec_sub(x[2], x[0]), n = vec_cross(a, b);
        const float area2 = vec_dot(n, n);
        if (!(area2 > 0.0f)) return false;
        share[1] = vec_dot(vec_cross(d, b), n) / area2, share[2] = vec_dot(vec_cross(a, d), n) / area2;
        share[0] = 1.0f - share[1] - share[2];
        return share[0] >= -1e-3f && share[1] >= -1e-3f && share[2] >= -1e-3f;
    }
#endif
    (void)count;
    const float length2 = vec_dot(a, a);
    if (!(length2 > 0.0f)) return false;
    share[1] = vec_dot(d, a) / length2, share[0] = 1.0f - share[1], share[2] = 0.0f;
    return share[0] >= -1e-3f && share[1] >= -1e-3f;
}

/* Whether the point has passed through the piece in the step, or ended too near; then the weights of the place, the
   normal there and the signed distance. */
static bool came_through(const cloth_job *job, const cloth_pair *pair, const vec *now, int count, float *share,
                         vec *normal, float *gap) {
    const rill_world *w = job->world;
    const int32_t *ends;
    cloth_element(w, pair->element, &ends);
    vec before[3], n0;
    for (int k = 0; k < count; k++) before[k] = job->start[ends[k] - job->cloth_begin];
    const vec from = pair->from, to = places_of(w)[pair->point].x;
    if (!piece_normal(before, count, &n0) || !piece_normal(now, count, normal)) return false;
    const float d0 = vec_dot(vec_sub(from, before[0]), n0);
    if (d0 < 0.0f) *normal = vec_scale(*normal, -1.0f);
    *gap = vec_dot(vec_sub(to, now[0]), *normal);
    const float least = LEAST_GAP * pair->apart;
    if (*gap >= least) return false;
    if (*gap >= 0.0f) return foot_in(now, count, to, share);
    /* where the path meets the moving piece, both along straight lines */
    const float t = fabsf(d0) / (fabsf(d0) - *gap);
    vec between[3];
    for (int k = 0; k < count; k++) between[k] = vec_along(vec_scale(before[k], 1.0f - t), t, now[k]);
    const vec at = vec_along(vec_scale(from, 1.0f - t), t, to);
    return foot_in(between, count, at, share);
}

/* Puts the point back to its side, and ends the approach by an impulse between both. The impulses are equal and
   opposite, so momentum is conserved; pins hold their particles. */
static void put_back(cloth_job *job, const cloth_pair *pair, const int32_t *ends, int count, const float *share,
                     vec normal, float missing) {
    rill_world *w = job->world;
    vec *v = velocities_of(w);
    const bool held = cloth_pins(w)[pair->point] > 0;
    float inverse = held ? 0.0f : 1.0f / places_of(w)[pair->point].m;
    vec speed = v[pair->point];
    if (!held) places_of(w)[pair->point].x = vec_along(places_of(w)[pair->point].x, missing, normal);
    for (int k = 0; k < count; k++) {
        speed = vec_along(speed, -share[k], v[ends[k]]);
        if (cloth_pins(w)[ends[k]] == 0) inverse += share[k] * share[k] / places_of(w)[ends[k]].m;
    }
    const float approach = vec_dot(speed, normal);
    if (!(approach < 0.0f) || !(inverse > 0.0f)) return;
    const float impulse = -approach / inverse;
    if (!held) v[pair->point] = vec_along(v[pair->point], impulse / places_of(w)[pair->point].m, normal);
    for (int k = 0; k < count; k++)
        if (cloth_pins(w)[ends[k]] == 0)
            v[ends[k]] = vec_along(v[ends[k]], -impulse * share[k] / places_of(w)[ends[k]].m, normal);
}

/* Puts points back, pair by pair in their order: a point that two pieces hold is put back by both. */
void rill_cloth_hold_back(rill_world *w, cloth_job *job) {
    for (int k = 0; k < job->pair_count; k++) {
        const cloth_pair *pair = &job->pair[k];
        const int32_t *ends;
        const int count = cloth_element(w, pair->element, &ends);
        if (pair->permeable) continue;
        vec now[3], normal;
        float share[3] = {0}, gap;
        for (int c = 0; c < count; c++) now[c] = places_of(w)[ends[c]].x;
        if (!came_through(job, pair, now, count, share, &normal, &gap)) continue;
        put_back(job, pair, ends, count, share, normal, LEAST_GAP * pair->apart - gap);
    }
}

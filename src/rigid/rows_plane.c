/* SPDX-License-Identifier: MIT */
/* The sweeps of rows.c for 2D worlds, bit for bit the same, in a third of the time. Of a body's six velocity components
   three are always zero, so that a row takes half the arithmetic. Rows that share no body commute. They are reordered
   so that rows which share a body keep their order, while neighbours mostly share none: the processor then works on
   several rows at a time. Rows are copied once for a solve; only impulses are copied back. */
#include "rigid/rows_plane.h"

#include "core/arena.h"
#include "core/nncg.h"

#include <string.h>

/* Numbers of both bodies side by side, so that one instruction works on both. */
typedef double pair __attribute__((vector_size(16)));
#define SPIN 5 /* index of the angular velocity about z, counted from a body's v, behind which w lies */
_Static_assert(offsetof(body, w) == offsetof(body, v) + 3 * sizeof(double), "v and w lie side by side");

/* The part of a row that sweeps only read. */
typedef struct plane_row {
    pair g[3];      /* Jacobian along x, y and about z */
    pair change[3]; /* of the velocities, per unit of impulse */
    double *v[2];   /* of the bodies: [0] and [1] along x and y, [SPIN] about z */
    double e, target, inverse, low, high;
    double friction;
    int32_t normal;
} plane_row;

/* The part that sweeps change, in separate arrays, because the steps between sweeps read nothing else. */
typedef struct plane_state {
    double *lambda, *before, *direction;
} plane_state;

/* Rows in the order of a solve. */
typedef struct plane_order {
    int32_t *rank;  /* of each row: length of the chain of rows that must be solved before it */
    int32_t *place; /* of each row in this order */
    int32_t *start; /* place of the first row of each rank */
    int32_t *next;  /* of each body: least rank of its next row */
} plane_order;

typedef struct plane_job {
    plane_row *rows;
    plane_state state;
    const int32_t *place;
    int count, most, iterations;
    double tolerance, residual;
} plane_job;

static pair pair_at(double *const v[2], int k) {
    return (pair){v[0][k], v[1][k]};
}

static void put_pair(double *const v[2], int k, pair x) {
    v[0][k] = x[0], v[1][k] = x[1];
}

static void push(const plane_row *row, double impulse) {
    put_pair(row->v, 0, pair_at(row->v, 0) + impulse * row->change[0]);
    put_pair(row->v, 1, pair_at(row->v, 1) + impulse * row->change[1]);
    put_pair(row->v, SPIN, pair_at(row->v, SPIN) + impulse * row->change[2]);
}

/* Solves a row. Returns `most`, or the change of the row's velocity if that is larger. */
static double solve_row(const plane_row *row, double *lambdas, int k, double most) {
    const pair sides =
        row->g[0] * pair_at(row->v, 0) + row->g[1] * pair_at(row->v, 1) + row->g[2] * pair_at(row->v, SPIN);
    const double velocity = sides[0] + sides[1], last = lambdas[k];
    double lambda = last - (velocity + row->e * last - row->target) * row->inverse;
    double low = row->low, high = row->high;
    if (row->normal >= 0) high = row->friction * lambdas[row->normal], low = -high;
    lambda = lambda < low ? low : lambda; /* in two steps: one instruction each */
    lambda = lambda > high ? high : lambda;
    const double change = lambda - last, size = fabs(change);
    lambdas[k] = lambda;
    if (change != 0) push(row, change);
    /* Divides only if the result is used. */
    return row->inverse > 0 && size > most * row->inverse ? size / row->inverse : most;
}

static bool sweep(void *context) {
    plane_job *job = context;
    double there = 0, back = 0, *lambdas = job->state.lambda;
    for (int k = 0; k < job->count; k++) there = solve_row(&job->rows[k], lambdas, k, there);
    for (int k = job->count - 1; k >= 0; k--) back = solve_row(&job->rows[k], lambdas, k, back);
    job->residual = fmax(there, back);
    job->iterations += 2;
    return job->residual < job->tolerance || job->iterations >= job->most;
}

static void mark(void *context) {
    const plane_job *job = context;
    memcpy(job->state.before, job->state.lambda, sizeof(double) * (size_t)job->count);
}

static double length(void *context) {
    const plane_job *job = context;
    const plane_state *s = &job->state;
    double sum = 0;
    for (int k = 0; k < job->count; k++) { /* in the order of rows.c: the order decides the last bits of a sum */
        const int32_t at = job->place[k];
        const double change = s->lambda[at] - s->before[at];
        sum += change * change;
    }
    return sum;
}

static void advance(void *context, double beta) {
    const plane_job *job = context;
    const plane_state *s = &job->state;
    for (int k = 0; k < job->count; k++) {
        const double change = s->lambda[k] - s->before[k], lambda = s->lambda[k] + beta * s->direction[k];
        if (beta > 0 && lambda - s->lambda[k] != 0) push(&job->rows[k], lambda - s->lambda[k]);
        if (beta > 0) s->lambda[k] = lambda;
        s->direction[k] = beta * s->direction[k] + change;
    }
}

/* A row has a higher rank than every earlier row that shares a body with it. Rows of one rank share no body, so that
   their order changes no bit, and each body still meets its rows in the order in which they were made. */
static void order_rows(const rows *r, plane_order *o) {
    int ranks = 0;
    for (int k = 0; k < r->world->bodies.count; k++) o->next[k] = 0;
    for (int k = 0; k < r->count; k++) {
        const int a = r->items[k].a.body, b = r->items[k].b.body;
        const int32_t after_a = a >= 0 ? o->next[a] : 0, after_b = b >= 0 ? o->next[b] : 0;
        const int32_t rank = after_a > after_b ? after_a : after_b;
        o->rank[k] = rank;
        if (a >= 0) o->next[a] = rank + 1;
        if (b >= 0) o->next[b] = rank + 1;
        if (rank >= ranks) o->start[++ranks] = 0;
        o->start[rank + 1]++;
    }
    o->start[0] = 0;
    for (int k = 0; k < ranks; k++) o->start[k + 1] += o->start[k];
    for (int k = 0; k < r->count; k++) o->place[k] = o->start[o->rank[k]]++;
}

static double *velocities_of(const rill_world *w, const row_side *s, double still[6]) {
    return s->body >= 0 ? POOL_ITEMS(w, body)[s->body].v : still;
}

static plane_row copy_of(const rill_world *w, const row *from, const int32_t *place, double still[6]) {
    const row_side *a = &from->a, *b = &from->b;
    return (plane_row){.g = {{a->linear.x, b->linear.x}, {a->linear.y, b->linear.y}, {a->angular.z, b->angular.z}},
                       .change = {{a->mass_linear.x, b->mass_linear.x},
                                  {a->mass_linear.y, b->mass_linear.y},
                                  {a->mass_angular.z, b->mass_angular.z}},
                       .v = {velocities_of(w, a, still), velocities_of(w, b, still)},
                       .e = from->e,
                       .target = from->target,
                       .inverse = from->inverse,
                       .low = from->low,
                       .high = from->high,
                       .friction = from->friction,
                       .normal = from->normal >= 0 ? place[from->normal] : -1};
}

/* Reserves for the capacity of the rows, not their count, so that it grows only when that does. */
static bool reserve(rows *r, plane_job *job, plane_order *o) {
    rill_world *w = r->world;
    arena a = {0};
    ARENA_ASK(&a, job->rows, r->capacity);
    ARENA_ASK(&a, job->state.lambda, r->capacity);
    ARENA_ASK(&a, job->state.before, r->capacity);
    ARENA_ASK(&a, job->state.direction, r->capacity);
    ARENA_ASK(&a, o->rank, r->capacity);
    ARENA_ASK(&a, o->place, r->capacity);
    ARENA_ASK(&a, o->start, r->capacity + 1);
    ARENA_ASK(&a, o->next, w->bodies.count);
    return rill_arena_give(&a, &w->memory, &w->rigid_plane);
}

bool rill_rows_solve_plane(rows *r, int most, double tolerance) {
    plane_order o;
    double still[6] = {0};
    plane_job job = {.count = r->count, .most = most, .tolerance = tolerance};
    if (!reserve(r, &job, &o)) return false;
    order_rows(r, &o);
    job.place = o.place;
    for (int k = 0; k < r->count; k++) {
        const int32_t at = o.place[k];
        job.rows[at] = copy_of(r->world, &r->items[k], o.place, still);
        job.state.lambda[at] = r->items[k].lambda, job.state.direction[at] = r->items[k].direction;
    }
    rill_nncg_solve(&(nncg){.context = &job, .mark = mark, .sweep = sweep, .length = length, .advance = advance});
    for (int k = 0; k < r->count; k++) r->items[k].lambda = job.state.lambda[o.place[k]];
    r->iterations = job.iterations, r->residual = job.residual;
    return true;
}

/* SPDX-License-Identifier: MIT */
/* The same sweeps for worlds in the plane, bit for bit, in a third of the time. Of a body's six velocities three can
   differ from zero, so that a row takes half the arithmetic. And rows that share no body commute: they are put into an
   order in which those that share one follow each other as before, and neighbours mostly share none, so that the
   processor works at several of them at a time. Rows are copied once for a solve; only impulses go back. */
#include "rigid/rows_plane.h"

#include "core/arena.h"
#include "core/nncg.h"

/* The part of a row at one body. */
typedef struct plane_side {
    double *v;        /* of the body: velocities along x and y, and behind them the turn about z */
    double g[3];      /* Jacobian along x, y and about z */
    double change[3]; /* of these velocities by a unit of impulse */
} plane_side;
#define SPIN 5 /* of a body's v and w, where they lie side by side, the turn about z */
_Static_assert(offsetof(body, w) == offsetof(body, v) + 3 * sizeof(double), "v and w lie side by side");

typedef struct plane_row {
    plane_side a, b;
    double e, target, inverse, lambda, low, high;
    double friction;
    double before, direction;
    int32_t normal;
} plane_row;

/* Rows in the order of a solve. */
typedef struct plane_order {
    int32_t *rank;  /* of each row: how many rows must be solved before it, one after the other */
    int32_t *place; /* of each row */
    int32_t *start; /* place of the first row of each rank */
    int32_t *next;  /* of each body: the rank that its next row has at least */
} plane_order;

typedef struct plane_job {
    plane_row *rows;
    const int32_t *place;
    int count, most, iterations;
    double tolerance, residual;
} plane_job;

static plane_side side_of(const rill_world *w, const row_side *s, double still[6]) {
    return (plane_side){.v = s->body >= 0 ? POOL_ITEMS(w, body)[s->body].v : still,
                        .g = {s->linear.x, s->linear.y, s->angular.z},
                        .change = {s->mass_linear.x, s->mass_linear.y, s->mass_angular.z}};
}

static double side_velocity(const plane_side *s) {
    return s->g[0] * s->v[0] + s->g[1] * s->v[1] + s->g[2] * s->v[SPIN];
}

static void side_push(const plane_side *s, double impulse) {
    s->v[0] += impulse * s->change[0];
    s->v[1] += impulse * s->change[1];
    s->v[SPIN] += impulse * s->change[2];
}

static void set_lambda(plane_row *row, double lambda) {
    const double change = lambda - row->lambda;
    row->lambda = lambda;
    if (change == 0) return;
    side_push(&row->a, change);
    side_push(&row->b, change);
}

/* Solves a row, and raises `most` to the change of its velocity if that is larger. */
static double solve_row(const plane_row *rows, plane_row *row, double most) {
    const double velocity = side_velocity(&row->a) + side_velocity(&row->b);
    double lambda = row->lambda - (velocity + row->e * row->lambda - row->target) * row->inverse;
    double low = row->low, high = row->high;
    if (row->normal >= 0) high = row->friction * rows[row->normal].lambda, low = -high;
    lambda = lambda < low ? low : lambda > high ? high : lambda;
    const double change = fabs(lambda - row->lambda);
    set_lambda(row, lambda);
    /* A division only where it counts. */
    return row->inverse > 0 && change > most * row->inverse ? change / row->inverse : most;
}

static bool sweep(void *context) {
    plane_job *job = context;
    double there = 0, back = 0;
    for (int k = 0; k < job->count; k++) there = solve_row(job->rows, &job->rows[k], there);
    for (int k = job->count - 1; k >= 0; k--) back = solve_row(job->rows, &job->rows[k], back);
    job->residual = fmax(there, back);
    job->iterations += 2;
    return job->residual < job->tolerance || job->iterations >= job->most;
}

static void mark(void *context) {
    const plane_job *job = context;
    for (int k = 0; k < job->count; k++) job->rows[k].before = job->rows[k].lambda;
}

static double length(void *context) {
    const plane_job *job = context;
    double sum = 0;
    for (int k = 0; k < job->count; k++) { /* the order of a sum is part of its value */
        const plane_row *row = &job->rows[job->place[k]];
        const double change = row->lambda - row->before;
        sum += change * change;
    }
    return sum;
}

static void advance(void *context, double beta) {
    const plane_job *job = context;
    for (int k = 0; k < job->count; k++) {
        plane_row *row = &job->rows[k];
        const double change = row->lambda - row->before;
        if (beta > 0) set_lambda(row, row->lambda + beta * row->direction);
        row->direction = beta * row->direction + change;
    }
}

/* Rows of one rank share no body, so that the order among them changes no bit, and each body still meets its own rows
   in the order they were made in. A row has a higher rank than every row before it that shares a body with it. */
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

static plane_row copy_of(const rill_world *w, const row *from, const int32_t *place, double still[6]) {
    return (plane_row){.a = side_of(w, &from->a, still),
                       .b = side_of(w, &from->b, still),
                       .e = from->e,
                       .target = from->target,
                       .inverse = from->inverse,
                       .lambda = from->lambda,
                       .low = from->low,
                       .high = from->high,
                       .friction = from->friction,
                       .direction = from->direction,
                       .normal = from->normal >= 0 ? place[from->normal] : -1};
}

/* As many rows as there is room for, so that it grows when theirs does. */
static plane_row *reserve(rows *r, plane_order *o) {
    rill_world *w = r->world;
    plane_row *copies;
    arena a = {0};
    ARENA_ASK(&a, copies, r->capacity);
    ARENA_ASK(&a, o->rank, r->capacity);
    ARENA_ASK(&a, o->place, r->capacity);
    ARENA_ASK(&a, o->start, r->capacity + 1);
    ARENA_ASK(&a, o->next, w->bodies.count);
    return rill_arena_give(&a, &w->memory, &w->rigid_plane) ? copies : NULL;
}

bool rill_rows_solve_plane(rows *r, int most, double tolerance) {
    plane_order o;
    double still[6] = {0};
    plane_row *copies = reserve(r, &o);
    if (!copies) return false;
    plane_job job = {.rows = copies, .place = o.place, .count = r->count, .most = most, .tolerance = tolerance};
    order_rows(r, &o);
    for (int k = 0; k < r->count; k++) job.rows[o.place[k]] = copy_of(r->world, &r->items[k], o.place, still);
    rill_nncg_solve(&(nncg){.context = &job, .mark = mark, .sweep = sweep, .length = length, .advance = advance});
    for (int k = 0; k < r->count; k++) r->items[k].lambda = job.rows[o.place[k]].lambda;
    r->iterations = job.iterations, r->residual = job.residual;
    return true;
}

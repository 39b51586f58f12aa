/* SPDX-License-Identifier: MIT */
/* Projected Gauss-Seidel on velocities: each row in turn is fulfilled by an impulse between its two bodies,
     lambda+ = clamp(lambda + (target - G v - e lambda) / (G M^-1 G^T + e), low, high)
     v      += M^-1 G^T (lambda+ - lambda)
   Friction rows take their bounds from the normal row before them. Sweeps alternate in direction, are accelerated by a
   nonlinear conjugate gradient (core/nncg.c), and end when the largest change in a pair of them is small.
   Rows are solved on one thread in one order: bodies are few, and the result must not depend on the number of cores. */
#include "rigid/rows.h"

#include "core/nncg.h"
#include "rigid/body.h"
#include "rigid/rows_plane.h"

static row_side side_of(const rill_world *w, int index, dvec linear, dvec angular) {
    row_side s = {.body = index, .linear = linear, .angular = angular};
    if (index < 0) return s;
    const body *b = &POOL_ITEMS(w, body)[index];
    s.mass_linear = rill_body_mass_linear(w, b, linear);
    s.mass_angular = rill_body_mass_angular(w, b, angular);
    return s;
}

/* The part of one body in G M^-1 G^T, the change of the row's velocity per unit of impulse. */
static double side_weight(const row_side *s) {
    return dvec_dot(s->linear, s->mass_linear) + dvec_dot(s->angular, s->mass_angular);
}

/* The second body receives the opposite impulse: its part of the Jacobian has the opposite sign, so that momentum is
   conserved. */
row *rill_rows_add(rows *r, int a, dvec linear_a, dvec angular_a, int b, dvec linear_b, dvec angular_b) {
    rill_world *w = r->world;
    if (r->count == r->capacity) {
        const int capacity = r->capacity ? 2 * r->capacity : 64;
        if (!rill_buffer_reserve(&w->memory, &w->rigid_rows, sizeof(row) * (size_t)capacity,
                                 sizeof(row) * (size_t)r->count))
            return NULL;
        r->items = w->rigid_rows.data;
        r->capacity = capacity;
    }
    row *item = &r->items[r->count++];
    *item = (row){.a = side_of(w, a, linear_a, angular_a),
                  .b = side_of(w, b, dvec_scale(linear_b, -1), dvec_scale(angular_b, -1)),
                  .low = -HUGE_VAL,
                  .high = HUGE_VAL,
                  .normal = -1};
    return item;
}

static double side_velocity(const rill_world *w, const row_side *s) {
    if (s->body < 0) return 0;
    const body *b = &POOL_ITEMS(w, body)[s->body];
    return dvec_dot(s->linear, dvec_load(b->v)) + dvec_dot(s->angular, dvec_load(b->w));
}

double rill_row_velocity(const rows *r, const row *row) {
    return side_velocity(r->world, &row->a) + side_velocity(r->world, &row->b);
}

static double row_weight(const row *row) {
    return side_weight(&row->a) + side_weight(&row->b);
}

/* A row between bodies that cannot move has no weight. Its inverse is 0, which leaves it alone, instead of 1/0. */
static void set_inverse(row *row, double e) {
    const double weight = row_weight(row) + e;
    row->e = e;
    row->inverse = weight > 0 ? 1 / weight : 0;
}

/* SPOOK (rows.h): each step removes 4/(1 + 4 D) of the error g, D = tau/dt, so that errors decay within about tau; eps
   is the compliance that remains. Removing all of g in one step would leave the bodies with a velocity of g/dt. */
void rill_row_hold(const rows *r, row *row, double g, double eps, double tau) {
    const double damping = 1 + 4 * tau / r->dt;
    set_inverse(row, 4 * eps / (damping * r->dt * r->dt));
    row->target = -4 * g / (r->dt * damping) + rill_row_velocity(r, row) / damping;
}

void rill_row_hold_stiff(const rows *r, row *row, double g, double share, double tau) {
    rill_row_hold(r, row, g, 0, tau);
    rill_row_stiffen(row, share);
}

void rill_row_stiffen(row *row, double share) {
    set_inverse(row, share * row_weight(row));
}

/* The impulse of a damper is lambda = -c dt G v+, implicit in v+. With e = 1/(c dt) and target 0 the row G v+ + e
   lambda = 0 is that equation, and no damping is too strong for the step. */
void rill_row_damp(const rows *r, row *row, double damping) {
    set_inverse(row, 1 / (damping * r->dt));
    row->target = 0;
}

void rill_row_drive(row *row, double speed, double share) {
    rill_row_stiffen(row, share);
    row->target = speed;
}

static void side_push(const rill_world *w, const row_side *s, double impulse) {
    if (s->body < 0) return;
    body *b = &POOL_ITEMS(w, body)[s->body];
    dvec_store(b->v, dvec_along(dvec_load(b->v), impulse, s->mass_linear));
    dvec_store(b->w, dvec_along(dvec_load(b->w), impulse, s->mass_angular));
}

static void row_push(rows *r, row *row, double impulse) {
    side_push(r->world, &row->a, impulse);
    side_push(r->world, &row->b, impulse);
}

void rill_rows_warm_start(rows *r) {
    for (int k = 0; k < r->count; k++)
        if (r->items[k].lambda != 0) row_push(r, &r->items[k], r->items[k].lambda);
}

/* As fmax, which would be a function call. */
static double larger(double a, double b) {
    return b > a ? b : a;
}

/* The lambda that fulfils the row at the present velocities, before bounds. */
static double free_lambda(const rows *r, const row *row) {
    return row->lambda - (rill_row_velocity(r, row) + row->e * row->lambda - row->target) * row->inverse;
}

/* Cuts the two friction impulses of a contact in 3D to a disc of radius friction times normal impulse. */
static void cut_to_disc(double *u, double *v, double radius) {
    const double length = sqrt(*u * *u + *v * *v);
    if (length <= radius) return;
    const double s = length > 0 ? radius / length : 0;
    *u *= s, *v *= s;
}

static double bounded(const rows *r, const row *row, double lambda) {
    double low = row->low, high = row->high;
    if (row->normal >= 0) {
        high = row->friction * r->items[row->normal].lambda;
        low = -high;
    }
    return lambda < low ? low : lambda > high ? high : lambda;
}

/* Returns the error that the velocity of the row had: change (G M^-1 G^T + e) [m/s]. */
static double set_lambda(rows *r, row *row, double lambda) {
    const double change = lambda - row->lambda;
    row->lambda = lambda;
    if (change != 0) row_push(r, row, change);
    return row->inverse > 0 ? fabs(change) / row->inverse : 0;
}

/* Coulomb's cone in 3D: both directions are solved without bounds and then shortened together. Separate bounds would
   turn the disc into a square, with 1.41 times the friction along its diagonals. */
static double solve_pair(rows *r, row *first, row *second, double radius) {
    double u = free_lambda(r, first), v = free_lambda(r, second);
    cut_to_disc(&u, &v, radius);
    const double change = set_lambda(r, first, u);
    return larger(change, set_lambda(r, second, v));
}

static double solve_row(rows *r, row *row) {
    return set_lambda(r, row, bounded(r, row, free_lambda(r, row)));
}

/* change^2 (G M^-1 G^T + e): the energy of the impulse that a row still needs to reach `lambda`. */
static double lack(const row *row, double lambda) {
    const double change = lambda - row->lambda;
    return row->inverse > 0 ? change * change / row->inverse : 0;
}

/* As above, with all impulses zero; friction is then zero too. */
static double lack_from_nothing(const rows *r, const row *item) {
    row still = *item;
    still.lambda = 0;
    return item->normal >= 0 ? 0 : lack(&still, bounded(r, &still, free_lambda(r, &still)));
}

double rill_rows_residual(const rows *r, int first, int end, bool from_nothing) {
    double sum = 0;
    for (int k = first; k < end; k++) {
        const row *item = &r->items[k];
        if (from_nothing) {
            sum += lack_from_nothing(r, item);
        } else if (item->paired) {
            double u = free_lambda(r, item), v = free_lambda(r, item + 1);
            cut_to_disc(&u, &v, item->friction * r->items[item->normal].lambda);
            sum += lack(item, u) + lack(item + 1, v);
            k++;
        } else {
            sum += lack(item, bounded(r, item, free_lambda(r, item)));
        }
    }
    return sum;
}

double rill_rows_sweep(rows *r, bool forward) {
    double most = 0;
    for (int n = 0; n < r->count; n++) {
        const int k = forward ? n : r->count - 1 - n;
        row *item = &r->items[k];
        if (k > 0 && r->items[k - 1].paired) continue; /* solved with the one before it */
        most = larger(most, item->paired ? solve_pair(r, item, item + 1, item->friction * r->items[item->normal].lambda)
                                         : solve_row(r, item));
    }
    return most;
}

typedef struct solve_job {
    rows *rows;
    int most;
    double tolerance;
} solve_job;

static void mark(void *context) {
    const rows *r = ((const solve_job *)context)->rows;
    for (int k = 0; k < r->count; k++) r->items[k].before = r->items[k].lambda;
}

static bool sweep(void *context) {
    const solve_job *job = context;
    rows *r = job->rows;
    const double there = rill_rows_sweep(r, true); /* in this order; the compiler chooses that of arguments */
    r->residual = fmax(there, rill_rows_sweep(r, false));
    r->iterations += 2;
    return r->residual < job->tolerance || r->iterations >= job->most;
}

/* Squared length of the change by a pair of sweeps, which takes the place of the gradient. */
static double length(void *context) {
    const rows *r = ((const solve_job *)context)->rows;
    double sum = 0;
    for (int k = 0; k < r->count; k++) {
        const double change = r->items[k].lambda - r->items[k].before;
        sum += change * change;
    }
    return sum;
}

/* Continues along the last direction p: lambda += beta p, then p = beta p + change. The next sweep cuts any lambda that
   is now out of bounds. */
static void advance(void *context, double beta) {
    rows *r = ((const solve_job *)context)->rows;
    for (int k = 0; k < r->count; k++) {
        row *item = &r->items[k];
        const double change = item->lambda - item->before;
        if (beta > 0) set_lambda(r, item, item->lambda + beta * item->direction);
        item->direction = beta * item->direction + change;
    }
}

void rill_rows_solve(rows *r, int most, double tolerance) {
    solve_job job = {r, most, tolerance};
    r->iterations = 0;
    r->residual = 0;
    if (r->count == 0 || most <= 0) return;
    if (r->world->def.dim == 3 || !rill_rows_solve_plane(r, most, tolerance))
        rill_nncg_solve(&(nncg){.context = &job, .mark = mark, .sweep = sweep, .length = length, .advance = advance});
}

void rill_rows_remember(rows *r) {
    for (int k = 0; k < r->count; k++)
        if (r->items[k].memory) *r->items[k].memory = r->items[k].lambda;
}

/* SPDX-License-Identifier: MIT */
/* Coloured Gauss-Seidel (Bodin et al., Alg. VII.1; sim/solve/colour.h). Rows that reach bodies or periodic images come
   after all colours, one by one, and then the rows between bodies. */
#include "sim/method/constraint.h"

/* Distance of prefetches, in groups. */
#define PREFETCH_GROUPS 12
/* Sweeps over the rows between bodies for each sweep over the fluid, after the last of these, and the error of velocity
   at which they end [m/s]. Bodies are few, and a chain of joints is coupled more tightly than water. */
#define BODY_SWEEPS      20
#define LAST_BODY_SWEEPS 200
#define BODY_TOLERANCE   1e-6

/* ---- rows ---- */

/* x_ij times V_j W'/r. */
WIDE_FN quad block_of(const constraint_system *s, quad own, const row_group *g, int lane) {
    return g->slope[lane] * (own - quad_load((const float *)&s->points[g->index[lane]]));
}

WIDE_FN quad lane_velocity(const constraint_system *s, quad own, const row_group *g, const int32_t *owners, int lane) {
    return block_of(s, own, g, lane) * quad_load((const float *)&s->speeds[owners[lane]]);
}

/* Particles of the neighbours in a group. `images`: some may be periodic images. Rows with images are swept one by one;
   for all others the compiler removes the look-up. */
WIDE_FN const int32_t *owners_of(const constraint_system *s, const row_group *g, bool images) {
    return images ? group_owners(s, g) : g->index;
}

/* The neighbours' part of J v. Even and odd neighbours have separate sums, so that one addition need not wait
   for the last. */
WIDE_FN float neighbours_velocity(const constraint_system *s, const density_row *row, quad own, bool images) {
    quad even = {0}, odd = {0};
    const row_group *g = s->groups + row->first;
    int left = row->count;
    for (; left >= WIDE; left -= WIDE, g++) {
        const int32_t *owners = owners_of(s, g, images);
#pragma GCC unroll 4
        for (int lane = 0; lane < WIDE; lane += 2) {
            even = even + lane_velocity(s, own, g, owners, lane);
            odd = odd + lane_velocity(s, own, g, owners, lane + 1);
        }
    }
    const int32_t *owners = owners_of(s, g, images);
    for (int lane = 0; lane < left; lane++) even = even + lane_velocity(s, own, g, owners, lane);
    const quad sum = even + odd; /* its last lanes are zero, like those of points */
    return DIM == 2 ? sum[0] + sum[1] : (sum[0] + sum[1]) + sum[2];
}

/* Gives one neighbour its part of an impulse. The inverse mass in the last lane does not change, because blocks end in
   zero. */
WIDE_FN void push_lane(const constraint_system *s, quad own, const row_group *g, const int32_t *owners, int lane,
                       float impulse) {
    float *speed = (float *)&s->speeds[owners[lane]];
    const quad v = quad_load(speed);
    quad_store(speed, v + (impulse * v[3]) * block_of(s, own, g, lane));
}

/* Gives all neighbours their part of an impulse. */
WIDE_FN void push_neighbours(const constraint_system *s, const density_row *row, quad own, float impulse, bool images) {
    const row_group *g = s->groups + row->first;
    int left = row->count;
    for (; left >= WIDE; left -= WIDE, g++) {
        const int32_t *owners = owners_of(s, g, images);
#pragma GCC unroll 8
        for (int lane = 0; lane < WIDE; lane++) push_lane(s, own, g, owners, lane, impulse);
    }
    const int32_t *owners = owners_of(s, g, images);
    for (int lane = 0; lane < left; lane++) push_lane(s, own, g, owners, lane, impulse);
}

/* The result of solving a row: the change of lambda, and the residual before it, change^2 times its weight [J]. */
typedef struct solved {
    float change, met;
} solved;

static inline float met_by(float change, float inverse) {
    return change != 0.0f ? change * change / inverse : 0.0f;
}

/* Solves one density row. `outside` is the bodies' part of J v; it counts if `coupled`. */
WIDE_FN solved solve_density(const constraint_system *s, int i, float outside, bool coupled) {
    density_row *row = &s->rows[i];
    const quad place = quad_load((const float *)&s->points[i]);
    speed *own = &s->speeds[i];
    float velocity = vec_dot(row->own, own->v) + neighbours_velocity(s, row, place, coupled);
    if (coupled) velocity += outside;
    const float lack = row->target - row->e * row->lambda - velocity;
    float lambda = row->lambda + lack * row->inverse;
    const bool opens = !s->params->equality && lambda < 0.0f;
    if (opens) lambda = 0.0f;
    const float change = lambda - row->lambda;
    if (change == 0.0f) return (solved){0};
    row->lambda = lambda;
    push_neighbours(s, row, place, change, coupled);
    own->v = vec_along(own->v, change * own->inverse_mass, row->own);
    /* change^2/inverse without the division, which would take as long as two neighbours. */
    return (solved){change, opens ? met_by(change, row->inverse) : change * lack};
}

/* Solves the non-penetration row of one wall, whose body moves along the normal at `outside`. Returns the change of
   lambda. */
static inline float solve_wall(const constraint_system *s, int i, wall_row *wall, vec normal, float outside) {
    speed *own = &s->speeds[i];
    const float velocity = vec_dot(normal, own->v) - outside;
    const float free = wall_free_lambda(wall, wall->lambda, velocity);
    const float lambda = free > 0.0f ? free : 0.0f, change = lambda - wall->lambda;
    wall->lambda = lambda;
    own->v = vec_along(own->v, change * own->inverse_mass, normal);
    return change;
}

/* Solves the rows of a particle that touches no body. Returns the residual it met. */
static inline float solve_particle(const constraint_system *s, int i) {
    float sum = solve_density(s, i, 0.0f, false).met;
    if (s->rows[i].alone) return sum;
    int count;
    const wall_contact *c = contacts_of(&sim_of(s->world)->contacts, i, &count);
    wall_row *walls = constraint_walls(s, i, &count);
    for (int k = 0; k < count; k++) sum += met_by(solve_wall(s, i, &walls[k], c[k].normal, 0.0f), walls[k].inverse);
    return sum;
}

/* Solves the rows of a particle that reaches bodies or periodic images, and moves the bodies. Returns the residual it
   met. */
static float solve_coupled(const constraint_system *s, int i) {
    int count;
    const wall_contact *c = contacts_of(&sim_of(s->world)->contacts, i, &count);
    wall_row *walls = constraint_walls(s, i, &count);
    const solved density = solve_density(s, i, rill_constraint_body_speed(s, i), true);
    const float change = density.change;
    float sum = density.met;
    for (int k = 0; k < count; k++) {
        const row_side *side = walls[k].side >= 0 ? &s->sides[walls[k].side] : NULL;
        if (side && change != 0.0f) rill_constraint_side_push(s, side, (double)walls[k].slope * (double)change);
    }
    for (int k = 0; k < count; k++) {
        const row_side *side = walls[k].side >= 0 ? &s->sides[walls[k].side] : NULL;
        const float push =
            solve_wall(s, i, &walls[k], c[k].normal, side ? (float)rill_constraint_side_velocity(s, side) : 0.0f);
        if (side && push != 0.0f) rill_constraint_side_push(s, side, -(double)push);
        sum += met_by(push, walls[k].inverse);
    }
    return sum;
}

/* ---- sweeps ---- */

/* Sweeps wait for memory more than they compute. Groups are stored in the order of a sweep, so those needed soon are at
   a fixed distance; rows and particles follow each other only within a run. In 2D, with one or two groups in a row, the
   processor's own prefetching is enough. */
static inline void fetch_groups(const constraint_system *s, const density_row *row, bool forward) {
    const int away = forward ? PREFETCH_GROUPS : row->first < PREFETCH_GROUPS ? 0 : -PREFETCH_GROUPS;
    const row_group *now = s->groups + row->first + away;
    for (int g = 0; g < USUAL_GROUPS; g++) __builtin_prefetch(now + g);
}

static inline void fetch_run(const constraint_system *s, const colour_run *run) {
    const char *rows = (const char *)&s->rows[run->begin], *end = (const char *)&s->rows[run->end];
    for (; rows < end; rows += 64) __builtin_prefetch(rows);
    for (int i = run->begin; i < run->end; i += 4) __builtin_prefetch(&s->points[i]), __builtin_prefetch(&s->speeds[i]);
}

static double sweep_run(const colour_run *run, const colour_run *next, bool forward, void *context) {
    const constraint_system *s = context;
    if (next) fetch_run(s, next);
    double sum = 0;
    const int length = run->end - run->begin;
    for (int n = 0; n < length; n++) {
        const int i = forward ? run->begin + n : run->end - 1 - n;
        if (DIM == 3) fetch_groups(s, &s->rows[i], forward);
        if (s->rows[i].alone || !s->serial[i]) sum += (double)solve_particle(s, i);
    }
    return sum;
}

static void sweep_body_rows(constraint_system *s, int most) {
    if (s->bodies.count == 0) return;
    rill_rows_solve(&s->bodies, most, BODY_TOLERANCE);
    s->world->stats.body_iterations += s->bodies.iterations;
}

static double sweep_bodies(constraint_system *s, bool forward) {
    double sum = 0;
    for (int n = 0; n < s->serial_count; n++)
        sum += (double)solve_coupled(s, s->serial_list[forward ? n : s->serial_count - 1 - n]);
    sweep_body_rows(s, BODY_SWEEPS);
    return sum;
}

void rill_constraint_close_joints(constraint_system *s) {
    sweep_body_rows(s, LAST_BODY_SWEEPS);
}

double rill_constraint_sweep(constraint_system *s, bool forward) {
    rill_colour_sweep(&s->colours, s->world->workers, forward, sweep_run, s);
    return colour_total(&s->colours, sweep_bodies(s, forward));
}

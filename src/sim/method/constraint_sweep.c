/* SPDX-License-Identifier: MIT */
/* Coloured Gauss-Seidel (Bodin et al., Alg. VII.1). A row changes the velocities of all its neighbours, so two rows may
   be solved at the same time only if they share none. Cells of edge h are put together to blocks of two along each
   axis, and blocks are coloured like a chequerboard, 4 colours in 2D and 8 in 3D: rows of a block reach one cell beyond
   it, and two blocks of a colour are two cells apart. Within a block the order is fixed, so that the result does not
   depend on the threads. Rows that reach bodies come after all colours, one by one, and then the bodies' own rows. */
#include "sim/method/constraint.h"

#include <stdlib.h>

/* Blocks a worker takes at a time: some 500 rows, which take longer than handing them over. */
#define BLOCK_GRAIN (DIM == 2 ? 32 : 8)
/* Neighbours whose velocities are kept between the two halves of a row, in groups; more are fetched again. */
#define KEPT 8
/* Rows that memory is asked for in advance. */
#define AHEAD 3
/* Sweeps over the bodies' rows for each sweep of the fluid, and the velocity they are exact to [m/s]: bodies are few,
   and a chain of joints hangs together more tightly than water. */
#define BODY_SWEEPS    20
#define BODY_TOLERANCE 1e-6

/* ---- colours ---- */

static int compare_runs(const void *a, const void *b) {
    const block_run *x = a, *y = b;
    if (x->colour != y->colour) return x->colour < y->colour ? -1 : 1;
    for (int axis = DIM - 1; axis >= 0; axis--)
        if (x->block[axis] != y->block[axis]) return x->block[axis] < y->block[axis] ? -1 : 1;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static bool same_block(const block_run *a, const block_run *b) {
    bool same = true;
    for (int axis = 0; axis < DIM; axis++) same &= a->block[axis] == b->block[axis];
    return same;
}

/* Particles lie in the order of their cells; those of a block that follow each other are a run. */
static int find_runs(const constraint_system *s) {
    const grid *g = &sim_of(s->world)->grid;
    int count = 0;
    for (int i = 0; i < s->count; i++) {
        const vec x = places_of(s->world)[i].x;
        block_run run = {.begin = i, .end = i + 1};
        for (int axis = 0; axis < DIM; axis++) {
            run.block[axis] = grid_coordinate(g, vec_get(x, axis)) >> 1;
            run.colour |= (run.block[axis] & 1) << axis;
        }
        if (count > 0 && same_block(&s->runs[count - 1], &run))
            s->runs[count - 1].end = i + 1;
        else
            s->runs[count++] = run;
    }
    return count;
}

void constraint_colour(constraint_system *s) {
    s->run_count = find_runs(s);
    if (s->run_count > 1) qsort(s->runs, (size_t)s->run_count, sizeof *s->runs, compare_runs);
    int blocks = 0, colour = 0;
    for (int r = 0; r < s->run_count; r++) {
        if (r > 0 && same_block(&s->runs[r - 1], &s->runs[r])) continue;
        while (colour <= s->runs[r].colour) s->colour_first[colour++] = blocks;
        s->blocks[blocks++] = r;
    }
    s->blocks[blocks] = s->run_count;
    while (colour <= CONSTRAINT_COLOURS) s->colour_first[colour++] = blocks;
}

/* ---- rows ---- */

/* Solves one density row. `outside` is what bodies add to its velocity. Returns the change of lambda. */
WIDE_FN float solve_density(const constraint_system *s, int i, float outside) {
    density_row *row = &s->rows[i];
    const row_group *groups = s->groups + row->first;
    wide_vec v[KEPT];
    wide inverse_mass[KEPT], sum = wide_zero();
    for (int g = 0; g < row->groups; g++) {
        const int k = g < KEPT ? g : KEPT - 1;
        wide_gather_speeds(s->speeds, groups[g].index, &v[k], &inverse_mass[k]);
        sum = sum + wide_vec_dot(row_blocks(&groups[g]), v[k]);
    }
    speed *own = &s->speeds[i];
    const float velocity = vec_dot(row->own, own->v) + wide_sum(sum) + outside;
    float lambda = row->lambda + (row->target - row->e * row->lambda - velocity) * row->inverse;
    if (!s->params->equality && lambda < 0.0f) lambda = 0.0f;
    const float change = lambda - row->lambda;
    if (change == 0.0f) return 0.0f;
    row->lambda = lambda;
    for (int g = 0; g < row->groups; g++) {
        const int k = g < KEPT - 1 ? g : KEPT - 1;
        if (g >= KEPT - 1) wide_gather_speeds(s->speeds, groups[g].index, &v[k], &inverse_mass[k]);
        const wide_vec moved = wide_vec_along(v[k], change * inverse_mass[k], row_blocks(&groups[g]));
        wide_scatter_speeds(s->speeds, groups[g].index, moved, inverse_mass[k]);
    }
    own->v = vec_along(own->v, change * own->inverse_mass, row->own);
    return change;
}

/* Solves the non-penetration row of one wall. Returns the change of lambda. */
static inline float solve_wall(const constraint_system *s, int i, wall_row *wall, vec normal, float outside) {
    speed *own = &s->speeds[i];
    const float velocity = vec_dot(normal, own->v) - outside;
    const float free = wall->lambda * (1.0f / (1.0f + WALL_SOFTNESS)) + (wall->target - velocity) * wall->inverse;
    const float lambda = free > 0.0f ? free : 0.0f, change = lambda - wall->lambda;
    wall->lambda = lambda;
    own->v = vec_along(own->v, change * own->inverse_mass, normal);
    return change;
}

/* The rows of a particle that touches no body. */
static inline double solve_particle(const constraint_system *s, int i) {
    const float change = solve_density(s, i, 0.0f);
    const float residual = s->rows[i].inverse > 0.0f ? change / s->rows[i].inverse : 0.0f;
    int count;
    const contact *c = contacts_of(&sim_of(s->world)->contacts, i, &count);
    wall_row *walls = constraint_walls(s, i, &count);
    for (int k = 0; k < count; k++) solve_wall(s, i, &walls[k], c[k].normal, 0.0f);
    return (double)residual * (double)residual;
}

/* The rows of a particle near bodies: the same, and the bodies move with it. */
static double solve_coupled(const constraint_system *s, int i) {
    int count;
    const contact *c = contacts_of(&sim_of(s->world)->contacts, i, &count);
    wall_row *walls = constraint_walls(s, i, &count);
    double outside = 0;
    for (int k = 0; k < count; k++)
        if (walls[k].side >= 0)
            outside += (double)walls[k].slope * constraint_side_velocity(s, &s->sides[walls[k].side]);
    const float change = solve_density(s, i, (float)outside);
    for (int k = 0; k < count; k++) {
        const row_side *side = walls[k].side >= 0 ? &s->sides[walls[k].side] : NULL;
        if (side && change != 0.0f) constraint_side_push(s, side, (double)walls[k].slope * (double)change);
    }
    for (int k = 0; k < count; k++) {
        const row_side *side = walls[k].side >= 0 ? &s->sides[walls[k].side] : NULL;
        const float push =
            solve_wall(s, i, &walls[k], c[k].normal, side ? (float)constraint_side_velocity(s, side) : 0.0f);
        if (side && push != 0.0f) constraint_side_push(s, side, -(double)push);
    }
    const float residual = s->rows[i].inverse > 0.0f ? change / s->rows[i].inverse : 0.0f;
    return (double)residual * (double)residual;
}

/* ---- sweeps ---- */

typedef struct sweep_job {
    constraint_system *system;
    int first; /* block of this colour */
    bool forward;
} sweep_job;

/* Asks for a row that is soon to be solved: sweeps wait for memory more than they compute. */
static inline void fetch_row(const constraint_system *s, int i) {
    if (i < 0 || i >= s->count) return;
    const density_row *row = &s->rows[i];
    const char *groups = (const char *)(s->groups + row->first);
    for (int g = 0; g < row->groups; g++) {
        __builtin_prefetch(groups + (size_t)g * sizeof(row_group));
        __builtin_prefetch(groups + (size_t)g * sizeof(row_group) + 64);
    }
}

static double sweep_run(const constraint_system *s, const block_run *run, bool forward) {
    double sum = 0;
    const int length = run->end - run->begin;
    for (int n = 0; n < length; n++) {
        const int i = forward ? run->begin + n : run->end - 1 - n;
        fetch_row(s, forward ? i + AHEAD : i - AHEAD);
        if (!s->serial[i]) sum += solve_particle(s, i);
    }
    return sum;
}

static void sweep_blocks(int begin, int end, int worker, void *context) {
    (void)worker;
    const sweep_job *job = context;
    const constraint_system *s = job->system;
    for (int b = job->first + begin; b < job->first + end; b++) {
        const int first = s->blocks[b], runs = s->blocks[b + 1] - first;
        double sum = 0;
        for (int n = 0; n < runs; n++)
            sum += sweep_run(s, &s->runs[job->forward ? first + n : first + runs - 1 - n], job->forward);
        s->partial[b] = sum;
    }
}

static double sweep_bodies(constraint_system *s, bool forward) {
    double sum = 0;
    for (int n = 0; n < s->serial_count; n++)
        sum += solve_coupled(s, s->serial_list[forward ? n : s->serial_count - 1 - n]);
    if (s->bodies.count > 0) {
        rows_solve(&s->bodies, BODY_SWEEPS, BODY_TOLERANCE);
        s->world->stats.body_iterations += s->bodies.iterations;
    }
    return sum;
}

double constraint_sweep(constraint_system *s, bool forward) {
    for (int n = 0; n < CONSTRAINT_COLOURS; n++) {
        const int colour = forward ? n : CONSTRAINT_COLOURS - 1 - n;
        sweep_job job = {s, s->colour_first[colour], forward};
        parallel_for(s->world->workers, s->colour_first[colour + 1] - job.first, BLOCK_GRAIN, sweep_blocks, &job);
    }
    double sum = sweep_bodies(s, forward);
    for (int b = 0; b < s->colour_first[CONSTRAINT_COLOURS]; b++) sum += s->partial[b];
    return sum;
}

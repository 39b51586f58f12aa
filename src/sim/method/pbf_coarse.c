/* SPDX-License-Identifier: MIT */
/* The coarse level of Position Based Fluids. An iteration carries pressure one support further, so deep water needs
   many iterations. On a large scale, multipliers that vary slowly displace particles by their gradient and change the
   constraint by minus their Laplacian. This is Poisson's equation, lap lambda = C, with lambda = 0 where nothing is
   compressed. It is solved on cells of four spacings, once before the iterations of a substep. Its solution gives the
   multipliers of one displacement, in which pairs push each other equally and walls get their part, as in any
   iteration. docs/methods/pbf.md has the measured gain. */
#include "sim/method/pbf.h"

#include "core/cg.h"

/* Edge of a cell in spacings. */
#define CELL 4.0f
/* A cell with a smaller share of compressed particles counts as surface. */
#define ACTIVE_SHARE 0.25
/* Conjugate gradients end when the square of the residual has fallen by the factor DROP, or after ROUNDS_MAX
   iterations. */
#define DROP       1e-4
#define ROUNDS_MAX 200

typedef struct coarse_cell {
    double q, r, p, z; /* multiplier, residual, direction, operator times direction */
    double held;       /* conductance to particles at the surface, whose multipliers are zero */
    double conductance[2 * DIM];
    int32_t next[2 * DIM]; /* cell beside it, or -1 */
    int32_t at[3];
    int32_t count, active; /* number of particles, and of compressed ones */
} coarse_cell;

typedef struct coarse_grid {
    pbf_job *job;
    vec low;
    float size[3];
    int count[3], cells;
    bool round[3];   /* periodic along this axis */
    int32_t *number; /* index of the coarse_cell, by cell of the box; -1: the cell is empty */
    coarse_cell *cell;
    int used;
} coarse_grid;

/* Capacity for cells that contain fluid. There is about one in 64 particles (16 in 2D); spray that would need more than
   one in 8 has no use for a coarse level. */
static int room_for(int n) {
    return n / 8 + 64;
}

void rill_pbf_coarse_ask(pbf_job *job, arena *a) {
    const int n = job->world->particles.capacity; /* grows with the particle arrays */
    job->coarse_room = room_for(job->world->particles.count);
    ARENA_ASK(a, job->coarse, room_for(n));
    ARENA_ASK(a, job->coarse_number, n + 64);
    ARENA_ASK(a, job->coarse_place, n);
}

/* ---- the cells ---- */

/* Chooses the cells of the box, not many more than there are particles: scattered drops make cells larger. */
static void lay_out(coarse_grid *g) {
    rill_world *w = g->job->world;
    const vec period = vec_of(w->def.periodic), origin = vec_of(w->def.periodic_origin);
    vec high;
    rill_method_box(w, &g->low, &high);
    float edge = CELL * w->def.spacing;
    double cells;
    do {
        cells = 1;
        for (int axis = 0; axis < 3; axis++) {
            g->count[axis] = 1, g->size[axis] = 1.0f;
            if (axis >= DIM) continue;
            float *low = &g->low.x + axis;
            const float length = vec_get(period, axis);
            g->round[axis] = length > 0.0f;
            if (g->round[axis]) *low = vec_get(origin, axis);
            const double across = g->round[axis] ? floor((double)(length / edge))
                                                 : floor((double)((vec_get(high, axis) - *low) / edge)) + 1;
            g->count[axis] = (int)fmin(fmax(across, 1), 1e6);
            g->size[axis] = g->round[axis] ? length / (float)g->count[axis] : edge;
            cells *= g->count[axis];
        }
        edge *= 2.0f;
    } while (cells > w->particles.count + 64.0);
    g->cells = (int)cells;
}

static void cell_of(const coarse_grid *g, vec x, int at[3]) {
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = 0;
        if (axis >= DIM) continue;
        const int k = (int)((vec_get(x, axis) - vec_get(g->low, axis)) / g->size[axis]);
        at[axis] = k < 0 ? 0 : k >= g->count[axis] ? g->count[axis] - 1 : k;
    }
}

/* Index of the coarse cell at a place of the grid, or -1 if it is outside or empty. */
static int number_at(const coarse_grid *g, const int at[3]) {
    int k[3];
    for (int axis = 0; axis < 3; axis++) {
        k[axis] = at[axis];
        if (k[axis] >= 0 && k[axis] < g->count[axis]) continue;
        if (!g->round[axis]) return -1;
        k[axis] += k[axis] < 0 ? g->count[axis] : -g->count[axis];
    }
    return g->number[(k[2] * g->count[1] + k[1]) * g->count[0] + k[0]];
}

static void place_block(int begin, int end, void *context) {
    const coarse_grid *g = context;
    for (int i = begin; i < end; i++) {
        int at[3];
        cell_of(g, places_of(g->job->world)[i].x, at);
        g->job->coarse_place[i] = (at[2] * g->count[1] + at[1]) * g->count[0] + at[0];
    }
}

static coarse_cell empty_cell(const coarse_grid *g, int place) {
    return (coarse_cell){
        .at = {place % g->count[0], place / g->count[0] % g->count[1], place / g->count[0] / g->count[1]}};
}

/* Sums the constraints into the cells, in one thread, because the order of the particles decides the last bits. Cells
   are those of the predicted positions; displacements by walls since then are small. */
static bool gather(coarse_grid *g) {
    const pbf_job *job = g->job;
    const rill_world *w = job->world;
    rill_parallel_for(w->workers, fluid_count(w), REDUCE_BLOCK, place_block, g);
    for (int k = 0; k < g->cells; k++) g->number[k] = -1;
    g->used = 0;
    for (int i = 0; i < fluid_count(w); i++) {
        int32_t *number = &g->number[job->coarse_place[i]];
        if (*number < 0) {
            if (g->used == job->coarse_room) return false;
            g->cell[g->used] = empty_cell(g, job->coarse_place[i]);
            *number = g->used++;
        }
        coarse_cell *c = &g->cell[*number];
        const double error = (double)densities_of(w)[i];
        c->count++;
        if (!(error > 0)) continue;
        c->active++;
        c->r -= (double)job->derived->rows.volume * fmin(error, (double)COMPRESSION_MAX);
    }
    return true;
}

/* Share of a cell's volume that particles fill. */
static double fill_of(const coarse_grid *g, const coarse_cell *c) {
    const double volume = (double)g->size[0] * (double)g->size[1] * (double)g->size[2];
    return fmin(c->count * (double)g->job->derived->rows.volume / volume, 1);
}

/* Connects neighbouring cells. Their conductance is proportional to the fluid that both contain, so nothing flows
   through walls and air. Particles that are not compressed hold the multipliers of their cell at zero. */
static void connect(coarse_grid *g) {
    const double volume = (double)g->size[0] * (double)g->size[1] * (double)g->size[2];
    for (int k = 0; k < g->used; k++) {
        coarse_cell *c = &g->cell[k];
        const double fill = fill_of(g, c), loose = 1 - (double)c->active / c->count;
        for (int side = 0; side < 2 * DIM; side++) {
            const int axis = side / 2;
            int at[3] = {c->at[0], c->at[1], c->at[2]};
            at[axis] += side % 2 ? 1 : -1;
            const int next = number_at(g, at);
            const double across = volume / ((double)g->size[axis] * (double)g->size[axis]);
            c->held += loose * fill * across;
            c->next[side] = next == k ? -1 : next;
            if (c->next[side] >= 0) c->conductance[side] = fmin(fill, fill_of(g, &g->cell[next])) * across;
        }
    }
    for (int k = 0; k < g->used; k++) {
        coarse_cell *c = &g->cell[k];
        if (c->active < ACTIVE_SHARE * c->count) c->active = 0;
        if (c->active == 0) c->r = 0;
        c->p = c->r;
    }
}

/* ---- the equation ---- */

/* z = A p; returns p . z. */
static double image(void *context) {
    coarse_grid *g = context;
    double sum = 0;
    for (int k = 0; k < g->used; k++) {
        coarse_cell *c = &g->cell[k];
        c->z = 0;
        if (c->active == 0) continue;
        c->z = c->held * c->p;
        for (int side = 0; side < 2 * DIM; side++)
            if (c->next[side] >= 0) c->z += c->conductance[side] * (c->p - g->cell[c->next[side]].p);
        sum += c->p * c->z;
    }
    return sum;
}

static double advance(void *context, double alpha) {
    coarse_grid *g = context;
    double sum = 0;
    for (int k = 0; k < g->used; k++) {
        coarse_cell *c = &g->cell[k];
        c->q += alpha * c->p;
        c->r -= alpha * c->z;
        sum += c->r * c->r;
    }
    return sum;
}

static void turn(void *context, double beta) {
    coarse_grid *g = context;
    for (int k = 0; k < g->used; k++) g->cell[k].p = g->cell[k].r + beta * g->cell[k].p;
}

/* Conjugate gradients. In a full box without a surface any constant may be added to a solution, and they end early. */
static void solve(coarse_grid *g) {
    double residual = 0;
    for (int k = 0; k < g->used; k++) residual += g->cell[k].r * g->cell[k].r;
    const cg c = {.context = g, .image = image, .advance = advance, .turn = turn};
    rill_cg_solve(&c, residual, DROP * residual, ROUNDS_MAX);
}

/* ---- back to the particles ---- */

/* Interpolates multipliers linearly between the centres of cells. Where there is no cell, as behind a wall, the
   particle's own cell counts instead. */
static double interpolate(const coarse_grid *g, vec x, int own) {
    int base[3] = {0, 0, 0};
    double t[3] = {0, 0, 0}, sum = 0;
    for (int axis = 0; axis < DIM; axis++) {
        const double u = (double)((vec_get(x, axis) - vec_get(g->low, axis)) / g->size[axis]) - 0.5;
        base[axis] = (int)floor(u), t[axis] = u - floor(u);
    }
    for (int corner = 0; corner < 1 << DIM; corner++) {
        int at[3] = {0, 0, 0};
        double weight = 1;
        for (int axis = 0; axis < DIM; axis++) {
            const int far = corner >> axis & 1;
            at[axis] = base[axis] + far;
            weight *= far ? t[axis] : 1 - t[axis];
        }
        const int number = number_at(g, at);
        sum += weight * g->cell[number < 0 ? own : number].q;
    }
    return sum;
}

static void spread_block(int begin, int end, void *context) {
    const coarse_grid *g = context;
    const pbf_job *job = g->job;
    for (int i = begin; i < end; i++) {
        const vec x = places_of(job->world)[i].x;
        const int own = g->number[job->coarse_place[i]];
        const bool pressed = densities_of(job->world)[i] > 0.0f && g->cell[own].active > 0;
        job->position_lambda[i].m = pressed ? (float)fmin(interpolate(g, x, own), 0) : 0.0f;
    }
}

bool rill_pbf_coarse_multipliers(pbf_job *job) {
    const int n = fluid_count(job->world);
    coarse_grid g = {.job = job, .cell = job->coarse, .number = job->coarse_number};
    lay_out(&g);
    if (!gather(&g)) return false;
    connect(&g);
    solve(&g);
    rill_parallel_for(job->world->workers, n, REDUCE_BLOCK, spread_block, &g);
    return true;
}

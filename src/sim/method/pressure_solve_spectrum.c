/* SPDX-License-Identifier: MIT */
/* Incompressible flow: the largest share of a Jacobi step with which the pressure iterations converge. Equation
   numbers: docs/methods/dfsph.md. */
#include "sim/method/pressure_solve.h"

/* Iterations of the power method, and number of steps after which the packing has changed so much that the eigenvalue
   is computed again. */
#define POWER_ITERATIONS 12
#define PACKING_STEPS    64
/* Jacobi is stable up to 2 over the largest eigenvalue. The power method finds it from below, up to a seventh too
   small, which leaves 1.7. */
#define STABLE_RELAXATION 1.7f

typedef struct spectrum {
    pressure_solve *solve;
    const float *inverse_diagonal;
    float scale; /* normalizes the pressures after an iteration */
} spectrum;

/* Starts from noise between -1 and 1: the largest eigenvalue belongs to pressures that alternate between particles. */
static void noise_block(int begin, int end, void *context) {
    const spectrum *s = context;
    for (int i = begin; i < end; i++) {
        const uint32_t mixed = ((uint32_t)i + 1u) * 2654435761u;
        s->solve->points[i].m = (float)((mixed ^ mixed >> 15) & 0xffff) / 32768.0f - 1.0f;
        s->solve->start[i] = (vec){0};
    }
}

static float rate_at_walls(const pressure_solve *f, int i) {
    int walls;
    const wall_contact *c = contacts_of(&sim_of(f->world)->contacts, i, &walls);
    const pressure_wall *wall = pressure_walls(f, c);
    float rate = 0.0f;
    for (int k = 0; k < walls; k++) rate += wall[k].share * vec_dot(c[k].normal, f->motion[i].x);
    return rate;
}

/* Applies the operator to the pressures. Sums the squares of the pressures before and after, in the norm in which D^-1
   A is symmetric. */
static totals apply_block(int begin, int end, void *context) {
    const spectrum *s = context;
    pressure_solve *f = s->solve;
    wide sums[WIDE] = {{0}};
    totals squares = {0};
    for (int i = begin; i < end; i += WIDE) {
        const int count = end - i < WIDE ? end - i : WIDE;
        for (int k = 0; k < count; k++) sums[k] = pressure_density_rate(f, i + k);
        const wide rates = wide_sum_each(sums);
        for (int k = 0; k < count; k++) {
            const float inverse_diagonal = s->inverse_diagonal[i + k], before = f->points[i + k].m;
            const float after = -inverse_diagonal * (rates[k] + rate_at_walls(f, i + k));
            f->points[i + k].m = after;
            if (!(inverse_diagonal > 0.0f)) continue;
            squares.sum[0] += (double)(before * before) / (double)inverse_diagonal;
            squares.sum[1] += (double)(after * after) / (double)inverse_diagonal;
        }
    }
    return squares;
}

static void scale_block(int begin, int end, void *context) {
    const spectrum *s = context;
    for (int i = begin; i < end; i++) s->solve->points[i].m *= s->scale;
}

/* The largest eigenvalue of D^-1 A, by the power method. A is Eq. 4 put into Eq. 2, 1/D is `inverse_diagonal`. */
static double largest_eigenvalue(pressure_solve *f, const float *inverse_diagonal) {
    const rill_world *w = f->world;
    spectrum s = {.solve = f, .inverse_diagonal = inverse_diagonal};
    const float dt = f->dt;
    double found = 0;
    f->dt = 1.0f, f->free = true;
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, noise_block, &s);
    for (int k = 0; k < POWER_ITERATIONS; k++) {
        rill_pressure_accelerate(f);
        const totals squares = world_loop_totals(w, apply_block, &s);
        if (!(squares.sum[0] > 0 && squares.sum[1] > 0)) break;
        found = sqrt(squares.sum[1] / squares.sum[0]);
        s.scale = (float)(1 / found);
        rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, scale_block, &s);
    }
    f->dt = dt, f->free = false;
    return found;
}

float rill_pressure_relaxation(pressure_solve *f, const float *inverse_diagonal, float wanted) {
    float *known = &f->world->derived[FLOW_EIGENVALUE];
    if (!(*known > 0.0f) || f->world->stats.step % PACKING_STEPS == 0)
        *known = (float)largest_eigenvalue(f, inverse_diagonal);
    return *known * wanted > STABLE_RELAXATION ? STABLE_RELAXATION / *known : wanted;
}

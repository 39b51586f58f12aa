/* SPDX-License-Identifier: MIT */
/* Incompressible flow: how large a share of a Jacobi step the pressure iterations bear. Equation numbers:
   docs/methods/dfsph.md. */
#include "sim/method/flow.h"

/* Iterations of the power method, and steps after which the packing is another one. */
#define POWER_ITERATIONS 12
#define PACKING_STEPS    64
/* Jacobi bears 2 over the largest eigenvalue, which the power method finds from below: up to a seventh too small. */
#define BEARABLE 1.7f

typedef struct spectrum {
    flow *flow;
    const float *answer;
    float scale; /* brings what is iterated back to the size of one */
} spectrum;

/* Noise of the size of one: the largest eigenvalue belongs to pressures that change from particle to particle. */
static void noise_block(int begin, int end, void *context) {
    const spectrum *s = context;
    for (int i = begin; i < end; i++) {
        const uint32_t mixed = ((uint32_t)i + 1u) * 2654435761u;
        s->flow->points[i].m = (float)((mixed ^ mixed >> 15) & 0xffff) / 32768.0f - 1.0f;
        s->flow->start[i] = (vec){0};
    }
}

static float rate_at_walls(const flow *f, int i) {
    int walls;
    const contact *c = contacts_of(&sim_of(f->world)->contacts, i, &walls);
    const flow_wall *wall = flow_walls(f, c);
    float rate = 0.0f;
    for (int k = 0; k < walls; k++) rate += wall[k].share * vec_dot(c[k].normal, f->motion[i].x);
    return rate;
}

/* What the operator makes of the pressures, and the squares of both in the norm in which it is symmetric. */
static totals apply_block(int begin, int end, void *context) {
    const spectrum *s = context;
    flow *f = s->flow;
    wide sums[WIDE] = {{0}};
    totals squares = {0};
    for (int i = begin; i < end; i += WIDE) {
        const int count = end - i < WIDE ? end - i : WIDE;
        for (int k = 0; k < count; k++) sums[k] = flow_density_rate(f, i + k);
        const wide rates = wide_sum_each(sums);
        for (int k = 0; k < count; k++) {
            const float answer = s->answer[i + k], before = f->points[i + k].m;
            const float after = -answer * (rates[k] + rate_at_walls(f, i + k));
            f->points[i + k].m = after;
            if (!(answer > 0.0f)) continue;
            squares.sum[0] += (double)(before * before) / (double)answer;
            squares.sum[1] += (double)(after * after) / (double)answer;
        }
    }
    return squares;
}

static void scale_block(int begin, int end, void *context) {
    const spectrum *s = context;
    for (int i = begin; i < end; i++) s->flow->points[i].m *= s->scale;
}

/* The largest eigenvalue of D^-1 A, by the power method: A is Eq. 4 put into Eq. 2, 1/D is `answer`. */
static double largest_eigenvalue(flow *f, const float *answer) {
    const rill_world *w = f->world;
    spectrum s = {.flow = f, .answer = answer};
    const float dt = f->dt;
    double found = 0;
    f->dt = 1.0f, f->free = true;
    rill_parallel_for(w->workers, w->particles.count, 4096, noise_block, &s);
    for (int k = 0; k < POWER_ITERATIONS; k++) {
        rill_flow_accelerate(f);
        const totals squares = world_loop_totals(w, apply_block, &s);
        if (!(squares.sum[0] > 0 && squares.sum[1] > 0)) break;
        found = sqrt(squares.sum[1] / squares.sum[0]);
        s.scale = (float)(1 / found);
        rill_parallel_for(w->workers, w->particles.count, 4096, scale_block, &s);
    }
    f->dt = dt, f->free = false;
    return found;
}

float rill_flow_relaxation(flow *f, const float *answer, float wanted) {
    float *known = &f->world->derived[FLOW_EIGENVALUE];
    if (!(*known > 0.0f) || f->world->stats.step % PACKING_STEPS == 0) *known = (float)largest_eigenvalue(f, answer);
    return *known * wanted > BEARABLE ? BEARABLE / *known : wanted;
}

/* SPDX-License-Identifier: MIT */
/* Times the steps of a world. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>

const char *const bench_dfsph[] = {"min_iterations",
                                   "15",
                                   "max_iterations",
                                   "15",
                                   "density_error",
                                   "1e-8",
                                   "divergence_error",
                                   "1e-12",
                                   "max_divergence_iterations",
                                   "6",
                                   NULL};
const char *const bench_pcisph[] = {"min_iterations", "3", "max_iterations", "3", NULL};

rill_world *bench_world(const bench_case *c, rill_error *error) {
    const int dim = c->dim;
    rill_world_def def = rill_world_def_default(dim);
    snprintf(def.method, sizeof def.method, "%s", c->method);
    def.spacing = 0.02f;
    if (c->support > 0) def.support_ratio = c->support;
    def.workers = c->workers;
    def.simd = c->simd;
    rill_world *w = rill_world_create(&def, error);
    if (!w) return NULL;
    const float side = (float)c->edge * def.spacing;
    rill_fluid_def fluid = rill_fluid_def_default();
    fluid.surface_tension = c->surface_tension;
    rill_solid_def tank = rill_solid_def_default();
    tank.shape.kind = RILL_BOX;
    tank.shape.inside = true;
    tank.shape.min = (rill_vec){0, 0, 0};
    tank.shape.max = (rill_vec){side, dim == 2 ? 2 * side : side, dim == 2 ? 0 : 2 * side};
    rill_block_def block = rill_block_def_default();
    block.shape.kind = RILL_BOX;
    block.shape.min = (rill_vec){0, 0, 0};
    block.shape.max = (rill_vec){side, side, dim == 2 ? 0 : side};
    block.fill = RILL_FILL_JITTERED;
    block.jitter = 0.1f;
    bool set = true;
    for (const char *const *s = c->settings; s && *s && set; s += 2)
        set = rill_world_set_text(w, rill_ref_method(), s[0], s[1]) == RILL_OK;
    if (set && rill_world_add_fluid(w, &fluid, NULL) == RILL_OK && rill_world_add_solid(w, &tank, NULL) == RILL_OK &&
        rill_world_add_block(w, &block, NULL) == RILL_OK)
        return w;
    if (error) {
        error->status = RILL_INVALID;
        snprintf(error->text, sizeof error->text, "%s", rill_world_message(w));
    }
    rill_world_destroy(w);
    return NULL;
}

rill_status bench_step(const bench_case *c, bench_times *times, rill_error *error) {
    rill_world *w = bench_world(c, error);
    if (!w) return error ? error->status : RILL_INVALID;
    *times = (bench_times){.particles = rill_world_particle_count(w), .steps = c->steps, .total = 1e30};
    for (int p = 0; p < RILL_PHASE_COUNT; p++) times->phase[p] = 1e30;
    rill_status status = RILL_OK;
    const double ns = 1e9 / times->particles;
    for (int k = 0; k < c->steps + 2 && status == RILL_OK; k++) {
        status = c->dt > 0 ? rill_world_step(w, c->dt) : rill_world_step_adaptive(w, 1.0);
        const rill_stats *s = rill_world_stats(w);
        if (k < 2) continue; /* in the first steps buffers grow and caches fill */
        double total = 0;
        for (int p = 0; p < RILL_PHASE_COUNT; p++) {
            times->phase[p] = fmin(times->phase[p], s->seconds[p] * ns);
            total += s->seconds[p] * ns;
        }
        times->total = fmin(times->total, total);
        times->neighbours = s->neighbours_mean;
        times->bytes = (double)s->bytes / times->particles;
    }
    times->hash = rill_world_hash(w);
    if (status != RILL_OK && error) {
        error->status = status;
        snprintf(error->text, sizeof error->text, "%s", rill_world_message(w));
    }
    rill_world_destroy(w);
    return status;
}

bool bench_best(const bench_case *c, bench_times *best) {
    rill_error error;
    for (int round = 0; round < 3; round++) {
        bench_times t = {0};
        if (bench_step(c, &t, &error) != RILL_OK) {
            fprintf(stderr, "rill bench: %s\n", error.text);
            return false;
        }
        if (round == 0) *best = t;
        for (int p = 0; p < RILL_PHASE_COUNT; p++) best->phase[p] = fmin(best->phase[p], t.phase[p]);
        best->total = fmin(best->total, t.total);
    }
    return true;
}

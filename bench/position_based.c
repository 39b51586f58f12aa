/* SPDX-License-Identifier: MIT */
/* Position Based Fluids against the reference loops: sort, lists and three iterations of multipliers and displacements.
   Also the shares of a step, by the names of the paper's Table 2. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>

static const char *const settings[] = {"iterations", "3", "substeps", "1", NULL};

static void keep_best(reference_times *best, const reference_times *t) {
    best->sort = fmin(best->sort, t->sort), best->list = fmin(best->list, t->list);
    best->multiplier = fmin(best->multiplier, t->multiplier);
    best->displacement = fmin(best->displacement, t->displacement);
}

/* The rows of the paper's Table 2, and one for phases that it lacks. Collisions inside the loop count as solving. */
static void print_breakdown(const bench_times *t) {
    const struct {
        const char *name;
        double ns;
    } rows[] = {
        {"integrate", t->phase[RILL_PHASE_SOURCES]},
        {"create hash grid", t->phase[RILL_PHASE_SORT]},
        {"detect neighbours", t->phase[RILL_PHASE_NEIGHBOURS]},
        {"constraint solve", t->phase[RILL_PHASE_BOUNDARY] + t->phase[RILL_PHASE_SOLVE]},
        {"velocity update", t->phase[RILL_PHASE_MOVE]},
        {"bodies, statistics", t->phase[RILL_PHASE_CHECK] + t->phase[RILL_PHASE_BODIES]},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        printf("    %-18s %6.1f ns %5.1f %%\n", rows[k].name, rows[k].ns, 100 * rows[k].ns / t->total);
}

bool bench_position_based(int edge, int steps, bool json) {
    bench_case c = {.dim = 3, .edge = edge, .method = "pbf", .settings = settings, .dt = 1.0 / 240, .steps = steps};
    bench_times one, two;
    reference_times reference, again;
    const int rounds = edge > 60 ? 3 : 7;
    if (!reference_run(edge, rounds, &reference)) return false;
    c.workers = 1;
    if (!bench_best(&c, &one)) return false;
    if (!reference_run(edge, rounds, &again)) return false;
    keep_best(&reference, &again);
    c.workers = 2;
    if (!bench_best(&c, &two)) return false;
    const double limit = reference_step(&reference), gain = one.total / two.total,
                 fps = 1e9 / two.total / one.particles;
    if (json) {
        printf("{\"particles\": %d, \"reference_step3_ns\": %.1f, \"step_ns\": %.1f, \"ratio\": %.3f, "
               "\"two_threads\": %.2f, \"steps_per_second\": %.1f}",
               one.particles, limit, one.total, one.total / limit, gain, fps);
        return true;
    }
    printf("%d particles in 3D, method pbf, 3 iterations, walls, viscosity and XSPH included\n", one.particles);
    printf(
        "  reference   %6.1f: sort %.1f, lists %.1f, 3 x (multipliers %.1f + displacements %.1f)   ns per particle\n",
        limit, reference.sort, reference.list, reference.multiplier, reference.displacement);
    printf("  rill        %6.1f = %.2f x reference\n", one.total, one.total / limit);
    print_breakdown(&one);
    printf("  two threads: %.2f x as fast as one, %.0f steps a second\n\n", gain, fps);
    return true;
}

/* SPDX-License-Identifier: MIT */
/* Position Based Fluids against the reference loops: sort, lists and three iterations of multipliers and displacements.
   And where the time goes, by the names of the paper's Table 2. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>

static const char *const settings[] = {"iterations", "3", "substeps", "1", NULL};

/* Sort, lists and three iterations: what the reference loops take for a step. */
static double reference_step(const reference_times *t) {
    return t->sort + t->list + 3 * (t->multiplier + t->displacement);
}

static void keep_best(reference_times *best, const reference_times *t) {
    best->sort = fmin(best->sort, t->sort), best->list = fmin(best->list, t->list);
    best->multiplier = fmin(best->multiplier, t->multiplier);
    best->displacement = fmin(best->displacement, t->displacement);
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
    const double share = 100 / one.total;
    printf("%d particles in 3D, method pbf, 3 iterations, walls, viscosity and XSPH included\n", one.particles);
    printf(
        "  reference   %6.1f: sort %.1f, lists %.1f, 3 x (multipliers %.1f + displacements %.1f)   ns per particle\n",
        limit, reference.sort, reference.list, reference.multiplier, reference.displacement);
    printf("  rill        %6.1f = %.2f x reference\n", one.total, one.total / limit);
    printf("  of a step   integrate %.0f %%, grid %.0f %%, neighbours %.0f %%, solve %.0f %%, velocities %.0f %%, rest "
           "%.0f %%\n",
           share * one.phase[RILL_PHASE_SOURCES], share * one.phase[RILL_PHASE_SORT],
           share * one.phase[RILL_PHASE_NEIGHBOURS],
           share * (one.phase[RILL_PHASE_BOUNDARY] + one.phase[RILL_PHASE_SOLVE]), share * one.phase[RILL_PHASE_MOVE],
           share * (one.phase[RILL_PHASE_CHECK] + one.phase[RILL_PHASE_BODIES]));
    printf("  two threads: %.2f x as fast as one, %.0f steps a second\n\n", gain, fps);
    return true;
}

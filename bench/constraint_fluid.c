/* SPDX-License-Identifier: MIT */
/* The constraint fluid against the reference loops: steps of ten Gauss-Seidel sweeps in 3D with the paper's twenty
   neighbours, and in 2D. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>

static const char *const settings[] = {"iterations", "10", "solver", "gauss_seidel", NULL};

static bool measure(int dim, int edge, float support, double *limit, bench_times *one, bench_times *two) {
    bench_case c = {.dim = dim,
                    .edge = edge,
                    .support = support,
                    .method = "constraint",
                    .settings = settings,
                    .dt = 1.0 / 480,
                    .workers = 1,
                    .steps = 6};
    reference_times before, after;
    if (!reference_run(46, 5, &before) || !bench_best(&c, one)) return false;
    c.workers = 2;
    if (!bench_best(&c, two) || !reference_run(46, 5, &after)) return false;
    *limit = fmin(reference_step(&before), reference_step(&after));
    return true;
}

bool bench_constraint_fluid(bool quick, bool json) {
    static const struct {
        int dim, edge, quick_edge;
        float support;
    } cases[] = {{3, 40, 20, 1.75f}, {2, 110, 60, 2.0f}};
    for (int k = 0; k < 2; k++) {
        double limit;
        bench_times one, two;
        if (!measure(cases[k].dim, quick ? cases[k].quick_edge : cases[k].edge, cases[k].support, &limit, &one, &two))
            return false;
        const double gain = one.total / two.total;
        if (json) {
            printf("%s{\"dim\": %d, \"particles\": %d, \"neighbours\": %.1f, \"reference_step3_ns\": %.1f, "
                   "\"step_ns\": %.1f, \"ratio\": %.2f, \"two_threads\": %.2f, \"bytes_per_particle\": %.0f}",
                   k > 0 ? ", " : "", cases[k].dim, one.particles, one.neighbours, limit, one.total, one.total / limit,
                   gain, one.bytes);
            continue;
        }
        printf("%d particles in %dD, %.1f neighbours, method constraint, 10 Gauss-Seidel sweeps\n", one.particles,
               cases[k].dim, one.neighbours);
        printf(
            "  reference   %6.1f: sort, lists and 3 position-based iterations of 97,336 particles, ns per particle\n",
            limit);
        printf("  rill        %6.1f = %.2f x reference; solve %.1f\n", one.total, one.total / limit,
               one.phase[RILL_PHASE_SOLVE]);
        printf("  two threads: %.2f x as fast as one; %.0f bytes per particle\n\n", gain, one.bytes);
    }
    return true;
}

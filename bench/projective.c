/* SPDX-License-Identifier: MIT */
/* Projective Fluids against the reference loops: sort, lists and thirty rounds of multipliers and displacements. */
#include "bench/bench.h"

#include <stdio.h>

#define ROUNDS 30

bool bench_projective(int edge, int steps, bool json) {
    static const char *const settings[] = {"rounds", "30", "substeps", "1", NULL};
    bench_case c = {.dim = 3, .edge = edge, .method = "projective", .settings = settings, .dt = 0.002, .steps = steps};
    bench_times one, two;
    reference_times reference;
    if (!reference_run(edge, 3, &reference)) return false;
    c.workers = 1;
    if (!bench_best(&c, &one)) return false;
    c.workers = 2;
    if (!bench_best(&c, &two)) return false;
    const double round = reference.multiplier + reference.displacement,
                 limit = reference.sort + reference.list + ROUNDS * round;
    const double gain = one.total / two.total, seconds = two.total * 1e-9 * one.particles;
    if (json) {
        printf("{\"particles\": %d, \"reference_step30_ns\": %.1f, \"step_ns\": %.1f, \"ratio\": %.3f, "
               "\"two_threads\": %.2f, "
               "\"bytes_per_particle\": %.0f}",
               one.particles, limit, one.total, one.total / limit, gain, one.bytes);
        return true;
    }
    printf("%d particles in 3D, method projective, %d rounds of one Newton step and one division each\n", one.particles,
           ROUNDS);
    printf("  reference   %6.1f: sort %.1f, lists %.1f, %d x (multipliers and displacements %.1f)   ns per particle\n",
           limit, reference.sort, reference.list, ROUNDS, round);
    printf("  rill        %6.1f = %.2f x reference, %.1f for a round; %.0f bytes per particle\n", one.total,
           one.total / limit, one.total / ROUNDS, one.bytes);
    printf("  two threads: %.2f x as fast as one, %.3f s per step\n\n", gain, seconds);
    return true;
}

/* SPDX-License-Identifier: MIT */
/* DFSPH and PCISPH against the reference loops: a DFSPH step of 15 iterations for the density and 6 for the divergence,
   and a PCISPH step of 3. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>

static const struct {
    const char *method, *what;
    const char *const *settings;
} solvers[] = {{"dfsph", "15 + 6 iterations", bench_dfsph}, {"pcisph", "3 iterations", bench_pcisph}};

bool bench_pressure_solvers(int edge, int steps, bool json) {
    const int rounds = edge > 60 ? 3 : 7;
    for (int k = 0; k < 2; k++) {
        bench_case c = {.dim = 3,
                        .edge = edge,
                        .method = solvers[k].method,
                        .settings = solvers[k].settings,
                        .dt = 0.001,
                        .workers = 1,
                        .steps = steps};
        reference_times before, after;
        bench_times one, two;
        if (!reference_run(edge, rounds, &before) || !bench_best(&c, &one)) return false;
        c.workers = 2;
        if (!bench_best(&c, &two) || !reference_run(edge, rounds, &after)) return false;
        const double limit = fmin(reference_step(&before), reference_step(&after)), gain = one.total / two.total;
        if (json) {
            printf("%s{\"method\": \"%s\", \"particles\": %d, \"reference_step3_ns\": %.1f, \"step_ns\": %.1f, "
                   "\"ratio\": %.2f, \"two_threads\": %.2f, \"bytes_per_particle\": %.0f}",
                   k > 0 ? ", " : "", solvers[k].method, one.particles, limit, one.total, one.total / limit, gain,
                   one.bytes);
            continue;
        }
        printf("%d particles in 3D, method %s, %s, walls and viscosity included\n", one.particles, solvers[k].method,
               solvers[k].what);
        printf("  reference   %6.1f: sort, lists and 3 position-based iterations, ns per particle\n", limit);
        printf("  rill        %6.1f = %.2f x reference; solve %.1f\n", one.total, one.total / limit,
               one.phase[RILL_PHASE_SOLVE]);
        printf("  two threads: %.2f x as fast as one; %.0f bytes per particle\n\n", gain, one.bytes);
    }
    return true;
}

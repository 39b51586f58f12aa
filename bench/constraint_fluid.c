/* SPDX-License-Identifier: MIT */
/* The constraint fluid against the reference loops: steps of ten Gauss-Seidel sweeps in 3D with the paper's twenty
   neighbours, and in 2D; and whole frames of 1/60 s in 2D, as a game would set them. */
#include "bench/bench.h"

#include "core/timer.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>

static const char *const settings[] = {"iterations", "10", "tolerance", "0", "solver", "gauss_seidel", NULL};

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

/* Water 1.5 m deep, as compressible and as agitated as a game tolerates. */
static const char basin[] =
    "{\"dim\": 2, \"method\": \"constraint\", \"world\": {\"spacing\": 0.05},"
    " \"methods\": {\"constraint\": {\"stability\": 0.9, \"iterations\": 3, \"noise_damping\": 0, \"viscosity_rule\": "
    "\"damping\"}},"
    " \"fluids\": [{\"name\": \"water\", \"material\": \"water\", \"surface_tension\": 0}],"
    " \"blocks\": [{\"fluid\": \"water\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [20, 1.5]}],"
    " \"solids\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [20, 9], \"inside\": true}]}";

/* Two seconds to settle, then the mean over six, on one thread. */
static bool bench_game_frames(bool json) {
    rill_error error = {0};
    reference_times reference;
    scene *s = rill_scene_parse("basin", basin, sizeof basin - 1, &error);
    rill_world *w = s ? rill_scene_build(s, 1, -1, &error) : NULL;
    bool ok = w && reference_run(46, 5, &reference);
    double seconds = 0, dense = 0, substeps = 0;
    for (int frame = 0; ok && frame < 480; frame++) {
        const double start = rill_timer_now();
        ok = rill_world_step(w, 1.0 / 60) == RILL_OK;
        if (frame < 120) continue;
        seconds += (rill_timer_now() - start) / 360;
        dense += rill_world_stats(w)->density_error_mean / 360;
        substeps += rill_world_stats(w)->substeps / 360.0;
    }
    if (ok) {
        const double ns = 1e9 * seconds / rill_world_particle_count(w), ratio = ns / reference_step(&reference);
        printf(json ? ", {\"frame\": \"1/60 s\", \"particles\": %d, \"substeps\": %.1f, \"frame_ns\": %.1f, \"ratio\": "
                      "%.2f, "
                      "\"density_error\": %.5f}"
                    : "%d particles in 2D, frames of 1/60 s as a game sets them: %.1f substeps, one thread\n"
                      "  rill        %6.1f = %.2f x reference; mean density error %.4f\n\n",
               rill_world_particle_count(w), substeps, ns, ratio, dense);
    } else {
        fprintf(stderr, "rill bench: %s\n", w ? rill_world_message(w) : error.text);
    }
    rill_world_destroy(w);
    rill_scene_free(s);
    return ok;
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
    return bench_game_frames(json);
}

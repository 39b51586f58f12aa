/* SPDX-License-Identifier: MIT */
/* `rill bench`: times as ratios to reference loops in the same run, because machines are noisy. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: rill bench [--quick] [--large] [--json]\n"
    "       rill bench --convergence [--quick]\n"
    "       rill bench --game [--quick] [--json]\n"
    "\n"
    "Times neighbour search, whole steps, frames and surface meshes against bare reference loops in the same run, on\n"
    "one and two threads and on every SIMD width this processor has. Compare ratios; nanoseconds are valid only\n"
    "for this machine and this run. Run it alone. --convergence times nothing: it prints a table of the density\n"
    "error of one step of a dam break against its iterations, plain and accelerated, as CSV. --game times the\n"
    "frames of a game alone.\n"
    "\n"
    "  --quick   20,000 particles instead of 100,000\n"
    "  --large   1,000,000 particles as well\n"
    "  --json    one JSON object instead of the table\n";

typedef struct bench_options {
    bool quick, large, json, convergence, game;
} bench_options;

static double search_time(const bench_times *t) {
    return t->phase[RILL_PHASE_SORT] + t->phase[RILL_PHASE_NEIGHBOURS];
}

typedef struct size_result {
    int particles;
    double reference_sort, reference_list;
    bench_times one, two;
} size_result;

static bool measure_size(int edge, int steps, size_result *r) {
    reference_times reference, again;
    const float water = rill_fluid_def_default().surface_tension;
    bench_case c = {.dim = 3, .edge = edge, .method = "muller", .workers = 1, .steps = steps, .surface_tension = water};
    if (!bench_best(&c, &r->one)) return false;
    if (!reference_run(edge, 7, &reference)) {
        fprintf(stderr, "rill bench: the reference loops need a processor with AVX2 and FMA\n");
        return false;
    }
    c.workers = 2;
    if (!bench_best(&c, &r->two)) return false;
    if (reference_run(edge, 7, &again)) {
        reference.sort = fmin(reference.sort, again.sort);
        reference.list = fmin(reference.list, again.list);
    }
    r->particles = r->one.particles;
    r->reference_sort = reference.sort;
    r->reference_list = reference.list;
    return true;
}

static void print_size(const size_result *r, bool json, bool first) {
    const double reference = r->reference_sort + r->reference_list, ratio = search_time(&r->one) / reference;
    const double search_gain = search_time(&r->one) / search_time(&r->two), step_gain = r->one.total / r->two.total;
    if (json) {
        printf("%s{\"particles\": %d, \"neighbours\": %.1f, \"reference_sort_ns\": %.1f, \"reference_list_ns\": %.1f, "
               "\"sort_ns\": %.1f, \"list_ns\": %.1f, \"search_ratio\": %.3f, \"step_ns\": %.1f, "
               "\"search_two_threads\": %.2f, \"step_two_threads\": %.2f, \"bytes_per_particle\": %.0f}",
               first ? "" : ", ", r->particles, r->one.neighbours, r->reference_sort, r->reference_list,
               r->one.phase[RILL_PHASE_SORT], r->one.phase[RILL_PHASE_NEIGHBOURS], ratio, r->one.total, search_gain,
               step_gain, r->one.bytes);
        return;
    }
    printf("%d particles in 3D, h = 2 dx, %.1f neighbours, method muller\n", r->particles, r->one.neighbours);
    printf("  reference   sort %6.1f   lists %6.1f            ns per particle, one thread\n", r->reference_sort,
           r->reference_list);
    printf("  rill        sort %6.1f   lists %6.1f            = %.2f x reference\n", r->one.phase[RILL_PHASE_SORT],
           r->one.phase[RILL_PHASE_NEIGHBOURS], ratio);
    printf("  whole step  %6.1f: ", r->one.total);
    for (int p = 0; p < RILL_PHASE_COUNT; p++)
        printf("%s %.1f%s", rill_phase_name((rill_phase)p), r->one.phase[p], p + 1 < RILL_PHASE_COUNT ? ", " : "\n");
    printf("  two threads: search %.2f x, whole step %.2f x as fast as one\n", search_gain, step_gain);
    printf("  memory      %.0f bytes per particle, lists included\n\n", r->one.bytes);
}

/* Runs the same case with every SIMD width: shows its time, and that the states are equal. */
static bool print_widths(int edge, bool json) {
    static const struct {
        rill_simd simd;
        const char *name;
    } widths[] = {
        {RILL_SIMD_SCALAR, "scalar"}, {RILL_SIMD_SSE, "sse"}, {RILL_SIMD_AVX2, "avx2"}, {RILL_SIMD_NEON, "neon"}};
    printf(json ? ", \"widths\": {" : "widths, %d particles in 3D, one thread\n", edge * edge * edge);
    uint64_t hash = 0;
    bool first = true, same = true;
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        bench_times t;
        rill_error error;
        const bench_case c = {
            .dim = 3, .edge = edge, .method = "wcsph", .workers = 1, .simd = widths[k].simd, .steps = 5};
        if (bench_step(&c, &t, &error) != RILL_OK) continue;
        same = same && (first || t.hash == hash);
        hash = t.hash;
        printf(json ? "%s\"%s\": %.1f" : "%s  %-7s %8.1f ns per particle and step\n", json && !first ? ", " : "",
               widths[k].name, t.total);
        first = false;
    }
    printf(json ? "}, \"widths_same_bits\": %s" : "  same bits on all: %s\n",
           json ? (same ? "true" : "false") : (same ? "yes" : "NO"));
    return same;
}

int bench_main(int argc, char **argv) {
    bench_options o = {0};
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--quick") == 0) {
            o.quick = true;
        } else if (strcmp(argv[k], "--large") == 0) {
            o.large = true;
        } else if (strcmp(argv[k], "--json") == 0) {
            o.json = true;
        } else if (strcmp(argv[k], "--convergence") == 0) {
            o.convergence = true;
        } else if (strcmp(argv[k], "--game") == 0) {
            o.game = true;
        } else {
            const bool help = strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0;
            fputs(usage, help ? stdout : stderr);
            return help ? 0 : 2;
        }
    }
    if (o.convergence) return bench_convergence(o.quick) ? 0 : 1;
    if (o.game) return bench_game(o.quick, o.json) ? 0 : 1;
    const int edges[] = {o.quick ? 27 : 46, 100};
    if (o.json) printf("{\"sizes\": [");
    for (int k = 0; k < (o.large ? 2 : 1); k++) {
        size_result r;
        if (!measure_size(edges[k], k == 0 ? 15 : 5, &r)) return 1;
        print_size(&r, o.json, k == 0);
    }
    if (o.json) printf("], \"position_based\": [");
    for (int k = 0; k < (o.large ? 2 : 1); k++) {
        if (o.json && k > 0) printf(", ");
        if (!bench_position_based(edges[k], k == 0 ? 15 : 5, o.json)) return 1;
    }
    if (o.json) printf("], \"projective\": [");
    if (!bench_projective(edges[0], 3, o.json)) return 1;
    if (o.json) printf("], \"pressure_solvers\": [");
    if (!bench_pressure_solvers(edges[0], 5, o.json)) return 1;
    if (o.json) printf("], \"constraint_fluid\": [");
    if (!bench_constraint_fluid(o.quick, o.json)) return 1;
    if (o.json) printf("], \"viscoelastic\": [");
    if (!bench_viscoelastic(o.quick, o.json)) return 1;
    if (o.json) printf("], \"threads\": [");
    if (!bench_threads(o.quick, o.json)) return 1;
    if (o.json) printf("], \"solids\": [");
    if (!bench_solids(o.quick, o.json)) return 1;
    if (o.json) printf("], \"changes\": [");
    if (!bench_changes(o.quick, o.json)) return 1;
    if (o.json) printf("], \"frames\": [");
    if (!bench_frames(o.quick, o.json)) return 1;
    if (o.json) printf("], \"game\": [");
    if (!bench_game(o.quick, o.json)) return 1;
    if (o.json) printf("], \"meshing\": [");
    if (!bench_meshing(edges[0], o.json)) return 1;
    if (o.json) printf("]");
    const bool same = print_widths(o.quick ? 20 : 30, o.json);
    if (o.json) printf("}\n");
    return same ? 0 : 1;
}

/* SPDX-License-Identifier: MIT */
/* Clavet's viscoelastic fluid against the reference loops and against its paper: some 20,000 particles in 3D at 0.42 h,
   with springs between all neighbours, one step in a frame of 1/30 s. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>

#define EDGE    27
#define SUPPORT 2.4f
/* Of the paper, a frame of 20,000 particles with their surface [s]. */
#define PAPER_FRAME 2.0

static const char *const settings[] = {"numbers", "paper", NULL};

typedef struct goo_times {
    double step, solve; /* [s] */
    int particles, springs;
    double bytes; /* for each particle */
} goo_times;

static int count_springs(const rill_world *w) {
    rill_frame frame = {0};
    if (rill_frame_of_world(&frame, w, NULL) != RILL_OK) return 0;
    const int count = frame.links_count > 0 ? frame.links[0].count : 0;
    rill_frame_free(&frame);
    return count;
}

/* The best of some steps. Nothing pulls at the fluid, which so keeps its spacing. */
static bool time_steps(int workers, int steps, goo_times *best) {
    const bench_case c = {
        .dim = 3, .edge = EDGE, .support = SUPPORT, .method = "clavet", .settings = settings, .workers = workers};
    rill_error error = {0};
    rill_world *w = bench_world(&c, &error);
    if (!w) {
        fprintf(stderr, "rill bench: %s\n", error.text);
        return false;
    }
    rill_status status = rill_world_set_vec(w, rill_ref_world(), "gravity", (rill_vec){0});
    if (status == RILL_OK)
        status = rill_world_set_text(w, rill_ref_fluid(rill_world_fluid_at(w, 0)), "clavet.springs", "flowing");
    *best = (goo_times){.step = HUGE_VAL, .solve = HUGE_VAL, .particles = rill_world_particle_count(w)};
    for (int k = 0; k < steps + 2 && status == RILL_OK; k++) {
        status = rill_world_step(w, 1.0 / 30);
        const rill_stats *s = rill_world_stats(w);
        double total = 0;
        for (int p = 0; p < RILL_PHASE_COUNT; p++) total += s->seconds[p];
        if (k < 2) continue; /* buffers grow and caches fill */
        best->step = fmin(best->step, total), best->solve = fmin(best->solve, s->seconds[RILL_PHASE_SOLVE]);
        best->bytes = (double)s->bytes / best->particles;
    }
    if (status == RILL_OK)
        best->springs = count_springs(w);
    else
        fprintf(stderr, "rill bench: %s\n", rill_world_message(w));
    rill_world_destroy(w);
    return status == RILL_OK;
}

bool bench_viscoelastic(bool quick, bool json) {
    goo_times one, two;
    reference_times reference;
    const int steps = quick ? 5 : 15;
    if (!reference_run(EDGE, 7, &reference) || !time_steps(1, steps, &one) || !time_steps(2, steps, &two)) return false;
    const double ns = 1e9 * one.step / one.particles, limit = reference_step(&reference), gain = one.step / two.step;
    if (json) {
        printf("{\"method\": \"clavet\", \"particles\": %d, \"springs\": %d, \"reference_step3_ns\": %.1f, "
               "\"step_ns\": %.1f, \"ratio\": %.2f, \"two_threads\": %.2f, \"paper_over_step\": %.1f, "
               "\"bytes_per_particle\": %.0f}",
               one.particles, one.springs, limit, ns, ns / limit, gain, PAPER_FRAME / one.step, one.bytes);
        return true;
    }
    printf("%d particles in 3D, method clavet, %d springs, one step of 1/30 s\n", one.particles, one.springs);
    printf("  reference   %6.1f: sort, lists and 3 position-based iterations at h = 2 dx, ns per particle\n", limit);
    printf("  rill        %6.1f = %.2f x reference; solve %.1f\n", ns, ns / limit, 1e9 * one.solve / one.particles);
    printf("  %.1f ms a step: the paper's 2 s, with the surface, are %.0f times that\n", 1e3 * one.step,
           PAPER_FRAME / one.step);
    printf("  two threads: %.2f x as fast as one; %.0f bytes per particle\n\n", gain, one.bytes);
    return true;
}

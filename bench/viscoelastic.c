/* SPDX-License-Identifier: MIT */
/* Clavet's viscoelastic fluid against the reference loops and against its paper: about 20,000 particles in 3D at 0.42
   h, with springs between all neighbours and without any, one step in a frame of 1/30 s; 1,000 particles in the same
   way with their surface; and 10,000 in 2D without springs, in frames of 1/60 s. */
#include "bench/bench.h"
#include "core/timer.h"
#include "rill/surface.h"

#include <math.h>
#include <stdio.h>

#define EDGE       27
#define SMALL_EDGE 10
#define FLAT_EDGE  100
#define SUPPORT    2.4f
/* From the paper: time of a frame of 20,000 particles with their surface [s], and frames a second with 1,000. */
#define PAPER_FRAME      2.0
#define PAPER_FRAME_RATE 10.0

static const char *const settings[] = {"numbers", "paper", NULL};

typedef struct goo_case {
    int dim, edge;
    bool springs, surface;
    double dt;
} goo_case;

typedef struct goo_times {
    double step, solve, surface; /* [s] */
    int particles, springs;
    double bytes; /* per particle */
} goo_times;

static int count_springs(const rill_world *w) {
    rill_frame frame = {0};
    if (rill_frame_of_world(&frame, w, NULL) != RILL_OK) return 0;
    const int count = frame.links_count > 0 ? frame.links[0].count : 0;
    rill_frame_free(&frame);
    return count;
}

static rill_status time_step(const goo_case *c, rill_world *w, rill_surface *surface, bool counts, goo_times *best) {
    const rill_status status = rill_world_step(w, c->dt);
    const rill_stats *s = rill_world_stats(w);
    double total = 0;
    for (int p = 0; p < RILL_PHASE_COUNT; p++) total += s->seconds[p];
    rill_surface_mesh mesh;
    const double begin = rill_timer_now();
    if (status == RILL_OK && surface) rill_surface_of_world(surface, w, &mesh, NULL);
    const double meshed = rill_timer_now() - begin;
    if (!counts) return status; /* in the first steps buffers grow and caches fill */
    best->step = fmin(best->step, total), best->solve = fmin(best->solve, s->seconds[RILL_PHASE_SOLVE]);
    best->surface = fmin(best->surface, meshed);
    best->bytes = (double)s->bytes / best->particles;
    return status;
}

/* The best of some steps. No force acts on the fluid, so that it keeps its spacing. */
static bool time_steps(const goo_case *c, int workers, int steps, goo_times *best) {
    const bench_case made = {.dim = c->dim,
                             .edge = c->edge,
                             .support = SUPPORT,
                             .method = "clavet",
                             .settings = settings,
                             .workers = workers};
    rill_error error = {0};
    rill_world *w = bench_world(&made, &error);
    rill_surface_def def = rill_surface_def_default();
    def.workers = workers;
    rill_surface *surface = c->surface ? rill_surface_create(&def, &error) : NULL;
    rill_status status = w && (surface || !c->surface) ? RILL_OK : RILL_INVALID;
    if (status == RILL_OK) status = rill_world_set_vec(w, rill_ref_world(), "gravity", (rill_vec){0});
    if (status == RILL_OK && c->springs)
        status = rill_world_set_text(w, rill_ref_fluid(rill_world_fluid_at(w, 0)), "clavet.springs", "flowing");
    *best = (goo_times){.step = HUGE_VAL, .solve = HUGE_VAL, .surface = HUGE_VAL};
    if (w) best->particles = rill_world_particle_count(w);
    for (int k = 0; k < steps + 2 && status == RILL_OK; k++) status = time_step(c, w, surface, k >= 2, best);
    if (status == RILL_OK)
        best->springs = count_springs(w);
    else
        fprintf(stderr, "rill bench: %s\n", w ? rill_world_message(w) : error.text);
    rill_surface_destroy(surface);
    rill_world_destroy(w);
    return status == RILL_OK;
}

bool bench_viscoelastic(bool quick, bool json) {
    const goo_case large = {.dim = 3, .edge = EDGE, .springs = true, .dt = 1.0 / 30};
    const goo_case thin = {.dim = 3, .edge = EDGE, .dt = 1.0 / 30};
    const goo_case small = {.dim = 3, .edge = SMALL_EDGE, .springs = true, .surface = true, .dt = 1.0 / 30};
    const goo_case flat = {.dim = 2, .edge = FLAT_EDGE, .dt = 1.0 / 60};
    goo_times one, two, bare, meshed, wide;
    reference_times reference;
    const int steps = quick ? 5 : 15;
    if (!reference_run(EDGE, 7, &reference) || !time_steps(&large, 1, steps, &one) ||
        !time_steps(&large, 2, steps, &two) || !time_steps(&thin, 1, steps, &bare) ||
        !time_steps(&small, 1, steps, &meshed) || !time_steps(&flat, 1, steps, &wide))
        return false;
    const double ns = 1e9 * one.step / one.particles, limit = reference_step(&reference), gain = one.step / two.step;
    const double springs_ms = 1e3 * (one.step - bare.step), springs_bytes = one.bytes - bare.bytes;
    const double small_ns = 1e9 * meshed.step / meshed.particles, frame = meshed.step + meshed.surface;
    if (json) {
        printf("{\"method\": \"clavet\", \"particles\": %d, \"springs\": %d, \"reference_step3_ns\": %.1f, "
               "\"step_ns\": %.1f, \"ratio\": %.2f, \"two_threads\": %.2f, \"paper_over_step\": %.1f, "
               "\"bytes_per_particle\": %.0f, \"springs_s\": %.5f, \"springs_bytes_per_particle\": %.0f, "
               "\"small_particles\": %d, \"small_step_s\": %.5f, "
               "\"small_surface_s\": %.5f, \"small_ratio\": %.2f, \"flat_particles\": %d, \"flat_step_s\": %.5f}",
               one.particles, one.springs, limit, ns, ns / limit, gain, PAPER_FRAME / one.step, one.bytes,
               1e-3 * springs_ms, springs_bytes, meshed.particles, meshed.step, meshed.surface, small_ns / limit,
               wide.particles, wide.step);
        return true;
    }
    printf("%d particles in 3D, method clavet, %d springs, one step of 1/30 s\n", one.particles, one.springs);
    printf("  reference   %6.1f: sort, lists and 3 position-based iterations at h = 2 dx, ns per particle\n", limit);
    printf("  rill        %6.1f = %.2f x reference; solve %.1f\n", ns, ns / limit, 1e9 * one.solve / one.particles);
    printf("  %.1f ms a step: the paper's 2 s, with the surface, are %.0f times that\n", 1e3 * one.step,
           PAPER_FRAME / one.step);
    printf("  springs are %.1f ms of it, and %.0f of %.0f bytes per particle\n", springs_ms, springs_bytes, one.bytes);
    printf("  two threads: %.2f x as fast as one\n", gain);
    printf("  %d particles: %.2f ms a step (%.2f x reference) and %.2f ms their surface, %.0f frames a second; the "
           "paper has %.0f\n",
           meshed.particles, 1e3 * meshed.step, small_ns / limit, 1e3 * meshed.surface, 1 / frame, PAPER_FRAME_RATE);
    printf("  %d particles in 2D without springs: %.2f ms a step of 1/60 s\n\n", wide.particles, 1e3 * wide.step);
    return true;
}

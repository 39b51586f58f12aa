/* SPDX-License-Identifier: MIT */
/* Convergence of iterations: one step from the same moment of a dam break with more and more iterations, plain and
   accelerated (Macklin and Mueller 2013, Fig. 6). */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The moment of the paper's figure, and the step to be solved: a quarter of a frame. */
#define MOMENT         1.0
#define FRAME          (1.0 / 60)
#define STEP           (1.0 / 240)
#define ITERATIONS_MAX 50

typedef struct memory {
    char *data;
    size_t size, room;
} memory;

static bool keep(const void *data, size_t size, void *context) {
    memory *m = context;
    if (m->size + size > m->room) {
        const size_t room = 2 * (m->size + size);
        char *grown = realloc(m->data, room);
        if (!grown) return false;
        m->data = grown, m->room = room;
    }
    memcpy(m->data + m->size, data, size);
    m->size += size;
    return true;
}

/* Saves the dam break at MOMENT. */
static bool make_dam(float spacing, memory *saved) {
    rill_world_def def = rill_world_def_default(3);
    snprintf(def.method, sizeof def.method, "pbf");
    def.spacing = spacing;
    rill_error error = {0};
    rill_world *w = rill_world_create(&def, &error);
    if (!w) {
        fprintf(stderr, "rill bench: %s\n", error.text);
        return false;
    }
    rill_fluid_def fluid = rill_fluid_def_default();
    fluid.surface_tension = 0;
    rill_solid_def tank = rill_solid_def_default();
    tank.shape.kind = RILL_BOX;
    tank.shape.inside = true;
    tank.shape.min = (rill_vec){0, 0, 0};
    tank.shape.max = (rill_vec){2.2f, 0.8f, 1.6f};
    rill_block_def block = rill_block_def_default();
    block.shape.kind = RILL_BOX;
    block.shape.min = (rill_vec){0, 0, 0};
    block.shape.max = (rill_vec){0.8f, 0.8f, 0.8f};
    bool made = rill_world_add_fluid(w, &fluid, NULL) == RILL_OK && rill_world_add_solid(w, &tank, NULL) == RILL_OK &&
                rill_world_add_block(w, &block, NULL) == RILL_OK;
    while (made && rill_world_stats(w)->time < MOMENT - 0.5 * FRAME) made = rill_world_step(w, FRAME) == RILL_OK;
    made = made && rill_world_save(w, keep, saved) == RILL_OK;
    if (!made) fprintf(stderr, "rill bench: %s\n", rill_world_message(w));
    rill_world_destroy(w);
    return made;
}

/* Mean compression after one step from the saved state with this many iterations; `start` is that without any. Negative
   on failure. */
static double error_after(const memory *saved, int iterations, const char *acceleration, double *start) {
    rill_error error = {0};
    rill_world *w = rill_world_load(saved->data, saved->size, NULL, &error);
    if (!w) {
        fprintf(stderr, "rill bench: %s\n", error.text);
        return -1;
    }
    const bool done = rill_world_set_number(w, rill_ref_method(), "iterations", iterations) == RILL_OK &&
                      rill_world_set_number(w, rill_ref_method(), "substeps", 1) == RILL_OK &&
                      rill_world_set_text(w, rill_ref_method(), "acceleration", acceleration) == RILL_OK &&
                      rill_world_step(w, STEP) == RILL_OK;
    if (!done) fprintf(stderr, "rill bench: %s\n", rill_world_message(w));
    *start = (double)rill_world_stats(w)->residuals[0];
    const double found = done ? rill_world_stats(w)->density_error_mean : -1;
    rill_world_destroy(w);
    return found;
}

bool bench_convergence(bool quick) {
    memory saved = {0};
    bool good = make_dam(quick ? 0.05f : 0.02f, &saved);
    if (good) printf("iterations,plain,accelerated\n");
    for (int n = 1; good && n <= ITERATIONS_MAX; n++) {
        double start;
        const double plain = error_after(&saved, n, "none", &start);
        const double accelerated = error_after(&saved, n, "chebyshev", &start);
        good = plain >= 0 && accelerated >= 0;
        if (good && n == 1) printf("0,%.6g,%.6g\n", start, start);
        if (good) printf("%d,%.6g,%.6g\n", n, plain, accelerated);
    }
    free(saved.data);
    return good;
}

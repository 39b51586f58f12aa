/* SPDX-License-Identifier: MIT */
/* Surfaces: the jittered lattice of the reference loops, meshed with cells of h/4, compared with the time of sort and
   lists alone. */
#include "bench/bench.h"

#include "core/timer.h"
#include "rill/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DX 0.02f

typedef struct mesh_times {
    double seconds, bytes;
    int triangles;
} mesh_times;

/* The best of several frames; the first one allocates memory, and is the best only if there is no other. */
static bool mesh_best(const rill_surface_particles *in, int field, int workers, int rounds, mesh_times *best) {
    rill_error error = {RILL_OK, ""};
    rill_surface_def def = rill_surface_def_default();
    def.field = field, def.workers = workers, def.radius = 2.0f, def.cell = 0.5f;
    rill_surface *surface = rill_surface_create(&def, &error);
    bool made = surface != NULL;
    *best = (mesh_times){.seconds = HUGE_VAL};
    for (int k = 0; made && k < rounds; k++) {
        rill_surface_mesh mesh;
        const double begin = rill_timer_now();
        made = rill_surface_of_particles(surface, in, &mesh, &error) == RILL_OK;
        best->seconds = fmin(best->seconds, rill_timer_now() - begin);
        if (made) best->triangles = mesh.element_count, best->bytes = (double)mesh.bytes;
    }
    if (!made) fprintf(stderr, "rill bench: %s\n", error.text);
    rill_surface_destroy(surface);
    return made;
}

static void print_field(const char *name, const mesh_times *one, const mesh_times *two, double reference, bool json,
                        bool first) {
    if (json) {
        printf("%s{\"field\": \"%s\", \"seconds\": %.3f, \"two_threads_seconds\": %.3f, \"search_ratio\": %.1f, "
               "\"triangles\": %d, \"bytes\": %.0f}",
               first ? "" : ", ", name, one->seconds, two->seconds, one->seconds / reference, one->triangles,
               one->bytes);
        return;
    }
    printf("  %-11s %6.3f s = %4.1f x reference, two threads %6.3f s; %d triangles, %.0f MB\n", name, one->seconds,
           one->seconds / reference, two->seconds, one->triangles, 1e-6 * one->bytes);
}

bool bench_meshing(int edge, bool json) {
    static const char *const names[] = {"distance", "density", "anisotropic"};
    const int count = edge * edge * edge;
    reference_times times;
    rill_vec *position = malloc((size_t)count * sizeof *position);
    if (!position || !reference_run(edge, 5, &times)) {
        free(position);
        return false;
    }
    for (int k = 0; k < count; k++) position[k] = reference_point(edge, k, DX);
    const rill_surface_particles in = {.dim = 3, .count = count, .position = position, .spacing = DX};
    const double reference = 1e-9 * (times.sort + times.list) * count;
    if (!json)
        printf("surface of %d particles in 3D, h = 2 dx, cells of h/4; sort and lists of the reference: %.3f s\n",
               count, reference);
    bool made = true;
    for (int field = 0; made && field < 3; field++) {
        mesh_times one, two;
        made = mesh_best(&in, field, 1, 4, &one) && mesh_best(&in, field, 2, 4, &two);
        if (made) print_field(names[field], &one, &two, reference, json, field == 0);
    }
    if (!json) printf("\n");
    free(position);
    return made;
}

/* SPDX-License-Identifier: MIT */
/* Frames a second on two threads: the level of a game in 2D, and 50,000 particles in 3D with one step per frame. */
#include "bench/bench.h"

#include "core/timer.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>

/* Time of the reference loops on the machine to which frame rates are converted [ns]. */
#define REFERENCE_MACHINE 260.0
/* Frames in a simulated second. */
#define FRAME_RATE 60

typedef struct frame_result {
    const char *what;
    int particles;
    double fps, slowest; /* over the whole run, and in its slowest second */
} frame_result;

/* Runs a world for some simulated seconds, frame by frame. */
static rill_status time_frames(rill_world *w, int seconds, frame_result *r) {
    double total = 0, longest = 0;
    for (int second = 0; second < seconds; second++) {
        const double start = rill_timer_now();
        for (int frame = 0; frame < FRAME_RATE; frame++) {
            const rill_status status = rill_world_step(w, 1.0 / FRAME_RATE);
            if (status != RILL_OK) return status;
        }
        const double taken = rill_timer_now() - start;
        total += taken;
        longest = fmax(longest, taken);
    }
    r->particles = rill_world_particle_count(w);
    r->fps = FRAME_RATE * seconds / total, r->slowest = FRAME_RATE / longest;
    return RILL_OK;
}

/* Water 1.2 m deep in a pool: the depth that one step of 3 iterations per frame supports at 3 % of compression. */
static const char pool[] =
    "{\"dim\": 3, \"method\": \"pbf\", \"world\": {\"spacing\": 0.1},"
    " \"methods\": {\"pbf\": {\"substeps\": 1, \"iterations\": 3}},"
    " \"fluids\": [{\"name\": \"water\", \"material\": \"water\", \"surface_tension\": 0}],"
    " \"blocks\": [{\"fluid\": \"water\", \"shape\": \"box\", \"min\": [0, 0, 0], \"max\": [6.5, 6.5, 1.2]}],"
    " \"solids\": [{\"shape\": \"box\", \"min\": [0, 0, 0], \"max\": [6.5, 6.5, 4], \"inside\": true}]}";

/* Takes ownership of the scene. */
static bool time_scene(scene *s, int seconds, rill_error *error, frame_result *r) {
    rill_world *w = s ? rill_scene_build(s, 2, -1, error) : NULL;
    const bool ok = w && time_frames(w, seconds, r) == RILL_OK;
    if (!ok) fprintf(stderr, "rill bench: %s\n", w ? rill_world_message(w) : error->text);
    rill_world_destroy(w);
    rill_scene_free(s);
    return ok;
}

bool bench_frames(bool quick, bool json) {
    /* The level as in its file, with its own substeps and iterations, until its spring runs dry. */
    frame_result r[2] = {{.what = "game_level_2d"}, {.what = "pool in 3D, 1 step of 3 iterations for each frame"}};
    reference_times before, after;
    rill_error error = {0};
    if (!reference_run(46, 5, &before) ||
        !time_scene(rill_scene_load(r[0].what, &error), quick ? 2 : 8, &error, &r[0]) ||
        !time_scene(rill_scene_parse("pool", pool, sizeof pool - 1, &error), 2, &error, &r[1]) ||
        !reference_run(46, 5, &after))
        return false;
    const double reference = fmin(reference_step(&before), reference_step(&after));
    const double scale = reference / REFERENCE_MACHINE;
    for (int k = 0; k < 2; k++)
        if (json)
            printf("%s{\"what\": \"%s\", \"particles\": %d, \"fps\": %.1f, \"fps_slowest_second\": %.1f, "
                   "\"reference_step3_ns\": %.1f, \"fps_where_reference_is_260\": %.1f}",
                   k > 0 ? ", " : "", r[k].what, r[k].particles, r[k].fps, r[k].slowest, reference,
                   r[k].slowest * scale);
        else
            printf("%s, %d particles, two threads\n"
                   "  %.0f frames a second, %.0f in the slowest second; %.0f where the reference takes %.0f ns, here "
                   "%.0f\n\n",
                   r[k].what, r[k].particles, r[k].fps, r[k].slowest, r[k].slowest * scale, REFERENCE_MACHINE,
                   reference);
    return true;
}

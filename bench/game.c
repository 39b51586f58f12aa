/* SPDX-License-Identifier: MIT */
/* Frames of a game in 2D: water with bodies in it, waves, splashes, a spring, crates that come and go, and one that a
   hand drags about. What a frame costs, and what the worst ones do, as processor time: with other work on the machine
   wall time, of which the mean is told too, says nothing. Beside it, how much height the water keeps. */
#include "bench/bench.h"
#include "core/timer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BODIES  50
#define SIDE    8  /* of a crate, in spacings */
#define PERIOD  97 /* frames between spawns */
#define STEPS   2  /* of a frame at most */
#define FRAMES  1000
#define WARM_UP 120

/* A level and what is timed in it. */
typedef struct game_case {
    const char *what;
    float spacing, width, depth; /* of the water [m] */
    int bodies, rate;            /* frames a second */
} game_case;

typedef struct game_times {
    int particles;
    double mean, median, p99, worst; /* processor time of a frame [s] */
    double wall;                     /* mean time of a frame by the clock on the wall [s] */
    double kept;                     /* height of the water at the end over that of its volume */
    double slow;                     /* time that was given up, as a share of all */
} game_times;

static void set_box(rill_shape *shape, float x, float y, float width, float height) {
    shape->kind = RILL_BOX;
    shape->min = (rill_vec){x, y, 0}, shape->max = (rill_vec){x + width, y + height, 0};
}

static rill_status add_crate(rill_world *w, const game_case *c, int k, rill_body_id *id) {
    rill_body_def crate = rill_body_def_default();
    const float side = SIDE * c->spacing;
    const int row = (int)(c->width / (2 * side));
    const int column = k % row, layer = k / row;
    set_box(&crate.shape, side * (0.5f + 2 * (float)column), c->depth + side * (0.5f + 1.5f * (float)layer), side,
            side);
    crate.density = 250.0f + 100.0f * (float)(k % 8);
    return rill_world_add_body(w, &crate, id);
}

static rill_world *make_level(const game_case *c, rill_body_id *hand, rill_error *error) {
    rill_world_def def = rill_world_def_game(2);
    def.spacing = c->spacing, def.workers = 2;
    rill_world *w = rill_world_create(&def, error);
    if (!w) return NULL;
    const rill_fluid_def water = rill_fluid_def_default();
    rill_solid_def tank = rill_solid_def_default();
    rill_block_def block = rill_block_def_default();
    const float side = SIDE * c->spacing;
    set_box(&tank.shape, 0, 0, c->width, 50 * side);
    tank.shape.inside = true;
    set_box(&block.shape, 0, 0, c->width, c->depth);
    rill_body_def paddle = rill_body_def_default();
    paddle.kind = RILL_BODY_KINEMATIC;
    set_box(&paddle.shape, 0.5f * c->width, c->depth + 10 * side, 0.5f * side, 2.5f * side);
    bool ok = rill_world_add_fluid(w, &water, NULL) == RILL_OK && rill_world_add_solid(w, &tank, NULL) == RILL_OK &&
              rill_world_add_block(w, &block, NULL) == RILL_OK && rill_world_add_body(w, &paddle, hand) == RILL_OK;
    for (int k = 0; ok && k < c->bodies - 1; k++) ok = add_crate(w, c, k, NULL) == RILL_OK;
    if (ok) return w;
    snprintf(error->text, sizeof error->text, "%s", rill_world_message(w));
    rill_world_destroy(w);
    return NULL;
}

/* What players do in a frame. */
static rill_status play(rill_world *w, const game_case *c, rill_body_id hand, int frame) {
    const float t = (float)frame / (float)c->rate, middle = 0.5f * c->width, side = SIDE * c->spacing;
    const rill_pose pose = {.position = {middle + 15 * side * sinf(0.7f * t), c->depth + 0.5f * side * cosf(2 * t), 0},
                            .angle = 0.3f * sinf(t)};
    rill_status status = rill_world_body_move_to(w, hand, &pose);
    if (status == RILL_OK && frame % 60 == 30) /* a splash as high as the water is deep */
        status = rill_world_blast(w, (rill_vec){0.2f * c->width, 0.5f * c->depth, 0}, 2 * side,
                                  sqrtf(2 * 9.81f * c->depth), NULL);
    if (status != RILL_OK || frame % PERIOD != 0) return status;
    rill_body_id old = {0};
    for (int k = 0; k < rill_world_body_count(w) && old.index1 == 0; k++)
        if (rill_world_body_at(w, k).index1 != hand.index1) old = rill_world_body_at(w, k);
    status = rill_world_remove_body(w, old);
    return status == RILL_OK ? add_crate(w, c, (frame / PERIOD) % 7, NULL) : status;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Height of the water's centre, doubled: what still water with this centre would have. */
static double height(rill_world *w) {
    rill_gauge_def def = rill_gauge_def_default();
    rill_gauge_id id;
    rill_reading centre = {0};
    def.kind = RILL_GAUGE_CENTRE;
    if (rill_world_add_gauge(w, &def, &id) == RILL_OK) rill_world_read_gauge(w, id, &centre);
    rill_world_remove_gauge(w, id);
    return 2 * centre.value[1];
}

static bool time_game(const game_case *c, int frames, game_times *t) {
    rill_error error = {0};
    rill_body_id hand = {0};
    double seconds[FRAMES], lost = 0;
    rill_world *w = make_level(c, &hand, &error);
    bool ok = w != NULL;
    *t = (game_times){0};
    for (int frame = -WARM_UP; ok && frame < frames; frame++) {
        double advanced;
        const double start = rill_timer_processor(), wall_start = rill_timer_now();
        ok = play(w, c, hand, frame + WARM_UP) == RILL_OK &&
             rill_world_advance_at_most(w, 1.0 / c->rate, STEPS, &advanced) == RILL_OK;
        if (frame < 0) continue;
        seconds[frame] = rill_timer_processor() - start;
        t->mean += seconds[frame] / frames;
        t->wall += (rill_timer_now() - wall_start) / frames;
        lost += 1.0 / c->rate - advanced;
    }
    if (ok) {
        qsort(seconds, (size_t)frames, sizeof *seconds, compare);
        t->median = seconds[frames / 2], t->p99 = seconds[frames * 99 / 100], t->worst = seconds[frames - 1];
        t->particles = rill_world_particle_count(w);
        t->slow = lost * c->rate / frames;
        for (int k = rill_world_body_count(w); k-- > 0;) rill_world_remove_body(w, rill_world_body_at(w, k));
        for (int k = 0; ok && k < 10 * c->rate; k++)
            ok = rill_world_advance_at_most(w, 1.0 / c->rate, STEPS, NULL) == RILL_OK;
        t->kept = height(w) / (double)c->depth;
    }
    if (!ok) fprintf(stderr, "rill bench: %s\n", w ? rill_world_message(w) : error.text);
    rill_world_destroy(w);
    return ok;
}

bool bench_game(bool quick, bool json) {
    static const game_case cases[] = {{"12,000 particles and 50 bodies", 0.025f, 10, 0.75f, BODIES, 60},
                                      {"50,000 particles and 10 bodies", 0.1f, 167, 3, 10, 30}};
    for (int k = 0; k < 2; k++) {
        game_times t;
        if (!time_game(&cases[k], k == 1 ? (quick ? 20 : 200) : quick ? 100 : FRAMES, &t)) return false;
        if (json)
            printf("%s{\"what\": \"game, %s\", \"particles\": %d, \"frame_ms\": %.2f, \"frame_p99_ms\": %.2f, "
                   "\"frame_worst_ms\": %.2f, \"frame_wall_ms\": %.2f, \"height_kept\": %.4f, \"time_given_up\": %.4f}",
                   k > 0 ? ", " : "", cases[k].what, t.particles, 1e3 * t.mean, 1e3 * t.p99, 1e3 * t.worst,
                   1e3 * t.wall, t.kept, t.slow);
        else
            printf("game in 2D: %s, %d frames a second, processor time of two threads\n"
                   "  frame       %6.2f ms, median %.2f ms, 99 of 100 within %.2f ms, the worst %.2f ms\n"
                   "  by the wall %6.2f ms, on cores without other work\n"
                   "  height kept %6.1f %%, time given up %.1f %%\n\n",
                   cases[k].what, cases[k].rate, 1e3 * t.mean, 1e3 * t.median, 1e3 * t.p99, 1e3 * t.worst, 1e3 * t.wall,
                   100 * t.kept, 100 * t.slow);
    }
    return true;
}

/* SPDX-License-Identifier: MIT */
/* Frames of a game in 2D: water with bodies in it, waves, splashes, a spring, crates that are spawned and removed, and
   one that a hand drags about. Measures the mean and worst cost of frames as processor time: with other work on the
   machine real time, whose mean is printed too, means little. Also measures how well the water keeps its height. The
   same level with bodies moved by a host runs alternately, frame by frame, under the same load. */
#include "bench/bench.h"
#include "bench/game_host.h"
#include "core/timer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BODIES  50
#define SIDE    8  /* of a crate, in spacings */
#define PERIOD  97 /* frames between spawns */
#define STEPS   2  /* most steps of a frame */
#define FRAMES  1000
#define WARM_UP 120

/* A level to be timed. */
typedef struct game_case {
    const char *what;
    float spacing, width, depth; /* of the water [m] */
    int bodies, rate;            /* frames a second */
    bool beside;                 /* also run with hosted bodies */
} game_case;

typedef struct game_times {
    int particles;
    double mean, median, p99, worst; /* processor time of a frame [s] */
    double wall;                     /* mean real time of a frame [s] */
    double kept;                     /* height of the water at the end, as a share of that of its volume */
    double slow;                     /* simulated time that was given up, as a share */
    double steps;                    /* mean number of steps in a frame */
} game_times;

/* A level in play. */
typedef struct game {
    const game_case *level;
    rill_world *world;
    rill_body_id hand;
    bool hosted;
    game_host host;
    double seconds[FRAMES], lost;
    game_times times;
} game;

static void set_box(rill_shape *shape, float x, float y, float width, float height) {
    shape->kind = RILL_BOX;
    shape->min = (rill_vec){x, y, 0}, shape->max = (rill_vec){x + width, y + height, 0};
}

static rill_status add_body(game *g, const rill_body_def *def, rill_body_id *id) {
    return g->hosted ? game_host_add(&g->host, g->world, def, id) : rill_world_add_body(g->world, def, id);
}

static rill_status add_crate(game *g, int k) {
    const game_case *c = g->level;
    rill_body_def crate = rill_body_def_default();
    const float side = SIDE * c->spacing;
    const int row = (int)(c->width / (2 * side));
    const int column = k % row, layer = k / row;
    set_box(&crate.shape, side * (0.5f + 2 * (float)column), c->depth + side * (0.5f + 1.5f * (float)layer), side,
            side);
    crate.density = 250.0f + 100.0f * (float)(k % 8);
    return add_body(g, &crate, NULL);
}

static bool make_level(game *g, rill_error *error) {
    const game_case *c = g->level;
    rill_world_def def = rill_world_def_game(2);
    def.spacing = c->spacing, def.workers = 2;
    rill_world *w = g->world = rill_world_create(&def, error);
    if (!w) return false;
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
              rill_world_add_block(w, &block, NULL) == RILL_OK && add_body(g, &paddle, &g->hand) == RILL_OK;
    for (int k = 0; ok && k < c->bodies - 1; k++) ok = add_crate(g, k) == RILL_OK;
    if (!ok) snprintf(error->text, sizeof error->text, "%s", rill_world_message(w));
    return ok;
}

static rill_status drag(game *g, const rill_pose *pose) {
    if (!g->hosted) return rill_world_body_move_to(g->world, g->hand, pose);
    game_host_move_to(&g->host, g->hand, pose, 1.0 / g->level->rate);
    return RILL_OK;
}

static rill_status remove_body(game *g, rill_body_id id) {
    return g->hosted ? game_host_remove(&g->host, g->world, id) : rill_world_remove_body(g->world, id);
}

static rill_status advance(game *g, double *advanced) {
    const double duration = 1.0 / g->level->rate;
    return g->hosted ? game_host_advance(&g->host, g->world, duration, STEPS, advanced)
                     : rill_world_advance_at_most(g->world, duration, STEPS, advanced);
}

/* The players' actions in a frame. */
static rill_status play(game *g, int frame) {
    rill_world *w = g->world;
    const game_case *c = g->level;
    const float t = (float)frame / (float)c->rate, middle = 0.5f * c->width, side = SIDE * c->spacing;
    const rill_pose pose = {.position = {middle + 15 * side * sinf(0.7f * t), c->depth + 0.5f * side * cosf(2 * t), 0},
                            .angle = 0.3f * sinf(t)};
    rill_status status = drag(g, &pose);
    if (status == RILL_OK && frame % 60 == 30) /* a splash as high as the water is deep */
        status = rill_world_blast(w, (rill_vec){0.2f * c->width, 0.5f * c->depth, 0}, 2 * side,
                                  sqrtf(2 * 9.81f * c->depth), NULL);
    if (status != RILL_OK || frame % PERIOD != 0) return status;
    rill_body_id old = {0};
    for (int k = 0; k < rill_world_body_count(w) && old.index1 == 0; k++)
        if (rill_world_body_at(w, k).index1 != g->hand.index1) old = rill_world_body_at(w, k);
    status = remove_body(g, old);
    return status == RILL_OK ? add_crate(g, (frame / PERIOD) % 7) : status;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Twice the height of the water's centre: the depth of still water with this centre. */
static double height(rill_world *w) {
    rill_gauge_def def = rill_gauge_def_default();
    rill_gauge_id id;
    rill_reading centre = {0};
    def.kind = RILL_GAUGE_CENTRE;
    if (rill_world_add_gauge(w, &def, &id) == RILL_OK) rill_world_read_gauge(w, id, &centre);
    rill_world_remove_gauge(w, id);
    return 2 * centre.value[1];
}

/* Frames before the first one are played but not timed. */
static bool time_frame(game *g, int frame, int frames) {
    double advanced;
    const int64_t steps = rill_world_stats(g->world)->step;
    const double start = rill_timer_processor(), wall_start = rill_timer_now();
    if (play(g, frame + WARM_UP) != RILL_OK || advance(g, &advanced) != RILL_OK) return false;
    if (frame < 0) return true;
    g->seconds[frame] = rill_timer_processor() - start;
    g->times.mean += g->seconds[frame] / frames;
    g->times.wall += (rill_timer_now() - wall_start) / frames;
    g->times.steps += (double)(rill_world_stats(g->world)->step - steps) / frames;
    g->lost += 1.0 / g->level->rate - advanced;
    return true;
}

/* Removes the bodies and lets the water settle: then its right height is known. */
static bool measure_height(game *g) {
    const game_case *c = g->level;
    bool ok = true;
    for (int k = rill_world_body_count(g->world); k-- > 0;)
        ok = remove_body(g, rill_world_body_at(g->world, k)) == RILL_OK && ok;
    for (int k = 0; ok && k < 10 * c->rate; k++)
        ok = rill_world_advance_at_most(g->world, 1.0 / c->rate, STEPS, NULL) == RILL_OK;
    g->times.kept = height(g->world) / (double)c->depth;
    return ok;
}

static bool end_game(game *g, int frames) {
    game_times *t = &g->times;
    qsort(g->seconds, (size_t)frames, sizeof *g->seconds, compare);
    t->median = g->seconds[frames / 2], t->p99 = g->seconds[frames * 99 / 100], t->worst = g->seconds[frames - 1];
    t->particles = rill_world_particle_count(g->world);
    t->slow = g->lost * g->level->rate / frames;
    return measure_height(g);
}

/* Plays one level, or several alternately. */
static bool time_games(game *games, int count, int frames) {
    rill_error error = {0};
    bool ok = true;
    for (int k = 0; k < count && ok; k++) ok = make_level(&games[k], &error);
    for (int n = 0; n < (WARM_UP + frames) * count && ok; n++)
        ok = time_frame(&games[n % count], n / count - WARM_UP, frames);
    for (int k = 0; k < count && ok; k++) ok = end_game(&games[k], frames);
    for (int k = 0; k < count; k++) {
        const char *message = games[k].world ? rill_world_message(games[k].world) : error.text;
        if (!ok && *message) fprintf(stderr, "rill bench: %s\n", message);
        rill_world_destroy(games[k].world);
    }
    return ok;
}

static void print_game(const game *g) {
    const game_times *t = &g->times;
    printf("game in 2D: %s%s, %d frames a second, processor time of two threads\n"
           "  frame       %6.2f ms, median %.2f ms, 99 of 100 within %.2f ms, the worst %.2f ms\n"
           "  real time   %6.2f ms, on cores without other work\n"
           "  height kept %6.1f %%, %.2f steps a frame, time given up %.1f %%\n",
           g->level->what, g->hosted ? " of a host" : "", g->level->rate, 1e3 * t->mean, 1e3 * t->median, 1e3 * t->p99,
           1e3 * t->worst, 1e3 * t->wall, 100 * t->kept, t->steps, 100 * t->slow);
}

static void print_game_json(const game *g) {
    const game_times *t = &g->times;
    printf("{\"what\": \"game, %s%s\", \"particles\": %d, \"frame_ms\": %.2f, \"frame_p99_ms\": %.2f, "
           "\"frame_worst_ms\": %.2f, \"frame_wall_ms\": %.2f, \"height_kept\": %.4f, \"steps\": %.2f, "
           "\"time_given_up\": %.4f}",
           g->level->what, g->hosted ? " of a host" : "", t->particles, 1e3 * t->mean, 1e3 * t->p99, 1e3 * t->worst,
           1e3 * t->wall, t->kept, t->steps, t->slow);
}

bool bench_game(bool quick, bool json) {
    static const game_case cases[] = {{"12,000 particles and 50 bodies", 0.025f, 10, 0.75f, BODIES, 60, true},
                                      {"50,000 particles and 10 bodies", 0.1f, 167, 3, 10, 30, false}};
    for (int k = 0; k < 2; k++) {
        game games[] = {{.level = &cases[k]}, {.level = &cases[k], .hosted = true}};
        const int count = cases[k].beside ? 2 : 1;
        if (!time_games(games, count, k == 1 ? (quick ? 20 : 200) : quick ? 100 : FRAMES)) return false;
        for (int n = 0; n < count; n++) {
            if (json) {
                printf("%s", k + n > 0 ? ", " : "");
                print_game_json(&games[n]);
            } else {
                print_game(&games[n]);
            }
        }
        if (json) continue;
        if (count > 1)
            printf("  %.3f times the frame with Rill's own bodies\n", games[1].times.mean / games[0].times.mean);
        printf("\n");
    }
    return true;
}

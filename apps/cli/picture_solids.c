/* SPDX-License-Identifier: MIT */
/* Solids move by prescription, so an empty world is carried to any time by a single step; bodies stand where the run's
   table has them. */
#include "picture_solids.h"

#include "io/io.h"
#include "model/world_state.h"
#include "rigid/body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

rill_world *picture_solids_build(const scene *s, rill_error *error) {
    scene empty = *s;
    empty.block_count = empty.emitter_count = empty.sink_count = empty.gauge_count = 0;
    /* Or bodies would fall when the solids are moved. */
    empty.world.gravity = (rill_vec){0, 0, 0};
    return scene_build(&empty, 1, -1, error);
}

rill_status picture_solids_move(rill_world *solids, double time) {
    double left = time - rill_world_stats(solids)->time;
    return left > 0 ? rill_world_step(solids, left) : RILL_OK;
}

/* ---- bodies ---- */

#define COLUMNS_MAX 32

/* The columns of a row; the text is cut at the commas. */
static int split_row(char *line, char *words[COLUMNS_MAX]) {
    int count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *word = line; word && count < COLUMNS_MAX; count++) {
        char *comma = strchr(word, ',');
        if (comma) *comma = '\0';
        words[count] = word;
        word = comma ? comma + 1 : NULL;
    }
    return count;
}

static double number_of(char *const *head, char *const *row, int count, const char *name, double otherwise) {
    for (int k = 0; k < count; k++)
        if (strcmp(head[k], name) == 0) return strtod(row[k], NULL);
    return otherwise;
}

static void place_body(rill_world *world, const char *name, char *const *head, char *const *row, int count) {
    FOR_ALIVE(world, body, b) {
        if (strcmp(b->def.name, name) != 0) continue;
        const double angle = number_of(head, row, count, "angle", 0.0);
        const char *const axes[] = {"x", "y", "z"}, *const turns[] = {"qx", "qy", "qz", "qw"};
        const double turn[] = {0.0, 0.0, sin(0.5 * angle), cos(0.5 * angle)};
        for (int a = 0; a < 3; a++) b->x[a] = number_of(head, row, count, axes[a], b->x[a]);
        for (int a = 0; a < 4; a++) b->q[a] = number_of(head, row, count, turns[a], turn[a]);
        body_pose(b, &POOL_ITEMS(world, solid)[b->solid].pose);
    }
}

/* Rows come in the order of time; those nearest to the frame's time count. */
static void place_bodies(rill_world *world, char *table, double time) {
    char *rest, *head[COLUMNS_MAX], *row[COLUMNS_MAX], *line = strtok_r(table, "\n", &rest);
    const int count = line ? split_row(line, head) : 0;
    for (line = strtok_r(NULL, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (split_row(line, row) != count || fabs(strtod(row[0], NULL) - time) > 1e-4) continue;
        for (int k = 0; k < count; k++)
            if (strcmp(head[k], "body") == 0) place_body(world, row[k], head, row, count);
    }
}

void picture_solids_bodies(rill_world *solids, const char *folder, double time) {
    char path[1300];
    void *table;
    size_t size;
    snprintf(path, sizeof path, "%s/bodies.csv", folder);
    if (rill_world_body_count(solids) == 0 || access(path, R_OK) != 0) return;
    if (io_read_whole(path, &table, &size, NULL) != RILL_OK) return;
    place_bodies(solids, table, time);
    free(table);
}

/* SPDX-License-Identifier: MIT */
/* The gauges of a run as columns of a table. */
#include "run/gauge_columns.h"

#include "core/error.h"
#include "model/gauge_kind.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_among(const rill_frame *now, const char *name) {
    for (int k = 0; k < now->gauge_count; k++)
        if (strcmp(now->gauge[k].name, name) == 0) return true;
    return false;
}

static void add(gauge_columns *c, const rill_gauge_def *gauge) {
    c->gauges[c->gauge_count++] = *gauge;
    c->count += rill_gauge_value_count(gauge->kind, c->dim);
}

/* The world has its gauges in the order of the scene. Events remove gauges by their names, so one without a name is
   there. */
rill_status rill_run_gauge_columns_begin(gauge_columns *c, const run *r, const rill_frame *now, rill_error *error) {
    const int given = r->scene ? r->scene->gauge_count : 0;
    int next = 0;
    c->gauges = calloc((size_t)given + (size_t)now->gauge_count + 1, sizeof *c->gauges);
    if (!c->gauges) return rill_fail(error, RILL_MEMORY, "out of memory for the gauges");
    c->dim = now->dim;
    for (int k = 0; k < given; k++) {
        const rill_gauge_def *gauge = &r->scene->gauges[k];
        if (gauge->name[0] && !is_among(now, gauge->name))
            add(c, gauge);
        else if (next < now->gauge_count)
            add(c, &now->gauge[next++]);
    }
    while (next < now->gauge_count) add(c, &now->gauge[next++]);
    return RILL_OK;
}

const char *rill_run_gauge_columns_label(const gauge_columns *c, int column, char *buffer, size_t size) {
    const rill_gauge_def *gauge = c->gauges;
    for (int values; column >= (values = rill_gauge_value_count(gauge->kind, c->dim)); gauge++) column -= values;
    return rill_gauge_label(gauge, c->dim, column, buffer, size);
}

/* The place of a gauge among those of the world; -1: it has been removed. */
static int place_of(const rill_world *world, const char *name) {
    for (int k = 0; k < rill_world_gauge_count(world); k++)
        if (strcmp(rill_world_gauge_def(world, rill_world_gauge_at(world, k))->name, name) == 0) return k;
    return -1;
}

rill_status rill_run_gauge_columns_read(const gauge_columns *c, const run *r, double *values, rill_error *error) {
    rill_reading *readings = calloc((size_t)rill_world_gauge_count(r->world) + 1, sizeof *readings);
    if (!readings) return rill_fail(error, RILL_MEMORY, "out of memory for the gauges");
    const rill_status status = rill_world_read_gauges_at(r->world, r->shown.time, readings);
    for (int i = 0; i < c->gauge_count; i++) {
        const int place = place_of(r->world, c->gauges[i].name);
        for (int k = 0; k < rill_gauge_value_count(c->gauges[i].kind, c->dim); k++)
            *values++ = place < 0 ? (double)NAN : readings[place].value[k];
    }
    free(readings);
    return status == RILL_OK ? RILL_OK : rill_fail(error, status, "%s", rill_world_message(r->world));
}

void rill_run_gauge_columns_free(gauge_columns *c) {
    free(c->gauges);
    *c = (gauge_columns){0};
}

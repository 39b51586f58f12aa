/* SPDX-License-Identifier: MIT */
/* Predicts how many particles emitters will add. What sinks will remove is unknown. */
#include "apps/cli/run/emission.h"

#include "core/trig.h"

#include <math.h>

/* The future is cut into this many slices; within a slice the number of particles counts as constant. */
#define SLICES 200

static double opening_of(const rill_emitter_def *e, int dim) {
    const double radius = (double)e->radius;
    if (dim == 2) return e->nozzle == RILL_NOZZLE_ROUND ? 2 * radius : (double)e->width;
    return e->nozzle == RILL_NOZZLE_ROUND ? PI * radius * radius : (double)e->width * (double)e->height;
}

/* Particles that one emitter has added by `time`. */
static double emitted_by(const scene *s, const rill_emitter_def *e, double time) {
    const double volume = pow((double)s->world.spacing, (double)s->world.dim);
    const double rate = e->rate > 0 ? (double)e->rate : opening_of(e, (int)s->world.dim) * (double)e->speed;
    const double open = fmax(0.0, fmin((double)e->end_time, time) - (double)e->start_time);
    const double count = open * rate / volume;
    return e->limit > 0 ? fmin(count, (double)e->limit) : count;
}

double emission_particles(const scene *s, double count, double from, double time) {
    for (int k = 0; k < s->emitter_count; k++)
        count += emitted_by(s, &s->emitters[k], time) - emitted_by(s, &s->emitters[k], from);
    return count;
}

double emission_work(const scene *s, double count, double from, double to) {
    const double slice = (to - from) / SLICES;
    double work = 0;
    for (int k = 0; k < SLICES && slice > 0; k++)
        work += slice * (emission_particles(s, count, from, from + (k + 0.5) * slice) + 1);
    return work;
}

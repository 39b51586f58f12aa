/* SPDX-License-Identifier: MIT */
/* The number of particles in the future, on which the time of a run depends. */
#ifndef RILL_CLI_RUN_EMISSION_H
#define RILL_CLI_RUN_EMISSION_H

#include "scene/scene.h"

/* Particles at `time`, if there are `count` at `from` and none leaves. */
double emission_particles(const scene *s, double count, double from, double time);
/* Integral over time, from `from` to `to`, of the number of particles plus one, for the fixed cost of a step. */
double emission_work(const scene *s, double count, double from, double to);

#endif

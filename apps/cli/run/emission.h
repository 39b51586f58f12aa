/* SPDX-License-Identifier: MIT */
/* How many particles there will be: what a run has ahead of it grows with them. */
#ifndef RILL_CLI_RUN_EMISSION_H
#define RILL_CLI_RUN_EMISSION_H

#include "scene/scene.h"

/* Particles at `time` if those at `from` are `count` and none leaves. */
double emission_particles(const scene *s, double count, double from, double time);
/* Particles (and one more, for what a step costs without any) times time, summed from `from` to `to`. */
double emission_work(const scene *s, double count, double from, double to);

#endif

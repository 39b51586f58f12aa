/* SPDX-License-Identifier: MIT */
/* Steps shared by the methods that move particles ahead and correct them afterwards. */
#ifndef RILL_SIM_METHOD_PREDICT_H
#define RILL_SIM_METHOD_PREDICT_H

#include "sim/method/method.h"

#define rill_predict SIM_NAME(rill_predict)

/* Velocities after gravity, and positions that they lead to; particles that pins hold go with them. */
void rill_predict(rill_world *world, double dt);

/* Substeps of at most `longest` that make up a step: at least one, at most `most`. */
static inline int predict_substeps(double dt, double longest, int most) {
    const double count = ceil(dt / longest - 1e-6);
    return count < 1 ? 1 : count > most ? most : (int)count;
}

#endif

/* SPDX-License-Identifier: MIT */
/* Shared by the methods that move particles ahead (predict) and then correct their positions. */
#ifndef RILL_SIM_METHOD_PREDICT_H
#define RILL_SIM_METHOD_PREDICT_H

#include "sim/method/method.h"

#define rill_predict SIM_NAME(rill_predict)

/* Adds gravity to velocities and moves particles by v dt; particles held by pins move with their pins. */
void rill_predict(rill_world *world, double dt);

/* Number of substeps of at most `longest` seconds in a step of dt, but at least 1 and at most `most`. */
static inline int predict_substeps(double dt, double longest, int most) {
    const double count = ceil(dt / longest - 1e-6);
    return count < 1 ? 1 : count > most ? most : (int)count;
}

#endif

/* SPDX-License-Identifier: MIT */
/* Steps that are suddenly much shorter than usual, in slow motion or at the end of a host's frame. A state that was
   built up over usual steps says little about such steps, and they say little about later ones. */
#ifndef RILL_CORE_USUAL_STEP_H
#define RILL_CORE_USUAL_STEP_H

#include <math.h>

/* The weight of a step of dt against earlier ones: 1, or twice its share of the usual length if that is less. `usual`
   is part of the state; it follows longer steps within a twentieth of a second and shorter ones within half a second.
   0: there was no step yet. */
static inline float usual_step_weight(float *usual, double dt) {
    const float step = (float)dt, most = 2.0f * step / *usual;
    *usual += (step - *usual) * fminf(step / (step > *usual ? 0.05f : 0.5f), 1.0f);
    return most < 1.0f ? most : 1.0f;
}

/* As usual_step_weight, but a first step sets the usual length at once. */
static inline double usual_step_share(float *usual, double dt) {
    if (!(*usual > 0.0f)) *usual = (float)dt;
    return (double)usual_step_weight(usual, dt);
}

#endif

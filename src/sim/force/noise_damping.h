/* SPDX-License-Identifier: MIT */
/* Noise damping: a kinematic viscosity nu = alpha dx sqrt(p/rho) between particles, of methods that have no sound to
   carry away the heat of a packing that rearranges itself under pressure. sqrt(p/rho) is the speed that belongs to the
   pressure; Monaghan's artificial viscosity (1992, Eq. 4.1) has that of sound in its place. It vanishes where there is
   no pressure, and walls do not rub by it: it would brake every stream over a floor. */
#ifndef RILL_SIM_FORCE_NOISE_DAMPING_H
#define RILL_SIM_FORCE_NOISE_DAMPING_H

#include "sim/force/forces.h"

/* Alpha in use: what is asked for or, below 0, what keeps still tanks of 10, 25, 50 and 100 layers below 1 % of sqrt(g
   H). A crystal that is sheared snaps from one place to the next and makes more heat than a packing without yield
   stress. */
static inline float noise_damping(const rill_world *w, float asked) {
    if (asked >= 0.0f) return asked;
    return w->def.quality == RILL_QUALITY_ACCURATE ? 0.02f : 0.04f;
}

/* The viscosity in Pa s; `reach` is alpha dx. */
static inline float noise_viscosity(float reach, float rho, float pressure) {
    return reach * sqrtf(rho * fmaxf(pressure, 0.0f));
}

#endif

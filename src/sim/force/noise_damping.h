/* SPDX-License-Identifier: MIT */
/* Noise damping: a kinematic viscosity nu = alpha dx sqrt(p/rho) between particles. It is for methods without sound,
   which would carry away the random motion of a packing that rearranges itself under pressure. sqrt(p/rho) is the speed
   that belongs to the pressure; Monaghan's artificial viscosity (1992, Eq. 4.1) has the speed of sound in its place. It
   vanishes without pressure. It does not act at walls: it would brake every stream over a floor. */
#ifndef RILL_SIM_FORCE_NOISE_DAMPING_H
#define RILL_SIM_FORCE_NOISE_DAMPING_H

#include "sim/force/forces.h"

/* Alpha in use: `asked` or, if that is below 0, what keeps tanks of 10, 25, 50 and 100 layers at rest below 1 % of
   sqrt(g H). With `fast` particles form a crystal: sheared, it snaps from one state to the next and makes more noise
   than the packing of `accurate`, which has no yield stress. */
static inline float noise_damping(const rill_world *w, float asked) {
    if (asked >= 0.0f) return asked;
    return w->def.quality == RILL_QUALITY_ACCURATE ? 0.02f : 0.04f;
}

/* The viscosity in Pa s; `reach` is alpha dx. */
static inline float noise_viscosity(float reach, float rho, float pressure) {
    return reach * sqrtf(rho * fmaxf(pressure, 0.0f));
}

#endif

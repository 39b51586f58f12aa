/* SPDX-License-Identifier: MIT */
/* XSPH: particles take over a share of their neighbours' velocities, dv_i = c sum m_j/rho_ij W (v_j - v_i), rho_ij the
   mean density of both (Monaghan 1989; Macklin and Mueller 2013, Eq. 17). It conserves momentum and damps differences
   between neighbours. Differences: rest densities, and the velocities themselves change, not only those that particles
   are moved with. c belongs to a fixed time, or is a rate, so that more steps do not make a fluid more viscous. */
#ifndef RILL_SIM_FORCE_XSPH_H
#define RILL_SIM_FORCE_XSPH_H

#include "sim/dim.h"

/* Time in which the share c is taken over [s]. */
#define XSPH_TIME (1.0f / 60.0f)

/* The share for a step of dt. */
static inline float xsph_of_step(float c, float dt) {
    return c * fminf(dt / XSPH_TIME, 1.0f);
}

/* m_j over the mean rest density of both. m_i times this is symmetric in i and j, so momentum is conserved. With the
   mean of the inverse densities a heavy fluid would drag a light one along without limit. */
WIDE_FN wide xsph_volume(wide m, float rho_i, wide rho_j) {
    return m / (0.5f * (rho_i + rho_j));
}

#endif

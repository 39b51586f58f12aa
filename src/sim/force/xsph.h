/* SPDX-License-Identifier: MIT */
/* XSPH: particles take over a share of their neighbours' velocities, dv_i = c sum m_j/rho_ij W (v_j - v_i), rho_ij the
   mean density of both (Monaghan 1989; Macklin and Mueller 2013, Eq. 17). It keeps momentum and damps what differs from
   particle to particle. Differences: rest densities, and velocities that change themselves, not only those that
   particles move with. c belongs to a time, or is a rate, so that the number of steps does not make a fluid viscous. */
#ifndef RILL_SIM_FORCE_XSPH_H
#define RILL_SIM_FORCE_XSPH_H

#include "sim/dim.h"

/* Time in which the share c is taken over [s]. */
#define XSPH_TIME (1.0f / 60.0f)

/* The share that belongs to a step of dt. */
static inline float xsph_of_step(float c, float dt) {
    return c * fminf(dt / XSPH_TIME, 1.0f);
}

/* m_j over the mean rest density of both: m_i times it is the same seen from j, so momentum is kept. With the mean of
   their inverses a heavy fluid would drag a light one along without measure. */
WIDE_FN wide xsph_volume(wide m, float rho_i, wide rho_j) {
    return m / (0.5f * (rho_i + rho_j));
}

#endif

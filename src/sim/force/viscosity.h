/* SPDX-License-Identifier: MIT */
/* Viscosity: m_i a_i = sum V_i V_j mu_ij L(r) (v_j - v_i), with mu_ij the mean of both viscosities (Mueller, Charypar
   and Gross 2003, Eq. 14). Differences: the sum of the operator L over a lattice at rest is exact
   (rill_forces_prepare), and in most methods L is -2 W'/r of the pressure's kernel (Brookshaw 1985; Morris, Fox and Zhu
   1997, Eq. 22). The mean is that of the viscosities, not of the velocities, so that momentum is conserved.

   Terms of a pair, for the neighbour loops of methods. A loop may move factors that all its pairs share out of its sum:
   the scale of L if that is a kernel's gradient, and mu in a fluid of one kind. */
#ifndef RILL_SIM_FORCE_VISCOSITY_H
#define RILL_SIM_FORCE_VISCOSITY_H

#include "sim/kernel.h"

/* Viscosity between two particles. */
WIDE_FN wide viscosity_between(wide mu_i, wide mu_j) {
    return 0.5f * (mu_i + mu_j);
}

/* mu_ij L(r) m_j/(rho_i rho_j): the rate at which the velocity of i approaches that of j. `inverse2` is 1/(rho_i rho_j)
   and `gradient` kernel_gradient of the same pair. */
WIDE_FN wide viscosity_pair(const laplacian *l, wide mu_ij, wide m, wide inverse2, wide r2, wide gradient) {
    return mu_ij * m * inverse2 * laplacian_value(l, r2, gradient);
}

#endif

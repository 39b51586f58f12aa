/* SPDX-License-Identifier: MIT */
/* Weakly compressible SPH. Monaghan, "Simulating free surface flows with SPH", J. Comput. Phys. 110 (1994); Becker and
   Teschner, "Weakly compressible SPH for free surface flows", SCA 2007. The solver is sph.c, whose head has the
   equations; this file has the choices that make it weakly compressible.

   Unknowns: density, pressure and acceleration of each particle, one after the other; no system is solved.

   Equations (numbers of Sjoestroem's thesis):
     rho_i = sum_j m_j W_ij, one kernel for density and gradient                                     [3.19]
     p_i   = rho0 cs^2 / gamma ((rho_i / rho0)^gamma - 1), gamma = 7, cut off at zero                [3.23]
     dv_i  = -sum_j m_j (p_i / rho_i^2 + p_j / rho_j^2) grad W_ij, which conserves momentum          [3.27]
           + viscosity + surface tension + gravity

   Iteration: none. A step is leap-frog, bounded by the time that sound needs to cross h. cs is chosen such that fluid
   at the greatest depth of the scene is compressed by about 1 %.

   What differs from the papers: density is a sum rather than integrated, unless `density_rule` is `continuity`; walls
   are integrals of the kernel instead of repelling particles; a pressure in proportion to drho/dt damps sound. */
#include "sim/method/sph.h"

static const rill_param rows[] = {
    SPH_ROWS(SPH_TAIT, SPH_RULE_DEPTH, 7, SPH_SYMMETRIC, false, LAPLACIAN_GRADIENT, SPH_LEAPFROG)};

static const rill_table table = TABLE("wcsph", "weakly compressible SPH", sph_params, rows);

static kernel_kind density_kernel(const rill_world *w) {
    const sph_params *p = method_params(w);
    return method_kernel(w, p->density_kernel, KERNEL_CUBIC);
}

const method SIM_NAME(rill_wcsph_method) = SPH_METHOD(
    ((rill_method_info){
        .name = "wcsph",
        .title = "Weakly compressible SPH",
        .citation =
            "Monaghan 1994, doi:10.1006/jcph.1994.1034; Becker and Teschner 2007, doi:10.2312/SCA/SCA07/209-218",
        .about = "Stiff equation of state and short explicit steps; the sound speed follows from the depth of the "
                 "scene. Simple, robust, conserves momentum; slow for deep water.",
        .best_for = "pressure and forces on walls",
        .strengths = RILL_STRENGTH_ACCURACY,
        .table = &table}),
    density_kernel);

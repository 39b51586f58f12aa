/* SPDX-License-Identifier: MIT */
/* Mueller's interactive SPH. Mueller, Charypar and Gross, "Particle-based fluid simulation for interactive
   applications", SCA 2003, as in Sjoestroem's thesis, sections 3.4 and 4.4.1. The solver is sph.c, whose head has the
   equations; this file has the choices that make it Mueller's.

   Unknowns: density, pressure and acceleration of each particle, one after the other; no system is solved.

   Equations (of the thesis):
     rho_i = sum_j m_j W_ij, poly6                                                                   [3.19]
     p_i   = cs^2 (rho_i - rho0), cut off at zero                                                    [3.22]
     dv_i  = -sum_j m_j (p_i + p_j) / (2 rho_i rho_j) grad W_ij, spiky                               [3.28]
           + viscosity by the viscosity kernel + surface tension + gravity                           [3.32]

   Iteration: none. A step is semi-implicit Euler, bounded by the time that sound needs to cross h.

   What differs from the paper: cs is chosen from the depth of the scene instead of by hand; the pressure shown is half
   that of [3.22], because the mean form of [3.28] counts half the gradient; the viscosity kernel is scaled to be exact;
   Monaghan's artificial viscosity (1992) and `sound_damping` calm the fluid; surface tension is a stress in N/m, with
   the paper's colour field as `surface_tension_model: colour`; walls count in the density and push back; the quality
   `accurate` takes the quintic spline for both kernels. */
#include "sim/method/sph.h"

static const rill_param rows[] = {
    SPH_ROWS(SPH_SOUND, SPH_RULE_DEPTH, 1, SPH_MEAN, false, LAPLACIAN_VISCOSITY, SPH_EULER)};

static const rill_table table = TABLE("muller", "Mueller's interactive SPH", sph_params, rows);

static kernel_kind density_kernel(const rill_world *w) {
    const sph_params *p = method_params(w);
    return method_kernel(w, p->density_kernel, KERNEL_POLY6);
}

const method SIM_NAME(rill_muller_method) =
    SPH_METHOD(((rill_method_info){
                   .name = "muller",
                   .title = "Mueller SPH",
                   .citation = "Mueller, Charypar and Gross 2003, doi:10.2312/SCA03/154-159",
                   .about = "The classic force-based method for games: gas-like pressure, forgiving kernels, a colour "
                            "field for surface tension on request. Its mean pressure force counts half the gradient.",
                   .best_for = "comparing with published SPH",
                   .table = &table}),
               density_kernel);

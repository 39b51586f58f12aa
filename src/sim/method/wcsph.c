/* SPDX-License-Identifier: MIT */
/* Weakly compressible SPH: Tait's equation, the momentum-conserving p/rho^2 form, one consistent kernel, a sound speed
   chosen from the depth. Monaghan, "Simulating free surface flows with SPH", J. Comput. Phys. 110 (1994); Becker and
   Teschner, "Weakly compressible SPH for free surface flows", SCA 2007. */
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
        .best_for = "pressure and forces on walls, waves",
        .strengths = RILL_STRENGTH_ACCURACY,
        .table = &table}),
    density_kernel);

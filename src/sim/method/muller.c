/* SPDX-License-Identifier: MIT */
/* Mueller's interactive SPH: poly6 density, spiky pressure, the viscosity kernel, colour-field surface tension.
   Mueller, Charypar, Gross, "Particle-based fluid simulation for interactive applications", SCA 2003; as in
   Sjoestroem's thesis, sections 3.4 and 4.4.1. */
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

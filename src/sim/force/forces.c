/* SPDX-License-Identifier: MIT */
/* Forces: their constants, and the limits that they set to the step. */
#include "sim/force/forces.h"

static void prepare_colour(forces *f, const rill_world *w, const forces_setting *setting) {
    f->surface_threshold = setting->surface_threshold;
    f->colour = rill_kernel_make(KERNEL_POLY6, w->support);
    f->colour_self = poly6_laplacian(&f->colour, wide_zero())[0];
    rill_wall_integrals_make_colour(&f->colour_walls, &f->colour, w->def.spacing, (rill_walls)w->def.walls);
}

static void prepare_tension(forces *f, const rill_world *w, const forces_setting *setting) {
    f->surface_tension = !setting->colour, f->colour_tension = setting->colour;
    if (f->colour_tension) {
        prepare_colour(f, w, setting);
        return;
    }
    rill_surface_prepare(&f->surface, setting->gradient, w->def.spacing);
    sim_of(w)->reach = fmaxf(sim_of(w)->reach, f->surface.kernel.h);
}

void rill_forces_prepare(forces *f, const rill_world *w, const forces_setting *setting) {
    const float dx = w->def.spacing;
    const rill_walls walls = (rill_walls)w->def.walls;
    *f = (forces){.count = w->fluids.count, .nearest_wall = 0.25f * dx};
    bool tension = false;
    for (int k = WORLD_FLUIDS_MAX; k < WORLD_PHASES_MAX; k++) f->rho0[k] = f->inverse_rho0[k] = 1.0f;
    FOR_ALIVE(w, fluid, item) {
        const int k = (int)(item - POOL_ITEMS(w, fluid));
        const rill_fluid_def *def = &item->def;
        f->rho0[k] = def->density, f->inverse_rho0[k] = 1.0f / def->density;
        f->mu[k] = def->viscosity, f->nu[k] = def->viscosity / def->density;
        f->sigma[k] = def->surface_tension;
        f->viscosity |= def->viscosity > 0.0f;
        tension |= def->surface_tension > 0.0f;
    }
    f->viscous = laplacian_make(setting->viscous, setting->gradient);
    /* The thesis's constant is not calibrated. */
    if (setting->viscous != LAPLACIAN_THESIS || DIM == 3) rill_laplacian_calibrate(&f->viscous, dx);
    f->viscous_integral = rill_laplacian_integral(&f->viscous);
    rill_wall_integrals_make(&f->walls, setting->density, setting->gradient, &f->viscous, dx, walls);
    if (tension) prepare_tension(f, w, setting);
}

double rill_forces_viscous_dt(const forces *f, friction_scheme scheme) {
    const double h = (double)f->walls.h;
    /* Explicit diffusion is stable up to 2/(nu lambda). The operator's largest eigenvalue lambda is at most 1.5 times
       its integral over the kernel, no-slip walls included. Leap-frog, which advances velocities by half a step with
       the last acceleration, is stable up to half of that. */
    const double share = scheme == FRICTION_LEAPFROG ? 0.5 : 1.0;
    const double diffusion = fmin(0.125 * h * h, share / (double)f->viscous_integral);
    double dt = HUGE_VAL;
    for (int k = 0; k < f->count; k++)
        if (f->mu[k] > 0.0f) dt = fmin(dt, diffusion * (double)f->rho0[k] / (double)f->mu[k]);
    return dt;
}

double rill_forces_capillary_dt(const forces *f) {
    const double wave = f->colour_tension ? (double)f->colour.h : (double)f->surface.kernel.h;
    double dt = HUGE_VAL;
    for (int k = 0; k < f->count; k++) {
        const double rho0 = (double)f->rho0[k], sigma = (double)f->sigma[k];
        /* A quarter of the time in which a capillary wave passes the kernel (Morris 2000, after Brackbill 1992). */
        if (sigma > 0) dt = fmin(dt, 0.25 * sqrt(rho0 * wave * wave * wave / (6.283185307179586 * sigma)));
    }
    return dt;
}

double rill_forces_max_dt(const rill_world *w, const forces *f, friction_scheme scheme) {
    const double capillary = rill_forces_capillary_dt(f);
    if (w->def.viscosity_solver != RILL_VISCOSITY_EXPLICIT) return capillary;
    return fmin(capillary, rill_forces_viscous_dt(f, scheme));
}

/* A fluid is thick if its explicit step is below this share of sqrt(dx/g), the time in which a particle falls by half
   its spacing: honey at 5 mm is at 0.04, oil of 0.1 Pa s at 5. */
#define THICK 0.1

bool rill_forces_are_thick(const rill_world *w, const forces *f) {
    const double g = (double)vec_length(vec_of(w->def.gravity));
    if (!f->viscosity || w->def.viscosity_solver == RILL_VISCOSITY_EXPLICIT || !(g > 0)) return false;
    float thinnest = INFINITY, thickest = 0.0f;
    FOR_ALIVE(w, fluid, item) {
        const float nu = f->nu[item - POOL_ITEMS(w, fluid)];
        thinnest = fminf(thinnest, nu), thickest = fmaxf(thickest, nu);
    }
    if (!(thinnest > 0.0f && thickest > 0.0f)) return false;
    /* The limit of the step is that of the thickest fluid, but the thinnest has to be thick too. */
    const double dt = rill_forces_viscous_dt(f, FRICTION_EXPLICIT) * (double)(thickest / thinnest);
    return dt < THICK * sqrt((double)w->def.spacing / g);
}

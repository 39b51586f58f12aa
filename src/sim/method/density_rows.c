/* SPDX-License-Identifier: MIT */
/* Constants of density constraints, sums over a rest lattice, and the load (mean pressure over density) from which
   steps are chosen. */
#include "sim/method/density_rows.h"

#include "core/trig.h"

/* S_ref = sum_k |grad_k C|^2 in a rest lattice of particles of volume `volume`. */
static float lattice_squares(const kernel *k, float dx, float volume) {
    const int reach = (int)(k->h / dx) + 1, depth = DIM == 3 ? reach : 0;
    double sum = 0;
    for (int c = -depth; c <= depth; c++)
        for (int b = -reach; b <= reach; b++)
            for (int a = -reach; a <= reach; a++) {
                const float r = dx * sqrtf((float)(a * a + b * b + c * c)), g = volume * kernel_gradient_at(k, r) * r;
                sum += (double)(g * g);
            }
    return (float)sum;
}

/* Number of wave numbers along each axis among which the largest eigenvalue is searched. */
#define WAVES 9

/* sum V grad W sin(k . x) over a rest lattice, k in units of pi/dx/(WAVES - 1): the displacement by multipliers that
   vary as a wave, and equally the change of the constraints by such a displacement. `sines`: of the multiples of
   pi/(WAVES - 1). */
static vec lattice_wave(const kernel *kernel, float dx, float volume, const int *wave, const float *sines) {
    const int reach = (int)(kernel->h / dx), depth = DIM == 3 ? reach : 0, turn = 2 * (WAVES - 1);
    vec sum = {0};
    for (int c = -depth; c <= depth; c++)
        for (int b = -reach; b <= reach; b++)
            for (int a = -reach; a <= reach; a++) {
                const int at[] = {a, b, c}, phase = (a * wave[0] + b * wave[1] + c * wave[2]) % turn;
                const float r = dx * sqrtf((float)(a * a + b * b + c * c));
                if (r >= kernel->h) continue;
                const float slope = volume * dx * kernel_gradient_at(kernel, r) * sines[(phase + turn) % turn];
                for (int axis = 0; axis < DIM; axis++) (&sum.x)[axis] += slope * (float)at[axis];
            }
    return sum;
}

float rill_density_rows_eigenvalue(const density_rows *rows, float dx) {
    const row_kernels *pair = &rows->pair;
    const int depth = DIM == 3 ? WAVES : 1;
    float most = 0.0f, sines[2 * (WAVES - 1)];
    for (int k = 0; k < 2 * (WAVES - 1); k++) sines[k] = (float)rill_trig_sin(PI * k / (WAVES - 1));
    for (int c = 0; c < depth; c++)
        for (int b = 0; b < WAVES; b++)
            for (int a = 0; a <= b; a++) { /* the lattice looks the same along all axes */
                const int wave[] = {a, b, c};
                const vec moves = lattice_wave(&pair->gradient, dx, rows->volume, wave, sines);
                const vec changes = lattice_wave(&pair->density, dx, rows->volume, wave, sines);
                most = fmaxf(most, vec_dot(moves, changes) / rows->s_ref);
            }
    return most;
}

/* Whether all fluids have the same volume, mass and viscosity, so that loops need not know the fluid of a neighbour. */
static bool all_alike(const rill_world *w, const fluid *first) {
    FOR_ALIVE(w, fluid, f) {
        const bool same =
            f->mass == first->mass && f->def.density == first->def.density && f->def.viscosity == first->def.viscosity;
        if (!same) return false;
    }
    return true;
}

void rill_density_rows_prepare(density_rows *rows, const rill_world *w, kernel_kind density, kernel_kind gradient) {
    const kernel value = rill_kernel_make(density, w->support), slope = rill_kernel_make(gradient, w->support);
    rows->pair = (row_kernels){value, slope, 1.0f, 1.0f};
    if (rows_are_cubic(rows))
        rows->pair.value_scale = 2.0f * value.value_scale, rows->pair.slope_scale = slope.gradient_scale * w->support;
    rill_forces_prepare(&rows->forces, w,
                        &(forces_setting){.density = &value, .gradient = &slope, .viscous = LAPLACIAN_GRADIENT});
    rows->uniform = true;
    rows->volume = rows->mass_ref = 0.0f;
    const fluid *first = NULL;
    FOR_ALIVE(w, fluid, f) {
        rows->volume = fmaxf(rows->volume, f->mass / f->def.density);
        rows->mass_ref = fmaxf(rows->mass_ref, f->mass);
        if (!first) first = f;
    }
    if (first)
        rows->uniform = all_alike(w, first);
    else
        rows->volume = dim_power(w->def.spacing), rows->mass_ref = 1.0f;
    rows->s_ref = lattice_squares(&slope, w->def.spacing, rows->volume);
    rows->self = kernel_value_at(&value, 0.0f);
}

/* ---- load ---- */

/* Times in which the load follows the pressure up and down [s]. */
#define LOAD_RISE 0.05f
#define LOAD_FALL 0.5f

float rill_density_rows_first_load(const rill_world *w) {
    const vec gravity = vec_of(w->def.gravity);
    int n = 0;
    for (int i = 0; i < w->particles.count; i++) n += is_fluid(w, i);
    double mean = 0, spread = 0;
    for (int i = 0; i < w->particles.count; i++)
        if (is_fluid(w, i)) mean += (double)vec_dot(gravity, places_of(w)[i].x) / n;
    for (int i = 0; i < w->particles.count; i++)
        if (is_fluid(w, i)) spread += fabs((double)vec_dot(gravity, places_of(w)[i].x) - mean) / n;
    return (float)(2 * spread);
}

typedef struct load_job {
    const rill_world *world;
    const density_rows *rows;
} load_job;

static double load_block(int begin, int end, void *context) {
    const load_job *job = context;
    const rill_world *w = job->world;
    double sum = 0;
    for (int i = begin; i < end; i++) sum += (double)(pressures_of(w)[i] / job->rows->forces.rho0[fluids_of(w)[i]]);
    return sum;
}

void rill_density_rows_follow_load(rill_world *w, const density_rows *rows, double dt, float *load) {
    const int n = fluid_count(w);
    const double sum = world_sum(w, load_block, &(load_job){w, rows});
    /* Pressure flickers: follow it quickly when it rises and slowly when it falls. */
    const float now = n > 0 ? (float)(sum / n) : 0.0f, change = now - *load;
    *load += change * fminf((float)dt / (change > 0.0f ? LOAD_RISE : LOAD_FALL), 1.0f);
}

/* SPDX-License-Identifier: MIT */
/* Diffusion of colours: dc_i/dt = D sum V0 L(r) (c_j - c_i), with the operator L of viscosity (Brookshaw 1985), exact
   on a lattice at rest. V0 is the same for all particles, so a pair exchanges equal amounts and the sum of all colours
   is conserved. The step is explicit: D is limited to what is stable in it. */
#include "sim/dye.h"

#include "sim/kernel.h"
#include "sim/neighbours/neighbours.h"

#include <string.h>

/* Largest share of a particle's colour that its neighbours replace in one step. */
#define MOST 0.5f

typedef struct dye_job {
    const rill_world *world;
    laplacian operator;
    float strength; /* D dt V0 */
    const float (*from)[4];
    float (*to)[4];
} dye_job;

static void spread_block(int begin, int end, void *context) {
    const dye_job *job = context;
    const rill_world *w = job->world;
    const lists *l = &sim_of(w)->lists;
    const place *places = places_of(w);
    for (int i = begin; i < end; i++) {
        const int32_t *list = list_of(l, i);
        const wide_vec xi = wide_vec_set(places[i].x);
        const float *own = job->from[i];
        wide sum[4] = {wide_zero(), wide_zero(), wide_zero(), wide_zero()};
        for (int n = 0; n < list_count(l, i); n += WIDE) {
            wide_vec x;
            wide m, c[4];
            wide_gather_places(places, list + n, &x, &m);
            wide_gather4(&job->from[0][0], list + n, &c[0], &c[1], &c[2], &c[3]);
            x = wide_vec_sub(xi, x);
            const wide r2 = wide_vec_dot(x, x);
            const wide share = laplacian_value(&job->operator, r2, kernel_gradient(&job->operator.gradient, r2));
            for (int k = 0; k < 4; k++) sum[k] = sum[k] + share * (c[k] - own[k]);
        }
        for (int k = 0; k < 4; k++) job->to[i][k] = own[k] + job->strength * wide_sum(sum[k]);
    }
}

void rill_dye_spread(rill_world *w, double dt) {
    particles *p = &w->particles;
    if (!(w->def.colour_diffusivity > 0.0f) || p->extra[EXTRA_COLOUR] == 0 || p->count == 0) return;
    field *colour = &p->fields[p->extra[EXTRA_COLOUR]];
    void **spare = &p->fields[colour->spare_owner].spare;
    const kernel cubic = rill_kernel_make(KERNEL_CUBIC, w->support);
    dye_job job = {
        .world = w, .operator= laplacian_make(LAPLACIAN_GRADIENT, &cubic), .from = colour->data, .to = *spare};
    rill_laplacian_calibrate(&job.operator, w->def.spacing);
    const float most = MOST / rill_laplacian_integral(&job.operator);
    job.strength = fminf(w->def.colour_diffusivity * (float)dt, most) * dim_power(w->def.spacing);
    rill_halo_exchange(w, &(halo_array){.data = colour->data, .size = colour->size, .stride = colour->size}, 1);
    memset((char *)colour->data + colour->size * (size_t)(p->count + sim_of(w)->halo.count), 0,
           colour->size); /* the null particle */
    rill_parallel_for(w->workers, p->count, LOOP_GRAIN, spread_block, &job);
    void *old = colour->data;
    colour->data = *spare, *spare = old;
}

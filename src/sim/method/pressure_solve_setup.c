/* SPDX-License-Identifier: MIT */
/* Incompressible flow: the constants of a scene, the length of a step, and the move. */
#include "sim/method/pressure_solve.h"

/* ---- moving ---- */

typedef struct move_job {
    rill_world *world;
    float dt;
} move_job;

static void move_block(int begin, int end, void *context) {
    const move_job *job = context;
    place *places = places_of(job->world);
    const vec *v = velocities_of(job->world);
    for (int i = begin; i < end; i++) places[i].x = vec_along(places[i].x, job->dt, v[i]);
}

void rill_pressure_move(rill_world *w, double dt) {
    move_job job = {w, (float)dt};
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, move_block, &job);
}

/* ---- the length of a step ---- */

static double speed2_block(int begin, int end, void *context) {
    const vec *v = velocities_of(context);
    float most = 0.0f;
    for (int i = begin; i < end; i++) {
        const float speed2 = vec_dot(v[i], v[i]);
        most = speed2 > most ? speed2 : most;
    }
    return (double)most;
}

/* Greatest speed of all particles, emitters and solids. */
static double fastest(rill_world *w) {
    float speed = 0.0f;
    const float speed2 = (float)world_max(w, speed2_block, w);
    FOR_ALIVE(w, emitter, e) speed = fmaxf(speed, e->def.speed);
    FOR_ALIVE(w, solid, s) speed = fmaxf(speed, vec_length(vec_of(s->pose.velocity)));
    return (double)fmaxf(speed, sqrtf(speed2));
}

typedef struct pressure_job {
    const rill_world *world;
    const pressure_derived *derived;
    const float *pressure;
} pressure_job;

/* Sum of p/rho over the particles under pressure, and their number. */
static totals pressure_block(int begin, int end, void *context) {
    const pressure_job *job = context;
    totals part = {0};
    for (int i = begin; i < end; i++) {
        if (!(job->pressure[i] > 0.0f)) continue;
        part.sum[0] += (double)(job->pressure[i] / job->derived->forces.rho0[fluids_of(job->world)[i]]);
        part.sum[1]++;
    }
    return part;
}

/* sqrt(p/rho) at the bottom, where p is taken as twice the mean pressure. Unlike the maximum, the mean is not changed
   much by a single hard impact. */
static double pressure_speed(const rill_world *w, const pressure_derived *d, const float *pressure) {
    const totals all = world_totals(w, pressure_block, &(pressure_job){w, d, pressure});
    return all.sum[1] > 0 ? sqrt(2 * all.sum[0] / all.sum[1]) : 0;
}

/* Weight of the heaviest body over the ground that it covers, as the height of a column of the lightest fluid [m]. */
static float body_load(const rill_world *w, vec up) {
    float lightest = INFINITY, load = 0.0f;
    FOR_ALIVE(w, fluid, f) lightest = fminf(lightest, f->def.density);
    FOR_ALIVE(w, body, b) {
        if (!(b->inverse_mass > 0)) continue;
        const placed_shape *s = &placed_shapes_of(w)[b->solid];
        const vec size = vec_sub(s->high, s->low);
        float ground = 1.0f, height = 0.0f;
        for (int axis = 0; axis < DIM; axis++)
            ground *= vec_get(size, axis), height += fabsf(vec_get(up, axis)) * vec_get(size, axis);
        if (ground > 0.0f) load = fmaxf(load, (float)b->mass * height / (ground * lightest));
    }
    return load;
}

/* p/rho at the bottom under the weight of all fluid and of the heaviest body, for the first steps, which know no
   pressure yet. */
static float foresee_head(const rill_world *w) {
    const vec gravity = vec_of(w->def.gravity);
    const float g = vec_length(gravity);
    if (!(g > 0.0f) || w->particles.count == 0) return 0.0f;
    const vec up = vec_scale(gravity, -1.0f / g);
    float low, high, speed = 0.0f;
    rill_method_extent(w, up, &low, &high, &speed);
    return g * (high - low + body_load(w, up));
}

/* The sqrt(p/rho) that bounds the next step. Pressure flickers, and steps that flicker with it would feed energy into a
   tank. So the value falls slowly, and rises as fast as the pressure of the method is reliable (head_rise). */
static double head_speed(rill_world *w, const pressure_derived *d, const float *pressure) {
    float *head = &w->derived[FLOW_HEAD], *count = &w->derived[FLOW_HEAD_COUNT];
    const double c = pressure_speed(w, d, pressure);
    const float change = (float)(c * c) - *head, time = (float)w->stats.dt;
    *head += change * fminf(change > 0.0f ? time / d->setting.head_rise : time / d->setting.head_fall, 1.0f);
    if ((float)w->particles.count > 1.1f * *count) {
        const float foreseen = foresee_head(w);
        *head = fmaxf(*head, foreseen);
        w->derived[FLOW_CHOSEN_SPEED] = fmaxf(w->derived[FLOW_CHOSEN_SPEED], 2 * sqrtf(foreseen)); /* fluid was added */
        *count = (float)w->particles.count;
    }
    return sqrt((double)*head);
}

double rill_pressure_max_dt(rill_world *w, pressure_derived *d, const float *pressure) {
    if (w->particles.count == 0) return (double)w->def.dt_max;
    const double dx = (double)w->def.spacing, way = (double)d->setting.reach * dx;
    const double v = fastest(w), g = (double)vec_length(vec_of(w->def.gravity)), c = head_speed(w, d, pressure);
    d->travel_dt = v + g > 0 ? 2 * way / (v + sqrt(v * v + 4 * g * way)) : HUGE_VAL; /* v dt + g dt^2 = way */
    double dt = d->travel_dt;
    if (c > 0) dt = fmin(dt, (double)d->setting.pressure_reach * dx / c);
    dt = fmin(dt, rill_forces_max_dt(w, &d->forces, FRICTION_EXPLICIT));
    return dt < HUGE_VAL ? dt : (double)w->def.dt_max;
}

/* The greatest speed expected: that of a fall through twice the scene, or that of the fastest thing at the start. */
rill_status rill_pressure_choose(rill_world *w, double dt) {
    (void)dt;
    vec low, high;
    rill_method_box(w, &low, &high);
    const double g = (double)vec_length(vec_of(w->def.gravity)), size = (double)vec_length(vec_sub(high, low));
    const double fall = sqrt(4 * g * (size + 10 * (double)w->support));
    w->derived[FLOW_CHOSEN_SPEED] = (float)fmax(fall, fastest(w));
    w->derived[FLOW_HEAD_COUNT] = w->derived[FLOW_EIGENVALUE] = 0.0f; /* the next step finds them again */
    return RILL_OK;
}

double rill_pressure_speed_limit(const rill_world *w) {
    return 50 * fmax((double)w->derived[FLOW_CHOSEN_SPEED], 1.0);
}

float rill_pressure_head_limit(const rill_world *w) {
    const float speed = fmaxf(w->derived[FLOW_CHOSEN_SPEED], 1.0f);
    return speed * speed;
}

/* ---- constants ---- */

/* Sum of V^2 |grad W|^2 over the neighbours in a lattice at rest. */
static float lattice_square(const kernel *kernel, float dx) {
    const int reach = (int)(kernel->h / dx) + 1, depth = DIM == 3 ? reach : 0;
    double sum = 0;
    for (int c = -depth; c <= depth; c++)
        for (int b = -reach; b <= reach; b++)
            for (int a = -reach; a <= reach; a++) {
                const float r = dx * sqrtf((float)(a * a + b * b + c * c));
                const double slope = r > 0.0f ? (double)(dim_power(dx) * r * kernel_gradient_at(kernel, r)) : 0;
                sum += slope * slope;
            }
    return (float)sum;
}

/* Share of the kernel that lies in solids, for a particle in the middle of a gap between two of them. */
static float share_of_gap(const wall_integrals *map, float gap) {
    const float share = wall_integral_at(map, map->value, 0.5f * gap);
    return map->additive ? 2.0f * share : 1.0f - (1.0f - share) * (1.0f - share);
}

rill_status rill_pressure_prepare(rill_world *w, pressure_derived *d, const pressure_setting *setting) {
    const float dx = w->def.spacing, h = w->support, ball = (float)(DIM == 2 ? PI : 4.0 / 3 * PI);
    *d = (pressure_derived){.setting = *setting};
    d->kernel = rill_kernel_make(setting->kernel, h);
    rill_forces_prepare(
        &d->forces, w, &(forces_setting){.density = &d->kernel, .gradient = &d->kernel, .viscous = LAPLACIAN_GRADIENT});
    d->lattice_diagonal = setting->particle_volume * setting->particle_volume * lattice_square(&d->kernel, dx);
    d->mirrors = w->def.quality == RILL_QUALITY_ACCURATE && !d->forces.walls.additive;
    d->full_count = ball * dim_power(h / dx);
    d->pinched_share = share_of_gap(&d->forces.walls, dx);
    d->friction = d->forces.viscosity || setting->noise_damping > 0.0f;
    for (int k = 0; k < d->forces.count; k++) d->specific_volume[k] = setting->particle_volume / d->forces.rho0[k];
    return RILL_OK;
}

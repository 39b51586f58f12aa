/* SPDX-License-Identifier: MIT */
/* The density constraints of Position Based Fluids: multipliers and displacements, iterated. Macklin and Mueller,
   "Position Based Fluids", ACM Trans. Graph. 32 (2013); equation numbers are the paper's.
   A loop reads the positions of all particles from one array and writes its own to another, so no iteration sees half
   of the next. Walls act through contacts: their share of density and gradient, and a distance that is kept inside the
   loop; both are written down contact by contact, because what a wall gives it must get back. */
#include "sim/method/pbf.h"

/* Most contacts of one particle that are looked at. */
#define CONTACTS_MAX 64
/* Compression above this counts as this: two particles on one spot must not throw each other across the room. */
#define COMPRESSION_MAX 1.0f
/* Softness below this is this: a particle without neighbours must not divide by zero. */
#define EPSILON_MIN 1e-6f

/* W and W'/r of a pair: one square root for both where the kernels allow it. `cubic` is constant where this is inlined.
 */
WIDE_FN void pair_kernels(const pbf_derived *d, bool cubic, wide r2, wide *value, wide *gradient) {
    if (!cubic) {
        *value = kernel_value(&d->density, r2);
        *gradient = kernel_gradient(&d->gradient, r2);
        return;
    }
    const kernel *k = &d->density;
    const wide zero = wide_zero(), q = wide_sqrt(wide_max(r2, wide_set(k->tiny))) * k->inverse_h;
    const wide s = wide_max(1.0f - q, zero), t = wide_max(0.5f - q, zero), s2 = s * s, t2 = t * t;
    *value = k->value_scale * (2.0f * (s2 * s) - 8.0f * (t2 * t));
    *gradient = k->gradient_scale * ((s2 - 4.0f * t2) / q);
}

/* ---- walls ---- */

/* The contacts of particle i with their distances at x instead of where they were found. */
static int contacts_at(const pbf_job *job, int i, vec x, contact now[CONTACTS_MAX]) {
    int count;
    const contact *c = contacts_of(&sim_of(job->world)->contacts, i, &count);
    if (count == 0) return 0;
    if (count > CONTACTS_MAX) count = CONTACTS_MAX;
    const vec moved = vec_sub(x, places_of(job->world)[i].x);
    for (int k = 0; k < count; k++) {
        now[k] = c[k];
        now[k].distance += vec_dot(moved, c[k].normal);
    }
    return count;
}

/* What the walls push particle i by, whose displacement by its neighbours is `delta`. The solid continues the fluid
   with the particle's own multiplier, and then with the gradient of the multipliers, as in SPH (docs/methods/sph.md):
   without the second part water slides down along the sides of its tank. */
static vec wall_push(const pbf_job *job, int i, float lambda, vec delta, const contact *c, int count) {
    const wall_map *map = &job->derived->walls;
    int32_t first = ((const int32_t *)sim_of(job->world)->contacts.first.data)[i];
    pbf_grip *grip = job->grips + first;
    vec push[CONTACTS_MAX];
    for (int k = 0; k < count; k++) {
        const float share = contact_at(map, map->gradient, &c[k]) * wall_uncovered(map, c, count, k);
        push[k] = vec_scale(c[k].normal, 2.0f * lambda * share);
        delta = vec_add(delta, push[k]);
    }
    for (int k = 0; k < count; k++) {
        const float along = 1.0f / (1.0f + contact_at(map, map->moment_tangent, &c[k]));
        const float across = 1.0f / (1.0f + contact_at(map, map->moment_normal, &c[k]));
        const vec n = c[k].normal;
        const vec mended = vec_along(vec_scale(delta, along), (across - along) * vec_dot(delta, n), n);
        push[k] = vec_add(push[k], vec_sub(mended, delta));
        delta = mended;
        /* the same recursion as the positions': what of their sum is the wall's */
        const vec from = grip[k].last;
        vec next = vec_along(vec_sub(grip[k].now, from), job->gamma, push[k]);
        next = vec_along(from, job->omega, next);
        grip[k].last = grip[k].now;
        grip[k].now = next;
    }
    return delta;
}

/* Collision inside the loop (Algorithm 1, line 14): no nearer to a wall than `keep_off`. */
static vec keep_out(const pbf_job *job, int i, vec x) {
    int count;
    const contact *c = contacts_of(&sim_of(job->world)->contacts, i, &count);
    pbf_grip *grip = job->grips + ((const int32_t *)sim_of(job->world)->contacts.first.data)[i];
    const vec start = places_of(job->world)[i].x;
    for (int k = 0; k < count && k < CONTACTS_MAX; k++) {
        const float missing = job->keep_off - c[k].distance - vec_dot(vec_sub(x, start), c[k].normal);
        if (!(missing > 0.0f)) continue;
        x = vec_along(x, missing, c[k].normal);
        grip[k].now = vec_along(grip[k].now, missing, c[k].normal);
    }
    return x;
}

/* ---- multipliers ---- */

typedef struct constraint_sums {
    wide density, squares;
    wide_vec gradient;
} constraint_sums;

WIDE_FN void sum_constraint(const pbf_job *job, int i, bool cubic, bool uniform, constraint_sums *s) {
    const lists *l = &sim_of(job->world)->lists;
    const pbf_derived d = *job->derived;
    const place *at = job->at;
    const int32_t *list = list_of(l, i);
    const int count = list_count(l, i);
    const wide_vec xi = wide_vec_set(at[i].x);
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x;
        wide unused, w, g;
        wide_gather_places(at, list + n, &x, &unused);
        x = wide_vec_sub(xi, x);
        const wide r2 = wide_vec_dot(x, x);
        pair_kernels(&d, cubic, r2, &w, &g);
        if (uniform) {
            s->density = s->density + w;                     /* Eq. 2 */
            s->squares = s->squares + (g * g) * r2;          /* Eq. 8, k = j */
            s->gradient = wide_vec_along(s->gradient, g, x); /* Eq. 8, k = i */
        } else {
            wide volume, inverse_mass, mu, turn;
            wide_gather4((const float *)job->traits, list + n, &volume, &inverse_mass, &mu, &turn);
            const wide vg = volume * g;
            s->density = s->density + volume * w;
            s->squares = s->squares + inverse_mass * (vg * vg) * r2;
            s->gradient = wide_vec_along(s->gradient, vg, x);
        }
    }
}

/* Lambda of particle i (Eq. 11) and, through `compression`, how much too dense it is. */
WIDE_FN float multiplier(const pbf_job *job, int i, bool cubic, bool uniform, float *compression) {
    const pbf_derived *d = job->derived;
    constraint_sums s;
    memset(&s, 0, sizeof s);
    sum_constraint(job, i, cubic, uniform, &s);
    const float volume = uniform ? d->volume : job->traits[i].volume, scale = uniform ? volume : 1.0f;
    const float inverse_mass = uniform ? 1.0f : job->traits[i].inverse_mass;
    float c = scale * wide_sum(s.density) + volume * kernel_value_at(&d->density, 0.0f) - 1.0f; /* Eq. 1 */
    vec gradient = vec_scale(wide_vec_sum(s.gradient), scale);
    contact walls[CONTACTS_MAX];
    const int count = contacts_at(job, i, job->at[i].x, walls);
    if (count > 0) {
        c += wall_share(&d->walls, walls, count);
        for (int k = 0; k < count; k++)
            gradient = vec_along(gradient,
                                 contact_at(&d->walls, d->walls.gradient, &walls[k]) *
                                     wall_uncovered(&d->walls, walls, count, k),
                                 walls[k].normal);
    }
    *compression = c > 0.0f ? c : 0.0f;
    if (c < 0.0f && !job->params->tension) c = 0.0f;
    if (c > COMPRESSION_MAX) c = COMPRESSION_MAX;
    const float squares = scale * scale * wide_sum(s.squares) + inverse_mass * vec_dot(gradient, gradient);
    return -c / (squares + inverse_mass * fmaxf(job->params->epsilon, EPSILON_MIN) * d->s_ref);
}

WIDE_FN void multiplier_range(const pbf_job *job, int begin, int end, bool cubic, bool uniform) {
    double sum = 0;
    for (int i = begin; i < end; i++) {
        float compression;
        const float lambda = multiplier(job, i, cubic, uniform, &compression);
        job->marked[i] = (place){.x = job->at[i].x, .m = lambda};
        sum += (double)compression;
    }
    job->error[begin / REDUCE_BLOCK] = sum;
}

static bool is_cubic(const pbf_derived *d) {
    return d->density.kind == KERNEL_CUBIC && d->gradient.kind == KERNEL_CUBIC;
}

static void multiplier_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const pbf_job *job = context;
    if (!job->derived->uniform)
        multiplier_range(job, begin, end, false, false);
    else if (is_cubic(job->derived))
        multiplier_range(job, begin, end, true, true);
    else
        multiplier_range(job, begin, end, false, true);
}

/* ---- displacements ---- */

/* The displacement that multipliers of the neighbours and its own give particle i (Eq. 14). */
WIDE_FN vec displacement(const pbf_job *job, int i, bool cubic, bool uniform, bool tensile) {
    const lists *l = &sim_of(job->world)->lists;
    const pbf_derived d = *job->derived;
    const place *marked = job->marked;
    const int32_t *list = list_of(l, i);
    const int count = list_count(l, i);
    const wide_vec xi = wide_vec_set(marked[i].x);
    const float li = marked[i].m, strength = job->params->tensile / d.s_ref;
    const float vi = uniform ? d.volume : job->traits[i].volume;
    wide_vec sum;
    memset(&sum, 0, sizeof sum);
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x;
        wide lambda, w, g;
        wide_gather_places(marked, list + n, &x, &lambda);
        x = wide_vec_sub(xi, x);
        const wide r2 = wide_vec_dot(x, x);
        pair_kernels(&d, cubic, r2, &w, &g);
        wide corr = wide_zero();
        if (tensile) { /* Eq. 13 with n = 4 */
            const wide ratio = w * d.inverse_w_dq, ratio2 = ratio * ratio;
            corr = strength * (ratio2 * ratio2);
        }
        if (uniform) {
            sum = wide_vec_along(sum, (li + lambda - corr) * g, x);
        } else {
            wide volume, inverse_mass, mu, turn;
            wide_gather4((const float *)job->traits, list + n, &volume, &inverse_mass, &mu, &turn);
            sum = wide_vec_along(sum, (li * volume + vi * lambda - 0.5f * (vi + volume) * corr) * g, x);
        }
    }
    return vec_scale(wide_vec_sum(sum), uniform ? d.volume : job->traits[i].inverse_mass);
}

WIDE_FN void displace_range(const pbf_job *job, int begin, int end, bool cubic, bool uniform, bool tensile) {
    const int32_t *first = sim_of(job->world)->contacts.first.data;
    for (int i = begin; i < end; i++) {
        const vec x = job->marked[i].x, from = job->last[i];
        const bool walls = first[i + 1] > first[i];
        vec delta = displacement(job, i, cubic, uniform, tensile);
        if (walls) {
            contact c[CONTACTS_MAX];
            const int count = contacts_at(job, i, x, c);
            delta = wall_push(job, i, job->marked[i].m, delta, c, count);
        }
        /* Chebyshev: x + gamma delta, carried on along the last change (docs/methods/pbf.md); omega 1 is Jacobi. */
        vec next = vec_along(from, job->omega, vec_along(vec_sub(x, from), job->gamma, delta));
        if (walls) next = keep_out(job, i, next);
        job->last[i] = x;
        job->at[i].x = next;
        const pbf_history h = job->pressed[i];
        job->pressed[i] =
            (pbf_history){h.last + job->omega * (job->gamma * job->marked[i].m + (h.now - h.last)), h.now};
    }
}

static void displace_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const pbf_job *job = context;
    const bool tensile = job->params->tensile > 0.0f;
    if (!job->derived->uniform)
        displace_range(job, begin, end, false, false, true);
    else if (!is_cubic(job->derived))
        displace_range(job, begin, end, false, true, true);
    else if (tensile)
        displace_range(job, begin, end, true, true, true);
    else
        displace_range(job, begin, end, true, true, false);
}

/* ---- the loop ---- */

static void start_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const pbf_job *job = context;
    const rill_world *w = job->world;
    sim *s = sim_of(w);
    for (int i = begin; i < end; i++) {
        const vec x = places_of(w)[i].x;
        job->at[i] = (place){.x = x};
        job->last[i] = x;
        job->pressed[i] = (pbf_history){0, 0};
        int count;
        contact *c = contacts_of(&s->contacts, i, &count);
        pbf_grip *grip = job->grips + ((const int32_t *)s->contacts.first.data)[i];
        for (int k = 0; k < count; k++) {
            grip[k] = (pbf_grip){.now = {0}};
            /* the particle has been moved ahead to the end of the step; so must the wall */
            c[k].distance -= job->dt * vec_dot(c[k].velocity, c[k].normal);
        }
        if (count > 0) job->at[i].x = keep_out(job, i, x);
        if (count > 0) job->last[i] = job->at[i].x;
        for (int k = 0; k < count; k++) grip[k].last = grip[k].now;
        if (job->traits) {
            const uint32_t f = fluids_of(w)[i];
            const float m = places_of(w)[i].m;
            job->traits[i] = (pbf_trait){m / job->derived->rho0[f], job->derived->mass_ref / m, job->derived->mu[f], 0};
        }
    }
}

/* Forces of the walls from their displacements: m x / dt^2. */
static void release_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const pbf_job *job = context;
    const rill_world *w = job->world;
    for (int i = begin; i < end; i++) {
        int count;
        contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
        if (count == 0) continue;
        const pbf_grip *grip = job->grips + ((const int32_t *)sim_of(w)->contacts.first.data)[i];
        const vec moved = vec_sub(job->at[i].x, places_of(w)[i].x);
        const float m = places_of(w)[i].m / (job->dt * job->dt);
        for (int k = 0; k < count; k++) {
            c[k].force = vec_scale(grip[k].now, m);
            c[k].distance += vec_dot(moved, c[k].normal);
        }
    }
}

void pbf_update_images(const pbf_job *job, place *places, bool shift) {
    const rill_world *w = job->world;
    const int n = w->particles.count, images = sim_of(w)->halo.count;
    const int32_t *source = sim_of(w)->halo.source.data;
    for (int k = 0; k < images; k++) {
        place p = places[source[k]];
        if (shift) p.x = vec_add(p.x, vec_sub(places_of(w)[n + k].x, places_of(w)[source[k]].x));
        places[n + k] = p;
    }
}

static size_t job_size(const rill_world *w) {
    const size_t room = (size_t)w->particles.capacity, contacts = (size_t)sim_of(w)->contacts.count;
    return room * (2 * sizeof(place) + sizeof(vec) + sizeof(pbf_history) + sizeof(pbf_trait)) +
           contacts * sizeof(pbf_grip);
}

void pbf_job_make(rill_world *w, double dt, pbf_job *job) {
    const pbf_derived *d = pbf_derived_of(w);
    const size_t room = (size_t)w->particles.capacity;
    *job = (pbf_job){.world = w, .params = pbf_params_of(w), .derived = d, .dt = (float)dt, .omega = 1.0f};
    job->at = sim_of(w)->scratch.data;
    job->marked = job->at + room;
    pbf_trait *traits = (pbf_trait *)(void *)(job->marked + room);
    job->pressed = (pbf_history *)(void *)(traits + room);
    job->last = (vec *)(void *)(job->pressed + room);
    job->grips = (pbf_grip *)(void *)(job->last + room);
    job->traits = d->uniform ? NULL : traits;
    job->error = sim_of(w)->block_stats.data;
    job->keep_off = w->def.wall_distance * w->def.spacing;
    job->gamma = d->relaxation;
}

static double mean_error(const pbf_job *job) {
    const int n = job->world->particles.count;
    double sum = 0;
    for (int b = 0; b < reduce_block_count(n); b++) sum += job->error[b];
    return n > 0 ? sum / n : 0;
}

rill_status pbf_solve(rill_world *w, double dt) {
    sim *s = sim_of(w);
    const int n = w->particles.count, points = n + s->halo.count;
    /* The number of contacts breathes: leave room. */
    const size_t size = job_size(w);
    if ((size > s->scratch.size && !buffer_reserve(&w->memory, &s->scratch, size + size / 16, 0)) ||
        !buffer_reserve(&w->memory, &s->block_stats, sizeof(double) * ((size_t)reduce_block_count(n) + 1), 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the constraints of %d particles", n);
    pbf_job job;
    pbf_job_make(w, dt, &job);
    const pbf_params *p = job.params;
    parallel_for(w->workers, n, REDUCE_BLOCK, start_block, &job);
    job.at[points] = job.marked[points] = places_of(w)[points]; /* the null particle */
    job.marked[points].m = 0.0f;
    if (job.traits) job.traits[points] = (pbf_trait){0};
    if (job.traits) halo_update(w, job.traits, sizeof(pbf_trait));
    pbf_update_images(&job, job.at, true);
    const float rho2 = p->acceleration == PBF_CHEBYSHEV ? job.derived->rho * job.derived->rho : 0.0f;
    int k = 0;
    while (k < p->iterations) {
        /* omega_1 = 1, omega_2 = 2/(2 - rho^2), omega_k+1 = 4/(4 - rho^2 omega_k) */
        job.omega = k == 0 ? 1.0f : k == 1 ? 2.0f / (2.0f - rho2) : 4.0f / (4.0f - rho2 * job.omega);
        parallel_for(w->workers, n, REDUCE_BLOCK, multiplier_block, &job);
        if (p->density_error > 0.0f && k > 0 && mean_error(&job) <= (double)p->density_error) break;
        pbf_update_images(&job, job.marked, true);
        parallel_for(w->workers, n, REDUCE_BLOCK, displace_block, &job);
        pbf_update_images(&job, job.at, true);
        k++;
    }
    w->stats.iterations = k;
    parallel_for(w->workers, n, REDUCE_BLOCK, release_block, &job);
    return RILL_OK;
}

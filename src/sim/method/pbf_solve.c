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
#define COMPRESSION_MAX 0.2f

/* Adds a displacement. Chebyshev carries the last change on (docs/methods/pbf.md); with omega 1 this is Jacobi. */
static inline pbf_shift carry_on(const pbf_job *job, pbf_shift s, vec delta) {
    const vec change = vec_along(vec_sub(s.now, s.last), job->gamma, delta);
    return (pbf_shift){vec_along(s.last, job->omega, change), s.now};
}

/* ---- walls ---- */

/* The contacts of particle i with their distances where it is now instead of where they were found. */
static int contacts_at(const pbf_job *job, int i, contact now[CONTACTS_MAX]) {
    int count;
    const contact *c = contacts_of(&sim_of(job->world)->contacts, i, &count);
    if (count == 0) return 0;
    if (count > CONTACTS_MAX) count = CONTACTS_MAX;
    for (int k = 0; k < count; k++) {
        now[k] = c[k];
        now[k].distance += vec_dot(job->shifts[i].now, c[k].normal);
    }
    return count;
}

static inline bool at_wall(const pbf_job *job, int i) {
    const int32_t *first = sim_of(job->world)->contacts.first.data;
    return first[i + 1] > first[i];
}

/* The walls' part of the constraint of particle i, and of its gradient. */
static __attribute__((noinline)) void add_walls(const pbf_job *job, int i, float *c, vec *gradient) {
    const wall_map *map = &job->derived->walls;
    contact walls[CONTACTS_MAX];
    const int count = contacts_at(job, i, walls);
    *c += wall_share(map, walls, count);
    for (int k = 0; k < count; k++) {
        const float share = contact_at(map, map->gradient, &walls[k]) * wall_uncovered(map, walls, count, k);
        *gradient = vec_along(*gradient, share, walls[k].normal);
    }
}

/* What the walls push particle i by, whose displacement by its neighbours is `delta`. The solid continues the fluid
   with the particle's own multiplier, and then with the gradient of the multipliers, as in SPH (docs/methods/sph.md):
   without the second part water slides down along the sides of its tank. */
static __attribute__((noinline)) vec wall_push(const pbf_job *job, int i, vec delta) {
    const wall_map *map = &job->derived->walls;
    pbf_shift *grip = job->grips + ((const int32_t *)sim_of(job->world)->contacts.first.data)[i];
    const float lambda = job->marked[i].m;
    contact c[CONTACTS_MAX];
    const int count = contacts_at(job, i, c);
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
        grip[k] = carry_on(job, grip[k], push[k]); /* as the particle: what of its sum is the wall's */
    }
    return delta;
}

/* Collision inside the loop (Algorithm 1, line 14): shifted so that it is no nearer to a wall than `keep_off`. */
static vec keep_out(const pbf_job *job, int i, vec shift) {
    int count;
    const contact *c = contacts_of(&sim_of(job->world)->contacts, i, &count);
    pbf_shift *grip = job->grips + ((const int32_t *)sim_of(job->world)->contacts.first.data)[i];
    for (int k = 0; k < count && k < CONTACTS_MAX; k++) {
        const float missing = job->keep_off - c[k].distance - vec_dot(shift, c[k].normal);
        if (!(missing > 0.0f)) continue;
        shift = vec_along(shift, missing, c[k].normal);
        grip[k].now = vec_along(grip[k].now, missing, c[k].normal);
    }
    return shift;
}

/* ---- multipliers ---- */

typedef struct gradient_sums {
    wide density, squares;
    wide_vec gradient, apart;
} gradient_sums;

/* The artificial pressure is found once, in the first iteration of a step: it is small, and changes less than it costs.
 */

/* Sums of the constraint of particle i, eight neighbours at a time; keeps W'/r of each for the displacements. The flags
   are constant where this is inlined. */
WIDE_FN gradient_sums sum_gradients(const pbf_job *job, int i, bool cubic, bool uniform, bool tensile) {
    const lists *l = &sim_of(job->world)->lists;
    const pbf_pair k = job->derived->pair;
    const place *at = job->at;
    const int32_t *list = list_of(l, i);
    float *slopes = job->slopes + (list - (const int32_t *)l->index.data);
    const int count = list_count(l, i);
    const wide_vec xi = wide_vec_set(at[i].x);
    gradient_sums s = {wide_zero(), wide_zero(), wide_vec_zero(), wide_vec_zero()};
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x;
        wide unused, w, g, slope2;
        wide_gather_places(at, list + n, &x, &unused);
        x = wide_vec_sub(xi, x);
        pbf_kernels(&k, cubic, wide_vec_dot(x, x), &w, &g, &slope2);
        wide_store(slopes + n, g);
        if (tensile) { /* Eq. 13 with n = 4 */
            const wide w2 = w * w;
            s.apart = wide_vec_along(s.apart, (w2 * w2) * g, x);
        }
        if (!uniform) {
            wide volume, inverse_mass, mu, turn;
            wide_gather4((const float *)job->traits, list + n, &volume, &inverse_mass, &mu, &turn);
            w = volume * w, g = volume * g, slope2 = inverse_mass * (volume * volume) * slope2;
        }
        s.density = s.density + w;                     /* Eq. 2 */
        s.squares = s.squares + slope2;                /* Eq. 8, k = j */
        s.gradient = wide_vec_along(s.gradient, g, x); /* Eq. 8, k = i */
    }
    return s;
}

/* Without a branch: whether a particle is too dense cannot be guessed, and a wrong guess costs more than the rest. */
static inline float larger(float a, float b) {
    return a > b ? a : b;
}

/* Lambda of particle i (Eq. 11). */
WIDE_FN float multiplier(const pbf_job *job, int i, bool cubic, bool uniform, bool tensile) {
    const pbf_derived *d = job->derived;
    const gradient_sums s = sum_gradients(job, i, cubic, uniform, tensile);
    const float volume = uniform ? d->volume : job->traits[i].volume, scale = uniform ? volume : 1.0f;
    const float inverse_mass = uniform ? 1.0f : job->traits[i].inverse_mass, slope = scale * d->pair.slope_scale;
    float c = scale * d->pair.value_scale * wide_sum(s.density) + volume * d->self - 1.0f; /* Eq. 1 */
    vec gradient = vec_scale(wide_vec_sum(s.gradient), slope);
    if (at_wall(job, i)) add_walls(job, i, &c, &gradient);
    if (tensile) job->apart[i] = vec_scale(wide_vec_sum(s.apart), -volume * d->tensile * inverse_mass);
    densities_of(job->world)[i] = c; /* for error_block; the density itself follows with the velocities */
    c = larger(-larger(c, job->lowest), -COMPRESSION_MAX); /* minus what acts */
    const float squares = slope * slope * wide_sum(s.squares) + inverse_mass * vec_dot(gradient, gradient);
    return c / (squares + inverse_mass * d->epsilon);
}

WIDE_FN void multiplier_range(const pbf_job *job, int begin, int end, bool cubic, bool uniform, bool tensile) {
    for (int i = begin; i < end; i++) {
        const float lambda = multiplier(job, i, cubic, uniform, tensile);
        job->marked[i] = (place){.x = job->at[i].x, .m = lambda};
    }
}

/* One loop for each case, so that none of them asks inside. */
#define MULTIPLIERS(cubic, uniform)                                       \
    do {                                                                  \
        if (tensile)                                                      \
            multiplier_range(job, begin, end, (cubic), (uniform), true);  \
        else                                                              \
            multiplier_range(job, begin, end, (cubic), (uniform), false); \
    } while (0)

static void multiplier_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const pbf_job *job = context;
    const bool tensile = job->params->tensile > 0.0f && job->first, cubic = pbf_is_cubic(job->derived);
    if (cubic && job->derived->uniform)
        MULTIPLIERS(true, true);
    else if (cubic)
        MULTIPLIERS(true, false);
    else if (job->derived->uniform)
        MULTIPLIERS(false, true);
    else
        MULTIPLIERS(false, false);
}

/* ---- displacements ---- */

/* The displacement that multipliers of the neighbours and its own give particle i (Eq. 12). */
WIDE_FN vec displacement(const pbf_job *job, int i, bool uniform) {
    const lists *l = &sim_of(job->world)->lists;
    const place *marked = job->marked;
    const int32_t *list = list_of(l, i);
    const float *slopes = job->slopes + (list - (const int32_t *)l->index.data);
    const int count = list_count(l, i);
    const wide_vec xi = wide_vec_set(marked[i].x);
    const wide li = wide_set(marked[i].m);
    const float vi = uniform ? 0.0f : job->traits[i].volume;
    wide_vec sum = wide_vec_zero();
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x;
        wide lambda;
        wide_gather_places(marked, list + n, &x, &lambda);
        x = wide_vec_sub(xi, x);
        if (uniform) {
            lambda = li + lambda;
        } else {
            wide volume, inverse_mass, mu, turn;
            wide_gather4((const float *)job->traits, list + n, &volume, &inverse_mass, &mu, &turn);
            lambda = li * volume + vi * lambda;
        }
        sum = wide_vec_along(sum, lambda * wide_load(slopes + n), x);
    }
    const float scale = uniform ? job->derived->volume : job->traits[i].inverse_mass;
    return vec_scale(wide_vec_sum(sum), scale * job->derived->pair.slope_scale);
}

WIDE_FN void displace_range(const pbf_job *job, int begin, int end, bool uniform) {
    const bool tensile = job->params->tensile > 0.0f;
    const place *start = places_of(job->world);
    for (int i = begin; i < end; i++) {
        const bool walls = at_wall(job, i);
        vec delta = displacement(job, i, uniform);
        if (walls) delta = wall_push(job, i, delta);
        if (tensile) delta = vec_add(delta, job->apart[i]); /* Eq. 14; walls do not continue it: it is short */
        pbf_shift shift = carry_on(job, job->shifts[i], delta);
        if (walls) shift.now = keep_out(job, i, shift.now);
        job->shifts[i] = shift;
        job->at[i].x = vec_add(start[i].x, shift.now);
        const pbf_history h = job->pressed[i];
        const float push = job->gamma * job->marked[i].m + (h.now - h.last);
        job->pressed[i] = (pbf_history){h.last + job->omega * push, h.now};
    }
}

static void displace_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const pbf_job *job = context;
    if (job->derived->uniform)
        displace_range(job, begin, end, true);
    else
        displace_range(job, begin, end, false);
}

/* ---- the loop ---- */

static void start_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const pbf_job *job = context;
    const rill_world *w = job->world;
    sim *s = sim_of(w);
    for (int i = begin; i < end; i++) {
        const vec x = places_of(w)[i].x;
        job->shifts[i] = (pbf_shift){.now = {0}};
        job->pressed[i] = (pbf_history){0, 0};
        int count;
        contact *c = contacts_of(&s->contacts, i, &count);
        pbf_shift *grip = job->grips + ((const int32_t *)s->contacts.first.data)[i];
        for (int k = 0; k < count; k++) {
            grip[k] = (pbf_shift){.now = {0}};
            /* the particle has been moved ahead to the end of the step; so must the wall */
            c[k].distance -= job->dt * vec_dot(c[k].velocity, c[k].normal);
        }
        if (count > 0) job->shifts[i].now = job->shifts[i].last = keep_out(job, i, (vec){0});
        for (int k = 0; k < count; k++) grip[k].last = grip[k].now;
        job->at[i] = (place){.x = vec_add(x, job->shifts[i].now)};
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
        const pbf_shift *grip = job->grips + ((const int32_t *)sim_of(w)->contacts.first.data)[i];
        const float m = places_of(w)[i].m / (job->dt * job->dt);
        for (int k = 0; k < count; k++) {
            c[k].force = vec_scale(grip[k].now, m);
            c[k].distance += vec_dot(job->shifts[i].now, c[k].normal);
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
    return room * (2 * sizeof(place) + sizeof(vec) + sizeof(pbf_shift) + sizeof(pbf_history) + sizeof(pbf_trait)) +
           contacts * sizeof(pbf_shift) + sim_of(w)->lists.index.size + 64;
}

void pbf_job_make(rill_world *w, double dt, pbf_job *job) {
    const pbf_derived *d = pbf_derived_of(w);
    const size_t room = (size_t)w->particles.capacity;
    *job = (pbf_job){.world = w, .params = pbf_params_of(w), .derived = d, .dt = (float)dt, .omega = 1.0f};
    job->at = sim_of(w)->scratch.data;
    job->marked = job->at + room;
    pbf_trait *traits = (pbf_trait *)(void *)(job->marked + room);
    job->pressed = (pbf_history *)(void *)(traits + room);
    job->shifts = (pbf_shift *)(void *)(job->pressed + room);
    job->apart = (vec *)(void *)(job->shifts + room);
    /* on a cache line: they are written and read as wides */
    job->slopes = (float *)(void *)(((uintptr_t)(job->apart + room) + 63) & ~(uintptr_t)63);
    job->grips = (pbf_shift *)(void *)(job->slopes + sim_of(w)->lists.index.size / sizeof(float));
    job->traits = d->uniform ? NULL : traits;
    job->error = sim_of(w)->block_stats.data;
    job->keep_off = w->def.wall_distance * w->def.spacing;
    job->gamma = d->relaxation;
    job->lowest = job->params->tension ? -1.0f : 0.0f;
}

static void error_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const pbf_job *job = context;
    double sum = 0;
    for (int i = begin; i < end; i++) sum += (double)larger(densities_of(job->world)[i], 0.0f);
    job->error[begin / REDUCE_BLOCK] = sum;
}

/* Mean compression of all particles, before the displacements of this iteration. */
static double mean_error(pbf_job *job) {
    const int n = job->world->particles.count;
    double sum = 0;
    parallel_for(job->world->workers, n, REDUCE_BLOCK, error_block, job);
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
        job.first = k == 0;
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

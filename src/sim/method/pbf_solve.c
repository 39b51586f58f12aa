/* SPDX-License-Identifier: MIT */
/* The iteration of Position Based Fluids: multipliers of the density constraints, and displacements. Macklin and
   Mueller, "Position Based Fluids", ACM Trans. Graph. 32 (2013); equation numbers are the paper's. pbf.c has the
   unknowns and the equation.

   The multiplier loop reads positions and writes multipliers, the displacement loop reads multipliers and writes
   positions, so no particle sees half of an iteration (Jacobi). Walls act through contacts: by their share of density
   and gradient, and by a distance that is kept inside the loop. The displacement by each contact is summed, because the
   solid receives the reaction. */
#include "sim/force/implicit_viscosity.h"
#include "sim/method/pbf.h"

/* Adds gamma delta to a displacement. Chebyshev's recurrence also repeats a share of the last change
   (docs/methods/pbf.md); with omega = 1 this is Jacobi. */
static inline pbf_shift carry_on(const pbf_job *job, pbf_shift s, vec delta) {
    const vec change = vec_along(vec_sub(s.now, s.last), job->gamma, delta);
    return (pbf_shift){vec_along(s.last, job->omega, change), s.now};
}

/* ---- walls ---- */

/* Adds the walls' part to the constraint of particle i and to its gradient, at its present position. */
static void add_walls(const pbf_job *job, int i, float *c, vec *gradient) {
    int count;
    int32_t first;
    const wall_contact *walls = row_contacts(job->world, i, &count, &first);
    row_add_walls(&job->derived->rows.forces.walls, walls, count, job->shifts[i].now, job->holds + first, c, gradient);
}

/* Adds the walls' part for `count` particles from i on, eight at most. */
static __attribute__((noinline)) void add_walls_to_eight(const pbf_job *job, int i, int count, wide *c,
                                                         wide_vec *gradient) {
    for (int k = 0; k < count; k++) {
        if (!any_at_wall(&sim_of(job->world)->contacts, i + k, 1)) continue;
        float share = (*c)[k];
        vec slope = wide_vec_get(gradient, k);
        add_walls(job, i + k, &share, &slope);
        (*c)[k] = share;
        wide_vec_put(gradient, k, slope);
    }
}

/* Adds the walls' part to the displacement `delta` of particle i by its neighbours. The solid continues the fluid,
   first with the particle's own multiplier, then with the gradient of the multipliers, as in SPH (docs/methods/sph.md).
   Without the second part, water slides down along the sides of its tank. */
static __attribute__((noinline)) vec wall_push(const pbf_job *job, int i, vec delta) {
    int count;
    int32_t first;
    const wall_contact *c = row_contacts(job->world, i, &count, &first);
    const row_hold *hold = job->holds + first;
    pbf_shift *grip = job->wall_shifts + first;
    /* A displacement is proportional to the multiplier over the mass, as between particles. */
    const float twice = 2.0f * job->position_lambda[i].m * (job->traits ? job->traits[i].inverse_mass : 1.0f);
    for (int k = 0; k < count; k++) delta = vec_along(delta, twice * hold[k].push, c[k].normal);
    for (int k = 0; k < count; k++) {
        const vec n = c[k].normal;
        const vec corrected = row_wall_corrected(&hold[k], n, delta);
        const vec push = vec_along(vec_sub(corrected, delta), twice * hold[k].push, n);
        delta = corrected;
        grip[k] = carry_on(job, grip[k], push); /* the wall's part follows the recurrence of the particle */
    }
    return delta;
}

/* Collision inside the loop (Algorithm 1, line 14): the displacement `shift` of particle i, changed such that the
   particle is no nearer to a wall than `keep_off`. */
static vec keep_out(const pbf_job *job, int i, vec shift) {
    int count;
    int32_t first;
    const wall_contact *c = row_contacts(job->world, i, &count, &first);
    pbf_shift *grip = job->wall_shifts + first;
    for (int k = 0; k < count; k++) {
        const float missing = job->keep_off - c[k].distance - vec_dot(shift, c[k].normal);
        if (!(missing > 0.0f)) continue;
        shift = vec_along(shift, missing, c[k].normal);
        grip[k].now = vec_along(grip[k].now, missing, c[k].normal);
    }
    return shift;
}

/* ---- multipliers ---- */

/* Sums of the constraints of eight particles, before their lanes are added up in one go. */
typedef struct gradient_sums {
    wide density[WIDE], squares[WIDE];
    wide_vecs gradient, tensile_shift;
} gradient_sums;

/* Artificial pressure between two particles with kernel w: k s, s = (W/W(dq))^4 (Eq. 13 with n = 4), bounded by
   1/TENSILE_CURB. In a lattice the slope of s is 12 s/dx, and from k s = 1/16 on four neighbours in a row reverse a
   displacement. With the bound the change stays below half a spacing per spacing for any k and distance. */
#define TENSILE_CURB 16.0f
WIDE_FN wide artificial_pressure(const pbf_derived *d, wide w) {
    const wide ratio = w * d->tensile_scale, ratio2 = ratio * ratio, t = d->tensile * (ratio2 * ratio2);
    return t / (1.0f + TENSILE_CURB * t);
}

/* Sums of the constraint of particle i, the kth of eight, over eight neighbours at a time. Stores W'/r of each for the
   displacements. The flags are constant at each call, so that the inlined loop has no branch for them. */
WIDE_FN void sum_gradients(const pbf_job *job, int i, bool cubic, bool uniform, bool tensile, gradient_sums *all,
                           int k) {
    const lists *l = &sim_of(job->world)->lists;
    const row_kernels pair = job->derived->rows.pair;
    const place *at = job->at;
    const int32_t *list = list_of(l, i);
    float *slopes = job->slopes + (list - (const int32_t *)l->index.data);
    const int count = list_count(l, i);
    const wide_vec xi = wide_vec_set(at[i].x);
    const row_trait own = uniform ? (row_trait){0} : job->traits[i];
    wide density = wide_zero(), squares = wide_zero();
    wide_vec gradient = wide_vec_zero(), tensile_shift = wide_vec_zero();
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x;
        wide unused, w, g, slope2;
        wide_prefetch(list, n), wide_prefetch(slopes, n);
        wide_gather_places(at, list + n, &x, &unused);
        x = wide_vec_sub(xi, x);
        row_kernels_of(&pair, cubic, wide_vec_dot(x, x), &w, &g, &slope2);
        wide_store(slopes + n, g);
        if (tensile && uniform)
            tensile_shift = wide_vec_along(tensile_shift, artificial_pressure(job->derived, w) * g, x);
        if (!uniform) {
            wide volume, inverse_mass, mu;
            wide_gather4((const float *)job->traits, list + n, &volume, &inverse_mass, &mu, &unused);
            /* The mean volume of the pair over its mean inverse mass: symmetric, so both get the same push. */
            const wide weight = (own.volume + volume) / (own.inverse_mass + inverse_mass);
            if (tensile)
                tensile_shift = wide_vec_along(tensile_shift, weight * artificial_pressure(job->derived, w) * g, x);
            w = volume * w, g = volume * g, slope2 = inverse_mass * (volume * volume) * slope2;
        }
        density = density + w;                     /* Eq. 2 */
        squares = squares + slope2;                /* Eq. 8, k = j */
        gradient = wide_vec_along(gradient, g, x); /* Eq. 8, k = i */
    }
    all->density[k] = density, all->squares[k] = squares;
    wide_vecs_put(&all->gradient, k, gradient);
    if (tensile) wide_vecs_put(&all->tensile_shift, k, tensile_shift);
}

/* The compression that a short step leaves at particle i. If it is below 0, this sets it from `found`, the compression
   in the first iteration. */
static inline float kept_of(const pbf_job *job, int i, float found) {
    float *kept = &job->kept[i];
    if (*kept < 0.0f) *kept = (1.0f - job->corrected) * fmaxf(found, 0.0f);
    return *kept;
}

/* Finds lambda of `count` particles from i on, eight at most (Eq. 11). Returns the sum of their compressions. */
WIDE_FN double find_multipliers(const pbf_job *job, int i, int count, bool uniform, bool tensile,
                                const gradient_sums *s) {
    const pbf_derived *d = job->derived;
    wide volume, inverse_mass;
    row_traits_of(&job->derived->rows, job->traits, i, uniform, &volume, &inverse_mass);
    const wide scale = uniform ? volume : wide_set(1.0f), slope = scale * d->rows.pair.slope_scale;
    /* Eq. 1 */
    wide c = scale * d->rows.pair.value_scale * wide_sum_each(s->density) + volume * d->rows.self - 1.0f;
    wide_vec gradient = wide_vec_scale(wide_vecs_sum(&s->gradient), slope);
    if (any_at_wall(&sim_of(job->world)->contacts, i, count)) add_walls_to_eight(job, i, count, &c, &gradient);
    const wide squares = slope * slope * wide_sum_each(s->squares) + inverse_mass * wide_vec_dot(gradient, gradient);
    if (job->kept)
        for (int k = 0; k < count; k++) c[k] -= kept_of(job, i + k, c[k]);
    /* minus the compression that acts */
    const wide acts = wide_max(-wide_max(c, wide_set(job->lowest)), wide_set(-COMPRESSION_MAX));
    const wide lambda = acts / (squares + inverse_mass * d->epsilon);
    wide_store_some(densities_of(job->world) + i, c, count); /* for the coarse level, until densities replace them */
    for (int k = 0; k < count; k++) job->position_lambda[i + k] = (place){.x = job->at[i + k].x, .m = lambda[k]};
    const wide excess = wide_max(c, wide_zero());
    double sum = 0;
    for (int k = 0; k < count; k++) sum += (double)excess[k];
    if (!tensile) return sum;
    const wide_vec tensile_shift =
        wide_vec_scale(wide_vecs_sum(&s->tensile_shift), -scale * d->tensile_shift_scale * inverse_mass);
    for (int k = 0; k < count; k++) job->tensile_shift[i + k] = wide_vec_get(&tensile_shift, k);
    return sum;
}

WIDE_FN double multiplier_range(const pbf_job *job, int begin, int end, bool cubic, bool uniform, bool tensile) {
    gradient_sums s = {0};
    double sum = 0;
    for (int i = begin; i < end; i += WIDE) {
        const int count = end - i < WIDE ? end - i : WIDE;
        for (int k = 0; k < count; k++) sum_gradients(job, i + k, cubic, uniform, tensile, &s, k);
        sum += find_multipliers(job, i, count, uniform, tensile, &s);
    }
    return sum;
}

/* One loop for each case, so that none has branches for the flags. */
#define MULTIPLIERS(cubic, uniform)                                        \
    (tensile ? multiplier_range(job, begin, end, (cubic), (uniform), true) \
             : multiplier_range(job, begin, end, (cubic), (uniform), false))

/* The multipliers of a block of particles. Returns the sum of their compressions. */
static totals multiplier_block(int begin, int end, void *context) {
    const pbf_job *job = context;
    const bool tensile = job->params->tensile > 0.0f, cubic = rows_are_cubic(&job->derived->rows);
    const bool uniform = job->derived->rows.uniform;
    const double sum = cubic ? (uniform ? MULTIPLIERS(true, true) : MULTIPLIERS(true, false))
                             : (uniform ? MULTIPLIERS(false, true) : MULTIPLIERS(false, false));
    return (totals){.sum = {sum}};
}

/* ---- displacements ---- */

/* Displacement of particle i by its own multiplier and those of its neighbours (Eq. 12), before lanes are added up. */
WIDE_FN wide_vec sum_displacements(const pbf_job *job, int i, bool uniform) {
    const lists *l = &sim_of(job->world)->lists;
    const place *position_lambda = job->position_lambda;
    const int32_t *list = list_of(l, i);
    const float *slopes = job->slopes + (list - (const int32_t *)l->index.data);
    const int count = list_count(l, i);
    const wide_vec xi = wide_vec_set(position_lambda[i].x);
    const wide li = wide_set(position_lambda[i].m);
    const float vi = uniform ? 0.0f : job->traits[i].volume;
    wide_vec sum = wide_vec_zero();
    for (int n = 0; n < count; n += WIDE) {
        wide_vec x;
        wide lambda;
        wide_prefetch(list, n), wide_prefetch(slopes, n);
        wide_gather_places(position_lambda, list + n, &x, &lambda);
        x = wide_vec_sub(xi, x);
        lambda = row_pair_multiplier(job->traits, list + n, uniform, li, vi, lambda);
        sum = wide_vec_along(sum, lambda * wide_load(slopes + n), x);
    }
    return sum;
}

/* Moves particle i by `delta`, the displacement by its neighbours, and by walls and the artificial pressure. Sums its
   multipliers by the same recurrence. */
static inline void displace(const pbf_job *job, int i, bool walls, bool tensile, vec delta) {
    if (walls) delta = wall_push(job, i, delta);
    if (tensile) delta = vec_add(delta, job->tensile_shift[i]); /* Eq. 14; its range is short: walls have no part */
    pbf_shift shift = carry_on(job, job->shifts[i], delta);
    if (walls) shift.now = keep_out(job, i, shift.now);
    job->shifts[i] = shift;
    job->at[i].x = vec_add(places_of(job->world)[i].x, shift.now);
    const pbf_history h = job->lambda_sum[i];
    const float push = job->gamma * job->position_lambda[i].m + (h.now - h.last);
    job->lambda_sum[i] = (pbf_history){h.last + job->omega * push, h.now};
}

WIDE_FN void displace_range(const pbf_job *job, int begin, int end, bool uniform) {
    const bool tensile = job->params->tensile > 0.0f;
    wide_vecs sums = {0};
    for (int i = begin; i < end; i += WIDE) {
        const int count = end - i < WIDE ? end - i : WIDE;
        for (int k = 0; k < count; k++) wide_vecs_put(&sums, k, sum_displacements(job, i + k, uniform));
        wide volume, inverse_mass;
        row_traits_of(&job->derived->rows, job->traits, i, uniform, &volume, &inverse_mass);
        const wide scale = (uniform ? volume : inverse_mass) * job->derived->rows.pair.slope_scale;
        const wide_vec delta = wide_vec_scale(wide_vecs_sum(&sums), scale);
        if (any_at_wall(&sim_of(job->world)->contacts, i, count))
            for (int k = 0; k < count; k++)
                displace(job, i + k, any_at_wall(&sim_of(job->world)->contacts, i + k, 1), tensile,
                         wide_vec_get(&delta, k));
        else
            for (int k = 0; k < count; k++) displace(job, i + k, false, tensile, wide_vec_get(&delta, k));
    }
}

static void displace_block(int begin, int end, void *context) {
    const pbf_job *job = context;
    if (job->derived->rows.uniform)
        displace_range(job, begin, end, true);
    else
        displace_range(job, begin, end, false);
}

/* ---- the loop ---- */

/* Error of the density by the rounding of positions, for each spacing of distance from the origin. */
#define PLACE_ROUNDING 4e-7f
/* A short step leaves a share of the compression that the last step found. Where `corrected` is below these limits, it
   leaves a share of what its own first iteration finds: at bodies, in worlds with bodies, and in all worlds (steps
   shorter than 1/20, 1/200 and 1/600 of the usual length). Bodies and collisions move particles by up to 20 um after
   the last step has measured them, and rounding adds a little. In longer steps this would make water boil. */
#define SHORT_AT_BODIES   1e-2f
#define SHORT_WITH_BODIES 1e-4f
#define SHORTEST          1e-5f

static bool at_body(const rill_world *w, int i) {
    int count;
    const wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
    for (int k = 0; k < count; k++)
        if (contact_body(w, &c[k]) >= 0) return true;
    return false;
}

static bool uses_own_compression(const pbf_job *job, int i) {
    const float everywhere = any_body_moves_freely(job->world) ? SHORT_WITH_BODIES : SHORTEST;
    return job->corrected < everywhere || (job->corrected < SHORT_AT_BODIES && at_body(job->world, i));
}

/* Compression that this step leaves at particle i: a share of that of the last step and of that by rounding. Below 0:
   the first iteration has to find it. */
static float kept_compression(const pbf_job *job, int i) {
    if (uses_own_compression(job, i)) return -1.0f;
    const rill_world *w = job->world;
    const float ratio = densities_of(w)[i] / job->derived->rows.forces.rho0[fluids_of(w)[i]];
    const float rounding = PLACE_ROUNDING * (1.0f + vec_length(places_of(w)[i].x) / w->def.spacing);
    return (1.0f - job->corrected) * (fmaxf(ratio - 1.0f, 0.0f) + rounding);
}

/* Leaves the same share of a particle's depth inside walls: adds it to the distances of the contacts. */
static void move_walls_back(const pbf_job *job, wall_contact *c, int count) {
    for (int k = 0; k < count; k++)
        c[k].distance += (1.0f - job->corrected) * fmaxf(job->keep_off - c[k].distance, 0.0f);
}

static void start_block(int begin, int end, void *context) {
    const pbf_job *job = context;
    const rill_world *w = job->world;
    sim *s = sim_of(w);
    const int fluids = fluid_count(w);
    for (int i = begin; i < end; i++) {
        const vec x = places_of(w)[i].x;
        const bool fluid = i < fluids;
        job->shifts[i] = (pbf_shift){.now = {0}};
        job->lambda_sum[i] = (pbf_history){0, 0};
        if (job->kept && fluid) job->kept[i] = kept_compression(job, i);
        int count;
        wall_contact *c = contacts_of(&s->contacts, i, &count);
        if (job->kept && fluid && uses_own_compression(job, i)) move_walls_back(job, c, count);
        pbf_shift *grip = job->wall_shifts + ((const int32_t *)s->contacts.first.data)[i];
        for (int k = 0; k < count; k++) grip[k] = (pbf_shift){.now = {0}};
        if (count > 0 && fluid) job->shifts[i].now = job->shifts[i].last = keep_out(job, i, (vec){0});
        for (int k = 0; k < count; k++) grip[k].last = grip[k].now;
        job->at[i] = (place){.x = vec_add(x, job->shifts[i].now)};
        if (job->traits) job->traits[i] = row_trait_make(w, &job->derived->rows, i);
    }
}

/* Writes the forces of the walls, m x / dt^2 from their displacements x, and the final distances to the contacts. */
static void wall_force_block(int begin, int end, void *context) {
    const pbf_job *job = context;
    const rill_world *w = job->world;
    for (int i = begin; i < end; i++) {
        int count;
        wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
        if (count == 0) continue;
        const pbf_shift *grip = job->wall_shifts + ((const int32_t *)sim_of(w)->contacts.first.data)[i];
        const float m = places_of(w)[i].m / (job->dt * job->dt);
        for (int k = 0; k < count; k++) {
            c[k].force = vec_scale(grip[k].now, m);
            c[k].distance += vec_dot(job->shifts[i].now, c[k].normal);
        }
    }
}

/* Force of a wall on its particle so far: m x / dt^2, x its displacement by the wall. */
static vec wall_force(const void *context, const body_touch *touch) {
    const pbf_job *job = context;
    const float m = places_of(job->world)[touch->particle].m;
    return vec_scale(job->wall_shifts[touch->contact].now, m / (job->dt * job->dt));
}

void rill_pbf_job_make(rill_world *w, double dt, pbf_job *job, arena *a) {
    const pbf_derived *d = pbf_derived_of(w);
    const int points = w->particles.capacity;
    const size_t contacts = contacts_room(w);
    *job = (pbf_job){.world = w, .params = pbf_params_of(w), .derived = d, .dt = (float)dt, .omega = 1.0f};
    ARENA_ASK(a, job->at, points);
    ARENA_ASK(a, job->position_lambda, points);
    if (!d->rows.uniform) ARENA_ASK(a, job->traits, points);
    ARENA_ASK(a, job->lambda_sum, points);
    ARENA_ASK(a, job->shifts, points);
    ARENA_ASK(a, job->tensile_shift, points);
    ARENA_ASK(a, job->slopes, sim_of(w)->lists.index.size / sizeof(float));
    ARENA_ASK(a, job->wall_shifts, contacts);
    ARENA_ASK(a, job->holds, contacts);
    if (job->params->coarse > 0.0f) rill_pbf_coarse_ask(job, a);
    job->bodies = (giving_way){.world = w, .dt = (float)dt, .push = wall_force, .context = job};
    rill_give_way_ask(&job->bodies, a);
    job->implicit = rill_viscosity_is_implicit(w, &d->rows.forces, dt);
    job->keep_off = w->wall_distance;
    job->gamma = d->relaxation;
    job->lowest = job->params->tension ? -1.0f : 0.0f;
    job->corrected = 1.0f;
    job->cloth = world_has_cloth(w) ? sim_of(w)->cloth_step.data : NULL;
}

/* Finds all multipliers. Returns the mean compression, before the displacements of this iteration. */
static double find_all_multipliers(pbf_job *job) {
    const int n = fluid_count(job->world);
    const totals all = rill_reduce_totals(job->world->workers, n, LOOP_GRAIN, multiplier_block, job);
    return n > 0 ? all.sum[0] / n : 0;
}

/* Restarts Chebyshev's recurrence, so that later iterations do not extrapolate the changes so far. */
static void restart_block(int begin, int end, void *context) {
    const pbf_job *job = context;
    const int32_t *first = sim_of(job->world)->contacts.first.data;
    for (int i = begin; i < end; i++) {
        job->shifts[i].last = job->shifts[i].now;
        job->lambda_sum[i].last = job->lambda_sum[i].now;
        for (int k = first[i]; k < first[i + 1]; k++) job->wall_shifts[k].last = job->wall_shifts[k].now;
    }
}

/* One displacement by the multipliers of the coarse level. Fluids of different density have no coarse level. */
static void displace_coarsely(pbf_job *job) {
    parallel *workers = job->world->workers;
    const int n = fluid_count(job->world);
    if (!(job->params->coarse > 0.0f && job->derived->rows.uniform && n > 0)) return;
    find_all_multipliers(job);
    if (!rill_pbf_coarse_multipliers(job)) return;
    job->gamma = job->params->coarse;
    rill_halo_exchange(job->world, &HALO_PLACES(job->position_lambda), 1);
    rill_parallel_for(workers, n, LOOP_GRAIN, displace_block, job);
    rill_halo_exchange(job->world, &HALO_PLACES(job->at), 1);
    rill_parallel_for(workers, n, REDUCE_BLOCK, restart_block, job);
    job->gamma = job->derived->relaxation;
}

static void note_error(rill_world *w, int iteration, double error) {
    w->stats.residual = error;
    if (iteration < RILL_RESIDUALS_MAX) w->stats.residuals[iteration] = (float)error;
}

rill_status rill_pbf_solve(rill_world *w, double dt) {
    sim *s = sim_of(w);
    const int n = w->particles.count, fluids = fluid_count(w), points = n + s->halo.count;
    pbf_job job;
    arena a = {0};
    TRY(rill_cloth_begin(w, dt));
    rill_pbf_job_make(w, dt, &job, &a);
    job.corrected = method_correctable_share(&w->derived[PBF_REFERENCE], dt);
    if (job.corrected < 1.0f) ARENA_ASK(&a, job.kept, w->particles.capacity);
    if (!rill_arena_give(&a, &w->memory, &s->scratch))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the constraints of %d particles", n);
    if (job.implicit) TRY(rill_viscosity_reserve(w));
    const pbf_params *p = job.params;
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, start_block, &job);
    job.at[points] = job.position_lambda[points] = places_of(w)[points]; /* the null particle */
    job.position_lambda[points].m = 0.0f;
    if (job.traits) job.traits[points] = (row_trait){0};
    if (job.traits) rill_halo_exchange(w, &HALO_VALUES(job.traits), 1);
    rill_halo_exchange(w, &HALO_PLACES(job.at), 1);
    const float rho2 = p->acceleration == PBF_CHEBYSHEV ? job.derived->rho * job.derived->rho : 0.0f;
    rill_pbf_cloth_start(&job);
    rill_give_way_find(&job.bodies, GIVE_WAY_DENSITY);
    displace_coarsely(&job);
    int k = 0;
    while (k < pbf_derived_of(w)->iterations || rill_pbf_cloth_wants_more(&job, k)) {
        if (k > 0) rill_give_way_move_walls(&job.bodies);
        /* omega_1 = 1, omega_2 = 2/(2 - rho^2), omega_k+1 = 4/(4 - rho^2 omega_k) */
        job.omega = k == 0 ? 1.0f : k == 1 ? 2.0f / (2.0f - rho2) : 4.0f / (4.0f - rho2 * job.omega);
        note_error(w, k, find_all_multipliers(&job));
        if (p->density_error > 0.0f && k > 0 && w->stats.residual <= (double)p->density_error) break;
        rill_halo_exchange(w, &HALO_PLACES(job.position_lambda), 1);
        rill_parallel_for(w->workers, fluids, LOOP_GRAIN, displace_block, &job);
        rill_halo_exchange(w, &HALO_PLACES(job.at), 1);
        rill_pbf_cloth_iterate(&job);
        k++;
    }
    w->stats.iterations = k;
    rill_give_way_keep(&job.bodies);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, wall_force_block, &job);
    rill_pbf_cloth_finish(&job);
    return rill_density_rows_pull(w, &job.derived->rows, job.at);
}

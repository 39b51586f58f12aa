/* SPDX-License-Identifier: MIT */
/* Double density relaxation (Algorithm 2). A particle sums density and near density over its neighbours, and pushes all
   of them away or pulls them closer. Walls add to both densities as if the fluid continued behind them. They push with
   half the force of that fluid, and pull with the share `wetting` of its pull (docs/methods/clavet.md). */
#include "sim/method/clavet.h"

/* Number of groups of eight neighbours that are kept from the first pass for the second; others are computed again. */
#define GROUPS_KEPT 16
/* Squared distance, in squared supports, below which a pair has no direction. */
#define TOUCHING 1e-12f

/* Eight neighbours: the vector `away` to each, the core u of the kernels, and the factor `unit` from that vector to a
   direction. */
typedef struct neighbour_group {
    wide_vec away;
    wide m, u, unit;
} neighbour_group;

/* The particles of eight entries of a list, some of which may be images. */
static inline const int32_t *owners_of(const clavet_job *job, const int32_t *list, bool images, int32_t owners[WIDE]) {
    if (!images) return list;
    const int points = job->world->particles.count + sim_of(job->world)->halo.count;
    for (int k = 0; k < WIDE; k++) owners[k] = list[k] == points ? points : halo_owner(job->world, list[k]);
    return owners;
}

WIDE_FN neighbour_group find_group(const clavet_job *job, wide_vec at, wide_vec shift, const int32_t *list,
                                   const int32_t *owners, clavet_kernels kernels) {
    const float h = job->world->support, inverse_h = 1.0f / h;
    neighbour_group g;
    wide_vec x, s;
    wide unused;
    wide_gather_places(places_of(job->world), list, &x, &g.m);
    wide_gather_places(job->shifts, owners, &s, &unused);
    g.away = wide_vec_along(wide_vec_sub(x, at), wide_set(1.0f), wide_vec_sub(s, shift));
    const wide r2 = wide_max(wide_vec_dot(g.away, g.away), wide_set(TOUCHING * h * h)), one = wide_set(1.0f);
    if (kernels == CLAVET_SQUARED) {
        g.u = wide_max(one - r2 * (inverse_h * inverse_h), wide_zero());
        g.unit = wide_set(inverse_h);
        return g;
    }
    const wide r = wide_sqrt(r2), q = r * inverse_h;
    g.u = wide_max(kernels == CLAVET_HYBRID ? one - q * q : one - q, wide_zero());
    g.unit = one / r;
    return g;
}

/* ---- walls ---- */

/* Distance of a shifted particle from a wall. */
static inline float distance_now(const wall_contact *c, vec shift) {
    return c->distance + vec_dot(shift, c->normal);
}

/* Adds the walls' part to both densities of a particle. Returns the share of its neighbourhood that lies in walls. */
static float add_wall_densities(const clavet_job *job, const wall_contact *c, int count, vec shift, float *density,
                                float *near) {
    const clavet_derived *d = job->derived;
    wall_contact moved[CONTACTS_MAX];
    for (int k = 0; k < count; k++) moved[k] = c[k], moved[k].distance = distance_now(&c[k], shift);
    const float share = wall_share(&d->walls, moved, count);
    *density += share * d->wall.density;
    *near += wall_share(&d->near_walls, moved, count) * d->near_wall.density;
    return share;
}

/* Displacement of particle i by walls. Their push is the slope of the particle's own energy, half the push of fluid
   behind them. The whole push is the slope of no energy, because that fluid stores none: particles that alternate at a
   wall would gain energy, and tanks would boil. With half the pull, surfaces meet a wall at a right angle. `scale`:
   factor from a pressure to a displacement. */
static vec wall_push(const clavet_job *job, int i, wall_contact *c, int count, float pressure, float near,
                     float scale) {
    const clavet_derived *d = job->derived;
    const vec shift = job->shifts[i].x;
    const float strength = places_of(job->world)[i].m / (job->dt * job->dt);
    vec sum = vec_zero();
    for (int k = 0; k < count; k++) {
        const float distance = distance_now(&c[k], shift);
        const float push =
            pressure * d->wall.push * wall_integral_at(&d->walls, d->walls.gradient, distance) +
            near * d->near_wall.push * wall_integral_at(&d->near_walls, d->near_walls.gradient, distance);
        const float share = c[k].scale * wall_uncovered(&d->walls, c, count, k);
        const clavet_solid *wall = method_solid(job->world, c[k].solid);
        const float part = push > 0.0f ? 0.5f * push : wall->wetting * push;
        if (part == 0.0f) continue;
        const vec by = vec_scale(c[k].normal, scale * share * part);
        sum = vec_add(sum, by);
        c[k].force = vec_along(c[k].force, strength, by);
    }
    return sum;
}

/* ---- rows ---- */

/* Adds displacements to `count` neighbours, eight at most. */
WIDE_FN void move_neighbours(const clavet_job *job, const int32_t *owners, int count, const wide_vec *by) {
    for (int k = 0; k < count; k++) job->shifts[owners[k]].x = vec_add(job->shifts[owners[k]].x, wide_vec_get(by, k));
}

/* Relaxes the densities of particle i. `kernels`, `images` and `uniform` are constant at each call, so that the inlined
   loops have no branch for them. */
WIDE_FN void relax(const clavet_job *job, int i, clavet_kernels kernels, bool images, bool uniform) {
    const rill_world *w = job->world;
    const lists *l = &sim_of(w)->lists;
    const clavet_matter *matter = clavet_matter_of(job, i);
    const int32_t *list = list_of(l, i);
    const int count = list_count(l, i);
    const wide_vec at = wide_vec_set(places_of(w)[i].x), shift = wide_vec_set(job->shifts[i].x);
    neighbour_group kept[GROUPS_KEPT];
    int32_t owners[WIDE];
    wide sum = wide_zero(), near_sum = wide_zero();
    for (int n = 0; n < count; n += WIDE) {
        const neighbour_group g =
            find_group(job, at, shift, list + n, owners_of(job, list + n, images, owners), kernels);
        const wide u2 = g.u * g.u;
        sum = sum + u2, near_sum = near_sum + u2 * g.u;
        if (n < GROUPS_KEPT * WIDE) kept[n / WIDE] = g;
    }
    float density = wide_sum(sum), near_density = wide_sum(near_sum);
    int walls;
    wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &walls);
    if (!job->params->wall_density) walls = 0;
    float open = 1.0f; /* share of the neighbourhood that is not in walls, over which the pressure is summed */
    if (walls > 0) open -= add_wall_densities(job, c, walls, job->shifts[i].x, &density, &near_density);
    densities_of(w)[i] = density;
    clavet_store *store = &clavet_stores_of(w)[i];
    store->density *= 1.0f + density, store->near = near_density; /* its sign tells whether the particle is new */
    const float pressure = matter->stiffness * (density - matter->rest), near = matter->near * near_density;
    const float scale = w->support * job->ticks * job->ticks;
    const wide own_mass = wide_set(places_of(w)[i].m);
    wide_vec moved = wide_vec_zero();
    wide virial = wide_zero();
    for (int n = 0; n < count; n += WIDE) {
        const int32_t *to = owners_of(job, list + n, images, owners);
        const neighbour_group g =
            n < GROUPS_KEPT * WIDE ? kept[n / WIDE] : find_group(job, at, shift, list + n, to, kernels);
        const wide push = (pressure * g.u + near * (g.u * g.u)) * g.unit;
        virial = virial + push * wide_vec_dot(g.away, g.away);
        const wide share = uniform ? wide_set(0.5f) : g.m / (own_mass + g.m), by = scale * push;
        moved = wide_vec_along(moved, by * share, g.away);
        const wide_vec given = wide_vec_scale(g.away, by * (1.0f - share));
        move_neighbours(job, to, count - n < WIDE ? count - n : WIDE, &given);
    }
    vec own = vec_scale(wide_vec_sum(moved), -1.0f);
    if (walls > 0) own = vec_add(own, wall_push(job, i, c, walls, pressure, near, scale));
    job->shifts[i].x = vec_add(job->shifts[i].x, own);
    pressures_of(w)[i] = wide_sum(virial) / fmaxf(open, 0.25f);
}

WIDE_FN void relax_any(const clavet_job *job, int i, bool images, bool uniform) {
    switch (job->derived->kernels) {
    case CLAVET_NORMAL:
        relax(job, i, CLAVET_NORMAL, images, uniform);
        break;
    case CLAVET_HYBRID:
        relax(job, i, CLAVET_HYBRID, images, uniform);
        break;
    default:
        relax(job, i, CLAVET_SQUARED, images, uniform);
        break;
    }
}

void rill_clavet_relax_rows(const clavet_job *job, int begin, int end, bool images) {
    for (int n = begin; n < end; n++) {
        const int i = job->forward ? n : begin + end - 1 - n;
        if (images)
            relax_any(job, i, true, false);
        else if (job->serial[i])
            continue;
        else if (job->derived->uniform)
            relax_any(job, i, false, true);
        else
            relax_any(job, i, false, false);
    }
}

/* SPDX-License-Identifier: MIT */
/* Local projections and a global solve: see local_global.h. */
#include "sim/solve/local_global.h"

#include "core/cg.h"
#include "core/error.h"

/* Residual at which conjugate gradients end, relative to the start of a round, and their iterations at most. */
#define GRADIENTS_TOLERANCE  1e-6
#define GRADIENTS_ITERATIONS 200
/* Most times that lists are rebuilt in a step. Particles that still outrun them then are blowing up. */
#define RENEWALS_MAX 8
/* Two walls face each other if the cosine between their normals is below minus this. */
#define OPPOSITE 0.5f

static bool is_coupled(const local_global *g) {
    if (g->solver != GLOBAL_AUTO) return g->solver == GLOBAL_GRADIENTS;
    for (int k = 0; k < g->kind_count; k++)
        if (g->kinds[k].couple && !g->kinds[k].solve) return true;
    return false;
}

/* The displacement of a particle by a wall so far, as a force: m x / dt^2. */
static vec wall_force(const void *context, const body_touch *touch) {
    const local_global *g = context;
    return vec_scale(g->wall_shifts[touch->contact].here, places_of(g->world)[touch->particle].m / (g->dt * g->dt));
}

void rill_local_global_ask(local_global *g, arena *a) {
    const rill_world *w = g->world;
    const size_t points = (size_t)w->particles.capacity;
    const size_t contacts = contacts_room(w);
    ARENA_ASK(a, g->at, points);
    ARENA_ASK(a, g->shifts, points);
    ARENA_ASK(a, g->pull, points);
    ARENA_ASK(a, g->value_pull, points);
    ARENA_ASK(a, g->values, points);
    ARENA_ASK(a, g->diagonal, points);
    ARENA_ASK(a, g->change, points);
    if (g->outrun > 0.0f) ARENA_ASK(a, g->listed, points);
    ARENA_ASK(a, g->wall_pull, contacts);
    ARENA_ASK(a, g->wall_shifts, contacts);
    g->bodies = (giving_way){.world = g->world, .dt = g->dt, .push = wall_force, .context = g};
    rill_give_way_ask(&g->bodies, a);
    g->coupled = is_coupled(g);
    if (!g->coupled) return;
    ARENA_ASK(a, g->direction, points);
    ARENA_ASK(a, g->residual, points);
    ARENA_ASK(a, g->image, points);
}

/* ---- walls ---- */

/* Least distance of a particle from the kth of its walls: half of the gap if there is a wall on its other side and too
   little room for the distance from both. Otherwise the two would push against each other in every round, without
   end. */
static float kept_off(const local_global *g, const wall_contact *c, int count, int k) {
    float room = g->world->wall_distance;
    for (int n = 0; n < count; n++)
        if (vec_dot(c[n].normal, c[k].normal) < -OPPOSITE) room = fminf(room, 0.5f * (c[n].distance + c[k].distance));
    return room;
}

/* Moves a fluid particle's shift out of its walls. Other phases have rows for their walls. */
static vec keep_out(const local_global *g, int i, vec shift) {
    const contacts *all = &sim_of(g->world)->contacts;
    const int32_t first = ((const int32_t *)all->first.data)[i];
    int count;
    const wall_contact *c = contacts_of(all, i, &count);
    for (int k = 0; k < count; k++) {
        const float missing = kept_off(g, c, count, k) - c[k].distance - vec_dot(shift, c[k].normal);
        if (!(missing > 0.0f)) continue;
        shift = vec_along(shift, missing, c[k].normal);
        lead *wall = &g->wall_shifts[first + k];
        wall->here = vec_along(wall->here, missing, c[k].normal);
    }
    return shift;
}

/* Turns the displacements by walls into forces, m x / dt^2, and contact distances into final ones. */
static void release_block(int begin, int end, void *context) {
    const local_global *g = context;
    const rill_world *w = g->world;
    for (int i = begin; i < end; i++) {
        int count;
        wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
        if (count == 0) continue;
        const lead *walls = g->wall_shifts + ((const int32_t *)sim_of(w)->contacts.first.data)[i];
        const float m = places_of(w)[i].m / (g->dt * g->dt);
        for (int k = 0; k < count; k++) {
            c[k].force = vec_scale(walls[k].here, m);
            c[k].distance += vec_dot(g->shifts[i].here, c[k].normal);
        }
    }
}

/* ---- rounds ---- */

static void start_block(int begin, int end, void *context) {
    const local_global *g = context;
    const contacts *all = &sim_of(g->world)->contacts;
    const int32_t *first = all->first.data;
    const int fluids = fluid_count(g->world);
    for (int i = begin; i < end; i++) {
        g->pull[i] = (vec){0}, g->value_pull[i] = 0.0f, g->values[i] = (lead_value){0, 0};
        vec shift = {0};
        int count;
        contacts_of(all, i, &count);
        for (int k = 0; k < count; k++)
            g->wall_pull[first[i] + k] = (vec){0}, g->wall_shifts[first[i] + k] = (lead){.here = {0}};
        if (count > 0 && i < fluids) shift = keep_out(g, i, shift);
        for (int k = 0; k < count; k++) g->wall_shifts[first[i] + k].ahead = g->wall_shifts[first[i] + k].here;
        g->shifts[i] = (lead){shift, shift};
        g->at[i] = (place){.x = vec_add(places_of(g->world)[i].x, shift)};
    }
}

static void weigh_block(int begin, int end, void *context) {
    const local_global *g = context;
    for (int i = begin; i < end; i++) g->diagonal[i] = 1.0f; /* inertia */
}

static void weigh(local_global *g) {
    rill_parallel_for(g->world->workers, g->world->particles.count, REDUCE_BLOCK, weigh_block, g);
    for (int k = 0; k < g->kind_count; k++) g->kinds[k].weigh(g->kinds[k].context, g->diagonal);
}

/* The global step where no particles are coupled: a division. */
static void divide_block(int begin, int end, void *context) {
    const local_global *g = context;
    for (int i = begin; i < end; i++)
        g->change[i] = vec_scale(vec_sub(g->pull[i], g->shifts[i].ahead), 1.0f / g->diagonal[i]);
}

enum { SUM_UPHILL };
enum { MOST_DRIFT2 };

/* Ends a round. Impulses of walls are scaled by the same factor as displacements, 1/diagonal. With coupled particles it
   is 1, for then the whole conserves momentum though no particle does. */
static totals advance_block(int begin, int end, void *context) {
    const local_global *g = context;
    const int32_t *first = sim_of(g->world)->contacts.first.data;
    const int fluids = fluid_count(g->world);
    totals all = {0};
    float drift2 = 0.0f;
    for (int i = begin; i < end; i++) {
        const float part = g->coupled ? 1.0f : 1.0f / g->diagonal[i];
        const lead was = g->shifts[i];
        lead_value *value = &g->values[i];
        const float value_was = value->here;
        value->here = value->ahead + part * (g->value_pull[i] - value->ahead);
        value->ahead = value_was;
        for (int k = first[i]; k < first[i + 1]; k++) {
            lead *wall = &g->wall_shifts[k];
            const vec wall_was = wall->here;
            wall->here = vec_along(wall->ahead, part, vec_sub(g->wall_pull[k], wall->ahead));
            wall->ahead = wall_was;
            g->wall_pull[k] = (vec){0};
        }
        vec x = vec_add(was.ahead, g->change[i]);
        if (first[i + 1] > first[i] && i < fluids) x = keep_out(g, i, x);
        all.sum[SUM_UPHILL] +=
            (double)places_of(g->world)[i].m * (double)vec_dot(vec_sub(was.ahead, x), vec_sub(x, was.here));
        g->shifts[i] = (lead){.here = x, .ahead = was.here}; /* until look_block: where the round before ended */
        g->pull[i] = (vec){0}, g->value_pull[i] = 0.0f;
        if (!g->listed || i >= fluids) continue;
        const vec away = vec_sub(vec_add(places_of(g->world)[i].x, x), g->listed[i].x);
        drift2 = fmaxf(drift2, vec_dot(away, away));
    }
    all.most[MOST_DRIFT2] = (double)drift2;
    return all;
}

static inline vec carried(const local_global *g, lead l) {
    return vec_along(l.here, g->carry, vec_sub(l.here, l.ahead));
}

/* Finds where the next round is evaluated. */
static void look_block(int begin, int end, void *context) {
    const local_global *g = context;
    const int32_t *first = sim_of(g->world)->contacts.first.data;
    const int fluids = fluid_count(g->world);
    for (int i = begin; i < end; i++) {
        g->shifts[i].ahead = i < fluids ? carried(g, g->shifts[i]) : g->shifts[i].here; /* no carry for cloth */
        g->at[i].x = vec_add(places_of(g->world)[i].x, g->shifts[i].ahead);
        lead_value *value = &g->values[i];
        value->ahead = value->here + g->carry * (value->here - value->ahead);
        for (int k = first[i]; k < first[i + 1]; k++) g->wall_shifts[k].ahead = carried(g, g->wall_shifts[k]);
    }
}

/* Chooses how far ahead the next round is evaluated (Nesterov 1983, limited by `convexity`). A round that went uphill,
   as seen from where it was evaluated, restarts the momentum (O'Donoghue and Candes 2015). */
static void choose_carry(local_global *g, bool uphill) {
    g->carry = 0.0f;
    if (!g->accelerate || uphill) {
        g->momentum = 1;
        return;
    }
    const double t = g->momentum, next = 0.5 * (1 + sqrt(1 + 4 * t * t)), root = sqrt((double)g->convexity);
    g->carry = (float)fmin((t - 1) / next, (1 - root) / (1 + root));
    g->momentum = next;
}

/* ---- neighbours that change during the rounds ---- */

static void listed_block(int begin, int end, void *context) {
    const local_global *g = context;
    for (int i = begin; i < end; i++) g->listed[i] = g->at[i];
}

static rill_status renew_lists(local_global *g) {
    rill_world *w = g->world;
    sim *s = sim_of(w);
    const int fluids = fluid_count(w), null = w->particles.count + s->halo.count;
    TRY(rill_grid_sort(&s->grid, &w->memory, w->workers, g->at, fluids + s->halo.count, w->support, &w->error));
    TRY(rill_lists_build(&s->lists, &s->grid, &w->memory, w->workers, g->at, fluids, s->grid.order.data, null,
                         &w->error));
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, listed_block, g);
    weigh(g);
    g->renewals++;
    return RILL_OK;
}

/* ---- conjugate gradients ---- */

/* Completes A d, to which kinds have added the rest of their parts, by the diagonal. Returns d A d; masses make A
   symmetric. */
static double image_block(int begin, int end, void *context) {
    const local_global *g = context;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        g->image[i] = vec_along(g->image[i], g->diagonal[i], g->direction[i].x);
        sum += (double)vec_dot(g->image[i], g->direction[i].x) * (double)places_of(g->world)[i].m;
    }
    return sum;
}

static void empty_block(int begin, int end, void *context) {
    const local_global *g = context;
    for (int i = begin; i < end; i++) g->image[i] = (vec){0};
}

static double image(void *context) {
    local_global *g = context;
    const rill_world *w = g->world;
    rill_halo_exchange(w, &HALO_VALUES(g->direction), 1);
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, empty_block, g);
    for (int k = 0; k < g->kind_count; k++)
        if (g->kinds[k].couple) g->kinds[k].couple(g->kinds[k].context, g->direction, g->image);
    return world_sum(w, image_block, g);
}

static double advance_gradients_block(int begin, int end, void *context) {
    const local_global *g = context;
    const float alpha = (float)g->alpha;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        g->change[i] = vec_along(g->change[i], alpha, g->direction[i].x);
        g->residual[i] = vec_along(g->residual[i], -alpha, g->image[i]);
        const double weight = (double)places_of(g->world)[i].m / (double)g->diagonal[i];
        sum += (double)vec_dot(g->residual[i], g->residual[i]) * weight;
    }
    return sum;
}

static double advance_gradients(void *context, double alpha) {
    local_global *g = context;
    g->alpha = alpha;
    return world_sum(g->world, advance_gradients_block, g);
}

static void turn_block(int begin, int end, void *context) {
    const local_global *g = context;
    const float beta = (float)g->beta;
    for (int i = begin; i < end; i++) {
        const vec z = vec_scale(g->residual[i], 1.0f / g->diagonal[i]);
        g->direction[i].x = vec_along(z, beta, g->direction[i].x);
    }
}

static void turn(void *context, double beta) {
    local_global *g = context;
    g->beta = beta;
    rill_parallel_for(g->world->workers, g->world->particles.count, REDUCE_BLOCK, turn_block, g);
}

static double start_gradients_block(int begin, int end, void *context) {
    const local_global *g = context;
    double sum = 0;
    for (int i = begin; i < end; i++) {
        const vec r = vec_sub(g->pull[i], g->shifts[i].ahead);
        g->change[i] = (vec){0}, g->residual[i] = r;
        g->direction[i] = (place){.x = vec_scale(r, 1.0f / g->diagonal[i])};
        sum += (double)vec_dot(r, r) * (double)places_of(g->world)[i].m / (double)g->diagonal[i];
    }
    return sum;
}

/* The global step by conjugate gradients, preconditioned by the diagonal. */
static void solve_by_gradients(local_global *g) {
    const rill_world *w = g->world;
    g->direction[w->particles.count + sim_of(w)->halo.count] = (place){0};
    const double rz = world_sum(w, start_gradients_block, g);
    const cg c = {.context = g, .image = image, .advance = advance_gradients, .turn = turn};
    g->solver_iterations += rill_cg_solve(&c, rz, GRADIENTS_TOLERANCE * GRADIENTS_TOLERANCE * rz, GRADIENTS_ITERATIONS);
}

/* ---- all of it ---- */

/* Ends the rounds where `enough` judged them: where the last one was evaluated. */
static void stop_block(int begin, int end, void *context) {
    const local_global *g = context;
    const int32_t *first = sim_of(g->world)->contacts.first.data;
    for (int i = begin; i < end; i++) {
        g->shifts[i].here = g->shifts[i].ahead;
        g->values[i].here = g->values[i].ahead;
        for (int k = first[i]; k < first[i + 1]; k++) g->wall_shifts[k].here = g->wall_shifts[k].ahead;
    }
}

static rill_status take_round(local_global *g) {
    const rill_world *w = g->world;
    const int n = w->particles.count;
    if (g->coupled) {
        solve_by_gradients(g);
    } else {
        rill_parallel_for(w->workers, n, REDUCE_BLOCK, divide_block, g);
        for (int k = 0; k < g->kind_count; k++)
            if (g->kinds[k].solve) g->solver_iterations += g->kinds[k].solve(g->kinds[k].context);
    }
    const totals all = world_totals(w, advance_block, g);
    choose_carry(g, all.sum[SUM_UPHILL] > 0);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, look_block, g);
    rill_halo_exchange(w, &HALO_PLACES(g->at), 1);
    const bool outrun = g->listed && all.most[MOST_DRIFT2] > (double)(g->outrun * g->outrun);
    return outrun && g->renewals < RENEWALS_MAX ? renew_lists(g) : RILL_OK;
}

rill_status rill_local_global_run(local_global *g) {
    rill_world *w = g->world;
    const int n = w->particles.count, points = n + sim_of(w)->halo.count;
    g->done = g->renewals = g->solver_iterations = 0;
    g->momentum = 1, g->carry = 0.0f, g->stopped = false;
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, start_block, g);
    g->at[points] = places_of(w)[points]; /* the null particle */
    rill_halo_exchange(w, &HALO_PLACES(g->at), 1);
    if (g->listed) rill_parallel_for(w->workers, n, REDUCE_BLOCK, listed_block, g);
    weigh(g);
    rill_give_way_find(&g->bodies, GIVE_WAY_DENSITY);
    while (g->done < g->rounds) {
        if (g->done > 0) rill_give_way_move_walls(&g->bodies);
        for (int k = 0; k < g->kind_count; k++) g->kinds[k].project(g->kinds[k].context);
        if (g->enough && g->enough(g->context, g->done)) {
            rill_parallel_for(w->workers, n, REDUCE_BLOCK, stop_block, g);
            g->stopped = true;
            break;
        }
        TRY(take_round(g));
        g->done++;
    }
    rill_give_way_keep(&g->bodies);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, release_block, g);
    return RILL_OK;
}

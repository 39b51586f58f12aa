/* SPDX-License-Identifier: MIT */
/* Springs between particles: rest lengths that follow the deformation (Algorithm 4), and displacements (Algorithm 3).
   Flowing springs are made as in the paper, at the rest length h, at which they have no force yet. Fixed ones are made
   once, at their present length. Algorithm 4 as printed changes the rest lengths of springs shorter than h only, so
   that none would ever exceed h and be removed: here all springs are adjusted. */
#include "sim/method/clavet.h"

#include "core/error.h"
#include "sim/neighbours/neighbours.h"

static const field_def values[] = {{"rest", "m", "length at rest", RILL_SCALAR_FLOAT, 1, 1, 0}};
const link_set_def rill_clavet_links[] = {
    {"springs", "between particles", 2, values, 1, LINK_SHOW | LINK_SAVE | LINK_MUTUAL}};

static inline vec spring_vector(const clavet_job *job, int i, int j) {
    return vec_add(link_vector(job->world, i, j), vec_sub(job->shifts[j].x, job->shifts[i].x));
}

/* ---- pairs of fluids ---- */

/* How particles of two fluids are joined, if at all: by fixed springs only if both fluids have fixed ones. */
static inline clavet_making making_between(const clavet_matter *a, const clavet_matter *b) {
    if (a->making == CLAVET_NONE || b->making == CLAVET_NONE) return CLAVET_NONE;
    return a->making == CLAVET_FIXED && b->making == CLAVET_FIXED ? CLAVET_FIXED : CLAVET_FLOWING;
}

/* Stiffness of springs between two fluids: the harmonic mean, as of springs in series; 0 if one fluid has none. */
static inline float stiffness_between(const clavet_matter *a, const clavet_matter *b) {
    const float sum = a->spring + b->spring;
    return sum > 0.0f ? 2.0f * a->spring * b->spring / sum : 0.0f;
}

static inline float mean(float a, float b) {
    return 0.5f * (a + b);
}

static clavet_law law_between(const clavet_matter *a, const clavet_matter *b, float ticks) {
    return (clavet_law){.making = making_between(a, b),
                        .reach = fminf(a->reach, b->reach),
                        .part = ticks * ticks * stiffness_between(a, b),
                        .brace = fminf(a->brace, b->brace),
                        .damping = mean(a->damping, b->damping) / ticks,
                        .longest = 1.0f + mean(a->stretch_yield, b->stretch_yield),
                        .shortest = 1.0f - mean(a->compress_yield, b->compress_yield),
                        .stretch = fminf(ticks * mean(a->stretch_rate, b->stretch_rate), 1.0f),
                        .compress = fminf(ticks * mean(a->compress_rate, b->compress_rate), 1.0f)};
}

static inline clavet_law law_of(const clavet_job *job, int i, int j) {
    return job->derived->alone ? job->law : law_between(clavet_matter_of(job, i), clavet_matter_of(job, j), job->ticks);
}

/* ---- Algorithm 4 ---- */

/* Eight springs of one particle. */
typedef struct spring_group {
    int count;           /* number of springs */
    int32_t other[WIDE]; /* their second particles; in lanes past `count`, the first */
    wide rest, per_reach, brace, longest, shortest, stretch, compress;
} spring_group;

WIDE_FN void load_laws(const clavet_job *job, int i, spring_group *g) {
    for (int k = 0; k < (job->derived->alone ? 1 : WIDE); k++) {
        const clavet_law law = law_of(job, i, g->other[k]);
        const float per_reach = 1.0f / (law.reach * job->world->support);
        if (job->derived->alone) {
            g->per_reach = wide_set(per_reach), g->brace = wide_set(law.brace);
            g->longest = wide_set(law.longest), g->shortest = wide_set(law.shortest);
            g->stretch = wide_set(law.stretch), g->compress = wide_set(law.compress);
        } else {
            g->per_reach[k] = per_reach, g->brace[k] = law.brace;
            g->longest[k] = law.longest, g->shortest[k] = law.shortest;
            g->stretch[k] = law.stretch, g->compress[k] = law.compress;
        }
    }
}

WIDE_FN spring_group load_springs(const clavet_job *job, const link_set *springs, int i, int begin, int end) {
    const float *rest = LINK_VALUES(springs, CLAVET_SPRING_REST, float) + begin;
    spring_group g = {.count = end - begin < WIDE ? end - begin : WIDE, .rest = wide_zero()};
    for (int k = 0; k < WIDE; k++) g.other[k] = k < g.count ? link_ends(springs, begin + k)[1] : i;
    if (g.count == WIDE)
        g.rest = wide_load(rest);
    else
        for (int k = 0; k < g.count; k++) g.rest[k] = rest[k];
    load_laws(job, i, &g);
    return g;
}

WIDE_FN void store_rests(const link_set *springs, int begin, int count, wide rests) {
    float *rest = LINK_VALUES(springs, CLAVET_SPRING_REST, float) + begin;
    if (count == WIDE)
        wide_store(rest, rests);
    else
        for (int k = 0; k < count; k++) rest[k] = rests[k];
}

/* link_vector for eight vectors: the short way across periodic faces. */
WIDE_FN wide_vec short_way(const rill_world *w, wide_vec d) {
#define AXIS(c)                                                                                   \
    if (w->def.periodic.c > 0.0f) {                                                               \
        const wide period = wide_set(w->def.periodic.c), half = 0.5f * period;                    \
        d.c = wide_select(d.c > half, d.c - period, wide_select(d.c < -half, d.c + period, d.c)); \
    }
    FOR_AXES(AXIS)
#undef AXIS
    return d;
}

/* Lines 6 to 11, or Eq. 8: rest lengths after a step, for springs of present length r. */
WIDE_FN wide adjusted(const spring_group *g, wide r) {
    const wide longest = g->rest * g->longest, shortest = g->rest * g->shortest;
    const wide longer = g->rest + g->stretch * (r - longest), shorter = g->rest - g->compress * (shortest - r);
    return wide_select(r > longest, longer, wide_select(r < shortest, shorter, g->rest));
}

/* Weights of the springs of a group in the stretch that particle i stores: half the reduced mass, times the stiffness
   over that of the fluid of particle i. */
WIDE_FN wide store_weights(const clavet_job *job, int i, const spring_group *g) {
    const float m = places_of(job->world)[i].m, own = clavet_matter_of(job, i)->spring;
    wide weights = wide_set(0.25f * m);
    if (job->derived->alone || !(own > 0.0f)) return weights;
    for (int k = 0; k < WIDE; k++)
        weights[k] = 0.5f * m * clavet_share(job, i, g->other[k]) *
                     stiffness_between(clavet_matter_of(job, i), clavet_matter_of(job, g->other[k])) / own;
    return weights;
}

/* The factor that fades with the rest length L: 1 - L/h, and 1 - L/(R h) for braces. */
WIDE_FN wide stiffnesses(const rill_world *w, const spring_group *g, wide rest) {
    const wide near = wide_max(1.0f - rest * (1.0f / w->support), wide_zero());
    return near + g->brace * wide_max(1.0f - rest * g->per_reach, wide_zero());
}

/* Adjusts the rest lengths of the springs that particle i owns, and computes what they store. */
static void adjust(const clavet_job *job, const link_set *springs, int i) {
    const rill_world *w = job->world;
    const wide_vec at = wide_vec_set(places_of(w)[i].x), shift = wide_vec_set(job->shifts[i].x);
    wide stretch = wide_zero();
    int begin, end;
    links_owned(springs, i, &begin, &end);
    for (int n = begin; n < end; n += WIDE) {
        const spring_group g = load_springs(job, springs, i, n, end);
        wide_vec x, s;
        wide unused;
        wide_gather_places(places_of(w), g.other, &x, &unused);
        wide_gather_places(job->shifts, g.other, &s, &unused);
        const wide_vec d = wide_vec_along(short_way(w, wide_vec_sub(x, at)), wide_set(1.0f), wide_vec_sub(s, shift));
        const wide r = wide_sqrt(wide_vec_dot(d, d)), rest = adjusted(&g, r);
        store_rests(springs, n, g.count, rest);
        /* Springs of a fluid that has none any more are about to be removed, and do not count. */
        if (job->derived->watched && clavet_matter_of(job, i)->making != CLAVET_NONE)
            stretch = stretch + store_weights(job, i, &g) * stiffnesses(w, &g, rest) * ((rest - r) * (rest - r));
    }
    clavet_stores_of(w)[i].stretch = wide_sum(stretch);
}

static void adjust_range(int begin, int end, void *context) {
    const clavet_job *job = context;
    const link_set *springs = links_in(job->world, CLAVET_SPRINGS);
    for (int i = begin; i < end; i++) adjust(job, springs, i);
}

/* Line 14: whether a spring stays, or is removed. */
static bool stays(const link_set *springs, int link, void *context) {
    const clavet_job *job = context;
    const int32_t *ends = link_ends(springs, link);
    const clavet_law law = law_of(job, ends[0], ends[1]);
    return law.making != CLAVET_NONE &&
           LINK_VALUES(springs, CLAVET_SPRING_REST, float)[link] <= law.reach * job->world->support;
}

/* Lines 4 and 5: joins two particles by a spring, if their fluids have any. */
static void join(const clavet_job *job, const link_set *springs, int i, int32_t j, link_writer *writer) {
    const rill_world *w = job->world;
    const uint32_t *bound = FIELD_AS(w, CLAVET_FIELD_BOUND, uint32_t);
    const clavet_law law = law_of(job, i, j);
    if (law.making == CLAVET_NONE || (law.making == CLAVET_FIXED && bound[i] && bound[j])) return;
    const float length = vec_length(spring_vector(job, i, j));
    if (law.making == CLAVET_FIXED && !(length < law.reach * w->support)) return;
    const int link = rill_link_add(writer, (int32_t[]){i, j});
    if (link < 0) return;
    LINK_VALUES(springs, CLAVET_SPRING_REST, float)[link] = law.making == CLAVET_FIXED ? length : w->support;
}

/* Joins particle i with its neighbours that come later in memory, so that each pair is visited once. Neighbours and
   springs are both in memory order. */
static void join_all(const clavet_job *job, const link_set *springs, int i, link_writer *writer) {
    const lists *l = &sim_of(job->world)->lists;
    const int32_t *list = list_of(l, i);
    const int count = list_count(l, i);
    int link, end;
    links_owned(springs, i, &link, &end);
    for (int n = clavet_first_after(list, count, i); n < count; n++) {
        while (link < end && link_ends(springs, link)[1] < list[n]) link++;
        const int32_t *ends = link < end ? link_ends(springs, link) : NULL;
        if (!ends || ends[0] < 0 || ends[1] != list[n]) join(job, springs, i, list[n], writer);
    }
}

/* Joins particle i with its neighbours if some are behind a periodic face, where lists are in no order. */
static void join_images(const clavet_job *job, const link_set *springs, int i, link_writer *writer) {
    const lists *l = &sim_of(job->world)->lists;
    for (int n = 0; n < list_count(l, i); n++) {
        const int32_t j = halo_owner(job->world, list_of(l, i)[n]);
        if (j > i && links_find(springs, i, j) < 0) join(job, springs, i, j, writer);
    }
}

/* Joins particle i with the particles of a cell that are farther away than h. Two particles that both search, because
   neither is bound yet, are joined by the one that comes first in memory. */
static void join_cell(const clavet_job *job, const link_set *springs, int i, const int32_t cell[DIM],
                      link_writer *writer) {
    const rill_world *w = job->world;
    const grid *g = &sim_of(w)->grid;
    const int32_t *order = g->order.data;
    const uint32_t *bound = FIELD_AS(w, CLAVET_FIELD_BOUND, uint32_t);
    int begin, end;
    rill_grid_cell(g, cell, &begin, &end);
    for (int slot = begin; slot < end; slot++) {
        const int32_t point = sim_of(w)->halo.count > 0 ? order[slot] : slot, j = halo_owner(w, point);
        if (j == i || (!bound[j] && j < i)) continue;
        const vec d = vec_sub(places_of(w)[point].x, places_of(w)[i].x);
        if (law_of(job, i, j).making == CLAVET_FIXED && !(vec_dot(d, d) < w->support * w->support))
            join(job, springs, i, j, writer);
    }
}

/* Makes fixed springs longer than h, whose ends are not in each other's neighbour lists. */
static void join_far(const clavet_job *job, const link_set *springs, int i, link_writer *writer) {
    const grid *g = &sim_of(job->world)->grid;
    const int reach = (int)ceilf(clavet_matter_of(job, i)->reach), depth = DIM == 3 ? reach : 0;
    int32_t home[3] = {0}, cell[3] = {0};
    for (int axis = 0; axis < DIM; axis++) home[axis] = grid_coordinate(g, vec_get(places_of(job->world)[i].x, axis));
    for (int c = -depth; c <= depth; c++)
        for (int b = -reach; b <= reach; b++)
            for (int a = -reach; a <= reach; a++) {
                cell[0] = home[0] + a, cell[1] = home[1] + b, cell[2] = home[2] + c;
                join_cell(job, springs, i, cell, writer);
            }
}

static void join_range(int begin, int end, link_writer *writer, void *context) {
    const clavet_job *job = context;
    const link_set *springs = links_in(job->world, CLAVET_SPRINGS);
    const uint32_t *bound = FIELD_AS(job->world, CLAVET_FIELD_BOUND, uint32_t);
    for (int i = begin; i < end; i++) {
        const clavet_making making = clavet_matter_of(job, i)->making;
        if (making == CLAVET_NONE) continue;
        if (job->serial[i])
            join_images(job, springs, i, writer);
        else
            join_all(job, springs, i, writer);
        if (clavet_matter_of(job, i)->reach > 1.0f && !bound[i]) join_far(job, springs, i, writer);
    }
}

/* Marks particles whose fixed springs are made: this happens in one step only. */
static void bind_range(int begin, int end, void *context) {
    const clavet_job *job = context;
    uint32_t *bound = FIELD_AS(job->world, CLAVET_FIELD_BOUND, uint32_t);
    for (int i = begin; i < end; i++) bound[i] = clavet_matter_of(job, i)->making == CLAVET_FIXED;
}

/* ---- Algorithm 3 ---- */

/* Squared distance below which the coloured sweep may move both ends of a spring. It is the width of the cells of the
   colouring. */
static inline float near_distance2(const clavet_job *job) {
    const float reach = (float)clavet_reach_cells(job->derived) * job->world->support;
    return reach * reach;
}

static inline bool is_near(const clavet_job *job, const int32_t *ends) {
    const place *places = places_of(job->world);
    const quad d = clavet_way(&places[ends[0]], &places[ends[1]]);
    return clavet_dot(d, d) < near_distance2(job);
}

/* Values that a loop over springs reads for each spring. They are copied once, because the compiler cannot know that
   the stores of the loop do not change them. */
typedef struct spring_loop {
    const clavet_job *job;
    const int32_t *ends; /* two of each spring */
    const float *rests;
    place *shifts;
    const vec *velocities;
    float dt;
    float per_h, per_reach, part, brace, damping; /* of the springs of the first fluid */
    bool alone, uniform;
} spring_loop;

static inline spring_loop loop_over(const clavet_job *job, const link_set *springs) {
    return (spring_loop){.job = job,
                         .ends = link_all_ends(springs),
                         .rests = LINK_VALUES(springs, CLAVET_SPRING_REST, float),
                         .shifts = job->shifts,
                         .per_h = 1.0f / job->world->support,
                         .per_reach = 1.0f / (job->law.reach * job->world->support),
                         .part = job->law.part,
                         .brace = job->law.brace,
                         .damping = job->law.damping,
                         .velocities = velocities_of(job->world),
                         .dt = job->dt,
                         .alone = job->derived->alone,
                         .uniform = job->derived->uniform};
}

/* Share of its stretch by which a spring is shortened in a step. */
static inline float strength_of(const spring_loop *s, int i, int j, float rest) {
    const clavet_job *job = s->job;
    float part = s->part, brace = s->brace, per_reach = s->per_reach;
    if (!s->alone) {
        const clavet_matter *a = clavet_matter_of(job, i), *b = clavet_matter_of(job, j);
        part = job->ticks * job->ticks * stiffness_between(a, b);
        brace = fminf(a->brace, b->brace), per_reach = s->per_h / fminf(a->reach, b->reach);
    }
    if (brace == 0.0f) return part * (1.0f - rest * s->per_h);
    return part * (fmaxf(1.0f - rest * s->per_h, 0.0f) + brace * (1.0f - rest * per_reach));
}

/* Time of a spring's dashpot over dt: its resistance over strength_of. */
static inline float damping_of(const spring_loop *s, int i, int j) {
    if (s->alone) return s->damping;
    return mean(clavet_matter_of(s->job, i)->damping, clavet_matter_of(s->job, j)->damping) / s->job->ticks;
}

/* Moves both ends of a spring (Algorithm 3). `apart` is the vector between their predicted positions, without shifts. A
   spring never moves past its rest length. */
static inline void displace(const spring_loop *s, int link, quad apart) {
    const int32_t i = s->ends[2 * (size_t)link], j = s->ends[2 * (size_t)link + 1];
    float *first = &s->shifts[i].x.x, *second = &s->shifts[j].x.x;
    const quad moved = quad_load(first), other = quad_load(second), d = apart + (other - moved);
    const float rest = s->rests[link], r = sqrtf(clavet_dot(d, d));
    if (!(r > 0.0f)) return;
    const float strength = strength_of(s, i, j, rest);
    const float part = strength < 1.0f ? strength : 1.0f, share = s->uniform ? 0.5f : clavet_share(s->job, i, j);
    const quad by = (part * (rest / r - 1.0f)) * d;
    quad_store(first, moved - share * by);
    quad_store(second, other + (1.0f - share) * by);
}

/* The dashpot beside a spring takes back a share of the relative motion of both ends since the start of the step, along
   the line through them at that time. The share is that of an implicit step, so it never reverses the motion. */
static inline void damp(const spring_loop *s, int link, quad apart) {
    const int32_t i = s->ends[2 * (size_t)link], j = s->ends[2 * (size_t)link + 1];
    float *first = &s->shifts[i].x.x, *second = &s->shifts[j].x.x;
    const quad moved = quad_load(first), other = quad_load(second);
    const vec v = vec_sub(s->velocities[j], s->velocities[i]);
    quad drift = {0.0f};
    for (int axis = 0; axis < DIM; axis++) drift[axis] = s->dt * vec_get(v, axis);
    const quad d = apart - drift;
    const float r2 = clavet_dot(d, d), drag = strength_of(s, i, j, s->rests[link]) * damping_of(s, i, j);
    if (!(r2 > 0.0f)) return;
    const float share = s->uniform ? 0.5f : clavet_share(s->job, i, j);
    const quad by = (drag / (1.0f + drag) * clavet_dot(drift + (other - moved), d) / r2) * d;
    quad_store(first, moved + share * by);
    quad_store(second, other - (1.0f - share) * by);
}

/* The action of a sweep on each spring: displace or damp. */
typedef void spring_fn(const spring_loop *s, int link, quad apart);

/* Acts on one spring, the short way across periodic faces. */
static void act_across(const clavet_job *job, const link_set *springs, int link, spring_fn *act) {
    const int32_t *ends = link_ends(springs, link);
    const place apart = {.x = link_vector(job->world, ends[0], ends[1])};
    const spring_loop loop = loop_over(job, springs);
    act(&loop, link, quad_load(&apart.x.x));
}

/* Marks a spring of particle i that is left to act_far: bit n stands for the nth spring that the particle owns, the
   last bit for all others. */
#define FAR_BITS 64
static inline void note_far(const clavet_job *job, const link_set *springs, int i, int link) {
    int first, end;
    links_owned(springs, i, &first, &end);
    job->far[i] |= UINT64_C(1) << (link - first < FAR_BITS ? link - first : FAR_BITS - 1);
}

WIDE_FN void act_in_turn(const clavet_job *job, const link_set *springs, int begin, int end, spring_fn *act) {
    const place *places = places_of(job->world);
    const float near2 = near_distance2(job);
    const spring_loop loop = loop_over(job, springs);
    clavet_turns turns = {.count = 0};
    for (int i = begin; i < end; i++) {
        int link, stop;
        links_owned(springs, i, &link, &stop);
        if (!job->serial[i]) clavet_turns_add(&turns, i, link, stop);
    }
    for (; turns.count > 0; clavet_turns_close(&turns))
        for (int k = 0; k < turns.count; k++) {
            const int link = turns.at[k]++;
            const int32_t *ends = loop.ends + 2 * (size_t)link;
            const quad apart = clavet_way(&places[ends[0]], &places[ends[1]]);
            if (clavet_dot(apart, apart) < near2)
                act(&loop, link, apart);
            else
                note_far(job, springs, turns.particle[k], link);
        }
}

/* Acts on the springs that the particles [begin, end) own. `act` is constant at each call, so that it is inlined. */
WIDE_FN void act_on_rows(const clavet_job *job, int begin, int end, bool images, spring_fn *act) {
    const link_set *springs = links_in(job->world, CLAVET_SPRINGS);
    for (int i = begin; i < end; i++) job->far[i] = 0;
    for (int i = begin; i < end && !images; i += CLAVET_TURNS)
        act_in_turn(job, springs, i, end - i < CLAVET_TURNS ? end : i + CLAVET_TURNS, act);
    for (int i = begin; i < end && images; i++) {
        int link, stop;
        for (links_owned(springs, i, &link, &stop); link < stop; link++) act_across(job, springs, link, act);
    }
}

static void displace_rows(const clavet_job *job, int begin, int end, bool images) {
    act_on_rows(job, begin, end, images, displace);
}
static void damp_rows(const clavet_job *job, int begin, int end, bool images) {
    act_on_rows(job, begin, end, images, damp);
}

/* Acts on the springs that the coloured sweep has left out, one after the other: those longer than a cell, or across a
   periodic face. */
static void act_far(clavet_job *job, spring_fn *act) {
    const link_set *springs = links_in(job->world, CLAVET_SPRINGS);
    for (int i = 0; i < job->world->particles.count; i++) {
        int first, end;
        links_owned(springs, i, &first, &end);
        for (uint64_t left = job->far[i]; left > 0; left &= left - 1) {
            const int bit = __builtin_ctzll(left);
            if (bit < FAR_BITS - 1) act_across(job, springs, first + bit, act);
        }
        for (int link = first + FAR_BITS - 1; job->far[i] >> (FAR_BITS - 1) && link < end; link++)
            if (!is_near(job, link_ends(springs, link))) act_across(job, springs, link, act);
    }
}

rill_status rill_clavet_springs(clavet_job *job) {
    rill_world *w = job->world;
    const link_set *springs = links_in(w, CLAVET_SPRINGS);
    if (!job->derived->springy && springs->count == 0) return RILL_OK;
    const clavet_matter *first = &job->derived->matter[first_fluid(w) - POOL_ITEMS(w, fluid)];
    job->law = law_between(first, first, job->ticks);
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, adjust_range, job);
    TRY(world_change_links(w, CLAVET_SPRINGS, stays, join_range, job));
    rill_parallel_for(w->workers, w->particles.count, REDUCE_BLOCK, bind_range, job);
    const bool far = job->derived->reach > 1.0f;
    if (far && job->params->sweep == CLAVET_COLOURED)
        rill_colour_build(&job->far_colours, w, clavet_reach_cells(job->derived));
    colouring *colours = far ? &job->far_colours : &job->colours;
    if (job->derived->damped) {
        rill_clavet_sweep(job, colours, damp_rows);
        act_far(job, damp);
    }
    rill_clavet_sweep(job, colours, displace_rows);
    act_far(job, displace);
    return RILL_OK;
}

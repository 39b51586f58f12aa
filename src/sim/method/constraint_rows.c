/* SPDX-License-Identifier: MIT */
/* The rows of a constraint fluid, rebuilt in every step: densities and their Jacobians (Bodin et al., Eq. 21 to 24)
   with walls and bodies (Eq. 26 to 29), and SPOOK's targets (Eq. 15). */
#include "sim/method/constraint.h"
#include "sim/method/constraint_friction.h"

#include "sim/boundary/contact_body.h"
#include "sim/boundary/seam.h"

/* ---- memory ---- */

/* Number of runs that a worker takes at a time: about a thousand rows. */
#define RUN_GRAIN 64

static void ask(constraint_system *s, arena *a) {
    const sim *sim = sim_of(s->world);
    const int images = sim->halo.count, n = s->world->particles.capacity; /* grows with the particle arrays */
    const size_t contacts = contacts_room(s->world);
    const size_t groups = sim->lists.index.size / (sizeof(int32_t) * WIDE);
    ARENA_ASK(a, s->speeds, n + 1);
    ARENA_ASK(a, s->points, n);
    ARENA_ASK(a, s->rows, n);
    ARENA_ASK(a, s->groups, groups);
    if (images > 0) ARENA_ASK(a, s->owners, WIDE * groups);
    ARENA_ASK(a, s->walls, contacts);
    ARENA_ASK(a, s->sides, s->side_count);
    ARENA_ASK(a, s->serial, n);
    ARENA_ASK(a, s->serial_list, n);
    ARENA_ASK(a, s->starts, n / RUN_GRAIN + 2);
    rill_colour_ask(&s->colours, a, n);
    ARENA_ASK(a, s->gap, n);
    ARENA_ASK(a, s->volume, n);
    ARENA_ASK(a, s->share, n);
    ARENA_ASK(a, s->noise, n);
    ARENA_ASK(a, s->friction, WIDE * groups);
    ARENA_ASK(a, s->image, n);
    ARENA_ASK(a, s->change, n);
    ARENA_ASK(a, s->before, n);
    ARENA_ASK(a, s->direction, n);
    ARENA_ASK(a, s->path, n);
    ARENA_ASK(a, s->cg_residual, n);
    ARENA_ASK(a, s->cg_image, n);
    ARENA_ASK(a, s->cg_sum, n);
    ARENA_ASK(a, s->body_paths, s->world->bodies.count);
    ARENA_ASK(a, s->row_paths, s->bodies.count);
}

static int groups_of(const constraint_system *s, int i) {
    return WIDE_ROUND_UP(list_count(&sim_of(s->world)->lists, i)) / WIDE;
}

static double count_groups(int begin, int end, void *context) {
    int64_t groups = 0;
    for (int i = begin; i < end; i++) groups += groups_of(context, i);
    return (double)groups;
}

static double count_sides(int begin, int end, void *context) {
    const rill_world *w = ((const constraint_system *)context)->world;
    const wall_contact *items = sim_of(w)->contacts.items.data;
    int sides = 0;
    for (int k = begin; k < end; k++) sides += contact_body(w, &items[k]) >= 0;
    return sides;
}

static double count_run_groups(int begin, int end, void *context) {
    const constraint_system *s = context;
    double groups = 0;
    for (const colour_run *run = s->colours.runs + begin; run < s->colours.runs + end; run++)
        groups += count_groups(run->begin, run->end, context);
    return groups;
}

static void lay_rows(int begin, int end, void *context) {
    const constraint_system *s = context;
    uint32_t first = (uint32_t)s->starts[begin / RUN_GRAIN];
    for (const colour_run *run = s->colours.runs + begin; run < s->colours.runs + end; run++)
        for (int i = run->begin; i < run->end; i++) {
            s->rows[i].first = first;
            s->rows[i].count = list_count(&sim_of(s->world)->lists, i);
            first += (uint32_t)row_groups(&s->rows[i]);
        }
}

rill_status rill_constraint_layout(constraint_system *s) {
    rill_world *w = s->world;
    sim *sim = sim_of(w);
    const double groups = world_sum(w, count_groups, s);
    const int contacts = s->has_bodies ? sim->contacts.count : 0;
    s->side_count = (int)rill_reduce_sum(w->workers, contacts, REDUCE_BLOCK, count_sides, s);
    arena a = {0};
    ask(s, &a);
    if (groups > INT32_MAX || !rill_arena_give(&a, &w->memory, &sim->scratch))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the rows of %d particles", s->count);
    rill_colour_build(&s->colours, w, 1);
    /* Groups are stored in the order in which sweeps visit their rows, because they are most of what a sweep reads. */
    rill_reduce_starts(w->workers, s->colours.run_count, RUN_GRAIN, count_run_groups, s, s->starts);
    rill_parallel_for(w->workers, s->colours.run_count, RUN_GRAIN, lay_rows, s);
    return RILL_OK;
}

/* ---- walls that mirror the flow ---- */

/* Whether a wall mirrors the flow. Such a solid continues the fluid with the particle's own impulse, so that the wall's
   part of a row counts twice, and with the gradient of impulses, which divides the particle's inverse mass by 1 + M
   (docs/methods/constraint.md). Bodies in the solve do not mirror: their rows have normals only. */
static bool mirrors(const constraint_system *s, const wall_contact *c) {
    return s->derived->mirrors && !(s->has_bodies && contact_body(s->world, c) >= 0);
}

/* 1/(1 + M) of one wall, M along the wall; 1 if it does not mirror. */
static float mirror_gain(const constraint_system *s, const wall_contact *c) {
    const wall_integrals *map = &s->derived->forces.walls;
    return mirrors(s, c) ? 1.0f / (1.0f + contact_at(map, map->moment_tangent, c)) : 1.0f;
}

/* Loads velocities, and the inverse masses with which rows act on them. */
static void load_block(int begin, int end, void *context) {
    const constraint_system *s = context;
    for (int i = begin; i < end; i++) {
        float gain = 1.0f;
        int count = 0;
        const wall_contact *c = s->derived->mirrors ? contacts_of(&sim_of(s->world)->contacts, i, &count) : NULL;
        for (int k = 0; k < count; k++) gain *= mirror_gain(s, &c[k]);
        s->speeds[i] = (speed){.v = velocities_of(s->world)[i], .inverse_mass = gain * constraint_inverse_mass(s, i)};
    }
}

/* ---- sides: the blocks of bodies in rows ---- */

double rill_constraint_side_velocity(const constraint_system *s, const row_side *side) {
    const body *b = &POOL_ITEMS(s->world, body)[side->body];
    return dvec_dot(side->linear, dvec_load(b->v)) + dvec_dot(side->angular, dvec_load(b->w));
}

void rill_constraint_side_push(const constraint_system *s, const row_side *side, double impulse) {
    body *b = &POOL_ITEMS(s->world, body)[side->body];
    dvec_store(b->v, dvec_along(dvec_load(b->v), impulse, side->mass_linear));
    dvec_store(b->w, dvec_along(dvec_load(b->w), impulse, side->mass_angular));
}

/* n and p x n of Eq. 29, and both times the inverse mass. */
static row_side side_of(const rill_world *w, int index, vec x, const wall_contact *c) {
    const body *b = &POOL_ITEMS(w, body)[index];
    const vec touch = vec_along(x, -c->distance, c->normal);
    const dvec n = dvec_of(vec_out(c->normal)), arm = dvec_sub(dvec_of(vec_out(touch)), dvec_load(b->x));
    row_side side = {.body = index, .linear = n, .angular = dvec_cross(arm, n)};
    if (DIM == 2) side.angular.x = side.angular.y = 0;
    side.mass_linear = rill_body_mass_linear(w, b, side.linear);
    side.mass_angular = rill_body_mass_angular(w, b, side.angular);
    return side;
}

static double side_weight(const row_side *a, const row_side *b) {
    return dvec_dot(a->linear, b->mass_linear) + dvec_dot(a->angular, b->mass_angular);
}

static double count_serial(int begin, int end, void *context) {
    const constraint_system *s = context;
    int count = 0;
    for (int i = begin; i < end; i++) count += s->serial[i];
    return count;
}

static void list_serial(int begin, int end, void *context) {
    const constraint_system *s = context;
    int32_t *next = s->serial_list + s->starts[begin / REDUCE_BLOCK];
    for (int i = begin; i < end; i++)
        if (s->serial[i]) *next++ = i;
}

/* Lists the particles that one thread must sweep, and makes the sides of their contacts with bodies. The latter runs in
   one thread, because they are few. */
static void make_sides(constraint_system *s) {
    const rill_world *w = s->world;
    s->serial_count = 0;
    if (!s->has_bodies && !s->owners) return;
    s->serial_count = (int)rill_reduce_starts(w->workers, s->count, REDUCE_BLOCK, count_serial, s, s->starts);
    rill_parallel_for(w->workers, s->count, REDUCE_BLOCK, list_serial, s);
    int sides = 0;
    for (int n = 0; s->has_bodies && n < s->serial_count; n++) {
        const int i = s->serial_list[n];
        int count;
        const wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
        wall_row *walls = constraint_walls(s, i, &count);
        for (int k = 0; k < count; k++) {
            const int body = contact_body(w, &c[k]);
            if (body < 0) continue;
            walls[k].side = sides;
            s->sides[sides++] = side_of(w, body, places_of(w)[i].x, &c[k]);
        }
    }
}

/* ---- density rows ---- */

typedef struct row_sums {
    wide value;
    wide_vec own; /* minus the sum of the neighbours' blocks */
    wide speed;   /* sum of blocks times velocities */
    wide weight;  /* sum of |block|^2 / m_j */
} row_sums;

/* Finds the particles of the neighbours, some of which may be periodic images. */
static void find_owners(const constraint_system *s, int i, const row_group *g) {
    int32_t *owners = s->owners + (size_t)(g - s->groups) * WIDE;
    for (int n = 0; n < WIDE; n++) {
        owners[n] = halo_owner(s->world, g->index[n]);
        if (owners[n] != g->index[n]) s->serial[i] = true;
    }
}

/* Adds eight neighbours to the sums of row i: W for the density, V_j W'/r x_ij for their blocks (Eq. 23). */
WIDE_FN void add_group(const constraint_system *s, int i, const int32_t *list, int lanes, row_group *g,
                       row_sums *sums) {
    const rill_world *w = s->world;
    const kernel k = s->derived->kernel;
    wide_vec x;
    wide m;
    wide_gather_places(places_of(w), list, &x, &m);
    wide volume = m * s->derived->forces.inverse_rho0[0];
    if (w->fluids.count > 1)
        for (int n = 0; n < lanes; n++) volume[n] = m[n] * s->derived->forces.inverse_rho0[fluids_of(w)[list[n]]];
    x = wide_vec_sub(wide_vec_set(places_of(w)[i].x), x);
    const wide r2 = wide_vec_dot(x, x);
    const wide value = kernel_value(&k, r2), gradient = kernel_gradient(&k, r2);
    const pair_group pairs = {list, group_owners(s, g), lanes, m, r2, gradient};
    const wide_int used = wide_int_from(0) < lanes;
    const wide zero = wide_zero();
    sums->value = sums->value + wide_select(used, volume * value, zero);
    const wide slope = wide_select(used, volume * gradient, zero);
    for (int n = 0; n < WIDE; n++) g->index[n] = n < lanes ? list[n] : i;
    if (s->owners) find_owners(s, i, g);
    wide_vec v;
    wide inverse;
    wide_gather_speeds(s->speeds, pairs.owners, &v, &inverse);
    wide_vec block;
#define AXIS(c) block.c = slope * x.c;
    FOR_AXES(AXIS)
#undef AXIS
    sums->own = wide_vec_sub(sums->own, block);
    sums->speed = sums->speed + wide_vec_dot(block, v);
    sums->weight = sums->weight + wide_vec_dot(block, block) * inverse;
    wide_store(g->slope, slope);
    if (s->has_friction) constraint_friction(s, i, &pairs, s->friction + (size_t)(g - s->groups) * WIDE);
}

/* The part of a particle's wall load that this wall carries. It is subtracted, which leaves the rest to other walls. */
static float take_load(vec *load, vec normal) {
    const float pressed = fmaxf(vec_dot(*load, normal), 0.0f);
    *load = vec_along(*load, -pressed, normal);
    return pressed;
}

/* Largest cosine between directions that count as opposite. */
#define OPPOSITE (-0.7f)
/* Largest gap between two walls that catches particles, if it has no deep seam, over the room that one layer needs. */
#define CAUGHT_ROOM 1.1f

/* Largest gap between a body and another wall that catches particles [m]. It is the reach of a deep seam: if rows gave
   way over less, their pressure and that of the seam would both act in between. */
static float caught_room(const rill_world *w, const body *b) {
    const bool deep = w->body_margin == 0.0f && seams_may_be_deep(b);
    return deep ? DEEP_SEAM_REACH * w->def.spacing : CAUGHT_ROOM * 2.0f * w->wall_distance;
}

/* Whether a particle is caught in one or two layers under a body that lies on something. Its wall rows would carry the
   body for ever, like a pebble, though water would be pressed out of such a film. Therefore the body's row lets the
   body come down on the particle: its weight makes the layer too dense, which drives the particles out at the sides.
   Bodies with joints stay on what they catch: a flap that closed on it would be drawn off its hinge. */
static bool is_caught(const constraint_system *s, const wall_contact *c, int count, int k) {
    const rill_world *w = s->world;
    const vec gravity = vec_of(w->def.gravity);
    const int owner = s->has_bodies ? contact_body(w, &c[k]) : -1;
    if (owner < 0 || !(vec_dot(c[k].normal, gravity) > -OPPOSITE * vec_length(gravity))) return false;
    const float most = caught_room(w, &POOL_ITEMS(w, body)[owner]);
    for (int l = 0; l < count; l++)
        if (c[l].solid != c[k].solid && c[l].distance + c[k].distance < most &&
            vec_dot(c[l].normal, c[k].normal) < OPPOSITE)
            return !body_is_jointed(w, owner);
    return false;
}

/* Adds the walls' part to a density row, and makes the non-penetration rows. Returns what the motion of walls adds to
   J v. */
static float add_walls(const constraint_system *s, int i, float *gap, vec *own) {
    const rill_world *w = s->world;
    const wall_integrals *map = &s->derived->forces.walls;
    const float keep_off = w->wall_distance, inverse_mass = s->speeds[i].inverse_mass;
    float moving = 0.0f;
    int count;
    const wall_contact *c = contacts_of(&sim_of(w)->contacts, i, &count);
    wall_row *walls = constraint_walls(s, i, &count);
    const float counts = s->params->wall_density ? 1.0f : 0.0f;
    vec load = vec_scale(FIELD_AS(w, FIELD_WALL_LOAD, vec)[i], s->params->warm_start * (float)s->dt);
    *gap -= counts * wall_share(map, c, count);
    for (int k = 0; k < count; k++) {
        const float times = mirrors(s, &c[k]) ? 2.0f * counts : counts;
        const float slope = times * contact_at(map, map->gradient, &c[k]) * wall_uncovered(map, c, count, k);
        const float along = vec_dot(c[k].normal, c[k].velocity), room = c[k].distance - keep_off;
        *own = vec_along(*own, -slope, c[k].normal);
        moving += slope * along;
        /* Eq. 26: a particle farther away may close the gap within the step; one that is too near is pushed out with
           the relaxation time tau (Eq. 15). */
        const float speed = vec_dot(c[k].normal, s->speeds[i].v) - along;
        const float target = room > 0.0f ? -room / (float)s->dt : -s->relax * room + s->keep * fminf(speed, 0.0f);
        walls[k] = (wall_row){.slope = slope, .target = target + along, .side = -1};
        if (is_caught(s, c, count, k))
            walls[k].target = along - c[k].distance / (float)s->dt;
        else if (room < 0.5f * keep_off)
            walls[k].lambda = take_load(&load, c[k].normal);
        walls[k].inverse = 1.0f / (inverse_mass * (1.0f + WALL_SOFTNESS));
    }
    return moving;
}

static float epsilon_of(const constraint_system *s, float volume) {
    if (s->params->epsilon > 0.0f) return s->params->epsilon;
    return s->params->compression / (s->world->derived[CONSTRAINT_CHOSEN_PRESSURE] * volume);
}

/* Sets `serial` of particles that touch bodies (find_owners has set it for those that reach periodic images), and
   `alone` of those that touch nothing. */
static void find_serial(const constraint_system *s, int i) {
    int count;
    const wall_contact *c = contacts_of(&sim_of(s->world)->contacts, i, &count);
    for (int k = 0; s->has_bodies && k < count; k++) s->serial[i] |= contact_body(s->world, &c[k]) >= 0;
    s->rows[i].alone = count == 0 && !s->serial[i];
}

static void build_block(int begin, int end, void *context) {
    const constraint_system *s = context;
    const rill_world *w = s->world;
    const sim *sim = sim_of(w);
    const float self = kernel_value_at(&s->derived->kernel, 0.0f), dt = (float)s->dt;
    for (int i = begin; i < end; i++) {
        density_row *row = &s->rows[i];
        const int32_t *list = list_of(&sim->lists, i);
        const int count = list_count(&sim->lists, i);
        row_sums sums = {wide_zero(), wide_vec_zero(), wide_zero(), wide_zero()};
        s->serial[i] = false;
        for (int n = 0; n < count; n += WIDE)
            add_group(s, i, list + n, count - n < WIDE ? count - n : WIDE, &s->groups[row->first + (uint32_t)n / WIDE],
                      &sums);
        find_serial(s, i);
        const float volume = places_of(w)[i].m * s->derived->forces.inverse_rho0[fluids_of(w)[i]];
        float gap = s->derived->rest - volume * self - wide_sum(sums.value);
        const vec others = wide_vec_sum(sums.own); /* minus the sum of their blocks */
        row->own = others;
        const float moving = add_walls(s, i, &gap, &row->own);
        const float fluid = vec_dot(row->own, s->speeds[i].v) + wide_sum(sums.speed), speed = fluid + moving;
        /* J v with gravity. A velocity that all particles gain alike acts only through the walls' part of J_ii: the
           other blocks of a row sum to zero. */
        s->before[i] = fluid + vec_dot(vec_sub(row->own, others), s->fall);
        row->e = 4.0f * epsilon_of(s, volume) * s->keep / (dt * dt);
        /* Eq. 15 */
        row->target = -s->relax * gap + s->keep * speed;
        row->target -= moving;
        row->inverse = vec_dot(row->own, row->own) * s->speeds[i].inverse_mass + wide_sum(sums.weight) + row->e;
        row->lambda = s->params->warm_start * FIELD_AS(w, FIELD_LAST_PRESSURE, float)[i] * volume * dt;
        s->gap[i] = gap;
        s->volume[i] = volume;
    }
}

/* Adds bodies to the rows: to the diagonal their inverse mass, to the targets their velocity at the start. */
static void add_bodies(constraint_system *s) {
    for (int n = 0; n < s->serial_count; n++) {
        const int i = s->serial_list[n];
        int count;
        wall_row *walls = constraint_walls(s, i, &count);
        density_row *row = &s->rows[i];
        const wall_contact *c = contacts_of(&sim_of(s->world)->contacts, i, &count);
        for (int k = 0; k < count; k++) {
            if (walls[k].side < 0) continue;
            const row_side *side = &s->sides[walls[k].side];
            /* add_walls treated the body as a wall with prescribed motion */
            const float prescribed = vec_dot(c[k].normal, c[k].velocity);
            walls[k].target -= prescribed;
            row->target += walls[k].slope * prescribed;
            walls[k].inverse =
                1.0f / ((s->speeds[i].inverse_mass + (float)side_weight(side, side)) * (1.0f + WALL_SOFTNESS));
            for (int l = 0; l < count; l++)
                if (walls[l].side >= 0 && s->sides[walls[l].side].body == side->body)
                    row->inverse +=
                        walls[k].slope * walls[l].slope * (float)side_weight(side, &s->sides[walls[l].side]);
        }
    }
}

static void invert_block(int begin, int end, void *context) {
    const constraint_system *s = context;
    for (int i = begin; i < end; i++) s->rows[i].inverse = s->rows[i].inverse > 0.0f ? 1.0f / s->rows[i].inverse : 0.0f;
}

void rill_constraint_build(constraint_system *s) {
    const rill_world *w = s->world;
    const float damping = 1.0f + 4.0f * s->params->tau / (float)s->dt;
    rill_parallel_for(w->workers, s->count, REDUCE_BLOCK, load_block, s);
    s->keep = 1.0f / damping;
    s->relax = 4.0f * s->keep / (float)s->dt;
    rill_parallel_for(w->workers, s->count, REDUCE_BLOCK, build_block, s);
    make_sides(s);
    add_bodies(s);
    rill_parallel_for(w->workers, s->count, REDUCE_BLOCK, invert_block, s);
}

/* ---- impulses to velocities ---- */

typedef struct force_job {
    const constraint_system *system;
    const float *lambda;
} force_job;

static void share_block(int begin, int end, void *context) {
    const force_job *job = context;
    const constraint_system *s = job->system;
    for (int i = begin; i < end; i++) s->share[i] = job->lambda[i] / s->volume[i];
}

/* The impulse of all density rows on particle i (Eq. 25): by its block in its own row, and by those in the rows of its
   neighbours. The latter are -(V_i/V_j) times the neighbours' blocks in row i. */
static vec impulse_of_rows(const constraint_system *s, int i, float own_lambda) {
    const density_row *row = &s->rows[i];
    row_fetch(s, i);
    wide_vec sum = wide_vec_set((vec){0});
    for (uint32_t g = row->first; g < row->first + (uint32_t)row_groups(row); g++) {
        const int32_t *owners = group_owners(s, &s->groups[g]);
        wide lambda;
        for (int n = 0; n < WIDE; n++) lambda[n] = s->share[owners[n]];
        sum = wide_vec_along(sum, lambda, row_blocks(s, i, &s->groups[g]));
    }
    const vec others = vec_scale(wide_vec_sum(sum), -s->volume[i]);
    return vec_along(others, own_lambda, row->own);
}

/* The change of the velocity of particle i by all density rows. */
static inline vec gain_of_rows(const force_job *job, int i) {
    return vec_scale(impulse_of_rows(job->system, i, job->lambda[i]), job->system->speeds[i].inverse_mass);
}

static void force_block(int begin, int end, void *context) {
    const force_job *job = context;
    for (int i = begin; i < end; i++) job->system->direction[i].v = gain_of_rows(job, i);
}

static void push_block(int begin, int end, void *context) {
    const force_job *job = context;
    speed *speeds = job->system->speeds;
    for (int i = begin; i < end; i++) speeds[i].v = vec_add(speeds[i].v, gain_of_rows(job, i));
}

/* Runs a loop over particles that calls impulse_of_rows, which needs lambda/V of all rows. */
static void for_impulses(const constraint_system *s, const float *lambda, parallel_fn *fn) {
    force_job job = {s, lambda};
    rill_parallel_for(s->world->workers, s->count, REDUCE_BLOCK, share_block, &job);
    rill_parallel_for(s->world->workers, s->count, REDUCE_BLOCK, fn, &job);
}

void rill_constraint_force(const constraint_system *s, const float *lambda) {
    for_impulses(s, lambda, force_block);
}

static void lambda_block(int begin, int end, void *context) {
    const constraint_system *s = context;
    for (int i = begin; i < end; i++) s->before[i] = s->rows[i].lambda;
}

void rill_constraint_push(constraint_system *s, const float *lambda) {
    for_impulses(s, lambda, push_block);
    for (int n = 0; n < s->serial_count; n++) {
        const int i = s->serial_list[n];
        int count;
        const wall_row *walls = constraint_walls(s, i, &count);
        for (int k = 0; k < count; k++)
            if (walls[k].side >= 0)
                rill_constraint_side_push(s, &s->sides[walls[k].side], (double)walls[k].slope * (double)lambda[i]);
    }
}

/* Warm start of the wall rows. */
static void press_walls(int begin, int end, void *context) {
    const constraint_system *s = context;
    for (int i = begin; i < end; i++) {
        if (s->rows[i].alone) continue;
        int count;
        const wall_contact *c = contacts_of(&sim_of(s->world)->contacts, i, &count);
        const wall_row *walls = constraint_walls(s, i, &count);
        speed *own = &s->speeds[i];
        for (int k = 0; k < count; k++) own->v = vec_along(own->v, walls[k].lambda * own->inverse_mass, c[k].normal);
    }
}

static void press_bodies(const constraint_system *s) {
    for (int n = 0; n < s->serial_count; n++) {
        int count;
        const wall_row *walls = constraint_walls(s, s->serial_list[n], &count);
        for (int k = 0; k < count; k++)
            if (walls[k].side >= 0 && walls[k].lambda > 0.0f)
                rill_constraint_side_push(s, &s->sides[walls[k].side], -(double)walls[k].lambda);
    }
}

void rill_constraint_apply(constraint_system *s) {
    rill_parallel_for(s->world->workers, s->count, REDUCE_BLOCK, lambda_block, s);
    rill_constraint_push(s, s->before);
    rill_parallel_for(s->world->workers, s->count, REDUCE_BLOCK, press_walls, s);
    press_bodies(s);
}

/* At walls that mirror the flow a particle gets more than the impulses of its rows. Adds the difference to the forces
   of its walls, shared out by the gain of each. */
static void load_walls_block(int begin, int end, void *context) {
    const constraint_system *s = ((const force_job *)context)->system;
    const float inverse_dt = 1.0f / (float)s->dt;
    for (int i = begin; i < end; i++) {
        const float gain = s->speeds[i].inverse_mass * places_of(s->world)[i].m;
        if (!(gain > 1.0f)) continue;
        int count;
        wall_contact *c = contacts_of(&sim_of(s->world)->contacts, i, &count);
        const wall_row *walls = constraint_walls(s, i, &count);
        vec impulse = impulse_of_rows(s, i, s->rows[i].lambda);
        float gains = 0.0f;
        for (int k = 0; k < count; k++) {
            impulse = vec_along(impulse, walls[k].lambda, c[k].normal);
            gains += mirror_gain(s, &c[k]) - 1.0f;
        }
        for (int k = 0; k < count && gains > 0.0f; k++) {
            const float part = (gain - 1.0f) * (mirror_gain(s, &c[k]) - 1.0f) / gains;
            c[k].force = vec_along(c[k].force, part * inverse_dt, impulse);
        }
    }
}

void rill_constraint_load_walls(constraint_system *s) {
    rill_parallel_for(s->world->workers, s->count, REDUCE_BLOCK, lambda_block, s);
    for_impulses(s, s->before, load_walls_block);
}

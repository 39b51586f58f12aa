/* SPDX-License-Identifier: MIT */
/* The rows of a step as a kind of constraints (sim/solve/local_global.h): projections, what rows add to the matrix, and
   conjugate gradients over the particles that rows join, which are few beside those of a fluid. */
#include "sim/cloth/cloth.h"

#include "core/cg.h"
#include "core/error.h"

#include <string.h>

/* Residual at which conjugate gradients end, relative to the start of a round, and their iterations at most. The rounds
   themselves repeat what is left. */
#define GRADIENTS_TOLERANCE  1e-3
#define GRADIENTS_ITERATIONS 100
/* Rows or members that a worker takes at a time. */
#define GRAIN 512
/* Of a change that would cost more than it gains. */
#define HALVINGS 6
/* By which energies of the same state may differ, in floats. */
#define ENERGY_NOISE 1e-6
/* Residual of a round, over that of the round before, from which on rounds gain nothing: what floats can tell. */
#define STALLED 0.7
/* Residual of a round, over that of the first, at which rows have settled. */
#define SETTLED 1e-8
/* Stiffness of contacts in that of the inertia of what touches: penetration is p dx^2 / w, a few hundredths of dx. */
#define CONTACT_STIFFNESS 4.0f
#define WALL_STIFFNESS    10.0f
/* Penetration that a step takes back, in dx: what begins overlapped does not jump apart. */
#define PUSH_OUT 0.05f

/* ---- projections ---- */

static float gap_now(const cloth_job *job, const cloth_row *r, const cloth_pair *pair) {
    vec apart = {0};
    for (int k = 0; k < ROW_ENDS; k++) apart = vec_along(apart, r->share[k], job->x[r->end[k]]);
    return vec_dot(apart, pair->normal);
}

static bool is_permeable(const rill_world *w, const cloth_pair *pair) {
    const int32_t *ends;
    cloth_element(w, pair->element, &ends);
    return is_fluid(w, pair->point) && cloth_of(w, ends[0])->def.permeability > 0.0f;
}

/* One-sided: apart, or as far as the step may push; fluid that seeps is only slowed down. */
static void project_pair(const cloth_job *job, int row) {
    const rill_world *w = job->world;
    const cloth_pair *pair = &job->pair[job->row_pair[row - job->first_pair]];
    const cloth_row *r = &job->row[row];
    const float push = is_permeable(w, pair) ? 0.0f : PUSH_OUT * w->def.spacing;
    cloth_press *press = &job->press[row - job->first_pair];
    press->gap = gap_now(job, r, pair);
    press->missing = fmaxf(fminf(pair->apart, pair->gap + push) - press->gap, 0.0f);
    job->answer[row] = (cloth_answer){pair->normal, 0.0f, press->missing > 0.0f ? 1.0f : 0.0f};
    job->value[row] = vec_scale(pair->normal, (1.0f - press->share) * press->ahead + r->weight * press->missing);
}

static wall_contact *wall_of(const cloth_job *job, int row) {
    return (wall_contact *)sim_of(job->world)->contacts.items.data + job->row_pair[row - job->first_pair];
}

/* A wall keeps the particle off, and rubs as Coulomb's friction does. */
static void project_wall(const cloth_job *job, int row) {
    const rill_world *w = job->world;
    const wall_contact *c = wall_of(job, row);
    const cloth_row *r = &job->row[row];
    const int i = job->member[r->end[0]];
    const cloth *of = cloth_of(w, i);
    const vec shift = vec_sub(job->x[r->end[0]], places_of(w)[i].x);
    const float missing = 0.5f * cloth_thickness(w, of) - c->distance - vec_dot(shift, c->normal);
    job->value[row] = (vec){0}, job->answer[row] = (cloth_answer){.axis = c->normal};
    if (!(missing > 0.0f)) return;
    vec slip = vec_along(shift, job->dt, vec_sub(velocities_of(w)[i], c->velocity));
    slip = vec_along(slip, -vec_dot(slip, c->normal), c->normal);
    const float length = vec_length(slip), most = of->def.friction * missing;
    const vec rub = vec_scale(slip, length > most ? -most / length : -1.0f);
    job->value[row] = vec_scale(vec_along(rub, missing, c->normal), r->weight);
    job->answer[row].along = length > most ? 1.0f : 0.0f, job->answer[row].across = length > most ? 0.0f : 1.0f;
}

static void project_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int row = begin; row < end; row++) {
        if (row < job->first_pair)
            rill_cloth_project_row(job, row);
        else if (row < job->first_wall)
            project_pair(job, row);
        else
            project_wall(job, row);
    }
}

/* What a row pulls a fluid particle with that the frame is going to take a share of. */
static vec pull_on_fluid(const cloth_job *job, int row) {
    const cloth_press *press = &job->press[row - job->first_pair];
    const vec normal = job->pair[job->row_pair[row - job->first_pair]].normal;
    return vec_scale(normal, job->row[row].weight * press->missing / press->share);
}

static void pull_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) {
        vec sum = {0}, on_fluid = {0};
        for (int n = job->part_first[k]; n < job->part_first[k + 1]; n++) {
            const cloth_part part = job->part[n];
            sum = vec_along(sum, part.share, job->value[part.row]);
            if (k >= job->cloth_count) on_fluid = vec_along(on_fluid, part.share, pull_on_fluid(job, part.row));
        }
        vec *pull = &job->frame->pull[job->member[k]];
        job->pulled[k] = vec_scale(sum, job->inverse[k]);
        *pull = vec_along(*pull, job->inverse[k], k < job->cloth_count ? sum : on_fluid);
    }
}

static void look_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) job->x[k] = job->frame->at[job->member[k]].x;
}

/* Presses look ahead as fluid does. */
static void carry_presses(cloth_job *job) {
    for (int k = 0; k < job->first_wall - job->first_pair; k++) {
        cloth_press *p = &job->press[k];
        p->ahead = p->here + job->frame->carry * (p->here - p->before);
        if (!is_fluid(job->world, job->pair[job->row_pair[k]].point)) p->ahead = p->here;
        p->before = p->here;
    }
}

static void project(void *context) {
    cloth_job *job = context;
    parallel *workers = job->world->workers;
    carry_presses(job);
    rill_parallel_for(workers, job->member_count, GRAIN, look_block, job);
    rill_parallel_for(workers, job->row_count, GRAIN, project_block, job);
    rill_parallel_for(workers, job->member_count, GRAIN, pull_block, job);
}

/* ---- the matrix ---- */

/* The rows are solved for by `solve`: the diagonal of the others stays theirs, and decides the share that contacts
   have. */
static void weigh(void *context, float *diagonal) {
    cloth_job *job = context;
    for (int row = job->first_pair; row < job->first_wall; row++) {
        const cloth_pair *pair = &job->pair[job->row_pair[row - job->first_pair]];
        job->press[row - job->first_pair].share = 1.0f / diagonal[pair->point];
        job->row[row].weight = pair->weight / diagonal[pair->point];
    }
}

static vec direction_of(const cloth_job *job, int row) {
    const cloth_row *r = &job->row[row];
    vec sum = {0};
    for (int k = 0; k < ROW_ENDS; k++) sum = vec_along(sum, r->share[k], job->direction[r->end[k]]);
    return sum;
}

static vec answer_of(const cloth_answer *a, vec d) {
    return vec_along(vec_scale(d, a->across), a->along * vec_dot(a->axis, d), a->axis);
}

static void image_rows(int begin, int end, void *context) {
    const cloth_job *job = context;
    const int segments = links_in(job->world, CLOTH_SEGMENTS)->count;
    for (int row = begin; row < end; row++) {
        vec d = direction_of(job, row);
        if (!cloth_row_is_triangle(job, row)) {
            job->image_value[row] = vec_scale(answer_of(&job->answer[row], d), job->row[row].weight);
        } else if ((row - segments) % 2 == 0) {
            vec other = direction_of(job, row + 1);
            rill_cloth_answer_triangle(job, row, &d, &other);
            job->image_value[row] = vec_scale(d, job->row[row].weight);
            job->image_value[row + 1] = vec_scale(other, job->row[row].weight);
        }
    }
}

static vec image_of(const cloth_job *job, int k) {
    vec sum = {0};
    for (int n = job->part_first[k]; n < job->part_first[k + 1]; n++)
        sum = vec_along(sum, job->part[n].share, job->image_value[job->part[n].row]);
    return vec_scale(sum, job->inverse[k]);
}

/* For conjugate gradients over all particles, when these are asked for. */
static void couple(void *context, const place *direction, vec *image) {
    cloth_job *job = context;
    for (int k = 0; k < job->member_count; k++) job->direction[k] = direction[job->member[k]].x;
    rill_parallel_for(job->world->workers, job->row_count, GRAIN, image_rows, job);
    for (int k = 0; k < job->member_count; k++) {
        vec *to = &image[job->member[k]];
        *to = vec_add(*to, image_of(job, k));
    }
}

/* ---- preconditioning: each member's own part of the matrix, inverted ---- */

static vec unit(int axis) {
    vec e = {0};
    (&e.x)[axis] = 1.0f;
    return e;
}

/* What the nth part of member k adds to its block for a displacement e. The two rows of a triangle go together. */
static vec own_answer(const cloth_job *job, int k, const cloth_part *part, vec e) {
    const int row = part->row;
    const float weight = job->row[row].weight;
    if (!cloth_row_is_triangle(job, row))
        return vec_scale(answer_of(&job->answer[row], e), weight * part->share * part->share);
    const bool second = (row - links_in(job->world, CLOTH_SEGMENTS)->count) % 2 != 0;
    const cloth_row *other = &job->row[second ? row - 1 : row + 1];
    float share = 0.0f;
    for (int n = 0; n < 3; n++)
        if (other->end[n] == k && other->share[n] != 0.0f) share = other->share[n];
    if (second && share != 0.0f) return (vec){0}; /* the first row has both */
    vec d1 = vec_scale(e, second ? 0.0f : part->share), d2 = vec_scale(e, second ? part->share : share);
    rill_cloth_answer_triangle(job, second ? row - 1 : row, &d1, &d2);
    return vec_scale(second ? vec_scale(d2, part->share) : vec_along(vec_scale(d1, part->share), share, d2), weight);
}

static cloth_block inverse_of(const cloth_block *a) {
#if DIM == 2
    const vec *c = a->column;
    const float scale = 1.0f / (c[0].x * c[1].y - c[0].y * c[1].x);
    return (cloth_block){{{c[1].y * scale, -c[0].y * scale}, {-c[1].x * scale, c[0].x * scale}}};
#else
    const vec p = vec_cross(a->column[1], a->column[2]), q = vec_cross(a->column[2], a->column[0]),
              r = vec_cross(a->column[0], a->column[1]);
    const float scale = 1.0f / vec_dot(a->column[0], p);
    /* rows of the inverse, and columns, for it is symmetric */
    return (cloth_block){{vec_scale(p, scale), vec_scale(q, scale), vec_scale(r, scale)}};
#endif
}

static void precondition_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) {
        cloth_block own;
        for (int axis = 0; axis < DIM; axis++) {
            vec sum = {0};
            for (int n = job->part_first[k]; n < job->part_first[k + 1]; n++)
                sum = vec_add(sum, own_answer(job, k, &job->part[n], unit(axis)));
            own.column[axis] = vec_along(unit(axis), job->inverse[k], sum);
        }
        job->precondition[k] = inverse_of(&own);
    }
}

static vec preconditioned(const cloth_job *job, int k) {
    vec z = {0};
    for (int axis = 0; axis < DIM; axis++)
        z = vec_along(z, vec_get(job->residual[k], axis), job->precondition[k].column[axis]);
    return z;
}

/* ---- conjugate gradients over the members ---- */

static inline double mass_of(const cloth_job *job, int k) {
    return (double)places_of(job->world)[job->member[k]].m;
}

static double image_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    double sum = 0;
    for (int k = begin; k < end; k++) {
        job->image[k] = vec_add(image_of(job, k), job->direction[k]);
        sum += mass_of(job, k) * (double)vec_dot(job->image[k], job->direction[k]);
    }
    return sum;
}

static double image(void *context) {
    const cloth_job *job = context;
    rill_parallel_for(job->world->workers, job->row_count, GRAIN, image_rows, context);
    return rill_reduce_sum(job->world->workers, job->member_count, GRAIN, image_block, context);
}

static double advance_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    const float alpha = (float)job->alpha;
    double sum = 0;
    for (int k = begin; k < end; k++) {
        job->change[k] = vec_along(job->change[k], alpha, job->direction[k]);
        job->residual[k] = vec_along(job->residual[k], -alpha, job->image[k]);
        sum += mass_of(job, k) * (double)vec_dot(job->residual[k], preconditioned(job, k));
    }
    return sum;
}

static double advance(void *context, double alpha) {
    cloth_job *job = context;
    job->alpha = alpha;
    return rill_reduce_sum(job->world->workers, job->member_count, GRAIN, advance_block, job);
}

static void turn_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++)
        job->direction[k] = vec_along(preconditioned(job, k), (float)job->beta, job->direction[k]);
}

static void turn(void *context, double beta) {
    cloth_job *job = context;
    job->beta = beta;
    rill_parallel_for(job->world->workers, job->member_count, GRAIN, turn_block, job);
}

/* What the frame would move the member by alone, as the rows' part of the matrix has a diagonal of 1. */
static vec residual_at(const cloth_job *job, int k) {
    const int i = job->member[k];
    const vec r = vec_sub(job->frame->pull[i], job->frame->shifts[i].ahead);
    return vec_scale(r, 1.0f / job->frame->diagonal[i]);
}

static double start_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    double sum = 0;
    for (int k = begin; k < end; k++) {
        const vec r = residual_at(job, k);
        job->change[k] = (vec){0}, job->residual[k] = r;
        job->direction[k] = preconditioned(job, k);
        sum += mass_of(job, k) * (double)vec_dot(r, job->direction[k]);
    }
    return sum;
}

/* ---- how far a change goes ---- */

static double energy_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    double sum = 0;
    for (int row = begin; row < end; row++) {
        const float weight = job->row[row].weight;
        if (row >= job->first_pair && row < job->first_wall) {
            const cloth_press *p = &job->press[row - job->first_pair];
            sum +=
                0.5 * (double)(weight * p->missing * p->missing) -
                (double)((1.0f - p->share) * p->ahead * (p->gap - job->pair[job->row_pair[row - job->first_pair]].gap));
        } else if (weight > 0.0f)
            sum += 0.5 * (double)(vec_dot(job->value[row], job->value[row]) / weight);
    }
    return sum;
}

static double energy_of_rows(cloth_job *job) {
    return rill_reduce_sum(job->world->workers, job->row_count, GRAIN, energy_block, job);
}

static void try_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++)
        job->x[k] = vec_along(job->frame->at[job->member[k]].x, job->step, job->change[k]);
}

/* What inertia and the other kinds cost along the change, as the frame sees them: d^2/2 - r d times m/dt^2. */
static double rest_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    double sum = 0;
    for (int k = begin; k < end; k++) {
        if (!(job->inverse[k] > 0.0f)) continue;
        const vec d = vec_scale(job->change[k], job->step);
        const vec r = vec_sub(residual_at(job, k), job->pulled[k]);
        sum += (double)((0.5f * vec_dot(d, d) - vec_dot(r, d)) / job->inverse[k]);
    }
    return sum;
}

/* Halves the change until it costs no more than none (Nocedal and Wright 2006, section 3.1). */
static void choose_step(cloth_job *job) {
    parallel *workers = job->world->workers;
    const double before = energy_of_rows(job);
    job->step = 1.0f;
    for (int k = 0; k < HALVINGS; k++, job->step *= 0.5f) {
        rill_parallel_for(workers, job->member_count, GRAIN, try_block, job);
        rill_parallel_for(workers, job->row_count, GRAIN, project_block, job);
        const double rest = rill_reduce_sum(workers, job->member_count, GRAIN, rest_block, job);
        if (energy_of_rows(job) + rest <= before + ENERGY_NOISE * before) return;
    }
}

/* What contacts come to with the change: as the particles were moved, whatever the rows look like after it. */
static void end_presses(cloth_job *job) {
    for (int row = job->first_pair; row < job->first_wall; row++) {
        cloth_press *p = &job->press[row - job->first_pair];
        const cloth_row *r = &job->row[row];
        vec moved = {0};
        for (int k = 0; k < ROW_ENDS; k++) moved = vec_along(moved, r->share[k], job->change[r->end[k]]);
        const float closer = p->looked > 0.0f ? vec_dot(moved, job->answer[row].axis) : 0.0f;
        p->here = p->ahead + job->step * (r->weight * (p->looked - closer) - p->share * p->ahead);
    }
}

static void end_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) job->frame->change[job->member[k]] = vec_scale(job->change[k], job->step);
}

static int solve(void *context) {
    cloth_job *job = context;
    parallel *workers = job->world->workers;
    rill_parallel_for(workers, job->member_count, GRAIN, precondition_block, job);
    const double rz = rill_reduce_sum(workers, job->member_count, GRAIN, start_block, job);
    job->first_residual = fmax(job->first_residual, rz);
    job->stalled = rz > STALLED * job->last_residual;
    job->last_residual = rz;
    job->settled = rz <= SETTLED * job->first_residual;
    job->step = 1.0f;
    const cg c = {.context = job, .image = image, .advance = advance, .turn = turn};
    const double enough = GRADIENTS_TOLERANCE * GRADIENTS_TOLERANCE * rz;
    const int done = job->settled ? 0 : rill_cg_solve(&c, rz, enough, GRADIENTS_ITERATIONS);
    for (int k = 0; k < job->first_wall - job->first_pair; k++) job->press[k].looked = job->press[k].missing;
    if (done > 0) choose_step(job);
    end_presses(job);
    rill_parallel_for(workers, job->member_count, GRAIN, end_block, job);
    return done;
}

constraints rill_cloth_kind(cloth_job *job, local_global *frame) {
    job->frame = frame;
    return (constraints){.context = job, .project = project, .weigh = weigh, .couple = couple, .solve = solve};
}

/* ---- the rows of a step ---- */

static int elastic_count(const rill_world *w) {
    return links_in(w, CLOTH_SEGMENTS)->count + 2 * links_in(w, CLOTH_TRIANGLES)->count +
           links_in(w, CLOTH_HINGES)->count + links_in(w, CLOTH_CURVES)->count;
}

/* Contacts with walls of the particles of cloths: all of them, for any may come near in the rounds. */
static int wall_count(const rill_world *w) {
    const int32_t *first = sim_of(w)->contacts.first.data;
    return first[w->particles.count] - first[fluid_count(w)];
}

static void ask(cloth_job *job, arena *a) {
    const rill_world *w = job->world;
    const int points = w->particles.count, rows = elastic_count(w) + job->pair_count + wall_count(w);
    const int members = job->cloth_count + job->pair_count;
    ARENA_ASK(a, job->member, members);
    ARENA_ASK(a, job->local, points);
    ARENA_ASK(a, job->row, rows);
    ARENA_ASK(a, job->value, rows);
    ARENA_ASK(a, job->image_value, rows);
    ARENA_ASK(a, job->answer, rows);
#if DIM == 3
    ARENA_ASK(a, job->triangle, links_in(w, CLOTH_TRIANGLES)->count);
#endif
    ARENA_ASK(a, job->press, job->pair_count);
    ARENA_ASK(a, job->row_pair, job->pair_count + wall_count(w));
    ARENA_ASK(a, job->part, ROW_ENDS * (size_t)rows);
    ARENA_ASK(a, job->part_first, members + 1);
    ARENA_ASK(a, job->inverse, members);
    ARENA_ASK(a, job->diagonal, members);
    ARENA_ASK(a, job->precondition, members);
    ARENA_ASK(a, job->change, members);
    ARENA_ASK(a, job->direction, members);
    ARENA_ASK(a, job->residual, members);
    ARENA_ASK(a, job->image, members);
    ARENA_ASK(a, job->x, members);
    ARENA_ASK(a, job->pulled, members);
    ARENA_ASK(a, job->start, job->cloth_count);
}

static void list_members(cloth_job *job) {
    const rill_world *w = job->world;
    memset(job->local, 0, sizeof *job->local * (size_t)w->particles.count);
    job->member_count = 0;
    for (int k = 0; k < job->cloth_count; k++) {
        const int i = job->cloth_begin + k;
        job->start[k] = vec_along(places_of(w)[i].x, -job->dt, velocities_of(w)[i]);
        job->member[job->member_count++] = i;
        job->local[job->cloth_begin + k] = job->member_count;
    }
    for (int k = 0; k < job->pair_count; k++) {
        const int32_t i = job->pair[k].point;
        if (!job->pair[k].acts || job->local[i] > 0) continue;
        job->member[job->member_count++] = i;
        job->local[i] = job->member_count;
    }
}

/* Darcy's law for the area of one particle: force over speed is mu t dx^(d-1) / k, over a step of dt. */
static float pair_weight(const cloth_job *job, const cloth_pair *pair) {
    const rill_world *w = job->world;
    const float hard = CONTACT_STIFFNESS * places_of(w)[pair->point].m / (job->dt * job->dt);
    if (!is_permeable(w, pair)) return hard;
    const int32_t *ends;
    cloth_element(w, pair->element, &ends);
    const cloth *c = cloth_of(w, ends[0]);
    const float mu = POOL_ITEMS(w, fluid)[fluids_of(w)[pair->point]].def.viscosity;
    const float area = dim_power(w->def.spacing) / w->def.spacing;
    return fminf(hard, mu * cloth_thickness(w, c) * area / (c->def.permeability * job->dt));
}

static void add_pair_rows(cloth_job *job) {
    const rill_world *w = job->world;
    job->first_pair = job->row_count;
    for (int k = 0; k < job->pair_count; k++) {
        const cloth_pair *pair = &job->pair[k];
        if (!pair->acts) continue;
        const int32_t *ends;
        const int count = cloth_element(w, pair->element, &ends);
        job->pair[k].weight = pair_weight(job, pair);
        job->press[job->row_count - job->first_pair] = (cloth_press){.share = 1.0f};
        cloth_row r = {.weight = pair->weight};
        r.end[0] = job->local[pair->point] - 1, r.share[0] = 1.0f;
        for (int c = 0; c < 3; c++) {
            r.end[1 + c] = ends[c < count ? c : 0] - job->cloth_begin;
            r.share[1 + c] = c < count ? -pair->share[c] : 0.0f;
        }
        job->row_pair[job->row_count - job->first_pair] = k;
        job->row[job->row_count++] = r;
    }
}

static void add_wall_rows(cloth_job *job) {
    const rill_world *w = job->world;
    const contacts *all = &sim_of(w)->contacts;
    const int32_t *first = all->first.data;
    job->first_wall = job->row_count;
    for (int k = 0; k < job->cloth_count; k++) {
        const int i = job->cloth_begin + k;
        if (cloth_pins(w)[i] > 0) continue;
        for (int n = first[i]; n < first[i + 1]; n++) {
            /* as stiff as what pulls the particle from the other side */
            const float weight = (WALL_STIFFNESS + job->diagonal[k]) * places_of(w)[i].m / (job->dt * job->dt);
            job->row_pair[job->row_count - job->first_pair] = n;
            job->row[job->row_count++] = (cloth_row){.end = {k, k, k, k}, .share = {1.0f}, .weight = weight};
        }
    }
}

/* Parts of all rows, member by member. */
static void list_parts(cloth_job *job) {
    int32_t *first = job->part_first;
    memset(first, 0, sizeof *first * (size_t)(job->member_count + 1));
    for (int row = 0; row < job->row_count; row++)
        for (int k = 0; k < ROW_ENDS; k++) first[job->row[row].end[k] + 1] += job->row[row].share[k] != 0.0f;
    for (int k = 0; k < job->member_count; k++) first[k + 1] += first[k];
    for (int row = 0; row < job->row_count; row++)
        for (int k = 0; k < ROW_ENDS; k++) {
            const cloth_row *r = &job->row[row];
            if (r->share[k] != 0.0f) job->part[first[r->end[k]]++] = (cloth_part){row, r->share[k]};
        }
    for (int k = job->member_count; k > 0; k--) first[k] = first[k - 1];
    first[0] = 0;
}

static void add_diagonals(cloth_job *job, int begin) {
    for (int row = begin; row < job->row_count; row++) {
        const cloth_row *r = &job->row[row];
        for (int k = 0; k < ROW_ENDS; k++)
            job->diagonal[r->end[k]] += job->inverse[r->end[k]] * r->weight * r->share[k] * r->share[k];
    }
}

static void set_masses(cloth_job *job) {
    const rill_world *w = job->world;
    for (int k = 0; k < job->member_count; k++) {
        const int i = job->member[k];
        const bool held = cloth_pins(w)[i] > 0;
        job->inverse[k] = held ? 0.0f : job->dt * job->dt / places_of(w)[i].m;
        job->diagonal[k] = 0.0f;
    }
}

static void make_rows(cloth_job *job) {
    list_members(job);
    set_masses(job);
    job->row_count = rill_cloth_elastic_rows(job);
    add_diagonals(job, 0);
    const int elastic = job->row_count;
    add_pair_rows(job);
    add_wall_rows(job);
    add_diagonals(job, elastic);
    list_parts(job);
}

rill_status rill_cloth_begin(rill_world *w, double dt) {
    sim *s = sim_of(w);
    if (!world_has_cloth(w)) return RILL_OK;
    TRY(rill_cloth_tear(w, dt));
    rill_cloth_blow(w, dt);
    if (!rill_buffer_reserve(&w->memory, &s->cloth_step, sizeof(cloth_job), 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for a step of cloth");
    cloth_job *job = s->cloth_step.data;
    *job = (cloth_job){.world = w, .dt = (float)dt, .cloth_begin = fluid_count(w)};
    job->cloth_count = w->particles.count - job->cloth_begin;
    TRY(rill_cloth_find_pairs(job));
    arena a = {0};
    ask(job, &a);
    if (!rill_arena_give(&a, &w->memory, &s->cloth))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the rows of %d particles of cloth", job->cloth_count);
    make_rows(job);
    return RILL_OK;
}

/* ---- what follows ---- */

static void arrive_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) {
        const int i = job->member[k];
        job->x[k] = vec_add(places_of(job->world)[i].x, job->frame->shifts[i].here);
    }
}

/* The frame leaves contacts at the distances of the end; rows count from those of the beginning. */
static void shift_walls(cloth_job *job, float sign) {
    for (int row = job->first_wall; row < job->row_count; row++) {
        wall_contact *c = wall_of(job, row);
        c->distance += sign * vec_dot(job->frame->shifts[job->member[job->row[row].end[0]]].here, c->normal);
    }
}

void rill_cloth_finish(rill_world *w, cloth_job *job) {
    /* forces are those of where the rounds ended */
    shift_walls(job, -1.0f);
    rill_parallel_for(w->workers, job->member_count, GRAIN, arrive_block, job);
    rill_parallel_for(w->workers, job->row_count, GRAIN, project_block, job);
    for (int row = job->first_pair; row < job->first_wall; row++)
        job->value[row] =
            vec_scale(job->pair[job->row_pair[row - job->first_pair]].normal, job->press[row - job->first_pair].here);
    for (int row = job->first_wall; row < job->row_count; row++) wall_of(job, row)->force = job->value[row];
    shift_walls(job, 1.0f);
    rill_cloth_pull_pins(w, job);
}

void rill_cloth_settle(rill_world *w, cloth_job *job) {
    for (int k = 0; k < job->cloth_count; k++) {
        const int i = job->cloth_begin + k;
        const float damping = cloth_of(w, i)->def.damping;
        if (damping > 0.0f && cloth_pins(w)[i] == 0)
            velocities_of(w)[i] = vec_scale(velocities_of(w)[i], 1.0f / (1.0f + damping * job->dt));
        densities_of(w)[i] = pressures_of(w)[i] = 0.0f;
    }
}

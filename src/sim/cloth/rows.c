/* SPDX-License-Identifier: MIT */
/* The rows of a step. Members are the particles that rows join: all of a cloth, and fluid particles that touch one.
   Parts of rows are listed by member (list_parts), so that one thread adds up each member's sum in a fixed order, and
   results do not depend on threads. In units of its inertia m/dt^2 a member's equation is
     x - s + dt^2/m sum D^T w (D x - p) = 0,
   and a pinned member has the inverse mass 0. */
#include "sim/cloth/cloth.h"

#include "core/error.h"

#include <string.h>

/* ---- the rows of a step ---- */

static int elastic_count(const rill_world *w) {
    return links_in(w, CLOTH_SEGMENTS)->count + 2 * links_in(w, CLOTH_TRIANGLES)->count +
           links_in(w, CLOTH_HINGES)->count + links_in(w, CLOTH_CURVES)->count;
}

/* Number of contacts of cloth particles with walls. All get a row, for any may come near in the rounds. */
static int wall_count(const rill_world *w) {
    const int32_t *first = sim_of(w)->contacts.first.data;
    return first[w->particles.count] - first[fluid_count(w)];
}

/* Asks for arrays by upper bounds that are known before anything is listed: every pair may add one fluid particle,
   every row has four ends. The arena only grows, so a steady state allocates nothing although pairs change. */
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
    ARENA_ASK(a, job->elastic_end, job->cloth_count);
    ARENA_ASK(a, job->part_block, ROW_ENDS * ROW_ENDS * (size_t)rows);
    ARENA_ASK(a, job->block_first, job->cloth_count + 1);
    ARENA_ASK(a, job->latest, job->cloth_count);
    ARENA_ASK(a, job->column, rill_cloth_blocks_most(w));
    ARENA_ASK(a, job->block, rill_cloth_blocks_most(w));
    ARENA_ASK(a, job->inverse, members);
    ARENA_ASK(a, job->diagonal, members);
    ARENA_ASK(a, job->precondition, members);
    ARENA_ASK(a, job->change, members);
    ARENA_ASK(a, job->direction, members);
    ARENA_ASK(a, job->residual, members);
    ARENA_ASK(a, job->image, members);
    ARENA_ASK(a, job->x, members);
    ARENA_ASK(a, job->from, members);
    ARENA_ASK(a, job->load, members);
    ARENA_ASK(a, job->pulled, members);
    ARENA_ASK(a, job->start, job->cloth_count);
}

/* Lists the members: cloth first, in the order of the arrays, so that a subtraction turns a particle into a member;
   then fluid in the order of its pairs. */
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

/* Lists the parts of all rows by member: counted, summed up to where each member's parts begin, and written in the
   order of rows. Each member thus adds up its rows in the same order in every run. */
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

/* Adds the diagonal of dt^2/m sum D^T w D. */
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

/* Makes all rows. Elastic rows come first, because walls take their stiffness from them: a wall under a taut sheet must
   be as stiff as the sheet. */
static void make_rows(cloth_job *job) {
    list_members(job);
    set_masses(job);
    job->row_count = rill_cloth_elastic_rows(job);
    add_diagonals(job, 0);
    const int elastic = job->row_count;
    rill_cloth_pair_rows(job);
    rill_cloth_wall_rows(job);
    add_diagonals(job, elastic);
    list_parts(job);
    rill_cloth_list_blocks(job);
}

rill_status rill_cloth_begin(rill_world *w, double dt) {
    sim *s = sim_of(w);
    if (!world_has_cloth(w)) return RILL_OK;
    FOR_ALIVE(w, pin, p) p->impulse[0] = p->impulse[1] = p->impulse[2] = 0;
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

/* ---- the pull of rows ---- */

/* The displacement of member k by all rows. Positions of fluid already include the contact forces of earlier rounds, so
   only their change counts there. */
vec rill_cloth_gain(const cloth_job *job, int k) {
    vec sum = {0}, on_fluid = {0};
    for (int n = job->part_first[k]; n < job->part_first[k + 1]; n++) {
        const cloth_part part = job->part[n];
        sum = vec_along(sum, part.share, job->value[part.row]);
        if (k >= job->cloth_count) on_fluid = vec_along(on_fluid, part.share, rill_cloth_pull_on_fluid(job, part.row));
    }
    job->pulled[k] = vec_scale(sum, job->inverse[k]);
    return vec_scale(k < job->cloth_count ? sum : on_fluid, job->inverse[k]);
}

/* ---- the end of a step ---- */

/* Shifts the distances of wall contacts between the beginning and the end of the step: they are left at its end, while
   rows count from its beginning. */
static void shift_walls(cloth_job *job, float sign) {
    for (int row = job->first_wall; row < job->row_count; row++) {
        wall_contact *c = rill_cloth_wall_of(job, row);
        const int k = job->row[row].end[0];
        c->distance += sign * vec_dot(vec_sub(job->x[k], places_of(job->world)[job->member[k]].x), c->normal);
    }
}

void rill_cloth_finish(rill_world *w, cloth_job *job) {
    shift_walls(job, -1.0f);
    rill_cloth_project(job);
    for (int row = job->first_pair; row < job->first_wall; row++)
        job->value[row] =
            vec_scale(job->pair[job->row_pair[row - job->first_pair]].normal, job->press[row - job->first_pair].here);
    for (int row = job->first_wall; row < job->row_count; row++) rill_cloth_wall_of(job, row)->force = job->value[row];
    shift_walls(job, 1.0f);
    rill_cloth_pull_pins(w, job);
}

/* Damps velocities as air at rest would. Implicit, so that it never reverses a velocity. Cloth has no density. */
void rill_cloth_settle(rill_world *w, cloth_job *job) {
    for (int k = 0; k < job->cloth_count; k++) {
        const int i = job->cloth_begin + k;
        const float damping = cloth_of(w, i)->def.damping;
        if (damping > 0.0f && cloth_pins(w)[i] == 0)
            velocities_of(w)[i] = vec_scale(velocities_of(w)[i], 1.0f / (1.0f + damping * job->dt));
        densities_of(w)[i] = pressures_of(w)[i] = 0.0f;
    }
}

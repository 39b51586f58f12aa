/* SPDX-License-Identifier: MIT */
/* Rows of contacts: points that keep off the pieces of cloths, and particles of cloths that keep off walls. The row of
   a point and a piece is the point minus the weighted corners of the piece, so that its force moves both and conserves
   momentum. Contact forces are one-sided and act only along the normal; walls add Coulomb friction. With permeability
   the same row is Darcy's drag instead of a stop: its weight is a friction coefficient over dt, and it acts in both
   directions. */
#include "sim/cloth/cloth.h"

/* Stiffness of contacts, in units of the particle's m/dt^2. The penetration p dx^2 / w is a few hundredths of dx. */
#define CONTACT_STIFFNESS 4.0f
#define WALL_STIFFNESS    10.0f
/* Most penetration that a step removes, in dx, so that points that overlap at first do not jump apart. */
#define PUSH_OUT 0.05f

static const cloth_pair *pair_of(const cloth_job *job, int row) {
    return &job->pair[job->row_pair[row - job->first_pair]];
}

/* ---- points and pieces ---- */

/* The weight of a pair's row. If permeable, Darcy's law for the area of one particle: force over speed is mu t dx^(d-1)
   / k, over a step of dt. */
static float pair_weight(const cloth_job *job, const cloth_pair *pair) {
    const rill_world *w = job->world;
    const float hard = CONTACT_STIFFNESS * places_of(w)[pair->point].m / (job->dt * job->dt);
    if (!pair->permeable) return hard;
    const int32_t *ends;
    cloth_element(w, pair->element, &ends);
    const cloth *c = cloth_of(w, ends[0]);
    const float mu = POOL_ITEMS(w, fluid)[fluids_of(w)[pair->point]].def.viscosity;
    const float area = dim_power(w->def.spacing) / w->def.spacing;
    return fminf(hard, mu * cloth_thickness(w, c) * area / (c->def.permeability * job->dt));
}

void rill_cloth_pair_rows(cloth_job *job) {
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

/* Projects a pair: to the distance that they keep, but no farther than the step may push. A contact force that fluid
   keeps whole may be reduced again, down to 0. Seeping fluid is slowed down on its way to the piece and away from it.
   With `held` the contact force is a constant load. */
void rill_cloth_project_pair(const cloth_job *job, int row) {
    const rill_world *w = job->world;
    const cloth_pair *pair = pair_of(job, row);
    const cloth_row *r = &job->row[row];
    const float target = pair->permeable ? pair->gap : fminf(pair->apart, pair->gap + PUSH_OUT * w->def.spacing);
    cloth_press *press = &job->press[row - job->first_pair];
    press->gap = vec_dot(row_image(job, row), pair->normal);
    if (job->held) {
        job->answer[row] = (cloth_answer){.axis = pair->normal};
        job->value[row] = vec_scale(pair->normal, press->here);
        return;
    }
    const float least = pair->permeable ? -INFINITY : press->share > 0.0f ? 0.0f : -press->ahead / r->weight;
    press->missing = fmaxf(target - press->gap, least);
    press->acts = press->missing > least;
    job->answer[row] = (cloth_answer){pair->normal, 0.0f, press->acts ? 1.0f : 0.0f};
    job->value[row] = vec_scale(pair->normal, (1.0f - press->share) * press->ahead + r->weight * press->missing);
}

/* The pull of a pair on its fluid particle, less the share of the contact force that a round forgets. */
vec rill_cloth_pull_on_fluid(const cloth_job *job, int row) {
    const cloth_press *p = &job->press[row - job->first_pair];
    return vec_scale(pair_of(job, row)->normal, job->row[row].weight * p->missing - p->share * p->ahead);
}

double rill_cloth_pair_energy(const cloth_job *job, int row) {
    const cloth_press *p = &job->press[row - job->first_pair];
    if (job->held) return -(double)(p->here * (p->gap - pair_of(job, row)->gap));
    const double stretched = 0.5 * (double)(job->row[row].weight * p->missing * p->missing);
    if (!(p->share > 0.0f)) return stretched + (double)(p->ahead * p->missing);
    return stretched - (double)((1.0f - p->share) * p->ahead * (p->gap - pair_of(job, row)->gap));
}

/* ---- contact forces ---- */

void rill_cloth_carry_presses(cloth_job *job, float carry) {
    for (int k = 0; k < job->first_wall - job->first_pair; k++) {
        cloth_press *p = &job->press[k];
        p->ahead = p->here + carry * (p->here - p->before);
        if (!is_fluid(job->world, job->pair[job->row_pair[k]].point)) p->ahead = p->here;
        p->before = p->here;
    }
}

void rill_cloth_look_presses(cloth_job *job) {
    for (int k = 0; k < job->first_wall - job->first_pair; k++) {
        job->press[k].looked = job->press[k].missing;
        job->press[k].acted = job->press[k].acts;
    }
}

/* Updates contact forces by how the particles moved in the round, not by the rows at its end. */
void rill_cloth_end_presses(cloth_job *job) {
    for (int row = job->first_pair; row < job->first_wall; row++) {
        cloth_press *p = &job->press[row - job->first_pair];
        const cloth_row *r = &job->row[row];
        vec moved = {0};
        for (int k = 0; k < ROW_ENDS; k++) moved = vec_along(moved, r->share[k], job->change[r->end[k]]);
        const float closer = p->acted ? vec_dot(moved, job->answer[row].axis) : 0.0f;
        p->here = p->ahead + job->step * (r->weight * (p->looked - closer) - p->share * p->ahead);
    }
}

/* The displacement of fluid member k by its contacts: the sum of the forces that `of` takes from each. */
static vec sum_presses(const cloth_job *job, int k, float (*of)(const cloth_press *p)) {
    vec sum = {0};
    for (int n = job->part_first[k]; n < job->part_first[k + 1]; n++) {
        const int row = job->part[n].row;
        sum = vec_along(sum, job->part[n].share * of(&job->press[row - job->first_pair]), pair_of(job, row)->normal);
    }
    return vec_scale(sum, job->inverse[k]);
}

static float changed(const cloth_press *p) {
    return p->here - p->ahead;
}
vec rill_cloth_push_on_fluid(const cloth_job *job, int k) {
    return sum_presses(job, k, changed);
}

static float forgotten(const cloth_press *p) {
    return p->share * p->ahead;
}
vec rill_cloth_forgotten(const cloth_job *job, int k) {
    return sum_presses(job, k, forgotten);
}

/* ---- walls ---- */

void rill_cloth_wall_rows(cloth_job *job) {
    const rill_world *w = job->world;
    const contacts *all = &sim_of(w)->contacts;
    const int32_t *first = all->first.data;
    job->first_wall = job->row_count;
    for (int k = 0; k < job->cloth_count; k++) {
        const int i = job->cloth_begin + k;
        if (cloth_pins(w)[i] > 0) continue;
        for (int n = first[i]; n < first[i + 1]; n++) {
            /* as stiff as the rows that pull the particle */
            const float weight = (WALL_STIFFNESS + job->diagonal[k]) * places_of(w)[i].m / (job->dt * job->dt);
            job->row_pair[job->row_count - job->first_pair] = n;
            job->row[job->row_count++] = (cloth_row){.end = {k, k, k, k}, .share = {1.0f}, .weight = weight};
        }
    }
}

wall_contact *rill_cloth_wall_of(const cloth_job *job, int row) {
    return (wall_contact *)sim_of(job->world)->contacts.items.data + job->row_pair[row - job->first_pair];
}

/* Projects a wall's row: keeps the particle off the wall, with Coulomb friction. */
void rill_cloth_project_wall(const cloth_job *job, int row) {
    const rill_world *w = job->world;
    const wall_contact *c = rill_cloth_wall_of(job, row);
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
    const vec friction_shift = vec_scale(slip, length > most ? -most / length : -1.0f);
    job->value[row] = vec_scale(vec_along(friction_shift, missing, c->normal), r->weight);
    job->answer[row].along = length > most ? 1.0f : 0.0f, job->answer[row].across = length > most ? 0.0f : 1.0f;
}

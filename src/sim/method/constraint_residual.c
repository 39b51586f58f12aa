/* SPDX-License-Identifier: MIT */
/* The residual of all rows at the present velocities and impulses. The sum that a sweep measures on its way is another
   number: it meets each row before solving it, and later rows disturb it again. */
#include "sim/method/constraint.h"

typedef struct residual_job {
    constraint_system *system;
    bool from_nothing;
} residual_job;

enum { SUM_DENSITY, SUM_WALLS };

float rill_constraint_body_speed(const constraint_system *s, int i) {
    int count;
    const wall_row *walls = constraint_walls(s, i, &count);
    double sum = 0;
    for (int k = 0; k < count; k++)
        if (walls[k].side >= 0)
            sum += (double)walls[k].slope * rill_constraint_side_velocity(s, &s->sides[walls[k].side]);
    return (float)sum;
}

/* Residual of one row [J]: change^2 times its J M^-1 J^T + e. */
static double energy(float change, float inverse) {
    return inverse > 0.0f ? (double)change * (double)change / (double)inverse : 0;
}

/* Whether `before` holds J v of all rows (rill_constraint_build): before any impulse, if there is no surface tension,
   which differs from particle to particle. */
static bool knows_speeds(const residual_job *job) {
    return job->from_nothing && !job->system->tension;
}

/* J v of row i without bodies. */
static float fluid_speed(const residual_job *job, int i) {
    return knows_speeds(job) ? job->system->before[i] : row_speed(job->system, job->system->speeds, i);
}

static double density_lacks(const residual_job *job, int i) {
    const constraint_system *s = job->system;
    const density_row *row = &s->rows[i];
    const float lambda = job->from_nothing ? 0.0f : row->lambda;
    const float bodies = s->serial[i] ? rill_constraint_body_speed(s, i) : 0.0f;
    float change = (row->target - row->e * lambda - fluid_speed(job, i) - bodies) * row->inverse;
    if (!s->params->equality && change < -lambda) change = -lambda;
    return energy(change, row->inverse);
}

static double walls_lack(const residual_job *job, int i) {
    const constraint_system *s = job->system;
    int count;
    const wall_contact *c = contacts_of(&sim_of(s->world)->contacts, i, &count);
    const wall_row *walls = constraint_walls(s, i, &count);
    double sum = 0;
    for (int k = 0; k < count; k++) {
        const double body = walls[k].side >= 0 ? rill_constraint_side_velocity(s, &s->sides[walls[k].side]) : 0;
        const float velocity = vec_dot(c[k].normal, s->speeds[i].v) - (float)body;
        const float lambda = job->from_nothing ? 0.0f : walls[k].lambda;
        const float change = wall_free_lambda(&walls[k], lambda, velocity) - lambda;
        sum += energy(change < -lambda ? -lambda : change, walls[k].inverse);
    }
    return sum;
}

static totals sum_block(int begin, int end, void *context) {
    const residual_job *job = context;
    const bool reads_groups = !knows_speeds(job);
    totals t = {0};
    for (int i = begin; i < end; i++) {
        if (reads_groups) row_fetch(job->system, i);
        t.sum[SUM_DENSITY] += density_lacks(job, i);
        if (!job->system->rows[i].alone) t.sum[SUM_WALLS] += walls_lack(job, i);
    }
    return t;
}

residual_groups rill_constraint_residual(constraint_system *s, bool from_nothing) {
    residual_job job = {s, from_nothing};
    const totals fluid = world_totals(s->world, sum_block, &job);
    const rows *bodies = &s->bodies;
    return (residual_groups){.density = fluid.sum[SUM_DENSITY],
                             .walls = fluid.sum[SUM_WALLS],
                             .contacts = rill_rows_residual(bodies, bodies->joint_count, bodies->count, from_nothing),
                             .joints = rill_rows_residual(bodies, 0, bodies->joint_count, from_nothing)};
}

/* SPDX-License-Identifier: MIT */
/* Nozzles in the rounds of Projective Fluids. The particles of a jet that are still in their nozzle go where the nozzle
   sends them, whatever presses on them: they have no part in the global step, and the fluid in front of them gives way.
   Put back after the rounds instead, they would press into fluid that has taken their place: up to 1.1 % within a
   support of the nozzle, which no error of the rounds could show.
   Water that has come back into a nozzle is not its jet. The jet pushes it out as a wall would. */
#include "rigid/rigid.h"
#include "sim/force/field.h"
#include "sim/method/projective.h"

/* Diagonal of a particle that does not give way. Finite, for a product with no pull at all must be none. */
#define FIRM 1e30f
/* How much a particle of the jet may differ from its velocity, in its speed: by rounding, for a nozzle left it with
   exactly that; where the nozzle rides on a body, by what the body has turned and gained since. */
#define OFF_COURSE        1e-3f
#define OFF_COURSE_RIDING 0.1f

static bool is_of_jet(const rill_world *w, const held_particle *held, vec gain) {
    const vec off = vec_sub(vec_sub(velocities_of(w)[held->index], gain), held->v);
    const float most = held->body.index1 > 0 ? OFF_COURSE_RIDING : OFF_COURSE;
    return vec_dot(off, off) <= most * most * vec_dot(held->v, held->v);
}

/* Moves what the step predicts for a particle, and with it what its contacts know. */
static void send(rill_world *w, const held_particle *held, double dt) {
    place *p = &places_of(w)[held->index];
    const vec goal = vec_along(held->x, (float)dt, held->v), moved = vec_sub(goal, p->x);
    int count;
    wall_contact *c = contacts_of(&sim_of(w)->contacts, held->index, &count);
    for (int k = 0; k < count; k++) c[k].distance += vec_dot(moved, c[k].normal);
    p->x = goal;
    velocities_of(w)[held->index] = held->v;
}

void rill_projective_send_jets(rill_world *w, double dt) {
    sim *s = sim_of(w);
    held_particle *held = s->held.data;
    const vec gain = vec_scale(field_acceleration(w), (float)dt);
    int kept = 0;
    for (int k = 0; k < s->held_count; k++) {
        if (!is_of_jet(w, &held[k], gain)) continue;
        held[kept] = held[k];
        send(w, &held[kept++], dt);
    }
    s->held_count = kept;
}

/* Notes what the constraints before this kind pull at the jets, round by round: the last is what acted. */
static void project(void *context) {
    const projective_job *job = context;
    const sim *s = sim_of(job->world);
    const held_particle *held = s->held.data;
    for (int k = 0; k < s->held_count; k++) job->jet_pull[k] = job->frame.pull[held[k].index];
}

static void weigh(void *context, float *diagonal) {
    const projective_job *job = context;
    const sim *s = sim_of(job->world);
    const held_particle *held = s->held.data;
    for (int k = 0; k < s->held_count; k++) diagonal[held[k].index] = FIRM;
}

constraints rill_projective_nozzle_kind(projective_job *job) {
    return (constraints){.context = job, .project = project, .weigh = weigh};
}

/* A body under a nozzle takes the pressure on its jet, m/dt^2 times the pull; the work against that pressure is energy
   given to the fluid. What pulls the jet along is pressure that the nozzle made, and takes none back (energy.c). */
void rill_projective_pay_jets(const projective_job *job) {
    rill_world *w = job->world;
    const sim *s = sim_of(w);
    const held_particle *held = s->held.data;
    for (int k = 0; k < s->held_count; k++) {
        const place *p = &places_of(w)[held[k].index];
        const vec impulse = vec_scale(job->jet_pull[k], p->m / job->frame.dt);
        w->energy.given += fmax(-(double)vec_dot(impulse, held[k].v), 0);
        if (held[k].body.index1 > 0) rill_rigid_push(w, held[k].body, vec_out(impulse), vec_out(p->x));
    }
}

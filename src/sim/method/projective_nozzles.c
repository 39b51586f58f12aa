/* SPDX-License-Identifier: MIT */
/* Nozzles in the rounds of Projective Fluids. Particles of a jet that are still in their nozzle move as the nozzle
   prescribes, against any pressure: the global step does not move them, and the fluid in front of them gives way. If
   they were put back after the rounds instead, they would press into fluid that has taken their place. That is a
   compression of up to 1.1 % within a support of the nozzle, which the errors of the rounds do not show.
   Water that flows back into a nozzle is not part of its jet. The jet pushes it out like a wall. */
#include "rigid/rigid.h"
#include "sim/force/field.h"
#include "sim/method/projective.h"

/* Diagonal of a particle that does not move. It is finite, so that its product with a pull of zero is zero. */
#define FIRM 1e30f
/* Largest difference between the velocity of a particle and that of its jet, over the jet's speed. A fixed nozzle set
   exactly that velocity in the last step, and the difference is rounding; a nozzle on a body has turned and gained
   speed since. */
#define OFF_COURSE        1e-3f
#define OFF_COURSE_RIDING 0.1f

static bool is_of_jet(const rill_world *w, const held_particle *held, vec gain) {
    const vec off = vec_sub(vec_sub(velocities_of(w)[held->index], gain), held->v);
    const float most = held->body.index1 > 0 ? OFF_COURSE_RIDING : OFF_COURSE;
    return vec_dot(off, off) <= most * most * vec_dot(held->v, held->v);
}

/* Replaces the predicted position of a particle by that of its jet, and corrects the distances of its contacts. */
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

/* Records the pull of the density constraints, a kind that comes before this one, on the jets. The record of the last
   round remains. */
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

/* A body under a nozzle takes the force of pressure on its jet, m/dt^2 times the pull. Work of the jet against this
   force is energy given to the fluid. A force along the jet stems from pressure that the nozzle has made, and takes no
   energy back (energy.c). */
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

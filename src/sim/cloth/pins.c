/* SPDX-License-Identifier: MIT */
/* Pins hold particles of a cloth, which then move with the pin. A pinned particle has no inverse mass, so that rows do
   not move it. The sum of its rows, its weight and the wind is the force on the pin, which gauges read and which acts
   on the pin's body at that place. */
#include "sim/cloth/cloth.h"

#include "core/dvec.h"
#include "rigid/body.h"
#include "rigid/rigid.h"
#include "sim/force/field.h"
#include "solid/motion.h"

static vec vec_of_dvec(dvec a) {
    return vec_of((rill_vec){(float)a.x, (float)a.y, (float)a.z});
}

/* Where a pin will hold its particle at the end of a step of dt. */
static vec goal_of(const rill_world *w, const pin *p, vec anchor, double dt) {
    const rill_vec at = vec_out(anchor);
    const body *b = POOL_GET(w, body, p->def.body);
    if (b) {
        const dvec arm = rill_body_turn(b, dvec_sub(dvec_of(at), dvec_load(b->start)));
        const dvec now = dvec_add(dvec_load(b->x), arm);
        return vec_of_dvec(dvec_add(now, dvec_scale(rill_body_velocity_at(b, now), dt)));
    }
    const pose *q = &p->pose;
    rill_vec goal;
    for (int k = 0; k < 3; k++) {
        (&goal.x)[k] = (&q->pivot.x)[k] + (&q->offset.x)[k];
        for (int c = 0; c < 3; c++) (&goal.x)[k] += q->turn[k][c] * ((&at.x)[c] - (&q->pivot.x)[c]);
    }
    return vec_of(goal);
}

/* Moves pinned particles to their goals, with the velocities that take them there instead of gravity's: contacts and
   fluid see them move as their pin does. */
void rill_cloth_predict(rill_world *w, double dt) {
    if (w->pins.living_count == 0) return;
    FOR_ALIVE(w, pin, p) rill_motion_at(&p->def.motion, DIM, w->stats.time + dt, &p->pose);
    const uint32_t *pins = cloth_pins(w);
    for (int i = 0; i < w->particles.count; i++) {
        if (pins[i] == 0) continue;
        place *x = &places_of(w)[i];
        vec *v = &velocities_of(w)[i];
        const vec from = vec_along(x->x, -(float)dt, *v);
        x->x = goal_of(w, &POOL_ITEMS(w, pin)[pins[i] - 1], cloth_anchors(w)[i], dt);
        *v = vec_scale(vec_sub(x->x, from), 1.0f / (float)dt);
    }
}

void rill_cloth_pull_pin(rill_world *w, int i, vec force, float dt) {
    pin *p = &POOL_ITEMS(w, pin)[cloth_pins(w)[i] - 1];
    const rill_vec impulse = vec_out(vec_scale(force, dt));
    for (int axis = 0; axis < 3; axis++) p->impulse[axis] += (double)(&impulse.x)[axis];
    rill_rigid_push(w, p->def.body, impulse, vec_out(places_of(w)[i].x));
}

/* Adds to pins the pull of rows on their particles, and the particles' weight. */
void rill_cloth_pull_pins(rill_world *w, cloth_job *job) {
    const uint32_t *pins = cloth_pins(w);
    const vec gravity = field_acceleration(w);
    for (int k = 0; k < job->cloth_count; k++) {
        const int i = job->cloth_begin + k;
        if (pins[i] == 0) continue;
        vec force = vec_scale(gravity, places_of(w)[i].m);
        for (int n = job->part_first[k]; n < job->part_first[k + 1]; n++)
            force = vec_along(force, job->part[n].share, job->value[job->part[n].row]);
        rill_cloth_pull_pin(w, i, force, job->dt);
    }
}

/* Speed of the fastest stretching waves, sqrt(stretch/mass) [m/s]. */
double rill_cloth_speed(const rill_world *w) {
    double most = 0;
    FOR_ALIVE(w, cloth, c) most = fmax(most, sqrt((double)c->def.stretch / (double)c->def.mass));
    return most;
}

bool rill_cloth_adds_energy(const rill_world *w) {
    FOR_ALIVE(w, cloth, c) if (c->def.drag > 0.0f) return true;
    return w->pins.living_count > 0;
}

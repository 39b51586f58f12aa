/* SPDX-License-Identifier: MIT */
/* The bodies' part of a step:
     impulses of the fluid, which walls have collected for each surface, act on the bodies (receive);
     joints and contacts become rows, with the velocities before forces act, as SPOOK's target requires;
     forces act: gravity, those of the host, and water in seams;
     rows are solved, starting from the impulses of the last step (warm start), and bodies follow their velocities.
   A step in which a body rotates by more than TURN_MAX is cut into substeps: rows are linear, rotations are not. A
   method that solves for bodies itself (constraint) calls start and finish around its own sweeps instead of step. */
#include "rigid/rigid.h"

#include "rigid/body.h"
#include "rigid/contacts.h"
#include "rigid/events.h"
#include "rigid/host.h"
#include "rigid/joints.h"
#include "rigid/owed.h"
#include "rigid/sleep.h"
#include "solid/solids.h"

#include <string.h>

/* Sweeps end when the largest change of velocity is below this [m/s]. */
#define TOLERANCE 1e-7
/* Largest rotation of a body in one substep [rad], and most substeps. */
#define TURN_MAX     0.2
#define SUBSTEPS_MAX 16

void rill_rigid_call_begin(rill_world *w) {
    FOR_ALIVE(w, body, b) {
        memset(b->fluid_impulse, 0, sizeof b->fluid_impulse);
        memset(b->fluid_moment, 0, sizeof b->fluid_moment);
        b->wetting = (rill_wetting){.wet = b->wetting.wet};
    }
    rill_host_begin_step(w);
    rill_events_call_begin(w);
    if (w->hold > 0) rill_rigid_hold_forces(w, w->hold);
    w->in_call = true;
    w->call_time = 0;
}

void rill_rigid_no_step(rill_world *w) {
    FOR_ALIVE(w, body, b) b->wetting = (rill_wetting){.wet = b->wetting.wet, .particles = b->wetting.particles};
    rill_host_begin_step(w);
    rill_events_call_begin(w);
}

void rill_rigid_call_end(rill_world *w) {
    FOR_ALIVE(w, body, b) {
        memset(b->force, 0, sizeof b->force);
        memset(b->torque, 0, sizeof b->torque);
    }
    w->in_call = false;
}

void rill_rigid_begin(rill_world *w, double dt) {
    FOR_ALIVE(w, body, b) rill_sleep_expect(w, b, dt);
}

/* Impulse and moment of the fluid about the centre of mass. A surface collects the moment about the centre of its pose,
   which for a kinematic body is not the centre of mass. */
static void received(const rill_world *w, const body *b, dvec *push, dvec *twist) {
    const solid *s = &POOL_ITEMS(w, solid)[b->solid];
    const dvec turns_about = dvec_add(dvec_of(s->pose.pivot), dvec_of(s->pose.offset));
    *push = dvec_load(s->push), *twist = dvec_load(s->twist);
    if (b->def.kind == RILL_BODY_KINEMATIC)
        *twist = dvec_sub(*twist, dvec_cross(dvec_sub(dvec_load(b->x), turns_about), *push));
}

/* Whether the body sleeps through an impulse of the fluid, which its support then takes. Otherwise wakes it. */
static bool sleeps_on(rill_world *w, body *b, dvec push, dvec twist) {
    if (rill_sleep_takes_impulse(w, b, push, twist)) return true;
    if (b->asleep) rill_sleep_wake(w, b);
    return false;
}

static void add_to(double sum[3], dvec more) {
    dvec_store(sum, dvec_add(dvec_load(sum), more));
}

/* Adds what a body received from the fluid to its report, and resets what its surface collected. */
static void account(rill_world *w, body *b, dvec push, dvec twist) {
    solid *s = &POOL_ITEMS(w, solid)[b->solid];
    add_to(b->fluid_impulse, push);
    add_to(b->fluid_moment, twist);
    memset(s->push, 0, sizeof s->push);
    memset(s->twist, 0, sizeof s->twist);
}

/* `dt` = 0: impulses after the bodies' step. Light bodies then keep them for the next step (owed.c). */
static void receive(rill_world *w, double dt) {
    FOR_ALIVE(w, body, b) {
        dvec push, twist;
        received(w, b, &push, &twist);
        if (!sleeps_on(w, b, push, twist)) {
            if (dt > 0)
                rill_owed_pay(w, b, dt, &push, &twist);
            else
                rill_owed_put_off(b, &push, &twist);
            add_to(b->v, rill_body_mass_linear(w, b, push));
            add_to(b->w, rill_body_mass_angular(w, b, twist));
        }
        account(w, b, push, twist);
    }
}

void rill_rigid_receive(rill_world *w, double dt) {
    receive(w, dt);
}

void rill_rigid_collided(rill_world *w) {
    receive(w, 0);
}

void rill_rigid_solved(rill_world *w) {
    FOR_ALIVE(w, body, b) {
        dvec push, twist;
        received(w, b, &push, &twist);
        sleeps_on(w, b, push, twist);
        account(w, b, push, twist);
    }
}

void rill_rigid_push(rill_world *w, rill_body_id id, rill_vec impulse, rill_vec point) {
    body *b = POOL_GET(w, body, id);
    if (!b) return;
    const dvec push = dvec_of(impulse), twist = dvec_cross(dvec_sub(dvec_of(point), dvec_load(b->x)), push);
    rill_sleep_wake(w, b);
    add_to(b->v, rill_body_mass_linear(w, b, push));
    add_to(b->w, rill_body_mass_angular(w, b, twist));
    add_to(b->fluid_impulse, push);
    add_to(b->fluid_moment, twist);
}

void rill_rigid_hold_forces(rill_world *w, double duration) {
    FOR_ALIVE(w, body, b) {
        dvec_store(b->push, dvec_along(dvec_load(b->push), duration, dvec_load(b->force)));
        dvec_store(b->twist, dvec_along(dvec_load(b->twist), duration, dvec_load(b->torque)));
        memset(b->force, 0, sizeof b->force);
        memset(b->torque, 0, sizeof b->torque);
    }
}

/* The share of a held impulse that acts in this step. Forces of the host in calls of advance are held as an impulse,
   force times duration, and given out evenly over the steps of the call. */
static dvec give(double held[3], double share) {
    const dvec all = dvec_load(held), part = share < 1 ? dvec_scale(all, share) : all;
    dvec_store(held, dvec_sub(all, part));
    return part;
}

/* v += dt M^-1 f: gravity, forces of the host, and water in seams. */
static void apply_forces(rill_world *w, double dt) {
    const double share = dt < w->push_time * (1 - 1e-9) ? dt / w->push_time : 1;
    w->push_time = fmax(w->push_time - dt, 0);
    FOR_ALIVE(w, body, b) {
        const dvec seam_push = dvec_scale(dvec_load(b->seam_now), dt),
                   seam_twist = dvec_scale(dvec_load(b->seam_now + 3), dt);
        add_to(b->fluid_impulse, seam_push); /* the force of a seam counts as the fluid's */
        add_to(b->fluid_moment, seam_twist);
        if (b->inverse_mass > 0 && !b->asleep) {
            const dvec push = dvec_add(dvec_along(give(b->push, share), dt, dvec_load(b->force)), seam_push);
            const dvec twist = dvec_add(dvec_along(give(b->twist, share), dt, dvec_load(b->torque)), seam_twist);
            dvec v = dvec_load(b->v), spin = dvec_load(b->w);
            rill_host_fall(w, b, dt, &v, &spin);
            v = dvec_add(v, rill_body_mass_linear(w, b, push));
            spin = dvec_add(spin, rill_body_mass_angular(w, b, twist));
            dvec_store(b->v, dvec_scale(v, 1 / (1 + dt * (double)b->def.linear_damping)));
            dvec_store(b->w, dvec_scale(spin, 1 / (1 + dt * (double)b->def.angular_damping)));
        }
    }
}

rill_status rill_rigid_place(rill_world *w, double time) {
    FOR_ALIVE(w, body, b) rill_body_place(w, b, time);
    return solid_operations_of(w)->place(w, time);
}

double rill_rigid_max_dt(const rill_world *w) {
    double fastest = 0;
    FOR_ALIVE(w, body, b) fastest = fmax(fastest, dvec_length(dvec_load(b->w)));
    return fastest > 0 ? TURN_MAX / fastest : HUGE_VAL;
}

/* Number of substeps of dt such that no body rotates by more than TURN_MAX in one. */
static int substeps(const rill_world *w, double dt) {
    const double wanted = ceil(dt / rill_rigid_max_dt(w));
    return wanted < 1 ? 1 : wanted > SUBSTEPS_MAX ? SUBSTEPS_MAX : (int)wanted;
}

static rows rows_of(rill_world *w, double dt) {
    return (rows){.world = w,
                  .items = w->rigid_rows.data,
                  .count = w->rigid_row_count,
                  .capacity = (int)(w->rigid_rows.size / sizeof(row)),
                  .dt = dt};
}

static rill_status make_rows(rill_world *w, double dt, rows *r) {
    w->rigid_row_count = 0;
    *r = rows_of(w, dt);
    /* Rows are made before forces act: SPOOK's target contains the velocity at the start of the step. */
    rill_status status = rill_joints_add_rows(w, r);
    r->joint_count = r->count;
    if (status == RILL_OK) status = rill_contacts_add_rows(w, r);
    if (status != RILL_OK) return status;
    w->rigid_row_count = r->count;
    apply_forces(w, dt);
    return RILL_OK;
}

/* Keeps the impulses for the next warm start, and moves the bodies with their velocities. */
static rill_status follow(rill_world *w, rows *r, double dt) {
    rill_rows_remember(r);
    TRY(rill_contacts_remember(w, r));
    FOR_ALIVE(w, body, b) if ((b->inverse_mass > 0 || b->host.moves) && !b->asleep) rill_body_move(b, dt);
    rill_joints_finish(w, r);
    return RILL_OK;
}

static rill_status step_once(rill_world *w, double dt) {
    rows r;
    TRY(make_rows(w, dt, &r));
    rill_rows_warm_start(&r);
    rill_rows_solve(&r, w->def.body_sweeps, TOLERANCE);
    w->stats.body_iterations += r.iterations;
    return follow(w, &r, dt);
}

rill_status rill_rigid_reserve(rill_world *w, double dt) {
    if (w->bodies.count == 0) return RILL_OK;
    return rill_contacts_reserve(w, dt, substeps(w, dt)) && rill_sleep_reserve(w)
               ? RILL_OK
               : rill_fail(&w->error, RILL_MEMORY, "no memory for %d bodies", w->bodies.count);
}

static rill_status end_step(rill_world *w, double dt) {
    rill_sleep_end(w, dt);
    FOR_ALIVE(w, body, b) w->stats.bodies_asleep += b->asleep;
    return rill_events_end(w, dt);
}

rill_status rill_rigid_step(rill_world *w, double dt) {
    w->stats.body_iterations = w->stats.bodies_asleep = 0;
    if (w->bodies.count == 0) return RILL_OK;
    rill_sleep_begin(w);
    rill_events_begin(w);
    const int count = substeps(w, dt);
    for (int k = 0; k < count; k++) {
        rill_status status = k > 0 ? rill_rigid_place(w, w->stats.time - dt + k * dt / count) : RILL_OK;
        if (status == RILL_OK) status = rill_contacts_wake(w, dt / count);
        if (status == RILL_OK) status = step_once(w, dt / count);
        if (status != RILL_OK) return status;
    }
    return end_step(w, dt);
}

rill_status rill_rigid_start(rill_world *w, double dt, rows *r) {
    w->stats.body_iterations = w->stats.bodies_asleep = 0;
    *r = (rows){.world = w, .dt = dt};
    w->rigid_row_count = 0;
    if (w->bodies.count == 0) return RILL_OK;
    rill_status status = rill_rigid_reserve(w, dt);
    if (status != RILL_OK) return status;
    rill_sleep_begin(w);
    rill_events_begin(w);
    status = rill_contacts_wake(w, dt);
    return status == RILL_OK ? make_rows(w, dt, r) : status;
}

rill_status rill_rigid_finish(rill_world *w, double dt) {
    if (w->bodies.count == 0) return RILL_OK;
    rows r = rows_of(w, dt);
    TRY(follow(w, &r, dt));
    return end_step(w, dt);
}

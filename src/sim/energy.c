/* SPDX-License-Identifier: MIT */
/* Fluid may lose energy, to viscosity and to the method, but must not gain any by itself. In every substep the change
   of its kinetic energy is compared with the work of gravity, of moving walls and bodies, and of nozzles:

       balance += dT + dU - W,   W = g . P dt - sum over solids (J . v + L . w) + nozzles

   P is the mean momentum of the substep, J and L are the impulse and moment of the fluid on each solid, v and w the
   solid's velocities, and U is the energy that compression stores. Motors, joints, timelines and hosts act on solids,
   and so are part of that sum. Losses make the balance fall. Its rise above its least value is a gain without a source.
   The gain is measured against the energy in play: the greatest value so far of kinetic energy, and potential energy
   above the lowest particle, with the surface energy of fluids with surface tension.

   In worlds that go on after a failure, a runaway takes an unknown energy along, which may be infinite. The balance
   starts anew after such a substep. */
#include "sim/energy.h"

#include "core/dvec.h"
#include "sim/method/method.h"

#include <string.h>

/* Gains as shares of the energy in play: one is reported, the other counts as a blow-up. Weakly compressible fluids
   gain a few hundredths from the elasticity of their compression. */
#define GAIN_TOLD  0.1
#define GAIN_FAILS 1.0
/* A fluid at rest without gravity has no energy to measure gains by. The least scale is the kinetic energy at this
   share of the speed at which a world has surely blown up. */
#define SLOWEST 0.01

/* Steps in which a fresh fill settles. Energy released in them is reported only if it exceeds all energy in play, and
   is not counted as a gain. */
#define BEGINNING 10

enum { SUM_KINETIC, SUM_GRAVITY };

/* Kinetic energy and power of gravity at the start of a substep. */
static totals start_block(int begin, int end, void *context) {
    const rill_world *w = context;
    const vec g = vec_of(w->def.gravity);
    double kinetic = 0, gravity = 0;
    for (int i = begin; i < end; i++) {
        const vec v = velocities_of(w)[i];
        const double m = (double)places_of(w)[i].m;
        kinetic += 0.5 * m * (double)vec_dot(v, v);
        gravity += m * (double)vec_dot(g, v);
    }
    return (totals){.sum = {[SUM_KINETIC] = kinetic, [SUM_GRAVITY] = gravity}};
}

/* Whether the world is watched: not without particles, nor with a method that puts energy in. */
static bool is_watched(const rill_world *w) {
    const method *m = sim_of(w)->method;
    return w->particles.count > 0 && !(m->adds_energy && m->adds_energy(w));
}

static double stored_energy(rill_world *w) {
    const method *m = sim_of(w)->method;
    return m->stored_energy ? m->stored_energy(w) : 0;
}

void rill_energy_begin(rill_world *w) {
    if (!is_watched(w)) return;
    const totals t = world_totals(w, start_block, w);
    energy_watch *e = &w->energy;
    e->balance -= stored_energy(w);
    e->kinetic = t.sum[SUM_KINETIC], e->gravity = t.sum[SUM_GRAVITY], e->given = 0;
    e->lost = false;
    FOR_ALIVE(w, body, b) {
        memcpy(b->v_before, b->v, sizeof b->v);
        memcpy(b->w_before, b->w, sizeof b->w);
    }
}

/* Adds the work of nozzles. A nozzle that pushes fluid gives it energy. One that holds back what a wall beside it would
   push away takes none: that pressure exists only because the nozzle made room for its particles. */
void rill_energy_guide(rill_world *w) {
    const sim *s = sim_of(w);
    const held_particle *held = s->held.data;
    for (int k = 0; k < s->held_count; k++) {
        const vec v = velocities_of(w)[held[k].index];
        w->energy.given += 0.5 * (double)places_of(w)[held[k].index].m *
                           fmax((double)vec_dot(held[k].v, held[k].v) - (double)vec_dot(v, v), 0);
    }
}

/* Work of the solids on the fluid. Free bodies count with their mean velocity in the substep, for the fluid accelerates
   them while they push it. */
static double work_of_solids(const rill_world *w) {
    double work = 0;
    FOR_ALIVE(w, solid, s) {
        dvec v = dvec_add(dvec_of(s->pose.velocity), dvec_of(s->def.surface_velocity)), spin = dvec_of(s->pose.angular);
        if (s->body > 0 && POOL_ITEMS(w, body)[s->body - 1].inverse_mass > 0) {
            const body *b = &POOL_ITEMS(w, body)[s->body - 1];
            v = dvec_scale(dvec_add(dvec_load(b->v), dvec_load(b->v_before)), 0.5);
            spin = dvec_scale(dvec_add(dvec_load(b->w), dvec_load(b->w_before)), 0.5);
        }
        work -= dvec_dot(dvec_load(s->impulse), v) + dvec_dot(dvec_load(s->moment), spin);
    }
    return work;
}

/* The surface energy that may be released: as if every particle were surface. */
static double energy_of_surfaces(const rill_world *w) {
    double tension = 0;
    FOR_ALIVE(w, fluid, f) tension = fmax(tension, (double)f->def.surface_tension);
    return tension * (double)dim_power(w->def.spacing) / (double)w->def.spacing * w->particles.count;
}

static double least_scale(const rill_world *w, double mass) {
    const double slow = SLOWEST * sim_of(w)->method->speed_limit(w);
    return 0.5 * mass * slow * slow + energy_of_surfaces(w);
}

/* Records time and place of a gain: the place of the fastest particle. */
static void note_place(rill_world *w, double speed2) {
    int i = 0;
    while (i + 1 < w->particles.count && (double)vec_dot(velocities_of(w)[i], velocities_of(w)[i]) < speed2) i++;
    w->stats.energy_time = w->stats.time;
    w->stats.energy_place = vec_out(places_of(w)[i].x);
}

rill_status rill_energy_end(rill_world *w, const fluid_motion *now, double dt) {
    energy_watch *e = &w->energy;
    if (!is_watched(w)) return RILL_OK;
    if (e->lost) {
        e->balance = e->least = w->stats.energy_gain = 0;
        return RILL_OK;
    }
    const double falls = 0.5 * (e->gravity + now->gravity) * dt * (double)w->fall;
    e->balance += now->kinetic - e->kinetic + stored_energy(w) - falls - work_of_solids(w) - e->given;
    e->least = fmin(e->least, e->balance);
    const double gain = e->balance - e->least;
    const double height = now->potential + now->mass * now->deepest;
    e->scale = fmax(e->scale, least_scale(w, now->mass));
    if (gain < GAIN_TOLD * e->scale) e->scale = fmax(e->scale, now->kinetic + height);
    w->stats.energy_gain = gain / e->scale;
    const bool begins = w->stats.step - w->method_since <= BEGINNING;
    if (w->stats.energy_gain > (begins ? GAIN_FAILS : GAIN_TOLD) && w->stats.energy_time == 0)
        note_place(w, now->speed2);
    if (begins) {
        e->scale = fmax(e->scale, now->kinetic + height);
        e->least = e->balance;
        return RILL_OK;
    }
    if (!(w->stats.energy_gain > GAIN_FAILS) || w->def.failure != RILL_FAILURE_STOP) return RILL_OK;
    const rill_vec x = w->stats.energy_place, from = w->def.origin;
    w->failed = true;
    return rill_fail(&w->error, RILL_BLOW_UP,
                     "step %lld, t = %g s: the fluid has gained %.3g J without a source, %.1f times the energy in "
                     "play; it began at t = %g s near (%g, %g, %g). Likely cause: steps too long, particles that "
                     "started too close together, or too few iterations: %s",
                     (long long)w->stats.step, w->stats.time, gain, w->stats.energy_gain, w->stats.energy_time,
                     (double)(from.x + x.x), (double)(from.y + x.y), (double)(from.z + x.z),
                     sim_of(w)->method->blow_up_advice);
}

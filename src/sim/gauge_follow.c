/* SPDX-License-Identifier: MIT */
/* Values that gauges gather over steps.

   Particles push on a wall in pulses, so a force is read as a mean over the last `window` seconds. The window slides
   with time. It is cut into GAUGE_BINS bins, and each substep shares its impulse among the bins that it overlaps. The
   oldest bin, which the window is leaving, counts with the share still inside. The mean is thus exact for a steady
   force, needs no memory in a step, and does not depend on when the gauge is read. */
#include "core/trig.h"
#include "model/gauge_kind.h"
#include "sim/gauge.h"

#define BINS (GAUGE_BINS + 1u)

static double bin_width(const gauge *g) {
    return (double)g->def.window / GAUGE_BINS;
}

/* Fills all bins from one step at least as long as the window. */
static void fill_window(gauge *g, const double impulse[3], double dt) {
    const double width = bin_width(g);
    for (uint32_t k = 0; k < 3 * BINS; k++) g->bins[k] = impulse[k % 3] * (width / dt);
    g->filled = width;
}

/* The bin `parts` before the present one; a snapshot may hold any number as g->bin. */
static uint32_t bin_before(const gauge *g, uint32_t parts) {
    return (g->bin % BINS + BINS - parts) % BINS;
}

static void next_bin(gauge *g) {
    g->bin = bin_before(g, GAUGE_BINS);
    g->filled = 0;
    memset(&g->bins[3 * g->bin], 0, 3 * sizeof *g->bins);
}

static void divide(gauge *g, const double impulse[3], double dt) {
    const double width = bin_width(g);
    for (double left = dt; left > 0;) {
        if (g->filled >= width) next_bin(g);
        const double room = width - g->filled, part = left < room ? left : room;
        for (uint32_t k = 0; k < 3; k++) g->bins[3 * bin_before(g, 0) + k] += impulse[k] * (part / dt);
        g->filled = left < room ? g->filled + part : width;
        left -= part;
    }
}

/* The impulse of the force or torque that a gauge measures, over this substep; NULL if its object is gone. */
static const double *impulse_of(const rill_world *w, const gauge *g) {
    const pin *p = POOL_GET(w, pin, g->def.pin);
    if (g->def.kind == RILL_GAUGE_PIN_FORCE) return p ? p->impulse : NULL;
    const solid *s = POOL_GET(w, solid, g->def.solid);
    if (!s) return NULL;
    return g->def.kind == RILL_GAUGE_TORQUE ? s->moment : s->impulse;
}

static void follow_force(rill_world *w, gauge *g, double dt) {
    const double *impulse = impulse_of(w, g);
    if (!impulse) return;
    const double window = (double)g->def.window;
    if (window == 0)
        for (int k = 0; k < 3; k++) g->bins[k] = impulse[k] / dt;
    else if (dt >= window)
        fill_window(g, impulse, dt);
    else
        divide(g, impulse, dt);
    g->watched = window == 0 ? dt : fmin(g->watched + dt, window);
}

void rill_gauge_read_window(const gauge *g, double value[3]) {
    const bool last_step = g->def.window == 0.0f;
    for (uint32_t k = 0; k < 3; k++) {
        double sum = last_step ? 0 : g->bins[3 * bin_before(g, GAUGE_BINS) + k] * (1 - g->filled / bin_width(g));
        for (uint32_t n = 0; n < GAUGE_BINS; n++) sum += g->bins[3 * bin_before(g, n) + k];
        value[k] = !(g->watched > 0) ? (double)NAN : last_step ? g->bins[k] : sum / g->watched;
    }
}

/* The twist about the axis, when a rotation is split into swing and twist [rad]. */
static double twist_about(const body *b, rill_vec axis) {
    const double x = (double)axis.x, y = (double)axis.y, z = (double)axis.z, length = sqrt(x * x + y * y + z * z);
    const double along = x * b->q[0] + y * b->q[1] + z * b->q[2];
    const double angle = length > 0 ? 2 * rill_trig_atan2(along / length, b->q[3]) : 0;
    return angle > PI ? angle - 2 * PI : angle <= -PI ? angle + 2 * PI : angle;
}

/* Counts whole turns, assuming that a body turns by less than half a turn between two steps. */
double rill_gauge_turned(const gauge *g, const body *b, double *turns) {
    *turns = 0;
    if (DIM == 2) return b->angle;
    const double twist = twist_about(b, g->def.axis);
    *turns = g->turns + (twist - g->twist < -PI) - (twist - g->twist > PI);
    return twist + 2 * PI * *turns;
}

static void follow_turn(rill_world *w, gauge *g) {
    const body *b = POOL_GET(w, body, g->def.body);
    if (!b) return;
    double turns;
    const double angle = rill_gauge_turned(g, b, &turns);
    g->turns = turns;
    g->twist = angle - 2 * PI * turns;
}

void rill_gauges_follow(rill_world *w, double dt) {
    FOR_ALIVE(w, gauge, g) {
        const gauge_subject subject = rill_gauge_kind_at(g->def.kind)->subject;
        if (subject == GAUGE_SURFACE || subject == GAUGE_PIN) follow_force(w, g, dt);
        if (subject == GAUGE_TURN) follow_turn(w, g);
    }
}

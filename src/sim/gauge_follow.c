/* SPDX-License-Identifier: MIT */
/* Values that gauges keep from the steps behind them.

   The force of particles on a wall comes in pulses, so that a force is a mean over the last `window` seconds. The
   window slides with time: it is cut into GAUGE_BINS parts, each substep divides its impulse among those that it lies
   in, and of the part that the window is leaving a share counts. Hence the mean is exact for a steady force, needs no
   memory in a step, and a gauge that is not read measures the same. */
#include "core/trig.h"
#include "model/gauge_kind.h"
#include "sim/gauge.h"

#define BINS (GAUGE_BINS + 1u)

static double bin_width(const gauge *g) {
    return (double)g->def.window / GAUGE_BINS;
}

/* A step as long as the window is all that there is to see in it. */
static void fill_window(gauge *g, const double impulse[3], double dt) {
    const double width = bin_width(g);
    for (uint32_t k = 0; k < 3 * BINS; k++) g->bins[k] = impulse[k % 3] * (width / dt);
    g->filled = width;
}

/* The part that lies so many before the present one; snapshots may hold any number. */
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

/* The force or torque whose mean a gauge measures, over the present substep; NULL: its object is gone. */
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

/* Of the swing and the twist that a turn is made of, the twist about the axis. */
static double twist_about(const body *b, rill_vec axis) {
    const double x = (double)axis.x, y = (double)axis.y, z = (double)axis.z, length = sqrt(x * x + y * y + z * z);
    const double along = x * b->q[0] + y * b->q[1] + z * b->q[2];
    const double angle = length > 0 ? 2 * rill_trig_atan2(along / length, b->q[3]) : 0;
    return angle > PI ? angle - 2 * PI : angle <= -PI ? angle + 2 * PI : angle;
}

/* Between two steps a body turns by less than half a turn. */
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

/* SPDX-License-Identifier: MIT */
/* A trial: the run's own steps, timed one by one until enough time is spent. The first step pays for what is
   made once (maps, fields, memory), so it counts once. Later steps are extrapolated from the later half of the trial,
   when the flow has begun to move: steps for each simulated second, and the time of a step as a + b n for n particles,
   whose number the emitters tell ahead. Coarse runs ahead (preview.h) tell by how much steps will become shorter and
   dearer than that. */
#include "apps/cli/check/estimate.h"

#include "apps/cli/check/preview.h"
#include "apps/cli/run/emission.h"
#include "core/timer.h"

#include <math.h>
#include <stdlib.h>

/* Slices of the time ahead, in each of which the number of particles counts as constant. */
#define SLICES 200
/* By how much a run ahead is coarser than the run itself. It must not become another flow: the fastest of few particles
   is slower than the fastest of many, and steps follow it. */
#define FINEST   1.5
#define COARSEST 4.0
/* Shares of the time of the trial. A first run ahead is meant to take little, by what the trial says of its cost; it
   may be dearer by as much as it has to tell. What it took tells how fine a second one can be. Each may take ALLOWED.
 */
#define INTENDED_FIRST  0.1
#define INTENDED_SECOND 0.5
#define ALLOWED         1.5
/* A run ahead that blows up, as few large particles between bodies may, is followed by a finer one by this factor. */
#define FINER_AFTER_FAILURE 1.5

/* ---- the trial ---- */

/* Time that is spent: by the clock, which other programs take part in, and by the processors for this one. */
enum { CLOCK, PROCESSOR, SPENT_COUNT };
typedef struct spent {
    double seconds[SPENT_COUNT];
} spent;

static spent spent_now(void) {
    return (spent){{rill_timer_now(), rill_timer_processor()}};
}

/* After a step. */
typedef struct moment {
    double time, particles;
    double bodies; /* share of bodies in the time of the step */
    spent spent;   /* since the trial began */
} moment;

typedef struct trial {
    moment *moments; /* the first is the beginning */
    int count, capacity;
    double bound;    /* longest step that was stable at all times */
    double bounds;   /* sum of those of all steps */
    double too_long; /* by which the worst step exceeded its bound, as a ratio */
} trial;

static bool note(trial *t, const run *r, const spent *start) {
    const rill_stats *stats = rill_world_stats(r->world);
    if (t->count == t->capacity) {
        const int capacity = t->capacity ? 2 * t->capacity : 256;
        moment *moments = realloc(t->moments, (size_t)capacity * sizeof *moments);
        if (!moments) return false;
        t->moments = moments, t->capacity = capacity;
    }
    spent now = spent_now();
    for (int k = 0; k < SPENT_COUNT; k++) now.seconds[k] -= start->seconds[k];
    t->moments[t->count++] = (moment){stats->time, (double)stats->particles, preview_bodies_share(stats), now};
    return true;
}

/* The bound of a step that is too long for it says something of the scene; those after it only of the wreck. */
static void note_bound(trial *t, const run *r) {
    const rill_stats *stats = rill_world_stats(r->world);
    const double bound = stats->dt_bound * (stats->substeps > 1 ? stats->substeps : 1);
    const bool wrecked = r->plan.dt > 0 && t->bound > 0 && r->plan.dt > t->bound;
    t->bounds += bound;
    if (bound > 0) t->too_long = fmax(t->too_long, stats->dt / bound);
    if (bound > 0 && !wrecked && (t->bound == 0 || bound < t->bound)) t->bound = bound;
}

static double time_of(const trial *t, int moment) {
    const double *seconds = t->moments[moment].spent.seconds;
    return check_own_time(seconds[CLOCK], seconds[PROCESSOR]);
}

/* A run that seems to end within as much time again is tried to its end, or for that time: nothing is extrapolated
   then, or less. */
static bool goes_on(const trial *t, const run_plan *plan, double limit) {
    const int last = t->count - 1;
    const double spent = time_of(t, last) - time_of(t, 1), done = t->moments[last].time - t->moments[1].time;
    const double left = plan->end - t->moments[last].time;
    return spent < limit || (spent < 2 * limit && left * spent < done * limit);
}

static rill_status try_steps(trial *t, run *r, double limit) {
    const spent start = spent_now();
    rill_status status = rill_run_begin(r);
    bool more = status == RILL_OK && note(t, r, &start);
    while (more && !rill_run_plan_finished(&r->plan, rill_world_stats(r->world)->time)) {
        status = rill_run_step(r);
        if (status != RILL_OK) return status;
        note_bound(t, r);
        more = note(t, r, &start) && goes_on(t, &r->plan, limit);
    }
    return status;
}

/* ---- from the trial to the run ---- */

/* Steps between two moments: how long they are and what they cost. */
typedef struct stretch {
    double steps, dt, particles, bodies;
    spent spent;
} stretch;

static stretch between(const trial *t, int from, int to) {
    stretch s = {.steps = to - from};
    if (to <= from) return s;
    for (int k = from + 1; k <= to; k++) {
        s.particles += t->moments[k].particles / s.steps;
        s.bodies += t->moments[k].bodies / s.steps;
    }
    s.dt = (t->moments[to].time - t->moments[from].time) / s.steps;
    for (int k = 0; k < SPENT_COUNT; k++)
        s.spent.seconds[k] = (t->moments[to].spent.seconds[k] - t->moments[from].spent.seconds[k]) / s.steps;
    return s;
}

/* Time of a step of n particles. Few particles leave the price of a step without any visible; two stretches with other
   numbers of them tell it. */
static double step_cost(const stretch *early, const stretch *late, int kind, double n) {
    const double more = late->particles - early->particles, now = late->spent.seconds[kind];
    if (late->particles < 1) return now;
    double each = now / late->particles;
    if (early->steps > 0 && more > 0.2 * late->particles)
        each = fmin(fmax((now - early->spent.seconds[kind]) / more, 0), each);
    return now + each * (n - late->particles);
}

/* Time of the run after the trial, if steps stay as long as they are. */
static double spent_ahead(const check_world *check, const moment *now, const stretch *early, const stretch *late,
                          int kind) {
    const double left = fmax(check->plan->end - now->time, 0), slice = left / SLICES;
    double seconds = 0;
    for (int k = 0; k < SLICES && left > 0; k++) {
        const double n = emission_particles(check->scene, now->particles, now->time, now->time + (k + 0.5) * slice);
        seconds += slice / late->dt * step_cost(early, late, kind, n);
    }
    return seconds;
}

/* Changes after the trial relative to its later half, as ratios. */
typedef struct change {
    double pace; /* of steps for each simulated second */
    double cost; /* of a step */
} change;

/* The later half of the trial, and the time after it. */
typedef struct span {
    double from, now, end;
} span;

static double ratio(double later, double tried) {
    return tried > 0 && later > 0 ? later / tried : 1;
}

/* What fluid costs in the steps of a coarse run, over what step_cost says of as many particles. */
static double fluid_cost(const preview *ahead, const stretch *early, const stretch *late, double from, double to) {
    const double expected = step_cost(early, late, PROCESSOR, preview_particles(ahead, from, to));
    return expected > 0 ? preview_fluid(ahead, from, to) / expected : 0;
}

/* What a step costs later over what it costs now. The price of fluid follows its particles, so that the coarse run
   tells a ratio; bodies cost the same in both, and a heap of them would weigh too much in a ratio of the coarse run. */
static double cost_ahead(const preview *ahead, const stretch *early, const stretch *late, span window) {
    const double step = late->spent.seconds[PROCESSOR];
    const double fluid = ratio(fluid_cost(ahead, early, late, window.now, window.end),
                               fluid_cost(ahead, early, late, window.from, window.now));
    const double bodies_now = late->bodies * step, bodies_later = preview_bodies(ahead, window.now, window.end);
    if (!(step > 0)) return fluid;
    return ((1 - late->bodies) * step * fluid + fmax(bodies_now, bodies_later)) / step;
}

/* Coarser by so much that a run takes a share of its time: particles become fewer, and steps. */
static double coarser_by(const check_world *check, double share) {
    const double dim = (double)check->scene->world.dim;
    return pow(fmax(share, 1), 1 / (dim + 1));
}

/* The finest run ahead that comes to the end, or the one that comes farther. */
static void run_ahead(const check_world *check, double limit, double seconds, preview *best) {
    const double first = coarser_by(check, seconds / fmax(INTENDED_FIRST * limit, 1e-3));
    preview_run(best, check->scene, check->plan, fmin(fmax(first, FINEST), COARSEST), ALLOWED * limit);
    const bool failed = !best->is_complete && best->spent < ALLOWED * limit;
    const double room = coarser_by(check, INTENDED_SECOND * limit / fmax(best->spent, 1e-3));
    const double finer = fmax(best->coarser / (failed ? FINER_AFTER_FAILURE : room), FINEST);
    if (finer > 0.9 * best->coarser) return;
    preview second = {0};
    preview_run(&second, check->scene, check->plan, finer, ALLOWED * limit);
    const bool farther = second.is_complete || (!best->is_complete && preview_end(&second) > preview_end(best));
    preview_free(farther ? best : &second);
    if (farther) *best = second;
}

/* Steps of a coarse run are scaled to the scene's spacing as if speeds bounded them. Where fluid begins to move,
   gravity does, and that makes them too many; where few particles have no fast one among them, they are too few. The
   run itself tells how many it takes there: the lesser number counts. */
static double pace_ahead(const preview *ahead, const stretch *late, span window) {
    const double tried = preview_rate(ahead, window.from, window.now), own = late->dt > 0 ? 1 / late->dt : tried;
    return ratio(preview_rate(ahead, window.now, window.end), fmin(tried, own));
}

static change look_ahead(const check_world *check, const trial *t, const stretch *early, const stretch *late,
                         double limit, double seconds) {
    const int last = t->count - 1;
    const span window = {t->moments[last / 2].time, t->moments[last].time, check->plan->end};
    if (!(seconds > INTENDED_SECOND * limit)) return (change){1, 1};
    preview ahead = {0};
    run_ahead(check, limit, seconds, &ahead);
    const double pace = pace_ahead(&ahead, late, window);
    const change c = {check->plan->dt > 0 ? 1 : pace, cost_ahead(&ahead, early, late, window)};
    preview_free(&ahead);
    return c;
}

static void extrapolate(const check_world *check, const trial *t, double limit, check_estimate *e) {
    const int last = t->count - 1, half = (last + 1) / 2;
    const moment now = t->moments[last];
    const stretch all = between(t, 0, last), early = between(t, 1, half),
                  late = between(t, last > 2 ? half : last - 1, last);
    double ahead[SPENT_COUNT];
    for (int k = 0; k < SPENT_COUNT; k++) ahead[k] = spent_ahead(check, &now, &early, &late, k);
    const change later = look_ahead(check, t, &early, &late, limit, fmin(ahead[CLOCK], ahead[PROCESSOR]));
    const double more = later.pace * later.cost;
    const double settle = (double)check->scene->run.settle / late.dt;
    e->dt = all.dt;
    e->steps = last + later.pace * fmax(check->plan->end - now.time, 0) / late.dt;
    e->seconds = now.spent.seconds[CLOCK] + more * ahead[CLOCK] + settle * late.spent.seconds[CLOCK];
    e->processor = now.spent.seconds[PROCESSOR] + more * ahead[PROCESSOR] + settle * late.spent.seconds[PROCESSOR];
    e->tried = now.time;
}

void estimate_run(const check_world *check, double limit, check_estimate *e, findings *f) {
    run r = {.world = check->world, .scene = check->scene, .plan = *check->plan};
    trial t = {0};
    if (!(check->plan->end > 0)) return;
    const rill_status status = try_steps(&t, &r, limit);
    rill_run_end(&r, status == RILL_OK ? RILL_RUN_DONE : RILL_RUN_FAILED);
    /* Of adaptive steps the mean, as of their lengths. */
    e->dt_bound = check->plan->dt > 0 || t.count < 2 ? t.bound : t.bounds / (t.count - 1);
    check_step(check, t.bound, t.too_long, f); /* also when the trial blew up: this may be why */
    if (status != RILL_OK)
        findings_error(f, "%s", r.error.text);
    else if (t.count > 1)
        extrapolate(check, &t, limit, e);
    char warning[RUN_WARNING_SIZE];
    if (status == RILL_OK && rill_run_warning(&r, warning))
        findings_warn(f, "in the %g s that were tried %s", rill_world_stats(check->world)->time, warning);
    e->bytes = (double)rill_world_stats(check->world)->bytes;
    free(t.moments);
}

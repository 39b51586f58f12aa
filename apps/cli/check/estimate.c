/* SPDX-License-Identifier: MIT */
/* A trial runs the scene's own steps, timed one by one, until the time limit. The first step includes what is made only
   once (maps, fields, memory), so it is counted once and not extrapolated. Later steps are extrapolated from the second
   half of the trial, when the flow has begun to move: steps per simulated second, and the time of a step as a + b n,
   where the emitters give the number n of particles in the future. Coarse runs (preview.h) predict by which factor
   steps will become shorter and more expensive. */
#include "apps/cli/check/estimate.h"

#include "apps/cli/check/preview.h"
#include "apps/cli/run/emission.h"
#include "core/timer.h"

#include <math.h>
#include <stdlib.h>

/* The future is cut into this many slices; within a slice the number of particles counts as constant. */
#define SLICES 200
/* The range of a preview's spacing, as multiples of the scene's. A coarser preview would be another flow: with few
   particles the fastest one is slower, and the length of steps depends on it. */
#define FINEST   1.5
#define COARSEST 4.0
/* Time of previews, as shares of the trial's. The first preview is meant to take INTENDED_FIRST by the costs of the
   trial, which may be wrong. Its measured time gives the spacing of a second one. Each may take ALLOWED at most. */
#define INTENDED_FIRST  0.1
#define INTENDED_SECOND 0.5
#define ALLOWED         1.5
/* A preview may blow up, for instance where few large particles are between bodies. Another follows, finer by this. */
#define FINER_AFTER_FAILURE 1.5

/* ---- the trial ---- */

/* Time that is spent: real time, which includes that of other programs, and processor time of this one. */
enum { CLOCK, PROCESSOR, SPENT_COUNT };
typedef struct spent {
    double seconds[SPENT_COUNT];
} spent;

static spent spent_now(void) {
    return (spent){{rill_timer_now(), rill_timer_processor()}};
}

/* The state after a step. */
typedef struct moment {
    double time, particles;
    double bodies; /* share of bodies in the step's time */
    spent spent;   /* since the trial began */
} moment;

typedef struct trial {
    moment *moments; /* the first one is before the first step */
    int count, capacity;
    double bound;    /* shortest of the stable bounds of all steps */
    double bounds;   /* sum of the bounds of all steps */
    double too_long; /* largest ratio of a step to its bound */
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

/* A step above its bound may wreck the flow, and the bounds of later steps would then describe the wreck. Only the
   bounds up to that step count. */
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

/* A run that will probably end within twice the limit is continued to its end, or to twice the limit: then little or
   nothing is extrapolated. */
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

/* The steps between two moments: their mean length and cost. */
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

/* Time of a step with n particles. With few particles the time per particle cannot be told from the fixed time of a
   step; two stretches with different numbers of particles separate them. */
static double step_cost(const stretch *early, const stretch *late, int kind, double n) {
    const double more = late->particles - early->particles, now = late->spent.seconds[kind];
    if (late->particles < 1) return now;
    double each = now / late->particles;
    if (early->steps > 0 && more > 0.2 * late->particles)
        each = fmin(fmax((now - early->spent.seconds[kind]) / more, 0), each);
    return now + each * (n - late->particles);
}

/* Time of the rest of the run, if steps stay as long as they are. */
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

/* Changes after the trial relative to its second half, as ratios. */
typedef struct change {
    double pace; /* of steps per simulated second */
    double cost; /* of a step */
} change;

/* The second half of the trial, and the time after it. */
typedef struct span {
    double from, now, end;
} span;

static double ratio(double later, double tried) {
    return tried > 0 && later > 0 ? later / tried : 1;
}

/* Cost of the fluid in the steps of a preview, divided by what step_cost predicts for as many particles. */
static double fluid_cost(const preview *ahead, const stretch *early, const stretch *late, double from, double to) {
    const double expected = step_cost(early, late, PROCESSOR, preview_particles(ahead, from, to));
    return expected > 0 ? preview_fluid(ahead, from, to) / expected : 0;
}

/* Cost of a later step divided by that of a present one. The fluid's cost grows with its particles, so the preview
   gives it as a ratio. Bodies cost the same in both runs; as a ratio from the preview they would weigh too much. */
static double cost_ahead(const preview *ahead, const stretch *early, const stretch *late, span window) {
    const double step = late->spent.seconds[PROCESSOR];
    const double fluid = ratio(fluid_cost(ahead, early, late, window.now, window.end),
                               fluid_cost(ahead, early, late, window.from, window.now));
    const double bodies_now = late->bodies * step, bodies_later = preview_bodies(ahead, window.now, window.end);
    if (!(step > 0)) return fluid;
    return ((1 - late->bodies) * step * fluid + fmax(bodies_now, bodies_later)) / step;
}

/* The factor on the spacing that divides a run's time by `share`: there are fewer particles, and fewer steps. */
static double coarser_by(const check_world *check, double share) {
    const double dim = (double)check->scene->world.dim;
    return pow(fmax(share, 1), 1 / (dim + 1));
}

/* Keeps the finest preview that reaches the end, or else the one that comes farther. */
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

/* The steps of a preview are scaled to the scene's spacing as if speeds bounded them. Where the fluid begins to move,
   gravity bounds them instead, and the result is too large; with few particles the fastest one is slower, and it is too
   small. The trial itself has measured the rate up to now, so the smaller of both is the base of the ratio. */
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
    /* Adaptive steps: the mean, as for their lengths. */
    e->dt_bound = check->plan->dt > 0 || t.count < 2 ? t.bound : t.bounds / (t.count - 1);
    check_step(check, t.bound, t.too_long, f); /* also after a blow-up: this may be the reason */
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

/* SPDX-License-Identifier: MIT */
/* The step of Clavet's method, and the sweeps over pairs. Clavet, Beaudoin and Poulin, "Particle-based Viscoelastic
   Fluid Simulation", SCA 2005; algorithm and equation numbers are the paper's.

   The paper processes particles and pairs one after the other, each with the changes by those before it. Here rows of
   one colour share no particle (sim/solve/colour.h), so threads can process them at the same time. The paper's
   sequential sweep, in an order that is shuffled once (section 4.3), is there for comparison. */
#include "sim/method/clavet.h"

#include "core/hash.h"
#include "core/sort.h"

void rill_clavet_job_make(rill_world *w, double dt, clavet_job *job, arena *a) {
    const int n = w->particles.capacity;
    *job = (clavet_job){.world = w,
                        .params = clavet_params_of(w),
                        .derived = clavet_derived_of(w),
                        .forward = true,
                        .dt = (float)dt,
                        .ticks = (float)(dt / CLAVET_TICK)};
    ARENA_ASK(a, job->shifts, n + 1);
    ARENA_ASK(a, job->starts, job->derived->viscous ? n : 0);
    ARENA_ASK(a, job->serial, n);
    ARENA_ASK(a, job->far, n);
    ARENA_ASK(a, job->pulls, job->derived->sticky ? n : 0);
    ARENA_ASK(a, job->order, job->params->sweep == CLAVET_SEQUENTIAL ? n : 0);
    rill_colour_ask(&job->colours, a, n);
    if (job->derived->reach > 1.0f) rill_colour_ask(&job->far_colours, a, n);
}

/* ---- sweeps ---- */

typedef struct sweep_context {
    const clavet_job *job;
    clavet_rows_fn *rows;
} sweep_context;

static double sweep_run(const colour_run *run, const colour_run *next, bool forward, void *context) {
    (void)next, (void)forward;
    const sweep_context *sweep = context;
    sweep->rows(sweep->job, run->begin, run->end, false);
    return 0;
}

void rill_clavet_sweep(clavet_job *job, colouring *colours, clavet_rows_fn *rows) {
    const rill_world *w = job->world;
    if (job->params->sweep == CLAVET_SEQUENTIAL) {
        for (int k = 0; k < w->particles.count; k++) rows(job, job->order[k].index, job->order[k].index + 1, true);
        return;
    }
    rill_colour_sweep(colours, w->workers, job->forward, sweep_run, &(sweep_context){job, rows});
    if (sim_of(w)->halo.count == 0) return;
    for (int i = 0; i < w->particles.count; i++)
        if (job->serial[i]) rows(job, i, i + 1, true);
}

/* ---- the step ---- */

static void begin_range(int begin, int end, void *context) {
    const clavet_job *job = context;
    const rill_world *w = job->world;
    const lists *l = &sim_of(w)->lists;
    const bool periodic = sim_of(w)->halo.count > 0;
    for (int i = begin; i < end; i++) {
        job->shifts[i] = (place){0};
        job->serial[i] = false;
        const bool is_new = clavet_stores_of(w)[i].density == 0.0f;
        clavet_stores_of(w)[i] = (clavet_store){.density = is_new ? -1.0f : 1.0f};
        const int32_t *list = list_of(l, i);
        for (int k = 0; periodic && k < list_count(l, i) && !job->serial[i]; k++)
            job->serial[i] = list[k] >= w->particles.count;
    }
}

static int compare_tickets(const void *a, const void *b) {
    const clavet_ticket *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Section 4.3: a random order, from the ids of particles, so that it stays the same while particles move. */
static void shuffle(const clavet_job *job) {
    const rill_world *w = job->world;
    for (int i = 0; i < w->particles.count; i++)
        job->order[i] = (clavet_ticket){rill_hash_mix((uint64_t)ids_of(w)[i]), i};
    rill_sort_items(job->order, w->particles.count, sizeof *job->order, compare_tickets);
}

/* Whether densities are relaxed forwards in this substep; automatic substeps alternate. A particle that comes later
   responds to the displacements by those before it. This has no energy: always in the same order it would stir the
   fluid where it is stiffest. Both orders together are, to the second order in dt^2, the slope of an energy. In longer
   substeps, which a user may set, this no longer holds, and one order is stable for longer. The paper's sequential
   order never changes. */
static bool sweeps_forward(const rill_world *w) {
    const clavet_params *p = clavet_params_of(w);
    if (p->numbers != CLAVET_AUTOMATIC || p->substeps > 0) return true;
    const int64_t substep = w->stats.substeps, step = (int64_t)w->stats.step - (substep > 0);
    return ((step + substep) & 1) == 0;
}

/* Algorithm 1, lines 4 to 16. Neighbours are those of the predicted positions. */
rill_status rill_clavet_solve(rill_world *w, double dt) {
    clavet_job job;
    arena a = {0};
    rill_clavet_job_make(w, dt, &job, &a);
    if (!rill_arena_give(&a, &w->memory, &sim_of(w)->scratch))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for a step of %d particles", w->particles.count);
    if (w->particles.count == 0) return RILL_OK;
    rill_parallel_for(w->workers, w->particles.count, LOOP_GRAIN, begin_range, &job);
    job.shifts[w->particles.count + sim_of(w)->halo.count] = (place){0}; /* the null particle */
    if (job.params->sweep == CLAVET_SEQUENTIAL)
        shuffle(&job);
    else
        rill_colour_build(&job.colours, w, 1);
    if (job.derived->viscous) rill_clavet_viscosity(&job);
    TRY(rill_clavet_springs(&job));
    job.forward = sweeps_forward(w);
    rill_clavet_sweep(&job, &job.colours, rill_clavet_relax_rows);
    if (job.derived->watched) rill_clavet_welcome(w);
    return RILL_OK;
}

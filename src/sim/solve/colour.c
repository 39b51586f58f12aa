/* SPDX-License-Identifier: MIT */
/* Blocks of cells coloured like a chequerboard, and sweeps over them. */
#include "sim/solve/colour.h"

#include "sim/neighbours/neighbours.h"

#include <string.h>

/* Parts per worker into which a colour is cut, so that no worker waits long for another at the end of a colour. */
#define PARTS 4

void rill_colour_ask(colouring *c, arena *a, int particles) {
    ARENA_ASK(a, c->runs, particles);
    ARENA_ASK(a, c->spare, particles);
    ARENA_ASK(a, c->blocks, particles + 1);
    ARENA_ASK(a, c->parts, particles);
    ARENA_ASK(a, c->starts, reduce_block_count(particles) + 1);
}

/* ---- runs ---- */

typedef struct run_job {
    colouring *colouring;
    const rill_world *world;
} run_job;

/* The block of a cell along one axis: division that rounds down. */
static inline int32_t block_of(int32_t cell, int32_t edge) {
    return (cell >= 0 ? cell : cell - edge + 1) / edge;
}

static colour_run run_from(const colouring *c, const rill_world *w, int i) {
    colour_run run = {.begin = i};
    for (int axis = 0; axis < DIM; axis++) {
        const int32_t cell = grid_coordinate(&sim_of(w)->grid, vec_get(places_of(w)[i].x, axis));
        run.block[axis] = c->reach == 1 ? cell >> 1 : block_of(cell, 2 * c->reach);
    }
    return run;
}

static bool same_block(const colour_run *a, const colour_run *b) {
    bool same = true;
    for (int axis = 0; axis < DIM; axis++) same &= a->block[axis] == b->block[axis];
    return same;
}

/* Writes the runs that begin at the particles [begin, end). */
static int find_runs(const colouring *c, const rill_world *w, int begin, int end, colour_run *runs) {
    int count = 0;
    colour_run last = run_from(c, w, begin > 0 ? begin - 1 : 0);
    for (int i = begin; i < end; i++) {
        const colour_run run = run_from(c, w, i);
        if (i > 0 && same_block(&last, &run)) continue;
        runs[count++] = last = run;
    }
    return count;
}

/* Finds the runs of a block of particles, and puts them where the particles lie, because the runs before them are not
   counted yet. */
static double find_block(int begin, int end, void *context) {
    const run_job *job = context;
    return find_runs(job->colouring, job->world, begin, end, job->colouring->runs + begin);
}

/* Closes the gaps between the runs of different blocks. */
static void close_block(int begin, int end, void *context) {
    (void)end;
    const colouring *c = ((const run_job *)context)->colouring;
    const int32_t *start = c->starts + begin / REDUCE_BLOCK;
    if (start[1] > start[0])
        memcpy(c->spare + start[0], c->runs + begin, sizeof *c->runs * (size_t)(start[1] - start[0]));
}

static int colour_of(const colour_run *run) {
    int colour = 0;
    for (int axis = 0; axis < DIM; axis++) colour |= (run->block[axis] & 1) << axis;
    return colour;
}

/* Gathers the runs of each colour in their order, and sets their ends. first[k] becomes the end of colour k's runs. */
static void gather_colours(colouring *c, int particles, int first[COLOURS]) {
    for (int k = 0; k < COLOURS; k++) first[k] = 0;
    for (int r = 0; r < c->run_count; r++) first[colour_of(&c->spare[r])]++;
    int sum = 0;
    for (int k = 0; k < COLOURS; k++) {
        const int here = first[k];
        first[k] = sum;
        sum += here;
    }
    for (int r = 0; r < c->run_count; r++) {
        colour_run *run = &c->spare[r];
        run->end = r + 1 < c->run_count ? c->spare[r + 1].begin : particles;
        c->runs[first[colour_of(run)]++] = *run;
    }
}

/* ---- order ---- */

static bool comes_before(const colour_run *a, const colour_run *b) {
    for (int axis = DIM - 1; axis >= 0; axis--)
        if (a->block[axis] != b->block[axis]) return a->block[axis] < b->block[axis];
    return false;
}

/* End of the ordered stretch that begins at `at`. */
static int stretch_end(const colour_run *runs, int at, int end) {
    if (at < end) at++;
    while (at < end && !comes_before(&runs[at], &runs[at - 1])) at++;
    return at;
}

/* Merges the stretches [begin, middle) and [middle, end); equal blocks keep their order. */
static void merge(const colour_run *from, colour_run *to, int begin, int middle, int end) {
    int a = begin, b = middle;
    for (int k = begin; k < end; k++)
        to[k] = a < middle && (b == end || !comes_before(&from[b], &from[a])) ? from[a++] : from[b++];
}

/* Sorts by merging ordered stretches: the rows of cells within a layer of blocks are in order already. */
static void sort_runs(colour_run *runs, colour_run *spare, int begin, int end) {
    colour_run *from = runs, *to = spare;
    while (stretch_end(from, begin, end) < end) {
        for (int at = begin; at < end;) {
            const int middle = stretch_end(from, at, end), stop = stretch_end(from, middle, end);
            merge(from, to, at, middle, stop);
            at = stop;
        }
        colour_run *swap = from;
        from = to, to = swap;
    }
    if (from != runs) memcpy(runs + begin, spare + begin, sizeof *runs * (size_t)(end - begin));
}

typedef struct sort_job {
    colouring *colouring;
    int end[COLOURS];
} sort_job;

static void sort_colours(int begin, int end, void *context) {
    const sort_job *job = context;
    for (int k = begin; k < end; k++)
        sort_runs(job->colouring->runs, job->colouring->spare, k > 0 ? job->end[k - 1] : 0, job->end[k]);
}

void rill_colour_build(colouring *c, const rill_world *w, int reach) {
    c->reach = reach;
    run_job runs = {c, w};
    const int n = w->particles.count;
    c->run_count = (int)rill_reduce_starts(w->workers, n, REDUCE_BLOCK, find_block, &runs, c->starts);
    rill_parallel_for(w->workers, n, REDUCE_BLOCK, close_block, &runs);
    sort_job sort = {.colouring = c};
    gather_colours(c, n, sort.end);
    rill_parallel_for(w->workers, COLOURS, 1, sort_colours, &sort);
    int blocks = 0, r = 0;
    for (int k = 0; k < COLOURS; k++) {
        c->first[k] = blocks;
        for (const int begin = r; r < sort.end[k]; r++)
            if (r == begin || !same_block(&c->runs[r - 1], &c->runs[r])) c->blocks[blocks++] = r;
    }
    c->first[COLOURS] = blocks;
    c->blocks[blocks] = c->run_count;
}

/* ---- sweeps ---- */

typedef struct sweep_job {
    colouring *colouring;
    int first; /* first block of this colour */
    bool forward;
    colour_fn *fn;
    void *context;
} sweep_job;

static void sweep_blocks(int begin, int end, void *context) {
    const sweep_job *job = context;
    const colouring *c = job->colouring;
    for (int b = job->first + begin; b < job->first + end; b++) {
        const int first = c->blocks[b], count = c->blocks[b + 1] - first;
        double sum = 0;
        for (int n = 0; n < count; n++) {
            const int run = job->forward ? first + n : first + count - 1 - n, next = job->forward ? run + 1 : run - 1;
            const bool last = next < 0 || next >= c->run_count;
            sum += job->fn(&c->runs[run], last ? NULL : &c->runs[next], job->forward, job->context);
        }
        c->parts[b] = sum;
    }
}

void rill_colour_sweep(colouring *c, parallel *workers, bool forward, colour_fn *fn, void *context) {
    const int parts = PARTS * rill_parallel_workers(workers);
    for (int n = 0; n < COLOURS; n++) {
        const int colour = forward ? n : COLOURS - 1 - n;
        sweep_job job = {c, c->first[colour], forward, fn, context};
        const int blocks = c->first[colour + 1] - job.first;
        rill_parallel_for(workers, blocks, blocks / parts + 1, sweep_blocks, &job);
    }
}

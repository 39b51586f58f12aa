/* SPDX-License-Identifier: MIT */
/* Flat neighbour lists. The points of one cell share their candidates, so the 3^DIM cells around it are copied once
   into wide columns and every point of the cell tests eight candidates at a time. Lists are collected in a worker's own
   buffer and moved to the common array in pieces: where a piece lands depends on the threads, what is in it does not.
 */
#include "sim/neighbours/neighbours.h"

#include <stdatomic.h>
#include <string.h>

/* Points in a block of work. */
#define BLOCK 512
/* Entries a worker collects before it moves them. */
#define COLLECT 16384
/* Candidates of a neighbourhood that there is room for at first. */
#define CANDIDATES 512
/* Row offsets around a cell, in the order of memory. */
#if DIM == 2
static const int32_t rows[][2] = {{-1, 0}, {0, 0}, {1, 0}};
#else
static const int32_t rows[][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};
#endif
#define ROWS ((int)(sizeof rows / sizeof *rows))

typedef struct list_job {
    lists *lists;
    const grid *grid;
    const place *points;
    const int32_t *slots; /* NULL: sorted order is memory order */
    int count;            /* points that get a list */
    int null_index;
    size_t candidate_room, collect_room; /* entries in a worker's scratch */
    size_t capacity;                     /* entries / WIDE that the common array holds */
    atomic_size_t used;                  /* entries / WIDE that were needed */
    atomic_int most_candidates;
    atomic_int most_neighbours;
    atomic_llong pairs;
} list_job;

/* A worker's scratch: candidate columns, then the lists it has collected. */
typedef struct collector {
    list_job *job;
    float *x[DIM];
    int32_t *index;
    int32_t *collected;
    size_t collected_count;
    int32_t *points; /* whose lists are in `collected`, in order */
    int point_count;
} collector;

static size_t scratch_size(const list_job *job) {
    return sizeof(int32_t) * ((DIM + 1) * job->candidate_room + job->collect_room + BLOCK);
}

static collector collector_of(list_job *job, int worker) {
    char *memory = (char *)job->lists->scratch.data + (size_t)worker * scratch_size(job);
    collector c = {.job = job};
    for (int axis = 0; axis < DIM; axis++) c.x[axis] = (float *)(void *)memory + (size_t)axis * job->candidate_room;
    c.index = (int32_t *)(void *)memory + (size_t)DIM * job->candidate_room;
    c.collected = c.index + job->candidate_room;
    c.points = c.collected + job->collect_room;
    return c;
}

static void raise_to(atomic_int *most, int value) {
    int seen = atomic_load_explicit(most, memory_order_relaxed);
    while (value > seen && !atomic_compare_exchange_weak(most, &seen, value)) {}
}

static int32_t point_at(const list_job *job, int slot) {
    return job->slots ? job->slots[slot] : slot;
}

static void cell_at(const list_job *job, int slot, int32_t cell[DIM]) {
    const vec x = job->points[point_at(job, slot)].x;
    for (int axis = 0; axis < DIM; axis++) cell[axis] = grid_coordinate(job->grid, vec_get(x, axis));
}

/* Copies `count` points from slot `slot` on into columns, from entry n on. */
static void copy_points(const collector *c, int slot, int count, int n) {
    const list_job *job = c->job;
    const wide_int lanes = wide_int_from(0), null = wide_int_from(0) * 0 + job->null_index;
    for (int k = 0; k < count; k += WIDE) {
        wide_vec x;
        wide m;
        wide_int index = lanes + (slot + k);
        if (job->slots) memcpy(&index, job->slots + slot + k, sizeof index);
        const wide_int inside = lanes < count - k;
        index = (index & inside) | (null & ~inside);
        wide_gather_places(job->points, (const int32_t *)&index, &x, &m);
        wide_store(c->x[0] + n + k, x.x);
        wide_store(c->x[1] + n + k, x.y);
#if DIM == 3
        wide_store(c->x[2] + n + k, x.z);
#endif
        memcpy(c->index + n + k, &index, sizeof index);
    }
}

/* Copies the points of the cells around `cell` into columns, padded with places far away. Returns how many there are,
   or -1 if they are more than the scratch holds: then it only notes how many, and the caller makes room and starts
   again. */
static int collect_candidates(collector *c, const int32_t cell[DIM]) {
    list_job *job = c->job;
    int begin[ROWS], end[ROWS], n = 0;
    for (int r = 0; r < ROWS; r++) {
        grid_row(job->grid, cell, rows[r], &begin[r], &end[r]);
        n += end[r] - begin[r];
    }
    if ((size_t)n + 2 * WIDE > job->candidate_room) {
        raise_to(&job->most_candidates, n);
        return -1;
    }
    n = 0;
    for (int r = 0; r < ROWS; r++) {
        copy_points(c, begin[r], end[r] - begin[r], n);
        n += end[r] - begin[r];
    }
    for (int k = n; k < WIDE_ROUND_UP(n); k++) {
        for (int axis = 0; axis < DIM; axis++) c->x[axis][k] = vec_get(job->points[job->null_index].x, axis);
        c->index[k] = job->null_index;
    }
    return n;
}

/* Moves what was collected to the common array, or only counts it when there is no room: the caller then grows the
   array and starts again. */
static void flush(collector *c) {
    list_job *job = c->job;
    if (c->point_count == 0) return;
    const size_t units = c->collected_count / WIDE;
    size_t at = atomic_fetch_add_explicit(&job->used, units, memory_order_relaxed);
    if (at + units <= job->capacity) {
        if (units > 0)
            memcpy((int32_t *)job->lists->index.data + at * WIDE, c->collected, c->collected_count * sizeof(int32_t));
        uint32_t *first = job->lists->first.data;
        const int32_t *count = job->lists->count.data;
        for (int k = 0; k < c->point_count; k++) {
            first[c->points[k]] = (uint32_t)at;
            at += (size_t)WIDE_ROUND_UP(count[c->points[k]]) / WIDE;
        }
    }
    c->collected_count = 0;
    c->point_count = 0;
}

/* The list of one point, from the candidates of its cell. */
static void list_point(collector *c, int32_t i, int candidates, float h2) {
    const list_job *job = c->job;
    const wide_vec at = wide_vec_set(job->points[i].x);
    const wide range = wide_set(h2);
    const wide_int self = {i, i, i, i, i, i, i, i};
    int32_t *out = c->collected + c->collected_count;
    int n = 0;
    for (int k = 0; k < candidates; k += WIDE) {
        wide_vec x;
        wide_int index;
        x.x = wide_load(c->x[0] + k);
        x.y = wide_load(c->x[1] + k);
#if DIM == 3
        x.z = wide_load(c->x[2] + k);
#endif
        memcpy(&index, c->index + k, sizeof index);
        x = wide_vec_sub(at, x);
        n += wide_compress(out + n, index, wide_bits_less(wide_vec_dot(x, x), range) & ~wide_bits_equal(index, self));
    }
    for (int k = n; k < WIDE_ROUND_UP(n); k++) out[k] = job->null_index;
    ((int32_t *)job->lists->count.data)[i] = n;
    c->collected_count += (size_t)WIDE_ROUND_UP(n);
    c->points[c->point_count++] = i;
}

static void list_block(int begin, int end, int worker, void *context) {
    list_job *job = context;
    collector c = collector_of(job, worker);
    const float h2 = job->grid->cell * job->grid->cell;
    int most = 0;
    long long pairs = 0;
    for (int slot = begin; slot < end;) {
        int32_t cell[DIM];
        cell_at(job, slot, cell);
        const int cell_end = grid_cell_end(job->grid, cell), next = cell_end < end ? cell_end : end;
        const int candidates = collect_candidates(&c, cell);
        if (candidates < 0) {
            slot = next;
            continue;
        }
        for (; slot < next; slot++) {
            const int32_t i = point_at(job, slot);
            if (i >= job->count) continue; /* a periodic image needs no list */
            if (c.collected_count + (size_t)candidates + WIDE > job->collect_room) flush(&c);
            list_point(&c, i, candidates, h2);
            const int n = ((const int32_t *)job->lists->count.data)[i];
            if (n > most) most = n;
            pairs += n;
        }
    }
    flush(&c);
    raise_to(&job->most_neighbours, most);
    atomic_fetch_add(&job->pairs, pairs);
}

/* Scratch for neighbourhoods of up to `candidates` points. */
static bool reserve_scratch(list_job *job, memory *m, parallel *workers, size_t candidates) {
    job->candidate_room = (candidates + 3 * WIDE) & ~(size_t)(WIDE - 1);
    job->collect_room = job->candidate_room > COLLECT ? job->candidate_room : COLLECT;
    return buffer_reserve(m, &job->lists->scratch, scratch_size(job) * (size_t)parallel_workers(workers), 0);
}

/* One pass over all points; true if everything found its room. */
static bool try_build(list_job *job, parallel *workers) {
    job->capacity = job->lists->index.size / (sizeof(int32_t) * WIDE);
    atomic_store(&job->used, 0);
    atomic_store(&job->pairs, 0);
    atomic_store(&job->most_candidates, 0);
    parallel_for(workers, job->grid->point_count, BLOCK, list_block, job);
    return atomic_load(&job->used) <= job->capacity && atomic_load(&job->most_candidates) == 0;
}

rill_status lists_build(lists *l, const grid *g, memory *m, parallel *workers, const place *points, int count,
                        const int32_t *slots, int null_index, rill_error *error) {
    l->pairs = 0;
    l->max_count = 0;
    if (count == 0) return RILL_OK;
    list_job job = {.lists = l, .grid = g, .points = points, .slots = slots, .count = count, .null_index = null_index};
    if (!buffer_reserve(m, &l->first, sizeof(uint32_t) * (size_t)count, 0) ||
        !buffer_reserve(m, &l->count, sizeof(int32_t) * (size_t)count, 0) ||
        !reserve_scratch(&job, m, workers, l->candidate_room ? l->candidate_room : CANDIDATES))
        return rill_fail(error, RILL_MEMORY, "no memory for the neighbour lists of %d particles", count);
    /* At most three passes: one to learn of the fullest neighbourhood, one of the sum of all lists. */
    while (!try_build(&job, workers)) {
        const size_t candidates = (size_t)atomic_load(&job.most_candidates), used = atomic_load(&job.used);
        /* Neighbourhoods breathe: leave room, or every new maximum would allocate. */
        if (candidates > 0) l->candidate_room = candidates + candidates / 2;
        const bool more_lists = used > job.capacity;
        if (used > UINT32_MAX || (candidates > 0 && !reserve_scratch(&job, m, workers, l->candidate_room)) ||
            (more_lists && !buffer_reserve(m, &l->index, sizeof(int32_t) * WIDE * (used + used / 16 + 64), 0)))
            return rill_fail(error, RILL_MEMORY,
                             "no memory for %.3g neighbours of %d particles: are they piled on one spot? Check spacing "
                             "and blocks",
                             (double)used * WIDE, count);
    }
    l->pairs = atomic_load(&job.pairs);
    l->max_count = atomic_load(&job.most_neighbours);
    return RILL_OK;
}

void lists_free(lists *l, memory *m) {
    buffer *all[] = {&l->first, &l->count, &l->index, &l->scratch};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) buffer_free(m, all[k]);
}

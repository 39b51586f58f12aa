/* SPDX-License-Identifier: MIT */
/* Flat neighbour lists. The points of one cell share their candidates: the 3^DIM cells around it are copied once into
   wide columns, and every point of the cell tests eight candidates at a time. Workers take chunks of the common array
   and fill them. Where a list lies in it depends on the threads, its content does not. */
#include "sim/neighbours/neighbours.h"

#include <stdatomic.h>
#include <string.h>

/* Points that a worker takes at a time. */
#define BLOCK 512
/* Size of the chunks of the common array that workers take, in units of WIDE entries. */
#define CHUNK 2048
/* Initial room for the candidates of a neighbourhood. */
#define CANDIDATES 512
/* Offsets of the rows around a cell, in memory order. */
#if DIM == 2
static const int32_t rows[][2] = {{-1, 0}, {0, 0}, {1, 0}};
#else
static const int32_t rows[][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};
#endif
#define ROWS ((int)(sizeof rows / sizeof *rows))

/* What is left of the chunk that a worker took, in units of WIDE entries. */
typedef struct chunk {
    size_t at, end;
} chunk;

typedef struct list_job {
    lists *lists;
    const grid *grid;
    const place *points;
    const int32_t *slots; /* the point at each place of the sorted order; NULL: that is memory order */
    int count;            /* points that get a list */
    int null_index;
    size_t candidate_room; /* entries of each column of a worker's scratch */
    size_t capacity;       /* of the common array, in units of WIDE entries */
    atomic_size_t used;    /* of it, in the same units */
    chunk chunks[RILL_MAX_WORKERS];
    atomic_int most_candidates;
    atomic_int most_neighbours;
    atomic_llong pairs;
} list_job;

/* A worker's scratch: the columns of candidates, then room for a list that did not fit into the common array and is
   only counted. */
typedef struct collector {
    list_job *job;
    float *x[DIM];
    int32_t *index;
    int32_t *lost;
    chunk chunk;
} collector;

static size_t scratch_size(const list_job *job) {
    return sizeof(int32_t) * (DIM + 2) * job->candidate_room;
}

static collector collector_of(list_job *job, int worker) {
    char *memory = (char *)job->lists->scratch.data + (size_t)worker * scratch_size(job);
    collector c = {.job = job, .chunk = job->chunks[worker]};
    for (int axis = 0; axis < DIM; axis++) c.x[axis] = (float *)(void *)memory + (size_t)axis * job->candidate_room;
    c.index = (int32_t *)(void *)memory + (size_t)DIM * job->candidate_room;
    c.lost = c.index + job->candidate_room;
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

/* The box around the points of one cell. */
typedef struct bounds {
    vec low, high;
} bounds;

static bounds bounds_of(const list_job *job, int begin, int end) {
    bounds b = {job->points[point_at(job, begin)].x, job->points[point_at(job, begin)].x};
    for (int slot = begin + 1; slot < end; slot++) {
        const vec x = job->points[point_at(job, slot)].x;
        b.low = vec_min(b.low, x), b.high = vec_max(b.high, x);
    }
    return b;
}

/* Squared distance of eight points from a box. Every operation is monotonic and rounds as in the distance from a point
   in the box, so the result is never larger than that: no neighbour is lost. */
WIDE_FN wide distance2_from(bounds b, wide_vec x) {
    const wide zero = wide_zero();
#define AXIS(c) x.c = wide_max(wide_max(b.low.c - x.c, x.c - b.high.c), zero);
    FOR_AXES(AXIS)
#undef AXIS
    return wide_vec_dot(x, x);
}

/* Loads eight consecutive points of the sorted order. If that is memory order, they are loaded beyond the end of their
   array, which has room for it. Otherwise those after the first `left` become the null particle. */
WIDE_FN wide_int load_points(const list_job *job, int slot, int left, wide_vec *x) {
    wide_int index = wide_int_from(slot);
    wide m;
    if (job->slots) {
        const wide_int null = wide_int_from(0) * 0 + job->null_index, inside = wide_int_from(0) < left;
        memcpy(&index, job->slots + slot, sizeof index);
        index = (index & inside) | (null & ~inside);
        wide_gather_places(job->points, (const int32_t *)&index, x, &m);
    } else {
        static const int32_t lanes[] = {0, 1, 2, 3, 4, 5, 6, 7};
        wide_gather_places(job->points + slot, lanes, x, &m);
    }
    return index;
}

/* Copies to columns, from entry n on, those of `count` points from slot `slot` on that are near the box. Returns the
   new n. */
static int copy_points(const collector *c, bounds box, float h2, int slot, int count, int n) {
    for (int k = 0; k < count; k += WIDE) {
        wide_vec x;
        const wide_int index = load_points(c->job, slot + k, count - k, &x);
        const unsigned wanted = count - k < WIDE ? (1u << (count - k)) - 1u : 255u;
        const unsigned near = wanted & wide_bits_less(distance2_from(box, x), wide_set(h2));
        wide_compress((int32_t *)(void *)(c->x[0] + n), (wide_int)x.x, near);
        wide_compress((int32_t *)(void *)(c->x[1] + n), (wide_int)x.y, near);
#if DIM == 3
        wide_compress((int32_t *)(void *)(c->x[2] + n), (wide_int)x.z, near);
#endif
        n += wide_compress(c->index + n, index, near);
    }
    return n;
}

/* Copies to columns the points of the cells around `cell` that a point in `box` may have as neighbours, padded with the
   null particle. Returns their number, or -1 if the cells hold more than the scratch: their number is then recorded,
   and the caller makes room and starts again. */
static int collect_candidates(collector *c, const int32_t cell[DIM], bounds box, float h2) {
    list_job *job = c->job;
    int begin[ROWS], end[ROWS], n = 0;
    for (int r = 0; r < ROWS; r++) {
        rill_grid_row(job->grid, cell, rows[r], &begin[r], &end[r]);
        n += end[r] - begin[r];
    }
    if ((size_t)n + 2 * WIDE > job->candidate_room) {
        raise_to(&job->most_candidates, n);
        return -1;
    }
    n = 0;
    for (int r = 0; r < ROWS; r++) n = copy_points(c, box, h2, begin[r], end[r] - begin[r], n);
    const wide_int null = wide_int_from(0) * 0 + job->null_index;
    for (int axis = 0; axis < DIM; axis++)
        wide_store(c->x[axis] + n, wide_set(vec_get(job->points[job->null_index].x, axis)));
    memcpy(c->index + n, &null, sizeof null);
    return n;
}

/* Room for a list of up to `entries`. If the common array is full the list is only counted: the caller then grows the
   array and starts again. */
static int32_t *room_for(collector *c, size_t entries) {
    list_job *job = c->job;
    const size_t units = entries / WIDE + 1;
    if (c->chunk.at + units > c->chunk.end) {
        const size_t taken = units > CHUNK ? units : CHUNK;
        c->chunk.at = atomic_fetch_add_explicit(&job->used, taken, memory_order_relaxed);
        c->chunk.end = c->chunk.at + taken;
    }
    return c->chunk.end <= job->capacity ? (int32_t *)job->lists->index.data + c->chunk.at * WIDE : c->lost;
}

/* Makes the list of one point from the candidates of its cell. */
static void list_point(collector *c, int32_t i, int candidates, float h2) {
    const list_job *job = c->job;
    const wide_vec at = wide_vec_set(job->points[i].x);
    const wide range = wide_set(h2);
    const wide_int self = {i, i, i, i, i, i, i, i};
    int32_t *out = room_for(c, (size_t)candidates + WIDE);
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
    /* Padding without a branch, because its length is unpredictable. The next list overwrites the excess. */
    const wide_int null = wide_int_from(0) * 0 + job->null_index;
    memcpy(out + n, &null, sizeof null);
    ((int32_t *)job->lists->count.data)[i] = n;
    ((uint32_t *)job->lists->first.data)[i] = (uint32_t)c->chunk.at;
    c->chunk.at += (size_t)WIDE_ROUND_UP(n) / WIDE;
}

static void no_list(const list_job *job, int32_t i) {
    ((int32_t *)job->lists->count.data)[i] = 0;
    ((uint32_t *)job->lists->first.data)[i] = 0;
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
        const int cell_end = rill_grid_cell_end(job->grid, cell), next = cell_end < end ? cell_end : end;
        const int candidates = collect_candidates(&c, cell, bounds_of(job, slot, next), h2);
        if (candidates < 0) {
            slot = next;
            continue;
        }
        for (; slot < next; slot++) {
            const int32_t i = point_at(job, slot);
            if (i >= job->count) continue; /* a periodic image needs no list */
            if (job->lists->wanted && !job->lists->wanted[i]) {
                no_list(job, i);
                continue;
            }
            list_point(&c, i, candidates, h2);
            const int n = ((const int32_t *)job->lists->count.data)[i];
            if (n > most) most = n;
            pairs += n;
        }
    }
    job->chunks[worker] = c.chunk;
    raise_to(&job->most_neighbours, most);
    atomic_fetch_add(&job->pairs, pairs);
}

/* Reserves scratch for neighbourhoods of up to `candidates` points. */
static bool reserve_scratch(list_job *job, memory *m, parallel *workers, size_t candidates) {
    job->candidate_room = (candidates + 3 * WIDE) & ~(size_t)(WIDE - 1);
    return rill_buffer_reserve(m, &job->lists->scratch, scratch_size(job) * (size_t)rill_parallel_workers(workers), 0);
}

/* One pass over all points; true if everything fitted. */
static bool try_build(list_job *job, parallel *workers) {
    job->capacity = job->lists->index.size / (sizeof(int32_t) * WIDE);
    atomic_store(&job->used, 0);
    atomic_store(&job->pairs, 0);
    atomic_store(&job->most_candidates, 0);
    memset(job->chunks, 0, sizeof job->chunks);
    rill_parallel_for_workers(workers, job->grid->point_count, BLOCK, list_block, job);
    return atomic_load(&job->used) <= job->capacity && atomic_load(&job->most_candidates) == 0;
}

rill_status rill_lists_build(lists *l, const grid *g, memory *m, parallel *workers, const place *points, int count,
                             const int32_t *slots, int null_index, rill_error *error) {
    l->pairs = 0;
    l->max_count = 0;
    if (count == 0) return RILL_OK;
    list_job job = {.lists = l, .grid = g, .points = points, .slots = slots, .count = count, .null_index = null_index};
    const size_t all = (size_t)(count > l->room ? count : l->room);
    if (!rill_buffer_reserve(m, &l->first, sizeof(uint32_t) * all, 0) ||
        !rill_buffer_reserve(m, &l->count, sizeof(int32_t) * all, 0) ||
        !reserve_scratch(&job, m, workers, l->candidate_room ? l->candidate_room : CANDIDATES))
        return rill_fail(error, RILL_MEMORY, "no memory for the neighbour lists of %d particles", count);
    /* At most three passes: one to learn the size of the fullest neighbourhood, one that of all lists together. */
    while (!try_build(&job, workers)) {
        const size_t candidates = (size_t)atomic_load(&job.most_candidates), used = atomic_load(&job.used);
        /* Leave room, or every new maximum would allocate. */
        if (candidates > 0) l->candidate_room = candidates + candidates / 2;
        const bool more_lists = used > job.capacity;
        const size_t room = used + (size_t)rill_parallel_workers(workers) * CHUNK;
        if (used > UINT32_MAX || (candidates > 0 && !reserve_scratch(&job, m, workers, l->candidate_room)) ||
            (more_lists && !rill_buffer_grow(m, &l->index, sizeof(int32_t) * WIDE * room, 0)))
            return rill_fail(error, RILL_MEMORY,
                             "no memory for %.3g neighbours of %d particles: are they piled on one spot? Check spacing "
                             "and blocks",
                             (double)used * WIDE, count);
    }
    l->pairs = atomic_load(&job.pairs);
    l->max_count = atomic_load(&job.most_neighbours);
    return RILL_OK;
}

rill_status rill_lists_skip(lists *l, memory *m, int begin, int end, rill_error *error) {
    const size_t all = (size_t)(end > l->room ? end : l->room), kept = (size_t)begin;
    if (!rill_buffer_reserve(m, &l->first, sizeof(uint32_t) * all, sizeof(uint32_t) * kept) ||
        !rill_buffer_reserve(m, &l->count, sizeof(int32_t) * all, sizeof(int32_t) * kept))
        return rill_fail(error, RILL_MEMORY, "no memory for the neighbour lists of %d particles", end);
    for (int i = begin; i < end; i++) ((uint32_t *)l->first.data)[i] = 0, ((int32_t *)l->count.data)[i] = 0;
    return RILL_OK;
}

void rill_lists_free(lists *l, memory *m) {
    buffer *all[] = {&l->first, &l->count, &l->index, &l->scratch};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) rill_buffer_free(m, all[k]);
}

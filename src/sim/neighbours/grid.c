/* SPDX-License-Identifier: MIT */
/* Cell sort: a stable counting sort over the cells of the bounding box if these are not many more than the points, and
   otherwise a radix sort of the cells' coordinates (a lost particle a million metres away must neither cost memory nor
   wrap around). Both give the same order: by (z, y, x) of the cell, and within a cell the order of the points
   before. */
#include "sim/neighbours/neighbours.h"

#include <string.h>

/* A dense table may hold CELLS_PER_POINT cells for each point, plus CELLS_FREE. */
#define CELLS_PER_POINT 4
#define CELLS_FREE      65536
/* Chunks of points, each with its own histogram; more would only cost memory. */
#define CHUNKS_MAX 8

typedef struct sort_job {
    grid *grid;
    const place *points;
    int count, chunks, cells;
    int32_t low[CHUNKS_MAX][DIM], high[CHUNKS_MAX][DIM];
    bool finite[CHUNKS_MAX]; /* whether all points of the chunk are */
} sort_job;

/* Reserves a buffer for `count` points, or for the capacity of the particle arrays if that is more. */
static bool reserve_points(const grid *g, memory *m, buffer *b, int count, size_t size) {
    return rill_buffer_reserve(m, b, size * (size_t)(count > g->room ? count : g->room), 0);
}

/* First point of a chunk. The number of chunks depends on the workers but changes no result: a stable sort has only
   one. */
static int chunk_begin(const sort_job *job, int chunk) {
    return (int)((int64_t)job->count * chunk / job->chunks);
}

static void point_cell(const grid *g, vec x, int32_t c[DIM]) {
    c[0] = grid_coordinate(g, x.x);
    c[1] = grid_coordinate(g, x.y);
#if DIM == 3
    c[2] = grid_coordinate(g, x.z);
#endif
}

/* Index of a cell in the table, x fastest: the three cells of a row of neighbours are consecutive, and so are their
   points (rill_grid_row). */
static int dense_cell(const grid *g, const int32_t c[DIM]) {
    int cell = c[DIM - 1] - g->low[DIM - 1];
    for (int axis = DIM - 2; axis >= 0; axis--) cell = cell * g->size[axis] + (c[axis] - g->low[axis]);
    return cell;
}

/* Finds the cells that bound a chunk. Rounding to cells is monotonic, so only the corners of the box are rounded. */
static void bound_chunk(int chunk, int end, void *context) {
    (void)end;
    sort_job *job = context;
    vec low = job->points[0].x, high = low;
    job->finite[chunk] = true;
    for (int i = chunk_begin(job, chunk), last = chunk_begin(job, chunk + 1); i < last; i++) {
        low = vec_min(low, job->points[i].x);
        high = vec_max(high, job->points[i].x);
        job->finite[chunk] &= vec_finite(job->points[i].x);
    }
    point_cell(job->grid, low, job->low[chunk]);
    point_cell(job->grid, high, job->high[chunk]);
}

/* Counts the points of each cell in a chunk, and keeps each point's cell for place_chunk. */
static void count_chunk(int chunk, int end, void *context) {
    (void)end;
    sort_job *job = context;
    const grid *g = job->grid;
    int32_t *counts = (int32_t *)g->counts.data + (size_t)chunk * (size_t)job->cells, *cell_of = g->cell_of.data;
    memset(counts, 0, sizeof(int32_t) * (size_t)job->cells);
    for (int i = chunk_begin(job, chunk), last = chunk_begin(job, chunk + 1); i < last; i++) {
        int32_t c[DIM];
        point_cell(g, job->points[i].x, c);
        const int cell = dense_cell(g, c);
        cell_of[i] = cell;
        counts[cell]++;
    }
}

static void place_chunk(int chunk, int end, void *context) {
    (void)end;
    sort_job *job = context;
    int32_t *next = (int32_t *)job->grid->counts.data + (size_t)chunk * (size_t)job->cells;
    int32_t *order = job->grid->order.data;
    const int32_t *cell_of = job->grid->cell_of.data;
    for (int i = chunk_begin(job, chunk), last = chunk_begin(job, chunk + 1); i < last; i++)
        order[next[cell_of[i]]++] = i;
}

/* Turns the chunks' histograms into the places where each chunk's points of a cell begin. Within a cell the chunks keep
   their order, which makes the sort stable: particles that stay in a cell keep their order from step to step, and with
   it the order of every sum over neighbours. */
static void prefix_sum(sort_job *job) {
    int32_t *counts = job->grid->counts.data, *start = job->grid->start.data;
    int32_t sum = 0;
    for (int cell = 0; cell < job->cells; cell++) {
        start[cell] = sum;
        for (int chunk = 0; chunk < job->chunks; chunk++) {
            int32_t *entry = &counts[(size_t)chunk * (size_t)job->cells + (size_t)cell];
            const int32_t n = *entry;
            *entry = sum;
            sum += n;
        }
    }
    start[job->cells] = sum;
}

/* Lays out the table for the bounding box, with an empty border so that the neighbours of a cell always exist. False if
   it is too large, or a point is not finite. */
static bool lay_table(sort_job *job, parallel *workers) {
    grid *g = job->grid;
    rill_parallel_for(workers, job->chunks, 1, bound_chunk, job);
    for (int chunk = 0; chunk < job->chunks; chunk++)
        if (!job->finite[chunk]) return false;
    double cells = 1;
    for (int axis = 0; axis < DIM; axis++) {
        int32_t low = job->low[0][axis], high = job->high[0][axis];
        for (int chunk = 1; chunk < job->chunks; chunk++) {
            if (job->low[chunk][axis] < low) low = job->low[chunk][axis];
            if (job->high[chunk][axis] > high) high = job->high[chunk][axis];
        }
        g->low[axis] = low - 1;
        const double size = (double)high - (double)low + 3;
        cells *= size;
        if (cells > (double)job->count * CELLS_PER_POINT + CELLS_FREE) return false;
        g->size[axis] = (int32_t)size;
    }
    job->cells = (int)cells;
    return true;
}

/* Reserves half as much again, because the box grows by whole layers of cells. */
static bool reserve_cells(memory *m, buffer *b, size_t cells) {
    const size_t size = sizeof(int32_t) * cells;
    return size <= b->size || rill_buffer_reserve(m, b, size + size / 2, 0);
}

static bool sort_dense(sort_job *job, memory *m, parallel *workers) {
    grid *g = job->grid;
    const size_t cells = (size_t)job->cells;
    if (!reserve_cells(m, &g->start, cells + 1) || !reserve_cells(m, &g->counts, cells * (size_t)job->chunks) ||
        !reserve_points(g, m, &g->cell_of, job->count, sizeof(int32_t)))
        return false;
    rill_parallel_for(workers, job->chunks, 1, count_chunk, job);
    prefix_sum(job);
    rill_parallel_for(workers, job->chunks, 1, place_chunk, job);
    return true;
}

/* One stable pass of a radix sort by a byte of one coordinate. Returns false, and sorts nothing, if the byte is the
   same for all points, which is usual for points near each other. The sign bit is flipped so that negative coordinates
   come first. */
static bool radix_pass(const grid *g, const place *points, int count, int axis, int shift, const int32_t *from,
                       int32_t *to) {
    int32_t next[256] = {0};
    int32_t c[DIM];
#define DIGIT(i) (point_cell(g, points[i].x, c), ((uint32_t)c[axis] + 0x80000000u) >> shift & 255u)
    for (int k = 0; k < count; k++) next[DIGIT(from[k])]++;
    if (next[DIGIT(from[0])] == count) return false;
    for (int d = 0, sum = 0; d < 256; d++) {
        const int n = next[d];
        next[d] = sum;
        sum += n;
    }
    for (int k = 0; k < count; k++) to[next[DIGIT(from[k])]++] = from[k];
#undef DIGIT
    return true;
}

/* Lists only cells with points: their number is bounded by that of the points, wherever these lie. */
static void list_occupied(grid *g, const place *points, int count) {
    const int32_t *order = g->order.data;
    int32_t *start = g->start.data;
    int32_t(*cells)[DIM] = g->coordinates.data;
    g->occupied = 0;
    for (int k = 0; k < count; k++) {
        int32_t c[DIM];
        point_cell(g, points[order[k]].x, c);
        if (g->occupied == 0 || memcmp(c, cells[g->occupied - 1], sizeof c) != 0) {
            memcpy(cells[g->occupied], c, sizeof c);
            start[g->occupied++] = k;
        }
    }
    start[g->occupied] = count;
}

static bool sort_sparse(sort_job *job, memory *m) {
    grid *g = job->grid;
    const size_t n = (size_t)job->count;
    if (!reserve_points(g, m, &g->order_spare, job->count, sizeof(int32_t)) ||
        !reserve_points(g, m, &g->start, job->count + 1, sizeof(int32_t)) ||
        !reserve_points(g, m, &g->coordinates, job->count, sizeof(int32_t[DIM])))
        return false;
    int32_t *order = g->order.data, *spare = g->order_spare.data;
    for (int i = 0; i < job->count; i++) order[i] = i;
    /* From the least significant key to the most significant: x first, the last axis last. */
    for (int axis = 0; axis < DIM; axis++) {
        for (int shift = 0; shift < 32; shift += 8) {
            if (!radix_pass(g, job->points, job->count, axis, shift, order, spare)) continue;
            int32_t *swap = order;
            order = spare;
            spare = swap;
        }
    }
    if (order != g->order.data) memcpy(g->order.data, order, sizeof(int32_t) * n);
    list_occupied(g, job->points, job->count);
    return true;
}

rill_status rill_grid_sort(grid *g, memory *m, parallel *workers, const place *points, int count, float cell,
                           rill_error *error) {
    g->cell = cell;
    g->inverse_cell = 1.0f / cell;
    g->point_count = count;
    g->occupied = 0;
    if (count == 0) return RILL_OK;
    sort_job job = {.grid = g, .points = points, .count = count};
    job.chunks = rill_parallel_workers(workers) < CHUNKS_MAX ? rill_parallel_workers(workers) : CHUNKS_MAX;
    if (count < 4096) job.chunks = 1;
    /* Lists read the order in whole wide vectors, beyond its end. */
    bool ok = reserve_points(g, m, &g->order, count + WIDE, sizeof(int32_t));
    if (ok) {
        g->dense = lay_table(&job, workers);
        ok = g->dense ? sort_dense(&job, m, workers) : sort_sparse(&job, m);
    }
    return ok ? RILL_OK : rill_fail(error, RILL_MEMORY, "no memory to sort %d particles into cells", count);
}

void rill_grid_free(grid *g, memory *m) {
    buffer *all[] = {&g->cell_of, &g->counts, &g->start, &g->order, &g->order_spare, &g->coordinates};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) rill_buffer_free(m, all[k]);
}

/* The first occupied cell not before `c` in the order (z, y, x). */
static int sparse_lower_bound(const grid *g, const int32_t c[DIM]) {
    const int32_t(*cells)[DIM] = g->coordinates.data;
    int low = 0, high = g->occupied;
    while (low < high) {
        const int middle = (low + high) / 2;
        int axis = DIM - 1;
        while (axis > 0 && cells[middle][axis] == c[axis]) axis--;
        if (cells[middle][axis] < c[axis])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Three cells along x are one range of points in both layouts, so a neighbour search reads 3 ranges in 2D and 9 in 3D
   instead of 9 and 27 cells. The table's border guarantees that its first and last cell exist for every point. */
void rill_grid_row(const grid *g, const int32_t c[DIM], const int32_t row[2], int *begin, int *end) {
    const int32_t *start = g->start.data;
    int32_t from[DIM], to[DIM];
    from[0] = c[0] - 1, to[0] = c[0] + 2;
    for (int axis = 1; axis < DIM; axis++) from[axis] = to[axis] = c[axis] + row[axis - 1];
    if (g->dense) {
        const int cell = dense_cell(g, from);
        *begin = start[cell];
        *end = start[cell + 3];
    } else {
        *begin = start[sparse_lower_bound(g, from)];
        *end = start[sparse_lower_bound(g, to)];
    }
}

void rill_grid_cell(const grid *g, const int32_t c[DIM], int *begin, int *end) {
    const int32_t *start = g->start.data;
    *begin = *end = 0;
    if (g->point_count == 0) return;
    if (g->dense) {
        for (int axis = 0; axis < DIM; axis++)
            if (c[axis] < g->low[axis] || c[axis] >= g->low[axis] + g->size[axis]) return;
        *begin = start[dense_cell(g, c)], *end = start[dense_cell(g, c) + 1];
        return;
    }
    const int cell = sparse_lower_bound(g, c);
    if (cell == g->occupied || memcmp(((const int32_t(*)[DIM])g->coordinates.data)[cell], c, sizeof(int32_t[DIM])) != 0)
        return;
    *begin = start[cell], *end = start[cell + 1];
}

int rill_grid_cell_end(const grid *g, const int32_t c[DIM]) {
    const int32_t *start = g->start.data;
    return start[(g->dense ? dense_cell(g, c) : sparse_lower_bound(g, c)) + 1];
}

/* SPDX-License-Identifier: MIT */
/* Candidates for the surface: the points of a cell whose neighbourhood of cells has fewer points than in a full fluid.
   Each pair acts on both of its particles, so every particle in the cells around candidates gets a list. */
#include "sim/force/surface_search.h"

#include "sim/neighbours/neighbours.h"

/* From this share of a full neighbourhood of cells on, no surface is near. A flat surface that removes less is so far
   from the middle cell that the colour field has no gradient there. */
#define FULL_SHARE 0.93f

typedef struct search_job {
    const rill_world *world;
    const surface_search *search;
    int points; /* particles and images */
    float full; /* points below which a neighbourhood of cells may hold a surface */
    uint8_t *edge, *wanted;
} search_job;

/* Called by over_rows for the points of each row of three cells around a cell; true ends the search. */
typedef bool row_fn(const search_job *job, int begin, int end, int *sum);

/* Returns whether `fn` ended the search. */
static bool over_rows(const search_job *job, const int32_t cell[DIM], row_fn *fn, int *sum) {
    for (int32_t z = DIM == 3 ? -1 : 0; z <= (DIM == 3 ? 1 : 0); z++)
        for (int32_t y = -1; y <= 1; y++) {
            int begin, end;
            rill_grid_row(&job->search->grid, cell, (int32_t[2]){y, z}, &begin, &end);
            if (fn(job, begin, end, sum)) return true;
        }
    return false;
}

static bool count_row(const search_job *job, int begin, int end, int *sum) {
    (void)job;
    *sum += end - begin;
    return false;
}

static bool has_edge(const search_job *job, int begin, int end, int *sum) {
    (void)sum;
    const int32_t *order = job->search->grid.order.data;
    for (int slot = begin; slot < end; slot++)
        if (job->edge[order[slot]]) return true;
    return false;
}

/* Marks all points of a cell with one value. */
static void mark_cells(const search_job *job, int begin, int end, row_fn *fn, uint8_t *marks) {
    const grid *g = &job->search->grid;
    const int32_t *order = g->order.data;
    for (int slot = begin; slot < end;) {
        int32_t cell[DIM];
        for (int axis = 0; axis < DIM; axis++)
            cell[axis] = grid_coordinate(g, vec_get(places_of(job->world)[order[slot]].x, axis));
        const int cell_end = rill_grid_cell_end(g, cell), next = cell_end < end ? cell_end : end;
        int sum = 0;
        const bool found = over_rows(job, cell, fn, &sum);
        const uint8_t mark = fn == count_row ? (float)sum < job->full : found;
        for (; slot < next; slot++) marks[order[slot]] = mark;
    }
}

static void edge_block(int begin, int end, void *context) {
    const search_job *job = context;
    mark_cells(job, begin, end, count_row, job->edge);
}

static void wanted_block(int begin, int end, void *context) {
    const search_job *job = context;
    mark_cells(job, begin, end, has_edge, job->wanted);
}

rill_status rill_surface_search(rill_world *w, float reach) {
    surface_search *s = &sim_of(w)->surface;
    const int n = fluid_count(w), points = n + sim_of(w)->halo.count;
    const size_t room = (size_t)w->particles.capacity;
    if (!rill_buffer_reserve(&w->memory, &s->edge, room, 0) || !rill_buffer_reserve(&w->memory, &s->wanted, room, 0))
        return rill_fail(&w->error, RILL_MEMORY, "no memory for the surface of %d particles", n);
    s->grid.room = s->lists.room = w->particles.capacity;
    TRY(rill_grid_sort(&s->grid, &w->memory, w->workers, places_of(w), points, reach, &w->error));
    search_job job = {.world = w,
                      .search = s,
                      .points = points,
                      .full = FULL_SHARE * dim_power(3.0f * reach / w->def.spacing),
                      .edge = s->edge.data,
                      .wanted = s->wanted.data};
    rill_parallel_for(w->workers, points, REDUCE_BLOCK, edge_block, &job);
    rill_halo_exchange(w, &HALO_VALUES(job.edge),
                       1); /* a period is not a whole number of cells: images may differ from their particles */
    rill_parallel_for(w->workers, points, REDUCE_BLOCK, wanted_block, &job);
    s->lists.wanted = job.wanted;
    return rill_lists_build(&s->lists, &s->grid, &w->memory, w->workers, places_of(w), n, s->grid.order.data,
                            w->particles.count + sim_of(w)->halo.count, &w->error);
}

/* SPDX-License-Identifier: MIT */
/* The neighbour search: cell sort, periodic images, flat lists. */
#ifndef RILL_SIM_NEIGHBOURS_NEIGHBOURS_H
#define RILL_SIM_NEIGHBOURS_NEIGHBOURS_H

#include "sim/sim.h"

/* Sorts `count` points into cells of edge `cell`: fills grid->order (a stable order by cell) and the cell look-up. Any
   position is allowed, even NaN: the domain has no bounds, and the end of a step reports positions that are not
   finite. */
rill_status rill_grid_sort(grid *g, memory *m, parallel *workers, const place *points, int count, float cell,
                           rill_error *error);
void rill_grid_free(grid *g, memory *m);

/* Coordinate of a point's cell along one axis. Far away, where floats are coarser than cells, it saturates; points that
   are close together still get the same or adjacent cells. NaN saturates too. */
static inline int32_t grid_coordinate(const grid *g, float x) {
    const float limit = 1073741824.0f; /* 2^30 */
    const float c = floorf(x * g->inverse_cell);
    return (int32_t)(c > -limit ? c < limit ? c : limit : -limit);
}

/* The points of the cells (x-1 .. x+1) of one row, as a range [begin, end) of the sorted order. `row` is the row's
   offset from the cell `c` along the other axes: {dy} or {dy, dz}. */
void rill_grid_row(const grid *g, const int32_t c[DIM], const int32_t row[2], int *begin, int *end);

/* The points of any cell, even beyond the grid, as a range [begin, end) of the sorted order. */
void rill_grid_cell(const grid *g, const int32_t c[DIM], int *begin, int *end);

/* End of the range of an occupied cell. */
int rill_grid_cell_end(const grid *g, const int32_t c[DIM]);

/* Builds flat lists for the first `count` points. In memory they must be in sorted order, unless `slots` (the grid's
   order) gives the point at each place of the sorted order. Lists are padded with `null_index`. */
rill_status rill_lists_build(lists *l, const grid *g, memory *m, parallel *workers, const place *points, int count,
                             const int32_t *slots, int null_index, rill_error *error);
/* Makes empty lists for the points [begin, end), which are not in the grid. */
rill_status rill_lists_skip(lists *l, memory *m, int begin, int end, rill_error *error);
void rill_lists_free(lists *l, memory *m);

/* Wraps particles back into the periodic box. */
void rill_halo_wrap(rill_world *world);
/* Makes the images within `reach` of the periodic faces, behind the particles: their places, masses and fluids. Other
   fields of an image are undefined until rill_halo_exchange has copied them. Does nothing in an open domain. */
rill_status rill_halo_build(rill_world *world, float reach);
/* An array whose values images copy from their particles. */
typedef struct halo_array {
    void *data;
    size_t size, stride; /* bytes to copy, and bytes from one point to the next */
    bool moved;          /* places that have moved since: an image keeps its offset from its particle */
} halo_array;
#define HALO_VALUES(array) ((halo_array){.data = (array), .size = sizeof *(array), .stride = sizeof *(array)})
#define HALO_PLACES(array) \
    ((halo_array){.data = (array), .size = sizeof(place), .stride = sizeof(place), .moved = true})

/* Copies values to all images, several arrays at once: needed between a loop that writes the particles' own values and
   one that reads those of neighbours. */
void rill_halo_exchange(const rill_world *world, const halo_array *arrays, int count);
/* The particle of point k, which may be an image: for loops that write to their neighbours. */
static inline int32_t halo_owner(const rill_world *w, int32_t k) {
    const int32_t count = w->particles.count;
    return k < count ? k : ((const int32_t *)sim_of(w)->halo.source.data)[k - count];
}

static inline bool halo_needed(const rill_world *w) {
    return w->def.periodic.x > 0 || w->def.periodic.y > 0 || (DIM == 3 && w->def.periodic.z > 0);
}

#endif

/* SPDX-License-Identifier: MIT */
/* The search for neighbours: cell sort, periodic images, flat lists. */
#ifndef RILL_SIM_NEIGHBOURS_NEIGHBOURS_H
#define RILL_SIM_NEIGHBOURS_NEIGHBOURS_H

#include "sim/sim.h"

/* Sorts `count` points into cells of edge `cell`: fills grid->order (a stable order by cell) and the cell look-up.
   Any position is fine, NaN included: the domain has no bounds, and the end of a step reports what is not finite. */
rill_status rill_grid_sort(grid *g, memory *m, parallel *workers, const place *points, int count, float cell,
                           rill_error *error);
void rill_grid_free(grid *g, memory *m);

/* Coordinates of the cell of a point. Far away, where floats are coarser than cells, coordinates saturate; points that
   are close together still land in the same or in adjacent cells. NaN saturates too. */
static inline int32_t grid_coordinate(const grid *g, float x) {
    const float limit = 1073741824.0f; /* 2^30 */
    const float c = floorf(x * g->inverse_cell);
    return (int32_t)(c > -limit ? c < limit ? c : limit : -limit);
}

/* Points in sorted order of the cells (x-1 .. x+1) in one row: [begin, end). `row` is the row's offset from the cell
   `c` along the other axes: {dy} or {dy, dz}. */
void rill_grid_row(const grid *g, const int32_t c[DIM], const int32_t row[2], int *begin, int *end);

/* Points in sorted order of any cell, one beyond the grid too: [begin, end). */
void rill_grid_cell(const grid *g, const int32_t c[DIM], int *begin, int *end);

/* End in sorted order of the points of an occupied cell. */
int rill_grid_cell_end(const grid *g, const int32_t c[DIM]);

/* Flat lists of the first `count` points, which must lie in sorted order unless `slots` (the grid's order) tells where
   each sorted point lies. `null_index` pads. */
rill_status rill_lists_build(lists *l, const grid *g, memory *m, parallel *workers, const place *points, int count,
                             const int32_t *slots, int null_index, rill_error *error);
/* Empty lists for the points [begin, end), which are not in the grid. */
rill_status rill_lists_skip(lists *l, memory *m, int begin, int end, rill_error *error);
void rill_lists_free(lists *l, memory *m);

/* Brings particles back into the periodic box. */
void rill_halo_wrap(rill_world *world);
/* Makes the images within `reach` of the periodic faces, behind the particles: their places, masses and fluids. Other
   fields of an image hold nothing until rill_halo_exchange has copied them. Does nothing in an open domain. */
rill_status rill_halo_build(rill_world *world, float reach);
/* Fields that images copy from their particles. */
typedef struct halo_array {
    void *data;
    size_t size, stride; /* bytes that are copied, and from one point to the next */
    bool moved;          /* places that have moved since: an image stays as far from its particle as it was found */
} halo_array;
#define HALO_VALUES(array) ((halo_array){.data = (array), .size = sizeof *(array), .stride = sizeof *(array)})
#define HALO_PLACES(array) \
    ((halo_array){.data = (array), .size = sizeof(place), .stride = sizeof(place), .moved = true})

/* Brings the values of all images up to date, several arrays at once. A loop that reads its neighbours' values needs it
   after one that wrote the particles' own. */
void rill_halo_exchange(const rill_world *world, const halo_array *arrays, int count);
/* The particle that point k is or is a copy of: for loops that write to their neighbours. */
static inline int32_t halo_owner(const rill_world *w, int32_t k) {
    const int32_t count = w->particles.count;
    return k < count ? k : ((const int32_t *)sim_of(w)->halo.source.data)[k - count];
}

static inline bool halo_needed(const rill_world *w) {
    return w->def.periodic.x > 0 || w->def.periodic.y > 0 || (DIM == 3 && w->def.periodic.z > 0);
}

#endif

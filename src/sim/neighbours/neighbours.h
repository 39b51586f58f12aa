/* SPDX-License-Identifier: MIT */
/* Who is near whom: cell sort, periodic images, flat lists. */
#ifndef RILL_SIM_NEIGHBOURS_NEIGHBOURS_H
#define RILL_SIM_NEIGHBOURS_NEIGHBOURS_H

#include "sim/sim.h"

/* Sorts `count` points into cells of edge `cell`: fills grid->order (a stable order by cell) and the cell look-up.
   Any position is fine, NaN included: the domain has no bounds, and the end of a step reports what is not finite. */
rill_status grid_sort(grid *g, memory *m, parallel *workers, const place *points, int count, float cell,
                      rill_error *error);
void grid_free(grid *g, memory *m);

/* Coordinates of the cell of a point. Far away, where floats are coarser than cells, coordinates saturate; points that
   are close together still land in the same or in adjacent cells. NaN saturates too. */
static inline int32_t grid_coordinate(const grid *g, float x) {
    const float limit = 1073741824.0f; /* 2^30 */
    const float c = floorf(x * g->inverse_cell);
    return (int32_t)(c > -limit ? c < limit ? c : limit : -limit);
}

/* Points in sorted order of the cells (x-1 .. x+1) in one row: [begin, end). `row` is the row's offset from the cell
   `c` along the other axes: {dy} or {dy, dz}. */
void grid_row(const grid *g, const int32_t c[DIM], const int32_t row[2], int *begin, int *end);

/* End in sorted order of the points of an occupied cell. */
int grid_cell_end(const grid *g, const int32_t c[DIM]);

/* Flat lists of the first `count` points, which must lie in sorted order unless `slots` (the grid's order) tells where
   each sorted point lies. `null_index` pads. */
rill_status lists_build(lists *l, const grid *g, memory *m, parallel *workers, const place *points, int count,
                        const int32_t *slots, int null_index, rill_error *error);
void lists_free(lists *l, memory *m);

/* Brings particles back into the periodic box. */
void halo_wrap(rill_world *world);
/* Makes the images within `reach` of the periodic faces, behind the particles: their places, masses and fluids. Other
   fields of an image hold nothing until halo_update has copied them. Does nothing in an open domain. */
rill_status halo_build(rill_world *world, float reach);
/* Copies an array's values from the particles to their images. */
void halo_update(const rill_world *world, void *data, size_t size);

static inline bool halo_needed(const rill_world *w) {
    return w->def.periodic.x > 0 || w->def.periodic.y > 0 || (DIM == 3 && w->def.periodic.z > 0);
}

#endif

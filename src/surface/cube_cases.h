/* SPDX-License-Identifier: MIT */
/* Marching cubes: which triangles each of the 256 sign patterns of a cube gives. The table is made by rule instead of
   typed in, so that what it promises can be read off the rule:
   - On a face whose diagonal corners are inside and the others outside, the inside ones are joined. Both cubes at the
     face decide from the same four signs, so their triangles meet: no holes.
   - No triangle edge runs across a face except along its cut, so an edge never belongs to more than two triangles.
   Hence every mesh is closed and manifold, whatever the values are. (The interior tests of MC33 would follow the
   trilinear field more faithfully inside a cube, at the price of more patterns; the difference is below a cell.) */
#ifndef RILL_SURFACE_CUBE_CASES_H
#define RILL_SURFACE_CUBE_CASES_H

#include <stdint.h>

#define CUBE_TRIANGLES_MAX 5

typedef struct cube_case {
    uint8_t count;
    uint8_t triangle[CUBE_TRIANGLES_MAX][3]; /* numbers of cube edges */
} cube_case;

/* Bit k of a pattern: corner (k & 1, k >> 1 & 1, k >> 2) is inside. Edge 4 a + n runs along axis a, and n counts the
   four of them: bit 0 is the next axis' coordinate (cyclic), bit 1 the one's after it. */
typedef struct cube_cases {
    cube_case of[256];
} cube_cases;

void rill_cube_cases_make(cube_cases *cases);

/* The lower corner of an edge. */
static inline void cube_edge_corner(int edge, int corner[3]) {
    int axis = edge / 4, next = (axis + 1) % 3, last = (axis + 2) % 3;
    corner[axis] = 0, corner[next] = edge & 1, corner[last] = edge >> 1 & 1;
}

#endif

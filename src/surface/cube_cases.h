/* SPDX-License-Identifier: MIT */
/* Marching cubes: the triangles for each of the 256 sign patterns of a cube. The table is computed from two rules
   rather than typed in:
   - On a face with two opposite corners inside and the others outside, the inside corners are joined. Both cubes at the
     face decide from the same four signs, so their triangles meet and leave no hole.
   - No triangle edge crosses a face except along its cut, so an edge never belongs to more than two triangles.
   Hence every mesh is closed and manifold for any values. (The interior tests of MC33 would follow the trilinear field
   more closely inside a cube, at the price of more patterns; the difference is less than a cell.) */
#ifndef RILL_SURFACE_CUBE_CASES_H
#define RILL_SURFACE_CUBE_CASES_H

#include <stdint.h>

#define CUBE_TRIANGLES_MAX 5

typedef struct cube_case {
    uint8_t count;
    uint8_t triangle[CUBE_TRIANGLES_MAX][3]; /* numbers of cube edges */
} cube_case;

/* Bit k of a pattern: corner (k & 1, k >> 1 & 1, k >> 2) is inside. Edge 4 a + n runs along axis a. Of n, bit 0 is the
   coordinate along the next axis (cyclic) and bit 1 that along the one after it. */
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

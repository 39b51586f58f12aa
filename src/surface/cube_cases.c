/* SPDX-License-Identifier: MIT */
/* Computes the table of marching cubes: cuts each face by rule, joins the cuts to loops, fills the loops. */
#include "surface/cube_cases.h"

#include <stdbool.h>
#include <string.h>

static int corner_bit(const int corner[3]) {
    return corner[0] | corner[1] << 1 | corner[2] << 2;
}

/* The edge between two neighbouring corners. */
static int edge_between(int a, int b) {
    int axis = (a ^ b) >> 1, low = a & b, next = (axis + 1) % 3, last = (axis + 2) % 3;
    return 4 * axis + (low >> next & 1) + 2 * (low >> last & 1);
}

static bool share_a_face(int edge, int other) {
    int a[3], b[3];
    cube_edge_corner(edge, a), cube_edge_corner(other, b);
    for (int axis = 0; axis < 3; axis++)
        if (axis != edge / 4 && axis != other / 4 && a[axis] == b[axis]) return true;
    return false;
}

/* Corners of a face, counter-clockwise seen from outside the cube. */
static void face_corners(int axis, int side, int corners[4]) {
    static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (int k = 0; k < 4; k++) {
        const int *at = around[side ? k : 3 - k];
        int corner[3];
        corner[axis] = side, corner[(axis + 1) % 3] = at[0], corner[(axis + 2) % 3] = at[1];
        corners[k] = corner_bit(corner);
    }
}

/* Going counter-clockwise round a face, a cut leads from the edge where the inside ends to the edge where it begins
   again. So the inside is on its left, seen from outside the cube. If two opposite corners are inside there are two
   cuts, each around one outside corner, which joins the inside corners. */
static void cut_face(int pattern, int axis, int side, int next[12]) {
    int corners[4];
    face_corners(axis, side, corners);
    for (int k = 0; k < 4; k++) {
        bool here = pattern >> corners[k] & 1, there = pattern >> corners[(k + 1) % 4] & 1;
        if (!here || there) continue;
        /* the inside ends between k and k + 1: find where it begins again */
        int m = (k + 1) % 4;
        while (!(pattern >> corners[(m + 1) % 4] & 1)) m = (m + 1) % 4;
        next[edge_between(corners[k], corners[(k + 1) % 4])] = edge_between(corners[m], corners[(m + 1) % 4]);
    }
}

/* Fills loop[first..last] with triangles, one of them on the chord from first to last. False if every way to do so has
   a chord across a face. */
static bool fill_loop(const int *loop, int first, int last, cube_case *out) {
    if (last - first < 2) return true;
    const int before = out->count;
    for (int k = first + 1; k < last; k++) {
        bool left = k == first + 1 || !share_a_face(loop[first], loop[k]);
        bool right = k == last - 1 || !share_a_face(loop[k], loop[last]);
        if (!left || !right) continue;
        if (out->count < CUBE_TRIANGLES_MAX) {
            uint8_t *t = out->triangle[out->count++];
            t[0] = (uint8_t)loop[first], t[1] = (uint8_t)loop[last], t[2] = (uint8_t)loop[k];
            if (fill_loop(loop, first, k, out) && fill_loop(loop, k, last, out)) return true;
        }
        out->count = (uint8_t)before;
    }
    return false;
}

static void make_case(int pattern, cube_case *out) {
    int next[12] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    for (int face = 0; face < 6; face++) cut_face(pattern, face / 2, face & 1, next);
    for (int start = 0; start < 12; start++) {
        int loop[12], length = 0;
        for (int e = start; next[e] >= 0; length++) {
            int follower = next[e];
            loop[length] = e;
            next[e] = -1;
            e = follower;
        }
        if (length > 2) fill_loop(loop, 0, length - 1, out);
    }
}

void rill_cube_cases_make(cube_cases *cases) {
    memset(cases, 0, sizeof *cases);
    for (int pattern = 0; pattern < 256; pattern++) make_case(pattern, &cases->of[pattern]);
}

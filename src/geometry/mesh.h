/* SPDX-License-Identifier: MIT */
/* Triangle meshes: what is wrong with one, what can be repaired, and what its solid weighs. */
#ifndef RILL_GEOMETRY_MESH_H
#define RILL_GEOMETRY_MESH_H

#include "core/alloc.h"
#include "core/dvec.h"

/* Seen from outside, the corners of a triangle go counter-clockwise. */
typedef struct mesh {
    const float (*vertices)[3];
    int vertex_count;
    const int32_t (*triangles)[3];
    int triangle_count;
} mesh;

/* Coordinates beyond this are refused: their squares and cubes would soon leave the floats. */
#define MESH_MAX_COORDINATE 1e9f
/* Three edges of each triangle are counted in 32 bits, in tables twice as large. */
#define MESH_MAX_TRIANGLES (1 << 27)

/* Findings and repairs. */
typedef struct mesh_report {
    int welded;             /* vertices that lay exactly on another one */
    int degenerate;         /* triangles without area, left out */
    int repeated;           /* triangles with the corners of an earlier one, in the same order, left out */
    int open_edges;         /* edges with one triangle */
    int non_manifold_edges; /* edges with more than two */
    int turned_edges;       /* edges whose two triangles disagree about which side is out */
    int patches;            /* parts that are connected by edges with two triangles */
    int flipped;            /* triangles turned over: the smaller part of a patch, or whole patches inside out */
    bool closed;            /* after repair: along every edge as many triangles go one way as the other */
    int inner;              /* triangles buried in the solid: their distance does not count */
    int patched;            /* triangles added where the solid is cut off at a hole */
} mesh_report;

/* A mesh with memory of its own. Zero is an empty one. */
typedef struct owned_mesh {
    float (*vertices)[3];
    int vertex_count, vertex_room;
    int32_t (*triangles)[3];
    int triangle_count, triangle_room;
} owned_mesh;

/* Solid enclosed by a mesh, for density 1. */
typedef struct mesh_solid {
    double volume, centre[3];
    double inertia[3][3]; /* about the centre */
} mesh_solid;

/* Is it a mesh at all? Counts, indices, and coordinates that are finite and not huge. */
rill_status rill_mesh_check(const mesh *input, rill_error *error);
/* A copy with equal vertices joined and without the triangles that have no area; the edges are counted. */
rill_status rill_mesh_clean(memory *m, const mesh *input, owned_mesh *clean, mesh_report *report, rill_error *error);
/* Turns the triangles of a clean mesh so that they agree: within a patch the larger area decides, and a closed patch
   that is inside out is turned over unless it is the wall of a hollow in another one. */
rill_status rill_mesh_orient(memory *m, owned_mesh *clean, mesh_report *report, rill_error *error);

bool rill_owned_mesh_reserve(memory *m, owned_mesh *mesh, int vertices, int triangles);
void rill_owned_mesh_free(memory *m, owned_mesh *mesh);
mesh rill_mesh_view(const owned_mesh *owned);

void rill_mesh_bounds(const mesh *mesh, float low[3], float high[3]);
double rill_mesh_area(const mesh *mesh);
/* By the divergence theorem: right for closed meshes whose parts do not overlap, negative volume if inside out. */
mesh_solid rill_mesh_solid_of(const mesh *mesh);

static inline dvec mesh_corner(const mesh *mesh, int triangle, int corner) {
    return dvec_of_floats(mesh->vertices[mesh->triangles[triangle][corner]]);
}

/* Normal with the length of twice the area. */
static inline dvec mesh_normal(const mesh *mesh, int triangle) {
    const dvec a = mesh_corner(mesh, triangle, 0);
    return dvec_cross(dvec_sub(mesh_corner(mesh, triangle, 1), a), dvec_sub(mesh_corner(mesh, triangle, 2), a));
}

#endif

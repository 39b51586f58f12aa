/* SPDX-License-Identifier: MIT */
/* Triangle meshes: faults and repairs, and the solid that a mesh encloses. */
#ifndef RILL_GEOMETRY_MESH_H
#define RILL_GEOMETRY_MESH_H

#include "core/alloc.h"
#include "core/dvec.h"

/* Seen from outside, the corners of a triangle run counter-clockwise. */
typedef struct mesh {
    const float (*vertices)[3];
    int vertex_count;
    const int32_t (*triangles)[3];
    int triangle_count;
} mesh;

/* Larger coordinates are refused: products of a few of them would exceed the range of a float. */
#define MESH_MAX_COORDINATE 1e9f
/* The three edges of each triangle are counted in 32 bits, in hash tables with about twice as many slots. */
#define MESH_MAX_TRIANGLES (1 << 27)

/* Faults found and repairs made. */
typedef struct mesh_report {
    int welded;             /* vertices merged with one at exactly the same place */
    int degenerate;         /* triangles without area, removed */
    int repeated;           /* triangles with the corners of an earlier one in the same order, removed */
    int open_edges;         /* edges with a single triangle */
    int non_manifold_edges; /* edges with more than two triangles */
    int turned_edges;       /* edges whose two triangles disagree about which side is out */
    int patches;            /* parts that are connected by edges with two triangles */
    int flipped;            /* triangles reversed: the smaller part of a patch, or whole patches that were inside out */
    bool closed;            /* after repair: every edge has as many triangles in one direction as in the other */
    int inner;              /* triangles buried in the solid, which distances ignore */
    int patched;            /* triangles added to cover holes */
} mesh_report;

/* A mesh that owns its memory. All zero: an empty mesh. */
typedef struct owned_mesh {
    float (*vertices)[3];
    int vertex_count, vertex_room;
    int32_t (*triangles)[3];
    int triangle_count, triangle_room;
} owned_mesh;

/* The solid enclosed by a mesh, of density 1. */
typedef struct mesh_solid {
    double volume, centre[3];
    double inertia[3][3]; /* about the centre */
} mesh_solid;

/* Checks counts and indices, and that coordinates are finite and at most MESH_MAX_COORDINATE. */
rill_status rill_mesh_check(const mesh *input, rill_error *error);
/* Makes a copy with equal vertices merged and degenerate and repeated triangles removed, and counts its edges. */
rill_status rill_mesh_clean(memory *m, const mesh *input, owned_mesh *clean, mesh_report *report, rill_error *error);
/* Orients the triangles of a clean mesh consistently. Within a patch the larger area decides. A closed patch that is
   inside out is reversed, unless it is the wall of a cavity in another patch. */
rill_status rill_mesh_orient(memory *m, owned_mesh *clean, mesh_report *report, rill_error *error);

bool rill_owned_mesh_reserve(memory *m, owned_mesh *mesh, int vertices, int triangles);
void rill_owned_mesh_free(memory *m, owned_mesh *mesh);
mesh rill_mesh_view(const owned_mesh *owned);

void rill_mesh_bounds(const mesh *mesh, float low[3], float high[3]);
double rill_mesh_area(const mesh *mesh);
/* By the divergence theorem: correct for closed meshes whose parts do not overlap. The volume is negative if the mesh
   is inside out. */
mesh_solid rill_mesh_solid_of(const mesh *mesh);

static inline dvec mesh_corner(const mesh *mesh, int triangle, int corner) {
    return dvec_of_floats(mesh->vertices[mesh->triangles[triangle][corner]]);
}

/* Normal whose length is twice the area. */
static inline dvec mesh_normal(const mesh *mesh, int triangle) {
    const dvec a = mesh_corner(mesh, triangle, 0);
    return dvec_cross(dvec_sub(mesh_corner(mesh, triangle, 1), a), dvec_sub(mesh_corner(mesh, triangle, 2), a));
}

#endif

/* SPDX-License-Identifier: MIT */
/* Facts about a mesh file before it becomes a solid. */
#ifndef RILL_CLI_SHOW_MESH_FACTS_H
#define RILL_CLI_SHOW_MESH_FACTS_H

#include "geometry/mesh.h"

typedef struct mesh_facts {
    const char *format;
    int vertices, triangles; /* in the file */
    int distinct;            /* vertices at a place of their own that a triangle uses */
    double low[3], high[3];  /* of the triangles */
    double area, volume;     /* volume: what it encloses; 0 unless it is closed */
    const char *orientation; /* which side of the triangles is out */
    mesh_report report;      /* edges, parts, closed */
} mesh_facts;

/* By its name, or a PLY file with faces, unlike those of particles. */
bool is_mesh_file(const char *path);
rill_status mesh_facts_read(const char *path, mesh_facts *facts, rill_error *error);
/* Which scale to write if the numbers do not look like metres; an empty text if they do. */
void mesh_facts_unit_hint(const mesh_facts *facts, char *text, size_t size);

#endif

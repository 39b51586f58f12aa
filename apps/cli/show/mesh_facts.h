/* SPDX-License-Identifier: MIT */
/* Facts about a mesh file, before it is used as a solid. */
#ifndef RILL_CLI_SHOW_MESH_FACTS_H
#define RILL_CLI_SHOW_MESH_FACTS_H

#include "geometry/mesh.h"

typedef struct mesh_facts {
    const char *format;
    int vertices, triangles; /* in the file */
    int distinct;            /* vertices at different positions that triangles use */
    double low[3], high[3];  /* bounds of the triangles */
    double area, volume;     /* volume: that enclosed by the surface, or 0 if it is open */
    const char *orientation; /* which side of the triangles is outside */
    mesh_report report;      /* edges, parts, closed */
} mesh_facts;

/* Decides by the ending, or whether a PLY file has faces (files of particles have none). */
bool is_mesh_file(const char *path);
rill_status mesh_facts_read(const char *path, mesh_facts *facts, rill_error *error);
/* A suggestion for the scale, if the numbers do not look like metres; otherwise an empty text. */
void mesh_facts_unit_hint(const mesh_facts *facts, char *text, size_t size);

#endif

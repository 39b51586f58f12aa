/* SPDX-License-Identifier: MIT */
/* A field while it is being built. */
#ifndef RILL_GEOMETRY_FIELD_JOB_H
#define RILL_GEOMETRY_FIELD_JOB_H

#include "geometry/field.h"
#include "geometry/winding.h"

typedef struct field_job {
    memory *memory;
    parallel *workers;
    field_options options;
    owned_mesh surface; /* cleaned and oriented; finally with patches over its holes */
    mesh_report report;
    bvh all;              /* tree of all triangles of the mesh, for the sign */
    winding_tree winding; /* winding numbers over the tree `all` */
    bvh near;             /* tree of the triangles that distances are measured to: without buried ones, with patches */
    uint8_t *kept;        /* per triangle: whether it is in `near`; NULL: all are */
    int kept_count;
    double *middle; /* winding number at the centre of each triangle: the mean of its two sides */
    distance_field *field;
    uint8_t *wanted; /* per block: whether it must be fine */
} field_job;

/* A sheet has no inside. */
static inline bool job_is_sheet(const field_job *job) {
    return job->options.thickness > 0.0f;
}

static inline dvec job_node_place(const distance_field *f, int x, int y, int z) {
    const double cell = (double)f->options.cell;
    return dvec_add(dvec_of_floats(f->origin), (dvec){x * cell, y * cell, z * cell});
}

/* Fills the corners, chooses the fine blocks and fills their nodes. */
rill_status rill_job_fill(field_job *job);
/* Makes fine blocks agree with their coarse neighbours on shared faces. */
void rill_job_join_blocks(field_job *job);
/* Adds triangles to the surface where the sign changes far from any triangle; returns their number, or -1 if out of
   memory. */
int rill_job_patch_holes(field_job *job);

#endif

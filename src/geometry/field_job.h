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
    owned_mesh surface; /* cleaned, turned the right way, with patches over its holes at the end */
    mesh_report report;
    bvh all;              /* the triangles of the mesh, for the sign */
    winding_tree winding; /* of these */
    bvh near;             /* what distances are measured to: without buried triangles, with patches */
    uint8_t *kept;        /* triangles of the mesh that are in `near`; NULL: all */
    int kept_count;
    double *middle; /* winding number in the middle of each triangle: the mean of both sides */
    distance_field *field;
    uint8_t *wanted; /* blocks that must be fine */
} field_job;

/* A sheet has no inside. */
static inline bool job_is_sheet(const field_job *job) {
    return job->options.thickness > 0.0f;
}

static inline dvec job_node_place(const distance_field *f, int x, int y, int z) {
    const double cell = (double)f->options.cell;
    return dvec_add(dvec_of_floats(f->origin), (dvec){x * cell, y * cell, z * cell});
}

/* Values at corners; which blocks are fine; values at their nodes. */
rill_status rill_job_fill(field_job *job);
/* Makes fine blocks continue their coarse neighbours. */
void rill_job_join_blocks(field_job *job);
/* Adds triangles to the surface where the sign changes far away from it; returns how many, or -1 without memory. */
int rill_job_patch_holes(field_job *job);

#endif

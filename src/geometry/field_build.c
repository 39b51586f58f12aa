/* SPDX-License-Identifier: MIT */
/* Builds a field from a mesh: the order of the steps, and the meshes that are refused. */
#include "core/error.h"
#include "core/trig.h"
#include "geometry/field_job.h"

#include <string.h>

/* If less than this share of the mesh's area bounds a solid, the mesh is taken for a sheet and refused. */
#define LEAST_BOUNDING_SHARE 0.5
/* A solid thinner than a cell behind more than this share of its surface would leak. */
#define MOST_THIN_SHARE 0.2f
/* Must change whenever the same mesh gives other values, so that cached fields are rebuilt. */
#define FIELD_METHOD_VERSION 2

/* ---- checks ---- */

static rill_status check_options(const field_options *o, rill_error *error) {
    if (!(o->cell > 0.0f) || !isfinite(o->cell))
        return rill_fail(error, RILL_INVALID, "the cell of a distance field must be a positive length, not %g m",
                         (double)o->cell);
    if (!(o->margin >= 0.0f) || !isfinite(o->margin))
        return rill_fail(error, RILL_INVALID, "the margin of a distance field must be 0 m or more, not %g m",
                         (double)o->margin);
    if (!(o->thickness >= 0.0f) || !isfinite(o->thickness) || (o->thickness > 0.0f && o->thickness < 2.0f * o->cell))
        return rill_fail(error, RILL_INVALID,
                         "a sheet %g m thick is too thin for cells of %g m; make it at least %g m thick (0 m for a "
                         "solid) or the cells smaller",
                         (double)o->thickness, (double)o->cell, 2.0 * (double)o->cell);
    return RILL_OK;
}

/* Floats must resolve a hundredth of a cell at the far end of the mesh. */
static rill_status check_resolution(const field_job *job, const float low[3], const float high[3], rill_error *error) {
    float farthest = 0.0f;
    for (int axis = 0; axis < 3; axis++) farthest = fmaxf(farthest, fmaxf(fabsf(low[axis]), fabsf(high[axis])));
    if (farthest * 0x1p-23f <= 0.01f * job->options.cell) return RILL_OK;
    return rill_fail(
        error, RILL_INVALID,
        "the mesh reaches out to %g m, where floats cannot resolve cells of %g m; move it to the origin or "
        "use larger cells",
        (double)farthest, (double)job->options.cell);
}

static rill_status out_of_memory(const field_job *job, rill_error *error) {
    return rill_fail(error, RILL_MEMORY,
                     "not enough memory for the distance field of %d triangles with cells of %g m; use larger cells or "
                     "a simpler mesh",
                     job->surface.triangle_count, (double)job->options.cell);
}

/* ---- the surface ---- */

/* The winding numbers on the two sides of a triangle are its mean +- 1/2, so 1/2 is the mean of a boundary. */
static bool bounds_something(double middle) {
    return middle > 0.1 && middle < 0.9;
}

static bool is_buried(double middle) {
    return middle > 1.1;
}

static void look_at_triangles(int begin, int end, void *context) {
    const field_job *job = context;
    const mesh view = rill_mesh_view(&job->surface);
    for (int t = begin; t < end; t++) {
        const dvec sum =
            dvec_add(mesh_corner(&view, t, 0), dvec_add(mesh_corner(&view, t, 1), mesh_corner(&view, t, 2)));
        job->middle[t] = rill_winding_number_except(&job->winding, dvec_scale(sum, 1.0 / 3.0), t);
    }
}

static rill_status check_encloses(const field_job *job, rill_error *error) {
    const mesh view = rill_mesh_view(&job->surface);
    double all = 0.0, useful = 0.0;
    for (int t = 0; t < view.triangle_count; t++) {
        const double area = dvec_length(mesh_normal(&view, t));
        all += area;
        if (bounds_something(job->middle[t]) || is_buried(job->middle[t])) useful += area;
    }
    if (useful >= LEAST_BOUNDING_SHARE * all) return RILL_OK;
    return rill_fail(error, RILL_INVALID,
                     "the mesh is mostly open: %.0f %% of its area bounds no solid (%d open edges, %d with "
                     "inconsistent orientation); close it, or give it a thickness to make it a sheet with two sides",
                     100.0 * (1.0 - useful / all), job->report.open_edges, job->report.turned_edges);
}

/* Triangles buried in the solid, where parts of a mesh overlap, are not part of its surface: distances ignore them. */
static rill_status find_buried(field_job *job, rill_error *error) {
    const size_t count = (size_t)job->surface.triangle_count;
    job->middle = rill_memory_get(job->memory, count * sizeof *job->middle);
    if (!job->middle) return RILL_MEMORY;
    rill_parallel_for(job->workers, job->surface.triangle_count, 256, look_at_triangles, job);
    TRY(check_encloses(job, error));
    for (size_t t = 0; t < count; t++) job->report.inner += is_buried(job->middle[t]);
    if (job->report.inner == 0) return RILL_OK;
    job->kept = rill_memory_get(job->memory, count);
    if (!job->kept) return RILL_MEMORY;
    job->kept_count = job->surface.triangle_count;
    for (size_t t = 0; t < count; t++) job->kept[t] = !is_buried(job->middle[t]);
    return RILL_OK;
}

static rill_status prepare_surface(field_job *job, const mesh *input, rill_error *error) {
    TRY(rill_mesh_clean(job->memory, input, &job->surface, &job->report, error));
    if (!job_is_sheet(job)) TRY(rill_mesh_orient(job->memory, &job->surface, &job->report, error));
    const mesh view = rill_mesh_view(&job->surface);
    if (!job_is_sheet(job)) {
        if (!rill_bvh_build(job->memory, &view, NULL, &job->all)) return RILL_MEMORY;
        if (!rill_winding_build(job->memory, &job->all, &job->winding)) return RILL_MEMORY;
        TRY(find_buried(job, error));
    }
    return rill_bvh_build(job->memory, &view, job->kept, &job->near) ? RILL_OK : RILL_MEMORY;
}

/* Patches over holes belong to the surface: the tree for distances is rebuilt with them. */
static rill_status close_holes(field_job *job) {
    const int before = job->surface.triangle_count, added = rill_job_patch_holes(job);
    if (added < 0) return RILL_MEMORY;
    job->report.patched = added;
    if (added == 0) return RILL_OK;
    const size_t count = (size_t)job->surface.triangle_count;
    uint8_t *kept = rill_memory_get(job->memory, count);
    if (!kept) return RILL_MEMORY;
    memset(kept, 1, count);
    if (job->kept) {
        memcpy(kept, job->kept, (size_t)before);
        rill_memory_release(job->memory, job->kept, (size_t)job->kept_count);
    }
    job->kept = kept, job->kept_count = job->surface.triangle_count;
    rill_bvh_free(job->memory, &job->near);
    const mesh view = rill_mesh_view(&job->surface);
    if (!rill_bvh_build(job->memory, &view, job->kept, &job->near)) return RILL_MEMORY;
    return rill_job_fill(job);
}

/* ---- the grid ---- */

static rill_status make_grid(field_job *job, rill_error *error) {
    const mesh view = rill_mesh_view(&job->surface);
    const float cell = job->options.cell;
    float low[3], high[3];
    rill_mesh_bounds(&view, low, high);
    TRY(check_resolution(job, low, high, error));
    const double margin = (double)job->options.margin + 0.5 * (double)job->options.thickness + (double)cell;
    const double edge = FIELD_BLOCK * (double)cell;
    double count[3], all = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        count[axis] = ceil(((double)high[axis] - (double)low[axis] + 2.0 * margin) / edge);
        all *= count[axis];
    }
    if (!(all <= FIELD_MAX_BLOCKS))
        return rill_fail(
            error, RILL_LIMIT,
            "cells of %g m make a grid of %.0f x %.0f x %.0f for this mesh, which is too large; use cells of "
            "%.3g m or more",
            (double)cell, count[0] * FIELD_BLOCK, count[1] * FIELD_BLOCK, count[2] * FIELD_BLOCK,
            1.1 * (double)cell * rill_cube_root(all / FIELD_MAX_BLOCKS));
    const int32_t blocks[3] = {(int32_t)count[0], (int32_t)count[1], (int32_t)count[2]};
    distance_field *f = job->field = rill_field_create(job->memory, blocks);
    if (!f) return RILL_MEMORY;
    f->options = job->options;
    memcpy(f->low, low, sizeof low);
    memcpy(f->high, high, sizeof high);
    for (int axis = 0; axis < 3; axis++)
        f->origin[axis] = (float)(0.5 * ((double)low[axis] + (double)high[axis]) - 0.5 * (double)blocks[axis] * edge);
    job->wanted = rill_memory_get(job->memory, field_block_count(f));
    return job->wanted ? RILL_OK : RILL_MEMORY;
}

/* ---- results ---- */

/* The share of the bounding area behind which the field is still not negative half a cell deep. */
static float thin_share(const field_job *job) {
    const mesh view = rill_mesh_view(&job->surface);
    const double cell = (double)job->options.cell;
    double all = 0.0, thin = 0.0;
    for (int t = 0; t < job->all.triangle_count; t++) {
        if (!bounds_something(job->middle[t])) continue;
        const dvec sum =
            dvec_add(mesh_corner(&view, t, 0), dvec_add(mesh_corner(&view, t, 1), mesh_corner(&view, t, 2)));
        const dvec normal = mesh_normal(&view, t);
        const double area = dvec_length(normal);
        float p[3], distance;
        dvec_to_floats(dvec_along(dvec_scale(sum, 1.0 / 3.0), -0.5 * cell / area, normal), p);
        rill_field_sample(job->field, p, &distance, NULL);
        all += area;
        if (distance >= 0.0f) thin += area;
    }
    return all > 0.0 ? (float)(thin / all) : 0.0f;
}

static rill_status finish(field_job *job, rill_error *error) {
    distance_field *f = job->field;
    const mesh view = rill_mesh_view(&job->surface);
    f->report = job->report;
    const bool sound = job->report.closed && job->report.inner == 0 && !job_is_sheet(job);
    f->solid = sound ? rill_mesh_solid_of(&view) : rill_field_measure(f);
    f->area = rill_mesh_area(&view);
    if (job_is_sheet(job)) return RILL_OK;
    f->thin = thin_share(job);
    if (f->thin <= MOST_THIN_SHARE) return RILL_OK;
    return rill_fail(error, RILL_INVALID,
                     "behind %.0f %% of its surface the mesh is too thin for cells of %g m and would leak; use smaller "
                     "cells, or give it a thickness of %g m or more to make it a sheet with two sides",
                     100.0 * (double)f->thin, (double)job->options.cell, 2.0 * (double)job->options.cell);
}

static rill_status build(field_job *job, const mesh *input, rill_error *error) {
    TRY(check_options(&job->options, error));
    TRY(prepare_surface(job, input, error));
    TRY(make_grid(job, error));
    TRY(rill_job_fill(job));
    if (!job_is_sheet(job) && !job->report.closed) TRY(close_holes(job));
    rill_job_join_blocks(job);
    job->field->key = rill_field_key_of(input, &job->options);
    return finish(job, error);
}

static void clear(field_job *job) {
    memory *m = job->memory;
    if (job->wanted) rill_memory_release(m, job->wanted, field_block_count(job->field));
    if (job->middle) rill_memory_release(m, job->middle, (size_t)job->all.triangle_count * sizeof *job->middle);
    if (job->kept) rill_memory_release(m, job->kept, (size_t)job->kept_count);
    rill_winding_free(m, &job->winding);
    rill_bvh_free(m, &job->near);
    rill_bvh_free(m, &job->all);
    rill_owned_mesh_free(m, &job->surface);
}

distance_field *rill_field_build(memory *m, parallel *workers, const mesh *input, const field_options *options,
                                 rill_error *error) {
    field_job job = {.memory = m, .workers = workers, .options = *options};
    rill_error reason = {RILL_OK, ""};
    const rill_status status = build(&job, input, &reason);
    if (status == RILL_MEMORY) out_of_memory(&job, &reason);
    if (status != RILL_OK) rill_fail(error, status, "%s", reason.text);
    clear(&job);
    if (status == RILL_OK) return job.field;
    rill_field_free(m, job.field);
    return NULL;
}

field_key rill_field_key_of(const mesh *input, const field_options *options) {
    const uint64_t head[3] = {FIELD_METHOD_VERSION, (uint64_t)input->vertex_count, (uint64_t)input->triangle_count};
    const float numbers[3] = {options->cell, options->margin, options->thickness};
    field_key key;
    sha256 hash;
    rill_sha256_start(&hash);
    rill_sha256_add(&hash, head, sizeof head);
    rill_sha256_add(&hash, numbers, sizeof numbers);
    rill_sha256_add(&hash, input->vertices, (size_t)input->vertex_count * sizeof *input->vertices);
    rill_sha256_add(&hash, input->triangles, (size_t)input->triangle_count * sizeof *input->triangles);
    rill_sha256_end(&hash, key.bytes);
    return key;
}

uint64_t rill_field_key_name(const field_key *key) {
    uint64_t name = 0;
    for (int k = 0; k < 8; k++) name = name << 8 | key->bytes[k];
    return name;
}

/* SPDX-License-Identifier: MIT */
/* The seam of a body: cells of its surface that another solid faces, and the rim beside them. */
#include "rigid/body.h"
#include "sim/boundary/seam_parts.h"

#include <string.h>

/* Width, below the gap from which on there is no seam, over which a seam fades out, in spacings. */
#define GAP_FADES 0.5f

/* ---- cells ---- */

int32_t rill_seam_facing(const finder *f, vec x, vec normal, float *fade, bool *near) {
    const rill_world *w = f->world;
    const int32_t own = (int32_t)(f->own - POOL_ITEMS(w, solid));
    float least = f->gap_none * f->dx;
    int32_t best = -1;
    *near = false;
    for (int n = 0; n < f->near.count; n++) {
        const int32_t k = f->near.slots[n];
        const placed_shape *shape = &placed_shapes_of(w)[k];
        if (k == own || placed_is_clear(shape, x, solid_reach(f))) continue;
        vec out;
        const float d = rill_placed_distance(shape, x, &out);
        *near |= d < (f->gap_none + RIM_BEYOND) * f->dx;
        if (d < least && vec_dot(out, normal) < SEAM_FACING) least = d, best = k;
    }
    *fade = best < 0 ? 0.0f : fminf((f->gap_none - least / f->dx) / GAP_FADES, 1.0f);
    return best;
}

bool rill_seam_owns(const finder *f, int32_t other) {
    const rill_world *w = f->world;
    const int32_t a = f->own->body - 1, b = POOL_ITEMS(w, solid)[other].body - 1;
    const bool moves = POOL_ITEMS(w, body)[a].inverse_mass > 0;
    if (b < 0 || POOL_ITEMS(w, body)[b].inverse_mass == 0) return moves;
    return !moves || a < b;
}

static void add_cells(finder *f, const placed_shape *whole, const placed_shape *part) {
    const face_set *faces = &part->shared->faces;
    for (int k = 0; k < faces->count; k++) {
        seam_cell *c = &f->cells[f->cell_count];
        vec x = {0}, n = {0};
        memcpy(&x, faces->cells[k].x, sizeof x);
        memcpy(&n, faces->cells[k].normal, sizeof n);
        *c = (seam_cell){
            .x = rill_placed_to_world(part, x), .normal = rill_placed_turned(part, n), .area = faces->cells[k].area};
        /* a cell inside another part of the body */
        if (whole != part && rill_placed_distance(whole, c->x, NULL) < -0.1f * f->dx) continue;
        f->cell_count++;
    }
}

static void face_cells(int begin, int end, void *context) {
    const finder *f = context;
    for (seam_cell *c = f->cells + begin; c < f->cells + end; c++) {
        c->other = rill_seam_facing(f, c->x, c->normal, &c->fade, &c->near);
        if (c->other >= 0 && !rill_seam_owns(f, c->other)) c->fade = 0.0f;
    }
}

int rill_seam_count_cells(const placed_shape *f) {
    if (f->kind != RILL_COMPOUND) return f->shared->faces.count;
    int count = 0;
    for (int k = 0; k < f->part_count; k++) count += f->parts[k].shared->faces.count;
    return count;
}

static void add_seam(finder *f, int cell) {
    const int k = f->seam_count++;
    f->seams[k] = cell;
    span(&f->seam_boxes[k / TOGETHER], k % TOGETHER == 0, f->cells[cell].x);
    span(&f->seam_box, k == 0, f->cells[cell].x);
}

void rill_seam_find_cells(finder *f) {
    const placed_shape *shape = &placed_shapes_of(f->world)[f->own - POOL_ITEMS(f->world, solid)];
    if (shape->kind != RILL_COMPOUND) add_cells(f, shape, shape);
    for (int k = 0; shape->kind == RILL_COMPOUND && k < shape->part_count; k++) add_cells(f, shape, &shape->parts[k]);
    rill_parallel_for(f->world->workers, f->cell_count, CELL_GRAIN, face_cells, f);
    for (int k = 0; k < f->cell_count; k++)
        if (f->cells[k].other >= 0 && f->cells[k].fade > 0.0f) add_seam(f, k);
}

/* ---- rims ---- */

/* The first of these seam cells that is near x; NULL if there is none. */
static const seam_cell *seam_among(const finder *f, int begin, int end, vec x) {
    const float beyond = RIM_BEYOND * f->dx;
    for (int k = begin; k < end; k++) {
        const seam_cell *c = &f->cells[f->seams[k]];
        const vec d = vec_sub(c->x, x);
        if (vec_dot(d, d) < beyond * beyond) return c;
    }
    return NULL;
}

const seam_cell *rill_seam_beside(const finder *f, vec x) {
    const float reach = 1.001f * RIM_BEYOND * f->dx; /* so that rounding leaves no cell out */
    const span_box here = {x, x};
    const seam_cell *found = NULL;
    if (!in_reach(&here, &f->seam_box, reach)) return NULL;
    for (int k = 0; k < f->seam_count && !found; k += TOGETHER)
        if (in_reach(&here, &f->seam_boxes[k / TOGETHER], reach))
            found = seam_among(f, k, f->seam_count - k < TOGETHER ? f->seam_count : k + TOGETHER, x);
    return found;
}

static void mark_rims(int begin, int end, void *context) {
    const finder *f = context;
    for (seam_cell *c = f->cells + begin; c < f->cells + end; c++)
        c->is_rim = c->other < 0 && c->near && rill_seam_beside(f, c->x);
}

void rill_seam_find_rims(finder *f) {
    rill_parallel_for(f->world->workers, f->cell_count, CELL_GRAIN, mark_rims, f);
    for (const seam_cell *c = f->cells; c < f->cells + f->cell_count; c++)
        if (c->is_rim) f->rims[f->rim_count++].x = vec_along(c->x, RIM_OFF * f->dx, c->normal);
}

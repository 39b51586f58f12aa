/* SPDX-License-Identifier: MIT */
/* Links in pictures: lines between their particles. The pieces of cloth are links too; particles of cloth are not drawn
   as fluid. */
#include "picture/draw_cloth.h"
#include "picture/stage_triangle.h"

#include <math.h>
#include <string.h>

/* Side of a square of the checker, in particles. */
#define CHECK 4

bool rill_picture_is_cloth(const drawing *d, int k) {
    const rill_view *fluid = rill_frame_field(d->frame, "fluid");
    return fluid && rill_frame_uint(d->frame, fluid, k) >= RILL_PHASE_CLOTH;
}

const rill_frame_links *rill_picture_links(const drawing *d, const char *name) {
    for (int k = 0; k < d->frame->links_count; k++)
        if (strcmp(d->frame->links[k].name, name) == 0) return &d->frame->links[k];
    return NULL;
}

/* Links refer to particles by their index in the arrays. */
static rill_vec position_at(const drawing *d, int32_t index) {
    const float *x = (const float *)d->position->data + (size_t)d->position->stride * (size_t)index;
    return (rill_vec){x[0], x[1], d->position->components > 2 ? x[2] : 0.0f};
}

/* ---- the checker ---- */

/* The rows of a sheet, deduced from the ids of its particles, which run along rows: a triangle touches two adjacent
   rows, so its ids differ by one row and one column at most. A mesh has no rows; its checker is arbitrary. */
typedef struct weave {
    uint64_t first, span; /* least id, and the largest difference of ids within a triangle */
} weave;

/* The number of cloths that get rows of their own. */
#define WEAVES 64

static uint64_t id_at(const drawing *d, int32_t index) {
    const rill_view *id = rill_frame_field(d->frame, "id");
    return id ? ((const uint64_t *)id->data)[(size_t)id->stride * (size_t)index] : (uint64_t)index;
}

static weave *weave_at(const drawing *d, weave weaves[WEAVES], int32_t index) {
    const rill_view *fluid = rill_frame_field(d->frame, "fluid");
    const uint32_t phase = fluid ? ((const uint32_t *)fluid->data)[(size_t)fluid->stride * (size_t)index] : 0;
    return &weaves[phase % WEAVES];
}

/* The ids of a triangle's particles, in rising order. */
static void piece_ids(const drawing *d, const int32_t *ends, uint64_t id[3]) {
    for (int k = 0; k < 3; k++) {
        const uint64_t own = id_at(d, ends[k]);
        int n = k;
        for (; n > 0 && id[n - 1] > own; n--) id[n] = id[n - 1];
        id[n] = own;
    }
}

static void read_weaves(const drawing *d, const rill_frame_links *triangles, weave weaves[WEAVES]) {
    for (int k = 0; k < WEAVES; k++) weaves[k] = (weave){UINT64_MAX, 2};
    for (int k = 0; k < triangles->count; k++) {
        const int32_t *ends = triangles->particle + 3 * (size_t)k;
        weave *w = weave_at(d, weaves, ends[0]);
        uint64_t id[3];
        piece_ids(d, ends, id);
        if (id[0] < w->first) w->first = id[0];
        if (id[2] - id[0] > w->span) w->span = id[2] - id[0];
    }
}

static bool is_dark(const drawing *d, weave weaves[WEAVES], const int32_t *ends) {
    const weave *w = weave_at(d, weaves, ends[0]);
    uint64_t id[3];
    piece_ids(d, ends, id);
    /* In cells cut along the falling diagonal, one triangle's least id is a column right of the cell's corner. */
    const uint64_t row = w->span - 1, later = id[2] == id[1] + 1 && id[2] - id[0] == row ? 1 : 0;
    const uint64_t at = id[0] - later - w->first;
    return (at % row / CHECK + at / row / CHECK) % 2 == 1;
}

/* ---- lines ---- */

/* Links that reach across a periodic face are left out. */
void rill_picture_lines(const drawing *d, const char *name, line_fn *line, void *context) {
    const rill_frame_links *pairs = rill_picture_links(d, name);
    const rill_vec period = d->frame->periodic;
    for (int k = 0; pairs && pairs->ends == 2 && k < pairs->count; k++) {
        const int32_t *ends = pairs->particle + 2 * (size_t)k;
        const rill_vec a = position_at(d, ends[0]), b = position_at(d, ends[1]), way = vec_sub(b, a);
        const bool across = (period.x > 0.0f && fabsf(way.x) > 0.5f * period.x) ||
                            (period.y > 0.0f && fabsf(way.y) > 0.5f * period.y) ||
                            (period.z > 0.0f && fabsf(way.z) > 0.5f * period.z);
        if (!across) line(a, b, context);
    }
}

bool rill_picture_shows_links(const drawing *d) {
    return d->def->links[0] && rill_picture_links(d, d->def->links);
}

/* ---- 3D: triangles ---- */

rgb rill_picture_thread(bool dark) {
    return dark ? (rgb){0.80f, 0.42f, 0.30f} : (rgb){0.93f, 0.80f, 0.62f};
}

int rill_picture_cloth_count(const drawing *d) {
    const rill_frame_links *triangles = rill_picture_links(d, "triangles");
    return triangles ? triangles->count : 0;
}

void rill_picture_cloth_pieces(const drawing *d, cloth_piece_fn *piece, void *context) {
    const rill_frame_links *triangles = rill_picture_links(d, "triangles");
    if (!triangles) return;
    weave weaves[WEAVES];
    read_weaves(d, triangles, weaves);
    for (int k = 0; k < triangles->count; k++) {
        const int32_t *ends = triangles->particle + 3 * (size_t)k;
        const rill_vec corner[3] = {position_at(d, ends[0]), position_at(d, ends[1]), position_at(d, ends[2])};
        piece(corner, is_dark(d, weaves, ends), context);
    }
}

/* A triangle into the depth buffer, its normal towards the eye. */
static void fill_piece(const rill_vec corner[3], bool dark, void *context) {
    stage *s = context;
    const rill_vec back = vec_scale(s->scene.camera.forward, -1.0f);
    rill_vec n = vec_unit(vec_cross(vec_sub(corner[1], corner[0]), vec_sub(corner[2], corner[0])), back);
    if (vec_dot(n, vec_sub(corner[0], s->scene.camera.eye)) > 0.0f) n = vec_scale(n, -1.0f);
    stage_corner t[3];
    for (int c = 0; c < 3; c++) t[c] = rill_stage_corner(s, corner[c], n, dark ? 1.0f : 0.0f);
    rill_stage_fill(s, t, SAMPLE_CLOTH, true);
}

void rill_picture_cloth_3d(stage *s) {
    rill_picture_cloth_pieces(s->d, fill_piece, s);
}

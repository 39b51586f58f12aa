/* SPDX-License-Identifier: MIT */
/* Cloth in pictures: its pieces are links of the frame, its particles are not drawn as fluid. */
#include "picture/draw_cloth.h"

#include <string.h>

/* Threads of one colour, in particles. */
#define STRIPE 4

bool rill_picture_is_cloth(const drawing *d, int k) {
    const rill_view *fluid = rill_frame_field(d->frame, "fluid");
    return fluid && rill_frame_uint(d->frame, fluid, k) >= RILL_PHASE_CLOTH;
}

const rill_frame_links *rill_picture_links(const drawing *d, const char *name) {
    for (int k = 0; k < d->frame->links_count; k++)
        if (strcmp(d->frame->links[k].name, name) == 0) return &d->frame->links[k];
    return NULL;
}

/* Links count particles as they lie in the arrays. */
static rill_vec position_at(const drawing *d, int32_t index) {
    const float *x = (const float *)d->position->data + (size_t)d->position->stride * (size_t)index;
    return (rill_vec){x[0], x[1], d->position->components > 2 ? x[2] : 0.0f};
}

/* Which of two colours a piece has: from the numbers of its particles, which stay with them for life. */
static bool is_dark(const drawing *d, const int32_t *ends, int count) {
    const rill_view *id = rill_frame_field(d->frame, "id");
    uint64_t least = UINT64_MAX;
    for (int k = 0; k < count; k++) {
        const uint64_t own =
            id ? ((const uint64_t *)id->data)[(size_t)id->stride * (size_t)ends[k]] : (uint64_t)ends[k];
        least = own < least ? own : least;
    }
    return least / STRIPE % 2 == 1;
}

/* ---- 2D: lines ---- */

void rill_picture_cloth_2d(const drawing *d, view2d view, cloth_line_fn *line, void *context) {
    const rill_frame_links *segments = rill_picture_links(d, "segments");
    for (int k = 0; segments && k < segments->count; k++) {
        const int32_t *ends = segments->particle + 2 * (size_t)k;
        const rill_vec a = position_at(d, ends[0]), b = position_at(d, ends[1]);
        line(view.x0 + view.scale * a.x, view.y0 - view.scale * a.y, view.x0 + view.scale * b.x,
             view.y0 - view.scale * b.y, context);
    }
}

/* ---- 3D: triangles into the depth buffer ---- */

typedef struct seen_point {
    float x, y, z; /* sample, and depth [m] */
} seen_point;

static seen_point see(const stage *s, rill_vec position) {
    const camera *c = &s->scene.camera;
    const rill_vec p = vec_sub(position, c->eye);
    const float z = vec_dot(p, c->forward);
    return (seen_point){c->x0 + c->focal * vec_dot(p, c->right) / z, c->y0 - c->focal * vec_dot(p, c->up) / z, z};
}

static float turn(float ax, float ay, float bx, float by, float cx, float cy) {
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

/* Both sides are seen. */
static void fill(stage *s, const seen_point t[3], rill_vec normal, float share) {
    const float width = (float)s->scene.width, height = (float)s->scene.height;
    const float area = turn(t[0].x, t[0].y, t[1].x, t[1].y, t[2].x, t[2].y);
    if (!(fabsf(area) > 0.0f)) return;
    const int left = (int)fmaxf(floorf(fminf(fminf(t[0].x, t[1].x), t[2].x)), 0.0f);
    const int right = (int)fminf(ceilf(fmaxf(fmaxf(t[0].x, t[1].x), t[2].x)), width);
    const int top = (int)fmaxf(floorf(fminf(fminf(t[0].y, t[1].y), t[2].y)), 0.0f);
    const int bottom = (int)fminf(ceilf(fmaxf(fmaxf(t[0].y, t[1].y), t[2].y)), height);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            const float px = (float)x + 0.5f, py = (float)y + 0.5f;
            const float a = turn(px, py, t[1].x, t[1].y, t[2].x, t[2].y) / area,
                        b = turn(px, py, t[2].x, t[2].y, t[0].x, t[0].y) / area, c = 1.0f - a - b;
            if (a < 0.0f || b < 0.0f || c < 0.0f) continue;
            sample *at = &s->samples[(size_t)y * (size_t)s->scene.width + (size_t)x];
            const float depth = 1.0f / (a / t[0].z + b / t[1].z + c / t[2].z);
            if (depth >= at->depth) continue;
            *at = (sample){.depth = depth, .share = share, .kind = SAMPLE_CLOTH};
            pack_normal(at->normal, normal);
        }
}

void rill_picture_cloth_3d(stage *s) {
    const drawing *d = s->d;
    const rill_frame_links *triangles = rill_picture_links(d, "triangles");
    for (int k = 0; triangles && k < triangles->count; k++) {
        const int32_t *ends = triangles->particle + 3 * (size_t)k;
        rill_vec x[3];
        seen_point t[3];
        bool before = true;
        for (int c = 0; c < 3; c++) {
            x[c] = position_at(d, ends[c]), t[c] = see(s, x[c]);
            before = before && t[c].z > s->radius;
        }
        if (!before) continue;
        const rill_vec back = vec_scale(s->scene.camera.forward, -1.0f);
        rill_vec n = vec_unit(vec_cross(vec_sub(x[1], x[0]), vec_sub(x[2], x[0])), back);
        if (vec_dot(n, vec_sub(x[0], s->scene.camera.eye)) > 0.0f) n = vec_scale(n, -1.0f);
        fill(s, t, n, is_dark(d, ends, 3) ? 1.0f : 0.0f);
    }
}

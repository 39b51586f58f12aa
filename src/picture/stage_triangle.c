/* SPDX-License-Identifier: MIT */
/* Rasterises triangles by edge functions; depth and colours between corners are linear in space. */
#include "picture/stage_triangle.h"

stage_corner rill_stage_corner(const stage *s, rill_vec position, rill_vec normal, float share) {
    const camera *c = &s->scene.camera;
    const rill_vec p = vec_sub(position, c->eye);
    const float z = vec_dot(p, c->forward);
    return (stage_corner){.x = c->x0 + c->focal * vec_dot(p, c->right) / z,
                          .y = c->y0 - c->focal * vec_dot(p, c->up) / z,
                          .z = z,
                          .share = share,
                          .normal = normal};
}

/* Twice the signed area of a triangle of samples; the sign gives its orientation. */
static float turn(float ax, float ay, float bx, float by, float cx, float cy) {
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

static void put_sample(const stage *s, sample *at, const stage_corner t[3], const float w[3], sample_kind kind) {
    /* A quantity linear over the triangle, divided by depth, is linear in the picture. */
    const float a = w[0] / t[0].z, b = w[1] / t[1].z, c = w[2] / t[2].z, depth = 1.0f / (a + b + c);
    if (depth >= at->depth) return;
    const rill_vec n =
        vec_add(vec_add(vec_scale(t[0].normal, a), vec_scale(t[1].normal, b)), vec_scale(t[2].normal, c));
    *at = (sample){
        .depth = depth, .share = (t[0].share * a + t[1].share * b + t[2].share * c) * depth, .kind = (uint8_t)kind};
    pack_normal(at->normal, vec_unit(n, vec_scale(s->scene.camera.forward, -1.0f)));
}

void rill_stage_fill(stage *s, const stage_corner t[3], sample_kind kind, bool both_sides) {
    const float width = (float)s->scene.width, height = (float)s->scene.height, nearest = s->radius;
    if (!(t[0].z > nearest && t[1].z > nearest && t[2].z > nearest)) return;
    const float area = turn(t[0].x, t[0].y, t[1].x, t[1].y, t[2].x, t[2].y);
    /* Front faces have a negative area: they are counter-clockwise on screen. False for values that are not finite. */
    if (!(area < 0.0f) && !(both_sides && area > 0.0f)) return;
    const int left = (int)fmaxf(floorf(fminf(fminf(t[0].x, t[1].x), t[2].x)), 0.0f);
    const int right = (int)fminf(ceilf(fmaxf(fmaxf(t[0].x, t[1].x), t[2].x)), width);
    const int top = (int)fmaxf(floorf(fminf(fminf(t[0].y, t[1].y), t[2].y)), 0.0f);
    const int bottom = (int)fminf(ceilf(fmaxf(fmaxf(t[0].y, t[1].y), t[2].y)), height);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            const float px = (float)x + 0.5f, py = (float)y + 0.5f;
            const float w[3] = {turn(px, py, t[1].x, t[1].y, t[2].x, t[2].y) / area,
                                turn(px, py, t[2].x, t[2].y, t[0].x, t[0].y) / area,
                                turn(px, py, t[0].x, t[0].y, t[1].x, t[1].y) / area};
            /* Adjacent triangles may both fill a sample on their common edge, so that none is left out. */
            if (w[0] < 0.0f || w[1] < 0.0f || w[2] < 0.0f) continue;
            put_sample(s, &s->samples[(size_t)y * (size_t)s->scene.width + (size_t)x], t, w, kind);
        }
}

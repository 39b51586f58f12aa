/* SPDX-License-Identifier: MIT */
/* 3D in a second: the fluid's surface as triangles into the depth buffer of the solids, coloured by a quantity. */
#include "core/error.h"
#include "picture/draw_cloth.h"
#include "picture/fluid_mesh.h"

#include <stdlib.h>

/* A corner of a triangle as the camera sees it. */
typedef struct corner {
    float x, y, z; /* sample, and depth [m] */
    float share;
    rill_vec normal;
} corner;

static corner see(const stage *s, const rill_surface_mesh *mesh, int vertex) {
    const camera *c = &s->scene.camera;
    const drawing *d = s->d;
    const rill_vec p = vec_sub(mesh->position[vertex], c->eye);
    const float z = vec_dot(p, c->forward);
    return (corner){.x = c->x0 + c->focal * vec_dot(p, c->right) / z,
                    .y = c->y0 - c->focal * vec_dot(p, c->up) / z,
                    .z = z,
                    .share = (mesh->color[vertex].x - d->color_min) / (d->color_max - d->color_min),
                    .normal = mesh->normal[vertex]};
}

/* Twice the area of a triangle of samples; its sign tells which way round it goes. */
static float turn(float ax, float ay, float bx, float by, float cx, float cy) {
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

static void put_sample(const stage *s, sample *at, const corner t[3], const float w[3]) {
    /* What is linear over the triangle divided by its depth is linear in the picture. */
    const float a = w[0] / t[0].z, b = w[1] / t[1].z, c = w[2] / t[2].z, depth = 1.0f / (a + b + c);
    if (depth >= at->depth) return;
    const rill_vec n =
        vec_add(vec_add(vec_scale(t[0].normal, a), vec_scale(t[1].normal, b)), vec_scale(t[2].normal, c));
    *at = (sample){
        .depth = depth, .share = (t[0].share * a + t[1].share * b + t[2].share * c) * depth, .kind = SAMPLE_FLUID};
    pack_normal(at->normal, vec_unit(n, vec_scale(s->scene.camera.forward, -1.0f)));
}

static void fill_triangle(stage *s, const corner t[3]) {
    const float width = (float)s->scene.width, height = (float)s->scene.height;
    const float area = turn(t[0].x, t[0].y, t[1].x, t[1].y, t[2].x, t[2].y);
    /* Clockwise in a picture whose y points down is seen from outside; false for what is not finite. */
    if (!(area < 0.0f)) return;
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
            /* Neighbours may both take a sample on their common edge, so that none is left out. */
            if (w[0] < 0.0f || w[1] < 0.0f || w[2] < 0.0f) continue;
            put_sample(s, &s->samples[(size_t)y * (size_t)s->scene.width + (size_t)x], t, w);
        }
}

static void fill_mesh(stage *s, const rill_surface_mesh *mesh) {
    const float nearest = s->radius;
    for (int e = 0; e < mesh->element_count; e++) {
        corner t[3];
        for (int k = 0; k < 3; k++) t[k] = see(s, mesh, mesh->index[3 * e + k]);
        if (t[0].z > nearest && t[1].z > nearest && t[2].z > nearest) fill_triangle(s, t);
    }
}

/* The mesh carries any vector from the particles to its vertices: here the quantity that gives the colour. */
static rill_status draw_fluid(stage *s, rill_vec *quantity, rill_error *error) {
    fluid_mesh mesh;
    for (int k = 0; k < s->d->frame->count; k++) quantity[k] = (rill_vec){rill_picture_value(s->d, k), 0, 0};
    rill_status status = rill_fluid_mesh_make(&mesh, s->d, -1, quantity, error);
    if (status == RILL_OK) {
        fill_mesh(s, &mesh.shape);
        rill_picture_cloth_3d(s);
        status = rill_stage_light(s, error);
    }
    rill_fluid_mesh_free(&mesh);
    return status;
}

rill_status rill_picture_draw_surface(drawing *d, rill_error *error) {
    stage s;
    rill_status status = rill_stage_open(&s, d, error);
    rill_vec *quantity = status == RILL_OK ? malloc(((size_t)d->frame->count + 1) * sizeof *quantity) : NULL;
    if (status == RILL_OK && !quantity)
        status = rill_fail(error, RILL_MEMORY, "not enough memory to draw %d particles", d->frame->count);
    s.smooth = true;
    if (status == RILL_OK) status = draw_fluid(&s, quantity, error);
    free(quantity);
    rill_stage_close(&s);
    return status;
}

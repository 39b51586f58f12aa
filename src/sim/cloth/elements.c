/* SPDX-License-Identifier: MIT */
/* Elastic rows of cloth. Each has an energy w/2 |D x - p|^2, with p the nearest shape at rest:
     segment   D x = (x_b - x_a) / length, p of length 1, w = stretch length width
     triangle  D x = the two columns of the deformation gradient F, p = the rotation R nearest to F, w = stretch area
     bend      D x = the mean curvature as a vector, p of the curvature at rest, w = bend area
   Lengths and areas are those at rest, so that stretch and bend are in N/m and N m whatever the spacing. Besides its
   value w (p - D x) a row keeps its answer: the second derivative of its energy there without the negative part. With
   that part a compressed piece could buckle in any direction, and the solver's quadratic would have no minimum. */
#include "sim/cloth/cloth.h"

/* Least relative area of a triangle: with next to none it has no direction in which it could be restored. */
#define LEAST_AREA 1e-4f

static cloth_row row_of(const cloth_job *job, const int32_t *ends, const float *shares, int count, float weight) {
    cloth_row r = {.weight = weight};
    for (int k = 0; k < ROW_ENDS; k++) {
        r.end[k] = (k < count ? ends[k] : ends[0]) - job->cloth_begin;
        r.share[k] = k < count ? shares[k] : 0.0f;
    }
    return r;
}

static void add_segments(cloth_job *job, int *n) {
    const rill_world *w = job->world;
    const link_set *s = links_in(w, CLOTH_SEGMENTS);
    for (int k = 0; k < s->count; k++) {
        const int32_t *ends = link_ends(s, k);
        const float length = LINK_VALUES(s, SEGMENT_LENGTH, float)[k], width = LINK_VALUES(s, SEGMENT_WIDTH, float)[k];
        const float shares[2] = {-1.0f / length, 1.0f / length};
        job->row[(*n)++] = row_of(job, ends, shares, 2, cloth_of(w, ends[0])->def.stretch * length * width);
    }
}

/* The columns of the deformation gradient F = (e1 e2) (a b; 0 c)^-1. */
static void add_triangles(cloth_job *job, int *n) {
    const rill_world *w = job->world;
    const link_set *s = links_in(w, CLOTH_TRIANGLES);
    for (int k = 0; k < s->count; k++) {
        const int32_t *ends = link_ends(s, k);
        const float *shape = LINK_VALUES(s, TRIANGLE_SHAPE, float) + 3 * (size_t)k;
        const float a = shape[0], b = shape[1], c = shape[2];
        const float first[3] = {-1.0f / a, 1.0f / a, 0.0f}, second[3] = {(b / a - 1.0f) / c, -b / (a * c), 1.0f / c};
        const float weight = cloth_of(w, ends[0])->def.stretch * 0.5f * a * c;
        job->row[(*n)++] = row_of(job, ends, first, 3, weight);
        job->row[(*n)++] = row_of(job, ends, second, 3, weight);
    }
}

/* Bends: their shares make D x the curvature vector (make.c), with cotangents at a hinge, differences along a line. */
static void add_bends(cloth_job *job, int set, int *n) {
    const rill_world *w = job->world;
    const link_set *s = links_in(w, set);
    const int count = s->def.ends;
    for (int k = 0; k < s->count; k++) {
        const int32_t *ends = link_ends(s, k);
        const float *shares = LINK_VALUES(s, BEND_SHARES, float) + (size_t)count * (size_t)k;
        const float weight = cloth_of(w, ends[0])->def.bend * LINK_VALUES(s, BEND_AREA, float)[k];
        job->row[(*n)++] = row_of(job, ends, shares, count, weight);
    }
}

int rill_cloth_elastic_rows(cloth_job *job) {
    int n = 0;
    add_segments(job, &n);
    add_triangles(job, &n);
    job->first_hinge = n;
    add_bends(job, CLOTH_HINGES, &n);
    job->first_curve = n;
    add_bends(job, CLOTH_CURVES, &n);
    return n;
}

/* ---- projections ---- */

/* Projects onto the nearest vector of a given length. Along it the energy w/2 (|D x| - length)^2 resists with w; across
   it with w (1 - length/|D x|) if stretched, and not at all if compressed. */
static void project_length(const cloth_job *job, int row, float length) {
    const vec now = row_image(job, row);
    const float is = vec_length(now), part = is > 0.0f ? length / is : 0.0f, across = fmaxf(1.0f - part, 0.0f);
    job->value[row] = vec_scale(now, job->row[row].weight * (part - 1.0f));
    job->answer[row] = (cloth_answer){vec_direction(now), across, 1.0f - across};
}

#if DIM == 3

/* The positive part of 1 - 1/S, as a S + b: both have the same axes. */
static void answer_across(triangle_answer *t, float s11, float s12, float s22) {
    const float mean = 0.5f * (s11 + s22), root = sqrtf(0.25f * (s11 - s22) * (s11 - s22) + s12 * s12);
    const float most = mean + root, least = mean - root;
    const float f1 = fmaxf(1.0f - 1.0f / most, 0.0f), f2 = least > 0.0f ? fmaxf(1.0f - 1.0f / least, 0.0f) : 0.0f;
    const float a = root > 1e-6f * mean ? (f1 - f2) / (2.0f * root) : 0.0f, b = f1 - a * most;
    t->g11 = a * s11 + b, t->g12 = a * s12, t->g22 = a * s22 + b;
}

/* Projects onto the nearest two perpendicular vectors of length 1: R = F S^-1, S = sqrt(F^T F). */
static void project_triangle(const cloth_job *job, int row) {
    const vec f1 = row_image(job, row), f2 = row_image(job, row + 1);
    const float p = vec_dot(f1, f1), q = vec_dot(f1, f2), r = vec_dot(f2, f2), weight = job->row[row].weight;
    const float root = fmaxf(sqrtf(fmaxf(p * r - q * q, 0.0f)), LEAST_AREA);
    triangle_answer *t = &job->triangle[(row - links_in(job->world, CLOTH_SEGMENTS)->count) / 2];
    /* S = (F^T F + root) / trace, trace^2 = p + r + 2 root; its inverse, and det S = root */
    const float trace = sqrtf(p + r + 2.0f * root), scale = 1.0f / (trace * root);
    t->t1 = vec_direction(vec_scale(vec_along(vec_scale(f1, r + root), -q, f2), scale));
    t->t2 = vec_direction(vec_scale(vec_along(vec_scale(f2, p + root), -q, f1), scale));
    t->normal = vec_cross(t->t1, t->t2);
    answer_across(t, (p + root) / trace, q / trace, (r + root) / trace);
    t->turned = fminf(2.0f / trace, 1.0f);
    job->value[row] = vec_scale(vec_sub(t->t1, f1), weight);
    job->value[row + 1] = vec_scale(vec_sub(t->t2, f2), weight);
}

#endif

static float bend_at_rest(const cloth_job *job, int row) {
    const bool hinge = row < job->first_curve;
    const link_set *s = links_in(job->world, hinge ? CLOTH_HINGES : CLOTH_CURVES);
    return LINK_VALUES(s, BEND_REST, float)[row - (hinge ? job->first_hinge : job->first_curve)];
}

void rill_cloth_project_row(const cloth_job *job, int row) {
    const int segments = links_in(job->world, CLOTH_SEGMENTS)->count;
    if (row < segments)
        project_length(job, row, 1.0f);
    else if (row >= job->first_hinge)
        project_length(job, row, bend_at_rest(job, row));
#if DIM == 3
    else if ((row - segments) % 2 == 0)
        project_triangle(job, row);
#endif
}

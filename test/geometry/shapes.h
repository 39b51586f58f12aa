/* SPDX-License-Identifier: MIT */
/* Meshes of simple shapes, brute-force loops to compare with, and the workers and memory that building needs. */
#ifndef RILL_TEST_GEOMETRY_SHAPES_H
#define RILL_TEST_GEOMETRY_SHAPES_H

#include "core/parallel.h"
#include "geometry/field.h"
#include "geometry/triangle.h"
#include "geometry/winding.h"
#include "oracle/check.h"

#define TEST_FN static inline __attribute__((unused))
#define PI      3.14159265358979323846

/* A mesh under construction, with room for what the tests need. */
typedef struct sketch {
    float (*vertices)[3];
    int32_t (*triangles)[3];
    int vertex_count, triangle_count;
} sketch;

TEST_FN sketch sketch_start(int vertices, int triangles) {
    sketch s = {calloc((size_t)vertices, sizeof *s.vertices), calloc((size_t)triangles, sizeof *s.triangles), 0, 0};
    assert_non_null(s.vertices);
    assert_non_null(s.triangles);
    return s;
}

TEST_FN void sketch_free(sketch *s) {
    free(s->vertices);
    free(s->triangles);
}

TEST_FN mesh sketch_mesh(const sketch *s) {
    return (mesh){(const float(*)[3])s->vertices, s->vertex_count, (const int32_t(*)[3])s->triangles,
                  s->triangle_count};
}

TEST_FN int32_t sketch_vertex(sketch *s, double x, double y, double z) {
    float *v = s->vertices[s->vertex_count];
    v[0] = (float)x, v[1] = (float)y, v[2] = (float)z;
    return s->vertex_count++;
}

TEST_FN void sketch_triangle(sketch *s, int32_t a, int32_t b, int32_t c) {
    int32_t *t = s->triangles[s->triangle_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

TEST_FN void sketch_flip(sketch *s, int t) {
    const int32_t kept = s->triangles[t][1];
    s->triangles[t][1] = s->triangles[t][2], s->triangles[t][2] = kept;
}

/* Joins b to a and empties b. */
TEST_FN sketch sketch_join(sketch *a, sketch *b) {
    sketch s = sketch_start(a->vertex_count + b->vertex_count, a->triangle_count + b->triangle_count);
    const sketch *parts[2] = {a, b};
    for (int p = 0; p < 2; p++) {
        const int32_t first = s.vertex_count;
        for (int v = 0; v < parts[p]->vertex_count; v++)
            sketch_vertex(&s, (double)parts[p]->vertices[v][0], (double)parts[p]->vertices[v][1],
                          (double)parts[p]->vertices[v][2]);
        for (int t = 0; t < parts[p]->triangle_count; t++)
            sketch_triangle(&s, first + parts[p]->triangles[t][0], first + parts[p]->triangles[t][1],
                            first + parts[p]->triangles[t][2]);
    }
    sketch_free(a);
    sketch_free(b);
    return s;
}

/* Twelve triangles, normals out. Triangles 2f and 2f + 1 are one face: x-, x+, y-, y+, z-, z+. */
TEST_FN sketch make_box(double cx, double cy, double cz, double hx, double hy, double hz) {
    sketch s = sketch_start(8, 12);
    for (int k = 0; k < 8; k++)
        sketch_vertex(&s, cx + (k & 1 ? hx : -hx), cy + (k >> 1 & 1 ? hy : -hy), cz + (k >> 2 ? hz : -hz));
    static const int32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int f = 0; f < 6; f++) {
        sketch_triangle(&s, faces[f][0], faces[f][1], faces[f][2]);
        sketch_triangle(&s, faces[f][0], faces[f][2], faces[f][3]);
    }
    return s;
}

/* Rings of quads around z; ring 0 and the last are the poles, so they hold triangles only. */
TEST_FN sketch make_sphere(double x, double y, double z, double radius, int rings) {
    const int round = 2 * rings;
    sketch s = sketch_start(2 + (rings - 1) * round, 2 * round * (rings - 1));
    const int32_t south = sketch_vertex(&s, x, y, z - radius), north = sketch_vertex(&s, x, y, z + radius);
    for (int r = 1; r < rings; r++)
        for (int k = 0; k < round; k++) {
            const double polar = PI * r / rings, turn = 2.0 * PI * k / round;
            sketch_vertex(&s, x + radius * sin(polar) * cos(turn), y + radius * sin(polar) * sin(turn),
                          z - radius * cos(polar));
        }
    for (int k = 0; k < round; k++) {
        const int next = (k + 1) % round, last = 2 + (rings - 2) * round;
        sketch_triangle(&s, south, 2 + next, 2 + k);
        sketch_triangle(&s, north, last + k, last + next);
        for (int r = 0; r + 2 < rings; r++) {
            const int32_t low = 2 + r * round, high = low + round;
            sketch_triangle(&s, low + k, low + next, high + next);
            sketch_triangle(&s, low + k, high + next, high + k);
        }
    }
    return s;
}

/* A torus around z: radius `large` of its ring, `small` of its tube. */
TEST_FN sketch make_torus(double large, double small, int around, int across) {
    sketch s = sketch_start(around * across, 2 * around * across);
    for (int i = 0; i < around; i++)
        for (int j = 0; j < across; j++) {
            const double u = 2.0 * PI * i / around, v = 2.0 * PI * j / across, r = large + small * cos(v);
            sketch_vertex(&s, r * cos(u), r * sin(u), small * sin(v));
        }
    for (int i = 0; i < around; i++)
        for (int j = 0; j < across; j++) {
            const int i1 = (i + 1) % around, j1 = (j + 1) % across;
            sketch_triangle(&s, i * across + j, i1 * across + j, i1 * across + j1);
            sketch_triangle(&s, i * across + j, i1 * across + j1, i * across + j1);
        }
    return s;
}

/* ---- brute force ---- */

TEST_FN double brute_distance(const mesh *m, dvec p) {
    double best = (double)INFINITY;
    for (int t = 0; t < m->triangle_count; t++) {
        const dvec q = rill_triangle_closest(p, mesh_corner(m, t, 0), mesh_corner(m, t, 1), mesh_corner(m, t, 2), NULL);
        best = fmin(best, dvec_length(dvec_sub(p, q)));
    }
    return best;
}

TEST_FN double brute_winding(const mesh *m, dvec p) {
    double sum = 0.0;
    for (int t = 0; t < m->triangle_count; t++)
        sum += rill_triangle_solid_angle(p, mesh_corner(m, t, 0), mesh_corner(m, t, 1), mesh_corner(m, t, 2));
    return sum / (4.0 * PI);
}

TEST_FN dvec random_point(uint32_t *state, double half) {
    const float h = (float)half;
    const double x = (double)random_in(state, -h, h), y = (double)random_in(state, -h, h);
    return (dvec){x, y, (double)random_in(state, -h, h)};
}

TEST_FN float sample(const distance_field *f, dvec p) {
    float x[3], distance;
    dvec_to_floats(p, x);
    rill_field_sample(f, x, &distance, NULL);
    return distance;
}

/* ---- memory and workers ---- */

typedef struct bench {
    memory memory;
    parallel *workers;
} bench;

TEST_FN void bench_start(bench *b, int workers) {
    rill_memory_init(&b->memory, NULL);
    b->workers = rill_parallel_create(&b->memory, workers, NULL);
    assert_non_null(b->workers);
}

/* Ends the workers and checks that no memory is left. */
TEST_FN void bench_end(bench *b) {
    rill_parallel_destroy(&b->memory, b->workers);
    assert_int_equal(b->memory.bytes, 0);
}

TEST_FN distance_field *build_field(bench *b, const mesh *m, float cell, float margin, float thickness) {
    const field_options options = {cell, margin, thickness};
    rill_error error = {RILL_OK, ""};
    distance_field *f = rill_field_build(&b->memory, b->workers, m, &options, &error);
    if (!f) fail_msg("%s", error.text);
    return f;
}

#endif

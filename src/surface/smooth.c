/* SPDX-License-Identifier: MIT */
/* Smooths the mesh by alternate shrinking and growing (G. Taubin, "A signal processing approach to fair surface
   design", SIGGRAPH 1995): bumps are removed, the volume stays. Vertices on walls slide along them. Then computes
   normals, volume and area. */
#include "surface/surface.h"

#include "core/public_vec.h"

#include <string.h>

/* Taubin's lambda and mu; the pass band is 1/lambda + 1/mu = 0.1. */
#define SHRINK 0.5f
#define GROW   (-0.526f)
#define GRAIN  1024
/* A vertex nearer to a wall than this share of a cell lies on it. */
#define NEAR_SHARE 0.26f

/* Lists for each vertex the next vertex in each of its elements: in a closed mesh, every neighbour exactly once. In 2D
   the second end of a segment is followed by the first. */
static bool make_links(rill_surface *s) {
    const int dim = s->recipe.dim, corners = dim * s->element_count;
    const size_t n = (size_t)s->vertex_count + 1;
    if (!rill_buffer_reserve(&s->memory, &s->link_first, n * sizeof(int32_t), 0) ||
        !rill_buffer_reserve(&s->memory, &s->links, (size_t)corners * sizeof(int32_t), 0))
        return false;
    int32_t *first = s->link_first.data, *links = s->links.data;
    const int32_t *index = s->index.data;
    memset(first, 0, n * sizeof *first);
    for (int c = 0; c < corners; c++) first[index[c]]++;
    int32_t sum = 0;
    for (int v = 0; v < s->vertex_count; v++) {
        const int32_t own = first[v];
        first[v] = sum, sum += own;
    }
    first[s->vertex_count] = sum;
    for (int c = 0; c < corners; c++) {
        const int element = c / dim;
        links[first[index[c]]++] = index[element * dim + (c + 1 - element * dim) % dim];
    }
    /* Filling has moved each start index to that of the next vertex. */
    for (int v = s->vertex_count; v > 0; v--) first[v] = first[v - 1];
    first[0] = 0;
    return true;
}

typedef struct smooth_job {
    rill_surface *surface;
    const rill_vec *from;
    rill_vec *to;
    float share;
} smooth_job;

/* Removes the part of a move that would lead off a wall or a periodic face. */
static rill_vec slide(const rill_surface *s, int vertex, rill_vec at, rill_vec move) {
    const float near = NEAR_SHARE * s->cell, place[3] = {at.x, at.y, at.z};
    near_wall walls[3];
    const int count =
        ((const uint8_t *)s->at_wall.data)[vertex] ? rill_surface_walls_near(s, place, near - s->overlap, walls, 3) : 0;
    for (int k = 0; k < count; k++) {
        const rill_vec n = walls[k].normal;
        const float off = move.x * n.x + move.y * n.y + move.z * n.z;
        move = (rill_vec){move.x - off * n.x, move.y - off * n.y, move.z - off * n.z};
    }
    float *part[3] = {&move.x, &move.y, &move.z};
    for (int a = 0; s->periodic && a < 3 && a < s->recipe.dim; a++)
        if (fminf(place[a] - s->box_min[a], s->box_max[a] - place[a]) < near) *part[a] = 0.0f;
    return move;
}

static void smooth_vertices(int begin, int end, void *context) {
    const smooth_job *job = context;
    const rill_surface *s = job->surface;
    const int32_t *first = s->link_first.data, *links = s->links.data;
    for (int v = begin; v < end; v++) {
        rill_vec sum = {0, 0, 0};
        for (int k = first[v]; k < first[v + 1]; k++) {
            const rill_vec d = vec_sub(job->from[links[k]], job->from[v]);
            sum.x += d.x, sum.y += d.y, sum.z += d.z;
        }
        const float share = job->share / (float)(first[v + 1] > first[v] ? first[v + 1] - first[v] : 1);
        const rill_vec move = slide(s, v, job->from[v], (rill_vec){sum.x * share, sum.y * share, sum.z * share});
        job->to[v] = (rill_vec){job->from[v].x + move.x, job->from[v].y + move.y, job->from[v].z + move.z};
    }
}

/* Marks the vertices within a cell of a wall. Smoothing moves a vertex by less than a cell, so `slide` skips all
   others. */
static void find_walls(int begin, int end, void *context) {
    rill_surface *s = context;
    near_wall nearest;
    for (int v = begin; v < end; v++) {
        const rill_vec p = ((const rill_vec *)s->position.data)[v];
        const float at[3] = {p.x, p.y, p.z};
        ((uint8_t *)s->at_wall.data)[v] = rill_surface_walls_near(s, at, s->cell - s->overlap, &nearest, 1) > 0;
    }
}

bool rill_surface_smooth(rill_surface *s) {
    if (!make_links(s)) return false;
    if (s->def.smoothing == 0 || s->vertex_count == 0) return true;
    if (!rill_buffer_reserve(&s->memory, &s->moved, (size_t)s->vertex_count * sizeof(rill_vec), 0) ||
        !rill_buffer_reserve(&s->memory, &s->at_wall, (size_t)s->vertex_count, 0))
        return false;
    rill_parallel_for(s->workers, s->vertex_count, GRAIN, find_walls, s);
    if (!rill_surface_remember_volume(s)) return false;
    for (int round = 0; round < s->def.smoothing; round++) {
        smooth_job there = {s, s->position.data, s->moved.data, SHRINK},
                   back = {s, s->moved.data, s->position.data, GROW};
        rill_parallel_for(s->workers, s->vertex_count, GRAIN, smooth_vertices, &there);
        rill_parallel_for(s->workers, s->vertex_count, GRAIN, smooth_vertices, &back);
    }
    rill_surface_restore_volume(s);
    return true;
}

/* ---- normals ---- */

rill_vec rill_surface_element_normal(const rill_surface *s, int element) {
    const rill_vec *p = s->position.data;
    const int32_t *index = (const int32_t *)s->index.data + (size_t)element * (size_t)s->recipe.dim;
    const rill_vec a = vec_sub(p[index[1]], p[index[0]]);
    if (s->recipe.dim == 2) return (rill_vec){a.y, -a.x, 0.0f};
    return vec_cross(a, vec_sub(p[index[2]], p[index[0]]));
}

/* Sums over elements in blocks of fixed size, so that the result does not depend on the number of threads. */
static void measure(int begin, int end, void *context) {
    rill_surface *s = context;
    const rill_vec *p = s->position.data;
    double volume = 0.0, area = 0.0;
    const rill_vec origin = p[((const int32_t *)s->index.data)[0]];
    for (int e = begin; e < end; e++) {
        const rill_vec n = rill_surface_element_normal(s, e);
        const rill_vec a = vec_sub(p[((const int32_t *)s->index.data)[(size_t)e * (size_t)s->recipe.dim]], origin);
        const double x = (double)n.x, y = (double)n.y, z = (double)n.z;
        volume += (double)a.x * x + (double)a.y * y + (double)a.z * z;
        area += sqrt(x * x + y * y + z * z);
    }
    double *sums = (double *)s->sums.data + 2 * (begin / REDUCE_BLOCK);
    sums[0] = volume, sums[1] = area;
}

void rill_surface_normals(rill_surface *s) {
    rill_vec *normal = s->normal.data;
    const int32_t *index = s->index.data;
    const int dim = s->recipe.dim;
    memset(normal, 0, (size_t)s->vertex_count * sizeof *normal);
    for (int e = 0; e < s->element_count; e++) {
        const rill_vec n = rill_surface_element_normal(s, e);
        for (int k = 0; k < dim; k++) {
            rill_vec *to = &normal[index[e * dim + k]];
            to->x += n.x, to->y += n.y, to->z += n.z;
        }
    }
    for (int v = 0; v < s->vertex_count; v++) {
        const rill_vec n = normal[v];
        const double x = (double)n.x, y = (double)n.y, z = (double)n.z, length = sqrt(x * x + y * y + z * z);
        normal[v] = length > 0.0 ? (rill_vec){(float)(x / length), (float)(y / length), (float)(z / length)}
                                 : (rill_vec){0.0f, dim == 2 ? 1.0f : 0.0f, dim == 2 ? 0.0f : 1.0f};
    }
}

bool rill_surface_measure(rill_surface *s, double *volume, double *area) {
    const int blocks = reduce_block_count(s->element_count), dim = s->recipe.dim;
    *volume = *area = 0.0;
    if (s->element_count == 0) return true;
    if (!rill_buffer_reserve(&s->memory, &s->sums, (size_t)blocks * 2 * sizeof(double), 0)) return false;
    rill_surface_normals(s);
    rill_parallel_for(s->workers, s->element_count, REDUCE_BLOCK, measure, s);
    for (int b = 0; b < blocks; b++)
        *volume += ((const double *)s->sums.data)[2 * b], *area += ((const double *)s->sums.data)[2 * b + 1];
    *volume /= dim == 3 ? 6.0 : 2.0;
    *area /= dim == 3 ? 2.0 : 1.0;
    return true;
}

/* SPDX-License-Identifier: MIT */
/* Reference loops: what one core can do for neighbour search when nothing else is asked of it. */
#include "bench/bench.h"

#include "core/hash.h"
#include "core/timer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

rill_vec reference_point(int edge, int index, float dx) {
    const float jitter[3] = {random_unit(7, (uint32_t)index, 0), random_unit(7, (uint32_t)index, 1),
                             random_unit(7, (uint32_t)index, 2)};
    const int a = index % edge, b = index / edge % edge, c = index / edge / edge;
    return (rill_vec){((float)a + 0.2f * jitter[0]) * dx, ((float)b + 0.2f * jitter[1]) * dx,
                      ((float)c + 0.2f * jitter[2]) * dx};
}

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

#define DX        0.02f
#define H         (2 * DX)
#define LIST_ROOM 64 /* entries a particle's list may take; a jittered lattice needs some 40 */

typedef struct point {
    float x, y, z, w;
} point;

typedef struct reference {
    int edge, count, side; /* cells along an edge of the table */
    point *in, *sorted;
    float *x, *y, *z;
    int32_t *cell, *start, *list, *first, *length;
    int32_t shuffle[256][8];
} reference;

static void *room(size_t size) {
    void *p = aligned_alloc(64, (size + 127) & ~(size_t)63);
    if (p) memset(p, 0, size);
    return p;
}

static int cell_coordinate(float x) {
    return (int)(x * (1 / H)) + 1;
}

static void sort_points(reference *r) {
    const size_t cells = (size_t)r->side * (size_t)r->side * (size_t)r->side;
    memset(r->start, 0, (cells + 2) * sizeof *r->start);
    for (int i = 0; i < r->count; i++) {
        const point p = r->in[i];
        r->cell[i] = (cell_coordinate(p.z) * r->side + cell_coordinate(p.y)) * r->side + cell_coordinate(p.x);
        r->start[r->cell[i] + 2]++;
    }
    for (size_t c = 2; c < cells + 2; c++) r->start[c] += r->start[c - 1];
    for (int i = 0; i < r->count; i++) {
        const int to = r->start[r->cell[i] + 1]++;
        r->sorted[to] = r->in[i];
        r->x[to] = r->in[i].x, r->y[to] = r->in[i].y, r->z[to] = r->in[i].z;
    }
}

static int list_one(const reference *r, int i, int32_t *out) {
    const __m256 px = _mm256_set1_ps(r->x[i]), py = _mm256_set1_ps(r->y[i]), pz = _mm256_set1_ps(r->z[i]);
    const __m256 range = _mm256_set1_ps(H * H);
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), self = _mm256_set1_epi32(i);
    const int cx = cell_coordinate(r->x[i]), cy = cell_coordinate(r->y[i]), cz = cell_coordinate(r->z[i]);
    int n = 0;
    for (int z = cz - 1; z <= cz + 1; z++)
        for (int y = cy - 1; y <= cy + 1; y++) {
            const int row = (z * r->side + y) * r->side + cx - 1, end = r->start[row + 3];
            for (int j = r->start[row]; j < end; j += 8) {
                const __m256 dx = _mm256_sub_ps(px, _mm256_loadu_ps(r->x + j)),
                             dy = _mm256_sub_ps(py, _mm256_loadu_ps(r->y + j)),
                             dz = _mm256_sub_ps(pz, _mm256_loadu_ps(r->z + j));
                const __m256 r2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
                const __m256i index = _mm256_add_epi32(_mm256_set1_epi32(j), lanes);
                unsigned near = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(r2, range, _CMP_LT_OQ));
                near &= ~(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(index, self)));
                if (end - j < 8) near &= (1u << (end - j)) - 1u;
                const __m256i order = _mm256_loadu_si256((const __m256i *)(const void *)r->shuffle[near]);
                _mm256_storeu_si256((__m256i *)(void *)(out + n), _mm256_permutevar8x32_epi32(index, order));
                n += __builtin_popcount(near);
            }
        }
    for (int k = n; k < ((n + 7) & ~7); k++) out[k] = r->count;
    return n;
}

static long long build_lists(reference *r) {
    long long pairs = 0;
    int32_t *out = r->list;
    for (int i = 0; i < r->count; i++) {
        r->first[i] = (int32_t)((out - r->list) / 8);
        r->length[i] = list_one(r, i, out);
        pairs += r->length[i];
        out += (r->length[i] + 7) & ~7;
    }
    return pairs;
}

static bool prepare(reference *r, int edge) {
    r->edge = edge;
    r->count = edge * edge * edge;
    r->side = edge / 2 + 4;
    const size_t n = (size_t)r->count, cells = (size_t)r->side * (size_t)r->side * (size_t)r->side;
    r->in = room(sizeof(point) * n), r->sorted = room(sizeof(point) * n);
    r->x = room(4 * (n + 8)), r->y = room(4 * (n + 8)), r->z = room(4 * (n + 8));
    r->cell = room(4 * n), r->start = room(4 * (cells + 8)), r->first = room(4 * n), r->length = room(4 * n);
    r->list = room(4 * n * LIST_ROOM);
    for (unsigned mask = 0; mask < 256; mask++)
        for (int lane = 0, k = 0; lane < 8; lane++)
            if (mask >> lane & 1) r->shuffle[mask][k++] = lane;
    if (!r->in || !r->sorted || !r->x || !r->y || !r->z || !r->cell || !r->start || !r->first || !r->length || !r->list)
        return false;
    for (int i = 0; i < r->count; i++) {
        const rill_vec p = reference_point(edge, i, DX);
        r->in[i] = (point){p.x, p.y, p.z, 0};
    }
    return true;
}

bool reference_run(int edge, int rounds, reference_times *times) {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return false;
    reference r = {0};
    const bool ready = prepare(&r, edge);
    if (ready) {
        const double ns = 1e9 / r.count;
        *times = (reference_times){.particles = r.count, .sort = 1e30, .list = 1e30};
        for (int k = 0; k < rounds; k++) {
            const double t0 = timer_now();
            sort_points(&r);
            const double t1 = timer_now();
            times->neighbours = (double)build_lists(&r) / r.count;
            const double t2 = timer_now();
            times->sort = fmin(times->sort, (t1 - t0) * ns);
            times->list = fmin(times->list, (t2 - t1) * ns);
        }
    }
    void *all[] = {r.in, r.sorted, r.x, r.y, r.z, r.cell, r.start, r.first, r.length, r.list};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    return ready;
}

#else
bool reference_run(int edge, int rounds, reference_times *times) {
    (void)edge, (void)rounds, (void)times;
    return false;
}
#endif

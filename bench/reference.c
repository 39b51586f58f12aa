/* SPDX-License-Identifier: MIT */
/* Reference loops: the speed of one core for neighbour search and position-based density constraints alone. */
#include "bench/bench.h"

#include "core/hash.h"
#include "core/timer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

rill_vec reference_point(int edge, int index, float dx) {
    const float jitter[3] = {rill_random_unit(7, (uint32_t)index, 0), rill_random_unit(7, (uint32_t)index, 1),
                             rill_random_unit(7, (uint32_t)index, 2)};
    const int a = index % edge, b = index / edge % edge, c = index / edge / edge;
    return (rill_vec){((float)a + 0.2f * jitter[0]) * dx, ((float)b + 0.2f * jitter[1]) * dx,
                      ((float)c + 0.2f * jitter[2]) * dx};
}

double reference_step(const reference_times *t) {
    return t->sort + t->list + 3 * (t->multiplier + t->displacement);
}

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

#define DX        0.02f
#define H         (2 * DX)
#define LIST_ROOM 64 /* entries reserved for a particle's list; a jittered lattice needs about 40 */

typedef struct point {
    float x, y, z, w;
} point;

typedef struct reference {
    int edge, count, side;               /* side: cells along an edge of the grid */
    point *in, *sorted, *marked, *moved; /* with the null point at the end */
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

/* Eight points gathered by index, as columns. */
typedef struct columns {
    __m256 x, y, z, w;
} columns;

static inline columns gather(const point *p, const int32_t *index) {
    __m256 row[4];
    for (int k = 0; k < 4; k++)
        row[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(&p[index[k]].x)),
                                      _mm_load_ps(&p[index[k + 4]].x), 1);
    const __m256 a = _mm256_unpacklo_ps(row[0], row[1]), b = _mm256_unpackhi_ps(row[0], row[1]);
    const __m256 c = _mm256_unpacklo_ps(row[2], row[3]), d = _mm256_unpackhi_ps(row[2], row[3]);
    return (columns){_mm256_shuffle_ps(a, c, 0x44), _mm256_shuffle_ps(a, c, 0xEE), _mm256_shuffle_ps(b, d, 0x44),
                     _mm256_shuffle_ps(b, d, 0xEE)};
}

static inline columns from(const point *p, columns to, __m256 *r2) {
    to.x = _mm256_sub_ps(_mm256_set1_ps(p->x), to.x);
    to.y = _mm256_sub_ps(_mm256_set1_ps(p->y), to.y);
    to.z = _mm256_sub_ps(_mm256_set1_ps(p->z), to.z);
    *r2 = _mm256_fmadd_ps(to.x, to.x, _mm256_fmadd_ps(to.y, to.y, _mm256_mul_ps(to.z, to.z)));
    return to;
}

static inline float sum_lanes(__m256 v) {
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_shuffle_ps(s, s, 1)));
}

#define VOLUME (DX * DX * DX)
#define PI     3.14159265f

/* Multipliers of the density constraints, with poly6 and spiky (Macklin and Mueller 2013, Eq. 11). */
static void find_multipliers(reference *r) {
    const float h3 = H * H * H, poly6 = 315.0f / (64.0f * PI * h3 * h3 * h3), spiky = 45.0f / (PI * h3 * h3);
    const __m256 zero = _mm256_setzero_ps(), range = _mm256_set1_ps(H * H), reach = _mm256_set1_ps(H);
    for (int i = 0; i < r->count; i++) {
        const int32_t *list = r->list + 8 * (size_t)r->first[i];
        __m256 density = zero, squares = zero, gx = zero, gy = zero, gz = zero;
        for (int k = 0; k < r->length[i]; k += 8) {
            __m256 r2;
            const columns d = from(&r->sorted[i], gather(r->sorted, list + k), &r2);
            const __m256 inverse = _mm256_rsqrt_ps(r2), left = _mm256_max_ps(_mm256_sub_ps(range, r2), zero);
            density = _mm256_fmadd_ps(_mm256_mul_ps(left, left), left, density);
            const __m256 s = _mm256_max_ps(_mm256_fnmadd_ps(r2, inverse, reach), zero), slope = _mm256_mul_ps(s, s);
            squares = _mm256_fmadd_ps(slope, slope, squares);
            const __m256 g = _mm256_mul_ps(slope, inverse);
            gx = _mm256_fmadd_ps(g, d.x, gx), gy = _mm256_fmadd_ps(g, d.y, gy), gz = _mm256_fmadd_ps(g, d.z, gz);
        }
        const float x = sum_lanes(gx), y = sum_lanes(gy), z = sum_lanes(gz), scale = VOLUME * spiky;
        const float c = VOLUME * poly6 * (h3 * h3 + sum_lanes(density)) - 1.0f;
        r->marked[i] = r->sorted[i];
        r->marked[i].w = -c / (scale * scale * (sum_lanes(squares) + x * x + y * y + z * z) + 1.0f);
    }
}

/* Displacements from the multipliers (Eq. 12). */
static void find_displacements(reference *r) {
    const __m256 zero = _mm256_setzero_ps(), reach = _mm256_set1_ps(H);
    for (int i = 0; i < r->count; i++) {
        const int32_t *list = r->list + 8 * (size_t)r->first[i];
        const __m256 own = _mm256_set1_ps(r->marked[i].w);
        __m256 x = zero, y = zero, z = zero;
        for (int k = 0; k < r->length[i]; k += 8) {
            __m256 r2;
            const columns d = from(&r->marked[i], gather(r->marked, list + k), &r2);
            const __m256 inverse = _mm256_rsqrt_ps(r2), s = _mm256_max_ps(_mm256_fnmadd_ps(r2, inverse, reach), zero);
            const __m256 g = _mm256_mul_ps(_mm256_mul_ps(_mm256_mul_ps(s, s), inverse), _mm256_add_ps(own, d.w));
            x = _mm256_fmadd_ps(g, d.x, x), y = _mm256_fmadd_ps(g, d.y, y), z = _mm256_fmadd_ps(g, d.z, z);
        }
        r->moved[i] = (point){sum_lanes(x), sum_lanes(y), sum_lanes(z), 0};
    }
}

static bool prepare(reference *r, int edge) {
    r->edge = edge;
    r->count = edge * edge * edge;
    r->side = edge / 2 + 4;
    const size_t n = (size_t)r->count, cells = (size_t)r->side * (size_t)r->side * (size_t)r->side;
    r->in = room(sizeof(point) * n), r->sorted = room(sizeof(point) * (n + 1));
    r->marked = room(sizeof(point) * (n + 1)), r->moved = room(sizeof(point) * n);
    r->x = room(4 * (n + 8)), r->y = room(4 * (n + 8)), r->z = room(4 * (n + 8));
    r->cell = room(4 * n), r->start = room(4 * (cells + 8)), r->first = room(4 * n), r->length = room(4 * n);
    r->list = room(4 * n * LIST_ROOM);
    for (unsigned mask = 0; mask < 256; mask++)
        for (int lane = 0, k = 0; lane < 8; lane++)
            if (mask >> lane & 1) r->shuffle[mask][k++] = lane;
    if (!r->in || !r->sorted || !r->marked || !r->moved || !r->x || !r->y || !r->z || !r->cell || !r->start ||
        !r->first || !r->length || !r->list)
        return false;
    for (int i = 0; i < r->count; i++) {
        const rill_vec p = reference_point(edge, i, DX);
        r->in[i] = (point){p.x, p.y, p.z, 0};
    }
    r->sorted[n] = r->marked[n] = (point){1e9f, 1e9f, 1e9f, 0};
    return true;
}

bool reference_run(int edge, int rounds, reference_times *times) {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return false;
    reference r = {0};
    const bool ready = prepare(&r, edge);
    if (ready) {
        const double ns = 1e9 / r.count;
        *times = (reference_times){
            .particles = r.count, .sort = 1e30, .list = 1e30, .multiplier = 1e30, .displacement = 1e30};
        for (int k = 0; k < rounds; k++) {
            const double t0 = rill_timer_now();
            sort_points(&r);
            const double t1 = rill_timer_now();
            times->neighbours = (double)build_lists(&r) / r.count;
            const double t2 = rill_timer_now();
            find_multipliers(&r);
            const double t3 = rill_timer_now();
            find_displacements(&r);
            const double t4 = rill_timer_now();
            times->sort = fmin(times->sort, (t1 - t0) * ns);
            times->list = fmin(times->list, (t2 - t1) * ns);
            times->multiplier = fmin(times->multiplier, (t3 - t2) * ns);
            times->displacement = fmin(times->displacement, (t4 - t3) * ns);
        }
    }
    void *all[] = {r.in, r.sorted, r.marked, r.moved, r.x, r.y, r.z, r.cell, r.start, r.first, r.length, r.list};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    return ready;
}

#else
bool reference_run(int edge, int rounds, reference_times *times) {
    (void)edge, (void)rounds, (void)times;
    return false;
}
#endif

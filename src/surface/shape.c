/* SPDX-License-Identifier: MIT */
/* The contribution of each particle to the field: its weight, and for the anisotropic field the centre and ellipsoid of
   its kernel. Follows J. Yu and G. Turk, "Reconstructing surfaces of particle-based fluids using anisotropic kernels",
   ACM Transactions on Graphics 32(1), 2013. */
#include "core/wide.h"
#include "surface/surface.h"

#include <string.h>

/* Yu & Turk: lambda in (6). */
#define CENTRE_SHARE 0.9f
/* Ratio of the longest axis to the shortest, k_r in (15). Across a jet two axes are short; kernels as flat as FLATTEST
   would not reach their neighbours there and would leave the middle of the jet empty. */
#define FLATTEST     3.6f
#define FLATTEST_JET 3.0f
/* A particle with less than this share of the kernel sum at a flat surface is torn away from the rest. */
#define SPARSE_SHARE 0.8f
/* Below this share of the weight at a flat surface, a particle is in a jet or a sheet, and its centre moves by half. */
#define THIN_SHARE 0.9f
/* Below this share of the kernel sum at a flat surface, a particle is a drop of its own, however many neighbours it
   has. */
#define LONE_SHARE 0.4f

/* Drops in a row fill the necks between them: a thread of single particles in 3D would have 1.16 times their volume.
   Each drop loses this share of its weight for each unit of kernel sum from other particles, and at most
   THREAD_MOST. */
#define THREAD_SHARE 0.3f
#define THREAD_MOST  0.1f

static float clamp(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}

/* Sums for one wide vector of points: the kernel sum and, for ellipsoids, the moments with w = 1 - (r/around)^3
   (11). */
typedef struct moments {
    wide sum, count, weight, mean[3], second[6];
} moments;

WIDE_FN void add_moments(const recipe *r, wide dx, wide dy, wide dz, moments *m) {
    const wide zero = wide_zero(), one = wide_set(1.0f);
    const wide square = dx * dx + dy * dy + dz * dz, distance = wide_sqrt(square);
    if (r->field == RILL_SURFACE_DISTANCE) {
        const wide t = wide_max(one - distance * wide_set(1.0f / r->radius), zero);
        m->sum += t * t;
        return;
    }
    const wide t = wide_max(one - square * wide_set(1.0f / (r->radius * r->radius)), zero);
    m->sum += t * t * t;
    if (r->field != RILL_SURFACE_ANISOTROPIC) return;
    const wide q = distance * wide_set(1.0f / r->around), w = wide_max(one - q * q * q, zero);
    m->count += wide_select(q < one, one, zero);
    m->weight += w;
    const wide wx = wide_select(q < one, w * dx, zero), wy = wide_select(q < one, w * dy, zero);
    const wide wz = wide_select(q < one, w * dz, zero);
    m->mean[0] += wx, m->mean[1] += wy, m->mean[2] += wz;
    /* Padding points are far away: their products would overflow to infinity times zero. */
    const wide x = wide_select(q < one, dx, zero), y = wide_select(q < one, dy, zero);
    const wide z = wide_select(q < one, dz, zero);
    m->second[0] += wx * x, m->second[1] += wy * y, m->second[2] += wz * z;
    m->second[3] += wx * y, m->second[4] += wx * z, m->second[5] += wy * z;
}

void rill_surroundings_of(const recipe *r, const point_set *all, const float at[3], surroundings *seen) {
    moments m;
    memset(&m, 0, sizeof m);
    const wide x = wide_set(at[0]), y = wide_set(at[1]), z = wide_set(at[2]);
    for (int k = 0; k < all->count; k += WIDE)
        add_moments(r, wide_load(all->x + k) - x, wide_load(all->y + k) - y, wide_load(all->z + k) - z, &m);
    *seen = (surroundings){.sum = wide_sum(m.sum), .count = wide_sum(m.count), .weight = wide_sum(m.weight)};
    if (!(seen->weight > 0.0f)) return;
    const float share = 1.0f / seen->weight;
    float *mean = seen->mean, *c = seen->covariance;
    for (int a = 0; a < 3; a++) mean[a] = wide_sum(m.mean[a]) * share;
    for (int a = 0; a < 6; a++) c[a] = wide_sum(m.second[a]) * share;
    c[0] -= mean[0] * mean[0], c[1] -= mean[1] * mean[1], c[2] -= mean[2] * mean[2];
    c[3] -= mean[0] * mean[1], c[4] -= mean[0] * mean[2], c[5] -= mean[1] * mean[2];
}

/* ---- ellipsoids ---- */

/* Eigenvalues (diagonal of a) and eigenvectors (columns of v) of a symmetric matrix, by Jacobi rotations. */
static void eigen(float a[3][3], float v[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) v[i][j] = i == j ? 1.0f : 0.0f;
    for (int sweep = 0; sweep < 12; sweep++) {
        const float off = fabsf(a[0][1]) + fabsf(a[0][2]) + fabsf(a[1][2]);
        if (!(off > 1e-7f * (fabsf(a[0][0]) + fabsf(a[1][1]) + fabsf(a[2][2])))) return;
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (a[p][q] == 0.0f) continue;
                const float theta = (a[q][q] - a[p][p]) / (2.0f * a[p][q]);
                const float t = (theta < 0.0f ? -1.0f : 1.0f) / (fabsf(theta) + sqrtf(theta * theta + 1.0f));
                const float c = 1.0f / sqrtf(t * t + 1.0f), s = t * c;
                for (int k = 0; k < 3; k++) {
                    const float x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < 3; k++) {
                    const float x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
                }
                for (int k = 0; k < 3; k++) {
                    const float x = v[k][p], y = v[k][q];
                    v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
                }
            }
    }
}

/* Treats a wall as if there were fluid behind it: the mean does not move along the wall's normal, and the covariance
   along the normal is at least that inside the fluid. */
static void hide_wall(const recipe *r, surroundings *seen, rill_vec normal) {
    const float n[3] = {normal.x, normal.y, normal.z};
    float *c = seen->covariance;
    const float moved = seen->mean[0] * n[0] + seen->mean[1] * n[1] + seen->mean[2] * n[2];
    const float thick = c[0] * n[0] * n[0] + c[1] * n[1] * n[1] + c[2] * n[2] * n[2] +
                        2.0f * (c[3] * n[0] * n[1] + c[4] * n[0] * n[2] + c[5] * n[1] * n[2]);
    const float missing = 1.0f / r->stretch - thick;
    for (int a = 0; a < 3; a++) seen->mean[a] -= moved * n[a];
    if (!(missing > 0.0f)) return;
    c[0] += missing * n[0] * n[0], c[1] += missing * n[1] * n[1], c[2] += missing * n[2] * n[2];
    c[3] += missing * n[0] * n[1], c[4] += missing * n[0] * n[2], c[5] += missing * n[1] * n[2];
}

/* Computes the form G^2 with G = (1/h) R Sigma^-1 R^T (9, 15). Returns det(h G), the factor that preserves the kernel's
   integral. */
static float ellipsoid(const recipe *r, const float c[6], float form[6]) {
    float a[3][3] = {{c[0], c[3], c[4]}, {c[3], c[1], c[5]}, {c[4], c[5], c[2]}}, v[3][3];
    eigen(a, v);
    float longest = 0.0f, inverse[3], factor = 1.0f;
    for (int k = 0; k < 3; k++) longest = fmaxf(longest, a[k][k] * r->stretch);
    longest = clamp(longest, 0.5f, LONGEST_AXIS);
    int shorter = 0;
    for (int k = 0; k < 3; k++) shorter += a[k][k] * r->stretch < 0.5f * longest;
    const float shortest = longest / (r->dim == 3 && shorter == 2 ? FLATTEST_JET : FLATTEST);
    for (int k = 0; k < 3; k++) {
        const float sigma = clamp(a[k][k] * r->stretch, shortest, longest);
        inverse[k] = 1.0f / (sigma * sigma * r->axis * r->axis);
        /* in 2D the axis out of the plane is not part of the determinant */
        if (r->dim == 3 || fabsf(v[2][k]) < 0.5f) factor /= sigma;
    }
    for (int m = 0; m < 6; m++) {
        static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
        const float *p = v[row[m]], *q = v[column[m]];
        form[m] = p[0] * q[0] * inverse[0] + p[1] * q[1] * inverse[1] + p[2] * q[2] * inverse[2];
    }
    return factor;
}

/* The distance of the mean from a particle below a flat surface that sees the same weight. */
static float usual_mean(const recipe *r, float weight) {
    if (r->layers == 0 || weight <= r->layer_weight[0]) return r->layers ? r->layer_mean[0] : 0.0f;
    for (int k = 1; k < r->layers; k++) {
        const float low = r->layer_weight[k - 1], high = r->layer_weight[k];
        if (weight >= high) continue;
        return r->layer_mean[k - 1] + (r->layer_mean[k] - r->layer_mean[k - 1]) * (weight - low) / (high - low);
    }
    return 0.0f;
}

/* 1 at a flat surface or below it, falling to 0 where the fluid is thinner. */
static float thickness(const recipe *r, float weight) {
    if (r->layers == 0) return 0.0f;
    return clamp((weight / r->layer_weight[0] - THIN_SHARE) / (1.0f - THIN_SHARE), 0.0f, 1.0f);
}

/* Moves the centre towards the mean (6), but only by the excess over the distance at a flat surface: Yu & Turk's
   centres sink by half a radius everywhere, and the mesh would shrink as much. Bumps sink. No centre moves outwards,
   since the middle of a jet looks like a dent and would be left empty. */
static void shift_centre(const recipe *r, const surroundings *seen, float cover, const point_set *set, int k) {
    const float *mean = seen->mean, length = sqrtf(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
    if (!(length > 0.0f)) return;
    const float weight = seen->weight / cover, share = CENTRE_SHARE * (0.5f + 0.5f * thickness(r, weight));
    const float move = clamp(share * (length - usual_mean(r, weight)), 0.0f, r->shift) / length;
    set->x[k] += move * mean[0], set->y[k] += move * mean[1], set->z[k] += move * mean[2];
}

/* Weight in the distance field: 1, and more for isolated particles, so that a lone particle makes a ball. */
static float distance_weight(const recipe *r, float sum) {
    const float begin = SPARSE_SHARE * r->flat_sum;
    if (!r->droplets || sum >= begin || !(begin > 1.0f)) return 1.0f;
    return 1.0f + fmaxf(r->drop_weight - 1.0f, 0.0f) * (begin - sum) / (begin - 1.0f);
}

static float power(float x, int dim) {
    return dim == 3 ? x * x * x : x * x;
}

bool rill_shape_point(const recipe *r, surroundings *seen, const near_wall *walls, int wall_count, const point_set *set,
                      int k) {
    const float nearest = wall_count ? walls[0].distance : r->around;
    const float sum = fmaxf(seen->sum, 1.0f) / rill_cover_at(r, nearest);
    const bool lone = seen->count <= r->few || sum < LONE_SHARE * r->flat_sum;
    const bool stretched = r->field == RILL_SURFACE_ANISOTROPIC;
    const float axis = stretched && lone ? LONE_AXIS * r->radius : r->axis;
    float form[6] = {1.0f / (axis * axis), 1.0f / (axis * axis), 1.0f / (axis * axis)};
    /* The volume that its neighbours leave to a particle, over the integral of its kernel. */
    float weight = 1.0f / (sum * power(axis / r->radius, r->dim));
    if (r->field == RILL_SURFACE_DISTANCE) {
        weight = distance_weight(r, sum);
    } else if (stretched && !lone) {
        for (int w = 0; w < wall_count && walls[w].distance < r->radius; w++) hide_wall(r, seen, walls[w].normal);
        shift_centre(r, seen, rill_cover_at(r, nearest * r->radius / r->around), set, k);
        /* Particles of torn fluid are farther apart but no larger, so their weight is reduced: gaps must not be
           filled. */
        weight *= fminf(sum / (SPARSE_SHARE * r->flat_sum), 1.0f) * ellipsoid(r, seen->covariance, form);
    } else {
        weight = r->droplets ? fminf(weight, r->drop_weight) : stretched ? 0.0f : weight;
        if (stretched && r->dim == 3) weight *= 1.0f - fminf(THREAD_SHARE * (sum - 1.0f), THREAD_MOST);
    }
    set->weight[k] = weight;
    for (int m = 0; m < 6; m++) set->form[m][k] = form[m];
    return stretched && lone;
}

/* ---- the field at any point ---- */

float rill_cover_at(const recipe *r, float distance) {
    const float place = clamp(distance / r->radius, 0.0f, 1.0f) * COVER_STEPS;
    const int k = place < COVER_STEPS ? (int)place : COVER_STEPS - 1;
    return r->cover[k] + (r->cover[k + 1] - r->cover[k]) * (place - (float)k);
}

float rill_field_at(const recipe *r, const point_set *set, const float at[3], float cover) {
    const wide x = wide_set(at[0]), y = wide_set(at[1]), z = wide_set(at[2]), zero = wide_zero();
    const wide one = wide_set(1.0f), inverse = wide_set(1.0f / r->radius);
    wide sum = zero;
    for (int k = 0; k < set->count; k += WIDE) {
        const wide dx = wide_load(set->x + k) - x, dy = wide_load(set->y + k) - y, dz = wide_load(set->z + k) - z;
        const wide weight = wide_load(set->weight + k);
        if (r->field == RILL_SURFACE_DISTANCE) {
            const wide t = wide_max(one - wide_sqrt(dx * dx + dy * dy + dz * dz) * inverse, zero);
            sum += weight * t * t;
            continue;
        }
        const wide xx = wide_load(set->form[0] + k), yy = wide_load(set->form[1] + k), zz = wide_load(set->form[2] + k);
        const wide xy = wide_load(set->form[3] + k), xz = wide_load(set->form[4] + k), yz = wide_load(set->form[5] + k);
        const wide q = dx * (xx * dx + wide_set(2.0f) * (xy * dy + xz * dz)) +
                       dy * (yy * dy + wide_set(2.0f) * yz * dz) + zz * dz * dz;
        const wide t = wide_max(one - q, zero);
        sum += weight * t * t * t;
    }
    const float value = wide_sum(sum) / cover;
    return r->field == RILL_SURFACE_DISTANCE ? sqrtf(value) : value;
}

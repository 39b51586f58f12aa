/* SPDX-License-Identifier: MIT */
/* Poisson-disk samples on surfaces, and the volumes they stand for: V = 1 / sum W over the samples around (Akinci et
   al. 2012, Eq. 4), so that crowded places do not weigh more. */
#include "solid/samples.h"

#include "core/hash.h"
#include "solid/wall_kernel.h"

#include <float.h>
#include <string.h>

/* Least distance of samples, in spacings: their mean distance is then about one spacing. */
#define LEAST_DISTANCE 0.75f
/* Random candidates per square spacing of surface. Most are rejected. */
#define CANDIDATES 24
/* Most samples of one shape: more are probably a wrong unit. */
#define SAMPLES_MAX 2e7
/* Most cells along an axis: huge shapes get larger cells, and somewhat slower look-ups. */
#define CELLS_MAX 256

typedef struct sampler {
    memory *memory;
    float spacing;
    buffer points; /* float[4] */
    int count;
    /* Lists of the samples in each cell: the last one added, and for each sample the one before it. */
    vec low;
    float cell;
    int32_t cells[3];
    int32_t *last;
    size_t last_count;
    buffer before;
    bool ok;
} sampler;

static float (*points_of(const sampler *s))[4] {
    return s->points.data;
}

static int cell_along(const sampler *s, vec p, int axis) {
    const int c = (int)((vec_get(p, axis) - vec_get(s->low, axis)) / s->cell);
    return c < 0 ? 0 : c >= s->cells[axis] ? s->cells[axis] - 1 : c;
}

static size_t cell_of(const sampler *s, const int c[3]) {
    return ((size_t)c[2] * (size_t)s->cells[1] + (size_t)c[1]) * (size_t)s->cells[0] + (size_t)c[0];
}

static vec sample_at(const sampler *s, int k) {
    vec p = {0};
    memcpy(&p, points_of(s)[k], sizeof p);
    return p;
}

static bool is_free(const sampler *s, vec p, float least) {
    if (!s->points.data) return true;
    int lo[3] = {0}, hi[3] = {0}, c[3];
    for (int axis = 0; axis < DIM; axis++) {
        vec q = p;
        (&q.x)[axis] -= least, lo[axis] = cell_along(s, q, axis);
        (&q.x)[axis] += 2.0f * least, hi[axis] = cell_along(s, q, axis);
    }
    for (c[2] = lo[2]; c[2] <= hi[2]; c[2]++)
        for (c[1] = lo[1]; c[1] <= hi[1]; c[1]++)
            for (c[0] = lo[0]; c[0] <= hi[0]; c[0]++)
                for (int32_t k = s->last[cell_of(s, c)]; k >= 0; k = ((int32_t *)s->before.data)[k])
                    if (vec_length(vec_sub(sample_at(s, k), p)) < least) return false;
    return true;
}

static void add(sampler *s, vec p) {
    const size_t used = (size_t)s->count, size = sizeof(float[4]);
    if ((used + 1) * size > s->points.size)
        s->ok = rill_buffer_reserve(s->memory, &s->points, (2 * used + 64) * size, used * size) &&
                rill_buffer_reserve(s->memory, &s->before, (2 * used + 64) * sizeof(int32_t), used * sizeof(int32_t));
    if (!s->ok) return;
    int c[3] = {0};
    for (int axis = 0; axis < DIM; axis++) c[axis] = cell_along(s, p, axis);
    int32_t *last = &s->last[cell_of(s, c)];
    ((int32_t *)s->before.data)[s->count] = *last;
    *last = s->count;
    memset(points_of(s)[s->count], 0, sizeof(float[4]));
    memcpy(points_of(s)[s->count++], &p, sizeof p);
}

/* ---- surfaces ---- */

static rill_status check_count(double samples, rill_error *error) {
    if (samples < SAMPLES_MAX) return RILL_OK;
    return rill_fail(error, RILL_LIMIT, "solid: %.3g wall samples at this spacing; use walls 'map' or a larger spacing",
                     samples);
}

#if DIM == 2
/* Samples every edge at even steps, its start included, so that corners are never bare. */
static rill_status sample_surface(sampler *s, const rill_shape *shape, rill_error *error) {
    outline o;
    rill_status status = rill_shape_outline(s->memory, shape, (double)s->spacing, &o, error);
    double length = 0;
    for (int k = 0; status == RILL_OK && k < o.count; k++)
        length += (double)vec_length((vec){o.edges[k][2] - o.edges[k][0], o.edges[k][3] - o.edges[k][1]});
    if (status == RILL_OK) status = check_count(length / (double)s->spacing, error);
    for (int k = 0; status == RILL_OK && s->ok && k < o.count; k++) {
        const vec a = {o.edges[k][0], o.edges[k][1]}, span = {o.edges[k][2] - a.x, o.edges[k][3] - a.y};
        const int steps = (int)fmaxf(ceilf(vec_length(span) / s->spacing), 1.0f);
        for (int n = 0; n < steps && s->ok; n++) {
            const vec p = vec_along(a, (float)n / (float)steps, span);
            if (is_free(s, p, 0.5f * s->spacing)) add(s, p);
        }
    }
    rill_outline_free(s->memory, &o);
    return status;
}
#else
static void sample_triangle(sampler *s, const mesh *view, int t) {
    vec corner[3];
    for (int c = 0; c < 3; c++) memcpy(&corner[c], view->vertices[view->triangles[t][c]], sizeof(vec));
    const vec u = vec_sub(corner[1], corner[0]), v = vec_sub(corner[2], corner[0]);
    const vec n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const float wanted = 0.5f * vec_length(n) / (s->spacing * s->spacing) * CANDIDATES;
    const int count = (int)(wanted + rill_random_unit(7, (uint32_t)t, 0));
    for (int k = 0; k < count && s->ok; k++) {
        float a = rill_random_unit((uint32_t)t, (uint32_t)k, 1), b = rill_random_unit((uint32_t)t, (uint32_t)k, 2);
        if (a + b > 1.0f) a = 1.0f - a, b = 1.0f - b;
        const vec p = vec_along(vec_along(corner[0], a, u), b, v);
        if (is_free(s, p, LEAST_DISTANCE * s->spacing)) add(s, p);
    }
}

static rill_status sample_surface(sampler *s, const rill_shape *shape, rill_error *error) {
    owned_mesh surface;
    rill_status status = rill_shape_mesh(s->memory, shape, 0.5 * (double)s->spacing, &surface, error);
    if (status != RILL_OK) return status;
    const mesh view = rill_mesh_view(&surface);
    status = check_count(rill_mesh_area(&view) / (double)(s->spacing * s->spacing), error);
    for (int t = 0; status == RILL_OK && s->ok && t < surface.triangle_count; t++) sample_triangle(s, &view, t);
    rill_owned_mesh_free(s->memory, &surface);
    return status;
}
#endif

/* ---- sorted by cells, with volumes ---- */

static size_t set_cell(const sample_set *set, const float *p) {
    size_t at = 0;
    for (int axis = DIM - 1; axis >= 0; axis--) {
        int c = (int)((p[axis] - set->low[axis]) / set->cell);
        c = c < 0 ? 0 : c >= set->cells[axis] ? set->cells[axis] - 1 : c;
        at = at * (size_t)set->cells[axis] + (size_t)c;
    }
    return at;
}

static void sort_into(sample_set *set, const float (*points)[4]) {
    const size_t cells = (size_t)set->cells[0] * (size_t)set->cells[1] * (size_t)set->cells[2];
    memset(set->first, 0, sizeof(int32_t) * (cells + 1));
    for (int k = 0; k < set->count; k++) set->first[set_cell(set, points[k]) + 1]++;
    for (size_t c = 0; c < cells; c++) set->first[c + 1] += set->first[c];
    for (int k = 0; k < set->count; k++) { /* `first` advances to the end of each cell, and is moved back below */
        const size_t c = set_cell(set, points[k]);
        memcpy(set->points[set->first[c]++], points[k], sizeof *points);
    }
    for (size_t c = cells; c > 0; c--) set->first[c] = set->first[c - 1];
    set->first[0] = 0;
}

typedef void visit_fn(const float *sample, float distance, vec away, void *context);

static void visit_near(const sample_set *set, vec p, float reach, visit_fn *visit, void *context) {
    int lo[3] = {0}, hi[3] = {0};
    for (int axis = 0; axis < DIM; axis++) {
        const float at = vec_get(p, axis) - set->low[axis];
        if (!(at + reach >= 0.0f) || at - reach > (float)set->cells[axis] * set->cell) return;
        lo[axis] = (int)fmaxf((at - reach) / set->cell, 0.0f);
        hi[axis] = (int)fminf((at + reach) / set->cell, (float)(set->cells[axis] - 1));
    }
    for (int c = lo[2]; c <= hi[2]; c++)
        for (int b = lo[1]; b <= hi[1]; b++) {
            const size_t row = ((size_t)c * (size_t)set->cells[1] + (size_t)b) * (size_t)set->cells[0];
            for (int32_t k = set->first[row + (size_t)lo[0]]; k < set->first[row + (size_t)hi[0] + 1]; k++) {
                vec q = {0};
                memcpy(&q, set->points[k], sizeof q);
                const vec away = vec_sub(p, q);
                const float d = vec_length(away);
                if (d < reach) visit(set->points[k], d, away, context);
            }
        }
}

typedef struct volume_sum {
    wall_kernel kernel;
    float sum;
} volume_sum;

static void add_weight(const float *sample, float distance, vec away, void *context) {
    (void)sample, (void)away;
    volume_sum *v = context;
    v->sum += wall_kernel_at(&v->kernel, distance);
}

static void set_volumes(sample_set *set, int32_t quality, float support) {
    volume_sum v = {.kernel = wall_kernel_make(quality, support)};
    for (int k = 0; k < set->count; k++) {
        vec p = {0};
        memcpy(&p, set->points[k], sizeof p);
        v.sum = 0.0f;
        visit_near(set, p, support, add_weight, &v);
        set->points[k][3] = 1.0f / v.sum;
    }
}

/* ---- making ---- */

static rill_status no_memory(rill_world *w) {
    return rill_fail(&w->error, RILL_MEMORY, "no memory for the samples of a solid");
}

static rill_status keep(rill_world *w, const sampler *s, sample_set *set) {
    set->count = s->count;
    set->cell = fmaxf(w->support, s->cell);
    size_t cells = 1;
    for (int axis = 0; axis < 3; axis++) {
        set->cells[axis] = 1;
        if (axis >= DIM) continue;
        set->low[axis] = vec_get(s->low, axis);
        set->cells[axis] = (int32_t)((float)s->cells[axis] * s->cell / set->cell) + 1;
        cells *= (size_t)set->cells[axis];
    }
    set->points = rill_memory_get(&w->memory, sizeof *set->points * (size_t)set->count);
    set->first = rill_memory_get(&w->memory, sizeof(int32_t) * (cells + 1));
    if ((!set->points && set->count > 0) || !set->first) return no_memory(w);
    sort_into(set, (const float(*)[4])s->points.data);
    set_volumes(set, w->def.quality, w->support);
    return RILL_OK;
}

static bool lay_out(sampler *s, vec low, vec high) {
    s->low = low;
    s->cell = s->spacing;
    for (int axis = 0; axis < DIM; axis++)
        s->cell = fmaxf(s->cell, (vec_get(high, axis) - vec_get(low, axis)) / CELLS_MAX);
    s->last_count = 1;
    s->cells[2] = 1;
    for (int axis = 0; axis < DIM; axis++) {
        s->cells[axis] = (int32_t)((vec_get(high, axis) - vec_get(low, axis)) / s->cell) + 1;
        s->last_count *= (size_t)s->cells[axis];
    }
    s->last = rill_memory_get(s->memory, sizeof(int32_t) * s->last_count);
    if (s->last) memset(s->last, 0xff, sizeof(int32_t) * s->last_count);
    return s->last != NULL;
}

/* Moves samples half a spacing behind the surface, where a layer of particles continues the fluid: fluid comes within
   half a spacing of the surface (world.wall_distance). */
static void sink_in(sampler *s, const placed_shape *f) {
    for (int k = 0; k < s->count; k++) {
        vec n, p = sample_at(s, k);
        rill_shape_distance(f, p, &n);
        p = vec_along(p, (f->inside ? 0.5f : -0.5f) * s->spacing, n);
        memcpy(points_of(s)[k], &p, sizeof p);
    }
}

rill_status rill_samples_make(rill_world *w, shared_shape *shared, const rill_shape *shape) {
    if (shape->kind == RILL_HALF_SPACE) return RILL_OK;
    sampler s = {.memory = &w->memory, .spacing = w->def.spacing, .ok = true};
    const shape_models models = {&shared, 1};
    const placed_shape f = rill_placed_make(shape, &models, NULL, NULL);
    vec low, high;
    rill_placed_local_bounds(&f, &low, &high);
    for (int axis = 0; axis < DIM; axis++) (&low.x)[axis] -= s.spacing, (&high.x)[axis] += s.spacing;
    rill_status status = lay_out(&s, low, high) ? sample_surface(&s, shape, &w->error) : no_memory(w);
    if (status == RILL_OK && s.ok) sink_in(&s, &f);
    if (status == RILL_OK) status = s.ok ? keep(w, &s, &shared->samples) : no_memory(w);
    rill_buffer_free(&w->memory, &s.points);
    rill_buffer_free(&w->memory, &s.before);
    if (s.last) rill_memory_release(&w->memory, s.last, sizeof(int32_t) * s.last_count);
    return status;
}

/* ---- looking up ---- */

typedef struct gather {
    const placed_shape *shape;
    near_sample *found;
    int room, count;
} gather;

static void take(const float *sample, float distance, vec away, void *context) {
    gather *g = context;
    if (g->count < g->room && g->found)
        g->found[g->count] = (near_sample){distance, sample[3], rill_placed_turned(g->shape, vec_direction(away))};
    if (g->count < g->room) g->count++;
}

/* Samples of a plane: a square lattice, each of whose points stands for 1 / sum W over the plane. */
static void plane_near(const placed_shape *f, float spacing, int32_t quality, vec p, float reach, gather *g) {
    const float height = vec_dot(p, f->normal) + 0.5f * spacing; /* above the plane of the samples */
    if (!(fabsf(height) < reach)) return;
    const wall_kernel k = wall_kernel_make(quality, reach);
    const int n = (int)(reach / spacing) + 1;
    const vec n0 = f->normal;
    vec u, v = {0};
#if DIM == 2
    u = (vec){-n0.y, n0.x};
    const int across = 0;
#else
    u = vec_direction(fabsf(n0.x) < 0.5f ? (vec){0.0f, n0.z, -n0.y} : (vec){n0.y, -n0.x, 0.0f});
    v = (vec){n0.y * u.z - n0.z * u.y, n0.z * u.x - n0.x * u.z, n0.x * u.y - n0.y * u.x};
    const int across = n;
#endif
    float sum = 0.0f;
    for (int b = -across; b <= across; b++)
        for (int a = -n; a <= n; a++) sum += wall_kernel_at(&k, spacing * sqrtf((float)(a * a + b * b)));
    const float at_u = floorf(vec_dot(p, u) / spacing + 0.5f), at_v = floorf(vec_dot(p, v) / spacing + 0.5f);
    for (int b = -across; b <= across; b++)
        for (int a = -n; a <= n; a++) {
            vec q = vec_scale(u, (at_u + (float)a) * spacing);
            q = vec_along(q, (at_v + (float)b) * spacing * (across > 0 ? 1.0f : 0.0f), v);
            q = vec_along(q, -0.5f * spacing, n0);
            const vec away = vec_sub(p, q);
            const float d = vec_length(away), sample[4] = {0, 0, 0, 1.0f / sum};
            if (d < reach) take(sample, d, away, g);
        }
}

int rill_samples_near(const placed_shape *f, float spacing, int32_t quality, vec point, float reach, near_sample *found,
                      int room) {
    gather g = {f, found, room, 0};
    if (f->kind == RILL_COMPOUND) {
        for (int k = 0; k < f->part_count; k++)
            g.count += rill_samples_near(&f->parts[k], spacing, quality, point, reach, found ? found + g.count : NULL,
                                         room - g.count);
        return g.count;
    }
    const vec p = rill_placed_to_local(f, point);
    if (f->kind == RILL_HALF_SPACE)
        plane_near(f, spacing, quality, p, reach, &g);
    else if (f->shared->samples.points)
        visit_near(&f->shared->samples, p, reach, take, &g);
    return g.count;
}

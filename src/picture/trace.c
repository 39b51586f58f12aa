/* SPDX-License-Identifier: MIT */
/* Sphere tracing (Hart 1996) of the solids' signed distances, on a quadtree: a square of samples whose corners and
   middle see one plane is filled from that plane, so that the flat walls of a tank cost next to nothing. */
#include "picture/trace.h"

#include <float.h>

#define STEPS  160
#define BLOCK  16 /* side of the largest square */
#define SOLIDS 64 /* looked at; a bit for each */

/* A ray's result at full precision. */
typedef struct ray_hit {
    int solid, front_solid; /* -1: none */
    rill_vec point, normal, front_point, front_normal;
    float clearance; /* least angle to any other solid on the way [rad] */
} ray_hit;

static float distance_to(const trace_scene *s, int k, rill_vec p, rill_vec *normal) {
    float distance = FLT_MAX;
    *normal = (rill_vec){0, 0, 1};
    if (!s->world) return p.z - s->floor_z;
    if (rill_world_solid_distance(s->world, k, p, &distance, normal) != RILL_OK || isnan(distance)) return FLT_MAX;
    return distance;
}

/* Where the ray is inside the region. */
static bool clip(const trace_scene *s, rill_vec ray, float *from, float *to) {
    const rill_vec from_eye = s->camera.eye, low = s->region.min, high = s->region.max;
    const float eye[3] = {from_eye.x, from_eye.y, from_eye.z}, dir[3] = {ray.x, ray.y, ray.z};
    const float min[3] = {low.x, low.y, low.z}, max[3] = {high.x, high.y, high.z};
    *from = 0.0f, *to = FLT_MAX;
    for (int c = 0; c < 3; c++) {
        if (fabsf(dir[c]) < 1e-12f) {
            if (eye[c] < min[c] || eye[c] > max[c]) return false;
            continue;
        }
        float a = (min[c] - eye[c]) / dir[c], b = (max[c] - eye[c]) / dir[c];
        *from = fmaxf(*from, fminf(a, b));
        *to = fminf(*to, fmaxf(a, b));
    }
    return *from < *to;
}

/* One ray on its way. Solids that it begins in are see-through until it has left them. */
typedef struct march {
    const trace_scene *scene;
    rill_vec ray;
    float least;             /* shortest step, and how near is a hit [m] */
    uint64_t begun, around;  /* a bit for each solid: looked at, still inside */
    float due[SOLIDS];       /* no surface of this solid before here along the ray [m] */
    float before[SOLIDS];    /* last distance */
    float clearance[SOLIDS]; /* least angle at which the ray passed by [rad] */
    ray_hit hit;
} march;

/* Looks at solid k from where the ray may meet it first; true if it does. */
static bool look_at(march *m, int k) {
    uint64_t bit = (uint64_t)1 << k;
    float t = m->due[k];
    rill_vec p = vec_add(m->scene->camera.eye, vec_scale(m->ray, t)), normal;
    float distance = distance_to(m->scene, k, p, &normal);
    if (!(m->begun & bit)) {
        m->begun |= bit;
        if (distance < 0.0f) m->around |= bit;
    }
    m->due[k] = t + fmaxf(fabsf(distance), m->least);
    if (m->around & bit) {
        if (distance <= m->least) return false;
        m->around &= ~bit;
        m->hit.front_solid = k, m->hit.front_point = p, m->hit.front_normal = normal;
    } else {
        /* What the ray draws away from, like the plane that it came through, cannot get into its way. */
        if (distance < m->before[k]) m->clearance[k] = fminf(m->clearance[k], distance / t);
        float slope = -vec_dot(normal, m->ray);
        if (distance < m->least && slope > 0.0f) {
            m->hit.solid = k, m->hit.normal = normal;
            m->hit.point = vec_add(p, vec_scale(m->ray, fminf(distance / fmaxf(slope, 0.1f), m->least)));
            return true;
        }
    }
    m->before[k] = distance;
    return false;
}

static ray_hit trace(const trace_scene *s, rill_vec ray) {
    float from, end;
    march m = {.scene = s, .ray = ray, .hit = {.solid = -1, .front_solid = -1, .clearance = FLT_MAX}};
    if (!clip(s, ray, &from, &end)) return m.hit;
    m.least = 1e-3f * vec_length(vec_sub(s->region.max, s->region.min));
    for (int k = 0; k < s->count; k++) m.due[k] = from, m.before[k] = m.clearance[k] = FLT_MAX;
    for (int step = 0; step < STEPS * s->count; step++) {
        int next = 0;
        for (int k = 1; k < s->count; k++)
            if (m.due[k] < m.due[next]) next = k;
        if (m.due[next] >= end || look_at(&m, next)) break;
    }
    m.hit.normal = vec_unit(m.hit.normal, s->camera.up);
    m.hit.front_normal = vec_unit(m.hit.front_normal, s->camera.up);
    for (int k = 0; k < s->count; k++)
        if (k != m.hit.solid) m.hit.clearance = fminf(m.hit.clearance, m.clearance[k]);
    return m.hit;
}

static void store(const trace_scene *s, const ray_hit *hit, trace_hit *out) {
    const camera *c = &s->camera;
    *out = (trace_hit){.depth = HUGE_VALF, .front_depth = HUGE_VALF, .solid = -1, .front_solid = -1};
    if (hit->solid >= 0) {
        out->solid = (int8_t)hit->solid;
        out->depth = vec_dot(vec_sub(hit->point, c->eye), c->forward);
        pack_normal(out->normal, hit->normal);
    }
    if (hit->front_solid >= 0) {
        out->front_solid = (int8_t)hit->front_solid;
        out->front_depth = vec_dot(vec_sub(hit->front_point, c->eye), c->forward);
        pack_normal(out->front_normal, hit->front_normal);
    }
}

static bool same_plane(int a, rill_vec normal_a, int b, rill_vec normal_b) {
    return a == b && (a < 0 || vec_dot(normal_a, normal_b) > 1.0f - 2e-5f);
}

/* Whether a square is filled by the plane that its middle sees. */
static bool is_flat(const trace_scene *s, int x, int y, int size, const ray_hit *middle) {
    float spread = 1.5f * (float)size / s->camera.focal;
    if (middle->clearance < spread) return false;
    for (int corner = 0; corner < 4; corner++) {
        float cx = (float)(x + (corner & 1) * size), cy = (float)(y + (corner >> 1) * size);
        ray_hit hit = trace(s, camera_ray(&s->camera, cx, cy));
        if (hit.clearance < spread || !same_plane(hit.solid, hit.normal, middle->solid, middle->normal) ||
            !same_plane(hit.front_solid, hit.front_normal, middle->front_solid, middle->front_normal))
            return false;
    }
    return true;
}

/* The point where the ray meets the plane through `point`. */
static rill_vec meet(rill_vec eye, rill_vec ray, rill_vec point, rill_vec normal) {
    float slope = vec_dot(ray, normal);
    if (fabsf(slope) < 1e-6f) return point;
    return vec_add(eye, vec_scale(ray, vec_dot(vec_sub(point, eye), normal) / slope));
}

static void fill(const trace_scene *s, int x0, int y0, int size, const ray_hit *middle, trace_hit *hits) {
    for (int y = y0; y < y0 + size && y < s->height; y++)
        for (int x = x0; x < x0 + size && x < s->width; x++) {
            rill_vec ray = camera_ray(&s->camera, (float)x + 0.5f, (float)y + 0.5f);
            ray_hit hit = *middle;
            if (hit.solid >= 0) hit.point = meet(s->camera.eye, ray, middle->point, middle->normal);
            if (hit.front_solid >= 0)
                hit.front_point = meet(s->camera.eye, ray, middle->front_point, middle->front_normal);
            store(s, &hit, &hits[(size_t)y * (size_t)s->width + (size_t)x]);
        }
}

static void trace_square(const trace_scene *s, int x, int y, int size, trace_hit *hits) {
    if (x >= s->width || y >= s->height) return;
    /* Testing the smallest squares would take more rays than they have samples. */
    if (size == 2) {
        for (int quarter = 0; quarter < 4; quarter++) trace_square(s, x + (quarter & 1), y + (quarter >> 1), 1, hits);
        return;
    }
    float half = 0.5f * (float)size;
    ray_hit middle = trace(s, camera_ray(&s->camera, (float)x + half, (float)y + half));
    if (size == 1 || is_flat(s, x, y, size, &middle)) {
        fill(s, x, y, size, &middle, hits);
        return;
    }
    int part = size / 2;
    for (int quarter = 0; quarter < 4; quarter++)
        trace_square(s, x + (quarter & 1) * part, y + (quarter >> 1) * part, part, hits);
}

void trace_solids(const trace_scene *scene, trace_hit *hits) {
    trace_scene s = *scene;
    if (s.count > SOLIDS) s.count = SOLIDS;
    for (int y = 0; y < s.height; y += BLOCK)
        for (int x = 0; x < s.width; x += BLOCK) trace_square(&s, x, y, BLOCK, hits);
}

/* SPDX-License-Identifier: MIT */
/* Sphere tracing (Hart 1996) of the solids' signed distances, on a quadtree. A square of samples is filled from one
   plane if the rays through its corners and middle all see that plane, which makes the flat walls of a tank cheap. */
#include "picture/solid_raymarch.h"

#include "core/error.h"

#include <float.h>
#include <stdlib.h>

#define STEPS 160
#define BLOCK 16 /* side of the largest square [samples] */
/* Triangles of a round surface lie slightly inside it: the ball around them needs this factor. */
#define BALL_MARGIN 1.01f

/* A bounding ball: a ray that misses it cannot hit the solid. */
typedef struct ball {
    rill_vec centre;
    float radius; /* HUGE_VALF: the solid has no end */
    bool hidden;  /* the solid is not drawn */
} ball;

/* The state of the ray under way with respect to one solid. */
typedef struct approach {
    float due;       /* the ray meets no surface of this solid before this distance along it [m] */
    float before;    /* distance to the solid at the last step [m] */
    float clearance; /* least angle by which the ray has missed the solid [rad] */
    float start;     /* where the ray reaches its ball [m] */
    bool begun;      /* the distance has been evaluated */
    bool around;     /* the ray began inside the solid and has not left it yet; the solid is seen through */
} approach;

typedef struct tracer {
    trace_scene scene;
    ball *balls;          /* of each solid */
    approach *approaches; /* of each solid, for the ray under way */
    int *near;            /* solids that the ray may meet */
} tracer;

/* What a ray sees, at full precision. */
typedef struct ray_hit {
    int solid, front_solid; /* -1: none */
    rill_vec point, normal, front_point, front_normal;
    float clearance; /* least angle by which the ray missed any other solid [rad] */
} ray_hit;

static float distance_to(const trace_scene *s, int k, rill_vec p, rill_vec *normal) {
    *normal = (rill_vec){0, 0, 1};
    if (s->frame->solid_count == 0) return p.z - s->floor_z;
    return fminf(rill_frame_distance(s->frame, k, p, normal), FLT_MAX);
}

/* The part of the ray inside the region. */
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

/* A ray under way. */
typedef struct march {
    const tracer *tracer;
    rill_vec ray;
    float least; /* shortest step, and distance that counts as a hit [m] */
    ray_hit hit;
} march;

/* Evaluates solid k at the first place where the ray may meet it; true if the ray does. */
static bool look_at(march *m, int k) {
    const trace_scene *scene = &m->tracer->scene;
    approach *a = &m->tracer->approaches[k];
    const float t = a->due;
    rill_vec p = vec_add(scene->camera.eye, vec_scale(m->ray, t)), normal;
    float distance = distance_to(scene, k, p, &normal);
    if (!a->begun) a->around = distance < 0.0f;
    a->begun = true;
    a->due = t + fmaxf(fabsf(distance), m->least);
    if (a->around) {
        if (distance <= m->least) return false;
        a->around = false;
        m->hit.front_solid = k, m->hit.front_point = p, m->hit.front_normal = normal;
    } else {
        /* A surface that the ray moves away from, such as a plane it has just passed through, cannot be hit. */
        if (distance < a->before) a->clearance = fminf(a->clearance, distance / t);
        float slope = -vec_dot(normal, m->ray);
        if (distance < m->least && slope > 0.0f) {
            m->hit.solid = k, m->hit.normal = normal;
            m->hit.point = vec_add(p, vec_scale(m->ray, fminf(distance / fmaxf(slope, 0.1f), m->least)));
            return true;
        }
    }
    a->before = distance;
    return false;
}

/* The first place where the ray may meet a solid: `from`, or where it enters the solid's ball. If it misses the ball,
   only the angle between them matters. */
static approach first_approach(const tracer *tracer, int k, rill_vec ray, float from) {
    const ball *b = &tracer->balls[k];
    approach a = {.due = from, .before = FLT_MAX, .clearance = FLT_MAX};
    if (b->hidden) a.due = a.start = FLT_MAX;
    if (b->hidden || b->radius == HUGE_VALF) return a;
    const rill_vec to = vec_sub(b->centre, tracer->scene.camera.eye);
    const float along = vec_dot(to, ray), across2 = fmaxf(vec_dot(to, to) - along * along, 0.0f);
    const float chord2 = b->radius * b->radius - across2;
    if (chord2 > 0.0f) {
        a.due = fmaxf(from, along - sqrtf(chord2));
    } else {
        a.due = FLT_MAX;
        a.start = along - b->radius;
        if (along > 0.0f) a.clearance = (sqrtf(across2) - b->radius) / along;
    }
    return a;
}

/* Collects the solids that the ray may meet before `end`. */
static int gather_near(const tracer *tracer, rill_vec ray, float from, float end) {
    int count = 0;
    for (int k = 0; k < tracer->scene.count; k++) {
        tracer->approaches[k] = first_approach(tracer, k, ray, from);
        if (tracer->approaches[k].due < end) tracer->near[count++] = k;
    }
    return count;
}

static ray_hit trace(const tracer *tracer, rill_vec ray) {
    const trace_scene *s = &tracer->scene;
    float from, end;
    march m = {.tracer = tracer, .ray = ray, .hit = {.solid = -1, .front_solid = -1, .clearance = FLT_MAX}};
    if (!clip(s, ray, &from, &end)) return m.hit;
    m.least = 1e-3f * vec_length(vec_sub(s->region.max, s->region.min));
    const int count = gather_near(tracer, ray, from, end);
    for (int step = 0; step < STEPS * count; step++) {
        int next = tracer->near[0];
        for (int n = 1; n < count; n++)
            if (tracer->approaches[tracer->near[n]].due < tracer->approaches[next].due) next = tracer->near[n];
        if (tracer->approaches[next].due >= end || look_at(&m, next)) break;
    }
    m.hit.normal = vec_unit(m.hit.normal, s->camera.up);
    m.hit.front_normal = vec_unit(m.hit.front_normal, s->camera.up);
    const float reach = m.hit.solid >= 0 ? vec_length(vec_sub(m.hit.point, s->camera.eye)) : end;
    for (int k = 0; k < s->count; k++) {
        const approach *a = &tracer->approaches[k];
        if (k != m.hit.solid && a->start < reach) m.hit.clearance = fminf(m.hit.clearance, a->clearance);
    }
    return m.hit;
}

static void store(const trace_scene *s, const ray_hit *hit, trace_hit *out) {
    const camera *c = &s->camera;
    *out = (trace_hit){.depth = HUGE_VALF, .front_depth = HUGE_VALF, .solid = -1, .front_solid = -1};
    if (hit->solid >= 0) {
        out->solid = hit->solid;
        out->depth = vec_dot(vec_sub(hit->point, c->eye), c->forward);
        pack_normal(out->normal, hit->normal);
    }
    if (hit->front_solid >= 0) {
        out->front_solid = hit->front_solid;
        out->front_depth = vec_dot(vec_sub(hit->front_point, c->eye), c->forward);
        pack_normal(out->front_normal, hit->front_normal);
    }
}

static bool same_plane(int a, rill_vec normal_a, int b, rill_vec normal_b) {
    return a == b && (a < 0 || vec_dot(normal_a, normal_b) > 1.0f - 2e-5f);
}

/* Whether the corners of a square see the same plane as its middle, with no other solid near. */
static bool is_flat(const tracer *tracer, int x, int y, int size, const ray_hit *middle) {
    const camera *c = &tracer->scene.camera;
    float spread = 1.5f * (float)size / c->focal;
    if (middle->clearance < spread) return false;
    for (int corner = 0; corner < 4; corner++) {
        float cx = (float)(x + (corner & 1) * size), cy = (float)(y + (corner >> 1) * size);
        ray_hit hit = trace(tracer, camera_ray(c, cx, cy));
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

static void trace_square(const tracer *tracer, int x, int y, int size, trace_hit *hits) {
    const trace_scene *s = &tracer->scene;
    if (x >= s->width || y >= s->height) return;
    /* Squares of two samples are always split: testing their corners takes more rays than they have samples. */
    if (size == 2) {
        for (int quarter = 0; quarter < 4; quarter++)
            trace_square(tracer, x + (quarter & 1), y + (quarter >> 1), 1, hits);
        return;
    }
    float half = 0.5f * (float)size;
    ray_hit middle = trace(tracer, camera_ray(&s->camera, (float)x + half, (float)y + half));
    if (size == 1 || is_flat(tracer, x, y, size, &middle)) {
        fill(s, x, y, size, &middle, hits);
        return;
    }
    int part = size / 2;
    for (int quarter = 0; quarter < 4; quarter++)
        trace_square(tracer, x + (quarter & 1) * part, y + (quarter >> 1) * part, part, hits);
}

/* ---- balls ---- */

/* Half the thickness of a sheet: the sheet's mesh is its middle surface. */
static float sheet_of(const rill_shape *shape) {
    float most = 0.5f * shape->thickness;
    for (int k = 0; k < shape->parts.count; k++) most = fmaxf(most, sheet_of(&shape->parts.data[k]));
    return most * fmaxf(shape->scale, 1.0f);
}

static rill_status find_ball(const trace_scene *s, int k, ball *b, rill_error *error) {
    *b = (ball){.radius = HUGE_VALF};
    if (s->frame->solid_count == 0) return RILL_OK;
    const rill_shape *shape = rill_frame_shape(s->frame, k);
    b->hidden = rill_picture_hides(s->def, s->frame, k);
    if (b->hidden || shape->inside || shape->kind == RILL_HALF_SPACE) return RILL_OK;
    rill_shape_surface mesh;
    const rill_status status = rill_shape_surface_make(shape, 3, 0.0, &mesh, error);
    if (status == RILL_OK && mesh.point_count > 0) {
        picture_box box = {mesh.point[0], mesh.point[0]};
        for (int n = 1; n < mesh.point_count; n++) rill_picture_include(&box, mesh.point[n]);
        const rill_vec middle = vec_scale(vec_add(box.min, box.max), 0.5f);
        float radius = 0.0f;
        for (int n = 0; n < mesh.point_count; n++) radius = fmaxf(radius, vec_length(vec_sub(mesh.point[n], middle)));
        b->centre = rill_transform_point(&s->frame->solid[k].transform, middle);
        b->radius = BALL_MARGIN * radius + sheet_of(shape);
    }
    rill_shape_surface_free(&mesh);
    return status;
}

rill_status rill_trace_solids(const trace_scene *scene, trace_hit *hits, rill_error *error) {
    const size_t count = (size_t)scene->count + 1; /* calloc of no elements may return NULL */
    tracer t = {.scene = *scene,
                .balls = calloc(count, sizeof *t.balls),
                .approaches = calloc(count, sizeof *t.approaches),
                .near = calloc(count, sizeof *t.near)};
    rill_status status = RILL_OK;
    if (!t.balls || !t.approaches || !t.near)
        status = rill_fail(error, RILL_MEMORY, "not enough memory to draw %d solids", scene->count);
    for (int k = 0; status == RILL_OK && k < scene->count; k++) status = find_ball(scene, k, &t.balls[k], error);
    for (int y = 0; status == RILL_OK && y < scene->height; y += BLOCK)
        for (int x = 0; x < scene->width; x += BLOCK) trace_square(&t, x, y, BLOCK, hits);
    free(t.balls);
    free(t.approaches);
    free(t.near);
    return status;
}

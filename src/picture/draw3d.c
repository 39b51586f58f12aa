/* SPDX-License-Identifier: MIT */
/* 3D: a camera, solids traced and particles splatted as spheres into one depth buffer. z is up. */
#include "core/error.h"
#include "picture/stage.h"

#include <stdlib.h>

/* Samples along a pixel's side; the largest pictures get one, for memory's sake. */
#define SUPERSAMPLE     2
#define SUPERSAMPLE_MAX 6000000

/* ---- camera ---- */
static rill_vec corner_of(picture_box b, int k) {
    return (rill_vec){k & 1 ? b.max.x : b.min.x, k & 2 ? b.max.y : b.min.y, k & 4 ? b.max.z : b.min.z};
}

static void look(camera *c, rill_vec forward, rill_vec up) {
    c->forward = forward;
    rill_vec right = vec_cross(forward, up);
    if (vec_length(right) < 1e-4f)
        right = vec_cross(forward, fabsf(forward.y) < 0.9f ? (rill_vec){0, 1, 0} : (rill_vec){1, 0, 0});
    c->right = vec_unit(right, (rill_vec){1, 0, 0});
    c->up = vec_cross(c->right, forward);
}

/* Moves the eye so that the box fills the frame: its distance from the corners, its aim from their middle. */
static void fit(camera *c, picture_box box, float width, float height) {
    rill_vec target = vec_scale(vec_add(box.min, box.max), 0.5f);
    for (int round = 0; round < 4; round++) {
        float distance = 0.0f, left = 1e30f, right = -1e30f, low = 1e30f, high = -1e30f;
        for (int k = 0; k < 8; k++) {
            rill_vec p = vec_sub(corner_of(box, k), target);
            float z = vec_dot(p, c->forward);
            distance = fmaxf(distance, fabsf(vec_dot(p, c->right)) * c->focal / (0.48f * width) - z);
            distance = fmaxf(distance, fabsf(vec_dot(p, c->up)) * c->focal / (0.48f * height) - z);
        }
        c->eye = vec_sub(target, vec_scale(c->forward, distance));
        for (int k = 0; k < 8; k++) {
            rill_vec p = vec_sub(corner_of(box, k), c->eye);
            float z = vec_dot(p, c->forward), x = vec_dot(p, c->right) / z, y = vec_dot(p, c->up) / z;
            left = fminf(left, x), right = fmaxf(right, x), low = fminf(low, y), high = fmaxf(high, y);
        }
        target = vec_add(target, vec_add(vec_scale(c->right, 0.5f * (left + right) * distance),
                                         vec_scale(c->up, 0.5f * (low + high) * distance)));
    }
}

static camera make_camera(const drawing *d, int width, int height) {
    const picture_def *def = d->def;
    const rill_vec above = {0, 0, 1};
    float view = def->field_of_view > 0.01f && def->field_of_view < 3.0f ? def->field_of_view : 0.6f;
    camera c = {
        .x0 = 0.5f * (float)width, .y0 = 0.5f * (float)height, .focal = 0.5f * (float)height / tanf(0.5f * view)};
    if (vec_equal(def->eye, def->target) || !vec_finite(def->eye) || !vec_finite(def->target)) {
        look(&c, vec_unit((rill_vec){-0.46f, 1.0f, -0.44f}, above), above);
        fit(&c, d->bounds, (float)width, (float)height);
    } else {
        c.eye = def->eye;
        look(&c, vec_unit(vec_sub(def->target, def->eye), (rill_vec){0, 1, 0}), vec_unit(def->up, above));
    }
    return c;
}

/* ---- particles ---- */
static void splat(stage *s, rill_vec position, float share) {
    const camera *c = &s->scene.camera;
    rill_vec p = vec_sub(position, c->eye);
    float z = vec_dot(p, c->forward);
    if (!(z > 1.5f * s->radius)) return;
    float cx = c->x0 + c->focal * vec_dot(p, c->right) / z, cy = c->y0 - c->focal * vec_dot(p, c->up) / z;
    float size = fmaxf(c->focal * s->radius / z, 0.75f * (float)s->per_pixel); /* a pixel and a half at least */
    float width = (float)s->scene.width, height = (float)s->scene.height;
    if (!(cx > -size && cx < width + size && cy > -size && cy < height + size)) return;
    int left = (int)fmaxf(floorf(cx - size), 0.0f), right = (int)fminf(ceilf(cx + size), width);
    int top = (int)fmaxf(floorf(cy - size), 0.0f), bottom = (int)fminf(ceilf(cy + size), height);
    for (int y = top; y < bottom; y++) {
        sample *row = s->samples + (size_t)y * (size_t)s->scene.width;
        float v = ((float)y + 0.5f - cy) / size;
        for (int x = left; x < right; x++) {
            float u = ((float)x + 0.5f - cx) / size, rest = 1.0f - u * u - v * v;
            if (rest <= 0.0f || z - s->radius >= row[x].depth) continue;
            float w = sqrtf(rest), depth = z - s->radius * w;
            if (depth >= row[x].depth) continue;
            rill_vec normal = vec_sub(vec_sub(vec_scale(c->right, u), vec_scale(c->up, v)), vec_scale(c->forward, w));
            row[x] = (sample){.depth = depth, .share = share, .kind = SAMPLE_FLUID};
            pack_normal(row[x].normal, normal);
        }
    }
}

/* ---- all together ---- */
/* Depths that the bounds take up, for fading with distance. */
static void measure_depths(stage *s) {
    const camera *c = &s->scene.camera;
    float first = 1e30f, last = -1e30f;
    for (int k = 0; k < 8; k++) {
        float z = vec_dot(vec_sub(corner_of(s->d->bounds, k), c->eye), c->forward);
        first = fminf(first, z), last = fmaxf(last, z);
    }
    s->nearest = fmaxf(first, 0.0f);
    s->reach = fmaxf(last - s->nearest, 1e-6f);
}

static void set_scene(stage *s) {
    drawing *d = s->d;
    rill_vec size = vec_sub(d->bounds.max, d->bounds.min);
    s->size = vec_length(size);
    s->margin = 0.12f * s->size;
    s->radius = 1.15f * d->radius; /* spheres overlap and read as one body */
    rill_vec around = {s->margin, s->margin, s->margin};
    s->scene.world = d->world && rill_world_solid_count(d->world) > 0 ? d->world : NULL;
    s->scene.count = s->scene.world ? rill_world_solid_count(d->world) : 1;
    s->scene.floor_z = d->bounds.min.z;
    s->scene.region = (picture_box){vec_sub(d->bounds.min, around), vec_add(d->bounds.max, around)};
    s->scene.camera = make_camera(d, s->scene.width, s->scene.height);
    measure_depths(s);
    d->grid = (float)picture_nice((double)fmaxf(size.x, size.y) / 6.0);
}

static rill_status allocate(stage *s, rill_error *error) {
    int width = s->d->right - s->d->left, height = s->d->bottom - s->d->top;
    s->per_pixel = (long)width * height > SUPERSAMPLE_MAX ? 1 : SUPERSAMPLE;
    s->scene.width = width * s->per_pixel, s->scene.height = height * s->per_pixel;
    size_t samples = (size_t)s->scene.width * (size_t)s->scene.height, pixels = (size_t)width * (size_t)height;
    s->samples = malloc(samples * sizeof *s->samples);
    s->hits = malloc(samples * sizeof *s->hits);
    s->shade = malloc(pixels * sizeof *s->shade);
    s->body = malloc(pixels * sizeof *s->body);
    if (s->samples && s->hits && s->shade && s->body) return RILL_OK;
    return rill_fail(error, RILL_MEMORY, "not enough memory for a picture of %d x %d pixels; make it smaller",
                     s->d->width, s->d->height);
}

static void put_solids(stage *s) {
    trace_solids(&s->scene, s->hits);
    size_t count = (size_t)s->scene.width * (size_t)s->scene.height;
    for (size_t k = 0; k < count; k++) {
        const trace_hit *hit = &s->hits[k];
        s->samples[k] = (sample){.depth = hit->depth, .kind = hit->solid >= 0 ? SAMPLE_SOLID : SAMPLE_NOTHING};
        for (int c = 0; c < 3; c++) s->samples[k].normal[c] = hit->normal[c];
    }
}

rill_status picture_draw_3d(drawing *d, rill_error *error) {
    stage s = {.d = d};
    rill_status status = allocate(&s, error);
    if (status == RILL_OK) {
        set_scene(&s);
        put_solids(&s);
        for (int k = 0; k < d->particles->count; k++) splat(&s, d->particles->position[k], picture_share(d, k));
        status = stage_light(&s, error);
    }
    free(s.samples);
    free(s.hits);
    free(s.shade);
    free(s.body);
    return status;
}

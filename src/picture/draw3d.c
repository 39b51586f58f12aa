/* SPDX-License-Identifier: MIT */
/* Pictures in 3D: solids are traced and particles splatted as spheres, into one depth buffer. z is up. */
#include "core/error.h"
#include "picture/draw_cloth.h"

#include <stdlib.h>

/* Samples along a pixel's side; the largest pictures take one, to save memory. */
#define SUPERSAMPLE     2
#define SUPERSAMPLE_MAX 6000000

/* ---- particles ---- */
static void splat(stage *s, rill_vec position, float radius, float share) {
    const camera *c = &s->scene.camera;
    rill_vec p = vec_sub(position, c->eye);
    float z = vec_dot(p, c->forward);
    if (!(z > 1.5f * radius)) return;
    float cx = c->x0 + c->focal * vec_dot(p, c->right) / z, cy = c->y0 - c->focal * vec_dot(p, c->up) / z;
    float size = fmaxf(c->focal * radius / z, 0.75f * (float)s->per_pixel); /* at least a pixel and a half across */
    float width = (float)s->scene.width, height = (float)s->scene.height;
    if (!(cx > -size && cx < width + size && cy > -size && cy < height + size)) return;
    int left = (int)fmaxf(floorf(cx - size), 0.0f), right = (int)fminf(ceilf(cx + size), width);
    int top = (int)fmaxf(floorf(cy - size), 0.0f), bottom = (int)fminf(ceilf(cy + size), height);
    for (int y = top; y < bottom; y++) {
        sample *row = s->samples + (size_t)y * (size_t)s->scene.width;
        float v = ((float)y + 0.5f - cy) / size;
        for (int x = left; x < right; x++) {
            float u = ((float)x + 0.5f - cx) / size, rest = 1.0f - u * u - v * v;
            if (rest <= 0.0f || z - radius >= row[x].depth) continue;
            float w = sqrtf(rest), depth = z - radius * w;
            if (depth >= row[x].depth) continue;
            rill_vec normal = vec_sub(vec_sub(vec_scale(c->right, u), vec_scale(c->up, v)), vec_scale(c->forward, w));
            row[x] = (sample){.depth = depth, .share = share, .kind = SAMPLE_FLUID};
            pack_normal(row[x].normal, normal);
        }
    }
}

static void splat_particles(stage *s) {
    const drawing *d = s->d;
    const float radius = rill_picture_shows_links(d) ? PICTURE_SMALL * s->radius : s->radius;
    for (int k = 0; k < d->frame->count; k++)
        if (!rill_picture_is_cloth(d, k)) splat(s, picture_position(d, k), radius, picture_share(d, k));
}

/* A link as a row of small balls, in the colour of zero. */
static void splat_link(rill_vec from, rill_vec to, void *context) {
    stage *s = context;
    const float radius = PICTURE_LINE * s->radius, length = vec_length(vec_sub(to, from));
    if (!(length < 1e3f * s->radius)) return;
    const int count = (int)(length / radius) + 1;
    for (int k = 0; k <= count; k++)
        splat(s, vec_add(from, vec_scale(vec_sub(to, from), (float)k / (float)count)), radius, 0.0f);
}

/* ---- all together ---- */
/* The range of depths of the bounds, for haze with distance. */
static void measure_depths(stage *s) {
    const camera *c = &s->scene.camera;
    float first = 1e30f, last = -1e30f;
    for (int k = 0; k < 8; k++) {
        float z = vec_dot(vec_sub(rill_picture_corner(s->d->bounds, k), c->eye), c->forward);
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
    s->radius = 1.15f * d->radius; /* spheres overlap, so that they look like one volume */
    rill_vec around = {s->margin, s->margin, s->margin};
    s->scene.frame = d->frame, s->scene.def = d->def;
    s->scene.count = d->frame->solid_count > 0 ? d->frame->solid_count : 1;
    s->scene.floor_z = d->bounds.min.z;
    s->scene.region = (picture_box){vec_sub(d->bounds.min, around), vec_add(d->bounds.max, around)};
    s->scene.camera = rill_picture_camera(d, s->scene.width, s->scene.height);
    measure_depths(s);
    d->grid = (float)rill_picture_nice((double)fmaxf(size.x, size.y) / 6.0);
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

static rill_status put_solids(stage *s, rill_error *error) {
    TRY(rill_trace_solids(&s->scene, s->hits, error));
    size_t count = (size_t)s->scene.width * (size_t)s->scene.height;
    for (size_t k = 0; k < count; k++) {
        const trace_hit *hit = &s->hits[k];
        s->samples[k] = (sample){.depth = hit->depth, .kind = hit->solid >= 0 ? SAMPLE_SOLID : SAMPLE_NOTHING};
        for (int c = 0; c < 3; c++) s->samples[k].normal[c] = hit->normal[c];
    }
    return RILL_OK;
}

rill_status rill_stage_open(stage *s, drawing *d, rill_error *error) {
    *s = (stage){.d = d};
    TRY(allocate(s, error));
    set_scene(s);
    return put_solids(s, error);
}

void rill_stage_close(stage *s) {
    free(s->samples);
    free(s->hits);
    free(s->shade);
    free(s->body);
}

rill_status rill_picture_draw_3d(drawing *d, rill_error *error) {
    stage s;
    rill_status status = rill_stage_open(&s, d, error);
    if (status == RILL_OK) splat_particles(&s);
    if (status == RILL_OK && rill_picture_shows_links(d)) rill_picture_lines(d, d->def->links, splat_link, &s);
    if (status == RILL_OK) rill_picture_cloth_3d(&s);
    if (status == RILL_OK) status = rill_stage_light(&s, error);
    rill_stage_close(&s);
    return status;
}

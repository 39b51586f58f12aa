/* SPDX-License-Identifier: MIT */
/* Lighting of a 3D picture: two lamps, shade where the depth drops, haze with distance, a grid on the floor. */
#include "core/error.h"
#include "picture/draw_cloth.h"
#include "picture/stage.h"

#include <stdlib.h>

#define MAP_SIZE 1024

/* Data shared by the samples of a pixel. */
typedef struct pixel_place {
    float shade;   /* how much deeper the pixel is than its surroundings [m] */
    rill_vec body; /* normal of the smoothed fluid surface */
} pixel_place;

typedef struct lamps {
    rill_vec key, fill, half; /* towards the lamps; halfway between key lamp and eye */
    rgb map[MAP_SIZE + 1];    /* colours of the bar; the last for values that are not finite */
} lamps;

static const rgb white = {1.0f, 1.0f, 1.0f};

static float clamp(float value) {
    return fminf(fmaxf(value, 0.0f), 1.0f);
}

/* ---- shade from depth ---- */
/* Running means over squares of side 2 reach + 1: along the rows, then down the columns. */
static void blur_rows(const float *from, float *to, int width, int height, int reach) {
    for (int y = 0; y < height; y++, from += width, to += width) {
        double sum = 0.0;
        for (int x = 0; x < reach && x < width; x++) sum += (double)from[x];
        for (int x = 0; x < width; x++) {
            if (x + reach < width) sum += (double)from[x + reach];
            if (x > reach) sum -= (double)from[x - reach - 1];
            int first = x > reach ? x - reach : 0, last = x + reach < width ? x + reach : width - 1;
            to[x] = (float)(sum / (last - first + 1));
        }
    }
}

static void blur_columns(const float *from, float *to, double *sums, int width, int height, int reach) {
    size_t w = (size_t)width;
    for (int x = 0; x < width; x++) sums[x] = 0.0;
    for (int y = 0; y < reach && y < height; y++)
        for (int x = 0; x < width; x++) sums[x] += (double)from[(size_t)y * w + (size_t)x];
    for (int y = 0; y < height; y++) {
        const float *coming = y + reach < height ? from + (size_t)(y + reach) * w : NULL;
        const float *going = y > reach ? from + (size_t)(y - reach - 1) * w : NULL;
        int first = y > reach ? y - reach : 0, last = y + reach < height ? y + reach : height - 1;
        for (int x = 0; x < width; x++) {
            sums[x] += (coming ? (double)coming[x] : 0.0) - (going ? (double)going[x] : 0.0);
            to[(size_t)y * w + (size_t)x] = (float)(sums[x] / (last - first + 1));
        }
    }
}

typedef struct blur_space {
    int width, height;
    float *depth, *mask, *scratch;
    double *sums;
} blur_space;

/* Two box filters in turn approximate a Gaussian. */
static void blur(const blur_space *b, float *image, int reach) {
    for (int pass = 0; pass < 2; pass++) {
        blur_rows(image, b->scratch, b->width, b->height, reach);
        blur_columns(b->scratch, image, b->sums, b->width, b->height, reach);
    }
}

static const sample *first_sample(const stage *s, int pixel) {
    int width = s->scene.width / s->per_pixel, x = pixel % width * s->per_pixel, y = pixel / width * s->per_pixel;
    return &s->samples[(size_t)y * (size_t)s->scene.width + (size_t)x];
}

/* Pixels deeper than their surroundings are darkened (Luft, Colditz & Deussen 2006): outlines stand out, and water
   seems to shade the floor beside it. */
static void measure_shade(stage *s, const blur_space *b) {
    float last = s->nearest + 1.1f * s->reach;
    int count = b->width * b->height;
    for (int k = 0; k < count; k++) s->shade[k] = b->depth[k] = fminf(first_sample(s, k)->depth, last);
    blur(b, s->shade, b->width / 80 + 1);
    for (int k = 0; k < count; k++) s->shade[k] = b->depth[k] - s->shade[k];
}

/* The mean depth of the fluid around each pixel: smoothing hides the single spheres. */
static void measure_body(stage *s, const blur_space *b) {
    float sphere = s->scene.camera.focal * s->radius / (s->nearest + 0.5f * s->reach) / (float)s->per_pixel;
    int count = b->width * b->height, reach = (int)fminf(1.0f + 1.2f * sphere, 60.0f);
    for (int k = 0; k < count; k++) {
        const sample *p = first_sample(s, k);
        b->mask[k] = p->kind == SAMPLE_FLUID ? 1.0f : 0.0f;
        s->body[k] = p->kind == SAMPLE_FLUID ? p->depth : 0.0f;
    }
    blur(b, s->body, reach);
    blur(b, b->mask, reach);
    for (int k = 0; k < count; k++) s->body[k] = b->mask[k] > 1e-3f ? s->body[k] / b->mask[k] : 0.0f;
}

static rill_status measure_depths(stage *s, rill_error *error) {
    blur_space b = {.width = s->scene.width / s->per_pixel, .height = s->scene.height / s->per_pixel};
    size_t count = (size_t)b.width * (size_t)b.height;
    b.depth = malloc(count * sizeof *b.depth), b.mask = malloc(count * sizeof *b.mask);
    b.scratch = malloc(count * sizeof *b.scratch), b.sums = malloc((size_t)b.width * sizeof *b.sums);
    rill_status status = RILL_OK;
    if (b.depth && b.mask && b.scratch && b.sums) {
        measure_shade(s, &b);
        if (!s->smooth) measure_body(s, &b);
    } else {
        status = rill_fail(error, RILL_MEMORY, "not enough memory to shade the picture; make it smaller");
    }
    free(b.depth);
    free(b.mask);
    free(b.scratch);
    free(b.sums);
    return status;
}

static rill_vec point_at(const stage *s, rill_vec ray, float depth) {
    const camera *c = &s->scene.camera;
    return vec_add(c->eye, vec_scale(ray, depth / vec_dot(ray, c->forward)));
}

static rill_vec body_point(const stage *s, int x, int y) {
    int n = s->per_pixel, width = s->scene.width / n;
    rill_vec ray = camera_ray(&s->scene.camera, ((float)x + 0.5f) * (float)n, ((float)y + 0.5f) * (float)n);
    return point_at(s, ray, s->body[(size_t)y * (size_t)width + (size_t)x]);
}

/* The normal of the smoothed surface at a pixel. Of the differences to the two neighbours along each axis the smaller
   counts: the larger one may cross an outline. */
static rill_vec body_normal(const stage *s, int x, int y) {
    int width = s->scene.width / s->per_pixel, height = s->scene.height / s->per_pixel;
    const float *depth = s->body + (size_t)y * (size_t)width + (size_t)x;
    rill_vec toward = vec_scale(s->scene.camera.forward, -1.0f);
    if (x < 1 || y < 1 || x + 1 >= width || y + 1 >= height) return toward;
    if (depth[0] <= 0.0f || depth[1] <= 0.0f || depth[-1] <= 0.0f || depth[width] <= 0.0f || depth[-width] <= 0.0f)
        return toward;
    rill_vec here = body_point(s, x, y);
    rill_vec across = fabsf(depth[1] - depth[0]) < fabsf(depth[0] - depth[-1]) ? vec_sub(body_point(s, x + 1, y), here)
                                                                               : vec_sub(here, body_point(s, x - 1, y));
    rill_vec down = fabsf(depth[width] - depth[0]) < fabsf(depth[0] - depth[-width])
                        ? vec_sub(body_point(s, x, y + 1), here)
                        : vec_sub(here, body_point(s, x, y - 1));
    return vec_unit(vec_cross(down, across), toward);
}

/* ---- colours of samples ---- */
static rgb lit(rgb c, float light) {
    return (rgb){clamp(c.r * light), clamp(c.g * light), clamp(c.b * light)};
}

/* Water in shade turns blue rather than black. */
static rgb lit_water(rgb c, float light) {
    rgb shadow = {0.10f * c.r, 0.28f * c.g, 0.42f * c.b};
    return light < 1.0f ? rgb_mix(shadow, c, light) : lit(c, light);
}

/* Spheres are lit by the mean of their own normal and that of the smoothed surface. */
static rgb fluid_color(const stage *s, const lamps *l, const sample *p, const pixel_place *at) {
    rill_vec n = unpack_normal(p->normal);
    if (!s->smooth) n = vec_unit(vec_add(n, at->body), at->body);
    int entry = isnan(p->share) ? MAP_SIZE : (int)(clamp(p->share) * (MAP_SIZE - 1) + 0.5f);
    float key = fmaxf(vec_dot(n, l->key), 0.0f), fill = fmaxf(vec_dot(n, l->fill), 0.0f);
    float facing = clamp(-vec_dot(n, s->scene.camera.forward));
    float shine = powf(fmaxf(vec_dot(n, l->half), 0.0f), 36.0f);
    float light = (0.52f + 0.50f * key + 0.16f * fill) * (0.78f + 0.22f * facing);
    float dark = 1.0f - 0.42f * clamp(at->shade / (0.05f * s->size));
    rgb c = rgb_mix(lit_water(l->map[entry], light * dark), white, 0.16f * shine * dark);
    return rgb_mix(c, white, 0.22f * clamp((p->depth - s->nearest) / s->reach));
}

/* Thin lines on level ground, a pixel wide at any distance. */
static float grid_line(const stage *s, rill_vec point, float depth, float slope) {
    float pixel = depth / s->scene.camera.focal * (float)s->per_pixel, line = 0.0f;
    const float place[2] = {point.x / s->d->grid, point.y / s->d->grid};
    for (int c = 0; c < 2; c++) {
        float off = fabsf(place[c] - roundf(place[c])) * s->d->grid;
        line = fmaxf(line, clamp(1.0f - off / (0.8f * pixel / fmaxf(slope, 0.15f))));
    }
    return line * clamp(1.5f - 12.0f * pixel / s->d->grid);
}

static float outside(float value, float min, float max) {
    return fmaxf(fmaxf(min - value, value - max), 0.0f);
}

/* 1 inside the bounds, falling to 0 at the end of the margin, so that infinite planes fade out. */
static float presence(const stage *s, rill_vec point) {
    picture_box b = s->d->bounds;
    rill_vec away = {outside(point.x, b.min.x, b.max.x), outside(point.y, b.min.y, b.max.y),
                     outside(point.z, b.min.z, b.max.z)};
    float t = clamp(1.0f - vec_length(away) / s->margin);
    return t * t * (3.0f - 2.0f * t);
}

static rgb solid_color(const stage *s, const lamps *l, const sample *p, rill_vec ray, float shade) {
    static const rgb wall = {0.925f, 0.935f, 0.945f}, ink = {0.70f, 0.73f, 0.76f};
    rill_vec n = unpack_normal(p->normal), point = point_at(s, ray, p->depth);
    float light = 0.95f + 0.07f * vec_dot(n, l->key);
    rgb color = lit(wall, light);
    if (n.z > 0.9f) color = rgb_mix(color, ink, 0.6f * grid_line(s, point, p->depth, fabsf(vec_dot(ray, n))));
    color = lit(color, 1.0f - 0.22f * clamp(shade / (0.08f * s->size)));
    return rgb_mix(color, white, 1.0f - presence(s, point));
}

/* Two colours of thread. */
static rgb cloth_color(const stage *s, const lamps *l, const sample *p, float shade) {
    const rill_vec n = unpack_normal(p->normal);
    const float light = 0.55f + 0.45f * fmaxf(vec_dot(n, l->key), 0.0f) + 0.15f * fmaxf(vec_dot(n, l->fill), 0.0f);
    return lit(rill_picture_thread(p->share > 0.5f), light * (1.0f - 0.25f * clamp(shade / (0.08f * s->size))));
}

/* ---- outlines ---- */
static bool differ(int solid, const int8_t *normal, int other_solid, const int8_t *other_normal) {
    if (solid != other_solid) return true;
    return solid >= 0 && vec_dot(unpack_normal(normal), unpack_normal(other_normal)) < 0.85f;
}

/* Opacity of the edges of solids at a sample: of the solid behind, and of near walls that are seen through. */
static float edge_at(const stage *s, int x, int y, rill_vec ray) {
    static const int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const trace_hit *h = &s->hits[(size_t)y * (size_t)s->scene.width + (size_t)x];
    bool hidden = s->samples[(size_t)y * (size_t)s->scene.width + (size_t)x].kind >= SAMPLE_FLUID;
    float edge = 0.0f;
    for (int k = 0; k < 4; k++) {
        int ox = x + steps[k][0], oy = y + steps[k][1];
        if (ox < 0 || oy < 0 || ox >= s->scene.width || oy >= s->scene.height) continue;
        const trace_hit *o = &s->hits[(size_t)oy * (size_t)s->scene.width + (size_t)ox];
        if (!hidden && differ(h->solid, h->normal, o->solid, o->normal))
            edge = fmaxf(edge, 0.55f * presence(s, point_at(s, ray, fminf(h->depth, o->depth))));
        if (differ(h->front_solid, h->front_normal, o->front_solid, o->front_normal))
            edge = fmaxf(edge, 0.32f * presence(s, point_at(s, ray, fminf(h->front_depth, o->front_depth))));
    }
    return edge;
}

/* Walls and floors also fade out towards the border of the plot area. */
static float frame_fade(const stage *s, int x, int y) {
    int right = s->scene.width - 1 - x, bottom = s->scene.height - 1 - y;
    int across = x < right ? x : right, down = y < bottom ? y : bottom;
    return clamp((float)(across < down ? across : down) / (14.0f * s->d->unit * (float)s->per_pixel));
}

/* ---- pixels ---- */
static rgb sample_color(const stage *s, const lamps *l, int x, int y, const pixel_place *at) {
    static const rgb ink = {0.42f, 0.46f, 0.50f};
    const sample *p = &s->samples[(size_t)y * (size_t)s->scene.width + (size_t)x];
    rill_vec ray = camera_ray(&s->scene.camera, (float)x + 0.5f, (float)y + 0.5f);
    rgb color = white;
    if (p->kind == SAMPLE_FLUID) color = fluid_color(s, l, p, at);
    if (p->kind == SAMPLE_CLOTH) color = cloth_color(s, l, p, at->shade);
    if (p->kind == SAMPLE_SOLID) color = solid_color(s, l, p, ray, at->shade);
    float edge = edge_at(s, x, y, ray);
    if (edge > 0.0f) color = rgb_mix(color, ink, edge);
    return p->kind == SAMPLE_FLUID || p->kind == SAMPLE_CLOTH ? color : rgb_mix(white, color, frame_fade(s, x, y));
}

static void light_pixel(stage *s, const lamps *l, int x, int y) {
    int n = s->per_pixel, width = s->scene.width / n;
    pixel_place at = {s->shade[(size_t)y * (size_t)width + (size_t)x],
                      s->smooth ? (rill_vec){0, 0, 1} : body_normal(s, x, y)};
    rgb sum = {0, 0, 0};
    for (int k = 0; k < n * n; k++) {
        rgb c = sample_color(s, l, x * n + k % n, y * n + k / n, &at);
        sum = (rgb){sum.r + c.r, sum.g + c.g, sum.b + c.b};
    }
    float share = 1.0f / (float)(n * n);
    s->d->pixels[(size_t)(s->d->top + y) * (size_t)s->d->stride + (size_t)(s->d->left + x)] =
        rgb_pack((rgb){sum.r * share, sum.g * share, sum.b * share});
}

rill_status rill_stage_light(stage *s, rill_error *error) {
    TRY(measure_depths(s, error));
    const camera *c = &s->scene.camera;
    const rill_vec up = {0, 0, 1};
    lamps l;
    /* The lamps move with the viewer: key light from above the left shoulder, fill light from the right. */
    rill_vec left = vec_scale(c->right, -0.55f), back = vec_scale(c->forward, -0.55f);
    l.key = vec_unit(vec_add(vec_add(left, back), vec_scale(c->up, 0.8f)), up);
    l.fill = vec_unit(vec_add(vec_scale(c->right, 0.9f), vec_scale(c->forward, -0.4f)), up);
    l.half = vec_unit(vec_sub(l.key, c->forward), up);
    for (int k = 0; k < MAP_SIZE; k++) l.map[k] = rill_picture_map(s->d->color, (float)k / (MAP_SIZE - 1));
    l.map[MAP_SIZE] = rill_picture_map(s->d->color, NAN);
    for (int y = 0; y < s->scene.height / s->per_pixel; y++)
        for (int x = 0; x < s->scene.width / s->per_pixel; x++) light_pixel(s, &l, x, y);
    return RILL_OK;
}

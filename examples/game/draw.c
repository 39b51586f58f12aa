/* SPDX-License-Identifier: MIT */
/* The picture of a level, pixel by pixel. Solids and bodies are drawn by their signed distance, which gives smooth
   edges at no extra cost; water is a sum of soft discs, one for each particle, cut off at a threshold. */
#include "game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DISC        1.9f  /* radius of a particle's disc, in spacings */
#define WATER_EDGE  0.32f /* threshold, as a share of the sum inside a pool */
#define PALE_HEIGHT 1.0f  /* water above this is pale [m] */
#define LINE_WIDTH  2.0f  /* of outlines [px] */

typedef struct colour {
    float r, g, b;
} colour;

static const colour sky_top = {0.80f, 0.90f, 0.97f}, sky_bottom = {0.97f, 0.98f, 0.96f};
static const colour stone = {0.46f, 0.43f, 0.42f}, stone_edge = {0.27f, 0.25f, 0.25f};
static const colour wood = {0.78f, 0.55f, 0.30f}, wood_edge = {0.38f, 0.23f, 0.10f};
static const colour shallow = {0.45f, 0.75f, 0.93f}, deep = {0.10f, 0.36f, 0.66f}, rim = {0.90f, 0.97f, 1.0f};
static const colour gold = {0.98f, 0.78f, 0.20f}, shade = {0.25f, 0.30f, 0.36f};

static colour mix(colour a, colour b, float t) {
    return (colour){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

static float clamp01(float x) {
    return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

static uint32_t pack(colour c) {
    const uint32_t r = (uint32_t)(clamp01(c.r) * 255.0f), g = (uint32_t)(clamp01(c.g) * 255.0f);
    return 0xff000000u | r << 16 | g << 8 | (uint32_t)(clamp01(c.b) * 255.0f);
}

static colour unpack(uint32_t p) {
    return (colour){(float)(p >> 16 & 255) / 255.0f, (float)(p >> 8 & 255) / 255.0f, (float)(p & 255) / 255.0f};
}

static void blend(uint32_t *pixel, colour c, float share) {
    if (share > 0.0f) *pixel = pack(mix(unpack(*pixel), c, clamp01(share)));
}

rill_vec canvas_point(const canvas *c, float x, float y) {
    return (rill_vec){(x + 0.5f) / c->scale, ((float)c->height - y - 0.5f) / c->scale, 0.0f};
}

/* ---- solids ---- */

/* The pixels [low, high) of a box. */
typedef struct pixels {
    int low[2], high[2];
} pixels;

static void draw_solid(const canvas *c, uint32_t *to, const game *g, int solid, pixels box, colour fill, colour edge) {
    for (int y = box.low[1]; y < box.high[1]; y++)
        for (int x = box.low[0]; x < box.high[0]; x++) {
            const float d = rill_frame_distance(&g->frame, solid, canvas_point(c, (float)x, (float)y), NULL) * c->scale;
            if (d >= 0.5f) { /* nothing of it within this distance */
                x += (int)(d - 0.5f);
                continue;
            }
            uint32_t *pixel = &to[y * c->width + x];
            blend(pixel, fill, 0.5f - d);
            blend(pixel, edge, 0.5f + LINE_WIDTH / 2 - fabsf(d + LINE_WIDTH / 2));
        }
}

static int limit(float x, int most) {
    return x < 0.0f ? 0 : x > (float)most ? most : (int)x;
}

/* The pixels that a body may cover: no point of its surface is farther than `reach` from its centre. */
static pixels body_box(const canvas *c, rill_vec centre, float reach) {
    const float x = centre.x * c->scale, y = (float)c->height - centre.y * c->scale, r = reach * c->scale + LINE_WIDTH;
    return (pixels){{limit(x - r, c->width), limit(y - r, c->height)},
                    {limit(x + r + 1, c->width), limit(y + r + 1, c->height)}};
}

static float reach_of(const rill_shape *shape, rill_vec centre) {
    rill_shape_surface surface;
    rill_error error;
    float reach = 0.0f;
    if (rill_shape_surface_make(shape, 2, 0, &surface, &error) == RILL_OK)
        for (int k = 0; k < surface.point_count; k++)
            reach = fmaxf(reach, hypotf(surface.point[k].x - centre.x, surface.point[k].y - centre.y));
    rill_shape_surface_free(&surface);
    return reach;
}

static void draw_bodies(const canvas *c, const game *g) {
    for (int k = 0; k < g->frame.body_count; k++) {
        const rill_frame_body *body = &g->frame.body[k];
        const float reach = reach_of(rill_frame_shape(&g->frame, body->solid), body->state.centre);
        draw_solid(c, c->pixels, g, body->solid, body_box(c, body->state.position, reach), wood, wood_edge);
    }
}

/* Draws the sky and everything that never moves. */
static void draw_scenery(const canvas *c, const game *g) {
    for (int y = 0; y < c->height; y++)
        for (int x = 0; x < c->width; x++)
            c->scenery[y * c->width + x] = pack(mix(sky_top, sky_bottom, (float)y / (float)c->height));
    for (int k = 0; k < g->frame.solid_count; k++)
        if (g->frame.solid[k].body < 0)
            draw_solid(c, c->scenery, g, k, (pixels){{0, 0}, {c->width, c->height}}, stone, stone_edge);
}

/* ---- water ---- */

/* Adds a particle's disc to the sum. */
static void add_disc(const canvas *c, rill_vec at, float radius) {
    const float x0 = at.x * c->scale - 0.5f, y0 = (float)c->height - at.y * c->scale - 0.5f, r = radius * c->scale;
    const int left = limit(x0 - r, c->width), right = limit(x0 + r + 1, c->width);
    for (int y = limit(y0 - r, c->height); y < limit(y0 + r + 1, c->height); y++)
        for (int x = left; x < right; x++) {
            const float dx = ((float)x - x0) / r, dy = ((float)y - y0) / r, t = 1.0f - dx * dx - dy * dy;
            if (t > 0.0f) c->water[y * c->width + x] += t * t;
        }
}

/* Water is paler towards the top of the level, and has a light rim at the surface. */
static void colour_water(const canvas *c, float full) {
    for (int y = 0; y < c->height; y++) {
        const colour body = mix(deep, shallow, clamp01(canvas_point(c, 0.0f, (float)y).y / PALE_HEIGHT));
        for (int x = 0; x < c->width; x++) {
            const float sum = c->water[y * c->width + x] / full, inside = clamp01((sum - WATER_EDGE) * 12.0f + 0.5f);
            if (inside <= 0.0f) continue;
            const float light = clamp01(1.0f - (sum - WATER_EDGE) / 0.25f);
            blend(&c->pixels[y * c->width + x], mix(body, rim, 0.75f * light), 0.88f * inside);
        }
    }
}

static void draw_water(const canvas *c, const game *g) {
    const float radius = DISC * g->frame.spacing;
    /* The sum inside a pool: the integral of (1 - r^2)^2 over the disc, divided by the square of a particle. */
    const float full = 3.14159265f / 3.0f * DISC * DISC;
    const rill_view *position = rill_frame_field(&g->frame, "position");
    memset(c->water, 0, sizeof(float) * (size_t)(c->width * c->height));
    for (int k = 0; k < g->frame.count; k++) add_disc(c, rill_frame_vec(&g->frame, position, k), radius);
    colour_water(c, full);
}

/* ---- how far the player is ---- */

static void draw_progress(const canvas *c, const game *g) {
    const int left = c->width - c->width / 4 - 20, width = c->width / 4, top = 16, height = 14;
    const int done = (int)((float)width * clamp01((float)g->saved / GAME_GOAL));
    for (int y = top - 2; y < top + height + 2; y++)
        for (int x = left - 2; x < left + width + 2; x++) {
            const bool border = y < top || y >= top + height || x < left || x >= left + width;
            const colour paint = border ? shade : x - left < done ? (g->won ? gold : deep) : rim;
            blend(&c->pixels[y * c->width + x], paint, 0.9f);
        }
}

/* ---- all of it ---- */

bool canvas_make(canvas *c, const game *g, int width, int height) {
    const size_t count = (size_t)width * (size_t)height;
    *c = (canvas){.width = width, .height = height, .scale = (float)height / g->size.y};
    c->pixels = malloc(count * sizeof *c->pixels);
    c->scenery = malloc(count * sizeof *c->scenery);
    c->water = malloc(count * sizeof *c->water);
    if (!c->pixels || !c->scenery || !c->water) return false;
    draw_scenery(c, g);
    return true;
}

void canvas_draw(canvas *c, const game *g) {
    memcpy(c->pixels, c->scenery, sizeof *c->pixels * (size_t)(c->width * c->height));
    draw_water(c, g);
    draw_bodies(c, g);
    draw_progress(c, g);
}

void canvas_free(canvas *c) {
    free(c->pixels);
    free(c->scenery);
    free(c->water);
    *c = (canvas){0};
}

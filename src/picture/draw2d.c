/* SPDX-License-Identifier: MIT */
/* Pictures in 2D: solids from their signed distances, particles as antialiased discs. */
#include "picture/draw_cloth.h"

#include <float.h>

/* Side of the squares of pixels that one distance may rule out [pixels]. */
#define BLOCK 8

static uint32_t blend(uint32_t below, rgb above, float share) {
    rgb c = {(float)(below >> 16 & 255) / 255.0f, (float)(below >> 8 & 255) / 255.0f, (float)(below & 255) / 255.0f};
    return rgb_pack(rgb_mix(c, above, share));
}

view2d rill_picture_view_2d(const drawing *d) {
    picture_box window = {d->def->min, d->def->max};
    if (!(window.max.x > window.min.x) || !(window.max.y > window.min.y)) window = d->bounds;
    float width = (float)(d->right - d->left), height = (float)(d->bottom - d->top);
    view2d view;
    view.scale = fminf(width / (window.max.x - window.min.x), height / (window.max.y - window.min.y));
    view.x0 = (float)d->left + 0.5f * width - view.scale * 0.5f * (window.min.x + window.max.x);
    view.y0 = (float)d->top + 0.5f * height + view.scale * 0.5f * (window.min.y + window.max.y);
    return view;
}

/* The solid nearest to a point, and its distance in pixels. */
typedef struct nearest {
    float distance;
    bool endless; /* a container or a half-space */
    int body;     /* number of the solid's body, from 1; 0: none */
} nearest;

/* Bodies have colours in pictures of water; beside coloured particles they are grey. */
static int body_of(const drawing *d, int solid) {
    return picture_has_bar(d) ? 0 : d->frame->solid[solid].body + 1;
}

static nearest nearest_solid(const drawing *d, view2d view, float px, float py) {
    rill_vec point = {(px - view.x0) / view.scale, (view.y0 - py) / view.scale, 0.0f}, normal;
    float least = FLT_MAX;
    int solid = -1;
    for (int k = 0; k < d->frame->solid_count; k++) {
        if (rill_picture_hides(d->def, d->frame, k)) continue;
        const float distance = rill_frame_distance(d->frame, k, point, &normal);
        if (distance < least) least = distance, solid = k;
    }
    if (solid < 0) return (nearest){FLT_MAX, false, 0};
    const rill_shape *shape = rill_frame_shape(d->frame, solid);
    return (nearest){least * view.scale, shape->inside || shape->kind == RILL_HALF_SPACE, body_of(d, solid)};
}

#define BODY_TINTS 5
static const rgb body_tints[BODY_TINTS] = {
    {0.80f, 0.62f, 0.42f}, {0.86f, 0.52f, 0.30f}, {0.72f, 0.42f, 0.36f}, {0.66f, 0.66f, 0.40f}, {0.88f, 0.74f, 0.44f}};

/* A dark line at the surface, then grey that grows lighter inwards. Solids without an end fade to white, so that a
   container does not outweigh its fluid. */
static uint32_t solid_pixel(uint32_t below, nearest solid, float unit) {
    static const rgb line = {0.36f, 0.39f, 0.43f}, edge = {0.77f, 0.79f, 0.81f}, deep = {0.92f, 0.93f, 0.94f};
    static const rgb nothing = {1.0f, 1.0f, 1.0f};
    float distance = solid.distance, depth = fminf(fmaxf(-distance / fmaxf(26.0f * unit, 10.0f), 0.0f), 1.0f);
    rgb fill = rgb_mix(edge, solid.endless ? nothing : deep, depth * (2.0f - depth));
    if (solid.body) fill = rgb_mix(body_tints[solid.body % BODY_TINTS], fill, 0.25f);
    uint32_t pixel = blend(below, fill, fminf(fmaxf(0.5f - distance, 0.0f), 1.0f));
    float width = fmaxf(0.6f * unit, 0.5f);
    return blend(pixel, line, fminf(fmaxf(width + 0.5f - fabsf(distance), 0.0f), 1.0f));
}

static void draw_solid_block(drawing *d, view2d view, int left, int top, int right, int bottom) {
    /* A distance changes by at most one pixel per pixel. If the middle is far outside, so is the whole block. */
    nearest middle = nearest_solid(d, view, 0.5f * (float)(left + right), 0.5f * (float)(top + bottom));
    if (middle.distance > 0.75f * BLOCK + 2.0f * d->unit) return;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            uint32_t *pixel = &d->pixels[(size_t)y * (size_t)d->stride + (size_t)x];
            *pixel = solid_pixel(*pixel, nearest_solid(d, view, (float)x + 0.5f, (float)y + 0.5f), d->unit);
        }
}

void rill_picture_solids_2d(drawing *d, view2d view) {
    if (d->frame->solid_count == 0) return;
    for (int y = d->top; y < d->bottom; y += BLOCK)
        for (int x = d->left; x < d->right; x += BLOCK)
            draw_solid_block(d, view, x, y, x + BLOCK < d->right ? x + BLOCK : d->right,
                             y + BLOCK < d->bottom ? y + BLOCK : d->bottom);
}

/* Discs that are large enough to be told apart get a slightly darker rim. */
static void draw_disc(drawing *d, float cx, float cy, float radius, rgb color) {
    int left = (int)fmaxf(floorf(cx - radius - 0.5f), (float)d->left);
    int right = (int)fminf(ceilf(cx + radius + 0.5f), (float)d->right);
    int top = (int)fmaxf(floorf(cy - radius - 0.5f), (float)d->top);
    int bottom = (int)fminf(ceilf(cy + radius + 0.5f), (float)d->bottom);
    rgb rim = rgb_mix(color, (rgb){0, 0, 0}, 0.16f * fminf(fmaxf((radius - 2.5f) / 3.0f, 0.0f), 1.0f));
    uint32_t inner = rgb_pack(color);
    for (int y = top; y < bottom; y++) {
        uint32_t *row = d->pixels + (size_t)y * (size_t)d->stride;
        float dy = (float)y + 0.5f - cy;
        for (int x = left; x < right; x++) {
            float dx = (float)x + 0.5f - cx, inset = radius - sqrtf(dx * dx + dy * dy);
            if (inset <= -0.5f) continue;
            float rim_share = fminf(fmaxf(1.0f - (inset - 0.5f) / (0.25f * radius), 0.0f), 1.0f);
            if (inset >= 0.5f && rim_share <= 0.0f) {
                row[x] = inner;
            } else {
                row[x] = blend(row[x], rgb_mix(color, rim, rim_share), fminf(inset + 0.5f, 1.0f));
            }
        }
    }
}

static void draw_particles(drawing *d, view2d view) {
    /* Small discs are drawn up to a quarter larger, which closes the gaps of a lattice. */
    float radius = d->radius * view.scale;
    if (rill_picture_shows_links(d)) radius *= PICTURE_SMALL;
    radius *= radius > 4.0f ? 1.0f : 1.0f + 0.25f * (1.0f - radius / 4.0f);
    radius = fminf(fmaxf(radius, 0.7f), 1e4f);
    for (int k = 0; k < d->frame->count; k++) {
        rill_vec x = picture_position(d, k);
        float cx = view.x0 + view.scale * x.x, cy = view.y0 - view.scale * x.y;
        if (rill_picture_is_cloth(d, k)) continue;
        bool seen = cx > (float)d->left - radius && cx < (float)d->right + radius && cy > (float)d->top - radius &&
                    cy < (float)d->bottom + radius; /* false for positions that are not finite */
        if (seen) draw_disc(d, cx, cy, radius, rill_picture_map(d->color, picture_share(d, k)));
    }
}

/* A line as a row of discs. */
static void draw_line(drawing *d, rill_vec from, rill_vec to, float radius, rgb color) {
    const view2d view = rill_picture_view_2d(d);
    const float ax = view.x0 + view.scale * from.x, ay = view.y0 - view.scale * from.y;
    const float bx = view.x0 + view.scale * to.x, by = view.y0 - view.scale * to.y;
    const float length = hypotf(bx - ax, by - ay);
    if (!(length < 1e4f)) return;
    const int count = (int)(length / radius) + 1;
    for (int k = 0; k <= count; k++) {
        const float t = (float)k / (float)count;
        draw_disc(d, ax + t * (bx - ax), ay + t * (by - ay), radius, color);
    }
}

static void draw_thread(rill_vec from, rill_vec to, void *context) {
    drawing *d = context;
    draw_line(d, from, to, fmaxf(1.2f * d->unit, 1.0f), (rgb){0.62f, 0.26f, 0.18f});
}

static void draw_link(rill_vec from, rill_vec to, void *context) {
    drawing *d = context;
    draw_line(d, from, to, fmaxf(0.4f * d->unit, 0.5f), (rgb){0.72f, 0.75f, 0.80f});
}

rill_status rill_picture_draw_2d(drawing *d) {
    view2d view = rill_picture_view_2d(d);
    d->scale = view.scale;
    rill_picture_solids_2d(d, view);
    if (rill_picture_shows_links(d)) rill_picture_lines(d, d->def->links, draw_link, d);
    draw_particles(d, view);
    rill_picture_lines(d, "segments", draw_thread, d);
    return RILL_OK;
}

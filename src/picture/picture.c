/* SPDX-License-Identifier: MIT */
/* A picture from beginning to end: check, choose the view, draw, write. */
#include "picture/picture.h"

#include "core/error.h"
#include "io/io.h"
#include "picture/drawing.h"

#include <string.h>

#define LEAST_SIDE 64
#define MOST_SIDE  16384

static cairo_status_t write_bytes(void *stream, const unsigned char *data, unsigned int size) {
    return fwrite(data, 1, size, stream) == size ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static rill_status write_png(cairo_surface_t *surface, const char *path, rill_error *error) {
    io_file file;
    TRY(rill_io_open(&file, path, error));
    cairo_status_t result = cairo_surface_write_to_png_stream(surface, write_bytes, file.stream);
    if (result == CAIRO_STATUS_SUCCESS || ferror(file.stream)) return rill_io_commit(&file, error);
    rill_io_abandon(&file);
    return rill_fail(error, result == CAIRO_STATUS_NO_MEMORY ? RILL_MEMORY : RILL_IO,
                     "%s: cannot write the picture: %s", path, cairo_status_to_string(result));
}

static rill_status check(const drawing *d, rill_error *error) {
    if (d->width < LEAST_SIDE || d->width > MOST_SIDE || d->height < LEAST_SIDE || d->height > MOST_SIDE)
        return rill_fail(error, RILL_INVALID, "a picture of %d x %d pixels was asked for; each side must be %d to %d",
                         d->width, d->height, LEAST_SIDE, MOST_SIDE);
    if (d->def->color < PICTURE_SPEED || d->def->color > PICTURE_PRESSURE)
        return rill_fail(error, RILL_INVALID, "colour %d is unknown; speed, density or pressure was expected",
                         d->def->color);
    if (d->frame->count > 0 && !d->position)
        return rill_fail(error, RILL_NOT_FOUND, "these particles have no positions to be drawn at");
    if (d->color != PICTURE_SPEED && !d->shown)
        return rill_fail(error, RILL_NOT_FOUND, "these particles have no %s to colour them by; colour them by speed",
                         d->color == PICTURE_DENSITY ? "density" : "pressure");
    return RILL_OK;
}

/* Places the plot area, with room for the title above, the colour bar on the right and the scale below. */
static void lay_out(drawing *d) {
    d->unit = sqrtf((float)d->width * (float)d->height / (960.0f * 600.0f));
    bool roomy = d->width >= 240 && d->height >= 160 && picture_has_bar(d) && !d->def->plain;
    d->left = roomy ? (int)(24.0f * d->unit) : 0;
    d->right = d->width - (roomy ? (int)(112.0f * d->unit) : 0);
    d->top = roomy ? (int)(48.0f * d->unit) : 0;
    d->bottom = d->height - (roomy ? (int)(44.0f * d->unit) : 0);
}

static rill_status draw(drawing *d, cairo_surface_t *surface, rill_error *error) {
    d->pixels = (uint32_t *)(void *)cairo_image_surface_get_data(surface);
    d->stride = cairo_image_surface_get_stride(surface) / 4;
    for (int y = 0; y < d->height; y++)
        for (int x = 0; x < d->width; x++) d->pixels[(size_t)y * (size_t)d->stride + (size_t)x] = PICTURE_BACKGROUND;
    lay_out(d);
    rill_status status = rill_picture_choose(d, error);
    if (status != RILL_OK) return status;
    const bool solid = d->frame->dim == 3;
    switch ((picture_look)d->def->look) {
    case PICTURE_SURFACE:
        status = solid ? rill_picture_draw_surface(d, error) : rill_picture_draw_liquid(d, surface, error);
        break;
    case PICTURE_WATER:
        status = solid ? rill_picture_draw_rays(d, error) : rill_picture_draw_liquid(d, surface, error);
        break;
    case PICTURE_PARTICLES:
    default:
        status = solid ? rill_picture_draw_3d(d, error) : rill_picture_draw_2d(d);
    }
    if (status != RILL_OK) return status;
    cairo_surface_mark_dirty(surface);
    cairo_t *cairo = cairo_create(surface);
    rill_picture_overlay(d, cairo);
    cairo_status_t result = cairo_status(cairo);
    cairo_destroy(cairo);
    cairo_surface_flush(surface);
    if (result != CAIRO_STATUS_SUCCESS)
        return rill_fail(error, RILL_MEMORY, "cannot draw the labels: %s", cairo_status_to_string(result));
    return RILL_OK;
}

/* Draws onto a surface of the right size. */
static rill_status draw_checked(drawing *d, cairo_surface_t *surface, rill_error *error) {
    TRY(check(d, error));
    if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS)
        return rill_fail(error, RILL_MEMORY, "not enough memory for a picture of %d x %d pixels; make it smaller",
                         d->width, d->height);
    return draw(d, surface, error);
}

const picture_paint *rill_picture_paint_of(const picture_def *def, const char *name) {
    for (int k = 0; k < def->paint_count; k++)
        if (name[0] && strcmp(def->paints[k].of, name) == 0) return &def->paints[k];
    return NULL;
}

const picture_paint *rill_picture_paint_of_solid(const picture_def *def, const rill_frame *frame, int solid) {
    const rill_frame_solid *s = &frame->solid[solid];
    const picture_paint *paint = rill_picture_paint_of(def, s->name);
    if (paint || s->body < 0 || s->body >= frame->body_count) return paint;
    return rill_picture_paint_of(def, frame->body[s->body].name);
}

bool rill_picture_hides(const picture_def *def, const rill_frame *frame, int solid) {
    const picture_paint *paint = rill_picture_paint_of_solid(def, frame, solid);
    return paint && paint->hidden;
}

static float linear(float c) {
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

rill_vec rill_picture_linear(rill_vec srgb) {
    return (rill_vec){linear(srgb.x), linear(srgb.y), linear(srgb.z)};
}

drawing rill_picture_begin(const rill_frame *frame, const picture_def *def) {
    return (drawing){.frame = frame,
                     .position = rill_frame_field(frame, "position"),
                     .shown = rill_picture_field(frame, def->color),
                     .def = def,
                     .color = (picture_color)def->color,
                     .width = def->width ? def->width : 960,
                     .height = def->height ? def->height : 600};
}

rill_status rill_picture_paint(const rill_frame *frame, const picture_def *def, uint32_t *pixels, int stride,
                               rill_error *error) {
    drawing d = rill_picture_begin(frame, def);
    cairo_surface_t *surface =
        cairo_image_surface_create_for_data((unsigned char *)pixels, CAIRO_FORMAT_RGB24, d.width, d.height, 4 * stride);
    const rill_status status = draw_checked(&d, surface, error);
    cairo_surface_destroy(surface);
    return status;
}

rill_status rill_picture_write(const rill_frame *frame, const picture_def *def, const char *path, rill_error *error) {
    drawing d = rill_picture_begin(frame, def);
    rill_status status = check(&d, error);
    if (status != RILL_OK) return status;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, d.width, d.height);
    status = draw_checked(&d, surface, error);
    if (status == RILL_OK) status = write_png(surface, path, error);
    cairo_surface_destroy(surface);
    return status;
}

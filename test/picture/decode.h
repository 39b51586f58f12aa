/* SPDX-License-Identifier: MIT */
/* Draws into a scratch file, reads the PNG back and gives its pixels. Included once by each test program. */
#ifndef RILL_TEST_PICTURE_DECODE_H
#define RILL_TEST_PICTURE_DECODE_H

#include "picture/colormap.h"
#include "picture/picture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cairo.h>
#include <cmocka.h>

typedef struct image {
    int width, height;
    uint32_t *pixels;
} image;

/* Particles on the caller's arrays, as a host may hand them over itself. */
typedef struct particles {
    rill_frame frame;
    rill_view fields[4];
} particles;

static inline void add_field(particles *p, const char *name, int components, const void *data) {
    p->fields[p->frame.field_count++] = (rill_view){
        .name = name, .components = components, .stride = components, .count = p->frame.count, .data = data};
}

static inline particles particles_at(int dim, const rill_vec *position, const rill_vec *velocity, int count) {
    particles p = {.frame = {.dim = dim, .count = count, .time = 0.25, .spacing = 0.1f}};
    add_field(&p, "position", 3, position);
    add_field(&p, "velocity", 3, velocity);
    return p;
}

/* Writes particles as a picture, with the solids of a world that may be NULL. */
static inline rill_status write_picture(const particles *p, const rill_world *world, const picture_def *def,
                                        const char *path, rill_error *error) {
    rill_frame frame = {0}, of_world = {0};
    if (world) {
        const rill_status status = rill_frame_of_world(&of_world, world, error);
        if (status != RILL_OK) return status;
        frame = of_world;
    }
    frame.dim = p->frame.dim, frame.count = p->frame.count, frame.time = p->frame.time;
    frame.spacing = p->frame.spacing, frame.field = p->fields, frame.field_count = p->frame.field_count;
    const rill_status status = rill_picture_write(&frame, def, path, error);
    rill_frame_free(&of_world);
    return status;
}

static inline image decode(const char *path) {
    cairo_surface_t *surface = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    image picture = {cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), NULL};
    const unsigned char *rows = cairo_image_surface_get_data(surface);
    int stride = cairo_image_surface_get_stride(surface);
    picture.pixels = malloc((size_t)picture.width * (size_t)picture.height * 4);
    assert_non_null(picture.pixels);
    for (int y = 0; y < picture.height; y++)
        memcpy(picture.pixels + (size_t)y * (size_t)picture.width, rows + (size_t)y * (size_t)stride,
               (size_t)picture.width * 4);
    for (size_t k = 0; k < (size_t)picture.width * (size_t)picture.height; k++) picture.pixels[k] &= 0xffffffu;
    cairo_surface_destroy(surface);
    return picture;
}

static inline image draw(const particles *p, const rill_world *world, const picture_def *def) {
    char path[1100];
    const char *parent = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.1000s/rill-picture-XXXXXX", parent && *parent ? parent : "/tmp");
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    rill_error error = {RILL_OK, ""};
    rill_status status = write_picture(p, world, def, path, &error);
    if (status != RILL_OK) print_error("%s\n", error.text);
    assert_int_equal(status, RILL_OK);
    image picture = decode(path);
    unlink(path);
    return picture;
}

static inline uint32_t pixel(image picture, int x, int y) {
    assert_true(x >= 0 && x < picture.width && y >= 0 && y < picture.height);
    return picture.pixels[(size_t)y * (size_t)picture.width + (size_t)x];
}

static inline int channel(uint32_t color, int k) {
    return (int)(color >> (16 - 8 * k) & 255);
}

static inline void assert_color(uint32_t found, int r, int g, int b, int tolerance) {
    const int wanted[3] = {r, g, b};
    for (int k = 0; k < 3; k++) {
        if (abs(channel(found, k) - wanted[k]) > tolerance)
            print_error("found %06x, expected %02x%02x%02x\n", found, (unsigned)r, (unsigned)g, (unsigned)b);
        assert_in_range(abs(channel(found, k) - wanted[k]), 0, tolerance);
    }
}

static inline int brightness(uint32_t color) {
    return channel(color, 0) + channel(color, 1) + channel(color, 2);
}

/* cairo and its font library keep caches for the life of the program, which leak checkers would report. */
static inline int forget_caches(void **state) {
    (void)state;
    cairo_debug_reset_static_data();
    return 0;
}

#endif

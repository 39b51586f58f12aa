/* SPDX-License-Identifier: MIT */
/* Title, time, colour bar, scale bar, count. */
#include "picture/drawing.h"

#include <stdio.h>
#include <string.h>

typedef enum text_align { ALIGN_LEFT, ALIGN_CENTRE, ALIGN_RIGHT } text_align;

static void set_ink(cairo_t *cairo, double grey) {
    cairo_set_source_rgb(cairo, grey, grey + 0.01, grey + 0.03);
}

static void put_text(cairo_t *cairo, double x, double y, text_align align, const char *text) {
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    cairo_move_to(cairo, x - extents.x_advance * 0.5 * (double)align, y);
    cairo_show_text(cairo, text);
}

static void set_font(cairo_t *cairo, double size, bool bold) {
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
}

/* Length of the UTF-8 character at `c` in bytes; 0 if it is invalid or a control character. */
static size_t character_length(const unsigned char *c) {
    if (*c < 0x80) return *c >= 0x20 ? 1 : 0;
    if (*c < 0xc2 || *c > 0xf4) return 0;
    size_t length = *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : 4;
    for (size_t k = 1; k < length; k++)
        if ((c[k] & 0xc0) != 0x80) return 0;
    bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    bool no_character = (c[0] == 0xed && c[1] >= 0xa0) || (c[0] == 0xf4 && c[1] >= 0x90);
    return overlong || no_character ? 0 : length;
}

/* On invalid UTF-8 cairo fails, and draws nothing from then on: such bytes become question marks. */
static void clean_text(char *buffer, size_t size, const char *text) {
    size_t used = 0;
    const unsigned char *c = (const unsigned char *)text;
    while (*c && used + 5 < size) {
        size_t length = character_length(c);
        if (length == 0) {
            buffer[used++] = '?';
            c++;
        } else {
            memcpy(buffer + used, c, length);
            used += length, c += length;
        }
    }
    buffer[used] = '\0';
}

/* ---- title and time ---- */
static void draw_title(const drawing *d, cairo_t *cairo) {
    double u = (double)d->unit, base = 31.0 * u;
    char text[300];
    double room = (double)(d->width - d->left) - 24.0 * u;
    if (d->frame->time >= 0.0) {
        snprintf(text, sizeof text, "t = %.*f s", d->frame->time < 100.0 ? 3 : 1, d->frame->time);
        set_font(cairo, 14.0 * u, false);
        set_ink(cairo, 0.30);
        put_text(cairo, d->width - 24.0 * u, base, ALIGN_RIGHT, text);
        room -= 150.0 * u;
    }
    if (!d->def->title) return;
    clean_text(text, sizeof text, d->def->title);
    set_font(cairo, 16.0 * u, true);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    if (extents.x_advance > room) cairo_set_font_size(cairo, 16.0 * u * fmax(room / extents.x_advance, 0.4));
    set_ink(cairo, 0.15);
    put_text(cairo, d->left, base, ALIGN_LEFT, text);
}

/* ---- colour bar ---- */
typedef struct bar_unit {
    double factor; /* values are shown divided by it */
    char text[32];
} bar_unit;

/* Chooses an SI prefix that keeps the tick labels short. */
static bar_unit choose_unit(const drawing *d) {
    static const struct {
        double factor;
        const char *prefix;
    } prefixes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1.0, ""}, {1e-3, "m"}, {1e-6, "µ"}};
    bar_unit unit = {1.0, "kg/m³"};
    double most = fmax(fabs((double)d->color_min), fabs((double)d->color_max));
    if (d->color == PICTURE_DENSITY) return unit;
    const char *symbol = d->color == PICTURE_SPEED ? "m/s" : "Pa";
    size_t k = 3;
    for (size_t i = 0; i < 3; i++)
        if (most >= 2.0 * prefixes[i].factor && d->color == PICTURE_PRESSURE) k = i < k ? i : k;
    if (most < 0.02) k = most < 0.02e-3 ? 5 : 4;
    unit.factor = prefixes[k].factor;
    snprintf(unit.text, sizeof unit.text, "%s%s", prefixes[k].prefix, symbol);
    return unit;
}

static void tick_text(char *buffer, size_t size, double value, double step) {
    if (fabs(value) < 1e-9 * step) value = 0.0;
    int decimals = (int)fmax(0.0, -floor(log10(step) + 1e-9));
    if (fabs(value) >= 1e6 || decimals > 5) {
        snprintf(buffer, size, "%.4g", value);
    } else {
        snprintf(buffer, size, "%.*f", decimals, value);
    }
}

static void draw_bar(const drawing *d, cairo_t *cairo) {
    double u = (double)d->unit, x = d->right + 24.0 * u, width = 14.0 * u;
    double top = d->top + 34.0 * u, bottom = d->bottom - 12.0 * u, height = bottom - top;
    static const char *const names[] = {"speed", "density", "pressure"};
    bar_unit unit = choose_unit(d);
    cairo_pattern_t *gradient = cairo_pattern_create_linear(0.0, bottom, 0.0, top);
    for (int k = 0; k <= 64; k++) {
        rgb c = rill_picture_map(d->color, (float)k / 64.0f);
        cairo_pattern_add_color_stop_rgb(gradient, k / 64.0, (double)c.r, (double)c.g, (double)c.b);
    }
    cairo_rectangle(cairo, x, top, width, height);
    cairo_set_source(cairo, gradient);
    cairo_fill(cairo);
    cairo_pattern_destroy(gradient);

    set_font(cairo, 12.0 * u, false);
    set_ink(cairo, 0.25);
    put_text(cairo, x, top - 25.0 * u, ALIGN_LEFT, names[d->color]);
    set_ink(cairo, 0.45);
    put_text(cairo, x, top - 10.0 * u, ALIGN_LEFT, unit.text);
    double low = (double)d->color_min / unit.factor, high = (double)d->color_max / unit.factor;
    double step = rill_picture_nice((high - low) / 3.2);
    set_ink(cairo, 0.25);
    cairo_set_line_width(cairo, u);
    for (double index = ceil(low / step - 1e-6); index <= high / step + 1e-6; index += 1.0) {
        char text[32];
        double y = bottom - (index * step - low) / (high - low) * height;
        tick_text(text, sizeof text, index * step, step);
        cairo_move_to(cairo, x + width, y);
        cairo_line_to(cairo, x + width + 4.0 * u, y);
        cairo_stroke(cairo);
        put_text(cairo, x + width + 8.0 * u, y + 4.2 * u, ALIGN_LEFT, text);
        if (index + 1.0 == index) break; /* index too large for steps of one */
    }
}

/* ---- scale and count ---- */
static void length_text(char *buffer, size_t size, const char *before, double metres) {
    if (metres >= 1e3 || metres < 1e-6) {
        snprintf(buffer, size, "%s%g %s", before, metres >= 1e3 ? metres / 1e3 : metres, metres >= 1e3 ? "km" : "m");
    } else if (metres >= 0.999) {
        snprintf(buffer, size, "%s%g m", before, metres);
    } else if (metres >= 0.00999) {
        snprintf(buffer, size, "%s%g cm", before, metres * 100.0);
    } else if (metres >= 0.000999) {
        snprintf(buffer, size, "%s%g mm", before, metres * 1e3);
    } else {
        snprintf(buffer, size, "%s%g µm", before, metres * 1e6);
    }
}

/* A bar of a round length that begins at (x, y), labelled with that length. */
static void draw_ruler(const drawing *d, cairo_t *cairo, double x, double y, double u) {
    char text[64];
    if (!(d->scale > 0.0f)) return;
    double metres = rill_picture_nice((d->right - d->left) / 5.0 / (double)d->scale),
           pixels = metres * (double)d->scale;
    length_text(text, sizeof text, "", metres);
    cairo_set_line_width(cairo, 1.5 * u);
    cairo_move_to(cairo, x + 0.5, y - 4.0 * u);
    cairo_line_to(cairo, x + 0.5, y);
    cairo_line_to(cairo, x + pixels, y);
    cairo_line_to(cairo, x + pixels, y - 4.0 * u);
    cairo_stroke(cairo);
    put_text(cairo, x + pixels + 8.0 * u, y + 2.0 * u, ALIGN_LEFT, text);
}

static void draw_scale(const drawing *d, cairo_t *cairo) {
    double u = (double)d->unit, y = d->bottom + 24.0 * u;
    char text[64];
    set_font(cairo, 12.0 * u, false);
    set_ink(cairo, 0.30);
    if (d->grid > 0.0f) {
        length_text(text, sizeof text, "grid ", (double)d->grid);
        put_text(cairo, d->left, y + 4.0 * u, ALIGN_LEFT, text);
    } else {
        draw_ruler(d, cairo, d->left, y, u);
    }
}

static void draw_count(const drawing *d, cairo_t *cairo) {
    double u = (double)d->unit;
    char text[96];
    int used = snprintf(text, sizeof text, "%d particle%s", d->frame->count, d->frame->count == 1 ? "" : "s");
    if (d->skipped > 0) snprintf(text + used, sizeof text - (size_t)used, ", %d without a position", d->skipped);
    set_font(cairo, 12.0 * u, false);
    set_ink(cairo, 0.45);
    put_text(cairo, d->right, d->bottom + 28.0 * u, ALIGN_RIGHT, text);
}

/* The caption over a picture of water: name and time in a corner, at the top in 2D and at the bottom in 3D, on a pale
   ground that is legible on any picture. */
static void draw_caption(const drawing *d, cairo_t *cairo) {
    /* Pictures in a movie may be small: text has a least size. */
    double u = fmax((double)d->unit, 0.8), x = 14.0 * u, size = 13.0 * u;
    double base = d->frame->dim == 2 ? 23.0 * u : d->height - 14.0 * u;
    char text[400], title[300] = "";
    cairo_text_extents_t extents;
    if (d->def->title) clean_text(title, sizeof title, d->def->title);
    if (d->frame->time >= 0.0)
        snprintf(text, sizeof text, "%s%st = %.*f s", title, title[0] ? "   " : "", d->frame->time < 100.0 ? 2 : 1,
                 d->frame->time);
    else
        snprintf(text, sizeof text, "%s", title);
    if (d->grid > 0.0f) length_text(text + strlen(text), sizeof text - strlen(text), "   tiles ", (double)d->grid);
    set_font(cairo, size, false);
    cairo_text_extents(cairo, text, &extents);
    if (extents.x_advance > d->width - 2.0 * x) {
        cairo_set_font_size(cairo, size * fmax((d->width - 2.0 * x) / extents.x_advance, 0.5));
        cairo_text_extents(cairo, text, &extents);
    }
    cairo_set_source_rgba(cairo, 1.0, 1.0, 1.0, 0.62);
    cairo_rectangle(cairo, x - 9.0 * u, base - 16.0 * u, extents.x_advance + 18.0 * u, 23.0 * u);
    cairo_fill(cairo);
    set_ink(cairo, 0.18);
    put_text(cairo, x, base, ALIGN_LEFT, text);
    set_font(cairo, 0.85 * size, false);
    draw_ruler(d, cairo, x, base + 20.0 * u, u);
}

void rill_picture_overlay(const drawing *d, cairo_t *cairo) {
    if (d->def->plain) return;
    if (!picture_has_bar(d) && d->width >= 240 && d->height >= 160) draw_caption(d, cairo);
    if (d->left == 0) return; /* too small for text */
    draw_title(d, cairo);
    draw_bar(d, cairo);
    draw_scale(d, cairo);
    draw_count(d, cairo);
}

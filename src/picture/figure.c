/* SPDX-License-Identifier: MIT */
/* Figures with cairo. */
#include "picture/figure.h"

#include "core/error.h"
#include "picture/colormap.h"
#include "picture/drawing.h"

#include <cairo-svg.h>
#include <stdio.h>
#include <string.h>

/* One direction: values from low to high lie on pixels from start to end. */
typedef struct figure_axis {
    double low, high, start, end;
    bool log;
} figure_axis;

static void use_color(cairo_t *cairo, const figure_def *def, int number) {
    int before = 0;
    if (def->series[number].reference) {
        cairo_set_source_rgb(cairo, 0.1, 0.1, 0.1);
        return;
    }
    for (int k = 0; k < number; k++) before += !def->series[k].reference;
    const double *c = rill_series_color(before);
    cairo_set_source_rgb(cairo, c[0], c[1], c[2]);
}

static bool fits(const figure_axis *axis, double value) {
    return isfinite(value) && (!axis->log || value > 0);
}

/* The range of all values; a logarithmic axis ends on powers of ten, a plain one on round numbers. */
static void find_range(const figure_def *def, figure_axis *axis, bool is_x) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int n = 0; n < def->count; n++)
        for (int k = 0; k < def->series[n].count; k++) {
            const double value = is_x ? def->series[n].x[k] : def->series[n].y[k];
            if (fits(axis, value)) low = fmin(low, value), high = fmax(high, value);
        }
    if (!(low <= high)) low = axis->log ? 1 : 0, high = axis->log ? 10 : 1;
    if (axis->log) {
        axis->low = is_x ? low / 1.2 : pow(10, floor(log10(low) - 1e-9));
        axis->high = is_x ? high * 1.2 : pow(10, ceil(log10(high) + 1e-9));
        return;
    }
    const double step = rill_picture_nice(fmax(high - low, 1e-6 * fmax(fabs(high), 1e-9)) / 3);
    axis->low = floor(low / step + 1e-9) * step;
    axis->high = ceil(high / step - 1e-9) * step;
    if (!(axis->high > axis->low)) axis->high = axis->low + step;
}

static double pixel_of(const figure_axis *axis, double value) {
    const double share = axis->log ? log(value / axis->low) / log(axis->high / axis->low)
                                   : (value - axis->low) / (axis->high - axis->low);
    return axis->start + share * (axis->end - axis->start);
}

/* The next mark after `value`: on a logarithmic axis the more digits of each power of ten the shorter it is, round
   steps on a plain one. */
static double next_mark(const figure_axis *axis, double value) {
    if (!axis->log) return value + rill_picture_nice((axis->high - axis->low) / 4);
    const double power = pow(10, floor(log10(value) + 1e-9)), digit = value / power;
    if (axis->high / axis->low > 2000) return 10 * power;
    if (axis->high / axis->low < 12) return value + power;
    return digit < 1.5 ? 2 * power : digit < 3 ? 5 * power : 10 * power;
}

static double first_mark(const figure_axis *axis) {
    if (!axis->log) return axis->low;
    double mark = pow(10, floor(log10(axis->low) + 1e-9));
    while (mark < axis->low * 0.999) mark = next_mark(axis, mark);
    return mark;
}

static double text_width(cairo_t *cairo, const char *text) {
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    return extents.x_advance;
}

static void draw_marks(cairo_t *cairo, const figure_axis *axis, const figure_axis *other, bool is_x) {
    char text[32];
    for (double v = first_mark(axis); v <= axis->high * (axis->log ? 1.001 : 1) + (axis->log ? 0 : 1e-9);
         v = next_mark(axis, v)) {
        const double at = pixel_of(axis, v);
        cairo_set_source_rgb(cairo, 0.88, 0.89, 0.90);
        cairo_move_to(cairo, is_x ? at : other->start, is_x ? other->start : at);
        cairo_line_to(cairo, is_x ? at : other->end, is_x ? other->end : at);
        cairo_stroke(cairo);
        snprintf(text, sizeof text, "%.4g", fabs(v) < 1e-9 * (axis->high - axis->low) ? 0.0 : v);
        cairo_set_source_rgb(cairo, 0.3, 0.3, 0.33);
        const double width = text_width(cairo, text);
        cairo_move_to(cairo, is_x ? at - width / 2 : other->start - width - 6, is_x ? other->start + 16 : at + 4);
        cairo_show_text(cairo, text);
    }
}

static void draw_titles(const figure_def *def, cairo_t *cairo, const figure_axis *x, const figure_axis *y) {
    cairo_set_source_rgb(cairo, 0.1, 0.1, 0.1);
    if (def->x_title) {
        cairo_move_to(cairo, (x->start + x->end - text_width(cairo, def->x_title)) / 2, y->start + 36);
        cairo_show_text(cairo, def->x_title);
    }
    cairo_move_to(cairo, x->start, y->end - 12);
    if (def->y_title) cairo_show_text(cairo, def->y_title);
    cairo_set_font_size(cairo, 15);
    cairo_move_to(cairo, x->start, y->end - 34);
    if (def->title) cairo_show_text(cairo, def->title);
    cairo_set_font_size(cairo, 12);
}

static void draw_series(const figure_def *def, int n, cairo_t *cairo, const figure_axis *x, const figure_axis *y) {
    const figure_series *s = &def->series[n];
    bool begun = false;
    use_color(cairo, def, n);
    cairo_set_line_width(cairo, s->reference ? 1.2 : 1.8);
    for (int k = 0; k < s->count && s->line; k++) {
        if (!fits(x, s->x[k]) || !fits(y, s->y[k])) continue;
        (begun ? cairo_line_to : cairo_move_to)(cairo, pixel_of(x, s->x[k]), pixel_of(y, s->y[k]));
        begun = true;
    }
    cairo_stroke(cairo);
    for (int k = 0; k < s->count && s->points; k++) {
        if (!fits(x, s->x[k]) || !fits(y, s->y[k])) continue;
        cairo_new_sub_path(cairo);
        cairo_arc(cairo, pixel_of(x, s->x[k]), pixel_of(y, s->y[k]), 3.2, 0, 6.2831853);
        cairo_stroke(cairo);
    }
}

/* To the right of the axes, one line each. */
static void draw_legend(const figure_def *def, cairo_t *cairo, double left, double top) {
    for (int n = 0; n < def->count; n++) {
        const double y = top + 18 * (n + 0.5);
        use_color(cairo, def, n);
        if (def->series[n].line) cairo_move_to(cairo, left, y), cairo_line_to(cairo, left + 20, y), cairo_stroke(cairo);
        if (def->series[n].points)
            cairo_new_path(cairo), cairo_arc(cairo, left + 10, y, 3.2, 0, 6.2831853), cairo_stroke(cairo);
        cairo_move_to(cairo, left + 26, y + 4);
        cairo_show_text(cairo, def->series[n].name);
    }
}

static void draw(const figure_def *def, cairo_t *cairo) {
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, 12);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    double legend = 0;
    for (int n = 0; n < def->count; n++) legend = fmax(legend, text_width(cairo, def->series[n].name) + 40);
    figure_axis x = {.start = 70, .end = def->width - 20 - legend, .log = def->log_x};
    figure_axis y = {.start = def->height - 48, .end = 58, .log = def->log_y};
    find_range(def, &x, true);
    find_range(def, &y, false);
    cairo_set_line_width(cairo, 1);
    draw_marks(cairo, &x, &y, true);
    draw_marks(cairo, &y, &x, false);
    draw_titles(def, cairo, &x, &y);
    cairo_save(cairo);
    cairo_rectangle(cairo, x.start, y.end - 4, x.end - x.start, y.start - y.end + 8);
    cairo_clip(cairo);
    for (int n = 0; n < def->count; n++) draw_series(def, n, cairo, &x, &y);
    cairo_restore(cairo);
    draw_legend(def, cairo, x.end + 10, y.end);
}

rill_status rill_figure_write(const figure_def *def, const char *path, rill_error *error) {
    const size_t length = strlen(path);
    const bool svg = length > 4 && !strcmp(path + length - 4, ".svg");
    cairo_surface_t *surface = svg ? cairo_svg_surface_create(path, def->width, def->height)
                                   : cairo_image_surface_create(CAIRO_FORMAT_RGB24, def->width, def->height);
    cairo_t *cairo = cairo_create(surface);
    draw(def, cairo);
    cairo_status_t result = cairo_status(cairo);
    cairo_destroy(cairo);
    if (svg) cairo_surface_finish(surface); /* writes the file */
    if (result == CAIRO_STATUS_SUCCESS)
        result = svg ? cairo_surface_status(surface) : cairo_surface_write_to_png(surface, path);
    cairo_surface_destroy(surface);
    if (result == CAIRO_STATUS_SUCCESS) return RILL_OK;
    return rill_fail(error, RILL_IO, "%s: the figure cannot be written: %s", path, cairo_status_to_string(result));
}

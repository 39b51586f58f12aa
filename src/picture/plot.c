/* SPDX-License-Identifier: MIT */
/* Diagrams with cairo. */
#include "picture/plot.h"

#include "core/error.h"
#include "picture/colormap.h"
#include "picture/drawing.h"

#include <stdio.h>

typedef struct plot_area {
    double left, right, top, bottom;
    double low, high, end; /* range of the values, and end of the time axis */
    double unit;
} plot_area;

static void use_color(cairo_t *cairo, const plot_series *series, int number) {
    const double *c = rill_series_color(number);
    if (series->points)
        cairo_set_source_rgb(cairo, 0.1, 0.1, 0.1);
    else
        cairo_set_source_rgb(cairo, c[0], c[1], c[2]);
}

static bool is_point(const plot_series *s, int k) {
    return isfinite(s->time[k]) && isfinite(s->value[k]);
}

/* The range of the axis holds every value and ends on round numbers, so that it rarely changes as a line grows. */
static void find_range(const plot_def *def, plot_area *area) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int n = 0; n < def->count; n++)
        for (int k = 0; k < def->series[n].count; k++)
            if (is_point(&def->series[n], k))
                low = fmin(low, def->series[n].value[k]), high = fmax(high, def->series[n].value[k]);
    if (!(low <= high)) low = 0.0, high = 1.0;
    if (low > 0.0 && low < 0.6 * high) low = 0.0;
    const double step = rill_picture_nice(fmax(high - low, 1e-6 * fmax(fabs(high), 1e-9)) / 2.0);
    area->low = floor(low / step) * step, area->high = ceil(high / step + 1e-9) * step;
    area->end = def->end > 0.0 ? def->end : 1.0;
}

static double x_of(const plot_area *area, double time) {
    return area->left + (area->right - area->left) * time / area->end;
}

static double y_of(const plot_area *area, double value) {
    return area->bottom - (area->bottom - area->top) * (value - area->low) / (area->high - area->low);
}

static void draw_axes(const plot_def *def, const plot_area *area, cairo_t *cairo) {
    const double u = area->unit, step = rill_picture_nice((area->high - area->low) / 2.9),
                 ticks = rill_picture_nice(area->end / 4.0);
    char text[48];
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, 11.0 * u);
    cairo_set_line_width(cairo, u);
    for (double v = area->low; v <= area->high + 0.01 * step; v += step) {
        cairo_set_source_rgb(cairo, 0.88, 0.89, 0.90);
        cairo_move_to(cairo, area->left, y_of(area, v)), cairo_line_to(cairo, area->right, y_of(area, v));
        cairo_stroke(cairo);
        cairo_text_extents_t extents;
        snprintf(text, sizeof text, "%.3g", fabs(v) < 1e-9 * step ? 0.0 : v);
        cairo_text_extents(cairo, text, &extents);
        cairo_set_source_rgb(cairo, 0.3, 0.3, 0.33);
        cairo_move_to(cairo, area->left - extents.x_advance - 6.0 * u, y_of(area, v) + 4.0 * u);
        cairo_show_text(cairo, text);
    }
    for (double t = 0.0; t <= area->end * 1.001; t += ticks) {
        snprintf(text, sizeof text, "%.3g%s", t, t + ticks > area->end * 1.001 ? " s" : "");
        cairo_move_to(cairo, x_of(area, t) - 6.0 * u, area->bottom + 15.0 * u);
        cairo_show_text(cairo, text);
    }
    cairo_move_to(cairo, area->left, area->top - 8.0 * u);
    if (def->title) cairo_show_text(cairo, def->title);
}

static void draw_series(const plot_area *area, const plot_series *s, cairo_t *cairo) {
    bool begun = false;
    for (int k = 0; k < s->count; k++) {
        if (!is_point(s, k) || s->time[k] > area->end) continue;
        const double x = x_of(area, s->time[k]), y = y_of(area, s->value[k]);
        if (s->points) {
            cairo_new_sub_path(cairo);
            cairo_arc(cairo, x, y, 2.6 * area->unit, 0.0, 6.2831853);
        } else if (begun) {
            cairo_line_to(cairo, x, y);
        } else {
            cairo_move_to(cairo, x, y);
        }
        begun = true;
    }
    cairo_set_line_width(cairo, (s->points ? 1.1 : 1.8) * area->unit);
    cairo_stroke(cairo);
}

static double text_width(cairo_t *cairo, const char *text) {
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    return extents.x_advance;
}

/* The legend, right-aligned and in small text that leaves the title its place. */
static void draw_legend(const plot_def *def, const plot_area *area, cairo_t *cairo) {
    const double room = area->right - area->left - (def->title ? text_width(cairo, def->title) : 0.0);
    double x = area->right, gap = 14.0 * area->unit, width = 0.0;
    for (int n = 0; n < def->count; n++) width += text_width(cairo, def->series[n].name) + gap;
    const double share = width > room ? fmax(room / width, 0.4) : 1.0;
    cairo_set_font_size(cairo, 11.0 * area->unit * share);
    gap *= share;
    for (int n = def->count - 1; n >= 0; n--) {
        x -= text_width(cairo, def->series[n].name) + gap;
        use_color(cairo, &def->series[n], n);
        cairo_move_to(cairo, x, area->top - 8.0 * area->unit);
        cairo_show_text(cairo, def->series[n].name);
    }
}

rill_status rill_plot_paint(const plot_def *def, uint32_t *pixels, int stride, rill_error *error) {
    cairo_surface_t *surface = cairo_image_surface_create_for_data((unsigned char *)pixels, CAIRO_FORMAT_RGB24,
                                                                   def->width, def->height, 4 * stride);
    cairo_t *cairo = cairo_create(surface);
    const double u = fmax(fmin(def->width / 960.0, def->height / 150.0), 0.6);
    plot_area area = {.left = 62.0 * u, .right = def->width - 22.0 * u, .top = 26.0 * u, .unit = u};
    area.bottom = def->height - 24.0 * u;
    find_range(def, &area);
    cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
    cairo_paint(cairo);
    draw_axes(def, &area, cairo);
    cairo_rectangle(cairo, area.left, area.top - 3.0 * u, area.right - area.left, area.bottom - area.top + 6.0 * u);
    cairo_save(cairo);
    cairo_clip(cairo);
    for (int n = 0; n < def->count; n++) {
        use_color(cairo, &def->series[n], n);
        draw_series(&area, &def->series[n], cairo);
    }
    cairo_restore(cairo);
    draw_legend(def, &area, cairo);
    const cairo_status_t result = cairo_status(cairo);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    if (result == CAIRO_STATUS_SUCCESS) return RILL_OK;
    return rill_fail(error, RILL_MEMORY, "cannot draw a diagram of %d x %d pixels: %s", def->width, def->height,
                     cairo_status_to_string(result));
}

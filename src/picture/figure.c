/* SPDX-License-Identifier: MIT */
/* Figures: axes, marks, lines, a legend. */
#include "picture/figure.h"

#include "core/error.h"
#include "io/io.h"
#include "picture/colormap.h"
#include "picture/drawing.h"
#include "picture/pen.h"

#include <string.h>

/* One direction: values from low to high lie on pixels from start to end. */
typedef struct figure_axis {
    double low, high, start, end;
    bool log;
} figure_axis;

static void use_color(pen *p, const figure_def *def, int number) {
    int before = 0;
    if (def->series[number].reference) {
        rill_pen_color(p, 0.1, 0.1, 0.1);
        return;
    }
    for (int k = 0; k < number; k++) before += !def->series[k].reference;
    const double *c = rill_series_color(before);
    rill_pen_color(p, c[0], c[1], c[2]);
}

static bool fits(const figure_axis *axis, double value) {
    return isfinite(value) && (!axis->log || value > 0);
}

/* The range of all values. A logarithmic y axis ends on powers of ten, a logarithmic x axis 20 % beyond the values, a
   linear axis on round numbers. */
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
    double span = high - low; /* equal values get a range as wide as their magnitude */
    if (!(span > 1e-6 * fmax(fabs(low), fabs(high)))) span = high != 0 ? fabs(high) : 1;
    const double step = rill_picture_nice(span / 3);
    axis->low = floor(low / step + 1e-9) * step;
    axis->high = ceil(high / step - 1e-9) * step;
    if (!(axis->high > axis->low)) axis->high = axis->low + step;
}

static double pixel_of(const figure_axis *axis, double value) {
    const double share = axis->log ? log(value / axis->low) / log(axis->high / axis->low)
                                   : (value - axis->low) / (axis->high - axis->low);
    return axis->start + share * (axis->end - axis->start);
}

/* The next mark after `value`: round steps on a linear axis; on a logarithmic one, the fewer decades it spans, the more
   marks each decade has. */
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

static void draw_marks(pen *p, const figure_axis *axis, const figure_axis *other, bool is_x) {
    char text[32];
    const double last = axis->log ? 1.001 * axis->high : axis->high + 1e-9 * (axis->high - axis->low);
    for (double v = first_mark(axis); v <= last; v = next_mark(axis, v)) {
        const double at = pixel_of(axis, v);
        rill_pen_color(p, 0.88, 0.89, 0.90);
        rill_pen_point(p, is_x ? at : other->start, is_x ? other->start : at);
        rill_pen_point(p, is_x ? at : other->end, is_x ? other->end : at);
        rill_pen_draw(p);
        snprintf(text, sizeof text, "%.4g", fabs(v) < 1e-9 * (axis->high - axis->low) ? 0.0 : v);
        rill_pen_color(p, 0.3, 0.3, 0.33);
        rill_pen_text(p, is_x ? at : other->start - 6, is_x ? other->start + 16 : at + 4, is_x ? PEN_MIDDLE : PEN_END,
                      text);
    }
}

static void draw_titles(const figure_def *def, pen *p, const figure_axis *x, const figure_axis *y) {
    rill_pen_color(p, 0.1, 0.1, 0.1);
    if (def->x_title) rill_pen_text(p, (x->start + x->end) / 2, y->start + 36, PEN_MIDDLE, def->x_title);
    if (def->y_title) rill_pen_text(p, x->start, y->end - 12, PEN_START, def->y_title);
    rill_pen_text_size(p, 15);
    if (def->title) rill_pen_text(p, x->start, y->end - 34, PEN_START, def->title);
    rill_pen_text_size(p, 12);
}

/* Within one pixel of x a line keeps only its first, lowest, highest and last point; the rest would not be visible. */
typedef struct column {
    double x, low, high, last;
    int count;
} column;

static void draw_column(pen *p, column *c) {
    if (c->count > 1) rill_pen_point(p, c->x, c->low);
    if (c->count > 1 && c->high > c->low) rill_pen_point(p, c->x, c->high);
    if (c->count > 1) rill_pen_point(p, c->x, c->last);
    c->count = 0;
}

static void draw_line(const figure_series *s, pen *p, const figure_axis *x, const figure_axis *y) {
    column c = {0};
    for (int k = 0; k < s->count; k++) {
        if (!fits(x, s->x[k]) || !fits(y, s->y[k])) continue;
        const double u = pixel_of(x, s->x[k]), v = pixel_of(y, s->y[k]);
        if (c.count && fabs(u - c.x) < 1) {
            c.low = fmin(c.low, v), c.high = fmax(c.high, v), c.last = v, c.count++;
            continue;
        }
        draw_column(p, &c);
        rill_pen_point(p, u, v);
        c = (column){.x = u, .low = v, .high = v, .last = v, .count = 1};
    }
    draw_column(p, &c);
    rill_pen_draw(p);
}

static void draw_series(const figure_def *def, int n, pen *p, const figure_axis *x, const figure_axis *y) {
    const figure_series *s = &def->series[n];
    use_color(p, def, n);
    p->width = s->reference ? 1.2 : 1.8;
    if (s->line) draw_line(s, p, x, y);
    for (int k = 0; k < s->count && s->points; k++)
        if (fits(x, s->x[k]) && fits(y, s->y[k])) rill_pen_circle(p, pixel_of(x, s->x[k]), pixel_of(y, s->y[k]), 3.2);
}

/* The legend, right of the axes, one line for each series. */
static void draw_legend(const figure_def *def, pen *p, double left, double top) {
    for (int n = 0; n < def->count; n++) {
        const double y = top + 18 * (n + 0.5);
        use_color(p, def, n);
        if (def->series[n].line) rill_pen_point(p, left, y), rill_pen_point(p, left + 20, y), rill_pen_draw(p);
        if (def->series[n].points) rill_pen_circle(p, left + 10, y, 3.2);
        rill_pen_text(p, left + 26, y + 4, PEN_START, def->series[n].name);
    }
}

static void draw(const figure_def *def, pen *p) {
    rill_pen_begin(p, def->width, def->height);
    double legend = 0;
    for (int n = 0; n < def->count; n++) legend = fmax(legend, rill_pen_text_width(p, def->series[n].name) + 40);
    figure_axis x = {.start = 70, .end = def->width - 20 - legend, .log = def->log_x};
    figure_axis y = {.start = def->height - 48, .end = 58, .log = def->log_y};
    find_range(def, &x, true);
    find_range(def, &y, false);
    draw_marks(p, &x, &y, true);
    draw_marks(p, &y, &x, false);
    draw_titles(def, p, &x, &y);
    rill_pen_clip(p, x.start, y.end - 4, x.end, y.start + 4);
    for (int n = 0; n < def->count; n++) draw_series(def, n, p, &x, &y);
    rill_pen_unclip(p);
    draw_legend(def, p, x.end + 10, y.end);
    rill_pen_end(p);
}

static rill_status write_svg(const figure_def *def, cairo_t *cairo, const char *path, rill_error *error) {
    io_file file;
    TRY(rill_io_open(&file, path, error));
    pen p = {.cairo = cairo, .svg = file.stream};
    draw(def, &p);
    return rill_io_commit(&file, error);
}

rill_status rill_figure_write(const figure_def *def, const char *path, rill_error *error) {
    const size_t length = strlen(path);
    const bool svg = length > 4 && !strcmp(path + length - 4, ".svg");
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, svg ? 1 : def->width, svg ? 1 : def->height);
    pen p = {.cairo = cairo_create(surface)};
    rill_status status = RILL_OK;
    if (svg)
        status = write_svg(def, p.cairo, path, error);
    else
        draw(def, &p);
    cairo_status_t result = cairo_status(p.cairo);
    cairo_destroy(p.cairo);
    if (!svg && result == CAIRO_STATUS_SUCCESS) result = cairo_surface_write_to_png(surface, path);
    cairo_surface_destroy(surface);
    if (status || result == CAIRO_STATUS_SUCCESS) return status;
    return rill_fail(error, RILL_IO, "%s: the figure cannot be written: %s", path, cairo_status_to_string(result));
}

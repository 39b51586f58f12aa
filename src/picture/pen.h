/* SPDX-License-Identifier: MIT */
/* Figures are drawn with pens: on pixels through cairo, or as SVG whose text stays text. cairo's own SVG stores the
   outline of every letter, which makes files ten times as large. */
#ifndef RILL_PICTURE_PEN_H
#define RILL_PICTURE_PEN_H

#include <cairo.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct pen {
    cairo_t *cairo; /* draws pixels; with `svg` it only measures text */
    FILE *svg;      /* or NULL */
    double red, green, blue, width;
    int size;   /* of text */
    bool begun; /* the current curve has a point */
} pen;

typedef enum pen_anchor { PEN_START, PEN_MIDDLE, PEN_END } pen_anchor;

/* Begin and end of a sheet. Between `clip` and `unclip` nothing is drawn outside a box. */
void rill_pen_begin(pen *p, int width, int height);
void rill_pen_end(pen *p);
void rill_pen_clip(pen *p, double left, double top, double right, double bottom);
void rill_pen_unclip(pen *p);

void rill_pen_color(pen *p, double red, double green, double blue);
void rill_pen_text(pen *p, double x, double y, pen_anchor anchor, const char *text);
double rill_pen_text_width(pen *p, const char *text);
void rill_pen_text_size(pen *p, int size);
void rill_pen_circle(pen *p, double x, double y, double radius);
/* Adds a point to the current line; `draw` ends the line. */
void rill_pen_point(pen *p, double x, double y);
void rill_pen_draw(pen *p);

#endif

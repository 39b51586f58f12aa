/* SPDX-License-Identifier: MIT */
/* Pens on pixels and on SVG. */
#include "picture/pen.h"

#include "io/xml.h"

#define FONT "DejaVu Sans"

static int hue(double share) {
    return (int)(255 * share + 0.5);
}

/* The stroke attributes of the element that was begun. */
static void write_stroke(const pen *p) {
    fprintf(p->svg, " stroke=\"#%02x%02x%02x\" stroke-width=\"%.3g\"", hue(p->red), hue(p->green), hue(p->blue),
            p->width);
}

void rill_pen_begin(pen *p, int width, int height) {
    cairo_select_font_face(p->cairo, FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    rill_pen_text_size(p, 12);
    p->width = 1;
    if (p->svg) {
        fprintf(p->svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                "font-family=\"'" FONT
                "', sans-serif\" fill=\"none\">\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
                width, height, width, height, width, height);
        return;
    }
    cairo_set_source_rgb(p->cairo, 1, 1, 1);
    cairo_paint(p->cairo);
}

void rill_pen_end(pen *p) {
    if (p->svg) fputs("</svg>\n", p->svg);
}

void rill_pen_clip(pen *p, double left, double top, double right, double bottom) {
    if (p->svg) {
        fprintf(p->svg,
                "<clipPath id=\"plot\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/></clipPath>\n"
                "<g clip-path=\"url(#plot)\">\n",
                left, top, right - left, bottom - top);
        return;
    }
    cairo_save(p->cairo);
    cairo_rectangle(p->cairo, left, top, right - left, bottom - top);
    cairo_clip(p->cairo);
}

void rill_pen_unclip(pen *p) {
    if (p->svg)
        fputs("</g>\n", p->svg);
    else
        cairo_restore(p->cairo);
}

void rill_pen_color(pen *p, double red, double green, double blue) {
    p->red = red, p->green = green, p->blue = blue;
    cairo_set_source_rgb(p->cairo, red, green, blue);
}

/* ---- text ---- */

void rill_pen_text_size(pen *p, int size) {
    p->size = size;
    cairo_set_font_size(p->cairo, size);
}

double rill_pen_text_width(pen *p, const char *text) {
    cairo_text_extents_t extents;
    cairo_text_extents(p->cairo, text, &extents);
    return extents.x_advance;
}

void rill_pen_text(pen *p, double x, double y, pen_anchor anchor, const char *text) {
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    if (p->svg) {
        fprintf(p->svg, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" fill=\"#%02x%02x%02x\"%s>", x, y, p->size,
                hue(p->red), hue(p->green), hue(p->blue), anchors[anchor]);
        rill_xml_put(p->svg, text);
        fputs("</text>\n", p->svg);
        return;
    }
    const double width = rill_pen_text_width(p, text);
    cairo_move_to(p->cairo, x - width * (int)anchor / 2, y);
    cairo_show_text(p->cairo, text);
}

/* ---- lines ---- */

void rill_pen_circle(pen *p, double x, double y, double radius) {
    if (p->svg) {
        fprintf(p->svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"", x, y, radius);
        write_stroke(p);
        fputs("/>\n", p->svg);
        return;
    }
    cairo_set_line_width(p->cairo, p->width);
    cairo_new_path(p->cairo);
    cairo_arc(p->cairo, x, y, radius, 0, 6.2831853);
    cairo_stroke(p->cairo);
}

void rill_pen_point(pen *p, double x, double y) {
    if (p->svg)
        fprintf(p->svg, "%s%.1f %.1f", p->begun ? "L" : "<path d=\"M", x, y);
    else
        (p->begun ? cairo_line_to : cairo_move_to)(p->cairo, x, y);
    p->begun = true;
}

void rill_pen_draw(pen *p) {
    if (!p->begun) return;
    p->begun = false;
    if (p->svg) {
        fputc('"', p->svg);
        write_stroke(p);
        fputs("/>\n", p->svg);
        return;
    }
    cairo_set_line_width(p->cairo, p->width);
    cairo_stroke(p->cairo);
}

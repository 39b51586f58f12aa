/* SPDX-License-Identifier: MIT */
/* Pictures of water in 2D: a cut through it, its outline filled, with bodies, joints and gauges. */
#include "core/error.h"
#include "model/gauge_kind.h"
#include "picture/fluid_mesh.h"

#include <stdlib.h>
#include <string.h>

typedef struct liquid_color {
    double top[3], deep[3], line[3];
} liquid_color;

/* Pale at the surface, the full colour at the bottom. */
static liquid_color painted(rill_vec c) {
    const double r = (double)c.x, g = (double)c.y, b = (double)c.z;
    return (liquid_color){{0.5 + 0.5 * r, 0.5 + 0.5 * g, 0.5 + 0.5 * b}, {r, g, b}, {0.7 * r, 0.7 * g, 0.7 * b}};
}

/* The colour of a fluid's paint, or one by its properties, as in 3D: thick ones amber, light ones yellow, the rest
 * water. */
static liquid_color color_of(const drawing *d, int fluid) {
    static const liquid_color water = {{0.56, 0.80, 0.92}, {0.13, 0.42, 0.66}, {0.08, 0.33, 0.56}};
    static const liquid_color amber = {{0.98, 0.80, 0.38}, {0.78, 0.46, 0.08}, {0.58, 0.32, 0.04}};
    static const liquid_color oil = {{0.97, 0.90, 0.58}, {0.84, 0.70, 0.26}, {0.62, 0.50, 0.14}};
    if (fluid >= d->frame->fluid_count) return water;
    const rill_fluid_def *def = &d->frame->fluid[fluid];
    const picture_paint *paint = rill_picture_paint_of(d->def, def->name);
    if (paint && paint->color.x >= 0.0f) return painted(paint->color);
    return def->viscosity > 0.5f ? amber : def->density < 960.0f ? oil : water;
}

/* ---- the outline as closed paths ---- */
static void trace_loops(cairo_t *cairo, view2d view, const rill_surface_mesh *mesh, int32_t *next) {
    memset(next, -1, (size_t)mesh->vertex_count * sizeof *next);
    for (int e = 0; e < mesh->element_count; e++) next[mesh->index[2 * e]] = mesh->index[2 * e + 1];
    for (int start = 0; start < mesh->vertex_count; start++) {
        if (next[start] < 0) continue;
        bool first = true;
        for (int v = start; next[v] >= 0; first = false) {
            const double x = (double)(view.x0 + view.scale * mesh->position[v].x);
            const double y = (double)(view.y0 - view.scale * mesh->position[v].y);
            if (first)
                cairo_move_to(cairo, x, y);
            else
                cairo_line_to(cairo, x, y);
            const int follower = next[v];
            next[v] = -1;
            v = follower;
        }
        cairo_close_path(cairo);
    }
}

static void fill_loops(const drawing *d, cairo_t *cairo, const liquid_color *c, double low, double high) {
    cairo_pattern_t *depth = cairo_pattern_create_linear(0.0, high, 0.0, low + 1.0);
    cairo_pattern_add_color_stop_rgb(depth, 0.0, c->top[0], c->top[1], c->top[2]);
    cairo_pattern_add_color_stop_rgb(depth, 1.0, c->deep[0], c->deep[1], c->deep[2]);
    cairo_set_source(cairo, depth);
    cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_EVEN_ODD);
    cairo_fill_preserve(cairo);
    cairo_pattern_destroy(depth);
    cairo_set_source_rgb(cairo, c->line[0], c->line[1], c->line[2]);
    cairo_set_line_width(cairo, 1.4 * (double)d->unit);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(cairo);
}

/* `fluid` -1: all fluids as one, in the colour of the first. */
static rill_status draw_fluid(const drawing *d, cairo_t *cairo, view2d view, int fluid, rill_error *error) {
    fluid_mesh mesh;
    rill_status status = rill_fluid_mesh_make(&mesh, d, fluid, NULL, error);
    int32_t *next = status == RILL_OK ? malloc(((size_t)mesh.shape.vertex_count + 1) * sizeof *next) : NULL;
    if (status == RILL_OK && !next) status = rill_fail(error, RILL_MEMORY, "not enough memory to draw the water");
    if (status == RILL_OK && mesh.shape.element_count > 0) {
        const liquid_color color = color_of(d, fluid > 0 ? fluid : 0);
        trace_loops(cairo, view, &mesh.shape, next);
        fill_loops(d, cairo, &color, (double)(view.y0 - view.scale * d->bounds.min.y),
                   (double)(view.y0 - view.scale * d->bounds.max.y));
    }
    free(next);
    rill_fluid_mesh_free(&mesh);
    return status;
}

static rill_status draw_fluids(const drawing *d, cairo_t *cairo, view2d view, rill_error *error) {
    const int fluids = rill_fluid_mesh_count(d);
    /* All fluids as one come first: they fill the gaps where two fluids meet. */
    rill_status status = draw_fluid(d, cairo, view, -1, error);
    for (int k = 0; status == RILL_OK && fluids > 1 && k < fluids; k++) status = draw_fluid(d, cairo, view, k, error);
    return status;
}

/* ---- joints and gauges ---- */
static void to_pixels(view2d view, rill_vec p, double *x, double *y) {
    *x = (double)view.x0 + (double)view.scale * (double)p.x, *y = (double)view.y0 - (double)view.scale * (double)p.y;
}

static void draw_joints(const drawing *d, cairo_t *cairo, view2d view) {
    const double u = (double)d->unit;
    for (int k = 0; k < d->frame->joint_count; k++) {
        const rill_frame_joint *j = &d->frame->joint[k];
        double x, y;
        cairo_set_source_rgb(cairo, 0.15, 0.15, 0.18);
        cairo_set_line_width(cairo, 1.6 * u);
        to_pixels(view, j->anchor_a, &x, &y), cairo_move_to(cairo, x, y);
        to_pixels(view, j->anchor_b, &x, &y), cairo_line_to(cairo, x, y);
        cairo_stroke(cairo);
        cairo_arc(cairo, x, y, 3.2 * u, 0.0, 6.2831853);
        cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
        cairo_fill_preserve(cairo);
        cairo_set_source_rgb(cairo, 0.15, 0.15, 0.18);
        cairo_stroke(cairo);
    }
}

static bool has_line(const rill_gauge_def *g) {
    const gauge_kind *kind = rill_gauge_kind_at(g->kind);
    return kind && kind->subject == GAUGE_LINE;
}

static bool has_place(const rill_gauge_def *g) {
    const gauge_kind *kind = rill_gauge_kind_at(g->kind);
    return has_line(g) || (kind && kind->subject == GAUGE_POINT);
}

static void draw_gauges(const drawing *d, cairo_t *cairo, view2d view) {
    const double u = (double)d->unit, dashes[] = {5.0 * u, 4.0 * u};
    for (int k = 0; k < d->frame->gauge_count; k++) {
        const rill_gauge_def *g = &d->frame->gauge[k];
        double x, y;
        if (!has_place(g)) continue;
        cairo_set_source_rgba(cairo, 0.78, 0.20, 0.16, 0.9);
        cairo_set_line_width(cairo, 1.2 * u);
        to_pixels(view, g->position, &x, &y);
        if (has_line(g)) {
            const rill_vec along = {g->direction.x, g->direction.y, 0.0f};
            const float size = vec_length(along);
            cairo_move_to(cairo, x, y);
            if (size > 0.0f) to_pixels(view, vec_add(g->position, vec_scale(along, g->length / size)), &x, &y);
            cairo_line_to(cairo, x, y);
            cairo_set_dash(cairo, dashes, 2, 0.0);
            cairo_stroke(cairo);
            cairo_set_dash(cairo, NULL, 0, 0.0);
        } else {
            cairo_arc(cairo, x, y, 3.5 * u, 0.0, 6.2831853);
            cairo_stroke(cairo);
        }
    }
}

/* ---- all together ---- */
static void draw_air(const drawing *d, cairo_t *cairo) {
    cairo_pattern_t *air = cairo_pattern_create_linear(0.0, 0.0, 0.0, d->height);
    cairo_pattern_add_color_stop_rgb(air, 0.0, 0.93, 0.95, 0.97);
    cairo_pattern_add_color_stop_rgb(air, 1.0, 0.99, 0.99, 0.99);
    cairo_set_source(cairo, air);
    cairo_paint(cairo);
    cairo_pattern_destroy(air);
}

rill_status rill_picture_draw_liquid(drawing *d, cairo_surface_t *surface, rill_error *error) {
    const view2d view = rill_picture_view_2d(d);
    d->scale = view.scale;
    cairo_t *cairo = cairo_create(surface);
    draw_air(d, cairo);
    rill_status status = draw_fluids(d, cairo, view, error);
    /* Solids are written directly into the pixels, past cairo. */
    cairo_surface_flush(surface);
    if (status == RILL_OK) rill_picture_solids_2d(d, view);
    cairo_surface_mark_dirty(surface);
    draw_joints(d, cairo, view);
    draw_gauges(d, cairo, view);
    cairo_destroy(cairo);
    return status;
}

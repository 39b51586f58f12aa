/* SPDX-License-Identifier: MIT */
/* Surfaces of 2D shapes, as edges with the shape on their left. */
#include "core/error.h"
#include "core/trig.h"
#include "geometry/hull.h"
#include "geometry/shape.h"

#include <string.h>

#define LEAST_CORNERS 12
#define MOST_CORNERS  512

typedef struct pen {
    memory *memory;
    outline *out;
    bool ok;
} pen;

static void add_edge(pen *p, double x0, double y0, double x1, double y1) {
    outline *o = p->out;
    if (p->ok && o->count == o->room) {
        const int room = 2 * o->room + 16;
        float(*more)[4] = rill_memory_get(p->memory, sizeof *more * (size_t)room);
        p->ok = more != NULL;
        if (p->ok && o->edges) {
            memcpy(more, o->edges, sizeof *more * (size_t)o->count);
            rill_memory_release(p->memory, o->edges, sizeof *more * (size_t)o->room);
        }
        if (p->ok) o->edges = more, o->room = room;
    }
    if (!p->ok || (x0 == x1 && y0 == y1)) return;
    float *e = o->edges[o->count++];
    e[0] = (float)x0, e[1] = (float)y0, e[2] = (float)x1, e[3] = (float)y1;
}

void rill_outline_free(memory *m, outline *o) {
    if (o->edges) rill_memory_release(m, o->edges, sizeof *o->edges * (size_t)o->room);
    *o = (outline){0};
}

/* Even-odd rule: holes are outside. */
bool rill_outline_contains(const outline *o, double x, double y) {
    bool in = false;
    for (int k = 0; k < o->count; k++) {
        const double ax = (double)o->edges[k][0], ay = (double)o->edges[k][1];
        const double bx = (double)o->edges[k][2], by = (double)o->edges[k][3];
        if ((ay > y) != (by > y) && x < ax + (bx - ax) * ((y - ay) / (by - ay))) in = !in;
    }
    return in;
}

/* Signed area of a ring: positive if it runs counter-clockwise. */
static double ring_area(const rill_vec *points, int count) {
    double area = 0;
    for (int k = 0; k < count; k++) {
        const rill_vec a = points[k], b = points[(k + 1) % count];
        area += 0.5 * ((double)a.x * (double)b.y - (double)b.x * (double)a.y);
    }
    return area;
}

static void add_ring(pen *p, const rill_vec *points, int count, double scale, bool turn_round) {
    for (int k = 0; k < count; k++) {
        rill_vec a = points[k], b = points[(k + 1) % count];
        if (turn_round) {
            const rill_vec swap = a;
            a = b, b = swap;
        }
        add_edge(p, scale * (double)a.x, scale * (double)a.y, scale * (double)b.x, scale * (double)b.y);
    }
}

/* Number of points in the ring that begins at `first`; `next` receives the start of the next ring. */
static int ring_length(const rill_points *points, int first, int *next) {
    const rill_vec start = points->data[first];
    for (int k = first + 1; k < points->count; k++)
        if (points->data[k].x == start.x && points->data[k].y == start.y) {
            *next = k + 1;
            return k - first;
        }
    *next = points->count;
    return points->count - first;
}

/* The number of other rings around the ring that begins at `first`: if it is odd, the ring is a hole. */
static int rings_around(const rill_points *points, int first) {
    const double x = (double)points->data[first].x, y = (double)points->data[first].y;
    int around = 0;
    for (int other = 0, next; other < points->count; other = next) {
        const int count = ring_length(points, other, &next);
        if (other == first) continue;
        bool in = false;
        for (int k = 0; k < count; k++) {
            const rill_vec a = points->data[other + k], b = points->data[other + (k + 1) % count];
            if (((double)a.y > y) == ((double)b.y > y)) continue;
            const double share = (y - (double)a.y) / ((double)b.y - (double)a.y);
            if (x < (double)a.x + ((double)b.x - (double)a.x) * share) in = !in;
        }
        around += in;
    }
    return around;
}

static void add_polygon(pen *p, const rill_shape *s) {
    for (int first = 0, next; first < s->points.count; first = next) {
        const int count = ring_length(&s->points, first, &next);
        if (count < 3) continue;
        const bool hole = rings_around(&s->points, first) % 2 == 1;
        const bool clockwise = ring_area(s->points.data + first, count) < 0;
        add_ring(p, s->points.data + first, count, (double)s->scale, clockwise != hole);
    }
}

static void add_ground(pen *p, const rill_shape *s) {
    const double scale = (double)s->scale;
    double lowest = HUGE_VAL;
    for (int k = 0; k < s->points.count; k++) lowest = fmin(lowest, scale * (double)s->points.data[k].y);
    const double left = scale * (double)s->points.data[0].x;
    const double right = scale * (double)s->points.data[s->points.count - 1].x;
    const double base = lowest - (s->depth > 0.0f ? (double)s->depth : 0.25 * (right - left));
    double x = left, y = base;
    for (int k = s->points.count - 1; k >= 0; k--) { /* from right to left: the ground lies on the left */
        const double px = scale * (double)s->points.data[k].x, py = scale * (double)s->points.data[k].y;
        if (k == s->points.count - 1)
            add_edge(p, left, base, right, base), add_edge(p, right, base, px, py);
        else
            add_edge(p, x, y, px, py);
        x = px, y = py;
    }
    add_edge(p, x, y, left, base);
}

static rill_status add_hull(pen *p, const rill_shape *s, rill_error *error) {
    const int count = s->points.count;
    const size_t size = sizeof(rill_vec) * (size_t)(2 * count + 1);
    rill_vec *points = rill_memory_get(p->memory, size);
    if (!points) return rill_fail(error, RILL_MEMORY, "no memory for a hull of %d points", count);
    memcpy(points, s->points.data, sizeof(rill_vec) * (size_t)count);
    rill_vec *ring = points + count;
    const int corners = rill_hull_ring(points, count, ring);
    if (corners >= 3) add_ring(p, ring, corners, (double)s->scale, false);
    rill_memory_release(p->memory, points, size);
    if (corners < 3)
        return rill_fail(error, RILL_INVALID,
                         "points: the points of a hull lie on one line; expected points that enclose an area");
    return RILL_OK;
}

static void add_chain(pen *p, const rill_shape *s) {
    const double scale = (double)s->scale;
    for (int k = 0; k + 1 < s->points.count; k++) {
        const rill_vec a = s->points.data[k], b = s->points.data[k + 1];
        add_edge(p, scale * (double)a.x, scale * (double)a.y, scale * (double)b.x, scale * (double)b.y);
    }
}

/* A disc of this radius swept from a to b. */
static void add_capsule(pen *p, double ax, double ay, double bx, double by, double radius, double detail) {
    const double wanted = ceil(2 * PI * radius / detail);
    const int half = (wanted < LEAST_CORNERS ? LEAST_CORNERS : wanted > MOST_CORNERS ? MOST_CORNERS : (int)wanted) / 2;
    const double dx = bx - ax, dy = by - ay, length = sqrt(dx * dx + dy * dy);
    const double start = length > 0 ? rill_trig_atan2(dy, dx) - 0.5 * PI : 0;
    const int corners = 2 * half + 2; /* half a ring around b, then half a ring around a */
    double x = 0, y = 0;
    for (int k = 0; k <= corners; k++) {
        const int at = k % corners;
        const bool far_end = at <= half;
        const double angle =
            start + PI * ((far_end ? at : at - 1) % (2 * half)) / half; /* the last corner repeats the first */
        const double px = (far_end ? bx : ax) + radius * rill_trig_cos(angle),
                     py = (far_end ? by : ay) + radius * rill_trig_sin(angle);
        if (k > 0) add_edge(p, x, y, px, py);
        x = px, y = py;
    }
}

static void add_box(pen *p, const rill_shape *s) {
    const double x = 0.5 * ((double)s->max.x - (double)s->min.x), y = 0.5 * ((double)s->max.y - (double)s->min.y);
    add_edge(p, -x, -y, x, -y), add_edge(p, x, -y, x, y), add_edge(p, x, y, -x, y), add_edge(p, -x, y, -x, -y);
}

static rill_status finish(const pen *p, rill_status status, rill_error *error) {
    if (status == RILL_OK && !p->ok) status = rill_fail(error, RILL_MEMORY, "no memory for the outline of a shape");
    if (status != RILL_OK) rill_outline_free(p->memory, p->out);
    return status;
}

static rill_status add_edges(pen *p, const rill_shape *s, rill_error *error) {
    if (s->kind == RILL_POLYGON) add_polygon(p, s);
    if (s->kind == RILL_HEIGHTFIELD) add_ground(p, s);
    if (s->kind == RILL_SEGMENTS) add_chain(p, s);
    return s->kind == RILL_HULL ? add_hull(p, s, error) : RILL_OK;
}

rill_status rill_shape_edges(memory *m, const rill_shape *s, outline *out, rill_error *error) {
    *out = (outline){0};
    pen p = {m, out, true};
    const rill_status status = add_edges(&p, s, error);
    return finish(&p, status, error);
}

static rill_status add_shape(pen *p, const rill_shape *s, double detail, rill_error *error);

static rill_status add_parts(pen *p, const rill_shape *s, double detail, rill_error *error) {
    rill_status status = RILL_OK;
    for (int k = 0; k < s->parts.count && status == RILL_OK; k++) {
        const rill_shape part = rill_shape_scaled(&s->parts.data[k], s->scale);
        const shape_frame frame = rill_shape_frame_of(&part, 2);
        const int first = p->out->count;
        status = add_shape(p, &part, detail, error);
        for (int e = first; e < p->out->count; e++)
            for (int end = 0; end < 4; end += 2) {
                float *at = &p->out->edges[e][end];
                const dvec moved = rill_shape_to_world(&frame, (dvec){(double)at[0], (double)at[1], 0});
                at[0] = (float)moved.x, at[1] = (float)moved.y;
            }
    }
    return status;
}

static rill_status add_shape(pen *p, const rill_shape *s, double detail, rill_error *error) {
    const double x = (double)s->end.x - (double)s->position.x, y = (double)s->end.y - (double)s->position.y;
    const double scale = (double)s->scale;
    switch ((rill_shape_kind)s->kind) {
    case RILL_BOX:
        add_box(p, s);
        return RILL_OK;
    case RILL_SPHERE:
        add_capsule(p, 0, 0, 0, 0, (double)s->radius, detail);
        return RILL_OK;
    case RILL_CAPSULE:
        add_capsule(p, 0, 0, x, y, (double)s->radius, detail);
        return RILL_OK;
    case RILL_SEGMENTS:
        for (int k = 0; k + 1 < s->points.count; k++) {
            const rill_vec a = s->points.data[k], b = s->points.data[k + 1];
            add_capsule(p, scale * (double)a.x, scale * (double)a.y, scale * (double)b.x, scale * (double)b.y,
                        (double)s->radius, detail);
        }
        return RILL_OK;
    case RILL_COMPOUND:
        return add_parts(p, s, detail, error);
    default:
        return add_edges(p, s, error);
    }
}

rill_status rill_shape_outline(memory *m, const rill_shape *s, double detail, outline *out, rill_error *error) {
    *out = (outline){0};
    pen p = {m, out, true};
    const rill_status status = add_shape(&p, s, detail, error);
    return finish(&p, status, error);
}

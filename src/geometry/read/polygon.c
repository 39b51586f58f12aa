/* SPDX-License-Identifier: MIT */
/* Cuts polygons into triangles: convex ones into fans, others by ear clipping (Meisters 1975). Corners on a straight
   side get triangles of their own; otherwise the neighbour's edges would stay open. */
#include "core/error.h"
#include "geometry/read/reader.h"

/* Limit on the tests of corners in one file, a quarter of a second. Ear clipping takes time proportional to the square
   of the number of corners or more; real meshes stay far below the limit. */
#define MAX_TESTS (INT64_C(1) << 26)

/* A corner projected along the normal, in the ring of those that remain. */
typedef struct ring_corner {
    double u, v;
    int32_t before, after;
} ring_corner;

/* Twice the signed area of a, b, c: positive if they run counter-clockwise. */
static double turn(const ring_corner *a, const ring_corner *b, const ring_corner *c) {
    return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

static double turn_at(const ring_corner *ring, int32_t k) {
    return turn(&ring[ring[k].before], &ring[k], &ring[ring[k].after]);
}

/* Normal with twice the area as length, also for corners that are not in one plane (Newell). */
static dvec polygon_normal(const owned_mesh *mesh, const int32_t *corners, int count) {
    dvec sum = {0, 0, 0};
    const dvec first = dvec_of_floats(mesh->vertices[corners[0]]);
    for (int k = 1; k + 1 < count; k++)
        sum = dvec_add(sum, dvec_cross(dvec_sub(dvec_of_floats(mesh->vertices[corners[k]]), first),
                                       dvec_sub(dvec_of_floats(mesh->vertices[corners[k + 1]]), first)));
    return sum;
}

/* Projects the corners along the longest component of the normal, so that they run counter-clockwise; false if the
   normal is zero. */
static bool flatten(const owned_mesh *mesh, const int32_t *corners, int count, ring_corner *ring) {
    const dvec normal = polygon_normal(mesh, corners, count);
    const double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
    const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    const double length = dvec_get(normal, axis);
    const int u = (axis + (length > 0.0 ? 1 : 2)) % 3, v = (axis + (length > 0.0 ? 2 : 1)) % 3;
    for (int k = 0; k < count; k++) {
        const float *place = mesh->vertices[corners[k]];
        ring[k] =
            (ring_corner){(double)place[u], (double)place[v], k > 0 ? k - 1 : count - 1, k + 1 < count ? k + 1 : 0};
    }
    return length != 0.0;
}

static rill_status add_fan(mesh_reader *r, const int32_t *corners, int count, int start) {
    rill_status status = RILL_OK;
    for (int k = 1; k + 1 < count && status == RILL_OK; k++)
        status = rill_mesh_reader_triangle(r, corners[start], corners[(start + k) % count],
                                           corners[(start + k + 1) % count]);
    return status;
}

/* The corner with the least turn. If that is 0 or less, the polygon is not strictly convex. */
static int sharpest_hollow(const ring_corner *ring, int count, double *least) {
    int found = 0;
    *least = turn_at(ring, 0);
    for (int k = 1; k < count; k++) {
        const double here = turn_at(ring, k);
        if (here < *least) *least = here, found = k;
    }
    return found;
}

static bool same_place(const ring_corner *a, const ring_corner *b) {
    return a->u == b->u && a->v == b->v;
}

/* A corner at the place of one of the triangle's corners belongs to a seam to a hole and is ignored. */
static bool is_covered(const ring_corner *p, const ring_corner *a, const ring_corner *b, const ring_corner *c) {
    return turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0 && !same_place(p, a) &&
           !same_place(p, b) && !same_place(p, c);
}

static bool is_ear(mesh_reader *r, const ring_corner *ring, int32_t k) {
    const ring_corner *a = &ring[ring[k].before], *b = &ring[k], *c = &ring[ring[k].after];
    r->tests++;
    if (!(turn(a, b, c) > 0.0)) return false;
    for (int32_t other = c->after; other != b->before; other = ring[other].after, r->tests++)
        if (is_covered(&ring[other], a, b, c)) return false;
    return true;
}

/* Always makes count - 2 triangles: where a polygon that crosses itself has no ear, the next corner is cut off. */
static rill_status cut_ears(mesh_reader *r, const int32_t *corners, int count, ring_corner *ring) {
    int32_t k = 0;
    for (int left = count, misses = 0; left >= 3;) {
        if (r->tests > MAX_TESTS)
            return rill_mesh_reader_fail(r, RILL_LIMIT,
                                         "the polygons are too large and not convex; cut them into triangles first "
                                         "(in Blender: Triangulate Faces)");
        const int32_t before = ring[k].before, after = ring[k].after;
        if (left > 3 && misses < left && !is_ear(r, ring, k)) {
            misses++;
            k = after;
            continue;
        }
        TRY(rill_mesh_reader_triangle(r, corners[before], corners[k], corners[after]));
        ring[before].after = after, ring[after].before = before;
        left--, misses = 0;
        k = after;
    }
    return RILL_OK;
}

rill_status rill_polygon_cut(mesh_reader *r, const int32_t *corners, int count) {
    if (count == 3) return rill_mesh_reader_triangle(r, corners[0], corners[1], corners[2]);
    if (!rill_buffer_grow(r->memory, &r->work, (size_t)count * sizeof(ring_corner), 0))
        return rill_mesh_reader_fail(r, RILL_MEMORY, "not enough memory for a polygon of %d corners; simplify the mesh",
                                     count);
    ring_corner *ring = r->work.data;
    if (!flatten(r->mesh, corners, count, ring)) return add_fan(r, corners, count, 0);
    double least;
    const int hollow = sharpest_hollow(ring, count, &least);
    if (least > 0.0) return add_fan(r, corners, count, 0);
    return count == 4 ? add_fan(r, corners, count, hollow) : cut_ears(r, corners, count, ring);
}

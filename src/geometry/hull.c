/* SPDX-License-Identifier: MIT */
/* Convex hulls. In 3D, points are added one by one: the triangles visible from a new point are replaced by a fan from
   it to their rim. In 2D, Andrew's monotone chains. */
#include "geometry/hull.h"

#include "core/error.h"
#include "core/sort.h"

#include <string.h>

/* A point lies in a triangle's plane if its distance, relative to the size of the point set, is below this. */
#define FLATNESS 1e-7

typedef struct face {
    int32_t corner[3];
    dvec normal; /* outwards, length 1 */
    double offset;
    bool seen; /* from the point that is being added */
} face;

typedef struct hull_job {
    memory *memory;
    dvec *points;
    int point_count;
    face *faces;
    int face_count, face_room;
    double tolerance;
} hull_job;

static dvec point_of(rill_vec p) {
    return (dvec){(double)p.x, (double)p.y, (double)p.z};
}

static bool add_face(hull_job *job, int32_t a, int32_t b, int32_t c) {
    if (job->face_count == job->face_room) {
        const int room = 2 * job->face_room + 64;
        face *more = rill_memory_get(job->memory, sizeof(face) * (size_t)room);
        if (!more) return false;
        if (job->faces) {
            memcpy(more, job->faces, sizeof(face) * (size_t)job->face_count);
            rill_memory_release(job->memory, job->faces, sizeof(face) * (size_t)job->face_room);
        }
        job->faces = more, job->face_room = room;
    }
    const dvec p = job->points[a];
    const dvec n = dvec_cross(dvec_sub(job->points[b], p), dvec_sub(job->points[c], p));
    const double length = dvec_length(n);
    const dvec unit = dvec_scale(n, length > 0 ? 1 / length : 0);
    job->faces[job->face_count++] = (face){{a, b, c}, unit, dvec_dot(unit, p), false};
    return true;
}

/* The point with the greatest score, a distance from the `base` found so far. */
static int farthest(const hull_job *job, double (*score)(const hull_job *, const int *, int), const int *base,
                    double *most) {
    int best = 0;
    *most = -1;
    for (int k = 0; k < job->point_count; k++) {
        const double s = score(job, base, k);
        if (s > *most) *most = s, best = k;
    }
    return best;
}

static double from_point(const hull_job *job, const int *base, int k) {
    return dvec_length(dvec_sub(job->points[k], job->points[base[0]]));
}

static double from_line(const hull_job *job, const int *base, int k) {
    const dvec a = job->points[base[0]], along = dvec_sub(job->points[base[1]], a);
    return dvec_length(dvec_cross(along, dvec_sub(job->points[k], a))) / dvec_length(along);
}

static dvec base_normal(const hull_job *job, const int *base) {
    const dvec a = job->points[base[0]];
    const dvec n = dvec_cross(dvec_sub(job->points[base[1]], a), dvec_sub(job->points[base[2]], a));
    return dvec_scale(n, 1 / dvec_length(n));
}

static double from_plane(const hull_job *job, const int *base, int k) {
    return fabs(dvec_dot(base_normal(job, base), dvec_sub(job->points[k], job->points[base[0]])));
}

/* Four points that are not in one plane, as far apart as this greedy search finds them. */
static rill_status first_four(hull_job *job, int base[4], rill_error *error) {
    double most;
    base[0] = 0;
    base[0] = farthest(job, from_point, base, &most);
    base[1] = farthest(job, from_point, base, &most);
    job->tolerance = FLATNESS * most;
    if (most > 0) base[2] = farthest(job, from_line, base, &most);
    if (most > job->tolerance) base[3] = farthest(job, from_plane, base, &most);
    if (!(most > job->tolerance))
        return rill_fail(error, RILL_INVALID,
                         "points: the points of a hull lie in one plane; expected points that enclose a volume");
    if (dvec_dot(base_normal(job, base), dvec_sub(job->points[base[3]], job->points[base[0]])) > 0) {
        const int swap = base[1];
        base[1] = base[2], base[2] = swap;
    }
    return RILL_OK;
}

/* Is the edge from a to b on the rim? It is if its other face is not visible from the point. */
static bool on_rim(const hull_job *job, int32_t a, int32_t b) {
    for (int f = 0; f < job->face_count; f++)
        for (int c = 0; job->faces[f].seen && c < 3; c++)
            if (job->faces[f].corner[c] == b && job->faces[f].corner[(c + 1) % 3] == a) return false;
    return true;
}

static bool add_point(hull_job *job, int32_t p) {
    int seen = 0;
    for (int f = 0; f < job->face_count; f++) {
        face *at = &job->faces[f];
        at->seen = dvec_dot(at->normal, job->points[p]) - at->offset > job->tolerance;
        seen += at->seen;
    }
    if (seen == 0) return true;
    const int old = job->face_count;
    for (int f = 0; f < old; f++) {
        if (!job->faces[f].seen) continue;
        for (int c = 0; c < 3; c++) {
            const int32_t a = job->faces[f].corner[c], b = job->faces[f].corner[(c + 1) % 3];
            if (on_rim(job, a, b) && !add_face(job, a, b, p)) return false;
        }
    }
    int kept = 0;
    for (int f = 0; f < job->face_count; f++)
        if (!job->faces[f].seen) job->faces[kept++] = job->faces[f];
    job->face_count = kept;
    return true;
}

static bool write_mesh(const hull_job *job, owned_mesh *out) {
    if (!rill_owned_mesh_reserve(job->memory, out, 3 * job->face_count, job->face_count)) return false;
    for (int f = 0; f < job->face_count; f++)
        for (int c = 0; c < 3; c++) {
            dvec_to_floats(job->points[job->faces[f].corner[c]], out->vertices[3 * f + c]);
            out->triangles[f][c] = 3 * f + c;
        }
    out->vertex_count = 3 * job->face_count, out->triangle_count = job->face_count;
    return true;
}

static rill_status build(hull_job *job, owned_mesh *out, rill_error *error) {
    int base[4] = {0};
    TRY(first_four(job, base, error));
    bool ok = add_face(job, base[0], base[1], base[2]) && add_face(job, base[0], base[3], base[1]) &&
              add_face(job, base[1], base[3], base[2]) && add_face(job, base[2], base[3], base[0]);
    for (int p = 0; ok && p < job->point_count; p++) ok = add_point(job, p);
    ok = ok && write_mesh(job, out);
    return ok ? RILL_OK : rill_fail(error, RILL_MEMORY, "no memory for a hull of %d points", job->point_count);
}

rill_status rill_hull_build(memory *m, const rill_vec *points, int count, owned_mesh *out, rill_error *error) {
    if (count < 4 || count > HULL_MAX_POINTS)
        return rill_fail(error, RILL_INVALID, "points: a hull in 3D needs 4 to %d points, got %d", HULL_MAX_POINTS,
                         count);
    hull_job job = {.memory = m, .point_count = count};
    job.points = rill_memory_get(m, sizeof(dvec) * (size_t)count);
    if (!job.points) return rill_fail(error, RILL_MEMORY, "no memory for a hull of %d points", count);
    for (int k = 0; k < count; k++) job.points[k] = point_of(points[k]);
    const rill_status status = build(&job, out, error);
    rill_memory_release(m, job.points, sizeof(dvec) * (size_t)count);
    if (job.faces) rill_memory_release(m, job.faces, sizeof(face) * (size_t)job.face_room);
    return status;
}

/* ---- the plane ---- */

static int compare_points(const void *a, const void *b) {
    const rill_vec *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

/* Twice the signed area of a, b, c: positive if they run counter-clockwise. */
static double turn_of(rill_vec a, rill_vec b, rill_vec c) {
    return ((double)b.x - (double)a.x) * ((double)c.y - (double)a.y) -
           ((double)b.y - (double)a.y) * ((double)c.x - (double)a.x);
}

/* Adds one point to a chain and removes points before it at which the chain no longer turns left. */
static int chain(rill_vec *ring, int first, int count, rill_vec p) {
    while (count - first >= 2 && turn_of(ring[count - 2], ring[count - 1], p) <= 0) count--;
    ring[count] = p;
    return count + 1;
}

int rill_hull_ring(rill_vec *points, int count, rill_vec *ring) {
    if (count < 3) return 0;
    rill_sort_items(points, count, sizeof *points, compare_points);
    int n = 0;
    for (int k = 0; k < count; k++) n = chain(ring, 0, n, points[k]);
    const int right = n - 1;
    for (int k = count - 2; k >= 0; k--) n = chain(ring, right, n, points[k]);
    return n - 1; /* the last point repeats the first */
}

/* SPDX-License-Identifier: MIT */
/* Generalised winding number over the tree of boxes. */
#include "geometry/winding.h"

#include <string.h>

#define FOUR_PI 12.566370614359172

/* ---- building ---- */

/* Normal of a triangle, with its area as length. */
static dvec area_normal(dvec a, dvec b, dvec c) {
    return dvec_scale(dvec_cross(dvec_sub(b, a), dvec_sub(c, a)), 0.5);
}

/* Sums over the triangles of a node. Places are relative to the middle of the mesh. */
typedef struct moments {
    double area;
    dvec first;     /* area times place */
    dvec normal;    /* area times normal */
    dvec places[3]; /* area times normal times place: places[k] for component k of the normal */
} moments;

static void add_triangle(moments *sum, dvec middle, const bvh_triangle *t) {
    const dvec a = dvec_of_floats(t->corner[0]), b = dvec_of_floats(t->corner[1]), c = dvec_of_floats(t->corner[2]);
    const dvec normal = area_normal(a, b, c);
    const dvec place = dvec_sub(dvec_scale(dvec_add(a, dvec_add(b, c)), 1.0 / 3.0), middle);
    const double area = dvec_length(normal);
    sum->area += area;
    sum->first = dvec_along(sum->first, area, place);
    sum->normal = dvec_add(sum->normal, normal);
    for (int k = 0; k < 3; k++) sum->places[k] = dvec_along(sum->places[k], dvec_get(normal, k), place);
}

static moments moments_sum(const moments *a, const moments *b) {
    moments sum = {a->area + b->area, dvec_add(a->first, b->first), dvec_add(a->normal, b->normal), {{0, 0, 0}}};
    for (int k = 0; k < 3; k++) sum.places[k] = dvec_add(a->places[k], b->places[k]);
    return sum;
}

/* Square of the distance from `centre` to the farthest corner of a box. */
static double far_corner2(const bvh_node *n, dvec centre) {
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double c = dvec_get(centre, axis);
        const double out = fmax(c - (double)n->low[axis], (double)n->high[axis] - c);
        sum += out * out;
    }
    return sum;
}

static void store(winding_node *w, const bvh_node *n, const moments *sum, dvec middle) {
    const dvec centre = dvec_scale(sum->first, 1.0 / sum->area);
    dvec spread[3];
    for (int k = 0; k < 3; k++) spread[k] = dvec_along(sum->places[k], -dvec_get(sum->normal, k), centre);
    w->spread[0] = (float)spread[0].x, w->spread[1] = (float)spread[1].y, w->spread[2] = (float)spread[2].z;
    w->spread[3] = (float)(spread[0].y + spread[1].x);
    w->spread[4] = (float)(spread[1].z + spread[2].y);
    w->spread[5] = (float)(spread[2].x + spread[0].z);
    dvec_to_floats(dvec_add(centre, middle), w->centre);
    dvec_to_floats(sum->normal, w->normal);
    w->reach2 = (float)(WINDING_BETA * WINDING_BETA * far_corner2(n, dvec_add(centre, middle)));
}

static void build_nodes(winding_tree *winding, moments *sums) {
    const bvh *tree = winding->tree;
    const bvh_node *root = &tree->nodes[0];
    const dvec middle = dvec_scale(dvec_add(dvec_of_floats(root->low), dvec_of_floats(root->high)), 0.5);
    /* Children come after their parents, so going backwards visits them first. */
    for (int k = tree->node_count - 1; k >= 0; k--) {
        const bvh_node *n = &tree->nodes[k];
        sums[k] = n->count > 0 ? (moments){0} : moments_sum(&sums[n->first], &sums[n->first + 1]);
        if (n->count > 0)
            for (int i = n->first; i < n->first + n->count; i++) add_triangle(&sums[k], middle, &tree->triangles[i]);
        store(&winding->nodes[k], n, &sums[k], middle);
    }
}

bool rill_winding_build(memory *m, const bvh *tree, winding_tree *winding) {
    *winding = (winding_tree){.tree = tree, .node_count = tree->node_count};
    const size_t count = (size_t)tree->node_count;
    winding->nodes = rill_memory_get(m, count * sizeof *winding->nodes);
    moments *sums = rill_memory_get(m, count * sizeof *sums);
    const bool enough = winding->nodes && sums;
    if (enough) build_nodes(winding, sums);
    if (sums) rill_memory_release(m, sums, count * sizeof *sums);
    if (!enough) rill_winding_free(m, winding);
    return enough;
}

void rill_winding_free(memory *m, winding_tree *winding) {
    if (winding->nodes) rill_memory_release(m, winding->nodes, (size_t)winding->node_count * sizeof *winding->nodes);
    *winding = (winding_tree){0};
}

/* ---- evaluating ---- */

/* Solid angle of a distant node: n.r / r^3 plus its derivative times the spread, with r from the point to the
   centre. */
static double far_angle(const winding_node *w, dvec r, double distance2) {
    const double x = (double)w->spread[0], y = (double)w->spread[1], z = (double)w->spread[2];
    const double inverse3 = 1.0 / (distance2 * sqrt(distance2));
    const double along = x * r.x * r.x + y * r.y * r.y + z * r.z * r.z + (double)w->spread[3] * r.x * r.y +
                         (double)w->spread[4] * r.y * r.z + (double)w->spread[5] * r.z * r.x;
    return inverse3 * (dvec_dot(dvec_of_floats(w->normal), r) + (x + y + z) - 3.0 * along / distance2);
}

static double leaf_angle(const bvh *tree, const bvh_node *n, dvec p, int32_t except) {
    double sum = 0.0;
    for (int i = n->first; i < n->first + n->count; i++) {
        const bvh_triangle *t = &tree->triangles[i];
        if (tree->source[i] != except)
            sum += rill_triangle_solid_angle(p, dvec_of_floats(t->corner[0]), dvec_of_floats(t->corner[1]),
                                             dvec_of_floats(t->corner[2]));
    }
    return sum;
}

double rill_winding_number_except(const winding_tree *winding, dvec p, int32_t except) {
    int32_t stack[BVH_STACK];
    int depth = 0;
    double angle = 0.0;
    stack[depth++] = 0;
    while (depth > 0) {
        const int32_t k = stack[--depth];
        const winding_node *w = &winding->nodes[k];
        const dvec r = dvec_sub(dvec_of_floats(w->centre), p);
        const double distance2 = dvec_dot(r, r);
        if (distance2 > (double)w->reach2) {
            angle += far_angle(w, r, distance2);
            continue;
        }
        const bvh_node *n = &winding->tree->nodes[k];
        if (n->count > 0) {
            angle += leaf_angle(winding->tree, n, p, except);
        } else {
            stack[depth++] = n->first + 1;
            stack[depth++] = n->first;
        }
    }
    return angle / FOUR_PI;
}

double rill_winding_number(const winding_tree *winding, dvec p) {
    return rill_winding_number_except(winding, p, -1);
}

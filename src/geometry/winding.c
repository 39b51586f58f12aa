/* SPDX-License-Identifier: MIT */
/* Generalised winding number over the tree of boxes. */
#include "geometry/winding.h"

#include <string.h>

#define FOUR_PI 12.566370614359172

/* Sums over the triangles of a node. */
typedef struct dipole {
    double area;
    vec3 moment; /* area times centre */
    vec3 normal; /* area times normal */
} dipole;

static dipole dipole_of_leaf(const bvh *tree, const bvh_node *n) {
    dipole sum = {0};
    for (int i = n->first; i < n->first + n->count; i++) {
        const bvh_triangle *t = &tree->triangles[i];
        const vec3 a = vec3_of(t->corner[0]), b = vec3_of(t->corner[1]), c = vec3_of(t->corner[2]);
        const vec3 normal = vec3_scale(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)), 0.5);
        const double area = vec3_length(normal);
        sum.area += area;
        sum.moment = vec3_along(sum.moment, area / 3.0, vec3_add(a, vec3_add(b, c)));
        sum.normal = vec3_add(sum.normal, normal);
    }
    return sum;
}

/* Square of the distance from `centre` to the far corner of a box. */
static double far_corner2(const bvh_node *n, vec3 centre) {
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double c = vec3_get(centre, axis);
        const double out = fmax(c - (double)n->low[axis], (double)n->high[axis] - c);
        sum += out * out;
    }
    return sum;
}

static void store(winding_node *w, const bvh_node *n, const dipole *d) {
    const vec3 centre = vec3_scale(d->moment, 1.0 / d->area);
    vec3_out(centre, w->centre);
    vec3_out(d->normal, w->normal);
    w->reach2 = (float)(WINDING_BETA * WINDING_BETA * far_corner2(n, centre));
}

bool winding_build(memory *m, const bvh *tree, winding_tree *winding) {
    *winding = (winding_tree){.tree = tree, .node_count = tree->node_count};
    const size_t count = (size_t)tree->node_count;
    winding->nodes = memory_get(m, count * sizeof *winding->nodes);
    dipole *sums = memory_get(m, count * sizeof *sums);
    if (winding->nodes && sums) {
        /* Children come after their parents: backwards, every node finds its children done. */
        for (int k = tree->node_count - 1; k >= 0; k--) {
            const bvh_node *n = &tree->nodes[k];
            if (n->count > 0) {
                sums[k] = dipole_of_leaf(tree, n);
            } else {
                const dipole *a = &sums[n->first], *b = &sums[n->first + 1];
                sums[k] = (dipole){a->area + b->area, vec3_add(a->moment, b->moment), vec3_add(a->normal, b->normal)};
            }
            store(&winding->nodes[k], n, &sums[k]);
        }
    }
    const bool enough = winding->nodes && sums;
    if (sums) memory_release(m, sums, count * sizeof *sums);
    if (!enough) winding_free(m, winding);
    return enough;
}

void winding_free(memory *m, winding_tree *winding) {
    if (winding->nodes) memory_release(m, winding->nodes, (size_t)winding->node_count * sizeof *winding->nodes);
    *winding = (winding_tree){0};
}

static double leaf_angle(const bvh *tree, const bvh_node *n, vec3 p, int32_t except) {
    double sum = 0.0;
    for (int i = n->first; i < n->first + n->count; i++) {
        const bvh_triangle *t = &tree->triangles[i];
        if (tree->source[i] != except)
            sum += triangle_solid_angle(p, vec3_of(t->corner[0]), vec3_of(t->corner[1]), vec3_of(t->corner[2]));
    }
    return sum;
}

double winding_number_except(const winding_tree *winding, vec3 p, int32_t except) {
    int32_t stack[BVH_STACK];
    int depth = 0;
    double angle = 0.0;
    stack[depth++] = 0;
    while (depth > 0) {
        const int32_t k = stack[--depth];
        const winding_node *w = &winding->nodes[k];
        const vec3 r = vec3_sub(vec3_of(w->centre), p);
        const double distance2 = vec3_dot(r, r);
        if (distance2 > (double)w->reach2) {
            angle += vec3_dot(vec3_of(w->normal), r) / (distance2 * sqrt(distance2));
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

double winding_number(const winding_tree *winding, vec3 p) {
    return winding_number_except(winding, p, -1);
}

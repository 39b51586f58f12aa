/* SPDX-License-Identifier: MIT */
/* A tree of boxes over triangles, split by the surface area heuristic on bins (Wald 2007). */
#include "geometry/bvh.h"

#include <string.h>

#define LEAF_SIZE 4
#define BINS      16
/* Nodes below this depth are split into halves of equal count, which bounds the stack of a query: 40 + log2(2^27) <
   BVH_STACK. */
#define MAX_SAH_DEPTH 40

typedef struct box {
    float low[3], high[3];
} box;

typedef struct building {
    bvh *tree;
    const mesh *mesh;
    int32_t *order;     /* triangles being sorted into leaves */
    float (*middle)[3]; /* centre of each triangle's box */
    box *bounds;        /* box of each triangle */
} building;

/* ---- boxes ---- */

static box box_empty(void) {
    return (box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void box_add_point(box *b, const float p[3]) {
    for (int axis = 0; axis < 3; axis++) {
        b->low[axis] = fminf(b->low[axis], p[axis]);
        b->high[axis] = fmaxf(b->high[axis], p[axis]);
    }
}

static void box_add(box *b, const box *other) {
    for (int axis = 0; axis < 3; axis++) {
        b->low[axis] = fminf(b->low[axis], other->low[axis]);
        b->high[axis] = fmaxf(b->high[axis], other->high[axis]);
    }
}

/* Computed in double: the product of two float extents may overflow a float. */
static double box_half_area(const box *b) {
    const double x = (double)b->high[0] - (double)b->low[0], y = (double)b->high[1] - (double)b->low[1],
                 z = (double)b->high[2] - (double)b->low[2];
    return x < 0.0 ? 0.0 : x * y + y * z + z * x;
}

/* ---- splitting ---- */

typedef struct split {
    int axis;
    int bin; /* first bin of the right half */
    double cost;
    float low, scale;
} split;

static int bin_of(const split *s, const float middle[3]) {
    const int bin = (int)((middle[s->axis] - s->low) * s->scale);
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

static void best_on_axis(const building *b, int first, int count, const box *middles, int axis, split *best) {
    const float extent = middles->high[axis] - middles->low[axis];
    split here = {.axis = axis, .low = middles->low[axis], .scale = (float)BINS / extent};
    if (!(extent > 0.0f) || !isfinite(here.scale)) return;
    box bins[BINS];
    int counts[BINS] = {0};
    for (int k = 0; k < BINS; k++) bins[k] = box_empty();
    for (int i = first; i < first + count; i++) {
        const int bin = bin_of(&here, b->middle[b->order[i]]);
        counts[bin]++;
        box_add(&bins[bin], &b->bounds[b->order[i]]);
    }
    double right_cost[BINS];
    box sweep = box_empty();
    int sum = 0;
    for (int k = BINS - 1; k > 0; k--) {
        box_add(&sweep, &bins[k]);
        sum += counts[k];
        right_cost[k] = box_half_area(&sweep) * sum;
    }
    sweep = box_empty();
    sum = 0;
    for (int k = 1; k < BINS; k++) {
        box_add(&sweep, &bins[k - 1]);
        sum += counts[k - 1];
        const double cost = box_half_area(&sweep) * sum + right_cost[k];
        if (sum > 0 && sum < count && cost < best->cost) {
            *best = here;
            best->bin = k, best->cost = cost;
        }
    }
}

/* Moves the triangles of the left half to the front and returns their number. */
static int partition(building *b, int first, int count, const split *s) {
    int left = first, right = first + count - 1;
    while (left <= right) {
        const int32_t t = b->order[left];
        if (bin_of(s, b->middle[t]) < s->bin) {
            left++;
        } else {
            b->order[left] = b->order[right];
            b->order[right--] = t;
        }
    }
    return left - first;
}

static int split_leaf(building *b, int first, int count, int depth) {
    box middles = box_empty();
    for (int i = first; i < first + count; i++) box_add_point(&middles, b->middle[b->order[i]]);
    split best = {.axis = -1, .cost = (double)INFINITY};
    if (depth < MAX_SAH_DEPTH)
        for (int axis = 0; axis < 3; axis++) best_on_axis(b, first, count, &middles, axis, &best);
    /* The centres coincide, or the node is too deep: split by count. */
    return best.axis < 0 ? count / 2 : partition(b, first, count, &best);
}

/* ---- building ---- */

static void build_node(building *b, int node, int first, int count, int depth) {
    bvh_node *n = &b->tree->nodes[node];
    box bounds = box_empty();
    for (int i = first; i < first + count; i++) box_add(&bounds, &b->bounds[b->order[i]]);
    memcpy(n->low, bounds.low, sizeof n->low);
    memcpy(n->high, bounds.high, sizeof n->high);
    if (count <= LEAF_SIZE) {
        n->first = first, n->count = count;
        return;
    }
    const int left = split_leaf(b, first, count, depth);
    n->first = b->tree->node_count, n->count = 0;
    b->tree->node_count += 2;
    build_node(b, n->first, first, left, depth + 1);
    build_node(b, n->first + 1, first + left, count - left, depth + 1);
}

static void measure_triangles(building *b, const uint8_t *keep) {
    int count = 0;
    for (int t = 0; t < b->mesh->triangle_count; t++) {
        if (keep && !keep[t]) continue;
        b->order[count++] = t;
        b->bounds[t] = box_empty();
        for (int c = 0; c < 3; c++) box_add_point(&b->bounds[t], b->mesh->vertices[b->mesh->triangles[t][c]]);
        for (int axis = 0; axis < 3; axis++)
            b->middle[t][axis] = 0.5f * (b->bounds[t].low[axis] + b->bounds[t].high[axis]);
    }
    b->tree->triangle_count = count;
}

static void copy_triangles(const building *b) {
    for (int i = 0; i < b->tree->triangle_count; i++) {
        const int32_t t = b->order[i];
        b->tree->source[i] = t;
        for (int c = 0; c < 3; c++)
            memcpy(b->tree->triangles[i].corner[c], b->mesh->vertices[b->mesh->triangles[t][c]], sizeof(float[3]));
    }
}

bool rill_bvh_build(memory *m, const mesh *mesh, const uint8_t *keep, bvh *tree) {
    const size_t count = (size_t)mesh->triangle_count;
    *tree = (bvh){.triangle_count = mesh->triangle_count, .node_room = 2 * mesh->triangle_count};
    tree->nodes = rill_memory_get(m, (size_t)tree->node_room * sizeof *tree->nodes);
    tree->triangles = rill_memory_get(m, count * sizeof *tree->triangles);
    tree->source = rill_memory_get(m, count * sizeof *tree->source);
    building b = {.tree = tree,
                  .mesh = mesh,
                  .order = rill_memory_get(m, count * sizeof *b.order),
                  .middle = rill_memory_get(m, count * sizeof *b.middle),
                  .bounds = rill_memory_get(m, count * sizeof *b.bounds)};
    const bool enough = tree->nodes && tree->triangles && tree->source && b.order && b.middle && b.bounds;
    if (enough) {
        measure_triangles(&b, keep);
        tree->node_count = 1;
        build_node(&b, 0, 0, tree->triangle_count, 0);
        copy_triangles(&b);
    }
    if (b.order) rill_memory_release(m, b.order, count * sizeof *b.order);
    if (b.middle) rill_memory_release(m, b.middle, count * sizeof *b.middle);
    if (b.bounds) rill_memory_release(m, b.bounds, count * sizeof *b.bounds);
    if (!enough) rill_bvh_free(m, tree);
    return enough;
}

void rill_bvh_free(memory *m, bvh *tree) {
    const size_t count = (size_t)tree->node_room / 2;
    if (tree->nodes) rill_memory_release(m, tree->nodes, (size_t)tree->node_room * sizeof *tree->nodes);
    if (tree->triangles) rill_memory_release(m, tree->triangles, count * sizeof *tree->triangles);
    if (tree->source) rill_memory_release(m, tree->source, count * sizeof *tree->source);
    *tree = (bvh){0};
}

/* ---- closest point ---- */

static double outside(double p, float low, float high) {
    const double below = (double)low - p, above = p - (double)high;
    const double out = below > above ? below : above;
    return out > 0.0 ? out : 0.0;
}

/* Square of the distance to a node's box, slightly reduced so that rounding never hides a triangle. */
static double node_distance2(const bvh_node *n, dvec p) {
    const double x = outside(p.x, n->low[0], n->high[0]), y = outside(p.y, n->low[1], n->high[1]),
                 z = outside(p.z, n->low[2], n->high[2]);
    return (x * x + y * y + z * z) * (1.0 - 1e-12);
}

static void try_triangle(const bvh *tree, int32_t slot, dvec p, double *best2, bvh_hit *hit) {
    const bvh_triangle *t = &tree->triangles[slot];
    triangle_region region;
    const dvec point = rill_triangle_closest(p, dvec_of_floats(t->corner[0]), dvec_of_floats(t->corner[1]),
                                             dvec_of_floats(t->corner[2]), &region);
    const dvec away = dvec_sub(p, point);
    const double distance2 = dvec_dot(away, away);
    if (!(distance2 < *best2)) return;
    *best2 = distance2;
    *hit = (bvh_hit){.point = point, .triangle = tree->source[slot], .slot = slot, .region = region};
}

bvh_hit rill_bvh_closest(const bvh *tree, dvec p, double reach, int32_t hint) {
    bvh_hit hit = {.distance = (double)INFINITY, .triangle = -1, .slot = -1};
    if (tree->triangle_count == 0) return hit;
    struct {
        int32_t node;
        double distance2;
    } stack[BVH_STACK];
    double best2 = reach * reach;
    if (hint >= 0) try_triangle(tree, hint, p, &best2, &hit);
    int depth = 0;
    stack[depth].node = 0;
    stack[depth++].distance2 = node_distance2(&tree->nodes[0], p);
    while (depth > 0) {
        depth--;
        if (stack[depth].distance2 >= best2) continue;
        const bvh_node *n = &tree->nodes[stack[depth].node];
        if (n->count > 0) {
            for (int32_t i = n->first; i < n->first + n->count; i++) try_triangle(tree, i, p, &best2, &hit);
            continue;
        }
        double near = node_distance2(&tree->nodes[n->first], p), far = node_distance2(&tree->nodes[n->first + 1], p);
        int32_t near_node = n->first, far_node = n->first + 1;
        if (far < near) {
            const double kept = near;
            near = far, far = kept;
            near_node = n->first + 1, far_node = n->first;
        }
        if (far < best2) stack[depth].node = far_node, stack[depth++].distance2 = far;
        if (near < best2) stack[depth].node = near_node, stack[depth++].distance2 = near;
    }
    if (hit.triangle >= 0) hit.distance = sqrt(best2);
    return hit;
}

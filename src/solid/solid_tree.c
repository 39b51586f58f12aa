/* SPDX-License-Identifier: MIT */
/* The tree is rebuilt whenever solids are placed: they are split at the median along the axis on which their centres
   lie farthest apart. Nodes are stored in depth-first order, so a search needs no stack: it goes on to the next node,
   or skips the subtree below a box that is too far away. */
#include "solid/solid_tree.h"

#include "core/wide.h"

#include <math.h>
#include <string.h>

/* A box is one wide vector: the lower corner, then the negative upper one, so that one comparison tests all six sides.
   The fourth and the last lane are not used. */
enum { LOW = 0, MINUS_HIGH = 4 };

typedef struct tree_node {
    float box[WIDE];
    int32_t size;  /* nodes of the subtree, this one included */
    int32_t solid; /* slot; -1: not a leaf */
} tree_node;

bool rill_solid_tree_reserve(solid_tree *tree, memory *m, int count) {
    const size_t n = (size_t)count;
    return rill_buffer_reserve(m, &tree->boxes, sizeof(solid_box) * n, 0) &&
           rill_buffer_reserve(m, &tree->nodes, sizeof(tree_node) * 2 * n, 0) &&
           rill_buffer_reserve(m, &tree->open, sizeof(int32_t) * n, 0);
}

void rill_solid_tree_free(solid_tree *tree, memory *m) {
    rill_buffer_free(m, &tree->boxes);
    rill_buffer_free(m, &tree->nodes);
    rill_buffer_free(m, &tree->open);
}

/* ---- building ---- */

/* Twice the centre. */
static float centre(const solid_box *b, int axis) {
    return b->low[axis] + b->high[axis];
}

static int widest_axis(const solid_box *boxes, int count) {
    float most = -1.0f;
    int widest = 0;
    for (int axis = 0; axis < 3; axis++) {
        float low = centre(&boxes[0], axis), high = low;
        for (int k = 1; k < count; k++) {
            const float c = centre(&boxes[k], axis);
            low = c < low ? c : low, high = c > high ? c : high;
        }
        if (high - low > most) most = high - low, widest = axis;
    }
    return widest;
}

/* Brings the lower half along the axis to the front (quickselect). */
static void split_at_median(solid_box *boxes, int count, int axis) {
    const int middle = count / 2;
    int first = 0, last = count - 1;
    while (first < last) {
        const float pivot = centre(&boxes[(first + last) / 2], axis);
        int i = first, j = last;
        while (i <= j) {
            while (centre(&boxes[i], axis) < pivot) i++;
            while (centre(&boxes[j], axis) > pivot) j--;
            if (i > j) break;
            const solid_box swap = boxes[i];
            boxes[i++] = boxes[j], boxes[j--] = swap;
        }
        if (middle <= j)
            last = j;
        else if (middle >= i)
            first = i;
        else
            return;
    }
}

static void build(tree_node *node, solid_box *boxes, int count) {
    *node = (tree_node){.size = 2 * count - 1, .solid = -1};
    if (count == 1) {
        for (int axis = 0; axis < 3; axis++)
            node->box[LOW + axis] = boxes->low[axis], node->box[MINUS_HIGH + axis] = -boxes->high[axis];
        node->solid = boxes->solid;
        return;
    }
    const int half = count / 2;
    split_at_median(boxes, count, widest_axis(boxes, count));
    tree_node *left = node + 1, *right = left + 2 * half - 1;
    build(left, boxes, half);
    build(right, boxes + half, count - half);
    wide_store(node->box, wide_min(wide_load(left->box), wide_load(right->box)));
}

void rill_solid_tree_build(solid_tree *tree, int box_count, int open_count) {
    tree->node_count = box_count > 0 ? 2 * box_count - 1 : 0;
    tree->open_count = open_count;
    if (box_count > 0) build(tree->nodes.data, tree->boxes.data, box_count);
}

/* ---- searching ---- */

/* Whether a box is farther than `reach` from `region`: the upper corner, then the negative lower one. It rounds like
   placed_is_clear, also for the sides with a changed sign: a solid that is skipped is clear of every point of the
   region. */
WIDE_FN bool is_far(const tree_node *n, wide region, wide reach) {
    return wide_bits_less(region, wide_load(n->box) - reach) != 0;
}

static void sort_slots(int32_t *slots, int count) {
    for (int k = 1; k < count; k++) {
        const int32_t slot = slots[k];
        int at = k;
        for (; at > 0 && slots[at - 1] > slot; at--) slots[at] = slots[at - 1];
        slots[at] = slot;
    }
}

void rill_solids_near(const rill_world *w, rill_vec from, rill_vec to, float reach, near_solids *near) {
    const float corners[WIDE] = {to.x, to.y, to.z, INFINITY, -from.x, -from.y, -from.z, INFINITY};
    const wide region = wide_load(corners), wide_reach = wide_set(reach);
    const solid_tree *tree = &w->solid_tree;
    const tree_node *nodes = tree->nodes.data;
    near->slots = w->solids.living.data, near->count = w->solids.living_count;
    int count = tree->open_count;
    if (count > NEAR_SOLIDS_MAX) return;
    if (count > 0) memcpy(near->found, tree->open.data, sizeof(int32_t) * (size_t)count);
    for (int k = 0; k < tree->node_count;) {
        if (is_far(&nodes[k], region, wide_reach)) {
            k += nodes[k].size;
            continue;
        }
        if (nodes[k].solid >= 0) {
            if (count == NEAR_SOLIDS_MAX) return;
            near->found[count++] = nodes[k].solid;
        }
        k++;
    }
    sort_slots(near->found, count);
    near->slots = near->found, near->count = count;
}

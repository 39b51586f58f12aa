/* SPDX-License-Identifier: MIT */
/* Finds which side of each triangle is outside. Two triangles that share an edge must traverse it in opposite
   directions. Patches of such triangles are found by union-find with parity: each member stores whether it is turned
   relative to its parent. */
#include "core/error.h"
#include "geometry/edges.h"
#include "geometry/triangle.h"

#include <string.h>

#define FOUR_PI 12.566370614359172
/* Limit on the search for cavities, which tests each patch that is inside out against all other patches and the
   triangles of those around it. A hundred thousand such patches would take hours. After this many tests (about three
   seconds) the remaining patches keep their orientation. */
#define MAX_LOOKS (INT64_C(1) << 26)

typedef struct patch {
    double area[2]; /* of the triangles oriented like the patch's first one, and of the others */
    double volume;  /* signed, once the triangles agree */
    float low[3], high[3];
    int32_t first; /* index in `order` of its first triangle */
    bool closed;
} patch;

typedef struct orienting {
    owned_mesh *mesh;
    edge_table edges;
    int32_t *parent; /* of each triangle in its set; later the number of its patch */
    uint8_t *turned; /* relative to the parent; later to the patch; finally to the input */
    int32_t *order;  /* triangles by patch */
    patch *patches;
    int patch_count;
    int64_t looks; /* tests of patches and triangles so far, see MAX_LOOKS */
} orienting;

/* ---- sets with parity ---- */

/* The root of t. `turned` receives the orientation of t relative to it. Compresses the path. */
static int32_t root_of(orienting *o, int32_t t, uint8_t *turned) {
    int32_t root = t;
    uint8_t side = 0;
    while (o->parent[root] != root) side ^= o->turned[root], root = o->parent[root];
    *turned = side;
    while (o->parent[t] != root && t != root) {
        const int32_t next = o->parent[t];
        const uint8_t step = o->turned[t];
        o->parent[t] = root, o->turned[t] = side;
        side ^= step, t = next;
    }
    return root;
}

/* The lower number becomes the root, so that the outcome does not depend on the order of the edges. */
static void join(orienting *o, int32_t a, int32_t b, uint8_t opposed) {
    uint8_t side_a, side_b;
    const int32_t root_a = root_of(o, a, &side_a), root_b = root_of(o, b, &side_b);
    if (root_a == root_b) return;
    const int32_t root = root_a < root_b ? root_a : root_b, other = root_a < root_b ? root_b : root_a;
    o->parent[other] = root;
    o->turned[other] = (uint8_t)(side_a ^ side_b ^ opposed);
}

static void join_neighbours(orienting *o) {
    for (int t = 0; t < o->mesh->triangle_count; t++) o->parent[t] = t, o->turned[t] = 0;
    for (size_t k = 0; k < o->edges.room; k++) {
        const edge *e = &o->edges.slots[k];
        if (e->low >= 0 && e->forward + e->backward == 2)
            join(o, e->triangle[0], e->triangle[1], e->forward != e->backward);
    }
}

/* ---- patches ---- */

static void flip(orienting *o, int32_t t) {
    int32_t *corner = o->mesh->triangles[t];
    const int32_t kept = corner[1];
    corner[1] = corner[2], corner[2] = kept;
    o->turned[t] ^= 1;
}

/* Numbers the patches by their first triangle. From here on parent[] holds patch numbers and turned[] is relative to
   the patch. */
static void number_patches(orienting *o) {
    const int count = o->mesh->triangle_count;
    for (int t = 0; t < count; t++) {
        uint8_t side;
        o->order[t] = root_of(o, t, &side);
    }
    /* a root has the lowest number of its set and is numbered first */
    for (int t = 0; t < count; t++) o->parent[t] = o->order[t] == t ? o->patch_count++ : o->parent[o->order[t]];
}

static void turn_minorities(orienting *o, const mesh *view) {
    for (int t = 0; t < view->triangle_count; t++)
        o->patches[o->parent[t]].area[o->turned[t]] += dvec_length(mesh_normal(view, t));
    for (int t = 0; t < view->triangle_count; t++) {
        const patch *p = &o->patches[o->parent[t]];
        const bool minority = o->turned[t] != (p->area[1] > p->area[0]);
        o->turned[t] = 0;
        if (minority) flip(o, t);
    }
}

static void measure_patches(orienting *o, const mesh *view, dvec middle) {
    for (int k = 0; k < o->patch_count; k++)
        o->patches[k] =
            (patch){.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}, .closed = true};
    for (int t = 0; t < view->triangle_count; t++) {
        patch *p = &o->patches[o->parent[t]];
        const dvec a = dvec_sub(mesh_corner(view, t, 0), middle);
        p->volume += dvec_dot(a, mesh_normal(view, t)) / 6.0;
        for (int c = 0; c < 3; c++) {
            const float *x = view->vertices[view->triangles[t][c]];
            for (int axis = 0; axis < 3; axis++)
                p->low[axis] = fminf(p->low[axis], x[axis]), p->high[axis] = fmaxf(p->high[axis], x[axis]);
            const edge *e = rill_edges_of(&o->edges, view, t, c);
            if (e->forward + e->backward != 2) p->closed = false;
        }
    }
}

/* Counting sort of the triangles by patch; patches[k].first is the index of the k-th patch's first triangle. */
static void list_patches(orienting *o) {
    const int count = o->mesh->triangle_count;
    for (int t = 0; t < count; t++) o->patches[o->parent[t]].first++;
    int32_t sum = 0;
    for (int k = 0; k < o->patch_count; k++) {
        sum += o->patches[k].first;
        o->patches[k].first = sum;
    }
    for (int t = count - 1; t >= 0; t--) o->order[--o->patches[o->parent[t]].first] = t;
}

static int32_t patch_end(const orienting *o, int k) {
    return k + 1 < o->patch_count ? o->patches[k + 1].first : o->mesh->triangle_count;
}

/* ---- inside out ---- */

static bool box_contains(const patch *p, const float x[3]) {
    for (int axis = 0; axis < 3; axis++)
        if (x[axis] < p->low[axis] || x[axis] > p->high[axis]) return false;
    return true;
}

/* Is this patch the wall of a cavity, that is, do the other patches enclose it? */
static bool is_hollow(orienting *o, const mesh *view, int which) {
    const float *x = view->vertices[view->triangles[o->order[o->patches[which].first]][0]];
    double angle = 0.0;
    for (int k = 0; k < o->patch_count; k++) {
        o->looks++;
        if (k == which || !box_contains(&o->patches[k], x)) continue;
        o->looks += patch_end(o, k) - o->patches[k].first;
        for (int32_t i = o->patches[k].first; i < patch_end(o, k); i++) {
            const int32_t t = o->order[i];
            angle += rill_triangle_solid_angle(dvec_of_floats(x), mesh_corner(view, t, 0), mesh_corner(view, t, 1),
                                               mesh_corner(view, t, 2));
        }
    }
    return angle > 0.5 * FOUR_PI;
}

static void turn_inside_out(orienting *o, const mesh *view) {
    double volume = 0.0;
    for (int k = 0; k < o->patch_count; k++) volume += o->patches[k].volume;
    if (volume < 0.0) {
        for (int t = 0; t < view->triangle_count; t++) flip(o, t);
        for (int k = 0; k < o->patch_count; k++) o->patches[k].volume *= -1.0;
    }
    for (int k = 0; k < o->patch_count; k++) {
        if (!o->patches[k].closed || o->patches[k].volume >= 0.0) continue;
        if (o->looks > MAX_LOOKS || is_hollow(o, view, k)) continue;
        for (int32_t i = o->patches[k].first; i < patch_end(o, k); i++) flip(o, o->order[i]);
    }
}

/* ---- orienting a mesh ---- */

static rill_status orient(memory *m, orienting *o, mesh_report *report) {
    const mesh view = rill_mesh_view(o->mesh);
    const size_t count = (size_t)view.triangle_count;
    o->parent = rill_memory_get(m, count * sizeof *o->parent);
    o->turned = rill_memory_get(m, count);
    o->order = rill_memory_get(m, count * sizeof *o->order);
    if (!o->parent || !o->turned || !o->order || !rill_edges_build(m, &view, &o->edges)) return RILL_MEMORY;
    join_neighbours(o);
    number_patches(o);
    o->patches = rill_memory_get(m, (size_t)o->patch_count * sizeof *o->patches);
    if (!o->patches) return RILL_MEMORY;
    memset(o->patches, 0, (size_t)o->patch_count * sizeof *o->patches);

    turn_minorities(o, &view);
    float low[3], high[3];
    rill_mesh_bounds(&view, low, high);
    measure_patches(o, &view, dvec_scale(dvec_add(dvec_of_floats(low), dvec_of_floats(high)), 0.5));
    list_patches(o);
    turn_inside_out(o, &view);
    report->patches = o->patch_count;
    report->flipped = 0;
    for (int t = 0; t < view.triangle_count; t++) report->flipped += o->turned[t];

    rill_edges_free(m, &o->edges);
    if (!rill_edges_build(m, &view, &o->edges)) return RILL_MEMORY;
    mesh_report after;
    rill_edges_count(&o->edges, &after);
    report->closed = after.closed;
    return RILL_OK;
}

rill_status rill_mesh_orient(memory *m, owned_mesh *clean, mesh_report *report, rill_error *error) {
    orienting o = {.mesh = clean};
    const size_t count = (size_t)clean->triangle_count;
    const rill_status status = orient(m, &o, report);
    rill_edges_free(m, &o.edges);
    if (o.parent) rill_memory_release(m, o.parent, count * sizeof *o.parent);
    if (o.turned) rill_memory_release(m, o.turned, count);
    if (o.order) rill_memory_release(m, o.order, count * sizeof *o.order);
    if (o.patches) rill_memory_release(m, o.patches, (size_t)o.patch_count * sizeof *o.patches);
    if (status == RILL_OK) return RILL_OK;
    return rill_fail(error, status, "not enough memory to orient a mesh of %d triangles; simplify it",
                     clean->triangle_count);
}

/* SPDX-License-Identifier: MIT */
/* A clean mesh: equal vertices merged, degenerate and repeated triangles removed, edges counted. */
#include "core/error.h"
#include "core/hash.h"
#include "geometry/edges.h"

#include <string.h>

/* A hash table: the first vertex at each place, later the first triangle with each three corners. */
typedef struct weld_table {
    int32_t *slots;
    size_t room;
} weld_table;

/* Adding 0 makes -0 and 0 the same place. */
static void place_bits(const float p[3], uint32_t bits[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const float value = p[axis] + 0.0f;
        memcpy(&bits[axis], &value, sizeof value);
    }
}

/* Index in `clean` of the vertex at p, which is added if none is there yet. */
static int32_t weld(weld_table *table, owned_mesh *clean, const float p[3]) {
    uint32_t bits[3], other[3];
    place_bits(p, bits);
    size_t slot = (size_t)rill_hash_mix(rill_hash_mix((uint64_t)bits[0] << 32 | bits[1]) ^ bits[2]) & (table->room - 1);
    for (;; slot = (slot + 1) & (table->room - 1)) {
        const int32_t v = table->slots[slot];
        if (v < 0) break;
        place_bits(clean->vertices[v], other);
        if (memcmp(bits, other, sizeof bits) == 0) return v;
    }
    const int32_t added = clean->vertex_count++;
    table->slots[slot] = added;
    memcpy(clean->vertices[added], p, sizeof(float[3]));
    return added;
}

/* The direction of a triangle thinner than the resolution of its coordinates is noise. */
static bool has_area(const mesh *mesh, int triangle) {
    const dvec a = mesh_corner(mesh, triangle, 0), b = mesh_corner(mesh, triangle, 1),
               c = mesh_corner(mesh, triangle, 2);
    const dvec ab = dvec_sub(b, a), bc = dvec_sub(c, b), ca = dvec_sub(a, c);
    const double longest = fmax(dvec_dot(ab, ab), fmax(dvec_dot(bc, bc), dvec_dot(ca, ca)));
    return dvec_length(dvec_cross(ab, bc)) > 1e-9 * longest;
}

/* The corners in cyclic order, beginning with the lowest. */
static void sort_corners(const int32_t triangle[3], int32_t corners[3]) {
    int first = triangle[1] < triangle[0] ? 1 : 0;
    if (triangle[2] < triangle[first]) first = 2;
    for (int c = 0; c < 3; c++) corners[c] = triangle[(first + c) % 3];
}

/* Removes triangles that coincide with an earlier one and face the same side: they bound nothing new, and a box tree
   cannot separate them. */
static void drop_repeated(weld_table *table, owned_mesh *clean, mesh_report *report) {
    int kept = 0;
    memset(table->slots, 0xff, table->room * sizeof *table->slots);
    for (int t = 0; t < clean->triangle_count; t++) {
        int32_t corners[3], other[3];
        sort_corners(clean->triangles[t], corners);
        const uint64_t first = (uint64_t)corners[0] << 32 | (uint32_t)corners[1];
        size_t slot = (size_t)rill_hash_mix(rill_hash_mix(first) ^ (uint32_t)corners[2]) & (table->room - 1);
        bool repeated = false;
        for (; table->slots[slot] >= 0 && !repeated; slot = (slot + 1) & (table->room - 1)) {
            sort_corners(clean->triangles[table->slots[slot]], other);
            repeated = memcmp(corners, other, sizeof corners) == 0;
        }
        if (repeated) continue;
        table->slots[slot] = kept;
        memmove(clean->triangles[kept++], clean->triangles[t], sizeof clean->triangles[t]);
    }
    report->repeated = clean->triangle_count - kept;
    clean->triangle_count = kept;
}

static void join_and_drop(const mesh *input, weld_table *table, owned_mesh *clean, mesh_report *report) {
    int used = 0;
    for (int t = 0; t < input->triangle_count; t++) {
        if (!has_area(input, t)) {
            report->degenerate++;
            continue;
        }
        for (int c = 0; c < 3; c++)
            clean->triangles[clean->triangle_count][c] = weld(table, clean, input->vertices[input->triangles[t][c]]);
        clean->triangle_count++;
    }
    /* Counts the input vertices that triangles use, so that stray vertices do not count as welded. */
    memset(table->slots, 0, table->room * sizeof *table->slots);
    for (int t = 0; t < input->triangle_count; t++) {
        if (!has_area(input, t)) continue;
        for (int c = 0; c < 3; c++) {
            int32_t *seen = &table->slots[input->triangles[t][c]];
            used += *seen == 0;
            *seen = 1;
        }
    }
    report->welded = used - clean->vertex_count;
    drop_repeated(table, clean, report);
}

static rill_status no_memory(rill_error *error, const mesh *input) {
    return rill_fail(error, RILL_MEMORY, "not enough memory for a mesh of %d triangles; simplify it",
                     input->triangle_count);
}

static rill_status count_edges(memory *m, const owned_mesh *clean, mesh_report *report, rill_error *error) {
    const mesh view = rill_mesh_view(clean);
    edge_table edges;
    if (!rill_edges_build(m, &view, &edges)) return no_memory(error, &view);
    rill_edges_count(&edges, report);
    rill_edges_free(m, &edges);
    return RILL_OK;
}

rill_status rill_mesh_clean(memory *m, const mesh *input, owned_mesh *clean, mesh_report *report, rill_error *error) {
    *clean = (owned_mesh){0};
    *report = (mesh_report){0};
    TRY(rill_mesh_check(input, error));

    rill_status status = RILL_OK;
    weld_table table = {.room = 16};
    const int most = input->vertex_count > input->triangle_count ? input->vertex_count : input->triangle_count;
    while (table.room < (size_t)most * 2) table.room *= 2;
    table.slots = rill_memory_get(m, table.room * sizeof *table.slots);
    if (!table.slots) return no_memory(error, input);
    memset(table.slots, 0xff, table.room * sizeof *table.slots);
    if (rill_owned_mesh_reserve(m, clean, input->vertex_count, input->triangle_count))
        join_and_drop(input, &table, clean, report);
    else
        status = no_memory(error, input);
    rill_memory_release(m, table.slots, table.room * sizeof *table.slots);

    if (status == RILL_OK && clean->triangle_count == 0)
        status = rill_fail(error, RILL_INVALID,
                           "all %d triangles of the mesh are degenerate (corners on one point or one line); export it "
                           "again, perhaps in a larger unit",
                           input->triangle_count);
    if (status == RILL_OK) status = count_edges(m, clean, report, error);
    if (status != RILL_OK) rill_owned_mesh_free(m, clean);
    return status;
}

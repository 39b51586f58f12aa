/* SPDX-License-Identifier: MIT */
/* The edges of a mesh, in a hash table. */
#include "geometry/edges.h"

#include "core/hash.h"

#include <string.h>

/* The slot of an edge, or the empty slot where it belongs. */
static edge *find(const edge_table *table, int32_t low, int32_t high) {
    size_t slot = (size_t)rill_hash_mix((uint64_t)low << 32 | (uint32_t)high) & (table->room - 1);
    while (table->slots[slot].low >= 0 && (table->slots[slot].low != low || table->slots[slot].high != high))
        slot = (slot + 1) & (table->room - 1);
    return &table->slots[slot];
}

static void add(edge_table *table, int32_t from, int32_t to, int32_t triangle) {
    const int32_t low = from < to ? from : to, high = from < to ? to : from;
    edge *e = find(table, low, high);
    if (e->low < 0) *e = (edge){.low = low, .high = high, .triangle = {-1, -1}};
    if (e->triangle[0] < 0)
        e->triangle[0] = triangle;
    else if (e->triangle[1] < 0)
        e->triangle[1] = triangle;
    if (from == low)
        e->forward++;
    else
        e->backward++;
}

bool rill_edges_build(memory *m, const mesh *mesh, edge_table *table) {
    const size_t most = 3 * (size_t)mesh->triangle_count;
    table->room = 16;
    while (table->room < most + most / 4) table->room *= 2;
    table->slots = rill_memory_get(m, table->room * sizeof *table->slots);
    if (!table->slots) return false;
    for (size_t k = 0; k < table->room; k++) table->slots[k] = (edge){.low = -1};
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int c = 0; c < 3; c++) add(table, mesh->triangles[t][c], mesh->triangles[t][next_corner(c)], t);
    return true;
}

void rill_edges_free(memory *m, edge_table *table) {
    if (table->slots) rill_memory_release(m, table->slots, table->room * sizeof *table->slots);
    *table = (edge_table){0};
}

const edge *rill_edges_of(const edge_table *table, const mesh *mesh, int triangle, int corner) {
    const int32_t from = mesh->triangles[triangle][corner], to = mesh->triangles[triangle][next_corner(corner)];
    return find(table, from < to ? from : to, from < to ? to : from);
}

void rill_edges_count(const edge_table *table, mesh_report *report) {
    report->open_edges = report->non_manifold_edges = report->turned_edges = 0;
    report->closed = true;
    for (size_t k = 0; k < table->room; k++) {
        const edge *e = &table->slots[k];
        if (e->low < 0) continue;
        const int32_t all = e->forward + e->backward;
        if (all == 1) report->open_edges++;
        if (all > 2) report->non_manifold_edges++;
        if (all == 2 && e->forward != e->backward) report->turned_edges++;
        if (e->forward != e->backward) report->closed = false;
    }
}

/* SPDX-License-Identifier: MIT */
/* Facts about a mesh file, before it is used as a solid. */
#include "apps/cli/show/mesh_facts.h"

#include "core/error.h"
#include "geometry/read/read.h"
#include "io/file.h"
#include "io/io.h"
#include "io/mesh_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* The header of a PLY mesh is a few hundred bytes long, that of a frame with many bodies several thousand. */
#define PLY_HEAD_SIZE 65536
/* Solids in scenes are seldom longer than this [m]. */
#define LONG_SIDE 10.0

/* ---- recognising meshes ---- */

static bool ends_in(const char *path, const char *const *endings, size_t count) {
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot && k < count; k++)
        if (strcasecmp(dot + 1, endings[k]) == 0) return true;
    return false;
}

/* Whether a PLY file has faces; files of particles have none. */
static bool has_faces(const char *path) {
    char head[PLY_HEAD_SIZE + 1];
    const int file = rill_io_open_input(path, NULL);
    if (file < 0) return false;
    const ssize_t size = read(file, head, PLY_HEAD_SIZE);
    close(file);
    if (size < 3 || strncasecmp(head, "ply", 3) != 0) return false;
    head[size] = '\0';
    for (const char *line = head; line; line = strpbrk(line, "\r\n")) {
        line += strspn(line, "\r\n");
        if (strncasecmp(line, "element face", 12) == 0) return true;
        if (strncasecmp(line, "end_header", 10) == 0) return false;
    }
    return false;
}

bool is_mesh_file(const char *path) {
    /* Formats from gltf on cannot be read; the reader's message says how to convert them. */
    static const char *const endings[] = {"obj", "stl",  "off",   "gltf", "glb", "fbx", "dae", "3ds",
                                          "3mf", "step", "blend", "x3d",  "wrl", "usd", "usdz"};
    return access(path, F_OK) == 0 && (ends_in(path, endings, sizeof endings / sizeof *endings) || has_faces(path));
}

/* ---- facts ---- */

static const char *orientation_of(const mesh_report *report, int triangles) {
    if (!report->closed) return "none: the surface is open";
    if (report->turned_edges > 0) return "mixed: neighbours disagree";
    if (report->flipped == triangles) return "inward";
    return report->flipped > 0 ? "mixed: some parts are inside out" : "outward";
}

static rill_status measure(memory *m, const owned_mesh *read, owned_mesh *clean, mesh_facts *facts, rill_error *error) {
    const mesh input = rill_mesh_view(read);
    TRY(rill_mesh_clean(m, &input, clean, &facts->report, error));
    TRY(rill_mesh_orient(m, clean, &facts->report, error));
    const mesh view = rill_mesh_view(clean);
    float low[3], high[3];
    rill_mesh_bounds(&view, low, high);
    for (int axis = 0; axis < 3; axis++) facts->low[axis] = (double)low[axis], facts->high[axis] = (double)high[axis];
    facts->vertices = read->vertex_count;
    facts->triangles = read->triangle_count;
    facts->distinct = clean->vertex_count;
    facts->area = rill_mesh_area(&view);
    facts->volume = facts->report.closed ? rill_mesh_solid_of(&view).volume : 0.0;
    facts->orientation = orientation_of(&facts->report, clean->triangle_count);
    return RILL_OK;
}

rill_status mesh_facts_read(const char *path, mesh_facts *facts, rill_error *error) {
    char *bytes;
    size_t size;
    memory m;
    owned_mesh read, clean = {0};
    *facts = (mesh_facts){0};
    rill_memory_init(&m, NULL);
    TRY(rill_io_read_at_most(path, IO_MESH_MAX, &bytes, &size, error));
    facts->format = rill_mesh_format_name(rill_mesh_format_of(bytes, size, path));
    rill_status status = rill_mesh_read(&m, bytes, size, path, &read, error);
    free(bytes);
    if (status == RILL_OK) status = measure(&m, &read, &clean, facts, error);
    rill_owned_mesh_free(&m, &read);
    rill_owned_mesh_free(&m, &clean);
    return status;
}

void mesh_facts_unit_hint(const mesh_facts *facts, char *text, size_t size) {
    double longest = 0.0;
    for (int axis = 0; axis < 3; axis++) longest = fmax(longest, facts->high[axis] - facts->low[axis]);
    text[0] = '\0';
    if (longest > LONG_SIDE)
        snprintf(
            text, size,
            "numbers are metres, so it is %.4g m long; write \"scale\": 0.001 if they were meant as mm, 0.01 if as "
            "cm",
            longest);
}

/* SPDX-License-Identifier: MIT */
/* Patches over holes. Where a mesh is open, the winding number passes 1/2 far from any triangle, and a distance with
   that sign would jump there. So the surface of winding number 1/2 is added to the mesh: by marching over the
   tetrahedra of the cells in which the sign changes although the mesh is too far away to explain it. */
#include "geometry/field_job.h"

/* Corner k of a cell lies at (k & 1, k >> 1 & 1, k >> 2). Six tetrahedra around the long diagonal fill the cell and
   match those of its neighbours (Kuhn). */
static const uint8_t tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7},
                                         {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};

typedef struct patch_cell {
    dvec place[8];
    double distance[8]; /* signed */
    double winding[8];
} patch_cell;

/* A sign change that the mesh does not explain: the two points are closer together than the sum of their distances. */
static bool is_jump(const patch_cell *c, int a, int b) {
    if ((c->distance[a] < 0.0) == (c->distance[b] < 0.0)) return false;
    const double length = dvec_length(dvec_sub(c->place[a], c->place[b]));
    return fabs(c->distance[a]) + fabs(c->distance[b]) > 1.02 * length;
}

static dvec crossing(const patch_cell *c, int a, int b) {
    const double da = fabs(c->distance[a]), db = fabs(c->distance[b]);
    double share = da / (da + db);
    if (is_jump(c, a, b)) share = (c->winding[a] - 0.5) / (c->winding[a] - c->winding[b]);
    if (!(share >= 0.0)) share = 0.0;
    if (share > 1.0) share = 1.0;
    return dvec_along(c->place[a], share, dvec_sub(c->place[b], c->place[a]));
}

static bool add_triangle(field_job *job, dvec a, dvec b, dvec c, dvec out) {
    owned_mesh *s = &job->surface;
    if (s->triangle_count >= MESH_MAX_TRIANGLES) return false;
    if (s->triangle_count == s->triangle_room || s->vertex_count + 3 > s->vertex_room) {
        if (!rill_owned_mesh_reserve(job->memory, s, s->vertex_count + s->vertex_count / 2 + 64,
                                     s->triangle_count + s->triangle_count / 2 + 64))
            return false;
    }
    const dvec normal = dvec_cross(dvec_sub(b, a), dvec_sub(c, a));
    const bool turned = dvec_dot(normal, out) < 0.0;
    const int32_t first = s->vertex_count;
    dvec_to_floats(a, s->vertices[first]);
    dvec_to_floats(turned ? c : b, s->vertices[first + 1]);
    dvec_to_floats(turned ? b : c, s->vertices[first + 2]);
    for (int k = 0; k < 3; k++) s->triangles[s->triangle_count][k] = first + k;
    s->vertex_count += 3;
    s->triangle_count++;
    return true;
}

static bool march(field_job *job, const patch_cell *c, const uint8_t corner[4]) {
    int in[4], out[4], in_count = 0, out_count = 0;
    for (int k = 0; k < 4; k++) {
        if (c->distance[corner[k]] < 0.0)
            in[in_count++] = corner[k];
        else
            out[out_count++] = corner[k];
    }
    bool jump = false;
    for (int i = 0; i < in_count; i++)
        for (int o = 0; o < out_count; o++) jump = jump || is_jump(c, in[i], out[o]);
    if (!jump) return true;
    const dvec outwards = dvec_sub(c->place[out[0]], c->place[in[0]]);
    if (in_count == 2) {
        const dvec p = crossing(c, in[0], out[0]), q = crossing(c, in[0], out[1]), r = crossing(c, in[1], out[1]),
                   s = crossing(c, in[1], out[0]);
        return add_triangle(job, p, q, r, outwards) && add_triangle(job, p, r, s, outwards);
    }
    const int *lone = in_count == 1 ? in : out, *others = in_count == 1 ? out : in;
    return add_triangle(job, crossing(c, lone[0], others[0]), crossing(c, lone[0], others[1]),
                        crossing(c, lone[0], others[2]), outwards);
}

/* False if out of memory. `at` is the cell's place in its block. */
static bool patch_one_cell(field_job *job, const int b[3], const int at[3], const float *nodes) {
    patch_cell c;
    bool any_jump = false;
    for (int k = 0; k < 8; k++) {
        const int n[3] = {at[0] + (k & 1), at[1] + (k >> 1 & 1), at[2] + (k >> 2)};
        c.distance[k] = (double)nodes[field_node_at(n[0], n[1], n[2])];
        c.place[k] =
            job_node_place(job->field, b[0] * FIELD_BLOCK + n[0], b[1] * FIELD_BLOCK + n[1], b[2] * FIELD_BLOCK + n[2]);
    }
    for (int k = 0; k < 8; k++)
        for (int bit = 1; bit < 8; bit *= 2) any_jump = any_jump || (!(k & bit) && is_jump(&c, k, k | bit));
    if (!any_jump) return true;
    for (int k = 0; k < 8; k++) c.winding[k] = rill_winding_number(&job->winding, c.place[k]);
    for (int k = 0; k < 6; k++)
        if (!march(job, &c, tetrahedra[k])) return false;
    return true;
}

static bool patch_block(field_job *job, const int b[3], const float *nodes) {
    int at[3];
    for (at[2] = 0; at[2] < FIELD_BLOCK; at[2]++)
        for (at[1] = 0; at[1] < FIELD_BLOCK; at[1]++)
            for (at[0] = 0; at[0] < FIELD_BLOCK; at[0]++)
                if (!patch_one_cell(job, b, at, nodes)) return false;
    return true;
}

int rill_job_patch_holes(field_job *job) {
    const distance_field *f = job->field;
    const int before = job->surface.triangle_count;
    int b[3];
    for (b[2] = 0; b[2] < f->blocks[2]; b[2]++)
        for (b[1] = 0; b[1] < f->blocks[1]; b[1]++)
            for (b[0] = 0; b[0] < f->blocks[0]; b[0]++) {
                const int32_t fine = f->index[field_block_at(f, b[0], b[1], b[2])];
                if (fine >= 0 && !patch_block(job, b, field_block_nodes(f, fine))) return -1;
            }
    return job->surface.triangle_count - before;
}

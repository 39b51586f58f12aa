/* SPDX-License-Identifier: MIT */
/* Triangle meshes: checks, measures, and the enclosed solid. */
#include "geometry/mesh.h"

#include "core/error.h"

#include <float.h>
#include <string.h>

/* ---- checks ---- */

static rill_status check_vertices(const mesh *input, rill_error *error) {
    for (int v = 0; v < input->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++) {
            const float value = input->vertices[v][axis];
            if (!isfinite(value))
                return rill_fail(error, RILL_INVALID,
                                 "vertex %d of the mesh has %c = %g, which is not finite; repair or export it again", v,
                                 "xyz"[axis], (double)value);
            if (fabsf(value) > MESH_MAX_COORDINATE)
                return rill_fail(
                    error, RILL_INVALID,
                    "vertex %d of the mesh has %c = %g, at most %g is allowed; scale the mesh to metres or "
                    "remove the stray vertex",
                    v, "xyz"[axis], (double)value, (double)MESH_MAX_COORDINATE);
        }
    return RILL_OK;
}

static rill_status check_triangles(const mesh *input, rill_error *error) {
    for (int t = 0; t < input->triangle_count; t++)
        for (int c = 0; c < 3; c++) {
            const int32_t v = input->triangles[t][c];
            if (v < 0 || v >= input->vertex_count)
                return rill_fail(error, RILL_INVALID,
                                 "triangle %d of the mesh names vertex %d, but there are %d (counted from 0); the file "
                                 "is damaged or its indices count from 1",
                                 t, v, input->vertex_count);
        }
    return RILL_OK;
}

rill_status rill_mesh_check(const mesh *input, rill_error *error) {
    if (input->vertex_count < 3 || input->triangle_count < 1 || !input->vertices || !input->triangles)
        return rill_fail(error, RILL_INVALID,
                         "the mesh is empty (%d vertices, %d triangles); give at least one triangle, and a closed "
                         "surface to make a solid",
                         input->vertex_count, input->triangle_count);
    if (input->triangle_count > MESH_MAX_TRIANGLES || input->vertex_count > MESH_MAX_TRIANGLES)
        return rill_fail(error, RILL_LIMIT,
                         "the mesh has %d vertices and %d triangles, at most %d of each are allowed; simplify it",
                         input->vertex_count, input->triangle_count, MESH_MAX_TRIANGLES);
    TRY(check_vertices(input, error));
    return check_triangles(input, error);
}

/* ---- memory ---- */

static bool grow(memory *m, void **data, int *room, int wanted, size_t item) {
    if (wanted <= *room) return true;
    void *larger = rill_memory_get(m, (size_t)wanted * item);
    if (!larger) return false;
    if (*data) {
        memcpy(larger, *data, (size_t)*room * item);
        rill_memory_release(m, *data, (size_t)*room * item);
    }
    *data = larger;
    *room = wanted;
    return true;
}

bool rill_owned_mesh_reserve(memory *m, owned_mesh *mesh, int vertices, int triangles) {
    void *v = mesh->vertices, *t = mesh->triangles;
    bool enough = grow(m, &v, &mesh->vertex_room, vertices, sizeof *mesh->vertices);
    enough = enough && grow(m, &t, &mesh->triangle_room, triangles, sizeof *mesh->triangles);
    mesh->vertices = v, mesh->triangles = t;
    return enough;
}

void rill_owned_mesh_free(memory *m, owned_mesh *mesh) {
    if (mesh->vertices) rill_memory_release(m, mesh->vertices, (size_t)mesh->vertex_room * sizeof *mesh->vertices);
    if (mesh->triangles) rill_memory_release(m, mesh->triangles, (size_t)mesh->triangle_room * sizeof *mesh->triangles);
    *mesh = (owned_mesh){0};
}

mesh rill_mesh_view(const owned_mesh *owned) {
    return (mesh){(const float(*)[3])owned->vertices, owned->vertex_count, (const int32_t(*)[3])owned->triangles,
                  owned->triangle_count};
}

/* ---- measures ---- */

void rill_mesh_bounds(const mesh *mesh, float low[3], float high[3]) {
    for (int axis = 0; axis < 3; axis++) low[axis] = FLT_MAX, high[axis] = -FLT_MAX;
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int c = 0; c < 3; c++) {
            const float *p = mesh->vertices[mesh->triangles[t][c]];
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = fminf(low[axis], p[axis]);
                high[axis] = fmaxf(high[axis], p[axis]);
            }
        }
}

double rill_mesh_area(const mesh *mesh) {
    double area = 0.0;
    for (int t = 0; t < mesh->triangle_count; t++) area += 0.5 * dvec_length(mesh_normal(mesh, t));
    return area;
}

/* Sums over the tetrahedra from one point to each triangle: volume, first and second moments (integral of x x^T, in the
   order xx yy zz xy yz zx). */
typedef struct moments {
    double volume;
    dvec first;
    double second[6];
} moments;

static void add_products(double second[6], double weight, dvec a) {
    second[0] += weight * a.x * a.x, second[1] += weight * a.y * a.y, second[2] += weight * a.z * a.z;
    second[3] += weight * a.x * a.y, second[4] += weight * a.y * a.z, second[5] += weight * a.z * a.x;
}

/* For a tetrahedron with one corner at the origin: volume V = a.(b x c) / 6, first moment V (a+b+c) / 4, second moment
   V / 20 ((a+b+c)(a+b+c)^T + a a^T + b b^T + c c^T). */
static void add_tetrahedron(moments *sum, dvec a, dvec b, dvec c) {
    const double volume = dvec_dot(a, dvec_cross(b, c)) / 6.0;
    const dvec all = dvec_add(a, dvec_add(b, c));
    sum->volume += volume;
    sum->first = dvec_along(sum->first, volume / 4.0, all);
    add_products(sum->second, volume / 20.0, all);
    add_products(sum->second, volume / 20.0, a);
    add_products(sum->second, volume / 20.0, b);
    add_products(sum->second, volume / 20.0, c);
}

mesh_solid rill_mesh_solid_of(const mesh *mesh) {
    mesh_solid solid = {0};
    float low[3], high[3];
    rill_mesh_bounds(mesh, low, high);
    /* The origin is the middle of the mesh: far from it the sums would be small differences of large numbers. */
    const dvec origin = dvec_scale(dvec_add(dvec_of_floats(low), dvec_of_floats(high)), 0.5);
    moments sum = {0};
    for (int t = 0; t < mesh->triangle_count; t++)
        add_tetrahedron(&sum, dvec_sub(mesh_corner(mesh, t, 0), origin), dvec_sub(mesh_corner(mesh, t, 1), origin),
                        dvec_sub(mesh_corner(mesh, t, 2), origin));
    solid.volume = sum.volume;
    const dvec offset = sum.volume != 0.0 ? dvec_scale(sum.first, 1.0 / sum.volume) : (dvec){0, 0, 0};
    const dvec centre = dvec_add(origin, offset);
    for (int axis = 0; axis < 3; axis++) solid.centre[axis] = dvec_get(centre, axis);

    double s[6];
    memcpy(s, sum.second, sizeof s);
    add_products(s, -sum.volume, offset);
    solid.inertia[0][0] = s[1] + s[2], solid.inertia[1][1] = s[2] + s[0], solid.inertia[2][2] = s[0] + s[1];
    solid.inertia[0][1] = solid.inertia[1][0] = -s[3];
    solid.inertia[1][2] = solid.inertia[2][1] = -s[4];
    solid.inertia[2][0] = solid.inertia[0][2] = -s[5];
    return solid;
}

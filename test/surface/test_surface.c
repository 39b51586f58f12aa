/* SPDX-License-Identifier: MIT */
/* Surfaces: closed and manifold for any particles, of the right volume, ending at walls, the same on any number of
   threads, and safe with bad input. */
#include "surface/manifold.h"

#include "rill/rill.h"
#include "surface/cube_cases.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define FIELDS 3

#if defined(__SANITIZE_THREAD__)
#define WATCHES_THREADS true
#else
#define WATCHES_THREADS false
#endif

typedef struct cloud {
    rill_vec *position, *velocity;
    uint32_t *fluid;
    int count;
    float spacing;
    int dim;
} cloud;

typedef enum cloud_shape { CLOUD_BOX, CLOUD_BALL, CLOUD_TANK } cloud_shape;

static float pseudo_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / 16777216.0f;
}

static cloud cloud_reserve(int dim, int room, float spacing) {
    cloud c = {.spacing = spacing, .dim = dim};
    c.position = calloc((size_t)room, sizeof *c.position);
    c.velocity = calloc((size_t)room, sizeof *c.velocity);
    c.fluid = calloc((size_t)room, sizeof *c.fluid);
    assert_true(c.position && c.velocity && c.fluid);
    return c;
}

static void cloud_free(cloud *c) {
    free(c->position);
    free(c->velocity);
    free(c->fluid);
}

/* The unit box, the ball in it, or its lower half, on a lattice that is slightly disturbed. */
static cloud cloud_make(int dim, int side, cloud_shape shape, float shake) {
    cloud c = cloud_reserve(dim, side * side * (dim == 3 ? side : 1), 1.0f / (float)side);
    uint32_t state = 1;
    for (int k = 0; k < side * side * (dim == 3 ? side : 1); k++) {
        float x[3] = {(float)(k % side), (float)(k / side % side), (float)(k / side / side)};
        for (int a = 0; a < dim; a++) x[a] = (x[a] + 0.5f + shake * (pseudo_random(&state) - 0.5f)) * c.spacing;
        if (dim == 2) x[2] = 0.0f;
        const float dx = x[0] - 0.5f, dy = x[1] - 0.5f, dz = dim == 3 ? x[2] - 0.5f : 0.0f;
        if (shape == CLOUD_BALL && dx * dx + dy * dy + dz * dz > 0.25f) continue;
        if (shape == CLOUD_TANK && x[dim - 1] > 0.5f) continue;
        c.position[c.count++] = (rill_vec){x[0], x[1], x[2]};
    }
    return c;
}

static rill_surface_particles cloud_view(const cloud *c) {
    return (rill_surface_particles){.dim = c->dim,
                                    .count = c->count,
                                    .position = c->position,
                                    .velocity = c->velocity,
                                    .fluid = c->fluid,
                                    .spacing = c->spacing};
}

static rill_surface *make_surface(rill_surface_field field, float cell, int workers) {
    rill_surface_def def = rill_surface_def_default();
    rill_error error = {RILL_OK, ""};
    def.field = field, def.cell = cell, def.workers = workers;
    rill_surface *s = rill_surface_create(&def, &error);
    if (!s) fail_msg("%s", error.text);
    return s;
}

static rill_surface_mesh mesh_of(rill_surface *s, const rill_surface_particles *particles) {
    rill_surface_mesh mesh;
    rill_error error = {RILL_OK, ""};
    if (rill_surface_of_particles(s, particles, &mesh, &error) != RILL_OK) fail_msg("%s", error.text);
    const char *problem = mesh_problem(&mesh);
    if (problem) fail_msg("%s", problem);
    return mesh;
}

/* Walls of the unit box without its lid: 0 is the floor, then x = 0, x = 1, y = 0, y = 1. */
static float tank_wall(int wall, rill_vec p, rill_vec *normal, void *context) {
    const int dim = *(const int *)context;
    const rill_vec up = {0, dim == 2 ? 1.0f : 0.0f, dim == 3 ? 1.0f : 0.0f};
    const rill_vec normals[] = {up, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    const float distances[] = {dim == 3 ? p.z : p.y, p.x, 1.0f - p.x, p.y, 1.0f - p.y};
    *normal = normals[wall];
    return distances[wall];
}

/* ---- the table ---- */

static void patterns_use_their_cuts(void **state) {
    (void)state;
    cube_cases *cases = malloc(sizeof *cases);
    assert_non_null(cases);
    rill_cube_cases_make(cases);
    for (int pattern = 0; pattern < 256; pattern++) {
        const cube_case *c = &cases->of[pattern];
        for (int edge = 0; edge < 12; edge++) {
            int corner[3], used = 0;
            cube_edge_corner(edge, corner);
            const int low = corner[0] | corner[1] << 1 | corner[2] << 2, high = low | 1 << edge / 4;
            for (int t = 0; t < 3 * c->count; t++) used += c->triangle[t / 3][t % 3] == edge;
            assert_int_equal(used > 0, (pattern >> low & 1) != (pattern >> high & 1));
        }
    }
    free(cases);
}

/* ---- closed for any particles ---- */

/* From few particles to crowds: clouds unlike any water. */
static void random_clouds_are_closed(void **state) {
    (void)state;
    const float cells[] = {0.27f, 0.5f, 1.0f};
    for (int round = 0; round < 12; round++)
        for (int dim = 2; dim <= 3; dim++)
            for (int field = 0; field < FIELDS; field++) {
                uint32_t random = (uint32_t)(round * 100 + dim * 10 + field);
                const int count = dim == 3 ? 20 << round % 6 : 10 << round % 6;
                const float spacing = 0.1f;
                cloud c = cloud_reserve(dim, count, spacing);
                for (c.count = 0; c.count < count; c.count++) {
                    rill_vec *p = &c.position[c.count];
                    *p = (rill_vec){pseudo_random(&random), pseudo_random(&random), pseudo_random(&random) * 0.4f};
                    if (dim == 2) p->z = 0.0f;
                    c.velocity[c.count] = (rill_vec){1, 2, dim == 3 ? 3 : 0};
                }
                rill_surface *s = make_surface((rill_surface_field)field, cells[round % 3], 1);
                rill_surface_particles in = cloud_view(&c);
                /* Every other time in a tank that cuts through the cloud. */
                if (round & 1) in.wall_count = dim == 3 ? 5 : 3, in.wall = tank_wall, in.wall_context = &dim;
                const rill_surface_mesh mesh = mesh_of(s, &in);
                assert_true(mesh.volume >= 0.0);
                for (int v = 0; v < mesh.vertex_count; v++) {
                    assert_float_equal(mesh.velocity[v].x, 1.0f, 1e-4f);
                    assert_float_equal(mesh.velocity[v].y, 2.0f, 1e-4f);
                }
                rill_surface_destroy(s);
                cloud_free(&c);
            }
}

/* ---- volume ---- */

static void volumes_are_right(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int field = 0; field < FIELDS; field++)
            for (int shape = CLOUD_BOX; shape <= CLOUD_TANK; shape++)
                for (int shaken = 0; shaken < 2; shaken++) {
                    cloud c = cloud_make(dim, 20, (cloud_shape)shape, shaken ? 0.4f : 0.0f);
                    rill_surface *s = make_surface((rill_surface_field)field, 0.5f, 1);
                    rill_surface_particles in = cloud_view(&c);
                    if (shape == CLOUD_TANK)
                        in.wall_count = dim == 3 ? 5 : 3, in.wall = tank_wall, in.wall_context = &dim;
                    const rill_surface_mesh mesh = mesh_of(s, &in);
                    const double exact = (double)c.count * pow((double)c.spacing, dim);
                    /* The goal is 5 %. */
                    if (fabs(mesh.volume / exact - 1.0) > 0.025)
                        fail_msg("%dD, field %d, shape %d: volume %g, should be %g", dim, field, shape, mesh.volume,
                                 exact);
                    rill_surface_destroy(s);
                    cloud_free(&c);
                }
}

/* Torn water is drops, not a cloud: particles half a spacing too far apart keep their own volume, where filling the
   gaps between them would show three times as much. A single connected layer must not suffer. */
static void torn_water_is_not_filled(void **state) {
    (void)state;
    const struct {
        int across, up;
        float apart;
        double most;
    } cases[] = {{8, 8, 1.5f, 1.3}, {20, 1, 1.3f, 1.3}, {20, 1, 1.0f, 1.05}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int n = cases[k].across, count = n * n * cases[k].up;
        cloud c = cloud_reserve(3, count, 0.05f);
        for (c.count = 0; c.count < count; c.count++) {
            const float step = cases[k].apart * c.spacing;
            c.position[c.count] = (rill_vec){step * (float)(c.count % n), step * (float)(c.count / n % n),
                                             step * (float)(c.count / n / n)};
        }
        rill_surface *s = make_surface(RILL_SURFACE_ANISOTROPIC, 0.5f, 1);
        const rill_surface_particles in = cloud_view(&c);
        const double share = mesh_of(s, &in).volume / (count * 0.05 * 0.05 * 0.05);
        if (share < 0.9 || share > cases[k].most) fail_msg("case %zu: %g of the particles' volume", k, share);
        rill_surface_destroy(s);
        cloud_free(&c);
    }
}

/* A falling jet: `wide` particles across, drawn out along its axis and narrower by as much. */
static cloud make_jet(int dim, int wide, float stretch, int length) {
    cloud c = cloud_reserve(dim, wide * (dim == 3 ? wide : 1) * length, 0.02f);
    const float narrow = dim == 3 ? 1.0f / sqrtf(stretch) : 1.0f / stretch, middle = 0.5f * (float)(wide - 1);
    uint32_t random = 1;
    for (int k = 0; k < wide * (dim == 3 ? wide : 1) * length; k++) {
        const float x = (float)(k % wide) - middle, y = dim == 3 ? (float)(k / wide % wide) - middle : 0.0f;
        const float z = stretch * (float)(k / wide / (dim == 3 ? wide : 1));
        if (x * x + y * y > 0.25f * (float)(wide * wide)) continue;
        float at[3] = {x * narrow, dim == 3 ? y * narrow : z, dim == 3 ? z : 0.0f};
        for (int a = 0; a < dim; a++) at[a] += 0.2f * (pseudo_random(&random) - 0.5f);
        c.position[c.count++] = (rill_vec){at[0] * c.spacing, at[1] * c.spacing, at[2] * c.spacing};
    }
    return c;
}

static void jets_are_full_and_keep_their_volume(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int wide = dim == 3 ? 1 : 3; wide <= 6; wide++)
            for (float stretch = 1.0f; stretch < 1.7f; stretch += 0.3f) {
                const int length = 60;
                cloud c = make_jet(dim, wide, stretch, length);
                rill_surface *s = make_surface(RILL_SURFACE_ANISOTROPIC, 0.5f, 1);
                const rill_surface_particles in = cloud_view(&c);
                const rill_surface_mesh mesh = mesh_of(s, &in);
                const double share = mesh.volume / (c.count * pow((double)c.spacing, dim));
                if (fabs(share - 1.0) > 0.1)
                    fail_msg("%dD, %d wide, stretched %g: %g", dim, wide, (double)stretch, share);
                /* Away from its ends a jet has no surface near its axis; one of one or two particles is all surface. */
                for (int v = 0; v < mesh.vertex_count && wide > 2; v++) {
                    const rill_vec p = mesh.position[v];
                    const float along = (dim == 3 ? p.z : p.y) / c.spacing, y = dim == 3 ? p.y : 0.0f;
                    if (fabsf(along / ((float)length * stretch) - 0.5f) > 0.3f) continue;
                    assert_true(sqrtf(p.x * p.x + y * y) > 0.25f * (float)wide / stretch * c.spacing);
                }
                rill_surface_destroy(s);
                cloud_free(&c);
            }
}

/* One particle is a ball of its volume, is listed as lone, and is left out if drops are not wanted. */
static void a_lone_particle_is_a_drop(void **state) {
    (void)state;
    const rill_vec place = {0.013f, 0.027f, 0.041f};
    const rill_surface_particles in = {.dim = 3, .count = 1, .position = &place, .spacing = 0.1f};
    rill_surface *s = make_surface(RILL_SURFACE_ANISOTROPIC, 0.5f, 1);
    rill_surface_mesh mesh = mesh_of(s, &in);
    assert_true(fabs(mesh.volume / 1e-3 - 1.0) < 0.1);
    assert_int_equal(mesh.lone_count, 1);
    assert_int_equal(mesh.lone[0], 0);
    rill_surface_destroy(s);
    rill_surface_def def = rill_surface_def_default();
    def.droplets = false;
    s = rill_surface_create(&def, NULL);
    assert_non_null(s);
    mesh = mesh_of(s, &in);
    assert_int_equal(mesh.element_count, 0);
    assert_int_equal(mesh.lone_count, 1);
    rill_surface_destroy(s);
    cloud c = cloud_make(3, 10, CLOUD_BOX, 0.2f);
    const rill_surface_particles together = cloud_view(&c);
    s = make_surface(RILL_SURFACE_ANISOTROPIC, 0.5f, 1);
    assert_int_equal(mesh_of(s, &together).lone_count, 0);
    rill_surface_destroy(s);
    cloud_free(&c);
}

static void a_ball_is_round(void **state) {
    (void)state;
    cloud c = cloud_make(3, 24, CLOUD_BALL, 0.4f);
    rill_surface *s = make_surface(RILL_SURFACE_ANISOTROPIC, 0.5f, 1);
    const rill_surface_particles in = cloud_view(&c);
    const rill_surface_mesh mesh = mesh_of(s, &in);
    assert_true(fabs(mesh.area / 3.14159265 - 1.0) < 0.02);
    for (int v = 0; v < mesh.vertex_count; v++) {
        const rill_vec p = mesh.position[v], n = mesh.normal[v];
        const float x = p.x - 0.5f, y = p.y - 0.5f, z = p.z - 0.5f, radius = sqrtf(x * x + y * y + z * z);
        assert_true(fabsf(radius - 0.5f) < 0.6f * c.spacing);
        assert_true((n.x * x + n.y * y + n.z * z) / radius > 0.7f);
    }
    rill_surface_destroy(s);
    cloud_free(&c);
}

/* ---- walls and periods ---- */

static void fluid_ends_at_walls(void **state) {
    (void)state;
    for (int field = 0; field < FIELDS; field++) {
        int dim = 3;
        cloud c = cloud_make(dim, 20, CLOUD_TANK, 0.3f);
        rill_surface *s = make_surface((rill_surface_field)field, 0.5f, 3);
        rill_surface_particles in = cloud_view(&c);
        in.wall_count = 5, in.wall = tank_wall, in.wall_context = &dim;
        const rill_surface_mesh mesh = mesh_of(s, &in);
        int on_wall = 0;
        float highest_at_wall = 0.0f, lowest_rim = 1.0f;
        for (int v = 0; v < mesh.vertex_count; v++) {
            const rill_vec p = mesh.position[v];
            const float across = fminf(fminf(p.x, 1.0f - p.x), fminf(p.y, 1.0f - p.y));
            assert_true(across > -1e-4f && p.z > -1e-4f);
            if (across < 1e-3f) on_wall++, highest_at_wall = fmaxf(highest_at_wall, p.z);
            if (mesh.normal[v].z > 0.9f) lowest_rim = fminf(lowest_rim, p.z);
        }
        assert_true(on_wall > mesh.vertex_count / 4);
        /* No meniscus: the surface is as high at the wall as in the middle, within a third of a spacing. */
        assert_true(fabsf(highest_at_wall - 0.5f) < 0.35f * c.spacing);
        assert_true(lowest_rim > 0.5f - 0.5f * c.spacing);
        rill_surface_destroy(s);
        cloud_free(&c);
    }
}

/* A floor, and a ball of radius 0.25 that stands on it. */
static float ball_on_floor(int wall, rill_vec p, rill_vec *normal, void *context) {
    (void)context;
    const float z = p.z - 0.25f, r = sqrtf(p.x * p.x + p.y * p.y + z * z);
    *normal = wall == 0 ? (rill_vec){0, 0, 1} : (rill_vec){p.x / r, p.y / r, z / r};
    return wall == 0 ? p.z : r - 0.25f;
}

/* The wedge under a ball is too narrow for particles but counts as full: no surface runs through it. */
static void wedges_are_filled(void **state) {
    (void)state;
    const float dx = 0.05f;
    cloud c = cloud_reserve(3, 20 * 20 * 14, dx);
    for (int k = 0; k < 20 * 20 * 14; k++) {
        const rill_vec p = {dx * ((float)(k % 20) - 9.5f), dx * ((float)(k / 20 % 20) - 9.5f),
                            dx * ((float)(k / 400) + 0.5f)};
        rill_vec normal;
        if (ball_on_floor(1, p, &normal, NULL) > 0.45f * dx) c.position[c.count++] = p;
    }
    rill_surface_def def = rill_surface_def_default();
    def.overlap = 0.5f; /* as in pictures */
    rill_surface *s = rill_surface_create(&def, NULL);
    assert_non_null(s);
    rill_surface_particles in = cloud_view(&c);
    in.wall_count = 2, in.wall = ball_on_floor;
    const rill_surface_mesh mesh = mesh_of(s, &in);
    int crossing = 0;
    for (int v = 0; v < mesh.vertex_count; v++) {
        const rill_vec p = mesh.position[v];
        rill_vec normal;
        const float across = sqrtf(p.x * p.x + p.y * p.y), ball = ball_on_floor(1, p, &normal, NULL);
        crossing += across > 2.0f * dx && across < 5.0f * dx && p.z < 0.25f && p.z > 0.15f * dx && ball > 0.15f * dx;
    }
    assert_int_equal(crossing, 0);
    rill_surface_destroy(s);
    cloud_free(&c);
}

/* With an overlap the mesh extends that far into the walls, and its top stays where it was. */
static void fluid_reaches_into_walls_if_asked(void **state) {
    (void)state;
    int dim = 3;
    cloud c = cloud_make(dim, 20, CLOUD_TANK, 0.3f);
    rill_surface_def def = rill_surface_def_default();
    def.overlap = 0.5f, def.workers = 1;
    rill_surface *s = rill_surface_create(&def, NULL);
    assert_non_null(s);
    rill_surface_particles in = cloud_view(&c);
    in.wall_count = 5, in.wall = tank_wall, in.wall_context = &dim;
    const rill_surface_mesh mesh = mesh_of(s, &in);
    float lowest = 1.0f, highest = 0.0f;
    int beyond = 0;
    for (int v = 0; v < mesh.vertex_count; v++) {
        const rill_vec p = mesh.position[v];
        lowest = fminf(lowest, p.z), highest = fmaxf(highest, p.z);
        beyond += p.x < -0.45f * c.spacing;
        assert_true(p.x > -0.55f * c.spacing && p.x < 1.0f + 0.55f * c.spacing);
    }
    assert_float_equal(lowest, -0.5f * c.spacing, 0.1f * c.spacing);
    assert_float_equal(highest, 0.5f, 0.35f * c.spacing);
    assert_true(beyond > 100);
    rill_surface_destroy(s);
    cloud_free(&c);
}

static void periodic_worlds_are_closed_at_their_faces(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        cloud c = cloud_make(dim, 16, CLOUD_TANK, 0.3f);
        rill_surface *s = make_surface(RILL_SURFACE_ANISOTROPIC, 0.5f, 2);
        rill_surface_particles in = cloud_view(&c);
        in.periodic = (rill_vec){1.0f, dim == 3 ? 1.0f : 0.0f, 0.0f};
        const rill_surface_mesh mesh = mesh_of(s, &in);
        assert_true(fabs(mesh.volume / 0.5 - 1.0) < 0.03);
        for (int v = 0; v < mesh.vertex_count; v++)
            assert_true(mesh.position[v].x > -1e-4f && mesh.position[v].x < 1.0f + 1e-4f);
        rill_surface_destroy(s);
        cloud_free(&c);
    }
}

/* ---- threads, fluids ---- */

static void same_bits_on_any_threads(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int field = 0; field < FIELDS; field++) {
            cloud c = cloud_make(dim, dim == 2 ? 60 : WATCHES_THREADS ? 12 : 18, CLOUD_BALL, 0.8f);
            for (int k = 0; k < c.count; k++) c.velocity[k] = c.position[k], c.fluid[k] = (uint32_t)(k & 1);
            const rill_surface_particles in = cloud_view(&c);
            rill_surface *one = make_surface((rill_surface_field)field, 0.5f, 1);
            rill_surface *three = make_surface((rill_surface_field)field, 0.5f, 3);
            const rill_surface_mesh a = mesh_of(one, &in), b = mesh_of(three, &in);
            assert_int_equal(a.vertex_count, b.vertex_count);
            assert_int_equal(a.element_count, b.element_count);
            const size_t v = (size_t)a.vertex_count;
            assert_memory_equal(a.position, b.position, v * sizeof(rill_vec));
            assert_memory_equal(a.normal, b.normal, v * sizeof(rill_vec));
            assert_memory_equal(a.velocity, b.velocity, v * sizeof(rill_vec));
            assert_memory_equal(a.fluid, b.fluid, v * sizeof(uint32_t));
            assert_memory_equal(a.index, b.index, (size_t)dim * (size_t)a.element_count * sizeof(int32_t));
            assert_true(a.volume == b.volume);
            rill_surface_destroy(one);
            rill_surface_destroy(three);
            cloud_free(&c);
        }
}

static void fluids_colour_their_vertices(void **state) {
    (void)state;
    cloud c = cloud_make(3, 16, CLOUD_BOX, 0.2f);
    for (int k = 0; k < c.count; k++) c.fluid[k] = c.position[k].x < 0.5f ? 3 : 7;
    rill_surface *s = make_surface(RILL_SURFACE_DISTANCE, 0.5f, 1);
    const rill_surface_particles in = cloud_view(&c);
    rill_surface_mesh mesh = mesh_of(s, &in);
    for (int v = 0; v < mesh.vertex_count; v++) {
        if (mesh.position[v].x < 0.45f) assert_int_equal(mesh.fluid[v], 3);
        if (mesh.position[v].x > 0.55f) assert_int_equal(mesh.fluid[v], 7);
    }
    rill_surface_destroy(s);

    rill_surface_def def = rill_surface_def_default();
    def.fluid = 7;
    s = rill_surface_create(&def, NULL);
    assert_non_null(s);
    mesh = mesh_of(s, &in);
    assert_true(fabs(mesh.volume - 0.5) < 0.03);
    rill_surface_destroy(s);
    cloud_free(&c);
}

/* ---- worlds ---- */

static void a_world_has_a_surface(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world_def world_def = rill_world_def_default(dim);
        world_def.spacing = 0.05f;
        rill_world *world = rill_world_create(&world_def, NULL);
        assert_non_null(world);
        const rill_fluid_def fluid = rill_fluid_def_default();
        rill_solid_def solid = rill_solid_def_default();
        rill_block_def block = rill_block_def_default();
        assert_int_equal(rill_world_add_fluid(world, &fluid, NULL), RILL_OK);
        solid.shape.kind = RILL_BOX, solid.shape.inside = true;
        solid.shape.max = (rill_vec){1, 1, dim == 3 ? 1 : 0};
        assert_int_equal(rill_world_add_solid(world, &solid, NULL), RILL_OK);
        block.shape.kind = RILL_BOX;
        block.shape.max = (rill_vec){1, dim == 3 ? 1 : 0.5f, dim == 3 ? 0.5f : 0};
        assert_int_equal(rill_world_add_block(world, &block, NULL), RILL_OK);
        for (int field = 0; field < FIELDS; field++) {
            rill_surface *s = make_surface((rill_surface_field)field, 0.5f, 1);
            rill_surface_mesh mesh;
            assert_int_equal(rill_surface_of_world(s, world, &mesh, NULL), RILL_OK);
            assert_null(mesh_problem(&mesh));
            assert_true(fabs(mesh.volume / 0.5 - 1.0) < 0.025);
            for (int v = 0; v < mesh.vertex_count; v++)
                assert_true(mesh.position[v].x > -1e-3f && mesh.position[v].x < 1.001f);
            rill_surface_destroy(s);
        }
        rill_world_destroy(world);
    }
}

/* ---- trouble ---- */

static void odd_particles_are_no_trouble(void **state) {
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e9f};
    for (int field = 0; field < FIELDS; field++)
        for (int dim = 2; dim <= 3; dim++) {
            rill_surface *s = make_surface((rill_surface_field)field, 0.5f, 1);
            cloud c = cloud_reserve(dim, 8, 0.1f);
            rill_surface_particles in = cloud_view(&c);
            rill_surface_mesh mesh = mesh_of(s, &in); /* none */
            assert_int_equal(mesh.vertex_count + mesh.element_count, 0);
            in.count = 1;
            mesh = mesh_of(s, &in); /* one: a ball */
            assert_true(mesh.element_count > 0);
            assert_true(mesh.volume > 0.85 * pow(0.1, dim) && mesh.volume < 1.15 * pow(0.1, dim));
            in.count = 5;
            for (int k = 0; k < 5; k++) c.position[k] = (rill_vec){bad[k], 0, 0}, c.velocity[k].x = bad[k];
            mesh = mesh_of(s, &in); /* none that is finite and near */
            assert_int_equal(mesh.vertex_count, 0);
            assert_int_equal(mesh.left_out, 5);
            c.position[2] = (rill_vec){0.3f, 0.3f, 0};
            mesh = mesh_of(s, &in);
            assert_true(mesh.vertex_count > 0);
            assert_int_equal(mesh.left_out, 4);
            for (int k = 0; k < 5; k++) c.position[k] = (rill_vec){0.3f, 0.3f, 0}; /* all in one place */
            mesh = mesh_of(s, &in);
            assert_true(mesh.vertex_count > 0);
            rill_surface_destroy(s);
            cloud_free(&c);
        }
}

static void nonsense_is_refused(void **state) {
    (void)state;
    rill_surface_def def = rill_surface_def_default();
    rill_error error;
    assert_null(rill_surface_create(NULL, &error));
    assert_int_equal(error.status, RILL_INVALID);
    def.cookie = 0;
    assert_null(rill_surface_create(&def, &error));
    assert_int_equal(error.status, RILL_INVALID);
    def = rill_surface_def_default();
    def.cell = NAN;
    assert_null(rill_surface_create(&def, &error));
    assert_non_null(strstr(error.text, "cell"));
    def = rill_surface_def_default();
    def.field = 9;
    assert_null(rill_surface_create(&def, NULL));

    rill_surface *s = make_surface(RILL_SURFACE_DISTANCE, 0.5f, 1);
    rill_surface_mesh mesh;
    rill_surface_particles in = {.dim = 4, .spacing = 0.1f};
    assert_int_equal(rill_surface_of_particles(s, &in, &mesh, &error), RILL_INVALID);
    in.dim = 3, in.count = 5;
    assert_int_equal(rill_surface_of_particles(s, &in, &mesh, &error), RILL_INVALID);
    in.count = 0, in.spacing = 0.0f;
    assert_int_equal(rill_surface_of_particles(s, &in, &mesh, &error), RILL_INVALID);
    assert_non_null(strstr(error.text, "spacing"));
    in.spacing = 0.1f, in.periodic.y = -1.0f;
    assert_int_equal(rill_surface_of_particles(s, &in, &mesh, &error), RILL_INVALID);
    assert_int_equal(rill_surface_of_particles(s, NULL, &mesh, NULL), RILL_INVALID);
    assert_int_equal(rill_surface_of_world(s, NULL, &mesh, NULL), RILL_INVALID);
    rill_surface_destroy(s);
    rill_surface_destroy(NULL);
}

/* An allocator that refuses after some calls, and counts what it has given. */
typedef struct stingy {
    int left;
    size_t held;
} stingy;

static void *stingy_allocate(size_t size, size_t alignment, void *context) {
    stingy *s = context;
    if (s->left-- <= 0) return NULL;
    s->held += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void stingy_release(void *memory, size_t size, void *context) {
    ((stingy *)context)->held -= size;
    free(memory);
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    cloud c = cloud_make(3, 8, CLOUD_BALL, 0.5f);
    rill_surface_particles in = cloud_view(&c);
    in.periodic.x = 1.0f;
    bool done = false;
    for (int calls = 0; !done && calls < 200; calls++) {
        stingy hooks = {calls, 0};
        rill_surface_def def = rill_surface_def_default();
        rill_error error = {RILL_OK, ""};
        def.allocator = (rill_allocator){stingy_allocate, stingy_release, &hooks};
        def.workers = 1;
        rill_surface *s = rill_surface_create(&def, &error);
        if (s) {
            rill_surface_mesh mesh;
            const rill_status status = rill_surface_of_particles(s, &in, &mesh, &error);
            assert_true(status == RILL_OK || status == RILL_MEMORY);
            if (status == RILL_OK) assert_null(mesh_problem(&mesh));
            done = status == RILL_OK;
        }
        if (!done) assert_int_equal(error.status, RILL_MEMORY);
        rill_surface_destroy(s);
        assert_int_equal(hooks.held, 0);
    }
    assert_true(done);
    cloud_free(&c);
}

/* Memory is kept: a second frame of the same size has as many bytes allocated. */
static void memory_is_kept(void **state) {
    (void)state;
    cloud c = cloud_make(3, 12, CLOUD_BALL, 0.5f);
    const rill_surface_particles in = cloud_view(&c);
    rill_surface *s = make_surface(RILL_SURFACE_ANISOTROPIC, 0.5f, 2);
    const size_t first = mesh_of(s, &in).bytes, second = mesh_of(s, &in).bytes;
    assert_int_equal(first, second);
    rill_surface_destroy(s);
    cloud_free(&c);
}

int main(void) {
    /* Several workers: the tests that the thread sanitizer has to watch. */
    const struct CMUnitTest shared[] = {
        cmocka_unit_test(fluid_ends_at_walls),
        cmocka_unit_test(periodic_worlds_are_closed_at_their_faces),
        cmocka_unit_test(same_bits_on_any_threads),
        cmocka_unit_test(memory_is_kept),
    };
    const struct CMUnitTest alone[] = {
        cmocka_unit_test(patterns_use_their_cuts),
        cmocka_unit_test(random_clouds_are_closed),
        cmocka_unit_test(volumes_are_right),
        cmocka_unit_test(torn_water_is_not_filled),
        cmocka_unit_test(jets_are_full_and_keep_their_volume),
        cmocka_unit_test(a_lone_particle_is_a_drop),
        cmocka_unit_test(a_ball_is_round),
        cmocka_unit_test(wedges_are_filled),
        cmocka_unit_test(fluid_reaches_into_walls_if_asked),
        cmocka_unit_test(fluids_colour_their_vertices),
        cmocka_unit_test(a_world_has_a_surface),
        cmocka_unit_test(odd_particles_are_no_trouble),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(no_memory_is_an_error),
    };
    const int failed = cmocka_run_group_tests(shared, NULL, NULL);
    return WATCHES_THREADS ? failed : failed + cmocka_run_group_tests(alone, NULL, NULL);
}

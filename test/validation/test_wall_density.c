/* SPDX-License-Identifier: MIT */
/* Density of fluid next to a plane, an edge, a corner and a ball, with each kind of wall. With density maps, which are
   made for this, it must be within 2 % of the rest density. The other kinds are printed for comparison. */
#include "unit/worlds.h"

#include <math.h>

#define DX   0.05f
#define PI   3.14159265358979
#define SIZE 12 /* spacings along a side of the tank */

typedef enum place_kind { PLANE, EDGE, CORNER, BALL, MESH_BALL, PLACES } place_kind;
static const char *const place_names[] = {"plane", "edge", "corner", "ball", "ball as mesh"};
static const char *const wall_names[] = {"impulse", "map", "field", "samples"};

static rill_world *make(int dim, rill_walls walls) {
    rill_world_def def = rill_world_def_default(dim);
    rill_error error;
    snprintf(def.method, sizeof def.method, "wcsph");
    def.spacing = DX;
    def.walls = walls;
    def.gravity = (rill_vec){0};
    def.workers = 2;
    rill_world *w = rill_world_create(&def, &error);
    if (!w) fail_msg("%s", error.text);
    rill_fluid_def water = rill_fluid_def_default();
    ok(w, rill_world_add_fluid(w, &water, NULL));
    return w;
}

/* A tank filled to the brim with a lattice: lowest and highest density, over that at rest, of the particles at a face,
   an edge and a corner. */
static void tank_density(int dim, rill_walls walls, double low[PLACES], double high[PLACES]) {
    rill_world *w = make(dim, walls);
    rill_solid_def tank = rill_solid_def_default();
    tank.shape.min = (rill_vec){0}, tank.shape.inside = true;
    tank.shape.max = (rill_vec){SIZE * DX, SIZE * DX, SIZE * DX};
    ok(w, rill_world_add_solid(w, &tank, NULL));
    rill_block_def block = rill_block_def_default();
    block.shape.min = tank.shape.min, block.shape.max = tank.shape.max;
    ok(w, rill_world_add_block(w, &block, NULL));
    ok(w, rill_world_step(w, 1e-9));
    rill_view x, rho;
    ok(w, rill_world_view(w, "position", &x));
    ok(w, rill_world_view(w, "density", &rho));
    for (int i = 0; i < x.count; i++) {
        const float *p = (const float *)x.data + i * x.stride;
        int near = 0, middle = 0;
        for (int axis = 0; axis < dim; axis++) {
            const float d = fminf(p[axis], SIZE * DX - p[axis]);
            near += d < DX;
            middle += d > 3 * DX;
        }
        if (near == 0 || near + middle != dim) continue;
        const int kind = near == dim ? CORNER : near == 1 ? PLANE : EDGE;
        const double ratio = (double)((const float *)rho.data)[i * rho.stride] / 1000;
        if (!isfinite(ratio)) fail_msg("%dD %s: a density of %g times that at rest", dim, wall_names[walls], ratio);
        low[kind] = fmin(low[kind], ratio), high[kind] = fmax(high[kind], ratio);
    }
    rill_world_destroy(w);
}

/* Point k of `count` points that are spread evenly over a circle or a sphere. */
static rill_vec spread(int dim, double radius, int k, int count) {
    if (dim == 2) {
        const double a = 2 * PI * k / count;
        return (rill_vec){(float)(radius * cos(a)), (float)(radius * sin(a)), 0};
    }
    const double z = 1 - (2 * k + 1.0) / count, a = k * PI * (3 - sqrt(5)), r = sqrt(1 - z * z);
    return (rill_vec){(float)(radius * r * cos(a)), (float)(radius * r * sin(a)), (float)(radius * z)};
}

/* Corners of the triangles of a ball: each octant is cut along `cuts` steps of longitude and of latitude. */
static int ball_triangles(rill_vec *out, float radius, int cuts) {
    int n = 0;
    const double step = PI / 2 / cuts;
    for (int side = 0; side < 8; side++) {
        const float sx = side & 1 ? -1 : 1, sy = side & 2 ? -1 : 1, sz = side & 4 ? -1 : 1;
        for (int i = 0; i < cuts; i++)
            for (int j = 0; j < cuts; j++) {
                rill_vec p[4];
                for (int c = 0; c < 4; c++) {
                    const double a = (i + (c == 1 || c == 2)) * step, b = (j + (c >= 2)) * step;
                    p[c] = (rill_vec){sx * radius * (float)(cos(a) * cos(b)), sy * radius * (float)(sin(a) * cos(b)),
                                      sz * radius * (float)sin(b)};
                }
                const bool flip = (side & 1) ^ (side >> 1 & 1) ^ (side >> 2 & 1);
                const int order[6] = {0, 1, 2, 0, 2, 3};
                for (int t = 0; t < 6; t++) out[n + (flip ? 5 - t : t)] = p[order[t]];
                n += 6;
            }
    }
    return n;
}

/* Mean density, over that at rest, of the innermost of five shells of particles around a ball. Shells are a spacing
   apart, and the particles of each have its volume. */
static double ball_density(int dim, rill_walls walls, bool mesh) {
    static rill_vec triangles[8 * 24 * 24 * 6];
    rill_world *w = make(dim, walls);
    const float radius = 5 * DX;
    rill_solid_def ball = rill_solid_def_default();
    ball.shape.kind = mesh ? RILL_MESH : RILL_SPHERE;
    ball.shape.radius = radius;
    if (mesh) ball.shape.points = (rill_points){triangles, ball_triangles(triangles, radius, 24)};
    ok(w, rill_world_add_solid(w, &ball, NULL));
    const rill_fluid_id water = rill_world_find_fluid(w, rill_world_fluid_def(w, rill_world_fluid_at(w, 0))->name);
    int inner = 0;
    for (int shell = 0; shell < 5; shell++) {
        const double r = (double)radius + (shell + 0.5) * (double)DX, dx = (double)DX;
        const int count = (int)(dim == 2 ? 2 * PI * r / dx + 0.5 : 4 * PI * r * r / (dx * dx) + 0.5);
        for (int k = 0; k < count; k++)
            ok(w, rill_world_add_particle(w, water, spread(dim, r, k, count), (rill_vec){0}, NULL));
        if (shell == 0) inner = count;
    }
    ok(w, rill_world_step(w, 1e-9));
    rill_view id, rho;
    ok(w, rill_world_view(w, "id", &id));
    ok(w, rill_world_view(w, "density", &rho));
    double sum = 0;
    for (int i = 0; i < id.count; i++)
        if (((const rill_particle_id *)id.data)[i] < (rill_particle_id)inner)
            sum += (double)((const float *)rho.data)[i * rho.stride];
    rill_world_destroy(w);
    return sum / inner / 1000;
}

static void densities(void **state) {
    int bad = 0;
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int walls = RILL_WALLS_IMPULSE; walls <= RILL_WALLS_SAMPLES; walls++) {
            double low[PLACES], high[PLACES];
            for (int k = 0; k < PLACES; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
            tank_density(dim, (rill_walls)walls, low, high);
            low[BALL] = high[BALL] = ball_density(dim, (rill_walls)walls, false);
            if (dim == 3) low[MESH_BALL] = high[MESH_BALL] = ball_density(dim, (rill_walls)walls, true);
            for (int k = 0; k < PLACES; k++) {
                if (dim == 2 && (k == EDGE || k == MESH_BALL)) continue; /* in 3D only */
                print_message("%dD %-8s %-12s %.3f to %.3f\n", dim, wall_names[walls], place_names[k], low[k], high[k]);
                if (walls != RILL_WALLS_MAP) continue;
                if (!(low[k] >= 0.98 && low[k] <= 1.02)) bad++;
                if (!(high[k] >= 0.98 && high[k] <= 1.02)) bad++;
            }
        }
    assert_int_equal(bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(densities)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

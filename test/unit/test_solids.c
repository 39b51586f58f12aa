/* SPDX-License-Identifier: MIT */
/* Solids and blocks of every shape through the public API: filled, kept in snapshots, measured, refused. */
#include "unit/worlds.h"

#include <math.h>

static const double pi = 3.14159265358979;

/* A tetrahedron with its right-angled corner at the origin and legs of one metre, as triangles that face out. */
static const rill_vec tetrahedron[12] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1},
                                         {0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static rill_shape a_mesh(void) {
    rill_shape s = rill_shape_default();
    s.kind = RILL_MESH, s.points = (rill_points){tetrahedron, 12};
    return s;
}

static rill_shape a_ball(float x, float y, float z, float radius) {
    rill_shape s = rill_shape_default();
    s.kind = RILL_SPHERE, s.position = (rill_vec){x, y, z}, s.radius = radius;
    return s;
}

/* Shapes of most kinds that a dimension has. */
static int shapes_of(int dim, rill_shape *out) {
    static const rill_vec ground2[3] = {{-1, -0.2f, 0}, {0, 0.1f, 0}, {1, -0.2f, 0}};
    static const rill_vec ground3[4] = {{-1, -1, 0}, {1, -1, 0.1f}, {-1, 1, 0}, {1, 1, 0.1f}};
    static const rill_vec corners[5] = {{0, 0, 0}, {0.5f, 0, 0}, {0, 0.5f, 0}, {0, 0, 0.5f}, {0.5f, 0.5f, 0.5f}};
    static rill_shape parts[2];
    int n = 0;
    out[n++] = rill_shape_default();
    out[n++] = a_ball(0.1f, 0.2f, 0, 0.3f);
    parts[0] = a_ball(0, 0, 0, 0.2f), parts[1] = rill_shape_default();
    parts[1].max = (rill_vec){0.4f, 0.1f, 0.1f};
    out[n] = rill_shape_default(), out[n].kind = RILL_COMPOUND, out[n].angle = 0.3f;
    out[n++].parts = (rill_parts){parts, 2};
    out[n] = rill_shape_default(), out[n].kind = RILL_CAPSULE, out[n++].end = (rill_vec){0.5f, 0.5f, 0.2f};
    out[n] = rill_shape_default(), out[n].kind = RILL_HULL, out[n].scale = 1.5f;
    out[n++].points = (rill_points){corners, 5};
    out[n] = rill_shape_default(), out[n].kind = RILL_HEIGHTFIELD, out[n].columns = 2;
    out[n++].points = dim == 2 ? (rill_points){ground2, 3} : (rill_points){ground3, 4};
    if (dim == 2) return n;
    out[n++] = a_mesh();
    out[n] = rill_shape_default(), out[n].kind = RILL_CYLINDER, out[n++].end = (rill_vec){0.5f, 0.5f, 0.2f};
    out[n] = rill_shape_default(), out[n].kind = RILL_TORUS, out[n].radius = 0.5f, out[n++].tube = 0.15f;
    return n;
}

/* The number of particles times their volume is the volume of the shape, also of a mesh. */
static void blocks_fill_shapes(void **state) {
    (void)state;
    rill_world_def def = small_def(3, "wcsph");
    def.spacing = 0.02f;
    rill_world *w = create(&def);
    add_water(w);
    const struct {
        rill_shape shape;
        double volume;
    } cases[] = {{a_mesh(), 1.0 / 6}, {a_ball(5, 0, 0, 0.4f), 4.0 / 3 * pi * 0.064}};
    for (int k = 0; k < 2; k++) {
        rill_block_def block = rill_block_def_default();
        block.shape = cases[k].shape;
        int added = 0, counted = 0;
        ok(w, rill_world_count_block(w, &block, &counted));
        ok(w, rill_world_add_block(w, &block, &added));
        assert_int_equal(added, counted);
        assert_near(added * pow((double)def.spacing, 3), cases[k].volume, 0.02 * cases[k].volume);
    }
    rill_world_destroy(w);
}

/* A block leaves out particles inside a solid, and a solid that is added later removes them: both are counted. */
static void fluid_in_solids_is_left_out(void **state) {
    (void)state;
    for (int later = 0; later < 2; later++) {
        rill_world_def def = small_def(2, "wcsph");
        rill_world *w = create(&def);
        add_water(w);
        rill_solid_def ball = rill_solid_def_default();
        ball.shape = a_ball(0.5f, 0.5f, 0, 0.2f);
        if (!later) ok(w, rill_world_add_solid(w, &ball, NULL));
        int added = add_box(w, (rill_vec){0}, (rill_vec){1, 1, 0});
        if (later) ok(w, rill_world_add_solid(w, &ball, NULL));
        const int left = rill_world_particle_count(w), out = (int)rill_world_stats(w)->left_out;
        assert_int_equal(left + out, 400);
        assert_int_equal(added, later ? 400 : left);
        assert_near(out * 0.0025, pi * 0.2125 * 0.2125, 0.02);
        rill_view x;
        ok(w, rill_world_view(w, "position", &x));
        for (int i = 0; i < x.count; i++) {
            const float *p = (const float *)x.data + i * x.stride;
            assert_true(hypotf(p[0] - 0.5f, p[1] - 0.5f) >= 0.2f);
        }
        rill_world_destroy(w);
    }
}

/* A world with solids and bodies of these shapes, and a falling block, continues from a snapshot bit for bit. */
static void snapshots_keep_shapes(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int walls = RILL_WALLS_MAP; walls <= RILL_WALLS_SAMPLES; walls++) {
            rill_world_def def = small_def(dim, "wcsph");
            def.walls = walls;
            def.spacing = dim == 2 ? 0.05f : 0.12f;
            rill_world *w = create(&def);
            add_water(w);
            rill_shape shapes[12];
            const int count = shapes_of(dim, shapes);
            for (int k = 0; k < count; k++) {
                rill_solid_def s = rill_solid_def_default();
                s.shape = shapes[k];
                ok(w, rill_world_add_solid(w, &s, NULL));
                rill_body_def b = rill_body_def_default();
                b.shape = shapes[k], b.shape.position = (rill_vec){0.3f * (float)k, 2.0f, 2.0f};
                b.shape.end = (rill_vec){0.3f * (float)k, 2.5f, 2.0f};
                if (k == 0) b.shape.min = (rill_vec){0, 3, 3}, b.shape.max = (rill_vec){1, 3.5f, 3.5f};
                ok(w, rill_world_add_body(w, &b, NULL));
            }
            add_box(w, up2(w, -0.5f, 1.1f, -0.5f), up2(w, 0.5f, 1.6f, 0.5f));
            take_steps(w, 3);
            bytes b = save(w);
            rill_error error;
            rill_world *copy = rill_world_load(b.data, b.size, NULL, &error);
            if (!copy) fail_msg("%s", error.text);
            take_steps(w, 3), take_steps(copy, 3);
            assert_true(rill_world_hash(w) == rill_world_hash(copy));
            assert_int_equal(rill_world_solid_def(copy, rill_world_solid_at(copy, 2))->shape.parts.count,
                             rill_world_solid_def(w, rill_world_solid_at(w, 2))->shape.parts.count);
            rill_world_destroy(copy);
            rill_world_destroy(w);
            free(b.data);
        }
}

/* A body of a mesh has its mass and centre, and falls; a half-space is not a body. */
static void bodies_of_every_shape(void **state) {
    (void)state;
    rill_world_def def = small_def(3, "wcsph");
    rill_world *w = create(&def);
    rill_body_def b = rill_body_def_default();
    b.density = 600, b.shape = a_mesh();
    rill_body_id id;
    ok(w, rill_world_add_body(w, &b, &id));
    rill_body_state s;
    ok(w, rill_world_body_state(w, id, &s));
    assert_near(s.mass, 100, 1e-3);
    assert_near(s.position.x, 0.25, 1e-5);
    ok(w, rill_world_step(w, 0.01));
    ok(w, rill_world_body_state(w, id, &s));
    assert_near(s.velocity.z, -0.0981, 1e-5);
    b.shape = rill_shape_default(), b.shape.kind = RILL_HALF_SPACE;
    assert_int_equal(rill_world_add_body(w, &b, NULL), RILL_INVALID);
    assert_int_equal(rill_world_body_count(w), 1);
    assert_int_equal(rill_world_solid_count(w), 1); /* the surface was removed as well */
    rill_world_destroy(w);
}

/* Defects of a mesh are refused with a reason, and repairs are reported. */
static void meshes_are_checked(void **state) {
    (void)state;
    rill_world_def def = small_def(3, "wcsph");
    rill_world *w = create(&def);
    rill_vec points[12];
    memcpy(points, tetrahedron, sizeof points);
    rill_solid_def s = rill_solid_def_default();
    s.shape = a_mesh(), s.shape.points.data = points;
    const struct {
        int count;
        float x;
        const char *word;
    } bad[] = {{0, 0, "points"}, {11, 0, "three for each"}, {12, NAN, "out of range"}, {3, 0, "open"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        s.shape.points.count = bad[k].count;
        points[0].x = bad[k].x;
        if (rill_world_add_solid(w, &s, NULL) == RILL_OK) fail_msg("'%s' was not refused", bad[k].word);
        if (!strstr(rill_world_message(w), bad[k].word)) fail_msg("%s", rill_world_message(w));
        assert_int_equal(rill_world_solid_count(w), 0);
    }
    points[0].x = 0;
    const rill_vec swap = points[0]; /* one triangle of the wrong orientation */
    points[0] = points[1], points[1] = swap;
    s.shape.points.count = 12;
    ok(w, rill_world_add_solid(w, &s, NULL));
    rill_solid_info info;
    ok(w, rill_world_solid_info(w, rill_world_solid_at(w, 0), &info));
    assert_int_equal(info.flipped, 1);
    assert_true(info.closed && info.bytes > 1000);
    assert_near(info.volume, 1.0 / 6, 1e-4);
    assert_near(info.cell, 0.025, 1e-6);
    rill_world_destroy(w);
}

/* Equal shapes share one field. */
static void equal_shapes_are_made_once(void **state) {
    (void)state;
    rill_world_def def = small_def(3, "wcsph");
    def.spacing = 0.02f;
    rill_world *w = create(&def);
    rill_solid_def s = rill_solid_def_default();
    s.shape = a_mesh();
    ok(w, rill_world_add_solid(w, &s, NULL));
    rill_solid_info info;
    ok(w, rill_world_solid_info(w, rill_world_solid_at(w, 0), &info));
    ok(w, rill_world_step(w, 1e-3));
    const size_t before = rill_world_stats(w)->bytes;
    for (int k = 1; k < 5; k++) {
        s.shape.position.x = 2.0f * (float)k, s.shape.angle = (float)k;
        ok(w, rill_world_add_solid(w, &s, NULL));
    }
    ok(w, rill_world_step(w, 1e-3));
    assert_true(rill_world_stats(w)->bytes - before < info.bytes / 4);
    rill_world_destroy(w);
}

/* ---- many pieces of a wall ---- */

/* A particle in a corner of three walls of samples has more than 64 of them within this support. All of them push: it
   comes to where it is no longer compressed. */
static void walls_of_many_samples(void **state) {
    (void)state;
    rill_world_def def = small_def(3, "pbf");
    def.walls = RILL_WALLS_SAMPLES, def.support_ratio = 3.0f, def.gravity = (rill_vec){0}, def.max_speed = 1000;
    rill_world *w = create(&def);
    const rill_fluid_id water = add_water(w);
    for (int k = 0; k < 3; k++) {
        rill_solid_def wall = rill_solid_def_default();
        wall.shape.kind = RILL_HALF_SPACE, wall.shape.normal = (rill_vec){k == 0, k == 1, k == 2};
        ok(w, rill_world_add_solid(w, &wall, NULL));
    }
    ok(w, rill_world_add_particle(w, water, (rill_vec){0.03f, 0.03f, 0.03f}, (rill_vec){0}, NULL));
    ok(w, rill_world_step(w, 0.001));
    assert_at_most(rill_world_stats(w)->density_error_max, 0.01);
    rill_world_destroy(w);
}

/* Mean height of still water around `boxes` boxes in one place, and its kinetic energy. */
static double height_around(const char *method, int boxes, double *energy) {
    const rill_world_def def = small_def(2, method);
    rill_world *w = create(&def);
    add_water(w);
    add_container(w, (rill_vec){0, 0, 0}, (rill_vec){1, 3, 0});
    rill_solid_def solid = rill_solid_def_default();
    solid.shape = box_shape((rill_vec){0.3f, 0.2f, 0}, (rill_vec){0.7f, 0.5f, 0});
    for (int k = 0; k < boxes; k++) ok(w, rill_world_add_solid(w, &solid, NULL));
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){1, 1, 0});
    ok(w, rill_world_advance(w, 0.5));
    rill_view x;
    ok(w, rill_world_view(w, "position", &x));
    double height = 0;
    for (int i = 0; i < x.count; i++) height += (double)((const float *)x.data)[i * x.stride + 1] / x.count;
    *energy = rill_world_stats(w)->kinetic_energy;
    rill_world_destroy(w);
    return height;
}

/* If each pushed like a wall of its own, pbf would throw the water at 216 m/s and constraint hold it 20 mm too high. */
static void solids_in_one_place_push_as_one(void **state) {
    (void)state;
    static const char *const methods[] = {"pbf", "wcsph", "dfsph", "constraint"};
    for (int m = 0; m < 4; m++) {
        double one, five;
        const double height = height_around(methods[m], 1, &one);
        assert_near(height_around(methods[m], 5, &five), height, 0.003);
        assert_true(five < 2 * one + 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_of_many_samples),       cmocka_unit_test(blocks_fill_shapes),
        cmocka_unit_test(fluid_in_solids_is_left_out), cmocka_unit_test(snapshots_keep_shapes),
        cmocka_unit_test(bodies_of_every_shape),       cmocka_unit_test(meshes_are_checked),
        cmocka_unit_test(equal_shapes_are_made_once),  cmocka_unit_test(solids_in_one_place_push_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

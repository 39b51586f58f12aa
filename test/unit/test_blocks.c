/* SPDX-License-Identifier: MIT */
/* Blocks of particles: their number, density and motion. */
#include "unit/worlds.h"

static const double pi = 3.14159265358979323846;

static rill_world *empty(int dim) {
    rill_world_def def = small_def(dim, "wcsph");
    def.spacing = 0.1f;
    rill_world *w = create(&def);
    add_water(w);
    return w;
}

static void lattice_counts(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = empty(dim);
        assert_int_equal(add_box(w, (rill_vec){0, 0, 0}, (rill_vec){1, 0.5f, 0.3f}), dim == 2 ? 50 : 150);
        /* centred: half a spacing from every face */
        rill_view x;
        ok(w, rill_world_view(w, "position", &x));
        const float *p = x.data;
        assert_near(p[0], 0.05, 1e-6);
        assert_near(p[1], 0.05, 1e-6);
        /* counting adds nothing and agrees with adding */
        rill_block_def block = rill_block_def_default();
        block.shape.kind = RILL_SPHERE, block.shape.radius = 0.73f;
        int counted = 0, added = 0;
        const uint64_t before = rill_world_hash(w);
        ok(w, rill_world_count_block(w, &block, &counted));
        assert_true(rill_world_hash(w) == before);
        ok(w, rill_world_add_block(w, &block, &added));
        assert_int_equal(counted, added);
        /* rounding does not lose a layer, and a sliver has no particles */
        block = rill_block_def_default(), block.shape.max = (rill_vec){0.69999999f, 0.7000001f, 0.7f};
        ok(w, rill_world_count_block(w, &block, &counted));
        assert_int_equal(counted, dim == 2 ? 49 : 343);
        block.shape.max.x = 0.01f;
        ok(w, rill_world_add_block(w, &block, &added));
        assert_int_equal(added, 0);
        rill_world_destroy(w);
    }
}

static float nearest_pair(const rill_world *w) {
    rill_view x;
    ok(w, rill_world_view(w, "position", &x));
    const float *p = x.data;
    float best = 1e30f;
    for (int i = 0; i < x.count; i++)
        for (int j = 0; j < i; j++) {
            float r2 = 0;
            for (int axis = 0; axis < x.components; axis++) {
                const float d = p[i * x.stride + axis] - p[j * x.stride + axis];
                r2 += d * d;
            }
            best = fminf(best, r2);
        }
    return sqrtf(best);
}

/* A box that the spacing does not divide holds its volume in particles, all inside it and apart from each other. */
static void uneven_boxes_are_fitted(void **state) {
    (void)state;
    static const float sides[][3] = {
        {1.68f, 0.84f, 0.55f}, {1.0f, 0.84f, 0.5f}, {0.15f, 1.25f, 0.34f}, {1.04f, 1.06f, 0.25f}};
    for (int dim = 2; dim <= 3; dim++)
        for (size_t n = 0; n < sizeof sides / sizeof *sides; n++) {
            rill_world *w = empty(dim);
            const rill_vec max = {sides[n][0], sides[n][1], sides[n][2]};
            const double volume = (double)(max.x * max.y * (dim == 3 ? max.z : 0.1f)) / 1e-3;
            assert_near(add_box(w, (rill_vec){0, 0, 0}, max), volume, 0.51);
            rill_view x;
            ok(w, rill_world_view(w, "position", &x));
            const float *p = x.data;
            for (int i = 0; i < x.count; i++)
                for (int axis = 0; axis < dim; axis++)
                    assert_in_range((int)(1e6f * p[i * x.stride + axis] / sides[n][axis]), 1, 1000000);
            assert_true(nearest_pair(w) > 0.065f);
            rill_world_destroy(w);
        }
}

/* Inside, away from the block's faces, every fill has one particle for each dx^dim. */
static void fills_have_the_same_density(void **state) {
    (void)state;
    const rill_fill fills[] = {RILL_FILL_LATTICE, RILL_FILL_HEXAGONAL, RILL_FILL_JITTERED};
    for (int dim = 2; dim <= 3; dim++)
        for (int k = 0; k < 3; k++) {
            rill_world *w = empty(dim);
            const float size = dim == 2 ? 12.0f : 4.0f;
            rill_block_def block = rill_block_def_default();
            block.fill = (int32_t)fills[k], block.jitter = 0.3f;
            block.shape.max = (rill_vec){size, size, size};
            ok(w, rill_world_add_block(w, &block, NULL));
            /* mean over windows at uneven places, because a lattice counts in whole rows */
            double sum = 0, volume = 0;
            for (int n = 0; n < 20; n++) {
                const float a = 0.5f + 0.037f * (float)n, b = size - 0.5f - 0.029f * (float)n;
                sum += count_inside(w, (rill_vec){a, a, a}, (rill_vec){b, b, b});
                volume += pow((double)(b - a) / 0.1, dim);
            }
            assert_near(sum / volume, 1, 0.02);
            rill_world_destroy(w);
        }
}

static void fills_keep_their_distance(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        const double hexagonal = dim == 2 ? sqrt(2 / sqrt(3)) : pow(2, 1.0 / 6);
        for (int k = 0; k < 3; k++) {
            rill_world *w = empty(dim);
            rill_block_def block = rill_block_def_default();
            block.fill = k, block.jitter = 0.2f;
            ok(w, rill_world_add_block(w, &block, NULL));
            const double d = (double)nearest_pair(w) / 0.1;
            if (k == RILL_FILL_JITTERED) {
                assert_true(d > 1 - 2 * 0.2 && d < 1); /* each axis shifts by up to 0.2 dx to either side */
            } else {
                assert_near(d, k == RILL_FILL_HEXAGONAL ? hexagonal : 1, 1e-3);
            }
            rill_world_destroy(w);
        }
    }
}

static void volumes_of_round_and_other_shapes(void **state) {
    (void)state;
    static const rill_vec corners[] = {{0, 0, 0}, {6, 0, 0}, {0, 4, 0}};
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = empty(dim);
        const double cell = pow(0.1, dim);
        rill_block_def block = rill_block_def_default();
        int n;
        block.shape.kind = RILL_SPHERE, block.shape.radius = dim == 2 ? 3.02f : 1.52f;
        const double r = (double)block.shape.radius;
        ok(w, rill_world_count_block(w, &block, &n));
        assert_near(n * cell, dim == 2 ? pi * r * r : 4 * pi / 3 * r * r * r, 0.02 * n * cell);
        block.shape.kind = RILL_CAPSULE, block.shape.radius = 0.8f;
        block.shape.end = (rill_vec){2, 1, dim == 3 ? 1 : 0};
        const double length = dim == 2 ? sqrt(5) : sqrt(6);
        ok(w, rill_world_count_block(w, &block, &n));
        const double area = dim == 2 ? 1.6 : pi * 0.64, caps = dim == 2 ? pi * 0.64 : 4 * pi / 3 * 0.512;
        assert_near(n * cell, area * length + caps, 0.03 * n * cell);
        if (dim == 2) {
            block.shape.kind = RILL_POLYGON, block.shape.points = (rill_points){corners, 3};
            ok(w, rill_world_count_block(w, &block, &n));
            assert_near(n * cell, 12, 0.02 * 12);
        }
        rill_world_destroy(w);
    }
}

static void turned_boxes_are_filled_in_their_own_frame(void **state) {
    (void)state;
    rill_world *w = empty(2);
    rill_block_def block = rill_block_def_default();
    block.shape.max = (rill_vec){1, 0.5f, 0}, block.shape.angle = 0.5f;
    int n;
    ok(w, rill_world_add_block(w, &block, &n));
    assert_int_equal(n, 50);
    rill_view x;
    ok(w, rill_world_view(w, "position", &x));
    const float *p = x.data;
    for (int i = 0; i < n; i++) { /* turned back about the centre, all lie in the box */
        const float dx = p[i * x.stride] - 0.5f, dy = p[i * x.stride + 1] - 0.25f;
        assert_true(fabsf(cosf(0.5f) * dx + sinf(0.5f) * dy) < 0.4501f);
        assert_true(fabsf(-sinf(0.5f) * dx + cosf(0.5f) * dy) < 0.2001f);
    }
    rill_world_destroy(w);
}

static void velocity_and_spin(void **state) {
    (void)state;
    rill_world *w = empty(3);
    rill_block_def block = rill_block_def_default();
    block.velocity = (rill_vec){1, 2, 3}, block.spin = 4.0f;
    ok(w, rill_world_add_block(w, &block, NULL));
    rill_view x, v;
    ok(w, rill_world_view(w, "position", &x));
    ok(w, rill_world_view(w, "velocity", &v));
    for (int i = 0; i < x.count; i++) {
        const float *p = (const float *)x.data + i * x.stride, *u = (const float *)v.data + i * v.stride;
        assert_near(u[0], 1 - 4 * ((double)p[1] - 0.5), 1e-5);
        assert_near(u[1], 2 + 4 * ((double)p[0] - 0.5), 1e-5);
        assert_near(u[2], 3, 1e-6);
    }
    rill_world_destroy(w);
}

/* The seed alone decides where jittered particles lie. */
static void jitter_follows_the_seed(void **state) {
    (void)state;
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        rill_world_def def = small_def(2, "wcsph");
        def.seed = k == 2 ? 77 : 5;
        rill_world *w = create(&def);
        add_water(w);
        rill_block_def block = rill_block_def_default();
        block.fill = RILL_FILL_JITTERED;
        ok(w, rill_world_add_block(w, &block, NULL));
        hash[k] = rill_world_hash(w);
        rill_world_destroy(w);
    }
    assert_true(hash[0] == hash[1] && hash[0] != hash[2]);
}

/* Calibrated masses make a rest lattice exactly as dense as the fluid; otherwise the kernel's lattice sum shows. */
static void calibrated_mass(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int calibrate = 0; calibrate < 2; calibrate++) {
            rill_world_def def = small_def(dim, "wcsph");
            def.spacing = 0.1f, def.gravity = (rill_vec){0}, def.calibrate_mass = calibrate;
            rill_world *w = create(&def);
            add_water(w);
            ok(w, rill_world_set_text(w, rill_ref_method(), "density_kernel", "wendland"));
            add_box(w, (rill_vec){0, 0, 0}, (rill_vec){1, 1, 1});
            ok(w, rill_world_step(w, 1e-9));
            rill_gauge_def gauge = rill_gauge_def_default();
            gauge.kind = RILL_GAUGE_DENSITY, gauge.position = (rill_vec){0.5f, 0.5f, 0.5f};
            rill_reading reading;
            ok(w, rill_world_add_gauge(w, &gauge, NULL));
            ok(w, rill_world_read_gauge(w, rill_world_gauge_at(w, 0), &reading));
            const double lattice = dim == 2 ? 1.0376 : 1.03384;
            assert_near(reading.value[0], calibrate ? 1000 : 1000 * lattice, 0.2);
            rill_world_destroy(w);
        }
}

/* The quality chooses the support in every method, unless the definition does. */
static void quality_chooses_the_support(void **state) {
    (void)state;
    const float ratios[] = {2.0f, 2.8f, 3.0f};
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < rill_method_count(); m++) {
            rill_world_def def = small_def(2, rill_method(m)->name);
            def.spacing = 0.1f, def.quality = k == 0 ? RILL_QUALITY_FAST : RILL_QUALITY_ACCURATE;
            if (k == 2) def.support_ratio = 3;
            rill_world *w = create(&def);
            assert_near(rill_world_support(w), (double)(ratios[k] * 0.1f), 1e-6);
            rill_world_destroy(w);
        }
    rill_world_def def = small_def(2, "wcsph");
    def.support_ratio = 0.5f;
    rill_error error;
    assert_null(rill_world_create(&def, &error));
    assert_non_null(strstr(error.text, "support_ratio must be 0 or at least 1.05"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattice_counts),
        cmocka_unit_test(uneven_boxes_are_fitted),
        cmocka_unit_test(fills_have_the_same_density),
        cmocka_unit_test(fills_keep_their_distance),
        cmocka_unit_test(volumes_of_round_and_other_shapes),
        cmocka_unit_test(turned_boxes_are_filled_in_their_own_frame),
        cmocka_unit_test(velocity_and_spin),
        cmocka_unit_test(jitter_follows_the_seed),
        cmocka_unit_test(calibrated_mass),
        cmocka_unit_test(quality_chooses_the_support),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

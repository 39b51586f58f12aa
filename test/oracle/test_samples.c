/* SPDX-License-Identifier: MIT */
/* Samples on surfaces: none too near another, no bare spot, half a spacing below a plane; and the kernel of walls. */
#include "oracle/check.h"
#include "oracle/sim_main.h"
#include "sim/kernel.h"
#include "solid/samples.h"
#include "solid/wall_kernel.h"
#include "unit/worlds.h"

#define DX 0.05f

static rill_world *a_world(void) {
    rill_world_def def = small_def(DIM, "wcsph");
    def.spacing = DX, def.walls = RILL_WALLS_SAMPLES;
    return create(&def);
}

static void a_ball(void **state) {
    (void)state;
    rill_world *w = a_world();
    rill_shape ball = rill_shape_default();
    ball.kind = RILL_SPHERE, ball.radius = 0.3f;
    const shape_context context = {&w->memory, w->workers, DIM, DX, w->support, NULL};
    shape_models models;
    assert_int_equal(rill_shape_models_take(&w->shapes, &context, &ball, &models, &w->error), RILL_OK);
    shared_shape *model = models.items[0];
    assert_int_equal(rill_samples_make(w, model, &ball), RILL_OK);
    const sample_set *set = &model->samples;
    const float radius = 0.3f - 0.5f * DX; /* half a spacing behind the surface */
    const double area = DIM == 2 ? 6.2831853 * 0.3 : 12.566371 * 0.09, whole = area / pow((double)DX, DIM - 1);
    assert_true(set->count > 0.8 * whole && set->count < 1.5 * whole);
    float nearest = 1.0f;
    for (int i = 0; i < set->count; i++) {
        vec p = {0};
        memcpy(&p, set->points[i], sizeof p);
        assert_near(vec_length(p), (double)radius, 0.02 * (double)radius);
        for (int j = 0; j < i; j++) {
            vec q = {0};
            memcpy(&q, set->points[j], sizeof q);
            nearest = fminf(nearest, vec_length(vec_sub(p, q)));
        }
    }
    assert_true(nearest > (DIM == 2 ? 0.5f : 0.68f) * DX);
    /* Near any point of the surface there are samples of positive volume; a short buffer is filled and not overrun. */
    const placed_shape f = rill_placed_make(&ball, &models, NULL, NULL);
    uint32_t random = 3;
    for (int k = 0; k < 500; k++) {
        vec p = {0};
        for (int axis = 0; axis < DIM; axis++) (&p.x)[axis] = random_in(&random, -1, 1);
        p = vec_scale(vec_direction(p), 0.3f);
        near_sample found[64];
        const int count = rill_samples_near(&f, DX, RILL_QUALITY_FAST, p, w->support, found, 64);
        float least = 1.0f, sum = 0.0f;
        for (int n = 0; n < count; n++) least = fminf(least, found[n].distance), sum += found[n].volume;
        assert_true(least < 1.2f * DX);
        assert_true(sum > 0.0f && count == rill_samples_near(&f, DX, RILL_QUALITY_FAST, p, w->support, NULL, 64));
        assert_true(rill_samples_near(&f, DX, RILL_QUALITY_FAST, p, w->support, found, 1) == 1);
    }
    rill_shape_models_drop(&w->shapes, &w->memory, &models);
    rill_world_destroy(w);
}

/* A plane is unbounded: its samples are made on request. */
static void a_plane(void **state) {
    (void)state;
    rill_world *w = a_world();
    rill_shape plane = rill_shape_default();
    plane.kind = RILL_HALF_SPACE;
    const shape_context context = {&w->memory, w->workers, DIM, DX, w->support, NULL};
    shape_models models;
    assert_int_equal(rill_shape_models_take(&w->shapes, &context, &plane, &models, &w->error), RILL_OK);
    const placed_shape f = rill_placed_make(&plane, &models, NULL, NULL);
    near_sample found[64];
    const vec p = vec_of((rill_vec){12.34f, 0.5f * DX, 0.7f});
    const int count = rill_samples_near(&f, DX, RILL_QUALITY_FAST, p, w->support, found, 64);
    assert_true(count >= (DIM == 2 ? 3 : 9));
    for (int n = 0; n < count; n++) { /* half a spacing below the plane */
        const vec at = vec_along(p, -found[n].distance, found[n].normal);
        assert_near(at.y, -0.5 * (double)DX, 1e-5);
        assert_near(found[n].volume, found[0].volume, 0);
    }
    assert_int_equal(rill_samples_near(&f, DX, RILL_QUALITY_FAST, vec_of((rill_vec){0, 1, 0}), w->support, found, 64),
                     0);
    rill_shape_models_drop(&w->shapes, &w->memory, &models);
    rill_world_destroy(w);
}

/* The kernel of walls has the bits of the fluid's kernel. */
static void the_kernel_is_the_fluids(void **state) {
    (void)state;
    uint32_t random = 61;
    for (int k = 0; k < 2000; k++) {
        const float h = random_in(&random, 0.01f, 3), r = random_in(&random, 0, 1.2f * h);
        const bool fast = k % 2 == 0;
        const kernel fluid = rill_kernel_make(fast ? KERNEL_CUBIC : KERNEL_QUINTIC, h);
        const wall_kernel walls = wall_kernel_make(fast ? RILL_QUALITY_FAST : RILL_QUALITY_ACCURATE, h);
        const float wanted = kernel_value_at(&fluid, r), value = wall_kernel_at(&walls, r);
        assert_memory_equal(&value, &wanted, sizeof value);
    }
}

int main(void) {
    SKIP_IF_NOT_RUNNABLE();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball),
        cmocka_unit_test(a_plane),
        cmocka_unit_test(the_kernel_is_the_fluids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Pair forces are equal and opposite: without walls and gravity the total momentum is constant up to rounding. */
#include "unit/worlds.h"

typedef struct motion_sum {
    double momentum[3], size; /* kg m/s; size is the sum of m |v| */
} motion_sum;

static motion_sum momentum_of(rill_world *w, rill_gauge_id gauge) {
    motion_sum m = {0};
    rill_reading reading;
    ok(w, rill_world_read_gauge(w, gauge, &reading));
    rill_view velocity;
    ok(w, rill_world_view(w, "velocity", &velocity));
    assert_int_equal(reading.count, velocity.components);
    for (int axis = 0; axis < reading.count; axis++) m.momentum[axis] = reading.value[axis];
    const float *v = velocity.data;
    const double mass = 2 * rill_world_stats(w)->kinetic_energy;
    double square = 0;
    for (int i = 0; i < velocity.count; i++) {
        double v2 = 0;
        for (int axis = 0; axis < velocity.components; axis++) {
            const double c = (double)v[(size_t)i * (size_t)velocity.stride + (size_t)axis];
            v2 += c * c;
        }
        m.size += sqrt(v2);
        square += v2;
    }
    m.size *= square > 0 ? mass / square : 0; /* all masses are equal here */
    return m;
}

static void check(int dim, const char *method, const char *integrator, float viscosity, bool periodic) {
    rill_world_def def = small_def(dim, method);
    def.gravity = (rill_vec){0};
    /* Disordered and denser than at rest, but not so dense that a solver would have to separate particles in one
       step. */
    const int side = dim == 2 ? 22 : 8;
    const float pitch = integrator ? 0.046f : 0.0505f, period = (float)side * pitch;
    if (periodic) def.periodic = (rill_vec){period, period, dim == 2 ? 0 : period};
    rill_world *w = create(&def);
    rill_fluid_def fluid = rill_fluid_def_default();
    fluid.viscosity = viscosity;
    rill_fluid_id id;
    ok(w, rill_world_add_fluid(w, &fluid, &id));
    if (integrator) {
        ok(w, rill_world_set_text(w, rill_ref_method(), "integrator", integrator));
        ok(w, rill_world_set_number(w, rill_ref_method(), "expected_speed", 2));
    }
    uint32_t random = 51;
    for (int k = 0; k < (dim == 2 ? side * side : side * side * side); k++) {
        const float a = (float)(k % side), b = (float)(k / side % side), c = (float)(k / side / side);
        const rill_vec x = {pitch * a + random_in(&random, -0.01f, 0.01f),
                            pitch * b + random_in(&random, -0.01f, 0.01f),
                            dim == 3 ? pitch * c + random_in(&random, -0.01f, 0.01f) : 0.0f};
        const rill_vec v = {random_in(&random, -1, 1.5f), random_in(&random, -1, 1), random_in(&random, -1, 1)};
        ok(w, rill_world_add_particle(w, id, x, v, NULL));
    }
    rill_gauge_def gauge = rill_gauge_def_default();
    gauge.kind = RILL_GAUGE_MOMENTUM;
    rill_gauge_id momentum;
    ok(w, rill_world_add_gauge(w, &gauge, &momentum));
    const motion_sum before = momentum_of(w, momentum);
    take_steps(w, 60);
    const motion_sum after = momentum_of(w, momentum);
    assert_true(after.size > 0);
    for (int axis = 0; axis < dim; axis++) assert_near(after.momentum[axis], before.momentum[axis], 1e-5 * after.size);
    rill_world_destroy(w);
}

static void conserved(void **state) {
    (void)state;
    static const char *const methods[] = {"muller", "wcsph"}, *const integrators[] = {"euler", "leapfrog"};
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < 2; m++)
            for (int i = 0; i < 2; i++) check(dim, methods[m], integrators[i], i ? 0.001f : 1.0f, false);
    for (int dim = 2; dim <= 3; dim++)
        for (int i = 0; i < 2; i++) check(dim, "constraint", NULL, i ? 0.001f : 50.0f, false);
}

static void conserved_by_displacements(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int k = 0; k < 2; k++) check(dim, "pbf", NULL, k ? 0.001f : 1.0f, false);
}

static void conserved_by_pressure_solvers(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        check(dim, "dfsph", NULL, 0.001f, false);
        check(dim, "pcisph", NULL, 1.0f, false);
    }
}

static void conserved_across_periodic_faces(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        check(dim, "wcsph", "leapfrog", 0.5f, true);
        check(dim, "dfsph", NULL, 0.5f, true);
        check(dim, "constraint", NULL, 0.5f, true);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conserved),
        cmocka_unit_test(conserved_by_displacements),
        cmocka_unit_test(conserved_by_pressure_solvers),
        cmocka_unit_test(conserved_across_periodic_faces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

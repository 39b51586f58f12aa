/* SPDX-License-Identifier: MIT */
/* Forces that are not pressure: every method applies what a fluid has, or refuses it. */
#include "unit/worlds.h"

#include <math.h>
#include <string.h>

static const char *const methods[] = {"muller", "wcsph", "pbf", "pcisph", "dfsph", "constraint"};
#define METHODS ((int)(sizeof methods / sizeof *methods))

static rill_world *weightless(int dim, const char *method, float viscosity, float tension, rill_vec periodic) {
    rill_world_def def = small_def(dim, method);
    def.gravity = (rill_vec){0}, def.periodic = periodic;
    rill_world *w = create(&def);
    rill_fluid_def fluid = rill_fluid_def_default();
    fluid.viscosity = viscosity, fluid.surface_tension = tension;
    ok(w, rill_world_add_fluid(w, &fluid, NULL));
    return w;
}

/* ---- surface tension ---- */

/* Largest distance of a particle from the centre of a square drop after 20 ms. */
static double drop_reach(int dim, const char *method, float tension) {
    rill_world *w = weightless(dim, method, 1.0f, tension, (rill_vec){0});
    add_box(w, (rill_vec){-0.2f, -0.2f, dim == 3 ? -0.2f : 0}, (rill_vec){0.2f, 0.2f, dim == 3 ? 0.2f : 0});
    for (int k = 0; k < 20; k++) ok(w, rill_world_step(w, 0.001));
    rill_view x;
    ok(w, rill_world_view(w, "position", &x));
    double most = 0;
    for (int i = 0; i < x.count; i++) {
        const float *p = (const float *)x.data + (size_t)i * (size_t)x.stride;
        most = fmax(most, hypot(hypot((double)p[0], (double)p[1]), dim == 3 ? (double)p[2] : 0));
    }
    rill_world_destroy(w);
    return most;
}

/* The corners of a weightless drop are drawn in; without surface tension they stay. */
static void surface_tension_acts(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < METHODS; m++) {
            const double corner = 0.175 * sqrt(dim);
            const double still = drop_reach(dim, methods[m], 0), drawn = drop_reach(dim, methods[m], 500);
            if (fabs(still - corner) > 1e-3 || drawn > corner - 2e-3)
                fail_msg("%s %dD: corners at %g m without and %g m with surface tension", methods[m], dim, still,
                         drawn);
        }
}

/* ---- viscosity ---- */

/* Share of the kinetic energy that is left of a shear flow v_x = sin(2 pi y). */
static double shear_left(const char *method, float viscosity, rill_viscosity_solver solver) {
    rill_world_def def = small_def(2, method);
    def.gravity = (rill_vec){0}, def.periodic = (rill_vec){0.5f, 1, 0}, def.viscosity_solver = solver;
    rill_world *w = create(&def);
    rill_fluid_def fluid = rill_fluid_def_default();
    fluid.viscosity = viscosity;
    ok(w, rill_world_add_fluid(w, &fluid, NULL));
    for (int j = 0; j < 20; j++)
        for (int i = 0; i < 10; i++) {
            const float x = 0.05f * ((float)i + 0.5f), y = 0.05f * ((float)j + 0.5f);
            const rill_vec v = {(float)sin(6.283185307179586 * (double)y), 0, 0};
            ok(w, rill_world_add_particle(w, rill_world_find_fluid(w, "fluid1"), (rill_vec){x, y, 0}, v, NULL));
        }
    ok(w, rill_world_step(w, 1e-6));
    const double start = rill_world_stats(w)->kinetic_energy;
    for (int k = 0; k < 20; k++) ok(w, rill_world_step(w, 0.0005));
    const double left = rill_world_stats(w)->kinetic_energy / start;
    rill_world_destroy(w);
    return left;
}

/* With nu = 0.1 m^2/s a wave of 1 m loses 1 - exp(-2 nu k^2 t) = 7.6 % of its energy in 10 ms. */
static void viscosity_acts(void **state) {
    (void)state;
    const double k = 6.283185307179586, expected = exp(-2 * 0.1 * k * k * 0.01);
    for (int m = 0; m < METHODS; m++)
        for (rill_viscosity_solver solver = RILL_VISCOSITY_AUTO; solver <= RILL_VISCOSITY_IMPLICIT; solver++) {
            if (solver == RILL_VISCOSITY_EXPLICIT && strcmp(methods[m], "constraint") == 0) continue; /* refused */
            const double left = shear_left(methods[m], 100, solver) / shear_left(methods[m], 0, RILL_VISCOSITY_AUTO);
            if (fabs(left - expected) > 0.02)
                fail_msg("%s, solver %d: %g of the energy is left; expected %g", methods[m], (int)solver, left,
                         expected);
        }
}

/* ---- the bound on a step ---- */

static double bound(const char *method, rill_viscosity_solver solver) {
    rill_world_def def = small_def(2, method);
    def.gravity = (rill_vec){0}, def.viscosity_solver = solver;
    rill_world *w = create(&def);
    rill_fluid_def fluid = rill_fluid_def_default();
    fluid.viscosity = 1000;
    ok(w, rill_world_add_fluid(w, &fluid, NULL));
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){0.5f, 0.5f, 0});
    ok(w, rill_world_step(w, 1e-5));
    const double dt = rill_world_stats(w)->dt_bound;
    rill_world_destroy(w);
    return dt;
}

/* Explicit viscosity has one bound, whichever method applies it; implicit viscosity has none, in any method. */
static void viscosity_bounds_the_step(void **state) {
    (void)state;
    const double dfsph = bound("dfsph", RILL_VISCOSITY_EXPLICIT);
    assert_near(bound("pcisph", RILL_VISCOSITY_EXPLICIT) / dfsph, 1, 1e-6);
    for (int m = 0; m < METHODS; m++) assert_true(bound(methods[m], RILL_VISCOSITY_IMPLICIT) > 3 * dfsph);
}

/* ---- forces without effect ---- */

static rill_world *damped(float viscosity) {
    rill_world *w = weightless(2, "constraint", viscosity, 0, (rill_vec){0});
    ok(w, rill_world_set_text(w, rill_ref_method(), "viscosity_rule", "damping"));
    add_box(w, (rill_vec){0, 0, 0}, (rill_vec){0.5f, 0.5f, 0});
    return w;
}

static void a_force_that_does_not_act_is_refused(void **state) {
    (void)state;
    rill_world *w = damped(0.5f);
    assert_non_null(rill_world_ignores(w, "viscosity"));
    assert_null(rill_world_ignores(w, "surface_tension"));
    assert_int_equal(rill_world_step(w, 0.001), RILL_INVALID);
    assert_non_null(strstr(rill_world_message(w), "fluids.fluid1.viscosity = 0.5 Pa s has no effect: viscosity_rule"));
    ok(w, rill_world_set_text(w, rill_ref_method(), "viscosity_rule", "rows"));
    assert_null(rill_world_ignores(w, "viscosity"));
    ok(w, rill_world_step(w, 0.001));
    rill_world_destroy(w);
    /* A default viscosity was not asked for and is not refused. */
    w = damped(rill_fluid_def_default().viscosity);
    assert_non_null(rill_world_ignores(w, "viscosity"));
    ok(w, rill_world_step(w, 0.001));
    rill_world_destroy(w);
    w = damped(0);
    ok(w, rill_world_step(w, 0.001));
    rill_world_destroy(w);
}

static void impulse_walls_have_no_stress(void **state) {
    (void)state;
    rill_world_def def = small_def(2, "wcsph");
    def.walls = RILL_WALLS_IMPULSE;
    rill_world *w = create(&def);
    rill_solid_def solid = rill_solid_def_default();
    solid.shape.max = (rill_vec){1, 1, 1}, solid.no_slip = true;
    assert_int_equal(rill_world_add_solid(w, &solid, NULL), RILL_INVALID);
    assert_non_null(strstr(rill_world_message(w), "no_slip: impulse walls"));
    rill_body_def body = rill_body_def_default();
    body.shape.max = (rill_vec){1, 1, 1}, body.no_slip = true;
    assert_int_equal(rill_world_add_body(w, &body, NULL), RILL_INVALID);
    solid.no_slip = body.no_slip = false;
    ok(w, rill_world_add_solid(w, &solid, NULL));
    ok(w, rill_world_add_body(w, &body, NULL));
    rill_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surface_tension_acts),         cmocka_unit_test(viscosity_acts),
        cmocka_unit_test(viscosity_bounds_the_step),    cmocka_unit_test(a_force_that_does_not_act_is_refused),
        cmocka_unit_test(impulse_walls_have_no_stress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

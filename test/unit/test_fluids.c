/* SPDX-License-Identifier: MIT */
/* Several fluids in one world: across periodic faces, and in any order. */
#include "unit/worlds.h"

static const char *const methods[] = {"muller", "wcsph", "pbf", "pcisph", "dfsph", "constraint"};
#define METHODS ((int)(sizeof methods / sizeof *methods))

static void add_fluid(rill_world *w, const char *name, float density, float particle_mass) {
    rill_fluid_def fluid = rill_fluid_def_default();
    snprintf(fluid.name, sizeof fluid.name, "%s", name);
    fluid.density = density, fluid.particle_mass = particle_mass;
    ok(w, rill_world_add_fluid(w, &fluid, NULL));
}

static void add_block_of(rill_world *w, const char *fluid, rill_vec min, rill_vec max) {
    rill_block_def block = rill_block_def_default();
    snprintf(block.fluid_name, sizeof block.fluid_name, "%s", fluid);
    block.shape.min = min, block.shape.max = max;
    ok(w, rill_world_add_block(w, &block, NULL));
}

/* ---- periodic faces ---- */

/* Water below oil in a box that is periodic in all directions: a lattice at rest, for neighbours inside and across a
   face. */
static void two_fluids_across_a_face(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < METHODS; m++) {
            rill_world_def def = small_def(dim, methods[m]);
            def.periodic = (rill_vec){0.6f, 0.6f, dim == 3 ? 0.4f : 0}, def.gravity = (rill_vec){0};
            rill_world *w = create(&def);
            add_fluid(w, "water", 1000, 0);
            add_fluid(w, "oil", 300, 0);
            add_block_of(w, "water", (rill_vec){0, 0, 0}, (rill_vec){0.6f, 0.3f, 0.4f});
            add_block_of(w, "oil", (rill_vec){0, 0.3f, 0}, (rill_vec){0.6f, 0.6f, 0.4f});
            for (int k = 0; k < 5; k++) ok(w, rill_world_step(w, 0.0005));
            assert_at_most(rill_world_stats(w)->density_error_max, 0.01);
            assert_at_most(rill_world_stats(w)->max_speed, 0.01);
            rill_world_destroy(w);
        }
}

/* ---- layers ---- */

/* Oil of a tenth of the water's density on the water: the lattice settles a little, and nothing leaps from the
   interface. A force-based method that takes heavy neighbours for compression shoots oil away at 60 m/s. */
static void a_light_layer_rests_on_a_heavy_one(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        const rill_world_def def = small_def(2, methods[m]);
        rill_world *w = create(&def);
        add_fluid(w, "water", 1000, 0);
        add_fluid(w, "oil", 100, 0);
        add_container(w, (rill_vec){0, 0, 0}, (rill_vec){0.6f, 1.5f, 0});
        add_block_of(w, "water", (rill_vec){0, 0, 0}, (rill_vec){0.6f, 0.3f, 0});
        add_block_of(w, "oil", (rill_vec){0, 0.3f, 0}, (rill_vec){0.6f, 0.6f, 0});
        double fastest = 0;
        while (rill_world_stats(w)->time < 0.5) {
            ok(w, rill_world_advance(w, 0.005));
            fastest = fmax(fastest, rill_world_stats(w)->max_speed);
        }
        if (fastest > 0.6) fail_msg("%s: a particle at %g m/s", methods[m], fastest); /* sqrt(g H) is 2.4 m/s */
        assert_at_most(rill_world_stats(w)->density_error_max, 0.05);
        rill_world_destroy(w);
    }
}

/* Memory of exactly the requested size: the address sanitizer sees a read of one byte more. */
static void *exact_allocate(size_t size, size_t alignment, void *context) {
    (void)context;
    void *data = NULL;
    return posix_memalign(&data, alignment, size) == 0 ? data : NULL;
}

static void exact_release(void *data, size_t size, void *context) {
    (void)size, (void)context;
    free(data);
}

/* An emitter makes the arrays grow, and images move to places that were unused. */
static void emitters_in_periodic_worlds(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        rill_world_def def = small_def(2, methods[m]);
        def.periodic = (rill_vec){1, 0, 0};
        def.allocator = (rill_allocator){exact_allocate, exact_release, NULL};
        rill_world *w = create(&def);
        add_fluid(w, "water", 1000, 0);
        add_fluid(w, "oil", 300, 0);
        rill_solid_def floor = rill_solid_def_default();
        floor.shape.kind = RILL_HALF_SPACE, floor.shape.normal = (rill_vec){0, 1, 0};
        ok(w, rill_world_add_solid(w, &floor, NULL));
        add_block_of(w, "water", (rill_vec){0, 0, 0}, (rill_vec){1, 0.3f, 0});
        add_block_of(w, "oil", (rill_vec){0, 0.3f, 0}, (rill_vec){1, 0.5f, 0});
        rill_emitter_def jet = rill_emitter_def_default();
        snprintf(jet.fluid_name, sizeof jet.fluid_name, "oil");
        jet.position = (rill_vec){0.5f, 0.9f, 0}, jet.direction = (rill_vec){0, -1, 0};
        jet.radius = 0.12f, jet.speed = 2;
        ok(w, rill_world_add_emitter(w, &jet, NULL));
        ok(w, rill_world_advance(w, 0.4));
        assert_true(rill_world_stats(w)->emitted > 50);
        rill_world_destroy(w);
    }
}

/* ---- the order of the list ---- */

typedef struct layers {
    float top, mass; /* density of the upper fluid; its particles' mass, 0: calibrated */
    double tensile, vorticity;
} layers;

/* Water below a lighter fluid in a tank. Blocks are added in one order, so that ids are the same whichever fluid is
   first. */
static rill_world *make_layers(const char *method, const layers *l, bool water_first) {
    rill_world_def def = small_def(2, method);
    def.spacing = 0.025f;
    rill_world *w = create(&def);
    if (water_first) add_fluid(w, "water", 1000, 0);
    add_fluid(w, "oil", l->top, l->mass);
    if (!water_first) add_fluid(w, "water", 1000, 0);
    if (l->tensile > 0) ok(w, rill_world_set_number(w, rill_ref_method(), "tensile", l->tensile));
    if (l->vorticity > 0) ok(w, rill_world_set_number(w, rill_ref_method(), "vorticity", l->vorticity));
    add_container(w, (rill_vec){0, 0, 0}, (rill_vec){1, 1, 0});
    add_block_of(w, "water", (rill_vec){0, 0, 0}, (rill_vec){1, 0.3f, 0});
    add_block_of(w, "oil", (rill_vec){0, 0.3f, 0}, (rill_vec){1, 0.5f, 0});
    return w;
}

/* Largest distance between particles of the same id. */
static double apart(rill_world *a, rill_world *b) {
    rill_view x, y, id;
    ok(a, rill_world_view(a, "position", &x));
    ok(b, rill_world_view(b, "position", &y));
    ok(a, rill_world_view(a, "id", &id));
    double most = 0;
    for (int i = 0; i < x.count; i++) {
        const int j = rill_world_particle_index(b, ((const rill_particle_id *)id.data)[i]);
        const float *p = (const float *)x.data + i * x.stride, *q = (const float *)y.data + j * y.stride;
        most = fmax(most, fmax(fabs((double)(p[0] - q[0])), fabs((double)(p[1] - q[1]))));
    }
    return most;
}

static void the_order_does_not_matter(void **state) {
    (void)state;
    static const layers cases[] = {
        {300, 0, 0, 0},
        {50, 0, 0, 0},
        {300, 0, 0.02, 0},
        {300, 0, 0, 1},
        /* particles of another size than the water's: 1.2 times its volume */
        {300, 300 * 1.2f * 0.025f * 0.025f, 0, 0},
        {300, 300 * 1.2f * 0.025f * 0.025f, 0.02, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rill_world *a = make_layers("pbf", &cases[k], true), *b = make_layers("pbf", &cases[k], false);
        const double mass = 1000 * 0.3 + (double)cases[k].top * 0.2;
        for (int frame = 0; frame < 18; frame++) {
            ok(a, rill_world_step(a, 1.0 / 60));
            ok(b, rill_world_step(b, 1.0 / 60));
            /* rounding errors grow with the motion of the particles, so that only the start is compared */
            if (frame == 1) {
                assert_at_most(apart(a, b), 1e-3 * 0.025);
                assert_int_equal(rill_world_stats(a)->substeps, rill_world_stats(b)->substeps);
            }
        }
        /* Both rest, with an rms speed of 5 % of sqrt(gH) at most, unless particles that are too large push apart. */
        if (!(cases[k].mass > 0)) {
            const double limit = 0.5 * mass * 0.05 * 0.05 * 9.81 * 0.5;
            assert_at_most(rill_world_stats(a)->kinetic_energy, limit);
            assert_at_most(rill_world_stats(b)->kinetic_energy, limit);
        }
        rill_world_destroy(a);
        rill_world_destroy(b);
    }
}

/* ---- fluids that were removed ---- */

/* The number of iterations that pbf chooses with honey alone, and with a fluid that was removed before it or after. */
static double iterations_with_honey(bool water_first, bool water_last) {
    const rill_world_def def = small_def(2, "pbf");
    rill_world *w = create(&def);
    if (water_first) add_fluid(w, "water", 1000, 0);
    rill_fluid_def honey = rill_fluid_def_default();
    snprintf(honey.name, sizeof honey.name, "honey");
    honey.density = 1400, honey.viscosity = 1000;
    ok(w, rill_world_add_fluid(w, &honey, NULL));
    if (water_last) add_fluid(w, "water", 1000, 0);
    if (water_first || water_last) ok(w, rill_world_remove_fluid(w, rill_world_find_fluid(w, "water")));
    add_container(w, (rill_vec){0, 0, 0}, (rill_vec){0.6f, 1, 0});
    add_block_of(w, "honey", (rill_vec){0, 0, 0}, (rill_vec){0.6f, 0.3f, 0});
    ok(w, rill_world_step(w, 0.001));
    double iterations = 0;
    ok(w, rill_world_effective(w, "iterations", &iterations));
    rill_world_destroy(w);
    return iterations;
}

static void a_removed_fluid_leaves_nothing(void **state) {
    (void)state;
    assert_true(iterations_with_honey(false, false) == 6);
    assert_true(iterations_with_honey(true, false) == 6);
    assert_true(iterations_with_honey(false, true) == 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_removed_fluid_leaves_nothing),     cmocka_unit_test(two_fluids_across_a_face),
        cmocka_unit_test(a_light_layer_rests_on_a_heavy_one), cmocka_unit_test(emitters_in_periodic_worlds),
        cmocka_unit_test(the_order_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

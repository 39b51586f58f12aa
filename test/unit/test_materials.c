/* SPDX-License-Identifier: MIT */
/* Named materials. */
#include "rill/rill.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static rill_fluid_def find(const char *name) {
    rill_fluid_def def;
    rill_error error = {0};
    if (rill_material_find(name, &def, &error)) fail_msg("%s", error.text);
    return def;
}

static void every_material_is_a_liquid(void **state) {
    (void)state;
    int count = 0;
    for (const char *name = rill_material_name(0); name; name = rill_material_name(count)) {
        const rill_fluid_def def = find(name);
        rill_error error = {0};
        if (rill_table_check(rill_object_table(RILL_OBJECT_FLUID), &def, &error)) fail_msg("%s: %s", name, error.text);
        assert_string_equal(def.name, name);
        assert_true(def.density > 600 && def.density < 20000);
        assert_true(def.viscosity > 1e-4F && def.viscosity < 100);
        assert_true(def.surface_tension >= 0 && def.surface_tension < 0.6F);
        assert_true(def.particle_mass == 0);
        for (int i = 0; i < count; ++i) assert_string_not_equal(rill_material_name(i), name);
        ++count;
    }
    assert_true(count >= 8);
    assert_null(rill_material_name(-1));
    assert_null(rill_material_name(count));
}

static void expect_near(float value, float expected, float share) {
    if (fabsf(value - expected) > share * expected) fail_msg("%g is not %g", (double)value, (double)expected);
}

/* Facts that no edit of the table may break, with a margin for differences between handbooks. */
static void known_values_hold(void **state) {
    (void)state;
    const rill_fluid_def water = find("water");
    expect_near(water.density, 998.2F, 1e-4F);
    expect_near(water.viscosity, 1.002e-3F, 2e-3F);
    expect_near(water.surface_tension, 0.0728F, 2e-3F);
    expect_near(find("mercury").density, 13546, 1e-3F);
    expect_near(find("mercury").surface_tension, 0.4865F, 1e-2F);
    expect_near(find("glycerol").viscosity, 1.412F, 2e-2F);
    expect_near(find("ethanol").density, 789.3F, 2e-3F);
    assert_true(find("sea_water").density > water.density);
    assert_true(find("oil").density < water.density);
    assert_true(find("honey").viscosity > 1000 * water.viscosity);
}

static void unknown_names_are_explained(void **state) {
    (void)state;
    rill_fluid_def def = rill_fluid_def_default();
    const rill_fluid_def before = def;
    rill_error error = {0};
    assert_int_equal(rill_material_find("watr", &def, &error), RILL_NOT_FOUND);
    assert_non_null(strstr(error.text, "unknown material 'watr'; did you mean 'water'? Known: water, "));
    assert_int_equal(rill_material_find("Sea-Water", &def, &error), RILL_NOT_FOUND);
    assert_non_null(strstr(error.text, "did you mean 'sea_water'?"));
    assert_int_equal(rill_material_find("plutonium", &def, &error), RILL_NOT_FOUND);
    assert_null(strstr(error.text, "did you mean"));
    assert_non_null(strstr(error.text, "known: water, sea_water, oil, honey"));
    assert_int_equal(rill_material_find("", &def, NULL), RILL_NOT_FOUND);
    assert_int_equal(rill_material_find(NULL, &def, NULL), RILL_INVALID);
    assert_int_equal(rill_material_find("water", NULL, NULL), RILL_INVALID);
    assert_memory_equal(&def, &before, sizeof def);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_material_is_a_liquid),
        cmocka_unit_test(known_values_hold),
        cmocka_unit_test(unknown_names_are_explained),
    };
    return cmocka_run_group_tests_name("materials", tests, NULL, NULL);
}

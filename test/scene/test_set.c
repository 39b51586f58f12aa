/* SPDX-License-Identifier: MIT */
/* --set and --method: the rows of the tables, reached from the command line. */
#include "scene/scene_test.h"

static const char base[] =
    "{\"dim\": 2, \"method\": \"wcsph\", \"world\": {\"spacing\": 0.1},"
    " \"fluids\": [{\"material\": \"water\"}, {\"name\": \"oil.light\", \"material\": \"oil\"}],"
    " \"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 1]}],"
    " \"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [2, 2], \"inside\": true},"
    "  {\"shape\": \"polygon\", \"points\": [[0, 0], [1, 0], [0, 1]]}],"
    " \"gauges\": [{\"name\": \"top\", \"kind\": \"height\", \"position\": [0, 0], \"length\": 1}]}";

static int setup(void **state) {
    *state = parse(base);
    return 0;
}

static int teardown(void **state) {
    rill_scene_free(*state);
    return 0;
}

static void set(scene *s, const char *assignment) {
    rill_error error = {0};
    if (rill_scene_set(s, assignment, &error)) fail_msg("%s -> %s", assignment, error.text);
}

/* A refused assignment leaves the scene unchanged. */
static void refuse(scene *s, const char *assignment, const char *expected) {
    rill_error error = {0};
    char *before = written(s);
    assert_int_not_equal(rill_scene_set(s, assignment, &error), RILL_OK);
    assert_int_not_equal(error.status, RILL_OK);
    assert_string_equal(error.text, expected);
    char *after = written(s);
    assert_string_equal(before, after);
    free(before), free(after);
}

static void sections_lists_and_methods_are_set(void **state) {
    scene *s = *state;
    set(s, "world.spacing=5 cm");
    assert_float_equal(s->world.spacing, 0.05f, 0);
    set(s, "world.gravity=[0, -1.62 m/s^2]");
    assert_float_equal(s->world.gravity.y, -1.62f, 0);
    set(s, "world.calibrate_mass=false");
    assert_false(s->world.calibrate_mass);
    set(s, "run.time=250 ms");
    assert_float_equal(s->run.time, 0.25f, 0);
    set(s, "picture.color=density");
    assert_int_equal(s->picture.color, 1);
    set(s, "fluids.water.viscosity=1 P");
    assert_float_equal(s->fluids[0].viscosity, 0.1f, 0);
    set(s, "fluids.oil.light.density=800");
    assert_float_equal(s->fluids[1].density, 800, 0);
    set(s, "blocks.0.fluid=oil.light");
    assert_string_equal(s->blocks[0].fluid_name, "oil.light");
    set(s, "solids.tank.friction=0.25");
    assert_float_equal(s->solids[0].friction, 0.25f, 0);
    set(s, "solids.tank.motion.amplitude=[1 cm, 0]");
    assert_float_equal(s->solids[0].motion.amplitude.x, 0.01f, 0);
    set(s, "solids.1.points=[[0, 0], [2, 0], [2, 2], [0, 2]]");
    assert_int_equal(s->solids[1].shape.points.count, 4);
    set(s, "gauges.top.length=3");
    assert_float_equal(s->gauges[0].length, 3, 0);
    set(s, "gauges.0.length=4");
    assert_float_equal(s->gauges[0].length, 4, 0);
}

/* Limits and motors are written in the units of the joint's kind, wherever the kind is given. */
static void joints_have_units(void **state) {
    (void)state;
    static const char text[] =
        "{\"dim\": 2, \"method\": \"wcsph\", \"fluids\": [{\"material\": \"water\"}],"
        "\"bodies\": [{\"name\": \"box\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 1]}],"
        "\"joints\": [{\"a\": \"box\", \"upper\": \"30 deg\", \"motor_speed\": \"10 rpm\", "
        "\"motor_force\": \"2 kJ\", \"kind\": \"hinge\", \"name\": \"pin\"},"
        "{\"kind\": \"slider\", \"a\": \"box\", \"axis\": [1, 0], \"upper\": \"5 cm\", "
        "\"motor_speed\": \"1 cm/s\", \"motor_force\": \"2 kN\", \"name\": \"rail\"}]}";
    rill_error error = {0};
    scene *s = rill_scene_parse("joints.json", text, strlen(text), &error);
    if (!s) fail_msg("%s", error.text);
    assert_float_equal(s->joints[0].upper, 0.5235988f, 1e-6f);
    assert_float_equal(s->joints[0].motor_speed, 1.0471976f, 1e-6f);
    assert_float_equal(s->joints[0].motor_force, 2000, 0);
    assert_float_equal(s->joints[1].upper, 0.05f, 0);
    assert_float_equal(s->joints[1].motor_speed, 0.01f, 0);
    set(s, "joints.pin.lower=-90 deg");
    assert_float_equal(s->joints[0].lower, -1.5707963f, 1e-6f);
    refuse(s, "joints.rail.lower=-90 deg",
           "--set: joints.rail.lower: '-90 deg' is an angle; expected a length: m, mm, cm, dm, km, um, in, ft");
    rill_world *world = build(s);
    rill_world_destroy(world);
    rill_scene_free(s);
}

/* A key without a section belongs to the method in use, one with a method's name to that method; both reach the
   world. */
static void methods_keys_reach_the_world(void **state) {
    scene *s = *state;
    char text[64];
    assert_int_equal(rill_scene_use_method(s, "muller", NULL), RILL_OK);
    set(s, "sound_speed=12 m/s");
    set(s, "wcsph.sound_speed=34");
    rill_world *world = build(s);
    assert_int_equal(rill_world_get_text(world, rill_ref_method(), "sound_speed", text, sizeof text), RILL_OK);
    assert_string_equal(text, "12");
    rill_world_destroy(world);
    assert_int_equal(rill_scene_use_method(s, "wcsph", NULL), RILL_OK);
    world = build(s);
    assert_int_equal(rill_world_get_text(world, rill_ref_method(), "sound_speed", text, sizeof text), RILL_OK);
    assert_string_equal(text, "34");
    rill_world_destroy(world);
}

static void errors_name_the_key_and_the_nearest(void **state) {
    scene *s = *state;
    refuse(s, "nonsense", "--set: 'nonsense' is not an assignment; expected KEY=VALUE");
    refuse(s, "=3", "--set: '=3' is not an assignment; expected KEY=VALUE");
    refuse(s, "sound_sped=3", "--set: sound_sped: unknown key 'sound_sped'; did you mean 'sound_speed'?");
    refuse(s, "spacing=3", "--set: spacing: the method 'wcsph' has no such key; did you mean 'world.spacing'?");
    refuse(s, "wrld.spacing=3", "--set: wrld.spacing: unknown section 'wrld'; did you mean 'world'?");
    refuse(s, "world.spacin=3", "--set: world.spacin: unknown key 'spacin'; did you mean 'spacing'?");
    refuse(s, "world.spacing=", "--set: world.spacing: the text is empty; expected a length such as '0.5 m'");
    refuse(s, "world.spacing=2 s",
           "--set: world.spacing: '2 s' is a time; expected a length: m, mm, cm, dm, km, um, in, ft");
    refuse(s, "world.gravity=[0, 0, 1]",
           "--set: world.gravity: has 3 components; expected a list of 2 numbers such as [0, 1] in a 2D scene");
    refuse(s, "world.gravity=9.81",
           "--set: world.gravity: is 9.81; expected a list of 2 numbers such as [0, 1] in a 2D scene");
    refuse(s, "fluids.watr.density=3", "--set: fluids.watr.density: no fluid 'watr'; did you mean 'water'?");
    refuse(s, "gauges.1.length=3",
           "--set: gauges.1.length: no gauge '1' among the 1 there are; expected gauges.NAME.KEY or gauges.NUMBER.KEY");
    refuse(s, "solids.tank.friction=2", "--set: solids.tank.friction: 2 is out of range; expected 0 to 1");
    refuse(s, "solids.tank.radius=2", "--set: solids.tank.radius: 'radius' does not apply to shape \"box\"");
    refuse(s, "solids.tank.motion=2", "--set: solids.tank.motion: 'motion' has keys of its own; expected motion.KEY");
    refuse(s, "fluids.water.wcsph.spring=2",
           "--set: fluids.water.wcsph.spring: the method 'wcsph' has no parameters for fluids");
    refuse(s, "blocks.0.wcsph.spring=2",
           "--set: blocks.0.wcsph.spring: the method 'wcsph' has no parameters for blocks");
    refuse(s, "solids.tank.motion.spn=2", "--set: solids.tank.motion.spn: unknown key 'spn'; did you mean 'spin'?");
    refuse(s, "picture.up=[0, 1]", "--set: picture.up: 'up' applies to 3D scenes only");
    refuse(
        s, "picture.color=sped",
        "--set: picture.color: unknown choice 'sped'; did you mean 'speed'? Expected one of: speed, density, pressure");
}

static void unknown_method_is_refused(void **state) {
    rill_error error = {0};
    scene *s = *state;
    assert_int_equal(rill_scene_use_method(s, "wcspf", &error), RILL_NOT_FOUND);
    assert_string_equal(error.text, "unknown method 'wcspf'; did you mean 'wcsph'?");
    assert_int_equal(rill_scene_use_method(s, "zzzzzz", &error), RILL_NOT_FOUND);
    assert_string_equal(s->world.method, "wcsph");
}

static void broken_values_do_no_harm(void **state) {
    scene *s = *state;
    static const char *const values[] = {
        "[", "[[[[[[[[[[[[[[[[[[[[", "[1,", "[&a, *a]", "[!x 1, 2]", "[{}, 2]", "[1, 2] 3", "[\"]"};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        char assignment[80];
        rill_error error = {0};
        snprintf(assignment, sizeof assignment, "world.gravity=%s", values[k]);
        assert_int_not_equal(rill_scene_set(s, assignment, &error), RILL_OK);
        assert_int_equal(strncmp(error.text, "--set:", 6), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sections_lists_and_methods_are_set, setup, teardown),
        cmocka_unit_test_setup_teardown(methods_keys_reach_the_world, setup, teardown),
        cmocka_unit_test(joints_have_units),
        cmocka_unit_test_setup_teardown(errors_name_the_key_and_the_nearest, setup, teardown),
        cmocka_unit_test_setup_teardown(unknown_method_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(broken_values_do_no_harm, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Variables and expressions: their values, in any order, and the messages for those that cannot be computed. */
#include "core/exponential.h"
#include "scene/reader.h"
#include "scene/scene_test.h"

#include <math.h>

static double value_of(const char *text) {
    double value = 0;
    expression_problem problem;
    if (!rill_expression_any_value(text, (expression_names){0}, &value, &problem))
        fail_msg("%s, character %d: %s", text, problem.character, problem.text);
    return value;
}

static void expressions_are_computed(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"=1 + 2*3", 7},
        {"2^3^2", 512},
        {"-2^2", -4},
        {"2^-1", 0.5},
        {"(1 + 2) * 3 - -1", 10},
        {"8/4/2", 1},
        {"1 < 2 ? 10 : 20", 10},
        {"2 <= 1 ? 10 : 3 == 3 ? 30 : 40", 30},
        {"1 != 1", 0},
        {"min(3, 1, 2) + max(4, 5)", 6},
        {"round(2.5) + floor(-0.5) + ceil(0.2)", 3},
        {"abs(-3) + sqrt(16)", 7},
        {"1.5e2 + 1E-1", 150.1},
        {"cos(0) + sin(0) + tan(0)", 1},
        {"g", 9.81},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (value_of(cases[k].text) != cases[k].value) fail_msg("%s is %.17g", cases[k].text, value_of(cases[k].text));
    assert_true(isinf(value_of("1/0")));
}

static void exponentials_are_right(void **state) {
    (void)state;
    for (double x = -40; x < 40; x += 0.0371) {
        assert_true(fabs(rill_exp(x) / exp(x) - 1) < 1e-14);
        assert_true(fabs(rill_tanh(x) - tanh(x)) <= 1e-14 * fabs(tanh(x)));
        assert_true(fabs(rill_log(exp(x)) - x) < 1e-13);
        assert_true(fabs(rill_power(2.5, x / 10) / pow(2.5, x / 10) - 1) < 1e-13);
    }
    assert_true(fabs(rill_log(1 + 1e-9) - log1p(1e-9)) < 1e-16);
    assert_true(rill_exp(-1e9) == 0 && isinf(rill_exp(1e9)) && isinf(rill_log(0)) && isnan(rill_log(-1)));
    assert_true(rill_power(0, 0.5) == 0 && rill_power(-2, 3) == -8);
}

static void broken_expressions_say_where(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
        int character;
    } cases[] = {
        {"=1 +", "ends where a value is expected", 5},
        {"=(1", "expected ')' before the end", 4},
        {"=1 2", "expected an operator or the end", 4},
        {"=$", "expected a number, a name or '('", 2},
        {"=H", "'H' has no value", 2},
        {"=sqrt 2", "expected '('", 7},
        {"=1 ? 2", "expected ':' before the end", 7},
        {"=1/0", "has no finite value", 1},
        {"=1..2", "expected a number", 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double value;
        expression_problem problem;
        assert_false(rill_expression_value(cases[k].text, (expression_names){0}, &value, &problem));
        assert_string_equal(problem.text, cases[k].words);
        assert_int_equal(problem.character, cases[k].character);
    }
    char deep[4000];
    double value;
    expression_problem problem;
    for (const char *sign = "(-"; *sign; sign++) {
        memset(deep, *sign, sizeof deep - 1);
        deep[sizeof deep - 1] = '\0';
        assert_false(rill_expression_value(deep, (expression_names){0}, &value, &problem));
        assert_non_null(strstr(problem.text, "nested too deeply"));
    }
}

#define SCENE(variables, rest)                                                                                      \
    "{\"variables\": {" variables "}, \"dim\": 2, \"world\": {\"spacing\": \"=dx\"}, \"fluids\": [{\"material\": "  \
    "\"water\"}], \"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [\"=2*H\", \"=H\"]}], \"picture\": {" \
    "\"width\": \"=16*layers\"}" rest "}"
#define TANK SCENE("\"dx\": \"=H/layers\", \"layers\": 25, \"H\": \"50 cm\"", "")

static void scenes_use_variables(void **state) {
    (void)state;
    scene *s = parse(TANK);
    assert_float_equal(s->world.spacing, 0.02f, 0);
    assert_float_equal(s->blocks[0].shape.max.x, 1.0f, 0);
    assert_int_equal(s->picture.width, 400);
    assert_int_equal(s->variable_count, 3);
    rill_error error = {0};
    assert_int_equal(rill_scene_set(s, "run.time==H*2", &error), RILL_OK);
    assert_float_equal(s->run.time, 1.0f, 0);
    assert_int_not_equal(rill_scene_set(s, "variables.H=1", &error), RILL_OK);
    /* Written out, it reads back without variables. */
    char *text = written(s);
    scene *again = parse(text);
    assert_float_equal(again->world.spacing, 0.02f, 0);
    free(text);
    rill_scene_free(again), rill_scene_free(s);
}

static void variables_are_replaced_while_reading(void **state) {
    (void)state;
    static const char *const sets[] = {"run.time=3", "variables.layers=50", "variables.H==2*0.5"};
    rill_error error = {0};
    scene *s = rill_scene_parse_with("test.json", TANK, strlen(TANK), &(scene_sets){sets, 3}, &error);
    assert_non_null(s);
    assert_float_equal(s->world.spacing, 0.02f, 0);
    assert_float_equal(s->blocks[0].shape.max.x, 2.0f, 0);
    rill_scene_free(s);
    static const char *const wrong[] = {"variables.layer=50"};
    assert_null(rill_scene_parse_with("test.json", TANK, strlen(TANK), &(scene_sets){wrong, 1}, &error));
    assert_int_equal(error.status, RILL_INVALID);
    assert_string_equal(error.text, "--set: variables.layer: unknown variable; did you mean 'layers'?");
}

/* A variable hides a constant even if it is computed last. */
static void own_gravity_comes_before_the_constant(void **state) {
    (void)state;
    scene *s = parse(SCENE("\"dx\": \"=H/50\", \"H\": \"=g\", \"layers\": 1, \"g\": \"=layers*2\"", ""));
    assert_float_equal(s->world.spacing, 0.04f, 0);
    rill_scene_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_are_computed),
        cmocka_unit_test(exponentials_are_right),
        cmocka_unit_test(broken_expressions_say_where),
        cmocka_unit_test(scenes_use_variables),
        cmocka_unit_test(variables_are_replaced_while_reading),
        cmocka_unit_test(own_gravity_comes_before_the_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

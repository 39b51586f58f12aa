/* SPDX-License-Identifier: MIT */
/* Rows of a parameter table at work, on a struct with a member of each type. */
#include "model/table.h"
#include "rill/rill.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct sample {
    bool flag;
    int32_t whole;
    float length;
    rill_vec place;
    int32_t mode;
    char label[RILL_NAME_SIZE];
    rill_points points;
} sample;

static const rill_param rows[] = {
    ROW_BOOL(sample, flag, true, "a flag", NULL),
    ROW_INT(sample, whole, -5, 10, 3, "a whole number", NULL),
    ROW_NUMBER(sample, length, RILL_LENGTH, 0.1, 0.7, 0.3, "a length", "paper 1"),
    ROW_VEC(sample, place, RILL_LENGTH, -2, 2, 0.5F, -1, 0, "a place", NULL),
    ROW_CHOICE(sample, mode, "slow|fast|fastest", 1, "a choice", NULL),
    ROW_NAME(sample, label, "tank", "a name", NULL),
    ROW_POINTS(sample, points, RILL_LENGTH, -2, 2, "corners", NULL),
};
static const rill_table table = TABLE("sample", "one of each", sample, rows);

static const rill_param *row(const char *key) {
    const rill_param *param = rill_table_find(&table, key);
    assert_non_null(param);
    return param;
}

/* Clears padding too, so that objects can be compared as bytes. */
static void reset(sample *s) {
    memset(s, 0, sizeof *s);
    rill_table_defaults(&table, s);
}

static void set(sample *s, const char *key, const char *text) {
    rill_error error = {0};
    if (rill_param_set_text(row(key), s, text, &error)) fail_msg("%s=%s: %s", key, text, error.text);
}

/* The message has both parts, and the object is unchanged. */
static void refuse(const char *key, const char *text, const char *part, const char *other_part) {
    sample s;
    reset(&s);
    sample before;
    memcpy(&before, &s, sizeof s);
    rill_error error = {0};
    assert_int_equal(rill_param_set_text(row(key), &s, text, &error), RILL_INVALID);
    assert_memory_equal(&s, &before, sizeof s);
    if (!strstr(error.text, part) || !strstr(error.text, other_part)) fail_msg("%s=%s: %s", key, text, error.text);
    assert_int_equal(strncmp(error.text, key, strlen(key)), 0);
}

static void expect_text(const sample *s, const char *key, int dim, const char *expected) {
    char buffer[400];
    const int length = rill_param_get_text(row(key), s, dim, buffer, sizeof buffer);
    assert_string_equal(buffer, expected);
    assert_int_equal(length, (int)strlen(expected));
}

static void defaults_are_set(void **state) {
    (void)state;
    sample s;
    reset(&s);
    assert_true(s.flag);
    assert_int_equal(s.whole, 3);
    assert_true(s.length == 0.3F);
    assert_true(s.place.x == 0.5F && s.place.y == -1 && s.place.z == 0);
    assert_int_equal(s.mode, 1);
    assert_string_equal(s.label, "tank");
    assert_int_equal(s.points.count, 0);
    assert_int_equal(rill_table_check(&table, &s, NULL), RILL_OK);
}

static void find_is_exact(void **state) {
    (void)state;
    assert_ptr_equal(rill_table_find(&table, "mode"), &rows[4]);
    assert_null(rill_table_find(&table, "Mode"));
    assert_null(rill_table_find(&table, "mod"));
    assert_null(rill_table_find(&table, ""));
    assert_null(rill_table_find(NULL, "mode"));
    assert_null(rill_table_find(&table, NULL));
}

static void nearest_key_is_named(void **state) {
    (void)state;
    const rill_table *world = rill_object_table(RILL_OBJECT_WORLD);
    const rill_table *fluid = rill_object_table(RILL_OBJECT_FLUID);
    assert_string_equal(rill_table_nearest(world, "spaceing"), "spacing");
    assert_string_equal(rill_table_nearest(world, "garvity"), "gravity");
    assert_string_equal(rill_table_nearest(world, "Gravity"), "gravity");
    assert_string_equal(rill_table_nearest(world, "dim"), "dim");
    assert_string_equal(rill_table_nearest(world, "dmi"), "dim");
    assert_string_equal(rill_table_nearest(world, "maxspeed"), "max_speed");
    assert_string_equal(rill_table_nearest(world, "max-speed"), "max_speed");
    assert_string_equal(rill_table_nearest(fluid, "visc"), "viscosity");
    assert_string_equal(rill_table_nearest(fluid, "surfacetension"), "surface_tension");
    assert_null(rill_table_nearest(fluid, "temperature"));
    assert_null(rill_table_nearest(fluid, "x"));
    assert_null(rill_table_nearest(fluid, ""));
    char longest[1000];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_null(rill_table_nearest(fluid, longest));
}

static void choices_are_found(void **state) {
    (void)state;
    char buffer[RILL_NAME_SIZE];
    assert_int_equal(rill_choice_index("slow|fast|fastest", "slow"), 0);
    assert_int_equal(rill_choice_index("slow|fast|fastest", "fast"), 1);
    assert_int_equal(rill_choice_index("slow|fast|fastest", "fastest"), 2);
    assert_int_equal(rill_choice_index("slow|fast|fastest", "fas"), -1);
    assert_int_equal(rill_choice_index("slow|fast|fastest", "slow|fast"), -1);
    assert_int_equal(rill_choice_index("slow|fast|fastest", ""), -1);
    assert_int_equal(rill_choice_index(NULL, "slow"), -1);
    assert_string_equal(rill_choice_name("slow|fast|fastest", 2, buffer, sizeof buffer), "fastest");
    assert_string_equal(rill_choice_name("slow|fast|fastest", 0, buffer, 3), "sl");
    assert_string_equal(rill_choice_name("slow|fast|fastest", 3, buffer, sizeof buffer), "");
    assert_string_equal(rill_choice_name("slow|fast|fastest", -1, buffer, sizeof buffer), "");
    assert_string_equal(rill_choice_name(NULL, 0, buffer, sizeof buffer), "");
    assert_string_equal(rill_choices_nearest("slow|fast|fastest", "fsat", buffer, sizeof buffer), "fast");
    assert_string_equal(rill_choices_nearest("slow|fast|fastest", "FASTES", buffer, sizeof buffer), "fastest");
    assert_null(rill_choices_nearest("slow|fast|fastest", "purple", buffer, sizeof buffer));
    assert_null(rill_choices_nearest("slow", "slow", NULL, 0));
}

static void text_sets_every_type(void **state) {
    (void)state;
    sample s;
    reset(&s);
    static const char *const truths[] = {"true", "yes", "on", "1"};
    static const char *const lies[] = {"false", "no", "off", "0"};
    for (int i = 0; i < 4; ++i) {
        set(&s, "flag", lies[i]);
        assert_false(s.flag);
        set(&s, "flag", truths[i]);
        assert_true(s.flag);
    }
    set(&s, "whole", "-5");
    assert_int_equal(s.whole, -5);
    set(&s, "whole", "1e1");
    assert_int_equal(s.whole, 10);
    set(&s, "length", "25 cm");
    assert_true(s.length == 0.25F);
    set(&s, "mode", "fastest");
    assert_int_equal(s.mode, 2);
    set(&s, "label", "Größe \"7\"");
    assert_string_equal(s.label, "Größe \"7\"");
    set(&s, "label", "");
    assert_string_equal(s.label, "");
    assert_int_equal(rill_table_check(&table, &s, NULL), RILL_OK);
}

static void vectors_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        rill_vec value;
    } cases[] = {
        {"[0, 1 cm]", {0, 0.01F, 0}},
        {"0,1", {0, 1, 0}},
        {" [ 1 , -2 , 50 cm ] ", {1, -2, 0.5F}},
        {"1 mm, 2 mm, 3 mm", {0.001F, 0.002F, 0.003F}},
        {"[-1,.5]\n", {-1, 0.5F, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        sample s;
        reset(&s);
        set(&s, "place", cases[i].text);
        assert_memory_equal(&s.place, &cases[i].value, sizeof(rill_vec));
    }
    static const char *const bad[] = {"",      "[]",    "[",       "]",         "1",       "[1]",
                                      "[1, 2", "1, 2]", "1,2,3,4", "[1,2,3,4]", "[[1, 2]]"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) refuse("place", bad[i], "place: ", "expected");
    refuse("place", "1,", "the text is empty", "a length");
    refuse("place", ",1", "the text is empty", "a length");
    refuse("place", "[1 kg, 2]", "'1 kg' is a mass", "expected a length");
    refuse("place", "[0, 3]", "place.y: 3 m is out of range", "expected -2 to 2 m");
    refuse("place", "[0, 0, 1e39]", "place.z: 1e+39 m is out of range", "expected -2 to 2 m");
}

static void wrong_text_is_explained(void **state) {
    (void)state;
    refuse("flag", "maybe", "'maybe' is neither true nor false", "expected true");
    refuse("flag", "", "neither", "expected");
    refuse("whole", "2.5", "2.5 is not whole", "from -5 to 10");
    refuse("whole", "11", "11 is out of range", "a whole number from -5 to 10");
    refuse("whole", "1e30", "out of range", "from -5 to 10");
    refuse("whole", "3 m", "is a length", "a plain number");
    refuse("length", "0.71", "0.71 m is out of range", "expected 0.1 to 0.7 m");
    refuse("length", "1 km", "1000 m is out of range", "expected 0.1 to 0.7 m");
    refuse("length", "nan", "is not a number", "a length");
    refuse("mode", "fsat", "did you mean 'fast'?", "one of: slow, fast, fastest");
    refuse("mode", "purple", "unknown choice 'purple'", "one of: slow, fast, fastest");
    refuse("mode", "1", "unknown choice", "slow");
    refuse("label", "a name that is too long for the room that there is for one", "too long", "at most 47 bytes");
    refuse("label", "two\nlines", "control character 0x0a", "byte 4");
    refuse("points", "[[0, 0]]", "a list of points", "cannot be set from text");
}

/* Both ends of a range belong to it, although 0.1 and 0.7 are not floats. */
static void range_ends_are_allowed(void **state) {
    (void)state;
    sample s;
    reset(&s);
    set(&s, "length", "0.7");
    assert_int_equal(rill_table_check(&table, &s, NULL), RILL_OK);
    set(&s, "length", "0.1");
    assert_int_equal(rill_table_check(&table, &s, NULL), RILL_OK);
    s.length = nextafterf(0.1F, 0);
    assert_int_equal(rill_table_check(&table, &s, NULL), RILL_INVALID);
}

static void numbers_and_vectors_are_set(void **state) {
    (void)state;
    sample s;
    reset(&s);
    rill_error error = {0};
    assert_int_equal(rill_param_set_number(row("whole"), &s, 7, NULL), RILL_OK);
    assert_int_equal(s.whole, 7);
    assert_int_equal(rill_param_set_number(row("length"), &s, 0.5, NULL), RILL_OK);
    assert_true(s.length == 0.5F);
    assert_int_equal(rill_param_set_vec(row("place"), &s, (rill_vec){1, 2, -2}, NULL), RILL_OK);
    assert_true(s.place.x == 1 && s.place.y == 2 && s.place.z == -2);
    sample before;
    memcpy(&before, &s, sizeof s);
    assert_int_equal(rill_param_set_number(row("whole"), &s, 7.5, &error), RILL_INVALID);
    assert_int_equal(rill_param_set_number(row("whole"), &s, (double)NAN, &error), RILL_INVALID);
    assert_int_equal(rill_param_set_number(row("length"), &s, (double)INFINITY, &error), RILL_INVALID);
    assert_int_equal(rill_param_set_number(row("length"), &s, 1e300, &error), RILL_INVALID);
    assert_int_equal(rill_param_set_vec(row("place"), &s, (rill_vec){0, 0, NAN}, &error), RILL_INVALID);
    static const char *const not_numbers[] = {"flag", "place", "mode", "label", "points"};
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(rill_param_set_number(row(not_numbers[i]), &s, 1, &error), RILL_INVALID);
        assert_non_null(strstr(error.text, "cannot be set from a number"));
    }
    assert_int_equal(rill_param_set_vec(row("length"), &s, (rill_vec){0, 0, 0}, &error), RILL_INVALID);
    assert_string_equal(error.text, "length: is a number and cannot be set from a vector");
    assert_memory_equal(&s, &before, sizeof s);
    assert_int_equal(rill_param_set_number(NULL, &s, 1, NULL), RILL_INVALID);
    assert_int_equal(rill_param_set_number(row("whole"), NULL, 1, NULL), RILL_INVALID);
    assert_int_equal(rill_param_set_vec(NULL, &s, (rill_vec){0, 0, 0}, NULL), RILL_INVALID);
    assert_int_equal(rill_param_set_text(row("whole"), &s, NULL, NULL), RILL_INVALID);
}

static void expect_fault(const sample *s, const char *expected) {
    rill_error error = {0};
    assert_int_equal(rill_table_check(&table, s, &error), RILL_INVALID);
    assert_string_equal(error.text, expected);
}

static void check_finds_each_fault(void **state) {
    (void)state;
    const rill_vec corners[2] = {{0, 0, 0}, {0, -3, 0}};
    const unsigned char byte = 7;
    sample s;
    reset(&s);
    memcpy(&s.flag, &byte, 1);
    expect_fault(&s, "sample.flag: holds 7; expected true or false");
    reset(&s);
    s.whole = 11;
    expect_fault(&s, "sample.whole: 11 is out of range; expected a whole number from -5 to 10");
    reset(&s);
    s.length = NAN;
    expect_fault(&s, "sample.length: nan m is out of range; expected 0.1 to 0.7 m");
    reset(&s);
    s.place.z = -2.5F;
    expect_fault(&s, "sample.place.z: -2.5 m is out of range; expected -2 to 2 m");
    reset(&s);
    s.mode = 3;
    expect_fault(&s, "sample.mode: choice number 3 does not exist; expected 0 to 2 for slow, fast, fastest");
    s.mode = -1;
    expect_fault(&s, "sample.mode: choice number -1 does not exist; expected 0 to 2 for slow, fast, fastest");
    reset(&s);
    memset(s.label, 'x', sizeof s.label);
    assert_int_equal(rill_table_check(&table, &s, NULL), RILL_INVALID);
    reset(&s);
    s.points = (rill_points){corners, 1};
    assert_int_equal(rill_table_check(&table, &s, NULL), RILL_OK);
    s.points.count = 2;
    expect_fault(&s, "sample.points.y: -3 m is out of range; expected -2 to 2 m (point 1)");
    s.points = (rill_points){NULL, 2};
    expect_fault(&s, "sample.points: 2 points without data; expected a list of points");
    s.points = (rill_points){corners, -1};
    assert_int_equal(rill_table_check(&table, &s, NULL), RILL_INVALID);
    assert_int_equal(rill_table_check(NULL, &s, NULL), RILL_INVALID);
    assert_int_equal(rill_table_check(&table, NULL, NULL), RILL_INVALID);
}

static void values_are_written_as_json(void **state) {
    (void)state;
    const rill_vec corners[2] = {{0, 0.1F, 2}, {-1.5F, 1, 0}};
    sample s;
    reset(&s);
    expect_text(&s, "flag", 2, "true");
    expect_text(&s, "whole", 2, "3");
    expect_text(&s, "length", 2, "0.3");
    expect_text(&s, "place", 2, "[0.5, -1]");
    expect_text(&s, "place", 3, "[0.5, -1, 0]");
    expect_text(&s, "mode", 2, "\"fast\"");
    expect_text(&s, "label", 2, "\"tank\"");
    expect_text(&s, "points", 2, "[]");
    s.points = (rill_points){corners, 2};
    expect_text(&s, "points", 2, "[[0, 0.1], [-1.5, 1]]");
    expect_text(&s, "points", 3, "[[0, 0.1, 2], [-1.5, 1, 0]]");
    snprintf(s.label, sizeof s.label, "%s", "a\"b\\c\nd\x7f");
    expect_text(&s, "label", 2, "\"a\\\"b\\\\c\\u000ad\\u007f\"");
    s.length = NAN;
    expect_text(&s, "length", 2, "null");
}

static void writing_fits_any_buffer(void **state) {
    (void)state;
    sample s;
    reset(&s);
    char buffer[8] = "#######";
    assert_int_equal(rill_param_get_text(row("place"), &s, 3, NULL, 0), 12);
    assert_int_equal(rill_param_get_text(row("place"), &s, 3, buffer, 5), 12);
    assert_string_equal(buffer, "[0.5");
    assert_int_equal(buffer[5], '#');
    assert_int_equal(rill_param_get_text(NULL, &s, 3, buffer, sizeof buffer), 0);
    assert_string_equal(buffer, "");
}

/* Written text reads back to the same bits, for numbers and vectors of any value. */
static void text_round_trips(void **state) {
    (void)state;
    uint32_t random = 1;
    for (int i = 0; i < 2000; ++i) {
        sample s;
        sample back;
        reset(&s);
        reset(&back);
        float parts[4];
        for (int k = 0; k < 4; ++k) {
            random = random * 1664525U + 1013904223U;
            parts[k] = (float)random / 4294967296.0F;
        }
        s.length = 0.1F + 0.6F * parts[0];
        s.place = (rill_vec){4 * parts[1] - 2, 1e-6F * parts[2], -2 * parts[3]};
        char text[200];
        rill_param_get_text(row("length"), &s, 3, text, sizeof text);
        set(&back, "length", text);
        rill_param_get_text(row("place"), &s, 3, text, sizeof text);
        set(&back, "place", text);
        assert_memory_equal(&back, &s, sizeof s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_set),
        cmocka_unit_test(find_is_exact),
        cmocka_unit_test(nearest_key_is_named),
        cmocka_unit_test(choices_are_found),
        cmocka_unit_test(text_sets_every_type),
        cmocka_unit_test(vectors_are_read),
        cmocka_unit_test(wrong_text_is_explained),
        cmocka_unit_test(range_ends_are_allowed),
        cmocka_unit_test(numbers_and_vectors_are_set),
        cmocka_unit_test(check_finds_each_fault),
        cmocka_unit_test(values_are_written_as_json),
        cmocka_unit_test(writing_fits_any_buffer),
        cmocka_unit_test(text_round_trips),
    };
    return cmocka_run_group_tests_name("params", tests, NULL, NULL);
}

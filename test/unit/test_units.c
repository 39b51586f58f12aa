/* SPDX-License-Identifier: MIT */
/* Units and numbers as text. */
#include "model/units.h"
#include "rill/rill.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

/* The SI value of each unit, written down independently of the library and computed in another way. */
static const struct {
    rill_quantity quantity;
    const char *symbol;
    double si;
} reference[] = {
    {RILL_PURE, "%", 0.01},
    {RILL_LENGTH, "m", 1},
    {RILL_LENGTH, "mm", 0.001},
    {RILL_LENGTH, "cm", 0.01},
    {RILL_LENGTH, "dm", 0.1},
    {RILL_LENGTH, "km", 1000},
    {RILL_LENGTH, "um", 1e-6},
    {RILL_LENGTH, "in", 2.54 / 100},
    {RILL_LENGTH, "ft", 12 * 2.54 / 100},
    {RILL_TIME, "s", 1},
    {RILL_TIME, "ms", 0.001},
    {RILL_TIME, "us", 1e-6},
    {RILL_TIME, "min", 60},
    {RILL_TIME, "h", 60 * 60},
    {RILL_MASS, "kg", 1},
    {RILL_MASS, "g", 0.001},
    {RILL_MASS, "mg", 1e-6},
    {RILL_MASS, "t", 1000},
    {RILL_MASS, "lb", 0.45359237},
    {RILL_SPEED, "m/s", 1},
    {RILL_SPEED, "cm/s", 0.01},
    {RILL_SPEED, "mm/s", 0.001},
    {RILL_SPEED, "km/h", 1000.0 / 3600},
    {RILL_SPEED, "ft/s", 12 * 2.54 / 100},
    {RILL_ACCELERATION, "m/s^2", 1},
    {RILL_ACCELERATION, "cm/s^2", 0.01},
    {RILL_ACCELERATION, "N/kg", 1},
    {RILL_ACCELERATION, "g0", 9.80665},
    {RILL_DENSITY, "kg/m^3", 1},
    {RILL_DENSITY, "g/cm^3", 1000},
    {RILL_DENSITY, "g/l", 1},
    {RILL_DENSITY, "kg/l", 1000},
    {RILL_DENSITY, "g/ml", 1000},
    {RILL_DENSITY, "t/m^3", 1000},
    {RILL_PRESSURE, "Pa", 1},
    {RILL_PRESSURE, "hPa", 100},
    {RILL_PRESSURE, "kPa", 1000},
    {RILL_PRESSURE, "MPa", 1e6},
    {RILL_PRESSURE, "bar", 100000},
    {RILL_PRESSURE, "mbar", 100},
    {RILL_PRESSURE, "atm", 101325},
    {RILL_PRESSURE, "N/m^2", 1},
    {RILL_VISCOSITY, "Pa s", 1},
    {RILL_VISCOSITY, "mPa s", 0.001},
    {RILL_VISCOSITY, "cP", 0.001},
    {RILL_VISCOSITY, "P", 0.1},
    {RILL_VISCOSITY, "poise", 0.1},
    {RILL_VISCOSITY, "N s/m^2", 1},
    {RILL_SURFACE_TENSION, "N/m", 1},
    {RILL_SURFACE_TENSION, "mN/m", 0.001},
    {RILL_SURFACE_TENSION, "dyn/cm", 1e-5 / 0.01},
    {RILL_SURFACE_TENSION, "J/m^2", 1},
    {RILL_SURFACE_TENSION, "kN/m", 1e3},
    {RILL_SURFACE_TENSION, "N/cm", 1e2},
    {RILL_SURFACE_TENSION, "N/mm", 1e3},
    {RILL_FORCE, "N", 1},
    {RILL_FORCE, "kN", 1000},
    {RILL_FORCE, "mN", 0.001},
    {RILL_ENERGY, "J", 1},
    {RILL_ENERGY, "kJ", 1000},
    {RILL_ENERGY, "mJ", 0.001},
    {RILL_ENERGY, "N m", 1},
    {RILL_ANGLE, "rad", 1},
    {RILL_ANGLE, "deg", PI / 180},
    {RILL_ANGLE, "turn", 2 * PI},
    {RILL_FREQUENCY, "1/s", 1},
    {RILL_FREQUENCY, "Hz", 1},
    {RILL_FREQUENCY, "kHz", 1000},
    {RILL_FREQUENCY, "1/min", 1.0 / 60},
    {RILL_ANGULAR_SPEED, "rad/s", 1},
    {RILL_ANGULAR_SPEED, "deg/s", PI / 180},
    {RILL_ANGULAR_SPEED, "turn/s", 2 * PI},
    {RILL_ANGULAR_SPEED, "rpm", 2 * PI / 60},
    {RILL_FLOW, "m^3/s", 1},
    {RILL_FLOW, "l/s", 0.001},
    {RILL_FLOW, "l/min", 0.001 / 60},
    {RILL_FLOW, "ml/s", 1e-6},
    {RILL_FLOW, "cm^3/s", 1e-6},
    {RILL_FLOW, "m^3/h", 1.0 / 3600},
    {RILL_STIFFNESS, "m^2/s^2", 1},
    {RILL_STIFFNESS, "cm^2/s^2", 1e-4},
    {RILL_STIFFNESS, "J/kg", 1},
    {RILL_STIFFNESS, "Pa m^3/kg", 1},
    {RILL_AREA, "m^2", 1},
    {RILL_AREA, "cm^2", 1e-4},
    {RILL_AREA, "mm^2", 1e-6},
    {RILL_AREA_DENSITY, "kg/m^2", 1},
    {RILL_AREA_DENSITY, "g/m^2", 1e-3},
    {RILL_DIFFUSIVITY, "m^2/s", 1},
    {RILL_DIFFUSIVITY, "cm^2/s", 1e-4},
    {RILL_DIFFUSIVITY, "mm^2/s", 1e-6},
    {RILL_DAMPING, "N s/m", 1},
    {RILL_DAMPING, "kN s/m", 1e3},
    {RILL_DAMPING, "kg/s", 1},
    {RILL_ANGULAR_STIFFNESS, "N m/rad", 1},
    {RILL_ANGULAR_STIFFNESS, "kN m/rad", 1e3},
    {RILL_ANGULAR_STIFFNESS, "N m/deg", 57.295779513082320877},
    {RILL_ANGULAR_DAMPING, "N m s/rad", 1},
    {RILL_ANGULAR_DAMPING, "kN m s/rad", 1e3},
};
enum { REFERENCE_COUNT = sizeof reference / sizeof reference[0] };

static double parse(const char *text, rill_quantity quantity) {
    double value = -1;
    rill_error error = {0};
    if (rill_parse_number(text, quantity, &value, &error)) fail_msg("'%s': %s", text, error.text);
    return value;
}

static void expect_error(const char *text, rill_quantity quantity, const char *part) {
    double value = -77;
    rill_error error = {0};
    assert_int_equal(rill_parse_number(text, quantity, &value, &error), RILL_INVALID);
    assert_int_equal(error.status, RILL_INVALID);
    assert_true(value == -77);
    if (!strstr(error.text, part)) fail_msg("'%s' should say '%s', says: %s", text, part, error.text);
}

static bool close_to(double a, double b) {
    return fabs(a - b) <= 1e-14 * fabs(b);
}

static void every_unit_converts(void **state) {
    (void)state;
    for (int i = 0; i < REFERENCE_COUNT; ++i) {
        char text[64];
        const double si = reference[i].si;
        snprintf(text, sizeof text, "1 %s", reference[i].symbol);
        if (!close_to(parse(text, reference[i].quantity), si)) fail_msg("%s", text);
        /* The space is optional, except before "1/s", whose 1 would be read as a digit of the number. */
        snprintf(text, sizeof text, "  -2.5e2%s%s ", reference[i].symbol[0] == '1' ? " " : "", reference[i].symbol);
        if (!close_to(parse(text, reference[i].quantity), -250 * si)) fail_msg("%s", text);
    }
}

/* The listed units are exactly those of the reference, in its order. */
static void units_are_listed(void **state) {
    (void)state;
    for (int quantity = 0; quantity < RILL_ANGLE_OR_LENGTH; ++quantity) {
        char listed[400];
        char expected[400] = "";
        for (int i = 0; i < REFERENCE_COUNT; ++i) {
            if ((int)reference[i].quantity != quantity) continue;
            const size_t used = strlen(expected);
            snprintf(expected + used, sizeof expected - used, "%s%s", used ? ", " : "", reference[i].symbol);
        }
        assert_string_equal(rill_quantity_units((rill_quantity)quantity, listed, sizeof listed), expected);
    }
}

/* Some quantities of joints are angular or linear: units of both are accepted, and listed one after the other. */
static void one_quantity_or_the_other(void **state) {
    (void)state;
    static const struct {
        rill_quantity both, turning, sliding;
    } pairs[] = {{RILL_ANGLE_OR_LENGTH, RILL_ANGLE, RILL_LENGTH},
                 {RILL_ANGULAR_OR_LINEAR_SPEED, RILL_ANGULAR_SPEED, RILL_SPEED},
                 {RILL_TORQUE_OR_FORCE, RILL_ENERGY, RILL_FORCE},
                 {RILL_ANGULAR_OR_LINEAR_STIFFNESS, RILL_ANGULAR_STIFFNESS, RILL_SURFACE_TENSION},
                 {RILL_ANGULAR_OR_LINEAR_DAMPING, RILL_ANGULAR_DAMPING, RILL_DAMPING}};
    assert_int_equal(RILL_QUANTITY_COUNT - RILL_ANGLE_OR_LENGTH, sizeof pairs / sizeof *pairs);
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
        char listed[400], first[200], second[200], expected[410];
        rill_quantity_units(pairs[k].turning, first, sizeof first);
        rill_quantity_units(pairs[k].sliding, second, sizeof second);
        snprintf(expected, sizeof expected, "%s, %s", first, second);
        assert_string_equal(rill_quantity_units(pairs[k].both, listed, sizeof listed), expected);
        for (int i = 0; i < REFERENCE_COUNT; ++i) {
            if (reference[i].quantity != pairs[k].turning && reference[i].quantity != pairs[k].sliding) continue;
            char text[64];
            snprintf(text, sizeof text, "3 %s", reference[i].symbol);
            assert_true(parse(text, pairs[k].both) == parse(text, reference[i].quantity));
        }
        double value;
        assert_int_equal(rill_parse_number("3 kg", pairs[k].both, &value, NULL), RILL_INVALID);
        assert_non_null(strstr(rill_quantity_symbol(pairs[k].both), " or "));
    }
}

static void listing_fits_any_buffer(void **state) {
    (void)state;
    char buffer[8] = "#######";
    assert_string_equal(rill_quantity_units(RILL_LENGTH, buffer, 5), "m, m");
    assert_int_equal(buffer[5], '#');
    assert_string_equal(rill_quantity_units(RILL_LENGTH, buffer, 0), "");
    assert_string_equal(rill_quantity_units((rill_quantity)99, buffer, sizeof buffer), "");
}

/* The SI symbol of a quantity is one of its units, with a factor of 1. */
static void symbols_are_si(void **state) {
    (void)state;
    assert_string_equal(rill_quantity_symbol(RILL_PURE), "");
    assert_string_equal(rill_quantity_symbol((rill_quantity)-1), "");
    assert_string_equal(rill_quantity_symbol(RILL_VISCOSITY), "Pa s");
    for (int quantity = RILL_LENGTH; quantity < RILL_ANGLE_OR_LENGTH; ++quantity) {
        char text[64];
        snprintf(text, sizeof text, "3.25 %s", rill_quantity_symbol((rill_quantity)quantity));
        assert_true(parse(text, (rill_quantity)quantity) == 3.25);
    }
}

static void spellings_are_equal(void **state) {
    (void)state;
    const struct {
        const char *text;
        rill_quantity quantity;
        double value;
    } cases[] = {
        {"1e-3 Pa s", RILL_VISCOSITY, 1e-3},
        {"1e-3Pa*s", RILL_VISCOSITY, 1e-3},
        {"1 mPa · s", RILL_VISCOSITY, 1e-3},
        {"1 mPa  s", RILL_VISCOSITY, 1e-3},
        {"9.81 m/s2", RILL_ACCELERATION, 9.81},
        {"9.81m / s^2", RILL_ACCELERATION, 9.81},
        {"9.81 m/s²", RILL_ACCELERATION, 9.81},
        {"1 kg/m3", RILL_DENSITY, 1},
        {"1 g/cm³", RILL_DENSITY, 1000},
        {"5 µm", RILL_LENGTH, 5e-6},
        {"5 \u03bcm", RILL_LENGTH, 5e-6},
        {"180°", RILL_ANGLE, PI},
        {"180 °/s", RILL_ANGULAR_SPEED, PI},
        {"2 1/s", RILL_FREQUENCY, 2},
        {"2/s", RILL_FREQUENCY, 2},
        {"120 /min", RILL_FREQUENCY, 2},
        {"60 L/min", RILL_FLOW, 1e-3},
        {"1 m3/s", RILL_FLOW, 1},
        {"4 m2/s2", RILL_STIFFNESS, 4},
        {"50 %", RILL_PURE, 0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        if (!close_to(parse(cases[i].text, cases[i].quantity), cases[i].value)) fail_msg("%s", cases[i].text);
    }
}

static void numbers_read_like_strtod(void **state) {
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "1",
        "+1",
        ".5",
        "5.",
        "007",
        "0.1",
        "1e3",
        "1E-3",
        "1e+3",
        "123456789.123456789",
        "1e-400",
        "1e308",
        "0.0000000000000000000000000000000000000000000000000000000000000000000000012345",
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
        "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899",
        "2.2250738585072014e-308",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        const double value = parse(texts[i], RILL_PURE);
        const double expected = strtod(texts[i], NULL);
        if (value != expected || signbit(value) != signbit(expected)) fail_msg("%s: %.17g", texts[i], value);
    }
    /* A value has the same bits whatever unit it is written in. */
    assert_true(parse("7 cm", RILL_LENGTH) == 0.07);
    assert_true(parse("0.1 mm", RILL_LENGTH) == 0.0001);
}

static void bad_numbers_are_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"nan", "inf", "-inf", "infinity", "x", "-", "+", ".", "e3", "--1", "+-1", "m"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) expect_error(texts[i], RILL_LENGTH, "is not a number");
    expect_error("", RILL_LENGTH, "empty");
    expect_error(" \t\n", RILL_LENGTH, "expected a length such as '0.5 m'");
    expect_error("", RILL_PURE, "such as '0.5'");
    expect_error("1e400", RILL_PURE, "too large");
    expect_error("1e308 km", RILL_LENGTH, "too large");
    expect_error("0x10", RILL_PURE, "unknown unit 'x10'");
    expect_error("1 2", RILL_LENGTH, "unknown unit '2'");
    expect_error("1.2.3", RILL_LENGTH, "unknown unit '.3'");
    expect_error("0,5", RILL_LENGTH, "unknown unit ',5'");
    expect_error("1 e", RILL_LENGTH, "unknown unit 'e'");
    expect_error("5 m m", RILL_LENGTH, "unknown unit 'm m'");
    expect_error("5 a_unit_that_is_longer_than_any_buffer_would_be", RILL_LENGTH, "unknown unit");
    char longest[4000];
    memset(longest, 'x', sizeof longest - 1);
    longest[0] = '1';
    longest[sizeof longest - 1] = '\0';
    expect_error(longest, RILL_LENGTH, "m, mm, cm");
}

static void wrong_quantity_is_explained(void **state) {
    (void)state;
    expect_error("5 kg", RILL_LENGTH, "'5 kg' is a mass; expected a length: m, mm, cm, ");
    expect_error("5 m", RILL_PURE, "'5 m' is a length; expected a plain number: %");
    expect_error("5 Hz", RILL_ANGULAR_SPEED, "is a frequency; expected an angular speed: rad/s, ");
    expect_error("5 cm", RILL_VISCOSITY, "expected a dynamic viscosity: Pa s, mPa s");
}

static void misuse_is_refused(void **state) {
    (void)state;
    double value;
    assert_int_equal(rill_parse_number(NULL, RILL_PURE, &value, NULL), RILL_INVALID);
    assert_int_equal(rill_parse_number("1", RILL_PURE, NULL, NULL), RILL_INVALID);
    assert_int_equal(rill_parse_number("1", RILL_QUANTITY_COUNT, &value, NULL), RILL_INVALID);
    assert_int_equal(rill_parse_number("1", RILL_PURE, &value, NULL), RILL_OK);
}

static void floats_are_written_short(void **state) {
    (void)state;
    const struct {
        float value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0F, "-0"},
        {1, "1"},
        {-9.81F, "-9.81"},
        {0.1F, "0.1"},
        {1000, "1000"},
        {16777216, "16777216"},
        {1e30F, "1e30"},
        {1e-3F, "0.001"},
        {1.5e-7F, "1.5e-7"},
        {0.00025F, "0.00025"},
        {998.2F, "998.2"},
        {1e9F, "1e9"},
        {1e8F, "100000000"},
        {123.456F, "123.456"},
        {3.4028235e38F, "3.4028235e38"},
        {1e-45F, "1e-45"},
        {INFINITY, "null"},
        {NAN, "null"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[NUMBER_TEXT_SIZE];
        assert_string_equal(rill_number_text(cases[i].value, text), cases[i].text);
    }
}

/* Any finite float comes back bit for bit. One digit less would not do; this is checked below 1e-4, where texts have an
   exponent instead of leading zeros. */
static void floats_round_trip(void **state) {
    (void)state;
    uint32_t bits = 12345;
    for (int i = 0; i < 20000; ++i) {
        bits = bits * 1664525U + 1013904223U;
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        char text[NUMBER_TEXT_SIZE];
        char shorter[NUMBER_TEXT_SIZE];
        const float back = (float)parse(rill_number_text(value, text), RILL_PURE);
        if (back != value || signbit(back) != signbit(value)) fail_msg("%.9g became %s", (double)value, text);
        int digits = 0;
        for (const char *c = text; *c && *c != 'e'; ++c) digits += *c >= '0' && *c <= '9';
        if (fabsf(value) < 1e-4F && digits > 1) {
            snprintf(shorter, sizeof shorter, "%.*e", digits - 2, (double)value);
            assert_true(strtof(shorter, NULL) != value);
        }
    }
}

/* A host may have set a locale with a decimal comma. */
static void locale_does_not_matter(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "sv_SE.UTF-8", "de_DE"};
    const char *set = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !set; ++i) set = setlocale(LC_NUMERIC, names[i]);
    if (!set) skip();
    char text[NUMBER_TEXT_SIZE];
    const double value = parse("0.25 cm", RILL_LENGTH);
    rill_number_text(-1.5e-9F, text);
    setlocale(LC_NUMERIC, "C");
    assert_true(value == 0.0025);
    assert_string_equal(text, "-1.5e-9");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_unit_converts),
        cmocka_unit_test(units_are_listed),
        cmocka_unit_test(one_quantity_or_the_other),
        cmocka_unit_test(listing_fits_any_buffer),
        cmocka_unit_test(symbols_are_si),
        cmocka_unit_test(spellings_are_equal),
        cmocka_unit_test(numbers_read_like_strtod),
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(wrong_quantity_is_explained),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(floats_are_written_short),
        cmocka_unit_test(floats_round_trip),
        cmocka_unit_test(locale_does_not_matter),
    };
    return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}

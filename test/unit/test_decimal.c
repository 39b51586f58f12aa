/* SPDX-License-Identifier: MIT */
/* Numbers in text: the value of strtod to the last bit, and no byte read past the end. */
#include "core/decimal.h"
#include "oracle/check.h"

#include <stdio.h>
#include <string.h>

static void check_text(const char *text) {
    double value = 0.0;
    const char *end = text + strlen(text);
    assert_ptr_equal(rill_decimal_read(text, end, &value), end);
    const double wanted = strtod(text, NULL);
    if (memcmp(&value, &wanted, sizeof value) != 0) fail_msg("%s: %.17g instead of %.17g", text, value, wanted);
}

static void as_strtod_reads(void **state) {
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+7",
                                        "1.",
                                        ".5",
                                        "-12.5e3",
                                        "1e22",
                                        "1e23",
                                        "1e-22",
                                        "1e-23",
                                        "1e308",
                                        "1e-320",
                                        "1e999",
                                        "0e9",
                                        "0.000000000000000000000001",
                                        "999999999999999e22",
                                        "9007199254740993",
                                        "0.1",
                                        "123456789012345678901234567890",
                                        "3.4028234663852886e38",
                                        "2.2250738585072014e-308",
                                        "000000000000000000001.50"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) check_text(texts[k]);
    uint32_t seed = 1;
    for (int k = 0; k < 20000; k++) {
        char text[64];
        const int before = (int)(random_bits(&seed) % 10), after = (int)(random_bits(&seed) % 12);
        int used = 0;
        if (random_bits(&seed) % 2) text[used++] = '-';
        for (int n = 0; n <= before; n++) text[used++] = (char)('0' + random_bits(&seed) % 10);
        text[used++] = '.';
        for (int n = 0; n < after; n++) text[used++] = (char)('0' + random_bits(&seed) % 10);
        snprintf(text + used, sizeof text - (size_t)used, "e%d", (int)(random_bits(&seed) % 80) - 40);
        check_text(text);
    }
}

static void ends(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int length; /* that may be read */
        int used;   /* -1: no number */
        double value;
    } cases[] = {{"12345", 3, 3, 123}, {"1.5", 2, 2, 1},  {"1e5", 2, 1, 1}, {"1e+5", 3, 1, 1}, {"2em", 3, 1, 2},
                 {"1.2.3", 5, 3, 1.2}, {"7 8", 3, 1, 7},  {"", 0, -1, 0},   {"-", 1, -1, 0},   {".", 1, -1, 0},
                 {"nan", 3, -1, 0},    {"inf", 3, -1, 0}, {" 1", 2, -1, 0}, {"e5", 2, -1, 0},  {"0x10", 4, 1, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double value = 0.0;
        /* a copy of the exact size, so that a sanitizer sees a read past its end */
        const size_t length = (size_t)cases[k].length;
        char *copy = malloc(length + (length == 0));
        assert_non_null(copy);
        memcpy(copy, cases[k].text, length);
        const char *end = rill_decimal_read(copy, copy + length, &value);
        if (cases[k].used < 0)
            assert_null(end);
        else
            assert_int_equal(end - copy, cases[k].used);
        assert_near(value, cases[k].value, 0);
        free(copy);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_strtod_reads), cmocka_unit_test(ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Decimal numbers in text, independent of the locale. */
#ifndef RILL_CORE_DECIMAL_H
#define RILL_CORE_DECIMAL_H

#include <stdbool.h>

enum { DECIMAL_MAX_DIGITS = 60 };

/* A number as digits, times a power of ten. */
typedef struct decimal {
    bool negative;
    char digits[DECIMAL_MAX_DIGITS + 1]; /* without leading zeros; further digits are dropped */
    int count;
    int exponent;
} decimal;

static inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The nearest double; infinite if the number is too large. */
double rill_decimal_value(const decimal *number);
/* Reads a number such as "-12.5e3" at the start of a text that ends before `end`. Returns the end of the number, or
   NULL if there is none; blanks, "inf" and "nan" are not part of a number. */
const char *rill_decimal_read(const char *text, const char *end, double *value);

#endif

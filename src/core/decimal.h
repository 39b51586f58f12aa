/* SPDX-License-Identifier: MIT */
/* Decimal numbers in text, read alike in every locale. */
#ifndef RILL_CORE_DECIMAL_H
#define RILL_CORE_DECIMAL_H

#include <stdbool.h>

enum { DECIMAL_MAX_DIGITS = 60 };

/* Digits as an integer, and a power of ten. */
typedef struct decimal {
    bool negative;
    char digits[DECIMAL_MAX_DIGITS + 1]; /* without leading zeros; digits past the last one are dropped */
    int count;
    int exponent;
} decimal;

static inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The nearest double; infinite if there is none so large. */
double rill_decimal_value(const decimal *number);
/* Reads "-12.5e3" at the start of a text that ends before `end`; returns where the number ended, or NULL if there is
   none: blanks, "inf" and "nan" are no part of a number. */
const char *rill_decimal_read(const char *text, const char *end, double *value);

#endif

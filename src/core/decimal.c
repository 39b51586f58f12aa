/* SPDX-License-Identifier: MIT */
/* Decimal numbers in text, independent of the locale. */
#include "core/decimal.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Beyond this exponent every number is 0 or infinite. */
enum { MAX_EXPONENT = 99999 };

/* Numbers of fifteen digits and these powers of ten are exact doubles, so that their product or quotient is rounded
   once, as strtod promises. */
enum { EXACT_DIGITS = 15, EXACT_POWERS = 23 };
static const double powers[EXACT_POWERS] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

double rill_decimal_value(const decimal *number) {
    const int power = abs(number->exponent);
    if (number->count <= EXACT_DIGITS && power < EXACT_POWERS) {
        int64_t whole = 0;
        for (int k = 0; k < number->count; k++) whole = whole * 10 + (number->digits[k] - '0');
        const double size = number->exponent < 0 ? (double)whole / powers[power] : (double)whole * powers[power];
        return number->negative ? -size : size;
    }
    /* strtod depends on the locale only for the decimal point, which this text does not have. */
    char text[DECIMAL_MAX_DIGITS + 16];
    snprintf(text, sizeof text, "%s%se%d", number->negative ? "-" : "", number->count ? number->digits : "0",
             number->exponent);
    return strtod(text, NULL);
}

/* Reads an optional exponent. "2e" and "3em" have none; their letters are left to the caller. */
static const char *scan_exponent(const char *text, const char *end, int *exponent) {
    const char *p = text;
    *exponent = 0;
    if (p == end || (*p != 'e' && *p != 'E')) return text;
    ++p;
    const bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) ++p;
    if (p == end || !is_digit(*p)) return text;
    int value = 0;
    for (; p < end && is_digit(*p); ++p) {
        if (value < MAX_EXPONENT) value = value * 10 + (*p - '0');
    }
    *exponent = negative ? -value : value;
    return p;
}

const char *rill_decimal_read(const char *text, const char *end, double *value) {
    decimal number = {.negative = text < end && *text == '-'};
    if (text < end && (*text == '-' || *text == '+')) ++text;
    bool any = false;
    bool point = false;
    int shift = 0;
    for (; text < end && (is_digit(*text) || (*text == '.' && !point)); ++text) {
        if (*text == '.') {
            point = true;
            continue;
        }
        any = true;
        const bool kept = number.count < DECIMAL_MAX_DIGITS && (number.count > 0 || *text != '0');
        if (kept) number.digits[number.count++] = *text;
        const bool dropped = number.count == DECIMAL_MAX_DIGITS && !kept;
        if (shift > -MAX_EXPONENT && shift < MAX_EXPONENT) shift += (dropped ? 1 : 0) - (point ? 1 : 0);
    }
    if (!any) return NULL;
    int exponent;
    text = scan_exponent(text, end, &exponent);
    number.exponent = exponent + shift;
    *value = rill_decimal_value(&number);
    return text;
}

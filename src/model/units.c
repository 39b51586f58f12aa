/* SPDX-License-Identifier: MIT */
/* Units, and numbers to and from text, independent of the locale. */
#include "model/units.h"

#include "core/decimal.h"
#include "core/error.h"
#include "core/trig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SI value = number * factor / divisor: with both, "7 cm" gives the same bits as "0.07". */
typedef struct unit {
    const char *symbol;
    rill_quantity quantity;
    double factor, divisor;
} unit;

/* The first unit of a quantity is its SI symbol. Spelling variants need no row: see `normalise`. */
static const unit units[] = {
    {"m", RILL_LENGTH, 1, 1},
    {"mm", RILL_LENGTH, 1, 1e3},
    {"cm", RILL_LENGTH, 1, 1e2},
    {"dm", RILL_LENGTH, 1, 1e1},
    {"km", RILL_LENGTH, 1e3, 1},
    {"um", RILL_LENGTH, 1, 1e6},
    {"in", RILL_LENGTH, 0.0254, 1},
    {"ft", RILL_LENGTH, 0.3048, 1},

    {"s", RILL_TIME, 1, 1},
    {"ms", RILL_TIME, 1, 1e3},
    {"us", RILL_TIME, 1, 1e6},
    {"min", RILL_TIME, 60, 1},
    {"h", RILL_TIME, 3600, 1},

    {"kg", RILL_MASS, 1, 1},
    {"g", RILL_MASS, 1, 1e3},
    {"mg", RILL_MASS, 1, 1e6},
    {"t", RILL_MASS, 1e3, 1},
    {"lb", RILL_MASS, 0.45359237, 1},

    {"m/s", RILL_SPEED, 1, 1},
    {"cm/s", RILL_SPEED, 1, 1e2},
    {"mm/s", RILL_SPEED, 1, 1e3},
    {"km/h", RILL_SPEED, 1, 3.6},
    {"ft/s", RILL_SPEED, 0.3048, 1},

    {"m/s^2", RILL_ACCELERATION, 1, 1},
    {"cm/s^2", RILL_ACCELERATION, 1, 1e2},
    {"N/kg", RILL_ACCELERATION, 1, 1},
    {"g0", RILL_ACCELERATION, 9.80665, 1},

    {"kg/m^3", RILL_DENSITY, 1, 1},
    {"g/cm^3", RILL_DENSITY, 1e3, 1},
    {"g/l", RILL_DENSITY, 1, 1},
    {"kg/l", RILL_DENSITY, 1e3, 1},
    {"g/ml", RILL_DENSITY, 1e3, 1},
    {"t/m^3", RILL_DENSITY, 1e3, 1},

    {"Pa", RILL_PRESSURE, 1, 1},
    {"hPa", RILL_PRESSURE, 1e2, 1},
    {"kPa", RILL_PRESSURE, 1e3, 1},
    {"MPa", RILL_PRESSURE, 1e6, 1},
    {"bar", RILL_PRESSURE, 1e5, 1},
    {"mbar", RILL_PRESSURE, 1e2, 1},
    {"atm", RILL_PRESSURE, 101325, 1},
    {"N/m^2", RILL_PRESSURE, 1, 1},

    {"Pa s", RILL_VISCOSITY, 1, 1},
    {"mPa s", RILL_VISCOSITY, 1, 1e3},
    {"cP", RILL_VISCOSITY, 1, 1e3},
    {"P", RILL_VISCOSITY, 1, 1e1},
    {"poise", RILL_VISCOSITY, 1, 1e1},
    {"N s/m^2", RILL_VISCOSITY, 1, 1},

    {"N/m", RILL_SURFACE_TENSION, 1, 1},
    {"mN/m", RILL_SURFACE_TENSION, 1, 1e3},
    {"dyn/cm", RILL_SURFACE_TENSION, 1, 1e3},
    {"J/m^2", RILL_SURFACE_TENSION, 1, 1},
    {"kN/m", RILL_SURFACE_TENSION, 1e3, 1},
    {"N/cm", RILL_SURFACE_TENSION, 1e2, 1},
    {"N/mm", RILL_SURFACE_TENSION, 1e3, 1},

    {"N", RILL_FORCE, 1, 1},
    {"kN", RILL_FORCE, 1e3, 1},
    {"mN", RILL_FORCE, 1, 1e3},

    {"J", RILL_ENERGY, 1, 1},
    {"kJ", RILL_ENERGY, 1e3, 1},
    {"mJ", RILL_ENERGY, 1, 1e3},
    {"N m", RILL_ENERGY, 1, 1},

    {"rad", RILL_ANGLE, 1, 1},
    {"deg", RILL_ANGLE, PI, 180},
    {"turn", RILL_ANGLE, 2 * PI, 1},

    {"1/s", RILL_FREQUENCY, 1, 1},
    {"Hz", RILL_FREQUENCY, 1, 1},
    {"kHz", RILL_FREQUENCY, 1e3, 1},
    {"1/min", RILL_FREQUENCY, 1, 60},

    {"rad/s", RILL_ANGULAR_SPEED, 1, 1},
    {"deg/s", RILL_ANGULAR_SPEED, PI, 180},
    {"turn/s", RILL_ANGULAR_SPEED, 2 * PI, 1},
    {"rpm", RILL_ANGULAR_SPEED, PI, 30},

    {"m^3/s", RILL_FLOW, 1, 1},
    {"l/s", RILL_FLOW, 1, 1e3},
    {"l/min", RILL_FLOW, 1, 6e4},
    {"ml/s", RILL_FLOW, 1, 1e6},
    {"cm^3/s", RILL_FLOW, 1, 1e6},
    {"m^3/h", RILL_FLOW, 1, 3600},

    {"m^2/s^2", RILL_STIFFNESS, 1, 1},
    {"cm^2/s^2", RILL_STIFFNESS, 1, 1e4},
    {"J/kg", RILL_STIFFNESS, 1, 1},
    {"Pa m^3/kg", RILL_STIFFNESS, 1, 1},

    {"N s/m", RILL_DAMPING, 1, 1},
    {"kN s/m", RILL_DAMPING, 1e3, 1},
    {"kg/s", RILL_DAMPING, 1, 1},

    {"N m/rad", RILL_ANGULAR_STIFFNESS, 1, 1},
    {"kN m/rad", RILL_ANGULAR_STIFFNESS, 1e3, 1},
    {"N m/deg", RILL_ANGULAR_STIFFNESS, 180, PI},

    {"N m s/rad", RILL_ANGULAR_DAMPING, 1, 1},
    {"kN m s/rad", RILL_ANGULAR_DAMPING, 1e3, 1},

    {"m^2", RILL_AREA, 1, 1},
    {"cm^2", RILL_AREA, 1, 1e4},
    {"mm^2", RILL_AREA, 1, 1e6},

    {"kg/m^2", RILL_AREA_DENSITY, 1, 1},
    {"g/m^2", RILL_AREA_DENSITY, 1, 1e3},

    {"m^2/s", RILL_DIFFUSIVITY, 1, 1},
    {"cm^2/s", RILL_DIFFUSIVITY, 1, 1e4},
    {"mm^2/s", RILL_DIFFUSIVITY, 1, 1e6},

    {"%", RILL_PURE, 1, 1e2},
};
enum { UNIT_COUNT = sizeof units / sizeof units[0] };

/* Quantities of joints, which have the units of hinges and of sliders. */
static const struct {
    rill_quantity both, turning, sliding;
    const char *symbol;
} freedoms[] = {
    {RILL_ANGLE_OR_LENGTH, RILL_ANGLE, RILL_LENGTH, "rad or m"},
    {RILL_ANGULAR_OR_LINEAR_SPEED, RILL_ANGULAR_SPEED, RILL_SPEED, "rad/s or m/s"},
    {RILL_TORQUE_OR_FORCE, RILL_ENERGY, RILL_FORCE, "N m or N"},
    {RILL_ANGULAR_OR_LINEAR_STIFFNESS, RILL_ANGULAR_STIFFNESS, RILL_SURFACE_TENSION, "N m/rad or N/m"},
    {RILL_ANGULAR_OR_LINEAR_DAMPING, RILL_ANGULAR_DAMPING, RILL_DAMPING, "N m s/rad or N s/m"},
};
enum { FREEDOM_COUNT = sizeof freedoms / sizeof freedoms[0] };

static const char *const phrases[RILL_QUANTITY_COUNT] = {
    [RILL_PURE] = "a plain number",
    [RILL_LENGTH] = "a length",
    [RILL_TIME] = "a time",
    [RILL_MASS] = "a mass",
    [RILL_SPEED] = "a speed",
    [RILL_ACCELERATION] = "an acceleration",
    [RILL_DENSITY] = "a density",
    [RILL_PRESSURE] = "a pressure",
    [RILL_VISCOSITY] = "a dynamic viscosity",
    [RILL_SURFACE_TENSION] = "a surface tension",
    [RILL_FORCE] = "a force",
    [RILL_ENERGY] = "an energy",
    [RILL_ANGLE] = "an angle",
    [RILL_FREQUENCY] = "a frequency",
    [RILL_ANGULAR_SPEED] = "an angular speed",
    [RILL_FLOW] = "a volume flow",
    [RILL_STIFFNESS] = "a stiffness (pressure per density)",
    [RILL_DAMPING] = "a damping",
    [RILL_ANGULAR_STIFFNESS] = "an angular stiffness",
    [RILL_ANGULAR_DAMPING] = "an angular damping",
    [RILL_DIFFUSIVITY] = "a diffusivity",
    [RILL_ANGLE_OR_LENGTH] = "an angle or a length",
    [RILL_ANGULAR_OR_LINEAR_SPEED] = "an angular speed or a speed",
    [RILL_TORQUE_OR_FORCE] = "a torque or a force",
    [RILL_ANGULAR_OR_LINEAR_STIFFNESS] = "an angular stiffness or a stiffness",
    [RILL_ANGULAR_OR_LINEAR_DAMPING] = "an angular damping or a damping",
    [RILL_AREA] = "an area",
    [RILL_AREA_DENSITY] = "a mass per area",
};

static bool quantity_valid(rill_quantity quantity) {
    return (unsigned)quantity < RILL_QUANTITY_COUNT;
}

const char *rill_quantity_phrase(rill_quantity quantity) {
    return quantity_valid(quantity) ? phrases[quantity] : "an unknown quantity";
}

rill_quantity rill_quantity_of_freedom(rill_quantity quantity, bool turns) {
    for (int i = 0; i < FREEDOM_COUNT; ++i)
        if (freedoms[i].both == quantity) return turns ? freedoms[i].turning : freedoms[i].sliding;
    return quantity;
}

/* Whether a unit of the quantity `other` fits a number of `quantity`. */
static bool fits(rill_quantity other, rill_quantity quantity) {
    return other == rill_quantity_of_freedom(quantity, true) || other == rill_quantity_of_freedom(quantity, false);
}

const char *rill_quantity_symbol(rill_quantity quantity) {
    if (quantity == RILL_PURE) return "";
    for (int i = 0; i < FREEDOM_COUNT; ++i) {
        if (freedoms[i].both == quantity) return freedoms[i].symbol;
    }
    for (int i = 0; i < UNIT_COUNT; ++i) {
        if (units[i].quantity == quantity) return units[i].symbol;
    }
    return "";
}

/* Appends the units of one quantity to the text, as far as there is room. */
static size_t list_units(rill_quantity quantity, char *buffer, size_t size, size_t length) {
    for (int i = 0; i < UNIT_COUNT && length < size; ++i) {
        if (units[i].quantity != quantity) continue;
        length += (size_t)snprintf(buffer + length, size - length, "%s%s", length ? ", " : "", units[i].symbol);
    }
    return length;
}

const char *rill_quantity_units(rill_quantity quantity, char *buffer, size_t size) {
    if (!buffer || size == 0) return "";
    buffer[0] = '\0';
    const rill_quantity turning = rill_quantity_of_freedom(quantity, true);
    const rill_quantity sliding = rill_quantity_of_freedom(quantity, false);
    const size_t length = list_units(turning, buffer, size, 0);
    if (sliding != turning) list_units(sliding, buffer, size, length);
    return buffer;
}

/* ---- units ---- */

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_space(const char *text) {
    while (is_space(*text)) ++text;
    return text;
}

/* Translates a character or sequence at `*text` in a unit to its standard spelling. Moves `*text` past it. */
static const char *take_piece(const char **text, char single[2]) {
    static const struct {
        const char *from, *to;
    } spellings[] = {
        {"*", " "},      {"\t", " "},       {"\n", " "},     {"\r", " "},     {"^", ""},
        {"L", "l"},      {"·", " "},        {"\u22c5", " "}, {"\u00a0", " "}, {"\u00b2", "2"},
        {"\u00b3", "3"}, {"\u00b0", "deg"}, {"µ", "u"},      {"\u03bc", "u"},
    };
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; ++i) {
        const size_t length = strlen(spellings[i].from);
        if (strncmp(*text, spellings[i].from, length) == 0) {
            *text += length;
            return spellings[i].to;
        }
    }
    single[0] = *(*text)++;
    single[1] = '\0';
    return single;
}

/* Brings a unit to its standard spelling: "Pa*s", "Pa · s" and "Pa s" are equal, as are "m/s^2", "m / s2" and "m/s²",
   "1/s" and "/s", "µm" and "um", "L" and "l", "°" and "deg". False if it does not fit into `out`: then it is not a
   unit. */
static bool normalise(const char *text, char *out, size_t size) {
    size_t length = 0;
    bool space = false;
    if (strncmp(text, "1/", 2) == 0) ++text;
    while (*text) {
        char single[2];
        const char *piece = take_piece(&text, single);
        if (strcmp(piece, " ") == 0) {
            space = true;
            continue;
        }
        const bool by_slash = piece[0] == '/' || (length && out[length - 1] == '/');
        if (space && length && !by_slash && piece[0]) {
            if (length + 1 >= size) return false;
            out[length++] = ' ';
        }
        if (piece[0]) space = false;
        const size_t piece_length = strlen(piece);
        if (length + piece_length >= size) return false;
        memcpy(out + length, piece, piece_length);
        length += piece_length;
    }
    out[length] = '\0';
    return true;
}

/* The unit with this symbol that fits the quantity, else any unit with this symbol, else NULL. */
static const unit *find_unit(const char *symbol, rill_quantity quantity) {
    char wanted[32];
    char known[32];
    const unit *other = NULL;
    if (!normalise(symbol, wanted, sizeof wanted)) return NULL;
    for (int i = 0; i < UNIT_COUNT; ++i) {
        if (!normalise(units[i].symbol, known, sizeof known) || strcmp(wanted, known) != 0) continue;
        if (fits(units[i].quantity, quantity)) return &units[i];
        other = &units[i];
    }
    return other;
}

/* ---- numbers ---- */

static rill_status unit_error(const char *text, const char *symbol, const unit *found, rill_quantity quantity,
                              rill_error *error) {
    char list[160];
    rill_quantity_units(quantity, list, sizeof list);
    const char *expected = rill_quantity_phrase(quantity);
    if (found) {
        return rill_fail(error, RILL_INVALID, "'%.60s' is %s; expected %s: %s", text,
                         rill_quantity_phrase(found->quantity), expected, list);
    }
    return rill_fail(error, RILL_INVALID, "'%.60s' has the unknown unit '%.30s'; expected %s: %s", text, symbol,
                     expected, list);
}

rill_status rill_parse_number(const char *text, rill_quantity quantity, double *value, rill_error *error) {
    if (!text || !value || !quantity_valid(quantity)) {
        return rill_fail(error, RILL_INVALID,
                         "rill_parse_number needs a text, a known quantity and a place for the value");
    }
    double result;
    const char *start = skip_space(text);
    const char *expected = rill_quantity_phrase(quantity);
    const char *symbol = rill_quantity_symbol(quantity);
    if (!*start) {
        return rill_fail(error, RILL_INVALID, "the text is empty; expected %s such as '0.5%s%s'", expected,
                         *symbol ? " " : "", symbol);
    }
    const char *rest = rill_decimal_read(start, start + strlen(start), &result);
    if (!rest) {
        return rill_fail(error, RILL_INVALID, "'%.60s' is not a number; expected %s such as '0.5%s%s'", text, expected,
                         *symbol ? " " : "", symbol);
    }
    rest = skip_space(rest);
    if (*rest) {
        const unit *found = find_unit(rest, quantity);
        if (!found || !fits(found->quantity, quantity)) return unit_error(text, rest, found, quantity, error);
        result = result * found->factor / found->divisor;
    }
    if (!isfinite(result)) return rill_fail(error, RILL_INVALID, "'%.60s' is too large for a number", text);
    *value = result;
    return RILL_OK;
}

/* ---- writing ---- */

/* `value` rounded to `count` digits. Only digits and exponent are taken from the output of "%e", because its decimal
   point depends on the locale. */
static decimal round_to(float value, int count) {
    char text[64];
    decimal number = {.negative = signbit(value) != 0};
    snprintf(text, sizeof text, "%.*e", count - 1, fabs((double)value));
    const char *p = text;
    for (; *p && *p != 'e'; ++p) {
        if (is_digit(*p) && number.count < DECIMAL_MAX_DIGITS) number.digits[number.count++] = *p;
    }
    number.exponent = *p ? (int)strtol(p + 1, NULL, 10) - (number.count - 1) : 0;
    return number;
}

static const char *lay_out(const decimal *number, char *buffer) {
    const char *sign = number->negative ? "-" : "";
    const char *digits = number->digits;
    const int size = NUMBER_TEXT_SIZE;
    const int count = number->count;
    const int leading = count + number->exponent; /* digits before the point */
    if (number->exponent >= 0 && leading <= 9) {
        snprintf(buffer, size, "%s%.9s%.*s", sign, digits, number->exponent, "000000000");
    } else if (leading > 0 && leading <= 9) {
        snprintf(buffer, size, "%s%.*s.%.9s", sign, leading, digits, digits + leading);
    } else if (leading <= 0 && leading > -4) {
        snprintf(buffer, size, "%s0.%.*s%.9s", sign, -leading, "000", digits);
    } else {
        snprintf(buffer, size, "%s%.1s%s%.9se%d", sign, digits, count > 1 ? "." : "", digits + 1, leading - 1);
    }
    return buffer;
}

const char *rill_number_text(float value, char buffer[NUMBER_TEXT_SIZE]) {
    if (!isfinite(value)) {
        snprintf(buffer, NUMBER_TEXT_SIZE, "null");
        return buffer;
    }
    decimal number = {0};
    /* Nine digits distinguish any two floats. */
    for (int count = 1; count <= 9; ++count) {
        number = round_to(value, count);
        if ((float)rill_decimal_value(&number) == value) break;
    }
    return lay_out(&number, buffer);
}

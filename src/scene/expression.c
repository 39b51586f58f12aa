/* SPDX-License-Identifier: MIT */
/* A recursive-descent parser that evaluates while it reads. Its depth is limited, so that no text overflows the
   stack. */
#include "scene/expression.h"

#include "core/exponential.h"
#include "core/trig.h"
#include "rill/param.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_MAX 48
/* Default of the constant g [m/s^2]. */
#define EARTH_GRAVITY 9.81

typedef struct evaluation {
    const char *text, *at;
    expression_names names;
    int depth;
    expression_problem *problem;
} evaluation;

static double round_half_up(double x) {
    return floor(x + 0.5);
}

static double tangent(double x) {
    return rill_trig_sin(x) / rill_trig_cos(x);
}

typedef struct function {
    const char *name;
    double (*one)(double);         /* function of one value */
    double (*two)(double, double); /* function that folds several values */
} function;

static const function functions[] = {
    {"sqrt", sqrt, NULL},      {"sin", rill_trig_sin, NULL},   {"cos", rill_trig_cos, NULL},   {"tan", tangent, NULL},
    {"tanh", rill_tanh, NULL}, {"exp", rill_exp, NULL},        {"log", rill_log, NULL},        {"abs", fabs, NULL},
    {"floor", floor, NULL},    {"ceil", ceil, NULL},           {"round", round_half_up, NULL}, {"min", NULL, fmin},
    {"max", NULL, fmax},       {"acos", rill_trig_acos, NULL},
};

static const function *find_function(const char *name) {
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (!strcmp(functions[k].name, name)) return &functions[k];
    return NULL;
}

__attribute__((format(printf, 2, 3))) static bool fail(evaluation *e, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(e->problem->text, sizeof e->problem->text, format, args);
    va_end(args);
    e->problem->character = (int)(e->at - e->text) + 1;
    return false;
}

static void skip_blanks(evaluation *e) {
    while (*e->at == ' ') e->at++;
}

/* Skips a sign if it comes next. */
static bool take(evaluation *e, const char *sign) {
    skip_blanks(e);
    const size_t length = strlen(sign);
    if (strncmp(e->at, sign, length)) return false;
    e->at += length;
    return true;
}

static bool expect(evaluation *e, const char *sign) {
    return take(e, sign) || fail(e, *e->at ? "expected '%s'" : "expected '%s' before the end", sign);
}

static bool choice(evaluation *e, double *value);
static bool unary(evaluation *e, double *value);

static bool number(evaluation *e, double *value) {
    char text[64];
    size_t length = strspn(e->at, "0123456789.");
    if (e->at[length] == 'e' || e->at[length] == 'E') {
        const size_t sign = e->at[length + 1] == '-' || e->at[length + 1] == '+';
        const size_t digits = strspn(e->at + length + 1 + sign, "0123456789");
        if (digits) length += 1 + sign + digits;
    }
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), e->at);
    if (length >= sizeof text || rill_parse_number(text, RILL_PURE, value, NULL)) return fail(e, "expected a number");
    e->at += length;
    return true;
}

static size_t name_length(const char *text) {
    size_t length = 0;
    if (isdigit((unsigned char)text[0])) return 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
    return length;
}

/* Evaluates the arguments in parentheses after a function's name. */
static bool call(evaluation *e, const function *f, double *value) {
    if (!expect(e, "(") || !choice(e, value)) return false;
    if (f->one) {
        *value = f->one(*value);
        return expect(e, ")");
    }
    while (take(e, ",")) {
        double next;
        if (!choice(e, &next)) return false;
        *value = f->two(*value, next);
    }
    return expect(e, ")");
}

/* Names from the caller take precedence over constants, so that a scene may define its own g. */
static bool find_value(evaluation *e, const char *name, double *value) {
    const expression_found found = e->names.find ? e->names.find(e->names.context, name, value) : EXPRESSION_UNKNOWN;
    if (found == EXPRESSION_FOUND) return true;
    const bool pi = !strcmp(name, "pi"), g = !strcmp(name, "g");
    if (found == EXPRESSION_UNKNOWN && (pi || g)) {
        *value = pi ? PI : EARTH_GRAVITY;
        return true;
    }
    snprintf(e->problem->name, sizeof e->problem->name, "%s", name);
    return fail(e, "'%s' has no value", name);
}

static bool named(evaluation *e, double *value) {
    char name[RILL_NAME_SIZE];
    const size_t length = name_length(e->at);
    if (length == 0) return fail(e, *e->at ? "expected a number, a name or '('" : "ends where a value is expected");
    if (length >= sizeof name) return fail(e, "expected a name of at most %d characters", RILL_NAME_SIZE - 1);
    snprintf(name, sizeof name, "%.*s", (int)length, e->at);
    const function *f = find_function(name);
    if (!f && !find_value(e, name, value)) return false;
    e->at += length;
    return f ? call(e, f, value) : true;
}

static bool atom(evaluation *e, double *value) {
    *value = 0;
    skip_blanks(e);
    if (isdigit((unsigned char)*e->at) || *e->at == '.') return number(e, value);
    if (!take(e, "(")) return named(e, value);
    return choice(e, value) && expect(e, ")");
}

static bool power(evaluation *e, double *value) {
    double exponent = 0;
    if (!atom(e, value)) return false;
    if (!take(e, "^")) return true;
    if (!unary(e, &exponent)) return false;
    *value = rill_power(*value, exponent);
    return true;
}

static bool unary(evaluation *e, double *value) {
    if (++e->depth > DEPTH_MAX) return fail(e, "is nested too deeply; expected at most %d levels", DEPTH_MAX);
    const bool minus = take(e, "-");
    const bool fine = minus || take(e, "+") ? unary(e, value) : power(e, value);
    if (minus && fine) *value = -*value;
    e->depth--;
    return fine;
}

static bool product(evaluation *e, double *value) {
    if (!unary(e, value)) return false;
    for (;;) {
        double next = 0;
        const bool times = take(e, "*");
        if (!times && !take(e, "/")) return true;
        if (!unary(e, &next)) return false;
        *value = times ? *value * next : *value / next;
    }
}

static bool sum(evaluation *e, double *value) {
    if (!product(e, value)) return false;
    for (;;) {
        double next = 0;
        const bool plus = take(e, "+");
        if (!plus && !take(e, "-")) return true;
        if (!product(e, &next)) return false;
        *value = plus ? *value + next : *value - next;
    }
}

static bool comparison(evaluation *e, double *value) {
    static const char *const signs[] = {"<=", ">=", "==", "!=", "<", ">"};
    if (!sum(e, value)) return false;
    for (int k = 0; k < 6; k++) {
        double right = 0;
        if (!take(e, signs[k])) continue;
        if (!sum(e, &right)) return false;
        const double left = *value;
        const bool holds[] = {left <= right, left >= right, left == right, left != right, left<right, left> right};
        *value = holds[k];
        return true;
    }
    return true;
}

/* Both branches of a ? b : c are evaluated, whichever is chosen. */
static bool choice(evaluation *e, double *value) {
    double yes = 0, no = 0;
    if (++e->depth > DEPTH_MAX) return fail(e, "is nested too deeply; expected at most %d levels", DEPTH_MAX);
    if (!comparison(e, value)) return false;
    if (take(e, "?")) {
        if (!choice(e, &yes) || !expect(e, ":") || !choice(e, &no)) return false;
        *value = *value != 0 ? yes : no;
    }
    e->depth--;
    return true;
}

bool rill_expression_any_value(const char *text, expression_names names, double *value, expression_problem *problem) {
    evaluation e = {.text = text, .at = text, .names = names, .problem = problem};
    *problem = (expression_problem){0};
    if (*e.at == '=') e.at++;
    if (!choice(&e, value)) return false;
    skip_blanks(&e);
    return *e.at == '\0' || fail(&e, "expected an operator or the end");
}

bool rill_expression_value(const char *text, expression_names names, double *value, expression_problem *problem) {
    if (!rill_expression_any_value(text, names, value, problem)) return false;
    if (isfinite(*value)) return true;
    *problem = (expression_problem){.character = 1, .text = "has no finite value"};
    return false;
}

bool rill_expression_is_name(const char *name) {
    return name[0] && name_length(name) == strlen(name) && strlen(name) < RILL_NAME_SIZE && !find_function(name) &&
           strcmp(name, "pi") != 0;
}

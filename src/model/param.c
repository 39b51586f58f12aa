/* SPDX-License-Identifier: MIT */
/* Operations on the rows of a parameter table: looking up, defaults, checking, setting, writing. */
#include "rill/param.h"
#include "core/error.h"
#include "model/units.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Members are read and written by memcpy, because a table may describe any struct. */
static const void *member(const rill_param *param, const void *object) {
    return (const char *)object + param->offset;
}

static void set_member(const rill_param *param, void *object, const void *value, size_t size) {
    memcpy((char *)object + param->offset, value, size);
}

/* ---- names ---- */

static char fold(char c) {
    if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');
    return c == '-' || c == ' ' ? '_' : c;
}

static int min_of(int a, int b) {
    return a < b ? a : b;
}

/* Number of edits (insert, delete, replace, swap neighbours) from one name to the other. Case, and '-' or ' ' for '_',
   do not count. */
static int edit_distance(const char *a, int a_length, const char *b, int b_length) {
    int before[RILL_NAME_SIZE + 1] = {0};
    int last[RILL_NAME_SIZE + 1];
    int row[RILL_NAME_SIZE + 1];
    for (int j = 0; j <= b_length; ++j) last[j] = j;
    for (int i = 1; i <= a_length; ++i) {
        row[0] = i;
        for (int j = 1; j <= b_length; ++j) {
            const bool same = fold(a[i - 1]) == fold(b[j - 1]);
            row[j] = min_of(last[j - 1] + (same ? 0 : 1), min_of(last[j], row[j - 1]) + 1);
            const bool swapped = i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]);
            if (swapped) row[j] = min_of(row[j], before[j - 2] + 1);
        }
        memcpy(before, last, sizeof before);
        memcpy(last, row, sizeof last);
    }
    return last[b_length];
}

/* The edit distance of a misspelt name to a known one; INT_MAX if they are too different. About one letter in three may
   be wrong. A start of three letters or more ("visc") counts as similar. */
static int name_distance(const char *wanted, const char *known, int known_length) {
    const int length = (int)strnlen(wanted, RILL_NAME_SIZE + 1);
    if (length == 0 || length > RILL_NAME_SIZE || known_length > RILL_NAME_SIZE) return INT_MAX;
    const int distance = edit_distance(wanted, length, known, known_length);
    const int longer = length > known_length ? length : known_length;
    if (distance <= (longer + 2) / 3 && distance < longer) return distance;
    if (length >= 3 && length < known_length && edit_distance(wanted, length, known, length) == 0) return distance;
    return INT_MAX;
}

const rill_param *rill_table_find(const rill_table *table, const char *key) {
    if (!table || !key) return NULL;
    for (int i = 0; i < table->count; ++i) {
        if (strcmp(table->params[i].key, key) == 0) return &table->params[i];
    }
    return NULL;
}

const char *rill_table_nearest(const rill_table *table, const char *key) {
    if (!table || !key) return NULL;
    const char *best = NULL;
    int best_distance = INT_MAX;
    for (int i = 0; i < table->count; ++i) {
        const char *known = table->params[i].key;
        const int distance = name_distance(key, known, (int)strlen(known));
        if (distance < best_distance) {
            best_distance = distance;
            best = known;
        }
    }
    return best;
}

/* ---- choices ---- */

/* The next name of "a|b|c" at `*choices`, and its length. Moves `*choices` past it. NULL past the end. */
static const char *next_choice(const char **choices, int *length) {
    const char *name = *choices;
    if (!name) return NULL;
    const char *bar = strchr(name, '|');
    *length = (int)(bar ? (size_t)(bar - name) : strlen(name));
    *choices = bar ? bar + 1 : NULL;
    return name;
}

static const char *copy_choice(const char *name, int length, char *buffer, size_t size) {
    if (!buffer || size == 0) return "";
    snprintf(buffer, size, "%.*s", length, name);
    return buffer;
}

const char *rill_choices_nearest(const char *choices, const char *name, char *buffer, size_t size) {
    if (!choices || !name || !buffer || size == 0) return NULL;
    const char *best = NULL;
    int best_length = 0;
    int best_distance = INT_MAX;
    const char *rest = choices;
    int length;
    for (const char *known = next_choice(&rest, &length); known; known = next_choice(&rest, &length)) {
        const int distance = name_distance(name, known, length);
        if (distance < best_distance) {
            best_distance = distance;
            best = known;
            best_length = length;
        }
    }
    return best ? copy_choice(best, best_length, buffer, size) : NULL;
}

int rill_choice_index(const char *choices, const char *name) {
    if (!choices || !name) return -1;
    const char *rest = choices;
    int length;
    int index = 0;
    for (const char *known = next_choice(&rest, &length); known; known = next_choice(&rest, &length)) {
        if (strlen(name) == (size_t)length && memcmp(name, known, (size_t)length) == 0) return index;
        ++index;
    }
    return -1;
}

const char *rill_choice_name(const char *choices, int index, char *buffer, size_t size) {
    const char *rest = choices;
    int length = 0;
    const char *name = next_choice(&rest, &length);
    for (; name && index > 0; --index) name = next_choice(&rest, &length);
    return name && index == 0 ? copy_choice(name, length, buffer, size) : copy_choice("", 0, buffer, size);
}

static int choice_count(const char *choices) {
    int count = 0;
    int length;
    const char *rest = choices;
    while (next_choice(&rest, &length)) ++count;
    return count;
}

/* "a, b, c" for messages. */
static const char *choice_list(const char *choices, char *buffer, size_t size) {
    size_t used = 0;
    buffer[0] = '\0';
    for (const char *c = choices; c && *c && used + 3 < size; ++c) {
        if (*c == '|') {
            buffer[used++] = ',';
            buffer[used++] = ' ';
        } else {
            buffer[used++] = *c;
        }
        buffer[used] = '\0';
    }
    return buffer;
}

/* ---- checks of the value of a row ---- */

/* Ranges are compared as floats, so that a bound such as 0.1 is in range itself. */
static bool in_range(const rill_param *param, double value) {
    if (!isfinite(value)) return false;
    if (param->type == RILL_TYPE_INT) return value >= param->min && value <= param->max;
    return (float)value >= (float)param->min && (float)value <= (float)param->max;
}

static const char *type_phrase(rill_type type) {
    static const char *const phrases[] = {
        [RILL_TYPE_BOOL] = "true or false",        [RILL_TYPE_INT] = "a whole number",
        [RILL_TYPE_NUMBER] = "a number",           [RILL_TYPE_VEC] = "a vector",
        [RILL_TYPE_CHOICE] = "one of a list",      [RILL_TYPE_NAME] = "a name",
        [RILL_TYPE_FILE] = "the name of a file",   [RILL_TYPE_POINTS] = "a list of points",
        [RILL_TYPE_NUMBERS] = "a list of numbers",
    };
    return (unsigned)type < sizeof phrases / sizeof phrases[0] ? phrases[type] : "an unknown type";
}

static rill_status type_error(const rill_param *param, const char *given, rill_error *error) {
    return rill_fail(error, RILL_INVALID, "%s: is %s and cannot be set from %s", param->key, type_phrase(param->type),
                     given);
}

static rill_status range_error(const rill_param *param, const char *part, double value, rill_error *error) {
    char low[NUMBER_TEXT_SIZE];
    char high[NUMBER_TEXT_SIZE];
    const char *symbol = rill_quantity_symbol(param->quantity);
    const char *space = *symbol ? " " : "";
    if (param->type == RILL_TYPE_INT) {
        return rill_fail(error, RILL_INVALID, "%s: %.9g is out of range; expected a whole number from %.0f to %.0f",
                         param->key, value, param->min, param->max);
    }
    return rill_fail(error, RILL_INVALID, "%s%s: %.6g%s%s is out of range; expected %s to %s%s%s", param->key, part,
                     value, space, symbol, rill_number_text((float)param->min, low),
                     rill_number_text((float)param->max, high), space, symbol);
}

static rill_status check_number(const rill_param *param, double value, rill_error *error) {
    if (!in_range(param, value)) return range_error(param, "", value, error);
    if (param->type == RILL_TYPE_INT && value != floor(value)) {
        return rill_fail(error, RILL_INVALID, "%s: %.9g is not whole; expected a whole number from %.0f to %.0f",
                         param->key, value, param->min, param->max);
    }
    return RILL_OK;
}

static rill_status check_vec(const rill_param *param, rill_vec value, rill_error *error) {
    if (!in_range(param, (double)value.x)) return range_error(param, ".x", (double)value.x, error);
    if (!in_range(param, (double)value.y)) return range_error(param, ".y", (double)value.y, error);
    if (!in_range(param, (double)value.z)) return range_error(param, ".z", (double)value.z, error);
    return RILL_OK;
}

static rill_status check_points(const rill_param *param, rill_points points, rill_error *error) {
    if (points.count < 0 || (points.count > 0 && !points.data)) {
        return rill_fail(error, RILL_INVALID, "%s: %d points without data; expected a list of points", param->key,
                         (int)points.count);
    }
    for (int32_t i = 0; i < points.count; ++i) {
        rill_error inner;
        if (check_vec(param, points.data[i], &inner) == RILL_OK) continue;
        return rill_fail(error, RILL_INVALID, "%.300s (point %d)", inner.text, (int)i);
    }
    return RILL_OK;
}

static rill_status check_numbers(const rill_param *param, rill_numbers numbers, rill_error *error) {
    if (numbers.count < 0 || (numbers.count > 0 && !numbers.data)) {
        return rill_fail(error, RILL_INVALID, "%s: %d numbers without data; expected a list of numbers", param->key,
                         (int)numbers.count);
    }
    for (int32_t i = 0; i < numbers.count; ++i) {
        rill_error inner;
        if (check_number(param, (double)numbers.data[i], &inner) == RILL_OK) continue;
        return rill_fail(error, RILL_INVALID, "%.300s (number %d)", inner.text, (int)i);
    }
    return RILL_OK;
}

static rill_status check_choice(const rill_param *param, int32_t index, rill_error *error) {
    const int count = choice_count(param->choices);
    if (index >= 0 && index < count) return RILL_OK;
    char list[300];
    return rill_fail(error, RILL_INVALID, "%s: choice number %d does not exist; expected 0 to %d for %s", param->key,
                     (int)index, count - 1, choice_list(param->choices, list, sizeof list));
}

/* Bytes of a name or of a file name, including the final zero. */
static size_t text_room(rill_type type) {
    return type == RILL_TYPE_FILE ? RILL_FILE_SIZE : RILL_NAME_SIZE;
}

static rill_status check_name(const rill_param *param, const char *text, rill_error *error) {
    const size_t room = text_room(param->type), length = strnlen(text, room);
    if (length == room) {
        return rill_fail(error, RILL_INVALID, "%s: '%.*s...' is too long; expected at most %d bytes", param->key,
                         RILL_NAME_SIZE - 1, text, (int)room - 1);
    }
    for (size_t i = 0; i < length; ++i) {
        const unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c != 0x7f) continue;
        return rill_fail(error, RILL_INVALID, "%s: byte %d of the name is the control character 0x%02x; expected text",
                         param->key, (int)i + 1, c);
    }
    return RILL_OK;
}

/* A bool is read as a byte: a value other than 0 and 1 must be reported, because using it is undefined. */
static rill_status check_bool(const rill_param *param, const void *value, rill_error *error) {
    unsigned char byte;
    memcpy(&byte, value, sizeof byte);
    if (byte <= 1) return RILL_OK;
    return rill_fail(error, RILL_INVALID, "%s: holds %d; expected true or false", param->key, byte);
}

static rill_status check_member(const rill_param *param, const void *object, rill_error *error) {
    const void *at = member(param, object);
    int32_t integer;
    float number;
    rill_vec vec;
    rill_points points;
    rill_numbers numbers;
    switch (param->type) {
    case RILL_TYPE_BOOL:
        return check_bool(param, at, error);
    case RILL_TYPE_INT:
        memcpy(&integer, at, sizeof integer);
        return check_number(param, integer, error);
    case RILL_TYPE_NUMBER:
        memcpy(&number, at, sizeof number);
        return check_number(param, (double)number, error);
    case RILL_TYPE_VEC:
        memcpy(&vec, at, sizeof vec);
        return check_vec(param, vec, error);
    case RILL_TYPE_CHOICE:
        memcpy(&integer, at, sizeof integer);
        return check_choice(param, integer, error);
    case RILL_TYPE_NAME:
    case RILL_TYPE_FILE:
        return check_name(param, at, error);
    case RILL_TYPE_POINTS:
        memcpy(&points, at, sizeof points);
        return check_points(param, points, error);
    case RILL_TYPE_NUMBERS:
        memcpy(&numbers, at, sizeof numbers);
        return check_numbers(param, numbers, error);
    }
    return rill_fail(error, RILL_INVALID, "%s: the table gives it no known type", param->key);
}

rill_status rill_table_check(const rill_table *table, const void *object, rill_error *error) {
    if (!table || !object) return rill_fail(error, RILL_INVALID, "rill_table_check needs a table and an object");
    for (int i = 0; i < table->count; ++i) {
        rill_error inner;
        const rill_status status = check_member(&table->params[i], object, &inner);
        if (status) return rill_fail(error, status, "%s.%.400s", table->name, inner.text);
    }
    return RILL_OK;
}

/* ---- defaults ---- */

static void set_default(const rill_param *param, void *object) {
    if (param->type == RILL_TYPE_BOOL) {
        const bool truth = param->initial != 0;
        set_member(param, object, &truth, sizeof truth);
    } else if (param->type == RILL_TYPE_INT || param->type == RILL_TYPE_CHOICE) {
        const int32_t integer = (int32_t)param->initial;
        set_member(param, object, &integer, sizeof integer);
    } else if (param->type == RILL_TYPE_NUMBER) {
        const float number = (float)param->initial;
        set_member(param, object, &number, sizeof number);
    } else if (param->type == RILL_TYPE_VEC) {
        set_member(param, object, &param->initial_vec, sizeof param->initial_vec);
    } else if (param->type == RILL_TYPE_NAME || param->type == RILL_TYPE_FILE) {
        char name[RILL_FILE_SIZE] = {0};
        snprintf(name, text_room(param->type), "%s", param->choices ? param->choices : "");
        set_member(param, object, name, text_room(param->type));
    } else if (param->type == RILL_TYPE_POINTS) {
        const rill_points none = {0};
        set_member(param, object, &none, sizeof none);
    } else if (param->type == RILL_TYPE_NUMBERS) {
        const rill_numbers none = {0};
        set_member(param, object, &none, sizeof none);
    }
}

void rill_table_defaults(const rill_table *table, void *object) {
    if (!table || !object) return;
    for (int i = 0; i < table->count; ++i) set_default(&table->params[i], object);
}

/* ---- setting ---- */

rill_status rill_param_set_number(const rill_param *param, void *object, double value, rill_error *error) {
    if (!param || !object) return rill_fail(error, RILL_INVALID, "rill_param_set_number needs a row and an object");
    const bool whole = param->type == RILL_TYPE_INT;
    if (!whole && param->type != RILL_TYPE_NUMBER) return type_error(param, "a number", error);
    const rill_status status = check_number(param, value, error);
    if (status) return status;
    const float number = (float)value;
    const int32_t integer = whole ? (int32_t)value : 0;
    if (whole)
        set_member(param, object, &integer, sizeof integer);
    else
        set_member(param, object, &number, sizeof number);
    return RILL_OK;
}

rill_status rill_param_set_vec(const rill_param *param, void *object, rill_vec value, rill_error *error) {
    if (!param || !object) return rill_fail(error, RILL_INVALID, "rill_param_set_vec needs a row and an object");
    if (param->type != RILL_TYPE_VEC) return type_error(param, "a vector", error);
    const rill_status status = check_vec(param, value, error);
    if (!status) set_member(param, object, &value, sizeof value);
    return status;
}

static rill_status parse_number(const rill_param *param, const char *text, double *value, rill_error *error) {
    rill_error inner;
    const rill_status status = rill_parse_number(text, param->quantity, value, &inner);
    return status ? rill_fail(error, status, "%s: %.400s", param->key, inner.text) : RILL_OK;
}

static rill_status vec_error(const rill_param *param, const char *text, rill_error *error) {
    return rill_fail(error, RILL_INVALID, "%s: '%.60s' is not a vector; expected 2 or 3 numbers such as '[0, 1]'",
                     param->key, text);
}

rill_status rill_param_parse_vec(const rill_param *param, const char *text, double parts[3], rill_error *error) {
    char copy[200];
    parts[0] = parts[1] = parts[2] = 0;
    const char *start = text + strspn(text, " \t\r\n");
    size_t length = strlen(start);
    while (length && strchr(" \t\r\n", start[length - 1])) --length;
    const bool open = length > 0 && start[0] == '[';
    const bool closed = length > 1 && start[length - 1] == ']';
    if (open != closed || length >= sizeof copy) return vec_error(param, text, error);
    snprintf(copy, sizeof copy, "%.*s", (int)(open ? length - 2 : length), start + (open ? 1 : 0));
    int count = 0;
    for (char *part = copy; part; ++count) {
        char *comma = strchr(part, ',');
        if (comma) *comma = '\0';
        if (count == 3 || (count == 0 && !comma)) return vec_error(param, text, error);
        const rill_status status = parse_number(param, part, &parts[count], error);
        if (status) return status;
        part = comma ? comma + 1 : NULL;
    }
    static const char *const names[3] = {".x", ".y", ".z"};
    for (int i = 0; i < count; ++i) {
        if (!in_range(param, parts[i])) return range_error(param, names[i], parts[i], error);
    }
    return RILL_OK;
}

static rill_status parse_vec(const rill_param *param, const char *text, rill_vec *value, rill_error *error) {
    double parts[3];
    TRY(rill_param_parse_vec(param, text, parts, error));
    *value = (rill_vec){(float)parts[0], (float)parts[1], (float)parts[2]};
    return RILL_OK;
}

static rill_status set_bool_text(const rill_param *param, void *object, const char *text, rill_error *error) {
    const int index = rill_choice_index("false|no|off|0|true|yes|on|1", text);
    if (index < 0) {
        return rill_fail(error, RILL_INVALID,
                         "%s: '%.60s' is neither true nor false; expected true, yes, on, 1, false, "
                         "no, off or 0",
                         param->key, text);
    }
    const bool value = index >= 4;
    set_member(param, object, &value, sizeof value);
    return RILL_OK;
}

static rill_status set_choice_text(const rill_param *param, void *object, const char *text, rill_error *error) {
    const int32_t index = rill_choice_index(param->choices, text);
    if (index >= 0) {
        set_member(param, object, &index, sizeof index);
        return RILL_OK;
    }
    char list[300];
    char near[RILL_NAME_SIZE];
    choice_list(param->choices, list, sizeof list);
    if (rill_choices_nearest(param->choices, text, near, sizeof near)) {
        return rill_fail(error, RILL_INVALID, "%s: unknown choice '%.60s'; did you mean '%s'? Expected one of: %s",
                         param->key, text, near, list);
    }
    return rill_fail(error, RILL_INVALID, "%s: unknown choice '%.60s'; expected one of: %s", param->key, text, list);
}

static rill_status set_name_text(const rill_param *param, void *object, const char *text, rill_error *error) {
    const rill_status status = check_name(param, text, error);
    if (status) return status;
    char name[RILL_FILE_SIZE] = {0};
    memcpy(name, text, strlen(text));
    set_member(param, object, name, text_room(param->type));
    return RILL_OK;
}

rill_status rill_param_set_text(const rill_param *param, void *object, const char *text, rill_error *error) {
    if (!param || !object || !text) {
        return rill_fail(error, RILL_INVALID, "rill_param_set_text needs a row, an object and a text");
    }
    double number;
    rill_vec vec;
    rill_status status;
    switch (param->type) {
    case RILL_TYPE_BOOL:
        return set_bool_text(param, object, text, error);
    case RILL_TYPE_INT:
    case RILL_TYPE_NUMBER:
        status = parse_number(param, text, &number, error);
        return status ? status : rill_param_set_number(param, object, number, error);
    case RILL_TYPE_VEC:
        status = parse_vec(param, text, &vec, error);
        return status ? status : rill_param_set_vec(param, object, vec, error);
    case RILL_TYPE_CHOICE:
        return set_choice_text(param, object, text, error);
    case RILL_TYPE_NAME:
    case RILL_TYPE_FILE:
        return set_name_text(param, object, text, error);
    case RILL_TYPE_POINTS:
    case RILL_TYPE_NUMBERS:
        break; /* the memory of the list would have no owner */
    }
    return type_error(param, "text", error);
}

/* ---- writing ---- */

/* Text in a buffer; past its end only the length grows, as with snprintf. */
typedef struct writer {
    char *buffer;
    size_t size, length;
} writer;

static void put(writer *w, const char *text) {
    const bool room = w->length < w->size;
    if (room) snprintf(w->buffer + w->length, w->size - w->length, "%s", text);
    w->length += strlen(text);
}

static void put_number(writer *w, float value) {
    char text[NUMBER_TEXT_SIZE];
    put(w, rill_number_text(value, text));
}

static void put_vec(writer *w, rill_vec v, int dim) {
    const float parts[3] = {v.x, v.y, v.z};
    for (int i = 0; i < dim; ++i) {
        put(w, i ? ", " : "[");
        put_number(w, parts[i]);
    }
    put(w, "]");
}

static void put_points(writer *w, rill_points points, int dim) {
    put(w, "[");
    for (int32_t i = 0; points.data && i < points.count; ++i) {
        if (i) put(w, ", ");
        put_vec(w, points.data[i], dim);
    }
    put(w, "]");
}

static void put_numbers(writer *w, rill_numbers numbers) {
    put(w, "[");
    for (int32_t i = 0; numbers.data && i < numbers.count; ++i) {
        if (i) put(w, ", ");
        put_number(w, numbers.data[i]);
    }
    put(w, "]");
}

static void put_integer(writer *w, int32_t value) {
    char text[16];
    snprintf(text, sizeof text, "%d", (int)value);
    put(w, text);
}

static void put_string(writer *w, const char *text, size_t length) {
    put(w, "\"");
    for (size_t i = 0; i < length; ++i) {
        const unsigned char c = (unsigned char)text[i];
        char piece[8] = {(char)c};
        if (c == '"' || c == '\\') snprintf(piece, sizeof piece, "\\%c", c);
        if (c < 0x20 || c == 0x7f) snprintf(piece, sizeof piece, "\\u%04x", c);
        put(w, piece);
    }
    put(w, "\"");
}

static void put_choice(writer *w, const rill_param *param, int32_t index) {
    char name[RILL_NAME_SIZE];
    rill_choice_name(param->choices, index, name, sizeof name);
    put_string(w, name, strlen(name));
}

int rill_param_get_text(const rill_param *param, const void *object, int dim, char *buffer, size_t size) {
    writer w = {buffer, buffer ? size : 0, 0};
    if (w.size) buffer[0] = '\0';
    if (!param || !object) return 0;
    const void *at = member(param, object);
    unsigned char truth;
    int32_t integer;
    float number;
    rill_vec vec;
    rill_points points;
    rill_numbers numbers;
    const int parts = rill_param_components(param, dim == 2 ? 2 : 3);
    switch (param->type) {
    case RILL_TYPE_BOOL:
        memcpy(&truth, at, sizeof truth);
        put(&w, truth ? "true" : "false");
        break;
    case RILL_TYPE_INT:
        memcpy(&integer, at, sizeof integer);
        put_integer(&w, integer);
        break;
    case RILL_TYPE_NUMBER:
        memcpy(&number, at, sizeof number);
        put_number(&w, number);
        break;
    case RILL_TYPE_VEC:
        memcpy(&vec, at, sizeof vec);
        put_vec(&w, vec, parts);
        break;
    case RILL_TYPE_CHOICE:
        memcpy(&integer, at, sizeof integer);
        put_choice(&w, param, integer);
        break;
    case RILL_TYPE_NAME:
    case RILL_TYPE_FILE:
        put_string(&w, at, strnlen(at, text_room(param->type)));
        break;
    case RILL_TYPE_POINTS:
        memcpy(&points, at, sizeof points);
        put_points(&w, points, parts);
        break;
    case RILL_TYPE_NUMBERS:
        memcpy(&numbers, at, sizeof numbers);
        put_numbers(&w, numbers);
        break;
    }
    return (int)w.length;
}

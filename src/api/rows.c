/* SPDX-License-Identifier: MIT */
/* The layout of rows, and writing them as columns. */
#include "api/rows.h"

#include "model/world_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- layout ---- */

const rill_table *rill_part_table(const row_part *part) {
    if (part->members) return NULL;
    return part->table ? part->table : rill_object_table(part->object);
}

int rill_part_count(const row_part *part) {
    const rill_table *table = rill_part_table(part);
    return table ? table->count : part->member_count;
}

static row_value value_of_param(const rill_param *param) {
    row_value v = {.param = param, .offset = param->offset, .width = 1, .may_lack = true};
    switch (param->type) {
    case RILL_TYPE_BOOL:
        v.type = COLUMN_BOOL, v.size = sizeof(bool);
        break;
    case RILL_TYPE_INT:
        v.type = COLUMN_I32, v.size = sizeof(int32_t);
        break;
    case RILL_TYPE_NUMBER:
        v.type = COLUMN_F32, v.size = sizeof(float);
        break;
    case RILL_TYPE_VEC:
        v.type = COLUMN_F32, v.size = sizeof(rill_vec), v.width = 3;
        break;
    case RILL_TYPE_CHOICE: /* as text, because indices change when a choice is added */
    case RILL_TYPE_NAME:
    case RILL_TYPE_FILE:
        v.type = COLUMN_CHAR, v.flags = COLUMN_LIST;
        break;
    case RILL_TYPE_POINTS:
        v.type = COLUMN_F32, v.flags = COLUMN_LIST, v.width = 3;
        break;
    case RILL_TYPE_NUMBERS:
        v.type = COLUMN_F32, v.flags = COLUMN_LIST;
        break;
    }
    return v;
}

row_value rill_part_value(const row_part *part, int index) {
    const rill_table *table = rill_part_table(part);
    const char *name = table ? table->params[index].key : part->members[index].name;
    row_value v;
    const char *point = part->prefix[0] ? "." : "";
    if (table) {
        v = value_of_param(&table->params[index]);
    } else {
        const member *m = &part->members[index];
        v = (row_value){.type = m->type,
                        .offset = m->offset,
                        .size = m->size,
                        .was_narrow = m->was_narrow,
                        .may_lack = m->may_lack};
        v.flags = m->optional ? COLUMN_OPTIONAL : 0;
        v.width = (uint32_t)(m->size / column_scalar_size(m->type));
    }
    v.offset += part->offset;
    v.beside = part->beside;
    snprintf(v.name, sizeof v.name, "%s%s%s", part->prefix, point, name);
    return v;
}

void *rill_row_at(const row_set *rows, int index) {
    return (char *)rows->data + (size_t)index * rows->stride;
}

void *rill_row_or_beside(const row_set *rows, bool beside, int index) {
    return beside ? (char *)rows->beside + (size_t)index * rows->beside_stride : rill_row_at(rows, index);
}

bool rill_row_is_alive(const row_set *rows, int index) {
    return !rows->slots || ((const slot *)rill_row_at(rows, index))->alive;
}

/* ---- values ---- */

const void *rill_row_list(const row_value *v, const void *row, char word[RILL_NAME_SIZE], uint32_t *count) {
    const void *at = (const char *)row + v->offset;
    *count = 0;
    if (!v->param) return NULL; /* members of the state are not lists */
    if (v->param->type == RILL_TYPE_POINTS) {
        const rill_points *points = at;
        *count = (uint32_t)points->count;
        return points->data;
    }
    if (v->param->type == RILL_TYPE_NUMBERS) {
        const rill_numbers *numbers = at;
        *count = (uint32_t)numbers->count;
        return numbers->data;
    }
    const char *text = at;
    if (v->param->type == RILL_TYPE_CHOICE) {
        int32_t choice;
        memcpy(&choice, at, sizeof choice);
        text = rill_choice_name(v->param->choices, choice, word, RILL_NAME_SIZE);
    }
    *count = (uint32_t)strlen(text);
    return text;
}

bool rill_row_is_default(const row_value *v, const void *row) {
    const rill_param *p = v->param;
    const void *at = (const char *)row + v->offset;
    if (v->flags & COLUMN_LIST) {
        char word[RILL_NAME_SIZE], usual[RILL_NAME_SIZE];
        uint32_t count;
        const char *text = rill_row_list(v, row, word, &count);
        if (p->type == RILL_TYPE_POINTS || p->type == RILL_TYPE_NUMBERS) return count == 0;
        if (p->type == RILL_TYPE_CHOICE)
            return strcmp(text, rill_choice_name(p->choices, (int)p->initial, usual, sizeof usual)) == 0;
        return strcmp(text, p->choices ? p->choices : "") == 0;
    }
    const bool whole = p->type == RILL_TYPE_INT;
    const int32_t integer = whole ? (int32_t)p->initial : 0;
    const float number = (float)p->initial;
    const bool truth = p->initial != 0;
    const void *usual = p->type == RILL_TYPE_VEC    ? (const void *)&p->initial_vec
                        : p->type == RILL_TYPE_BOOL ? (const void *)&truth
                        : whole                     ? (const void *)&integer
                                                    : (const void *)&number;
    return memcmp(at, usual, v->size) == 0;
}

bool rill_row_makes_sense(const row_value *v, const void *at) {
    const unsigned char *bytes = at;
    for (uint32_t k = 0; k < v->width; k++) {
        float single = 0;
        double number = 0;
        if (v->type == COLUMN_BOOL && bytes[k] > 1) return false;
        if (v->type == COLUMN_F32) memcpy(&single, bytes + 4 * k, sizeof single);
        if (v->type == COLUMN_F64) memcpy(&number, bytes + 8 * k, sizeof number);
        if (!v->param && !(isfinite(single) && isfinite(number))) return false;
    }
    return true;
}

static bool same_numbers(const float *a, const float *b, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (a[k] != b[k]) return false;
    return true;
}

bool rill_row_equal(const row_value *v, const void *a, const void *b) {
    const void *x = (const char *)a + v->offset, *y = (const char *)b + v->offset;
    size_t size = v->size;
    char word[2][RILL_NAME_SIZE];
    if (v->flags & COLUMN_LIST) {
        uint32_t count, other;
        x = rill_row_list(v, a, word[0], &count);
        y = rill_row_list(v, b, word[1], &other);
        if (count != other) return false;
        size = (size_t)count * v->width * column_scalar_size(v->type);
    }
    return v->type == COLUMN_F32 ? same_numbers(x, y, size / sizeof(float)) : size == 0 || memcmp(x, y, size) == 0;
}

/* ---- writing ---- */

static void put_lists(archive *a, const row_value *v, const row_set *rows) {
    char word[RILL_NAME_SIZE];
    uint32_t count;
    for (int k = 0; k < rows->count; k++) {
        count = 0;
        if (rill_row_is_alive(rows, k)) rill_row_list(v, rill_row_or_beside(rows, v->beside, k), word, &count);
        rill_archive_put(a, &count, sizeof count);
    }
    const size_t each = v->width * column_scalar_size(v->type);
    for (int k = 0; k < rows->count; k++) {
        if (!rill_row_is_alive(rows, k)) continue;
        const void *data = rill_row_list(v, rill_row_or_beside(rows, v->beside, k), word, &count);
        rill_archive_put(a, data, count * each);
    }
}

/* Writes the values of a column, an array in one piece. A dead row is written as zeros. */
static void put_values(archive *a, const row_value *v, const row_set *rows) {
    static const unsigned char nothing[256];
    if (v->flags & COLUMN_LIST) {
        put_lists(a, v, rows);
    } else if (v->size == rows->stride && !rows->slots) {
        rill_archive_put(a, rows->data, v->size * (size_t)rows->count);
    } else {
        for (int k = 0; k < rows->count; k++) {
            const bool alive = rill_row_is_alive(rows, k);
            const void *at = (const char *)rill_row_or_beside(rows, v->beside, k) + v->offset;
            for (size_t done = 0; !alive && done < v->size; done += sizeof nothing)
                rill_archive_put(a, nothing, v->size - done < sizeof nothing ? v->size - done : sizeof nothing);
            if (alive) rill_archive_put(a, at, v->size);
        }
    }
}

void rill_put_column(archive *a, const row_value *v, const row_set *rows) {
    archive measure = {.mode = ARCHIVE_MEASURE, .ok = true};
    put_values(&measure, v, rows);
    column head = {.type = v->type, .width = v->width, .flags = v->flags, .bytes = measure.size};
    memcpy(head.name, v->name, sizeof head.name);
    rill_archive_column(a, &head, (uint64_t)rows->count);
    put_values(a, v, rows);
}

/* A parameter with its default in all rows is marked optional: a build that does not know it may read the snapshot. */
static void put_part(archive *a, const row_part *part, const row_set *rows) {
    for (int k = 0; k < rill_part_count(part); k++) {
        row_value v = rill_part_value(part, k);
        bool usual = v.param != NULL;
        for (int row = 0; usual && row < rows->count; row++)
            usual = !rill_row_is_alive(rows, row) || rill_row_is_default(&v, rill_row_or_beside(rows, v.beside, row));
        if (usual) v.flags |= COLUMN_OPTIONAL;
        rill_put_column(a, &v, rows);
    }
}

/* The first part of a pool is its slots. Dead ones are written as they are, because their ages keep old handles
   invalid. */
static void put_parts(archive *a, const row_part *parts, int count, const row_set *rows) {
    row_set slots = *rows;
    slots.slots = false;
    for (int k = 0; k < count; k++) put_part(a, &parts[k], k == 0 ? &slots : rows);
}

void rill_put_chunk(archive *a, const char *name, const row_part *parts, int count, const row_set *rows) {
    archive measure = {.mode = ARCHIVE_MEASURE, .ok = true};
    chunk head = {.flags = CHUNK_REQUIRED, .rows = (uint64_t)rows->count};
    put_parts(&measure, parts, count, rows);
    for (int k = 0; k < count; k++) head.columns += (uint32_t)rill_part_count(&parts[k]);
    head.bytes = measure.size;
    snprintf(head.name, sizeof head.name, "%s", name);
    rill_archive_chunk(a, &head);
    put_parts(a, parts, count, rows);
}

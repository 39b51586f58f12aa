/* SPDX-License-Identifier: MIT */
/* Reading rows from columns. Columns that this build does not know, and missing ones that it needs, are refused by
   name. A missing parameter gets its default. */
#include "api/rows.h"

#include <stdio.h>
#include <string.h>

void rill_need_memory(row_reader *r, bool got_memory) {
    if (!got_memory && !r->status)
        r->status = rill_fail(r->error, RILL_MEMORY, "no memory for the snapshot's contents");
}

chunk rill_get_chunk(row_reader *r, const char *name) {
    chunk c = {0};
    if (r->status) return c;
    if (!rill_chunk_find(r->data, r->size, name, &c)) {
        REFUSE(r, "the snapshot has no '%s', which this build of Rill needs to go on", name);
        c = (chunk){0};
    }
    return c;
}

static const char *type_name(uint32_t type, char text[16]) {
    snprintf(text, 16, "%c%d", (int)(type >> 8 & 127), (int)(8 * column_scalar_size(type)));
    return text;
}

/* Only unsigned 32-bit numbers, such as ids, may become 64-bit ones; any other change of a type is a change of
   meaning. */
static bool is_widened(const row_value *v, const column *found) {
    return v->was_narrow && v->type == COLUMN_U64 && found->type == COLUMN_U32;
}

void rill_copy_values(void *to, const row_value *v, const column *from, size_t first, size_t rows) {
    if (!is_widened(v, from)) {
        if (rows > 0) memcpy(to, from->data + first * v->size, rows * v->size);
        return;
    }
    for (size_t k = 0; k < rows * v->width; k++) {
        uint32_t narrow;
        memcpy(&narrow, from->data + (first * v->width + k) * sizeof narrow, sizeof narrow);
        const uint64_t wide = narrow;
        memcpy((char *)to + k * sizeof wide, &wide, sizeof wide);
    }
}

bool rill_find_column(row_reader *r, const chunk *c, const row_value *v, column *found) {
    if (r->status) return false;
    if (!rill_column_find(c, v->name, found)) {
        if (!v->may_lack)
            REFUSE(r, "the snapshot has no '%s.%s', which this build of Rill needs to go on", c->name, v->name);
        return false;
    }
    char there[16], here[16];
    if ((found->type != v->type && !is_widened(v, found)) || found->width != v->width ||
        (found->flags & COLUMN_LIST) != (v->flags & COLUMN_LIST))
        REFUSE(r, "the snapshot's '%s.%s' holds %u x %s%s, this build of Rill wants %u x %s%s", c->name, v->name,
               found->width, type_name(found->type, there), found->flags & COLUMN_LIST ? " in a list" : "", v->width,
               type_name(v->type, here), v->flags & COLUMN_LIST ? " in a list" : "");
    return !r->status;
}

/* ---- values ---- */

static void get_values(row_reader *r, const chunk *c, const row_value *v, const column *from, const row_set *rows) {
    for (int k = 0; k < rows->count; k++) {
        if (!rill_row_is_alive(rows, k)) continue;
        if (!rill_row_makes_sense(v, from->data + (size_t)k * from->width * column_scalar_size(from->type))) {
            REFUSE(r, "the snapshot's '%s.%s' is invalid in row %d", c->name, v->name, k);
            return;
        }
        rill_copy_values((char *)rill_row_or_beside(rows, v->beside, k) + v->offset, v, from, (size_t)k, 1);
    }
}

/* Gives the row a copy of a list, which it owns from then on. */
static void set_list(row_reader *r, const row_value *v, void *row, const unsigned char *from, uint32_t count) {
    const size_t size = (size_t)count * v->width * sizeof(float);
    void *at = (char *)row + v->offset;
    void *data = r->memory && count > 0 ? rill_memory_get(r->memory, size) : NULL;
    rill_need_memory(r, count == 0 || data);
    if (data) memcpy(data, from, size);
    if (v->param->type == RILL_TYPE_POINTS)
        *(rill_points *)at = (rill_points){data, data ? (int32_t)count : 0};
    else
        *(rill_numbers *)at = (rill_numbers){data, data ? (int32_t)count : 0};
}

static void set_text(row_reader *r, const chunk *c, const row_value *v, void *row, const unsigned char *from,
                     uint32_t count) {
    const size_t room = v->param->type == RILL_TYPE_FILE ? RILL_FILE_SIZE : RILL_NAME_SIZE;
    char text[RILL_FILE_SIZE] = {0};
    if (count >= room || memchr(from, 0, count)) {
        REFUSE(r, "the snapshot's '%s.%s' holds a text of %u bytes; at most %zu fit", c->name, v->name, count,
               room - 1);
        return;
    }
    memcpy(text, from, count);
    if (v->param->type != RILL_TYPE_CHOICE) {
        memcpy((char *)row + v->offset, text, room);
        return;
    }
    const int32_t choice = rill_choice_index(v->param->choices, text);
    if (choice < 0)
        REFUSE(r, "the snapshot's '%s.%s' is '%s', which this build of Rill does not know", c->name, v->name, text);
    else
        memcpy((char *)row + v->offset, &choice, sizeof choice);
}

static void get_lists(row_reader *r, const chunk *c, const row_value *v, const column *from, const row_set *rows) {
    const bool is_text = v->type == COLUMN_CHAR;
    const unsigned char *next = from->data + (size_t)rows->count * sizeof(uint32_t);
    for (int k = 0; k < rows->count && !r->status; k++) {
        uint32_t count;
        memcpy(&count, from->data + (size_t)k * sizeof count, sizeof count);
        if (count > INT32_MAX || (count > 0 && !rill_row_is_alive(rows, k)))
            REFUSE(r, "the snapshot's '%s.%s' is invalid in row %d", c->name, v->name, k);
        else if (is_text && rill_row_is_alive(rows, k))
            set_text(r, c, v, rill_row_or_beside(rows, v->beside, k), next, count);
        else if (rill_row_is_alive(rows, k))
            set_list(r, v, rill_row_or_beside(rows, v->beside, k), next, count);
        next += (size_t)count * v->width * column_scalar_size(v->type);
    }
}

static void check_table(row_reader *r, const chunk *c, const row_part *part, const row_set *rows) {
    for (int k = 0; k < rows->count && !r->status; k++) {
        rill_error reason = {0};
        if (!rill_row_is_alive(rows, k)) continue;
        const void *object = (const char *)rill_row_or_beside(rows, part->beside, k) + part->offset;
        if (rill_table_check(rill_part_table(part), object, &reason) != RILL_OK)
            REFUSE(r, "the snapshot's '%s' is invalid in row %d: %.300s", c->name, k, reason.text);
    }
}

void rill_get_part(row_reader *r, const chunk *c, const row_part *part, const row_set *rows) {
    const rill_table *table = rill_part_table(part);
    for (int k = 0; table && k < rows->count && !r->status; k++)
        if (rill_row_is_alive(rows, k))
            rill_table_defaults(table, (char *)rill_row_or_beside(rows, part->beside, k) + part->offset);
    for (int k = 0; k < rill_part_count(part) && !r->status; k++) {
        const row_value v = rill_part_value(part, k);
        column from;
        if (!rill_find_column(r, c, &v, &from)) continue;
        if (v.flags & COLUMN_LIST)
            get_lists(r, c, &v, &from, rows);
        else
            get_values(r, c, &v, &from, rows);
    }
    if (table) check_table(r, c, part, rows);
}

/* ---- unknown columns ---- */

static bool part_has(const row_part *part, const char *name) {
    for (int k = 0; k < rill_part_count(part); k++) {
        const row_value v = rill_part_value(part, k);
        if (strcmp(v.name, name) == 0) return true;
    }
    for (const char *const *d = part->dropped; d && *d; d++)
        if (strcmp(*d, name) == 0) return true;
    return false;
}

void rill_refuse_column(row_reader *r, const chunk *c, const column *unknown) {
    if (!(unknown->flags & COLUMN_OPTIONAL))
        REFUSE(r, "the snapshot has '%s.%s', which this build of Rill does not know and cannot go on without", c->name,
               unknown->name);
}

void rill_refuse_unknown(row_reader *r, const chunk *c, const row_part *parts, int count) {
    archive a = rill_archive_of(c->data, (size_t)c->bytes);
    while (!r->status && a.left > 0) {
        column found = {0};
        bool known = false;
        rill_archive_column(&a, &found, c->rows);
        for (int k = 0; k < count && !known; k++) known = part_has(&parts[k], found.name);
        if (!known) rill_refuse_column(r, c, &found);
    }
}

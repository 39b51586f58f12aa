/* SPDX-License-Identifier: MIT */
/* Heads of chunks and columns, and finding them by name. */
#include "api/chunk.h"

#include <string.h>

/* Everywhere else rows are counted in an int. */
#define ROWS_MAX INT32_MAX
/* Most scalars in a row of a column: far more than needed, and products with it do not overflow. */
#define WIDTH_MAX 65536

void rill_archive_chunk(archive *a, chunk *c) {
    rill_archive_name(a, c->name, sizeof c->name);
    rill_archive_u32(a, &c->flags);
    rill_archive_u64(a, &c->rows);
    rill_archive_u32(a, &c->columns);
    rill_archive_u64(a, &c->bytes);
    rill_archive_expect(a, c->rows <= ROWS_MAX && c->rows <= c->bytes); /* a row has at least one byte */
    if (a->mode == ARCHIVE_READ && a->ok) c->data = rill_archive_skip(a, c->bytes);
}

/* Number of elements in all rows of a list, or UINT64_MAX if the column is too short for the numbers themselves. */
static uint64_t list_elements(const column *c, uint64_t rows) {
    if (rows > c->bytes / sizeof(uint32_t)) return UINT64_MAX;
    uint64_t sum = 0;
    for (uint64_t k = 0; k < rows; k++) {
        uint32_t count;
        memcpy(&count, c->data + k * sizeof count, sizeof count);
        sum += count;
    }
    return sum;
}

static bool is_whole(const column *c, uint64_t rows) {
    const uint64_t each = (uint64_t)c->width * column_scalar_size(c->type);
    if (each == 0 || c->width > WIDTH_MAX) return false;
    if (!(c->flags & COLUMN_LIST)) return c->bytes == rows * each;
    const uint64_t elements = list_elements(c, rows);
    return elements <= c->bytes && c->bytes == rows * sizeof(uint32_t) + elements * each;
}

void rill_archive_column(archive *a, column *c, uint64_t rows) {
    rill_archive_name(a, c->name, sizeof c->name);
    rill_archive_u32(a, &c->type);
    rill_archive_u32(a, &c->width);
    rill_archive_u32(a, &c->flags);
    rill_archive_u64(a, &c->bytes);
    if (a->mode != ARCHIVE_READ || !a->ok) return;
    c->data = rill_archive_skip(a, c->bytes);
    rill_archive_expect(a, c->data && is_whole(c, rows));
}

static bool columns_are_sound(const chunk *c) {
    archive a = rill_archive_of(c->data, (size_t)c->bytes);
    for (uint32_t k = 0; a.ok && k < c->columns; k++) {
        column found = {0};
        rill_archive_column(&a, &found, c->rows);
    }
    return a.ok && a.left == 0;
}

bool rill_chunks_are_sound(const void *data, size_t size) {
    archive a = rill_archive_of(data, size);
    while (a.ok && a.left > 0) {
        chunk c = {0};
        rill_archive_chunk(&a, &c);
        if (a.ok && !columns_are_sound(&c)) return false;
    }
    return a.ok;
}

bool rill_chunk_find(const void *data, size_t size, const char *name, chunk *found) {
    archive a = rill_archive_of(data, size);
    while (a.ok && a.left > 0) {
        *found = (chunk){0};
        rill_archive_chunk(&a, found);
        if (a.ok && strcmp(found->name, name) == 0) return true;
    }
    return false;
}

bool rill_column_find(const chunk *c, const char *name, column *found) {
    archive a = rill_archive_of(c->data, (size_t)c->bytes);
    while (a.ok && a.left > 0) {
        *found = (column){0};
        rill_archive_column(&a, found, c->rows);
        if (a.ok && strcmp(found->name, name) == 0) return true;
    }
    return false;
}

/* SPDX-License-Identifier: MIT */
/* Scene -> JSON with every value written out, walking the same layout that the reader does. */
#include "core/error.h"
#include "scene/methods.h"
#include "scene/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    FILE *file;
    int dim, depth;
    bool first; /* nothing stands in the present bracket yet */
    bool short_of_memory;
} writer;

static void begin_entry(writer *w) {
    fprintf(w->file, "%s\n%*s", w->first ? "" : ",", 2 * w->depth, "");
    w->first = false;
}

static void open_bracket(writer *w, const char *key, char bracket) {
    begin_entry(w);
    if (key) fprintf(w->file, "\"%s\": ", key);
    fputc(bracket, w->file);
    w->depth++;
    w->first = true;
}

static void close_bracket(writer *w, char bracket) {
    w->depth--;
    if (!w->first) fprintf(w->file, "\n%*s", 2 * w->depth, "");
    fputc(bracket, w->file);
    w->first = false;
}

static void write_row(writer *w, const rill_param *param, const void *object) {
    char room[256];
    int length = rill_param_get_text(param, object, w->dim, room, sizeof room);
    begin_entry(w);
    if (length < (int)sizeof room) {
        fprintf(w->file, "\"%s\": %s", param->key, room);
        return;
    }
    char *text = malloc((size_t)length + 1);
    if (!text) {
        w->short_of_memory = true;
        return;
    }
    rill_param_get_text(param, object, w->dim, text, (size_t)length + 1);
    fprintf(w->file, "\"%s\": %s", param->key, text);
    free(text);
}

/* Rows that the reader would refuse here have no say in the world and are left out. */
static void write_part(writer *w, const layout_part *part, const void *base) {
    const void *object = (const char *)base + part->offset;
    for (int row = 0; row < part->table->count; row++) {
        const rill_param *param = &part->table->params[row];
        char why[120];
        if (!layout_has(part, param->key)) continue;
        if (!layout_refusal(part->table, param, object, w->dim, why, sizeof why)) write_row(w, param, object);
    }
}

static void write_shapes(writer *w, const layout_part *part, const void *base) {
    rill_parts parts;
    memcpy(&parts, (const char *)base + part->offset, sizeof parts);
    if (parts.count == 0) return;
    const layout_part inside = {.table = part->table};
    open_bracket(w, part->key, '[');
    for (int k = 0; k < parts.count; k++) {
        open_bracket(w, NULL, '{');
        write_part(w, &inside, &parts.data[k]);
        close_bracket(w, '}');
    }
    close_bracket(w, ']');
}

static void write_nested(writer *w, const layout_part *part, const void *base) {
    if (part->list) {
        write_shapes(w, part, base);
        return;
    }
    if (part->key) open_bracket(w, part->key, '{');
    write_part(w, part, base);
    if (part->key) close_bracket(w, '}');
}

static void write_methods(writer *w, const scene *s) {
    open_bracket(w, "methods", '{');
    for (int k = 0; k < s->method_count; k++) {
        layout_part part = {.key = s->methods[k].name, .table = rill_method_find(s->methods[k].name)->table};
        write_nested(w, &part, s->methods[k].params);
    }
    close_bracket(w, '}');
}

/* Only what is given: most items have no use for most methods. */
static void write_section(writer *w, const scene_section *section) {
    if (!section_gives_something(section)) return;
    open_bracket(w, section->values.name, '{');
    for (int row = 0; row < section->table->count; row++)
        if (section->values.given[row]) write_row(w, &section->table->params[row], section->values.params);
    close_bracket(w, '}');
}

static void write_list(writer *w, const scene *s, const layout_list *list) {
    open_bracket(w, list->key, '[');
    for (int k = 0; k < layout_count(s, list); k++) {
        open_bracket(w, NULL, '{');
        for (int part = 0; part < list->part_count; part++)
            write_nested(w, &list->parts[part], layout_item(s, list, k));
        for (const scene_section *own = sections_of(s, list, k); own; own = own->next) write_section(w, own);
        close_bracket(w, '}');
    }
    close_bracket(w, ']');
}

rill_status scene_write(const scene *s, FILE *file, rill_error *error) {
    writer w = {.file = file, .dim = s->world.dim, .depth = 1, .first = true};
    fputc('{', file);
    begin_entry(&w);
    fputs("\"about\": ", file);
    text_write_json(file, s->about ? s->about : "");
    for (int k = 0; k < LAYOUT_SECTION_COUNT; k++) {
        layout_part part = layout_section(k);
        write_nested(&w, &part, s);
    }
    write_methods(&w, s);
    for (int k = 0; k < LAYOUT_LIST_COUNT; k++) {
        layout_list list = layout_list_at(k);
        write_list(&w, s, &list);
    }
    fputs("\n}\n", file);
    if (w.short_of_memory) return rill_fail(error, RILL_MEMORY, "no memory to write the scene '%s'", s->name);
    if (ferror(file)) return rill_fail(error, RILL_IO, "the scene '%s' could not be written", s->name);
    return RILL_OK;
}

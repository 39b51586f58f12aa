/* SPDX-License-Identifier: MIT */
/* Writes a scene as JSON with every value given, following the layout that the reader uses. */
#include "core/error.h"
#include "io/io.h"
#include "io/json.h"
#include "scene/layout.h"
#include "scene/methods.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    json json;
    int dim;
    rill_vec origin; /* like the reader's */
    bool short_of_memory;
} writer;

static void open_bracket(writer *w, const char *key, char bracket) {
    (bracket == '{' ? rill_json_object : rill_json_array)(&w->json, key);
}

static void close_bracket(writer *w, char bracket) {
    (bracket == '}' ? rill_json_end_object : rill_json_end_array)(&w->json);
}

static bool has_origin(const writer *w) {
    return w->origin.x != 0.0f || w->origin.y != 0.0f || w->origin.z != 0.0f;
}

/* Writes a place in the coordinates of the scene. Bounds at an end of their range mean "none" and are not moved. */
static void write_place(writer *w, const char *key, const rill_param *param, const rill_vec *place) {
    rill_json_array(&w->json, key);
    for (int k = 0; k < w->dim; k++) {
        const double own = (double)(&place->x)[k];
        const bool none = own <= param->min || own >= param->max;
        char text[32];
        snprintf(text, sizeof text, "%.15g", none ? own : own + (double)(&w->origin.x)[k]);
        rill_json_raw(&w->json, NULL, text);
    }
    rill_json_end_array(&w->json);
}

static void write_places(writer *w, const rill_param *param, const rill_points *points) {
    rill_json_array(&w->json, param->key);
    for (int k = 0; k < points->count; k++) write_place(w, NULL, param, &points->data[k]);
    rill_json_end_array(&w->json);
}

static void write_row(writer *w, const rill_param *param, const void *object) {
    char room[256];
    if (param->place && has_origin(w)) {
        const void *member = (const char *)object + param->offset;
        if (param->type == RILL_TYPE_VEC)
            write_place(w, param->key, param, member);
        else
            write_places(w, param, member);
        return;
    }
    int length = rill_param_get_text(param, object, w->dim, room, sizeof room);
    if (length < (int)sizeof room) {
        rill_json_raw(&w->json, param->key, room);
        return;
    }
    char *text = malloc((size_t)length + 1);
    if (!text) {
        w->short_of_memory = true;
        return;
    }
    rill_param_get_text(param, object, w->dim, text, (size_t)length + 1);
    rill_json_raw(&w->json, param->key, text);
    free(text);
}

/* Leaves out rows that the reader would refuse here, since they do not affect the world. */
static void write_part(writer *w, const layout_part *part, const void *base) {
    const void *object = (const char *)base + part->offset;
    for (int row = 0; row < part->table->count; row++) {
        const rill_param *param = &part->table->params[row];
        char why[120];
        if (!rill_layout_has(part, param->key)) continue;
        if (!rill_layout_refusal(part->table, param, object, w->dim, why, sizeof why)) write_row(w, param, object);
    }
}

static void write_shapes(writer *w, const layout_part *part, const void *base) {
    rill_parts parts;
    memcpy(&parts, (const char *)base + part->offset, sizeof parts);
    if (parts.count == 0) return;
    const layout_part inside = {.table = part->table};
    const rill_vec origin = w->origin;
    w->origin = (rill_vec){0}; /* places of parts are relative to the position of the whole */
    open_bracket(w, part->key, '[');
    for (int k = 0; k < parts.count; k++) {
        open_bracket(w, NULL, '{');
        write_part(w, &inside, &parts.data[k]);
        close_bracket(w, '}');
    }
    close_bracket(w, ']');
    w->origin = origin;
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

/* Writes only the values that are given: most items give none for most methods. */
static void write_section(writer *w, const scene_section *section) {
    if (!rill_section_gives_something(section)) return;
    open_bracket(w, section->values.name, '{');
    for (int row = 0; row < section->table->count; row++)
        if (section->values.given[row]) write_row(w, &section->table->params[row], section->values.params);
    close_bracket(w, '}');
}

static void write_list(writer *w, const scene *s, const layout_list *list) {
    open_bracket(w, list->key, '[');
    for (int k = 0; k < rill_layout_count(s, list); k++) {
        open_bracket(w, NULL, '{');
        for (int part = 0; part < list->part_count; part++)
            write_nested(w, &list->parts[part], rill_layout_item(s, list, k));
        for (const scene_section *own = rill_sections_of(s, list, k); own; own = own->next) write_section(w, own);
        close_bracket(w, '}');
    }
    close_bracket(w, ']');
}

rill_status rill_scene_print(const scene *s, FILE *file, rill_error *error) {
    writer w = {.json = {.out = file}, .dim = s->world.dim, .origin = s->world.origin};
    open_bracket(&w, NULL, '{');
    rill_json_text(&w.json, "about", s->about ? s->about : "");
    for (int k = 0; k < LAYOUT_SECTION_COUNT; k++) {
        layout_part part = rill_layout_section(k);
        write_nested(&w, &part, s);
    }
    write_methods(&w, s);
    for (int k = 0; k < LAYOUT_LIST_COUNT; k++) {
        layout_list list = rill_layout_list_at(k);
        write_list(&w, s, &list);
    }
    close_bracket(&w, '}');
    if (w.short_of_memory) return rill_fail(error, RILL_MEMORY, "no memory to write the scene '%s'", s->name);
    if (ferror(file)) return rill_fail(error, RILL_IO, "the scene '%s' could not be written", s->name);
    return RILL_OK;
}

rill_status rill_scene_write(const rill_scene *s, rill_write_fn *write, void *context, rill_error *error) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    rill_status status = stream ? rill_scene_print(s, stream, error) : RILL_MEMORY;
    if (stream && fclose(stream) != 0) status = RILL_MEMORY;
    if (status == RILL_MEMORY) rill_fail(error, status, "no memory to write the scene '%s'", s->name);
    if (status == RILL_OK && !write(text, size, context))
        status = rill_fail(error, RILL_IO, "the scene '%s' could not be written", s->name);
    free(text);
    return status;
}

rill_status rill_scene_save(const rill_scene *s, const char *path, rill_error *error) {
    io_file file;
    TRY(rill_io_open(&file, path, error));
    const rill_status status = rill_scene_print(s, file.stream, error);
    if (status == RILL_OK) return rill_io_commit(&file, error);
    rill_io_abandon(&file);
    return rill_fail(error, status, "%s: could not be written: is the disk full?", path);
}

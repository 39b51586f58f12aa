/* SPDX-License-Identifier: MIT */
/* Parameters of methods that a scene gives. */
#include "scene/methods.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool rill_method_values_make(scene_method *values, const char *method, const rill_table *table) {
    snprintf(values->name, sizeof values->name, "%s", method);
    values->params = calloc(1, table->size ? table->size : 1);
    values->given = calloc((size_t)table->count + 1, sizeof *values->given);
    if (values->params) rill_table_defaults(table, values->params);
    return values->params && values->given;
}

void rill_method_values_free(scene_method *values) {
    free(values->params);
    free(values->given);
}

bool rill_sections_make(scene *s, const layout_list *list, int item_count) {
    if (!list->method_table) return true;
    if (!s->sections) s->sections = calloc(1, sizeof *s->sections);
    if (!s->sections) return false;
    s->sections->items[list->index] = calloc((size_t)item_count, sizeof(scene_section *));
    return s->sections->items[list->index] != NULL;
}

static void free_chain(scene_section *section) {
    while (section) {
        scene_section *next = section->next;
        rill_method_values_free(&section->values);
        free(section);
        section = next;
    }
}

void rill_sections_free(scene *s) {
    for (int k = 0; s->sections && k < LAYOUT_LIST_COUNT; k++) {
        const layout_list list = rill_layout_list_at(k);
        for (int item = 0; item < rill_layout_count(s, &list); item++) free_chain(rill_sections_of(s, &list, item));
        free(s->sections->items[k]);
    }
    free(s->sections);
}

scene_section **rill_sections_at(const scene *s, const layout_list *list, int item) {
    scene_section **items = s->sections ? s->sections->items[list->index] : NULL;
    return items ? &items[item] : NULL;
}

scene_section *rill_sections_of(const scene *s, const layout_list *list, int item) {
    scene_section **first = rill_sections_at(s, list, item);
    return first ? *first : NULL;
}

scene_section *rill_section_take(scene_section **first, const layout_part *part) {
    scene_section **end = first;
    for (; end && *end; end = &(*end)->next)
        if (!strcmp((*end)->values.name, part->key)) return *end;
    scene_section *section = end ? calloc(1, sizeof *section) : NULL;
    if (!section) return NULL;
    section->table = part->table;
    if (rill_method_values_make(&section->values, part->key, part->table)) return *end = section;
    free_chain(section);
    return NULL;
}

bool rill_section_gives_something(const scene_section *section) {
    for (int row = 0; row < section->table->count; row++)
        if (section->values.given[row]) return true;
    return false;
}

/* SPDX-License-Identifier: MIT */
/* Values that a scene gives for methods: for the method as a whole, and for what a method adds to items of lists. */
#ifndef RILL_SCENE_METHODS_H
#define RILL_SCENE_METHODS_H

#include "scene/layout.h"

/* Defaults, and nothing given; false without memory. */
bool rill_method_values_make(scene_method *values, const char *method, const rill_table *table);
void rill_method_values_free(scene_method *values);

/* The values of an item for one method, under the method's name. */
typedef struct scene_section {
    scene_method values;
    const rill_table *table;
    tree_mark mark;
    struct scene_section *next; /* of the same item */
} scene_section;

/* The sections of all items: for each list NULL, or the first section of each item. */
struct scene_sections {
    scene_section **items[LAYOUT_LIST_COUNT];
};

/* Room for the sections of a list's items, if it has any; false without memory. */
bool rill_sections_make(scene *s, const layout_list *list, int item_count);
void rill_sections_free(scene *s);
/* Where the first section of an item is kept; NULL: its list has no room for any. */
scene_section **rill_sections_at(const scene *s, const layout_list *list, int item);
/* The first section of an item, or NULL. */
scene_section *rill_sections_of(const scene *s, const layout_list *list, int item);
/* The section that a part stands for, a new one at the end if there is none yet; NULL without memory. */
scene_section *rill_section_take(scene_section **first, const layout_part *part);
bool rill_section_gives_something(const scene_section *section);

#endif

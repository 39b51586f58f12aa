/* SPDX-License-Identifier: MIT */
/* Parameters of methods that a scene gives: for a method as a whole, and those that a method adds to items of lists. */
#ifndef RILL_SCENE_METHODS_H
#define RILL_SCENE_METHODS_H

#include "scene/layout.h"

/* Makes default values, none of them given; false if out of memory. */
bool rill_method_values_make(scene_method *values, const char *method, const rill_table *table);
void rill_method_values_free(scene_method *values);

/* The parameters of one item for one method, from the object with the method's name. */
typedef struct scene_section {
    scene_method values;
    const rill_table *table;
    tree_mark mark;
    struct scene_section *next; /* of the same item */
} scene_section;

/* The sections of all items: for each list NULL, or an array with the first section of each item. */
struct scene_sections {
    scene_section **items[LAYOUT_LIST_COUNT];
};

/* Allocates the sections of a list's items, if methods add any; false if out of memory. */
bool rill_sections_make(scene *s, const layout_list *list, int item_count);
void rill_sections_free(scene *s);
/* The place of the pointer to an item's first section; NULL if methods add nothing to its list. */
scene_section **rill_sections_at(const scene *s, const layout_list *list, int item);
/* The first section of an item, or NULL. */
scene_section *rill_sections_of(const scene *s, const layout_list *list, int item);
/* The section of a part, which is appended if there is none yet; NULL if out of memory. */
scene_section *rill_section_take(scene_section **first, const layout_part *part);
bool rill_section_gives_something(const scene_section *section);

#endif

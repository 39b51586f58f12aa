/* SPDX-License-Identifier: MIT */
/* The structure of a scene document, defined in one place: which table belongs where. Reader, writer, --set and schema
   follow it. */
#ifndef RILL_SCENE_LAYOUT_H
#define RILL_SCENE_LAYOUT_H

#include "scene/scene.h"
#include "scene/tree.h"

/* A table and its place in an object. */
typedef struct layout_part {
    const char
        *key; /* NULL: its keys are among the object's own; otherwise they are in a nested object with this key */
    const rill_table *table;
    size_t offset;    /* of the table's struct within the object */
    const char *only; /* "a|b": only these rows; NULL: all rows */
    const char *skip; /* "a|b": all rows but these */
    bool list;        /* the nested key holds a list of such objects, and `offset` is that of a rill_parts */
    bool section;     /* parameters that the method named by the key adds; stored in a section of the item */
} layout_part;

#define LAYOUT_MAX_PARTS 4

typedef struct layout_list {
    const char *key;  /* "solids" */
    const char *noun; /* "solid" */
    const char *doc;
    size_t items, count, item_size; /* offsets of pointer and count in `scene`, and the size of an item */
    layout_part parts[LAYOUT_MAX_PARTS];
    int part_count;
    const char *required; /* keys that every item must give */
    bool material;        /* an item may start from a named material */
    size_t method_table;  /* offset in rill_method_info of the table that methods add to an item; 0: none */
    int index;            /* LAYOUT_FLUIDS, ... */
} layout_list;

#define LAYOUT_MATERIAL_KEY "material"
/* The message that refuses a section, with the names of the method and of the list. */
#define LAYOUT_NO_SECTION "the method '%s' has no parameters for %s"

enum {
    LAYOUT_FLUIDS,
    LAYOUT_BLOCKS,
    LAYOUT_SOLIDS,
    LAYOUT_BODIES,
    LAYOUT_JOINTS,
    LAYOUT_EMITTERS,
    LAYOUT_SINKS,
    LAYOUT_GROUPS,
    LAYOUT_AREAS,
    LAYOUT_CLOTHS,
    LAYOUT_PINS,
    LAYOUT_GAUGES,
    LAYOUT_PAINTS,
    LAYOUT_EVENTS,
    LAYOUT_LIST_COUNT
};
/* LAYOUT_ROOT: the rows of the world that are not in any section. */
enum { LAYOUT_ROOT, LAYOUT_WORLD, LAYOUT_RUN, LAYOUT_PICTURE, LAYOUT_SURFACE, LAYOUT_SECTION_COUNT };

layout_list rill_layout_list_at(int list);
layout_part rill_layout_section(int section);
/* The parts of a list's items, followed by the sections that methods add. free() them; NULL if out of memory. */
layout_part *rill_layout_item_parts(const layout_list *list, int *count);
/* The table that a method adds to the list's items, or NULL. */
const rill_table *rill_layout_method_table(const layout_list *list, const rill_method_info *method);
/* "name|dim|..." for the keys at the top level of a document. */
extern const char rill_layout_root_keys[];

/* Offset of an item's shape; 0 if items have none. */
size_t rill_layout_shape_offset(const layout_list *list);

/* The row of a key that is not in a nested object, or NULL; `part` receives the number of its part. */
const rill_param *rill_layout_find(const layout_part *parts, int part_count, const char *key, int *part);
bool rill_layout_has(const layout_part *part, const char *key);
/* All keys of an object as "a|b|c", including nested objects and `extra` (may be NULL). free() it. */
char *rill_layout_keys(const layout_part *parts, int part_count, const char *extra);

/* Why a row does not apply here: it belongs to another choice ("radius" of a box) or to the other dimension. NULL if it
   applies. */
const char *rill_layout_refusal(const rill_table *table, const rill_param *param, const void *object, int dim,
                                char *buffer, size_t size);
/* Keys that the object's choice requires, as "a|b" or NULL; `choice` receives its name. */
const char *rill_layout_required(const rill_table *table, const void *object, char *choice, size_t size);

/* The rules themselves, for schema and tests. */
typedef struct layout_rule {
    const char *table;    /* "shape" */
    const char *key;      /* of the choice row */
    const char *choice;   /* "box" */
    const char *keys;     /* rows that belong to this choice; rows in no rule belong to all choices */
    const char *required; /* rows that this choice requires, or NULL */
} layout_rule;
typedef struct layout_dim_rule {
    const char *table, *keys;
    int dim; /* these rows apply in this dimension only */
} layout_dim_rule;
extern const layout_rule rill_layout_rules[];
extern const int rill_layout_rule_count;
extern const layout_dim_rule rill_layout_dim_rules[];
extern const int rill_layout_dim_rule_count;

/* The items of a list of the scene, their number, and one of them. */
void *rill_layout_items(const scene *s, const layout_list *list);
int rill_layout_count(const scene *s, const layout_list *list);
void *rill_layout_item(const scene *s, const layout_list *list, int index);
void rill_layout_set_items(scene *s, const layout_list *list, void *items, int count);

/* Names of the items as "a|b|c"; empty if they have none. free() it. */
char *rill_layout_names(const scene *s, const layout_list *list);

/* True if `key` is one of "a|b|c"; `list` may be NULL. */
bool rill_layout_listed(const char *list, const char *key);
/* Copies name number `index` of "a|b|c" into `buffer`; false if there are fewer. */
bool rill_layout_name_at(const char *list, int index, char *buffer, size_t size);
/* Writes "a, b or c" for "a|b|c". Returns `buffer`. */
const char *rill_layout_spell(const char *list, char *buffer, size_t size);

/* The marks of objects in the file, for errors that only appear when the world is built. */
typedef struct scene_marks {
    tree_mark world, method;
    tree_mark *items[LAYOUT_LIST_COUNT];
} scene_marks;

#endif

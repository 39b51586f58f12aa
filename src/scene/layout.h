/* SPDX-License-Identifier: MIT */
/* The shape of a scene document, written once: which table stands where. Reader, writer, --set and schema walk it. */
#ifndef RILL_SCENE_LAYOUT_H
#define RILL_SCENE_LAYOUT_H

#include "scene/scene.h"
#include "scene/tree.h"

/* A table with its place in an object. */
typedef struct layout_part {
    const char *key; /* NULL: its keys stand among the others; otherwise in an object of their own under this key */
    const rill_table *table;
    size_t offset;    /* of the table's struct in the object */
    const char *only; /* "a|b": these rows and no others; NULL: all */
    const char *skip; /* "a|b": all rows but these */
    bool list;        /* under its key stands a list of such objects, and at its offset a rill_parts */
    bool section;     /* what the method of this key adds: not in the object, but in a section of the item */
} layout_part;

#define LAYOUT_MAX_PARTS 4

typedef struct layout_list {
    const char *key;  /* "solids" */
    const char *noun; /* "solid" */
    const char *doc;
    size_t items, count, item_size; /* offsets of pointer and count in `scene` */
    layout_part parts[LAYOUT_MAX_PARTS];
    int part_count;
    const char *required; /* keys that every item gives */
    bool material;        /* an item may begin as a named material */
    size_t method_table;  /* offset in rill_method_info of the table that methods add to an item; 0: none */
    int index;            /* LAYOUT_FLUIDS, ... */
} layout_list;

#define LAYOUT_MATERIAL_KEY "material"
/* The refusal of a section, with the names of method and object. */
#define LAYOUT_NO_SECTION "the method '%s' adds nothing to a %s"

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
/* Root: the world's rows that stand outside every section. */
enum { LAYOUT_ROOT, LAYOUT_WORLD, LAYOUT_RUN, LAYOUT_PICTURE, LAYOUT_SURFACE, LAYOUT_SECTION_COUNT };

layout_list rill_layout_list_at(int list);
layout_part rill_layout_section(int section);
/* The parts of a list's items, and after them the sections that methods add. free() them; NULL without memory. */
layout_part *rill_layout_item_parts(const layout_list *list, int *count);
/* The table that a method adds to the list's items, or NULL. */
const rill_table *rill_layout_method_table(const layout_list *list, const rill_method_info *method);
/* "name|dim|..." of the keys at the top of a document. */
extern const char rill_layout_root_keys[];

/* Where a list's items keep their shape; 0: they have none. */
size_t rill_layout_shape_offset(const layout_list *list);

/* Row behind a key that stands inline, NULL if none; `part` says whose it is. */
const rill_param *rill_layout_find(const layout_part *parts, int part_count, const char *key, int *part);
bool rill_layout_has(const layout_part *part, const char *key);
/* All keys of an object as "a|b|c", nested sections and `extra` (may be NULL) included. free() it. */
char *rill_layout_keys(const layout_part *parts, int part_count, const char *extra);

/* Why a row does not count here, or NULL: it belongs to another choice ("radius" on a box) or the other dimension. */
const char *rill_layout_refusal(const rill_table *table, const rill_param *param, const void *object, int dim,
                                char *buffer, size_t size);
/* Keys that the object's present choice cannot do without, "a|b" or NULL, and the choice's name. */
const char *rill_layout_required(const rill_table *table, const void *object, char *choice, size_t size);

/* Rules as they are written, for schema and tests. */
typedef struct layout_rule {
    const char *table;    /* "shape" */
    const char *key;      /* of the choice row */
    const char *choice;   /* "box" */
    const char *keys;     /* rows that belong to this choice; a row in no rule belongs to all */
    const char *required; /* rows it cannot do without, or NULL */
} layout_rule;
typedef struct layout_dim_rule {
    const char *table, *keys;
    int dim; /* the only dimension in which these rows apply */
} layout_dim_rule;
extern const layout_rule rill_layout_rules[];
extern const int rill_layout_rule_count;
extern const layout_dim_rule rill_layout_dim_rules[];
extern const int rill_layout_dim_rule_count;

/* Items of a list of the scene. */
void *rill_layout_items(const scene *s, const layout_list *list);
int rill_layout_count(const scene *s, const layout_list *list);
void *rill_layout_item(const scene *s, const layout_list *list, int index);
void rill_layout_set_items(scene *s, const layout_list *list, void *items, int count);

/* Names of the items as "a|b|c"; empty for a list whose items have none. free() it. */
char *rill_layout_names(const scene *s, const layout_list *list);

/* True if `key` is one of "a|b|c"; `list` may be NULL. */
bool rill_layout_listed(const char *list, const char *key);
/* Copies the k-th name of "a|b|c" into `buffer`; false past the end. */
bool rill_layout_name_at(const char *list, int index, char *buffer, size_t size);
/* "a, b or c" out of "a|b|c". Returns `buffer`. */
const char *rill_layout_spell(const char *list, char *buffer, size_t size);

/* Where objects stand in the file, for errors that show only when the world is built. */
typedef struct scene_marks {
    tree_mark world, method;
    tree_mark *items[LAYOUT_LIST_COUNT];
} scene_marks;

#endif

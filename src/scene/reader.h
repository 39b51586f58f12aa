/* SPDX-License-Identifier: MIT */
/* Reads objects from a tree by their tables. Messages name file, line, column and key. */
#ifndef RILL_SCENE_READER_H
#define RILL_SCENE_READER_H

#include "scene/layout.h"
#include "scene/tree.h"

typedef struct reader {
    const char *label; /* file name, or "--set" */
    const tree *tree;
    int dim;                /* number of components of vectors */
    rill_vec origin;        /* origin of places; 0 while reading places that are not relative to the scene's origin */
    bool strict;            /* texts must be in quotes */
    const scene *variables; /* the scene whose variables may be used in texts that begin with '='; NULL: none */
    struct scene_section **sections; /* of the item being read: the place of the pointer to its first section */
    char path[160];
    rill_error *error;
} reader;

/* Appends to the path and returns its previous length, to which `rill_reader_leave` returns. */
size_t rill_reader_enter(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rill_reader_leave(reader *r, size_t length);
rill_status rill_reader_fail(const reader *r, tree_mark mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets the member of `object` that `param` describes. A list is allocated; free it with `rill_reader_free_list`. */
rill_status rill_reader_value(reader *r, const tree_node *node, const rill_param *param, void *object);
/* Reads all keys of an object into `base` by the tables of its parts. `extra` ("a|b" or NULL) lists keys that the
   caller reads. The keys in `required`, and those that the object's choices require, must be given. */
rill_status rill_reader_object(reader *r, const tree_node *node, const layout_part *parts, int part_count, void *base,
                               const char *extra, const char *required);
/* Reads an object by one table, and records which rows it gives. */
rill_status rill_reader_method(reader *r, const tree_node *node, const rill_table *table, scene_method *values);
/* Reports an unknown key and the nearest of the known keys "a|b|c". */
rill_status rill_reader_unknown(const reader *r, tree_mark mark, const char *what, const char *name, const char *known);
/* Checks that every key is one of `known` ("a|b|c") and none is repeated. */
rill_status rill_reader_keys(reader *r, const tree_node *node, const char *known);
rill_status rill_reader_expect(const reader *r, const tree_node *node, tree_kind kind, const char *expected);
/* Makes a scene from the object `root` of a tree, whichever parser made the tree, as rill_scene_parse does from a text.
   `sets` as in rill_scene_load_with, or NULL. */
scene *rill_scene_read_tree(const char *label, const tree *t, int root, const scene_sets *sets, rill_error *error);
scene *rill_scene_parse_with(const char *label, const char *text, size_t size, const scene_sets *sets,
                             rill_error *error);
/* Makes the default places of an object relative to the reader's origin, like the places that are read. */
void rill_reader_move_defaults(const reader *r, const rill_table *table, void *object);
/* Frees the list in a member; does nothing if it is not a list. */
void rill_reader_free_list(const rill_param *param, void *object);

#endif

/* SPDX-License-Identifier: MIT */
/* Reading objects out of a tree by their tables, with messages that know file, line, column and key. */
#ifndef RILL_SCENE_READER_H
#define RILL_SCENE_READER_H

#include "scene/layout.h"
#include "scene/tree.h"

typedef struct reader {
    const char *label; /* file name, or "--set" */
    const tree *tree;
    int dim;                /* of every vector */
    rill_vec origin;        /* that places are measured from; 0 while those are read that are not the scene's */
    bool strict;            /* texts need quotes */
    const scene *variables; /* the scene whose variables texts that begin with '=' may use; NULL: none */
    struct scene_section **sections; /* of the item that is read: where the first one is kept */
    char path[160];
    rill_error *error;
} reader;

/* Adds to the path and returns its length before; `rill_reader_leave` goes back to it. */
size_t rill_reader_enter(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void rill_reader_leave(reader *r, size_t length);
rill_status rill_reader_fail(const reader *r, tree_mark mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets the member of `object` behind `param`. A list is allocated: `rill_reader_free_list` frees it. */
rill_status rill_reader_value(reader *r, const tree_node *node, const rill_param *param, void *object);
/* Reads all keys of an object into `base` by the tables of its parts. `extra` ("a|b" or NULL) are keys that the caller
   reads; `required` must be there, as must what the object's choices ask for. */
rill_status rill_reader_object(reader *r, const tree_node *node, const layout_part *parts, int part_count, void *base,
                               const char *extra, const char *required);
/* Reads an object by one table, and notes which rows it gives. */
rill_status rill_reader_method(reader *r, const tree_node *node, const rill_table *table, scene_method *values);
/* An error naming the known key nearest to an unknown one, out of "a|b|c". */
rill_status rill_reader_unknown(const reader *r, tree_mark mark, const char *what, const char *name, const char *known);
/* Every key known (in "a|b|c") and none twice. */
rill_status rill_reader_keys(reader *r, const tree_node *node, const char *known);
rill_status rill_reader_expect(const reader *r, const tree_node *node, tree_kind kind, const char *expected);
/* A scene out of the object `root` of a tree, whichever parser it comes from: what rill_scene_parse does with a text.
   `sets` as in rill_scene_load_with, or NULL. */
scene *rill_scene_read_tree(const char *label, const tree *t, int root, const scene_sets *sets, rill_error *error);
scene *rill_scene_parse_with(const char *label, const char *text, size_t size, const scene_sets *sets,
                             rill_error *error);
/* Measures the places of an object that has its defaults from the reader's origin, as those will be that are read. */
void rill_reader_move_defaults(const reader *r, const rill_table *table, void *object);
/* Does nothing to a member that is no list. */
void rill_reader_free_list(const rill_param *param, void *object);

#endif

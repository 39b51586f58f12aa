/* SPDX-License-Identifier: MIT */
/* JSON with comments as a tree of nodes, each with its position in the text. The scene reader uses nothing but this
   tree. rill_tree_parse builds it with rill_tree_add. In tree_yaml.c libyaml splits the text into tokens with marks,
   and the grammar is JSON's, so that YAML's own features (anchors, tags, bare words, block style) are not accepted.
   Builds without libyaml (RILL_WITHOUT_YAML) use tree_json.c. */
#ifndef RILL_SCENE_TREE_H
#define RILL_SCENE_TREE_H

#include "rill/base.h"

#define TREE_MAX_BYTES  (4u << 20)
#define TREE_MAX_DEPTH  16
#define TREE_MAX_VALUES 200000
#define TREE_NONE       (-1)

typedef struct tree_mark {
    int line, column; /* from 1; line 0: not in a file */
} tree_mark;

typedef enum tree_kind {
    TREE_OBJECT,
    TREE_LIST,
    TREE_STRING, /* in double quotes */
    TREE_PLAIN   /* number, true, false, null, or a bare word that the reader refuses */
} tree_kind;

typedef struct tree_node {
    tree_kind kind;
    tree_mark mark, key_mark;
    char *text;      /* of a string or plain value */
    char *key;       /* in an object */
    int first, last; /* children, as indices */
    int next;        /* next sibling */
    int count;       /* number of children */
    int depth;       /* number of enclosing brackets */
} tree_node;

/* Node 0 is the root. */
typedef struct tree {
    tree_node *nodes;
    int count, capacity;
} tree;

/* Parses a text. `strict`: a JSON document with comments; otherwise a single value from a command line, in which texts
   need no quotes. `label` starts the message, as in "FILE:LINE:COLUMN: what is wrong; what was expected". */
rill_status rill_tree_parse(tree *t, const char *label, const char *text, size_t size, bool strict, rill_error *error);
/* Like rill_tree_parse, but always with the parser in tree_json.c. */
rill_status rill_tree_parse_json(tree *t, const char *label, const char *text, size_t size, bool strict,
                                 rill_error *error);
void rill_tree_free(tree *t);

/* A text and its position; it need not end in a zero. */
typedef struct tree_text {
    const char *data;
    size_t size;
    tree_mark mark;
} tree_text;
/* Adds a value after the others in `parent` (TREE_NONE: the root, which comes first); texts are copied. `key` is NULL
   in lists and at the root; `value` has no data for objects and lists. Refuses values that no scene may contain,
   whatever the parser accepts. */
rill_status rill_tree_add(tree *t, int parent, const tree_text *key, tree_kind kind, tree_text value, int *index,
                          const char *label, rill_error *error);

/* The member of an object with this key, or NULL. */
const tree_node *rill_tree_member(const tree *t, const tree_node *object, const char *key);
/* The name of a node in a message: "an object", "a list", "the text 'abc'", "3". Returns `buffer`. */
const char *rill_tree_describe(const tree_node *node, char *buffer, size_t size);

/* Writes a message that starts with "LABEL:LINE:COLUMN: PATH: ", as far as they are known. */
rill_status rill_tree_fail(rill_error *error, const char *label, tree_mark mark, const char *path, const char *format,
                           ...) __attribute__((format(printf, 5, 6)));

/* Replaces comments by blanks and refuses characters that JSON does not allow. Lines and columns do not change
   (clean.c). free() `clean`. */
rill_status rill_tree_clean(const char *label, const char *text, size_t size, char **clean, size_t *clean_size,
                            rill_error *error);

#endif

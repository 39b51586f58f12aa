/* SPDX-License-Identifier: MIT */
/* JSON with comments as a tree of nodes that know their place. libyaml cuts the text into tokens with marks; the
   grammar on top is JSON's, so that none of YAML's further inventions (anchors, tags, bare words, block style) gets in.
 */
#ifndef RILL_SCENE_TREE_H
#define RILL_SCENE_TREE_H

#include "rill/base.h"

#define TREE_MAX_BYTES  (4u << 20)
#define TREE_MAX_DEPTH  16
#define TREE_MAX_VALUES 200000
#define TREE_NONE       (-1)

typedef struct tree_mark {
    int line, column; /* from 1; line 0: not from a file */
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
    char *text; /* of a string or plain value */
    char *key;  /* if it stands in an object */
    int first;  /* child */
    int next;   /* sibling */
    int count;  /* children */
} tree_node;

/* Node 0 is the root. */
typedef struct tree {
    tree_node *nodes;
    int count, capacity;
} tree;

/* `strict` asks for a JSON document with comments; otherwise one value of a command line, where texts need no quotes.
   `label` starts the message, as in "FILE:LINE:COLUMN: what is wrong; what was expected". */
rill_status tree_parse(tree *t, const char *label, const char *text, size_t size, bool strict, rill_error *error);
void tree_free(tree *t);
/* The child of an object with this key, or NULL. */
const tree_node *tree_member(const tree *t, const tree_node *object, const char *key);
/* "an object", "a list", "the text 'abc'", "3": what a message calls a node. Returns `buffer`. */
const char *tree_describe(const tree_node *node, char *buffer, size_t size);

/* Starts a message with "LABEL:LINE:COLUMN: PATH: ", as far as they are known, and ends it like printf. */
rill_status tree_fail(rill_error *error, const char *label, tree_mark mark, const char *path, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Blanks comments and refuses what no JSON text holds, keeping every line and column (clean.c). free() `clean`. */
rill_status tree_clean(const char *label, const char *text, size_t size, char **clean, size_t *clean_size,
                       rill_error *error);

#endif

/* SPDX-License-Identifier: MIT */
/* JSON with comments as a tree of nodes that know their place. The scene reader sees nothing but this tree; the parser
   that grows it with rill_tree_add is whatever file defines rill_tree_parse. That is tree_yaml.c: libyaml cuts the
   text into tokens with marks; the grammar on top is JSON's, so that none of YAML's further inventions (anchors, tags,
   bare words, block style) gets in. Where there is no libyaml (RILL_WITHOUT_YAML) it is tree_json.c. */
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
    char *text;      /* of a string or plain value */
    char *key;       /* if it stands in an object */
    int first, last; /* children */
    int next;        /* sibling */
    int count;       /* children */
    int depth;       /* brackets around it */
} tree_node;

/* Node 0 is the root. */
typedef struct tree {
    tree_node *nodes;
    int count, capacity;
} tree;

/* `strict` asks for a JSON document with comments; otherwise one value of a command line, where texts need no quotes.
   `label` starts the message, as in "FILE:LINE:COLUMN: what is wrong; what was expected". */
rill_status rill_tree_parse(tree *t, const char *label, const char *text, size_t size, bool strict, rill_error *error);
/* The same by tree_json.c, whichever is behind rill_tree_parse. */
rill_status rill_tree_parse_json(tree *t, const char *label, const char *text, size_t size, bool strict,
                                 rill_error *error);
void rill_tree_free(tree *t);

/* A text of any origin and where it stands; it need not end in a zero. */
typedef struct tree_text {
    const char *data;
    size_t size;
    tree_mark mark;
} tree_text;
/* Adds a value behind those that stand in `parent` (TREE_NONE: the root, which comes first); texts are copied. `key` is
   NULL in lists and at the root; `value` has no data in objects and lists. Refuses what no scene may hold, whatever the
   parser lets through. */
rill_status rill_tree_add(tree *t, int parent, const tree_text *key, tree_kind kind, tree_text value, int *index,
                          const char *label, rill_error *error);

/* The child of an object with this key, or NULL. */
const tree_node *rill_tree_member(const tree *t, const tree_node *object, const char *key);
/* "an object", "a list", "the text 'abc'", "3": what a message calls a node. Returns `buffer`. */
const char *rill_tree_describe(const tree_node *node, char *buffer, size_t size);

/* Starts a message with "LABEL:LINE:COLUMN: PATH: ", as far as they are known, and ends it like printf. */
rill_status rill_tree_fail(rill_error *error, const char *label, tree_mark mark, const char *path, const char *format,
                           ...) __attribute__((format(printf, 5, 6)));

/* Blanks comments and refuses what no JSON text holds, keeping every line and column (clean.c). free() `clean`. */
rill_status rill_tree_clean(const char *label, const char *text, size_t size, char **clean, size_t *clean_size,
                            rill_error *error);

#endif

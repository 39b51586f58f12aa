/* SPDX-License-Identifier: MIT */
/* The two parsers behind the tree agree: every scene gives the same tree with the same marks, and both refuse the same
   texts. */
#include "scene/scene_test.h"
#include "scene/tree.h"

#include <dirent.h>

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && !strcmp(a, b));
}

static void assert_same_trees(const tree *a, const tree *b, const char *path) {
    assert_int_equal(a->count, b->count);
    for (int k = 0; k < a->count; k++) {
        const tree_node *x = &a->nodes[k], *y = &b->nodes[k];
        if (x->kind != y->kind || !same_text(x->text, y->text) || !same_text(x->key, y->key) || x->next != y->next ||
            x->first != y->first || x->mark.line != y->mark.line || x->mark.column != y->mark.column)
            fail_msg("%s:%d:%d: the parsers differ (%d:%d)", path, x->mark.line, x->mark.column, y->mark.line,
                     y->mark.column);
    }
}

/* Returns the number of files; `read` counts those that were read. */
static int compare_folder(const char *folder, int *read) {
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        char path[1024];
        size_t size;
        if (!strstr(entry->d_name, ".json")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        char *text = file_text(path, &size);
        tree by_yaml, by_json;
        rill_error error = {0};
        const rill_status one = rill_tree_parse(&by_yaml, path, text, size, true, &error);
        const rill_status other = rill_tree_parse_json(&by_json, path, text, size, true, &error);
        if ((one == RILL_OK) != (other == RILL_OK)) fail_msg("%s: only one parser refuses it: %s", path, error.text);
        if (one == RILL_OK) assert_same_trees(&by_yaml, &by_json, path), (*read)++;
        rill_tree_free(&by_yaml);
        rill_tree_free(&by_json);
        free(text);
        count++;
    }
    closedir(entries);
    return count;
}

static void scenes_give_the_same_trees(void **state) {
    (void)state;
    int read = 0;
    const int count = compare_folder(RILL_SOURCE_DIR "/scenes", &read);
    assert_true(count > 30);
    assert_int_equal(read, count);
}

static void bad_scenes_are_refused_by_both(void **state) {
    (void)state;
    int read = 0;
    const int count = compare_folder(RILL_SOURCE_DIR "/test/scene/bad", &read);
    assert_true(count > 10);
    assert_true(read < count);
}

static void letters(void **state) {
    (void)state;
    static const struct {
        const char *text, *value; /* NULL: refused */
    } cases[] = {
        {"{\"a\": \"\\u00e9\\n\\\"\\\\\"}", "\xC3\xA9\n\"\\"},
        {"{\"a\": \"\xE2\x82\xAC\"}", "\xE2\x82\xAC"},
        {"{\"a\": \"\\ud83d\\ude00\"}", "\xF0\x9F\x98\x80"},
        {"{\"a\": \"\xE2\x80\xA8\"}", "\xE2\x80\xA8"},
        {"{\"a\": \"\\ud83d\"}", NULL},
        {"{\"a\": \"\xC3\"}", NULL},
        {"{\"a\": \"\xFF\"}", NULL},
        {"{\"a\": \"\xC0\xAF\"}", NULL},
        {"{\"a\": \"\\u00\"}", NULL},
        {"{\"a\": \"\\q\"}", NULL},
        {"{\"a\": \"\\u0000\"}", NULL},
        {"{\"a\": \"x}", NULL},
        {"{\"a\": \"\x01\"}", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tree t;
        const rill_status status = rill_tree_parse_json(&t, "t", cases[k].text, strlen(cases[k].text), true, NULL);
        if ((status == RILL_OK) != (cases[k].value != NULL)) fail_msg("case %zu: %s", k, cases[k].text);
        if (status == RILL_OK) assert_string_equal(t.nodes[1].text, cases[k].value);
        rill_tree_free(&t);
    }
}

/* Every text that is cut short or nested too deeply is refused, and nothing is read past its end. */
static void broken_texts(void **state) {
    (void)state;
    static const char text[] = "{\"a\": [1, {\"b\": \"c\\u00e9\"}, true], \"d\": -1.5e3} ";
    for (size_t size = 0; size + 3 < sizeof text; size++) {
        char *copy = malloc(size + 1);
        memcpy(copy, text, size);
        tree t;
        assert_int_not_equal(rill_tree_parse_json(&t, "t", copy, size, true, NULL), RILL_OK);
        free(copy);
    }
    char deep[200] = "{\"a\": ";
    memset(deep + 6, '[', 100);
    tree t;
    assert_int_not_equal(rill_tree_parse_json(&t, "t", deep, 106, true, NULL), RILL_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_give_the_same_trees),
        cmocka_unit_test(bad_scenes_are_refused_by_both),
        cmocka_unit_test(letters),
        cmocka_unit_test(broken_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The JSON Schema holds every key of every table, and the layout's rules name rows that exist. */
#include "scene/layout.h"
#include "scene/scene_test.h"

static tree schema;

static int setup(void **state) {
    (void)state;
    char *text = NULL;
    size_t size = 0;
    rill_error error = {0};
    FILE *stream = open_memstream(&text, &size);
    if (!stream || rill_scene_write_schema(stream, &error)) return -1;
    fclose(stream);
    /* It is JSON itself, so that the parser of scenes reads it. */
    rill_status status = rill_tree_parse(&schema, "schema", text, size, true, &error);
    if (status) print_error("%s\n", error.text);
    free(text);
    return status ? -1 : 0;
}

static int teardown(void **state) {
    (void)state;
    rill_tree_free(&schema);
    return 0;
}

/* The member at a path of keys. */
static const tree_node *at(const tree_node *node, const char *path) {
    char key[RILL_NAME_SIZE];
    for (int k = 0; rill_layout_name_at(path, k, key, sizeof key); k++) {
        const tree_node *next = rill_tree_member(&schema, node, key);
        if (!next) fail_msg("the schema has no '%s' on the way '%s'", key, path);
        node = next;
    }
    return node;
}

static void assert_rows(const tree_node *object, const layout_part *part) {
    assert_string_equal(at(object, "additionalProperties")->text, "false");
    for (int row = 0; row < part->table->count; row++) {
        const rill_param *param = &part->table->params[row];
        if (!rill_layout_has(part, param->key)) continue;
        const tree_node *property = at(at(object, "properties"), param->key);
        assert_int_equal(strncmp(at(property, "description")->text, param->doc, strlen(param->doc)), 0);
        assert_non_null(at(property, "default"));
        char first[RILL_NAME_SIZE];
        if (param->type == RILL_TYPE_CHOICE && rill_layout_name_at(param->choices, 0, first, sizeof first))
            assert_string_equal(schema.nodes[at(property, "enum")->first].text, first);
    }
}

static void sections_and_lists_are_there(void **state) {
    (void)state;
    const tree_node *root = &schema.nodes[0], *properties = at(root, "properties");
    assert_string_equal(at(root, "$schema")->text, "https://json-schema.org/draft/2020-12/schema");
    char key[RILL_NAME_SIZE];
    int keys = 0;
    for (; rill_layout_name_at(rill_layout_root_keys, keys, key, sizeof key); keys++) at(properties, key);
    assert_int_equal(properties->count, keys);
    for (int k = LAYOUT_ROOT; k < LAYOUT_SECTION_COUNT; k++) {
        layout_part part = rill_layout_section(k);
        assert_rows(part.key ? at(properties, part.key) : root, &part);
    }
    for (int k = 0; k < rill_method_count(); k++) {
        layout_part part = {.table = rill_method(k)->table};
        assert_rows(at(at(properties, "methods|properties"), rill_method(k)->name), &part);
    }
    for (int k = 0; k < LAYOUT_LIST_COUNT; k++) {
        layout_list list = rill_layout_list_at(k);
        const tree_node *item = at(at(properties, list.key), "items");
        int part_count = 0;
        layout_part *parts = rill_layout_item_parts(&list, &part_count);
        assert_non_null(parts);
        for (int part = 0; part < part_count; part++) {
            const char *nested = parts[part].key;
            const tree_node *object = nested ? at(at(item, "properties"), nested) : item;
            assert_rows(parts[part].list ? at(object, "items") : object, &parts[part]);
        }
        free(parts);
    }
}

static void every_quantity_has_a_pattern(void **state) {
    (void)state;
    const tree_node *defs = at(&schema.nodes[0], "$defs");
    assert_int_equal(defs->count, RILL_QUANTITY_COUNT + 1); /* and the one of expressions */
    for (int k = defs->first; k != TREE_NONE; k = schema.nodes[k].next)
        assert_int_equal(at(&schema.nodes[k], "pattern")->text[0], '^');
}

static const rill_table *table_named(const char *name) {
    for (int k = 0; k < RILL_OBJECT_COUNT; k++)
        if (!strcmp(rill_object_table((rill_object)k)->name, name)) return rill_object_table((rill_object)k);
    const rill_table *others[] = {rill_scene_picture_table(), rill_surface_table()};
    for (int k = 0; k < 2; k++)
        if (!strcmp(others[k]->name, name)) return others[k];
    return NULL;
}

static void assert_known(const rill_table *table, const char *keys) {
    char key[RILL_NAME_SIZE];
    for (int k = 0; rill_layout_name_at(keys, k, key, sizeof key); k++)
        if (!rill_table_find(table, key)) fail_msg("a rule names %s.%s, which is not there", table->name, key);
}

static void rules_speak_of_rows(void **state) {
    (void)state;
    for (int k = 0; k < rill_layout_rule_count; k++) {
        const rill_table *table = table_named(rill_layout_rules[k].table);
        assert_non_null(table);
        const rill_param *choice = rill_table_find(table, rill_layout_rules[k].key);
        assert_non_null(choice);
        assert_true(rill_layout_listed(choice->choices, rill_layout_rules[k].choice));
        assert_known(table, rill_layout_rules[k].keys);
        assert_known(table, rill_layout_rules[k].required);
    }
    for (int k = 0; k < rill_layout_dim_rule_count; k++) {
        const rill_table *table = table_named(rill_layout_dim_rules[k].table);
        assert_non_null(table);
        assert_known(table, rill_layout_dim_rules[k].keys);
    }
}

/* Keys of one object must have different names. */
static void no_key_stands_twice_in_an_object(void **state) {
    (void)state;
    for (int k = 0; k < LAYOUT_LIST_COUNT; k++) {
        layout_list list = rill_layout_list_at(k);
        char *keys = rill_layout_keys(list.parts, list.part_count, list.material ? LAYOUT_MATERIAL_KEY : NULL);
        char key[RILL_NAME_SIZE];
        for (int n = 0; rill_layout_name_at(keys, n, key, sizeof key); n++)
            if (rill_choice_index(keys, key) != n) fail_msg("%s.%s stands twice", list.key, key);
        free(keys);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_and_lists_are_there),
        cmocka_unit_test(every_quantity_has_a_pattern),
        cmocka_unit_test(rules_speak_of_rows),
        cmocka_unit_test(no_key_stands_twice_in_an_object),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

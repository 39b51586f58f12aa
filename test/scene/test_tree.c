/* SPDX-License-Identifier: MIT */
/* JSON, comments and the marks of values; values with units, materials and defaults. */
#include "scene/reader.h"
#include "scene/scene_test.h"
#include "scene/tree.h"

#include <math.h>

#define FLUID "\"fluids\": [{\"material\": \"water\"}]"

static void assert_parsed(tree *t, const char *text) {
    rill_error error = {0};
    if (rill_tree_parse(t, "t", text, strlen(text), true, &error)) fail_msg("%s: %s", text, error.text);
}

static void marks_survive_comments(void **state) {
    (void)state;
    tree t;
    assert_parsed(&t, "\xEF\xBB\xBF// first line\n\t{ /* \xC3\xA9 \n\n */ \"a\" // \"x\": {\n : [1, \"//\\\"/*\"] }");
    const tree_node *a = rill_tree_member(&t, &t.nodes[0], "a");
    assert_non_null(a);
    assert_int_equal(t.nodes[0].mark.line, 2);
    assert_int_equal(t.nodes[0].mark.column, 2);
    assert_int_equal(a->key_mark.line, 4);
    assert_int_equal(a->key_mark.column, 5);
    assert_int_equal(a->mark.line, 5);
    assert_int_equal(a->mark.column, 4);
    assert_int_equal(a->count, 2);
    const tree_node *second = &t.nodes[t.nodes[a->first].next];
    assert_int_equal(second->kind, TREE_STRING);
    assert_string_equal(second->text, "//\"/*");
    assert_int_equal(second->mark.column, 8);
    rill_tree_free(&t);
}

static void json_is_read(void **state) {
    (void)state;
    tree t;
    assert_parsed(&t, "{\"a\":{},\"b\":[],\"c\":-1.5e-3,\"d\":true,\"\\u00e9\":\"\\t\\/\"}\r\n");
    assert_int_equal(t.nodes[0].count, 5);
    assert_int_equal(rill_tree_member(&t, &t.nodes[0], "a")->kind, TREE_OBJECT);
    assert_int_equal(rill_tree_member(&t, &t.nodes[0], "b")->kind, TREE_LIST);
    assert_string_equal(rill_tree_member(&t, &t.nodes[0], "c")->text, "-1.5e-3");
    assert_int_equal(rill_tree_member(&t, &t.nodes[0], "d")->kind, TREE_PLAIN);
    assert_string_equal(rill_tree_member(&t, &t.nodes[0], "\xC3\xA9")->text, "\t/");
    assert_null(rill_tree_member(&t, &t.nodes[0], "e"));
    rill_tree_free(&t);
}

static void numbers_carry_units(void **state) {
    (void)state;
    scene *s = parse("{\"dim\": 2, \"world\": {\"spacing\": \"2 cm\", \"gravity\": [\"1 m/s^2\", -9.81]},"
                     " \"run\": {\"time\": \"1500 ms\", \"fps\": \"25 Hz\"},"
                     " \"fluids\": [{\"name\": \"f\", \"viscosity\": \"1 cP\", \"density\": \"1.2 g/cm^3\"}],"
                     " \"solids\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [\"1 km\", \"1 mm\"],"
                     " \"angle\": \"90 deg\", \"motion\": {\"spin\": \"60 rpm\"}}]}");
    const float pi = 3.14159265f;
    assert_float_equal(s->world.spacing, 0.02f, 0);
    assert_float_equal(s->world.gravity.x, 1, 0);
    assert_float_equal(s->world.gravity.y, -9.81f, 0);
    assert_float_equal(s->run.time, 1.5f, 0);
    assert_float_equal(s->run.fps, 25, 0);
    assert_float_equal(s->fluids[0].viscosity, 0.001f, 0);
    assert_float_equal(s->fluids[0].density, 1200, 0);
    assert_float_equal(s->solids[0].shape.max.x, 1000, 0);
    assert_float_equal(s->solids[0].shape.max.y, 0.001f, 0);
    assert_float_equal(s->solids[0].shape.angle, pi / 2, 1e-6);
    assert_float_equal(s->solids[0].motion.spin, 2 * pi, 1e-6);
    rill_scene_free(s);
}

static void material_first_then_own_keys(void **state) {
    (void)state;
    scene *s = parse("{\"dim\": 2, \"fluids\": [{\"density\": 1400, \"name\": \"thick\", \"material\": \"honey\"},"
                     " {\"material\": \"oil\"}]}");
    rill_fluid_def honey;
    assert_int_equal(rill_material_find("honey", &honey, NULL), RILL_OK);
    assert_string_equal(s->fluids[0].name, "thick");
    assert_float_equal(s->fluids[0].density, 1400, 0);
    assert_float_equal(s->fluids[0].viscosity, honey.viscosity, 0);
    assert_string_equal(s->fluids[1].name, "oil");
    rill_scene_free(s);
}

static void what_is_left_out_is_default(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        char text[200];
        snprintf(text, sizeof text, "{\"dim\": %d, " FLUID "}", dim);
        scene *s = parse(text);
        rill_world_def def = rill_world_def_default(dim);
        assert_memory_equal(&s->world, &def, sizeof def);
        assert_string_equal(s->about, "");
        assert_string_equal(s->name, "test");
        assert_float_equal(s->run.fps, 30, 0);
        assert_int_equal(s->picture.width, 960);
        assert_int_equal(s->method_count, rill_method_count());
        for (int k = 0; k < s->method_count; k++) assert_false(s->methods[k].given[0]);
        rill_scene_free(s);
    }
}

static void points_and_about_have_several_values(void **state) {
    (void)state;
    scene *s = parse("{\"about\": [\"one\", \"two \\\"2\\\"\"], \"dim\": 2, " FLUID ","
                     " \"solids\": [{\"shape\": \"polygon\", \"points\": [[0, 0], [\"1 m\", 0], [1, \"50 cm\"]]}]}");
    assert_string_equal(s->about, "one\ntwo \"2\"");
    assert_int_equal(s->solids[0].shape.points.count, 3);
    assert_float_equal(s->solids[0].shape.points.data[2].y, 0.5f, 0);
    char *text = written(s);
    assert_non_null(strstr(text, "\"about\": \"one\\ntwo \\\"2\\\"\""));
    assert_non_null(strstr(text, "\"points\": [[0, 0], [1, 0], [1, 0.5]]"));
    free(text);
    rill_scene_free(s);
}

static void long_lists_of_points_are_written_whole(void **state) {
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    fputs("{\"dim\": 2, " FLUID ", \"solids\": [{\"shape\": \"segments\", \"points\": [[0, 0]", stream);
    for (int k = 1; k < 500; k++) fprintf(stream, ", [%d, 0.125]", k);
    fputs("]}]}", stream);
    fclose(stream);
    scene *first = parse(text);
    char *once = written(first);
    scene *second = parse(once);
    assert_int_equal(second->solids[0].shape.points.count, 500);
    assert_memory_equal(first->solids[0].shape.points.data, second->solids[0].shape.points.data,
                        500 * sizeof(rill_vec));
    free(text), free(once);
    rill_scene_free(first), rill_scene_free(second);
}

/* ---- trees without a parser ---- */

static tree_text text_of(const char *text, int line) {
    return (tree_text){text, text ? strlen(text) : 0, {line, 1}};
}

/* Adds a value; `key` is NULL in lists, `text` in objects and lists. */
static int grow(tree *t, int parent, const char *key, tree_kind kind, const char *text, int line) {
    const tree_text name = text_of(key, line);
    rill_error error = {0};
    int index = TREE_NONE;
    if (rill_tree_add(t, parent, key ? &name : NULL, kind, text_of(text, line), &index, "hand", &error))
        fail_msg("%s", error.text);
    return index;
}

static void grow_scene(tree *t, const char *material) {
    const int root = grow(t, TREE_NONE, NULL, TREE_OBJECT, NULL, 1);
    grow(t, root, "dim", TREE_PLAIN, "2", 2);
    const int fluids = grow(t, root, "fluids", TREE_LIST, NULL, 3);
    const int blocks = grow(t, root, "blocks", TREE_LIST, NULL, 4);
    const int water = grow(t, fluids, NULL, TREE_OBJECT, NULL, 5);
    grow(t, water, "material", TREE_STRING, material, 6);
    const int block = grow(t, blocks, NULL, TREE_OBJECT, NULL, 7);
    grow(t, block, "shape", TREE_STRING, "box", 8);
    const char *corners[] = {"min", "max"};
    for (int k = 0; k < 2; k++) {
        const int corner = grow(t, block, corners[k], TREE_LIST, NULL, 9 + k);
        grow(t, corner, NULL, TREE_PLAIN, k ? "1" : "0", 9 + k);
        grow(t, corner, NULL, TREE_STRING, k ? "50 cm" : "0 m", 9 + k);
    }
}

/* The reader sees only the tree: one that was built by hand is the same scene as its text. */
static void a_tree_of_any_parser_is_read(void **state) {
    (void)state;
    tree t = {0};
    rill_error error = {0};
    grow_scene(&t, "honey");
    scene *grown = rill_scene_read_tree("test.json", &t, 0, NULL, &error);
    if (!grown) fail_msg("%s", error.text);
    rill_tree_free(&t);
    scene *parsed = parse("{\"dim\": 2, \"fluids\": [{\"material\": \"honey\"}],"
                          " \"blocks\": [{\"shape\": \"box\", \"min\": [0, \"0 m\"], \"max\": [1, \"50 cm\"]}]}");
    char *first = written(grown), *second = written(parsed);
    assert_string_equal(first, second);
    assert_float_equal(grown->blocks[0].shape.max.y, 0.5f, 0);
    free(first);
    free(second);
    rill_scene_free(grown);
    rill_scene_free(parsed);
}

static void errors_name_the_marks_of_any_parser(void **state) {
    (void)state;
    tree t = {0};
    rill_error error = {0};
    grow_scene(&t, "hony");
    assert_null(rill_scene_read_tree("hand", &t, 0, NULL, &error));
    assert_non_null(strstr(error.text, "hand:6:1: fluids[0].material: "));
    rill_tree_free(&t);
    assert_null(rill_scene_read_tree("hand", &t, 0, NULL, &error));
    assert_string_equal(error.text, "hand: a scene is a JSON object; expected '{'");
    grow(&t, TREE_NONE, NULL, TREE_LIST, NULL, 1);
    assert_null(rill_scene_read_tree("hand", &t, 0, NULL, &error));
    rill_tree_free(&t);
}

/* The tree itself refuses what a parser may let through. */
static void the_tree_holds_its_limits_itself(void **state) {
    (void)state;
    tree t = {0};
    rill_error error = {0};
    int parent = TREE_NONE, index;
    for (int depth = 0; depth < TREE_MAX_DEPTH; depth++) parent = grow(&t, parent, NULL, TREE_LIST, NULL, 1);
    grow(&t, parent, NULL, TREE_PLAIN, "1", 1);
    assert_int_equal(rill_tree_add(&t, parent, NULL, TREE_LIST, text_of(NULL, 3), &index, "hand", &error), RILL_FORMAT);
    assert_non_null(strstr(error.text, "hand:3:1: nested too deeply"));
    const tree_text zero = {"a\0b", 3, {4, 1}}, control = {"\xC2\x80", 2, {5, 1}}, cut = {"\xC2\x80", 1, {6, 1}};
    assert_int_equal(rill_tree_add(&t, parent, NULL, TREE_STRING, zero, &index, "hand", &error), RILL_FORMAT);
    assert_non_null(strstr(error.text, "hand:4:1: a zero character"));
    assert_int_equal(rill_tree_add(&t, parent, &control, TREE_PLAIN, text_of("1", 5), &index, "hand", &error),
                     RILL_FORMAT);
    assert_non_null(strstr(error.text, "hand:5:1: an unprintable character"));
    assert_int_equal(rill_tree_add(&t, parent, NULL, TREE_STRING, cut, &index, "hand", &error), RILL_OK);
    assert_int_equal(t.nodes[parent].count, 2);
    rill_tree_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_survive_comments),
        cmocka_unit_test(json_is_read),
        cmocka_unit_test(numbers_carry_units),
        cmocka_unit_test(material_first_then_own_keys),
        cmocka_unit_test(what_is_left_out_is_default),
        cmocka_unit_test(points_and_about_have_several_values),
        cmocka_unit_test(long_lists_of_points_are_written_whole),
        cmocka_unit_test(a_tree_of_any_parser_is_read),
        cmocka_unit_test(errors_name_the_marks_of_any_parser),
        cmocka_unit_test(the_tree_holds_its_limits_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* What is JSON, what is a comment, where a value stands; and values with units, materials and defaults. */
#include "scene/scene_test.h"
#include "scene/tree.h"

#include <math.h>

#define FLUID "\"fluids\": [{\"material\": \"water\"}]"

static void assert_parsed(tree *t, const char *text) {
    rill_error error = {0};
    if (tree_parse(t, "t", text, strlen(text), true, &error)) fail_msg("%s: %s", text, error.text);
}

static void marks_survive_comments(void **state) {
    (void)state;
    tree t;
    assert_parsed(&t, "\xEF\xBB\xBF// first line\n\t{ /* \xC3\xA9 \n\n */ \"a\" // \"x\": {\n : [1, \"//\\\"/*\"] }");
    const tree_node *a = tree_member(&t, &t.nodes[0], "a");
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
    tree_free(&t);
}

static void json_is_read(void **state) {
    (void)state;
    tree t;
    assert_parsed(&t, "{\"a\":{},\"b\":[],\"c\":-1.5e-3,\"d\":true,\"\\u00e9\":\"\\t\\/\"}\r\n");
    assert_int_equal(t.nodes[0].count, 5);
    assert_int_equal(tree_member(&t, &t.nodes[0], "a")->kind, TREE_OBJECT);
    assert_int_equal(tree_member(&t, &t.nodes[0], "b")->kind, TREE_LIST);
    assert_string_equal(tree_member(&t, &t.nodes[0], "c")->text, "-1.5e-3");
    assert_int_equal(tree_member(&t, &t.nodes[0], "d")->kind, TREE_PLAIN);
    assert_string_equal(tree_member(&t, &t.nodes[0], "\xC3\xA9")->text, "\t/");
    assert_null(tree_member(&t, &t.nodes[0], "e"));
    tree_free(&t);
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
    scene_free(s);
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
    scene_free(s);
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
        scene_free(s);
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
    scene_free(s);
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
    scene_free(first), scene_free(second);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

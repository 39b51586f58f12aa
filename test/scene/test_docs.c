/* SPDX-License-Identifier: MIT */
/* Every block of docs/scenes.md that is marked "json scene" is a scene that builds; every scene has a row there. */
#include "scene/scene_test.h"

#define PAGE RILL_SOURCE_DIR "/docs/scenes.md"

static void shown_scenes_build(void **state) {
    (void)state;
    static const char mark[] = "\n```json scene\n";
    char *page = file_text(PAGE, NULL);
    int count = 0;
    for (char *at = page; (at = strstr(at, mark)) != NULL; count++) {
        at += strlen(mark);
        char *end = strstr(at, "\n```");
        assert_non_null(end);
        rill_error error = {0};
        scene *s = rill_scene_parse("docs/scenes.md", at, (size_t)(end - at), &error);
        if (!s) fail_msg("%s\n%.*s", error.text, (int)(end - at), at);
        rill_world *world = build(s);
        rill_world_destroy(world);
        rill_scene_free(s);
        at = end;
    }
    assert_true(count >= 3);
    free(page);
}

static void every_scene_is_listed(void **state) {
    (void)state;
    rill_scene_entry *entries;
    int count;
    char *page = file_text(PAGE, NULL);
    setenv("RILL_SCENES", RILL_SOURCE_DIR "/scenes", 1);
    assert_int_equal(rill_scene_list(&entries, &count, NULL), RILL_OK);
    for (int k = 0; k < count; k++) {
        char row[80];
        snprintf(row, sizeof row, "\n| `%s` |", entries[k].name);
        if (!strstr(page, row)) fail_msg("docs/scenes.md has no row for %s", entries[k].name);
    }
    free(entries);
    free(page);
}

/* The page's table of units is the one that the reader accepts. */
static void every_unit_is_listed(void **state) {
    (void)state;
    char *page = file_text(PAGE, NULL);
    for (int k = 0; k < RILL_QUANTITY_COUNT; k++) {
        char units[400], row[420];
        snprintf(row, sizeof row, "| %s |\n", rill_quantity_units((rill_quantity)k, units, sizeof units));
        if (!strstr(page, row)) fail_msg("docs/scenes.md has no row that ends in '%s'", row);
    }
    free(page);
}

static void every_material_is_listed(void **state) {
    (void)state;
    char *page = file_text(PAGE, NULL);
    for (int k = 0; rill_material_name(k); k++) {
        char name[80];
        snprintf(name, sizeof name, "`%s`", rill_material_name(k));
        if (!strstr(page, name)) fail_msg("docs/scenes.md does not name the material %s", name);
    }
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shown_scenes_build),
        cmocka_unit_test(every_scene_is_listed),
        cmocka_unit_test(every_unit_is_listed),
        cmocka_unit_test(every_material_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

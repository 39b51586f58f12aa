/* SPDX-License-Identifier: MIT */
/* Scenes by name and by path, and the messages for missing ones. */
#include "scene/scene_test.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[512];

/* A working directory with two scenes and a folder that has a scene's name. */
static int setup(void **state) {
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/rill-test-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) || mkdir("scenes", 0700) || mkdir("more", 0700) || mkdir("mine", 0700))
        return -1;
    static const char *const files[] = {"scenes/mine.json", "more/mine.json", "more/other.json",
                                        "more/notes.txt",   "mine.json",      "here.json"};
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        FILE *file = fopen(files[k], "w");
        if (!file) return -1;
        fprintf(file, "{\"about\": \"%s\", \"dim\": 2, \"fluids\": [{}]}", files[k]);
        fclose(file);
    }
    FILE *output = fopen("dam_break_2d.json", "w"); /* as the shell creates it for "rill run dam_break_2d > ..." */
    return !output || fclose(output) || setenv("RILL_SCENES", "more", 1);
}

static int teardown(void **state) {
    (void)state;
    static const char *const files[] = {"scenes/mine.json", "more/mine.json", "more/other.json",
                                        "more/notes.txt",   "mine.json",      "here.json"};
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) remove(files[k]);
    remove("dam_break_2d.json");
    rmdir("scenes"), rmdir("more"), rmdir("mine");
    return chdir("/") || rmdir(folder);
}

static void assert_about(const char *name, const char *about) {
    rill_error error = {0};
    scene *s = rill_scene_load(name, &error);
    if (s)
        assert_string_equal(s->about, about);
    else
        fail_msg("%s", error.text);
    rill_scene_free(s);
}

static void names_and_paths_lead_there(void **state) {
    (void)state;
    assert_about("mine", "scenes/mine.json");
    assert_about("mine.json", "mine.json");
    assert_about("./mine", "mine.json");
    assert_about("here", "here.json");
    assert_about("more/mine.json", "more/mine.json");
    assert_about("./more/mine", "more/mine.json");
    assert_about("other", "more/other.json");
    char path[512];
    assert_int_equal(rill_scene_find("dam_break_2d", path, sizeof path, NULL), RILL_OK);
    assert_string_equal(path, RILL_SOURCE_DIR "/scenes/dam_break_2d.json");
}

static void list_holds_each_name_once(void **state) {
    (void)state;
    rill_scene_entry *entries;
    int count, mine = 0;
    assert_int_equal(rill_scene_list(&entries, &count, NULL), RILL_OK);
    for (int k = 0; k < count; k++) {
        if (!strcmp(entries[k].name, "mine")) {
            assert_string_equal(entries[k].path, "scenes/mine.json");
            mine++;
        }
        if (k) assert_true(strcmp(entries[k - 1].name, entries[k].name) < 0);
        assert_null(strstr(entries[k].name, "notes"));
    }
    assert_int_equal(mine, 1);
    assert_true(count > 12);
    free(entries);
}

static void what_is_not_there_is_said(void **state) {
    (void)state;
    rill_error error = {0};
    assert_null(rill_scene_load("dam_brake_2d", &error));
    assert_int_equal(error.status, RILL_NOT_FOUND);
    assert_string_equal(error.text, "no scene 'dam_brake_2d'; did you mean 'dam_break_2d'? `rill scenes` lists all");
    assert_null(rill_scene_load("qqqqqqqqqqqqqqqq", &error));
    assert_non_null(strstr(error.text, "no scene 'qqqqqqqqqqqqqqqq' in the working directory, in ./scenes"));
    assert_null(rill_scene_load("dam_break_2d.json", &error));
    assert_string_equal(error.text, "dam_break_2d.json: the file is empty; expected a scene");
    assert_null(rill_scene_load("", &error));
    assert_null(rill_scene_load("more", &error));
    assert_int_equal(error.status, RILL_NOT_FOUND);
    char small[4];
    assert_int_equal(rill_scene_find("mine", small, sizeof small, &error), RILL_NOT_FOUND);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_paths_lead_there),
        cmocka_unit_test(list_holds_each_name_once),
        cmocka_unit_test(what_is_not_there_is_said),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

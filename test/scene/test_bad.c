/* SPDX-License-Identifier: MIT */
/* The corpus of bad scenes: each bad/NAME.json is refused with exactly the text of bad/NAME.expected. */
#include "scene/layout.h"
#include "scene/scene_test.h"

#include <dirent.h>

#define FOLDER RILL_SOURCE_DIR "/test/scene/bad/"

/* Reads and builds a scene as the tool does, and keeps the message. */
static void message_of(const char *label, const char *text, size_t size, rill_error *error) {
    scene *s = rill_scene_parse(label, text, size, error);
    if (!s) return;
    rill_world *world = rill_scene_build(s, 1, -1, error);
    if (world) snprintf(error->text, sizeof error->text, "%s: no error at all", label);
    rill_world_destroy(world);
    rill_scene_free(s);
}

static bool check(const char *name) {
    char path[600];
    size_t size;
    snprintf(path, sizeof path, "%s%s", FOLDER, name);
    char *text = file_text(path, &size);
    snprintf(path, sizeof path, "%s%.*s.expected", FOLDER, (int)(strlen(name) - 5), name);
    char *expected = file_text(path, NULL);
    expected[strcspn(expected, "\n")] = '\0';
    rill_error error = {0};
    message_of(name, text, size, &error);
    bool same = !strcmp(error.text, expected) && error.status != RILL_OK;
    if (!same) print_error("expected %s\n     got %s\n", expected, error.text);
    free(text), free(expected);
    return same;
}

static void bad_scenes_get_the_right_words(void **state) {
    (void)state;
    DIR *directory = opendir(FOLDER);
    assert_non_null(directory);
    int count = 0, wrong = 0;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".json")) continue;
        count++;
        if (!check(entry->d_name)) wrong++;
    }
    closedir(directory);
    assert_int_equal(wrong, 0);
    assert_true(count >= 40);
}

/* Scenes that are too large for the corpus. */
static void limits_are_kept(void **state) {
    (void)state;
    rill_error error = {0};
    size_t size = TREE_MAX_BYTES + 1;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, ' ', size);
    assert_null(rill_scene_parse("big.json", text, size, &error));
    assert_int_equal(error.status, RILL_LIMIT);
    assert_non_null(strstr(error.text, "expected a scene of at most 4194304"));
    free(text);

    char *many = NULL;
    FILE *stream = open_memstream(&many, &size);
    assert_non_null(stream);
    fputs("{\"about\": [\"\"", stream);
    for (int k = 0; k < TREE_MAX_VALUES; k++) fputs(",\"\"", stream);
    fputs("]}", stream);
    fclose(stream);
    assert_null(rill_scene_parse("many.json", many, size, &error));
    assert_non_null(strstr(error.text, "too many values; a scene may have 200000"));
    free(many);
}

/* A scene that is cut off anywhere is refused with a place; it is neither read nor crashes the reader. */
static void cut_scenes_are_refused(void **state) {
    (void)state;
    size_t size;
    char *text = file_text(RILL_SOURCE_DIR "/scenes/slope_2d.json", &size);
    size_t end = size;
    while (text[end - 1] != '}') end--;
    for (size_t cut = 0; cut < end; cut++) {
        rill_error error = {0};
        scene *s = rill_scene_parse("cut.json", text, cut, &error);
        if (s) fail_msg("a scene of %zu of %zu bytes was read", cut, size);
        assert_int_equal(strncmp(error.text, "cut.json:", 9), 0);
    }
    free(text);
}

/* A text with one wrong byte is a scene, or is refused with a place. */
static void flipped_bytes_do_no_harm(void **state) {
    (void)state;
    size_t size;
    char *text = file_text(RILL_SOURCE_DIR "/scenes/wheel_2d.json", &size);
    static const char bytes[] = "{}[],:\"\\/*#&!|?\0\x80\xff\n-0";
    for (size_t at = 0; at < size; at++) {
        char kept = text[at];
        text[at] = bytes[at % (sizeof bytes - 1)];
        rill_error error = {0};
        scene *s = rill_scene_parse("flip.json", text, size, &error);
        if (!s) assert_int_equal(strncmp(error.text, "flip.json:", 10), 0);
        rill_scene_free(s);
        text[at] = kept;
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_scenes_get_the_right_words),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(cut_scenes_are_refused),
        cmocka_unit_test(flipped_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

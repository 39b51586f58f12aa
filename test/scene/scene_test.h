/* SPDX-License-Identifier: MIT */
/* What the tests of scenes share. Included once by each test program, before cmocka's users. */
#ifndef RILL_TEST_SCENE_TEST_H
#define RILL_TEST_SCENE_TEST_H

#include "scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A whole file with a zero after it; the caller frees it. */
static inline char *file_text(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be opened", path);
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    for (int c; (c = fgetc(file)) != EOF;) fputc(c, stream);
    fclose(file);
    fclose(stream);
    if (size) *size = length;
    return text;
}

static inline scene *parse(const char *text) {
    rill_error error = {0};
    scene *s = rill_scene_parse("test.json", text, strlen(text), &error);
    if (!s) fail_msg("%s\n%s", error.text, text);
    return s;
}

/* The scene written as text; the caller frees it. */
static inline char *written(const scene *s) {
    char *text = NULL;
    size_t size = 0;
    rill_error error = {0};
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    if (rill_scene_print(s, stream, &error)) fail_msg("%s", error.text);
    fclose(stream);
    return text;
}

static inline rill_world *build_for(const scene *s, int simd) {
    rill_error error = {0};
    rill_world *world = rill_scene_build(s, 1, simd, &error);
    if (!world) fail_msg("%s", error.text);
    return world;
}

static inline rill_world *build(const scene *s) {
    return build_for(s, -1);
}

#endif

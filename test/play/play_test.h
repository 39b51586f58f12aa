/* SPDX-License-Identifier: MIT */
/* What the tests of play sessions share: small scenes, messages, and the search for replies. */
#ifndef RILL_TEST_PLAY_TEST_H
#define RILL_TEST_PLAY_TEST_H

#include "play/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Water and two boxes in a tank, with fixed steps of 2 ms. */
#define PLAY_SCENE_2D                                                                                              \
    "{\"about\": \"two boxes\", \"dim\": 2, \"method\": \"pbf\", \"world\": {\"spacing\": 0.05},"                  \
    " \"run\": {\"dt\": 0.002, \"time\": 1}, \"fluids\": [{\"name\": \"water\", \"material\": \"water\"}],"        \
    " \"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.6, 0.6]}],"                                   \
    " \"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 1], \"inside\": true}]," \
    " \"bodies\": [{\"name\": \"light\", \"shape\": \"box\", \"min\": [0.1, 0.65], \"max\": [0.3, 0.85], "         \
    "\"density\": 400},"                                                                                           \
    " {\"name\": \"heavy\", \"shape\": \"box\", \"min\": [0.7, 0.3], \"max\": [0.9, 0.5], \"density\": 1500}]}"

#define PLAY_SCENE_3D                                                                                               \
    "{\"about\": \"two boxes\", \"dim\": 3, \"method\": \"pbf\", \"world\": {\"spacing\": 0.08},"                   \
    " \"run\": {\"dt\": 0.002, \"time\": 1}, \"fluids\": [{\"name\": \"water\", \"material\": \"water\"}],"         \
    " \"blocks\": [{\"shape\": \"box\", \"min\": [0, 0, 0], \"max\": [0.6, 0.6, 0.5]}],"                            \
    " \"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [0, 0, 0], \"max\": [1, 1, 0.5], \"inside\": " \
    "true}],"                                                                                                       \
    " \"bodies\": [{\"name\": \"light\", \"shape\": \"box\", \"min\": [0.1, 0.7, 0.1], \"max\": [0.3, 0.9, 0.3], "  \
    "\"density\": 400},"                                                                                            \
    " {\"name\": \"heavy\", \"shape\": \"box\", \"min\": [0.7, 0.3, 0.1], \"max\": [0.9, 0.5, 0.4], \"density\": "  \
    "2000}]}"

static inline play_session *make_session(void) {
    const play_def def = {.engine = "native", .workers = 1, .particle_limit = 5000, .rewind_bytes = (size_t)32 << 20};
    return rill_play_create(&def, NULL);
}

static inline void say(play_session *s, const char *text) {
    rill_play_message(s, 1, text, strlen(text));
}

/* {"do": "open", "scene": TEXT} with the quotes of the text escaped. */
static inline void open_scene(play_session *s, const char *scene_text) {
    char *message = malloc(2 * strlen(scene_text) + 64), *out = message;
    out += sprintf(out, "{\"do\": \"open\", \"scene\": \"");
    for (const char *c = scene_text; *c; c++) {
        if (*c == '"' || *c == '\\') *out++ = '\\';
        *out++ = *c;
    }
    strcpy(out, "\"}");
    say(s, message);
    free(message);
}

static inline void forget_replies(play_session *s) {
    for (play_reply r; rill_play_reply(s, &r);) rill_play_reply_free(&r);
}

/* The last reply of kind `what`, for the caller to free; NULL: there is none. All replies are taken. */
static inline char *last_reply(play_session *s, const char *what) {
    char begin[64], *found = NULL;
    snprintf(begin, sizeof begin, "{\"is\": \"%s\"", what);
    for (play_reply r; rill_play_reply(s, &r);) {
        if (!r.binary && r.size >= strlen(begin) && !strncmp(r.bytes, begin, strlen(begin))) {
            free(found);
            found = malloc(r.size + 1);
            memcpy(found, r.bytes, r.size);
            found[r.size] = '\0';
        }
        rill_play_reply_free(&r);
    }
    return found;
}

static inline void take_steps_of(play_session *s, int count) {
    for (int k = 0; k < count; k++) rill_play_advance(s);
}

#endif

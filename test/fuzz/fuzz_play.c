/* SPDX-License-Identifier: MIT */
/* Any bytes as messages of a page, one per line: the session answers in JSON, keeps running and does not grow without
   bound. A line that begins with '!' is a binary message; one that begins with '>' takes a step. */
#include "fuzz/fuzz.h"
#include "play/play_test.h"
#include "scene/tree.h"

#define MESSAGES_MAX 24
#define STEPS_MAX    3

/* Sixteen particles and a box: building it takes less time than reading. */
#define SCENE                                                                                                       \
    "{\"dim\": 2, \"method\": \"pbf\", \"world\": {\"spacing\": 0.1},"                                              \
    " \"run\": {\"dt\": 0.008}, \"fluids\": [{\"name\": \"water\", \"material\": \"water\"}],"                      \
    " \"blocks\": [{\"shape\": \"box\", \"min\": [0, 0], \"max\": [0.4, 0.4]}],"                                    \
    " \"solids\": [{\"name\": \"tank\", \"shape\": \"box\", \"min\": [0, 0], \"max\": [1, 1], \"inside\": true}],"  \
    " \"bodies\": [{\"name\": \"box\", \"shape\": \"box\", \"min\": [0.6, 0.1], \"max\": [0.8, 0.3], \"density\": " \
    "400}]}"

static bool contains(const char *line, size_t size, const char *word) {
    const size_t length = strlen(word);
    for (size_t k = 0; k + length <= size; k++)
        if (!memcmp(line + k, word, length)) return true;
    return false;
}

/* Messages that may open a scene are left out: scenes have a fuzzer of their own, and large ones would take all the
   time. An escape \u could spell the same words. */
static bool opens(const char *line, size_t size) {
    return contains(line, size, "open") || contains(line, size, "replay") || contains(line, size, "\\u");
}

static void check_replies(play_session *s) {
    int count = 0;
    for (play_reply r; rill_play_reply(s, &r); count++) {
        tree t;
        rill_error error = {0};
        FUZZ_CHECK(r.binary || !rill_tree_parse_json(&t, "reply", r.bytes, r.size, true, &error), "no JSON: %s\n%.*s",
                   error.text, (int)r.size, r.bytes);
        if (!r.binary) rill_tree_free(&t);
        rill_play_reply_free(&r);
    }
    FUZZ_CHECK(count <= 64, "%d replies", count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const play_def def = {.engine = "native", .workers = 1, .particle_limit = 300, .rewind_bytes = (size_t)1 << 20};
    play_session *s = rill_play_create(&def, NULL);
    FUZZ_CHECK(s, "no session");
    open_scene(s, SCENE);
    const char *at = (const char *)data, *end = at + size;
    for (int k = 0, steps = 0; at < end && k < MESSAGES_MAX; k++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        const size_t length = (size_t)(stop - at);
        if (length > 0 && *at == '!')
            rill_play_binary(s, 1, at + 1, length - 1);
        else if (length > 0 && *at == '>' && steps++ < STEPS_MAX)
            rill_play_advance(s);
        else if (!opens(at, length))
            rill_play_message(s, 1, at, length);
        check_replies(s);
        at = stop + 1;
    }
    size_t bytes;
    FUZZ_CHECK(rill_play_frame(s, &bytes) && bytes >= 80, "no frame");
    rill_play_destroy(s);
    return 0;
}

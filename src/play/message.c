/* SPDX-License-Identifier: MIT */
/* Handles one message of a page: inputs are applied to the world, questions are answered. */
#include "play/session.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

#define SNAPSHOT_MAGIC "RLS1"
/* A world that blew up continues from this long before [s]. */
#define BEFORE_FAILURE 0.5

/* ---- answers ---- */

static void tell_hash(play_session *s, int client) {
    play_text t;
    char text[PLAY_HASH_SIZE];
    if (!rill_play_text_begin(&t, "hash")) return;
    rill_json_integer(&t.json, "step", s->step);
    rill_json_text(&t.json, "value", rill_play_hash(s, text));
    rill_play_text_send(s, client, &t);
}

static void tell_scene(play_session *s, int client) {
    play_text t;
    if (!rill_play_text_begin(&t, "scene")) return;
    rill_json_text(&t.json, "text", s->text);
    rill_play_text_send(s, client, &t);
}

static rill_status tell_snapshot(play_session *s, int client, rill_error *error) {
    play_bytes bytes = {0};
    if (!rill_play_bytes_add(&bytes, SNAPSHOT_MAGIC, 4)) return rill_fail(error, RILL_MEMORY, "save: no memory");
    const rill_status status = rill_play_save(s->world, &bytes, error);
    if (status)
        rill_play_bytes_free(&bytes);
    else
        rill_play_send(s, client, true, bytes.data, bytes.size);
    return status;
}

static rill_status choose_color(play_session *s, const tree *t, rill_error *error) {
    const tree_node *fields = rill_tree_member(t, t->nodes, "fields");
    int color = PLAY_COLOR_NONE;
    if (fields && fields->kind != TREE_LIST) return rill_fail(error, RILL_FORMAT, "frame: fields: expected a list");
    for (int k = fields ? fields->first : TREE_NONE; k != TREE_NONE; k = t->nodes[k].next)
        for (int c = 1; c < PLAY_COLOR_COUNT; c++)
            if (t->nodes[k].text && !strcmp(t->nodes[k].text, rill_play_colors[c])) color = c;
    s->color = color;
    s->version++;
    return RILL_OK;
}

/* ---- the clock ---- */

/* The rate of time is part of the state, since it sets the length of steps: a new rate is recorded as an input. */
static rill_status play(play_session *s, int client, const play_input *input, rill_error *error) {
    if (s->failed) TRY(rill_play_rewind(s, BEFORE_FAILURE, error));
    s->playing = true;
    if (!rill_play_given(input, "rate") || (float)input->rate == s->rate) {
        rill_play_tell_info(s, PLAY_EVERYBODY);
        return RILL_OK;
    }
    play_input rate = *input;
    rate.word = PLAY_RATE_OF_TIME;
    return rill_play_act(s, client, &rate, error);
}

static rill_status open_scene(play_session *s, const tree *t, const play_input *input, rill_error *error) {
    const tree_node *text = rill_tree_member(t, t->nodes, "scene");
    if (text && text->kind == TREE_STRING) return rill_play_open_text(s, input->name, text->text, error);
    if (!rill_play_given(input, "name") || !s->def.find_scene)
        return rill_fail(error, RILL_FORMAT, "open: expected a scene as text, or the name of one");
    scene *opened = s->def.find_scene(input->name, s->def.context, error);
    return opened ? rill_play_open(s, opened, NULL, error) : RILL_NOT_FOUND;
}

static void stop(play_session *s) {
    s->playing = false;
    rill_play_tell_info(s, PLAY_EVERYBODY);
}

static void step(play_session *s) {
    s->playing = false;
    rill_play_advance(s);
    rill_play_tell_numbers(s, 0);
}

/* ---- all messages ---- */

/* Handles the words that need no world. */
static rill_status without_world(play_session *s, tree *t, const play_input *input, rill_error *error) {
    switch (input->word) {
    case PLAY_OPEN:
        return open_scene(s, t, input, error);
    case PLAY_REPLAY:
        return rill_play_replay_begin(s, t, rill_play_given(input, "on") && input->on, error);
    default:
        return rill_fail(error, RILL_INVALID, "%s: there is no world yet; open a scene first",
                         rill_play_word_name(input->word));
    }
}

static rill_status answer(play_session *s, int client, tree *t, const play_input *input, rill_error *error) {
    if (!s->world) return without_world(s, t, input, error);
    switch (input->word) {
    case PLAY_PLAY:
        return play(s, client, input, error);
    case PLAY_PAUSE:
        stop(s);
        return RILL_OK;
    case PLAY_STEP:
        step(s);
        return RILL_OK;
    case PLAY_RESET:
        return rill_play_reset(s, error);
    case PLAY_REWIND:
        return rill_play_rewind(s, input->seconds, error);
    case PLAY_SAVE:
        return tell_snapshot(s, client, error);
    case PLAY_RECORD:
        return input->on ? rill_play_record_restart(s, true, error) : RILL_OK;
    case PLAY_RECORDING:
        rill_play_tell_recording(s, client);
        return RILL_OK;
    case PLAY_HASH:
        tell_hash(s, client);
        return RILL_OK;
    case PLAY_INFO:
        rill_play_welcome(s, client);
        return RILL_OK;
    case PLAY_SCENE:
        tell_scene(s, client);
        return RILL_OK;
    case PLAY_FRAME:
        return choose_color(s, t, error);
    case PLAY_LINKS:
        s->with_links = input->on;
        s->version++;
        return RILL_OK;
    default:
        if (input->word >= PLAY_RECORDED) return without_world(s, t, input, error);
        if (s->replay.active) return rill_fail(error, RILL_INVALID, "a replay is under way; pause and reset end it");
        return rill_play_act(s, client, input, error);
    }
}

static bool may_be_long(play_word word) {
    return word == PLAY_OPEN || word == PLAY_REPLAY;
}

void rill_play_message(play_session *s, int client, const char *text, size_t size) {
    rill_error error = {0};
    tree t = {0};
    play_input input = {.word = PLAY_WORD_COUNT};
    const int dim = s->world ? rill_world_get_def(s->world)->dim : 0;
    rill_status status =
        size > PLAY_TEXT_MAX
            ? rill_fail(&error, RILL_LIMIT, "a message of %zu bytes; expected at most %u", size, PLAY_TEXT_MAX)
            : rill_tree_parse_json(&t, "message", text, size, true, &error);
    if (!status) status = rill_play_input_read(&input, &t, t.nodes, dim, &error);
    if (!status && size > PLAY_MESSAGE_MAX && !may_be_long(input.word))
        status = rill_fail(&error, RILL_LIMIT, "a message of %zu bytes; expected at most %u", size, PLAY_MESSAGE_MAX);
    if (!status) status = answer(s, client, &t, &input, &error);
    if (status)
        rill_play_tell_error(s, client, input.word < PLAY_WORD_COUNT ? rill_play_word_name(input.word) : NULL,
                             error.text);
    rill_tree_free(&t);
}

void rill_play_binary(play_session *s, int client, const void *bytes, size_t size) {
    rill_error error = {0};
    rill_status status;
    if (size < 4 || size > PLAY_SNAPSHOT_MAX || memcmp(bytes, SNAPSHOT_MAGIC, 4) != 0)
        status = rill_fail(&error, RILL_FORMAT, "expected a snapshot that was saved here");
    else
        status = rill_play_load(s, (const char *)bytes + 4, size - 4, &error);
    if (status) rill_play_tell_error(s, client, "load", error.text);
}

void rill_play_welcome(play_session *s, int client) {
    if (!s->world) return;
    rill_play_tell_info(s, client);
    rill_play_tell_shapes(s, client);
    s->version++;
}

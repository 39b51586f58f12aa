/* SPDX-License-Identifier: MIT */
/* Recordings: the start of a session, and every input with the step that it precedes. A replay applies the same inputs
   to a new world, and ends with the same state hash. */
#include "play/session.h"

#include "core/error.h"
#include "play/base64.h"

#include <stdlib.h>
#include <string.h>

void rill_play_record_free(play_recording *r) {
    rill_play_bytes_free(&r->start);
    rill_play_bytes_free(&r->text);
    free(r->entries);
    *r = (play_recording){0};
}

void rill_play_record_cut(play_session *s, int count) {
    play_recording *r = &s->recording;
    if (count >= r->count) return;
    r->text.size = r->entries[count].begin;
    r->count = count;
}

static bool add_entry(play_recording *r, int64_t step, const char *text, size_t size) {
    if (r->count == r->capacity) {
        const int capacity = r->capacity ? 2 * r->capacity : 64;
        play_entry *grown = realloc(r->entries, (size_t)capacity * sizeof *grown);
        if (!grown) return false;
        r->entries = grown, r->capacity = capacity;
    }
    const size_t begin = r->text.size;
    if (begin + size > RECORDING_MAX || !rill_play_bytes_add(&r->text, text, size)) return false;
    r->entries[r->count++] = (play_entry){step, begin};
    return true;
}

void rill_play_record(play_session *s, const play_input *input) {
    if (s->recording.full) return;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool kept = out != NULL;
    if (out) {
        json j = {.out = out, .flat = true};
        rill_play_input_write(input, s->step, rill_world_get_def(s->world)->dim, &j);
        kept = fclose(out) == 0 && add_entry(&s->recording, s->step, text, size);
        free(text);
    }
    s->recording.full = !kept;
}

void rill_play_record_step_cut(play_session *s, int made) {
    play_input cut;
    rill_play_input_cut(&cut, made);
    rill_play_record(s, &cut);
}

rill_status rill_play_record_restart(play_session *s, bool from_snapshot, rill_error *error) {
    play_recording *r = &s->recording;
    rill_play_record_free(r);
    if (!from_snapshot) return RILL_OK;
    /* The state that a snapshot does not hold is reset, as in a new session. */
    rill_play_drop(s);
    s->rate = 1;
    s->time = rill_world_stats(s->world)->time;
    const rill_status status = rill_play_save(s->world, &r->start, error);
    r->first_step = s->step;
    if (status) r->full = true;
    rill_play_forget_moments(s); /* they precede the new start */
    return status;
}

void rill_play_tell_recording(play_session *s, int client) {
    const play_recording *r = &s->recording;
    char hash[PLAY_HASH_SIZE];
    play_text t;
    if (r->full) {
        rill_play_tell_error(s, client, "recording", "the recording is too long; reset starts a new one");
        return;
    }
    if (!rill_play_text_begin(&t, "recording")) return;
    json *j = &t.json;
    rill_json_object(j, "recording");
    rill_json_text(j, "rill", rill_version());
    rill_json_text(j, "name", s->scene->name);
    rill_json_text(j, "scene", s->text);
    if (r->start.size > 0) {
        char *text = rill_play_base64(r->start.data, r->start.size);
        rill_json_text(j, "snapshot", text ? text : "");
        free(text);
    }
    rill_json_integer(j, "first_step", r->first_step);
    rill_json_integer(j, "steps", s->step);
    rill_json_text(j, "hash", rill_play_hash(s, hash));
    rill_json_array(j, "inputs");
    for (int k = 0; k < r->count; k++) {
        const size_t end = k + 1 < r->count ? r->entries[k + 1].begin : r->text.size;
        fprintf(j->out, "%s%.*s", k ? ", " : "", (int)(end - r->entries[k].begin), r->text.data + r->entries[k].begin);
    }
    rill_json_end_array(j);
    rill_json_end_object(j);
    rill_play_text_send(s, client, &t);
}

/* ---- replay ---- */

static const char *text_of(const tree *t, const tree_node *object, const char *key) {
    const tree_node *node = rill_tree_member(t, object, key);
    return node && node->kind == TREE_STRING ? node->text : NULL;
}

static rill_status read_steps(const tree *t, const tree_node *object, const char *key, int64_t *steps,
                              rill_error *error) {
    const tree_node *node = rill_tree_member(t, object, key);
    char *end = NULL;
    const long long value = node && node->kind == TREE_PLAIN ? strtoll(node->text, &end, 10) : -1;
    if (!end || *end || value < 0 || value > INT32_MAX)
        return rill_fail(error, RILL_FORMAT, "replay: expected a number of steps as '%s'", key);
    *steps = value;
    return RILL_OK;
}

/* Makes the world that the recording starts with, and sets its step. */
static rill_status start(play_session *s, const tree *t, const tree_node *recording, rill_error *error) {
    const char *text = text_of(t, recording, "scene"), *snapshot = text_of(t, recording, "snapshot");
    int64_t first = 0;
    if (!text) return rill_fail(error, RILL_FORMAT, "replay: the recording has no scene");
    if (rill_tree_member(t, recording, "first_step")) TRY(read_steps(t, recording, "first_step", &first, error));
    TRY(rill_play_open_text(s, text_of(t, recording, "name"), text, error));
    if (!snapshot) return RILL_OK;
    play_bytes bytes = {0};
    if (!rill_play_base64_read(snapshot, &bytes)) {
        rill_play_bytes_free(&bytes);
        return rill_fail(error, RILL_FORMAT, "replay: the snapshot is not base64");
    }
    const rill_status status = rill_play_load(s, bytes.data, bytes.size, error);
    rill_play_bytes_free(&bytes);
    s->step = s->recording.first_step = first;
    return status;
}

/* Ends a replay, complete or not. */
void rill_play_replay_end(play_session *s) {
    rill_tree_free(&s->replay.tree);
    s->replay = (play_replay){.next = TREE_NONE};
}

static void tell_replayed(play_session *s) {
    const play_replay *r = &s->replay;
    play_text t;
    char now[PLAY_HASH_SIZE];
    if (!rill_play_text_begin(&t, "replayed")) return;
    rill_json_integer(&t.json, "steps", s->step);
    rill_json_text(&t.json, "hash", rill_play_hash(s, now));
    rill_json_text(&t.json, "recorded", r->hash);
    rill_json_bool(&t.json, "same", !strcmp(r->hash, now));
    rill_play_text_send(s, PLAY_EVERYBODY, &t);
}

static rill_status replay_input(play_session *s, const tree_node *entry, int64_t *step, rill_error *error) {
    const play_replay *r = &s->replay;
    play_input input;
    TRY(read_steps(&r->tree, entry, "step", step, error));
    if (*step > s->step && *step <= r->last) return RILL_OK; /* due before a later step */
    if (*step != s->step) return rill_fail(error, RILL_FORMAT, "replay: inputs are out of order");
    TRY(rill_play_input_read(&input, &r->tree, entry, rill_world_get_def(s->world)->dim, error));
    if (input.word >= PLAY_RECORDED)
        return rill_fail(error, RILL_FORMAT, "replay: '%s' is not recorded", rill_play_word_name(input.word));
    (void)rill_play_act(s, PLAY_EVERYBODY, &input, NULL); /* an input that was refused then is refused again */
    return RILL_OK;
}

void rill_play_replay_inputs(play_session *s) {
    play_replay *r = &s->replay;
    rill_error error = {0};
    while (r->active && r->next != TREE_NONE) {
        int64_t step = 0;
        const tree_node *entry = &r->tree.nodes[r->next];
        if (replay_input(s, entry, &step, &error)) {
            rill_play_tell_error(s, PLAY_EVERYBODY, "replay", error.text);
            rill_play_replay_end(s);
            return;
        }
        if (step > s->step) break;
        r->next = entry->next;
    }
    if (!r->active || (s->step < r->last && !s->failed)) return;
    tell_replayed(s);
    rill_play_replay_end(s);
    s->playing = false;
    rill_play_tell_info(s, PLAY_EVERYBODY);
}

rill_status rill_play_replay_begin(play_session *s, tree *t, bool fast, rill_error *error) {
    const tree_node *recording = rill_tree_member(t, t->nodes, "recording");
    if (!recording || recording->kind != TREE_OBJECT)
        return rill_fail(error, RILL_FORMAT, "replay: expected a recording");
    const tree_node *inputs = rill_tree_member(t, recording, "inputs");
    int64_t last = 0;
    if (!inputs || inputs->kind != TREE_LIST) return rill_fail(error, RILL_FORMAT, "replay: expected a list of inputs");
    TRY(read_steps(t, recording, "steps", &last, error));
    TRY(start(s, t, recording, error));
    const char *hash = text_of(t, recording, "hash");
    s->replay = (play_replay){.active = true, .fast = fast, .tree = *t, .next = inputs->first, .last = last};
    snprintf(s->replay.hash, sizeof s->replay.hash, "%s", hash ? hash : "");
    *t = (tree){0};
    s->playing = true;
    rill_play_replay_inputs(s);
    return RILL_OK;
}

/* SPDX-License-Identifier: MIT */
/* Replies of a session: a short queue that the host empties. */
#include "play/session.h"

#include <stdlib.h>
#include <string.h>

bool rill_play_bytes_add(play_bytes *b, const void *data, size_t size) {
    if (b->size + size > b->capacity) {
        const size_t capacity = b->size + size + b->capacity / 2 + 256;
        char *grown = realloc(b->data, capacity);
        if (!grown) return false;
        b->data = grown, b->capacity = capacity;
    }
    if (size > 0) memcpy(b->data + b->size, data, size);
    b->size += size;
    return true;
}

void rill_play_bytes_free(play_bytes *b) {
    free(b->data);
    *b = (play_bytes){0};
}

/* When the queue is full, the oldest reply is dropped. */
void rill_play_send(play_session *s, int client, bool binary, char *bytes, size_t size) {
    if (!bytes) return;
    if (s->reply_count == REPLIES_MAX) {
        rill_play_reply_free(&s->replies[s->first_reply]);
        s->first_reply = (s->first_reply + 1) % REPLIES_MAX;
        s->reply_count--;
    }
    s->replies[(s->first_reply + s->reply_count++) % REPLIES_MAX] = (play_reply){client, binary, bytes, size};
}

bool rill_play_reply(play_session *s, play_reply *reply) {
    if (s->reply_count == 0) return false;
    *reply = s->replies[s->first_reply];
    s->first_reply = (s->first_reply + 1) % REPLIES_MAX;
    s->reply_count--;
    return true;
}

void rill_play_reply_free(play_reply *reply) {
    free(reply->bytes);
    *reply = (play_reply){0};
}

bool rill_play_text_begin(play_text *t, const char *is) {
    *t = (play_text){0};
    FILE *out = open_memstream(&t->data, &t->size);
    if (!out) return false;
    t->json = (json){.out = out, .flat = true};
    rill_json_object(&t->json, NULL);
    rill_json_text(&t->json, "is", is);
    return true;
}

void rill_play_text_send(play_session *s, int client, play_text *t) {
    rill_json_end_object(&t->json);
    const bool whole = !ferror(t->json.out);
    if (fclose(t->json.out) != 0 || !whole) {
        free(t->data);
        return;
    }
    rill_play_send(s, client, false, t->data, t->size);
}

void rill_play_tell_error(play_session *s, int client, const char *of, const char *text) {
    play_text t;
    if (!rill_play_text_begin(&t, "error")) return;
    if (of) rill_json_text(&t.json, "of", of);
    rill_json_text(&t.json, "text", text);
    rill_play_text_send(s, client, &t);
}

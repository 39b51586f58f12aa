/* SPDX-License-Identifier: MIT */
/* One viewer. */
#include "apps/cli/view/client.h"

#include <stdlib.h>
#include <string.h>

/* For texts that replace older ones of their kind: how they begin. NULL: the text replaces nothing. */
static const char *kind_of(const blob *b) {
    static const char *const kinds[] = {"{\"is\": \"info\"", "{\"is\": \"numbers\"", "{\"is\": \"shapes\""};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const size_t length = strlen(kinds[k]);
        if (!b->binary && b->size > length && !memcmp(b->data + LWS_PRE, kinds[k], length)) return kinds[k];
    }
    return NULL;
}

static blob **place(client *c, int k) {
    return &c->queue[(c->first + k) % CLIENT_QUEUE_MAX];
}

static void leave_out_replaced(client *c, const blob *newer) {
    const char *kind = kind_of(newer);
    int kept = 0;
    if (!kind) return;
    for (int k = 0; k < c->count; k++) {
        blob *older = *place(c, k);
        if (kind_of(older) == kind)
            blob_drop(older);
        else
            *place(c, kept++) = older;
    }
    c->count = kept;
}

void client_queue(client *c, blob *b) {
    if (!b) return;
    leave_out_replaced(c, b);
    if (c->count == CLIENT_QUEUE_MAX) {
        c->doomed = true;
        blob_drop(b);
    } else {
        *place(c, c->count++) = b;
    }
    lws_callback_on_writable(c->wsi);
}

void client_clear(client *c) {
    for (; c->count > 0; c->count--) {
        blob_drop(c->queue[c->first]);
        c->first = (c->first + 1) % CLIENT_QUEUE_MAX;
    }
    free(c->message);
    *c = (client){0};
}

bool client_collect(client *c, const void *bytes, size_t size, size_t most) {
    if (size > most || c->message_size > most - size) return false;
    if (c->message_size + size > c->message_room) {
        const size_t room = 2 * (c->message_size + size) + 1024;
        char *grown = realloc(c->message, room);
        if (!grown) return false;
        c->message = grown, c->message_room = room;
    }
    if (size > 0) memcpy(c->message + c->message_size, bytes, size);
    c->message_size += size;
    return true;
}

bool client_may_speak(client *c, double now) {
    if (now - c->second >= 1) c->second = now, c->messages = 0;
    return ++c->messages <= 2 * CLIENT_RATE;
}

bool client_is_hungry(const client *c) {
    return c->wsi && c->known && !c->doomed && c->ahead < CLIENT_FRAMES_AHEAD;
}

/* SPDX-License-Identifier: MIT */
/* One viewer: what waits to be sent to it, and what it may do. */
#ifndef RILL_CLI_VIEW_CLIENT_H
#define RILL_CLI_VIEW_CLIENT_H

#include "apps/cli/view/blob.h"

#include <libwebsockets.h>
#include <stdint.h>

#define CLIENT_FRAMES_AHEAD 2    /* frames under way before the first is acknowledged */
#define CLIENT_RATE         1000 /* messages a second; twice that closes the connection */
/* More than a second's messages can be answered with: on a busy machine all of them may be answered at once. */
#define CLIENT_QUEUE_MAX (2 * CLIENT_RATE + 200)

typedef struct client {
    struct lws *wsi; /* NULL: a free place */
    int number;      /* never used twice */
    bool known;      /* has said hello with the token */
    bool doomed;     /* to be closed as soon as it can be told so */
    blob *queue[CLIENT_QUEUE_MAX];
    int first, count;
    uint64_t frame; /* number of the last frame that was sent */
    int ahead;
    char *message; /* that is under way */
    size_t message_size, message_room;
    double second; /* when the counted one began */
    int messages;  /* in it */
    double acted;  /* when it last did something with the hands */
} client;

/* Adds to what is sent, in place of what says the same but is older; who lets too much pile up is doomed. Takes the
   blob. */
void client_queue(client *c, blob *b);
void client_clear(client *c);
/* Adds to the message under way; false: longer than `most`, or no memory. */
bool client_collect(client *c, const void *bytes, size_t size, size_t most);
/* Counts a message; false: faster than anybody can. */
bool client_may_speak(client *c, double now);
bool client_is_hungry(const client *c);

#endif

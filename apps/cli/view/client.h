/* SPDX-License-Identifier: MIT */
/* One viewer: the messages that wait to be sent to it, and its permissions. */
#ifndef RILL_CLI_VIEW_CLIENT_H
#define RILL_CLI_VIEW_CLIENT_H

#include "apps/cli/view/blob.h"

#include <libwebsockets.h>
#include <stdint.h>

#define CLIENT_FRAMES_AHEAD 2    /* frames sent but not yet acknowledged, at most */
#define CLIENT_RATE         1000 /* messages a second; twice as many close the connection */
/* More than the answers to one second's messages: a busy machine may answer all of them at once. */
#define CLIENT_QUEUE_MAX (2 * CLIENT_RATE + 200)

typedef struct client {
    struct lws *wsi; /* NULL: the entry is free */
    int number;      /* never reused */
    bool known;      /* has sent the right token */
    bool doomed;     /* to be closed at the next opportunity */
    blob *queue[CLIENT_QUEUE_MAX];
    int first, count;
    uint64_t frame; /* number of the last frame sent */
    int ahead;
    char *message; /* the message being received */
    size_t message_size, message_room;
    double second; /* when the counted second began */
    int messages;  /* messages in that second */
    double acted;  /* last use of the hands */
} client;

/* Queues a message in place of older ones of its kind; a client whose queue is full is doomed. Takes the blob. */
void client_queue(client *c, blob *b);
void client_clear(client *c);
/* Appends to the message being received; false: it is longer than `most`, or there is no memory. */
bool client_collect(client *c, const void *bytes, size_t size, size_t most);
/* Counts a message; false: too many in this second for any page. */
bool client_may_speak(client *c, double now);
bool client_is_hungry(const client *c);

#endif

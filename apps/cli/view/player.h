/* SPDX-License-Identifier: MIT */
/* The thread that plays: no other thread touches the session. Messages of viewers wait for it in a bounded queue, its
   replies wait in another, and only the newest frame is kept. So no slow connection can delay a step. */
#ifndef RILL_CLI_VIEW_PLAYER_H
#define RILL_CLI_VIEW_PLAYER_H

#include "apps/cli/view/blob.h"
#include "play/play.h"

typedef struct player player;

/* Starts the thread. The session stays the caller's, who must not use it until player_stop. The thread calls `wake`
   whenever there is something to send. */
player *player_start(play_session *session, void (*wake)(void *context), void *context);
void player_stop(player *p); /* NULL is fine */

/* Queues a copy of a message. False: the queue is full. */
bool player_message(player *p, int client, bool binary, const void *bytes, size_t size);
/* Queues info and shapes for a new client. False: the queue is full. */
bool player_welcome(player *p, int client);
/* Tells the player how many viewers there are, and how many are ready for a frame. Without viewers nothing is stepped,
   and without ready ones nothing is drawn. */
void player_watched(player *p, int viewers, int hungry);

/* The next message to a client, or to PLAY_EVERYBODY; NULL: there is none. The caller drops it. */
blob *player_take(player *p, int *client);
/* The newest frame if it is newer than `*number`, which is then updated; NULL: it is not. The caller drops it. */
blob *player_frame(player *p, uint64_t *number);

#endif

/* SPDX-License-Identifier: MIT */
/* The thread that plays: it alone touches the session. Messages of viewers wait for it in a bounded queue; what it has
   to say waits in another, and of frames only the newest is kept. So nobody at the other end of a connection can hold a
   step up. */
#ifndef RILL_CLI_VIEW_PLAYER_H
#define RILL_CLI_VIEW_PLAYER_H

#include "apps/cli/view/blob.h"
#include "play/play.h"

typedef struct player player;

/* Starts the thread; the session stays the caller's, who leaves it alone until player_stop. `wake` is called from the
   thread whenever there is something to send. */
player *player_start(play_session *session, void (*wake)(void *context), void *context);
void player_stop(player *p); /* NULL is fine */

/* Hands over a message, which is copied. False: too many wait already. */
bool player_message(player *p, int client, bool binary, const void *bytes, size_t size);
/* Info and shapes for somebody new. False: too many have come already. */
bool player_welcome(player *p, int client);
/* How many watch, and how many of them would take a frame now: without any nothing is stepped or drawn. */
void player_watched(player *p, int viewers, int hungry);

/* The next message to a client, or PLAY_EVERYBODY; NULL: there is none. The caller drops it. */
blob *player_take(player *p, int *client);
/* The newest frame if it is newer than `*number`, which becomes its number; NULL: it is not. The caller drops it. */
blob *player_frame(player *p, uint64_t *number);

#endif

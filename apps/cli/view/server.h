/* SPDX-License-Identifier: MIT */
/* The server of `rill view`: the page over HTTP, messages and frames over a WebSocket, one thread for all connections.
   Requests are not trusted: hosts and origins are checked, clients need the token, messages and their rates are
   bounded, slow clients skip frames. */
#ifndef RILL_CLI_VIEW_SERVER_H
#define RILL_CLI_VIEW_SERVER_H

#include "play/play.h"

typedef struct view_server view_server;

typedef struct view_server_def {
    const char *bind;   /* address or name to listen on */
    int port;           /* 0: any free port */
    const char *host;   /* another name of this machine that pages may use; NULL: none */
    const char *folder; /* of the page's files */
    const char *scene;  /* name of the scene, for the page */
    play_session *session;
} view_server_def;

/* Prints the error and returns NULL on failure. */
view_server *view_server_start(const view_server_def *def);
void view_server_stop(view_server *v); /* NULL is fine */
/* The address with the token that admits a viewer: "http://127.0.0.1:8123/?token=...". */
const char *view_server_address(const view_server *v);
/* Serves until this returns true. */
void view_server_run(view_server *v, bool (*asked_to_stop)(void));

#endif

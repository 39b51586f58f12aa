/* SPDX-License-Identifier: MIT */
/* What `rill view` serves over HTTP: the page's files, and a few that are made. */
#ifndef RILL_CLI_VIEW_PAGES_H
#define RILL_CLI_VIEW_PAGES_H

#include "apps/cli/view/server.h"

#include <libwebsockets.h>

/* A text that waits until its connection can be written to; libwebsockets keeps it with the connection. */
typedef struct page_answer {
    char *text;
    size_t size;
} page_answer;

/* A request for a path; returns what the callback of libwebsockets has to. */
int pages_serve(const view_server_def *def, struct lws *wsi, page_answer *answer, const char *path);
/* Sends what pages_serve has left to send. */
int pages_write(struct lws *wsi, page_answer *answer);
void pages_drop(page_answer *answer);
/* Whether the request names this machine, and not a name that somebody else let point here. */
bool pages_host_is_ours(const view_server_def *def, struct lws *wsi);
/* Whether the page that connects came from here. */
bool pages_origin_is_ours(struct lws *wsi);

#endif

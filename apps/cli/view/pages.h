/* SPDX-License-Identifier: MIT */
/* The pages that `rill view` serves over HTTP: the page's files, and some that are generated. */
#ifndef RILL_CLI_VIEW_PAGES_H
#define RILL_CLI_VIEW_PAGES_H

#include "apps/cli/view/server.h"

#include <libwebsockets.h>

/* A text that waits until its connection is writable; libwebsockets keeps it with the connection. */
typedef struct page_answer {
    char *text;
    size_t size;
} page_answer;

/* Answers a request for a path; returns the value that libwebsockets' callback must return. */
int pages_serve(const view_server_def *def, struct lws *wsi, page_answer *answer, const char *path);
/* Sends the rest of an answer of pages_serve. */
int pages_write(struct lws *wsi, page_answer *answer);
void pages_drop(page_answer *answer);
/* Whether the request's host is this machine's. Others may let their own name point here (DNS rebinding). */
bool pages_host_is_ours(const view_server_def *def, struct lws *wsi);
/* Whether the connecting page was served from here. */
bool pages_origin_is_ours(struct lws *wsi);

#endif

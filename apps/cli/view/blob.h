/* SPDX-License-Identifier: MIT */
/* Bytes to be sent, shared by all receivers. libwebsockets writes its own header in front of them. */
#ifndef RILL_CLI_VIEW_BLOB_H
#define RILL_CLI_VIEW_BLOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct blob {
    atomic_int refs;
    bool binary;
    size_t size;
    unsigned char data[]; /* LWS_PRE bytes for that header, then the bytes */
} blob;

blob *blob_make(const void *bytes, size_t size, bool binary); /* with one reference; NULL: no memory */
blob *blob_share(blob *b);
void blob_drop(blob *b); /* NULL is fine */

#endif

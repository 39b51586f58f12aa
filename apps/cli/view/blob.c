/* SPDX-License-Identifier: MIT */
/* Bytes to be sent, shared by all receivers. */
#include "apps/cli/view/blob.h"

#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>

blob *blob_make(const void *bytes, size_t size, bool binary) {
    blob *b = malloc(sizeof *b + LWS_PRE + size);
    if (!b) return NULL;
    atomic_init(&b->refs, 1);
    b->binary = binary;
    b->size = size;
    if (size > 0) memcpy(b->data + LWS_PRE, bytes, size);
    return b;
}

blob *blob_share(blob *b) {
    atomic_fetch_add(&b->refs, 1);
    return b;
}

void blob_drop(blob *b) {
    if (b && atomic_fetch_sub(&b->refs, 1) == 1) free(b);
}

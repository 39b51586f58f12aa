/* SPDX-License-Identifier: MIT */
/* Bytes as text, for snapshots in recordings. */
#ifndef RILL_PLAY_BASE64_H
#define RILL_PLAY_BASE64_H

#include "play/session.h"

/* Returns a text to be freed with free(); NULL: no memory. */
char *rill_play_base64(const char *data, size_t size);
/* False if the text is not base64, or there is no memory. */
bool rill_play_base64_read(const char *text, play_bytes *out);

#endif

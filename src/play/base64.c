/* SPDX-License-Identifier: MIT */
/* Bytes as text, for snapshots in recordings (RFC 4648, section 4). */
#include "play/base64.h"

#include <stdlib.h>
#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *rill_play_base64(const char *data, size_t size) {
    const unsigned char *bytes = (const unsigned char *)data;
    char *text = malloc((size + 2) / 3 * 4 + 1), *out = text;
    if (!text) return NULL;
    for (size_t k = 0; k < size; k += 3) {
        const size_t left = size - k;
        const unsigned three = (unsigned)bytes[k] << 16 | (left > 1 ? (unsigned)bytes[k + 1] << 8 : 0u) |
                               (left > 2 ? (unsigned)bytes[k + 2] : 0u);
        *out++ = letters[three >> 18], *out++ = letters[three >> 12 & 63];
        *out++ = left > 1 ? letters[three >> 6 & 63] : '=', *out++ = left > 2 ? letters[three & 63] : '=';
    }
    *out = '\0';
    return text;
}

bool rill_play_base64_read(const char *text, play_bytes *out) {
    size_t length = strlen(text);
    if (length % 4 != 0) return false;
    for (int k = 0; k < 2 && length > 0 && text[length - 1] == '='; k++) length--;
    unsigned bits = 0;
    int count = 0;
    for (size_t k = 0; k < length; k++) {
        const char *found = strchr(letters, text[k]);
        if (!found) return false;
        bits = bits << 6 | (unsigned)(found - letters);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        const unsigned char byte = (unsigned char)(bits >> count & 255);
        if (!rill_play_bytes_add(out, &byte, 1)) return false;
    }
    return true;
}

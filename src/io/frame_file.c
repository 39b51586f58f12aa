/* SPDX-License-Identifier: MIT */
/* Reads frames from any particle file that Rill writes. */
#include "core/decimal.h"
#include "core/error.h"
#include "io/io.h"
#include "io/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *rill_io_span_find(io_span span, const char *word) {
    size_t length = strlen(word);
    while ((size_t)(span.end - span.begin) >= length) {
        const char *hit = memchr(span.begin, word[0], (size_t)(span.end - span.begin) - length + 1);
        if (!hit) return NULL;
        if (memcmp(hit, word, length) == 0) return hit;
        span.begin = hit + 1;
    }
    return NULL;
}

bool rill_io_span_number(io_span span, double *value) {
    double number;
    while (span.begin < span.end && (*span.begin == ' ' || (*span.begin >= '\t' && *span.begin <= '\r'))) span.begin++;
    if (!rill_decimal_read(span.begin, span.end, &number) || !isfinite(number)) return false;
    *value = number;
    return true;
}

bool rill_io_span_count(io_span span, uint64_t limit, uint64_t *value) {
    uint64_t number = 0;
    if (span.begin == span.end) return false;
    for (const char *c = span.begin; c < span.end; c++) {
        if (*c < '0' || *c > '9' || number > (UINT64_MAX - 9) / 10) return false;
        number = number * 10 + (uint64_t)(*c - '0');
    }
    *value = number;
    return number <= limit;
}

static bool starts_with(const void *data, size_t size, const char *word) {
    return size >= strlen(word) && memcmp(data, word, strlen(word)) == 0;
}

rill_status rill_io_read_frame(const char *path, const io_run *run, rill_frame *frame, rill_error *error) {
    void *data;
    size_t size;
    rill_status status = rill_io_read_whole(path, &data, &size, error);
    if (status != RILL_OK) {
        rill_frame_free(frame);
        return status;
    }
    if (starts_with(data, size, "ply")) {
        status = rill_io_parse_ply(data, size, path, run, frame, error);
    } else if (starts_with(data, size, "<?xml") || starts_with(data, size, "<VTKFile")) {
        status = rill_io_parse_vtp(data, size, path, run, frame, error);
    } else {
        rill_frame_free(frame);
        status =
            rill_fail(error, RILL_FORMAT,
                      "%s: is not a file that holds a frame; expected a .vtp or .ply as written by this tool", path);
    }
    free(data);
    return status;
}

/* SPDX-License-Identifier: MIT */
/* Readers of frames from memory. Nothing in the bytes is trusted: every size, offset and count is checked. */
#ifndef RILL_IO_PARSE_H
#define RILL_IO_PARSE_H

#include "io/io.h"

/* `path` is for messages only. On error the frame is left empty. */
rill_status rill_io_parse_vtp(const void *data, size_t size, const char *path, const io_run *run, rill_frame *frame,
                              rill_error *error);
rill_status rill_io_parse_ply(const void *data, size_t size, const char *path, const io_run *run, rill_frame *frame,
                              rill_error *error);

/* A piece of text, not necessarily terminated by a zero. */
typedef struct io_span {
    const char *begin, *end;
} io_span;

/* The first place of `word` in the span, or NULL. */
const char *rill_io_span_find(io_span span, const char *word);
/* The number at the start of the span (after blanks); false if there is none or it is not finite. */
bool rill_io_span_number(io_span span, double *value);
/* An integer in [0, limit]; false for anything else. */
bool rill_io_span_count(io_span span, uint64_t limit, uint64_t *value);

#endif

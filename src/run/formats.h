/* SPDX-License-Identifier: MIT */
/* Lists of file formats such as "vtp,ply". */
#ifndef RILL_RUN_FORMATS_H
#define RILL_RUN_FORMATS_H

#include "rill/base.h"

/* Formats of frames and of bodies. */
#define RUN_FRAME_FORMATS "vtp|ply|none"
#define RUN_BODY_FORMATS  "csv|vtp|obj|none"
enum { RUN_FORMATS_MAX = 8 };

/* Sets `chosen[k]` for each word in `list` that is word k of `known`. */
rill_status rill_run_read_formats(const char *list, const char *known, bool chosen[RUN_FORMATS_MAX], rill_error *error);

#endif

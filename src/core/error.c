/* SPDX-License-Identifier: MIT */
/* Filling a rill_error. */
#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>

rill_status(rill_fail)(rill_error *error, rill_status status, const char *format, ...) {
    if (!error) return status;
    error->status = status;
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return status;
}

const char *rill_status_name(rill_status status) {
    switch (status) {
    case RILL_OK:
        return "ok";
    case RILL_INVALID:
        return "invalid argument";
    case RILL_MEMORY:
        return "out of memory";
    case RILL_NOT_FOUND:
        return "not found";
    case RILL_FORMAT:
        return "bad format";
    case RILL_IO:
        return "input/output error";
    case RILL_BLOW_UP:
        return "blow-up";
    case RILL_LIMIT:
        return "limit reached";
    }
    return "unknown status";
}

const char *rill_version(void) {
    return RILL_VERSION_TEXT;
}

/* SPDX-License-Identifier: MIT */
/* Filling a rill_error. */
#ifndef RILL_CORE_ERROR_H
#define RILL_CORE_ERROR_H

#include "rill/base.h"

#if defined(__MINGW32__)
#define RILL_PRINTF gnu_printf
#else
#define RILL_PRINTF printf
#endif
/* Writes the message (cut to fit) and returns `status`, so that a check is one line. `error` may be NULL. */
rill_status rill_fail(rill_error *error, rill_status status, const char *format, ...)
    __attribute__((format(RILL_PRINTF, 3, 4)));

/* Leaves the function with the status of `call` unless that is RILL_OK. */
#define TRY(call)                                     \
    do {                                              \
        const rill_status try_status = (call);        \
        if (try_status != RILL_OK) return try_status; \
    } while (0)

#ifdef __clang_analyzer__
/* Tells clang-tidy that rill_fail returns `status`, so that a failure is not taken for a success. */
#define rill_fail(error, status, ...) ((void)(rill_fail)(error, status, __VA_ARGS__), (status))
#endif

#endif

/* SPDX-License-Identifier: MIT */
/* Filling a rill_error. */
#ifndef RILL_CORE_ERROR_H
#define RILL_CORE_ERROR_H

#include "rill/base.h"

/* Writes the message (cut to fit) and returns `status`, so that a check is one line. `error` may be NULL. */
rill_status rill_fail(rill_error *error, rill_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __clang_analyzer__
/* Or clang-tidy takes a failure for a possible success. */
#define rill_fail(error, status, ...) ((void)(rill_fail)(error, status, __VA_ARGS__), (status))
#endif

#endif

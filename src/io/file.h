/* SPDX-License-Identifier: MIT */
/* Messages that the writers and readers of this folder share. */
#ifndef RILL_IO_FILE_H
#define RILL_IO_FILE_H

#include "rill/base.h"

/* What a user can do about an errno. */
const char *io_advice(int reason);
/* "PATH: cannot WHAT: strerror; advice", with RILL_IO. */
rill_status io_fail(rill_error *error, int reason, const char *what, const char *path);

#endif

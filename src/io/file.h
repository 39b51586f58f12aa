/* SPDX-License-Identifier: MIT */
/* Tools shared by the readers and writers of files: messages, and opening a file for reading. */
#ifndef RILL_IO_FILE_H
#define RILL_IO_FILE_H

#include "rill/base.h"

/* Advice to the user about an errno. */
const char *rill_io_advice(int reason);
/* "PATH: cannot WHAT: strerror; advice", with RILL_IO. */
rill_status rill_io_fail(rill_error *error, int reason, const char *what, const char *path);
/* Opens a regular file for reading. Pipes and devices are refused: they could block the reader or never end. Returns a
   descriptor, or -1 with a message. */
int rill_io_open_input(const char *path, rill_error *error);

#endif

/* SPDX-License-Identifier: MIT */
/* Tools shared by the writers and readers of files: messages, and opening a file to be read. */
#ifndef RILL_IO_FILE_H
#define RILL_IO_FILE_H

#include "rill/base.h"

/* Advice to the user about an errno. */
const char *rill_io_advice(int reason);
/* "PATH: cannot WHAT: strerror; advice", with RILL_IO. */
rill_status rill_io_fail(rill_error *error, int reason, const char *what, const char *path);
/* Opens a regular file for reading; a pipe or a device could keep its reader waiting, or never end. Returns a
   descriptor, or -1 with a message. */
int rill_io_open_input(const char *path, rill_error *error);

#endif

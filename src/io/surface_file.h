/* SPDX-License-Identifier: MIT */
/* Formats of surface meshes. */
#ifndef RILL_IO_SURFACE_FILE_H
#define RILL_IO_SURFACE_FILE_H

#include "rill/io.h"

/* "ply", "obj", "vtp", "glb": names and file endings. */
const char *rill_io_surface_ending(rill_surface_format format);

#endif

/* SPDX-License-Identifier: MIT */
/* Files of frames, surfaces and snapshots. Each file is written under a temporary name and then renamed, so that a
   reader never meets half a file, nor does a crash or a full disk leave one. All calls return RILL_IO if the file
   system fails. This header belongs to the shared library and the tool, not to the engine alone. */
#ifndef RILL_IO_H
#define RILL_IO_H

#include "rill/rill.h"

/* ---- frames ---- */

/* Writes a frame as VTK PolyData or as binary PLY: particles with all their fields, in the order of the frame, and the
   poses of solids, bodies and joints. */
RILL_API rill_status rill_io_write_vtp(const rill_frame *frame, const char *path, rill_error *error);
RILL_API rill_status rill_io_write_ply(const rill_frame *frame, const char *path, rill_error *error);

/* The data that all frames of a run share. All zero: nothing is known, and frames are read without solids. */
typedef struct rill_io_run {
    const rill_shape_set *shapes;
    const rill_solid_def *solids; /* one for each shape; for their names */
    const rill_fluid_def *fluids;
    int fluid_count;
    const rill_emitter_def *emitters;
    int emitter_count;
    const rill_gauge_def *gauges;
    int gauge_count;
} rill_io_run;
/* Reads an owned frame from a file that one of the two functions above wrote; its first bytes say which. `run` may be
   NULL; otherwise it must outlive the frame. `frame` must be zero or filled before. On error it is left empty;
   RILL_FORMAT: not such a file. */
RILL_API rill_status rill_io_read_frame(const char *path, const rill_io_run *run, rill_frame *frame, rill_error *error);

/* ---- surfaces: triangles in 3D, lines in 2D, with normals, velocities and fluids ---- */

typedef enum rill_surface_format {
    RILL_SURFACE_PLY, /* binary; velocities as vx vy vz */
    RILL_SURFACE_OBJ, /* text; without velocities, which the format cannot hold */
    RILL_SURFACE_VTP, /* VTK PolyData, raw appended data */
    RILL_SURFACE_GLB, /* binary glTF 2.0; velocities as _VELOCITY */
    RILL_SURFACE_FORMATS
} rill_surface_format;
/* Writes a mesh and its time [s]. */
RILL_API rill_status rill_io_write_surface(const rill_surface_mesh *mesh, double time, rill_surface_format format,
                                           const char *path, rill_error *error);

/* ---- snapshots: rill_world_save and rill_world_load with files ---- */

RILL_API rill_status rill_io_save_snapshot(rill_world *world, const char *path, rill_error *error);
RILL_API rill_world *rill_io_load_snapshot(const char *path, const rill_world_def *hooks, rill_error *error);

/* A cache of distance fields in a folder, for rill_world_def; NULL: the user's cache folder. The text `folder` must
   outlive the world. */
RILL_API rill_cache rill_io_cache(const char *folder);

#endif

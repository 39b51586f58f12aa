/* SPDX-License-Identifier: MIT */
/* Files of frames, surfaces and snapshots. Every file is written under a temporary name and renamed, so that a reader,
   a crash or a full disk never meets half a file. Part of the shared library and of the tool, not of the engine alone.
 */
#ifndef RILL_IO_H
#define RILL_IO_H

#include "rill/rill.h"

/* ---- frames ---- */

/* Particles with all their fields in the order of the frame, and where solids, bodies and joints are: VTK PolyData, or
   binary PLY. */
RILL_API rill_status rill_io_write_vtp(const rill_frame *frame, const char *path, rill_error *error);
RILL_API rill_status rill_io_write_ply(const rill_frame *frame, const char *path, rill_error *error);

/* The data that all frames of a run share; zero: nothing is known, and frames are read without solids. */
typedef struct rill_io_run {
    const rill_shape_set *shapes;
    const rill_solid_def *solids; /* names; one for each shape */
    const rill_fluid_def *fluids;
    int fluid_count;
    const rill_emitter_def *emitters;
    int emitter_count;
    const rill_gauge_def *gauges;
    int gauge_count;
} rill_io_run;
/* An owned frame from a file as written above, told apart by its first bytes. `run` may be NULL, or outlives the frame.
   `frame` is zero or was filled before; on error it is empty. */
RILL_API rill_status rill_io_read_frame(const char *path, const rill_io_run *run, rill_frame *frame, rill_error *error);

/* ---- surfaces: triangles in 3D, lines in 2D, with normals, velocities and fluids ---- */

typedef enum rill_surface_format {
    RILL_SURFACE_PLY, /* binary; velocities as vx vy vz */
    RILL_SURFACE_OBJ, /* text; no velocities, for the format has no place for them */
    RILL_SURFACE_VTP, /* VTK PolyData, raw appended data */
    RILL_SURFACE_GLB, /* binary glTF 2.0; velocities as _VELOCITY */
    RILL_SURFACE_FORMATS
} rill_surface_format;
RILL_API rill_status rill_io_write_surface(const rill_surface_mesh *mesh, double time, rill_surface_format format,
                                           const char *path, rill_error *error);

/* ---- snapshots: rill_world_save and rill_world_load with files ---- */

RILL_API rill_status rill_io_save_snapshot(rill_world *world, const char *path, rill_error *error);
RILL_API rill_world *rill_io_load_snapshot(const char *path, const rill_world_def *hooks, rill_error *error);

/* A world's store of distance fields in `folder` (NULL: the user's cache folder), which must outlive the world. */
RILL_API rill_cache rill_io_cache(const char *folder);

#endif

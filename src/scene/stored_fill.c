/* SPDX-License-Identifier: MIT */
/* Reads the frames that blocks name: particles of the block's fluid, in the order of their ids. */
#include "scene/stored_fill.h"

#include "core/error.h"
#include "rill/io.h"
#include "scene/meshes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative difference of spacings. A frame with another spacing has particles of another mass. Frames store all digits
   of a float. */
#define SPACING_TOLERANCE 1e-4

/* The number of the block's fluid in a frame; -1: the scene has a single fluid, which takes all particles. */
static int wanted_fluid(const scene *s, const rill_block_def *block) {
    if (s->fluid_count < 2) return -1;
    for (int k = 0; k < s->fluid_count; k++)
        if (strcmp(s->fluids[k].name, block->fluid_name) == 0) return k;
    return 0;
}

static rill_status check_frame(const scene *s, const rill_frame *frame, const char *path, rill_error *error) {
    const double spacing = (double)s->world.spacing, stored = (double)frame->spacing;
    if (frame->dim != s->world.dim)
        return rill_fail(error, RILL_INVALID, "frame: %s is of a %dD world; expected %dD", path, (int)frame->dim,
                         (int)s->world.dim);
    if (!(fabs(stored - spacing) <= SPACING_TOLERANCE * spacing))
        return rill_fail(error, RILL_INVALID,
                         "frame: %s has particles %g m apart; expected the spacing of this world, %g m", path, stored,
                         spacing);
    return RILL_OK;
}

/* A place of the frame, relative to another origin. */
static rill_vec measured_from(rill_vec origin, const rill_frame *frame, rill_vec place) {
    const rill_vec own = frame->origin;
    return (rill_vec){place.x + (own.x - origin.x), place.y + (own.y - origin.y), place.z + (own.z - origin.z)};
}

static rill_status take_particles(const scene *s, const rill_frame *frame, rill_block_def *block, rill_error *error) {
    const int fluid = wanted_fluid(s, block);
    const size_t room = sizeof(rill_vec) * ((size_t)frame->count + 1);
    const rill_view *position = rill_frame_field(frame, "position"), *velocity = rill_frame_field(frame, "velocity"),
                    *fluids = rill_frame_field(frame, "fluid");
    rill_vec *places = malloc(room), *velocities = malloc(room);
    int n = 0;
    for (int k = 0; places && velocities && k < frame->count; k++) {
        const uint64_t phase = fluids ? rill_frame_uint(frame, fluids, k) : 0;
        if (phase >= RILL_PHASE_CLOTH || (fluid >= 0 && fluids && (int)phase != fluid)) continue;
        places[n] = measured_from(s->world.origin, frame, rill_frame_vec(frame, position, k));
        velocities[n++] = rill_frame_vec(frame, velocity, k);
    }
    block->places = (rill_points){places, n}, block->velocities = (rill_points){velocities, n};
    return places && velocities ? RILL_OK : rill_fail(error, RILL_MEMORY, "no memory for %d particles", frame->count);
}

rill_status rill_scene_read_stored(const scene *s, rill_block_def *block, rill_error *error) {
    char path[SCENE_PATH_SIZE];
    if (block->fill != RILL_FILL_STORED) return RILL_OK;
    if (!rill_scene_find_near(s, block->frame, path))
        return rill_fail(error, RILL_NOT_FOUND, "frame: no file '%s' next to the scene or in the working directory",
                         block->frame);
    rill_frame frame = {0};
    rill_status status = rill_io_read_frame(path, NULL, &frame, error);
    if (status == RILL_OK) status = check_frame(s, &frame, path, error);
    if (status == RILL_OK) status = take_particles(s, &frame, block, error);
    rill_frame_free(&frame);
    return status;
}

void rill_scene_free_stored(rill_block_def *block) {
    void *places, *velocities;
    memcpy(&places, &block->places.data, sizeof places);
    memcpy(&velocities, &block->velocities.data, sizeof velocities);
    free(places);
    free(velocities);
}

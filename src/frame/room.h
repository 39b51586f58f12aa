/* SPDX-License-Identifier: MIT */
/* The arrays that a frame owns, all in one block of memory, which is used again when the frame is refilled. */
#ifndef RILL_FRAME_ROOM_H
#define RILL_FRAME_ROOM_H

#include "rill/frame.h"

typedef struct frame_sizes {
    int count; /* particles */
    int fields, fluids, shapes, solids, bodies, joints, emitters, gauges;
    int link_sets, link_values; /* sets, and values of all of them */
    size_t words;               /* of 32 bits: arrays of values that the frame owns, or scratch while it is filled */
    size_t text;                /* bytes of the names, units and meanings of fields and links */
} frame_sizes;

/* The frame's arrays, to be filled; all but `data` start as zeros. */
typedef struct frame_room {
    rill_view *field;
    rill_fluid_def *fluid;
    const rill_shape **shape;
    rill_frame_solid *solid;
    rill_frame_body *body;
    rill_frame_joint *joint;
    rill_emitter_def *emitter;
    rill_gauge_def *gauge;
    rill_frame_links *links;
    rill_view *link_value;
    uint32_t *data;
    char *text;
} frame_room;

/* Words for an array of so many scalars: an even number, so that an array of 64-bit scalars may follow. */
static inline size_t frame_words(rill_scalar scalar, size_t scalars) {
    return (rill_scalar_size(scalar) / 4 * scalars + 1) & ~(size_t)1;
}

/* Gives the frame arrays of these sizes instead of its old ones. On error it is left empty. */
rill_status rill_frame_make_room(rill_frame *frame, const frame_sizes *sizes, frame_room *room, rill_error *error);

/* Copies `text` to `*next`, moves `*next` behind the copy and returns the copy; NULL stays NULL. */
const char *rill_frame_put_text(char **next, const char *text);
/* Bytes that rill_frame_put_text needs. */
size_t rill_frame_text_size(const char *text);

#endif

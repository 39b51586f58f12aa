/* SPDX-License-Identifier: MIT */
/* The arrays that a frame owns: all in one block of memory, which the next frame uses again. */
#ifndef RILL_FRAME_ROOM_H
#define RILL_FRAME_ROOM_H

#include "rill/frame.h"

typedef struct frame_sizes {
    int count; /* particles */
    int fields, fluids, shapes, solids, bodies, joints, emitters, gauges;
    int link_sets, link_values; /* values of all sets */
    size_t words;               /* of 32 bits: the arrays that the frame holds itself, or scratch while it is filled */
    size_t text;                /* bytes of the names, units and meanings of fields and links */
} frame_sizes;

/* The frame's arrays while they are filled; all but `data` are zero at first. */
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

/* Words that an array of so many scalars takes: an even number, so that the next one may be of 64 bits. */
static inline size_t frame_words(rill_scalar scalar, size_t scalars) {
    return (rill_scalar_size(scalar) / 4 * scalars + 1) & ~(size_t)1;
}

/* Gives the frame arrays of these sizes in place of those it had. On error it is left empty. */
rill_status rill_frame_make_room(rill_frame *frame, const frame_sizes *sizes, frame_room *room, rill_error *error);

/* Copies `text` to `*next`, moves that behind it, and returns the copy; NULL stays NULL. */
const char *rill_frame_put_text(char **next, const char *text);
/* Bytes that rill_frame_put_text takes. */
size_t rill_frame_text_size(const char *text);

#endif

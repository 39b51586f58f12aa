/* SPDX-License-Identifier: MIT */
/* The id order of a frame. */
#include "io/frame.h"

#include "core/error.h"

#include <stdlib.h>

/* Stable radix sort of the order by id, a byte at a time; bytes that are equal in all ids cost one count. */
static void sort_by_id(const rill_view *ids, uint32_t *order, uint32_t *scratch, int count) {
    uint32_t *from = order, *to = scratch;
    for (int shift = 0; shift < 32; shift += 8) {
        size_t start[257] = {0};
        for (int k = 0; k < count; k++) start[(io_view_bits(ids, from[k], 0) >> shift & 255) + 1]++;
        bool all_equal = start[(io_view_bits(ids, from[0], 0) >> shift & 255) + 1] == (size_t)count;
        if (all_equal) continue;
        for (int b = 0; b < 256; b++) start[b + 1] += start[b];
        for (int k = 0; k < count; k++) to[start[io_view_bits(ids, from[k], 0) >> shift & 255]++] = from[k];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from == order) return;
    for (int k = 0; k < count; k++) order[k] = from[k];
}

rill_status io_frame_open(io_frame *frame, const rill_world *world, rill_error *error) {
    const rill_world_def *def = rill_world_get_def(world);
    *frame = (io_frame){.world = world,
                        .dim = def->dim,
                        .count = rill_world_particle_count(world),
                        .time = rill_world_stats(world)->time,
                        .spacing = def->spacing};
    rill_view ids;
    if (rill_world_view(world, "id", &ids) != RILL_OK)
        return rill_fail(error, RILL_NOT_FOUND, "this world has no particle ids, which frames are ordered by");
    size_t count = (size_t)frame->count;
    frame->order = malloc((count + 1) * sizeof *frame->order);
    uint32_t *scratch = malloc((count + 1) * sizeof *scratch);
    if (!frame->order || !scratch) {
        free(scratch);
        io_frame_close(frame);
        return rill_fail(error, RILL_MEMORY, "not enough memory to order %zu particles for writing", count);
    }
    for (size_t k = 0; k < count; k++) frame->order[k] = (uint32_t)k;
    if (count > 0) sort_by_id(&ids, frame->order, scratch, frame->count);
    free(scratch);
    return RILL_OK;
}

void io_frame_close(io_frame *frame) {
    free(frame->order);
    frame->order = NULL;
}

/* SPDX-License-Identifier: MIT */
/* The layout of a frame's memory. */
#include "frame/room.h"

#include "core/alloc.h"
#include "core/error.h"

#include <string.h>

#define PART_ALIGNMENT 16

/* Takes parts of a block of memory. With a NULL base it only measures them. */
typedef struct layout {
    char *base;
    size_t size;
} layout;

static void *take(layout *l, size_t item, size_t count) {
    void *part = l->base ? l->base + l->size : NULL;
    l->size += (item * count + PART_ALIGNMENT - 1) & ~(size_t)(PART_ALIGNMENT - 1);
    return part;
}

/* First the order of the particles and the same size again for sorting, which rill_frame_order_by_id expects there. */
static void lay_out(layout *l, const frame_sizes *s, frame_room *r) {
    (void)take(l, 2 * sizeof(int32_t), (size_t)s->count);
    r->field = take(l, sizeof *r->field, (size_t)s->fields);
    r->fluid = take(l, sizeof *r->fluid, (size_t)s->fluids);
    r->shape = take(l, sizeof *r->shape, (size_t)s->shapes);
    r->solid = take(l, sizeof *r->solid, (size_t)s->solids);
    r->body = take(l, sizeof *r->body, (size_t)s->bodies);
    r->joint = take(l, sizeof *r->joint, (size_t)s->joints);
    r->emitter = take(l, sizeof *r->emitter, (size_t)s->emitters);
    r->gauge = take(l, sizeof *r->gauge, (size_t)s->gauges);
    r->links = take(l, sizeof *r->links, (size_t)s->link_sets);
    r->link_value = take(l, sizeof *r->link_value, (size_t)s->link_values);
    r->text = take(l, 1, s->text);
    r->data = take(l, sizeof *r->data, s->words);
}

/* Clears all but the order and the values, which are written in full. */
static void clear_items(const frame_room *r) {
    char *first = (char *)r->field, *end = (char *)r->data;
    memset(first, 0, (size_t)(end - first));
}

static bool reserve(rill_frame *frame, size_t size) {
    if (size <= frame->room_size) return true;
    memory m;
    rill_memory_init(&m, &frame->allocator);
    /* With room to spare, because an emitter adds particles in almost every frame. */
    const size_t wanted = size + size / 4;
    void *room = rill_memory_get(&m, wanted);
    if (!room) return false;
    rill_memory_release(&m, frame->room, frame->room_size);
    frame->room = room, frame->room_size = wanted;
    return true;
}

rill_status rill_frame_make_room(rill_frame *frame, const frame_sizes *s, frame_room *room, rill_error *error) {
    layout l = {0};
    lay_out(&l, s, room);
    const rill_frame held = *frame;
    *frame = (rill_frame){
        .step = -1, .time = -1.0, .allocator = held.allocator, .room = held.room, .room_size = held.room_size};
    if (!reserve(frame, l.size + PART_ALIGNMENT))
        return rill_fail(error, RILL_MEMORY, "no memory for a frame of %d particles", s->count);
    l = (layout){.base = frame->room};
    lay_out(&l, s, room);
    clear_items(room);
    frame->count = s->count;
    frame->field = room->field, frame->field_count = s->fields;
    frame->fluid = room->fluid, frame->fluid_count = s->fluids;
    frame->shape = room->shape, frame->shape_count = s->shapes;
    frame->solid = room->solid, frame->solid_count = s->solids;
    frame->body = room->body, frame->body_count = s->bodies;
    frame->joint = room->joint, frame->joint_count = s->joints;
    frame->emitter = room->emitter, frame->emitter_count = s->emitters;
    frame->gauge = room->gauge, frame->gauge_count = s->gauges;
    frame->links = room->links, frame->links_count = s->link_sets;
    return RILL_OK;
}

size_t rill_frame_text_size(const char *text) {
    return text ? strlen(text) + 1 : 0;
}

const char *rill_frame_put_text(char **next, const char *text) {
    if (!text) return NULL;
    char *copy = *next;
    memcpy(copy, text, strlen(text) + 1);
    *next += strlen(text) + 1;
    return copy;
}

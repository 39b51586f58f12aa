/* SPDX-License-Identifier: MIT */
/* Operations on frames of any origin: reading values, ordering, copying, distances to solids, freeing. */
#include "core/alloc.h"
#include "core/error.h"
#include "frame/room.h"

#include <math.h>
#include <string.h>

void rill_frame_free(rill_frame *frame) {
    if (!frame) return;
    memory m;
    rill_memory_init(&m, &frame->allocator);
    rill_memory_release(&m, frame->room, frame->room_size);
    *frame = (rill_frame){0};
}

/* ---- values ---- */

const rill_view *rill_frame_field(const rill_frame *frame, const char *name) {
    for (int k = 0; k < frame->field_count; k++)
        if (strcmp(frame->field[k].name, name) == 0) return &frame->field[k];
    return NULL;
}

static size_t place_of(const rill_frame *frame, const rill_view *field, int k) {
    return (size_t)(frame->order ? frame->order[k] : k) * (size_t)field->stride;
}

uint64_t rill_frame_uint(const rill_frame *frame, const rill_view *field, int k) {
    if (!field) return 0;
    const size_t place = place_of(frame, field, k);
    return field->scalar == RILL_SCALAR_UINT64 ? ((const uint64_t *)field->data)[place]
                                               : ((const uint32_t *)field->data)[place];
}

float rill_frame_number(const rill_frame *frame, const rill_view *field, int k) {
    return field ? ((const float *)field->data)[place_of(frame, field, k)] : 0.0f;
}

rill_vec rill_frame_vec(const rill_frame *frame, const rill_view *field, int k) {
    if (!field) return (rill_vec){0, 0, 0};
    const float *from = (const float *)field->data + place_of(frame, field, k);
    return (rill_vec){from[0], field->components > 1 ? from[1] : 0.0f, field->components > 2 ? from[2] : 0.0f};
}

/* ---- solids ---- */

const rill_shape *rill_frame_shape(const rill_frame *frame, int solid) {
    return frame->shape[frame->solid[solid].shape];
}

float rill_frame_distance(const rill_frame *frame, int solid, rill_vec point, rill_vec *normal) {
    float distance = HUGE_VALF;
    const rill_frame_solid *s = &frame->solid[solid];
    if (normal) *normal = (rill_vec){0, 0, 0};
    const rill_status status =
        frame->world ? rill_world_solid_distance(frame->world, rill_world_solid_at(frame->world, solid), point,
                                                 &distance, normal)
                     : rill_shape_set_distance(frame->shapes, s->shape, &s->transform, point, &distance, normal);
    return status == RILL_OK && !isnan(distance) ? distance : HUGE_VALF;
}

/* ---- order ---- */

/* Stable radix sort of the order by id, one byte at a time. A byte that is equal in all ids costs only a count. */
static const int32_t *sort_by_id(const rill_frame *frame, const rill_view *ids, int32_t *order, int32_t *scratch) {
    int32_t *from = order, *to = scratch;
    for (int k = 0; k < frame->count; k++) from[k] = k;
    for (int shift = 0; shift < 8 * (int)rill_scalar_size(ids->scalar); shift += 8) {
        size_t start[257] = {0};
        for (int k = 0; k < frame->count; k++) start[(rill_frame_uint(frame, ids, from[k]) >> shift & 255) + 1]++;
        const bool all_equal = start[(rill_frame_uint(frame, ids, from[0]) >> shift & 255) + 1] == (size_t)frame->count;
        if (all_equal) continue;
        for (int b = 0; b < 256; b++) start[b + 1] += start[b];
        for (int k = 0; k < frame->count; k++)
            to[start[rill_frame_uint(frame, ids, from[k]) >> shift & 255]++] = from[k];
        int32_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

rill_status rill_frame_order_by_id(rill_frame *frame, rill_error *error) {
    const rill_view *ids = frame ? rill_frame_field(frame, "id") : NULL;
    if (!ids) return rill_fail(error, RILL_NOT_FOUND, "frame: the particles have no ids to be ordered by");
    if (!frame->room) return rill_fail(error, RILL_INVALID, "frame: only frames that Rill has filled can be ordered");
    int32_t *order = frame->room;
    frame->order = NULL;
    if (frame->count > 0) frame->order = sort_by_id(frame, ids, order, order + frame->count);
    return RILL_OK;
}

/* ---- copies ---- */

static void add_view(frame_sizes *s, const rill_view *v, int count) {
    s->words += frame_words(v->scalar, (size_t)v->components * (size_t)count);
    s->text += rill_frame_text_size(v->name) + rill_frame_text_size(v->unit) + rill_frame_text_size(v->doc);
}

static frame_sizes sizes_of(const rill_frame *from, bool solids) {
    frame_sizes s = {.count = from->count,
                     .fields = from->field_count,
                     .fluids = from->fluid_count,
                     .shapes = solids ? from->shape_count : 0,
                     .solids = solids ? from->solid_count : 0,
                     .bodies = solids ? from->body_count : 0,
                     .joints = solids ? from->joint_count : 0,
                     .emitters = from->emitter_count,
                     .gauges = from->gauge_count};
    s.link_sets = from->links_count;
    for (int k = 0; k < from->field_count; k++) add_view(&s, &from->field[k], from->count);
    for (int n = 0; n < from->links_count; n++) {
        const rill_frame_links *l = &from->links[n];
        s.link_values += l->value_count;
        s.words += frame_words(RILL_SCALAR_INT32, (size_t)l->ends * (size_t)l->count);
        s.text += rill_frame_text_size(l->name) + rill_frame_text_size(l->doc);
        for (int k = 0; k < l->value_count; k++) add_view(&s, &l->value[k], l->count);
    }
    return s;
}

/* Where the next copies go, in memory that sizes_of has measured. */
typedef struct copying {
    uint32_t *data;
    char *text;
} copying;

/* Copies the values of a field in the order of `order`, packed. */
static rill_view copy_view(copying *to, const rill_view *v, int count, const int32_t *order) {
    rill_view copy = *v;
    copy.name = rill_frame_put_text(&to->text, v->name);
    copy.unit = rill_frame_put_text(&to->text, v->unit);
    copy.doc = rill_frame_put_text(&to->text, v->doc);
    copy.stride = v->components, copy.data = to->data;
    const size_t scalar = rill_scalar_size(v->scalar), size = scalar * (size_t)v->components;
    char *next = (char *)to->data;
    for (int k = 0; k < count; k++, next += size)
        memcpy(next, (const char *)v->data + (size_t)(order ? order[k] : k) * (size_t)v->stride * scalar, size);
    to->data += frame_words(v->scalar, (size_t)v->components * (size_t)count);
    return copy;
}

/* Links refer to particles by index, and the copy has particles in another order: inverse[i] is the index in the copy
   of particle i of `from`. NULL: the order is the same. */
static void copy_links(copying *to, const rill_frame *from, const int32_t *inverse, frame_room *room) {
    rill_view *value = room->link_value;
    for (int n = 0; n < from->links_count; n++) {
        const rill_frame_links *l = &from->links[n];
        rill_frame_links *copy = &room->links[n];
        *copy = *l;
        copy->name = rill_frame_put_text(&to->text, l->name), copy->doc = rill_frame_put_text(&to->text, l->doc);
        copy->particle = (const int32_t *)to->data, copy->value = value;
        for (int k = 0; k < l->ends * l->count; k++)
            to->data[k] = (uint32_t)(inverse ? inverse[l->particle[k]] : l->particle[k]);
        to->data += frame_words(RILL_SCALAR_INT32, (size_t)l->ends * (size_t)l->count);
        for (int k = 0; k < l->value_count; k++) *value++ = copy_view(to, &l->value[k], l->count, NULL);
    }
}

/* `scratch` has room for one number for each particle. */
static void copy_arrays(const rill_frame *from, frame_room *room, int32_t *scratch) {
    copying to = {room->data, room->text};
    for (int f = 0; f < from->field_count; f++)
        room->field[f] = copy_view(&to, &from->field[f], from->count, from->order);
    for (int k = 0; from->order && k < from->count; k++) scratch[from->order[k]] = k;
    copy_links(&to, from, from->order ? scratch : NULL, room);
}

static void copy_items(void *to, const void *from, size_t size, int count) {
    if (count > 0) memcpy(to, from, size * (size_t)count);
}

rill_status rill_frame_copy(rill_frame *frame, const rill_frame *from, const rill_shape_set *shapes,
                            rill_error *error) {
    if (!frame || !from || frame == from) return rill_fail(error, RILL_INVALID, "frame: there is nothing to copy");
    if (shapes && rill_shape_set_count(shapes) < from->shape_count)
        return rill_fail(error, RILL_INVALID, "frame: the set has %d shapes, the frame has %d",
                         rill_shape_set_count(shapes), (int)from->shape_count);
    frame_room room;
    const frame_sizes sizes = sizes_of(from, shapes != NULL);
    TRY(rill_frame_make_room(frame, &sizes, &room, error));
    frame->dim = from->dim, frame->step = from->step, frame->time = from->time;
    frame->spacing = from->spacing, frame->support = from->support, frame->gravity = from->gravity;
    frame->periodic = from->periodic, frame->periodic_origin = from->periodic_origin;
    frame->origin = from->origin;
    frame->shapes = shapes;
    copy_arrays(from, &room, frame->room);
    copy_items(room.fluid, from->fluid, sizeof *room.fluid, sizes.fluids);
    copy_items(room.solid, from->solid, sizeof *room.solid, sizes.solids);
    copy_items(room.body, from->body, sizeof *room.body, sizes.bodies);
    copy_items(room.joint, from->joint, sizeof *room.joint, sizes.joints);
    copy_items(room.emitter, from->emitter, sizeof *room.emitter, sizes.emitters);
    copy_items(room.gauge, from->gauge, sizeof *room.gauge, sizes.gauges);
    for (int k = 0; k < sizes.shapes; k++) room.shape[k] = rill_shape_set_at(shapes, k);
    return RILL_OK;
}

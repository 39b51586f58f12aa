/* SPDX-License-Identifier: MIT */
/* A field as bytes: a header, block numbers, corners, nodes. Numbers have the machine's byte order, which the header
   records; machines of another order refuse the bytes. */
#include "core/error.h"
#include "core/hash.h"
#include "geometry/field.h"

#include <string.h>

#define BYTE_ORDER_MARK UINT32_C(0x01020304)
#define BYTES_VERSION   2u

static const char magic[8] = {'R', 'I', 'L', 'L', 'S', 'D', 'F', '\0'};

/* Has no padding, so it can be written as it is. */
typedef struct field_head {
    char magic[8];
    uint32_t byte_order, version;
    uint64_t checksum; /* of all bytes, with this member set to 0 */
    field_key key;
    int32_t blocks[3], fine_count;
    float cell, margin, thickness, thin;
    float origin[3], low[3], high[3];
    int32_t report[11];
    double area, volume, centre[3], inertia[3][3];
} field_head;
_Static_assert(sizeof(field_head) == 8 + 8 + 8 + SHA256_SIZE + 16 + 16 + 36 + 44 + 112, "the header has padding");

/* ---- sizes ---- */

static size_t bytes_for(size_t blocks, size_t corners, size_t fine) {
    return sizeof(field_head) + blocks * sizeof(int32_t) + corners * sizeof(float) + fine * FIELD_NODES * sizeof(float);
}

size_t rill_field_byte_count(const distance_field *field) {
    return bytes_for(field_block_count(field), field_corner_count(field), (size_t)field->fine_count);
}

static uint64_t checksum(field_head head, const unsigned char *rest, size_t size) {
    head.checksum = 0;
    return rill_hash_mix(rill_hash_bytes(rill_hash_bytes(HASH_START, &head, sizeof head), rest, size));
}

/* ---- writing ---- */

static field_head head_of(const distance_field *f) {
    const mesh_report *r = &f->report;
    field_head head = {.byte_order = BYTE_ORDER_MARK,
                       .version = BYTES_VERSION,
                       .key = f->key,
                       .blocks = {f->blocks[0], f->blocks[1], f->blocks[2]},
                       .fine_count = f->fine_count,
                       .cell = f->options.cell,
                       .margin = f->options.margin,
                       .thickness = f->options.thickness,
                       .thin = f->thin,
                       .report = {r->welded, r->degenerate, r->open_edges, r->non_manifold_edges, r->turned_edges,
                                  r->patches, r->flipped, r->closed, r->inner, r->patched, r->repeated},
                       .area = f->area,
                       .volume = f->solid.volume};
    memcpy(head.magic, magic, sizeof magic);
    memcpy(head.origin, f->origin, sizeof head.origin);
    memcpy(head.low, f->low, sizeof head.low);
    memcpy(head.high, f->high, sizeof head.high);
    memcpy(head.centre, f->solid.centre, sizeof head.centre);
    memcpy(head.inertia, f->solid.inertia, sizeof head.inertia);
    return head;
}

static unsigned char *put(unsigned char *to, const void *from, size_t size) {
    if (size) memcpy(to, from, size);
    return to + size;
}

void rill_field_to_bytes(const distance_field *field, void *bytes) {
    field_head head = head_of(field);
    unsigned char *start = (unsigned char *)bytes + sizeof head, *to = start;
    to = put(to, field->index, field_block_count(field) * sizeof *field->index);
    to = put(to, field->coarse, field_corner_count(field) * sizeof *field->coarse);
    to = put(to, field->fine, (size_t)field->fine_count * FIELD_NODES * sizeof *field->fine);
    head.checksum = checksum(head, start, (size_t)(to - start));
    memcpy(bytes, &head, sizeof head);
}

/* ---- reading ---- */

static bool all_finite(const float *values, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (!isfinite(values[k])) return false;
    return true;
}

static bool numbers_make_sense(const field_head *h) {
    const float numbers[] = {h->cell,   h->margin, h->thickness, h->thin,    h->origin[0], h->origin[1], h->origin[2],
                             h->low[0], h->low[1], h->low[2],    h->high[0], h->high[1],   h->high[2]};
    if (!all_finite(numbers, sizeof numbers / sizeof *numbers) || !(h->cell > 0.0f)) return false;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            if (!isfinite(h->inertia[row][column])) return false;
    return isfinite(h->area) && isfinite(h->volume) && isfinite(h->centre[0]) && isfinite(h->centre[1]) &&
           isfinite(h->centre[2]);
}

/* Checks that the counts agree with each other and with the size, before any allocation or look-up uses them. */
static bool counts_make_sense(const field_head *h, size_t size) {
    size_t blocks = 1, corners = 1;
    for (int axis = 0; axis < 3; axis++) {
        if (h->blocks[axis] < 1 || h->blocks[axis] > FIELD_MAX_BLOCKS) return false;
        blocks *= (size_t)h->blocks[axis];
        corners *= (size_t)h->blocks[axis] + 1;
        if (blocks > FIELD_MAX_BLOCKS) return false;
    }
    if (h->fine_count < 0 || (size_t)h->fine_count > blocks) return false;
    return size == bytes_for(blocks, corners, (size_t)h->fine_count);
}

static rill_status check_head(const field_head *h, const void *bytes, size_t size, rill_error *error) {
    if (memcmp(h->magic, magic, sizeof magic) != 0)
        return rill_fail(error, RILL_FORMAT, "these bytes are not a distance field; build it again from its mesh");
    if (h->byte_order != BYTE_ORDER_MARK || h->version != BYTES_VERSION)
        return rill_fail(error, RILL_FORMAT,
                         "the distance field was written by another version (%u, this one reads %u) or another kind of "
                         "machine; build it again from its mesh",
                         h->version, BYTES_VERSION);
    if (!counts_make_sense(h, size) ||
        h->checksum != checksum(*h, (const unsigned char *)bytes + sizeof *h, size - sizeof *h) ||
        !numbers_make_sense(h))
        return rill_fail(error, RILL_FORMAT, "the distance field is damaged (%zu bytes); build it again from its mesh",
                         size);
    return RILL_OK;
}

static void take_head(distance_field *f, const field_head *h) {
    const int32_t *r = h->report;
    f->options = (field_options){h->cell, h->margin, h->thickness};
    f->key = h->key;
    f->thin = h->thin;
    f->area = h->area;
    f->report = (mesh_report){.welded = r[0],
                              .degenerate = r[1],
                              .open_edges = r[2],
                              .non_manifold_edges = r[3],
                              .turned_edges = r[4],
                              .patches = r[5],
                              .flipped = r[6],
                              .closed = r[7] != 0,
                              .inner = r[8],
                              .patched = r[9],
                              .repeated = r[10]};
    f->solid.volume = h->volume;
    memcpy(f->origin, h->origin, sizeof f->origin);
    memcpy(f->low, h->low, sizeof f->low);
    memcpy(f->high, h->high, sizeof f->high);
    memcpy(f->solid.centre, h->centre, sizeof f->solid.centre);
    memcpy(f->solid.inertia, h->inertia, sizeof f->solid.inertia);
}

/* False if a block number is out of range or a value is not finite. */
static bool take_values(distance_field *f, const unsigned char *from) {
    const size_t blocks = field_block_count(f), corners = field_corner_count(f);
    const size_t nodes = (size_t)f->fine_count * FIELD_NODES;
    memcpy(f->index, from, blocks * sizeof *f->index);
    from += blocks * sizeof *f->index;
    memcpy(f->coarse, from, corners * sizeof *f->coarse);
    from += corners * sizeof *f->coarse;
    if (nodes) memcpy(f->fine, from, nodes * sizeof *f->fine);
    for (size_t k = 0; k < blocks; k++)
        if (f->index[k] < -1 || f->index[k] >= f->fine_count) return false;
    return all_finite(f->coarse, corners) && all_finite(f->fine, nodes);
}

distance_field *rill_field_from_bytes(memory *m, const void *bytes, size_t size, rill_error *error) {
    field_head head;
    if (size < sizeof head) {
        rill_fail(error, RILL_FORMAT, "these %zu bytes are too few for a distance field; build it again from its mesh",
                  size);
        return NULL;
    }
    memcpy(&head, bytes, sizeof head);
    if (check_head(&head, bytes, size, error) != RILL_OK) return NULL;
    distance_field *f = rill_field_create(m, head.blocks);
    if (!f || !rill_field_set_fine(m, f, head.fine_count)) {
        rill_fail(error, RILL_MEMORY, "not enough memory for a distance field of %zu bytes", size);
        rill_field_free(m, f);
        return NULL;
    }
    take_head(f, &head);
    if (take_values(f, (const unsigned char *)bytes + sizeof head)) return f;
    rill_fail(error, RILL_FORMAT, "the distance field is damaged (%zu bytes); build it again from its mesh", size);
    rill_field_free(m, f);
    return NULL;
}

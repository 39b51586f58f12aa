/* SPDX-License-Identifier: MIT */
/* The particle arrays and the field table that drives them. */
#include "model/particles.h"

#include <stdlib.h>
#include <string.h>

static const field_def base_fields[FIELD_METHOD] = {
    [FIELD_PLACE] = {"position", "m", "centre of the particle", RILL_SCALAR_FLOAT, 0, 4, FIELD_SORT | FIELD_SHOW},
    [FIELD_VELOCITY] = {"velocity", "m/s", "velocity", RILL_SCALAR_FLOAT, 0, 0, FIELD_SORT | FIELD_SHOW},
    [FIELD_DENSITY] = {"density", "kg/m^3", "density summed over neighbours", RILL_SCALAR_FLOAT, 1, 1, FIELD_SHOW},
    [FIELD_PRESSURE] = {"pressure", "Pa", "pressure", RILL_SCALAR_FLOAT, 1, 1, FIELD_SHOW},
    [FIELD_ID] = {"id", "", "number that a particle keeps for life", RILL_SCALAR_UINT32, 1, 1, FIELD_SORT | FIELD_SHOW},
    [FIELD_FLUID] = {"fluid", "", "index of its fluid", RILL_SCALAR_UINT32, 1, 1, FIELD_SORT | FIELD_SHOW},
};

static void add_field(particles *p, field_def def) {
    if (def.components == 0) def.components = p->dim;
    if (def.width == 0) def.width = p->dim;
    p->fields[p->field_count++] = (field){.def = def, .size = 4 * (size_t)def.width};
}

void particles_init(particles *p, int dim, const field_def *method_fields, int method_field_count) {
    *p = (particles){.dim = dim};
    for (int k = 0; k < FIELD_METHOD; k++) add_field(p, base_fields[k]);
    for (int k = 0; k < method_field_count; k++) add_field(p, method_fields[k]);
}

void particles_free(memory *m, particles *p) {
    for (int k = 0; k < p->field_count; k++)
        memory_release(m, p->fields[k].data, (size_t)p->capacity * p->fields[k].size);
    for (int k = 0; k < 4; k++) buffer_free(m, &p->spare[k]);
    buffer_free(m, &p->by_id);
    *p = (particles){0};
}

static int size_class(size_t size) {
    return (int)(size / 4) - 1;
}

/* Moves a field into a larger array. Halo and padding slots are read by wide loads before they are written: zero. */
static void *move_contents(memory *m, const particles *p, const field *f, void *fresh, int capacity) {
    const size_t used = (size_t)p->count * f->size;
    if (used) memcpy(fresh, f->data, used);
    memset((char *)fresh + used, 0, (size_t)capacity * f->size - used);
    memory_release(m, f->data, (size_t)p->capacity * f->size);
    return fresh;
}

bool particles_reserve(memory *m, particles *p, int points) {
    /* One more for the null particle, and room for a wide load at the end. */
    const int64_t wanted = (int64_t)points + 1 + 8;
    if (wanted > INT32_MAX) return false;
    if (wanted <= p->capacity) return true;
    const int capacity = (int)wanted;
    void *fresh[FIELD_MAX] = {0};
    buffer spare[4] = {0};
    bool ok = true;
    /* All or nothing: fields and spares are swapped by particles_permute and must keep one capacity. */
    for (int k = 0; ok && k < p->field_count; k++) {
        const field *f = &p->fields[k];
        fresh[k] = memory_get(m, (size_t)capacity * f->size);
        ok = fresh[k] != NULL;
        if (ok && (f->def.flags & FIELD_SORT))
            ok = buffer_reserve(m, &spare[size_class(f->size)], (size_t)capacity * f->size, 0);
    }
    for (int k = 0; k < p->field_count; k++) {
        field *f = &p->fields[k];
        if (ok)
            f->data = move_contents(m, p, f, fresh[k], capacity);
        else
            memory_release(m, fresh[k], (size_t)capacity * f->size);
    }
    for (int k = 0; k < 4; k++) {
        buffer_free(m, ok ? &p->spare[k] : &spare[k]);
        if (ok) p->spare[k] = spare[k];
    }
    if (ok) p->capacity = capacity;
    return ok;
}

int particles_append(particles *p, int count) {
    const int first = p->count;
    for (int k = 0; k < p->field_count; k++)
        memset((char *)p->fields[k].data + (size_t)first * p->fields[k].size, 0, (size_t)count * p->fields[k].size);
    uint32_t *id = p->fields[FIELD_ID].data;
    for (int k = 0; k < count; k++) id[first + k] = p->next_id++;
    p->count += count;
    p->by_id_valid = false;
    return first;
}

int particles_keep(particles *p, const uint8_t *keep) {
    int kept = 0;
    for (int i = 0; i < p->count; i++) {
        if (!keep[i]) continue;
        if (kept != i) {
            for (int k = 0; k < p->field_count; k++) {
                const size_t size = p->fields[k].size;
                memcpy((char *)p->fields[k].data + (size_t)kept * size, (char *)p->fields[k].data + (size_t)i * size,
                       size);
            }
        }
        kept++;
    }
    const int gone = p->count - kept;
    if (gone) p->by_id_valid = false;
    p->count = kept;
    return gone;
}

void particles_remove(particles *p, int index) {
    for (int k = 0; k < p->field_count; k++) {
        const size_t size = p->fields[k].size;
        char *at = (char *)p->fields[k].data + (size_t)index * size;
        memmove(at, at + size, (size_t)(p->count - index - 1) * size);
    }
    p->count--;
    p->by_id_valid = false;
}

typedef struct permute_job {
    const int32_t *order;
    const void *from;
    void *to;
    size_t size;
} permute_job;

/* One loop for each width: a constant size becomes one or two moves. */
#define PERMUTE(bytes)                                                                                           \
    case bytes:                                                                                                  \
        for (int k = begin; k < end; k++)                                                                        \
            memcpy((char *)job->to + (size_t)k * bytes, (const char *)job->from + (size_t)job->order[k] * bytes, \
                   bytes);                                                                                       \
        break

static void permute_block(int begin, int end, int worker, void *context) {
    (void)worker;
    const permute_job *job = context;
    switch (job->size) {
        PERMUTE(4);
        PERMUTE(8);
        PERMUTE(12);
        PERMUTE(16);
    default:
        break;
    }
}

void particles_permute(particles *p, parallel *workers, const int32_t *order) {
    for (int k = 0; k < p->field_count; k++) {
        field *f = &p->fields[k];
        if (!(f->def.flags & FIELD_SORT)) continue;
        buffer *spare = &p->spare[size_class(f->size)];
        permute_job job = {order, f->data, spare->data, f->size};
        parallel_for(workers, p->count, 8192, permute_block, &job);
        void *old = f->data;
        f->data = spare->data;
        spare->data = old;
    }
    p->by_id_valid = false;
}

static int compare_entries(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

int particles_index_of(memory *m, particles *p, uint32_t id) {
    typedef struct entry {
        uint32_t id;
        int32_t index;
    } entry;
    if (p->count == 0) return -1;
    if (!p->by_id_valid) {
        if (!buffer_reserve(m, &p->by_id, (size_t)p->count * sizeof(entry), 0)) return -2;
        entry *entries = p->by_id.data;
        const uint32_t *ids = p->fields[FIELD_ID].data;
        for (int i = 0; i < p->count; i++) entries[i] = (entry){ids[i], i};
        qsort(entries, (size_t)p->count, sizeof(entry), compare_entries);
        p->by_id_valid = true;
    }
    const entry *found = bsearch(&id, p->by_id.data, (size_t)p->count, sizeof(entry), compare_entries);
    return found ? found->index : -1;
}

rill_view particles_view(const particles *p, int index) {
    const field *f = &p->fields[index];
    return (rill_view){.name = f->def.name,
                       .unit = f->def.unit,
                       .doc = f->def.doc,
                       .scalar = f->def.scalar,
                       .components = f->def.components,
                       .stride = f->def.width,
                       .count = p->count,
                       .data = f->data};
}

/* SPDX-License-Identifier: MIT */
/* Saving: the whole state of a world as self-describing bytes, so that a loaded world continues bit for bit, and so
   that builds with other methods, fields or parameters can tell what they read. */
#include "api/snapshot.h"
#include "api/world_layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- checking ---- */

static rill_status check_rows(rill_world *w, const char *chunk_name, const row_part *part, const row_set *rows) {
    for (int k = 0; k < rill_part_count(part); k++) {
        const row_value v = rill_part_value(part, k);
        for (int row = 0; row < rows->count; row++) {
            if (v.param || !rill_row_is_alive(rows, row)) continue;
            if (!rill_row_makes_sense(&v, (const char *)rill_row_or_beside(rows, v.beside, row) + v.offset))
                return rill_fail(&w->error, RILL_INVALID, "save: '%s.%s' is not finite", chunk_name, v.name);
        }
    }
    return RILL_OK;
}

static rill_status check_particles(rill_world *w) {
    const particles *p = &w->particles;
    const float *place = p->fields[FIELD_PLACE].data, *velocity = p->fields[FIELD_VELOCITY].data;
    for (int i = 0; i < p->count; i++) {
        bool finite = true;
        for (int k = 0; k < p->dim; k++)
            finite = finite && isfinite(place[4 * (size_t)i + (size_t)k]) &&
                     isfinite(velocity[(size_t)p->dim * (size_t)i + (size_t)k]);
        if (!finite)
            return rill_fail(&w->error, RILL_INVALID, "save: position or velocity of particle %llu is not finite",
                             (unsigned long long)((const rill_particle_id *)p->fields[FIELD_ID].data)[i]);
    }
    return RILL_OK;
}

/* A state that is not finite is not saved, because loading would refuse it. */
static rill_status check_state(rill_world *w) {
    TRY(check_particles(w));
    TRY(check_rows(w, CHUNK_STATE, &rill_world_state_part, &ROWS(w, sizeof *w, 1)));
    for (int k = 0; k < POOL_COUNT; k++) {
        const row_set rows = rill_pool_rows(&rill_pool_layouts[k], w);
        row_part members[POOL_PARTS_MAX];
        const int count = rill_pool_parts(&rill_pool_layouts[k], w, members);
        for (int part = 0; part < count; part++) TRY(check_rows(w, rill_pool_layouts[k].name, &members[part], &rows));
    }
    return RILL_OK;
}

/* ---- compounds ---- */

/* The parts of all compounds of a pool, gathered into rows. */
typedef struct gathered {
    part_row *rows;
    int count, room;
} gathered;

static void gather(gathered *g, const pool_layout *layout, const rill_world *w) {
    const row_set rows = rill_pool_rows(layout, w);
    g->count = 0;
    for (int k = 0; k < rows.count; k++) {
        if (!rill_row_is_alive(&rows, k)) continue;
        const rill_shape *shape = (const void *)((const char *)rill_row_at(&rows, k) + layout->shape_at);
        for (int part = 0; part < shape->parts.count; part++, g->count++)
            if (g->rows) g->rows[g->count] = (part_row){k, shape->parts.data[part]};
    }
}

static bool gather_all(gathered all[POOL_COUNT], rill_world *w) {
    bool ok = true;
    for (int k = 0; k < POOL_COUNT; k++) {
        all[k] = (gathered){0};
        if (!rill_pool_layouts[k].shape_at) continue;
        gather(&all[k], &rill_pool_layouts[k], w);
        all[k].room = all[k].count;
        all[k].rows = rill_memory_get(&w->memory, sizeof(part_row) * (size_t)all[k].room);
        ok = ok && (all[k].rows || all[k].room == 0);
        if (all[k].rows) gather(&all[k], &rill_pool_layouts[k], w);
    }
    return ok;
}

static void release_all(gathered all[POOL_COUNT], rill_world *w) {
    for (int k = 0; k < POOL_COUNT; k++)
        if (all[k].rows) rill_memory_release(&w->memory, all[k].rows, sizeof(part_row) * (size_t)all[k].room);
}

/* ---- writing ---- */

/* Writes the fields that are saved. Returns their number. */
static int put_fields(archive *a, const field *fields, int count, int rows) {
    int saved = 0;
    for (const field *f = fields; f < fields + count; f++) {
        if (f->def.flags & FIELD_INTERNAL) continue;
        const row_value v = rill_field_value(f);
        rill_put_column(a, &v, &ROWS(f->data, f->size, rows));
        saved++;
    }
    return saved;
}

static void put_field_chunk(archive *a, const char *name, const field *fields, int count, int rows) {
    archive measure = {.mode = ARCHIVE_MEASURE, .ok = true};
    chunk head = {.flags = CHUNK_REQUIRED, .rows = (uint64_t)rows};
    head.columns = (uint32_t)put_fields(&measure, fields, count, rows);
    head.bytes = measure.size;
    snprintf(head.name, sizeof head.name, "%s", name);
    rill_archive_chunk(a, &head);
    put_fields(a, fields, count, rows);
}

/* Links refer to particles by their row in the chunk of particles. */
static void put_links(archive *a, const particles *p) {
    for (int number = 0; number < p->link_set_count; number++) {
        const link_set *s = &p->link_sets[number];
        char name[CHUNK_NAME_SIZE];
        snprintf(name, sizeof name, CHUNK_LINKS "%s", s->def.name);
        if (s->def.flags & LINK_SAVE) put_field_chunk(a, name, s->fields, s->field_count, s->count);
    }
}

static void put_all(archive *a, rill_world *w, const gathered parts[POOL_COUNT]) {
    const row_part def = rill_world_def_part(), method = rill_method_part(w);
    rill_put_chunk(a, CHUNK_WORLD, &def, 1, &ROWS(&w->def, sizeof w->def, 1));
    rill_put_chunk(a, CHUNK_METHOD, &method, 1, &ROWS(w->params.data, method.table->size, 1));
    rill_put_chunk(a, CHUNK_STATE, &rill_world_state_part, 1, &ROWS(w, sizeof *w, 1));
    for (int k = 0; k < POOL_COUNT; k++) {
        const pool_layout *layout = &rill_pool_layouts[k];
        const row_set rows = rill_pool_rows(layout, w);
        if (layout->optional && rows.count == 0) continue;
        char name[CHUNK_NAME_SIZE];
        row_part members[POOL_PARTS_MAX];
        rill_put_chunk(a, layout->name, members, rill_pool_parts(layout, w, members), &rows);
        if (!layout->shape_at) continue;
        snprintf(name, sizeof name, CHUNK_PARTS, layout->name);
        const row_set part_rows = ROWS(parts[k].rows, sizeof(part_row), parts[k].count);
        rill_put_chunk(a, name, rill_part_row_parts, PARTS_OF_PART, &part_rows);
    }
    const row_set touches = ROWS(w->contact_memories.data, sizeof(contact_memory), w->contact_memory_count);
    const row_set contacts = ROWS(w->contacts.data, sizeof(rill_contact), w->contact_count);
    rill_put_chunk(a, CHUNK_TOUCHES, &rill_contact_memory_part, 1, &touches);
    rill_put_chunk(a, CHUNK_CONTACTS, &rill_contact_part, 1, &contacts);
    put_field_chunk(a, CHUNK_PARTICLES, w->particles.fields, w->particles.field_count, w->particles.count);
    put_links(a, &w->particles);
}

static rill_status save(rill_world *w, const gathered parts[POOL_COUNT], rill_write_fn *write, void *context) {
    archive measure = {.mode = ARCHIVE_MEASURE, .ok = true};
    put_all(&measure, w, parts);
    archive a = {.mode = ARCHIVE_WRITE, .ok = true, .write = write, .context = context};
    snapshot_head head = {.version = SNAPSHOT_VERSION, .byte_order = 1, .size = measure.size};
    memcpy(head.magic, SNAPSHOT_MAGIC, sizeof head.magic);
    snprintf(head.writer, sizeof head.writer, "%s", rill_version());
    rill_archive_put(&a, &head, sizeof head);
    put_all(&a, w, parts);
    const uint64_t sum = rill_archive_sum(&a);
    rill_archive_put(&a, &sum, sizeof sum);
    return a.ok ? RILL_OK : rill_fail(&w->error, RILL_IO, "save: the snapshot could not be written");
}

rill_status rill_world_save(rill_world *w, rill_write_fn *write, void *context) {
    if (!w) return RILL_INVALID;
    if (!write) return rill_fail(&w->error, RILL_INVALID, "save: the write function is NULL");
    if (w->particles.links_stale && !rill_particles_settle_links(&w->memory, &w->particles, w->workers))
        return rill_fail(&w->error, RILL_MEMORY, "save: no memory for the links of %d particles", w->particles.count);
    TRY(check_state(w));
    gathered parts[POOL_COUNT];
    const rill_status status = gather_all(parts, w)
                                   ? save(w, parts, write, context)
                                   : rill_fail(&w->error, RILL_MEMORY, "save: no memory for the parts of compounds");
    release_all(parts, w);
    return status;
}

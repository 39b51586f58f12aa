/* SPDX-License-Identifier: MIT */
/* The particle arrays and their table of fields. */
#include "model/particles.h"

#include <string.h>

static const field_def base_fields[FIELD_METHOD] = {
    [FIELD_PLACE] = {"position", "m", "centre of the particle", RILL_SCALAR_FLOAT, 0, 4, FIELD_SORT | FIELD_SHOW},
    [FIELD_VELOCITY] = {"velocity", "m/s", "velocity", RILL_SCALAR_FLOAT, 0, 0, FIELD_SORT | FIELD_SHOW},
    [FIELD_DENSITY] = {"density", "kg/m^3", "density summed over neighbours", RILL_SCALAR_FLOAT, 1, 1,
                       FIELD_SHOW | FIELD_FOLLOW},
    [FIELD_PRESSURE] = {"pressure", "Pa", "pressure", RILL_SCALAR_FLOAT, 1, 1, FIELD_SHOW},
    [FIELD_ID] = {"id", "", "number that a particle keeps for life", RILL_SCALAR_UINT64, 1, 1,
                  FIELD_SORT | FIELD_SHOW | FIELD_WIDENED},
    [FIELD_FLUID] = {"fluid", "", "index of its fluid", RILL_SCALAR_UINT32, 1, 1, FIELD_SORT | FIELD_SHOW},
};

static const field_def link_field = {"known_to_links",           "", "number by which links refer to it, plus 1",
                                     RILL_SCALAR_UINT32,         1,  1,
                                     FIELD_SORT | FIELD_INTERNAL};

static const field_def extra_fields[EXTRA_COUNT] = {
    [EXTRA_GROUP] = {"group", "", "number of its group plus 1; 0: none", RILL_SCALAR_UINT32, 1, 1,
                     FIELD_SORT | FIELD_SHOW | FIELD_CARRIED},
    [EXTRA_COLOUR] = {"colour", "", "red, green, blue and opacity", RILL_SCALAR_FLOAT, 4, 4,
                      FIELD_SORT | FIELD_SHOW | FIELD_CARRIED},
    [EXTRA_USER_DATA] = {"user_data", "", "64 bits of the host's data", RILL_SCALAR_UINT64, 1, 1,
                         FIELD_SORT | FIELD_SHOW | FIELD_CARRIED},
    [EXTRA_LIFE] = {"life", "s", "remaining time; 0: unlimited", RILL_SCALAR_FLOAT, 1, 1,
                    FIELD_SORT | FIELD_SHOW | FIELD_CARRIED},
    [EXTRA_AREAS] = {"areas", "", "bits of the areas that it is in", RILL_SCALAR_UINT32, 1, 1,
                     FIELD_SORT | FIELD_SHOW | FIELD_CARRIED},
    [EXTRA_PIN] = {"pin", "", "number of the pin that holds it, plus 1", RILL_SCALAR_UINT32, 1, 1, FIELD_SORT},
    [EXTRA_ANCHOR] = {"anchor", "m",
                      "position at which its pin holds it, in the pose with which the pin or its body was added",
                      RILL_SCALAR_FLOAT, 0, 0, FIELD_SORT},
};

/* The first permuted field of this size; if there is none, the index of the field that is being added. */
static int spare_owner(const particles *p, size_t size) {
    for (int k = 0; k < p->field_count; k++)
        if (p->fields[k].size == size && p->fields[k].spare_owner >= 0) return k;
    return p->field_count;
}

static void add_field(particles *p, field_def def) {
    def = field_resolve(def, p->dim);
    const size_t size = rill_scalar_size(def.scalar) * (size_t)def.width;
    const bool permuted = def.flags & (FIELD_SORT | FIELD_FOLLOW);
    p->fields[p->field_count] = (field){def, size, NULL, permuted ? spare_owner(p, size) : -1, NULL};
    p->field_count++;
}

/* On failure the sets not yet initialised are zero, and may be freed like the others. */
static bool init_links(memory *m, particles *p, const link_set_def *defs, int count) {
    if (count <= 0) return true;
    p->link_sets = rill_memory_get(m, sizeof(link_set) * (size_t)count);
    if (!p->link_sets) return false;
    memset(p->link_sets, 0, sizeof(link_set) * (size_t)count);
    p->link_set_count = count;
    for (int k = 0; k < count; k++)
        if (!rill_links_init(m, &p->link_sets[k], &defs[k], p->dim)) return false;
    return true;
}

bool rill_particles_init(memory *m, particles *p, int dim, const field_def *method_fields, int method_field_count,
                         const link_set_def *links, int link_set_count) {
    *p = (particles){.dim = dim};
    p->fields = rill_memory_get(m, sizeof(field) * (size_t)(FIELD_METHOD + method_field_count + (link_set_count > 0)));
    if (!p->fields) return false;
    for (int k = 0; k < FIELD_METHOD; k++) add_field(p, base_fields[k]);
    for (int k = 0; k < method_field_count; k++) add_field(p, method_fields[k]);
    if (link_set_count > 0) {
        p->link_field = p->field_count;
        add_field(p, link_field);
    }
    return init_links(m, p, links, link_set_count);
}

static void free_links(memory *m, particles *p) {
    for (int k = 0; k < p->link_set_count; k++) rill_links_free(m, &p->link_sets[k]);
    rill_memory_release(m, p->link_sets, sizeof(link_set) * (size_t)p->link_set_count);
    p->link_sets = NULL, p->link_set_count = 0;
}

/* Frees a table of fields and its arrays of `capacity` points. */
static void release_fields(memory *m, field *fields, int count, int capacity) {
    for (int k = 0; k < count; k++) {
        rill_memory_release(m, fields[k].data, (size_t)capacity * fields[k].size);
        rill_memory_release(m, fields[k].spare, (size_t)capacity * fields[k].size);
    }
    rill_memory_release(m, fields, sizeof(field) * (size_t)count);
}

void rill_particles_free(memory *m, particles *p) {
    release_fields(m, p->fields, p->field_count, p->capacity);
    rill_buffer_free(m, &p->by_id);
    rill_buffer_free(m, &p->moved_to);
    free_links(m, p);
    *p = (particles){0};
}

/* A copy of the table of fields with new arrays of `capacity` points, or NULL. */
static field *new_fields(memory *m, const particles *p, int capacity) {
    field *fresh = rill_memory_get(m, sizeof(field) * (size_t)p->field_count);
    if (!fresh) return NULL;
    memcpy(fresh, p->fields, sizeof(field) * (size_t)p->field_count);
    for (int k = 0; k < p->field_count; k++) fresh[k].data = fresh[k].spare = NULL;
    for (int k = 0; k < p->field_count; k++) {
        field *f = &fresh[k];
        const size_t bytes = (size_t)capacity * f->size;
        f->data = rill_memory_get(m, bytes);
        if (f->spare_owner == k) f->spare = rill_memory_get(m, bytes);
        if (f->data && (f->spare || f->spare_owner != k)) continue;
        release_fields(m, fresh, p->field_count, capacity);
        return NULL;
    }
    return fresh;
}

bool rill_particles_reserve(memory *m, particles *p, int points) {
    /* One more for the null particle, and eight for a wide load at the end. */
    const int64_t wanted = (int64_t)points + 1 + 8;
    if (wanted > INT32_MAX) return false;
    if (wanted <= p->capacity) return true;
    const int capacity = (int)wanted;
    /* All or nothing, because rill_particles_permute swaps fields and spares, which must have the same capacity. */
    field *fresh = new_fields(m, p, capacity);
    if (!fresh) return false;
    for (int k = 0; k < p->field_count; k++) {
        /* Zero, because wide loads read the places behind the particles before they are written. */
        const size_t used = (size_t)p->count * fresh[k].size;
        if (used) memcpy(fresh[k].data, p->fields[k].data, used);
        memset((char *)fresh[k].data + used, 0, (size_t)capacity * fresh[k].size - used);
    }
    release_fields(m, p->fields, p->field_count, p->capacity);
    p->fields = fresh;
    p->capacity = capacity;
    return true;
}

bool rill_particles_grow(memory *m, particles *p, int points) {
    /* As rill_buffer_grow, but with the exact number if more would not fit into an int. */
    const int64_t roomy = (int64_t)points + points / 2 + 64;
    if ((int64_t)points + 9 <= p->capacity) return true;
    return (roomy < INT32_MAX - 9 && rill_particles_reserve(m, p, (int)roomy)) || rill_particles_reserve(m, p, points);
}

const char *rill_particles_extra_name(extra_field which) {
    return extra_fields[which].name;
}

/* Adds a field of zeros; false, with nothing changed, if there is no memory. */
static bool use_field(memory *m, particles *p, const field_def *def) {
    const particles before = *p;
    const size_t size = sizeof(field) * (size_t)(p->field_count + 1);
    p->fields = rill_memory_get(m, size);
    if (!p->fields) {
        *p = before;
        return false;
    }
    memcpy(p->fields, before.fields, sizeof(field) * (size_t)before.field_count);
    add_field(p, *def);
    field *f = &p->fields[before.field_count];
    const size_t bytes = (size_t)p->capacity * f->size;
    const bool owns = f->spare_owner == before.field_count;
    f->data = rill_memory_get(m, bytes);
    f->spare = owns ? rill_memory_get(m, bytes) : NULL;
    if (bytes > 0 && (!f->data || (owns && !f->spare))) {
        rill_memory_release(m, f->data, bytes);
        rill_memory_release(m, f->spare, bytes);
        rill_memory_release(m, p->fields, size);
        *p = before;
        return false;
    }
    if (bytes > 0) memset(f->data, 0, bytes);
    rill_memory_release(m, before.fields, sizeof(field) * (size_t)before.field_count);
    return true;
}

bool rill_particles_use(memory *m, particles *p, extra_field which) {
    if (p->extra[which] > 0) return true;
    if (!use_field(m, p, &extra_fields[which])) return false;
    p->extra[which] = p->field_count - 1;
    return true;
}

bool rill_particles_use_links(memory *m, particles *p, const link_set_def *links, int count) {
    if (p->link_set_count > 0) return true;
    if (p->link_field == 0) {
        if (!use_field(m, p, &link_field)) return false;
        p->link_field = p->field_count - 1;
    }
    if (init_links(m, p, links, count)) return true;
    free_links(m, p);
    return false;
}

/* ---- ids ---- */

static int32_t *id_table(const particles *p) {
    return p->by_id.data;
}

static rill_particle_id id_of(const particles *p, int32_t index) {
    return ((const rill_particle_id *)p->fields[FIELD_ID].data)[index];
}

/* Where the search for an id starts: the high bits of its product with 2^64 over the golden ratio. */
static uint32_t id_home(const particles *p, rill_particle_id id) {
    return (uint32_t)((id * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - p->by_id_bits));
}

static uint32_t id_next(const particles *p, uint32_t entry) {
    return (entry + 1) & ((1u << p->by_id_bits) - 1);
}

/* The entry of an id, or the empty one where it would be. */
static uint32_t id_entry(const particles *p, rill_particle_id id) {
    uint32_t entry = id_home(p, id);
    while (id_table(p)[entry] && id_of(p, id_table(p)[entry] - 1) != id) entry = id_next(p, entry);
    return entry;
}

/* Removes an entry. Entries behind it that it had displaced move up, so that no search ends too early. */
static void id_forget(particles *p, rill_particle_id id) {
    int32_t *table = id_table(p);
    uint32_t hole = id_entry(p, id);
    const uint32_t mask = (1u << p->by_id_bits) - 1;
    for (uint32_t entry = id_next(p, hole); table[entry]; entry = id_next(p, entry)) {
        const uint32_t home = id_home(p, id_of(p, table[entry] - 1));
        if (((entry - home) & mask) < ((entry - hole) & mask)) continue; /* its search starts behind the hole */
        table[hole] = table[entry];
        hole = entry;
    }
    table[hole] = 0;
}

/* The size of a table that is at most half full. */
static int id_bits(int count) {
    int bits = 4;
    while (bits < 31 && (1u << bits) < 2 * (uint32_t)count) bits++;
    return bits;
}

bool rill_particles_reserve_look_up(memory *m, particles *p, int count) {
    const size_t kept = p->by_id_valid ? sizeof(int32_t) << p->by_id_bits : 0;
    return rill_buffer_reserve(m, &p->by_id, sizeof(int32_t) << id_bits(count), kept);
}

/* Builds the table for the present particles. */
static bool id_build(memory *m, particles *p) {
    const int bits = id_bits(p->count);
    if (!rill_buffer_reserve(m, &p->by_id, sizeof(int32_t) << bits, 0)) return false;
    p->by_id_bits = bits;
    memset(p->by_id.data, 0, sizeof(int32_t) << bits);
    for (int i = 0; i < p->count; i++) id_table(p)[id_entry(p, id_of(p, i))] = i + 1;
    p->by_id_valid = true;
    return true;
}

int rill_particles_index_of(memory *m, particles *p, rill_particle_id id) {
    if (p->count == 0) return -1;
    if (!p->by_id_valid && !id_build(m, p)) return -2;
    return id_table(p)[id_entry(p, id)] - 1;
}

/* ---- links ---- */

static uint32_t *known_numbers(const particles *p) {
    return p->fields[p->link_field].data;
}

/* Notes that the particle at index i moves to index `to`; -1: is removed. */
static inline void note_move(particles *p, int i, int32_t to) {
    if (p->link_set_count == 0) return;
    const uint32_t known = known_numbers(p)[i];
    if (known) ((int32_t *)p->moved_to.data)[known - 1] = to;
    p->links_stale = true;
}

/* Notes new indices after fields were permuted. */
static void note_block(int begin, int end, void *context) {
    const particles *p = context;
    const uint32_t *known = known_numbers(p);
    int32_t *moved_to = p->moved_to.data;
    for (int i = begin; i < end; i++)
        if (known[i]) moved_to[known[i] - 1] = i;
}

static void number_block(int begin, int end, void *context) {
    const particles *p = context;
    for (int i = begin; i < end; i++) known_numbers(p)[i] = (uint32_t)i + 1, ((int32_t *)p->moved_to.data)[i] = i;
}

static bool reserve_moves(memory *m, particles *p) {
    const size_t all = sizeof(int32_t) * (size_t)p->capacity, kept = sizeof(int32_t) * (size_t)p->moved_count;
    return rill_buffer_reserve(m, &p->moved_to, all, kept);
}

bool rill_particles_adopt_links(memory *m, particles *p, parallel *workers) {
    if (p->link_set_count == 0) return true;
    if (!reserve_moves(m, p)) return false;
    rill_parallel_for(workers, p->count, LINK_GRAIN, number_block, p);
    p->moved_count = p->count;
    p->links_stale = false;
    return true;
}

bool rill_particles_settle_links(memory *m, particles *p, parallel *workers) {
    bool room = p->link_set_count == 0 || reserve_moves(m, p);
    for (int k = 0; k < p->link_set_count; k++)
        room = room && rill_links_reserve_order(m, &p->link_sets[k], p->link_sets[k].count, p->capacity);
    if (!room) return false;
    for (int k = 0; k < p->link_set_count; k++)
        rill_links_order(&p->link_sets[k], workers, p->link_sets[k].count, p->moved_to.data, p->count);
    return rill_particles_adopt_links(m, p, workers);
}

bool rill_particles_link_ends(const particles *p, const link_set *set, int link, int32_t ends[LINK_ENDS_MAX]) {
    const int32_t *known = link_ends(set, link);
    bool whole = true;
    for (int k = 0; k < set->def.ends; k++) {
        ends[k] = known[k] >= 0 ? particles_linked(p, known[k]) : -1;
        whole = whole && ends[k] >= 0;
    }
    return whole;
}

/* ---- adding and removing ---- */

int rill_particles_append(particles *p, int count) {
    const int first = p->count;
    for (int k = 0; k < p->field_count; k++)
        memset((char *)p->fields[k].data + (size_t)first * p->fields[k].size, 0, (size_t)count * p->fields[k].size);
    rill_particle_id *id = p->fields[FIELD_ID].data;
    for (int k = 0; k < count; k++) id[first + k] = p->next_id++;
    p->count += count;
    if (p->by_id_valid && p->count > 1 << (p->by_id_bits - 1)) p->by_id_valid = false;
    for (int i = first; p->by_id_valid && i < p->count; i++) id_table(p)[id_entry(p, id_of(p, i))] = i + 1;
    return first;
}

int rill_particles_keep(particles *p, const uint8_t *keep) {
    int kept = 0;
    for (int i = 0; i < p->count; i++) {
        note_move(p, i, keep[i] ? kept : -1);
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

void rill_particles_remove(particles *p, int index) {
    const int last = p->count - 1;
    if (p->by_id_valid) {
        id_forget(p, id_of(p, index));
        if (index != last) id_table(p)[id_entry(p, id_of(p, last))] = index + 1;
    }
    note_move(p, last, index);
    note_move(p, index, -1);
    for (int k = 0; index != last && k < p->field_count; k++) {
        const size_t size = p->fields[k].size;
        memcpy((char *)p->fields[k].data + (size_t)index * size, (char *)p->fields[k].data + (size_t)last * size, size);
    }
    p->count = last;
}

/* A set of ids: a hash table with so many empty entries that the look-up of an id not in it almost always ends at
   once. */
typedef struct id_set {
    rill_particle_id *entries; /* RILL_NO_PARTICLE where empty */
    int bits;                  /* it has 2^bits entries */
} id_set;

/* The entry of an id, or the empty one where it would be. */
static size_t set_entry(const id_set *s, rill_particle_id id) {
    size_t entry = (size_t)((id * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - s->bits));
    while (s->entries[entry] != id && s->entries[entry] != RILL_NO_PARTICLE)
        entry = (entry + 1) & (((size_t)1 << s->bits) - 1);
    return entry;
}

/* Backwards, so that the particle which takes the place of a removed one is one that stays. */
static int remove_set(particles *p, const id_set *s) {
    int gone = 0;
    for (int i = p->count - 1; i >= 0; i--) {
        if (s->entries[set_entry(s, id_of(p, i))] == RILL_NO_PARTICLE) continue;
        rill_particles_remove(p, i);
        gone++;
    }
    return gone;
}

int rill_particles_remove_all(memory *m, particles *p, const rill_particle_id *ids, int count) {
    if (count <= 0 || p->count == 0) return 0;
    id_set set = {.bits = 4};
    while (((size_t)1 << set.bits) < 8 * (size_t)count) set.bits++;
    const size_t size = sizeof *set.entries << set.bits;
    set.entries = rill_memory_get(m, size);
    if (!set.entries) return -1;
    memset(set.entries, 0xFF, size);
    for (int k = 0; k < count; k++) set.entries[set_entry(&set, ids[k])] = ids[k];
    const int gone = remove_set(p, &set);
    rill_memory_release(m, set.entries, size);
    return gone;
}

/* ---- sorting ---- */

void rill_particles_permute(particles *p, parallel *workers, const int32_t *order) {
    for (int k = 0; k < p->field_count; k++) {
        field *f = &p->fields[k];
        if (f->spare_owner < 0) continue;
        void **spare = &p->fields[f->spare_owner].spare;
        rill_field_permute(workers, *spare, f->data, f->size, order, p->count);
        void *old = f->data;
        f->data = *spare;
        *spare = old;
    }
    p->by_id_valid = false;
    if (p->link_set_count == 0) return;
    rill_parallel_for(workers, p->count, LINK_GRAIN, note_block, p);
    p->links_stale = true;
}

rill_view rill_particles_view(const particles *p, int index) {
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

/* SPDX-License-Identifier: MIT */
/* Objects by handle, by name and by index. */
#include "api/world.h"
#include "core/hash.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

static const char *name_of(const object_kind *k, const void *object) {
    return (const char *)object + k->name_offset;
}

static void *object_at(const pool *p, const object_kind *k, int32_t index) {
    return (char *)p->items.data + (size_t)index * k->size;
}

/* Where the search for a name in the hash table starts; `room` is a power of two. */
static size_t first_place(const char *name, size_t room) {
    return (size_t)rill_hash_mix(rill_hash_bytes(HASH_START, name, strlen(name))) & (room - 1);
}

static void enter_name(pool *p, const char *name, int32_t index) {
    const size_t room = p->names.size / sizeof(int32_t);
    int32_t *places = p->names.data;
    size_t at = first_place(name, room);
    while (places[at] > 0) at = (at + 1) & (room - 1);
    places[at] = index + 1;
    p->name_count++;
}

/* Reserves room for one more name. Entries of removed objects stay until the table is full, and are left out when it is
   rebuilt. */
static bool make_name_room(memory *m, pool *p, const object_kind *k) {
    size_t room = p->names.size / sizeof(int32_t);
    if (2 * ((size_t)p->name_count + 1) <= room) return true;
    for (room = 64; room < 4 * ((size_t)p->living_count + 1);) room *= 2;
    buffer names = {0};
    if (!rill_buffer_reserve(m, &names, sizeof(int32_t) * room, 0)) return false;
    rill_buffer_free(m, &p->names);
    p->names = names;
    p->name_count = 0;
    memset(names.data, 0, names.size);
    for (int n = 0; n < p->living_count; n++) {
        const int32_t index = ((const int32_t *)p->living.data)[n];
        enter_name(p, name_of(k, object_at(p, k, index)), index);
    }
    return true;
}

void *rill_object_find(const pool *p, object_kind k, const char *name) {
    const size_t room = p->names.size / sizeof(int32_t);
    const int32_t *places = p->names.data;
    if (!name) return NULL;
    for (int n = 0; room == 0 && n < p->living_count; n++) { /* a loaded world has no table yet */
        void *object = rill_pool_at(p, k.size, n);
        if (strcmp(name_of(&k, object), name) == 0) return object;
    }
    for (size_t at = room > 0 ? first_place(name, room) : 0; room > 0 && places[at] > 0; at = (at + 1) & (room - 1)) {
        void *object = object_at(p, &k, places[at] - 1);
        if (((const slot *)object)->alive && strcmp(name_of(&k, object), name) == 0) return object;
    }
    return NULL;
}

/* A body shares its name with the solid that is its surface. */
static bool is_used(const rill_world *w, const pool *p, object_kind k, const char *name) {
    return rill_object_find(p, k, name) || (p == &w->bodies && rill_object_find(&w->solids, OBJECT_KIND(solid), name));
}

/* An empty name becomes the noun and the first unused number above the number of objects: fluid1, solid2, ... */
void *rill_object_take(rill_world *w, pool *p, object_kind k, char name[RILL_NAME_SIZE], uint32_t *index) {
    if (!memchr(name, 0, RILL_NAME_SIZE)) {
        rill_fail(&w->error, RILL_INVALID, "%s: the name is longer than %d characters", k.noun, RILL_NAME_SIZE - 1);
        return NULL;
    }
    if (*name && rill_object_find(p, k, name)) {
        rill_fail(&w->error, RILL_INVALID, "%s: there is already one named '%s'", k.noun, name);
        return NULL;
    }
    if (p->living_count >= WORLD_OBJECTS_MAX) {
        rill_fail(&w->error, RILL_LIMIT, "%s: a world holds at most %d", k.noun, WORLD_OBJECTS_MAX);
        return NULL;
    }
    const bool unnamed = !*name;
    for (int n = p->living_count + 1; unnamed && (!*name || is_used(w, p, k, name)); n++)
        snprintf(name, RILL_NAME_SIZE, "%s%d", k.noun, n);
    char *object = make_name_room(&w->memory, p, &k) ? rill_pool_take(&w->memory, p, k.size, index) : NULL;
    if (!object) {
        rill_fail(&w->error, RILL_MEMORY, "no memory for another %s", k.noun);
        return NULL;
    }
    memcpy(object + k.name_offset, name, RILL_NAME_SIZE);
    enter_name(p, name, (int32_t)*index);
    return object;
}

/* ---- the calls that every kind of object has ---- */

#define FAMILY(type)                                                                                   \
    bool rill_world_##type##_is_valid(const rill_world *w, rill_##type##_id id) {                      \
        return w && POOL_GET(w, type, id);                                                             \
    }                                                                                                  \
    rill_##type##_id rill_world_find_##type(const rill_world *w, const char *name) {                   \
        const struct type *object = w ? rill_object_find(&w->type##s, OBJECT_KIND(type), name) : NULL; \
        return object ? OBJECT_ID(w, type, object) : (rill_##type##_id){0};                            \
    }                                                                                                  \
    int rill_world_##type##_count(const rill_world *w) {                                               \
        return w ? w->type##s.living_count : 0;                                                        \
    }                                                                                                  \
    rill_##type##_id rill_world_##type##_at(const rill_world *w, int index) {                          \
        const struct type *object = w ? rill_pool_at(&w->type##s, sizeof(struct type), index) : NULL;  \
        return object ? OBJECT_ID(w, type, object) : (rill_##type##_id){0};                            \
    }                                                                                                  \
    const rill_##type##_def *rill_world_##type##_def(const rill_world *w, rill_##type##_id id) {       \
        const struct type *object = w ? POOL_GET(w, type, id) : NULL;                                  \
        return object ? &object->def : NULL;                                                           \
    }
FAMILY(fluid)
FAMILY(solid)
FAMILY(emitter)
FAMILY(sink)
FAMILY(gauge)
FAMILY(body)
FAMILY(joint)
FAMILY(cloth)
FAMILY(pin)
FAMILY(group)
FAMILY(area)

rill_solid_id rill_world_body_solid(const rill_world *w, rill_body_id id) {
    const body *b = w ? POOL_GET(w, body, id) : NULL;
    return b ? OBJECT_ID(w, solid, &POOL_ITEMS(w, solid)[b->solid]) : (rill_solid_id){0};
}

rill_body_id rill_world_solid_body(const rill_world *w, rill_solid_id id) {
    const solid *s = w ? POOL_GET(w, solid, id) : NULL;
    return s && s->body > 0 ? OBJECT_ID(w, body, &POOL_ITEMS(w, body)[s->body - 1]) : (rill_body_id){0};
}

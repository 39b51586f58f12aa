/* SPDX-License-Identifier: MIT */
/* Groups of particles: adding, joining, emptying and reading them. Splitting is in group_split.c. */
#include "model/groups.h"

#include "api/world.h"

#include <math.h>
#include <string.h>

rill_status rill_check_group(rill_world *w, const rill_group_def *def) {
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_GROUP), def, &w->error));
    if (rill_groups_reserve(w, def)) return RILL_OK;
    return rill_fail(&w->error, RILL_MEMORY, "group: not enough memory for the fields of %d particles",
                     w->particles.count);
}

rill_status rill_world_add_group(rill_world *w, const rill_group_def *given, rill_group_id *id) {
    if (!w) return RILL_INVALID;
    if (!given) return rill_fail(&w->error, RILL_INVALID, "group: the definition is NULL");
    rill_group_def def = *given;
    TRY(rill_check_group(w, &def));
    uint32_t index;
    group *g = rill_object_take(w, &w->groups, OBJECT_KIND(group), def.name, &index);
    if (!g) return w->error.status;
    g->def = def;
    if (id) *id = (rill_group_id){index + 1, g->slot.age};
    return RILL_OK;
}

/* ---- members ---- */

static uint32_t *groups_of(const rill_world *w) {
    return particles_extra(&w->particles, EXTRA_GROUP);
}

/* Moves all members of one group to another; 0: to none. */
static void move_members(rill_world *w, uint32_t from, uint32_t to) {
    uint32_t *groups = groups_of(w);
    for (int i = 0; groups && i < w->particles.count; i++)
        if (groups[i] == from) groups[i] = to;
}

static rill_status require(rill_world *w, rill_group_id id, const char *what) {
    if (POOL_GET(w, group, id)) return RILL_OK;
    return rill_fail(&w->error, RILL_NOT_FOUND, "%s: no such group", what);
}

/* What kind of object still refers to a group; NULL: none. */
static const char *user_of(const rill_world *w, rill_group_id id) {
    FOR_ALIVE(w, emitter, e) if (e->def.group.index1 == id.index1) return "an emitter";
    FOR_ALIVE(w, area, a) if (a->def.group.index1 == id.index1) return "an area";
    return NULL;
}

static rill_status remove_group(rill_world *w, rill_group_id id, uint32_t heir, const char *what) {
    const char *user = user_of(w, id);
    group *g = POOL_GET(w, group, id);
    if (user)
        return rill_fail(&w->error, RILL_INVALID, "%s: %s still refers to '%s'; remove it first", what, user,
                         g->def.name);
    move_members(w, id.index1, heir);
    rill_pool_drop(&w->groups, sizeof *g, g);
    return RILL_OK;
}

rill_status rill_world_remove_group(rill_world *w, rill_group_id id) {
    if (!w) return RILL_INVALID;
    TRY(require(w, id, "remove_group"));
    return remove_group(w, id, 0, "remove_group");
}

rill_status rill_world_join_groups(rill_world *w, rill_group_id into, rill_group_id from) {
    if (!w) return RILL_INVALID;
    TRY(require(w, into, "join_groups"));
    TRY(require(w, from, "join_groups"));
    if (into.index1 == from.index1)
        return rill_fail(&w->error, RILL_INVALID, "join_groups: a group cannot join itself");
    return remove_group(w, from, into.index1, "join_groups");
}

static rill_status require_or_null(rill_world *w, rill_group_id id, const char *what) {
    if (id.index1 > 0) return require(w, id, what);
    if (rill_particles_use(&w->memory, &w->particles, EXTRA_GROUP)) return RILL_OK;
    return rill_fail(&w->error, RILL_MEMORY, "%s: no memory for the groups of particles", what);
}

/* Checks a list of ids from the host before anything is changed. */
static rill_status find_all(rill_world *w, const rill_particle_id *ids, int count, const char *what) {
    if (count < 0 || (count > 0 && !ids))
        return rill_fail(&w->error, RILL_INVALID, "%s: needs a count and as many ids, got %d%s", what, count,
                         ids ? "" : " and NULL");
    return rill_check_particles(w, ids, count, what);
}

rill_status rill_world_group_particles(rill_world *w, rill_group_id id, const rill_particle_id *ids, int count) {
    if (!w) return RILL_INVALID;
    TRY(require_or_null(w, id, "group_particles"));
    TRY(find_all(w, ids, count, "group_particles"));
    for (int k = 0; k < count; k++)
        groups_of(w)[rill_particles_index_of(&w->memory, &w->particles, ids[k])] = id.index1;
    return RILL_OK;
}

rill_status rill_world_group_inside(rill_world *w, rill_group_id id, const rill_shape *shape, int *grouped) {
    int count = 0;
    if (!w) return RILL_INVALID;
    TRY(require_or_null(w, id, "group_inside"));
    TRY(rill_world_particles_inside(w, shape, NULL, 0, &count));
    const size_t size = sizeof(rill_particle_id) * (size_t)count;
    rill_particle_id *ids = rill_memory_get(&w->memory, size);
    if (!ids && count > 0) return rill_fail(&w->error, RILL_MEMORY, "group_inside: no memory for %d ids", count);
    rill_status status = rill_world_particles_inside(w, shape, ids, count, &count);
    if (status == RILL_OK) status = rill_world_group_particles(w, id, ids, count);
    rill_memory_release(&w->memory, ids, size);
    if (grouped) *grouped = count;
    return status;
}

rill_status rill_world_empty_group(rill_world *w, rill_group_id id, int *removed) {
    if (!w) return RILL_INVALID;
    TRY(require(w, id, "empty_group"));
    int gone = 0;
    for (int i = w->particles.count - 1; i >= 0; i--) {
        if (groups_of(w)[i] != id.index1) continue;
        rill_particles_remove(&w->particles, i);
        gone++;
    }
    w->stats.particles = w->particles.count;
    w->stats.removed += gone;
    if (removed) *removed = gone;
    return RILL_OK;
}

rill_status rill_world_group_set_user_data(rill_world *w, rill_group_id id, void *user_data) {
    if (!w) return RILL_INVALID;
    TRY(require(w, id, "group_set_user_data"));
    POOL_GET(w, group, id)->def.user_data = user_data;
    return RILL_OK;
}

/* ---- sums over a group, and pushes ---- */

static const float *place_of(const rill_world *w, int i) {
    return (const float *)w->particles.fields[FIELD_PLACE].data + 4 * (size_t)i;
}

static float *velocity_of(const rill_world *w, int i) {
    return (float *)w->particles.fields[FIELD_VELOCITY].data + (size_t)w->def.dim * (size_t)i;
}

/* Sums over a group in double precision, in the order of the arrays. */
typedef struct group_sums {
    int count;
    double mass, first[3], momentum[3]; /* sums of m x and of m v */
    double spin, inertia;               /* angular momentum and moment of inertia about the z axis through the origin */
} group_sums;

static void add_member(const rill_world *w, int i, group_sums *s, rill_group_state *state) {
    const float *x = place_of(w, i), *v = velocity_of(w, i);
    const double m = (double)x[w->def.dim];
    float *low = &state->min.x, *high = &state->max.x;
    for (int axis = 0; axis < w->def.dim; axis++) {
        s->first[axis] += m * (double)x[axis];
        s->momentum[axis] += m * (double)v[axis];
        low[axis] = s->count == 0 ? x[axis] : fminf(low[axis], x[axis]);
        high[axis] = s->count == 0 ? x[axis] : fmaxf(high[axis], x[axis]);
    }
    s->spin += m * ((double)x[0] * (double)v[1] - (double)x[1] * (double)v[0]);
    s->inertia += m * ((double)x[0] * (double)x[0] + (double)x[1] * (double)x[1]);
    s->mass += m;
    s->count++;
}

rill_status rill_world_group_state(const rill_world *w, rill_group_id id, rill_group_state *state) {
    if (!w || !state) return RILL_INVALID;
    if (!POOL_GET(w, group, id)) return RILL_NOT_FOUND;
    group_sums s = {0};
    *state = (rill_group_state){0};
    for (int i = 0; i < w->particles.count; i++)
        if (groups_of(w)[i] == id.index1) add_member(w, i, &s, state);
    if (s.count == 0) return RILL_OK;
    state->particles = s.count;
    state->mass = (float)s.mass;
    double c[3], v[3];
    for (int axis = 0; axis < 3; axis++) {
        c[axis] = s.first[axis] / s.mass, v[axis] = s.momentum[axis] / s.mass;
        (&state->centre.x)[axis] = (float)c[axis], (&state->velocity.x)[axis] = (float)v[axis];
    }
    const double inertia = s.inertia - s.mass * (c[0] * c[0] + c[1] * c[1]);
    const double spin = s.spin - s.mass * (c[0] * v[1] - c[1] * v[0]);
    state->angular_velocity = inertia > 0 ? (float)(spin / inertia) : 0.0f;
    return RILL_OK;
}

rill_status rill_world_push_group(rill_world *w, rill_group_id id, rill_vec velocity) {
    if (!w) return RILL_INVALID;
    TRY(require(w, id, "push_group"));
    if (!isfinite(velocity.x) || !isfinite(velocity.y) || !isfinite(velocity.z))
        return rill_fail(&w->error, RILL_INVALID, "push_group: the velocity must be finite");
    for (int i = 0; i < w->particles.count; i++)
        for (int axis = 0; groups_of(w)[i] == id.index1 && axis < w->def.dim; axis++)
            velocity_of(w, i)[axis] += (&velocity.x)[axis];
    return RILL_OK;
}

/* SPDX-License-Identifier: MIT */
/* Particles: adding, changing, removing, finding and reading them. Every call checks its arguments before it changes
   anything. */
#include "api/compare.h"
#include "api/world.h"

#include <math.h>
#include <string.h>

static bool all_finite(const rill_vec *values, int count) {
    for (int k = 0; values && k < count; k++)
        if (!rill_finite_vec(values[k])) return false;
    return true;
}

static rill_status check_stored(rill_world *w, const rill_block_def *def) {
    const rill_points *places = &def->places, *velocities = &def->velocities;
    if (def->fill != RILL_FILL_STORED) return RILL_OK;
    if (places->count < 0 || (places->count > 0 && !places->data) || (velocities->count > 0 && !velocities->data))
        return rill_fail(&w->error, RILL_INVALID, "block: the list of stored positions is NULL");
    if (velocities->count != 0 && velocities->count != places->count)
        return rill_fail(&w->error, RILL_INVALID, "block: has %d velocities for %d stored positions", velocities->count,
                         places->count);
    if (!all_finite(places->data, places->count) || !all_finite(velocities->data, velocities->count))
        return rill_fail(&w->error, RILL_INVALID, "block: stored positions and velocities must be finite");
    return RILL_OK;
}

static rill_status block(rill_world *w, const rill_block_def *given, bool count_only, int *count) {
    if (!w) return RILL_INVALID;
    if (!given) return rill_fail(&w->error, RILL_INVALID, "block: the definition is NULL");
    rill_block_def filled = *given, *def = &filled;
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_BLOCK), def, &w->error));
    TRY(rill_check_shape(w, &def->shape));
    TRY(check_stored(w, def));
    TRY(rill_refer_block(w, def));
    const fluid *first = first_fluid(w), *named = POOL_GET(w, fluid, def->fluid), *f = named ? named : first;
    if (!f) return rill_fail(&w->error, RILL_NOT_FOUND, "block: add a fluid first");
    int added = 0;
    const rill_status status = w->operations->add_block(w, def, (int)(f - POOL_ITEMS(w, fluid)), count_only, &added);
    if (count) *count = added;
    if (status == RILL_OK && !count_only) {
        w->scene_changed = true;
        w->stats.particles = w->particles.count;
        w->blocks_digest = rill_compare_digest(w->blocks_digest, def);
    }
    return status;
}

rill_status rill_world_add_block(rill_world *w, const rill_block_def *def, int *added) {
    return block(w, def, false, added);
}

rill_status rill_world_count_block(rill_world *w, const rill_block_def *def, int *count) {
    return block(w, def, true, count);
}

static rill_status add_particles(rill_world *w, rill_fluid_id id, const rill_vec *positions, const rill_vec *velocities,
                                 int count, rill_particle_id *first, const char *what) {
    if (!POOL_GET(w, fluid, id)) return rill_fail(&w->error, RILL_NOT_FOUND, "%s: no such fluid", what);
    for (int k = 0; k < count; k++)
        if (!rill_finite_vec(positions[k]) || (velocities && !rill_finite_vec(velocities[k])))
            return rill_fail(&w->error, RILL_INVALID, "%s: position and velocity must be finite", what);
    if (first) *first = w->particles.next_id;
    TRY(w->operations->add_particles(w, (int)id.index1 - 1, positions, velocities, count));
    w->stats.particles = w->particles.count;
    return RILL_OK;
}

rill_status rill_world_add_particle(rill_world *w, rill_fluid_id fluid, rill_vec position, rill_vec velocity,
                                    rill_particle_id *id) {
    return w ? add_particles(w, fluid, &position, &velocity, 1, id, "add_particle") : RILL_INVALID;
}

rill_status rill_world_add_particles(rill_world *w, rill_fluid_id fluid, const rill_vec *positions,
                                     const rill_vec *velocities, int count, rill_particle_id *first) {
    if (!w) return RILL_INVALID;
    if (count < 0 || (count > 0 && !positions))
        return rill_fail(&w->error, RILL_INVALID, "add_particles: needs a count and as many positions, got %d%s", count,
                         positions ? "" : " and NULL");
    return add_particles(w, fluid, positions, velocities, count, first, "add_particles");
}

rill_status rill_world_set_particles(rill_world *w, const rill_particle_id *ids, const rill_vec *positions,
                                     const rill_vec *velocities, int count) {
    if (!w) return RILL_INVALID;
    if (count < 0 || (count > 0 && !ids))
        return rill_fail(&w->error, RILL_INVALID, "set_particles: needs a count and as many ids, got %d%s", count,
                         ids ? "" : " and NULL");
    if (!all_finite(positions, count) || !all_finite(velocities, count))
        return rill_fail(&w->error, RILL_INVALID, "set_particles: position and velocity must be finite");
    TRY(rill_check_particles(w, ids, count, "set_particles"));
    w->operations->set_particles(w, ids, positions, velocities, count);
    return RILL_OK;
}

rill_status rill_world_remove_particle(rill_world *w, rill_particle_id id) {
    if (!w) return RILL_INVALID;
    const int index = rill_particles_index_of(&w->memory, &w->particles, id);
    if (index == -2)
        return rill_fail(&w->error, RILL_MEMORY, "remove_particle: no memory to look up particle %llu",
                         (unsigned long long)id);
    if (index < 0)
        return rill_fail(&w->error, RILL_NOT_FOUND, "remove_particle: there is no particle %llu",
                         (unsigned long long)id);
    rill_particles_remove(&w->particles, index);
    w->stats.particles = w->particles.count;
    w->stats.removed++;
    return RILL_OK;
}

rill_status rill_world_remove_particles(rill_world *w, const rill_particle_id *ids, int count, int *removed) {
    if (!w) return RILL_INVALID;
    if (count < 0 || (count > 0 && !ids))
        return rill_fail(&w->error, RILL_INVALID, "remove_particles: needs a count and as many ids, got %d%s", count,
                         ids ? "" : " and NULL");
    const int gone = rill_particles_remove_all(&w->memory, &w->particles, ids, count);
    if (gone < 0)
        return rill_fail(&w->error, RILL_MEMORY, "remove_particles: no memory to look up %d particles", count);
    if (removed) *removed = gone;
    w->stats.particles = w->particles.count;
    w->stats.removed += gone;
    return RILL_OK;
}

rill_status rill_world_remove_inside(rill_world *w, const rill_shape *shape, int *removed) {
    if (!w) return RILL_INVALID;
    if (!shape) return rill_fail(&w->error, RILL_INVALID, "remove_inside: the shape is NULL");
    rill_status status = rill_check_shape(w, shape);
    if (status == RILL_OK) status = w->operations->remove_inside(w, shape, removed);
    w->stats.particles = w->particles.count;
    return status;
}

rill_status rill_world_push_inside(rill_world *w, const rill_shape *shape, rill_vec velocity, float share,
                                   int *pushed) {
    if (!w) return RILL_INVALID;
    if (!shape) return rill_fail(&w->error, RILL_INVALID, "push_inside: the shape is NULL");
    if (!(share >= 0 && share <= 1))
        return rill_fail(&w->error, RILL_INVALID, "push_inside: the share is %g; expected 0 to 1", (double)share);
    if (!rill_finite_vec(velocity))
        return rill_fail(&w->error, RILL_INVALID, "push_inside: the velocity must be finite");
    TRY(rill_check_shape(w, shape));
    return w->operations->push_inside(w, shape, velocity, share, pushed);
}

rill_status rill_world_reserve(rill_world *w, int count) {
    if (!w) return RILL_INVALID;
    if (count < 0) return rill_fail(&w->error, RILL_INVALID, "reserve: the number of particles is negative: %d", count);
    return w->operations->reserve(w, count);
}

int rill_world_particle_count(const rill_world *w) {
    return w ? w->particles.count : 0;
}

int rill_world_particle_index(rill_world *w, rill_particle_id id) {
    const int index = w ? rill_particles_index_of(&w->memory, &w->particles, id) : -1;
    return index < 0 ? -1 : index;
}

rill_particle_id rill_world_particle_at(const rill_world *w, int index) {
    if (!w || index < 0 || index >= w->particles.count) return RILL_NO_PARTICLE;
    return ((const rill_particle_id *)w->particles.fields[FIELD_ID].data)[index];
}

int rill_world_view_count(const rill_world *w) {
    int n = 0;
    for (int k = 0; w && k < w->particles.field_count; k++) n += (w->particles.fields[k].def.flags & FIELD_SHOW) != 0;
    return n;
}

rill_view rill_world_view_at(const rill_world *w, int index) {
    for (int k = 0; w && index >= 0 && k < w->particles.field_count; k++)
        if ((w->particles.fields[k].def.flags & FIELD_SHOW) && index-- == 0)
            return rill_particles_view(&w->particles, k);
    return (rill_view){0};
}

rill_status rill_world_view(const rill_world *w, const char *name, rill_view *view) {
    if (!w || !name || !view) return RILL_INVALID;
    for (int k = 0; k < rill_world_view_count(w); k++) {
        *view = rill_world_view_at(w, k);
        if (strcmp(view->name, name) == 0) return RILL_OK;
    }
    *view = (rill_view){0};
    return RILL_NOT_FOUND;
}

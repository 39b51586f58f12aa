/* SPDX-License-Identifier: MIT */
/* Fields that particles carry for the host, velocities written by the host, blasts, and the lists of events. */
#include "api/world.h"

#include <math.h>
#include <string.h>

rill_status rill_check_particles(rill_world *w, const rill_particle_id *ids, int count, const char *what) {
    for (int k = 0; k < count; k++) {
        const int index = rill_particles_index_of(&w->memory, &w->particles, ids[k]);
        if (index == -2) return rill_fail(&w->error, RILL_MEMORY, "%s: no memory to look up particles", what);
        if (index < 0)
            return rill_fail(&w->error, RILL_NOT_FOUND, "%s: there is no particle %llu", what,
                             (unsigned long long)ids[k]);
    }
    return RILL_OK;
}

/* Sets a field of the particles with these ids. */
static rill_status set_values(rill_world *w, extra_field which, const rill_particle_id *ids, const void *values,
                              int count, const char *what) {
    if (count < 0 || (count > 0 && (!ids || !values)))
        return rill_fail(&w->error, RILL_INVALID, "%s: needs a count, and as many ids and values; got %d%s", what,
                         count, count > 0 ? " and NULL" : "");
    TRY(rill_check_particles(w, ids, count, what));
    if (!rill_particles_use(&w->memory, &w->particles, which))
        return rill_fail(&w->error, RILL_MEMORY, "%s: not enough memory for the fields of %d particles", what,
                         w->particles.count);
    const size_t size = w->particles.fields[w->particles.extra[which]].size;
    char *to = particles_extra(&w->particles, which);
    for (int k = 0; k < count; k++)
        memcpy(to + size * (size_t)rill_particles_index_of(&w->memory, &w->particles, ids[k]),
               (const char *)values + size * (size_t)k, size);
    return RILL_OK;
}

static rill_status check_range(rill_world *w, const float *values, size_t count, float high, const char *what) {
    for (size_t k = 0; values && k < count; k++)
        if (!(values[k] >= 0.0f && values[k] <= high))
            return rill_fail(&w->error, RILL_INVALID, "%s: got %g; expected 0 to %g", what, (double)values[k],
                             (double)high);
    return RILL_OK;
}

rill_status rill_world_set_colours(rill_world *w, const rill_particle_id *ids, const float (*colours)[4], int count) {
    if (!w) return RILL_INVALID;
    if (count > 0) TRY(check_range(w, (const float *)colours, 4 * (size_t)count, 1.0f, "set_colours"));
    return set_values(w, EXTRA_COLOUR, ids, colours, count, "set_colours");
}

rill_status rill_world_set_user_data(rill_world *w, const rill_particle_id *ids, const uint64_t *values, int count) {
    return w ? set_values(w, EXTRA_USER_DATA, ids, values, count, "set_user_data") : RILL_INVALID;
}

rill_status rill_world_set_lifetimes(rill_world *w, const rill_particle_id *ids, const float *seconds, int count) {
    if (!w) return RILL_INVALID;
    if (count > 0) TRY(check_range(w, seconds, (size_t)count, 1e30f, "set_lifetimes"));
    return set_values(w, EXTRA_LIFE, ids, seconds, count, "set_lifetimes");
}

float *rill_world_write_velocities(rill_world *w, int *count) {
    if (count) *count = w ? w->particles.count : 0;
    if (!w || w->particles.count == 0) return NULL;
    w->velocities_written = true;
    return w->particles.fields[FIELD_VELOCITY].data;
}

rill_status rill_world_blast(rill_world *w, rill_vec centre, float radius, float speed, int *pushed) {
    if (!w) return RILL_INVALID;
    if (!isfinite(centre.x) || !isfinite(centre.y) || !isfinite(centre.z) || !isfinite(speed))
        return rill_fail(&w->error, RILL_INVALID, "blast: centre and speed must be finite");
    if (!(radius > 0.0f) || !isfinite(radius))
        return rill_fail(&w->error, RILL_INVALID, "blast: the radius must be positive and finite, got %g",
                         (double)radius);
    const int dim = w->def.dim;
    int count = 0;
    for (int i = 0; i < w->particles.count; i++) {
        const float *x = (const float *)w->particles.fields[FIELD_PLACE].data + 4 * (size_t)i;
        float *v = (float *)w->particles.fields[FIELD_VELOCITY].data + (size_t)dim * (size_t)i;
        float out[3] = {0}, r2 = 0.0f;
        for (int axis = 0; axis < dim; axis++) out[axis] = x[axis] - (&centre.x)[axis], r2 += out[axis] * out[axis];
        if (!(r2 < radius * radius)) continue;
        const float r = sqrtf(r2), push = r > 0.0f ? speed * (1.0f - r / radius) / r : 0.0f;
        for (int axis = 0; axis < dim; axis++) v[axis] += push * out[axis];
        count++;
    }
    if (pushed) *pushed = count;
    return RILL_OK;
}

/* ---- events ---- */

int rill_world_removal_count(const rill_world *w) {
    return w ? w->removal_count : 0;
}

const rill_removal *rill_world_removals(const rill_world *w) {
    return w ? w->removals.data : NULL;
}

int rill_world_passage_count(const rill_world *w) {
    return w ? w->passage_count : 0;
}

const rill_passage *rill_world_passages(const rill_world *w) {
    return w ? w->passages.data : NULL;
}

int rill_world_change_count(const rill_world *w) {
    return w ? w->change_count : 0;
}

const rill_change *rill_world_changes(const rill_world *w) {
    return w ? w->changes.data : NULL;
}

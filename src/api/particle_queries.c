/* SPDX-License-Identifier: MIT */
/* Queries about particles. Each of them loops over all particles: 50,000 take about 50 microseconds, and no index needs
   to be kept up to date. */
#include "api/world.h"

#include <math.h>

static rill_status prepare(rill_world *w, const void *out, rill_vec a, rill_vec b, const char *what) {
    if (!w) return RILL_INVALID;
    if (!out) return rill_fail(&w->error, RILL_INVALID, "%s: the pointer for the result is NULL", what);
    const float numbers[] = {a.x, a.y, a.z, b.x, b.y, b.z};
    for (int k = 0; k < 6; k++)
        if (!isfinite(numbers[k])) return rill_fail(&w->error, RILL_INVALID, "%s: vectors must be finite", what);
    return RILL_OK;
}

static rill_particle_id id_at(const rill_world *w, int i) {
    return ((const rill_particle_id *)w->particles.fields[FIELD_ID].data)[i];
}

static const float *place_at(const rill_world *w, int i) {
    return (const float *)w->particles.fields[FIELD_PLACE].data + 4 * (size_t)i;
}

/* A list of ids that is filled up to its capacity; `count` goes on counting. */
typedef struct id_list {
    rill_particle_id *ids;
    int capacity;
    int *count;
} id_list;

static void put(id_list list, rill_particle_id id) {
    if (list.ids && *list.count < list.capacity) list.ids[*list.count] = id;
    ++*list.count;
}

rill_status rill_world_particles_in_box(rill_world *w, rill_vec min, rill_vec max, rill_particle_id *ids, int capacity,
                                        int *count) {
    TRY(prepare(w, count, min, max, "particles_in_box"));
    *count = 0;
    for (int i = 0; i < w->particles.count; i++) {
        const float *x = place_at(w, i);
        bool in = true;
        for (int axis = 0; axis < w->def.dim; axis++) in &= x[axis] >= (&min.x)[axis] && x[axis] <= (&max.x)[axis];
        if (in) put((id_list){ids, capacity, count}, id_at(w, i));
    }
    return RILL_OK;
}

rill_status rill_world_particles_inside(rill_world *w, const rill_shape *shape, rill_particle_id *ids, int capacity,
                                        int *count) {
    TRY(prepare(w, count, (rill_vec){0}, (rill_vec){0}, "particles_inside"));
    if (!shape) return rill_fail(&w->error, RILL_INVALID, "particles_inside: the shape is NULL");
    TRY(rill_check_shape(w, shape));
    return w->operations->find_inside(w, shape, ids, capacity, count);
}

rill_status rill_world_particles_of_group(rill_world *w, rill_group_id id, rill_particle_id *ids, int capacity,
                                          int *count) {
    TRY(prepare(w, count, (rill_vec){0}, (rill_vec){0}, "particles_of_group"));
    if (!POOL_GET(w, group, id)) return rill_fail(&w->error, RILL_NOT_FOUND, "particles_of_group: no such group");
    const uint32_t *groups = particles_extra(&w->particles, EXTRA_GROUP);
    *count = 0;
    for (int i = 0; i < w->particles.count; i++)
        if (groups[i] == id.index1) put((id_list){ids, capacity, count}, id_at(w, i));
    return RILL_OK;
}

rill_status rill_world_nearest_particle(rill_world *w, rill_vec point, float reach, rill_particle_id *id,
                                        float *distance) {
    TRY(prepare(w, id, point, point, "nearest_particle"));
    if (!(reach >= 0.0f)) return rill_fail(&w->error, RILL_INVALID, "nearest_particle: the reach must not be negative");
    float least = reach * reach;
    *id = RILL_NO_PARTICLE;
    for (int i = 0; i < w->particles.count; i++) {
        const float *x = place_at(w, i);
        float r2 = 0.0f;
        for (int axis = 0; axis < w->def.dim; axis++) r2 += (x[axis] - (&point.x)[axis]) * (x[axis] - (&point.x)[axis]);
        if (r2 > least || (r2 == least && *id != RILL_NO_PARTICLE)) continue;
        least = r2;
        *id = id_at(w, i);
    }
    if (distance) *distance = *id == RILL_NO_PARTICLE ? 0.0f : sqrtf(least);
    return RILL_OK;
}

/* Distance along a ray to the ball of half a spacing around x; 0 if the ray starts inside it; negative if it misses. */
static double enters(const rill_world *w, const double origin[3], const double along[3], const float *x) {
    double ahead = 0, r2 = 0;
    const int dim = w->def.dim == 3 ? 3 : 2;
    for (int axis = 0; axis < dim; axis++) {
        const double d = (double)x[axis] - origin[axis];
        ahead += d * along[axis], r2 += d * d;
    }
    const double radius = 0.5 * (double)w->def.spacing, off2 = radius * radius - (r2 - ahead * ahead);
    if (off2 < 0) return -1;
    const double at = ahead - sqrt(off2);
    return r2 <= radius * radius ? 0 : at;
}

rill_status rill_world_particle_on_ray(rill_world *w, rill_vec origin, rill_vec direction, float length,
                                       rill_particle_id *id, float *distance) {
    TRY(prepare(w, id, origin, direction, "particle_on_ray"));
    double from[3] = {(double)origin.x, (double)origin.y, (double)origin.z},
           along[3] = {(double)direction.x, (double)direction.y, w->def.dim == 3 ? (double)direction.z : 0};
    const double norm = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    if (!(norm > 0) || !(length > 0.0f) || !isfinite(length))
        return rill_fail(&w->error, RILL_INVALID,
                         "particle_on_ray: expected a direction and a length that are finite and not zero");
    for (int axis = 0; axis < 3; axis++) along[axis] /= norm;
    double nearest = (double)length;
    *id = RILL_NO_PARTICLE;
    for (int i = 0; i < w->particles.count; i++) {
        const double at = enters(w, from, along, place_at(w, i));
        if (at < 0 || at > nearest || (at == nearest && *id != RILL_NO_PARTICLE)) continue;
        nearest = at;
        *id = id_at(w, i);
    }
    if (distance) *distance = *id == RILL_NO_PARTICLE ? 0.0f : (float)nearest;
    return RILL_OK;
}

rill_status rill_world_stuck_particles(rill_world *w, rill_particle_id *ids, int capacity, int *count) {
    TRY(prepare(w, count, (rill_vec){0}, (rill_vec){0}, "stuck_particles"));
    return w->operations->find_stuck(w, ids, capacity, count);
}

/* ---- the fluid at a point ---- */

static rill_status read(rill_world *w, gauge g, rill_gauge_kind kind, rill_reading *reading) {
    g.def.kind = kind;
    return w->operations->read_gauge(w, &g, reading);
}

/* The unit vector against gravity, or along the last axis if there is no gravity. */
static rill_vec upwards(const rill_world *w) {
    const rill_vec g = w->def.gravity;
    const float length = sqrtf(g.x * g.x + g.y * g.y + g.z * g.z);
    if (length > 0.0f) return (rill_vec){-g.x / length, -g.y / length, -g.z / length};
    return w->def.dim == 3 ? (rill_vec){0, 0, 1} : (rill_vec){0, 1, 0};
}

rill_status rill_world_sample_fluid(rill_world *w, rill_vec point, float deepest, rill_fluid_sample *sample) {
    TRY(prepare(w, sample, point, point, "sample_fluid"));
    if (!(deepest > 0.0f) || !isfinite(deepest))
        return rill_fail(&w->error, RILL_INVALID, "sample_fluid: the deepest must be positive and finite, got %g",
                         (double)deepest);
    gauge g = {.def = rill_gauge_def_default()};
    g.def.position = point, g.def.direction = upwards(w), g.def.length = deepest;
    rill_reading density, pressure, velocity, front;
    TRY(read(w, g, RILL_GAUGE_DENSITY, &density));
    TRY(read(w, g, RILL_GAUGE_PRESSURE, &pressure));
    TRY(read(w, g, RILL_GAUGE_VELOCITY, &velocity));
    TRY(read(w, g, RILL_GAUGE_FRONT, &front));
    *sample = (rill_fluid_sample){0};
    if (!isnan(density.value[0])) sample->density = (float)density.value[0];
    if (!isnan(pressure.value[0])) sample->pressure = (float)pressure.value[0];
    for (int axis = 0; axis < velocity.count; axis++)
        if (!isnan(velocity.value[axis])) (&sample->velocity.x)[axis] = (float)velocity.value[axis];
    sample->inside = !isnan(front.value[0]) && front.value[0] > 0;
    if (sample->inside) sample->depth = (float)front.value[0];
    return RILL_OK;
}

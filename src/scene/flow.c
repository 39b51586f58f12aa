/* SPDX-License-Identifier: MIT */
/* Initial flows that are known by formula, such as Taylor-Green vortices: up to three expressions are evaluated at the
   place of each particle of a block. */
#include "scene/flow.h"

#include "core/error.h"
#include "scene/expression.h"
#include "scene/variables.h"

#include <stdlib.h>
#include <string.h>

typedef struct here {
    const scene *scene;
    rill_vec x;
} here;

static expression_found find_here(const void *context, const char *name, double *value) {
    const here *h = context;
    const expression_names variables = rill_scene_names(h->scene);
    const expression_found found = variables.find(variables.context, name, value);
    const bool axis = strlen(name) == 1 && strchr("xyz", name[0]);
    if (found != EXPRESSION_UNKNOWN || !axis) return found;
    *value = (double)(&h->x.x)[name[0] - 'x'] + (double)(&h->scene->world.origin.x)[name[0] - 'x'];
    return EXPRESSION_FOUND;
}

static rill_status add_value(const here *h, const char *key, const char *text, float *v, rill_error *error) {
    double value;
    expression_problem problem;
    if (!text[0]) return RILL_OK;
    if (!rill_expression_value(text, (expression_names){find_here, h}, &value, &problem))
        return rill_fail(error, RILL_INVALID, "%s: character %d of '%s': %s", key, problem.character, text,
                         problem.text);
    *v += (float)value;
    return RILL_OK;
}

static rill_status fill(const scene *s, const rill_world *world, const rill_block_def *b, int first, int count,
                        rill_particle_id *ids, rill_vec *velocities, rill_error *error) {
    rill_view x, v;
    TRY(rill_world_view(world, "position", &x));
    TRY(rill_world_view(world, "velocity", &v));
    for (int k = 0; k < count; k++) {
        here h = {.scene = s};
        const float *place = (const float *)x.data + (size_t)(first + k) * (size_t)x.stride;
        const float *motion = (const float *)v.data + (size_t)(first + k) * (size_t)v.stride;
        memcpy(&h.x, place, sizeof(float) * (size_t)x.components);
        memcpy(&velocities[k], motion, sizeof(float) * (size_t)v.components);
        ids[k] = rill_world_particle_at(world, first + k);
        TRY(add_value(&h, "velocity_x", b->velocity_x, &velocities[k].x, error));
        TRY(add_value(&h, "velocity_y", b->velocity_y, &velocities[k].y, error));
        if (s->world.dim == 3) TRY(add_value(&h, "velocity_z", b->velocity_z, &velocities[k].z, error));
    }
    return RILL_OK;
}

rill_status rill_scene_set_flow(const scene *s, rill_world *world, const rill_block_def *b, int added,
                                rill_error *error) {
    if (added == 0 || !(b->velocity_x[0] || b->velocity_y[0] || b->velocity_z[0])) return RILL_OK;
    rill_particle_id *ids = calloc((size_t)added, sizeof *ids);
    rill_vec *velocities = calloc((size_t)added, sizeof *velocities);
    rill_status status =
        ids && velocities ? RILL_OK : rill_fail(error, RILL_MEMORY, "no memory for %d velocities", added);
    if (status == RILL_OK)
        status = fill(s, world, b, rill_world_particle_count(world) - added, added, ids, velocities, error);
    if (status == RILL_OK && (status = rill_world_set_particles(world, ids, NULL, velocities, added)) != RILL_OK)
        rill_fail(error, status, "%s", rill_world_message(world));
    free(ids);
    free(velocities);
    return status;
}

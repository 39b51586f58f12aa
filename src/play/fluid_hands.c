/* SPDX-License-Identifier: MIT */
/* Hands in the fluid: pushing, pouring, erasing. */
#include "play/session.h"

#include "core/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Least distances of poured particles from others and from solids [spacings]. They are those of a fluid at rest:
   particles poured any closer would blow it apart. */
#define POUR_GAP  1.0f
#define POUR_WALL 0.5f
/* Share of the difference between the hand's velocity and the fluid's that one push adds to the fluid. */
#define PUSH_SHARE 0.5f
/* Largest radius of a pour [spacings]: a larger one would hold up the step. */
#define POUR_MOST 12.0f

static rill_shape ball(rill_vec at, double radius) {
    rill_shape shape = rill_shape_default();
    shape.kind = RILL_SPHERE;
    shape.position = at;
    shape.radius = (float)radius;
    return shape;
}

rill_status rill_play_push(play_session *s, const play_input *input, rill_error *error) {
    const rill_shape shape = ball(input->at, input->radius);
    return rill_play_said(s, rill_world_push_inside(s->world, &shape, input->velocity, PUSH_SHARE, NULL), error);
}

rill_status rill_play_erase(play_session *s, const play_input *input, rill_error *error) {
    const rill_shape shape = ball(input->at, input->radius);
    return rill_play_said(s, rill_world_remove_inside(s->world, &shape, NULL), error);
}

/* ---- pouring ---- */

typedef struct places {
    rill_vec *data; /* free places first */
    int count;
} places;

static bool is_in_solid(play_session *s, rill_vec at) {
    int solids = 0;
    return rill_world_query_point(s->world, at, NULL, NULL, 0, &solids) || solids > 0;
}

static bool is_near_solid(play_session *s, rill_vec at, int dim, float reach) {
    for (int axis = 0; axis < dim; axis++)
        for (int side = -1; side <= 1; side += 2) {
            const float by = (float)side * reach;
            const rill_vec beside = {at.x + (axis == 0) * by, at.y + (axis == 1) * by, at.z + (axis == 2) * by};
            if (is_in_solid(s, beside)) return true;
        }
    return is_in_solid(s, at);
}

/* The points of a lattice inside the ball. */
static rill_status make_places(play_session *s, const play_input *input, places *p, rill_error *error) {
    const rill_world_def *def = rill_world_get_def(s->world);
    const float dx = def->spacing, radius = fminf((float)input->radius, POUR_MOST * dx);
    const int n = (int)(radius / dx), layers = def->dim == 3 ? n : 0;
    const size_t most = (size_t)(2 * n + 1) * (size_t)(2 * n + 1) * (size_t)(2 * layers + 1);
    p->data = malloc(most * sizeof *p->data);
    if (!p->data) return rill_fail(error, RILL_MEMORY, "pour: no memory");
    for (int z = -layers; z <= layers; z++)
        for (int y = -n; y <= n; y++)
            for (int x = -n; x <= n; x++) {
                const rill_vec way = {dx * (float)x, dx * (float)y, dx * (float)z};
                const rill_vec at = {input->at.x + way.x, input->at.y + way.y, input->at.z + way.z};
                if (way.x * way.x + way.y * way.y + way.z * way.z > radius * radius) continue;
                p->data[p->count++] = at;
            }
    return RILL_OK;
}

/* Removes the places that are too near to this particle. */
static void leave_out_near(places *p, rill_vec particle, float gap) {
    for (int k = 0; k < p->count;) {
        const float x = p->data[k].x - particle.x, y = p->data[k].y - particle.y, z = p->data[k].z - particle.z;
        if (x * x + y * y + z * z < gap * gap)
            p->data[k] = p->data[--p->count];
        else
            k++;
    }
}

static void leave_out_near_solids(play_session *s, places *p) {
    const rill_world_def *def = rill_world_get_def(s->world);
    for (int k = 0; k < p->count;) {
        if (is_near_solid(s, p->data[k], def->dim, POUR_WALL * def->spacing))
            p->data[k] = p->data[--p->count];
        else
            k++;
    }
}

static rill_status leave_out_taken(play_session *s, const play_input *input, places *p, rill_error *error) {
    const float dx = rill_world_get_def(s->world)->spacing, gap = POUR_GAP * dx;
    const float reach = (float)input->radius + dx;
    rill_view view;
    if (rill_world_view(s->world, "position", &view))
        return rill_fail(error, RILL_INVALID, "pour: %s", rill_world_message(s->world));
    for (int i = 0; i < view.count && p->count > 0; i++) {
        const float *x = (const float *)view.data + (size_t)i * (size_t)view.stride;
        const rill_vec at = {x[0], x[1], view.components > 2 ? x[2] : 0};
        if (fabsf(at.x - input->at.x) < reach && fabsf(at.y - input->at.y) < reach && fabsf(at.z - input->at.z) < reach)
            leave_out_near(p, at, gap);
    }
    return RILL_OK;
}

/* ---- fluids to pour ---- */

/* The method's parameter that gives a fluid a look by name; NULL: there is none. */
static const rill_param *look_row(const rill_method_info *method) {
    return method->fluid_table ? rill_table_find(method->fluid_table, "look") : NULL;
}

bool rill_play_look(const rill_method_info *method, int k, char name[RILL_NAME_SIZE]) {
    rill_fluid_def unused;
    const rill_param *row = look_row(method);
    for (int choice = 1; row && *rill_choice_name(row->choices, choice, name, RILL_NAME_SIZE);
         choice++) /* choice 0 is `custom` */
        if (rill_material_find(name, &unused, NULL) && k-- == 0) return true;
    return false;
}

static bool is_look(const play_session *s, const char *name) {
    char look[RILL_NAME_SIZE];
    for (int k = 0; rill_play_look(rill_world_method(s->world), k, look); k++)
        if (!strcmp(look, name)) return true;
    return false;
}

static rill_status give_look(play_session *s, rill_fluid_id id, const char *name, rill_error *error) {
    char key[2 * RILL_NAME_SIZE];
    snprintf(key, sizeof key, "%s.look", rill_world_method(s->world)->name);
    return rill_play_said(s, rill_world_set_text(s->world, rill_ref_fluid(id), key, name), error);
}

/* The fluid of this name; if there is none, it is added from the material or look of this name. */
static rill_status find_fluid(play_session *s, const char *name, rill_fluid_id *id, rill_error *error) {
    *id = *name ? rill_world_find_fluid(s->world, name) : rill_world_fluid_at(s->world, 0);
    if (id->index1) return RILL_OK;
    const bool look = is_look(s, name);
    rill_fluid_def def = rill_fluid_def_default();
    if (look)
        snprintf(def.name, sizeof def.name, "%s", name);
    else
        TRY(rill_material_find(*name ? name : "water", &def, error));
    TRY(rill_play_said(s, rill_world_add_fluid(s->world, &def, id), error));
    if (look) TRY(give_look(s, *id, name, error));
    rill_play_tell_info(s, PLAY_EVERYBODY);
    return RILL_OK;
}

static rill_status add_places(play_session *s, const play_input *input, places *p, rill_error *error) {
    rill_fluid_id fluid;
    TRY(make_places(s, input, p, error));
    TRY(leave_out_taken(s, input, p, error));
    leave_out_near_solids(s, p);
    if (p->count == 0) return RILL_OK;
    if (rill_world_particle_count(s->world) + p->count > s->def.particle_limit)
        return rill_fail(error, RILL_LIMIT, "pour: no more than %d particles", s->def.particle_limit);
    TRY(find_fluid(s, input->fluid, &fluid, error));
    rill_vec *velocities = malloc((size_t)p->count * sizeof *velocities);
    if (!velocities) return rill_fail(error, RILL_MEMORY, "pour: no memory");
    for (int k = 0; k < p->count; k++) velocities[k] = input->velocity;
    const rill_status status = rill_world_add_particles(s->world, fluid, p->data, velocities, p->count, NULL);
    free(velocities);
    return rill_play_said(s, status, error);
}

rill_status rill_play_pour(play_session *s, const play_input *input, rill_error *error) {
    places p = {0};
    const rill_status status = add_places(s, input, &p, error);
    free(p.data);
    return status;
}

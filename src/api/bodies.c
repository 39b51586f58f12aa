/* SPDX-License-Identifier: MIT */
/* Bodies and joints: adding, removing, pushing, asking. */
#include "rigid/body.h"

#include "api/world.h"
#include "rigid/joints.h"
#include "rigid/sleep.h"

#include <math.h>
#include <string.h>

static body *get_body(const rill_world *w, rill_body_id id) {
    return rill_pool_get(&w->bodies, sizeof(body), id.index1, id.age);
}

static joint *get_joint(const rill_world *w, rill_joint_id id) {
    return rill_pool_get(&w->joints, sizeof(joint), id.index1, id.age);
}

static void wake_joined(rill_world *w, const joint *j) {
    rill_sleep_wake(w, &POOL_ITEMS(w, body)[j->a]);
    if (j->b >= 0) rill_sleep_wake(w, &POOL_ITEMS(w, body)[j->b]);
}

/* ---- adding ---- */

static rill_status check_body(rill_world *w, const rill_body_def *def) {
    rill_status status = rill_table_check(rill_object_table(RILL_OBJECT_BODY), def, &w->error);
    if (status == RILL_OK) status = rill_check_motion(w, &def->motion);
    return status;
}

/* The surface that fluid and other bodies meet. */
static rill_status add_surface(rill_world *w, const rill_body_def *def, rill_solid_id *id) {
    rill_solid_def surface = rill_solid_def_default();
    memcpy(surface.name, def->name, sizeof surface.name);
    surface.shape = def->shape;
    surface.no_slip = def->no_slip;
    surface.displacement = def->displacement;
    surface.motion = def->motion;
    return rill_solid_add(w, &surface, id);
}

rill_status rill_make_touch_points(rill_world *w, const body *b) {
    const shape_context context = rill_shape_context_of(w);
    const rill_shape *shape = &b->def.shape;
    const shape_models *models = &POOL_ITEMS(w, solid)[b->solid].models;
    rill_status status = RILL_OK;
    for (int k = 0; k < models->count && status == RILL_OK; k++) {
        const rill_shape part =
            shape->kind == RILL_COMPOUND ? rill_shape_scaled(&shape->parts.data[k], shape->scale) : *shape;
        if (part.kind == RILL_BOX || part.kind == RILL_SPHERE || part.kind == RILL_CAPSULE) continue;
        status = rill_surface_points_make(models->items[k], &context, &part, &w->error);
    }
    return status;
}

rill_status rill_world_add_body(rill_world *w, const rill_body_def *given, rill_body_id *id) {
    if (!w) return RILL_INVALID;
    if (!given) return rill_fail(&w->error, RILL_INVALID, "body: the definition is NULL");
    rill_body_def def = *given;
    rill_status status = check_body(w, &def);
    if (status != RILL_OK) return status;
    uint32_t index;
    body *b = rill_object_take(w, &w->bodies, OBJECT_KIND(body), def.name, &index);
    if (!b) return w->error.status;
    rill_solid_id surface;
    status = add_surface(w, &def, &surface);
    b->def = def;
    if (status == RILL_OK) {
        b->solid = (int32_t)surface.index1 - 1;
        /* The surface keeps points and keyframes. */
        b->def.shape = POOL_ITEMS(w, solid)[b->solid].def.shape;
        b->def.motion = POOL_ITEMS(w, solid)[b->solid].def.motion;
        status = rill_body_start(w, b);
        if (status == RILL_OK) status = rill_make_touch_points(w, b);
        if (status != RILL_OK) {
            rill_solid_remove(w, &POOL_ITEMS(w, solid)[b->solid]);
        }
    }
    if (status != RILL_OK) {
        rill_pool_drop(&w->bodies, sizeof *b, b);
        return status;
    }
    POOL_ITEMS(w, solid)[b->solid].body = (int32_t)index + 1;
    rill_body_place(w, b, w->stats.time);
    if (def.kind != RILL_BODY_DYNAMIC) rill_sleep_wake_all(w); /* it may be in the way of those who sleep */
    if (id) *id = (rill_body_id){index + 1, b->slot.age};
    return RILL_OK;
}

rill_status rill_world_add_joint(rill_world *w, const rill_joint_def *given, rill_joint_id *id) {
    if (!w) return RILL_INVALID;
    if (!given) return rill_fail(&w->error, RILL_INVALID, "joint: the definition is NULL");
    rill_joint_def def = *given;
    rill_status status = rill_table_check(rill_object_table(RILL_OBJECT_JOINT), &def, &w->error);
    if (status != RILL_OK) return status;
    if (def.limited && def.lower > def.upper)
        return rill_fail(&w->error, RILL_INVALID, "joint: lower (%g) must not be greater than upper (%g)",
                         (double)def.lower, (double)def.upper);
    uint32_t index;
    joint *j = rill_object_take(w, &w->joints, OBJECT_KIND(joint), def.name, &index);
    if (!j) return w->error.status;
    j->def = def;
    status = rill_joint_start(w, j);
    if (status != RILL_OK) {
        rill_pool_drop(&w->joints, sizeof *j, j);
        return status;
    }
    wake_joined(w, j);
    if (id) *id = (rill_joint_id){index + 1, j->slot.age};
    return RILL_OK;
}

rill_status rill_world_remove_body(rill_world *w, rill_body_id id) {
    if (!w) return RILL_INVALID;
    body *b = get_body(w, id);
    if (!b) return rill_fail(&w->error, RILL_NOT_FOUND, "remove_body: no such body");
    const int32_t index = (int32_t)(b - POOL_ITEMS(w, body));
    rill_sleep_wake(w, b);
    rill_sleep_wake_touching(w, b->solid);
    FOR_ALIVE(w, joint, j) {
        if (j->a != index && j->b != index) continue;
        wake_joined(w, j);
        rill_pool_drop(&w->joints, sizeof *j, j);
    }
    rill_solid_remove(w, &POOL_ITEMS(w, solid)[b->solid]);
    rill_pool_drop(&w->bodies, sizeof *b, b);
    return RILL_OK;
}

rill_status rill_world_remove_joint(rill_world *w, rill_joint_id id) {
    if (!w) return RILL_INVALID;
    joint *j = get_joint(w, id);
    if (!j) return rill_fail(&w->error, RILL_NOT_FOUND, "remove_joint: no such joint");
    wake_joined(w, j);
    rill_pool_drop(&w->joints, sizeof *j, j);
    return RILL_OK;
}

/* ---- listing ---- */

rill_body_id rill_world_find_body(const rill_world *w, const char *name) {
    const body *b = w ? rill_object_find(&w->bodies, OBJECT_KIND(body), name) : NULL;
    return b ? (rill_body_id){(uint32_t)(b - POOL_ITEMS(w, body)) + 1, b->slot.age} : (rill_body_id){0};
}

rill_joint_id rill_world_find_joint(const rill_world *w, const char *name) {
    const joint *j = w ? rill_object_find(&w->joints, OBJECT_KIND(joint), name) : NULL;
    return j ? (rill_joint_id){(uint32_t)(j - POOL_ITEMS(w, joint)) + 1, j->slot.age} : (rill_joint_id){0};
}

int rill_world_body_count(const rill_world *w) {
    return w ? w->bodies.living_count : 0;
}

int rill_world_joint_count(const rill_world *w) {
    return w ? w->joints.living_count : 0;
}

const rill_body_def *rill_world_body(const rill_world *w, int index) {
    const body *b = w ? rill_pool_at(&w->bodies, sizeof *b, index) : NULL;
    return b ? &b->def : NULL;
}

const rill_joint_def *rill_world_joint(const rill_world *w, int index) {
    const joint *j = w ? rill_pool_at(&w->joints, sizeof *j, index) : NULL;
    return j ? &j->def : NULL;
}

rill_body_id rill_world_body_at(const rill_world *w, int index) {
    const body *b = w ? rill_pool_at(&w->bodies, sizeof *b, index) : NULL;
    return b ? (rill_body_id){(uint32_t)(b - POOL_ITEMS(w, body)) + 1, b->slot.age} : (rill_body_id){0};
}

/* ---- state and forces ---- */

rill_body_state rill_body_state_of(const body *b) {
    double inertia[3][3], turn[3][3];
    quat_matrix(quat_load(b->q), turn);
    mat_turned(inertia, turn, b->inertia);
    return (rill_body_state){.position = dvec_out(dvec_load(b->x)),
                             .angle = (float)b->angle,
                             .quaternion = {(float)b->q[0], (float)b->q[1], (float)b->q[2], (float)b->q[3]},
                             .velocity = dvec_out(dvec_load(b->v)),
                             .angular_velocity = dvec_out(dvec_load(b->w)),
                             .force = dvec_out(dvec_load(b->fluid_force)),
                             .torque = dvec_out(dvec_load(b->fluid_torque)),
                             .mass = (float)b->mass,
                             .inertia = {(float)inertia[0][0], (float)inertia[1][1], (float)inertia[2][2]},
                             .centre = dvec_out(dvec_load(b->start)),
                             .asleep = b->asleep};
}

rill_status rill_world_body_state(rill_world *w, rill_body_id id, rill_body_state *state) {
    if (!w) return RILL_INVALID;
    const body *b = get_body(w, id);
    if (!b || !state) return rill_fail(&w->error, RILL_NOT_FOUND, "body_state: no such body");
    *state = rill_body_state_of(b);
    return RILL_OK;
}

rill_status rill_world_joint_state(rill_world *w, rill_joint_id id, rill_joint_state *state) {
    if (!w) return RILL_INVALID;
    const joint *j = get_joint(w, id);
    if (!j || !state) return rill_fail(&w->error, RILL_NOT_FOUND, "joint_state: no such joint");
    *state = (rill_joint_state){.broken = j->broken,
                                .force = (float)j->load_force,
                                .torque = (float)j->load_torque,
                                .position = (float)j->position,
                                .speed = (float)j->speed};
    return RILL_OK;
}

static bool finite_vec(rill_vec v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* The body, if it and both vectors are fine. */
static body *checked(rill_world *w, rill_body_id id, rill_vec a, rill_vec b, const char *what) {
    body *found = get_body(w, id);
    if (!found)
        rill_fail(&w->error, RILL_NOT_FOUND, "%s: no such body", what);
    else if (!finite_vec(a) || !finite_vec(b))
        rill_fail(&w->error, RILL_INVALID, "%s: vectors must be finite", what);
    else
        return found;
    return NULL;
}

rill_status rill_world_body_push(rill_world *w, rill_body_id id, rill_vec force, rill_vec point) {
    if (!w) return RILL_INVALID;
    body *b = checked(w, id, force, point, "body_push");
    if (!b) return w->error.status;
    const dvec f = dvec_of(force), arm = dvec_sub(dvec_of(point), dvec_load(b->x));
    dvec_store(b->force, dvec_add(dvec_load(b->force), f));
    dvec_store(b->torque, dvec_add(dvec_load(b->torque), dvec_cross(arm, f)));
    return RILL_OK;
}

rill_status rill_world_body_twist(rill_world *w, rill_body_id id, rill_vec torque) {
    if (!w) return RILL_INVALID;
    body *b = checked(w, id, torque, torque, "body_twist");
    if (!b) return w->error.status;
    dvec_store(b->torque, dvec_add(dvec_load(b->torque), dvec_of(torque)));
    return RILL_OK;
}

rill_status rill_world_body_hit(rill_world *w, rill_body_id id, rill_vec impulse, rill_vec point) {
    if (!w) return RILL_INVALID;
    body *b = checked(w, id, impulse, point, "body_hit");
    if (!b) return w->error.status;
    rill_sleep_wake(w, b);
    const dvec j = dvec_of(impulse), arm = dvec_sub(dvec_of(point), dvec_load(b->x));
    dvec_store(b->v, dvec_add(dvec_load(b->v), rill_body_mass_linear(w, b, j)));
    dvec_store(b->w, dvec_add(dvec_load(b->w), rill_body_mass_angular(w, b, dvec_cross(arm, j))));
    return RILL_OK;
}

rill_status rill_world_body_set_velocity(rill_world *w, rill_body_id id, rill_vec velocity, rill_vec angular_velocity) {
    if (!w) return RILL_INVALID;
    body *b = checked(w, id, velocity, angular_velocity, "body_set_velocity");
    if (!b) return w->error.status;
    rill_sleep_wake(w, b);
    dvec_store(b->v, dvec_of(velocity));
    dvec_store(b->w, dvec_of(angular_velocity));
    if (w->def.dim == 2) b->v[2] = b->w[0] = b->w[1] = 0;
    return RILL_OK;
}

rill_status rill_world_body_wake(rill_world *w, rill_body_id id) {
    if (!w) return RILL_INVALID;
    body *b = get_body(w, id);
    if (!b) return rill_fail(&w->error, RILL_NOT_FOUND, "body_wake: no such body");
    rill_sleep_wake(w, b);
    return RILL_OK;
}

int rill_world_contact_count(const rill_world *w) {
    return w ? w->contact_count : 0;
}

const rill_contact *rill_world_contacts(const rill_world *w) {
    return w && w->contact_count > 0 ? w->contacts.data : NULL;
}

rill_status rill_world_joint_set_motor(rill_world *w, rill_joint_id id, float speed, float force) {
    if (!w) return RILL_INVALID;
    joint *j = get_joint(w, id);
    if (!j) return rill_fail(&w->error, RILL_NOT_FOUND, "joint_set_motor: no such joint");
    if (!isfinite(speed) || !(force >= 0.0f) || !isfinite(force))
        return rill_fail(&w->error, RILL_INVALID, "joint_set_motor: speed must be finite and force at least 0");
    wake_joined(w, j);
    j->def.motor_speed = speed;
    j->def.motor_force = force;
    j->def.motor = force > 0.0f;
    return RILL_OK;
}

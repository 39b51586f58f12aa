/* SPDX-License-Identifier: MIT */
/* Bodies and joints: adding and removing them, applying forces, moving them, reading their state. */
#include "rigid/body.h"

#include "api/world.h"
#include "rigid/host.h"
#include "rigid/joints.h"
#include "rigid/sleep.h"

#include <math.h>
#include <string.h>

/* ---- adding ---- */

static rill_status check_body(rill_world *w, const rill_body_def *def) {
    rill_status status = rill_table_check(rill_object_table(RILL_OBJECT_BODY), def, &w->error);
    if (status == RILL_OK) status = rill_check_motion(w, &def->motion);
    return status;
}

/* Adds the solid that is the body's surface. */
static rill_status add_surface(rill_world *w, const rill_body_def *def, rill_solid_id *id) {
    rill_solid_def surface = rill_solid_def_default();
    memcpy(surface.name, def->name, sizeof surface.name);
    surface.shape = def->shape;
    surface.no_slip = def->no_slip;
    surface.contact_angle = def->contact_angle;
    surface.displacement = def->displacement;
    surface.motion = def->motion;
    return rill_solid_add(w, &surface, id);
}

rill_status rill_make_contact_samples(rill_world *w, const body *b) {
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

/* Completes a body that has its surface, places it, and displaces the fluid there. */
static rill_status start_body(rill_world *w, body *b, const rill_hosted_state *state) {
    solid *surface = &POOL_ITEMS(w, solid)[b->solid];
    /* The surface owns points and keyframes; the body shares them. */
    b->def.shape = surface->def.shape;
    b->def.motion = surface->def.motion;
    TRY(rill_body_start(w, b));
    TRY(rill_make_contact_samples(w, b));
    surface->body = (int32_t)(b - POOL_ITEMS(w, body)) + 1;
    if (state) rill_host_take(w, b, state);
    rill_body_place(w, b, w->stats.time);
    return w->operations->displace(w, surface, (rill_displacement)b->def.displacement);
}

rill_status rill_body_add(rill_world *w, const rill_body_def *given, const rill_hosted_state *state, rill_body_id *id) {
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
        status = start_body(w, b, state);
        if (status != RILL_OK) rill_solid_remove(w, &POOL_ITEMS(w, solid)[b->solid]);
    }
    if (status != RILL_OK) {
        rill_pool_drop(&w->bodies, sizeof *b, b);
        return status;
    }
    if (def.kind != RILL_BODY_DYNAMIC) rill_sleep_wake_all(w); /* it may touch sleeping bodies */
    if (id) *id = (rill_body_id){index + 1, b->slot.age};
    return RILL_OK;
}

rill_status rill_world_add_body(rill_world *w, const rill_body_def *def, rill_body_id *id) {
    return w ? rill_body_add(w, def, NULL, id) : RILL_INVALID;
}

rill_status rill_world_add_joint(rill_world *w, const rill_joint_def *given, rill_joint_id *id) {
    if (!w) return RILL_INVALID;
    if (!given) return rill_fail(&w->error, RILL_INVALID, "joint: the definition is NULL");
    rill_joint_def def = *given;
    TRY(rill_joint_check(w, &def, &w->error));
    TRY(rill_refer_joint(w, &def));
    uint32_t index;
    joint *j = rill_object_take(w, &w->joints, OBJECT_KIND(joint), def.name, &index);
    if (!j) return w->error.status;
    j->def = def;
    rill_joint_start(w, j);
    rill_sleep_wake_joint(w, j);
    if (id) *id = (rill_joint_id){index + 1, j->slot.age};
    return RILL_OK;
}

/* Removes a joint and the gears on it. */
static void drop_joint(rill_world *w, joint *gone) {
    const int32_t index = (int32_t)(gone - POOL_ITEMS(w, joint));
    FOR_ALIVE(w, joint, j) {
        const bool on_it = j->def.kind == RILL_JOINT_GEAR && (j->gear_a == index || j->gear_b == index);
        if (j != gone && !on_it) continue;
        rill_sleep_wake_joint(w, j);
        rill_pool_drop(&w->joints, sizeof *j, j);
    }
}

rill_status rill_world_remove_body(rill_world *w, rill_body_id id) {
    if (!w) return RILL_INVALID;
    body *b = POOL_GET(w, body, id);
    if (!b) return rill_fail(&w->error, RILL_NOT_FOUND, "remove_body: no such body");
    const int32_t index = (int32_t)(b - POOL_ITEMS(w, body));
    rill_sleep_wake(w, b);
    rill_sleep_wake_touching(w, b->solid);
    FOR_ALIVE(w, joint, j) if (j->a == index || j->b == index) drop_joint(w, j);
    FOR_ALIVE(w, emitter, e)
    if (e->def.body.index1 == id.index1) TRY(rill_world_remove_emitter(w, OBJECT_ID(w, emitter, e)));
    FOR_ALIVE(w, sink, s) if (s->def.body.index1 == id.index1) TRY(rill_world_remove_sink(w, OBJECT_ID(w, sink, s)));
    FOR_ALIVE(w, pin, p) if (p->def.body.index1 == id.index1) TRY(rill_world_remove_pin(w, OBJECT_ID(w, pin, p)));
    rill_solid_remove(w, &POOL_ITEMS(w, solid)[b->solid]);
    rill_pool_drop(&w->bodies, sizeof *b, b);
    return RILL_OK;
}

rill_status rill_world_remove_joint(rill_world *w, rill_joint_id id) {
    if (!w) return RILL_INVALID;
    joint *j = POOL_GET(w, joint, id);
    if (!j) return rill_fail(&w->error, RILL_NOT_FOUND, "remove_joint: no such joint");
    drop_joint(w, j);
    return RILL_OK;
}

/* ---- state ---- */

/* Mass and inertia are those that the host gave, without ballast (rigid/host.c). */
rill_body_state rill_body_state_of(const rill_world *w, const body *b) {
    const double rate = w->call_time > 0 ? 1 / w->call_time : 0, own = 1 / (1 + b->host.ballast);
    double inertia[3][3], turn[3][3];
    quat_matrix(quat_load(b->q), turn);
    mat_turned(inertia, turn, b->inertia);
    return (rill_body_state){
        .position = dvec_out(dvec_load(b->x)),
        .angle = (float)b->angle,
        .quaternion = {(float)b->q[0], (float)b->q[1], (float)b->q[2], (float)b->q[3]},
        .velocity = dvec_out(dvec_load(b->v)),
        .angular_velocity = dvec_out(dvec_load(b->w)),
        .force = dvec_out(dvec_scale(dvec_load(b->fluid_impulse), rate)),
        .torque = dvec_out(dvec_scale(dvec_load(b->fluid_moment), rate)),
        .mass = (float)(own * b->mass),
        .inertia = {(float)(own * inertia[0][0]), (float)(own * inertia[1][1]), (float)(own * inertia[2][2])},
        .centre = dvec_out(dvec_load(b->start)),
        .asleep = b->asleep};
}

rill_status rill_world_body_state(rill_world *w, rill_body_id id, rill_body_state *state) {
    if (!w) return RILL_INVALID;
    const body *b = POOL_GET(w, body, id);
    if (!b || !state) return rill_fail(&w->error, RILL_NOT_FOUND, "body_state: no such body");
    *state = rill_body_state_of(w, b);
    return RILL_OK;
}

rill_status rill_world_joint_state(rill_world *w, rill_joint_id id, rill_joint_state *state) {
    if (!w) return RILL_INVALID;
    const joint *j = POOL_GET(w, joint, id);
    if (!j || !state) return rill_fail(&w->error, RILL_NOT_FOUND, "joint_state: no such joint");
    *state = (rill_joint_state){.broken = j->broken,
                                .force = (float)j->load_force,
                                .torque = (float)j->load_torque,
                                .position = (float)j->position,
                                .speed = (float)j->speed};
    return RILL_OK;
}

rill_status rill_world_body_set_user_data(rill_world *w, rill_body_id id, void *user_data) {
    if (!w) return RILL_INVALID;
    body *b = POOL_GET(w, body, id);
    if (!b) return rill_fail(&w->error, RILL_NOT_FOUND, "body_set_user_data: no such body");
    b->def.user_data = user_data;
    return RILL_OK;
}

void *rill_world_body_user_data(const rill_world *w, rill_body_id id) {
    const body *b = w ? POOL_GET(w, body, id) : NULL;
    return b ? b->def.user_data : NULL;
}

/* ---- forces ---- */

bool rill_finite_vec(rill_vec v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static void refuse_hosted(rill_world *w, const body *b, const char *what) {
    rill_fail(&w->error, RILL_INVALID,
              "%s: '%s' is moved by its engine; push or move it there, and report it with rill_world_host", what,
              b->def.name);
}

/* The dynamic body to which a force may be applied; NULL with a message if it or the vectors are invalid. `point` may
   be NULL. */
static body *pushed(rill_world *w, rill_body_id id, rill_vec vector, const rill_vec *point, const char *what) {
    body *b = POOL_GET(w, body, id);
    if (!b)
        rill_fail(&w->error, RILL_NOT_FOUND, "%s: no such body", what);
    else if (!rill_finite_vec(vector) || (point && !rill_finite_vec(*point)))
        rill_fail(&w->error, RILL_INVALID, "%s: vectors must be finite", what);
    else if (b->def.kind != RILL_BODY_DYNAMIC)
        rill_fail(&w->error, RILL_INVALID, "%s: '%s' is %s, and only dynamic bodies are moved by forces", what,
                  b->def.name, b->def.kind == RILL_BODY_FIXED ? "fixed" : "kinematic");
    else if (b->host.moves)
        refuse_hosted(w, b, what);
    else
        return b;
    return NULL;
}

/* Moment about the centre of mass of a force or impulse at a point; NULL: the centre itself. */
static dvec moment_of(const body *b, dvec vector, const rill_vec *point) {
    return point ? dvec_cross(dvec_sub(dvec_of(*point), dvec_load(b->x)), vector) : (dvec){0};
}

static void add_to(double sum[3], dvec more) {
    dvec_store(sum, dvec_add(dvec_load(sum), more));
}

rill_status rill_world_body_apply_force(rill_world *w, rill_body_id id, rill_vec force, const rill_vec *point) {
    if (!w) return RILL_INVALID;
    body *b = pushed(w, id, force, point, "body_apply_force");
    if (!b) return w->error.status;
    add_to(b->force, dvec_of(force));
    add_to(b->torque, moment_of(b, dvec_of(force), point));
    return RILL_OK;
}

rill_status rill_world_body_apply_torque(rill_world *w, rill_body_id id, rill_vec torque) {
    if (!w) return RILL_INVALID;
    body *b = pushed(w, id, torque, NULL, "body_apply_torque");
    if (!b) return w->error.status;
    add_to(b->torque, dvec_of(torque));
    return RILL_OK;
}

static void hit(rill_world *w, body *b, dvec impulse, dvec moment) {
    rill_sleep_wake(w, b);
    add_to(b->v, rill_body_mass_linear(w, b, impulse));
    add_to(b->w, rill_body_mass_angular(w, b, moment));
}

rill_status rill_world_body_apply_impulse(rill_world *w, rill_body_id id, rill_vec impulse, const rill_vec *point) {
    if (!w) return RILL_INVALID;
    body *b = pushed(w, id, impulse, point, "body_apply_impulse");
    if (!b) return w->error.status;
    hit(w, b, dvec_of(impulse), moment_of(b, dvec_of(impulse), point));
    return RILL_OK;
}

rill_status rill_world_body_apply_angular_impulse(rill_world *w, rill_body_id id, rill_vec impulse) {
    if (!w) return RILL_INVALID;
    body *b = pushed(w, id, impulse, NULL, "body_apply_angular_impulse");
    if (!b) return w->error.status;
    hit(w, b, (dvec){0}, dvec_of(impulse));
    return RILL_OK;
}

/* ---- moving ---- */

/* The body, if the host may move it; otherwise NULL with a message. */
static body *movable(rill_world *w, rill_body_id id, const char *what) {
    body *b = POOL_GET(w, body, id);
    if (!b)
        rill_fail(&w->error, RILL_NOT_FOUND, "%s: no such body", what);
    else if (b->def.kind == RILL_BODY_KINEMATIC && rill_body_has_motion(b))
        rill_fail(&w->error, RILL_INVALID, "%s: '%s' follows its prescribed motion; give it none to move it yourself",
                  what, b->def.name);
    else if (b->host.moves)
        refuse_hosted(w, b, what);
    else
        return b;
    return NULL;
}

rill_status rill_world_body_set_velocity(rill_world *w, rill_body_id id, rill_vec velocity, rill_vec angular_velocity) {
    if (!w) return RILL_INVALID;
    body *b = movable(w, id, "body_set_velocity");
    if (!b) return w->error.status;
    if (!rill_finite_vec(velocity) || !rill_finite_vec(angular_velocity))
        return rill_fail(&w->error, RILL_INVALID, "body_set_velocity: vectors must be finite");
    if (b->def.kind == RILL_BODY_FIXED)
        return rill_fail(&w->error, RILL_INVALID, "body_set_velocity: '%s' is fixed and has no velocity", b->def.name);
    dvec v = dvec_of(velocity), spin = dvec_of(angular_velocity);
    if (w->def.dim == 2) v.z = spin.x = spin.y = 0;
    rill_sleep_wake(w, b);
    if (b->def.kind == RILL_BODY_KINEMATIC) {
        rill_body_drive(w, b, v, spin);
        return RILL_OK;
    }
    dvec_store(b->v, v);
    dvec_store(b->w, spin);
    return RILL_OK;
}

static rill_status check_pose(rill_world *w, const rill_pose *pose, const char *what) {
    if (!pose) return rill_fail(&w->error, RILL_INVALID, "%s: the pose is NULL", what);
    const float *q = pose->quaternion;
    const double length2 = (double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] + (double)q[2] * (double)q[2] +
                           (double)q[3] * (double)q[3];
    const rill_vec x = pose->position;
    const bool far = fabsf(x.x) > 1e9f || fabsf(x.y) > 1e9f || fabsf(x.z) > 1e9f || fabsf(pose->angle) > 1e6f;
    if (!rill_finite_vec(x) || !isfinite(pose->angle) || !isfinite(length2) || far)
        return rill_fail(&w->error, RILL_INVALID,
                         "%s: the pose must be finite, within 1e9 m of the origin and 1e6 rad of no turn", what);
    return RILL_OK;
}

/* Particles are lost only if there is no room for them and `displacement` allows removing them. Otherwise they stay,
   and the next steps push them out. */
void rill_body_makes_way(rill_world *w, const body *b) {
    const solid *s = &POOL_ITEMS(w, solid)[b->solid];
    const rill_error before = w->error;
    if (w->operations->displace(w, s, RILL_DISPLACE_PUSH) == RILL_OK) return;
    if (b->def.displacement == RILL_DISPLACE_REMOVE) w->operations->displace(w, s, RILL_DISPLACE_REMOVE);
    w->error = before;
}

rill_status rill_world_body_set_pose(rill_world *w, rill_body_id id, const rill_pose *pose) {
    if (!w) return RILL_INVALID;
    body *b = movable(w, id, "body_set_pose");
    if (!b) return w->error.status;
    TRY(check_pose(w, pose, "body_set_pose"));
    rill_body_put(w, b, pose);
    w->placed = false;
    rill_body_makes_way(w, b);
    rill_sleep_wake_all(w); /* it may have carried sleeping bodies, or touch others now */
    return RILL_OK;
}

rill_status rill_world_body_move_to(rill_world *w, rill_body_id id, const rill_pose *pose) {
    if (!w) return RILL_INVALID;
    body *b = movable(w, id, "body_move_to");
    if (!b) return w->error.status;
    TRY(check_pose(w, pose, "body_move_to"));
    if (b->def.kind != RILL_BODY_KINEMATIC)
        return rill_fail(&w->error, RILL_INVALID,
                         "body_move_to: '%s' is %s; only kinematic bodies can be sent to a pose", b->def.name,
                         b->def.kind == RILL_BODY_FIXED ? "fixed" : "dynamic");
    rill_body_send(w, b, pose);
    return RILL_OK;
}

rill_status rill_world_body_wake(rill_world *w, rill_body_id id) {
    if (!w) return RILL_INVALID;
    body *b = POOL_GET(w, body, id);
    if (!b) return rill_fail(&w->error, RILL_NOT_FOUND, "body_wake: no such body");
    rill_sleep_wake(w, b);
    return RILL_OK;
}

rill_status rill_world_body_wetting(rill_world *w, rill_body_id id, rill_wetting *wetting) {
    if (!w) return RILL_INVALID;
    const body *b = POOL_GET(w, body, id);
    if (!b || !wetting) return rill_fail(&w->error, RILL_NOT_FOUND, "body_wetting: no such body");
    *wetting = b->wetting;
    return RILL_OK;
}

int rill_world_contact_count(const rill_world *w) {
    return w ? w->contact_count : 0;
}

const rill_contact *rill_world_contacts(const rill_world *w) {
    return w && w->contact_count > 0 ? w->contacts.data : NULL;
}

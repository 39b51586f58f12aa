/* SPDX-License-Identifier: MIT */
/* References from a definition to another object: by handle, by name, or by both. A definition that a world keeps has
   both; scenes and snapshots hold names. */
#include "api/world.h"
#include "model/gauge_kind.h"

#include <string.h>

/* A reference in a definition. */
typedef struct reference {
    const char *owner, *key; /* "emitter", "fluid" */
    uint32_t *index1, *age;
    char *name;
} reference;

static rill_status refer(rill_world *w, const pool *p, object_kind kind, const reference *ref) {
    if (*ref->index1 == 0 && !*ref->name) return RILL_OK;
    const char *object =
        *ref->index1 == 0 ? rill_object_find(p, kind, ref->name) : pool_get(p, kind.size, *ref->index1, *ref->age);
    if (!object && *ref->index1 == 0)
        return rill_fail(&w->error, RILL_NOT_FOUND, "%s: there is no %s '%s'; add it first", ref->owner, kind.noun,
                         ref->name);
    if (!object)
        return rill_fail(&w->error, RILL_NOT_FOUND, "%s: the handle `%s` does not refer to an existing %s", ref->owner,
                         ref->key, kind.noun);
    const char *name = object + kind.name_offset;
    if (*ref->name && strcmp(ref->name, name) != 0)
        return rill_fail(&w->error, RILL_INVALID, "%s: `%s` is '%s' by its handle and '%s' by its name; expected one",
                         ref->owner, ref->key, name, ref->name);
    *ref->index1 = (uint32_t)((size_t)(object - (const char *)p->items.data) / kind.size) + 1;
    *ref->age = ((const slot *)(const void *)object)->age;
    memcpy(ref->name, name, RILL_NAME_SIZE);
    return RILL_OK;
}

#define REFER(w, owner, def, member, type)     \
    refer(w, &(w)->type##s, OBJECT_KIND(type), \
          &(reference){owner, #member, &(def)->member.index1, &(def)->member.age, (def)->member##_name})

rill_status rill_refer_block(rill_world *w, rill_block_def *def) {
    TRY(REFER(w, "block", def, fluid, fluid));
    return REFER(w, "block", def, group, group);
}

rill_status rill_refer_emitter(rill_world *w, rill_emitter_def *def) {
    TRY(REFER(w, "emitter", def, fluid, fluid));
    TRY(REFER(w, "emitter", def, body, body));
    TRY(REFER(w, "emitter", def, group, group));
    if (def->fluid.index1 > 0) return RILL_OK;
    const fluid *first = first_fluid(w);
    if (!first) return rill_fail(&w->error, RILL_NOT_FOUND, "emitter: add a fluid first");
    def->fluid = OBJECT_ID(w, fluid, first);
    memcpy(def->fluid_name, first->def.name, sizeof def->fluid_name);
    return RILL_OK;
}

/* Checks a joint that a gear moves. The body on its other side must not move, because the row of a gear has two
   bodies. */
static rill_status check_geared(rill_world *w, const char *key, rill_joint_id id) {
    const joint *j = POOL_GET(w, joint, id);
    if (!j) return rill_fail(&w->error, RILL_NOT_FOUND, "joint: `%s` is missing; a gear needs two joints", key);
    const body *frame = j->b >= 0 ? &POOL_ITEMS(w, body)[j->b] : NULL;
    if (j->def.kind != RILL_JOINT_HINGE && j->def.kind != RILL_JOINT_SLIDER)
        return rill_fail(&w->error, RILL_INVALID, "joint: `%s` is '%s'; expected a hinge or a slider", key,
                         j->def.name);
    if (frame && frame->def.kind != RILL_BODY_FIXED)
        return rill_fail(&w->error, RILL_INVALID,
                         "joint: '%s' holds its body to '%s', which moves; a gear needs joints to the world or to a "
                         "fixed body",
                         j->def.name, frame->def.name);
    return RILL_OK;
}

/* Finds the two joints of a gear, and fills in its bodies: the first bodies of these joints. */
static rill_status refer_gear(rill_world *w, rill_joint_def *def) {
    TRY(REFER(w, "joint", def, joint_a, joint));
    TRY(REFER(w, "joint", def, joint_b, joint));
    TRY(check_geared(w, "joint_a", def->joint_a));
    TRY(check_geared(w, "joint_b", def->joint_b));
    const joint *joints = POOL_ITEMS(w, joint), *a = &joints[def->joint_a.index1 - 1],
                *b = &joints[def->joint_b.index1 - 1];
    if (def->a.index1 == 0 && !*def->a_name) def->a = a->def.a;
    if (def->b.index1 == 0 && !*def->b_name) def->b = b->def.a;
    return RILL_OK;
}

/* Refuses bodies of a gear that are not the first bodies of its joints. */
static rill_status check_gear_bodies(rill_world *w, const rill_joint_def *def) {
    const joint *joints = POOL_ITEMS(w, joint), *a = &joints[def->joint_a.index1 - 1],
                *b = &joints[def->joint_b.index1 - 1];
    if (def->a.index1 == a->def.a.index1 && def->b.index1 == b->def.a.index1) return RILL_OK;
    return rill_fail(&w->error, RILL_INVALID,
                     "joint: a gear has the first bodies of its joints, '%s' and '%s'; leave "
                     "`a` and `b` out",
                     a->def.a_name, b->def.a_name);
}

rill_status rill_refer_sink(rill_world *w, rill_sink_def *def) {
    return REFER(w, "sink", def, body, body);
}

rill_status rill_refer_joint(rill_world *w, rill_joint_def *def) {
    const bool gear = def->kind == RILL_JOINT_GEAR;
    if (gear) TRY(refer_gear(w, def));
    TRY(REFER(w, "joint", def, a, body));
    TRY(REFER(w, "joint", def, b, body));
    if (def->a.index1 == 0) return rill_fail(&w->error, RILL_NOT_FOUND, "joint: `a` is missing; expected a body");
    if (def->a.index1 == def->b.index1)
        return rill_fail(&w->error, RILL_INVALID, "joint: '%s' cannot be joined to itself", def->a_name);
    return gear ? check_gear_bodies(w, def) : RILL_OK;
}

rill_status rill_refer_pin(rill_world *w, rill_pin_def *def) {
    TRY(REFER(w, "pin", def, cloth, cloth));
    TRY(REFER(w, "pin", def, body, body));
    if (def->cloth.index1 > 0) return RILL_OK;
    FOR_ALIVE(w, cloth, c) {
        def->cloth = OBJECT_ID(w, cloth, c);
        memcpy(def->cloth_name, c->def.name, sizeof def->cloth_name);
        return RILL_OK;
    }
    return rill_fail(&w->error, RILL_NOT_FOUND, "pin: add a cloth first");
}

/* Force and torque gauges may name a body in place of its surface. */
static rill_status refer_surface(rill_world *w, rill_gauge_def *def) {
    if (def->solid.index1 == 0 && def->body.index1 > 0) {
        def->solid = rill_world_body_solid(w, def->body);
        memcpy(def->solid_name, def->body_name, sizeof def->solid_name);
    }
    if (def->solid.index1 > 0) return RILL_OK;
    return rill_fail(&w->error, RILL_NOT_FOUND, "gauge: a force or torque needs a solid or body that it acts on");
}

rill_status rill_refer_gauge(rill_world *w, rill_gauge_def *def) {
    TRY(REFER(w, "gauge", def, fluid, fluid));
    TRY(REFER(w, "gauge", def, solid, solid));
    TRY(REFER(w, "gauge", def, body, body));
    TRY(REFER(w, "gauge", def, joint, joint));
    TRY(REFER(w, "gauge", def, cloth, cloth));
    TRY(REFER(w, "gauge", def, pin, pin));
    const gauge_subject subject = rill_gauge_kind_at(def->kind)->subject;
    if (subject == GAUGE_SURFACE) return refer_surface(w, def);
    if ((subject == GAUGE_BODY || subject == GAUGE_TURN) && def->body.index1 == 0)
        return rill_fail(&w->error, RILL_NOT_FOUND, "gauge: this kind needs a body");
    if (subject == GAUGE_JOINT && def->joint.index1 == 0)
        return rill_fail(&w->error, RILL_NOT_FOUND, "gauge: this kind needs a joint");
    if (subject == GAUGE_CLOTH && def->cloth.index1 == 0)
        return rill_fail(&w->error, RILL_NOT_FOUND, "gauge: this kind needs a cloth");
    if (subject == GAUGE_PIN && def->pin.index1 == 0)
        return rill_fail(&w->error, RILL_NOT_FOUND, "gauge: this kind needs a pin");
    return RILL_OK;
}

rill_status rill_refer_area(rill_world *w, rill_area_def *def) {
    return REFER(w, "area", def, group, group);
}

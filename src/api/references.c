/* SPDX-License-Identifier: MIT */
/* References from one definition to another object: by handle, by name, or by both. What a world keeps has both; names
   are what scenes and snapshots hold. */
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
        return rill_fail(&w->error, RILL_NOT_FOUND, "%s: the handle `%s` is not that of a %s which is there",
                         ref->owner, ref->key, kind.noun);
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
    return REFER(w, "block", def, fluid, fluid);
}

rill_status rill_refer_emitter(rill_world *w, rill_emitter_def *def) {
    TRY(REFER(w, "emitter", def, fluid, fluid));
    if (def->fluid.index1 > 0) return RILL_OK;
    const fluid *first = first_fluid(w);
    if (!first) return rill_fail(&w->error, RILL_NOT_FOUND, "emitter: add a fluid first");
    def->fluid = OBJECT_ID(w, fluid, first);
    memcpy(def->fluid_name, first->def.name, sizeof def->fluid_name);
    return RILL_OK;
}

rill_status rill_refer_joint(rill_world *w, rill_joint_def *def) {
    TRY(REFER(w, "joint", def, a, body));
    TRY(REFER(w, "joint", def, b, body));
    if (def->a.index1 == 0) return rill_fail(&w->error, RILL_NOT_FOUND, "joint: `a` is missing; expected a body");
    if (def->a.index1 == def->b.index1)
        return rill_fail(&w->error, RILL_INVALID, "joint: '%s' cannot be joined to itself", def->a_name);
    return RILL_OK;
}

/* A body stands for its surface. */
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
    const gauge_subject subject = rill_gauge_kind_at(def->kind)->subject;
    if (subject == GAUGE_SURFACE) return refer_surface(w, def);
    if ((subject == GAUGE_BODY || subject == GAUGE_TURN) && def->body.index1 == 0)
        return rill_fail(&w->error, RILL_NOT_FOUND, "gauge: this kind needs a body that it looks at");
    if (subject == GAUGE_JOINT && def->joint.index1 == 0)
        return rill_fail(&w->error, RILL_NOT_FOUND, "gauge: this kind needs a joint that it looks at");
    return RILL_OK;
}

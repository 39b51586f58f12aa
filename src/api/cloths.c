/* SPDX-License-Identifier: MIT */
/* Cloths and the pins that hold them: adding and removing. */
#include "api/world.h"
#include "solid/motion.h"

static rill_status check_cloth(rill_world *w, const rill_cloth_def *def) {
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_CLOTH), def, &w->error));
    if (w->def.dim == 2 && def->kind != RILL_CLOTH_SHEET)
        return rill_fail(&w->error, RILL_INVALID, "cloth: ropes and meshes are 3D; in 2D a sheet is a line");
    if (def->kind == RILL_CLOTH_MESH && (def->points.count < 3 || def->points.count % 3 != 0))
        return rill_fail(&w->error, RILL_INVALID, "cloth: a mesh needs points, three for each triangle; got %d",
                         def->points.count);
    if (w->cloths.living_count >= WORLD_CLOTHS_MAX)
        return rill_fail(&w->error, RILL_LIMIT, "cloth: a world holds at most %d", WORLD_CLOTHS_MAX);
    return RILL_OK;
}

rill_status rill_world_add_cloth(rill_world *w, const rill_cloth_def *given, rill_cloth_id *id) {
    if (!w) return RILL_INVALID;
    if (!given) return rill_fail(&w->error, RILL_INVALID, "cloth: the definition is NULL");
    rill_cloth_def def = *given;
    TRY(check_cloth(w, &def));
    uint32_t index;
    cloth *c = rill_object_take(w, &w->cloths, OBJECT_KIND(cloth), def.name, &index);
    if (!c) return w->error.status;
    c->def = def;
    const rill_status status = w->operations->add_cloth(w, c);
    c->def.points = (rill_points){0}; /* the caller owns them; particles and links hold the mesh now */
    if (status != RILL_OK) {
        rill_pool_drop(&w->cloths, sizeof *c, c);
        return status;
    }
    w->scene_changed = true;
    w->stats.particles = w->particles.count;
    if (id) *id = (rill_cloth_id){index + 1, c->slot.age};
    return RILL_OK;
}

static void drop_pin(rill_world *w, pin *p) {
    w->operations->remove_pin(w, p);
    rill_motion_release(w, &p->def.motion);
    rill_pool_drop(&w->pins, sizeof *p, p);
}

rill_status rill_world_remove_cloth(rill_world *w, rill_cloth_id id) {
    if (!w) return RILL_INVALID;
    cloth *c = POOL_GET(w, cloth, id);
    if (!c) return rill_fail(&w->error, RILL_NOT_FOUND, "remove_cloth: no such cloth");
    TRY(w->operations->remove_cloth(w, c));
    FOR_ALIVE(w, pin, p) if (p->def.cloth.index1 == id.index1) drop_pin(w, p);
    rill_pool_drop(&w->cloths, sizeof *c, c);
    w->scene_changed = true;
    w->stats.particles = w->particles.count;
    return RILL_OK;
}

rill_status rill_world_add_pin(rill_world *w, const rill_pin_def *given, rill_pin_id *id) {
    if (!w) return RILL_INVALID;
    if (!given) return rill_fail(&w->error, RILL_INVALID, "pin: the definition is NULL");
    rill_pin_def def = *given;
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_PIN), &def, &w->error));
    TRY(rill_refer_pin(w, &def));
    TRY(rill_check_motion(w, &def.motion));
    TRY(rill_motion_own(w, &def.motion));
    uint32_t index;
    pin *p = rill_object_take(w, &w->pins, OBJECT_KIND(pin), def.name, &index);
    if (!p) {
        rill_motion_release(w, &def.motion);
        return w->error.status;
    }
    p->def = def;
    rill_motion_at(&p->def.motion, w->def.dim, w->stats.time, &p->pose);
    const rill_status status = w->operations->add_pin(w, p);
    if (status != RILL_OK) {
        rill_pool_drop(&w->pins, sizeof *p, p);
        rill_motion_release(w, &def.motion);
        return status;
    }
    if (id) *id = (rill_pin_id){index + 1, p->slot.age};
    return RILL_OK;
}

rill_status rill_world_remove_pin(rill_world *w, rill_pin_id id) {
    if (!w) return RILL_INVALID;
    pin *p = POOL_GET(w, pin, id);
    if (!p) return rill_fail(&w->error, RILL_NOT_FOUND, "remove_pin: no such pin");
    drop_pin(w, p);
    return RILL_OK;
}

/* SPDX-License-Identifier: MIT */
/* Areas: adding and removing them. Their effect is in sim/upkeep.c. */
#include "api/world.h"

static rill_status check_watch(rill_world *w, uint32_t slot) {
    if (slot >= RILL_AREAS_WATCHED)
        return rill_fail(&w->error, RILL_LIMIT, "area: at most %d areas can watch, and they must be the first ones",
                         RILL_AREAS_WATCHED);
    if (rill_particles_use(&w->memory, &w->particles, EXTRA_AREAS)) return RILL_OK;
    return rill_fail(&w->error, RILL_MEMORY, "area: no memory to watch %d particles", w->particles.count);
}

rill_status rill_world_add_area(rill_world *w, const rill_area_def *given, rill_area_id *id) {
    if (!w) return RILL_INVALID;
    if (!given) return rill_fail(&w->error, RILL_INVALID, "area: the definition is NULL");
    rill_area_def def = *given;
    TRY(rill_table_check(rill_object_table(RILL_OBJECT_AREA), &def, &w->error));
    TRY(rill_refer_area(w, &def));
    shape_models models;
    TRY(rill_shape_keep(w, &def.shape, &models));
    uint32_t index = 0;
    area *a = rill_object_take(w, &w->areas, OBJECT_KIND(area), def.name, &index);
    if (a && def.watch && check_watch(w, index) != RILL_OK) {
        rill_pool_drop(&w->areas, sizeof *a, a);
        a = NULL;
    }
    if (!a) {
        rill_shape_let_go(w, &def.shape, &models);
        return w->error.status;
    }
    a->def = def;
    a->models = models;
    if (id) *id = (rill_area_id){index + 1, a->slot.age};
    return RILL_OK;
}

rill_status rill_world_remove_area(rill_world *w, rill_area_id id) {
    if (!w) return RILL_INVALID;
    area *a = POOL_GET(w, area, id);
    if (!a) return rill_fail(&w->error, RILL_NOT_FOUND, "remove_area: no such area");
    uint32_t *areas = a->def.watch ? particles_extra(&w->particles, EXTRA_AREAS) : NULL;
    for (int i = 0; areas && i < w->particles.count; i++) areas[i] &= ~(1u << (id.index1 - 1));
    rill_shape_let_go(w, &a->def.shape, &a->models);
    rill_pool_drop(&w->areas, sizeof *a, a);
    return RILL_OK;
}

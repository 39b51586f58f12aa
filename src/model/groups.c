/* SPDX-License-Identifier: MIT */
/* The values that groups give to their particles. */
#include "model/groups.h"

bool rill_groups_reserve(rill_world *w, const rill_group_def *def) {
    memory *m = &w->memory;
    particles *p = &w->particles;
    return rill_particles_use(m, p, EXTRA_GROUP) &&
           (!(def->opacity > 0.0f) || rill_particles_use(m, p, EXTRA_COLOUR)) &&
           (!(def->lifetime > 0.0f) || rill_particles_use(m, p, EXTRA_LIFE));
}

void rill_groups_admit(rill_world *w, rill_group_id id, int first, int count) {
    const group *g = POOL_GET(w, group, id);
    if (!g) return;
    const rill_group_def *def = &g->def;
    uint32_t *groups = particles_extra(&w->particles, EXTRA_GROUP);
    float(*colours)[4] = particles_extra(&w->particles, EXTRA_COLOUR);
    float *lives = particles_extra(&w->particles, EXTRA_LIFE);
    for (int i = first; i < first + count; i++) {
        groups[i] = id.index1;
        if (lives) lives[i] = def->lifetime;
        if (!colours || !(def->opacity > 0.0f)) continue;
        colours[i][0] = def->red, colours[i][1] = def->green, colours[i][2] = def->blue, colours[i][3] = def->opacity;
    }
}

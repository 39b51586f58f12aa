/* SPDX-License-Identifier: MIT */
/* The lists of events in a call of the host. Their memory only grows, so that a steady world allocates nothing. */
#include "model/notes.h"

static rill_status reserve(rill_world *w, buffer *list, size_t each, int count, int more) {
    if (rill_buffer_grow(&w->memory, list, each * ((size_t)count + (size_t)more), each * (size_t)count)) return RILL_OK;
    return rill_fail(&w->error, RILL_MEMORY, "no memory for the events of a step");
}

rill_status rill_notes_reserve_removals(rill_world *w, int more) {
    return reserve(w, &w->removals, sizeof(rill_removal), w->removal_count, more);
}

rill_status rill_notes_reserve_passages(rill_world *w, int more) {
    return reserve(w, &w->passages, sizeof(rill_passage), w->passage_count, more);
}

/* Sets the flag of every group that has a particle. */
static void mark_populated(rill_world *w, bool flag) {
    const uint32_t *group_of_particle = particles_extra(&w->particles, EXTRA_GROUP);
    group *groups = POOL_ITEMS(w, group);
    for (int i = 0; group_of_particle && i < w->particles.count; i++)
        if (group_of_particle[i] > 0) groups[group_of_particle[i] - 1].had_particles = flag;
}

void rill_notes_begin(rill_world *w) {
    w->removal_count = w->passage_count = w->change_count = 0;
    if (!w->def.events) return;
    FOR_ALIVE(w, body, b) b->was_asleep = b->asleep, b->was_wet = b->wetting.wet;
    FOR_ALIVE(w, joint, j) j->was_broken = j->broken;
    FOR_ALIVE(w, group, g) g->had_particles = false;
    mark_populated(w, true);
}

static void note(rill_world *w, rill_change change) {
    ((rill_change *)w->changes.data)[w->change_count++] = change;
}

static void note_bodies(rill_world *w) {
    FOR_ALIVE(w, body, b) {
        const rill_body_id id = {(uint32_t)(b - POOL_ITEMS(w, body)) + 1, b->slot.age};
        if (b->asleep != b->was_asleep)
            note(w, (rill_change){.kind = b->asleep ? RILL_CHANGE_BODY_SLEPT : RILL_CHANGE_BODY_WOKE, .body = id});
        if (b->wetting.wet != b->was_wet)
            note(w, (rill_change){.kind = b->wetting.wet ? RILL_CHANGE_BODY_WET : RILL_CHANGE_BODY_DRY, .body = id});
    }
}

/* Notes groups that had particles and have none now. */
static void note_groups(rill_world *w) {
    mark_populated(w, false);
    FOR_ALIVE(w, group, g)
    if (g->had_particles)
        note(w, (rill_change){.kind = RILL_CHANGE_GROUP_EMPTIED,
                              .group = {(uint32_t)(g - POOL_ITEMS(w, group)) + 1, g->slot.age}});
}

rill_status rill_notes_end(rill_world *w) {
    if (!w->def.events) return RILL_OK;
    const int most = 2 * w->bodies.living_count + w->joints.living_count + w->groups.living_count;
    TRY(reserve(w, &w->changes, sizeof(rill_change), 0, most));
    note_bodies(w);
    FOR_ALIVE(w, joint, j)
    if (j->broken && !j->was_broken)
        note(w, (rill_change){.kind = RILL_CHANGE_JOINT_BROKE,
                              .joint = {(uint32_t)(j - POOL_ITEMS(w, joint)) + 1, j->slot.age}});
    note_groups(w);
    return RILL_OK;
}

/* SPDX-License-Identifier: MIT */
/* Rewinding: snapshots in memory, four in each second. The oldest are dropped when there are too many, or when they
   take too much memory. Inputs recorded after the moment of return are dropped too: they are undone. */
#include "play/session.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

static bool write_bytes(const void *data, size_t size, void *context) {
    return rill_play_bytes_add(context, data, size);
}

rill_status rill_play_save(rill_world *world, play_bytes *into, rill_error *error) {
    rill_play_place_solids(world);
    const rill_status status = rill_world_save(world, write_bytes, into);
    if (status) return rill_fail(error, status, "%s", rill_world_message(world));
    return RILL_OK;
}

static play_moment *moment_at(play_session *s, int k) {
    return &s->moments[(s->first_moment + k) % REWIND_MAX];
}

static void forget_first(play_session *s) {
    play_moment *m = moment_at(s, 0);
    s->moment_bytes -= m->snapshot.capacity;
    rill_play_bytes_free(&m->snapshot);
    s->first_moment = (s->first_moment + 1) % REWIND_MAX;
    s->moment_count--;
}

static void forget_last(play_session *s) {
    play_moment *m = moment_at(s, --s->moment_count);
    s->moment_bytes -= m->snapshot.capacity;
    rill_play_bytes_free(&m->snapshot);
}

void rill_play_forget_moments(play_session *s) {
    while (s->moment_count > 0) forget_last(s);
}

void rill_play_keep_moment(play_session *s) {
    if (s->moment_count > 0 && moment_at(s, s->moment_count - 1)->step == s->step) forget_last(s);
    if (s->moment_count == REWIND_MAX) forget_first(s);
    play_moment m = {.step = s->step,
                     .time = s->time,
                     .hand = s->hand,
                     .rate = s->rate,
                     .cut = s->cut,
                     .input_count = s->recording.count};
    if (rill_play_save(s->world, &m.snapshot, NULL) != RILL_OK) {
        rill_play_bytes_free(&m.snapshot);
        return;
    }
    *moment_at(s, s->moment_count++) = m;
    s->moment_bytes += m.snapshot.capacity;
    while (s->moment_bytes > s->def.rewind_bytes && s->moment_count > 1) forget_first(s);
}

double rill_play_rewind_seconds(const play_session *s) {
    if (s->moment_count == 0) return 0;
    return (double)(s->step - s->moments[s->first_moment].step) / PLAY_RATE;
}

rill_status rill_play_rewind(play_session *s, double seconds, rill_error *error) {
    if (s->moment_count == 0) return rill_fail(error, RILL_INVALID, "there is nothing to go back to yet");
    const double wanted = (double)s->step - seconds * PLAY_RATE;
    while (s->moment_count > 1 && (double)moment_at(s, s->moment_count - 1)->step > wanted) forget_last(s);
    const play_moment *m = moment_at(s, s->moment_count - 1);
    const rill_world_def hooks = rill_play_hooks(s);
    rill_world *world = rill_world_load(m->snapshot.data, m->snapshot.size, &hooks, error);
    if (!world) return RILL_FORMAT;
    rill_play_take_world(s, world);
    s->step = m->step, s->time = m->time, s->hand = m->hand, s->rate = m->rate, s->cut = m->cut;
    rill_play_record_cut(s, m->input_count);
    rill_play_tell_info(s, PLAY_EVERYBODY);
    rill_play_shapes_changed(s);
    return RILL_OK;
}

rill_status rill_play_load(play_session *s, const void *data, size_t size, rill_error *error) {
    if (!s->world) return rill_fail(error, RILL_INVALID, "load: open the snapshot's scene first");
    const rill_world_def hooks = rill_play_hooks(s);
    rill_world *world = rill_world_load(data, size, &hooks, error);
    if (!world) return RILL_FORMAT;
    if (rill_world_particle_count(world) > s->def.particle_limit) {
        rill_world_destroy(world);
        return rill_fail(error, RILL_LIMIT, "load: more than %d particles: too many to play with",
                         s->def.particle_limit);
    }
    rill_play_take_world(s, world);
    s->step = 0;
    TRY(rill_play_record_restart(s, true, error));
    rill_play_tell_info(s, PLAY_EVERYBODY);
    rill_play_shapes_changed(s);
    return RILL_OK;
}

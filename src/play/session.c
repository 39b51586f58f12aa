/* SPDX-License-Identifier: MIT */
/* A session: a world of a scene, and its steps. */
#include "play/session.h"

#include "core/error.h"
#include "core/timer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

play_session *rill_play_create(const play_def *def, rill_error *error) {
    play_session *s = calloc(1, sizeof *s);
    if (!s) {
        rill_fail(error, RILL_MEMORY, "no memory for a session");
        return NULL;
    }
    s->def = *def;
    s->rate = 1;
    s->replay.next = TREE_NONE;
    return s;
}

void rill_play_destroy(play_session *s) {
    if (!s) return;
    for (play_reply reply; rill_play_reply(s, &reply);) rill_play_reply_free(&reply);
    rill_play_forget_moments(s);
    rill_play_record_free(&s->recording);
    rill_play_replay_end(s);
    rill_play_bytes_free(&s->bytes);
    rill_frame_free(&s->frame);
    rill_world_destroy(s->world);
    rill_scene_free(s->scene);
    free(s->text);
    free(s);
}

/* ---- opening ---- */

static char *text_of(const scene *opened) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    const rill_status status = rill_scene_print(opened, out, NULL);
    if (fclose(out) == 0 && status == RILL_OK) return text;
    free(text);
    return NULL;
}

/* Counts the particles of all blocks before any memory is taken for them, in a world with everything but the blocks. */
static rill_status check_size(const play_session *s, const scene *opened, rill_error *error) {
    scene empty = *opened;
    empty.block_count = 0;
    rill_world *world = rill_scene_build(&empty, 1, -1, error);
    if (!world) return RILL_INVALID;
    int64_t all = 0;
    rill_status status = RILL_OK;
    for (int k = 0; k < opened->block_count && !status; k++) {
        int count = 0;
        status = rill_world_count_block(world, &opened->blocks[k], &count);
        if (status) rill_fail(error, status, "blocks[%d]: %s", k, rill_world_message(world));
        all += count;
    }
    rill_world_destroy(world);
    if (!status && all > s->def.particle_limit)
        return rill_fail(error, RILL_LIMIT, "more than %d particles: too many to play with", s->def.particle_limit);
    return status;
}

static rill_world *build(const play_session *s, const scene *opened, rill_error *error) {
    rill_world *world = check_size(s, opened, error) ? NULL : rill_scene_build(opened, s->def.workers, -1, error);
    if (!world || rill_scene_apply_events(opened, world, -1, 0, error) == RILL_OK) return world;
    rill_world_destroy(world);
    return NULL;
}

void rill_play_shapes_changed(play_session *s) {
    s->shapes_version++;
    s->version++;
    rill_play_tell_shapes(s, PLAY_EVERYBODY);
}

/* Replaces the world of the session. */
void rill_play_take_world(play_session *s, rill_world *world) {
    rill_world_destroy(s->world);
    s->world = world;
    s->time = rill_world_stats(world)->time;
    s->failed = false;
    s->inputs_this_step = 0;
    s->cut = 0;
    s->window = (statistic_window){0};
    s->substeps = 0;
    s->clock = (play_clock){0};
}

static void begin(play_session *s, rill_world *world) {
    rill_play_take_world(s, world);
    rill_play_replay_end(s);
    s->step = 0;
    s->rate = 1;
    s->hand = (play_hand){0};
    rill_play_forget_moments(s);
    rill_play_record_restart(s, false, NULL);
    rill_play_tell_info(s, PLAY_EVERYBODY);
    rill_play_shapes_changed(s);
}

rill_status rill_play_open(play_session *s, scene *opened, const char *text, rill_error *error) {
    rill_world *world = build(s, opened, error);
    char *kept = !world ? NULL : text ? strdup(text) : text_of(opened);
    if (!kept) {
        if (world) rill_fail(error, RILL_MEMORY, "no memory for the scene");
        rill_world_destroy(world);
        rill_scene_free(opened);
        return RILL_INVALID;
    }
    rill_scene_free(s->scene);
    free(s->text);
    s->scene = opened, s->text = kept;
    begin(s, world);
    return RILL_OK;
}

/* Whether parameters of this name hold file names. */
static bool names_files(const char *key) {
    for (int object = 0; object < RILL_OBJECT_COUNT; object++) {
        const rill_param *row = rill_table_find(rill_object_table((rill_object)object), key);
        if (row && row->type == RILL_TYPE_FILE) return true;
    }
    return false;
}

static bool mentions(const tree *t, const tree_node *member) {
    for (int k = 0; k < t->count; k++)
        if (t->nodes[k].key && t->nodes[k].text && !strcmp(t->nodes[k].key, member->key) &&
            !strcmp(t->nodes[k].text, member->text))
            return true;
    return false;
}

/* A scene sent by a page may name only the files of the current scene: a page must not make the host read others. */
static rill_status check_files(const tree *asked, const tree *here, rill_error *error) {
    for (int k = 0; k < asked->count; k++) {
        const tree_node *node = &asked->nodes[k];
        if (!node->key || !node->text || !*node->text || !names_files(node->key) || mentions(here, node)) continue;
        return rill_fail(error, RILL_INVALID, "scene: %s: the current scene does not use the file '%.100s'", node->key,
                         node->text);
    }
    return RILL_OK;
}

static rill_status check_text(const play_session *s, const char *text, size_t size, rill_error *error) {
    tree asked = {0}, here = {0};
    rill_status status = rill_tree_parse_json(&asked, "scene", text, size, true, error);
    if (!status && s->text) status = rill_tree_parse_json(&here, "scene", s->text, strlen(s->text), true, error);
    if (!status) status = check_files(&asked, &here, error);
    rill_tree_free(&asked);
    rill_tree_free(&here);
    return status;
}

rill_status rill_play_open_text(play_session *s, const char *name, const char *text, rill_error *error) {
    const size_t size = strlen(text);
    TRY(check_text(s, text, size, error));
    scene *opened = rill_scene_parse("scene", text, size, error);
    if (!opened) return RILL_FORMAT;
    if (name && *name) snprintf(opened->name, sizeof opened->name, "%s", name);
    if (s->scene)
        snprintf(opened->path, sizeof opened->path, "%s",
                 s->scene->path); /* relative file names start from the folder of the current scene */
    return rill_play_open(s, opened, text, error);
}

rill_status rill_play_reset(play_session *s, rill_error *error) {
    rill_world *world = build(s, s->scene, error);
    if (!world) return RILL_INVALID;
    begin(s, world);
    return RILL_OK;
}

rill_world_def rill_play_hooks(const play_session *s) {
    rill_world_def hooks = s->scene->world;
    if (s->def.workers >= 0) hooks.workers = s->def.workers;
    return hooks;
}

/* ---- errors and hash ---- */

rill_status rill_play_said(const play_session *s, rill_status status, rill_error *error) {
    return status ? rill_fail(error, status, "%s", rill_world_message(s->world)) : RILL_OK;
}

const char *rill_play_hash(const play_session *s, char text[PLAY_HASH_SIZE]) {
    snprintf(text, PLAY_HASH_SIZE, "%016" PRIx64, rill_world_hash(s->world));
    return text;
}

/* ---- stepping ---- */

/* Applies the events since time `after`. If a hand has removed the object of an event, the other events still apply. */
static void let_events_happen(play_session *s, double after) {
    const double now = rill_world_stats(s->world)->time;
    rill_error error = {0};
    if (!rill_scene_has_events(s->scene, after, now)) return;
    if (rill_scene_apply_events(s->scene, s->world, after, now, &error))
        rill_play_tell_error(s, PLAY_EVERYBODY, "event", error.text);
    rill_play_shapes_changed(s);
    rill_play_tell_info(s, PLAY_EVERYBODY);
}

/* One step of the world, as long as the scene's dt; if the scene has none, as long as is stable. */
static rill_status step_world(play_session *s, int *count) {
    const double fixed = (double)s->scene->run.dt, before = rill_world_stats(s->world)->time;
    rill_play_hand_pull(s);
    const rill_status status =
        fixed > 0 ? rill_world_step(s->world, fixed) : rill_world_step_adaptive(s->world, HUGE_VAL);
    const rill_stats *stats = rill_world_stats(s->world);
    *count += stats->substeps > 0 ? stats->substeps : 1;
    rill_statistic_add(&s->window, stats);
    if (!status) let_events_happen(s, before);
    return status;
}

void rill_play_place_solids(rill_world *world) {
    int unused;
    (void)rill_world_query_point(world, (rill_vec){0}, NULL, NULL, 0, &unused); /* any query updates the solids */
}

static void fail(play_session *s) {
    s->failed = true;
    s->playing = false;
    rill_play_tell_error(s, PLAY_EVERYBODY, "step", rill_world_message(s->world));
    rill_play_tell_info(s, PLAY_EVERYBODY);
}

/* A step played by the clock ends early once it takes too long, so that the page stays responsive. Its length is
   recorded: a replay must not depend on the clock. */
static bool takes_too_long(const play_session *s, double began) {
    return s->playing && !s->replay.active && rill_timer_now() - began > STEP_SECONDS;
}

/* Steps the world to s->time, or as far as the limits allow. */
static rill_status step_to_time(play_session *s) {
    const double began = rill_timer_now(), until = s->time - 1e-9 * (double)s->rate / PLAY_RATE;
    const rill_stats *stats = rill_world_stats(s->world);
    rill_status status = RILL_OK;
    int count = 0, made = 0;
    bool cut = false;
    while (stats->time < until && count < SUBSTEPS_MAX && !cut && !status) {
        status = step_world(s, &count);
        cut = ++made == s->cut || takes_too_long(s, began);
    }
    const bool early = stats->time < until && !status;
    if (early && cut && s->cut == 0) rill_play_record_step_cut(s, made);
    s->cut = 0;
    s->capped = s->capped || early;
    s->substeps += count;
    if (stats->time < s->time) s->time = stats->time;
    return status;
}

void rill_play_advance(play_session *s) {
    if (!s->world || s->failed) return;
    rill_play_place_solids(s->world);
    if (s->step % REWIND_STEPS == 0) rill_play_keep_moment(s);
    s->time += (double)s->rate / PLAY_RATE;
    const rill_status status = step_to_time(s);
    s->step++;
    s->version++;
    s->inputs_this_step = 0;
    if (status) fail(s);
    rill_play_replay_inputs(s);
}

uint64_t rill_play_version(const play_session *s) {
    return s->version;
}

int64_t rill_play_step(const play_session *s) {
    return s->step;
}

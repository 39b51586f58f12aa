/* SPDX-License-Identifier: MIT */
/* The members of a session; private to this folder. */
#ifndef RILL_PLAY_SESSION_H
#define RILL_PLAY_SESSION_H

#include "io/json.h"
#include "model/statistic.h"
#include "play/input.h"
#include "play/play.h"
#include "scene/tree.h"

#define PLAY_HASH_SIZE  17
#define REPLIES_MAX     64
#define INPUTS_PER_STEP 200
#define REWIND_MAX      64  /* most snapshots */
#define REWIND_STEPS    15  /* steps between snapshots */
#define SUBSTEPS_MAX    100 /* of the world in one step of the session; then it ends early */
#define STEP_SECONDS    0.2 /* time after which a step that is played ends early [s] */
#define RECORDING_MAX   (3u << 20)

/* A growing array of bytes. */
typedef struct play_bytes {
    char *data;
    size_t size, capacity;
} play_bytes;
bool rill_play_bytes_add(play_bytes *b, const void *data, size_t size);
void rill_play_bytes_free(play_bytes *b);

/* The body or emitter that the hand holds. */
typedef struct play_hand {
    rill_body_id body;       /* null: none */
    rill_emitter_id emitter; /* null: none */
    rill_vec local;          /* the held point, in the frame of the body as it was added [m] */
    rill_vec target;         /* where the point is pulled to [m] */
} play_hand;

/* A moment to rewind to. */
typedef struct play_moment {
    int64_t step;
    double time;
    play_hand hand;
    float rate;
    int cut;
    int input_count; /* inputs in the recording at that moment */
    play_bytes snapshot;
} play_moment;

typedef struct play_entry {
    int64_t step;
    size_t begin; /* where its JSON begins in the text */
} play_entry;

/* All inputs since the start, which is the opened scene or a snapshot. */
typedef struct play_recording {
    play_bytes start; /* a snapshot; empty: the scene as opened */
    play_bytes text;  /* objects of JSON, one after the other */
    play_entry *entries;
    int count, capacity;
    int64_t first_step;
    bool full; /* an input is missing, for lack of memory or room */
} play_recording;

/* A recording that is replayed: each input is applied before the same step as when it was recorded. */
typedef struct play_replay {
    bool active, fast; /* fast: as fast as possible instead of by the clock */
    tree tree;
    int next; /* next input, or TREE_NONE */
    int64_t last;
    char hash[PLAY_HASH_SIZE];
} play_replay;

/* When steps are due, and how well they keep up with real time. */
typedef struct play_clock {
    double next;            /* when a step is due [s]; 0: not running */
    double mark, mark_time; /* real and simulated time at the start of the current measurement */
    double factor, steps_a_second;
    int64_t mark_step, dropped; /* steps that were dropped for being too late */
} play_clock;

struct play_session {
    play_def def;
    scene *scene;
    char *text; /* of the scene */
    rill_world *world;
    int64_t step; /* in steps of 1 / PLAY_RATE s; the world counts its own */
    double time;  /* time that is shown [s]; the world may be ahead of it by less than one of its steps */
    bool playing;
    float rate; /* of time, 0 to 1 */
    int cut;    /* the next step ends after this many steps of the world; 0: it ends as usual */
    bool failed;
    int inputs_this_step;
    uint64_t version; /* counts changes that frames would show */
    uint32_t shapes_version;
    play_hand hand;
    play_recording recording;
    play_replay replay;
    play_moment moments[REWIND_MAX];
    int first_moment, moment_count;
    size_t moment_bytes;
    play_clock clock;
    int color; /* the field that colours particles: PLAY_COLOR_... */
    bool with_links;
    statistic_window window;      /* since numbers were last sent */
    int64_t substeps, told_steps; /* substeps in that time; the step when it began */
    bool capped;                  /* a step ended early */
    rill_frame frame;
    play_bytes bytes; /* of the last frame */
    play_reply replies[REPLIES_MAX];
    int first_reply, reply_count;
};

enum { PLAY_COLOR_NONE, PLAY_COLOR_SPEED, PLAY_COLOR_DENSITY, PLAY_COLOR_PRESSURE, PLAY_COLOR_ID, PLAY_COLOR_COUNT };
extern const char *const rill_play_colors[PLAY_COLOR_COUNT];

/* ---- replies (reply.c) ---- */
/* A JSON reply: begin, write members to `json`, send. If memory is missing, no reply is sent. */
typedef struct play_text {
    char *data;
    size_t size;
    json json;
} play_text;
bool rill_play_text_begin(play_text *t, const char *is);
void rill_play_text_send(play_session *s, int client, play_text *t);
void rill_play_send(play_session *s, int client, bool binary, char *bytes, size_t size); /* frees the bytes */
void rill_play_tell_error(play_session *s, int client, const char *of, const char *text);

/* ---- descriptions for pages (describe.c, shapes.c) ---- */
void rill_play_tell_info(play_session *s, int client);
void rill_play_tell_shapes(play_session *s, int client);

/* ---- errors and hash (session.c) ---- */
/* Turns a status of the world into an error with the world's message. */
rill_status rill_play_said(const play_session *s, rill_status status, rill_error *error);
/* Writes the state hash as 16 digits. Returns `text`. */
const char *rill_play_hash(const play_session *s, char text[PLAY_HASH_SIZE]);

/* ---- inputs (act.c, fluid_hands.c, hand.c) ---- */
rill_status rill_play_act(play_session *s, int client, const play_input *input, rill_error *error);
rill_status rill_play_push(play_session *s, const play_input *input, rill_error *error);
rill_status rill_play_pour(play_session *s, const play_input *input, rill_error *error);
/* The name of the k-th look that a method can give to fluids (gel, clay, paint); false: there are no more. */
bool rill_play_look(const rill_method_info *method, int k, char name[RILL_NAME_SIZE]);
rill_status rill_play_erase(play_session *s, const play_input *input, rill_error *error);
rill_status rill_play_grab(play_session *s, int client, const play_input *input, rill_error *error);
void rill_play_drag(play_session *s, rill_vec to);
void rill_play_drop(play_session *s);
/* Pulls at the held body; called before each step of the world. */
void rill_play_hand_pull(play_session *s);
/* The two ends of the hand's spring; false: the hand holds nothing. */
bool rill_play_hand_ends(play_session *s, rill_vec *from, rill_vec *to);

/* ---- stepping (session.c) ---- */
/* Opens a scene that a page has sent; `name` may be NULL. */
rill_status rill_play_open_text(play_session *s, const char *name, const char *text, rill_error *error);
rill_status rill_play_reset(play_session *s, rill_error *error);
/* Moves solids back to the world's time: frames leave them at the time they show. Queries and changes need this, or a
   replay without frames would differ. */
void rill_play_place_solids(rill_world *world);
/* To be called after shapes or their number may have changed. */
void rill_play_shapes_changed(play_session *s);
void rill_play_take_world(play_session *s, rill_world *world);
rill_world_def rill_play_hooks(const play_session *s);

/* ---- going back (rewind.c) ---- */
void rill_play_keep_moment(play_session *s);
void rill_play_forget_moments(play_session *s);
rill_status rill_play_rewind(play_session *s, double seconds, rill_error *error);
double rill_play_rewind_seconds(const play_session *s);
/* Loads the world of a snapshot; the recording starts again from it. */
rill_status rill_play_load(play_session *s, const void *data, size_t size, rill_error *error);
rill_status rill_play_save(rill_world *world, play_bytes *into, rill_error *error);

/* ---- recording (record.c) ---- */
void rill_play_record(play_session *s, const play_input *input);
/* Drops all inputs after the first `count`. */
void rill_play_record_cut(play_session *s, int count);
/* Records that the step under way ended early, after this many steps of the world. */
void rill_play_record_step_cut(play_session *s, int made);
rill_status rill_play_record_restart(play_session *s, bool from_snapshot, rill_error *error);
void rill_play_tell_recording(play_session *s, int client);
/* Takes over the tree of the message on success. */
rill_status rill_play_replay_begin(play_session *s, tree *t, bool fast, rill_error *error);
/* Applies the inputs that precede the next step; at the end it sends the hash. */
void rill_play_replay_inputs(play_session *s);
void rill_play_replay_end(play_session *s);
void rill_play_record_free(play_recording *r);

#endif

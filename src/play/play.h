/* SPDX-License-Identifier: MIT */
/* Playing with a world: a session takes the messages of a page (docs/play_engine.md lists them), steps the world when
   the clock says so, and returns frames and answers. It knows no sockets, files or browsers: `rill view` and the
   WebAssembly worker are two hosts of the same session. Every change of the state is recorded with the step that it
   precedes, so that a replay ends with the same state hash.

   Messages are not trusted: their size, numbers, names and rate are bounded, and a refused message is answered with an
   error and changes nothing. A session is used by one thread at a time. */
#ifndef RILL_PLAY_PLAY_H
#define RILL_PLAY_PLAY_H

#include "scene/scene.h"

/* Largest message in bytes; scenes and recordings may be larger. */
#define PLAY_MESSAGE_MAX (64u << 10)
#define PLAY_TEXT_MAX    (4u << 20)
/* Largest snapshot that a page sends back, in bytes, its four magic bytes included. */
#define PLAY_SNAPSHOT_MAX (64u << 20)
/* Steps in a second of real time, which a page shows as frames. */
#define PLAY_RATE 60

typedef struct play_session play_session;

typedef struct play_def {
    const char *engine;  /* "native" or "wasm", as told to the page */
    int workers;         /* threads of a world; -1: as in the scene */
    int particle_limit;  /* most particles of a scene or after pouring */
    size_t rewind_bytes; /* memory for the snapshots of rewinding */
    /* Finds a scene by name, for `open`; NULL: the host answers `open` itself. The session frees the scene. */
    scene *(*find_scene)(const char *name, void *context, rill_error *error);
    void *context;
} play_def;

play_session *rill_play_create(const play_def *def, rill_error *error);
void rill_play_destroy(play_session *s); /* NULL is fine */

/* Opens a scene in a new world. The session takes ownership of the scene, also on failure. Recordings keep `text`;
   NULL: the scene printed with every value. */
rill_status rill_play_open(play_session *s, scene *opened, const char *text, rill_error *error);

/* Handles one message of a page, text or binary. `client` is the receiver of the answer. */
void rill_play_message(play_session *s, int client, const char *text, size_t size);
void rill_play_binary(play_session *s, int client, const void *bytes, size_t size);

/* Whether a step is due at time `now` of a clock [s]. The session never asks for more steps than real time has, and
   drops those that it is too late for. `wait` is the time until the next step may be due. */
bool rill_play_due(play_session *s, double now, double *wait);
/* One step of the session: 1/60 s of the world's time, less in slow motion. */
void rill_play_advance(play_session *s);
/* A number that increases whenever a frame would show something new. */
uint64_t rill_play_version(const play_session *s);
int64_t rill_play_step(const play_session *s);

/* The current frame, valid until the next call; NULL if there is no world or no memory. */
const void *rill_play_frame(play_session *s, size_t *size);

/* Takes the next reply to send; false if there is none. Free it with rill_play_reply_free. */
#define PLAY_EVERYBODY (-1)
typedef struct play_reply {
    int client; /* or PLAY_EVERYBODY */
    bool binary;
    char *bytes;
    size_t size;
} play_reply;
bool rill_play_reply(play_session *s, play_reply *reply);
void rill_play_reply_free(play_reply *reply);
/* Sends info and shapes to a new client. */
void rill_play_welcome(play_session *s, int client);
/* Sends the numbers since the last call to all clients; for a call four times a second. */
void rill_play_tell_numbers(play_session *s, int viewers);

#endif

/* SPDX-License-Identifier: MIT */
/* Playing with a world: a session takes the messages of a page (docs/play_engine.md has them), steps the world when the
   clock says so, and gives frames and answers back. It knows no sockets, files or browsers: `rill view` and the
   WebAssembly worker are two hosts of the same session. Every change of the state is recorded with the step that it
   comes before, so that a recording gives the same state hash again.

   Nothing in a message is trusted: its size, numbers, names and rate are bounded, and a message that is refused is
   answered with an error and changes nothing. A session is used from one thread at a time. */
#ifndef RILL_PLAY_PLAY_H
#define RILL_PLAY_PLAY_H

#include "scene/scene.h"

/* Bytes of a message; scenes and recordings may have more. */
#define PLAY_MESSAGE_MAX (64u << 10)
#define PLAY_TEXT_MAX    (4u << 20)
/* Bytes of a snapshot that a page sends back, the four of its magic included. */
#define PLAY_SNAPSHOT_MAX (64u << 20)
/* Steps in a second of real time: what a page shows. */
#define PLAY_RATE 60

typedef struct play_session play_session;

typedef struct play_def {
    const char *engine;  /* "native", "wasm": what the page is told */
    int workers;         /* threads of a world; -1: as the scene says */
    int particle_limit;  /* most particles that a scene or a hand may bring in */
    size_t rewind_bytes; /* memory for snapshots that one can go back to */
    /* A scene by name, for `open`; NULL: the host answers such messages itself. The session frees it. */
    scene *(*find_scene)(const char *name, void *context, rill_error *error);
    void *context;
} play_def;

play_session *rill_play_create(const play_def *def, rill_error *error);
void rill_play_destroy(play_session *s); /* NULL is fine */

/* A new world. The scene becomes the session's, also if it fails. `text` is what recordings keep of it; NULL: the scene
   with every value written out. */
rill_status rill_play_open(play_session *s, scene *opened, const char *text, rill_error *error);

/* One message of a page, text or binary. `client` is who gets the answer. */
void rill_play_message(play_session *s, int client, const char *text, size_t size);
void rill_play_binary(play_session *s, int client, const void *bytes, size_t size);

/* Whether a step is due at this time of a clock [s]. The session never asks for more steps than real time has, and
   forgets those that it is too late for. `wait` says how long nothing will be due. */
bool rill_play_due(play_session *s, double now, double *wait);
/* One step of the world: 1/60 s, less in slow motion. */
void rill_play_advance(play_session *s);
/* Counts up whenever a frame would show something new. */
uint64_t rill_play_version(const play_session *s);
int64_t rill_play_step(const play_session *s);

/* The present frame, valid until the next call; NULL if there is no world or no memory. */
const void *rill_play_frame(play_session *s, size_t *size);

/* The next reply to be sent; false if there is none. Free it with rill_play_reply_free. */
#define PLAY_EVERYBODY (-1)
typedef struct play_reply {
    int client; /* or PLAY_EVERYBODY */
    bool binary;
    char *bytes;
    size_t size;
} play_reply;
bool rill_play_reply(play_session *s, play_reply *reply);
void rill_play_reply_free(play_reply *reply);
/* For a client that has just come: info and shapes. */
void rill_play_welcome(play_session *s, int client);
/* The numbers of the last quarter of a second, for all viewers. */
void rill_play_tell_numbers(play_session *s, int viewers);

#endif

/* SPDX-License-Identifier: MIT */
/* The play session for a worker in a browser: functions on plain numbers for web/worker.js. There is one session. */
#include "play/play.h"

#include <stdlib.h>

#define PARTICLE_LIMIT 60000
#define REWIND_BYTES   ((size_t)64 << 20)

int engine_open(int workers);
void engine_message(const char *text, int size);
void engine_binary(const char *bytes, int size);
double engine_due(double now);
void engine_advance(void);
double engine_version(void);
const void *engine_frame(void);
int engine_frame_size(void);
const void *engine_reply(void);
int engine_reply_size(void);
int engine_reply_is_binary(void);
void engine_tell_numbers(void);

static play_session *session;
static play_reply reply;
static size_t frame_size;

/* Creates the session, with this many threads; false if there is no memory. */
int engine_open(int workers) {
    const play_def def = {
        .engine = "wasm", .workers = workers, .particle_limit = PARTICLE_LIMIT, .rewind_bytes = REWIND_BYTES};
    session = rill_play_create(&def, NULL);
    return session != NULL;
}

void engine_message(const char *text, int size) {
    rill_play_message(session, 0, text, (size_t)size);
}

void engine_binary(const char *bytes, int size) {
    rill_play_binary(session, 0, bytes, (size_t)size);
}

/* Seconds until the next step is due; 0: it is due now. */
double engine_due(double now) {
    double wait;
    return rill_play_due(session, now, &wait) ? 0 : wait > 1e-3 ? wait : 1e-3;
}

void engine_advance(void) {
    rill_play_advance(session);
}

double engine_version(void) {
    return (double)rill_play_version(session);
}

const void *engine_frame(void) {
    return rill_play_frame(session, &frame_size);
}

int engine_frame_size(void) {
    return (int)frame_size;
}

/* The next reply; NULL if there is none. Valid until the next call. */
const void *engine_reply(void) {
    rill_play_reply_free(&reply);
    return rill_play_reply(session, &reply) ? reply.bytes : NULL;
}

int engine_reply_size(void) {
    return (int)reply.size;
}

int engine_reply_is_binary(void) {
    return reply.binary;
}

void engine_tell_numbers(void) {
    rill_play_tell_numbers(session, 1);
}

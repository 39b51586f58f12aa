/* SPDX-License-Identifier: MIT */
/* The thread that plays a session. */
#include "apps/cli/view/player.h"

#include "core/timer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INBOX_MAX      512 /* messages; new clients have WELCOMES_MAX entries more */
#define WELCOMES_MAX   64
#define OUTBOX_MAX     512
#define INBOX_BYTES    ((size_t)80 << 20)
#define NUMBERS_PERIOD 0.25 /* [s] */

typedef struct letter {
    int client;
    bool binary, welcome;
    size_t size;
    char *bytes;
} letter;

typedef struct parcel {
    int client;
    blob *blob;
} parcel;

struct player {
    play_session *session;
    void (*wake)(void *context);
    void *context;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t news, room; /* for the player's thread: there is work; there is room in the outbox */
    /* Protected by the mutex: */
    bool quit;
    bool audience_grew; /* one of the next two has grown since the thread last looked */
    int viewers, hungry;
    letter inbox[INBOX_MAX + WELCOMES_MAX];
    int letters;
    size_t inbox_bytes;
    parcel outbox[OUTBOX_MAX];
    int parcels;
    blob *frame;
    uint64_t frame_number;
    /* Used by the thread alone: */
    uint64_t shown; /* version of the session in the newest frame */
    double numbers_due;
};

/* ---- functions of the server's thread ---- */

static bool put_letter(player *p, letter l) {
    pthread_mutex_lock(&p->mutex);
    const int most = l.welcome ? INBOX_MAX + WELCOMES_MAX : INBOX_MAX;
    const bool fits = p->letters < most && p->inbox_bytes + l.size <= INBOX_BYTES;
    if (fits) {
        p->inbox[p->letters++] = l;
        p->inbox_bytes += l.size;
        pthread_cond_signal(&p->news);
    }
    pthread_mutex_unlock(&p->mutex);
    if (!fits) free(l.bytes);
    return fits;
}

bool player_message(player *p, int client, bool binary, const void *bytes, size_t size) {
    letter l = {.client = client, .binary = binary, .size = size, .bytes = malloc(size + 1)};
    if (!l.bytes) return false;
    memcpy(l.bytes, bytes, size);
    return put_letter(p, l);
}

bool player_welcome(player *p, int client) {
    return put_letter(p, (letter){.client = client, .welcome = true});
}

void player_watched(player *p, int viewers, int hungry) {
    pthread_mutex_lock(&p->mutex);
    const bool more = viewers > p->viewers || hungry > p->hungry;
    p->viewers = viewers, p->hungry = hungry;
    if (more) {
        p->audience_grew = true;
        pthread_cond_signal(&p->news);
    }
    pthread_mutex_unlock(&p->mutex);
}

blob *player_take(player *p, int *client) {
    blob *taken = NULL;
    pthread_mutex_lock(&p->mutex);
    if (p->parcels > 0) {
        taken = p->outbox[0].blob, *client = p->outbox[0].client;
        memmove(p->outbox, p->outbox + 1, (size_t)--p->parcels * sizeof *p->outbox);
        pthread_cond_signal(&p->room);
    }
    pthread_mutex_unlock(&p->mutex);
    return taken;
}

blob *player_frame(player *p, uint64_t *number) {
    blob *newest = NULL;
    pthread_mutex_lock(&p->mutex);
    if (p->frame && p->frame_number > *number) newest = blob_share(p->frame), *number = p->frame_number;
    pthread_mutex_unlock(&p->mutex);
    return newest;
}

/* ---- functions of the player's thread ---- */

static void deliver(player *p, letter *l) {
    if (l->welcome)
        rill_play_welcome(p->session, l->client);
    else if (l->binary)
        rill_play_binary(p->session, l->client, l->bytes, l->size);
    else
        rill_play_message(p->session, l->client, l->bytes, l->size);
    free(l->bytes);
}

/* Waits for room, so that no answer is lost. The server's thread, which makes room, never waits for a viewer. */
static void put_parcel(player *p, parcel sent) {
    pthread_mutex_lock(&p->mutex);
    while (p->parcels == OUTBOX_MAX && !p->quit) {
        p->wake(p->context);
        pthread_cond_wait(&p->room, &p->mutex);
    }
    const bool fits = p->parcels < OUTBOX_MAX;
    if (fits) p->outbox[p->parcels++] = sent;
    pthread_mutex_unlock(&p->mutex);
    if (!fits) blob_drop(sent.blob);
}

static void send_replies(player *p) {
    bool any = false;
    for (play_reply reply; rill_play_reply(p->session, &reply); any = true) {
        blob *b = blob_make(reply.bytes, reply.size, reply.binary);
        const int client = reply.client;
        rill_play_reply_free(&reply);
        if (b) put_parcel(p, (parcel){client, b});
    }
    if (any) p->wake(p->context);
}

/* Takes messages one by one: the lock is never held while the session works. */
static void read_inbox(player *p) {
    for (;;) {
        letter l;
        pthread_mutex_lock(&p->mutex);
        const bool any = p->letters > 0;
        if (any) {
            l = p->inbox[0];
            p->inbox_bytes -= l.size;
            memmove(p->inbox, p->inbox + 1, (size_t)--p->letters * sizeof *p->inbox);
        }
        pthread_mutex_unlock(&p->mutex);
        if (!any) return;
        deliver(p, &l);
        send_replies(p);
    }
}

/* Makes a frame for viewers that are ready for one, if it shows something new. */
static void show(player *p, int hungry) {
    size_t size;
    if (hungry == 0 || rill_play_version(p->session) == p->shown) return;
    const void *bytes = rill_play_frame(p->session, &size);
    blob *frame = bytes ? blob_make(bytes, size, true) : NULL;
    if (!frame) return;
    p->shown = rill_play_version(p->session);
    pthread_mutex_lock(&p->mutex);
    blob *old = p->frame;
    p->frame = frame, p->frame_number++;
    pthread_mutex_unlock(&p->mutex);
    blob_drop(old);
    p->wake(p->context);
}

static void tell_numbers(player *p, double now, int viewers) {
    if (now < p->numbers_due) return;
    p->numbers_due = now + NUMBERS_PERIOD;
    rill_play_tell_numbers(p->session, viewers);
}

/* Sleeps until there is work, or for this long (a second at most). */
static void wait_for_news(player *p, double seconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const double nanoseconds = (double)until.tv_nsec + 1e9 * (seconds < 1 ? seconds : 1);
    until.tv_sec += (time_t)(nanoseconds / 1e9);
    until.tv_nsec = (long)(nanoseconds - 1e9 * (double)(time_t)(nanoseconds / 1e9));
    pthread_mutex_lock(&p->mutex);
    if (p->letters == 0 && !p->audience_grew && !p->quit) pthread_cond_timedwait(&p->news, &p->mutex, &until);
    pthread_mutex_unlock(&p->mutex);
}

static void *play(void *argument) {
    player *p = argument;
    for (;;) {
        read_inbox(p);
        pthread_mutex_lock(&p->mutex);
        const bool quit = p->quit;
        const int viewers = p->viewers, hungry = p->hungry;
        p->audience_grew = false;
        pthread_mutex_unlock(&p->mutex);
        if (quit) return NULL;
        double wait = 1;
        const double now = rill_timer_now();
        const bool due = viewers > 0 && rill_play_due(p->session, now, &wait);
        if (due) {
            rill_play_advance(p->session);
            tell_numbers(p, now, viewers);
        }
        send_replies(p);
        show(p, hungry);
        if (!due) wait_for_news(p, wait);
    }
}

static bool prepare(player *p) {
    pthread_condattr_t steady;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->news, &steady);
    pthread_cond_init(&p->room, NULL);
    pthread_condattr_destroy(&steady);
    return pthread_create(&p->thread, NULL, play, p) == 0;
}

player *player_start(play_session *session, void (*wake)(void *context), void *context) {
    player *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->session = session, p->wake = wake, p->context = context;
    if (prepare(p)) return p;
    free(p);
    return NULL;
}

void player_stop(player *p) {
    if (!p) return;
    pthread_mutex_lock(&p->mutex);
    p->quit = true;
    pthread_cond_signal(&p->news);
    pthread_cond_signal(&p->room);
    pthread_mutex_unlock(&p->mutex);
    pthread_join(p->thread, NULL);
    for (int k = 0; k < p->letters; k++) free(p->inbox[k].bytes);
    for (int k = 0; k < p->parcels; k++) blob_drop(p->outbox[k].blob);
    blob_drop(p->frame);
    pthread_cond_destroy(&p->news);
    pthread_cond_destroy(&p->room);
    pthread_mutex_destroy(&p->mutex);
    free(p);
}

/* SPDX-License-Identifier: MIT */
/* The server of `rill view`, on libwebsockets. */
#include "apps/cli/view/server.h"

#include "apps/cli/view/client.h"
#include "apps/cli/view/pages.h"
#include "apps/cli/view/player.h"
#include "core/timer.h"
#include "scene/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLIENTS_MAX   32
#define TOKEN_BYTES   16
#define HELLO_SECONDS 5
/* After this long without use the hands go to the next client that asks for them [s]. */
#define HANDS_IDLE 10.0
/* Bytes that libwebsockets reads at once. */
#define RECEIVE_BYTES 65536

struct view_server {
    view_server_def def;
    struct lws_context *context;
    player *player;
    client clients[CLIENTS_MAX];
    int last_number;
    int hands; /* number of the client that has the hands; 0: none */
    int port;
    lws_sorted_usec_list_t timer;
    char token[2 * TOKEN_BYTES + 1];
    char address[256];
};

/* ---- clients ---- */

static client *client_of(view_server *v, const struct lws *wsi) {
    for (int k = 0; k < CLIENTS_MAX; k++)
        if (v->clients[k].wsi == wsi) return &v->clients[k];
    return NULL;
}

static client *client_numbered(view_server *v, int number) {
    for (int k = 0; k < CLIENTS_MAX; k++)
        if (v->clients[k].wsi && v->clients[k].number == number) return &v->clients[k];
    return NULL;
}

static int count_viewers(const view_server *v) {
    int count = 0;
    for (int k = 0; k < CLIENTS_MAX; k++) count += v->clients[k].wsi && v->clients[k].known;
    return count;
}

static void tell_player(view_server *v) {
    int hungry = 0;
    if (!v->player) return; /* it has been stopped already */
    for (int k = 0; k < CLIENTS_MAX; k++) hungry += client_is_hungry(&v->clients[k]);
    player_watched(v->player, count_viewers(v), hungry);
}

static void tell_hands(view_server *v) {
    for (int k = 0; k < CLIENTS_MAX; k++) {
        client *c = &v->clients[k];
        char text[80];
        if (!c->wsi || !c->known) continue;
        const int size = snprintf(text, sizeof text, "{\"is\": \"hands\", \"yours\": %s, \"viewers\": %d}",
                                  c->number == v->hands ? "true" : "false", count_viewers(v));
        client_queue(c, blob_make(text, (size_t)size, false));
    }
}

static void tell_error(client *c, const char *text) {
    char message[200];
    const int size = snprintf(message, sizeof message, "{\"is\": \"error\", \"text\": \"%s\"}", text);
    client_queue(c, blob_make(message, (size_t)size, false));
}

/* Gives the hands to the client that has been connected longest, if no client has them. */
static void give_hands(view_server *v) {
    const bool vacant = !client_numbered(v, v->hands);
    if (vacant) v->hands = 0;
    for (int k = 0; k < CLIENTS_MAX; k++) {
        const client *c = &v->clients[k];
        if (vacant && c->wsi && c->known && (v->hands == 0 || c->number < v->hands)) v->hands = c->number;
    }
    tell_hands(v);
}

/* ---- messages ---- */

/* Takes as long for a wrong token as for a right one, so that timing reveals nothing about it. */
static bool is_token(const view_server *v, const char *text) {
    const size_t given = strlen(text), length = strlen(v->token);
    unsigned differs = given != length;
    for (size_t k = 0; k < length; k++)
        differs |= (unsigned char)(k < given ? text[k] : 0) ^ (unsigned char)v->token[k];
    return differs == 0;
}

static const char *text_of(const tree *t, const char *key) {
    const tree_node *node = t->count > 0 && t->nodes->kind == TREE_OBJECT ? rill_tree_member(t, t->nodes, key) : NULL;
    return node && node->kind == TREE_STRING ? node->text : "";
}

static void hello(view_server *v, client *c, const char *token) {
    if (!is_token(v, token) || !player_welcome(v->player, c->number)) {
        c->doomed = true;
        lws_callback_on_writable(c->wsi);
        return;
    }
    c->known = true;
    lws_set_timeout(c->wsi, NO_PENDING_TIMEOUT, 0);
    give_hands(v);
    tell_player(v);
}

static void ask_for_hands(view_server *v, client *c, double now) {
    const client *owner = client_numbered(v, v->hands);
    if (!owner || now - owner->acted > HANDS_IDLE) v->hands = c->number, c->acted = now;
    tell_hands(v);
}

/* Requests that viewers without hands may make. */
static bool is_question(const char *word) {
    return !strcmp(word, "info") || !strcmp(word, "hash") || !strcmp(word, "recording") || !strcmp(word, "save") ||
           !strcmp(word, "scene");
}

static void forward(view_server *v, client *c, bool binary, const char *word, double now) {
    if (c->number == v->hands) {
        if (!is_question(word)) c->acted = now;
    } else if (binary || !is_question(word)) {
        tell_error(c, "another viewer has the hands; you are watching");
        return;
    }
    if (!player_message(v->player, c->number, binary, c->message, c->message_size))
        tell_error(c, "too many messages are waiting");
}

/* Acknowledgements have no limit of rate: each answers a frame, and without them a viewer would get no more frames. */
static void take_text(view_server *v, client *c, double now) {
    tree t;
    if (rill_tree_parse_json(&t, "message", c->message, c->message_size, true, NULL)) {
        if (!c->known)
            c->doomed = true, lws_callback_on_writable(c->wsi);
        else
            tell_error(c, "a message must be a JSON object");
        return;
    }
    const char *word = text_of(&t, "do");
    if (!c->known) {
        hello(v, c, !strcmp(word, "hello") ? text_of(&t, "token") : "");
    } else if (!strcmp(word, "got")) {
        if (c->ahead > 0) c->ahead--;
        lws_callback_on_writable(c->wsi);
        tell_player(v);
    } else if (c->messages > CLIENT_RATE) {
        tell_error(c, "too many messages");
    } else if (!strcmp(word, "hands")) {
        ask_for_hands(v, c, now);
    } else if (strcmp(word, "hello") != 0) {
        forward(v, c, false, word, now);
    }
    rill_tree_free(&t);
}

/* The longest message that this client may send. */
static size_t longest(const view_server *v, const client *c, bool binary) {
    if (!c->known || c->number != v->hands) return PLAY_MESSAGE_MAX;
    return binary ? PLAY_SNAPSHOT_MAX : PLAY_TEXT_MAX;
}

static int receive(view_server *v, client *c, const void *bytes, size_t size) {
    const bool binary = lws_frame_is_binary(c->wsi);
    const double now = rill_timer_now();
    if (lws_is_first_fragment(c->wsi)) {
        c->message_size = 0;
        if (!client_may_speak(c, now)) return -1;
    }
    if (!client_collect(c, bytes, size, longest(v, c, binary)) || (binary && !c->known)) return -1;
    if (lws_remaining_packet_payload(c->wsi) > 0 || !lws_is_final_fragment(c->wsi)) return 0;
    if (!binary)
        take_text(v, c, now);
    else if (c->messages > CLIENT_RATE)
        tell_error(c, "too many messages");
    else
        forward(v, c, true, "", now);
    c->message_size = 0;
    if (c->message_room > RECEIVE_BYTES * 2) { /* keeps no memory for rare large messages */
        free(c->message);
        c->message = NULL, c->message_room = 0;
    }
    return 0;
}

/* ---- sending ---- */

static int send_blob(client *c, blob *b) {
    const int sent = lws_write(c->wsi, b->data + LWS_PRE, b->size, b->binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT);
    const bool whole = sent >= (int)b->size;
    blob_drop(b);
    return whole ? 0 : -1;
}

/* Sends texts first: a frame may refer to what they say. */
static int send_next(view_server *v, client *c) {
    if (c->doomed) return -1;
    if (c->count > 0) {
        blob *b = c->queue[c->first];
        c->first = (c->first + 1) % CLIENT_QUEUE_MAX;
        c->count--;
        lws_callback_on_writable(c->wsi);
        return send_blob(c, b);
    }
    if (!client_is_hungry(c)) return 0;
    blob *frame = player_frame(v->player, &c->frame);
    if (!frame) return 0;
    c->ahead++;
    tell_player(v);
    return send_blob(c, frame);
}

static void distribute(view_server *v) {
    int number;
    for (blob *b; (b = player_take(v->player, &number)); blob_drop(b))
        for (int k = 0; k < CLIENTS_MAX; k++) {
            client *c = &v->clients[k];
            if (c->wsi && c->known && (number == PLAY_EVERYBODY || number == c->number)) client_queue(c, blob_share(b));
        }
    for (int k = 0; k < CLIENTS_MAX; k++)
        if (client_is_hungry(&v->clients[k])) lws_callback_on_writable(v->clients[k].wsi);
}

/* Called by the player's thread. lws_cancel_service is the only call that libwebsockets allows from other threads. */
static void wake(void *context) {
    const view_server *v = context;
    if (v->context) lws_cancel_service(v->context);
}

/* ---- libwebsockets ---- */

static int connect_client(view_server *v, struct lws *wsi) {
    client *c = client_of(v, NULL);
    if (!c) return -1;
    *c = (client){.wsi = wsi, .number = ++v->last_number, .acted = rill_timer_now()};
    lws_set_timeout(wsi, PENDING_TIMEOUT_AWAITING_SERVER_RESPONSE, HELLO_SECONDS);
    return 0;
}

static void disconnect_client(view_server *v, const struct lws *wsi) {
    client *c = client_of(v, wsi);
    if (!c) return; /* it was refused before it was announced */
    const bool known = c->known;
    client_clear(c);
    if (known) give_hands(v);
    tell_player(v);
}

static bool socket_is_welcome(view_server *v, struct lws *wsi) {
    return pages_host_is_ours(&v->def, wsi) && pages_origin_is_ours(wsi) && client_of(v, NULL);
}

static int callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    struct lws_context *context = wsi ? lws_get_context(wsi) : NULL;
    view_server *v = context ? lws_context_user(context) : NULL;
    client *c = v ? client_of(v, wsi) : NULL;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return v && user ? pages_serve(&v->def, wsi, user, in) : -1;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return v && socket_is_welcome(v, wsi) ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED:
        return v ? connect_client(v, wsi) : -1;
    case LWS_CALLBACK_RECEIVE:
        return c && !c->doomed ? receive(v, c, in, size) : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return c ? send_next(v, c) : -1;
    case LWS_CALLBACK_CLOSED:
        if (v) disconnect_client(v, wsi);
        return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        if (v && v->player) distribute(v);
        return 0;
    case LWS_CALLBACK_HTTP_FILE_COMPLETION:
        return lws_http_transaction_completed(wsi) ? -1 : 0;
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return pages_write(wsi, user);
    case LWS_CALLBACK_CLOSED_HTTP:
        pages_drop(user);
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = callback, .per_session_data_size = sizeof(page_answer), .rx_buffer_size = 4096},
    {.name = "rill", .callback = callback, .rx_buffer_size = RECEIVE_BYTES},
    {0},
};

/* A machine that has gone offline closes no connection: clients that do not answer for this long are dropped [s]. */
static const lws_retry_bo_t patience = {.secs_since_valid_ping = 20, .secs_since_valid_hangup = 40};

static bool make_token(view_server *v) {
    unsigned char bytes[TOKEN_BYTES];
    FILE *random = fopen("/dev/urandom", "rb");
    const bool whole = random && fread(bytes, 1, sizeof bytes, random) == sizeof bytes;
    if (random) fclose(random);
    for (int k = 0; whole && k < TOKEN_BYTES; k++) snprintf(v->token + 2 * k, 3, "%02x", bytes[k]);
    return whole;
}

static bool listen_at(view_server *v) {
    const bool local = !strcmp(v->def.bind, "localhost");
    const struct lws_context_creation_info info = {
        .port = v->def.port,
        .iface = local ? "127.0.0.1" : v->def.bind,
        .protocols = protocols,
        .user = v,
        .options = LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_HTTP_HEADERS_SECURITY_BEST_PRACTICES_ENFORCE,
        .timeout_secs = 10,
        .keepalive_timeout = 20,
        .retry_and_idle_policy = &patience,
    };
    v->context = lws_create_context(&info);
    struct lws_vhost *host = v->context ? lws_get_vhost_by_name(v->context, "default") : NULL;
    v->port = host ? lws_get_vhost_listen_port(host) : 0;
    return v->port > 0;
}

view_server *view_server_start(const view_server_def *def) {
    lws_set_log_level(LLL_ERR, NULL);
    view_server *v = calloc(1, sizeof *v);
    if (!v) return NULL;
    v->def = *def;
    if (!make_token(v)) {
        fprintf(stderr, "rill view: cannot read /dev/urandom for a token\n");
    } else if (!listen_at(v)) {
        fprintf(stderr,
                "rill view: cannot listen on %s, port %d; another program may be using it: try another --port\n",
                def->bind, def->port);
    } else if (!(v->player = player_start(def->session, wake, v))) {
        fprintf(stderr, "rill view: cannot start the player's thread\n");
    } else {
        const bool everywhere = !strcmp(def->bind, "0.0.0.0") || !strcmp(def->bind, "::");
        snprintf(v->address, sizeof v->address, "http://%s:%d/?token=%s",
                 def->host    ? def->host
                 : everywhere ? "localhost"
                              : def->bind,
                 v->port, v->token);
        return v;
    }
    view_server_stop(v);
    return NULL;
}

void view_server_stop(view_server *v) {
    if (!v) return;
    player_stop(v->player);
    v->player = NULL;
    if (v->context) lws_context_destroy(v->context);
    for (int k = 0; k < CLIENTS_MAX; k++) client_clear(&v->clients[k]);
    free(v);
}

const char *view_server_address(const view_server *v) {
    return v->address;
}

/* A signal may arrive between the check of asked_to_stop and the wait for messages, and would not end that wait. This
   timer ends it after half a second. */
static void end_wait(lws_sorted_usec_list_t *timer) {
    view_server *v = lws_container_of(timer, view_server, timer);
    lws_sul_schedule(v->context, 0, timer, end_wait, LWS_US_PER_SEC / 2);
}

void view_server_run(view_server *v, bool (*asked_to_stop)(void)) {
    end_wait(&v->timer);
    while (!asked_to_stop() && lws_service(v->context, 0) >= 0) {}
}

/* SPDX-License-Identifier: MIT */
/* The files and pages that `rill view` serves over HTTP. */
#include "apps/cli/view/pages.h"

#include "io/json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_MAX_BYTES 120
#define HOST_MAX       256
#define FULL_PATH_SIZE 1024

/* ---- checks of requests ---- */

static bool header(struct lws *wsi, enum lws_token_indexes which, char *text, int size) {
    return lws_hdr_total_length(wsi, which) > 0 && lws_hdr_copy(wsi, text, size, which) > 0;
}

/* Removes the port from "NAME:PORT" or "[ADDRESS]:PORT". */
static void cut_port(char *host) {
    char *end = strrchr(host, ':'), *bracket = strrchr(host, ']');
    if (end && (!bracket || end > bracket)) *end = '\0';
}

bool pages_host_is_ours(const view_server_def *def, struct lws *wsi) {
    char host[HOST_MAX], bound[HOST_MAX];
    if (!header(wsi, WSI_TOKEN_HOST, host, sizeof host)) return false;
    cut_port(host);
    snprintf(bound, sizeof bound, strchr(def->bind, ':') ? "[%s]" : "%s", def->bind);
    return !strcmp(host, "localhost") || !strcmp(host, "127.0.0.1") || !strcmp(host, "[::1]") || !strcmp(host, bound) ||
           (def->host && !strcmp(host, def->host));
}

bool pages_origin_is_ours(struct lws *wsi) {
    char host[HOST_MAX], origin[HOST_MAX + 16], expected[HOST_MAX + 16];
    if (!header(wsi, WSI_TOKEN_HOST, host, sizeof host)) return false;
    if (!header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin)) return false;
    snprintf(expected, sizeof expected, "http://%s", host);
    if (!strcmp(origin, expected)) return true;
    snprintf(expected, sizeof expected, "https://%s", host); /* behind a proxy that adds encryption */
    return !strcmp(origin, expected);
}

/* The full path of one of the page's files; false: there is none. */
static bool find_file(const view_server_def *def, const char *path, char full[FULL_PATH_SIZE]) {
    struct stat info;
    const int length = snprintf(full, FULL_PATH_SIZE, "%s/%s", def->folder, path);
    return length < FULL_PATH_SIZE && stat(full, &info) == 0 && S_ISREG(info.st_mode);
}

/* ---- generated pages ---- */

void pages_drop(page_answer *answer) {
    if (!answer) return;
    free(answer->text);
    *answer = (page_answer){0};
}

/* Takes ownership of the text. */
static int send_text(struct lws *wsi, page_answer *answer, char *text, size_t size) {
    unsigned char room[LWS_PRE + 2048], *at = room + LWS_PRE, *start = at, *end = room + sizeof room - 1;
    pages_drop(answer);
    *answer = (page_answer){text, size};
    if (!text || lws_add_http_common_headers(wsi, HTTP_STATUS_OK, "application/json", (lws_filepos_t)size, &at, end) ||
        lws_finalize_write_http_header(wsi, start, &at, end))
        return -1;
    lws_callback_on_writable(wsi);
    return 0;
}

int pages_write(struct lws *wsi, page_answer *answer) {
    if (!answer || !answer->text) return 0;
    unsigned char *room = malloc(LWS_PRE + answer->size);
    if (room) memcpy(room + LWS_PRE, answer->text, answer->size);
    const bool sent = room && lws_write(wsi, room + LWS_PRE, answer->size, LWS_WRITE_HTTP_FINAL) >= (int)answer->size;
    free(room);
    pages_drop(answer);
    return sent && !lws_http_transaction_completed(wsi) ? 0 : -1;
}

static int serve_engine(const view_server_def *def, struct lws *wsi, page_answer *answer) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return -1;
    json j = {.out = out, .flat = true};
    rill_json_object(&j, NULL);
    rill_json_text(&j, "engine", "native");
    rill_json_text(&j, "scene", def->scene);
    rill_json_end_object(&j);
    fclose(out);
    return send_text(wsi, answer, text, size);
}

static void write_entry(const view_server_def *def, json *j, const rill_scene_entry *entry) {
    scene *s = rill_scene_load(entry->path, NULL);
    if (!s) return;
    char picture[RILL_NAME_SIZE + 16], full[FULL_PATH_SIZE];
    snprintf(picture, sizeof picture, "thumbs/%s.jpg", entry->name);
    rill_json_object(j, NULL);
    rill_json_text(j, "name", entry->name);
    rill_json_text(j, "about", rill_scene_about(s));
    rill_json_integer(j, "dim", s->world.dim);
    rill_json_text(j, "method", s->world.method);
    rill_json_text(j, "picture", find_file(def, picture, full) ? picture : "");
    rill_json_end_object(j);
    rill_scene_free(s);
}

static int serve_scenes(const view_server_def *def, struct lws *wsi, page_answer *answer) {
    rill_scene_entry *entries = NULL;
    int count = 0;
    char *text = NULL;
    size_t size = 0;
    if (rill_scene_list(&entries, &count, NULL)) return -1;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        json j = {.out = out, .flat = true};
        rill_json_array(&j, NULL);
        for (int k = 0; k < count; k++) write_entry(def, &j, &entries[k]);
        rill_json_end_array(&j);
        fclose(out);
    }
    rill_scene_list_free(entries);
    return send_text(wsi, answer, text, size);
}

/* ---- files ---- */

static const char *type_of(const char *path) {
    static const struct {
        const char *end, *type;
    } types[] = {{".html", "text/html; charset=utf-8"},
                 {".js", "text/javascript; charset=utf-8"},
                 {".css", "text/css; charset=utf-8"},
                 {".svg", "image/svg+xml"},
                 {".png", "image/png"},
                 {".jpg", "image/jpeg"},
                 {".ico", "image/x-icon"},
                 {".json", "application/json"},
                 {".webmanifest", "application/manifest+json"}};
    const size_t length = strlen(path);
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (length > strlen(types[k].end) && !strcmp(path + length - strlen(types[k].end), types[k].end))
            return types[k].type;
    return NULL;
}

/* Whether a path consists of lower-case letters, digits, '_' and '-', with single dots and slashes between them: it
   then stays inside the folder, and names no hidden file. */
static bool is_plain(const char *path) {
    if (strlen(path) > PATH_MAX_BYTES) return false;
    for (const char *c = path; *c; c++) {
        const bool letter = islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_' || *c == '-';
        const bool between = (*c == '.' || *c == '/') && c > path && isalnum((unsigned char)c[-1]);
        if (!letter && !between) return false;
    }
    return *path != '\0';
}

static int refuse(struct lws *wsi, unsigned status) {
    return lws_return_http_status(wsi, status, NULL) || lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int serve_file(const view_server_def *def, struct lws *wsi, const char *path) {
    char full[FULL_PATH_SIZE];
    const char *type = type_of(path);
    if (!type || !is_plain(path) || !find_file(def, path, full)) return refuse(wsi, HTTP_STATUS_NOT_FOUND);
    static const char headers[] = "Cache-Control: no-cache\r\n";
    const int status = lws_serve_http_file(wsi, full, type, headers, (int)strlen(headers));
    return status < 0 || (status > 0 && lws_http_transaction_completed(wsi)) ? -1 : 0;
}

int pages_serve(const view_server_def *def, struct lws *wsi, page_answer *answer, const char *path) {
    if (!pages_host_is_ours(def, wsi)) return refuse(wsi, HTTP_STATUS_FORBIDDEN);
    while (*path == '/') path++;
    if (!strcmp(path, "engine.json")) return serve_engine(def, wsi, answer);
    if (!strcmp(path, "scenes/index.json")) return serve_scenes(def, wsi, answer);
    return serve_file(def, wsi, *path ? path : "index.html");
}

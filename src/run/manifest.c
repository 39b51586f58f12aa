/* SPDX-License-Identifier: MIT */
/* run.json: written when a run begins and when it ends, and read before anything writes into its folder. */
#include "run/manifest.h"

#include "core/error.h"
#include "io/io.h"
#include "io/json.h"
#include "run/folder.h"
#include "scene/tree.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FILE_NAME "run.json"
#define BYTES_MAX ((size_t)1 << 16)

int64_t rill_run_frame_number(const char *name) {
    char *end;
    if (strncmp(name, "frame_", 6) != 0 || !isdigit((unsigned char)name[6])) return -1;
    long long number = strtoll(name + 6, &end, 10);
    static const char *const endings[] = {".vtp", ".ply", ".png", ".obj", ".glb"};
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
        if (strcmp(end, endings[k]) == 0) return (int64_t)number;
    return -1;
}

/* ---- making ---- */

static void add_file(run_manifest *m, const char *file) {
    if (m->file_count < MANIFEST_FILES_MAX) snprintf(m->files[m->file_count++], MANIFEST_FILE_SIZE, "%s", file);
}

/* The current time in UTC. */
static void stamp(char text[32]) {
    const time_t now = time(NULL);
    struct tm parts;
    text[0] = '\0';
    if (gmtime_r(&now, &parts)) strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

run_manifest rill_run_manifest_make(const scene *s) {
    static const char *const files[] = {"scene.json",    "shapes.json", "gauges.csv", "stats.csv",
                                        "residuals.csv", "bodies.csv",  "bodies.pvd", "snapshot.rill"};
    run_manifest m = {.state = "running"};
    char name[RILL_NAME_SIZE], series[MANIFEST_FILE_SIZE];
    snprintf(m.scene, sizeof m.scene, "%s", s->name);
    snprintf(m.method, sizeof m.method, "%s", s->world.method);
    stamp(m.started);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) add_file(&m, files[k]);
    snprintf(series, sizeof series, "%.*s.pvd", RILL_NAME_SIZE, rill_run_file_name(s->name, name, sizeof name));
    add_file(&m, series);
    return m;
}

bool rill_run_manifest_has(const run_manifest *m, const char *file) {
    for (int k = 0; k < m->file_count; k++)
        if (strcmp(m->files[k], file) == 0) return true;
    return strcmp(file, FILE_NAME) == 0;
}

/* ---- writing ---- */

static void write_progress(json *j, const run_manifest *m, const run *r, const char *problem) {
    const rill_stats *stats = rill_world_stats(r->world);
    char now[32];
    stamp(now);
    rill_json_text(j, "state", m->state);
    if (problem) rill_json_text(j, "error", problem);
    rill_json_integer(j, "frames", r->next_frame);
    rill_json_integer(j, "steps", stats->step);
    rill_json_number(j, "time", fmin(stats->time, r->plan.end));
    rill_json_number(j, "end", r->plan.end);
    char warning[RUN_WARNING_SIZE];
    if (rill_run_warning(r, warning)) rill_json_text(j, "warning", warning);
    rill_json_number(j, "fps", r->plan.fps);
    rill_json_text(j, "started", m->started);
    if (strcmp(m->state, "running") != 0) rill_json_text(j, "ended", now);
}

/* While a run is in progress, all files that it may write are listed as its own; afterwards only those that exist. */
static bool is_listed(const run_manifest *m, const char *folder, const char *file) {
    char path[1100];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return strcmp(m->state, "running") == 0 || access(path, F_OK) == 0;
}

rill_status rill_run_manifest_write(const run_manifest *m, const char *folder, const run *r, const char *problem,
                                    rill_error *error) {
    char path[1100];
    io_file file;
    snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
    TRY(rill_io_open(&file, path, error));
    json writer = {.out = file.stream}, *j = &writer;
    rill_json_object(j, NULL);
    rill_json_text(j, "rill", rill_version());
    rill_json_text(j, "scene", m->scene);
    rill_json_text(j, "method", m->method);
    write_progress(j, m, r, problem);
    rill_json_array(j, "files");
    for (int k = 0; k < m->file_count; k++)
        if (is_listed(m, folder, m->files[k])) rill_json_text(j, NULL, m->files[k]);
    rill_json_end_array(j);
    rill_json_end_object(j);
    return rill_io_commit(&file, error);
}

/* ---- reading ---- */

static void take_text(const tree *t, const char *key, char *text, size_t size) {
    const tree_node *node = rill_tree_member(t, t->nodes, key);
    if (node && node->text) snprintf(text, size, "%s", node->text);
}

static bool is_plain_name(const char *name) {
    return name && name[0] && name[0] != '.' && !strchr(name, '/') && strlen(name) < MANIFEST_FILE_SIZE;
}

static rill_status take_members(run_manifest *m, const tree *t, const char *path, rill_error *error) {
    char frames[32] = "0";
    if (t->count == 0 || t->nodes->kind != TREE_OBJECT || !rill_tree_member(t, t->nodes, "rill"))
        return rill_fail(error, RILL_FORMAT, "%s: does not describe a run of Rill", path);
    take_text(t, "scene", m->scene, sizeof m->scene);
    take_text(t, "method", m->method, sizeof m->method);
    take_text(t, "state", m->state, sizeof m->state);
    take_text(t, "started", m->started, sizeof m->started);
    take_text(t, "frames", frames, sizeof frames);
    m->frames = strtoll(frames, NULL, 10);
    const tree_node *files = rill_tree_member(t, t->nodes, "files");
    for (int k = files ? files->first : TREE_NONE; k != TREE_NONE; k = t->nodes[k].next)
        if (is_plain_name(t->nodes[k].text)) add_file(m, t->nodes[k].text);
    return RILL_OK;
}

rill_status rill_run_manifest_read(run_manifest *m, const char *folder, rill_error *error) {
    char path[1100], *text;
    size_t size;
    tree t = {0};
    *m = (run_manifest){0};
    snprintf(path, sizeof path, "%s/" FILE_NAME, folder);
    if (access(path, F_OK) != 0) return rill_fail(error, RILL_NOT_FOUND, "%s: there is no such file", path);
    TRY(rill_io_read_at_most(path, BYTES_MAX, &text, &size, error));
    rill_status status = rill_tree_parse(&t, path, text, size, true, error);
    if (status == RILL_OK) status = take_members(m, &t, path, error);
    rill_tree_free(&t);
    free(text);
    return status == RILL_OK ? RILL_OK : RILL_FORMAT;
}

/* ---- protection of a run's files ---- */

static rill_status refuse_target(const char *path, const char *folder, rill_error *error) {
    return rill_fail(error, RILL_INVALID, "%s belongs to the run in %s and will not be replaced; choose another --out",
                     path, folder);
}

static bool ends_in_png(const char *name) {
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".png") == 0;
}

rill_status rill_run_check_target(const char *path, rill_error *error) {
    static const char *const own[] = {"frames", "bodies", "shapes"};
    char folder[PATH_MAX], named[1100];
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    run_manifest m;
    snprintf(named, sizeof named, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    if (!realpath(named, folder)) return RILL_OK; /* a new folder contains no run */
    if (rill_run_manifest_read(&m, folder, NULL) == RILL_OK && rill_run_manifest_has(&m, file))
        return refuse_target(path, folder, error);
    char *part = strrchr(folder, '/');
    for (size_t k = 0; part && k < sizeof own / sizeof *own; k++) {
        if (strcmp(part + 1, own[k]) != 0 || ends_in_png(file)) continue;
        *part = '\0';
        return rill_run_manifest_read(&m, folder, NULL) == RILL_OK ? refuse_target(path, folder, error) : RILL_OK;
    }
    return RILL_OK;
}

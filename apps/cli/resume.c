/* SPDX-License-Identifier: MIT */
/* Going on from a snapshot. */
#include "resume.h"

#include "core/error.h"

#include <string.h>

/* Rows that change how a world is computed, but not what comes out. */
static bool may_differ(const char *key) {
    return strcmp(key, "workers") == 0 || strcmp(key, "simd") == 0;
}

static rill_status compare(const char *path, const rill_table *table, const void *saved, const void *wanted, int dim,
                           rill_error *error) {
    for (int i = 0; i < table->count; i++) {
        const rill_param *param = &table->params[i];
        char there[256], here[256];
        if (may_differ(param->key)) continue;
        rill_param_get_text(param, saved, dim, there, sizeof there);
        rill_param_get_text(param, wanted, dim, here, sizeof here);
        if (strcmp(there, here) == 0) continue;
        return rill_fail(
            error, RILL_INVALID,
            "%s: the snapshot has %s.%s = %s, the scene says %s; a resumed run goes on exactly as it began: "
            "drop the change, or start anew without --resume",
            path, table->name, param->key, there, here);
    }
    return RILL_OK;
}

static const void *scene_params(const scene *s, const char *method) {
    for (int i = 0; i < s->method_count; i++) {
        if (strcmp(s->methods[i].name, method) == 0) return s->methods[i].params;
    }
    return NULL;
}

static rill_status check_same(const char *path, const rill_world *world, const scene *s, rill_error *error) {
    const rill_world_def *def = rill_world_get_def(world);
    const rill_method_info *method = rill_world_method(world);
    rill_status status = compare(path, rill_object_table(RILL_OBJECT_WORLD), def, &s->world, (int)def->dim, error);
    const void *params = scene_params(s, method->name);
    if (status == RILL_OK && params) {
        status = compare(path, method->table, rill_world_params(world), params, (int)def->dim, error);
    }
    return status;
}

rill_world *resume_world(const char *path, const scene *s, rill_error *error) {
    rill_world *world = io_load_snapshot(path, &s->world, error);
    if (world && check_same(path, world, s, error) != RILL_OK) {
        rill_world_destroy(world);
        return NULL;
    }
    return world;
}

static void print_quoted(FILE *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
    if (word[0] && word[strspn(word, plain)] == 0) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (const char *c = word; *c; c++) {
        if (*c == '\'') {
            fputs("'\\''", out);
        } else {
            fputc(*c, out);
        }
    }
    fputc('\'', out);
}

void resume_print_command(FILE *out, int argc, char **argv, const char *snapshot) {
    fputs("  rill", out);
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "--resume=", 9) == 0) continue;
        if (strcmp(argv[i], "--resume") == 0) {
            i++;
            continue;
        }
        fputc(' ', out);
        print_quoted(out, argv[i]);
    }
    fputs(" --resume ", out);
    print_quoted(out, snapshot);
    fputc('\n', out);
}

/* SPDX-License-Identifier: MIT */
/* Going on from a snapshot. */
#include "resume.h"

#include "core/error.h"

#include <string.h>

/* The world that the scene would begin with is built and compared, so that names and values that are chosen on the way
   are compared too. */
static rill_status check_same(const char *path, rill_world *world, const rill_world *begun, rill_error *error) {
    rill_difference d;
    if (rill_world_differs(world, begun, &d))
        return rill_fail(error, RILL_INVALID,
                         "%s: the snapshot has %s = %s, the scene says %s; a resumed run goes on exactly as it began: "
                         "drop the change, or start again without --resume",
                         path, d.key, d.first, d.second);
    /* Gauges only look on. */
    if (rill_world_take_gauges(world, begun) == RILL_OK) return RILL_OK;
    return rill_fail(error, RILL_INVALID, "%s: %s", path, rill_world_message(world));
}

rill_world *resume_world(const char *path, const scene *s, rill_error *error) {
    rill_world *world = io_load_snapshot(path, &s->world, error);
    rill_world *begun = world ? scene_build(s, -1, -1, error) : NULL;
    const bool same = begun && check_same(path, world, begun, error) == RILL_OK;
    rill_world_destroy(begun);
    if (same) return world;
    rill_world_destroy(world);
    return NULL;
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

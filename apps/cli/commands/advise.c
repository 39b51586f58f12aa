/* SPDX-License-Identifier: MIT */
/* Which method to take: a trial of each on the scene itself shows its cost and how well it holds the density; a table
   says what it is good for. */
#include "apps/cli/commands/advise.h"

#include "apps/cli/check/examine.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/options/scene_options.h"

#include <math.h>
#include <stdio.h>

/* A method holds the density if the compression in its trial is at most this. */
#define COMPRESSION_FINE 0.02

/* The trial of one method. */
typedef struct trial {
    const rill_method_info *method;
    bool runs;
    int warnings;
    double processor; /* for the whole run [s] */
    double compression;
    char why_not[400];
} trial;

static void try_method(trial *t, const char *scene_name, double clock, int *code) {
    const scene_options options = {.method = t->method->name};
    findings f = {0};
    scene *s = scene_options_load("methods", scene_name, &options, code);
    if (!s) return;
    const run_plan plan = rill_run_plan_make(&s->run);
    check_world check = {.scene = s, .plan = &plan};
    const check_estimate estimate = check_examine(&check, clock, &f);
    t->runs = f.errors == 0 && estimate.steps > 0;
    t->warnings = f.warnings;
    t->processor = estimate.processor;
    t->compression = check.world ? rill_world_stats(check.world)->density_error_mean : 0;
    for (int k = 0; k < f.count && !t->runs; k++)
        if (f.items[k].kind == FINDING_ERROR) snprintf(t->why_not, sizeof t->why_not, "%s", f.items[k].text);
    findings_free(&f);
    check_world_free(&check);
    rill_scene_free(s);
}

/* The cheapest method with one of the strengths that held the density without a warning; NULL: there is none. */
static const trial *cheapest(const trial *trials, int count, int strengths) {
    const trial *best = NULL;
    for (int k = 0; k < count; k++) {
        const trial *t = &trials[k];
        if (!t->runs || t->warnings || t->compression > COMPRESSION_FINE || !(t->method->strengths & strengths))
            continue;
        if (!best || t->processor < best->processor) best = t;
    }
    return best;
}

static void print_table(const trial *trials, int count) {
    printf("%-12s %12s %12s %9s  %s\n", "method", "processor", "compression", "warnings", "best for");
    for (int k = 0; k < count; k++) {
        const trial *t = &trials[k];
        if (!t->runs) {
            printf("%-12s will not run: %s\n", t->method->name, t->why_not);
            continue;
        }
        printf("%-12s %10.2g s %10.2g %% %9d  %s\n", t->method->name, t->processor, 100 * t->compression, t->warnings,
               t->method->best_for ? t->method->best_for : "");
    }
}

static void print_choice(const char *what, const trial *t) {
    if (t) printf("%s: %s, about %.2g s of the processor\n", what, t->method->name, t->processor);
}

int advise_on_methods(const char *scene_name, double clock) {
    trial trials[32] = {0};
    const int count = rill_method_count() < 32 ? rill_method_count() : 32;
    int code = EXIT_FINE;
    const scene_options as_it_is = {0};
    scene *s = scene_options_load("methods", scene_name, &as_it_is, &code);
    if (!s) return code;
    for (int k = 0; k < count; k++) {
        trials[k].method = rill_method(k);
        try_method(&trials[k], scene_name, clock, &code);
    }
    print_table(trials, count);
    if (s->joint_count > 0) print_choice("\nfor its joints", cheapest(trials, count, RILL_STRENGTH_MACHINES));
    print_choice(s->joint_count > 0 ? "for speed" : "\nfor speed", cheapest(trials, count, RILL_STRENGTH_SPEED));
    print_choice("for accuracy", cheapest(trials, count, RILL_STRENGTH_ACCURACY));
    printf("the scene's own: %s\n", s->world.method);
    rill_scene_free(s);
    return EXIT_FINE;
}

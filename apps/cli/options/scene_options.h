/* SPDX-License-Identifier: MIT */
/* The options that `run` and `check` share: which scene, with what changed. */
#ifndef RILL_CLI_OPTIONS_SCENE_OPTIONS_H
#define RILL_CLI_OPTIONS_SCENE_OPTIONS_H

#include "apps/cli/options/options.h"
#include "scene/scene.h"

typedef struct scene_options {
    const char *method;
    option_list sets;
    const char *time, *fps, *dt, *snapshot_every;
    const char *threads, *simd;
} scene_options;

/* The rows for a command's option table; `Settings` is its settings struct with a member `scene` of this type. */
#define SCENE_OPTION_ROWS(Settings)                                                                                \
    {"method", OPTION_TEXT, offsetof(Settings, scene.method), "M",                                                 \
     "run with this method instead of the scene's ('rill methods')"},                                              \
        {"set", OPTION_LIST, offsetof(Settings, scene.sets), "KEY=VALUE",                                          \
         "change one value ('rill params' lists keys); may be repeated"},                                          \
        {"time", OPTION_TEXT, offsetof(Settings, scene.time), "T", "simulated time to run: 2, '500 ms'"},          \
        {"fps", OPTION_TEXT, offsetof(Settings, scene.fps), "F", "frames per simulated second"},                   \
        {"dt", OPTION_TEXT, offsetof(Settings, scene.dt), "T", "fixed time step: '0.2 ms'; 0 for adaptive steps"}, \
        {"threads", OPTION_TEXT, offsetof(Settings, scene.threads), "N", "worker threads; 0 for all cores"}, {     \
        "simd", OPTION_TEXT, offsetof(Settings, scene.simd), "W", "auto, scalar, sse, avx2 or neon"                \
    }

/* What is stored was simulated already: an option that says how to simulate is told of, and false returned. */
bool scene_options_unused(const char *command_name, const char *stored, const scene_options *options);
/* Whether each method of a list a,b,c exists. */
rill_status scene_options_methods(const char *list, rill_error *error);
/* Loads the scene and applies the options to it. Says what is wrong and returns NULL, with the exit code. */
scene *scene_options_load(const char *command_name, const char *scene_name, const scene_options *options, int *code);

#endif

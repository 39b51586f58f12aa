/* SPDX-License-Identifier: MIT */
/* The options that `run` and `check` share: the scene, and changes to it. */
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

/* The rows for a command's option table; `Settings` is its settings struct, which has a member `scene` of this type. */
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

/* For stored results, which were simulated already: if an option about the simulation was given, prints an error and
   returns false. */
bool scene_options_unused(const char *command_name, const char *stored, const scene_options *options);
/* Whether each method of a list a,b,c exists. */
rill_status scene_options_methods(const char *list, rill_error *error);
/* Loads the scene and applies the options to it. On failure prints the reason, sets the exit code, returns NULL. */
scene *scene_options_load(const char *command_name, const char *scene_name, const scene_options *options, int *code);

#endif

/* SPDX-License-Identifier: MIT */
/* rill view: a scene live in a browser, simulated on this machine. */
#include "apps/cli/commands/command.h"
#include "apps/cli/options/scene_options.h"
#include "apps/cli/run/interrupt.h"
#include "apps/cli/view/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PARTICLE_LIMIT 400000
#define REWIND_BYTES   ((size_t)256 << 20)
#define DEFAULT_PORT   "8123"
#define DEFAULT_BIND   "127.0.0.1"

typedef struct view_settings {
    scene_options scene;
    const char *port, *bind, *host, *folder;
    bool open;
} view_settings;

/* Finds a scene by name in the scene folders, and nowhere else. */
static scene *find_scene(const char *name, void *context, rill_error *error) {
    (void)context;
    rill_scene_entry *entries = NULL;
    int count = 0;
    scene *found = NULL;
    if (rill_scene_list(&entries, &count, error)) return NULL;
    int k = 0;
    while (k < count && strcmp(entries[k].name, name) != 0) k++;
    if (k < count)
        found = rill_scene_load(entries[k].path, error);
    else if (error)
        error->status = RILL_NOT_FOUND, snprintf(error->text, sizeof error->text, "there is no scene '%.48s'", name);
    rill_scene_list_free(entries);
    return found;
}

static bool read_port(const char *text, int *port) {
    char *end;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || value < 0 || value > 65535) return false;
    *port = (int)value;
    return true;
}

/* Opens the desktop's browser, if there is one. Failure does not matter. */
static void open_browser(const char *address) {
    const pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) execlp("xdg-open", "xdg-open", address, (char *)NULL);
        _exit(0);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

static int serve(const view_settings *settings, view_server_def *def) {
    view_server *v = view_server_start(def);
    if (!v) return EXIT_FAILED;
    interrupt_watch(); /* before the address is printed, after which Ctrl-C may come */
    printf("%s\n", view_server_address(v));
    printf("Open this address in a browser; Ctrl-C ends. From another machine: ssh -L PORT:localhost:PORT this-one\n");
    fflush(stdout);
    if (settings->open) open_browser(view_server_address(v));
    view_server_run(v, interrupt_asked);
    view_server_stop(v);
    return EXIT_FINE;
}

static int run_view(const command_call *call) {
    const view_settings *settings = call->settings;
    int code = EXIT_FAILED;
    char folder[512], name[RILL_NAME_SIZE];
    view_server_def def = {.bind = settings->bind ? settings->bind : DEFAULT_BIND, .host = settings->host};
    if (!read_port(settings->port ? settings->port : DEFAULT_PORT, &def.port)) {
        fprintf(stderr, "rill view: --port %s: expected a number from 0 to 65535\n", settings->port);
        return EXIT_USAGE;
    }
    const bool installed = rill_scene_find_data("web", folder, sizeof folder);
    def.folder = settings->folder ? settings->folder : installed ? folder : RILL_WEB_SOURCE;
    scene *s = scene_options_load("view", call->operands[0], &settings->scene, &code);
    if (!s) return code;
    snprintf(name, sizeof name, "%s", s->name);
    def.scene = name;
    const play_def playing = {.engine = "native",
                              .workers = -1,
                              .particle_limit = PARTICLE_LIMIT,
                              .rewind_bytes = REWIND_BYTES,
                              .find_scene = find_scene};
    rill_error error = {0};
    def.session = rill_play_create(&playing, &error);
    code = EXIT_FAILED;
    if (!def.session) {
        rill_scene_free(s);
        fprintf(stderr, "rill view: %s\n", error.text);
    } else if (rill_play_open(def.session, s, NULL, &error)) {
        fprintf(stderr, "rill view: %s\n", error.text);
    } else {
        code = serve(settings, &def);
    }
    rill_play_destroy(def.session);
    return code;
}

static const option view_options[] = {
    SCENE_OPTION_ROWS(view_settings),
    {"port", OPTION_TEXT, offsetof(view_settings, port), "N", "port to listen on (8123); 0 for any free one"},
    {"bind", OPTION_TEXT, offsetof(view_settings, bind), "ADDRESS",
     "address to listen on (127.0.0.1: this machine only)"},
    {"host", OPTION_TEXT, offsetof(view_settings, host), "NAME", "name of this machine that browsers may use"},
    {"folder", OPTION_TEXT, offsetof(view_settings, folder), "DIR", "serve the page from this folder"},
    {"open", OPTION_FLAG, offsetof(view_settings, open), NULL, "open the address in the desktop's browser"},
};

const command view_command = {
    .name = "view",
    .operands = "SCENE",
    .summary = "play with a scene in a browser",
    .about = "Prints an address; whoever opens it sees the scene live and can pour, push, drag, draw, change settings\n"
             "and methods, go back in time and record. Others who open it can watch. The simulation runs here, at the\n"
             "speed of this machine, and pauses when nobody watches. Only this machine can connect unless --bind says\n"
             "otherwise, and only with the token in the address. docs/play.md has the details.\n",
    .examples = "  rill view dam_break_2d --open\n"
                "  rill view floating_2d --method {method} --port 9000\n",
    .options = view_options,
    .option_count = sizeof view_options / sizeof view_options[0],
    .operands_min = 1,
    .operands_max = 1,
    .settings_size = sizeof(view_settings),
    .run = run_view,
};

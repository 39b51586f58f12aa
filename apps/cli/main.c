/* SPDX-License-Identifier: MIT */
/* The tool `rill`: finds the command, reads its options by their table, runs it. */
#include "apps/cli/commands/command.h"
#include "apps/cli/options/manual.h"

#include "rill/rill.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if RILL_HAVE_BENCH
#include "bench/bench.h"
#endif

static int run_version(const command_call *call) {
    (void)call;
    printf("rill %s (%d methods, C17, MIT licence)\n", rill_version(), rill_method_count());
    return EXIT_FINE;
}

static int run_bench(const command_call *call) {
#if RILL_HAVE_BENCH
    return bench_main(call->argc, call->argv);
#else
    (void)call;
    fprintf(stderr, "rill bench: this tool was built without its benchmarks\n");
    return EXIT_FAILED;
#endif
}

static int run_help(const command_call *call);

static const command bench_command = {
    .name = "bench",
    .operands = "[OPTIONS]",
    .summary = "measure this machine against reference loops",
    .parses_itself = true,
    .run = run_bench,
};

static const command version_command = {
    .name = "version",
    .operands = "",
    .summary = "print the version",
    .run = run_version,
};

typedef struct help_settings {
    bool man;
    const char *completion;
} help_settings;

static const option help_options[] = {
    {"man", OPTION_FLAG, offsetof(help_settings, man), NULL, "print the manual page rill.1"},
    {"completion", OPTION_TEXT, offsetof(help_settings, completion), "SHELL",
     "print a script that completes command lines: bash or zsh"},
};

static const command help_command = {
    .name = "help",
    .operands = "[COMMAND]",
    .summary = "explain a command, with examples",
    .options = help_options,
    .option_count = sizeof help_options / sizeof help_options[0],
    .operands_max = 1,
    .settings_size = sizeof(help_settings),
    .run = run_help,
};

static const command *const commands[] = {
    &new_command,     &view_command,   &run_command,     &check_command,   &scenes_command,
    &methods_command, &params_command, &schema_command,  &info_command,    &compare_command,
    &picture_command, &render_command, &surface_command, &movie_command,   &experiment_command,
    &sweep_command,   &plot_command,   &bench_command,   &version_command, &help_command,
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_overview(FILE *out) {
    fprintf(out, "rill: particle fluids in 2D and 3D\n\nUsage: rill COMMAND [OPTIONS]\n\nCommands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++) fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(out, "\nA first run, and its results:\n"
                 "  rill scenes\n"
                 "  rill run dam_break_2d --out out/dam --picture\n"
                 "  rill help run\n");
}

static const command *find_command(const char *name) {
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    }
    return NULL;
}

static int unknown_command(const char *name) {
    char choices[512] = "", suggestion[256];
    size_t used = 0;
    for (int i = 0; i < COMMAND_COUNT; i++) {
        used += (size_t)snprintf(choices + used, sizeof choices - used, "%s%s", i ? "|" : "", commands[i]->name);
    }
    options_suggestion(choices, name, "", suggestion, sizeof suggestion);
    fprintf(stderr, "rill: there is no command '%s'%s ('rill help' lists them)\n", name, suggestion);
    return EXIT_USAGE;
}

static int call_command(const command *self, int argc, char **argv);

static int run_help(const command_call *call) {
    const help_settings *settings = call->settings;
    const command_list all = {commands, COMMAND_COUNT};
    if (settings->man) {
        manual_print_page(all);
        return EXIT_FINE;
    }
    if (settings->completion) {
        if (manual_print_completion(all, settings->completion)) return EXIT_FINE;
        fprintf(stderr, "rill help: --completion %s: expected bash or zsh\n", settings->completion);
        return EXIT_USAGE;
    }
    if (call->operand_count == 0) {
        print_overview(stdout);
        return EXIT_FINE;
    }
    const command *about = find_command(call->operands[0]);
    if (!about) return unknown_command(call->operands[0]);
    if (about->parses_itself) {
        char name[] = "help", dashes[] = "--help";
        char *words[] = {name, dashes, NULL};
        return call_command(about, 2, words);
    }
    options_print_help(about);
    return EXIT_FINE;
}

static int call_command(const command *self, int argc, char **argv) {
    command_call call = {.argc = argc, .argv = argv};
    if (self->parses_itself) return self->run(&call);
    bool help = false;
    call.settings = calloc(1, self->settings_size + 1);
    call.operands = calloc((size_t)argc + 1, sizeof *call.operands);
    int code = EXIT_FAILED;
    if (call.settings && call.operands) code = options_parse(self, &call, &help);
    if (help) {
        options_print_help(self);
    } else if (code == EXIT_FINE) {
        code = self->run(&call);
    }
    options_free(self, &call);
    return code;
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    if (strcmp(name, "--version") == 0) name = "version";
    const command *self = find_command(name);
    return self ? call_command(self, argc - 1, argv + 1) : unknown_command(name);
}

int main(int argc, char **argv) {
    int code = dispatch(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "rill: standard output could not be written: %s\n", strerror(errno));
        if (code == EXIT_FINE) code = EXIT_FAILED;
    }
    return code;
}

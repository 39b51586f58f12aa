/* SPDX-License-Identifier: MIT */
/* Reads a command line by the command's table, and prints that table as help. */
#include "apps/cli/options/options.h"

#include "rill/rill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option *find_option(const command *self, const char *name, size_t length) {
    for (int i = 0; i < self->option_count; i++) {
        const option *o = &self->options[i];
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
    }
    return NULL;
}

const char *options_suggestion(const char *choices, const char *word, const char *prefix, char *buffer, size_t size) {
    char nearest[128];
    buffer[0] = 0;
    if (rill_choices_nearest(choices, word, nearest, sizeof nearest)) {
        snprintf(buffer, size, ", did you mean '%s%s'?", prefix, nearest);
    }
    return buffer;
}

static int unknown_option(const command *self, const char *name, size_t length) {
    char choices[1024] = "help", word[128], suggestion[256];
    size_t used = strlen(choices);
    for (int i = 0; i < self->option_count && used < sizeof choices; i++) {
        used += (size_t)snprintf(choices + used, sizeof choices - used, "|%s", self->options[i].name);
    }
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    options_suggestion(choices, word, "--", suggestion, sizeof suggestion);
    fprintf(stderr, "rill %s: there is no option '--%s'%s ('rill %s --help' lists them)\n", self->name, word,
            suggestion, self->name);
    return EXIT_USAGE;
}

static int missing_value(const command *self, const option *o) {
    fprintf(stderr, "rill %s: --%s needs a value: --%s %s\n", self->name, o->name, o->name, o->value);
    return EXIT_USAGE;
}

/* Takes the words after option `o` and moves `*next` past them. `glued` is the value of --name=value, or NULL. */
static int take_values(const command *self, command_call *call, const option *o, const char *glued, int *next) {
    char *member = (char *)call->settings + o->offset;
    int wanted = o->kind == OPTION_FLAG ? 0 : o->kind == OPTION_PAIR ? 2 : 1;
    const char *values[2] = {glued, NULL};
    int found = glued ? 1 : 0;
    if (found > wanted) {
        fprintf(stderr, "rill %s: --%s takes no value\n", self->name, o->name);
        return EXIT_USAGE;
    }
    while (found < wanted) {
        if (*next >= call->argc || strncmp(call->argv[*next], "--", 2) == 0) return missing_value(self, o);
        values[found++] = call->argv[(*next)++];
    }
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)member = true;
        break;
    case OPTION_TEXT:
        *(const char **)member = values[0];
        break;
    case OPTION_PAIR:
        memcpy(member, values, sizeof values);
        break;
    case OPTION_LIST: {
        option_list *list = (option_list *)member;
        /* There cannot be more values than words on the command line. */
        if (!list->items) list->items = calloc((size_t)call->argc, sizeof *list->items);
        if (!list->items) return EXIT_FAILED;
        list->items[list->count++] = values[0];
        break;
    }
    }
    return EXIT_FINE;
}

static int check_operands(const command *self, const command_call *call) {
    if (call->operand_count < self->operands_min) {
        fprintf(stderr, "rill %s: expected %s ('rill %s --help' shows examples)\n", self->name, self->operands,
                self->name);
        return EXIT_USAGE;
    }
    if (call->operand_count > self->operands_max) {
        fprintf(stderr, "rill %s: '%s' is one word too many ('rill %s --help' shows examples)\n", self->name,
                call->operands[self->operands_max], self->name);
        return EXIT_USAGE;
    }
    return EXIT_FINE;
}

int options_parse(const command *self, command_call *call, bool *help) {
    bool only_operands = false;
    *help = false;
    for (int i = 1; i < call->argc;) {
        const char *word = call->argv[i++];
        if (only_operands || word[0] != '-' || word[1] == 0) {
            call->operands[call->operand_count++] = word;
        } else if (strcmp(word, "--") == 0) {
            only_operands = true;
        } else if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
            *help = true;
            return EXIT_FINE;
        } else {
            const char *name = word + (word[1] == '-' ? 2 : 1);
            const char *equals = strchr(name, '=');
            size_t length = equals ? (size_t)(equals - name) : strlen(name);
            const option *o = word[1] == '-' ? find_option(self, name, length) : NULL;
            int code =
                o ? take_values(self, call, o, equals ? equals + 1 : NULL, &i) : unknown_option(self, name, length);
            if (code != EXIT_FINE) return code;
        }
    }
    return check_operands(self, call);
}

void options_free(const command *self, command_call *call) {
    for (int i = 0; call->settings && i < self->option_count; i++) {
        if (self->options[i].kind == OPTION_LIST) {
            free(((option_list *)(void *)((char *)call->settings + self->options[i].offset))->items);
        }
    }
    free(call->settings);
    free(call->operands);
}

const char *options_example_method(void) {
    return rill_method_count() > 0 ? rill_method(0)->name : "METHOD";
}

static void print_examples(const char *text) {
    static const char mark[] = OPTIONS_METHOD_MARK;
    for (const char *hit = strstr(text, mark); hit; hit = strstr(text, mark)) {
        printf("%.*s%s", (int)(hit - text), text, options_example_method());
        text = hit + strlen(mark);
    }
    fputs(text, stdout);
}

void options_print_help(const command *self) {
    printf("%s: %s\n\nUsage: rill %s%s%s%s\n", self->name, self->summary, self->name, self->operands[0] ? " " : "",
           self->operands, self->option_count ? " [OPTIONS]" : "");
    if (self->about) printf("\n%s", self->about);
    if (self->option_count) printf("\nOptions:\n");
    for (int i = 0; i < self->option_count; i++) {
        const option *o = &self->options[i];
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", o->name, o->kind == OPTION_FLAG ? "" : " ", o->value ? o->value : "");
        printf("  %-24s %s\n", left, o->doc);
    }
    if (self->examples) {
        printf("\nExamples:\n");
        print_examples(self->examples);
    }
}

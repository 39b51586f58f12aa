/* SPDX-License-Identifier: MIT */
/* Commands and their options as tables: one table serves parsing, --help and the messages about misspelt options. */
#ifndef RILL_CLI_OPTIONS_OPTIONS_H
#define RILL_CLI_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Exit codes of the tool. */
enum {
    EXIT_FINE = 0,
    EXIT_FAILED = 1,       /* a scene, a file or the simulation is wrong */
    EXIT_USAGE = 2,        /* the command line is wrong */
    EXIT_BLOW_UP = 3,      /* the simulation blew up */
    EXIT_INTERRUPTED = 130 /* Ctrl-C, the code that shells use */
};

/* How many words follow an option, and the type of the settings member that receives them. Values stay text here; the
   parameter tables read numbers, units and choices, so that ranges and messages are in one place. */
typedef enum option_kind {
    OPTION_FLAG, /* bool */
    OPTION_TEXT, /* const char * */
    OPTION_PAIR, /* const char *[2] */
    OPTION_LIST  /* option_list: may be given several times */
} option_kind;

typedef struct option_list {
    const char **items;
    int count;
} option_list;

typedef struct option {
    const char *name; /* without the dashes */
    option_kind kind;
    size_t offset;     /* offset of its member in the command's settings */
    const char *value; /* placeholder of the value in help: "T" */
    const char *doc;
} option;

/* One call of a command, with its arguments. */
typedef struct command_call {
    void *settings;
    const char **operands;
    int operand_count;
    int argc; /* from the command's name on */
    char **argv;
} command_call;

typedef struct command {
    const char *name;
    const char *operands; /* "SCENE" */
    const char *summary;  /* one line for the list of commands */
    const char *about;    /* paragraphs for --help */
    const char *examples; /* whole lines for --help; {method} stands for an existing method */
    const option *options;
    int option_count;
    int operands_min, operands_max;
    size_t settings_size;
    bool parses_itself; /* gets argc and argv untouched */
    int (*run)(const command_call *call);
} command;

/* Fills the settings. Returns EXIT_FINE, or EXIT_USAGE after printing what is wrong. --help sets `*help`. */
int options_parse(const command *self, command_call *call, bool *help);
void options_free(const command *self, command_call *call);
void options_print_help(const command *self);
/* The tool names no method itself: in examples this mark stands for one of the registry. */
#define OPTIONS_METHOD_MARK "{method}"
const char *options_example_method(void);
/* ", did you mean 'X'?" for a word that is similar to one of "one|two|three", otherwise "". Returns `buffer`. */
const char *options_suggestion(const char *choices, const char *word, const char *prefix, char *buffer, size_t size);

#endif

/* SPDX-License-Identifier: MIT */
/* The texts of --help as a manual page and as shell completions: every option is described only once. */
#include "apps/cli/options/manual.h"

#include "rill/rill.h"

#include <stdio.h>
#include <string.h>

/* ---- the manual page ---- */

/* Prints text literally in roff: escapes backslashes, dashes, and dots or quotes at the beginning of a line. */
static void print_roff_part(const char *text, size_t length) {
    bool begins_line = true;
    for (const char *c = text; c < text + length; c++) {
        if (begins_line && (*c == '.' || *c == '\'')) fputs("\\&", stdout);
        if (*c == '\\')
            fputs("\\e", stdout);
        else if (*c == '-')
            fputs("\\-", stdout);
        else
            fputc(*c, stdout);
        begins_line = *c == '\n';
    }
}

static void print_roff(const char *text) {
    print_roff_part(text, strlen(text));
}

/* Prints lines unfilled, and replaces the mark of a method by the name of one. */
static void print_lines(const char *text) {
    static const char mark[] = OPTIONS_METHOD_MARK;
    printf(".PP\n.nf\n");
    for (const char *hit = strstr(text, mark); hit; hit = strstr(text, mark)) {
        print_roff_part(text, (size_t)(hit - text));
        print_roff(options_example_method());
        text = hit + strlen(mark);
    }
    print_roff(text);
    printf(".fi\n");
}

static void print_command(const command *c) {
    printf(".SS rill %s %s%s\n", c->name, c->operands, c->option_count ? " [OPTIONS]" : "");
    print_roff(c->summary);
    printf(".\n");
    if (c->about) print_lines(c->about);
    for (int k = 0; k < c->option_count; k++) {
        const option *o = &c->options[k];
        printf(".TP\n.B \\-\\-");
        print_roff(o->name);
        if (o->kind != OPTION_FLAG) printf(" \\fI%s\\fR", o->value);
        printf("\n");
        print_roff(o->doc);
        printf("\n");
    }
    if (!c->examples) return;
    printf(".PP\nExamples:\n");
    print_lines(c->examples);
}

void manual_print_page(command_list commands) {
    printf(".TH RILL 1 \"\" \"rill %s\" \"User Commands\"\n", rill_version());
    printf(".SH NAME\nrill \\- particle fluids in 2D and 3D, from a scene to pictures and data\n");
    printf(".SH SYNOPSIS\n.B rill\n.I COMMAND\n[\\fIOPTIONS\\fR]\n");
    printf(
        ".SH DESCRIPTION\nRill simulates fluids as particles, together with rigid bodies. A scene is a JSON file with "
        "comments and units; numbers on the command line take units too, as in \\-\\-time '500 ms'. "
        "\\fBrill help\\fR lists the commands, \\fBrill help COMMAND\\fR explains one.\n");
    printf(".SH COMMANDS\n");
    for (int k = 0; k < commands.count; k++) print_command(commands.items[k]);
    printf(".SH EXIT STATUS\n0 done; 1 a scene, a file or a setting is wrong; 2 the command line is wrong; "
           "3 the simulation blew up; 130 stopped by Ctrl\\-C.\n");
    printf(".SH ENVIRONMENT\n"
           ".TP\n.B RILL_SCENES\na folder of scenes that are found by name\n"
           ".TP\n.B RILL_MODELS\na folder of meshes that scenes refer to\n");
}

/* ---- completion ---- */

static void print_words(command_list commands) {
    for (int k = 0; k < commands.count; k++) printf("%s%s", k ? " " : "", commands.items[k]->name);
}

static void print_options(const command *c) {
    for (int k = 0; k < c->option_count; k++) printf("--%s ", c->options[k].name);
    printf("--help");
}

static bool takes_scene(const command *c) {
    return strstr(c->operands, "SCENE") != NULL;
}

/* A case for each command that sets `options`, and `scenes` if its operand is a scene. */
static void print_cases(command_list commands) {
    for (int k = 0; k < commands.count; k++) {
        const command *c = commands.items[k];
        printf("    %s) options='", c->name);
        print_options(c);
        printf("'%s ;;\n", takes_scene(c) ? "; scenes=yes" : "");
    }
}

static const char names_of_scenes[] = "$(rill scenes 2>/dev/null | cut -d ' ' -f 1)";
static const char names_of_methods[] = "$(rill methods 2>/dev/null | sed -n 's/^\\([a-z0-9_]*\\): .*/\\1/p')";

static void print_bash(command_list commands) {
    printf("# Completion of rill for bash, made by 'rill help --completion bash'.\n"
           "_rill() {\n"
           "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= scenes=\n"
           "  COMPREPLY=()\n"
           "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "    COMPREPLY=($(compgen -W '");
    print_words(commands);
    printf("' -- \"$word\"))\n"
           "    return\n"
           "  fi\n"
           "  case ${COMP_WORDS[1]} in\n");
    print_cases(commands);
    printf("  esac\n"
           "  case $before in\n"
           "    --method|--methods) COMPREPLY=($(compgen -W \"%s\" -- \"$word\")); return ;;\n"
           "  esac\n"
           "  case $word in\n"
           "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")); return ;;\n"
           "  esac\n"
           "  [ -z \"$scenes\" ] || COMPREPLY=($(compgen -W \"%s\" -- \"$word\"))\n"
           "  COMPREPLY+=($(compgen -f -- \"$word\"))\n"
           "}\n"
           "complete -o filenames -F _rill rill\n",
           names_of_methods, names_of_scenes);
}

static void print_zsh(command_list commands) {
    printf("#compdef rill\n"
           "# Completion of rill for zsh, made by 'rill help --completion zsh'.\n"
           "local options= scenes=\n"
           "if (( CURRENT == 2 )); then\n"
           "  compadd -- ");
    print_words(commands);
    printf("\n  return\n"
           "fi\n"
           "case ${words[2]} in\n");
    print_cases(commands);
    printf("esac\n"
           "case ${words[CURRENT-1]} in\n"
           "  --method|--methods) compadd -- ${(f)\"%s\"}; return ;;\n"
           "esac\n"
           "if [[ ${words[CURRENT]} == -* ]]; then\n"
           "  compadd -- ${=options}\n"
           "  return\n"
           "fi\n"
           "[[ -n $scenes ]] && compadd -- ${(f)\"%s\"}\n"
           "_files\n",
           names_of_methods, names_of_scenes);
}

bool manual_print_completion(command_list commands, const char *shell) {
    if (strcmp(shell, "bash") == 0)
        print_bash(commands);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(commands);
    else
        return false;
    return true;
}

/* SPDX-License-Identifier: MIT */
/* rill scenes, methods, params, schema: lists, printed from the tables. */
#include "apps/cli/commands/advise.h"
#include "apps/cli/commands/command.h"
#include "model/gauge_kind.h"
#include "model/statistic.h"
#include "model/units.h"
#include "scene/scene.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Length of the first sentence; a list has no room for more. */
static int first_sentence(const char *about) {
    const int line = (int)strcspn(about, "\n");
    for (int k = 0; k + 2 < line; k++)
        if (about[k] == '.' && about[k + 1] == ' ' && isupper((unsigned char)about[k + 2])) return k + 1;
    return line;
}

static int run_scenes(const command_call *call) {
    (void)call;
    rill_error error = {RILL_OK, ""};
    rill_scene_entry *entries = NULL;
    int count = 0, code = EXIT_FINE;
    if (rill_scene_list(&entries, &count, &error) != RILL_OK) {
        fprintf(stderr, "rill scenes: %s\n", error.text);
        return EXIT_FAILED;
    }
    for (int i = 0; i < count; i++) {
        scene *s = rill_scene_load(entries[i].path, &error);
        if (s) {
            const char *about = s->about ? s->about : "";
            printf("%-22s %dD %-10s %6.3g s  %.*s\n", entries[i].name, (int)s->world.dim, s->world.method,
                   (double)s->run.time, first_sentence(about), about);
            rill_scene_free(s);
        } else {
            fprintf(stderr, "rill scenes: %s\n", error.text);
            code = EXIT_FAILED;
        }
    }
    rill_scene_list_free(entries);
    return code;
}

/* Seconds of real time for each method: long enough for an estimate, short enough for all methods. */
#define ADVICE_TRIAL 1.0

typedef struct methods_settings {
    const char *advise;
} methods_settings;

static int run_methods(const command_call *call) {
    const methods_settings *settings = call->settings;
    if (settings->advise) return advise_on_methods(settings->advise, ADVICE_TRIAL);
    for (int i = 0; i < rill_method_count(); i++) {
        const rill_method_info *method = rill_method(i);
        printf("%s%s: %s\n  %s\n  %s\n  'rill params %s' lists its %d parameters.\n", i ? "\n" : "", method->name,
               method->title, method->about, method->citation, method->name, method->table->count);
    }
    return EXIT_FINE;
}

/* The tables of a method: its own, and those that it adds to fluids, and to solids and bodies; NULL: none. */
#define METHOD_TABLES 3
static const rill_table *method_table(const rill_method_info *method, int index) {
    const rill_table *tables[METHOD_TABLES] = {method->table, method->fluid_table, method->solid_table};
    return tables[index];
}

/* All tables: of methods with what they add to objects, of objects, then of the tool. NULL past the end. */
static const rill_table *table_at(int index) {
    for (int m = 0; m < rill_method_count(); m++) {
        for (int k = 0; k < METHOD_TABLES; k++) {
            const rill_table *table = method_table(rill_method(m), k);
            if (table && index-- == 0) return table;
        }
    }
    if (index < RILL_OBJECT_COUNT) return rill_object_table((rill_object)index);
    index -= RILL_OBJECT_COUNT;
    const rill_table *tables[] = {rill_scene_run_table(), rill_scene_picture_table(), rill_scene_paint_table(),
                                  rill_surface_table()};
    return index < (int)(sizeof tables / sizeof tables[0]) ? tables[index] : NULL;
}

/* The choices of a row, or its range, written to `text`. */
static const char *range_of(const rill_param *param, char *text, size_t size) {
    text[0] = 0;
    if (param->type == RILL_TYPE_CHOICE) return param->choices; /* may be longer than any buffer */
    if (param->type == RILL_TYPE_INT || param->type == RILL_TYPE_NUMBER || param->type == RILL_TYPE_VEC) {
        double none = param->type == RILL_TYPE_INT ? INT32_MAX : 1e30;
        bool low = param->min > -none, high = param->max < none;
        if (low && high) snprintf(text, size, "%.6g to %.6g", param->min, param->max);
        if (low && !high) snprintf(text, size, "from %.6g", param->min);
        if (!low && high) snprintf(text, size, "up to %.6g", param->max);
    }
    return text;
}

static void print_row(const rill_param *param, const char *value, const char *unit) {
    char text[64];
    const char *range = range_of(param, text, sizeof text);
    printf("  %-22s %s%s%s%s%s%s%s\n", param->key, value, unit[0] ? " " : "", unit, range[0] ? "  (" : "", range,
           range[0] ? ")" : "", param->live ? "  live" : "");
    printf("  %-22s %s%s%s%s\n", "", param->doc ? param->doc : "", param->equation ? " [" : "",
           param->equation ? param->equation : "", param->equation ? "]" : "");
}

/* Prints text with the characters escaped that are special in Markdown or in its tables. */
static void print_escaped(const char *text) {
    for (; *text; text++) printf("%s%c", strchr("\\`*[<|", *text) ? "\\" : "", *text);
}

/* A table's `about`, capitalised. */
static void print_about(const rill_table *table) {
    const char *about = table->about ? table->about : "";
    if (about[0]) printf("%c", toupper((unsigned char)about[0]));
    print_escaped(about[0] ? about + 1 : about);
}

static void print_markdown_range(const rill_param *param) {
    char text[256];
    if (param->type != RILL_TYPE_CHOICE) {
        print_escaped(range_of(param, text, sizeof text));
        return;
    }
    for (int i = 0; rill_choice_name(param->choices, i, text, sizeof text)[0]; i++) {
        printf("%s`%s`", i ? ", " : "", text);
    }
}

static void print_markdown_row(const rill_param *param, const char *value, const char *unit) {
    printf("| `%s` | `%s` | %s | ", param->key, value, unit);
    print_markdown_range(param);
    printf(" | ");
    print_escaped(param->doc ? param->doc : "");
    if (param->equation) {
        printf(" \\[");
        print_escaped(param->equation);
        printf("]");
    }
    printf("%s |\n", param->live ? " (live)" : "");
}

/* The place in a scene of the keys that a method adds to objects. */
static void print_place(const rill_table *table) {
    static const char *const lists[METHOD_TABLES] = {NULL, "`fluids`", "`solids` and `bodies`"};
    for (int m = 0; m < rill_method_count(); m++)
        for (int k = 1; k < METHOD_TABLES; k++)
            if (method_table(rill_method(m), k) == table)
                printf(" (an object `%s` in items of %s)", rill_method(m)->name, lists[k]);
}

static void print_markdown_head(const rill_table *table) {
    const rill_method_info *method = rill_method_find(table->name);
    printf("## %s\n\n", table->name);
    print_about(table);
    print_place(table);
    printf(".");
    if (method) {
        printf(" ");
        print_escaped(method->about);
        printf("\n\n");
        print_escaped(method->citation);
    }
    printf("\n\n| key | default | unit | range or choices | meaning |\n|---|---|---|---|---|\n");
}

static int print_table(const rill_table *table, bool markdown) {
    void *defaults = calloc(1, table->size + 1);
    if (!defaults) return EXIT_FAILED;
    rill_table_defaults(table, defaults);
    if (markdown) {
        print_markdown_head(table);
    } else {
        printf("%s: %s", table->name, table->about ? table->about : "");
        print_place(table);
        printf("\n");
    }
    for (int i = 0; i < table->count; i++) {
        char value[256];
        rill_param_get_text(&table->params[i], defaults, 3, value, sizeof value);
        (markdown ? print_markdown_row : print_row)(&table->params[i], value,
                                                    rill_quantity_symbol(table->params[i].quantity));
    }
    free(defaults);
    return EXIT_FINE;
}

/* ---- kinds of gauges and rill_statistics ---- */

static const char *values_in(const gauge_kind *kind) {
    return kind->values == GAUGE_ONE ? "1" : kind->values == GAUGE_VECTOR ? "2 or 3" : "1 or 3";
}

static void print_gauge_kinds(bool markdown) {
    if (markdown)
        printf("\n| kind | values | unit | needs | meaning |\n|---|---|---|---|---|\n");
    else
        printf("kinds:\n");
    for (int k = 0; rill_gauge_kind_at(k); k++) {
        const gauge_kind *kind = rill_gauge_kind_at(k);
        const char *mean = kind->averages ? ", mean over its window" : "";
        if (!markdown) {
            printf("  %-22s %s%s%s%s\n", kind->name, kind->doc, mean, kind->unit[0] ? ", in " : "", kind->unit);
            continue;
        }
        char key[RILL_NAME_SIZE];
        printf("| `%s` | %s | %s | ", kind->name, values_in(kind), kind->unit);
        for (int n = 0; kind->required && rill_choice_name(kind->required, n, key, sizeof key)[0]; n++)
            printf("%s`%s`", n ? ", " : "", key);
        printf(" | %s%s |\n", kind->doc, mean);
    }
}

static void print_statistics(void) {
    static const char *const folds[] = {
        [STATISTIC_LAST] = "after its last step", [STATISTIC_MEAN] = "mean", [STATISTIC_MOST] = "greatest"};
    printf("\n## statistics\n\nColumns of `stats.csv`, a row for each frame, and keys of the report of `rill run "
           "--json` over "
           "the whole run.\n\n"
           "| column | in the report | unit | of a frame's steps | meaning |\n|---|---|---|---|---|\n");
    for (int k = 0; k < STATISTIC_COUNT; k++) {
        const statistic *row = &rill_statistics[k];
        printf("| %s%s%s | ", row->column ? "`" : "", row->column ? row->column : "", row->column ? "`" : "");
        if (row->report) printf("`%s`", row->report);
        if (row->report_last) printf(", `%s_last`", row->report);
        printf(" | %s | %s | %s |\n", row->unit, folds[row->fold], row->doc);
    }
}

static void print_page_head(void) {
    printf(
        "<!-- Made from the parameter tables by `make docs`: change the tables, not this page. -->\n"
        "# Parameters\n"
        "\n"
        "Every key of scene files and of `--set`, as `rill params` lists them, made from the tables of the library.\n"
        "[Scenes](scenes.md) shows where each belongs in a file. Defaults are written as in a scene, numbers are SI,\n"
        "vectors have two components in 2D. A range holds for each component of a vector. Rows marked as live may "
        "change\n"
        "while a world runs, through the library (`rill_world_set_number`); so may all parameters of methods.\n"
        "\n");
    for (int i = 0; table_at(i); i++) {
        printf("- [%s](#%s): ", table_at(i)->name, table_at(i)->name);
        print_about(table_at(i));
        printf("\n");
    }
    printf("- [statistics](#statistics): Columns of stats.csv and keys of the report\n"
           "- [units](#units): Units in which numbers may be written\n"
           "\n");
}

static void print_units(void) {
    printf("\n## units\n\n| quantity | SI | units |\n|---|---|---|\n");
    for (int i = 0; i < RILL_QUANTITY_COUNT; i++) {
        char units[400];
        const char *phrase = rill_quantity_phrase((rill_quantity)i), *space = strchr(phrase, ' ');
        printf("| %s | %s | %s |\n", space ? space + 1 : phrase, rill_quantity_symbol((rill_quantity)i),
               rill_quantity_units((rill_quantity)i, units, sizeof units));
    }
}

static int print_table_names(void) {
    printf("Parameters come in tables; 'rill params NAME' shows one, 'rill params all' every one:\n");
    for (int i = 0; table_at(i); i++) {
        printf("  %-10s %s (%d keys)\n", table_at(i)->name, table_at(i)->about ? table_at(i)->about : "",
               table_at(i)->count);
    }
    return EXIT_FINE;
}

static int unknown_table(const char *name) {
    char choices[1024] = "all", suggestion[256];
    size_t used = strlen(choices);
    for (int i = 0; table_at(i) && used < sizeof choices; i++) {
        used += (size_t)snprintf(choices + used, sizeof choices - used, "|%s", table_at(i)->name);
    }
    options_suggestion(choices, name, "", suggestion, sizeof suggestion);
    fprintf(stderr, "rill params: there is no method or object '%s'%s ('rill params' lists them)\n", name, suggestion);
    return EXIT_USAGE;
}

typedef struct params_settings {
    bool markdown;
} params_settings;

/* Whether the name of the table was given, or that of the method that adds it. */
static bool is_asked_for(const rill_table *table, const char *name) {
    const rill_method_info *method = rill_method_find(name);
    for (int k = 0; method && k < METHOD_TABLES; k++)
        if (method_table(method, k) == table) return true;
    return strcmp(name, "all") == 0 || strcmp(table->name, name) == 0;
}

static int run_params(const command_call *call) {
    bool markdown = ((const params_settings *)call->settings)->markdown;
    if (call->operand_count == 0 && !markdown) return print_table_names();
    const char *name = call->operand_count ? call->operands[0] : "all";
    bool all = strcmp(name, "all") == 0;
    bool found = false;
    if (all && markdown) print_page_head();
    for (int i = 0; table_at(i); i++) {
        if (!is_asked_for(table_at(i), name)) continue;
        if (found) printf("\n");
        found = true;
        int code = print_table(table_at(i), markdown);
        if (code != EXIT_FINE) return code;
        if (table_at(i) == rill_object_table(RILL_OBJECT_GAUGE)) print_gauge_kinds(markdown);
    }
    if (all && markdown) print_statistics();
    if (all && markdown) print_units();
    return found ? EXIT_FINE : unknown_table(name);
}

static int run_schema(const command_call *call) {
    (void)call;
    rill_error error = {RILL_OK, ""};
    if (rill_scene_write_schema(stdout, &error) == RILL_OK) return EXIT_FINE;
    fprintf(stderr, "rill schema: %s\n", error.text);
    return EXIT_FAILED;
}

const command scenes_command = {
    .name = "scenes",
    .operands = "",
    .summary = "list the scenes that can be run by name",
    .about = "Looks in ./scenes, $RILL_SCENES and the installed scenes. Each line has name, dimension, method,\n"
             "simulated time and description.\n",
    .examples = "  rill scenes\n",
    .run = run_scenes,
};

static const option methods_options[] = {
    {"advise", OPTION_TEXT, offsetof(methods_settings, advise), "SCENE", "recommend methods for this scene"},
};

const command methods_command = {
    .name = "methods",
    .operands = "",
    .summary = "list the simulation methods, or recommend some for a scene",
    .about = "With --advise, tries the scene with each method for a second and prints the cost of the whole run, how\n"
             "much the fluid was compressed at the end of the trial, and the strengths of each method.\n",
    .examples = "  rill methods\n"
                "  rill methods --advise dam_break_2d\n",
    .options = methods_options,
    .option_count = sizeof methods_options / sizeof methods_options[0],
    .settings_size = sizeof(methods_settings),
    .run = run_methods,
};

static const option params_options[] = {
    {"markdown", OPTION_FLAG, offsetof(params_settings, markdown), NULL,
     "write Markdown; without a name, a page of all tables and units"},
};

const command params_command = {
    .name = "params",
    .operands = "[METHOD|OBJECT]",
    .summary = "list parameters with defaults, units, ranges and meaning",
    .about =
        "Without a name, lists the tables: the methods, the objects of a scene, run, picture and surface. The keys "
        "are\n"
        "those of scene files and of --set: KEY of the method in use, SECTION.KEY (world.spacing, run.fps) or\n"
        "LIST.NAME.KEY (fluids.water.viscosity, solids.0.friction). Rows that a method adds to fluids, solids and\n"
        "bodies have keys LIST.NAME.METHOD.KEY; their tables follow that of the method.\n",
    .examples = "  rill params\n"
                "  rill params {method}\n"
                "  rill params solid\n"
                "  rill params all\n"
                "  rill params --markdown > parameters.md\n",
    .options = params_options,
    .option_count = sizeof params_options / sizeof params_options[0],
    .operands_max = 1,
    .settings_size = sizeof(params_settings),
    .run = run_params,
};

const command schema_command = {
    .name = "schema",
    .operands = "",
    .summary = "print the JSON Schema of scene files",
    .about = "Editors that know the schema complete keys and check values while you type.\n",
    .examples = "  rill schema > rill.schema.json\n",
    .run = run_schema,
};

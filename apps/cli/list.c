/* SPDX-License-Identifier: MIT */
/* rill scenes, methods, params, schema: what there is, read from the tables. */
#include "command.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run_scenes(const command_call *call) {
    (void)call;
    rill_error error = {RILL_OK, ""};
    scene_entry *entries = NULL;
    int count = 0, code = EXIT_FINE;
    if (scene_list(&entries, &count, &error) != RILL_OK) {
        fprintf(stderr, "rill scenes: %s\n", error.text);
        return EXIT_FAILED;
    }
    for (int i = 0; i < count; i++) {
        scene *s = scene_load(entries[i].path, &error);
        if (s) {
            const char *about = s->about ? s->about : "";
            printf("%-22s %dD %-8s %5.3g s  %.*s\n", entries[i].name, (int)s->world.dim, s->world.method,
                   (double)s->run.time, (int)strcspn(about, "\n"), about);
            scene_free(s);
        } else {
            fprintf(stderr, "rill scenes: %s\n", error.text);
            code = EXIT_FAILED;
        }
    }
    free(entries);
    return code;
}

static int run_methods(const command_call *call) {
    (void)call;
    for (int i = 0; i < rill_method_count(); i++) {
        const rill_method_info *method = rill_method(i);
        printf("%s%s: %s\n  %s\n  %s\n  'rill params %s' lists its %d parameters.\n", i ? "\n" : "", method->name,
               method->title, method->about, method->citation, method->name, method->table->count);
    }
    return EXIT_FINE;
}

/* Every table there is: methods, objects, then the tool's own. NULL past the end. */
static const rill_table *table_at(int index) {
    if (index < rill_method_count()) return rill_method(index)->table;
    index -= rill_method_count();
    if (index < RILL_OBJECT_COUNT) return rill_object_table((rill_object)index);
    index -= RILL_OBJECT_COUNT;
    return index == 0 ? scene_run_table() : index == 1 ? scene_picture_table() : NULL;
}

static void format_range(const rill_param *param, char *text, size_t size) {
    text[0] = 0;
    if (param->type == RILL_TYPE_CHOICE) {
        snprintf(text, size, "%s", param->choices);
    } else if (param->type == RILL_TYPE_INT || param->type == RILL_TYPE_NUMBER || param->type == RILL_TYPE_VEC) {
        bool low = isfinite(param->min) && param->min > -1e30, high = isfinite(param->max) && param->max < 1e30;
        if (low && high) snprintf(text, size, "%.6g to %.6g", param->min, param->max);
        if (low && !high) snprintf(text, size, "from %.6g", param->min);
        if (!low && high) snprintf(text, size, "up to %.6g", param->max);
    }
}

static void print_param(const rill_param *param, const void *defaults) {
    char value[256], range[256];
    rill_param_get_text(param, defaults, 3, value, sizeof value);
    format_range(param, range, sizeof range);
    const char *unit = rill_quantity_symbol(param->quantity);
    printf("  %-22s %s%s%s%s%s%s\n", param->key, value, unit[0] ? " " : "", unit, range[0] ? "  (" : "", range,
           range[0] ? ")" : "");
    printf("  %-22s %s%s%s%s\n", "", param->doc ? param->doc : "", param->equation ? " [" : "",
           param->equation ? param->equation : "", param->equation ? "]" : "");
}

static int print_table(const rill_table *table) {
    void *defaults = calloc(1, table->size + 1);
    if (!defaults) return EXIT_FAILED;
    rill_table_defaults(table, defaults);
    printf("%s: %s\n", table->name, table->about ? table->about : "");
    for (int i = 0; i < table->count; i++) print_param(&table->params[i], defaults);
    free(defaults);
    return EXIT_FINE;
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

static int run_params(const command_call *call) {
    if (call->operand_count == 0) return print_table_names();
    const char *name = call->operands[0];
    bool all = strcmp(name, "all") == 0;
    int code = all ? EXIT_FINE : EXIT_USAGE;
    bool found = all;
    for (int i = 0; table_at(i); i++) {
        if (!all && strcmp(table_at(i)->name, name) != 0) continue;
        if (all && i > 0) printf("\n");
        found = true;
        code = print_table(table_at(i));
        if (code != EXIT_FINE) return code;
    }
    return found ? code : unknown_table(name);
}

static int run_schema(const command_call *call) {
    (void)call;
    rill_error error = {RILL_OK, ""};
    if (scene_write_schema(stdout, &error) == RILL_OK) return EXIT_FINE;
    fprintf(stderr, "rill schema: %s\n", error.text);
    return EXIT_FAILED;
}

const command scenes_command = {
    .name = "scenes",
    .operands = "",
    .summary = "list the scenes that can be run by name",
    .about = "Looks in ., ./scenes, $RILL_SCENES and the installed scenes. Each line: name, dimension, method,\n"
             "simulated time, what it shows.\n",
    .examples = "  rill scenes\n",
    .run = run_scenes,
};

const command methods_command = {
    .name = "methods",
    .operands = "",
    .summary = "list the simulation methods",
    .examples = "  rill methods\n",
    .run = run_methods,
};

const command params_command = {
    .name = "params",
    .operands = "[METHOD|OBJECT]",
    .summary = "list parameters with defaults, units, ranges and meaning",
    .about = "METHOD is a name from 'rill methods'; OBJECT is world, fluid, shape, block, solid, motion, emitter,\n"
             "sink, gauge, run or picture. The keys are those of scene files and of --set: KEY of the method in use,\n"
             "SECTION.KEY (world.spacing, run.fps) or LIST.NAME.KEY (fluids.water.viscosity, solids.0.friction).\n",
    .examples = "  rill params\n"
                "  rill params {method}\n"
                "  rill params solid\n"
                "  rill params all\n",
    .operands_max = 1,
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

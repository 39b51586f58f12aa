/* SPDX-License-Identifier: MIT */
/* A sweep is written as the text of an experiment and then read like one, so that runs, tables and pages are those of
   experiments. */
#include "experiment/sweep.h"

#include "core/error.h"
#include "io/io.h"
#include "picture/figure.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCENE_BYTES_MAX = 1 << 24, VARIANTS_MAX = 1000, LINES_MAX = 40 };

/* ---- values of a parameter ---- */

/* The end of the value that begins at `at`: a comma outside brackets, or the end of the text. */
static const char *value_end(const char *at) {
    int depth = 0;
    for (; *at && (depth > 0 || *at != ','); at++) depth += (*at == '[' || *at == '(') - (*at == ']' || *at == ')');
    return at;
}

static const char *first_value(const char *vary) {
    return strchr(vary, '=') + 1;
}

static int value_count(const char *vary) {
    int count = 0;
    for (const char *at = first_value(vary); *at; at = value_end(at), at += *at == ',') count++;
    return count;
}

/* Value `number`, counted from 0, and its length. */
static const char *value_at(const char *vary, int number, int *length) {
    const char *at = first_value(vary);
    while (number-- > 0) at = value_end(at) + 1;
    *length = (int)(value_end(at) - at);
    return at;
}

/* The number of a parameter's value in a variant: the last parameter changes fastest. */
static int value_number(const sweep_def *def, int variant, int parameter) {
    for (int k = def->vary_count - 1; k >= parameter; k--) {
        const int count = value_count(def->vary[k]);
        if (count < 1) return 0; /* check_def refuses this with a message */
        if (k == parameter) return variant % count;
        variant /= count;
    }
    return 0;
}

static int variant_count(const sweep_def *def) {
    int count = 1;
    for (int k = 0; k < def->vary_count && count <= VARIANTS_MAX; k++) count *= value_count(def->vary[k]);
    return count;
}

/* ---- the text ---- */

static void write_quoted(FILE *f, const char *text, int length) {
    fputc('"', f);
    for (int k = 0; k < length; k++) {
        if (text[k] == '"' || text[k] == '\\') fputc('\\', f);
        fputc(text[k], f);
    }
    fputc('"', f);
}

static void write_set(FILE *f, const char *set, const char *value, int length, const char *before) {
    fputs(before, f);
    write_quoted(f, set, (int)strcspn(set, "="));
    fputs(": ", f);
    write_quoted(f, value, length);
}

/* The parameters of a variant from `first` on, as in "world.spacing 2 cm, iterations 5". */
static void write_name(FILE *f, const sweep_def *def, int variant, int first) {
    for (int k = first; k < def->vary_count; k++) {
        int length;
        const char *value = value_at(def->vary[k], value_number(def, variant, k), &length);
        fprintf(f, "%s%.*s %.*s", k > first ? ", " : "", (int)strcspn(def->vary[k], "="), def->vary[k], length, value);
    }
}

static void write_variant(FILE *f, const sweep_def *def, int variant) {
    fprintf(f, "%s\n{ \"name\": \"", variant ? "," : "");
    write_name(f, def, variant, 0);
    fprintf(f, "\", \"set\": {");
    const char *before = " ";
    for (int k = 0; k < def->set_count; k++, before = ", ")
        write_set(f, def->sets[k], strchr(def->sets[k], '=') + 1, (int)strlen(strchr(def->sets[k], '=') + 1), before);
    for (int k = 0; k < def->vary_count; k++, before = ", ") {
        int length;
        const char *value = value_at(def->vary[k], value_number(def, variant, k), &length);
        write_set(f, def->vary[k], value, length, before);
    }
    fprintf(f, " } }");
}

static void write_methods(FILE *f, const char *list) {
    fprintf(f, "\"methods\": [");
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
        if (at > list) fputs(", ", f);
        write_quoted(f, at, (int)strcspn(at, ","));
    }
    fprintf(f, "],\n");
}

/* Splits `shown` into the word that names the measure, if there is one, and the expression, which is returned. */
static const char *split_shown(const char *shown, char take[RILL_NAME_SIZE]) {
    const size_t length = strcspn(shown, " ");
    snprintf(take, RILL_NAME_SIZE, "%.*s", (int)length, shown);
    if (shown[length] && rill_choice_index(MEASURE_TAKES, take) >= 0) return shown + length + 1;
    snprintf(take, RILL_NAME_SIZE, "last");
    return shown;
}

static void write_results(FILE *f, const sweep_def *def) {
    char take[RILL_NAME_SIZE];
    fprintf(f, "\"measures\": {");
    for (int k = 0; k < def->shown_count; k++) {
        const char *of = split_shown(def->shown[k], take);
        fprintf(f, "%s\n\"shown_%d\": { \"take\": \"%s\", \"of\": ", k ? "," : "", k + 1, take);
        write_quoted(f, of, (int)strlen(of));
        fputs(" }", f);
    }
    fprintf(f, "\n},\n\"results\": [");
    for (int k = 0; k < def->shown_count; k++) {
        fprintf(f, "%s\n{ \"value\": \"shown_%d\", \"name\": ", k ? "," : "", k + 1);
        write_quoted(f, def->shown[k], (int)strlen(def->shown[k]));
        fputs(" }", f);
    }
    fprintf(f, "\n]\n}\n");
}

static void write_sweep(FILE *f, const sweep_def *def, const scene *s, const char *scene_text) {
    fprintf(f, "{ \"title\": ");
    write_quoted(f, s->name, (int)strlen(s->name));
    fprintf(f, ",\n");
    write_methods(f, def->methods ? def->methods : s->world.method);
    fprintf(f, "\"scene\": %s,\n\"variants\": [", scene_text);
    for (int k = 0; k < variant_count(def); k++) write_variant(f, def, k);
    fprintf(f, "\n],\n");
    write_results(f, def);
}

/* ---- as an experiment ---- */

static rill_status check_def(const sweep_def *def, rill_error *error) {
    for (int k = 0; k < def->vary_count; k++)
        if (!strchr(def->vary[k], '=') || !value_count(def->vary[k]))
            return rill_fail(error, RILL_INVALID, "--vary %s: expected KEY=VALUE,VALUE,...", def->vary[k]);
    for (int k = 0; k < def->set_count; k++)
        if (!strchr(def->sets[k], '='))
            return rill_fail(error, RILL_INVALID, "--set %s: expected KEY=VALUE", def->sets[k]);
    if (variant_count(def) > VARIANTS_MAX)
        return rill_fail(error, RILL_LIMIT, "more than %d combinations of values; expected fewer", VARIANTS_MAX);
    return RILL_OK;
}

static experiment *parse_sweep(const sweep_def *def, const scene *s, const char *path, const char *scene_text,
                               rill_error *error) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) {
        rill_fail(error, RILL_MEMORY, "%s: no memory for a sweep", path);
        return NULL;
    }
    write_sweep(stream, def, s, scene_text);
    fclose(stream);
    experiment *e = rill_experiment_parse(path, text, size, error);
    free(text);
    return e;
}

experiment *rill_sweep_make(const sweep_def *def, rill_error *error) {
    char path[1024], *text = NULL;
    size_t size = 0;
    experiment *e = NULL;
    if (check_def(def, error) || rill_scene_find(def->scene, path, sizeof path, error)) return NULL;
    scene *s = rill_scene_load_with(path, (scene_sets){0}, error);
    if (!s) return NULL;
    if (!rill_io_read_at_most(path, SCENE_BYTES_MAX, &text, &size, error)) e = parse_sweep(def, s, path, text, error);
    free(text);
    rill_scene_free(s);
    return e;
}

/* ---- plots ---- */

typedef struct sweep_sheet {
    figure_series lines[LINES_MAX];
    char names[LINES_MAX][4 * RILL_NAME_SIZE];
    double *x[LINES_MAX], *y[LINES_MAX];
    int count;
} sweep_sheet;

/* The value as a number in SI units. If it is not a number, its index in the list. */
static double axis_value(const sweep_def *def, int variant) {
    char text[100];
    int length;
    double number;
    const int place = value_number(def, variant, 0);
    const char *value = value_at(def->vary[0], place, &length);
    snprintf(text, sizeof text, "%.*s", length, value);
    for (int k = RILL_PURE; k <= RILL_AREA_DENSITY; k++)
        if (rill_parse_number(text, (rill_quantity)k, &number, NULL) == RILL_OK) return number;
    return place + 1;
}

static figure_series *find_line(sweep_sheet *sheet, const sweep_def *def, int variant, const char *method) {
    char *name = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&name, &size);
    if (!stream) return NULL;
    fputs(method, stream);
    if (def->vary_count > 1) fputs(", ", stream), write_name(stream, def, variant, 1);
    fclose(stream);
    int k = 0;
    while (k < sheet->count && strcmp(sheet->names[k], name) != 0) k++;
    if (k == sheet->count && k < LINES_MAX) {
        const size_t points = (size_t)value_count(def->vary[0]) + 1;
        snprintf(sheet->names[k], sizeof sheet->names[k], "%s", name);
        sheet->x[k] = calloc(points, sizeof **sheet->x), sheet->y[k] = calloc(points, sizeof **sheet->y);
        sheet->lines[k] =
            (figure_series){.name = sheet->names[k], .x = sheet->x[k], .y = sheet->y[k], .line = true, .points = true};
        sheet->count++;
    }
    free(name);
    return k < LINES_MAX && sheet->x[k] && sheet->y[k] ? &sheet->lines[k] : NULL;
}

static rill_status plot_result(const sweep_def *def, const experiment_report *report, int n, rill_error *error) {
    const experiment *e = report->experiment;
    char path[1024], title[200];
    sweep_sheet sheet = {.count = 0};
    for (int k = 0; k < report->run_count; k++) {
        const int variant = (int)(report->runs[k].variant - e->variants);
        figure_series *line = find_line(&sheet, def, variant, report->runs[k].method);
        if (!line) continue;
        const int at = line->count++, number = (int)(line - sheet.lines);
        sheet.x[number][at] = axis_value(def, variant);
        sheet.y[number][at] = report->verdicts[k * e->result_count + n].value;
    }
    snprintf(title, sizeof title, "%.*s", (int)strcspn(def->vary[0], "="), def->vary[0]);
    const figure_def figure = {.width = 760,
                               .height = 420,
                               .title = e->title,
                               .x_title = title,
                               .y_title = e->results[n].name,
                               .series = sheet.lines,
                               .count = sheet.count};
    snprintf(path, sizeof path, "%s/sweep_%d.svg", report->folder, n + 1);
    const rill_status status = rill_figure_write(&figure, path, error);
    for (int k = 0; k < sheet.count; k++) free(sheet.x[k]), free(sheet.y[k]);
    return status;
}

rill_status rill_sweep_plot(const sweep_def *def, const experiment_report *report, rill_error *error) {
    for (int n = 0; n < report->experiment->result_count; n++) TRY(plot_result(def, report, n, error));
    return RILL_OK;
}

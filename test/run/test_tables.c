/* SPDX-License-Identifier: MIT */
/* Kinds of gauges and statistics: the tables agree with the engine. */
#include "model/gauge_kind.h"
#include "model/statistic.h"
#include "scene/scene_test.h"

#include <math.h>

/* ---- gauges ---- */

static const char parts[] =
    "{\"dim\": %d, \"method\": \"projective\", \"world\": {\"spacing\": 0.1, \"workers\": 1}, \"fluids\": [{\"name\": "
    "\"water\"}],"
    " \"blocks\": [{\"shape\": \"sphere\", \"position\": [0, 0, 0.5], \"radius\": 0.3}],"
    " \"solids\": [{\"name\": \"wall\", \"shape\": \"half_space\", \"position\": [0, -1, -1], \"normal\": [0, 1, 1]}],"
    " \"bodies\": [{\"name\": \"ball\", \"shape\": \"sphere\", \"position\": [2, 0, 0], \"radius\": 0.2}],"
    " \"joints\": [{\"name\": \"pin\", \"kind\": \"ball\", \"a\": \"ball\", \"anchor\": [2, 0, 0]}],"
    " \"cloths\": [{\"name\": \"sheet\", \"position\": [3, 0, 0], \"edge_a\": [0.5, 0, 0]}],"
    " \"pins\": [{\"name\": \"edge\", \"cloth\": \"sheet\", \"min\": [2.9, -1, -1], \"max\": [3.05, 1, 1]}]}";

static rill_world *world_of_everything(int dim) {
    char text[1200];
    rill_error error = {0};
    snprintf(text, sizeof text, parts, dim);
    /* In 2D vectors have two components. */
    for (char *c = text; dim == 2 && (c = strchr(c, '[')) != NULL; c++) {
        char *end = strchr(c, ']'), *comma = c;
        if (!c[1] || strchr("{[", c[1])) continue;
        for (int k = 0; k < 2; k++) comma = strchr(comma + 1, ',');
        memset(comma, ' ', (size_t)(end - comma));
    }
    scene *s = parse(text);
    rill_world *w = rill_scene_build(s, -1, -1, &error);
    if (!w) fail_msg("%s", error.text);
    rill_scene_free(s);
    return w;
}

static void readings_have_the_values_that_the_table_says(void **state) {
    (void)state;
    /* Numbers of values, of every kind in turn. */
    static const char *const counts[] = {[2] = "111121122122211111112111221", [3] = "111131133133311331113111331"};
    const rill_param *row = rill_table_find(rill_object_table(RILL_OBJECT_GAUGE), "kind");
    for (int dim = 2; dim <= 3; dim++) {
        rill_world *w = world_of_everything(dim);
        for (int kind = 0; rill_gauge_kind_at(kind); kind++) {
            const gauge_kind *k = rill_gauge_kind_at(kind);
            char name[RILL_NAME_SIZE];
            assert_string_equal(rill_choice_name(row->choices, kind, name, sizeof name), k->name);
            assert_true(k->unit && k->doc && strlen(k->doc) > 10);
            rill_gauge_def def = rill_gauge_def_default();
            rill_gauge_id id;
            rill_reading reading;
            def.kind = kind;
            snprintf(def.solid_name, sizeof def.solid_name, "wall");
            snprintf(def.body_name, sizeof def.body_name, "ball");
            snprintf(def.joint_name, sizeof def.joint_name, "pin");
            snprintf(def.cloth_name, sizeof def.cloth_name, "sheet");
            snprintf(def.pin_name, sizeof def.pin_name, "edge");
            if (rill_world_add_gauge(w, &def, &id)) fail_msg("%s: %s", k->name, rill_world_message(w));
            if (rill_world_read_gauge(w, id, &reading)) fail_msg("%s: %s", k->name, rill_world_message(w));
            assert_int_equal(reading.count, rill_gauge_value_count(kind, dim));
            assert_int_equal(reading.count, counts[dim][kind] - '0');
            /* A gauge without its subject is refused. */
            def.solid_name[0] = def.body_name[0] = def.joint_name[0] = def.cloth_name[0] = def.pin_name[0] = '\0';
            const bool needs = k->subject == GAUGE_SURFACE || k->subject == GAUGE_BODY || k->subject == GAUGE_TURN ||
                               k->subject == GAUGE_JOINT || k->subject == GAUGE_CLOTH || k->subject == GAUGE_PIN;
            assert_int_equal(rill_world_add_gauge(w, &def, NULL) == RILL_NOT_FOUND, needs);
        }
        rill_world_destroy(w);
    }
    assert_null(rill_gauge_kind_at(-1));
    assert_null(rill_gauge_kind_at(RILL_GAUGE_CLOTH_LOWEST + 1));
}

static void labels_tell_axes_apart(void **state) {
    (void)state;
    char label[RILL_NAME_SIZE + 2];
    rill_gauge_def g = rill_gauge_def_default();
    snprintf(g.name, sizeof g.name, "wall");
    g.kind = RILL_GAUGE_FORCE;
    assert_string_equal(rill_gauge_label(&g, 2, 1, label, sizeof label), "wall_y");
    assert_string_equal(rill_gauge_label(&g, 3, 2, label, sizeof label), "wall_z");
    g.kind = RILL_GAUGE_TORQUE;
    assert_string_equal(rill_gauge_label(&g, 2, 0, label, sizeof label), "wall");
    assert_string_equal(rill_gauge_label(&g, 3, 0, label, sizeof label), "wall_x");
    g.kind = RILL_GAUGE_BODY_ANGLE;
    assert_string_equal(rill_gauge_label(&g, 3, 0, label, sizeof label), "wall");
}

/* A world that takes over another's gauges has those and no others, whether it had more or fewer. */
static void gauges_are_taken_over(void **state) {
    (void)state;
    for (int had = 0; had < 4; had++) {
        for (int given = 0; given < 4; given++) {
            rill_world *w = world_of_everything(2), *from = world_of_everything(2);
            rill_gauge_def def = rill_gauge_def_default();
            for (int k = 0; k < had; k++) {
                snprintf(def.name, sizeof def.name, "old %d", k);
                assert_int_equal(rill_world_add_gauge(w, &def, NULL), RILL_OK);
            }
            def.kind = RILL_GAUGE_COUNT;
            for (int k = 0; k < given; k++) {
                snprintf(def.name, sizeof def.name, "new %d", k);
                assert_int_equal(rill_world_add_gauge(from, &def, NULL), RILL_OK);
            }
            assert_int_equal(rill_world_take_gauges(w, from), RILL_OK);
            assert_int_equal(rill_world_gauge_count(w), given);
            for (int k = 0; k < given; k++) {
                snprintf(def.name, sizeof def.name, "new %d", k);
                assert_string_equal(rill_world_gauge_def(w, rill_world_gauge_at(w, k))->name, def.name);
            }
            rill_world_destroy(w);
            rill_world_destroy(from);
        }
    }
}

/* A gauge that does not fit is refused, and the world keeps those that it had. */
static void gauges_that_do_not_fit_are_refused(void **state) {
    (void)state;
    rill_world *w = world_of_everything(2), *from = world_of_everything(2);
    rill_gauge_def def = rill_gauge_def_default();
    snprintf(def.name, sizeof def.name, "old");
    assert_int_equal(rill_world_add_gauge(w, &def, NULL), RILL_OK);
    rill_solid_def wall = rill_solid_def_default();
    snprintf(wall.name, sizeof wall.name, "only there");
    wall.shape.min = (rill_vec){50, 50, 0}, wall.shape.max = (rill_vec){51, 51, 0};
    assert_int_equal(rill_world_add_solid(from, &wall, NULL), RILL_OK);
    def.kind = RILL_GAUGE_COUNT;
    snprintf(def.name, sizeof def.name, "fits");
    assert_int_equal(rill_world_add_gauge(from, &def, NULL), RILL_OK);
    def.kind = RILL_GAUGE_FORCE;
    snprintf(def.name, sizeof def.name, "does not"), snprintf(def.solid_name, sizeof def.solid_name, "only there");
    assert_int_equal(rill_world_add_gauge(from, &def, NULL), RILL_OK);
    assert_int_equal(rill_world_take_gauges(w, from), RILL_NOT_FOUND);
    assert_int_equal(rill_world_gauge_count(w), 1);
    assert_string_equal(rill_world_gauge_def(w, rill_world_gauge_at(w, 0))->name, "old");
    rill_world_destroy(w);
    rill_world_destroy(from);
}

/* ---- statistics ---- */

static void statistics_are_folded_as_the_table_says(void **state) {
    (void)state;
    statistic_window window = {0};
    rill_stats stats = {0};
    assert_true(isnan(rill_statistic_value(&window, &stats, STATISTIC_DT)));
    assert_true(rill_statistic_value(&window, &stats, STATISTIC_MAX_SPEED) == 0);
    for (int step = 1; step <= 4; step++) {
        const int v = step == 4 ? 1 : step; /* 1, 2, 3, 1: the last is not the greatest */
        stats = (rill_stats){.step = v,
                             .time = v,
                             .dt = v,
                             .substeps = v,
                             .particles = v,
                             .iterations = v,
                             .residual = v,
                             .residual_density = v,
                             .residual_walls = v,
                             .residual_contacts = v,
                             .residual_joints = v,
                             .joint_gap = v,
                             .density_error_mean = v,
                             .density_error_max = v,
                             .neighbours_mean = v,
                             .neighbours_max = v,
                             .max_speed = v,
                             .kinetic_energy = v,
                             .potential_energy = v,
                             .emitted = v,
                             .removed = v,
                             .left_out = v,
                             .strayed = v,
                             .energy_gain = v,
                             .bytes = (size_t)v};
        for (int phase = 0; phase < RILL_PHASE_COUNT; phase++) stats.seconds[phase] = 1e-3 * v;
        rill_statistic_add(&window, &stats);
    }
    const double expected[] = {[STATISTIC_LAST] = 1, [STATISTIC_MEAN] = 7.0 / 4.0, [STATISTIC_MOST] = 3};
    for (int k = 0; k < STATISTIC_COUNT; k++)
        assert_float_equal(rill_statistic_value(&window, &stats, k), expected[rill_statistics[k].fold], 1e-12);
    assert_int_equal(rill_statistics[STATISTIC_DT].fold, STATISTIC_MEAN);
    assert_int_equal(rill_statistics[STATISTIC_DENSITY_ERROR_MAX].fold, STATISTIC_MOST);
    assert_int_equal(rill_statistics[STATISTIC_RESIDUAL].fold, STATISTIC_LAST);
}

static void statistics_have_names_and_meanings(void **state) {
    (void)state;
    for (int k = 0; k < STATISTIC_COUNT; k++) {
        const statistic *row = &rill_statistics[k];
        assert_true(row->column || row->report);
        assert_true(row->unit && row->doc && strlen(row->doc) >= 5);
        for (int other = 0; other < k && row->column; other++)
            assert_false(rill_statistics[other].column && !strcmp(rill_statistics[other].column, row->column));
        if (k < STATISTIC_PHASES) continue;
        char column[RILL_NAME_SIZE];
        snprintf(column, sizeof column, "ms_%s", rill_phase_name((rill_phase)(k - STATISTIC_PHASES)));
        assert_string_equal(row->column, column);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readings_have_the_values_that_the_table_says),
        cmocka_unit_test(labels_tell_axes_apart),
        cmocka_unit_test(gauges_are_taken_over),
        cmocka_unit_test(gauges_that_do_not_fit_are_refused),
        cmocka_unit_test(statistics_are_folded_as_the_table_says),
        cmocka_unit_test(statistics_have_names_and_meanings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

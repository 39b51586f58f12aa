/* SPDX-License-Identifier: MIT */
/* The closing report of a run. */
#include "apps/cli/run/report.h"

#include "io/json.h"
#include "model/gauge_kind.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void write_vec(json *j, const char *key, rill_vec v, int count) {
    rill_json_array(j, key);
    for (int k = 0; k < count; k++) rill_json_number(j, NULL, (double)(&v.x)[k]);
    rill_json_end_array(j);
}

static void write_bodies(json *j, const run *r) {
    rill_frame now = {0};
    (void)rill_frame_of_world_at(&now, r->world, r->shown.time, NULL); /* without memory there are no readings */
    const int dim = now.dim;
    rill_json_array(j, "bodies");
    for (int k = 0; k < now.body_count; k++) {
        const rill_body_state s = now.body[k].state;
        rill_json_object(j, NULL);
        rill_json_text(j, "name", now.body[k].name);
        write_vec(j, "position", s.position, dim);
        if (dim == 2) {
            rill_json_number(j, "angle", (double)s.angle);
        } else {
            rill_json_array(j, "quaternion");
            for (int n = 0; n < 4; n++) rill_json_number(j, NULL, (double)s.quaternion[n]);
            rill_json_end_array(j);
        }
        write_vec(j, "velocity", s.velocity, dim);
        if (dim == 2)
            rill_json_number(j, "angular_velocity", (double)s.angular_velocity.z);
        else
            write_vec(j, "angular_velocity", s.angular_velocity, 3);
        write_vec(j, "force", s.force, dim);
        if (dim == 2)
            rill_json_number(j, "torque", (double)s.torque.z);
        else
            write_vec(j, "torque", s.torque, 3);
        rill_json_bool(j, "asleep", s.asleep);
        rill_json_end_object(j);
    }
    rill_json_end_array(j);
    rill_frame_free(&now);
}

/* The gauges' readings at the time of the report; NULL: none. The caller frees them. */
static rill_reading *read_gauges(const run *r) {
    rill_reading *readings = calloc((size_t)rill_world_gauge_count(r->world) + 1, sizeof *readings);
    if (readings && rill_world_read_gauges_at(r->world, r->shown.time, readings) == RILL_OK) return readings;
    free(readings);
    return NULL;
}

static void write_gauges(json *j, const run *r) {
    const rill_world *world = r->world;
    rill_reading *readings = read_gauges(r);
    rill_json_object(j, "gauges");
    for (int i = 0; readings && i < rill_world_gauge_count(world); i++) {
        const char *name = rill_world_gauge_def(world, rill_world_gauge_at(world, i))->name;
        const rill_reading reading = readings[i];
        if (reading.count == 1) {
            rill_json_number(j, name, reading.value[0]);
            continue;
        }
        rill_json_array(j, name);
        for (int k = 0; k < reading.count; k++) rill_json_number(j, NULL, reading.value[k]);
        rill_json_end_array(j);
    }
    rill_json_end_object(j);
    free(readings);
}

static void write_timings(json *j, const statistic_window *all) {
    rill_json_object(j, "timings");
    for (int phase = 0; phase < RILL_PHASE_COUNT; phase++)
        rill_json_number(j, rill_phase_name((rill_phase)phase), all->folded[STATISTIC_PHASES + phase]);
    rill_json_end_object(j);
}

static void write_statistic(json *j, const char *key, const statistic_window *window, const rill_stats *stats, int k) {
    const double value = rill_statistic_value(window, stats, k);
    if (rill_statistics[k].fold == STATISTIC_LAST && rill_statistics[k].type != STATISTIC_DOUBLE)
        rill_json_integer(j, key, (int64_t)value);
    else
        rill_json_number(j, key, value);
}

/* Statistics over all steps; those that ask for it also over the steps of the last frame. */
static void write_statistics(json *j, const run *r) {
    const rill_stats *stats = &r->shown;
    for (int k = 0; k < STATISTIC_COUNT; k++) {
        const statistic *row = &rill_statistics[k];
        char last[RILL_NAME_SIZE];
        if (!row->report) continue;
        write_statistic(j, row->report, &r->all, stats, k);
        snprintf(last, sizeof last, "%s_last", row->report);
        if (row->report_last) write_statistic(j, last, &r->frame, stats, k);
    }
}

static double ms_per_step(const run *r) {
    return r->all.steps ? 1e3 * r->wall / (double)r->all.steps : (double)NAN;
}

static void write_state(json *j, const run *r) {
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, rill_world_hash(r->world));
    write_statistics(j, r);
    rill_json_text(j, "state_hash", hash);
    rill_json_number(j, "wall_s", r->wall);
    rill_json_number(j, "processor_s", r->processor);
    rill_json_number(j, "ms_per_step", ms_per_step(r));
}

void report_json(const run_report *report, FILE *out) {
    json writer = {.out = out}, *j = &writer;
    const run *r = report->run;
    rill_json_object(j, NULL);
    rill_json_text(j, "scene", report->scene);
    rill_json_text(j, "method", rill_world_method(r->world)->name);
    rill_json_integer(j, "dim", rill_world_get_def(r->world)->dim);
    rill_json_integer(j, "threads", rill_world_workers(r->world));
    rill_json_text(j, "simd", rill_world_simd(r->world));
    rill_json_integer(j, "frames", r->next_frame);
    write_state(j, r);
    write_timings(j, &r->all);
    write_gauges(j, r);
    write_bodies(j, r);
    char warning[RUN_WARNING_SIZE];
    if (rill_run_warning(r, warning)) rill_json_text(j, "warning", warning);
    rill_json_bool(j, "failed", report->error != NULL);
    if (report->error) rill_json_text(j, "error", report->error);
    rill_json_end_object(j);
}

static void print_gauges(const run *r, FILE *out) {
    rill_reading *readings = read_gauges(r);
    for (int i = 0; readings && i < rill_world_gauge_count(r->world); i++) {
        const rill_reading reading = readings[i];
        const rill_gauge_def *def = rill_world_gauge_def(r->world, rill_world_gauge_at(r->world, i));
        const char *own = rill_gauge_kind_at(def->kind)->unit, *unit = strstr(own, " or ") ? "" : own;
        bool any = false;
        fprintf(out, "  gauge %s:", def->name);
        for (int k = 0; k < reading.count; k++) {
            const bool none = isnan(reading.value[k]);
            any = any || !none;
            none ? fprintf(out, " none") : fprintf(out, " %.6g", reading.value[k]);
        }
        fprintf(out, "%s%s\n", any && unit[0] ? " " : "", any ? unit : "");
    }
    free(readings);
}

void report_text(const run_report *report, FILE *out) {
    const run *r = report->run;
    rill_world *world = r->world;
    const rill_stats *stats = &r->shown;
    const statistic_window *all = &r->all;
    fprintf(out, "%s, %s, %dD: %.6g s simulated in %" PRId64 " steps, %.3g s on the clock\n", report->scene,
            rill_world_method(world)->name, (int)rill_world_get_def(world)->dim, stats->time, stats->step, r->wall);
    if (all->steps) {
        fprintf(out, "  %d particles with %.1f neighbours; dt %.3g ms; %.3g ms per step on %d thread%s (%s)\n",
                stats->particles, rill_statistic_value(all, stats, STATISTIC_NEIGHBOURS_MEAN),
                1e3 * rill_statistic_value(all, stats, STATISTIC_DT), ms_per_step(r), rill_world_workers(world),
                rill_world_workers(world) == 1 ? "" : "s", rill_world_simd(world));
        fprintf(out, "  density error %.2f %% (max %.1f %%); fastest particle %.3g m/s\n",
                100 * rill_statistic_value(all, stats, STATISTIC_DENSITY_ERROR_MEAN),
                100 * rill_statistic_value(all, stats, STATISTIC_DENSITY_ERROR_MAX),
                rill_statistic_value(all, stats, STATISTIC_MAX_SPEED));
    }
    char warning[RUN_WARNING_SIZE];
    if (rill_run_warning(r, warning)) fprintf(out, "  warning: %s\n", warning);
    print_gauges(r, out);
    fprintf(out, "  state %016" PRIx64 "\n", rill_world_hash(world));
    if (report->out) fprintf(out, "  %" PRId64 " frames and a snapshot in %s\n", r->next_frame, report->out);
}

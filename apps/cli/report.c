/* SPDX-License-Identifier: MIT */
/* The closing report of a run. */
#include "report.h"

#include "json.h"

#include <inttypes.h>

static void write_vec(json *j, const char *key, rill_vec v, int count) {
    json_array(j, key);
    for (int k = 0; k < count; k++) json_number(j, NULL, (double)(&v.x)[k]);
    json_end_array(j);
}

static void write_bodies(json *j, rill_world *world) {
    const int dim = rill_world_get_def(world)->dim;
    json_array(j, "bodies");
    for (int k = 0; k < rill_world_body_count(world); k++) {
        rill_body_state s;
        if (rill_world_body_state(world, rill_world_body_at(world, k), &s) != RILL_OK) continue;
        json_object(j, NULL);
        json_text(j, "name", rill_world_body(world, k)->name);
        write_vec(j, "position", s.position, dim);
        if (dim == 2) {
            json_number(j, "angle", (double)s.angle);
        } else {
            json_array(j, "quaternion");
            for (int n = 0; n < 4; n++) json_number(j, NULL, (double)s.quaternion[n]);
            json_end_array(j);
        }
        write_vec(j, "velocity", s.velocity, dim);
        if (dim == 2)
            json_number(j, "angular_velocity", (double)s.angular_velocity.z);
        else
            write_vec(j, "angular_velocity", s.angular_velocity, 3);
        write_vec(j, "force", s.force, dim);
        if (dim == 2)
            json_number(j, "torque", (double)s.torque.z);
        else
            write_vec(j, "torque", s.torque, 3);
        json_bool(j, "asleep", s.asleep);
        json_end_object(j);
    }
    json_end_array(j);
}

static void write_gauges(json *j, rill_world *world) {
    json_object(j, "gauges");
    for (int i = 0; i < rill_world_gauge_count(world); i++) {
        const char *name = rill_world_gauge(world, i)->name;
        rill_reading reading;
        if (rill_world_read_gauge_at(world, i, &reading) != RILL_OK) continue;
        if (reading.count == 1) {
            json_number(j, name, reading.value[0]);
            continue;
        }
        json_array(j, name);
        for (int k = 0; k < reading.count; k++) json_number(j, NULL, reading.value[k]);
        json_end_array(j);
    }
    json_end_object(j);
}

static void write_timings(json *j, const run_window *all) {
    json_object(j, "timings");
    for (int phase = 0; phase < RILL_PHASE_COUNT; phase++) {
        json_number(j, rill_phase_name((rill_phase)phase), all->seconds[phase]);
    }
    json_end_object(j);
}

static void write_state(json *j, rill_world *world) {
    const rill_stats *stats = rill_world_stats(world);
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, rill_world_hash(world));
    json_integer(j, "particles", rill_world_particle_count(world));
    json_integer(j, "steps", stats->step);
    json_number(j, "time", stats->time);
    json_number(j, "kinetic_energy", stats->kinetic_energy);
    json_number(j, "potential_energy", stats->potential_energy);
    json_integer(j, "emitted", stats->emitted);
    json_integer(j, "removed", stats->removed);
    json_integer(j, "left_out", stats->left_out);
    json_integer(j, "bytes", (int64_t)stats->bytes);
    json_text(j, "state_hash", hash);
}

static void write_averages(json *j, const run_report *report) {
    const run_window *all = &report->totals->all, *last = run_totals_last(report->totals);
    json_number(j, "wall_s", report->wall);
    json_number(j, "ms_per_step", 1e3 * run_window_mean(all, report->wall));
    json_number(j, "dt_mean", run_window_mean(all, all->dt));
    json_number(j, "substeps_mean", run_window_mean(all, all->substeps));
    json_number(j, "iterations_mean", run_window_mean(all, all->iterations));
    json_number(j, "neighbours_mean", run_window_mean(all, all->neighbours));
    json_number(j, "density_error_mean", run_window_mean(all, all->density_error));
    json_number(j, "density_error_max", all->density_error_max);
    json_number(j, "density_error_mean_last", run_window_mean(last, last->density_error));
    json_number(j, "density_error_max_last", last->density_error_max);
    json_number(j, "max_speed", all->max_speed);
}

void report_json(const run_report *report, FILE *out) {
    json writer = {.out = out}, *j = &writer;
    json_object(j, NULL);
    json_text(j, "scene", report->scene);
    json_text(j, "method", rill_world_method(report->world)->name);
    json_integer(j, "dim", rill_world_get_def(report->world)->dim);
    json_integer(j, "threads", rill_world_workers(report->world));
    json_text(j, "simd", rill_world_simd(report->world));
    json_integer(j, "frames", report->frames);
    write_state(j, report->world);
    write_averages(j, report);
    write_timings(j, &report->totals->all);
    write_gauges(j, report->world);
    write_bodies(j, report->world);
    json_bool(j, "failed", report->error != NULL);
    if (report->error) json_text(j, "error", report->error);
    json_end_object(j);
}

static void print_gauges(rill_world *world, FILE *out) {
    for (int i = 0; i < rill_world_gauge_count(world); i++) {
        rill_reading reading;
        if (rill_world_read_gauge_at(world, i, &reading) != RILL_OK) continue;
        fprintf(out, "  gauge %s:", rill_world_gauge(world, i)->name);
        for (int k = 0; k < reading.count; k++) fprintf(out, " %.6g", reading.value[k]);
        fputc('\n', out);
    }
}

void report_text(const run_report *report, FILE *out) {
    rill_world *world = report->world;
    const rill_stats *stats = rill_world_stats(world);
    const run_window *all = &report->totals->all;
    fprintf(out, "%s, %s, %dD: %.6g s simulated in %" PRId64 " steps, %.3g s on the clock\n", report->scene,
            rill_world_method(world)->name, (int)rill_world_get_def(world)->dim, stats->time, stats->step,
            report->wall);
    if (all->steps) {
        fprintf(out, "  %d particles with %.1f neighbours; dt %.3g ms; %.3g ms per step on %d thread%s (%s)\n",
                rill_world_particle_count(world), run_window_mean(all, all->neighbours),
                1e3 * run_window_mean(all, all->dt), 1e3 * run_window_mean(all, report->wall),
                rill_world_workers(world), rill_world_workers(world) == 1 ? "" : "s", rill_world_simd(world));
        fprintf(out, "  density error %.2f %% (max %.1f %%); fastest particle %.3g m/s\n",
                100 * run_window_mean(all, all->density_error), 100 * all->density_error_max, all->max_speed);
    }
    print_gauges(world, out);
    fprintf(out, "  state %016" PRIx64 "\n", rill_world_hash(world));
    if (report->out) fprintf(out, "  %" PRId64 " frames and a snapshot in %s\n", report->frames, report->out);
}

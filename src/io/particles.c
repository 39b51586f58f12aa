/* SPDX-License-Identifier: MIT */
/* Particles read back from a world or from any file this project writes. */
#include "core/error.h"
#include "io/frame.h"
#include "io/io.h"
#include "io/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void io_particles_free(io_particles *particles) {
    free(particles->position);
    free(particles->velocity);
    free(particles->density);
    free(particles->pressure);
    free(particles->id);
    free(particles->fluid);
    *particles = (io_particles){.time = -1.0};
}

rill_status io_particles_allocate(io_particles *particles, int count, bool density, bool pressure, rill_error *error) {
    size_t n = (size_t)count + 1; /* never zero, so that NULL always means failure */
    *particles = (io_particles){.count = count, .time = -1.0};
    particles->position = calloc(n, sizeof *particles->position);
    particles->velocity = calloc(n, sizeof *particles->velocity);
    particles->id = calloc(n, sizeof *particles->id);
    particles->fluid = calloc(n, sizeof *particles->fluid);
    if (density) particles->density = calloc(n, sizeof *particles->density);
    if (pressure) particles->pressure = calloc(n, sizeof *particles->pressure);
    if (!particles->position || !particles->velocity || !particles->id || !particles->fluid ||
        (density && !particles->density) || (pressure && !particles->pressure)) {
        io_particles_free(particles);
        return rill_fail(error, RILL_MEMORY, "not enough memory for %d particles; close other programs", count);
    }
    for (int k = 0; k < count; k++) particles->id[k] = (uint32_t)k;
    return RILL_OK;
}

int io_particles_guess_dim(const io_particles *particles) {
    for (int k = 0; k < particles->count; k++)
        if (particles->position[k].z != 0.0f) return 3;
    return 2;
}

const char *io_span_find(io_span span, const char *word) {
    size_t length = strlen(word);
    while ((size_t)(span.end - span.begin) >= length) {
        const char *hit = memchr(span.begin, word[0], (size_t)(span.end - span.begin) - length + 1);
        if (!hit) return NULL;
        if (memcmp(hit, word, length) == 0) return hit;
        span.begin = hit + 1;
    }
    return NULL;
}

bool io_span_number(io_span span, double *value) {
    char text[64];
    size_t length = (size_t)(span.end - span.begin);
    if (length >= sizeof text) length = sizeof text - 1;
    memcpy(text, span.begin, length);
    text[length] = '\0';
    char *end;
    double number = strtod(text, &end);
    if (end == text || !isfinite(number)) return false;
    *value = number;
    return true;
}

bool io_span_count(io_span span, uint64_t limit, uint64_t *value) {
    uint64_t number = 0;
    if (span.begin == span.end) return false;
    for (const char *c = span.begin; c < span.end; c++) {
        if (*c < '0' || *c > '9' || number > (UINT64_MAX - 9) / 10) return false;
        number = number * 10 + (uint64_t)(*c - '0');
    }
    *value = number;
    return number <= limit;
}

static float view_float(const rill_view *view, uint32_t particle, int component) {
    uint32_t bits = io_view_bits(view, particle, component);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static rill_vec view_vec(const rill_view *view, uint32_t particle) {
    return (rill_vec){view_float(view, particle, 0), view_float(view, particle, 1), view_float(view, particle, 2)};
}

rill_status io_particles_from_world(const rill_world *world, io_particles *particles, rill_error *error) {
    *particles = (io_particles){.time = -1.0};
    rill_view position, velocity, id, fluid, density, pressure;
    if (rill_world_view(world, "position", &position) != RILL_OK ||
        rill_world_view(world, "velocity", &velocity) != RILL_OK || rill_world_view(world, "id", &id) != RILL_OK)
        return rill_fail(error, RILL_NOT_FOUND, "this world lacks positions, velocities or ids");
    bool has_density = rill_world_view(world, "density", &density) == RILL_OK;
    bool has_pressure = rill_world_view(world, "pressure", &pressure) == RILL_OK;
    bool has_fluid = rill_world_view(world, "fluid", &fluid) == RILL_OK;
    io_frame frame;
    rill_status status = io_frame_open(&frame, world, error);
    if (status != RILL_OK) return status;
    status = io_particles_allocate(particles, frame.count, has_density, has_pressure, error);
    for (int k = 0; status == RILL_OK && k < frame.count; k++) {
        uint32_t i = frame.order[k];
        particles->position[k] = view_vec(&position, i);
        particles->velocity[k] = view_vec(&velocity, i);
        particles->id[k] = io_view_bits(&id, i, 0);
        if (has_fluid) particles->fluid[k] = io_view_bits(&fluid, i, 0);
        if (has_density) particles->density[k] = view_float(&density, i, 0);
        if (has_pressure) particles->pressure[k] = view_float(&pressure, i, 0);
    }
    if (status == RILL_OK) particles->dim = frame.dim, particles->time = frame.time, particles->spacing = frame.spacing;
    io_frame_close(&frame);
    return status;
}

static rill_status particles_from_snapshot(const char *path, const void *data, size_t size, io_particles *particles,
                                           rill_error *error) {
    rill_error reason = {RILL_OK, ""};
    rill_world *world = rill_world_load(data, size, NULL, &reason);
    if (!world) return rill_fail(error, reason.status, "%s: cannot load the snapshot: %s", path, reason.text);
    rill_status status = io_particles_from_world(world, particles, error);
    rill_world_destroy(world);
    return status;
}

static bool starts_with(const void *data, size_t size, const char *word) {
    return size >= strlen(word) && memcmp(data, word, strlen(word)) == 0;
}

rill_status io_read_particles(const char *path, io_particles *particles, rill_error *error) {
    *particles = (io_particles){.time = -1.0};
    void *data;
    size_t size;
    rill_status status = io_read_whole(path, &data, &size, error);
    if (status != RILL_OK) return status;
    if (starts_with(data, size, "RILLSNAP")) {
        status = particles_from_snapshot(path, data, size, particles, error);
    } else if (starts_with(data, size, "ply")) {
        status = io_parse_ply(data, size, path, particles, error);
    } else if (starts_with(data, size, "<?xml") || starts_with(data, size, "<VTKFile")) {
        status = io_parse_vtp(data, size, path, particles, error);
    } else {
        status = rill_fail(error, RILL_FORMAT,
                           "%s: is none of the files that hold particles; expected a .vtp or .ply frame or a snapshot "
                           "as written by this tool",
                           path);
    }
    free(data);
    return status;
}

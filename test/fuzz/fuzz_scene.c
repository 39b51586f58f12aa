/* SPDX-License-Identifier: MIT */
/* Any text is a scene or an error with a message. A scene written out reads back unchanged. Small scenes build, or an
   error says why not. */
#include "fuzz/fuzz.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

/* Larger scenes are not built: the time is better spent on reading. */
#define MOST_PARTICLES 2000

static char *written(const scene *s) {
    char *text = NULL;
    size_t size = 0;
    rill_error error = {0};
    FILE *stream = open_memstream(&text, &size);
    FUZZ_CHECK(stream, "no memory");
    FUZZ_CHECK(!rill_scene_print(s, stream, &error), "a scene cannot be written: %s", error.text);
    fclose(stream);
    return text;
}

static void check_round_trip(const scene *s) {
    rill_error error = {0};
    char *text = written(s);
    scene *again = rill_scene_parse("written", text, strlen(text), &error);
    FUZZ_CHECK(again, "a written scene cannot be read: %s\n%s", error.text, text);
    char *twice = written(again);
    FUZZ_CHECK(!strcmp(text, twice), "a scene changed on its way:\n%s\n%s", text, twice);
    free(text), free(twice);
    rill_scene_free(again);
}

static void grow(rill_vec *low, rill_vec *high, rill_vec point, float margin) {
    low->x = fminf(low->x, point.x - margin), high->x = fmaxf(high->x, point.x + margin);
    low->y = fminf(low->y, point.y - margin), high->y = fmaxf(high->y, point.y + margin);
    low->z = fminf(low->z, point.z - margin), high->z = fmaxf(high->z, point.z + margin);
}

/* Particles that would fill the shape's bounding box; infinite for an unbounded shape. */
static double estimate(const rill_shape *shape, const rill_world_def *world) {
    if (shape->inside || shape->kind == RILL_HALF_SPACE || shape->kind == RILL_COMPOUND) return HUGE_VAL;
    rill_vec low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    if (shape->kind == RILL_BOX) {
        rill_vec edge = {shape->max.x - shape->min.x, shape->max.y - shape->min.y, shape->max.z - shape->min.z};
        /* The margin covers any rotation. */
        grow(&low, &high, shape->min, shape->angle != 0.0f ? fabsf(edge.x) + fabsf(edge.y) + fabsf(edge.z) : 0);
        grow(&low, &high, shape->max, 0);
    } else if (shape->kind == RILL_SPHERE) {
        grow(&low, &high, shape->position, shape->radius);
    } else if (shape->kind == RILL_TORUS) {
        grow(&low, &high, shape->position, shape->radius + shape->tube);
    } else if (shape->kind == RILL_CAPSULE || shape->kind == RILL_CYLINDER) {
        grow(&low, &high, shape->position, shape->radius);
        grow(&low, &high, shape->end, shape->radius);
    } else {
        const float s = shape->scale;
        for (int k = 0; k < shape->points.count; k++) {
            const rill_vec p = shape->points.data[k];
            /* The margin covers any rotation. */
            grow(&low, &high, shape->position, s * (fabsf(p.x) + fabsf(p.y) + fabsf(p.z)) + shape->radius);
        }
    }
    const double dx = (double)world->spacing;
    double cells = ((double)(high.x - low.x) / dx + 2) * ((double)(high.y - low.y) / dx + 2);
    if (world->dim == 3) cells *= (double)(high.z - low.z) / dx + 2;
    return isnan(cells) ? HUGE_VAL : cells;
}

/* True if the distance field of a shape would take long to build, or if the shape names a file: files of the machine
   must not decide what is found. */
static bool is_large(const rill_shape *shape, const rill_world_def *world) {
    if (shape->kind == RILL_COMPOUND) {
        for (int k = 0; k < shape->parts.count; k++)
            if (is_large(&shape->parts.data[k], world)) return true;
        return false;
    }
    if (shape->kind != RILL_HULL && shape->kind != RILL_MESH && shape->kind != RILL_HEIGHTFIELD) return false;
    rill_shape own = *shape;
    own.inside = false;
    rill_world_def cells = *world;
    if (shape->cell > 0) cells.spacing = shape->cell;
    return shape->file[0] || !(estimate(&own, &cells) < MOST_PARTICLES);
}

static bool takes_long(const scene *s) {
    bool large = false;
    for (int k = 0; k < s->block_count; k++) large = large || is_large(&s->blocks[k].shape, &s->world);
    for (int k = 0; k < s->solid_count; k++) large = large || is_large(&s->solids[k].shape, &s->world);
    for (int k = 0; k < s->body_count; k++) large = large || is_large(&s->bodies[k].shape, &s->world);
    for (int k = 0; k < s->sink_count; k++) large = large || is_large(&s->sinks[k].shape, &s->world);
    return large;
}

static void check_build(const scene *s) {
    double particles = 0;
    for (int k = 0; k < s->block_count; k++) particles += estimate(&s->blocks[k].shape, &s->world);
    if (!(particles < MOST_PARTICLES) || takes_long(s)) return;
    rill_error error = {0};
    rill_world *world = rill_scene_build(s, 1, -1, &error);
    FUZZ_CHECK(world || error.text[0], "a scene was not built and nobody said why");
    rill_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    rill_error error = {0};
    scene *s = rill_scene_parse("fuzz", (const char *)data, size, &error);
    FUZZ_CHECK(s || (error.status && error.text[0]), "a scene was refused and nobody said why");
    if (!s) return 0;
    check_round_trip(s);
    check_build(s);
    rill_scene_free(s);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Converts a scene's "picture" section to a picture definition. */
#include "run/scene_picture.h"

#include "core/error.h"

#include <math.h>
#include <stdio.h>

static picture_def def_of_section(const scene_picture *section) {
    return (picture_def){
        .width = section->width,
        .height = section->height,
        .color = section->color,
        .color_min = section->color_min,
        .color_max = section->color_max,
        .min = section->min,
        .max = section->max,
        .eye = section->eye,
        .target = section->target,
        .up = section->up,
        .field_of_view = section->field_of_view,
        .samples = section->samples,
        .shutter = section->shutter,
    };
}

static rill_status take_paints(picture_def *def, const scene *s, rill_error *error) {
    if (s->paint_count > PICTURE_PAINTS_MAX)
        return rill_fail(error, RILL_LIMIT, "the scene has %d paints; at most %d can be used", s->paint_count,
                         PICTURE_PAINTS_MAX);
    for (int k = 0; k < s->paint_count; k++) {
        const scene_paint *from = &s->paints[k];
        picture_paint *to = &def->paints[def->paint_count++];
        *to = (picture_paint){
            .color = {-1, -1, -1}, .depth = from->depth, .refraction = from->refraction, .hidden = !from->shown};
        snprintf(to->of, sizeof to->of, "%s", from->of);
        (void)rill_scene_color(from->color, &to->color);
    }
    return RILL_OK;
}

rill_status rill_scene_picture_make(picture_def *def, const scene *s, const scene_picture *section, const char *title,
                                    rill_error *error) {
    *def = def_of_section(section);
    snprintf(def->links, sizeof def->links, "%s", section->links);
    def->title = title;
    if (!s) return RILL_OK;
    def->surface = &s->surface;
    return take_paints(def, s, error);
}

/* Interpolates between b and c with their outer neighbours a and d (Catmull-Rom spline). */
static float between(float a, float b, float c, float d, float t) {
    return b + 0.5f * t * (c - a + t * (2.0f * a - 5.0f * b + 4.0f * c - d + t * (3.0f * (b - c) + d - a)));
}

static rill_vec point_on(const rill_points *path, double share) {
    const double place = fmin(fmax(share, 0.0), 1.0) * (path->count - 1);
    const int k = place < path->count - 1 ? (int)place : path->count - 2;
    const rill_vec a = path->data[k > 0 ? k - 1 : 0], b = path->data[k], c = path->data[k + 1];
    const rill_vec d = path->data[k + 2 < path->count ? k + 2 : k + 1];
    const float t = (float)(place - k);
    return (rill_vec){between(a.x, b.x, c.x, d.x, t), between(a.y, b.y, c.y, d.y, t), between(a.z, b.z, c.z, d.z, t)};
}

void rill_scene_picture_move(picture_def *def, const scene *s, double time) {
    if (!s || !(time >= 0.0)) return;
    const scene_picture *section = &s->picture;
    const double end = (double)s->run.time;
    def->turn = (float)fmod((double)section->orbit * time, 6.283185307179586);
    if (section->path.count >= 2) def->eye = point_on(&section->path, end > 0.0 ? time / end : 0.0);
    if (section->path.count == 1) def->eye = section->path.data[0];
}

rill_status rill_scene_draw(const rill_scene *s, const rill_frame *frame, const char *look, const char *path,
                            rill_error *error) {
    picture_def def;
    TRY(rill_scene_picture_make(&def, s, &s->picture, s->name, error));
    def.look = rill_choice_index(PICTURE_LOOKS, look);
    if (def.look < 0)
        return rill_fail(error, RILL_INVALID, "look: '%.40s' is not one of particles, surface, water", look);
    rill_scene_picture_move(&def, s, frame->time);
    return rill_picture_write(frame, &def, path, error);
}

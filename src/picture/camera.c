/* SPDX-License-Identifier: MIT */
/* The camera: as the scene places it, or so that everything is in view. */
#include "picture/solid_raymarch.h"

rill_vec rill_picture_corner(picture_box b, int k) {
    return (rill_vec){k & 1 ? b.max.x : b.min.x, k & 2 ? b.max.y : b.min.y, k & 4 ? b.max.z : b.min.z};
}

static void look(camera *c, rill_vec forward, rill_vec up) {
    c->forward = forward;
    rill_vec right = vec_cross(forward, up);
    if (vec_length(right) < 1e-4f)
        right = vec_cross(forward, fabsf(forward.y) < 0.9f ? (rill_vec){0, 1, 0} : (rill_vec){1, 0, 0});
    c->right = vec_unit(right, (rill_vec){1, 0, 0});
    c->up = vec_cross(c->right, forward);
}

/* Moves the eye until the box fills the frame: its distance follows from the corners, its aim from their middle. */
static void fit(camera *c, picture_box box, float width, float height) {
    rill_vec target = vec_scale(vec_add(box.min, box.max), 0.5f);
    for (int round = 0; round < 4; round++) {
        float distance = 0.0f, left = 1e30f, right = -1e30f, low = 1e30f, high = -1e30f;
        for (int k = 0; k < 8; k++) {
            rill_vec p = vec_sub(rill_picture_corner(box, k), target);
            float z = vec_dot(p, c->forward);
            distance = fmaxf(distance, fabsf(vec_dot(p, c->right)) * c->focal / (0.48f * width) - z);
            distance = fmaxf(distance, fabsf(vec_dot(p, c->up)) * c->focal / (0.48f * height) - z);
        }
        c->eye = vec_sub(target, vec_scale(c->forward, distance));
        for (int k = 0; k < 8; k++) {
            rill_vec p = vec_sub(rill_picture_corner(box, k), c->eye);
            float z = vec_dot(p, c->forward), x = vec_dot(p, c->right) / z, y = vec_dot(p, c->up) / z;
            left = fminf(left, x), right = fmaxf(right, x), low = fminf(low, y), high = fmaxf(high, y);
        }
        target = vec_add(target, vec_add(vec_scale(c->right, 0.5f * (left + right) * distance),
                                         vec_scale(c->up, 0.5f * (low + high) * distance)));
    }
}

static rill_vec turned(rill_vec v, float cosine, float sine) {
    return (rill_vec){cosine * v.x - sine * v.y, sine * v.x + cosine * v.y, v.z};
}

camera rill_picture_camera(const drawing *d, int width, int height) {
    const picture_def *def = d->def;
    const rill_vec above = {0, 0, 1};
    float view = def->field_of_view > 0.01f && def->field_of_view < 3.0f ? def->field_of_view : 0.6f;
    camera c = {
        .x0 = 0.5f * (float)width, .y0 = 0.5f * (float)height, .focal = 0.5f * (float)height / tanf(0.5f * view)};
    const float cosine = cosf(def->turn), sine = sinf(def->turn);
    if (vec_equal(def->eye, def->target) || !vec_finite(def->eye) || !vec_finite(def->target)) {
        look(&c, vec_unit(turned((rill_vec){-0.46f, 1.0f, -0.44f}, cosine, sine), above), above);
        fit(&c, d->bounds, (float)width, (float)height);
    } else {
        c.eye = vec_add(def->target, turned(vec_sub(def->eye, def->target), cosine, sine));
        look(&c, vec_unit(vec_sub(def->target, c.eye), (rill_vec){0, 1, 0}), vec_unit(def->up, above));
    }
    return c;
}

/* SPDX-License-Identifier: MIT */
/* Turns a quantity of particles into colours. */
#include "apps/cli/show/mesh_colors.h"

#include "apps/cli/options/picture_options.h"
#include "core/error.h"
#include "picture/colormap.h"

#include <math.h>
#include <stdlib.h>

rill_status mesh_colors_choose(mesh_colors *c, const char *what, const char *const range[2], rill_error *error) {
    c->wanted = what != NULL;
    if (!what) return range[0] ? rill_fail(error, RILL_INVALID, "--range is of use only with --color") : RILL_OK;
    c->color = rill_choice_index("speed|density|pressure", what);
    if (c->color < 0)
        return rill_fail(error, RILL_INVALID, "--color %s: expected one of speed, density, pressure", what);
    return range[0] ? picture_options_range(range, c->color, &c->low, &c->high, error) : RILL_OK;
}

rill_status mesh_colors_make(mesh_colors *c, const rill_frame *frame, const rill_vec **colors, rill_error *error) {
    *colors = NULL;
    if (!c->wanted) return RILL_OK;
    const rill_view *field = rill_picture_field(frame, c->color);
    const int count = frame->count;
    if (!field && c->color != PICTURE_SPEED)
        return rill_fail(error, RILL_NOT_FOUND, "these particles have no %s; colour them by speed",
                         c->color == PICTURE_DENSITY ? "density" : "pressure");
    if (count >= c->room) {
        rill_vec *data = realloc(c->data, ((size_t)count + 1) * sizeof *data);
        if (!data) return rill_fail(error, RILL_MEMORY, "out of memory for %d colours", count);
        c->data = data, c->room = count + 1;
    }
    float low = c->low, high = c->high;
    for (int k = 0; k < count && !(c->low < c->high); k++)
        high = fmaxf(high, rill_picture_field_value(frame, field, k));
    if (!(low < high)) high = low + 1.0f;
    for (int k = 0; k < count; k++) {
        const rgb color =
            rill_picture_map((picture_color)c->color, (rill_picture_field_value(frame, field, k) - low) / (high - low));
        c->data[k] = (rill_vec){color.r, color.g, color.b};
    }
    *colors = c->data;
    return RILL_OK;
}

void mesh_colors_free(mesh_colors *c) {
    free(c->data);
}

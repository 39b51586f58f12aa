/* SPDX-License-Identifier: MIT */
/* Chooses the view and the colour range from the data, so that a few stray particles spoil neither. */
#include "core/error.h"
#include "picture/drawing.h"

#include <float.h>
#include <stdlib.h>

/* Percentiles are computed from a sample of at most this many particles, evenly picked. */
#define SAMPLES 16384
/* Lengths beyond this overflow a float when squared. */
#define FARTHEST 1e12f

typedef struct spread {
    float least, most; /* of all */
    float low, high;   /* percentiles of the sample */
    float middle;
    int count;
} spread;

static int compare_floats(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

typedef float quantity_fn(const drawing *d, int k); /* NaN: leave this particle out */

static spread measure(const drawing *d, quantity_fn *quantity, float low_share, float high_share, float *scratch) {
    spread s = {.least = FLT_MAX, .most = -FLT_MAX};
    int n = d->frame->count, step = n / SAMPLES + 1, taken = 0;
    for (int k = 0; k < n; k++) {
        float value = quantity(d, k);
        if (!isfinite(value)) continue;
        s.least = fminf(s.least, value), s.most = fmaxf(s.most, value);
        if (s.count++ % step == 0) scratch[taken++] = value;
    }
    if (taken == 0) return (spread){0};
    qsort(scratch, (size_t)taken, sizeof *scratch, compare_floats);
    s.low = scratch[(int)(low_share * (float)(taken - 1))];
    s.high = scratch[(int)ceilf(high_share * (float)(taken - 1))];
    s.middle = scratch[taken / 2];
    return s;
}

static bool drawable(const drawing *d, int k) {
    rill_vec x = picture_position(d, k);
    return fabsf(x.x) < FARTHEST && fabsf(x.y) < FARTHEST && fabsf(x.z) < FARTHEST;
}

static float position_x(const drawing *d, int k) {
    return drawable(d, k) ? picture_position(d, k).x : NAN;
}

static float position_y(const drawing *d, int k) {
    return drawable(d, k) ? picture_position(d, k).y : NAN;
}

static float position_z(const drawing *d, int k) {
    return drawable(d, k) ? picture_position(d, k).z : NAN;
}

const rill_view *rill_picture_field(const rill_frame *frame, int color) {
    return rill_frame_field(frame, color == PICTURE_DENSITY    ? "density"
                                   : color == PICTURE_PRESSURE ? "pressure"
                                                               : "velocity");
}

float rill_picture_field_value(const rill_frame *frame, const rill_view *field, int k) {
    const rill_vec v = rill_frame_vec(frame, field, k);
    if (field && field->components == 1) return v.x;
    return (float)hypot(hypot((double)v.x, (double)v.y), (double)v.z);
}

float rill_picture_value(const drawing *d, int k) {
    return d->shown || d->color == PICTURE_SPEED ? rill_picture_field_value(d->frame, d->shown, k) : NAN;
}

double rill_picture_nice(double value) {
    if (!(value > 0.0) || !isfinite(value)) return 1.0;
    double power = pow(10.0, floor(log10(value)));
    double share = value / power * (1.0 + 1e-9);
    return power * (share >= 5.0 ? 5.0 : share >= 2.0 ? 2.0 : 1.0);
}

/* ---- view ---- */
/* Splashes are in view up to three quarters of the main body's size away from it. */
static void reach_of(spread s, float margin, float *min, float *max) {
    float reach = 0.75f * (s.high - s.low) + margin;
    *min = s.low - reach;
    *max = s.high + reach;
}

void rill_picture_include(picture_box *box, rill_vec p) {
    box->min = (rill_vec){fminf(box->min.x, p.x), fminf(box->min.y, p.y), fminf(box->min.z, p.z)};
    box->max = (rill_vec){fmaxf(box->max.x, p.x), fmaxf(box->max.y, p.y), fmaxf(box->max.z, p.z)};
}

static float size_of(picture_box box) {
    rill_vec d = vec_sub(box.max, box.min);
    return fmaxf(fmaxf(d.x, d.y), d.z);
}

rill_vec rill_picture_offset(const rill_frame *frame, int solid) {
    const rill_transform *t = &frame->solid[solid].transform;
    return vec_sub(t->centre, rill_transform_point_back(t, t->centre));
}

/* The extent of a solid; false for shapes without an end. */
static bool solid_box(const rill_frame *frame, int k, picture_box *box) {
    const rill_shape *shape = rill_frame_shape(frame, k);
    rill_shape_surface surface;
    *box = (picture_box){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    const bool made = rill_shape_surface_make(shape, frame->dim, 0.0, &surface, NULL) == RILL_OK;
    for (int i = 0; made && i < surface.point_count; i++)
        rill_picture_include(box, rill_transform_point(&frame->solid[k].transform, surface.point[i]));
    rill_shape_surface_free(&surface);
    return box->min.x <= box->max.x;
}

/* Includes nozzles and the top of their jets. */
static void include_emitters(drawing *d) {
    const rill_vec g = d->frame->gravity;
    const float pull = vec_length(g);
    for (int k = 0; k < d->frame->emitter_count; k++) {
        const rill_emitter_def *e = &d->frame->emitter[k];
        const rill_vec v = vec_scale(vec_unit(e->direction, (rill_vec){1, 0, 0}), e->speed);
        const float rising = pull > 0.0f ? -vec_dot(v, g) / pull : 0.0f, time = pull > 0.0f ? rising / pull : 0.0f;
        rill_picture_include(&d->bounds, e->position);
        if (!(time > 0.0f)) continue;
        const rill_vec top = vec_add(vec_add(e->position, vec_scale(v, time)), vec_scale(g, 0.5f * time * time));
        rill_picture_include(&d->bounds, top);
    }
}

/* Solids belong to the view, but a solid vast beside the fluid is left out: the fluid would shrink to a dot. */
static void include_solids(drawing *d) {
    picture_box fluid = d->bounds;
    float most = 30.0f * fmaxf(size_of(fluid), 4.0f * d->radius);
    bool has_particles = d->frame->count > d->skipped;
    for (int k = 0; k < d->frame->solid_count; k++) {
        picture_box solid, both = fluid;
        if (!solid_box(d->frame, k, &solid)) continue;
        if (!has_particles) {
            both = fluid = solid, d->bounds = k ? d->bounds : solid;
            most = 30.0f * size_of(solid);
            has_particles = true;
        }
        rill_picture_include(&both, solid.min), rill_picture_include(&both, solid.max);
        if (size_of(both) <= most)
            rill_picture_include(&d->bounds, solid.min), rill_picture_include(&d->bounds, solid.max);
    }
    if (d->frame->dim == 2) d->bounds.min.z = d->bounds.max.z = 0.0f;
}

/* Without a spacing in the file, the particles are assumed to fill their box evenly. */
static float guess_radius(const drawing *d) {
    if (d->frame->spacing > 0.0f && d->frame->spacing < FARTHEST) return 0.5f * d->frame->spacing;
    rill_vec size = vec_sub(d->bounds.max, d->bounds.min);
    float least = 1e-2f * size_of(d->bounds);
    if (!(least > 0.0f)) return 0.05f; /* all in one point */
    float area = fmaxf(size.x, least) * fmaxf(size.y, least), drawn = (float)(d->frame->count - d->skipped + 1);
    return 0.5f * (d->frame->dim == 2 ? sqrtf(area / drawn) : cbrtf(area * fmaxf(size.z, least) / drawn));
}

/* The box of all particles but those far away from most others. */
static picture_box fluid_box(drawing *d, float *scratch) {
    float margin = 10.0f * fmaxf(d->frame->spacing, 0.0f);
    spread x = measure(d, position_x, 0.005f, 0.995f, scratch), y = measure(d, position_y, 0.005f, 0.995f, scratch);
    spread z = measure(d, position_z, 0.005f, 0.995f, scratch);
    picture_box near, box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    reach_of(x, margin, &near.min.x, &near.max.x);
    reach_of(y, margin, &near.min.y, &near.max.y);
    reach_of(z, margin, &near.min.z, &near.max.z);
    d->skipped = d->frame->count - x.count;
    for (int k = 0; k < d->frame->count; k++) {
        rill_vec p = picture_position(d, k);
        if (p.x >= near.min.x && p.x <= near.max.x && p.y >= near.min.y && p.y <= near.max.y && p.z >= near.min.z &&
            p.z <= near.max.z)
            rill_picture_include(&box, p);
    }
    return box.min.x <= box.max.x ? box : (picture_box){{0, 0, 0}, {0, 0, 0}};
}

/* Adds room for whole discs, for a view of particles that are all in one point, and for the rounding of floats far from
   the origin. */
static void widen(drawing *d) {
    picture_box *b = &d->bounds;
    float away = fmaxf(fmaxf(fabsf(b->min.x), fabsf(b->max.x)), fmaxf(fabsf(b->min.y), fabsf(b->max.y)));
    away = fmaxf(away, fmaxf(fabsf(b->min.z), fabsf(b->max.z)));
    float size = size_of(*b), room = size > 0.0f ? fmaxf(d->radius, 0.015f * size) : 10.0f * d->radius;
    room = fmaxf(room, 1e-4f * away - 0.5f * size);
    rill_vec around = {room, room, d->frame->dim == 3 ? room : 0.0f};
    b->min = vec_sub(b->min, around);
    b->max = vec_add(b->max, around);
}

static void choose_view(drawing *d, float *scratch) {
    d->bounds = fluid_box(d, scratch);
    d->radius = guess_radius(d);
    include_solids(d);
    include_emitters(d);
    widen(d);
    if (d->def->view_max.x > d->def->view_min.x && d->def->view_max.y > d->def->view_min.y)
        d->bounds = (picture_box){d->def->view_min, d->def->view_max};
}

/* ---- colours ---- */
static void choose_colors(drawing *d, float *scratch) {
    d->color_min = d->def->color_min, d->color_max = d->def->color_max;
    if (d->color_min != d->color_max && isfinite(d->color_min) && isfinite(d->color_max)) return;
    spread s = measure(d, rill_picture_value, 0.02f, 0.98f, scratch);
    d->color_min = s.low, d->color_max = s.high;
    if (d->color == PICTURE_SPEED) {
        d->color_min = 0.0f;
    } else if (d->color == PICTURE_DENSITY) {
        /* Symmetric about the median density, and wide enough that rounding errors do not show. */
        float reach = fmaxf(fmaxf(s.high - s.middle, s.middle - s.low), 1e-3f * fabsf(s.middle));
        d->color_min = s.middle - reach, d->color_max = s.middle + reach;
    } else if (s.low < 0.0f && s.high > 0.0f && -s.low > 0.1f * s.high) {
        float reach = fmaxf(-s.low, s.high);
        d->color_min = -reach, d->color_max = reach;
    } else {
        d->color_min = fminf(s.low, 0.0f), d->color_max = fmaxf(s.high, 0.0f);
    }
    float least = fmaxf(1e-5f * fmaxf(fabsf(d->color_min), fabsf(d->color_max)), 1e-6f);
    if (!(d->color_max - d->color_min > least)) d->color_max = d->color_min + fmaxf(least, 1.0f);
}

rill_status rill_picture_bounds(const rill_frame *frame, const picture_def *def, rill_vec *min, rill_vec *max,
                                rill_error *error) {
    drawing d = rill_picture_begin(frame, def);
    const rill_status status = rill_picture_choose(&d, error);
    *min = d.bounds.min, *max = d.bounds.max;
    return status;
}

static float fastest_jet(const rill_frame *frame) {
    float speed = 0.0f;
    for (int k = 0; k < frame->emitter_count; k++) speed = fmaxf(speed, frame->emitter[k].speed);
    return speed;
}

/* The range of colours that a run is expected to need, guessed from its first frame. Equal bounds: no guess. */
static void expected_range(const rill_frame *first, const picture_def *def, float *low, float *high) {
    const float pull = vec_length(first->gravity),
                height = first->dim == 3 ? def->view_max.z - def->view_min.z : def->view_max.y - def->view_min.y;
    float least = FLT_MAX, most = 0.0f;
    for (int k = 0; k < first->fluid_count; k++) {
        least = fminf(least, first->fluid[k].density);
        most = fmaxf(most, first->fluid[k].density);
    }
    *low = *high = 0.0f;
    if (def->color == PICTURE_SPEED)
        *high = fmaxf(0.7f * sqrtf(2.0f * pull * fmaxf(height, 0.0f)), fastest_jet(first));
    else if (def->color == PICTURE_PRESSURE)
        *high = most * pull * fmaxf(height, 0.0f);
    else if (most > 0.0f)
        *low = 0.95f * least, *high = 1.05f * most;
}

rill_status rill_picture_settle(const rill_frame *first, picture_def *def, rill_error *error) {
    TRY(rill_picture_bounds(first, def, &def->view_min, &def->view_max, error));
    float low, high;
    if (def->color_min < def->color_max) return RILL_OK;
    expected_range(first, def, &low, &high);
    if (isfinite(high) && high > low) def->color_min = low, def->color_max = high;
    return RILL_OK;
}

rill_status rill_picture_choose(drawing *d, rill_error *error) {
    float *scratch = malloc(SAMPLES * 2 * sizeof *scratch);
    if (!scratch) return rill_fail(error, RILL_MEMORY, "not enough memory to draw %d particles", d->frame->count);
    choose_view(d, scratch);
    choose_colors(d, scratch);
    free(scratch);
    return RILL_OK;
}

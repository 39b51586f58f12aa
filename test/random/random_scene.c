/* SPDX-License-Identifier: MIT */
/* Draws a scene from a seed. The fluid lies in columns at the bottom of a domain, bodies and emitters above it; solids
   and sinks are anywhere. Sizes are multiples of the spacing, speeds multiples of that after a fall through the
   domain. */
#include "random/random_scene.h"

#include "model/gauge_kind.h"

#include <math.h>
#include <string.h>

#define COUNT_OF(array) (int)(sizeof(array) / sizeof *(array))
#define COLUMNS         3 /* of fluid, side by side along x */

/* Lengths of the domain in spacings: 2D, 3D. The last axis of each points up. */
static const float extents[2][3] = {{30, 24, 0}, {12, 8, 12}};

/* ---- random numbers (SplitMix64) ---- */

typedef struct dice {
    uint64_t state;
} dice;

static uint64_t bits(dice *d) {
    uint64_t z = d->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static float between(dice *d, float low, float high) {
    return low + (high - low) * ((float)(bits(d) >> 40) * 0x1p-24f);
}

/* A whole number in [low, high]. */
static int whole(dice *d, int low, int high) {
    return low + (int)(bits(d) % (uint64_t)(high - low + 1));
}

static bool chance(dice *d, float share) {
    return between(d, 0, 1) < share;
}

/* A factor between 1/most and most, as likely up as down. */
static float factor(dice *d, float most) {
    return expf(between(d, -1, 1) * logf(most));
}

/* ---- drawing ---- */

typedef struct draw {
    dice dice;
    random_scene *out;
    scene *scene;
    int dim;
    float dx;
    rill_vec extent; /* of the domain, whose lower corner is the origin [m] */
    float speed;     /* of a fall through the domain [m/s] */
} draw;

static rill_vec vec_in(draw *d, float low, float high) {
    rill_vec v = {between(&d->dice, low, high), between(&d->dice, low, high), between(&d->dice, low, high)};
    if (d->dim == 2) v.z = 0;
    return v;
}

static rill_vec plus(rill_vec a, float scale, rill_vec b) {
    return (rill_vec){a.x + scale * b.x, a.y + scale * b.y, a.z + scale * b.z};
}

static float *up_of(const draw *d, rill_vec *v) {
    return d->dim == 2 ? &v->y : &v->z;
}

/* A place in the domain, between two shares of its height. */
static rill_vec place_in(draw *d, float low, float high) {
    rill_vec p = vec_in(d, 0, 1);
    *up_of(d, &p) = between(&d->dice, low, high);
    return (rill_vec){p.x * d->extent.x, p.y * d->extent.y, p.z * d->extent.z};
}

static rill_vec direction(draw *d) {
    rill_vec v = vec_in(d, -1, 1);
    v.x += v.x < 0 ? -0.1f : 0.1f;
    return v;
}

static rill_vec *take_points(draw *d, rill_points *list, int count) {
    rill_vec *data = d->out->points + d->out->point_count;
    d->out->point_count += count;
    *list = (rill_points){data, count};
    return data;
}

static float *take_numbers(draw *d, rill_numbers *list, int count) {
    float *data = d->out->numbers + d->out->number_count;
    d->out->number_count += count;
    *list = (rill_numbers){data, count};
    return data;
}

static void name_it(char *name, const char *noun, int index) {
    snprintf(name, RILL_NAME_SIZE, "%s %d", noun, index);
}

/* ---- shapes ---- */

/* The purpose of a shape decides which kinds are allowed. */
enum { FOR_PART = 1, FOR_BLOCK = 2, FOR_BODY = 4, FOR_SOLID = 8, FOR_SINK = 16 };
#define FINITE (FOR_PART | FOR_BLOCK | FOR_BODY | FOR_SOLID | FOR_SINK)

static void draw_half_space(draw *d, rill_shape *s, rill_vec centre, float size) {
    s->position = plus(centre, size, direction(d)), s->normal = direction(d);
    *up_of(d, &s->position) *= 0.3f;
}

static void draw_box(draw *d, rill_shape *s, rill_vec centre, float size) {
    const rill_vec half = vec_in(d, 0.4f * size, size);
    s->min = plus(centre, -1, half), s->max = plus(centre, 1, half);
    if (chance(&d->dice, 0.5f)) s->angle = between(&d->dice, -3, 3), s->axis = direction(d);
}

static void draw_sphere(draw *d, rill_shape *s, rill_vec centre, float size) {
    s->position = centre, s->radius = between(&d->dice, 0.5f * size, size);
}

static void draw_rod(draw *d, rill_shape *s, rill_vec centre, float size) {
    const rill_vec along = direction(d);
    s->position = plus(centre, -0.6f * size, along), s->end = plus(centre, 0.6f * size, along);
    s->radius = between(&d->dice, 0.3f, 0.5f) * size;
}

static void draw_torus(draw *d, rill_shape *s, rill_vec centre, float size) {
    s->position = centre, s->normal = direction(d);
    s->radius = 0.7f * size, s->tube = 0.3f * size;
}

/* Points and parts are given in a frame of their own. */
static void draw_frame(draw *d, rill_shape *s, rill_vec centre) {
    s->position = centre, s->angle = between(&d->dice, -3, 3), s->axis = direction(d);
    s->scale = factor(&d->dice, 1.3f);
}

static void draw_polygon(draw *d, rill_shape *s, rill_vec centre, float size) {
    const int count = whole(&d->dice, 3, 8);
    rill_vec *p = take_points(d, &s->points, count);
    draw_frame(d, s, centre);
    for (int k = 0; k < count; k++) {
        const float angle = 6.2831853f * (float)k / (float)count, reach = between(&d->dice, 0.5f, 1) * size;
        p[k] = (rill_vec){reach * cosf(angle), reach * sinf(angle), 0};
    }
}

static void draw_segments(draw *d, rill_shape *s, rill_vec centre, float size) {
    const int count = whole(&d->dice, 2, 5);
    rill_vec *p = take_points(d, &s->points, count);
    draw_frame(d, s, centre);
    s->radius = between(&d->dice, 0.5f, 1) * d->dx;
    for (int k = 0; k < count; k++)
        p[k] = (rill_vec){size * (float)(2 * k - count + 1) / (float)count, between(&d->dice, -size, size), 0};
}

static void draw_hull(draw *d, rill_shape *s, rill_vec centre, float size) {
    const int count = whole(&d->dice, d->dim + 3, 12);
    rill_vec *p = take_points(d, &s->points, count);
    draw_frame(d, s, centre);
    for (int k = 0; k < count; k++) p[k] = vec_in(d, -size, size);
}

/* An octahedron with uneven corners. */
static void draw_mesh(draw *d, rill_shape *s, rill_vec centre, float size) {
    rill_vec corner[6] = {{0}};
    for (int k = 0; k < 6; k++) (&corner[k].x)[k / 2] = (k % 2 ? -1.0f : 1.0f) * between(&d->dice, 0.6f, 1) * size;
    rill_vec *p = take_points(d, &s->points, 24);
    draw_frame(d, s, centre);
    for (int face = 0; face < 8; face++)
        for (int axis = 0; axis < 3; axis++) p[3 * face + axis] = corner[2 * axis + ((face >> axis) & 1)];
}

/* Ground under the whole domain. */
static void draw_heightfield(draw *d, rill_shape *s, rill_vec centre, float size) {
    (void)centre;
    const int columns = whole(&d->dice, 3, 6), rows = d->dim == 2 ? 1 : whole(&d->dice, 3, 5);
    rill_vec *p = take_points(d, &s->points, columns * rows);
    for (int k = 0; k < columns * rows; k++) {
        const float x = 1.4f * (float)(k % columns) / (float)(columns - 1) - 0.2f;
        const float y = rows > 1 ? 1.4f * (float)(k / columns) / (float)(rows - 1) - 0.2f : 0;
        p[k] = (rill_vec){x * d->extent.x, y * d->extent.y, 0};
        *up_of(d, &p[k]) = between(&d->dice, -0.5f, 0.5f) * size;
    }
    if (d->dim == 3) s->columns = columns;
}

static void draw_shape(draw *d, rill_shape *s, int purpose, rill_vec centre, float size);

static void draw_compound(draw *d, rill_shape *s, rill_vec centre, float size) {
    const int count = whole(&d->dice, 1, 3);
    rill_shape *parts = d->out->parts + d->out->part_count;
    d->out->part_count += count;
    s->parts = (rill_parts){parts, count};
    for (int k = 0; k < count; k++)
        draw_shape(d, &parts[k], FOR_PART, vec_in(d, -0.5f * size, 0.5f * size), 0.8f * size);
    draw_frame(d, s, centre);
}

static const struct {
    rill_shape_kind kind;
    int lowest_dim, highest_dim, purposes;
    void (*draw)(draw *d, rill_shape *s, rill_vec centre, float size);
} shape_kinds[] = {
    {RILL_HALF_SPACE, 2, 3, FOR_SOLID | FOR_SINK, draw_half_space},
    {RILL_BOX, 2, 3, FINITE, draw_box},
    {RILL_SPHERE, 2, 3, FINITE, draw_sphere},
    {RILL_CAPSULE, 2, 3, FINITE, draw_rod},
    {RILL_POLYGON, 2, 2, FINITE, draw_polygon},
    {RILL_SEGMENTS, 2, 2, FINITE & ~(FOR_BODY | FOR_PART), draw_segments},
    {RILL_CYLINDER, 3, 3, FINITE, draw_rod},
    {RILL_TORUS, 3, 3, FINITE, draw_torus},
    {RILL_HULL, 2, 3, FINITE, draw_hull},
    {RILL_MESH, 3, 3, FINITE, draw_mesh},
    {RILL_HEIGHTFIELD, 2, 3, FOR_SOLID, draw_heightfield},
    {RILL_COMPOUND, 2, 3, FINITE & ~FOR_PART, draw_compound},
};

static void draw_shape(draw *d, rill_shape *s, int purpose, rill_vec centre, float size) {
    *s = rill_shape_default();
    int k;
    do {
        k = whole(&d->dice, 0, COUNT_OF(shape_kinds) - 1);
    } while (!(shape_kinds[k].purposes & purpose) || d->dim < shape_kinds[k].lowest_dim ||
             d->dim > shape_kinds[k].highest_dim);
    s->kind = (int32_t)shape_kinds[k].kind;
    shape_kinds[k].draw(d, s, centre, size);
}

/* ---- motion ---- */

static void draw_keyframes(draw *d, rill_motion *m) {
    const int count = whole(&d->dice, 2, 4);
    float *times = take_numbers(d, &m->times, count), *angles = take_numbers(d, &m->angles, count);
    rill_vec *offsets = take_points(d, &m->offsets, count);
    rill_vec *turns = d->dim == 3 && chance(&d->dice, 0.5f) ? take_points(d, &m->turns, count) : NULL;
    float time = 0;
    for (int k = 0; k < count; k++) {
        times[k] = time, time += between(&d->dice, 1, 4) * d->dx / d->speed;
        offsets[k] = vec_in(d, -0.5f * d->dx, 0.5f * d->dx), angles[k] = between(&d->dice, -0.1f, 0.1f);
        if (turns) turns[k] = vec_in(d, -0.1f, 0.1f);
    }
    m->repeat = chance(&d->dice, 0.5f);
    if (turns && m->repeat) turns[count - 1] = turns[0];
}

static void draw_motion(draw *d, rill_motion *m, rill_vec centre) {
    m->pivot = plus(centre, d->dx, direction(d)), m->axis = direction(d);
    if (chance(&d->dice, 0.4f)) m->velocity = vec_in(d, -0.3f * d->speed, 0.3f * d->speed);
    if (chance(&d->dice, 0.3f)) m->spin = between(&d->dice, -3, 3);
    if (chance(&d->dice, 0.3f)) {
        m->frequency = between(&d->dice, 0.5f, 5), m->phase = between(&d->dice, -3, 3);
        m->amplitude = vec_in(d, -d->dx, d->dx), m->swing = between(&d->dice, -0.2f, 0.2f);
    }
    if (chance(&d->dice, 0.3f)) draw_keyframes(d, m);
    if (chance(&d->dice, 0.2f)) m->start_time = 2 * d->dx / d->speed;
    if (chance(&d->dice, 0.2f)) m->end_time = 6 * d->dx / d->speed;
}

/* ---- world and method ---- */

static void draw_world(draw *d) {
    rill_world_def *w = &d->scene->world;
    *w = rill_world_def_default(d->dim);
    snprintf(w->method, sizeof w->method, "%s", rill_method(whole(&d->dice, 0, rill_method_count() - 1))->name);
    w->spacing = d->dx, w->seed = whole(&d->dice, 0, 1000), w->walls = whole(&d->dice, 0, RILL_WALLS_SAMPLES);
    if (chance(&d->dice, 0.3f)) w->support_ratio = between(&d->dice, 1.6f, 2.6f);
    if (chance(&d->dice, 0.1f)) w->scp = d->dim == 2 ? between(&d->dice, 0.2f, 0.5f) : between(&d->dice, 0.1f, 0.3f);
    if (chance(&d->dice, 0.1f)) w->gravity = (rill_vec){0};
    if (chance(&d->dice, 0.2f)) w->gravity = vec_in(d, -10, 10);
    if (chance(&d->dice, 0.2f)) w->wall_distance = between(&d->dice, 0.3f, 0.6f);
    if (chance(&d->dice, 0.2f)) w->cfl = between(&d->dice, 0.3f, 1);
    if (chance(&d->dice, 0.2f)) w->dt_max = 0.2f * d->dx / d->speed;
    w->calibrate_mass = chance(&d->dice, 0.8f);
    w->sleep_time = chance(&d->dice, 0.3f) ? 0.001f : w->sleep_time;
    if (chance(&d->dice, 0.4f))
        for (int axis = 0; axis < d->dim; axis++)
            if (chance(&d->dice, 0.5f)) (&w->periodic.x)[axis] = (&d->extent.x)[axis];
    if (chance(&d->dice, 0.3f)) w->periodic_origin = vec_in(d, -0.5f * d->extent.x, 0.5f * d->extent.x);
}

/* A value near the default, where a method is meant to work; 0 often stands for an automatic choice and stays. */
static double near_default(draw *d, const rill_param *row) {
    double value = row->initial;
    if (row->initial > 0)
        value *= (double)factor(&d->dice, 2);
    else if (row->max <= 1)
        value = (double)between(&d->dice, 0, 0.05f);
    if (row->type == RILL_TYPE_INT) value = floor(value + 0.5);
    return fmin(fmax(value, row->min), row->max);
}

static int choices_of(const rill_param *row) {
    int count = 1;
    for (const char *c = row->choices; *c; c++) count += *c == '|';
    return count;
}

static void draw_method(draw *d) {
    const rill_table *table = rill_method_find(d->scene->world.method)->table;
    scene_method *m = &d->out->method;
    snprintf(m->name, sizeof m->name, "%s", d->scene->world.method);
    m->params = d->out->params, m->given = d->out->given;
    d->scene->methods = m, d->scene->method_count = 1;
    rill_table_defaults(table, m->params);
    for (int k = 0; k < table->count && k < RANDOM_PARAMS; k++) {
        const rill_param *row = &table->params[k];
        char name[RILL_NAME_SIZE];
        if (!chance(&d->dice, 0.1f)) continue;
        if (row->type == RILL_TYPE_CHOICE) {
            rill_choice_name(row->choices, whole(&d->dice, 0, choices_of(row) - 1), name, sizeof name);
            m->given[k] = rill_param_set_text(row, m->params, name, NULL) == RILL_OK;
        } else if (row->type == RILL_TYPE_BOOL)
            m->given[k] =
                rill_param_set_text(row, m->params, chance(&d->dice, 0.5f) ? "true" : "false", NULL) == RILL_OK;
        else
            m->given[k] = rill_param_set_number(row, m->params, near_default(d, row), NULL) == RILL_OK;
    }
}

/* ---- fluids and blocks ---- */

static bool method_says(const draw *d, const char *key, const char *value) {
    char text[RILL_NAME_SIZE] = "";
    const rill_param *row = rill_table_find(rill_method_find(d->scene->world.method)->table, key);
    if (row) rill_param_get_text(row, d->out->params, d->dim, text, sizeof text);
    return !strcmp(text, value);
}

/* True if the method's parameters make it ignore viscosity. */
static bool has_no_viscosity(const draw *d) {
    return method_says(d, "viscosity_rule", "damping") || method_says(d, "numbers", "thesis");
}

static void draw_fluids(draw *d) {
    int materials = 0;
    while (rill_material_name(materials)) materials++;
    d->scene->fluid_count = whole(&d->dice, 1, 3);
    for (int k = 0; k < d->scene->fluid_count; k++) {
        rill_fluid_def *f = &d->out->fluids[k];
        *f = rill_fluid_def_default();
        if (chance(&d->dice, 0.5f)) rill_material_find(rill_material_name(whole(&d->dice, 0, materials - 1)), f, NULL);
        if (chance(&d->dice, 0.3f)) f->density *= factor(&d->dice, 2);
        /* A value without effect is refused, unless it comes with a material. */
        if (chance(&d->dice, 0.3f)) f->viscosity = (has_no_viscosity(d) ? 0 : 0.01f) * factor(&d->dice, 20);
        const bool tension = strcmp(d->scene->world.method, "clavet") != 0;
        if (chance(&d->dice, 0.3f)) f->surface_tension = (tension ? 0.03f : 0) * factor(&d->dice, 5);
        name_it(f->name, "fluid", k);
    }
}

static void pick_fluid(draw *d, char *name) {
    if (chance(&d->dice, 0.8f)) name_it(name, "fluid", whole(&d->dice, 0, d->scene->fluid_count - 1));
}

/* Most columns are full, so that the fluid has neighbours and pressure; some hold another shape. */
static void draw_blocks(draw *d) {
    d->scene->block_count = whole(&d->dice, 1, COLUMNS);
    const float width = d->extent.x / COLUMNS;
    for (int k = 0; k < d->scene->block_count; k++) {
        rill_block_def *b = &d->out->blocks[k];
        *b = rill_block_def_default();
        pick_fluid(d, b->fluid_name);
        b->shape.min = (rill_vec){(float)k * width, 0, 0};
        b->shape.max = plus(b->shape.min, 1, d->extent), b->shape.max.x = b->shape.min.x + width;
        *up_of(d, &b->shape.max) *= between(&d->dice, 0.3f, 0.8f);
        const rill_vec centre = plus(plus((rill_vec){0}, 0.5f, b->shape.min), 0.5f, b->shape.max);
        if (chance(&d->dice, 0.2f)) draw_shape(d, &b->shape, FOR_BLOCK, centre, 0.5f * width);
        b->fill = whole(&d->dice, 0, RILL_FILL_JITTERED);
        if (chance(&d->dice, 0.5f)) b->jitter = between(&d->dice, 0, 0.2f);
        if (chance(&d->dice, 0.5f)) b->velocity = vec_in(d, -0.3f * d->speed, 0.3f * d->speed);
        if (chance(&d->dice, 0.2f)) b->spin = between(&d->dice, -3, 3);
    }
}

/* ---- solids ---- */

/* Walls around the domain, but none across a periodic axis. */
static void draw_tank(draw *d, rill_shape *s) {
    const rill_world_def *w = &d->scene->world;
    s->min = (rill_vec){0}, s->max = d->extent, s->inside = true;
    for (int axis = 0; axis < d->dim; axis++)
        if ((&w->periodic.x)[axis] > 0) (&s->min.x)[axis] -= 9 * d->extent.x, (&s->max.x)[axis] += 9 * d->extent.x;
}

static void draw_solids(draw *d) {
    const bool tank = chance(&d->dice, 0.8f);
    d->scene->solid_count = whole(&d->dice, 0, 3) + (tank ? 1 : 0);
    for (int k = 0; k < d->scene->solid_count; k++) {
        rill_solid_def *s = &d->out->solids[k];
        *s = rill_solid_def_default();
        name_it(s->name, "solid", k);
        s->friction = chance(&d->dice, 0.5f) ? between(&d->dice, 0, 1) : 0;
        s->restitution = chance(&d->dice, 0.3f) ? between(&d->dice, 0, 1) : 0;
        s->no_slip = chance(&d->dice, 0.5f) && d->scene->world.walls != RILL_WALLS_IMPULSE;
        if (chance(&d->dice, 0.2f)) s->surface_velocity = vec_in(d, -1, 1);
        if (tank && k == 0) {
            draw_tank(d, &s->shape);
            continue;
        }
        const rill_vec centre = place_in(d, 0, 1);
        draw_shape(d, &s->shape, FOR_SOLID, centre, between(&d->dice, 1.5f, 4) * d->dx);
        if (chance(&d->dice, 0.5f)) draw_motion(d, &s->motion, centre);
    }
}

/* ---- bodies and joints ---- */

static void draw_bodies(draw *d) {
    d->scene->body_count = chance(&d->dice, 0.6f) ? whole(&d->dice, 1, 4) : 0;
    for (int k = 0; k < d->scene->body_count; k++) {
        rill_body_def *b = &d->out->bodies[k];
        *b = rill_body_def_default();
        name_it(b->name, "body", k);
        b->kind = chance(&d->dice, 0.7f) ? RILL_BODY_DYNAMIC : whole(&d->dice, RILL_BODY_KINEMATIC, RILL_BODY_FIXED);
        rill_vec centre = place_in(d, 0.2f, 1);
        centre.x = d->extent.x * ((float)k + 0.5f) / (float)d->scene->body_count;
        draw_shape(d, &b->shape, FOR_BODY, centre, between(&d->dice, 1.5f, 3) * d->dx);
        b->density = 1000 * factor(&d->dice, 5);
        if (chance(&d->dice, 0.2f)) b->mass = 1000 * (d->dim == 2 ? d->dx * d->dx : d->dx * d->dx * d->dx) * 9;
        if (chance(&d->dice, 0.5f)) b->velocity = vec_in(d, -0.3f * d->speed, 0.3f * d->speed);
        if (chance(&d->dice, 0.3f)) b->angular_velocity = (rill_vec){0, 0, between(&d->dice, -3, 3)};
        b->friction = between(&d->dice, 0, 1), b->restitution = chance(&d->dice, 0.3f) ? 0.5f : 0;
        b->no_slip = chance(&d->dice, 0.5f) && d->scene->world.walls != RILL_WALLS_IMPULSE;
        b->sleeps = chance(&d->dice, 0.8f);
        if (chance(&d->dice, 0.2f)) b->linear_damping = 1, b->angular_damping = 2;
        if (chance(&d->dice, 0.2f)) b->layer = whole(&d->dice, 0, 3), b->mask = whole(&d->dice, 0, 3);
        if (b->kind == RILL_BODY_KINEMATIC) draw_motion(d, &b->motion, centre);
    }
}

static bool may_be_geared(const rill_joint_def *j) {
    return j->kind == RILL_JOINT_HINGE || j->kind == RILL_JOINT_SLIDER;
}

static void draw_joints(draw *d) {
    const int bodies = d->scene->body_count;
    d->scene->joint_count = bodies > 0 ? whole(&d->dice, 0, 3) : 0;
    for (int k = 0; k < d->scene->joint_count; k++) {
        rill_joint_def *j = &d->out->joints[k];
        *j = rill_joint_def_default();
        name_it(j->name, "joint", k);
        const int a = whole(&d->dice, 0, bodies - 1), b = whole(&d->dice, 0, bodies - 1);
        name_it(j->a_name, "body", a);
        /* A body joined to itself is refused; it is drawn now and then to test that. */
        if (a != b || chance(&d->dice, 0.05f)) name_it(j->b_name, "body", b);
        j->kind = whole(&d->dice, 0, RILL_JOINT_SPRING);
        j->anchor = place_in(d, 0.2f, 1), j->anchor_b = place_in(d, 0.2f, 1), j->axis = direction(d);
        const float unit = j->kind == RILL_JOINT_SLIDER ? d->dx : 1;
        j->limited = chance(&d->dice, 0.4f), j->lower = -between(&d->dice, 0, unit),
        j->upper = between(&d->dice, 0, unit);
        j->motor = chance(&d->dice, 0.4f), j->motor_speed = between(&d->dice, -3, 3) * unit;
        j->motor_force = 10 * factor(&d->dice, 10);
        j->rope = chance(&d->dice, 0.5f), j->length = chance(&d->dice, 0.3f) ? 5 * d->dx : 0;
        j->stiffness = 1000 * factor(&d->dice, 10), j->damping = chance(&d->dice, 0.5f) ? 10 : 0;
        if (chance(&d->dice, 0.2f)) j->break_force = 100 * factor(&d->dice, 10);
        const bool springs = j->kind == RILL_JOINT_SPRING || chance(&d->dice, 0.5f);
        if (!springs) j->stiffness = j->damping = 0;
        if (chance(&d->dice, 0.3f)) j->friction = factor(&d->dice, 10), j->rest = between(&d->dice, -unit, unit);
        if (chance(&d->dice, 0.3f)) j->limit_stiffness = 1000 * factor(&d->dice, 10), j->limit_damping = 10;
        /* A gear on joints that do not suit it is refused; it is drawn now and then to test that. */
        const bool suits = k >= 2 && may_be_geared(&d->out->joints[0]) && may_be_geared(&d->out->joints[1]);
        if (k < 2 || !chance(&d->dice, suits ? 0.8f : 0.05f)) continue;
        j->kind = RILL_JOINT_GEAR, j->ratio = between(&d->dice, -2, 2);
        j->a_name[0] = j->b_name[0] = 0;
        name_it(j->joint_a_name, "joint", 0), name_it(j->joint_b_name, "joint", 1);
    }
}

/* ---- emitters, sinks, gauges ---- */

static void draw_emitters(draw *d) {
    d->scene->emitter_count = chance(&d->dice, 0.4f) ? whole(&d->dice, 1, 2) : 0;
    for (int k = 0; k < d->scene->emitter_count; k++) {
        rill_emitter_def *e = &d->out->emitters[k];
        *e = rill_emitter_def_default();
        pick_fluid(d, e->fluid_name);
        e->position = place_in(d, 0.8f, 1), e->direction = direction(d);
        e->nozzle = whole(&d->dice, 0, RILL_NOZZLE_RECTANGLE);
        e->radius = between(&d->dice, 0.5f, 2) * d->dx;
        e->width = between(&d->dice, 1, 4) * d->dx, e->height = between(&d->dice, 1, 4) * d->dx;
        e->speed = between(&d->dice, 0.5f, 1.5f) * d->speed;
        if (chance(&d->dice, 0.2f)) e->rate = 0.3f * e->speed * (d->dim == 2 ? e->radius : e->radius * e->radius);
        if (chance(&d->dice, 0.2f)) e->start_time = 3 * d->dx / d->speed;
        if (chance(&d->dice, 0.2f)) e->end_time = 6 * d->dx / d->speed;
        if (chance(&d->dice, 0.2f)) e->limit = whole(&d->dice, 1, 20);
        if (d->scene->body_count > 0 && chance(&d->dice, 0.3f)) name_it(e->body_name, "body", 0);
    }
}

static void draw_sinks(draw *d) {
    d->scene->sink_count = chance(&d->dice, 0.3f) ? whole(&d->dice, 1, 2) : 0;
    for (int k = 0; k < d->scene->sink_count; k++) {
        rill_sink_def *s = &d->out->sinks[k];
        *s = rill_sink_def_default();
        draw_shape(d, &s->shape, FOR_SINK, place_in(d, 0, 0.5f), between(&d->dice, 1.5f, 3) * d->dx);
        if (chance(&d->dice, 0.3f)) s->start_time = 3 * d->dx / d->speed;
        if (chance(&d->dice, 0.3f)) s->end_time = 6 * d->dx / d->speed;
        if (d->scene->body_count > 0 && chance(&d->dice, 0.3f)) name_it(s->body_name, "body", 0);
    }
}

static int choose_gauge(draw *d) {
    for (;;) {
        const int kind = whole(&d->dice, 0, RILL_GAUGE_JOINT_SPEED);
        const gauge_subject subject = rill_gauge_kind_at(kind)->subject;
        if (subject == GAUGE_SURFACE && d->scene->solid_count + d->scene->body_count == 0) continue;
        if ((subject == GAUGE_BODY || subject == GAUGE_TURN) && d->scene->body_count == 0) continue;
        if (subject == GAUGE_JOINT && d->scene->joint_count == 0) continue;
        return kind;
    }
}

static void draw_gauges(draw *d) {
    const scene *s = d->scene;
    d->scene->gauge_count = whole(&d->dice, 0, 5);
    for (int k = 0; k < s->gauge_count; k++) {
        rill_gauge_def *g = &d->out->gauges[k];
        *g = rill_gauge_def_default();
        g->kind = choose_gauge(d);
        if (chance(&d->dice, 0.3f)) pick_fluid(d, g->fluid_name);
        /* Objects that the gauge does not measure may be named too, but must exist. */
        const int surfaces = s->solid_count + s->body_count,
                  solid = surfaces > 0 ? whole(&d->dice, 0, surfaces - 1) : 0;
        if (surfaces > 0)
            name_it(g->solid_name, solid < s->solid_count ? "solid" : "body",
                    solid < s->solid_count ? solid : solid - s->solid_count);
        if (s->body_count > 0) name_it(g->body_name, "body", whole(&d->dice, 0, s->body_count - 1));
        if (s->joint_count > 0) name_it(g->joint_name, "joint", whole(&d->dice, 0, s->joint_count - 1));
        g->position = place_in(d, 0, 1), g->direction = direction(d),
        g->length = between(&d->dice, 0.2f, 1) * d->extent.x;
        g->in_region = chance(&d->dice, 0.5f), g->max = plus(g->min, 0.6f, d->extent);
    }
}

/* ---- cloth ---- */

/* A strip of one to six triangles. */
static void draw_cloth_mesh(draw *d, rill_cloth_def *c) {
    const int count = whole(&d->dice, 1, 6);
    rill_vec *p = take_points(d, &c->points, 3 * count);
    for (int k = 0; k < count; k++)
        for (int corner = 0; corner < 3; corner++) {
            const int n = k + corner;
            p[3 * k + corner] = (rill_vec){2 * d->dx * (float)(n / 2), n % 2 ? 2 * d->dx : 0, 0};
        }
}

static void draw_cloth(draw *d, rill_cloth_def *c) {
    *c = rill_cloth_def_default();
    c->kind = d->dim == 3 ? whole(&d->dice, 0, RILL_CLOTH_MESH) : RILL_CLOTH_SHEET;
    c->position = place_in(d, 0.3f, 0.9f);
    c->edge_a = plus((rill_vec){0}, between(&d->dice, 3, 8) * d->dx, direction(d));
    c->edge_b = plus((rill_vec){0}, between(&d->dice, 3, 8) * d->dx, direction(d));
    if (c->kind == RILL_CLOTH_MESH) draw_cloth_mesh(d, c);
    /* values that a kind does not use are not set */
    if (c->kind == RILL_CLOTH_ROPE) c->width = d->dx * factor(&d->dice, 3);
    if (c->kind != RILL_CLOTH_MESH && chance(&d->dice, 0.3f)) c->spacing = d->dx * factor(&d->dice, 1.5f);
    c->mass = 0.3f * factor(&d->dice, 5), c->stretch = 1000 * factor(&d->dice, 30);
    c->bend = chance(&d->dice, 0.5f) ? 1e-3f * factor(&d->dice, 30) : 0;
    c->self_collision = chance(&d->dice, 0.7f), c->friction = between(&d->dice, 0, 1);
    if (chance(&d->dice, 0.3f)) c->velocity = vec_in(d, -0.3f * d->speed, 0.3f * d->speed);
    if (chance(&d->dice, 0.3f)) c->damping = factor(&d->dice, 5);
    if (chance(&d->dice, 0.3f)) c->thickness = between(&d->dice, 0.1f, 0.8f) * d->dx;
    if (chance(&d->dice, 0.3f)) c->tear = 0.05f * factor(&d->dice, 3);
    if (chance(&d->dice, 0.3f)) c->permeability = 1e-9f * factor(&d->dice, 100);
    if (chance(&d->dice, 0.3f)) c->drag = factor(&d->dice, 2), c->wind = vec_in(d, -5, 5);
}

static void draw_pins(draw *d) {
    scene *s = d->scene;
    s->pin_count = whole(&d->dice, 0, 2 * s->cloth_count);
    for (int k = 0; k < s->pin_count; k++) {
        rill_pin_def *p = &d->out->pins[k];
        const int cloth = k % s->cloth_count;
        const rill_cloth_def *c = &d->out->cloths[cloth];
        *p = rill_pin_def_default();
        name_it(p->name, "pin", k), name_it(p->cloth_name, "cloth", cloth);
        p->min = p->max =
            k < s->cloth_count || c->kind == RILL_CLOTH_MESH ? c->position : plus(c->position, 1, c->edge_a);
        if (k >= s->cloth_count && c->kind == RILL_CLOTH_MESH) p->max.x += 2 * d->dx, p->min.x = p->max.x;
        if (s->body_count > 0 && chance(&d->dice, 0.3f))
            name_it(p->body_name, "body", 0);
        else if (chance(&d->dice, 0.5f))
            draw_motion(d, &p->motion, p->min);
    }
}

static void draw_cloth_gauge(draw *d) {
    rill_gauge_def *g = &d->out->gauges[d->scene->gauge_count];
    if (d->scene->gauge_count == RANDOM_OBJECTS) return;
    *g = rill_gauge_def_default();
    g->kind = whole(&d->dice, RILL_GAUGE_PIN_FORCE, RILL_GAUGE_CLOTH_LOWEST);
    name_it(g->cloth_name, "cloth", 0);
    if (d->scene->pin_count > 0)
        name_it(g->pin_name, "pin", 0);
    else if (g->kind == RILL_GAUGE_PIN_FORCE)
        return;
    d->scene->gauge_count++;
}

/* Few methods have cloth: where it is possible, it is drawn more often than not. */
static void draw_cloths(draw *d) {
    scene *s = d->scene;
    const rill_vec period = s->world.periodic;
    const bool has = strcmp(s->world.method, "pbf") == 0 || strcmp(s->world.method, "projective") == 0;
    if (!has || period.x + period.y + period.z > 0 || !chance(&d->dice, 0.8f)) return;
    s->cloth_count = whole(&d->dice, 1, 2);
    for (int k = 0; k < s->cloth_count; k++) {
        draw_cloth(d, &d->out->cloths[k]);
        name_it(d->out->cloths[k].name, "cloth", k);
    }
    draw_pins(d);
    draw_cloth_gauge(d);
}

/* ---- the whole ---- */

/* Drawn last, so that everything before is the same with and without it. */
static void draw_changes(draw *d) {
    const int solids = d->scene->solid_count, bodies = d->scene->body_count;
    for (int k = 1; k < solids; k++)
        if (chance(&d->dice, 0.1f)) d->out->solids[k].displacement = RILL_DISPLACE_PUSH;
    for (int k = 0; k < bodies; k++)
        if (chance(&d->dice, 0.2f)) d->out->bodies[k].displacement = RILL_DISPLACE_PUSH;
    if (!chance(&d->dice, 0.15f)) return;
    const char *other = rill_method(whole(&d->dice, 0, rill_method_count() - 1))->name;
    snprintf(d->out->other_method, sizeof d->out->other_method, "%s", other);
}

static void draw_run(draw *d) {
    d->out->steps = whole(&d->dice, 6, 20);
    scene_run *run = &d->scene->run;
    rill_table_defaults(rill_scene_run_table(), run);
    run->fps = d->speed / d->dx * factor(&d->dice, 3);
    if (chance(&d->dice, 0.3f)) run->dt = 0.03f * d->dx / d->speed * factor(&d->dice, 3);
    run->time = (float)d->out->steps * (run->dt > 0 ? run->dt : 1 / run->fps);
    if (run->dt > 0) run->fps = 1 / run->time; /* one frame: more would cut steps */
    d->out->query_point = place_in(d, 0, 1), d->out->query_along = direction(d);
}

void random_scene_draw(random_scene *r, uint64_t seed) {
    memset(r, 0, sizeof *r);
    draw d = {.dice = {seed}, .out = r, .scene = &r->scene};
    scene *s = &r->scene;
    s->fluids = r->fluids, s->blocks = r->blocks, s->solids = r->solids, s->bodies = r->bodies;
    s->joints = r->joints, s->emitters = r->emitters, s->sinks = r->sinks, s->gauges = r->gauges;
    s->cloths = r->cloths, s->pins = r->pins;
    snprintf(s->name, sizeof s->name, "random %llu", (unsigned long long)seed);
    rill_table_defaults(rill_scene_picture_table(), &s->picture);
    s->surface = rill_surface_def_default();
    d.dim = whole(&d.dice, 2, 3), d.dx = 0.03f * factor(&d.dice, 3);
    const float *extent = extents[d.dim - 2];
    d.extent = (rill_vec){extent[0] * d.dx, extent[1] * d.dx, extent[2] * d.dx};
    d.speed = sqrtf(2 * 9.81f * *up_of(&d, &d.extent));
    draw_world(&d);
    draw_method(&d);
    draw_fluids(&d);
    draw_solids(&d);
    draw_bodies(&d);
    draw_joints(&d);
    draw_blocks(&d);
    draw_emitters(&d);
    draw_sinks(&d);
    draw_gauges(&d);
    draw_run(&d);
    draw_changes(&d);
    draw_cloths(&d);
}

/* ---- building, in the order in which the tool builds scenes ---- */

static rill_status set_param(rill_world *w, const rill_param *row, const unsigned char *params) {
    char text[RILL_NAME_SIZE];
    int32_t choice;
    memcpy(&choice, params + row->offset, sizeof choice);
    if (row->type == RILL_TYPE_CHOICE)
        rill_choice_name(row->choices, choice, text, sizeof text);
    else
        rill_param_get_text(row, params, 3, text, sizeof text);
    return rill_world_set_text(w, rill_ref_method(), row->key, text);
}

static rill_status set_params(rill_world *w, const random_scene *r) {
    const rill_table *table = rill_method_find(r->method.name)->table;
    rill_status status = RILL_OK;
    for (int k = 0; k < table->count && !status; k++)
        if (r->given[k]) status = set_param(w, &table->params[k], r->params);
    return status;
}

#define ADD_ALL(kind, list, count) \
    for (int k = 0; k < s->count && !status; k++) status = rill_world_add_##kind(w, &s->list[k], NULL)

/* Adds the solids and bodies that displace fluid in this way. */
static rill_status add_solids(rill_world *w, const scene *s, rill_displacement displacement) {
    rill_status status = RILL_OK;
    for (int k = 0; k < s->solid_count && !status; k++)
        if (s->solids[k].displacement == (int32_t)displacement) status = rill_world_add_solid(w, &s->solids[k], NULL);
    for (int k = 0; k < s->body_count && !status; k++)
        if (s->bodies[k].displacement == (int32_t)displacement) status = rill_world_add_body(w, &s->bodies[k], NULL);
    return status;
}

rill_world *random_scene_build(const random_scene *r, int workers, rill_simd simd, int *added, rill_error *error) {
    const scene *s = &r->scene;
    rill_world_def def = s->world;
    def.workers = workers, def.simd = (int32_t)simd;
    rill_world *w = rill_world_create(&def, error);
    if (!w) return NULL;
    rill_status status = set_params(w, r);
    ADD_ALL(fluid, fluids, fluid_count);
    status = status ? status : add_solids(w, s, RILL_DISPLACE_REMOVE);
    *added = 0;
    for (int k = 0; k < s->block_count && !status; k++) {
        int count = 0;
        status = rill_world_add_block(w, &s->blocks[k], &count);
        *added += count;
    }
    status = status ? status : add_solids(w, s, RILL_DISPLACE_PUSH);
    ADD_ALL(joint, joints, joint_count);
    ADD_ALL(emitter, emitters, emitter_count);
    ADD_ALL(sink, sinks, sink_count);
    const int before = rill_world_particle_count(w);
    ADD_ALL(cloth, cloths, cloth_count);
    *added += rill_world_particle_count(w) - before;
    ADD_ALL(pin, pins, pin_count);
    ADD_ALL(gauge, gauges, gauge_count);
    if (!status) return w;
    error->status = status;
    snprintf(error->text, sizeof error->text, "%s", rill_world_message(w));
    rill_world_destroy(w);
    return NULL;
}

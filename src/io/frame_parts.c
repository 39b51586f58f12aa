/* SPDX-License-Identifier: MIT */
/* Splits frames into parts and builds frames from parts. Rows that were read are checked: the shapes and bodies that
   they name must exist. */
#include "io/frame_parts.h"

#include "core/error.h"
#include "frame/room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

/* Copies the members of an item to or from a row of numbers. */
typedef struct row_cursor {
    bool reading;
    float *next;
} row_cursor;

static void visit_numbers(row_cursor *c, float *values, int count) {
    float *from = c->reading ? c->next : values, *to = c->reading ? values : c->next;
    memcpy(to, from, sizeof *to * (size_t)count);
    c->next += count;
}

static void visit_vec(row_cursor *c, rill_vec *v) {
    float parts[3] = {v->x, v->y, v->z};
    visit_numbers(c, parts, 3);
    *v = (rill_vec){parts[0], parts[1], parts[2]};
}

/* A number far out of range becomes INT32_MIN, so that the row is refused later. */
static void visit_int(row_cursor *c, int32_t *value) {
    float number = (float)*value;
    visit_numbers(c, &number, 1);
    *value = number > -1e6f && number < 1e6f ? (int32_t)number : INT32_MIN;
}

static void visit_bool(row_cursor *c, bool *value) {
    int32_t number = *value;
    visit_int(c, &number);
    *value = number != 0;
}

static void visit_solid(row_cursor *c, rill_frame_solid *s) {
    visit_int(c, &s->shape), visit_int(c, &s->body);
    for (int row = 0; row < 3; row++) visit_numbers(c, s->transform.turn[row], 3);
    visit_vec(c, &s->transform.shift), visit_vec(c, &s->transform.centre);
    visit_vec(c, &s->transform.velocity), visit_vec(c, &s->transform.angular_velocity);
}

static void visit_body(row_cursor *c, rill_frame_body *b) {
    rill_body_state *s = &b->state;
    visit_int(c, &b->kind), visit_int(c, &b->solid), visit_bool(c, &s->asleep);
    visit_vec(c, &s->position), visit_numbers(c, &s->angle, 1), visit_numbers(c, s->quaternion, 4);
    visit_vec(c, &s->velocity), visit_vec(c, &s->angular_velocity);
    visit_vec(c, &s->force), visit_vec(c, &s->torque);
    visit_numbers(c, &s->mass, 1), visit_vec(c, &s->inertia), visit_vec(c, &s->centre);
}

static void visit_joint(row_cursor *c, rill_frame_joint *j) {
    visit_int(c, &j->kind), visit_int(c, &j->a), visit_int(c, &j->b), visit_bool(c, &j->broken);
    visit_vec(c, &j->anchor_a), visit_vec(c, &j->anchor_b);
}

static const struct {
    const char *name;
    int width;
} tables[FRAME_TABLES] = {{"solids", 23}, {"bodies", 30}, {"joints", 10}};

const char *rill_frame_table_name(frame_table table) {
    return tables[table].name;
}

int rill_frame_table_width(frame_table table) {
    return tables[table].width;
}

int rill_frame_table_count(const rill_frame *frame, frame_table table) {
    const int counts[FRAME_TABLES] = {frame->solid_count, frame->body_count, frame->joint_count};
    return counts[table];
}

void rill_frame_table_row(const rill_frame *frame, frame_table table, int index, float row[FRAME_ROW_MAX]) {
    row_cursor c = {false, row};
    if (table == FRAME_SOLIDS) {
        rill_frame_solid solid = frame->solid[index];
        visit_solid(&c, &solid);
    } else if (table == FRAME_BODIES) {
        rill_frame_body body = frame->body[index];
        visit_body(&c, &body);
    } else {
        rill_frame_joint joint = frame->joint[index];
        visit_joint(&c, &joint);
    }
}

/* ---- single values ---- */

static const struct {
    const char *name;
    int width;
} values[FRAME_VALUES] = {{"step", 1},     {"spacing", 1},         {"support", 1}, {"gravity", 3},
                          {"periodic", 3}, {"periodic_origin", 3}, {"origin", 3}};

const char *rill_frame_value_name(frame_value value) {
    return values[value].name;
}

int rill_frame_value_width(frame_value value) {
    return values[value].width;
}

void rill_frame_value_get(const rill_frame *frame, frame_value value, double numbers[3]) {
    const rill_vec vectors[FRAME_VALUES] = {[FRAME_SPACING] = {frame->spacing, 0, 0},
                                            [FRAME_SUPPORT] = {frame->support, 0, 0},
                                            [FRAME_GRAVITY] = frame->gravity,
                                            [FRAME_PERIODIC] = frame->periodic,
                                            [FRAME_PERIODIC_ORIGIN] = frame->periodic_origin,
                                            [FRAME_ORIGIN] = frame->origin};
    const rill_vec v = vectors[value];
    numbers[0] = value == FRAME_STEP ? (double)frame->step : (double)v.x;
    numbers[1] = (double)v.y, numbers[2] = (double)v.z;
}

/* ---- pieces of cloth ---- */

static const struct {
    const char *name, *doc;
} pieces[FRAME_PIECES] = {{"segments", "pieces of ropes, and of cloth in 2D"}, {"triangles", "pieces of cloth"}};

const rill_frame_links *rill_frame_pieces_of(const rill_frame *frame, frame_pieces kind) {
    for (int k = 0; k < frame->links_count; k++) {
        const rill_frame_links *l = &frame->links[k];
        if (l->count > 0 && l->ends == frame_piece_ends(kind) && strcmp(l->name, pieces[kind].name) == 0) return l;
    }
    return NULL;
}

int32_t *rill_frame_file_places(const rill_frame *frame, bool *ok) {
    *ok = true;
    if (!frame->order) return NULL;
    int32_t *places = malloc(((size_t)frame->count + 1) * sizeof *places);
    *ok = places != NULL;
    for (int k = 0; places && k < frame->count; k++) places[frame->order[k]] = k;
    return places;
}

/* ---- reading ---- */

frame_parts rill_frame_parts_begin(void) {
    return (frame_parts){.time = -1.0, .values = {[FRAME_STEP] = {-1.0, 0.0, 0.0}}};
}

void rill_frame_parts_free(frame_parts *parts) {
    for (int t = 0; t < FRAME_TABLES; t++) free(parts->tables[t].data);
    *parts = rill_frame_parts_begin();
}

static bool add_number(frame_numbers *n, double number) {
    if (n->count == n->room) {
        const int room = n->room ? 2 * n->room : 64;
        double *data = realloc(n->data, (size_t)room * sizeof *data);
        if (!data) return false;
        n->data = data, n->room = room;
    }
    n->data[n->count++] = number;
    return true;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool rill_frame_numbers_read(frame_numbers *numbers, io_span text) {
    for (;;) {
        double number;
        while (text.begin < text.end && is_blank(*text.begin)) text.begin++;
        io_span word = {text.begin, text.begin};
        while (word.end < text.end && !is_blank(*word.end)) word.end++;
        if (word.begin == word.end) return true;
        if (!rill_io_span_number(word, &number) || !add_number(numbers, number)) return false;
        text.begin = word.end;
    }
}

frame_field *rill_frame_parts_add(frame_parts *parts, io_span name, rill_scalar scalar, int components) {
    frame_field *field = &parts->fields[parts->field_count];
    const size_t length = (size_t)(name.end - name.begin);
    if (parts->field_count == FRAME_FIELDS_MAX || length == 0 || length >= sizeof field->name) return NULL;
    *field = (frame_field){.scalar = scalar, .components = components};
    memcpy(field->name, name.begin, length);
    for (int k = 0; k < parts->field_count; k++)
        if (strcmp(parts->fields[k].name, field->name) == 0) return NULL;
    parts->field_count++;
    return field;
}

static float float_of(double value) {
    return value > -1e30 && value < 1e30 ? (float)value : 0.0f;
}

static rill_vec vec_of(const double v[3]) {
    return (rill_vec){float_of(v[0]), float_of(v[1]), float_of(v[2])};
}

static void set_values(const frame_parts *parts, rill_frame *frame) {
    const double(*v)[3] = parts->values;
    const double step = v[FRAME_STEP][0];
    frame->dim = parts->dim == 2.0 || parts->dim == 3.0 ? (int)parts->dim : 0;
    frame->time = parts->time;
    frame->step = step >= 0.0 && step < 9e15 ? (int64_t)step : -1;
    frame->spacing = fmaxf(float_of(v[FRAME_SPACING][0]), 0.0f);
    frame->support = fmaxf(float_of(v[FRAME_SUPPORT][0]), 0.0f);
    frame->gravity = vec_of(v[FRAME_GRAVITY]);
    frame->periodic = vec_of(v[FRAME_PERIODIC]), frame->periodic_origin = vec_of(v[FRAME_PERIODIC_ORIGIN]);
    frame->origin = vec_of(v[FRAME_ORIGIN]);
}

/* The units of fields whose file gives none. */
static const char *known_unit(const char *name) {
    static const char *const known[][2] = {
        {"position", "m"}, {"velocity", "m/s"}, {"density", "kg/m^3"}, {"pressure", "Pa"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k][0], name) == 0) return known[k][1];
    return "";
}

static const char *unit_of(const frame_field *field) {
    return field->unit[0] ? field->unit : known_unit(field->name);
}

/* Returns the end of the arrays. */
static uint32_t *set_fields(const frame_parts *parts, frame_room *room, void *arrays[FRAME_FIELDS_MAX]) {
    uint32_t *data = room->data;
    char *text = room->text;
    for (int k = 0; k < parts->field_count; k++) {
        const frame_field *f = &parts->fields[k];
        room->field[k] = (rill_view){.name = rill_frame_put_text(&text, f->name),
                                     .unit = rill_frame_put_text(&text, unit_of(f)),
                                     .doc = "",
                                     .scalar = f->scalar,
                                     .components = f->components,
                                     .stride = f->components,
                                     .count = parts->count,
                                     .data = data};
        arrays[k] = data;
        data += frame_words(f->scalar, (size_t)f->components * (size_t)parts->count);
    }
    return data;
}

static size_t piece_words(const frame_parts *parts, frame_pieces kind) {
    return frame_words(RILL_SCALAR_INT32, (size_t)frame_piece_ends(kind) * (size_t)parts->pieces[kind]);
}

static void set_pieces(const frame_parts *parts, frame_room *room, uint32_t *data) {
    rill_frame_links *to = room->links;
    for (int kind = 0; kind < FRAME_PIECES; kind++) {
        if (parts->pieces[kind] == 0) continue;
        *to++ = (rill_frame_links){.name = pieces[kind].name,
                                   .doc = pieces[kind].doc,
                                   .ends = frame_piece_ends((frame_pieces)kind),
                                   .count = parts->pieces[kind],
                                   .particle = (const int32_t *)data};
        data += piece_words(parts, (frame_pieces)kind);
    }
}

int32_t *rill_frame_pieces_room(const rill_frame *frame, frame_pieces kind) {
    const rill_frame_links *l = rill_frame_pieces_of(frame, kind);
    return l ? (int32_t *)(uintptr_t)l->particle : NULL;
}

bool rill_frame_pieces_are_sound(const rill_frame *frame) {
    bool sound = true;
    for (const rill_frame_links *l = frame->links; l < frame->links + frame->links_count; l++)
        for (size_t k = 0; k < (size_t)l->ends * (size_t)l->count; k++)
            sound = sound && l->particle[k] >= 0 && l->particle[k] < frame->count;
    return sound;
}

/* Row `index` of a table, as the floats that it was written from. */
static row_cursor row_of(const frame_parts *parts, frame_table table, int index, float row[FRAME_ROW_MAX]) {
    const int width = tables[table].width;
    for (int k = 0; k < width; k++) row[k] = float_of(parts->tables[table].data[index * width + k]);
    return (row_cursor){true, row};
}

static bool within(int32_t number, int32_t least, int32_t count) {
    return number >= least && number < count;
}

/* False if a row names a shape, solid or body that does not exist. */
static bool set_tables(const frame_parts *parts, const io_run *run, const rill_frame *frame, frame_room *room) {
    float row[FRAME_ROW_MAX];
    bool fine = true;
    for (int k = 0; k < frame->solid_count; k++) {
        rill_frame_solid *s = &room->solid[k];
        row_cursor c = row_of(parts, FRAME_SOLIDS, k, row);
        visit_solid(&c, s);
        fine = fine && within(s->shape, 0, frame->shape_count) && within(s->body, -1, frame->body_count);
        if (fine && run->solids) memcpy(s->name, run->solids[s->shape].name, sizeof s->name);
    }
    for (int k = 0; k < frame->body_count; k++) {
        rill_frame_body *b = &room->body[k];
        row_cursor c = row_of(parts, FRAME_BODIES, k, row);
        visit_body(&c, b);
        fine = fine && within(b->solid, 0, frame->solid_count);
        if (fine) memcpy(b->name, room->solid[b->solid].name, sizeof b->name);
    }
    for (int k = 0; k < frame->joint_count; k++) {
        rill_frame_joint *j = &room->joint[k];
        row_cursor c = row_of(parts, FRAME_JOINTS, k, row);
        visit_joint(&c, j);
        fine = fine && within(j->a, 0, frame->body_count) && within(j->b, -1, frame->body_count);
    }
    return fine;
}

static frame_sizes sizes_of(const frame_parts *parts, const io_run *run) {
    frame_sizes sizes = {.count = parts->count,
                         .fields = parts->field_count,
                         .fluids = run->fluid_count,
                         .emitters = run->emitter_count,
                         .gauges = run->gauge_count};
    if (run->shapes) {
        sizes.shapes = rill_shape_set_count(run->shapes);
        sizes.solids = parts->tables[FRAME_SOLIDS].count / tables[FRAME_SOLIDS].width;
        sizes.bodies = parts->tables[FRAME_BODIES].count / tables[FRAME_BODIES].width;
        sizes.joints = parts->tables[FRAME_JOINTS].count / tables[FRAME_JOINTS].width;
    }
    for (int k = 0; k < parts->field_count; k++) {
        const frame_field *f = &parts->fields[k];
        sizes.words += frame_words(f->scalar, (size_t)f->components * (size_t)parts->count);
        sizes.text += rill_frame_text_size(f->name) + rill_frame_text_size(unit_of(f));
    }
    for (int kind = 0; kind < FRAME_PIECES; kind++) {
        sizes.link_sets += parts->pieces[kind] > 0;
        sizes.words += piece_words(parts, (frame_pieces)kind);
    }
    return sizes;
}

static void copy_items(void *to, const void *from, size_t size, int count) {
    if (count > 0) memcpy(to, from, size * (size_t)count);
}

rill_status rill_frame_parts_build(const frame_parts *parts, const char *path, const io_run *run, rill_frame *frame,
                                   void *data[FRAME_FIELDS_MAX], rill_error *error) {
    const io_run nothing = {0};
    frame_room room;
    if (!run) run = &nothing;
    const frame_sizes sizes = sizes_of(parts, run);
    TRY(rill_frame_make_room(frame, &sizes, &room, error));
    set_values(parts, frame);
    set_pieces(parts, &room, set_fields(parts, &room, data));
    frame->shapes = run->shapes;
    for (int k = 0; k < sizes.shapes; k++) room.shape[k] = rill_shape_set_at(run->shapes, k);
    copy_items(room.fluid, run->fluids, sizeof *room.fluid, sizes.fluids);
    copy_items(room.emitter, run->emitters, sizeof *room.emitter, sizes.emitters);
    copy_items(room.gauge, run->gauges, sizeof *room.gauge, sizes.gauges);
    if (set_tables(parts, run, frame, &room)) return RILL_OK;
    rill_frame_free(frame);
    return rill_fail(error, RILL_FORMAT, "%s: its solids, bodies or joints are not those of the run", path);
}

void rill_frame_guess_dim(rill_frame *frame) {
    const rill_view *position = rill_frame_field(frame, "position");
    if (frame->dim) return;
    frame->dim = 2;
    for (int k = 0; k < frame->count; k++)
        if (rill_frame_vec(frame, position, k).z != 0.0f) frame->dim = 3;
}

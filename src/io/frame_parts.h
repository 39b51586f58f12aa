/* SPDX-License-Identifier: MIT */
/* The parts of a frame in a file: single values, rows of numbers for solids, bodies and joints, and the list of fields.
   Both formats write and read these parts, each in its own way. */
#ifndef RILL_IO_FRAME_PARTS_H
#define RILL_IO_FRAME_PARTS_H

#include "io/parse.h"

/* Solids, bodies and joints as rows of numbers. Integers are stored exactly. */
typedef enum frame_table { FRAME_SOLIDS, FRAME_BODIES, FRAME_JOINTS, FRAME_TABLES } frame_table;
#define FRAME_ROW_MAX 32

const char *rill_frame_table_name(frame_table table); /* "solids", ... */
int rill_frame_table_width(frame_table table);        /* numbers per row */
int rill_frame_table_count(const rill_frame *frame, frame_table table);
void rill_frame_table_row(const rill_frame *frame, frame_table table, int index, float row[FRAME_ROW_MAX]);

/* The values of a frame besides its dimension and time: step, spacing, support, gravity and the periodic box. */
typedef enum frame_value {
    FRAME_STEP,
    FRAME_SPACING,
    FRAME_SUPPORT,
    FRAME_GRAVITY,
    FRAME_PERIODIC,
    FRAME_PERIODIC_ORIGIN,
    FRAME_ORIGIN,
    FRAME_VALUES
} frame_value;
const char *rill_frame_value_name(frame_value value);
int rill_frame_value_width(frame_value value); /* 1 or 3 */
void rill_frame_value_get(const rill_frame *frame, frame_value value, double numbers[3]);

/* Pieces of cloth: links between two or three particles. Files number particles by their order in the file. */
typedef enum frame_pieces { FRAME_SEGMENTS, FRAME_TRIANGLES, FRAME_PIECES } frame_pieces;
static inline int frame_piece_ends(frame_pieces kind) {
    return kind == FRAME_SEGMENTS ? 2 : 3;
}
/* The frame's pieces of this kind, or NULL if it has none. */
const rill_frame_links *rill_frame_pieces_of(const rill_frame *frame, frame_pieces kind);
/* The place of each particle in the file; free() it. NULL if files keep the order of the arrays, or if out of memory
   (`ok` is then false). */
int32_t *rill_frame_file_places(const rill_frame *frame, bool *ok);

/* ---- reading ---- */

typedef struct frame_field {
    char name[RILL_NAME_SIZE], unit[16];
    rill_scalar scalar;
    int components;
} frame_field;
#define FRAME_FIELDS_MAX 64

typedef struct frame_numbers {
    double *data;
    int count, room;
} frame_numbers;

typedef struct frame_parts {
    double dim, time; /* 0 and -1: not given */
    double values[FRAME_VALUES][3];
    frame_numbers tables[FRAME_TABLES];
    frame_field fields[FRAME_FIELDS_MAX];
    int field_count;
    int count;                /* number of particles */
    int pieces[FRAME_PIECES]; /* number of pieces */
} frame_parts;

frame_parts rill_frame_parts_begin(void);
void rill_frame_parts_free(frame_parts *parts);
/* Appends the numbers of a text. False if it contains anything else, or if out of memory. */
bool rill_frame_numbers_read(frame_numbers *numbers, io_span text);
/* Adds a field. NULL if there are too many, or if its name is too long or already used. */
frame_field *rill_frame_parts_add(frame_parts *parts, io_span name, rill_scalar scalar, int components);

/* Makes a frame with everything but the values of its particles. The caller stores those of field f in data[f],
   `components` for each particle. */
rill_status rill_frame_parts_build(const frame_parts *parts, const char *path, const io_run *run, rill_frame *frame,
                                   void *data[FRAME_FIELDS_MAX], rill_error *error);
/* The array that receives the particle numbers of the frame's pieces; and, after reading, whether all of them exist. */
int32_t *rill_frame_pieces_room(const rill_frame *frame, frame_pieces kind);
bool rill_frame_pieces_are_sound(const rill_frame *frame);
/* Sets the dimension to 2 if every z is 0, otherwise to 3; for files that do not give it. */
void rill_frame_guess_dim(rill_frame *frame);

#endif

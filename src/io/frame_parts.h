/* SPDX-License-Identifier: MIT */
/* A frame between file and memory: single numbers, rows of numbers for what is not particles, and the list of fields.
   Both formats write and read these parts, each in its own way. */
#ifndef RILL_IO_FRAME_PARTS_H
#define RILL_IO_FRAME_PARTS_H

#include "io/parse.h"

/* Solids, bodies and joints as rows of numbers; whole numbers are exact. */
typedef enum frame_table { FRAME_SOLIDS, FRAME_BODIES, FRAME_JOINTS, FRAME_TABLES } frame_table;
#define FRAME_ROW_MAX 32

const char *rill_frame_table_name(frame_table table); /* "solids", ... */
int rill_frame_table_width(frame_table table);        /* numbers in a row */
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

/* Pieces of cloth: links of two or three particles. In a file they name particles by their place in it. */
typedef enum frame_pieces { FRAME_SEGMENTS, FRAME_TRIANGLES, FRAME_PIECES } frame_pieces;
static inline int frame_piece_ends(frame_pieces kind) {
    return kind == FRAME_SEGMENTS ? 2 : 3;
}
/* The frame's pieces of a kind; NULL: it has none. */
const rill_frame_links *rill_frame_pieces_of(const rill_frame *frame, frame_pieces kind);
/* Where each particle of the arrays is in the file, to be freed; NULL without memory, and if files have them in the
   order of the arrays. */
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
    double dim, time; /* 0 and -1: unknown */
    double values[FRAME_VALUES][3];
    frame_numbers tables[FRAME_TABLES];
    frame_field fields[FRAME_FIELDS_MAX];
    int field_count;
    int count;                /* particles */
    int pieces[FRAME_PIECES]; /* how many */
} frame_parts;

frame_parts rill_frame_parts_begin(void);
void rill_frame_parts_free(frame_parts *parts);
/* Appends the numbers of a text that has nothing else; false if there is something else, or no memory. */
bool rill_frame_numbers_read(frame_numbers *numbers, io_span text);
/* A new field, or NULL if there are too many, its name is too long or was there before. */
frame_field *rill_frame_parts_add(frame_parts *parts, io_span name, rill_scalar scalar, int components);

/* Makes the frame with everything but the values of the particles, which go to data[f] for the f-th field, `components`
   for each particle. */
rill_status rill_frame_parts_build(const frame_parts *parts, const char *path, const io_run *run, rill_frame *frame,
                                   void *data[FRAME_FIELDS_MAX], rill_error *error);
/* Where the particles of the frame's pieces go, which have been read last; whether all of them are there. */
int32_t *rill_frame_pieces_room(const rill_frame *frame, frame_pieces kind);
bool rill_frame_pieces_are_sound(const rill_frame *frame);
/* 2 if every z is 0, else 3: for files that do not say. */
void rill_frame_guess_dim(rill_frame *frame);

#endif

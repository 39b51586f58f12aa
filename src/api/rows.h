/* SPDX-License-Identifier: MIT */
/* Objects as rows, and their members as columns. Parameter tables (definitions) and member tables (state) describe the
   rows; writing, reading and comparing follow these tables and mention no member by name. */
#ifndef RILL_API_ROWS_H
#define RILL_API_ROWS_H

#include "api/chunk.h"
#include "core/alloc.h"
#include "core/error.h"

/* A member of a struct that is part of the state. */
typedef struct member {
    const char *name;
    uint32_t type;
    size_t offset, size;
    bool was_narrow; /* 64 bits, which earlier builds wrote as 32 */
    bool may_lack;   /* earlier builds did not write it: it then keeps its value of a new world */
    bool optional;   /* a build that does not know it may ignore it */
} member;

/* Arrays decay to pointers, so that an array has the column type of its elements. */
#define MEMBER_TYPE(value) \
    _Generic((value), bool          \
             : COLUMN_BOOL, int32_t \
             : COLUMN_I32, uint32_t \
             : COLUMN_U32, int64_t  \
             : COLUMN_I64, uint64_t \
             : COLUMN_U64, float    \
             : COLUMN_F32, float *  \
             : COLUMN_F32, rill_vec \
             : COLUMN_F32, double   \
             : COLUMN_F64, double * \
             : COLUMN_F64)
#define MEMBER(struct_type, member_)           MEMBER_AS(struct_type, member_, #member_)
#define MEMBER_AS(struct_type, member_, name_) MEMBER_ROW(struct_type, member_, name_, .was_narrow = false)
/* A member that earlier builds wrote in 32 bits. */
#define MEMBER_WIDENED_AS(struct_type, member_, name_) MEMBER_ROW(struct_type, member_, name_, .was_narrow = true)
/* A member that earlier builds did not write. */
#define MEMBER_ADDED(struct_type, member_) MEMBER_ROW(struct_type, member_, #member_, .may_lack = true)
/* A member that earlier builds did not write and that no result depends on. */
#define MEMBER_OPTIONAL(struct_type, member_) \
    MEMBER_ROW(struct_type, member_, #member_, .may_lack = true, .optional = true)
#define MEMBER_ROW(struct_type, member_, name_, ...)                                                                 \
    {                                                                                                                \
        .name = (name_), .type = MEMBER_TYPE(((struct_type *)0)->member_), .offset = offsetof(struct_type, member_), \
        .size = sizeof(((struct_type *)0)->member_), __VA_ARGS__                                                     \
    }
/* A part of a row: the rows of a parameter table, or members. */
typedef struct row_part {
    const char *prefix; /* of its columns' names, before a dot: "motion"; "": none */
    rill_object object; /* its table is used if there are neither members nor a table */
    const rill_table *table;
    const member *members;
    int member_count;
    size_t offset;              /* in the row, of the object or struct that the part describes */
    bool beside;                /* the object lies beside the row: row_set.beside */
    const char *const *dropped; /* columns that earlier builds wrote and this one does not need; NULL at the end */
} row_part;
#define PART_TABLE(prefix_, object_, offset_) \
    { .prefix = (prefix_), .object = (object_), .offset = (offset_) }
#define PART_MEMBERS(prefix_, members_) PART_MEMBERS_BUT(prefix_, members_, NULL)
#define PART_MEMBERS_BUT(prefix_, members_, dropped_)                                                             \
    {                                                                                                             \
        .prefix = (prefix_), .members = (members_), .member_count = (int)(sizeof(members_) / sizeof *(members_)), \
        .dropped = (dropped_)                                                                                     \
    }

typedef struct row_set {
    void *data;
    size_t stride;
    int count;
    bool slots;   /* rows start with a slot, and only those of living objects count */
    void *beside; /* the rows that the method adds, if any */
    size_t beside_stride;
} row_set;
/* Rows without slots and without anything beside them. */
#define ROWS(data_, stride_, count_)                            \
    (row_set) {                                                 \
        .data = (data_), .stride = (stride_), .count = (count_) \
    }

/* One column of a part. */
typedef struct row_value {
    char name[CHUNK_NAME_SIZE];
    uint32_t type, width, flags;
    size_t offset, size; /* of the member in the row; for lists, not the size of their values */
    const rill_param *param;
    bool may_lack;   /* a snapshot without it is complete */
    bool was_narrow; /* unsigned, 64 bits; those with 32 bits of earlier builds are widened */
    bool beside;     /* as in its part */
} row_value;

int rill_part_count(const row_part *part);
row_value rill_part_value(const row_part *part, int index);
const rill_table *rill_part_table(const row_part *part); /* NULL for members */

void *rill_row_at(const row_set *rows, int index);
/* The row, or the object beside it. */
void *rill_row_or_beside(const row_set *rows, bool beside, int index);
bool rill_row_is_alive(const row_set *rows, int index);

/* About a value in a row: the elements of a list, with their number (a choice is copied to `word` as text); whether it
   has its default; whether it is equal in two rows. */
const void *rill_row_list(const row_value *value, const void *row, char word[RILL_NAME_SIZE], uint32_t *count);
bool rill_row_is_default(const row_value *value, const void *row);
/* Whether a value of a row is one that a world can have: booleans are 0 or 1, and members of the state are finite.
   Parameters are checked by their table. */
bool rill_row_makes_sense(const row_value *value, const void *at);
bool rill_row_equal(const row_value *value, const void *a, const void *b);

/* ---- writing ---- */

void rill_put_column(archive *a, const row_value *value, const row_set *rows);
void rill_put_chunk(archive *a, const char *name, const row_part *parts, int count, const row_set *rows);

/* ---- reading: after the first refusal nothing more is read ---- */

typedef struct row_reader {
    const unsigned char *data; /* chunks that are sound */
    size_t size;
    memory *memory; /* for lists; NULL: there are none */
    rill_status status;
    rill_error *error;
} row_reader;
#define REFUSE(reader, ...) \
    ((void)((reader)->status ? 0 : ((reader)->status = rill_fail((reader)->error, RILL_FORMAT, __VA_ARGS__))))

/* The chunk of this name. If there is none, refuses the snapshot and returns an empty one. */
chunk rill_get_chunk(row_reader *r, const char *name);
/* Finds the column of a value. False if there is none. Refuses the snapshot if this build needs the column, or if its
   type or width differ. */
bool rill_find_column(row_reader *r, const chunk *c, const row_value *value, column *found);
/* Copies the values of `rows` rows from row `first` on out of a column, widened to 64 bits if this build has more. */
void rill_copy_values(void *to, const row_value *value, const column *from, size_t first, size_t rows);
/* Reads all columns of a part into rows, and checks parameters by their table. */
void rill_get_part(row_reader *r, const chunk *c, const row_part *part, const row_set *rows);
/* Refuses columns that no part knows and that may not be ignored. */
void rill_refuse_unknown(row_reader *r, const chunk *c, const row_part *parts, int count);
void rill_refuse_column(row_reader *r, const chunk *c, const column *unknown);
/* Fails with RILL_MEMORY unless `got_memory`. */
void rill_need_memory(row_reader *r, bool got_memory);

#endif

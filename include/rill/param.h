/* SPDX-License-Identifier: MIT */
/* Parameter tables: one row for each key of each object and method. Reading of scenes, --set, help, docs, the JSON
   Schema and sliders all use these rows, so that a key, its unit, range, default and meaning are written once. All
   tables are static data. */
#ifndef RILL_PARAM_H
#define RILL_PARAM_H

#include "rill/base.h"

typedef struct rill_vec {
    float x, y, z; /* z is 0 in a 2D world */
} rill_vec;

/* A list of points. The caller owns the array; a world that keeps the list copies it. */
typedef struct rill_points {
    const rill_vec *data;
    int32_t count;
} rill_points;

/* A list of numbers, owned in the same way. */
typedef struct rill_numbers {
    const float *data;
    int32_t count;
} rill_numbers;

/* The C type of the struct member behind a row. */
typedef enum rill_type {
    RILL_TYPE_BOOL,   /* bool */
    RILL_TYPE_INT,    /* int32_t */
    RILL_TYPE_NUMBER, /* float */
    RILL_TYPE_VEC,    /* rill_vec */
    RILL_TYPE_CHOICE, /* int32_t, index into `choices` */
    RILL_TYPE_NAME,   /* char[RILL_NAME_SIZE] */
    RILL_TYPE_FILE,   /* char[RILL_FILE_SIZE] */
    RILL_TYPE_POINTS, /* rill_points */
    RILL_TYPE_NUMBERS /* rill_numbers */
} rill_type;

/* The physical quantity of a number. It decides in which units the number may be written; the value itself is always in
   SI units. */
typedef enum rill_quantity {
    RILL_PURE,
    RILL_LENGTH,            /* m */
    RILL_TIME,              /* s */
    RILL_MASS,              /* kg */
    RILL_SPEED,             /* m/s */
    RILL_ACCELERATION,      /* m/s^2 */
    RILL_DENSITY,           /* kg/m^3, also in 2D: the plane is one metre thick */
    RILL_PRESSURE,          /* Pa */
    RILL_VISCOSITY,         /* Pa s, dynamic */
    RILL_SURFACE_TENSION,   /* N/m */
    RILL_FORCE,             /* N */
    RILL_ENERGY,            /* J */
    RILL_ANGLE,             /* rad */
    RILL_FREQUENCY,         /* 1/s */
    RILL_ANGULAR_SPEED,     /* rad/s */
    RILL_FLOW,              /* m^3/s, in 2D for a plane one metre thick */
    RILL_STIFFNESS,         /* Pa per kg/m^3 = m^2/s^2 */
    RILL_DAMPING,           /* N s/m */
    RILL_ANGULAR_STIFFNESS, /* N m/rad */
    RILL_ANGULAR_DAMPING,   /* N m s/rad */
    RILL_DIFFUSIVITY,       /* m^2/s */
    RILL_AREA,              /* m^2 */
    RILL_AREA_DENSITY,      /* kg/m^2 */
    /* For the one degree of freedom of a joint. The first unit is for a hinge, the second for a slider. */
    RILL_ANGLE_OR_LENGTH,             /* rad, m */
    RILL_ANGULAR_OR_LINEAR_SPEED,     /* rad/s, m/s */
    RILL_TORQUE_OR_FORCE,             /* N m, N */
    RILL_ANGULAR_OR_LINEAR_STIFFNESS, /* N m/rad, N/m */
    RILL_ANGULAR_OR_LINEAR_DAMPING,   /* N m s/rad, N s/m */
    RILL_QUANTITY_COUNT
} rill_quantity;

typedef struct rill_param {
    const char *key;
    rill_type type;
    rill_quantity quantity;
    double min, max;      /* allowed range of a number, or of each component */
    double initial;       /* default of bool, int, number, choice */
    rill_vec initial_vec; /* default of a vec */
    const char *choices;  /* RILL_TYPE_CHOICE: "one|two|three"; RILL_TYPE_NAME and RILL_TYPE_FILE: the default text */
    const char *doc;      /* meaning, in one line */
    const char *equation; /* where a paper or the docs define it, or the equation itself; or NULL */
    size_t offset;        /* of the member in the object [bytes] */
    bool live;            /* may change while a world runs (rill_world_set_number); a method's own rows always may */
    bool place;           /* a position: scenes give it in their own coordinates, a world relative to its origin */
} rill_param;

typedef struct rill_table {
    const char *name;  /* "fluid", "solid", "wcsph" */
    const char *about; /* meaning, in one line */
    const rill_param *params;
    int count;
    size_t size; /* of the object [bytes] */
} rill_table;

/* The SI symbol of a quantity: "m", "Pa s", "rad or m"; "" for pure numbers. Static text. */
RILL_API const char *rill_quantity_symbol(rill_quantity quantity);

/* Reads "2 cm", "1e-3 Pa s", "45 deg" or a number without unit, and sets `value` in SI units. RILL_INVALID if the text,
   or a part of it, is not such a number. */
RILL_API rill_status rill_parse_number(const char *text, rill_quantity quantity, double *value, rill_error *error);
/* Writes the names of all units of a quantity to `buffer`, for messages and docs: "m, mm, cm, km, ...". Returns
   `buffer`. */
RILL_API const char *rill_quantity_units(rill_quantity quantity, char *buffer, size_t size);

/* The row with this key, or NULL. */
RILL_API const rill_param *rill_table_find(const rill_table *table, const char *key);
/* The key, or the choice, that is most similar to a misspelt one; NULL if none is similar. A choice is copied to
   `buffer`, which is returned. */
RILL_API const char *rill_table_nearest(const rill_table *table, const char *key);
RILL_API const char *rill_choices_nearest(const char *choices, const char *name, char *buffer, size_t size);
/* The index of `name` in "a|b|c", or -1; and the name at an index, copied to `buffer`, which is returned ("" if there
   is none). */
RILL_API int rill_choice_index(const char *choices, const char *name);
RILL_API const char *rill_choice_name(const char *choices, int index, char *buffer, size_t size);

/* Sets all members of an object that are in the table to their defaults. */
RILL_API void rill_table_defaults(const rill_table *table, void *object);
/* Checks all values of an object: numbers are finite and in range, choices exist. RILL_INVALID with a message that
   names table and key, the value, and what was expected. */
RILL_API rill_status rill_table_check(const rill_table *table, const void *object, rill_error *error);
/* Sets one member of an object. On error (wrong type, out of range, not a valid text) the object stays as it was. A
   number or an integer is set by number, a vector by vec, a choice by name. `set_text` reads a value of any of these
   types ("[0, 1 cm]" for a vector). */
RILL_API rill_status rill_param_set_number(const rill_param *param, void *object, double value, rill_error *error);
RILL_API rill_status rill_param_set_vec(const rill_param *param, void *object, rill_vec value, rill_error *error);
RILL_API rill_status rill_param_set_text(const rill_param *param, void *object, const char *text, rill_error *error);
/* Writes a value as JSON to `buffer`, at most `size` bytes: numbers in SI units, in the shortest form that reads back
   to the same float; points as an array of arrays of `dim` numbers. Returns the length needed, like snprintf. */
RILL_API int rill_param_get_text(const rill_param *param, const void *object, int dim, char *buffer, size_t size);

#endif

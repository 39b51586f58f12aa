/* SPDX-License-Identifier: MIT */
/* Parameter tables: one row for each key of each object and method. Scene reading, --set, help, docs, the JSON
   Schema and sliders all read these rows, so a key, its unit, range, default and meaning are written once. */
#ifndef RILL_PARAM_H
#define RILL_PARAM_H

#include "rill/base.h"

typedef struct rill_vec {
    float x, y, z; /* z is 0 in a 2D world */
} rill_vec;

/* A list of points; the library copies it wherever it keeps it. */
typedef struct rill_points {
    const rill_vec *data;
    int32_t count;
} rill_points;

/* A list of numbers. */
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

/* The quantity that a number measures; it decides which units the number may be written with. Values are always kept in
 * SI. */
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
    /* Of the one freedom that a joint leaves: the first of a hinge, the second of a slider. */
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
    const char *choices;  /* "one|two|three" for RILL_TYPE_CHOICE, default text for RILL_TYPE_NAME and RILL_TYPE_FILE */
    const char *doc;      /* one line */
    const char *equation; /* where the paper or docs define it, or NULL */
    size_t offset;        /* of the member in the object */
    bool live;            /* may change while a world runs (rill_world_set_number); a method's own rows always may */
    bool place;           /* a point: scenes give it in their own coordinates, a world measures it from its origin */
} rill_param;

typedef struct rill_table {
    const char *name;  /* "fluid", "solid", "wcsph" */
    const char *about; /* one line */
    const rill_param *params;
    int count;
    size_t size; /* of the object */
} rill_table;

/* SI symbol of a quantity: "m", "Pa s", "rad or m", "" for pure numbers. */
RILL_API const char *rill_quantity_symbol(rill_quantity quantity);

/* Reads "2 cm", "1e-3 Pa s", "45 deg" or a bare number as SI. The whole text must be used. */
RILL_API rill_status rill_parse_number(const char *text, rill_quantity quantity, double *value, rill_error *error);
/* All unit names that fit a quantity, for messages and docs: "m, mm, cm, km, ...". Returns `buffer`. */
RILL_API const char *rill_quantity_units(rill_quantity quantity, char *buffer, size_t size);

RILL_API const rill_param *rill_table_find(const rill_table *table, const char *key);
/* The known key (or choice) nearest to a misspelt one, or NULL if nothing is near. */
RILL_API const char *rill_table_nearest(const rill_table *table, const char *key);
RILL_API const char *rill_choices_nearest(const char *choices, const char *name, char *buffer, size_t size);
/* Index of `name` in "a|b|c", or -1; and the name at an index (copied to `buffer`, which is returned). */
RILL_API int rill_choice_index(const char *choices, const char *name);
RILL_API const char *rill_choice_name(const char *choices, int index, char *buffer, size_t size);

RILL_API void rill_table_defaults(const rill_table *table, void *object);
/* Range, finite numbers, valid choice. The error names table and key, what it is and what was expected. */
RILL_API rill_status rill_table_check(const rill_table *table, const void *object, rill_error *error);
/* Sets one member; each checks type and range first and leaves the object alone on error. A choice is set by
   name, an int or number by number, a vec by vec; `set_text` parses any of them ("[0, 1 cm]" for a vec). */
RILL_API rill_status rill_param_set_number(const rill_param *param, void *object, double value, rill_error *error);
RILL_API rill_status rill_param_set_vec(const rill_param *param, void *object, rill_vec value, rill_error *error);
RILL_API rill_status rill_param_set_text(const rill_param *param, void *object, const char *text, rill_error *error);
/* Writes the value as JSON text (numbers in SI, shortest form that reads back to the same float). POINTS give an
   array of arrays of `dim` numbers. Returns the length that was needed, like snprintf. */
RILL_API int rill_param_get_text(const rill_param *param, const void *object, int dim, char *buffer, size_t size);

#endif

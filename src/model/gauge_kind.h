/* SPDX-License-Identifier: MIT */
/* The kinds of gauges. Reading, columns and labels, rules in scenes and lines in the docs all come from one table,
   gauge_kinds.def. */
#ifndef RILL_MODEL_GAUGE_KIND_H
#define RILL_MODEL_GAUGE_KIND_H

#include "rill/types.h"

/* How many values a reading has. */
typedef enum gauge_values {
    GAUGE_ONE,
    GAUGE_VECTOR,  /* one for each axis */
    GAUGE_ROTATION /* one in 2D, three in 3D */
} gauge_values;

/* What a gauge measures. It decides the keys that the gauge needs. */
typedef enum gauge_subject {
    GAUGE_LINE,    /* fluid along a line */
    GAUGE_POINT,   /* fluid at a point */
    GAUGE_FLUID,   /* all of the fluid */
    GAUGE_REGION,  /* fluid between two corners, or all of it */
    GAUGE_SURFACE, /* a solid, or the surface of a body */
    GAUGE_BODY,
    GAUGE_TURN, /* how far a body has turned */
    GAUGE_JOINT,
    GAUGE_PIN,
    GAUGE_CLOTH
} gauge_subject;

/* For each subject: the keys of scenes that only its gauges have, and those among them that are required. */
#define GAUGE_LINE_KEYS        "position|direction|length"
#define GAUGE_LINE_REQUIRED    "position|length"
#define GAUGE_POINT_KEYS       "position"
#define GAUGE_POINT_REQUIRED   "position"
#define GAUGE_FLUID_KEYS       NULL
#define GAUGE_FLUID_REQUIRED   NULL
#define GAUGE_REGION_KEYS      "in_region|min|max"
#define GAUGE_REGION_REQUIRED  NULL
#define GAUGE_SURFACE_KEYS     "solid|window"
#define GAUGE_SURFACE_REQUIRED "solid"
#define GAUGE_BODY_KEYS        "body"
#define GAUGE_BODY_REQUIRED    "body"
#define GAUGE_TURN_KEYS        "body|axis"
#define GAUGE_TURN_REQUIRED    "body"
#define GAUGE_JOINT_KEYS       "joint"
#define GAUGE_JOINT_REQUIRED   "joint"
#define GAUGE_PIN_KEYS         "pin|window"
#define GAUGE_PIN_REQUIRED     "pin"
#define GAUGE_CLOTH_KEYS       "cloth"
#define GAUGE_CLOTH_REQUIRED   "cloth"

typedef struct gauge_kind {
    const char *name, *unit;
    gauge_values values;
    gauge_subject subject;
    bool averages;        /* the reading is a mean over the gauge's window */
    const char *required; /* keys of the subject: "position|length"; NULL: none */
    const char *doc;
} gauge_kind;

/* The facts about a kind; NULL if there is no such kind. */
const gauge_kind *rill_gauge_kind_at(int kind);
/* Number of values in a reading. */
int rill_gauge_value_count(int kind, int dim);
/* The label of value k: "force_x", or the gauge's name if there is only one value. Returns `buffer`. */
const char *rill_gauge_label(const rill_gauge_def *gauge, int dim, int k, char *buffer, size_t size);

#endif

/* SPDX-License-Identifier: MIT */
/* What the files of seams share: cells of a body's surface, the rims of its seam, and what is known of them while one
   body after the other is looked at. seam_cells.c finds cells and rims, seam_heads.c the pressure in them, seam.c the
   forces that follow. */
#ifndef RILL_SIM_BOUNDARY_SEAM_PARTS_H
#define RILL_SIM_BOUNDARY_SEAM_PARTS_H

#include "core/wide.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/seam.h"

/* In spacings: how far off the surface the rim is read, at the mouth of the gap pressure is too low; how far from there
   particles count; distance between the cells of a seam and of its rim. */
#define RIM_OFF    2.0f
#define RIM_REACH  5.0f
#define RIM_BEYOND 1.0f
/* Cells that a worker looks at at a time. */
#define CELL_GRAIN 32
/* Cosine between a normal and that of the seam from which on a face looks the same way. */
#define ALIKE 0.3f

/* One name for each compilation, as in sim/dim_names.h. */
#define rill_seam_beside           SIM_NAME(rill_seam_beside)
#define rill_seam_correct_heads    SIM_NAME(rill_seam_correct_heads)
#define rill_seam_count_cells      SIM_NAME(rill_seam_count_cells)
#define rill_seam_expect_pressures SIM_NAME(rill_seam_expect_pressures)
#define rill_seam_facing           SIM_NAME(rill_seam_facing)
#define rill_seam_find_cells       SIM_NAME(rill_seam_find_cells)
#define rill_seam_find_rims        SIM_NAME(rill_seam_find_rims)
#define rill_seam_owns             SIM_NAME(rill_seam_owns)
#define rill_seam_read_rims        SIM_NAME(rill_seam_read_rims)
#define rill_seam_span_particles   SIM_NAME(rill_seam_span_particles)

typedef struct seam_cell {
    vec x, normal;
    float area;
    float fade;    /* 1 for a thin seam, 0: none */
    int32_t other; /* solid that faces it; -1: open */
    bool near;     /* some solid is near enough that this may be a rim */
    bool is_rim;
    float pressure; /* in a seam, or expected on the other side of the body [Pa] */
} seam_cell;

/* What rims read of a particle. */
typedef struct reading {
    vec x;
    float head;       /* [Pa] */
    bool first_layer; /* along a wall */
} reading;

/* Particles one after the other, which lie near each other as they are sorted, or cells of a seam, which do as faces
   are cut into rows of them: looked at or skipped together. */
#define TOGETHER 16
typedef struct span_box {
    vec low, high;
} span_box;

typedef struct rim {
    vec x;
    float head; /* [Pa] */
    bool wet;
} rim;

/* The load that presses a body towards its seam, on all faces that do not look the same way: by the heads at the rims,
   where such a face is open, and by the particles. */
typedef struct load {
    vec normal;    /* of the seam; zero: there is none */
    double across; /* area of those faces, seen along the normal [m^(DIM-1)] */
    double open;   /* the open part of it */
    double expected, felt;
} load;

/* Forces and torques on a body. */
typedef struct seam_sums {
    double area;
    double unit[6];    /* of a pressure of one pascal in the whole seam */
    double pressed[6]; /* of the pressure that was found */
    double taken[6];   /* what particles in it press already, to be taken off */
} seam_sums;

/* A contact of a particle with a body. */
typedef struct touch {
    int32_t particle, contact;
} touch;

typedef struct finder {
    rill_world *world;
    const solid *own;
    near_solids near;
    float dx, density;
    float gap_none; /* at which it has no seam, in spacings */
    vec gravity;
    seam_cell *cells;
    int cell_count, seam_count;
    rim *rims;
    int rim_count;
    span_box rim_box;   /* around them */
    reading *readings;  /* of all particles, as far as some body asked for them */
    uint8_t *have_read; /* for each TOGETHER of them: whether one did */
    span_box *boxes;    /* around each TOGETHER of them */
    int32_t *around;    /* those TOGETHER that are near the rims, around_count */
    int around_count;
    int32_t *seams;       /* those cells that are seam, seam_count */
    span_box *seam_boxes; /* around each TOGETHER of them */
    span_box seam_box;    /* around all */
    touch *touches;       /* contacts of fluid with bodies, in the order of these */
    int32_t *starts;      /* the first one of each solid, and behind the last */
    seam_sums *sums;      /* of each body */
    load *loads;
} finder;

/* ---- seam_cells.c ---- */

/* Most cells that a body of this shape has. */
int rill_seam_count_cells(const placed_shape *shape);
/* Cells of the body's surface, and which of them are its seam. */
void rill_seam_find_cells(finder *f);
/* Cells beside the seam, and the points off them where pressure is read. */
void rill_seam_find_rims(finder *f);
/* The solid that faces a point of the surface, and how much of a seam that makes; -1: none. */
int32_t rill_seam_facing(const finder *f, vec x, vec normal, float *fade, bool *near);
/* Whether the body has the seam between it and this solid: of two bodies that face each other the first has it. */
bool rill_seam_owns(const finder *f, int32_t other);
/* A cell of the seam that is near this point; NULL: there is none. */
const seam_cell *rill_seam_beside(const finder *f, vec x);

/* ---- seam_heads.c ---- */

/* Boxes around particles, once for all bodies. */
void rill_seam_span_particles(finder *f);
/* Heads at the rims. Returns whether any of them is wet. */
bool rill_seam_read_rims(finder *f);
/* Pressures in the seam, with heads corrected by what the body feels on its other side. */
void rill_seam_correct_heads(finder *f);
/* Pressures on the body's other faces as the heads at the rims have it. */
void rill_seam_expect_pressures(finder *f);

/* ---- small ---- */

static inline int together_count(int count) {
    return (count + TOGETHER - 1) / TOGETHER;
}

/* Particles that are read together end here. */
static inline int together_end(const finder *f, int group) {
    const int count = fluid_count(f->world), end = (group + 1) * TOGETHER;
    return end < count ? end : count;
}

/* Farther than this, by more than rounding, a solid makes neither a seam nor a rim. */
static inline float solid_reach(const finder *f) {
    return 1.001f * (f->gap_none + RIM_BEYOND) * f->dx;
}

/* Makes a box around a point, or extends it. */
static inline void span(span_box *box, bool first, vec x) {
    if (first) *box = (span_box){x, x};
    box->low = vec_min(box->low, x), box->high = vec_max(box->high, x);
}

static inline bool in_reach(const span_box *a, const span_box *b, float reach) {
    bool in = true; /* without branches, which nothing could foresee */
    for (int axis = 0; axis < DIM; axis++) {
        in &= vec_get(a->high, axis) > vec_get(b->low, axis) - reach;
        in &= vec_get(a->low, axis) < vec_get(b->high, axis) + reach;
    }
    return in;
}

/* Whether a cell is open and does not look the way the seam does. */
static inline bool is_beside(const seam_cell *c, const load *l) {
    return c->other < 0 && vec_dot(c->normal, l->normal) < ALIKE;
}

#endif

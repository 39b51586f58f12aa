/* SPDX-License-Identifier: MIT */
/* Shared by the files of seams: cells of a body's surface, the rims of its seam, and the data of the search, which goes
   through the bodies one by one. seam_cells.c finds cells and rims, seam_heads.c the pressure in them, seam.c the
   resulting forces. */
#ifndef RILL_SIM_BOUNDARY_SEAM_PARTS_H
#define RILL_SIM_BOUNDARY_SEAM_PARTS_H

#include "core/wide.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/seam.h"

/* In spacings: distance from the surface at which the rim is read, because pressure is too low at the mouth of the gap;
   radius around that point in which particles count; distance between the cells of a seam and of its rim. */
#define RIM_OFF    2.0f
#define RIM_REACH  5.0f
#define RIM_BEYOND 1.0f
/* Cells that a worker takes at a time. */
#define CELL_GRAIN 32
/* From this cosine between its normal and the seam's on, a face looks the same way as the seam. */
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
    float fade;    /* 1 for a thin seam, falling to 0 where it ends */
    int32_t other; /* solid that faces the cell; -1: none */
    bool near;     /* whether some solid is near enough for a rim */
    bool is_rim;
    float pressure; /* in the seam, or expected on the body's other faces [Pa] */
} seam_cell;

/* The values of a particle that rims read. */
typedef struct reading {
    vec x;
    float head;       /* [Pa] */
    bool first_layer; /* whether it lies along a wall */
} reading;

/* Consecutive particles, which are close together because they are sorted, or consecutive seam cells, which are close
   together because faces are cut in rows: tested or skipped together, by their box. */
#define TOGETHER 16
typedef struct span_box {
    vec low, high;
} span_box;

typedef struct rim {
    vec x;
    float head; /* [Pa] */
    bool wet;
} rim;

/* The load that presses a body towards its seam, on all faces that do not look the same way as the seam: `expected`
   from the heads at the rims on their open part, and `felt` from the forces of particles. */
typedef struct load {
    vec normal;    /* of the seam; zero without a seam */
    double across; /* area of those faces, projected along the normal [m^(DIM-1)] */
    double open;   /* the open part of it */
    double expected, felt;
} load;

/* Forces and torques on a body. */
typedef struct seam_sums {
    double area;
    double unit[6];    /* of a pressure of 1 Pa in the whole seam */
    double pressed[6]; /* of the pressures found */
    double taken[6];   /* minus the force that particles in the seam exert already */
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
    float gap_none; /* gap from which on there is no seam, in spacings */
    vec gravity;
    seam_cell *cells;
    int cell_count, seam_count;
    rim *rims;
    int rim_count;
    span_box rim_box;   /* around them */
    reading *readings;  /* by particle; only those near some body's rims are filled in */
    uint8_t *have_read; /* for each TOGETHER of them: whether they are filled in */
    span_box *boxes;    /* around each TOGETHER of them */
    int32_t *around;    /* groups of TOGETHER near the rims; around_count of them */
    int around_count;
    int32_t *seams;       /* cells that belong to the seam; seam_count of them */
    span_box *seam_boxes; /* around each TOGETHER of them */
    span_box seam_box;    /* around all of them */
    touch *touches;       /* contacts of fluid with bodies, sorted by solid */
    int32_t *starts;      /* first of each solid, and one more */
    seam_sums *sums;      /* of each body */
    load *loads;
} finder;

/* ---- seam_cells.c ---- */

/* The largest number of cells of a body of this shape. */
int rill_seam_count_cells(const placed_shape *shape);
/* Finds the cells of the body's surface, and those of its seam. */
void rill_seam_find_cells(finder *f);
/* Finds the cells beside the seam, and the points off them where pressure is read. */
void rill_seam_find_rims(finder *f);
/* The solid that faces a point of the surface, or -1; `fade`: how much of a seam that makes; `near`: whether the point
   may be at a rim. */
int32_t rill_seam_facing(const finder *f, vec x, vec normal, float *fade, bool *near);
/* Whether the seam between the body and this solid belongs to the body. Of two bodies that face each other it belongs
   to the first. */
bool rill_seam_owns(const finder *f, int32_t other);
/* A cell of the seam near this point; NULL if there is none. */
const seam_cell *rill_seam_beside(const finder *f, vec x);

/* ---- seam_heads.c ---- */

/* Makes boxes around groups of particles, once for all bodies. */
void rill_seam_span_particles(finder *f);
/* Reads the heads at the rims. Returns whether any rim is wet. */
bool rill_seam_read_rims(finder *f);
/* Finds the pressures in the seam, with heads corrected by the load on the body's other faces. */
void rill_seam_correct_heads(finder *f);
/* Finds the pressures on the body's other faces that the heads at the rims imply. */
void rill_seam_expect_pressures(finder *f);

/* ---- helpers ---- */

static inline int together_count(int count) {
    return (count + TOGETHER - 1) / TOGETHER;
}

/* The end of a group of particles that are read together. */
static inline int together_end(const finder *f, int group) {
    const int count = fluid_count(f->world), end = (group + 1) * TOGETHER;
    return end < count ? end : count;
}

/* Beyond this distance a solid makes neither a seam nor a rim; the factor leaves room for rounding. */
static inline float solid_reach(const finder *f) {
    return 1.001f * (f->gap_none + RIM_BEYOND) * f->dx;
}

/* Makes a box around a point, or extends it. */
static inline void span(span_box *box, bool first, vec x) {
    if (first) *box = (span_box){x, x};
    box->low = vec_min(box->low, x), box->high = vec_max(box->high, x);
}

static inline bool in_reach(const span_box *a, const span_box *b, float reach) {
    bool in = true; /* without branches, which would be mispredicted */
    for (int axis = 0; axis < DIM; axis++) {
        in &= vec_get(a->high, axis) > vec_get(b->low, axis) - reach;
        in &= vec_get(a->low, axis) < vec_get(b->high, axis) + reach;
    }
    return in;
}

/* Whether no solid faces a cell and it does not look the same way as the seam. */
static inline bool is_beside(const seam_cell *c, const load *l) {
    return c->other < 0 && vec_dot(c->normal, l->normal) < ALIKE;
}

#endif

/* SPDX-License-Identifier: MIT */
/* Cloth: particles that are not fluid, joined by links. Elastic energy, contacts and pins are rows
     w/2 |D x - p|^2,   D x = sum of shares times up to four particles,   p on the row's constraint,
   so that the linear part of a solver is one matrix of rows, whatever a row is about; only p is a row's own.
   Lengths, masses and stiffness are SI (docs/cloth.md): a row of a finer cloth has another weight, not another meaning.
   Any method may have cloth that has CLOTH_FIELDS among its fields and rill_cloth_links as its link sets. */
#ifndef RILL_SIM_CLOTH_CLOTH_H
#define RILL_SIM_CLOTH_CLOTH_H

#include "core/arena.h"
#include "sim/links.h"
#include "sim/method/method.h"
#include "sim/solve/local_global.h"

/* ---- what particles and links carry ---- */

#define CLOTH_FIELDS                                                                                                   \
    {"pin", "", "number of the pin that holds it, plus 1", RILL_SCALAR_UINT32, 1, 1, FIELD_SORT}, {                    \
        "anchor", "m", "where its pin holds it, as the pin or its body was added", RILL_SCALAR_FLOAT, 0, 0, FIELD_SORT \
    }
enum { CLOTH_FIELD_PIN, CLOTH_FIELD_ANCHOR, CLOTH_FIELD_COUNT };

enum { CLOTH_SEGMENTS, CLOTH_TRIANGLES, CLOTH_HINGES, CLOTH_CURVES, CLOTH_SETS };
enum { SEGMENT_LENGTH, SEGMENT_WIDTH };     /* values of a segment */
enum { TRIANGLE_SHAPE };                    /* of a triangle: corners (0, 0), (a, 0), (b, c) at rest */
enum { BEND_SHARES, BEND_AREA, BEND_REST }; /* of a hinge or curve: D, area that it stands for, |D x| at rest */

static inline uint32_t *cloth_pins(const rill_world *w) {
    return FIELD_AS(w, FIELD_METHOD + sim_of(w)->method->cloth_field + CLOTH_FIELD_PIN, uint32_t);
}
static inline vec *cloth_anchors(const rill_world *w) {
    return FIELD_AS(w, FIELD_METHOD + sim_of(w)->method->cloth_field + CLOTH_FIELD_ANCHOR, vec);
}
static inline bool world_has_cloth(const rill_world *w) {
    return w->cloths.living_count > 0;
}

#if DIM == 3
VEC_FN vec vec_cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
#endif

/* ---- elements: the segments, then the triangles ---- */

static inline int cloth_element_count(const rill_world *w) {
    return links_in(w, CLOTH_SEGMENTS)->count + links_in(w, CLOTH_TRIANGLES)->count;
}
/* Its particles; returns how many. */
static inline int cloth_element(const rill_world *w, int element, const int32_t **ends) {
    const link_set *segments = links_in(w, CLOTH_SEGMENTS);
    if (element < segments->count) {
        *ends = link_ends(segments, element);
        return 2;
    }
    *ends = link_ends(links_in(w, CLOTH_TRIANGLES), element - segments->count);
    return 3;
}

/* Largest and least stretch of a triangle: the singular values of its deformation gradient. */
typedef struct stretch {
    float most, least;
} stretch;
static inline stretch cloth_stretch(const float *shape, const vec *x) {
    const vec e = vec_sub(x[1], x[0]), f1 = vec_scale(e, 1.0f / shape[0]);
    const vec f2 = vec_scale(vec_along(vec_sub(x[2], x[0]), -shape[1] / shape[0], e), 1.0f / shape[2]);
    const float p = vec_dot(f1, f1), q = vec_dot(f1, f2), r = vec_dot(f2, f2);
    const float root = sqrtf(0.25f * (p - r) * (p - r) + q * q), mean = 0.5f * (p + r);
    return (stretch){sqrtf(mean + root), sqrtf(fmaxf(mean - root, 0.0f))};
}
static inline float cloth_strain(const float *shape, const vec *x) {
    return cloth_stretch(shape, x).most - 1.0f;
}

/* ---- rows ---- */

#define ROW_ENDS 4

typedef struct cloth_row {
    int32_t end[ROW_ENDS]; /* members; a share that is 0 has some member */
    float share[ROW_ENDS];
    float weight; /* w [N/m], shares without a unit; [N m] where shares are 1/m */
} cloth_row;

/* How a row answers a displacement d where it looks, the second derivative of its energy without what is negative in
   it: w (across d + along (axis . d) axis). */
typedef struct cloth_answer {
    vec axis;
    float across, along;
} cloth_answer;

#if DIM == 3
/* The same of a triangle, whose two rows answer together: R of F = R S and the normal, the inverse of S taken from 1
   across the triangle, and the share of a turn in its plane that R follows. */
typedef struct triangle_answer {
    vec t1, t2, normal;
    float g11, g12, g22, turned;
} triangle_answer;
#endif

/* A symmetric matrix by columns. */
typedef struct cloth_block {
    vec column[DIM];
} cloth_block;

/* What a contact presses with. Fluid takes the share 1/G of a pull in a round, G its diagonal in the frame, and carries
   rounds on: what a cloth gets back must follow the same recursion, or the two would not keep their momentum. */
typedef struct cloth_press {
    float here, before, ahead; /* [N] */
    float share;               /* 1/G */
    float missing, gap;        /* where the row looks [m] */
    float looked;              /* what was missing as the round began [m] */
} cloth_press;

/* A point near an element as the step began: a fluid particle, or one of a cloth. */
typedef struct cloth_pair {
    int32_t point, element;
    float share[3]; /* of the element's particles at the nearest place */
    vec normal;     /* from there to the point */
    vec from;       /* where the point is */
    float gap;      /* how far [m] */
    float apart;    /* how far they keep [m] */
    float weight;   /* of its row, before the share */
    bool acts;      /* has a row; others only must not be passed through */
} cloth_pair;

/* Where a particle's part of a row lies. */
typedef struct cloth_part {
    int32_t row;
    float share;
} cloth_part;

/* The cloth's part of a step. */
typedef struct cloth_job {
    rill_world *world;
    local_global *frame;
    float dt;
    /* Members: the particles of all cloths, then the fluid particles that touch one. */
    int cloth_begin, cloth_count, member_count, row_count, pair_count;
    int first_hinge, first_curve, first_pair, first_wall; /* rows of each kind; elastic ones come first */
    int32_t *member;                                      /* particle of each */
    int32_t *local;                                       /* of each particle: its member plus 1, or 0 */
    cloth_row *row;
    vec *value;       /* of each row: w (p - D x) */
    vec *image_value; /* and w D d, d the direction of conjugate gradients */
    cloth_answer *answer;
#if DIM == 3
    triangle_answer *triangle;
#endif
    cloth_press *press; /* of the rows of pairs */
    int32_t *row_pair;  /* of contact rows: their pair, or their wall contact */
    cloth_pair *pair;
    cloth_part *part;
    int32_t *part_first;       /* of each member and one more */
    float *inverse;            /* of each member: dt^2/m; 0 if it is pinned */
    float *diagonal;           /* what the rows add at most */
    cloth_block *precondition; /* of each member: inverse of its own part of the matrix */
    vec *change, *direction, *residual, *image;
    vec *start;  /* of each particle of a cloth: where it was as the step began */
    vec *x;      /* of each member: where rows look */
    vec *pulled; /* of each member: what its rows pull it by */
    float step;  /* share of a change that is tried */
    double alpha, beta, first_residual, last_residual;
    bool stalled; /* the last round was no better than the one before */
    bool settled; /* the last round found nothing left to do */
} cloth_job;

/* Symbols that leave their file. */
#define rill_cloth_links           DIM_NAME(rill_cloth_links)
#define rill_cloth_add             DIM_NAME(rill_cloth_add)
#define rill_cloth_remove          DIM_NAME(rill_cloth_remove)
#define rill_cloth_add_pin         DIM_NAME(rill_cloth_add_pin)
#define rill_cloth_remove_pin      DIM_NAME(rill_cloth_remove_pin)
#define rill_cloth_read            DIM_NAME(rill_cloth_read)
#define rill_cloth_energy          DIM_NAME(rill_cloth_energy)
#define rill_cloth_predict         DIM_NAME(rill_cloth_predict)
#define rill_cloth_blow            DIM_NAME(rill_cloth_blow)
#define rill_cloth_tear            DIM_NAME(rill_cloth_tear)
#define rill_cloth_pull_pins       DIM_NAME(rill_cloth_pull_pins)
#define rill_cloth_begin           SIM_NAME(rill_cloth_begin)
#define rill_cloth_kind            SIM_NAME(rill_cloth_kind)
#define rill_cloth_finish          SIM_NAME(rill_cloth_finish)
#define rill_cloth_settle          SIM_NAME(rill_cloth_settle)
#define rill_cloth_find_pairs      SIM_NAME(rill_cloth_find_pairs)
#define rill_cloth_hold_back       SIM_NAME(rill_cloth_hold_back)
#define rill_cloth_elastic_rows    DIM_NAME(rill_cloth_elastic_rows)
#define rill_cloth_answer_triangle DIM_NAME(rill_cloth_answer_triangle)
#define rill_cloth_project_row     DIM_NAME(rill_cloth_project_row)

/* The link sets of cloth, for methods that have it. */
extern const link_set_def rill_cloth_links[CLOTH_SETS];

/* Making and removing (make.c). */
rill_status rill_cloth_add(rill_world *world, const cloth *c);
rill_status rill_cloth_remove(rill_world *world, const cloth *c);
rill_status rill_cloth_add_pin(rill_world *world, pin *p);
void rill_cloth_remove_pin(rill_world *world, const pin *p);

/* A step, in the order of its calls. Pinned particles go to where their pin will be, after all have moved ahead. */
void rill_cloth_predict(rill_world *world, double dt);
/* What was strained too far tears; air presses. Positions are predicted, links in order. */
rill_status rill_cloth_tear(rill_world *world, double dt);
void rill_cloth_blow(rill_world *world, double dt);
/* The job of a step, kept until the next: rows of everything that acts. */
rill_status rill_cloth_begin(rill_world *world, double dt);
constraints rill_cloth_kind(cloth_job *job, local_global *frame);
/* Pins and walls get what the rows gave; velocities, once they are found, are damped, and what came through is held
   back. */
void rill_cloth_finish(rill_world *world, cloth_job *job);
void rill_cloth_settle(rill_world *world, cloth_job *job);
void rill_cloth_hold_back(rill_world *world, cloth_job *job);

/* Parts of these (elements.c, contact.c, pins.c). */
int rill_cloth_elastic_rows(cloth_job *job);
void rill_cloth_project_row(const cloth_job *job, int row);
void rill_cloth_answer_triangle(const cloth_job *job, int row, vec *first, vec *second);
/* Rows of triangles, two for each. */
static inline bool cloth_row_is_triangle(const cloth_job *job, int row) {
    return row < job->first_hinge && row >= links_in(job->world, CLOTH_SEGMENTS)->count;
}
rill_status rill_cloth_find_pairs(cloth_job *job);
void rill_cloth_pull_pins(rill_world *world, cloth_job *job);

/* Measuring (measure.c). */
void rill_cloth_read(const rill_world *world, const gauge *g, rill_reading *reading);
double rill_cloth_energy(rill_world *world);

#endif

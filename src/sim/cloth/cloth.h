/* SPDX-License-Identifier: MIT */
/* Cloth: particles that are not fluid, joined by links. Elastic energy, contacts and pins are rows
     w/2 |D x - p|^2,   D x = sum of shares times up to four particles,   p on the row's constraint,
   so that the linear part of a solver is one matrix of rows, whatever a row stands for; only p differs. Lengths, masses
   and stiffness are SI (docs/cloth.md): a row of a finer cloth has another weight, not another meaning. Particles get
   the fields and links of cloth with the world's first cloth (rill_cloth_use). A method that `has_cloth` calls the
   functions under "a step". How rows take part in its iteration is in one file for each: kind.c for local_global.h,
   sim/method/pbf_cloth.c. */
#ifndef RILL_SIM_CLOTH_CLOTH_H
#define RILL_SIM_CLOTH_CLOTH_H

#include "core/arena.h"
#include "sim/links.h"
#include "sim/method/method.h"
#include "sim/solve/local_global.h"

/* ---- what particles and links carry ---- */

enum { CLOTH_SEGMENTS, CLOTH_TRIANGLES, CLOTH_HINGES, CLOTH_CURVES, CLOTH_SETS };
enum { SEGMENT_LENGTH, SEGMENT_WIDTH };     /* values of a segment */
enum { TRIANGLE_SHAPE };                    /* a triangle's corners (0, 0), (a, 0), (b, c) at rest */
enum { BEND_SHARES, BEND_AREA, BEND_REST }; /* a hinge's or curve's D, its area, and |D x| at rest */

static inline uint32_t *cloth_pins(const rill_world *w) {
    return particles_extra(&w->particles, EXTRA_PIN);
}
static inline vec *cloth_anchors(const rill_world *w) {
    return particles_extra(&w->particles, EXTRA_ANCHOR);
}
static inline bool world_has_cloth(const rill_world *w) {
    return w->cloths.living_count > 0;
}

/* ---- elements: the segments, then the triangles ---- */

static inline int cloth_element_count(const rill_world *w) {
    return links_in(w, CLOTH_SEGMENTS)->count + links_in(w, CLOTH_TRIANGLES)->count;
}
/* The particles of an element; returns their number. */
static inline int cloth_element(const rill_world *w, int element, const int32_t **ends) {
    const link_set *segments = links_in(w, CLOTH_SEGMENTS);
    if (element < segments->count) {
        *ends = link_ends(segments, element);
        return 2;
    }
    *ends = link_ends(links_in(w, CLOTH_TRIANGLES), element - segments->count);
    return 3;
}

/* Largest and least stretch of a triangle: the singular values of its deformation gradient F, roots of the eigenvalues
   of F^T F. */
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
    int32_t end[ROW_ENDS]; /* members; any member where the share is 0 */
    float share[ROW_ENDS];
    float weight; /* w [N/m], shares without a unit; [N m] where shares are 1/m */
} cloth_row;

/* The response of a row to a displacement d: the second derivative of its energy where the row is evaluated, without
   the negative part: w (across d + along (axis . d) axis). */
typedef struct cloth_answer {
    vec axis;
    float across, along;
} cloth_answer;

#if DIM == 3
/* The response of a triangle, whose two rows respond together: R of F = R S and the normal, the inverse of S subtracted
   from 1 for displacements across the triangle, and the share of a rotation in its plane that R follows. With d1 and d2
   the displacements of the columns of F, the rows respond by w times
     along t1, t2   t1.d1, t2.d2, and for the shear (1 - h) t2.d1 + h t1.d2 and its mirror image, h = turned/2
     along n        g (n.d1, n.d2), g = 1 - 1/S where it is positive: a taut piece resists like a drum, a slack one does
                    not */
typedef struct triangle_answer {
    vec t1, t2, normal;
    float g11, g12, g22, turned;
} triangle_answer;
#endif

/* A matrix by columns. */
typedef struct cloth_block {
    vec column[DIM];
} cloth_block;

/* The force of a contact along its normal. Fluid extrapolates its rounds, and may forget a share of what pushed it in
   each of them. The force on the cloth must follow the same recursion, or momentum would not be conserved. */
typedef struct cloth_press {
    float here, before, ahead; /* [N] */
    float share;               /* share that a round forgets; 0: none */
    float missing, gap;        /* where the row is evaluated [m] */
    float looked;              /* `missing` at the beginning of the round [m] */
    bool acts, acted;          /* whether it acts; `acted`: at the beginning of the round */
} cloth_press;

/* A point near an element at the beginning of a step: a particle of fluid or of a cloth. */
typedef struct cloth_pair {
    int32_t point, element;
    float share[3]; /* weights of the element's particles that give its nearest place */
    vec normal;     /* from that place to the point */
    vec from;       /* position of the point */
    float gap;      /* its distance [m] */
    float apart;    /* the distance that they keep [m] */
    float weight;   /* of its row, before the frame scales it */
    bool permeable; /* whether fluid seeps through */
    bool acts;      /* has a row; otherwise it only must not be passed through */
} cloth_pair;

/* A member's part of a row. */
typedef struct cloth_part {
    int32_t row;
    float share;
} cloth_part;

/* The cloth's part of a step. */
typedef struct cloth_job {
    rill_world *world;
    local_global *frame; /* NULL if the method iterates otherwise */
    float dt;
    /* Members: the particles of all cloths, then the fluid particles that touch one. */
    int cloth_begin, cloth_count, member_count, row_count, pair_count;
    int first_hinge, first_curve, first_pair, first_wall; /* rows of each kind; elastic ones come first */
    int32_t *member;                                      /* the particle of each member */
    int32_t *local;                                       /* of each particle: its member number plus 1, or 0 */
    cloth_row *row;
    vec *value;       /* of each row: w (p - D x) */
    vec *image_value; /* of each contact row: w D d, d the direction of conjugate gradients */
    cloth_answer *answer;
#if DIM == 3
    triangle_answer *triangle;
#endif
    cloth_press *press; /* of the rows of pairs */
    int32_t *row_pair;  /* of contact rows: the pair or the wall contact */
    cloth_pair *pair;
    cloth_part *part;
    int32_t *part_first;       /* first part of each member, and one more */
    int32_t *elastic_end;      /* of each particle of a cloth: end of its elastic parts */
    int32_t *part_block;       /* by part and end of its row: the block that it adds to; -1: the particle itself */
    int32_t *block_first;      /* first block of each particle of a cloth, and one more (matrix.c) */
    int32_t *latest;           /* the last block given to each particle, while blocks are listed */
    int32_t *column;           /* the other particle of each block */
    cloth_block *block;        /* response to a displacement of that particle [N/m] */
    float *inverse;            /* dt^2/m of each member; 0 if it is pinned */
    float *diagonal;           /* of dt^2/m sum D^T w D: the most that rows add */
    cloth_block *precondition; /* inverse of each member's own part of the matrix */
    vec *change, *direction, *residual, *image;
    vec *start;  /* position of each particle of a cloth at the beginning of the step */
    vec *x;      /* positions of members at which rows are evaluated */
    vec *from;   /* those positions at the beginning of the round */
    vec *load;   /* displacement of each member by its inertia and all that pulls it */
    vec *pulled; /* the part of its rows in `load` */
    float step;  /* share of the change that the line search tries */
    int round;   /* rounds so far */
    bool rough;  /* many rounds follow, and each corrects what the last one left: low accuracy is enough */
    bool held;   /* fluid and contact forces are held, while the cloth alone comes to rest under them */
    double alpha, beta, first_residual, last_residual;
    bool stalled; /* the last round did not reduce the residual */
    bool settled; /* the residual of the last round was negligible */
} cloth_job;

/* Rows or members that a worker takes at a time. */
#define CLOTH_GRAIN 512

/* Names of functions with external linkage, for each dimension and width. */
#define rill_cloth_links         DIM_NAME(rill_cloth_links)
#define rill_cloth_use           DIM_NAME(rill_cloth_use)
#define rill_cloth_add           DIM_NAME(rill_cloth_add)
#define rill_cloth_remove        DIM_NAME(rill_cloth_remove)
#define rill_cloth_add_pin       DIM_NAME(rill_cloth_add_pin)
#define rill_cloth_remove_pin    DIM_NAME(rill_cloth_remove_pin)
#define rill_cloth_read          DIM_NAME(rill_cloth_read)
#define rill_cloth_energy        DIM_NAME(rill_cloth_energy)
#define rill_cloth_predict       DIM_NAME(rill_cloth_predict)
#define rill_cloth_blow          DIM_NAME(rill_cloth_blow)
#define rill_cloth_tear          DIM_NAME(rill_cloth_tear)
#define rill_cloth_pull_pins     DIM_NAME(rill_cloth_pull_pins)
#define rill_cloth_pull_pin      DIM_NAME(rill_cloth_pull_pin)
#define rill_cloth_speed         DIM_NAME(rill_cloth_speed)
#define rill_cloth_adds_energy   DIM_NAME(rill_cloth_adds_energy)
#define rill_cloth_begin         SIM_NAME(rill_cloth_begin)
#define rill_cloth_finish        SIM_NAME(rill_cloth_finish)
#define rill_cloth_settle        SIM_NAME(rill_cloth_settle)
#define rill_cloth_gain          SIM_NAME(rill_cloth_gain)
#define rill_cloth_kind          SIM_NAME(rill_cloth_kind)
#define rill_cloth_arrive        SIM_NAME(rill_cloth_arrive)
#define rill_cloth_round         SIM_NAME(rill_cloth_round)
#define rill_cloth_project       SIM_NAME(rill_cloth_project)
#define rill_cloth_blocks_most   SIM_NAME(rill_cloth_blocks_most)
#define rill_cloth_list_blocks   SIM_NAME(rill_cloth_list_blocks)
#define rill_cloth_assemble      SIM_NAME(rill_cloth_assemble)
#define rill_cloth_own_block     SIM_NAME(rill_cloth_own_block)
#define rill_cloth_pair_rows     DIM_NAME(rill_cloth_pair_rows)
#define rill_cloth_wall_rows     DIM_NAME(rill_cloth_wall_rows)
#define rill_cloth_project_pair  DIM_NAME(rill_cloth_project_pair)
#define rill_cloth_project_wall  DIM_NAME(rill_cloth_project_wall)
#define rill_cloth_pull_on_fluid DIM_NAME(rill_cloth_pull_on_fluid)
#define rill_cloth_push_on_fluid DIM_NAME(rill_cloth_push_on_fluid)
#define rill_cloth_forgotten     DIM_NAME(rill_cloth_forgotten)
#define rill_cloth_pair_energy   DIM_NAME(rill_cloth_pair_energy)
#define rill_cloth_carry_presses DIM_NAME(rill_cloth_carry_presses)
#define rill_cloth_look_presses  DIM_NAME(rill_cloth_look_presses)
#define rill_cloth_end_presses   DIM_NAME(rill_cloth_end_presses)
#define rill_cloth_wall_of       DIM_NAME(rill_cloth_wall_of)
#define rill_cloth_find_pairs    SIM_NAME(rill_cloth_find_pairs)
#define rill_cloth_hold_back     SIM_NAME(rill_cloth_hold_back)
#define rill_cloth_elastic_rows  DIM_NAME(rill_cloth_elastic_rows)
#define rill_cloth_project_row   DIM_NAME(rill_cloth_project_row)

extern const link_set_def rill_cloth_links[CLOTH_SETS];

/* Making and removing (make.c). rill_cloth_use gives a world the fields and links of cloth, or refuses it. */
rill_status rill_cloth_use(rill_world *world);
rill_status rill_cloth_add(rill_world *world, const cloth *c);
rill_status rill_cloth_remove(rill_world *world, const cloth *c);
rill_status rill_cloth_add_pin(rill_world *world, pin *p);
void rill_cloth_remove_pin(rill_world *world, const pin *p);

/* A step, in the order of its calls. Pinned particles go to where their pin will be, after all have been predicted. */
void rill_cloth_predict(rill_world *world, double dt);
/* Tears elements that were strained too far; applies the pressure of air. Positions are predicted, links in order. */
rill_status rill_cloth_tear(rill_world *world, double dt);
void rill_cloth_blow(rill_world *world, double dt);
/* Makes the job of a step, which is kept until the next: the rows of everything that acts. */
rill_status rill_cloth_begin(rill_world *world, double dt);
/* Functions of a round. Contact forces are extrapolated as fluid is, by `carry` times their last change. Rows are
   projected at `x`. A member's `load` is the displacement by its own inertia and by its rows (rill_cloth_gain). A round
   finds the change of all members, to be taken `step` times, and returns the iterations of conjugate gradients. */
void rill_cloth_carry_presses(cloth_job *job, float carry);
void rill_cloth_project(cloth_job *job);
vec rill_cloth_gain(const cloth_job *job, int member);
int rill_cloth_round(cloth_job *job);
/* The displacement of a fluid particle by the change of its contact forces, the same to the last bit as the cloth gets;
   the round has solved for it within a tolerance. */
vec rill_cloth_push_on_fluid(const cloth_job *job, int member);
/* The part of a fluid particle's displacement by contacts that the frame forgets when it divides. */
vec rill_cloth_forgotten(const cloth_job *job, int member);
/* Pins and walls get the forces of the rows at `x`, the end of the step. Once velocities are found they are damped, and
   points that came through a cloth are put back. */
void rill_cloth_finish(rill_world *world, cloth_job *job);
void rill_cloth_settle(rill_world *world, cloth_job *job);
void rill_cloth_hold_back(rill_world *world, cloth_job *job);
/* Speed of waves that stretch a cloth: a strained piece that tears flies off at its strain times that [m/s]. */
double rill_cloth_speed(const rill_world *world);
/* Whether wind or pins, which may move, put energy in. */
bool rill_cloth_adds_energy(const rill_world *world);

/* The rows as a kind of constraints; then `x` at the end of the rounds, with the cloth at rest under its contact forces
   (kind.c). */
constraints rill_cloth_kind(cloth_job *job, local_global *frame);
void rill_cloth_arrive(cloth_job *job);

/* Parts of the above. D x of a row: */
static inline vec row_image(const cloth_job *job, int row) {
    const cloth_row *r = &job->row[row];
    vec sum = {0};
    for (int k = 0; k < ROW_ENDS; k++) sum = vec_along(sum, r->share[k], job->x[r->end[k]]);
    return sum;
}
/* Whether a row belongs to a triangle, which has two. */
static inline bool cloth_row_is_triangle(const cloth_job *job, int row) {
    return row < job->first_hinge && row >= links_in(job->world, CLOTH_SEGMENTS)->count;
}
int rill_cloth_elastic_rows(cloth_job *job); /* elements.c */
void rill_cloth_project_row(const cloth_job *job, int row);
void rill_cloth_pair_rows(cloth_job *job); /* contact_rows.c */
void rill_cloth_wall_rows(cloth_job *job);
void rill_cloth_project_pair(const cloth_job *job, int row);
void rill_cloth_project_wall(const cloth_job *job, int row);
vec rill_cloth_pull_on_fluid(const cloth_job *job, int row);
double rill_cloth_pair_energy(const cloth_job *job, int row);
void rill_cloth_look_presses(cloth_job *job);
void rill_cloth_end_presses(cloth_job *job);
wall_contact *rill_cloth_wall_of(const cloth_job *job, int row);
int rill_cloth_blocks_most(const rill_world *world);           /* matrix.c */
void rill_cloth_list_blocks(cloth_job *job);                   /* called once rows and their parts are listed */
void rill_cloth_assemble(cloth_job *job);                      /* from the rows' answers */
cloth_block rill_cloth_own_block(const cloth_job *job, int k); /* block of a particle with itself */
rill_status rill_cloth_find_pairs(cloth_job *job);             /* contact.c */
void rill_cloth_pull_pins(rill_world *world, cloth_job *job);  /* pins.c */
void rill_cloth_pull_pin(rill_world *world, int particle, vec force, float dt);

/* Measuring (measure.c). */
void rill_cloth_read(const rill_world *world, const gauge *g, rill_reading *reading);
double rill_cloth_energy(rill_world *world);

#endif

/* SPDX-License-Identifier: MIT */
/* Constraint fluids: one condition per particle, 1 - sum V_j W_ij - walls >= 0, solved with wall contacts and the rows
   of rigid bodies as one mixed linear complementarity problem. Bodin, Lacoursiere and Servin, "Constraint Fluids", IEEE
   TVCG 18 (2012); equation numbers are the paper's, signs and factors as in docs/methods/constraint.md.

   Parts: constraint.c (parameters and the step), constraint_rows.c (rows from particles), constraint_sweep.c (coloured
   Gauss-Seidel), constraint_residual.c (the residual), constraint_nonlinear.c and constraint_gradient.c (conjugate
   gradients), constraint_viscosity.c and constraint_friction.h (friction inside the fluid). */
#ifndef RILL_SIM_METHOD_CONSTRAINT_H
#define RILL_SIM_METHOD_CONSTRAINT_H

#include "model/table.h"
#include "rigid/rigid.h"
#include "sim/force/forces.h"
#include "sim/method/method.h"
#include "sim/solve/colour.h"

/* One name for each compilation, as in sim/dim_names.h. */
#define rill_constraint_body_speed     SIM_NAME(rill_constraint_body_speed)
#define rill_constraint_apply          SIM_NAME(rill_constraint_apply)
#define rill_constraint_build          SIM_NAME(rill_constraint_build)
#define rill_constraint_enough         SIM_NAME(rill_constraint_enough)
#define rill_constraint_force          SIM_NAME(rill_constraint_force)
#define rill_constraint_gradients      SIM_NAME(rill_constraint_gradients)
#define rill_constraint_layout         SIM_NAME(rill_constraint_layout)
#define rill_constraint_nonlinear      SIM_NAME(rill_constraint_nonlinear)
#define rill_constraint_load_walls     SIM_NAME(rill_constraint_load_walls)
#define rill_constraint_note           SIM_NAME(rill_constraint_note)
#define rill_constraint_push           SIM_NAME(rill_constraint_push)
#define rill_constraint_close_joints   SIM_NAME(rill_constraint_close_joints)
#define rill_constraint_residual       SIM_NAME(rill_constraint_residual)
#define rill_constraint_friction_solve SIM_NAME(rill_constraint_friction_solve)
#define rill_constraint_side_push      SIM_NAME(rill_constraint_side_push)
#define rill_constraint_side_velocity  SIM_NAME(rill_constraint_side_velocity)
#define rill_constraint_sweep          SIM_NAME(rill_constraint_sweep)

typedef enum constraint_solver { CONSTRAINT_GAUSS_SEIDEL, CONSTRAINT_NNCG, CONSTRAINT_GRADIENTS } constraint_solver;
typedef enum constraint_viscosity { CONSTRAINT_VISCOSITY_DAMPING, CONSTRAINT_VISCOSITY_ROWS } constraint_viscosity;

typedef struct constraint_params {
    int32_t kernel; /* kernel_kind */
    int32_t solver; /* constraint_solver */
    int32_t iterations;
    float tolerance;
    float tau;         /* [s] */
    float epsilon;     /* [1/J] */
    float compression; /* wanted at `depth` */
    float depth;       /* [m] */
    bool equality;
    float warm_start;
    int32_t substeps;       /* 0: as many as `stability` and `courant` require */
    float stability;        /* largest stability number S = dt sqrt(p/rho0)/dx */
    float courant;          /* longest path in a substep, in dx */
    int32_t viscosity_rule; /* constraint_viscosity */
    float noise_damping;    /* alpha */
    float body_margin;      /* in dx */
    float body_gap;         /* in dx */
    bool wall_density;
} constraint_params;

/* world->derived of this method. */
enum { CONSTRAINT_CHOSEN_PRESSURE, CONSTRAINT_CHOSEN_PEAK, CONSTRAINT_CHOSEN_SUBSTEPS };

/* Warm start: the impulses of the last step, divided by its length because steps may differ. */
enum { FIELD_LAST_PRESSURE = FIELD_METHOD, FIELD_WALL_LOAD };

/* Numbers derived from parameters and scene by `prepare`. */
typedef struct constraint_derived {
    kernel kernel;
    forces forces;
    float rest;          /* sum of V W in fluid that has settled: s of Eq. 21 */
    float noise_damping; /* in use */
    double relief;       /* factor by which friction raises the stability number */
    bool mirrors;        /* solids hold the mirror image of the flow and its pressure, not fluid at rest */
} constraint_derived;

/* Velocity and inverse mass of a particle, the latter divided by 1 + M at walls that mirror the flow. Sweeps gather and
   scatter these. */
typedef struct speed {
    vec v;
#if DIM == 2
    float unused;
#endif
    float inverse_mass;
} speed;
_Static_assert(sizeof(speed) == 16, "speeds are gathered as quads");

/* A position, as a quad that ends in zero. */
typedef struct point {
    vec x;
    float zero[4 - DIM];
} point;
_Static_assert(sizeof(point) == 16, "points are gathered as quads");

/* Eight neighbours in a density row: their indices in `points`, and V_j W'/r. Times x_ij this is their block of the
   Jacobian (Eq. 23 with the sign of a gap). Blocks are computed whenever they are needed, because sweeps wait for
   memory more than they compute. Lanes past the last neighbour hold the row's own particle with a slope of zero. */
typedef struct row_group {
    int32_t index[WIDE];
    float slope[WIDE];
} row_group;

typedef struct density_row {
    vec own;        /* J_ii (Eq. 24), walls included */
    float target;   /* wanted value of J v + e lambda */
    float lambda;   /* impulse [N s m], not negative unless rows are equalities */
    float inverse;  /* 1/(J M^-1 J^T + e) */
    float e;        /* 4 eps xi/dt^2 (Eq. 15) */
    uint32_t first; /* index of the first group */
    int32_t count;  /* number of neighbours */
    bool alone;     /* the particle has no wall contact and no periodic image as neighbour */
} density_row;

/* Softness of a non-penetration row: its e over J M^-1 J^T. */
#define WALL_SOFTNESS 1e-3f

/* A contact of a particle with a wall: its block in the density row, and the non-penetration row (Eq. 26, 29). */
typedef struct wall_row {
    float slope;  /* block of the wall in the density row: minus d gap / d distance [1/m] */
    float target; /* wanted value of n . v_i, or of n . (v_i - v) at a body that moves in the solve */
    float lambda; /* [N s] */
    int32_t side; /* index in `sides` if the wall is a body that moves, else -1 */
    float inverse;
    float before, path; /* lambda before the sweeps, and its part of the direction: see constraint_nonlinear.c */
} wall_row;

/* The impulse that solves a wall row by itself, without the bound lambda >= 0, from the present impulse and the
   velocity away from the wall. */
static inline float wall_free_lambda(const wall_row *wall, float lambda, float velocity) {
    return lambda * (1.0f / (1.0f + WALL_SOFTNESS)) + (wall->target - velocity) * wall->inverse;
}

/* `before` and `path` of the velocities of a body, and of a row between bodies. */
typedef struct body_path {
    double before[2][3], path[2][3];
} body_path;
typedef struct row_path {
    double before, path;
} row_path;

/* Residuals as energies [J]. Each row counts change^2 (J M^-1 J^T + e), where `change` is what solving the row by
   itself within its bounds would add to its impulse. That is r^2/D for a row that presses and nothing for one that may
   stay open (a min-map), in one unit for all rows. */
typedef struct residual_groups {
    double density, walls, contacts, joints;
} residual_groups;

/* Everything that the solve of one step works on. Arrays are in sim->scratch. */
typedef struct constraint_system {
    rill_world *world;
    const constraint_params *params;
    const constraint_derived *derived;
    double dt;
    int count; /* particles */
    speed *speeds;
    point *points; /* of particles, then of periodic images */
    density_row *rows;
    row_group *groups;
    int32_t *owners; /* particle of each index in the groups; NULL without periodic images: the index itself */
    wall_row *walls; /* one for each contact */
    row_side *sides; /* blocks of bodies, one for each contact with a body that moves */
    int side_count;
    bool *serial; /* particles whose rows reach bodies or periodic images: swept by one thread */
    int32_t *serial_list;
    int serial_count;
    int32_t *starts; /* index at which each block of runs or particles starts to write its part of a list */
    colouring colours;
    speed *direction; /* direction of conjugate gradients in velocities */
    float *path;      /* direction of conjugate gradients in lambda */
    body_path *body_paths;
    row_path *row_paths;
    float *before;                          /* lambda before sweeps; until then J v before any impulse */
    float *gap;                             /* 1 - rho/rho0 */
    float *volume;                          /* V = m/rho0 */
    float *share;                           /* lambda/V, while impulses are summed */
    float *noise;                           /* viscosity that damps noise [Pa s] */
    float *friction;                        /* k_ij [kg/s], laid out like the groups */
    const vec *tension;                     /* acceleration by surface tension; NULL: no fluid has any */
    vec *image;                             /* product of the matrix and a direction, in conjugate gradients */
    vec *change;                            /* friction: residual; nonlinear: velocities before the sweeps */
    float *cg_residual, *cg_image, *cg_sum; /* of rill_constraint_gradients */
    float relax, keep;                      /* a = 4 xi/dt and xi of SPOOK */
    vec fall;                               /* change of all velocities by gravity in this step */
    double start;                           /* residual of all rows without impulses [J] */
    rows bodies;
    bool has_bodies;
    bool has_friction; /* there is friction inside the fluid */
} constraint_system;

static inline const constraint_params *constraint_params_of(const rill_world *w) {
    return method_params(w);
}
static inline constraint_derived *constraint_derived_of(const rill_world *w) {
    return sim_of(w)->method_data.data;
}
static inline wall_row *constraint_walls(const constraint_system *s, int i, int *count) {
    const int32_t *first = sim_of(s->world)->contacts.first.data;
    *count = first[i + 1] - first[i];
    return s->walls + first[i];
}

/* Number of groups of a usual row inside the fluid. This many are prefetched for any row: a loop over the groups that
   it has would take longer than it saves. */
#define USUAL_GROUPS (DIM == 2 ? 2 : 3)

static inline int row_groups(const density_row *row) {
    return WIDE_ROUND_UP(row->count) / WIDE;
}
static inline const int32_t *group_owners(const constraint_system *s, const row_group *g) {
    return s->owners ? s->owners + (g - s->groups) * WIDE : g->index;
}

/* Blocks of eight neighbours in row i. */
WIDE_FN wide_vec row_blocks(const constraint_system *s, int i, const row_group *g) {
    wide a, b, c, d;
    wide_gather4((const float *)s->points, g->index, &a, &b, &c, &d);
    const wide slope = wide_load(g->slope);
    wide_vec block = {.x = slope * (s->points[i].x.x - a), .y = slope * (s->points[i].x.y - b)};
#if DIM == 3
    block.z = slope * (s->points[i].x.z - c);
#endif
    return block;
}

/* Velocities and inverse masses of eight particles. */
WIDE_FN void wide_gather_speeds(const speed *speeds, const int32_t *index, wide_vec *v, wide *inverse_mass) {
    wide a, b, c, d;
    wide_gather4((const float *)speeds, index, &a, &b, &c, &d);
    v->x = a, v->y = b, *inverse_mass = d;
#if DIM == 3
    v->z = c;
#else
    (void)c;
#endif
}

/* Prefetches the groups of a row that follows soon. Groups are stored in the order of sweeps, so loops over particles
   in memory order would wait for them. */
#define ROWS_AHEAD 8
static inline void row_fetch(const constraint_system *s, int i) {
    if (i + ROWS_AHEAD >= s->count) return;
    const row_group *g = s->groups + s->rows[i + ROWS_AHEAD].first;
    for (int n = 0; n < USUAL_GROUPS; n++) __builtin_prefetch(g + n);
}

/* J v of row i for the velocities in `speeds`, without the part of bodies. */
WIDE_FN float row_speed(const constraint_system *s, const speed *speeds, int i) {
    const density_row *row = &s->rows[i];
    wide sum = wide_zero();
    for (uint32_t g = row->first; g < row->first + (uint32_t)row_groups(row); g++) {
        wide_vec v;
        wide unused;
        wide_gather_speeds(speeds, group_owners(s, &s->groups[g]), &v, &unused);
        sum = sum + wide_vec_dot(row_blocks(s, i, &s->groups[g]), v);
    }
    return vec_dot(row->own, speeds[i].v) + wide_sum(sum);
}

/* The bodies' part of J v of row i. */
float rill_constraint_body_speed(const constraint_system *s, int i);
/* Velocity of a body along the normal of a contact, and an impulse on the body along it. */
double rill_constraint_side_velocity(const constraint_system *s, const row_side *side);
void rill_constraint_side_push(const constraint_system *s, const row_side *side, double impulse);

/* Inverse mass of a particle, without the division by 1 + M at walls. */
static inline float constraint_inverse_mass(const constraint_system *s, int i) {
    return 1.0f / places_of(s->world)[i].m;
}

/* Reserves the arrays, colours the particles, and lays out the rows in the order of the sweeps. */
rill_status rill_constraint_layout(constraint_system *s);
/* Computes densities, Jacobians and targets, and sets impulses to those of the last step. Velocities must be those
   before gravity. */
void rill_constraint_build(constraint_system *s);
/* direction = M^-1 J^T lambda for all particles. */
void rill_constraint_force(const constraint_system *s, const float *lambda);
/* Applies impulses `lambda` of the density rows to the velocities of particles and bodies. */
void rill_constraint_push(constraint_system *s, const float *lambda);
/* Warm start: applies the impulses from which density and wall rows start. */
void rill_constraint_apply(constraint_system *s);
/* Adds to the forces of contacts the extra impulses that particles get at walls that mirror the flow. */
void rill_constraint_load_walls(constraint_system *s);
/* The residual of all rows at the present velocities and impulses; `from_nothing`: as if all impulses were zero. */
residual_groups rill_constraint_residual(constraint_system *s, bool from_nothing);
/* One sweep over all rows. Returns the residual of the fluid that it met row by row [J]. That is more than the sweep
   leaves. */
double rill_constraint_sweep(constraint_system *s, bool forward);
/* Solves the rows between bodies once more. When sweeps end with a large residual, as in a first step, the fluid's rows
   would leave joints open. */
void rill_constraint_close_joints(constraint_system *s);
/* Sweeps forward and back, accelerated by a nonlinear conjugate gradient, until rill_constraint_enough. */
void rill_constraint_nonlinear(constraint_system *s);
/* Conjugate gradients over the rows that press, at most `most` iterations. Returns their number. */
int rill_constraint_gradients(constraint_system *s, int most);
/* Counts an iteration and records the residual it met. */
void rill_constraint_note(constraint_system *s, double met);
/* Whether sweeps may end, because the residual of all rows is small enough or `iterations` is reached. */
bool rill_constraint_enough(constraint_system *s);
/* Friction between particles and with no-slip walls and bodies. Changes velocities, and adds the forces to contacts. */
void rill_constraint_friction_solve(constraint_system *s);

#endif

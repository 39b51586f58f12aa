/* SPDX-License-Identifier: MIT */
/* Constraint fluids: one condition per particle, 1 - sum V_j W_ij - walls >= 0, solved with wall contacts and the rows
   of rigid bodies as one mixed linear complementarity problem. Bodin, Lacoursiere and Servin, "Constraint Fluids", IEEE
   TVCG 18 (2012); equation numbers are the paper's, signs and factors as in docs/methods/constraint.md.

   Parts: constraint.c (parameters and the step), constraint_rows.c (rows from particles), constraint_sweep.c (coloured
   Gauss-Seidel), constraint_residual.c (what they leave), constraint_nonlinear.c and constraint_gradient.c (conjugate
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
    int32_t substeps;       /* 0: as many as S asks for */
    float stability;        /* largest S */
    float courant;          /* longest way in a step, in dx */
    int32_t viscosity_rule; /* constraint_viscosity */
    float noise_damping;    /* alpha */
    float body_margin;      /* in dx */
    float body_gap;         /* in dx */
    bool wall_density;
} constraint_params;

/* world->derived of this method. */
enum { CONSTRAINT_CHOSEN_PRESSURE, CONSTRAINT_CHOSEN_PEAK, CONSTRAINT_CHOSEN_SUBSTEPS };

/* Warm start: the last step's impulses, divided by its length so that steps may differ. */
enum { FIELD_LAST_PRESSURE = FIELD_METHOD, FIELD_WALL_LOAD };

/* Numbers derived from parameters and scene by `prepare`. */
typedef struct constraint_derived {
    kernel kernel;
    forces forces;
    float rest;          /* sum of V W in fluid that has settled */
    float noise_damping; /* in use */
    double relief;       /* of the stability number, by friction */
    bool mirrors;        /* fixed walls mirror the flow and its pressure, instead of standing still in it */
} constraint_derived;

/* Velocity and inverse mass, divided by 1 + M at walls that mirror the flow: what sweeps gather and scatter. */
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

/* Eight neighbours in a density row: their places in `points`, and V_j W'/r. Times x_ij that is their block of the
   Jacobian (Eq. 23 with the sign of a gap), which is rebuilt whenever it is needed: sweeps wait for memory more than
   they compute. Lanes past the last neighbour name the row's own particle with a slope of zero. */
typedef struct row_group {
    int32_t index[WIDE];
    float slope[WIDE];
} row_group;

typedef struct density_row {
    vec own;        /* J_ii (Eq. 24), walls included */
    float target;   /* of J v + e lambda */
    float lambda;   /* impulse [N s m], not negative unless rows are equalities */
    float inverse;  /* 1/(J M^-1 J^T + e) */
    float e;        /* 4 eps xi/dt^2 (Eq. 15) */
    uint32_t first; /* group */
    int32_t count;  /* neighbours */
    bool alone;     /* the particle touches nothing, and reaches no periodic image */
} density_row;

/* Share of its own weight that a non-penetration row gives way. */
#define WALL_SOFTNESS 1e-3f

/* One for each contact of a particle with a wall: the wall's block in the density row, and the non-penetration row
   (Eq. 26, 29). */
typedef struct wall_row {
    float slope;  /* of the density row: change of the gap when the wall moves along its normal by one (negative) */
    float target; /* of n (v_i - v_wall), prescribed motion of the wall taken out */
    float lambda; /* [N s] */
    int32_t side; /* in `sides`: a body that moves; or -1 */
    float inverse;
    float before, path; /* lambda before the sweeps, and where it went: see constraint_nonlinear.c */
} wall_row;

/* Its impulse without the bound, from the present one and the velocity off the wall. */
static inline float wall_free_lambda(const wall_row *wall, float lambda, float velocity) {
    return lambda * (1.0f / (1.0f + WALL_SOFTNESS)) + (wall->target - velocity) * wall->inverse;
}

/* The same for a body's velocities and for the rows between bodies. */
typedef struct body_path {
    double before[2][3], path[2][3];
} body_path;
typedef struct row_path {
    double before, path;
} row_path;

/* Residuals as energies [J]: for each row change^2 (J M^-1 J^T + e), where `change` is what solving the row by itself
   would add to its impulse, bounds kept. That is r^2/D of a row that presses, nothing of one that is open and may stay
   so (a min-map), and the same unit for all. */
typedef struct residual_groups {
    double density, walls, contacts, joints;
} residual_groups;

/* Everything that the solve of one step works on; arrays lie in sim->scratch. */
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
    int32_t *owners; /* particles behind the places in the groups; NULL without periodic images: the same */
    wall_row *walls; /* one for each contact */
    row_side *sides;
    int side_count;
    bool *serial; /* particles whose rows reach bodies or periodic images: swept by one thread */
    int32_t *serial_list;
    int serial_count;
    int32_t *starts; /* where blocks of runs or particles begin to write a list */
    colouring colours;
    speed *direction; /* of conjugate gradients, in velocities */
    float *path;      /* and in lambda */
    body_path *body_paths;
    row_path *row_paths;
    float *before;                          /* lambda at the start of a sweep; first J v before any impulse */
    float *gap;                             /* 1 - rho/rho0 */
    float *volume;                          /* V = m/rho0 */
    float *share;                           /* lambda/V, while forces are summed up */
    float *noise;                           /* viscosity that damps noise [Pa s] */
    float *friction;                        /* k_ij [kg/s], laid out like the groups */
    const vec *tension;                     /* acceleration by surface tension; NULL: no fluid has any */
    vec *image;                             /* of a direction, in conjugate gradients */
    vec *change;                            /* of velocities, or their values before the sweeps */
    float *cg_residual, *cg_image, *cg_sum; /* of rill_constraint_gradients */
    float relax, keep;                      /* a = 4 xi/dt and xi of SPOOK */
    vec fall;                               /* what gravity adds to all velocities in this step */
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

/* Of a row inside the fluid: as many are asked for in advance, as a loop over those of each row would take longer than
   what it saves. */
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

/* Loops over particles in their order wait for groups, which lie in the order of a sweep: those of a row soon to come
   are asked for. */
#define ROWS_AHEAD 8
static inline void row_fetch(const constraint_system *s, int i) {
    if (i + ROWS_AHEAD >= s->count) return;
    const row_group *g = s->groups + s->rows[i + ROWS_AHEAD].first;
    for (int n = 0; n < USUAL_GROUPS; n++) __builtin_prefetch(g + n);
}

/* J v of row i for velocities in `speeds`, bodies left out. */
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

/* The bodies' part of the velocity of a row. */
float rill_constraint_body_speed(const constraint_system *s, int i);
/* Velocity along a body's direction at a contact, and an impulse along it. */
double rill_constraint_side_velocity(const constraint_system *s, const row_side *side);
void rill_constraint_side_push(const constraint_system *s, const row_side *side, double impulse);

/* Of a particle, whatever walls it is near. */
static inline float constraint_inverse_mass(const constraint_system *s, int i) {
    return 1.0f / places_of(s->world)[i].m;
}

/* Makes room, colours the particles, and lays out the rows in the order of the sweeps. */
rill_status rill_constraint_layout(constraint_system *s);
/* Densities, Jacobians, targets, and the impulses of the last step as a start; velocities are those before gravity. */
void rill_constraint_build(constraint_system *s);
/* direction = M^-1 J^T lambda for all particles. */
void rill_constraint_force(const constraint_system *s, const float *lambda);
/* Gives particles and bodies impulses along the density rows. */
void rill_constraint_push(constraint_system *s, const float *lambda);
/* The same with what density and wall rows start from. */
void rill_constraint_apply(constraint_system *s);
/* Adds to the contacts' forces what mirrors made of the impulses at walls. */
void rill_constraint_load_walls(constraint_system *s);
/* The residual of all rows now; `from_nothing`: as if there were no impulses. */
residual_groups rill_constraint_residual(constraint_system *s, bool from_nothing);
/* One sweep over all rows. Returns the residual it met row by row in the fluid [J]: more than what is left then. */
double rill_constraint_sweep(constraint_system *s, bool forward);
/* Solves the bodies' own rows once more, for themselves: when sweeps end with much left, as at a start, the fluid's
   rows would leave joints open. */
void rill_constraint_close_joints(constraint_system *s);
/* Sweeps there and back, with a nonlinear conjugate gradient on top, until rill_constraint_note says that it is enough.
 */
void rill_constraint_nonlinear(constraint_system *s);
/* Conjugate gradients over the rows that press, at most `most`; returns how many. */
int rill_constraint_gradients(constraint_system *s, int most);
/* Counts an iteration with the residual it met. */
void rill_constraint_note(constraint_system *s, double met);
/* Whether sweeps may end: the residual of all rows is small enough, or there were enough of them. */
bool rill_constraint_enough(constraint_system *s);
/* Friction between particles, and with no-slip walls and bodies: velocities change, contacts get the force. */
void rill_constraint_friction_solve(constraint_system *s);

#endif

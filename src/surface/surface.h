/* SPDX-License-Identifier: MIT */
/* From particles to a surface, step by step: take the particles, sort them into bins, look around each one near the
   surface, lay blocks of grid nodes over what is not deep inside, evaluate the field at them, march through the cells,
   smooth. Node values are metres, positive in the fluid, so that fields, walls and periodic faces can be compared. */
#ifndef RILL_SURFACE_SURFACE_H
#define RILL_SURFACE_SURFACE_H

#include "core/parallel.h"
#include "rill/surface.h"
#include "surface/cells.h"
#include "surface/cube_cases.h"

#include <math.h>

#define BLOCK        8 /* nodes along a block's edge: one wide vector a row */
#define BLOCK_NODES  (BLOCK * BLOCK * BLOCK)
#define HALO         (BLOCK + 1) /* nodes along the edge of a block's cells */
#define COVER_STEPS  64
#define FARTHEST_BIN (1 << 20)
/* Of anisotropic kernels, in radii: the axes inside, a lone particle's axes, how far centres may move; and the longest
   axis, in those inside. */
#define INNER_AXIS   1.5f
#define LONE_AXIS    0.5f
#define SHIFT_MAX    0.25f
#define LONGEST_AXIS 1.15f
#define LAYERS_MAX   16

/* Flat arrays of points, padded to whole wide vectors by points far away where loops read them so. */
typedef struct point_set {
    float *x, *y, *z;
    float *weight;  /* factor of the kernel */
    float *form[6]; /* xx, yy, zz, xy, xz, yz of the quadratic form q^2 [1/m^2]; not used by the distance field */
    float *vx, *vy, *vz;
    uint32_t *fluid;
    uint32_t *source; /* number of the particle in the input */
    int count;
} point_set;
#define POINT_ARRAYS 15

typedef enum bin_state { BIN_FULL = 1, BIN_DEEP = 2 } bin_state;

/* The constants of a field: fixed by definition, dimension and spacing, and found by looking at a flat lattice. */
typedef struct recipe {
    int dim;
    rill_surface_field field;
    bool droplets;
    float spacing;
    float radius;   /* of an isotropic kernel [m] */
    float axis;     /* of the kernels inside [m]: the radius, if they are not stretched */
    float reach;    /* of any kernel [m] */
    float around;   /* how far a particle looks around [m] */
    float shift;    /* farthest that a kernel's centre moves away from its particle [m] */
    float drop;     /* radius of a ball with a particle's volume [m] */
    float rest_sum; /* of kernels at a particle inside, and at one of a flat surface */
    float flat_sum;
    float few;     /* no more neighbours than this: alone */
    float stretch; /* makes the covariance inside a unit matrix [1/m^2] */
    int layers;    /* of a flat surface: what a particle sees there, and how far its mean lies inwards */
    float layer_weight[LAYERS_MAX], layer_mean[LAYERS_MAX];
    float level;                  /* of the field on the surface */
    float slope;                  /* of the field there [1/m] */
    float drop_weight;            /* of a lone particle */
    float cover[COVER_STEPS + 1]; /* share of a kernel in front of a wall at distance 0 .. radius */
} recipe;

/* The surroundings of a particle. */
typedef struct surroundings {
    float sum; /* of kernels, itself included */
    float count, weight;
    float mean[3];       /* weighted, from the particle [m] */
    float covariance[6]; /* about the mean [m^2] */
} surroundings;

/* A wall near a point. */
typedef struct near_wall {
    float distance;
    rill_vec normal;
    int wall;
} near_wall;
#define NEAR_WALLS 16

typedef struct block {
    int32_t place[3];
    bool active;                /* has values of its own; otherwise all of it is inside or all outside */
    float constant;             /* value of the others [m] */
    int32_t values;             /* number among the active ones */
    int32_t vertices, elements; /* how many of its own, then where they begin */
} block;

struct rill_surface {
    rill_surface_def def;
    memory memory;
    parallel *workers;
    recipe recipe;
    cube_cases cases;

    /* the frame under way */
    const rill_surface_particles *input;
    float cell;      /* [m] */
    float bin_edge;  /* [m] */
    int bins_around; /* bins that a particle reaches on each side */
    bool periodic;
    float box_min[3], box_max[3]; /* infinite where not periodic */
    int left_out;
    float overlap; /* with walls [m] */

    point_set taken, points; /* as they came, and sorted */
    buffer taken_data, points_data;
    buffer sort_data;
    cell_box bin_box;
    cell_map bins;
    buffer bin_first; /* int32_t, one more than bins */
    buffer bin_states;
    buffer near_bins;
    int near_count;

    cell_box block_box;
    cell_map block_map;
    buffer blocks;
    int block_count, active_count;
    buffer values;  /* float, BLOCK_NODES for each active block */
    buffer edges;   /* uint16_t, 3 BLOCK_NODES for each block: which of its vertices is on the edge */
    buffer scratch; /* of each worker */
    int room;       /* points that a worker's scratch has room for */

    buffer position, normal, velocity, color, fluid, index; /* of the mesh */
    buffer lone; /* uint8_t for each point, then int32_t for each that is a drop of its own */
    int lone_count;
    buffer links, link_first, moved, at_wall, pieces, sums;
    buffer frame_data; /* arrays made from the fields of a frame */
    rill_frame frame;  /* of the world that is meshed */
    int vertex_count, element_count;
};

/* ---- the steps, in their order ---- */
bool rill_surface_take(rill_surface *s);
bool rill_surface_sort(rill_surface *s);
bool rill_surface_calibrate(memory *m, recipe *r, const rill_surface_def *def, int dim, float spacing);
bool rill_surface_look_around(rill_surface *s);
bool rill_surface_lay_blocks(rill_surface *s);
void rill_surface_evaluate(rill_surface *s);
bool rill_surface_march(rill_surface *s);
bool rill_surface_smooth(rill_surface *s);
/* Measures the volume of each piece of the mesh before it is smoothed, and restores it afterwards. */
bool rill_surface_remember_volume(rill_surface *s);
void rill_surface_restore_volume(rill_surface *s);
/* Normals too. */
bool rill_surface_measure(rill_surface *s, double *volume, double *area);

/* ---- shared ---- */
void rill_surface_normals(rill_surface *s);
/* As long as the element's length, or twice its area. */
rill_vec rill_surface_element_normal(const rill_surface *s, int element);
size_t rill_point_set_bytes(int count);
void rill_point_set_lay(point_set *set, void *data, int count);
/* Copies the points of all bins that meet the box; returns how many there are, and copies nothing into NULL. */
int rill_surface_collect(const rill_surface *s, const float low[3], const float high[3], point_set *into);
/* Scratch points of a worker: room for `room` of them. */
bool rill_surface_reserve_scratch(rill_surface *s, int room);
point_set rill_surface_scratch(const rill_surface *s, int worker);
/* The points that may count at a block's nodes or at its vertices. */
void rill_surface_block_points(const rill_surface *s, const int32_t place[3], point_set *into, int *count);
/* The value of a block without values of its own. */
float rill_surface_constant_at(const rill_surface *s, const int32_t place[3]);
/* Number of the bin that holds a point, or -1. */
int rill_surface_bin_at(const rill_surface *s, const float point[3]);

/* Numbers of the particles that are drops of their own. */
int32_t *rill_surface_lone_list(const rill_surface *s);

void rill_surroundings_of(const recipe *r, const point_set *all, const float at[3], surroundings *seen);
/* Weight, centre and form from what a particle sees; `walls` are those near it, nearest first. True for a particle that
   is a drop of its own. */
bool rill_shape_point(const recipe *r, surroundings *seen, const near_wall *walls, int wall_count, const point_set *set,
                      int k);
/* The field at a point from the points of a set; `cover` is the share of the kernel that is not behind a wall. */
float rill_field_at(const recipe *r, const point_set *set, const float at[3], float cover);
float rill_cover_at(const recipe *r, float distance);

/* Walls within `reach` of a point, nearest first; at most `most`. */
int rill_surface_walls_near(const rill_surface *s, const float at[3], float reach, near_wall *walls, int most);
/* The same, out of those found before for a larger place. */
int rill_surface_walls_of(const rill_surface *s, const near_wall *list, int count, const float at[3], float reach,
                          near_wall *walls, int most);

static inline bool surface_has_walls(const rill_surface *s) {
    return s->input->wall_count > 0 && s->input->wall;
}

static inline int block_depth(const rill_surface *s) {
    return s->recipe.dim == 3 ? BLOCK : 1;
}

/* Where a node is; the same bits from whichever block it is looked at. */
static inline float node_at(const rill_surface *s, int32_t block_place, int node) {
    return (float)(block_place * BLOCK + node) * s->cell;
}

static inline int32_t floor_place(float x, float edge) {
    return (int32_t)floorf(x / edge);
}

#endif

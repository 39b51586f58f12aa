/* SPDX-License-Identifier: MIT */
/* From particles to a surface, step by step: take the particles, sort them into bins, examine the surroundings of each
   one near the surface, lay blocks of grid nodes wherever the fluid is not deep, evaluate the field at the nodes, march
   through the cells, smooth. Node values are in metres, positive in the fluid, so that fields, walls and periodic faces
   can be compared. */
#ifndef RILL_SURFACE_SURFACE_H
#define RILL_SURFACE_SURFACE_H

#include "core/parallel.h"
#include "rill/surface.h"
#include "surface/cells.h"
#include "surface/cube_cases.h"

#include <math.h>

#define BLOCK        8 /* nodes along a block's edge: one wide vector a row */
#define BLOCK_NODES  (BLOCK * BLOCK * BLOCK)
#define HALO         (BLOCK + 1) /* nodes along the edge of a block's cells: one more than its own */
#define COVER_STEPS  64
#define FARTHEST_BIN (1 << 20)
/* For anisotropic kernels, in radii: the axes inside the fluid, the axes of a lone particle, and how far centres may
   move. LONGEST_AXIS is in units of INNER_AXIS. */
#define INNER_AXIS   1.5f
#define LONE_AXIS    0.5f
#define SHIFT_MAX    0.25f
#define LONGEST_AXIS 1.15f
#define LAYERS_MAX   16

/* Arrays of points, padded to whole wide vectors by points far away where wide loops read them. */
typedef struct point_set {
    float *x, *y, *z;
    float *weight;  /* factor of its kernel */
    float *form[6]; /* xx, yy, zz, xy, xz, yz of the quadratic form q^2 [1/m^2]; not used by the distance field */
    float *vx, *vy, *vz;
    uint32_t *fluid;
    uint32_t *source; /* number of the particle in the input */
    int count;
} point_set;
#define POINT_ARRAYS 15

typedef enum bin_state { BIN_FULL = 1, BIN_DEEP = 2 } bin_state;

/* The constants of a field: those given by definition, dimension and spacing, and those measured on a flat lattice. */
typedef struct recipe {
    int dim;
    rill_surface_field field;
    bool droplets;
    float spacing;
    float radius;   /* of an isotropic kernel [m] */
    float axis;     /* of kernels inside the fluid [m]: the radius, unless they are stretched */
    float reach;    /* greatest of any kernel [m] */
    float around;   /* radius of a particle's surroundings [m] */
    float shift;    /* farthest distance of a kernel's centre from its particle [m] */
    float drop;     /* radius of a ball with a particle's volume [m] */
    float rest_sum; /* sum of kernels at a particle inside the fluid; below, at one of a flat surface */
    float flat_sum;
    float few;     /* a particle with at most this many neighbours is alone */
    float stretch; /* scales the covariance inside the fluid to the unit matrix [1/m^2] */
    int layers;    /* layers of a flat surface: the weight that a particle sees there, and the distance of its mean */
    float layer_weight[LAYERS_MAX], layer_mean[LAYERS_MAX];
    float level;                  /* value of the field on the surface */
    float slope;                  /* slope of the field there [1/m] */
    float drop_weight;            /* weight of a lone particle */
    float cover[COVER_STEPS + 1]; /* share of a kernel in front of a wall at distance 0 .. radius */
} recipe;

/* The surroundings of a particle. */
typedef struct surroundings {
    float sum; /* of kernels, its own included */
    float count, weight;
    float mean[3];       /* weighted mean position relative to the particle [m] */
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
    bool active;                /* has values at its nodes; otherwise all of it is inside or all outside */
    float constant;             /* value of a block that is not active [m] */
    int32_t values;             /* number among the active blocks */
    int32_t vertices, elements; /* first the numbers of its own, then the start indices */
} block;

struct rill_surface {
    rill_surface_def def;
    memory memory;
    parallel *workers;
    recipe recipe;
    cube_cases cases;

    /* the current frame */
    const rill_surface_particles *input;
    float cell;      /* [m] */
    float bin_edge;  /* [m] */
    int bins_around; /* number of bins that a particle reaches on each side */
    bool periodic;
    float box_min[3], box_max[3]; /* infinite along axes that are not periodic */
    int left_out;
    float overlap; /* of the surface with walls [m] */

    point_set taken, points; /* in the order of the input with copies; sorted into bins */
    buffer taken_data, points_data;
    buffer sort_data;
    cell_box bin_box;
    cell_map bins;
    buffer bin_first; /* int32_t, one for each bin and one more */
    buffer bin_states;
    buffer near_bins;
    int near_count;

    cell_box block_box;
    cell_map block_map;
    buffer blocks;
    int block_count, active_count;
    buffer values;  /* float, BLOCK_NODES for each active block */
    buffer edges;   /* uint16_t, 3 BLOCK_NODES for each block: which of its vertices lies on the edge, or NO_VERTEX */
    buffer scratch; /* of all workers */
    int room;       /* number of points in each worker's scratch */

    buffer position, normal, velocity, color, fluid, index; /* of the mesh */
    buffer lone; /* uint8_t for each point, then int32_t for each lone particle */
    int lone_count;
    buffer links, link_first, moved, at_wall, pieces, sums;
    buffer frame_data; /* arrays made from the fields of a frame */
    rill_frame frame;  /* the frame of a world, in rill_surface_of_world */
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
/* Computes normals, volume and area. */
bool rill_surface_measure(rill_surface *s, double *volume, double *area);

/* ---- shared ---- */
void rill_surface_normals(rill_surface *s);
/* The normal of an element, with its length (2D) or twice its area (3D) as length. */
rill_vec rill_surface_element_normal(const rill_surface *s, int element);
size_t rill_point_set_bytes(int count);
void rill_point_set_lay(point_set *set, void *data, int count);
/* Copies the points of all bins that meet the box and returns their number; `into` NULL: only counts them. */
int rill_surface_collect(const rill_surface *s, const float low[3], const float high[3], point_set *into);
/* Reserves `room` scratch points for each worker. */
bool rill_surface_reserve_scratch(rill_surface *s, int room);
point_set rill_surface_scratch(const rill_surface *s, int worker);
/* The points that may affect a block's nodes or vertices. */
void rill_surface_block_points(const rill_surface *s, const int32_t place[3], point_set *into, int *count);
/* The value of a block that is not active. */
float rill_surface_constant_at(const rill_surface *s, const int32_t place[3]);
/* Number of the bin that holds a point, or -1. */
int rill_surface_bin_at(const rill_surface *s, const float point[3]);

/* The numbers of the lone particles in the input. */
int32_t *rill_surface_lone_list(const rill_surface *s);

void rill_surroundings_of(const recipe *r, const point_set *all, const float at[3], surroundings *seen);
/* Sets weight, centre and form of point k from its surroundings; `walls` are the walls near it, nearest first. Returns
   true if the particle is alone. */
bool rill_shape_point(const recipe *r, surroundings *seen, const near_wall *walls, int wall_count, const point_set *set,
                      int k);
/* The field at a point, from the points of a set; `cover` is the share of the kernel in front of walls. */
float rill_field_at(const recipe *r, const point_set *set, const float at[3], float cover);
float rill_cover_at(const recipe *r, float distance);

/* Finds walls within `reach` of a point, nearest first, and returns their number, `most` at the most. */
int rill_surface_walls_near(const rill_surface *s, const float at[3], float reach, near_wall *walls, int most);
/* Like rill_surface_walls_near, but tests only the walls in `list`, found before for a larger region. */
int rill_surface_walls_of(const rill_surface *s, const near_wall *list, int count, const float at[3], float reach,
                          near_wall *walls, int most);

static inline bool surface_has_walls(const rill_surface *s) {
    return s->input->wall_count > 0 && s->input->wall;
}

static inline int block_depth(const rill_surface *s) {
    return s->recipe.dim == 3 ? BLOCK : 1;
}

/* The coordinate of a node: the same bits from every block that the node is seen from. */
static inline float node_at(const rill_surface *s, int32_t block_place, int node) {
    return (float)(block_place * BLOCK + node) * s->cell;
}

static inline int32_t floor_place(float x, float edge) {
    return (int32_t)floorf(x / edge);
}

#endif

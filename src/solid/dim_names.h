/* SPDX-License-Identifier: MIT */
/* The sources of src/solid that use the vector type are compiled once for each dimension. This list gives every symbol
   that leaves its file a name of its own in both (placed_make -> placed_make_3d); a missing line is a link error. */
#ifndef RILL_SOLID_DIM_NAMES_H
#define RILL_SOLID_DIM_NAMES_H

#define DIM_PASTE_(name, dim) name##_##dim##d
#define DIM_PASTE(name, dim)  DIM_PASTE_(name, dim)
#define DIM_NAME(name)        DIM_PASTE(name, RILL_DIM)

#define solid_operations_here DIM_NAME(solid_operations)

#define curvature_map_at    DIM_NAME(curvature_map_at)
#define curvature_map_lean  DIM_NAME(curvature_map_lean)
#define curvature_map_make  DIM_NAME(curvature_map_make)
#define placed_distance     DIM_NAME(placed_distance)
#define placed_local_bounds DIM_NAME(placed_local_bounds)
#define placed_make         DIM_NAME(placed_make)
#define placed_to_local     DIM_NAME(placed_to_local)
#define placed_to_world     DIM_NAME(placed_to_world)
#define placed_turned       DIM_NAME(placed_turned)
#define placed_wall_count   DIM_NAME(placed_wall_count)
#define placed_walls        DIM_NAME(placed_walls)
#define samples_make        DIM_NAME(samples_make)
#define samples_near        DIM_NAME(samples_near)
#define shape_check         DIM_NAME(shape_check)
#define shape_distance      DIM_NAME(shape_distance)
#define shape_edge_walls    DIM_NAME(shape_edge_walls)
#define shape_has_edges     DIM_NAME(shape_has_edges)
#define solid_velocity      DIM_NAME(solid_velocity)
#define solids_place        DIM_NAME(solids_place)
#define solids_prepare      DIM_NAME(solids_prepare)

#endif

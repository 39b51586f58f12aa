/* SPDX-License-Identifier: MIT */
/* The sources of src/solid that use the vector type are compiled once for each dimension. This list gives every symbol
   with external linkage its own name in each (rill_placed_make_2d, rill_placed_make_3d). A missing line is a link
   error. */
#ifndef RILL_SOLID_DIM_NAMES_H
#define RILL_SOLID_DIM_NAMES_H

#define DIM_PASTE_(name, dim) name##_##dim##d
#define DIM_PASTE(name, dim)  DIM_PASTE_(name, dim)
#define DIM_NAME(name)        DIM_PASTE(name, RILL_DIM)

#define solid_operations_here DIM_NAME(rill_solid_operations)

#define rill_curvature_map_at    DIM_NAME(rill_curvature_map_at)
#define rill_curvature_map_lean  DIM_NAME(rill_curvature_map_lean)
#define rill_curvature_map_make  DIM_NAME(rill_curvature_map_make)
#define rill_faces_make          DIM_NAME(rill_faces_make)
#define rill_placed_distance     DIM_NAME(rill_placed_distance)
#define rill_placed_local_bounds DIM_NAME(rill_placed_local_bounds)
#define rill_placed_make         DIM_NAME(rill_placed_make)
#define rill_placed_to_local     DIM_NAME(rill_placed_to_local)
#define rill_placed_to_world     DIM_NAME(rill_placed_to_world)
#define rill_placed_turned       DIM_NAME(rill_placed_turned)
#define rill_placed_wall_count   DIM_NAME(rill_placed_wall_count)
#define rill_placed_walls        DIM_NAME(rill_placed_walls)
#define rill_samples_make        DIM_NAME(rill_samples_make)
#define rill_samples_near        DIM_NAME(rill_samples_near)
#define rill_shape_check         DIM_NAME(rill_shape_check)
#define rill_shape_distance      DIM_NAME(rill_shape_distance)
#define rill_shape_edge_walls    DIM_NAME(rill_shape_edge_walls)
#define rill_shape_has_edges     DIM_NAME(rill_shape_has_edges)
#define rill_solid_velocity      DIM_NAME(rill_solid_velocity)
#define rill_solids_make_faces   DIM_NAME(rill_solids_make_faces)
#define rill_solids_place        DIM_NAME(rill_solids_place)
#define rill_solids_prepare      DIM_NAME(rill_solids_prepare)

#endif

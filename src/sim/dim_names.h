/* SPDX-License-Identifier: MIT */
/* The sources of src/sim are compiled once for each dimension and SIMD width. This list gives every symbol that leaves
   its file a name of its own in each of them (grid_sort -> grid_sort_3d_avx2); a missing line is a link error. */
#ifndef RILL_SIM_DIM_NAMES_H
#define RILL_SIM_DIM_NAMES_H

#include "core/wide.h"

#define SIM_PASTE_(name, dim, width) name##_##dim##d_##width
#define SIM_PASTE(name, dim, width)  SIM_PASTE_(name, dim, width)
#define SIM_NAME(name)               SIM_PASTE(name, RILL_DIM, RILL_WIDTH_NAME)

#define sim_operations SIM_NAME(rill_sim_operations)

#define contacts_build        SIM_NAME(contacts_build)
#define contacts_sum_forces   SIM_NAME(contacts_sum_forces)
#define emitter_period        SIM_NAME(emitter_period)
#define emitter_sheet         SIM_NAME(emitter_sheet)
#define fill_block            SIM_NAME(fill_block)
#define fill_lattice_sum      SIM_NAME(fill_lattice_sum)
#define form_check            SIM_NAME(form_check)
#define form_distance         SIM_NAME(form_distance)
#define form_make             SIM_NAME(form_make)
#define form_to_world         SIM_NAME(form_to_world)
#define form_turn             SIM_NAME(form_turn)
#define form_walls            SIM_NAME(form_walls)
#define gauge_read            SIM_NAME(gauge_read)
#define grid_cell_end         SIM_NAME(grid_cell_end)
#define grid_free             SIM_NAME(grid_free)
#define grid_row              SIM_NAME(grid_row)
#define grid_sort             SIM_NAME(grid_sort)
#define halo_build            SIM_NAME(halo_build)
#define halo_update           SIM_NAME(halo_update)
#define halo_wrap             SIM_NAME(halo_wrap)
#define kernel_make           SIM_NAME(kernel_make)
#define lists_build           SIM_NAME(lists_build)
#define lists_free            SIM_NAME(lists_free)
#define method_count          SIM_NAME(method_count)
#define method_find           SIM_NAME(method_find)
#define method_list           SIM_NAME(method_list)
#define solid_move            SIM_NAME(solid_move)
#define solid_velocity        SIM_NAME(solid_velocity)
#define solids_collide        SIM_NAME(solids_collide)
#define solids_place          SIM_NAME(solids_place)
#define sources_drain         SIM_NAME(sources_drain)
#define sources_emit          SIM_NAME(sources_emit)
#define sources_guide         SIM_NAME(sources_guide)
#define sources_hold          SIM_NAME(sources_hold)
#define sources_remove_inside SIM_NAME(sources_remove_inside)
#define sph_choose            SIM_NAME(sph_choose)
#define sph_density_kernel    SIM_NAME(sph_density_kernel)
#define sph_effective         SIM_NAME(sph_effective)
#define sph_fields            SIM_NAME(sph_fields)
#define sph_max_dt            SIM_NAME(sph_max_dt)
#define sph_move              SIM_NAME(sph_move)
#define sph_prepare           SIM_NAME(sph_prepare)
#define sph_solve             SIM_NAME(sph_solve)
#define sph_speed_limit       SIM_NAME(sph_speed_limit)
#define step_check_support    SIM_NAME(step_check_support)
#define step_refresh          SIM_NAME(step_refresh)
#define step_world            SIM_NAME(step_world)
#define wall_map_make         SIM_NAME(wall_map_make)
#define wall_map_make_colour  SIM_NAME(wall_map_make_colour)

#endif

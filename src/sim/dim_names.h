/* SPDX-License-Identifier: MIT */
/* The sources of src/sim are compiled once for each dimension, and those with wide loops for each SIMD width too. These
   lists give every symbol that leaves its file a name of its own in each compilation (rill_fill_block_3d,
   rill_grid_sort_3d_avx2); a missing line is a link error. So is a call from a file without a width to one that has
   one: it would not know which. */
#ifndef RILL_SIM_DIM_NAMES_H
#define RILL_SIM_DIM_NAMES_H

#include "core/wide.h"
#include "solid/dim_names.h"

#define SIM_PASTE_(name, dim, width) name##_##dim##d_##width
#define SIM_PASTE(name, dim, width)  SIM_PASTE_(name, dim, width)
#define SIM_NAME(name)               SIM_PASTE(name, RILL_DIM, RILL_WIDTH_NAME)

#define sim_operations SIM_NAME(rill_sim_operations)

/* Once for each dimension. */
#define rill_displace                   DIM_NAME(rill_displace)
#define rill_emitter_period             DIM_NAME(rill_emitter_period)
#define rill_emitter_sheet              DIM_NAME(rill_emitter_sheet)
#define rill_fill_block                 DIM_NAME(rill_fill_block)
#define rill_fill_lattice_sum           DIM_NAME(rill_fill_lattice_sum)
#define rill_forces_max_dt              DIM_NAME(rill_forces_max_dt)
#define rill_forces_prepare             DIM_NAME(rill_forces_prepare)
#define rill_gauge_count_energies       DIM_NAME(rill_gauge_count_energies)
#define rill_gauge_read                 DIM_NAME(rill_gauge_read)
#define rill_gauge_read_window          DIM_NAME(rill_gauge_read_window)
#define rill_gauge_turned               DIM_NAME(rill_gauge_turned)
#define rill_gauges_follow              DIM_NAME(rill_gauges_follow)
#define rill_kernel_make                DIM_NAME(rill_kernel_make)
#define rill_laplacian_calibrate        DIM_NAME(rill_laplacian_calibrate)
#define rill_laplacian_integral         DIM_NAME(rill_laplacian_integral)
#define rill_method_box                 DIM_NAME(rill_method_box)
#define rill_method_extent              DIM_NAME(rill_method_extent)
#define rill_sources_drain              DIM_NAME(rill_sources_drain)
#define rill_sources_emit               DIM_NAME(rill_sources_emit)
#define rill_sources_guide              DIM_NAME(rill_sources_guide)
#define rill_sources_hold               DIM_NAME(rill_sources_hold)
#define rill_sources_push_inside        DIM_NAME(rill_sources_push_inside)
#define rill_sources_remove_inside      DIM_NAME(rill_sources_remove_inside)
#define rill_undo_keep                  DIM_NAME(rill_undo_keep)
#define rill_undo_restore               DIM_NAME(rill_undo_restore)
#define rill_wall_integrals_make        DIM_NAME(rill_wall_integrals_make)
#define rill_wall_integrals_make_colour DIM_NAME(rill_wall_integrals_make_colour)

/* For each width. */
#define rill_colour_ask             SIM_NAME(rill_colour_ask)
#define rill_colour_build           SIM_NAME(rill_colour_build)
#define rill_colour_sweep           SIM_NAME(rill_colour_sweep)
#define rill_contacts_build         SIM_NAME(rill_contacts_build)
#define rill_contacts_sum_forces    SIM_NAME(rill_contacts_sum_forces)
#define rill_pressure_accelerate    SIM_NAME(rill_pressure_accelerate)
#define rill_pressure_begin         SIM_NAME(rill_pressure_begin)
#define rill_pressure_choose        SIM_NAME(rill_pressure_choose)
#define rill_pressure_head_limit    SIM_NAME(rill_pressure_head_limit)
#define rill_pressure_keep_pushes   SIM_NAME(rill_pressure_keep_pushes)
#define rill_pressure_max_dt        SIM_NAME(rill_pressure_max_dt)
#define rill_pressure_measure       SIM_NAME(rill_pressure_measure)
#define rill_pressure_move          SIM_NAME(rill_pressure_move)
#define rill_pressure_prepare       SIM_NAME(rill_pressure_prepare)
#define rill_pressure_push          SIM_NAME(rill_pressure_push)
#define rill_pressure_reduce        SIM_NAME(rill_pressure_reduce)
#define rill_pressure_relaxation    SIM_NAME(rill_pressure_relaxation)
#define rill_pressure_speed_limit   SIM_NAME(rill_pressure_speed_limit)
#define rill_pressure_update_motion SIM_NAME(rill_pressure_update_motion)
#define rill_pressure_update_points SIM_NAME(rill_pressure_update_points)
#define rill_grid_cell_end          SIM_NAME(rill_grid_cell_end)
#define rill_grid_free              SIM_NAME(rill_grid_free)
#define rill_grid_row               SIM_NAME(rill_grid_row)
#define rill_grid_sort              SIM_NAME(rill_grid_sort)
#define rill_halo_build             SIM_NAME(rill_halo_build)
#define rill_halo_exchange          SIM_NAME(rill_halo_exchange)
#define rill_halo_wrap              SIM_NAME(rill_halo_wrap)
#define rill_lists_build            SIM_NAME(rill_lists_build)
#define rill_lists_free             SIM_NAME(rill_lists_free)
#define rill_sim_create             SIM_NAME(rill_sim_create)
#define rill_sim_destroy            SIM_NAME(rill_sim_destroy)
#define rill_sim_method_count       SIM_NAME(rill_sim_method_count)
#define rill_sim_method_find        SIM_NAME(rill_sim_method_find)
#define rill_sim_method_list        SIM_NAME(rill_sim_method_list)
#define rill_sim_set_fluid_mass     SIM_NAME(rill_sim_set_fluid_mass)
#define rill_sim_set_method         SIM_NAME(rill_sim_set_method)
#define rill_solids_collide         SIM_NAME(rill_solids_collide)
#define rill_sph_choose             SIM_NAME(rill_sph_choose)
#define rill_sph_effective          SIM_NAME(rill_sph_effective)
#define rill_sph_fields             SIM_NAME(rill_sph_fields)
#define rill_sph_max_dt             SIM_NAME(rill_sph_max_dt)
#define rill_sph_move               SIM_NAME(rill_sph_move)
#define rill_sph_prepare            SIM_NAME(rill_sph_prepare)
#define rill_sph_solve              SIM_NAME(rill_sph_solve)
#define rill_sph_speed_limit        SIM_NAME(rill_sph_speed_limit)
#define rill_step_check_support     SIM_NAME(rill_step_check_support)
#define rill_step_refresh           SIM_NAME(rill_step_refresh)
#define rill_step_world             SIM_NAME(rill_step_world)
#define rill_vorticity_confine      SIM_NAME(rill_vorticity_confine)

#endif

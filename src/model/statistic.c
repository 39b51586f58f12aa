/* SPDX-License-Identifier: MIT */
/* The table of statistics, and combining the values of several steps. */
#include "model/statistic.h"

#include <math.h>
#include <string.h>

#define AT(member, type_) .offset = offsetof(rill_stats, member), .type = STATISTIC_##type_, .scale = 1

#define PHASES(PHASE)                                                                \
    PHASE(SOURCES, "sources", "of moving solids, emitters and sinks")                \
    PHASE(SORT, "sort", "of sorting particles into cells")                           \
    PHASE(NEIGHBOURS, "neighbours", "of the search for neighbours")                  \
    PHASE(BOUNDARY, "boundary", "of contacts with walls, and of seams under bodies") \
    PHASE(SOLVE, "solve", "of the method's solver")                                  \
    PHASE(MOVE, "move", "of moving particles and keeping them out of solids")        \
    PHASE(CHECK, "check", "of energies, errors and the check for a blow-up")         \
    PHASE(BODIES, "bodies", "of the bodies")

const statistic rill_statistics[STATISTIC_COUNT] = {
    [STATISTIC_TIME] = {"time", "time", .unit = "s", AT(time, DOUBLE), .doc = "simulated time"},
    [STATISTIC_STEP] = {"step", "steps", .unit = "", AT(step, INT64), .doc = "steps since the world began"},
    [STATISTIC_DT] = {"dt", "dt_mean", .unit = "s", AT(dt, DOUBLE), .fold = STATISTIC_MEAN, .doc = "length of a step"},
    [STATISTIC_SUBSTEPS] = {"substeps", "substeps_mean", .unit = "", AT(substeps, INT), .fold = STATISTIC_MEAN,
                            .doc = "number of substeps in a step"},
    [STATISTIC_PARTICLES] = {"particles", "particles", .unit = "", AT(particles, INT), .doc = "particles"},
    [STATISTIC_ITERATIONS] = {"iterations", "iterations_mean", .unit = "", AT(iterations, INT), .fold = STATISTIC_MEAN,
                              .doc = "iterations of the solver in a step, or in its last substep"},
    [STATISTIC_RESIDUAL] = {"residual", .unit = "", AT(residual, DOUBLE),
                            .doc = "residual after the last iteration; the method's page defines it"},
    [STATISTIC_RESIDUAL_DENSITY] = {"residual_density", .unit = "", AT(residual_density, DOUBLE),
                                    .doc = "part of the residual in densities"},
    [STATISTIC_RESIDUAL_WALLS] = {"residual_walls", .unit = "", AT(residual_walls, DOUBLE),
                                  .doc = "part of the residual where walls and bodies keep particles off"},
    [STATISTIC_RESIDUAL_CONTACTS] = {"residual_contacts", .unit = "", AT(residual_contacts, DOUBLE),
                                     .doc = "part of the residual in contacts of bodies and their friction"},
    [STATISTIC_RESIDUAL_JOINTS] = {"residual_joints", .unit = "", AT(residual_joints, DOUBLE),
                                   .doc = "part of the residual in joints, their motors, limits and gears"},
    [STATISTIC_JOINT_GAP] = {"joint_gap", "joint_gap", .unit = "m", AT(joint_gap, DOUBLE), .fold = STATISTIC_MOST,
                             .doc = "gap of the joint with the widest gap"},
    [STATISTIC_DENSITY_ERROR_MEAN] = {"density_error_mean", "density_error_mean", .report_last = true, .unit = "",
                                      AT(density_error_mean, DOUBLE), .fold = STATISTIC_MEAN,
                                      .doc = "compression above rest density, mean over the particles"},
    [STATISTIC_DENSITY_ERROR_MAX] = {"density_error_max", "density_error_max", .report_last = true, .unit = "",
                                     AT(density_error_max, DOUBLE), .fold = STATISTIC_MOST,
                                     .doc = "greatest compression of a particle"},
    [STATISTIC_NEIGHBOURS_MEAN] = {"neighbours_mean", "neighbours_mean", .unit = "", AT(neighbours_mean, DOUBLE),
                                   .fold = STATISTIC_MEAN, .doc = "neighbours, mean over the particles"},
    [STATISTIC_NEIGHBOURS_MAX] = {"neighbours_max", .unit = "", AT(neighbours_max, INT),
                                  .doc = "largest number of neighbours of a particle"},
    [STATISTIC_MAX_SPEED] = {"max_speed", "max_speed", .unit = "m/s", AT(max_speed, DOUBLE), .fold = STATISTIC_MOST,
                             .doc = "speed of the fastest particle"},
    [STATISTIC_KINETIC_ENERGY] = {"kinetic_energy", "kinetic_energy", .unit = "J", AT(kinetic_energy, DOUBLE),
                                  .doc = "kinetic energy of the fluid"},
    [STATISTIC_POTENTIAL_ENERGY] = {"potential_energy", "potential_energy", .unit = "J", AT(potential_energy, DOUBLE),
                                    .doc = "energy of the fluid in gravity, zero at the origin"},
    [STATISTIC_ENERGY_GAIN] = {"energy_gain", "energy_gain", .unit = "", AT(energy_gain, DOUBLE),
                               .fold = STATISTIC_MOST,
                               .doc = "kinetic energy of the fluid without a source, as a share of the energy in play"},
    [STATISTIC_EMITTED] = {"emitted", "emitted", .unit = "", AT(emitted, INT64),
                           .doc = "particles that emitters have added since the world began"},
    [STATISTIC_REMOVED] = {"removed", "removed", .unit = "", AT(removed, INT64),
                           .doc = "particles that were removed since the world began"},
    [STATISTIC_STRAYED] = {NULL, "strayed", .unit = "", AT(strayed, INT64),
                           .doc = "particles that were removed because they left the world's bounds"},
    [STATISTIC_LEFT_OUT] = {NULL, "left_out", .unit = "", AT(left_out, INT64),
                            .doc = "particles that were not added, or were removed, because a solid is in their place"},
    [STATISTIC_BYTES] = {NULL, "bytes", .unit = "B", AT(bytes, SIZE), .doc = "memory that the world holds"},
#define ROW(phase, name, doc_)                                                                   \
    [STATISTIC_PHASES + RILL_PHASE_##                                                            \
        phase] = {"ms_" name,                                                                    \
                  .unit = "ms",                                                                  \
                  .scale = 1e3,                                                                  \
                  .fold = STATISTIC_MEAN,                                                        \
                  .type = STATISTIC_DOUBLE,                                                      \
                  .offset = offsetof(rill_stats, seconds) + RILL_PHASE_##phase * sizeof(double), \
                  .doc = "time " doc_},
    PHASES(ROW)
#undef ROW
};

const char *rill_phase_name(rill_phase phase) {
    static const char *const names[RILL_PHASE_COUNT] = {
#define NAME(phase, name, doc) [RILL_PHASE_##phase] = name,
        PHASES(NAME)
#undef NAME
    };
    return (unsigned)phase < RILL_PHASE_COUNT ? names[phase] : "unknown";
}

static double member_of(const rill_stats *stats, const statistic *row) {
    const char *member = (const char *)stats + row->offset;
    int whole;
    int64_t large;
    size_t size;
    double number;
    switch (row->type) {
    case STATISTIC_INT:
        memcpy(&whole, member, sizeof whole);
        return whole;
    case STATISTIC_INT64:
        memcpy(&large, member, sizeof large);
        return (double)large;
    case STATISTIC_SIZE:
        memcpy(&size, member, sizeof size);
        return (double)size;
    default:
        memcpy(&number, member, sizeof number);
        return number;
    }
}

void rill_statistic_add(statistic_window *window, const rill_stats *stats) {
    window->steps++;
    for (int k = 0; k < STATISTIC_COUNT; k++) {
        const double value = member_of(stats, &rill_statistics[k]);
        double *folded = &window->folded[k];
        *folded = rill_statistics[k].fold == STATISTIC_MEAN ? *folded + value : fmax(*folded, value);
    }
}

double rill_statistic_value(const statistic_window *window, const rill_stats *stats, int k) {
    const statistic *row = &rill_statistics[k];
    if (row->fold == STATISTIC_LAST) return row->scale * member_of(stats, row);
    if (row->fold == STATISTIC_MOST) return row->scale * window->folded[k];
    return window->steps ? row->scale * window->folded[k] / (double)window->steps : (double)NAN;
}

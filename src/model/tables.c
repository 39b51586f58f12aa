/* SPDX-License-Identifier: MIT */
/* The tables of all definition structs, the only place where a key, its unit, range, default and meaning are
   written. */
#include "core/trig.h"
#include "model/table.h"
#include "model/units.h"
#include "rill/types.h"

#include <assert.h>
#include <string.h>

/* Most distant position [m]: there, floats are 64 m apart. */
#define FAR 1e9
/* A speed [m/s] and a time [s] that no scene reaches. */
#define FAST    1e9
#define FOREVER TABLE_HUGE
/* Marks definitions that were made by their default function. */
#define COOKIE   0x52494C4CU
#define LAST_INT 2147483647

static const rill_param world_rows[] = {
    ROW_INT(rill_world_def, dim, 2, 3, 2, "dimensions of space: 2 or 3", NULL),
    ROW_NAME(rill_world_def, method, "wcsph", "name of the method that moves the fluid", NULL),
    ROW_NUMBER(rill_world_def, spacing, RILL_LENGTH, 1e-6, 1e3, 0.05,
               "distance dx between neighbouring particles at rest", NULL),
    ROW_CHOICE(rill_world_def, quality, "fast|accurate", RILL_QUALITY_FAST,
               "fast: cubic spline of 2 dx; accurate: quintic spline of 2.8 dx, with which fluid has no yield stress",
               "docs/kernels.md"),
    ROW_NUMBER(rill_world_def, support_ratio, RILL_PURE, 0, 6, 0,
               "support radius h of the kernels, in dx, at least 1.05; 0: that of the quality", NULL),
    ROW_NUMBER(rill_world_def, scp, RILL_PURE, 0, 1, 0,
               "share of its rest density that a particle contributes to itself: chooses h instead of support_ratio; "
               "0: off",
               "thesis 3.42"),
    LIVE_VEC(rill_world_def, gravity, RILL_ACCELERATION, -1e6, 1e6, 0, -9.81F, 0,
             "acceleration of everything; by default down: along -y in 2D, along -z in 3D", NULL),
    ROW_VEC(rill_world_def, periodic, RILL_LENGTH, 0, FAR, 0, 0, 0,
            "period along each axis: a particle that leaves on one side enters on the other; 0: open", NULL),
    PLACE_VEC(rill_world_def, periodic_origin, -FAR, FAR, 0, 0, 0, "lower corner of the periodic box", NULL),
    ROW_VEC(rill_world_def, origin, RILL_LENGTH, -FAR, FAR, 0, 0, 0,
            "point from which the world measures its positions, in the coordinates of the scene: far from it, single "
            "precision rounds positions",
            "docs/scenes.md"),
    ROW_CHOICE(rill_world_def, walls, "impulse|map|field|samples", RILL_WALLS_MAP,
               "how solids act: contact impulses alone, or also through density, pressure and viscosity: the kernel's "
               "integral over the solid, one particle at the nearest point, or particles on the surface",
               "thesis 4.4.1 (impulse); Bodin (field); Akinci 2012 (samples)"),
    ROW_CHOICE(rill_world_def, viscosity_solver, "auto|explicit|implicit", RILL_VISCOSITY_AUTO,
               "viscosity from velocities at the step's start, at its end, or (auto) at its end where the explicit "
               "form would bound the step",
               "docs/forces.md"),
    ROW_NUMBER(rill_world_def, wall_distance, RILL_PURE, 0, 1, 0,
               "smallest distance of a particle's centre from a wall, in dx; 0: one half, or less if quality is "
               "accurate and the method holds its fluid off walls by pressure alone",
               NULL),
    ROW_BOOL(rill_world_def, calibrate_mass, true,
             "scale particle masses (wcsph and muller: the density sum) so that a lattice at rest has exactly its rest "
             "density under the chosen kernel",
             NULL),
    LIVE_NUMBER(rill_world_def, cfl, RILL_PURE, 0.05, 1.5, 1,
                "share of the method's stability bound that an adaptive step uses",
                "dt <= 0.4 h / (cs + |v|), dt <= 0.125 h^2 rho / mu"),
    LIVE_NUMBER(rill_world_def, dt_max, RILL_TIME, 1e-9, 10, 0.01, "longest adaptive step", NULL),
    LIVE_NUMBER(rill_world_def, max_speed, RILL_SPEED, 0, FAST, 0,
                "speed of a particle above which the world has blown up; 0: chosen from the scene", NULL),
    ROW_CHOICE(rill_world_def, bounds, "auto|open|remove|stop", RILL_BOUNDS_AUTO,
               "fate of particles that leave the world: 'auto' removes them far from the solids, if all solids are "
               "finite; 'remove' and 'stop' use bounds_min and bounds_max",
               NULL),
    PLACE_VEC(rill_world_def, bounds_min, -FAR, FAR, -FAR, -FAR, -FAR, "lower corner of the bounds", NULL),
    PLACE_VEC(rill_world_def, bounds_max, -FAR, FAR, FAR, FAR, FAR, "upper corner of the bounds", NULL),
    LIVE_NUMBER(rill_world_def, speed_clamp, RILL_SPEED, 0, FAST, 0,
                "greatest speed: faster particles are slowed down, which is not physics; 0: off", NULL),
    ROW_CHOICE(rill_world_def, failure, "stop|clamp|remove", RILL_FAILURE_STOP,
               "fate of a particle that is faster than max_speed or not finite: the world stops, or the particle is "
               "slowed down or removed, and counted; the energy watch then only warns",
               NULL),
    LIVE_INT(rill_world_def, particle_limit, 0, LAST_INT, 0,
             "largest number of particles at the beginning of a step: beyond it the oldest are removed; 0: no limit",
             NULL),
    LIVE_NUMBER(rill_world_def, colour_diffusivity, RILL_DIFFUSIVITY, 0, 1e3, 0,
                "diffusivity of the colours of particles, like dye in water; limited by the length of a step",
                "dc/dt = D lap c"),
    LIVE_BOOL(rill_world_def, events, false,
              "list the particles that a call removed, and bodies, joints and groups whose state it changed", NULL),
    LIVE_NUMBER(rill_world_def, sleep_speed, RILL_SPEED, 0, FAST, 0.03, "speed below which a body is at rest", NULL),
    LIVE_NUMBER(rill_world_def, sleep_time, RILL_TIME, 0, FOREVER, 0.5,
                "time at rest on a fixed solid or body after which bodies fall asleep; 0: never", NULL),
    LIVE_INT(rill_world_def, body_sweeps, 2, 10000, 200,
             "largest number of sweeps over the contacts and joints of bodies in a substep; 20 are enough for a game",
             NULL),
    ROW_INT(rill_world_def, workers, 0, RILL_MAX_WORKERS, 0, "threads; 0: all cores", NULL),
    ROW_CHOICE(rill_world_def, simd, "auto|scalar|sse|avx2|neon|wasm", RILL_SIMD_AUTO,
               "instruction set; results do not depend on it", NULL),
    ROW_INT(rill_world_def, seed, 0, LAST_INT, 1, "seed of jittered fills", NULL),
};

static const rill_param fluid_rows[] = {
    ROW_NAME(rill_fluid_def, name, "", "name that blocks, emitters and gauges refer to", NULL),
    ROW_NUMBER(rill_fluid_def, density, RILL_DENSITY, 1e-3, 1e6, 1000, "rest density rho0", NULL),
    LIVE_NUMBER(rill_fluid_def, viscosity, RILL_VISCOSITY, 0, 1e6, 1e-3, "dynamic viscosity mu", NULL),
    LIVE_NUMBER(rill_fluid_def, surface_tension, RILL_SURFACE_TENSION, 0, 1e3, 0,
                "surface tension sigma (water: 0.0728); off by default, because it costs a pass over the particles",
                NULL),
    ROW_NUMBER(rill_fluid_def, particle_mass, RILL_MASS, 0, 1e12, 0,
               "mass of a particle; 0: rho0 dx^dim, calibrated if the world and the method say so", NULL),
    LIVE_INT(rill_fluid_def, mask, 0, 65535, 65535, "bits of the layers of solids and bodies with which it collides",
             NULL),
};

static const rill_param shape_rows[] = {
    ROW_CHOICE_AS(rill_shape, kind, "shape",
                  "half_space|box|sphere|capsule|polygon|segments|cylinder|torus|hull|mesh|heightfield|compound",
                  RILL_BOX, "kind of shape; polygon and segments are for 2D, cylinder, torus and mesh for 3D", NULL),
    PLACE_VEC(rill_shape, min, -FAR, FAR, 0, 0, 0, "lower corner of a box", NULL),
    PLACE_VEC(rill_shape, max, -FAR, FAR, 1, 1, 1, "upper corner of a box", NULL),
    PLACE_VEC(rill_shape, position, -FAR, FAR, 0, 0, 0,
              "centre of a sphere or torus, a point on a half_space's surface, first end of a capsule or cylinder, "
              "origin of points and parts",
              NULL),
    PLACE_VEC(rill_shape, end, -FAR, FAR, 0, 1, 0, "second end of a capsule or cylinder", NULL),
    ROW_VEC(rill_shape, normal, RILL_PURE, -FAR, FAR, 0, 1, 0,
            "direction out of a half_space or along the axis of a torus, of any length", NULL),
    ROW_NUMBER(
        rill_shape, radius, RILL_LENGTH, 0, FAR, 0.1,
        "radius of a sphere, capsule or cylinder, or of the middle line of a torus; half the thickness of segments",
        NULL),
    ROW_NUMBER(rill_shape, tube, RILL_LENGTH, 0, FAR, 0.02, "radius of the tube of a torus", NULL),
    ROW_NUMBER(rill_shape, angle, RILL_ANGLE, -1e6, 1e6, 0,
               "angle by which a box is turned about its centre, and points and parts about their position", NULL),
    ROW_VEC(rill_shape, axis, RILL_PURE, -FAR, FAR, 0, 0, 1, "axis of this turn in 3D, of any length", NULL),
    ROW_NUMBER(rill_shape, scale, RILL_PURE, 1e-9, 1e9, 1, "factor on points and parts", NULL),
    ROW_BOOL(rill_shape, inside, false, "turn the shape inside out: everything outside it is solid, a container", NULL),
    ROW_INT(rill_shape, columns, 0, 1000000, 0, "points in a row of a heightfield in 3D, in which z is up", NULL),
    ROW_NUMBER(rill_shape, depth, RILL_LENGTH, 0, FAR, 0,
               "depth of the ground of a heightfield below its lowest point; 0: a quarter of its width", NULL),
    ROW_NUMBER(rill_shape, thickness, RILL_LENGTH, 0, FAR, 0,
               "thickness of a mesh that is a sheet with two sides; 0: the mesh encloses a solid", NULL),
    ROW_NUMBER(rill_shape, cell, RILL_LENGTH, 0, FAR, 0,
               "cell of the distance field of a mesh, hull or heightfield in 3D; 0: half the particle spacing", NULL),
    ROW_FILE(rill_shape, file, "mesh file, next to the scene or among the installed models", NULL),
    ROW_POINTS(rill_shape, points, RILL_LENGTH, -FAR, FAR,
               "corners of a polygon, chain, hull or heightfield; three for each triangle of a mesh", NULL),
};

static const rill_param block_rows[] = {
    ROW_NAME_AS(rill_block_def, fluid_name, "fluid", "", "name of the fluid; empty: the first one", NULL),
    ROW_NAME_AS(rill_block_def, group_name, "group", "", "name of the group of its particles; empty: none", NULL),
    ROW_CHOICE(rill_block_def, fill, "lattice|hexagonal|jittered|stored", RILL_FILL_LATTICE,
               "arrangement of the particles; stored: that of a frame of an earlier run", NULL),
    ROW_NUMBER(rill_block_def, jitter, RILL_PURE, 0, 0.5, 0.1, "largest random shift of a jittered fill, in dx", NULL),
    ROW_VEC(rill_block_def, velocity, RILL_SPEED, -FAST, FAST, 0, 0, 0, "velocity at the start", NULL),
    ROW_NUMBER(rill_block_def, spin, RILL_ANGULAR_SPEED, -1e6, 1e6, 0,
               "angular velocity at the start, about the z axis through the shape's centre", NULL),
    ROW_NAME(rill_block_def, velocity_x, "",
             "velocity along x to be added: an expression of the position x, y, z and of the scene's variables, such "
             "as '-U*cos(k*x)*sin(k*y)'; scenes only",
             NULL),
    ROW_NAME(rill_block_def, velocity_y, "", "velocity along y to be added, like velocity_x", NULL),
    ROW_NAME(rill_block_def, velocity_z, "", "velocity along z to be added, like velocity_x", NULL),
    ROW_FILE(rill_block_def, frame,
             "file of a stored fill: a .vtp or .ply frame of a run with the same spacing, next to the scene or in the "
             "working directory; its particles inside the shape are taken, with their velocities",
             NULL),
};

static const rill_param solid_rows[] = {
    ROW_NAME(rill_solid_def, name, "", "name that gauges refer to", NULL),
    LIVE_NUMBER(rill_solid_def, friction, RILL_PURE, 0, 1, 0,
                "share of the tangential velocity removed at contact: 0 slips, 1 sticks", "thesis 4.4.1"),
    LIVE_NUMBER(rill_solid_def, restitution, RILL_PURE, 0, 1, 0, "share of the normal velocity given back at contact",
                "thesis 4.4.1"),
    LIVE_BOOL(rill_solid_def, no_slip, false, "the fluid sticks to map walls by viscous stress instead of sliding",
              NULL),
    LIVE_NUMBER(rill_solid_def, contact_angle, RILL_ANGLE, 0, PI, 0.5 * PI,
                "angle between the wall and the surface of a fluid with surface tension, measured in the fluid (map "
                "walls)",
                "docs/forces.md"),
    ROW_CHOICE(rill_solid_def, displacement, "remove|push", RILL_DISPLACE_REMOVE,
               "fate of fluid in its place when it is added: removed, or put on top of the fluid around it; in a "
               "scene, blocks are filled before solids that push are added",
               NULL),
    LIVE_VEC(rill_solid_def, surface_velocity, RILL_SPEED, -FAST, FAST, 0, 0, 0,
             "velocity of the surface along itself, as of a conveyor or a sliding plate", NULL),
    LIVE_INT(rill_solid_def, layer, 0, 65535, 65535,
             "bits of its layers: bodies with one of them in their mask collide with it", NULL),
};

static const rill_param motion_rows[] = {
    ROW_VEC(rill_motion, velocity, RILL_SPEED, -FAST, FAST, 0, 0, 0, "steady velocity", NULL),
    ROW_VEC(rill_motion, amplitude, RILL_LENGTH, -FAR, FAR, 0, 0, 0, "amplitude of the oscillation",
            "x = x0 + velocity t + amplitude (sin(2 pi frequency t + phase) - sin(phase))"),
    ROW_NUMBER(rill_motion, frequency, RILL_FREQUENCY, 0, 1e6, 0, "frequency of the oscillation and of the swing",
               NULL),
    ROW_NUMBER(rill_motion, phase, RILL_ANGLE, -1e6, 1e6, 0, "phase of the oscillation and of the swing at the start",
               NULL),
    ROW_NUMBER(rill_motion, spin, RILL_ANGULAR_SPEED, -1e6, 1e6, 0, "steady angular velocity about the pivot", NULL),
    ROW_NUMBER(rill_motion, swing, RILL_ANGLE, -1e6, 1e6, 0, "amplitude of the rotary oscillation about the pivot",
               "angle = spin t + swing (sin(2 pi frequency t + phase) - sin(phase))"),
    PLACE_VEC(rill_motion, pivot, -FAR, FAR, 0, 0, 0, "centre of spin and swing", NULL),
    ROW_VEC(rill_motion, axis, RILL_PURE, -FAR, FAR, 0, 0, 1, "axis of spin and swing in 3D, of any length", NULL),
    ROW_NUMBER(rill_motion, start_time, RILL_TIME, 0, FOREVER, 0, "beginning of the motion", NULL),
    ROW_NUMBER(rill_motion, end_time, RILL_TIME, 0, FOREVER, FOREVER, "end of the motion, if later than its beginning",
               NULL),
    ROW_NUMBERS(rill_motion, times, RILL_TIME, 0, FOREVER,
                "times of the keyframes, counted from the start, in rising order", NULL),
    ROW_POINTS(rill_motion, offsets, RILL_LENGTH, -FAR, FAR, "shift at each keyframe", NULL),
    ROW_NUMBERS(rill_motion, angles, RILL_ANGLE, -1e6, 1e6, "angle about the pivot at each keyframe", NULL),
    ROW_POINTS(rill_motion, turns, RILL_ANGLE, -1e6, 1e6, "rotation at each keyframe in 3D, as axis times angle", NULL),
    ROW_BOOL(rill_motion, repeat, false, "start again after the last keyframe, at the position where it ended", NULL),
};

static const rill_param emitter_rows[] = {
    ROW_NAME(rill_emitter_def, name, "", "name, for messages", NULL),
    ROW_NAME_AS(rill_emitter_def, fluid_name, "fluid", "", "name of the fluid; empty: the first one", NULL),
    ROW_NAME_AS(rill_emitter_def, body_name, "body", "",
                "name of the body to which it is attached; empty: it stays in place", NULL),
    ROW_NAME_AS(rill_emitter_def, group_name, "group", "", "name of the group of its particles; empty: none", NULL),
    LIVE_PLACE(rill_emitter_def, position, -FAR, FAR, 0, 0, 0, "centre of the nozzle", NULL),
    LIVE_VEC(rill_emitter_def, direction, RILL_PURE, -FAR, FAR, 1, 0, 0, "direction of the jet, of any length", NULL),
    ROW_CHOICE(rill_emitter_def, nozzle, "round|rectangle", RILL_NOZZLE_ROUND,
               "shape of the opening in 3D; in 2D it is a slit", NULL),
    LIVE_NUMBER(rill_emitter_def, radius, RILL_LENGTH, 1e-6, FAR, 0.1,
                "radius of a round nozzle; half the width of the slit in 2D", NULL),
    LIVE_NUMBER(rill_emitter_def, width, RILL_LENGTH, 1e-6, FAR, 0.2, "width of a rectangular nozzle in 3D", NULL),
    LIVE_NUMBER(rill_emitter_def, height, RILL_LENGTH, 1e-6, FAR, 0.2, "height of a rectangular nozzle in 3D", NULL),
    LIVE_NUMBER(rill_emitter_def, speed, RILL_SPEED, 0, FAST, 1, "speed of the jet", NULL),
    LIVE_NUMBER(rill_emitter_def, rate, RILL_FLOW, 0, FAST, 0, "volume flow; 0: that of the open nozzle at that speed",
                NULL),
    LIVE_NUMBER(rill_emitter_def, start_time, RILL_TIME, 0, FOREVER, 0, "time at which it opens", NULL),
    LIVE_NUMBER(rill_emitter_def, end_time, RILL_TIME, 0, FOREVER, FOREVER, "time at which it closes", NULL),
    LIVE_INT(rill_emitter_def, limit, 0, LAST_INT, 0, "largest number of particles that it emits; 0: no limit", NULL),
};

static const rill_param sink_rows[] = {
    ROW_NAME(rill_sink_def, name, "", "name, for messages", NULL),
    ROW_NAME_AS(rill_sink_def, body_name, "body", "",
                "name of the body to which it is attached; empty: it stays in place", NULL),
    LIVE_NUMBER(rill_sink_def, start_time, RILL_TIME, 0, FOREVER, 0, "time at which it starts to remove particles",
                NULL),
    LIVE_NUMBER(rill_sink_def, end_time, RILL_TIME, 0, FOREVER, FOREVER, "time at which it stops", NULL),
};

/* "|height|front|...": the names of all kinds of gauges, in the order of their constants. */
static const char gauge_names[] =
#define GAUGE_KIND(constant, name, unit, values, subject, averages, doc) "|" name
#include "model/gauge_kinds.def"
#undef GAUGE_KIND
    ;
enum {
#define GAUGE_KIND(constant, name, unit, values, subject, averages, doc) GAUGE_PLACE_##constant,
#include "model/gauge_kinds.def"
#undef GAUGE_KIND
};
#define GAUGE_KIND(constant, name, unit, values, subject, averages, doc) \
    static_assert((int)GAUGE_PLACE_##constant == (int)RILL_GAUGE_##constant, "gauge_kinds.def is out of order");
#include "model/gauge_kinds.def"
#undef GAUGE_KIND

static const rill_param gauge_rows[] = {
    ROW_NAME(rill_gauge_def, name, "", "name of its column in the output", NULL),
    ROW_CHOICE(rill_gauge_def, kind, gauge_names + 1, RILL_GAUGE_HEIGHT, "quantity that is measured", NULL),
    ROW_NAME_AS(rill_gauge_def, fluid_name, "fluid", "", "name of the fluid; empty: all of them", NULL),
    ROW_NAME_AS(rill_gauge_def, solid_name, "solid", "", "name of the solid or body whose force is measured", NULL),
    ROW_NAME_AS(rill_gauge_def, body_name, "body", "", "name of the body that is measured", NULL),
    ROW_NAME_AS(rill_gauge_def, joint_name, "joint", "", "name of the joint that is measured", NULL),
    ROW_NAME_AS(rill_gauge_def, cloth_name, "cloth", "", "name of the cloth that is measured", NULL),
    ROW_NAME_AS(rill_gauge_def, pin_name, "pin", "", "name of the pin whose force is measured", NULL),
    LIVE_PLACE(rill_gauge_def, position, -FAR, FAR, 0, 0, 0, "point of the measurement; beginning of a line", NULL),
    LIVE_VEC(rill_gauge_def, direction, RILL_PURE, -FAR, FAR, 0, 1, 0, "direction of a line, of any length", NULL),
    LIVE_NUMBER(rill_gauge_def, length, RILL_LENGTH, 1e-6, FAR, 1, "length of a line", NULL),
    LIVE_BOOL(rill_gauge_def, in_region, false, "count only the particles between min and max", NULL),
    LIVE_PLACE(rill_gauge_def, min, -FAR, FAR, 0, 0, 0, "lower corner of the region", NULL),
    LIVE_PLACE(rill_gauge_def, max, -FAR, FAR, 1, 1, 1, "upper corner of the region", NULL),
    ROW_NUMBER(rill_gauge_def, window, RILL_TIME, 0, FOREVER, 0.02,
               "time over which force and torque are averaged; 0: the last step alone", NULL),
    ROW_VEC(rill_gauge_def, axis, RILL_PURE, -FAR, FAR, 0, 0, 1, "axis about which the angle of a body is measured",
            NULL),
};

static const rill_param body_rows[] = {
    ROW_NAME(rill_body_def, name, "", "name that joints and gauges refer to", NULL),
    ROW_CHOICE(rill_body_def, kind, "dynamic|kinematic|fixed", RILL_BODY_DYNAMIC,
               "kind of body: moved by forces, by its prescribed motion, or fixed", NULL),
    ROW_NUMBER(rill_body_def, density, RILL_DENSITY, 1e-3, 1e6, 1000,
               "density, from which mass, centre and inertia follow", NULL),
    ROW_NUMBER(rill_body_def, mass, RILL_MASS, 0, 1e12, 0, "mass; 0: from the density", NULL),
    ROW_VEC(rill_body_def, velocity, RILL_SPEED, -FAST, FAST, 0, 0, 0, "velocity of the centre of mass at the start",
            NULL),
    ROW_VEC(rill_body_def, angular_velocity, RILL_ANGULAR_SPEED, -1e6, 1e6, 0, 0, 0,
            "angular velocity at the start; about z in 2D", NULL),
    LIVE_NUMBER(rill_body_def, friction, RILL_PURE, 0, 100, 0.5,
                "coefficient of Coulomb's friction; between two bodies the smaller one counts", "|f_t| <= mu f_n"),
    LIVE_NUMBER(rill_body_def, restitution, RILL_PURE, 0, 1, 0, "share of the approach speed given back at an impact",
                NULL),
    LIVE_BOOL(rill_body_def, no_slip, false, "the fluid sticks to it by viscous stress instead of sliding", NULL),
    LIVE_NUMBER(rill_body_def, contact_angle, RILL_ANGLE, 0, PI, 0.5 * PI,
                "angle between it and the surface of a fluid with surface tension, measured in the fluid (map walls)",
                "docs/forces.md"),
    ROW_CHOICE(rill_body_def, displacement, "remove|push", RILL_DISPLACE_REMOVE,
               "fate of fluid in its place when it is added: removed, or put on top of the fluid around it; in a "
               "scene, blocks are filled before solids that push are added",
               NULL),
    LIVE_NUMBER(rill_body_def, linear_damping, RILL_FREQUENCY, 0, 1e6, 0, "rate at which its velocity decays", NULL),
    LIVE_NUMBER(rill_body_def, angular_damping, RILL_FREQUENCY, 0, 1e6, 0, "rate at which its angular velocity decays",
                NULL),
    LIVE_INT(rill_body_def, layer, 0, 65535, 1, "bits of its layers", NULL),
    LIVE_INT(rill_body_def, mask, 0, 65535, 65535,
             "bits of the layers with which it collides, including those of solids", NULL),
    LIVE_BOOL(rill_body_def, sleeps, true, "may fall asleep when it rests (world.sleep_time)", NULL),
};

static const rill_param joint_rows[] = {
    ROW_NAME(rill_joint_def, name, "", "name that gauges refer to", NULL),
    ROW_CHOICE(rill_joint_def, kind, "ball|hinge|slider|fixed|distance|spring|gear", RILL_JOINT_HINGE,
               "kind of joint: the motion that it allows", NULL),
    ROW_NAME_AS(rill_joint_def, a_name, "a", "", "name of a body; a gear takes the first body of joint_a", NULL),
    ROW_NAME_AS(rill_joint_def, b_name, "b", "", "name of the other body; empty: the world", NULL),
    PLACE_VEC(rill_joint_def, anchor, -FAR, FAR, 0, 0, 0, "position of the joint on a", NULL),
    PLACE_VEC(rill_joint_def, anchor_b, -FAR, FAR, 0, 0, 0, "end of a distance or spring on b", NULL),
    ROW_VEC(rill_joint_def, axis, RILL_PURE, -FAR, FAR, 1, 0, 0, "axis of a slider, and of a hinge in 3D", NULL),
    LIVE_BOOL(rill_joint_def, limited, false, "limit its motion to the range from lower to upper", NULL),
    LIVE_NUMBER(rill_joint_def, lower, RILL_ANGLE_OR_LENGTH, -FAR, FAR, 0,
                "smallest angle of a hinge or travel of a slider, measured from its initial pose", NULL),
    LIVE_NUMBER(rill_joint_def, upper, RILL_ANGLE_OR_LENGTH, -FAR, FAR, 0, "largest angle or travel", NULL),
    LIVE_NUMBER(rill_joint_def, limit_stiffness, RILL_ANGULAR_OR_LINEAR_STIFFNESS, 0, 1e12, 0,
                "stiffness of the limits; 0: hard stops", NULL),
    LIVE_NUMBER(rill_joint_def, limit_damping, RILL_ANGULAR_OR_LINEAR_DAMPING, 0, 1e12, 0,
                "damping of limits that have a stiffness", NULL),
    LIVE_BOOL(rill_joint_def, motor, false, "switch the motor on", NULL),
    LIVE_NUMBER(rill_joint_def, motor_speed, RILL_ANGULAR_OR_LINEAR_SPEED, -1e6, 1e6, 0, "speed of a relative to b",
                NULL),
    LIVE_NUMBER(rill_joint_def, motor_force, RILL_TORQUE_OR_FORCE, 0, 1e12, 0, "largest torque or force of the motor",
                NULL),
    LIVE_NUMBER(rill_joint_def, friction, RILL_TORQUE_OR_FORCE, 0, 1e12, 0, "largest torque or force of dry friction",
                NULL),
    LIVE_BOOL(rill_joint_def, rope, false, "let a distance go slack, like a rope", NULL),
    LIVE_NUMBER(rill_joint_def, length, RILL_LENGTH, 0, FAR, 0,
                "length of a distance or of a spring at rest; 0: its initial length", NULL),
    LIVE_NUMBER(rill_joint_def, stiffness, RILL_ANGULAR_OR_LINEAR_STIFFNESS, 0, 1e12, 0,
                "stiffness of a spring, or of the spring in a hinge or slider", "f = -k (position - rest) - c speed"),
    LIVE_NUMBER(rill_joint_def, damping, RILL_ANGULAR_OR_LINEAR_DAMPING, 0, 1e12, 0,
                "damping of this spring; also acts without a spring", NULL),
    LIVE_NUMBER(rill_joint_def, rest, RILL_ANGLE_OR_LENGTH, -FAR, FAR, 0,
                "angle of a hinge or travel of a slider at which its spring is slack", NULL),
    ROW_NAME_AS(rill_joint_def, joint_a_name, "joint_a", "", "name of a hinge or slider that a gear moves", NULL),
    ROW_NAME_AS(rill_joint_def, joint_b_name, "joint_b", "", "name of the other hinge or slider of a gear", NULL),
    ROW_NUMBER(rill_joint_def, ratio, RILL_PURE, -1e6, 1e6, 1,
               "motion of joint_a for each unit (rad or m) of joint_b's; negative: in the opposite direction",
               "position_a - ratio position_b = const"),
    LIVE_NUMBER(rill_joint_def, break_force, RILL_FORCE, 0, 1e12, 0, "load at which it breaks; 0: never", NULL),
};

static const rill_param cloth_rows[] = {
    ROW_NAME(rill_cloth_def, name, "", "name that pins and gauges refer to", NULL),
    ROW_CHOICE(rill_cloth_def, kind, "sheet|rope|mesh", RILL_CLOTH_SHEET, "kind of cloth", NULL),
    PLACE_VEC(rill_cloth_def, position, -FAR, FAR, 0, 0, 0, "corner of a sheet, beginning of a rope, shift of a mesh",
              NULL),
    ROW_VEC(rill_cloth_def, edge_a, RILL_LENGTH, -FAR, FAR, 1, 0, 0,
            "edge of a sheet, from its position; the extent of a rope, and of a sheet in 2D, which is a line", NULL),
    ROW_VEC(rill_cloth_def, edge_b, RILL_LENGTH, -FAR, FAR, 0, 1, 0, "other edge of a sheet in 3D", NULL),
    ROW_NUMBER(rill_cloth_def, width, RILL_LENGTH, 1e-6, FAR, 0.01, "width of a rope", NULL),
    ROW_FILE(rill_cloth_def, file, "mesh file: OBJ, PLY, STL or OFF", NULL),
    ROW_POINTS(rill_cloth_def, points, RILL_LENGTH, -FAR, FAR,
               "corners of a mesh, three for each triangle; equal points are one particle", NULL),
    ROW_NUMBER(rill_cloth_def, spacing, RILL_LENGTH, 0, FAR, 0, "spacing of its particles; 0: that of the fluid", NULL),
    ROW_VEC(rill_cloth_def, velocity, RILL_SPEED, -FAST, FAST, 0, 0, 0, "velocity at the start", NULL),
    ROW_NUMBER(rill_cloth_def, mass, RILL_AREA_DENSITY, 1e-6, 1e6, 0.2, "mass per area", NULL),
    LIVE_NUMBER(rill_cloth_def, stretch, RILL_SURFACE_TENSION, 0, 1e9, 1000,
                "tension in N per metre of width and unit of strain; half of it in shear",
                "stretch/2 |F - R|^2 per area"),
    LIVE_NUMBER(rill_cloth_def, bend, RILL_ENERGY, 0, 1e6, 1e-5, "moment in N m per curvature and width",
                "bend/2 curvature^2 per area"),
    LIVE_NUMBER(rill_cloth_def, damping, RILL_FREQUENCY, 0, 1e6, 0, "rate at which its velocity decays", NULL),
    LIVE_NUMBER(rill_cloth_def, thickness, RILL_LENGTH, 0, FAR, 0,
                "distance that fluid, solids and the cloth itself keep from it; 0: a tenth of its spacing", NULL),
    LIVE_NUMBER(rill_cloth_def, friction, RILL_PURE, 0, 100, 0.3,
                "coefficient of Coulomb's friction on solids and bodies", "|f_t| <= mu f_n"),
    LIVE_NUMBER(rill_cloth_def, tear, RILL_PURE, 0, 1e6, 0, "strain at which it tears; 0: never", NULL),
    LIVE_NUMBER(rill_cloth_def, permeability, RILL_AREA, 0, 1, 0,
                "Darcy's permeability, for fluid that seeps through its thickness; 0: watertight",
                "u = k p / (mu thickness)"),
    LIVE_VEC(rill_cloth_def, wind, RILL_SPEED, -FAST, FAST, 0, 0, 0, "velocity of the air around it", NULL),
    LIVE_NUMBER(rill_cloth_def, drag, RILL_PURE, 0, 100, 0, "coefficient of the air's pressure on it; 0: no air",
                "p = drag/2 1.2 kg/m^3 u_n |u_n|"),
    LIVE_BOOL(rill_cloth_def, self_collision, true, "keep it from passing through itself", NULL),
};

static const rill_param pin_rows[] = {
    ROW_NAME(rill_pin_def, name, "", "name that gauges refer to", NULL),
    ROW_NAME_AS(rill_pin_def, cloth_name, "cloth", "", "name of the cloth that it holds; empty: the first one", NULL),
    ROW_NAME_AS(rill_pin_def, body_name, "body", "", "name of the body that holds it; empty: the world", NULL),
    PLACE_VEC(rill_pin_def, min, -FAR, FAR, 0, 0, 0, "lower corner of the box whose particles it holds", NULL),
    PLACE_VEC(rill_pin_def, max, -FAR, FAR, 0, 0, 0, "upper corner of the box", NULL),
};

static const rill_param group_rows[] = {
    ROW_NAME(rill_group_def, name, "", "name that blocks, emitters and areas refer to", NULL),
    ROW_CHOICE(rill_group_def, kind, "fluid|wall", RILL_GROUP_FLUID,
               "fluid flows; a wall of particles rests, or moves with `velocity`", NULL),
    LIVE_INT(rill_group_def, mask, 0, 65535, 65535,
             "bits of the layers of solids and bodies with which it collides, if its fluids do", NULL),
    LIVE_NUMBER(rill_group_def, red, RILL_PURE, 0, 1, 1, "colour of new particles: red", NULL),
    LIVE_NUMBER(rill_group_def, green, RILL_PURE, 0, 1, 1, "colour of new particles: green", NULL),
    LIVE_NUMBER(rill_group_def, blue, RILL_PURE, 0, 1, 1, "colour of new particles: blue", NULL),
    LIVE_NUMBER(rill_group_def, opacity, RILL_PURE, 0, 1, 0, "opacity of new particles; 0: they get no colour", NULL),
    LIVE_NUMBER(rill_group_def, lifetime, RILL_TIME, 0, FOREVER, 0, "lifetime of new particles; 0: unlimited", NULL),
    LIVE_VEC(rill_group_def, velocity, RILL_SPEED, -FAST, FAST, 0, 0, 0, "velocity of a wall", NULL),
};

static const rill_param area_rows[] = {
    ROW_NAME(rill_area_def, name, "", "name, for messages and events", NULL),
    ROW_NAME_AS(rill_area_def, group_name, "group", "", "name of the group on which it acts; empty: all particles",
                NULL),
    LIVE_VEC(rill_area_def, acceleration, RILL_ACCELERATION, -1e6, 1e6, 0, 0, 0,
             "acceleration of the fluid in it, besides gravity", NULL),
    LIVE_NUMBER(rill_area_def, pull, RILL_ACCELERATION, -1e6, 1e6, 0,
                "acceleration towards its centre; negative: away from it", NULL),
    LIVE_NUMBER(rill_area_def, swirl, RILL_ACCELERATION, -1e6, 1e6, 0,
                "acceleration around its centre, counter-clockwise; about z in 3D", NULL),
    LIVE_PLACE(rill_area_def, centre, -FAR, FAR, 0, 0, 0, "centre of pull and swirl", NULL),
    LIVE_NUMBER(rill_area_def, drag, RILL_FREQUENCY, 0, 1e6, 0, "rate at which velocities in it decay", NULL),
    ROW_BOOL(rill_area_def, watch, false, "list the particles that enter and leave it", NULL),
    LIVE_NUMBER(rill_area_def, start_time, RILL_TIME, 0, FOREVER, 0, "time at which it starts to act and to watch",
                NULL),
    LIVE_NUMBER(rill_area_def, end_time, RILL_TIME, 0, FOREVER, FOREVER, "time at which it stops", NULL),
};

static const rill_table tables[RILL_OBJECT_COUNT] = {
    [RILL_OBJECT_WORLD] = TABLE("world", "space, gravity, resolution and time steps", rill_world_def, world_rows),
    [RILL_OBJECT_FLUID] = TABLE("fluid", "a material", rill_fluid_def, fluid_rows),
    [RILL_OBJECT_SHAPE] =
        TABLE("shape", "the geometry of blocks, solids, bodies, sinks and areas", rill_shape, shape_rows),
    [RILL_OBJECT_BLOCK] = TABLE("block", "a region filled with fluid at the start", rill_block_def, block_rows),
    [RILL_OBJECT_SOLID] = TABLE("solid", "a wall, a container or an obstacle", rill_solid_def, solid_rows),
    [RILL_OBJECT_MOTION] = TABLE("motion", "prescribed motion of a solid", rill_motion, motion_rows),
    [RILL_OBJECT_EMITTER] = TABLE("emitter", "a nozzle that adds fluid", rill_emitter_def, emitter_rows),
    [RILL_OBJECT_SINK] = TABLE("sink", "a region that removes fluid", rill_sink_def, sink_rows),
    [RILL_OBJECT_GAUGE] = TABLE("gauge", "a measurement", rill_gauge_def, gauge_rows),
    [RILL_OBJECT_BODY] = TABLE("body", "a rigid body", rill_body_def, body_rows),
    [RILL_OBJECT_JOINT] = TABLE("joint", "a connection between two bodies", rill_joint_def, joint_rows),
    [RILL_OBJECT_CLOTH] = TABLE("cloth", "a sheet, a rope or a mesh of cloth", rill_cloth_def, cloth_rows),
    [RILL_OBJECT_PIN] = TABLE("pin", "a pin that holds particles of a cloth", rill_pin_def, pin_rows),
    [RILL_OBJECT_GROUP] = TABLE("group", "particles that are treated as one", rill_group_def, group_rows),
    [RILL_OBJECT_AREA] =
        TABLE("area", "a region that acts on fluid and watches particles enter and leave", rill_area_def, area_rows),
};

const rill_table *rill_object_table(rill_object object) {
    return (unsigned)object < RILL_OBJECT_COUNT ? &tables[object] : NULL;
}

rill_param rill_row_of(const rill_table *table, const rill_param *param, const void *object) {
    rill_param row = *param;
    if (table != &tables[RILL_OBJECT_JOINT]) return row;
    const int32_t kind = ((const rill_joint_def *)object)->kind;
    if (kind == RILL_JOINT_HINGE || kind == RILL_JOINT_SLIDER || kind == RILL_JOINT_SPRING)
        row.quantity = rill_quantity_of_freedom(row.quantity, kind == RILL_JOINT_HINGE);
    return row;
}

rill_world_def rill_world_def_default(int dim) {
    rill_world_def def = {0};
    rill_table_defaults(&tables[RILL_OBJECT_WORLD], &def);
    def.dim = dim;
    if (dim == 3) def.gravity = (rill_vec){def.gravity.x, 0, def.gravity.y};
    def.cookie = COOKIE;
    return def;
}

rill_world_def rill_world_def_game(int dim) {
    rill_world_def def = rill_world_def_default(dim);
    memcpy(def.method, "pbf", sizeof "pbf");
    def.failure = RILL_FAILURE_CLAMP;
    def.body_sweeps = 20;
    def.dt_max = 1.0F / 60;
    def.events = true;
    return def;
}

rill_fluid_def rill_fluid_def_default(void) {
    rill_fluid_def def = {0};
    rill_table_defaults(&tables[RILL_OBJECT_FLUID], &def);
    return def;
}

rill_shape rill_shape_default(void) {
    rill_shape shape = {0};
    rill_table_defaults(&tables[RILL_OBJECT_SHAPE], &shape);
    return shape;
}

rill_block_def rill_block_def_default(void) {
    rill_block_def def = {.shape = rill_shape_default()};
    rill_table_defaults(&tables[RILL_OBJECT_BLOCK], &def);
    return def;
}

rill_solid_def rill_solid_def_default(void) {
    rill_solid_def def = {.shape = rill_shape_default()};
    rill_table_defaults(&tables[RILL_OBJECT_SOLID], &def);
    rill_table_defaults(&tables[RILL_OBJECT_MOTION], &def.motion);
    return def;
}

rill_emitter_def rill_emitter_def_default(void) {
    rill_emitter_def def = {0};
    rill_table_defaults(&tables[RILL_OBJECT_EMITTER], &def);
    return def;
}

rill_sink_def rill_sink_def_default(void) {
    rill_sink_def def = {.shape = rill_shape_default()};
    rill_table_defaults(&tables[RILL_OBJECT_SINK], &def);
    return def;
}

rill_gauge_def rill_gauge_def_default(void) {
    rill_gauge_def def = {0};
    rill_table_defaults(&tables[RILL_OBJECT_GAUGE], &def);
    return def;
}

rill_body_def rill_body_def_default(void) {
    rill_body_def def = {.shape = rill_shape_default()};
    rill_table_defaults(&tables[RILL_OBJECT_BODY], &def);
    rill_table_defaults(&tables[RILL_OBJECT_MOTION], &def.motion);
    return def;
}

rill_filter rill_filter_default(void) {
    return (rill_filter){.solids = true, .bodies = true, .mask = 65535};
}

rill_joint_def rill_joint_def_default(void) {
    rill_joint_def def = {0};
    rill_table_defaults(&tables[RILL_OBJECT_JOINT], &def);
    return def;
}

rill_cloth_def rill_cloth_def_default(void) {
    rill_cloth_def def = {0};
    rill_table_defaults(&tables[RILL_OBJECT_CLOTH], &def);
    return def;
}

rill_pin_def rill_pin_def_default(void) {
    rill_pin_def def = {0};
    rill_table_defaults(&tables[RILL_OBJECT_PIN], &def);
    rill_table_defaults(&tables[RILL_OBJECT_MOTION], &def.motion);
    return def;
}

rill_group_def rill_group_def_default(void) {
    rill_group_def def = {0};
    rill_table_defaults(&tables[RILL_OBJECT_GROUP], &def);
    return def;
}

rill_area_def rill_area_def_default(void) {
    rill_area_def def = {.shape = rill_shape_default()};
    rill_table_defaults(&tables[RILL_OBJECT_AREA], &def);
    return def;
}

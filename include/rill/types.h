/* SPDX-License-Identifier: MIT */
/* Every definition struct with its default function. Fill one with its default, change what you need, and hand it to
   the world, which copies it. All quantities are in SI units. A 2D world is a plane one metre thick, so that density
   stays in kg/m^3 and forces in newtons. */
#ifndef RILL_TYPES_H
#define RILL_TYPES_H

#include "rill/param.h"

/* Handles are passed by value; zero is the null handle. The age tells an object from later ones in the same slot, so
   that the handle of a removed object stays invalid. Snapshots keep handles: they are valid in the loaded world too. */
typedef struct rill_fluid_id {
    uint32_t index1, age;
} rill_fluid_id;
typedef struct rill_solid_id {
    uint32_t index1, age;
} rill_solid_id;
typedef struct rill_emitter_id {
    uint32_t index1, age;
} rill_emitter_id;
typedef struct rill_sink_id {
    uint32_t index1, age;
} rill_sink_id;
typedef struct rill_gauge_id {
    uint32_t index1, age;
} rill_gauge_id;
typedef struct rill_body_id {
    uint32_t index1, age;
} rill_body_id;
typedef struct rill_joint_id {
    uint32_t index1, age;
} rill_joint_id;
typedef struct rill_cloth_id {
    uint32_t index1, age;
} rill_cloth_id;
typedef struct rill_pin_id {
    uint32_t index1, age;
} rill_pin_id;
typedef struct rill_group_id {
    uint32_t index1, age;
} rill_group_id;
typedef struct rill_area_id {
    uint32_t index1, age;
} rill_area_id;

/* A particle keeps its id for life, also when particles are sorted. An id is never used again in a world. */
typedef uint64_t rill_particle_id;
#define RILL_NO_PARTICLE UINT64_MAX

typedef enum rill_simd {
    RILL_SIMD_AUTO,
    RILL_SIMD_SCALAR,
    RILL_SIMD_SSE,
    RILL_SIMD_AVX2,
    RILL_SIMD_NEON,
    RILL_SIMD_WASM /* SIMD128 of WebAssembly; such builds have no scalar width */
} rill_simd;

/* A definition refers to another object by handle (`fluid`) or by name (`fluid_name`, as scenes do). The name counts if
   the handle is null; if both are given, they must mean the same object. In a definition that a world keeps, both are
   filled in. */

/* ---- world ---- */
typedef struct rill_world_def {
    int32_t dim;                 /* 2 or 3 */
    char method[RILL_NAME_SIZE]; /* "wcsph", "muller", ...: rill_method lists them */
    float spacing;               /* distance dx of neighbouring particles at rest [m] */
    int32_t quality;             /* rill_quality: chooses the kernel, and its support if support_ratio and scp are 0 */
    float support_ratio;         /* support of the kernel, h / dx; 0: chosen by `quality` */
    float scp;        /* share of rest density that a particle contributes to itself; chooses h instead of support_ratio
                         (thesis 3.42); 0: off */
    rill_vec gravity; /* [m/s^2]; by default 9.81 along -y in 2D, along -z in 3D */
    rill_vec periodic;        /* of the fluid: period along each axis [m], 0: open. Bodies do not return on the other
                                 side, and meet no periodic images of the fluid */
    rill_vec periodic_origin; /* lower corner of the periodic box [m] */
    rill_vec origin; /* point in the coordinates of the scene or host from which the world measures all positions [m] */
    int32_t walls;   /* rill_walls: how solids act on the fluid */
    int32_t viscosity_solver; /* rill_viscosity_solver */
    float wall_distance;      /* smallest distance of a particle centre to a wall, in dx; 0: automatic */
    bool calibrate_mass;      /* scale masses so that a lattice at rest has exactly the density rho0 */
    float cfl;                /* length of an adaptive step as a share of the stability bound */
    float dt_max;             /* longest adaptive step [s] */
    float max_speed;          /* a faster particle is a blow-up [m/s]; 0: chosen from the scene */
    int32_t bounds;           /* rill_bounds: what happens to particles that leave the world */
    rill_vec bounds_min;      /* corners for RILL_BOUNDS_REMOVE and RILL_BOUNDS_STOP [m] */
    rill_vec bounds_max;
    float speed_clamp;        /* faster particles are slowed down to this speed [m/s]; 0: off */
    int32_t failure;          /* rill_failure: what happens to particles that run away */
    int32_t particle_limit;   /* most particles; beyond that, the oldest are removed; 0: no limit */
    float colour_diffusivity; /* diffusivity of the particles' colours [m^2/s] */
    bool events;              /* list removed particles and changed objects (rill/game.h) */
    float sleep_speed;        /* a body slower than this is at rest [m/s] */
    float sleep_time;         /* a body at rest for this long falls asleep [s]; 0: never */
    int32_t body_sweeps;      /* most sweeps over contacts and joints in a substep */
    int32_t workers;          /* threads; 0: all cores */
    int32_t simd;             /* rill_simd */
    int32_t seed;             /* of the random numbers of jittered fills */

    /* Hooks of the host, not in the table; zero: built-in memory and threads, no cache. */
    rill_allocator allocator;
    rill_tasks tasks;
    rill_cache cache;
    uint32_t cookie; /* set by rill_world_def_default */
} rill_world_def;

typedef enum rill_quality {
    RILL_QUALITY_FAST,    /* cubic spline, h = 2 dx: fluid at rest resists a little shear, as wet sand does */
    RILL_QUALITY_ACCURATE /* quintic spline, h = 2.8 dx: fluid flows under any shear */
} rill_quality;

typedef enum rill_walls {
    RILL_WALLS_IMPULSE, /* impulses and projection alone (Mueller, thesis 4.4.1) */
    RILL_WALLS_MAP,     /* adds the kernel's integral over the solid to density, pressure and viscosity */
    RILL_WALLS_FIELD,   /* adds the mass of one particle at the nearest point of each wall (Bodin) */
    RILL_WALLS_SAMPLES  /* adds particles on the surface, each with the volume it represents (Akinci 2012) */
} rill_walls;

typedef enum rill_viscosity_solver {
    RILL_VISCOSITY_AUTO,     /* implicit in steps that are too long for explicit viscosity */
    RILL_VISCOSITY_EXPLICIT, /* from velocities at the start of the step, whose length is then bounded by 1/viscosity */
    RILL_VISCOSITY_IMPLICIT  /* from velocities at the end of the step, by conjugate gradients */
} rill_viscosity_solver;

typedef enum rill_bounds {
    RILL_BOUNDS_AUTO,   /* a wide box around the solids where they were added, and around those with prescribed motion
                           where they are, if all of them are finite; particles outside it are removed */
    RILL_BOUNDS_OPEN,   /* no bounds */
    RILL_BOUNDS_REMOVE, /* particles outside bounds_min to bounds_max are removed and counted in rill_stats.strayed */
    RILL_BOUNDS_STOP    /* the first particle outside is a blow-up */
} rill_bounds;

typedef enum rill_failure {
    RILL_FAILURE_STOP,  /* the first particle that runs away is a blow-up */
    RILL_FAILURE_CLAMP, /* a runaway is slowed down to max_speed; a particle that is not finite is removed */
    RILL_FAILURE_REMOVE /* a runaway is removed */
} rill_failure;

/* The defaults of a world with `dim` dimensions, 2 or 3. rill_world_create refuses a definition that does not start
   from them. The other definitions have default functions too. */
RILL_API rill_world_def rill_world_def_default(int dim);
/* Defaults for a game of 60 frames a second that must go on: method pbf, steps as long as a frame, runaway particles
   slowed down instead of a blow-up, at most 20 sweeps over contacts of bodies, events listed. Set the method's
   `substeps` to 3 as well (rill_ref_method): the automatic number is too expensive for a lively level. docs/budgets.md
   lists the costs. */
RILL_API rill_world_def rill_world_def_game(int dim);

/* ---- fluid ---- */
typedef struct rill_fluid_def {
    char name[RILL_NAME_SIZE];
    float density;         /* rho0 [kg/m^3] */
    float viscosity;       /* mu [Pa s] */
    float surface_tension; /* sigma [N/m] */
    float particle_mass;   /* [kg]; 0: rho0 dx^dim, scaled if the world's calibrate_mass is set */
    int32_t mask;          /* bits of the layers of solids and bodies with which it collides */
} rill_fluid_def;

RILL_API rill_fluid_def rill_fluid_def_default(void); /* water at 20 C */
/* Names of materials: "water", "sea_water", "oil", "honey", ... NULL past the end. */
RILL_API const char *rill_material_name(int index);
/* Fills `def` with the default and the material's name, density, viscosity and surface tension at 20 C. RILL_NOT_FOUND
   if there is no such material. */
RILL_API rill_status rill_material_find(const char *name, rill_fluid_def *def, rill_error *error);

/* ---- shapes ---- */
typedef enum rill_shape_kind {
    RILL_HALF_SPACE, /* all points p with (p - position) . normal <= 0 */
    RILL_BOX,        /* min, max; rotated about its centre */
    RILL_SPHERE,     /* a disc in 2D: position, radius */
    RILL_CAPSULE,    /* position to end, radius */
    RILL_POLYGON,  /* 2D: points of rings, wound either way. A ring ends where its first point is repeated; rings after
                      the first are holes */
    RILL_SEGMENTS, /* 2D: an open chain of points, `radius` thick to either side */
    RILL_CYLINDER, /* 3D, with flat ends: position to end, radius */
    RILL_TORUS,    /* 3D: a ring around `position`, its axis along `normal`; `radius` of its middle line, `tube` of its
                      cross-section */
    RILL_HULL,     /* the smallest convex shape around `points` */
    RILL_MESH,     /* 3D: points, three for each triangle; a scene may name a file instead */
    RILL_HEIGHTFIELD, /* the ground below points: from left to right with y up in 2D, row by row with z up in 3D */
    RILL_COMPOUND     /* all of `parts` together */
} rill_shape_kind;

struct rill_shape;
/* The shapes of a compound. The caller owns the array; a world that keeps the compound copies it. */
typedef struct rill_parts {
    const struct rill_shape *data;
    int32_t count;
} rill_parts;

/* Geometry. Points of polygons, segments, hulls, meshes and heightfields, and the parts of a compound, have coordinates
   of their own: they are scaled, rotated, and then moved to `position`. */
typedef struct rill_shape {
    int32_t kind;      /* rill_shape_kind */
    rill_vec min, max; /* box [m] */
    rill_vec position; /* centre of a sphere or torus, a point on a half-space's surface, first end of a capsule or
                          cylinder, origin of points and parts [m] */
    rill_vec end;      /* second end of a capsule or cylinder [m] */
    rill_vec normal;   /* direction out of a half-space, or along the axis of a torus; of any length */
    float radius;      /* [m] */
    float tube;        /* radius of a torus's cross-section [m] */
    float angle;       /* rotation of a box about its centre, of points and parts about `position` [rad] */
    rill_vec axis;     /* of that rotation in 3D, of any length */
    float scale;       /* factor on points and parts */
    bool inside;       /* everything outside the shape is solid: a container */
    int32_t columns;   /* points in a row of a heightfield in 3D */
    float depth;       /* depth of a heightfield's ground below its lowest point [m]; 0: a quarter of its width */
    float thickness;   /* thickness of a mesh that is a sheet and encloses nothing [m]; 0: the mesh encloses a solid */
    float cell;        /* cell of the distance field of a mesh, hull or heightfield in 3D [m]; 0: half the spacing */
    char file[RILL_FILE_SIZE]; /* mesh file, read by scenes alone; the world reads `points` */
    rill_points points;
    rill_parts parts;
} rill_shape;

RILL_API rill_shape rill_shape_default(void);

/* ---- blocks of particles ---- */
typedef enum rill_fill {
    RILL_FILL_LATTICE,
    RILL_FILL_HEXAGONAL,
    RILL_FILL_JITTERED,
    RILL_FILL_STORED /* positions of particles in an earlier run, those inside the shape */
} rill_fill;

typedef struct rill_block_def {
    rill_fluid_id fluid; /* null and no name: the first one */
    char fluid_name[RILL_NAME_SIZE];
    rill_group_id group; /* of its particles; null and no name: none */
    char group_name[RILL_NAME_SIZE];
    rill_shape shape;                /* the region that is filled */
    int32_t fill;                    /* rill_fill */
    float jitter;                    /* largest random shift in a jittered fill, in dx */
    rill_vec velocity;               /* [m/s] */
    float spin;                      /* rotation about the z axis through the shape's centre [rad/s] */
    char velocity_x[RILL_NAME_SIZE]; /* expressions in x, y and z that scenes evaluate and add [m/s]; */
    char velocity_y[RILL_NAME_SIZE]; /* the world does not read them */
    char velocity_z[RILL_NAME_SIZE];
    char frame[RILL_FILE_SIZE]; /* frame file of a stored fill, read by scenes alone; the world reads the two lists
                                   below */
    rill_points places;         /* positions of a stored fill [m] */
    rill_points velocities;     /* velocities at `places`, to which `velocity` and `spin` are added [m/s]; none: 0 */
} rill_block_def;

RILL_API rill_block_def rill_block_def_default(void);

/* ---- solids ---- */
/* Prescribed motion from `start_time` to `end_time`. With t counted from `start_time`,

     x(t) = x0 + velocity t + amplitude (sin(2 pi frequency t + phase) - sin(phase)),
     angle(t) = spin t + swing (sin(2 pi frequency t + phase) - sin(phase)) about `pivot`.

   Keyframes at `times` are added to this: `offsets`, `angles` about the axis, and in 3D `turns` (axis times angle,
   applied after the rotation about the axis). Any of these lists may be empty. Between keyframes the motion is smooth.
   Before the first and after the last one they add no motion, and the motion starts from rest; if `repeat` is set, they
   start again from the pose in which they ended. */
typedef struct rill_motion {
    rill_vec velocity;          /* [m/s] */
    rill_vec amplitude;         /* [m] */
    float frequency;            /* [1/s] */
    float phase;                /* [rad] */
    float spin;                 /* [rad/s] */
    float swing;                /* [rad] */
    rill_vec pivot;             /* [m] */
    rill_vec axis;              /* of spin and swing in 3D */
    float start_time, end_time; /* [s] */
    rill_numbers times;         /* of keyframes, counted from start_time, increasing [s] */
    rill_points offsets;        /* shift at each keyframe [m] */
    rill_numbers angles;        /* about the axis, at each keyframe [rad] */
    rill_points turns;          /* in 3D, axis times angle, at each keyframe [rad] */
    bool repeat;                /* start again after the last keyframe */
} rill_motion;

/* What happens to fluid in the place where a solid or body is added. */
typedef enum rill_displacement {
    RILL_DISPLACE_REMOVE, /* it is removed, and counted in rill_stats.left_out */
    RILL_DISPLACE_PUSH    /* it is moved on top of the fluid around it, whose level rises; particles keep their ids and
                             velocities. The solid or body is refused if there is no room. */
} rill_displacement;

typedef struct rill_solid_def {
    char name[RILL_NAME_SIZE];
    rill_shape shape;
    float friction;    /* share of the tangential velocity that a particle loses at impulse walls: 0 slips, 1 sticks */
    float restitution; /* normal velocity after an impact, as a share of that before */
    bool no_slip;      /* the fluid sticks by viscous stress at the wall instead of sliding; not for impulse walls */
    float contact_angle;       /* of the fluid's surface at map walls, measured in the fluid [rad] */
    int32_t displacement;      /* rill_displacement: what happens to fluid where the solid is added */
    rill_vec surface_velocity; /* velocity of the surface along itself, as of a conveyor or a sliding plate [m/s] */
    int32_t layer;             /* bits of its layers; a body collides with it if the body's mask has one of them */
    rill_motion motion;
    void *user_data; /* a pointer of the host; not saved, so NULL in a loaded world */
} rill_solid_def;

RILL_API rill_solid_def rill_solid_def_default(void);

/* Results of preparing a solid's shape; values that do not apply are 0. */
typedef struct rill_solid_info {
    double volume, area; /* of a mesh, hull or heightfield in 3D: enclosed volume [m^3] and surface area [m^2] */
    float cell;          /* cell of its distance field [m] */
    size_t bytes;    /* memory held for the shape: distance field, density map or samples; shared with equal shapes */
    int32_t samples; /* particles on the surface, with RILL_WALLS_SAMPLES */
    int32_t welded;  /* mesh: vertices merged into another one at the same place */
    int32_t degenerate; /* triangles of area 0, left out */
    int32_t flipped;    /* triangles turned over so that all face out */
    int32_t open_edges; /* edges with one triangle: holes, which were closed */
    int32_t patched;    /* triangles added to close them */
    int32_t buried;     /* triangles inside the solid, which do not count */
    bool closed;        /* after repair */
} rill_solid_info;

/* Where a solid or body is: p -> turn p + shift moves a point from where it was added to where it is now. */
typedef struct rill_transform {
    float turn[3][3];          /* rotation matrix */
    rill_vec shift;            /* [m] */
    rill_vec centre;           /* the point whose velocity is `velocity` [m] */
    rill_vec velocity;         /* [m/s] */
    rill_vec angular_velocity; /* [rad/s] */
} rill_transform;

/* ---- bodies ---- */
typedef enum rill_body_kind {
    RILL_BODY_DYNAMIC,   /* moved by forces, contacts, joints and the fluid */
    RILL_BODY_KINEMATIC, /* moved by its prescribed motion, or by the host if it has none; pushes others and is not
                            pushed */
    RILL_BODY_FIXED      /* stays where it is */
} rill_body_kind;

typedef struct rill_body_def {
    char name[RILL_NAME_SIZE];
    int32_t kind; /* rill_body_kind */
    rill_shape shape;
    float density;             /* [kg/m^3]; with the shape it gives mass, centre of mass and inertia */
    float mass;                /* [kg]; 0: from the density */
    rill_vec velocity;         /* of the centre of mass, at the start [m/s] */
    rill_vec angular_velocity; /* at the start [rad/s]; z in 2D */
    float friction;            /* Coulomb's coefficient; the smaller one of two bodies counts */
    float restitution;         /* speed after an impact as a share of that before; the larger one of two counts */
    bool no_slip;              /* the fluid sticks to it */
    float contact_angle;       /* of the fluid's surface at it, measured in the fluid [rad] */
    int32_t displacement;      /* rill_displacement: what happens to fluid where the body is added */
    float linear_damping;      /* rate at which the velocity decays [1/s] */
    float angular_damping;     /* rate at which the angular velocity decays [1/s] */
    int32_t layer;             /* bits of its layers */
    int32_t mask;              /* bits of the layers with which it collides */
    bool sleeps;               /* may fall asleep when it rests */
    rill_motion motion;        /* of a kinematic body */
    void *user_data;           /* a pointer of the host; not saved, so NULL in a loaded world */
} rill_body_def;

RILL_API rill_body_def rill_body_def_default(void);

/* Where a host puts a body. A quaternion of zeros means no rotation. */
typedef struct rill_pose {
    rill_vec position;   /* centre of mass [m] */
    float angle;         /* in 2D: rotation about z since the body was added [rad] */
    float quaternion[4]; /* in 3D: rotation since the body was added (x, y, z, w), of any length */
} rill_pose;

/* Where a body is and how it moves. */
typedef struct rill_body_state {
    rill_vec position;         /* centre of mass [m] */
    float angle;               /* in 2D: rotation about z since it was added [rad] */
    float quaternion[4];       /* in 3D: rotation since it was added (x, y, z, w) */
    rill_vec velocity;         /* [m/s] */
    rill_vec angular_velocity; /* [rad/s] */
    rill_vec force;            /* of the fluid, mean over the last call that stepped [N] */
    rill_vec torque;           /* of the fluid, about the centre of mass, mean over that call [N m] */
    float mass;                /* [kg] */
    rill_vec inertia;          /* moments of inertia about the world's axes through the centre of mass [kg m^2] */
    rill_vec centre;           /* centre of mass when the body was added [m] */
    bool asleep;               /* takes no part in steps until something touches or changes it */
} rill_body_state;

/* The contact of two surfaces, at least one of them a body's, during the last rill_world_step, _step_adaptive or
   _advance, however many substeps it took. */
typedef struct rill_contact {
    rill_solid_id a, b; /* the surfaces; a belongs to a body */
    rill_body_id body_a;
    rill_body_id body_b; /* null if b belongs to no body */
    bool touching;       /* at the end of the call */
    bool began, ended;   /* contact began or ended at least once in the call; a bounce sets both */
    rill_vec point;      /* mean of the contact points, weighted by their impulses, when they last touched [m] */
    rill_vec normal;     /* from b to a, weighted in the same way */
    rill_vec impulse;    /* of b on a, friction included, summed over the call [N s] */
    rill_vec force;      /* of b on a in the last substep [N]; 0 if they no longer touch */
    float pressing;      /* normal part of the impulse, summed over contact points and substeps [N s] */
    float hit_speed;     /* greatest speed of approach where the surfaces met [m/s] */
    float depth;         /* greatest overlap [m] */
} rill_contact;

/* Contact of a body with the fluid during the last rill_world_step, _step_adaptive or _advance, however many substeps
   it took. A body is wet from the moment a particle comes nearer than a spacing until no particle is within the
   kernel's support. Worlds with RILL_WALLS_IMPULSE report none. */
typedef struct rill_wetting {
    bool wet;           /* at the end of the call */
    bool entered, left; /* it came into the fluid, or left it, at least once in the call */
    int particles;      /* number of particles that touch it now */
    float splash_speed; /* greatest speed of approach where a particle met the surface [m/s] */
    rill_vec point;     /* where on the surface that was [m]; 0 if no particle met it */
    rill_vec normal;    /* out of the body there */
} rill_wetting;

/* ---- joints ---- */
typedef enum rill_joint_kind {
    RILL_JOINT_BALL,     /* the bodies share a point */
    RILL_JOINT_HINGE,    /* they share a point and an axis (z in 2D); the angle can be limited and driven */
    RILL_JOINT_SLIDER,   /* one slides along an axis of the other without rotating; travel can be limited and driven */
    RILL_JOINT_FIXED,    /* they move as one piece */
    RILL_JOINT_DISTANCE, /* two points keep their distance; with `rope`, they may come nearer */
    RILL_JOINT_SPRING,   /* spring and damper between two points */
    RILL_JOINT_GEAR      /* moves two hinges or sliders in a fixed ratio: teeth, belt, chain, rack */
} rill_joint_kind;

typedef struct rill_joint_def {
    char name[RILL_NAME_SIZE];
    int32_t kind;      /* rill_joint_kind */
    rill_body_id a, b; /* the two bodies; b null and without a name: the world */
    char a_name[RILL_NAME_SIZE];
    char b_name[RILL_NAME_SIZE];
    rill_vec anchor;                      /* point on a, in world coordinates when the joint is added [m] */
    rill_vec anchor_b;                    /* distance and spring: point on b, in world coordinates too [m] */
    rill_vec axis;                        /* of hinge (3D) and slider */
    bool limited;                         /* hinge and slider: keep the position between lower and upper */
    float lower, upper;                   /* measured from the pose when it was added [rad] or [m] */
    float limit_stiffness, limit_damping; /* of soft limits [N m/rad, N m s/rad] or [N/m, N s/m]; 0: hard limits */
    bool motor;                           /* hinge and slider */
    float motor_speed;                    /* of a relative to b [rad/s] or [m/s] */
    float motor_force;                    /* greatest torque [N m] or force [N] of the motor */
    float friction;                       /* hinge and slider: greatest torque [N m] or force [N] of dry friction */
    bool rope;                            /* distance: may go slack */
    float length;                         /* rest length of distance and spring [m]; 0: the distance of the anchors */
    float stiffness, damping;       /* of a spring, also in a hinge or slider [N/m, N s/m] or [N m/rad, N m s/rad] */
    float rest;                     /* hinge and slider: position at which its spring is slack [rad] or [m] */
    rill_joint_id joint_a, joint_b; /* gear: hinges or sliders; the gear connects their bodies a */
    char joint_a_name[RILL_NAME_SIZE];
    char joint_b_name[RILL_NAME_SIZE];
    float ratio;       /* gear: motion of joint_a per unit of motion of joint_b; negative: in the opposite direction */
    float break_force; /* load at which the joint breaks [N]; 0: never */
} rill_joint_def;

RILL_API rill_joint_def rill_joint_def_default(void);

typedef struct rill_joint_state {
    bool broken;
    float force;    /* carried by the joint [N] */
    float torque;   /* [N m] */
    float position; /* angle of a hinge [rad], travel of a slider, length of a distance or spring [m] */
    float speed;    /* rate of change of the position [rad/s] or [m/s] */
} rill_joint_state;

/* ---- emitters and sinks ---- */
typedef struct rill_emitter_def {
    char name[RILL_NAME_SIZE];
    rill_fluid_id fluid; /* null and no name: the first one */
    char fluid_name[RILL_NAME_SIZE];
    rill_body_id body; /* null and no name: the emitter stays where it is. Otherwise it is attached to the body:
                          `position` and `direction` are those at the time the body was added, `speed` is relative to
                          the body, and the body feels the recoil */
    char body_name[RILL_NAME_SIZE];
    rill_group_id group; /* of its particles; null and no name: none */
    char group_name[RILL_NAME_SIZE];
    rill_vec position;          /* centre of the nozzle [m] */
    rill_vec direction;         /* of the jet */
    int32_t nozzle;             /* rill_nozzle */
    float radius;               /* of a round nozzle; in 2D half the width of the slit [m] */
    float width, height;        /* of a rectangular nozzle in 3D [m] */
    float speed;                /* of the jet [m/s] */
    float rate;                 /* volume flow [m^3/s]; 0: all that the nozzle passes at that speed */
    float start_time, end_time; /* when it opens and closes [s] */
    int32_t limit;              /* most particles that it ever emits; 0: no limit */
} rill_emitter_def;
typedef enum rill_nozzle { RILL_NOZZLE_ROUND, RILL_NOZZLE_RECTANGLE } rill_nozzle;

RILL_API rill_emitter_def rill_emitter_def_default(void);

/* A region that removes particles whose centre is inside it. */
typedef struct rill_sink_def {
    char name[RILL_NAME_SIZE];
    rill_shape shape;
    rill_body_id body; /* null and no name: it stays where it is. Otherwise it is attached to the body, and particles
                          take the body's velocity before they are removed */
    char body_name[RILL_NAME_SIZE];
    float start_time, end_time; /* when it acts [s] */
} rill_sink_def;

RILL_API rill_sink_def rill_sink_def_default(void);

/* ---- cloth ---- */
typedef enum rill_cloth_kind {
    RILL_CLOTH_SHEET, /* a parallelogram in 3D, a line in 2D */
    RILL_CLOTH_ROPE,  /* 3D: a strip that is one particle wide */
    RILL_CLOTH_MESH   /* 3D: triangles given by the caller */
} rill_cloth_kind;

/* A cloth consists of particles that are not fluid: a membrane that stretches, bends, tears and holds water. A 2D world
   is one metre thick, so that a line of cloth has the same mass per area and the same stiffness as a sheet. */
typedef struct rill_cloth_def {
    char name[RILL_NAME_SIZE];
    int32_t kind;              /* rill_cloth_kind */
    rill_vec position;         /* corner of a sheet, start of a rope, shift of a mesh [m] */
    rill_vec edge_a, edge_b;   /* edges of a sheet from that corner; a rope, and a line in 2D, has only the first [m] */
    float width;               /* of a rope [m] */
    char file[RILL_FILE_SIZE]; /* mesh file, read by scenes alone */
    rill_points points;        /* of a mesh, three for each triangle; equal points become one particle [m] */
    float spacing;             /* distance of its particles [m]; 0: that of the fluid */
    rill_vec velocity;         /* at the start [m/s] */
    float mass;                /* per area [kg/m^2] */
    float stretch;             /* tension per strain [N/m] */
    float bend;                /* moment per width and curvature [N m] */
    float damping;             /* rate at which its velocity decays [1/s] */
    float thickness; /* distance that fluid, solids and the cloth itself keep from it [m]; 0: a tenth of its spacing */
    float friction;  /* Coulomb's coefficient on solids and bodies */
    float tear;      /* strain at which it tears; 0: never */
    float permeability;  /* Darcy's permeability, for fluid that seeps through [m^2]; 0: tight */
    rill_vec wind;       /* velocity of the air around it [m/s] */
    float drag;          /* drag coefficient in air; 0: no air */
    bool self_collision; /* it does not pass through itself */
} rill_cloth_def;

RILL_API rill_cloth_def rill_cloth_def_default(void);

/* A pin holds the particles of a cloth that are between `min` and `max` when it is added. */
typedef struct rill_pin_def {
    char name[RILL_NAME_SIZE];
    rill_cloth_id cloth; /* null and no name: the first one */
    char cloth_name[RILL_NAME_SIZE];
    rill_body_id body; /* the body that holds it; null and no name: the world, where `motion` moves it */
    char body_name[RILL_NAME_SIZE];
    rill_vec min, max; /* corners of the box [m] */
    rill_motion motion;
} rill_pin_def;

RILL_API rill_pin_def rill_pin_def_default(void);

/* ---- groups and areas: their functions are in rill/game.h ---- */
typedef enum rill_group_kind {
    RILL_GROUP_FLUID, /* flows */
    RILL_GROUP_WALL   /* rests or moves with `velocity`; no force acts on it */
} rill_group_kind;

/* A group is a set of particles that a game treats as one. New particles of a group get its colour and lifetime. */
typedef struct rill_group_def {
    char name[RILL_NAME_SIZE];
    int32_t kind;                    /* rill_group_kind */
    int32_t mask;                    /* bits of the layers with which it collides, among those of its fluids' masks */
    float red, green, blue, opacity; /* of new particles, 0 to 1; opacity 0: they get no colour */
    float lifetime;                  /* of new particles [s]; 0: for ever */
    rill_vec velocity;               /* of RILL_GROUP_WALL [m/s] */
    void *user_data;                 /* a pointer of the host; not saved, so NULL in a loaded world */
} rill_group_def;

RILL_API rill_group_def rill_group_def_default(void);

/* An area is a region that acts on the fluid in it and can list the particles that enter and leave. */
typedef struct rill_area_def {
    char name[RILL_NAME_SIZE];
    rill_shape shape;
    rill_group_id group; /* the only particles on which it acts; null and no name: all */
    char group_name[RILL_NAME_SIZE];
    rill_vec acceleration; /* added to gravity and all forces [m/s^2] */
    float pull;            /* acceleration towards `centre` [m/s^2]; negative: away from it */
    float swirl;           /* acceleration around `centre`, counter-clockwise, in 3D about z [m/s^2] */
    rill_vec centre;       /* of pull and swirl [m] */
    float drag;            /* rate at which velocities in it decay [1/s] */
    bool watch;            /* list particles that enter and leave it; only for the first RILL_AREAS_WATCHED areas */
    float start_time, end_time; /* when it acts and watches [s] */
} rill_area_def;
#define RILL_AREAS_WATCHED 32

RILL_API rill_area_def rill_area_def_default(void);

/* ---- gauges ---- */
typedef enum rill_gauge_kind {
    RILL_GAUGE_HEIGHT,   /* s of the highest point of fluid on the line position + s direction, 0 <= s <= length [m] */
    RILL_GAUGE_FRONT,    /* s up to which fluid is connected along the line, such as the front of a dam break [m] */
    RILL_GAUGE_DENSITY,  /* at position [kg/m^3] */
    RILL_GAUGE_PRESSURE, /* at position [Pa] */
    RILL_GAUGE_VELOCITY, /* at position, dim values [m/s] */
    RILL_GAUGE_KINETIC_ENERGY,   /* of the fluid [J] */
    RILL_GAUGE_POTENTIAL_ENERGY, /* of the fluid in gravity, 0 at the origin [J] */
    RILL_GAUGE_MOMENTUM,         /* of the fluid, dim values [N s] */
    RILL_GAUGE_CENTRE,           /* centre of mass of the fluid, dim values [m] */
    RILL_GAUGE_COUNT,            /* number of particles of the fluid, between `min` and `max` if in_region is set */
    RILL_GAUGE_FORCE,            /* of the fluid on a solid or body, dim values, mean over `window` [N] */
    RILL_GAUGE_BODY_POSITION,    /* centre of mass of a body, dim values [m] */
    RILL_GAUGE_BODY_VELOCITY,    /* dim values [m/s] */
    RILL_GAUGE_BODY_ANGLE, /* rotation since it was added, about z in 2D, about `axis` in 3D; whole turns are counted
                              [rad] */
    RILL_GAUGE_JOINT_LOAD, /* force that a joint carries [N] */
    RILL_GAUGE_TORQUE, /* of the fluid on a solid or body, mean over `window` [N m]: about the centre of mass of a body
                          without prescribed motion, otherwise about the moving pivot; z in 2D, three values in 3D */
    RILL_GAUGE_BODY_SPIN,      /* angular velocity of a body [rad/s]; z in 2D, three values in 3D */
    RILL_GAUGE_JOINT_TORQUE,   /* torque that a joint carries [N m] */
    RILL_GAUGE_JOINT_POSITION, /* angle of a hinge [rad]; travel of a slider, length of a distance or spring [m] */
    RILL_GAUGE_JOINT_SPEED,    /* rate of change of that position [rad/s] or [m/s] */
    RILL_GAUGE_PIN_FORCE,      /* of a cloth on a pin, dim values, mean over `window` [N] */
    RILL_GAUGE_CLOTH_AREA,     /* [m^2] */
    RILL_GAUGE_CLOTH_STRAIN,   /* largest strain in a cloth */
    RILL_GAUGE_CLOTH_ENERGY,   /* kinetic, potential (0 at the origin) and elastic energy of a cloth [J] */
    RILL_GAUGE_CLOTH_MOMENTUM, /* of a cloth, dim values [N s] */
    RILL_GAUGE_CLOTH_CENTRE,   /* centre of mass of a cloth, dim values [m] */
    RILL_GAUGE_CLOTH_LOWEST    /* depth of the lowest particle of a cloth below the origin, along gravity [m] */
} rill_gauge_kind;

typedef struct rill_gauge_def {
    char name[RILL_NAME_SIZE];
    int32_t kind;        /* rill_gauge_kind */
    rill_fluid_id fluid; /* null and no name: all fluids */
    rill_solid_id solid; /* for force and torque: a solid, or a body's surface by the body's name */
    rill_body_id body;   /* for gauges of bodies; for force and torque in place of a solid */
    rill_joint_id joint; /* for gauges of joints */
    rill_cloth_id cloth; /* for gauges of cloths */
    rill_pin_id pin;     /* for pin_force */
    char fluid_name[RILL_NAME_SIZE];
    char solid_name[RILL_NAME_SIZE];
    char body_name[RILL_NAME_SIZE];
    char joint_name[RILL_NAME_SIZE];
    char cloth_name[RILL_NAME_SIZE];
    char pin_name[RILL_NAME_SIZE];
    rill_vec position;  /* the point, or the start of a line [m] */
    rill_vec direction; /* of a line, of any length */
    float length;       /* of a line [m] */
    bool in_region;     /* count: only particles between `min` and `max` */
    rill_vec min, max;  /* corners of that region [m] */
    float window;       /* forces and torques: time over which the mean is taken [s]; 0: the last step */
    rill_vec axis;      /* of body_angle in 3D, of any length */
} rill_gauge_def;

RILL_API rill_gauge_def rill_gauge_def_default(void);

/* ---- queries ---- */

/* Which objects a query considers. */
typedef struct rill_filter {
    bool solids, bodies; /* solids that belong to no body; bodies that have a layer in `mask` */
    int32_t mask;        /* bits of layers */
} rill_filter;

RILL_API rill_filter rill_filter_default(void); /* all solids and bodies */

/* One result of a query. */
typedef struct rill_hit {
    rill_solid_id solid; /* the solid that was found */
    rill_body_id body;   /* the body whose surface it is; null: none */
    rill_vec point;      /* the point of the query, or one that it found on or in the solid [m] */
    rill_vec normal;     /* out of the solid there, of unit length */
    float distance;      /* ray: from its origin; others: to the surface, negative inside [m] */
} rill_hit;

/* ---- tables behind the definitions ---- */
typedef enum rill_object {
    RILL_OBJECT_METHOD = -1, /* in a rill_ref: the method that moves the fluid; its table is in rill_method_info */
    RILL_OBJECT_WORLD,
    RILL_OBJECT_FLUID,
    RILL_OBJECT_SHAPE,
    RILL_OBJECT_BLOCK, /* without its shape's rows */
    RILL_OBJECT_SOLID, /* without its shape's and motion's rows */
    RILL_OBJECT_MOTION,
    RILL_OBJECT_EMITTER,
    RILL_OBJECT_SINK, /* without its shape's rows */
    RILL_OBJECT_GAUGE,
    RILL_OBJECT_BODY, /* without its shape's and motion's rows */
    RILL_OBJECT_JOINT,
    RILL_OBJECT_CLOTH,
    RILL_OBJECT_PIN, /* without its motion's rows */
    RILL_OBJECT_GROUP,
    RILL_OBJECT_AREA, /* without its shape's rows */
    RILL_OBJECT_COUNT
} rill_object;

/* The table of a kind of object; NULL for RILL_OBJECT_METHOD. Static data. */
RILL_API const rill_table *rill_object_table(rill_object object);

/* Names the owner of a parameter: the world, its method, or the object behind a handle. */
typedef struct rill_ref {
    int32_t object; /* rill_object */
    uint32_t index1, age;
} rill_ref;

static inline rill_ref rill_ref_world(void) {
    const rill_ref ref = {RILL_OBJECT_WORLD, 0, 0};
    return ref;
}
static inline rill_ref rill_ref_method(void) {
    const rill_ref ref = {RILL_OBJECT_METHOD, 0, 0};
    return ref;
}
static inline rill_ref rill_ref_fluid(rill_fluid_id id) {
    const rill_ref ref = {RILL_OBJECT_FLUID, id.index1, id.age};
    return ref;
}
static inline rill_ref rill_ref_solid(rill_solid_id id) {
    const rill_ref ref = {RILL_OBJECT_SOLID, id.index1, id.age};
    return ref;
}
static inline rill_ref rill_ref_emitter(rill_emitter_id id) {
    const rill_ref ref = {RILL_OBJECT_EMITTER, id.index1, id.age};
    return ref;
}
static inline rill_ref rill_ref_sink(rill_sink_id id) {
    const rill_ref ref = {RILL_OBJECT_SINK, id.index1, id.age};
    return ref;
}
static inline rill_ref rill_ref_gauge(rill_gauge_id id) {
    const rill_ref ref = {RILL_OBJECT_GAUGE, id.index1, id.age};
    return ref;
}
static inline rill_ref rill_ref_body(rill_body_id id) {
    const rill_ref ref = {RILL_OBJECT_BODY, id.index1, id.age};
    return ref;
}
static inline rill_ref rill_ref_joint(rill_joint_id id) {
    const rill_ref ref = {RILL_OBJECT_JOINT, id.index1, id.age};
    return ref;
}
static inline rill_ref rill_ref_cloth(rill_cloth_id id) {
    const rill_ref ref = {RILL_OBJECT_CLOTH, id.index1, id.age};
    return ref;
}
static inline rill_ref rill_ref_pin(rill_pin_id id) {
    const rill_ref ref = {RILL_OBJECT_PIN, id.index1, id.age};
    return ref;
}
static inline rill_ref rill_ref_group(rill_group_id id) {
    const rill_ref ref = {RILL_OBJECT_GROUP, id.index1, id.age};
    return ref;
}
static inline rill_ref rill_ref_area(rill_area_id id) {
    const rill_ref ref = {RILL_OBJECT_AREA, id.index1, id.age};
    return ref;
}

/* ---- methods ---- */

/* Strengths of a method, as bits; docs/which_method.md has the experiments behind them. */
typedef enum rill_strength {
    RILL_STRENGTH_SPEED = 1,     /* many frames a second */
    RILL_STRENGTH_ACCURACY = 2,  /* correct volume and pressure, little damping */
    RILL_STRENGTH_MACHINES = 4,  /* bodies with joints and motors */
    RILL_STRENGTH_ELASTICITY = 8 /* fluid that keeps its shape */
} rill_strength;

typedef struct rill_method_info {
    const char *name;     /* "wcsph" */
    const char *title;    /* "Weakly compressible SPH" */
    const char *citation; /* the paper */
    const char *about;    /* one or two sentences */
    const char *best_for; /* a few words, or NULL */
    int32_t strengths;    /* bits of rill_strength */
    const rill_table *table;
    /* Rows that the method adds to every fluid, and to every solid and body; NULL: none. None of them is a list. */
    const rill_table *fluid_table;
    const rill_table *solid_table;
} rill_method_info;

/* The methods of this build: their number, the one at `index` (NULL past the end), and the one of this name (NULL if
   there is none). Static data. */
RILL_API int rill_method_count(void);
RILL_API const rill_method_info *rill_method(int index);
RILL_API const rill_method_info *rill_method_find(const char *name);
/* The name of the method most similar to a misspelt one, or NULL if none is. Static text. */
RILL_API const char *rill_method_nearest(const char *name);

/* ---- particle fields ---- */
typedef enum rill_scalar { RILL_SCALAR_FLOAT, RILL_SCALAR_UINT32, RILL_SCALAR_INT32, RILL_SCALAR_UINT64 } rill_scalar;

/* Bytes of one scalar. */
static inline size_t rill_scalar_size(rill_scalar scalar) {
    return scalar == RILL_SCALAR_UINT64 ? 8 : 4;
}

/* First number of a cloth in the field `fluid`: particles of the cloth in slot k have RILL_PHASE_CLOTH + k there. */
#define RILL_PHASE_CLOTH 64u

/* A particle array as it lies in memory. The world owns the data; they are valid until the next call that changes
   it. */
typedef struct rill_view {
    const char *name; /* "position", "velocity", "density", "pressure", "id", "fluid" (index1 - 1 of the fluid's handle,
                         or RILL_PHASE_CLOTH and above for particles of a cloth), ... */
    const char *unit; /* SI symbol */
    const char *doc;  /* what the field means */
    rill_scalar scalar;
    int components; /* of each particle: 1, dim or 4 */
    int stride;     /* from one particle to the next, in scalars */
    int count;      /* number of particles */
    const void *data;
} rill_view;

/* ---- statistics of the last step ---- */
typedef enum rill_phase {
    RILL_PHASE_SOURCES,    /* emitters, sinks, moving solids */
    RILL_PHASE_SORT,       /* sorting particles by grid cell */
    RILL_PHASE_NEIGHBOURS, /* lists of neighbours */
    RILL_PHASE_BOUNDARY,   /* contacts with solids, water in the seams under bodies */
    RILL_PHASE_SOLVE,      /* the method */
    RILL_PHASE_MOVE,       /* integration and collision */
    RILL_PHASE_BODIES,     /* contacts, joints and motion of bodies */
    RILL_PHASE_CHECK,      /* statistics and blow-up detection */
    RILL_PHASE_COUNT
} rill_phase;

/* The name of a phase, such as "sort". Static text. */
RILL_API const char *rill_phase_name(rill_phase phase);

/* Iterations of a step whose residuals are kept. */
#define RILL_RESIDUALS_MAX 256

typedef struct rill_stats {
    int64_t step;    /* number of steps so far */
    double time;     /* simulated time of the state [s] */
    double lead;     /* how far the state is ahead of the host's clock after rill_world_advance [s] */
    double dt;       /* length of the last step [s] */
    double dt_bound; /* longest step that the method considers stable now [s] */
    int substeps;    /* number of substeps of the last step */
    int particles;   /* number of particles */
    int iterations;  /* of the solver in the last step or its last substep */
    double residual; /* of the solver's equations after the last iteration; the method's page defines it */
    double residual_density, residual_walls, residual_contacts, residual_joints; /* its parts; their squares add up */
    int body_iterations; /* sweeps of the bodies' solver in the last step */
    int body_contacts;   /* contact points between bodies and solids */
    int bodies_asleep;
    double joint_gap;          /* widest gap of a joint after the last step [m] */
    double density_error_mean; /* density above rest density, relative to it: mean over fluid particles */
    double density_error_max;  /* and maximum */
    double neighbours_mean;    /* neighbours of a fluid particle */
    int neighbours_max;
    double max_speed;                        /* of the particles [m/s] */
    double kinetic_energy, potential_energy; /* of the particles [J]; of the blocks before the first step */
    double energy_gain;               /* kinetic energy that came from no source, as a share of the energy in play */
    double energy_time;               /* when that first exceeded a tenth [s]; 0: never */
    rill_vec energy_place;            /* the fastest particle at that time [m] */
    int64_t emitted, removed;         /* particles since the world began */
    int64_t strayed;                  /* particles removed because they left the world's bounds */
    int64_t expired;                  /* particles removed at the end of their life, or as the oldest of too many */
    int64_t runaways;                 /* particles slowed down or removed because they ran away (rill_failure) */
    int64_t left_out;                 /* particles not added, or removed, because a solid is in their place */
    size_t bytes;                     /* memory that the world holds */
    double seconds[RILL_PHASE_COUNT]; /* elapsed time of each phase in the last step [s] */
    double seconds_total[RILL_PHASE_COUNT]; /* and since the world began [s] */
    float residuals[RILL_RESIDUALS_MAX];    /* after each iteration of the last step, for methods that solve a system */
} rill_stats;

#endif

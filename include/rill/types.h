/* SPDX-License-Identifier: MIT */
/* Every definition struct with its default function. Fill one with its default, change what you need, hand it to
   the world: the world copies it. All quantities are SI; a 2D world is a plane one metre thick, so that density
   stays kg/m^3 and forces stay newtons. */
#ifndef RILL_TYPES_H
#define RILL_TYPES_H

#include "rill/param.h"

/* Handles: by value, zero is null, checked for age. The age tells an object from later ones in the same place, so that
   the handle of a removed object stays invalid. Snapshots keep them: they are good in the loaded world too. */
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

/* Particle ids are never used twice in a world and survive sorting. */
typedef uint64_t rill_particle_id;
#define RILL_NO_PARTICLE UINT64_MAX

typedef enum rill_simd {
    RILL_SIMD_AUTO,
    RILL_SIMD_SCALAR,
    RILL_SIMD_SSE,
    RILL_SIMD_AVX2,
    RILL_SIMD_NEON,
    RILL_SIMD_WASM /* SIMD128 of WebAssembly; there is no scalar width beside it */
} rill_simd;

/* Definitions refer to other objects by handle (`fluid`), or by name (`fluid_name`, the way of scenes): the name counts
   where the handle is null, and both together must mean the same object. A definition that a world keeps has both. */

/* ---- world ---- */
typedef struct rill_world_def {
    int32_t dim;                 /* 2 or 3 */
    char method[RILL_NAME_SIZE]; /* "wcsph", "muller", ...: see rill_method_count */
    float spacing;               /* dx [m] */
    int32_t quality;             /* rill_quality: kernel and support of the fluid, unless they are set */
    float support_ratio;         /* h / dx; 0: that of the quality */
    float scp;                   /* self-contribution from which h is chosen instead (thesis 3.42); 0: off */
    rill_vec gravity;            /* [m/s^2] */
    rill_vec periodic;           /* period along each axis [m], 0: open */
    rill_vec periodic_origin;    /* lower corner of the periodic box [m] */
    rill_vec origin;             /* in the coordinates of the scene or host: all places of the world are measured from
                                    it [m] */
    int32_t walls;               /* rill_walls: how solids act on the fluid */
    int32_t viscosity_solver;    /* rill_viscosity_solver */
    float wall_distance;         /* closest a particle centre comes to a wall, in dx; 0: automatic */
    bool calibrate_mass;         /* scale masses so that a rest lattice has exactly rho0 */
    float cfl;                   /* share of the stability bounds that an adaptive step uses */
    float dt_max;                /* longest adaptive step [s] */
    float max_speed;             /* faster than this is a blow-up [m/s]; 0: chosen from the scene */
    int32_t bounds;              /* rill_bounds: the fate of particles that leave the world */
    rill_vec bounds_min;         /* for RILL_BOUNDS_REMOVE and RILL_BOUNDS_STOP [m] */
    rill_vec bounds_max;
    float speed_clamp;        /* particles are slowed down to this [m/s]; 0: off */
    int32_t failure;          /* rill_failure: the fate of particles that run away */
    int32_t particle_limit;   /* most particles; beyond that the oldest go; 0: no limit */
    float colour_diffusivity; /* of the particles' colours [m^2/s] */
    bool events;              /* list what was removed and what changed (rill/game.h) */
    float sleep_speed;        /* a body slower than this is at rest [m/s] */
    float sleep_time;         /* a body that is at rest for this time falls asleep [s]; 0: never */
    int32_t body_sweeps;      /* most sweeps over contacts and joints in a substep */
    int32_t workers;          /* threads; 0: all cores */
    int32_t simd;             /* rill_simd */
    int32_t seed;             /* of jittered fills */
    /* Not in the table: host hooks; zero means built-in. */
    rill_allocator allocator;
    rill_tasks tasks;
    rill_cache cache;
    uint32_t cookie; /* set by rill_world_def_default */
} rill_world_def;

typedef enum rill_quality {
    RILL_QUALITY_FAST,    /* cubic spline of 2 dx: a packing at rest resists a little shear, as wet sand does */
    RILL_QUALITY_ACCURATE /* quintic spline of 2.8 dx: a packing flows under any shear */
} rill_quality;

typedef enum rill_walls {
    RILL_WALLS_IMPULSE, /* impulse and projection only (Mueller, thesis 4.4.1) */
    RILL_WALLS_MAP,     /* also the kernel's integral over the solid in density, pressure and viscosity */
    RILL_WALLS_FIELD,   /* also one particle's mass at the nearest point of each wall (Bodin) */
    RILL_WALLS_SAMPLES  /* also particles on the surface, with the volumes that they represent (Akinci 2012) */
} rill_walls;

typedef enum rill_viscosity_solver {
    RILL_VISCOSITY_AUTO,     /* implicit in steps that explicit viscosity could not take */
    RILL_VISCOSITY_EXPLICIT, /* forces of the step's start: bounds the step by 1/viscosity */
    RILL_VISCOSITY_IMPLICIT  /* velocities of the step's end, by conjugate gradients */
} rill_viscosity_solver;

typedef enum rill_bounds {
    RILL_BOUNDS_AUTO,   /* a wide box around the solids, if all of them are finite; particles outside are removed */
    RILL_BOUNDS_OPEN,   /* no bounds */
    RILL_BOUNDS_REMOVE, /* particles outside bounds_min to bounds_max are removed, and counted as strayed */
    RILL_BOUNDS_STOP    /* the first particle outside is a blow-up */
} rill_bounds;

typedef enum rill_failure {
    RILL_FAILURE_STOP,  /* the first particle that runs away is a blow-up */
    RILL_FAILURE_CLAMP, /* a runaway is slowed down to max_speed; a particle that is not finite is removed */
    RILL_FAILURE_REMOVE /* a runaway is removed */
} rill_failure;

RILL_API rill_world_def rill_world_def_default(int dim);
/* Defaults for a loop of 60 frames a second that must not stop: method pbf, steps of a frame's length, contained
   failures, 20 sweeps over contacts of bodies, events. Set the method's `substeps` to 3 as well (rill_ref_method): the
   automatic number is too expensive for a lively level. docs/budgets.md lists the costs. */
RILL_API rill_world_def rill_world_def_game(int dim);

/* ---- fluid ---- */
typedef struct rill_fluid_def {
    char name[RILL_NAME_SIZE];
    float density;         /* rho0 [kg/m^3] */
    float viscosity;       /* mu [Pa s] */
    float surface_tension; /* sigma [N/m] */
    float particle_mass;   /* [kg]; 0: rho0 dx^dim (calibrated if the world says so) */
    int32_t mask;          /* bits: which layers of solids and bodies it collides with */
} rill_fluid_def;

RILL_API rill_fluid_def rill_fluid_def_default(void); /* water at 20 C */
/* Named materials: water, sea_water, oil, honey, ... NULL past the end. */
RILL_API const char *rill_material_name(int index);
RILL_API rill_status rill_material_find(const char *name, rill_fluid_def *def, rill_error *error);

/* ---- shapes ---- */
typedef enum rill_shape_kind {
    RILL_HALF_SPACE,  /* all points p with (p - position) . normal <= 0 */
    RILL_BOX,         /* min, max, turned about its centre */
    RILL_SPHERE,      /* a disc in 2D: position, radius */
    RILL_CAPSULE,     /* position to end, radius */
    RILL_POLYGON,     /* 2D, either winding: points; a ring ends where its first point is repeated, others are holes */
    RILL_SEGMENTS,    /* 2D, open chain of points, `radius` to either side */
    RILL_CYLINDER,    /* 3D, flat ends: position to end, radius */
    RILL_TORUS,       /* 3D, a ring about `position` across `normal`: radius of its middle line, `tube` of the ring */
    RILL_HULL,        /* the smallest convex shape around `points` */
    RILL_MESH,        /* 3D: points, three for each triangle, or a file that a scene names */
    RILL_HEIGHTFIELD, /* ground under points: from left to right, y up (2D), or row by row, z up (3D) */
    RILL_COMPOUND     /* all of `parts` together */
} rill_shape_kind;

struct rill_shape;
/* The shapes that a compound is made of; the library copies them wherever it keeps them. */
typedef struct rill_parts {
    const struct rill_shape *data;
    int32_t count;
} rill_parts;

/* Points of polygons, segments, hulls, meshes and heightfields, and a compound's parts, lie in a frame of their own:
   they are scaled, turned, and then moved to `position`. */
typedef struct rill_shape {
    int32_t kind;      /* rill_shape_kind */
    rill_vec min, max; /* box [m] */
    rill_vec position; /* centre of a sphere or torus, point of a half-space, first end of a capsule or cylinder, origin
                          of the frame of points and parts [m] */
    rill_vec end;      /* second end of a capsule or cylinder [m] */
    rill_vec normal;   /* out of a half-space, along the axis of a torus; of any length */
    float radius;      /* [m] */
    float tube;        /* of a torus [m] */
    float angle;       /* turn of a box about its centre, of points and parts about `position` [rad] */
    rill_vec axis;     /* of the turn, in 3D */
    float scale;       /* of points and parts */
    bool inside;       /* the solid is everything outside the shape: a container */
    int32_t columns;   /* heightfield in 3D */
    float depth;       /* of a heightfield's ground below its lowest point [m]; 0: a quarter of its width */
    float thickness;   /* of a mesh that is a sheet and encloses nothing [m]; 0: it encloses a solid */
    float cell;        /* of the distance field of a mesh, hull or heightfield in 3D [m]; 0: half the spacing */
    char file[RILL_FILE_SIZE]; /* of a mesh, read by scenes; the library itself reads `points` */
    rill_points points;
    rill_parts parts;
} rill_shape;

RILL_API rill_shape rill_shape_default(void);

/* ---- blocks of particles ---- */
typedef enum rill_fill {
    RILL_FILL_LATTICE,
    RILL_FILL_HEXAGONAL,
    RILL_FILL_JITTERED,
    RILL_FILL_STORED /* places of an earlier run that lie in the shape */
} rill_fill;

typedef struct rill_block_def {
    rill_fluid_id fluid; /* null and no name: the first one */
    char fluid_name[RILL_NAME_SIZE];
    rill_group_id group; /* of its particles; null and no name: none */
    char group_name[RILL_NAME_SIZE];
    rill_shape shape;
    int32_t fill;                    /* rill_fill */
    float jitter;                    /* of a jittered fill, in dx */
    rill_vec velocity;               /* [m/s] */
    float spin;                      /* about the shape's centre (z axis) [rad/s] */
    char velocity_x[RILL_NAME_SIZE]; /* expressions of x, y and z that a scene adds [m/s]; the library */
    char velocity_y[RILL_NAME_SIZE]; /* itself does not read them */
    char velocity_z[RILL_NAME_SIZE];
    char frame[RILL_FILE_SIZE]; /* of a stored fill, read by scenes; the library itself reads the two lists */
    rill_points places;         /* of a stored fill [m] */
    rill_points velocities;     /* at these places, without `velocity` and `spin` [m/s]; none: at rest */
} rill_block_def;

RILL_API rill_block_def rill_block_def_default(void);

/* ---- solids ---- */
/* Prescribed motion after `start_time` and until `end_time`: x(t) = x0 + velocity t + amplitude sin(2 pi frequency
   t + phase) - amplitude sin(phase), turned about `pivot` by spin t + swing sin(2 pi frequency t + phase)
   - swing sin(phase); t counts from start_time. Keyframes at `times` are added: `offsets`, `angles` about the axis, and
   in 3D `turns` (axis times angle, after the turn about the axis). Any of the lists may be empty. Between keys the
   motion is smooth; before the first and after the last it rests, or it repeats, and each round begins where the one
   before it ended. */
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
    rill_numbers times;         /* of keyframes, after start_time, rising [s] */
    rill_points offsets;        /* at each of them [m] */
    rill_numbers angles;        /* [rad] */
    rill_points turns;          /* in 3D, axis times angle [rad] */
    bool repeat;                /* begin again after the last key */
} rill_motion;

/* The fate of fluid in the place where a solid or body is added. */
typedef enum rill_displacement {
    RILL_DISPLACE_REMOVE, /* it is taken out, and counted in rill_stats.left_out */
    RILL_DISPLACE_PUSH    /* every particle stays, with its id and velocity: it is put on top of the fluid around it,
                             whose level rises. Refused if there is no room. */
} rill_displacement;

typedef struct rill_solid_def {
    char name[RILL_NAME_SIZE];
    rill_shape shape;
    float friction;    /* share of the tangential velocity removed at contact with impulse walls, 0 slip .. 1 no slip */
    float restitution; /* share of the normal velocity given back */
    bool no_slip;      /* map walls: the fluid sticks (viscous stress at the wall) instead of sliding */
    float contact_angle;       /* of the fluid's surface at map walls, measured in the fluid [rad] */
    int32_t displacement;      /* rill_displacement: of fluid that is where the solid is added */
    rill_vec surface_velocity; /* of the surface along itself, like a conveyor or a sliding plate [m/s] */
    int32_t layer;             /* bits: which layers it is in; a body collides with it if its mask has one of them */
    rill_motion motion;
    void *user_data; /* the host's; not saved: NULL in a world that was loaded */
} rill_solid_def;

RILL_API rill_solid_def rill_solid_def_default(void);

/* Results of preparing a solid's shape; zeros where they do not apply. */
typedef struct rill_solid_info {
    double volume, area; /* enclosed by a mesh, hull or heightfield in 3D [m^3], and of its surface [m^2] */
    float cell;          /* of its distance field [m] */
    size_t bytes;        /* held for the shape: field, density map or samples; shared with equal shapes */
    int32_t samples;     /* with walls 'samples' */
    int32_t welded;      /* mesh: vertices that lay on another one */
    int32_t degenerate;  /* triangles without area, left out */
    int32_t flipped;     /* triangles turned over so that all face out */
    int32_t open_edges;  /* edges with one triangle: holes, which were closed */
    int32_t patched;     /* triangles added to close them */
    int32_t buried;      /* triangles inside the solid, which do not count */
    bool closed;         /* after repair */
} rill_solid_info;

/* Where a solid or body is: p -> turn p + shift brings a point from where it was added. */
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
    RILL_BODY_KINEMATIC, /* moved by its prescribed motion, or by the host if it has none; pushes others */
    RILL_BODY_FIXED      /* stays where it is */
} rill_body_kind;

typedef struct rill_body_def {
    char name[RILL_NAME_SIZE];
    int32_t kind; /* rill_body_kind */
    rill_shape shape;
    float density;             /* [kg/m^3]; mass, centre and inertia follow from it and the shape */
    float mass;                /* [kg]; 0: from the density */
    rill_vec velocity;         /* of the centre of mass [m/s] */
    rill_vec angular_velocity; /* [rad/s]; z in 2D */
    float friction;            /* Coulomb's coefficient; of two bodies the smaller counts */
    float restitution;         /* share of the approach speed given back; the larger of two counts */
    bool no_slip;              /* the fluid sticks to it */
    float contact_angle;       /* of the fluid's surface at it, measured in the fluid [rad] */
    int32_t displacement;      /* rill_displacement: of fluid that is where the body is added */
    float linear_damping;      /* [1/s] */
    float angular_damping;     /* [1/s] */
    int32_t layer;             /* bits: which layers it is in */
    int32_t mask;              /* bits: which layers it collides with */
    bool sleeps;               /* may fall asleep when it rests */
    rill_motion motion;        /* of a kinematic body */
    void *user_data;           /* the host's; not saved: NULL in a world that was loaded */
} rill_body_def;

RILL_API rill_body_def rill_body_def_default(void);

/* Where a host puts a body. A quaternion of zeros is no turn. */
typedef struct rill_pose {
    rill_vec position;   /* centre of mass [m] */
    float angle;         /* in 2D: turn about z since the body was added [rad] */
    float quaternion[4]; /* in 3D: turn since the body was added, of any length (x, y, z, w) */
} rill_pose;

/* Where a body is and how it moves. */
typedef struct rill_body_state {
    rill_vec position;         /* centre of mass [m] */
    float angle;               /* 2D, about z [rad] */
    float quaternion[4];       /* x, y, z, w */
    rill_vec velocity;         /* [m/s] */
    rill_vec angular_velocity; /* [rad/s] */
    rill_vec force;            /* of the fluid, mean over the last call that stepped [N] */
    rill_vec torque;           /* of that force about the centre of mass [N m] */
    float mass;                /* [kg] */
    rill_vec inertia;          /* diagonal, about the centre, in the world's axes [kg m^2] */
    rill_vec centre;           /* of mass as the body was added: its frame's origin [m] */
    bool asleep;               /* takes no part in steps until something touches it or changes */
} rill_body_state;

/* Events between two surfaces, at least one of them a body's, in the last rill_world_step, _step_adaptive or
   _advance, however many substeps it took. */
typedef struct rill_contact {
    rill_solid_id a, b; /* surfaces; a is a body's */
    rill_body_id body_a;
    rill_body_id body_b; /* null if b is a solid of its own */
    bool touching;       /* at the end of the call */
    bool began, ended;   /* at least once in the call; a bounce does both */
    rill_vec point;      /* mean of the points of contact, by how hard they press, when they last touched [m] */
    rill_vec normal;     /* from b to a, the mean in the same way */
    rill_vec impulse;    /* of b on a, friction included, summed over the call [N s] */
    rill_vec force;      /* of b on a in the last substep [N]; 0 if they no longer touch */
    float pressing;      /* normal part of the impulse, summed over points and call [N s] */
    float hit_speed;     /* fastest that the surfaces approached each other where they met [m/s] */
    float depth;         /* deepest overlap [m] */
} rill_contact;

/* Events between a body and the fluid in the last rill_world_step, _step_adaptive or _advance, however many
   substeps it took. A body is wet from the moment a particle touches it (nearer than a spacing) until none is within
   the kernel's reach. A world with impulse walls alone reports none. */
typedef struct rill_wetting {
    bool wet;           /* at the end of the call */
    bool entered, left; /* it came into the fluid, or out of it, at least once in the call */
    int particles;      /* that touch it now */
    float splash_speed; /* fastest that a particle and the surface approached each other where they met [m/s] */
    rill_vec point;     /* of the surface where they met at that speed [m]; 0 if none did */
    rill_vec normal;    /* out of the body there */
} rill_wetting;

/* ---- joints ---- */
typedef enum rill_joint_kind {
    RILL_JOINT_BALL,     /* shares a point */
    RILL_JOINT_HINGE,    /* shares a point and an axis (z in 2D); angle can be limited and driven */
    RILL_JOINT_SLIDER,   /* slides along an axis without turning; travel can be limited and driven */
    RILL_JOINT_FIXED,    /* as one piece */
    RILL_JOINT_DISTANCE, /* keeps the distance of two points; `rope` only bounds it from above */
    RILL_JOINT_SPRING,   /* spring and damper between two points */
    RILL_JOINT_GEAR      /* moves two hinges or sliders in a fixed ratio: teeth, belt, chain, rack */
} rill_joint_kind;

typedef struct rill_joint_def {
    char name[RILL_NAME_SIZE];
    int32_t kind;      /* rill_joint_kind */
    rill_body_id a, b; /* bodies; b null and without a name: the world */
    char a_name[RILL_NAME_SIZE];
    char b_name[RILL_NAME_SIZE];
    rill_vec anchor;                      /* on a, where it is when the joint is made [m] */
    rill_vec anchor_b;                    /* on b, for distance and spring [m] */
    rill_vec axis;                        /* of hinge (3D) and slider */
    bool limited;                         /* hinge and slider: keep between lower and upper */
    float lower, upper;                   /* [rad] or [m], from how it was made */
    float limit_stiffness, limit_damping; /* of the limits [N m/rad] or [N/m], and per speed; 0: hard */
    bool motor;                           /* hinge and slider */
    float motor_speed;                    /* of a against b [rad/s] or [m/s] */
    float motor_force;                    /* most torque or force [N m] or [N] */
    float friction;                       /* hinge and slider: dry friction, most torque or force [N m] or [N] */
    bool rope;                            /* distance: may go slack */
    float length;                         /* distance and spring at rest [m]; 0: as it was made */
    float stiffness, damping;             /* spring, hinge and slider [N/m] or [N m/rad], and per speed */
    float rest;                           /* hinge and slider: where the spring is slack [rad] or [m] */
    rill_joint_id joint_a, joint_b;       /* gear: hinges or sliders; its bodies are their first ones */
    char joint_a_name[RILL_NAME_SIZE];
    char joint_b_name[RILL_NAME_SIZE];
    float ratio;       /* gear: motion of joint_a for each unit of joint_b's; negative: the other way round */
    float break_force; /* [N]; 0: never breaks */
} rill_joint_def;

RILL_API rill_joint_def rill_joint_def_default(void);

typedef struct rill_joint_state {
    bool broken;
    float force;    /* carried by the joint [N] */
    float torque;   /* [N m] */
    float position; /* angle of a hinge [rad], travel of a slider, length of a distance or spring [m] */
    float speed;    /* its rate */
} rill_joint_state;

/* ---- emitters and sinks ---- */
typedef struct rill_emitter_def {
    char name[RILL_NAME_SIZE];
    rill_fluid_id fluid; /* null and no name: the first one */
    char fluid_name[RILL_NAME_SIZE];
    rill_body_id
        body; /* null and no name: the emitter stays where it is. Otherwise it rides on the body: its place is
                 given for the body as it was added, its speed is relative to the body, which feels the recoil */
    char body_name[RILL_NAME_SIZE];
    rill_group_id group; /* of its particles; null and no name: none */
    char group_name[RILL_NAME_SIZE];
    rill_vec position;          /* centre of the nozzle [m] */
    rill_vec direction;         /* of the jet */
    int32_t nozzle;             /* rill_nozzle */
    float radius;               /* round nozzle; half the slit in 2D [m] */
    float width, height;        /* rectangular nozzle in 3D [m] */
    float speed;                /* [m/s] */
    float rate;                 /* [m^3/s]; 0: as much as the nozzle passes at that speed */
    float start_time, end_time; /* [s] */
    int32_t limit;              /* most particles it ever emits; 0: no limit */
} rill_emitter_def;
typedef enum rill_nozzle { RILL_NOZZLE_ROUND, RILL_NOZZLE_RECTANGLE } rill_nozzle;

RILL_API rill_emitter_def rill_emitter_def_default(void);

/* Particles whose centre is inside the shape are removed, and counted. */
typedef struct rill_sink_def {
    char name[RILL_NAME_SIZE];
    rill_shape shape;
    rill_body_id body; /* as of an emitter; particles take the body's velocity before they are removed */
    char body_name[RILL_NAME_SIZE];
    float start_time, end_time; /* [s] */
} rill_sink_def;

RILL_API rill_sink_def rill_sink_def_default(void);

/* ---- cloth ---- */
typedef enum rill_cloth_kind {
    RILL_CLOTH_SHEET, /* a parallelogram in 3D, a line in 2D */
    RILL_CLOTH_ROPE,  /* 3D: a strip that is one particle wide */
    RILL_CLOTH_MESH   /* 3D: triangles of the caller */
} rill_cloth_kind;

/* Particles that are not fluid: a membrane that stretches, bends, tears and holds water. A 2D world is one metre thick,
   so that a line of cloth has the same mass per area and the same stiffness as a sheet. */
typedef struct rill_cloth_def {
    char name[RILL_NAME_SIZE];
    int32_t kind;              /* rill_cloth_kind */
    rill_vec position;         /* corner of a sheet, beginning of a rope, shift of a mesh [m] */
    rill_vec edge_a, edge_b;   /* edges of a sheet from there; a rope, and a line in 2D, has the first alone [m] */
    float width;               /* of a rope [m] */
    char file[RILL_FILE_SIZE]; /* of a mesh; only scenes read it */
    rill_points points;        /* of a mesh, three for each triangle; equal points are one particle [m] */
    float spacing;             /* of its particles [m]; 0: that of the fluid */
    rill_vec velocity;         /* at the start [m/s] */
    float mass;                /* per area [kg/m^2] */
    float stretch;             /* tension per strain [N/m] */
    float bend;                /* moment per width and curvature [N m] */
    float damping;             /* rate at which its velocity decays [1/s] */
    float thickness;     /* distance of fluid, solids and the cloth itself from it [m]; 0: a tenth of its spacing */
    float friction;      /* on solids */
    float tear;          /* strain at which it tears; 0: never */
    float permeability;  /* Darcy's, for fluid that seeps through; 0: tight [m^2] */
    rill_vec wind;       /* velocity of the air around it [m/s] */
    float drag;          /* coefficient of the air's pressure; 0: there is no air */
    bool self_collision; /* it does not pass through itself */
} rill_cloth_def;

RILL_API rill_cloth_def rill_cloth_def_default(void);

/* A pin holds particles of a cloth: those between min and max when the pin is added. */
typedef struct rill_pin_def {
    char name[RILL_NAME_SIZE];
    rill_cloth_id cloth; /* null and no name: the first one */
    char cloth_name[RILL_NAME_SIZE];
    rill_body_id body; /* null and no name: the world, where `motion` moves it */
    char body_name[RILL_NAME_SIZE];
    rill_vec min, max; /* [m] */
    rill_motion motion;
} rill_pin_def;

RILL_API rill_pin_def rill_pin_def_default(void);

/* ---- groups and areas: rill/game.h has what is done with them ---- */
typedef enum rill_group_kind {
    RILL_GROUP_FLUID, /* flows */
    RILL_GROUP_WALL   /* stays where it is or moves with `velocity`; no force moves it */
} rill_group_kind;

/* Particles that a game treats as one. New particles of a group get its colour and lifetime. */
typedef struct rill_group_def {
    char name[RILL_NAME_SIZE];
    int32_t kind;                    /* rill_group_kind */
    int32_t mask;                    /* bits: which layers it collides with, as far as its fluids do */
    float red, green, blue, opacity; /* of new particles, 0 to 1; opacity 0: they get no colour */
    float lifetime;                  /* of new particles [s]; 0: for ever */
    rill_vec velocity;               /* of a wall [m/s] */
    void *user_data;                 /* the host's; not saved: NULL in a world that was loaded */
} rill_group_def;

RILL_API rill_group_def rill_group_def_default(void);

/* A region that acts on the fluid in it and can list the particles that enter and leave. */
typedef struct rill_area_def {
    char name[RILL_NAME_SIZE];
    rill_shape shape;
    rill_group_id group; /* null and no name: it concerns all particles */
    char group_name[RILL_NAME_SIZE];
    rill_vec acceleration;      /* added to gravity and all forces [m/s^2] */
    float pull;                 /* acceleration towards `centre`, negative: away from it [m/s^2] */
    float swirl;                /* acceleration around `centre`, counter-clockwise; about z in 3D [m/s^2] */
    rill_vec centre;            /* of pull and swirl [m] */
    float drag;                 /* rate at which velocities in it decay [1/s] */
    bool watch;                 /* list particles that enter and leave it: at most RILL_AREAS_WATCHED areas do */
    float start_time, end_time; /* [s] */
} rill_area_def;
#define RILL_AREAS_WATCHED 32

RILL_API rill_area_def rill_area_def_default(void);

/* ---- gauges ---- */
typedef enum rill_gauge_kind {
    RILL_GAUGE_HEIGHT,         /* highest point of fluid on the line position + s direction, 0 <= s <= length: s [m] */
    RILL_GAUGE_FRONT,          /* farthest connected fluid along the line, like a dam-break front: s [m] */
    RILL_GAUGE_DENSITY,        /* at position [kg/m^3] */
    RILL_GAUGE_PRESSURE,       /* at position [Pa] */
    RILL_GAUGE_VELOCITY,       /* at position, dim values [m/s] */
    RILL_GAUGE_KINETIC_ENERGY, /* of the fluid [J] */
    RILL_GAUGE_POTENTIAL_ENERGY, /* of the fluid in gravity, zero at the origin [J] */
    RILL_GAUGE_MOMENTUM,         /* of the fluid, dim values [N s] */
    RILL_GAUGE_CENTRE,           /* centre of mass of the fluid, dim values [m] */
    RILL_GAUGE_COUNT,            /* particles of the fluid, inside `region` if it has one */
    RILL_GAUGE_FORCE,            /* of the fluid on a solid or body, dim values, mean over `window` [N] */
    RILL_GAUGE_BODY_POSITION,    /* centre of mass of a body, dim values [m] */
    RILL_GAUGE_BODY_VELOCITY,    /* dim values [m/s] */
    RILL_GAUGE_BODY_ANGLE,   /* turn since it was added: about z in 2D, about `axis` in 3D, whole turns counted [rad] */
    RILL_GAUGE_JOINT_LOAD,   /* force that a joint carries [N] */
    RILL_GAUGE_TORQUE,       /* of the fluid on a solid or body, mean over `window` [N m]: about the centre of mass
                                of a body that no motion is prescribed for, the moving pivot of others; z in 2D, three values
                                in 3D */
    RILL_GAUGE_BODY_SPIN,    /* angular velocity of a body; z in 2D, three values in 3D [rad/s] */
    RILL_GAUGE_JOINT_TORQUE, /* torque that a joint carries [N m] */
    RILL_GAUGE_JOINT_POSITION, /* angle of a hinge [rad]; travel of a slider, length of a distance or spring [m] */
    RILL_GAUGE_JOINT_SPEED,    /* its rate */
    RILL_GAUGE_PIN_FORCE,      /* of a cloth on a pin, dim values, mean over `window` [N] */
    RILL_GAUGE_CLOTH_AREA,     /* [m^2] */
    RILL_GAUGE_CLOTH_STRAIN,   /* largest in a cloth */
    RILL_GAUGE_CLOTH_ENERGY,   /* of motion, of height over the origin, and elastic [J] */
    RILL_GAUGE_CLOTH_MOMENTUM, /* dim values [N s] */
    RILL_GAUGE_CLOTH_CENTRE,   /* centre of mass of a cloth, dim values [m] */
    RILL_GAUGE_CLOTH_LOWEST    /* how far down the lowest particle of a cloth lies, along gravity from the origin [m] */
} rill_gauge_kind;

typedef struct rill_gauge_def {
    char name[RILL_NAME_SIZE];
    int32_t kind;        /* rill_gauge_kind */
    rill_fluid_id fluid; /* null and no name: all fluids */
    rill_solid_id solid; /* force, torque: a solid, or a body's surface; its name may be the body's */
    rill_body_id body;   /* body gauges; force and torque in place of a solid */
    rill_joint_id joint; /* joint gauges */
    rill_cloth_id cloth; /* cloth gauges */
    rill_pin_id pin;     /* pin_force */
    char fluid_name[RILL_NAME_SIZE];
    char solid_name[RILL_NAME_SIZE];
    char body_name[RILL_NAME_SIZE];
    char joint_name[RILL_NAME_SIZE];
    char cloth_name[RILL_NAME_SIZE];
    char pin_name[RILL_NAME_SIZE];
    rill_vec position;  /* [m] */
    rill_vec direction; /* of a line */
    float length;       /* of a line [m] */
    bool in_region;     /* count: only inside [min, max] */
    rill_vec min, max;  /* [m] */
    float window;       /* force, torque: length of the mean [s]; 0: the last step */
    rill_vec axis;      /* body_angle in 3D */
} rill_gauge_def;

RILL_API rill_gauge_def rill_gauge_def_default(void);

/* ---- queries ---- */

/* The objects that a query considers: solids that belong to no body, and bodies with a layer in `mask`. */
typedef struct rill_filter {
    bool solids, bodies;
    int32_t mask;
} rill_filter;

RILL_API rill_filter rill_filter_default(void); /* all solids and bodies */

/* One result of a query. */
typedef struct rill_hit {
    rill_solid_id solid; /* the surface */
    rill_body_id body;   /* null if it belongs to none */
    rill_vec point;      /* of the query, on or in the solid [m] */
    rill_vec normal;     /* out of the solid there */
    float distance;      /* along a ray; to the surface for others, negative inside [m] */
} rill_hit;

/* ---- tables behind the definitions ---- */
typedef enum rill_object {
    RILL_OBJECT_METHOD = -1, /* of a rill_ref: the method that moves the fluid; rill_method_info has its table */
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

RILL_API const rill_table *rill_object_table(rill_object object);

/* The owner of a parameter: the world, its method, or the object behind a handle. */
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

/* The strengths of a method according to docs/which_method.md and the experiments behind it, as bits. */
typedef enum rill_strength {
    RILL_STRENGTH_SPEED = 1,     /* many frames a second */
    RILL_STRENGTH_ACCURACY = 2,  /* true volume and pressure, little damping */
    RILL_STRENGTH_MACHINES = 4,  /* bodies with joints and motors */
    RILL_STRENGTH_ELASTICITY = 8 /* fluid that keeps a shape */
} rill_strength;

typedef struct rill_method_info {
    const char *name;     /* "wcsph" */
    const char *title;    /* "Weakly compressible SPH" */
    const char *citation; /* the paper */
    const char *about;    /* one or two sentences */
    const char *best_for; /* a few words; NULL: not said */
    int32_t strengths;    /* rill_strength */
    const rill_table *table;
    /* Rows that it adds to every fluid, and to every solid and body; NULL: none. They hold no lists. */
    const rill_table *fluid_table;
    const rill_table *solid_table;
} rill_method_info;

RILL_API int rill_method_count(void);
RILL_API const rill_method_info *rill_method(int index);
RILL_API const rill_method_info *rill_method_find(const char *name); /* NULL if unknown */
/* The known method name nearest to a misspelt one, or NULL. */
RILL_API const char *rill_method_nearest(const char *name);

/* ---- particle fields ---- */
typedef enum rill_scalar { RILL_SCALAR_FLOAT, RILL_SCALAR_UINT32, RILL_SCALAR_INT32, RILL_SCALAR_UINT64 } rill_scalar;

/* Bytes of one scalar. */
static inline size_t rill_scalar_size(rill_scalar scalar) {
    return scalar == RILL_SCALAR_UINT64 ? 8 : 4;
}

/* Where the numbers of cloths begin in the field `fluid`: a particle of the cloth in slot k has this plus k. */
#define RILL_PHASE_CLOTH 64u

/* A particle array as it lies in memory; valid until the next call that changes the world. */
typedef struct rill_view {
    const char *name; /* "position", "velocity", "density", "pressure", "id", "fluid": index1 - 1 of the fluid's id, or
                         RILL_PHASE_CLOTH and more for particles of a cloth */
    const char *unit; /* SI symbol */
    const char *doc;
    rill_scalar scalar;
    int components; /* 1, or dim */
    int stride;     /* in scalars from one particle to the next */
    int count;      /* particles */
    const void *data;
} rill_view;

/* ---- statistics of the last step ---- */
typedef enum rill_phase {
    RILL_PHASE_SOURCES,    /* emitters, sinks, moving solids */
    RILL_PHASE_SORT,       /* cell sort of the particles */
    RILL_PHASE_NEIGHBOURS, /* flat lists */
    RILL_PHASE_BOUNDARY,   /* contacts with solids, water in the seams under bodies */
    RILL_PHASE_SOLVE,      /* the method */
    RILL_PHASE_MOVE,       /* integration and collision */
    RILL_PHASE_BODIES,     /* contacts, joints and motion of bodies */
    RILL_PHASE_CHECK,      /* statistics and blow-up detection */
    RILL_PHASE_COUNT
} rill_phase;

RILL_API const char *rill_phase_name(rill_phase phase);

/* Iterations of a step whose residual is kept. */
#define RILL_RESIDUALS_MAX 256

typedef struct rill_stats {
    int64_t step;    /* steps taken so far */
    double time;     /* simulated seconds: the state is that of this moment */
    double lead;     /* time by which the state is ahead of the host's clock, after rill_world_advance [s] */
    double dt;       /* of the last step */
    double dt_bound; /* longest step the method calls stable now */
    int substeps;    /* that the last step was cut into */
    int particles;
    int iterations;  /* of the solver in the last step, or its last substep */
    double residual; /* of the equations after the last iteration; the method's page defines it */
    double residual_density, residual_walls, residual_contacts, residual_joints; /* parts of it: the squares of
                                                                                    the parts add up to its square */
    int body_iterations; /* of the bodies' row solver in the last step */
    int body_contacts;   /* points of contact between bodies and solids */
    int bodies_asleep;
    double joint_gap;          /* of the joint with the widest gap after the last step [m] */
    double density_error_mean; /* compression above rest density, relative, over fluid particles */
    double density_error_max;
    double neighbours_mean;
    int neighbours_max;
    double max_speed;
    double kinetic_energy, potential_energy; /* after the last step, or before the first one of the blocks */
    double energy_gain;               /* kinetic energy that came from nowhere, as a share of all energy in play */
    double energy_time;               /* of the first gain above a tenth [s]; 0: never */
    rill_vec energy_place;            /* of the fastest particle at that time [m] */
    int64_t emitted, removed;         /* since the world began */
    int64_t strayed;                  /* removed because they left the world's bounds */
    int64_t expired;                  /* removed at the end of their life, or as the oldest of too many */
    int64_t runaways;                 /* slowed down or removed because they ran away (rill_failure) */
    int64_t left_out;                 /* not added, or removed, because a solid has their place */
    size_t bytes;                     /* held by the world */
    double seconds[RILL_PHASE_COUNT]; /* of the last step */
    double seconds_total[RILL_PHASE_COUNT];
    float residuals[RILL_RESIDUALS_MAX]; /* of each iteration of the last step, for methods that solve a system */
} rill_stats;

#endif

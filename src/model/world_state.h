/* SPDX-License-Identifier: MIT */
/* The state of a world, the same for all dimensions and SIMD widths: definitions, particles, parameters, statistics.
   src/sim, which is compiled for each dimension and width, works on it; src/api checks what users ask of it. */
#ifndef RILL_MODEL_WORLD_STATE_H
#define RILL_MODEL_WORLD_STATE_H

#include "core/alloc.h"
#include "core/error.h"
#include "core/parallel.h"
#include "model/particles.h"
#include "rill/game.h"

/* The head of an object in a pool. Slots are reused; the age distinguishes old handles from new ones. */
typedef struct slot {
    bool alive;
    uint32_t age;
} slot;

/* Where a solid is now, as a motion since it was added: p -> pivot + turn (p - pivot) + offset. In 2D the rotation is
   about z. */
typedef struct pose {
    rill_vec offset, pivot;
    float turn[3][3];
    float angle;       /* of a prescribed rotation, or about z in 2D [rad] */
    rill_vec velocity; /* of the point pivot + offset [m/s] */
    rill_vec angular;  /* angular velocity [rad/s] */
} pose;

/* The shapes that objects of a world share; and the shared shapes of one object: that of its shape, or those of a
   compound's parts. shared_shape is defined in solid/shape_library.h. */
typedef struct shared_shape shared_shape;
typedef struct shape_library {
    buffer shapes; /* shared_shape *, by slot; NULL: free */
    int count;
} shape_library;
typedef struct shape_models {
    shared_shape **items;
    int count;
} shape_models;

typedef struct solid {
    slot slot;
    rill_solid_def def;
    shape_models models;
    pose pose;
    double impulse[3];        /* of the fluid on the solid in this substep, for gauges [N s] */
    double moment[3];         /* of the fluid, about the pose's centre, in this substep [N m s] */
    double push[3], twist[3]; /* impulse and moment that the solid's body has not received yet */
    int32_t body;             /* slot plus 1 of the body whose surface this is; 0: none */
} solid;

/* How a host moves a kinematic body: from its pose at `since`, with constant velocities, to a goal at `until` [s]. */
typedef struct drive {
    bool by_host; /* otherwise its prescribed motion moves the body */
    bool due;     /* the next step starts the motion to the goal */
    double since, until;
    double x[3], q[4], angle; /* pose at `since` */
    double v[3], w[3];
    double goal_x[3], goal_q[4];
} drive;

/* The report of an engine about a hosted body (rill/hosted.h). */
typedef struct host_side {
    bool moves;                  /* the body is hosted: between steps its engine moves it */
    bool asleep;                 /* the engine lets it rest */
    bool due;                    /* velocities were foretold for the end of the next step */
    bool foretold;               /* gain_v and gain_w act instead of gravity */
    double gravity;              /* factor on the world's gravity */
    double next_v[3], next_w[3]; /* the foretold velocities */
    double gain_v[3], gain_w[3]; /* the accelerations that lead to them [m/s^2], [rad/s^2] */
    double taken[3],
        taken_moment[3]; /* the part of the fluid's impulse and moment in this call that was reported already */
    double ballast;      /* mass added to the body here, in multiples of its own */
    int32_t untold;      /* substeps since the engine's last report */
} host_side;

/* Water that moves along with a body (sim/boundary/added_mass.c). */
typedef struct added_mass {
    double mass[3][3], inertia[3][3]; /* inertia about the body's centre */
    double volume;                    /* of the particles that touch the body [m^3] */
    double heavier;                   /* mass of touching particles, if each is much heavier than the body [kg] */
    double share;                     /* factor on mass and inertia; 0: the body is heavy enough */
} added_mass;

/* The account of a body that is lighter than the water it moves (rigid/owed.c): impulse, then moment, of the fluid. */
typedef struct fluid_debt {
    double owed[6];  /* not received yet */
    double later[6]; /* of collisions after the last step, not received yet */
    double lift[6];  /* force and torque received in the last step */
    float over;      /* usual length of steps, for `lift` (core/usual_step.h) [s] */
} fluid_debt;

/* A rigid body: its surface is a solid, its motion is here. In 2D only x, y and the rotation about z differ from
   zero. */
typedef struct body {
    slot slot;
    rill_body_def def;
    int32_t solid;       /* slot of its surface */
    double inverse_mass; /* 0: not moved by forces */
    double loose[3];     /* factor on it along each axis: 1, or less where joints of a host's engine hold the body */
    double mass;
    double volume;        /* [m^3] */
    double inertia[3][3]; /* about the centre of mass, in the axes in which the body was added [kg m^2] */
    double inverse_inertia[3][3];
    double start[3];   /* centre of mass when the body was added */
    double x[3], q[4]; /* centre of mass; rotation since it was added (x, y, z, w) */
    double v[3], w[3];
    double v_before[3], w_before[3]; /* at the start of the present substep */
    double force[3], torque[3];      /* of the host, for its next call that steps */
    double push[3], twist[3]; /* impulses of the host's forces in calls of advance that steps have not applied yet */
    double seam[6];           /* pressure and moment in its seams, which follow slowly, over their area [Pa, Pa m] */
    double seam_now[6]; /* force and torque of seams about the centre, less those of particles: act in the next step */
    double seam_offset; /* correction of the pressures at its seams [Pa] */
    double pressed[2][6];  /* force and torque of the fluid's pressure in the last step, by solve
                              (sim/boundary/give_way.h) */
    float pressed_over[2]; /* usual length of steps, for these [s] */
    added_mass added;
    fluid_debt debt;
    double impact; /* share of this step's collisions that acts (sim/boundary/impact.c) */
    double fluid_impulse[3],
        fluid_moment[3];      /* of the fluid in the host's last call that stepped; about the centre of mass */
    rill_wetting wetting;     /* in that call */
    bool near_fluid;          /* a particle has a contact with it in this step */
    bool was_asleep, was_wet; /* when the host's call began */
    bool was_put;             /* the host has put it somewhere else since the last step */
    int32_t pile;             /* the same number for bodies placed inside each other (rigid/piles.c); 0: none */
    double angle;             /* about z, whole turns included [rad] */
    bool asleep;
    int32_t island;   /* asleep: lowest slot of the bodies that fell asleep together */
    double rest_time; /* how long it has been slow [s] */
    double calm[6];   /* impulse and moment of the fluid since it has been slow; asleep: mean force and torque */
    double drift[6];  /* asleep: impulse and moment of the fluid beyond that mean */
    double reach;     /* radius of the ball around the centre of mass that contains its samples; 0: not measured yet */
    drive drive;      /* of a kinematic body */
    host_side host;   /* of a hosted body */
} body;

#define JOINT_LAMBDAS  8 /* rows that hold, drive and limit */
#define JOINT_RESISTS  2 /* rows of spring and friction */
#define JOINT_ROWS_MAX (JOINT_LAMBDAS + JOINT_RESISTS)
typedef struct joint {
    slot slot;
    rill_joint_def def;
    int32_t a, b;                 /* body slots; b -1: the world */
    int32_t gear_a, gear_b;       /* of a gear: slots of the joints that it moves */
    double arm_a[3], arm_b[3];    /* anchors from the centres, in the bodies' frames as they were added */
    double axis_a[3], axis_b[3];  /* the same direction in both frames */
    double rest[4];               /* rotation of a relative to b when the joint was made */
    double length;                /* at rest; of a gear: its position when it was made */
    double lambda[JOINT_LAMBDAS]; /* impulses of the last step, to start the next from */
    double resist[JOINT_RESISTS]; /* those of spring and friction */
    double load_force, load_torque, position, speed;
    bool broken;
    bool was_broken;              /* when the host's call began */
    int32_t first_row, row_count; /* its rows in this step */
} joint;

/* The impulse at a contact point, from which the next step starts. */
typedef struct contact_memory {
    uint64_t key;
    double lambda[3];
} contact_memory;

typedef struct emitter {
    slot slot;
    rill_emitter_def def;
    int64_t emitted;  /* number of particles */
    int64_t layers;   /* sheets of particles that have left the nozzle, or were skipped */
    double first_due; /* when sheet 0 left, or would have left at the present rate [s] */
} emitter;

typedef struct sink {
    slot slot;
    rill_sink_def def;
    shape_models models;
    int64_t removed;
} sink;

/* A cloth is a phase: its particles have the number of the phase in the field `fluid`, and follow those of fluids in
   the arrays. Its edges and triangles are links (sim/cloth). */
typedef struct cloth {
    slot slot;
    rill_cloth_def def;
} cloth;

/* A pin holds particles of a cloth, which have its slot plus 1 in the field `pin`. */
typedef struct pin {
    slot slot;
    rill_pin_def def;
    pose pose;         /* of a pin that no body holds */
    double impulse[3]; /* of the cloth on the pin in this substep [N s] */
} pin;

/* Particles have the slot plus 1 of their group in the field `group`. */
typedef struct group {
    slot slot;
    rill_group_def def;
    bool had_particles; /* when the host's call began */
} group;

typedef struct area {
    slot slot;
    rill_area_def def;
    shape_models models;
} area;

/* Number of parts into which the window of a gauge is divided. */
#define GAUGE_BINS 16

/* A gauge: its definition, and the history that its reading needs. */
typedef struct gauge {
    slot slot;
    rill_gauge_def def;
    double bins[3 * (GAUGE_BINS + 1)]; /* impulse or moment in each part of the window, and in the part before it */
    uint32_t bin;                      /* the present part */
    double filled;                     /* time since that part began [s] */
    double watched;                    /* time that it has measured, up to its window [s] */
    double turns;                      /* whole turns of its body */
    double twist;                      /* angle of its body beyond these after the last step [rad] */
} gauge;

typedef struct fluid {
    slot slot;
    rill_fluid_def def;
    float mass; /* of a particle, calibrated [kg] */
} fluid;

/* A growing array of objects, each starting with its slot. */
typedef struct pool {
    buffer items;
    int count;     /* slots, dead ones included */
    buffer living; /* int32: slots of living objects, in order */
    int living_count;
    buffer names;                   /* int32: hash table of the objects' names: slot plus 1; 0: free */
    int name_count;                 /* entries in it, those of dead objects included */
    const rill_table *method_table; /* of the rows that the method adds to each object; NULL: none */
    buffer method_rows;             /* these rows, by slot */
} pool;

/* The method's rows of the object in a slot, laid out as in method_table; NULL if there are none. */
static inline void *pool_method_row(const pool *p, uint32_t slot_index) {
    return p->method_table ? (char *)p->method_rows.data + p->method_table->size * slot_index : NULL;
}

/* The living object behind a handle, or NULL. */
static inline void *pool_get(const pool *p, size_t size, uint32_t index1, uint32_t age) {
    if (index1 == 0 || index1 > (uint32_t)p->count) return NULL;
    slot *s = (slot *)(void *)((char *)p->items.data + (size_t)(index1 - 1) * size);
    return s->alive && s->age == age ? s : NULL;
}

/* Boxes of the placed solids in a binary tree; see solid/solid_tree.h. */
typedef struct solid_tree {
    buffer nodes, boxes;
    buffer open; /* int32: slots of solids without a box, in order */
    int node_count, open_count;
} solid_tree;

/* The account of the energy watch [J], see sim/energy.c. */
typedef struct energy_watch {
    double balance;                 /* kinetic energy without a source, less losses */
    double least;                   /* least value of the balance so far */
    double scale;                   /* greatest energy in play */
    double kinetic, gravity, given; /* of the present substep: kinetic energy and power of gravity [W] at its start;
                                       energy given by nozzles, fills and sticky walls */
    bool lost;                      /* in the present substep a runaway was removed or slowed down */
} energy_watch;

typedef struct sim_operations sim_operations_table;

/* Support of the kernels in dx: as the definition says, or by its quality. At 2.8 the shear stress of the quintic
   spline, summed over sheared lattices, is closest to zero in 2D and in 3D (docs/kernels.md). */
static inline float world_support_ratio(const rill_world_def *def) {
    if (def->support_ratio > 0.0f) return def->support_ratio;
    return def->quality == RILL_QUALITY_ACCURATE ? 2.8f : 2.0f;
}

struct rill_world {
    rill_world_def def;
    memory memory;
    parallel *workers;
    rill_error error;
    const sim_operations_table *operations;
    void *sim; /* grid, lists, contacts: src/sim/sim.h */
    /* Scratch of src/rigid. */
    buffer rigid_plane, rigid_rows, rigid_contacts, rigid_memory, rigid_boxes, rigid_pairs, rigid_joined, rigid_islands,
        rigid_marks, rigid_events;
    int mark_count;
    int rigid_row_count; /* rows of joints and contacts in this step */

    float support;       /* h [m] */
    float wall_distance; /* smallest distance of particle centres to solids [m] */
    float body_margin;   /* gap that bodies keep to solids and to each other; chosen by the method [m] */
    float body_gap;      /* by how much bodies are smaller for particles; chosen by the method [m] */
    shape_library shapes;
    pool fluids, solids, bodies, joints, emitters, sinks, gauges, cloths, pins, groups, areas;
    /* Solids as placed at placed_time, if `placed`: see src/solid. */
    buffer placed_shapes; /* placed_shape of each slot, then the parts of compounds */
    solid_tree solid_tree;
    bool placed;
    double placed_time;
    bool looked_back;        /* the poses of solids are still those of the last look at another time (sim/look.h) */
    buffer contact_memories; /* contact_memory, by key; part of the state */
    int contact_memory_count;
    buffer contacts; /* rill_contact: events of the host's last call that stepped, part of the state */
    int contact_count;
    buffer removals, passages, changes; /* rill_removal, rill_passage, rill_change: of that call, not saved */
    int removal_count, passage_count, change_count;
    bool velocities_written; /* by the host: velocities must be checked before the next step */
    bool filtered;           /* a fluid or group does not collide with all layers */
    bool in_call;            /* the host's call has taken a step: further steps add to its reports */
    double call_time;        /* simulated in that call so far, or in the last one [s] */
    double call_span;        /* duration that the host's call asks for: that of motions started by move_to [s] */
    double hold;             /* duration over which a call of advance holds the host's forces; 0: another call [s] */
    double hurry;            /* length of steps needed to keep up with the host's clock; 0: any [s] */
    double push_time;  /* time over which steps apply the held impulses of bodies; 0: the next step applies all [s] */
    bool interleaved;  /* between rill_world_begin and rill_world_end */
    double span_left;  /* rest of the duration of rill_world_begin [s] */
    int steps_left;    /* steps that may still be taken in it */
    double span_hurry; /* `hurry` of these steps [s] */
    double idle;       /* time of the host's clock since its last call that stepped [s] */
    particles particles;
    buffer params;        /* the method's parameters, laid out as in its table */
    bool scene_changed;   /* parameters, fluids, solids or blocks changed: the method must derive its numbers again */
    int64_t method_since; /* number of steps before this method was chosen */
    double last_dt;       /* length of the last substep; 0: there was none [s] */
    float fall;           /* factor on gravity in the present substep, see sim/force/field.h */
    float derived[8];     /* numbers that the method derived, such as a speed of sound; part of the state */

    energy_watch energy;
    rill_stats stats;
    bool failed; /* the world blew up and refuses to step */
    uint64_t
        blocks_digest; /* of all blocks that were added, for rill_world_differs: the blocks themselves are not kept */
};

/* Most objects of a kind in a world: far more than needed, and few enough to reserve memory for when a snapshot that
   may be damaged is loaded. */
#define WORLD_OBJECTS_MAX 65536
/* The mask of all layers. */
#define ALL_LAYERS 65535

/* Most fluids in a world: methods keep constants in arrays of this length. */
#define WORLD_FLUIDS_MAX 64
/* Most cloths, and most phases. Phases are numbered in the field `fluid`, fluids first. */
#define WORLD_CLOTHS_MAX 64
#define WORLD_PHASES_MAX (WORLD_FLUIDS_MAX + WORLD_CLOTHS_MAX)

static inline bool phase_is_fluid(uint32_t phase) {
    return phase < WORLD_FLUIDS_MAX;
}

/* The name of a pool is that of its objects with an s, but the plural of body is irregular. */
#define bodys                   bodies
#define POOL_ITEMS(world, name) ((struct name *)(world)->name##s.items.data)
#define POOL_GET(world, name, id) \
    ((struct name *)pool_get(&(world)->name##s, sizeof(struct name), (id).index1, (id).age))
/* FOR_ALIVE(world, solid, s) { ... } visits the living objects in the order of their slots. */
#define FOR_ALIVE(world, name, item)                                                                             \
    for (struct name *item = POOL_ITEMS(world, name), *item##_end = item ? item + (world)->name##s.count : item; \
         item < item##_end; item++)                                                                              \
        if (item->slot.alive)

/* The group of particle i, or NULL. */
static inline const group *group_of(const rill_world *w, int i) {
    const uint32_t *groups = particles_extra(&w->particles, EXTRA_GROUP);
    return groups && groups[i] > 0 ? &POOL_ITEMS(w, group)[groups[i] - 1] : NULL;
}

/* The fluid that is meant if none is named; NULL: there is none. */
static inline fluid *first_fluid(const rill_world *w) {
    FOR_ALIVE(w, fluid, f) return f;
    return NULL;
}

/* The functions of src/sim, one table for each dimension and SIMD width. */
struct sim_operations {
    const char *width;
    const rill_method_info *(*method_info)(int index); /* NULL past the end */
    rill_status (*create)(rill_world *world); /* makes world->sim, particles and params for world->def.method */
    void (*destroy)(rill_world *world);
    rill_status (*add_block)(rill_world *world, const rill_block_def *def, int fluid, bool count_only, int *added);
    /* Velocities may be NULL: at rest. */
    rill_status (*add_particles)(rill_world *world, int fluid, const rill_vec *x, const rill_vec *v, int count);
    /* All ids must have particles. Positions or velocities may be NULL: they stay as they are. */
    void (*set_particles)(rill_world *world, const rill_particle_id *ids, const rill_vec *x, const rill_vec *v,
                          int count);
    void (*set_fluid_mass)(rill_world *world, fluid *f);
    /* Gives the world another method, which must exist, with default parameters. On error the world keeps its
       method. */
    rill_status (*set_method)(rill_world *world, const char *name);
    rill_status (*reserve)(rill_world *world, int particles);
    double (*nozzle_flow)(const rill_world *world, const rill_emitter_def *def); /* of a full nozzle [m^3/s] */
    /* Removes the fluid inside a solid and counts it as left out, or moves it out of the solid. */
    rill_status (*displace)(rill_world *world, const solid *s, rill_displacement fate);
    rill_status (*remove_inside)(rill_world *world, const rill_shape *shape, int *removed);
    rill_status (*push_inside)(rill_world *world, const rill_shape *shape, rill_vec velocity, float share, int *pushed);
    /* Adds the fields and links of cloth to the world; adds the particles and links of a cloth that has its slot;
       removes them. */
    rill_status (*use_cloth)(rill_world *world);
    rill_status (*add_cloth)(rill_world *world, const cloth *c);
    rill_status (*remove_cloth)(rill_world *world, const cloth *c);
    /* Lets a pin that has its slot hold particles; lets them go. */
    rill_status (*add_pin)(rill_world *world, pin *p);
    void (*remove_pin)(rill_world *world, const pin *p);
    /* The ids of particles inside a shape, and of stuck ones. Writes up to `capacity`; `count` is the number found. */
    rill_status (*find_inside)(rill_world *world, const rill_shape *shape, rill_particle_id *ids, int capacity,
                               int *count);
    rill_status (*find_stuck)(rill_world *world, rill_particle_id *ids, int capacity, int *count);
    rill_status (*step)(rill_world *world, double dt, double limit); /* dt <= 0: adaptive, at most `limit` */
    rill_status (*read_gauge)(rill_world *world, const gauge *g, rill_reading *reading);
    /* Puts the world into its state at a time of its last step, until look_end. */
    rill_status (*look_begin)(rill_world *world, double time);
    void (*look_end)(rill_world *world);
    rill_status (*read_gauges)(rill_world *world, double time,
                               rill_reading *readings); /* of all gauges, at that time */
    rill_status (*effective)(rill_world *world, const char *key, double *value);
    const char *(*ignores)(const rill_world *world, const char *key); /* method->ignores; NULL: it acts */
    uint64_t (*hash)(const rill_world *world);
    rill_status (*derive)(rill_world *world); /* derives the values that follow from a loaded state */
};

#endif

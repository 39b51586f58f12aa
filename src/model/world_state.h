/* SPDX-License-Identifier: MIT */
/* The state of a world, free of dimension and SIMD width: definitions, particles, parameters, statistics.
   src/sim works on it (compiled for each dimension and width), src/api checks what users ask of it. */
#ifndef RILL_MODEL_WORLD_STATE_H
#define RILL_MODEL_WORLD_STATE_H

#include "core/alloc.h"
#include "core/error.h"
#include "core/parallel.h"
#include "model/particles.h"
#include "rill/game.h"

/* Slots are reused; the age tells an old handle from a new one. */
typedef struct slot {
    bool alive;
    uint32_t age;
} slot;

/* Where a solid is, as a motion since it was added: p -> pivot + turn (p - pivot) + offset. In 2D the turn is about z.
 */
typedef struct pose {
    rill_vec offset, pivot;
    float turn[3][3];
    float angle;       /* of a prescribed turn, or about z in 2D [rad] */
    rill_vec velocity; /* of the point pivot + offset [m/s] */
    rill_vec angular;  /* angular velocity [rad/s] */
} pose;

/* Shapes that the objects of a world share, and those of one object: of its shape, or of a compound's parts. What a
   shared shape is, solid/shape_library.h tells. */
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
    double moment[3];         /* the same about the pose's centre [N m s] */
    double push[3], twist[3]; /* the same that the solid's body has not taken yet */
    int32_t body;             /* slot of the body that this is the surface of, plus 1; 0: none */
} solid;

/* How a host moves a kinematic body: from where it was at `since` with constant velocities, to a goal at `until`. */
typedef struct drive {
    bool by_host; /* otherwise its prescribed motion has the body */
    bool due;     /* the next step takes it to the goal */
    double since, until;
    double x[3], q[4], angle; /* at `since` */
    double v[3], w[3];
    double goal_x[3], goal_q[4];
} drive;

/* The report of a host's engine about a body that it moves (rill/hosted.h). */
typedef struct host_side {
    bool moves;                       /* it does: between steps the body goes where it says */
    bool asleep;                      /* the engine lets it rest */
    bool due;                         /* a velocity was foretold for the end of the next step */
    bool foretold;                    /* accelerations instead of gravity and forces */
    double gravity;                   /* share of the world's that acts on the body */
    double next_v[3], next_w[3];      /* the velocity that was foretold */
    double gain_v[3], gain_w[3];      /* what that comes to [m/s^2], [rad/s^2] */
    double taken[3], taken_moment[3]; /* of the fluid's impulse and moment, told of earlier steps of the same call */
    double ballast;                   /* mass that the body has here beyond its own, in multiples of that */
    int32_t untold;                   /* substeps since the engine told of the body */
} host_side;

/* Water that a body moves along, in a step (sim/boundary/added_mass.c). */
typedef struct added_mass {
    double mass[3][3], inertia[3][3]; /* inertia about the body's centre */
    double volume;                    /* of the particles that touch it */
    double heavier;                   /* mass of all particles at it, of a body that has next to none */
    double share;                     /* of the above that counts; 0: the body is heavier */
} added_mass;

/* What the fluid has given to a body that is lighter than the water it moves (rigid/owed.c): impulses and moments, but
   for `lift`. */
typedef struct fluid_debt {
    double owed[6];  /* it has not got these yet */
    double later[6]; /* of collisions after the last step */
    double lift[6];  /* force and torque that it got in the last step */
    float over;      /* length of the steps that `lift` is of (core/usual_step.h) [s] */
} fluid_debt;

/* A rigid body: its surface is a solid, its motion is here. In 2D everything but x, y and the turn about z stays zero.
 */
typedef struct body {
    slot slot;
    rill_body_def def;
    int32_t solid;       /* slot of its surface */
    double inverse_mass; /* 0: not moved by forces */
    double loose[3];     /* share of it along each axis: 1, but less where joints of a host's engine hold the body */
    double mass;
    double volume;        /* [m^3] */
    double inertia[3][3]; /* about the centre, as the body was added */
    double inverse_inertia[3][3];
    double start[3];   /* centre of mass as the body was added */
    double x[3], q[4]; /* centre of mass; turn since it was added (x, y, z, w) */
    double v[3], w[3];
    double v_before[3], w_before[3]; /* as the present substep began */
    double force[3], torque[3];      /* given by the host for its next call that steps */
    double push[3], twist[3];        /* what forces come to in calls of advance, and steps have not given yet */
    double seam[6];        /* pressure and moment in its seams that follow slowly, over their area [Pa, Pa m] */
    double seam_now[6];    /* force and torque of seams about the centre, less what particles press: acts next */
    double seam_offset;    /* by which pressures at its seams are corrected [Pa] */
    double pressed[2][6];  /* force and torque of the fluid's pressure in the last step, by solve
                              (sim/boundary/give_way.h) */
    float pressed_over[2]; /* length of the steps that these are of [s] */
    added_mass added;
    fluid_debt debt;
    double impact;                            /* share of collisions in this step that acts (sim/boundary/impact.c) */
    double fluid_impulse[3], fluid_moment[3]; /* in the host's last call that stepped, about the centre of mass */
    rill_wetting wetting;                     /* in that call */
    bool near_fluid;                          /* some particle has a contact with it in this step */
    bool was_asleep, was_wet;                 /* when the host's call began */
    int32_t pile;                             /* the same for bodies that are in each other; 0: in none */
    double angle;                             /* about z, whole turns included */
    bool asleep;
    int32_t island;   /* asleep: lowest slot of the bodies that fell asleep together */
    double rest_time; /* how long it has been slow [s] */
    double calm[6];   /* impulse and moment of the fluid while it rests; asleep: mean force and torque */
    double drift[6];  /* asleep: impulse and moment of the fluid beyond that */
    double reach;     /* radius about the centre of mass that holds its surface; 0: not measured yet */
    drive drive;      /* of a kinematic body */
    host_side host;   /* of a hosted body */
} body;

#define JOINT_LAMBDAS  8 /* of what holds, drives and bounds */
#define JOINT_RESISTS  2 /* of spring and friction */
#define JOINT_ROWS_MAX (JOINT_LAMBDAS + JOINT_RESISTS)
typedef struct joint {
    slot slot;
    rill_joint_def def;
    int32_t a, b;                 /* body slots; b -1: the world */
    int32_t gear_a, gear_b;       /* of a gear: slots of the joints that it moves */
    double arm_a[3], arm_b[3];    /* anchors from the centres, in the bodies' frames as they were added */
    double axis_a[3], axis_b[3];  /* the same direction in both frames */
    double rest[4];               /* turn of a against b as it was made */
    double length;                /* at rest */
    double lambda[JOINT_LAMBDAS]; /* impulses of the last step, to start the next from */
    double resist[JOINT_RESISTS]; /* those of spring and friction */
    double load_force, load_torque, position, speed;
    bool broken;
    bool was_broken;              /* when the host's call began */
    int32_t first_row, row_count; /* in the system of this step */
} joint;

/* An impulse between two solids at a sample point, kept to start the next step from. */
typedef struct contact_memory {
    uint64_t key;
    double lambda[3];
} contact_memory;

typedef struct emitter {
    slot slot;
    rill_emitter_def def;
    int64_t emitted;  /* particles */
    int64_t layers;   /* sheets of particles that have left the nozzle */
    double first_due; /* when sheet 0 left, or would have left at the present rate [s] */
} emitter;

typedef struct sink {
    slot slot;
    rill_sink_def def;
    shape_models models;
    int64_t removed;
} sink;

/* A cloth is a phase: its particles have the number of the phase in the field `fluid`, and come after those of fluids.
   Edges and triangles are links (sim/cloth). */
typedef struct cloth {
    slot slot;
    rill_cloth_def def;
} cloth;

/* Holds particles of a cloth, which have its number in the field `pin`. */
typedef struct pin {
    slot slot;
    rill_pin_def def;
    pose pose;         /* of a pin in the world */
    double impulse[3]; /* of the cloth on the pin in this substep [N s] */
} pin;

/* Particles know their group by its slot. */
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

/* Parts that the window of a gauge is cut into. */
#define GAUGE_BINS 16

/* Besides what it looks at, a gauge keeps what it has to know of the steps behind it. */
typedef struct gauge {
    slot slot;
    rill_gauge_def def;
    double bins[3 * (GAUGE_BINS + 1)]; /* impulse or moment in each part of the window, and in the part before it */
    uint32_t bin;                      /* that time is in now */
    double filled;                     /* how far time is in it [s] */
    double watched;                    /* how long it has measured, up to its window [s] */
    double turns;                      /* whole turns of its body */
    double twist;                      /* what was left over beyond them after the last step [rad] */
} gauge;

typedef struct fluid {
    slot slot;
    rill_fluid_def def;
    float mass; /* of a particle, calibrated */
} fluid;

/* A growing array of objects with a slot at their head. */
typedef struct pool {
    buffer items;
    int count;     /* slots, dead ones included */
    buffer living; /* int32: slots of the living, in order */
    int living_count;
    buffer names;                   /* int32: slots plus 1 by the hash of their object's name; 0: free */
    int name_count;                 /* entries, those of the dead included */
    const rill_table *method_table; /* of what the method adds to each object; NULL: nothing */
    buffer method_rows;             /* that, by slot */
} pool;

/* The method's own values of the object in a slot, laid out by the table; NULL if there is no table. */
static inline void *pool_method_row(const pool *p, uint32_t slot_index) {
    return p->method_table ? (char *)p->method_rows.data + p->method_table->size * slot_index : NULL;
}

/* The living object of a handle, or NULL. */
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

/* The account of the energy watch (sim/energy.c) [J]. */
typedef struct energy_watch {
    double balance;                 /* kinetic energy that nothing put in, less what was lost */
    double least;                   /* that it has been */
    double scale;                   /* greatest energy in play */
    double kinetic, gravity, given; /* of the present substep: as it began, and what nozzles, fills and sticky walls
                                       gave; gravity in W */
} energy_watch;

typedef struct sim_operations sim_operations_table;

/* Support of the kernels over dx: what the definition says, or what its quality takes. 2.8 is where sums over sheared
   lattices of the quintic spline come nearest to no shear stress, in 2D and 3D (docs/kernels.md). */
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
    int rigid_row_count; /* rows of this step's joints and contacts */

    float support;       /* h [m] */
    float wall_distance; /* closest that particle centres come to solids [m] */
    float body_margin;   /* gap that bodies keep to solids and to each other, asked for by the method [m] */
    float body_gap;      /* by which bodies are smaller for particles than they are, asked for by the method [m] */
    shape_library shapes;
    pool fluids, solids, bodies, joints, emitters, sinks, gauges, cloths, pins, groups, areas;
    /* Solids where they were at placed_time, if placed: src/solid. */
    buffer placed_shapes; /* placed_shape of each slot, then the parts of compounds */
    solid_tree solid_tree;
    bool placed;
    double placed_time;
    buffer contact_memories; /* contact_memory, by key; part of the state */
    int contact_memory_count;
    buffer contacts; /* rill_contact: events of the host's last call that stepped; part of the state */
    int contact_count;
    buffer removals, passages, changes; /* rill_removal, rill_passage, rill_change: of that call too, not saved */
    int removal_count, passage_count, change_count;
    bool velocities_written; /* by the host, who may have written anything */
    bool filtered;           /* some fluid or group does not collide with all layers */
    bool in_call;            /* the host's call has taken a step: what happens is added to what has happened in it */
    double call_time;        /* simulated in that call so far, or in the last one [s] */
    double call_span;        /* that the host's call asks for: a body that it sends off takes so long [s] */
    double hurry;            /* length of the steps that the host's clock waits for; 0: it does not [s] */
    double push_time;        /* over which steps give the pushes of bodies; 0: the next step gives all [s] */
    bool interleaved;        /* between rill_world_begin and rill_world_end */
    double span_left;        /* of what rill_world_begin asked for [s] */
    int steps_left;          /* that may be taken for it */
    double span_hurry;       /* `hurry` of these steps [s] */
    double idle;             /* time of the host's clock since its last call that stepped [s] */
    particles particles;
    buffer params;        /* the method's parameters, laid out by its table */
    bool scene_changed;   /* parameters, fluids, solids or blocks changed: derived numbers must be derived again */
    int64_t method_since; /* steps that were taken before the method took over */
    double last_dt;       /* length of the last substep; 0: there was none [s] */
    float fall;           /* share of gravity that acts in the present substep; see sim/force/field.h */
    float derived[8];     /* what the method chose itself (for example a sound speed); part of the state */

    energy_watch energy;
    rill_stats stats;
    bool failed;            /* blew up: refuses to step */
    uint64_t blocks_digest; /* of the blocks that were added, which leave nothing else to tell scenes apart by */
};

/* A mask with all layers that there are. */
#define ALL_LAYERS 65535

/* Most fluids in one world: methods keep their constants in arrays of this length. */
#define WORLD_FLUIDS_MAX 64
/* Most cloths, and kinds of particles altogether: phases are numbered by the field `fluid`, fluids first. */
#define WORLD_CLOTHS_MAX 64
#define WORLD_PHASES_MAX (WORLD_FLUIDS_MAX + WORLD_CLOTHS_MAX)

static inline bool phase_is_fluid(uint32_t phase) {
    return phase < WORLD_FLUIDS_MAX;
}

/* Pools are named by item and s; the plural of body is irregular. */
#define bodys                   bodies
#define POOL_ITEMS(world, name) ((struct name *)(world)->name##s.items.data)
#define POOL_GET(world, name, id) \
    ((struct name *)pool_get(&(world)->name##s, sizeof(struct name), (id).index1, (id).age))
/* for (FOR_ALIVE(world, solid, s)) { ... } visits the living objects in the order of their slots. */
#define FOR_ALIVE(world, name, item)                                                                             \
    for (struct name *item = POOL_ITEMS(world, name), *item##_end = item ? item + (world)->name##s.count : item; \
         item < item##_end; item++)                                                                              \
        if (item->slot.alive)

/* The group of particle i, or NULL. */
static inline const group *group_of(const rill_world *w, int i) {
    const uint32_t *groups = particles_extra(&w->particles, EXTRA_GROUP);
    return groups && groups[i] > 0 ? &POOL_ITEMS(w, group)[groups[i] - 1] : NULL;
}

/* The fluid that counts where none is named; NULL: there is none. */
static inline fluid *first_fluid(const rill_world *w) {
    FOR_ALIVE(w, fluid, f) return f;
    return NULL;
}

/* The functions that src/sim offers, one table for each dimension and width. */
struct sim_operations {
    const char *width;
    const rill_method_info *(*method_info)(int index); /* NULL past the end */
    rill_status (*create)(rill_world *world); /* makes world->sim, particles and params for world->def.method */
    void (*destroy)(rill_world *world);
    rill_status (*add_block)(rill_world *world, const rill_block_def *def, int fluid, bool count_only, int *added);
    /* Velocities may be NULL: at rest. */
    rill_status (*add_particles)(rill_world *world, int fluid, const rill_vec *x, const rill_vec *v, int count);
    /* Particles that are there; positions or velocities may be NULL: these stay. */
    void (*set_particles)(rill_world *world, const rill_particle_id *ids, const rill_vec *x, const rill_vec *v,
                          int count);
    void (*set_fluid_mass)(rill_world *world, fluid *f);
    /* Gives the world another method, which must be there, with its defaults; on error it has the one it had. */
    rill_status (*set_method)(rill_world *world, const char *name);
    rill_status (*reserve)(rill_world *world, int particles);
    double (*nozzle_flow)(const rill_world *world, const rill_emitter_def *def); /* of a full nozzle [m^3/s] */
    /* Takes out the fluid that lies in a solid, and counts it as left out, or moves it out. */
    rill_status (*displace)(rill_world *world, const solid *s, rill_displacement fate);
    rill_status (*remove_inside)(rill_world *world, const rill_shape *shape, int *removed);
    rill_status (*push_inside)(rill_world *world, const rill_shape *shape, rill_vec velocity, float share, int *pushed);
    /* Makes the particles and links of a cloth that has its slot; takes them out again. */
    rill_status (*use_cloth)(rill_world *world);
    rill_status (*add_cloth)(rill_world *world, const cloth *c);
    rill_status (*remove_cloth)(rill_world *world, const cloth *c);
    /* Lets a pin that has its slot take hold; lets go. */
    rill_status (*add_pin)(rill_world *world, pin *p);
    void (*remove_pin)(rill_world *world, const pin *p);
    /* Ids of the particles inside a shape, or stuck; up to `capacity` of them are written. */
    rill_status (*find_inside)(rill_world *world, const rill_shape *shape, rill_particle_id *ids, int capacity,
                               int *count);
    rill_status (*find_stuck)(rill_world *world, rill_particle_id *ids, int capacity, int *count);
    rill_status (*step)(rill_world *world, double dt, double limit); /* dt <= 0: adaptive, at most `limit` */
    rill_status (*read_gauge)(rill_world *world, const gauge *g, rill_reading *reading);
    /* The world in a moment of its last step, until look_end. */
    rill_status (*look_begin)(rill_world *world, double time);
    void (*look_end)(rill_world *world);
    rill_status (*read_gauges)(rill_world *world, double time, rill_reading *readings); /* of the living, then */
    rill_status (*effective)(rill_world *world, const char *key, double *value);
    const char *(*ignores)(const rill_world *world, const char *key); /* method->ignores; NULL: it acts */
    uint64_t (*hash)(const rill_world *world);
    rill_status (*derive)(rill_world *world); /* derives again what follows from a loaded state */
};

#endif
